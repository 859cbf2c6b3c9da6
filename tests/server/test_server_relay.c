/* test_server_relay.c -- passing sessions on to another node: what is held, sent on, dropped and
 * given back, whichever end is lost. The other node is one that only listens. */
#include <stdio.h>
#include <string.h>

#include "server/protocol.h"
#include "tests/server/fake/fixture.h"

enum { PORT = 4321 };

/* The other node: what it heard, message by message with a blank behind each. */
static struct {
    NetServer *net;
    NetConnection *connection;
    char heard[256];
    uint16_t close_code;
} node;

/* How often the connection to it has ended, the last time answered or not, and with which code. */
static uint32_t ends;
static bool end_answered;
static uint16_t end_code;

/* What our server heard itself of what the client sent. */
static char received[256];
static uint32_t received_count;
static bool holds_again; /* the first message that it hears makes it hold the others */

static uint16_t node_open(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)owner;
    (void)request;
    node.connection = connection;
    return NET_ACCEPT;
}

static void node_hears(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    (void)owner;
    (void)connection;
    size_t before = strlen(node.heard);
    snprintf(node.heard + before, sizeof node.heard - before, "%.*s ", (int)count, bytes);
}

static void node_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    (void)owner;
    (void)reason;
    if (node.connection == connection)
        node.connection = NULL;
    node.close_code = code;
}

static void ended(Session *session, bool answered, uint16_t code, const char *reason) {
    (void)session;
    (void)reason;
    ends++;
    end_answered = answered;
    end_code = code;
}

static void receive(Session *session, const char *bytes, uint32_t count) {
    size_t before = strlen(received);
    snprintf(received + before, sizeof received - before, "%.*s ", (int)count, bytes);
    if (received_count++ == 0 && holds_again)
        assert_true(relay_hold(session));
}

/* A protocol that only listens, in place of that of Ann's session. */
static ServerProtocol listening;

static Session *session(void) { return arena.server->sessions; }

static int set_up(void **state) {
    static const NetCallbacks calls = {
        .on_open = node_open, .on_message = node_hears, .on_close = node_close};
    char memory[128];
    MashText problem = text_over(memory, sizeof memory);
    fixture_open(state);
    memset(&node, 0, sizeof node);
    NetServerSetup setup = {.port = PORT, .calls = calls};
    node.net = net_server_open(arena.loop, &setup, &problem);
    ends = received_count = 0;
    received[0] = '\0';
    holds_again = false;
    test_client_connect(&ann, &arena, "/");
    arena_run(&arena, 10);
    listening = *session()->protocol;
    listening.receive = receive;
    session()->protocol = &listening;
    return 0;
}

static int tear_down(void **state) {
    arena_run(&arena, 10);
    net_server_close(node.net);
    return fixture_close(state);
}

/* The client says something. */
static void say(const char *text) {
    test_client_send_nowait(&ann, text);
    arena_run(&arena, 10);
}

/* The session is passed on; the first so many answers are not for the client. */
static void pass_on(uint32_t answers) {
    RelayPlace place = {.peer = "server:4321",
                        .path = "/?relayed=yes",
                        .lead = {"hello", "ready"},
                        .lead_counts = {5, 5},
                        .answers = answers,
                        .ended = ended};
    assert_true(relay_connect(session(), &place));
    arena_run(&arena, 10);
}

/* What it said before comes behind the lead, what it says then behind that; all that comes back is
 * its own, but for the answers that it has had. */
static void messages_go_there_and_back(void **unused) {
    (void)unused;
    assert_true(relay_hold(session()));
    say("one");
    say("two");
    assert_string_equal(node.heard, "");
    pass_on(1);
    assert_string_equal(node.heard, "hello ready one two ");
    assert_int_equal(arena.server->relays, 1);
    assert_int_equal(arena.server->relayed, 1);
    say("three");
    assert_string_equal(node.heard, "hello ready one two three ");
    assert_int_equal(received_count, 0);
    net_send_text(node.connection, "known", 5);
    net_send_text(node.connection, "new", 3);
    net_send_text(node.connection, "newer", 5);
    arena_run(&arena, 10);
    assert_string_equal(ann.received, "new\nnewer\n");
    test_client_release(&ann);
    arena_run(&arena, 10);
    assert_int_equal(node.close_code, NET_CLOSE_NORMAL);
    assert_int_equal(arena.server->relays, 0);
    assert_int_equal(ends, 0);
}

/* The other node is lost before it answers: it has what was sent on, and nobody hears that again;
 * what the client says meanwhile is held. */
static void what_was_sent_on_is_held_no_more(void **unused) {
    (void)unused;
    assert_true(relay_hold(session()));
    say("one");
    pass_on(0);
    fake_cut(node.connection);
    arena_run(&arena, 10);
    assert_int_equal(ends, 1);
    assert_false(end_answered);
    assert_int_equal(end_code, NET_CLOSE_ABNORMAL);
    assert_int_equal(arena.server->relays, 0);
    say("two");
    node.heard[0] = '\0';
    pass_on(0);
    assert_string_equal(node.heard, "hello ready two ");
    net_send_text(node.connection, "answer", 6);
    arena_run(&arena, 10);
    net_close(node.connection, NET_CLOSE_GOING_AWAY, "bye");
    arena_run(&arena, 10);
    assert_int_equal(ends, 2);
    assert_true(end_answered);
    assert_int_equal(end_code, NET_CLOSE_GOING_AWAY);
    pass_on(0);
    fake_cut(node.connection);
    arena_run(&arena, 10);
    assert_false(end_answered); /* by that node, this time */
    relay_release(session());
    assert_int_equal(received_count, 0);
    say("three");
    assert_string_equal(received, "three ");
}

/* What was held and goes to nobody is ours, in its order, unless the first of it changes that. */
static void what_is_released_is_ours(void **unused) {
    (void)unused;
    for (int i = 0; i < 2; i++) {
        holds_again = i == 1;
        received_count = 0;
        received[0] = '\0';
        assert_true(relay_hold(session()));
        assert_true(relay_hold(session())); /* which is the same */
        say("one");
        say("two");
        assert_int_equal(received_count, 0);
        relay_release(session());
        assert_string_equal(received, i == 0 ? "one two " : "one ");
    }
    pass_on(0);
    assert_string_equal(node.heard, "hello ready two ");
}

/* No more is held than so much; who sends more is disconnected. */
static void too_much_is_not_held(void **unused) {
    static char text[RELAY_BYTES_MAX];
    (void)unused;
    assert_true(relay_hold(session()));
    memset(text, 'x', sizeof text);
    uint32_t count = RELAY_BYTES_MAX - sizeof count;
    assert_true(relay_takes(session(), text, count));
    arena_run(&arena, 10);
    assert_non_null(ann.connection);
    assert_true(relay_takes(session(), text, 0)); /* its length does not fit */
    arena_run(&arena, 10);
    assert_null(ann.connection);
    assert_int_equal(ann.close_code, NET_CLOSE_TRY_AGAIN_LATER);
}

/* Whoever breaks the protocol has done so at the other node, too. */
static void the_other_node_hears_why_a_client_is_gone(void **unused) {
    static const struct {
        uint16_t code, heard;
    } rows[] = {{NET_CLOSE_PROTOCOL, NET_CLOSE_POLICY},
                {NET_CLOSE_INVALID_DATA, NET_CLOSE_POLICY},
                {NET_CLOSE_POLICY, NET_CLOSE_POLICY},
                {NET_CLOSE_TOO_BIG, NET_CLOSE_POLICY},
                {NET_CLOSE_ABNORMAL, NET_CLOSE_NORMAL}};
    (void)unused;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(relay_hold(session()));
        pass_on(0);
        relay_end(session(), rows[i].code);
        arena_run(&arena, 10);
        assert_int_equal(node.close_code, rows[i].heard);
        assert_null(session()->relay);
    }
    assert_int_equal(ends, 0);
    assert_int_equal(arena.server->relayed, sizeof rows / sizeof *rows);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(messages_go_there_and_back),
        TEST(what_was_sent_on_is_held_no_more),
        TEST(what_is_released_is_ours),
        TEST(too_much_is_not_held),
        TEST(the_other_node_hears_why_a_client_is_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
