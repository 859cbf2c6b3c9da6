/* determinized.h -- thinking where much is hidden: guessed worlds, played on by habit. Private to
 * ai/. */
#ifndef AI_DETERMINIZED_H
#define AI_DETERMINIZED_H
#include "ai/ai.h"

/* Sizes. */
enum {
    CANDIDATES_MAX = 16,
};

/* An action to choose from, and what became of it. */
typedef struct Candidate {
    MashAction action;
    int32_t priority; /* by the mind alone */
    uint32_t samples;
    int64_t sum; /* of values over these worlds */
} Candidate;

/* All of it. */
typedef struct Determinized {
    Candidate list[CANDIDATES_MAX];
    uint32_t count; /* those still looked at; the best first */
    uint32_t world, next;
    uint32_t step; /* actions made in the world since the candidate's; 0 = not begun */
    int32_t *priorities;
} Determinized;

/* Begins with the view of the task; thinks until the slice is used up (false) or all is done. */
void determinized_begin(Ai *ai);
bool determinized_step(Ai *ai);

#endif
