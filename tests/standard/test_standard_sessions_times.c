/* test_standard_sessions_times.c -- clients of the standard at our server: what they may say when,
 * which table they find, their names, their former seats, and the form of messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "standard/server/internal.h"
#include "tests/server/fake/arena.h"

enum { CLIENTS = 5 };

static TestServer arena;
static TestClient clients[CLIENTS];

static int set_up(void **unused) {
    (void)unused;
    memset(clients, 0, sizeof clients);
    arena_init(&arena, 7);
    arena_open(&arena);
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < CLIENTS; i++)
        test_client_release(&clients[i]);
    arena_release(&arena);
    return 0;
}

/* Starts again with a changed configuration. */
static void reopen(void) {
    StandardConfig config = arena.standard;
    tear_down(NULL);
    arena_init(&arena, 7);
    arena.standard = config;
    arena_open(&arena);
}

static void connect_to(uint32_t who, const char *path) {
    test_client_release(&clients[who]);
    test_client_connect(&clients[who], &arena, path);
}

static void say(uint32_t who, const char *text) { test_client_send(&clients[who], "%s", text); }

static void hello(uint32_t who, const char *name, const char *device) {
    test_client_send(&clients[who],
                     "{\"messageType\":\"HELLO_SERVER\",\"name\":\"%s\",\"deviceID\":\"%s\"}", name,
                     device);
}

#define READY(role) "{\"messageType\":\"PLAYER_READY\",\"startGame\":true,\"role\":\"" role "\"}"
#define CHOICE                                                                                     \
    "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":[true,true,true,true,true,true,"      \
    "false,false,false,false,false,false]}"
#define REQUESTS(type)                                                                             \
    "{\"messageType\":\"REQUESTS\",\"messages\":[{\"requestType\":\"" type "\"}]}"
#define BARE(type) "{\"requestType\":\"" type "\"}"

/* Connects at a path, says who it is and is ready. */
static void come(uint32_t who, const char *path, const char *name, const char *ready) {
    connect_to(who, path);
    hello(who, name, name);
    say(who, ready);
}

/* Was it told this since it connected? */
static bool told(uint32_t who, const char *words) {
    return strstr(clients[who].received, words) != NULL;
}

#define TOLD(who, words)                                                                           \
    do {                                                                                           \
        if (!told(who, words))                                                                     \
            fail_msg("\"%s\" was not said; it was: %.900s", words, clients[who].received);         \
    } while (0)

/* Two players in a match. */
static void begin_match(void) {
    come(0, "/", "Ann", READY("PLAYER"));
    come(1, "/", "Ben", READY("PLAYER"));
    say(0, CHOICE);
    say(1, CHOICE);
    TOLD(0, "GamestateEvent");
    TOLD(1, "GamestateEvent");
}

/* --- What may be said when -------------------------------------------------------------------- */

/* Said at the wrong time, or wrong in itself, it ends the connection with the reason. */
static void at_the_wrong_time(void **unused) {
    (void)unused;
    static const struct {
        int hellos, readies; /* said before */
        const char *text, *reason;
    } cases[] = {
        {0, 0, "{", "Not valid JSON."},
        {0, 0, "{\"messageType\":\"WHAT\"}", "Unknown message."},
        {0, 0, "{}", "Unknown message."},
        {0, 0, READY("PLAYER"), "Unexpected message."},
        {0, 0, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}", "Unexpected message."},
        {0, 0, "{\"messageType\":\"HELLO_SERVER\",\"name\":\"Ann\"}",
         "A key of the message is missing or invalid."},
        {0, 0, REQUESTS("Req"), "That request came too early."},
        {1, 0, REQUESTS("Req"), "That request came too early."},
        {1, 0, BARE("Req"), "That request came too early."},
        {1, 0, "{\"messageType\":\"HELLO_SERVER\",\"name\":\"Ann\",\"deviceID\":\"d\"}",
         "Unexpected message."},
        {1, 0, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}",
         "You have no match in progress."},
        {1, 0, CHOICE, "Unexpected message."},
        {1, 0, "{\"messageType\":\"PLAYER_READY\",\"startGame\":false,\"role\":\"PLAYER\"}",
         "\"message\":\"goodbye\""},
        {1, 1, READY("PLAYER"), "Unexpected message."},
        {1, 1, CHOICE, "Unexpected message."},
        {1, 1, REQUESTS("EndRoundRequest"), "The match has not begun."},
        {1, 1, BARE("EndRoundRequest"), "The match has not begun."},
        {1, 1, REQUESTS("Jump"), "The match has not begun."},
        {1, 1, REQUESTS("DisconnectRequest"), "\"message\":\"goodbye\""},
        {1, 1, BARE("DisconnectRequest"), "\"message\":\"goodbye\""},
        {1, 1, "{\"messageType\":\"REQUESTS\"}", "REQUESTS must contain a list of messages."},
        {1, 1, "{\"messageType\":\"REQUESTS\",\"messages\":{}}",
         "REQUESTS must contain a list of messages."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        connect_to(0, "/");
        if (cases[i].hellos > 0)
            hello(0, "Ann", "d");
        if (cases[i].readies > 0)
            say(0, READY("PLAYER"));
        assert_false(told(0, "GOODBYE_CLIENT"));
        say(0, cases[i].text);
        TOLD(0, cases[i].reason);
        TOLD(0, "GOODBYE_CLIENT");
        arena_run(&arena, 2000);
        assert_null(clients[0].connection);
    }
}

/* What is harmless has no answer. */
static void harmless(void **unused) {
    (void)unused;
    connect_to(0, "/");
    fake_send_binary(clients[0].connection);
    arena_run(&arena, 50);
    TOLD(0, "Binary messages are not supported.");
    hello(0, "Ann", "d");
    TOLD(0, "{\"messageType\":\"HELLO_CLIENT\",\"runningGame\":false}");
    say(0, "{\"messageType\":\"ERROR\",\"message\":\"oops\",\"type\":0}");
    say(0, READY("PLAYER"));
    uint32_t before = clients[0].frames;
    say(0, REQUESTS("Req"));
    say(0, BARE("Req"));
    say(0, "{\"messageType\":\"REQUESTS\",\"messages\":[]}");
    say(0, "{\"messageType\":\"ERROR\",\"message\":\"oops\",\"type\":0}");
    assert_int_equal(clients[0].frames, before);
    assert_non_null(clients[0].connection);
    assert_non_null(strstr(arena.log, "Ann reported an error"));
    /* A spectator who waits may keep alive and leave. */
    come(1, "/match/nobody", "Eve", READY("SPECTATOR"));
    before = clients[1].frames;
    say(1, REQUESTS("Req"));
    assert_int_equal(clients[1].frames, before);
    say(1, REQUESTS("DisconnectRequest"));
    TOLD(1, "\"message\":\"goodbye\"");
}

/* --- Tables ----------------------------------------------------------------------------------- */

static void names_of_tables(void **unused) {
    (void)unused;
    static const char *const wrong[] = {"/match/", "/match/a.b", "/match/a/b",
                                        "/match/0000-0000-0001"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        for (int role = 0; role < 2; role++) {
            bool code = i == 3; /* of the arena: it may come to be, and a spectator waits for it */
            come(0, wrong[i], "Ann", role == 0 ? READY("PLAYER") : READY("SPECTATOR"));
            assert_int_equal(told(0, "Table not found."), role == 0 || !code);
        }
    /* As long as there is room for. */
    char path[128] = "/match/";
    size_t room = sizeof((StandardSession *)NULL)->label;
    memset(path + 7, 'a', room);
    path[7 + room] = '\0';
    come(0, path, "Ann", READY("PLAYER"));
    TOLD(0, "Table not found.");
    path[7 + room - 1] = '\0';
    come(0, path, "Ann", READY("PLAYER"));
    assert_false(told(0, "GOODBYE"));
    come(1, path, "Ben", READY("PLAYER"));
    TOLD(0, "GAME_ASSIGNMENT");
    /* Only those of the name meet there, and only two. */
    come(2, "/match/zZ-_09", "Cid", READY("PLAYER"));
    come(3, "/", "Dan", READY("PLAYER"));
    assert_false(told(2, "GAME_ASSIGNMENT") || told(3, "GAME_ASSIGNMENT"));
    come(4, path, "Eve", READY("PLAYER"));
    TOLD(4, "That match is full.");
    come(4, "/match/zZ-_09", "Eve", READY("PLAYER"));
    TOLD(2, "GAME_ASSIGNMENT");
    TOLD(4, "GAME_ASSIGNMENT");
    assert_false(told(3, "GAME_ASSIGNMENT"));
}

/* So many AI players at a table and no more; one table only. */
static void limits_of_tables(void **unused) {
    (void)unused;
    arena.standard.ais = 1;
    reopen();
    come(0, "/", "Ann", READY("KI"));
    come(1, "/", "Ben", READY("KI"));
    assert_false(told(0, "GAME_ASSIGNMENT") || told(1, "GAME_ASSIGNMENT"));
    come(2, "/", "Cid", READY("PLAYER")); /* where it has been waited longest */
    TOLD(0, "GAME_ASSIGNMENT");
    assert_false(told(1, "GAME_ASSIGNMENT"));
    arena.standard.ais = 2;
    arena.standard.single = true;
    reopen();
    come(0, "/", "Ann", READY("KI"));
    come(1, "/match/other", "Ben", READY("KI"));
    TOLD(1, "A match is already in progress.");
    come(1, "/", "Ben", READY("KI"));
    TOLD(1, "GAME_ASSIGNMENT");
    come(2, "/", "Cid", READY("KI"));
    TOLD(2, "A match is already in progress.");
    test_client_release(&clients[0]);
    test_client_release(&clients[1]);
    arena_run(&arena, 600000); /* it is over */
    come(2, "/", "Cid", READY("KI"));
    assert_false(told(2, "GOODBYE"));
}

/* A waiting player must be connected, or nobody joins. */
static void a_waiting_player_must_be_connected(void **unused) {
    (void)unused;
    come(0, "/", "Ann", READY("PLAYER"));
    test_client_release(&clients[0]);
    come(1, "/", "Ben", READY("PLAYER"));
    assert_false(told(1, "GAME_ASSIGNMENT"));
    come(2, "/", "Cid", READY("PLAYER"));
    TOLD(1, "GAME_ASSIGNMENT");
}

/* A spectator sees the match that runs rather than the table that waits, and named ones only by
 * name. */
static void what_spectators_see(void **unused) {
    (void)unused;
    come(4, "/", "Eve", READY("SPECTATOR")); /* before there is anything: whatever comes */
    come(2, "/match/club", "Cid", READY("PLAYER"));
    come(3, "/match/club", "Dan", READY("PLAYER"));
    say(2, CHOICE);
    say(3, CHOICE);
    TOLD(4, "\"assignment\":\"Spectator\"");
    TOLD(4, "\"playerOneName\":\"Cid\"");
    come(4, "/", "Eve", READY("SPECTATOR"));
    assert_false(told(4, "GAME_STRUCTURE"));
    begin_match();
    TOLD(4, "\"playerOneName\":\"Ann\"");
    come(4, "/", "Eve", READY("SPECTATOR"));
    TOLD(4, "\"playerOneName\":\"Ann\"");
    come(4, "/match/club", "Eve", READY("SPECTATOR"));
    TOLD(4, "\"playerOneName\":\"Cid\"");
    come(4, "/match/blub", "Eve", READY("SPECTATOR"));
    assert_false(told(4, "GAME_STRUCTURE") || told(4, "GOODBYE"));
}

/* --- Names and seats -------------------------------------------------------------------------- */

/* Two of the same name are told apart; a name of nothing is another. */
static void names_differ(void **unused) {
    (void)unused;
    static const char *const pairs[][2] = {
        {"Ann", "Ann (2)"},
        {"0123456789012345678901234567890", "012345678901234567890123456 (2)"},
        {"01234567890123456789012345\303\251890", "01234567890123456789012345 (2)"},
        {"", "Player (2)"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char expected[96];
        connect_to(0, "/");
        hello(0, pairs[i][0], "a");
        say(0, READY("PLAYER"));
        connect_to(1, "/");
        hello(1, pairs[i][0], "b");
        say(1, READY("PLAYER"));
        say(0, CHOICE);
        say(1, CHOICE);
        snprintf(expected, sizeof expected, "\"playerOneName\":\"%s\",\"playerTwoName\":\"%s\"",
                 pairs[i][0][0] == '\0' ? "Player" : pairs[i][0], pairs[i][1]);
        TOLD(0, expected);
        TOLD(1, expected);
        say(0, REQUESTS("DisconnectRequest"));
        arena_run(&arena, 5000);
    }
}

/* Name and device own the seat: both must be the same. */
static void former_seats(void **unused) {
    (void)unused;
    begin_match();
    test_client_release(&clients[0]);
    static const char *const others[][2] = {{"Ann", "Ben"}, {"Anna", "Ann"}, {"Ann", "x"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        connect_to(2, "/");
        hello(2, others[i][0], others[i][1]);
        TOLD(2, "\"runningGame\":false");
    }
    connect_to(0, "/");
    hello(0, "Ann", "Ann");
    TOLD(0, "\"runningGame\":true");
    say(0, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
    TOLD(0, "\"assignment\":\"PlayerOne\"");
    assert_false(told(1, "WinEvent"));
    /* Resigned: the other has won. */
    test_client_release(&clients[0]);
    connect_to(0, "/");
    hello(0, "Ann", "Ann");
    say(0, "{\"messageType\":\"RECONNECT\",\"reconnect\":false}");
    TOLD(0, "\"message\":\"goodbye\"");
    TOLD(1, "\"eventType\":\"WinEvent\",\"playerWon\":2");
}

/* A player who starts again resigns the old match; while another connection plays it, it goes on.
 */
static void beginning_anew(void **unused) {
    (void)unused;
    begin_match();
    come(2, "/", "Ann", READY("PLAYER")); /* the same name and device, while the first plays */
    assert_false(told(1, "WinEvent"));
    test_client_release(&clients[0]);
    come(3, "/", "Ann", READY("PLAYER"));
    TOLD(1, "\"eventType\":\"WinEvent\",\"playerWon\":2");
    TOLD(3, "GAME_ASSIGNMENT"); /* with the other Ann, who waited */
}

/* --- At a table ------------------------------------------------------------------------------- */

/* A choice of this many. */
static const char *choice_of(uint32_t count) {
    static char text[256];
    strcpy(text, "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":[");
    for (uint32_t i = 0; i < 12; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i == 0 ? "" : ",",
                 i >= 12 - count ? "true" : "false");
    strcat(text, "]}");
    return text;
}

/* Exactly six of twelve, once; the first to choose is told so, the last sees the match begin. */
static void choices(void **unused) {
    (void)unused;
    static const uint32_t wrong[] = {0, 5, 7, 12};
    come(0, "/", "Ann", READY("PLAYER"));
    come(1, "/", "Ben", READY("PLAYER"));
    come(4, "/", "Eve", READY("SPECTATOR"));
    TOLD(4, "GENERAL_ASSIGNMENT");
    assert_false(told(4, "characterSelection"));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        test_client_forget(&clients[0]);
        say(0, choice_of(wrong[i]));
        assert_string_equal(clients[0].received,
                            "{\"messageType\":\"CONFIRM_SELECTION\",\"selectionComplete\":"
                            "false}\n");
    }
    test_client_forget(&clients[0]);
    say(0, "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":7}");
    TOLD(0, "\"selectionComplete\":false");
    test_client_forget(&clients[0]);
    say(0, choice_of(6));
    assert_string_equal(clients[0].received,
                        "{\"messageType\":\"CONFIRM_SELECTION\",\"selectionComplete\":true}\n");
    /* Lost and back: the choice stands. */
    test_client_release(&clients[0]);
    connect_to(0, "/");
    hello(0, "Ann", "Ann");
    say(0, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
    TOLD(0, "GAME_ASSIGNMENT");
    TOLD(0, "\"selectionComplete\":true");
    test_client_release(&clients[1]);
    connect_to(1, "/");
    hello(1, "Ben", "Ben");
    say(1, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
    TOLD(1, "GAME_ASSIGNMENT");
    assert_false(told(1, "CONFIRM_SELECTION"));
    say(1, choice_of(6));
    assert_false(told(1, "CONFIRM_SELECTION"));
    TOLD(0, "\"assignment\":\"PlayerOne\"");
    TOLD(1, "\"assignment\":\"PlayerTwo\"");
    TOLD(4, "\"assignment\":\"Spectator\"");
    say(0, choice_of(6));
    TOLD(0, "Unexpected message.");
}

/* What is chosen in a pause counts when it ends, and is confirmed once. */
static void choices_in_a_pause(void **unused) {
    (void)unused;
    come(0, "/", "Ann", READY("PLAYER"));
    come(1, "/", "Ben", READY("PLAYER"));
    for (int i = 0; i < 2; i++) {
        say(1, REQUESTS("PauseStartRequest"));
        if (i == 0)
            say(0, choice_of(6));
        test_client_forget(&clients[0]);
        say(1, REQUESTS("PauseStopRequest"));
        assert_int_equal(told(0, "\"selectionComplete\":true"), i == 0);
    }
}

/* Pauses: the client that asks gets the Ack, everybody the event and the state; a client that
 * reconnects sees the pause. */
static void pauses(void **unused) {
    (void)unused;
    begin_match();
    come(4, "/", "Eve", READY("SPECTATOR"));
    for (uint32_t i = 0; i < CLIENTS; i++)
        if (clients[i].connection != NULL)
            test_client_forget(&clients[i]);
    say(0, REQUESTS("PauseStopRequest")); /* there is none */
    TOLD(0, "[{\"eventType\":\"Nack\"},{\"eventType\":\"GamestateEvent\"");
    test_client_forget(&clients[0]);
    say(0, REQUESTS("PauseStartRequest"));
    TOLD(0, "[{\"eventType\":\"Ack\"},{\"eventType\":\"PauseStartEvent\"},{\"eventType\":"
            "\"GamestateEvent\"");
    TOLD(1, "[{\"eventType\":\"PauseStartEvent\"},{\"eventType\":\"GamestateEvent\"");
    TOLD(4, "[{\"eventType\":\"PauseStartEvent\"},{\"eventType\":\"GamestateEvent\"");
    test_client_forget(&clients[0]);
    say(0, REQUESTS("PauseStartRequest"));
    TOLD(0, "Nack");
    say(0, REQUESTS("EndRoundRequest"));
    say(1, REQUESTS("Jump")); /* nothing is an offence in a pause */
    say(1, REQUESTS("Jump"));
    say(1, REQUESTS("Jump"));
    assert_false(told(0, "WinEvent"));
    come(4, "/", "Eve", READY("SPECTATOR"));
    TOLD(4, "[{\"eventType\":\"PauseStartEvent\"},{\"eventType\":\"GamestateEvent\"");
    test_client_forget(&clients[1]);
    say(1, REQUESTS("PauseStopRequest"));
    TOLD(1, "{\"eventType\":\"Ack\"},{\"eventType\":\"PauseStopEvent\"}");
    TOLD(4, "PauseStopEvent");
    come(4, "/", "Eve", READY("SPECTATOR"));
    TOLD(4, "GamestateEvent");
    assert_false(told(4, "PauseStartEvent"));
}

/* An AI player may not pause: an offence each time. */
static void ai_players_do_not_pause(void **unused) {
    (void)unused;
    come(0, "/", "Ann", READY("KI"));
    come(1, "/", "Ben", READY("PLAYER"));
    say(0, CHOICE);
    say(1, CHOICE);
    for (int i = 0; i < 5; i++) {
        test_client_forget(&clients[0]);
        if (clients[0].connection != NULL)
            say(0, REQUESTS("PauseStartRequest"));
        assert_false(told(0, "PauseStartEvent"));
    }
    TOLD(1, "\"eventType\":\"WinEvent\",\"playerWon\":2");
}

/* The state on request, requests of others, a resignation; and the end of it all. */
static void requests(void **unused) {
    (void)unused;
    begin_match();
    come(4, "/", "Eve", READY("SPECTATOR"));
    test_client_forget(&clients[0]);
    say(0, REQUESTS("Req"));
    assert_memory_equal(clients[0].received,
                        "{\"messageType\":\"EVENTS\",\"messages\":[{\"eventType\":"
                        "\"GamestateEvent\"",
                        65);
    test_client_forget(&clients[4]);
    say(4, REQUESTS("Req"));
    TOLD(4, "GamestateEvent");
    say(4, REQUESTS("EndRoundRequest"));
    TOLD(4, "Nack");
    assert_false(told(4, "GOODBYE"));
    say(4, REQUESTS("EndRoundRequest"));
    TOLD(4, "Spectators can't do that.");
    come(4, "/", "Eve", READY("SPECTATOR"));
    say(4, REQUESTS("DisconnectRequest"));
    TOLD(4, "\"message\":\"goodbye\"");
    assert_false(told(0, "WinEvent"));
    /* Several in one frame are handled in order until one is refused. */
    test_client_forget(&clients[0]);
    say(0, "{\"messageType\":\"REQUESTS\",\"messages\":[{\"requestType\":\"Req\"},"
           "{\"requestType\":\"Req\"},{\"requestType\":\"Jump\"},{\"requestType\":\"Req\"}]}");
    assert_int_equal(clients[0].frames, 3);
    test_client_forget(&clients[0]);
    say(0, REQUESTS("DisconnectRequest"));
    TOLD(0, "{\"eventType\":\"Ack\"}");
    TOLD(0, "\"eventType\":\"WinEvent\",\"playerWon\":2");
    TOLD(0, "\"message\":\"match over\"");
    TOLD(1, "\"message\":\"match over\"");
    assert_int_equal(told(1, "\"eventType\":\"Ack\""), false);
    arena_run(&arena, 5000);
    assert_true(clients[0].connection == NULL && clients[1].connection == NULL);
}

/* --- The form of messages --------------------------------------------------------------------- */

/* Events come in envelopes, or each alone: by the path, the device, the configuration, or as the
 * client sends its requests. */
static void forms(void **unused) {
    (void)unused;
    static const char wrapped[] = "\n{\"messageType\":\"EVENTS\",\"messages\":[{\"eventType\":";
    static const char bare[] = "\n{\"eventType\":\"GamestateEvent\"";
    static const struct {
        StandardFraming framing;
        const char *path, *device;
        bool bare, fixed;
    } cases[] = {
        {STANDARD_FRAMING_EACH, "/", "d", false, false},
        {STANDARD_FRAMING_EACH, "/channel", "d", true, true},
        {STANDARD_FRAMING_EACH, "/", "team26-7", true, true},
        {STANDARD_FRAMING_EACH, "/", "team27-7", false, false},
        {STANDARD_FRAMING_WRAPPED, "/channel", "team26-7", false, true},
        {STANDARD_FRAMING_BARE, "/", "d", true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        arena.standard.framing = cases[i].framing;
        reopen();
        connect_to(0, cases[i].path);
        hello(0, "Ann", cases[i].device);
        say(0, READY("PLAYER"));
        come(1, "/", "Ben", READY("PLAYER"));
        say(0, CHOICE);
        say(1, CHOICE);
        TOLD(0, cases[i].bare ? bare : wrapped);
        assert_false(told(0, cases[i].bare ? wrapped : bare));
        /* The form of requests decides, unless it is fixed. */
        test_client_forget(&clients[0]);
        say(0, BARE("PauseStartRequest"));
        bool now_bare = cases[i].fixed ? cases[i].bare : true;
        assert_int_equal(told(0, "{\"messageType\":\"EVENTS\""), !now_bare);
        TOLD(0, "PauseStartEvent");
        test_client_forget(&clients[0]);
        say(0, REQUESTS("PauseStopRequest"));
        bool again_bare = cases[i].fixed ? cases[i].bare : false;
        assert_int_equal(told(0, "{\"messageType\":\"EVENTS\""), !again_bare);
        /* A bare Req of a client that uses envelopes is answered without one, and changes nothing.
         */
        test_client_forget(&clients[0]);
        say(0, BARE("Req"));
        assert_int_equal(told(0, "{\"messageType\":\"EVENTS\""), cases[i].fixed && !cases[i].bare);
        test_client_forget(&clients[0]);
        say(1, REQUESTS("PauseStartRequest"));
        assert_int_equal(told(0, "{\"messageType\":\"EVENTS\""), !again_bare);
        TOLD(0, "PauseStartEvent");
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(at_the_wrong_time),
        TEST(harmless),
        TEST(names_of_tables),
        TEST(limits_of_tables),
        TEST(a_waiting_player_must_be_connected),
        TEST(what_spectators_see),
        TEST(names_differ),
        TEST(former_seats),
        TEST(beginning_anew),
        TEST(choices),
        TEST(choices_in_a_pause),
        TEST(pauses),
        TEST(ai_players_do_not_pause),
        TEST(requests),
        TEST(forms),
    };
    return cmocka_run_group_tests_name("standard sessions", tests, NULL, NULL);
}
