/* test_server_budget.c -- limits per address: tables, matches and bytes per day, content of its
 * own, messages; other addresses are not affected. */
#include <stdio.h>
#include <string.h>

#include "server/loaded_content.h"
#include "tests/server/fake/fixture.h"

enum { CROWD = 48, HOUR_MS = 3600000, DAY_MS = 24 * HOUR_MS, SECOND_MS = 1000 };

static TestClient crowd[CROWD];

static int set_up(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena.setup.request_rate = (NetRate){0, 0};
    return 0;
}

static int tear_down(void **unused) {
    for (uint32_t i = 0; i < CROWD; i++)
        test_client_release(&crowd[i]);
    return fixture_close(unused);
}

/* A client connects from this address. */
static void come_from(TestClient *client, const char *address, const char *name) {
    test_client_release(client);
    fake_address(arena.loop, address);
    test_client_join(client, &arena, name, "person", "json");
}

/* The refusal must be this one, and its text must contain this. */
static void refused_with(TestClient *client, const char *code, const char *words) {
    const Message *message = test_client_expect(client, MESSAGE_SERVER_REFUSED);
    assert_string_equal(message->refused.code, code);
    assert_false(message->refused.offence);
    if (strstr(message->refused.reason, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", message->refused.reason, words);
}

static void open_duel(TestClient *client) {
    test_client_send(client, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\"}");
}

/* Plays against an AI player and resigns before anything has happened. */
static void play_robot(TestClient *client) {
    test_client_send(client, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":0,"
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
        test_client_expect(&crowd[i], MESSAGE_SERVER_TABLE);
    }
    come_from(&ann, "2001:db8::4", "Ann");
    open_duel(&ann);
    refused_with(&ann, "quota", "Too many open tables from your address (3). Finish or leave one");
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"zorde\"}");
    refused_with(&ann, "quota", "(3)");
    come_from(&bob, "2001:db8:0:1::1", "Bob");
    open_duel(&bob);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    test_client_send(&ann, "{\"type\":\"join\",\"code\":\"%s\"}", bob.code);
    refused_with(&ann, "quota", "(3)");
    /* One at which the address sits already costs it nothing more. */
    test_client_send(&ann, "{\"type\":\"join\",\"code\":\"%s\"}", crowd[0].code);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&ann, "{\"type\":\"leave\"}");
    test_client_send(&crowd[0], "{\"type\":\"leave\"}");
    open_duel(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(arena.server->accounts.refusals[BUDGET_TABLES], 3);
}

static void a_seat_counts_for_the_player_who_returns(void **unused) {
    (void)unused;
    arena.setup.budgets.tables = 1;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    open_duel(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    come_from(&bob, "10.0.0.2", "Bob");
    test_client_send(&bob, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    come_from(&eve, "10.0.0.2", "Eve");
    open_duel(&eve);
    test_client_refused(&eve, "quota");
    open_duel(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
}

static void accounts_are_dropped_when_their_day_is_over(void **unused) {
    (void)unused;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.2", "Bob");
    assert_int_equal(arena.server->accounts.count, 2);
    play_robot(&bob);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"leave\"}");
    test_client_release(&ann);
    test_client_release(&bob);
    assert_int_equal(arena.server->accounts.count, 1);
    arena_run(&arena, DAY_MS);
    come_from(&eve, "10.0.0.3", "Eve");
    assert_int_equal(arena.server->accounts.count, 1);
    test_client_release(&eve);
    assert_int_equal(arena.server->accounts.count, 0);
}

/* Addresses that have used something of their day are kept, up to a number, the newest ones. */
static void idle_accounts_have_an_end(void **unused) {
    (void)unused;
    enum { KEPT = 65536, MORE = 3 };
    char address[32];
    arena_open(&arena);
    for (uint32_t i = 0; i < KEPT + MORE; i++) {
        snprintf(address, sizeof address, "10.%u.%u.%u", i >> 16, i >> 8 & 255, i & 255);
        Account *account = account_enter(arena.server, address);
        account->bytes.paid_us = UINT64_MAX; /* as if it had written much */
        account_leave(arena.server, account);
        assert_int_equal(arena.server->accounts.idle_count, i < KEPT ? i + 1 : KEPT);
    }
    assert_int_equal(arena.server->accounts.count, KEPT);
    for (uint32_t i = MORE; i >= MORE - 1; i--) { /* the first that is kept, the last that is not */
        snprintf(address, sizeof address, "10.0.0.%u", i);
        Account *account = account_enter(arena.server, address);
        assert_int_equal(account->bytes.paid_us, i < MORE ? 0 : UINT64_MAX);
        account_leave(arena.server, account);
    }
}

/* --- Limits per day --------------------------------------------------------------------------- */

static void matches_of_a_day_come_back_evenly(void **unused) {
    (void)unused;
    arena.setup.budgets.matches_per_day = 4;
    arena.setup.clocks.turn_ms = 0; /* they continue */
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    for (uint32_t i = 0; i < 4; i++) {
        come_from(&crowd[i], "10.0.0.1", "Guest");
        play_robot(&crowd[i]);
        test_client_expect(&crowd[i], MESSAGE_SERVER_TABLE);
    }
    play_robot(&ann);
    refused_with(&ann, "quota", "reached its limit of matches per day (4). Try again in 6 hours.");
    come_from(&bob, "10.0.0.2", "Bob");
    play_robot(&bob);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 5 * HOUR_MS); /* the time left is rounded up, in the unit that fits */
    play_robot(&ann);
    refused_with(&ann, "quota", "Try again in 60 minutes.");
    arena_run(&arena, HOUR_MS - 60000);
    play_robot(&ann);
    refused_with(&ann, "quota", "Try again in 60 seconds.");
    arena_run(&arena, 60000);
    play_robot(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_release(&bob);
    come_from(&bob, "10.0.0.1", "Bob");
    play_robot(&bob);
    test_client_refused(&bob, "quota");
    assert_int_equal(arena.server->accounts.refusals[BUDGET_MATCHES], 4);
}

/* What is used of a day counts to the microsecond. */
static void quotas_are_exact(void **unused) {
    (void)unused;
    const uint64_t day_us = UINT64_C(1000) * DAY_MS;
    char memory[256];
    arena.setup.budgets.matches_per_day = 24;
    arena_open(&arena);
    Account *account = account_enter(arena.server, "10.0.0.1");
    uint64_t now_us = net_now_ms(arena.loop) * 1000;
    for (uint64_t more = 0; more < 2; more++) {
        MashText reason = text_over(memory, sizeof memory);
        account->matches.paid_us = now_us + day_us / 24 * 23 + more;
        account->bytes.paid_us = 0;
        assert_int_equal(budget_may_begin(arena.server, account, &reason), more == 0);
        account->matches.paid_us = 0;
        account->bytes.paid_us = now_us + day_us + more;
        assert_int_equal(budget_may_begin(arena.server, account, &reason), more == 0);
    }
    account_leave(arena.server, account);
}

static void bytes_of_a_day_run_out_and_matches_go_on(void **unused) {
    (void)unused;
    arena.setup.budgets.megabytes_per_day = 1;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.1", "Bob");
    play_robot(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    play_robot(&bob);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"leave\"}");
    budget_write(arena.server->tables, 1 << 20);
    play_robot(&bob);
    refused_with(&bob, "quota", "have reached their storage limit per day (1 MB). Try again in");
    test_client_act(&ann);
    come_from(&eve, "10.0.0.2", "Eve");
    play_robot(&eve);
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 5 * 60 * SECOND_MS);
    play_robot(&bob);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    assert_int_equal(arena.server->accounts.refusals[BUDGET_BYTES], 1);
}

static void another_match_is_one_of_the_day(void **unused) {
    (void)unused;
    arena.setup.budgets.matches_per_day = 1;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    play_robot(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_act(&ann);
    test_client_send(&ann, "{\"type\":\"resign\"}");
    arena_run(&arena, 100);
    test_client_send(&ann, "{\"type\":\"rematch\"}");
    refused_with(&ann, "quota", "reached its limit of matches per day (1)");
    arena_run(&arena, 100);
}

/* --- Matches without actions ------------------------------------------------------------------ */

/* How many matches the archive lists. */
static uint32_t archived(void) {
    char body[1 << 14];
    MashText out = text_over(body, sizeof body);
    uint32_t count = 0;
    assert_int_equal(fake_get(arena.server->net, "/api/archive", &out), 200);
    for (const char *c = strstr(body, "\"code\""); c != NULL; c = strstr(c + 1, "\"code\""))
        count++;
    return count;
}

static void a_match_without_any_action_leaves_nothing(void **unused) {
    (void)unused;
    arena.setup.budgets.matches_per_day = 2;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    for (uint32_t i = 0; i < 10; i++) { /* each counts a tenth */
        play_robot(&ann);
        test_client_expect(&ann, MESSAGE_SERVER_TABLE);
        test_client_send(&ann, i % 2 == 0 ? "{\"type\":\"leave\"}" : "{\"type\":\"resign\"}");
        test_client_send(&ann, "{\"type\":\"leave\"}");
        arena_run(&arena, 100);
    }
    assert_int_equal(archived(), 0);
    assert_int_equal(arena.server->stats.forgotten, 10);
    play_robot(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_act(&ann);
    test_client_send(&ann, "{\"type\":\"leave\"}");
    arena_run(&arena, 100);
    assert_int_equal(archived(), 1);
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 0);
}

/* --- Abandoned matches ------------------------------------------------------------------------ */

enum { ABANDONED_MS = 300000 };

/* Ann and Bob at a table that waits ten minutes for each. */
static void begin_long(void) {
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.2", "Bob");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":0,"
                           "\"turn_ms\":0,\"grace_ms\":600000}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_act(&ann);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
}

/* The seat that is to act. */
static uint8_t awaited_seat(void) {
    const Table *table = arena.server->tables;
    const MashContent *content = table->match.content;
    return content->game->awaited(content, table->match.state) == 1 ? 0 : 1;
}

static void a_match_that_both_have_left_ends_in_minutes(void **unused) {
    (void)unused;
    arena_open(&arena);
    begin_long();
    uint8_t loser = awaited_seat();
    fake_cut(bob.connection);
    arena_run(&arena, 10 * SECOND_MS);
    fake_cut(ann.connection);
    arena_run(&arena, ABANDONED_MS - SECOND_MS);
    assert_true(table_is_running(arena.server->tables));
    arena_run(&arena, 2 * SECOND_MS);
    assert_false(table_is_running(arena.server->tables));
    MashResult result = match_result(&arena.server->tables->match);
    assert_int_equal(result.winner, 1 - loser);
    assert_int_equal(result.reason, MASH_REASON_LEFT);
    assert_int_equal(arena.server->stats.abandoned, 1);
    /* Both are told. */
    come_from(&eve, "10.0.0.3", "Eve");
    test_client_send(&eve, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    assert_true(message_has(test_client_expect(&eve, MESSAGE_SERVER_POSITION), "result"));
}

static void a_short_loss_of_both_lines_costs_nothing(void **unused) {
    (void)unused;
    arena_open(&arena);
    begin_long();
    fake_cut(ann.connection);
    fake_cut(bob.connection);
    arena_run(&arena, ABANDONED_MS - SECOND_MS);
    come_from(&eve, "10.0.0.1", "Ann");
    test_client_send(&eve, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    arena_run(&arena, 200 * SECOND_MS); /* one is connected: the grace of the other counts */
    assert_true(table_is_running(arena.server->tables));
    arena_run(&arena, 200 * SECOND_MS);
    assert_true(message_has(test_client_expect(&eve, MESSAGE_SERVER_POSITION), "result"));
}

static void after_a_restart_nobody_is_waited_for_long(void **unused) {
    (void)unused;
    arena_open(&arena);
    begin_long();
    arena_kill(&arena);
    arena_open(&arena);
    arena_run(&arena, ABANDONED_MS - SECOND_MS);
    assert_true(table_is_running(arena.server->tables));
    arena_run(&arena, 2 * SECOND_MS);
    assert_false(table_is_running(arena.server->tables));
    arena_run(&arena, arena.setup.linger_ms + SECOND_MS);
    assert_null(arena.server->tables);
    assert_int_equal(archived(), 1);
}

static void a_pause_is_kept_to_its_end(void **unused) {
    (void)unused;
    arena.setup.clocks.pause_ms = 20 * 60 * SECOND_MS;
    arena_open(&arena);
    begin_long();
    test_client_send(&ann, "{\"type\":\"pause\"}");
    test_client_expect(&ann, MESSAGE_SERVER_PAUSED);
    fake_cut(ann.connection);
    fake_cut(bob.connection);
    arena_run(&arena, 19 * 60 * SECOND_MS);
    assert_true(table_is_running(arena.server->tables));
    arena_run(&arena, 7 * 60 * SECOND_MS);
    assert_false(table_is_running(arena.server->tables));
}

/* --- The list --------------------------------------------------------------------------------- */

/* Requests a page of the list; how many tables it has. */
static uint32_t list_after(TestClient *client, const char *after) {
    if (after[0] == '\0')
        test_client_send(client, "{\"type\":\"matches\"}");
    else
        test_client_send(client, "{\"type\":\"matches\",\"after\":\"%s\"}", after);
    const Message *list = test_client_expect(client, MESSAGE_SERVER_MATCHES);
    return list->json.nodes[list->matches_list.matches.node].count;
}

static void a_deserted_table_leaves_the_list_at_once(void **unused) {
    (void)unused;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.2", "Bob");
    open_duel(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(list_after(&bob, ""), 1);
    fake_cut(ann.connection);
    arena_run(&arena, 10);
    assert_int_equal(list_after(&bob, ""), 0);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    refused_with(&bob, "host-away", "away. Try again later");
    come_from(&eve, "10.0.0.1", "Ann");
    test_client_send(&eve, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    assert_int_equal(list_after(&bob, ""), 1);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    /* A match without connected players is not listed either. */
    fake_cut(bob.connection);
    fake_cut(eve.connection);
    arena_run(&arena, 10);
    come_from(&crowd[0], "10.0.0.3", "Guest");
    assert_int_equal(list_after(&crowd[0], ""), 0);
    assert_int_equal(arena.server->tables_count, 1);
}

static void an_address_has_its_share_of_the_list(void **unused) {
    (void)unused;
    arena.setup.budgets.listed = 3;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    open_duel(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    for (uint32_t i = 0; i < 10; i++) {
        come_from(&crowd[i], "10.0.0.2", "Guest");
        open_duel(&crowd[i]);
    }
    assert_int_equal(list_after(&ann, ""), 4);
    assert_non_null(strstr(ann.message.json.bytes, ann.code));
    arena.server->setup.budgets.listed = 0;
    assert_int_equal(list_after(&ann, ""), 11);
}

enum { TABLES = 450, PAGE = 200 };

/* Tables with connected players: they are listed. */
static void open_many(void) {
    for (uint32_t i = 0; i < TABLES; i++) {
        TableConfig config = {.content =
                                  content_of_preset(arena.server, mash_game_find("zorde"), "duel")};
        Table *table = table_open(arena.server, &config);
        table->chairs[0].session = arena.server->sessions;
    }
}

static void the_list_is_told_page_by_page(void **unused) {
    (void)unused;
    char next[PROTO_ID_MAX + 1];
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    open_many();
    assert_int_equal(list_after(&ann, ""), PAGE);
    assert_true(message_has(&ann.message, "next"));
    memcpy(next, ann.message.matches_list.next, sizeof next);
    /* Tables that are opened and closed meanwhile shift nothing. */
    Table *newest = arena.server->tables, *last = newest;
    for (uint32_t i = 0; i < PAGE - 1; i++)
        last = last->next;
    newest->chairs[0].session = last->chairs[0].session = NULL;
    assert_int_equal(list_after(&ann, next), PAGE);
    assert_null(strstr(ann.message.json.bytes, last->code));
    assert_non_null(strstr(ann.message.json.bytes, last->next->code));
    memcpy(next, ann.message.matches_list.next, sizeof next);
    assert_int_equal(list_after(&ann, next), TABLES - 2 * PAGE);
    assert_false(message_has(&ann.message, "next"));
    char path[96], body[1 << 17];
    MashText out = text_over(body, sizeof body);
    snprintf(path, sizeof path, "/api/matches?after=%s", next);
    assert_int_equal(fake_get(arena.server->net, path, &out), 200);
    assert_null(strstr(body, "\"next\""));
    text_clear(&out);
    assert_int_equal(fake_get(arena.server->net, "/api/matches?after=waiting-x", &out), 400);
    test_client_send(&ann, "{\"type\":\"matches\",\"after\":\"running\"}");
    test_client_refused(&ann, "malformed");
    for (Table *table = arena.server->tables; table != NULL; table = table->next)
        table->chairs[0].session = NULL;
}

/* --- Open to spectators ----------------------------------------------------------------------- */

static const char thor[] = "\"kind_id\":\"thor\",\"seat\":0,\"place\":\"board\"";

/* Ann from one address and Bob from another at a table that is open to spectators; Ann has placed
 * her army. */
static void begin_open_to_spectators(void) {
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.2", "Bob");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"generals\",\"seat\":0,\"glass\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    for (uint32_t i = 0; i < 2; i++) {
        come_from(&crowd[i], i == 0 ? "10.0.0.2" : "10.0.0.3", "Guest");
        test_client_send(&crowd[i], "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    }
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    assert_true(test_client_expect(&bob, MESSAGE_SERVER_TABLE)->table.open_to_spectators);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    for (uint32_t i = 0; i < 2; i++)
        test_client_expect(&crowd[i], MESSAGE_SERVER_POSITION);
    test_client_send(&ann, "{\"type\":\"act\",\"position\":%d,\"word\":\"layout\"}", ann.number);
    arena_run(&arena, 10);
}

static void a_player_cannot_spectate_himself(void **unused) {
    (void)unused;
    arena_open(&arena);
    begin_open_to_spectators();
    test_client_expect(&crowd[1], MESSAGE_SERVER_POSITION);
    assert_non_null(strstr(crowd[1].message.position.board.bytes, thor));
    assert_false(test_client_has(&crowd[0], MESSAGE_SERVER_POSITION));
    assert_null(strstr(crowd[0].received, thor));
    /* Nor if he connects later. */
    come_from(&eve, "10.0.0.2", "Eve");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    assert_int_equal(eve.number, 1);
    assert_null(strstr(eve.received, thor));
    /* When the match is over nothing is hidden. */
    test_client_send(&bob, "{\"type\":\"resign\"}");
    test_client_expect(&crowd[0], MESSAGE_SERVER_POSITION);
    assert_non_null(strstr(crowd[0].message.position.board.bytes, thor));
}

static void open_tables_show_nothing_while_nobody_knows_who_plays(void **unused) {
    (void)unused;
    arena_open(&arena);
    begin_open_to_spectators();
    arena_kill(&arena);
    arena_open(&arena);
    come_from(&eve, "10.0.0.3", "Eve");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    assert_null(strstr(eve.received, thor));
    static const char *const homes[] = {"10.0.0.1", "10.0.0.2"};
    for (uint32_t i = 0; i < 2; i++) {
        come_from(&crowd[2 + i], homes[i], "Again");
        test_client_send(&crowd[2 + i], "{\"type\":\"return\",\"token\":\"%s\"}",
                         i == 0 ? ann.token : bob.token);
    }
    test_client_send(&eve, "{\"type\":\"leave\"}");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    assert_non_null(strstr(eve.received, thor));
}

static void a_quick_match_is_never_open_to_spectators(void **unused) {
    (void)unused;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"generals\",\"glass\":true}");
    test_client_refused(&ann, "malformed");
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"generals\"}");
    assert_false(test_client_expect(&ann, MESSAGE_SERVER_TABLE)->table.open_to_spectators);
}

/* --- Content ---------------------------------------------------------------------------------- */

static void own_content_is_counted_by_bytes(void **unused) {
    (void)unused;
    static const char request[] =
        "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"documents\":"
        "[{\"name\":\"duel.start.json\"}]}";
    arena.setup.budgets.content_megabytes = 1;
    arena.setup.budgets.loads = 0;
    arena_open(&arena);
    uint32_t opened = 0;
    for (uint32_t i = 0; i < CROWD; i++) {
        come_from(&crowd[i], "10.0.0.1", "Guest");
        test_client_send(&crowd[i], "%s", request);
        if (!test_client_has(&crowd[i], MESSAGE_SERVER_TABLE)) {
            refused_with(&crowd[i], "quota", "limit of custom files (1 MB). Finish or");
            break;
        }
        opened++;
    }
    assert_in_range(opened, 1, CROWD - 1);
    assert_true(crowd[0].arena != NULL);
    test_client_send(&crowd[0], "{\"type\":\"leave\"}");
    test_client_send(&crowd[opened], "%s", request);
    test_client_expect(&crowd[opened], MESSAGE_SERVER_TABLE);
    come_from(&ann, "10.0.0.2", "Ann");
    test_client_send(&ann, "%s", request);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
}

/* --- AI players ------------------------------------------------------------------------------- */

/* Requests an AI player that moves first. */
static void throw_robot(TestClient *client, uint32_t level) {
    char request[160];
    snprintf(request, sizeof request,
             "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"skirmish\",\"seat\":1,"
             "\"opponent\":\"ai\",\"level\":%u}",
             level);
    test_client_send_nowait(client, request);
}

/* How many searches are done when this client's AI player has made its first move. */
static uint64_t jobs_before(TestClient *client) {
    for (uint32_t ms = 0; ms < 200; ms++) {
        arena_run(&arena, 1);
        while (test_client_has(client, MESSAGE_SERVER_POSITION)) {
            test_client_expect(client, MESSAGE_SERVER_POSITION);
            if (client->number > 1)
                return arena.server->stats.ai_jobs;
        }
    }
    fail_msg("the robot does not move");
    return 0;
}

enum { HORDE = 20 };

/* Many clients of one address request the strongest AI players, then `last` one of level 1 from
 * another. */
static uint64_t behind_a_horde(const char *address) {
    arena.setup.budgets.robots = arena.setup.budgets.robots_in_all = 0;
    arena_open(&arena);
    for (uint32_t i = 0; i < HORDE; i++)
        come_from(&crowd[i], "10.0.0.1", "Guest");
    come_from(&ann, address, "Ann");
    for (uint32_t i = 0; i < HORDE; i++)
        throw_robot(&crowd[i], 5);
    arena_run(&arena, 1);
    throw_robot(&ann, 1);
    return jobs_before(&ann);
}

static void ai_players_have_a_fair_share_for_each_address(void **unused) {
    (void)unused;
    assert_in_range(behind_a_horde("10.0.0.2"), 1, 6);
}

static void short_searches_come_first(void **unused) {
    (void)unused;
    assert_in_range(behind_a_horde("10.0.0.1"), 1, 6);
}

/* How many of these have seen their AI player's first move. */
static uint32_t count_moved(TestClient *first, uint32_t count) {
    uint32_t moved = 0;
    for (uint32_t i = 0; i < count; i++) {
        while (test_client_has(&first[i], MESSAGE_SERVER_POSITION))
            test_client_expect(&first[i], MESSAGE_SERVER_POSITION);
        moved += first[i].number > 1;
    }
    return moved;
}

static void long_searches_of_two_addresses_take_turns(void **unused) {
    (void)unused;
    arena.setup.budgets.robots = arena.setup.budgets.robots_in_all = 0;
    arena_open(&arena);
    for (uint32_t i = 0; i < 2 * HORDE; i++)
        come_from(&crowd[i], i < HORDE ? "10.0.0.1" : "10.0.0.2", "Guest");
    for (uint32_t i = 0; i < 2 * HORDE; i++)
        throw_robot(&crowd[i], 5);
    arena_run(&arena, HORDE + 10);
    uint32_t first = count_moved(crowd, HORDE), second = count_moved(crowd + HORDE, HORDE);
    assert_in_range(first + second, HORDE / 2, 2 * HORDE - 2);
    assert_in_range(first, second - 2, second + 2);
}

static void a_long_search_makes_way_for_a_short_one(void **unused) {
    (void)unused;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.2", "Bob");
    throw_robot(&ann, 8);
    throw_robot(&bob, 1);
    arena_run(&arena, 2);
    assert_non_null(arena.server->stopped_jobs);
    jobs_before(&bob);
    assert_false(test_client_has(&ann, MESSAGE_SERVER_POSITION) && ann.number > 1);
    jobs_before(&ann);
    assert_null(arena.server->stopped_jobs);
}

static void busy_ai_players_say_so(void **unused) {
    (void)unused;
    arena.setup.budgets.robots = 9;
    arena.setup.budgets.robots_in_all = 17;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.1", "Bob");
    throw_robot(&ann, 8);
    arena_run(&arena, 10);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    throw_robot(&bob, 6);
    arena_run(&arena, 10);
    refused_with(&bob, "robots-busy", "All AI players available to your address are busy.");
    throw_robot(&bob, 1);
    arena_run(&arena, 10);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    come_from(&eve, "10.0.0.2", "Eve");
    throw_robot(&eve, 8);
    arena_run(&arena, 10);
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    come_from(&crowd[0], "10.0.0.3", "Guest");
    throw_robot(&crowd[0], 1);
    arena_run(&arena, 10);
    refused_with(&crowd[0], "robots-busy",
                 "All AI players are busy. Try again in a minute or pick a lower level.");
    test_client_send(&ann, "{\"type\":\"resign\"}");
    arena_run(&arena, 10);
    assert_int_equal(arena.server->robots, 9);
    throw_robot(&crowd[0], 1);
    arena_run(&arena, 10);
    test_client_expect(&crowd[0], MESSAGE_SERVER_TABLE);
    assert_int_equal(arena.server->accounts.refusals[BUDGET_ROBOTS], 2);
    /* After a restart they count again, and no longer when all matches are over. */
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->robots, 10);
    arena_run(&arena, HOUR_MS);
    assert_int_equal(arena.server->robots, 0);
}

static void huge_boards_are_thought_about_no_longer(void **unused) {
    (void)unused;
    static const char board[] =
        "{\"type\":\"open\",\"game\":\"zorde\",\"seat\":1,\"opponent\":\"ai\",\"level\":7,"
        "\"documents\":[{\"name\":\"big.start.json\",\"text\":\"{\\\"width\\\":100,"
        "\\\"height\\\":%u,\\\"units\\\":[{\\\"kind\\\":\\\"elf\\\",\\\"id\\\":"
        "\\\"E0\\\",\\\"x\\\":40,\\\"y\\\":12},{\\\"kind\\\":\\\"human\\\","
        "\\\"id\\\":\\\"H0\\\",\\\"x\\\":42,\\\"y\\\":12},{\\\"kind\\\":"
        "\\\"ork\\\",\\\"id\\\":\\\"O0\\\",\\\"x\\\":44,\\\"y\\\":10},"
        "{\\\"kind\\\":\\\"troll\\\",\\\"id\\\":\\\"T0\\\",\\\"x\\\":38,"
        "\\\"y\\\":10}]}\"}]}";
    uint64_t nodes[2];
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t before = arena.server->stats.ai_job_nodes;
        test_client_send(&ann, board, i == 0 ? 40 : 100);
        test_client_expect(&ann, MESSAGE_SERVER_TABLE);
        jobs_before(&ann);
        nodes[i] = arena.server->stats.ai_job_nodes - before;
        test_client_send(&ann, "{\"type\":\"leave\"}");
        ann.number = 0;
    }
    assert_in_range(nodes[0], 80000, 160000);
    assert_in_range(nodes[1], 30000, nodes[0] / 2);
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
    /* Two sockets send 45 each: 26 are accepted, and 20 for each socket of its own. */
    for (uint32_t i = 0; i < 45; i++) {
        test_client_send_nowait(&ann, "{\"type\":\"here\"}");
        test_client_send_nowait(&bob, "{\"type\":\"here\"}");
    }
    test_client_send_nowait(&eve, "{\"type\":\"here\"}");
    arena_run(&arena, 10);
    assert_in_range(arena.server->accounts.refusals[BUDGET_MESSAGES], 23, 24);
    refused_with(&bob, "too-fast", "Too many messages from your address");
    assert_false(test_client_has(&eve, MESSAGE_SERVER_REFUSED));
    test_client_expect(&eve, MESSAGE_SERVER_DONE);
    /* After waiting, messages are accepted again. */
    arena_run(&arena, 2 * SECOND_MS);
    test_client_forget(&bob);
    test_client_send(&bob, "{\"type\":\"here\"}");
    test_client_expect(&bob, MESSAGE_SERVER_DONE);
}

/* A player pays for every encoding in which spectators receive its action, and for what its AI
 * player does. */
static void spectators_of_many_encodings_have_their_price(void **unused) {
    (void)unused;
    static const char *const forms[] = {"\"view\":\"json\"", "\"view\":\"json\",\"words\":true",
                                        "\"view\":\"bytes\""};
    enum { FORMS = sizeof forms / sizeof *forms };
    uint64_t paid_ns[2];
    arena.setup.budgets.messages = 1000;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.2", "Bob");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    const Table *table = arena.server->tables;
    for (uint32_t i = 0; i < 2; i++) {
        TestClient *acts = table->clock.seats[0].awaited ? &ann : &bob;
        const Account *account = table->chairs[acts == &ann ? 0 : 1].account;
        arena_run(&arena, 10 * SECOND_MS);
        while (test_client_has(acts, MESSAGE_SERVER_POSITION))
            test_client_expect(acts, MESSAGE_SERVER_POSITION);
        uint64_t before_ns = net_now_ms(arena.loop) * 1000000;
        test_client_act(acts);
        paid_ns[i] = account->messages.full_ns - before_ns;
        for (uint32_t j = 0; j < FORMS && i == 0; j++) {
            fake_address(arena.loop, "10.0.0.3");
            test_client_connect(&crowd[j], &arena, "/arena");
            test_client_send(&crowd[j],
                             "{\"type\":\"hello\",\"name\":\"Eve\",\"role\":\"watcher\",%s}",
                             forms[j]);
            test_client_send(&crowd[j], "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
        }
    }
    assert_in_range(paid_ns[0] / 1000000, 6, 10);
    assert_in_range(paid_ns[1] / 1000000, 4 * 6 - 3, 40);
}

static void loading_content_costs_more_than_a_message(void **unused) {
    (void)unused;
    arena.setup.budgets.messages = 1000;
    arena_open(&arena);
    come_from(&ann, "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.1", "Bob");
    arena_run(&arena, 10 * SECOND_MS);
    test_client_send_nowait(
        &ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"documents\":"
              "[{\"name\":\"duel.start.json\"}]}");
    for (uint32_t i = 0; i < 30; i++)
        test_client_send_nowait(&bob, "{\"type\":\"here\"}");
    arena_run(&arena, 10);
    assert_in_range(arena.server->accounts.refusals[BUDGET_MESSAGES], 9, 10);
}

static void own_content_is_loaded_seldom(void **unused) {
    (void)unused;
    enum { MANY = 20 };
    static TestClient all[MANY];
    static const char open[] = "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\","
                               "\"documents\":[{\"name\":\"duel.start.json\"}]}";
    arena.setup.budgets.loads = 2;
    arena_open(&arena);
    for (uint32_t i = 0; i < MANY; i++)
        come_from(&all[i], "10.0.0.1", "Ann");
    come_from(&bob, "10.0.0.2", "Bob");
    uint32_t refused = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        test_client_send_nowait(&all[i], open);
        arena_run(&arena, 10);
        refused += test_client_has(&all[i], MESSAGE_SERVER_REFUSED);
    }
    assert_in_range(refused, MANY - 7, MANY - 6); /* three seconds' worth in a burst */
    test_client_send_nowait(&bob, open);
    arena_run(&arena, 10);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    arena_run(&arena, 2 * SECOND_MS);
    test_client_send_nowait(&all[MANY - 1], open);
    arena_run(&arena, 10);
    test_client_expect(&all[MANY - 1], MESSAGE_SERVER_TABLE);
    for (uint32_t i = 0; i < MANY; i++)
        test_client_release(&all[i]);
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
            test_client_send_nowait(&bob, "{\"type\":\"here\"}");
        test_client_send(&ann, "{\"type\":\"here\"}");
        arena_run(&arena, 500);
    }
    assert_false(test_client_has(&ann, MESSAGE_SERVER_REFUSED));
    assert_null(bob.connection);
    assert_int_equal(bob.close_code, NET_CLOSE_POLICY);
}

/* Requests that cost more than one answer are counted, each kind of them, and no others. */
static void costly_requests_are_counted(void **unused) {
    (void)unused;
    static const struct {
        bool counted;
        const char *request;
    } rows[] = {
        {true, "{\"type\":\"games\"}"},
        {true, "{\"type\":\"matches\"}"},
        {true, "{\"type\":\"join\",\"code\":\"k7qf-2m9x-w3ab\"}"},
        {true, "{\"type\":\"watch\",\"code\":\"k7qf-2m9x-w3ab\"}"},
        {true, "{\"type\":\"return\",\"token\":\"ffffffffffffffffffffffffffffffff\"}"},
        {true, "{\"type\":\"rematch\"}"},
        {true, "{\"type\":\"chat\",\"text\":\"hello\"}"},
        {true, "{\"type\":\"undo\",\"position\":1}"},
        {true, "{\"type\":\"takeback\",\"what\":\"offer\"}"},
        {true, "{\"type\":\"seek\",\"game\":\"zorde\"}"},
        {false, "{\"type\":\"leave\"}"},
        {true, "{\"type\":\"open\",\"game\":\"zorde\"}"},
        {false, "{\"type\":\"here\"}"},
        {false, "{\"type\":\"pause\"}"},
        {false, "{\"type\":\"resign\"}"},
        {false, "{\"type\":\"draw\",\"what\":\"offer\"}"},
    };
    arena.setup.request_rate = (NetRate){.per_second = 1, .burst = 3};
    arena_open(&arena);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        arena_run(&arena, 3000); /* what was counted before is forgotten */
        const TokenBucket *bucket = &arena.server->sessions->requests;
        uint64_t before = bucket->full_ns;
        test_client_send_nowait(&ann, rows[i].request);
        arena_run(&arena, 10);
        assert_non_null(ann.connection);
        if ((bucket->full_ns != before) != rows[i].counted)
            fail_msg("%s is %scounted", rows[i].request, rows[i].counted ? "not " : "");
    }
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(costly_requests_are_counted),
        ROW(open_tables_are_counted_by_address),
        ROW(a_seat_counts_for_the_player_who_returns),
        ROW(accounts_are_dropped_when_their_day_is_over),
        ROW(idle_accounts_have_an_end),
        ROW(matches_of_a_day_come_back_evenly),
        ROW(quotas_are_exact),
        ROW(bytes_of_a_day_run_out_and_matches_go_on),
        ROW(another_match_is_one_of_the_day),
        ROW(a_match_without_any_action_leaves_nothing),
        ROW(a_match_that_both_have_left_ends_in_minutes),
        ROW(a_short_loss_of_both_lines_costs_nothing),
        ROW(after_a_restart_nobody_is_waited_for_long),
        ROW(a_pause_is_kept_to_its_end),
        ROW(a_deserted_table_leaves_the_list_at_once),
        ROW(an_address_has_its_share_of_the_list),
        ROW(the_list_is_told_page_by_page),
        ROW(a_player_cannot_spectate_himself),
        ROW(open_tables_show_nothing_while_nobody_knows_who_plays),
        ROW(a_quick_match_is_never_open_to_spectators),
        ROW(own_content_is_counted_by_bytes),
        ROW(ai_players_have_a_fair_share_for_each_address),
        ROW(short_searches_come_first),
        ROW(long_searches_of_two_addresses_take_turns),
        ROW(a_long_search_makes_way_for_a_short_one),
        ROW(busy_ai_players_say_so),
        ROW(huge_boards_are_thought_about_no_longer),
        ROW(messages_are_counted_over_all_sockets),
        ROW(spectators_of_many_encodings_have_their_price),
        ROW(loading_content_costs_more_than_a_message),
        ROW(own_content_is_loaded_seldom),
        ROW(a_neighbour_of_a_flood_plays_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
