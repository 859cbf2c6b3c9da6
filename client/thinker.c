/* thinker.c -- see thinker.h. */
#include "client/thinker.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "client/crew.h"

/* Nodes between two checks of the clock: some milliseconds. */
enum { SLICE_NODES = 500 };

/* See thinker.h. */
struct Thinker {
    NetLoop *loop;
    NetTimer *timer;
    const AiSkill *skill;
    uint32_t threads;
    void (*call)(void *owner, MashAction action);
    void *owner;
    Crew *crew; /* NULL: no memory yet */
    AiPlan plan;
    uint64_t seed; /* combined with the view's hash it seeds the tie breaks, so they differ between
                      views */
    uint64_t hash, until_ms; /* hash: of the view in question */
    bool thinking;
};

/* Searches for a slice, then yields to the loop; answers when done or when time is over. */
static void on_slice(void *owner) {
    Thinker *thinker = owner;
    if (!crew_step(thinker->crew, SLICE_NODES) && net_now_ms(thinker->loop) < thinker->until_ms) {
        net_timer_start(thinker->timer, 0);
        return;
    }
    thinker->thinking = false;
    thinker->call(thinker->owner, crew_answer(thinker->crew));
}

Thinker *thinker_open(NetLoop *loop, const AiSkill *skill, uint32_t threads,
                      void (*call)(void *owner, MashAction action), void *owner) {
    Thinker *thinker = calloc(1, sizeof *thinker);
    if (thinker == NULL)
        return NULL;
    *thinker =
        (Thinker){.loop = loop, .skill = skill, .threads = threads, .call = call, .owner = owner};
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
    crew_close(thinker->crew);
    free(thinker);
}

void thinker_stop(Thinker *thinker) {
    net_timer_stop(thinker->timer);
    if (thinker->crew != NULL)
        crew_stop(thinker->crew);
    thinker->thinking = false;
}

void thinker_forget(Thinker *thinker) {
    thinker_stop(thinker);
    crew_close(thinker->crew);
    thinker->crew = NULL;
}

/* Memory for this content. */
static bool prepare(Thinker *thinker, const MashContent *content) {
    if (crew_is_for(thinker->crew, content))
        return true;
    thinker_forget(thinker);
    thinker->crew = crew_open(content, thinker->threads);
    return thinker->crew != NULL;
}

bool thinker_begin(Thinker *thinker, const MashContent *content, const void *view, uint8_t seat,
                   uint64_t until_ms) {
    uint64_t hash = hash_bytes(seat, view, content->limits.state_bytes);
    if (thinker->thinking && crew_is_for(thinker->crew, content) && thinker->hash == hash)
        return true;
    thinker_stop(thinker);
    if (!prepare(thinker, content))
        return false;
    AiTask task = {.skill = thinker->skill,
                   .view = view,
                   .plan = &thinker->plan,
                   .seat = seat,
                   .seed = hash_number(thinker->seed, hash)};
    if (!crew_begin(thinker->crew, &task))
        return false;
    thinker->thinking = true;
    thinker->hash = hash;
    thinker->until_ms = until_ms;
    net_timer_start(thinker->timer, 0);
    return true;
}
