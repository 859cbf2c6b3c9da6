/* deadline.h -- times to wait until, by the monotonic clock. */
#ifndef STORE_DEADLINE_H
#define STORE_DEADLINE_H
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* This many milliseconds from now. */
struct timespec deadline_in_ms(uint32_t ms);
/* Is the first time earlier? */
bool deadline_before(struct timespec a, struct timespec b);

#endif
