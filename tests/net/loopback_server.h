/* loopback_server.h -- a loopback server with clients for the tests of net/: our own clients, raw
 * sockets, and any others. All of them run in one loop and one thread. */
#ifndef TESTS_NET_LOOPBACK_SERVER_H
#define TESTS_NET_LOOPBACK_SERVER_H
#include "net/net.h"

/* Sizes of what is recorded. */
enum {
    LOOPBACK_CLIENTS_MAX = 600,
    LOOPBACK_REASON_MAX = 128,
    LOOPBACK_LATER_MAX = 8,
    LOOPBACK_WORK_MS = 120,
    LOOPBACK_POURED = 128
};

/* A server that is controlled by messages:
 *   all:X      sends X to everybody, in one frame
 *   close:X    closes with 1000 and X
 *   flood      sends 64 KiB messages until it may send no more
 *   pour       sends LOOPBACK_POURED messages of 64 KiB
 *   work       keeps the loop's thread busy for LOOPBACK_WORK_MS
 *   anything else is sent back. */
typedef struct LoopbackServer {
    NetLoop *loop;
    NetTimer *timer;
    NetServer *server;
    NetServerSetup setup; /* change it before loopback_open() */
    NetConnection *people[LOOPBACK_CLIENTS_MAX];
    uint32_t people_count;
    uint32_t opened, messages, binaries, closed;
    uint16_t code; /* of the last on_close */
    char reason[LOOPBACK_REASON_MAX];
    char address[64], origin[64]; /* of the last on_open */
    bool drained;
    NetReply *later[LOOPBACK_LATER_MAX]; /* requests for /later, to be answered by the test */
    uint32_t later_count;
} LoopbackServer;

/* One of our own clients. */
typedef struct LoopbackClient {
    NetConnection *connection; /* NULL = closed */
    uint32_t opened, messages, bytes;
    uint16_t code;
    char reason[LOOPBACK_REASON_MAX];
    char last[LOOPBACK_REASON_MAX]; /* the last message, if short */
} LoopbackClient;

/* A server that is not open yet: short times, no rate limits. */
LoopbackServer *loopback_new(void);
void loopback_open(LoopbackServer *loopback);
void loopback_close(LoopbackServer *loopback);

/* Runs the loop for some milliseconds. */
void loopback_run(LoopbackServer *loopback, uint32_t ms);
/* Runs the loop until the number has this value; the test fails after ten seconds. */
void loopback_until(LoopbackServer *loopback, const uint32_t *number, uint32_t value);
/* The same for a 64 bit number. */
void loopback_until_wide(LoopbackServer *loopback, uint64_t (*number)(LoopbackServer *loopback),
                         uint64_t value);

/* A client of the server at this path; it lives until the server closes. */
LoopbackClient *loopback_client(LoopbackServer *loopback, const char *path);
/* The same at any URL. */
LoopbackClient *loopback_client_at(LoopbackServer *loopback, const char *url,
                                   const NetLimits *limits);
void loopback_send(LoopbackClient *client, const char *text);

/* A raw socket connected to the server. */
int raw_open(LoopbackServer *loopback);
void raw_say(int socket, const char *bytes, size_t count);
/* Receives until the text `end` was seen, or until the other end closes if NULL; NUL-terminated. */
const char *raw_receive(LoopbackServer *loopback, int socket, const char *end);
/* Sends the request and receives until `end`. */
const char *raw_ask(LoopbackServer *loopback, const char *request, const char *end);
/* A raw socket after its handshake. */
int raw_websocket(LoopbackServer *loopback, const char *path);
/* The close code of the last frame before the other end closes; 0 = none. */
uint16_t raw_close_code(LoopbackServer *loopback, int socket);

#endif
