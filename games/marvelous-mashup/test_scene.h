/* test_scene.h -- for the tests of Marvelous Mashup: positions drawn as text, scripted chance.
 *
 * In drawings a..f are the heroes of seat 0 (units 0 to 5), A..F those of seat 1 (6 to 11), T is
 * Thanos, 0..5 a stone on the ground, # a rock with 100 health, o one with less, O a portal.
 * Heroes that are not drawn are off the board, stones that are not drawn and in nobody's hands are
 * in Goose. It is a's turn in round 8, when no NPC comes by itself, and the others follow in order
 * of their numbers. All are of the starter kit's kind A (100 health, 2 movement and 2 action
 * points, melee 10, ranged 30, reach 5), but E and F of its kind B (100, 6, 1, 10, 10, 3).
 *
 * Events are written "id unit/other from>to what amount", with - for no unit. Where `other` is a
 * seat, a is seat 0 and b is seat 1. */
#ifndef MARVELOUS_MASHUP_TEST_SCENE_H
#define MARVELOUS_MASHUP_TEST_SCENE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/marvelous-mashup/state.h"
#include "tests/support/support.h"

/* Units by their letters. */
enum { a, b, c, d, e, f, A, B, C, D, E, F };

/* A match in a test, and what the last action told. */
typedef struct MarvelousScene {
    MashContent *content;
    MarvelousState *state;
    MashEvents events;
} MarvelousScene;

/* The letter of a unit in drawings and events. */
static inline void scene_letter(uint8_t unit, MashText *text) {
    static const char letters[] = "abcdefABCDEFGST012345";
    if (unit < sizeof letters - 1)
        text_byte(text, letters[unit]);
    else if (unit == MASH_UNIT_NONE)
        text_byte(text, '-');
    else
        text_int(text, unit);
}

/* A match over this content, as setup() leaves it by seed 1. */
static inline MarvelousScene scene_over(MashContent *loaded, int rules) {
    int32_t values[1] = {rules};
    MashSetup setup = {values, 1};
    MashChance chance = chance_seeded((MashSeed){{1, 0}}, 0);
    MarvelousScene scene = {.content = loaded, .state = support_state(loaded)};
    scene.events.max = loaded->limits.events_max;
    scene.events.list = calloc(scene.events.max, sizeof(MashEvent));
    assert_non_null(scene.events.list);
    assert_int_equal(marvelous_mashup_game.setup(loaded, &setup, &chance, scene.state), MASH_OK);
    return scene;
}

/* Frees what the scene holds. */
static inline void scene_close(MarvelousScene *scene) {
    support_free(scene->content);
    support_free(scene->state);
    free(scene->events.list);
}

/* The drawing's size and portals as content; rocks are put into the state alone, so that a drawing
 * need not have twenty cells of grass. */
static inline MashContent *scene_board(const char *const *rows, int height) {
    static char memory[200000];
    MashText text = text_over(memory, sizeof memory);
    text_string(&text, "{\"name\": \"drawn\", \"scenario\": [");
    for (int y = 0; y < height; y++) {
        text_string(&text, y == 0 ? "[" : "],[");
        for (const char *cell = rows[y]; *cell != '\0'; cell++)
            text_format(&text, "%s\"%s\"", cell == rows[y] ? "" : ",",
                        *cell == 'O' ? "PORTAL" : "GRASS");
    }
    text_string(&text, "]]}");
    assert_false(text.truncated);
    MashDocument document = {"drawn.scenario.json", memory, text.count};
    return support_content_with(&marvelous_mashup_game, "starter-kit", document);
}

/* What a scene needs to change by hand. */
static inline TurnContext scene_play(MarvelousScene *scene) {
    const MarvelousContent *content = marvelous_content(scene->content);
    return (TurnContext){.content = content,
                         .state = scene->state,
                         .figures = figures_of(content, scene->state),
                         .events = NULL};
}

/* Puts on a cell what is drawn there. */
static inline void scene_put(MarvelousScene *scene, int x, int y, char drawn) {
    static const char letters[] = "abcdefABCDEF__T";
    TurnContext play = scene_play(scene);
    Cell cell = {(uint8_t)x, (uint8_t)y};
    uint8_t *byte = &scene->state->cells[cell_at(play.content, x, y)];
    const char *letter = strchr(letters, drawn);
    if (drawn == '#' || drawn == 'o')
        *byte = (uint8_t)(CELL_ROCKS + (drawn == '#' ? ROCK_HEALTH : 5));
    else if (drawn >= '0' && drawn <= '5')
        marvelous_drop_stone(&play, (uint8_t)(drawn - '0'), cell);
    else if (letter != NULL)
        marvelous_put(&play, (uint8_t)(letter - letters), cell);
    else
        assert_true(drawn == '.' || drawn == 'O');
}

/* The heroes' kinds and full values; nobody on the board; a's turn in round 8. */
static inline void scene_heroes(MarvelousScene *scene) {
    static const uint8_t kinds[HEROES] = {0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 1, 3};
    const MarvelousContent *content = marvelous_content(scene->content);
    MarvelousState *state = scene->state;
    memset(state->offers, 0, sizeof state->offers);
    state->phase = PHASE_PLAY;
    state->round = 8;
    state->active = a;
    for (int hero = 0; hero < HEROES; hero++) {
        const MarvelousKind *kind = &content->kinds[kinds[hero]];
        state->actors[hero] = (Actor){.kind = kinds[hero],
                                      .x = OFF_BOARD,
                                      .health = kind->health,
                                      .moves = kind->moves,
                                      .actions = kind->actions};
    }
}

/* The drawn position. */
static inline MarvelousScene scene_drawn(const char *const *rows, int height, int rules) {
    MarvelousScene scene = scene_over(scene_board(rows, height), rules);
    MarvelousState *state = scene.state;
    scene_heroes(&scene);
    for (int y = 0; y < height; y++)
        for (int x = 0; rows[y][x] != '\0'; x++)
            scene_put(&scene, x, y, rows[y][x]);
    for (uint8_t unit = 0; unit < ACTORS; unit++)
        if (on_board(state, unit))
            state->order[state->order_count++] = unit;
    state->order_next = 1;
    if (on_board(state, UNIT_THANOS)) {
        state->phase = PHASE_THANOS;
        state->thanos_moves = 2;
    }
    return scene;
}
#define ROWS(...)                                                                                  \
    (const char *const[]){__VA_ARGS__},                                                            \
        (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
#define SCENE(...)          scene_drawn(ROWS(__VA_ARGS__), RULES_SPEC)
#define SCENE_CUSTOMER(...) scene_drawn(ROWS(__VA_ARGS__), RULES_CUSTOMER)

/* The unit holds this stone. */
static inline void scene_hold(MarvelousScene *scene, uint8_t unit, uint8_t stone) {
    TurnContext play = scene_play(scene);
    marvelous_give_stone(&play, stone, unit);
}

/* The unit has this much health. */
static inline void scene_health(MarvelousScene *scene, uint8_t unit, uint16_t health) {
    scene->state->actors[unit].health = health;
}

/* --- Asking ----------------------------------------------------------------------------------- */

/* Wishes of the unit whose turn it is. */
static inline MashAction own_action(const MarvelousScene *scene, uint8_t verb, uint8_t ability,
                                    int x, int y) {
    uint8_t unit = scene->state->active;
    return (MashAction){.verb = verb,
                        .seat = seat_of(unit),
                        .unit = unit,
                        .ability = ability,
                        .x = (int8_t)x,
                        .y = (int8_t)y};
}
#define MOVE(scene, x, y)        own_action(scene, VERB_MOVE, 0, x, y)
#define MELEE(scene, x, y)       own_action(scene, VERB_MELEE, 0, x, y)
#define RANGED(scene, x, y)      own_action(scene, VERB_RANGED, 0, x, y)
#define USE(scene, stone, x, y)  own_action(scene, VERB_USE, stone, x, y)
#define GIVE(scene, stone, x, y) own_action(scene, VERB_GIVE, stone, x, y)
#define END(scene)               own_action(scene, VERB_END, 0, 0, 0)

/* The server says something about a seat. */
static inline MashAction server_action(uint8_t verb, uint8_t seat) {
    return (MashAction){.verb = verb, .seat = MASH_SEAT_SERVER, .other = seat};
}

/* The judge's answer. */
static inline MashStatus scene_check(const MarvelousScene *scene, MashAction action) {
    return marvelous_mashup_game.check(scene->content, scene->state, action);
}
#define REFUSED(scene, action, status)                                                             \
    assert_string_equal(mash_status_id(scene_check(scene, action)), mash_status_id(MASH_##status))
#define ALLOWED(scene, action) REFUSED(scene, action, OK)

/* Every unit is on its cell and nowhere else, every stone in one place. */
static inline void scene_sound(const MarvelousScene *scene) {
    const MarvelousContent *content = marvelous_content(scene->content);
    const MarvelousState *state = scene->state;
    int units = 0, stones = 0, units_drawn = 0, stones_drawn = 0;
    for (uint8_t unit = 0; unit < ACTORS; unit++) {
        const Actor *actor = &state->actors[unit];
        units += on_board(state, unit);
        if (on_board(state, unit))
            assert_int_equal(state->cells[cell_at(content, actor->x, actor->y)], CELL_UNITS + unit);
        for (uint8_t stone = 0; stone < STONES; stone++)
            assert_int_equal(actor->stones >> stone & 1, state->stones[stone].holder == unit);
        assert_true(unit >= HEROES || actor->health > 0 || actor->stones == 0);
    }
    for (uint8_t stone = 0; stone < STONES; stone++)
        if (state->stones[stone].holder == HELD_BY_GROUND) {
            const Stone *there = &state->stones[stone];
            assert_int_equal(state->cells[cell_at(content, there->x, there->y)],
                             CELL_STONES + stone);
            stones++;
        }
    for (uint32_t i = 0; i < content->cells_count; i++) {
        units_drawn += state->cells[i] >= CELL_UNITS && state->cells[i] < CELL_UNITS + ACTORS;
        stones_drawn += cell_is_stone(state->cells[i]);
    }
    assert_int_equal(units, units_drawn);
    assert_int_equal(stones, stones_drawn);
}

/* Does it with these outcomes of chance, all of which must be used. */
static inline void scene_act(MarvelousScene *scene, MashAction action, const uint32_t *script,
                             uint32_t count, int line) {
    MashChance chance = chance_scripted(script, count);
    scene->events.count = 0;
    MashStatus status = mash_apply(scene->content, scene->state, action, &chance, &scene->events);
    if (status != MASH_OK)
        fail_msg("line %d: refused: %s", line, mash_status_id(status));
    if (!chance_used_up(&chance))
        fail_msg("line %d: chance used %u of %u%s", line, chance.used, chance.max,
                 chance.failed ? " and failed" : "");
    scene_sound(scene);
}
#define ACT(scene, action) scene_act(scene, action, NULL, 0, __LINE__)
#define ACT_BY(scene, action, ...)                                                                 \
    scene_act(scene, action, (const uint32_t[]){__VA_ARGS__},                                      \
              (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)), __LINE__)

/* --- Comparing -------------------------------------------------------------------------------- */

/* The ground as letters. */
static inline void scene_draw_ground(const MashBoard *board, int cells, char *out) {
    for (int i = 0; i < cells; i++)
        out[i] = board->ground[i] == GROUND_PORTAL ? 'O'
                 : board->ground_health[i] == 100  ? '#'
                 : board->ground_health[i] > 0     ? 'o'
                                                   : '.';
}

/* What show() shows must look like this. */
static inline void scene_looks(const MarvelousScene *scene, const char *const *rows, int height,
                               int line) {
    static uint8_t ground[CELLS_MAX], order[UNITS];
    static uint16_t wear[CELLS_MAX];
    static MashToken tokens[64];
    static MashMeter meters[256];
    static char drawn[CELLS_MAX];
    const MashLimits *limits = &scene->content->limits;
    assert_true(limits->tokens_max <= 64 && limits->meters_max <= 256);
    MashBoard board = {.ground = ground,
                       .ground_health = wear,
                       .tokens = tokens,
                       .meters = meters,
                       .order = order};
    marvelous_mashup_game.show(scene->content, scene->state, &board);
    scene_draw_ground(&board, limits->width * limits->height, drawn);
    for (uint32_t i = 0; i < board.tokens_count; i++) {
        char memory[8];
        MashText letter = text_over(memory, sizeof memory);
        scene_letter(tokens[i].unit, &letter);
        if (tokens[i].place == MASH_ON_BOARD)
            drawn[tokens[i].y * limits->width + tokens[i].x] = memory[0];
    }
    for (int y = 0; y < height; y++)
        if (memcmp(drawn + y * limits->width, rows[y], limits->width) != 0)
            fail_msg("line %d, row %d: wanted %s, found %.*s", line, y, rows[y], limits->width,
                     drawn + y * limits->width);
}
#define LOOKS(scene, ...) scene_looks(scene, ROWS(__VA_ARGS__), __LINE__)

/* An event in one line. */
static inline void scene_event(const MashEvent *event, MashText *text) {
    text_format(text, "%s ", mash_event_id(event->kind));
    scene_letter(event->unit, text);
    text_byte(text, '/');
    scene_letter(event->other, text);
    text_format(text, " %d,%d>%d,%d %d %d", event->from_x, event->from_y, event->x, event->y,
                event->what, event->amount);
}

/* The first events of the last action were these; `exactly`: there were no more. */
static inline void scene_told(const MarvelousScene *scene, bool exactly, const char *const *lines,
                              int count, int line) {
    char memory[100];
    for (int i = 0; i < count; i++) {
        MashText text = text_over(memory, sizeof memory);
        if ((uint32_t)i < scene->events.count)
            scene_event(&scene->events.list[i], &text);
        if (strcmp(memory, lines[i]) != 0)
            fail_msg("line %d, event %d: wanted \"%s\", found \"%s\"", line, i, lines[i], memory);
    }
    if (exactly && scene->events.count != (uint32_t)count) {
        MashText text = text_over(memory, sizeof memory);
        scene_event(&scene->events.list[count], &text);
        fail_msg("line %d: another event was told: %s", line, memory);
    }
}
#define TOLD(scene, ...)       scene_told(scene, true, ROWS(__VA_ARGS__), __LINE__)
#define TOLD_FIRST(scene, ...) scene_told(scene, false, ROWS(__VA_ARGS__), __LINE__)

/* Was an event of this kind about this unit told? */
static inline bool scene_was_told(const MarvelousScene *scene, MashEventKind kind, uint8_t unit) {
    for (uint32_t i = 0; i < scene->events.count; i++)
        if (scene->events.list[i].kind == kind && scene->events.list[i].unit == unit)
            return true;
    return false;
}

/* How the match stands: over by this reason for this seat. */
static inline void scene_ended(const MarvelousScene *scene, uint8_t winner, uint8_t reason) {
    MashResult result = marvelous_mashup_game.result(scene->content, scene->state);
    assert_true(result.over);
    assert_int_equal(result.winner, winner);
    assert_int_equal(result.reason, reason);
    assert_int_equal(scene->events.list[scene->events.count - 1].kind, MASH_EVENT_MATCH_ENDED);
}

/* How many actions are listed. */
static inline uint32_t scene_listed(const MarvelousScene *scene, uint8_t verb) {
    MashAction *list = calloc(scene->content->limits.actions_max, sizeof *list);
    uint32_t found = 0, count = marvelous_mashup_game.actions(scene->content, scene->state,
                                                              seat_of(scene->state->active), list);
    for (uint32_t i = 0; i < count; i++)
        found += list[i].verb == verb;
    free(list);
    return found;
}

#endif
