/* test_rules.c -- RULES.md by rule number, on drawn boards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/hounds/state.h"
#include "tests/support/support.h"

static MashContent *content;
static HoundsState *state;
static MashEvent event_list[4];
static MashEvents events;

/* Ends the match, if there is one. */
static int scene_end(void **unused) {
    (void)unused;
    support_free(state);
    support_free(content);
    state = NULL;
    content = NULL;
    return 0;
}

/* A match of this preset. */
static void begin(const char *preset) {
    scene_end(NULL);
    content = support_content(&hounds_game, preset);
    state = support_state(content);
    events = (MashEvents){event_list, 0, content->limits.events_max};
    MashChance chance = chance_scripted(NULL, 0);
    assert_int_equal(hounds_game.setup(content, NULL, &chance, state), MASH_OK);
}

/* Sets pieces as drawn: D hounds in the order of reading, H the hare; fifteen letters. */
static void draw(uint8_t turn, const char *drawing) {
    uint8_t hound = 0;
    begin(NULL);
    state->turn = turn;
    for (uint8_t cell = 0; cell < HOUNDS_CELLS; cell++)
        if (drawing[cell] == 'D')
            state->cells[hound++] = cell;
        else if (drawing[cell] == 'H')
            state->cells[HOUNDS_THE_HARE] = cell;
}

static void expect(const char *drawing) {
    char shown[HOUNDS_CELLS + 1] = "               ";
    for (uint8_t cell = 0; cell < HOUNDS_CELLS; cell++)
        shown[cell] = hounds_is_point(hounds_x(cell), hounds_y(cell)) ? '.' : ' ';
    for (uint8_t unit = 0; unit < HOUNDS_UNITS; unit++)
        shown[state->cells[unit]] = unit == HOUNDS_THE_HARE ? 'H' : 'D';
    assert_string_equal(shown, drawing);
}

/* Moves the piece of the side to move; the status. */
static const char *move(uint8_t unit, int x, int y) {
    MashChance chance = chance_scripted(NULL, 0);
    MashAction action = {.verb = HOUNDS_VERB_MOVE,
                         .seat = state->turn,
                         .unit = unit,
                         .x = (int8_t)x,
                         .y = (int8_t)y};
    return mash_status_id(mash_apply(content, state, action, &chance, &events));
}
#define MOVES(unit, x, y)           assert_string_equal(move(unit, x, y), "ok")
#define REFUSED(unit, x, y, status) assert_string_equal(move(unit, x, y), status)

static void is_over(uint8_t winner, uint8_t reason) {
    MashResult result = hounds_game.result(content, state);
    assert_true(result.over);
    assert_int_equal(result.winner, winner);
    assert_int_equal(result.reason, reason);
}

/* [1.1] [1.4] [1.5] [1.6] */
static void the_usual_start(void **unused) {
    (void)unused;
    begin(NULL);
    expect(" D.. "
           "D...H"
           " D.. ");
    REFUSED(0, 0, 0, "off-board");
    REFUSED(0, -1, 5, "off-board");
    REFUSED(HOUNDS_THE_HARE, 3, 1, "not-your-unit");
    MOVES(0, 2, 0);
    assert_int_equal(hounds_game.awaited(content, state), 2);
    begin("hasty");
    assert_int_equal(hounds_game.awaited(content, state), 2);
}

/* [1.2] [1.3] [2.1] [2.3] */
static void links(void **unused) {
    (void)unused;
    draw(HOUNDS_HARES, " ... "
                       "DDH.."
                       " D.. ");
    assert_int_equal(hounds_count_moves(state, HOUNDS_THE_HARE), 6);
    draw(HOUNDS_HARES, " DH. "
                       "D...."
                       " D.. ");
    assert_int_equal(hounds_count_moves(state, HOUNDS_THE_HARE), 2);
    REFUSED(HOUNDS_THE_HARE, 3, 1, "not-a-step");
    REFUSED(HOUNDS_THE_HARE, 1, 0, "cell-taken");
    REFUSED(HOUNDS_THE_HARE, 2, 2, "not-a-step");
}

/* [2.2] */
static void hounds_do_not_go_back(void **unused) {
    (void)unused;
    draw(HOUNDS_HOUNDS, " ... "
                        ".DDDH"
                        " ... ");
    REFUSED(0, 0, 1, "not-a-step");
    MOVES(0, 1, 0);
}

/* [3.1] */
static void the_hare_is_trapped(void **unused) {
    (void)unused;
    draw(HOUNDS_HOUNDS, " ..D "
                        "..D.H"
                        " ..D ");
    MOVES(1, 3, 1);
    is_over(HOUNDS_HOUNDS, HOUNDS_REASON_TRAPPED);
}

/* [3.2] */
static void the_hare_gets_past(void **unused) {
    (void)unused;
    draw(HOUNDS_HARES, " .D. "
                       "..DDH"
                       " ..  ");
    state->cells[HOUNDS_THE_HARE] = hounds_cell(3, 2);
    MOVES(HOUNDS_THE_HARE, 2, 2);
    is_over(HOUNDS_HARES, HOUNDS_REASON_PAST);
}

/* [3.3] */
static void hounds_must_advance(void **unused) {
    (void)unused;
    draw(HOUNDS_HOUNDS, " D.. "
                        "D...H"
                        " D.. ");
    for (int i = 0; i < 10; i++) {
        MOVES(0, 1, 1 - i % 2);
        if (i < 9)
            MOVES(HOUNDS_THE_HARE, i % 2 == 0 ? 3 : 4, 1);
    }
    is_over(HOUNDS_HARES, HOUNDS_REASON_STALLED);
}

#define RULE(test) cmocka_unit_test_teardown(test, scene_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        RULE(the_usual_start),       RULE(links),
        RULE(hounds_do_not_go_back), RULE(the_hare_is_trapped),
        RULE(the_hare_gets_past),    RULE(hounds_must_advance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
