/* align.h -- sizes of objects that share one piece of lent memory. */
#ifndef BASE_ALIGN_H
#define BASE_ALIGN_H
#include <stddef.h>

/* The size rounded up to a multiple of 16, so that what follows is aligned for anything. */
static inline size_t align_16(size_t bytes) { return (bytes + 15) / 16 * 16; }

#endif
