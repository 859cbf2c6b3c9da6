/* team.c -- see team.h. */
#include "ai/team.h"

#include "ai/internal.h"

/* Does the member, who has just begun, have a part to search that others can help with? */
static bool has_shares(const Ai *ai) { return !ai->done && ai->shares > 1; }

uint32_t ai_team_begin(Ai *const members[], uint32_t count, const AiTask *task) {
    if (!ai_begin_share(members[0], task, 0, count))
        return 0;
    if (!has_shares(members[0]))
        return 1;
    for (uint32_t i = 1; i < count; i++)
        ai_begin_share(members[i], task, i, count);
    return count;
}

/* All members have as many nodes left as the one who has searched most: they have waited for it. */
static void level_nodes(Ai *const members[], uint32_t count) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        if (members[i]->nodes + members[i]->idle > most)
            most = members[i]->nodes + members[i]->idle;
    for (uint32_t i = 0; i < count; i++)
        members[i]->idle = most - members[i]->nodes;
}

bool ai_team_meet(Ai *const members[], uint32_t count) {
    bool searched = count > 1 && members[0]->shares > 1 && members[0]->nodes > 0;
    if (!searched)
        return true;
    level_nodes(members, count);
    return search_of(members[0])->meet(members, count);
}
