/* test_scene.h -- drawn positions for the tests of Generals.
 *
 * A drawing has eight rows of nine words: "." is empty; H or V and a power from 1 to 12, I, A or N
 * is a piece of that rank. Pieces get their numbers by cell, as after placement; what is not drawn
 * is out. Reading a drawing back goes through show(), so "H?" is a hidden piece. */
#ifndef GENERALS_TEST_SCENE_H
#define GENERALS_TEST_SCENE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/generals/state.h"
#include "tests/support/support.h"

/* Room for lists, and kinds behind the twelve ranked ones. */
enum { SCENE_EVENTS = 160, SCENE_ACTIONS = 512, KIND_INFILTRATOR = 13, KIND_AGENT, KIND_NEXUS };

/* A match under test. `chance` is a script without outcomes unless a test sets one. */
typedef struct GeneralsScene {
    MashContent *content;
    GeneralsState *state;
    MashChance chance;
    MashEvent list[SCENE_EVENTS];
    MashEvents events;
} GeneralsScene;

/* A match in placement with these options (NULL: the usual ones). */
static inline GeneralsScene *scene_new(const int32_t options[3]) {
    GeneralsScene *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    MashSetup setup = {options, options == NULL ? 0 : 3};
    scene->content = support_content(&generals_game, NULL);
    scene->state = support_state(scene->content);
    scene->chance = chance_scripted(NULL, 0);
    scene->events = (MashEvents){.list = scene->list, .max = scene->content->limits.events_max};
    assert_true(scene->events.max <= SCENE_EVENTS);
    assert_true(scene->content->limits.actions_max <= SCENE_ACTIONS);
    assert_int_equal(generals_game.setup(scene->content, &setup, &scene->chance, scene->state),
                     MASH_OK);
    return scene;
}

/* Ends it; every scripted outcome must have been used, and none too many. */
static inline void scene_free(GeneralsScene *scene) {
    assert_true(chance_used_up(&scene->chance));
    support_free(scene->content);
    support_free(scene->state);
    free(scene);
}

/* The kind that a word such as V12 or HA means. */
static inline uint8_t scene_kind(const char *word) {
    const char *letters = "IAN", *letter = strchr(letters, word[1]);
    int power = atoi(word + 1);
    assert_true(letter != NULL || (power >= 1 && power <= 12));
    return (uint8_t)(letter != NULL ? KIND_INFILTRATOR + (letter - letters) : 13 - power);
}

/* Puts a piece on a cell. */
static inline void scene_put(GeneralsState *state, uint8_t unit, uint8_t kind, int cell) {
    state->pieces[unit] = (GeneralsPiece){.cell = (uint8_t)cell, .kind = kind};
    state->cells[cell] = (uint8_t)(unit + 1);
}

/* A piece that is not drawn is defeated, by a snap that nobody knows anything about. */
static inline void scene_put_out(GeneralsScene *scene, uint8_t seat, uint8_t unit,
                                 const uint8_t drawn[KINDS_MAX + 1]) {
    const GeneralsArmy *army = &generals_content(scene->content)->army[seat];
    for (uint8_t kind = 1; kind <= army->kinds_count; kind++)
        for (uint32_t i = drawn[kind]; i < army->kinds[kind].count; i++)
            scene->state->pieces[unit++] =
                (GeneralsPiece){.cell = CELL_GONE, .kind = kind, .fell = FELL_SNAP | 1};
    assert_int_equal(unit, army->first + army->pieces);
}

/* Puts the drawing on the board: round 1, the Heroes to act. */
static inline void scene_draw(GeneralsScene *scene, const char *drawing) {
    uint8_t drawn[MASH_SEATS][KINDS_MAX + 1] = {{0}}, units[MASH_SEATS] = {0, SIDE_MAX};
    char word[8];
    int cell = 0, length = 0;
    for (const char *at = drawing; sscanf(at, "%7s%n", word, &length) == 1; at += length, cell++) {
        if (word[0] == '.')
            continue;
        uint8_t seat = word[0] == 'V', kind = scene_kind(word);
        drawn[seat][kind]++;
        scene_put(scene->state, units[seat]++, kind, cell);
    }
    assert_int_equal(cell, CELLS_MAX);
    scene->state->round = 1;
    scene->state->ready = 3;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        assert_int_equal(drawn[seat][KIND_NEXUS], 1);
        scene_put_out(scene, seat, units[seat], drawn[seat]);
    }
}

/* A match with this drawing. */
static inline GeneralsScene *scene_of(const char *drawing) {
    GeneralsScene *scene = scene_new(NULL);
    scene_draw(scene, drawing);
    return scene;
}

/* Everything show() gives, in memory that lasts until the next call. */
static inline const MashBoard *scene_show(const GeneralsScene *scene, const GeneralsState *state) {
    static uint8_t ground[CELLS_MAX], order[UNITS_MAX];
    static uint16_t wear[CELLS_MAX];
    static MashToken tokens[UNITS_MAX];
    static MashMeter meters[3 + 4 + 3 * UNITS_MAX];
    static MashBoard board;
    board = (MashBoard){.ground = ground,
                        .ground_health = wear,
                        .tokens = tokens,
                        .meters = meters,
                        .order = order};
    generals_game.show(scene->content, state, &board);
    assert_true(board.tokens_count <= scene->content->limits.tokens_max);
    assert_true(board.meters_count <= scene->content->limits.meters_max);
    return &board;
}

/* A meter of a unit, a side or the table; -1 if it is not shown. */
static inline int32_t scene_meter(const GeneralsScene *scene, const GeneralsState *state,
                                  uint8_t unit, uint8_t what) {
    const MashBoard *board = scene_show(scene, state);
    for (uint32_t i = 0; i < board->meters_count; i++)
        if (board->meters[i].unit == unit && board->meters[i].meter == what)
            return board->meters[i].now;
    return -1;
}

/* A token as a word of a drawing. */
static inline void scene_word(const MashToken *token, char word[8]) {
    static const char *const ranks[] = {"12", "11", "10", "9", "8", "7", "6", "5",
                                        "4",  "3",  "2",  "1", "I", "A", "N"};
    bool hidden = (token->flags & MASH_TOKEN_HIDDEN) != 0;
    snprintf(word, 8, "%c%s", token->seat == 0 ? 'H' : 'V',
             hidden ? "?" : ranks[token->kind - 15 * token->seat]);
}

/* Does show() give this drawing of the state or view? */
static inline void scene_expect_of(const GeneralsScene *scene, const GeneralsState *state,
                                   const char *drawing) {
    const MashBoard *board = scene_show(scene, state);
    char words[CELLS_MAX][8], word[8];
    int length = 0, cell = 0;
    for (int i = 0; i < CELLS_MAX; i++)
        strcpy(words[i], ".");
    for (uint32_t i = 0; i < board->tokens_count; i++)
        if (board->tokens[i].place == MASH_ON_BOARD)
            scene_word(&board->tokens[i], words[board->tokens[i].y * 9 + board->tokens[i].x]);
    for (const char *at = drawing; sscanf(at, "%7s%n", word, &length) == 1; at += length, cell++)
        assert_string_equal(word, words[cell]);
    assert_int_equal(cell, CELLS_MAX);
}

/* The same of the match itself. */
static inline void scene_expect(const GeneralsScene *scene, const char *drawing) {
    scene_expect_of(scene, scene->state, drawing);
}

/* The unit on a cell. */
static inline uint8_t scene_at(const GeneralsScene *scene, int x, int y) {
    assert_int_not_equal(scene->state->cells[y * 9 + x], 0);
    return (uint8_t)(scene->state->cells[y * 9 + x] - 1);
}

/* Applies; a refusal must have changed and told nothing. */
static inline MashStatus scene_act(GeneralsScene *scene, MashAction action) {
    GeneralsState before = *scene->state;
    MashStatus status =
        mash_apply(scene->content, scene->state, action, &scene->chance, &scene->events);
    if (status != MASH_OK) {
        assert_memory_equal(scene->state, &before, sizeof before);
        assert_int_equal(scene->events.count, 0);
    }
    return status;
}

/* Wishes of the side to act, by cells. */
static inline MashStatus scene_step(GeneralsScene *scene, int x, int y, int to_x, int to_y) {
    return scene_act(scene, (MashAction){.verb = VERB_MOVE,
                                         .seat = scene->state->mover,
                                         .unit = scene_at(scene, x, y),
                                         .x = (int8_t)to_x,
                                         .y = (int8_t)to_y});
}
static inline MashStatus scene_strike(GeneralsScene *scene, int x, int y) {
    return scene_act(scene, (MashAction){.verb = VERB_STRIKE,
                                         .seat = scene->state->mover,
                                         .unit = scene_at(scene, x, y)});
}
static inline MashStatus scene_web(GeneralsScene *scene, int x, int y, int to_x, int to_y) {
    return scene_act(scene, (MashAction){.verb = VERB_WEB,
                                         .seat = scene->state->mover,
                                         .unit = scene_at(scene, x, y),
                                         .other = scene_at(scene, to_x, to_y)});
}
static inline MashStatus scene_stay(GeneralsScene *scene, int x, int y) {
    return scene_act(scene, (MashAction){.verb = VERB_STAY,
                                         .seat = scene->state->mover,
                                         .unit = scene_at(scene, x, y)});
}

/* An action of a seat that needs nothing but its verb. */
static inline MashStatus scene_plain(GeneralsScene *scene, uint8_t seat, uint8_t verb) {
    return scene_act(scene, (MashAction){.verb = verb, .seat = seat});
}

/* The list of the side to act; how many have the verb and, unless it is MASH_UNIT_NONE, the unit.
 */
static inline uint32_t scene_count(const GeneralsScene *scene, uint8_t verb, uint8_t unit) {
    MashAction list[SCENE_ACTIONS];
    uint32_t found = 0;
    uint32_t count = generals_game.actions(scene->content, scene->state, scene->state->mover, list);
    for (uint32_t i = 0; i < count; i++)
        found += list[i].verb == verb && (unit == MASH_UNIT_NONE || list[i].unit == unit);
    return found;
}

/* The events of the last action in words "fought died moved turn-began" for this seat or watchers.
 */
static inline void scene_expect_events(const GeneralsScene *scene, uint8_t seat,
                                       const char *expected) {
    char told[1024] = "";
    for (uint32_t i = 0; i < scene->events.count; i++) {
        if (!mash_event_seen(&scene->list[i], seat))
            continue;
        strcat(told, told[0] == '\0' ? "" : " ");
        strcat(told, mash_event_id(scene->list[i].kind));
    }
    assert_string_equal(told, expected);
}

/* The first event of a kind in the last action. */
static inline const MashEvent *scene_event(const GeneralsScene *scene, MashEventKind kind) {
    for (uint32_t i = 0; i < scene->events.count; i++)
        if (scene->list[i].kind == kind)
            return &scene->list[i];
    fail_msg("no event %s", mash_event_id((uint8_t)kind));
    return NULL;
}

/* How the match ended. */
static inline void scene_expect_end(const GeneralsScene *scene, uint8_t winner, uint8_t reason) {
    MashResult result = generals_game.result(scene->content, scene->state);
    assert_true(result.over);
    assert_int_equal(result.winner, winner);
    assert_int_equal(result.reason, reason);
    assert_int_equal(generals_game.awaited(scene->content, scene->state), 0);
}

/* A view of the state, allocated; `seat` may be MASH_SEAT_SPECTATOR. */
static inline GeneralsState *scene_view(const GeneralsScene *scene, uint8_t seat) {
    GeneralsState *view = support_state(scene->content);
    *view = *scene->state;
    generals_game.hide(scene->content, view, seat);
    return view;
}

#endif
