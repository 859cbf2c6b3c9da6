/* test_standard_ends_times.c -- the standard's client at a scripted server: how matches end, lost
 * connections, last words, and servers that tell too little. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/standard/script.h"

/* --- The end ---------------------------------------------------------------------------------- */

/* The winner is announced; then the server has a second and a half to close. */
static void somebody_has_won(void **unused) {
    (void)unused;
    static const struct {
        const char *event;
        uint8_t winner;
    } cases[] = {{WON("1"), 0},
                 {WON("2"), 1},
                 {WON("3"), MASH_SEAT_NONE},
                 {WON("0"), MASH_SEAT_NONE},
                 {EVENT("WinEvent"), MASH_SEAT_NONE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        in_match(moment_of(true, 0));
        uint32_t before = sent_count;
        tell_events(cases[i].event, NULL);
        uint64_t began = net_now_ms(loop);
        assert_true(table()->decided);
        assert_false(table()->finished);
        assert_int_equal(table()->winner, cases[i].winner);
        assert_false(standard_awaited(client));
        assert_in_range(until_closed(3000) - began, 1495, 1600);
        assert_string_equal(why, "the match is over");
        assert_true(table()->finished);
        assert_int_equal(sent_count, before);
        fake_run(loop, 5000);
        assert_null(line);
        assert_int_equal(phases[STANDARD_CLOSED], 1);
        anew();
    }
    /* The server closes first. */
    in_match(moment_of(true, 0));
    tell_events(WON("2"), NULL);
    fake_run(loop, 100);
    fake_cut(line);
    fake_run(loop, 5);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    assert_string_equal(why, "the match is over");
    assert_true(table()->finished);
    assert_int_equal(table()->winner, 1);
    fake_run(loop, 10000);
    assert_int_equal(tries, 1);
}

/* The state says that it is decided, but not for whom: our turn is ended, and the word of it has
 * five seconds; in their turn, as long as it lasts. */
static void decided_but_for_whom(void **unused) {
    (void)unused;
    static const uint32_t turns_s[] = {20, 0, 100};
    for (int mine = 0; mine < 2; mine++)
        for (size_t i = 0; i < sizeof turns_s / sizeof *turns_s; i++) {
            char state[FRAME_BYTES];
            const Moment *moment = moment_of(mine == 1, 0);
            strcpy(state, moment->state);
            put(state, "\"winCondition\":false", "\"winCondition\":true");
            open_match_with("\"maxRoundTime\":", turns_s[i]);
            uint32_t before = sent_count;
            tell_events(moment->turn, state, NULL);
            uint64_t began = net_now_ms(loop);
            assert_true(table()->decided && !table()->finished);
            assert_int_equal(table()->winner, MASH_SEAT_NONE);
            assert_false(standard_awaited(client));
            fake_run(loop, 5);
            assert_int_equal(sent_with("EndRoundRequest", before), mine);
            uint64_t rest = mine ? 0 : turns_s[i] == 20 ? 20000 : 60000;
            assert_in_range(until_closed(100000) - began, 4995 + rest, 5105 + rest);
            assert_string_equal(why, "the match is over");
            assert_true(table()->finished);
            anew();
        }
    /* It is said in time. */
    char state[FRAME_BYTES];
    strcpy(state, moment_of(false, 0)->state);
    put(state, "\"winCondition\":false", "\"winCondition\":true");
    in_match(moment_of(false, 0));
    tell_events(state, NULL);
    fake_run(loop, 3000);
    tell_events(WON("2"), NULL);
    uint64_t began = net_now_ms(loop);
    assert_in_range(until_closed(3000) - began, 1495, 1600);
    assert_int_equal(table()->winner, 1);
    anew();
    /* Or the server announces its end: then nobody waits for it. */
    in_match(moment_of(false, 0));
    tell_events(state, EVENT("DisconnectEvent"), NULL);
    began = net_now_ms(loop);
    assert_in_range(until_closed(3000) - began, 1495, 1600);
}

/* A server that announced its end has ended the match. */
static void the_server_leaves(void **unused) {
    (void)unused;
    in_match(moment_of(false, 0));
    tell_events(EVENT("DisconnectEvent"), NULL);
    assert_false(table()->decided);
    fake_cut(line);
    fake_run(loop, 5);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    assert_string_equal(why, "the match is over");
    assert_true(table()->finished && !table()->decided);
    anew();
    /* Before a match it means nothing. */
    setup.reconnect_ms = 5000;
    open_client();
    tell_events(EVENT("DisconnectEvent"), NULL);
    fake_cut(line);
    fake_run(loop, 500);
    assert_int_equal(phases[STANDARD_CLOSED], 0);
    assert_int_equal(tries, 2);
}

/* --- Lost connections ------------------------------------------------------------------------- */

/* The match goes on after a loss: the seat is claimed, the same structure is no new match, and the
 * state is asked for. */
static void back_in_the_match(void **unused) {
    (void)unused;
    in_match(moment_of(true, 0));
    const MashContent *content = table()->content;
    assert_true(standard_act(client, a_step(0)));
    fake_run(loop, 5);
    tell_events(EVENT("PauseStartEvent"), NULL);
    uint32_t before = sent_count;
    greeting = HELLO("true");
    fake_cut(line);
    fake_run(loop, 2);
    assert_int_equal(standard_phase(client), STANDARD_RECONNECTING);
    assert_string_equal(why, "connection lost");
    assert_int_equal(table()->losses, 1);
    assert_false(table()->paused);
    assert_false(standard_awaited(client));
    assert_false(standard_act(client, a_step(0)));
    assert_false(standard_ask(client, "Req"));
    fake_run(loop, 200);
    assert_int_equal(standard_phase(client), STANDARD_PLAYING);
    assert_string_equal(why, "admitted");
    assert_int_equal(sent_count, before + 2);
    assert_string_equal(sent[before + 1], "{\"messageType\":\"RECONNECT\",\"reconnect\":true}");
    uint32_t entered = phases[STANDARD_PLAYING];
    tell(structure);
    fake_run(loop, 5);
    assert_int_equal(phases[STANDARD_PLAYING], entered);
    assert_ptr_equal(table()->content, content);
    assert_int_equal(sent_count, before + 3);
    assert_string_equal(sent[before + 2], REQUEST("Req"));
    tell_events(moment_of(true, 0)->state, NULL);
    assert_true(standard_awaited(client));
    assert_int_equal(table()->losses, 1);
    /* Another structure is another match. */
    char text[FRAME_BYTES];
    strcpy(text, structure);
    put(text, "\"Ben\"", "\"Eve\"");
    tell(text);
    fake_run(loop, 5);
    assert_int_equal(phases[STANDARD_PLAYING], entered + 1);
    assert_string_equal(why, "the match begins");
    assert_string_equal(table()->names[1], "Eve");
    assert_null(table()->state);
    assert_int_equal(table()->awaited, MASH_SEAT_NONE);
}

/* In a match it tries as long as servers keep a seat. */
static void how_long_it_tries(void **unused) {
    (void)unused;
    static const struct {
        uint32_t pause_s, window_ms;
    } cases[] = {{50, 50000}, {10, 35000}, {1000, 305000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_match_with("\"maxPauseTime\":", cases[i].pause_s);
        fake_run(loop, 1500);
        closed_door = true;
        fake_cut(line);
        fake_run(loop, 1);
        uint64_t lost = phase_ms[STANDARD_RECONNECTING];
        assert_int_equal(table()->losses, 1);
        while (net_now_ms(loop) - lost < cases[i].window_ms - 1)
            fake_run(loop, 1);
        assert_int_equal(phases[STANDARD_CLOSED], 0);
        uint64_t closed = until_closed(5200);
        assert_int_equal(closed, tried_ms + 1);
        assert_true(closed - lost >= cases[i].window_ms);
        assert_string_equal(why, "connection lost");
        assert_false(table()->finished);
        assert_int_equal(table()->losses, 1);
        assert_int_equal(phases[STANDARD_RECONNECTING], 1);
        anew();
    }
}

/* A server that went away in a match is tried for five seconds, then the match is over. */
static void the_server_goes_away(void **unused) {
    (void)unused;
    in_match(moment_of(false, 0));
    fake_run(loop, 1500);
    closed_door = true;
    net_close(line, NET_CLOSE_GOING_AWAY, "");
    fake_run(loop, 2);
    uint64_t lost = phase_ms[STANDARD_RECONNECTING];
    uint64_t closed = until_closed(12000);
    assert_in_range(closed - lost, 5000, 10100);
    assert_true(table()->finished && !table()->decided);
    anew();
    /* Somebody had all stones: then it is decided. */
    char state[FRAME_BYTES];
    strcpy(state, moment_of(false, 0)->state);
    put(state, "\"stones\":[]", "\"stones\":[0,1,2,3,4,5]");
    in_match(moment_of(false, 0));
    tell_events(state, NULL);
    assert_false(table()->decided);
    net_close(line, NET_CLOSE_GOING_AWAY, "");
    fake_run(loop, 5);
    assert_true(table()->finished && table()->decided);
    assert_true(table()->winner < MASH_SEATS);
    assert_string_equal(why, "the match is over");
    anew();
    /* Before a match it is a loss like any other. */
    setup.reconnect_ms = 20000;
    open_client();
    fake_run(loop, 1500);
    closed_door = true;
    net_close(line, NET_CLOSE_GOING_AWAY, "");
    fake_run(loop, 15000);
    assert_int_equal(phases[STANDARD_CLOSED], 0);
    fake_run(loop, 15000);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    assert_false(table()->finished);
    anew();
    /* It is back: then it has not gone. */
    in_match(moment_of(false, 0));
    fake_run(loop, 1500);
    greeting = HELLO("true");
    net_close(line, NET_CLOSE_GOING_AWAY, "");
    fake_run(loop, 1500);
    assert_int_equal(standard_phase(client), STANDARD_PLAYING);
    closed_door = true;
    fake_cut(line);
    fake_run(loop, 20000);
    assert_int_equal(phases[STANDARD_CLOSED], 0);
}

/* Connections that do not last a second do not count as good: the tries come to an end. */
static void good_connections(void **unused) {
    (void)unused;
    for (int lasting = 0; lasting < 2; lasting++) {
        setup.reconnect_ms = 3000;
        open_client();
        for (int i = 0; i < 12 && phases[STANDARD_CLOSED] == 0; i++) {
            uint64_t here = phase_ms[STANDARD_WAITING];
            fake_run(loop, here + (lasting ? 1000 : 999) - 1 - net_now_ms(loop));
            fake_cut(line);
            fake_run(loop, 1);
            uint32_t before = phases[STANDARD_WAITING];
            for (int ms = 0; ms < 6000 && phases[STANDARD_WAITING] == before; ms++)
                fake_run(loop, 1);
            if (lasting)
                assert_in_range(phase_ms[STANDARD_WAITING] - here, 1050, 1110);
        }
        assert_int_equal(phases[STANDARD_CLOSED], !lasting);
        if (lasting)
            assert_int_equal(table()->losses, 12);
        anew();
    }
}

/* The server no longer knows the match: it is over. */
static void the_match_is_gone(void **unused) {
    (void)unused;
    in_match(moment_of(false, 0));
    fake_cut(line);
    fake_run(loop, 300);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    assert_string_equal(why, "the server no longer has our match");
    assert_true(table()->finished);
    assert_int_equal(sent_with("RECONNECT", 0), 0);
    assert_int_equal(sent_with("PLAYER_READY", 0), 1);
    anew();
    /* A spectator watches the next one. */
    char text[FRAME_BYTES];
    strcpy(text, structure);
    put(text, "PlayerOne\"", "Spectator\"");
    setup.role = "SPECTATOR";
    open_client();
    tell(text);
    fake_run(loop, 5);
    fake_cut(line);
    fake_run(loop, 300);
    assert_int_equal(phases[STANDARD_CLOSED], 0);
    assert_int_equal(sent_with("PLAYER_READY", 0), 2);
}

/* --- Last words ------------------------------------------------------------------------------- */

static void last_words(void **unused) {
    (void)unused;
    /* Before a match they are a rejection; an ERROR says more than the goodbye after it. */
    setup.reconnect_ms = 20000;
    open_client();
    tell(ERROR_FRAME);
    tell(GOODBYE_FRAME);
    fake_run(loop, 5);
    assert_int_equal(words_count, 1);
    assert_string_equal(word, "the server says it is an error: no? seat");
    net_close(line, NET_CLOSE_NORMAL, "");
    fake_run(loop, 500);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    assert_string_equal(why, "the server says it is an error: no? seat");
    assert_false(table()->finished);
    assert_int_equal(tries, 1);
    anew();
    /* In a match they are its end. */
    in_match(moment_of(false, 0));
    tell("{\"messageType\":\"GOODBYE_ClIENT\",\"message\":\"bye\"}");
    fake_cut(line);
    fake_run(loop, 5);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    assert_string_equal(why, "the server says goodbye: bye");
    assert_true(table()->finished);
    anew();
    /* Unless it goes on. */
    in_match(moment_of(false, 0));
    tell(ERROR_FRAME);
    tell_events(moment_of(false, 0)->state, NULL);
    fake_cut(line);
    fake_run(loop, 5);
    assert_int_equal(standard_phase(client), STANDARD_RECONNECTING);
    anew();
    /* They belong to their connection, and may be without a message. */
    setup.reconnect_ms = 20000;
    open_client();
    tell("{\"messageType\":\"ERROR\"}");
    fake_run(loop, 5);
    assert_string_equal(word, "the server says it is an error: ");
}

/* A seat that was claimed from elsewhere and is not ours: once more without claiming. */
static void a_stranger(void **unused) {
    (void)unused;
    setup.device = "d";
    setup.reconnect_ms = 20000;
    greeting = HELLO("true");
    open_client();
    assert_int_equal(sent_with("RECONNECT", 0), 1);
    tell(ERROR_FRAME);
    fake_cut(line);
    fake_run(loop, 500);
    assert_int_equal(phases[STANDARD_CLOSED], 0);
    assert_int_equal(tries, 2);
    assert_int_equal(sent_with("RECONNECT", 0), 1);
    assert_int_equal(sent_with("PLAYER_READY", 0), 1);
    tell(ERROR_FRAME);
    fake_cut(line);
    fake_run(loop, 500);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    assert_int_equal(tries, 2);
    anew();
    /* In a match that means its end. */
    in_match(moment_of(false, 0));
    greeting = HELLO("true");
    fake_cut(line);
    fake_run(loop, 300);
    tell(ERROR_FRAME);
    fake_cut(line);
    fake_run(loop, 300);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    assert_string_equal(why, "the server says it is an error: no? seat");
    assert_true(table()->finished);
}

/* --- Servers that tell too little ------------------------------------------------------------- */

/* A match without its structure: it is said once, and the connection is kept alive. */
static void a_blind_spectator(void **unused) {
    (void)unused;
    setup.role = "SPECTATOR";
    open_client();
    tell_events(EVENT("TurnEvent"), NULL);
    assert_int_equal(words_count, 0);
    fake_run(loop, 5000);
    assert_int_equal(sent_count, 2); /* nothing to keep alive */
    tell_events(moment_of(true, 0)->state, NULL);
    tell_events(moment_of(true, 0)->state, NULL);
    assert_int_equal(words_count, 1);
    assert_string_equal(word, "The server sent no GAME_STRUCTURE, so the board cannot be shown.");
    fake_run(loop, 3500);
    assert_true(sent_with(REQUEST("Req"), 2) >= 3);
    assert_int_equal(positions, 0);
    anew();
    /* While choosing a state is only early. */
    open_client();
    tell(offer);
    fake_run(loop, 5);
    tell_events(moment_of(true, 0)->state, NULL);
    assert_int_equal(words_count, 0);
}

/* A structure that cannot be played: a careful client can only end its turns. */
static void an_unplayable_match(void **unused) {
    (void)unused;
    char text[FRAME_BYTES];
    strcpy(text, structure);
    put(text, "\"scenarioconfig\"", "\"scenarioconfused\"");
    const Moment *mine = moment_of(true, 0), *theirs = moment_of(false, 0);
    for (int careful = 0; careful < 2; careful++) {
        setup.careful = careful == 1;
        open_client();
        tell(text);
        fake_run(loop, 5);
        assert_int_equal(standard_phase(client), STANDARD_PLAYING);
        assert_true(words_count == 1 && word[0] != '\0');
        assert_null(table()->content);
        assert_int_equal(table()->you, 0);
        uint32_t before = sent_count;
        tell_events(theirs->turn, theirs->state, NULL);
        fake_run(loop, 5);
        assert_int_equal(sent_count, before);
        tell_events(mine->turn, mine->state, NULL);
        fake_run(loop, 5);
        assert_int_equal(sent_with("EndRoundRequest", before), careful);
        assert_false(standard_risky(client, (MashAction){.verb = 1}));
        if (!careful) {
            anew();
            continue;
        }
        /* Waits for the answer, and goes on after it; not in a pause, not after a refusal. */
        tell_events(mine->state, NULL);
        fake_run(loop, 5);
        assert_int_equal(sent_with("EndRoundRequest", before), 1);
        tell_events(EVENT("Ack"), mine->state, NULL);
        fake_run(loop, 5);
        assert_int_equal(sent_with("EndRoundRequest", before), 2);
        tell_events(EVENT("Ack"), theirs->state, EVENT("PauseStartEvent"), mine->state, NULL);
        fake_run(loop, 5);
        assert_int_equal(sent_with("EndRoundRequest", before), 2);
        tell_events(EVENT("PauseStopEvent"), EVENT("Nack"), mine->state, NULL);
        fake_run(loop, 5);
        assert_int_equal(sent_with("EndRoundRequest", before), 2);
        assert_int_equal(positions, 0);
        char state[FRAME_BYTES];
        strcpy(state, theirs->state);
        put(state, "\"winCondition\":false", "\"winCondition\":true");
        tell_events(state, NULL);
        assert_true(table()->decided);
    }
}

/* What is not a message is ignored, whatever it is. */
static void nonsense(void **unused) {
    (void)unused;
    in_match(moment_of(true, 0));
    static const char *const frames[] = {"",
                                         "[]",
                                         "7",
                                         "{",
                                         "{}",
                                         "{\"messageType\":7}",
                                         "{\"messageType\":\"PARTY\"}",
                                         "{\"messageType\":\"EVENTS\"}",
                                         "{\"messageType\":\"EVENTS\",\"messages\":7}",
                                         "{\"messageType\":\"EVENTS\",\"messages\":[7,[],{}]}"};
    uint32_t news = positions;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        tell(frames[i]);
    fake_send_binary(line);
    fake_run(loop, 5);
    assert_int_equal(positions, news);
    assert_true(standard_awaited(client));
    assert_int_equal(words_count, 0);
}

/* It may be closed at any time. */
static void closed_at_any_time(void **unused) {
    (void)unused;
    standard_close(NULL);
    for (uint64_t ms = 0; ms < 8; ms++) {
        char memory[256];
        MashText problem = text_over(memory, sizeof memory);
        client = standard_client_open(loop, &setup, &problem);
        fake_run(loop, ms);
        standard_client.close(client);
        client = NULL;
        uint32_t entered = phases[STANDARD_WAITING];
        fake_run(loop, 500);
        assert_int_equal(phases[STANDARD_WAITING], entered);
        assert_null(line);
    }
    open_client();
    setup.reconnect_ms = 20000;
    standard_cut(client);
    fake_run(loop, 10);
    assert_null(line);
    standard_cut(client);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(somebody_has_won),  TEST(decided_but_for_whom), TEST(the_server_leaves),
        TEST(back_in_the_match), TEST(how_long_it_tries),    TEST(the_server_goes_away),
        TEST(good_connections),  TEST(the_match_is_gone),    TEST(last_words),
        TEST(a_stranger),        TEST(a_blind_spectator),    TEST(an_unplayable_match),
        TEST(nonsense),          TEST(closed_at_any_time),
    };
    return cmocka_run_group_tests_name("standard ends times", tests, record, NULL);
}
