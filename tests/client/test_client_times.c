/* test_client_times.c -- a client's times to the millisecond, and every order in which a server may
 * say, refuse and break off: the server is a script, network and clock are the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/internal.h"
#include "tests/server/fake/net.h"
#include "tests/support/support.h"

enum { LINES_MAX = 64, LINE_BYTES = 512, TIMES_MAX = 4096, GRACE_MS = 60000, PORT = 99 };

#define TOKEN "0123456789abcdef0123456789abcdef"
#define WELCOME_OF(version)                                                                        \
    "{\"type\":\"welcome\",\"protocol\":" version                                                  \
    ",\"server\":\"a test\",\"name\":\"Ann\",\"role\":\"ai\",\"strikes\":3,\"games\":[\"zorde\"]}"
#define WELCOME WELCOME_OF("1")

static NetLoop *loop;
static NetServer *server, *usual_server; /* usual_server: NULL unless a test opens one */
static MashContent *content;
static char code[PROTO_CODE_MAX + 1];

/* --- The server ------------------------------------------------------------------------------- */

static NetConnection *line;        /* the connection to the client; NULL: none */
static bool closed_door;           /* refuses connections */
static const char *greeting;       /* its answer to `hello`; NULL: none */
static const char *second_reading; /* its answer to `return` and `watch`; NULL: none */
static char heard[LINES_MAX][LINE_BYTES];
static uint32_t heard_count, heard_bytes; /* heard_bytes: of the last one */
static uint64_t tried_ms[TIMES_MAX];      /* when the client came */
static uint32_t tried_count;
static char tried_path[128]; /* where the client came last */

static uint16_t on_open(void *owner, NetConnection *from, const NetRequest *request) {
    (void)owner;
    assert_true(tried_count < TIMES_MAX);
    snprintf(tried_path, sizeof tried_path, "%s%s%s", request->path,
             request->query[0] == '\0' ? "" : "?", request->query);
    tried_ms[tried_count++] = net_now_ms(loop);
    if (closed_door)
        return 503;
    line = from;
    return NET_ACCEPT;
}

static void tell(const char *text) { net_send_text(line, text, (uint32_t)strlen(text)); }

static void on_message(void *owner, NetConnection *from, const char *bytes, uint32_t count) {
    (void)owner;
    (void)from;
    assert_true(heard_count < LINES_MAX);
    heard_bytes = count;
    snprintf(heard[heard_count++], LINE_BYTES, "%.*s", (int)count, bytes);
    bool hello = strstr(heard[heard_count - 1], "\"type\":\"hello\"") != NULL;
    const char *answer = hello ? greeting : second_reading;
    if (answer != NULL)
        tell(answer);
}

static void on_close(void *owner, NetConnection *from, uint16_t reason, const char *why) {
    (void)owner;
    (void)reason;
    (void)why;
    if (line == from)
        line = NULL;
}

/* How many of the lines heard have this in them. */
static uint32_t heard_with(const char *part) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < heard_count; i++)
        count += strstr(heard[i], part) != NULL;
    return count;
}

static const char *refusal_of(const char *request, const char *refusal) {
    static char text[256];
    snprintf(text, sizeof text,
             "{\"type\":\"refused\",\"to\":\"%s\",\"code\":\"%s\",\"reason\":\"Because.\","
             "\"offence\":false,\"strikes\":0}",
             request, refusal);
    return text;
}

/* The message `table`, for a player with a token or for a spectator. */
static const char *table_text(bool player) {
    static char text[1024];
    snprintf(text, sizeof text,
             "{\"type\":\"table\",\"code\":\"%s\",\"you\":%s,%s\"state\":\"running\","
             "\"game\":\"zorde\",\"version\":%u,\"preset\":\"duel\",\"content\":\"%016llx\","
             "\"options\":{},\"turn_ms\":0,\"match_ms\":0,\"pause_ms\":0,\"silence_ms\":0,"
             "\"grace_ms\":%d,\"secret\":false,\"glass\":false,\"watchers\":0,\"players\":[]}",
             code, player ? "0" : "null", player ? "\"token\":\"" TOKEN "\"," : "",
             content->game->version, (unsigned long long)content->hash, GRACE_MS);
    return text;
}

/* --- The client ------------------------------------------------------------------------------- */

static ClientShared *shared;
static Client *client;
static ClientSetup setup;
static uint32_t states[CLIENT_CLOSED + 1], told[MESSAGE_COUNT];
static uint64_t state_ms[CLIENT_CLOSED + 1]; /* of the last one */
static char why[CLIENT_WHY_BYTES];
static bool closes; /* closes the client in the next callback */

static void close_if_due(void) {
    if (!closes)
        return;
    client_close(client);
    client = NULL;
}

static void on_state(void *owner, Client *which, ClientState state, const char *reason) {
    assert_ptr_equal(owner, &setup);
    assert_int_equal(client_state(which), state);
    states[state]++;
    state_ms[state] = net_now_ms(loop);
    snprintf(why, sizeof why, "%s", reason);
    close_if_due();
}

static void on_told(void *owner, Client *which, const Message *message) {
    (void)which;
    assert_ptr_equal(owner, &setup);
    told[message->kind]++;
    close_if_due();
}

static void open_client(void) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    client = client_open(shared, &setup, &problem);
    if (client == NULL)
        fail_msg("%s", memory);
}

static int set_up(void **unused) {
    (void)unused;
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    NetServerSetup listening = {
        .port = PORT,
        .calls = {.on_open = on_open, .on_message = on_message, .on_close = on_close}};
    loop = net_loop_open();
    server = net_server_open(loop, &listening, &problem);
    shared = client_shared_open(loop);
    content = support_content(mash_game_find("zorde"), "duel");
    table_code_encode(4711, code);
    line = NULL;
    client = NULL;
    closed_door = closes = false;
    greeting = WELCOME;
    second_reading = NULL;
    heard_count = tried_count = 0;
    memset(states, 0, sizeof states);
    memset(told, 0, sizeof told);
    why[0] = '\0';
    setup = (ClientSetup){.url = "ws://server:99/arena",
                          .name = "Ann",
                          .role = PROTO_ROLE_AI,
                          .reconnect_ms = 20000,
                          .calls = {.on_state = on_state, .on_message = on_told},
                          .owner = &setup};
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    client_close(client);
    client_shared_close(shared);
    net_server_close(server);
    if (usual_server != NULL)
        net_server_close(usual_server);
    usual_server = NULL;
    net_loop_close(loop);
    support_free(content);
    return 0;
}

/* Waits until the client is accepted once more. */
static void until_connected(void) {
    uint32_t before = states[CLIENT_CONNECTED];
    for (uint32_t i = 0; i < 20000 && states[CLIENT_CONNECTED] == before; i++)
        fake_run(loop, 1);
    assert_int_equal(states[CLIENT_CONNECTED], before + 1);
}

/* A client at a table. */
static void at_table(bool player) {
    open_client();
    until_connected();
    tell(table_text(player));
    fake_run(loop, 5);
    assert_int_equal(told[MESSAGE_SERVER_TABLE], 1);
    assert_string_equal(client_table(client)->code, code);
}

/* --- Pauses ----------------------------------------------------------------------------------- */

/* Each pause is twice the one before, up to five seconds, and its half is random. */
static void pauses_grow(void **unused) {
    (void)unused;
    static const uint64_t most[] = {100, 100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000};
    for (uint32_t tries = 0; tries < sizeof most / sizeof *most; tries++) {
        uint64_t least_seen = UINT64_MAX, most_seen = 0;
        for (int i = 0; i < 400; i++) {
            uint64_t pause = client_backoff_ms(loop, tries);
            assert_in_range(pause, most[tries] / 2, most[tries]);
            least_seen = pause < least_seen ? pause : least_seen;
            most_seen = pause > most_seen ? pause : most_seen;
        }
        assert_true(least_seen <= most[tries] * 51 / 100);
        assert_true(most_seen >= most[tries] * 99 / 100);
    }
    assert_in_range(client_backoff_ms(loop, UINT32_MAX), 2500, 5000);
}

static void closes_have_words(void **unused) {
    (void)unused;
    static const struct {
        uint16_t code;
        const char *reason, *words;
    } closes_of[] = {
        {NET_CLOSE_NORMAL, "shutting down", "shutting down"},
        {NET_CLOSE_ABNORMAL, "no route", "no route"},
        {NET_CLOSE_ABNORMAL, "", "connection lost"},
        {1008, "", "the server closed the connection (1008)"},
    };
    for (size_t i = 0; i < sizeof closes_of / sizeof *closes_of; i++) {
        char memory[128];
        MashText text = text_over(memory, sizeof memory);
        client_write_close(closes_of[i].code, closes_of[i].reason, &text);
        assert_string_equal(memory, closes_of[i].words);
    }
}

/* What was sent before a close has a tenth of a second to go out. */
static void the_last_words_go_out(void **unused) {
    (void)unused;
    uint64_t began = net_now_ms(loop);
    client_run_out(loop);
    assert_int_equal(net_now_ms(loop) - began, 100);
}

/* --- Reconnecting ----------------------------------------------------------------------------- */

/* A client that is refused once gives up at once, unless it is to retry; then it tries for
 * reconnect_ms. */
static void the_first_connection(void **unused) {
    (void)unused;
    closed_door = true;
    open_client();
    assert_int_equal(client_state(client), CLIENT_CONNECTING);
    assert_int_equal(client_table(client)->you, MASH_SEAT_NONE);
    fake_run(loop, 60000);
    assert_int_equal(tried_count, 1);
    assert_int_equal(states[CLIENT_CLOSED], 1);
    assert_int_equal(states[CLIENT_RECONNECTING], 0);
    assert_string_equal(why, "connection lost");
    client_close(client);
    setup.retry_first = true;
    open_client();
    fake_run(loop, 10000);
    assert_true(tried_count > 5);
    assert_int_equal(states[CLIENT_CLOSED], 1);
    assert_int_equal(states[CLIENT_RECONNECTING], 0); /* it was never connected */
    fake_run(loop, 30000);
    assert_int_equal(states[CLIENT_CLOSED], 2);
    closed_door = false;
    fake_run(loop, 30000);
    assert_int_equal(states[CLIENT_CONNECTED], 0);
}

/* How long after the loss the client closed, and the last try before that. */
static uint64_t given_up_after(uint64_t *last_try_ms) {
    uint64_t lost_ms = state_ms[CLIENT_RECONNECTING];
    for (uint32_t i = 0; i < 2000 && states[CLIENT_CLOSED] == 0; i++)
        fake_run(loop, 100);
    assert_int_equal(states[CLIENT_CLOSED], 1);
    *last_try_ms = tried_ms[tried_count - 2] - lost_ms;
    return state_ms[CLIENT_CLOSED] - lost_ms;
}

/* It tries for as long as was asked, and at a table for as long as the server keeps the seat and
 * some seconds more, if that is longer. */
static void it_tries_long_enough(void **unused) {
    (void)unused;
    for (int seated = 0; seated < 3; seated++) {
        uint64_t window_ms = seated == 0 ? 20000 : GRACE_MS + 5000, last_try_ms;
        if (seated == 2)
            setup.reconnect_ms = (uint32_t)(window_ms += 20000);
        if (seated) {
            at_table(true);
        } else {
            open_client();
            until_connected();
        }
        closed_door = true;
        fake_cut(line);
        fake_run(loop, 2);
        assert_int_equal(states[CLIENT_RECONNECTING], 1);
        uint64_t gave_up = given_up_after(&last_try_ms);
        assert_true(gave_up > window_ms);
        assert_true(last_try_ms <= window_ms);
        tear_down(NULL);
        set_up(NULL);
    }
}

/* The window is closed only when it is over: a try that fails just at its end is not the last. */
static void the_end_of_the_window_is_inside(void **unused) {
    (void)unused;
    uint64_t failed_ms = 0;
    for (int again = 0; again < 2; again++) {
        setup.reconnect_ms = again ? (uint32_t)failed_ms : 20000;
        open_client();
        until_connected();
        closed_door = true;
        fake_cut(line);
        fake_run(loop, 2);
        uint64_t lost_ms = state_ms[CLIENT_RECONNECTING];
        uint32_t tries = tried_count + 4;
        while (tried_count < tries && states[CLIENT_CLOSED] == 0)
            fake_run(loop, 1);
        /* A refused connection is reported a millisecond later. */
        failed_ms = tried_ms[tries - 1] + 1 - lost_ms;
        fake_run(loop, 6000);
        assert_true(tried_count > tries);
        tear_down(NULL);
        set_up(NULL);
    }
}

/* Lets the client come `rounds` times; each connection is lost this long after its welcome.
 * Returns the longest pause. */
static uint64_t longest_pause(uint32_t rounds, uint64_t lasts_ms) {
    uint64_t longest = 0;
    open_client();
    until_connected();
    for (uint32_t i = 0; i < rounds && states[CLIENT_CLOSED] == 0; i++) {
        uint64_t lost_ms = state_ms[CLIENT_CONNECTED] + lasts_ms;
        fake_run(loop, lost_ms - 1 - net_now_ms(loop));
        fake_cut(line);
        fake_run(loop, 1);
        if (states[CLIENT_CLOSED] != 0)
            break;
        assert_int_equal(state_ms[CLIENT_RECONNECTING], lost_ms);
        until_connected();
        uint64_t pause = tried_ms[tried_count - 1] - lost_ms;
        longest = pause > longest ? pause : longest;
    }
    return longest;
}

/* A connection that lasted a second counts as good: the pauses start again, and so does the time to
 * try. One that was lost before is none, though it said welcome. */
static void good_connections(void **unused) {
    (void)unused;
    setup.reconnect_ms = 3000;
    assert_in_range(longest_pause(20, 1000), 50, 102);
    assert_int_equal(states[CLIENT_CLOSED], 0);
    tear_down(NULL);
    set_up(NULL);
    assert_true(longest_pause(8, 999) > 1000);
    tear_down(NULL);
    set_up(NULL);
    setup.reconnect_ms = 3000;
    longest_pause(20, 10);
    assert_int_equal(states[CLIENT_CLOSED], 1);
    assert_string_equal(why, "connection lost");
}

/* --- Coming back ------------------------------------------------------------------------------ */

/* What `hello` says, and how a seat and a spectator's place are asked for again. */
static void it_says_who_it_is(void **unused) {
    (void)unused;
    at_table(true);
    assert_string_equal(heard[0], "{\"type\":\"hello\",\"name\":\"Ann\",\"role\":\"ai\","
                                  "\"view\":\"bytes\",\"protocol\":1}");
    assert_int_equal(heard_count, 1);
    fake_cut(line);
    fake_run(loop, 500);
    assert_int_equal(heard_count, 3);
    assert_string_equal(heard[2], "{\"type\":\"return\",\"token\":\"" TOKEN "\"}");
    /* Not back before the table comes. */
    assert_int_equal(client_state(client), CLIENT_RECONNECTING);
    assert_int_equal(told[MESSAGE_SERVER_WELCOME], 2);
    tell(table_text(true));
    fake_run(loop, 5);
    assert_int_equal(states[CLIENT_CONNECTED], 2);
    /* The same table once more is no news of the connection. */
    tell(table_text(true));
    fake_run(loop, 5);
    assert_int_equal(told[MESSAGE_SERVER_TABLE], 3);
    assert_int_equal(states[CLIENT_CONNECTED], 2);
    tear_down(NULL);
    set_up(NULL);
    at_table(false);
    fake_cut(line);
    fake_run(loop, 500);
    char expected[128];
    snprintf(expected, sizeof expected, "{\"type\":\"watch\",\"code\":\"%s\"}", code);
    assert_int_equal(heard_count, 3);
    assert_string_equal(heard[2], expected);
}

/* Other messages while it is coming back do not bring it back. */
static void only_the_table_brings_it_back(void **unused) {
    (void)unused;
    at_table(true);
    fake_cut(line);
    fake_run(loop, 500);
    char chat[256];
    snprintf(chat, sizeof chat,
             "{\"type\":\"people\",\"code\":\"%s\",\"players\":[],\"watchers\":1}", code);
    tell(chat);
    fake_run(loop, 5);
    assert_int_equal(told[MESSAGE_SERVER_PEOPLE], 1);
    assert_int_equal(client_state(client), CLIENT_RECONNECTING);
}

/* What the server refuses for a while is tried again; anything else about the seat means that it
 * is gone. */
static void refusals_while_coming_back(void **unused) {
    (void)unused;
    static const char *const passing[] = {"full", "closing", "too-fast"};
    for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
        at_table(true);
        second_reading = refusal_of("return", passing[i]);
        fake_cut(line);
        fake_run(loop, 3000);
        assert_true(heard_with("\"type\":\"return\"") > 2);
        assert_int_equal(told[MESSAGE_SERVER_REFUSED], 0);
        assert_int_equal(client_state(client), CLIENT_RECONNECTING);
        assert_string_equal(client_table(client)->code, code);
        second_reading = table_text(true);
        fake_run(loop, 6000);
        assert_int_equal(client_state(client), CLIENT_CONNECTED);
        tear_down(NULL);
        set_up(NULL);
    }
    at_table(true);
    second_reading = refusal_of("return", "no-such-token");
    fake_cut(line);
    fake_run(loop, 3000);
    assert_int_equal(heard_with("\"type\":\"return\""), 1);
    assert_int_equal(told[MESSAGE_SERVER_REFUSED], 1);
    assert_int_equal(states[CLIENT_CONNECTED], 2);
    assert_string_equal(client_table(client)->code, "");
    assert_string_equal(client_table(client)->token, "");
    /* Later refusals are answers to requests. */
    tell(refusal_of("seek", "full"));
    fake_run(loop, 3000);
    assert_int_equal(told[MESSAGE_SERVER_REFUSED], 2);
    assert_int_equal(client_state(client), CLIENT_CONNECTED);
}

/* A refusal of the first `hello`: passing ones are tried again by a client that insists. */
static void refusals_of_the_first_hello(void **unused) {
    (void)unused;
    greeting = refusal_of("hello", "full");
    open_client();
    fake_run(loop, 10000);
    assert_int_equal(states[CLIENT_CLOSED], 1);
    assert_string_equal(why, "Because.");
    assert_int_equal(heard_count, 1);
    client_close(client);
    setup.retry_first = true;
    open_client();
    fake_run(loop, 5000);
    assert_int_equal(states[CLIENT_CLOSED], 1);
    assert_true(heard_count > 4);
    greeting = WELCOME;
    fake_run(loop, 6000);
    assert_int_equal(states[CLIENT_CONNECTED], 1);
}

/* After a connection was lost while a seat was asked for, the refusal of the next `hello` is not
 * taken for an answer about the seat. */
static void a_refusal_is_of_its_own_connection(void **unused) {
    (void)unused;
    at_table(true);
    fake_cut(line);
    fake_run(loop, 500);
    assert_int_equal(heard_with("\"type\":\"return\""), 1);
    greeting = refusal_of("hello", "no-name");
    fake_cut(line);
    fake_run(loop, 500);
    assert_int_equal(states[CLIENT_CLOSED], 1);
    assert_int_equal(states[CLIENT_CONNECTED], 1);
    assert_string_equal(why, "Because.");
}

static void another_version_of_the_protocol(void **unused) {
    (void)unused;
    greeting = WELCOME_OF("2");
    open_client();
    fake_run(loop, 5000);
    assert_int_equal(states[CLIENT_CLOSED], 1);
    assert_string_equal(why, "the server uses a different protocol version");
    assert_int_equal(told[MESSAGE_SERVER_WELCOME], 0);
    assert_false(client_send_simple(client, MESSAGE_CLIENT_HERE));
    assert_int_equal(tried_count, 1);
}

/* --- Messages --------------------------------------------------------------------------------- */

static const char *left_because; /* what on_left was called with; NULL = it was not */
static void on_left(void *owner, const char *because) {
    (void)owner;
    left_because = because;
}

/* A stay ends with `taken`, `closed` and the answer to `leave`, and with no other answer; the owner
 * is told which. */
static void the_end_of_a_stay(void **unused) {
    (void)unused;
    static const struct {
        const char *fields, *because;
        bool ends, has_code;
    } messages[] = {
        {"\"type\":\"done\",\"to\":\"chat\"", "", false, false},
        {"\"type\":\"done\",\"to\":\"leave\"", "left", true, false},
        {"\"type\":\"taken\"", "closed", true, true},
        {"\"type\":\"closed\",\"reason\":\"It is late.\"", "closed", true, true},
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        char text[128];
        left_because = NULL;
        setup.calls.on_left = on_left;
        at_table(true);
        snprintf(text, sizeof text, "{%s%s%s%s}", messages[i].fields,
                 messages[i].has_code ? ",\"code\":\"" : "", messages[i].has_code ? code : "",
                 messages[i].has_code ? "\"" : "");
        tell(text);
        fake_run(loop, 5);
        assert_int_equal(client_state(client), CLIENT_CONNECTED);
        assert_string_equal(client_table(client)->code, messages[i].ends ? "" : code);
        assert_string_equal(left_because == NULL ? "" : left_because, messages[i].because);
        assert_int_equal(told[MESSAGE_SERVER_DONE], messages[i].ends ? 0 : 1);
        fake_cut(line);
        fake_run(loop, 500);
        assert_int_equal(heard_with("\"type\":\"return\""), messages[i].ends ? 0 : 1);
        tear_down(NULL);
        set_up(NULL);
    }
}

/* `here` answers the warning of silence only, and only if it shall. */
static void warnings(void **unused) {
    (void)unused;
    for (int answers = 0; answers < 2; answers++) {
        setup.answer_silence = answers == 1;
        at_table(true);
        static const char *const times[] = {"turn", "match", "silence"};
        for (uint32_t i = 0; i < 3; i++) {
            char text[128];
            snprintf(text, sizeof text,
                     "{\"type\":\"warning\",\"code\":\"%s\",\"what\":\"%s\",\"left_ms\":9}", code,
                     times[i]);
            tell(text);
            fake_run(loop, 5);
            assert_int_equal(told[MESSAGE_SERVER_WARNING], i + 1);
            assert_int_equal(heard_with("\"type\":\"here\""), answers == 1 && i == 2);
        }
        tear_down(NULL);
        set_up(NULL);
    }
}

/* What it does not know is ignored; what breaks the rules of the protocol closes it with the whole
 * story. */
static void odd_messages(void **unused) {
    (void)unused;
    open_client();
    until_connected();
    tell("{\"type\":\"fireworks\"}");
    tell("[]");
    tell("{");
    fake_run(loop, 5);
    assert_int_equal(client_state(client), CLIENT_CONNECTED);
    tell("{\"type\":\"warning\",\"code\":7,\"what\":\"turn\",\"left_ms\":1}");
    fake_run(loop, 5);
    assert_int_equal(client_state(client), CLIENT_CLOSED);
    assert_memory_equal(why, "unsupported \"warning\" message from the server: $.code ", 51);
    assert_int_equal(told[MESSAGE_SERVER_WARNING], 0);
    fake_run(loop, 60000);
    assert_int_equal(tried_count, 1);
}

/* An action has the number of the position and eight bytes; a long message goes out whole, one
 * that is too long not at all. */
static void requests_as_bytes(void **unused) {
    (void)unused;
    at_table(true);
    client->table.number = 12;
    MashAction action = {.verb = 3, .unit = 1, .x = 2, .y = 5};
    char digits[32], expected[128];
    MashText hex = text_over(digits, sizeof digits);
    action_to_hex(action, &hex);
    assert_true(arena_client.act(client, action));
    fake_run(loop, 5);
    snprintf(expected, sizeof expected, "{\"type\":\"act\",\"position\":12,\"action\":\"%s\"}",
             digits);
    assert_string_equal(heard[heard_count - 1], expected);
    enum { LONG = 5 << 20 };
    char *file = malloc(LONG);
    memset(file, 'a', LONG);
    Message open = message_new(MESSAGE_CLIENT_OPEN);
    strcpy(open.open.game, "zorde");
    open.open.documents.count = 1;
    message_set_present(&open, "documents");
    static const uint32_t sizes[] = {3000, 7000, 60000, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        open.open.documents.list[0] =
            (MashDocument){.name = "a.json", .bytes = file, .count = sizes[i]};
        assert_true(client_send(client, &open));
        fake_run(loop, 5);
        assert_in_range(heard_bytes, sizes[i] + 40, sizes[i] + 120);
    }
    uint32_t before = heard_count;
    open.open.documents.list[0].count = LONG;
    assert_false(client_send(client, &open));
    fake_run(loop, 5);
    assert_int_equal(heard_count, before);
    free(file);
    fake_cut(line);
    fake_run(loop, 2);
    assert_false(client_act(client, action));
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* What cannot be opened is said before anything is tried. */
static void texts_are_checked(void **unused) {
    (void)unused;
    static char longest[600];
    memset(longest, 'a', sizeof longest - 1);
    static const char digits[] = "0123456789ABCDEF0123456789abcdef";
    const struct {
        const char *url, *name, *token, *problem;
    } wrong[] = {
        {longest, "Ann", NULL, "the address is too long"},
        {longest + 599 - 512, "Ann", NULL, "the address is too long"},
        {setup.url, "", NULL, "a name must have 1 to 31 bytes"},
        {setup.url, longest + 599 - 32, NULL, "a name must have 1 to 31 bytes"},
        {setup.url, "Ann", "", "a token must have 32 lower-case hexadecimal digits"},
        {setup.url, "Ann", TOKEN "0", "a token must have 32 lower-case hexadecimal digits"},
        {setup.url, "Ann", digits, "a token must have 32 lower-case hexadecimal digits"},
        {setup.url, "Ann", digits + 1, "a token must have 32 lower-case hexadecimal digits"},
        {longest + 599 - 511, longest + 599 - 31, TOKEN, NULL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char memory[256];
        MashText problem = text_over(memory, sizeof memory);
        ClientSetup odd = setup;
        odd.url = wrong[i].url;
        odd.name = wrong[i].name;
        odd.token = wrong[i].token;
        Client *opened = client_open(shared, &odd, &problem);
        assert_int_equal(opened == NULL, wrong[i].problem != NULL);
        assert_string_equal(memory, wrong[i].problem == NULL ? "" : wrong[i].problem);
        client_close(opened);
    }
    fake_run(loop, 1000);
    assert_int_equal(tried_count, 0);
}

/* A token from elsewhere is used at the first welcome. */
static void a_token_is_used_at_once(void **unused) {
    (void)unused;
    setup.token = TOKEN;
    second_reading = table_text(true);
    open_client();
    fake_run(loop, 100);
    assert_int_equal(heard_with("\"type\":\"return\""), 1);
    assert_int_equal(client_state(client), CLIENT_CONNECTED);
    assert_string_equal(client_table(client)->code, code);
}

/* Nobody has to listen, and a client may be closed whenever a callback comes. */
static void callbacks_are_optional(void **unused) {
    (void)unused;
    setup.calls = (ClientCallbacks){.on_state = NULL};
    open_client();
    fake_run(loop, 100);
    assert_int_equal(client_state(client), CLIENT_CONNECTED);
    fake_cut(line);
    fake_run(loop, 500);
    assert_int_equal(client_state(client), CLIENT_CONNECTED);
    assert_int_equal(tried_count, 2);
}

static void closed_before_it_came(void **unused) {
    (void)unused;
    for (uint64_t ms = 0; ms < 6; ms++) {
        open_client();
        fake_run(loop, ms);
        client_close(client);
        client = NULL;
        uint32_t known = states[CLIENT_CONNECTED];
        fake_run(loop, 1000);
        assert_int_equal(states[CLIENT_CONNECTED], known);
        assert_null(line);
    }
    assert_int_equal(states[CLIENT_CLOSED] + states[CLIENT_RECONNECTING], 0);
}

/* Closed by its owner in the callback of this, it calls back no more and nothing is leaked. */
static void closed_in_a_callback(void **unused) {
    (void)unused;
    for (int when = 0; when < 4; when++) {
        at_table(true);
        closes = true;
        if (when == 0)
            tell("{\"type\":\"done\",\"to\":\"chat\"}"); /* a message */
        else if (when == 1)
            fake_cut(line); /* the loss */
        else if (when == 2)
            tell("{\"type\":\"done\",\"to\":7}"); /* the end */
        else {
            closes = false;
            second_reading = refusal_of("return", "no-such-token");
            fake_cut(line);
            fake_run(loop, 2);
            closes = true; /* coming back without a seat */
        }
        fake_run(loop, 1000);
        assert_null(client);
        assert_null(line);
        uint32_t tried = tried_count;
        fake_run(loop, 10000);
        assert_int_equal(tried_count, tried);
        assert_int_equal(told[MESSAGE_SERVER_REFUSED], 0);
        tear_down(NULL);
        set_up(NULL);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* --- Tables at other nodes -------------------------------------------------------------------- */

/* A request for a table at another node is repeated there; when that connection is lost, the first
 * address is asked again. */
static void it_goes_where_the_table_is(void **unused) {
    (void)unused;
    open_client();
    until_connected();
    assert_string_equal(tried_path, "/arena");
    Message join = message_new(MESSAGE_CLIENT_JOIN);
    memcpy(join.join.code, code, sizeof join.join.code);
    assert_true(client_send(client, &join));
    fake_run(loop, 5);
    tell("{\"type\":\"moved\",\"to\":\"join\",\"node\":3}");
    second_reading = table_text(true);
    until_connected();
    assert_string_equal(tried_path, "/arena?node=3");
    assert_int_equal(heard_with("\"type\":\"join\""), 2);
    assert_int_equal(told[MESSAGE_SERVER_TABLE], 1);
    assert_int_equal(told[MESSAGE_SERVER_MOVED], 0); /* nobody needs to know */
    assert_string_equal(client_table(client)->code, code);
    second_reading = NULL;
    fake_cut(line);
    fake_run(loop, 500);
    assert_string_equal(tried_path, "/arena");
    assert_int_equal(heard_with("\"type\":\"return\""), 1);
    tell("{\"type\":\"moved\",\"to\":\"return\",\"node\":4,\"url\":\"ws://server:99/arena/four\"}");
    second_reading = table_text(true);
    until_connected();
    assert_string_equal(tried_path, "/arena/four");
    assert_int_equal(heard_with("\"type\":\"join\""), 2); /* that was answered long ago */
}

/* An address is taken as it stands: without a port it is that of HTTP. One with TLS, as pages use
 * it, is reached as the first address was, by the number of the node. */
static void addresses_of_nodes(void **unused) {
    (void)unused;
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    NetServerSetup usual = {
        .port = 80, .calls = {.on_open = on_open, .on_message = on_message, .on_close = on_close}};
    usual_server = net_server_open(loop, &usual, &problem);
    at_table(true);
    tell("{\"type\":\"moved\",\"to\":\"return\",\"node\":2,\"url\":\"ws://server/arena?node=2\"}");
    second_reading = table_text(true);
    until_connected();
    assert_string_equal(tried_path, "/arena?node=2");
    assert_int_equal(tried_count, 2); /* at the first try: it did not go to another port */
    assert_non_null(line);
    tell("{\"type\":\"moved\",\"to\":\"return\",\"node\":3,\"url\":\"wss://server/other\"}");
    until_connected();
    assert_string_equal(tried_path, "/arena?node=3");
    assert_int_equal(states[CLIENT_CLOSED], 0);
}

/* A client that seeks is sent to where another waits, and seeks there with the same request. */
static void it_seeks_where_others_wait(void **unused) {
    (void)unused;
    open_client();
    until_connected();
    Message seek = message_new(MESSAGE_CLIENT_SEEK);
    snprintf(seek.seek.game, sizeof seek.seek.game, "zorde");
    seek.seek.turn_ms = 12345;
    message_set_present(&seek, "turn_ms");
    assert_true(client_send(client, &seek));
    fake_run(loop, 5);
    tell("{\"type\":\"moved\",\"to\":\"seek\",\"node\":2}");
    second_reading = table_text(true);
    until_connected();
    assert_string_equal(tried_path, "/arena?node=2");
    assert_int_equal(heard_with("12345"), 2);
    assert_string_equal(client_table(client)->code, code);
}

/* A request that was not answered when the connection was lost is its owner's to repeat. */
static void a_lost_request_is_not_repeated(void **unused) {
    (void)unused;
    open_client();
    until_connected();
    Message join = message_new(MESSAGE_CLIENT_JOIN);
    memcpy(join.join.code, code, sizeof join.join.code);
    assert_true(client_send(client, &join));
    fake_run(loop, 5);
    fake_cut(line);
    until_connected();
    assert_int_equal(heard_with("\"type\":\"join\""), 1);
}

/* A table that is just moving is asked for again, also by a client that has a token and would not
 * try again; a node that does not answer is left for the first address. */
static void it_waits_for_a_table_that_is_moving(void **unused) {
    (void)unused;
    setup.token = TOKEN;
    second_reading = "{\"type\":\"moved\",\"to\":\"return\"}";
    open_client();
    fake_run(loop, 3000);
    assert_int_equal(states[CLIENT_CLOSED], 0);
    assert_in_range(tried_count, 3, 12); /* with growing pauses */
    assert_string_equal(tried_path, "/arena");
    uint32_t before =
        tried_count; /* a node is lost until others have its matches: no long pauses */
    fake_run(loop, 5000);
    assert_in_range(tried_count, before + 4, before + 8);
    second_reading = "{\"type\":\"moved\",\"to\":\"return\",\"node\":2}";
    uint32_t tries = tried_count;
    for (int i = 0; i < 200 && tried_count == tries; i++)
        fake_run(loop, 10);
    assert_int_equal(tried_count, tries + 1); /* which says where it is: */
    fake_run(loop, 300);
    assert_int_equal(tried_count, tries + 2); /* it goes there at once, */
    assert_string_equal(tried_path, "/arena?node=2");
    fake_run(loop, 5000);
    assert_in_range(tried_count, tries + 6, tries + 12); /* but not again and again */
    second_reading =
        "{\"type\":\"moved\",\"to\":\"return\",\"node\":2,\"url\":\"ws://server:98/arena\"}";
    tries = tried_count;
    fake_run(loop, 8000); /* nobody is there: the first address knows by then who has the table */
    assert_true(tried_count >= tries + 4);
    fake_run(loop, 22000);
    assert_true(tried_count > tries + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(pauses_grow),
        TEST(closes_have_words),
        TEST(the_last_words_go_out),
        TEST(the_first_connection),
        TEST(it_tries_long_enough),
        TEST(the_end_of_the_window_is_inside),
        TEST(good_connections),
        TEST(it_says_who_it_is),
        TEST(only_the_table_brings_it_back),
        TEST(refusals_while_coming_back),
        TEST(refusals_of_the_first_hello),
        TEST(a_refusal_is_of_its_own_connection),
        TEST(another_version_of_the_protocol),
        TEST(the_end_of_a_stay),
        TEST(warnings),
        TEST(odd_messages),
        TEST(requests_as_bytes),
        TEST(texts_are_checked),
        TEST(a_token_is_used_at_once),
        TEST(callbacks_are_optional),
        TEST(closed_before_it_came),
        TEST(closed_in_a_callback),
        TEST(it_goes_where_the_table_is),
        TEST(addresses_of_nodes),
        TEST(it_waits_for_a_table_that_is_moving),
        TEST(it_seeks_where_others_wait),
        TEST(a_lost_request_is_not_repeated),
    };
    return cmocka_run_group_tests_name("client times", tests, NULL, NULL);
}
