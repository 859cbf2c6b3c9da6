/* test_server_days.c -- matches over days: who may play them, that they rest on the disk while
 * nobody is there, how they are opened again, what is due, vacations; and that a kill at any moment
 * loses nothing that was acknowledged. */
#include "tests/server/fake/accounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/days.h"
#include "server/records.h"
#include "store/account_backend.h"
#include "store/backend.h"

enum { HOUR_MS = 3600000, DAY_MS = 86400000 };

/* The list of the turns of a player, as text. */
static const char *turns_of(TestClient *client, const char *key) {
    static char list[2048];
    accounts_log_in(client, key);
    test_client_send(client, "{\"type\":\"turns\"}");
    test_client_expect(client, MESSAGE_SERVER_TURNS);
    snprintf(list, sizeof list, "%s", strstr(client->received, "\"type\":\"turns\""));
    return list;
}

static Table *table(void) { return arena.server->tables; }

/* --- Who may play ------------------------------------------------------------------------------
 */

static void it_needs_two_accounts(void **unused) {
    (void)unused;
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"open\",\"game\":\"zorde\",\"days\":3}");
    test_client_refused(&eve, "needs-account");
    test_client_send(&eve, "{\"type\":\"seek\",\"game\":\"zorde\",\"days\":1}");
    test_client_refused(&eve, "needs-account");
    accounts_claim(&ann, "Ann", ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"days\":8}");
    test_client_refused(&ann, "malformed");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"days\":7,\"pair\":true}");
    test_client_refused(&ann, "not-by-days");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"days\":7,\"opponent\":\"ai\"}");
    test_client_refused(&ann, "not-by-days");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"days\":7}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&eve, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_refused(&eve, "needs-account");
    accounts_log_in(&bob, ANNS_KEY);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_refused(&bob, "same-player");
    test_client_send(&bob, "{\"type\":\"turns\"}");
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_TURNS)->turns_list.vacation_days, 30);
}

static void who_waits_need_not_be_there(void **unused) {
    (void)unused;
    accounts_claim(&ann, "Ann", ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"zorde\",\"days\":1}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_release(&ann);
    arena_run(&arena, HOUR_MS);
    assert_int_equal(arena.server->tables_count, 1);
    accounts_log_in(&ann, ANNS_KEY); /* one does not meet oneself */
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"zorde\",\"days\":1}");
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_TABLE)->table.state,
                     PROTO_STATE_WAITING);
    test_client_send(&ann, "{\"type\":\"leave\"}");
    test_client_release(&ann);
    accounts_claim(&bob, "Bob", BOBS_KEY);
    test_client_send(&bob, "{\"type\":\"matches\"}");
    test_client_expect(&bob, MESSAGE_SERVER_MATCHES);
    assert_non_null(strstr(bob.received, "\"days\":1"));
    test_client_send(&bob, "{\"type\":\"seek\",\"game\":\"zorde\",\"days\":1}");
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    assert_int_equal(bob.message.table.state, PROTO_STATE_RUNNING);
}

/* Others' matches rest meanwhile, so that the server looks after them now and then. */
static void who_waits_while_others_rest(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    test_client_act(fixture_awaited());
    accounts_rest();
    accounts_log_in(&ann, ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"days\":1}");
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_TABLE)->table.state,
                     PROTO_STATE_WAITING);
    arena_run(&arena, HOUR_MS);
    assert_int_equal(arena.server->tables_count, 1);
}

/* Matches that a player has begun count until they are over. */
static void nobody_plays_too_many(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    PlayerAccount *player = table()->chairs[0].session->player;
    assert_int_equal(player->days, 1);
    test_client_send(&ann, "{\"type\":\"leave\"}");
    test_client_forget(&ann);
    player->days = 99;
    for (int i = 0; i < 2; i++) {
        test_client_send(&ann, "{\"type\":\"open\",\"game\":\"tablut\",\"days\":1}");
        if (i == 1) {
            test_client_refused(&ann, "quota");
            return;
        }
        test_client_expect(&ann, MESSAGE_SERVER_TABLE);
        test_client_send(&ann, "{\"type\":\"leave\"}");
        test_client_forget(&ann);
        player->days++;
    }
}

/* --- Resting -----------------------------------------------------------------------------------
 */

static void a_match_rests_while_nobody_is_there(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    TestClient *first = fixture_awaited(), *second = fixture_other(first);
    test_client_act(first);
    int32_t number = first->number;
    uint32_t actions = table()->match.actions_count;
    test_client_send(second, "{\"type\":\"chat\",\"text\":\"until tomorrow\"}");
    accounts_rest();
    assert_int_equal(arena.server->days.rested, 1);
    assert_int_equal(store_stats(arena.server->store).matches, 0); /* nor in the journal */
    arena_run(&arena, DAY_MS);
    accounts_return(first);
    assert_int_equal(first->number, number);
    assert_int_equal(table()->match.actions_count, actions);
    assert_true(days_is(table()) && table()->journal != table()->number);
    /* The clock has gone on: two days are left to whom the match awaits, less some seconds. */
    uint8_t awaited = fixture_awaited()->seat;
    int32_t left_ms = clock_turn_left(&table()->clock, server_now_ms(arena.server), awaited);
    assert_true(left_ms <= 2 * DAY_MS && left_ms > 2 * DAY_MS - 60000);
    accounts_return(second);
    test_client_send(second, "{\"type\":\"resign\"}");
    arena_run(&arena, 2000);
    assert_true(match_result(&table()->match).over);
    test_client_send(first, "{\"type\":\"leave\"}");
    test_client_send(second, "{\"type\":\"leave\"}");
    arena_run(&arena, HOUR_MS);
    uint64_t count = 1;
    assert_int_equal(store_days_count(arena.server->store, 0, &count), STORE_OK);
    assert_true(count == 0); /* it is over */
    assert_int_equal(arena.server->tables_count, 0);
    assert_int_equal(store_stats(arena.server->store).matches, 0);
}

/* A store whose journal is late: nothing more is durable. */
static const StoreBackend *usual_backend;
static StoreProgress durable;
static StoreProgress nothing_more(Store *store) {
    (void)store;
    return durable;
}

/* Whom a match awaits is told to the store when the journal has it: otherwise a kill between the
 * two would leave a row of a match that nobody has. */
static void the_journal_comes_before_the_row(void **unused) {
    (void)unused;
    Store *store = arena.server->store;
    static StoreBackend late;
    uint64_t rows;
    accounts_claim(&ann, "Ann", ANNS_KEY);
    accounts_claim(&bob, "Bob", BOBS_KEY);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"days\":3}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    usual_backend = store->backend;
    late = *store->backend;
    durable = store_progress(store);
    late.done = nothing_more;
    store->backend = &late;
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    arena_run(&arena, HOUR_MS);
    assert_int_equal(table()->state, PROTO_STATE_RUNNING);
    assert_int_equal(store_days_count(store, 0, &rows), STORE_OK);
    assert_true(rows == 0);
    store->backend = usual_backend;
    server_poll_store(arena.server);
    arena_run(&arena, 1000);
    assert_int_equal(store_days_count(store, 0, &rows), STORE_OK);
    assert_true(rows == 1);
    assert_false(table()->days.changed);
}

/* The store says that the match has another session. */
static AccountRun *usual_run;
static StoreStatus run_elsewhere(void *owner, AccountStatement which, const AccountValue *values,
                                 uint32_t count,
                                 void (*row)(void *out, const AccountValue *columns), void *out) {
    if (which == DAYS_PUT)
        return STORE_OK; /* without a row */
    return usual_run(owner, which, values, count, row, out);
}

static void what_goes_on_elsewhere_leaves_memory(void **unused) {
    (void)unused;
    Store *store = arena.server->store;
    accounts_begin("zorde", "");
    test_client_act(fixture_awaited());
    arena_run(&arena, 1000);
    assert_int_equal(arena.server->tables_count, 1);
    usual_run = store->accounts;
    store->accounts = run_elsewhere;
    test_client_act(fixture_awaited());
    arena_run(&arena, 1000);
    assert_int_equal(arena.server->tables_count, 0);
    assert_int_equal(store_stats(store).matches, 0); /* nor does the journal have its session */
    test_client_expect(&ann, MESSAGE_SERVER_CLOSED);
    store->accounts = usual_run;
}

/* A picture opens it for a moment, and shows what spectators see. */
static void a_resting_match_has_a_picture(void **unused) {
    (void)unused;
    char path[64], memory[1 << 16];
    MashText text = text_over(memory, sizeof memory);
    accounts_begin("zorde", "");
    test_client_act(fixture_awaited());
    accounts_rest();
    snprintf(path, sizeof path, "/picture/%s.svg", accounts_code);
    assert_int_equal(fake_get(arena.server->net, path, &text), 200);
    assert_non_null(strstr(memory, "<svg"));
    assert_int_equal(arena.server->tables_count, 1);
    arena_run(&arena, ACCOUNTS_REST_MS);
    assert_int_equal(arena.server->tables_count, 0);
    text_clear(&text);
    assert_int_equal(fake_get(arena.server->net, "/picture/zzzz-zzzz-zzzz.svg", &text), 404);
    accounts_return(&ann); /* it goes on as it was */
    assert_int_equal(table()->match.actions_count, 1);
}

static void tokens_and_watchers_open_it_too(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    char token[PROTO_TOKEN_DIGITS + 1];
    memcpy(token, bob.token, sizeof token);
    test_client_act(fixture_awaited());
    accounts_rest();
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    test_client_release(&eve);
    arena_run(&arena, ACCOUNTS_REST_MS);
    assert_int_equal(arena.server->tables_count, 0);
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&bob, "{\"type\":\"return\",\"token\":\"%s\"}", token);
    test_client_refused(&bob, "needs-account"); /* a token alone is not enough: the seat is Bob's */
    test_client_send(&bob, "{\"type\":\"login\",\"key\":\"" ANNS_KEY "\"}");
    test_client_expect(&bob, MESSAGE_SERVER_ACCOUNT);
    test_client_send(&bob, "{\"type\":\"return\",\"token\":\"%s\"}", token);
    test_client_refused(&bob, "needs-account");
    test_client_send(&bob, "{\"type\":\"login\",\"key\":\"" BOBS_KEY "\"}");
    test_client_expect(&bob, MESSAGE_SERVER_ACCOUNT);
    test_client_send(&bob, "{\"type\":\"return\",\"token\":\"%s\"}", token);
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    test_client_release(&bob);
    arena_run(&arena, ACCOUNTS_REST_MS);
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_refused(&eve, "no-free-seat");
    test_client_send(&eve, "{\"type\":\"return\",\"code\":\"%s\"}", ann.code);
    test_client_refused(&eve, "needs-account");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"zzzz-zzzz-zzzz\"}");
    test_client_refused(&eve, "no-such-table");
    test_client_send(&eve, "{\"type\":\"return\"}");
    test_client_refused(&eve, "malformed");
}

static void who_comes_while_it_goes_to_rest_waits(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    TestClient *first = fixture_awaited();
    test_client_act(first);
    fake_thinking(arena.loop, 2000); /* the store is slow */
    test_client_release(&ann);
    test_client_release(&bob);
    for (int i = 0; i < 200 && (table() == NULL || !table()->days.resting); i++)
        arena_run(&arena, 100);
    assert_true(table()->days.resting);
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send_nowait(&eve, "{\"type\":\"turns\"}");
    char text[128];
    snprintf(text, sizeof text, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_send_nowait(&eve, text);
    arena_run(&arena, 500);
    assert_false(test_client_has(&eve, MESSAGE_SERVER_TABLE));
    arena_run(&arena, 20000);
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
}

/* The store does not say whom matches await. */
static StoreStatus run_without_answer(void *owner, AccountStatement which,
                                      const AccountValue *values, uint32_t count,
                                      void (*row)(void *out, const AccountValue *columns),
                                      void *out) {
    return which == DAYS_PUT ? STORE_BUSY : usual_run(owner, which, values, count, row, out);
}

/* Whoever came while the store was not sure of a match that is here is answered later, once: that
 * does not open the match again when it rests. */
static void who_waited_for_a_match_that_is_here_does_not_wake_it(void **unused) {
    (void)unused;
    char request[64];
    accounts_begin("zorde", "");
    test_client_act(fixture_awaited());
    arena_run(&arena, 1000);
    arena_kill(&arena);
    arena_open(&arena);
    usual_run = arena.server->store->accounts;
    arena.server->store->accounts = run_without_answer;
    accounts_log_in(&ann, ANNS_KEY);
    snprintf(request, sizeof request, "{\"type\":\"return\",\"code\":\"%s\"}", accounts_code);
    test_client_send_nowait(&ann, request);
    arena_run(&arena, 3000);
    assert_true(days_is_held(table()));
    assert_false(test_client_has(&ann, MESSAGE_SERVER_TABLE));
    arena.server->store->accounts = usual_run;
    arena_run(&arena, 3000);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    accounts_rest();
    arena_run(&arena, HOUR_MS);
    assert_int_equal(arena.server->days.rested, 1);
    assert_int_equal(arena.server->days.opened, 0);
}

/* Too many wait for the store: whoever comes to a match that rests is told so, and may come again.
 */
static void a_match_that_cannot_be_opened_now_is_refused(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    accounts_rest();
    NetThreadPool *usual = arena.server->players.thread_pool;
    NetThreadPool *full = net_thread_pool_open(arena.loop, 1, 0);
    arena.server->players.thread_pool = full;
    test_client_join(&eve, &arena, "Eve", "person", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", accounts_code);
    test_client_refused(&eve, "accounts-away");
    arena.server->players.thread_pool = usual;
    net_thread_pool_close(full);
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", accounts_code);
    test_client_expect(&eve, MESSAGE_SERVER_TABLE);
}

/* --- Turns -------------------------------------------------------------------------------------
 */

static void the_list_says_whose_turn_it_is(void **unused) {
    (void)unused;
    char memory[1024], wanted[64];
    accounts_begin("zorde", "");
    TestClient *first = fixture_awaited(), *second = fixture_other(first);
    accounts_rest();
    const char *list = turns_of(first, accounts_key(first));
    snprintf(wanted, sizeof wanted, "\"code\":\"%s\"", accounts_code);
    assert_non_null(strstr(list, wanted));
    assert_non_null(strstr(list, "\"yours\":true,\"left_s\":259"));
    assert_non_null(strstr(list, first == &ann ? "\"opponent\":\"Bob\"" : "\"opponent\":\"Ann\""));
    assert_non_null(strstr(turns_of(second, accounts_key(second)), "\"yours\":false}"));
    MashText text = text_over(memory, sizeof memory);
    assert_int_equal(fake_get(arena.server->net, "/api/v1/turns", &text), 403);
    fake_authorization(arena.loop, first == &ann ? "Bearer " ANNS_KEY : "Bearer " BOBS_KEY);
    text_clear(&text);
    assert_int_equal(fake_get(arena.server->net, "/api/v1/turns", &text), 200);
    assert_non_null(strstr(memory, wanted));
    assert_non_null(strstr(memory, "\"yours\":true,\"deadline_ms\":17002592"));
    accounts_return(first);
    test_client_act(first);
    for (int i = 0; i < 40 && first->message.position.awaited.bytes[1] == (char)('0' + first->seat);
         i++)
        test_client_act(first);
    arena_run(&arena, 100);
    assert_non_null(strstr(turns_of(second, accounts_key(second)), "\"yours\":true"));
}

static void what_is_due_is_over(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    TestClient *first = fixture_awaited();
    test_client_act(first);
    const TestClient *late = fixture_awaited();
    uint8_t winner = (uint8_t)(1 - late->seat);
    accounts_rest();
    arena_run(&arena, 2 * DAY_MS + 23 * HOUR_MS);
    uint64_t count;
    assert_int_equal(store_days_count(arena.server->store, 0, &count), STORE_OK);
    assert_true(count == 1);
    arena_run(&arena, 2 * HOUR_MS);
    assert_int_equal(store_days_count(arena.server->store, 0, &count), STORE_OK);
    assert_true(count == 0);
    StoreEntry entry;
    StoreFilter any = {0};
    uint32_t found;
    assert_int_equal(store_archive_list(arena.server->store, &any, &entry, 1, &found), STORE_OK);
    assert_int_equal(found, 1);
    assert_int_equal(entry.winner, winner);
}

static void nobody_loses_because_the_server_was_down(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    TestClient *first = fixture_awaited();
    test_client_act(first);
    first = fixture_awaited();
    accounts_rest();
    arena_kill(&arena);
    fake_run(arena.loop, (uint64_t)10 * DAY_MS);
    arena_open(&arena);
    arena_run(&arena, 10 * 60000);
    accounts_return(first);
    test_client_act(first);
    accounts_rest();
    arena_kill(&arena);
    fake_run(arena.loop, (uint64_t)10 * DAY_MS);
    arena_open(&arena);
    arena_run(&arena, 2 * HOUR_MS);
    uint64_t count;
    assert_int_equal(store_days_count(arena.server->store, 0, &count), STORE_OK);
    assert_true(count == 0);
}

static void vacations_stop_the_clock(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    TestClient *first = fixture_awaited();
    test_client_send(first, "{\"type\":\"vacation\",\"days\":10}");
    test_client_expect(first, MESSAGE_SERVER_TURNS);
    assert_int_equal(first->message.turns_list.vacation_days, 20);
    assert_int_equal(first->message.turns_list.vacation_s, 10 * 86400);
    arena_run(&arena, 1000); /* the open table knows it as well */
    int32_t left_ms = clock_turn_left(&table()->clock, server_now_ms(arena.server), first->seat);
    assert_true(left_ms > 12 * DAY_MS && left_ms <= 13 * DAY_MS);
    test_client_send(first, "{\"type\":\"vacation\",\"days\":1}");
    test_client_refused(first, "no-vacation");
    accounts_rest();
    arena_run(&arena, (uint64_t)12 * DAY_MS);
    uint64_t count;
    assert_int_equal(store_days_count(arena.server->store, 0, &count), STORE_OK);
    assert_true(count == 1);
    accounts_return(first);
    test_client_act(first);
}

/* --- Kills -------------------------------------------------------------------------------------
 */

/* A kill at any moment of coming, acting, going and resting: every action that was acknowledged is
 * there, and the match goes on. */
static void nothing_acknowledged_is_lost_by_a_kill(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    TestClient *first = fixture_awaited();
    uint32_t known = 0;
    arena.setup.rest_ms = 200;
    for (uint32_t i = 0; i < 60; i++) {
        known = table() != NULL ? table()->match.actions_count : known;
        test_client_release(&ann);
        test_client_release(&bob);
        arena_run(&arena, i * 7);
        arena_kill(&arena);
        arena_open(&arena);
        arena_run(&arena, (i % 5) * 40);
        accounts_return(first);
        assert_int_equal(table()->match.actions_count, known);
        assert_int_equal(arena.server->tables_count, 1);
        accounts_return(fixture_other(first));
        accounts_return(first);
        first = first->message.position.awaited.bytes[1] == (char)('0' + first->seat)
                    ? first
                    : fixture_other(first);
        test_client_act(first);
        if (match_result(&table()->match).over)
            break;
    }
    assert_true(known > 20);
}

/* The one match that is open in the store of the server that was killed: its first record, which is
 * the session's beginning. Its bytes are to be freed. */
static StoreRecord session_in_store(void) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    StoreSetup setup = store_setup(arena.place);
    Store *store = store_open(&setup, &problem);
    StoreMatch match;
    StoreRecord record;
    assert_non_null(store);
    assert_true(store_next_match(store, &match) && store_next_record(store, &record));
    assert_int_equal(record.kind, RECORD_SESSION);
    void *bytes = malloc(record.count);
    assert_non_null(bytes);
    memcpy(bytes, record.bytes, record.count);
    record.bytes = bytes;
    while (store_next_record(store, &record))
        continue;
    assert_false(store_next_match(store, &match));
    store_close(store);
    record.bytes = bytes;
    return record;
}

/* The store of the server that was killed has these two sessions, in this order. */
static void put_in_store(const StoreRecord *one, const StoreRecord *two) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    StoreSetup setup = store_setup(arena.place);
    StoreMatch match;
    uint64_t ticket;
    Store *store = store_open(&setup, &problem);
    assert_non_null(store);
    while (store_next_match(store, &match))
        store_forget(store, match.match, one->time_ms);
    assert_int_equal(store_append(store, one, &ticket), STORE_OK);
    assert_int_equal(store_append(store, two, &ticket), STORE_OK);
    store_close(store);
}

/* The end of a session was lost by the crash, so the journal has an older one, too: the newer one
 * counts, whichever is read first. */
static void the_newer_of_two_sessions_counts(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    TestClient *first = fixture_awaited();
    test_client_act(first);
    accounts_rest();
    accounts_return(first);
    arena_kill(&arena);
    StoreRecord older = session_in_store();
    for (int i = 0; i < 2; i++) {
        arena_open(&arena);
        accounts_return(first);
        accounts_return(fixture_other(first));
        first = fixture_awaited();
        test_client_act(first);
        accounts_rest();
        accounts_return(first);
        uint32_t known = table()->match.actions_count;
        arena_kill(&arena);
        StoreRecord newer = session_in_store();
        put_in_store(i == 0 ? &older : &newer, i == 0 ? &newer : &older);
        free((void *)newer.bytes);
        arena_open(&arena);
        assert_int_equal(arena.server->tables_count, 1);
        assert_int_equal(table()->match.actions_count, known);
        accounts_return(first);
        assert_int_equal(store_stats(arena.server->store).matches, 1);
        older.match ^= (uint64_t)1 << 59;
        arena_kill(&arena);
    }
    arena_open(&arena);
    free((void *)older.bytes);
}

static void a_rated_match_over_days_counts_once(void **unused) {
    (void)unused;
    accounts_claim(&ann, "Ann", ANNS_KEY);
    accounts_claim(&bob, "Bob", BOBS_KEY);
    test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"zorde\",\"days\":1,\"rated\":true}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"seek\",\"game\":\"zorde\",\"days\":1,\"rated\":true}");
    test_client_expect(&bob, MESSAGE_SERVER_TABLE);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_act(fixture_awaited());
    memcpy(accounts_code, ann.code, sizeof accounts_code);
    accounts_rest();
    accounts_return(&bob);
    test_client_send(&bob, "{\"type\":\"resign\"}");
    for (int i = 0; i < 3; i++) {
        arena_run(&arena, 5);
        test_client_release(&bob);
        arena_kill(&arena);
        arena_open(&arena);
    }
    arena_run(&arena, 5000);
    accounts_log_in(&ann, ANNS_KEY);
    assert_non_null(strstr(ann.received, "\"pace\":\"days\""));
    assert_non_null(strstr(ann.received, "\"rated\":1,\"wins\":1"));
    arena_run(&arena, HOUR_MS);
    uint64_t count;
    assert_int_equal(store_days_count(arena.server->store, 0, &count), STORE_OK);
    assert_true(count == 0);
}

/* What is read from a disk is not trusted. */
static void a_log_that_is_damaged_is_refused(void **unused) {
    (void)unused;
    TableDays days = {0};
    StoreRecord record = {.kind = 7, .time_ms = 9, .bytes = "abc", .count = 3};
    assert_true(days_log_put(&days, &record) && days_log_put(&days, &record));
    for (size_t cut = 0; cut < days.log_count; cut++) {
        size_t at = 0;
        uint32_t count = 0;
        while (days_log_next(days.log, cut, &at, &record)) {
            assert_true(record.kind == 7 && record.time_ms == 9 && record.count == 3);
            count++;
        }
        assert_int_equal(count, cut >= days.log_count / 2);
    }
    days.log[10] = 0xff;
    size_t at = 0;
    assert_false(days_log_next(days.log, days.log_count, &at, &record));
    free(days.log);
}

/* The store answers with the log of a match without its last byte. */
static void (*usual_row)(void *out, const AccountValue *columns);
static void cut_row(void *out, const AccountValue *columns) {
    enum { COLUMNS = 13, LOG = 12 };
    AccountValue cut[COLUMNS];
    memcpy(cut, columns, sizeof cut);
    cut[LOG].number--;
    usual_row(out, cut);
}

static StoreStatus run_cut(void *owner, AccountStatement which, const AccountValue *values,
                           uint32_t count, void (*row)(void *out, const AccountValue *columns),
                           void *out) {
    usual_row = row;
    return usual_run(owner, which, values, count, which == DAYS_TAKE ? cut_row : row, out);
}

/* Without its last action a match must not go on. */
static void a_match_whose_log_is_cut_off_does_not_go_on(void **unused) {
    (void)unused;
    accounts_begin("zorde", "");
    test_client_act(fixture_awaited());
    accounts_rest();
    usual_run = arena.server->store->accounts;
    arena.server->store->accounts = run_cut;
    accounts_log_in(&ann, ANNS_KEY);
    test_client_send(&ann, "{\"type\":\"return\",\"code\":\"%s\"}", accounts_code);
    test_client_refused(&ann, "no-such-table");
    assert_int_equal(arena.server->tables_count, 0);
    assert_non_null(strstr(arena.log, "the log of a match over days is damaged"));
    arena.server->store->accounts = usual_run;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(it_needs_two_accounts),
        TEST(who_waits_need_not_be_there),
        TEST(who_waits_while_others_rest),
        TEST(nobody_plays_too_many),
        TEST(a_match_rests_while_nobody_is_there),
        TEST(the_journal_comes_before_the_row),
        TEST(what_goes_on_elsewhere_leaves_memory),
        TEST(a_resting_match_has_a_picture),
        TEST(tokens_and_watchers_open_it_too),
        TEST(who_comes_while_it_goes_to_rest_waits),
        TEST(who_waited_for_a_match_that_is_here_does_not_wake_it),
        TEST(a_match_that_cannot_be_opened_now_is_refused),
        TEST(the_list_says_whose_turn_it_is),
        TEST(what_is_due_is_over),
        TEST(nobody_loses_because_the_server_was_down),
        TEST(vacations_stop_the_clock),
        TEST(nothing_acknowledged_is_lost_by_a_kill),
        TEST(the_newer_of_two_sessions_counts),
        TEST(a_rated_match_over_days_counts_once),
        TEST(a_log_that_is_damaged_is_refused),
        TEST(a_match_whose_log_is_cut_off_does_not_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
