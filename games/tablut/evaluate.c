/* evaluate.c -- evaluation for Tablut: wins with the next move, the king's distance from an escape,
 * and the number of soldiers. */
#include "engine/grid.h"
#include "games/tablut/state.h"

/* Evaluations are in hundredths of a Muscovite. */
enum {
    MUSCOVITE = 100,
    SWEDE = 120,
    WINS_NEXT = 50000, /* the side to move wins with this move */
    TWO_WAYS = 20000,  /* the Muscovites can close only one of them */
    ONE_WAY = 60,
    WAY_IN_TWO = 12, /* a cell within the king's reach from which he could escape */
    KING_CELL = 4,   /* a cell for the king */
    BESIEGED = 25,   /* a Muscovite adjacent to him */
};

/* Could a Muscovite move to this cell? */
static bool muscovite_reaches(const TablutBoard *board, const TablutState *state, uint8_t cell) {
    if (state->cells[cell] != TABLUT_EMPTY || !tablut_may_stop(board, 0, cell))
        return false;
    for (int direction = 0; direction < TABLUT_DIRECTIONS; direction++) {
        int step = tablut_steps[direction];
        int count = tablut_free_cells(state, cell, step);
        if (tablut_is_of(board, state->cells[cell + (count + 1) * step], TABLUT_MUSCOVITES))
            return true;
    }
    return false;
}

/* Could the king be taken with the next move of the Muscovites? */
static bool king_in_danger(const TablutBoard *board, const TablutState *state) {
    uint8_t king = state->units[board->king];
    bool strong = tablut_king_is_strong(board, king);
    if (strong && tablut_besiegers(board, state, king, true) != TABLUT_DIRECTIONS - 1)
        return false;
    for (int direction = 0; direction < TABLUT_DIRECTIONS; direction++) {
        int step = tablut_steps[direction];
        uint8_t behind = state->cells[king + step];
        if ((strong || tablut_is_of(board, behind, TABLUT_MUSCOVITES)) &&
            muscovite_reaches(board, state, (uint8_t)(king - step)))
            return true;
    }
    return false;
}

/* How many cells the king can move to, and from how many of them he could escape. */
static void look_around(const TablutBoard *board, const TablutState *state, int *cells, int *ways) {
    uint8_t king = state->units[board->king];
    for (int direction = 0; direction < TABLUT_DIRECTIONS; direction++) {
        int step = tablut_steps[direction], across = grid_abs(step) == 1 ? TABLUT_STRIDE : 1;
        int count = tablut_free_cells(state, king, step);
        for (int i = 1; i <= count; i++) {
            uint8_t cell = (uint8_t)(king + i * step);
            if (!tablut_may_stop(board, board->king, cell))
                continue;
            ++*cells;
            *ways += tablut_way_is_open(board, state, cell, across) ||
                     tablut_way_is_open(board, state, cell, -across);
        }
    }
}

static int32_t evaluate(const MashContent *content, const void *raw_state, uint8_t seat) {
    const TablutBoard *board = tablut_board(content);
    const TablutState *state = raw_state;
    int cells = 0, ways_in_two = 0, ways = tablut_open_ways(board, state);
    int32_t value = SWEDE * state->left[TABLUT_SWEDES] - MUSCOVITE * state->left[TABLUT_MUSCOVITES];
    bool danger = king_in_danger(board, state);
    if (state->turn == TABLUT_SWEDES && ways > 0)
        value += WINS_NEXT;
    else if (state->turn == TABLUT_MUSCOVITES && danger)
        value -= WINS_NEXT;
    else
        value += ways > 1 ? TWO_WAYS : ways * ONE_WAY;
    look_around(board, state, &cells, &ways_in_two);
    value += WAY_IN_TWO * ways_in_two + KING_CELL * cells -
             BESIEGED * tablut_besiegers(board, state, state->units[board->king], false);
    return seat == TABLUT_SWEDES ? value : -value;
}

/* Captures and escapes are tried first, then the king's moves, then moves towards him. */
static int32_t priority(const MashContent *content, const void *raw_state, MashAction action) {
    const TablutBoard *board = tablut_board(content);
    const TablutState *state = raw_state;
    uint8_t cell = tablut_cell(action.x, action.y), king = state->units[board->king];
    int32_t value = 0;
    if (action.unit == board->king)
        return (board->marks[cell] & TABLUT_MARK_ESCAPE) ? 10000 : 100;
    for (int direction = 0; direction < TABLUT_DIRECTIONS; direction++) {
        int step = tablut_steps[direction];
        uint8_t beside = state->cells[cell + step];
        if (tablut_is_of(board, beside, (uint8_t)(1 - action.seat)) &&
            tablut_is_of(board, state->cells[cell + 2 * step], action.seat))
            value += beside == board->king + 1 ? 1000 : 200;
    }
    int dx = grid_abs(action.x - tablut_x(king)), dy = grid_abs(action.y - tablut_y(king));
    return value + (dx == 0 || dy == 0 ? 50 : 0) - dx - dy;
}

/* How often positions are won: docs/strength.md. */
static const MashWinningTable winning_first = {
    .won = 9800,
    .lost = 588,
    .values = {-8110, 380, 494, 565, 621, 636, 644, 664, 714, 774, 853, 1078},
    .chances = {2533, 2533, 3233, 3233, 3233, 3233, 3233, 3233, 3233, 3233, 4146, 6829},
};
static const MashWinningTable winning_second = {
    .won = 9264,
    .lost = 200,
    .values = {-2705, -883, -795, -722, -664, -630, -602, -571, -533, -500, -388, 18392},
    .chances = {2903, 5965, 5965, 5965, 6296, 6296, 6296, 6667, 6861, 6861, 6861, 6861},
};
static const MashWinning winning = {60000, {&winning_first, &winning_second}};

const MashEvaluator tablut_evaluator = {
    MASH_EVALUATION(EXHAUSTIVE),
    /* From league results: see docs/strength.md. */
    GAME_LEVELS({0, 1000, 0}, {0, 0, 898}, {0, 0, 803}, {0, 0, 655}, {4000, 280, 0},
                {14000, 130, 0}, {60000, 40, 0}, {150000, 0, 0}, {1200000, 0, 0}),
    .winning = &winning,
};
