/* test_admin.c -- mashup admin with real processes: the admin socket, a backup of the data folder
 * taken while bots play, and a server that continues from it. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <signal.h>
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

#include "tests/system/processes.h"

static ServerProcess server;

static int end_all(void **unused) {
    (void)unused;
    process_end_all();
    return 0;
}

/* Runs `mashup admin` with these arguments; it must print `words` and end with this code. */
static void admin(int code, const char *expected, const char *words) {
    Process *process = process_run("admin", "admin %s --data %s", words, server.folder);
    if (expected[0] != '\0')
        process_expect(process, expected);
    assert_int_equal(process_end(process), code);
}

/* A client at the admin socket that sends nothing; the socket. */
static int silent_client(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int client = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(snprintf(name.sun_path, sizeof name.sun_path, "%s/admin.sock", server.folder) <
                (int)sizeof name.sun_path);
    assert_true(client >= 0);
    assert_int_equal(connect(client, (struct sockaddr *)&name, sizeof name), 0);
    return client;
}

/* Clients that send nothing block nobody, and the last of them are still served. */
static void the_silent_do_not_block_the_socket(void **unused) {
    (void)unused;
    enum { SILENT = 40 };
    int clients[SILENT];
    char answer[256] = "";
    server_start(&server, "");
    for (int i = 0; i < SILENT; i++)
        clients[i] = silent_client();
    admin(0, "matches-max 10000", "limits");
    assert_int_equal(send(clients[SILENT - 1], "bans\n", 5, 0), 5);
    assert_true(recv(clients[SILENT - 1], answer, sizeof answer - 1, 0) >= 3);
    assert_true(strncmp(answer, "ok\n", 3) == 0);
    for (int i = 0; i < SILENT; i++)
        close(clients[i]);
    server_stop(&server);
}

static void socket_is_for_its_owner(void **unused) {
    (void)unused;
    char path[192];
    struct stat found;
    server_start(&server, "");
    snprintf(path, sizeof path, "%s/admin.sock", server.folder);
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0600);
    admin(0, "", "list");
    admin(1, "there is no table with the code k7qf-2m9x-w3ab", "end k7qf-2m9x-w3ab draw");
    admin(2, "did you mean \"drain\"", "drian");
    admin(2, "takes 2 arguments", "end k7qf-2m9x-w3ab");
    admin(0, "banned 192.0.2.0/24, 0 connections closed", "ban 192.0.2.0/24");
    admin(0, "192.0.2.0/24", "bans");
    admin(0, "192.0.2.0/24 is no longer banned", "unban 192.0.2.0/24");
    admin(0, "192.0.2.7 cannot chat until 20", "mute 192.0.2.7 12h too loud");
    admin(0, "192.0.2.7 muted until 20", "bans");
    admin(0, "0 connections were closed", "kick 192.0.2.7 go away");
    admin(0, "matches-max 10000", "limits");
    admin(0, "strikes is 7 until the server restarts", "limits strikes 7");
    admin(2, "takes 1 or more arguments", "ban");
    admin(0, "shutdown in 1 seconds at the latest", "drain --seconds 1");
    process_expect(server.process, "shutting down");
    assert_int_equal(process_end(server.process), 0);
    admin(1, "cannot connect to", "list");
}

/* Sends a signal to the server, which must log this and continue. */
static void signalled(int signal, const char *expected) {
    kill(server.process->pid, signal);
    process_expect(server.process, expected);
    admin(0, "", "list");
}

static void signals_reload_and_report(void **unused) {
    (void)unused;
    char options[256], path[192];
    snprintf(path, sizeof path, "build/settings-%d", (int)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("strikes 3\n", file);
    fclose(file);
    snprintf(options, sizeof options, "--settings %s --log-people", path);
    server_start(&server, options);
    admin(0, "strikes 3  #", "limits");
    file = fopen(path, "w");
    assert_non_null(file);
    fputs("strikes 9\nlog-level loud\n", file);
    fclose(file);
    signalled(SIGHUP, "line 2: log-level must be debug, info, warning or error, not \"loud\"");
    admin(0, "strikes 9  #", "limits");
    signalled(SIGUSR1, "0 tables, 0 connections");
    Process *bots =
        process_run("bots", "bot %s --game zorde --seats 2 --pairs --matches 1", server.place);
    process_expect(server.process, "of 127.0.0.1, ");
    assert_int_equal(process_end(bots), 0);
    server_stop(&server);
    remove(path);
}

static void copy_taken_under_load_goes_on(void **unused) {
    (void)unused;
    char words[512], copy[192], again[192];
    server_start(&server, "");
    snprintf(copy, sizeof copy, "%s.copy", server.folder);
    snprintf(again, sizeof again, "%s.again", server.folder);
    Process *bots = process_run(
        "bots", "bot %s --game zorde --seats 16 --pairs --matches 6 --pace-ms 2", server.place);
    server_await_match(&server);
    admin(0, "running zorde", "list");
    snprintf(words, sizeof words, "backup %s", copy);
    admin(0, "journal segments", words);
    admin(1, "is not empty", words);
    assert_int_equal(process_end(bots), 0);
    Process *process = process_run("admin", "admin restore %s --data %s", copy, again);
    process_expect(process, "matches can be resumed, 0 are damaged");
    assert_int_equal(process_end(process), 0);
    process = process_run("serve", "serve --port 0 --address 127.0.0.1 --data %s", again);
    process_expect(process, "ready at");
    kill(process->pid, SIGTERM);
    assert_int_equal(process_end(process), 0);
    process = process_run("admin", "admin restore %s --data %s", "build/nowhere", again);
    process_expect(process, "is not a backup folder");
    assert_int_equal(process_end(process), 1);
    server_stop(&server);
    snprintf(words, sizeof words, "rm -rf '%s' '%s'", copy, again);
    assert_int_equal(system(words), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(socket_is_for_its_owner, end_all),
        cmocka_unit_test_teardown(the_silent_do_not_block_the_socket, end_all),
        cmocka_unit_test_teardown(signals_reload_and_report, end_all),
        cmocka_unit_test_teardown(copy_taken_under_load_goes_on, end_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
