/* progress.c -- see progress.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR_CELLS = 40, BAR_EVERY_MS = 100 };

/* Milliseconds of a clock. */
static uint64_t clock_ms(clockid_t which) {
    struct timespec now;
    clock_gettime(which, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t progress_clock_ms(void) { return clock_ms(CLOCK_MONOTONIC); }
uint64_t progress_cpu_ms(void) { return clock_ms(CLOCK_PROCESS_CPUTIME_ID); }

Progress progress_begin(void) {
    return (Progress){isatty(STDERR_FILENO) != 0, progress_clock_ms() + BAR_EVERY_MS};
}

void progress_show(Progress *progress, uint64_t done, uint64_t all) {
    if (!progress->shown || progress_clock_ms() < progress->next_ms)
        return;
    int full = (int)(done * BAR_CELLS / all);
    fprintf(stderr, "\r[");
    for (int i = 0; i < BAR_CELLS; i++)
        fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "] %llu of %llu", (unsigned long long)done, (unsigned long long)all);
    progress->next_ms = progress_clock_ms() + BAR_EVERY_MS;
}

void progress_end(const Progress *progress) {
    if (progress->shown)
        fprintf(stderr, "\r%*s\r", BAR_CELLS + 48, "");
}
