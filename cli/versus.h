/* versus.h -- programs play each other: one match, with what each of them used. */
#ifndef CLI_VERSUS_H
#define CLI_VERSUS_H
#include "ai/ai.h"
#include "cli/setting.h"
#include "match/match.h"

/* What a player has used so far. */
typedef struct Usage {
    uint64_t decisions, turns; /* turns: decisions that took thinking */
    uint64_t nodes, spent_us, worst_us;
    uint64_t overruns; /* turns that took more than the milliseconds and five */
} Usage;

/* A table with memory for everything. */
typedef struct Versus {
    const Setting *setting;
    uint32_t nodes; /* for a turn; 0 = the skill's own */
    uint32_t ms;    /* CPU time for a turn; 0 = counted in nodes */
    Match match;
    void *memory, *view, *thinking;
    Ai *ai;
    AiPlan plans[MASH_SEATS];
} Versus;

/* Opens a table; versus_close() gives the memory back. */
void versus_open(Versus *versus, const Setting *setting, uint32_t nodes, uint32_t ms);
void versus_close(Versus *versus);
/* Plays a match to its end: a skill and a usage for each seat. False: the set-up was refused or an
 * answer was not legal, and a sentence was printed. */
bool versus_play(Versus *versus, MashSeed seed, const AiSkill *const skills[MASH_SEATS],
                 Usage *const usages[MASH_SEATS], MashResult *result);

#endif
