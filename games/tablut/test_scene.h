/* test_scene.h -- a match that begins as drawn, for the tests of this game.
 *
 * A drawing is what stands in a board document: a row a line, . free, M Muscovite, S Swede, K the
 * king on his konakis, k the king elsewhere, + the empty konakis. */
#ifndef GAMES_TABLUT_TEST_SCENE_H
#define GAMES_TABLUT_TEST_SCENE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/tablut/state.h"
#include "tests/support/support.h"

/* Room for a drawing or a list of events, and for events. */
enum { SCENE_BYTES = 1024, SCENE_EVENTS = 16 };

/* The match, and the events of its last action. */
static MashContent *content;
static TablutState *state;
static MashEvent event_list[SCENE_EVENTS];
static MashEvents events;

/* Ends the match, if there is one: for cmocka after each test. */
static inline int scene_end(void **unused) {
    (void)unused;
    support_free(state);
    support_free(content);
    state = NULL;
    content = NULL;
    return 0;
}

/* Sets the match of this content up; the seat is to move. */
static inline void scene_setup(MashContent *loaded, uint8_t seat) {
    scene_end(NULL);
    content = loaded;
    state = support_state(content);
    events = (MashEvents){event_list, 0, content->limits.events_max};
    assert_true(content->limits.events_max <= SCENE_EVENTS);
    MashChance chance = chance_scripted(NULL, 0);
    assert_int_equal(tablut_game.setup(content, NULL, &chance, state), MASH_OK);
    assert_int_equal(state->turn, TABLUT_MUSCOVITES);
    state->turn = seat;
}

/* The document of a drawing. */
static inline const char *scene_document(const char *escape, const char *king,
                                         const char *drawing) {
    static char text[SCENE_BYTES];
    MashText out = text_over(text, sizeof text);
    text_format(&out, "{\"escape\": \"%s\", \"king\": \"%s\", \"rows\": [\"", escape, king);
    for (const char *c = drawing; *c != '\0'; c++)
        if (*c == '\n')
            text_string(&out, "\", \"");
        else
            text_byte(&out, *c);
    text_string(&out, "\"]}");
    return text;
}

/* A match that begins as drawn, by the rules of sections 1 to 6 or by those of other boards. */
static inline void scene_begin_by(const char *escape, const char *king, uint8_t seat,
                                  const char *drawing) {
    const char *text = scene_document(escape, king, drawing);
    MashDocument document = {"drawn.board.json", text, (uint32_t)strlen(text)};
    scene_setup(support_content_with(&tablut_game, NULL, document), seat);
}
static inline void scene_begin(uint8_t seat, const char *drawing) {
    scene_begin_by("edge", "weak", seat, drawing);
}

/* The move of whoever stands at the first place; of the last unit if nobody does. */
static inline MashAction move_of(int from_x, int from_y, int x, int y) {
    uint8_t held = state->cells[tablut_cell(from_x, from_y)];
    uint8_t unit = held == TABLUT_EMPTY ? tablut_board(content)->king : (uint8_t)(held - 1);
    return (MashAction){.verb = TABLUT_VERB_MOVE,
                        .seat = tablut_seat(tablut_board(content), unit),
                        .unit = unit,
                        .x = (int8_t)x,
                        .y = (int8_t)y};
}

/* Does it. */
static inline MashStatus try_action(MashAction action) {
    MashChance chance = chance_scripted(NULL, 0);
    MashStatus status = mash_apply(content, state, action, &chance, &events);
    assert_true(chance_used_up(&chance));
    return status;
}

/* A move that is allowed. */
static inline void move(int from_x, int from_y, int x, int y) {
    MashStatus status = try_action(move_of(from_x, from_y, x, y));
    assert_string_equal(mash_status_id(status), "ok");
}

/* An action that is refused by check and apply alike and changes nothing. */
static inline void refused(MashAction action, const char *status) {
    TablutState before = *state;
    assert_string_equal(mash_status_id(tablut_game.check(content, state, action)), status);
    assert_string_equal(mash_status_id(try_action(action)), status);
    assert_int_equal(events.count, 0);
    assert_memory_equal(&before, state, sizeof before);
}

/* The board is now as drawn; units and cells agree. */
static inline void expect(const char *drawing) {
    const TablutBoard *board = tablut_board(content);
    char text[SCENE_BYTES];
    MashText out = text_over(text, sizeof text);
    for (int y = 0; y < board->side; y++) {
        if (y > 0)
            text_byte(&out, '\n');
        for (int x = 0; x < board->side; x++) {
            uint8_t cell = tablut_cell(x, y), held = state->cells[cell];
            bool konakis = cell == board->konakis;
            if (held == TABLUT_EMPTY)
                text_byte(&out, konakis ? '+' : '.');
            else if (held == board->king + 1)
                text_byte(&out, konakis ? 'K' : 'k');
            else
                text_byte(&out, held <= board->muscovites ? 'M' : 'S');
            assert_true(held == TABLUT_EMPTY || state->units[held - 1] == cell);
        }
    }
    assert_string_equal(text, drawing);
}

/* The ids of the events of the last action. */
static inline void told(const char *ids) {
    char text[SCENE_BYTES];
    MashText out = text_over(text, sizeof text);
    for (uint32_t i = 0; i < events.count; i++)
        text_format(&out, "%s%s", i == 0 ? "" : " ", mash_event_id(event_list[i].kind));
    assert_string_equal(text, ids);
}

/* The match goes on with this seat, or is over. */
static inline void goes_on(uint8_t seat) {
    assert_int_equal(tablut_game.awaited(content, state), 1u << seat);
    assert_false(tablut_game.result(content, state).over);
}
static inline void is_over(uint8_t winner, uint8_t reason) {
    MashResult result = tablut_game.result(content, state);
    assert_true(result.over);
    assert_int_equal(result.winner, winner);
    assert_int_equal(result.reason, reason);
    assert_int_equal(tablut_game.awaited(content, state), 0);
}

/* How many moves the unit at this place has; the whole list is ascending. */
static inline uint32_t count_moves(int x, int y) {
    MashAction list[1024];
    uint32_t count = tablut_game.actions(content, state, state->turn, list), own = 0;
    assert_true(count <= content->limits.actions_max);
    for (uint32_t i = 0; i < count; i++) {
        own += list[i].unit + 1 == state->cells[tablut_cell(x, y)];
        assert_true(i == 0 || mash_action_compare(list[i - 1], list[i]) < 0);
    }
    return own;
}

#endif
