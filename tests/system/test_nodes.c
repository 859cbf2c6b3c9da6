/* test_nodes.c -- two real nodes over a real PostgreSQL. Lists and plain HTTP answer for both. With
 * bots at both: one is killed, one leaves, one is stopped until it is replaced. Matches go on at
 * the other node, the bots follow them (`moved`), the database is killed and restarts, and
 * everything that either node has told is true in the end. F1, F2, F14, F17 and F19 of
 * docs/promises.md. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/store/database.h"
#include "tests/system/processes.h"
#include "tests/system/told.h"

enum { GRACE_MS = 20000, PAIRS = 4 };

static Database database;
static char place[192];
static ServerProcess nodes[2];
static char flags[2][512];

/* A figure of a node. */
static long figure(const ServerProcess *node, const char *name) {
    static char answer[1 << 16];
    char line[96];
    server_get(node, "/metrics", answer, sizeof answer);
    snprintf(line, sizeof line, "\nmashup_%s ", name);
    const char *found = strstr(answer, line);
    assert_non_null(found);
    return atol(found + strlen(line));
}

/* Waits until a figure of the node has reached this value, and says after how long. */
static void await(const ServerProcess *node, const char *name, long value, const char *what) {
    uint64_t began = process_now_ms();
    while (figure(node, name) < value && process_now_ms() < began + 60000)
        process_sleep(20);
    assert_true(figure(node, name) >= value);
    print_message("%s: %u ms\n", what, (unsigned)(process_now_ms() - began));
}

/* Starts a node: once to get a port, and again with the address that it tells the others. */
static void start_node(uint32_t i) {
    snprintf(flags[i], sizeof flags[i], "--store %s --node %u --log-level info", place, i + 1);
    server_start(&nodes[i], flags[i]);
    snprintf(flags[i], sizeof flags[i], "--store %s --node %u --log-level info --url ws://%s/arena",
             place, i + 1, nodes[i].place);
    server_crash(&nodes[i], flags[i]);
}

static Process *start_bots(const ServerProcess *node, const char *log) {
    return process_run("the bots",
                       "bot %s --game zorde --pairs --seats %d --matches 1000000 "
                       "--pace-ms 20 --grace-ms %d --seconds 300 --log %s",
                       node->place, 2 * PAIRS, (int)GRACE_MS, log);
}

static bool runs;

/* Starts the database and both nodes, if they can be started here. */
static int start_all(void **state) {
    (void)state;
    if (process_is_slow() && getenv("MASH_SLOW_NODES") == NULL) {
        print_message("two nodes are tested with the fast build, and in make test-full\n");
        return 0;
    }
    if (!database_open(&database))
        return 0;
    snprintf(place, sizeof place, "postgres:postgresql://mashup@/postgres?host=%s",
             database.folder);
    Process *admin = process_run("admin", "admin store upgrade --store %s", place);
    assert_int_equal(process_end(admin), 0);
    for (uint32_t i = 0; i < 2; i++)
        start_node(i);
    runs = true;
    return 0;
}

/* --- Lists and plain HTTP --------------------------------------------------------------------- */

/* Waits until the node's answer to GET has these words; the answer. */
static const char *await_answer(const ServerProcess *node, const char *path, const char *words) {
    static char answer[1 << 16];
    uint64_t until = process_now_ms() + 30000;
    do {
        server_get(node, path, answer, sizeof answer);
        if (strstr(answer, words) != NULL)
            return answer;
        process_sleep(20);
    } while (process_now_ms() < until);
    fail_msg("GET %s never has %s, but: %s", path, words, answer);
    return answer;
}

static void all_nodes_answer_for_all_tables(void **state) {
    (void)state;
    if (!runs)
        skip();
    char code[32], path[64], words[128];
    Process *ann = process_run("ann", "join %s --game zorde --name Ann", nodes[0].place);
    const char *list = await_answer(&nodes[1], "/api/matches?game=zorde", "\"name\":\"Ann\"");
    assert_int_equal(sscanf(strstr(list, "{\"code\":\""), "{\"code\":\"%14s", code), 1);
    snprintf(words, sizeof words, "\"code\":\"%s\"", code);
    await_answer(&nodes[0], "/api/matches", words);
    snprintf(path, sizeof path, "/api/match/%s", code);
    assert_non_null(strstr(await_answer(&nodes[1], path, words), "\"state\":\"waiting\""));
    /* Somebody joins by the code at the other node, and is sent where the table is. */
    Process *bob = process_run("bob", "join %s --code %s --name Bob", nodes[1].place, code);
    process_expect(ann, "Bob");
    await_answer(&nodes[1], path, "\"state\":\"running\"");
    snprintf(path, sizeof path, "/api/board/%s", code);
    snprintf(words, sizeof words, "Location: http://%s/api/board/%s?node=1\r\n", nodes[0].place,
             code);
    await_answer(&nodes[1], path, words);
    snprintf(path, sizeof path, "/api/board/%s?node=1", code);
    await_answer(&nodes[0], path, "\"board\":");
    process_kill(ann, SIGKILL);
    process_kill(bob, SIGKILL);
    process_end(ann);
    process_end(bob);
}

/* --- Clients of the standard ------------------------------------------------------------------ */

/* Starts a program of the standard at a node; it comes there again when it has lost the
 * connection. Its device makes it the same player then. */
static Process *start_standard(uint32_t i, const char *path, const char *device, uint32_t pace_ms) {
    return process_run("a program of the standard",
                       "ai ws://%s%s --name S%u --device %s --level 1 --pace %u", nodes[i].place,
                       path, i, device, pace_ms);
}

/* A figure of both nodes together. */
static long figures(const char *name) { return figure(&nodes[0], name) + figure(&nodes[1], name); }

static void programs_of_the_standard_meet_wherever_they_come(void **state) {
    (void)state;
    if (!runs)
        skip();
    /* At the same time, one after the other, and by a name that they have agreed on. */
    static const char *const paths[] = {"", "", "/match/tea-at-four"};
    Process *watchers[2];
    long begun = figures("matches_begun_total");
    for (uint32_t i = 0; i < 2; i++)
        watchers[i] =
            process_run("watcher", "join %s --protocol standard --role SPECTATOR --name W%u",
                        nodes[i].place, i);
    for (uint32_t i = 0; i < 2; i++)
        process_expect(watchers[i], "Waiting");
    long relayed = figures("relays_total");
    for (uint32_t i = 0; i < 3; i++) {
        char device[16];
        uint64_t until = process_now_ms() + 30000;
        snprintf(device, sizeof device, "round-%u", i);
        Process *first = start_standard(i % 2, paths[i], device, 0);
        if (i > 0)
            await_answer(&nodes[i % 2], "/metrics", "\nmashup_tables{state=\"waiting\"} 1");
        Process *second = start_standard(1 - i % 2, paths[i], device, 0);
        while (figures("matches_begun_total") < begun + (long)i + 1 && process_now_ms() < until)
            process_sleep(20);
        assert_int_equal(figures("matches_begun_total"), begun + (long)i + 1);
        for (uint32_t j = 0; i == 0 && j < 2; j++) { /* a spectator of any match sees it */
            process_expect(watchers[j], "the match begins");
            process_kill(watchers[j], SIGKILL);
            process_end(watchers[j]);
        }
        relayed += i == 0 ? 2 : 1; /* one of the players, and one of the spectators */
        assert_int_equal(figures("relays_total"), relayed);
        process_kill(first, SIGKILL);
        process_kill(second, SIGKILL);
        process_end(first);
        process_end(second);
    }
}

/* How far matches of programs of the standard have come, by their records. */
static long standard_steps(void) {
    return atol(database_ask(&database, "postgres",
                             "select count(*) from journal j join match m using (n) "
                             "join lobby l on l.id = m.id where l.game = 'marvelous-mashup'"));
}

/* How many of their matches are open. */
static int standard_matches(void) {
    return atoi(database_ask(&database, "postgres",
                             "select count(*) from lobby l join match m using (id) where l.game = "
                             "'marvelous-mashup'"));
}

/* Waits until that match goes on. */
static void await_standard(const char *what) {
    uint64_t began = process_now_ms();
    long before = standard_steps();
    while (standard_steps() < before + 3 && process_now_ms() < began + 60000)
        process_sleep(50);
    assert_true(standard_steps() >= before + 3);
    print_message("%s, the standard's match goes on: %u ms\n", what,
                  (unsigned)(process_now_ms() - began));
}

/* --- Faults ----------------------------------------------------------------------------------- */

static void matches_outlive_their_nodes(void **state) {
    (void)state;
    char logs[2][192];
    Process *bots[2];
    if (!runs)
        skip();
    for (uint32_t i = 0; i < 2; i++) {
        snprintf(logs[i], sizeof logs[i], "%s.bots", nodes[i].folder);
        bots[i] = start_bots(&nodes[i], logs[i]);
    }
    Process *standard[2] = {start_standard(0, "", "fault", 100),
                            start_standard(1, "", "fault", 100)};
    await_standard("at the start");
    int matches = standard_matches();
    /* F1: the second is killed. Its matches come to the first, and the bots that are waiting for it
     * follow them when it is there again. */
    process_kill(nodes[1].process, SIGKILL);
    await(&nodes[0], "store_taken_total", PAIRS, "killed, taken after");
    process_end(nodes[1].process);
    server_start_again(&nodes[1], flags[1]);
    await_standard("a node was killed");
    /* F14, F17: the first leaves while it plays. */
    kill(nodes[0].process->pid, SIGTERM);
    assert_int_equal(process_end(nodes[0].process), 0);
    await(&nodes[1], "store_taken_total", PAIRS, "left, taken after");
    server_start_again(&nodes[0], flags[0]);
    await_standard("a node has left");
    /* F2: the second stands still until it is replaced; it finds out, and ends with code 3. */
    kill(nodes[1].process->pid, SIGSTOP);
    await(&nodes[0], "store_taken_total", 1, "stopped, taken after");
    kill(nodes[1].process->pid, SIGCONT);
    assert_int_equal(process_end(nodes[1].process), 3);
    server_start_again(&nodes[1], flags[1]);
    await_standard("a node stood still");
    /* F19: the database is killed and restarts. Both nodes wait for it, and neither takes the
     * other's matches: it was not the other that was silent. */
    long taken = figure(&nodes[0], "store_taken_total") + figure(&nodes[1], "store_taken_total");
    long actions = figure(&nodes[0], "actions_total");
    database_kill(&database);
    process_sleep(1000);
    database_start(&database);
    await(&nodes[0], "actions_total", actions + 20, "the database again, actions after");
    assert_int_equal(
        figure(&nodes[0], "store_taken_total") + figure(&nodes[1], "store_taken_total"), taken);
    await_standard("the database was killed");
    assert_int_equal(standard_matches(), matches); /* it is the same match all the time */
    for (int i = 0; i < 2; i++) {
        process_kill(standard[i], SIGKILL);
        process_end(standard[i]);
        kill(bots[i]->pid, SIGTERM);
    }
    for (int i = 0; i < 2; i++) {
        assert_non_null(process_expect_line(bots[i], "offences", 120000));
        print_message("%s", bots[i]->text);
        assert_non_null(strstr(bots[i]->text, " 0 offences"));
        assert_int_equal(process_end(bots[i]), 0);
        told_read(logs[i]);
        unlink(logs[i]);
    }
    for (int i = 0; i < 2; i++)
        server_stop(&nodes[i]);
    told_compare(place, 9);
}

/* An argument is a pattern: only tests with such a name run. */
int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_nodes_answer_for_all_tables),
        cmocka_unit_test(programs_of_the_standard_meet_wherever_they_come),
        cmocka_unit_test(matches_outlive_their_nodes),
    };
    if (count > 1)
        cmocka_set_test_filter(words[1]);
    int failed = cmocka_run_group_tests(tests, start_all, NULL);
    process_end_all();
    database_close(&database);
    return failed;
}
