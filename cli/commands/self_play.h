/* self_play.h -- AI players play each other: one match, with the resources each of them used. */
#ifndef CLI_COMMANDS_SELF_PLAY_H
#define CLI_COMMANDS_SELF_PLAY_H
#include "ai/ai.h"
#include "cli/game_config.h"
#include "match/match.h"

/* What a player has used so far. */
typedef struct ThinkingUsage {
    uint64_t decisions, turns; /* turns: decisions that took thinking */
    uint64_t nodes, spent_us, worst_us;
    uint64_t overruns; /* turns that took more than the limit plus five milliseconds */
} ThinkingUsage;

/* A match-up with all its memory. */
typedef struct SelfPlay {
    const GameConfig *setting;
    uint32_t nodes; /* per turn; 0 = the skill's own */
    uint32_t ms;    /* CPU time per turn; 0 = limited by nodes */
    Match match;
    void *memory, *view, *thinking;
    Ai *ai;
    AiPlan plans[MASH_SEATS];
} SelfPlay;

/* Opens a table; self_play_close() gives the memory back. */
void self_play_open(SelfPlay *versus, const GameConfig *setting, uint32_t nodes, uint32_t ms);
void self_play_close(SelfPlay *versus);
/* Plays a match to its end: a skill and a usage per seat. False: the set-up was refused or an
 * answer was not legal; an error was printed. */
bool self_play_match(SelfPlay *versus, MashSeed seed, const AiSkill *const skills[MASH_SEATS],
                     ThinkingUsage *const usages[MASH_SEATS], MashResult *result);

#endif
