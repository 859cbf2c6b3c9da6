/* loopback_server.c -- see loopback_server.h. */
#define _GNU_SOURCE
#include "tests/net/loopback_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATIENCE_MS = 10000, RECEIVED_MAX = 1 << 20 };

static char received[RECEIVED_MAX + 1];

/* --- The server ------------------------------------------------------------------------------- */

static uint16_t on_open(void *context, NetConnection *connection, const NetRequest *request) {
    LoopbackServer *loopback = context;
    if (strcmp(request->path, "/forbidden") == 0) {
        net_send_text(connection, "lost", 4);
        return 403;
    }
    MashText address = text_over(loopback->address, sizeof loopback->address);
    MashText origin = text_over(loopback->origin, sizeof loopback->origin);
    text_string(&address, request->address);
    text_string(&origin, request->origin == NULL ? "none" : request->origin);
    assert_true(loopback->people_count < LOOPBACK_CLIENTS_MAX);
    loopback->people[loopback->people_count++] = connection;
    loopback->opened++;
    net_set_owner(connection, loopback);
    if (strcmp(request->path, "/greet") == 0)
        net_send_text(connection, "welcome", 7);
    return NET_ACCEPT;
}

/* Sends LOOPBACK_POURED big messages, or as many as it may. */
static void pour(LoopbackServer *loopback, NetConnection *connection) {
    static char big[65536];
    memset(big, 'p', sizeof big);
    NetFrame *frame = net_frame_new(loopback->loop, big, sizeof big);
    for (uint32_t i = 0; i < LOOPBACK_POURED && net_send(connection, frame); i++)
        continue;
    net_frame_release(frame);
}

static void flood(LoopbackServer *loopback, NetConnection *connection) {
    static char big[65536];
    memset(big, 'f', sizeof big);
    NetFrame *frame = net_frame_new(loopback->loop, big, sizeof big);
    uint32_t sent = 0;
    while (net_send(connection, frame))
        assert_true(++sent < 100000);
    assert_false(net_send(connection, frame));
    net_frame_release(frame);
}

/* Spends LOOPBACK_WORK_MS of this thread's CPU time. */
static void work(void) {
    struct timespec began, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &began);
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while ((now.tv_sec - began.tv_sec) * 1000 + (now.tv_nsec - began.tv_nsec) / 1000000 <
           LOOPBACK_WORK_MS);
}

static void on_message(void *context, NetConnection *connection, const char *bytes,
                       uint32_t count) {
    LoopbackServer *loopback = context;
    loopback->messages++;
    assert_true(net_owner(connection) == loopback);
    if (count > 4 && memcmp(bytes, "all:", 4) == 0) {
        NetFrame *frame = net_frame_new(loopback->loop, bytes + 4, count - 4);
        for (uint32_t i = 0; i < loopback->people_count; i++)
            net_send(loopback->people[i], frame);
        net_frame_release(frame);
    } else if (count >= 6 && memcmp(bytes, "close:", 6) == 0) {
        char reason[64] = {0};
        memcpy(reason, bytes + 6, count - 6);
        net_close(connection, NET_CLOSE_NORMAL, reason);
        net_close(connection, NET_CLOSE_INTERNAL_ERROR, "a second time");
        assert_false(net_send_text(connection, "late", 4));
    } else if (count == 5 && memcmp(bytes, "flood", 5) == 0) {
        flood(loopback, connection);
    } else if (count == 4 && memcmp(bytes, "pour", 4) == 0) {
        pour(loopback, connection);
    } else if (count == 4 && memcmp(bytes, "work", 4) == 0) {
        work();
    } else {
        net_send_text(connection, bytes, count);
    }
}

static void on_close(void *context, NetConnection *connection, uint16_t code, const char *reason) {
    LoopbackServer *loopback = context;
    uint32_t place = 0;
    while (place < loopback->people_count && loopback->people[place] != connection)
        place++;
    assert_true(place < loopback->people_count);
    loopback->people[place] = loopback->people[--loopback->people_count];
    loopback->closed++;
    loopback->code = code;
    MashText text = text_over(loopback->reason, sizeof loopback->reason);
    text_string(&text, reason);
    assert_false(net_send_text(connection, "late", 4));
}

static void on_request(void *context, const NetRequest *request, NetReply *reply) {
    LoopbackServer *loopback = context;
    char bytes[256];
    MashText text = text_over(bytes, sizeof bytes);
    if (strcmp(request->path, "/api/echo") == 0) {
        text_format(&text, "%s from %s", request->query, request->address);
        net_reply(reply, 200, "application/json", bytes, text.count);
    } else if (strcmp(request->path, "/") == 0 && loopback->setup.files_count > 0) {
        net_reply_file(reply, &loopback->setup.files[0]);
    } else if (strcmp(request->path, "/shared") == 0) {
        net_reply_share(reply);
        net_reply(reply, request->options ? 204 : 200, NULL, "all", request->options ? 0 : 3);
    } else if (strcmp(request->path, "/later-shared") == 0) {
        net_reply_share(reply);
        loopback->later[loopback->later_count++] = net_reply_later(reply);
    } else if (strcmp(request->path, "/later") == 0) {
        loopback->later[loopback->later_count++] = net_reply_later(reply);
    } else if (strcmp(request->path, "/api/who") == 0) {
        text_format(&text, "%s %s %s", request->local ? "local" : "-",
                    request->own_name ? "own" : "-",
                    request->authorization == NULL ? "none" : request->authorization);
        net_reply(reply, 200, NULL, bytes, text.count);
    } else if (strcmp(request->path, "/arena") == 0) {
        net_reply(reply, 426, NULL, "Please upgrade.", 15);
    }
}

static void stop(void *context) { net_loop_stop(((LoopbackServer *)context)->loop); }

LoopbackServer *loopback_new(void) {
    LoopbackServer *loopback = calloc(1, sizeof *loopback);
    loopback->loop = net_loop_open();
    loopback->timer = net_timer_open(loopback->loop, stop, loopback);
    NetLimits limits = net_limits();
    limits.address_connections = limits.address_requests = limits.address_handshakes =
        limits.socket_frames = limits.socket_bytes = (NetRate){0, 0};
    loopback->setup = (NetServerSetup){
        .address = "127.0.0.1",
        .calls = {.on_open = on_open,
                  .on_message = on_message,
                  .on_close = on_close,
                  .on_request = on_request},
        .owner = loopback,
        .limits = limits,
    };
    return loopback;
}

void loopback_open(LoopbackServer *loopback) {
    char problem[128] = "";
    MashText text = text_over(problem, sizeof problem);
    loopback->server = net_server_open(loopback->loop, &loopback->setup, &text);
    assert_string_equal(problem, "");
    assert_true(loopback->server != NULL && net_server_port(loopback->server) != 0);
}

void loopback_close(LoopbackServer *loopback) {
    if (loopback->server != NULL)
        net_server_close(loopback->server);
    net_timer_close(loopback->timer);
    net_loop_close(loopback->loop);
    free(loopback);
}

void loopback_run(LoopbackServer *loopback, uint32_t ms) {
    net_timer_start(loopback->timer, ms);
    net_loop_run(loopback->loop);
}

void loopback_until(LoopbackServer *loopback, const uint32_t *number, uint32_t value) {
    uint64_t end_ms = net_now_ms(loopback->loop) + PATIENCE_MS;
    while (*number < value && net_now_ms(loopback->loop) < end_ms)
        loopback_run(loopback, 1);
    assert_int_equal(*number, value);
}

void loopback_until_wide(LoopbackServer *loopback, uint64_t (*number)(LoopbackServer *loopback),
                         uint64_t value) {
    uint64_t end_ms = net_now_ms(loopback->loop) + PATIENCE_MS;
    while (number(loopback) != value && net_now_ms(loopback->loop) < end_ms)
        loopback_run(loopback, 1);
    assert_int_equal(number(loopback), value);
}

/* --- Clients ---------------------------------------------------------------------------------- */

static uint16_t client_opens(void *context, NetConnection *connection, const NetRequest *request) {
    LoopbackClient *client = context;
    assert_true(client->connection == connection && request->path[0] == '/');
    client->opened++;
    return NET_ACCEPT;
}

static void client_receives(void *context, NetConnection *connection, const char *bytes,
                            uint32_t count) {
    LoopbackClient *client = context;
    assert_true(client->connection == connection);
    client->messages++;
    client->bytes += count;
    MashText text = text_over(client->last, sizeof client->last);
    text_bytes(&text, bytes, count);
}

static void client_closes(void *context, NetConnection *connection, uint16_t code,
                          const char *reason) {
    LoopbackClient *client = context;
    assert_true(client->connection == connection);
    client->connection = NULL;
    client->code = code;
    MashText text = text_over(client->reason, sizeof client->reason);
    text_string(&text, reason);
}

LoopbackClient *loopback_client_at(LoopbackServer *loopback, const char *url,
                                   const NetLimits *limits) {
    static const NetCallbacks calls = {
        .on_open = client_opens, .on_message = client_receives, .on_close = client_closes};
    char problem[128] = "";
    MashText text = text_over(problem, sizeof problem);
    LoopbackClient *client = test_calloc(1, sizeof *client);
    client->connection = net_connect(loopback->loop, url, &calls, client, limits, &text);
    assert_string_equal(problem, "");
    return client;
}

LoopbackClient *loopback_client(LoopbackServer *loopback, const char *path) {
    char url[128];
    MashText text = text_over(url, sizeof url);
    text_format(&text, "ws://127.0.0.1:%u%s", (unsigned)net_server_port(loopback->server), path);
    return loopback_client_at(loopback, url, NULL);
}

void loopback_send(LoopbackClient *client, const char *text) {
    assert_true(net_send_text(client->connection, text, (uint32_t)strlen(text)));
}

/* --- Raw sockets ------------------------------------------------------------------------------ */

int raw_open(LoopbackServer *loopback) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port = htons(net_server_port(loopback->server))};
    int raw = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(raw >= 0);
    assert_int_equal(connect(raw, (struct sockaddr *)&address, sizeof address), 0);
    return raw;
}

void raw_say(int socket, const char *bytes, size_t count) {
    assert_int_equal(send(socket, bytes, count, MSG_NOSIGNAL), (ssize_t)count);
}

/* How many bytes were received; they are in `heard`. */
static size_t receive(LoopbackServer *loopback, int socket, const char *end) {
    uint64_t end_ms = net_now_ms(loopback->loop) + PATIENCE_MS;
    size_t count = 0;
    received[0] = '\0';
    while (count < RECEIVED_MAX && net_now_ms(loopback->loop) < end_ms) {
        ssize_t got = recv(socket, received + count, RECEIVED_MAX - count, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN))
            break;
        count += got > 0 ? (size_t)got : 0;
        received[count] = '\0';
        if (end != NULL && memmem(received, count, end, strlen(end)) != NULL)
            break;
        if (got < 0)
            loopback_run(loopback, 1);
    }
    assert_true(net_now_ms(loopback->loop) < end_ms);
    return count;
}

const char *raw_receive(LoopbackServer *loopback, int socket, const char *end) {
    receive(loopback, socket, end);
    return received;
}

const char *raw_ask(LoopbackServer *loopback, const char *request, const char *end) {
    int raw = raw_open(loopback);
    raw_say(raw, request, strlen(request));
    receive(loopback, raw, end);
    close(raw);
    return received;
}

int raw_websocket(LoopbackServer *loopback, const char *path) {
    char request[256];
    MashText text = text_over(request, sizeof request);
    text_format(&text,
                "GET %s HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
                path);
    int raw = raw_open(loopback);
    raw_say(raw, request, text.count);
    assert_non_null(strstr(raw_receive(loopback, raw, "\r\n\r\n"),
                           "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    return raw;
}

uint16_t raw_close_code(LoopbackServer *loopback, int socket) {
    size_t count = receive(loopback, socket, NULL), at = 0;
    uint16_t code = 0;
    while (at + 4 <= count) {
        size_t length = (uint8_t)received[at + 1];
        if ((uint8_t)received[at] == 0x88 && length >= 2)
            code = (uint16_t)((uint8_t)received[at + 2] << 8 | (uint8_t)received[at + 3]);
        at += 2 + length;
    }
    close(socket);
    return code;
}
