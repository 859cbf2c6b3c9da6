/* test_net_client.c -- WebSockets that we open: names and addresses, handshakes, refusals.
 *
 * Names are resolved by the test itself, so that no network is needed: getaddrinfo() of this
 * program replaces the system's. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netdb.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "net/handshake.h"
#include "tests/net/loopback_server.h"

/* --- Names --------------------------------------------------------------------------------------
 */

/* An entry of a list as getaddrinfo() gives it. */
typedef struct AddressEntry {
    struct addrinfo info;
    struct sockaddr_in address;
} AddressEntry;

/* "four-doors.test" has three addresses that refuse and then the right one; "wrong-doors.test" has
 * three that refuse; "nowhere.test" is unknown; everything else is a numeric address. */
int getaddrinfo(const char *restrict name, const char *restrict port,
                const struct addrinfo *restrict hints, struct addrinfo **restrict out) {
    bool four = strcmp(name, "four-doors.test") == 0, wrong = strcmp(name, "wrong-doors.test") == 0;
    (void)hints;
    if (strcmp(name, "nowhere.test") == 0)
        return EAI_NONAME;
    struct addrinfo *list = NULL;
    for (int i = four ? 3 : wrong ? 2 : 0; i >= 0; i--) {
        AddressEntry *entry = calloc(1, sizeof *entry);
        bool dead = wrong || (four && i < 3);
        entry->address.sin_family = AF_INET;
        entry->address.sin_port = htons((uint16_t)(dead ? 1 + i : atoi(port)));
        inet_pton(AF_INET, four || wrong ? "127.0.0.1" : name, &entry->address.sin_addr);
        entry->info = (struct addrinfo){.ai_family = AF_INET,
                                        .ai_socktype = SOCK_STREAM,
                                        .ai_addrlen = sizeof entry->address,
                                        .ai_addr = (struct sockaddr *)&entry->address,
                                        .ai_next = list};
        list = &entry->info;
    }
    *out = list;
    return 0;
}

void freeaddrinfo(struct addrinfo *list) {
    while (list != NULL) {
        struct addrinfo *next = list->ai_next;
        free(list);
        list = next;
    }
}

static void wait_until_closed(LoopbackServer *loopback, LoopbackClient *client) {
    uint64_t end_ms = net_now_ms(loopback->loop) + 10000;
    while (client->connection != NULL && net_now_ms(loopback->loop) < end_ms)
        loopback_run(loopback, 1);
    assert_null(client->connection);
}

static LoopbackClient *client_of_name(LoopbackServer *loopback, const char *name) {
    char url[64];
    MashText text = text_over(url, sizeof url);
    text_format(&text, "ws://%s:%u?a=b", name, (unsigned)net_server_port(loopback->server));
    return loopback_client_at(loopback, url, NULL);
}

/* A name may have several addresses: those that refuse are skipped. */
static void every_address_is_tried(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    LoopbackClient *client = client_of_name(loopback, "four-doors.test");
    loopback_until(loopback, &client->opened, 1);
    NetFrame *frame = net_frame_new(loopback->loop, "hello", 5);
    assert_true(net_send(client->connection, frame));
    net_frame_release(frame);
    loopback_until(loopback, &client->messages, 1);
    assert_string_equal(client->last, "hello");
    LoopbackClient *lost = client_of_name(loopback, "wrong-doors.test");
    wait_until_closed(loopback, lost);
    assert_string_equal(lost->reason, "connection refused");
    LoopbackClient *unknown = client_of_name(loopback, "nowhere.test");
    wait_until_closed(loopback, unknown);
    assert_string_equal(unknown->reason, "unknown node or service");
    loopback_close(loopback);
    test_free(client);
    test_free(lost);
    test_free(unknown);
}

/* At whatever stage a client is cancelled, it ends once and leaves nothing behind. */
static void clients_may_give_up_at_any_time(void **unused) {
    (void)unused;
    static const char *names[] = {"four-doors.test", "wrong-doors.test", "nowhere.test",
                                  "127.0.0.1"};
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    for (uint32_t i = 0; i < 60; i++) {
        LoopbackClient *client = client_of_name(loopback, names[i % 4]);
        for (uint32_t j = 0; j < i / 4; j++)
            loopback_run(loopback, 0);
        if (client->connection != NULL) {
            net_close(client->connection, NET_CLOSE_GOING_AWAY, "never mind");
            wait_until_closed(loopback, client);
            assert_true(client->code == NET_CLOSE_GOING_AWAY || client->code == NET_CLOSE_ABNORMAL);
        }
        test_free(client);
    }
    LoopbackClient *clients[20];
    for (uint32_t i = 0; i < 20; i++) {
        clients[i] = client_of_name(loopback, names[i % 4]);
        loopback_run(loopback, 0);
    }
    loopback_close(loopback);
    for (uint32_t i = 0; i < 20; i++)
        test_free(clients[i]);
}

static void clients_fail_with_a_reason(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    LoopbackClient *client = loopback_client(loopback, "/forbidden");
    wait_until_closed(loopback, client);
    assert_true(client->opened == 0 && client->code == NET_CLOSE_ABNORMAL);
    assert_string_equal(client->reason, "the server answered 403 Forbidden");
    assert_true(loopback->closed == 0 && net_server_stats(loopback->server).websockets == 0);
    test_free(client);
    client = loopback_client_at(loopback, "ws://127.0.0.1:1", NULL);
    wait_until_closed(loopback, client);
    assert_string_equal(client->reason, "connection refused");
    test_free(client);
    client = loopback_client_at(loopback, "ws://nowhere.test/", NULL);
    net_close(client->connection, NET_CLOSE_NORMAL, "");
    wait_until_closed(loopback, client);
    assert_int_equal(client->code, NET_CLOSE_NORMAL);
    test_free(client);
    static const char *bad[] = {"http://a/",       "ws://",     "ws://:80/",    "ws://a:0/",
                                "ws://a:65536/",   "ws://a:x/", "ws://[::1/",   "ws://a/ b",
                                "ws://a:123456/x", "wss:///",   "ws://[::1]x/", "ws://a/#b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char problem[128] = "";
        MashText text = text_over(problem, sizeof problem);
        assert_null(net_connect(loopback->loop, bad[i], &loopback->setup.calls, NULL, NULL, &text));
        assert_true(problem[0] != '\0');
    }
    loopback_close(loopback);
}

/* A listening socket that is not a server, and its port. */
static int listen_raw(uint16_t *port) {
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&name, sizeof name), 0);
    assert_int_equal(listen(listener, 1), 0);
    getsockname(listener, (struct sockaddr *)&name, &size);
    *port = ntohs(name.sin_port);
    return listener;
}

/* Accepts the client, which must not give up meanwhile, and receives its request. */
static int accept_raw(LoopbackServer *loopback, const LoopbackClient *client, int listener,
                      const char **request) {
    int raw = -1;
    while (raw < 0) {
        assert_non_null(client->connection);
        loopback_run(loopback, 1);
        raw = accept4(listener, NULL, NULL, 0);
    }
    *request = raw_receive(loopback, raw, "\r\n\r\n");
    return raw;
}

static LoopbackClient *client_of_port(LoopbackServer *loopback, uint16_t port,
                                      uint32_t request_ms) {
    char url[64];
    MashText text = text_over(url, sizeof url);
    text_format(&text, "ws://127.0.0.1:%u/", (unsigned)port);
    NetLimits limits = net_limits();
    limits.request_ms = request_ms;
    return loopback_client_at(loopback, url, &limits);
}

/* Programs that are not servers, and wrong answers. */
static void clients_check_the_handshake(void **unused) {
    (void)unused;
    static const struct {
        const char *answer, *reason;
    } cases[] = {
        {"HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
         "invalid handshake from the server"},
        {"HTTP/1.1 101 x\r\n\r\n", "invalid handshake from the server"},
        {"HTTP/1.1 301 Moved\r\n\r\n", "the server answered 301 Answer"},
        {"HTTP/1.1 200 OK\r\n\r\n", "the server answered 200 OK"},
        {"SSH-2.0-x\r\n\r\n", "the server does not speak HTTP/1.1"},
        {"", "the peer closed the connection"},
        {NULL, "timeout"},
    };
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback); /* for its loop and port number only */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint16_t port;
        const char *request;
        int listener = listen_raw(&port);
        LoopbackClient *client =
            client_of_port(loopback, port, cases[i].answer == NULL ? 100 : 10000);
        if (cases[i].answer != NULL) { /* else nobody accepts, however soon it gives up */
            int raw = accept_raw(loopback, client, listener, &request);
            assert_non_null(strstr(request, "Upgrade: websocket"));
            raw_say(raw, cases[i].answer, strlen(cases[i].answer));
            close(raw);
        }
        wait_until_closed(loopback, client);
        assert_string_equal(client->reason, cases[i].reason);
        close(listener);
        test_free(client);
    }
    loopback_close(loopback);
}

/* A valid answer with a protocol or extension that was not requested is refused. Without it, data
 * in the same packet is received. */
static void offers_that_were_not_made_are_refused(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    for (int extra = 0; extra < 2; extra++) {
        uint16_t port;
        const char *request;
        char key[HANDSHAKE_KEY_BYTES] = {0}, accept[HANDSHAKE_ACCEPT_BYTES], answer[512];
        int listener = listen_raw(&port);
        LoopbackClient *client = client_of_port(loopback, port, 10000);
        int raw = accept_raw(loopback, client, listener, &request);
        memcpy(key, strstr(request, "Sec-WebSocket-Key: ") + 19, sizeof key - 1);
        handshake_accept(key, accept);
        MashText text = text_over(answer, sizeof answer);
        text_format(&text,
                    "HTTP/1.1 101 Well\r\nUpgrade: WebSocket\r\nConnection: upgrade\r\n"
                    "Sec-WebSocket-Accept: %s\r\n%s\r\n\x81\x02hi",
                    accept, extra ? "Sec-WebSocket-Extensions: permessage-deflate\r\n" : "");
        raw_say(raw, answer, text.count);
        if (extra) {
            wait_until_closed(loopback, client);
            assert_string_equal(client->reason,
                                "the server chose an extension that was not offered");
            assert_int_equal(client->opened, 0);
        } else {
            loopback_until(loopback, &client->messages, 1);
            assert_string_equal(client->last, "hi");
            net_close(client->connection, NET_CLOSE_NORMAL, "");
            close(raw);
            wait_until_closed(loopback, client);
        }
        close(extra ? raw : listener);
        if (extra)
            close(listener);
        test_free(client);
    }
    loopback_close(loopback);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_address_is_tried),
        cmocka_unit_test(clients_may_give_up_at_any_time),
        cmocka_unit_test(clients_fail_with_a_reason),
        cmocka_unit_test(clients_check_the_handshake),
        cmocka_unit_test(offers_that_were_not_made_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
