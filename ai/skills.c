/* skills.c -- who can be played against: the levels, and the players for measuring. */
#include <string.h>

#include "ai/ai.h"

/* A level is the same on every device, because it is counted in nodes. */
const AiSkill ai_skills[] = {
    {"level1", "Page", "Does whatever comes to mind.", AI_RANDOM, 1, 0, 0},
    {"level2", "Squire", "Thinks one turn in four through.", AI_GREEDY_TURN, 100000, 750, 0},
    {"level3", "Guard", "Thinks every other turn through.", AI_GREEDY_TURN, 100000, 450, 0},
    {"level4", "Fencer", "Thinks most turns through.", AI_GREEDY_TURN, 100000, 240, 0},
    {"level5", "Knight", "Looks at what you can do next.", AI_SEARCH, 8000, 140, 0},
    {"level6", "Captain", "Looks further ahead.", AI_SEARCH, 30000, 70, 0},
    {"level7", "Marshal", "Looks far ahead.", AI_SEARCH, 120000, 25, 0},
    {"level8", "Legend", "Looks as far as it can.", AI_SEARCH, 480000, 0, 0},
    {"random", "Random", "Any legal action.", AI_RANDOM, 1, 0, 0},
    {"greedy-action", "Greedy", "The best single action.", AI_GREEDY_ACTION, 100000, 0, 0},
    {"greedy-turn", "Greedy turn", "The best whole turn.", AI_GREEDY_TURN, 100000, 0, 0},
    {"peer-turn", "Peer", "The turn after which most health is shown.", AI_PEER, 100000, 0, 0},
    {"peer-stones", "Peer", "The same, with what is in hand.", AI_PEER, 100000, 0, 0},
    {"peer-effects", "Peer", "The same, with effects.", AI_PEER, 100000, 0, 0},
    {"peer-rules", "Peer", "The first action that does any good.", AI_PEER_RULES, 100000, 0, 0},
    {"peer-average", "Peer", "The best mean over replies.", AI_PEER_AVERAGE, 100000, 0, 0},
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
