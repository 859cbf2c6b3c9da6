/* lock.c -- see lock.h. */
#define _POSIX_C_SOURCE 200809L
#include "store/lock.h"

#include <assert.h>

void lock_make(StoreLock *lock) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    lock->made = pthread_mutex_init(&lock->mutex, &kind) == 0;
    pthread_mutexattr_destroy(&kind);
}

void lock_take(StoreLock *lock) {
    int code = lock->made ? pthread_mutex_lock(&lock->mutex) : -1;
    assert(code == 0);
    (void)code;
}

void lock_give(StoreLock *lock) {
    int code = pthread_mutex_unlock(&lock->mutex);
    assert(code == 0);
    (void)code;
}
