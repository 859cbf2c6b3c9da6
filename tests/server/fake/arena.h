/* arena.h -- a server and its clients inside one test: a server over the fake network, a store in a
 * temporary folder, and players who send and receive messages. */
#ifndef TESTS_SERVER_FAKE_ARENA_H
#define TESTS_SERVER_FAKE_ARENA_H
#include "match/match.h"
#include "proto/position.h"
#include "server/server.h"
#include "standard/server.h"
#include "tests/server/fake/net.h"

/* A server, its folder and its clock. */
typedef struct TestServer {
    NetLoop *loop;
    Server *server;
    ServerSetup setup;
    StandardConfig standard; /* of its second protocol */
    char folder[64], place[96];
    char log[1 << 16]; /* its last lines */
    uint32_t log_count;
    bool stopped, failed;
} TestServer;

/* A client of the server. */
typedef struct TestClient {
    TestServer *arena;
    NetConnection *connection; /* NULL: disconnected */
    uint16_t close_code;
    char *received; /* all frames, each with a line end */
    uint32_t received_count, received_max;
    uint32_t frames;
    uint32_t mark; /* where test_client_expect() starts to look */
    Message message;
    JsonNode *nodes;
    char *pool;
    char code[PROTO_CODE_MAX + 1], token[PROTO_TOKEN_DIGITS + 1];
    uint8_t seat;
    int32_t number; /* of the last position */
} TestClient;

/* Creates a server with an empty folder; arena->setup may be changed before arena_open(). */
void arena_init(TestServer *arena, uint64_t seed);
void arena_open(TestServer *arena);
/* The server disappears suddenly, as by kill -9, and may be opened again. */
void arena_kill(TestServer *arena);
/* Closes and removes everything. */
void arena_release(TestServer *arena);
/* Lets time pass. */
void arena_run(TestServer *arena, uint64_t ms);

/* Connects and sends hello. */
void test_client_join(TestClient *client, TestServer *arena, const char *name, const char *role,
                      const char *view);
/* Connects only. */
void test_client_connect(TestClient *client, TestServer *arena, const char *path);
/* Disconnects and frees; ignored if it is not connected. Code and token are kept. */
void test_client_release(TestClient *client);
/* Sends a message, and waits until it was answered. */
void test_client_send(TestClient *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Sends it without waiting. */
void test_client_send_nowait(TestClient *client, const char *text);
/* Reads frames from the mark on until one of this kind, and sets the mark after it; the test fails
 * if there is none. */
const Message *test_client_expect(TestClient *client, MessageKind kind);
/* Is there such a frame after the mark? The mark stays. */
bool test_client_has(TestClient *client, MessageKind kind);
/* Reads the next frame, whatever it is; there must be one. */
void test_client_next(TestClient *client);
/* The next frame of any kind must be this refusal. */
void test_client_refused(TestClient *client, const char *code);
/* Sends the first action that the last position lists; the answer must be a newer position. */
void test_client_act(TestClient *client);
/* Sends one of the actions that the last position lists, which must have some: the group and the
 * cell of these numbers, modulo their counts. */
void test_client_throw_action(TestClient *client, uint32_t group, uint32_t cell);
/* Discards what was received. */
void test_client_forget(TestClient *client);

#endif
