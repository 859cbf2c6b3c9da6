/* test_net.c -- WebSockets over real sockets: many guests, shared frames, limits, goodbyes. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/net_house.h"

static NetFigures figures(House *house) { return net_server_figures(house->server); }
static uint64_t sockets(House *house) { return figures(house).sockets; }
static uint64_t memory(House *house) { return figures(house).memory; }

static void free_guests(Guest **guests, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        test_free(guests[i]);
}

/* --- Messages --------------------------------------------------------------------------------- */

static void many_guests_are_answered(void **unused) {
    (void)unused;
    enum { GUESTS = 200, MESSAGES = 10 };
    Guest *guests[GUESTS];
    House *house = house_new();
    house_open(house);
    for (uint32_t i = 0; i < GUESTS; i++)
        guests[i] = house_guest(house, "/arena");
    house_until(house, &house->opened, GUESTS);
    assert_int_equal(house->people_count, GUESTS);
    assert_string_equal(house->address, "127.0.0.1");
    assert_string_equal(house->origin, "none");
    for (uint32_t i = 0; i < GUESTS; i++)
        house_until(house, &guests[i]->opened, 1);
    for (uint32_t i = 0; i < GUESTS * MESSAGES; i++) {
        char text[32];
        MashText writer = text_over(text, sizeof text);
        text_format(&writer, "message %u", i);
        guest_say(guests[i % GUESTS], text);
    }
    house_until(house, &house->messages, GUESTS * MESSAGES);
    for (uint32_t i = 0; i < GUESTS; i++)
        house_until(house, &guests[i]->messages, MESSAGES);
    assert_string_equal(guests[7]->last, "message 1807");
    assert_int_equal(figures(house).handshakes, GUESTS);
    assert_int_equal(figures(house).websockets, GUESTS);
    assert_int_equal(figures(house).messages_in, GUESTS * MESSAGES);
    assert_int_equal(memory(house), 0);
    for (uint32_t i = 0; i < GUESTS; i++)
        net_close(guests[i]->connection, NET_CLOSE_NORMAL, "bye");
    house_until(house, &house->closed, GUESTS);
    assert_true(house->code == NET_CLOSE_NORMAL && strcmp(house->reason, "bye") == 0);
    house_until_wide(house, sockets, 0);
    for (uint32_t i = 0; i < GUESTS; i++)
        assert_true(guests[i]->connection == NULL && guests[i]->code == NET_CLOSE_NORMAL);
    assert_int_equal(figures(house).websockets, 0);
    free_guests(guests, GUESTS);
    house_close(house);
}

/* One frame for everybody: built once, held while it waits, let go at the end. */
static void a_frame_goes_to_everybody(void **unused) {
    (void)unused;
    enum { GUESTS = 300 };
    Guest *guests[GUESTS];
    House *house = house_new();
    house_open(house);
    for (uint32_t i = 0; i < GUESTS; i++)
        guests[i] = house_guest(house, "/arena");
    for (uint32_t i = 0; i < GUESTS; i++)
        house_until(house, &guests[i]->opened, 1);
    static char big[100000];
    memset(big, 'x', sizeof big);
    NetFrame *frame = net_frame_new(house->loop, big, sizeof big);
    for (uint32_t i = 0; i < GUESTS; i++)
        assert_true(net_send(house->people[i], frame));
    assert_true(memory(house) > sizeof big && memory(house) < sizeof big + 100);
    net_frame_release(frame);
    for (uint32_t i = 0; i < GUESTS; i++)
        house_until(house, &guests[i]->messages, 1);
    assert_int_equal(guests[GUESTS - 1]->bytes, sizeof big);
    house_until_wide(house, memory, 0);
    guest_say(guests[0], "all:news");
    for (uint32_t i = 0; i < GUESTS; i++) {
        house_until(house, &guests[i]->messages, 2);
        assert_string_equal(guests[i]->last, "news");
    }
    house_close(house);
    free_guests(guests, GUESTS);
}

/* Sends a frame, lazily or at once. */
static void send_words(House *house, const char *words, bool lazily) {
    NetFrame *frame = net_frame_new(house->loop, words, (uint32_t)strlen(words));
    assert_true((lazily ? net_send_lazily : net_send)(house->people[0], frame));
    net_frame_release(frame);
}

/* A lazy frame goes with the next one, before it, or alone when nothing comes. */
static void lazy_frames_wait_for_company(void **unused) {
    (void)unused;
    House *house = house_new();
    house_open(house);
    Guest *guest = house_guest(house, "/arena");
    house_until(house, &guest->opened, 1);
    uint64_t began_ms = net_now_ms(house->loop), quickest_ms = UINT64_MAX;
    send_words(house, "alone", true);
    house_until(house, &guest->messages, 1);
    assert_true(net_now_ms(house->loop) - began_ms >= NET_LAZY_MS);
    for (uint32_t i = 0; i < 10; i++) {
        began_ms = net_now_ms(house->loop);
        send_words(house, "first", true);
        send_words(house, "second", false);
        house_until(house, &guest->messages, 3 + 2 * i);
        assert_string_equal(guest->last, "second");
        uint64_t took_ms = net_now_ms(house->loop) - began_ms;
        quickest_ms = took_ms < quickest_ms ? took_ms : quickest_ms;
    }
    assert_true(quickest_ms < NET_LAZY_MS);
    send_words(house, "last", true); /* still waits when the house closes */
    house_close(house);
    test_free(guest);
}

/* Frames of many sizes through sockets that fill up, in order and complete. */
static void everything_arrives_in_order(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.queue_bytes_max = 64 << 20;
    house->setup.limits.queue_frames_max = 100000;
    house_open(house);
    Guest *guest = house_guest(house, "/greet");
    house_until(house, &guest->messages, 1);
    assert_string_equal(guest->last, "welcome");
    net_close(guest->connection, NET_CLOSE_NORMAL, "");
    house_until(house, &house->closed, 1);
    int raw = raw_websocket(house, "/");
    house_until(house, &house->opened, 2);
    static char big[70000];
    uint64_t sent = 0, got = 0;
    for (uint32_t i = 0; i < 400; i++) {
        uint32_t count = i * i % sizeof big;
        memset(big, 'a' + (int)(i % 26), count);
        assert_true(net_send_text(house->people[0], big, count));
        sent += count + (count < 126 ? 2 : count < 65536 ? 4 : 10);
    }
    house_run(house, 20);
    assert_true(memory(house) > 0);
    static uint8_t bytes[1 << 16];
    uint32_t frame = 0, left = 0, header = 0;
    while (got < sent) {
        ssize_t count = recv(raw, bytes, sizeof bytes, MSG_DONTWAIT);
        if (count <= 0)
            house_run(house, 1);
        for (ssize_t i = 0; i < count; i++) {
            if (left == 0 && header == 0) {
                uint32_t length = frame * frame % sizeof big;
                header = length < 126 ? 2 : length < 65536 ? 4 : 10;
                left = length;
                frame++;
            }
            if (header > 0)
                header--;
            else if (left-- > 0)
                assert_int_equal(bytes[i], 'a' + (int)((frame - 1) % 26));
        }
        got += count > 0 ? (uint64_t)count : 0;
    }
    assert_int_equal(frame, 400);
    house_until_wide(house, memory, 0);
    close(raw);
    house_until(house, &house->closed, 2);
    assert_int_equal(house->code, NET_CLOSE_LOST);
    house_close(house);
    test_free(guest);
}

static void binary_messages_are_told_or_refused(void **unused) {
    (void)unused;
    House *house = house_new();
    house_open(house);
    int raw = raw_websocket(house, "/");
    raw_say(raw, "\x82\x81\0\0\0\0x", 7);
    assert_int_equal(raw_close_code(house, raw), NET_CLOSE_UNSUPPORTED);
    assert_int_equal(house->code, NET_CLOSE_UNSUPPORTED);
    house_close(house);
}

static void note_binary(void *context, NetConnection *connection) {
    ((House *)context)->binaries++;
    net_send_text(connection, "no", 2);
}

static void binary_messages_may_be_told(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.calls.on_binary = note_binary;
    house_open(house);
    int raw = raw_websocket(house, "/");
    raw_say(raw, "\x82\x81\0\0\0\0x\x81\x82\0\0\0\0hi", 15);
    assert_string_equal(raw_hear(house, raw, "hi"), "\x81\x02no\x81\x02hi");
    assert_int_equal(house->binaries, 1);
    close(raw);
    house_close(house);
}

/* --- Goodbyes --------------------------------------------------------------------------------- */

static void goodbyes_have_codes(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.message_bytes_max = 100;
    house_open(house);
    Guest *guest = house_guest(house, "/arena?x=1");
    house_until(house, &guest->opened, 1);
    guest_say(guest, "close:as you wish");
    house_until(house, &house->closed, 1);
    assert_true(house->code == NET_CLOSE_NORMAL && strcmp(house->reason, "as you wish") == 0);
    while (guest->connection != NULL)
        house_run(house, 1);
    assert_true(guest->code == NET_CLOSE_NORMAL && strcmp(guest->reason, "as you wish") == 0);
    test_free(guest);
    static const struct {
        const char *bytes;
        size_t count;
        uint16_t code;
    } cases[] = {
        {"\x81\x01x", 3, NET_CLOSE_PROTOCOL},
        {"\x81\x82\0\0\0\0\xC3(", 8, NET_CLOSE_NOT_TEXT},
        {"\x81\xFE\x00\x7F\0\0\0\0x", 9, NET_CLOSE_TOO_BIG},
        {"\x88\x82\0\0\0\0\x03\xE8", 8, NET_CLOSE_NORMAL},
        {"\x88\x84\0\0\0\0\x0F\xA1ok", 10, 4001},
        {"\x88\x80\0\0\0\0", 6, 0},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int raw = raw_websocket(house, "/");
        raw_say(raw, cases[i].bytes, cases[i].count);
        assert_int_equal(raw_close_code(house, raw), cases[i].code);
        house_until(house, &house->closed, 2 + i);
        assert_int_equal(house->code, cases[i].code == 0 ? NET_CLOSE_NO_STATUS : cases[i].code);
    }
    assert_int_equal(figures(house).cut_broken, 3);
    house_until_wide(house, sockets, 0);
    house_close(house);
}

/* Who does not answer our goodbye is not waited for; messages after it are dropped. */
static void goodbyes_have_an_end(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.close_ms = 50;
    house_open(house);
    int raw = raw_websocket(house, "/");
    raw_say(raw, "\x81\x87\0\0\0\0close:x\x81\x85\0\0\0\0after", 24);
    assert_int_equal(raw_close_code(house, raw), NET_CLOSE_NORMAL);
    house_until(house, &house->closed, 1);
    assert_true(house->code == NET_CLOSE_NORMAL && strcmp(house->reason, "x") == 0);
    assert_int_equal(house->messages, 1);
    house_close(house);
}

static void note_drained(void *context) { ((House *)context)->drained = true; }

static void a_drain_sends_everybody_home(void **unused) {
    (void)unused;
    enum { GUESTS = 50 };
    Guest *guests[GUESTS];
    House *house = house_new();
    house_open(house);
    for (uint32_t i = 0; i < GUESTS; i++)
        guests[i] = house_guest(house, "/arena");
    int stubborn = raw_websocket(house, "/"), idle = raw_open(house);
    house_until(house, &house->opened, GUESTS + 1);
    house_until_wide(house, sockets, GUESTS + 2);
    uint16_t port = net_server_port(house->server);
    uint64_t began_ms = net_now_ms(house->loop);
    net_server_drain(house->server, 200, note_drained);
    while (!house->drained && net_now_ms(house->loop) < began_ms + 5000)
        house_run(house, 1);
    assert_true(house->drained);
    assert_in_range(net_now_ms(house->loop) - began_ms, 190, 1000);
    assert_int_equal(house->closed, GUESTS + 1);
    for (uint32_t i = 0; i < GUESTS; i++) {
        assert_true(guests[i]->connection == NULL && guests[i]->code == NET_CLOSE_GOING);
        assert_string_equal(guests[i]->reason, "the house closes");
    }
    assert_int_equal(raw_close_code(house, stubborn), NET_CLOSE_GOING);
    assert_int_equal(recv(idle, &port, 1, MSG_DONTWAIT), 0);
    close(idle);
    Guest *late = house_guest(house, "/arena");
    while (late->connection != NULL)
        house_run(house, 1);
    assert_int_equal(late->code, NET_CLOSE_LOST);
    test_free(late);
    free_guests(guests, GUESTS);
    house_close(house);
}

static void an_empty_house_drains_at_once(void **unused) {
    (void)unused;
    House *house = house_new();
    house_open(house);
    net_server_drain(house->server, 10000, note_drained);
    assert_false(house->drained);
    house_run(house, 20);
    assert_true(house->drained);
    house_close(house);
}

/* --- Limits ----------------------------------------------------------------------------------- */

static void slow_readers_are_cut_off(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.queue_bytes_max = 1 << 20;
    house_open(house);
    Guest *guest = house_guest(house, "/arena");
    int slow = raw_websocket(house, "/");
    house_until(house, &guest->opened, 1);
    raw_say(slow, "\x81\x85\0\0\0\0flood", 11);
    house_until(house, &house->closed, 1);
    assert_true(house->code == NET_CLOSE_POLICY);
    assert_string_equal(house->reason, "the other side reads too slowly");
    assert_int_equal(figures(house).cut_slow, 1);
    house_until_wide(house, memory, 0);
    guest_say(guest, "still here");
    house_until(house, &guest->messages, 1);
    close(slow);
    /* Many small frames are too many as well: nobody reads these pongs. */
    slow = raw_websocket(house, "/");
    static char pings[6 * 4000];
    for (uint32_t i = 0; i < sizeof pings; i += 6)
        memcpy(pings + i, "\x89\x80\0\0\0\0", 6);
    raw_say(slow, pings, sizeof pings);
    house_until(house, &house->closed, 2);
    assert_int_equal(figures(house).cut_slow, 2);
    close(slow);
    test_free(guest);
    house_close(house);
}

/* Somebody who talks and never reads is cut off when nothing of what waits for him is taken for
 * send_ms. */
static void who_takes_nothing_is_cut_off(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.queue_bytes_max = 64 << 20;
    house->setup.limits.send_ms = 300;
    house_open(house);
    int deaf = raw_websocket(house, "/");
    raw_say(deaf, "\x81\x84\0\0\0\0pour", 10);
    for (int i = 0; i < 500 && house->closed == 0; i++) {
        send(deaf, "\x81\x81\0\0\0\0x", 7, MSG_NOSIGNAL);
        house_run(house, 10);
    }
    assert_int_equal(house->closed, 1);
    assert_true(house->code == NET_CLOSE_POLICY);
    assert_string_equal(house->reason, "the other side reads too slowly");
    assert_int_equal(figures(house).cut_slow, 1);
    house_until_wide(house, memory, 0);
    close(deaf);
    house_close(house);
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
    House *house = house_new();
    house->setup.limits.queue_bytes_max = 64 << 20;
    house->setup.limits.send_ms = SEND_MS;
    house_open(house);
    int slow = raw_websocket(house, "/");
    raw_say(slow, "\x81\x84\0\0\0\0pour", 10);
    uint64_t end_ms = net_now_ms(house->loop) + 3 * SEND_MS, deadline_ms = end_ms + 10000;
    size_t got = 0;
    while (net_now_ms(house->loop) < end_ms) {
        house_run(house, 10);
        got += read_some(slow, 8192);
    }
    assert_true(got < ALL / 2 && house->closed == 0 && memory(house) > 0);
    while (got < ALL && net_now_ms(house->loop) < deadline_ms) {
        size_t more = read_some(slow, 65536);
        got += more;
        if (more == 0)
            house_run(house, 1);
    }
    assert_int_equal(got, ALL);
    assert_true(house->closed == 0 && figures(house).cut_slow == 0);
    close(slow);
    house_close(house);
}

/* What waits for all sockets of one address together has an end; a neighbour for whom little waits
 * does not pay for it. */
static void an_address_has_its_share_of_memory(void **unused) {
    (void)unused;
    enum { DEAF = 4, MOST = 12 << 20 };
    House *house = house_new();
    house->setup.limits.address_queue_max = MOST;
    house->setup.limits.queue_bytes_max = 64 << 20;
    house_open(house);
    Guest *neighbour = house_guest(house, "/");
    int deaf[DEAF];
    house_until(house, &neighbour->opened, 1);
    for (uint32_t i = 0; i < DEAF; i++) {
        deaf[i] = raw_websocket(house, "/");
        raw_say(deaf[i], "\x81\x84\0\0\0\0pour", 10);
        house_until(house, &house->messages, i + 1);
        house_run(house, 10);
        assert_true(memory(house) <= MOST + (1 << 20));
    }
    assert_true(house->closed >= 2 && figures(house).cut_slow == house->closed);
    guest_say(neighbour, "still here");
    house_until(house, &neighbour->messages, 1);
    for (uint32_t i = 0; i < DEAF; i++)
        close(deaf[i]);
    house_until(house, &house->closed, DEAF);
    house_until_wide(house, memory, 0);
    int again = raw_websocket(house, "/");
    raw_say(again, "\x81\x84\0\0\0\0pour", 10);
    house_until(house, &house->messages, DEAF + 2);
    house_run(house, 10);
    assert_int_equal(house->closed, DEAF);
    close(again);
    test_free(neighbour);
    house_close(house);
}

static void a_full_house_says_so(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.websockets_max = 2;
    house->setup.limits.sockets_max = 4;
    house_open(house);
    int one = raw_websocket(house, "/"), two = raw_websocket(house, "/");
    Guest *third = house_guest(house, "/arena");
    while (third->connection != NULL)
        house_run(house, 1);
    assert_string_equal(third->reason, "the server answered 503 Service Unavailable");
    assert_non_null(strstr(raw_ask(house,
                                   "GET /arena HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"
                                   "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                                   NULL),
                           "\r\n\r\nThe house is full; please come back later.\n"));
    house_until_wide(house, sockets, 2);
    /* Pages are still served until the sockets themselves run out. */
    assert_non_null(
        strstr(raw_ask(house, "GET /api/echo?x HTTP/1.1\r\nHost: a\r\n\r\n", "from"), "200 OK"));
    house_until_wide(house, sockets, 2);
    int three = raw_open(house), four = raw_open(house);
    house_until_wide(house, sockets, 4);
    int five = raw_open(house);
    assert_non_null(strstr(raw_hear(house, five, NULL), "The house is full"));
    assert_int_equal(figures(house).refused_full, 3);
    close(one);
    house_until(house, &house->closed, 1);
    house_until_wide(house, sockets, 3);
    int again = raw_websocket(house, "/");
    assert_int_equal(figures(house).websockets, 2);
    close(two);
    close(three);
    close(four);
    close(five);
    close(again);
    test_free(third);
    house_close(house);
}

static void one_address_has_its_share(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.address_sockets_max = 3;
    house->setup.limits.address_handshakes = (NetRate){1, 2};
    house_open(house);
    int one = raw_websocket(house, "/"), two = raw_websocket(house, "/");
    assert_non_null(strstr(raw_ask(house,
                                   "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"
                                   "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                                   "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                                   NULL),
                           "HTTP/1.1 429 Too Many Requests"));
    house_until_wide(house, sockets, 2);
    int three = raw_open(house), four = raw_open(house);
    assert_non_null(strstr(raw_hear(house, four, NULL), "HTTP/1.1 503"));
    assert_int_equal(figures(house).refused_rate, 1);
    close(one);
    close(two);
    close(three);
    close(four);
    house_close(house);
    house = house_new();
    house->setup.limits.address_connections = (NetRate){1, 2};
    house->setup.limits.address_requests = (NetRate){1, 3};
    house_open(house);
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
    house_close(house);
}

/* Behind a proxy all sockets come from one address, and the header tells whose they are. */
static void a_proxy_speaks_for_others(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.behind_proxy = true;
    house->setup.limits.address_sockets_max = 1;
    house_open(house);
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
    house_until(house, &house->closed, 1);
    house_run(house, 10);
    for (uint32_t i = 1; i < CASES; i++)
        close(raws[i]);
    house_close(house);
}

static void fast_talkers_are_stopped(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.socket_frames = (NetRate){5, 20};
    house->setup.limits.socket_bytes = (NetRate){1000, 5000};
    house_open(house);
    Guest *guest = house_guest(house, "/");
    house_until(house, &guest->opened, 1);
    for (int i = 0; i < 21; i++)
        guest_say(guest, "x");
    house_until(house, &house->closed, 1);
    assert_int_equal(house->code, NET_CLOSE_POLICY);
    assert_int_equal(house->messages, 20);
    while (guest->connection != NULL)
        house_run(house, 1);
    assert_int_equal(guest->code, NET_CLOSE_POLICY);
    assert_int_equal(guest->messages, 20);
    test_free(guest);
    static char big[5000];
    memset(big, 'x', sizeof big);
    guest = house_guest(house, "/");
    house_until(house, &guest->opened, 1);
    net_send_text(guest->connection, big, sizeof big);
    house_until(house, &house->closed, 2);
    assert_string_equal(house->reason, "too many bytes a second");
    assert_int_equal(figures(house).cut_rate, 2);
    test_free(guest);
    house_close(house);
}

/* When memory runs short, who asks for more is told to come back later. */
static void memory_is_finite(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.memory_max = 20000;
    house->setup.limits.message_bytes_max = 100000;
    house_open(house);
    Guest *guest = house_guest(house, "/");
    int raw = raw_websocket(house, "/");
    house_until(house, &guest->opened, 1);
    static char big[60000];
    memset(big, 'x', sizeof big);
    memcpy(big, "\x81\xFE\xFF\xFF\0\0\0\0", 8);
    raw_say(raw, big, sizeof big);
    assert_int_equal(raw_close_code(house, raw), NET_CLOSE_LATER);
    assert_null(net_frame_new(house->loop, big, sizeof big));
    assert_false(net_send(house->people[0], NULL));
    assert_false(net_send_text(house->people[0], "x", 1));
    house_until(house, &house->closed, 2);
    assert_int_equal(house->code, NET_CLOSE_LATER);
    test_free(guest);
    house_close(house);
}

/* With next to no memory nobody is served, and nothing breaks. */
static void no_memory_is_no_disaster(void **unused) {
    (void)unused;
    for (uint32_t max = 0; max < 1000; max += 50) {
        House *house = house_new();
        house->setup.limits.memory_max = max;
        house_open(house);
        Guest *guest = house_guest(house, "/greet");
        int raw = raw_open(house), half = raw_open(house);
        raw_say(raw, "GET /api/echo?x HTTP/1.1\r\nHost: a\r\n\r\n", 38);
        raw_say(half, "GET /api/echo?x", 15);
        house_run(house, 1);
        send(half, " HTTP/1.1\r\nHost: a\r\n", 20, MSG_NOSIGNAL); /* it may be gone */
        for (int i = 0; i < 5; i++)
            house_run(house, 1);
        assert_true(memory(house) <= max);
        house_close(house);
        close(raw);
        close(half);
        test_free(guest);
    }
}

/* When most of the memory is in use, those who wait for much have waited long enough. */
static void short_memory_makes_impatient(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.memory_max = 4 << 20;
    house->setup.limits.queue_bytes_max = 64 << 20;
    house_open(house);
    int raw = raw_websocket(house, "/");
    house_until(house, &house->opened, 1);
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
    house_until(house, &house->closed, 1);
    assert_int_equal(figures(house).cut_slow, 1);
    for (int i = 0; i < 3; i++)
        net_frame_release(frames[i]);
    assert_int_equal(memory(house), 0);
    close(raw);
    house_close(house);
}

/* --- Silence ---------------------------------------------------------------------------------- */

static void the_silent_are_found(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.ping_ms = 60;
    house->setup.limits.pong_ms = 60;
    house_open(house);
    Guest *guest = house_guest(house, "/");
    int silent = raw_websocket(house, "/"), talker = raw_websocket(house, "/");
    house_until(house, &guest->opened, 1);
    for (int i = 0; i < 25; i++) {
        house_run(house, 20);
        raw_say(talker, "\x8A\x80\0\0\0\0", 6);
    }
    assert_int_equal(house->closed, 1);
    assert_int_equal(house->code, NET_CLOSE_LOST);
    assert_string_equal(house->reason, "no answer to a ping");
    assert_int_equal(figures(house).cut_silent, 1);
    assert_true(guest->connection != NULL && house->people_count == 2);
    close(silent);
    close(talker);
    house_close(house);
    test_free(guest);
}

static void handshakes_and_messages_must_end(void **unused) {
    (void)unused;
    House *house = house_new();
    house->setup.limits.request_ms = 80;
    house->setup.limits.idle_ms = 80;
    house->setup.limits.ping_ms = 60;
    house_open(house);
    int slow = raw_open(house), idle = raw_open(house), half = raw_websocket(house, "/");
    raw_say(slow, "GET / HT", 8);
    raw_say(idle, "GET /x HTTP/1.1\r\nHost: a\r\n\r\n", 28);
    raw_say(half, "\x01\x81\0\0\0\0x", 7);
    assert_string_equal(raw_hear(house, slow, NULL), "");
    assert_non_null(strstr(raw_hear(house, idle, NULL), "404"));
    for (int i = 0; i < 60 && house->closed == 0; i++) {
        house_run(house, 10);
        if (house->closed == 0)
            raw_say(half, "\x8A\x80\0\0\0\0", 6);
    }
    assert_int_equal(house->closed, 1);
    assert_true(house->code == NET_CLOSE_POLICY);
    assert_string_equal(house->reason, "a message that never ends");
    close(slow);
    close(idle);
    close(half);
    house_close(house);
}

/* --- The machine ------------------------------------------------------------------------------ */

/* Without descriptors accepting rests instead of spinning, and goes on when there are some. */
static void no_descriptor_is_no_disaster(void **unused) {
    (void)unused;
    House *house = house_new();
    house_open(house);
    house_run(house, 1);
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
    house_run(house, 350);
    clock_t used = clock() - began;
    setrlimit(RLIMIT_NOFILE, &before);
    assert_in_range(figures(house).accept_failures, 2, 5);
    assert_true(used < CLOCKS_PER_SEC / 10);
    assert_non_null(strstr(raw_hear(house, raw, "404"), "404"));
    close(raw);
    house_close(house);
}

/* When the house is full, sockets that ask for nothing give way to those that do; WebSockets do
 * not. */
static void idle_sockets_give_way(void **unused) {
    (void)unused;
    enum { ALL = 4 };
    House *house = house_new();
    house->setup.limits.sockets_max = ALL;
    house_open(house);
    int raws[ALL] = {raw_websocket(house, "/")};
    for (int i = 1; i < ALL; i++) {
        raws[i] = raw_open(house);
        raw_say(raws[i], "GET /", 5);
    }
    house_until_wide(house, sockets, ALL);
    static const char ask[] = "GET /api/echo?x HTTP/1.1\r\nHost: a\r\n\r\n";
    assert_non_null(strstr(raw_ask(house, ask, NULL), "The house is full"));
    house_run(house, 1100);
    for (int i = 1; i < ALL; i++) {
        assert_non_null(strstr(raw_ask(house, ask, "from"), "200 OK"));
        house_until_wide(house, sockets, ALL - 1);
        assert_int_equal(figures(house).shed, 1);
    }
    for (int i = 1; i < ALL; i++) {
        close(raws[i]);
        raws[i] = raw_websocket(house, "/");
    }
    house_run(house, 1100);
    assert_non_null(strstr(raw_ask(house, ask, NULL), "The house is full"));
    assert_true(figures(house).websockets == ALL && house->closed == 0);
    for (int i = 0; i < ALL; i++)
        close(raws[i]);
    house_close(house);
}

/* When descriptors run out, the same. */
static void idle_sockets_give_descriptors_back(void **unused) {
    (void)unused;
    enum { IDLE = 8 };
    House *house = house_new();
    house_open(house);
    int raws[IDLE];
    for (int i = 0; i < IDLE; i++)
        raws[i] = raw_open(house);
    house_until_wide(house, sockets, IDLE);
    house_run(house, 1100);
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
    house_close(house);
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

static void a_port_can_be_taken(void **unused) {
    (void)unused;
    House *house = house_new();
    house_open(house);
    NetServerSetup second = house->setup;
    char problem[128];
    MashText text = text_over(problem, sizeof problem);
    second.port = net_server_port(house->server);
    assert_null(net_server_open(house->loop, &second, &text));
    assert_non_null(strstr(problem, "cannot listen at 127.0.0.1, port "));
    text_clear(&text);
    second.address = "the moon";
    assert_null(net_server_open(house->loop, &second, &text));
    assert_string_equal(problem, "cannot listen at the moon: it is no IPv4 or IPv6 address");
    house_close(house);
}

/* Both kinds of address at one socket, if the machine has IPv6. */
static void one_socket_hears_both_kinds(void **unused) {
    (void)unused;
    House *house = house_new();
    char problem[128], url[64];
    MashText text = text_over(problem, sizeof problem);
    house->setup.address = "::";
    house->server = net_server_open(house->loop, &house->setup, &text);
    if (house->server == NULL) {
        house_close(house);
        skip();
    }
    Guest *four = house_guest(house, "/");
    house_until(house, &house->opened, 1);
    assert_string_equal(house->address, "127.0.0.1");
    text = text_over(url, sizeof url);
    text_format(&text, "ws://[::1]:%u/", (unsigned)net_server_port(house->server));
    Guest *six = house_guest_at(house, url, NULL);
    house_until(house, &house->opened, 2);
    assert_string_equal(house->address, "::1");
    house_close(house);
    test_free(four);
    test_free(six);
}

/* --- Timers, threads, signals ----------------------------------------------------------------- */

static void count_up(void *context) { ++*(uint32_t *)context; }

static void timers_fire_once(void **unused) {
    (void)unused;
    House *house = house_new();
    uint32_t fired = 0, never = 0;
    NetTimer *timer = net_timer_open(house->loop, count_up, &fired);
    NetTimer *stopped = net_timer_open(house->loop, count_up, &never);
    uint64_t began_ms = net_now_ms(house->loop);
    net_timer_start(timer, 30);
    net_timer_start(stopped, 5);
    net_timer_stop(stopped);
    net_timer_stop(stopped);
    house_until(house, &fired, 1);
    assert_in_range(net_now_ms(house->loop) - began_ms, 29, 500);
    house_run(house, 50);
    assert_true(fired == 1 && never == 0);
    net_timer_start(timer, 100000);
    net_timer_start(timer, 1);
    house_until(house, &fired, 2);
    net_timer_close(timer);
    net_timer_close(stopped);
    net_timer_close(NULL);
    uint64_t a[2] = {0}, b[2] = {0};
    net_random(house->loop, a, sizeof a);
    net_random(house->loop, b, sizeof b);
    assert_true(memcmp(a, b, sizeof a) != 0);
    assert_true(net_date_ms(house->loop) > 1700000000000);
    house_close(house);
}

/* A job of a crew: its number, and where it is written down. Number 0 begins, and then waits until
 * it may go on. */
typedef struct Task {
    uint32_t number, *done, *order;
    pid_t thread;
    atomic_bool begun, released;
} Task;

static void work(void *context) {
    Task *task = context;
    task->thread = gettid();
    atomic_store(&task->begun, true);
    while (task->number == 0 && !atomic_load(&task->released))
        usleep(100);
}

static void done(void *context) {
    Task *task = context;
    assert_true(task->thread != 0 && task->thread != gettid());
    task->order[(*task->done)++] = task->number;
}

/* How often a bell was heard, and by which thread. */
typedef struct Ear {
    NetBell *bell;
    uint32_t heard;
    pid_t thread;
} Ear;

static void hear_bell(void *owner) {
    Ear *ear = owner;
    ear->heard++;
    ear->thread = gettid();
}

static void ring(void *owner) {
    Ear *ear = owner;
    for (uint32_t i = 0; i < 100; i++)
        net_bell_ring(ear->bell);
}

static void ignore(void *owner) { (void)owner; }

static void a_thread_rings_a_bell(void **unused) {
    (void)unused;
    House *house = house_new();
    NetCrew *crew = net_crew_open(house->loop, 1, 1);
    Ear ear = {.heard = 0};
    ear.bell = net_bell_open(house->loop, hear_bell, &ear);
    assert_non_null(ear.bell);
    house_run(house, 5);
    assert_int_equal(ear.heard, 0);
    assert_true(net_crew_take(crew, ring, ignore, &ear));
    house_until(house, &ear.heard, 1);
    assert_int_equal(ear.thread, gettid());
    net_crew_close(crew);
    net_bell_close(ear.bell);
    net_bell_close(NULL);
    house_run(house, 5);
    assert_true(ear.heard <= 100);
    house_close(house);
}

/* How many messages the house had heard when a timer was called. */
typedef struct Judge {
    House *house;
    uint32_t called, heard;
} Judge;

static void judge(void *context) {
    Judge *one = context;
    one->called++;
    one->heard = one->house->messages;
}

/* [A9] A timer that was due long ago comes behind a message that waits on its socket, however late
 * the loop wakes up. */
static void what_waits_is_heard_before_timers(void **unused) {
    (void)unused;
    House *house = house_new();
    house_open(house);
    int socket = raw_websocket(house, "/");
    Judge one = {.house = house};
    NetTimer *timer = net_timer_open(house->loop, judge, &one);
    NetTimer *stopped = net_timer_open(house->loop, judge, &one);
    static const char frame[] = "\x81\x82\0\0\0\0hi";
    for (uint32_t i = 1; i <= 3; i++) {
        net_timer_start(timer, 1);
        usleep(HOUSE_WORK_MS * 1000); /* the loop stands still */
        raw_say(socket, frame, sizeof frame - 1);
        house_until(house, &one.called, i);
        assert_int_equal(one.heard, i);
    }
    net_timer_start(timer, 0);
    net_timer_start(stopped, 0);
    net_timer_stop(stopped);
    house_until(house, &one.called, 4);
    house_run(house, 5);
    assert_int_equal(one.called, 4);
    net_timer_close(timer);
    net_timer_close(stopped);
    close(socket);
    house_close(house);
}

/* What players wait for is counted: the work that a message causes, which libuv calls back out of
 * its poll, and the lateness of the timers behind it. Sleep is not. */
static void turns_are_counted_with_their_work(void **unused) {
    (void)unused;
    House *house = house_new();
    house_open(house);
    Guest *guest = house_guest(house, "/");
    house_until(house, &guest->opened, 1);
    uint32_t fired = 0;
    NetTimer *timer = net_timer_open(house->loop, count_up, &fired);
    NetTurns before = net_loop_turns(house->loop);
    guest_say(guest, "work");
    house_until(house, &house->messages, 1);
    house_run(house, 1);
    NetTurns after = net_loop_turns(house->loop);
    assert_true(after.longest_cpu_us >= HOUSE_WORK_MS * 1000);
    assert_true(after.longest_us >= HOUSE_WORK_MS * 1000);
    assert_true(after.busy_us - before.busy_us >= HOUSE_WORK_MS * 1000);
    assert_true(after.long_count > before.long_count && after.count > before.count);
    before = after;
    net_timer_start(timer, 1);
    usleep(HOUSE_WORK_MS * 1000);
    house_until(house, &fired, 1);
    after = net_loop_turns(house->loop);
    assert_true(after.late_count > before.late_count && after.latest_ms > NET_LATE_MS);
    uint64_t began_ms = net_now_ms(house->loop);
    before = net_loop_turns(house->loop);
    house_run(house, 200);
    after = net_loop_turns(house->loop);
    uint64_t lasted_us = (net_now_ms(house->loop) - began_ms + 1) * 1000;
    assert_true(after.busy_us - before.busy_us + 150000 <= lasted_us);
    net_timer_close(timer);
    test_free(guest);
    house_close(house);
}

static void crews_work_beside_the_loop(void **unused) {
    (void)unused;
    enum { TASKS = 20 };
    static Task tasks[TASKS];
    uint32_t finished = 0, order[TASKS];
    House *house = house_new();
    NetCrew *one = net_crew_open(house->loop, 1, 4), *many = net_crew_open(house->loop, 4, TASKS);
    uint32_t taken = 0;
    for (uint32_t i = 0; i < TASKS; i++) {
        tasks[i] = (Task){.number = i, .done = &finished, .order = order};
        taken += net_crew_take(one, work, done, &tasks[i]);
        while (!atomic_load(&tasks[0].begun))
            usleep(100); /* under way, no longer waiting */
    }
    assert_int_equal(taken, 5);
    house_run(house, 5);
    assert_int_equal(finished, 0);
    atomic_store(&tasks[0].released, true);
    house_until(house, &finished, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(order[i], i);
    finished = 0;
    atomic_store(&tasks[0].released, false);
    for (uint32_t i = 0; i < TASKS; i++)
        assert_true(net_crew_take(many, work, done, &tasks[i]));
    house_until(house, &finished, TASKS - 1);
    atomic_store(&tasks[0].released, true);
    net_loop_run(house->loop); /* ends by itself when all jobs are done */
    assert_int_equal(finished, TASKS);
    assert_int_equal(order[TASKS - 1], 0);
    for (uint32_t i = 0; i < TASKS; i++)
        net_crew_take(many, work, done, &tasks[i]);
    net_crew_close(many);
    net_crew_close(one);
    house_run(house, 10);
    assert_int_equal(finished, TASKS);
    house_close(house);
}

static void signals_are_told(void **unused) {
    (void)unused;
    House *house = house_new();
    uint32_t heard = 0;
    assert_true(net_on_signal(house->loop, SIGUSR1, count_up, &heard));
    assert_false(net_on_signal(house->loop, SIGKILL, count_up, &heard));
    raise(SIGUSR1);
    house_until(house, &heard, 1);
    house_close(house);
}

/* --- Chaos ------------------------------------------------------------------------------------ */

/* What the mad send; whole messages, parts of them, and things that are none. */
typedef struct Raving {
    const char *bytes;
    uint32_t count;
} Raving;

#define RAVING(text)                                                                               \
    { text, sizeof text - 1 }
static const Raving ravings[] = {
    RAVING("GET /greet HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"),
    RAVING("GET /api/echo?x HTTP/1.1\r\nHost: a\r\n\r\n"),
    RAVING("GET /"),
    RAVING(" HTTP/1.1\r\nHost: a\r\n\r\n"),
    RAVING("\x81\x85\0\0\0\0hello"),
    RAVING("\x81\x85\0\0\0\0flood"),
    RAVING("\x81\x87\0\0\0\0close:x"),
    RAVING("\x81\x85\0\0\0\0all:x"),
    RAVING("\x01\x81\0\0\0\0x"),
    RAVING("\x80\x80\0\0\0\0"),
    RAVING("\x89\x81\0\0\0\0p"),
    RAVING("\x88\x82\0\0\0\0\x03\xE8"),
    RAVING("\x81\xFE\x10\x00\0\0\0\0xyz"),
    RAVING("\0\1\2\3"),
};

/* Thousands of turns of guests that say anything, read or not, and leave in any way. */
static void nothing_breaks_in_chaos(void **unused) {
    (void)unused;
    enum { GUESTS = 24, TURNS = 12000, KINDS = sizeof ravings / sizeof *ravings };
    int guests[GUESTS];
    static char bytes[1 << 16];
    uint64_t state = 88172645463325252u;
    House *house = house_new();
    house->setup.limits.queue_bytes_max = 300000;
    house->setup.limits.ping_ms = house->setup.limits.pong_ms = 5;
    house->setup.limits.close_ms = house->setup.limits.request_ms = 8;
    house_open(house);
    for (int i = 0; i < GUESTS; i++)
        guests[i] = raw_open(house);
    for (int turn = 0; turn < TURNS; turn++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        int *guest = &guests[state % GUESTS], choice = (int)(state >> 20 & 31);
        uint32_t kind = (uint32_t)(state >> 30) % KINDS;
        struct linger at_once = {.l_onoff = 1};
        if (choice == 0)
            setsockopt(*guest, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        if (choice < 3) {
            close(*guest);
            *guest = raw_open(house);
            send(*guest, ravings[0].bytes, ravings[0].count, MSG_NOSIGNAL);
        } else if (choice == 3) {
            shutdown(*guest, SHUT_WR);
        } else if (choice < 10) {
            recv(*guest, bytes, sizeof bytes, MSG_DONTWAIT);
        } else {
            uint32_t cut = choice == 10 ? (uint32_t)(state >> 40) % ravings[kind].count : 0;
            send(*guest, ravings[kind].bytes, ravings[kind].count - cut, MSG_NOSIGNAL);
        }
        if (choice % 4 == 0)
            house_run(house, 0);
    }
    for (int i = 0; i < GUESTS; i++)
        close(guests[i]);
    house_until_wide(house, sockets, 0);
    assert_int_equal(memory(house), 0);
    assert_int_equal(house->opened, house->closed);
    assert_int_equal(house->people_count, 0);
    assert_true(house->opened > 300 && figures(house).cut_slow > 10);
    assert_true(figures(house).cut_broken > 50 && house->messages > 100);
    house_close(house);
}

/* --- Others' clients -------------------------------------------------------------------------- */

/* Node brings a WebSocket client of its own; old ones without it are let off. */
static void nodes_client_gets_along(void **unused) {
    (void)unused;
    House *house = house_new();
    house_open(house);
    char url[64];
    MashText text = text_over(url, sizeof url);
    text_format(&text, "ws://127.0.0.1:%u/arena", (unsigned)net_server_port(house->server));
    pid_t child = fork();
    if (child == 0) {
        execlp("node", "node", "--no-warnings", "--experimental-websocket", "tests/net_client.mjs",
               url, (char *)NULL);
        _exit(77);
    }
    int status = 0;
    for (int i = 0; i < 2000 && waitpid(child, &status, WNOHANG) == 0; i++)
        house_run(house, 10);
    bool skipped = WIFEXITED(status) && (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 9);
    if (!skipped) {
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_true(house->code == 4002 && strcmp(house->reason, "f\xC3\xBCr heute") == 0);
        assert_int_equal(figures(house).cut_broken, 0);
    }
    house_close(house);
    if (skipped)
        skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_guests_are_answered),
        cmocka_unit_test(a_frame_goes_to_everybody),
        cmocka_unit_test(lazy_frames_wait_for_company),
        cmocka_unit_test(everything_arrives_in_order),
        cmocka_unit_test(binary_messages_are_told_or_refused),
        cmocka_unit_test(binary_messages_may_be_told),
        cmocka_unit_test(goodbyes_have_codes),
        cmocka_unit_test(goodbyes_have_an_end),
        cmocka_unit_test(a_drain_sends_everybody_home),
        cmocka_unit_test(an_empty_house_drains_at_once),
        cmocka_unit_test(slow_readers_are_cut_off),
        cmocka_unit_test(who_takes_nothing_is_cut_off),
        cmocka_unit_test(who_reads_slowly_is_waited_for),
        cmocka_unit_test(an_address_has_its_share_of_memory),
        cmocka_unit_test(a_full_house_says_so),
        cmocka_unit_test(one_address_has_its_share),
        cmocka_unit_test(a_proxy_speaks_for_others),
        cmocka_unit_test(fast_talkers_are_stopped),
        cmocka_unit_test(memory_is_finite),
        cmocka_unit_test(no_memory_is_no_disaster),
        cmocka_unit_test(short_memory_makes_impatient),
        cmocka_unit_test(the_silent_are_found),
        cmocka_unit_test(handshakes_and_messages_must_end),
        cmocka_unit_test(no_descriptor_is_no_disaster),
        cmocka_unit_test(idle_sockets_give_way),
        cmocka_unit_test(idle_sockets_give_descriptors_back),
        cmocka_unit_test(sockets_fit_the_limit),
        cmocka_unit_test(a_port_can_be_taken),
        cmocka_unit_test(one_socket_hears_both_kinds),
        cmocka_unit_test(timers_fire_once),
        cmocka_unit_test(what_waits_is_heard_before_timers),
        cmocka_unit_test(turns_are_counted_with_their_work),
        cmocka_unit_test(crews_work_beside_the_loop),
        cmocka_unit_test(a_thread_rings_a_bell),
        cmocka_unit_test(signals_are_told),
        cmocka_unit_test(nothing_breaks_in_chaos),
        cmocka_unit_test(nodes_client_gets_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
