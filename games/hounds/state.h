/* state.h -- what the files of Hare and Hounds share: the document (content) and the match (state).
 *
 * A cell is y * WIDTH + x. Units 0 to 2 are the hounds, unit 3 is the hare. */
#ifndef GAMES_HOUNDS_STATE_H
#define GAMES_HOUNDS_STATE_H
#include "engine/game.h"

/* The board [1.1], the units [1.4] and limits of the document. */
enum {
    HOUNDS_WIDTH = 5,
    HOUNDS_HEIGHT = 3,
    HOUNDS_CELLS = HOUNDS_WIDTH * HOUNDS_HEIGHT,
    HOUNDS_HOUNDS = 0, /* seats */
    HOUNDS_HARES = 1,
    HOUNDS_THE_HARE = 3, /* its unit number; smaller ones are hounds */
    HOUNDS_UNITS,
    HOUNDS_LIMIT_MIN = 2, /* [3.3] */
    HOUNDS_LIMIT_MAX = 20,
    HOUNDS_VERB_MOVE = 1,
    HOUNDS_VERBS,
};

/* Numbers of names: index into the lists of ids in load.c. */
enum { HOUNDS_HOUND, HOUNDS_HARE, HOUNDS_KINDS };
enum { HOUNDS_POINT, HOUNDS_WOOD, HOUNDS_GROUNDS };
enum { HOUNDS_METER_STALLED, HOUNDS_METERS };
enum { HOUNDS_PHASE_MOVE, HOUNDS_PHASE_OVER, HOUNDS_PHASES };
enum { HOUNDS_REASON_TRAPPED = MASH_REASON_GAME, HOUNDS_REASON_PAST, HOUNDS_REASON_STALLED };
enum { HOUNDS_FIGURE_MOVES, HOUNDS_FIGURES };

/* What a document says. */
typedef struct HoundsHunt {
    uint8_t limit; /* [3.3] */
    uint8_t first; /* seat [1.6] */
} HoundsHunt;

/* The game's part of the loaded content. */
typedef struct HoundsContent {
    HoundsHunt hunt;
    MashTexts texts;
} HoundsContent;

/* The match. Statistics for the end screen follow the core. */
typedef struct HoundsState {
    CommonState table;
    uint8_t turn;
    uint8_t stalled; /* moves of the hounds in a row without going to the right [3.3] */
    uint8_t zero[2];
    uint8_t cells[HOUNDS_UNITS];
    uint16_t moves[HOUNDS_UNITS];
} HoundsState;
enum { HOUNDS_CORE_BYTES = offsetof(HoundsState, moves) };
static_assert(HOUNDS_CORE_BYTES == 8 + HOUNDS_UNITS, "no padding in a state");
static_assert(sizeof(HoundsState) == HOUNDS_CORE_BYTES + 2 * HOUNDS_UNITS, "nor behind it");

/* The document of a content. */
static inline const HoundsHunt *hounds_hunt(const MashContent *content) {
    return &((const HoundsContent *)(const void *)content->body)->hunt;
}

/* Cells and their columns and rows. */
static inline uint8_t hounds_cell(int x, int y) { return (uint8_t)(y * HOUNDS_WIDTH + x); }
static inline int8_t hounds_x(uint8_t cell) { return (int8_t)(cell % HOUNDS_WIDTH); }
static inline int8_t hounds_y(uint8_t cell) { return (int8_t)(cell / HOUNDS_WIDTH); }
static inline uint8_t hounds_seat(uint8_t unit) {
    return unit == HOUNDS_THE_HARE ? HOUNDS_HARES : HOUNDS_HOUNDS;
}

/* rules.c: is this cell a point of the board [1.1]? */
bool hounds_is_point(int x, int y);
/* rules.c: may the unit move to this cell of the grid? */
bool hounds_may_move(const HoundsState *state, uint8_t unit, int x, int y);
/* rules.c: how many moves a unit has. */
int hounds_count_moves(const HoundsState *state, uint8_t unit);

/* The game. */
extern const MashGame hounds_game;
GAME_DECLARE(hounds);

#endif
