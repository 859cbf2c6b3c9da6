/* test_net_admin.c -- the admin socket with clients of the test's own, in one loop and one thread:
 * lines in pieces, lines that are too long, too many clients, answers that nobody reads, and
 * closing at any time. Leaks are found by net_loop_close() and by the sanitizers. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "net/net.h"

enum { CLIENTS_MAX = 16, LINE_BYTES = 1024, LONG_BYTES = 4 << 20 };

/* An admin socket in a folder of its own, and the requests it received.
 *   say X         is answered with X
 *   long          with LONG_BYTES bytes, more than a socket takes at a time
 *   close         closes the socket inside the call and answers
 *   close nothing closes it without an answer
 *   anything else gets no answer. */
typedef struct AdminFixture {
    NetLoop *loop;
    NetTimer *timer;
    NetAdminSocket *admin;
    char folder[32], path[sizeof((struct sockaddr_un *)0)->sun_path + 1];
    char line[LINE_BYTES + 1]; /* the last one */
    uint32_t lines;
} AdminFixture;

static void on_line(void *owner, const char *line, NetAdminReply *answer) {
    static char zeros[LONG_BYTES];
    AdminFixture *fixture = owner;
    fixture->lines++;
    snprintf(fixture->line, sizeof fixture->line, "%s", line);
    if (strncmp(line, "say ", 4) == 0)
        net_admin_reply(answer, line + 4, (uint32_t)strlen(line + 4));
    if (strcmp(line, "long") == 0)
        net_admin_reply(answer, zeros, LONG_BYTES);
    if (strncmp(line, "close", 5) == 0) {
        net_admin_socket_close(fixture->admin);
        fixture->admin = NULL;
        if (line[5] == '\0')
            net_admin_reply(answer, "closed", 6);
    }
}

static void stop(void *owner) { net_loop_stop(owner); }

/* Lets the loop do all pending work. */
static void turn(AdminFixture *fixture) {
    net_timer_start(fixture->timer, 0);
    net_loop_run(fixture->loop);
}

static void open_door(AdminFixture *fixture) {
    char problem[256] = "";
    MashText text = text_over(problem, sizeof problem);
    fixture->admin = net_admin_socket_open(fixture->loop, fixture->path, on_line, fixture, &text);
    assert_string_equal(problem, "");
    assert_non_null(fixture->admin);
}

static void begin(AdminFixture *fixture) {
    *fixture = (AdminFixture){.folder = "/tmp/mashup-admin-XXXXXX"};
    assert_non_null(mkdtemp(fixture->folder));
    snprintf(fixture->path, sizeof fixture->path, "%s/s", fixture->folder);
    fixture->loop = net_loop_open();
    fixture->timer = net_timer_open(fixture->loop, stop, fixture->loop);
    open_door(fixture);
}

static void end(AdminFixture *fixture) {
    net_admin_socket_close(fixture->admin);
    net_timer_close(fixture->timer);
    net_loop_close(fixture->loop);
    assert_int_equal(access(fixture->path, F_OK), -1);
    assert_int_equal(rmdir(fixture->folder), 0);
}

/* A client that is connected; the socket. */
static int come(const AdminFixture *fixture) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    memcpy(name.sun_path, fixture->path, strlen(fixture->path));
    assert_true(client >= 0);
    assert_int_equal(connect(client, (struct sockaddr *)&name, sizeof name), 0);
    return client;
}

static void say(int client, const char *bytes, size_t count) {
    assert_int_equal(send(client, bytes, count, MSG_NOSIGNAL), count);
}

/* Is it still connected? Unread answers do not matter. */
static bool is_open(int client) {
    char byte;
    ssize_t got = recv(client, &byte, 1, MSG_PEEK);
    return got > 0 || (got < 0 && errno == EAGAIN);
}

/* Reads until the other end closes, then closes; how many bytes. The first ones in `out`. */
static size_t receive(AdminFixture *fixture, int client, char *out, size_t max) {
    static char piece[1 << 16];
    size_t all = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        ssize_t got = recv(client, piece, sizeof piece, 0);
        if (got == 0 || (got < 0 && errno == ECONNRESET)) {
            close(client);
            return all;
        }
        for (ssize_t at = 0; at < got && all + (size_t)at < max; at++)
            out[all + (size_t)at] = piece[at];
        all += got > 0 ? (size_t)got : 0;
        turn(fixture);
    }
    fail_msg("the socket is not closed");
    return all;
}

/* The client receives exactly this, and is disconnected. */
static void expect(AdminFixture *fixture, int client, const char *answer) {
    char got[LINE_BYTES] = "";
    assert_int_equal(receive(fixture, client, got, sizeof got), strlen(answer));
    assert_memory_equal(got, answer, strlen(answer));
}

/* Wherever a line is split, it is the same line; what follows it is not read. */
static void lines_come_in_pieces(void **unused) {
    (void)unused;
    static const char whole[] = "say what is said\nsay more\n";
    AdminFixture fixture;
    begin(&fixture);
    for (size_t cut = 0; cut < sizeof whole - 1; cut++)
        for (size_t next = cut; next < sizeof whole - 1; next += 5) {
            size_t answered = fixture.lines, line = strlen("say what is said\n");
            int client = come(&fixture);
            say(client, whole, cut);
            turn(&fixture);
            turn(&fixture);
            assert_int_equal(fixture.lines, answered + (cut >= line));
            if (cut < line) {
                say(client, whole + cut, next - cut);
                turn(&fixture);
                turn(&fixture);
            }
            if (cut < line && next < line)
                say(client, whole + next, sizeof whole - 1 - next);
            expect(&fixture, client, "what is said");
            assert_int_equal(fixture.lines, answered + 1);
            assert_string_equal(fixture.line, "say what is said");
        }
    end(&fixture);
}

/* The longest line is answered, a longer one is not; neither is an unknown request or a line
 * without an end. */
static void lines_that_get_no_answer(void **unused) {
    (void)unused;
    AdminFixture fixture;
    char line[LINE_BYTES + 1];
    begin(&fixture);
    memset(line, 'x', sizeof line);
    memcpy(line, "say ", 4);
    line[LINE_BYTES - 1] = '\n';
    int client = come(&fixture);
    say(client, line, LINE_BYTES);
    assert_int_equal(receive(&fixture, client, line, 0), LINE_BYTES - 5);
    assert_int_equal(strlen(fixture.line), LINE_BYTES - 1);

    for (size_t first = 1; first <= LINE_BYTES; first += 341) {
        line[LINE_BYTES - 1] = 'x';
        line[LINE_BYTES] = '\n';
        client = come(&fixture);
        say(client, line, first);
        turn(&fixture);
        turn(&fixture);
        if (first < LINE_BYTES)
            say(client, line + first, LINE_BYTES + 1 - first);
        expect(&fixture, client, "");
        assert_int_equal(fixture.lines, 1);
    }

    client = come(&fixture);
    say(client, "\n", 1);
    expect(&fixture, client, "");
    assert_int_equal(fixture.lines, 2);
    assert_string_equal(fixture.line, "");

    client = come(&fixture);
    say(client, "say half", 8);
    assert_int_equal(shutdown(client, SHUT_WR), 0);
    expect(&fixture, client, "");
    assert_int_equal(fixture.lines, 2);
    end(&fixture);
}

/* Of too many clients the oldest one that has sent no request is dropped; one that waits for its
 * answer stays, and if all wait, the new one is dropped. Disconnected clients do not count. */
static void a_crowd(void **unused) {
    (void)unused;
    enum { MORE = 5 };
    AdminFixture fixture;
    int clients[CLIENTS_MAX + MORE];
    begin(&fixture);
    for (uint32_t i = 0; i < CLIENTS_MAX; i++) {
        int passing = come(&fixture);
        turn(&fixture);
        close(passing);
        turn(&fixture);
        turn(&fixture);
        passing = come(&fixture);
        say(passing, "say a\n", 6);
        expect(&fixture, passing, "a");
    }
    for (uint32_t i = 0; i < CLIENTS_MAX + MORE; i++) {
        clients[i] = come(&fixture);
        turn(&fixture);
        turn(&fixture);
        if (i == 1) { /* the second waits for its answer from now on */
            say(clients[i], "long\n", 5);
            turn(&fixture);
            turn(&fixture);
        }
        for (uint32_t j = 0; j <= i; j++)
            assert_int_equal(is_open(clients[j]),
                             j == 1 || i < CLIENTS_MAX || j > i - CLIENTS_MAX + 1);
    }
    close(clients[0]);
    for (uint32_t i = 2; i <= MORE; i++)
        close(clients[i]);
    for (uint32_t i = MORE + 1; i < CLIENTS_MAX + MORE; i++) {
        say(clients[i], "long\n", 5);
        turn(&fixture);
        turn(&fixture);
    }
    expect(&fixture, come(&fixture), "");
    assert_int_equal(receive(&fixture, clients[1], NULL, 0), LONG_BYTES);
    int late = come(&fixture);
    say(late, "say late\n", 9);
    expect(&fixture, late, "late");
    for (uint32_t i = MORE + 1; i < CLIENTS_MAX + MORE; i++)
        assert_int_equal(receive(&fixture, clients[i], NULL, 0), LONG_BYTES);
    end(&fixture);
}

/* Closing disconnects everybody: silent clients, those in the middle of a line, those that read
 * nothing, those that were not accepted yet. Also from inside a callback, with an answer and
 * without. */
static void closing_with_clients_in_it(void **unused) {
    (void)unused;
    static const char *last[] = {NULL, "close\n", "close nothing\n"};
    for (uint32_t i = 0; i < 3 * 2; i++) {
        AdminFixture fixture;
        begin(&fixture);
        bool alone = i >= 3;
        int silent = alone ? -1 : come(&fixture), half = alone ? -1 : come(&fixture);
        int deaf = alone ? -1 : come(&fixture), closer = come(&fixture);
        if (!alone) {
            say(half, "say", 3);
            say(deaf, "long\n", 5);
        }
        turn(&fixture);
        turn(&fixture);
        if (last[i % 3] != NULL)
            say(closer, last[i % 3], strlen(last[i % 3]));
        for (uint32_t j = 0; j < 4; j++)
            turn(&fixture);
        int late = last[i % 3] == NULL ? come(&fixture) : -1;
        net_admin_socket_close(fixture.admin);
        fixture.admin = NULL;
        assert_int_equal(access(fixture.path, F_OK), -1);
        for (uint32_t j = 0; j < 4; j++)
            turn(&fixture);
        int all[] = {silent, half, deaf, closer, late};
        for (uint32_t j = 0; j < sizeof all / sizeof *all; j++)
            if (all[j] >= 0) {
                size_t received = receive(&fixture, all[j], NULL, 0);
                assert_true(all[j] == deaf ? received > 0 && received < LONG_BYTES : received == 0);
            }
        end(&fixture);
    }
}

/* A stale socket of another run is replaced, and only its owner may use it. It does not keep the
 * loop running, and can be closed with a loop that never ran. */
static void the_file_of_the_socket(void **unused) {
    (void)unused;
    AdminFixture fixture;
    struct stat found;
    begin(&fixture);
    net_admin_socket_close(fixture.admin);
    assert_int_equal(access(fixture.path, F_OK), -1);
    FILE *file = fopen(fixture.path, "w");
    assert_non_null(file);
    fclose(file);
    open_door(&fixture);
    assert_int_equal(stat(fixture.path, &found), 0);
    assert_true(S_ISSOCK(found.st_mode));
    assert_int_equal(found.st_mode & 0777, 0600);
    net_loop_run(fixture.loop);
    net_admin_socket_close(NULL);
    end(&fixture);
}

/* Where no socket can be created, the problem holds the reason, and nothing is left behind. */
static void paths_that_cannot_be(void **unused) {
    (void)unused;
    AdminFixture fixture;
    char problem[512] = "";
    MashText text = text_over(problem, sizeof problem);
    begin(&fixture);
    net_admin_socket_close(fixture.admin);
    size_t before = strlen(fixture.folder) + 1, most = sizeof fixture.path - 2;
    memset(fixture.path + before, 'x', sizeof fixture.path - 1 - before);
    fixture.path[most + 1] = '\0';
    assert_null(net_admin_socket_open(fixture.loop, fixture.path, on_line, &fixture, &text));
    assert_non_null(strstr(problem, "cannot listen at /tmp/mashup-admin-"));
    assert_non_null(strstr(problem, ": the path is too long for a socket"));
    fixture.path[most] = '\0';
    open_door(&fixture);
    int client = come(&fixture);
    say(client, "say b\n", 6);
    expect(&fixture, client, "b");
    text_clear(&text);
    assert_null(net_admin_socket_open(fixture.loop, "/nowhere/s", on_line, &fixture, &text));
    assert_non_null(strstr(problem, "cannot listen at /nowhere/s: "));
    end(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_in_pieces),
        cmocka_unit_test(lines_that_get_no_answer),
        cmocka_unit_test(a_crowd),
        cmocka_unit_test(closing_with_clients_in_it),
        cmocka_unit_test(the_file_of_the_socket),
        cmocka_unit_test(paths_that_cannot_be),
    };
    return cmocka_run_group_tests_name("net_admin", tests, NULL, NULL);
}
