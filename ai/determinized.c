/* determinized.c -- see worlds.h.
 *
 * A guessed world is no ground for searching: there the enemy would know all our secrets. So each
 * candidate is made in the same guessed worlds, and both sides then play on by what a mind finds
 * worthwhile in their own view, in which the other's secrets are hidden as ever. The mean value
 * after some turns, and the worth that the mind gives the action at once, decide. The worse half of
 * the candidates is dropped from time to time. */
#include "ai/determinized.h"

#include <string.h>

#include "ai/internal.h"

enum {
    ROLLOUT_LENGTH = 12,            /* actions after the candidate's */
    DETERMINIZED_SAMPLES_MAX = 512, /* guessed at most */
    PRIORITY_PERCENT = 60,          /* % of an action's worth that counts beside the mean */
    ROLLOUT_NOISE = 5,              /* so that habits are not foretold */
    TIE_MARGIN = 2,                 /* values that count as equal when the answer is drawn */
};

/* --- Candidates ------------------------------------------------------------------------------- */

/* The mean over the worlds that were tried, and a part of the worth at first sight. */
static int64_t score(const Candidate *candidate) {
    int64_t mean = candidate->samples == 0 ? 0 : candidate->sum / candidate->samples;
    return mean + (int64_t)candidate->priority * PRIORITY_PERCENT / 100;
}

/* The best first; equals stay as they are. */
static void sort(Determinized *search) {
    for (uint32_t i = 1; i < search->count; i++) {
        Candidate moving = search->list[i];
        uint32_t to = i;
        for (; to > 0 && score(&search->list[to - 1]) < score(&moving); to--)
            search->list[to] = search->list[to - 1];
        search->list[to] = moving;
    }
}

/* One more to choose from, if it is worth more than the least of a full list. */
static void add(Determinized *search, MashAction action, int32_t priority) {
    uint32_t to = search->count;
    if (to == CANDIDATES_MAX && search->list[to - 1].priority >= priority)
        return;
    if (to < CANDIDATES_MAX)
        search->count++;
    else
        to--;
    for (; to > 0 && search->list[to - 1].priority < priority; to--)
        search->list[to] = search->list[to - 1];
    search->list[to] = (Candidate){.action = action, .priority = priority};
}

/* The best candidate, or one that is as good. */
static void answer(Ai *ai) {
    const Determinized *search = &ai->determinized;
    uint32_t equals = 1;
    while (equals < search->count &&
           score(&search->list[equals]) + TIE_MARGIN >= score(search->list))
        equals++;
    MashChance chance = search_chance(ai, UINT32_MAX, search->world);
    ai->answer.count = 1;
    ai->answer.actions[0] = search->list[chance_below(&chance, equals)].action;
    ai->value = (int32_t)score(search->list);
}

void determinized_begin(Ai *ai) {
    Determinized *search = &ai->determinized;
    search->count = search->world = search->next = search->step = 0;
    search_priorities(ai, ai->view, ai->seat, ai->list, ai->list_count, search->priorities);
    for (uint32_t i = 0; i < ai->list_count; i++)
        if (search->priorities[i] != INT32_MIN)
            add(search, ai->list[i], search->priorities[i]);
    if (search->count > 0)
        answer(ai);
}

/* --- Playing on ------------------------------------------------------------------------------- */

/* What a seat does by habit in the world that is being played on. */
static MashAction rollout_action(Ai *ai, uint8_t seat, MashChance *chance) {
    int32_t *priorities = ai->determinized.priorities;
    MashAction *list = ai->generator.list;
    memcpy(ai->scratch_view, ai->scratch_state, ai->content->limits.state_bytes);
    ai->game->hide(ai->content, ai->scratch_view, seat);
    uint32_t count = ai->game->actions(ai->content, ai->scratch_view, seat, list), best = 0;
    int64_t most = INT64_MIN;
    assert(count > 0);
    search_priorities(ai, ai->scratch_view, seat, list, count, priorities);
    for (uint32_t i = 0; i < count; i++) {
        int64_t tie_break = chance_below(chance, ROLLOUT_NOISE);
        if (priorities[i] + tie_break > most) {
            most = priorities[i] + tie_break;
            best = i;
        }
    }
    return list[best];
}

/* A candidate's turn in this world has been valued. */
static void account(Ai *ai) {
    Determinized *search = &ai->determinized;
    search->list[search->next].sum += search_evaluate(ai, ai->scratch_state, ai->seat);
    search->list[search->next].samples++;
    search->step = 0;
    if (++search->next < search->count)
        return;
    search->next = 0;
    search->world++;
    sort(search);
    answer(ai);
    bool drop = search->world == 8 || search->world == 24 || search->world == 72;
    if (drop && search->count > 2)
        search->count = (search->count + 1) / 2;
}

/* One action in the world; false: the slice is used up. */
static bool rollout_step(Ai *ai) {
    Determinized *search = &ai->determinized;
    uint32_t bytes = ai->content->limits.state_bytes;
    if (!search_spend_node(ai))
        return false;
    MashChance chance = search_chance(ai, search->world, search->step);
    MashAction action = search->list[search->next].action;
    if (search->step == 0 && search->next == 0) {
        memcpy(ai->root, ai->view, bytes);
        if (ai->game->guess != NULL)
            ai->game->guess(ai->content, ai->root, ai->seat, &chance);
    }
    if (search->step == 0)
        memcpy(ai->scratch_state, ai->root, bytes);
    else
        action =
            rollout_action(ai, ai->game->awaited(ai->content, ai->scratch_state) == 2, &chance);
    search->step++;
    ai->game->apply_listed(ai->content, ai->scratch_state, action, &chance, NULL);
    if (search->step > ROLLOUT_LENGTH || ai->game->awaited(ai->content, ai->scratch_state) == 0)
        account(ai);
    return true;
}

bool determinized_step(Ai *ai) {
    Determinized *search = &ai->determinized;
    while (search->world < DETERMINIZED_SAMPLES_MAX && search->count > 1 &&
           ai->thinking == AI_SEARCH)
        if (!rollout_step(ai))
            return false;
    return true;
}
