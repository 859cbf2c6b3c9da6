/* lucks.h -- thinking where chance mixes the turns: the best plans are played on, with many lucks.
 * Private to ai/. */
#ifndef AI_LUCKS_H
#define AI_LUCKS_H
#include "ai/walk.h"

/* Sizes. */
enum { PROSPECTS_MAX = 32 };

/* A way to make the turn, and what became of it. */
typedef struct Prospect {
    const End *end;
    uint32_t lucks;
    int64_t sum; /* of values over these lucks */
} Prospect;

/* What is being done. */
typedef enum LucksStage { LUCKS_LIST, LUCKS_MAKE, LUCKS_PLAY } LucksStage;

/* All of it. */
typedef struct Lucks {
    LucksStage stage;
    Best ends;
    Prospect list[PROSPECTS_MAX];
    uint32_t count; /* those still looked at; the best first */
    uint32_t luck, next;
    uint32_t made;  /* actions of the prospect's turn that were made with this luck */
    uint32_t turns; /* turns played since */
    bool walking;
    void *now, *then; /* the moment, and the best one after its turn so far */
    int32_t best;
    bool found;
} Lucks;

/* Begins with the moment of the task; thinks until the slice is used up (false) or all is done. */
void lucks_begin(Ai *ai);
bool lucks_step(Ai *ai);

#endif
