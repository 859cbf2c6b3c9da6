/* state.h -- what the files of Marvelous Mashup share: the loaded content, the state, and the
 * functions of each file.
 *
 * Cells are kept column by column (x * height + y), because legal lists are ascending by x, then y.
 * One byte describes a cell, since at most one thing can be on it [1.1]: see CELL_FREE. Units are
 * numbered 0..5 and 6..11 for the two sides' heroes, then Goose, Stan Lee and Thanos, then the six
 * stones, then twice twelve heroes on offer. */
#ifndef MARVELOUS_MASHUP_STATE_H
#define MARVELOUS_MASHUP_STATE_H
#include "engine/game.h"
#include "engine/grid.h"
#include "engine/sight.h"

/* Counts. */
enum {
    TEAM = 6,
    HEROES = MASH_SEATS * TEAM,
    OFFERED = 12,
    STONES = 6,
    ALL_STONES = (1 << STONES) - 1,
    SIDE_LEAST = 1,
    CELLS_MAX = MASH_SIDE_MAX * MASH_SIDE_MAX,
    GRASS_LEAST = 20,
    KINDS_LEAST = MASH_SEATS * OFFERED,
    KINDS_MAX = 200,
    ROCK_HEALTH = 100,
    GOOSE_ROUNDS = 6, /* [9.1] */
    STAN_ROUND = 7,   /* [10.1] */
    LAST_ROUND = 500, /* before Thanos arrives automatically [11.2] */
    SNAPS_MAX = 30,   /* [11.14] */
    NAME_BYTES = 64,
    CODE_BYTES = 20, /* four code points of four bytes, and a NUL */
};

/* Units. */
enum {
    UNIT_GOOSE = HEROES,
    UNIT_STAN,
    UNIT_THANOS,
    ACTORS,
    UNIT_STONES = ACTORS,
    UNIT_OFFERS = UNIT_STONES + STONES,
    UNITS = UNIT_OFFERS + MASH_SEATS * OFFERED,
};

/* The six stones, by the numbers of the committee. */
enum { STONE_SPACE, STONE_MIND, STONE_REALITY, STONE_POWER, STONE_TIME, STONE_SOUL };

/* The verbs, in the order of legal lists. */
enum {
    VERB_CHOOSE = 1, /* unit: one of the own side's on offer */
    VERB_MOVE,       /* unit to x,y */
    VERB_MELEE,      /* unit attacks what is at x,y */
    VERB_RANGED,
    VERB_USE,  /* stone `ability` on x,y; Time: on the own cell */
    VERB_GIVE, /* stone `ability` to the hero on x,y */
    VERB_END,
    VERBS
};

/* Phases: the draft, play, play with Thanos on the board. */
enum { PHASE_CHOICE, PHASE_PLAY, PHASE_THANOS, PHASE_OVER, PHASES };

/* The rule sets. */
enum { RULES_SPEC, RULES_CUSTOMER };

/* Numbers of names. Stones are abilities, items and kinds in the same order. */
enum { GROUND_GRASS, GROUND_ROCK, GROUND_PORTAL, GROUNDS };
enum { ABILITY_MELEE = STONES, ABILITY_RANGED, ABILITIES };
enum { KIND_GOOSE = KINDS_MAX, KIND_STAN, KIND_THANOS, KIND_STONES };
enum {
    METER_HEALTH,
    METER_MOVES,
    METER_ACTIONS,
    METER_MELEE,
    METER_RANGED,
    METER_REACH,
    METER_STONES, /* six: a stone in hand, now = rounds until it can be used */
    METER_COOLDOWN = METER_STONES + STONES,
    METER_INSIDE, /* stones still in Goose */
    METER_ROUND,
    METER_MOST_STONES,
    METER_KNOCK_OUTS,
    METER_DAMAGE,
    METERS
};
enum {
    FIGURE_DAMAGE,
    FIGURE_KNOCK_OUTS,
    FIGURE_MOST_STONES,
    FIGURE_STEPS,
    FIGURE_USED,
    FIGURE_TURNS,
    FIGURES
};
enum {
    REASON_SIX_STONES = MASH_REASON_GAME, /* [12.1] */
    REASON_MOST_STONES,
    REASON_KNOCK_OUTS,
    REASON_DAMAGE,
    REASON_LOT,
};

/* The byte of a cell. Up to CELL_ENTERED_LAST a hero may step on it, from CELL_PORTAL on it blocks
 * sight [2.2]. */
enum {
    CELL_FREE = 0,
    CELL_STONES = 1, /* + stone */
    CELL_PORTAL = CELL_STONES + STONES,
    CELL_UNITS, /* + unit */
    CELL_ENTERED_LAST = CELL_UNITS + HEROES - 1,
    CELL_THANOS = CELL_UNITS + UNIT_THANOS,
    CELL_ROCKS = 128, /* + health */
};

/* A character of the configuration [3.1]. */
typedef struct MarvelousKind {
    uint16_t number; /* its characterID; kinds are sorted by it */
    uint16_t health, moves, actions, melee, ranged, reach;
    uint16_t zero;
} MarvelousKind;

/* Texts about a kind; they do not affect the rules. */
typedef struct KindWords {
    char name[NAME_BYTES], avatar[NAME_BYTES];
    char id[NAME_BYTES];   /* made of the name */
    char code[CODE_BYTES]; /* short and unique: what is typed and drawn */
} KindWords;

/* The loaded content. Everything before `words` affects the rules and is hashed. */
typedef struct MarvelousContent {
    MarvelousKind kinds[KINDS_MAX];
    uint8_t cooldowns[STONES];
    uint8_t width, height;
    uint16_t kinds_count, portals_count, cells_count;
    uint16_t rounds_max; /* of the configuration; 0 = not given */
    uint16_t mind_damage, zero;
    uint16_t portals[CELLS_MAX]; /* cells, numbered row by row: the numbers of the committee */
    uint8_t ground[CELLS_MAX];   /* at the start: free, rock or portal */
    KindWords words[KINDS_MAX];
    char scenario[NAME_BYTES], author[NAME_BYTES];
    MashTexts texts;
} MarvelousContent;
static_assert(offsetof(MarvelousContent, words) == 16 * KINDS_MAX + STONES + 2 + 12 + 3 * CELLS_MAX,
              "no padding in what is hashed");

/* A unit on the board: a hero, or Thanos. */
typedef struct Actor {
    uint8_t kind;
    uint8_t stones; /* in hand: one bit each */
    uint8_t x, y;   /* x = OFF_BOARD: not there, or dusted */
    uint16_t health, moves, actions;
} Actor;
static_assert(sizeof(Actor) == 10, "no padding in a state");
enum { OFF_BOARD = 255 };

/* Where a stone is: in the hands of a unit, on the ground at x,y, or still in Goose. */
typedef struct Stone {
    uint8_t holder, x, y, cooldown;
} Stone;
enum { HELD_BY_GROUND = 254, HELD_BY_GOOSE = 255 };

/* Statistics for the end screen, after the core. */
typedef struct MarvelousFigures {
    uint32_t damage, knock_outs, steps, used; /* damage: INT32_MAX at most */
    uint16_t turns;
    uint8_t most_stones, zero;
} MarvelousFigures;
static_assert(sizeof(MarvelousFigures) == 20, "no padding in a state");

/* KIND_HIDDEN: an offer that a view may not know. */
enum { KIND_HIDDEN = 255, ORDER_MAX = HEROES + 2 };

/* The state. The cells follow, then the statistics: see figures_of(). */
typedef struct MarvelousState {
    CommonState common;
    uint8_t phase; /* PHASE_OVER is never stored: `common` knows */
    uint8_t rules;
    uint8_t active;   /* the hero whose turn it is, or MASH_UNIT_NONE */
    uint8_t overtime; /* the server has requested it [11.3] */
    uint64_t damage[MASH_SEATS];
    uint32_t knock_outs[MASH_SEATS];
    uint16_t round, thanos_moves; /* thanos_moves: of his next turn */
    uint8_t most_stones[MASH_SEATS];
    uint8_t snaps;
    uint8_t order_count, order_next; /* order_next: who comes after the active one */
    uint8_t order[ORDER_MAX];
    uint8_t zero;
    Stone stones[STONES];
    Actor actors[ACTORS];
    uint16_t picked[MASH_SEATS];         /* bits of the offer; zero after the draft */
    uint8_t offers[MASH_SEATS][OFFERED]; /* kinds; zero after the draft */
    uint8_t cells[];
} MarvelousState;
static_assert(offsetof(MarvelousState, stones) == 56 &&
                  offsetof(MarvelousState, cells) == 56 + 24 + 150 + 28,
              "no padding in a state");

/* The context that rules need while an action is applied. */
typedef struct TurnContext {
    const MarvelousContent *content;
    MarvelousState *state;
    MarvelousFigures *figures;
    MashChance *chance;
    MashEvents *events;
} TurnContext;

/* A cell by its coordinates. */
typedef struct Cell {
    uint8_t x, y;
} Cell;

/* The game's part of the loaded content. */
static inline const MarvelousContent *marvelous_content(const MashContent *loaded) {
    return (const void *)loaded->body;
}

/* The round in which Thanos arrives by himself [11.1], [11.2]. */
static inline uint16_t thanos_round(const MarvelousContent *content) {
    return content->rounds_max == 0 ? LAST_ROUND : content->rounds_max;
}

/* How many stones are in a set. */
static inline int stones_in(uint8_t set) {
    int pairs = set - (set >> 1 & 0x15);
    int fours = (pairs & 0x33) + (pairs >> 2 & 0x33);
    return (fours + (fours >> 4)) & 15;
}

/* The bytes of a state up to the figures; cells are followed by zeros up to a multiple of four. */
static inline uint32_t core_bytes(const MarvelousContent *content) {
    return ((uint32_t)offsetof(MarvelousState, cells) + content->cells_count + 3) / 4 * 4;
}

/* All bytes of a state. */
static inline uint32_t state_bytes(const MarvelousContent *content) {
    return core_bytes(content) + HEROES * (uint32_t)sizeof(MarvelousFigures);
}

/* The statistics of the heroes. */
static inline MarvelousFigures *figures_of(const MarvelousContent *content, void *state) {
    return (void *)((uint8_t *)state + core_bytes(content));
}

/* The owner of a hero. */
static inline uint8_t seat_of(uint8_t hero) { return hero / TEAM; }

/* The bit of a stone in a hand. */
static inline uint8_t stone_bit(uint8_t stone) { return (uint8_t)(1 << stone); }

/* The number of a cell. */
static inline uint32_t cell_at(const MarvelousContent *content, int x, int y) {
    return (uint32_t)x * content->height + (uint32_t)y;
}

/* A cell is free [1.2], blocks sight [2.2], is a rock with this health [1.3], or holds a hero. */
static inline bool cell_is_free(uint8_t cell) { return cell == CELL_FREE; }
static inline bool cell_blocks(uint8_t cell) { return cell >= CELL_PORTAL; }
static inline bool cell_is_rock(uint8_t cell) { return cell > CELL_ROCKS; }
static inline bool cell_is_hero(uint8_t cell) {
    return cell >= CELL_UNITS && cell < CELL_UNITS + HEROES;
}
static inline bool cell_is_stone(uint8_t cell) {
    return cell >= CELL_STONES && cell < CELL_STONES + STONES;
}
static inline uint8_t cell_unit(uint8_t cell) { return (uint8_t)(cell - CELL_UNITS); }

/* The configured values of a hero. */
static inline const MarvelousKind *kind_of(const MarvelousContent *content,
                                           const MarvelousState *state, uint8_t hero) {
    return &content->kinds[state->actors[hero].kind];
}

/* Is this hero on the board, standing or knocked out? */
static inline bool on_board(const MarvelousState *state, uint8_t unit) {
    return state->actors[unit].x != OFF_BOARD;
}

/* The neighbours of a cell as a rectangle: from left,top to right,bottom, itself included [1.4]. */
typedef struct Around {
    int left, top, right, bottom;
} Around;

/* The cells at most `far` away that are on the board. */
static inline Around around(const MarvelousContent *content, int x, int y, int far) {
    return (Around){x < far ? 0 : x - far, y < far ? 0 : y - far,
                    x + far >= content->width ? content->width - 1 : x + far,
                    y + far >= content->height ? content->height - 1 : y + far};
}

/* [2.1] [2.3] Do two cells see each other? */
static inline bool marvelous_sees(const MarvelousContent *content, const uint8_t *cells, int ax,
                                  int ay, int bx, int by) {
    Sight sight = sight_between(ax, ay, bx, by);
    while (sight_next(&sight))
        if (cell_blocks(cells[cell_at(content, sight.x, sight.y)]))
            return false;
    return true;
}

/* rules.c: a state with the ground [1.1], all stones in Goose and nobody on the board. */
void marvelous_empty(const MarvelousContent *content, MarvelousState *state);

/* --- board.c: cells, free places, damage ------------------------------------------------------ */

/* One of `count` at random; no draw if there is only one. */
uint32_t marvelous_draw(const TurnContext *play, uint32_t count);
/* A random free cell; a rock crumbles if there is none. */
Cell marvelous_free_anywhere(const TurnContext *play);
/* A random free cell next to this one, or further away. */
Cell marvelous_free_near(const TurnContext *play, Cell cell);
/* Puts a unit on a free cell, or takes it off the board's cells. */
void marvelous_put(const TurnContext *play, uint8_t unit, Cell cell);
void marvelous_remove_from_cell(const TurnContext *play, uint8_t unit);
/* Swaps two units: `mover` enters the cell of `other`. The second swaps with the hero on a cell;
 * false: there is none. */
void marvelous_swap(const TurnContext *play, uint8_t mover, uint8_t other);
bool marvelous_swap_with_hero(const TurnContext *play, uint8_t mover, Cell cell);
/* The unit takes the stone that its cell held before it came, if that was one. */
void marvelous_take_stone(const TurnContext *play, uint8_t held, uint8_t unit);
/* The ground of a cell becomes grass or a new rock. */
void marvelous_ground(const TurnContext *play, uint8_t unit, Cell cell, uint8_t ground);
/* Puts a stone on a free cell, or into the hands of a unit. */
void marvelous_drop_stone(const TurnContext *play, uint8_t stone, Cell cell);
void marvelous_give_stone(const TurnContext *play, uint8_t stone, uint8_t unit);
/* The attacker does damage to what is at a cell, a hero or a rock. */
void marvelous_strike(const TurnContext *play, uint8_t attacker, Cell cell, int damage);
/* Restores a hero to full health, and revives it if it was knocked out; `healer` did it. */
void marvelous_heal(const TurnContext *play, uint8_t hero, uint8_t healer);
/* Appends the event that a meter of a unit changes. */
void marvelous_emit_change(const TurnContext *play, uint8_t unit, uint8_t meter, int amount);
/* Appends the event that something happens to a stone at a cell, and that a unit moves. */
void marvelous_emit_stone(const TurnContext *play, MashEventKind kind, uint8_t unit, uint8_t stone,
                          Cell cell);
void marvelous_emit_move(const TurnContext *play, MashEventKind kind, uint8_t unit, Cell from,
                         Cell to, int32_t amount);
/* An event about a unit that stands on the board: x,y is where. */
MashEvent marvelous_event(const TurnContext *play, MashEventKind kind, uint8_t unit, uint8_t other);

/* --- draft.c: the draft of six heroes --------------------------------------------------------- */

/* Twelve heroes for each seat. */
void marvelous_offer(const TurnContext *play);
/* The seats that still choose, one bit each. */
uint32_t marvelous_choosing(const MarvelousState *state);
/* Check and list of choices. */
MashStatus marvelous_check_choose(const MarvelousState *state, MashAction action);
uint32_t marvelous_list_choose(const MarvelousState *state, uint8_t seat, MashAction *out);
/* Chooses; true if that was the last choice and all heroes are placed. */
bool marvelous_choose(const TurnContext *play, MashAction action);
/* --- acts.c: the actions of a hero's turn ----------------------------------------------------- */

/* Checks an action of the active hero whose fields are valid. */
MashStatus marvelous_check_act(const MarvelousContent *content, const MarvelousState *state,
                               MashAction action);
/* Lists its actions; and applies one that was checked. */
uint32_t marvelous_list_acts(const MarvelousContent *content, const MarvelousState *state,
                             MashAction *out);
void marvelous_act(const TurnContext *play, MashAction action);
/* Every target from `nearest` to `farthest` cells away that the hero of `action` sees [7.2] [7.3]
 * [7.4], as `action` with its cell, ascending; how many. */
uint32_t marvelous_list_targets(const MarvelousContent *content, const MarvelousState *state,
                                MashAction action, int nearest, int farthest, MashAction *out);

/* --- stones.c: the six stones and handing them over ------------------------------------------- */

/* Check, list and apply, as in acts.c. */
MashStatus marvelous_check_stone(const MarvelousContent *content, const MarvelousState *state,
                                 MashAction action);
uint32_t marvelous_list_stones(const MarvelousContent *content, const MarvelousState *state,
                               MashAction *out);
void marvelous_use(const TurnContext *play, MashAction action);
void marvelous_give(const TurnContext *play, MashAction action);
/* May this hero attack what a cell holds? */
MashStatus marvelous_check_target(const MarvelousState *state, uint8_t hero, uint8_t cell);

/* --- turns.c: rounds and turns ---------------------------------------------------------------- */

/* Continues to the next turn of a hero that can act; NPCs act on the way, and the match may end. */
void marvelous_next_turn(const TurnContext *play);
/* Ends the turn of the active hero and continues. */
void marvelous_end_turn(const TurnContext *play);

/* --- npc.c: Goose, Stan Lee, Thanos ----------------------------------------------------------- */

/* A turn of Goose, of Stan Lee. */
void marvelous_goose(const TurnContext *play);
void marvelous_stan(const TurnContext *play);
/* Does Thanos come with the round that begins? His arrival, and a turn of his. */
bool marvelous_thanos_due(const MarvelousContent *content, const MarvelousState *state);
void marvelous_thanos_arrives(const TurnContext *play);
void marvelous_thanos(const TurnContext *play);

/* --- load.c, words.c, show.c, generate.c ------------------------------------------------------ */

/* net_weights.c: what search evaluates positions by. */
extern const TableNet marvelous_net;

/* The game. */
extern const MashGame marvelous_mashup_game;
GAME_DECLARE(marvelous);
/* The kinds of event of this game. */
enum { MARVELOUS_EVENTS = 31 };
extern const MashEventKind marvelous_events[MARVELOUS_EVENTS];
/* How content is made, for the standard as well. */
extern const ContentPlan marvelous_plan;
void marvelous_make_id(MarvelousContent *content, uint32_t kind);
/* Writers of random documents. */
enum { GENERATORS = 3 };
extern const MashGenerator marvelous_generators[GENERATORS];

#endif
