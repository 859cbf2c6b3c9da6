/* net_house.h -- a server on loopback with guests of three kinds, for the tests of net/: our own
 * clients, raw sockets, and whoever else knocks. All of them live in one loop and one thread. */
#ifndef TESTS_NET_HOUSE_H
#define TESTS_NET_HOUSE_H
#include "net/net.h"

/* Sizes of what is remembered. */
enum {
    HOUSE_PEOPLE_MAX = 600,
    HOUSE_REASON_MAX = 128,
    HOUSE_LATER_MAX = 8,
    HOUSE_WORK_MS = 120,
    HOUSE_POURED = 128
};

/* A server that does as it is told by messages:
 *   all:X      sends X to everybody, in one frame
 *   close:X    says goodbye with 1000 and X
 *   flood      sends 64 KiB messages until it may send no more
 *   pour       sends HOUSE_POURED messages of 64 KiB
 *   work       keeps the loop's thread at work for HOUSE_WORK_MS
 *   anything else is sent back. */
typedef struct House {
    NetLoop *loop;
    NetTimer *timer;
    NetServer *server;
    NetServerSetup setup; /* change it before house_open() */
    NetConnection *people[HOUSE_PEOPLE_MAX];
    uint32_t people_count;
    uint32_t opened, messages, binaries, closed;
    uint16_t code; /* of the last on_close */
    char reason[HOUSE_REASON_MAX];
    char address[64], origin[64]; /* of the last on_open */
    bool drained;
    NetReply *later[HOUSE_LATER_MAX]; /* what was asked for at /later, to be answered by the test */
    uint32_t later_count;
} House;

/* One of our own clients. */
typedef struct Guest {
    NetConnection *connection; /* NULL = closed */
    uint32_t opened, messages, bytes;
    uint16_t code;
    char reason[HOUSE_REASON_MAX];
    char last[HOUSE_REASON_MAX]; /* the last message, if short */
} Guest;

/* A house that is not open yet: quick limits without rates. */
House *house_new(void);
void house_open(House *house);
void house_close(House *house);

/* Runs the loop for some milliseconds. */
void house_run(House *house, uint32_t ms);
/* Runs the loop until the number has this value; the test fails after ten seconds. */
void house_until(House *house, const uint32_t *number, uint32_t value);
/* The same for a wide one. */
void house_until_wide(House *house, uint64_t (*number)(House *house), uint64_t value);

/* A client of the house at this path; it lives until the house closes. */
Guest *house_guest(House *house, const char *path);
/* The same anywhere. */
Guest *house_guest_at(House *house, const char *url, const NetLimits *limits);
void guest_say(Guest *guest, const char *text);

/* A raw socket to the house, connected. */
int raw_open(House *house);
void raw_say(int socket, const char *bytes, size_t count);
/* What comes until the text `end` was seen, or until the other side closes if NULL; NUL-terminated.
 */
const char *raw_hear(House *house, int socket, const char *end);
/* Says this and hears until `end`. */
const char *raw_ask(House *house, const char *request, const char *end);
/* A raw socket that has made its handshake. */
int raw_websocket(House *house, const char *path);
/* The close code of the last frame that is heard until the other side closes; 0 = none. */
uint16_t raw_close_code(House *house, int socket);

#endif
