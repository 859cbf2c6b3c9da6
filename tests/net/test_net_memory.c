/* test_net_memory.c -- a server, its clients and its threads when memory runs out, at every
 * allocation of our own: what cannot be done is refused or closed, and nothing is left behind. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "net/net.h"
#include "tests/support/no_memory.h"

enum { LONG_BYTES = 200000, LONG_MESSAGES = 6, WELCOMES = 12, PATIENCE_MS = 10000 };

/* Everything that a loop can have, and what happened. */
typedef struct MemoryFixture {
    NetLoop *loop;
    NetTimer *timer;
    NetThreadPool *pool;
    NetWakeup *wakeup;
    NetServer *server;
    NetAdminSocket *admin_socket;
    NetConnection *client;
    NetReply *later;
    char path[64];
    int page, admin; /* raw sockets; -1 = none */
    uint32_t opened, closed, welcomes, echoes, echoed_bytes, answers, jobs, calls, signals;
    bool client_done, page_done, admin_done;
    uint16_t code; /* of the client's end */
} MemoryFixture;
static MemoryFixture fixture;
static char bytes[LONG_BYTES];

/* --- The server ------------------------------------------------------------------------------- */

static uint16_t on_open(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)owner, (void)request;
    fixture.opened++;
    for (int i = 0; i < WELCOMES; i++)
        net_send_text(connection, "welcome", 7);
    return NET_ACCEPT;
}

static void on_message(void *owner, NetConnection *connection, const char *text, uint32_t count) {
    (void)owner;
    NetFrame *frame = net_frame_new(fixture.loop, text, count);
    net_send_batched(connection, frame);
    net_frame_release(frame);
}

static void on_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    (void)owner, (void)connection, (void)code, (void)reason;
    fixture.closed++;
}

static void on_request(void *owner, const NetRequest *request, NetReply *reply) {
    (void)owner;
    fixture.answers++;
    if (strcmp(request->path, "/later") == 0)
        fixture.later = net_reply_later(reply);
    if (fixture.later == NULL)
        net_reply(reply, 200, NULL, "now", 3);
}

static void on_line(void *owner, const char *line, NetAdminReply *answer) {
    (void)owner;
    net_admin_reply(answer, line, (uint32_t)strlen(line));
}

/* --- The client ------------------------------------------------------------------------------- */

static uint16_t client_opens(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)owner, (void)request;
    for (int i = 0; i < LONG_MESSAGES; i++)
        net_send_text(connection, bytes, LONG_BYTES);
    return NET_ACCEPT;
}

static void client_hears(void *owner, NetConnection *connection, const char *text, uint32_t count) {
    (void)owner;
    fixture.welcomes += count == 7 && memcmp(text, "welcome", 7) == 0;
    fixture.echoes += count == LONG_BYTES && memcmp(text, bytes, count) == 0;
    if (fixture.echoes == LONG_MESSAGES)
        net_close(connection, NET_CLOSE_NORMAL, "enough");
}

static void client_closes(void *owner, NetConnection *connection, uint16_t code,
                          const char *reason) {
    (void)owner, (void)connection, (void)reason;
    assert_false(fixture.client_done);
    fixture.client_done = true;
    fixture.code = code;
}

/* --- The fixture ------------------------------------------------------------------------------ */

static void stop(void *owner) { net_loop_stop(((MemoryFixture *)owner)->loop); }
static void count_job(void *owner) { ((MemoryFixture *)owner)->jobs++; }
static void count_call(void *owner) { ((MemoryFixture *)owner)->calls++; }
static void count_signal(void *owner) { ((MemoryFixture *)owner)->signals++; }
static void work(void *owner) { net_wakeup_signal(((MemoryFixture *)owner)->wakeup); }

/* Opens everything; false = something could not be, and says so. */
static bool open_scene(void) {
    char problem[256] = "";
    MashText text = text_over(problem, sizeof problem);
    NetServerSetup setup = {.address = "127.0.0.1",
                            .calls = {.on_open = on_open,
                                      .on_message = on_message,
                                      .on_close = on_close,
                                      .on_request = on_request},
                            .limits = net_limits()};
    setup.limits.socket_bytes = setup.limits.socket_frames = (NetRate){0, 0};
    setup.limits.message_bytes_max = LONG_BYTES;
    if ((fixture.loop = net_loop_open()) == NULL ||
        (fixture.timer = net_timer_open(fixture.loop, stop, &fixture)) == NULL)
        return false;
    fixture.pool = net_thread_pool_open(fixture.loop, 1, 1);
    fixture.wakeup = net_wakeup_open(fixture.loop, count_call, &fixture);
    bool signals = net_on_signal(fixture.loop, SIGUSR2, count_signal, &fixture);
    fixture.server = net_server_open(fixture.loop, &setup, &text);
    assert_int_equal(fixture.server == NULL, strstr(problem, "out of memory") != NULL);
    text_clear(&text);
    fixture.admin_socket = net_admin_socket_open(fixture.loop, fixture.path, on_line, NULL, &text);
    assert_int_equal(fixture.admin_socket == NULL, strstr(problem, "out of memory") != NULL);
    if (fixture.server == NULL || fixture.admin_socket == NULL || fixture.pool == NULL ||
        fixture.wakeup == NULL || !signals)
        return false;
    static const NetCallbacks calls = {
        .on_open = client_opens, .on_message = client_hears, .on_close = client_closes};
    char url[64];
    MashText address = text_over(url, sizeof url);
    text_format(&address, "ws://127.0.0.1:%u/", (unsigned)net_server_port(fixture.server));
    text_clear(&text);
    fixture.client = net_connect(fixture.loop, url, &calls, NULL, NULL, &text);
    assert_int_equal(fixture.client == NULL, strstr(problem, "out of memory") != NULL);
    raise(SIGUSR2);
    return fixture.client != NULL &&
           net_thread_pool_submit(fixture.pool, work, count_job, &fixture);
}

static void close_scene(void) {
    if (fixture.later != NULL)
        net_reply(fixture.later, 503, NULL, "", 0);
    if (fixture.page >= 0)
        close(fixture.page);
    if (fixture.admin >= 0)
        close(fixture.admin);
    net_admin_socket_close(fixture.admin_socket);
    if (fixture.server != NULL)
        net_server_close(fixture.server);
    if (fixture.pool != NULL)
        net_thread_pool_close(fixture.pool);
    net_wakeup_close(fixture.wakeup);
    net_timer_close(fixture.timer);
    if (fixture.loop != NULL)
        net_loop_close(fixture.loop);
}

static void step(uint32_t ms) {
    net_timer_start(fixture.timer, ms);
    net_loop_run(fixture.loop);
}

/* A raw socket, connected. */
static int come(const void *name, socklen_t size, int family) {
    int raw = socket(family, SOCK_STREAM | SOCK_NONBLOCK, 0);
    assert_true(raw >= 0);
    assert_true(connect(raw, name, size) == 0 || errno == EINPROGRESS);
    return raw;
}

/* Reads what has arrived; true = it ends in these words, or the other end has closed. */
static bool has_heard(int raw, const char *words) {
    char heard[2048];
    ssize_t got = recv(raw, heard, sizeof heard, 0);
    size_t length = strlen(words);
    if (got <= 0)
        return got == 0 || errno != EAGAIN;
    return (size_t)got >= length && memcmp(heard + got - length, words, length) == 0;
}

/* A page is requested in three pieces, the second request is answered later; then a line of an
 * operator. All clients are served, or closed. */
static void play(void) {
    struct sockaddr_in there = {.sin_family = AF_INET,
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                .sin_port = htons(net_server_port(fixture.server))};
    struct sockaddr_un admin_socket = {.sun_family = AF_UNIX};
    static const char *const pieces[] = {"GET /now HTTP/1.1\r\nHo",
                                         "st: a\r\n\r\nGET /later HTTP/1.1\r",
                                         "\nHost: a\r\nConnection: close\r\n\r\n"};
    memcpy(admin_socket.sun_path, fixture.path, strlen(fixture.path));
    fixture.page = come(&there, sizeof there, AF_INET);
    fixture.admin = come(&admin_socket, sizeof admin_socket, AF_UNIX);
    assert_int_equal(send(fixture.admin, "line\n", 5, MSG_NOSIGNAL), 5);
    uint64_t end_ms = net_now_ms(fixture.loop) + PATIENCE_MS;
    for (uint32_t i = 0; net_now_ms(fixture.loop) < end_ms; i++) {
        if (i % 8 == 0 && i / 8 < 3)
            send(fixture.page, pieces[i / 8], strlen(pieces[i / 8]), MSG_NOSIGNAL);
        step(i > 30);
        if (fixture.later != NULL) {
            net_reply(fixture.later, 200, NULL, "late", 4);
            fixture.later = NULL;
        }
        fixture.page_done = fixture.page_done || (i > 30 && has_heard(fixture.page, "late"));
        fixture.admin_done = fixture.admin_done || has_heard(fixture.admin, "line");
        if (fixture.client_done && fixture.opened == fixture.closed && fixture.page_done &&
            fixture.jobs > 0 && fixture.calls > 0 && i > 30 && (fixture.admin_done || i > 50))
            return;
    }
    fail_msg("client %d, page %d, jobs %u", fixture.client_done, fixture.page_done, fixture.jobs);
}

static int open_files(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

/* One run in which the allocation of this number fails, or it and all that follow. True = it has
 * come to that. */
static bool run_with(uint64_t number, bool all) {
    fixture = (MemoryFixture){.page = -1, .admin = -1};
    MashText path = text_over(fixture.path, sizeof fixture.path);
    text_format(&path, "/tmp/mashup-memory-%u", (unsigned)getpid());
    no_memory.count = 0;
    no_memory.last = all ? UINT64_MAX : number;
    no_memory.first = number;
    if (open_scene())
        play();
    bool failed = no_memory.count >= number;
    close_scene();
    no_memory.first = 0;
    assert_int_equal(fixture.opened, fixture.closed);
    return failed;
}

static void what_there_is_no_memory_for_is_refused(void **unused) {
    (void)unused;
    memset(bytes, 'x', sizeof bytes);
    assert_false(run_with(UINT64_MAX, false));
    assert_true(fixture.welcomes == WELCOMES && fixture.echoes == LONG_MESSAGES);
    assert_true(fixture.code == NET_CLOSE_NORMAL && fixture.answers == 2 && fixture.admin_done);
    assert_true(fixture.jobs == 1 && fixture.signals == 1);
    int files = open_files();
    uint64_t number = 1;
    while (run_with(number, number % 4 == 0) && number < 1000) {
        assert_int_equal(open_files(), files);
        number++;
    }
    assert_true(number > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_there_is_no_memory_for_is_refused)};
    return cmocka_run_group_tests_name("net_memory", tests, NULL, NULL);
}
