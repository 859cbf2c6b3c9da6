/* arena.c -- see arena.h. */
#define _DEFAULT_SOURCE
#include "tests/server/fake/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 1 << 16, POOL = 1 << 18, FIRST_RECEIVED = 1 << 16, ANSWER_MS = 10 };

/* --- The server ------------------------------------------------------------------------------- */

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

/* --- Clients ---------------------------------------------------------------------------------- */

static uint16_t let_in(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)owner;
    (void)connection;
    (void)request;
    return NET_ACCEPT;
}

static void take_frame(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    TestClient *client = owner;
    (void)connection;
    while (client->received_count + count + 2 > client->received_max) {
        client->received_max *= 2;
        client->received = realloc(client->received, client->received_max);
        assert_non_null(client->received);
    }
    memcpy(client->received + client->received_count, bytes, count);
    client->received_count += count;
    client->received[client->received_count++] = '\n';
    client->received[client->received_count] = '\0';
    client->frames++;
}

static void take_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    TestClient *client = owner;
    (void)connection;
    (void)reason;
    client->connection = NULL;
    client->close_code = code;
}

void test_client_connect(TestClient *client, TestServer *arena, const char *path) {
    static const NetCallbacks calls = {let_in, take_frame, NULL, take_close, NULL};
    char url[128];
    memset(client, 0, sizeof *client);
    client->arena = arena;
    client->received_max = FIRST_RECEIVED;
    client->received = calloc(1, client->received_max);
    client->nodes = calloc(NODES, sizeof *client->nodes);
    client->pool = calloc(1, POOL);
    assert_true(client->received != NULL && client->nodes != NULL && client->pool != NULL);
    snprintf(url, sizeof url, "ws://server:%u%s", (unsigned)server_port(arena->server), path);
    client->connection = net_connect(arena->loop, url, &calls, client, NULL, NULL);
    arena_run(arena, ANSWER_MS);
}

void test_client_join(TestClient *client, TestServer *arena, const char *name, const char *role,
                      const char *view) {
    test_client_connect(client, arena, "/arena");
    test_client_send(client, "{\"type\":\"hello\",\"name\":\"%s\",\"role\":\"%s\",\"view\":\"%s\"}",
                     name, role, view);
    test_client_expect(client, MESSAGE_SERVER_WELCOME);
}

void test_client_release(TestClient *client) {
    if (client->arena == NULL)
        return;
    if (client->connection != NULL)
        fake_cut(client->connection);
    arena_run(client->arena, ANSWER_MS);
    free(client->received);
    free(client->nodes);
    free(client->pool);
    client->arena = NULL;
}

void test_client_send_nowait(TestClient *client, const char *text) {
    assert_non_null(client->connection);
    net_send_text(client->connection, text, (uint32_t)strlen(text));
}

void test_client_send(TestClient *client, const char *format, ...) {
    char text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    test_client_send_nowait(client, text);
    arena_run(client->arena, ANSWER_MS);
}

/* Copies the frame at the mark; false: there is none. */
static bool next_frame(TestClient *client) {
    if (client->mark == client->received_count)
        return false;
    MashProblem list[2];
    MashProblems problems = {.list = list, .max = 2};
    MessageMemory memory = {client->nodes, NODES, client->pool, POOL};
    const char *frame = client->received + client->mark;
    uint32_t count = (uint32_t)(strchr(frame, '\n') - frame);
    if (message_read(&client->message, frame, count, true, &memory, &problems) != MESSAGE_VALID)
        fail_msg("%.*s: %s %s", (int)count, frame, list[0].path, list[0].reason);
    client->mark += count + 1;
    return true;
}

/* Records what a player needs of the messages received. */
static void remember(TestClient *client) {
    const Message *message = &client->message;
    if (message->kind == MESSAGE_SERVER_POSITION)
        client->number = message->position.number;
    if (message->kind != MESSAGE_SERVER_TABLE)
        return;
    memcpy(client->code, message->table.code, sizeof client->code);
    client->seat = message->table.you;
    if (message_has(message, "token"))
        memcpy(client->token, message->table.token, sizeof client->token);
}

const Message *test_client_expect(TestClient *client, MessageKind kind) {
    uint32_t mark = client->mark;
    while (next_frame(client)) {
        remember(client);
        if (client->message.kind == kind)
            return &client->message;
    }
    fail_msg("no message %s in: %s", message_type(kind), client->received + mark);
    return NULL;
}

bool test_client_has(TestClient *client, MessageKind kind) {
    uint32_t mark = client->mark;
    bool found = false;
    while (!found && next_frame(client))
        found = client->message.kind == kind;
    client->mark = mark;
    return found;
}

void test_client_refused(TestClient *client, const char *code) {
    const Message *message = test_client_expect(client, MESSAGE_SERVER_REFUSED);
    if (strcmp(message->refused.code, code) != 0)
        fail_msg("refused as %s (%s), not as %s", message->refused.code, message->refused.reason,
                 code);
}

static int32_t whole_at(const Json *json, uint32_t node) {
    int32_t number;
    assert_true(json_int(json, node, INT32_MIN, INT32_MAX, &number, NULL));
    return number;
}

/* Child number `index` of an array, modulo its length. */
static uint32_t child(const Json *json, uint32_t array, uint32_t index) {
    assert_true(json->nodes[array].count > 0);
    uint32_t node = json_first(json, array);
    for (uint32_t i = index % json->nodes[array].count; i > 0; i--)
        node = json->nodes[node].next;
    return node;
}

void test_client_throw_action(TestClient *client, uint32_t group, uint32_t cell) {
    const Message *message = &client->message;
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
    test_client_send_nowait(client, text);
}

void test_client_act(TestClient *client) {
    int32_t before = client->number;
    test_client_throw_action(client, 0, 0);
    arena_run(client->arena, ANSWER_MS);
    test_client_expect(client, MESSAGE_SERVER_POSITION);
    assert_true(client->number > before);
}

void test_client_next(TestClient *client) {
    assert_true(next_frame(client));
    remember(client);
}

void test_client_forget(TestClient *client) {
    client->received_count = client->mark = client->frames = 0;
    client->received[0] = '\0';
}
