/* test_server_steps.c -- several actions as one step over the arena: one answer, one record, all or
 * none, also after a crash. */
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

/* The words with which a seat of Generals places its army in rows from `row` on, and "ready". */
static void write_placement(uint8_t seat, MashText *text) {
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
        content->game->notation(content, state, list[0], &notation);
        text_format(text, "%s\"%s\"", i == 0 ? "" : ",", word);
        content->game->apply_listed(content, state, list[0], &chance, NULL);
    }
}

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
        record.kind = RECORD_BEGIN;
        assert_int_equal(records_actions(&record), 0);
    }
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
