/* progress.h -- a progress bar on stderr. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H
#include <stdbool.h>
#include <stdint.h>

/* A progress bar; drawn only if stderr is a terminal, and not too often. */
typedef struct Progress {
    bool shown;
    uint64_t next_ms;
} Progress;

/* Starts the bar, updates it, and erases it. */
Progress progress_begin(void);
void progress_show(Progress *progress, uint64_t done, uint64_t all);
void progress_end(const Progress *progress);

/* Milliseconds of a monotonic clock, and of CPU time. */
uint64_t progress_clock_ms(void);
uint64_t progress_cpu_ms(void);

#endif
