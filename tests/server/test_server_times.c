/* test_server_times.c -- clocks: the clock type alone, and what a table does when a time is over,
 * in a pause, when a connection is lost; and offences that cost a match. */
#include <stdio.h>
#include <string.h>

#include "server/loaded_content.h"
#include "store/backend.h"
#include "tests/server/fake/fixture.h"

/* --- The clock type --------------------------------------------------------------------------- */

static void due(Clock *clock, uint64_t now_ms, ClockDue what, uint8_t seat) {
    ClockNext next = clock_pop_due(clock, now_ms);
    assert_int_equal(next.due, what);
    if (what != CLOCK_NOTHING)
        assert_int_equal(next.seat, seat);
}

static void a_turn_is_warned_of_and_ends(void **unused) {
    (void)unused;
    Clock clock = clock_new((ClockLimits){.turn_ms = 1000}, 50);
    assert_int_equal(clock_next(&clock, 50).due, CLOCK_NOTHING);
    assert_int_equal(clock_turn_left(&clock, 50, 0), -1); /* it does not run */
    clock_begin(&clock, 100, 0);
    clock_await(&clock, 100, 1, true);
    assert_int_equal(clock_match_left(&clock, 100), -1); /* there is no such limit */
    assert_int_equal(clock_next(&clock, 100).in_ms, 800);
    due(&clock, 899, CLOCK_NOTHING, 0);
    due(&clock, 900, CLOCK_TURN_WARNING, 0);
    due(&clock, 900, CLOCK_NOTHING, 0);
    assert_int_equal(clock_turn_left(&clock, 950, 0), 150);
    due(&clock, 1100, CLOCK_TURN_OVER, 0);
    due(&clock, 1100, CLOCK_NOTHING, 0);
    clock_await(&clock, 1200, 1, false);
    assert_int_equal(clock_turn_left(&clock, 1200, 0), 900);
    clock_await(&clock, 1200, 1, true);
    assert_int_equal(clock_turn_left(&clock, 1200, 0), 1000);
    clock_await(&clock, 1300, 2, false);
    clock_await(&clock, 1400, 3, false);
    assert_int_equal(clock_turn_left(&clock, 1400, 0), 1000);
    assert_int_equal(clock_turn_left(&clock, 1400, 1), 900);
    clock_end(&clock, 1450);
    assert_int_equal(clock_next(&clock, 9999).due, CLOCK_NOTHING);
    assert_int_equal(clock.match_ms, 1350); /* up to the end, and no longer */
}

static void everything_stands_still_in_a_pause(void **unused) {
    (void)unused;
    ClockLimits limits = {1000, 5000, 300, 700, 600, 0, 0, 0};
    Clock clock = clock_new(limits, 0);
    clock_begin(&clock, 0, 0);
    clock_await(&clock, 0, 1, true);
    clock_away(&clock, 0, 1, true);
    clock_pause(&clock, 100, true);
    assert_int_equal(clock_turn_left(&clock, 350, 0), 900);
    assert_int_equal(clock_match_left(&clock, 350), 4900);
    assert_int_equal(clock_next(&clock, 350).in_ms, 50);
    due(&clock, 400, CLOCK_PAUSE_OVER, MASH_SEAT_NONE);
    clock_pause(&clock, 400, false);
    assert_int_equal(clock_turn_left(&clock, 400, 0), 900);
    due(&clock, 720, CLOCK_SILENCE_WARNING, 0);
    clock_mark_active(&clock, 750, 0);
    due(&clock, 900, CLOCK_GRACE_OVER, 1);
    due(&clock, 1000, CLOCK_NOTHING, 0);
    due(&clock, 1169, CLOCK_TURN_WARNING, 0);
    due(&clock, 1169, CLOCK_NOTHING, 0);
    due(&clock, 1170, CLOCK_SILENCE_WARNING, 0);
    due(&clock, 1300, CLOCK_TURN_OVER, 0);
}

static void the_match_has_a_time_of_its_own(void **unused) {
    (void)unused;
    Clock clock = clock_new((ClockLimits){.match_ms = 1000}, 0);
    assert_int_equal(clock_match_left(&clock, 0), -1); /* it does not run */
    clock_begin(&clock, 0, 300);
    clock_await(&clock, 0, 2, true);
    assert_int_equal(clock_turn_left(&clock, 0, 1), -1); /* there is no such limit */
    assert_int_equal(clock_match_left(&clock, 100), 600);
    due(&clock, 500, CLOCK_MATCH_WARNING, MASH_SEAT_NONE);
    due(&clock, 700, CLOCK_MATCH_OVER, MASH_SEAT_NONE);
    due(&clock, 5000, CLOCK_NOTHING, 0);
    assert_int_equal(clock_match_left(&clock, 5000), 0);
    assert_int_equal(clock.seats[1].used_ms, 5000);
}

/* A player's own time runs in that player's turns only, and each turn adds to it when it ends. */
static void a_player_has_time_of_their_own(void **unused) {
    (void)unused;
    Clock clock = clock_new((ClockLimits){.bank_ms = 1000, .increment_ms = 200}, 0);
    clock_begin(&clock, 0, 0);
    clock_await(&clock, 0, 1, true);
    assert_int_equal(clock_turn_left(&clock, 300, 0), 700);
    assert_int_equal(clock_bank_left(&clock, 300, 1), 1000);
    clock_await(&clock, 300, 2, true);
    assert_int_equal(clock_bank_left(&clock, 800, 0), 900);
    assert_int_equal(clock_turn_left(&clock, 800, 1), 500);
    clock_pause(&clock, 800, true);
    clock_pause(&clock, 5000, false);
    assert_int_equal(clock_turn_left(&clock, 5000, 1), 500);
    due(&clock, 5499, CLOCK_NOTHING, 0);
    due(&clock, 5500, CLOCK_BANK_OVER, 1);
    due(&clock, 9000, CLOCK_NOTHING, 0);
    /* Resumed by its records: the same is left. */
    clock = clock_new((ClockLimits){.bank_ms = 1000, .increment_ms = 200}, 0);
    clock_replay(&clock, 300, 1, 1);
    clock_replay(&clock, 100, 2, 0);
    clock_begin(&clock, 0, 400);
    clock_await(&clock, 0, 2, true);
    assert_int_equal(clock_bank_left(&clock, 0, 0), 900);
    assert_int_equal(clock_bank_left(&clock, 0, 1), 900);
    /* A turn's limit that is shorter counts. */
    clock = clock_new((ClockLimits){.turn_ms = 400, .bank_ms = 1000}, 0);
    clock_begin(&clock, 0, 0);
    clock_await(&clock, 0, 1, true);
    assert_int_equal(clock_turn_left(&clock, 100, 0), 300);
    clock = clock_new((ClockLimits){.turn_ms = 400}, 0);
    clock_begin(&clock, 0, 0);
    assert_int_equal(clock_bank_left(&clock, 0, 0), -1);
}

/* [A1] When the clock is checked after the end of a time, only the end is reported. */
static void a_warning_that_comes_too_late_is_left_out(void **unused) {
    (void)unused;
    ClockLimits limits = {.turn_ms = 1000, .match_ms = 3000, .silence_ms = 2000};
    Clock clock = clock_new(limits, 0);
    clock_begin(&clock, 0, 0);
    clock_await(&clock, 0, 1, true);
    assert_int_equal(clock_pop_due(&clock, 999).left_ms, 1);
    due(&clock, 1000, CLOCK_TURN_OVER, 0);
    due(&clock, 1999, CLOCK_TURN_WARNING, 0);
    due(&clock, 5000, CLOCK_TURN_OVER, 0);
    due(&clock, 5000, CLOCK_SILENCE_OVER, 0);
    due(&clock, 5000, CLOCK_MATCH_OVER, MASH_SEAT_NONE);
    due(&clock, 5000, CLOCK_NOTHING, 0);
    clock = clock_new(limits, 0);
    clock_begin(&clock, 0, 0);
    clock_await(&clock, 0, 1, true);
    due(&clock, UINT32_MAX, CLOCK_TURN_OVER, 0);
    due(&clock, UINT32_MAX, CLOCK_SILENCE_OVER, 0);
}

/* What a clock's limits become. */
static void bounded(const ClockBounds *bounds, ClockLimits wanted, ClockLimits becomes) {
    ClockLimits limits = clock_bounded(bounds, wanted);
    assert_memory_equal(&limits, &becomes, sizeof limits);
}

/* [A1] [A4] */
static void times_are_brought_within_bounds(void **unused) {
    (void)unused;
    ClockBounds bounds = {.least = {100, 200, 0, 300, 0, 0, 0, 0},
                          .most = {1000, 0, 2000, 0, 3000, 0, 0, 0}};
    bounded(&bounds, (ClockLimits){0, 0, 0, 0, 0, 0, 0, 0},
            (ClockLimits){1000, 0, 0, 0, 0, 0, 0, 0});
    bounded(&bounds, (ClockLimits){1, 1, 1, 1, 1, 0, 0, 0},
            (ClockLimits){100, 200, 1, 300, 1, 0, 0, 0});
    bounded(&bounds,
            (ClockLimits){CLOCK_DAY_MS, UINT32_MAX, CLOCK_DAY_MS, 500, CLOCK_DAY_MS, 0, 0, 0},
            (ClockLimits){1000, CLOCK_DAY_MS, 2000, 500, 3000, 0, 0, 0});
    clock_widen(&bounds, &(ClockLimits){50, 0, 9000, 400, 0, 0, 0, 0});
    bounded(&bounds, (ClockLimits){1, 1, 9999, 0, 1, 0, 0, 0},
            (ClockLimits){50, 200, 9000, 0, 1, 0, 0, 0});
    bounded(&bounds, (ClockLimits){.bank_ms = UINT32_MAX, .increment_ms = 7},
            (ClockLimits){.turn_ms = 1000, .bank_ms = CLOCK_DAY_MS, .increment_ms = 7});
    bounded(&bounds, (ClockLimits){.increment_ms = 7}, (ClockLimits){.turn_ms = 1000});
    clock_widen(&bounds, &(ClockLimits){0, 0, 0, 0, 0, 0, 0, 0});
    bounded(&bounds, (ClockLimits){0, 0, 0, 0, 0, 0, 0, 0}, (ClockLimits){0, 0, 0, 0, 0, 0, 0, 0});
}

/* --- A table ---------------------------------------------------------------------------------- */

static void ends_with(TestClient *client, const TestClient *winner, int reason) {
    const Message *end = test_client_expect(client, MESSAGE_SERVER_POSITION);
    while (!message_has(end, "result"))
        end = test_client_expect(client, MESSAGE_SERVER_POSITION);
    char words[48];
    snprintf(words, sizeof words, "\"winner\":%u,\"reason\":%d", winner->seat, reason);
    if (strstr(end->position.result.bytes, words) == NULL)
        fail_msg("%.*s, not %s", (int)end->position.result.count, end->position.result.bytes,
                 words);
}

/* [A1] [A4] Times chosen by clients and by their content are clamped to the server's bounds, and
 * sent. */
static void clients_choose_within_bounds(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":10,\"match_ms\":10,\"silence_ms\":10,\"grace_ms\":0", "ai");
    const ClockLimits *clocks = &arena.server->tables->config.clocks;
    assert_int_equal(clocks->turn_ms, 1000);
    assert_int_equal(clocks->match_ms, 1000);
    assert_int_equal(clocks->silence_ms, 1000);
    assert_int_equal(clocks->grace_ms, 0);
    test_client_release(&ann);
    test_client_release(&bob);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"turn_ms\":0,\"match_ms\":0,"
                           "\"pause_ms\":86400000,\"silence_ms\":0,\"grace_ms\":86400000}");
    const Message *table = test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.turn_ms, 3600000);
    assert_int_equal(table->table.match_ms, 0);
    assert_int_equal(table->table.pause_ms, 1800000);
    assert_int_equal(table->table.silence_ms, 0);
    assert_int_equal(table->table.grace_ms, 600000);
    /* While it runs other bounds are set, and default times that are beyond them. */
    arena.server->setup.bounds.most.turn_ms = 60000;
    arena.server->setup.bounds.most.grace_ms = 1000;
    arena.server->setup.clocks.turn_ms = 50000;
    test_client_send(&bob,
                     "{\"type\":\"open\",\"game\":\"zorde\",\"turn_ms\":0,\"grace_ms\":90000}");
    table = test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.turn_ms, 60000);
    assert_int_equal(table->table.grace_ms, 60000);
}

/* [A1] An invalid value of ours ends the connection that it was for; the match continues. */
static void a_value_that_does_not_fit_costs_one_connection(void **unused) {
    (void)unused;
    TestClient carl;
    fixture_begin("", "person");
    Table *table = arena.server->tables;
    uint32_t right = table->config.clocks.grace_ms;
    test_client_join(&carl, &arena, "Carl", "watcher", "json");
    table->config.clocks.grace_ms = 2000000000;
    test_client_send(&carl, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    arena_run(&arena, 10);
    assert_null(carl.connection);
    assert_int_equal(carl.close_code, NET_CLOSE_INTERNAL_ERROR);
    assert_int_equal(arena.server->stats.faults, 1);
    table->config.clocks.grace_ms = right;
    TestClient *one = fixture_awaited();
    test_client_act(one);
    test_client_expect(fixture_other(one), MESSAGE_SERVER_POSITION);
    table->config.clocks.pause_ms = 2000000000; /* in a message to all at the table */
    test_client_send(&ann, "{\"type\":\"pause\"}");
    arena_run(&arena, 10);
    assert_int_equal(arena.server->stats.faults, 2);
    assert_int_equal(ann.close_code, NET_CLOSE_INTERNAL_ERROR);
    assert_int_equal(bob.close_code, NET_CLOSE_INTERNAL_ERROR);
    assert_ptr_equal(arena.server->tables, table);
    test_client_release(&carl);
}

static void turn_time_runs_out(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":1000", "person");
    TestClient *slow = fixture_awaited();
    const char *turn = slow->seat == 0 ? "\"turn\":[1000,null]" : "\"turn\":[null,1000]";
    assert_int_equal(strncmp(slow->message.position.clocks.bytes + 1, turn, strlen(turn)), 0);
    arena_run(&arena, 850);
    const Message *warning = test_client_expect(slow, MESSAGE_SERVER_WARNING);
    assert_int_equal(warning->warning.what, PROTO_TIME_TURN);
    assert_int_equal(warning->warning.left_ms, 200);
    assert_false(test_client_has(fixture_other(slow), MESSAGE_SERVER_WARNING));
    arena_run(&arena, 200);
    ends_with(slow, fixture_other(slow), MASH_REASON_TIME_OVER);
}

static void the_whole_match_runs_out_of_time(void **unused) {
    (void)unused;
    fixture_begin("\"match_ms\":2000", "person");
    TestClient *slow = fixture_awaited();
    arena_run(&arena, 1700);
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_WARNING)->warning.what,
                     PROTO_TIME_MATCH);
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_WARNING)->warning.what,
                     PROTO_TIME_MATCH);
    arena_run(&arena, 500);
    ends_with(&ann, fixture_other(slow), MASH_REASON_TIME_OVER);
}

/* [A19] When the time of the match is over and the game has no rule for it, the seat to act loses;
 * if both are to act, the one that has used more time. */
static void the_seat_that_used_more_time_loses(void **unused) {
    (void)unused;
    for (uint8_t slow = 0; slow < MASH_SEATS; slow++)
        for (uint32_t waits_for = 1; waits_for < 4; waits_for++) {
            fixture_begin("\"match_ms\":5000,\"turn_ms\":60000", "person");
            Clock *clock = &arena.server->tables->clock;
            for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
                clock->seats[seat].awaited = (waits_for >> seat & 1) != 0;
                clock->seats[seat].used_ms = seat == slow ? 3000 : 2000;
            }
            uint8_t loser = waits_for == 3 ? slow : waits_for == 2 ? 1 : 0;
            arena_run(&arena, 5100);
            const Message *end = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
            assert_true(message_has(end, "result"));
            const char *winner = loser == 0 ? "\"winner\":1" : "\"winner\":0";
            assert_non_null(strstr(end->position.result.bytes, winner));
            test_client_release(&ann);
            test_client_release(&bob);
        }
    fixture_begin("", "person"); /* for the teardown */
}

static void silence_is_warned_of_and_then_lost(void **unused) {
    (void)unused;
    fixture_begin("\"silence_ms\":1000", "ai");
    TestClient *silent = fixture_awaited();
    arena_run(&arena, 700);
    const Message *warning = test_client_expect(silent, MESSAGE_SERVER_WARNING);
    assert_int_equal(warning->warning.what, PROTO_TIME_SILENCE);
    assert_int_equal(warning->warning.left_ms, 400);
    test_client_send(silent, "{\"type\":\"here\"}");
    test_client_expect(silent, MESSAGE_SERVER_DONE);
    arena_run(&arena, 900);
    test_client_send(silent, "{\"type\":\"here\"}");
    arena_run(&arena, 1100);
    ends_with(silent, fixture_other(silent), MASH_REASON_SILENT);
}

/* A player who uses up the time of all turns loses, and a restart gives nobody time back. */
static void a_player_without_time_left_loses(void **unused) {
    (void)unused;
    fixture_begin("\"bank_ms\":20000,\"increment_ms\":1000,\"turn_ms\":0", "person");
    TestClient *first = fixture_awaited(), *second = fixture_other(first), one, two;
    assert_int_equal(ann.message.kind, MESSAGE_SERVER_POSITION);
    arena_run(&arena, 5000);
    test_client_act(first);
    test_client_expect(second, MESSAGE_SERVER_POSITION);
    arena_run(&arena, 1000);
    arena_kill(&arena);
    arena_open(&arena);
    test_client_join(&one, &arena, "One", "person", "json");
    test_client_join(&two, &arena, "Two", "person", "json");
    test_client_send(&one, "{\"type\":\"return\",\"token\":\"%s\"}", first->token);
    const Message *table = test_client_expect(&one, MESSAGE_SERVER_TABLE);
    assert_int_equal(table->table.bank_ms, 20000);
    assert_int_equal(table->table.increment_ms, 1000);
    test_client_send(&two, "{\"type\":\"return\",\"token\":\"%s\"}", second->token);
    test_client_expect(&two, MESSAGE_SERVER_POSITION);
    test_client_expect(&one, MESSAGE_SERVER_POSITION);
    bool still = one.message.position.awaited.bytes[1] - '0' == one.seat;
    TestClient *winner = still ? &two : &one;
    arena_run(&arena, still ? 14800 : 19800);
    assert_false(test_client_has(winner, MESSAGE_SERVER_POSITION));
    arena_run(&arena, 500);
    const Message *end = test_client_expect(winner, MESSAGE_SERVER_POSITION);
    assert_non_null(strstr(end->position.result.bytes, "\"reason\":3"));
    char wins[32];
    snprintf(wins, sizeof wins, "\"winner\":%u", winner->seat);
    assert_non_null(strstr(end->position.result.bytes, wins));
    test_client_release(&one);
    test_client_release(&two);
}

static void a_player_who_does_not_return_loses(void **unused) {
    (void)unused;
    fixture_begin("\"grace_ms\":1000", "person");
    TestClient again;
    fake_cut(bob.connection);
    arena_run(&arena, 900);
    test_client_join(&again, &arena, "Bob", "person", "json");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", bob.token);
    test_client_expect(&again, MESSAGE_SERVER_POSITION);
    arena_run(&arena, 2000);
    assert_false(test_client_has(&ann, MESSAGE_SERVER_POSITION));
    fake_cut(again.connection);
    arena_run(&arena, 1100);
    ends_with(&ann, &ann, MASH_REASON_LEFT);
    test_client_release(&again);
}

static StoreStatus take_nothing(Store *store, const StoreRecord *record, uint64_t *ticket) {
    (void)store;
    (void)record;
    (void)ticket;
    return STORE_FULL;
}

/* A time that is over just when the store is full is tried again. */
static void a_full_store_keeps_no_match_alive(void **unused) {
    (void)unused;
    static const char *const rows[] = {"\"turn_ms\":0,\"grace_ms\":1000",
                                       "\"turn_ms\":0,\"match_ms\":1000,\"grace_ms\":90000"};
    for (uint32_t i = 0; i < 2; i++) {
        fixture_begin(rows[i], "person");
        const StoreBackend *kind = arena.server->store->backend;
        StoreBackend full = *kind;
        full.append = take_nothing;
        fake_cut(bob.connection);
        arena.server->store->backend = &full;
        arena_run(&arena, 1500);
        assert_false(test_client_has(&ann, MESSAGE_SERVER_POSITION));
        arena.server->store->backend = kind;
        arena_run(&arena, 1500);
        assert_true(message_has(test_client_expect(&ann, MESSAGE_SERVER_POSITION), "result"));
        test_client_release(&ann);
        test_client_release(&bob);
    }
    fixture_begin("\"turn_ms\":0", "person"); /* for the teardown */
}

/* --- Pauses ----------------------------------------------------------------------------------- */

/* The seat that has paused the match, as a new spectator is told. */
static uint8_t who_paused(void) {
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    const Message *message = test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    bool told = message_has(message, "paused_by");
    assert_int_equal(message->position.paused, told);
    uint8_t seat = told ? message->position.paused_by : MASH_SEAT_NONE;
    test_client_release(&eve);
    return seat;
}

static void people_pause_and_continue(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":1000,\"pause_ms\":5000", "person");
    TestClient *slow = fixture_awaited();
    test_client_send(&ann, "{\"type\":\"continue\"}");
    test_client_refused(&ann, "not-paused");
    test_client_send(&ann, "{\"type\":\"pause\"}");
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_PAUSED)->paused.by, 0);
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_PAUSED)->paused.left_ms, 5000);
    for (int i = 0; i < 5; i++) {
        test_client_send(slow, "{\"type\":\"act\",\"position\":1,\"verb\":200}");
        test_client_refused(slow, "paused");
        assert_false(slow->message.refused.offence);
    }
    test_client_send(slow, "{\"type\":\"draw\",\"what\":\"offer\"}");
    test_client_refused(slow, "paused");
    arena_run(&arena, 4000);
    assert_int_equal(who_paused(), 0); /* new spectators are told, too */
    test_client_send(&bob, "{\"type\":\"continue\"}");
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_CONTINUED)->continued.by, 1);
    assert_int_equal(who_paused(), MASH_SEAT_NONE);
    arena_run(&arena, 700);
    assert_false(test_client_has(slow, MESSAGE_SERVER_POSITION));
    arena_run(&arena, 400);
    ends_with(slow, fixture_other(slow), MASH_REASON_TIME_OVER);
}

/* Each pause is sent to everybody at the table. */
static void pauses_come_at_a_rate(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":0,\"pause_ms\":5000", "person");
    arena.server->setup.request_rate = (NetRate){.per_second = 5, .burst = 100};
    for (int i = 0; i < 30; i++) {
        test_client_send(&ann, "{\"type\":\"pause\"}");
        test_client_send(&ann, "{\"type\":\"continue\"}");
    }
    test_client_send(&ann, "{\"type\":\"pause\"}");
    test_client_refused(&ann, "too-fast");
    assert_false(ann.message.refused.offence);
    test_client_send(&bob, "{\"type\":\"pause\"}"); /* he has pauses of his own */
    assert_true(table_is_paused(arena.server->tables));
}

static void the_longest_pause_ends_by_itself(void **unused) {
    (void)unused;
    fixture_begin("\"pause_ms\":1000", "person");
    test_client_send(&bob, "{\"type\":\"pause\"}");
    test_client_send(&bob, "{\"type\":\"pause\"}");
    test_client_refused(&bob, "paused");
    arena_run(&arena, 1000);
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_CONTINUED)->continued.by,
                     MASH_SEAT_NONE);
    test_client_send(&bob, "{\"type\":\"pause\"}");
    test_client_expect(&ann, MESSAGE_SERVER_PAUSED);
    test_client_send(&ann, "{\"type\":\"resign\"}");
    ends_with(&ann, &bob, MASH_REASON_RESIGNED);
}

/* Unlimited if no number is configured; no number is sent. */
static void pauses_have_no_number(void **unused) {
    (void)unused;
    fixture_begin("\"pause_ms\":1000", "person");
    for (int32_t i = 0; i < 20; i++) {
        test_client_send(&bob, "{\"type\":\"pause\"}");
        test_client_expect(&ann, MESSAGE_SERVER_PAUSED);
        test_client_send(&ann, "{\"type\":\"continue\"}");
        test_client_expect(&ann, MESSAGE_SERVER_CONTINUED);
    }
    assert_null(strstr(ann.received, "\"pauses\""));
}

static void nobody_pauses_for_ever(void **unused) {
    (void)unused;
    arena.server->setup.pauses = 3;
    fixture_begin("\"pause_ms\":1000", "person");
    for (int32_t i = 0; i < 3; i++) {
        test_client_send(&bob, "{\"type\":\"pause\"}");
        assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_PAUSED)->paused.pauses, 2 - i);
        test_client_send(&ann, "{\"type\":\"continue\"}");
        test_client_expect(&ann, MESSAGE_SERVER_CONTINUED);
    }
    test_client_send(&bob, "{\"type\":\"pause\"}");
    test_client_refused(&bob, "no-more-pauses");
    assert_false(bob.message.refused.offence);
    test_client_send(&ann, "{\"type\":\"pause\"}");
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_PAUSED)->paused.pauses, 2);
}

static void programs_neither_pause_nor_continue(void **unused) {
    (void)unused;
    fixture_begin("\"pause_ms\":1000", "ai");
    test_client_send(&ann, "{\"type\":\"pause\"}");
    test_client_refused(&ann, "only-people");
    test_client_send(&bob, "{\"type\":\"pause\"}");
    test_client_expect(&ann, MESSAGE_SERVER_PAUSED);
    test_client_send(&bob, "{\"type\":\"continue\"}");
    test_client_expect(&ann, MESSAGE_SERVER_CONTINUED);
}

static void a_match_may_have_no_pauses(void **unused) {
    (void)unused;
    fixture_begin("\"pause_ms\":0", "person");
    test_client_send(&ann, "{\"type\":\"pause\"}");
    test_client_refused(&ann, "no-pauses");
}

static void ai_players_wait_in_a_pause(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "watcher", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"opponent\":\"ai\"}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send_nowait(&ann, "{\"type\":\"pause\"}");
    arena_run(&arena, 20);
    test_client_expect(&ann, MESSAGE_SERVER_PAUSED);
    arena_run(&arena, 500);
    test_client_forget(&ann);
    arena_run(&arena, 1000);
    assert_int_equal(ann.frames, 0);
    test_client_send(&ann, "{\"type\":\"continue\"}");
    test_client_expect(&ann, MESSAGE_SERVER_CONTINUED);
}

/* --- Offences --------------------------------------------------------------------------------- */

static void two_offences_in_a_row_cost_the_match(void **unused) {
    (void)unused;
    fixture_begin("", "ai");
    TestClient *bad = fixture_awaited();
    test_client_send(bad, "{\"type\":\"act\",\"position\":0,\"verb\":1}");
    test_client_refused(bad, "late");
    assert_false(bad->message.refused.offence);
    assert_int_equal(bad->message.refused.position, 1);
    test_client_send(bad, "{\"type\":\"act\",\"position\":1,\"verb\":200,\"id\":9}");
    test_client_refused(bad, "no-such-action");
    assert_true(bad->message.refused.offence);
    assert_int_equal(bad->message.refused.strikes, 1);
    assert_int_equal(bad->message.refused.id, 9);
    test_client_send(bad, "{\"type\":\"here\"}");
    test_client_send(bad, "{\"type\":\"act\",\"position\":0,\"verb\":1}");
    test_client_refused(bad, "late");
    assert_int_equal(bad->message.refused.strikes, 1);
    test_client_send(bad, "{\"type\":\"act\",\"position\":1,\"word\":\"dance\"}");
    test_client_refused(bad, "no-such-word");
    ends_with(bad, fixture_other(bad), MASH_REASON_ILLEGAL);
    assert_non_null(bad->connection);
}

/* A program that answers nothing but positions goes on after an offence: its position comes once
 * more. People are only told. The last refusal says that the match is lost. */
static void a_program_gets_its_position_again(void **unused) {
    (void)unused;
    fixture_begin("", "ai");
    TestClient *bad = fixture_awaited();
    test_client_send(bad, "{\"type\":\"act\",\"position\":1}");
    test_client_refused(bad, "malformed");
    assert_non_null(strstr(bad->message.refused.reason, "give `verb`"));
    assert_null(strstr(bad->message.refused.reason, "is lost"));
    bad->number = 0;
    test_client_expect(bad, MESSAGE_SERVER_POSITION);
    assert_int_equal(bad->number, 1);
    test_client_send(bad, "{\"type\":\"act\",\"position\":0,\"verb\":1}");
    test_client_refused(bad, "late");
    test_client_forget(bad);
    arena_run(&arena, 1000);
    assert_int_equal(bad->frames, 0);
    test_client_send(bad, "{\"type\":\"act\",\"position\":1,\"verb\":200}");
    test_client_refused(bad, "no-such-action");
    assert_non_null(strstr(bad->message.refused.reason, "offence number 2 in a row"));
    ends_with(bad, fixture_other(bad), MASH_REASON_ILLEGAL);
    test_client_release(&ann);
    test_client_release(&bob);
    fixture_begin("", "person");
    bad = fixture_awaited();
    test_client_send(bad, "{\"type\":\"act\",\"position\":1,\"verb\":200}");
    test_client_refused(bad, "no-such-action");
    test_client_forget(bad);
    arena_run(&arena, 1000);
    assert_int_equal(bad->frames, 0);
}

/* [A19] Chat and other messages do not reset a player's offences. */
static void small_talk_does_not_clear_the_count(void **unused) {
    (void)unused;
    static const char *const chatter[] = {"{\"type\":\"chat\",\"text\":\"sorry\"}",
                                          "{\"type\":\"games\"}", "{\"type\":\"matches\"}",
                                          "{\"type\":\"here\"}"};
    for (uint32_t i = 0; i < sizeof chatter / sizeof *chatter; i++) {
        fixture_begin("", "ai");
        TestClient *bad = fixture_awaited();
        test_client_send(bad, "{\"type\":\"act\",\"position\":1,\"verb\":200}");
        test_client_refused(bad, "no-such-action");
        test_client_send(bad, "%s", chatter[i]);
        test_client_send(bad, "{\"type\":\"act\",\"position\":1,\"verb\":200}");
        test_client_refused(bad, "no-such-action");
        assert_int_equal(bad->message.refused.strikes, 2);
        ends_with(bad, fixture_other(bad), MASH_REASON_ILLEGAL);
        test_client_release(&ann);
        test_client_release(&bob);
    }
    fixture_begin("", "ai"); /* for the teardown */
}

static void an_accepted_action_clears_the_count(void **unused) {
    (void)unused;
    fixture_begin("", "ai");
    TestClient *one = fixture_awaited();
    test_client_send(one, "{\"type\":\"act\",\"position\":7,\"verb\":1}");
    test_client_refused(one, "no-such-position");
    test_client_expect(one, MESSAGE_SERVER_POSITION); /* once more */
    test_client_send(one, "{\"type\":\"draw\",\"what\":\"offer\"}");
    test_client_expect(one, MESSAGE_SERVER_POSITION);
    test_client_send(one, "{\"type\":\"act\",\"position\":%d,\"verb\":200}", one->number);
    test_client_refused(one, "no-such-action");
    assert_int_equal(one->message.refused.strikes, 1);
    test_client_send(one, "{\"type\":\"chat\"}");
    test_client_refused(one, "malformed");
    ends_with(one, fixture_other(one), MASH_REASON_INVALID);
}

static void words_and_bytes_spell_an_action_too(void **unused) {
    (void)unused;
    fixture_begin("", "ai");
    TestClient *one = fixture_awaited();
    const MashContent *content =
        content_of_preset(arena.server, mash_game_find("zorde"), "duel")->content;
    const Table *table = arena.server->tables;
    MashAction list[64];
    assert_true(content->limits.actions_max <= 64);
    assert_true(content->game->actions(content, table->match.state, one->seat, list) > 0);
    char word[128], digits[20];
    MashText text = text_over(word, sizeof word), hex = text_over(digits, sizeof digits);
    content->game->notation(content, table->match.state, list[0], &text);
    test_client_send(one, "{\"type\":\"act\",\"position\":1,\"word\":\"%s\"}", word);
    test_client_expect(one, MESSAGE_SERVER_POSITION);
    assert_int_equal(one->number, 2);
    test_client_expect(fixture_other(one), MESSAGE_SERVER_POSITION);
    one = one->message.position.awaited.bytes[1] - '0' == one->seat ? one : fixture_other(one);
    assert_true(content->game->actions(content, table->match.state, one->seat, list) > 0);
    action_to_hex(list[0], &hex);
    test_client_send(one, "{\"type\":\"act\",\"position\":2,\"action\":\"%s\"}", digits);
    test_client_expect(one, MESSAGE_SERVER_POSITION);
    assert_int_equal(one->number, 3);
    test_client_send(one, "{\"type\":\"act\",\"position\":3,\"action\":\"f000000000000000\"}");
    test_client_refused(one, "no-such-action");
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_turn_is_warned_of_and_ends),
        cmocka_unit_test(everything_stands_still_in_a_pause),
        cmocka_unit_test(the_match_has_a_time_of_its_own),
        cmocka_unit_test(a_player_has_time_of_their_own),
        cmocka_unit_test(a_warning_that_comes_too_late_is_left_out),
        cmocka_unit_test(times_are_brought_within_bounds),
        ROW(clients_choose_within_bounds),
        ROW(a_value_that_does_not_fit_costs_one_connection),
        ROW(turn_time_runs_out),
        ROW(the_whole_match_runs_out_of_time),
        ROW(the_seat_that_used_more_time_loses),
        ROW(silence_is_warned_of_and_then_lost),
        ROW(a_player_without_time_left_loses),
        ROW(a_player_who_does_not_return_loses),
        ROW(a_full_store_keeps_no_match_alive),
        ROW(people_pause_and_continue),
        ROW(pauses_come_at_a_rate),
        ROW(the_longest_pause_ends_by_itself),
        ROW(pauses_have_no_number),
        ROW(nobody_pauses_for_ever),
        ROW(programs_neither_pause_nor_continue),
        ROW(a_match_may_have_no_pauses),
        ROW(ai_players_wait_in_a_pause),
        ROW(two_offences_in_a_row_cost_the_match),
        ROW(a_program_gets_its_position_again),
        ROW(small_talk_does_not_clear_the_count),
        ROW(an_accepted_action_clears_the_count),
        ROW(words_and_bytes_spell_an_action_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
