/* baseline.h -- frozen players for comparison, which play like public programs for these games.
 * Private to ai/. */
#ifndef AI_BASELINE_H
#define AI_BASELINE_H
#include "ai/turn_generator.h"

/* Turns looked ahead by the averaging player. */
enum { BASELINE_DEPTH = 3 };

/* What a program evaluates: which units are alive, how much health they have, and items and effects
 * as shown on the board. It knows nothing else about a game. */
typedef struct BaselineWeights {
    const char *skill;      /* the owner */
    uint16_t there, health; /* per unit that is alive, and per point of health */
    uint16_t held;          /* per item */
    uint16_t effect;        /* per effect on an enemy */
} BaselineWeights;

/* One ply of the actions looked ahead. */
typedef struct BaselinePly {
    MashAction *list; /* lent */
    void *state;      /* lent: the state in which they are listed */
    uint32_t next, count;
    int64_t sum; /* sum of the evaluations so far */
    int64_t best;
} BaselinePly;

/* All of it. */
typedef struct Baseline {
    const BaselineWeights *weights;
    MashBoard board; /* lent arrays */
    int32_t best;
    uint32_t at; /* the current ply */
    BaselinePly plies[BASELINE_DEPTH];
} Baseline;

#endif
