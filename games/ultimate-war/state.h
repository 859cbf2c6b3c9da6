/* state.h -- what the files of Ultimate War share: the loaded content and the state.
 *
 * Units 0 to 2 are seat 0's champions in the order of picking, 3 to 5 seat 1's. From unit 6 on they
 * are the champions of the roster, which exist only while they can still be picked. Cells are
 * numbered column by column, x * 5 + y, so that ascending numbers are ascending in legal lists; a
 * set of cells is one word with a bit for each. */
#ifndef ULTIMATE_WAR_STATE_H
#define ULTIMATE_WAR_STATE_H
#include "engine/game.h"
#include "engine/grid.h"

/* Numbers of the game and limits of its content. */
enum {
    SIDE = 5, /* columns and rows [1.1] */
    CELLS = SIDE * SIDE,
    CELL_NONE = 255,
    DISTANCES = 2 * SIDE - 1, /* 0 to 8 steps apart [1.2] */
    DIRECTIONS = 4,
    TEAM = 3, /* champions of a seat */
    UNITS = MASH_SEATS * TEAM,
    KINDS_LEAST = UNITS,
    KINDS_MAX = 64,
    KIND_NONE = 255,
    SLOTS = 3, /* abilities of a champion */
    EFFECTS_MAX = 32,
    PUNCHES_MAX = EFFECTS_MAX, /* one for each Disarm */
    COVERS = 5,
    COVER_HEALTH_LEAST = 100,
    COVER_HEALTHS = 900,
    ROUNDS = 100,
    TURN_MS = 60000, /* [9.5] */
    COST_MOVE = 1,
    COST_ATTACK = 2,
    LEADER_TURNS = 2,        /* of Embrace and Stun given by leaders */
    WEAK_PERCENT = 30,       /* of full health: those below are finished by a villain [8.3] */
    TYPE_PERCENT = 150,      /* of the attack damage between champions of different types [5.7] */
    EMBRACE_PERCENT = 20,    /* of full health and of mana, given immediately [7.6] */
    NUMBER_MOST = 1000000,   /* of health, mana, damage, amounts in content */
    VALUE_MOST = 1000000000, /* of any value in a state [7.3] */
    POINTS_MOST = 20,        /* of action points in content */
    SPEED_MOST = 1000,
    COOLDOWN_MOST = 99,
    TURNS_MOST = 9,
    PUNCH_MOST = 190, /* 31 PowerUps raise it to at most 65,535: a Disarm takes the 32nd place */
    ID_BYTES = 32,
    NAME_BYTES = 32,
    SHORT_BYTES = 5,
};

/* The verbs, in the order of legal lists. */
enum {
    VERB_PICK = 1, /* unit = UNITS + kind */
    VERB_APPOINT,  /* unit becomes the leader */
    VERB_MOVE,     /* unit to x,y */
    VERB_ATTACK,   /* unit in direction `amount` */
    VERB_CAST,     /* unit casts `ability`; x,y or direction `amount` by its area; other = which
                      of several punches */
    VERB_COMMAND,  /* unit uses the leader ability */
    VERB_END,      /* unit ends its turn */
    VERBS
};

/* The options of a match, in their order. */
enum { OPTION_DEALT, OPTIONS };

/* Numbers of phases, types, areas, what abilities do, grounds, reasons and figures. */
enum { PHASE_PICK, PHASE_APPOINT, PHASE_PLAY, PHASE_OVER, PHASES };
enum { TYPE_HERO, TYPE_VILLAIN, TYPE_ANTIHERO, TYPES };
enum { AREA_SELF, AREA_TEAM, AREA_SURROUND, AREA_DIRECTIONAL, AREA_SINGLE, AREAS };
enum { ABILITY_EFFECT_DAMAGE, ABILITY_EFFECT_HEAL, ABILITY_EFFECT_EFFECT, DEEDS };
enum { GROUND_FLOOR, GROUND_COVER, GROUNDS };
enum { REASON_DEFEATED = MASH_REASON_GAME, REASON_ROUNDS, REASONS };
enum {
    FIGURE_DAMAGE, /* [9.4] */
    FIGURE_HEALING,
    FIGURE_KNOCK_OUTS,
    FIGURE_STEPS,
    FIGURE_CASTS,
    FIGURE_TURNS,
    FIGURES
};

/* The effects of section 7. */
enum {
    EFFECT_DISARM,
    EFFECT_DODGE,
    EFFECT_EMBRACE,
    EFFECT_POWER_UP,
    EFFECT_ROOT,
    EFFECT_SHIELD,
    EFFECT_SHOCK,
    EFFECT_SILENCE,
    EFFECT_SPEED_UP,
    EFFECT_STUN,
    EFFECTS
};
#define MARK(effect) (1u << (effect))
#define BUFFS                                                                                      \
    (MARK(EFFECT_DODGE) | MARK(EFFECT_EMBRACE) | MARK(EFFECT_POWER_UP) | MARK(EFFECT_SHIELD) |     \
     MARK(EFFECT_SPEED_UP)) /* [2.4] */

/* The numbers of abilities in the interface: the attack, leader abilities by type, the punch, then
 * three for each kind. */
enum { ABILITY_ATTACK, ABILITY_LEADER, ABILITY_PUNCH = ABILITY_LEADER + TYPES, ABILITY_KINDS };
static_assert(ABILITY_KINDS + KINDS_MAX * SLOTS <= 256, "abilities are numbered by a byte");

/* The conditions of a champion [7.15]. */
enum { CONDITION_ACTIVE, CONDITION_ROOTED, CONDITION_INACTIVE, CONDITION_OUT, CONDITIONS };

/* Values that are shown as words, as MASH_NAME_TRAIT numbers them: the types, then the
 * conditions. */
enum { TRAIT_TYPE, TRAIT_CONDITION = TRAIT_TYPE + TYPES, TRAITS = TRAIT_CONDITION + CONDITIONS };

/* What meters show. Cooldowns and amounts have the number of the ability as index, effects that of
 * the effect. */
enum {
    METER_HEALTH,
    METER_MANA,
    METER_POINTS,
    METER_SPEED,
    METER_DAMAGE,
    METER_RANGE,
    METER_LEADER,
    METER_COOLDOWN,
    METER_AMOUNT,
    METER_COMMAND,
    METER_ROUND,
    METER_EFFECT,
    METER_TYPE,
    METER_CONDITION,
    METERS
};

/* An ability [2.2]. */
typedef struct Ability {
    char id[ID_BYTES];
    char name[NAME_BYTES];
    int32_t amount; /* 0 = gives an effect */
    int32_t mana;
    uint8_t area, range, points, cooldown;
    uint8_t effect_kind, effect, turns;
    uint8_t zero;
} Ability;
static_assert(sizeof(Ability) == 80, "no padding in what is hashed");

/* A champion of the roster [2.1]. */
typedef struct WarKind {
    char id[ID_BYTES];
    char name[NAME_BYTES];
    char brief[SHORT_BYTES + 3];
    int32_t health, mana, speed, damage;
    uint8_t type, points, range;
    uint8_t rank; /* place of its name among all names: breaks ties of speed [4.1] */
    Ability abilities[SLOTS];
} WarKind;
static_assert(sizeof(WarKind) == 92 + SLOTS * sizeof(Ability), "no padding in what is hashed");

/* Sets of cells for each cell, precomputed. */
typedef struct Lines {
    uint32_t steps[CELLS];             /* one step away */
    uint32_t around[CELLS];            /* the up to eight neighbours */
    uint32_t within[CELLS][DISTANCES]; /* at most so many steps away, itself included */
    uint32_t rays[CELLS][DIRECTIONS];  /* from its neighbour to the edge */
} Lines;

/* The loaded content. Everything before `lines` affects the rules and is hashed. */
typedef struct WarContent {
    WarKind kinds[KINDS_MAX];
    Ability punch;
    uint32_t kinds_count;
    Lines lines;
    MashTexts texts;
} WarContent;

/* A champion in a match. Before he is picked and when he is knocked out, all but kind and cell is
 * zero. */
typedef struct Champion {
    int32_t health, mana, speed, damage;
    int32_t amounts[SLOTS];     /* current ones of his abilities; 0 = gives an effect */
    uint16_t marks;             /* which effects are in the list: MARK() */
    int8_t points, points_turn; /* action points now and per turn [7.14] */
    uint8_t kind;               /* KIND_NONE = not picked yet */
    uint8_t cell;               /* CELL_NONE = not on the board */
    uint8_t effects_count, punches_count;
    uint8_t cooldowns[SLOTS];
    uint8_t zero;
    uint8_t effects[EFFECTS_MAX]; /* effect << 4 | turns left, in the order of coming [7.1] */
    uint16_t punch_amounts[PUNCHES_MAX];
    uint8_t punch_cooldowns[PUNCHES_MAX];
} Champion;
static_assert(sizeof(Champion) == 40 + 4 * EFFECTS_MAX, "no padding in a state");

/* What is counted for the end screen [9.4]. */
typedef struct WarFigures {
    uint32_t damage, healing;
    uint16_t knock_outs, steps, casts, turns;
} WarFigures;

/* The state. The fields after `champions` do not affect the rules. */
typedef struct WarState {
    CommonState common;
    uint8_t phase, round;
    uint8_t picks;               /* how many have been made */
    uint8_t commands;            /* leader abilities used: a bit for each seat [8.1] */
    uint8_t leaders[MASH_SEATS]; /* MASH_UNIT_NONE = not chosen yet */
    uint8_t queue_count, zero;
    uint8_t queue[UNITS + 2];   /* the head acts [4.2]; unused places are zero */
    uint32_t sides[MASH_SEATS]; /* cells with champions of a seat */
    uint32_t covers;            /* cells with covers */
    uint16_t cover_health[CELLS + 1];
    uint8_t units[CELLS + 3]; /* the unit on a cell, MASH_UNIT_NONE = nobody */
    Champion champions[UNITS];
    WarFigures figures[UNITS];
} WarState;
static_assert(offsetof(WarState, sides) == 20 && offsetof(WarState, champions) == 112 &&
                  sizeof(WarState) == 112 + UNITS * (sizeof(Champion) + sizeof(WarFigures)),
              "no padding in a state");

/* The game's part of the loaded content. */
static inline const WarContent *war_content(const MashContent *loaded) {
    return (const void *)loaded->body;
}

/* The kind of a unit that was picked. */
static inline const WarKind *kind_of(const WarContent *content, const Champion *champion) {
    return &content->kinds[champion->kind];
}

/* The owner of a unit, and the other seat. */
static inline uint8_t seat_of(uint8_t unit) { return unit / TEAM; }
static inline uint8_t opponent(uint8_t seat) { return (uint8_t)(1 - seat); }

/* Cells and their coordinates. */
static inline uint8_t cell_at(int x, int y) { return (uint8_t)(x * SIDE + y); }
static inline int8_t column_of(uint8_t cell) { return (int8_t)(cell / SIDE); }
static inline int8_t row_of(uint8_t cell) { return (int8_t)(cell % SIDE); }

/* Takes the lowest cell out of a set that is not empty. */
static inline uint8_t cell_take(uint32_t *cells) {
    uint8_t cell = (uint8_t)__builtin_ctz(*cells);
    *cells &= *cells - 1;
    return cell;
}

/* Is the champion under this effect? */
static inline bool has_effect(const Champion *champion, uint8_t effect) {
    return (champion->marks & MARK(effect)) != 0;
}

/* One of a champion's abilities as it is now. `ability` NULL = he does not have it. */
typedef struct AbilityNow {
    const Ability *ability;
    int32_t amount;
    uint8_t cooldown;
} AbilityNow;

/* net_weights.c: what search evaluates positions by. */
extern const TableNet ultimate_war_net;

/* The game. */
extern const MashGame ultimate_war_game;
GAME_DECLARE(ultimate_war);

/* draft.c: picks, leaders and the start. `list` writes everything the seat may choose; `check`
 * checks the fields of a choice; `apply` applies it. */
uint32_t ultimate_war_draft_list(const WarContent *content, const WarState *state, uint8_t seat,
                                 MashAction *out);
MashStatus ultimate_war_draft_check(const WarContent *content, const WarState *state,
                                    MashAction action);
void ultimate_war_draft_apply(const WarContent *content, WarState *state, MashAction action,
                              MashChance *chance, MashEvents *events);
/* An empty state before the first pick. */
void ultimate_war_empty(WarState *state);
/* Both seats get three random champions; choosing leaders is next [3.7]. */
void ultimate_war_deal(const WarContent *content, WarState *state, MashChance *chance);
/* A champion of this kind as he is at the start, off the board [3.5]. */
Champion ultimate_war_recruit(const WarContent *content, uint8_t kind);
/* Puts a champion or a cover on an empty cell. */
void ultimate_war_place(WarState *state, uint8_t unit, uint8_t cell);
void ultimate_war_place_cover(WarState *state, uint8_t cell, uint16_t health);
/* Is this kind picked already? */
bool ultimate_war_picked(const WarState *state, uint8_t kind);

/* turns.c: rounds and turns (section 4). The first round begins; the head ends his turn. */
void ultimate_war_begin(const WarContent *content, WarState *state, MashEvents *events);
void ultimate_war_end_turn(const WarContent *content, WarState *state, MashEvents *events);
/* The unit is knocked out by `by` (9.1); his side may be left without champions. */
void ultimate_war_knock_out(WarState *state, uint8_t unit, uint8_t by, MashEvents *events);

/* effects.c: section 7. The unit comes under an effect that `by` gives it, or loses that at a place
 * of its list; the first Shield of one who has Shield ends. */
void ultimate_war_effect_begin(const WarContent *content, WarState *state, uint8_t unit,
                               uint8_t effect, uint8_t turns, uint8_t by, MashEvents *events);
void ultimate_war_effect_end(WarState *state, uint8_t unit, uint8_t place, MashEvents *events);
void ultimate_war_shield_end(WarState *state, uint8_t unit, MashEvents *events);
/* value * percent / 100 and value * 100 / percent as truncated double arithmetic computes them;
 * percents are those of section 7 and 150; values from 0 to VALUE_MOST, which no result passes
 * [7.3]. */
int32_t ultimate_war_raised(int32_t value, int percent);
int32_t ultimate_war_lowered(int32_t value, int percent);
uint8_t ultimate_war_condition(const Champion *champion);
/* Gives health up to the full [6.10]. */
void ultimate_war_heal(const WarContent *content, WarState *state, uint8_t unit, int32_t amount,
                       uint8_t by, MashEvents *events);

/* What an effect changes while it lasts: percents of speed, attack damage and amounts of abilities,
 * and extra action points per turn. */
typedef struct EffectChange {
    uint8_t speed, damage, amounts;
    int8_t points;
} EffectChange;
EffectChange ultimate_war_effect_change(uint8_t effect);

/* combat.c: sections 5, 6 and 8. Each applies what check() has allowed. */
void ultimate_war_move(WarState *state, uint8_t unit, uint8_t cell, MashEvents *events);
void ultimate_war_attack(const WarContent *content, WarState *state, uint8_t unit,
                         uint8_t direction, MashChance *chance, MashEvents *events);
void ultimate_war_cast(const WarContent *content, WarState *state, MashAction action,
                       MashEvents *events);
void ultimate_war_command(const WarContent *content, WarState *state, uint8_t unit,
                          MashEvents *events);
/* The ability with this number (`which`: of several punches) of a champion. */
AbilityNow ultimate_war_ability_now(const WarContent *content, const Champion *champion,
                                    uint8_t number, uint8_t which);
/* The cells that a cast from this cell affects; for a single target: those that may be aimed at. */
uint32_t ultimate_war_targets(const WarContent *content, const WarState *state, uint8_t unit,
                              const Ability *ability, uint8_t direction);

/* net_input.c: see MashEvaluator. */
bool ultimate_war_net_input(const MashContent *loaded, const void *raw_state, TableNetInput *out);

/* words.c: see MashGame.notation. */
void ultimate_war_word(const MashContent *loaded, const void *raw_state, MashAction action,
                       MashText *text);

/* traces.c: recorded matches (section 10). */
extern const MashFormat ultimate_war_traces;

#endif
