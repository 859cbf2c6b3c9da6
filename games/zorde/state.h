/* state.h -- what the files of this game share: kinds and armies (content), the match (state), the
 * one step.
 *
 * A ZordeSetup is all that a step needs besides the state; interactive play keeps it in the
 * content, the file mode builds its own from initials. In both, units are numbered in the order of
 * their IDs. A state has no map of the board: a scan of at most sixty units is as fast, and a match
 * on 100 by 100 cells is as small to copy as one on 6 by 6. */
#ifndef GAMES_ZORDE_STATE_H
#define GAMES_ZORDE_STATE_H
#include "engine/game.h"

/* Limits of content, and the two sides as seats. */
enum {
    ZORDE_CALLIANCE = 0,
    ZORDE_ZORDE = 1,
    ZORDE_KINDS_MAX = 12,
    ZORDE_UNITS_MAX = 60,    /* six kinds of ten; a unit is one bit of 64 */
    ZORDE_POINTS_MAX = 9999, /* health, attack, healing */
    ZORDE_STEPS_MAX = 20,
    ZORDE_RANGE_MAX = 10,
    ZORDE_ORDERS_MAX = 400, /* [6.3] */
    ZORDE_KIND_BYTES = 20,
    ZORDE_VERB_STEP = 1,
    ZORDE_VERBS,
};

/* Numbers of names: index into the lists of ids in load.c. */
enum {
    ZORDE_METER_HEALTH,
    ZORDE_METER_ATTACK,
    ZORDE_METER_RANGED,
    ZORDE_METER_HEALING,
    ZORDE_METER_STEPS,
    ZORDE_METER_UNITS,
    ZORDE_METER_ORDERS,
    ZORDE_METERS
};
enum { ZORDE_PHASE_CHOOSE, ZORDE_PHASE_FINISH, ZORDE_PHASE_OVER, ZORDE_PHASES };
enum { ZORDE_ATTACK, ZORDE_RANGED_ATTACK, ZORDE_FIRST_STRIKE, ZORDE_ABILITIES };
enum { ZORDE_ATTACKER_WON, ZORDE_DEFENDER_WON, ZORDE_BOTH_FELL, ZORDE_OUTCOMES };
enum { ZORDE_REASON_BEATEN = MASH_REASON_GAME, ZORDE_REASON_BOTH_FELL, ZORDE_REASON_ORDERS };
enum {
    ZORDE_FIGURE_DAMAGE,
    ZORDE_FIGURE_KILLS,
    ZORDE_FIGURE_STEPS,
    ZORDE_FIGURE_HEALING,
    ZORDE_FIGURES
};

/* A kind of unit [1.3]. Zero healing or range: it does not have that ability. */
typedef struct ZordeKind {
    char id[ZORDE_KIND_BYTES]; /* "ork" */
    char letter;               /* 'O' */
    uint8_t seat, steps, each_step;
    uint16_t health, attack, healing, ranged_attack;
    uint8_t range, zero[3];
} ZordeKind;
static_assert(sizeof(ZordeKind) == 36, "no padding in what is hashed");

/* A unit of the armies as the match begins: letter and digit are its ID [1.4]. */
typedef struct ZordeStartUnit {
    char letter, digit;
    uint8_t kind, seat;
    int8_t x, y;
} ZordeStartUnit;
static_assert(sizeof(ZordeStartUnit) == 6, "no padding in what is hashed");

/* Board, kinds and armies; the units in ascending order of their IDs. */
typedef struct ZordeSetup {
    uint8_t width, height, kinds_count, units_count;
    ZordeKind kinds[ZORDE_KINDS_MAX];
    ZordeStartUnit units[ZORDE_UNITS_MAX];
} ZordeSetup;
static_assert(sizeof(ZordeSetup) == 4 + 36 * ZORDE_KINDS_MAX + 6 * ZORDE_UNITS_MAX, "no padding");

/* The game's part of the loaded content. */
typedef struct ZordeContent {
    ZordeSetup field;
    MashTexts texts;
} ZordeContent;

/* A unit of the match; a defeated one is all zero. */
typedef struct ZordeUnit {
    int8_t x, y;
    uint16_t health;
} ZordeUnit;

/* What a unit has done, for the end screen. */
typedef struct ZordeFigures {
    uint32_t figures[ZORDE_FIGURES];
} ZordeFigures;

/* The state. It is followed by field->units_count ZordeUnits, then as many ZordeFigures, then zeros
 * up to 16 bytes. */
typedef struct ZordeState {
    CommonState common;
    uint8_t turn;  /* the seat that gives the next step */
    uint8_t mover; /* the unit whose order is in progress, or MASH_UNIT_NONE */
    uint8_t steps; /* steps it has made */
    uint8_t zero;
    uint16_t orders; /* complete ones */
    uint16_t zeros[3];
    uint64_t living[MASH_SEATS]; /* a bit for each unit of the side that is in the match */
    ZordeUnit units[];
} ZordeState;
static_assert(sizeof(ZordeState) == 32 && sizeof(ZordeUnit) == 4, "no padding in a state");

/* Size in bytes of the part of a state that affects play, and of the whole. */
static inline uint32_t zorde_core_bytes(uint32_t units) {
    return (uint32_t)(sizeof(ZordeState) + units * sizeof(ZordeUnit));
}
static inline uint32_t zorde_state_bytes(uint32_t units) {
    return (zorde_core_bytes(units) + (uint32_t)(units * sizeof(ZordeFigures)) + 15) / 16 * 16;
}

/* The parts of content and state. */
static inline const ZordeContent *zorde_body(const MashContent *content) {
    return (const void *)content->body;
}
static inline const ZordeSetup *zorde_setup(const MashContent *content) {
    return &zorde_body(content)->field;
}
static inline ZordeFigures *zorde_figures(const ZordeSetup *field, ZordeState *state) {
    return (ZordeFigures *)(void *)(state->units + field->units_count);
}
static inline bool zorde_lives(const ZordeSetup *field, const ZordeState *state, uint8_t unit) {
    return state->living[field->units[unit].seat] >> unit & 1;
}
static inline const ZordeKind *zorde_kind_of(const ZordeSetup *field, uint8_t unit) {
    return &field->kinds[field->units[unit].kind];
}

/* step.c: a state with all units at the start [1.5]; `state` has zorde_state_bytes(). */
void zorde_begin(const ZordeSetup *field, ZordeState *state);
/* step.c: one step of a living unit by dx, dy (each -1, 0, 1), with all that follows from it;
 * begins the unit's order if none is in progress. state->mover is MASH_UNIT_NONE afterwards if the
 * order is complete. False: the step leaves the board, the order is over and nothing else has
 * happened. Neither turns nor the end of the match are checked. */
bool zorde_step(const ZordeSetup *field, ZordeState *state, uint8_t unit, int dx, int dy,
                MashEvents *events);

/* load.c: a unit by its ID; MASH_UNIT_NONE = none. */
uint8_t zorde_unit_find(const ZordeSetup *field, char letter, char digit);
/* load.c: why this unit cannot be added to the armies (NULL: it can), and adding it in the order of
 * IDs. */
const char *zorde_unit_problem(const ZordeSetup *field, ZordeStartUnit unit);
void zorde_unit_add(ZordeSetup *field, ZordeStartUnit unit);

/* net_weights.c: what evaluates positions for players that search; see net_input.h. */
extern const TableNet zorde_net;

/* file_mode.c: initials and commands as files. */
extern const MashFormat zorde_orders;
/* The game. */
extern const MashGame zorde_game;
GAME_DECLARE(zorde);

#endif
