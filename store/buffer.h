/* buffer.h -- a growing buffer. Only for store/. */
#ifndef STORE_BUFFER_H
#define STORE_BUFFER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing buffer. */
typedef struct Buffer {
    uint8_t *bytes;
    size_t count, max;
} Buffer;
/* Makes room for `more` bytes. False = no memory. */
bool buffer_reserve(Buffer *buffer, size_t more);
/* What was filled is to be written, and the memory of what was written is filled next. */
void buffer_swap(Buffer *filling, Buffer *writing);

#endif
