/* test_server_nodes.c -- the server over a store that several nodes share: tables at other nodes,
 * nothing told while another may have the matches, clocks that stand while the database does not
 * answer, matches that come from other nodes, and leaving. The store is the usual one of these
 * tests, with the answers of a shared one. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "store/account_backend.h"
#include "store/backend.h"
#include "tests/server/fake/fixture.h"

/* What the store of the running test answers. */
static const StoreBackend *usual;
static StoreBackend shared;
static StoreStatus where_status;
static StorePlace where_place;
static uint64_t where_match;
static bool tells, deposed, handing, handed;
static uint64_t frozen_ms, frozen_since_ms;
static uint32_t copies, changes;

/* A table of number 1, by code and by the token of a seat. */
static char code[PROTO_CODE_MAX + 1];
static const char token[] = "000000000000000100000000000000aa";

static StoreStatus test_where(Store *store, uint64_t match, StorePlace *place) {
    (void)store;
    where_match = match;
    *place = where_place;
    return where_status;
}

/* The kinds of players that were claimed and let go. */
static uint64_t claimed_key, unclaimed_key;

static StoreStatus test_claim(Store *store, uint64_t key, StorePlace *place) {
    claimed_key = key;
    return test_where(store, 0, place);
}

static void test_unclaim(Store *store, uint64_t key) {
    (void)store;
    unclaimed_key = key;
}

static bool test_may_tell(Store *store) {
    (void)store;
    return tells;
}

static uint64_t test_frozen_ms(Store *store) {
    (void)store;
    return frozen_ms + (frozen_since_ms == 0 ? 0 : net_now_ms(arena.loop) - frozen_since_ms);
}

/* The database does not answer from now on, or answers again. */
static void freeze(bool frozen) {
    uint64_t now_ms = net_now_ms(arena.loop);
    frozen_ms += frozen_since_ms == 0 ? 0 : now_ms - frozen_since_ms;
    frozen_since_ms = frozen ? now_ms : 0;
}

static StoreProgress test_done(Store *store) {
    StoreProgress done = usual->done(store);
    done.deposed = deposed;
    if (deposed)
        done.failure = "taken";
    done.handed_over = handed;
    done.shared = changes;
    return done;
}

static void test_hand_over(Store *store) {
    (void)store;
    handing = true;
}

/* The documents that were shared last, and those that another node has written: bans, and what
 * addresses use. */
static char shared_bytes[2][256];
static const char *news[2];
static uint32_t uses_shared;

static bool test_share(Store *store, const char *name, const void *bytes, size_t count) {
    (void)store;
    bool used = strcmp(name, "used-1") == 0;
    uses_shared += used;
    assert_true(used || strcmp(name, "bans") == 0);
    assert_true(count < sizeof shared_bytes[0]);
    memcpy(shared_bytes[used], bytes, count);
    shared_bytes[used][count] = '\0';
    return true;
}

static char *test_take_shared(Store *store, const char *name, size_t *count) {
    (void)store;
    bool used = strcmp(name, "used-*") == 0;
    const char *found = used || strcmp(name, "bans") == 0 ? news[used] : NULL;
    news[used] = NULL;
    if (found == NULL)
        return NULL;
    *count = strlen(found);
    return strdup(found);
}

/* The tables that all nodes have written: this one's by store_publish(), and those of another. */
enum { TABLES_MAX = 1300 };
static StoreTable written[TABLES_MAX];
static char written_bytes[TABLES_MAX][1024];
static uint32_t written_count, publishes, list_questions, table_questions;
static StoreStatus publish_status, tables_status, table_status;

static StoreTable *find_written(uint64_t match) {
    for (uint32_t i = 0; i < written_count; i++)
        if (written[i].match == match)
            return &written[i];
    return NULL;
}

static StoreStatus test_publish(Store *store, const StoreTable *tables, uint32_t count) {
    (void)store;
    publishes++;
    for (uint32_t i = 0; publish_status == STORE_OK && i < count; i++) {
        StoreTable *row = find_written(tables[i].match);
        if (row == NULL) {
            assert_true(written_count < TABLES_MAX);
            row = &written[written_count++];
        }
        char *bytes = written_bytes[row - written];
        *row = tables[i];
        assert_true(row->count < sizeof written_bytes[0]);
        if (row->bytes != NULL)
            row->bytes = memcpy(bytes, row->bytes, row->count);
        bytes[row->count] = '\0';
    }
    return publish_status;
}

static StoreStatus test_tables(Store *store, const StoreTablePage *page, StoreTable *tables,
                               uint32_t max, uint32_t *count, char **memory) {
    (void)store;
    list_questions++;
    *memory = NULL;
    for (uint32_t i = 0; tables_status == STORE_OK && i < written_count && *count < max; i++)
        if (written[i].bytes != NULL && written[i].listed && written[i].rank > page->rank &&
            (page->game == NULL || strcmp(page->game, written[i].game) == 0))
            tables[(*count)++] = written[i];
    return tables_status;
}

static StoreStatus test_table(Store *store, const StoreTableQuestion *question, StoreTable *table,
                              StorePlace *place, char **memory) {
    (void)store;
    (void)memory;
    table_questions++;
    if (table_status != STORE_OK)
        return table_status;
    const StoreTable *row = find_written(question->match);
    if (row == NULL || row->bytes == NULL)
        return STORE_UNKNOWN;
    *table = *row;
    *place = where_place;
    return STORE_OK;
}

/* A table that another node has written. */
static void write_elsewhere(uint64_t number, const char *game, const char *bytes) {
    StoreTable table = {.match = number, .rank = -(int64_t)number, .listed = true, .bytes = bytes};
    snprintf(table.game, sizeof table.game, "%s", game);
    table.count = strlen(bytes);
    StoreStatus status = publish_status;
    publish_status = STORE_OK;
    test_publish(NULL, &table, 1);
    publish_status = status;
    publishes--;
}

static StoreStats test_stats(Store *store) {
    StoreStats stats = usual->stats(store);
    stats.copies = copies;
    stats.nodes = 3;
    return stats;
}

static int set_up(void **state) {
    (void)state;
    arena_init(&arena, 1);
    arena.setup.folder = arena.folder;
    arena_open(&arena);
    usual = arena.server->store->backend;
    shared = *usual;
    shared.where = test_where;
    shared.may_tell = test_may_tell;
    shared.frozen_ms = test_frozen_ms;
    shared.done = test_done;
    shared.hand_over = test_hand_over;
    shared.stats = test_stats;
    shared.claim = test_claim;
    shared.unclaim = test_unclaim;
    claimed_key = unclaimed_key = 0;
    shared.publish = test_publish;
    shared.tables = test_tables;
    shared.table = test_table;
    written_count = publishes = list_questions = table_questions = 0;
    publish_status = tables_status = table_status = STORE_OK;
    shared.share = test_share;
    shared.take_shared = test_take_shared;
    shared_bytes[0][0] = shared_bytes[1][0] = '\0';
    news[0] = news[1] = NULL;
    uses_shared = 0;
    changes = 0;
    arena.server->store->backend = &shared;
    where_status = STORE_UNKNOWN;
    memset(&where_place, 0, sizeof where_place);
    tells = true;
    deposed = handing = handed = false;
    frozen_ms = frozen_since_ms = 0;
    copies = 2;
    table_code_encode(1, code);
    return 0;
}

static int tear_down(void **state) {
    arena.server->store->backend = usual;
    return fixture_close(state);
}

/* --- Tables at other nodes -------------------------------------------------------------------- */

static void clients_are_sent_to_the_node_of_their_table(void **unused) {
    (void)unused;
    static const char *const types[] = {"join", "watch", "return"};
    where_status = STORE_OK;
    where_place = (StorePlace){.node = 3, .url = "wss://play.example/arena?node=3", .open = true};
    test_client_join(&ann, &arena, "Ann", "person", "json");
    for (uint32_t i = 0; i < 3; i++) {
        char request[128];
        where_match = 0;
        snprintf(request, sizeof request, "{\"type\":\"%s\",\"%s\":\"%s\",\"id\":7}", types[i],
                 i == 2 ? "token" : "code", i == 2 ? token : code);
        test_client_send(&ann, "%s", request);
        const Message *moved = test_client_expect(&ann, MESSAGE_SERVER_MOVED);
        assert_true(where_match == 1);
        assert_int_equal(moved->moved.node, 3);
        assert_int_equal(moved->moved.id, 7);
        assert_string_equal(moved->moved.to, types[i]);
        assert_string_equal(moved->moved.url, "wss://play.example/arena?node=3");
    }
    assert_null(ann.arena->server->sessions->table);
}

static void a_table_that_is_moving_is_nowhere_yet(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    for (int i = 0; i < 3; i++) {
        where_status = i == 2 ? STORE_BUSY : STORE_OK; /* and when the database does not answer */
        where_place = (StorePlace){.node = 3, .url = "wss://x", .open = i == 1, .here = i == 1};
        test_client_send(&ann, "{\"type\":\"join\",\"code\":\"%s\"}", code);
        const Message *moved = test_client_expect(&ann, MESSAGE_SERVER_MOVED);
        assert_false(message_has(moved, "node") || message_has(moved, "url"));
    }
}

/* A match over days that rests, or that another node has opened under a session. */
static AccountRun *usual_run;
static int64_t opened_session; /* of the other node; 0: it is just opening it */
static uint64_t taken_session, freed_session;

static StoreStatus run_opened(void *owner, AccountStatement which, const AccountValue *values,
                              uint32_t count, void (*row)(void *out, const AccountValue *columns),
                              void *out) {
    if (which == DAYS_FREE)
        freed_session = (uint64_t)values[1].number;
    if (which != DAYS_TAKE)
        return usual_run(owner, which, values, count, row, out);
    AccountValue columns[13] = {values[0], {NULL, opened_session}};
    columns[3] = columns[12] = (AccountValue){"", 0};
    taken_session = (uint64_t)values[1].number;
    row(out, columns);
    return STORE_OK;
}

/* Two players of a match come to two nodes at once: the one whose node is late is sent to the other
 * one, also before the match is in the journal there. */
static void a_match_that_another_node_just_opens_is_there(void **unused) {
    (void)unused;
    usual_run = arena.server->store->accounts;
    arena.server->store->accounts = run_opened;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    freed_session = 0;
    for (opened_session = 0; opened_session < 2; opened_session++) {
        test_client_send(&ann, "{\"type\":\"return\",\"token\":\"%s\"}", token);
        const Message *moved = test_client_expect(&ann, MESSAGE_SERVER_MOVED);
        assert_false(message_has(moved, "node"));
    }
    where_status = STORE_OK;
    where_place = (StorePlace){.node = 3, .url = "wss://x", .open = true};
    test_client_send(&ann, "{\"type\":\"return\",\"token\":\"%s\"}", token);
    const Message *moved = test_client_expect(&ann, MESSAGE_SERVER_MOVED);
    assert_int_equal(moved->moved.node, 3);
    assert_int_equal(where_match, opened_session);
    opened_session = 0;
    test_client_send(&ann, "{\"type\":\"return\",\"token\":\"%s\"}", token);
    test_client_expect(&ann, MESSAGE_SERVER_MOVED);
    arena_run(&arena, 2000);
    assert_true(freed_session == taken_session); /* should it be ours all the same */
    arena.server->store->accounts = usual_run;
}

/* When a node is lost, its players come to the others at once, many from one address: a client that
 * cannot be told where its table is tries again, and none is turned away. */
static void a_crowd_is_asked_to_come_again(void **unused) {
    (void)unused;
    enum { CROWD = 20 };
    static TestClient crowd[CROWD];
    uint32_t there = 0;
    where_status = STORE_OK;
    where_place = (StorePlace){.node = 3, .open = true};
    for (int i = 0; i < CROWD; i++)
        test_client_join(&crowd[i], &arena, "Ann", "person", "json");
    for (int i = 0; i < CROWD; i++) {
        char request[96];
        snprintf(request, sizeof request, "{\"type\":\"return\",\"token\":\"%s\"}", token);
        test_client_send_nowait(&crowd[i], request);
    }
    arena_run(&arena, 1000);
    for (int i = 0; i < CROWD; i++) {
        assert_false(test_client_has(&crowd[i], MESSAGE_SERVER_REFUSED));
        there += message_has(test_client_expect(&crowd[i], MESSAGE_SERVER_MOVED), "node");
        test_client_release(&crowd[i]);
    }
    assert_in_range(there, 1, CROWD - 1);
}

static void a_table_that_nobody_has_is_refused(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"join\",\"code\":\"%s\"}", code);
    test_client_refused(&ann, "no-such-table");
    test_client_send(&ann, "{\"type\":\"watch\",\"code\":\"%s\"}", code);
    test_client_refused(&ann, "no-such-table");
    test_client_send(&ann, "{\"type\":\"return\",\"token\":\"000000000000000100000000000000aa\"}");
    test_client_refused(&ann, "no-such-token");
}

#define SEEK "{\"type\":\"seek\",\"game\":\"zorde\",\"preset\":\"duel\",\"id\":4"

static void seekers_are_sent_where_another_waits(void **unused) {
    (void)unused;
    where_status = STORE_OK;
    where_place = (StorePlace){.node = 2, .url = "ws://two", .open = true};
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, SEEK "}");
    const Message *moved = test_client_expect(&ann, MESSAGE_SERVER_MOVED);
    assert_int_equal(moved->moved.node, 2);
    assert_int_equal(moved->moved.id, 4);
    assert_string_equal(moved->moved.to, "seek");
    assert_int_equal(arena.server->tables_count, 0);
    uint64_t key = claimed_key;
    test_client_send(&ann, SEEK ",\"turn_ms\":20000}"); /* another kind of players */
    test_client_expect(&ann, MESSAGE_SERVER_MOVED);
    assert_true(claimed_key != key && key != 0);
}

/* Players of the same game with other options do not wait for each other. */
static void seekers_of_other_options_are_another_kind(void **unused) {
    (void)unused;
    static const char *const options[] = {"{}", "{\"open\":0}", "{\"open\":1}", "{\"thanos\":1}"};
    uint64_t keys[4];
    where_status = STORE_OK;
    where_place = (StorePlace){.node = 2, .url = "ws://two", .open = true};
    test_client_join(&ann, &arena, "Ann", "person", "json");
    for (uint32_t i = 0; i < 4; i++) {
        test_client_send(&ann, "{\"type\":\"seek\",\"game\":\"generals\",\"options\":%s}",
                         options[i]);
        test_client_expect(&ann, MESSAGE_SERVER_MOVED);
        keys[i] = claimed_key;
    }
    assert_true(keys[1] == keys[0]); /* what is usual anyway */
    assert_true(keys[2] != keys[0] && keys[3] != keys[0] && keys[3] != keys[2]);
}

static void seekers_wait_here_if_nobody_waits_elsewhere(void **unused) {
    (void)unused;
    where_status = STORE_OK;
    where_place = (StorePlace){.node = 1, .open = true, .here = true};
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, SEEK "}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    uint64_t key = claimed_key;
    claimed_key = 0;
    assert_true(unclaimed_key == 0);
    test_client_send(&bob, SEEK "}"); /* meets her at once: nobody is asked */
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    arena_run(&arena, 100);
    assert_true(claimed_key == 0 && unclaimed_key == key);
}

static void seekers_who_leave_let_others_wait_elsewhere(void **unused) {
    (void)unused;
    where_status = STORE_OK;
    where_place = (StorePlace){.node = 1, .open = true, .here = true};
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, SEEK "}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    const Account *account = arena.server->tables->chairs[ann.seat].account;
    fake_thinking(arena.loop, 50);
    test_client_send(&ann, "{\"type\":\"leave\"}");
    assert_int_equal(account->asks, 1); /* it counts for her address */
    arena_run(&arena, 100);
    assert_true(unclaimed_key == claimed_key && claimed_key != 0);
}

static void seekers_wait_here_if_the_database_does_not_answer(void **unused) {
    (void)unused;
    where_status = STORE_BUSY;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, SEEK "}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(arena.server->tables_count, 1);
    assert_true(arena.server->tables->claim == 0);
}

/* --- Nothing is told, and no time runs, while it is not sure ---------------------------------- */

static void nothing_is_told_while_another_may_have_the_match(void **unused) {
    (void)unused;
    fixture_begin("", "person");
    TestClient *one = fixture_awaited();
    tells = false;
    char watch[64];
    snprintf(watch, sizeof watch, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_send_nowait(one, "{\"type\":\"resign\"}");
    arena_run(&arena, 1000);
    assert_false(test_client_has(one, MESSAGE_SERVER_POSITION));
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send_nowait(&eve, watch);
    arena_run(&arena, 1000);
    assert_false(test_client_has(&eve, MESSAGE_SERVER_POSITION)); /* nor what was told before */
    tells = true;
    net_wakeup_signal(arena.server->wakeup);
    arena_run(&arena, 1000);
    assert_true(test_client_has(one, MESSAGE_SERVER_POSITION));
    assert_true(test_client_has(&eve, MESSAGE_SERVER_POSITION));
}

static void clocks_stand_while_the_database_does_not_answer(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":60000", "person");
    const Table *table = arena.server->tables;
    freeze(true);
    arena_run(&arena, 600000);
    assert_int_equal(table->match.actions_count, 0); /* nobody ran out of time */
    freeze(false);
    arena_run(&arena, 50000);
    assert_int_equal(table->match.actions_count, 0);
    arena_run(&arena, 15000);
    assert_true(table->match.actions_count > 0); /* the turn has ended, after its own minute */
}

static void a_wait_is_given_back_that_nobody_looked_at(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":60000", "person");
    const Table *table = arena.server->tables;
    for (int i = 0; i < 95; i++) { /* over when the server looks: of each second 0.4 */
        arena_run(&arena, 1000);
        frozen_ms += 400;
    }
    assert_int_equal(table->match.actions_count, 0); /* it is 57 s */
    arena_run(&arena, 10000);
    assert_true(table->match.actions_count > 0);
}

static void clocks_stand_also_while_a_busy_machine_is_late(void **unused) {
    (void)unused;
    fixture_begin("\"turn_ms\":60000", "person");
    const Table *table = arena.server->tables;
    freeze(true);
    for (int i = 0; i < 300; i++) { /* the server is late in each second */
        fake_stall(arena.loop, 800);
        arena_run(&arena, 1000);
    }
    freeze(false);
    arena_run(&arena, 50000);
    assert_int_equal(table->match.actions_count, 0);
    arena_run(&arena, 15000);
    assert_true(table->match.actions_count > 0);
}

/* --- Coming and going ------------------------------------------------------------------------- */

static void a_deposed_server_stops(void **unused) {
    (void)unused;
    fixture_begin("", "person");
    assert_false(server_is_deposed(arena.server));
    deposed = true;
    tells = false;
    net_wakeup_signal(arena.server->wakeup);
    arena_run(&arena, 100);
    assert_true(arena.stopped && arena.failed);
    assert_true(server_is_deposed(arena.server));
}

static void matches_are_handed_over_before_the_clients_leave(void **unused) {
    (void)unused;
    fixture_begin("", "person");
    server_drain(arena.server, 1000);
    arena_run(&arena, 1000);
    assert_true(handing && !arena.stopped);
    assert_non_null(ann.connection);
    handed = true;
    net_wakeup_signal(arena.server->wakeup);
    arena_run(&arena, 2000);
    assert_true(arena.stopped && !arena.failed);
    assert_null(ann.connection);
}

/* For a client of the standard 1001 would be the end of its match: it has to reconnect instead. */
static void an_operator_who_drains_is_told_where_the_matches_go(void **unused) {
    (void)unused;
    fixture_begin("", "person");
    assert_string_equal(fake_admin_line(arena.loop, "drain 600"),
                        "ok draining: other nodes go on with the matches in progress (1), this one "
                        "shuts down now\n");
    arena_run(&arena, 5000);
    assert_true(handing);
}

static void clients_of_the_standard_come_again_when_a_node_leaves(void **unused) {
    (void)unused;
    test_client_connect(&ann, &arena, "/");
    test_client_send(&ann,
                     "{\"messageType\":\"HELLO_SERVER\",\"name\":\"Ann\",\"deviceID\":\"d\"}");
    arena_run(&arena, 100);
    server_drain(arena.server, 1000);
    handed = true;
    net_wakeup_signal(arena.server->wakeup);
    arena_run(&arena, 2000);
    assert_true(arena.stopped && !arena.failed);
    assert_null(ann.connection);
    assert_int_equal(ann.close_code, NET_CLOSE_TRY_AGAIN_LATER);
}

/* While the database does not answer, a client of the standard waits for the answer to its hello:
 * the question is asked twice a second, for half a minute, and then the client continues here. */
static void clients_of_the_standard_wait_for_the_database(void **unused) {
    (void)unused;
    static const char hello[] =
        "{\"messageType\":\"HELLO_SERVER\",\"name\":\"Ann\",\"deviceID\":\"%s\"}";
    table_status = STORE_BUSY;
    test_client_connect(&ann, &arena, "/");
    test_client_send(&ann, hello, "d");
    arena_run(&arena, 1700);
    assert_int_equal(table_questions, 4);
    assert_null(strstr(ann.received, "HELLO_CLIENT"));
    table_status = STORE_OK;
    arena_run(&arena, 500);
    assert_int_equal(table_questions, 5);
    assert_non_null(strstr(ann.received, "HELLO_CLIENT"));
    table_status = STORE_BUSY;
    test_client_connect(&bob, &arena, "/");
    test_client_send(&bob, hello, "e");
    arena_run(&arena, 29700);
    assert_null(strstr(bob.received, "HELLO_CLIENT"));
    arena_run(&arena, 1000);
    assert_int_equal(table_questions, 5 + 61);
    assert_non_null(strstr(bob.received, "HELLO_CLIENT"));
}

/* So does a player who is ready: no table is opened here while it may be at another node. */
static void players_of_the_standard_wait_for_the_database(void **unused) {
    (void)unused;
    test_client_connect(&ann, &arena, "/match/friends");
    test_client_send(&ann,
                     "{\"messageType\":\"HELLO_SERVER\",\"name\":\"Ann\",\"deviceID\":\"d\"}");
    arena_run(&arena, 100);
    table_status = STORE_BUSY;
    table_questions = 0;
    test_client_send(&ann,
                     "{\"messageType\":\"PLAYER_READY\",\"startGame\":true,\"role\":\"PLAYER\"}");
    arena_run(&arena, 1200);
    assert_int_equal(table_questions, 3);
    assert_int_equal(arena.server->tables_count, 0);
    table_status = STORE_OK;
    arena_run(&arena, 500);
    assert_int_equal(table_questions, 4);
    assert_int_equal(arena.server->tables_count, 1);
}

static void clients_leave_in_the_end_all_the_same(void **unused) {
    (void)unused;
    fixture_begin("", "person");
    server_drain(arena.server, 1000);
    arena_run(&arena, 5000);
    assert_true(handing && arena.stopped);
}

static void bans_hold_on_all_nodes(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    assert_non_null(strstr(fake_admin_line(arena.loop, "ban 203.0.113.0/24 7 out"), "ok banned"));
    assert_string_equal(shared_bytes[0], "203.0.113.0/24 ban 0 7 out\n");
    assert_non_null(ann.connection);
    char words[128];
    snprintf(words, sizeof words, "%s ban 0 from elsewhere\n", arena.server->sessions->address);
    news[0] = words;
    changes = 1;
    net_wakeup_signal(arena.server->wakeup);
    arena_run(&arena, 500);
    assert_null(ann.connection);                   /* it is banned here as well */
    assert_int_equal(arena.server->bans.count, 1); /* what the other node wrote last counts */
    assert_string_equal(arena.server->bans.list[0].reason, "from elsewhere");
}

/* --- What an address may use ------------------------------------------------------------------ */

/* Another node says what the address of the tests uses there, in parts of a thousand of a day. */
static void say_elsewhere(uint32_t node, uint32_t tables, uint32_t matches, uint32_t bytes) {
    static char words[128];
    uint64_t key = hash_number(1, arena.server->sessions->account->key);
    snprintf(words, sizeof words, "%u 77\n%016llx %u %u %u\n", node, (unsigned long long)key,
             tables, matches, bytes);
    news[1] = words;
    changes++;
    net_wakeup_signal(arena.server->wakeup);
    arena_run(&arena, 10);
}

#define OPEN "{\"type\":\"open\",\"game\":\"zorde\"}"

static void what_an_address_uses_elsewhere_counts_here(void **unused) {
    (void)unused;
    ServerBudgets *budgets = &arena.server->setup.budgets;
    budgets->tables = 8;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    say_elsewhere(2, 5, 0, 0);
    say_elsewhere(3, 3, 0, 0);
    assert_int_equal(arena.server->usage.others_count, 2);
    test_client_send(&ann, OPEN);
    test_client_refused(&ann, "quota");
    assert_int_equal(arena.server->usage.refusals, 1);
    say_elsewhere(3, 2, 0, 0); /* it says something else now */
    test_client_send(&ann, OPEN);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&ann, "{\"type\":\"leave\"}");
    say_elsewhere(3, 0, 1000, 0);
    test_client_send(&ann, OPEN);
    test_client_refused(&ann, "quota");
    say_elsewhere(3, 0, 0, 1001);
    test_client_send(&ann, OPEN);
    test_client_refused(&ann, "quota");
    assert_int_equal(arena.server->usage.refusals, 3);
    arena_run(
        &arena,
        61000); /* a node that reports nothing for so long is lost, or no address uses much there */
    test_client_send(&ann, OPEN);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
}

static void other_nodes_are_told_which_addresses_use_much(void **unused) {
    (void)unused;
    char words[64];
    arena.server->setup.budgets.tables = 100;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    test_client_send(&ann, OPEN);
    arena_run(&arena, 5000);
    assert_int_equal(uses_shared, 0); /* one table of a hundred is nothing */
    arena.server->setup.budgets.tables = 16;
    test_client_send(&bob, OPEN);
    arena_run(&arena, 1500);
    assert_int_equal(uses_shared, 1);
    snprintf(words, sizeof words, "\n%016llx 2 0 0\n",
             (unsigned long long)hash_number(1, arena.server->sessions->account->key));
    assert_non_null(strstr(shared_bytes[1], words));
    arena_run(&arena, 15000);
    assert_int_equal(uses_shared, 1); /* nothing has changed */
    arena_run(&arena, 10000);
    assert_int_equal(uses_shared, 2); /* said again, so that it is not forgotten */
    test_client_send(&bob, "{\"type\":\"leave\"}");
    arena_run(&arena, 1500);
    assert_int_equal(uses_shared, 3);
    assert_null(strchr(strchr(shared_bytes[1], '\n') + 1, '\n')); /* nobody uses much any more */
    arena_run(&arena, 60000);
    assert_int_equal(uses_shared, 3);
}

/* A quota of which half was used here and half elsewhere is restored at half the speed here. */
static void a_quota_is_restored_by_all_nodes_together(void **unused) {
    (void)unused;
    test_client_join(&ann, &arena, "Ann", "person", "json");
    Account *account = arena.server->sessions->account;
    uint64_t day = QUOTA_DAY_US, begun_us = net_now_ms(arena.loop) * 1000;
    account->matches.paid_us = begun_us + day / 4;
    test_client_send(&ann, OPEN);
    for (int i = 0; i < 50; i++) {
        say_elsewhere(2, 0, 250, 0);
        arena_run(&arena, 20000 - 10);
    }
    uint64_t now_us = net_now_ms(arena.loop) * 1000, passed = now_us - begun_us;
    uint64_t restored = day / 4 - quota_used_us(account->matches, now_us);
    assert_in_range(restored, passed * 45 / 100, passed * 55 / 100);
}

/* The answer to a plain request. */
static const char *answer_to(const char *path) {
    static char body[256];
    MashText text = text_over(body, sizeof body);
    NetReply reply = {.out = &text};
    fake_ask(arena.server->net, path, &reply);
    arena_run(&arena, 10);
    return body;
}

/* The answer to a plain request as it is, with its status. */
static uint16_t get(const char *path, char *out, uint32_t max) {
    MashText text = text_over(out, max);
    out[0] = '\0';
    return fake_get(arena.server->net, path, &text);
}

static void others_are_told_of_tables_at_most_once_a_second(void **unused) {
    (void)unused;
    fixture_begin("", "person");
    arena_run(&arena, 100);
    assert_int_equal(publishes, 1); /* at once */
    assert_int_equal(written_count, 1);
    assert_true(written[0].match == arena.server->tables->number && written[0].listed);
    arena_run(&arena, 1500);
    uint32_t before = publishes;
    assert_non_null(strstr(written_bytes[0], "\"state\":\"running\""));
    assert_null(strstr(written_bytes[0], "away_ms"));
    arena_run(&arena, 60000);
    assert_int_equal(publishes, before); /* nothing has changed */
    char watch[64];
    snprintf(watch, sizeof watch, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    for (int i = 0; i < 20; i++) {
        test_client_send(&eve, "%s", watch);
        test_client_send(&eve, "{\"type\":\"leave\"}");
        arena_run(&arena, 100);
    }
    assert_in_range(publishes, before + 2, before + 5); /* in about four seconds */
    test_client_send(fixture_awaited(), "{\"type\":\"resign\"}");
    arena_run(&arena, 2000);
    assert_null(written[0].bytes); /* it is over: nobody lists it */
}

static void many_tables_do_not_wait_for_the_next_second(void **unused) {
    (void)unused;
    enum { MANY = 1200 };
    fixture_begin("", "person");
    arena_run(&arena, 3000);
    uint32_t before = publishes;
    for (int i = 0; i < MANY; i++)
        assert_non_null(table_open(arena.server, &arena.server->tables->config));
    arena_run(&arena, 500);
    assert_int_equal(written_count, MANY + 1);
    assert_int_equal(publishes, before + 3);
}

static void what_could_not_be_written_is_written_again(void **unused) {
    (void)unused;
    publish_status = STORE_BUSY;
    fixture_begin("", "person");
    arena_run(&arena, 5000);
    assert_int_equal(written_count, 0);
    assert_in_range(publishes, 3, 7);
    publish_status = STORE_OK;
    arena_run(&arena, 1500);
    assert_int_equal(written_count, 1);
    test_client_send(fixture_awaited(), "{\"type\":\"resign\"}");
    publish_status = STORE_BUSY;
    arena_run(&arena, 1500);
    assert_non_null(written[0].bytes);
    publish_status = STORE_OK;
    arena_run(&arena, 1500);
    assert_null(written[0].bytes);
}

static void a_secret_table_is_written_but_in_no_list(void **unused) {
    (void)unused;
    char body[2048];
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"secret\":true}");
    arena_run(&arena, 100);
    assert_int_equal(written_count, 1);
    assert_false(written[0].listed);
    assert_int_equal(get("/api/matches", body, sizeof body), 200);
    assert_string_equal(body, "{\"matches\":[]}\n");
}

static void lists_have_the_tables_of_all_nodes(void **unused) {
    (void)unused;
    char body[4096];
    write_elsewhere(1, "zorde", "{\"code\":\"far\"}");
    write_elsewhere(2, "arena", "{\"code\":\"other\"}");
    assert_int_equal(get("/api/matches?game=zorde", body, sizeof body), 200);
    assert_string_equal(body, "{\"matches\":[{\"code\":\"far\"}]}\n");
    assert_int_equal(get("/api/matches", body, sizeof body), 200);
    assert_string_equal(body, "{\"matches\":[{\"code\":\"far\"},{\"code\":\"other\"}]}\n");
    uint32_t asked = list_questions;
    assert_int_equal(get("/api/matches", body, sizeof body), 200);
    test_client_join(&ann, &arena, "Ann", "person", "json");
    assert_int_equal(list_questions, asked); /* one question a second is enough for all */
    arena_run(&arena, 1500);
    written[0].listed = false; /* they are no rows that a client can read */
    written[1].listed = false;
    test_client_send(&ann, "{\"type\":\"matches\"}");
    test_client_expect(&ann, MESSAGE_SERVER_MATCHES);
    assert_int_equal(list_questions, asked + 1);
    written[0].listed = true;
    /* The database does not answer: this node's own tables are the answer. */
    tables_status = STORE_BUSY;
    arena_run(&arena, 1500);
    test_client_send(&ann, SEEK "}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    assert_int_equal(get("/api/matches", body, sizeof body), 200);
    assert_null(strstr(body, "\"far\""));
    assert_non_null(strstr(body, ann.code));
}

static void one_address_has_its_share_of_the_list_of_all(void **unused) {
    (void)unused;
    char body[4096];
    arena.server->setup.budgets.listed = 2;
    for (uint64_t i = 1; i <= 5; i++) {
        char row[32];
        snprintf(row, sizeof row, "{\"code\":\"t%u\"}", (unsigned)i);
        write_elsewhere(i, "zorde", row);
        written[i - 1].addresses[i % 2] = i == 4 ? 9 : 7;
    }
    assert_int_equal(get("/api/matches", body, sizeof body), 200);
    assert_string_equal(body,
                        "{\"matches\":[{\"code\":\"t1\"},{\"code\":\"t2\"},{\"code\":\"t4\"}]}\n");
}

static void a_match_of_another_node_is_answered_or_sent_on(void **unused) {
    (void)unused;
    char body[512], path[64];
    write_elsewhere(1, "zorde", "{\"code\":\"far\"}");
    where_status = STORE_OK;
    where_place = (StorePlace){.node = 3, .url = "wss://play.example/arena?node=3", .open = true};
    snprintf(path, sizeof path, "/api/match/%s", code);
    assert_int_equal(get(path, body, sizeof body), 200); /* as that node has written it */
    assert_string_equal(body, "{\"code\":\"far\"}\n");
    snprintf(path, sizeof path, "/api/board/%s", code);
    char sent[128];
    assert_int_equal(get(path, body, sizeof body), 307);
    snprintf(sent, sizeof sent, "https://play.example/api/board/%s?node=3", code);
    assert_string_equal(body, sent);
    snprintf(path, sizeof path, "/api/board/%s?node=3", code);
    assert_int_equal(get(path, body, sizeof body), 503); /* node 3 was asked, and is not there */
    where_place.open = false;
    snprintf(path, sizeof path, "/api/board/%s", code);
    assert_int_equal(get(path, body, sizeof body), 503); /* it is moving */
    where_place = (StorePlace){.node = 3, .url = "ws://three:1218/arena", .open = true};
    assert_int_equal(get(path, body, sizeof body), 307);
    snprintf(sent, sizeof sent, "http://three:1218/api/board/%s?node=3", code);
    assert_string_equal(body, sent);
    where_place.url[0] = '\0';
    assert_int_equal(get(path, body, sizeof body), 307);
    snprintf(sent, sizeof sent, "/api/board/%s?node=3", code);
    assert_string_equal(body, sent);
    snprintf(path, sizeof path, "/picture/%s.svg?at=12", code);
    where_place = (StorePlace){.node = 3, .url = "wss://play.example/arena?node=3", .open = true};
    assert_int_equal(get(path, body, sizeof body), 307);
    snprintf(sent, sizeof sent, "https://play.example/picture/%s.svg?node=3&at=12", code);
    assert_string_equal(body, sent);
    snprintf(path, sizeof path, "/m/%s", code);
    assert_int_equal(get(path, body, sizeof body), 307);
    snprintf(sent, sizeof sent, "https://play.example/m/%s?node=3", code);
    assert_string_equal(body, sent);
    written_count = 0; /* not written yet, or over and not in the archive yet */
    snprintf(path, sizeof path, "/api/match/%s", code);
    assert_int_equal(get(path, body, sizeof body), 307);
    where_status = STORE_UNKNOWN;
    assert_int_equal(get(path, body, sizeof body), 404);
    snprintf(path, sizeof path, "/api/board/%s", code);
    assert_int_equal(get(path, body, sizeof body), 404);
    where_status = STORE_BUSY;
    assert_int_equal(get(path, body, sizeof body), 503);
}

/* A table that only waits, and has no record in the journal, is found by its row. */
static void a_table_without_records_is_found_as_well(void **unused) {
    (void)unused;
    write_elsewhere(1, "zorde", "{}");
    where_place = (StorePlace){.node = 3, .url = "ws://x", .open = true};
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"watch\",\"code\":\"%s\"}", code);
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_MOVED)->moved.node, 3);
}

static void the_number_of_copies_is_said(void **unused) {
    (void)unused;
    assert_string_equal(answer_to("/readyz"), "ready\n");
    copies = 1;
    assert_string_equal(answer_to("/readyz"), "ready, with one copy of the matches\n");
    tells = false;
    assert_string_equal(answer_to("/readyz"), "waiting for the database\n");
    char body[64];
    assert_int_equal(get("/readyz", body, sizeof body), 503);
    assert_int_equal(get("/readyz?status=404", body, sizeof body), 404);
    tells = true;
    assert_int_equal(get("/readyz?status=404", body, sizeof body), 200);
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(clients_are_sent_to_the_node_of_their_table),
        ROW(a_table_that_is_moving_is_nowhere_yet),
        ROW(a_match_that_another_node_just_opens_is_there),
        ROW(a_table_that_nobody_has_is_refused),
        ROW(a_crowd_is_asked_to_come_again),
        ROW(seekers_are_sent_where_another_waits),
        ROW(seekers_of_other_options_are_another_kind),
        ROW(seekers_wait_here_if_nobody_waits_elsewhere),
        ROW(seekers_who_leave_let_others_wait_elsewhere),
        ROW(seekers_wait_here_if_the_database_does_not_answer),
        ROW(nothing_is_told_while_another_may_have_the_match),
        ROW(clocks_stand_while_the_database_does_not_answer),
        ROW(a_wait_is_given_back_that_nobody_looked_at),
        ROW(clocks_stand_also_while_a_busy_machine_is_late),
        ROW(a_deposed_server_stops),
        ROW(matches_are_handed_over_before_the_clients_leave),
        ROW(an_operator_who_drains_is_told_where_the_matches_go),
        ROW(clients_of_the_standard_come_again_when_a_node_leaves),
        ROW(clients_of_the_standard_wait_for_the_database),
        ROW(players_of_the_standard_wait_for_the_database),
        ROW(clients_leave_in_the_end_all_the_same),
        ROW(the_number_of_copies_is_said),
        ROW(bans_hold_on_all_nodes),
        ROW(what_an_address_uses_elsewhere_counts_here),
        ROW(other_nodes_are_told_which_addresses_use_much),
        ROW(a_quota_is_restored_by_all_nodes_together),
        ROW(others_are_told_of_tables_at_most_once_a_second),
        ROW(many_tables_do_not_wait_for_the_next_second),
        ROW(what_could_not_be_written_is_written_again),
        ROW(a_secret_table_is_written_but_in_no_list),
        ROW(lists_have_the_tables_of_all_nodes),
        ROW(one_address_has_its_share_of_the_list_of_all),
        ROW(a_match_of_another_node_is_answered_or_sent_on),
        ROW(a_table_without_records_is_found_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
