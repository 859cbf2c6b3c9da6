/* test_server_protocol.c -- the extension point for protocols: a small one of the test's own beside
 * the arena protocol, at one table with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/actions.h"
#include "server/outbox.h"
#include "server/protocol.h"
#include "tests/server/fake/fixture.h"

/* --- A protocol that reports its callbacks ---------------------------------------------------- */

static const int config = 7;
static uint32_t tables_released;

/* Sends a line to everybody of this protocol at the table. */
static void tell(Table *table, const char *what, unsigned a, unsigned b);

static bool open_counter(Server *server, MashText *problem);

static void close_counter(Server *server) {
    free(*protocol_server_data(server, server->setup.protocols[1].protocol));
}

static uint16_t accept(Session *session, const NetRequest *request) {
    (void)session;
    return strcmp(request->path, "/closed") == 0  ? 403
           : strcmp(request->path, "/count") == 0 ? NET_ACCEPT
                                                  : PROTOCOL_OTHER;
}

/* "sit" takes the free seat of the newest table, "resign" resigns. */
static void receive(Session *session, const char *bytes, uint32_t count) {
    Refusal why;
    if (bytes == NULL) {
        net_send_text(session->connection, "binary", 6);
    } else if (strncmp(bytes, "sit", count) == 0) {
        Table *table = session->server->tables;
        snprintf(session->name, sizeof session->name, "Counter");
        table_sit(table, table->chairs[0].taken ? 1 : 0, session);
        table_begin(table);
    } else {
        actions_apply(session->table, (MashAction){.verb = MASH_VERB_RESIGN, .seat = session->seat},
                      &why);
    }
}

static void dropped(Session *session) { net_send_text(session->connection, "dropped", 7); }

static void joined(Session *session) {
    outbox_send(session, net_frame_new(session->server->loop, "joined", 6));
}

static void acted(Table *table, uint8_t seat) { tell(table, "acted", seat, 0); }

static void notify(Table *table, const TableNotice *notice) {
    tell(table, "notice", notice->kind, notice->seat);
}

static void part(Session *session, const Table *table, PartReason why, const char *sentence) {
    char line[128];
    snprintf(line, sizeof line, "part %u %s %s", why, table == NULL ? "-" : table->code, sentence);
    net_send_text(session->connection, line, (uint32_t)strlen(line));
}

static void release(Table *table) {
    (void)table;
    tables_released++;
}

static const ServerProtocol counter = {.id = "counter",
                                       .open = open_counter,
                                       .close = close_counter,
                                       .accept = accept,
                                       .receive = receive,
                                       .dropped = dropped,
                                       .joined = joined,
                                       .acted = acted,
                                       .notify = notify,
                                       .part = part,
                                       .release = release};

static bool open_counter(Server *server, MashText *problem) {
    (void)problem;
    *protocol_server_data(server, &counter) = calloc(1, 16);
    return true;
}

static void tell(Table *table, const char *what, unsigned a, unsigned b) {
    char line[64];
    MashText text = text_over(line, sizeof line);
    text_format(&text, "%s %u of %u", what, a, b);
    outbox_send_group(table, &counter, OUTGOING_ALL, 0,
                      net_frame_new(table->server->loop, text.bytes, text.count));
}

/* --- Tests ------------------------------------------------------------------------------------ */

static int set_up(void **unused) {
    (void)unused;
    arena_init(&arena, 1);
    arena.setup.protocols[1] = (ServerProtocolSetup){NULL, NULL}; /* without the standard */
    server_add_protocol(&arena.setup, &counter, &config);
    tables_released = 0;
    arena_open(&arena);
    return 0;
}

/* Was this line sent after the mark? Moves the mark after it. */
static bool received(TestClient *client, const char *line) {
    char whole[160];
    snprintf(whole, sizeof whole, "%s\n", line);
    const char *found = strstr(client->received + client->mark, whole);
    if (found != NULL)
        client->mark = (uint32_t)(found - client->received) + (uint32_t)strlen(whole);
    return found != NULL;
}

/* Ann with the arena protocol and Bob with the other protocol at one table. */
static void begin(void) {
    test_client_join(&ann, &arena, "Ann", "person", "json");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_connect(&bob, &arena, "/count");
    test_client_send(&bob, "sit");
    assert_true(received(&bob, "joined"));
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
}

/* The protocol of a connection follows from its path; unknown paths are refused. */
static void each_path_has_its_protocol(void **unused) {
    (void)unused;
    assert_ptr_equal(protocol_config(arena.server, &counter), &config);
    test_client_connect(&ann, &arena, "/count");
    arena_run(&arena, 10);
    assert_ptr_equal(arena.server->sessions->protocol, &counter);
    fake_send_binary(ann.connection);
    arena_run(&arena, 10);
    assert_true(received(&ann, "binary"));
    test_client_connect(&bob, &arena, "/closed");
    test_client_connect(&eve, &arena, "/elsewhere");
    arena_run(&arena, 10);
    assert_int_equal(arena.server->sessions_count, 1);
    assert_null(bob.connection);
    assert_null(eve.connection);
    Session *session = arena.server->sessions;
    NetRequest closed = {.path = "/closed"}, elsewhere = {.path = "/elsewhere"};
    assert_int_equal(protocols_accept(session, &closed), 403);
    assert_int_equal(protocols_accept(session, &elsewhere), 404);
}

/* Each protocol sends events to its own sessions, in its own encoding. */
static void both_sit_at_one_table(void **unused) {
    (void)unused;
    begin();
    test_client_act(&ann);
    assert_true(received(&bob, "acted 0 of 0"));
    test_client_send(&ann, "{\"type\":\"pause\"}");
    assert_true(received(&bob, "notice 1 of 0"));
    test_client_send(&ann, "{\"type\":\"continue\"}");
    assert_true(received(&bob, "notice 2 of 0"));
    assert_null(strstr(bob.received, "\"type\""));
    test_client_send(&bob, "resign");
    assert_true(received(&bob, "acted 1 of 0"));
    assert_true(received(&bob, "notice 5 of 0"));
    const Message *end = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    while (!message_has(end, "result"))
        end = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_null(strstr(ann.received, "acted"));
}

/* The session ends with the table, and its memory is released with it. */
static void a_closed_table_parts_its_sessions(void **unused) {
    (void)unused;
    char line[128];
    begin();
    snprintf(line, sizeof line, "part 0 %s The match is over.", ann.code);
    test_client_send(&bob, "resign");
    assert_int_equal(tables_released, 0);
    arena_run(&arena, arena.setup.linger_ms + 1000);
    assert_true(received(&bob, line));
    assert_int_equal(tables_released, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_path_has_its_protocol, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(both_sit_at_one_table, set_up, fixture_close),
        cmocka_unit_test_setup_teardown(a_closed_table_parts_its_sessions, set_up, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
