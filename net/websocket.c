/* websocket.c -- see websocket.h. A decoder parses frames and unmasks them piece by piece; the
 * sequence of frames and the limits are checked after it. */
#include "net/websocket.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

/* The most bytes of a payload that are unmasked in one step. */
enum { PIECE_BYTES = 4096 };

/* A frame by its header. */
typedef struct WsFrame {
    bool fin, masked;
    uint8_t reserved; /* the three bits */
    uint8_t opcode;
    uint64_t length;
    uint8_t mask[4];
} WsFrame;

/* What has arrived of a frame: its header, and a partial control frame. */
struct WsDecoder {
    const uint8_t *bytes; /* not yet taken */
    size_t count;
    uint8_t header[WS_HEADER_MAX];
    uint32_t header_count; /* 0 = between two frames */
    bool begun;            /* the header is complete and has been checked */
    WsFrame frame;
    uint64_t seen; /* of the payload */
    uint8_t control_count;
    uint8_t control[WS_CONTROL_MAX];
    uint8_t piece[PIECE_BYTES];
};

/* One call of ws_read(). */
typedef struct WsReading {
    WsReader *reader;
    WsShared *store;
    const WsRules *rules;
    const WsSink *sink;
    void *owner;
    const char *reason;
    bool stop;
} WsReading;

bool memory_budget_take(NetMemoryBudget *memory, uint64_t bytes) {
    if (bytes > memory->max || memory->used > memory->max - bytes)
        return false;
    memory->used += bytes;
    return true;
}

void memory_budget_give(NetMemoryBudget *memory, uint64_t bytes) {
    assert(memory->used >= bytes);
    memory->used -= bytes;
}

/* --- Decoders --------------------------------------------------------------------------------- */

/* Control frames are short and whole. */
static bool is_bad_control(const uint8_t header[2]) {
    return (header[0] & 15) >= WS_CLOSE &&
           (header[0] >> 7 == 0 || (header[1] & 0x7F) > WS_CONTROL_MAX);
}

/* The size of a header by its first two bytes, which suffice if they are invalid. */
static uint32_t header_bytes(const uint8_t header[2]) {
    uint32_t marker = header[1] & 0x7F;
    if (is_bad_control(header))
        return 2;
    return 2 + (marker == 126 ? 2u : marker == 127 ? 8u : 0u) + (header[1] >> 7) * 4u;
}

/* Reads bytes of the header; is it complete? */
static bool take_header(WsDecoder *decoder) {
    while (decoder->header_count < 2 || decoder->header_count < header_bytes(decoder->header)) {
        if (decoder->count == 0)
            return false;
        decoder->header[decoder->header_count++] = *decoder->bytes++;
        decoder->count--;
    }
    return true;
}

/* Reads a whole header (RFC 6455, 5.2). False: it is invalid. A length must be encoded as short as
 * possible. */
static bool read_header(const uint8_t *header, WsFrame *out) {
    uint32_t marker = header[1] & 0x7F, wide = marker == 126 ? 2 : marker == 127 ? 8 : 0;
    uint64_t length = wide == 0 ? marker : 0;
    if (is_bad_control(header))
        return false;
    *out = (WsFrame){.fin = header[0] >> 7,
                     .reserved = header[0] >> 4 & 7,
                     .opcode = header[0] & 15,
                     .masked = header[1] >> 7};
    for (uint32_t i = 0; i < wide; i++)
        length = length << 8 | header[2 + i];
    out->length = length;
    if (out->masked)
        memcpy(out->mask, header + 2 + wide, sizeof out->mask);
    return !(wide == 2 && length < 126) && !(wide == 8 && (length < 65536 || length >> 63 != 0));
}

/* Unmasks what has arrived of the payload, one piece at most; returns how many bytes. */
static uint32_t next_piece(WsDecoder *decoder) {
    const WsFrame *frame = &decoder->frame;
    uint64_t left = frame->length - decoder->seen;
    uint32_t count = decoder->count < PIECE_BYTES ? (uint32_t)decoder->count : PIECE_BYTES;
    count = count < left ? count : (uint32_t)left;
    memcpy(decoder->piece, decoder->bytes, count);
    for (uint32_t i = 0; frame->masked && i < count; i++)
        decoder->piece[i] ^= frame->mask[(decoder->seen + i) % 4];
    decoder->bytes += count;
    decoder->count -= count;
    decoder->seen += count;
    return count;
}

/* The approximate size of a decoder. */
static const uint64_t decoder_bytes = sizeof(WsDecoder);

/* Borrows a decoder while a frame is incomplete. False: out of memory. */
static bool borrow_decoder(WsReader *reader, WsShared *store) {
    if (!memory_budget_take(&store->memory, decoder_bytes))
        return false;
    reader->decoder = store->spare != NULL ? store->spare : calloc(1, sizeof(WsDecoder));
    store->spare = NULL;
    if (reader->decoder == NULL)
        memory_budget_give(&store->memory, decoder_bytes);
    return reader->decoder != NULL;
}

/* `clean` = it is between two frames and may be reused by another reader. */
static void return_decoder(WsReader *reader, WsShared *store, bool clean) {
    if (reader->decoder == NULL)
        return;
    memory_budget_give(&store->memory, decoder_bytes);
    if (clean && store->spare == NULL)
        store->spare = reader->decoder;
    else
        free(reader->decoder);
    reader->decoder = NULL;
}

void ws_shared_release(WsShared *store) {
    free(store->spare);
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
static uint16_t fail(WsReading *reading, uint16_t code, const char *reason) {
    reading->reason = reason;
    return code;
}

/* Drops an incomplete message and frees its memory. */
static void forget_message(WsReader *reader, WsShared *store) {
    memory_budget_give(&store->memory, reader->max);
    free(reader->message);
    reader->message = NULL;
    reader->count = reader->max = reader->frames = 0;
    reader->inside = reader->binary = false;
}

/* Makes room for this many more bytes; the buffer doubles, but never beyond the limit of a
 * message. */
static bool make_room(WsReading *reading, uint32_t more) {
    WsReader *reader = reading->reader;
    uint32_t need = reader->count + more, room = reader->max < 256 ? 256 : reader->max;
    if (need <= reader->max)
        return true;
    while (room < need)
        room = room > UINT32_MAX / 2 ? need : room * 2;
    if (room > reading->rules->message_bytes_max)
        room = reading->rules->message_bytes_max;
    assert(room >= need);
    if (!memory_budget_take(&reading->store->memory, room - reader->max))
        return false;
    char *message = realloc(reader->message, room);
    if (message == NULL) {
        memory_budget_give(&reading->store->memory, room - reader->max);
        return false;
    }
    reader->message = message;
    reader->max = room;
    return true;
}

/* A whole text message, which must be UTF-8. 0, or the code to close with. */
static uint16_t deliver_text(WsReading *reading, const char *bytes, uint32_t count) {
    if (!ws_is_text(bytes, count))
        return fail(reading, NET_CLOSE_INVALID_DATA, "the message is not UTF-8");
    reading->stop = !reading->sink->on_text(reading->owner, bytes, count);
    return 0;
}

/* A message is complete, in the reader's buffer unless it was binary. */
static uint16_t end_message(WsReading *reading) {
    WsReader *reader = reading->reader;
    uint16_t code = 0;
    if (reader->binary)
        reading->stop = !reading->sink->on_binary(reading->owner);
    else
        code = deliver_text(reading, reader->message == NULL ? "" : reader->message, reader->count);
    forget_message(reader, reading->store);
    return code;
}

/* --- Frames ----------------------------------------------------------------------------------- */

/* Is this code allowed in a close frame? */
static bool is_close_code(uint16_t code) {
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
           (code >= 3000 && code <= 4999);
}

/* The peer sent a close frame: nothing more is read. 0, or the code to close with if it is
 * malformed. */
static uint16_t deliver_close(WsReading *reading, const uint8_t *bytes, uint32_t count) {
    char reason[WS_CONTROL_MAX] = {0};
    uint16_t code = NET_CLOSE_NO_STATUS;
    if (count == 1)
        return fail(reading, NET_CLOSE_PROTOCOL, "truncated close frame");
    if (count >= 2) {
        code = (uint16_t)(bytes[0] << 8 | bytes[1]);
        if (!is_close_code(code))
            return fail(reading, NET_CLOSE_PROTOCOL, "invalid close code");
        memcpy(reason, bytes + 2, count - 2);
        if (!ws_is_text(reason, count - 2))
            return fail(reading, NET_CLOSE_INVALID_DATA, "the reason is not UTF-8");
    }
    reading->stop = true;
    reading->sink->on_close(reading->owner, code, reason);
    return 0;
}

/* A whole control frame; a pong is ignored. 0, or the code to close with. */
static uint16_t end_control(WsReading *reading, uint8_t kind) {
    WsDecoder *decoder = reading->reader->decoder;
    if (kind == WS_CLOSE)
        return deliver_close(reading, decoder->control, decoder->control_count);
    if (kind == WS_PING)
        reading->stop =
            !reading->sink->on_ping(reading->owner, decoder->control, decoder->control_count);
    return 0;
}

/* Checks the header of the first or a further frame of a message. */
static uint16_t begin_data(WsReading *reading, const WsFrame *frame) {
    WsReader *reader = reading->reader;
    if (frame->opcode > WS_BINARY)
        return fail(reading, NET_CLOSE_PROTOCOL, "unknown frame type");
    if (reader->inside != (frame->opcode == WS_MORE))
        return fail(reading, NET_CLOSE_PROTOCOL, "unexpected continuation frame");
    if (!reader->inside)
        reader->binary = frame->opcode == WS_BINARY;
    reader->inside = true;
    if (++reader->frames > reading->rules->message_frames_max)
        return fail(reading, NET_CLOSE_POLICY, "too many frames in one message");
    if (frame->length > reading->rules->message_bytes_max - reader->count)
        return fail(reading, NET_CLOSE_TOO_BIG, "message too big");
    if (reader->binary && !reading->rules->binary)
        return fail(reading, NET_CLOSE_UNSUPPORTED, "only text messages are accepted");
    return 0;
}

/* Checks a frame by its complete header. */
static uint16_t begin_frame(WsReading *reading) {
    WsDecoder *decoder = reading->reader->decoder;
    const WsFrame *frame = &decoder->frame;
    if (!read_header(decoder->header, &decoder->frame))
        return fail(reading, NET_CLOSE_PROTOCOL, "not a WebSocket frame");
    decoder->begun = true;
    decoder->seen = 0;
    decoder->control_count = 0;
    if (frame->reserved != 0)
        return fail(reading, NET_CLOSE_PROTOCOL, "a frame with reserved bits");
    if (frame->masked != reading->rules->masked)
        return fail(reading, NET_CLOSE_PROTOCOL,
                    frame->masked ? "a masked frame from a server" : "unmasked frame");
    if (!reading->sink->on_frame(reading->owner))
        return fail(reading, NET_CLOSE_POLICY, "too many frames or bytes a second");
    if (frame->opcode < WS_CLOSE)
        return begin_data(reading, frame);
    if (frame->opcode > WS_PONG)
        return fail(reading, NET_CLOSE_PROTOCOL, "unknown frame type");
    return 0;
}

/* Appends a piece of the frame to its message or control frame. */
static uint16_t keep_piece(WsReading *reading, uint32_t count) {
    WsReader *reader = reading->reader;
    WsDecoder *decoder = reader->decoder;
    if (count == 0)
        return 0;
    if (decoder->frame.opcode >= WS_CLOSE) {
        assert(decoder->control_count + count <= WS_CONTROL_MAX);
        memcpy(decoder->control + decoder->control_count, decoder->piece, count);
        decoder->control_count = (uint8_t)(decoder->control_count + count);
        return 0;
    }
    if (!reader->binary && !make_room(reading, count))
        return fail(reading, NET_CLOSE_TRY_AGAIN_LATER, "out of memory for this message");
    if (!reader->binary)
        memcpy(reader->message + reader->count, decoder->piece, count);
    reader->count += count;
    return 0;
}

/* Reads what has arrived of the payload; a complete frame is reported, or kept until its message is
 * complete. */
static uint16_t take_piece(WsReading *reading) {
    WsReader *reader = reading->reader;
    WsDecoder *decoder = reader->decoder;
    const WsFrame *frame = &decoder->frame;
    uint32_t count = next_piece(decoder);
    uint16_t code = 0;
    bool whole = decoder->seen == frame->length;
    if (whole) {
        decoder->begun = false;
        decoder->header_count = 0;
    }
    if (whole && frame->fin && reader->frames == 1 && reader->count == 0 && !reader->binary &&
        frame->opcode == WS_TEXT) {
        forget_message(reader, reading->store);
        return deliver_text(reading, (const char *)decoder->piece, count);
    }
    if ((code = keep_piece(reading, count)) != 0 || !whole)
        return code;
    if (frame->opcode >= WS_CLOSE)
        return end_control(reading, frame->opcode);
    return frame->fin ? end_message(reading) : 0;
}

uint16_t ws_read(WsReader *reader, WsShared *store, const WsRules *rules, const WsSink *sink,
                 void *owner, const uint8_t *bytes, size_t count, const char **reason) {
    WsReading reading = {.reader = reader,
                         .store = store,
                         .rules = rules,
                         .sink = sink,
                         .owner = owner,
                         .reason = ""};
    uint16_t code = 0;
    if (count == 0)
        return 0;
    if (reader->decoder == NULL && !borrow_decoder(reader, store)) {
        *reason = "out of memory for this message";
        return NET_CLOSE_TRY_AGAIN_LATER;
    }
    WsDecoder *decoder = reader->decoder;
    decoder->bytes = bytes;
    decoder->count = count;
    while (code == 0 && !reading.stop) {
        if (decoder->begun ? decoder->count == 0 : !take_header(decoder))
            break;
        if (!decoder->begun)
            code = begin_frame(&reading);
        if (code == 0)
            code = take_piece(&reading);
    }
    decoder->bytes = NULL;
    decoder->count = 0;
    if (code == 0 && !reading.stop && decoder->header_count == 0)
        return_decoder(reader, store, true);
    *reason = reading.reason;
    return code;
}

bool ws_is_half(const WsReader *reader) { return reader->decoder != NULL || reader->inside; }

void ws_release(WsReader *reader, WsShared *store) {
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
