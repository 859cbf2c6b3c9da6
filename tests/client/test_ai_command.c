/* test_ai_command.c -- mashup ai as real processes at a real server: two of them find each other at
 * the arena and play, in every game, and by the network standard; they reconnect when their server
 * was killed. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "include/mashup.h"
#include "tests/system/processes.h"

enum { MATCH_MS = 120000 };

static int end_processes(void **unused) {
    (void)unused;
    process_end_all();
    return 0;
}

/* Waits for the line with the result of the match, and for exit code 0. */
static void expect_end(Process *process, char *result) {
    const char *rest = process_expect_line(process, "refused", MATCH_MS);
    assert_non_null(rest);
    assert_non_null(strstr(process->text, ", 0 refused"));
    size_t word = strcspn(process->text, ",");
    snprintf(result, 16, "%.*s", (int)(word < 15 ? word : 15), process->text);
    assert_int_equal(process_end(process), 0);
}

/* Two play each other: one wins and one loses, or neither. A spectator, if there is one, says who
 * has won; it is read meanwhile, since a full pipe would stop it. */
static void play(const ServerProcess *server, const char *flags, Process *watcher) {
    char results[2][16];
    Process *one = process_run("one", "ai %s --name one %s", server->place, flags);
    Process *two = process_run("two", "ai %s --name two %s", server->place, flags);
    if (watcher != NULL)
        assert_non_null(process_expect_line(watcher, "has won", MATCH_MS));
    expect_end(one, results[0]);
    expect_end(two, results[1]);
    bool drawn = strcmp(results[0], "drawn") == 0;
    assert_string_equal(results[1], drawn                            ? "drawn"
                                    : strcmp(results[0], "won") == 0 ? "lost"
                                                                     : "won");
}

static void test_every_game_at_the_arena(void **unused) {
    (void)unused;
    ServerProcess server = {.process = NULL};
    server_start(&server, "");
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        char flags[128];
        snprintf(flags, sizeof flags, "--protocol arena --level 3 --game %s", (*game)->id);
        play(&server, flags, NULL);
    }
    server_stop(&server);
}

/* The same server by the standard, and a spectator at the terminal. */
static void test_standard(void **unused) {
    (void)unused;
    ServerProcess server = {.process = NULL};
    server_start(&server, "");
    Process *watcher =
        process_run("watcher", "join %s --protocol standard --role SPECTATOR", server.place);
    process_expect(watcher, "Waiting");
    play(&server, "--level 3 --pace 0", watcher);
    assert_int_equal(process_end(watcher), 0);
    server_stop(&server);
}

static void test_server_killed(void **unused) {
    (void)unused;
    ServerProcess server = {.process = NULL};
    char result[16];
    server_start(&server, "");
    const char *flags = "--protocol arena --level 5 --game generals";
    Process *one = process_run("one", "ai %s --name one %s", server.place, flags);
    Process *two = process_run("two", "ai %s --name two %s", server.place, flags);
    server_await_match(&server);
    process_sleep(700); /* they play */
    server_crash(&server, "");
    expect_end(one, result);
    expect_end(two, result);
    server_stop(&server);
}

/* One signal after the other, also while it is leaving: it ends without touching what it has
 * closed, which the build with sanitizers would report. */
static void test_signal_after_signal(void **unused) {
    (void)unused;
    static const char *const flags[] = {"", "--protocol arena --game zorde"};
    ServerProcess server = {.process = NULL};
    server_start(&server, "");
    for (int i = 0; i < 2; i++) {
        Process *one = process_run("one", "ai %s --name one %s", server.place, flags[i]);
        process_sleep(process_is_slow() ? 1500 : 500);
        for (int j = 0; j < 30; j++) {
            kill(one->pid, j % 2 == 0 ? SIGTERM : SIGINT);
            process_sleep(5);
        }
        assert_null(process_expect_line(one, "Sanitizer", 1000));
        assert_true(process_end(one) != 0);
    }
    server_stop(&server);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_every_game_at_the_arena, end_processes),
        cmocka_unit_test_teardown(test_standard, end_processes),
        cmocka_unit_test_teardown(test_server_killed, end_processes),
        cmocka_unit_test_teardown(test_signal_after_signal, end_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
