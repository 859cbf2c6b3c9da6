/* test_store_accounts.c -- accounts, keys, ratings and counted matches, by the same tests over the
 * embedded store and over a real PostgreSQL; and a process that makes and counts them is killed
 * with SIGKILL at random times: what it reported is there, and nothing counts twice. MASH_KILLS is
 * the number of kills (12). */
#define _XOPEN_SOURCE 700
#include <postgresql/libpq-fe.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/chance.h"
#include "store/accounts.h"
#include "store/relations.h"
#include "tests/store/both_kinds.h"

/* Closes and opens the store. */
static void again(Rig *rig) {
    rig_close(rig);
    if (!rig_open(rig))
        fail_msg("%s", rig->problem);
}

/* A hash that follows from a number. */
static const uint8_t *hash_of(uint32_t number) {
    static uint8_t hashes[8][STORE_HASH_BYTES];
    uint8_t *hash = hashes[number % 8];
    memset(hash, 0, STORE_HASH_BYTES);
    memcpy(hash, &number, sizeof number);
    return hash;
}

/* An account whose name follows from its id. */
static StoreAccount account_of(uint64_t id) {
    StoreAccount account = {.id = id, .made_ms = 1000 + id};
    snprintf(account.name, sizeof account.name, "Player %d", (int)id);
    snprintf(account.folded, sizeof account.folded, "player%d", (int)id);
    return account;
}

static void make(Rig *rig, uint64_t id) {
    StoreAccount account = account_of(id);
    assert_int_equal(store_account_make(rig->store, &account, hash_of((uint32_t)id)), STORE_OK);
}

/* --- Accounts --------------------------------------------------------------------------------- */

static void an_account_is_found_by_id_name_and_key(Rig *rig) {
    StoreAccount found;
    StoreKeyKind kind;
    uint64_t total;
    make(rig, 7);
    make(rig, 8);
    again(rig);
    assert_int_equal(store_account_find(rig->store, 7, &found), STORE_OK);
    assert_string_equal(found.name, "Player 7");
    assert_true(found.id == 7 && found.made_ms == 1007 && !found.program && !found.is_private);
    assert_int_equal(found.password_bytes, 0);
    assert_int_equal(store_account_named(rig->store, "player8", &found), STORE_OK);
    assert_true(found.id == 8);
    assert_int_equal(store_account_named(rig->store, "Player 8", &found), STORE_UNKNOWN);
    assert_int_equal(store_account_of_key(rig->store, hash_of(7), 1, &found, &kind), STORE_OK);
    assert_true(found.id == 7 && kind == STORE_KEY_DEVICE);
    assert_int_equal(store_account_of_key(rig->store, hash_of(9), 1, &found, &kind), STORE_UNKNOWN);
    assert_int_equal(store_account_find(rig->store, 9, &found), STORE_UNKNOWN);
    assert_int_equal(store_accounts_count(rig->store, &total), STORE_OK);
    assert_true(total == 2);
}

static void names_and_keys_are_taken_once(Rig *rig) {
    StoreAccount other = account_of(7), found;
    make(rig, 7);
    assert_int_equal(store_account_make(rig->store, &other, hash_of(7)), STORE_OK); /* again */
    other.id = 8;
    assert_int_equal(store_account_make(rig->store, &other, hash_of(8)), STORE_TAKEN);
    other = account_of(8);
    assert_int_equal(store_account_make(rig->store, &other, hash_of(7)), STORE_TAKEN);
    assert_int_equal(store_account_find(rig->store, 8, &found), STORE_UNKNOWN);
    make(rig, 8);
    const StoreAccount was = other;
    memcpy(other.folded, "player7", 8);
    assert_int_equal(store_account_change(rig->store, &was, &other), STORE_TAKEN);
    memset(other.folded, 0, sizeof other.folded);
    memset(other.name, 0, sizeof other.name);
    memcpy(other.folded, "other", 6);
    memcpy(other.name, "O\xc3\xa4", 4);
    memcpy(other.password, "salt and hash", 13);
    other.password_bytes = 13;
    other.renamed_ms = 99;
    other.is_private = true;
    assert_int_equal(store_account_change(rig->store, &was, &other), STORE_OK);
    assert_int_equal(store_account_change(rig->store, &was, &other), STORE_OK); /* again */
    again(rig);
    assert_int_equal(store_account_named(rig->store, "other", &found), STORE_OK);
    assert_memory_equal(&found, &other, sizeof other);
    assert_int_equal(store_account_named(rig->store, "player8", &found), STORE_UNKNOWN);
}

/* Two devices change the account at once: whoever comes second reads it again. */
static void no_change_is_lost(Rig *rig) {
    make(rig, 7);
    const StoreAccount was = account_of(7);
    StoreAccount password = was, hidden = was, name = was, found;
    password.password_bytes = 4;
    memcpy(password.password, "salt", 4);
    hidden.is_private = true;
    memcpy(name.name, "Seventh!", 8);
    memcpy(name.folded, "seventh!", 8);
    name.renamed_ms = 5;
    assert_int_equal(store_account_change(rig->store, &was, &password), STORE_OK);
    assert_int_equal(store_account_change(rig->store, &was, &hidden), STORE_CONFLICT);
    assert_int_equal(store_account_change(rig->store, &was, &name), STORE_CONFLICT);
    again(rig);
    assert_int_equal(store_account_find(rig->store, 7, &found), STORE_OK);
    assert_memory_equal(&found, &password, sizeof found);
    hidden = password;
    hidden.is_private = true;
    assert_int_equal(store_account_change(rig->store, &password, &hidden), STORE_OK);
    assert_int_equal(store_account_change(rig->store, &password, &was), STORE_CONFLICT);
    name = hidden;
    name.renamed_ms = 9;
    assert_int_equal(store_account_change(rig->store, &hidden, &name), STORE_OK);
    assert_int_equal(store_account_change(rig->store, &hidden, &password), STORE_CONFLICT);
    assert_int_equal(rig_delete_account(rig, 7), STORE_OK);
    assert_int_equal(store_account_change(rig->store, &name, &hidden), STORE_UNKNOWN);
}

static void a_code_lets_one_device_in_words_let_many(Rig *rig) {
    StoreAccount found;
    StoreKeyKind kind;
    StoreKey keys[STORE_KEYS_MAX], code = {.kind = STORE_KEY_CODE, .made_ms = 5, .expires_ms = 100};
    StoreKey words = {.kind = STORE_KEY_WORDS, .made_ms = 6};
    uint32_t count;
    make(rig, 1);
    memcpy(code.hash, hash_of(20), STORE_HASH_BYTES);
    memcpy(words.hash, hash_of(21), STORE_HASH_BYTES);
    assert_int_equal(store_key_add(rig->store, 1, &code), STORE_OK);
    assert_int_equal(store_key_add(rig->store, 1, &words), STORE_OK);
    assert_int_equal(store_key_exchange(rig->store, hash_of(20), hash_of(30), 100), STORE_UNKNOWN);
    assert_int_equal(store_key_exchange(rig->store, hash_of(20), hash_of(30), 50), STORE_OK);
    assert_int_equal(store_key_exchange(rig->store, hash_of(20), hash_of(30), 50), STORE_OK);
    assert_int_equal(store_key_exchange(rig->store, hash_of(20), hash_of(31), 51), STORE_UNKNOWN);
    assert_int_equal(store_key_exchange(rig->store, hash_of(20), hash_of(31), 40),
                     STORE_UNKNOWN); /* at a node whose calendar is behind */
    assert_int_equal(store_key_exchange(rig->store, hash_of(21), hash_of(32), 5000), STORE_OK);
    assert_int_equal(store_key_exchange(rig->store, hash_of(21), hash_of(33), 6000), STORE_OK);
    assert_int_equal(store_key_exchange(rig->store, hash_of(1), hash_of(34), 60), STORE_UNKNOWN);
    assert_int_equal(store_account_of_key(rig->store, hash_of(30), 1, &found, &kind), STORE_OK);
    assert_true(found.id == 1 && kind == STORE_KEY_DEVICE);
    assert_int_equal(store_account_of_key(rig->store, hash_of(31), 1, &found, &kind),
                     STORE_UNKNOWN);
    assert_int_equal(store_account_of_key(rig->store, hash_of(21), 1, &found, &kind), STORE_OK);
    assert_int_equal(kind, STORE_KEY_WORDS);
    assert_int_equal(store_key_list(rig->store, 1, keys, &count), STORE_OK);
    assert_int_equal(count, 6); /* three devices, two of them new, one more, a used code, words */
    memcpy(words.hash, hash_of(22), STORE_HASH_BYTES);
    assert_int_equal(store_key_add(rig->store, 1, &words), STORE_OK); /* the old ones are gone */
    assert_int_equal(store_account_of_key(rig->store, hash_of(21), 1, &found, &kind),
                     STORE_UNKNOWN);
    assert_int_equal(store_key_drop(rig->store, 1, hash_of(32), false), STORE_OK);
    assert_int_equal(store_account_of_key(rig->store, hash_of(32), 1, &found, &kind),
                     STORE_UNKNOWN);
    assert_int_equal(store_key_drop(rig->store, 1, hash_of(30), true), STORE_OK);
    assert_int_equal(store_key_list(rig->store, 1, keys, &count), STORE_OK);
    assert_int_equal(count, 2);
    make(rig, 2);
    code.kind = STORE_KEY_DEVICE;
    memcpy(code.hash, hash_of(30), STORE_HASH_BYTES);
    assert_int_equal(store_key_add(rig->store, 2, &code), STORE_TAKEN);
    for (uint32_t i = 0; i < STORE_KEYS_MAX - 1; i++) {
        memcpy(code.hash, hash_of(1000 + i), STORE_HASH_BYTES);
        assert_int_equal(store_key_add(rig->store, 2, &code), STORE_OK);
    }
    memcpy(code.hash, hash_of(2000), STORE_HASH_BYTES);
    assert_int_equal(store_key_add(rig->store, 2, &code), STORE_FULL);
}

/* --- Ratings ---------------------------------------------------------------------------------- */

/* A match of zorde between two accounts that the first wins, with numbers that follow from it. */
static StoreCount count_of(uint64_t match, uint64_t winner, uint64_t loser,
                           uint32_t expected_winner, uint32_t expected_loser) {
    StoreCount count = {.match = match, .ended_ms = 1000 * match, .pace = 1, .rated = true};
    memcpy(count.game, "zorde", 6);
    count.weight = 100;
    count.seats[0] = (StoreSeat){.account = winner,
                                 .result = 2,
                                 .rating = 1600000000 + (int64_t)match,
                                 .deviation = 60000000,
                                 .volatility = 60000000000,
                                 .certain_ms = 900000,
                                 .change = 12000000,
                                 .expected = expected_winner};
    count.seats[1] = count.seats[0];
    count.seats[1].account = loser;
    count.seats[1].result = 0;
    count.seats[1].rating = 1400000000;
    count.seats[1].change = -12000000;
    count.seats[1].expected = expected_loser;
    return count;
}

/* The one rating of an account. */
static StoreRating rating_of(Rig *rig, uint64_t account) {
    StoreRating list[STORE_RATINGS_MAX];
    uint32_t count;
    assert_int_equal(store_ratings(rig->store, account, list, &count), STORE_OK);
    assert_int_equal(count, 1);
    return list[0];
}

static void a_match_counts_once(Rig *rig) {
    make(rig, 1);
    make(rig, 2);
    StoreCount count = count_of(50, 1, 2, 0, 0), other;
    assert_int_equal(store_count(rig->store, &count), STORE_OK);
    again(rig);
    other = count_of(50, 1, 2, 1, 1); /* as after a crash: with what is there by now */
    other.seats[0].rating = 1;
    other.seats[0].change = 2;
    assert_int_equal(store_count(rig->store, &other), STORE_OK);
    assert_true(other.seats[0].rating == 1600000050 && other.seats[0].change == 12000000);
    StoreRating rating = rating_of(rig, 1);
    assert_true(rating.account == 1 && rating.rating == 1600000050 && rating.pace == 1 &&
                rating.deviation == 60000000 && rating.volatility == 60000000000 &&
                rating.certain_ms == 900000 && rating.rated_ms == 50000);
    assert_string_equal(rating.game, "zorde");
    assert_true(rating.rated == 1 && rating.matches == 1 && rating.wins == 1 &&
                rating.losses == 0 && rating.streak == 1 && rating.best == 1);
    rating = rating_of(rig, 2);
    assert_true(rating.losses == 1 && rating.wins == 0 && rating.streak == -1 && rating.best == 0);
    other = count_of(51, 1, 2, 0, 1);
    assert_int_equal(store_count(rig->store, &other), STORE_CONFLICT);
    other = count_of(51, 1, 2, 1, 0);
    assert_int_equal(store_count(rig->store, &other), STORE_CONFLICT);
    assert_int_equal(rating_of(rig, 1).matches, 1);
    other = count_of(51, 1, 2, 1, 1);
    other.rated = false;
    assert_int_equal(store_count(rig->store, &other), STORE_OK);
    rating = rating_of(rig, 1);
    assert_true(rating.rated == 1 && rating.matches == 2 && rating.rated_ms == 50000 &&
                rating.streak == 2 && rating.best == 2);
    other = count_of(52, 2, 1, 2, 2);
    other.seats[0].result = other.seats[1].result = 1;
    assert_int_equal(store_count(rig->store, &other), STORE_OK);
    rating = rating_of(rig, 1);
    assert_true(rating.draws == 1 && rating.streak == 0 && rating.best == 2);
    uint32_t met;
    assert_int_equal(store_met(rig->store, 1, 2, "zorde", 0, &met), STORE_OK);
    assert_int_equal(met, 2); /* one was not rated */
    assert_int_equal(store_met(rig->store, 2, 1, "zorde", 51000, &met), STORE_OK);
    assert_int_equal(met, 1);
    assert_int_equal(store_met(rig->store, 2, 1, "tablut", 0, &met), STORE_OK);
    assert_int_equal(met, 0);
}

/* A match that is counted in a thread, as by a node of its own. */
typedef struct Counting {
    Store *store;
    StoreCount count;
    StoreStatus status;
    pthread_t thread;
} Counting;

static void *count_in_thread(void *what) {
    Counting *counting = what;
    counting->status = store_count(counting->store, &counting->count);
    return NULL;
}

/* Two matches of account 1, the first of its life, end at once: whichever is counted second finds
 * that the rating is not what it expected, has changed nothing, and counts with what is there. */
static void count_two_first_ones(Rig *rig, Store *others, void (*meanwhile)(void)) {
    Counting list[2] = {{rig->store, count_of(50, 1, 2, 0, 0), STORE_FAILED, 0},
                        {others, count_of(51, 1, 3, 0, 0), STORE_FAILED, 0}};
    uint32_t count;
    StorePlayed played[4];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&list[i].thread, NULL, count_in_thread, &list[i]), 0);
    if (meanwhile != NULL)
        meanwhile();
    for (int i = 0; i < 2; i++)
        pthread_join(list[i].thread, NULL);
    int second = list[0].status == STORE_OK ? 1 : 0;
    assert_int_equal(list[1 - second].status, STORE_OK);
    assert_int_equal(list[second].status, STORE_CONFLICT);
    StorePlayedFilter filter = {.account = 1, .pace = -1};
    assert_int_equal(store_played(rig->store, &filter, played, 4, &count), STORE_OK);
    assert_int_equal(count, 1);
    assert_int_equal(
        store_ratings(rig->store, (uint64_t)second + 2, (StoreRating[64]){{0}}, &count), STORE_OK);
    assert_int_equal(count, 0); /* nor its opponent's */
    StoreRating rating = rating_of(rig, 1);
    assert_true(rating.matches == 1 && rating.rating == 1600000051 - second);
    list[second].count.seats[0].expected = 1;
    assert_int_equal(store_count(rig->store, &list[second].count), STORE_OK);
    rating = rating_of(rig, 1);
    assert_true(rating.matches == 2 && rating.rated == 2 && rating.wins == 2 &&
                rating.rating == 1600000050 + second);
}

static void two_first_matches_at_once_embedded(void **state) {
    Rig *rig = *state;
    both_open(rig, false);
    for (uint64_t id = 1; id <= 3; id++)
        make(rig, id);
    count_two_first_ones(rig, rig->store, NULL);
}

/* Somebody who writes both matches and thinks better of it when both nodes wait for that: so both
 * have looked for the rating before either of them made it. */
static PGconn *holder;

/* How many wait for a lock of the database. */
static int waiting(void) {
    PGresult *rows = PQexec(holder, "select count(*) from pg_stat_activity where wait_event_type = "
                                    "'Lock'");
    int count = PQresultStatus(rows) == PGRES_TUPLES_OK ? atoi(PQgetvalue(rows, 0, 0)) : -1;
    PQclear(rows);
    /* What the view says is kept for the rest of the transaction. */
    PQclear(PQexec(holder, "select pg_stat_clear_snapshot()"));
    return count;
}

static void let_both_go(void) {
    WAIT_FOR(waiting() == 2);
    PQclear(PQexec(holder, "rollback"));
}

static void two_first_matches_at_once_postgres(void **state) {
    Rig *rig = *state, other;
    both_open(rig, true);
    rig_init(&other);
    memcpy(other.place, rig->place, sizeof other.place);
    other.setup.single_threaded = false;
    other.setup.node = 2;
    other.setup.silence_ms = rig->setup.silence_ms;
    rig->descriptors = other.descriptors = 0;
    rig_must_open(&other);
    for (uint64_t id = 1; id <= 3; id++)
        make(rig, id);
    holder = PQconnectdb(rig->place + strlen("postgres:"));
    PQclear(PQexec(holder, "begin"));
    PGresult *held =
        PQexec(holder, "insert into counted values (50, 0, 0, 0, 0), (51, 0, 0, 0, 0)");
    assert_int_equal(PQresultStatus(held), PGRES_COMMAND_OK);
    PQclear(held);
    count_two_first_ones(rig, other.store, let_both_go);
    PQfinish(holder);
    rig_release(&other);
}

static void a_history_is_read_page_by_page(Rig *rig) {
    StorePlayed list[10];
    uint32_t count;
    make(rig, 1);
    make(rig, 2);
    for (uint32_t i = 0; i < 7; i++) {
        StoreCount match = count_of(100 + i, 1, 2, i, i);
        match.rated = i % 2 == 0;
        assert_int_equal(store_count(rig->store, &match), STORE_OK);
    }
    StoreCount guest = count_of(200, 1, 0, 0, 0);
    memcpy(guest.game, "tablut", 7);
    memcpy(guest.seats[1].name, "Guest", 6);
    assert_int_equal(store_count(rig->store, &guest), STORE_OK);
    StorePlayedFilter filter = {.account = 1, .pace = -1};
    assert_int_equal(store_played(rig->store, &filter, list, 3, &count), STORE_OK);
    assert_int_equal(count, 3);
    assert_true(list[0].match == 200 && list[1].match == 106 && list[2].match == 105);
    assert_string_equal(list[0].opponent, "Guest");
    assert_false(list[0].opponent_has_account);
    assert_string_equal(list[1].opponent, "Player 2");
    assert_true(list[1].opponent_has_account && list[1].result == 2 && list[1].seat == 0 &&
                list[1].change == 12000000 && list[1].rating == 1600000106 && list[1].rated &&
                list[1].weight == 100 && list[1].ended_ms == 106000 && !list[2].rated);
    filter.after_ms = list[2].ended_ms;
    filter.after = list[2].match;
    assert_int_equal(store_played(rig->store, &filter, list, 10, &count), STORE_OK);
    assert_int_equal(count, 5);
    assert_true(list[0].match == 104 && list[4].match == 100);
    filter = (StorePlayedFilter){.account = 2, .game = "zorde", .pace = 1, .rated = true};
    assert_int_equal(store_played(rig->store, &filter, list, 10, &count), STORE_OK);
    assert_int_equal(count, 4);
    assert_true(list[0].result == 0 && list[0].seat == 1);
    filter.pace = 2;
    assert_int_equal(store_played(rig->store, &filter, list, 10, &count), STORE_OK);
    assert_int_equal(count, 0);
}

static void openings_are_counted_by_their_success(Rig *rig) {
    static const char *const openings[] = {"hulk+thor", "hulk+loki", "hulk+thor", "", "hulk+thor"};
    StoreOpening list[4];
    StorePlayed played[5];
    uint32_t count;
    make(rig, 1);
    make(rig, 2);
    for (uint32_t i = 0; i < 5; i++) {
        StoreCount match = count_of(100 + i, 1, 2, i, i);
        snprintf(match.seats[0].opening, STORE_OPENING_BYTES, "%s", openings[i]);
        match.seats[0].result = i == 2 ? 1 : i == 4 ? 0 : 2;
        assert_int_equal(store_count(rig->store, &match), STORE_OK);
    }
    assert_int_equal(store_openings(rig->store, 1, "zorde", list, 4, &count), STORE_OK);
    assert_int_equal(count, 2);
    assert_string_equal(list[0].opening, "hulk+thor");
    assert_true(list[0].wins == 1 && list[0].draws == 1 && list[0].losses == 1);
    assert_string_equal(list[1].opening, "hulk+loki");
    assert_true(list[1].wins == 1 && list[1].draws == 0 && list[1].losses == 0);
    assert_int_equal(store_openings(rig->store, 1, "zorde", list, 1, &count), STORE_OK);
    assert_int_equal(count, 1);
    assert_int_equal(store_openings(rig->store, 1, "tablut", list, 4, &count), STORE_OK);
    assert_int_equal(count, 0);
    assert_int_equal(store_openings(rig->store, 2, "zorde", list, 4, &count), STORE_OK);
    assert_int_equal(count, 0);
    StorePlayedFilter filter = {.account = 1, .pace = -1};
    assert_int_equal(store_played(rig->store, &filter, played, 5, &count), STORE_OK);
    assert_string_equal(played[0].opening, "hulk+thor");
    assert_string_equal(played[1].opening, "");
}

static void a_deleted_account_is_gone_and_its_opponents_stay(Rig *rig) {
    StoreAccount found;
    StoreKeyKind kind;
    StoreRating ratings[STORE_RATINGS_MAX];
    StorePlayed list[4];
    uint32_t count;
    make(rig, 1);
    make(rig, 2);
    StoreCount match = count_of(5, 1, 2, 0, 0);
    assert_int_equal(store_count(rig->store, &match), STORE_OK);
    assert_int_equal(rig_delete_account(rig, 2), STORE_OK);
    assert_int_equal(rig_delete_account(rig, 2), STORE_OK);
    again(rig);
    assert_int_equal(store_account_find(rig->store, 2, &found), STORE_UNKNOWN);
    assert_int_equal(store_account_of_key(rig->store, hash_of(2), 1, &found, &kind), STORE_UNKNOWN);
    assert_int_equal(store_ratings(rig->store, 2, ratings, &count), STORE_OK);
    assert_int_equal(count, 0);
    StorePlayedFilter filter = {.account = 1, .pace = -1};
    assert_int_equal(store_played(rig->store, &filter, list, 4, &count), STORE_OK);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].opponent, "");
    assert_false(list[0].opponent_has_account);
    match = count_of(6, 2, 1, 0, 1); /* it was deleted while it played */
    assert_int_equal(store_count(rig->store, &match), STORE_OK);
    assert_int_equal(store_ratings(rig->store, 2, ratings, &count), STORE_OK);
    assert_int_equal(count, 0);
    assert_int_equal(rating_of(rig, 1).matches, 2);
}

/* Do any of the rig's files have these bytes? */
static bool is_on_disk(const Rig *rig, const char *bytes) {
    char command[256];
    snprintf(command, sizeof command, "grep -raqiF '%s' '%s'", bytes, rig->folder);
    return system(command) == 0;
}

/* Also while the store goes on: neither the file nor the log beside it has anything of a deleted
 * account. */
static void what_was_deleted_is_not_on_the_disk_embedded(void **state) {
    Rig *rig = *state;
    StoreTarget target = {.kind = STORE_TARGET_WEBHOOK, .url = "https://somewhere.example/two"};
    both_open(rig, false);
    for (uint64_t id = 1; id <= 3; id++)
        make(rig, id);
    StoreAccount was = account_of(2), now = was;
    memcpy(now.password, "salt and hash of two", 20);
    now.password_bytes = 20;
    assert_int_equal(store_account_change(rig->store, &was, &now), STORE_OK);
    assert_int_equal(store_target_set(rig->store, 2, &target, 1), STORE_OK);
    StoreCount match = count_of(5, 1, 2, 0, 0);
    assert_int_equal(store_count(rig->store, &match), STORE_OK);
    assert_true(is_on_disk(rig, "Player 2") && is_on_disk(rig, target.url));
    assert_true(is_on_disk(rig, "salt and hash of two"));
    assert_int_equal(rig_delete_account(rig, 2), STORE_OK);
    assert_true(is_on_disk(rig, "Player 1") && is_on_disk(rig, "Player 3"));
    assert_false(is_on_disk(rig, "Player 2") || is_on_disk(rig, "player2"));
    assert_false(is_on_disk(rig, target.url));
    assert_false(is_on_disk(rig, "salt and hash of two"));
}

static void left_matches_are_counted_for_a_while(Rig *rig) {
    StoreLeft left;
    make(rig, 1);
    make(rig, 2);
    for (uint64_t match = 1; match <= 5; match++)
        assert_int_equal(store_left(rig->store, 1, match, 100 * match, 0), STORE_OK);
    assert_int_equal(store_left(rig->store, 1, 5, 700, 0), STORE_OK); /* again */
    assert_int_equal(store_left(rig->store, 3, 5, 500, 0), STORE_OK); /* nobody */
    StoreCount match = count_of(9, 1, 2, 0, 0);
    assert_int_equal(store_count(rig->store, &match), STORE_OK);
    again(rig);
    assert_int_equal(store_left_count(rig->store, 1, 300, &left), STORE_OK);
    assert_true(left.left == 3 && left.played == 1);
    assert_int_equal(store_left_count(rig->store, 1, 501, &left), STORE_OK);
    assert_int_equal(left.left, 0);
    assert_int_equal(store_left_count(rig->store, 1, match.ended_ms + 1, &left), STORE_OK);
    assert_int_equal(left.played, 0);
    assert_int_equal(store_left(rig->store, 1, 6, 600, 400), STORE_OK); /* forgets three */
    assert_int_equal(store_left_count(rig->store, 1, 0, &left), STORE_OK);
    assert_true(left.left == 3 && left.played == 1);
    assert_int_equal(store_left_count(rig->store, 2, 0, &left), STORE_OK);
    assert_true(left.left == 0 && left.played == 1);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    assert_int_equal(store_left_count(rig->store, 1, 0, &left), STORE_OK);
    assert_true(left.left == 0 && left.played == 0);
}

static void leaders_are_certain_public_and_in_order(Rig *rig) {
    StoreRating list[4];
    uint32_t count;
    for (uint64_t id = 1; id <= 6; id++)
        make(rig, id);
    for (uint64_t id = 1; id <= 6; id++) {
        StoreCount match = count_of(id, id, 0, 0, 0);
        match.seats[0].rating = 1000 + (int64_t)(id * 7 % 6);
        match.seats[0].program = id == 2;
        match.seats[0].certain_ms = id == 3 ? 0 : id == 4 ? 500 : 900000;
        assert_int_equal(store_count(rig->store, &match), STORE_OK);
    }
    const StoreAccount shown = account_of(1);
    StoreAccount hidden = shown;
    hidden.is_private = true;
    assert_int_equal(store_leaders(rig->store, "zorde", 1, false, 100, list, 4, &count), STORE_OK);
    assert_int_equal(count, 4);
    assert_true(list[0].account == 5 && list[1].account == 4 && list[2].account == 1 &&
                list[3].account == 6);
    assert_string_equal(list[0].name, "Player 5");
    assert_int_equal(store_account_change(rig->store, &shown, &hidden), STORE_OK);
    assert_int_equal(store_leaders(rig->store, "zorde", 1, false, 600, list, 4, &count), STORE_OK);
    assert_int_equal(count, 2);
    assert_true(list[0].account == 5 && list[1].account == 6);
    assert_int_equal(store_leaders(rig->store, "zorde", 1, true, 600, list, 4, &count), STORE_OK);
    assert_true(count == 1 && list[0].account == 2);
    assert_int_equal(store_leaders(rig->store, "zorde", 2, false, 600, list, 4, &count), STORE_OK);
    assert_int_equal(count, 0);
}

/* --- Kills ------------------------------------------------------------------------------------ */

enum { PEOPLE = 4, WAIT_MAX_US = 60000 };

/* How many matches of an account there are by its ratings row; 0 if it has none. */
static uint32_t matches_of(Rig *rig, uint64_t account) {
    StoreRating list[STORE_RATINGS_MAX];
    uint32_t count;
    if (store_ratings(rig->store, account, list, &count) != STORE_OK)
        _exit(5);
    return count == 0 ? 0 : list[0].matches;
}

/* Makes accounts and counts matches, each of them twice, and reports the number of each when the
 * store has said that it is durable. */
static void child(Rig *rig, uint64_t next, int out) {
    if (!rig_open(rig))
        _exit(3);
    for (;; next++) {
        StoreAccount account = account_of(1000 + next);
        uint64_t one = 1 + next % PEOPLE, other = 1 + (next + 1) % PEOPLE;
        if (store_account_make(rig->store, &account, hash_of((uint32_t)(1000 + next))) != STORE_OK)
            _exit(4);
        for (int i = 0; i < 2; i++) {
            StoreCount match =
                count_of(next, one, other, matches_of(rig, one), matches_of(rig, other));
            if (store_count(rig->store, &match) != STORE_OK)
                _exit(6);
        }
        if (write(out, &next, sizeof next) != sizeof next)
            _exit(2);
    }
}

/* Runs the child for so long, from its first report on if that is waited for, and kills it; the
 * last number that it reported, or what it was. */
static uint64_t run_and_kill(Rig *rig, uint64_t next, long us, bool waits, uint64_t last) {
    int ends[2], status;
    uint64_t number;
    assert_int_equal(pipe(ends), 0);
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0)
        child(rig, next, ends[1]);
    close(ends[1]);
    if (waits && read(ends[0], &number, sizeof number) == sizeof number)
        last = number;
    nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
    kill(process, SIGKILL);
    while (read(ends[0], &number, sizeof number) == sizeof number)
        last = number;
    close(ends[0]);
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFSIGNALED(status));
    return last;
}

/* Everything up to `last` is there, and each account has as many matches as its history. */
static uint64_t check(Rig *rig, uint64_t last) {
    static StorePlayed list[20000];
    StoreAccount found;
    uint32_t count, all = 0;
    uint64_t newest = last;
    for (uint64_t id = 1; id <= PEOPLE; id++) {
        StorePlayedFilter filter = {.account = id, .pace = -1};
        assert_int_equal(store_played(rig->store, &filter, list, 20000, &count), STORE_OK);
        assert_int_equal(matches_of(rig, id), count);
        all += count;
        for (uint32_t i = 1; i < count; i++)
            assert_true(list[i].match < list[i - 1].match);
        if (count > 0 && list[0].match > newest)
            newest = list[0].match;
    }
    assert_int_equal(all, 2 * newest); /* numbers from 1 on, none of them lost, none twice */
    for (uint64_t number = 1; number <= last; number++)
        assert_int_equal(store_account_find(rig->store, 1000 + number, &found), STORE_OK);
    return newest;
}

static void nothing_reported_is_lost_and_nothing_counts_twice(Rig *rig) {
    const char *wanted = getenv("MASH_KILLS");
    int kills = wanted == NULL ? 12 : atoi(wanted);
    MashChance chance = chance_seeded((MashSeed){{(uint64_t)time(NULL), (uint64_t)getpid()}}, 0);
    uint64_t last = 0, next = 1;
    for (uint64_t id = 1; id <= PEOPLE; id++)
        make(rig, id);
    for (int i = 0; i < kills; i++) {
        rig_close(rig);
        last =
            run_and_kill(rig, next, (long)chance_below(&chance, WAIT_MAX_US) + 1, i % 3 > 0, last);
        if (!rig_open(rig))
            fail_msg("%s", rig->problem);
        next = check(rig, last) + 1;
    }
    print_message("%d kills, %d matches\n", kills, (int)last);
    assert_true(last > 0);
}

/* --- Beside another program ------------------------------------------------------------------- */

/* An account that a thread makes. */
typedef struct Maker {
    Rig *rig;
    StoreStatus status;
} Maker;

static void *make_ninth(void *argument) {
    Maker *maker = argument;
    StoreAccount account = account_of(9);
    maker->status = store_account_make(maker->rig->store, &account, hash_of(9));
    return NULL;
}

/* Who looks into the file with SQLite's own program may keep it for a moment. */
static void another_program_may_write_for_a_moment(void **state) {
    const struct timespec moment = {.tv_nsec = 20000000};
    Maker maker = {.rig = *state};
    char path[512];
    sqlite3 *other;
    pthread_t thread;
    both_open(*state, false);
    snprintf(path, sizeof path, "%s/players.sqlite", maker.rig->folder);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(pthread_create(&thread, NULL, make_ninth, &maker), 0);
    nanosleep(&moment, NULL);
    assert_int_equal(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    pthread_join(thread, NULL);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
    assert_int_equal(maker.status, STORE_OK);
}

/* A commit whose answer was lost still waits for its standby: what it made is there, and seen by
 * nobody, until it goes on. Here another session makes the same account, with this key. */
static StoreStatus make_while_it_commits(Rig *rig, const char *key) {
    Maker maker = {.rig = rig};
    char sql[256];
    pthread_t thread;
    PQclear(PQexec(holder, "delete from account; delete from account_key"));
    PQclear(PQexec(holder, "begin"));
    snprintf(sql, sizeof sql,
             "insert into account values (9, 'Player 9', 'player9', 0, 0, 1009, 0, '');"
             "insert into account_key values ('\\x%s', 9, 0, 1009, 0)",
             key);
    PGresult *made = PQexec(holder, sql);
    assert_int_equal(PQresultStatus(made), PGRES_COMMAND_OK);
    PQclear(made);
    assert_int_equal(pthread_create(&thread, NULL, make_ninth, &maker), 0);
    WAIT_FOR(waiting() == 1);
    PQclear(PQexec(holder, "commit"));
    pthread_join(thread, NULL);
    return maker.status;
}

static void what_a_late_commit_has_made_is_ours_postgres(void **state) {
    static const char zeros[] = "00000000000000000000000000000000000000000000000000000000";
    char key[2 * STORE_HASH_BYTES + 1];
    Rig *rig = *state;
    both_open(rig, true);
    rig->descriptors = 0;
    holder = PQconnectdb(rig->place + strlen("postgres:"));
    snprintf(key, sizeof key, "09000000%s", zeros);
    assert_int_equal(make_while_it_commits(rig, key), STORE_OK);
    key[1] = '8'; /* somebody else's */
    assert_int_equal(make_while_it_commits(rig, key), STORE_TAKEN);
    PQfinish(holder);
}

/* With --copies 2 nothing is said to be done that one machine has. */
static void accounts_wait_for_copies_postgres(void **state) {
    Rig *rig = *state;
    StoreAccount account = account_of(1), found;
    rig->setup.copies = 2;
    both_open(rig, true);
    assert_int_equal(store_account_make(rig->store, &account, hash_of(1)), STORE_BUSY);
    assert_int_equal(store_account_find(rig->store, 1, &found), STORE_OK); /* it may have been */
}

/* More certain ratings than are looked at one by one, and more that are not, by the tables
 * themselves: every second account is too unsure, of the others every third until 400 only, and one
 * of ten is private. */
enum { RATED = 2000 };
#define NUMBERS "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) "
#define FILL(folded, type)                                                                         \
    NUMBERS "insert into account(id, name, folded, program, private, made_ms, renamed_ms, "        \
            "password) select i, " folded ", " folded ", 0, case i % 10 when 5 then 1 else 0 "     \
            "end, 1, 0, cast('' as " type ") from n; " NUMBERS                                     \
            "insert into rating select i, cast('zorde' as " type "), 1, 0, i * 1000000, 1, 1, "    \
            "case when i % 2 = 0 then 0 when i % 3 = 0 then 400 else 600 end, 1, 1, 1, 1, 0, 0, "  \
            "1, 1 from n"

/* Those that are certain at this time, from the best one down. */
static void check_leaders(Rig *rig, uint64_t now_ms, bool thirds) {
    StoreRating list[100];
    uint32_t count;
    uint64_t expected = RATED;
    assert_int_equal(store_leaders(rig->store, "zorde", 1, false, now_ms, list, 100, &count),
                     STORE_OK);
    assert_int_equal(count, 100);
    for (uint32_t i = 0; i < count; i++, expected--) {
        while (expected % 2 == 0 || expected % 10 == 5 || (!thirds && expected % 3 == 0))
            expected--;
        assert_true(list[i].account == expected);
        assert_true(list[i].rating == (int64_t)expected * 1000000);
    }
}

static void check_many(Rig *rig) {
    StoreRating one;
    uint32_t count;
    check_leaders(rig, 399, true);
    check_leaders(rig, 400, false);
    assert_int_equal(store_leaders(rig->store, "zorde", 1, false, 600, &one, 1, &count), STORE_OK);
    assert_int_equal(count, 0);
}

static void leaders_of_many_embedded(void **state) {
    Rig *rig = *state;
    char path[128];
    sqlite3 *base;
    both_open(rig, false);
    snprintf(path, sizeof path, "%s/players.sqlite", rig->folder);
    assert_int_equal(sqlite3_open(path, &base), SQLITE_OK);
    assert_int_equal(sqlite3_exec(base, FILL("cast('p' || i as blob)", "blob"), NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(base);
    check_many(rig);
}

static void leaders_of_many_postgres(void **state) {
    Rig *rig = *state;
    both_open(rig, true);
    PGconn *base = PQconnectdb(rig->place + strlen("postgres:"));
    PGresult *done = PQexec(base, FILL("convert_to('p' || i, 'UTF8')", "bytea"));
    assert_int_equal(PQresultStatus(done), PGRES_COMMAND_OK);
    PQclear(done);
    PQfinish(base);
    check_many(rig);
}

/* --- Each test over each kind ----------------------------------------------------------------- */

EACH(an_account_is_found_by_id_name_and_key)
EACH(names_and_keys_are_taken_once)
EACH(a_code_lets_one_device_in_words_let_many)
EACH(no_change_is_lost)
EACH(left_matches_are_counted_for_a_while)
EACH(a_match_counts_once)
EACH(a_history_is_read_page_by_page)
EACH(openings_are_counted_by_their_success)
EACH(a_deleted_account_is_gone_and_its_opponents_stay)
EACH(leaders_are_certain_public_and_in_order)
EACH(nothing_reported_is_lost_and_nothing_counts_twice)

int main(void) {
    const struct CMUnitTest tests[] = {
        TESTS(an_account_is_found_by_id_name_and_key),
        TESTS(names_and_keys_are_taken_once),
        TESTS(a_code_lets_one_device_in_words_let_many),
        TESTS(no_change_is_lost),
        TESTS(left_matches_are_counted_for_a_while),
        TESTS(a_match_counts_once),
        cmocka_unit_test_setup_teardown(two_first_matches_at_once_embedded, both_embedded,
                                        both_release),
        cmocka_unit_test_setup_teardown(two_first_matches_at_once_postgres, both_postgres,
                                        both_release),
        cmocka_unit_test_setup_teardown(another_program_may_write_for_a_moment, both_embedded,
                                        both_release),
        cmocka_unit_test_setup_teardown(what_a_late_commit_has_made_is_ours_postgres, both_postgres,
                                        both_release),
        cmocka_unit_test_setup_teardown(accounts_wait_for_copies_postgres, both_postgres,
                                        both_release),
        TESTS(a_history_is_read_page_by_page),
        TESTS(openings_are_counted_by_their_success),
        TESTS(a_deleted_account_is_gone_and_its_opponents_stay),
        cmocka_unit_test_setup_teardown(what_was_deleted_is_not_on_the_disk_embedded, both_embedded,
                                        both_release),
        TESTS(leaders_are_certain_public_and_in_order),
        cmocka_unit_test_setup_teardown(leaders_of_many_embedded, both_embedded, both_release),
        cmocka_unit_test_setup_teardown(leaders_of_many_postgres, both_postgres, both_release),
        TESTS(nothing_reported_is_lost_and_nothing_counts_twice),
    };
    both_begin();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    both_end();
    return failed;
}
