/* jump.c -- a wall clock that jumps, for a process that is started with this as LD_PRELOAD: the
 * file named by MASHUP_JUMP holds the seconds by which it is currently wrong. Only the wall clock:
 * the monotonic clock is not changed, as on a machine whose date somebody sets. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

/* Declared here because the C library's own declarations differ in their attributes. */
int gettimeofday(struct timeval *restrict now, void *restrict zone);

static long jump_seconds(void) {
    const char *path = getenv("MASHUP_JUMP");
    long seconds = 0;
    FILE *file = path == NULL ? NULL : fopen(path, "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%ld", &seconds) != 1)
        seconds = 0;
    fclose(file);
    return seconds;
}

/* The real function of this name. */
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    int (*ask)(struct timeval *restrict, void *restrict);
    *(void **)&ask = real("gettimeofday");
    int code = ask(now, zone);
    now->tv_sec += jump_seconds();
    return code;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int (*ask)(clockid_t, struct timespec *);
    *(void **)&ask = real("clock_gettime");
    int code = ask(clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec += jump_seconds();
    return code;
}
