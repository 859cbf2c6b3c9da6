/* deadline.c -- see deadline.h. */
#define _POSIX_C_SOURCE 200809L
#include "store/deadline.h"

enum { SECOND_MS = 1000, MS_NS = 1000000, SECOND_NS = 1000000000 };

struct timespec deadline_in_ms(uint32_t ms) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    long nanoseconds = time.tv_nsec + (long)(ms % SECOND_MS) * MS_NS;
    time.tv_sec += (time_t)(ms / SECOND_MS) + nanoseconds / SECOND_NS;
    time.tv_nsec = nanoseconds % SECOND_NS;
    return time;
}

bool deadline_before(struct timespec a, struct timespec b) {
    return a.tv_sec < b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec < b.tv_nsec);
}
