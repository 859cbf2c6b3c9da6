/* lock.h -- locks of the store's threads that notice when they are used wrongly: taken twice by
 * one thread, given back by one that has not taken it, or never made. That is our own mistake, so
 * it is asserted. */
#ifndef STORE_LOCK_H
#define STORE_LOCK_H
#include <pthread.h>
#include <stdbool.h>

/* A lock. Conditions wait with `mutex`; pthread_mutex_destroy() ends it. */
typedef struct StoreLock {
    pthread_mutex_t mutex;
    bool made;
} StoreLock;

/* Before its first use. */
void lock_make(StoreLock *lock);
/* Waits until it is free, and takes it. */
void lock_take(StoreLock *lock);
/* Gives it back. */
void lock_give(StoreLock *lock);

#endif
