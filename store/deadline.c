/* deadline.c -- see deadline.h. */
#define _POSIX_C_SOURCE 200809L
#include "store/deadline.h"

struct timespec deadline_in_ms(uint32_t ms) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    long nanoseconds = time.tv_nsec + (long)(ms % 1000) * 1000000;
    time.tv_sec += (time_t)(ms / 1000) + nanoseconds / 1000000000;
    time.tv_nsec = nanoseconds % 1000000000;
    return time;
}

bool deadline_before(struct timespec a, struct timespec b) {
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}
