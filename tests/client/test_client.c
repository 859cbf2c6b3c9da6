/* test_client.c -- client/ against a small loopback server of the test's own: connecting, playing,
 * losing the connection and reconnecting, and a server that sends what cannot be true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/client.h"
#include "match/match.h"
#include "proto/position.h"
#include "tests/support/support.h"

enum { TEXT_BYTES = 1 << 16, NODES = 512, CONNECTIONS_MAX = 8, CODE_NUMBER = 77, LIMIT_MS = 10000 };

static const char the_token[] = "0123456789abcdef0123456789abcdef";

/* --- The server ------------------------------------------------------------------------------- */

/* One table with one match; a client with the token or a seek sits at seat 0. */
typedef struct OneTableServer {
    NetLoop *loop;
    NetServer *server;
    MashContent *content;
    Match match;
    void *memory, *position;
    NetConnection *connections[CONNECTIONS_MAX];
    uint32_t connections_count;
    bool seated;                 /* a client has the token */
    bool wrong_hash, wrong_view; /* wrong data to send */
    bool slow;                   /* does not answer hello by itself */
    const char *refusal;         /* of hello and return; NULL: none */
    uint32_t refusals;           /* how often */
    uint32_t hellos, returns, watches, heres, acts;
    uint32_t number;
} OneTableServer;

static OneTableServer test_server;

static void say(NetConnection *to, const Message *message) {
    static char bytes[TEXT_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    message_write(message, &text);
    assert_false(text.truncated);
    net_send_text(to, bytes, text.count);
}

static void say_welcome(NetConnection *to) {
    Message message = message_new(MESSAGE_SERVER_WELCOME);
    message.welcome.protocol = PROTO_VERSION;
    strcpy(message.welcome.server, "a test");
    strcpy(message.welcome.name, "somebody");
    message.welcome.games = (MessageJson){.bytes = "[\"zorde\"]", .count = 9};
    say(to, &message);
}

static void say_refused(NetConnection *to, const char *request, const char *code) {
    Message message = message_new(MESSAGE_SERVER_REFUSED);
    strcpy(message.refused.to, request);
    message_set_present(&message, "to");
    strcpy(message.refused.code, code);
    strcpy(message.refused.reason, "Because.");
    say(to, &message);
}

static void say_table(NetConnection *to, bool player) {
    static const char players[] =
        "[{\"seat\":0,\"name\":\"Ann\",\"role\":\"person\",\"here\":true},"
        "{\"seat\":1,\"name\":\"Bob\",\"role\":\"ai\",\"here\":false}]";
    Message message = message_new(MESSAGE_SERVER_TABLE);
    SERVER_TABLE_FIELDS *table = &message.table;
    MashText hash = text_over(table->content, sizeof table->content);
    table_code_encode(CODE_NUMBER, table->code);
    if (player) {
        table->you = 0;
        strcpy(table->token, the_token);
        message_set_present(&message, "token");
    }
    table->state = PROTO_STATE_RUNNING;
    strcpy(table->game, "zorde");
    table->version = (int32_t)test_server.content->game->version;
    strcpy(table->preset, "duel");
    message_set_present(&message, "preset");
    text_hex(&hash, test_server.content->hash ^ test_server.wrong_hash, 16);
    table->grace_ms = 60000;
    table->players = (MessageJson){.bytes = players, .count = sizeof players - 1};
    say(to, &message);
}

static void say_position(NetConnection *to, bool player) {
    static char bytes[TEXT_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    char code[PROTO_CODE_MAX + 1];
    table_code_encode(CODE_NUMBER, code);
    Position position = {.content = test_server.content,
                         .view = test_server.match.state,
                         .seat = player ? 0 : MASH_SEAT_SPECTATOR,
                         .events = test_server.match.events.list,
                         .events_count = test_server.match.events.count,
                         .code = code,
                         .number = test_server.number,
                         .clocks = {{1500, POSITION_NO_TIME}, POSITION_NO_TIME},
                         .form = PROTO_FORM_BYTES};
    position_write(&position, test_server.position, &text);
    assert_false(text.truncated);
    if (test_server.wrong_view)
        memcpy(strstr(bytes, "\"view\":\"") + 8, "AAAA\",\"x\":\"", 11);
    net_send_text(to, bytes, text.count);
}

static uint16_t on_open(void *owner, NetConnection *from, const NetRequest *request) {
    (void)owner;
    if (strcmp(request->path, "/arena") != 0)
        return 404;
    assert_true(test_server.connections_count < CONNECTIONS_MAX);
    test_server.connections[test_server.connections_count++] = from;
    return NET_ACCEPT;
}

static void on_close(void *owner, NetConnection *from, uint16_t code, const char *reason) {
    (void)owner;
    (void)code;
    (void)reason;
    uint32_t place = 0;
    while (test_server.connections[place] != from)
        place++;
    test_server.connections[place] = test_server.connections[--test_server.connections_count];
}

/* Refuses while there are refusals left. */
static bool refuses(NetConnection *to, const char *request) {
    if (test_server.refusal == NULL || test_server.refusals == 0)
        return false;
    test_server.refusals--;
    say_refused(to, request, test_server.refusal);
    return true;
}

static void server_returns(NetConnection *to, const Message *message) {
    test_server.returns++;
    if (refuses(to, "return"))
        return;
    if (!test_server.seated || strcmp(message->return_seat.token, the_token) != 0) {
        say_refused(to, "return", "no-such-token");
        return;
    }
    say_table(to, true);
    say_position(to, true);
}

static void server_acts(NetConnection *to, const Message *message) {
    MashAction action;
    assert_true(action_from_hex(message->act.action, &action));
    test_server.acts++;
    if ((uint32_t)message->act.position != test_server.number) {
        say_refused(to, "act", "late");
        return;
    }
    assert_int_equal(match_apply(&test_server.match, action), MASH_OK);
    test_server.number++;
    for (uint32_t i = 0; i < test_server.connections_count; i++)
        say_position(test_server.connections[i], test_server.connections[i] == to);
}

static void on_request(NetConnection *from, const Message *message) {
    switch (message->kind) {
    case MESSAGE_CLIENT_HELLO:
        test_server.hellos++;
        assert_int_equal(message->hello.view, PROTO_FORM_BYTES);
        if (test_server.refusal != NULL && strcmp(test_server.refusal, "no-such-token") != 0 &&
            refuses(from, "hello"))
            return;
        if (!test_server.slow)
            say_welcome(from);
        return;
    case MESSAGE_CLIENT_SEEK:
        test_server.seated = true;
        say_table(from, true);
        say_position(from, true);
        return;
    case MESSAGE_CLIENT_RETURN:
        server_returns(from, message);
        return;
    case MESSAGE_CLIENT_WATCH:
        test_server.watches++;
        say_table(from, false);
        say_position(from, false);
        return;
    case MESSAGE_CLIENT_ACT:
        server_acts(from, message);
        return;
    case MESSAGE_CLIENT_HERE:
        test_server.heres++;
        return;
    default: {
        Message done = message_new(MESSAGE_SERVER_DONE);
        strcpy(done.done.to, message_type(message->kind));
        say(from, &done);
    }
    }
}

static void on_message(void *owner, NetConnection *from, const char *bytes, uint32_t count) {
    static JsonNode nodes[NODES];
    static char pool[TEXT_BYTES];
    MashProblems problems = {.max = 0};
    MessageMemory memory = {nodes, NODES, pool, sizeof pool};
    Message message;
    (void)owner;
    assert_int_equal(message_read(&message, bytes, count, false, &memory, &problems),
                     MESSAGE_VALID);
    on_request(from, &message);
}

static void open_server(uint16_t port) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    NetServerSetup setup = {
        .address = "127.0.0.1",
        .port = port,
        .calls = {.on_open = on_open, .on_message = on_message, .on_close = on_close},
        .limits = net_limits()};
    test_server.server = net_server_open(test_server.loop, &setup, &problem);
    if (test_server.server == NULL)
        fail_msg("%s", memory);
}

/* The server is down, and all its connections with it. */
static void close_server(void) {
    net_server_close(test_server.server);
    test_server.server = NULL;
    test_server.connections_count = 0;
}

/* --- A client --------------------------------------------------------------------------------- */

/* What a client received. */
typedef struct ObservedClient {
    Client *client;
    uint32_t states[CLIENT_CLOSED + 1]; /* how often */
    uint32_t received[MESSAGE_COUNT];
    char why[256], refused[PROTO_ID_MAX + 1];
    bool closes; /* closes itself in the next callback */
} ObservedClient;

static NetTimer *timer;
static bool timer_rang;
static ClientShared *shared;
static char url[64];

static void note_state(void *owner, Client *client, ClientState state, const char *why) {
    ObservedClient *test_client = owner;
    test_client->states[state]++;
    snprintf(test_client->why, sizeof test_client->why, "%s", why);
    if (test_client->closes) {
        client_close(client);
        test_client->client = NULL;
    }
}

static void note_message(void *owner, Client *client, const Message *message) {
    ObservedClient *test_client = owner;
    test_client->received[message->kind]++;
    if (message->kind == MESSAGE_SERVER_REFUSED)
        strcpy(test_client->refused, message->refused.code);
    if (test_client->closes) {
        client_close(client);
        test_client->client = NULL;
    }
}

static void rang(void *owner) {
    (void)owner;
    timer_rang = true;
    net_loop_stop(test_server.loop);
}

/* Runs the loop until the number has this value. */
static void until(const uint32_t *number, uint32_t value) {
    uint64_t began = net_now_ms(test_server.loop);
    while (*number < value && net_now_ms(test_server.loop) - began < LIMIT_MS) {
        net_timer_start(timer, 2);
        net_loop_run(test_server.loop);
    }
    assert_int_equal(*number, value);
}

static void run_for(uint32_t ms) {
    timer_rang = false;
    net_timer_start(timer, ms);
    while (!timer_rang)
        net_loop_run(test_server.loop);
}

static void open_client(ObservedClient *test_client, const char *token, bool insists) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    ClientSetup setup = {.url = url,
                         .name = "Ann",
                         .role = PROTO_ROLE_PERSON,
                         .token = token,
                         .reconnect_ms = 1000,
                         .retry_first = insists,
                         .answer_silence = true,
                         .calls = {.on_state = note_state, .on_message = note_message},
                         .owner = test_client};
    test_client->client = client_open(shared, &setup, &problem);
    if (test_client->client == NULL)
        fail_msg("%s", memory);
}

static void seek(ObservedClient *test_client) {
    Message request = message_new(MESSAGE_CLIENT_SEEK);
    strcpy(request.seek.game, "zorde");
    assert_true(client_send(test_client->client, &request));
}

/* A client at seat 0 of the running match. */
static void seat_client(ObservedClient *test_client) {
    open_client(test_client, NULL, false);
    until(&test_client->states[CLIENT_CONNECTED], 1);
    seek(test_client);
    until(&test_client->received[MESSAGE_SERVER_POSITION], 1);
}

static int set_up(void **state) {
    (void)state;
    test_server = (OneTableServer){.loop = net_loop_open(), .number = 1};
    const MashGame *game = mash_game_find("zorde");
    test_server.content = support_content(game, "duel");
    test_server.memory = support_memory(match_bytes(test_server.content));
    test_server.position = support_memory(position_bytes(test_server.content));
    MashSetup setup = {.options_count = 0};
    assert_int_equal(match_begin(&test_server.match, test_server.content, (MashSeed){{1, 2}},
                                 &setup, test_server.memory),
                     MASH_OK);
    open_server(0);
    snprintf(url, sizeof url, "ws://127.0.0.1:%u/arena",
             (unsigned)net_server_port(test_server.server));
    timer = net_timer_open(test_server.loop, rang, NULL);
    shared = client_shared_open(test_server.loop);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    client_shared_close(shared);
    if (test_server.server != NULL)
        close_server();
    net_timer_close(timer);
    net_loop_close(test_server.loop);
    support_free(test_server.content);
    support_free(test_server.memory);
    support_free(test_server.position);
    return 0;
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void comes_and_plays(void **state) {
    (void)state;
    ObservedClient test_client = {.client = NULL};
    seat_client(&test_client);
    const ClientTable *table = client_table(test_client.client);
    assert_int_equal(table->you, 0);
    assert_string_equal(table->token, the_token);
    assert_string_equal(table->players[0].name, "Ann");
    assert_true(table->players[1].taken && !table->players[1].here);
    assert_int_equal(table->players[1].role, PROTO_ROLE_AI);
    assert_int_equal(table->clocks.turn[0], 1500);
    assert_int_equal(table->clocks.turn[1], -1);
    assert_int_equal(table->clocks.match, -1);
    assert_memory_equal(table->view, test_server.match.state,
                        test_server.content->limits.state_bytes);
    assert_true(client_awaited(test_client.client));
    MashAction list[256];
    assert_true(test_server.content->limits.actions_max <= 256);
    assert_true(table->game->actions(table->content, table->view, 0, list) > 0);
    assert_true(client_act(test_client.client, list[0]));
    until(&test_client.received[MESSAGE_SERVER_POSITION], 2);
    assert_int_equal(table->number, 2);
    assert_memory_equal(table->view, test_server.match.state,
                        test_server.content->limits.state_bytes);
    assert_int_equal(table->events.count, test_server.match.events.count);
    assert_memory_equal(table->events.list, test_server.match.events.list,
                        table->events.count * sizeof(MashEvent));
    assert_true(client_send_simple(test_client.client, MESSAGE_CLIENT_LEAVE));
    until(&test_client.received[MESSAGE_SERVER_DONE], 1);
    assert_string_equal(table->code, "");
    assert_false(client_awaited(test_client.client));
    client_close(test_client.client);
}

static void comes_back_with_the_token(void **state) {
    (void)state;
    ObservedClient test_client = {.client = NULL};
    seat_client(&test_client);
    client_cut(test_client.client);
    until(&test_client.states[CLIENT_RECONNECTING], 1);
    until(&test_client.states[CLIENT_CONNECTED], 2);
    until(&test_client.received[MESSAGE_SERVER_POSITION], 2);
    assert_int_equal(test_server.returns, 1);
    assert_int_equal(client_table(test_client.client)->you, 0);
    client_close(test_client.client);
}

static void nothing_is_sent_before_the_seat_is_back(void **state) {
    (void)state;
    ObservedClient test_client = {.client = NULL};
    seat_client(&test_client);
    const ClientTable *table = client_table(test_client.client);
    MashAction list[512];
    assert_true(table->content->limits.actions_max <= 512);
    assert_true(table->game->actions(table->content, table->view, table->you, list) > 0);
    test_server.slow = true;
    client_cut(test_client.client);
    until(&test_server.hellos, 2); /* there is a connection, and the seat is not asked for yet */
    assert_false(client_act(test_client.client, list[0]));
    assert_false(client_send_simple(test_client.client, MESSAGE_CLIENT_RESIGN));
    say_welcome(test_server.connections[test_server.connections_count - 1]);
    until(&test_client.states[CLIENT_CONNECTED], 2);
    assert_int_equal(test_server.acts, 0);
    assert_string_not_equal(table->code, "");
    assert_true(client_act(test_client.client, list[0]));
    client_close(test_client.client);
}

static void comes_back_when_the_server_was_down(void **state) {
    (void)state;
    ObservedClient test_client = {.client = NULL}, watcher = {.client = NULL};
    seat_client(&test_client);
    open_client(&watcher, NULL, false);
    until(&watcher.states[CLIENT_CONNECTED], 1);
    Message request = message_new(MESSAGE_CLIENT_WATCH);
    table_code_encode(CODE_NUMBER, request.watch.code);
    assert_true(client_send(watcher.client, &request));
    until(&watcher.received[MESSAGE_SERVER_POSITION], 1);
    uint16_t port = net_server_port(test_server.server);
    close_server();
    until(&test_client.states[CLIENT_RECONNECTING], 1);
    run_for(500);
    assert_int_equal(test_client.states[CLIENT_RECONNECTING], 1);
    assert_false(client_send_simple(test_client.client, MESSAGE_CLIENT_HERE));
    open_server(port);
    until(&test_client.received[MESSAGE_SERVER_POSITION], 2);
    until(&watcher.received[MESSAGE_SERVER_POSITION], 2);
    assert_int_equal(test_server.returns, 1);
    assert_int_equal(test_server.watches, 2);
    assert_int_equal(client_table(watcher.client)->you, MASH_SEAT_NONE);
    client_close(test_client.client);
    client_close(watcher.client);
}

static void a_seat_that_is_gone_is_told(void **state) {
    (void)state;
    ObservedClient test_client = {.client = NULL};
    seat_client(&test_client);
    test_server.seated = false;
    client_cut(test_client.client);
    until(&test_client.received[MESSAGE_SERVER_REFUSED], 1);
    assert_string_equal(test_client.refused, "no-such-token");
    assert_int_equal(client_state(test_client.client), CLIENT_CONNECTED);
    assert_string_equal(client_table(test_client.client)->code, "");
    client_close(test_client.client);
}

static void a_closing_server_is_tried_again(void **state) {
    (void)state;
    ObservedClient test_client = {.client = NULL};
    seat_client(&test_client);
    test_server.refusal = "closing";
    test_server.refusals = 2;
    client_cut(test_client.client);
    until(&test_client.received[MESSAGE_SERVER_POSITION], 2);
    assert_int_equal(test_server.refusals, 0);
    assert_int_equal(client_table(test_client.client)->you, 0);
    client_close(test_client.client);
}

static void another_device_takes_the_seat(void **state) {
    (void)state;
    ObservedClient first = {.client = NULL}, second = {.client = NULL};
    seat_client(&first);
    open_client(&second, the_token, false);
    until(&second.received[MESSAGE_SERVER_POSITION], 1);
    assert_int_equal(client_table(second.client)->you, 0);
    Message taken = message_new(MESSAGE_SERVER_TAKEN);
    table_code_encode(CODE_NUMBER, taken.taken.code);
    say(test_server.connections[0], &taken);
    until(&first.received[MESSAGE_SERVER_TAKEN], 1);
    assert_string_equal(client_table(first.client)->code, "");
    client_cut(first.client);
    until(&first.states[CLIENT_CONNECTED], 2);
    assert_int_equal(test_server.returns, 1);
    client_close(first.client);
    client_close(second.client);
}

static void nobody_there(void **state) {
    (void)state;
    ObservedClient test_client = {.client = NULL};
    close_server();
    open_client(&test_client, NULL, false);
    until(&test_client.states[CLIENT_CLOSED], 1);
    assert_string_equal(test_client.why, "connection refused");
    client_close(test_client.client);
}

static void a_client_that_insists_waits_for_the_server(void **state) {
    (void)state;
    ObservedClient test_client = {.client = NULL};
    uint16_t port = net_server_port(test_server.server);
    close_server();
    open_client(&test_client, NULL, true);
    run_for(300);
    assert_int_equal(test_client.states[CLIENT_CLOSED], 0);
    open_server(port);
    until(&test_client.states[CLIENT_CONNECTED], 1);
    client_close(test_client.client);
}

static void patience_ends(void **state) {
    (void)state;
    ObservedClient test_client = {.client = NULL};
    open_client(&test_client, NULL, false);
    until(&test_client.states[CLIENT_CONNECTED], 1);
    close_server();
    until(&test_client.states[CLIENT_RECONNECTING], 1);
    uint64_t began = net_now_ms(test_server.loop);
    until(&test_client.states[CLIENT_CLOSED], 1);
    assert_in_range(net_now_ms(test_server.loop) - began, 900, 5000);
    client_close(test_client.client);
}

static void lies_are_not_believed(void **state) {
    (void)state;
    bool *const lies[] = {&test_server.wrong_hash, &test_server.wrong_view};
    static const char *const whys[] = {"the server has a different version of zorde",
                                       "invalid position from the server"};
    for (int i = 0; i < 2; i++) {
        ObservedClient test_client = {.client = NULL};
        *lies[i] = true;
        open_client(&test_client, NULL, false);
        until(&test_client.states[CLIENT_CONNECTED], 1);
        seek(&test_client);
        until(&test_client.states[CLIENT_CLOSED], 1);
        assert_string_equal(test_client.why, whys[i]);
        *lies[i] = false;
        client_close(test_client.client);
        run_for(50);
    }
}

static void odd_messages(void **state) {
    (void)state;
    static const char unknown[] = "{\"type\":\"fireworks\",\"colour\":\"red\"}";
    static const char wrong[] = "{\"type\":\"chat\",\"code\":7}";
    ObservedClient test_client = {.client = NULL};
    seat_client(&test_client);
    net_send_text(test_server.connections[0], unknown, sizeof unknown - 1);
    Message warning = message_new(MESSAGE_SERVER_WARNING);
    table_code_encode(CODE_NUMBER, warning.warning.code);
    warning.warning.what = PROTO_TIME_SILENCE;
    say(test_server.connections[0], &warning);
    until(&test_server.heres, 1);
    assert_int_equal(client_state(test_client.client), CLIENT_CONNECTED);
    net_send_text(test_server.connections[0], wrong, sizeof wrong - 1);
    until(&test_client.states[CLIENT_CLOSED], 1);
    assert_non_null(strstr(test_client.why, "chat"));
    client_close(test_client.client);
}

static void closing_inside_a_call(void **state) {
    (void)state;
    ObservedClient test_client = {.client = NULL, .closes = true};
    open_client(&test_client, NULL, false);
    until(&test_client.states[CLIENT_CONNECTED], 1);
    assert_null(test_client.client);
    run_for(50);
    assert_int_equal(test_server.connections_count, 0);
    assert_int_equal(test_client.received[MESSAGE_SERVER_WELCOME], 0);
}

static void refused_when_connecting(void **state) {
    (void)state;
    ObservedClient test_client = {.client = NULL};
    test_server.refusal = "no-name";
    test_server.refusals = 1;
    open_client(&test_client, NULL, true);
    until(&test_client.states[CLIENT_CLOSED], 1);
    assert_string_equal(test_client.why, "Because.");
    client_close(test_client.client);
}

static void addresses(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"localhost", "ws://localhost:1218/arena"},
        {"10.0.0.1:99", "ws://10.0.0.1:99/arena"},
        {"ws://example.org", "ws://example.org:1218/arena"},
        {"http://example.org/", "ws://example.org:1218/arena"},
        {"ws://example.org:80/other", "ws://example.org:80/other"},
        {"[::1]", "ws://[::1]:1218/arena"},
        {"[::1]:7/arena", "ws://[::1]:7/arena"},
        {"wss://example.org", "wss://example.org/arena"},
        {"https://example.org/", "wss://example.org/arena"},
        {"wss://example.org:8443/x", "wss://example.org:8443/x"},
        {"ftp://example.org", "ftp://example.org"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char bytes[256];
        MashText text = text_over(bytes, sizeof bytes);
        client_url(pairs[i][0], &text);
        assert_string_equal(bytes, pairs[i][1]);
    }
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    ClientSetup setup = {.url = "ftp://example.org", .name = "Ann"};
    assert_null(client_open(shared, &setup, &problem));
    assert_string_equal(memory,
                        "\"ftp://example.org\" is not an address of the form ws://host:port/path");
    text_clear(&problem);
    setup = (ClientSetup){.url = url, .name = "Ann", .token = "12"};
    assert_null(client_open(shared, &setup, &problem));
    assert_string_equal(memory, "a token must have 32 lower-case hexadecimal digits");
    text_clear(&problem);
    setup = (ClientSetup){.url = url, .name = ""};
    assert_null(client_open(shared, &setup, &problem));
    assert_string_equal(memory, "a name must have 1 to 31 bytes");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(comes_and_plays),
        TEST(comes_back_with_the_token),
        TEST(nothing_is_sent_before_the_seat_is_back),
        TEST(comes_back_when_the_server_was_down),
        TEST(a_seat_that_is_gone_is_told),
        TEST(a_closing_server_is_tried_again),
        TEST(another_device_takes_the_seat),
        TEST(nobody_there),
        TEST(a_client_that_insists_waits_for_the_server),
        TEST(patience_ends),
        TEST(lies_are_not_believed),
        TEST(odd_messages),
        TEST(closing_inside_a_call),
        TEST(refused_when_connecting),
        TEST(addresses),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
