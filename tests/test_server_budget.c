/* test_server_budget.c -- what one address may use: tables, matches and bytes of a day, content of
 * its own, messages; nobody else is the poorer for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "server/house.h"
#include "tests/fake/arena.h"

enum { CROWD = 48, HOUR_MS = 3600000, DAY_MS = 24 * HOUR_MS, SECOND_MS = 1000 };

static Arena arena;
static Visitor ann, bob, eve, crowd[CROWD];

static int set_up(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena.setup.talk = (NetRate){0, 0};
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    arena_release(&arena);
    return 0;
}

/* Somebody comes from this address. */
static void come_from(Visitor *visitor, const char *address, const char *name) {
    fake_address(arena.loop, address);
    visitor_come(visitor, &arena, name, "person", "json");
}

/* The refusal must be this one, and its sentence must say so much. */
static void refused_with(Visitor *visitor, const char *code, const char *words) {
    const Message *message = visitor_hear(visitor, MESSAGE_TELL_REFUSED);
    assert_string_equal(message->refused.code, code);
    assert_false(message->refused.offence);
    if (strstr(message->refused.reason, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", message->refused.reason, words);
}

static void open_duel(Visitor *visitor) {
    visitor_say(visitor, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\"}");
}

/* Plays against a robot and gives up before anything has happened. */
static void play_robot(Visitor *visitor) {
    visitor_say(visitor, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":0,"
                         "\"opponent\":\"ai\",\"level\":1}");
}

/* --- Tables ----------------------------------------------------------------------------------- */

static void open_tables_are_counted_by_address(void **unused) {
    (void)unused;
    static const char *const addresses[] = {"2001:db8::1", "2001:db8::2", "2001:db8:0:0:9::"};
    arena.setup.budgets.tables = 3;
    arena_open(&arena);
    for (uint32_t i = 0; i < 3; i++) {
        come_from(&crowd[i], addresses[i], "Guest");
        open_duel(&crowd[i]);
        visitor_hear(&crowd[i], MESSAGE_TELL_TABLE);
    }
    come_from(&ann, "2001:db8::4", "Ann");
    open_duel(&ann);
    refused_with(&ann, "quota", "Too many open tables from your address (3). Finish or leave one");
    visitor_say(&ann, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    refused_with(&ann, "quota", "(3)");
    come_from(&bob, "2001:db8:0:1::1", "Bob");
    open_duel(&bob);
    visitor_hear(&bob, MESSAGE_TELL_TABLE);
    visitor_say(&ann, "{\"type\":\"join\",\"code\":\"%s\"}", bob.code);
    refused_with(&ann, "quota", "(3)");
    /* One at which the address sits already costs it nothing more. */
    visitor_say(&ann, "{\"type\":\"join\",\"code\":\"%s\"}", crowd[0].code);
    visitor_hear(&ann, MESSAGE_TELL_TABLE);
    visitor_say(&ann, "{\"type\":\"leave\"}");
    visitor_say(&crowd[0], "{\"type\":\"leave\"}");
    open_duel(&ann);
    visitor_hear(&ann, MESSAGE_TELL_TABLE);
    assert_int_equal(arena.server->accounts.refusals[BUDGET_TABLES], 3);
}

static void a_seat_counts_for_who_comes_back_to_it(void **unused) {
    (void)unused;
    arena.setup.budgets.tables = 1;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    open_duel(&ann);
    visitor_hear(&ann, MESSAGE_TELL_TABLE);
    come_from(&bob, "10.0.0.2", "Bob");
    visitor_say(&bob, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    visitor_hear(&bob, MESSAGE_TELL_TABLE);
    come_from(&eve, "10.0.0.2", "Eve");
    open_duel(&eve);
    visitor_refused(&eve, "quota");
    open_duel(&ann);
    visitor_hear(&ann, MESSAGE_TELL_TABLE);
}

static void accounts_are_dropped_when_their_day_is_over(void **unused) {
    (void)unused;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.2", "Bob");
    assert_int_equal(arena.server->accounts.count, 2);
    play_robot(&bob);
    visitor_hear(&bob, MESSAGE_TELL_TABLE);
    visitor_say(&bob, "{\"type\":\"leave\"}");
    visitor_release(&ann);
    visitor_release(&bob);
    assert_int_equal(arena.server->accounts.count, 1);
    arena_run(&arena, DAY_MS);
    come_from(&eve, "10.0.0.3", "Eve");
    assert_int_equal(arena.server->accounts.count, 1);
    visitor_release(&eve);
    assert_int_equal(arena.server->accounts.count, 0);
}

/* --- A day's worth ---------------------------------------------------------------------------- */

static void matches_of_a_day_come_back_evenly(void **unused) {
    (void)unused;
    arena.setup.budgets.matches_per_day = 4;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    for (uint32_t i = 0; i < 4; i++) {
        come_from(&crowd[i], "10.0.0.1", "Guest");
        play_robot(&crowd[i]);
        visitor_hear(&crowd[i], MESSAGE_TELL_TABLE);
    }
    play_robot(&ann);
    refused_with(&ann, "quota", "as many matches as it may in a day (4). Try again in 6 hours.");
    come_from(&bob, "10.0.0.2", "Bob");
    play_robot(&bob);
    visitor_hear(&bob, MESSAGE_TELL_TABLE);
    arena_run(&arena, 6 * HOUR_MS);
    play_robot(&ann);
    visitor_hear(&ann, MESSAGE_TELL_TABLE);
    visitor_release(&bob);
    come_from(&bob, "10.0.0.1", "Bob");
    play_robot(&bob);
    visitor_refused(&bob, "quota");
    assert_int_equal(arena.server->accounts.refusals[BUDGET_MATCHES], 2);
}

static void bytes_of_a_day_run_out_and_matches_go_on(void **unused) {
    (void)unused;
    arena.setup.budgets.megabytes_per_day = 1;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.1", "Bob");
    play_robot(&ann);
    visitor_hear(&ann, MESSAGE_TELL_TABLE);
    visitor_hear(&ann, MESSAGE_TELL_POSITION);
    budget_write(arena.server->tables, (1 << 20) - 1000);
    play_robot(&bob);
    visitor_hear(&bob, MESSAGE_TELL_TABLE);
    visitor_say(&bob, "{\"type\":\"leave\"}");
    play_robot(&bob);
    refused_with(&bob, "quota", "have written as much as they may in a day (1 MB). Try again in");
    visitor_act(&ann);
    come_from(&eve, "10.0.0.2", "Eve");
    play_robot(&eve);
    visitor_hear(&eve, MESSAGE_TELL_TABLE);
    arena_run(&arena, HOUR_MS);
    play_robot(&bob);
    visitor_hear(&bob, MESSAGE_TELL_TABLE);
    assert_int_equal(arena.server->accounts.refusals[BUDGET_BYTES], 1);
}

static void another_match_is_one_of_the_day(void **unused) {
    (void)unused;
    arena.setup.budgets.matches_per_day = 1;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    play_robot(&ann);
    visitor_hear(&ann, MESSAGE_TELL_POSITION);
    visitor_act(&ann);
    visitor_say(&ann, "{\"type\":\"resign\"}");
    arena_run(&arena, 100);
    visitor_say(&ann, "{\"type\":\"rematch\"}");
    refused_with(&ann, "quota", "as many matches as it may in a day (1)");
    arena_run(&arena, 100);
}

/* --- Content ---------------------------------------------------------------------------------- */

static void own_content_is_counted_by_bytes(void **unused) {
    (void)unused;
    static const char wish[] =
        "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"documents\":"
        "[{\"name\":\"duel.start.json\"}]}";
    arena.setup.budgets.content_megabytes = 1;
    arena_open(&arena);
    uint32_t opened = 0;
    for (uint32_t i = 0; i < CROWD; i++) {
        come_from(&crowd[i], "10.0.0.1", "Guest");
        visitor_say(&crowd[i], "%s", wish);
        if (!visitor_hears(&crowd[i], MESSAGE_TELL_TABLE)) {
            refused_with(&crowd[i], "quota", "content of their own as they may (1 MB). Finish or");
            break;
        }
        opened++;
    }
    assert_in_range(opened, 1, CROWD - 1);
    assert_true(crowd[0].arena != NULL);
    visitor_say(&crowd[0], "{\"type\":\"leave\"}");
    visitor_say(&crowd[opened], "%s", wish);
    visitor_hear(&crowd[opened], MESSAGE_TELL_TABLE);
    come_from(&ann, "10.0.0.2", "Ann");
    visitor_say(&ann, "%s", wish);
    visitor_hear(&ann, MESSAGE_TELL_TABLE);
}

/* --- Messages --------------------------------------------------------------------------------- */

static void messages_are_counted_over_all_sockets(void **unused) {
    (void)unused;
    arena.setup.budgets.messages = 100;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.1", "Bob");
    come_from(&eve, "10.0.0.2", "Eve");
    arena_run(&arena, 10 * SECOND_MS);
    /* Two sockets send 150 each: 200 are let in, and 40 for each socket of its own. */
    for (uint32_t i = 0; i < 150; i++) {
        visitor_throw(&ann, "{\"type\":\"here\"}");
        visitor_throw(&bob, "{\"type\":\"here\"}");
    }
    visitor_throw(&eve, "{\"type\":\"here\"}");
    arena_run(&arena, 10);
    assert_in_range(arena.server->accounts.refusals[BUDGET_MESSAGES], 19, 20);
    refused_with(&bob, "too-fast", "Too many messages from your address");
    assert_false(visitor_hears(&eve, MESSAGE_TELL_REFUSED));
    visitor_hear(&eve, MESSAGE_TELL_DONE);
    /* Who waits is heard again. */
    arena_run(&arena, 2 * SECOND_MS);
    visitor_forget(&bob);
    visitor_say(&bob, "{\"type\":\"here\"}");
    visitor_hear(&bob, MESSAGE_TELL_DONE);
}

static void a_neighbour_of_a_flood_plays_on(void **unused) {
    (void)unused;
    arena.setup.budgets.messages = 10;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.1", "Bob");
    arena_run(&arena, 10 * SECOND_MS);
    for (uint32_t i = 0; i < 60; i++) {
        for (uint32_t j = 0; j < 40 && bob.connection != NULL; j++)
            visitor_throw(&bob, "{\"type\":\"here\"}");
        visitor_say(&ann, "{\"type\":\"here\"}");
        arena_run(&arena, 500);
    }
    assert_false(visitor_hears(&ann, MESSAGE_TELL_REFUSED));
    assert_null(bob.connection);
    assert_int_equal(bob.close_code, NET_CLOSE_POLICY);
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(open_tables_are_counted_by_address),
        ROW(a_seat_counts_for_who_comes_back_to_it),
        ROW(accounts_are_dropped_when_their_day_is_over),
        ROW(matches_of_a_day_come_back_evenly),
        ROW(bytes_of_a_day_run_out_and_matches_go_on),
        ROW(another_match_is_one_of_the_day),
        ROW(own_content_is_counted_by_bytes),
        ROW(messages_are_counted_over_all_sockets),
        ROW(a_neighbour_of_a_flood_plays_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
