/* test_store_hosts.c -- which of several database machines a connection goes to: one that hangs,
 * one that refuses and one that was lost never keep it from one that works. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "store/accounts.h"
#include "store/postgres/link.h"
#include "tests/store/database.h"
#include "tests/store/fixture.h"

/* A time-out that no test waits for. */
#define FOR_EVER " connect_timeout=3600"

static Database first, second;
static bool has_databases;

/* A closed connection over these hosts. */
static DatabaseLink over(const char *where) {
    return (DatabaseLink){.where = where, .application = "mashup-test", .patience_ms = 60000};
}

/* Both servers as one store's address. */
static const char *both(const char *more) {
    static char where[200];
    snprintf(where, sizeof where, "host=%s,%s dbname=postgres user=mashup%s", first.folder,
             second.folder, more);
    return where;
}

/* A statement is not answered in time. */
static void lose(DatabaseLink *link) {
    PGresult *rows;
    link->patience_ms = 1;
    assert_int_equal(link_text(link, "select pg_sleep(60)", &rows), LINK_LOST);
    link->patience_ms = 60000;
}

static void a_machine_that_hangs_costs_nothing(void **state) {
    (void)state;
    if (!has_databases)
        skip();
    Database *all[] = {&first, &second};
    for (int hung = 0; hung < 2; hung++) {
        DatabaseLink link = over(both(FOR_EVER));
        database_freeze(all[hung], true);
        bool opened = link_open(&link);
        database_freeze(all[hung], false);
        assert_true(opened);
        assert_int_equal(link.host, 1 - hung);
        link_close(&link);
    }
}

static void a_host_that_did_not_answer_is_the_last_choice(void **state) {
    (void)state;
    if (!has_databases)
        skip();
    DatabaseLink link = over(both(FOR_EVER));
    assert_true(link_open(&link));
    for (int i = 0; i < 3; i++) {
        int before = link.host;
        lose(&link);
        assert_true(link_open(&link));
        assert_int_equal(link.host, 1 - before);
    }
    /* If the other one does not answer, it is used all the same. */
    Database *other = link.host == 0 ? &second : &first;
    int before = link.host;
    lose(&link);
    database_freeze(other, true);
    bool opened = link_open(&link);
    database_freeze(other, false);
    assert_true(opened);
    assert_int_equal(link.host, before);
    link_close(&link);
}

static void what_each_host_says_is_told(void **state) {
    (void)state;
    if (!has_databases)
        skip();
    DatabaseLink link = over("host=/nowhere,/elsewhere dbname=postgres user=mashup");
    assert_false(link_open(&link));
    assert_non_null(strstr(link.problem, "/nowhere"));
    assert_non_null(strstr(link.problem, "/elsewhere"));
    assert_null(strchr(link.problem, '\n'));
    /* One that refuses does not keep us from one that works, wherever it stands. */
    char where[256];
    snprintf(where, sizeof where, "postgresql://mashup@/postgres?host=/nowhere,%s", first.folder);
    link = over(where);
    assert_true(link_open(&link));
    assert_int_equal(link.host, 1);
    link_close(&link);
    size_t count = (size_t)snprintf(where, sizeof where, "postgresql://mashup@%%2Fnowhere,");
    for (const char *at = first.folder; *at != '\0'; at++)
        count +=
            (size_t)snprintf(where + count, sizeof where - count, *at == '/' ? "%%2F" : "%c", *at);
    snprintf(where + count, sizeof where - count, "/postgres"); /* two ports, neither given */
    link = over(where);
    assert_true(link_open(&link));
    assert_int_equal(link.host, 1);
    link_close(&link);
    link = over("host=a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q");
    assert_false(link_open(&link));
    assert_non_null(strstr(link.problem, "too many hosts"));
    link = over("nonsense=1");
    assert_false(link_open(&link));
    assert_non_null(strstr(link.problem, "nonsense"));
}

static void a_machine_that_never_answers_is_named(void **state) {
    (void)state;
    if (!has_databases)
        skip();
    char where[256], said[256];
    snprintf(where, sizeof where, "host=%s dbname=postgres user=mashup connect_timeout=1",
             first.folder);
    DatabaseLink link = over(where);
    database_freeze(&first, true);
    bool opened = link_open(&link);
    database_freeze(&first, false);
    assert_false(opened);
    snprintf(said, sizeof said, "no answer from %s within 1000 ms", first.folder);
    assert_string_equal(link.problem, said);
}

static void a_question_goes_to_the_machine_that_is_asked_for(void **state) {
    (void)state;
    if (!has_databases)
        skip();
    for (int host = 0; host < 2; host++) {
        DatabaseLink link = over(both(FOR_EVER));
        link.only = host + 1;
        assert_true(link_open(&link));
        assert_int_equal(link.host, host);
        /* It is the only one that will do, even if it did not answer in time. */
        lose(&link);
        assert_true(link_open(&link));
        assert_int_equal(link.host, host);
        link_close(&link);
    }
}

static void ignore(void *owner, const char *sentence) {
    (void)owner;
    (void)sentence;
}

/* An old primary that runs on stands before the one at which the node beats: accounts are written
 * and read at the latter. */
static void accounts_are_where_the_node_beats(void **state) {
    (void)state;
    if (!has_databases)
        skip();
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    StoreAccount account = {.id = 1, .name = "Ann", .folded = "ann", .made_ms = 1}, found;
    uint8_t key[STORE_HASH_BYTES] = {1};
    const Database *list[] = {&first, &second};
    Rig rig;
    rig_init(&rig);
    for (int i = 0; i < 2; i++) {
        snprintf(rig.place, sizeof rig.place, "postgres:host=%s dbname=postgres user=mashup",
                 list[i]->folder);
        assert_true(store_upgrade(rig.place, ignore, NULL, &problem));
    }
    snprintf(rig.place, sizeof rig.place, "postgres:%s", both(FOR_EVER));
    rig.setup.single_threaded = false;
    rig.setup.node = 1;
    rig.setup.silence_ms = 60000;
    database_freeze(&first, true);
    rig_must_open(&rig);
    WAIT_FOR(strcmp(database_ask(&second, "postgres", "select beat > 0 from node"), "t") == 0);
    database_freeze(&first, false);
    database_ask(&first, "postgres", "select 1"); /* it answers again */
    assert_int_equal(store_account_make(rig.store, &account, key), STORE_OK);
    assert_int_equal(store_account_find(rig.store, 1, &found), STORE_OK);
    assert_string_equal(database_ask(&first, "postgres", "select count(*) from account"), "0");
    assert_string_equal(database_ask(&second, "postgres", "select count(*) from account"), "1");
    rig_release(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accounts_are_where_the_node_beats),
        cmocka_unit_test(a_machine_that_hangs_costs_nothing),
        cmocka_unit_test(a_host_that_did_not_answer_is_the_last_choice),
        cmocka_unit_test(what_each_host_says_is_told),
        cmocka_unit_test(a_machine_that_never_answers_is_named),
        cmocka_unit_test(a_question_goes_to_the_machine_that_is_asked_for),
    };
    has_databases = database_open(&first) && database_open(&second);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (has_databases) {
        database_close(&first);
        database_close(&second);
    }
    return failed;
}
