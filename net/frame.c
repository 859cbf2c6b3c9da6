/* frame.c -- see frame.h. */
#include "net/frame.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A frame with memory for `own` bytes. */
static NetFrame *make(NetMemoryBudget *memory, uint32_t own) {
    uint64_t size = sizeof(NetFrame) + (uint64_t)own;
    if (!memory_budget_take(memory, size))
        return NULL;
    NetFrame *frame = malloc(size);
    if (frame == NULL) {
        memory_budget_give(memory, size);
        return NULL;
    }
    *frame = (NetFrame){.memory = memory, .references = 1, .count = own, .bytes = frame->own};
    return frame;
}

NetFrame *frame_new(NetMemoryBudget *memory, uint8_t kind, const void *bytes, uint32_t count,
                    const uint8_t *mask) {
    uint8_t header[WS_HEADER_MAX];
    uint32_t header_count = ws_write_header(header, kind, count, mask);
    NetFrame *frame =
        count > UINT32_MAX - WS_HEADER_MAX ? NULL : make(memory, header_count + count);
    if (frame == NULL)
        return NULL;
    frame->header = header_count;
    memcpy(frame->own, header, header_count);
    if (count > 0)
        memcpy(frame->own + header_count, bytes, count);
    if (mask != NULL)
        ws_mask(frame->own + header_count, count, mask);
    return frame;
}

NetFrame *frame_copy(NetMemoryBudget *memory, const void *bytes, uint32_t count) {
    NetFrame *frame = make(memory, count);
    if (frame != NULL && count > 0)
        memcpy(frame->own, bytes, count);
    return frame;
}

NetFrame *frame_lend(NetMemoryBudget *memory, const void *bytes, uint32_t count) {
    NetFrame *frame = make(memory, 0);
    if (frame == NULL)
        return NULL;
    frame->bytes = bytes;
    frame->count = count;
    return frame;
}

NetFrame *net_frame_keep(NetFrame *frame) {
    assert(frame->references > 0 && frame->references < UINT32_MAX);
    frame->references++;
    return frame;
}

void net_frame_release(NetFrame *frame) {
    if (frame == NULL)
        return;
    assert(frame->references > 0);
    if (--frame->references > 0)
        return;
    uint32_t own = frame->bytes == frame->own ? frame->count : 0;
    memory_budget_give(frame->memory, sizeof(NetFrame) + (uint64_t)own);
    free(frame);
}

/* --- Queues ----------------------------------------------------------------------------------- */

/* The frame at this index of the queue. */
static NetFrame *frame_at(const SendQueue *queue, uint32_t index) {
    return queue->ring[(queue->first + index) & (queue->max - 1)];
}

/* Frees the ring, if it has memory. */
static void free_ring(SendQueue *queue) {
    if (queue->ring != queue->inline_frames)
        free(queue->ring);
}

/* Enlarges the ring; its first frame moves to the start. */
static bool grow(SendQueue *queue) {
    bool first = queue->max == 0;
    uint32_t room =
        first ? sizeof queue->inline_frames / sizeof *queue->inline_frames : queue->max * 4;
    NetFrame **ring = first ? queue->inline_frames : malloc(room * sizeof(NetFrame *));
    if (ring == NULL)
        return false;
    for (uint32_t i = 0; i < queue->count; i++)
        ring[i] = frame_at(queue, i);
    free_ring(queue);
    queue->ring = ring;
    queue->max = room;
    queue->first = 0;
    return true;
}

bool queue_push(SendQueue *queue, NetFrame *frame) {
    if (queue->count == queue->max && !grow(queue))
        return false;
    queue->ring[(queue->first + queue->count) & (queue->max - 1)] = net_frame_keep(frame);
    queue->count++;
    queue->bytes += frame->count;
    return true;
}

bool send_queue_peek(const SendQueue *queue, uint32_t index, const uint8_t **bytes,
                     uint32_t *count) {
    if (index >= queue->count)
        return false;
    const NetFrame *frame = frame_at(queue, index);
    uint32_t skip = index == 0 ? queue->written : 0;
    *bytes = frame->bytes + skip;
    *count = frame->count - skip;
    return true;
}

uint32_t queue_written(SendQueue *queue, uint64_t bytes) {
    uint32_t frames = 0;
    assert(bytes <= queue->bytes);
    queue->bytes -= bytes;
    while (queue->count > 0) {
        NetFrame *frame = frame_at(queue, 0);
        uint32_t left = frame->count - queue->written;
        if (bytes < left) {
            queue->written += (uint32_t)bytes;
            return frames;
        }
        bytes -= left;
        net_frame_release(frame);
        queue->written = 0;
        queue->first++;
        queue->count--;
        frames++;
    }
    assert(bytes == 0 && queue->bytes == 0);
    queue_clear(queue);
    return frames;
}

void queue_clear(SendQueue *queue) {
    for (uint32_t i = 0; i < queue->count; i++)
        net_frame_release(frame_at(queue, i));
    free_ring(queue);
    *queue = (SendQueue){0};
}
