/* test_scene.h -- for the tests of Ultimate War: states from drawings, actions from words.
 *
 * A drawing has five lines of five cells with spaces between: a champion's short name, a cover as #
 * and its health, or a dot. Actions are written as people type them ("cast thor mjollnir-throw 3
 * 4"); what is done must be in the legal list under just these words, what is refused must not.
 * Whoever includes this includes tests/support/support.h before. */
#ifndef ULTIMATE_WAR_TEST_SCENE_H
#define ULTIMATE_WAR_TEST_SCENE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/ultimate-war/state.h"

/* Room for what tests write. */
enum { WORDS_MAX = 4, WORD_BYTES = 64, EVENTS_ROOM = 512, LIST_ROOM = 512, DRAWING_BYTES = 512 };

/* The match under test. */
static MashContent *loaded;
static WarState *state;
static MashEvent event_list[EVENTS_ROOM];
static MashEvents events;

/* The content under test. */
static inline const WarContent *test_content(void) { return war_content(loaded); }

/* Frees the match under test. */
static inline void board_free(void) {
    support_free(state);
    support_free(loaded);
    state = NULL;
    loaded = NULL;
}

/* --- Content: the shipped one, or with some of its words replaced ----------------------------- */

/* Makes the shipped content the one under test. */
static inline void load_shipped(void) {
    board_free();
    loaded = support_content(&ultimate_war_game, NULL);
    state = support_state(loaded);
}

/* The shipped champions with the first `from` replaced by `to`; to be freed. */
static inline char *champions_with(const char *from, const char *to) {
    char *line = support_one_line(&ultimate_war_game, "ultimate-war.champions.json");
    char *bytes = realloc(line, strlen(line) + strlen(to) + 1);
    assert_non_null(bytes);
    char *found = strstr(bytes, from);
    if (found == NULL)
        fail_msg("the shipped champions have no %s", from);
    memmove(found + strlen(to), found + strlen(from), strlen(found + strlen(from)) + 1);
    memcpy(found, to, strlen(to));
    return bytes;
}

/* The same with the first `from` replaced by `to`. */
static inline void load_with(const char *from, const char *to) {
    char *bytes = champions_with(from, to);
    MashDocument document = {"test.champions.json", bytes, (uint32_t)strlen(bytes)};
    board_free();
    loaded = support_content_with(&ultimate_war_game, NULL, document);
    state = support_state(loaded);
    free(bytes);
}

/* --- States from drawings --------------------------------------------------------------------- */

/* Splits at spaces and line ends; how many words. */
static inline int split(const char *text, char words[][WORD_BYTES], int max) {
    int count = 0;
    for (; *text != '\0';) {
        size_t length = strcspn(text, " \n");
        if (length > 0) {
            assert_true(count < max && length < WORD_BYTES);
            memcpy(words[count], text, length);
            words[count++][length] = '\0';
        }
        text += length + (text[length] != '\0');
    }
    return count;
}

/* The number of a kind by its short name. */
static inline uint8_t kind_called(const char *brief) {
    for (uint8_t kind = 0; kind < test_content()->kinds_count; kind++)
        if (strcmp(test_content()->kinds[kind].brief, brief) == 0)
            return kind;
    fail_msg("no champion is called %s", brief);
    return KIND_NONE;
}

/* The unit of that kind. */
static inline uint8_t unit_called(const char *brief) {
    for (uint8_t unit = 0; unit < UNITS; unit++)
        if (state->champions[unit].kind == kind_called(brief))
            return unit;
    fail_msg("%s does not take part", brief);
    return MASH_UNIT_NONE;
}

/* A champion of the match, to look at or to change. */
static inline Champion *called(const char *brief) { return &state->champions[unit_called(brief)]; }

/* Up to three names for each seat; champions that are not named were knocked out before. */
static inline void draw_team(uint8_t seat, const char *names) {
    char words[TEAM][WORD_BYTES];
    int count = split(names, words, TEAM);
    for (int i = 0; i < count; i++)
        state->champions[TEAM * seat + i] =
            ultimate_war_recruit(test_content(), kind_called(words[i]));
}

/* Places that nobody was named for get champions who are out. */
static inline void draw_others(void) {
    uint8_t kind = 0;
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        if (state->champions[unit].kind != KIND_NONE)
            continue;
        while (ultimate_war_picked(state, kind))
            kind++;
        state->champions[unit].kind = kind;
    }
}

/* A match in play as drawn: everybody as at the start, in a fresh queue, the first of each team its
 * leader. */
static inline void draw(const char *first, const char *second, const char *drawing) {
    char cells[CELLS][WORD_BYTES];
    if (loaded == NULL)
        load_shipped();
    ultimate_war_empty(state);
    state->phase = PHASE_PLAY;
    state->picks = UNITS;
    draw_team(0, first);
    draw_team(1, second);
    draw_others();
    state->leaders[0] = 0;
    state->leaders[1] = TEAM;
    assert_int_equal(split(drawing, cells, CELLS), CELLS);
    for (int i = 0; i < CELLS; i++) {
        uint8_t cell = cell_at(i % SIDE, i / SIDE);
        if (cells[i][0] == '#')
            ultimate_war_place_cover(state, cell, (uint16_t)atoi(cells[i] + 1));
        else if (strcmp(cells[i], ".") != 0)
            ultimate_war_place(state, unit_called(cells[i]), cell);
    }
    ultimate_war_begin(test_content(), state, NULL);
    memset(state->figures, 0, sizeof state->figures);
    events = (MashEvents){event_list, 0, EVENTS_ROOM};
}

/* Lets this champion act, as if he headed the queue; the others follow as they did. */
static inline void turn_of(const char *brief) {
    uint8_t unit = unit_called(brief), count = 1, queue[UNITS] = {unit};
    for (int i = 0; i < state->queue_count; i++)
        if (state->queue[i] != unit)
            queue[count++] = state->queue[i];
    memcpy(state->queue, queue, sizeof queue);
    state->queue_count = count;
}

/* The board as show() gives it must be as drawn. */
static inline void expect(const char *drawing) {
    static uint8_t ground[CELLS], order[256];
    static uint16_t wear[CELLS];
    static MashToken tokens[256];
    static MashMeter meters[8192];
    MashBoard board = {.ground = ground,
                       .ground_health = wear,
                       .tokens = tokens,
                       .meters = meters,
                       .order = order};
    char cells[CELLS][WORD_BYTES], wanted[CELLS][WORD_BYTES];
    assert_true(loaded->limits.meters_max <= 8192 && loaded->limits.tokens_max <= 256);
    ultimate_war_game.show(loaded, state, &board);
    for (int i = 0; i < CELLS; i++)
        if (ground[i] == GROUND_COVER)
            snprintf(cells[i], WORD_BYTES, "#%d", wear[i]);
        else
            strcpy(cells[i], ".");
    for (uint32_t i = 0; i < board.tokens_count; i++) {
        if (tokens[i].place != MASH_ON_BOARD)
            continue;
        MashText name = text_over(cells[tokens[i].y * SIDE + tokens[i].x], WORD_BYTES);
        ultimate_war_game.unit_name(loaded, state, tokens[i].unit, &name);
    }
    assert_int_equal(split(drawing, wanted, CELLS), CELLS);
    for (int i = 0; i < CELLS; i++)
        if (strcmp(cells[i], wanted[i]) != 0)
            fail_msg("at %d,%d is %s instead of %s", i % SIDE, i / SIDE, cells[i], wanted[i]);
}

/* --- Actions from words ----------------------------------------------------------------------- */

/* The number of a direction. */
static inline uint8_t direction_called(const char *word) {
    static const char *const words[] = {"up", "right", "down", "left"};
    for (uint8_t i = 0; i < DIRECTIONS; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    fail_msg("%s is no direction", word);
    return 0;
}

/* "shield-throw", or "punch-2" for the second punch. */
static inline const Ability *ability_called(const char *id, MashAction *action) {
    const WarKind *kind = kind_of(test_content(), &state->champions[action->unit]);
    for (uint8_t slot = 0; slot < SLOTS; slot++) {
        action->ability =
            (uint8_t)(ABILITY_KINDS + SLOTS * state->champions[action->unit].kind + slot);
        if (strcmp(kind->abilities[slot].id, id) == 0)
            return &kind->abilities[slot];
    }
    if (strncmp(id, "punch", 5) != 0)
        fail_msg("%s has no ability %s", kind->name, id);
    action->ability = ABILITY_PUNCH;
    action->other = (uint8_t)(id[5] == '-' ? atoi(id + 6) - 1 : 0);
    return &test_content()->punch;
}

/* The action that these words spell, allowed or not. */
static inline MashAction action_of(const char *text) {
    static const char *const verbs[] = {"", "", "", "move", "attack", "cast", "command", "end"};
    char words[WORDS_MAX + 1][WORD_BYTES];
    int count = split(text, words, WORDS_MAX + 1);
    assert_true(count >= 2);
    uint8_t unit = unit_called(words[1]), area = AREAS;
    MashAction action = {.seat = seat_of(unit), .unit = unit};
    for (uint8_t verb = VERB_MOVE; verb < VERBS; verb++)
        if (strcmp(verbs[verb], words[0]) == 0)
            action.verb = verb;
    assert_int_not_equal(action.verb, MASH_VERB_NONE);
    if (action.verb == VERB_CAST)
        area = ability_called(words[2], &action)->area;
    if (action.verb == VERB_MOVE || area == AREA_SINGLE) {
        action.x = (int8_t)atoi(words[count - 2]);
        action.y = (int8_t)atoi(words[count - 1]);
    }
    if (action.verb == VERB_ATTACK || area == AREA_DIRECTIONAL)
        action.amount = direction_called(words[count - 1]);
    return action;
}

/* Is it in the legal list? */
static inline bool listed(MashAction action) {
    static MashAction list[LIST_ROOM];
    assert_true(loaded->limits.actions_max <= LIST_ROOM);
    uint32_t count = ultimate_war_game.actions(loaded, state, action.seat, list);
    for (uint32_t i = 0; i < count; i++)
        if (mash_action_compare(list[i], action) == 0)
            return true;
    return false;
}

/* What is kept twice in a state must agree, and what is unused must be zero. */
static inline void state_is_sound(void) {
    uint32_t sides[MASH_SEATS] = {0}, covers = 0;
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        const Champion *champion = &state->champions[unit];
        uint16_t marks = 0;
        for (int i = 0; i < EFFECTS_MAX; i++) {
            if (i < champion->effects_count)
                marks |= (uint16_t)MARK(champion->effects[i] >> 4);
            else
                assert_int_equal(champion->effects[i], 0);
        }
        assert_int_equal(champion->marks, marks);
        for (int i = champion->punches_count; i < PUNCHES_MAX; i++)
            assert_int_equal(champion->punch_amounts[i] | champion->punch_cooldowns[i], 0);
        if (champion->cell == CELL_NONE) {
            Champion out = {.kind = champion->kind, .cell = CELL_NONE};
            assert_memory_equal(champion, &out, sizeof out);
            continue;
        }
        assert_int_equal(state->units[champion->cell], unit);
        sides[seat_of(unit)] |= 1u << champion->cell;
    }
    for (int cell = 0; cell < CELLS; cell++) {
        covers |= (uint32_t)(state->cover_health[cell] > 0) << cell;
        bool taken = ((sides[0] | sides[1]) >> cell & 1) != 0;
        assert_int_equal(state->units[cell] != MASH_UNIT_NONE, taken);
    }
    assert_int_equal(state->covers, covers);
    assert_memory_equal(state->sides, sides, sizeof sides);
    assert_int_equal(sides[0] & sides[1], 0);
    assert_int_equal((sides[0] | sides[1]) & covers, 0);
    for (int i = state->queue_count; i < UNITS; i++)
        assert_int_equal(state->queue[i], 0);
}

/* Does it, with these outcomes of chance, all of which must be asked for. */
static inline void done_by_chance(const char *text, const uint32_t *script, uint32_t count) {
    char bytes[WORD_BYTES * 2];
    MashText word = text_over(bytes, sizeof bytes);
    MashAction action = action_of(text);
    ultimate_war_game.notation(loaded, state, action, &word);
    assert_string_equal(bytes, text);
    MashStatus status = ultimate_war_game.check(loaded, state, action);
    if (status != MASH_OK)
        fail_msg("%s: %s", text, mash_status_id(status));
    assert_true(listed(action));
    MashChance chance = chance_scripted(script, count);
    assert_int_equal(mash_apply(loaded, state, action, &chance, &events), MASH_OK);
    assert_true(chance_used_up(&chance));
    state_is_sound();
}

/* Does it without asking chance. */
static inline void done(const char *text) { done_by_chance(text, NULL, 0); }

/* Check and apply refuse it alike, it is not listed, and nothing changes. */
static inline void refused_action(MashAction action, MashStatus status) {
    WarState before = *state;
    MashChance chance = chance_scripted(NULL, 0);
    assert_string_equal(mash_status_id(ultimate_war_game.check(loaded, state, action)),
                        mash_status_id(status));
    assert_false(listed(action));
    assert_int_equal(mash_apply(loaded, state, action, &chance, &events), status);
    assert_int_equal(events.count, 0);
    assert_memory_equal(&before, state, sizeof before);
}

/* The same by words. */
static inline void refused(const char *text, MashStatus status) {
    refused_action(action_of(text), status);
}

/* --- Effects ---------------------------------------------------------------------------------- */

/* The champion comes under an effect, as if the first unit had given it. */
static inline void give(const char *brief, uint8_t effect, uint8_t turns) {
    ultimate_war_effect_begin(test_content(), state, unit_called(brief), effect, turns,
                              unit_called(brief), NULL);
}

/* Ends the first such effect in his list. */
static inline void end_effect(const char *brief, uint8_t effect) {
    uint8_t place = 0;
    while (called(brief)->effects[place] >> 4 != effect)
        place++;
    ultimate_war_effect_end(state, unit_called(brief), place, NULL);
}

/* Was there such an event about this unit? Its amount, or -1. */
static inline int32_t told(MashEventKind kind, const char *brief) {
    for (uint32_t i = 0; i < events.count; i++)
        if (event_list[i].kind == kind && event_list[i].unit == unit_called(brief))
            return event_list[i].amount;
    return -1;
}

#endif
