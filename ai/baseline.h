/* baseline.h -- frozen players for comparison: what the public programs for these games do. Private
 * to ai/. */
#ifndef AI_BASELINE_H
#define AI_BASELINE_H
#include "ai/turn_generator.h"

/* Turns looked ahead by the one that averages. */
enum { BASELINE_DEPTH = 3 };

/* What a program looks at: who is there, how much health everybody has, and things in hand and
 * effects as a board shows them. No more is known of a game. */
typedef struct BaselineWeights {
    const char *skill;      /* whose it is */
    uint16_t there, health; /* for everybody who is not gone, and for a point of health */
    uint16_t held;          /* for each thing in hand */
    uint16_t effect;        /* for an effect on an enemy */
} BaselineWeights;

/* One action at a time of those looked ahead. */
typedef struct BaselinePly {
    MashAction *list; /* lent */
    void *state;      /* lent: the moment in which they are listed */
    uint32_t next, count;
    int64_t sum; /* of values of those that were looked at */
    int64_t best;
} BaselinePly;

/* All of it. */
typedef struct Baseline {
    const BaselineWeights *taste;
    MashBoard board; /* lent arrays */
    int32_t best;
    uint32_t at; /* the ply that works */
    BaselinePly plies[BASELINE_DEPTH];
} Baseline;

/* Begins with the moment of the task; thinks until the slice is used up (false) or all is done. The
 * first tries all ways to make its own turn, the second averages over replies, the third does what
 * comes first on its list of things to do. */
void baseline_begin(Ai *ai);
bool baseline_step(Ai *ai);
void baseline_average_begin(Ai *ai);
bool peer_average_step(Ai *ai);
void baseline_rules_begin(Ai *ai);
bool peer_rules_step(Ai *ai);

#endif
