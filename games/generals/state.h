/* state.h -- what the files of Generals share: the content, the state, and small accessors.
 *
 * Everything public (cells, numbers, which piece defeated which, which stepped, webs, shown ranks,
 * the repetition key) is stored openly in the state. The only secrets are the ranks of pieces that
 * are not shown and, during placement, a side's cells and readiness. What a seat can conclude about
 * an enemy is not stored: it follows from public facts and the ranks in its view. */
#ifndef GENERALS_STATE_H
#define GENERALS_STATE_H
#include <string.h>

#include "engine/game.h"

/* The printed game is the largest one; content may be smaller. */
enum {
    WIDTH_MAX = 9,
    HEIGHT_MAX = 8,
    CELLS_MAX = WIDTH_MAX * HEIGHT_MAX,
    SIDE_MAX = 21, /* pieces of one army */
    UNITS_MAX = 2 * SIDE_MAX,
    KINDS_MAX = 15,  /* kinds of one army; in a state they count from 1, 0 = not known */
    QUIET_MAX = 100, /* greatest limit of turns without a defeat */
    WEB_TURNS_MAX = 3,
    ID_BYTES = 24,
    CELL_GONE = 255, /* the cell of a defeated piece */
};

/* The game's own verbs. Fields beside verb and seat: place x, y, amount = kind as in name();
 * move unit, x, y; strike unit; web unit, other; stay unit; the others none. */
enum {
    VERB_PLACE = 1,
    VERB_LAYOUT,
    VERB_RANDOM,
    VERB_READY,
    VERB_MOVE,
    VERB_STRIKE,
    VERB_WEB,
    VERB_STAY,
    VERB_END
};

/* Classes of piece: what they do in a battle. */
enum { CLASS_UNKNOWN, CLASS_RANKED, CLASS_INFILTRATOR, CLASS_AGENT, CLASS_NEXUS };

/* Abilities; numbers of name(MASH_NAME_ABILITY). */
enum { ABILITY_NONE, ABILITY_SECOND_STEP, ABILITY_SNAP, ABILITY_STRIKE, ABILITY_WEB };

/* Phases; numbers of name(MASH_NAME_PHASE). */
enum { PHASE_PLACEMENT, PHASE_TURN, PHASE_SECOND_STEP, PHASE_OVER };

/* Outcomes of a battle for one piece; in `fought`, for the attacker. */
enum { OUTCOME_LOST, OUTCOME_WON, OUTCOME_TIED, OUTCOMES };

/* Why a match ended, beside the reasons of every game. */
enum { REASON_NEXUS = MASH_REASON_GAME, REASON_STUCK, REASON_QUIET, REASON_REPEATED };

/* Variants of the snap: option `thanos`. */
enum { SNAP_ALL, SNAP_ENEMIES, SNAP_HALF };

/* The only effect. */
enum { EFFECT_WEB };

/* One kind of piece. Kind 0 of an army is "not known": it steps, and has no ability. */
typedef struct GeneralsKind {
    uint8_t class, power, count, ability;
    char id[ID_BYTES];
} GeneralsKind;

/* One army. Kind sets are bits: bit k is kind k. */
typedef struct GeneralsArmy {
    GeneralsKind kinds[KINDS_MAX + 1];
    uint8_t layout[CELLS_MAX];              /* of the zone's cells in order: kind, 0 = empty */
    uint8_t kinds_count, kind_first;        /* kinds, and the number of kind 1 in name() */
    uint8_t pieces, first;                  /* pieces, and the first unit */
    uint8_t zone_first, zone_cells;         /* the zone is a run of cells */
    uint8_t far_row, nexus;                 /* the other's edge; the kind that is the Nexus */
    uint16_t all;                           /* set of all kinds */
    uint16_t with[ABILITY_WEB + 1];         /* sets of kinds with an ability */
    uint16_t fits[OUTCOMES][KINDS_MAX + 1]; /* kinds with this outcome against the enemy's kind */
    char id[ID_BYTES];
} GeneralsArmy;

/* Neighbours of a cell. `steps`: a step away in ascending order of actions (left, up, down, right);
 * at the edge of the board the cell itself, onto which a piece there cannot step. */
typedef struct GeneralsAround {
    uint8_t steps[4];
    uint8_t all; /* how many of the eight cells around there are */
    uint8_t cells[8];
} GeneralsAround;

/* What an army's pieces are worth to the evaluation, and what battles bring: evaluate.c. */
typedef struct GeneralsWorths {
    int16_t values[KINDS_MAX + 1]; /* of its kinds */
    uint8_t roles[KINDS_MAX + 1];  /* learned.h */
    /* Of an own kind (row) that fights an enemy's: what the enemy loses minus what it loses. */
    int16_t battles[KINDS_MAX + 1][KINDS_MAX + 1];
} GeneralsWorths;

/* The content. Everything before `texts` affects the rules and is hashed. */
typedef struct GeneralsContent {
    uint8_t width, height, cells, zone_rows;
    uint8_t quiet_turns, repetitions, web_turns, zero;
    uint32_t silence_ms;
    uint8_t x[CELLS_MAX], y[CELLS_MAX];
    uint64_t step[CELLS_MAX]; /* action_word() of x and y of the cell */
    GeneralsAround around[CELLS_MAX];
    GeneralsArmy army[MASH_SEATS];
    MashTexts texts;
    GeneralsWorths worths[MASH_SEATS];
    uint64_t within[1 << HEIGHT_MAX]; /* steps to a set of rows, a byte for each row: policy.c */
    const struct GeneralsLearned *learned;
} GeneralsContent;

/* How a piece was defeated: the cause in the high bits, 1 + the unit that defeated it in the low
 * ones. */
enum { FELL_BATTLE = 0, FELL_STRIKE = 64, FELL_SNAP = 128, FELL_CAUSES = 192 };

/* Public marks of a piece; the bits above them hold the turns of a web. */
enum {
    MARK_MOVED = 1,      /* has stepped: no Nexus */
    MARK_SHOWN = 2,      /* its rank is known to all; one with an ability has used it */
    MARK_NOT_SECOND = 4, /* came to its far row unshown: not of a kind with a second step */
    MARK_NOT_SNAP = 8,   /* came there in an odd round unshown: not of a kind that snaps */
    MARK_WEB_SHIFT = 6,
    MARKS = (1 << MARK_WEB_SHIFT) - 1,
};

/* One piece. */
typedef struct GeneralsPiece {
    uint8_t cell; /* CELL_GONE: defeated */
    uint8_t kind; /* from 1; 0: not known in this view */
    uint8_t fell; /* 0: not defeated; otherwise FELL_... | 1 + unit */
    uint8_t mark; /* MARK_... and the web's turns */
} GeneralsPiece;

/* The state. During placement `cells` holds kinds and there are no pieces; afterwards 1 + unit. */
typedef struct GeneralsState {
    CommonState common;
    uint16_t round; /* 0: placement */
    uint8_t mover;
    uint8_t webs;                   /* pieces on the board that are under a web */
    uint8_t quiet;                  /* turns since the last defeat */
    uint8_t fallen;                 /* a piece was defeated in this turn */
    uint8_t second;                 /* 1 + the unit that may step again; 0: none */
    uint8_t blind;                  /* bit per side: its secrets are blanked, this is a view */
    uint8_t open, thanos, watchers; /* the options */
    uint8_t ready;                  /* bit per side: its placement is finished */
    uint64_t key;                   /* of the position, by public facts */
    uint8_t cells[CELLS_MAX];
    GeneralsPiece pieces[UNITS_MAX];
    uint64_t history[QUIET_MAX]; /* keys after the last defeat and each quiet turn since */
    /* After the core: statistics. */
    uint16_t steps[UNITS_MAX];
    uint8_t zero[4];
} GeneralsState;
enum { CORE_BYTES = offsetof(GeneralsState, steps) };
static_assert(CORE_BYTES == 1064, "no padding in a state");
static_assert(sizeof(GeneralsState) == 1152, "no padding in a state");

/* An action as one number and back: the fastest way to write lists. Fields that are zero in all but
 * one of several actions may be joined by "or". */
static inline uint64_t action_word(MashAction action) {
    uint64_t word;
    memcpy(&word, &action, sizeof word);
    return word;
}
static inline MashAction action_of(uint64_t word) {
    MashAction action;
    memcpy(&action, &word, sizeof action);
    return action;
}

/* The game's part of the loaded content. */
static inline const GeneralsContent *generals_content(const MashContent *content) {
    return (const void *)content->body;
}

/* The side of a unit. */
static inline uint8_t side_of(const GeneralsContent *body, uint8_t unit) {
    return unit >= body->army[1].first;
}

/* The kind of a unit; one without ability or class if this view does not know it. */
static inline const GeneralsKind *kind_of(const GeneralsContent *body, const GeneralsState *state,
                                          uint8_t unit) {
    return &body->army[side_of(body, unit)].kinds[state->pieces[unit].kind];
}

/* Are the armies still being placed? */
static inline bool placing(const GeneralsState *state) { return state->round == 0; }

/* How many units there are. */
static inline uint8_t units_of(const GeneralsContent *body) {
    return (uint8_t)(body->army[0].pieces + body->army[1].pieces);
}

/* Is the rank of this piece public? */
static inline bool piece_shown(const GeneralsPiece *piece) {
    return (piece->mark & MARK_SHOWN) != 0;
}

/* Turns of its owner that a piece's web still lasts. */
static inline uint8_t piece_web(const GeneralsPiece *piece) {
    return piece->mark >> MARK_WEB_SHIFT;
}

/* Does 1 + unit, as in `cells`, belong to the army? An empty cell belongs to none. */
static inline bool cell_held_by(const GeneralsArmy *army, uint8_t held) {
    return (uint8_t)(held - 1 - army->first) < army->pieces;
}

/* The game. */
extern const MashGame generals_game;
GAME_DECLARE(generals);

/* placement.c: the verbs place, layout, random, ready. */
uint32_t generals_placement_actions(const GeneralsContent *body, const GeneralsState *state,
                                    uint8_t seat, MashAction *out);
MashStatus generals_placement_check(const GeneralsContent *body, const GeneralsState *state,
                                    MashAction action);
/* Applies an action that the check allowed; true when both are ready and pieces have their
 * numbers. */
bool generals_placement_apply(const GeneralsContent *body, GeneralsState *state, MashAction action,
                              MashChance *chance, MashEvents *events);
/* Kinds still to place, by kind; how many pieces that is. */
uint32_t generals_left(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                       uint8_t left[KINDS_MAX + 1]);
/* Places the remaining pieces of a side on random free cells of its zone. */
void generals_place_random(const GeneralsContent *body, GeneralsState *state, uint8_t seat,
                           MashChance *chance);

/* rules.c: may the side do anything now, if it is its turn and no second step is open? */
bool generals_can_act(const GeneralsContent *body, const GeneralsState *state, uint8_t seat);
/* How often the position at the start of the turn has occurred since the last defeat. */
uint32_t generals_repeated(const GeneralsState *state);

/* evaluate.c: what follows from the armies for the evaluation. */
void generals_work_out_worths(GeneralsContent *body);

/* hidden.c */
/* What every piece of a side can be by its own actions and the ranks known to this state or view:
 * fast, for search. */
void generals_could_be(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                       uint16_t masks[SIDE_MAX]);
/* The same without kinds that occur in no deal of ranks that fits all pieces of the side: for
 * display. */
void generals_known(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                    uint16_t masks[SIDE_MAX]);
/* Drops from the sets of kinds of `count` pieces those that occur in no deal of these ranks in
 * which every piece gets one of its set. False: there is no such deal, and nothing was dropped. */
bool generals_close(uint32_t count, uint16_t masks[SIDE_MAX], const uint8_t ranks[SIDE_MAX]);

/* Numbers of name(MASH_NAME_METER), name(MASH_NAME_FIGURE) and name(MASH_NAME_GROUND). */
enum {
    METER_ROUND,
    METER_QUIET,
    METER_REPEATED,
    METER_LEFT,
    METER_READY,
    METER_POWER,
    METER_ABILITY,
    METER_COULD_BE,
    METER_WEB,
    METERS
};
enum {
    FIGURE_STEPS,
    FIGURE_WON,
    FIGURE_LOST,
    FIGURE_TIED,
    FIGURE_STRUCK,
    FIGURE_SNAPPED,
    FIGURE_WEBS,
    FIGURE_OUT,
    FIGURES
};
enum { GROUND_OPEN, GROUND_ZONE_0, GROUND_ZONE_1, GROUNDS };

#endif
