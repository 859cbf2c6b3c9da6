/* test_server_leavers.c -- a player who does not come back: the one who waits chooses, if its
 * client can; for all others the match is won when the grace time is over. */
#include "tests/server/fake/fixture.h"

#include <stdio.h>
#include <string.h>

#include "server/internal.h"

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

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        ROW(others_win_at_once),
        ROW(nothing_to_choose_before),
        ROW(the_one_who_waits_may_win),
        ROW(or_have_a_draw),
        ROW(or_play_on),
        ROW(the_leaver_may_come_back),
        ROW(the_chooser_may_go),
        ROW(the_choice_outlives_the_server),
        ROW(the_ai_player_outlives_the_server),
        ROW(a_busy_server_refuses_the_ai_player),
    };
    return cmocka_run_group_tests_name("server_leavers", tests, NULL, NULL);
}
