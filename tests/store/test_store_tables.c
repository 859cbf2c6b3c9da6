/* test_store_tables.c -- the tables that the nodes of a PostgreSQL store write for each other:
 * lists, finding one by number and by key, rows of nodes that are lost; a record that two have
 * written; and the way from tables of version 1 to those of today, with a node of the old program
 * that goes on. Against a real PostgreSQL. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/postgres/postgres.h"
#include "tests/store/database.h"
#include "tests/store/fixture.h"

static Database database;
static bool has_database;

static void ignore(void *owner, const char *sentence) {
    (void)owner;
    (void)sentence;
}

/* What the database says. */
static const char *asked(const char *sql) { return database_ask(&database, "postgres", sql); }

/* Brings the tables of a node's database up to date. */
static void upgrade(const Rig *rig) {
    char memory[512] = "";
    MashText problem = text_over(memory, sizeof memory);
    assert_true(store_upgrade(rig->place, ignore, NULL, &problem));
}

/* A node of this number over the test's database. */
static Rig *node(uint32_t number) {
    Rig *rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig_init(rig);
    snprintf(rig->place, sizeof rig->place, "postgres:host=%s dbname=postgres user=mashup",
             database.folder);
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

/* Two nodes over empty tables. */
static Rig *one, *two;

static int set_up(void **state) {
    (void)state;
    if (!has_database)
        return 0;
    database_empty(&database);
    one = node(1);
    two = node(2);
    upgrade(one);
    one->setup.peer = ":1218";
    two->setup.url = "wss://play.example/arena?node=2";
    two->setup.peer = "10.0.0.2:1218";
    rig_must_open(one);
    rig_must_open(two);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    if (has_database) {
        release(one);
        release(two);
    }
    return 0;
}

/* A listed table of the game `zorde` that is newer the greater its number is. */
static StoreTable table_of(uint64_t number, uint8_t state, const char *bytes) {
    StoreTable table = {.match = number,
                        .rank = -(int64_t)number,
                        .state = state,
                        .listed = true,
                        .game = "zorde",
                        .bytes = bytes,
                        .count = bytes == NULL ? 0 : strlen(bytes)};
    return table;
}

static void publish(const Rig *rig, StoreTable table) {
    assert_int_equal(store_publish(rig->store, &table, 1), STORE_OK);
}

/* The bytes of all listed tables behind a state and rank, in order, with blanks between them. */
static const char *listed(const Rig *rig, const char *game, uint8_t state, int64_t rank) {
    static char all[256];
    StoreTable tables[8];
    uint32_t count;
    char *memory;
    StoreTablePage page = {game, state, rank};
    assert_int_equal(store_tables(rig->store, &page, tables, 8, &count, &memory), STORE_OK);
    all[0] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        strcat(all, i > 0 ? " " : "");
        strncat(all, tables[i].bytes, tables[i].count);
    }
    free(memory);
    return all;
}

static void all_nodes_list_the_tables_of_all(void **state) {
    (void)state;
    if (!has_database)
        skip();
    publish(one, table_of(5, 1, "five"));
    publish(two, table_of(6, 0, "six"));
    publish(one, table_of(7, 0, "seven"));
    StoreTable hidden = table_of(8, 0, "eight"), other = table_of(9, 0, "nine");
    hidden.listed = false;
    snprintf(other.game, sizeof other.game, "arena");
    publish(two, hidden);
    publish(two, other);
    assert_string_equal(listed(one, NULL, 0, INT64_MIN), "nine seven six five");
    assert_string_equal(listed(two, NULL, 0, INT64_MIN), "nine seven six five");
    assert_string_equal(listed(two, "zorde", 0, INT64_MIN), "seven six five");
    assert_string_equal(listed(two, NULL, 0, -7), "six five"); /* the next page */
    publish(one, table_of(7, 1, "seven runs"));
    publish(two, table_of(9, 0, NULL));
    publish(two, table_of(5, 0, NULL)); /* not its own: it stays */
    assert_string_equal(listed(two, NULL, 0, INT64_MIN), "six seven runs five");
}

static void a_statement_writes_many_tables_at_once(void **state) {
    (void)state;
    if (!has_database)
        skip();
    StoreTable tables[] = {table_of(1, 0, "one"), table_of(2, 0, "two"), table_of(3, 0, "three")};
    assert_int_equal(store_publish(one->store, tables, 3), STORE_OK);
    tables[0] = table_of(1, 0, NULL);
    tables[1] = table_of(2, 1, "two!");
    assert_int_equal(store_publish(one->store, tables, 2), STORE_OK);
    assert_string_equal(listed(two, NULL, 0, INT64_MIN), "three two!");
}

static void rows_of_a_node_that_is_gone_never_show(void **state) {
    (void)state;
    if (!has_database)
        skip();
    publish(one, table_of(5, 0, "five"));
    publish(two, table_of(6, 0, "six"));
    asked("update node set epoch = epoch + 1, state = 'gone' where id = 1"); /* it was replaced */
    assert_string_equal(listed(two, NULL, 0, INT64_MIN), "six");
    publish(one, table_of(7, 0, "seven")); /* and does not know it yet */
    assert_string_equal(listed(two, NULL, 0, INT64_MIN), "six");
    publish(two, table_of(5, 0, "five again")); /* the other has taken it */
    assert_string_equal(listed(two, NULL, 0, INT64_MIN), "six five again");
    publish(one, table_of(5, 0, "old five")); /* a replaced node writes nothing any more */
    assert_string_equal(listed(two, NULL, 0, INT64_MIN), "six five again");
    asked("insert into lobby select 99, 1, 0, 0, true, 'x', 0, '{0,0}', '{}', 'x'");
    rig_close(one);
    rig_must_open(one); /* coming up again removes what counts no more */
    assert_string_equal(asked("select count(*) from lobby where id = 99"), "0");
    assert_string_equal(listed(two, NULL, 0, INT64_MIN), "six five again");
}

/* Asks for a table; its place, or the status. */
static StoreStatus find(const Rig *rig, uint64_t number, uint64_t key, uint32_t states,
                        StorePlace *place) {
    StoreTable table;
    StoreTableQuestion question = {number, key, states};
    char *memory;
    StoreStatus status = store_table(rig->store, &question, &table, place, &memory);
    if (status == STORE_OK)
        assert_memory_equal(table.bytes, "six", 3);
    free(memory);
    return status;
}

static void a_table_is_found_by_number_and_by_key(void **state) {
    (void)state;
    if (!has_database)
        skip();
    StorePlace place;
    StoreTable six = table_of(6, 1, "six");
    six.keys[0] = 71;
    six.keys[2] = UINT64_C(0xFFFFFFFFFFFFFFF3);
    six.listed = false;
    publish(two, six);
    assert_int_equal(find(one, 6, 0, 0, &place), STORE_OK);
    assert_true(place.node == 2 && place.open && !place.here);
    assert_string_equal(place.url, "wss://play.example/arena?node=2");
    assert_string_equal(place.peer, "10.0.0.2:1218");
    assert_int_equal(find(one, 0, 71, 1 << 1, &place), STORE_OK);
    assert_int_equal(find(one, 0, six.keys[2], 3, &place), STORE_OK);
    assert_int_equal(find(one, 0, 71, 1 << 0, &place), STORE_UNKNOWN); /* it does not wait */
    assert_int_equal(find(one, 0, 72, 3, &place), STORE_UNKNOWN);
    assert_int_equal(find(one, 7, 0, 0, &place), STORE_UNKNOWN);
    /* The other takes it, and knows fewer keys: it is found by all of them all the same. */
    six.keys[2] = 0;
    publish(one, six);
    assert_int_equal(find(two, 0, UINT64_C(0xFFFFFFFFFFFFFFF3), 3, &place), STORE_OK);
    assert_true(place.node == 1 && !place.here);
    assert_string_equal(place.peer, "127.0.0.1:1218"); /* over a socket there is no address */
}

/* While the matches of a lost node are on their way, their rows are those of the lost node: where
 * they are is what the owner of the match says. */
static void a_match_is_where_its_owner_is(void **state) {
    (void)state;
    if (!has_database)
        skip();
    StorePlace place;
    rig_append(two, 6, 1);
    WAIT_FOR(store_progress(two->store).appended >= 1);
    StoreTable six = table_of(6, 1, "six");
    six.keys[1] = 71;
    publish(two, six);
    asked("update node set epoch = epoch + 1, state = 'gone' where id = 2");
    assert_int_equal(find(one, 0, 71, 2, &place), STORE_OK);
    assert_true(place.node == 2 && !place.open);
    asked("update match set node = 1");
    assert_int_equal(find(one, 0, 71, 2, &place), STORE_OK);
    assert_true(place.node == 1 && place.here && place.open);
}

/* --- Two writers ------------------------------------------------------------------------------ */

/* A record that is there already is our own, from before, only if everything in it is the same. */
static void a_record_that_differs_in_anything_is_an_error(void **state) {
    (void)state;
    if (!has_database)
        skip();
    static const struct {
        uint64_t later_ms;
        uint32_t kind, flipped, longer;
    } changes[] = {{.later_ms = 1}, {.kind = 1}, {.flipped = 1}, {.longer = 1}};
    for (uint32_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint8_t payload[RIG_PAYLOAD_MAX] = {0};
        char statement[2 * RIG_PAYLOAD_MAX + 200], failure[100];
        uint32_t count, match = 7 + i;
        uint64_t ticket = rig_append(one, match, 1);
        WAIT_FOR(store_progress(one->store).appended == ticket);
        rig_payload(match, 2, payload, &count);
        assert_true(count > 0 && count < RIG_PAYLOAD_MAX);
        payload[count - 1] ^= (uint8_t)changes[i].flipped;
        MashText text = text_over(statement, sizeof statement);
        text_string(&text, "insert into journal select n, 2, ");
        text_int(&text, (int64_t)(RIG_TIME_MS + 2 + changes[i].later_ms));
        text_format(&text, ", %u, '\\x", 2 + changes[i].kind);
        for (uint32_t byte = 0; byte < count + changes[i].longer; byte++)
            text_hex(&text, payload[byte], 2);
        text_format(&text, "' from match where id = %u", match);
        asked(statement);
        rig_append(one, match, 2);
        WAIT_FOR(store_progress(one->store).failure != NULL);
        snprintf(failure, sizeof failure, "TWO WRITERS: record 2 of match %016x", match);
        assert_non_null(strstr(store_progress(one->store).failure, failure));
        rig_close(one);
        rig_must_open(one);
    }
}

/* --- From version 1 --------------------------------------------------------------------------- */

/* The tables of version 1, as that program made them, with a node that runs, its match and a
 * finished one. */
static const char version_1[] =
    "create table house (one bool primary key default true check (one), format int4 not null);"
    "insert into house(format) values (1);"
    "create table node (id int4 primary key, epoch int8 not null, beat int8 not null default 0,"
    " url text not null, load int4 not null default 0, state text not null default 'open'"
    " check (state in ('open', 'gone'))) with (fillfactor = 50);"
    "create sequence match_number;"
    "create table match (n int8 primary key, id int8 not null unique, node int4 not null,"
    " begun_ms int8 not null);"
    "create index match_by_node on match (node);"
    "create table journal (n int8 not null, seq int4 not null, at_ms int8 not null,"
    " kind int4 not null, bytes bytea not null, primary key (n, seq))"
    " with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);"
    "create table archive (id int8 primary key, started_ms int8 not null, ended_ms int8 not null,"
    " game bytea not null, players bytea not null, winner int4 not null, reason bytea not null,"
    " actions int8 not null, private bool not null, file bytea not null);"
    "create index archive_by_end on archive (ended_ms, id) where not private;"
    "create index archive_by_game on archive (game, ended_ms, id) where not private;"
    "create index archive_by_age on archive (ended_ms, id) include (private);"
    "create table archive_player (id int8 not null references archive on delete cascade,"
    " name bytea not null, game bytea not null, ended_ms int8 not null, primary key (id, name));"
    "create index archive_player_by_name on archive_player (name, ended_ms, id);"
    "create index archive_player_by_game on archive_player (name, game, ended_ms, id);"
    "create table document (name text primary key, version int8 not null, bytes bytea not null);"
    "create table waiting (key int8 primary key, node int4 not null);"
    "insert into node(id, epoch, url) values (7, 3, 'ws://seven');"
    "insert into match values (nextval('match_number'), 70, 7, 1000);"
    "insert into journal values (1, 1, 1000, 1, 'begins');"
    "insert into archive values (5, 1, 2, 'zorde', '', 0, 'won', 9, false, 'file');";

static void a_database_of_version_1_is_brought_up_to_date(void **state) {
    (void)state;
    if (!has_database)
        skip();
    Rig *rig = node(1);
    StorePlace place;
    char file[8];
    size_t count;
    database_empty(&database);
    asked(version_1);
    assert_false(rig_open(rig));
    assert_string_equal(rig->problem,
                        "the tables of the database are of version 1 and this program needs "
                        "version 9: run `mashup admin store upgrade --store ...` first; nodes that "
                        "are running go on meanwhile");
    upgrade(rig);
    assert_string_equal(asked("select format from house"), "9");
    rig_must_open(rig);
    assert_int_equal(store_where(rig->store, 70, &place), STORE_OK);
    assert_true(place.node == 7 && place.open);
    assert_string_equal(place.peer, ""); /* the old program does not say */
    assert_int_equal(store_archive_read(rig->store, 5, file, sizeof file, &count), STORE_OK);
    assert_memory_equal(file, "file", 4);
    /* The old program's node goes on: its statements, as it has them. */
    assert_string_equal(asked("update node set beat = beat + 1, load = 1 where id = 7 and epoch = "
                              "3 returning beat"),
                        "1");
    asked("with me as (select 1 from node where id = 7 and epoch = 3 for share) insert into "
          "journal select 1, 2, 1001, 2, 'acts' from me");
    assert_string_equal(asked("insert into node(id, epoch, url) values (7, 1, 'ws://seven') on "
                              "conflict (id) do update set epoch = node.epoch + 1, beat = 0, url = "
                              "excluded.url, state = 'open' returning epoch"),
                        "4");
    /* It is lost, and the new program takes its match with all records. */
    asked("update node set epoch = 5, state = 'gone' where id = 7");
    StoreMatch match;
    WAIT_FOR(store_progress(rig->store).arrived > 0);
    assert_true(store_next_match(rig->store, &match));
    assert_true(match.match == 70 && match.records == 2 && match.health == STORE_WHOLE);
    release(rig);
}

/* How large the archive is, as the store asks for it, and as it is. */
static void check_size(const char *bytes) {
    const LinkStatement *size = keeper_statements;
    char sql[256];
    while (strcmp(size->name, "archive_bytes") != 0)
        size++;
    assert_string_equal(asked(size->sql), bytes);
    assert_string_equal(asked("select coalesce(sum(octet_length(file)), 0) from archive"), bytes);
    snprintf(sql, sizeof sql, "explain (format json) %s", size->sql);
    assert_non_null(strstr(asked(sql), "\"Relation Name\": \"archive_size\""));
    assert_null(strstr(asked(sql), "\"Relation Name\": \"archive\""));
}

static void the_size_of_the_archive_is_known_without_reading_it(void **state) {
    (void)state;
    if (!has_database)
        skip();
    Rig *rig = node(1);
    database_empty(&database);
    asked(version_1); /* with a file of 4 bytes, which was there before */
    upgrade(rig);
    check_size("4");
    rig_must_open(rig);
    for (uint64_t match = 1; match <= 3; match++) {
        StoreEntry entry = rig_entry(match);
        uint64_t ticket;
        rig_append(rig, match, 1);
        assert_int_equal(store_finish(rig->store, &entry, "0123456789", 10, &ticket), STORE_OK);
    }
    WAIT_FOR(store_progress(rig->store).finished >= 3);
    check_size("34");
    asked("insert into archive values (5, 1, 2, 'zorde', '', 0, 'won', 9, false, 'again') on "
          "conflict do nothing");
    check_size("34");
    store_prune(rig->store, &(StorePrune){.bytes_max = 15});
    WAIT_FOR(store_stats(rig->store).archive_bytes == 10);
    check_size("10");
    release(rig);
}

/* What other programs wrote into the archive is cut to its bounds. */
static void an_archive_is_not_trusted(void **state) {
    (void)state;
    if (!has_database)
        skip();
    StoreEntry entry;
    uint32_t count;
    asked("insert into archive select 7, 1, 2, convert_to(repeat('g', 100), 'UTF8'), "
          "string_agg(convert_to(repeat('n', 62 + i), 'UTF8') || '\\x00'::bytea || "
          "convert_to(repeat('r', 14 + i), 'UTF8') || '\\x00'::bytea, ''::bytea order by i), 1, "
          "convert_to(repeat('w', 64), 'UTF8'), 9, false, 'file' from generate_series(0, 5) i");
    assert_int_equal(store_archive_list(one->store, &(StoreFilter){0}, &entry, 1, &count),
                     STORE_OK);
    assert_int_equal(count, 1);
    assert_int_equal(strlen(entry.game), STORE_GAME_BYTES - 1);
    assert_int_equal(strlen(entry.reason), STORE_REASON_BYTES - 1);
    assert_int_equal(entry.players_count, STORE_PLAYERS_MAX);
    for (uint32_t i = 0; i < STORE_PLAYERS_MAX; i++) {
        assert_int_equal(strlen(entry.players[i].name), i == 0 ? 62 : STORE_NAME_BYTES - 1);
        assert_int_equal(strlen(entry.players[i].role), i == 0 ? 14 : STORE_ROLE_BYTES - 1);
    }
    assert_true(entry.match == 7 && entry.started_ms == 1 && entry.ended_ms == 2);
    assert_true(entry.winner == 1 && entry.actions == 9 && entry.bytes == 4);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(all_nodes_list_the_tables_of_all),
        TEST(a_statement_writes_many_tables_at_once),
        TEST(rows_of_a_node_that_is_gone_never_show),
        TEST(a_table_is_found_by_number_and_by_key),
        TEST(a_match_is_where_its_owner_is),
        TEST(a_record_that_differs_in_anything_is_an_error),
        TEST(an_archive_is_not_trusted),
        cmocka_unit_test(a_database_of_version_1_is_brought_up_to_date),
        cmocka_unit_test(the_size_of_the_archive_is_known_without_reading_it),
    };
    has_database = database_open(&database);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    database_close(&database);
    return failed;
}
