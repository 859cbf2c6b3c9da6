/* test_scene.h -- a match that begins as drawn, for the tests of this game.
 *
 * A drawing has one row of cells per line, each cell an ID or "..", with spaces between. */
#ifndef GAMES_ZORDE_TEST_SCENE_H
#define GAMES_ZORDE_TEST_SCENE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/zorde/state.h"
#include "tests/support/support.h"

/* Room for a list of steps, and for drawings and sentences. */
enum { LIST_MAX = 8 * ZORDE_UNITS_MAX, TEXT_MAX = 8192 };

/* The match, and the events of its last action. */
static MashContent *content;
static ZordeState *state;
static MashEvent event_list[4 * ZORDE_UNITS_MAX + 9];
static MashEvents events;

/* The kind with this letter. */
static inline const char *kind_of(char letter) {
    static const char *const kinds[] = {"human", "elf", "dwarf", "ork", "troll", "goblin"};
    for (size_t i = 0; i < 6; i++)
        if ((kinds[i][0] - 'a' + 'A') == letter)
            return kinds[i];
    fail_msg("no kind has the letter %c", letter);
    return NULL;
}

/* Ends the match, if there is one: for cmocka after each test. */
static inline int scene_end(void **unused) {
    (void)unused;
    support_free(state);
    support_free(content);
    state = NULL;
    content = NULL;
    return 0;
}

/* A match that begins as this document says. */
static inline void begin_with(const char *start) {
    scene_end(NULL);
    MashDocument document = {"drawn.start.json", start, (uint32_t)strlen(start)};
    content = support_content_with(&zorde_game, NULL, document);
    state = support_state(content);
    events = (MashEvents){event_list, 0, content->limits.events_max};
    assert_true(content->limits.events_max <= sizeof event_list / sizeof *event_list);
    MashChance chance = chance_scripted(NULL, 0);
    assert_int_equal(zorde_game.setup(content, NULL, &chance, state), MASH_OK);
    assert_true(chance_used_up(&chance));
}

/* A match that begins as drawn, all units at full health, Calliance to give the first order. */
static inline void begin(const char *drawing) {
    static char start[TEXT_MAX + 64];
    char units[TEXT_MAX] = "";
    int x = 0, y = 0, width = 0;
    for (const char *c = drawing; *c != '\0'; c++) {
        if (*c == ' ')
            continue;
        if (*c == '\n') {
            x = 0, y++;
            continue;
        }
        if (*c != '.')
            sprintf(units + strlen(units),
                    "%s{\"kind\": \"%s\", \"id\": \"%c%c\", \"x\": %d, \"y\": %d}",
                    units[0] == '\0' ? "" : ", ", kind_of(*c), c[0], c[1], x, y);
        c++;
        width = ++x;
    }
    snprintf(start, sizeof start, "{\"width\": %d, \"height\": %d, \"units\": [%s]}", width, y + 1,
             units);
    begin_with(start);
}

/* The unit with this ID. */
static inline uint8_t unit(const char *id) {
    uint8_t found = zorde_unit_find(zorde_setup(content), id[0], id[1]);
    assert_int_not_equal(found, MASH_UNIT_NONE);
    return found;
}

/* Changes what a unit has left. */
static inline void set_health(const char *id, uint16_t health) {
    state->units[unit(id)].health = health;
}

/* Lets the side of this unit give the next order, as if the other had just given one. */
static inline void turn_to(const char *id) {
    state->turn = zorde_setup(content)->units[unit(id)].seat;
}

/* The step of a unit to a cell, by its own side. */
static inline MashAction step_of(const char *id, int x, int y) {
    return (MashAction){.verb = ZORDE_VERB_STEP,
                        .seat = zorde_setup(content)->units[unit(id)].seat,
                        .unit = unit(id),
                        .x = (int8_t)x,
                        .y = (int8_t)y};
}

/* Applies an action, which leaves nothing to chance. */
static inline MashStatus try(MashAction action) {
    MashChance chance = chance_scripted(NULL, 0);
    MashStatus status = mash_apply(content, state, action, &chance, &events);
    assert_true(chance_used_up(&chance));
    return status;
}

/* Makes a step that is allowed. */
static inline void step(const char *id, int x, int y) {
    assert_int_equal(try(step_of(id, x, y)), MASH_OK);
}

/* The action is refused by check and apply alike, and changes nothing. */
static inline void refused(MashAction action, MashStatus status) {
    uint8_t before[2048];
    uint32_t bytes = content->limits.state_bytes;
    assert_true(bytes <= sizeof before);
    memcpy(before, state, bytes);
    assert_string_equal(mash_status_id(zorde_game.check(content, state, action)),
                        mash_status_id(status));
    assert_int_equal(try(action), status);
    assert_int_equal(events.count, 0);
    assert_memory_equal(before, state, bytes);
}

/* The board as show() gives it, drawn, followed by the living units with their health. */
static inline void expect(const char *drawing, const char *healths) {
    static uint8_t ground[10000], order[ZORDE_UNITS_MAX];
    static uint16_t wear[10000];
    static MashToken tokens[ZORDE_UNITS_MAX];
    static MashMeter meters[5 * ZORDE_UNITS_MAX + 3];
    MashBoard board = {.ground = ground,
                       .ground_health = wear,
                       .tokens = tokens,
                       .meters = meters,
                       .order = order};
    char rows[TEXT_MAX] = "", list[TEXT_MAX] = "";
    zorde_game.show(content, state, &board);
    assert_true(board.meters_count <= content->limits.meters_max);
    size_t line = 3u * content->limits.width;
    for (size_t y = 0; y < content->limits.height; y++)
        for (size_t x = 0; x < content->limits.width; x++)
            memcpy(rows + y * line + 3 * x, x + 1 < content->limits.width ? ".. " : "..\n", 4);
    rows[content->limits.height * line - 1] = '\0';
    for (uint32_t i = 0; i < board.tokens_count; i++) {
        MashToken token = tokens[i];
        ZordeStartUnit start = zorde_setup(content)->units[token.unit];
        if (token.place != MASH_ON_BOARD)
            continue;
        char *cell = rows + (size_t)token.y * line + 3 * (size_t)token.x;
        assert_int_equal(*cell, '.');
        cell[0] = start.letter;
        cell[1] = start.digit;
        for (uint32_t j = 0; j < board.meters_count; j++)
            if (meters[j].unit == token.unit && meters[j].meter == ZORDE_METER_HEALTH)
                sprintf(list + strlen(list), "%s%c%c %d", list[0] == '\0' ? "" : ", ", start.letter,
                        start.digit, meters[j].now);
    }
    assert_string_equal(rows, drawing);
    assert_string_equal(list, healths);
}

/* The ids of the events of the last action. */
static inline void told(const char *ids) {
    char text[TEXT_MAX] = "";
    for (uint32_t i = 0; i < events.count; i++)
        sprintf(text + strlen(text), "%s%s", i == 0 ? "" : " ", mash_event_id(event_list[i].kind));
    assert_string_equal(text, ids);
}

/* The sentences of the events of the last action, one per line. */
static inline void said(const char *sentences) {
    char memory[TEXT_MAX];
    MashText text = text_over(memory, sizeof memory);
    for (uint32_t i = 0; i < events.count; i++) {
        if (i > 0)
            text_byte(&text, '\n');
        zorde_game.say(content, NULL, state, &event_list[i], &text);
    }
    assert_string_equal(memory, sentences);
}

/* How many steps the seat is offered. */
static inline uint32_t count_steps(uint8_t seat) {
    MashAction list[LIST_MAX];
    return zorde_game.actions(content, state, seat, list);
}

/* Whether and how the match is over, and who is awaited if it is not. */
static inline void expect_result(bool over, uint8_t winner, uint8_t reason) {
    MashResult result = zorde_game.result(content, state);
    assert_int_equal(result.over, over);
    assert_int_equal(result.winner, winner);
    assert_int_equal(result.reason, reason);
    assert_int_equal(zorde_game.awaited(content, state), over ? 0 : 1u << state->turn);
}

#endif
