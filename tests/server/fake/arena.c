/* arena.c -- see arena.h. */
#define _DEFAULT_SOURCE
#include "tests/server/fake/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 1 << 16, POOL = 1 << 18, FIRST_HEARD = 1 << 16, ANSWER_MS = 10 };

/* --- The house -------------------------------------------------------------------------------- */

static void take_line(void *owner, const char *line) {
    TestServer *arena = owner;
    uint32_t length = (uint32_t)strlen(line);
    if (arena->log_count + length + 2 > sizeof arena->log)
        arena->log_count = 0;
    memcpy(arena->log + arena->log_count, line, length);
    arena->log_count += length;
    arena->log[arena->log_count++] = '\n';
    arena->log[arena->log_count] = '\0';
}

static void take_stop(void *owner, bool failed) {
    TestServer *arena = owner;
    arena->stopped = true;
    arena->failed = failed;
}

void arena_init(TestServer *arena, uint64_t seed) {
    memset(arena, 0, sizeof *arena);
    snprintf(arena->folder, sizeof arena->folder, "/tmp/mashup-arena-XXXXXX");
    assert_non_null(mkdtemp(arena->folder));
    snprintf(arena->place, sizeof arena->place, "embedded:%s", arena->folder);
    arena->loop = net_loop_open();
    fake_seed(arena->loop, seed);
    arena->setup = server_setup(arena->place);
    arena->standard = standard_config();
    server_add_protocol(&arena->setup, &standard_protocol, &arena->standard);
    arena->setup.store.single_threaded = true;
    arena->setup.log = take_line;
    arena->setup.log_level = LOG_DEBUG;
    arena->setup.stopped = take_stop;
    arena->setup.owner = arena;
}

void arena_open(TestServer *arena) {
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    arena->server = server_open(arena->loop, &arena->setup, &problem);
    if (arena->server == NULL)
        fail_msg("%s", memory);
}

void arena_run(TestServer *arena, uint64_t ms) { fake_run(arena->loop, ms); }

void arena_kill(TestServer *arena) {
    server_close(arena->server);
    arena->server = NULL;
    arena_run(arena, ANSWER_MS);
}

void arena_release(TestServer *arena) {
    char command[128];
    if (arena->server != NULL)
        server_close(arena->server);
    net_loop_close(arena->loop);
    snprintf(command, sizeof command, "rm -rf '%s'", arena->folder);
    assert_int_equal(system(command), 0);
}

/* --- Guests ----------------------------------------------------------------------------------- */

static uint16_t let_in(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)owner;
    (void)connection;
    (void)request;
    return NET_ACCEPT;
}

static void take_frame(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    TestClient *visitor = owner;
    (void)connection;
    while (visitor->heard_count + count + 2 > visitor->heard_max) {
        visitor->heard_max *= 2;
        visitor->heard = realloc(visitor->heard, visitor->heard_max);
        assert_non_null(visitor->heard);
    }
    memcpy(visitor->heard + visitor->heard_count, bytes, count);
    visitor->heard_count += count;
    visitor->heard[visitor->heard_count++] = '\n';
    visitor->heard[visitor->heard_count] = '\0';
    visitor->frames++;
}

static void take_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    TestClient *visitor = owner;
    (void)connection;
    (void)reason;
    visitor->connection = NULL;
    visitor->close_code = code;
}

void visitor_connect(TestClient *visitor, TestServer *arena, const char *path) {
    static const NetCallbacks calls = {let_in, take_frame, NULL, take_close, NULL};
    char url[128];
    memset(visitor, 0, sizeof *visitor);
    visitor->arena = arena;
    visitor->heard_max = FIRST_HEARD;
    visitor->heard = calloc(1, visitor->heard_max);
    visitor->nodes = calloc(NODES, sizeof *visitor->nodes);
    visitor->pool = calloc(1, POOL);
    assert_true(visitor->heard != NULL && visitor->nodes != NULL && visitor->pool != NULL);
    snprintf(url, sizeof url, "ws://house:%u%s", (unsigned)server_port(arena->server), path);
    visitor->connection = net_connect(arena->loop, url, &calls, visitor, NULL, NULL);
    arena_run(arena, ANSWER_MS);
}

void test_client_join(TestClient *visitor, TestServer *arena, const char *name, const char *role,
                      const char *view) {
    visitor_connect(visitor, arena, "/arena");
    test_client_send(visitor,
                     "{\"type\":\"hello\",\"name\":\"%s\",\"role\":\"%s\",\"view\":\"%s\"}", name,
                     role, view);
    test_client_expect(visitor, MESSAGE_SERVER_WELCOME);
}

void visitor_release(TestClient *visitor) {
    if (visitor->arena == NULL)
        return;
    if (visitor->connection != NULL)
        fake_cut(visitor->connection);
    arena_run(visitor->arena, ANSWER_MS);
    free(visitor->heard);
    free(visitor->nodes);
    free(visitor->pool);
    visitor->arena = NULL;
}

void test_client_send_nowait(TestClient *visitor, const char *text) {
    assert_non_null(visitor->connection);
    net_send_text(visitor->connection, text, (uint32_t)strlen(text));
}

void test_client_send(TestClient *visitor, const char *format, ...) {
    char text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    test_client_send_nowait(visitor, text);
    arena_run(visitor->arena, ANSWER_MS);
}

/* The frame at the mark; false: there is none. */
static bool next_frame(TestClient *visitor) {
    if (visitor->mark == visitor->heard_count)
        return false;
    MashProblem list[2];
    MashProblems problems = {.list = list, .max = 2};
    MessageMemory memory = {visitor->nodes, NODES, visitor->pool, POOL};
    const char *frame = visitor->heard + visitor->mark;
    uint32_t count = (uint32_t)(strchr(frame, '\n') - frame);
    if (message_read(&visitor->message, frame, count, true, &memory, &problems) != MESSAGE_VALID)
        fail_msg("%.*s: %s %s", (int)count, frame, list[0].path, list[0].reason);
    visitor->mark += count + 1;
    return true;
}

/* What a player remembers of what he is told. */
static void remember(TestClient *visitor) {
    const Message *message = &visitor->message;
    if (message->kind == MESSAGE_SERVER_POSITION)
        visitor->number = message->position.number;
    if (message->kind != MESSAGE_SERVER_TABLE)
        return;
    memcpy(visitor->code, message->table.code, sizeof visitor->code);
    visitor->seat = message->table.you;
    if (message_has(message, "token"))
        memcpy(visitor->token, message->table.token, sizeof visitor->token);
}

const Message *test_client_expect(TestClient *visitor, MessageKind kind) {
    uint32_t mark = visitor->mark;
    while (next_frame(visitor)) {
        remember(visitor);
        if (visitor->message.kind == kind)
            return &visitor->message;
    }
    fail_msg("no message %s in: %s", message_type(kind), visitor->heard + mark);
    return NULL;
}

bool test_client_has(TestClient *visitor, MessageKind kind) {
    uint32_t mark = visitor->mark;
    bool found = false;
    while (!found && next_frame(visitor))
        found = visitor->message.kind == kind;
    visitor->mark = mark;
    return found;
}

void visitor_refused(TestClient *visitor, const char *code) {
    const Message *message = test_client_expect(visitor, MESSAGE_SERVER_REFUSED);
    if (strcmp(message->refused.code, code) != 0)
        fail_msg("refused as %s (%s), not as %s", message->refused.code, message->refused.reason,
                 code);
}

static int32_t whole_at(const Json *json, uint32_t node) {
    int32_t number;
    assert_true(json_int(json, node, INT32_MIN, INT32_MAX, &number, NULL));
    return number;
}

/* Child number `index` of an array, counted round. */
static uint32_t child(const Json *json, uint32_t array, uint32_t index) {
    assert_true(json->nodes[array].count > 0);
    uint32_t node = json_first(json, array);
    for (uint32_t i = index % json->nodes[array].count; i > 0; i--)
        node = json->nodes[node].next;
    return node;
}

void visitor_throw_action(TestClient *visitor, uint32_t group, uint32_t cell) {
    const Message *message = &visitor->message;
    assert_int_equal(message->kind, MESSAGE_SERVER_POSITION);
    const Json *json = &message->json;
    char text[256];
    int32_t numbers[4] = {0};
    uint32_t count = 0, of = child(json, message->position.actions.node, group);
    uint32_t entry = child(json, json_member(json, of, "cells"), cell);
    for (uint32_t i = json_first(json, entry); i != JSON_NONE; i = json->nodes[i].next)
        numbers[count++] = whole_at(json, i);
    snprintf(text, sizeof text,
             "{\"type\":\"act\",\"position\":%d,\"verb\":%d,\"unit\":%d,\"ability\":%d,"
             "\"x\":%d,\"y\":%d,\"other\":%d,\"amount\":%d}",
             message->position.number, whole_at(json, json_member(json, of, "verb")),
             whole_at(json, json_member(json, of, "unit")),
             whole_at(json, json_member(json, of, "ability")), numbers[0], numbers[1], numbers[2],
             numbers[3]);
    test_client_send_nowait(visitor, text);
}

void visitor_act(TestClient *visitor) {
    int32_t before = visitor->number;
    visitor_throw_action(visitor, 0, 0);
    arena_run(visitor->arena, ANSWER_MS);
    test_client_expect(visitor, MESSAGE_SERVER_POSITION);
    assert_true(visitor->number > before);
}

void visitor_next(TestClient *visitor) {
    assert_true(next_frame(visitor));
    remember(visitor);
}

void visitor_forget(TestClient *visitor) {
    visitor->heard_count = visitor->mark = visitor->frames = 0;
    visitor->heard[0] = '\0';
}
