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
typedef struct Scene {
    NetLoop *loop;
    NetTimer *timer;
    NetThreadPool *pool;
    NetWakeup *wakeup;
    NetServer *server;
    NetAdminSocket *door;
    NetConnection *client;
    NetReply *later;
    char path[64];
    int page, admin; /* raw sockets; -1 = none */
    uint32_t opened, closed, welcomes, echoes, echoed_bytes, answers, jobs, calls, signals;
    bool client_done, page_done, admin_done;
    uint16_t code; /* of the client's end */
} Scene;
static Scene scene;
static char bytes[LONG_BYTES];

/* --- The server ------------------------------------------------------------------------------- */

static uint16_t on_open(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)owner, (void)request;
    scene.opened++;
    for (int i = 0; i < WELCOMES; i++)
        net_send_text(connection, "welcome", 7);
    return NET_ACCEPT;
}

static void on_message(void *owner, NetConnection *connection, const char *text, uint32_t count) {
    (void)owner;
    NetFrame *frame = net_frame_new(scene.loop, text, count);
    net_send_batched(connection, frame);
    net_frame_release(frame);
}

static void on_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    (void)owner, (void)connection, (void)code, (void)reason;
    scene.closed++;
}

static void on_request(void *owner, const NetRequest *request, NetReply *reply) {
    (void)owner;
    scene.answers++;
    if (strcmp(request->path, "/later") == 0)
        scene.later = net_reply_later(reply);
    if (scene.later == NULL)
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
    scene.welcomes += count == 7 && memcmp(text, "welcome", 7) == 0;
    scene.echoes += count == LONG_BYTES && memcmp(text, bytes, count) == 0;
    if (scene.echoes == LONG_MESSAGES)
        net_close(connection, NET_CLOSE_NORMAL, "enough");
}

static void client_closes(void *owner, NetConnection *connection, uint16_t code,
                          const char *reason) {
    (void)owner, (void)connection, (void)reason;
    assert_false(scene.client_done);
    scene.client_done = true;
    scene.code = code;
}

/* --- The scene -------------------------------------------------------------------------------- */

static void stop(void *owner) { net_loop_stop(((Scene *)owner)->loop); }
static void count_job(void *owner) { ((Scene *)owner)->jobs++; }
static void count_call(void *owner) { ((Scene *)owner)->calls++; }
static void count_signal(void *owner) { ((Scene *)owner)->signals++; }
static void work(void *owner) { net_wakeup_signal(((Scene *)owner)->wakeup); }

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
    if ((scene.loop = net_loop_open()) == NULL ||
        (scene.timer = net_timer_open(scene.loop, stop, &scene)) == NULL)
        return false;
    scene.pool = net_thread_pool_open(scene.loop, 1, 1);
    scene.wakeup = net_wakeup_open(scene.loop, count_call, &scene);
    bool signals = net_on_signal(scene.loop, SIGUSR2, count_signal, &scene);
    scene.server = net_server_open(scene.loop, &setup, &text);
    assert_int_equal(scene.server == NULL, strstr(problem, "out of memory") != NULL);
    text_clear(&text);
    scene.door = net_admin_socket_open(scene.loop, scene.path, on_line, NULL, &text);
    assert_int_equal(scene.door == NULL, strstr(problem, "out of memory") != NULL);
    if (scene.server == NULL || scene.door == NULL || scene.pool == NULL || scene.wakeup == NULL ||
        !signals)
        return false;
    static const NetCallbacks calls = {
        .on_open = client_opens, .on_message = client_hears, .on_close = client_closes};
    char url[64];
    MashText address = text_over(url, sizeof url);
    text_format(&address, "ws://127.0.0.1:%u/", (unsigned)net_server_port(scene.server));
    text_clear(&text);
    scene.client = net_connect(scene.loop, url, &calls, NULL, NULL, &text);
    assert_int_equal(scene.client == NULL, strstr(problem, "out of memory") != NULL);
    raise(SIGUSR2);
    return scene.client != NULL && net_thread_pool_submit(scene.pool, work, count_job, &scene);
}

static void close_scene(void) {
    if (scene.later != NULL)
        net_reply(scene.later, 503, NULL, "", 0);
    if (scene.page >= 0)
        close(scene.page);
    if (scene.admin >= 0)
        close(scene.admin);
    net_admin_socket_close(scene.door);
    if (scene.server != NULL)
        net_server_close(scene.server);
    if (scene.pool != NULL)
        net_thread_pool_close(scene.pool);
    net_wakeup_close(scene.wakeup);
    net_timer_close(scene.timer);
    if (scene.loop != NULL)
        net_loop_close(scene.loop);
}

static void step(uint32_t ms) {
    net_timer_start(scene.timer, ms);
    net_loop_run(scene.loop);
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
                                .sin_port = htons(net_server_port(scene.server))};
    struct sockaddr_un door = {.sun_family = AF_UNIX};
    static const char *const pieces[] = {"GET /now HTTP/1.1\r\nHo",
                                         "st: a\r\n\r\nGET /later HTTP/1.1\r",
                                         "\nHost: a\r\nConnection: close\r\n\r\n"};
    memcpy(door.sun_path, scene.path, strlen(scene.path));
    scene.page = come(&there, sizeof there, AF_INET);
    scene.admin = come(&door, sizeof door, AF_UNIX);
    assert_int_equal(send(scene.admin, "line\n", 5, MSG_NOSIGNAL), 5);
    uint64_t end_ms = net_now_ms(scene.loop) + PATIENCE_MS;
    for (uint32_t i = 0; net_now_ms(scene.loop) < end_ms; i++) {
        if (i % 8 == 0 && i / 8 < 3)
            send(scene.page, pieces[i / 8], strlen(pieces[i / 8]), MSG_NOSIGNAL);
        step(i > 30);
        if (scene.later != NULL) {
            net_reply(scene.later, 200, NULL, "late", 4);
            scene.later = NULL;
        }
        scene.page_done = scene.page_done || (i > 30 && has_heard(scene.page, "late"));
        scene.admin_done = scene.admin_done || has_heard(scene.admin, "line");
        if (scene.client_done && scene.opened == scene.closed && scene.page_done &&
            scene.jobs > 0 && scene.calls > 0 && i > 30 && (scene.admin_done || i > 50))
            return;
    }
    fail_msg("client %d, page %d, jobs %u", scene.client_done, scene.page_done, scene.jobs);
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
    scene = (Scene){.page = -1, .admin = -1};
    MashText path = text_over(scene.path, sizeof scene.path);
    text_format(&path, "/tmp/mashup-memory-%u", (unsigned)getpid());
    no_memory.count = 0;
    no_memory.last = all ? UINT64_MAX : number;
    no_memory.first = number;
    if (open_scene())
        play();
    bool failed = no_memory.count >= number;
    close_scene();
    no_memory.first = 0;
    assert_int_equal(scene.opened, scene.closed);
    return failed;
}

static void what_there_is_no_memory_for_is_refused(void **unused) {
    (void)unused;
    memset(bytes, 'x', sizeof bytes);
    assert_false(run_with(UINT64_MAX, false));
    assert_true(scene.welcomes == WELCOMES && scene.echoes == LONG_MESSAGES);
    assert_true(scene.code == NET_CLOSE_NORMAL && scene.answers == 2 && scene.admin_done);
    assert_true(scene.jobs == 1 && scene.signals == 1);
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
