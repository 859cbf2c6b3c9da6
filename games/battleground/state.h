/* state.h -- what the files of Battleground share: the loaded content and the state.
 *
 * Units are numbered 5 seat + slot, slot being the place in the order of choosing [2.1]. A state
 * has no map: the ten warriors have their cells, and the walls are content. */
#ifndef BATTLEGROUND_STATE_H
#define BATTLEGROUND_STATE_H
#include "engine/game.h"
#include "engine/reach.h"

/* Limits of content. */
enum {
    SLOTS = 5, /* warriors of a side, at most */
    UNITS = MASH_SEATS * SLOTS,
    ITEMS = 5, /* potions of a side, at most */
    EFFECTS = MASH_SEATS * ITEMS,
    KINDS_MAX = 16,
    POTIONS_MAX = 8,
    NUMBER_MOST = 99, /* of health, attack, walk, heal */
    CHANGE_MOST = 9,  /* of attack or walk by one potion: ten of them fit a byte */
    ID_BYTES = 20,
    SHORT_BYTES = 4,
};

/* The verbs, in the order of legal lists. */
enum {
    VERB_CHOOSE = 1, /* ability = kind of warrior */
    VERB_PACK,       /* ability = kind of potion */
    VERB_USUAL,      /* the whole default team */
    VERB_MOVE,       /* unit to x,y */
    VERB_ATTACK,     /* unit attacks other */
    VERB_USE,        /* potion `ability` on other */
    VERB_SUMMON,     /* unit to x,y */
    VERB_END,        /* ends the phase */
    VERBS
};

/* The phases; those from PHASE_MOVE_1 on are a normal turn, in this order [3.2]. */
enum { PHASE_CHOOSE, PHASE_FIRST, PHASE_MOVE_1, PHASE_ATTACK, PHASE_MOVE_2, PHASE_SUMMON, PHASES };

/* What a potion changes. */
enum { STAT_HEALTH, STAT_ATTACK, STAT_WALK, STATS };

/* The options, as bits of State.options in the order of the game's list. */
enum {
    OPTION_DINO = 1 << 0,
    OPTION_FRIENDLY_FIRE = 1 << 1,
    OPTION_BLIND = 1 << 2,
    OPTION_SECOND_TWO = 1 << 3,
    OPTION_MUST_SUMMON = 1 << 4,
    OPTION_TWO_OF_A_KIND = 1 << 5,
    OPTIONS = 6
};

/* The value of the option must-summon that leaves it to the field's file [9.6]. */
enum { MUST_SUMMON_PLACE = 4, MUST_SUMMON_BY_FIELD = 2 };

/* Why a match of this game ends. */
enum { REASON_DEFEATED = MASH_REASON_GAME, REASON_QUIET };

/* A kind of warrior [1.1]. */
typedef struct BattlegroundKind {
    char id[ID_BYTES];
    char called[SHORT_BYTES]; /* the beginning of its warriors' names: nin2 */
    uint8_t health, walk, attack;
    uint8_t optional; /* only with the option dino [9.1] */
} BattlegroundKind;

/* A kind of potion [1.2]. */
typedef struct Potion {
    char id[ID_BYTES];
    uint8_t stat;
    int8_t amount;
    uint8_t turns; /* 0 = immediate */
    uint8_t zero;
} Potion;

/* The loaded content. Kinds are numbered from 1 (0 = unknown), potions from 0. Everything before
 * `texts` affects the rules and is hashed; `summon` follows from `open`. */
typedef struct BattlegroundContent {
    ReachColumn open[MASH_SIDE_MAX]; /* the cells that are not walls [1.3] */
    BattlegroundKind kinds[KINDS_MAX + 1];
    Potion potions[POTIONS_MAX];
    uint16_t cells; /* open ones */
    uint8_t width, height;
    uint8_t kinds_count, potions_count;
    uint8_t team_warriors, team_potions;
    uint8_t quiet_turns;
    uint8_t usual_warriors[SLOTS];
    uint8_t usual_potions[ITEMS];
    uint8_t summon_freely; /* on this field players may choose not to summon [9.6] */
    uint8_t zero[4];
    MashTexts texts;
    ReachColumn summon[MASH_SIDE_MAX]; /* where one may be summoned with must-summon [9.7] */
} BattlegroundContent;
static_assert(offsetof(BattlegroundContent, texts) ==
                  16 * MASH_SIDE_MAX + 28 * (KINDS_MAX + 1) + 24 * POTIONS_MAX + 24,
              "no padding in what is hashed");

/* Where a warrior is. */
enum { PLACE_NONE, PLACE_BENCH, PLACE_FIELD, PLACE_GONE };

/* What a warrior has done in this turn. */
enum { DONE_MOVED = 1, DONE_ATTACKED = 2 };

/* A warrior. All but kind and place are zero unless it is on the field. */
typedef struct Warrior {
    uint8_t kind; /* 0 = not chosen, or hidden from this view */
    uint8_t place;
    int8_t x, y;
    uint8_t health, done;
    int8_t more_attack, more_walk; /* sums of the effects on it */
} Warrior;

/* An active effect of a potion. */
typedef struct Effect {
    uint8_t unit, potion, turns;
} Effect;

/* For the end screen. */
typedef struct BattlegroundFigures {
    uint16_t dealt, taken, steps, healed;
    uint8_t knock_outs, received;
} BattlegroundFigures;

/* The state. The fields after `effects` do not affect the rules. */
typedef struct BattlegroundState {
    CommonState common;
    uint8_t phase, seat;   /* seat: whose turn; 0 while teams are chosen */
    uint8_t quiet, damage; /* turns without damage; has this turn done some? [8.2] */
    uint8_t options;
    uint8_t effects_count;
    uint8_t potions[MASH_SEATS];            /* in hand, how many: known to all */
    uint8_t stock[MASH_SEATS][POTIONS_MAX]; /* the same, by kind: hidden when blind [9.3] */
    Warrior warriors[UNITS];
    uint8_t zero[2];
    Effect effects[EFFECTS]; /* ascending by unit, potion, turns; unused ones are zero */
    BattlegroundFigures figures[UNITS];
    uint8_t used[MASH_SEATS]; /* potions */
} BattlegroundState;
static_assert(offsetof(BattlegroundState, effects) == 110 &&
                  offsetof(BattlegroundState, figures) == 140 && sizeof(BattlegroundState) == 242,
              "no padding in a state");

/* The game's part of the loaded content; the owner of a unit; a number, or 0 if it is negative. */
static inline const BattlegroundContent *battleground_content(const MashContent *loaded) {
    return (const void *)loaded->body;
}
static inline uint8_t seat_of(uint8_t unit) { return unit / SLOTS; }
static inline int at_least_zero(int number) { return number < 0 ? 0 : number; }

/* The attack of a warrior with what potions do to it; never below 0 [7.4]. */
static inline int attack_of(const BattlegroundContent *content, const Warrior *warrior) {
    return at_least_zero(content->kinds[warrior->kind].attack + warrior->more_attack);
}

/* The walking distance likewise. */
static inline int walk_of(const BattlegroundContent *content, const Warrior *warrior) {
    return at_least_zero(content->kinds[warrior->kind].walk + warrior->more_walk);
}

/* net_weights.c: what search evaluates positions by. */
extern const TableNet battleground_net;

/* The game. */
extern const MashGame battleground_game;
GAME_DECLARE(battleground);

/* net_input.c: see MashEvaluator. */
bool battleground_net_input(const MashContent *loaded, const void *raw_state, TableNetInput *out);

/* draft.c: team selection. Is this seat's team complete? */
bool battleground_draft_complete(const BattlegroundContent *content, const BattlegroundState *state,
                                 uint8_t seat);
/* Everything the seat may choose now. */
uint32_t battleground_draft_list(const BattlegroundContent *content, const BattlegroundState *state,
                                 uint8_t seat, MashAction *out);
/* Checks a choice; the seat exists and the match is not over. */
MashStatus battleground_draft_check(const BattlegroundContent *content,
                                    const BattlegroundState *state, MashAction action);
/* Applies a choice that was allowed. True: both teams are now complete and have been shown. */
bool battleground_draft_apply(const BattlegroundContent *content, BattlegroundState *state,
                              MashAction action, MashEvents *events);
/* May this kind be chosen in this match? And by this seat, with what it has already? */
bool battleground_offered(const BattlegroundContent *content, const BattlegroundState *state,
                          uint8_t kind);
bool battleground_choosable(const BattlegroundContent *content, const BattlegroundState *state,
                            uint8_t seat, uint8_t kind);
/* Gives the seat one more warrior or potion. */
void battleground_draft_add(BattlegroundState *state, uint8_t seat, uint8_t kind);
void battleground_draft_pack(BattlegroundState *state, uint8_t seat, uint8_t potion);

/* The numbers of meters, figures and grounds; load.c has their ids. */
enum {
    METER_HEALTH,
    METER_ATTACK,
    METER_WALK,
    METER_POTIONS,
    METER_WARRIORS,
    METER_QUIET,
    METER_GIVES, /* and up, by stat: what a potion on offer gives */
    METER_TURNS = METER_GIVES + STATS,
    METER_POTION, /* and up, by potion: turns left on a warrior, how many in hand of a side */
};
enum {
    FIGURE_DEALT,
    FIGURE_TAKEN,
    FIGURE_KNOCK_OUTS,
    FIGURE_STEPS,
    FIGURE_HEALED,
    FIGURE_USED,     /* of a side alone */
    FIGURE_RECEIVED, /* by a warrior, from either side */
    FIGURES
};
enum { GROUND_FLOOR, GROUND_WALL, GROUNDS };

#endif
