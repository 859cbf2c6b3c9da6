/* greedy.c -- the action that leads to the best evaluation: each one is tried once. */
#include <string.h>

#include "ai/internal.h"

/* Starts with the task. */
static void begin_search(Ai *ai) {
    ai->greedy = (Greedy){.best = -2 * VALUE_WON};
    search_priorities(ai, ai->view, ai->seat, ai->list, ai->list_count, ai->generator.priorities);
}

/* All best actions are equally likely. */
static void consider(Ai *ai, MashAction action, int32_t value) {
    Greedy *greedy = &ai->greedy;
    if (value < greedy->best)
        return;
    greedy->equals = value > greedy->best ? 1 : greedy->equals + 1;
    if (chance_below(&ai->tie_break, greedy->equals) > 0)
        return;
    greedy->best = ai->value = value;
    ai->answer.count = 1;
    ai->answer.actions[0] = action;
}

/* Runs until the slice is used up (false) or it is finished. */
static bool step_search(Ai *ai) {
    while (ai->greedy.next < ai->list_count) {
        MashAction action = ai->list[ai->greedy.next];
        if (ai->generator.priorities[ai->greedy.next] == INT32_MIN) {
            ai->greedy.next++;
            continue;
        }
        if (!search_spend_node(ai))
            return false;
        ai->greedy.next++;
        MashChance chance = search_chance(ai, 0, 0);
        memcpy(ai->scratch_state, ai->root, ai->content->limits.state_bytes);
        ai->game->apply_listed(ai->content, ai->scratch_state, action, &chance, NULL);
        consider(ai, action, search_evaluate(ai, ai->scratch_state, ai->seat));
    }
    return true;
}

const SearchMethod greedy_search = {begin_search, step_search, NULL};
