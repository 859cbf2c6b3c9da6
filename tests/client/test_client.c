/* test_client.c -- client/ against a small house of the test's own on loopback: coming, playing,
 * losing the line and coming back, and a house that says what cannot be. */
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

enum { TEXT_BYTES = 1 << 16, NODES = 512, GUESTS_MAX = 8, CODE_NUMBER = 77, LIMIT_MS = 10000 };

static const char the_token[] = "0123456789abcdef0123456789abcdef";

/* --- The house -------------------------------------------------------------------------------- */

/* One table with one match; whoever comes with the token or a seek sits at seat 0. */
typedef struct TestHouse {
    NetLoop *loop;
    NetServer *server;
    MashContent *content;
    Match match;
    void *memory, *position;
    NetConnection *guests[GUESTS_MAX];
    uint32_t guests_count;
    bool seated;                 /* somebody has the token */
    bool wrong_hash, wrong_view; /* lies to tell */
    const char *refusal;         /* of hello and return; NULL: none */
    uint32_t refusals;           /* how often */
    uint32_t hellos, returns, watches, heres, acts;
    uint32_t number;
} TestHouse;

static TestHouse house;

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

static void say_refused(NetConnection *to, const char *wish, const char *code) {
    Message message = message_new(MESSAGE_SERVER_REFUSED);
    strcpy(message.refused.to, wish);
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
    table->version = (int32_t)house.content->game->version;
    strcpy(table->preset, "duel");
    message_set_present(&message, "preset");
    text_hex(&hash, house.content->hash ^ house.wrong_hash, 16);
    table->grace_ms = 60000;
    table->players = (MessageJson){.bytes = players, .count = sizeof players - 1};
    say(to, &message);
}

static void say_position(NetConnection *to, bool player) {
    static char bytes[TEXT_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    char code[PROTO_CODE_MAX + 1];
    table_code_encode(CODE_NUMBER, code);
    Position position = {.content = house.content,
                         .view = house.match.state,
                         .seat = player ? 0 : MASH_SEAT_SPECTATOR,
                         .events = house.match.events.list,
                         .events_count = house.match.events.count,
                         .code = code,
                         .number = house.number,
                         .clocks = {{1500, POSITION_NO_TIME}, POSITION_NO_TIME},
                         .form = PROTO_FORM_BYTES};
    position_write(&position, house.position, &text);
    assert_false(text.truncated);
    if (house.wrong_view)
        memcpy(strstr(bytes, "\"view\":\"") + 8, "AAAA\",\"x\":\"", 11);
    net_send_text(to, bytes, text.count);
}

static uint16_t house_hears_open(void *owner, NetConnection *from, const NetRequest *request) {
    (void)owner;
    if (strcmp(request->path, "/arena") != 0)
        return 404;
    assert_true(house.guests_count < GUESTS_MAX);
    house.guests[house.guests_count++] = from;
    return NET_ACCEPT;
}

static void house_hears_close(void *owner, NetConnection *from, uint16_t code, const char *reason) {
    (void)owner;
    (void)code;
    (void)reason;
    uint32_t place = 0;
    while (house.guests[place] != from)
        place++;
    house.guests[place] = house.guests[--house.guests_count];
}

/* Refuses while there are refusals left. */
static bool refuses(NetConnection *to, const char *wish) {
    if (house.refusal == NULL || house.refusals == 0)
        return false;
    house.refusals--;
    say_refused(to, wish, house.refusal);
    return true;
}

static void house_returns(NetConnection *to, const Message *message) {
    house.returns++;
    if (refuses(to, "return"))
        return;
    if (!house.seated || strcmp(message->return_seat.token, the_token) != 0) {
        say_refused(to, "return", "no-such-token");
        return;
    }
    say_table(to, true);
    say_position(to, true);
}

static void house_acts(NetConnection *to, const Message *message) {
    MashAction action;
    assert_true(action_from_hex(message->act.action, &action));
    house.acts++;
    if ((uint32_t)message->act.position != house.number) {
        say_refused(to, "act", "late");
        return;
    }
    assert_int_equal(match_apply(&house.match, action), MASH_OK);
    house.number++;
    for (uint32_t i = 0; i < house.guests_count; i++)
        say_position(house.guests[i], house.guests[i] == to);
}

static void house_hears(NetConnection *from, const Message *message) {
    switch (message->kind) {
    case MESSAGE_CLIENT_HELLO:
        house.hellos++;
        assert_int_equal(message->hello.view, PROTO_FORM_BYTES);
        if (house.refusal != NULL && strcmp(house.refusal, "no-such-token") != 0 &&
            refuses(from, "hello"))
            return;
        say_welcome(from);
        return;
    case MESSAGE_CLIENT_SEEK:
        house.seated = true;
        say_table(from, true);
        say_position(from, true);
        return;
    case MESSAGE_CLIENT_RETURN:
        house_returns(from, message);
        return;
    case MESSAGE_CLIENT_WATCH:
        house.watches++;
        say_table(from, false);
        say_position(from, false);
        return;
    case MESSAGE_CLIENT_ACT:
        house_acts(from, message);
        return;
    case MESSAGE_CLIENT_HERE:
        house.heres++;
        return;
    default: {
        Message done = message_new(MESSAGE_SERVER_DONE);
        strcpy(done.done.to, message_type(message->kind));
        say(from, &done);
    }
    }
}

static void house_hears_message(void *owner, NetConnection *from, const char *bytes,
                                uint32_t count) {
    static JsonNode nodes[NODES];
    static char pool[TEXT_BYTES];
    MashProblems problems = {.max = 0};
    MessageMemory memory = {nodes, NODES, pool, sizeof pool};
    Message message;
    (void)owner;
    assert_int_equal(message_read(&message, bytes, count, false, &memory, &problems),
                     MESSAGE_VALID);
    house_hears(from, &message);
}

static void open_house(uint16_t port) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    NetServerSetup setup = {.address = "127.0.0.1",
                            .port = port,
                            .calls = {.on_open = house_hears_open,
                                      .on_message = house_hears_message,
                                      .on_close = house_hears_close},
                            .limits = net_limits()};
    house.server = net_server_open(house.loop, &setup, &problem);
    if (house.server == NULL)
        fail_msg("%s", memory);
}

/* The house is gone, and everybody's line with it. */
static void shut_house(void) {
    net_server_close(house.server);
    house.server = NULL;
    house.guests_count = 0;
}

/* --- A guest ---------------------------------------------------------------------------------- */

/* What a client was told. */
typedef struct Guest {
    Client *client;
    uint32_t states[CLIENT_CLOSED + 1]; /* how often */
    uint32_t told[MESSAGE_COUNT];
    char why[256], refused[PROTO_ID_MAX + 1];
    bool closes; /* in the next call back */
} Guest;

static NetTimer *timer;
static bool timer_rang;
static ClientShared *hall;
static char url[64];

static void note_state(void *owner, Client *client, ClientState state, const char *why) {
    Guest *guest = owner;
    guest->states[state]++;
    snprintf(guest->why, sizeof guest->why, "%s", why);
    if (guest->closes) {
        client_close(client);
        guest->client = NULL;
    }
}

static void note_told(void *owner, Client *client, const Message *message) {
    Guest *guest = owner;
    guest->told[message->kind]++;
    if (message->kind == MESSAGE_SERVER_REFUSED)
        strcpy(guest->refused, message->refused.code);
    if (guest->closes) {
        client_close(client);
        guest->client = NULL;
    }
}

static void rang(void *owner) {
    (void)owner;
    timer_rang = true;
    net_loop_stop(house.loop);
}

/* Runs the loop until the number has this value. */
static void until(const uint32_t *number, uint32_t value) {
    uint64_t began = net_now_ms(house.loop);
    while (*number < value && net_now_ms(house.loop) - began < LIMIT_MS) {
        net_timer_start(timer, 2);
        net_loop_run(house.loop);
    }
    assert_int_equal(*number, value);
}

static void run_for(uint32_t ms) {
    timer_rang = false;
    net_timer_start(timer, ms);
    while (!timer_rang)
        net_loop_run(house.loop);
}

static void open_guest(Guest *guest, const char *token, bool insists) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    ClientSetup setup = {.url = url,
                         .name = "Ann",
                         .role = PROTO_ROLE_PERSON,
                         .token = token,
                         .reconnect_ms = 1000,
                         .retry_first = insists,
                         .answer_silence = true,
                         .calls = {note_state, note_told},
                         .owner = guest};
    guest->client = client_open(hall, &setup, &problem);
    if (guest->client == NULL)
        fail_msg("%s", memory);
}

static void seek(Guest *guest) {
    Message wish = message_new(MESSAGE_CLIENT_SEEK);
    strcpy(wish.seek.game, "zorde");
    assert_true(client_send(guest->client, &wish));
}

/* A guest at seat 0 of the running match. */
static void seat_guest(Guest *guest) {
    open_guest(guest, NULL, false);
    until(&guest->states[CLIENT_CONNECTED], 1);
    seek(guest);
    until(&guest->told[MESSAGE_SERVER_POSITION], 1);
}

static int set_up(void **state) {
    (void)state;
    house = (TestHouse){.loop = net_loop_open(), .number = 1};
    const MashGame *game = mash_game_find("zorde");
    house.content = support_content(game, "duel");
    house.memory = support_memory(match_bytes(house.content));
    house.position = support_memory(position_bytes(house.content));
    MashSetup setup = {.options_count = 0};
    assert_int_equal(
        match_begin(&house.match, house.content, (MashSeed){{1, 2}}, &setup, house.memory),
        MASH_OK);
    open_house(0);
    snprintf(url, sizeof url, "ws://127.0.0.1:%u/arena", (unsigned)net_server_port(house.server));
    timer = net_timer_open(house.loop, rang, NULL);
    hall = client_shared_open(house.loop);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    client_shared_close(hall);
    if (house.server != NULL)
        shut_house();
    net_timer_close(timer);
    net_loop_close(house.loop);
    support_free(house.content);
    support_free(house.memory);
    support_free(house.position);
    return 0;
}

/* --- Tests ------------------------------------------------------------------------------------ */

static void comes_and_plays(void **state) {
    (void)state;
    Guest guest = {.client = NULL};
    seat_guest(&guest);
    const ClientTable *table = client_table(guest.client);
    assert_int_equal(table->you, 0);
    assert_string_equal(table->token, the_token);
    assert_string_equal(table->players[0].name, "Ann");
    assert_true(table->players[1].taken && !table->players[1].here);
    assert_int_equal(table->players[1].role, PROTO_ROLE_AI);
    assert_int_equal(table->clocks.turn[0], 1500);
    assert_int_equal(table->clocks.turn[1], -1);
    assert_int_equal(table->clocks.match, -1);
    assert_memory_equal(table->view, house.match.state, house.content->limits.state_bytes);
    assert_true(client_awaited(guest.client));
    MashAction list[256];
    assert_true(house.content->limits.actions_max <= 256);
    assert_true(table->game->actions(table->content, table->view, 0, list) > 0);
    assert_true(client_act(guest.client, list[0]));
    until(&guest.told[MESSAGE_SERVER_POSITION], 2);
    assert_int_equal(table->number, 2);
    assert_memory_equal(table->view, house.match.state, house.content->limits.state_bytes);
    assert_int_equal(table->events.count, house.match.events.count);
    assert_memory_equal(table->events.list, house.match.events.list,
                        table->events.count * sizeof(MashEvent));
    assert_true(client_send_simple(guest.client, MESSAGE_CLIENT_LEAVE));
    until(&guest.told[MESSAGE_SERVER_DONE], 1);
    assert_string_equal(table->code, "");
    assert_false(client_awaited(guest.client));
    client_close(guest.client);
}

static void comes_back_with_the_token(void **state) {
    (void)state;
    Guest guest = {.client = NULL};
    seat_guest(&guest);
    client_cut(guest.client);
    until(&guest.states[CLIENT_RECONNECTING], 1);
    until(&guest.states[CLIENT_CONNECTED], 2);
    until(&guest.told[MESSAGE_SERVER_POSITION], 2);
    assert_int_equal(house.returns, 1);
    assert_int_equal(client_table(guest.client)->you, 0);
    client_close(guest.client);
}

static void comes_back_when_the_house_was_down(void **state) {
    (void)state;
    Guest guest = {.client = NULL}, watcher = {.client = NULL};
    seat_guest(&guest);
    open_guest(&watcher, NULL, false);
    until(&watcher.states[CLIENT_CONNECTED], 1);
    Message wish = message_new(MESSAGE_CLIENT_WATCH);
    table_code_encode(CODE_NUMBER, wish.watch.code);
    assert_true(client_send(watcher.client, &wish));
    until(&watcher.told[MESSAGE_SERVER_POSITION], 1);
    uint16_t port = net_server_port(house.server);
    shut_house();
    until(&guest.states[CLIENT_RECONNECTING], 1);
    run_for(500);
    assert_int_equal(guest.states[CLIENT_RECONNECTING], 1);
    assert_false(client_send_simple(guest.client, MESSAGE_CLIENT_HERE));
    open_house(port);
    until(&guest.told[MESSAGE_SERVER_POSITION], 2);
    until(&watcher.told[MESSAGE_SERVER_POSITION], 2);
    assert_int_equal(house.returns, 1);
    assert_int_equal(house.watches, 2);
    assert_int_equal(client_table(watcher.client)->you, MASH_SEAT_NONE);
    client_close(guest.client);
    client_close(watcher.client);
}

static void a_seat_that_is_gone_is_told(void **state) {
    (void)state;
    Guest guest = {.client = NULL};
    seat_guest(&guest);
    house.seated = false;
    client_cut(guest.client);
    until(&guest.told[MESSAGE_SERVER_REFUSED], 1);
    assert_string_equal(guest.refused, "no-such-token");
    assert_int_equal(client_state(guest.client), CLIENT_CONNECTED);
    assert_string_equal(client_table(guest.client)->code, "");
    client_close(guest.client);
}

static void a_closing_house_is_tried_again(void **state) {
    (void)state;
    Guest guest = {.client = NULL};
    seat_guest(&guest);
    house.refusal = "closing";
    house.refusals = 2;
    client_cut(guest.client);
    until(&guest.told[MESSAGE_SERVER_POSITION], 2);
    assert_int_equal(house.refusals, 0);
    assert_int_equal(client_table(guest.client)->you, 0);
    client_close(guest.client);
}

static void another_device_takes_the_seat(void **state) {
    (void)state;
    Guest first = {.client = NULL}, second = {.client = NULL};
    seat_guest(&first);
    open_guest(&second, the_token, false);
    until(&second.told[MESSAGE_SERVER_POSITION], 1);
    assert_int_equal(client_table(second.client)->you, 0);
    Message taken = message_new(MESSAGE_SERVER_TAKEN);
    table_code_encode(CODE_NUMBER, taken.taken.code);
    say(house.guests[0], &taken);
    until(&first.told[MESSAGE_SERVER_TAKEN], 1);
    assert_string_equal(client_table(first.client)->code, "");
    client_cut(first.client);
    until(&first.states[CLIENT_CONNECTED], 2);
    assert_int_equal(house.returns, 1);
    client_close(first.client);
    client_close(second.client);
}

static void nobody_there(void **state) {
    (void)state;
    Guest guest = {.client = NULL};
    shut_house();
    open_guest(&guest, NULL, false);
    until(&guest.states[CLIENT_CLOSED], 1);
    assert_string_equal(guest.why, "connection refused");
    client_close(guest.client);
}

static void who_insists_waits_for_the_house(void **state) {
    (void)state;
    Guest guest = {.client = NULL};
    uint16_t port = net_server_port(house.server);
    shut_house();
    open_guest(&guest, NULL, true);
    run_for(300);
    assert_int_equal(guest.states[CLIENT_CLOSED], 0);
    open_house(port);
    until(&guest.states[CLIENT_CONNECTED], 1);
    client_close(guest.client);
}

static void patience_ends(void **state) {
    (void)state;
    Guest guest = {.client = NULL};
    open_guest(&guest, NULL, false);
    until(&guest.states[CLIENT_CONNECTED], 1);
    shut_house();
    until(&guest.states[CLIENT_RECONNECTING], 1);
    uint64_t began = net_now_ms(house.loop);
    until(&guest.states[CLIENT_CLOSED], 1);
    assert_in_range(net_now_ms(house.loop) - began, 900, 5000);
    client_close(guest.client);
}

static void lies_are_not_believed(void **state) {
    (void)state;
    bool *const lies[] = {&house.wrong_hash, &house.wrong_view};
    static const char *const whys[] = {"the server has a different version of zorde",
                                       "invalid position from the server"};
    for (int i = 0; i < 2; i++) {
        Guest guest = {.client = NULL};
        *lies[i] = true;
        open_guest(&guest, NULL, false);
        until(&guest.states[CLIENT_CONNECTED], 1);
        seek(&guest);
        until(&guest.states[CLIENT_CLOSED], 1);
        assert_string_equal(guest.why, whys[i]);
        *lies[i] = false;
        client_close(guest.client);
        run_for(50);
    }
}

static void odd_messages(void **state) {
    (void)state;
    static const char unknown[] = "{\"type\":\"fireworks\",\"colour\":\"red\"}";
    static const char wrong[] = "{\"type\":\"chat\",\"code\":7}";
    Guest guest = {.client = NULL};
    seat_guest(&guest);
    net_send_text(house.guests[0], unknown, sizeof unknown - 1);
    Message warning = message_new(MESSAGE_SERVER_WARNING);
    table_code_encode(CODE_NUMBER, warning.warning.code);
    warning.warning.what = PROTO_TIME_SILENCE;
    say(house.guests[0], &warning);
    until(&house.heres, 1);
    assert_int_equal(client_state(guest.client), CLIENT_CONNECTED);
    net_send_text(house.guests[0], wrong, sizeof wrong - 1);
    until(&guest.states[CLIENT_CLOSED], 1);
    assert_non_null(strstr(guest.why, "chat"));
    client_close(guest.client);
}

static void closing_inside_a_call(void **state) {
    (void)state;
    Guest guest = {.client = NULL, .closes = true};
    open_guest(&guest, NULL, false);
    until(&guest.states[CLIENT_CONNECTED], 1);
    assert_null(guest.client);
    run_for(50);
    assert_int_equal(house.guests_count, 0);
    assert_int_equal(guest.told[MESSAGE_SERVER_WELCOME], 0);
}

static void refused_at_the_door(void **state) {
    (void)state;
    Guest guest = {.client = NULL};
    house.refusal = "no-name";
    house.refusals = 1;
    open_guest(&guest, NULL, true);
    until(&guest.states[CLIENT_CLOSED], 1);
    assert_string_equal(guest.why, "Because.");
    client_close(guest.client);
}

static void addresses(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"localhost", "ws://localhost:1218/arena"},
        {"10.0.0.1:99", "ws://10.0.0.1:99/arena"},
        {"http://example.org/", "ws://example.org:1218/arena"},
        {"ws://example.org:80/other", "ws://example.org:80/other"},
        {"[::1]", "ws://[::1]:1218/arena"},
        {"[::1]:7/arena", "ws://[::1]:7/arena"},
        {"wss://example.org", "wss://example.org"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char bytes[256];
        MashText text = text_over(bytes, sizeof bytes);
        client_url(pairs[i][0], &text);
        assert_string_equal(bytes, pairs[i][1]);
    }
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    ClientSetup setup = {.url = "wss://example.org", .name = "Ann"};
    assert_null(client_open(hall, &setup, &problem));
    assert_string_equal(memory, "wss:// is not supported; use ws://");
    text_clear(&problem);
    setup = (ClientSetup){.url = url, .name = "Ann", .token = "12"};
    assert_null(client_open(hall, &setup, &problem));
    assert_string_equal(memory, "a token must have 32 lower-case hexadecimal digits");
    text_clear(&problem);
    setup = (ClientSetup){.url = url, .name = ""};
    assert_null(client_open(hall, &setup, &problem));
    assert_string_equal(memory, "a name must have 1 to 31 bytes");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(comes_and_plays),
        TEST(comes_back_with_the_token),
        TEST(comes_back_when_the_house_was_down),
        TEST(a_seat_that_is_gone_is_told),
        TEST(a_closing_house_is_tried_again),
        TEST(another_device_takes_the_seat),
        TEST(nobody_there),
        TEST(who_insists_waits_for_the_house),
        TEST(patience_ends),
        TEST(lies_are_not_believed),
        TEST(odd_messages),
        TEST(closing_inside_a_call),
        TEST(refused_at_the_door),
        TEST(addresses),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
