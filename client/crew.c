/* crew.c -- see crew.h. Threads live as long as a task: what is clear at once, such as the rest of
 * a planned turn, needs none. */
#define _POSIX_C_SOURCE 200809L
#include "client/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum {
    SLICE_NODES = 500, /* between two looks whether to stop: some milliseconds */
    WAIT_NS = 2000000, /* for the others, in one step */
};

/* One of the threads; the first member is the caller's and has none. */
typedef struct CrewMember {
    Crew *crew;
    Ai *ai;
    pthread_t thread;
    bool runs;      /* the thread is to be joined */
    uint32_t round; /* the last one that the thread has begun to search */
} CrewMember;

/* See crew.h. A team searches in rounds, between which it meets; `round` and `searching` are
 * protected by the lock. */
struct Crew {
    CrewMember members[AI_TEAM_MAX];
    Ai *searches[AI_TEAM_MAX]; /* of the members */
    uint32_t count;            /* members */
    uint32_t busy;             /* those that search the task */
    bool over;                 /* the task's search */
    pthread_mutex_t lock;
    pthread_cond_t news;
    uint32_t round, searching; /* threads that are not done with the round */
    atomic_bool stop;
};

/* What each thread does. */
static void *search(void *context) {
    CrewMember *member = context;
    Crew *crew = member->crew;
    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (!atomic_load(&crew->stop) && member->round == crew->round)
            pthread_cond_wait(&crew->news, &crew->lock);
        if (atomic_load(&crew->stop))
            break;
        member->round = crew->round;
        pthread_mutex_unlock(&crew->lock);
        while (!atomic_load(&crew->stop) && !ai_step(member->ai, SLICE_NODES))
            ;
        pthread_mutex_lock(&crew->lock);
        if (--crew->searching == 0)
            pthread_cond_broadcast(&crew->news);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

Crew *crew_open(const MashContent *content, uint32_t threads) {
    assert(threads >= 1 && threads <= AI_TEAM_MAX);
    Crew *crew = calloc(1, sizeof *crew);
    size_t bytes = (ai_bytes(content) + 63) / 64 * 64;
    if (crew == NULL)
        return NULL;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->news, NULL);
    for (; crew->count < threads; crew->count++) {
        CrewMember *member = &crew->members[crew->count];
        void *memory = aligned_alloc(64, bytes);
        if (memory == NULL) {
            crew_close(crew);
            return NULL;
        }
        member->crew = crew;
        member->ai = crew->searches[crew->count] = ai_init(content, memory);
    }
    return crew;
}

void crew_close(Crew *crew) {
    if (crew == NULL)
        return;
    crew_stop(crew);
    for (uint32_t i = 0; i < crew->count; i++)
        free(crew->members[i].ai);
    pthread_cond_destroy(&crew->news);
    pthread_mutex_destroy(&crew->lock);
    free(crew);
}

bool crew_is_for(const Crew *crew, const MashContent *content) {
    return crew != NULL && ai_is_for(crew->members[0].ai, content);
}

void crew_stop(Crew *crew) {
    pthread_mutex_lock(&crew->lock);
    atomic_store(&crew->stop, true);
    pthread_cond_broadcast(&crew->news);
    pthread_mutex_unlock(&crew->lock);
    for (uint32_t i = 1; i < crew->count; i++) {
        if (crew->members[i].runs)
            pthread_join(crew->members[i].thread, NULL);
        crew->members[i].runs = false;
    }
}

/* All threads begin to search what is theirs until the next meeting. */
static void begin_round(Crew *crew) {
    pthread_mutex_lock(&crew->lock);
    crew->searching = 0;
    for (uint32_t i = 1; i < crew->busy; i++)
        crew->searching += crew->members[i].runs;
    crew->round++;
    pthread_cond_broadcast(&crew->news);
    pthread_mutex_unlock(&crew->lock);
}

bool crew_begin(Crew *crew, const AiTask *task) {
    crew_stop(crew);
    atomic_store(&crew->stop, false);
    crew->over = false;
    crew->busy = ai_team_begin(crew->searches, crew->count, task);
    for (uint32_t i = 1; i < crew->busy; i++) {
        CrewMember *member = &crew->members[i];
        member->round = crew->round;
        member->runs = pthread_create(&member->thread, NULL, search, member) == 0;
    }
    if (crew->busy > 1)
        begin_round(crew);
    return crew->busy > 0;
}

/* Have all threads finished the round? Waits a little until they have. */
static bool have_finished(Crew *crew) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&crew->lock);
    while (crew->searching > 0 && pthread_cond_timedwait(&crew->news, &crew->lock, &until) == 0)
        ;
    bool finished = crew->searching == 0;
    pthread_mutex_unlock(&crew->lock);
    return finished;
}

bool crew_step(Crew *crew, uint32_t nodes) {
    if (crew->over || !ai_step(crew->members[0].ai, nodes))
        return crew->over;
    if (crew->busy > 1) {
        for (uint32_t i = 1; i < crew->busy; i++)
            while (!crew->members[i].runs && !ai_step(crew->members[i].ai, SLICE_NODES))
                ; /* no thread was to be had */
        if (!have_finished(crew))
            return false;
    }
    crew->over = ai_team_meet(crew->searches, crew->busy);
    if (!crew->over)
        begin_round(crew);
    return crew->over;
}

MashAction crew_answer(Crew *crew) {
    crew_stop(crew);
    if (!crew->over)
        crew->over = ai_team_meet(crew->searches, crew->busy);
    return ai_answer(crew->members[0].ai);
}

uint64_t crew_nodes(const Crew *crew) {
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < crew->busy; i++)
        nodes += ai_nodes(crew->members[i].ai);
    return nodes;
}
