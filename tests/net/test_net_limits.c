/* test_net_limits.c -- resources that strangers must not exhaust, over real sockets: memory,
 * sockets, time, descriptors; and that others are not affected. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/net/loopback_server.h"

static NetStats stats(LoopbackServer *loopback) { return net_server_stats(loopback->server); }
static uint64_t sockets(LoopbackServer *loopback) { return stats(loopback).sockets; }
static uint64_t memory(LoopbackServer *loopback) { return stats(loopback).memory; }

/* --- Limits ----------------------------------------------------------------------------------- */

static void slow_readers_are_cut_off(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.queue_bytes_max = 1 << 20;
    loopback_open(loopback);
    LoopbackClient *client = loopback_client(loopback, "/arena");
    int slow = raw_websocket(loopback, "/");
    loopback_until(loopback, &client->opened, 1);
    raw_say(slow, "\x81\x85\0\0\0\0flood", 11);
    loopback_until(loopback, &loopback->closed, 1);
    assert_true(loopback->code == NET_CLOSE_ABNORMAL); /* it may be the network's fault */
    assert_string_equal(loopback->reason, "the peer reads too slowly");
    assert_int_equal(stats(loopback).cut_slow, 1);
    loopback_until_wide(loopback, memory, 0);
    loopback_send(client, "still here");
    loopback_until(loopback, &client->messages, 1);
    close(slow);
    /* Many small frames are too many as well: nobody reads these pongs. */
    slow = raw_websocket(loopback, "/");
    static char pings[6 * 4000];
    for (uint32_t i = 0; i < sizeof pings; i += 6)
        memcpy(pings + i, "\x89\x80\0\0\0\0", 6);
    raw_say(slow, pings, sizeof pings);
    loopback_until(loopback, &loopback->closed, 2);
    assert_int_equal(stats(loopback).cut_slow, 2);
    close(slow);
    test_free(client);
    loopback_close(loopback);
}

/* A client that sends and never reads is disconnected when nothing queued for it is read for
 * send_ms. */
static void clients_that_take_nothing_are_cut_off(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.queue_bytes_max = 64 << 20;
    loopback->setup.limits.send_ms = 300;
    loopback_open(loopback);
    int deaf = raw_websocket(loopback, "/");
    raw_say(deaf, "\x81\x84\0\0\0\0pour", 10);
    for (int i = 0; i < 500 && loopback->closed == 0; i++) {
        send(deaf, "\x81\x81\0\0\0\0x", 7, MSG_NOSIGNAL);
        loopback_run(loopback, 10);
    }
    assert_int_equal(loopback->closed, 1);
    assert_true(loopback->code == NET_CLOSE_ABNORMAL); /* it may be the network's fault */
    assert_string_equal(loopback->reason, "the peer reads too slowly");
    assert_int_equal(stats(loopback).cut_slow, 1);
    loopback_until_wide(loopback, memory, 0);
    close(deaf);
    loopback_close(loopback);
}

/* Reads up to `most` available bytes; how many. */
static size_t read_some(int socket, size_t most) {
    static char bytes[65536];
    ssize_t got = recv(socket, bytes, most < sizeof bytes ? most : sizeof bytes, MSG_DONTWAIT);
    return got > 0 ? (size_t)got : 0;
}

/* A slow reader gets everything, however long that takes. */
static void slow_readers_are_waited_for(void **unused) {
    (void)unused;
    enum { SEND_MS = 1000, ALL = LOOPBACK_POURED * (65536 + 10) };
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.request_ms = SEND_MS;
    loopback->setup.limits.queue_bytes_max = 64 << 20;
    loopback->setup.limits.send_ms = SEND_MS;
    loopback_open(loopback);
    int slow = raw_websocket(loopback, "/");
    raw_say(slow, "\x81\x84\0\0\0\0pour", 10);
    uint64_t end_ms = net_now_ms(loopback->loop) + 3 * SEND_MS, deadline_ms = end_ms + 10000;
    size_t got = 0;
    int silent = -1;
    while (net_now_ms(loopback->loop) < end_ms) {
        if (silent < 0 && net_now_ms(loopback->loop) + SEND_MS > end_ms)
            silent = raw_open(loopback);
        loopback_run(loopback, 10);
        got += read_some(slow, 8192);
    }
    assert_true(got < ALL / 2 && loopback->closed == 0 && memory(loopback) > 0);
    loopback_until_wide(loopback, sockets, 1); /* deadlines are still looked at after this time */
    close(silent);
    while (got < ALL && net_now_ms(loopback->loop) < deadline_ms) {
        size_t more = read_some(slow, 65536);
        got += more;
        if (more == 0)
            loopback_run(loopback, 1);
    }
    assert_int_equal(got, ALL);
    assert_true(loopback->closed == 0 && stats(loopback).cut_slow == 0);
    close(slow);
    loopback_close(loopback);
}

/* What is queued for all sockets of one address together is limited; a neighbour with a short queue
 * is not affected. */
static void an_address_has_its_share_of_memory(void **unused) {
    (void)unused;
    enum { DEAF = 4, MOST = 12 << 20 };
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.address_queue_max = MOST;
    loopback->setup.limits.queue_bytes_max = 64 << 20;
    loopback_open(loopback);
    LoopbackClient *neighbour = loopback_client(loopback, "/");
    int deaf[DEAF];
    loopback_until(loopback, &neighbour->opened, 1);
    for (uint32_t i = 0; i < DEAF; i++) {
        deaf[i] = raw_websocket(loopback, "/");
        raw_say(deaf[i], "\x81\x84\0\0\0\0pour", 10);
        loopback_until(loopback, &loopback->messages, i + 1);
        loopback_run(loopback, 10);
        assert_true(memory(loopback) <= MOST + (1 << 20));
    }
    assert_true(loopback->closed >= 2 && stats(loopback).cut_slow == loopback->closed);
    loopback_send(neighbour, "still here");
    loopback_until(loopback, &neighbour->messages, 1);
    for (uint32_t i = 0; i < DEAF; i++)
        close(deaf[i]);
    loopback_until(loopback, &loopback->closed, DEAF);
    loopback_until_wide(loopback, memory, 0);
    int again = raw_websocket(loopback, "/");
    raw_say(again, "\x81\x84\0\0\0\0pour", 10);
    loopback_until(loopback, &loopback->messages, DEAF + 2);
    loopback_run(loopback, 10);
    assert_int_equal(loopback->closed, DEAF);
    close(again);
    test_free(neighbour);
    loopback_close(loopback);
}

/* That share is exact: what fills it is queued, one byte more is not. */
static void an_address_has_its_share_to_the_byte(void **unused) {
    (void)unused;
    for (uint32_t less = 0; less < 2; less++) {
        LoopbackServer *loopback = loopback_new();
        loopback->setup.limits.address_queue_max = LOOPBACK_POURED * (65536 + 10) - less;
        loopback->setup.limits.queue_bytes_max = 64 << 20;
        loopback_open(loopback);
        int deaf = raw_websocket(loopback, "/"), other = raw_websocket(loopback, "/");
        raw_say(deaf, "\x81\x84\0\0\0\0pour", 10);
        raw_say(other, "\x81\x81\0\0\0\0x\x81\x81\0\0\0\0x", 14); /* a little is queued */
        loopback_until(loopback, &loopback->messages, 3);
        loopback_run(loopback, 10);
        assert_int_equal(stats(loopback).cut_slow, less);
        close(other);
        close(deaf);
        loopback_close(loopback);
    }
}

/* Many sockets with a short queue each do not get around it. */
static void many_small_shares_have_an_end(void **unused) {
    (void)unused;
    enum { DEAF = 200, MOST = 2 << 20, ROUNDS = 90, BYTES = 2048, AT_ONCE = 8 };
    static char messages[AT_ONCE][8 + BYTES];
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.address_queue_max = MOST;
    loopback_open(loopback);
    int deaf[DEAF];
    uint64_t most = 0;
    memset(messages, 'x', sizeof messages);
    for (uint32_t i = 0; i < AT_ONCE; i++)
        memcpy(messages[i], "\x81\xFE\x08\0\0\0\0\0", 8);
    for (uint32_t i = 0; i < DEAF; i++)
        deaf[i] = raw_websocket(loopback, "/");
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < DEAF; i++)
            send(deaf[i], messages, sizeof messages, MSG_NOSIGNAL);
        loopback_run(loopback, 1);
        most = memory(loopback) > most ? memory(loopback) : most;
    }
    assert_in_range(most, MOST / 2, 2 * MOST);
    assert_true(loopback->closed > DEAF / 2 && stats(loopback).cut_slow == loopback->closed);
    for (uint32_t i = 0; i < DEAF; i++)
        close(deaf[i]);
    loopback_close(loopback);
}

static void a_full_server_says_so(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.websockets_max = 2;
    loopback->setup.limits.sockets_max = 4;
    loopback_open(loopback);
    int one = raw_websocket(loopback, "/"), two = raw_websocket(loopback, "/");
    LoopbackClient *third = loopback_client(loopback, "/arena");
    while (third->connection != NULL)
        loopback_run(loopback, 1);
    assert_string_equal(third->reason, "the server answered 503 Service Unavailable");
    assert_non_null(strstr(raw_ask(loopback,
                                   "GET /arena HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"
                                   "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                                   NULL),
                           "\r\n\r\nThe server is full or restarting. Please try again later.\n"));
    loopback_until_wide(loopback, sockets, 2);
    /* Pages are still served until the sockets themselves run out. */
    assert_non_null(
        strstr(raw_ask(loopback, "GET /api/echo?x HTTP/1.1\r\nHost: a\r\n\r\n", "from"), "200 OK"));
    loopback_until_wide(loopback, sockets, 2);
    int three = raw_open(loopback), four = raw_open(loopback);
    loopback_until_wide(loopback, sockets, 4);
    int five = raw_open(loopback);
    assert_non_null(strstr(raw_receive(loopback, five, NULL), "The server is full"));
    assert_int_equal(stats(loopback).refused_full, 3);
    close(one);
    loopback_until(loopback, &loopback->closed, 1);
    loopback_until_wide(loopback, sockets, 3);
    int again = raw_websocket(loopback, "/");
    assert_int_equal(stats(loopback).websockets, 2);
    close(two);
    close(three);
    close(four);
    close(five);
    close(again);
    test_free(third);
    loopback_close(loopback);
}

static void one_address_has_its_share(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.address_sockets_max = 3;
    loopback->setup.limits.address_handshakes = (NetRate){1, 2};
    loopback_open(loopback);
    int one = raw_websocket(loopback, "/"), two = raw_websocket(loopback, "/");
    assert_non_null(strstr(raw_ask(loopback,
                                   "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"
                                   "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                                   NULL),
                           "HTTP/1.1 429 Too Many Requests"));
    loopback_until_wide(loopback, sockets, 2);
    int three = raw_open(loopback), four = raw_open(loopback);
    assert_non_null(strstr(raw_receive(loopback, four, NULL), "HTTP/1.1 503"));
    assert_int_equal(stats(loopback).refused_rate, 1);
    close(one);
    close(two);
    close(three);
    close(four);
    loopback_close(loopback);
    loopback = loopback_new();
    loopback->setup.limits.address_connections = (NetRate){1, 2};
    loopback->setup.limits.address_requests = (NetRate){1, 3};
    loopback_open(loopback);
    one = raw_open(loopback), two = raw_open(loopback), three = raw_open(loopback);
    assert_non_null(strstr(raw_receive(loopback, three, NULL), "HTTP/1.1 429"));
    static const char twice[] =
        "GET /x HTTP/1.1\r\nHost: a\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n";
    raw_say(one, twice, sizeof twice - 1);
    raw_say(two, twice, sizeof twice - 1);
    assert_non_null(strstr(raw_receive(loopback, two, "429"), "HTTP/1.1 429"));
    close(one);
    close(two);
    close(three);
    loopback_close(loopback);
}

/* Behind a proxy all sockets come from one address, and the header says whose they are. */
static void a_proxy_speaks_for_others(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.behind_proxy = true;
    loopback->setup.limits.address_sockets_max = 1;
    loopback_open(loopback);
    static const char upgrade[] = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
                                  "Sec-WebSocket-Version: 13\r\n"
                                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    static const struct {
        const char *forwarded, *address, *answer;
    } cases[] = {
        {"6.6.6.6, 10.0.0.1", "10.0.0.1", "101"},
        {"10.0.0.1", "10.0.0.1", "503"},
        {"10.0.0.1:5678", "10.0.0.1", "503"},
        {"10.0.0.2", "10.0.0.2", "101"},
        {"2001:db8::1", "2001:db8::1", "101"},
        {"nonsense", "127.0.0.1", "101"},
        {"2001:db8::2", "", "503"},
        {"[2001:db8::3]:443", "", "503"},
        {"10.0.0.3:5678", "10.0.0.3", "101"},
        {"[2001:db8:0:1::1]", "2001:db8:0:1::1", "101"},
        {"nonsense, [2001:DB8:0:2::1]:443 ", "2001:db8:0:2::1", "101"},
        {"::ffff:10.0.0.4", "10.0.0.4", "101"},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    int raws[CASES];
    for (uint32_t i = 0; i < CASES; i++) {
        char request[512], answer[32];
        MashText text = text_over(request, sizeof request);
        text_format(&text, "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: %s\r\n%s",
                    cases[i].forwarded, upgrade);
        raws[i] = raw_open(loopback);
        raw_say(raws[i], request, text.count);
        MashText expected = text_over(answer, sizeof answer);
        text_format(&expected, "HTTP/1.1 %s", cases[i].answer);
        assert_non_null(strstr(raw_receive(loopback, raws[i], "\r\n\r\n"), answer));
        if (strcmp(cases[i].answer, "101") == 0)
            assert_string_equal(loopback->address, cases[i].address);
    }
    close(raws[0]);
    loopback_until(loopback, &loopback->closed, 1);
    loopback_run(loopback, 10);
    for (uint32_t i = 1; i < CASES; i++)
        close(raws[i]);
    loopback_close(loopback);
}

static void fast_talkers_are_stopped(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.socket_frames = (NetRate){5, 20};
    loopback->setup.limits.socket_bytes = (NetRate){1000, 5000};
    loopback_open(loopback);
    LoopbackClient *client = loopback_client(loopback, "/");
    loopback_until(loopback, &client->opened, 1);
    for (int i = 0; i < 21; i++)
        loopback_send(client, "x");
    loopback_until(loopback, &loopback->closed, 1);
    assert_int_equal(loopback->code, NET_CLOSE_POLICY);
    assert_int_equal(loopback->messages, 20);
    while (client->connection != NULL)
        loopback_run(loopback, 1);
    assert_int_equal(client->code, NET_CLOSE_POLICY);
    assert_int_equal(client->messages, 20);
    test_free(client);
    static char big[5000];
    memset(big, 'x', sizeof big);
    client = loopback_client(loopback, "/");
    loopback_until(loopback, &client->opened, 1);
    net_send_text(client->connection, big, sizeof big);
    loopback_until(loopback, &loopback->closed, 2);
    assert_string_equal(loopback->reason, "too many bytes a second");
    assert_int_equal(stats(loopback).cut_rate, 2);
    test_free(client);
    loopback_close(loopback);
}

/* When memory runs short, requests for more are refused with "try again later". */
static void memory_is_finite(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.memory_max = 20000;
    loopback->setup.limits.message_bytes_max = 100000;
    loopback_open(loopback);
    LoopbackClient *client = loopback_client(loopback, "/");
    int raw = raw_websocket(loopback, "/");
    loopback_until(loopback, &client->opened, 1);
    static char big[60000];
    memset(big, 'x', sizeof big);
    memcpy(big, "\x81\xFE\xFF\xFF\0\0\0\0", 8);
    raw_say(raw, big, sizeof big);
    assert_int_equal(raw_close_code(loopback, raw), NET_CLOSE_TRY_AGAIN_LATER);
    assert_null(net_frame_new(loopback->loop, big, sizeof big));
    assert_false(net_send(loopback->people[0], NULL));
    assert_false(net_send_text(loopback->people[0], "x", 1));
    loopback_until(loopback, &loopback->closed, 2);
    assert_int_equal(loopback->code, NET_CLOSE_TRY_AGAIN_LATER);
    test_free(client);
    loopback_close(loopback);
}

/* With almost no memory nobody is served, and nothing breaks. */
static void no_memory_is_no_disaster(void **unused) {
    (void)unused;
    for (uint32_t max = 0; max < 1000; max += 50) {
        LoopbackServer *loopback = loopback_new();
        loopback->setup.limits.memory_max = max;
        loopback_open(loopback);
        LoopbackClient *client = loopback_client(loopback, "/greet");
        int raw = raw_open(loopback), half = raw_open(loopback);
        raw_say(raw, "GET /api/echo?x HTTP/1.1\r\nHost: a\r\n\r\n", 38);
        raw_say(half, "GET /api/echo?x", 15);
        loopback_run(loopback, 1);
        send(half, " HTTP/1.1\r\nHost: a\r\n", 20, MSG_NOSIGNAL); /* it may be gone */
        for (int i = 0; i < 5; i++)
            loopback_run(loopback, 1);
        assert_true(memory(loopback) <= max);
        loopback_close(loopback);
        close(raw);
        close(half);
        test_free(client);
    }
}

/* When most of the memory is in use, clients with long queues are disconnected earlier. */
static void slow_clients_go_first_when_memory_is_short(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.memory_max = 4 << 20;
    loopback->setup.limits.queue_bytes_max = 64 << 20;
    loopback_open(loopback);
    int raw = raw_websocket(loopback, "/");
    loopback_until(loopback, &loopback->opened, 1);
    static char big[1 << 20];
    memset(big, 'x', sizeof big);
    NetFrame *frames[3];
    for (int i = 0; i < 3; i++)
        frames[i] = net_frame_new(loopback->loop, big, sizeof big);
    assert_null(net_frame_new(loopback->loop, big, sizeof big));
    uint32_t sent = 0;
    while (net_send(loopback->people[0], frames[sent % 3]))
        sent++;
    assert_in_range(sent, 3, 5);
    loopback_until(loopback, &loopback->closed, 1);
    assert_int_equal(stats(loopback).cut_slow, 1);
    for (int i = 0; i < 3; i++)
        net_frame_release(frames[i]);
    assert_int_equal(memory(loopback), 0);
    close(raw);
    loopback_close(loopback);
}

/* --- Idle connections ------------------------------------------------------------------------- */

/* The time now, whatever the loop believes. */
static uint64_t monotonic_ms(void) {
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Of three connections that are pinged the silent one is cut. False: this process stood still for
 * as long as an answer may take, so that who answers was silent as well, and nothing was shown. */
static bool the_silent_one_is_cut(uint32_t answer_ms) {
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.ping_ms = answer_ms;
    loopback->setup.limits.pong_ms = answer_ms;
    loopback_open(loopback);
    LoopbackClient *client = loopback_client(loopback, "/");
    int silent = raw_websocket(loopback, "/"), talker = raw_websocket(loopback, "/");
    bool in_time = true;
    for (int i = 0; i < 25 && in_time; i++) {
        uint64_t last_ms = monotonic_ms();
        raw_say(talker, "\x8A\x80\0\0\0\0", 6);
        loopback_run(loopback, answer_ms / 3);
        in_time = monotonic_ms() - last_ms < answer_ms;
    }
    if (in_time) {
        assert_int_equal(client->opened, 1);
        assert_int_equal(loopback->closed, 1);
        assert_int_equal(loopback->code, NET_CLOSE_ABNORMAL);
        assert_string_equal(loopback->reason, "no reply to ping");
        assert_int_equal(stats(loopback).cut_silent, 1);
        assert_true(client->connection != NULL && loopback->people_count == 2);
    }
    close(silent);
    close(talker);
    loopback_close(loopback);
    test_free(client);
    return in_time;
}

static void dead_connections_are_found(void **unused) {
    (void)unused;
    uint32_t answer_ms = 60;
    while (!the_silent_one_is_cut(answer_ms)) {
        answer_ms *= 2;
        assert_true(answer_ms < 10000);
    }
}

/* [A9] The loop is blocked for longer than a ping may wait: an answer that arrived meanwhile is
 * received before anybody is considered dead. */
static void nobody_is_silent_while_we_stand_still(void **unused) {
    (void)unused;
    enum { STALL_MS = 1500 };
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.ping_ms = 60;
    loopback->setup.limits.pong_ms = 200;
    loopback_open(loopback);
    int client = raw_websocket(loopback, "/");
    loopback_until(loopback, &loopback->opened, 1);
    loopback_run(loopback, 100); /* it is pinged */
    usleep(STALL_MS * 1000);
    raw_say(client, "\x8A\x80\0\0\0\0", 6);
    loopback_run(loopback, 50);
    assert_int_equal(stats(loopback).cut_silent, 0);
    assert_int_equal(loopback->closed, 0);
    close(client);
    loopback_close(loopback);
}

static void handshakes_and_messages_must_end(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.request_ms = 80;
    loopback->setup.limits.idle_ms = 80;
    loopback->setup.limits.ping_ms = 60;
    loopback_open(loopback);
    /* Each speaks before the server's loop runs again: on a busy machine that takes longer than a
     * connection may be idle. */
    int slow = raw_open(loopback);
    raw_say(slow, "GET / HT", 8);
    int idle = raw_open(loopback);
    raw_say(idle, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", 28);
    int half = raw_websocket(loopback, "/");
    raw_say(half, "\x01\x81\0\0\0\0x", 7);
    assert_string_equal(raw_receive(loopback, slow, NULL), "");
    assert_non_null(strstr(raw_receive(loopback, idle, NULL), "404"));
    for (int i = 0; i < 60 && loopback->closed == 0; i++) {
        loopback_run(loopback, 10);
        if (loopback->closed == 0)
            raw_say(half, "\x8A\x80\0\0\0\0", 6);
    }
    assert_int_equal(loopback->closed, 1);
    assert_true(loopback->code == NET_CLOSE_POLICY);
    assert_string_equal(loopback->reason, "message too long");
    close(slow);
    close(idle);
    close(half);
    loopback_close(loopback);
}

/* A request that has begun behind another must end as soon as the first of a connection. */
static void a_second_request_must_end(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.request_ms = 30;
    loopback->setup.limits.idle_ms = 600000;
    loopback_open(loopback);
    int slow = raw_open(loopback);
    raw_say(slow, "GET /x HTTP/1.1\r\nHost: a\r\n\r\nGET / HT", 36);
    assert_non_null(strstr(raw_receive(loopback, slow, NULL), "404"));
    loopback_run(loopback, 1);
    assert_int_equal(stats(loopback).sockets, 0);
    close(slow);
    loopback_close(loopback);
}

/* --- The machine ------------------------------------------------------------------------------ */

/* Without descriptors accepting pauses instead of spinning, and continues when there are some. */
static void no_descriptor_is_no_disaster(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    loopback_run(loopback, 1);
    int raw = raw_open(loopback);
    raw_say(raw, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", 28);
    int next = dup(0);
    close(next);
    struct rlimit before, tight;
    getrlimit(RLIMIT_NOFILE, &before);
    tight = before;
    tight.rlim_cur = (rlim_t)next;
    setrlimit(RLIMIT_NOFILE, &tight);
    clock_t began = clock();
    loopback_run(loopback, 350);
    clock_t used = clock() - began;
    setrlimit(RLIMIT_NOFILE, &before);
    assert_in_range(stats(loopback).accept_failures, 2, 5);
    assert_true(used < CLOCKS_PER_SEC / 10);
    assert_non_null(strstr(raw_receive(loopback, raw, "404"), "404"));
    close(raw);
    loopback_close(loopback);
}

/* When the server is full, sockets without a request give way to those with one; WebSockets do
 * not. */
static void idle_sockets_give_way(void **unused) {
    (void)unused;
    enum { ALL = 4 };
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.sockets_max = ALL;
    loopback_open(loopback);
    int raws[ALL] = {raw_websocket(loopback, "/")};
    for (int i = 1; i < ALL; i++) {
        raws[i] = raw_open(loopback);
        raw_say(raws[i], "GET /", 5);
    }
    loopback_until_wide(loopback, sockets, ALL);
    static const char ask[] = "GET /api/echo?x HTTP/1.1\r\nHost: a\r\n\r\n";
    assert_non_null(strstr(raw_ask(loopback, ask, NULL), "The server is full"));
    loopback_run(loopback, 1100);
    for (int i = 1; i < ALL; i++) {
        assert_non_null(strstr(raw_ask(loopback, ask, "from"), "200 OK"));
        loopback_until_wide(loopback, sockets, ALL - 1);
        assert_int_equal(stats(loopback).shed, 1);
    }
    for (int i = 1; i < ALL; i++) {
        close(raws[i]);
        raws[i] = raw_websocket(loopback, "/");
    }
    loopback_run(loopback, 1100);
    assert_non_null(strstr(raw_ask(loopback, ask, NULL), "The server is full"));
    assert_true(stats(loopback).websockets == ALL && loopback->closed == 0);
    for (int i = 0; i < ALL; i++)
        close(raws[i]);
    loopback_close(loopback);
}

/* When descriptors run out, the same. */
static void idle_sockets_give_descriptors_back(void **unused) {
    (void)unused;
    enum { IDLE = 8 };
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    int raws[IDLE];
    for (int i = 0; i < IDLE; i++)
        raws[i] = raw_open(loopback);
    loopback_until_wide(loopback, sockets, IDLE);
    loopback_run(loopback, 1100);
    int raw = raw_open(loopback);
    raw_say(raw, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", 28);
    int next = dup(0);
    close(next);
    struct rlimit before, tight;
    getrlimit(RLIMIT_NOFILE, &before);
    tight = before;
    tight.rlim_cur = (rlim_t)next;
    setrlimit(RLIMIT_NOFILE, &tight);
    const char *told = raw_receive(loopback, raw, "404");
    setrlimit(RLIMIT_NOFILE, &before);
    assert_non_null(strstr(told, "404"));
    assert_true(stats(loopback).shed == IDLE && stats(loopback).accept_failures == 1);
    close(raw);
    for (int i = 0; i < IDLE; i++)
        close(raws[i]);
    loopback_close(loopback);
}

/* The number of sockets is limited by that of open files, with some kept for others. */
static void sockets_fit_the_limit(void **unused) {
    (void)unused;
    enum { LIMIT = 512 };
    struct rlimit before, tight;
    getrlimit(RLIMIT_NOFILE, &before);
    tight = before;
    tight.rlim_cur = LIMIT;
    setrlimit(RLIMIT_NOFILE, &tight);
    uint32_t many = net_sockets_fit(100000), few = net_sockets_fit(10);
    int file = dup(0);
    uint32_t one_less = net_sockets_fit(100000);
    close(file);
    tight.rlim_cur = 64;
    setrlimit(RLIMIT_NOFILE, &tight);
    uint32_t least = net_sockets_fit(100000);
    setrlimit(RLIMIT_NOFILE, &before);
    assert_in_range(many, LIMIT / 4, LIMIT - NET_FILES_KEPT - 3);
    assert_true(few == 10 && one_less == many - 1 && least == 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_readers_are_cut_off),
        cmocka_unit_test(clients_that_take_nothing_are_cut_off),
        cmocka_unit_test(slow_readers_are_waited_for),
        cmocka_unit_test(an_address_has_its_share_of_memory),
        cmocka_unit_test(an_address_has_its_share_to_the_byte),
        cmocka_unit_test(many_small_shares_have_an_end),
        cmocka_unit_test(a_full_server_says_so),
        cmocka_unit_test(one_address_has_its_share),
        cmocka_unit_test(a_proxy_speaks_for_others),
        cmocka_unit_test(fast_talkers_are_stopped),
        cmocka_unit_test(memory_is_finite),
        cmocka_unit_test(no_memory_is_no_disaster),
        cmocka_unit_test(slow_clients_go_first_when_memory_is_short),
        cmocka_unit_test(dead_connections_are_found),
        cmocka_unit_test(nobody_is_silent_while_we_stand_still),
        cmocka_unit_test(handshakes_and_messages_must_end),
        cmocka_unit_test(a_second_request_must_end),
        cmocka_unit_test(no_descriptor_is_no_disaster),
        cmocka_unit_test(idle_sockets_give_way),
        cmocka_unit_test(idle_sockets_give_descriptors_back),
        cmocka_unit_test(sockets_fit_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
