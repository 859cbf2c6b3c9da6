/* buffer.c -- see buffer.h. */
#include "store/buffer.h"

#include <stdlib.h>

bool buffer_reserve(Buffer *buffer, size_t more) {
    size_t need = buffer->count + more;
    if (need <= buffer->max)
        return true;
    size_t max = buffer->max * 2 < need ? need : buffer->max * 2;
    uint8_t *bytes = realloc(buffer->bytes, max < 4096 ? 4096 : max);
    if (bytes == NULL)
        return false;
    buffer->bytes = bytes;
    buffer->max = max < 4096 ? 4096 : max;
    return true;
}

void buffer_swap(Buffer *filling, Buffer *writing) {
    Buffer empty = {.bytes = writing->bytes, .max = writing->max};
    *writing = *filling;
    *filling = empty;
}
