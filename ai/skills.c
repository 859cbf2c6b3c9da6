/* skills.c -- the AI players to choose from: the levels, and the players for measuring. */
#include <string.h>

#include "ai/ai.h"
#include "base/text.h"

enum { NODES_UNLIMITED = 100000 }; /* nodes for players that stop automatically */

/* A level plays the same on every device, because it is limited by nodes, not by time. */
const AiSkill ai_skills[] = {
    {"level1", "Page", "Plays random moves.", AI_RANDOM, 1, 1},
    {"level2", "Squire", "A beginner: misses most of what it could do.", AI_GREEDY_TURN,
     NODES_UNLIMITED, 2},
    {"level3", "Guard", "Misses a lot, and ignores your reply.", AI_GREEDY_TURN, NODES_UNLIMITED,
     3},
    {"level4", "Fencer", "Misses some chances, and ignores your reply.", AI_GREEDY_TURN,
     NODES_UNLIMITED, 4},
    {"level5", "Knight", "Considers your reply, but has careless turns.", AI_SEARCH,
     NODES_UNLIMITED, 5},
    {"level6", "Captain", "Plans further ahead; fewer careless turns.", AI_SEARCH, NODES_UNLIMITED,
     6},
    {"level7", "Marshal", "Plans far ahead; even fewer careless turns.", AI_SEARCH, NODES_UNLIMITED,
     7},
    {"level8", "Legend", "Plans very far ahead; no careless turns.", AI_SEARCH, NODES_UNLIMITED, 8},
    {"level9", "Grandmaster", "Plays like level 8, but thinks much longer.", AI_SEARCH,
     NODES_UNLIMITED, 9},
    {"random", "Random", "Any legal action.", AI_RANDOM, 1, 0},
    {"greedy-action", "Greedy", "The best single action.", AI_GREEDY_ACTION, NODES_UNLIMITED, 0},
    {"greedy-turn", "Greedy turn", "The best whole turn.", AI_GREEDY_TURN, NODES_UNLIMITED, 0},
    {"peer-turn", "Peer", "The turn that leaves it with the best health balance.", AI_BASELINE_TURN,
     NODES_UNLIMITED, 0},
    {"peer-stones", "Peer", "The same, with what is in hand.", AI_BASELINE_TURN, NODES_UNLIMITED,
     0},
    {"peer-effects", "Peer", "The same, with effects.", AI_BASELINE_TURN, NODES_UNLIMITED, 0},
    {"peer-rules", "Peer", "The first action that does any good.", AI_BASELINE_RULES,
     NODES_UNLIMITED, 0},
    {"peer-average", "Peer", "The best average over all replies.", AI_BASELINE_AVERAGE,
     NODES_UNLIMITED, 0},
};
const uint32_t ai_skills_count = sizeof ai_skills / sizeof *ai_skills;

const AiSkill *ai_level(uint32_t level) {
    assert(level >= 1 && level <= AI_LEVELS_MAX);
    return &ai_skills[level - 1];
}

uint32_t ai_levels_of(const MashGame *game) {
    const MashEvaluator *evaluator = game->evaluator;
    if (evaluator == NULL || evaluator->levels == NULL)
        return AI_LEVELS;
    assert(evaluator->levels_count >= AI_LEVELS && evaluator->levels_count <= AI_LEVELS_MAX);
    return evaluator->levels_count;
}

void ai_say_levels(const MashGame *game, MashText *text) {
    text_format(text, "%s has levels 1 to %u", game->title, (unsigned)ai_levels_of(game));
}

const AiSkill *ai_skill_find(const char *id) {
    for (uint32_t i = 0; i < ai_skills_count; i++)
        if (strcmp(ai_skills[i].id, id) == 0)
            return &ai_skills[i];
    return NULL;
}
