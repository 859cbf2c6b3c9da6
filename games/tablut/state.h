/* state.h -- what the files of Tablut share: the board of a document (content) and the match
 * (state).
 *
 * A cell is a number: rows of STRIDE cells with a wall around the board, so that a step in any
 * direction needs no check for the edge. The board is kept twice: `cells` has the unit on each
 * cell, `units` the cell of each unit. Muscovites have the lowest numbers, then come the Swedes,
 * and the king is the last. */
#ifndef GAMES_TABLUT_STATE_H
#define GAMES_TABLUT_STATE_H
#include "engine/game.h"

/* Limits of a board, what a cell can hold, and the two sides as seats [1.2]. */
enum {
    TABLUT_MUSCOVITES = 0,
    TABLUT_SWEDES = 1,
    TABLUT_SIDE_MIN = 5, /* [1.1] */
    TABLUT_SIDE_MAX = 11,
    TABLUT_STRIDE = TABLUT_SIDE_MAX + 2,
    TABLUT_AREA = TABLUT_STRIDE * TABLUT_STRIDE,
    TABLUT_UNITS_MAX = 48,
    TABLUT_EMPTY = 0, /* of `cells`; a unit is its number + 1 */
    TABLUT_WALL = 255,
    TABLUT_TAKEN = 0,       /* the cell of a captured piece: a corner of the wall */
    TABLUT_QUIET_MAX = 100, /* [6.1] */
    TABLUT_VERB_MOVE = 1,
    TABLUT_VERBS,
};

/* Steps to the neighbours, in the order in which a list of moves is ascending: by column, then row.
 */
enum { TABLUT_DIRECTIONS = 4 };
static const int8_t tablut_steps[TABLUT_DIRECTIONS] = {-1, -TABLUT_STRIDE, TABLUT_STRIDE, 1};

/* Numbers of names: index into the lists of ids in load.c. */
enum { TABLUT_MUSCOVITE, TABLUT_SWEDE, TABLUT_KING, TABLUT_KINDS };
enum { TABLUT_FIELD, TABLUT_KONAKIS, TABLUT_CAMP, TABLUT_CORNER, TABLUT_GROUNDS };
enum { TABLUT_METER_SOLDIERS, TABLUT_METER_QUIET, TABLUT_METERS };
enum { TABLUT_PHASE_MOVE, TABLUT_PHASE_OVER, TABLUT_PHASES };
enum {
    TABLUT_REASON_ESCAPED = MASH_REASON_GAME,
    TABLUT_REASON_KING_TAKEN,
    TABLUT_REASON_STUCK,
    TABLUT_REASON_QUIET
};
enum { TABLUT_FIGURE_MOVES, TABLUT_FIGURE_TAKEN, TABLUT_FIGURES };

/* Bits of a cell's marks. */
enum {
    TABLUT_MARK_KONAKIS = 1,
    TABLUT_MARK_ESCAPE = 2, /* the king has escaped here [5.1] [7.1] */
    TABLUT_MARK_CLOSED = 4, /* no soldier may stop here [2.3] [7.1] */
    TABLUT_MARK_CAMP = 8,   /* a Muscovite starts here; does not affect the rules */
};

/* A board document: how the match begins [1.3] and by which rules it is played [7.1] [7.2]. */
typedef struct TablutBoard {
    uint8_t side;       /* cells in a row, and rows */
    uint8_t muscovites; /* unit numbers below this are Muscovites */
    uint8_t king;       /* his unit number; units from `muscovites` to below this are Swedes */
    uint8_t konakis;    /* its cell */
    uint8_t corners;    /* [7.1] */
    uint8_t strong;     /* [7.2] */
    uint8_t cells[TABLUT_AREA];
    uint8_t units[TABLUT_UNITS_MAX];
    uint8_t marks[TABLUT_AREA];
} TablutBoard;
static_assert(sizeof(TablutBoard) == 6 + 2 * TABLUT_AREA + TABLUT_UNITS_MAX, "no padding");

/* The game's part of the loaded content. */
typedef struct TablutContent {
    TablutBoard board;
    MashTexts texts;
} TablutContent;

/* The match. Statistics for the end screen follow the core. */
typedef struct TablutState {
    CommonState common;
    uint8_t turn;
    uint8_t quiet;            /* moves since a piece was taken [6.1] */
    uint8_t left[MASH_SEATS]; /* soldiers on the board, by seat */
    uint8_t cells[TABLUT_AREA];
    uint8_t units[TABLUT_UNITS_MAX]; /* the cell of each unit, or TABLUT_TAKEN */
    uint8_t zero[3];
    uint16_t moves[TABLUT_UNITS_MAX];
    uint8_t taken[TABLUT_UNITS_MAX]; /* enemies this unit took by its moves */
} TablutState;
enum { TABLUT_CORE_BYTES = offsetof(TablutState, zero) };
static_assert(TABLUT_CORE_BYTES == 8 + TABLUT_AREA + TABLUT_UNITS_MAX, "no padding in a state");
static_assert(sizeof(TablutState) == TABLUT_CORE_BYTES + 3 + 3 * TABLUT_UNITS_MAX, "nor behind it");

/* The parts of a content. */
static inline const TablutContent *tablut_content(const MashContent *content) {
    return (const void *)content->body;
}
static inline const TablutBoard *tablut_board(const MashContent *content) {
    return &tablut_content(content)->board;
}

/* A cell by column and row, and back. */
static inline uint8_t tablut_cell(int x, int y) {
    return (uint8_t)((y + 1) * TABLUT_STRIDE + x + 1);
}
static inline int8_t tablut_x(uint8_t cell) { return (int8_t)(cell % TABLUT_STRIDE - 1); }
static inline int8_t tablut_y(uint8_t cell) { return (int8_t)(cell / TABLUT_STRIDE - 1); }

/* Whose unit it is, and of which kind. */
static inline uint8_t tablut_seat(const TablutBoard *board, uint8_t unit) {
    return unit < board->muscovites ? TABLUT_MUSCOVITES : TABLUT_SWEDES;
}
static inline uint8_t tablut_kind(const TablutBoard *board, uint8_t unit) {
    return unit == board->king        ? TABLUT_KING
           : unit < board->muscovites ? TABLUT_MUSCOVITE
                                      : TABLUT_SWEDE;
}

/* Is a unit of this seat there? Empty cells and the wall belong to no seat. */
static inline bool tablut_is_of(const TablutBoard *board, uint8_t held, uint8_t seat) {
    return held != TABLUT_EMPTY && held != TABLUT_WALL &&
           tablut_seat(board, (uint8_t)(held - 1)) == seat;
}

/* May this unit stop on this cell, if it is free? */
static inline bool tablut_may_stop(const TablutBoard *board, uint8_t unit, uint8_t cell) {
    uint8_t closed = unit == board->king ? TABLUT_MARK_KONAKIS : TABLUT_MARK_CLOSED;
    return (board->marks[cell] & closed) == 0; /* [2.3] [7.1] */
}

/* rules.c: the state in which a match on this board begins. */
TablutState tablut_begin(const TablutBoard *board);
/* rules.c: the number of free cells in this direction, up to the first piece or the wall. */
int tablut_free_cells(const TablutState *state, uint8_t cell, int step);
/* rules.c: can the seat make any move? */
bool tablut_can_move(const TablutBoard *board, const TablutState *state, uint8_t seat);
/* rules.c: how many neighbours of the cell have a Muscovite; with `all` the konakis and what is
 * beyond the edge count too. */
int tablut_besiegers(const TablutBoard *board, const TablutState *state, uint8_t cell, bool all);
/* rules.c: must a king on this cell be surrounded on all sides to be captured? */
bool tablut_king_is_strong(const TablutBoard *board, uint8_t cell);
/* rules.c: could a king on this cell escape in this direction with one move? */
bool tablut_way_is_open(const TablutBoard *board, const TablutState *state, uint8_t cell, int step);
/* rules.c: directions in which the king could escape with one move [5.2]. */
int tablut_open_ways(const TablutBoard *board, const TablutState *state);

/* The game. */
extern const MashGame tablut_game;
GAME_DECLARE(tablut);

#endif
