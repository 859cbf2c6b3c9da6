/* test_position.c -- positions on the wire: in every game each frame can be read back by the
 * message list, its groups are the engine's list, its bytes the engine's view. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "examples/breakthrough.h"
#include "match/match.h"
#include "match/simulate.h"
#include "proto/position.h"
#include "tests/support/support.h"

enum { NODES = 1 << 19, TEXT = 1 << 23, STEPS = 60, PROBLEMS = 4 };

/* The data of a test of one game. */
typedef struct PositionFixture {
    MashContent *content;
    Match match;
    void *view, *scratch;
    MashAction *list;
    JsonNode *nodes;
    char *bytes;
    MashText text;
    Message message;
    const MashTexts *texts;    /* the language to write in */
    const MashCalling *called; /* what sentences call units */
} PositionFixture;

static void set_up(PositionFixture *fixture, const MashGame *game, const char *preset) {
    memset(fixture, 0, sizeof *fixture);
    fixture->content = support_content(game, preset);
    void *memory = support_memory(match_bytes(fixture->content));
    assert_int_equal(
        match_begin(&fixture->match, fixture->content, (MashSeed){{5, 6}}, NULL, memory), MASH_OK);
    fixture->view = support_state(fixture->content);
    fixture->scratch = support_memory(position_bytes(fixture->content));
    fixture->list = support_memory((fixture->content->limits.actions_max + 1) * sizeof(MashAction));
    fixture->nodes = support_memory(NODES * sizeof(JsonNode));
    fixture->bytes = support_memory(TEXT);
}

static void tear_down(PositionFixture *fixture) {
    void *first = fixture->match.state < fixture->match.previous ? fixture->match.state
                                                                 : fixture->match.previous;
    support_free(first);
    support_free(fixture->content);
    support_free(fixture->view);
    support_free(fixture->scratch);
    support_free(fixture->list);
    support_free(fixture->nodes);
    support_free(fixture->bytes);
}

/* Writes the position of a seat and reads it back. */
static void write_and_read(PositionFixture *fixture, uint8_t seat, uint8_t form, bool words) {
    match_view(&fixture->match, seat, fixture->view);
    Position position = {.content = fixture->content,
                         .view = fixture->view,
                         .seat = seat,
                         .events = fixture->match.events.list,
                         .events_count = fixture->match.events.count,
                         .code = "k7qf-2m9x-w3ab",
                         .number = 7,
                         .clocks = {{1000, POSITION_NO_TIME}, POSITION_NO_TIME},
                         .form = form,
                         .words = words,
                         .texts = fixture->texts,
                         .called = fixture->called};
    MashProblem list[PROBLEMS];
    MashProblems problems = {.list = list, .max = PROBLEMS};
    MessageMemory memory = {fixture->nodes, NODES, NULL, 0};
    fixture->text = text_over(fixture->bytes, TEXT);
    position_write(&position, fixture->scratch, &fixture->text);
    assert_false(fixture->text.truncated);
    MessageReadResult reading = message_read(&fixture->message, fixture->bytes, fixture->text.count,
                                             true, &memory, &problems);
    if (reading != MESSAGE_VALID)
        fail_msg("%s: %s %s", fixture->content->game->id, list[0].path, list[0].reason);
    assert_int_equal(fixture->message.kind, MESSAGE_SERVER_POSITION);
    assert_int_equal(fixture->message.position.number, 7);
}

static int32_t whole_at(const Json *json, uint32_t node) {
    int32_t number;
    assert_true(json_int(json, node, INT32_MIN, INT32_MAX, &number, NULL));
    return number;
}

/* The groups contain exactly the engine's list. */
static void groups_are_the_list(PositionFixture *fixture, uint8_t seat) {
    const Json *json = &fixture->message.json;
    uint32_t count = seat >= MASH_SEATS
                         ? 0
                         : fixture->content->game->actions(fixture->content, fixture->match.state,
                                                           seat, fixture->list);
    uint32_t said = 0, groups = fixture->message.position.actions.node;
    for (uint32_t i = json_first(json, groups); i != JSON_NONE; i = json->nodes[i].next) {
        MashAction action = {.seat = seat};
        action.verb = (uint8_t)whole_at(json, json_member(json, i, "verb"));
        action.unit = (uint8_t)whole_at(json, json_member(json, i, "unit"));
        action.ability = (uint8_t)whole_at(json, json_member(json, i, "ability"));
        uint32_t cells = json_member(json, i, "cells");
        for (uint32_t j = json_first(json, cells); j != JSON_NONE; j = json->nodes[j].next) {
            int32_t numbers[4] = {0};
            uint32_t n = 0;
            for (uint32_t k = json_first(json, j); k != JSON_NONE; k = json->nodes[k].next)
                numbers[n++] = whole_at(json, k);
            assert_true(n == 2 || n == 4);
            action.x = (int8_t)numbers[0];
            action.y = (int8_t)numbers[1];
            action.other = (uint8_t)numbers[2];
            action.amount = (uint8_t)numbers[3];
            assert_true(said < count);
            assert_int_equal(mash_action_compare(action, fixture->list[said]), 0);
            said++;
        }
    }
    assert_int_equal(said, count);
}

static void bytes_are_the_view(PositionFixture *fixture, uint8_t seat) {
    const MessageJson *value = &fixture->message.position.view;
    uint32_t size = fixture->content->limits.state_bytes;
    void *back = support_state(fixture->content);
    assert_int_equal(base64_decode(value->bytes, value->count, back, size), size);
    assert_memory_equal(back, fixture->view, size);
    support_free(back);
    value = &fixture->message.position.happened;
    uint32_t seen = 0, max = fixture->match.events.count * (uint32_t)sizeof(MashEvent) + 1;
    MashEvent *events = support_memory(max);
    for (uint32_t i = 0; i < fixture->match.events.count; i++)
        seen += mash_event_seen(&fixture->match.events.list[i], seat);
    assert_int_equal(base64_decode(value->bytes, value->count, events, max),
                     seen * sizeof(MashEvent));
    for (uint32_t i = 0; i < seen; i++)
        assert_int_equal(events[i].seen_by, MASH_SEEN_BY_ALL);
    support_free(events);
}

static void check_all(PositionFixture *fixture) {
    static const uint8_t seats[] = {0, 1, MASH_SEAT_SPECTATOR};
    for (uint32_t i = 0; i < 3; i++) {
        write_and_read(fixture, seats[i], PROTO_FORM_JSON, false);
        groups_are_the_list(fixture, seats[i]);
        write_and_read(fixture, seats[i], PROTO_FORM_JSON, true);
        write_and_read(fixture, seats[i], PROTO_FORM_BYTES, false);
        bytes_are_the_view(fixture, seats[i]);
    }
}

static void every_position_reads_back(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        PositionFixture fixture;
        set_up(&fixture, *game, NULL);
        MashChance chooser = simulate_action_chance(1, 0);
        for (uint32_t i = 0; i < STEPS && !match_result(&fixture.match).over; i++) {
            check_all(&fixture);
            MashAction action = simulate_random_action(fixture.content, fixture.match.state,
                                                       &chooser, fixture.list);
            assert_int_equal(match_apply(&fixture.match, action), MASH_OK);
        }
        match_apply(&fixture.match, (MashAction){.verb = MASH_VERB_RESIGN, .seat = 1});
        assert_true(match_result(&fixture.match).over);
        check_all(&fixture);
        assert_true(message_has(&fixture.message, "result"));
        tear_down(&fixture);
    }
}

static void a_draw_offer_is_shown(void **unused) {
    (void)unused;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        PositionFixture fixture;
        set_up(&fixture, mash_game_find("zorde"), "duel");
        write_and_read(&fixture, 0, PROTO_FORM_JSON, false);
        assert_int_equal(fixture.message.position.draw, MASH_SEAT_NONE);
        assert_false(message_has(&fixture.message, "result"));
        MashChance chooser = simulate_action_chance(1, 0);
        while (fixture.content->game->awaited(fixture.content, fixture.match.state) != 1u << seat)
            assert_int_equal(match_apply(&fixture.match, simulate_random_action(
                                                             fixture.content, fixture.match.state,
                                                             &chooser, fixture.list)),
                             MASH_OK);
        MashAction offer = {.verb = MASH_VERB_DRAW_OFFER, .seat = seat};
        assert_int_equal(match_apply(&fixture.match, offer), MASH_OK);
        write_and_read(&fixture, (uint8_t)(1 - seat), PROTO_FORM_JSON, true);
        assert_int_equal(fixture.message.position.draw, seat);
        assert_non_null(strstr(fixture.bytes, "draw-offered"));
        tear_down(&fixture);
    }
}

/* The strings that follow this key in the last position, joined by blanks. */
static void collect(const PositionFixture *fixture, const char *key, MashText *out) {
    for (const char *at = fixture->bytes; (at = strstr(at, key)) != NULL;) {
        at += strlen(key);
        text_bytes(out, at, (uint32_t)strcspn(at, ",}"));
        text_byte(out, ' ');
    }
}

/* Programs decide by ids and roles, which are the same in every language; names and sentences are
 * in the requested language. */
static void ids_and_roles_stay_in_every_language(void **unused) {
    (void)unused;
    static const char *const keys[] = {
        "\"kind_id\":", "\"phase_id\":",  "\"id\":",         "\"role\":",
        "\"what_id\":", "\"reason_id\":", "\"ground_ids\":", "\"about_ids\":"};
    static const char *const words[] = {"\"phase\":", "\"name\":", "\"text\":", "\"why\":"};
    static char bytes[2][1 << 16];
    const MashGame *game = mash_game_find("ultimate-war");
    MashDocument document = mash_document_shipped(game, "german.texts.json");
    MashProblem list[PROBLEMS];
    MashProblems problems = {.list = list, .max = PROBLEMS};
    MashTexts *texts = support_memory(game->texts_bytes);
    void *scratch = support_memory(MASH_SCRATCH_BYTES);
    MashDocuments documents = {&document, 1, scratch, MASH_SCRATCH_BYTES};
    PositionFixture fixture;
    set_up(&fixture, game, NULL);
    assert_true(game->load_texts(fixture.content, &documents, texts, &problems));
    MashChance chooser = simulate_action_chance(1, 0);
    for (uint32_t i = 0; i < STEPS; i++)
        assert_int_equal(
            match_apply(&fixture.match, simulate_random_action(fixture.content, fixture.match.state,
                                                               &chooser, fixture.list)),
            MASH_OK);
    assert_int_equal(match_apply(&fixture.match, (MashAction){.verb = MASH_VERB_RESIGN, .seat = 1}),
                     MASH_OK);
    for (uint32_t i = 0; i < sizeof keys / sizeof *keys + sizeof words / sizeof *words; i++) {
        bool is_word = i >= sizeof keys / sizeof *keys;
        const char *key = is_word ? words[i - sizeof keys / sizeof *keys] : keys[i];
        for (uint32_t german = 0; german < 2; german++) {
            MashText found = text_over(bytes[german], sizeof bytes[german]);
            fixture.texts = german ? texts : NULL;
            write_and_read(&fixture, 0, PROTO_FORM_JSON, true);
            collect(&fixture, key, &found);
            assert_false(found.truncated);
        }
        if (bytes[0][0] == '\0' || (strcmp(bytes[0], bytes[1]) == 0) == is_word)
            fail_msg("%s is %s and in German %s", key, bytes[0], bytes[1]);
    }
    assert_non_null(strstr(fixture.bytes, "\"reason_id\":\"resigned\""));
    assert_non_null(strstr(fixture.bytes, "\"ground_ids\":[\"floor\",\"cover\"]"));
    assert_non_null(strstr(fixture.bytes, "\"id\":\"health\",\"role\":\"health\""));
    assert_non_null(strstr(fixture.bytes, "\"role\":\"trait\""));
    support_free(texts);
    support_free(scratch);
    tear_down(&fixture);
}

/* "<3>" for unit 3. */
static void call_by_number(const MashContent *content, const MashTexts *texts, const void *state,
                           uint8_t unit, MashText *text) {
    (void)content, (void)texts, (void)state;
    if (unit != MASH_UNIT_NONE)
        text_format(text, "<%u>", unit);
}

/* Sentences name units as the caller wants, except that a unit that is just revealed keeps the
 * short name it had until then. */
static void sentences_call_units_as_told(void **unused) {
    (void)unused;
    PositionFixture fixture;
    set_up(&fixture, mash_game_find("generals"), NULL);
    MashChance chooser = simulate_action_chance(1, 0);
    bool moved = false;
    while (!moved) {
        assert_int_equal(
            match_apply(&fixture.match, simulate_random_action(fixture.content, fixture.match.state,
                                                               &chooser, fixture.list)),
            MASH_OK);
        moved =
            fixture.match.events.count > 0 && fixture.match.events.list[0].kind == MASH_EVENT_MOVED;
    }
    char wanted[64], bytes[256];
    MashEvent event = fixture.match.events.list[0];
    snprintf(wanted, sizeof wanted, "\"text\":\"<%u> ", event.unit);
    write_and_read(&fixture, 0, PROTO_FORM_JSON, true);
    assert_null(strstr(fixture.bytes, wanted));
    static const MashCalling by_number = {.usual = call_by_number};
    fixture.called = &by_number;
    write_and_read(&fixture, 0, PROTO_FORM_JSON, true);
    assert_non_null(strstr(fixture.bytes, wanted));
    MashText name = text_over(wanted, sizeof wanted), text = text_over(bytes, sizeof bytes);
    event.kind = MASH_EVENT_REVEALED;
    event.what = 0;
    fixture.content->game->unit_name(fixture.content, fixture.match.state, event.unit, &name);
    mash_event_say(fixture.content, NULL, fixture.match.state, &event, &by_number, &text);
    assert_memory_equal(bytes, wanted, name.count);
    assert_null(strchr(bytes, '<'));
    tear_down(&fixture);
}

/* A board of 2 x 2 cells with something of everything. */
static void show_everything(const MashContent *content, const void *state, MashBoard *board) {
    (void)content, (void)state;
    memcpy(board->ground, (uint8_t[]){2, 0, 0, 1}, 4);
    memcpy(board->ground_health, (uint16_t[]){300, 0, 0, 0}, 4 * sizeof(uint16_t));
    MashToken tokens[] = {
        {.unit = 0, .x = 1},
        {.unit = 1, .y = 1, .flags = MASH_TOKEN_HIDDEN | MASH_TOKEN_DONE},
        {.unit = 2, .seat = 1, .place = MASH_ON_BENCH, .flags = MASH_TOKEN_CHOSEN},
        {.unit = 16, .seat = MASH_SEAT_NONE, .place = MASH_GONE, .flags = MASH_TOKEN_REVEALED},
    };
    MashMeter meters[] = {
        {.unit = 1, .now = 5, .most = 9, .about = 3},
        {.unit = MASH_UNIT_SIDE + 1, .now = -2, .about = 1, .about_list = 1 + MASH_NAME_SIDE},
        {.unit = MASH_UNIT_NONE, .now = 2, .about_list = 1 + MASH_NAME_SIDE, .about_set = true},
    };
    memcpy(board->tokens, tokens, sizeof tokens);
    memcpy(board->meters, meters, sizeof meters);
    memcpy(board->order, (uint8_t[]){2, MASH_UNIT_SIDE}, 2);
    board->tokens_count = 4, board->meters_count = 3, board->order_count = 2;
    board->active = 1, board->phase = 0;
}

/* Three groups of actions: they differ in unit, then in ability. */
static uint32_t some_actions(const MashContent *content, const void *state, uint8_t seat,
                             MashAction *out) {
    (void)content, (void)state;
    MashAction list[] = {{.verb = 1, .seat = seat, .unit = 0, .x = 1, .y = -1},
                         {.verb = 1, .seat = seat, .unit = 0, .x = 1, .amount = 3},
                         {.verb = 1, .seat = seat, .unit = 1, .other = 4},
                         {.verb = 1, .seat = seat, .unit = 1, .ability = 1}};
    memcpy(out, list, sizeof list);
    return 4;
}

/* Everything in a position of a game that has everything, key by key. */
static void every_key_says_what_is_shown(void **unused) {
    (void)unused;
    PositionFixture fixture;
    MashGame game = breakthrough_game;
    game.show = show_everything;
    game.actions = some_actions;
    set_up(&fixture, &breakthrough_game, NULL);
    fixture.content->game = &game;
    fixture.content->limits.width = fixture.content->limits.height = 2;
    fixture.content->limits.meters_max = 3;
    support_free(fixture.scratch);
    fixture.scratch = support_memory(position_bytes(fixture.content));
    MashEvent hidden = {.kind = MASH_EVENT_MOVED, .seen_by = 2};
    MashEvent seen = {.kind = MASH_EVENT_MOVED, .seen_by = 1, .unit = 3, .other = 4};
    seen.from_x = 5, seen.from_y = 6, seen.x = 7, seen.y = -1, seen.amount = 8, seen.what = 9;
    fixture.match.events.list[0] = hidden, fixture.match.events.list[1] = seen;
    fixture.match.events.count = 2;
    write_and_read(&fixture, 0, PROTO_FORM_JSON, false);
    assert_string_equal(
        fixture.bytes,
        "{\"type\":\"position\",\"code\":\"k7qf-2m9x-w3ab\",\"number\":7,\"you\":0,"
        "\"awaited\":[0],\"draw\":null,\"paused\":false,\"clocks\":{\"turn\":[1000,null]},"
        "\"board\":{\"width\":2,\"height\":2,\"phase\":\"play\",\"phase_id\":\"play\","
        "\"active\":1,\"order\":[2,240],\"grounds\":[\"square\",\"-\",\"-\"],"
        "\"ground_ids\":[\"square\",\"-\",\"-\"],\"ground\":[[2,0],[0,1]],"
        "\"wear\":[[300,0],[0,0]],\"tokens\":[{\"unit\":0,\"name\":\"w0\","
        "\"kind\":\"pawn\",\"kind_id\":\"pawn\",\"seat\":0,\"place\":\"board\",\"x\":1,"
        "\"y\":0},{\"unit\":1,\"name\":\"w1\",\"seat\":0,\"place\":\"board\",\"x\":0,"
        "\"y\":1,\"done\":true},{\"unit\":2,\"name\":\"w2\",\"kind\":\"pawn\","
        "\"kind_id\":\"pawn\",\"seat\":1,\"place\":\"bench\",\"chosen\":true},{\"unit\":16,"
        "\"name\":\"b0\",\"kind\":\"pawn\",\"kind_id\":\"pawn\",\"seat\":null,"
        "\"place\":\"gone\",\"revealed\":true}],\"meters\":[{\"unit\":1,\"name\":\"pawns\","
        "\"id\":\"pawns\",\"role\":\"number\",\"index\":3,\"now\":5,\"most\":9},"
        "{\"side\":1,\"name\":\"pawns\",\"id\":\"pawns\",\"role\":\"number\",\"index\":1,"
        "\"about\":[\"Black\"],\"about_ids\":[\"black\"],\"now\":-2},{\"name\":\"pawns\","
        "\"id\":\"pawns\",\"role\":\"number\",\"index\":0,\"about\":[\"Black\"],"
        "\"about_ids\":[\"black\"],\"now\":2}]},\"actions\":[{\"verb\":1,\"name\":\"move\","
        "\"id\":\"move\",\"unit\":0,\"ability\":0,\"cells\":[[1,-1],[1,0,0,3]]},"
        "{\"verb\":1,\"name\":\"move\",\"id\":\"move\",\"unit\":1,\"ability\":0,"
        "\"cells\":[[0,0,4,0]]},{\"verb\":1,\"name\":\"move\",\"id\":\"move\",\"unit\":1,"
        "\"ability\":1,\"cells\":[[0,0]]}],\"events\":[{\"kind\":\"moved\",\"unit\":3,"
        "\"other\":4,\"from\":[5,6],\"at\":[7,-1],\"amount\":8,\"what\":9}]}");
    tear_down(&fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_position_reads_back),
        cmocka_unit_test(a_draw_offer_is_shown),
        cmocka_unit_test(ids_and_roles_stay_in_every_language),
        cmocka_unit_test(every_key_says_what_is_shown),
        cmocka_unit_test(sentences_call_units_as_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
