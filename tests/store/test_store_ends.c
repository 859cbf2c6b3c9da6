/* test_store_ends.c -- F18: a match ends while another node takes it over, over a real PostgreSQL.
 * Whoever is first, the match is in the archive or still open, never both, never neither, and what
 * its node announced is true. MASH_ROUNDS is the number of rounds. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/store/database.h"
#include "tests/store/fixture.h"

static Database database;
static bool has_database;

/* What the database says. */
static const char *asked(const char *sql) { return database_ask(&database, "postgres", sql); }

static void ignore(void *owner, const char *sentence) {
    (void)owner;
    (void)sentence;
}

/* Another process raises the node's epoch, as a taker does. */
static pid_t raise_epoch(void) {
    pid_t child = fork();
    if (child == 0) {
        asked("update node set epoch = epoch + 1, state = 'gone' where id = 1");
        _exit(0);
    }
    return child;
}

/* One round; the end begins so many ms after the taker. Was it archived? */
static bool end_and_takeover(Rig *rig, uint64_t match, int pause_ms) {
    char sql[160];
    rig_must_open(rig);
    uint64_t ticket = rig_append(rig, match, 1);
    WAIT_FOR(store_progress(rig->store).appended == ticket);
    pid_t taker = raise_epoch();
    rig_pause_ms(pause_ms);
    StoreEntry entry = rig_entry(match);
    uint64_t finish = UINT64_MAX; /* it may know already that it is replaced */
    StoreStatus asked_for = store_finish(rig->store, &entry, "{}", 2, &finish);
    assert_true(asked_for == STORE_OK || asked_for == STORE_FAILED);
    int status = -1;
    assert_int_equal(waitpid(taker, &status, 0), taker);
    assert_int_equal(status, 0);
    WAIT_FOR(store_progress(rig->store).failure != NULL); /* its next statement says so */
    StoreProgress done = store_progress(rig->store);
    assert_true(done.deposed);
    snprintf(sql, sizeof sql, "select count(*) from archive where id = %llu",
             (unsigned long long)match);
    bool archived = strcmp(asked(sql), "1") == 0;
    snprintf(sql, sizeof sql,
             "select count(*) from match left join journal using (n) where id = %llu",
             (unsigned long long)match);
    assert_string_equal(asked(sql), archived ? "0" : "1");
    assert_true(archived || done.finished < finish);
    rig_close(rig);
    return archived;
}

static void the_end_and_a_takeover_at_once(void **state) { /* F18 */
    (void)state;
    enum { ROUNDS = 12, PAUSES = 12 };
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    if (!has_database)
        skip();
    const char *wanted = getenv("MASH_ROUNDS");
    int rounds = wanted == NULL ? ROUNDS : atoi(wanted), archived = 0;
    Rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig_init(rig);
    snprintf(rig->place, sizeof rig->place, "postgres:host=%s dbname=postgres user=mashup",
             database.folder);
    assert_true(store_upgrade(rig->place, ignore, NULL, &problem));
    rig->setup.single_threaded = false;
    rig->setup.node = 1;
    rig->setup.silence_ms = 1000;
    rig->descriptors = 0;
    for (int round = 0; round < rounds; round++)
        archived += end_and_takeover(rig, 1 + (uint64_t)round, round % PAUSES);
    printf("F18: %d rounds, %d archived before the takeover, %d still open\n", rounds, archived,
           rounds - archived);
    assert_string_equal(asked("select count(*) from journal left join match using (n) where "
                              "match.n is null"),
                        "0");
    rig_release(rig);
    free(rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_end_and_a_takeover_at_once)};
    has_database = database_open(&database);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (has_database)
        database_close(&database);
    return failed;
}
