/* test_server_players.c -- accounts: keys, codes, words, passwords, logging out and deleting; rated
 * matches: who may play them, who is paired, and that each counts once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/player_api.h"
#include "server/secrets.h"
#include "store/accounts.h"
#include "tests/server/fake/fixture.h"

#define ANNS_KEY "00112233445566778899aabbccddeeff"
#define BOBS_KEY "ffeeddccbbaa99887766554433221100"
#define EVES_KEY "0123456789abcdef0123456789abcdef"

static void secrets_are_not_kept(void **unused) {
    (void)unused;
    uint8_t one[STORE_HASH_BYTES], other[STORE_HASH_BYTES], made[STORE_PASSWORD_BYTES];
    static const uint8_t salt[SECRET_SALT_BYTES] = {1, 2, 3};
    secret_hash(ANNS_KEY, one);
    secret_hash("00112233445566778899aabbccddeefe", other);
    assert_memory_not_equal(one, other, sizeof one);
    secret_hash(ANNS_KEY, other);
    assert_memory_equal(one, other, sizeof one);
    uint32_t count = secret_of_password("correct horse", salt, made);
    assert_int_equal(count, 48);
    assert_true(secret_fits("correct horse", made, count));
    assert_false(secret_fits("correct hors", made, count));
    made[40] ^= 1;
    assert_false(secret_fits("correct horse", made, count));
    assert_false(secret_fits("correct horse", made, 0));
}

/* --- Accounts --------------------------------------------------------------------------------- */

/* Connects, and makes an account. */
static void claim(TestClient *client, const char *name, const char *key) {
    test_client_join(client, &arena, "Somebody", "person", "json");
    test_client_send(client, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"%s\"}", key, name);
    assert_string_equal(test_client_expect(client, MESSAGE_SERVER_ACCOUNT)->account.name, name);
}

/* Connects, and logs in. */
static void log_in(TestClient *client, const char *key) {
    test_client_join(client, &arena, "Somebody", "person", "json");
    test_client_send(client, "{\"type\":\"login\",\"key\":\"%s\"}", key);
}

static void a_guest_claims_a_name_and_comes_again(void **unused) {
    (void)unused;
    claim(&ann, "Ann", ANNS_KEY);
    assert_int_equal(ann.message.account.devices, 1);
    assert_false(ann.message.account.password || ann.message.account.recovery ||
                 ann.message.account.is_private);
    test_client_release(&ann);
    arena_kill(&arena);
    arena_open(&arena);
    log_in(&ann, ANNS_KEY);
    assert_string_equal(test_client_expect(&ann, MESSAGE_SERVER_ACCOUNT)->account.name, "Ann");
    assert_int_equal(ann.message.account.id, 0);
    assert_string_equal(ann.message.account.to, "login");
    log_in(&bob, BOBS_KEY);
    test_client_refused(&bob, "no-such-account");
    test_client_send(&bob, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"aNN\"}", BOBS_KEY);
    test_client_refused(&bob, "name-taken");
    test_client_send(&bob, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"A\\u200bnn\\u2060\"}",
                     BOBS_KEY); /* what is invisible makes no difference */
    test_client_refused(&bob, "name-taken");
    test_client_send(&bob, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"Admin\"}", BOBS_KEY);
    test_client_refused(&bob, "name-reserved");
    test_client_send(&bob, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"!\"}", BOBS_KEY);
    test_client_refused(&bob, "bad-name");
    test_client_send(&bob, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"Bob\"}", ANNS_KEY);
    test_client_refused(&bob, "logged-in");
    test_client_send(&bob, "{\"type\":\"key\",\"what\":\"device\"}");
    test_client_refused(&bob, "needs-account");
    test_client_send(&bob, "{\"type\":\"claim\",\"key\":\"xyz\",\"name\":\"Bob\"}");
    test_client_refused(&bob, "malformed");
}

static void a_name_is_changed_once_a_day(void **unused) {
    (void)unused;
    claim(&ann, "Ann", ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"Anna\"}", ANNS_KEY);
    assert_string_equal(test_client_expect(&ann, MESSAGE_SERVER_ACCOUNT)->account.name, "Anna");
    test_client_send(&ann, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"Annabel\"}", ANNS_KEY);
    test_client_refused(&ann, "renamed");
    claim(&bob, "Ann", BOBS_KEY); /* the old name is free */
    test_client_release(&ann);
    arena_run(&arena, 86390000);
    log_in(&ann, ANNS_KEY);
    test_client_expect(&ann, MESSAGE_SERVER_ACCOUNT);
    test_client_send(&ann, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"Annabel\"}", ANNS_KEY);
    test_client_refused(&ann, "renamed");
    arena_run(&arena, 10000);
    test_client_send(&ann, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"Annabel\"}", ANNS_KEY);
    assert_string_equal(test_client_expect(&ann, MESSAGE_SERVER_ACCOUNT)->account.name, "Annabel");
}

static void other_devices_come_by_code_words_and_password(void **unused) {
    (void)unused;
    char code[PROTO_KEY_DIGITS + 1], words[PROTO_KEY_DIGITS + 1];
    claim(&ann, "Ann", ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"key\",\"id\":5,\"what\":\"device\"}");
    test_client_expect(&ann, MESSAGE_SERVER_KEY);
    assert_int_equal(ann.message.key_made.id, 5);
    assert_int_equal(ann.message.key_made.left_ms, 600000);
    memcpy(code, ann.message.key_made.key, sizeof code);
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"recovery\"}");
    memcpy(words, test_client_expect(&ann, MESSAGE_SERVER_KEY)->key_made.key, sizeof words);
    test_client_send(&ann, "{\"type\":\"password\",\"password\":\"short\"}");
    test_client_refused(&ann, "weak-password");
    test_client_send(&ann, "{\"type\":\"password\",\"password\":\"correct horse\"}");
    assert_true(test_client_expect(&ann, MESSAGE_SERVER_ACCOUNT)->account.password);
    assert_true(ann.message.account.recovery);
    log_in(&bob, code); /* a code is no key of a device */
    test_client_refused(&bob, "no-such-account");
    test_client_send(&bob, "{\"type\":\"login\",\"key\":\"%s\",\"code\":\"%s\"}", BOBS_KEY, code);
    assert_string_equal(test_client_expect(&bob, MESSAGE_SERVER_ACCOUNT)->account.name, "Ann");
    assert_int_equal(bob.message.account.devices, 2);
    log_in(&eve, EVES_KEY);
    test_client_refused(&eve, "no-such-account");
    test_client_send(&eve, "{\"type\":\"login\",\"key\":\"%s\",\"code\":\"%s\"}", EVES_KEY, code);
    test_client_refused(&eve, "bad-code");
    test_client_send(&eve,
                     "{\"type\":\"login\",\"key\":\"%s\",\"name\":\"ann\",\"password\":\"wrong "
                     "horse\"}",
                     EVES_KEY);
    test_client_refused(&eve, "bad-password");
    test_client_send(
        &eve,
        "{\"type\":\"login\",\"key\":\"%s\",\"name\":\"Nobody\",\"password\":\"correct "
        "horse\"}",
        EVES_KEY);
    test_client_refused(&eve, "bad-password");
    test_client_send(&eve,
                     "{\"type\":\"login\",\"key\":\"%s\",\"name\":\"ann\",\"password\":\"correct "
                     "horse\"}",
                     EVES_KEY);
    assert_int_equal(test_client_expect(&eve, MESSAGE_SERVER_ACCOUNT)->account.devices, 3);
    test_client_send(&eve, "{\"type\":\"logout\",\"others\":true}");
    test_client_expect(&eve, MESSAGE_SERVER_DONE);
    arena_run(&arena, 1000);
    assert_null(bob.connection);
    test_client_release(&bob);
    log_in(&bob, BOBS_KEY);
    test_client_refused(&bob, "no-such-account");
    test_client_send(&bob, "{\"type\":\"login\",\"key\":\"%s\",\"code\":\"%s\"}", BOBS_KEY, words);
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_ACCOUNT)->account.devices, 2);
    test_client_send(&bob, "{\"type\":\"logout\"}");
    test_client_expect(&bob, MESSAGE_SERVER_DONE);
    test_client_send(&bob, "{\"type\":\"login\",\"key\":\"%s\"}", BOBS_KEY);
    test_client_refused(&bob, "no-such-account");
}

/* Another device of Ann's, which has a seat in a match with Bob; its token. */
static void begin_at_another_device(char token[PROTO_TOKEN_DIGITS + 1]) {
    char code[PROTO_KEY_DIGITS + 1];
    claim(&ann, "Ann", ANNS_KEY);
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"device\"}");
    memcpy(code, test_client_expect(&ann, MESSAGE_SERVER_KEY)->key_made.key, sizeof code);
    test_client_join(&eve, &arena, "Somebody", "person", "json");
    test_client_send(&eve, "{\"type\":\"login\",\"key\":\"%s\",\"code\":\"%s\"}", EVES_KEY, code);
    test_client_expect(&eve, MESSAGE_SERVER_ACCOUNT);
    test_client_send(&eve, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\"}");
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", eve.code);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    memcpy(token, eve.token, sizeof eve.token);
}

/* Nobody gets a seat by this token; the account of this key gets it by the code. */
static void assert_seat_is_of(const char *token, const char *key, const char *code) {
    test_client_release(&eve);
    test_client_join(&eve, &arena, "Somebody", "person", "json");
    test_client_send(&eve, "{\"type\":\"return\",\"token\":\"%s\"}", token);
    test_client_refused(&eve, "no-such-token");
    test_client_release(&ann);
    log_in(&ann, key);
    test_client_expect(&ann, MESSAGE_SERVER_ACCOUNT);
    test_client_send(&ann, "{\"type\":\"return\",\"code\":\"%s\"}", code);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_string_not_equal(ann.token, token);
}

/* Whoever has another device is out at once, of the connection, the account and the match, and
 * stays out when the server was killed. */
static void other_devices_that_are_logged_out_have_nothing_left(void **unused) {
    (void)unused;
    char token[PROTO_TOKEN_DIGITS + 1], code[PROTO_CODE_MAX + 1], link[PROTO_KEY_DIGITS + 1];
    begin_at_another_device(token);
    memcpy(code, eve.code, sizeof code);
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"device\"}");
    memcpy(link, test_client_expect(&ann, MESSAGE_SERVER_KEY)->key_made.key, sizeof link);
    test_client_send(&ann, "{\"type\":\"logout\",\"others\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_DONE);
    arena_run(&arena, 1000);
    assert_null(eve.connection);
    assert_seat_is_of(token, ANNS_KEY, code);
    arena_kill(&arena);
    arena_open(&arena);
    assert_seat_is_of(token, ANNS_KEY, code);
    assert_int_equal(arena.server->stats.recovered, 1);
    test_client_send(&eve, "{\"type\":\"login\",\"key\":\"%s\",\"code\":\"%s\"}", EVES_KEY, link);
    test_client_refused(&eve, "bad-code"); /* nor by a link that was made before */
}

/* The device that logs the others out has the match open, and goes on with it by its new token. */
static void the_device_that_stays_keeps_its_seat(void **unused) {
    (void)unused;
    char token[PROTO_TOKEN_DIGITS + 1];
    begin_at_another_device(token);
    test_client_send(&eve, "{\"type\":\"logout\",\"others\":true}");
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    assert_string_not_equal(eve.token, token);
    memcpy(token, eve.token, sizeof token);
    arena_run(&arena, 1000);
    assert_null(ann.connection);
    test_client_release(&eve);
    test_client_join(&eve, &arena, "Somebody", "person", "json");
    test_client_send(&eve, "{\"type\":\"return\",\"token\":\"%s\"}", token);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
}

static void guesses_are_slowed_down(void **unused) {
    (void)unused;
    claim(&ann, "Ann", ANNS_KEY);
    test_client_join(&eve, &arena, "Eve", "person", "json");
    for (int i = 0; i < 5; i++) {
        test_client_send(&eve,
                         "{\"type\":\"login\",\"key\":\"%s\",\"name\":\"Ann\",\"password\":\"%d\"}",
                         EVES_KEY, i);
        test_client_refused(&eve, "bad-password");
    }
    test_client_send(
        &eve, "{\"type\":\"login\",\"key\":\"%s\",\"name\":\"Ann\",\"password\":\"6\"}", EVES_KEY);
    test_client_refused(&eve, "too-fast");
    arena_run(&arena, 6000);
    for (int i = 0; i < 24; i++) { /* codes: those of one address */
        test_client_send(&eve, "{\"type\":\"login\",\"key\":\"%s\",\"code\":\"%s\"}", EVES_KEY,
                         BOBS_KEY);
        test_client_refused(&eve, "bad-code");
        arena_run(&arena, 300);
    }
    for (int i = 0; i < 30 && strcmp(eve.message.refused.code, "too-fast") != 0; i++) {
        test_client_send(&eve, "{\"type\":\"login\",\"key\":\"%s\",\"code\":\"%s\"}", EVES_KEY,
                         BOBS_KEY);
        test_client_expect(&eve, MESSAGE_SERVER_REFUSED);
        arena_run(&arena, 300);
    }
    assert_string_equal(eve.message.refused.reason,
                        "Too many logins from your address. Try again in a minute.");
}

static void a_deleted_account_is_gone(void **unused) {
    (void)unused;
    claim(&ann, "Ann", ANNS_KEY);
    log_in(&bob, ANNS_KEY);
    test_client_expect(&bob, MESSAGE_SERVER_ACCOUNT);
    test_client_send(&ann, "{\"type\":\"delete\",\"name\":\"Bob\"}");
    test_client_refused(&ann, "no-such-account");
    test_client_send(&ann, "{\"type\":\"profile\",\"private\":true}");
    assert_true(test_client_expect(&ann, MESSAGE_SERVER_ACCOUNT)->account.is_private);
    test_client_send(&ann, "{\"type\":\"delete\",\"name\":\"ann\"}");
    test_client_expect(&ann, MESSAGE_SERVER_DONE);
    test_client_send(&bob, "{\"type\":\"profile\"}");
    test_client_refused(&bob, "needs-account");
    test_client_send(&ann, "{\"type\":\"login\",\"key\":\"%s\"}", ANNS_KEY);
    test_client_refused(&ann, "no-such-account");
    test_client_send(&ann, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"Ann\"}", ANNS_KEY);
    test_client_expect(&ann, MESSAGE_SERVER_ACCOUNT);
}

static void a_stolen_folder_lets_nobody_in(void **unused) {
    (void)unused;
    char command[256], code[PROTO_KEY_DIGITS + 1];
    claim(&ann, "Ann", ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"password\",\"password\":\"correct horse\"}");
    test_client_expect(&ann, MESSAGE_SERVER_ACCOUNT);
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"recovery\"}");
    memcpy(code, test_client_expect(&ann, MESSAGE_SERVER_KEY)->key_made.key, sizeof code);
    assert_null(strstr(arena.log, ANNS_KEY)); /* nor the log */
    assert_null(strstr(arena.log, code));
    arena_kill(&arena);
    const char *secrets[] = {ANNS_KEY, code, "correct horse", NULL};
    for (int i = 0; secrets[i] != NULL; i++) {
        snprintf(command, sizeof command, "! grep -raqi '%s' '%s'", secrets[i], arena.folder);
        assert_int_equal(system(command), 0);
    }
    /* Nor as bytes: the key is in none of the files, its name is. */
    snprintf(command, sizeof command,
             "! grep -raqP '\\x00\\x11\\x22\\x33\\x44\\x55\\x66\\x77\\x88\\x99' '%s'",
             arena.folder);
    assert_int_equal(system(command), 0);
    snprintf(command, sizeof command, "grep -raq 'Ann' '%s'", arena.folder);
    assert_int_equal(system(command), 0);
    arena_open(&arena);
}

static void programs_have_accounts_of_their_own(void **unused) {
    (void)unused;
    test_client_join(&bob, &arena, "Bot", "ai", "json");
    test_client_send(&bob, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"Beep\"}", BOBS_KEY);
    test_client_expect(&bob, MESSAGE_SERVER_ACCOUNT);
    log_in(&ann, BOBS_KEY);
    test_client_refused(&ann, "wrong-role");
}

/* --- Rated matches ---------------------------------------------------------------------------- */

/* Both log in to new accounts, from addresses of their own. */
static void two_accounts(void) {
    fake_address(arena.loop, "192.0.2.1");
    claim(&ann, "Ann", ANNS_KEY);
    fake_address(arena.loop, "192.0.2.2");
    claim(&bob, "Bob", BOBS_KEY);
}

/* Ann opens a rated duel, Bob joins. */
static void begin_rated(void) {
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\","
                           "\"rated\":true}");
    const Message *table = test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_true(table->table.rated && message_has(table, "tips") && !table->table.tips);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
}

/* Somebody acts once, then this one resigns. */
static void end_match(TestClient *loser) {
    TestClient *first = ann.message.position.awaited.bytes[1] - '0' == ann.seat ? &ann : &bob;
    test_client_act(first);
    test_client_send(loser, "{\"type\":\"resign\"}");
    arena_run(&arena, 1000);
}

/* The number behind a key of the entry of a seat in `rated`. */
static int number_of(const TestClient *client, uint32_t seat, const char *key) {
    char wanted[32];
    MessageJson list = client->message.rated.players;
    snprintf(wanted, sizeof wanted, "\"seat\":%u", seat);
    const char *entry = strstr(list.bytes, wanted);
    snprintf(wanted, sizeof wanted, "\"%s\":", key);
    const char *value = entry == NULL ? NULL : strstr(entry, wanted);
    assert_non_null(value);
    return atoi(value + strlen(wanted));
}

static void a_rated_match_changes_both_ratings(void **unused) {
    (void)unused;
    two_accounts();
    begin_rated();
    end_match(&bob);
    const Message *rated = test_client_expect(&ann, MESSAGE_SERVER_RATED);
    assert_int_equal(rated->rated.weight, 100);
    int won = number_of(&ann, ann.seat, "change"), lost = number_of(&ann, bob.seat, "change");
    assert_true(won > 100 && lost == -won);
    assert_int_equal(number_of(&ann, ann.seat, "rating"), 1500 + won);
    test_client_expect(&bob, MESSAGE_SERVER_RATED);
    test_client_send(&ann, "{\"type\":\"rematch\"}");
    test_client_send(&bob, "{\"type\":\"rematch\"}");
    const Message *table = test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_true(table->table.rated);
    char shown[64];
    snprintf(shown, sizeof shown, "\"rating\":%d,\"provisional\":true", 1500 + won);
    assert_non_null(strstr(table->table.players.bytes, shown));
    test_client_send(&ann, "{\"type\":\"profile\"}");
    test_client_expect(&ann, MESSAGE_SERVER_ACCOUNT);
    snprintf(shown, sizeof shown, "\"rating\":%d", 1500 + won);
    assert_non_null(strstr(ann.message.account.ratings.bytes, shown));
    assert_non_null(strstr(ann.message.account.ratings.bytes, "\"pace\":\"relaxed\""));
    assert_non_null(
        strstr(ann.message.account.ratings.bytes, "\"wins\":1,\"draws\":0,\"losses\":0"));
}

static void an_unrated_match_is_counted_and_changes_nothing(void **unused) {
    (void)unused;
    two_accounts();
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    end_match(&ann);
    assert_false(test_client_has(&ann, MESSAGE_SERVER_RATED));
    test_client_send(&bob, "{\"type\":\"profile\"}");
    test_client_expect(&bob, MESSAGE_SERVER_ACCOUNT);
    assert_non_null(strstr(bob.message.account.ratings.bytes, "\"rated\":0,\"wins\":1"));
    assert_null(strstr(bob.message.account.ratings.bytes, "\"rating\":"));
}

/* The matches and rated matches that the store has of an account. */
static void assert_counted(const char *folded, uint32_t matches, uint32_t rated) {
    StoreAccount account;
    StoreRating list[STORE_RATINGS_MAX];
    uint32_t count;
    Store *store = arena.server->store;
    assert_int_equal(store_account_named(store, folded, &account), STORE_OK);
    assert_int_equal(store_ratings(store, account.id, list, &count), STORE_OK);
    assert_int_equal(count, 1);
    assert_int_equal(list[0].matches, matches);
    assert_int_equal(list[0].rated, rated);
}

static void a_match_counts_once_whatever_is_killed(void **unused) {
    (void)unused;
    two_accounts();
    for (uint32_t ms = 0; ms < 12; ms++) {
        char archived[32];
        begin_rated();
        TestClient *first = ann.message.position.awaited.bytes[1] - '0' == ann.seat ? &ann : &bob;
        test_client_act(first);
        memcpy(archived, ann.code, sizeof ann.code);
        test_client_send_nowait(&bob, "{\"type\":\"resign\"}");
        arena_run(&arena, ms / 2); /* the end is known, counted or archived by then, or not */
        test_client_release(&ann);
        test_client_release(&bob);
        arena_kill(&arena);
        arena_open(&arena);
        arena_run(&arena, 400000); /* whoever did not come back has lost */
        assert_counted("ann", ms + 1, ms + 1);
        assert_counted("bob", ms + 1, ms + 1);
        fake_address(arena.loop, "192.0.2.1");
        log_in(&ann, ANNS_KEY);
        fake_address(arena.loop, "192.0.2.2");
        log_in(&bob, BOBS_KEY);
    }
}

static void rated_tables_have_rules(void **unused) {
    (void)unused;
    two_accounts();
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"open\",\"game\":\"zorde\",\"rated\":true}");
    test_client_refused(&eve, "needs-account");
    test_client_send(&eve, "{\"type\":\"seek\",\"game\":\"zorde\",\"rated\":true}");
    test_client_refused(&eve, "needs-account");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"rated\":true,\"seat\":0}");
    test_client_refused(&ann, "not-rateable");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"rated\":true,\"glass\":true}");
    test_client_refused(&ann, "not-rateable");
    test_client_send(&ann,
                     "{\"type\":\"open\",\"game\":\"zorde\",\"rated\":true,\"opponent\":\"ai\"}");
    test_client_refused(&ann, "not-rateable");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"rated\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&eve, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_refused(&eve, "needs-account");
    test_client_send(&eve, "{\"type\":\"login\",\"key\":\"%s\"}", ANNS_KEY);
    test_client_expect(&eve, MESSAGE_SERVER_ACCOUNT);
    test_client_send(&eve, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_refused(&eve, "same-player");
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
}

static void matches_of_one_address_count_little(void **unused) {
    (void)unused;
    claim(&ann, "Ann", ANNS_KEY);
    claim(&bob, "Bob", BOBS_KEY);
    for (int i = 0; i < 4; i++) {
        begin_rated();
        end_match(&bob);
        assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_RATED)->rated.weight,
                         i < 3 ? 25 : 0);
        if (i == 3)
            assert_int_equal(number_of(&ann, 0, "change"), 0);
        test_client_send(&ann, "{\"type\":\"leave\"}");
        test_client_send(&bob, "{\"type\":\"leave\"}");
        test_client_forget(&ann);
        test_client_forget(&bob);
    }
}

/* Gives an account a certain rating in zorde, by a match that ended at this time. */
static void set_rating_at(const char *folded, int64_t rating, uint64_t match, uint64_t ended_ms) {
    StoreAccount account;
    StoreCount count = {.match = match, .ended_ms = ended_ms, .rated = true};
    Store *store = arena.server->store;
    StoreRating before[STORE_RATINGS_MAX];
    uint32_t ratings;
    assert_int_equal(store_account_named(store, folded, &account), STORE_OK);
    assert_int_equal(store_ratings(store, account.id, before, &ratings), STORE_OK);
    memcpy(count.game, "zorde", 6);
    count.pace = PACE_RELAXED;
    count.seats[0] = (StoreSeat){.account = account.id,
                                 .rating = rating * GLICKO_POINT,
                                 .deviation = 60 * GLICKO_POINT,
                                 .volatility = GLICKO_VOLATILITY * 6 / 100,
                                 .certain_ms = UINT64_C(1) << 60,
                                 .expected = ratings == 0 ? 0 : before[0].matches};
    assert_int_equal(store_count(store, &count), STORE_OK);
}

/* The same by one that has just ended. */
static void set_rating(const char *folded, int64_t rating, uint64_t match) {
    set_rating_at(folded, rating, match, net_wall_clock_ms(arena.loop));
}

/* Points that a match between two who are equally good changes: of the winner, or the loser. */
static int change_of(uint64_t idle_ms, uint64_t others_idle_ms, double score) {
    GlickoRating rating = {1500 * GLICKO_POINT, 60 * GLICKO_POINT, GLICKO_VOLATILITY * 6 / 100};
    GlickoResult result = {glicko_wait(rating, others_idle_ms), score, 1};
    int64_t change = glicko_play(rating, idle_ms, result).rating - rating.rating;
    return (int)((change + (change < 0 ? -GLICKO_POINT : GLICKO_POINT) / 2) / GLICKO_POINT);
}

/* The rating of somebody who has not played for years is less certain: the opponent's changes less
 * by it, and his own more. */
static void years_without_a_match_count_for_both(void **unused) {
    (void)unused;
    const uint64_t years_ms = UINT64_C(5) * 365 * 86400000;
    two_accounts();
    set_rating("ann", 1500, 1);
    set_rating_at("bob", 1500, 2, net_wall_clock_ms(arena.loop) - years_ms);
    begin_rated();
    end_match(&bob);
    test_client_expect(&ann, MESSAGE_SERVER_RATED);
    assert_int_equal(number_of(&ann, ann.seat, "change"), change_of(0, years_ms, 1));
    assert_int_equal(number_of(&ann, bob.seat, "change"), change_of(years_ms, 0, 0));
    assert_int_not_equal(change_of(0, years_ms, 1), change_of(0, 0, 1));
    assert_int_not_equal(change_of(years_ms, 0, 0), change_of(0, 0, 0));
}

static void seekers_are_paired_by_rating_and_accept_more_with_time(void **unused) {
    (void)unused;
    static const char seek[] =
        "{\"type\":\"seek\",\"game\":\"zorde\",\"preset\":\"duel\",\"rated\":true}";
    two_accounts();
    fake_address(arena.loop, "192.0.2.3");
    claim(&eve, "Eve", EVES_KEY);
    set_rating("ann", 1500, 1);
    set_rating("bob", 1900, 2);
    set_rating("eve", 1550, 3);
    test_client_send(&ann, "{\"type\":\"login\",\"key\":\"%s\"}", ANNS_KEY);
    test_client_send(&bob, "{\"type\":\"login\",\"key\":\"%s\"}", BOBS_KEY);
    test_client_send(&eve, "{\"type\":\"login\",\"key\":\"%s\"}", EVES_KEY);
    test_client_send(&ann, seek);
    test_client_send(&bob, seek);
    arena_run(&arena, 10000);
    assert_false(test_client_has(&ann, MESSAGE_SERVER_POSITION)); /* 400 points are too many yet */
    test_client_send(&eve, seek);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION); /* and so she gets Ann, who is near */
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_false(test_client_has(&bob, MESSAGE_SERVER_POSITION));
    test_client_send(&ann, "{\"type\":\"leave\"}");
    test_client_send(&eve, "{\"type\":\"leave\"}");
    test_client_forget(&ann);
    test_client_forget(&eve);
    test_client_send(&ann, seek);
    arena_run(&arena, 1000);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 40000); /* Bob accepts more by now */
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
}

/* Whose rating is not certain yet meets those who are 300 points away, and no more, at once. */
static void who_is_not_certain_is_paired_more_widely(void **unused) {
    (void)unused;
    static const char seek[] =
        "{\"type\":\"seek\",\"game\":\"zorde\",\"preset\":\"duel\",\"rated\":true}";
    two_accounts();
    fake_address(arena.loop, "192.0.2.3");
    claim(&eve, "Eve", EVES_KEY);
    set_rating("ann", 1810, 1);
    set_rating("bob", 1700, 2);
    test_client_send(&ann, "{\"type\":\"login\",\"key\":\"%s\"}", ANNS_KEY);
    test_client_send(&bob, "{\"type\":\"login\",\"key\":\"%s\"}", BOBS_KEY);
    test_client_send(&ann, seek);
    test_client_send(&bob, seek);
    arena_run(&arena, 100);
    assert_false(test_client_has(&bob, MESSAGE_SERVER_POSITION)); /* 110 points */
    test_client_send(&eve, seek);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    assert_false(test_client_has(&ann, MESSAGE_SERVER_POSITION)); /* 310 */
}

/* --- Over HTTP -------------------------------------------------------------------------------- */

static char body[1 << 16];

/* Asks for a path; its answer is in `body`. */
static void get(const char *path, uint16_t status) {
    MashText out = text_over(body, sizeof body);
    uint16_t got = fake_get(arena.server->net, path, &out);
    if (got != status)
        fail_msg("%s: %u %s", path, got, body);
}

static void assert_body(const char *part) {
    if (strstr(body, part) == NULL)
        fail_msg("no %s in %s", part, body);
}

/* The match file of the archive says how both were rated before the match. */
static void files_have_the_ratings_of_before(void **unused) {
    (void)unused;
    char path[64], expected[64];
    int ratings[2]; /* Ann's and Bob's after the first match */
    two_accounts();
    for (int i = 0; i < 2; i++) {
        begin_rated();
        end_match(&bob);
        test_client_expect(&ann, MESSAGE_SERVER_RATED);
        test_client_expect(&bob, MESSAGE_SERVER_RATED);
        snprintf(path, sizeof path, "/api/match/%s", ann.code);
        get(path, 200);
        if (i == 0) {
            assert_non_null(strstr(strstr(body, "\"ratings\""), "1500"));
            ratings[0] = number_of(&ann, ann.seat, "rating");
            ratings[1] = number_of(&ann, bob.seat, "rating");
        }
        test_client_send(&ann, "{\"type\":\"leave\"}");
        test_client_send(&bob, "{\"type\":\"leave\"}");
    }
    snprintf(expected, sizeof expected, "%d", ratings[0]);
    const char *list = strstr(body, "\"ratings\"");
    assert_non_null(list);
    const char *anns = strstr(list, expected);
    snprintf(expected, sizeof expected, "%d", ratings[1]);
    const char *bobs = strstr(list, expected);
    assert_true(anns != NULL && bobs != NULL && (anns < bobs) == (ann.seat == 0));
}

static void profiles_histories_and_leaders_are_public(void **unused) {
    (void)unused;
    two_accounts();
    begin_rated();
    end_match(&bob);
    test_client_expect(&ann, MESSAGE_SERVER_RATED);
    get("/api/v1/players/ANN", 200);
    assert_body("{\"name\":\"Ann\",\"program\":false,\"private\":false,\"since_ms\":");
    assert_body(",\"left\":0,\"ratings\":[");
    assert_body("\"ratings\":[{\"game\":\"zorde\",\"pace\":\"relaxed\",\"rating\":16");
    assert_body("\"provisional\":true,\"rated\":1,\"wins\":1,\"draws\":0,\"losses\":0,"
                "\"streak\":1,\"best_streak\":1}]}");
    get("/api/v1/players/Bob/matches", 200);
    assert_body(ann.code);
    assert_body("\"result\":\"lost\",\"rated\":true,\"weight\":100,\"rating\":13");
    assert_body("\"opponent\":\"Ann\",\"opponent_account\":true}]}");
    get("/api/v1/players/Bob/matches?game=tablut", 200);
    assert_string_equal(body, "{\"matches\":[]}\n");
    get("/api/v1/players/Bob/openings?game=zorde", 200);
    bool known = strstr(body, "{\"openings\":[{\"opening\":\"step ") != NULL;
    get("/api/v1/players/Ann/openings?game=zorde", 200);
    assert_true(known || strstr(body, "{\"openings\":[{\"opening\":\"step ") != NULL);
    get("/api/v1/players/Ann/openings?game=tablut", 200);
    assert_string_equal(body, "{\"openings\":[]}\n");
    get("/api/v1/players/Ann/openings", 400);
    get("/api/v1/players/Nobody/openings?game=zorde", 404);
    get("/api/v1/players/Bob/ratings?game=zorde&pace=relaxed", 200);
    assert_body("{\"points\":[[");
    get("/api/v1/players/Bob/ratings?game=zorde", 400);
    assert_body("{\"error\":\"\\\"game\\\" and \\\"pace\\\" are needed\"}");
    get("/api/v1/players/Bob/matches?pace=slow", 400);
    get("/api/v1/players/Bob/matches?game=chess", 400);
    get("/api/v1/players/Nobody", 404);
    get("/api/v1/players/%00", 404);
    get("/api/v1/players/", 404);
    get("/api/v1/nothing", 404);
    get("/api/v1/schema", 200);
    get("/api/v1/leaderboard?game=zorde&pace=relaxed", 200);
    assert_body("\"players\":[]"); /* nobody is certain yet */
}

/* A page has a hundred matches and says where the next one begins; the last page says nothing. */
static void histories_come_in_pages(void **unused) {
    (void)unused;
    char path[256], code[PROTO_CODE_MAX + 1];
    unsigned long long after_ms;
    uint32_t matches = 0;
    two_accounts();
    uint64_t now_ms = net_wall_clock_ms(arena.loop);
    for (uint64_t match = 1; match <= 101; match++)
        set_rating_at("ann", 1500, match, now_ms + match / 2); /* two end at one time */
    get("/api/v1/players/Ann/matches", 200);
    for (const char *at = body; (at = strstr(at, "\"opponent\":")) != NULL; at++)
        matches++;
    assert_int_equal(matches, 100);
    const char *last = strstr(body, "\"last\":{");
    assert_non_null(last);
    assert_int_equal(
        sscanf(last, "\"last\":{\"after_ms\":%llu,\"after\":\"%14[^\"]\"", &after_ms, code), 2);
    snprintf(path, sizeof path, "/api/v1/players/Ann/matches?after_ms=%llu&after=%s", after_ms,
             code);
    get(path, 200);
    const char *first = strstr(body, "\"opponent\":");
    assert_non_null(first);
    assert_null(strstr(first + 1, "\"opponent\":"));
    assert_null(strstr(body, "\"last\""));
    assert_body("\"code\":\"0000-0000-0001\"");
}

static void the_schema_is_the_documented_one(void **unused) {
    (void)unused;
    static char said[PLAYER_API_SCHEMA_BYTES], written[PLAYER_API_SCHEMA_BYTES];
    MashText text = text_over(said, sizeof said);
    player_api_write_schema(&text);
    FILE *file = fopen("docs/api.schema.json", "r");
    assert_non_null(file);
    assert_true(fread(written, 1, sizeof written - 1, file) > 0);
    fclose(file);
    assert_false(text.truncated);
    assert_string_equal(said, written);
}

static void leaders_are_listed(void **unused) {
    (void)unused;
    two_accounts();
    set_rating("ann", 1500, 1);
    set_rating("bob", 1900, 2);
    get("/api/v1/leaderboard?game=zorde&pace=relaxed", 200);
    assert_body("\"players\":[{\"rank\":1,\"name\":\"Bob\",\"rating\":1900,\"deviation\":60");
    assert_body("{\"rank\":2,\"name\":\"Ann\",\"rating\":1500");
    test_client_send(&bob, "{\"type\":\"profile\",\"private\":true}");
    get("/api/v1/leaderboard?game=zorde&pace=relaxed", 200);
    assert_body("\"players\":[{\"rank\":1,\"name\":\"Ann\"");
    get("/api/v1/leaderboard?game=zorde&pace=relaxed&programs=1", 200);
    assert_body("\"players\":[]");
    get("/api/v1/players/Bob", 404);
    get("/api/v1/players/Bob/matches", 404);
    fake_authorization(arena.loop, "Bearer " ANNS_KEY);
    get("/api/v1/players/Bob", 404);
    fake_authorization(arena.loop, "Bearer " BOBS_KEY);
    get("/api/v1/players/Bob", 200);
}

/* The archive: accounts by the names that they had, until these are gone; guests never. */
static void names_in_the_archive_lead_to_accounts(void **unused) {
    (void)unused;
    two_accounts();
    begin_rated();
    end_match(&bob);
    test_client_expect(&ann, MESSAGE_SERVER_RATED);
    arena_run(&arena, 10000);
    get("/api/archive", 200);
    assert_body("\"name\":\"Ann\",\"role\":\"person\",\"account\":true}");
    assert_body("\"name\":\"Bob\",\"role\":\"person\",\"account\":true}");
    test_client_send(&ann, "{\"type\":\"leave\"}");
    test_client_send(&bob, "{\"type\":\"leave\"}");
    test_client_send(&ann, "{\"type\":\"logout\"}"); /* a guest who is called like an account */
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    end_match(&bob);
    arena_run(&arena, 10000);
    get("/api/archive", 200);
    assert_body("\"name\":\"Ann\",\"role\":\"person\",\"account\":true}");
    assert_body("\"name\":\"Ann\",\"role\":\"person\"}");
    test_client_send(&bob, "{\"type\":\"leave\"}");
    test_client_send(&bob, "{\"type\":\"profile\",\"private\":true}");
    get("/api/archive", 200);
    assert_string_equal(body + strlen(body) - 3, "}}\n");
    assert_null(strstr(body, "Bob")); /* both were matches of his */
    get("/api/archive?player=Bob", 200);
    assert_null(strstr(body, "Bob"));
    test_client_send(&ann, "{\"type\":\"leave\"}");
    test_client_send(&bob, "{\"type\":\"logout\"}"); /* a guest who is called like him */
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    end_match(&bob);
    arena_run(&arena, 10000);
    get("/api/archive?player=Bob", 200);
    assert_body("\"name\":\"Bob\",\"role\":\"person\"}");
    assert_null(strstr(strstr(body, "Bob") + 3, "Bob"));
}

/* Asks for a path; with its headers. */
static NetReply ask(const char *path) {
    MashText out = text_over(body, sizeof body);
    NetReply reply = {.out = &out};
    fake_ask(arena.server->net, path, &reply);
    arena_run(&arena, 1000);
    assert_false(reply.later);
    reply.out = NULL;
    return reply;
}

static void what_is_known_is_not_sent_again(void **unused) {
    (void)unused;
    two_accounts();
    NetReply reply = ask("/api/v1/players/Ann");
    char etag[80];
    assert_int_equal(reply.status, 200);
    assert_string_not_equal(reply.etag, "");
    assert_true(reply.shared);
    snprintf(etag, sizeof etag, "\"%s\"", reply.etag);
    fake_if_none_match(arena.loop, etag);
    get("/api/v1/players/Ann", 304);
    assert_string_equal(body, "");
    get("/api/v1/players/Bob", 200);
    set_rating("ann", 1500, 1);
    get("/api/v1/players/Ann", 200); /* it has changed */
    fake_if_none_match(arena.loop, NULL);
    reply = ask("/api/v1/players/Nobody");
    assert_int_equal(reply.status, 404);
    assert_string_equal(reply.etag, "");
    fake_authorization(arena.loop, "Bearer " ANNS_KEY);
    reply = ask("/api/v1/export"); /* one's own data is for no cache and no other page */
    assert_int_equal(reply.status, 200);
    assert_string_equal(reply.etag, "");
    assert_false(reply.shared);
}

static void ones_own_data_needs_the_key(void **unused) {
    (void)unused;
    two_accounts();
    set_rating("ann", 1500, 1);
    get("/api/v1/export", 403);
    fake_authorization(arena.loop, "Bearer " EVES_KEY);
    get("/api/v1/export", 403);
    fake_authorization(arena.loop, "Bearer 12");
    get("/api/v1/export", 400);
    fake_authorization(arena.loop, "Bearer " ANNS_KEY);
    get("/api/v1/export", 200);
    assert_body("\"name\":\"Ann\"");
    assert_body("\"keys\":[{\"kind\":\"device\",\"made_ms\":");
    assert_body("\"matches\":[{\"code\":");
    assert_body("\"turns\":[],\"follows\":[],\"blocks\":[],\"bots\":[],\"notices\":[],"
                "\"challenges\":[],\"reports\":[],\"vacation\":{\"until_ms\":0,");
    assert_null(strstr(body, ANNS_KEY));
    test_client_send(&ann, "{\"type\":\"relations\",\"what\":\"follow\",\"name\":\"Bob\"}");
    test_client_send(&ann, "{\"type\":\"notices\",\"webhook\":\"https://ann.example/x\"}");
    test_client_send(&ann, "{\"type\":\"report\",\"code\":\"k7qf-2m9x-w3ab\","
                           "\"reason\":\"slow\"}");
    test_client_send(&ann, "{\"type\":\"key\",\"what\":\"bot\",\"name\":\"Ann Bot\"}");
    test_client_expect(&ann, MESSAGE_SERVER_KEY);
    test_client_send(&ann, "{\"type\":\"vacation\",\"days\":2}");
    test_client_expect(&ann, MESSAGE_SERVER_TURNS);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"challenge\":\"Bob\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 100);
    get("/api/v1/export", 200);
    assert_body("\"follows\":[\"Bob\"],\"blocks\":[],\"bots\":[\"Ann Bot\"],\"notices\":[{\"kind\":"
                "\"webhook\",\"url\":\"https://ann.example/x\"}],\"challenges\":[{\"code\":");
    assert_body("\"opponent\":\"Bob\",\"yours\":false,\"rated\":false,\"days\":0}],\"reports\":[{"
                "\"code\":\"k7qf-2m9x-w3ab\",\"made_ms\":");
    assert_body("\"reason\":\"slow\"}],\"vacation\":{\"until_ms\":1");
    assert_body("\"days\":2},\"left\":0}");
    fake_authorization(arena.loop, NULL);
}

/* So many wait for the store that one more cannot: it is told so, and may try again. */
static void too_many_at_once_are_refused(void **unused) {
    (void)unused;
    NetThreadPool *usual = arena.server->players.thread_pool;
    NetThreadPool *full = net_thread_pool_open(arena.loop, 1, 0);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    arena.server->players.thread_pool = full;
    for (int i = 0; i < 2; i++) {
        test_client_send(&ann, "{\"type\":\"claim\",\"key\":\"%032d\",\"name\":\"Ann\"}", 1);
        if (i == 0)
            test_client_refused(&ann, "accounts-away");
        arena.server->players.thread_pool = usual;
    }
    test_client_expect(&ann, MESSAGE_SERVER_ACCOUNT);
    net_thread_pool_close(full);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_not_kept),
        cmocka_unit_test(the_schema_is_the_documented_one),
        TEST(a_guest_claims_a_name_and_comes_again),
        TEST(a_name_is_changed_once_a_day),
        TEST(other_devices_come_by_code_words_and_password),
        TEST(other_devices_that_are_logged_out_have_nothing_left),
        TEST(the_device_that_stays_keeps_its_seat),
        TEST(guesses_are_slowed_down),
        TEST(a_deleted_account_is_gone),
        TEST(a_stolen_folder_lets_nobody_in),
        TEST(programs_have_accounts_of_their_own),
        TEST(a_rated_match_changes_both_ratings),
        TEST(files_have_the_ratings_of_before),
        TEST(an_unrated_match_is_counted_and_changes_nothing),
        TEST(a_match_counts_once_whatever_is_killed),
        TEST(rated_tables_have_rules),
        TEST(matches_of_one_address_count_little),
        TEST(years_without_a_match_count_for_both),
        TEST(histories_come_in_pages),
        TEST(seekers_are_paired_by_rating_and_accept_more_with_time),
        TEST(who_is_not_certain_is_paired_more_widely),
        TEST(profiles_histories_and_leaders_are_public),
        TEST(leaders_are_listed),
        TEST(what_is_known_is_not_sent_again),
        TEST(names_in_the_archive_lead_to_accounts),
        TEST(ones_own_data_needs_the_key),
        TEST(too_many_at_once_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
