/* lender.h -- divides one piece of lent memory among several objects. One function lists the
 * objects; without memory it only counts what they need. */
#ifndef BASE_LENDER_H
#define BASE_LENDER_H
#include <stddef.h>
#include <stdint.h>

/* The memory, aligned to 16 bytes, and how much of it is in use; `base` NULL: it only counts. */
typedef struct Lender {
    uint8_t *base;
    size_t used;
} Lender;

/* The size rounded up to a multiple of 16, so that what follows is aligned for anything. */
static inline size_t align_16(size_t bytes) { return (bytes + 15) / 16 * 16; }

/* The next piece of the memory; NULL if it only counts. */
static inline void *lend(Lender *lender, size_t bytes) {
    void *piece = lender->base == NULL ? NULL : lender->base + lender->used;
    lender->used += align_16(bytes);
    return piece;
}

#endif
