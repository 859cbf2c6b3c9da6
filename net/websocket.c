/* websocket.c -- see websocket.h. wslay takes frames apart and unmasks them; what a sequence of
 * frames means, and what is too much, is decided here. */
#include "net/websocket.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <wslay/wslay.h>

#include "base/utf8.h"

/* wslay's context, what feeds it, and a control frame on its way. */
struct WsDecoder {
    wslay_frame_context_ptr wslay;
    const uint8_t *bytes; /* not yet taken by wslay */
    size_t count;
    uint64_t owed; /* bytes wslay has taken that belong to no finished frame yet */
    uint64_t seen; /* of the current frame's payload */
    bool begun;    /* the current frame's header has been judged */
    uint8_t control_count;
    uint8_t control[WS_CONTROL_MAX];
};

/* One call of ws_read(). */
typedef struct Reading {
    WsReader *reader;
    WsStore *store;
    const WsRules *rules;
    const WsSink *sink;
    void *owner;
    const char *reason;
    bool stop;
} Reading;

bool memory_take(NetMemory *memory, uint64_t bytes) {
    if (bytes > memory->max || memory->used > memory->max - bytes)
        return false;
    memory->used += bytes;
    return true;
}

void memory_give(NetMemory *memory, uint64_t bytes) {
    assert(memory->used >= bytes);
    memory->used -= bytes;
}

/* --- Decoders --------------------------------------------------------------------------------- */

/* wslay asks for bytes. */
static ssize_t feed(uint8_t *out, size_t max, int flags, void *context) {
    WsDecoder *decoder = context;
    (void)flags;
    size_t count = decoder->count < max ? decoder->count : max;
    if (count == 0)
        return -1;
    memcpy(out, decoder->bytes, count);
    decoder->bytes += count;
    decoder->count -= count;
    decoder->owed += count;
    return (ssize_t)count;
}

/* Frees a decoder; NULL is none. */
static void decoder_free(WsDecoder *decoder) {
    if (decoder == NULL)
        return;
    wslay_frame_context_free(decoder->wslay);
    free(decoder);
}

/* A decoder of frames; NULL if there is no memory. */
static WsDecoder *decoder_new(void) {
    static const struct wslay_frame_callbacks callbacks = {.recv_callback = feed};
    WsDecoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL)
        return NULL;
    if (wslay_frame_context_init(&decoder->wslay, &callbacks, decoder) != 0) {
        free(decoder);
        return NULL;
    }
    return decoder;
}

/* What one decoder weighs, nearly. */
static const uint64_t decoder_bytes = sizeof(WsDecoder) + 4352;

/* Takes a decoder for as long as a frame is half read. False: there is no memory. */
static bool borrow_decoder(WsReader *reader, WsStore *store) {
    if (!memory_take(&store->memory, decoder_bytes))
        return false;
    reader->decoder = store->spare != NULL ? store->spare : decoder_new();
    store->spare = NULL;
    if (reader->decoder == NULL)
        memory_give(&store->memory, decoder_bytes);
    return reader->decoder != NULL;
}

/* `clean` = it stands between two frames and may serve another reader. */
static void return_decoder(WsReader *reader, WsStore *store, bool clean) {
    if (reader->decoder == NULL)
        return;
    memory_give(&store->memory, decoder_bytes);
    if (clean && store->spare == NULL)
        store->spare = reader->decoder;
    else
        decoder_free(reader->decoder);
    reader->decoder = NULL;
}

void ws_store_release(WsStore *store) {
    decoder_free(store->spare);
    store->spare = NULL;
}

/* --- Messages --------------------------------------------------------------------------------- */

bool ws_is_text(const char *bytes, uint32_t count) {
    uint32_t at = 0;
    while (at < count) {
        uint64_t eight;
        if (count - at >= sizeof eight) {
            memcpy(&eight, bytes + at, sizeof eight);
            if ((eight & 0x8080808080808080u) == 0) {
                at += sizeof eight;
                continue;
            }
        }
        uint32_t length = utf8_length(bytes + at, count - at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

/* Notes why reading fails; the code to close with. */
static uint16_t fail(Reading *reading, uint16_t code, const char *reason) {
    reading->reason = reason;
    return code;
}

/* Drops a half message and gives its memory back. */
static void forget_message(WsReader *reader, WsStore *store) {
    memory_give(&store->memory, reader->room);
    free(reader->message);
    reader->message = NULL;
    reader->count = reader->room = reader->frames = 0;
    reader->inside = reader->binary = false;
}

/* Room for so many bytes more; the buffer doubles, but never beyond what a message may have. */
static bool make_room(Reading *reading, uint32_t more) {
    WsReader *reader = reading->reader;
    uint32_t need = reader->count + more, room = reader->room < 256 ? 256 : reader->room;
    if (need <= reader->room)
        return true;
    while (room < need)
        room = room > UINT32_MAX / 2 ? need : room * 2;
    if (room > reading->rules->message_bytes_max)
        room = reading->rules->message_bytes_max;
    assert(room >= need);
    if (!memory_take(&reading->store->memory, room - reader->room))
        return false;
    char *message = realloc(reader->message, room);
    if (message == NULL) {
        memory_give(&reading->store->memory, room - reader->room);
        return false;
    }
    reader->message = message;
    reader->room = room;
    return true;
}

/* A whole text message, which must be UTF-8. 0, or the code to close with. */
static uint16_t tell_text(Reading *reading, const char *bytes, uint32_t count) {
    if (!ws_is_text(bytes, count))
        return fail(reading, NET_CLOSE_NOT_TEXT, "the message is not UTF-8");
    reading->stop = !reading->sink->on_text(reading->owner, bytes, count);
    return 0;
}

/* A message is whole and lies in the reader's buffer, unless it was binary. */
static uint16_t end_message(Reading *reading) {
    WsReader *reader = reading->reader;
    uint16_t code = 0;
    if (reader->binary)
        reading->stop = !reading->sink->on_binary(reading->owner);
    else
        code = tell_text(reading, reader->message == NULL ? "" : reader->message, reader->count);
    forget_message(reader, reading->store);
    return code;
}

/* --- Frames ----------------------------------------------------------------------------------- */

/* May this code stand in a close frame? */
static bool is_close_code(uint16_t code) {
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
           (code >= 3000 && code <= 4999);
}

/* The other side says goodbye: nothing more is read. 0, or the code to close with if it is
 * malformed. */
static uint16_t tell_close(Reading *reading, const uint8_t *bytes, uint32_t count) {
    char reason[WS_CONTROL_MAX] = {0};
    uint16_t code = NET_CLOSE_NO_STATUS;
    if (count == 1)
        return fail(reading, NET_CLOSE_PROTOCOL, "a close frame with half a code");
    if (count >= 2) {
        code = (uint16_t)(bytes[0] << 8 | bytes[1]);
        if (!is_close_code(code))
            return fail(reading, NET_CLOSE_PROTOCOL, "a close code that may not be sent");
        memcpy(reason, bytes + 2, count - 2);
        if (!ws_is_text(reason, count - 2))
            return fail(reading, NET_CLOSE_NOT_TEXT, "the reason is not UTF-8");
    }
    reading->stop = true;
    reading->sink->on_close(reading->owner, code, reason);
    return 0;
}

/* A whole control frame; a pong says nothing. 0, or the code to close with. */
static uint16_t end_control(Reading *reading, uint8_t kind) {
    WsDecoder *decoder = reading->reader->decoder;
    if (kind == WS_CLOSE)
        return tell_close(reading, decoder->control, decoder->control_count);
    if (kind == WS_PING)
        reading->stop =
            !reading->sink->on_ping(reading->owner, decoder->control, decoder->control_count);
    return 0;
}

/* Judges the first or a further frame of a message by its header. */
static uint16_t begin_data(Reading *reading, const struct wslay_frame_iocb *frame) {
    WsReader *reader = reading->reader;
    if (frame->opcode > WS_BINARY)
        return fail(reading, NET_CLOSE_PROTOCOL, "a frame of an unknown kind");
    if (reader->inside != (frame->opcode == WS_MORE))
        return fail(reading, NET_CLOSE_PROTOCOL, "frames of a message out of order");
    if (!reader->inside)
        reader->binary = frame->opcode == WS_BINARY;
    reader->inside = true;
    if (++reader->frames > reading->rules->message_frames_max)
        return fail(reading, NET_CLOSE_POLICY, "a message in too many frames");
    if (frame->payload_length > reading->rules->message_bytes_max - reader->count)
        return fail(reading, NET_CLOSE_TOO_BIG, "a message that is too big");
    if (reader->binary && !reading->rules->binary)
        return fail(reading, NET_CLOSE_UNSUPPORTED, "only text is taken here");
    return 0;
}

/* Judges a frame by its header; control frames are kept short and whole by wslay. */
static uint16_t begin_frame(Reading *reading, const struct wslay_frame_iocb *frame) {
    WsDecoder *decoder = reading->reader->decoder;
    decoder->begun = true;
    decoder->seen = 0;
    decoder->control_count = 0;
    if (frame->rsv != 0)
        return fail(reading, NET_CLOSE_PROTOCOL, "a frame with reserved bits");
    if (frame->mask != reading->rules->masked)
        return fail(reading, NET_CLOSE_PROTOCOL,
                    frame->mask ? "a masked frame from a server" : "a frame without mask");
    if (!reading->sink->on_frame(reading->owner))
        return fail(reading, NET_CLOSE_POLICY, "too many frames or bytes a second");
    if (frame->opcode < WS_CLOSE)
        return begin_data(reading, frame);
    if (frame->opcode > WS_PONG)
        return fail(reading, NET_CLOSE_PROTOCOL, "a frame of an unknown kind");
    return 0;
}

/* Puts a piece of a frame where it belongs. */
static uint16_t keep_piece(Reading *reading, const struct wslay_frame_iocb *piece) {
    WsReader *reader = reading->reader;
    WsDecoder *decoder = reader->decoder;
    uint32_t count = (uint32_t)piece->data_length;
    if (count == 0)
        return 0;
    if (piece->opcode >= WS_CLOSE) {
        assert(decoder->control_count + count <= WS_CONTROL_MAX);
        memcpy(decoder->control + decoder->control_count, piece->data, count);
        decoder->control_count = (uint8_t)(decoder->control_count + count);
        return 0;
    }
    if (!reader->binary && !make_room(reading, count))
        return fail(reading, NET_CLOSE_LATER, "there is no memory for this message");
    if (!reader->binary)
        memcpy(reader->message + reader->count, piece->data, count);
    reader->count += count;
    return 0;
}

/* A piece of a frame came out of wslay. */
static uint16_t take_piece(Reading *reading, const struct wslay_frame_iocb *piece) {
    WsReader *reader = reading->reader;
    WsDecoder *decoder = reader->decoder;
    uint16_t code = 0;
    if (!decoder->begun && (code = begin_frame(reading, piece)) != 0)
        return code;
    decoder->seen += piece->data_length;
    bool whole = decoder->seen == piece->payload_length;
    if (whole) {
        uint32_t header = piece->payload_length < 126 ? 2 : piece->payload_length < 65536 ? 4 : 10;
        decoder->owed -= header + (piece->mask ? 4u : 0u) + piece->payload_length;
        decoder->begun = false;
    }
    if (whole && piece->fin && reader->frames == 1 && reader->count == 0 && !reader->binary &&
        piece->opcode == WS_TEXT) {
        forget_message(reader, reading->store);
        return tell_text(reading, (const char *)piece->data, (uint32_t)piece->data_length);
    }
    if ((code = keep_piece(reading, piece)) != 0 || !whole)
        return code;
    if (piece->opcode >= WS_CLOSE)
        return end_control(reading, piece->opcode);
    return piece->fin ? end_message(reading) : 0;
}

uint16_t ws_read(WsReader *reader, WsStore *store, const WsRules *rules, const WsSink *sink,
                 void *owner, const uint8_t *bytes, size_t count, const char **reason) {
    Reading reading = {.reader = reader,
                       .store = store,
                       .rules = rules,
                       .sink = sink,
                       .owner = owner,
                       .reason = ""};
    uint16_t code = 0;
    if (count == 0)
        return 0;
    if (reader->decoder == NULL && !borrow_decoder(reader, store)) {
        *reason = "there is no memory for this message";
        return NET_CLOSE_LATER;
    }
    WsDecoder *decoder = reader->decoder;
    decoder->bytes = bytes;
    decoder->count = count;
    while (code == 0 && !reading.stop) {
        struct wslay_frame_iocb piece;
        ssize_t got = wslay_frame_recv(decoder->wslay, &piece);
        if (got == WSLAY_ERR_WANT_READ && decoder->count == 0)
            break;
        if (got >= 0)
            code = take_piece(&reading, &piece);
        else if (got != WSLAY_ERR_WANT_READ)
            code = fail(&reading, NET_CLOSE_PROTOCOL, "bytes that are no frame");
    }
    decoder->bytes = NULL;
    decoder->count = 0;
    if (code == 0 && !reading.stop && decoder->owed == 0)
        return_decoder(reader, store, true);
    *reason = reading.reason;
    return code;
}

bool ws_is_half(const WsReader *reader) { return reader->decoder != NULL || reader->inside; }

void ws_release(WsReader *reader, WsStore *store) {
    return_decoder(reader, store, false);
    forget_message(reader, store);
}

/* --- Writing ---------------------------------------------------------------------------------- */

uint32_t ws_write_header(uint8_t out[WS_HEADER_MAX], uint8_t kind, uint32_t count,
                         const uint8_t *mask) {
    uint32_t at = 2, length_bytes = count < 126 ? 0 : count < 65536 ? 2 : 8;
    uint8_t marker = length_bytes == 0 ? (uint8_t)count : length_bytes == 2 ? 126 : 127;
    out[0] = (uint8_t)(0x80 | kind);
    out[1] = (uint8_t)(marker | (mask != NULL ? 0x80 : 0));
    for (uint32_t i = length_bytes; i > 0; i--)
        out[at++] = i > 4 ? 0 : (uint8_t)(count >> (8 * (i - 1)));
    if (mask != NULL) {
        memcpy(out + at, mask, 4);
        at += 4;
    }
    return at;
}

void ws_mask(uint8_t *bytes, uint32_t count, const uint8_t mask[4]) {
    for (uint32_t i = 0; i < count; i++)
        bytes[i] ^= mask[i % 4];
}

uint32_t ws_write_close(uint8_t out[WS_CONTROL_MAX], uint16_t code, const char *reason) {
    if (code == NET_CLOSE_NO_STATUS)
        return 0;
    uint32_t count = 0, length = (uint32_t)strlen(reason), step;
    while (count < length && (step = utf8_length(reason + count, length - count)) > 0 &&
           count + step <= WS_CONTROL_MAX - 2)
        count += step;
    out[0] = (uint8_t)(code >> 8);
    out[1] = (uint8_t)code;
    memcpy(out + 2, reason, count);
    return count + 2;
}
