/* thinker.c -- see thinker.h. */
#include "client/thinker.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Nodes between two checks of the clock: some milliseconds. */
enum { SLICE_NODES = 500 };

/* See thinker.h. */
struct Thinker {
    NetLoop *loop;
    NetTimer *timer;
    const AiSkill *skill;
    void (*call)(void *owner, MashAction action);
    void *owner;
    Ai *ai; /* NULL: no memory yet */
    AiPlan plan;
    uint64_t seed; /* combined with the view's hash it seeds the tie breaks, so they differ between
                      views */
    uint64_t hash, until_ms; /* hash: of the view in question */
    bool thinking;
};

/* Searches for a slice, then yields to the loop; answers when done or when time is over. */
static void on_slice(void *owner) {
    Thinker *thinker = owner;
    if (!ai_step(thinker->ai, SLICE_NODES) && net_now_ms(thinker->loop) < thinker->until_ms) {
        net_timer_start(thinker->timer, 0);
        return;
    }
    thinker->thinking = false;
    thinker->call(thinker->owner, ai_answer(thinker->ai));
}

Thinker *thinker_open(NetLoop *loop, const AiSkill *skill,
                      void (*call)(void *owner, MashAction action), void *owner) {
    Thinker *thinker = calloc(1, sizeof *thinker);
    if (thinker == NULL)
        return NULL;
    *thinker = (Thinker){.loop = loop, .skill = skill, .call = call, .owner = owner};
    thinker->timer = net_timer_open(loop, on_slice, thinker);
    net_random(loop, &thinker->seed, sizeof thinker->seed);
    if (thinker->timer != NULL)
        return thinker;
    free(thinker);
    return NULL;
}

void thinker_close(Thinker *thinker) {
    if (thinker == NULL)
        return;
    net_timer_close(thinker->timer);
    free(thinker->ai);
    free(thinker);
}

void thinker_stop(Thinker *thinker) {
    net_timer_stop(thinker->timer);
    thinker->thinking = false;
}

void thinker_forget(Thinker *thinker) {
    thinker_stop(thinker);
    free(thinker->ai);
    thinker->ai = NULL;
}

/* Memory for this content. */
static bool prepare(Thinker *thinker, const MashContent *content) {
    if (ai_is_for(thinker->ai, content))
        return true;
    thinker_forget(thinker);
    void *memory = aligned_alloc(64, (ai_bytes(content) + 63) / 64 * 64);
    if (memory == NULL)
        return false;
    thinker->ai = ai_init(content, memory);
    return true;
}

bool thinker_begin(Thinker *thinker, const MashContent *content, const void *view, uint8_t seat,
                   uint64_t until_ms) {
    uint64_t hash = hash_bytes(seat, view, content->limits.state_bytes);
    if (thinker->thinking && ai_is_for(thinker->ai, content) && thinker->hash == hash)
        return true;
    thinker_stop(thinker);
    if (!prepare(thinker, content))
        return false;
    AiTask task = {.skill = thinker->skill,
                   .view = view,
                   .plan = &thinker->plan,
                   .seat = seat,
                   .seed = hash_number(thinker->seed, hash)};
    if (!ai_begin(thinker->ai, &task))
        return false;
    thinker->thinking = true;
    thinker->hash = hash;
    thinker->until_ms = until_ms;
    net_timer_start(thinker->timer, 0);
    return true;
}
