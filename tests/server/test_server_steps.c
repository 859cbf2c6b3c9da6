/* test_server_steps.c -- several actions as one step over the arena: one answer, one record, all or
 * none, also after a crash; undo and takeback; what clients with a log are told of what was before.
 */
#include <stdio.h>
#include <string.h>

#include "server/records.h"
#include "tests/server/fake/fixture.h"

enum { ARMY = 21, WORDS_BYTES = 4096 };

/* Ann and Bob at a table of this game, where offences have no consequences. */
static void begin_game(const char *game, const char *view) {
    arena.server->setup.strikes = 0;
    test_client_join(&ann, &arena, "Ann", "person", view);
    test_client_join(&bob, &arena, "Bob", "person", view);
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"%s\",\"seat\":0}", game);
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
}

static const Match *match_now(void) { return &arena.server->tables->match; }

/* The words with which a seat of Generals places its army, and "ready". The same cells are taken in
 * the same order; `last`: by other pieces. */
static void write_army(uint8_t seat, bool last, MashText *text) {
    const Match *match = match_now();
    const MashContent *content = match->content;
    static _Alignas(64) uint8_t state[1 << 14];
    static MashAction list[1 << 12];
    assert_true(content->limits.state_bytes <= sizeof state);
    memcpy(state, match->state, content->limits.state_bytes);
    for (uint32_t i = 0; i <= ARMY; i++) {
        char word[PROTO_NOTATION_MAX + 1];
        MashText notation = text_over(word, sizeof word);
        MashChance chance = chance_sampled(i);
        uint32_t count = content->game->actions(content, state, seat, list);
        assert_true(count > 0);
        MashAction chosen = list[0];
        for (uint32_t at = 0; at < count; at++) {
            bool before =
                list[at].verb == chosen.verb &&
                (list[at].y < chosen.y || (list[at].y == chosen.y && list[at].x < chosen.x));
            bool same =
                list[at].verb == chosen.verb && list[at].y == chosen.y && list[at].x == chosen.x;
            if (before || (same && last))
                chosen = list[at];
        }
        content->game->notation(content, state, chosen, &notation);
        text_format(text, "%s\"%s\"", i == 0 ? "" : ",", word);
        content->game->apply_listed(content, state, chosen, &chance, NULL);
    }
}

static void write_placement(uint8_t seat, MashText *text) { write_army(seat, false, text); }

static void send_acts(TestClient *client, int32_t position, const char *words) {
    test_client_send(client, "{\"type\":\"acts\",\"id\":41,\"position\":%d,\"actions\":[%s]}",
                     position, words);
}

static void an_army_is_one_step(void **unused) {
    (void)unused;
    char words[WORDS_BYTES];
    MashText text = text_over(words, sizeof words);
    begin_game("generals", "json");
    int32_t before = ann.number;
    write_placement(0, &text);
    test_client_forget(&ann);
    send_acts(&ann, before, words);
    const Message *position = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_int_equal(ann.number, before + 1);
    assert_true(message_has(position, "id"));
    assert_int_equal(position->position.id, 41);
    assert_int_equal(ann.frames, 1);
    uint32_t placed = 0;
    for (const char *at = position->position.events.bytes;
         (at = strstr(at, "\"kind\":\"placed\"")) != NULL; at++)
        placed++;
    assert_int_equal(placed, ARMY);
    assert_false(test_client_has(&bob, MESSAGE_SERVER_POSITION)); /* it is hidden from Bob */
    text_clear(&text);
    write_placement(1, &text);
    send_acts(&bob, bob.number, words);
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    position = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_int_equal(ann.number, before + 2);
    assert_false(message_has(position, "id")); /* it answers no request of Ann's */
    assert_int_equal(match_now()->actions_count, 2 * (ARMY + 1));
    assert_int_equal(match_now()->step_count, ARMY + 1);
    assert_int_equal(arena.server->stats.actions, 2 * (ARMY + 1));
}

static void one_refusal_says_which_action_and_nothing_is_done(void **unused) {
    (void)unused;
    char words[WORDS_BYTES];
    MashText text = text_over(words, sizeof words);
    begin_game("generals", "json");
    write_placement(0, &text);
    text_string(&text, ",\"ready\"");
    send_acts(&ann, ann.number, words);
    test_client_refused(&ann, "no-such-word");
    assert_int_equal(ann.message.refused.action, ARMY + 1);
    assert_int_equal(ann.message.refused.id, 41);
    assert_string_equal(ann.message.refused.to, "acts");
    assert_true(ann.message.refused.offence);
    assert_int_equal(match_now()->actions_count, 0);
    send_acts(&ann, ann.number, "\"ready\"");
    test_client_refused(&ann, "no-such-word");
    assert_int_equal(ann.message.refused.action, 0);
    *strchr(words, ',') = '\0'; /* one that is legal, and a resignation */
    text = text_over(words + strlen(words), 64);
    text_string(&text, ",\"f000000000000000\"");
    send_acts(&ann, ann.number, words);
    test_client_refused(&ann, "no-such-action");
    assert_int_equal(ann.message.refused.action, 1);
    assert_int_equal(match_now()->actions_count, 0);
    assert_false(test_client_has(&bob, MESSAGE_SERVER_POSITION));
}

static void steps_are_late_malformed_and_bounded_like_actions(void **unused) {
    (void)unused;
    char words[WORDS_BYTES];
    MashText text = text_over(words, sizeof words);
    begin_game("generals", "json");
    send_acts(&ann, ann.number - 1, "\"ready\"");
    test_client_refused(&ann, "late");
    assert_false(message_has(&ann.message, "action"));
    send_acts(&ann, ann.number + 1, "\"ready\"");
    test_client_refused(&ann, "no-such-position");
    send_acts(&ann, ann.number, "");
    test_client_refused(&ann, "malformed");
    send_acts(&ann, ann.number, "7");
    test_client_refused(&ann, "malformed");
    for (int i = 0; i <= PROTO_ACTS_MAX; i++)
        text_string(&text, i == 0 ? "\"x\"" : ",\"x\"");
    send_acts(&ann, ann.number, words);
    test_client_refused(&ann, "malformed");
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    send_acts(&eve, 1, "\"ready\"");
    test_client_refused(&eve, "not-at-a-table");
}

/* A player's offers, resignations and the server's verbs are no part of a step. */
static void a_step_has_only_actions_of_the_game(void **unused) {
    (void)unused;
    static const char *const verbs[] = {"f0", "f1", "f4", "f6"};
    begin_game("generals", "json");
    for (uint32_t i = 0; i < 2; i++) {
        char digits[20];
        snprintf(digits, sizeof digits, "\"%s00000000000000\"", verbs[i]);
        send_acts(&ann, ann.number, digits);
        test_client_refused(&ann, "no-such-action");
    }
    assert_false(match_result(match_now()).over);
    assert_int_equal(match_now()->actions_count, 0);
}

/* Ann's army is durable as one record; the crash comes at every length of the journal in
 * test_store_kill and the simulator, here right behind it. */
static void after_a_crash_the_step_is_whole(void **unused) {
    (void)unused;
    char words[WORDS_BYTES];
    MashText text = text_over(words, sizeof words);
    TestClient again;
    begin_game("generals", "bytes");
    write_placement(0, &text);
    send_acts(&ann, ann.number, words);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    char before[1 << 14];
    snprintf(before, sizeof before, "%.*s", (int)ann.message.position.view.count,
             ann.message.position.view.bytes);
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 1);
    assert_int_equal(match_now()->actions_count, ARMY + 1);
    assert_int_equal(match_now()->step_count, ARMY + 1);
    test_client_join(&again, &arena, "Ann", "person", "bytes");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    const Message *position = test_client_expect(&again, MESSAGE_SERVER_POSITION);
    assert_int_equal(again.number, ann.number);
    assert_int_equal(strlen(before), position->position.view.count);
    assert_memory_equal(before, position->position.view.bytes, strlen(before));
    test_client_release(&again);
}

/* A record of actions has a valid length, or it has none. */
static void records_of_steps_are_checked(void **unused) {
    (void)unused;
    uint8_t bytes[MATCH_STEP_MAX * 8 + 12] = {0};
    for (uint32_t count = 0; count <= sizeof bytes; count++) {
        bool whole = count >= 12 && (count - 4) % 8 == 0 && (count - 4) / 8 <= MATCH_STEP_MAX;
        StoreRecord record = {.kind = RECORD_STEP, .bytes = bytes, .count = count};
        assert_int_equal(records_actions(&record), whole ? (count - 4) / 8 : 0);
        record.kind = RECORD_ACTION;
        assert_int_equal(records_actions(&record), count == 12);
        uint32_t left;
        record.kind = RECORD_UNDO;
        assert_int_equal(records_undo(&record, &left), count == 8);
        record.kind = RECORD_BEGIN;
        assert_int_equal(records_actions(&record), 0);
    }
}

/* --- Undo ------------------------------------------------------------------------------------- */

/* A client that wants to know whether it can undo. */
static void join_with_history(TestClient *client, const char *name) {
    test_client_connect(client, &arena, "/arena");
    test_client_send(
        client, "{\"type\":\"hello\",\"name\":\"%s\",\"role\":\"person\",\"history\":true}", name);
    test_client_expect(client, MESSAGE_SERVER_WELCOME);
}

/* Ann, with history, and Bob, without, at a duel of zorde; Ann is to act. */
static void begin_duel(const char *settings) {
    join_with_history(&ann, "Ann");
    test_client_join(&bob, &arena, "Bob", "ai", "json");
    for (int seat = 0; seat < 2; seat++) {
        test_client_send(&ann,
                         "{\"type\":\"open\",\"game\":\"zorde\",\"preset\":\"duel\",\"seat\":%d%s}",
                         seat, settings);
        test_client_expect(&ann, MESSAGE_SERVER_TABLE);
        test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
        test_client_expect(&bob, MESSAGE_SERVER_POSITION);
        if (test_client_expect(&ann, MESSAGE_SERVER_POSITION)->position.awaited.bytes[1] - '0' ==
            ann.seat)
            return;
        test_client_send(&ann, "{\"type\":\"leave\"}");
        test_client_send(&bob, "{\"type\":\"leave\"}");
    }
    fail();
}

static void send_undo(TestClient *client) {
    test_client_send(client, "{\"type\":\"undo\",\"id\":5,\"position\":%d}", client->number);
}

/* What the client's last position says about undoing. */
static const char *undo_said(const TestClient *client) {
    return message_has(&client->message, "undo") ? client->message.position.undo : "-";
}

static void keep_board(const TestClient *client, char *out, size_t max) {
    snprintf(out, max, "%.*s", (int)client->message.position.board.count,
             client->message.position.board.bytes);
}

static void a_step_of_ones_own_turn_is_undone(void **unused) {
    (void)unused;
    char before[1 << 14], after[1 << 14], bobs[1 << 14];
    begin_duel("");
    assert_string_equal(undo_said(&ann), "nothing-to-undo");
    assert_string_equal(undo_said(&bob), "-"); /* a client that did not ask gets nothing new */
    keep_board(&ann, before, sizeof before);
    int32_t first = ann.number;
    test_client_act(&ann);
    assert_string_equal(undo_said(&ann), "ok");
    assert_false(message_has(test_client_expect(&bob, MESSAGE_SERVER_POSITION), "undone"));
    assert_string_equal(undo_said(&bob), "-");
    send_undo(&ann);
    const Message *position = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_int_equal(position->position.id, 5);
    assert_int_equal(position->position.undone, ann.seat);
    assert_int_equal(ann.number, first + 2); /* numbers go on rising */
    keep_board(&ann, after, sizeof after);
    assert_string_equal(before, after);
    assert_string_equal(undo_said(&ann), "nothing-to-undo");
    position = test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    assert_int_equal(position->position.undone, ann.seat);
    assert_false(message_has(position, "id"));
    assert_int_equal(bob.number, first + 2);
    keep_board(&bob, bobs, sizeof bobs);
    assert_string_equal(before, bobs);
    test_client_act(&ann); /* the next action is no undo */
    assert_false(message_has(&ann.message, "undone"));
    assert_false(message_has(test_client_expect(&bob, MESSAGE_SERVER_POSITION), "undone"));
    send_undo(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    send_undo(&ann);
    test_client_refused(&ann, "nothing-to-undo");
    assert_false(ann.message.refused.offence);
    assert_int_equal(match_now()->actions_count, 0);
}

/* Ann acts until her turn is over; the position that says so is her last. */
static void end_turn(void) {
    for (int i = 0; i < 50 && strcmp(undo_said(&ann), "turn-over") != 0; i++)
        test_client_act(&ann);
    assert_string_equal(undo_said(&ann), "turn-over");
    while (test_client_has(&bob, MESSAGE_SERVER_POSITION))
        test_client_expect(&bob, MESSAGE_SERVER_POSITION);
}

static void a_turn_that_is_over_is_taken_back_only_by_consent(void **unused) {
    (void)unused;
    begin_duel("");
    test_client_send(&bob, "{\"type\":\"takeback\",\"what\":\"offer\"}");
    test_client_refused(&bob, "nothing-to-undo");
    end_turn();
    uint32_t actions = match_now()->actions_count;
    send_undo(&ann);
    test_client_refused(&ann, "turn-over");
    test_client_send(&bob, "{\"type\":\"takeback\",\"what\":\"accept\"}");
    test_client_refused(&bob, "no-takeback");
    test_client_send(&ann, "{\"type\":\"takeback\",\"what\":\"offer\"}");
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_TAKEBACK)->takeback_said.what,
                     PROTO_TAKEBACK_OFFER);
    assert_int_equal(test_client_expect(&bob, MESSAGE_SERVER_TAKEBACK)->takeback_said.seat,
                     ann.seat);
    test_client_send(&ann, "{\"type\":\"takeback\",\"what\":\"offer\"}");
    test_client_refused(&ann, "takeback-offered");
    test_client_send(&ann, "{\"type\":\"takeback\",\"what\":\"accept\"}");
    test_client_refused(&ann, "no-takeback"); /* nobody accepts for the other */
    assert_int_equal(match_now()->actions_count, actions);
    test_client_send(&bob, "{\"type\":\"takeback\",\"what\":\"decline\"}");
    assert_int_equal(test_client_expect(&ann, MESSAGE_SERVER_TAKEBACK)->takeback_said.what,
                     PROTO_TAKEBACK_DECLINE);
    test_client_send(&ann, "{\"type\":\"takeback\",\"what\":\"offer\"}");
    test_client_send(&bob, "{\"type\":\"takeback\",\"what\":\"accept\"}");
    const Message *position = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_int_equal(position->position.undone, ann.seat);
    assert_int_equal(position->position.awaited.bytes[1] - '0', ann.seat);
    assert_int_equal(match_now()->actions_count, actions - 1);
    assert_true(message_has(test_client_expect(&bob, MESSAGE_SERVER_POSITION), "undone"));
}

/* Playing on declines it; a player who reconnects is told of a pending request. */
static void a_takeback_lapses_with_the_next_action(void **unused) {
    (void)unused;
    TestClient again;
    begin_duel("");
    end_turn();
    test_client_send(&ann, "{\"type\":\"takeback\",\"what\":\"offer\"}");
    join_with_history(&again, "Bob");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", bob.token);
    test_client_expect(&again, MESSAGE_SERVER_POSITION);
    assert_int_equal(test_client_expect(&again, MESSAGE_SERVER_TAKEBACK)->takeback_said.seat,
                     ann.seat);
    test_client_forget(&again);
    test_client_send(&again, "{\"type\":\"leave\"}");
    test_client_release(&again);
    test_client_release(&ann);
    test_client_release(&bob);
    begin_duel("");
    end_turn();
    test_client_send(&ann, "{\"type\":\"takeback\",\"what\":\"offer\"}");
    test_client_expect(&bob, MESSAGE_SERVER_TAKEBACK);
    test_client_forget(&bob);
    test_client_send(&bob, "{\"type\":\"draw\",\"what\":\"offer\"}");
    test_client_expect(&bob, MESSAGE_SERVER_POSITION);
    test_client_send(&bob, "{\"type\":\"takeback\",\"what\":\"accept\"}");
    test_client_refused(&bob, "no-takeback");
}

/* What was undone is not in the match that comes back after a crash, nor in the archive. */
static void undone_steps_stay_undone(void **unused) {
    (void)unused;
    TestClient one, two;
    char path[64], body[1 << 16], before[1 << 14], after[1 << 14];
    begin_duel("");
    test_client_act(&ann);
    send_undo(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_act(&ann);
    send_undo(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    test_client_act(&ann);
    keep_board(&ann, before, sizeof before);
    int32_t number = ann.number;
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 1);
    assert_int_equal(match_now()->actions_count, 1);
    join_with_history(&one, "Ann");
    test_client_join(&two, &arena, "Bob", "ai", "json");
    test_client_send(&one, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    test_client_send(&two, "{\"type\":\"return\",\"token\":\"%s\"}", bob.token);
    test_client_expect(&one, MESSAGE_SERVER_POSITION);
    assert_int_equal(one.number, number);
    assert_string_equal(undo_said(&one), "ok");
    keep_board(&one, after, sizeof after);
    assert_string_equal(before, after);
    test_client_send(&two, "{\"type\":\"resign\"}");
    MashText out = text_over(body, sizeof body), address = text_over(path, sizeof path);
    text_format(&address, "/api/match/%s", ann.code);
    test_client_release(&one);
    test_client_release(&two);
    arena_run(&arena, 200);
    assert_int_equal(fake_get(arena.server->net, path, &out), 200);
    assert_non_null(strstr(body, "\"n\": 2"));
    assert_null(strstr(body, "\"n\": 3")); /* one action and the resignation */
}

static void against_an_ai_player_any_step_is_undone(void **unused) {
    (void)unused;
    join_with_history(&ann, "Ann");
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"tablut\",\"seat\":0,"
                           "\"opponent\":\"ai\",\"level\":1}");
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    for (int i = 0; i < 400 && ann.message.position.awaited.bytes[1] - '0' != ann.seat; i++) {
        arena_run(&arena, 10);
        if (test_client_has(&ann, MESSAGE_SERVER_POSITION))
            test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    }
    uint32_t before = match_now()->actions_count;
    test_client_act(&ann);
    for (int i = 0; i < 400 && match_now()->actions_count < before + 2; i++)
        arena_run(&arena, 10);
    while (test_client_has(&ann, MESSAGE_SERVER_POSITION))
        test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_int_equal(match_now()->actions_count, before + 2);
    assert_string_equal(undo_said(&ann), "ok");
    test_client_send(&ann,
                     "{\"type\":\"takeback\",\"what\":\"offer\"}"); /* an AI player allows it */
    const Message *position = test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_int_equal(position->position.undone, ann.seat);
    assert_int_equal(match_now()->actions_count, before);
    test_client_act(&ann);
    for (int i = 0; i < 400 && match_now()->actions_count < before + 2; i++)
        arena_run(&arena, 10);
    assert_int_equal(match_now()->actions_count, before + 2); /* it plays on */
}

/* A step, an undo and a takeback give no time back. */
static void time_used_stays_used(void **unused) {
    (void)unused;
    begin_duel(",\"turn_ms\":60000");
    const Clock *clock = &arena.server->tables->clock;
    uint64_t used = clock->seats[ann.seat].turn_ms;
    arena_run(&arena, 5000);
    test_client_act(&ann);
    arena_run(&arena, 5000);
    send_undo(&ann);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_true(clock->seats[ann.seat].turn_ms >= used + 10000);
    end_turn();
    uint64_t spent = clock->seats[ann.seat].ended_ms;
    assert_true(spent >= used + 10000);
    arena_run(&arena, 20000);
    test_client_send(&ann, "{\"type\":\"takeback\",\"what\":\"offer\"}");
    test_client_send(&bob, "{\"type\":\"takeback\",\"what\":\"accept\"}");
    assert_true(clock->seats[ann.seat].awaited);
    assert_true(clock->seats[ann.seat].turn_ms >= spent);
    assert_true(clock->seats[ann.seat].turn_ms < spent + 5000); /* Bob's time is not hers */
}

/* --- History ---------------------------------------------------------------------------------- */

/* How often a text occurs in the list of steps of the client's last `history`. */
static uint32_t steps_with(const TestClient *client, const char *words) {
    const MessageJson *steps = &client->message.history.steps;
    uint32_t found = 0;
    for (const char *at = steps->bytes;
         (at = strstr(at, words)) != NULL && at < steps->bytes + steps->count; at++)
        found++;
    return found;
}

static void returning_players_are_told_what_happened(void **unused) {
    (void)unused;
    TestClient again, old;
    begin_duel("");
    end_turn();
    uint32_t steps = match_now()->actions_count;
    send_undo(&ann);
    test_client_refused(&ann, "turn-over");
    for (int i = 0; i < 3; i++)
        test_client_send(&bob, "{\"type\":\"chat\",\"text\":\"line %d\"}", i);
    join_with_history(&again, "Ann");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    test_client_expect(&again, MESSAGE_SERVER_POSITION);
    const Message *history = test_client_expect(&again, MESSAGE_SERVER_HISTORY);
    assert_int_equal(history->json.nodes[history->history.steps.node].count, steps);
    assert_int_equal(steps_with(&again, "\"kind\":\"moved\""), steps);
    assert_int_equal(history->json.nodes[history->history.chat.node].count, 3);
    assert_non_null(strstr(history->history.chat.bytes, "line 0"));
    test_client_join(&old, &arena, "Old", "watcher",
                     "json"); /* a client that did not ask is not told */
    test_client_send(&old, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&old, MESSAGE_SERVER_POSITION);
    assert_false(test_client_has(&old, MESSAGE_SERVER_HISTORY));
    test_client_release(&old);
    test_client_release(&again);
}

/* What was undone is not told; a step of several actions is one entry; chat is bounded. */
static void the_history_is_what_remains(void **unused) {
    (void)unused;
    char words[WORDS_BYTES];
    MashText text = text_over(words, sizeof words);
    join_with_history(&ann, "Ann");
    test_client_join(&bob, &arena, "Bob", "person", "json");
    arena.server->setup.request_rate = (NetRate){0, 0};
    test_client_send(&ann, "{\"type\":\"open\",\"game\":\"generals\",\"seat\":0}");
    test_client_expect(&ann, MESSAGE_SERVER_TABLE);
    test_client_send(&bob, "{\"type\":\"join\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    assert_false(test_client_has(&ann, MESSAGE_SERVER_HISTORY)); /* nothing has happened */
    write_placement(0, &text);
    for (int i = 0; i < 3; i++) {
        send_acts(&ann, ann.number, words);
        test_client_expect(&ann, MESSAGE_SERVER_POSITION);
        assert_string_equal(undo_said(&ann), "ok");
        if (i < 2)
            send_undo(&ann);
        if (i < 2)
            test_client_expect(&ann, MESSAGE_SERVER_POSITION);
    }
    for (int i = 0; i < 60; i++)
        test_client_send(&bob, "{\"type\":\"chat\",\"text\":\"line %d.\"}", i);
    TestClient again;
    join_with_history(&again, "Ann");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    const Message *history = test_client_expect(&again, MESSAGE_SERVER_HISTORY);
    assert_int_equal(history->json.nodes[history->history.steps.node].count, 1);
    assert_int_equal(steps_with(&again, "\"kind\":\"placed\""), ARMY);
    assert_int_equal(history->json.nodes[history->history.chat.node].count, 50);
    assert_null(strstr(history->history.chat.bytes, "line 9."));
    assert_non_null(strstr(history->history.chat.bytes, "line 10."));
    test_client_release(&again);
}

/* What players said is told after a crash, in order and with their names; a spectator's line and a
 * record that cannot be read are not, and cost the match nothing. */
static void what_players_said_outlives_a_crash(void **unused) {
    (void)unused;
    TestClient again;
    begin_duel("");
    test_client_join(&eve, &arena, "Eve", "watcher", "json");
    test_client_send(&eve, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    test_client_expect(&eve, MESSAGE_SERVER_POSITION);
    test_client_send(&ann, "{\"type\":\"chat\",\"text\":\"good \\\"luck\\\"\"}");
    test_client_act(&ann);
    test_client_send(&eve, "{\"type\":\"chat\",\"text\":\"hurry up\"}");
    test_client_send(&bob, "{\"type\":\"chat\",\"text\":\"you too\"}");
    test_client_expect(&bob, MESSAGE_SERVER_CHAT);
    uint32_t actions = match_now()->actions_count;
    StoreRecord strange = {
        .match = arena.server->tables->number, .kind = RECORD_CHAT, .bytes = "{}", .count = 2};
    uint64_t ticket;
    assert_int_equal(store_append(arena.server->store, &strange, &ticket), STORE_OK);
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 1);
    assert_int_equal(match_now()->actions_count, actions);
    join_with_history(&again, "Ann");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    const MessageJson *chat = &test_client_expect(&again, MESSAGE_SERVER_HISTORY)->history.chat;
    static const char told[] = "[{\"name\":\"Ann\",\"seat\":0,\"text\":\"good \\\"luck\\\"\"},"
                               "{\"name\":\"Bob\",\"seat\":1,\"text\":\"you too\"}]";
    assert_int_equal(chat->count, strlen(told));
    assert_memory_equal(chat->bytes, told, strlen(told));
    test_client_release(&again);
    test_client_release(&eve);
}

/* A match that is over takes no more records, and neither does one in which too much was said. */
/* A phrase is told by its id and in English, also to who comes later and after a restart; nothing
 * else is one. */
static void phrases_are_told_by_id(void **unused) {
    (void)unused;
    TestClient again = {.arena = NULL};
    fixture_begin("", "person");
    test_client_send(&ann, "{\"type\":\"chat\",\"phrase\":\"good-luck\"}");
    const Message *told = test_client_expect(&bob, MESSAGE_SERVER_CHAT);
    assert_string_equal(told->chat_line.text, "Good luck!");
    assert_true(message_has(told, "phrase"));
    assert_int_equal(told->chat_line.phrase, PROTO_PHRASE_GOOD_LUCK);
    test_client_send(&ann, "{\"type\":\"chat\",\"text\":\"good luck\"}");
    assert_false(message_has(test_client_expect(&bob, MESSAGE_SERVER_CHAT), "phrase"));
    test_client_forget(&ann);
    test_client_send(&ann, "{\"type\":\"chat\"}");
    test_client_refused(&ann, "malformed");
    test_client_send(&ann, "{\"type\":\"chat\",\"phrase\":\"rude\"}");
    test_client_refused(&ann, "malformed");
    char token[PROTO_TOKEN_DIGITS + 1];
    memcpy(token, bob.token, sizeof token);
    test_client_release(&bob);
    test_client_connect(&again, &arena, "/arena");
    test_client_send(&again, "{\"type\":\"hello\",\"name\":\"Bob\",\"role\":\"person\","
                             "\"view\":\"json\",\"history\":true}");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", token);
    const Message *history = test_client_expect(&again, MESSAGE_SERVER_HISTORY);
    assert_non_null(
        strstr(history->history.chat.bytes, "\"text\":\"Good luck!\",\"phrase\":\"good-luck\"}"));
    test_client_release(&again);
}

static void chat_is_recorded_within_limits(void **unused) {
    (void)unused;
    begin_duel("");
    arena.server->setup.request_rate = (NetRate){0, 0};
    for (int i = 0; i < 1010; i++) {
        test_client_send(&bob, "{\"type\":\"chat\",\"text\":\"line %d.\"}", i);
        test_client_forget(&bob);
        test_client_forget(&ann);
    }
    arena_kill(&arena);
    arena_open(&arena);
    TestClient again;
    join_with_history(&again, "Ann");
    test_client_send(&again, "{\"type\":\"return\",\"token\":\"%s\"}", ann.token);
    const Message *history = test_client_expect(&again, MESSAGE_SERVER_HISTORY);
    assert_non_null(strstr(history->history.chat.bytes, "line 999."));
    assert_null(strstr(history->history.chat.bytes, "line 1000."));
    test_client_send(&again, "{\"type\":\"resign\"}");
    test_client_expect(&again, MESSAGE_SERVER_POSITION);
    test_client_send(&again, "{\"type\":\"chat\",\"text\":\"bye\"}");
    test_client_expect(&again, MESSAGE_SERVER_CHAT);
    arena_kill(&arena);
    arena_open(&arena);
    assert_int_equal(arena.server->stats.recovered, 0);
    test_client_release(&again);
}

/* The history that is sent to a viewer who joins late, in a match of Generals in which Ann has
 * placed her army one way or the other. */
static void write_late_history(bool other_army, const char *token_of, char *out, size_t max) {
    char words[WORDS_BYTES];
    TestClient late;
    begin_game("generals", "bytes");
    for (uint8_t seat = 0; seat < 2; seat++) {
        TestClient *client = seat == 0 ? &ann : &bob;
        MashText text = text_over(words, sizeof words);
        write_army(seat, seat == 0 && other_army, &text);
        send_acts(client, client->number, words);
        test_client_expect(client, MESSAGE_SERVER_POSITION);
    }
    join_with_history(&late, "Late");
    if (token_of != NULL)
        test_client_send(&late, "{\"type\":\"return\",\"token\":\"%s\"}",
                         token_of[0] == 'a' ? ann.token : bob.token);
    else
        test_client_send(&late, "{\"type\":\"watch\",\"code\":\"%s\"}", ann.code);
    const Message *history = test_client_expect(&late, MESSAGE_SERVER_HISTORY);
    snprintf(out, max, "%.*s", (int)history->history.steps.count, history->history.steps.bytes);
    test_client_release(&late);
    test_client_release(&ann);
    test_client_release(&bob);
}

static void the_history_hides_what_was_hidden(void **unused) {
    (void)unused;
    static char one[1 << 16], other[1 << 16];
    static const char *const viewers[] = {NULL, "bob", "ann"};
    for (int i = 0; i < 3; i++) {
        write_late_history(false, viewers[i], one, sizeof one);
        write_late_history(true, viewers[i], other, sizeof other);
        assert_true(strlen(one) > 2);
        if (i < 2)
            assert_string_equal(one, other);
        else
            assert_string_not_equal(one, other); /* her own army is no secret from Ann */
    }
}

/* The increment for a turn that is taken back is given back too, also after a crash. */
static void increments_are_given_back(void **unused) {
    (void)unused;
    begin_duel(",\"bank_ms\":300000,\"increment_ms\":5000");
    const ClockSeat *seat = &arena.server->tables->clock.seats[ann.seat];
    end_turn();
    assert_int_equal(seat->gained_ms, 5000);
    test_client_send(&ann, "{\"type\":\"takeback\",\"what\":\"offer\"}");
    test_client_send(&bob, "{\"type\":\"takeback\",\"what\":\"accept\"}");
    assert_int_equal(seat->gained_ms, 0);
    assert_int_equal(arena.server->tables->clock.seats[bob.seat].gained_ms, 0);
    arena_kill(&arena);
    arena_open(&arena);
    for (int i = 0; i < 2; i++)
        assert_int_equal(arena.server->tables->clock.seats[i].gained_ms, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_army_is_one_step, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(one_refusal_says_which_action_and_nothing_is_done,
                                        fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(steps_are_late_malformed_and_bounded_like_actions,
                                        fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_step_has_only_actions_of_the_game, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(after_a_crash_the_step_is_whole, fixture_open,
                                        fixture_close),
        cmocka_unit_test(records_of_steps_are_checked),
        cmocka_unit_test_setup_teardown(a_step_of_ones_own_turn_is_undone, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(a_turn_that_is_over_is_taken_back_only_by_consent,
                                        fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_takeback_lapses_with_the_next_action, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(undone_steps_stay_undone, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(against_an_ai_player_any_step_is_undone, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(time_used_stays_used, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(increments_are_given_back, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(returning_players_are_told_what_happened, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(the_history_is_what_remains, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(what_players_said_outlives_a_crash, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(phrases_are_told_by_id, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(chat_is_recorded_within_limits, fixture_open,
                                        fixture_close),
        cmocka_unit_test_setup_teardown(the_history_hides_what_was_hidden, fixture_open,
                                        fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
