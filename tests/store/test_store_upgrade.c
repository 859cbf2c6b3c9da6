/* test_store_upgrade.c -- tables of every version that had accounts, with something in them, are
 * brought up to date and keep it; and several operators who do that at once. Against a real
 * PostgreSQL. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/accounts.h"
#include "store/resting.h"
#include "tests/store/database.h"
#include "tests/store/fixture.h"

static Database database;
static bool has_database;
static char place[256];

static const char *asked(const char *sql) { return database_ask(&database, "postgres", sql); }

/* What an upgrade says, or why it failed. */
typedef struct Upgrade {
    pthread_t thread;
    bool done;
    char said[512];
} Upgrade;

static void keep(void *owner, const char *sentence) {
    snprintf(((Upgrade *)owner)->said, sizeof((Upgrade *)owner)->said, "%s", sentence);
}

static void *run(void *what) {
    Upgrade *upgrade = what;
    char memory[512] = "";
    MashText problem = text_over(memory, sizeof memory);
    upgrade->said[0] = '\0';
    upgrade->done = store_upgrade(place, keep, upgrade, &problem);
    if (!upgrade->done)
        snprintf(upgrade->said, sizeof upgrade->said, "%s", memory);
    return NULL;
}

/* Both succeed, and one of them has done it. */
static void several_upgrade_at_once(void **unused) {
    (void)unused;
    enum { ROUNDS = 8, MANY = 3 };
    if (!has_database)
        skip();
    for (int round = 0; round < ROUNDS; round++) {
        Upgrade list[MANY];
        uint32_t made = 0;
        database_empty(&database);
        for (int i = 0; i < MANY; i++)
            assert_int_equal(pthread_create(&list[i].thread, NULL, run, &list[i]), 0);
        for (int i = 0; i < MANY; i++)
            pthread_join(list[i].thread, NULL);
        for (int i = 0; i < MANY; i++) {
            if (!list[i].done)
                fail_msg("round %d: %s", round, list[i].said);
            made += strstr(list[i].said, "before: 0") != NULL;
        }
        assert_int_equal(made, 1);
    }
}

/* What leads from each version back to the one before. */
static const char *const backwards[] = {
    [5] =
        "drop table notice, relation, challenge, report; drop index account_by_owner; alter table "
        "account drop column owner; alter table days drop column told0, drop column told1",
    [6] = "drop index rating_by_rank, rating_by_certainty; create index rating_by_rank on rating "
          "(game, pace, program, rating) where certain_ms > 0",
    [7] = "alter table played drop column opening",
    [8] = "drop table left_match",
    [9] = "drop function account_erase; drop table gone, named, erased",
};
enum { FIRST = 4, NEWEST = sizeof backwards / sizeof *backwards - 1 };

/* The account, its rating, match and match over days are there. */
static void check(void) {
    static StoreRating ratings[STORE_RATINGS_MAX];
    StoreAccount account;
    StorePlayed played[2];
    StorePlayedFilter filter = {.account = 1, .pace = -1};
    StoreTurn turns[2];
    uint32_t count;
    Rig rig;
    rig_init(&rig);
    memcpy(rig.place, place, sizeof rig.place);
    rig.setup.single_threaded = false;
    rig.setup.node = 1;
    rig.setup.silence_ms = 60000;
    rig_must_open(&rig);
    assert_int_equal(store_account_named(rig.store, "ann", &account), STORE_OK);
    assert_int_equal(account.id, 1);
    assert_int_equal(store_ratings(rig.store, 1, ratings, &count), STORE_OK);
    assert_true(count == 1 && ratings[0].rating == 1600000000);
    assert_int_equal(store_played(rig.store, &filter, played, 2, &count), STORE_OK);
    assert_true(count == 1 && played[0].match == 9 && played[0].opening[0] == '\0');
    assert_int_equal(store_days_list(rig.store, 1, turns, 2, &count), STORE_OK);
    assert_true(count == 1 && turns[0].match == 7);
    rig_release(&rig);
}

static void every_version_keeps_what_it_has(void **unused) {
    (void)unused;
    Upgrade upgrade;
    char version[8];
    if (!has_database)
        skip();
    database_empty(&database);
    run(&upgrade);
    assert_true(upgrade.done);
    snprintf(version, sizeof version, "%d", NEWEST);
    assert_string_equal(asked("select format from house"), version);
    asked(
        "insert into account(id, name, folded, program, private, made_ms, renamed_ms, password) "
        "values (1, 'Ann', 'ann', 0, 0, 1, 0, '');"
        "insert into rating values (1, 'zorde', 1, 0, 1600000000, 1, 1, 5, 1, 1, 1, 1, 0, 0, 1, "
        "1);"
        "insert into played(account, ended_ms, match, seat, game, pace, other, other_name, result, "
        "rated, weight, rating, change) values (1, 5, 9, 0, 'zorde', 1, 0, 'X', 2, 1, 100, "
        "1600000000, 1);"
        "insert into days(match, session, generation, game, days, account0, account1, awaited, "
        "began0, began1, deadline0, deadline1, claimed_ms, records) values (7, 0, 0, 'zorde', 3, "
        "1, 2, 1, 1, 1, 9, 9, 0, 'x')");
    for (int first = NEWEST - 1; first >= FIRST; first--) {
        char sql[64];
        for (int from = NEWEST; from > first; from--)
            asked(backwards[from]);
        snprintf(sql, sizeof sql, "update house set format = %d", first);
        asked(sql);
        run(&upgrade);
        if (!upgrade.done)
            fail_msg("from version %d: %s", first, upgrade.said);
        assert_string_equal(asked("select format from house"), version);
        check();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(several_upgrade_at_once),
                                       cmocka_unit_test(every_version_keeps_what_it_has)};
    has_database = database_open(&database);
    snprintf(place, sizeof place, "postgres:host=%s dbname=postgres user=mashup", database.folder);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (has_database)
        database_close(&database);
    return failed;
}
