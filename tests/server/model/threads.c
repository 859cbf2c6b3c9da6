/* threads.c -- store/postgres/threads.h with coroutines: the threads of all nodes take turns. */
#include <assert.h>
#include <stdlib.h>

#include "tests/server/model/model.h"

enum { WORKERS_MAX = 64 };

/* A thread. */
typedef struct Worker {
    bool used;
    int node;
    Coroutine *coroutine;
    void *(*run)(void *owner);
    void (*spawned)(void *owner);
    void *owner;
    const pthread_cond_t *waits; /* for this condition; NULL = for the time alone */
    bool woken;
    uint64_t until_ms; /* by the clock of its node */
} Worker;

static Worker workers[WORKERS_MAX];
static Worker *current;

static void run(void *owner) {
    Worker *worker = owner;
    if (worker->run != NULL)
        worker->run(worker->owner);
    else
        worker->spawned(worker->owner);
}

/* A new thread of a node. */
static Worker *new_worker(int node, void *owner) {
    for (uint32_t i = 0; i < WORKERS_MAX; i++) {
        if (workers[i].used)
            continue;
        workers[i] = (Worker){.used = true, .node = node, .owner = owner};
        workers[i].coroutine = coroutine_new(run, &workers[i]);
        return &workers[i];
    }
    assert(false);
    return NULL;
}

/* Lets it run until it waits or ends. */
static void resume(Worker *worker) {
    Worker *outer = current;
    int node = model_node;
    current = worker;
    model_node = worker->node;
    worker->woken = false;
    coroutine_resume(worker->coroutine);
    current = outer;
    model_node = node;
}

/* Forgets one that has ended. */
static void release(Worker *worker) {
    coroutine_free(worker->coroutine);
    worker->coroutine = NULL;
    worker->used = false;
}

void threads_spawn(int node, void (*function)(void *owner), void *owner) {
    new_worker(node, owner)->spawned = function;
}

bool thread_start(pthread_t *thread, void *(*function)(void *owner), void *owner,
                  MashText *problem) {
    (void)problem;
    Worker *worker = new_worker(model_node, owner);
    worker->run = function;
    *thread = (pthread_t)(worker - workers);
    return true;
}

/* The joining thread has no time: the process is dead by now, so that everything it asks for fails.
 */
void thread_join(pthread_t thread) {
    Worker *worker = &workers[thread];
    while (!coroutine_ended(worker->coroutine))
        resume(worker);
    release(worker);
}

void thread_condition_init(pthread_cond_t *wakes) { pthread_cond_init(wakes, NULL); }

void thread_wait(pthread_cond_t *wakes, StoreLock *lock, uint64_t ms) {
    assert(current != NULL);
    current->waits = wakes;
    current->until_ms = ms == THREAD_FOREVER ? UINT64_MAX : link_clock_ms() + ms;
    lock_give(lock);
    coroutine_yield();
    lock_take(lock);
    current->waits = NULL;
}

void thread_wake(pthread_cond_t *wakes) {
    for (uint32_t i = 0; i < WORKERS_MAX; i++)
        workers[i].woken = workers[i].woken || (workers[i].used && workers[i].waits == wakes);
}

void threads_pause(uint64_t until_ms) {
    do {
        current->waits = NULL;
        current->until_ms = until_ms;
        coroutine_yield();
    } while (link_clock_ms() < until_ms && !model.dead[model_node]);
}

void threads_run(int node) {
    uint32_t first = model_draw(WORKERS_MAX);
    for (uint32_t i = 0; i < WORKERS_MAX; i++) {
        Worker *worker = &workers[(first + i) % WORKERS_MAX];
        if (!worker->used || worker->node != node || coroutine_ended(worker->coroutine) ||
            (!worker->woken && model_clock(node) < worker->until_ms))
            continue;
        resume(worker);
        if (worker->spawned != NULL && coroutine_ended(worker->coroutine))
            release(worker);
    }
}

uint32_t threads_count(int node) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < WORKERS_MAX; i++)
        count += workers[i].used && workers[i].node == node;
    return count;
}
