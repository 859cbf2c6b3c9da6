/* determinized.c -- see determinized.h.
 *
 * A determinized state is unsuitable for plain search, because the opponent would know everything
 * that is hidden from it. So each candidate is played in the same determinized states, followed by
 * a rollout in which both sides do what the evaluator says that they do by what they see: hidden
 * information stays hidden. The mean evaluation after some turns and the priority of the action
 * decide. From time to time the worse half of the candidates is dropped. */
#include "ai/determinized.h"

#include <string.h>

#include "ai/internal.h"

enum {
    ROLLOUT_LENGTH = 12,            /* actions after the candidate's */
    DETERMINIZED_SAMPLES_MAX = 512, /* at most this many guesses */
    TIE_MARGIN = 2,                 /* evaluations within this margin are equal for the tie break */
};

/* --- Candidates ------------------------------------------------------------------------------- */

/* The mean over the samples so far, plus the action's priority. */
static int64_t score(const Candidate *candidate) {
    int64_t mean = candidate->samples == 0 ? 0 : candidate->sum / candidate->samples;
    return mean + candidate->priority;
}

/* The best first; the sort is stable. */
static void sort(Determinized *search) {
    for (uint32_t i = 1; i < search->count; i++) {
        Candidate moving = search->list[i];
        uint32_t to = i;
        for (; to > 0 && score(&search->list[to - 1]) < score(&moving); to--)
            search->list[to] = search->list[to - 1];
        search->list[to] = moving;
    }
}

/* Adds a candidate, if its priority is higher than the lowest of a full list. */
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

/* The best candidate, ties broken at random. */
static void answer(Ai *ai) {
    const Determinized *search = &ai->determinized;
    uint32_t equals = 1;
    while (equals < search->count &&
           score(&search->list[equals]) + TIE_MARGIN >= score(search->list))
        equals++;
    MashChance chance = search_chance(ai, UINT32_MAX, search->sample);
    ai->answer.count = 1;
    ai->answer.actions[0] = search->list[chance_below(&chance, equals)].action;
    ai->value = (int32_t)score(search->list);
}

/* Starts with the task. */
static void begin_search(Ai *ai) {
    Determinized *search = &ai->determinized;
    search->count = search->sample = search->next = search->step = 0;
    determinized_forget(ai);
    search_priorities(ai, ai->view, ai->seat, ai->list, ai->list_count, search->priorities);
    for (uint32_t i = 0; i < ai->list_count; i++)
        if (search->priorities[i] != INT32_MIN && !search_overlooks(ai, ai->list[i]))
            add(search, ai->list[i], search->priorities[i]);
    if (search->count > 0)
        answer(ai);
}

/* --- Rollouts --------------------------------------------------------------------------------- */

void determinized_forget(Ai *ai) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        memset(ai->determinized.habits[seat], 0, ai->evaluator->habit_bytes);
}

MashAction determinized_action(Ai *ai, uint8_t seat, MashChance *chance) {
    MashAction *list = ai->generator.list;
    uint32_t count = ai->game->actions(ai->content, ai->scratch_state, seat, list);
    assert(count > 0);
    return list[ai->evaluator->habit(ai->content, ai->scratch_state, seat, list, count, chance,
                                     ai->determinized.habits[seat])];
}

int32_t determinized_lead(int32_t value) {
    return value > MASH_LEAD_MAX ? MASH_LEAD_MAX : value < -MASH_LEAD_MAX ? -MASH_LEAD_MAX : value;
}

/* A candidate's turn has been evaluated in this sample. */
static void add_evaluation(Ai *ai) {
    Determinized *search = &ai->determinized;
    int32_t value = determinized_lead(search_evaluate(ai, ai->scratch_state, ai->seat));
    search->list[search->next].sum += value;
    search->list[search->next].samples++;
    search->step = 0;
    if (++search->next < search->count)
        return;
    search->next = 0;
    search->sample++;
    sort(search);
    answer(ai);
    bool drop = search->sample == 8 || search->sample == 24 || search->sample == 72;
    if (drop && search->count > 2)
        search->count = (search->count + 1) / 2;
}

/* Plays one action in the sample; false: the slice is used up. */
static bool rollout_step(Ai *ai) {
    Determinized *search = &ai->determinized;
    uint32_t bytes = ai->content->limits.state_bytes;
    if (!search_spend_node(ai))
        return false;
    MashChance chance = search_chance(ai, search->sample, search->step);
    MashAction action = search->list[search->next].action;
    if (search->step == 0 && search->next == 0) {
        memcpy(ai->root, ai->view, bytes);
        if (ai->game->guess != NULL)
            ai->game->guess(ai->content, ai->root, ai->seat, &chance);
    }
    if (search->step == 0)
        memcpy(ai->scratch_state, ai->root, bytes);
    else
        action = determinized_action(ai, ai->game->awaited(ai->content, ai->scratch_state) == 2,
                                     &chance);
    search->step++;
    ai->game->apply_listed(ai->content, ai->scratch_state, action, &chance, NULL);
    if (search->step > ROLLOUT_LENGTH || ai->game->awaited(ai->content, ai->scratch_state) == 0)
        add_evaluation(ai);
    return true;
}

/* Runs until the slice is used up (false) or it is finished. */
static bool step_search(Ai *ai) {
    Determinized *search = &ai->determinized;
    while (search->sample < DETERMINIZED_SAMPLES_MAX && search->count > 1 && ai->mode == AI_SEARCH)
        if (!rollout_step(ai))
            return false;
    return true;
}

const SearchMethod determinized_search = {begin_search, step_search, NULL};
