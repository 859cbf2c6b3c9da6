/* threads.h -- how the threads of the PostgreSQL store start, wait and end. Only for
 * store/postgres/.
 *
 * Nothing else of this store asks the system to schedule anything, and link.h has all that asks the
 * database or a clock. A program is linked with threads.c and link.c, or with those of a simulator
 * (tests/server/model/), in which threads take turns: each runs until it waits here or for the
 * database. */
#ifndef STORE_POSTGRES_THREADS_H
#define STORE_POSTGRES_THREADS_H
#include <pthread.h>

#include "base/text.h"
#include "store/lock.h"

/* Starts a thread with all signals blocked: the caller's thread handles them. False: with a
 * problem. */
bool thread_start(pthread_t *thread, void *(*run)(void *owner), void *owner, MashText *problem);
/* Waits until it has ended. */
void thread_join(pthread_t thread);

/* For thread_wait(): until somebody wakes it. */
#define THREAD_FOREVER UINT64_MAX
/* Prepares a condition for the other functions. */
void thread_condition_init(pthread_cond_t *wakes);
/* Waits on a condition for this long, or until it is woken; perhaps less. Under the lock, which is
 * free meanwhile. */
void thread_wait(pthread_cond_t *wakes, StoreLock *lock, uint64_t ms);
/* Wakes all who wait. */
void thread_wake(pthread_cond_t *wakes);

#endif
