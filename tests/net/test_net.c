/* test_net.c -- WebSockets over real sockets: many clients, shared frames, limits, closing. */
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

#include "tests/net/loopback_server.h"

static NetStats stats(LoopbackServer *loopback) { return net_server_stats(loopback->server); }
static uint64_t sockets(LoopbackServer *loopback) { return stats(loopback).sockets; }
static uint64_t memory(LoopbackServer *loopback) { return stats(loopback).memory; }

static void free_clients(LoopbackClient **clients, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        test_free(clients[i]);
}

/* --- Messages --------------------------------------------------------------------------------- */

static void many_clients_are_answered(void **unused) {
    (void)unused;
    enum { CLIENTS = 200, MESSAGES = 10 };
    LoopbackClient *clients[CLIENTS];
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    for (uint32_t i = 0; i < CLIENTS; i++)
        clients[i] = loopback_client(loopback, "/arena");
    loopback_until(loopback, &loopback->opened, CLIENTS);
    assert_int_equal(loopback->people_count, CLIENTS);
    assert_string_equal(loopback->address, "127.0.0.1");
    assert_string_equal(loopback->origin, "none");
    for (uint32_t i = 0; i < CLIENTS; i++)
        loopback_until(loopback, &clients[i]->opened, 1);
    for (uint32_t i = 0; i < CLIENTS * MESSAGES; i++) {
        char text[32];
        MashText writer = text_over(text, sizeof text);
        text_format(&writer, "message %u", i);
        loopback_send(clients[i % CLIENTS], text);
    }
    loopback_until(loopback, &loopback->messages, CLIENTS * MESSAGES);
    for (uint32_t i = 0; i < CLIENTS; i++)
        loopback_until(loopback, &clients[i]->messages, MESSAGES);
    assert_string_equal(clients[7]->last, "message 1807");
    assert_int_equal(stats(loopback).handshakes, CLIENTS);
    assert_int_equal(stats(loopback).websockets, CLIENTS);
    assert_int_equal(stats(loopback).messages_in, CLIENTS * MESSAGES);
    assert_int_equal(memory(loopback), 0);
    for (uint32_t i = 0; i < CLIENTS; i++)
        net_close(clients[i]->connection, NET_CLOSE_NORMAL, "bye");
    loopback_until(loopback, &loopback->closed, CLIENTS);
    assert_true(loopback->code == NET_CLOSE_NORMAL && strcmp(loopback->reason, "bye") == 0);
    loopback_until_wide(loopback, sockets, 0);
    for (uint32_t i = 0; i < CLIENTS; i++)
        assert_true(clients[i]->connection == NULL && clients[i]->code == NET_CLOSE_NORMAL);
    assert_int_equal(stats(loopback).websockets, 0);
    free_clients(clients, CLIENTS);
    loopback_close(loopback);
}

/* One frame for everybody: built once, held while it is queued, released at the end. */
static void a_frame_goes_to_everybody(void **unused) {
    (void)unused;
    enum { CLIENTS = 300 };
    LoopbackClient *clients[CLIENTS];
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    for (uint32_t i = 0; i < CLIENTS; i++)
        clients[i] = loopback_client(loopback, "/arena");
    for (uint32_t i = 0; i < CLIENTS; i++)
        loopback_until(loopback, &clients[i]->opened, 1);
    static char big[100000];
    memset(big, 'x', sizeof big);
    NetFrame *frame = net_frame_new(loopback->loop, big, sizeof big);
    for (uint32_t i = 0; i < CLIENTS; i++)
        assert_true(net_send(loopback->people[i], frame));
    assert_true(memory(loopback) > sizeof big && memory(loopback) < sizeof big + 100);
    net_frame_release(frame);
    for (uint32_t i = 0; i < CLIENTS; i++)
        loopback_until(loopback, &clients[i]->messages, 1);
    assert_int_equal(clients[CLIENTS - 1]->bytes, sizeof big);
    loopback_until_wide(loopback, memory, 0);
    loopback_send(clients[0], "all:news");
    for (uint32_t i = 0; i < CLIENTS; i++) {
        loopback_until(loopback, &clients[i]->messages, 2);
        assert_string_equal(clients[i]->last, "news");
    }
    loopback_close(loopback);
    free_clients(clients, CLIENTS);
}

/* Sends a frame, lazily or immediately. */
static void send_words(LoopbackServer *loopback, const char *words, bool lazily) {
    NetFrame *frame = net_frame_new(loopback->loop, words, (uint32_t)strlen(words));
    assert_true((lazily ? net_send_batched : net_send)(loopback->people[0], frame));
    net_frame_release(frame);
}

/* A lazy frame is sent together with the next one, before it, or alone when none follows. */
static void lazy_frames_wait_for_company(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    LoopbackClient *client = loopback_client(loopback, "/arena");
    loopback_until(loopback, &client->opened, 1);
    uint64_t began_ms = net_now_ms(loopback->loop), quickest_ms = UINT64_MAX;
    send_words(loopback, "alone", true);
    loopback_until(loopback, &client->messages, 1);
    assert_true(net_now_ms(loopback->loop) - began_ms >= NET_BATCH_MS);
    for (uint32_t i = 0; i < 10; i++) {
        began_ms = net_now_ms(loopback->loop);
        send_words(loopback, "first", true);
        send_words(loopback, "second", false);
        loopback_until(loopback, &client->messages, 3 + 2 * i);
        assert_string_equal(client->last, "second");
        uint64_t took_ms = net_now_ms(loopback->loop) - began_ms;
        quickest_ms = took_ms < quickest_ms ? took_ms : quickest_ms;
    }
    assert_true(quickest_ms < NET_BATCH_MS);
    send_words(loopback, "last", true); /* still waits when the server closes */
    loopback_close(loopback);
    test_free(client);
}

/* Frames of many sizes through sockets that fill up arrive in order and complete. */
static void everything_arrives_in_order(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.queue_bytes_max = 64 << 20;
    loopback->setup.limits.queue_frames_max = 100000;
    loopback_open(loopback);
    LoopbackClient *client = loopback_client(loopback, "/greet");
    loopback_until(loopback, &client->messages, 1);
    assert_string_equal(client->last, "welcome");
    net_close(client->connection, NET_CLOSE_NORMAL, "");
    loopback_until(loopback, &loopback->closed, 1);
    int raw = raw_websocket(loopback, "/");
    loopback_until(loopback, &loopback->opened, 2);
    static char big[70000];
    uint64_t sent = 0, got = 0;
    for (uint32_t i = 0; i < 400; i++) {
        uint32_t count = i * i % sizeof big;
        memset(big, 'a' + (int)(i % 26), count);
        assert_true(net_send_text(loopback->people[0], big, count));
        sent += count + (count < 126 ? 2 : count < 65536 ? 4 : 10);
    }
    loopback_run(loopback, 20);
    assert_true(memory(loopback) > 0);
    static uint8_t bytes[1 << 16];
    uint32_t frame = 0, left = 0, header = 0;
    while (got < sent) {
        ssize_t count = recv(raw, bytes, sizeof bytes, MSG_DONTWAIT);
        if (count <= 0)
            loopback_run(loopback, 1);
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
    loopback_until_wide(loopback, memory, 0);
    close(raw);
    loopback_until(loopback, &loopback->closed, 2);
    assert_int_equal(loopback->code, NET_CLOSE_ABNORMAL);
    loopback_close(loopback);
    test_free(client);
}

static void binary_messages_are_told_or_refused(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    int raw = raw_websocket(loopback, "/");
    raw_say(raw, "\x82\x81\0\0\0\0x", 7);
    assert_int_equal(raw_close_code(loopback, raw), NET_CLOSE_UNSUPPORTED);
    assert_int_equal(loopback->code, NET_CLOSE_UNSUPPORTED);
    loopback_close(loopback);
}

static void note_binary(void *context, NetConnection *connection) {
    ((LoopbackServer *)context)->binaries++;
    net_send_text(connection, "no", 2);
}

static void binary_messages_may_be_told(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.calls.on_binary = note_binary;
    loopback_open(loopback);
    int raw = raw_websocket(loopback, "/");
    raw_say(raw, "\x82\x81\0\0\0\0x\x81\x82\0\0\0\0hi", 15);
    assert_string_equal(raw_receive(loopback, raw, "hi"), "\x81\x02no\x81\x02hi");
    assert_int_equal(loopback->binaries, 1);
    close(raw);
    loopback_close(loopback);
}

/* --- Closing ---------------------------------------------------------------------------------- */

static void goodbyes_have_codes(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.message_bytes_max = 100;
    loopback_open(loopback);
    LoopbackClient *client = loopback_client(loopback, "/arena?x=1");
    loopback_until(loopback, &client->opened, 1);
    loopback_send(client, "close:as you wish");
    loopback_until(loopback, &loopback->closed, 1);
    assert_true(loopback->code == NET_CLOSE_NORMAL && strcmp(loopback->reason, "as you wish") == 0);
    while (client->connection != NULL)
        loopback_run(loopback, 1);
    assert_true(client->code == NET_CLOSE_NORMAL && strcmp(client->reason, "as you wish") == 0);
    test_free(client);
    static const struct {
        const char *bytes;
        size_t count;
        uint16_t code;
    } cases[] = {
        {"\x81\x01x", 3, NET_CLOSE_PROTOCOL},
        {"\x81\x82\0\0\0\0\xC3(", 8, NET_CLOSE_INVALID_DATA},
        {"\x81\xFE\x00\x7F\0\0\0\0x", 9, NET_CLOSE_TOO_BIG},
        {"\x88\x82\0\0\0\0\x03\xE8", 8, NET_CLOSE_NORMAL},
        {"\x88\x84\0\0\0\0\x0F\xA1ok", 10, 4001},
        {"\x88\x80\0\0\0\0", 6, 0},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int raw = raw_websocket(loopback, "/");
        raw_say(raw, cases[i].bytes, cases[i].count);
        assert_int_equal(raw_close_code(loopback, raw), cases[i].code);
        loopback_until(loopback, &loopback->closed, 2 + i);
        assert_int_equal(loopback->code, cases[i].code == 0 ? NET_CLOSE_NO_STATUS : cases[i].code);
    }
    assert_int_equal(stats(loopback).cut_broken, 3);
    loopback_until_wide(loopback, sockets, 0);
    loopback_close(loopback);
}

/* A client that does not answer our close frame is not waited for; messages after it are
 * dropped. */
static void goodbyes_have_an_end(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.close_ms = 50;
    loopback_open(loopback);
    int raw = raw_websocket(loopback, "/");
    raw_say(raw, "\x81\x87\0\0\0\0close:x\x81\x85\0\0\0\0after", 24);
    assert_int_equal(raw_close_code(loopback, raw), NET_CLOSE_NORMAL);
    loopback_until(loopback, &loopback->closed, 1);
    assert_true(loopback->code == NET_CLOSE_NORMAL && strcmp(loopback->reason, "x") == 0);
    assert_int_equal(loopback->messages, 1);
    loopback_close(loopback);
}

static void note_drained(void *context) { ((LoopbackServer *)context)->drained = true; }

static void a_drain_sends_everybody_home(void **unused) {
    (void)unused;
    enum { CLIENTS = 50 };
    LoopbackClient *clients[CLIENTS];
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    for (uint32_t i = 0; i < CLIENTS; i++)
        clients[i] = loopback_client(loopback, "/arena");
    int stubborn = raw_websocket(loopback, "/"), idle = raw_open(loopback);
    loopback_until(loopback, &loopback->opened, CLIENTS + 1);
    loopback_until_wide(loopback, sockets, CLIENTS + 2);
    uint16_t port = net_server_port(loopback->server);
    uint64_t began_ms = net_now_ms(loopback->loop);
    net_server_drain(loopback->server, 200, note_drained);
    while (!loopback->drained && net_now_ms(loopback->loop) < began_ms + 5000)
        loopback_run(loopback, 1);
    assert_true(loopback->drained);
    assert_in_range(net_now_ms(loopback->loop) - began_ms, 190, 1000);
    assert_int_equal(loopback->closed, CLIENTS + 1);
    for (uint32_t i = 0; i < CLIENTS; i++) {
        assert_true(clients[i]->connection == NULL && clients[i]->code == NET_CLOSE_GOING_AWAY);
        assert_string_equal(clients[i]->reason, "server shutting down");
    }
    assert_int_equal(raw_close_code(loopback, stubborn), NET_CLOSE_GOING_AWAY);
    assert_int_equal(recv(idle, &port, 1, MSG_DONTWAIT), 0);
    close(idle);
    LoopbackClient *late = loopback_client(loopback, "/arena");
    while (late->connection != NULL)
        loopback_run(loopback, 1);
    assert_int_equal(late->code, NET_CLOSE_ABNORMAL);
    test_free(late);
    free_clients(clients, CLIENTS);
    loopback_close(loopback);
}

static void an_empty_server_drains_at_once(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    net_server_drain(loopback->server, 10000, note_drained);
    assert_false(loopback->drained);
    loopback_run(loopback, 20);
    assert_true(loopback->drained);
    loopback_close(loopback);
}

/* --- The machine ------------------------------------------------------------------------------ */

static void a_port_can_be_taken(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    NetServerSetup second = loopback->setup;
    char problem[128];
    MashText text = text_over(problem, sizeof problem);
    second.port = net_server_port(loopback->server);
    assert_null(net_server_open(loopback->loop, &second, &text));
    assert_non_null(strstr(problem, "cannot listen on 127.0.0.1, port "));
    text_clear(&text);
    second.address = "the moon";
    assert_null(net_server_open(loopback->loop, &second, &text));
    assert_string_equal(problem, "cannot listen on the moon: not an IPv4 or IPv6 address");
    loopback_close(loopback);
}

/* IPv4 and IPv6 at one socket, if the machine has IPv6. */
static void one_socket_hears_both_kinds(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    char problem[128], url[64];
    MashText text = text_over(problem, sizeof problem);
    loopback->setup.address = "::";
    loopback->server = net_server_open(loopback->loop, &loopback->setup, &text);
    if (loopback->server == NULL) {
        loopback_close(loopback);
        skip();
    }
    LoopbackClient *four = loopback_client(loopback, "/");
    loopback_until(loopback, &loopback->opened, 1);
    assert_string_equal(loopback->address, "127.0.0.1");
    text = text_over(url, sizeof url);
    text_format(&text, "ws://[::1]:%u/", (unsigned)net_server_port(loopback->server));
    LoopbackClient *six = loopback_client_at(loopback, url, NULL);
    loopback_until(loopback, &loopback->opened, 2);
    assert_string_equal(loopback->address, "::1");
    loopback_close(loopback);
    test_free(four);
    test_free(six);
}

/* --- Timers, threads, signals ----------------------------------------------------------------- */

static void count_up(void *context) { ++*(uint32_t *)context; }

static void timers_fire_once(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    uint32_t fired = 0, never = 0;
    NetTimer *timer = net_timer_open(loopback->loop, count_up, &fired);
    NetTimer *stopped = net_timer_open(loopback->loop, count_up, &never);
    uint64_t began_ms = net_now_ms(loopback->loop);
    net_timer_start(timer, 30);
    net_timer_start(stopped, 5);
    net_timer_stop(stopped);
    net_timer_stop(stopped);
    loopback_until(loopback, &fired, 1);
    assert_in_range(net_now_ms(loopback->loop) - began_ms, 29, 500);
    loopback_run(loopback, 50);
    assert_true(fired == 1 && never == 0);
    net_timer_start(timer, 100000);
    net_timer_start(timer, 1);
    loopback_until(loopback, &fired, 2);
    net_timer_close(timer);
    net_timer_close(stopped);
    net_timer_close(NULL);
    uint64_t a[2] = {0}, b[2] = {0};
    net_random(loopback->loop, a, sizeof a);
    net_random(loopback->loop, b, sizeof b);
    assert_true(memcmp(a, b, sizeof a) != 0);
    assert_true(net_wall_clock_ms(loopback->loop) > 1700000000000);
    loopback_close(loopback);
}

/* A job of a thread pool: its number, and where that is recorded. Job 0 starts and then waits until
 * it may continue. */
typedef struct PoolTask {
    uint32_t number, *done, *order;
    pid_t thread;
    atomic_bool begun, released;
} PoolTask;

static void work(void *context) {
    PoolTask *task = context;
    task->thread = gettid();
    atomic_store(&task->begun, true);
    while (task->number == 0 && !atomic_load(&task->released))
        usleep(100);
}

static void done(void *context) {
    PoolTask *task = context;
    assert_true(task->thread != 0 && task->thread != gettid());
    task->order[(*task->done)++] = task->number;
}

/* How often a wakeup was received, and by which thread. */
typedef struct MessageCollector {
    NetWakeup *wakeup;
    uint32_t received;
    pid_t thread;
} MessageCollector;

static void on_wakeup(void *owner) {
    MessageCollector *ear = owner;
    ear->received++;
    ear->thread = gettid();
}

static void ring(void *owner) {
    MessageCollector *ear = owner;
    for (uint32_t i = 0; i < 100; i++)
        net_wakeup_signal(ear->wakeup);
}

static void ignore(void *owner) { (void)owner; }

static void a_thread_wakes_the_loop(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    NetThreadPool *pool = net_thread_pool_open(loopback->loop, 1, 1);
    MessageCollector ear = {.received = 0};
    ear.wakeup = net_wakeup_open(loopback->loop, on_wakeup, &ear);
    assert_non_null(ear.wakeup);
    loopback_run(loopback, 5);
    assert_int_equal(ear.received, 0);
    assert_true(net_thread_pool_submit(pool, ring, ignore, &ear));
    loopback_until(loopback, &ear.received, 1);
    assert_int_equal(ear.thread, gettid());
    net_thread_pool_close(pool);
    net_wakeup_close(ear.wakeup);
    net_wakeup_close(NULL);
    loopback_run(loopback, 5);
    assert_true(ear.received <= 100);
    loopback_close(loopback);
}

/* How many messages the server had received when a timer was called. */
typedef struct Judge {
    LoopbackServer *loopback;
    uint32_t called, received;
} Judge;

static void judge(void *context) {
    Judge *one = context;
    one->called++;
    one->received = one->loopback->messages;
}

/* [A9] A timer that was due long ago is called after a message that waits on its socket, however
 * late the loop wakes up. */
static void what_waits_is_heard_before_timers(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    int socket = raw_websocket(loopback, "/");
    Judge one = {.loopback = loopback};
    NetTimer *timer = net_timer_open(loopback->loop, judge, &one);
    NetTimer *stopped = net_timer_open(loopback->loop, judge, &one);
    static const char frame[] = "\x81\x82\0\0\0\0hi";
    for (uint32_t i = 1; i <= 3; i++) {
        net_timer_start(timer, 1);
        usleep(LOOPBACK_WORK_MS * 1000); /* the loop is blocked */
        raw_say(socket, frame, sizeof frame - 1);
        loopback_until(loopback, &one.called, i);
        assert_int_equal(one.received, i);
    }
    net_timer_start(timer, 0);
    net_timer_start(stopped, 0);
    net_timer_stop(stopped);
    loopback_until(loopback, &one.called, 4);
    loopback_run(loopback, 5);
    assert_int_equal(one.called, 4);
    net_timer_close(timer);
    net_timer_close(stopped);
    close(socket);
    loopback_close(loopback);
}

/* What players wait for is counted: the work that a message causes, which libuv calls back out of
 * its poll, and the lateness of the timers after it. Sleep is not counted. */
static void turns_are_counted_with_their_work(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    LoopbackClient *client = loopback_client(loopback, "/");
    loopback_until(loopback, &client->opened, 1);
    uint32_t fired = 0;
    NetTimer *timer = net_timer_open(loopback->loop, count_up, &fired);
    NetLoopStats before = net_loop_stats(loopback->loop);
    loopback_send(client, "work");
    loopback_until(loopback, &loopback->messages, 1);
    loopback_run(loopback, 1);
    NetLoopStats after = net_loop_stats(loopback->loop);
    assert_true(after.longest_cpu_us >= LOOPBACK_WORK_MS * 1000);
    assert_true(after.longest_us >= LOOPBACK_WORK_MS * 1000);
    assert_true(after.busy_us - before.busy_us >= LOOPBACK_WORK_MS * 1000);
    assert_true(after.long_count > before.long_count && after.count > before.count);
    before = after;
    net_timer_start(timer, 1);
    usleep(LOOPBACK_WORK_MS * 1000);
    loopback_until(loopback, &fired, 1);
    after = net_loop_stats(loopback->loop);
    assert_true(after.late_count > before.late_count && after.latest_ms > NET_LATE_MS);
    uint64_t began_ms = net_now_ms(loopback->loop);
    before = net_loop_stats(loopback->loop);
    loopback_run(loopback, 200);
    after = net_loop_stats(loopback->loop);
    uint64_t lasted_us = (net_now_ms(loopback->loop) - began_ms + 1) * 1000;
    assert_true(after.busy_us - before.busy_us + 150000 <= lasted_us);
    net_timer_close(timer);
    test_free(client);
    loopback_close(loopback);
}

static void thread_pools_work_beside_the_loop(void **unused) {
    (void)unused;
    enum { TASKS = 20 };
    static PoolTask tasks[TASKS];
    uint32_t finished = 0, order[TASKS];
    LoopbackServer *loopback = loopback_new();
    NetThreadPool *one = net_thread_pool_open(loopback->loop, 1, 4),
                  *many = net_thread_pool_open(loopback->loop, 4, TASKS);
    uint32_t taken = 0;
    for (uint32_t i = 0; i < TASKS; i++) {
        tasks[i] = (PoolTask){.number = i, .done = &finished, .order = order};
        taken += net_thread_pool_submit(one, work, done, &tasks[i]);
        while (!atomic_load(&tasks[0].begun))
            usleep(100); /* running, no longer queued */
    }
    assert_int_equal(taken, 5);
    loopback_run(loopback, 5);
    assert_int_equal(finished, 0);
    atomic_store(&tasks[0].released, true);
    loopback_until(loopback, &finished, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(order[i], i);
    finished = 0;
    atomic_store(&tasks[0].released, false);
    for (uint32_t i = 0; i < TASKS; i++)
        assert_true(net_thread_pool_submit(many, work, done, &tasks[i]));
    loopback_until(loopback, &finished, TASKS - 1);
    atomic_store(&tasks[0].released, true);
    net_loop_run(loopback->loop); /* ends automatically when all jobs are done */
    assert_int_equal(finished, TASKS);
    assert_int_equal(order[TASKS - 1], 0);
    for (uint32_t i = 0; i < TASKS; i++)
        net_thread_pool_submit(many, work, done, &tasks[i]);
    net_thread_pool_close(many);
    net_thread_pool_close(one);
    loopback_run(loopback, 10);
    assert_int_equal(finished, TASKS);
    loopback_close(loopback);
}

static void signals_are_told(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    uint32_t received = 0;
    assert_true(net_on_signal(loopback->loop, SIGUSR1, count_up, &received));
    assert_false(net_on_signal(loopback->loop, SIGKILL, count_up, &received));
    raise(SIGUSR1);
    loopback_until(loopback, &received, 1);
    loopback_close(loopback);
}

/* --- Chaos ------------------------------------------------------------------------------------ */

/* What the chaos clients send: whole messages, parts of them, and garbage. */
typedef struct FloodClient {
    const char *bytes;
    uint32_t count;
} FloodClient;

#define RAVING(text)                                                                               \
    { text, sizeof text - 1 }
static const FloodClient ravings[] = {
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

/* Thousands of steps of clients that send anything, read or not, and disconnect in any way. */
static void nothing_breaks_in_chaos(void **unused) {
    (void)unused;
    enum { CLIENTS = 24, TURNS = 12000, KINDS = sizeof ravings / sizeof *ravings };
    int clients[CLIENTS];
    static char bytes[1 << 16];
    uint64_t state = 88172645463325252u;
    LoopbackServer *loopback = loopback_new();
    loopback->setup.limits.queue_bytes_max = 300000;
    loopback->setup.limits.ping_ms = loopback->setup.limits.pong_ms = 5;
    loopback->setup.limits.close_ms = loopback->setup.limits.request_ms = 8;
    loopback_open(loopback);
    for (int i = 0; i < CLIENTS; i++)
        clients[i] = raw_open(loopback);
    for (int turn = 0; turn < TURNS; turn++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        int *client = &clients[state % CLIENTS], choice = (int)(state >> 20 & 31);
        uint32_t kind = (uint32_t)(state >> 30) % KINDS;
        struct linger at_once = {.l_onoff = 1};
        if (choice == 0)
            setsockopt(*client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        if (choice < 3) {
            close(*client);
            *client = raw_open(loopback);
            send(*client, ravings[0].bytes, ravings[0].count, MSG_NOSIGNAL);
        } else if (choice == 3) {
            shutdown(*client, SHUT_WR);
        } else if (choice < 10) {
            recv(*client, bytes, sizeof bytes, MSG_DONTWAIT);
        } else {
            uint32_t cut = choice == 10 ? (uint32_t)(state >> 40) % ravings[kind].count : 0;
            send(*client, ravings[kind].bytes, ravings[kind].count - cut, MSG_NOSIGNAL);
        }
        if (choice % 4 == 0)
            loopback_run(loopback, 0);
    }
    for (int i = 0; i < CLIENTS; i++)
        close(clients[i]);
    loopback_until_wide(loopback, sockets, 0);
    assert_int_equal(memory(loopback), 0);
    assert_int_equal(loopback->opened, loopback->closed);
    assert_int_equal(loopback->people_count, 0);
    assert_true(loopback->opened > 300 && stats(loopback).cut_slow > 10);
    assert_true(stats(loopback).cut_broken > 50 && loopback->messages > 100);
    loopback_close(loopback);
}

/* --- Others' clients -------------------------------------------------------------------------- */

/* Node has its own WebSocket client; old versions without it are skipped. */
static void nodes_client_gets_along(void **unused) {
    (void)unused;
    LoopbackServer *loopback = loopback_new();
    loopback_open(loopback);
    char url[64];
    MashText text = text_over(url, sizeof url);
    text_format(&text, "ws://127.0.0.1:%u/arena", (unsigned)net_server_port(loopback->server));
    pid_t child = fork();
    if (child == 0) {
        execlp("node", "node", "--no-warnings", "--experimental-websocket",
               "tests/net/net_client.mjs", url, (char *)NULL);
        _exit(77);
    }
    int status = 0;
    for (int i = 0; i < 2000 && waitpid(child, &status, WNOHANG) == 0; i++)
        loopback_run(loopback, 10);
    bool skipped = WIFEXITED(status) && (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 9);
    if (!skipped) {
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_true(loopback->code == 4002 && strcmp(loopback->reason, "f\xC3\xBCr heute") == 0);
        assert_int_equal(stats(loopback).cut_broken, 0);
    }
    loopback_close(loopback);
    if (skipped)
        skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_clients_are_answered),
        cmocka_unit_test(a_frame_goes_to_everybody),
        cmocka_unit_test(lazy_frames_wait_for_company),
        cmocka_unit_test(everything_arrives_in_order),
        cmocka_unit_test(binary_messages_are_told_or_refused),
        cmocka_unit_test(binary_messages_may_be_told),
        cmocka_unit_test(goodbyes_have_codes),
        cmocka_unit_test(goodbyes_have_an_end),
        cmocka_unit_test(a_drain_sends_everybody_home),
        cmocka_unit_test(an_empty_server_drains_at_once),
        cmocka_unit_test(a_port_can_be_taken),
        cmocka_unit_test(one_socket_hears_both_kinds),
        cmocka_unit_test(timers_fire_once),
        cmocka_unit_test(what_waits_is_heard_before_timers),
        cmocka_unit_test(turns_are_counted_with_their_work),
        cmocka_unit_test(thread_pools_work_beside_the_loop),
        cmocka_unit_test(a_thread_wakes_the_loop),
        cmocka_unit_test(signals_are_told),
        cmocka_unit_test(nothing_breaks_in_chaos),
        cmocka_unit_test(nodes_client_gets_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
