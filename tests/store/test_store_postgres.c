/* test_store_postgres.c -- what only the PostgreSQL store has: tables and their versions, settings,
 * nodes that take each other's matches, lost answers, copies. Against a real PostgreSQL, and where
 * it matters with processes that are stopped and killed. The faults have the numbers of
 * docs/promises.md. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/fault.h"
#include "tests/store/database.h"
#include "tests/store/fixture.h"

enum { FOUND_MAX = 2000, SILENCE_MS = 1000 };

static Database database;
static bool has_database;
static const char base[] = "postgres"; /* the database of all tests */

/* --- The stage -------------------------------------------------------------------------------- */

static void ignore(void *owner, const char *sentence) {
    (void)owner;
    (void)sentence;
}

/* An empty database without tables. */
static int set_up(void **state) {
    (void)state;
    if (!has_database)
        return 0;
    database_empty(&database);
    return 0;
}

/* The same with tables. */
static int set_up_tables(void **state) {
    char place[256], memory[512] = "";
    MashText problem = text_over(memory, sizeof memory);
    set_up(state);
    snprintf(place, sizeof place, "postgres:host=%s dbname=%s user=mashup", database.folder, base);
    return has_database && !store_upgrade(place, ignore, NULL, &problem);
}

/* A node of this number over the test's database, reached through the socket in `folder`. */
static Rig *node(uint32_t number, const char *folder) {
    Rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig_init(rig);
    snprintf(rig->place, sizeof rig->place, "postgres:host=%s dbname=%s user=mashup", folder, base);
    rig->setup.single_threaded = false;
    rig->setup.node = number;
    rig->descriptors = 0;
    rig->setup.silence_ms = 60000; /* nobody is replaced unless the test is about that */
    return rig;
}

static void release(Rig *rig) {
    rig_release(rig);
    free(rig);
}

/* What the database says. */
static const char *asked(const char *sql) { return database_ask(&database, base, sql); }

/* --- Tables (F20) and settings ---------------------------------------------------------------- */

static void a_store_without_tables_says_how_to_make_them(void **state) {
    (void)state;
    if (!has_database)
        skip();
    Rig *rig = node(1, database.folder);
    assert_false(rig_open(rig));
    assert_non_null(strstr(rig->problem, "mashup admin store upgrade"));
    release(rig);
}

static void keep(void *owner, const char *sentence) {
    char *all = owner;
    strncat(all, sentence, 4000 - strlen(all));
    strncat(all, "\n", 4000 - strlen(all));
}

static void tables_are_upgraded_and_newer_ones_refused(void **state) {
    (void)state;
    if (!has_database)
        skip();
    char memory[512], said[4096] = "";
    MashText problem = text_over(memory, sizeof memory);
    Rig *rig = node(1, database.folder);
    assert_true(store_upgrade(rig->place, keep, said, &problem));
    assert_string_equal(said, "the tables are of version 9 now (before: 0)\n");
    said[0] = '\0';
    assert_true(store_upgrade(rig->place, keep, said, &problem));
    assert_string_equal(said, "the tables are of version 9 already\n");
    rig_must_open(rig);
    rig_close(rig);
    asked("update house set format = 10");
    assert_false(rig_open(rig));
    assert_string_equal(rig->problem,
                        "the tables of the database are of version 10, and this program knows them "
                        "up to version 9: use the newer mashup that made them");
    assert_false(store_upgrade(rig->place, keep, said, &problem));
    assert_non_null(strstr(memory, "use the newer mashup"));
    assert_string_equal(asked("select format from house"), "10"); /* it was left alone */
    asked("update house set format = 0");
    assert_false(rig_open(rig));
    assert_non_null(strstr(rig->problem, "mashup admin store upgrade"));
    release(rig);
}

static void unsafe_settings_are_named_with_what_mends_them(void **state) {
    (void)state;
    if (!has_database)
        skip();
    char memory[512], said[4096] = "", place[256];
    MashText problem = text_over(memory, sizeof memory);
    uint32_t unsafe = 99;
    snprintf(place, sizeof place, "postgres:host=%s dbname=%s user=mashup", database.folder, base);
    asked("alter role mashup set statement_timeout = '7s'");
    assert_true(store_check(place, keep, said, &unsafe, &problem));
    asked("alter role mashup reset statement_timeout");
    assert_int_equal(unsafe, 2); /* this database of tests is fast, and has no standby */
    assert_non_null(strstr(said, "unsafe: fsync is \"off\""));
    assert_non_null(strstr(said, "alter system set fsync = on; select pg_reload_conf();"));
    assert_non_null(strstr(said, "unsafe: synchronous_standby_names is empty"));
    assert_non_null(strstr(said, "advice: statement_timeout is \"7s\""));
    assert_null(strstr(said, "full_page_writes"));
    assert_false(store_check("postgres:host=/nowhere", keep, said, &unsafe, &problem));
    assert_non_null(strstr(memory, "cannot connect to the database"));
}

static void a_role_that_sees_no_standbys_is_named(void **state) {
    (void)state;
    if (!has_database)
        skip();
    char memory[512], said[4096] = "", place[256];
    MashText problem = text_over(memory, sizeof memory);
    uint32_t unsafe;
    asked("create role plain login");
    snprintf(place, sizeof place, "postgres:host=%s dbname=%s user=plain", database.folder, base);
    assert_true(store_check(place, keep, said, &unsafe, &problem));
    assert_non_null(strstr(said, "grant pg_read_all_stats to \"plain\";"));
    asked("drop role plain");
}

/* --- One owner -------------------------------------------------------------------------------- */

static void the_same_number_twice_deposes_the_first(void **state) {
    (void)state;
    if (!has_database)
        skip();
    RigFound found[4];
    uint64_t ticket;
    Rig *one = node(3, database.folder), *two = node(3, database.folder);
    rig_must_open(one);
    ticket = rig_append(one, 7, 1);
    WAIT_FOR(store_progress(one->store).appended == ticket);
    rig_must_open(two);
    assert_int_equal(rig_found(two, found, 4), 1);
    assert_true(found[0].match == 7 && found[0].records == 1);
    ticket = rig_append(one, 7, 2); /* accepted: it cannot know yet */
    WAIT_FOR(store_progress(one->store).failure != NULL);
    StoreProgress done = store_progress(one->store);
    assert_true(done.deposed && done.appended == 1);
    assert_false(store_may_tell(one->store));
    assert_non_null(strstr(done.failure, "node 3"));
    StoreRecord record = {.match = 7};
    assert_int_equal(store_append(one->store, &record, &ticket), STORE_FAILED);
    assert_string_equal(asked("select count(*) from journal"), "1");
    ticket = rig_append(two, 7, 2);
    WAIT_FOR(store_progress(two->store).appended == ticket);
    release(one);
    release(two);
}

static void a_deposed_node_archives_nothing(void **state) {
    (void)state;
    if (!has_database)
        skip();
    Rig *one = node(3, database.folder), *two = node(3, database.folder);
    rig_must_open(one);
    uint64_t ticket = rig_append(one, 7, 1);
    WAIT_FOR(store_progress(one->store).appended == ticket);
    rig_must_open(two);
    rig_finish(one, 7); /* F18: the end and the takeover at once */
    WAIT_FOR(store_progress(one->store).failure != NULL);
    assert_true(store_progress(one->store).deposed && store_progress(one->store).finished == 0);
    assert_string_equal(asked("select count(*) from archive"), "0");
    assert_string_equal(asked("select count(*) from match"), "1");
    release(one);
    release(two);
}

static void different_bytes_for_one_record_are_an_error(void **state) {
    (void)state;
    if (!has_database)
        skip();
    Rig *rig = node(1, database.folder);
    rig_must_open(rig);
    uint64_t ticket = rig_append(rig, 7, 1);
    WAIT_FOR(store_progress(rig->store).appended == ticket);
    asked("insert into journal select n, 2, 0, 0, 'x' from match");
    rig_append(rig, 7, 2);
    WAIT_FOR(store_progress(rig->store).failure != NULL);
    StoreProgress done = store_progress(rig->store);
    assert_true(!done.deposed && done.appended == ticket);
    assert_non_null(strstr(done.failure, "TWO WRITERS: record 2 of match 0000000000000007"));
    assert_string_equal(asked("select bytes = 'x' from journal where seq = 2"), "t");
    release(rig);
}

static void the_same_match_twice_is_an_error(void **state) {
    (void)state;
    if (!has_database)
        skip();
    Rig *rig = node(1, database.folder);
    rig_must_open(rig);
    asked("insert into match values (1000000, 7, 2, 0)");
    rig_append(rig, 7, 1);
    WAIT_FOR(store_progress(rig->store).failure != NULL);
    assert_non_null(strstr(store_progress(rig->store).failure, "TWO WRITERS: a match"));
    release(rig);
}

/* --- A node that falls silent (F1, F2) -------------------------------------------------------- */

/* Before any store is open here, because a process with threads cannot be doubled safely: starts a
 * process with a node that appends `records` to `matches` matches, numbered from `first`,
 * says over the pipe that they were announced, and then does what it is told to: nothing. */
static pid_t start_node(uint32_t number, uint64_t first, uint32_t matches, int *pipe_end) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child != 0) {
        close(ends[1]);
        *pipe_end = ends[0];
        return child;
    }
    close(ends[0]);
    Rig *rig = node(number, database.folder);
    rig->setup.silence_ms = SILENCE_MS;
    if (!rig_open(rig))
        _exit(1);
    uint64_t ticket = 0;
    for (uint64_t i = 0; i < matches; i++)
        for (uint32_t sequence = 1; sequence <= 3; sequence++)
            ticket = rig_append(rig, first + i, sequence);
    while (store_progress(rig->store).appended < ticket) {
        if (store_progress(rig->store).failure != NULL)
            _exit(1);
        rig_pause_ms(1);
    }
    if (write(ends[1], "+", 1) != 1)
        _exit(1);
    while (store_progress(rig->store).failure == NULL)
        rig_pause_ms(1);
    _exit(store_progress(rig->store).deposed ? 3 : 1);
}

/* Waits until the node of start_node() has announced all. */
static void wait_for_node(int pipe_end) {
    char byte;
    assert_int_equal(read(pipe_end, &byte, 1), 1);
    close(pipe_end);
}

/* All of the matches must be with these nodes, each once and whole. */
static void must_have(Rig **rigs, uint32_t count, uint64_t first, uint32_t matches) {
    static RigFound found[FOUND_MAX];
    uint8_t *seen = calloc(matches, 1);
    uint32_t all = 0;
    assert_non_null(seen);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t here = rig_found(rigs[i], found, FOUND_MAX);
        for (uint32_t k = 0; k < here; k++) {
            assert_true(found[k].match >= first && found[k].match < first + matches);
            assert_true(!seen[found[k].match - first]++);
            assert_true(found[k].records == 3 && found[k].right && found[k].gapless);
        }
        all += here;
    }
    assert_true(all == matches);
    free(seen);
}

static void the_matches_of_a_killed_node_go_on_elsewhere(void **state) { /* F1 */
    (void)state;
    if (!has_database)
        skip();
    enum { MATCHES = 120 };
    int pipe_end;
    pid_t child = start_node(3, 1, MATCHES, &pipe_end);
    wait_for_node(pipe_end);
    Rig *rigs[] = {node(1, database.folder), node(2, database.folder)};
    for (int i = 0; i < 2; i++) {
        rigs[i]->setup.silence_ms = SILENCE_MS;
        rig_must_open(rigs[i]);
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    WAIT_FOR(store_progress(rigs[0]->store).arrived + store_progress(rigs[1]->store).arrived ==
             MATCHES);
    must_have(rigs, 2, 1, MATCHES);
    assert_true(store_stats(rigs[0]->store).taken == store_progress(rigs[0]->store).arrived);
    uint64_t match =
        asked("select id from match where node = 1 order by n limit 1")[0] == '\0'
            ? 0
            : strtoull(asked("select id from match where node = 1 order by n limit 1"), NULL, 10);
    if (match != 0) { /* it goes on where it was */
        uint64_t ticket = rig_append(rigs[0], match, 4);
        WAIT_FOR(store_progress(rigs[0]->store).appended == ticket);
    }
    assert_string_equal(asked("select state from node where id = 3"), "gone");
    release(rigs[0]);
    release(rigs[1]);
}

static void a_stopped_node_finds_out_that_it_is_replaced(void **state) { /* F2 */
    (void)state;
    if (!has_database)
        skip();
    int pipe_end, status;
    pid_t child = start_node(2, 1, 5, &pipe_end);
    wait_for_node(pipe_end);
    Rig *rig = node(1, database.folder);
    rig->setup.silence_ms = SILENCE_MS;
    rig_must_open(rig);
    kill(child, SIGSTOP);
    WAIT_FOR(store_progress(rig->store).arrived == 5);
    kill(child, SIGCONT);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    must_have(&rig, 1, 1, 5);
    release(rig);
}

static void a_node_that_comes_up_again_has_its_matches_back(void **state) {
    (void)state;
    if (!has_database)
        skip();
    int pipe_end;
    pid_t child = start_node(2, 1, 5, &pipe_end);
    wait_for_node(pipe_end);
    Rig *watcher = node(1, database.folder), *rig = node(2, database.folder);
    rig_must_open(watcher); /* which would wait for a minute */
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    rig_must_open(rig);
    must_have(&rig, 1, 1, 5);
    assert_true(store_progress(watcher->store).arrived == 0);
    assert_true(store_progress(rig->store).arrived == 0);
    release(watcher);
    release(rig);
}

/* What happened in which order is written into the table `happened`. Beats are due each 200 ms;
 * taking a group of matches, and reading one, takes longer. */
static void slow_down(void) {
    asked("create table happened (place serial, what text, xact int8 default txid_current());"
          "create function beaten() returns trigger language plpgsql as 'begin insert into "
          "happened(what) values (''beat''); return null; end';"
          "create function taken() returns trigger language plpgsql as 'begin perform "
          "pg_sleep(0.25); insert into happened(what) values (''work''); return null; end';"
          "create function is_read() returns bool language plpgsql cost 1000000 as 'begin perform "
          "pg_sleep(0.0015); insert into happened(what) values (''work''); return true; end';"
          "create trigger beaten after update on node execute function beaten();"
          "create trigger taken after update on match execute function taken()");
}

/* How often there was more than one statement of work without a beat between them. */
static const char *without_beat(void) {
    return asked("select count(*) from (select what, xact, lag(what) over w what_before, lag(xact) "
                 "over w xact_before from happened window w as (order by place)) all_of_it where "
                 "what = 'work' and what_before = 'work' and xact <> xact_before");
}

static void a_node_that_takes_many_matches_beats_meanwhile(void **state) {
    (void)state;
    if (!has_database)
        skip();
    asked("insert into node(id, epoch, url, state) values (2, 1, '', 'gone');"
          "insert into match select n, 100 + n, 2, 0 from generate_series(1, 800) n");
    slow_down();
    Rig *rig = node(1, database.folder);
    rig->setup.silence_ms = SILENCE_MS;
    rig_must_open(rig);
    WAIT_FOR(store_progress(rig->store).arrived == 800);
    assert_string_equal(without_beat(), "0");
    assert_string_equal(asked("select count(*) >= 4 from happened where what = 'work'"), "t");
    release(rig);
}

static void a_node_that_finds_many_matches_beats_meanwhile(void **state) {
    (void)state;
    if (!has_database)
        skip();
    asked("insert into match select n, 100 + n, 1, 0 from generate_series(1, 800) n;"
          "insert into journal select n, 1, 0, 1, 'x' from generate_series(1, 800) n");
    slow_down();
    asked("alter table journal rename to journal_rows;"
          "create view journal as select * from journal_rows where is_read()");
    Rig *rig = node(1, database.folder);
    rig->setup.silence_ms = SILENCE_MS;
    rig_must_open(rig);
    assert_int_equal(store_stats(rig->store).matches, 800);
    assert_string_equal(without_beat(), "0");
    assert_string_equal(asked("select count(distinct xact) from happened where what = 'work'"),
                        "4");
    release(rig);
}

static void nobody_is_sent_to_a_node_that_may_be_lost(void **state) {
    (void)state;
    if (!has_database)
        skip();
    int pipe_end;
    StorePlace place;
    pid_t child = start_node(2, 1, 1, &pipe_end);
    wait_for_node(pipe_end);
    Rig *rig = node(1, database.folder);
    rig->setup.silence_ms = 6 * SILENCE_MS; /* which does not take over in this test */
    rig_must_open(rig);
    WAIT_FOR(store_where(rig->store, 1, &place) == STORE_OK && place.open && place.node == 2);
    kill(child, SIGSTOP);
    WAIT_FOR(store_where(rig->store, 1, &place) == STORE_OK && !place.open);
    assert_string_equal(asked("select state from node where id = 2"), "open");
    kill(child, SIGCONT);
    WAIT_FOR(store_where(rig->store, 1, &place) == STORE_OK && place.open);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    release(rig);
}

static void two_takers_share_and_none_has_it_twice(void **state) { /* F15 */
    (void)state;
    if (!has_database)
        skip();
    enum { MATCHES = 40 };
    const char *rounds_wanted = getenv("MASH_ROUNDS");
    int rounds = rounds_wanted == NULL ? 10 : atoi(rounds_wanted);
    Rig *rigs[] = {node(1, database.folder), node(2, database.folder)};
    static RigFound found[FOUND_MAX];
    for (int i = 0; i < 2; i++) {
        rigs[i]->setup.silence_ms = SILENCE_MS;
        rig_must_open(rigs[i]);
    }
    uint64_t before = 0;
    for (int round = 0; round < rounds; round++) {
        char sql[512];
        uint64_t first = 1 + (uint64_t)round * MATCHES;
        /* A node that gave up, with matches of one record each, all in one statement. */
        snprintf(sql, sizeof sql,
                 "with a as (insert into match select %llu + i, %llu + i, 100, 0 from "
                 "generate_series(0, %d) i returning n), b as (insert into journal select n, 1, 0, "
                 "0, 'x' from a) insert into node(id, epoch, url, state) values (100, 1, '', "
                 "'gone') on conflict (id) do update set epoch = node.epoch + 1, state = 'gone'",
                 (unsigned long long)first + 1000000, (unsigned long long)first, MATCHES - 1);
        asked(sql);
        before += MATCHES;
        WAIT_FOR(store_progress(rigs[0]->store).arrived + store_progress(rigs[1]->store).arrived >=
                 before);
        assert_true(store_progress(rigs[0]->store).arrived +
                        store_progress(rigs[1]->store).arrived ==
                    before);
        assert_int_equal(
            rig_found(rigs[0], found, FOUND_MAX) + rig_found(rigs[1], found, FOUND_MAX), MATCHES);
        assert_string_equal(asked("select count(*) from match where node = 100"), "0");
    }
    /* Both ask while somebody else has the rows: neither waits for them, nor has them twice. */
    asked("insert into match select 2000000 + i, 1000000 + i, 101, 0 from generate_series(1, 9) i");
    pid_t holder = fork();
    if (holder == 0) {
        asked("begin; select 1 from match where node = 101 for update; select pg_sleep(1); commit");
        _exit(0);
    }
    WAIT_FOR(strcmp(asked("select count(*) from pg_stat_activity where wait_event = 'PgSleep'"),
                    "1") == 0);
    asked("insert into node(id, epoch, url, state) values (101, 1, '', 'gone')");
    assert_int_equal(waitpid(holder, NULL, 0), holder);
    WAIT_FOR(strcmp(asked("select count(*) from match where node = 101"), "0") == 0);
    WAIT_FOR(store_progress(rigs[0]->store).arrived + store_progress(rigs[1]->store).arrived >=
             before + 9);
    rig_pause_ms(100);
    assert_int_equal(store_progress(rigs[0]->store).arrived +
                         store_progress(rigs[1]->store).arrived,
                     before + 9);
    release(rigs[0]);
    release(rigs[1]);
}

static void nobody_takes_more_than_it_has_room_for(void **state) {
    (void)state;
    if (!has_database)
        skip();
    Rig *small = node(1, database.folder), *big = node(2, database.folder);
    small->setup.silence_ms = big->setup.silence_ms = SILENCE_MS;
    small->setup.matches_max = 5;
    rig_must_open(small);
    asked("insert into match select i, i, 100, 0 from generate_series(1000001, 1000070) i");
    asked("insert into journal select n, 1, 0, 0, 'x' from match");
    asked("insert into node(id, epoch, url, state) values (100, 1, '', 'gone')");
    WAIT_FOR(store_progress(small->store).arrived == 5);
    rig_must_open(big);
    WAIT_FOR(store_progress(big->store).arrived == 65);
    assert_true(store_progress(small->store).arrived == 5);
    release(small);
    release(big);
}

static void a_node_that_hands_over_leaves_nothing_behind(void **state) { /* F17 */
    (void)state;
    if (!has_database)
        skip();
    enum { MATCHES = 30 };
    Rig *rigs[] = {node(1, database.folder)}, *leaver = node(2, database.folder);
    rigs[0]->setup.silence_ms = SILENCE_MS;
    rig_must_open(rigs[0]);
    rig_must_open(leaver);
    for (uint64_t match = 1; match <= MATCHES; match++)
        for (uint32_t sequence = 1; sequence <= 3; sequence++)
            rig_append(leaver, match, sequence);
    assert_true(store_hand_over(leaver->store)); /* while they are on their way */
    StoreRecord record = {.match = 1};
    uint64_t ticket;
    assert_int_equal(store_append(leaver->store, &record, &ticket), STORE_FAILED);
    WAIT_FOR(store_progress(leaver->store).handed_over);
    assert_true(store_progress(leaver->store).appended == 3 * MATCHES);
    assert_false(store_may_tell(leaver->store));
    WAIT_FOR(store_progress(rigs[0]->store).arrived == MATCHES);
    must_have(rigs, 1, 1, MATCHES);
    assert_null(store_progress(leaver->store).failure);
    release(leaver);
    release(rigs[0]);
}

static void where_a_match_is(void **state) {
    (void)state;
    if (!has_database)
        skip();
    StorePlace place;
    Rig *one = node(1, database.folder), *two = node(2, database.folder);
    two->setup.url = "wss://play.example/arena?node=2";
    rig_must_open(one);
    rig_must_open(two);
    uint64_t ticket = rig_append(two, 9, 1);
    WAIT_FOR(store_progress(two->store).appended == ticket);
    assert_int_equal(store_where(one->store, 9, &place), STORE_OK);
    assert_true(place.node == 2 && !place.here && place.open);
    assert_string_equal(place.url, "wss://play.example/arena?node=2");
    assert_int_equal(store_where(two->store, 9, &place), STORE_OK);
    assert_true(place.node == 2 && place.here);
    assert_int_equal(store_where(one->store, 10, &place), STORE_UNKNOWN);
    asked("update node set state = 'gone' where id = 2");
    assert_int_equal(store_where(one->store, 9, &place), STORE_OK);
    assert_false(place.open);
    release(one);
    release(two);
}

static void players_wait_at_one_node(void **state) {
    (void)state;
    if (!has_database)
        skip();
    StorePlace place;
    Rig *one = node(1, database.folder), *two = node(2, database.folder);
    two->setup.url = "ws://two";
    rig_must_open(one);
    rig_must_open(two);
    assert_int_equal(store_claim(two->store, 77, &place), STORE_OK);
    assert_true(place.here && place.node == 2);
    assert_int_equal(store_claim(one->store, 77, &place), STORE_OK);
    assert_true(!place.here && place.node == 2 && place.open);
    assert_string_equal(place.url, "ws://two");
    assert_int_equal(store_claim(two->store, 77, &place), STORE_OK); /* again */
    assert_true(place.here);
    assert_int_equal(store_claim(one->store, 78, &place), STORE_OK); /* of another kind */
    assert_true(place.here);
    store_unclaim(one->store, 77); /* not its own */
    assert_int_equal(store_claim(one->store, 77, &place), STORE_OK);
    assert_false(place.here);
    store_unclaim(two->store, 77);
    assert_int_equal(store_claim(one->store, 77, &place), STORE_OK);
    assert_true(place.here);
    asked("update node set state = 'gone' where id = 1"); /* a node that is gone holds nothing */
    assert_int_equal(store_claim(two->store, 77, &place), STORE_OK);
    assert_true(place.here);
    release(one);
    release(two);
}

/* Waits for a document of this name. */
static char *await_shared(Rig *rig, const char *name, size_t *count) {
    char *bytes = NULL;
    for (int i = 0; i < 30000 && bytes == NULL; i++) {
        bytes = store_take_shared(rig->store, name, count);
        rig_pause_ms(bytes == NULL);
    }
    assert_non_null(bytes);
    return bytes;
}

static void documents_are_shared(void **state) {
    (void)state;
    if (!has_database)
        skip();
    size_t count = 99;
    char *bytes = NULL;
    Rig *one = node(1, database.folder), *two = node(2, database.folder);
    one->setup.silence_ms = two->setup.silence_ms = SILENCE_MS;
    rig_must_open(one);
    rig_must_open(two);
    assert_null(store_take_shared(two->store, "bans", &count));
    assert_true(store_share(one->store, "bans", "first", 5));
    bytes = await_shared(two, "bans", &count);
    assert_true(count == 5 && strcmp(bytes, "first") == 0);
    assert_true(store_progress(two->store).shared == 1);
    free(bytes);
    assert_null(store_take_shared(two->store, "bans", &count)); /* once */
    assert_true(store_share(two->store, "bans", "", 0));
    bytes = await_shared(one, "bans", &count);
    assert_true(count == 0);
    free(bytes);
    assert_true(store_progress(one->store).shared == 1); /* its own was no news */
    assert_true(store_share(one->store, "bans", "last", 4));
    WAIT_FOR(strcmp(asked("select version from document"), "3") == 0);
    rig_close(two);
    rig_must_open(two); /* a node that starts later has it at once */
    assert_non_null(bytes = store_take_shared(two->store, "bans", &count));
    assert_string_equal(bytes, "last");
    free(bytes);
    assert_true(store_share(one->store, "used-1", "one", 3));
    bytes = await_shared(two, "used-*", &count); /* any of that kind */
    assert_string_equal(bytes, "one");
    free(bytes);
    assert_null(store_take_shared(two->store, "used-*", &count));
    assert_true(store_progress(two->store).shared == 2); /* what it has is no news again */
    release(one);
    release(two);
}

/* --- Lost answers (F11) and a database that hangs --------------------------------------------- */

/* Appends through a relay that cuts at each offset of a direction, until one is behind the end. The
 * short form takes each thirteenth. */
static void cut_everywhere(bool up) {
    DatabaseRelay *relay = relay_open(&database);
    Rig *rig = node(1, relay_folder(relay));
    const char *all = getenv("MASH_EVERY_BYTE");
    uint32_t cuts = 0, sequence = 1;
    rig_must_open(rig);
    uint64_t ticket = rig_append(rig, 7, sequence++);
    WAIT_FOR(store_progress(rig->store).appended == ticket);
    for (uint32_t offset = 1; relay_cuts(relay) == cuts; offset += all == NULL ? 13 : 1) {
        relay_cut_after(relay, up, offset);
        ticket = rig_append(rig, 7, sequence++);
        WAIT_FOR(store_progress(rig->store).appended == ticket);
        if (relay_cuts(relay) > cuts)
            cuts++;
        else
            break;
    }
    assert_true(cuts > 5);
    assert_true(store_stats(rig->store).asked > 0);
    rig_close(rig);
    relay_close(relay);
    release(rig);
    Rig *again = node(1, database.folder);
    RigFound found[2];
    rig_must_open(again);
    assert_int_equal(rig_found(again, found, 2), 1);
    assert_true(found[0].records == sequence - 1 && found[0].right && found[0].gapless);
    release(again);
}

static void an_answer_that_is_lost_is_asked_about(void **state) {
    (void)state;
    if (!has_database)
        skip();
    cut_everywhere(false);
}

static void a_group_that_is_cut_is_sent_again(void **state) {
    (void)state;
    if (!has_database)
        skip();
    cut_everywhere(true);
}

static void count_call(void *owner) {
    Rig *rig = owner;
    rig->disk.all++;
}

static void a_node_that_hears_nothing_tells_nothing(void **state) { /* F3 */
    (void)state;
    if (!has_database)
        skip();
    DatabaseRelay *relay = relay_open(&database);
    Rig *rig = node(1, relay_folder(relay));
    rig->setup.silence_ms = SILENCE_MS;
    rig->setup.notify = count_call;
    rig_must_open(rig);
    uint64_t ticket = rig_append(rig, 7, 1);
    WAIT_FOR(store_progress(rig->store).appended == ticket);
    assert_true(store_may_tell(rig->store));
    assert_int_equal(store_frozen_ms(rig->store), 0);
    relay_block(relay, true);
    WAIT_FOR(!store_may_tell(rig->store));
    WAIT_FOR(store_frozen_ms(rig->store) > 300);
    assert_null(store_progress(rig->store).failure);
    uint64_t calls = rig->disk.all;
    relay_block(relay, false);
    WAIT_FOR(store_may_tell(rig->store));
    WAIT_FOR(rig->disk.all > calls); /* and it said so */
    ticket = rig_append(rig, 7, 2);
    WAIT_FOR(store_progress(rig->store).appended == ticket);
    release(rig);
    relay_close(relay);
}

static void a_database_that_starts_again_is_used_again(void **state) { /* F19 */
    (void)state;
    if (!has_database)
        skip();
    RigFound found[2];
    Rig *rig = node(1, database.folder);
    rig_must_open(rig);
    uint64_t ticket = rig_append(rig, 7, 1);
    WAIT_FOR(store_progress(rig->store).appended == ticket);
    database_kill(&database);
    ticket = rig_append(rig, 7, 2);
    rig_finish(rig, 8);
    rig_pause_ms(300);
    assert_true(store_progress(rig->store).appended == 1);
    assert_int_equal(store_archive_read(rig->store, 8, NULL, 0, &(size_t){0}), STORE_BUSY);
    database_start(&database);
    WAIT_FOR(store_progress(rig->store).appended == ticket);
    WAIT_FOR(store_progress(rig->store).finished == 1);
    assert_true(rig_archived(rig, 8));
    rig_close(rig);
    rig_must_open(rig);
    assert_int_equal(rig_found(rig, found, 2), 1);
    assert_true(found[0].records == 2);
    release(rig);
}

/* --- Failpoints: killed at every durable step ------------------------------------------------- */

#ifdef MASH_FAULTS
/* What the killed process does: matches begin, continue and end, others come from a node that is
 * gone, and at the end it hands over. What was announced goes to the pipe: match and sequence. */
static void live(int out) {
    Rig *rig = node(1, database.folder);
    rig->setup.silence_ms = 200;
    if (!rig_open(rig))
        _exit(1);
    for (uint64_t match = 1; match <= 4; match++)
        for (uint32_t sequence = 1; sequence <= 3; sequence++) {
            uint64_t told[] = {match, sequence}, ticket = rig_append(rig, match, sequence);
            while (store_progress(rig->store).appended < ticket)
                rig_pause_ms(1);
            if (write(out, told, sizeof told) != sizeof told)
                _exit(1);
        }
    rig_finish(rig, 2);
    while (store_progress(rig->store).finished < 1 || store_progress(rig->store).arrived < 3)
        rig_pause_ms(1);
    store_hand_over(rig->store);
    while (!store_progress(rig->store).handed_over)
        rig_pause_ms(1);
    _exit(0);
}

/* Runs live() with a fault, and checks afterwards that a node that comes up, or takes over, has
 * everything that was announced. True = the fault fired. */
static bool die_at(const char *point, uint32_t number) {
    static RigFound found[64];
    char fault[64];
    int ends[2], status;
    uint64_t told[2], records[8] = {0};
    asked("truncate node, match, journal, archive, archive_player");
    asked("insert into node(id, epoch, url) values (2, 5, '')"); /* silent */
    asked("insert into match select 900000 + i, 100 + i, 2, 0 from generate_series(1, 3) i");
    asked("insert into journal select n, 1, 0, 0, 'x' from match");
    snprintf(fault, sizeof fault, "%s:%u", point, number);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        setenv("MASH_FAULT", fault, 1);
        live(ends[1]);
    }
    close(ends[1]);
    while (read(ends[0], told, sizeof told) == sizeof told)
        records[told[0]] = told[1];
    close(ends[0]);
    waitpid(child, &status, 0);
    Rig *rig = node(3, database.folder);
    rig->setup.silence_ms = 200;
    rig_must_open(rig);
    WAIT_FOR(strcmp(asked("select count(*) from match where node <> 3"), "0") == 0);
    WAIT_FOR(store_stats(rig->store).matches ==
             strtoull(asked("select count(*) from match"), NULL, 10));
    uint32_t count = rig_found(rig, found, 64), taken = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(found[i].gapless && found[i].health == STORE_WHOLE);
        if (found[i].match < 100)
            assert_true(found[i].right && found[i].records >= records[found[i].match]);
        taken += found[i].match > 100;
    }
    for (uint64_t match = 1; match <= 4; match++) {
        bool open = false;
        for (uint32_t i = 0; i < count; i++)
            open = open || found[i].match == match;
        bool over = rig_archived(rig, match);
        assert_true(records[match] == 0 || open != over); /* one of them, never neither */
        assert_true(!over || match == 2);
    }
    assert_int_equal(taken, 3);
    release(rig);
    return WIFSIGNALED(status);
}

static void killed_at_every_durable_step(void **state) { /* F1, F16 */
    (void)state;
    if (!has_database)
        skip();
    static const char *const points[] = {"before_group",  "after_group", "before_announce",
                                         "before_raise",  "after_raise", "before_take",
                                         "after_take",    "after_fetch", "before_archive",
                                         "after_archive", "before_give", "after_give"};
    const char *all = getenv("MASH_EVERY_BYTE");
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        /* The short form is killed at each place once, the long one until none fires. */
        uint32_t number = 1;
        bool fired = die_at(points[i], number);
        if (!fired)
            fail_msg("%s is never reached", points[i]);
        while (fired && all != NULL)
            fired = die_at(points[i], ++number);
    }
}
#endif

/* --- Two machines (F5, F6, copies) ------------------------------------------------------------ */

static void the_loss_of_the_primary_loses_nothing(void **state) { /* F5, F6 */
    (void)state;
    if (!has_database)
        skip();
    Database a, b;
    RigFound found[2];
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    if (!database_open(&a))
        skip();
    assert_true(database_open_standby(&b, &a));
    Rig *rig = node(1, a.folder);
    snprintf(rig->place, sizeof rig->place, "postgres:host=%s,%s dbname=postgres user=mashup",
             a.folder, b.folder);
    assert_true(store_upgrade(rig->place, ignore, NULL, &problem));
    rig->setup.copies = 2;
    rig->setup.silence_ms = SILENCE_MS;
    rig_must_open(rig);
    uint64_t ticket = rig_append(rig, 7, 1);
    WAIT_FOR(store_progress(rig->store).appended == ticket);
    WAIT_FOR(store_stats(rig->store).copies == 2);
    /* F6: the standby is lost, and a manager switches synchronous replication off: commits return,
     * but nothing is announced. */
    database_kill(&b);
    database_ask(&a, "postgres", "alter system set synchronous_standby_names = ''");
    database_ask(&a, "postgres", "select pg_reload_conf()");
    ticket = rig_append(rig, 7, 2);
    WAIT_FOR(strcmp(database_ask(&a, "postgres", "select count(*) from journal"), "2") == 0);
    WAIT_FOR(store_stats(rig->store).copies == 1);
    assert_true(store_progress(rig->store).appended == 1);
    WAIT_FOR(store_frozen_ms(rig->store) > 300);
    assert_non_null(strstr(rig->lines, "there is 1 copy of the matches"));
    database_start(&b);
    WAIT_FOR(store_progress(rig->store).appended == ticket); /* now it has it */
    /* A standby that is connected counts only for what it has. */
    uint64_t frozen_ms = store_frozen_ms(rig->store);
    database_freeze(&b, true);
    ticket = rig_append(rig, 7, 3);
    WAIT_FOR(store_frozen_ms(rig->store) > frozen_ms + 300);
    assert_string_equal(database_ask(&a, "postgres", "select count(*) from journal"), "3");
    assert_true(store_progress(rig->store).appended == 2);
    database_freeze(&b, false);
    WAIT_FOR(store_progress(rig->store).appended == ticket);
    database_ask(&a, "postgres", "alter system set synchronous_standby_names = '*'");
    database_ask(&a, "postgres", "select pg_reload_conf()");
    WAIT_FOR(store_stats(rig->store).copies == 2);
    ticket = rig_append(rig, 7, 4);
    WAIT_FOR(store_progress(rig->store).appended == ticket);
    /* F5: the primary is lost; the standby has all that was announced, and goes on. */
    database_kill(&a);
    rig_append(rig, 7, 5);
    database_promote(&b);
    WAIT_FOR(strcmp(database_ask(&b, "postgres", "select count(*) from journal"), "5") == 0);
    assert_true(store_progress(rig->store).appended == 4); /* there is one copy */
    rig_close(rig);
    rig->setup.copies = 1;
    rig_must_open(rig);
    assert_int_equal(rig_found(rig, found, 2), 1);
    assert_true(found[0].records == 5 && found[0].right && found[0].gapless);
    release(rig);
    database_close(&a);
    database_close(&b);
}

/* A row may be visible on the primary that no standby has. The taker's own commit stands behind it,
 * so nothing is given out before that has returned. */
static void nothing_arrives_before_the_taking_is_committed(void **state) {
    (void)state;
    if (!has_database || getenv("MASH_EVERY_BYTE") == NULL) /* it waits for two time-outs */
        skip();
    Database a, b;
    RigFound found[2];
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    if (!database_open(&a))
        skip();
    assert_true(database_open_standby(&b, &a));
    Rig *first = node(1, a.folder), *second = node(2, a.folder);
    assert_true(store_upgrade(first->place, ignore, NULL, &problem));
    second->setup.silence_ms = 20 * SILENCE_MS; /* it looks each second, and beats each fourth */
    rig_must_open(first);
    uint64_t ticket = rig_append(first, 7, 1);
    WAIT_FOR(store_progress(first->store).appended == ticket);
    release(first);
    rig_must_open(second);
    WAIT_FOR(store_stats(second->store).copies == 2); /* it has beaten and looked */
    database_freeze(&b, true);
    database_ask(&a, "postgres",
                 "set synchronous_commit = local; update node set epoch = epoch + 1, "
                 "state = 'gone' where id = 1");
    WAIT_FOR(strstr(second->lines, "the connection to the database is lost") != NULL);
    assert_true(store_progress(second->store).arrived == 0);
    assert_int_equal(rig_found(second, found, 2), 0);
    database_freeze(&b, false);
    WAIT_FOR(store_progress(second->store).arrived == 1);
    assert_int_equal(rig_found(second, found, 2), 1);
    assert_true(found[0].records == 1 && found[0].right);
    release(second);
    database_close(&a);
    database_close(&b);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up_tables)

/* An argument is a pattern: only tests with such a name run. */
int main(int count, char **words) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_store_without_tables_says_how_to_make_them, set_up),
        cmocka_unit_test_setup(tables_are_upgraded_and_newer_ones_refused, set_up),
        TEST(unsafe_settings_are_named_with_what_mends_them),
        TEST(a_role_that_sees_no_standbys_is_named),
        TEST(the_same_number_twice_deposes_the_first),
        TEST(a_deposed_node_archives_nothing),
        TEST(different_bytes_for_one_record_are_an_error),
        TEST(the_same_match_twice_is_an_error),
        TEST(the_matches_of_a_killed_node_go_on_elsewhere),
        TEST(a_stopped_node_finds_out_that_it_is_replaced),
        TEST(a_node_that_comes_up_again_has_its_matches_back),
        TEST(a_node_that_takes_many_matches_beats_meanwhile),
        TEST(a_node_that_finds_many_matches_beats_meanwhile),
        TEST(nobody_is_sent_to_a_node_that_may_be_lost),
        TEST(two_takers_share_and_none_has_it_twice),
        TEST(nobody_takes_more_than_it_has_room_for),
        TEST(a_node_that_hands_over_leaves_nothing_behind),
        TEST(where_a_match_is),
        TEST(documents_are_shared),
        TEST(players_wait_at_one_node),
        TEST(an_answer_that_is_lost_is_asked_about),
        TEST(a_group_that_is_cut_is_sent_again),
        TEST(a_node_that_hears_nothing_tells_nothing),
        TEST(a_database_that_starts_again_is_used_again),
#ifdef MASH_FAULTS
        TEST(killed_at_every_durable_step),
#endif
        TEST(the_loss_of_the_primary_loses_nothing),
        TEST(nothing_arrives_before_the_taking_is_committed),
    };
    if (count > 1)
        cmocka_set_test_filter(words[1]);
    has_database = database_open(&database);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    database_close(&database);
    return failed;
}
