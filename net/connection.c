/* connection.c -- see connection.h. */
#define _GNU_SOURCE
#include "net/connection.h"

#include <assert.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

enum {
    GATHER_MAX = 64, /* frames in one write */
    HEAD_READ_BYTES = 16384,
    LATE_MS = 1000,      /* a sweep that is later than this was delayed by a stall of the process */
    ADDRESS_SHARES = 512 /* a socket that reads is limited for its address only beyond this fraction
                            of its bytes */
};

static NetConnection *of_stream(uv_stream_t *stream) { return stream->data; }
/* The connection as libuv's stream. */
static uv_stream_t *stream_of(NetConnection *connection) { return (uv_stream_t *)&connection->tcp; }
static NetMemoryBudget *memory_of(const NetConnection *connection) {
    return &connection->endpoint->loop->store.memory;
}

/* Something waits to be written: the loop handles it before it sleeps. */
static void mark_dirty(NetConnection *connection) {
    list_append(&connection->endpoint->loop->dirty, &connection->dirty);
}

/* --- The end ---------------------------------------------------------------------------------- */

/* Reports to the caller that the connection is gone, once, if it was ever reported open. Our own
 * close came first and counts. */
static void notify_close(NetConnection *connection, uint16_t code, const char *reason) {
    Endpoint *endpoint = connection->endpoint;
    if (!connection->close_owed)
        return;
    connection->close_owed = false;
    endpoint->stats.websockets -= !endpoint->is_client;
    if (connection->close_code != 0) {
        code = connection->close_code;
        reason = connection->close_reason != NULL ? connection->close_reason : "";
    }
    endpoint->calls.on_close(endpoint->owner, connection, code, reason);
}

/* libuv has closed the socket: the endpoint frees the connection. */
static void on_closed(uv_handle_t *handle) {
    NetConnection *connection = handle->data;
    connection->endpoint->on_gone(connection);
}

void connection_charge(NetConnection *connection) {
    if (connection->address == NULL)
        return;
    connection->address->queued += connection->queue.bytes - connection->charged;
    connection->charged = connection->queue.bytes;
}

void connection_release(NetConnection *connection) {
    ws_release(&connection->reader, &connection->endpoint->loop->store);
    queue_clear(&connection->queue);
    connection_charge(connection);
    memory_budget_give(memory_of(connection), connection->head_count);
    free(connection->head);
    free(connection->close_reason);
}

/* `reset` = what the peer has not read yet is discarded. */
static void close_socket(NetConnection *connection, bool reset) {
    assert(connection->phase != PHASE_GONE);
    connection->phase = PHASE_GONE;
    list_remove(&connection->dirty);
    list_remove(&connection->waiting);
    list_remove(&connection->stuck);
    if (uv_is_closing((uv_handle_t *)&connection->tcp))
        return; /* a client between two addresses: it will notice that it is gone */
    if (!reset || uv_tcp_close_reset(&connection->tcp, on_closed) != 0)
        uv_close((uv_handle_t *)&connection->tcp, on_closed);
}

void connection_end(NetConnection *connection, uint16_t code, const char *reason) {
    if (connection->phase == PHASE_GONE)
        return;
    close_socket(connection, false);
    notify_close(connection, code, reason);
}

/* Closes it and discards what the system has still to send. */
static void cut_off(NetConnection *connection, uint16_t code, const char *reason) {
    close_socket(connection, true);
    notify_close(connection, code, reason);
}

void connection_drop(NetConnection *connection) {
    connection->close_owed = false;
    list_remove(&connection->member);
    if (connection->phase != PHASE_GONE)
        close_socket(connection, true);
}

void connection_linger(NetConnection *connection) {
    connection->phase = PHASE_LINGER;
    connection_wait(connection, TIMEOUT_CLOSE);
    mark_dirty(connection);
}

void connection_close_later(NetConnection *connection, uint16_t code, const char *reason) {
    if (connection->pending_close_code != 0 || connection->phase == PHASE_GONE)
        return;
    connection->pending_close_code = code;
    connection->pending_close_reason = reason;
    mark_dirty(connection);
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Does the frame exceed the queue limit of a slow reader? A frame alone never does. The limit is
 * lower when memory runs short; and when much is queued for its address, nothing more is queued for
 * a reader that has not taken what it was sent, and little for others. */
static bool is_too_slow(const NetConnection *connection, uint32_t more) {
    const NetLimits *limits = &connection->endpoint->limits;
    const NetMemoryBudget *memory = memory_of(connection);
    const SendQueue *queue = &connection->queue;
    uint64_t max = limits->queue_bytes_max, address_max = limits->address_queue_max;
    if (memory->used > memory->max / 4 * 3)
        max /= 16;
    if (connection->address != NULL && connection->address->queued + more > address_max) {
        uint64_t share = connection->writing != NULL ? 0 : address_max / ADDRESS_SHARES;
        max = max < share ? max : share;
    }
    return queue->count > 0 &&
           (queue->count >= limits->queue_frames_max || queue->bytes + more > max);
}

/* The queue is written with the next frame, or when it has waited long enough. */
static void mark_lazy(NetConnection *connection) {
    NetLoop *loop = connection->endpoint->loop;
    if (!list_empty(&connection->dirty))
        return;
    connection->lazy_ms = net_now_ms(loop) + NET_BATCH_MS;
    list_append(&loop->batched, &connection->dirty);
    loop_start_batch_timer(loop);
}

/* Queues a WebSocket frame, or marks the connection for closing. */
static bool push(NetConnection *connection, NetFrame *frame, bool lazily) {
    if (connection->pending_close_code != 0)
        return false;
    if (is_too_slow(connection, frame->count) || !queue_push(&connection->queue, frame)) {
        connection->endpoint->stats.cut_slow++;
        connection_close_later(connection, NET_CLOSE_ABNORMAL, "the peer reads too slowly");
        return false;
    }
    connection_charge(connection);
    if (lazily)
        mark_lazy(connection);
    else
        mark_dirty(connection);
    return true;
}

/* Queues a frame made for this connection alone. */
static bool push_new(NetConnection *connection, uint8_t kind, const void *bytes, uint32_t count) {
    uint8_t mask[4];
    bool masked = connection->endpoint->is_client;
    if (masked)
        loop_mask(connection->endpoint->loop, mask);
    NetFrame *frame = frame_new(memory_of(connection), kind, bytes, count, masked ? mask : NULL);
    if (frame == NULL) {
        connection_close_later(connection, NET_CLOSE_TRY_AGAIN_LATER, "out of memory");
        return false;
    }
    bool pushed = push(connection, frame, false);
    net_frame_release(frame);
    return pushed;
}

bool connection_queue(NetConnection *connection, NetFrame *frame) {
    bool queued = frame != NULL && queue_push(&connection->queue, frame);
    net_frame_release(frame);
    connection_charge(connection);
    if (!queued)
        connection_close_later(connection, NET_CLOSE_TRY_AGAIN_LATER, "out of memory");
    return queued;
}

/* Collects what to write next; returns the number of bytes. */
static uint64_t gather(const NetConnection *connection, uv_buf_t *buffers, uint32_t *count) {
    const uint8_t *bytes;
    uint32_t length;
    uint64_t total = 0;
    *count = 0;
    while (*count < GATHER_MAX && send_queue_peek(&connection->queue, *count, &bytes, &length)) {
        buffers[(*count)++] = uv_buf_init((char *)(uintptr_t)bytes, length);
        total += length;
    }
    return total;
}

/* Removes what was written from the queue, and counts it. */
static void count_written(NetConnection *connection, uint64_t bytes) {
    NetStats *stats = &connection->endpoint->stats;
    stats->frames_out += queue_written(&connection->queue, bytes);
    stats->bytes_out += bytes;
    connection->written += bytes;
    connection_charge(connection);
}

/* One write in progress. */
typedef struct WriteRequest {
    uv_write_t uv;
    uint64_t bytes;
} WriteRequest;

/* How many bytes the peer has taken so far: what was handed to the system, less what is
 * unacknowledged there. This distinguishes a slow reader from one that does not read. */
static uint64_t bytes_taken(NetConnection *connection) {
    uint64_t handed = connection->written;
    uv_os_fd_t socket;
    int waiting = 0;
    if (connection->writing != NULL)
        handed += ((WriteRequest *)connection->writing)->bytes -
                  uv_stream_get_write_queue_size(stream_of(connection));
    if (uv_fileno((uv_handle_t *)&connection->tcp, &socket) == 0)
        ioctl(socket, SIOCOUTQ, &waiting);
    return handed - (uint64_t)waiting;
}

/* From now on checks regularly whether the peer takes anything. */
static void watch_taking(NetConnection *connection) {
    Endpoint *endpoint = connection->endpoint;
    connection->taken = bytes_taken(connection);
    connection->stuck_ms = net_now_ms(endpoint->loop) + endpoint->limits.send_ms;
    list_append(&endpoint->stuck, &connection->stuck);
}

/* Everything queued is written: an HTTP answer is complete; after a close frame our end is shut
 * down. */
static void after_write(NetConnection *connection) {
    if (connection->phase == PHASE_HEAD) {
        connection->endpoint->on_written(connection);
    } else if (connection->phase == PHASE_LINGER && !connection->write_closed) {
        uv_os_fd_t socket;
        connection->write_closed = true;
        if (uv_fileno((uv_handle_t *)&connection->tcp, &socket) == 0)
            shutdown(socket, SHUT_WR);
    }
}

/* libuv has written a part, or failed. */
static void on_written(uv_write_t *request, int status) {
    NetConnection *connection = of_stream(request->handle);
    uint64_t bytes = ((WriteRequest *)request)->bytes;
    connection->writing = NULL;
    free(request);
    if (connection->phase == PHASE_GONE)
        return;
    if (status < 0) {
        connection_end(connection, NET_CLOSE_ABNORMAL, "connection lost while writing");
        return;
    }
    count_written(connection, bytes);
    if (connection->pending_close_code == 0 && connection_write(connection))
        after_write(connection);
}

/* The system takes no more for now: libuv continues when it does. */
static void write_later(NetConnection *connection) {
    uv_buf_t buffers[GATHER_MAX];
    uint32_t count;
    WriteRequest *writing = malloc(sizeof *writing);
    if (writing == NULL) {
        connection_end(connection, NET_CLOSE_TRY_AGAIN_LATER, "out of memory");
        return;
    }
    writing->bytes = gather(connection, buffers, &count);
    if (uv_write(&writing->uv, stream_of(connection), buffers, count, on_written) != 0) {
        free(writing);
        connection_end(connection, NET_CLOSE_ABNORMAL, "connection lost while writing");
        return;
    }
    connection->writing = &writing->uv;
    if (list_empty(&connection->stuck))
        watch_taking(connection);
}

/* A write of encrypted bytes is done, or failed. */
static void on_sealed_written(uv_write_t *request, int status) {
    NetConnection *connection = of_stream(request->handle);
    connection->sealed--;
    free(request->data);
    free(request);
    if (connection->phase == PHASE_GONE)
        return;
    if (status < 0)
        connection_end(connection, NET_CLOSE_ABNORMAL, "connection lost while writing");
    else if (connection_write(connection))
        after_write(connection);
}

void connection_write_sealed(NetConnection *connection, char *bytes, uint32_t count) {
    uv_write_t *request = malloc(sizeof *request);
    uv_buf_t buffer = uv_buf_init(bytes, count);
    if (request != NULL) {
        request->data = bytes;
        connection->sealed++;
        if (uv_write(request, stream_of(connection), &buffer, 1, on_sealed_written) == 0)
            return;
        connection->sealed--;
        free(request);
    }
    free(bytes);
    connection_close_later(connection, NET_CLOSE_ABNORMAL, "connection lost while writing");
}

/* Encrypts all that is queued; true = all of it is written. A client queues little, so nothing is
 * kept back from a peer that reads slowly. */
static bool seal_queue(NetConnection *connection) {
    while (connection->queue.count > 0) {
        uv_buf_t buffers[GATHER_MAX];
        uint32_t count;
        uint64_t total = gather(connection, buffers, &count);
        for (uint32_t i = 0; i < count; i++)
            if (!connection->endpoint->seal(connection, buffers[i].base,
                                            (uint32_t)buffers[i].len)) {
                connection_end(connection, NET_CLOSE_ABNORMAL, "connection lost while writing");
                return false;
            }
        count_written(connection, total);
    }
    return connection->sealed == 0;
}

bool connection_write(NetConnection *connection) {
    if (connection->endpoint->seal != NULL)
        return seal_queue(connection);
    if (connection->writing != NULL)
        return false;
    while (connection->queue.count > 0) {
        uv_buf_t buffers[GATHER_MAX];
        uint32_t count;
        uint64_t total = gather(connection, buffers, &count);
        int wrote = uv_try_write(stream_of(connection), buffers, count);
        if (wrote < 0 && wrote != UV_EAGAIN) {
            connection_end(connection, NET_CLOSE_ABNORMAL, "connection lost while writing");
            return false;
        }
        if (wrote > 0)
            count_written(connection, (uint64_t)wrote);
        if (wrote < 0 || (uint64_t)wrote < total) {
            write_later(connection);
            return false;
        }
    }
    list_remove(&connection->stuck);
    return true;
}

void connection_flush_soon(NetConnection *connection) { mark_dirty(connection); }

void connection_flush(NetConnection *connection) {
    if (connection->pending_close_code != 0)
        cut_off(connection, connection->pending_close_code, connection->pending_close_reason);
    else if (connection_write(connection))
        after_write(connection);
}

/* --- WebSocket -------------------------------------------------------------------------------- */

/* Queues our close frame after everything else. */
static void push_close(NetConnection *connection, uint16_t code, const char *reason) {
    uint8_t payload[WS_CONTROL_MAX];
    uint32_t count = ws_write_close(payload, code, reason);
    push_new(connection, WS_CLOSE, payload, count);
}

/* The peer violated the protocol: sends a close frame and reads nothing more. */
static void fail(NetConnection *connection, uint16_t code, const char *reason) {
    if (connection->phase == PHASE_OPEN)
        push_close(connection, code, reason);
    if (code != NET_CLOSE_POLICY && code != NET_CLOSE_TRY_AGAIN_LATER)
        connection->endpoint->stats.cut_broken++;
    connection_linger(connection);
    notify_close(connection, code, reason);
}

/* A frame begins. False: it exceeds the socket's rate. */
static bool sink_frame(void *owner) {
    NetConnection *connection = owner;
    Endpoint *endpoint = connection->endpoint;
    if (token_bucket_take(&connection->frames, endpoint->limits.socket_frames,
                          net_now_ms(endpoint->loop), 1))
        return true;
    endpoint->stats.cut_rate++;
    return false;
}

/* A whole text message: passed on while the connection is open. False: nothing more is read. */
static bool sink_text(void *owner, const char *bytes, uint32_t count) {
    NetConnection *connection = owner;
    Endpoint *endpoint = connection->endpoint;
    connection->mid_message = false;
    endpoint->stats.messages_in++;
    if (connection->phase == PHASE_OPEN && connection->pending_close_code == 0)
        endpoint->calls.on_message(endpoint->owner, connection, bytes, count);
    return connection->phase < PHASE_LINGER;
}

/* A whole binary message: reported without its bytes. False: nothing more is read. */
static bool sink_binary(void *owner) {
    NetConnection *connection = owner;
    Endpoint *endpoint = connection->endpoint;
    connection->mid_message = false;
    if (connection->phase == PHASE_OPEN && connection->pending_close_code == 0)
        endpoint->calls.on_binary(endpoint->owner, connection);
    return connection->phase < PHASE_LINGER;
}

/* A ping: answered while the connection is open. */
static bool sink_ping(void *owner, const uint8_t *bytes, uint32_t count) {
    NetConnection *connection = owner;
    if (connection->phase == PHASE_OPEN)
        push_new(connection, WS_PONG, bytes, count);
    return true;
}

/* The peer's close frame: ours is queued already, or echoes it. */
static void sink_close(void *owner, uint16_t code, const char *reason) {
    NetConnection *connection = owner;
    if (connection->phase == PHASE_OPEN)
        push_close(connection, code, "");
    connection_linger(connection);
    notify_close(connection, code, reason);
}

static const WsSink sink = {sink_frame, sink_text, sink_binary, sink_ping, sink_close};

void connection_receive(NetConnection *connection, const char *bytes, uint32_t count) {
    Endpoint *endpoint = connection->endpoint;
    const NetLimits *limits = &endpoint->limits;
    WsRules rules = {.masked = !endpoint->is_client,
                     .binary = endpoint->calls.on_binary != NULL,
                     .message_bytes_max = limits->message_bytes_max,
                     .message_frames_max = limits->message_frames_max};
    endpoint->stats.bytes_in += count;
    connection->active = true;
    if (connection->wait == TIMEOUT_PONG)
        connection_wait(connection, TIMEOUT_PING);
    if (!token_bucket_take(&connection->bytes, limits->socket_bytes, net_now_ms(endpoint->loop),
                           count)) {
        endpoint->stats.cut_rate++;
        fail(connection, NET_CLOSE_POLICY, "too many bytes a second");
        return;
    }
    const char *reason = "";
    uint16_t code = ws_read(&connection->reader, &endpoint->loop->store, &rules, &sink, connection,
                            (const uint8_t *)bytes, count, &reason);
    if (code != 0 && connection->phase < PHASE_LINGER)
        fail(connection, code, reason);
}

void connection_open(NetConnection *connection) {
    connection->phase = PHASE_OPEN;
    connection->close_owed = true;
    connection->endpoint->stats.websockets += !connection->endpoint->is_client;
    connection_wait(connection, TIMEOUT_PING);
    mark_dirty(connection);
}

/* net_send() and net_send_batched(). */
static bool send_frame(NetConnection *connection, NetFrame *frame, bool lazily) {
    if (connection->phase != PHASE_OPEN)
        return false;
    if (frame == NULL) {
        connection_close_later(connection, NET_CLOSE_TRY_AGAIN_LATER, "out of memory");
        return false;
    }
    if (connection->endpoint->is_client)
        return push_new(connection, WS_TEXT, frame->bytes + frame->header,
                        frame->count - frame->header);
    return push(connection, frame, lazily);
}

bool net_send(NetConnection *connection, NetFrame *frame) {
    return send_frame(connection, frame, false);
}

bool net_send_batched(NetConnection *connection, NetFrame *frame) {
    return send_frame(connection, frame, true);
}

bool net_send_text(NetConnection *connection, const char *bytes, uint32_t count) {
    return connection->phase == PHASE_OPEN && push_new(connection, WS_TEXT, bytes, count);
}

NetFrame *net_frame_new(NetLoop *loop, const char *bytes, uint32_t count) {
    return frame_new(&loop->store.memory, WS_TEXT, bytes, count, NULL);
}

void net_close(NetConnection *connection, uint16_t code, const char *reason) {
    if (connection->phase == PHASE_HEAD && connection->endpoint->is_client)
        connection_close_later(connection, code, "closed before it was open");
    if (connection->phase != PHASE_OPEN)
        return;
    push_close(connection, code, reason);
    connection->phase = PHASE_CLOSING;
    connection->close_code = code;
    connection->close_reason = strndup(reason, WS_CONTROL_MAX - 2);
    connection_wait(connection, TIMEOUT_CLOSE);
}

void net_set_owner(NetConnection *connection, void *owner) { connection->owner = owner; }

void *net_owner(const NetConnection *connection) { return connection->owner; }

/* --- Reading ---------------------------------------------------------------------------------- */

/* All connections read into the same buffer: what is not used immediately is copied by its
 * reader. */
static void lend_bytes(uv_handle_t *handle, size_t wanted, uv_buf_t *buffer) {
    NetConnection *connection = handle->data;
    (void)wanted;
    *buffer = uv_buf_init(connection->endpoint->loop->bytes,
                          connection->phase == PHASE_HEAD ? HEAD_READ_BYTES : LOOP_READ_BYTES);
}

void connection_deliver(NetConnection *connection, char *bytes, uint32_t count) {
    if (connection->phase >= PHASE_LINGER)
        return;
    if (connection->phase == PHASE_HEAD)
        connection->endpoint->on_head(connection, bytes, count);
    else
        connection_receive(connection, bytes, count);
}

/* Bytes arrived; or the end or an error, which close the connection. */
static void on_read(uv_stream_t *stream, ssize_t got, const uv_buf_t *buffer) {
    NetConnection *connection = of_stream(stream);
    if (got == UV_EOF)
        connection_end(connection, NET_CLOSE_ABNORMAL, "the peer closed the connection");
    else if (got < 0)
        connection_end(connection, NET_CLOSE_ABNORMAL, "connection lost");
    else if (got > 0 && connection->endpoint->on_sealed != NULL)
        connection->endpoint->on_sealed(connection, buffer->base, (uint32_t)got);
    else if (got > 0)
        connection_deliver(connection, buffer->base, (uint32_t)got);
}

void connection_start(NetConnection *connection) {
    if (connection->reading || connection->phase == PHASE_GONE)
        return;
    connection->reading = true;
    if (uv_read_start(stream_of(connection), lend_bytes, on_read) != 0)
        connection_close_later(connection, NET_CLOSE_ABNORMAL, "connection lost");
}

void connection_pause(NetConnection *connection) {
    connection->reading = false;
    if (connection->phase != PHASE_GONE)
        uv_read_stop(stream_of(connection));
}

bool connection_init(NetConnection *connection, Endpoint *endpoint) {
    *connection = (NetConnection){.endpoint = endpoint};
    list_init(&connection->member);
    list_init(&connection->dirty);
    list_init(&connection->waiting);
    list_init(&connection->stuck);
    if (uv_tcp_init(&endpoint->loop->uv, &connection->tcp) != 0)
        return false;
    connection->tcp.data = connection;
    return true;
}

void connection_keep(NetConnection *connection, const char *bytes, uint32_t count) {
    NetMemoryBudget *memory = memory_of(connection);
    char *kept = NULL;
    if (count > 0 && memory_budget_take(memory, count)) {
        kept = malloc(count);
        if (kept == NULL)
            memory_budget_give(memory, count);
        else
            memcpy(kept, bytes, count);
    }
    memory_budget_give(memory, connection->head_count);
    free(connection->head);
    connection->head = kept;
    connection->head_count = kept == NULL ? 0 : count;
    if (count > 0 && kept == NULL)
        connection_close_later(connection, NET_CLOSE_TRY_AGAIN_LATER, "out of memory");
}

bool connection_add(NetConnection *connection, const char *bytes, uint32_t count) {
    NetMemoryBudget *memory = memory_of(connection);
    if (count == 0)
        return true;
    bool allowed = memory_budget_take(memory, count);
    char *kept = allowed ? realloc(connection->head, connection->head_count + count) : NULL;
    if (kept == NULL) {
        if (allowed)
            memory_budget_give(memory, count);
        connection_close_later(connection, NET_CLOSE_TRY_AGAIN_LATER, "out of memory");
        return false;
    }
    memcpy(kept + connection->head_count, bytes, count);
    connection->head = kept;
    connection->head_count += count;
    return true;
}

/* --- Timeouts --------------------------------------------------------------------------------- */

/* The timeout for this by the limits. */
static uint32_t timeout_ms(const NetLimits *limits, ConnectionTimeout wait) {
    switch (wait) {
    case TIMEOUT_HEAD:
        return limits->request_ms;
    case TIMEOUT_NEXT:
        return limits->idle_ms;
    case TIMEOUT_REPLY:
        return limits->send_ms;
    case TIMEOUT_PING:
        return limits->ping_ms;
    case TIMEOUT_PONG:
        return limits->pong_ms;
    default:
        return limits->close_ms;
    }
}

void connection_wait(NetConnection *connection, ConnectionTimeout wait) {
    Endpoint *endpoint = connection->endpoint;
    connection->wait = (uint8_t)wait;
    connection->deadline_ms = net_now_ms(endpoint->loop) + timeout_ms(&endpoint->limits, wait);
    list_append(&endpoint->waits[wait], &connection->waiting);
}

/* Nothing was received for a while, or it is time to check whether an unfinished message makes
 * progress. */
static void check_one_timeout(NetConnection *connection) {
    bool half = ws_is_half(&connection->reader);
    if (half && connection->mid_message) {
        fail(connection, NET_CLOSE_POLICY, "message too long");
        return;
    }
    connection->mid_message = half;
    if (connection->active) {
        connection_wait(connection, TIMEOUT_PING);
    } else {
        connection_wait(connection, TIMEOUT_PONG);
        push_new(connection, WS_PING, "", 0);
    }
    connection->active = false;
}

/* A write takes long: that is fine as long as the peer takes anything. */
static void look_at_taking(NetConnection *connection) {
    if (bytes_taken(connection) != connection->taken) {
        watch_taking(connection);
        return;
    }
    connection->endpoint->stats.cut_slow++;
    cut_off(connection, NET_CLOSE_ABNORMAL, "the peer reads too slowly");
}

/* A timeout: pings, checks for progress, or closes the connection. */
static void on_timeout(NetConnection *connection) {
    switch ((ConnectionTimeout)connection->wait) {
    case TIMEOUT_PING:
        check_one_timeout(connection);
        break;
    case TIMEOUT_PONG:
        connection->endpoint->stats.cut_silent++;
        cut_off(connection, NET_CLOSE_ABNORMAL, "no reply to ping");
        break;
    case TIMEOUT_HEAD:
        connection_end(connection, NET_CLOSE_ABNORMAL, "timeout");
        break;
    default:
        cut_off(connection, NET_CLOSE_ABNORMAL, "timeout while closing");
        break;
    }
}

/* Every connection whose deadline is handled moves to the end of some queue with a later deadline,
 * or closes. */
static void check_timeouts(uv_timer_t *timer) {
    Endpoint *endpoint = timer->data;
    uint64_t now_ms = net_now_ms(endpoint->loop);
    bool late = now_ms - endpoint->swept_ms > 2 * endpoint->period_ms + LATE_MS;
    endpoint->swept_ms = now_ms;
    if (late) /* the process was stalled: first read what has arrived meanwhile */
        return;
    for (int wait = 0; wait < WAITS; wait++) {
        ListLink *row = &endpoint->waits[wait];
        while (!list_empty(row)) {
            NetConnection *first = LIST_ENTRY(row->next, NetConnection, waiting);
            if (first->deadline_ms > now_ms)
                break;
            on_timeout(first);
        }
    }
    while (!list_empty(&endpoint->stuck)) {
        NetConnection *first = LIST_ENTRY(endpoint->stuck.next, NetConnection, stuck);
        if (first->stuck_ms > now_ms)
            break;
        look_at_taking(first);
    }
}

bool side_shed(Endpoint *endpoint) {
    static const ConnectionTimeout rows[] = {TIMEOUT_NEXT, TIMEOUT_HEAD};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ListLink *row = &endpoint->waits[rows[i]];
        NetConnection *first = LIST_ENTRY(row->next, NetConnection, waiting);
        if (list_empty(row) ||
            first->deadline_ms + SHED_MS >
                net_now_ms(endpoint->loop) + timeout_ms(&endpoint->limits, rows[i]))
            continue;
        endpoint->stats.shed++;
        if (first->address !=
            NULL) /* its place is free immediately, also for one of the same address */
            first->address->sockets--;
        first->address = NULL;
        cut_off(first, NET_CLOSE_TRY_AGAIN_LATER, "others need the place");
        return true;
    }
    return false;
}

void endpoint_init(Endpoint *endpoint) {
    uint32_t period_ms = 4000;
    for (int wait = 0; wait < WAITS; wait++) {
        uint32_t patience = timeout_ms(&endpoint->limits, (ConnectionTimeout)wait);
        assert(patience > 0);
        list_init(&endpoint->waits[wait]);
        period_ms = patience < period_ms ? patience : period_ms;
    }
    list_init(&endpoint->stuck);
    period_ms = endpoint->limits.send_ms < period_ms ? endpoint->limits.send_ms : period_ms;
    period_ms = period_ms / 4 + 1;
    uv_timer_init(&endpoint->loop->uv, &endpoint->timeout_sweep);
    endpoint->timeout_sweep.data = endpoint;
    endpoint->period_ms = period_ms;
    endpoint->swept_ms = net_now_ms(endpoint->loop);
    uv_timer_start(&endpoint->timeout_sweep, check_timeouts, period_ms, period_ms);
}
