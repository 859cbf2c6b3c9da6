/* loopback_server.h -- a server on loopback with guests of three kinds, for the tests of net/: our
 * own clients, raw sockets, and whoever else knocks. All of them live in one loop and one thread.
 */
#ifndef TESTS_NET_LOOPBACK_SERVER_H
#define TESTS_NET_LOOPBACK_SERVER_H
#include "net/net.h"

/* Sizes of what is remembered. */
enum {
    LOOPBACK_CLIENTS_MAX = 600,
    LOOPBACK_REASON_MAX = 128,
    LOOPBACK_LATER_MAX = 8,
    LOOPBACK_WORK_MS = 120,
    LOOPBACK_POURED = 128
};

/* A server that does as it is told by messages:
 *   all:X      sends X to everybody, in one frame
 *   close:X    says goodbye with 1000 and X
 *   flood      sends 64 KiB messages until it may send no more
 *   pour       sends HOUSE_POURED messages of 64 KiB
 *   work       keeps the loop's thread at work for HOUSE_WORK_MS
 *   anything else is sent back. */
typedef struct LoopbackServer {
    NetLoop *loop;
    NetTimer *timer;
    NetServer *server;
    NetServerSetup setup; /* change it before house_open() */
    NetConnection *people[LOOPBACK_CLIENTS_MAX];
    uint32_t people_count;
    uint32_t opened, messages, binaries, closed;
    uint16_t code; /* of the last on_close */
    char reason[LOOPBACK_REASON_MAX];
    char address[64], origin[64]; /* of the last on_open */
    bool drained;
    NetReply
        *later[LOOPBACK_LATER_MAX]; /* what was asked for at /later, to be answered by the test */
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

/* A house that is not open yet: quick limits without rates. */
LoopbackServer *loopback_new(void);
void loopback_open(LoopbackServer *loopback);
void loopback_close(LoopbackServer *loopback);

/* Runs the loop for some milliseconds. */
void loopback_run(LoopbackServer *loopback, uint32_t ms);
/* Runs the loop until the number has this value; the test fails after ten seconds. */
void loopback_until(LoopbackServer *loopback, const uint32_t *number, uint32_t value);
/* The same for a wide one. */
void loopback_until_wide(LoopbackServer *loopback, uint64_t (*number)(LoopbackServer *loopback),
                         uint64_t value);

/* A client of the house at this path; it lives until the house closes. */
LoopbackClient *loopback_client(LoopbackServer *loopback, const char *path);
/* The same anywhere. */
LoopbackClient *loopback_client_at(LoopbackServer *loopback, const char *url,
                                   const NetLimits *limits);
void loopback_send(LoopbackClient *client, const char *text);

/* A raw socket to the house, connected. */
int raw_open(LoopbackServer *loopback);
void raw_say(int socket, const char *bytes, size_t count);
/* What comes until the text `end` was seen, or until the other side closes if NULL; NUL-terminated.
 */
const char *raw_receive(LoopbackServer *loopback, int socket, const char *end);
/* Says this and hears until `end`. */
const char *raw_ask(LoopbackServer *loopback, const char *request, const char *end);
/* A raw socket that has made its handshake. */
int raw_websocket(LoopbackServer *loopback, const char *path);
/* The close code of the last frame that is heard until the other side closes; 0 = none. */
uint16_t raw_close_code(LoopbackServer *loopback, int socket);

#endif
