/* test_server_pairs.c -- two matches with sides swapped: when the second begins, when it does not,
 * and what remains after a restart in between. */
#include <string.h>

#include "tests/server/fake/fixture.h"

/* Ann opens a table for two matches and takes seat 0; Bob joins. */
static void sit_down(const char *game) {
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"%s\",\"seat\":0,\"pair\":true}", game);
    const Message *table = test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_true(message_has(table, "leg"));
    assert_int_equal(table->table.leg, 1);
    assert_false(message_has(table, "first"));
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
}

/* The player resigns and both are told. */
static void resign(TestClient *client) {
    test_client_send(client, "{\"type\":\"resign\"}");
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_forget(&ann);
    test_client_forget(&bob);
}

static void the_second_match_begins_by_itself(void **unused) {
    (void)unused;
    sit_down("zorde");
    resign(&bob);
    arena_run(&arena, 15000);
    assert_false(test_client_has(&ann, MESSAGE_SERVER_TABLE)); /* time to look at the result */
    arena_run(&arena, 10000);
    const Message *table = test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.you, 1);
    assert_int_equal(table->table.leg, 2);
    assert_true(message_has(table, "first"));
    assert_int_equal(table->table.first, 1); /* Ann won the first and sits on seat 1 now */
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    assert_int_equal(bob.seat, 0);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    resign(&bob);
    arena_run(&arena, 60000); /* two matches are all */
    assert_false(test_client_has(&ann, MESSAGE_SERVER_TABLE));
}

static void both_can_begin_it_at_once(void **unused) {
    (void)unused;
    sit_down("battleground");
    resign(&ann);
    test_client_send(&ann, "{\"type\":\"rematch\"}");
    test_client_send(&bob, "{\"type\":\"rematch\"}");
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_TABLE)->table.leg, 2);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    resign(&ann);
    test_client_send(&ann, "{\"type\":\"rematch\"}");
    test_client_send(&bob, "{\"type\":\"rematch\"}"); /* behind both: two new ones */
    const Message *table = test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.leg, 1);
    assert_false(message_has(table, "first"));
}

static void a_lost_player_is_waited_for(void **unused) {
    (void)unused;
    TestClient again;
    sit_down("zorde");
    fake_cut(bob.connection);
    arena_run(&arena, 100);
    test_client_send(&ann, "{\"type\":\"resign\"}");
    arena_run(&arena, 40000);
    test_client_forget(&ann);
    arena_run(&arena, 5000);
    assert_false(test_client_has(&ann, MESSAGE_SERVER_TABLE));
    test_client_join(&again, &arena, "Bob", "person", "json");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", bob.token);
    test_client_expect(&again, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 2000);
    assert_int_equal(test_client_expect(&again, MESSAGE_SERVER_TABLE)->table.leg, 2);
    assert_int_equal(again.seat, 0);
    test_client_release(&again);
}

static void leaving_ends_the_pair(void **unused) {
    (void)unused;
    sit_down("zorde");
    resign(&ann);
    test_client_send(&bob, "{\"type\":\"leave\"}");
    test_client_forget(&ann);
    arena_run(&arena, 60000);
    assert_false(test_client_has(&ann, MESSAGE_SERVER_TABLE));
}

static void an_ai_player_changes_sides_too(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"seat\":0,\"opponent\":\"ai\","
                           "\"level\":1,\"pair\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_send(&ann, "{\"type\":\"resign\"}");
    test_client_forget(&ann);
    arena_run(&arena, 25000);
    const Message *table = test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.you, 1);
    assert_int_equal(table->table.first, 0); /* the AI player won and sits on seat 0 now */
}

static void seekers_of_a_pair_meet_each_other_only(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"zorde\",\"pair\":true}");
    test_client_send(&eve, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    assert_false(test_client_has(&eve, MESSAGE_SERVER_POSITION));
    test_client_send(&bob, "{\"type\":\"seek\",\"game\":\"zorde\",\"pair\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_release(&eve);
}

static void a_restart_keeps_the_score(void **unused) {
    (void)unused;
    TestClient again;
    sit_down("zorde");
    resign(&bob);
    arena_run(&arena, 25000);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    arena_kill(&arena);
    arena_open(&arena);
    test_client_join(&again, &arena, "Ann", "person", "json");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    const Message *table = test_client_expect(&again, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.leg, 2);
    assert_int_equal(table->table.first, 1);
    test_client_release(&again);
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        ROW(the_second_match_begins_by_itself), ROW(both_can_begin_it_at_once),
        ROW(a_lost_player_is_waited_for),       ROW(leaving_ends_the_pair),
        ROW(an_ai_player_changes_sides_too),    ROW(seekers_of_a_pair_meet_each_other_only),
        ROW(a_restart_keeps_the_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
