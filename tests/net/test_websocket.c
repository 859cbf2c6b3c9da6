/* test_websocket.c -- RFC 6455 without sockets: handshake values, decoding and encoding frames. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "net/frame.h"
#include "net/handshake.h"

enum { BYTES = 1 << 18, LOG_BYTES = 4096, MESSAGE_MAX = 1000, FRAMES_MAX = 5 };

/* Bytes to feed, a log of the results, and the reader in between. */
typedef struct ReaderTrial {
    uint8_t bytes[BYTES];
    uint32_t count;
    char log_memory[LOG_BYTES];
    MashText log;
    WsShared store;
    WsReader reader;
    WsRules rules;
    uint32_t frames_left; /* before the rate limit */
    bool stop;            /* after the next message */
} ReaderTrial;

static bool on_frame(void *owner) {
    ReaderTrial *trial = owner;
    return trial->frames_left > 0 && trial->frames_left-- > 0;
}
static bool on_text(void *owner, const char *bytes, uint32_t count) {
    ReaderTrial *trial = owner;
    text_format(&trial->log, "text %u ", count);
    text_bytes(&trial->log, bytes, count < 20 ? count : 20);
    text_byte(&trial->log, ';');
    return !trial->stop;
}
static bool on_binary(void *owner) {
    text_string(&((ReaderTrial *)owner)->log, "binary;");
    return true;
}
static bool on_ping(void *owner, const uint8_t *bytes, uint32_t count) {
    ReaderTrial *trial = owner;
    text_string(&trial->log, "ping ");
    text_bytes(&trial->log, (const char *)bytes, count);
    text_byte(&trial->log, ';');
    return true;
}
static void on_close(void *owner, uint16_t code, const char *reason) {
    text_format(&((ReaderTrial *)owner)->log, "close %u %s;", (unsigned)code, reason);
}
static const WsSink sink = {on_frame, on_text, on_binary, on_ping, on_close};

static int set_up(void **state) {
    ReaderTrial *trial = calloc(1, sizeof *trial);
    trial->log = text_over(trial->log_memory, LOG_BYTES);
    trial->store.memory.max = 1 << 20;
    trial->rules = (WsRules){
        .masked = true, .message_bytes_max = MESSAGE_MAX, .message_frames_max = FRAMES_MAX};
    trial->frames_left = 1000;
    *state = trial;
    return 0;
}

/* Whatever happened, nothing leaks. */
static int tear_down(void **state) {
    ReaderTrial *trial = *state;
    ws_release(&trial->reader, &trial->store);
    assert_int_equal(trial->store.memory.used, 0);
    ws_shared_release(&trial->store);
    free(trial);
    return 0;
}

/* Adds a frame by its first byte (0x80 = the last of its message). */
static void add_frame(ReaderTrial *trial, uint8_t first, const void *payload, uint32_t count) {
    static const uint8_t mask[4] = {0x37, 0xFA, 0x21, 0x3D};
    uint8_t header[WS_HEADER_MAX];
    uint32_t size = ws_write_header(header, 0, count, trial->rules.masked ? mask : NULL);
    header[0] = first;
    assert_true(trial->count + size + count <= BYTES);
    memcpy(trial->bytes + trial->count, header, size);
    trial->count += size;
    if (count > 0)
        memcpy(trial->bytes + trial->count, payload, count);
    if (trial->rules.masked)
        ws_mask(trial->bytes + trial->count, count, mask);
    trial->count += count;
}

static void add(ReaderTrial *trial, uint8_t first, const char *payload) {
    add_frame(trial, first, payload, (uint32_t)strlen(payload));
}

/* Feeds what was added, in pieces of this size, until it fails. */
static uint16_t feed(ReaderTrial *trial, uint32_t step) {
    uint16_t code = 0;
    const char *reason = NULL;
    for (uint32_t at = 0; at < trial->count && code == 0; at += step) {
        uint32_t count = trial->count - at < step ? trial->count - at : step;
        code = ws_read(&trial->reader, &trial->store, &trial->rules, &sink, trial,
                       trial->bytes + at, count, &reason);
        assert_true((code != 0) == (reason[0] != '\0'));
    }
    trial->count = 0;
    return code;
}

static void assert_log(ReaderTrial *trial, const char *expected) {
    assert_false(trial->log.truncated);
    assert_string_equal(trial->log_memory, expected);
    text_clear(&trial->log);
}

/* A single raw frame must fail like this. */
static void assert_fails(ReaderTrial *trial, const char *raw, uint32_t count, uint16_t code) {
    memcpy(trial->bytes, raw, count);
    trial->count = count;
    assert_int_equal(feed(trial, BYTES), code);
    ws_release(&trial->reader, &trial->store);
    assert_log(trial, "");
}

/* The example of RFC 6455, 1.3. */
static void the_handshake_is_the_rfcs(void **state) {
    (void)state;
    char accept[HANDSHAKE_ACCEPT_BYTES], key[HANDSHAKE_KEY_BYTES];
    handshake_accept("dGhlIHNhbXBsZSBub25jZQ==", accept);
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    handshake_key((const uint8_t *)"the sample nonce", key);
    assert_string_equal(key, "dGhlIHNhbXBsZSBub25jZQ==");
    assert_true(handshake_key_valid(key));
    assert_false(handshake_key_valid("dGhlIHNhbXBsZSBub25jZQ="));
    assert_false(handshake_key_valid("dGhlIHNhbXBsZSBub25jZQ==="));
    assert_false(handshake_key_valid("dGhlIHNhbXBsZSBub25jZ==="));
    assert_false(handshake_key_valid("dGhlIHNhbXBsZSBub25j-Q=="));
    assert_false(handshake_key_valid(""));
    for (uint32_t i = 0; i < HANDSHAKE_KEY_BYTES - 1; i++) {
        char wrong[HANDSHAKE_KEY_BYTES];
        memcpy(wrong, key, sizeof wrong);
        wrong[i] = i < 22 ? '.' : 'A';
        assert_false(handshake_key_valid(wrong));
    }
}

/* The examples of RFC 6455, 5.7. */
static void the_frames_are_the_rfcs(void **state) {
    ReaderTrial *trial = *state;
    memcpy(trial->bytes, "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58", 11);
    trial->count = 11;
    assert_int_equal(feed(trial, BYTES), 0);
    assert_log(trial, "text 5 Hello;");
    trial->rules.masked = false;
    memcpy(trial->bytes, "\x01\x03\x48\x65\x6c\x80\x02\x6c\x6f\x89\x05\x48\x65\x6c\x6c\x6f", 16);
    trial->count = 16;
    assert_int_equal(feed(trial, BYTES), 0);
    assert_log(trial, "text 5 Hello;ping Hello;");
    uint8_t header[WS_HEADER_MAX];
    assert_int_equal(ws_write_header(header, WS_TEXT, 5, NULL), 2);
    assert_memory_equal(header, "\x81\x05", 2);
    assert_int_equal(ws_write_header(header, WS_BINARY, 256, NULL), 4);
    assert_memory_equal(header, "\x82\x7E\x01\x00", 4);
    assert_int_equal(ws_write_header(header, WS_BINARY, 65536, NULL), 10);
    assert_memory_equal(header, "\x82\x7F\x00\x00\x00\x00\x00\x01\x00\x00", 10);
    assert_int_equal(ws_write_header(header, WS_TEXT, 5, (const uint8_t *)"\x37\xfa\x21\x3d"), 6);
    assert_memory_equal(header, "\x81\x85\x37\xfa\x21\x3d", 6);
}

/* However the bytes are split, the result is the same; in between no memory is held. */
static void messages_come_whole(void **state) {
    ReaderTrial *trial = *state;
    char big[MESSAGE_MAX];
    memset(big, 'x', sizeof big);
    for (uint32_t step = 1; step < 700; step += step < 20 ? 1 : 97) {
        add(trial, 0x81, "one");
        add(trial, 0x81, "");
        add(trial, 0x01, "\xC3");
        add(trial, 0x89, "in between");
        add(trial, 0x00, "");
        add(trial, 0x8A, "nobody asked");
        add(trial, 0x80, "\xA4!");
        add_frame(trial, 0x81, big, sizeof big);
        add(trial, 0x81, "last");
        assert_int_equal(feed(trial, step), 0);
        assert_log(trial, "text 3 one;text 0 ;ping in between;text 3 \xC3\xA4!;"
                          "text 1000 xxxxxxxxxxxxxxxxxxxx;text 4 last;");
        assert_false(ws_is_half(&trial->reader));
        assert_int_equal(trial->store.memory.used, 0);
    }
    add(trial, 0x81, "half");
    trial->count -= 2;
    assert_int_equal(feed(trial, BYTES), 0);
    assert_true(ws_is_half(&trial->reader));
    assert_log(trial, "");
}

/* Frames longer than the decoder's own buffer, with all three encodings of a length. */
static void long_messages_come_whole(void **state) {
    ReaderTrial *trial = *state;
    static char big[100000];
    memset(big, 'y', sizeof big);
    trial->rules.message_bytes_max = sizeof big;
    const uint32_t sizes[] = {125, 126, 127, 4090, 4096, 65535, 65536, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t step = 1000; step <= BYTES; step *= 16) {
            char expected[64];
            MashText text = text_over(expected, sizeof expected);
            add_frame(trial, 0x81, big, sizes[i]);
            assert_int_equal(feed(trial, step), 0);
            text_format(&text, "text %u yyyyyyyyyyyyyyyyyyyy;", sizes[i]);
            assert_log(trial, expected);
            assert_int_equal(trial->store.memory.used, 0);
        }
}

static void broken_frames_are_refused(void **state) {
    ReaderTrial *trial = *state;
    assert_fails(trial, "\xC1\x80\0\0\0\0", 6, NET_CLOSE_PROTOCOL); /* reserved bit */
    assert_fails(trial, "\x83\x80\0\0\0\0", 6, NET_CLOSE_PROTOCOL); /* unknown kinds */
    assert_fails(trial, "\x8B\x80\0\0\0\0", 6, NET_CLOSE_PROTOCOL);
    assert_fails(trial, "\x81\x00", 2, NET_CLOSE_PROTOCOL);             /* no mask */
    assert_fails(trial, "\x80\x80\0\0\0\0", 6, NET_CLOSE_PROTOCOL);     /* continues nothing */
    assert_fails(trial, "\x09\x80\0\0\0\0", 6, NET_CLOSE_PROTOCOL);     /* ping in parts */
    assert_fails(trial, "\x89\xFE\x00\x7E", 4, NET_CLOSE_PROTOCOL);     /* long ping */
    assert_fails(trial, "\x81\xFE\x00\x05mask", 8, NET_CLOSE_PROTOCOL); /* wordy length */
    assert_fails(trial, "\x81\xFF\0\0\0\0\0\0\xFF\xFFmask", 14, NET_CLOSE_PROTOCOL);
    assert_fails(trial, "\x81\xFF\x80\0\0\0\0\0\0\0mask", 14, NET_CLOSE_PROTOCOL); /* negative */
    assert_fails(trial, "\x81\xFF\x7F\0\0\0\0\0\0\0mask.", 15, NET_CLOSE_TOO_BIG);
    assert_fails(trial, "\x82\x80\0\0\0\0", 6, NET_CLOSE_UNSUPPORTED);
    assert_fails(trial, "\x88\x81\0\0\0\0\x03", 7, NET_CLOSE_PROTOCOL); /* half a code */
    trial->rules.masked = false;
    assert_fails(trial, "\x81\x80\0\0\0\0", 6, NET_CLOSE_PROTOCOL);
}

static void a_message_has_its_order(void **state) {
    ReaderTrial *trial = *state;
    add(trial, 0x01, "one");
    add(trial, 0x81, "two");
    assert_int_equal(feed(trial, 3), NET_CLOSE_PROTOCOL);
    ws_release(&trial->reader, &trial->store);
    trial->rules.binary = true;
    add(trial, 0x02, "one");
    add(trial, 0x80, "two");
    add(trial, 0x82, "");
    add(trial, 0x81, "text");
    assert_int_equal(feed(trial, 3), 0);
    assert_log(trial, "binary;binary;text 4 text;");
}

static void a_message_has_its_limits(void **state) {
    ReaderTrial *trial = *state;
    static char big[MESSAGE_MAX + 1];
    memset(big, 'x', sizeof big);
    add_frame(trial, 0x81, big, sizeof big);
    assert_int_equal(feed(trial, BYTES), NET_CLOSE_TOO_BIG);
    ws_release(&trial->reader, &trial->store);
    add_frame(trial, 0x01, big, MESSAGE_MAX);
    add(trial, 0x80, "x");
    assert_int_equal(feed(trial, 7), NET_CLOSE_TOO_BIG);
    ws_release(&trial->reader, &trial->store);
    trial->rules.binary = true;
    add_frame(trial, 0x02, big, MESSAGE_MAX);
    add(trial, 0x80, "x");
    assert_int_equal(feed(trial, 7), NET_CLOSE_TOO_BIG);
    ws_release(&trial->reader, &trial->store);
    for (int i = 0; i <= FRAMES_MAX; i++)
        add(trial, i == 0 ? 0x01 : 0x00, "");
    assert_int_equal(feed(trial, BYTES), NET_CLOSE_POLICY);
    ws_release(&trial->reader, &trial->store);
    trial->frames_left = 2;
    for (int i = 0; i < 3; i++)
        add(trial, 0x8A, "");
    assert_int_equal(feed(trial, BYTES), NET_CLOSE_POLICY);
    assert_log(trial, "");
}

static void memory_has_its_limit(void **state) {
    ReaderTrial *trial = *state;
    char big[MESSAGE_MAX];
    memset(big, 'x', sizeof big);
    trial->store.memory.max = 100;
    add(trial, 0x81, "x");
    assert_int_equal(feed(trial, 1), NET_CLOSE_TRY_AGAIN_LATER);
    trial->store.memory.max = 5000;
    add(trial, 0x81, "small");
    assert_int_equal(feed(trial, 3), 0);
    assert_log(trial, "text 5 small;");
    add_frame(trial, 0x81, big, sizeof big);
    assert_int_equal(feed(trial, 100), NET_CLOSE_TRY_AGAIN_LATER);
}

static void text_is_utf8(void **state) {
    ReaderTrial *trial = *state;
    static const char *bad[] = {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "12345678\xFF",
                                "1234567\xE2\x82"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        add(trial, 0x81, bad[i]);
        assert_int_equal(feed(trial, 3), NET_CLOSE_INVALID_DATA);
        ws_release(&trial->reader, &trial->store);
    }
    assert_log(trial, "");
    assert_true(ws_is_text("\xF0\x9F\x98\x80 and ASCII behind it", 24));
    assert_true(ws_is_text("", 0));
}

static void closes_are_read_and_written(void **state) {
    ReaderTrial *trial = *state;
    static const struct {
        const char *payload;
        uint32_t count;
        uint16_t code;
        const char *log;
    } cases[] = {
        {"", 0, 0, "close 1005 ;"},
        {"\x03\xE8", 2, 0, "close 1000 ;"},
        {"\x03\xE9gone", 6, 0, "close 1001 gone;"},
        {"\x0F\xA0", 2, 0, "close 4000 ;"},
        {"\x03\xEB", 2, 0, "close 1003 ;"},
        {"\x03\xEF", 2, 0, "close 1007 ;"},
        {"\x03\xF6", 2, 0, "close 1014 ;"},
        {"\x0B\xB8", 2, 0, "close 3000 ;"},
        {"\x13\x87", 2, 0, "close 4999 ;"},
        {"\x03\xEE", 2, NET_CLOSE_PROTOCOL, ""},
        {"\x0B\xB7", 2, NET_CLOSE_PROTOCOL, ""},
        {"\x03\xE7", 2, NET_CLOSE_PROTOCOL, ""},
        {"\x03\xEC", 2, NET_CLOSE_PROTOCOL, ""},
        {"\x03\xED", 2, NET_CLOSE_PROTOCOL, ""},
        {"\x03\xF7", 2, NET_CLOSE_PROTOCOL, ""},
        {"\x07\xD0", 2, NET_CLOSE_PROTOCOL, ""},
        {"\x13\x88", 2, NET_CLOSE_PROTOCOL, ""},
        {"\x03\xE8\xFF", 3, NET_CLOSE_INVALID_DATA, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        add_frame(trial, 0x88, cases[i].payload, cases[i].count);
        assert_int_equal(feed(trial, BYTES), cases[i].code);
        assert_log(trial, cases[i].log);
        ws_release(&trial->reader, &trial->store);
    }
    uint8_t payload[WS_CONTROL_MAX];
    char reason[200];
    memcpy(payload, "\x03\xE8", 2);
    memset(payload + 2, 'y', WS_CONTROL_MAX - 2);
    add_frame(trial, 0x88, payload, WS_CONTROL_MAX); /* the longest reason */
    assert_int_equal(feed(trial, BYTES), 0);
    snprintf(reason, sizeof reason, "close 1000 %.*s;", WS_CONTROL_MAX - 2, (char *)payload + 2);
    assert_log(trial, reason);
    ws_release(&trial->reader, &trial->store);
    assert_int_equal(ws_write_close(payload, NET_CLOSE_NO_STATUS, "x"), 0);
    assert_int_equal(ws_write_close(payload, NET_CLOSE_GOING_AWAY, "bye"), 5);
    assert_memory_equal(payload,
                        "\x03\xE9"
                        "bye",
                        5);
    memset(reason, 'x', sizeof reason);
    memcpy(reason + 122, "\xC3\xA4", 3);
    assert_int_equal(ws_write_close(payload, 1000, reason), 124);
    memcpy(reason + 121, "\xC3\xA4", 3);
    assert_int_equal(ws_write_close(payload, 1000, reason), 125);
}

/* After a close, and when a sink asks to stop, nothing more is read. */
static void reading_stops(void **state) {
    ReaderTrial *trial = *state;
    add(trial, 0x88, "");
    add(trial, 0x81, "late");
    assert_int_equal(feed(trial, BYTES), 0);
    assert_log(trial, "close 1005 ;");
    ws_release(&trial->reader, &trial->store);
    trial->stop = true;
    add(trial, 0x81, "one");
    add(trial, 0x81, "two");
    assert_int_equal(feed(trial, BYTES), 0);
    assert_log(trial, "text 3 one;");
}

/* One decoder serves all readers that are between two frames. */
static void decoders_are_shared(void **state) {
    ReaderTrial *trial = *state;
    WsReader other = {0};
    const char *reason;
    add(trial, 0x81, "one");
    uint32_t whole = trial->count;
    assert_int_equal(ws_read(&trial->reader, &trial->store, &trial->rules, &sink, trial,
                             trial->bytes, whole, &reason),
                     0);
    WsDecoder *spare = trial->store.spare;
    assert_non_null(spare);
    assert_int_equal(ws_read(&trial->reader, &trial->store, &trial->rules, &sink, trial,
                             trial->bytes, whole - 1, &reason),
                     0);
    assert_true(trial->store.spare == NULL && trial->reader.decoder == spare);
    assert_int_equal(
        ws_read(&other, &trial->store, &trial->rules, &sink, trial, trial->bytes, whole, &reason),
        0);
    assert_true(trial->store.spare != NULL && trial->store.spare != spare);
    assert_int_equal(ws_read(&trial->reader, &trial->store, &trial->rules, &sink, trial,
                             trial->bytes + whole - 1, 1, &reason),
                     0);
    assert_log(trial, "text 3 one;text 3 one;text 3 one;");
    trial->count = 0;
}

static void queues_keep_order_and_count(void **state) {
    (void)state;
    NetMemoryBudget memory = {.max = 1 << 20};
    SendQueue queue = {0};
    NetFrame *shared = frame_new(&memory, WS_TEXT, "abc", 3, NULL);
    const uint8_t *bytes;
    uint32_t count;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 21; i++)
            assert_true(queue_push(&queue, shared));
        assert_int_equal(shared->references, 22);
        assert_int_equal(queue.bytes, 105);
        assert_int_equal(queue_written(&queue, 12), 2);
        assert_true(send_queue_peek(&queue, 0, &bytes, &count) && count == 3);
        assert_memory_equal(bytes, "abc", 3);
        assert_true(send_queue_peek(&queue, 18, &bytes, &count) && count == 5);
        assert_false(send_queue_peek(&queue, 19, &bytes, &count));
        assert_int_equal(queue_written(&queue, 0), 0);
        for (int i = 0; i < 40; i++)
            assert_true(queue_push(&queue, shared));
        assert_int_equal(queue_written(&queue, queue.bytes), 59);
        assert_true(queue.ring == NULL && shared->references == 1);
    }
    queue_push(&queue, shared);
    net_frame_release(shared);
    queue_clear(&queue);
    assert_int_equal(memory.used, 0);
    NetFrame *lent = frame_lend(&memory, "lent", 4), *copy = frame_copy(&memory, "", 0);
    assert_true(queue_push(&queue, copy) && queue_push(&queue, lent));
    assert_int_equal(queue_written(&queue, 4), 2);
    net_frame_release(net_frame_keep(lent));
    net_frame_release(lent);
    net_frame_release(copy);
    net_frame_release(NULL);
    assert_int_equal(memory.used, 0);
    memory.max = UINT64_MAX; /* a length that would not fit with its header */
    assert_null(frame_new(&memory, WS_TEXT, "", UINT32_MAX, NULL));
    memory.max = 10;
    assert_null(frame_copy(&memory, "", 0));
    assert_int_equal(memory.used, 0);
}

int main(void) {
#define TRIAL(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_handshake_is_the_rfcs),
        TRIAL(the_frames_are_the_rfcs),
        TRIAL(messages_come_whole),
        TRIAL(long_messages_come_whole),
        TRIAL(broken_frames_are_refused),
        TRIAL(a_message_has_its_order),
        TRIAL(a_message_has_its_limits),
        TRIAL(memory_has_its_limit),
        TRIAL(text_is_utf8),
        TRIAL(closes_are_read_and_written),
        TRIAL(reading_stops),
        TRIAL(decoders_are_shared),
        cmocka_unit_test(queues_keep_order_and_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
