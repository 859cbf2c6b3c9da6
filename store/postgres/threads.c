/* threads.c -- see threads.h: threads of the system. */
#define _DEFAULT_SOURCE
#include "store/postgres/threads.h"

#include <signal.h>
#include <string.h>

#include "store/deadline.h"

bool thread_start(pthread_t *thread, void *(*run)(void *owner), void *owner, MashText *problem) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(thread, NULL, run, owner);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code != 0)
        text_format(problem, "cannot start a thread of the store: %s", strerror(code));
    return code == 0;
}

void thread_join(pthread_t thread) { pthread_join(thread, NULL); }

void thread_condition_init(pthread_cond_t *wakes) {
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(wakes, &clock);
    pthread_condattr_destroy(&clock);
}

void thread_wait(pthread_cond_t *wakes, StoreLock *lock, uint64_t ms) {
    if (ms == THREAD_FOREVER) {
        pthread_cond_wait(wakes, &lock->mutex);
        return;
    }
    struct timespec until = deadline_in_ms((uint32_t)(ms < UINT32_MAX ? ms : UINT32_MAX));
    pthread_cond_timedwait(wakes, &lock->mutex, &until);
}

void thread_wake(pthread_cond_t *wakes) { pthread_cond_broadcast(wakes); }
