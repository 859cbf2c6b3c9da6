/* test_server_late.c -- the server is late: late timers, stalls in which everything piles up, a
 * restart. Nobody loses because of it. */
#include <stdio.h>
#include <string.h>

#include "store/backend.h"
#include "tests/server/fake/fixture.h"

/* What is left of the current turn, as the last position said. */
static int32_t left_ms(const TestClient *client) {
    const Message *message = &client->message;
    const Json *json = &message->json;
    int32_t number = -1;
    uint32_t turn = json_member(json, message->position.clocks.node, "turn");
    for (uint32_t i = json_first(json, turn); i != JSON_NONE; i = json->nodes[i].next)
        if (json->nodes[i].kind != JSON_NULL)
            json_int(json, i, 0, PROTO_DAY_MS, &number, NULL);
    return number;
}

/* --- Warnings --------------------------------------------------------------------------------- */

/* [A1] The timer of a warning is called when the time is already over. */
static void a_late_warning_ends_nothing_but_the_turn(void **unused) {
    (void)unused;
    static const char *const rows[] = {"\"turn_ms\":1000", "\"turn_ms\":90000,\"silence_ms\":1000",
                                       "\"turn_ms\":90000,\"match_ms\":1000"};
    for (uint32_t i = 0; i < 3; i++) {
        fixture_begin(rows[i], "person");
        arena.server->beating = false; /* as if it had noticed no stall */
        net_timer_stop(arena.server->beat);
        fake_stall(arena.loop, 5000);
        arena_run(&arena, 5100);
        assert_int_equal(arena.server->stats.faults, 0);
        assert_false(test_client_has(&ann, MESSAGE_SERVER_WARNING));
        assert_false(test_client_has(&bob, MESSAGE_SERVER_WARNING));
        const Message *end = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
        assert_true(message_has(end, "result"));
        test_client_release(&ann);
        test_client_release(&bob);
        arena_run(&arena, 700000);
        assert_int_equal(arena.server->tables_count, 0);
    }
    fixture_begin("\"turn_ms\":1000", "person"); /* for the teardown */
}

/* --- Stalls ----------------------------------------------------------------------------------- */

/* [A9] A move that arrived while the server was stalled, and before the end of the turn was
 * checked, counts. */
static void a_move_that_came_in_a_stall_counts(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":3000", "person");
    TestClient *one = fixture_awaited();
    arena_run(&arena, 1000);
    arena.server->beating = false; /* even if the stall itself went unnoticed */
    net_timer_stop(arena.server->beat);
    fake_stall(arena.loop, 20000);
    test_client_throw_action(one, 0, 0);
    arena_run(&arena, 20100);
    const Message *position = test_client_expect(one, MESSAGE_SERVER_POSITION);
    assert_false(message_has(position, "result"));
    assert_int_equal(one->number, 2);
    assert_int_equal(arena.server->tables->match.actions[0].seat, one->seat);
}

/* [A9] The time of a stall is given back: a player who had two seconds left still has them
 * afterwards. */
static void a_stall_is_given_back(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":3000,\"match_ms\":10000,\"grace_ms\":2000", "person");
    TestClient *one = fixture_awaited(), *other = fixture_other(one);
    arena_run(&arena, 1000);
    fake_stall(arena.loop, 30000);
    arena_run(&arena, 30500);
    assert_false(test_client_has(one, MESSAGE_SERVER_POSITION));
    assert_int_equal(arena.server->stats.stalls, 1);
    assert_in_range(arena.server->stalled_ms, 29700, 30000);
    test_client_act(one);
    arena_run(&arena, 10);
    test_client_expect(other, MESSAGE_SERVER_POSITION);
    fake_cut(other->connection); /* disconnected: its grace is stopped as well */
    arena_run(&arena, 500);
    fake_stall(arena.loop, 5000);
    arena_run(&arena, 5500);
    assert_false(test_client_has(one, MESSAGE_SERVER_POSITION));
    arena_run(&arena, 2000);
    assert_true(message_has(test_client_expect(one, MESSAGE_SERVER_POSITION), "result"));
}

/* [A9] The time left of a turn is sent as the player has it. */
static void the_time_that_is_told_is_the_time_that_is_left(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":3000", "person");
    TestClient *one = fixture_awaited();
    fake_stall(arena.loop, 9000);
    arena_run(&arena, 9100);
    test_client_send(one, "{\"type\":\"draw\",\"what\":\"offer\"}");
    test_client_expect(one, MESSAGE_SERVER_POSITION);
    assert_in_range(left_ms(one), 2400, 2900);
    arena_run(&arena, 3000);
    assert_true(message_has(test_client_expect(one, MESSAGE_SERVER_POSITION), "result"));
}

/* A server without stalls notices none, and one without tables does not check. */
static void no_stall_no_beat(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":60000", "person");
    arena_run(&arena, 20000);
    assert_int_equal(arena.server->stats.stalls, 0);
    assert_true(arena.server->beating);
    test_client_send(&ann, "{\"type\":\"leave\"}");
    test_client_send(&bob, "{\"type\":\"leave\"}");
    arena_run(&arena, 1000);
    assert_int_equal(arena.server->tables_count, 0);
    assert_false(arena.server->beating);
    fake_stall(arena.loop, 9000);
    arena_run(&arena, 9100);
    assert_int_equal(arena.server->stats.stalls, 0);
}

/* --- A restart -------------------------------------------------------------------------------- */

/* Reconnects to the seat of this client. */
static void come_back(TestClient *client, const char *name) {
    char token[PROTO_TOKEN_DIGITS + 1];
    memcpy(token, client->token, sizeof token);
    test_client_release(client);
    test_client_join(client, &arena, name, "person", "json");
    test_client_send(client, "{\"type\":\"return\",\"token\":\"%s\"}", token);
    test_client_expect(client, MESSAGE_SERVER_POSITION);
}

/* [A18] However short grace and turns are, all players have time to reconnect when it was the
 * server that was down. */
static void all_may_come_back_after_a_restart(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":1000,\"grace_ms\":0,\"match_ms\":5000", "person");
    TestClient *one = fixture_awaited();
    arena_kill(&arena);
    arena_open(&arena);
    arena_run(&arena, 20000);
    come_back(fixture_other(one), "other");
    assert_false(message_has(&fixture_other(one)->message, "result"));
    arena_run(&arena, 20000);
    come_back(one, "one");
    assert_false(message_has(&one->message, "result"));
    assert_in_range(left_ms(one), 900, 1000);
    test_client_act(one);
    fake_cut(one->connection); /* his own fault: no grace */
    arena_run(&arena, 10);
    const Message *end = test_client_expect(fixture_other(one), MESSAGE_SERVER_POSITION);
    while (!message_has(end, "result"))
        end = test_client_expect(fixture_other(one), MESSAGE_SERVER_POSITION);
}

/* [A19] The journal has the time played with every action: the match time continues from there. */
static void the_time_of_the_match_goes_on_after_a_restart(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":90000,\"match_ms\":60000", "person");
    TestClient *one = fixture_awaited();
    arena_run(&arena, 20000);
    test_client_act(one);
    arena_kill(&arena);
    arena_open(&arena);
    assert_in_range(arena.server->tables->clock.match_ms, 20000, 20100);
    come_back(&ann, "Ann");
    come_back(&bob, "Bob");
    arena_run(&arena, 39000);
    assert_true(table_is_running(arena.server->tables));
    arena_run(&arena, 2000);
    const Message *end = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_true(message_has(end, "result"));
}

/* [A18] A player who does not reconnect still loses, after a minute. */
static void not_for_ever(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":1000,\"grace_ms\":0", "person");
    arena_kill(&arena);
    arena_open(&arena);
    arena_run(&arena, 59000);
    assert_true(table_is_running(arena.server->tables));
    come_back(&ann, "Ann");
    arena_run(&arena, 1900);
    const Message *end = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_true(message_has(end, "result"));
}

/* --- AI players ------------------------------------------------------------------------------- */

/* [A19] The result of a search is discarded if the position has changed meanwhile: the AI player
 * searches again. */
static void a_stale_search_does_not_count(void **unused) {
    (void)unused;
    fake_thinking(arena.loop, 1000);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "watcher", "json");
    /* Both place their armies at the same time, so Ann may offer a draw while the AI player
     * thinks. */
    test_client_send(&ann,
                     "{\"type\":\"open\",\"game\":\"generals\",\"seat\":1,\"opponent\":\"ai\","
                     "\"level\":1}");
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    const Table *table = arena.server->tables;
    const Match *match = &table->match;
    assert_int_equal(match->actions_count, 0);
    arena_run(&arena, 500);
    test_client_send(&ann, "{\"type\":\"draw\",\"what\":\"offer\"}");
    assert_int_equal(match->actions_count, 1);
    arena_run(&arena, 700); /* the first search is over */
    assert_int_equal(match->actions_count, 1);
    assert_int_equal(table->ai_jobs_count, 1);
    arena_run(&arena, 1000);
    assert_int_equal(match->actions_count, 2);
    assert_int_equal(match->actions[1].seat, 0);
}

static StoreStatus take_nothing(Store *store, const StoreRecord *record, uint64_t *ticket) {
    (void)store;
    (void)record;
    (void)ticket;
    return STORE_FULL;
}

/* While the store accepts nothing an AI player does not repeat the same search again and again. */
static void a_full_store_does_not_make_ai_players_busy(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "watcher", "json");
    fake_thinking(arena.loop, 500);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":1,"
                           "\"opponent\":\"ai\",\"level\":1,\"turn_ms\":60000}");
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    const StoreBackend *kind = arena.server->store->backend;
    static StoreBackend full; /* also there if the test fails */
    full = *kind;
    full.append = take_nothing;
    arena.server->store->backend = &full;
    fake_thinking(arena.loop, 1);
    arena_run(&arena, 10600);
    assert_in_range(arena.server->stats.ai_jobs, 5, 11);
    assert_int_equal(arena.server->tables->match.actions_count, 0);
    arena.server->store->backend = kind;
    arena_run(&arena, 1100);
    assert_true(arena.server->tables->match.actions_count > 0);
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
    const struct CMUnitTest tests[] = {
        ROW(a_late_warning_ends_nothing_but_the_turn),
        ROW(a_move_that_came_in_a_stall_counts),
        ROW(a_stall_is_given_back),
        ROW(the_time_that_is_told_is_the_time_that_is_left),
        ROW(no_stall_no_beat),
        ROW(all_may_come_back_after_a_restart),
        ROW(the_time_of_the_match_goes_on_after_a_restart),
        ROW(not_for_ever),
        ROW(a_stale_search_does_not_count),
        ROW(a_full_store_does_not_make_ai_players_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
