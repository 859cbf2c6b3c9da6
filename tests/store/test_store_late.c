/* test_store_late.c -- a database that is late, over a real PostgreSQL: statements that are done
 * when nobody waits for them any more, and answers that are too long for the time they may take. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A node over empty tables, not opened yet. */
static Rig *node_over_empty_tables(void) {
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    Rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig_init(rig);
    database_empty(&database);
    snprintf(rig->place, sizeof rig->place, "postgres:host=%s dbname=postgres user=mashup",
             database.folder);
    assert_true(store_upgrade(rig->place, ignore, NULL, &problem));
    rig->setup.single_threaded = false;
    rig->setup.node = 1;
    rig->setup.silence_ms = 60000;
    rig->descriptors = 0;
    return rig;
}

/* The process of the database that serves the writer stands still while it has a group to write.
 * The group is written over another connection, the match ends, and then the first one goes on. */
static void what_is_done_late_is_not_done(void **state) {
    (void)state;
    if (!has_database)
        skip();
    Rig *rig = node_over_empty_tables();
    rig_must_open(rig);
    uint64_t ticket = rig_append(rig, 7, 1);
    WAIT_FOR(store_progress(rig->store).appended == ticket);
    pid_t process = atoi(asked("select pid from pg_stat_activity where pid <> pg_backend_pid() and "
                               "query like '%insert into journal%' and datname = 'postgres'"));
    assert_true(process > 1);
    assert_int_equal(kill(process, SIGSTOP), 0);
    ticket = rig_append(rig, 7, 2);
    WAIT_FOR(store_stats(rig->store).asked > 0);
    for (int i = 0; i < 1500 && store_progress(rig->store).appended < ticket; i++)
        rig_pause_ms(1);
    uint64_t finish = rig_finish(rig, 7);
    for (int i = 0; i < 500 && store_progress(rig->store).finished < finish; i++)
        rig_pause_ms(1);
    assert_int_equal(kill(process, SIGCONT), 0);
    rig_wait(rig, ticket, finish);
    char sql[128];
    snprintf(sql, sizeof sql, "select count(*) from pg_stat_activity where pid = %d", process);
    WAIT_FOR(strcmp(asked(sql), "0") == 0);
    assert_string_equal(asked("select count(*) from journal"), "0");
    assert_string_equal(asked("select count(*) from match"), "0");
    assert_true(rig_archived(rig, 7));
    rig_release(rig);
    free(rig);
}

static void matches_are_read_in_parts_that_can_be_answered(void **state) {
    (void)state;
    if (!has_database)
        skip();
    Rig *rig = node_over_empty_tables();
    asked("insert into match select n, 100 + n, 1, 0 from generate_series(1, 150) n;"
          "insert into journal select n, 1, 0, 1, 'x' from generate_series(1, 150) n;"
          "alter table journal rename to journal_rows;"
          "create function is_read() returns bool language plpgsql cost 1000000 as 'begin perform "
          "pg_sleep(0.025); return true; end';"
          "create view journal as select * from journal_rows where is_read()");
    rig_must_open(rig);
    WAIT_FOR(store_stats(rig->store).matches == 150);
    rig_release(rig);
    free(rig);
}

/* Two groups of less than half a second each, one behind the other, would cost a player a second.
 */
static void clocks_stand_while_each_group_takes_half_a_second(void **state) {
    (void)state;
    enum { GROUPS = 30 };
    if (!has_database)
        skip();
    Rig *rig = node_over_empty_tables();
    asked("create function takes_time() returns trigger language plpgsql as 'begin perform "
          "pg_sleep(0.45); return null; end';"
          "create trigger takes_time after insert on journal execute function takes_time()");
    rig_must_open(rig);
    bool frozen = false;
    for (uint32_t i = 1; i <= GROUPS && !frozen; i++) {
        uint64_t ticket = rig_append(rig, 7, i);
        while (store_progress(rig->store).appended < ticket && !frozen) {
            frozen = store_frozen_ms(rig->store) > 0;
            rig_pause_ms(1);
        }
    }
    assert_true(frozen);
    rig_release(rig);
    free(rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_done_late_is_not_done),
        cmocka_unit_test(matches_are_read_in_parts_that_can_be_answered),
        cmocka_unit_test(clocks_stand_while_each_group_takes_half_a_second)};
    has_database = database_open(&database);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (has_database)
        database_close(&database);
    return failed;
}
