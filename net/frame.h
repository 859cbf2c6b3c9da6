/* frame.h -- outgoing bytes with reference counts, and the queue of one connection. */
#ifndef NET_FRAME_H
#define NET_FRAME_H
#include "net/websocket.h"

/* Bytes as they go over the wire. A WebSocket frame, or a part of an HTTP answer. */
struct NetFrame {
    NetMemoryBudget *memory;
    uint32_t references;
    uint32_t count;
    uint32_t header; /* how many of the bytes come before the payload */
    const uint8_t *bytes;
    uint8_t own[]; /* the bytes, unless they are lent */
};

/* A WebSocket frame of this kind; with a mask if it goes to a server. NULL = no memory. */
NetFrame *frame_new(NetMemoryBudget *memory, uint8_t kind, const void *bytes, uint32_t count,
                    const uint8_t *mask);
/* Bytes as they are: copied, or lent for as long as the frame lives. */
NetFrame *frame_copy(NetMemoryBudget *memory, const void *bytes, uint32_t count);
NetFrame *frame_lend(NetMemoryBudget *memory, const void *bytes, uint32_t count);

/* Frames in the order they go out. All zero = empty, without memory of its own. It must not move
 * while it holds frames: a few are stored inside it, more in allocated memory. */
typedef struct SendQueue {
    NetFrame *inline_frames[2];
    NetFrame **ring;            /* `inline_frames`, or allocated */
    uint32_t first, count, max; /* `max` is a power of two, or 0 */
    uint32_t written;           /* of the first frame */
    uint64_t bytes;             /* not yet written, of all */
} SendQueue;

/* Appends a frame; the queue holds a reference. False = no memory. */
bool queue_push(SendQueue *queue, NetFrame *frame);
/* What is still to be written of the frame at this index, 0 = first. False = there is none. */
bool send_queue_peek(const SendQueue *queue, uint32_t index, const uint8_t **bytes,
                     uint32_t *count);
/* Removes this many written bytes and releases whole frames. Returns how many. */
uint32_t queue_written(SendQueue *queue, uint64_t bytes);
/* Releases everything. */
void queue_clear(SendQueue *queue);

#endif
