/* evaluate.c -- evaluation for Hare and Hounds: how many moves the hare has left, how near it is to
 * the left end, and how many hounds are still to its left. */
#include "engine/grid.h"
#include "games/hounds/state.h"

enum { HARE_MOVE = 10, HARE_COLUMN = 15, HOUND_BEHIND = 40, STALLED = 3 };

static int32_t evaluate(const MashContent *content, const void *raw_state, uint8_t seat) {
    (void)content;
    const HoundsState *state = raw_state;
    uint8_t hare = state->cells[HOUNDS_THE_HARE];
    int32_t value = HARE_MOVE * hounds_count_moves(state, HOUNDS_THE_HARE) -
                    HARE_COLUMN * hounds_x(hare) + STALLED * state->stalled;
    for (uint8_t unit = 0; unit < HOUNDS_THE_HARE; unit++)
        if (hounds_x(state->cells[unit]) >= hounds_x(hare))
            value += HOUND_BEHIND;
    return seat == HOUNDS_HARES ? value : -value;
}

/* The hare goes to the left, hounds stay together: those behind move first. */
static int32_t priority(const MashContent *content, const void *raw_state, MashAction action) {
    (void)content;
    const HoundsState *state = raw_state;
    int32_t x = hounds_x(state->cells[action.unit]);
    return action.seat == HOUNDS_HARES ? 10 * (x - action.x) : 5 * (action.x - x) - x;
}

const MashEvaluator hounds_evaluator = {
    MASH_EVALUATION(EXHAUSTIVE),
    .levels = GAME_LEVELS({0, 1000}, {0, 870}, {0, 690}, {0, 480}, {400, 280}, {1600, 130},
                          {6000, 40}, {30000, 0}),
};
