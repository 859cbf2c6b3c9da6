/* determinized.h -- search for games with hidden information: determinized states (samples) with
 * rollouts. Private to ai/. */
#ifndef AI_DETERMINIZED_H
#define AI_DETERMINIZED_H
#include "ai/ai.h"

/* Sizes. */
enum {
    CANDIDATES_MAX = 16,
};

/* An action to choose from, and its results. */
typedef struct Candidate {
    MashAction action;
    int32_t priority; /* by the evaluator alone */
    uint32_t samples;
    int64_t sum; /* of evaluations over these samples */
} Candidate;

/* The whole search. */
typedef struct Determinized {
    Candidate list[CANDIDATES_MAX];
    uint32_t count; /* remaining candidates; the best first */
    uint32_t sample, next;
    uint32_t step; /* actions played in the sample since the candidate's; 0 = not started */
    int32_t *priorities;
    void *habits[MASH_SEATS]; /* memory of MashEvaluator.habit */
} Determinized;

/* Forgets what seats believed in rollouts: before the first one of a position. */
void determinized_forget(Ai *ai);

/* What a seat does in a rollout, by what it sees of ai->scratch_state: MashEvaluator.habit. */
MashAction determinized_action(Ai *ai, uint8_t seat, MashChance *chance);
/* What the end of a rollout counts: an end of the match as much as the clearest lead, whoever could
 * foresee it. */
int32_t determinized_lead(int32_t value);

#endif
