/* lucks.c -- see lucks.h.
 *
 * The ways to make the turn are grown by a narrow walk, and the best of them are prospects. Each is
 * made with the same lucks, and then both sides play on for some turns, each by the best end of the
 * narrowest walk. The mean value after that decides; the worse half of the prospects is dropped
 * from time to time. */
#include "ai/lucks.h"

#include <string.h>

#include "ai/think.h"
#include "base/hash.h"

enum {
    FIRST_ABREAST = 24, /* moments side by side in the first turn, */
    ABREAST = 1,        /* and in those after it */
    PLAYED_ON = 6,      /* turns after the first one */
    LUCKS_MAX = 256,
    PRIOR = 20, /* lucks that the value right after the turn counts for */
};

/* --- Prospects -------------------------------------------------------------------------------- */

/* The mean over lucks; the value right after the turn counts like some of them, so that a few lucks
 * do not upset the order. */
static int64_t score(const Prospect *prospect) {
    return ((int64_t)prospect->end->value * PRIOR + prospect->sum) / (PRIOR + prospect->lucks);
}

/* The best first; equals stay as they are. */
static void sort(Lucks *lucks) {
    for (uint32_t i = 1; i < lucks->count; i++) {
        Prospect moving = lucks->list[i];
        uint32_t to = i;
        for (; to > 0 && score(&lucks->list[to - 1]) < score(&moving); to--)
            lucks->list[to] = lucks->list[to - 1];
        lucks->list[to] = moving;
    }
}

/* The first prospect, the best once they are sorted, is the answer, and its score the value. */
static void answer(Ai *ai) {
    const Prospect *best = &ai->lucks.list[0];
    ai->answer = best->end->path;
    ai->value = (int32_t)score(best);
}

void lucks_begin(Ai *ai) {
    Lucks *lucks = &ai->lucks;
    lucks->stage = LUCKS_LIST;
    lucks->count = lucks->luck = lucks->next = lucks->made = lucks->turns = 0;
    ai->chance_world = 0;
    best_clear(&lucks->ends, PROSPECTS_MAX);
    walk_begin(ai, ai->world, ai->seat, 0, WALK_NODES_MAX, FIRST_ABREAST);
    lucks->best = INT32_MIN;
}

/* Everything has been grown: the best ends are the prospects. */
static void list_prospects(Ai *ai) {
    Lucks *lucks = &ai->lucks;
    best_rank(&lucks->ends);
    lucks->count = lucks->ends.count;
    for (uint32_t i = 0; i < lucks->count; i++)
        lucks->list[i] = (Prospect){.end = best_at(&lucks->ends, i)};
    lucks->stage = LUCKS_MAKE;
    if (lucks->count > 0)
        answer(ai);
}

/* False: the slice is used up. */
static bool step_list(Ai *ai) {
    Lucks *lucks = &ai->lucks;
    WalkFound found = walk_step(ai);
    if (found == WALK_TO_END)
        list_prospects(ai);
    if (found != WALK_END)
        return found != WALK_PAUSE;
    int32_t value = think_value(ai, walk_end(ai), ai->seat);
    End *end = best_keep(&lucks->ends, value, (uint32_t)hash_number(ai->seed, ai->nodes));
    if (end != NULL)
        walk_keep(ai, end);
    if (value > lucks->best) {
        lucks->best = ai->value = value;
        walk_path(ai, &ai->answer);
    }
    return true;
}

/* --- Playing on ------------------------------------------------------------------------------- */

/* The moment is far enough: the prospect learns its value, and the next one is made. */
static void account(Ai *ai) {
    Lucks *lucks = &ai->lucks;
    lucks->list[lucks->next].sum += think_value(ai, lucks->now, ai->seat);
    lucks->list[lucks->next].lucks++;
    lucks->stage = LUCKS_MAKE;
    lucks->made = 0;
    if (++lucks->next < lucks->count)
        return;
    lucks->next = 0;
    lucks->luck++;
    sort(lucks);
    answer(ai);
    bool drop = (lucks->luck & (lucks->luck - 1)) == 0 && lucks->luck > 2;
    if (drop && lucks->count > 3)
        lucks->count = (lucks->count + 1) / 2;
}

/* Goes on with the moment that was reached, or ends there. */
static void play_on(Ai *ai) {
    Lucks *lucks = &ai->lucks;
    uint32_t awaited = ai->game->awaited(ai->content, lucks->now);
    lucks->stage = LUCKS_PLAY;
    if (lucks->turns == PLAYED_ON || (awaited != 1 && awaited != 2)) {
        account(ai);
        return;
    }
    lucks->turns++;
    lucks->found = false;
    walk_begin(ai, lucks->now, awaited == 2, lucks->turns, WALK_NODES_MAX, ABREAST);
}

/* Makes the prospect's turn with this luck; without chance in it, it is known how it ends. */
static bool step_make(Ai *ai) {
    Lucks *lucks = &ai->lucks;
    const End *end = lucks->list[lucks->next].end;
    uint32_t bytes = ai->content->terms.state_bytes;
    ai->chance_world = lucks->luck;
    if (!end->by_chance || lucks->luck == 0) {
        memcpy(lucks->now, end->state, bytes);
        lucks->made = end->path.count;
    } else {
        if (!think_spend(ai))
            return false;
        if (lucks->made == 0)
            memcpy(lucks->now, ai->world, bytes);
        MashAction action = end->path.actions[lucks->made];
        if (walk_apply(ai, lucks->now, action, 0, lucks->made))
            lucks->made++;
        else
            lucks->made = end->path.count;
    }
    if (lucks->made < end->path.count)
        return true;
    lucks->turns = 0;
    play_on(ai);
    return true;
}

/* Walks a turn that is played on. */
static bool step_play(Ai *ai) {
    Lucks *lucks = &ai->lucks;
    WalkFound found = walk_step(ai);
    if (found == WALK_END) {
        int32_t value = think_value(ai, walk_end(ai), ai->walk.seat);
        if (!lucks->found || value > lucks->best) {
            lucks->found = true;
            lucks->best = value;
            memcpy(lucks->then, walk_end(ai), ai->content->terms.state_bytes);
        }
    } else if (found == WALK_TO_END) {
        if (lucks->found) {
            void *moment = lucks->now;
            lucks->now = lucks->then;
            lucks->then = moment;
            play_on(ai);
        } else {
            account(ai);
        }
    }
    return found != WALK_PAUSE;
}

bool lucks_step(Ai *ai) {
    Lucks *lucks = &ai->lucks;
    while (lucks->stage == LUCKS_LIST)
        if (!step_list(ai))
            return false;
    while (lucks->luck < LUCKS_MAX && lucks->count > 1 && ai->thinking == AI_SEARCH)
        if (!(lucks->stage == LUCKS_MAKE ? step_make(ai) : step_play(ai)))
            return false;
    return true;
}
