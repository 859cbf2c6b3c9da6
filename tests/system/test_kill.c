/* test_kill.c -- the server is killed (SIGKILL) at random times under many running matches and
 * restarted on the same folder; everything it had sent to anybody is still true afterwards.
 *
 * Bots record what they are told, and it is compared with the archive when all matches are over:
 * see told.h.
 *
 *   test_kill                   short: 20 concurrent matches, 3 kills
 *   test_kill MATCHES KILLS     any length: test_kill 200 10 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/store.h"
#include "tests/support/support.h"
#include "tests/system/processes.h"
#include "tests/system/told.h"

enum { GRACE_MS = 4000 };

static uint32_t matches_at_once = 20, kills = 3;
static ServerProcess server;

/* --- The run ---------------------------------------------------------------------------------- */

/* Nobody may know of a match that began at the time of a kill; it ends when its grace is over. */
static void await_quiet(void) {
    uint64_t until = process_now_ms() + 4 * GRACE_MS;
    while (server_matches(&server) > 0 && process_now_ms() < until)
        process_sleep(100);
    assert_int_equal(server_matches(&server), 0);
}

static void killed_under_load(void **state) {
    (void)state;
    Process *bots[SUPPORT_GAMES_MAX];
    char logs[SUPPORT_GAMES_MAX][192];
    uint32_t games = 0, least = UINT32_MAX, most = 0;
    unsigned seed = (unsigned)time(NULL);
    while (mash_games[games] != NULL)
        games++;
    assert(games <= SUPPORT_GAMES_MAX);
    matches_at_once = matches_at_once < games ? games : matches_at_once; /* one of each at least */
    print_message("%u matches at once, %u kills, seed %u\n", matches_at_once, kills, seed);
    srandom(seed);
    server_start(&server, "--log-level warning");
    for (uint32_t i = 0; i < games; i++) {
        uint32_t pairs = matches_at_once * (i + 1) / games - matches_at_once * i / games;
        snprintf(logs[i], sizeof logs[i], "%s.bot%u", server.folder, i);
        bots[i] = process_run("the bots",
                              "bot %s --game %s --pairs --seats %u --matches 1000000 --seed %u "
                              "--pace-ms 2 --grace-ms %d --seconds 600 --log %s",
                              server.place, mash_games[i]->id, 2 * pairs, seed + i, (int)GRACE_MS,
                              logs[i]);
    }
    for (uint32_t i = 0; i < kills; i++) {
        process_sleep(600 + (uint32_t)random() % 1400);
        uint32_t running = (uint32_t)server_matches(&server);
        least = running < least ? running : least;
        most = running > most ? running : most;
        server_crash(&server, "--log-level warning");
    }
    process_sleep(1000);
    print_message("%u to %u matches were on when it was killed\n", least, most);
    for (uint32_t i = 0; i < games; i++)
        kill(bots[i]->pid, SIGTERM);
    for (uint32_t i = 0; i < games; i++) {
        const char *report = process_expect_line(bots[i], "offences", 120000);
        print_message("%s: %s", mash_games[i]->id, bots[i]->text);
        assert_non_null(report);
        assert_non_null(strstr(bots[i]->text, " 0 offences"));
        assert_int_equal(process_end(bots[i]), 0);
        told_read(logs[i]);
        unlink(logs[i]);
    }
    await_quiet();
    kill(server.process->pid, SIGTERM);
    assert_int_equal(process_end(server.process), 0);
    char command[256];
    snprintf(command, sizeof command, "embedded:%s", server.folder);
    told_compare(command, 1);
    snprintf(command, sizeof command, "rm -rf '%s'", server.folder);
    assert_int_equal(system(command), 0);
}

int main(int count, char **words) {
    if (strstr(words[0], "/coverage/") != NULL) { /* what is killed counts nothing there */
        matches_at_once = 5;
        kills = 1;
    }
    if (count == 3) {
        matches_at_once = (uint32_t)atoi(words[1]);
        kills = (uint32_t)atoi(words[2]);
    }
    if ((count != 1 && count != 3) || matches_at_once < 5 || matches_at_once > 2000 ||
        kills > 1000) {
        fprintf(stderr, "Use: %s [MATCHES KILLS], 5 to 2000 matches\n", words[0]);
        return 2;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(killed_under_load)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    process_end_all();
    return failed;
}
