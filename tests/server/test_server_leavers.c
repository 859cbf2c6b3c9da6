/* test_server_leavers.c -- a player who does not come back: the one who waits chooses, if its
 * client can; for all others the match is won when the grace time is over. */
#include "tests/server/fake/fixture.h"

#include <stdio.h>
#include <string.h>

#include "server/internal.h"
#include "server/leavers.h"

enum { GRACE_MS = 20000 };

/* Connects and says hello as a client that chooses, or as one that knows nothing of it. */
static void join(TestClient *client, const char *name, bool chooses) {
    test_client_connect(client, &arena, "/arena");
    test_client_send(client,
                     "{\"type\":\"hello\",\"name\":\"%s\",\"role\":\"person\",\"view\":\"json\"%s}",
                     name, chooses ? ",\"leavers\":true" : "");
    test_client_expect(client, MESSAGE_SERVER_WELCOME);
}

/* Ann's and Bob's tokens. */
static char tokens[MASH_SEATS][PROTO_TOKEN_DIGITS + 1];

/* Comes back to a seat. */
static void come_back(TestClient *client, const char *name, uint8_t seat) {
    join(client, name, true);
    test_client_send(client, "{\"type\":\"return\",\"token\":\"%s\"}", tokens[seat]);
}

/* Ann and Bob play; Ann chooses or not. */
static void begin(bool ann_chooses) {
    join(&ann, "Ann", ann_chooses);
    join(&bob, "Bob", true);
    test_client_send(&ann,
                     "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":0,"
                     "\"grace_ms\":%d}",
                     GRACE_MS);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_act(fixture_awaited());
    memcpy(tokens[0], ann.token, sizeof tokens[0]);
    memcpy(tokens[1], bob.token, sizeof tokens[1]);
}

static Table *table(void) { return arena.server->tables; }

static bool is_over(void) { return match_result(&table()->match).over; }

/* Bob goes, and the grace time passes. */
static void lose_bob(void) {
    test_client_release(&bob);
    test_client_forget(&ann);
    arena_run(&arena, GRACE_MS + 1000);
}

static void choose(const char *what) {
    test_client_send(&ann, "{\"type\":\"leaver\",\"what\":\"%s\"}", what);
}

/* Who knows nothing of it wins, as ever. */
static void others_win_at_once(void **unused) {
    (void)unused;
    begin(false);
    lose_bob();
    assert_true(is_over());
    assert_int_equal(match_result(&table()->match).winner, 0);
    assert_int_equal(match_result(&table()->match).reason, MASH_REASON_LEFT);
    assert_false(test_client_has(&ann, MESSAGE_SERVER_LEAVER));
}

static void nothing_to_choose_before(void **unused) {
    (void)unused;
    begin(true);
    choose("win");
    test_client_refused(&ann, "no-leaver");
    test_client_release(&bob);
    arena_run(&arena, GRACE_MS - 1000);
    test_client_forget(&ann);
    choose("win");
    test_client_refused(&ann, "no-leaver");
    assert_false(is_over());
}

static void the_one_who_waits_may_win(void **unused) {
    (void)unused;
    begin(true);
    lose_bob();
    assert_false(is_over());
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_LEAVER)->leaver_told.seat, 1);
    arena_run(&arena, 3 * GRACE_MS); /* waiting on is a choice as well */
    assert_false(is_over());
    choose("win");
    assert_true(is_over());
    assert_int_equal(match_result(&table()->match).winner, 0);
    assert_int_equal(match_result(&table()->match).reason, MASH_REASON_LEFT);
    test_client_forget(&ann);
    choose("win");
    test_client_refused(&ann, "not-running");
}

/* The same for whoever has the second seat. */
static void the_second_seat_chooses_as_well(void **unused) {
    (void)unused;
    begin(true);
    test_client_release(&ann);
    test_client_forget(&bob);
    arena_run(&arena, GRACE_MS + 1000);
    assert_false(is_over());
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_LEAVER)->leaver_told.seat, 0);
    test_client_release(&bob);
    come_back(&bob, "Bob", 1); /* and is asked again */
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_LEAVER)->leaver_told.seat, 0);
    test_client_send(&bob, "{\"type\":\"leaver\",\"what\":\"win\"}");
    assert_true(is_over());
    assert_int_equal(match_result(&table()->match).winner, 1);
}

static void or_have_a_draw(void **unused) {
    (void)unused;
    begin(true);
    lose_bob();
    choose("draw");
    assert_true(is_over());
    assert_int_equal(match_result(&table()->match).winner, MASH_SEAT_NONE);
}

/* Has seat 1 acted since? */
static bool robot_acted(uint32_t since) {
    const Match *match = &table()->match;
    while (since < match->actions_count && match->actions[since].seat != 1)
        since++;
    return since < match->actions_count;
}

/* The match goes on against an AI player; who comes back is told so, and may watch. */
static void or_play_on(void **unused) {
    (void)unused;
    begin(true);
    lose_bob();
    choose("ai");
    test_client_expect(&ann, MESSAGE_SERVER_LEAVER);
    test_client_expect(&ann, MESSAGE_SERVER_PEOPLE);
    assert_int_equal(table()->chairs[1].robot, 5);
    assert_true(table()->robots_of != NULL && arena.server->robots > 0);
    assert_false(is_over());
    test_client_release(&ann);
    come_back(&ann, "Ann", 0);
    uint32_t before = table()->match.actions_count;
    for (int i = 0; i < 60 && !robot_acted(before); i++) {
        while (i == 0 || (uint32_t)ann.number < table()->chairs[0].number) {
            test_client_expect(&ann, MESSAGE_SERVER_POSITION);
            i++;
        }
        if (table()->clock.seats[0].awaited)
            test_client_act(&ann);
        arena_run(&arena, 5000);
    }
    assert_true(robot_acted(before));
    come_back(&bob, "Bob", 1);
    test_client_refused(&bob, "replaced");
    test_client_send(&bob, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    assert_int_equal(table()->leaver, 0);
}

/* Who comes back in time to play on takes the choice away. */
static void the_leaver_may_come_back(void **unused) {
    (void)unused;
    begin(true);
    lose_bob();
    come_back(&bob, "Bob", 1);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_forget(&ann);
    choose("win");
    test_client_refused(&ann, "no-leaver");
    assert_false(is_over());
    lose_bob(); /* and may go again */
    test_client_expect(&ann, MESSAGE_SERVER_LEAVER);
}

/* Who has the choice and goes as well has won all the same; a reload loses nothing. */
static void the_chooser_may_go(void **unused) {
    (void)unused;
    begin(true);
    lose_bob();
    test_client_release(&ann);
    arena_run(&arena, 1000);
    come_back(&ann, "Ann", 0);
    test_client_expect(&ann, MESSAGE_SERVER_LEAVER);
    test_client_release(&ann);
    arena_run(&arena, GRACE_MS + 1000);
    assert_true(is_over());
    assert_int_equal(match_result(&table()->match).winner, 0);
}

/* The server is killed while Ann chooses: Bob has time to come back again, then she chooses again.
 */
static void the_choice_outlives_the_server(void **unused) {
    (void)unused;
    begin(true);
    lose_bob();
    test_client_expect(&ann, MESSAGE_SERVER_LEAVER);
    arena_kill(&arena);
    test_client_release(&ann);
    arena_open(&arena);
    come_back(&ann, "Ann", 0);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    choose("win");
    arena_run(&arena, arena.setup.return_ms + GRACE_MS);
    test_client_expect(&ann, MESSAGE_SERVER_LEAVER);
    choose("draw");
    assert_true(is_over());
}

/* And after the AI player has taken the seat: it plays on. */
static void the_ai_player_outlives_the_server(void **unused) {
    (void)unused;
    begin(true);
    lose_bob();
    choose("ai");
    arena_run(&arena, 2000);
    uint32_t actions = table()->match.actions_count;
    arena_kill(&arena);
    test_client_release(&ann);
    arena_open(&arena);
    assert_int_equal(table()->chairs[1].robot, 5);
    assert_string_equal(table()->chairs[1].name, "Computer 5");
    assert_true(table()->match.actions_count >= actions);
    come_back(&ann, "Ann", 0);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    arena_run(&arena, arena.setup.return_ms + GRACE_MS);
    assert_false(is_over());
    come_back(&bob, "Bob", 1);
    test_client_refused(&bob, "replaced");
}

/* All AI players are busy: the other choices stay. */
static void a_busy_server_refuses_the_ai_player(void **unused) {
    (void)unused;
    begin(true);
    lose_bob();
    uint32_t robots = arena.server->robots;
    arena.server->robots = UINT32_MAX / 2;
    test_client_forget(&ann);
    choose("ai");
    test_client_refused(&ann, "robots-busy");
    arena.server->robots = robots;
    assert_int_equal(table()->chairs[1].robot, 0);
    choose("win");
    assert_true(is_over());
}

/* --- Who leaves often ------------------------------------------------------------------------- */

#define ANNS_KEY "00112233445566778899aabbccddeeff"
#define BOBS_KEY "ffeeddccbbaa99887766554433221100"
#define EVES_KEY "0123456789abcdef0123456789abcdef"
#define SEEK     "{\"type\":\"seek\",\"game\":\"zorde\",\"preset\":\"duel\"%s}"
enum { DAY_MS = 86400000 };

/* Makes an account. */
static void claim(TestClient *client, const char *name, const char *key) {
    join(client, "Somebody", true);
    test_client_send(client, "{\"type\":\"claim\",\"key\":\"%s\",\"name\":\"%s\"}", key, name);
    test_client_expect(client, MESSAGE_SERVER_ACCOUNT);
}

/* Logs in at a new connection. */
static void log_in(TestClient *client, const char *key) {
    test_client_release(client);
    join(client, "Somebody", true);
    test_client_send(client, "{\"type\":\"login\",\"key\":\"%s\"}", key);
    test_client_expect(client, MESSAGE_SERVER_ACCOUNT);
}

/* The account of that name. */
static uint64_t account(const char *folded) {
    StoreAccount found;
    assert_int_equal(store_account_named(arena.server->store, folded, &found), STORE_OK);
    return found.id;
}

/* How many matches Bob has left. */
static uint32_t bob_left(void) {
    StoreLeft left;
    assert_int_equal(store_left_count(arena.server->store, account("bob"), 0, &left), STORE_OK);
    return left.left;
}

/* Ann and Bob play with their accounts. */
static void begin_with_accounts(void) {
    log_in(&ann, ANNS_KEY);
    log_in(&bob, BOBS_KEY);
    test_client_send(&ann,
                     "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":0,"
                     "\"grace_ms\":%d}",
                     GRACE_MS);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_act(fixture_awaited());
    memcpy(tokens[0], ann.token, sizeof tokens[0]);
}

/* Whatever the other chooses, the match was left; who resigns or says goodbye has left none. */
static void left_matches_are_counted(void **unused) {
    (void)unused;
    static const char *const choices[] = {"win", "draw", "ai"};
    claim(&ann, "Ann", ANNS_KEY);
    claim(&bob, "Bob", BOBS_KEY);
    for (uint32_t i = 0; i < 3; i++) {
        begin_with_accounts();
        lose_bob();
        test_client_expect(&ann, MESSAGE_SERVER_LEAVER);
        choose(choices[i]);
        arena_run(&arena, 1000);
        if (i == 2) {
            assert_int_equal(bob_left(), 2); /* it is not over yet */
            arena_kill(&arena);
            test_client_release(&ann);
            arena_open(&arena);
            come_back(&ann, "Ann", 0);
            test_client_expect(&ann, MESSAGE_SERVER_POSITION);
            test_client_send(&ann, "{\"type\":\"resign\"}");
            arena_run(&arena, 1000);
        }
        assert_int_equal(bob_left(), i + 1);
        test_client_release(&ann);
        arena_run(&arena, 1000);
    }
    begin_with_accounts();
    test_client_send(&bob, "{\"type\":\"resign\"}");
    arena_run(&arena, 1000);
    begin_with_accounts();
    test_client_send(&bob, "{\"type\":\"leave\"}");
    arena_run(&arena, 1000);
    assert_int_equal(bob_left(), 3);
    StoreLeft left;
    assert_int_equal(store_left_count(arena.server->store, account("ann"), 0, &left), STORE_OK);
    assert_true(left.left == 0 && left.played == 5);
}

/* Does the client play now? */
static bool plays(TestClient *client) {
    arena_run(&arena, 100);
    return test_client_has(client, MESSAGE_SERVER_POSITION);
}

/* Looks for a quick match; with this, too. */
static void seek(TestClient *client, const char *settings) {
    test_client_forget(client);
    test_client_send(client, SEEK, settings);
    test_client_expect(client, MESSAGE_SERVER_TABLE);
}

/* Who has left three matches, and a fifth of all, plays others who have, and the rest only after
 * two minutes. */
static void like_is_paired_with_like(const char *settings) {
    claim(&ann, "Ann", ANNS_KEY);
    claim(&bob, "Bob", BOBS_KEY);
    claim(&eve, "Eve", EVES_KEY);
    uint64_t now_ms = net_wall_clock_ms(arena.loop);
    for (uint64_t i = 1; i <= 3; i++) {
        log_in(&bob, BOBS_KEY);
        seek(&bob, settings);
        seek(&ann, settings);
        assert_true(plays(&ann)); /* less than three are forgiven */
        test_client_send(&ann, "{\"type\":\"leave\"}");
        test_client_send(&bob, "{\"type\":\"leave\"}");
        assert_int_equal(store_left(arena.server->store, account("bob"), i, now_ms, 0), STORE_OK);
    }
    log_in(&bob, BOBS_KEY);
    seek(&bob, settings);
    seek(&ann, settings);
    assert_false(plays(&ann));
    arena_run(&arena, 100000);
    assert_false(plays(&ann));
    for (uint64_t i = 1; i <= 3; i++)
        assert_int_equal(store_left(arena.server->store, account("eve"), 10 + i, now_ms, 0),
                         STORE_OK);
    log_in(&eve, EVES_KEY);
    seek(&eve, settings);
    assert_true(plays(&eve) && plays(&bob)); /* both have left many */
    assert_false(plays(&ann));
    test_client_send(&eve, "{\"type\":\"leave\"}");
    test_client_send(&bob, "{\"type\":\"leave\"}");
    test_client_send(&ann, "{\"type\":\"leave\"}");
    seek(&ann, settings);
    seek(&bob, settings);
    assert_false(plays(&bob));
    arena_run(&arena, 125000);
    assert_true(plays(&bob) && plays(&ann));
}

static void quick_matches_pair_like_with_like(void **unused) {
    (void)unused;
    like_is_paired_with_like("");
}

static void so_do_rated_ones(void **unused) {
    (void)unused;
    like_is_paired_with_like(",\"rated\":true");
}

/* Three of many are not often, and after a month they are forgotten. */
static void leaving_is_forgiven(void **unused) {
    (void)unused;
    assert_false(leavers_often(&(StoreLeft){2, 2}));
    assert_true(leavers_often(&(StoreLeft){3, 3}));
    assert_true(leavers_often(&(StoreLeft){3, 15}));
    assert_false(leavers_often(&(StoreLeft){3, 16}));
    assert_true(leavers_often(&(StoreLeft){4, 16}));
    claim(&bob, "Bob", BOBS_KEY);
    StoreLeft left;
    Store *store = arena.server->store;
    uint64_t now_ms = net_wall_clock_ms(arena.loop) + (uint64_t)100 * DAY_MS;
    assert_int_equal(leavers_note(store, account("bob"), 1, now_ms), STORE_OK);
    assert_int_equal(leavers_read(store, account("bob"), now_ms + (uint64_t)29 * DAY_MS, &left),
                     STORE_OK);
    assert_int_equal(left.left, 1);
    assert_int_equal(leavers_read(store, account("bob"), now_ms + (uint64_t)31 * DAY_MS, &left),
                     STORE_OK);
    assert_int_equal(left.left, 0);
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        ROW(others_win_at_once),
        ROW(nothing_to_choose_before),
        ROW(the_one_who_waits_may_win),
        ROW(the_second_seat_chooses_as_well),
        ROW(or_have_a_draw),
        ROW(or_play_on),
        ROW(the_leaver_may_come_back),
        ROW(the_chooser_may_go),
        ROW(the_choice_outlives_the_server),
        ROW(the_ai_player_outlives_the_server),
        ROW(a_busy_server_refuses_the_ai_player),
        ROW(left_matches_are_counted),
        ROW(quick_matches_pair_like_with_like),
        ROW(so_do_rated_ones),
        ROW(leaving_is_forgiven),
    };
    return cmocka_run_group_tests_name("server_leavers", tests, NULL, NULL);
}
