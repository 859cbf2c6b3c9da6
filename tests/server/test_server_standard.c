/* test_server_standard.c -- clients of the Marvelous Mashup standard and a simulated clock: times
 * that are too long for a real clock, lost connections, a server that is killed and restarted. The
 * order of messages is tested by tests/standard/conversations.mjs over real sockets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "standard/server/internal.h"
#include "tests/server/fake/arena.h"

static TestServer arena;
static TestClient ann, ben, eve;
/* Which of them are connected and must be released. */
static TestClient *here[3];
static uint32_t here_count;

static int set_up(void **unused) {
    (void)unused;
    arena_init(&arena, 7);
    arena.setup.folder = arena.folder; /* operators have an admin socket */
    here_count = 0;
    arena_open(&arena);
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    for (uint32_t i = 0; i < here_count; i++)
        test_client_release(here[i]);
    arena_release(&arena);
    return 0;
}

/* Connects and sends hello. */
static void come(TestClient *client, const char *path, const char *name) {
    bool again = false;
    for (uint32_t i = 0; i < here_count; i++)
        again |= here[i] == client;
    if (again)
        test_client_release(client);
    else
        here[here_count++] = client;
    test_client_connect(client, &arena, path);
    test_client_send(client,
                     "{\"messageType\":\"HELLO_SERVER\",\"name\":\"%s\",\"deviceID\":\"d\"}", name);
}

static void ready(TestClient *client, const char *role) {
    test_client_send(client,
                     "{\"messageType\":\"PLAYER_READY\",\"startGame\":true,\"role\":\"%s\"}", role);
}

static void choose(TestClient *client) {
    test_client_send(client,
                     "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":[true,true,true,true,"
                     "true,true,false,false,false,false,false,false]}");
}

static void ask(TestClient *client, const char *type) {
    test_client_send(
        client, "{\"messageType\":\"REQUESTS\",\"messages\":[{\"requestType\":\"%s\"}]}", type);
}

/* Was this sent after the mark? Moves the mark after it. */
static bool received(TestClient *client, const char *words) {
    const char *found = strstr(client->received + client->mark, words);
    if (found == NULL)
        return false;
    client->mark = (uint32_t)(found - client->received) + (uint32_t)strlen(words);
    return true;
}
#define RECEIVED(visitor, words)                                                                   \
    do {                                                                                           \
        if (!received(visitor, words))                                                             \
            fail_msg("\"%s\" was not said; it was: %.600s", words,                                 \
                     (visitor)->received + (visitor)->mark);                                       \
    } while (0)

static void sit_down(void) {
    come(&ann, "/", "Ann");
    ready(&ann, "PLAYER");
    come(&ben, "/", "Ben");
    ready(&ben, "KI");
    RECEIVED(&ann, "GAME_ASSIGNMENT");
    RECEIVED(&ben, "GAME_ASSIGNMENT");
}

static void begin(void) {
    sit_down();
    choose(&ann);
    RECEIVED(&ann, "\"selectionComplete\":true");
    choose(&ben);
    RECEIVED(&ann, "GamestateEvent");
    RECEIVED(&ben, "GamestateEvent");
}

static void won_by(TestClient *client, int player) {
    char words[64];
    snprintf(words, sizeof words, "\"eventType\":\"WinEvent\",\"playerWon\":%d}", player);
    RECEIVED(client, words);
    RECEIVED(client, "DisconnectEvent");
}

/* The player whose turn it is, and the other one. */
static TestClient *seat_to_move(void) {
    uint32_t turn;
    Table *table = arena.server->tables;
    uint8_t seat = standard_server_table(table)->adapter->seat_to_move(table->match.content,
                                                                       table->match.state, &turn);
    return seat == 0 ? &ann : &ben;
}

/* --- Times ------------------------------------------------------------------------------------ */

/* Journals name players by this: after a restart any program must recognise the players. */
static void identities_stay_what_they_were(void **unused) {
    (void)unused;
    sit_down();
    const Table *table = arena.server->tables;
    assert_string_equal(table->chairs[0].identity, "0fb7c94c3937f37757a0da72a394bad5");
    assert_string_equal(table->chairs[1].identity, "cb29fbbb7e31d427f5d69257bf101c5b");
}

/* Five minutes, as configured; no message makes it longer. */
static void the_choice_has_a_deadline(void **unused) {
    (void)unused;
    sit_down();
    choose(&ben);
    for (int i = 0; i < 9; i++) {
        arena_run(&arena, 30000);
        ask(&ann, "Req");
    }
    assert_false(received(&ann, "TimeoutEvent"));
    arena_run(&arena, 30000);
    RECEIVED(&ann, "TimeoutEvent");
    won_by(&ann, 2);
    RECEIVED(&ann, "GOODBYE_CLIENT");
    won_by(&ben, 2);
    arena_run(&arena, 100);
    assert_int_equal(ann.close_code, NET_CLOSE_NORMAL);
}

/* A short turn still leaves two minutes for the draft, and is short again when play begins. */
static void the_choice_has_two_minutes_at_least(void **unused) {
    (void)unused;
    TableConfig *config;
    come(&ann, "/", "Ann");
    ready(&ann, "PLAYER");
    config = &arena.server->tables->config;
    config->content->content->limits.turn_ms = config->clocks.turn_ms = 10000;
    come(&ben, "/match/nobody", "Ben");
    test_client_release(&ben);
    here_count--;
    char path[64];
    snprintf(path, sizeof path, "/match/%s",
             arena.server->tables->next != NULL ? arena.server->tables->next->code
                                                : arena.server->tables->code);
    come(&ben, path, "Ben");
    ready(&ben, "PLAYER");
    RECEIVED(&ben, "GAME_ASSIGNMENT");
    arena_run(&arena, 60000);
    assert_false(received(&ann, "TimeoutEvent"));
    choose(&ann);
    choose(&ben);
    RECEIVED(&ben, "GamestateEvent");
    arena_run(&arena, 11000);
    RECEIVED(seat_to_move() == &ann ? &ann : &ben, "TurnEvent");
    config->content->content->limits.turn_ms = 300000;
}

/* The match's time is over during the draft: nobody loses, and Thanos comes in round 2. */
static void overtime_waits_for_play(void **unused) {
    (void)unused;
    come(&ann, "/", "Ann");
    ready(&ann, "PLAYER");
    arena.server->tables->config.clocks.match_ms = 5000;
    char path[64];
    snprintf(path, sizeof path, "/match/%s", arena.server->tables->code);
    come(&ben, path, "Ben");
    ready(&ben, "PLAYER");
    arena_run(&arena, 10000);
    choose(&ann);
    choose(&ben);
    RECEIVED(&ann, "GamestateEvent");
    arena_run(&arena, 100);
    for (int i = 0; i < 12; i++)
        ask(seat_to_move(), "EndRoundRequest");
    RECEIVED(&ann, "{\"entityType\":\"NPC\",\"ID\":2");
    RECEIVED(&ann, "\"roundCount\":2");
    arena_run(&arena, 10000);
    assert_true(table_is_running(arena.server->tables));
}

/* A game with a rule for the end of the match's time is asked once; a second time has no effect and
 * ends nothing. */
static void overtime_comes_once(void **unused) {
    (void)unused;
    begin();
    Table *table = arena.server->tables;
    assert_true(actions_apply_as_server(table, MASH_VERB_OVERTIME, 0, 0));
    uint32_t count = table->match.actions_count;
    assert_int_equal(table->match.actions[count - 1].verb, MASH_VERB_OVERTIME);
    assert_true(actions_apply_as_server(table, MASH_VERB_OVERTIME, 0, 0));
    assert_int_equal(table->match.actions_count, count);
}

/* A player may reconnect for a minute here, and all clocks are stopped meanwhile. */
static void a_lost_player_is_waited_for(void **unused) {
    (void)unused;
    begin();
    const Table *table = arena.server->tables;
    TestClient *other = &ben;
    arena_run(&arena, 1000);
    int32_t left = clock_match_left(&table->clock, net_now_ms(arena.loop));
    fake_cut(ann.connection);
    arena_run(&arena, 55000);
    RECEIVED(other, "PauseStartEvent");
    ask(other, "EndRoundRequest");
    RECEIVED(other, "Nack");
    ask(other, "EndRoundRequest");
    RECEIVED(other, "Nack");
    assert_true(table_is_paused(table));
    assert_true(left - clock_match_left(&table->clock, net_now_ms(arena.loop)) < 100);
    come(&ann, "/", "Ann");
    RECEIVED(&ann, "\"runningGame\":true");
    test_client_send(&ann, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
    RECEIVED(&ann, "GAME_STRUCTURE");
    RECEIVED(&ann, "GamestateEvent");
    RECEIVED(other, "PauseStopEvent");
    assert_false(table_is_paused(table));
    fake_cut(ann.connection);
    arena_run(&arena, 61000);
    won_by(other, 2);
    come(&ann, "/", "Ann");
    RECEIVED(&ann, "\"runningGame\":false");
}

/* A player who disconnects again and again does not stop the match for ever: it continues without
 * him, and the opponent can play. */
static void nobody_stops_a_match_for_ever(void **unused) {
    (void)unused;
    begin();
    const Table *table = arena.server->tables;
    for (int i = 0; i < 4; i++) {
        fake_cut(ann.connection);
        arena_run(&arena, 50000);
        assert_true(table_is_paused(table));
        come(&ann, "/", "Ann");
        test_client_send(&ann, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
        assert_false(table_is_paused(table));
    }
    fake_cut(ann.connection);
    arena_run(&arena, 1000);
    assert_true(table_is_running(table));
    assert_false(table_is_paused(table));
    come(&ann, "/", "Ann");
    RECEIVED(&ann, "\"runningGame\":true");
    test_client_send(&ann, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
    RECEIVED(&ann, "GamestateEvent");
}

/* Both are disconnected: the first one to leave loses. */
static void both_are_lost(void **unused) {
    (void)unused;
    begin();
    come(&eve, "/", "Eve");
    ready(&eve, "SPECTATOR");
    RECEIVED(&eve, "GamestateEvent");
    fake_cut(ben.connection);
    arena_run(&arena, 1000);
    fake_cut(ann.connection);
    RECEIVED(&eve, "PauseStartEvent");
    arena_run(&arena, 61000);
    won_by(&eve, 1);
    RECEIVED(&eve, "GOODBYE_CLIENT");
}

/* A pause of the players and a lost connection do not interfere. */
static void lost_in_a_pause(void **unused) {
    (void)unused;
    begin();
    ask(&ann, "PauseStartRequest");
    RECEIVED(&ben, "PauseStartEvent");
    fake_cut(ann.connection);
    arena_run(&arena, 61000); /* the pause has reached its longest */
    assert_false(received(&ben, "PauseStopEvent"));
    assert_true(table_is_paused(arena.server->tables));
    arena_run(&arena, 61000); /* and so has the time to reconnect */
    won_by(&ben, 2);
}

static void a_half_open_socket_is_noticed(void **unused) {
    (void)unused;
    begin();
    fake_half_open(ben.connection, 20000);
    arena_run(&arena, 82000);
    won_by(&ann, 1);
}

/* Only the player to act can be idle: twelve seconds to the warning, twenty to the end. */
static void silence(void **unused) {
    (void)unused;
    begin();
    TestClient *awaited = seat_to_move(), *other = awaited == &ann ? &ben : &ann;
    arena_run(&arena, 12100);
    RECEIVED(awaited, "TimeoutWarningEvent");
    assert_false(received(other, "TimeoutWarningEvent"));
    ask(awaited, "Req");
    arena_run(&arena, 12100);
    RECEIVED(awaited, "TimeoutWarningEvent");
    arena_run(&arena, 8000);
    RECEIVED(awaited, "TimeoutEvent");
    won_by(awaited, awaited == &ann ? 2 : 1);
    won_by(other, awaited == &ann ? 2 : 1);
}

/* A player who received much during the opponent's turn may have to read it first, a tenth of a
 * second per frame: that does not count as idle time. */
static void reading_is_no_silence(void **unused) {
    (void)unused;
    begin();
    if (seat_to_move() == &ann) /* Ann gets many frames while it is not her turn */
        ask(&ann, "EndRoundRequest");
    for (int i = 0; i < 250; i++) {
        ask(&ann, "Req");
        if (i % 50 == 0 && seat_to_move() == &ben)
            ask(&ben, "Req");
    }
    while (seat_to_move() != &ann)
        ask(&ben, "EndRoundRequest");
    uint64_t unread_ms = arena.server->tables->chairs[0].unread_ms;
    assert_int_equal(unread_ms, 22980);
    test_client_forget(&ann);
    arena_run(&arena, 12000 + unread_ms - 500);
    assert_false(received(&ann, "Timeout"));
    arena_run(&arena, 1000);
    RECEIVED(&ann, "TimeoutWarningEvent");
    arena_run(&arena, 9000);
    RECEIVED(&ann, "TimeoutEvent");
    won_by(&ben, 2);
}

/* --- The server ------------------------------------------------------------------------------- */

/* Rocks keep their numbers, and players keep their identity across restarts. */
static void a_killed_server_goes_on(void **unused) {
    (void)unused;
    begin();
    TestClient *first = seat_to_move();
    ask(first, "EndRoundRequest");
    RECEIVED(first, "Ack");
    ask(&ann, "Req");
    test_client_release(&ann);
    test_client_release(&ben);
    here_count = 0;
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->tables_count, 1);
    come(&ann, "/", "Ann");
    RECEIVED(&ann, "\"runningGame\":true");
    test_client_send(&ann, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
    RECEIVED(&ann, "GAME_STRUCTURE");
    RECEIVED(&ann, "PauseStartEvent"); /* the other one is not back */
    RECEIVED(&ann, "{\"entityType\":\"Rock\",\"ID\":0");
    come(&ben, "/", "Ben");
    test_client_send(&ben, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
    RECEIVED(&ben, "GamestateEvent");
    RECEIVED(&ann, "PauseStopEvent");
    ask(seat_to_move(), "EndRoundRequest");
    RECEIVED(&ann, "TurnEvent");
    RECEIVED(&ben, "TurnEvent");
}

static void a_closing_server_says_goodbye(void **unused) {
    (void)unused;
    begin();
    server_drain(arena.server, 1000);
    arena_run(&arena, 2000);
    RECEIVED(&ann, "GOODBYE_CLIENT");
    RECEIVED(&ben, "GOODBYE_CLIENT");
    assert_int_equal(ann.close_code, NET_CLOSE_GOING_AWAY);
}

/* A spectator who connects first waits for a table, and for the next one if nobody else stays. */
static void spectators_wait(void **unused) {
    (void)unused;
    come(&eve, "/", "Eve");
    ready(&eve, "SPECTATOR");
    ask(&eve, "Req");
    come(&ann, "/", "Ann");
    ready(&ann, "PLAYER");
    fake_cut(ann.connection);
    arena_run(&arena, 100);
    assert_non_null(eve.connection);
    begin();
    RECEIVED(&eve, "GENERAL_ASSIGNMENT");
    RECEIVED(&eve, "GAME_STRUCTURE");
    RECEIVED(&eve, "GamestateEvent");
}

/* A player who starts again resigns the match that still waits for it. */
static void beginning_anew(void **unused) {
    (void)unused;
    begin();
    fake_cut(ann.connection);
    arena_run(&arena, 1000);
    come(&ann, "/", "Ann");
    ready(&ann, "PLAYER");
    won_by(&ben, 2);
    assert_non_null(ann.connection);
}

/* --- Messages --------------------------------------------------------------------------------- */

/* Each event is a frame, Ack first and the state last. */
static void bare(void **unused) {
    (void)unused;
    come(&ann, "/channel", "Ann");
    ready(&ann, "KI");
    come(&ben, "/", "Ann");
    ready(&ben, "KI");
    choose(&ann);
    choose(&ben);
    RECEIVED(&ann, "\"playerTwoName\":\"Ann (2)\"");
    RECEIVED(&ann, "\n{\"eventType\":\"GamestateEvent\"");
    RECEIVED(&ben, "GamestateEvent");
    TestClient *first = seat_to_move();
    if (first == &ann) {
        test_client_send(first, "{\"requestType\":\"EndRoundRequest\"}");
        RECEIVED(&ann, "{\"eventType\":\"Ack\"}\n{\"eventType\":\"TurnEvent\"");
    } else {
        ask(first, "EndRoundRequest");
        RECEIVED(&ben, "\"messages\":[{\"eventType\":\"Ack\"},{\"eventType\":\"TurnEvent\"");
        RECEIVED(&ann, "\n{\"eventType\":\"TurnEvent\"");
    }
    RECEIVED(&ann, "\n{\"eventType\":\"GamestateEvent\"");
}

/* Strikes, a message at the wrong time, binary data, and a spectator who tries to play. */
static void offences(void **unused) {
    (void)unused;
    begin();
    come(&eve, "/", "Eve");
    ready(&eve, "SPECTATOR");
    RECEIVED(&eve, "GamestateEvent");
    fake_send_binary(eve.connection);
    arena_run(&arena, 10);
    RECEIVED(&eve, "\"type\":1");
    ask(&eve, "EndRoundRequest");
    RECEIVED(&eve, "Nack");
    ask(&eve, "MoveRequest");
    RECEIVED(&eve, "GOODBYE_CLIENT");
    TestClient *first = seat_to_move();
    ask(first, "MoveRequest");
    RECEIVED(first, "Nack");
    ask(first, "EndRoundRequest");
    RECEIVED(first, "Ack");
    ask(first, "JumpRequest");
    RECEIVED(first, "Nack");
    test_client_send(first, "{\"messageType\":\"WHAT\"}");
    RECEIVED(first, "\"type\":2");
    won_by(first == &ann ? &ben : &ann, first == &ann ? 2 : 1);
}

static void named_tables(void **unused) {
    (void)unused;
    static const char *const wrong[] = {"/match/", "/match/a.b", "/match/0000-0000-0001"};
    arena.standard.ais = 1;
    come(&eve, "/match/club", "Eve");
    ready(&eve, "SPECTATOR");
    come(&ann, "/match/club", "Ann");
    ready(&ann, "KI");
    come(&ben, "/match/club", "Ben");
    ready(&ben, "KI");
    RECEIVED(&ben, "\"type\":4");
    come(&ben, "/match/club", "Ben");
    ready(&ben, "PLAYER");
    RECEIVED(&ann, "GAME_ASSIGNMENT");
    RECEIVED(&eve, "GENERAL_ASSIGNMENT");
    for (uint32_t i = 0; i < 3; i++) {
        come(&eve, wrong[i], "Eve");
        ready(&eve, i == 0 ? "SPECTATOR" : "PLAYER");
        RECEIVED(&eve, "\"type\":4");
    }
    arena.standard.single = true;
    come(&eve, "/", "Eve");
    ready(&eve, "PLAYER");
    RECEIVED(&eve, "\"type\":4");
    come(&eve, "/", "Eve");
    test_client_send(&eve, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
    RECEIVED(&eve, "\"type\":5");
    come(&eve, "/", "Eve");
    test_client_send(&eve,
                     "{\"messageType\":\"PLAYER_READY\",\"startGame\":false,\"role\":\"KI\"}");
    RECEIVED(&eve, "GOODBYE_CLIENT");
}

/* One rule for both kinds of clients: unlimited pauses, or as --pauses says. */
static void pauses_are_counted_alike(void **unused) {
    (void)unused;
    begin();
    for (int i = 0; i < 20; i++) {
        ask(&ann, "PauseStartRequest");
        RECEIVED(&ben, "PauseStartEvent");
        ask(&ann, "PauseStopRequest");
        RECEIVED(&ben, "PauseStopEvent");
    }
    arena.server->setup.pauses = 21;
    ask(&ann, "PauseStartRequest");
    RECEIVED(&ben, "PauseStartEvent");
    ask(&ann, "PauseStopRequest");
    RECEIVED(&ann, "PauseStopEvent");
    for (int i = 0; i < 3; i++) {
        ask(&ann, "PauseStartRequest");
        RECEIVED(&ann, "Nack");
    }
    assert_false(table_is_paused(arena.server->tables));
    assert_true(table_is_running(arena.server->tables));
}

/* Sends the same request this many times in one frame. */
static void ask_often(TestClient *client, const char *requests, uint32_t times) {
    static char frame[65536];
    MashText text = text_over(frame, sizeof frame);
    text_string(&text, "{\"messageType\":\"REQUESTS\",\"messages\":[");
    for (uint32_t i = 0; i < times; i++)
        text_format(&text, "%s%s", i == 0 ? "" : ",", requests);
    text_string(&text, "]}");
    assert_false(text.truncated);
    test_client_send_nowait(client, frame);
    arena_run(&arena, 100);
}

/* How often this was sent after the mark. Moves the mark to the end. */
static uint32_t count_received(TestClient *client, const char *words) {
    uint32_t count = 0;
    while (received(client, words))
        count++;
    return count;
}

/* Three turns in a row that run out without a request lose; a request in one of them begins anew.
 */
static void silent_turns_lose(void **unused) {
    (void)unused;
    uint32_t over = 0;
    come(&ann, "/", "Ann");
    ready(&ann, "PLAYER");
    TableConfig *config = &arena.server->tables->config;
    config->content->content->limits.turn_ms = config->clocks.turn_ms = 5000;
    come(&ben, "/", "Ben");
    ready(&ben, "PLAYER");
    choose(&ann);
    choose(&ben);
    TestClient *idle = seat_to_move(), *other = idle == &ann ? &ben : &ann;
    for (uint32_t ms = 0; ms < 300000 && !received(idle, "WinEvent"); ms += 1000) {
        if (seat_to_move() == other || over == 1)
            ask(seat_to_move(), "Req");
        arena_run(&arena, 990);
        over += count_received(idle, "TurnTimeoutEvent");
    }
    assert_int_equal(over, 4);
    idle->mark = 0;
    RECEIVED(idle, "Three turns timed out without a request.");
    won_by(other, other == &ann ? 1 : 2);
}

/* A frame of many requests counts as many messages: it cannot make the server write its state
 * hundreds of times for the price of one. */
static void requests_of_one_frame_are_counted(void **unused) {
    (void)unused;
    begin();
    arena.server->setup.budgets.messages = 400;
    ask_often(&ann, "{\"requestType\":\"Req\"}", 5);
    assert_int_equal(count_received(&ann, "GamestateEvent"), 5);
    arena_run(&arena, 1000);
    ask_often(&ann, "{\"requestType\":\"Req\"}", 600);
    uint32_t mark = ann.mark;
    assert_in_range(count_received(&ann, "GamestateEvent"), 1, 60);
    ann.mark = mark;
    assert_int_equal(count_received(&ann, "Nack"), 1);
    assert_true(table_is_running(arena.server->tables));
    arena_run(&arena, 2000);
    ask(&ann, "Req");
    RECEIVED(&ann, "GamestateEvent");
}

/* Every pause is sent to all with the whole state: too many of them would disconnect an opponent
 * who reads slowly. */
static void pauses_are_not_for_flooding(void **unused) {
    (void)unused;
    begin();
    arena.server->setup.request_rate = (NetRate){.per_second = 5, .burst = 40};
    ask_often(&ann,
              "{\"requestType\":\"PauseStartRequest\"},{\"requestType\":\"PauseStopRequest\"}",
              200);
    assert_int_equal(count_received(&ben, "PauseStartEvent"), 30);
    RECEIVED(&ann, "Nack");
    assert_true(table_is_running(arena.server->tables));
    assert_int_equal(arena.server->stats.offences, 0);
    for (int i = 0; i < 4; i++) {
        arena_run(&arena, 5500);
        ask(&ben, "Req"); /* nobody is silent */
        ask(&ann, "Req");
    }
    ask(&ann, "PauseStartRequest");
    RECEIVED(&ben, "PauseStartEvent");
    ask(&ann, "PauseStopRequest");
    RECEIVED(&ben, "PauseStopEvent");
    ask(&ann, "PauseStartRequest");
    assert_false(received(&ben, "PauseStartEvent"));
}

/* A player whom an operator disconnects may reconnect to the match; it does not count as the
 * player's offence. */
static void kicked_players_may_come_back(void **unused) {
    (void)unused;
    begin();
    assert_non_null(strstr(fake_admin_line(arena.loop, "kick 1"), "ok #1"));
    arena_run(&arena, 1000);
    assert_null(ann.connection);
    assert_true(table_is_running(arena.server->tables));
    come(&ann, "/", "Ann");
    RECEIVED(&ann, "\"runningGame\":true");
    test_client_send(&ann, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
    RECEIVED(&ann, "GamestateEvent");
    RECEIVED(&ben, "PauseStopEvent");
}

/* No match starts while the server waits for the last one to end. */
static void none_begins_before_closing(void **unused) {
    (void)unused;
    begin();
    assert_non_null(strstr(fake_admin_line(arena.loop, "drain 600"), "ok draining"));
    come(&eve, "/", "Eve");
    ready(&eve, "PLAYER");
    RECEIVED(&eve, "ERROR");
    RECEIVED(&eve, "GOODBYE_CLIENT");
    assert_int_equal(arena.server->tables_count, 1);
}

/* Nothing is left of the name once it is cleaned. */
static void a_player_has_a_name(void **unused) {
    (void)unused;
    come(&ann, "/", "\xE2\x80\x8B\xE2\x80\x8B");
    ready(&ann, "PLAYER");
    assert_string_equal(arena.server->tables->chairs[0].name, "Player");
}

/* A step that is legal now, of the player to act, as a message of the standard. */
static void write_step(char *bytes, uint32_t max) {
    Table *table = arena.server->tables;
    const StandardServerTable *own = standard_server_table(table);
    const MashContent *content = table->match.content;
    uint8_t seat = seat_to_move() == &ann ? 0 : 1;
    MashText text = text_over(bytes, max);
    StandardMessage step = standard_new(STANDARD_LIST_REQUESTS, STANDARD_REQUEST_MOVE);
    step.origin.group = seat == 0 ? STANDARD_GROUP_P1 : STANDARD_GROUP_P2;
    int32_t width = content->limits.width, cells = width * content->limits.height;
    for (int32_t i = 0; i < cells * 9; i++)
        for (step.origin.id = 1; step.origin.id <= 24; step.origin.id++) {
            MashAction action;
            int32_t x = i / 9 % width, y = i / 9 / width;
            step.origin_field = (StandardField){x, y};
            step.target_field = (StandardField){x + i % 3 - 1, y + i / 3 % 3 - 1};
            if (own->adapter->decode_request(own->encoder, table->match.state, seat, &step,
                                             &action) != STANDARD_ACTION_FOUND ||
                content->game->check(content, table->match.state, action) != MASH_OK)
                continue;
            standard_write(&step, &text);
            return;
        }
    fail_msg("nobody can make a step");
}

/* A request that was legal a second ago may have been sent before our answer arrived: it is late.
 * After that it is an offence. */
static void late_for_a_second(void **unused) {
    (void)unused;
    char step[512];
    begin();
    TestClient *first = seat_to_move();
    write_step(step, sizeof step);
    test_client_send(first, "%s", step);
    RECEIVED(first, "Ack");
    for (int i = 0; i < 5; i++) {
        test_client_send(first, "%s", step);
        RECEIVED(first, "GamestateEvent");
    }
    assert_false(received(first, "Nack"));
    assert_int_equal(arena.server->stats.offences, 0);
    arena_run(&arena, 1000);
    test_client_send(first, "%s", step);
    RECEIVED(first, "Nack");
    assert_int_equal(arena.server->stats.offences, 1);
    test_client_send(first, "%s", step);
    won_by(first, first == &ann ? 2 : 1);
}

/* Finding out that a request was legal a second ago requires a replay of the match: not for a
 * client that asks a hundred times, though nobody is charged for that. */
static void late_only_so_often(void **unused) {
    (void)unused;
    char step[512];
    begin();
    TestClient *first = seat_to_move();
    write_step(step, sizeof step);
    test_client_send(first, "%s", step);
    RECEIVED(first, "Ack");
    for (int i = 0; i < 100; i++)
        test_client_send(first, "%s", step);
    assert_in_range(count_received(first, "Nack"), 50, 99);
    assert_int_equal(arena.server->stats.offences, 0);
    assert_true(table_is_running(arena.server->tables));
}

/* A client that sends everything twice does not lose the turn of its next character by the second
 * end of a turn; the third one is meant. */
static void everything_twice(void **unused) {
    (void)unused;
    char step[512];
    begin();
    const StandardServerTable *own = standard_server_table(arena.server->tables);
    for (int i = 0; i < 12; i++) {
        TestClient *first = seat_to_move();
        write_step(step, sizeof step);
        test_client_send(first, "%s", step);
        test_client_send(first, "%s", step);
        ask(first, "EndRoundRequest");
        if (seat_to_move() == first) {
            uint32_t turn = own->turn;
            ask(first, "EndRoundRequest");
            assert_int_equal(own->turn, turn);
            assert_false(received(first, "Nack"));
            ask(first, "EndRoundRequest");
            assert_int_not_equal(own->turn, turn);
            assert_int_equal(arena.server->stats.offences, 0);
            return;
        }
        arena_run(&arena, 1000);
    }
    fail_msg("no player has two characters in a row");
}

/* An arena client waits for the lost player, and is told so in its own protocol. */
static void beside_an_arena_client(void **unused) {
    (void)unused;
    come(&ann, "/", "Ann");
    ready(&ann, "PLAYER");
    test_client_join(&ben, &arena, "Ben", "person", "json");
    here[here_count++] = &ben;
    test_client_send(&ben, "{\"type\":\"join\",\"code\":\"%s\"}", arena.server->tables->code);
    test_client_expect(&ben, MESSAGE_SERVER_POSITION);
    RECEIVED(&ann, "GAME_ASSIGNMENT");
    fake_cut(ann.connection);
    arena_run(&arena, 100);
    test_client_expect(&ben, MESSAGE_SERVER_PAUSED);
    test_client_expect(&ben, MESSAGE_SERVER_PEOPLE);
    test_client_send(&ben, "{\"type\":\"pause\"}");
    test_client_refused(&ben, "paused");
    test_client_send(&ben, "{\"type\":\"continue\"}");
    test_client_refused(&ben, "paused");
    test_client_send(&ben, "{\"type\":\"act\",\"position\":%d,\"verb\":1,\"unit\":33}", ben.number);
    test_client_refused(&ben, "paused");
    come(&ann, "/", "Ann");
    test_client_send(&ann, "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
    RECEIVED(&ann, "GAME_ASSIGNMENT");
    test_client_expect(&ben, MESSAGE_SERVER_CONTINUED);
    test_client_send(&ben, "{\"type\":\"leave\"}");
    won_by(&ann, 1);
}

/* How many actions an AI player makes in this time, and the shortest time between two of them, in
 * steps of 5 ms. */
static uint32_t watch_robot(uint32_t ms, uint32_t *shortest_ms) {
    const Table *table = arena.server->tables;
    uint32_t count = 0, actions = table->match.actions_count, last_ms = 0;
    *shortest_ms = UINT32_MAX;
    for (uint32_t now_ms = 5; now_ms <= ms; now_ms += 5) {
        arena_run(&arena, 5);
        if (table->match.actions_count == actions)
            continue;
        actions = table->match.actions_count;
        if (count++ > 0 && now_ms - last_ms < *shortest_ms)
            *shortest_ms = now_ms - last_ms;
        last_ms = now_ms;
    }
    return count;
}

/* An arena client with an AI player at its table; only the AI player acts, for the other one is
 * idle. */
static void begin_with_robot(uint32_t turn_ms) {
    test_client_join(&ben, &arena, "Ben", "person", "json");
    here[here_count++] = &ben;
    test_client_send(
        &ben,
        "{\"type\":\"open\",\"game\":\"marvelous-mashup\",\"opponent\":\"ai\",\"level\":1,"
        "\"turn_ms\":%u}",
        turn_ms);
    test_client_expect(&ben, MESSAGE_SERVER_TABLE);
}

/* Until it is the AI player's turn, Ben makes the last action that is legal: ends his turn. */
static void until_robot_acts(void) {
    Table *table = arena.server->tables;
    const MashContent *content = table->match.content;
    static MashAction list[4096];
    assert_true(content->limits.actions_max <= 4096);
    for (int i = 0; i < 300; i++) {
        uint8_t robot = table->chairs[0].robot > 0 ? 0 : 1, other = (uint8_t)(1 - robot);
        uint32_t awaited = content->game->awaited(content, table->match.state);
        Refusal why;
        if (!standard_server_adapter(content->game)
                 ->is_drafting(content, table->match.state, MASH_SEAT_NONE) &&
            (awaited >> robot & 1) != 0)
            return;
        uint32_t count = content->game->actions(content, table->match.state, other, list);
        if (count > 0)
            assert_int_equal(actions_apply(table, list[count - 1], &why), MASH_OK);
        arena_run(&arena, 5);
    }
    fail_msg("it is never the robot's turn");
}

/* Where a spectator uses the standard, an AI player acts at most ten times per second, but not
 * beyond half of its turn's time. Elsewhere it acts as fast as it thinks. */
static void ai_players_are_paced(void **unused) {
    (void)unused;
    uint32_t shortest = UINT32_MAX;
    begin_with_robot(60000);
    for (int i = 0; i < 20 && shortest >= 100; i++) {
        until_robot_acts();
        watch_robot(1000, &shortest);
    }
    assert_true(shortest < 100);
    char path[64];
    snprintf(path, sizeof path, "/match/%s", arena.server->tables->code);
    come(&eve, path, "Eve");
    ready(&eve, "SPECTATOR");
    RECEIVED(&eve, "GamestateEvent");
    uint32_t acts = 0;
    for (int i = 0; i < 20; i++) {
        until_robot_acts();
        acts += watch_robot(1000, &shortest);
        assert_true(shortest >= 100);
    }
    assert_true(acts > 20);
}

/* Even the slowest pace leaves an AI player half of its turn: none of its turns times out. */
static void pace_leaves_half_a_turn(void **unused) {
    (void)unused;
    uint32_t shortest, acts = 0;
    arena.standard.pace_ms = 60000;
    begin_with_robot(2000);
    const Table *table = arena.server->tables;
    until_robot_acts();
    char path[64];
    snprintf(path, sizeof path, "/match/%s", table->code);
    come(&eve, path, "Eve");
    ready(&eve, "SPECTATOR");
    RECEIVED(&eve, "GamestateEvent");
    for (int i = 0; i < 12; i++) {
        until_robot_acts();
        acts += watch_robot(1500, &shortest);
    }
    assert_true(acts > 12);
    for (uint32_t i = 0; i < table->match.actions_count; i++)
        assert_false(table->match.actions[i].verb == MASH_VERB_TIME_OVER &&
                     table->chairs[table->match.actions[i].other].robot > 0);
}

/* --- Replays ---------------------------------------------------------------------------------- */

static char replay_names[2][160];
static uint32_t replays, replay_bytes;

static void take_replay(void *owner, const char *name, const char *bytes, uint32_t count) {
    static JsonNode nodes[400000];
    MashProblem list[2];
    MashProblems problems = {.list = list, .max = 2};
    Json json;
    assert_ptr_equal(owner, &arena);
    assert_true(replays < 2);
    snprintf(replay_names[replays++], sizeof replay_names[0], "%s", name);
    replay_bytes += count;
    if (!json_read(&json, name, bytes, count, nodes, 400000, &problems))
        fail_msg("%s: %s", name, list[0].reason);
}

/* A finished match is exported in two files with valid file names. */
static void replays_are_kept(void **unused) {
    (void)unused;
    arena_kill(&arena);
    arena.standard.replay = take_replay;
    arena.standard.owner = &arena;
    arena_open(&arena);
    replays = replay_bytes = 0;
    begin();
    come(&eve, "/", "Eve"); /* from the same address */
    const Account *account = arena.server->sessions->account;
    for (int i = 0; i < 30; i++)
        ask(seat_to_move(), "EndRoundRequest");
    uint64_t paid_us = account->bytes.paid_us;
    ask(&ben, "DisconnectRequest");
    won_by(&ann, 1);
    assert_int_equal(replays, 2);
    uint64_t a_day = (uint64_t)arena.server->setup.budgets.megabytes_per_day << 20;
    assert_true(account->bytes.paid_us - paid_us > replay_bytes * (uint64_t)86400000000 / a_day);
    assert_memory_equal(replay_names[0], "Ann_vs_Ben_", 11);
    assert_true(text_ends_with(replay_names[0], ".match.json"));
    assert_true(text_ends_with(replay_names[1], "_replay.json"));
    assert_true(replay_bytes > 30 * 2000);
}

/* During the draft a request of play is a message at the wrong time. */
static void too_early(void **unused) {
    (void)unused;
    sit_down();
    ask(&ann, "Req");
    ask(&ann, "EndRoundRequest");
    RECEIVED(&ann, "\"messageType\":\"ERROR\"");
    won_by(&ben, 2);
}

int main(void) {
#define ROW(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        ROW(identities_stay_what_they_were),
        ROW(the_choice_has_a_deadline),
        ROW(the_choice_has_two_minutes_at_least),
        ROW(silent_turns_lose),
        ROW(overtime_waits_for_play),
        ROW(overtime_comes_once),
        ROW(a_lost_player_is_waited_for),
        ROW(nobody_stops_a_match_for_ever),
        ROW(both_are_lost),
        ROW(lost_in_a_pause),
        ROW(a_half_open_socket_is_noticed),
        ROW(silence),
        ROW(reading_is_no_silence),
        ROW(a_killed_server_goes_on),
        ROW(a_closing_server_says_goodbye),
        ROW(spectators_wait),
        ROW(beginning_anew),
        ROW(beside_an_arena_client),
        ROW(bare),
        ROW(offences),
        ROW(late_for_a_second),
        ROW(pauses_are_counted_alike),
        ROW(requests_of_one_frame_are_counted),
        ROW(pauses_are_not_for_flooding),
        ROW(kicked_players_may_come_back),
        ROW(none_begins_before_closing),
        ROW(a_player_has_a_name),
        ROW(late_only_so_often),
        ROW(everything_twice),
        ROW(named_tables),
        ROW(ai_players_are_paced),
        ROW(pace_leaves_half_a_turn),
        ROW(replays_are_kept),
        ROW(too_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
