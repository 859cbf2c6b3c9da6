/* test_server_pairs.c -- two matches with sides changed: when the second begins, when it does not,
 * and what a restart in between leaves of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "server/house.h"
#include "tests/fake/arena.h"

static Arena arena;
static Visitor ann, bob;

static int set_up(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena_open(&arena);
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    visitor_release(&ann);
    visitor_release(&bob);
    arena_release(&arena);
    return 0;
}

/* Ann opens a table for two matches and takes seat 0; Bob joins. */
static void sit_down(const char *game) {
    visitor_come(&ann, &arena, "Ann", "person", "json");
    visitor_come(&bob, &arena, "Bob", "person", "json");
    visitor_say(&ann, "{\"type\":\"open\",\"game\":\"%s\",\"seat\":0,\"pair\":true}", game);
    const Message *table = visitor_hear(&ann, MESSAGE_SERVER_TABLE);
    assert_true(message_has(table, "leg"));
    assert_int_equal(table->table.leg, 1);
    assert_false(message_has(table, "first"));
    visitor_say(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    visitor_hear(&bob, MESSAGE_SERVER_POSITION);
    visitor_hear(&ann, MESSAGE_SERVER_POSITION);
}

/* The player resigns and both hear it. */
static void resign(Visitor *visitor) {
    visitor_say(visitor, "{\"type\":\"resign\"}");
    visitor_hear(&ann, MESSAGE_SERVER_POSITION);
    visitor_hear(&bob, MESSAGE_SERVER_POSITION);
    visitor_forget(&ann);
    visitor_forget(&bob);
}

static void the_second_match_begins_by_itself(void **unused) {
    (void)unused;
    sit_down("zorde");
    resign(&bob);
    arena_run(&arena, 15000);
    assert_false(visitor_hears(&ann, MESSAGE_SERVER_TABLE)); /* time to look at how it ended */
    arena_run(&arena, 10000);
    const Message *table = visitor_hear(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.you, 1);
    assert_int_equal(table->table.leg, 2);
    assert_true(message_has(table, "first"));
    assert_int_equal(table->table.first, 1); /* Ann won the first and sits on seat 1 now */
    visitor_hear(&bob, MESSAGE_SERVER_TABLE);
    assert_int_equal(bob.seat, 0);
    visitor_hear(&bob, MESSAGE_SERVER_POSITION);
    resign(&bob);
    arena_run(&arena, 60000); /* two matches are all */
    assert_false(visitor_hears(&ann, MESSAGE_SERVER_TABLE));
}

static void both_can_begin_it_at_once(void **unused) {
    (void)unused;
    sit_down("battleground");
    resign(&ann);
    visitor_say(&ann, "{\"type\":\"rematch\"}");
    visitor_say(&bob, "{\"type\":\"rematch\"}");
    assert_int_equal(visitor_hear(&ann, MESSAGE_SERVER_TABLE)->table.leg, 2);
    visitor_hear(&ann, MESSAGE_SERVER_POSITION);
    visitor_hear(&bob, MESSAGE_SERVER_POSITION);
    resign(&ann);
    visitor_say(&ann, "{\"type\":\"rematch\"}");
    visitor_say(&bob, "{\"type\":\"rematch\"}"); /* behind both: two new ones */
    const Message *table = visitor_hear(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.leg, 1);
    assert_false(message_has(table, "first"));
}

static void a_lost_player_is_waited_for(void **unused) {
    (void)unused;
    Visitor again;
    sit_down("zorde");
    fake_cut(bob.connection);
    arena_run(&arena, 100);
    visitor_say(&ann, "{\"type\":\"resign\"}");
    arena_run(&arena, 40000);
    visitor_forget(&ann);
    arena_run(&arena, 5000);
    assert_false(visitor_hears(&ann, MESSAGE_SERVER_TABLE));
    visitor_come(&again, &arena, "Bob", "person", "json");
    visitor_say(&again, "{\"type\":\"return\",\"token\":\"%s\"}", bob.token);
    visitor_hear(&again, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 2000);
    assert_int_equal(visitor_hear(&again, MESSAGE_SERVER_TABLE)->table.leg, 2);
    assert_int_equal(again.seat, 0);
    visitor_release(&again);
}

static void who_leaves_plays_no_second(void **unused) {
    (void)unused;
    sit_down("zorde");
    resign(&ann);
    visitor_say(&bob, "{\"type\":\"leave\"}");
    visitor_forget(&ann);
    arena_run(&arena, 60000);
    assert_false(visitor_hears(&ann, MESSAGE_SERVER_TABLE));
}

static void a_robot_changes_sides_too(void **unused) {
    (void)unused;
    visitor_come(&ann, &arena, "Ann", "person", "json");
    visitor_come(&bob, &arena, "Bob", "person", "json");
    visitor_say(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"seat\":0,\"opponent\":\"ai\","
                      "\"level\":1,\"pair\":true}");
    visitor_hear(&ann, MESSAGE_SERVER_POSITION);
    visitor_say(&ann, "{\"type\":\"resign\"}");
    visitor_forget(&ann);
    arena_run(&arena, 25000);
    const Message *table = visitor_hear(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.you, 1);
    assert_int_equal(table->table.first, 0); /* the robot won and sits on seat 0 now */
}

static void seekers_of_a_pair_meet_each_other_only(void **unused) {
    (void)unused;
    Visitor eve;
    visitor_come(&ann, &arena, "Ann", "person", "json");
    visitor_come(&bob, &arena, "Bob", "person", "json");
    visitor_come(&eve, &arena, "Eve", "person", "json");
    visitor_say(&ann, "{\"type\":\"seek\",\"game\":\"zorde\",\"pair\":true}");
    visitor_say(&eve, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    assert_false(visitor_hears(&eve, MESSAGE_SERVER_POSITION));
    visitor_say(&bob, "{\"type\":\"seek\",\"game\":\"zorde\",\"pair\":true}");
    visitor_hear(&ann, MESSAGE_SERVER_POSITION);
    visitor_hear(&bob, MESSAGE_SERVER_POSITION);
    visitor_release(&eve);
}

static void a_restart_keeps_the_score(void **unused) {
    (void)unused;
    Visitor again;
    sit_down("zorde");
    resign(&bob);
    arena_run(&arena, 25000);
    visitor_hear(&ann, MESSAGE_SERVER_TABLE);
    visitor_hear(&ann, MESSAGE_SERVER_POSITION);
    arena_kill(&arena);
    arena_open(&arena);
    visitor_come(&again, &arena, "Ann", "person", "json");
    visitor_say(&again, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    const Message *table = visitor_hear(&again, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.leg, 2);
    assert_int_equal(table->table.first, 1);
    visitor_release(&again);
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(the_second_match_begins_by_itself), ROW(both_can_begin_it_at_once),
        ROW(a_lost_player_is_waited_for),       ROW(who_leaves_plays_no_second),
        ROW(a_robot_changes_sides_too),         ROW(seekers_of_a_pair_meet_each_other_only),
        ROW(a_restart_keeps_the_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
