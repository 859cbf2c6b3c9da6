/* skills.c -- who can be played against: the levels, and the players for measuring. */
#include <string.h>

#include "ai/ai.h"

/* A level is the same on every device, because it is counted in nodes. */
const AiSkill ai_skills[] = {
    {"level1", "Page", "Does whatever comes to mind.", AI_RANDOM, 1, 0, 0},
    {"level2", "Squire", "Takes what looks best at once.", AI_GREEDY_ACTION, 100000, 0, 0},
    {"level3", "Guard", "Looks at its whole turn.", AI_GREEDY_TURN, 100000, 0, 0},
    {"level4", "Fencer", "Looks at your reply now and then.", AI_SEARCH, 2000, 300, 2},
    {"level5", "Knight", "Looks at your reply.", AI_SEARCH, 10000, 0, 2},
    {"level6", "Captain", "Looks at its own next turn.", AI_SEARCH, 50000, 0, 0},
    {"level7", "Marshal", "Looks further ahead.", AI_SEARCH, 250000, 0, 0},
    {"level8", "Legend", "Looks as far as it can.", AI_SEARCH, 1000000, 0, 0},
    {"random", "Random", "Any legal action.", AI_RANDOM, 1, 0, 0},
    {"greedy-action", "Greedy", "The best single action.", AI_GREEDY_ACTION, 100000, 0, 0},
    {"greedy-turn", "Greedy turn", "The best whole turn.", AI_GREEDY_TURN, 100000, 0, 0},
};
const uint32_t ai_skills_count = sizeof ai_skills / sizeof *ai_skills;

const AiSkill *ai_level(uint32_t level) {
    assert(level >= 1 && level <= AI_LEVELS);
    return &ai_skills[level - 1];
}

const AiSkill *ai_skill_find(const char *id) {
    for (uint32_t i = 0; i < ai_skills_count; i++)
        if (strcmp(ai_skills[i].id, id) == 0)
            return &ai_skills[i];
    return NULL;
}
