/* align.h -- sizes of what lies side by side in one piece of lent memory. */
#ifndef BASE_ALIGN_H
#define BASE_ALIGN_H
#include <stddef.h>

/* As many bytes as 16-byte pieces hold them: what lies behind is aligned for anything. */
static inline size_t align_16(size_t bytes) { return (bytes + 15) / 16 * 16; }

#endif
