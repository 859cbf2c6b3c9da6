/* test_net_limits.c -- what strangers may not use up, over real sockets: memory, places, patience,
 * descriptors; and that others do not pay for it. */
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

static NetStats figures(LoopbackServer *house) { return net_server_stats(house->server); }
static uint64_t sockets(LoopbackServer *house) { return figures(house).sockets; }
static uint64_t memory(LoopbackServer *house) { return figures(house).memory; }

/* --- Limits ----------------------------------------------------------------------------------- */

static void slow_readers_are_cut_off(void **unused) {
    (void)unused;
    LoopbackServer *house = loopback_new();
    house->setup.limits.queue_bytes_max = 1 << 20;
    loopback_open(house);
    LoopbackClient *guest = loopback_guest(house, "/arena");
    int slow = raw_websocket(house, "/");
    loopback_until(house, &guest->opened, 1);
    raw_say(slow, "\x81\x85\0\0\0\0flood", 11);
    loopback_until(house, &house->closed, 1);
    assert_true(house->code == NET_CLOSE_ABNORMAL); /* it may be the network's fault */
    assert_string_equal(house->reason, "the peer reads too slowly");
    assert_int_equal(figures(house).cut_slow, 1);
    loopback_until_wide(house, memory, 0);
    loopback_send(guest, "still here");
    loopback_until(house, &guest->messages, 1);
    close(slow);
    /* Many small frames are too many as well: nobody reads these pongs. */
    slow = raw_websocket(house, "/");
    static char pings[6 * 4000];
    for (uint32_t i = 0; i < sizeof pings; i += 6)
        memcpy(pings + i, "\x89\x80\0\0\0\0", 6);
    raw_say(slow, pings, sizeof pings);
    loopback_until(house, &house->closed, 2);
    assert_int_equal(figures(house).cut_slow, 2);
    close(slow);
    test_free(guest);
    loopback_close(house);
}

/* Somebody who talks and never reads is cut off when nothing of what waits for him is taken for
 * send_ms. */
static void who_takes_nothing_is_cut_off(void **unused) {
    (void)unused;
    LoopbackServer *house = loopback_new();
    house->setup.limits.queue_bytes_max = 64 << 20;
    house->setup.limits.send_ms = 300;
    loopback_open(house);
    int deaf = raw_websocket(house, "/");
    raw_say(deaf, "\x81\x84\0\0\0\0pour", 10);
    for (int i = 0; i < 500 && house->closed == 0; i++) {
        send(deaf, "\x81\x81\0\0\0\0x", 7, MSG_NOSIGNAL);
        loopback_run(house, 10);
    }
    assert_int_equal(house->closed, 1);
    assert_true(house->code == NET_CLOSE_ABNORMAL); /* it may be the network's fault */
    assert_string_equal(house->reason, "the peer reads too slowly");
    assert_int_equal(figures(house).cut_slow, 1);
    loopback_until_wide(house, memory, 0);
    close(deaf);
    loopback_close(house);
}

/* Reads up to `most` bytes that are there; how many. */
static size_t read_some(int socket, size_t most) {
    static char bytes[65536];
    ssize_t got = recv(socket, bytes, most < sizeof bytes ? most : sizeof bytes, MSG_DONTWAIT);
    return got > 0 ? (size_t)got : 0;
}

/* Somebody who reads slowly gets everything, however long that takes. */
static void who_reads_slowly_is_waited_for(void **unused) {
    (void)unused;
    enum { SEND_MS = 1000, ALL = HOUSE_POURED * (65536 + 10) };
    LoopbackServer *house = loopback_new();
    house->setup.limits.queue_bytes_max = 64 << 20;
    house->setup.limits.send_ms = SEND_MS;
    loopback_open(house);
    int slow = raw_websocket(house, "/");
    raw_say(slow, "\x81\x84\0\0\0\0pour", 10);
    uint64_t end_ms = net_now_ms(house->loop) + 3 * SEND_MS, deadline_ms = end_ms + 10000;
    size_t got = 0;
    while (net_now_ms(house->loop) < end_ms) {
        loopback_run(house, 10);
        got += read_some(slow, 8192);
    }
    assert_true(got < ALL / 2 && house->closed == 0 && memory(house) > 0);
    while (got < ALL && net_now_ms(house->loop) < deadline_ms) {
        size_t more = read_some(slow, 65536);
        got += more;
        if (more == 0)
            loopback_run(house, 1);
    }
    assert_int_equal(got, ALL);
    assert_true(house->closed == 0 && figures(house).cut_slow == 0);
    close(slow);
    loopback_close(house);
}

/* What waits for all sockets of one address together has an end; a neighbour for whom little waits
 * does not pay for it. */
static void an_address_has_its_share_of_memory(void **unused) {
    (void)unused;
    enum { DEAF = 4, MOST = 12 << 20 };
    LoopbackServer *house = loopback_new();
    house->setup.limits.address_queue_max = MOST;
    house->setup.limits.queue_bytes_max = 64 << 20;
    loopback_open(house);
    LoopbackClient *neighbour = loopback_guest(house, "/");
    int deaf[DEAF];
    loopback_until(house, &neighbour->opened, 1);
    for (uint32_t i = 0; i < DEAF; i++) {
        deaf[i] = raw_websocket(house, "/");
        raw_say(deaf[i], "\x81\x84\0\0\0\0pour", 10);
        loopback_until(house, &house->messages, i + 1);
        loopback_run(house, 10);
        assert_true(memory(house) <= MOST + (1 << 20));
    }
    assert_true(house->closed >= 2 && figures(house).cut_slow == house->closed);
    loopback_send(neighbour, "still here");
    loopback_until(house, &neighbour->messages, 1);
    for (uint32_t i = 0; i < DEAF; i++)
        close(deaf[i]);
    loopback_until(house, &house->closed, DEAF);
    loopback_until_wide(house, memory, 0);
    int again = raw_websocket(house, "/");
    raw_say(again, "\x81\x84\0\0\0\0pour", 10);
    loopback_until(house, &house->messages, DEAF + 2);
    loopback_run(house, 10);
    assert_int_equal(house->closed, DEAF);
    close(again);
    test_free(neighbour);
    loopback_close(house);
}

/* Nor do many for each of whom little waits get around it. */
static void many_small_shares_have_an_end(void **unused) {
    (void)unused;
    enum { DEAF = 200, MOST = 2 << 20, ROUNDS = 90, BYTES = 2048, AT_ONCE = 8 };
    static char messages[AT_ONCE][8 + BYTES];
    LoopbackServer *house = loopback_new();
    house->setup.limits.address_queue_max = MOST;
    loopback_open(house);
    int deaf[DEAF];
    uint64_t most = 0;
    memset(messages, 'x', sizeof messages);
    for (uint32_t i = 0; i < AT_ONCE; i++)
        memcpy(messages[i], "\x81\xFE\x08\0\0\0\0\0", 8);
    for (uint32_t i = 0; i < DEAF; i++)
        deaf[i] = raw_websocket(house, "/");
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < DEAF; i++)
            send(deaf[i], messages, sizeof messages, MSG_NOSIGNAL);
        loopback_run(house, 1);
        most = memory(house) > most ? memory(house) : most;
    }
    assert_in_range(most, MOST / 2, 2 * MOST);
    assert_true(house->closed > DEAF / 2 && figures(house).cut_slow == house->closed);
    for (uint32_t i = 0; i < DEAF; i++)
        close(deaf[i]);
    loopback_close(house);
}

static void a_full_house_says_so(void **unused) {
    (void)unused;
    LoopbackServer *house = loopback_new();
    house->setup.limits.websockets_max = 2;
    house->setup.limits.sockets_max = 4;
    loopback_open(house);
    int one = raw_websocket(house, "/"), two = raw_websocket(house, "/");
    LoopbackClient *third = loopback_guest(house, "/arena");
    while (third->connection != NULL)
        loopback_run(house, 1);
    assert_string_equal(third->reason, "the server answered 503 Service Unavailable");
    assert_non_null(strstr(raw_ask(house,
                                   "GET /arena HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"
                                   "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                                   NULL),
                           "\r\n\r\nThe server is full or restarting. Please try again later.\n"));
    loopback_until_wide(house, sockets, 2);
    /* Pages are still served until the sockets themselves run out. */
    assert_non_null(
        strstr(raw_ask(house, "GET /api/echo?x HTTP/1.1\r\nHost: a\r\n\r\n", "from"), "200 OK"));
    loopback_until_wide(house, sockets, 2);
    int three = raw_open(house), four = raw_open(house);
    loopback_until_wide(house, sockets, 4);
    int five = raw_open(house);
    assert_non_null(strstr(raw_hear(house, five, NULL), "The server is full"));
    assert_int_equal(figures(house).refused_full, 3);
    close(one);
    loopback_until(house, &house->closed, 1);
    loopback_until_wide(house, sockets, 3);
    int again = raw_websocket(house, "/");
    assert_int_equal(figures(house).websockets, 2);
    close(two);
    close(three);
    close(four);
    close(five);
    close(again);
    test_free(third);
    loopback_close(house);
}

static void one_address_has_its_share(void **unused) {
    (void)unused;
    LoopbackServer *house = loopback_new();
    house->setup.limits.address_sockets_max = 3;
    house->setup.limits.address_handshakes = (NetRate){1, 2};
    loopback_open(house);
    int one = raw_websocket(house, "/"), two = raw_websocket(house, "/");
    assert_non_null(strstr(raw_ask(house,
                                   "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"
                                   "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                                   NULL),
                           "HTTP/1.1 429 Too Many Requests"));
    loopback_until_wide(house, sockets, 2);
    int three = raw_open(house), four = raw_open(house);
    assert_non_null(strstr(raw_hear(house, four, NULL), "HTTP/1.1 503"));
    assert_int_equal(figures(house).refused_rate, 1);
    close(one);
    close(two);
    close(three);
    close(four);
    loopback_close(house);
    house = loopback_new();
    house->setup.limits.address_connections = (NetRate){1, 2};
    house->setup.limits.address_requests = (NetRate){1, 3};
    loopback_open(house);
    one = raw_open(house), two = raw_open(house), three = raw_open(house);
    assert_non_null(strstr(raw_hear(house, three, NULL), "HTTP/1.1 429"));
    static const char twice[] =
        "GET /x HTTP/1.1\r\nHost: a\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n";
    raw_say(one, twice, sizeof twice - 1);
    raw_say(two, twice, sizeof twice - 1);
    assert_non_null(strstr(raw_hear(house, two, "429"), "HTTP/1.1 429"));
    close(one);
    close(two);
    close(three);
    loopback_close(house);
}

/* Behind a proxy all sockets come from one address, and the header tells whose they are. */
static void a_proxy_speaks_for_others(void **unused) {
    (void)unused;
    LoopbackServer *house = loopback_new();
    house->setup.behind_proxy = true;
    house->setup.limits.address_sockets_max = 1;
    loopback_open(house);
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
        raws[i] = raw_open(house);
        raw_say(raws[i], request, text.count);
        MashText expected = text_over(answer, sizeof answer);
        text_format(&expected, "HTTP/1.1 %s", cases[i].answer);
        assert_non_null(strstr(raw_hear(house, raws[i], "\r\n\r\n"), answer));
        if (strcmp(cases[i].answer, "101") == 0)
            assert_string_equal(house->address, cases[i].address);
    }
    close(raws[0]);
    loopback_until(house, &house->closed, 1);
    loopback_run(house, 10);
    for (uint32_t i = 1; i < CASES; i++)
        close(raws[i]);
    loopback_close(house);
}

static void fast_talkers_are_stopped(void **unused) {
    (void)unused;
    LoopbackServer *house = loopback_new();
    house->setup.limits.socket_frames = (NetRate){5, 20};
    house->setup.limits.socket_bytes = (NetRate){1000, 5000};
    loopback_open(house);
    LoopbackClient *guest = loopback_guest(house, "/");
    loopback_until(house, &guest->opened, 1);
    for (int i = 0; i < 21; i++)
        loopback_send(guest, "x");
    loopback_until(house, &house->closed, 1);
    assert_int_equal(house->code, NET_CLOSE_POLICY);
    assert_int_equal(house->messages, 20);
    while (guest->connection != NULL)
        loopback_run(house, 1);
    assert_int_equal(guest->code, NET_CLOSE_POLICY);
    assert_int_equal(guest->messages, 20);
    test_free(guest);
    static char big[5000];
    memset(big, 'x', sizeof big);
    guest = loopback_guest(house, "/");
    loopback_until(house, &guest->opened, 1);
    net_send_text(guest->connection, big, sizeof big);
    loopback_until(house, &house->closed, 2);
    assert_string_equal(house->reason, "too many bytes a second");
    assert_int_equal(figures(house).cut_rate, 2);
    test_free(guest);
    loopback_close(house);
}

/* When memory runs short, who asks for more is told to come back later. */
static void memory_is_finite(void **unused) {
    (void)unused;
    LoopbackServer *house = loopback_new();
    house->setup.limits.memory_max = 20000;
    house->setup.limits.message_bytes_max = 100000;
    loopback_open(house);
    LoopbackClient *guest = loopback_guest(house, "/");
    int raw = raw_websocket(house, "/");
    loopback_until(house, &guest->opened, 1);
    static char big[60000];
    memset(big, 'x', sizeof big);
    memcpy(big, "\x81\xFE\xFF\xFF\0\0\0\0", 8);
    raw_say(raw, big, sizeof big);
    assert_int_equal(raw_close_code(house, raw), NET_CLOSE_TRY_AGAIN_LATER);
    assert_null(net_frame_new(house->loop, big, sizeof big));
    assert_false(net_send(house->people[0], NULL));
    assert_false(net_send_text(house->people[0], "x", 1));
    loopback_until(house, &house->closed, 2);
    assert_int_equal(house->code, NET_CLOSE_TRY_AGAIN_LATER);
    test_free(guest);
    loopback_close(house);
}

/* With next to no memory nobody is served, and nothing breaks. */
static void no_memory_is_no_disaster(void **unused) {
    (void)unused;
    for (uint32_t max = 0; max < 1000; max += 50) {
        LoopbackServer *house = loopback_new();
        house->setup.limits.memory_max = max;
        loopback_open(house);
        LoopbackClient *guest = loopback_guest(house, "/greet");
        int raw = raw_open(house), half = raw_open(house);
        raw_say(raw, "GET /api/echo?x HTTP/1.1\r\nHost: a\r\n\r\n", 38);
        raw_say(half, "GET /api/echo?x", 15);
        loopback_run(house, 1);
        send(half, " HTTP/1.1\r\nHost: a\r\n", 20, MSG_NOSIGNAL); /* it may be gone */
        for (int i = 0; i < 5; i++)
            loopback_run(house, 1);
        assert_true(memory(house) <= max);
        loopback_close(house);
        close(raw);
        close(half);
        test_free(guest);
    }
}

/* When most of the memory is in use, those who wait for much have waited long enough. */
static void short_memory_makes_impatient(void **unused) {
    (void)unused;
    LoopbackServer *house = loopback_new();
    house->setup.limits.memory_max = 4 << 20;
    house->setup.limits.queue_bytes_max = 64 << 20;
    loopback_open(house);
    int raw = raw_websocket(house, "/");
    loopback_until(house, &house->opened, 1);
    static char big[1 << 20];
    memset(big, 'x', sizeof big);
    NetFrame *frames[3];
    for (int i = 0; i < 3; i++)
        frames[i] = net_frame_new(house->loop, big, sizeof big);
    assert_null(net_frame_new(house->loop, big, sizeof big));
    uint32_t sent = 0;
    while (net_send(house->people[0], frames[sent % 3]))
        sent++;
    assert_in_range(sent, 3, 5);
    loopback_until(house, &house->closed, 1);
    assert_int_equal(figures(house).cut_slow, 1);
    for (int i = 0; i < 3; i++)
        net_frame_release(frames[i]);
    assert_int_equal(memory(house), 0);
    close(raw);
    loopback_close(house);
}

/* --- Silence ---------------------------------------------------------------------------------- */

static void the_silent_are_found(void **unused) {
    (void)unused;
    LoopbackServer *house = loopback_new();
    house->setup.limits.ping_ms = 60;
    house->setup.limits.pong_ms = 60;
    loopback_open(house);
    LoopbackClient *guest = loopback_guest(house, "/");
    int silent = raw_websocket(house, "/"), talker = raw_websocket(house, "/");
    loopback_until(house, &guest->opened, 1);
    for (int i = 0; i < 25; i++) {
        loopback_run(house, 20);
        raw_say(talker, "\x8A\x80\0\0\0\0", 6);
    }
    assert_int_equal(house->closed, 1);
    assert_int_equal(house->code, NET_CLOSE_ABNORMAL);
    assert_string_equal(house->reason, "no reply to ping");
    assert_int_equal(figures(house).cut_silent, 1);
    assert_true(guest->connection != NULL && house->people_count == 2);
    close(silent);
    close(talker);
    loopback_close(house);
    test_free(guest);
}

/* [A9] The loop stands still for longer than a ping may wait: an answer that came meanwhile is
 * heard before anybody is found to be silent. */
static void nobody_is_silent_while_we_stand_still(void **unused) {
    (void)unused;
    enum { STALL_MS = 1500 };
    LoopbackServer *house = loopback_new();
    house->setup.limits.ping_ms = 60;
    house->setup.limits.pong_ms = 200;
    loopback_open(house);
    int guest = raw_websocket(house, "/");
    loopback_until(house, &house->opened, 1);
    loopback_run(house, 100); /* it is pinged */
    usleep(STALL_MS * 1000);
    raw_say(guest, "\x8A\x80\0\0\0\0", 6);
    loopback_run(house, 50);
    assert_int_equal(figures(house).cut_silent, 0);
    assert_int_equal(house->closed, 0);
    close(guest);
    loopback_close(house);
}

static void handshakes_and_messages_must_end(void **unused) {
    (void)unused;
    LoopbackServer *house = loopback_new();
    house->setup.limits.request_ms = 80;
    house->setup.limits.idle_ms = 80;
    house->setup.limits.ping_ms = 60;
    loopback_open(house);
    int slow = raw_open(house), idle = raw_open(house), half = raw_websocket(house, "/");
    raw_say(slow, "GET / HT", 8);
    raw_say(idle, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", 28);
    raw_say(half, "\x01\x81\0\0\0\0x", 7);
    assert_string_equal(raw_hear(house, slow, NULL), "");
    assert_non_null(strstr(raw_hear(house, idle, NULL), "404"));
    for (int i = 0; i < 60 && house->closed == 0; i++) {
        loopback_run(house, 10);
        if (house->closed == 0)
            raw_say(half, "\x8A\x80\0\0\0\0", 6);
    }
    assert_int_equal(house->closed, 1);
    assert_true(house->code == NET_CLOSE_POLICY);
    assert_string_equal(house->reason, "message too long");
    close(slow);
    close(idle);
    close(half);
    loopback_close(house);
}

/* --- The machine ------------------------------------------------------------------------------ */

/* Without descriptors accepting rests instead of spinning, and goes on when there are some. */
static void no_descriptor_is_no_disaster(void **unused) {
    (void)unused;
    LoopbackServer *house = loopback_new();
    loopback_open(house);
    loopback_run(house, 1);
    int raw = raw_open(house);
    raw_say(raw, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", 28);
    int next = dup(0);
    close(next);
    struct rlimit before, tight;
    getrlimit(RLIMIT_NOFILE, &before);
    tight = before;
    tight.rlim_cur = (rlim_t)next;
    setrlimit(RLIMIT_NOFILE, &tight);
    clock_t began = clock();
    loopback_run(house, 350);
    clock_t used = clock() - began;
    setrlimit(RLIMIT_NOFILE, &before);
    assert_in_range(figures(house).accept_failures, 2, 5);
    assert_true(used < CLOCKS_PER_SEC / 10);
    assert_non_null(strstr(raw_hear(house, raw, "404"), "404"));
    close(raw);
    loopback_close(house);
}

/* When the house is full, sockets that ask for nothing give way to those that do; WebSockets do
 * not. */
static void idle_sockets_give_way(void **unused) {
    (void)unused;
    enum { ALL = 4 };
    LoopbackServer *house = loopback_new();
    house->setup.limits.sockets_max = ALL;
    loopback_open(house);
    int raws[ALL] = {raw_websocket(house, "/")};
    for (int i = 1; i < ALL; i++) {
        raws[i] = raw_open(house);
        raw_say(raws[i], "GET /", 5);
    }
    loopback_until_wide(house, sockets, ALL);
    static const char ask[] = "GET /api/echo?x HTTP/1.1\r\nHost: a\r\n\r\n";
    assert_non_null(strstr(raw_ask(house, ask, NULL), "The server is full"));
    loopback_run(house, 1100);
    for (int i = 1; i < ALL; i++) {
        assert_non_null(strstr(raw_ask(house, ask, "from"), "200 OK"));
        loopback_until_wide(house, sockets, ALL - 1);
        assert_int_equal(figures(house).shed, 1);
    }
    for (int i = 1; i < ALL; i++) {
        close(raws[i]);
        raws[i] = raw_websocket(house, "/");
    }
    loopback_run(house, 1100);
    assert_non_null(strstr(raw_ask(house, ask, NULL), "The server is full"));
    assert_true(figures(house).websockets == ALL && house->closed == 0);
    for (int i = 0; i < ALL; i++)
        close(raws[i]);
    loopback_close(house);
}

/* When descriptors run out, the same. */
static void idle_sockets_give_descriptors_back(void **unused) {
    (void)unused;
    enum { IDLE = 8 };
    LoopbackServer *house = loopback_new();
    loopback_open(house);
    int raws[IDLE];
    for (int i = 0; i < IDLE; i++)
        raws[i] = raw_open(house);
    loopback_until_wide(house, sockets, IDLE);
    loopback_run(house, 1100);
    int raw = raw_open(house);
    raw_say(raw, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", 28);
    int next = dup(0);
    close(next);
    struct rlimit before, tight;
    getrlimit(RLIMIT_NOFILE, &before);
    tight = before;
    tight.rlim_cur = (rlim_t)next;
    setrlimit(RLIMIT_NOFILE, &tight);
    const char *told = raw_hear(house, raw, "404");
    setrlimit(RLIMIT_NOFILE, &before);
    assert_non_null(strstr(told, "404"));
    assert_true(figures(house).shed == IDLE && figures(house).accept_failures == 1);
    close(raw);
    for (int i = 0; i < IDLE; i++)
        close(raws[i]);
    loopback_close(house);
}

/* Sockets are cut to the limit of open files, with some kept for others. */
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
        cmocka_unit_test(who_takes_nothing_is_cut_off),
        cmocka_unit_test(who_reads_slowly_is_waited_for),
        cmocka_unit_test(an_address_has_its_share_of_memory),
        cmocka_unit_test(many_small_shares_have_an_end),
        cmocka_unit_test(a_full_house_says_so),
        cmocka_unit_test(one_address_has_its_share),
        cmocka_unit_test(a_proxy_speaks_for_others),
        cmocka_unit_test(fast_talkers_are_stopped),
        cmocka_unit_test(memory_is_finite),
        cmocka_unit_test(no_memory_is_no_disaster),
        cmocka_unit_test(short_memory_makes_impatient),
        cmocka_unit_test(the_silent_are_found),
        cmocka_unit_test(nobody_is_silent_while_we_stand_still),
        cmocka_unit_test(handshakes_and_messages_must_end),
        cmocka_unit_test(no_descriptor_is_no_disaster),
        cmocka_unit_test(idle_sockets_give_way),
        cmocka_unit_test(idle_sockets_give_descriptors_back),
        cmocka_unit_test(sockets_fit_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
