/* fuzz_websocket.c -- feeds any bytes to the WebSocket decoder, whole and in pieces: the result
 * must be the same, within the limits, and nothing may leak. */
#include <string.h>

#include "base/hash.h"
#include "net/websocket.h"

enum { MESSAGE_MAX = 3000, FRAMES_MAX = 9 };

/* A hash of everything received. */
typedef struct ReceivedHash {
    uint64_t hash;
    uint32_t messages;
    bool closed;
} ReceivedHash;

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t count);

static void must(bool holds) {
    if (!holds)
        __builtin_trap();
}

static void hear(ReceivedHash *received, char kind, const void *bytes, uint32_t count) {
    must(!received->closed);
    received->hash = hash_bytes(hash_number(received->hash, (uint64_t)kind), bytes, count);
    received->messages++;
}

static bool on_frame(void *owner) {
    must(!((ReceivedHash *)owner)->closed);
    return true;
}
static bool on_text(void *owner, const char *bytes, uint32_t count) {
    must(count <= MESSAGE_MAX && ws_is_text(bytes, count));
    hear(owner, 't', bytes, count);
    return true;
}
static bool on_binary(void *owner) {
    hear(owner, 'b', "", 0);
    return true;
}
static bool on_ping(void *owner, const uint8_t *bytes, uint32_t count) {
    must(count <= WS_CONTROL_MAX);
    hear(owner, 'p', bytes, count);
    return true;
}
static void on_close(void *owner, uint16_t code, const char *reason) {
    must(code >= 1000 && code < 5000 && code != NET_CLOSE_ABNORMAL);
    hear(owner, 'c', reason, (uint32_t)strlen(reason));
    ((ReceivedHash *)owner)->closed = true;
}

/* Feeds `step` bytes at a time until it fails or closes; the code it fails with. */
static uint16_t run(const uint8_t *input, uint32_t count, uint32_t step, WsRules rules,
                    ReceivedHash *received) {
    static const WsSink sink = {on_frame, on_text, on_binary, on_ping, on_close};
    WsShared store = {.memory = {.max = 1 << 20}};
    WsReader reader = {0};
    uint16_t code = 0;
    for (uint32_t at = 0; at < count && code == 0 && !received->closed; at += step) {
        const char *reason = NULL;
        uint32_t length = count - at < step ? count - at : step;
        code = ws_read(&reader, &store, &rules, &sink, received, input + at, length, &reason);
        must((code != 0) == (reason[0] != '\0'));
        must(reader.max <= MESSAGE_MAX && reader.count <= MESSAGE_MAX);
        must(store.memory.used >= reader.max && store.memory.used < MESSAGE_MAX + 8192);
    }
    ws_release(&reader, &store);
    must(store.memory.used == 0);
    ws_shared_release(&store);
    return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t count) {
    if (count < 3 || count > 1 << 16)
        return 0;
    WsRules rules = {.masked = (input[0] & 1) != 0,
                     .binary = (input[0] & 2) != 0,
                     .message_bytes_max = MESSAGE_MAX,
                     .message_frames_max = FRAMES_MAX};
    uint32_t length = (uint32_t)count - 2;
    ReceivedHash whole = {0}, pieces = {0};
    uint16_t one = run(input + 2, length, length, rules, &whole);
    uint16_t other = run(input + 2, length, 1 + input[1], rules, &pieces);
    must(one == other && whole.hash == pieces.hash && whole.messages == pieces.messages);
    return 0;
}
