/* progress.h -- a bar on stderr for those who wait. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H
#include <stdbool.h>
#include <stdint.h>

/* A bar; it is drawn only if stderr is a terminal, and not too often. */
typedef struct Progress {
    bool shown;
    uint64_t next_ms;
} Progress;

/* Begins, shows how far it is, and wipes the line. */
Progress progress_begin(void);
void progress_show(Progress *progress, uint64_t done, uint64_t all);
void progress_end(const Progress *progress);

/* Milliseconds since some moment, and of CPU time. */
uint64_t progress_clock_ms(void);
uint64_t progress_cpu_ms(void);

#endif
