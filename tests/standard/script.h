/* script.h -- a server of the standard that is a script, and one client at it, with the test's own
 * network and clock. The script's frames come from a match at our own server. Include it in a test
 * named ..._times.c, after cmocka.h. */
#ifndef TESTS_STANDARD_SCRIPT_H
#define TESTS_STANDARD_SCRIPT_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "standard/client.h"
#include "tests/server/fake/arena.h"

/* Sizes, and the times of the script's match. */
enum {
    FRAME_BYTES = 1 << 15,
    LINES_MAX = 256,
    LINE_BYTES = 512,
    MOMENTS_MAX = 12,
    PORT = 99,
    NEXT_TURN_MS = 60000, /* a turn of this test's match */
    PAUSE_MS = 50000,
    SILENCE_MS = 20000,
};

/* --- Frames ----------------------------------------------------------------------------------- */

/* The turn of a character: the event that says so, and the state. */
typedef struct Moment {
    char turn[256], state[FRAME_BYTES];
    bool mine;
} Moment;

/* The messages that describe a match, and its moments. */
static char offer[FRAME_BYTES], structure[FRAME_BYTES];
static Moment moments[MOMENTS_MAX];
static uint32_t moments_count;

/* Copies the object that begins here. */
static inline void copy_object(const char *from, char *out, size_t max) {
    size_t count = 0;
    int depth = 0;
    do {
        depth += (from[count] == '{') - (from[count] == '}');
        count++;
    } while (depth > 0);
    assert_true(count < max);
    memcpy(out, from, count);
    out[count] = '\0';
}

/* Replaces a part of a text by another of any length. */
static inline void put(char *text, const char *old, const char *new) {
    char *at = strstr(text, old);
    assert_non_null(at);
    memmove(at + strlen(new), at + strlen(old), strlen(at + strlen(old)) + 1);
    memcpy(at, new, strlen(new));
}

/* Replaces the number of a key. */
static inline void put_number(char *text, const char *key, uint32_t number) {
    char old[128], new[128];
    const char *at = strstr(text, key);
    assert_non_null(at);
    size_t digits = strspn(at + strlen(key), "0123456789");
    snprintf(old, sizeof old, "%.*s", (int)(strlen(key) + digits), at);
    snprintf(new, sizeof new, "%s%u", key, number);
    put(text, old, new);
}

/* Connects to our server and is ready to play. */
static inline void come_to(TestServer *arena, TestClient *client, const char *name) {
    test_client_connect(client, arena, "/");
    test_client_send(client,
                     "{\"messageType\":\"HELLO_SERVER\",\"name\":\"%s\",\"deviceID\":\"d\"}", name);
    test_client_send(client,
                     "{\"messageType\":\"PLAYER_READY\",\"startGame\":true,\"role\":\"PLAYER\"}");
}

/* Chooses the first six. */
static inline void choose_any(TestClient *client) {
    test_client_send(client,
                     "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":[true,true,true,true,"
                     "true,true,false,false,false,false,false,false]}");
}

/* Takes the frames of a player's match at our server. */
static inline int record(void **unused) {
    (void)unused;
    static TestServer arena;
    static TestClient ann, ben;
    static const char end[] =
        "{\"messageType\":\"REQUESTS\",\"messages\":[{\"requestType\":\"EndRoundRequest\"}]}";
    arena_init(&arena, 7);
    arena_open(&arena);
    come_to(&arena, &ann, "Ann");
    come_to(&arena, &ben, "Ben");
    choose_any(&ann);
    choose_any(&ben);
    for (int i = 0; i < 5; i++) {
        test_client_send(&ann, "%s", end);
        test_client_send(&ben, "%s", end);
    }
    copy_object(strstr(ann.received, "{\"messageType\":\"GAME_ASSIGNMENT\""), offer, sizeof offer);
    const char *at = strstr(ann.received, "{\"messageType\":\"GAME_STRUCTURE\"");
    copy_object(at, structure, sizeof structure);
    put_number(structure, "\"maxRoundTime\":", NEXT_TURN_MS / 1000);
    put_number(structure, "\"maxPauseTime\":", PAUSE_MS / 1000);
    put_number(structure, "\"maxResponseTime\":", SILENCE_MS / 1000);
    assert_non_null(strstr(structure, "PlayerOne\""));
    while ((at = strstr(at + 1, "{\"eventType\":\"TurnEvent\"")) != NULL) {
        Moment *moment = &moments[moments_count++];
        assert_true(moments_count <= MOMENTS_MAX);
        copy_object(at, moment->turn, sizeof moment->turn);
        moment->mine = strstr(moment->turn, "\"P1\"") != NULL;
        at = strstr(at, "{\"eventType\":\"GamestateEvent\"");
        copy_object(at, moment->state, sizeof moment->state);
    }
    assert_true(moments_count >= 6);
    test_client_release(&ann);
    test_client_release(&ben);
    arena_release(&arena);
    return 0;
}

/* The first moment of ours from this one on, or of theirs. */
static inline const Moment *moment_of(bool mine, uint32_t from) {
    while (from < moments_count && moments[from].mine != mine)
        from++;
    assert_true(from < moments_count);
    return &moments[from];
}

/* --- The server ------------------------------------------------------------------------------- */

/* The loop, the server, and what it was sent. */
static NetLoop *loop;
static NetServer *server;
static NetConnection *line; /* NULL: none */
static bool closed_door;
static const char *greeting; /* the answer to HELLO_SERVER; NULL: none */
static char sent[LINES_MAX][LINE_BYTES];
static uint64_t sent_ms[LINES_MAX];
static uint32_t sent_count, tries;
static uint64_t tried_ms;

/* The client comes. */
static inline uint16_t on_open(void *owner, NetConnection *from, const NetRequest *request) {
    (void)owner;
    (void)request;
    tries++;
    tried_ms = net_now_ms(loop);
    if (closed_door)
        return 503;
    line = from;
    return NET_ACCEPT;
}

/* Tells the client something. */
static inline void tell(const char *text) { net_send_text(line, text, (uint32_t)strlen(text)); }

/* The client says something. */
static inline void on_message(void *owner, NetConnection *from, const char *bytes, uint32_t count) {
    (void)owner;
    (void)from;
    assert_true(sent_count < LINES_MAX && count < LINE_BYTES);
    snprintf(sent[sent_count], LINE_BYTES, "%.*s", (int)count, bytes);
    sent_ms[sent_count++] = net_now_ms(loop);
    if (greeting != NULL && strstr(sent[sent_count - 1], "HELLO_SERVER") != NULL)
        tell(greeting);
}

/* The connection is closed. */
static inline void on_close(void *owner, NetConnection *from, uint16_t code, const char *reason) {
    (void)owner;
    (void)code;
    (void)reason;
    if (line == from)
        line = NULL;
}

/* Tells events in one frame; NULL ends them. */
static inline void tell_events(const char *first, ...) {
    static char text[4 * FRAME_BYTES];
    va_list list;
    strcpy(text, "{\"messageType\":\"EVENTS\",\"messages\":[");
    va_start(list, first);
    for (const char *event = first; event != NULL; event = va_arg(list, const char *)) {
        strcat(text, event == first ? "" : ",");
        strcat(text, event);
    }
    va_end(list);
    strcat(text, "]}");
    tell(text);
    fake_run(loop, 2);
}

/* An event without fields, the server's hello, a request without fields. */
#define EVENT(type)    "{\"eventType\":\"" type "\"}"
#define HELLO(running) "{\"messageType\":\"HELLO_CLIENT\",\"runningGame\":" running "}"
#define REQUESTS       "{\"messageType\":\"REQUESTS\",\"messages\":["
#define REQUEST(type)  REQUESTS "{\"requestType\":\"" type "\"}]}"

/* How many of what was sent have this in them, from number `from` on. */
static inline uint32_t sent_with(const char *part, uint32_t from) {
    uint32_t count = 0;
    for (uint32_t i = from; i < sent_count; i++)
        count += strstr(sent[i], part) != NULL;
    return count;
}

/* --- The client ------------------------------------------------------------------------------- */

/* The client, and what it told its owner. */
static StandardSetup setup;
static StandardClient *client;
static uint32_t phases[STANDARD_CLOSED + 1], positions, words_count, events_seen;
static uint64_t phase_ms[STANDARD_CLOSED + 1];
static char why[STANDARD_WHY_BYTES], word[STANDARD_WHY_BYTES];

/* The client's phase has changed. */
static inline void on_phase(void *owner, StandardPhase phase, const char *reason) {
    assert_ptr_equal(owner, &setup);
    phases[phase]++;
    phase_ms[phase] = net_now_ms(loop);
    snprintf(why, sizeof why, "%s", reason);
}

/* The client's position is new. */
static inline void on_position(void *owner) {
    assert_ptr_equal(owner, &setup);
    positions++;
    if (client != NULL)
        events_seen += standard_table(client)->events.count;
}

/* The client has a text for people. */
static inline void on_word(void *owner, const char *words) {
    assert_ptr_equal(owner, &setup);
    words_count++;
    snprintf(word, sizeof word, "%s", words);
}

/* Before each test. */
static inline int set_up(void **unused) {
    (void)unused;
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    NetServerSetup listening = {
        .port = PORT,
        .calls = {.on_open = on_open, .on_message = on_message, .on_close = on_close}};
    loop = net_loop_open();
    server = net_server_open(loop, &listening, &problem);
    line = NULL;
    client = NULL;
    closed_door = false;
    greeting = HELLO("false");
    sent_count = tries = positions = words_count = events_seen = 0;
    memset(phases, 0, sizeof phases);
    why[0] = word[0] = '\0';
    setup = (StandardSetup){.url = "ws://server:99/",
                            .name = "Ann",
                            .device = NULL,
                            .role = "KI",
                            .game = mash_game_find("marvelous-mashup"),
                            .calls = {on_phase, on_position, on_word},
                            .owner = &setup};
    return 0;
}

/* After each test. */
static inline int tear_down(void **unused) {
    (void)unused;
    standard_close(client);
    net_server_close(server);
    net_loop_close(loop);
    return 0;
}

/* Starts again inside a test. */
static inline void anew(void) {
    tear_down(NULL);
    set_up(NULL);
}

/* Opens the client, and waits a little. */
static inline void open_client(void) {
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    client = standard_client_open(loop, &setup, &problem);
    if (client == NULL)
        fail_msg("%s", memory);
    fake_run(loop, 10);
}

/* A new client, told of a match whose structure has this number behind the key. */
static inline void open_match_with(const char *key, uint32_t number) {
    char text[FRAME_BYTES];
    strcpy(text, structure);
    put_number(text, key, number);
    open_client();
    tell(text);
    fake_run(loop, 5);
}

/* What the client knows. */
static inline const StandardClientTable *table(void) { return standard_table(client); }

/* In a match, at this moment. */
static inline void in_match(const Moment *moment) {
    open_client();
    tell(structure);
    fake_run(loop, 2);
    assert_int_equal(standard_phase(client), STANDARD_PLAYING);
    tell_events(moment->turn, moment->state, NULL);
    assert_int_equal(table()->awaited, moment->mine ? 0 : 1);
    assert_int_equal(standard_awaited(client), moment->mine);
}

/* A legal action of ours that does not end the turn. */
static inline MashAction an_action(uint32_t number) {
    static MashAction list[4096];
    uint32_t count = table()->content->game->actions(table()->content, table()->state, 0, list);
    assert_true(table()->content->limits.actions_max <= 4096 && count > 2);
    return list[number % count];
}

/* A step, as the request for it says it. */
static inline MashAction a_step(uint32_t number) {
    for (uint32_t i = 0;; i++) {
        MashAction action = an_action(i);
        if (action.verb == an_action(0).verb && number-- == 0)
            return action;
    }
}

/* Lets time pass until something more is sent; fails after `most` ms. Returns when. */
static inline uint64_t until_sent(uint64_t most_ms) {
    uint32_t before = sent_count;
    uint64_t began = net_now_ms(loop);
    while (sent_count == before && net_now_ms(loop) - began <= most_ms)
        fake_run(loop, 1);
    assert_int_equal(sent_count, before + 1);
    return sent_ms[before] - 1; /* it was under way for a millisecond */
}

/* Lets time pass until it is closed; returns when. */
static inline uint64_t until_closed(uint64_t most_ms) {
    uint64_t began = net_now_ms(loop);
    while (phases[STANDARD_CLOSED] == 0 && net_now_ms(loop) - began <= most_ms)
        fake_run(loop, 1);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    return phase_ms[STANDARD_CLOSED];
}

/* Events and frames of an end. */
#define WON(player)   "{\"eventType\":\"WinEvent\",\"playerWon\":" player "}"
#define ERROR_FRAME   "{\"messageType\":\"ERROR\",\"message\":\"no\\u0007 seat\"}"
#define GOODBYE_FRAME "{\"messageType\":\"GOODBYE_CLIENT\",\"message\":\"bye\"}"

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
