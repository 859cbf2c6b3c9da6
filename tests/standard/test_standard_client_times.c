/* test_standard_client_times.c -- the standard's client at a scripted server: logging in, choosing,
 * one request at a time, reminders, pauses, warnings, to the millisecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "standard/client/internal.h"
#include "tests/standard/script.h"

/* --- Logging in ------------------------------------------------------------------------------- */

static void the_client_introduces_itself(void **unused) {
    (void)unused;
    setup.device = "phone";
    open_client();
    assert_int_equal(sent_count, 2);
    assert_string_equal(
        sent[0], "{\"messageType\":\"HELLO_SERVER\",\"name\":\"Ann\",\"deviceID\":\"phone\"}");
    assert_string_equal(sent[1],
                        "{\"messageType\":\"PLAYER_READY\",\"startGame\":true,\"role\":\"KI\"}");
    assert_int_equal(standard_phase(client), STANDARD_WAITING);
    assert_int_equal(phases[STANDARD_WAITING], 1);
    assert_string_equal(why, "admitted");
    assert_int_equal(table()->you, MASH_SEAT_NONE);
    assert_int_equal(table()->awaited, MASH_SEAT_NONE);
    assert_int_equal(table()->winner, MASH_SEAT_NONE);
    assert_false(standard_awaited(client));
    assert_null(standard_client.position(client).content);
    assert_int_equal(standard_client.position(NULL).you, MASH_SEAT_NONE);
    anew();
    /* Without a device it makes one: sixteen digits. */
    open_client();
    const char *device = strstr(sent[0], "\"deviceID\":\"") + 12;
    assert_int_equal(strspn(device, "0123456789abcdef"), 16);
    assert_string_equal(device + 16, "\"}");
}

/* A running match is claimed only by a client that may have a seat in it: not by a spectator, nor
 * by a player who is new. */
static void which_clients_claim_a_seat(void **unused) {
    (void)unused;
    static const struct {
        const char *role, *device;
        bool claims;
    } cases[] = {
        {"KI", "d", true}, {"PLAYER", "d", true}, {"KI", NULL, false}, {"SPECTATOR", "d", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setup.role = cases[i].role;
        setup.device = cases[i].device;
        greeting = HELLO("true");
        open_client();
        assert_int_equal(sent_count, 2);
        assert_int_equal(strcmp(sent[1], "{\"messageType\":\"RECONNECT\",\"reconnect\":true}") == 0,
                         cases[i].claims);
        assert_int_equal(sent_with("PLAYER_READY", 0), !cases[i].claims);
        anew();
    }
}

static void texts_are_checked(void **unused) {
    (void)unused;
    static char longest[600];
    memset(longest, 'a', sizeof longest - 1);
    const struct {
        const char *url, *name, *device, *game, *problem;
    } wrong[] = {
        {longest, "Ann", NULL, "marvelous-mashup", "the address is too long"},
        {setup.url, "", NULL, "marvelous-mashup", "a name must have 1 to 63 bytes"},
        {setup.url, longest + 599 - 64, NULL, "marvelous-mashup", "a name must have 1 to 63 bytes"},
        {setup.url, "Ann", "", "marvelous-mashup", "a name must have 1 to 63 bytes"},
        {setup.url, "Ann", longest + 599 - 64, "marvelous-mashup",
         "a name must have 1 to 63 bytes"},
        {setup.url, "Ann", NULL, "zorde", "Zorde vs Calliance has no network standard"},
        {longest + 599 - 511, longest + 599 - 63, longest + 599 - 63, "marvelous-mashup", NULL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char memory[256];
        MashText problem = text_over(memory, sizeof memory);
        StandardSetup odd = setup;
        odd.url = wrong[i].url;
        odd.name = wrong[i].name;
        odd.device = wrong[i].device;
        odd.game = mash_game_find(wrong[i].game);
        StandardClient *opened = standard_client_open(loop, &odd, &problem);
        assert_int_equal(opened == NULL, wrong[i].problem != NULL);
        assert_string_equal(memory, wrong[i].problem == NULL ? "" : wrong[i].problem);
        standard_close(opened);
    }
    fake_run(loop, 1000);
    assert_int_equal(tries, 0);
}

/* Nobody there: as long as was asked for, and with one attempt if nothing was. */
static void nobody_there(void **unused) {
    (void)unused;
    closed_door = true;
    open_client();
    fake_run(loop, 5000);
    assert_int_equal(tries, 1);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    assert_string_equal(why, "connection lost");
    assert_false(table()->finished);
    assert_int_equal(table()->losses, 0);
    anew();
    setup.reconnect_ms = 20000;
    closed_door = true;
    open_client();
    fake_run(loop, 19000);
    assert_true(tries > 5);
    assert_int_equal(phases[STANDARD_RECONNECTING] + phases[STANDARD_CLOSED], 0);
    fake_run(loop, 10000);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    assert_true(phase_ms[STANDARD_CLOSED] >= 21000);
    assert_int_equal(table()->losses, 0);
}

/* --- Choosing --------------------------------------------------------------------------------- */

/* Chooses the first six of the offer. */
static void choose_six(void) {
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(standard_awaited(client));
        uint32_t before = table()->number;
        assert_true(standard_client.act(client, an_action(0)));
        assert_int_equal(table()->number, before + 1);
    }
    assert_false(standard_awaited(client));
    assert_false(standard_act(client, (MashAction){.verb = 1}));
}

/* The choice is sent when it is complete, at the next tick; a careful client waits a moment. */
static void six_of_twelve(void **unused) {
    (void)unused;
    for (int careful = 0; careful < 2; careful++) {
        setup.careful = careful == 1;
        open_client();
        tell(offer);
        fake_run(loop, 5);
        assert_int_equal(standard_phase(client), STANDARD_DRAFTING);
        assert_string_equal(why, "choose your heroes");
        assert_int_equal(positions, 1);
        assert_int_equal(table()->number, 1);
        assert_int_equal(table()->you, 0);
        assert_true(table()->content != NULL && table()->state != NULL);
        ClientPosition seen = standard_client.position(client);
        assert_true(seen.awaited && seen.content == table()->content);
        assert_true(seen.turn_began_ms == net_now_ms(loop));
        fake_run(loop, 3000);
        uint32_t before = sent_count;
        choose_six();
        uint64_t done = net_now_ms(loop), at = until_sent(1000);
        assert_in_range(at - done, careful ? 100 : 0, careful ? 900 : 100);
        assert_string_equal(sent[before],
                            "{\"messageType\":\"CHARACTER_SELECTION\",\"characters\":[true,true,"
                            "true,true,true,true,false,false,false,false,false,false]}");
        assert_int_equal(standard_phase(client), STANDARD_WAITING);
        assert_string_equal(why, "the choice is made");
        fake_run(loop, 5000);
        assert_int_equal(sent_count, before + 1);
        tell("{\"messageType\":\"CONFIRM_SELECTION\",\"selectionComplete\":true}");
        fake_run(loop, 5);
        assert_string_equal(why, "the choice is made");
        assert_int_equal(table()->rejected, 0);
        anew();
    }
}

/* A choice that is refused is made again; one that is confirmed though it was not sent is made. */
static void a_choice_is_refused(void **unused) {
    (void)unused;
    static const char refusal[] =
        "{\"messageType\":\"CONFIRM_SELECTION\",\"selectionComplete\":false}";
    open_client();
    tell(refusal); /* nothing to choose from yet */
    fake_run(loop, 5);
    assert_int_equal(standard_phase(client), STANDARD_WAITING);
    assert_int_equal(table()->rejected, 1);
    tell(offer);
    fake_run(loop, 5);
    choose_six();
    fake_run(loop, 200);
    tell(refusal);
    fake_run(loop, 5);
    assert_int_equal(table()->rejected, 2);
    assert_int_equal(standard_phase(client), STANDARD_DRAFTING);
    assert_string_equal(why, "the choice was refused");
    assert_int_equal(positions, 2);
    choose_six();
    tell("{\"messageType\":\"CONFIRM_SELECTION\",\"selectionComplete\":true}");
    fake_run(loop, 1);
    assert_int_equal(standard_phase(client), STANDARD_WAITING);
    assert_string_equal(why, "choice accepted");
    fake_run(loop, 1000);
    assert_int_equal(sent_with("CHARACTER_SELECTION", 0), 1);
    /* In a match neither an offer nor a refusal means anything. */
    tell(structure);
    tell(offer);
    tell(refusal);
    fake_run(loop, 5);
    assert_int_equal(standard_phase(client), STANDARD_PLAYING);
    assert_int_equal(phases[STANDARD_DRAFTING], 2);
}

static void nothing_to_choose_from(void **unused) {
    (void)unused;
    open_client();
    tell("{\"messageType\":\"GAME_ASSIGNMENT\",\"gameID\":\"x\",\"characterSelection\":[]}");
    fake_run(loop, 5);
    assert_int_equal(phases[STANDARD_CLOSED], 1);
    assert_string_equal(why, "the server offers nothing that can be chosen from");
    assert_true(words_count == 1 && word[0] != '\0');
    assert_null(table()->content);
    assert_false(table()->finished);
}

/* --- The match -------------------------------------------------------------------------------- */

static void a_match_begins(void **unused) {
    (void)unused;
    const Moment *mine = moment_of(true, 0), *theirs = moment_of(false, 0);
    open_client();
    tell(structure);
    fake_run(loop, 5);
    assert_string_equal(why, "the match begins");
    assert_int_equal(table()->you, 0);
    assert_string_equal(table()->names[0], "Ann");
    assert_string_equal(table()->names[1], "Ben");
    assert_null(table()->state);
    assert_false(standard_awaited(client));
    assert_int_equal(sent_count, 2); /* the state comes by itself */
    assert_int_equal(table()->content->limits.turn_ms, NEXT_TURN_MS);
    tell_events(theirs->turn, theirs->state, NULL);
    assert_int_equal(positions, 1);
    assert_int_equal(table()->number, 1);
    assert_int_equal(table()->awaited, 1);
    assert_true(table()->turn_ms == 0);
    assert_false(standard_awaited(client));
    assert_true(events_seen > 0);
    assert_int_equal(table()->events.count, 0); /* they were told */
    fake_run(loop, 100);
    tell_events(mine->turn, mine->state, NULL);
    assert_int_equal(positions, 2);
    assert_int_equal(table()->number, 2);
    uint64_t began = table()->turn_ms;
    assert_in_range(net_now_ms(loop) - began, 0, 2);
    assert_true(standard_awaited(client));
    ClientPosition seen = standard_client.position(client);
    assert_true(seen.content == table()->content && seen.state == table()->state);
    assert_true(seen.turn_began_ms == began && seen.turn_ms == NEXT_TURN_MS);
    assert_true(seen.awaited && !seen.paused && seen.you == 0 && seen.number == 2);
    /* The same turn goes on: its time does not start again. A frame without a state is no news. */
    fake_run(loop, 100);
    tell_events(mine->state, NULL);
    assert_true(table()->turn_ms == began);
    assert_int_equal(positions, 3);
    tell_events(EVENT("CrazyEvent"), NULL);
    tell_events("{\"no\":1}", NULL);
    assert_int_equal(positions, 3);
}

/* Names are cut and cleaned. */
static void names_are_cleaned(void **unused) {
    (void)unused;
    char text[FRAME_BYTES];
    strcpy(text, structure);
    put(text, "\"playerOneName\":\"Ann\"", "\"playerOneName\":\"A\\u0007n\\u007f\\u0020x\"");
    put(text, "\"playerTwoName\":\"Ben\"",
        "\"playerTwoName\":\"0123456789012345678901234567890123456789012345678901234567890123456"
        "789\"");
    open_client();
    tell(text);
    fake_run(loop, 5);
    assert_string_equal(table()->names[0], "A?n? x");
    assert_string_equal(table()->names[1],
                        "012345678901234567890123456789012345678901234567890123456789012");
}

/* The second player has the second seat, and acts in the turns of that seat. */
static void the_second_seat(void **unused) {
    (void)unused;
    char text[FRAME_BYTES];
    const Moment *theirs = moment_of(false, 0);
    strcpy(text, structure);
    put(text, "PlayerOne\"", "PlayerTwo\"");
    open_client();
    tell(text);
    fake_run(loop, 5);
    assert_int_equal(table()->you, 1);
    tell_events(theirs->turn, theirs->state, NULL);
    assert_int_equal(table()->awaited, 1);
    assert_true(standard_awaited(client));
}

/* A spectator asks for the state, and never acts. */
static void a_spectator(void **unused) {
    (void)unused;
    char text[FRAME_BYTES];
    const Moment *mine = moment_of(true, 0);
    strcpy(text, structure);
    put(text, "PlayerOne\"", "Spectator\"");
    setup.role = "SPECTATOR";
    open_client();
    tell(text);
    fake_run(loop, 5);
    assert_int_equal(table()->you, MASH_SEAT_NONE);
    assert_string_equal(sent[2], REQUEST("Req"));
    tell_events(mine->turn, mine->state, NULL);
    assert_int_equal(table()->awaited, 0);
    assert_true(table()->turn_ms == 0);
    assert_false(standard_awaited(client));
    assert_false(standard_act(client, (MashAction){.verb = 1}));
}

/* One request at a time: the next one after Ack and a state. */
static void one_request_at_a_time(void **unused) {
    (void)unused;
    in_match(moment_of(true, 0));
    uint32_t before = sent_count;
    assert_true(standard_act(client, an_action(0)));
    assert_false(standard_awaited(client));
    assert_false(standard_act(client, an_action(1)));
    fake_run(loop, 5);
    assert_int_equal(sent_count, before + 1);
    assert_int_equal(table()->requests, 1);
    assert_memory_equal(sent[before], "{\"messageType\":\"REQUESTS\",\"messages\":[{", 39);
    assert_string_equal(sent[before] + strlen(sent[before]) - 3, "}]}");
    /* The state alone is no answer, neither is the Ack. */
    tell_events(moment_of(true, 0)->state, NULL);
    assert_false(standard_awaited(client));
    tell_events(EVENT("Ack"), NULL);
    assert_false(standard_awaited(client));
    tell_events(moment_of(true, 0)->state, NULL);
    assert_true(standard_awaited(client));
    /* Another turn settles it, too. */
    assert_true(standard_act(client, an_action(0)));
    fake_run(loop, 5);
    const Moment *next = moment_of(true, (uint32_t)(moment_of(true, 0) - moments) + 1);
    tell_events(next->turn, next->state, NULL);
    assert_true(standard_awaited(client));
    assert_true(standard_act(client, an_action(0)));
    fake_run(loop, 5);
    tell_events(moment_of(false, 0)->state, NULL);
    tell_events(next->state, NULL);
    assert_true(standard_awaited(client));
    assert_int_equal(table()->requests, 3);
    /* What is not legal is not sent. */
    assert_false(standard_act(client, (MashAction){.verb = 200}));
    /* An Ack that nobody waits for changes nothing. */
    tell_events(EVENT("Ack"), NULL);
    assert_true(standard_awaited(client));
}

/* A Nack is an answer: it is told, and the turn goes on. */
static void a_request_is_refused(void **unused) {
    (void)unused;
    in_match(moment_of(true, 0));
    uint32_t news = positions;
    assert_true(standard_act(client, an_action(0)));
    fake_run(loop, 5);
    tell_events(EVENT("Nack"), NULL);
    assert_true(standard_awaited(client));
    assert_true(table()->refused);
    assert_int_equal(table()->refusals, 1);
    assert_int_equal(positions, news + 1);
    assert_string_equal(word, "The server refused that.");
    /* Until the next turn. */
    tell_events(moment_of(true, 0)->state, NULL);
    assert_true(table()->refused);
    tell_events(moment_of(false, 0)->turn, moment_of(false, 0)->state, NULL);
    assert_false(table()->refused);
}

/* A careful client asks for nothing of a kind that was refused in this turn; steps only for the
 * same one. After two refusals it ends the turn, once. */
static void a_careful_client_is_refused(void **unused) {
    (void)unused;
    setup.careful = true;
    in_match(moment_of(true, 0));
    MashAction step = a_step(0), other = a_step(1);
    uint32_t end = 0;
    while (an_action(end).verb == step.verb)
        end++;
    assert_false(standard_risky(client, step));
    assert_false(standard_risky(client, an_action(end))); /* nothing has been refused yet */
    uint32_t before = sent_count;
    assert_true(standard_act(client, step));
    fake_run(loop, 5);
    assert_non_null(strstr(sent[before], "MoveRequest"));
    tell_events(EVENT("Nack"), NULL);
    assert_true(standard_risky(client, step));
    assert_false(standard_risky(client, other));
    assert_false(standard_risky(client, an_action(end))); /* of another kind */
    assert_int_equal(sent_count, before + 1);
    assert_true(standard_act(client, other));
    fake_run(loop, 5);
    tell_events(EVENT("Nack"), NULL);
    fake_run(loop, 5);
    assert_true(standard_risky(client, other));
    assert_int_equal(sent_count, before + 3);
    assert_string_equal(sent[before + 2], REQUEST("EndRoundRequest"));
    assert_false(standard_awaited(client));
    tell_events(EVENT("Nack"), NULL); /* even that: it is not asked for again */
    fake_run(loop, 2000);
    assert_int_equal(sent_with("EndRound", before), 1);
    assert_false(standard_risky(client, step)); /* the end of a turn has no kind */
    tell_events(moment_of(false, 0)->turn, moment_of(false, 0)->state, NULL);
    tell_events(moment_of(true, 0)->turn, moment_of(true, 0)->state, NULL);
    assert_false(standard_risky(client, other));
    assert_true(standard_act(client, step));
    fake_run(loop, 5);
    tell_events(EVENT("Nack"), NULL);
    assert_true(standard_risky(client, step));
    tell_events(moment_of(false, 0)->turn, moment_of(false, 0)->state, NULL);
    tell_events(moment_of(true, 0)->turn, moment_of(true, 0)->state, NULL);
    assert_false(standard_risky(client, step)); /* it was in another turn */
    anew();
    /* A client that is not careful sends anything. */
    in_match(moment_of(true, 0));
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(standard_act(client, a_step(0)));
        fake_run(loop, 5);
        tell_events(EVENT("Nack"), NULL);
        assert_false(standard_risky(client, a_step(0)));
    }
    assert_int_equal(sent_with("EndRound", 0), 0);
    assert_int_equal(table()->refusals, 3);
}

/* Requests keep their distance, all in the first half of a turn. */
static void requests_are_paced(void **unused) {
    (void)unused;
    setup.pace_ms = 7000;
    in_match(moment_of(true, 0));
    uint64_t began = table()->turn_ms, last = sent_ms[sent_count - 1] - 1;
    assert_true(standard_act(client, an_action(0)));
    assert_int_equal(table()->requests, 0);
    uint64_t at = until_sent(10000);
    assert_int_equal(at - last, 7000);
    assert_int_equal(table()->requests, 1);
    /* The pause comes first: what was held is not sent. */
    tell_events(EVENT("Ack"), moment_of(true, 0)->state, NULL);
    assert_true(standard_act(client, an_action(0)));
    tell_events(EVENT("PauseStartEvent"), NULL);
    fake_run(loop, 8000);
    assert_int_equal(table()->requests, 1);
    tell_events(EVENT("PauseStopEvent"), NULL);
    assert_true(standard_awaited(client));
    fake_run(loop, began + NEXT_TURN_MS / 2 - 3000 - net_now_ms(loop));
    assert_true(standard_ask(client, "Req"));
    fake_run(loop, 100);
    assert_true(standard_act(client, an_action(0)));
    assert_int_equal(until_sent(10000) - began, NEXT_TURN_MS / 2);
    tell_events(EVENT("Ack"), moment_of(true, 0)->state, NULL);
    at = net_now_ms(loop);
    assert_true(standard_act(client, an_action(0))); /* the half is over: at once */
    assert_int_equal(until_sent(10), at);
    /* A Nack for something that is still held is not its answer. */
    tell_events(moment_of(false, 0)->turn, moment_of(false, 0)->state, NULL);
    tell_events(moment_of(true, 0)->turn, moment_of(true, 0)->state, NULL);
    assert_true(standard_ask(client, "Req"));
    fake_run(loop, 5);
    uint32_t requests = table()->requests;
    assert_true(standard_act(client, an_action(0)));
    tell_events(EVENT("Nack"), NULL);
    assert_true(standard_awaited(client));
    fake_run(loop, 8000);
    assert_int_equal(table()->requests, requests);
}

/* Events that come one by one are answered in kind. */
static void bare_events(void **unused) {
    (void)unused;
    open_client();
    tell(structure);
    fake_run(loop, 5);
    tell(moment_of(true, 0)->turn);
    tell(moment_of(true, 0)->state);
    fake_run(loop, 5);
    assert_true(standard_awaited(client));
    assert_int_equal(positions, 1);
    assert_true(standard_ask(client, "Req"));
    fake_run(loop, 5);
    assert_string_equal(sent[sent_count - 1], "{\"requestType\":\"Req\"}");
    /* The first form counts. */
    tell_events(moment_of(true, 0)->state, NULL);
    assert_true(standard_ask(client, "Req"));
    fake_run(loop, 5);
    assert_string_equal(sent[sent_count - 1], "{\"requestType\":\"Req\"}");
}

/* One server says what its content is, and measures in straight lines. */
static void a_server_with_a_ruler(void **unused) {
    (void)unused;
    open_client();
    tell("{\"messageType\":\"EVENTS\",\"messages\":[],\"customContentType\":\"x\"}");
    tell(structure);
    fake_run(loop, 5);
    assert_false(client->known->ruler);
    tell_events(moment_of(true, 0)->turn, moment_of(true, 0)->state, NULL);
    assert_false(client->known->ruler);
    tell("{\"messageType\":\"EVENTS\",\"customContentType\":\"x\",\"messages\":[]}");
    fake_run(loop, 5);
    assert_true(client->known->ruler);
}

/* Where no event has come for three seconds, the other form is tried. */
static void the_form_is_tried(void **unused) {
    (void)unused;
    open_client();
    tell(structure);
    fake_run(loop, 1);
    uint64_t began = net_now_ms(loop);
    uint64_t at = until_sent(4000);
    assert_in_range(at - began, 2900, 3100);
    assert_string_equal(sent[2], "{\"requestType\":\"Req\"}");
    at = until_sent(20000);
    assert_string_equal(sent[3], "{\"requestType\":\"Req\"}"); /* the keep-alive */
    tell_events(moment_of(true, 0)->turn, moment_of(true, 0)->state, NULL);
    assert_true(standard_ask(client, "Req"));
    fake_run(loop, 5);
    assert_string_equal(sent[4], REQUEST("Req"));
    anew();
    /* An event settles it. */
    open_client();
    tell(structure);
    fake_run(loop, 1);
    tell_events(EVENT("Ack"), NULL);
    fake_run(loop, 5000);
    assert_int_equal(sent_count, 2);
}

/* --- Time ------------------------------------------------------------------------------------- */

/* No answer: after three seconds the state is asked for; after six a careful client ends its turn;
 * then it waits. */
static void reminders(void **unused) {
    (void)unused;
    for (int careful = 0; careful < 2; careful++) {
        setup.careful = careful == 1;
        in_match(moment_of(true, 0));
        uint64_t asked = net_now_ms(loop);
        uint32_t before = sent_count;
        assert_true(standard_act(client, a_step(0)));
        fake_run(loop, 5);
        assert_in_range(until_sent(3200) - asked, 3000, 3100);
        assert_string_equal(sent[before + 1], REQUEST("Req"));
        if (careful) {
            assert_in_range(until_sent(3200) - asked, 6000, 6100);
            assert_string_equal(sent[before + 2], REQUEST("EndRoundRequest"));
            assert_int_equal(table()->requests, 2);
            fake_run(loop, 4000); /* then it waits */
            assert_int_equal(sent_count, before + 3);
        } else {
            fake_run(loop, 6000);
            assert_int_equal(sent_count, before + 2);
        }
        anew();
    }
}

/* Having reminded, a state that has changed is an answer; the same one is not. */
static void the_answer_to_a_reminder(void **unused) {
    (void)unused;
    in_match(moment_of(true, 0));
    assert_true(standard_act(client, a_step(0)));
    fake_run(loop, 5);
    char moved[FRAME_BYTES];
    strcpy(moved, moment_of(true, 0)->state);
    char *health = strstr(moved, "\"HP\":");
    assert_non_null(health);
    put_number(health, "\"HP\":", 7);
    tell_events(moved, NULL);
    assert_false(standard_awaited(client)); /* not reminded yet */
    tell_events(moment_of(true, 0)->state, NULL);
    fake_run(loop, 3200);
    tell_events(moment_of(true, 0)->state, NULL);
    assert_false(standard_awaited(client));
    tell_events(moved, NULL);
    assert_true(standard_awaited(client));
}

/* In a pause, and after the end, nobody is reminded. */
static void no_reminders_in_a_pause(void **unused) {
    (void)unused;
    in_match(moment_of(true, 0));
    uint32_t before = sent_count;
    assert_true(standard_act(client, a_step(0)));
    fake_run(loop, 5);
    tell_events(EVENT("PauseStartEvent"), NULL);
    fake_run(loop, 8000);
    assert_int_equal(sent_count, before + 1);
    /* A Nack then means the pause. */
    uint32_t refusals = table()->refusals;
    tell_events(EVENT("Nack"), NULL);
    assert_int_equal(table()->refusals, refusals);
    assert_false(table()->refused);
    tell_events(EVENT("PauseStopEvent"), NULL);
    assert_true(standard_awaited(client));
}

/* Something is sent at least every half of the silence that the match allows. */
static void it_shows_that_it_lives(void **unused) {
    (void)unused;
    static const struct {
        uint32_t silence_s, after_ms;
    } cases[] = {{20, 10000}, {1, 1000}, {100, 30000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        open_match_with("\"maxResponseTime\":", cases[i].silence_s);
        tell_events(moment_of(false, 0)->turn, moment_of(false, 0)->state, NULL);
        uint64_t last = sent_ms[sent_count - 1] - 1;
        for (int often = 0; often < 3; often++) {
            uint64_t at = until_sent(40000);
            assert_in_range(at - last, cases[i].after_ms, cases[i].after_ms + 100);
            assert_string_equal(sent[sent_count - 1], REQUEST("Req"));
            last = at;
        }
        anew();
    }
}

/* Words of the server about times. */
static void warnings(void **unused) {
    (void)unused;
    in_match(moment_of(true, 0));
    uint32_t before = sent_count, news = positions;
    tell_events(EVENT("TimeoutWarningEvent"), NULL);
    fake_run(loop, 5);
    assert_int_equal(sent_count, before + 1);
    assert_string_equal(sent[before], REQUEST("Req"));
    tell_events(EVENT("TimeoutEvent"), NULL);
    assert_string_equal(word, "Warning: the server has not heard from us.");
    assert_true(standard_awaited(client));
    assert_int_equal(positions, news);
    assert_true(standard_act(client, a_step(0)));
    tell_events(EVENT("TurnTimeoutEvent"), NULL);
    assert_string_equal(word, "Turn time is up.");
    assert_int_equal(positions, news + 1);
    assert_int_equal(table()->awaited, MASH_SEAT_NONE);
    assert_false(standard_awaited(client));
    tell_events(moment_of(true, 0)->state, NULL);
    assert_true(standard_awaited(client)); /* no answer is outstanding */
}

/* A pause, its end, and an end that may be false. */
static void pauses(void **unused) {
    (void)unused;
    in_match(moment_of(true, 0));
    uint32_t news = positions;
    tell_events(EVENT("PauseStartEvent"), NULL);
    assert_true(table()->paused && standard_client.position(client).paused);
    assert_false(standard_awaited(client));
    assert_string_equal(word, "The match is paused.");
    assert_int_equal(positions, news + 1);
    tell_events(EVENT("PauseStopEvent"), NULL);
    assert_false(table()->paused);
    assert_true(standard_awaited(client));
    assert_string_equal(word, "The pause is over.");
    assert_int_equal(positions, news + 2);
    /* The answer to a request in a pause: doubtful for ten seconds. */
    assert_true(standard_act(client, a_step(0)));
    fake_run(loop, 5);
    tell_events(EVENT("PauseStartEvent"), NULL);
    assert_true(table()->paused);
    tell_events(EVENT("PauseStopEvent"), NULL);
    uint64_t began = net_now_ms(loop);
    assert_true(table()->paused);
    news = positions;
    while (table()->paused && net_now_ms(loop) - began < 20000)
        fake_run(loop, 1);
    assert_in_range(net_now_ms(loop) - began, 9990, 10100);
    assert_true(standard_awaited(client));
    assert_int_equal(positions, news + 1);
    /* A new pause settles the doubt. */
    assert_true(standard_act(client, a_step(0)));
    fake_run(loop, 5);
    tell_events(EVENT("PauseStartEvent"), NULL);
    tell_events(EVENT("PauseStopEvent"), NULL);
    tell_events(EVENT("PauseStartEvent"), NULL);
    fake_run(loop, 15000);
    assert_true(table()->paused);
}

/* A careful client leaves a match in which nothing happens any more. */
static void nothing_happens_any_more(void **unused) {
    (void)unused;
    for (int careful = 0; careful < 2; careful++) {
        setup.careful = careful == 1;
        in_match(moment_of(false, 0));
        uint64_t began = net_now_ms(loop);
        fake_run(loop, 50000);
        tell_events(moment_of(false, 0)->state, NULL); /* no news */
        if (!careful) {
            fake_run(loop, 400000);
            assert_int_equal(phases[STANDARD_CLOSED], 0);
        } else {
            uint64_t most = 90000 + 2 * NEXT_TURN_MS + PAUSE_MS;
            assert_in_range(until_closed(400000) - began, most - 5, most + 105);
            fake_run(loop, 5);
            assert_int_equal(sent_with("DisconnectRequest", 0), 1);
            assert_string_equal(why, "timeout");
            assert_true(table()->finished && !table()->decided);
        }
        anew();
    }
    /* A pause has its own time, and turns without a limit have none. */
    setup.careful = true;
    in_match(moment_of(false, 0));
    tell_events(EVENT("PauseStartEvent"), NULL);
    fake_run(loop, 400000);
    assert_int_equal(phases[STANDARD_CLOSED], 0);
    anew();
    setup.careful = true;
    open_match_with("\"maxRoundTime\":", 0);
    fake_run(loop, 400000);
    assert_int_equal(phases[STANDARD_CLOSED], 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_client_introduces_itself),
        TEST(which_clients_claim_a_seat),
        TEST(texts_are_checked),
        TEST(nobody_there),
        TEST(six_of_twelve),
        TEST(a_choice_is_refused),
        TEST(nothing_to_choose_from),
        TEST(a_match_begins),
        TEST(names_are_cleaned),
        TEST(the_second_seat),
        TEST(a_spectator),
        TEST(one_request_at_a_time),
        TEST(a_request_is_refused),
        TEST(a_careful_client_is_refused),
        TEST(requests_are_paced),
        TEST(bare_events),
        TEST(a_server_with_a_ruler),
        TEST(the_form_is_tried),
        TEST(reminders),
        TEST(the_answer_to_a_reminder),
        TEST(no_reminders_in_a_pause),
        TEST(it_shows_that_it_lives),
        TEST(warnings),
        TEST(pauses),
        TEST(nothing_happens_any_more),
    };
    return cmocka_run_group_tests_name("standard client times", tests, record, NULL);
}
