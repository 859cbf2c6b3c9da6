/* rules.c -- the game's entry points: who may step now, what a step means for the match, how it
 * ends.
 *
 * One action is one step: verb, seat, unit and the cell it steps to. What the step does is in
 * step.c. */
#include <string.h>

#include "engine/events.h"
#include "engine/grid.h"
#include "games/zorde/state.h"

#define DOCUMENTS(start)                                                                           \
    { "zorde.units.json", start, "english.texts.json", NULL }
/* Where a title names no side as ahead, chances are even: see the seats in docs/strength.md. */
static const MashPreset presets[] = {
    {"skirmish", "Skirmish: one of each kind, 6x6; Zorde is ahead",
     DOCUMENTS("skirmish.start.json")},
    {"battle", "Battle: four against four, 10x10; Zorde is ahead", DOCUMENTS("battle.start.json")},
    {"even-skirmish", "Even skirmish: four against three, 9x9",
     DOCUMENTS("even-skirmish.start.json")},
    {"close-battle", "Close battle: five against four, 10x10; Calliance is a little ahead",
     DOCUMENTS("close-battle.start.json")},
    {"duel", "Lesson: a human against a troll, 5x5; Zorde is far ahead",
     DOCUMENTS("duel.start.json")},
    {"border", "Border: dwarf and human against two trolls, 5x5; Calliance is ahead",
     DOCUMENTS("border.start.json")},
};
#undef DOCUMENTS

static MashStatus setup(const MashContent *content, const MashSetup *choices, MashChance *chance,
                        void *raw_state) {
    (void)chance;
    int32_t options[MASH_OPTIONS_MAX];
    MashStatus status = common_options(&zorde_game, choices, options);
    if (status == MASH_OK)
        zorde_begin(zorde_setup(content), raw_state);
    return status;
}

/* [2.1] */
static uint32_t awaited(const MashContent *content, const void *raw_state) {
    (void)content;
    const ZordeState *state = raw_state;
    return state->common.over ? 0 : 1u << state->turn;
}

/* Appends the steps of one unit to the list: columns from the left, in each the rows from the top,
 * which is ascending. A neighbour always exists, because the board has two cells at least [2.5]. */
static MashAction *list_steps(const ZordeSetup *field, const ZordeState *state, uint8_t unit,
                              MashAction *out) {
    int x = state->units[unit].x, y = state->units[unit].y;
    int left = x > 0 ? x - 1 : x, right = x + 1 < field->width ? x + 1 : x;
    int top = y > 0 ? y - 1 : y, bottom = y + 1 < field->height ? y + 1 : y;
    for (int column = left; column <= right; column++)
        for (int row = top; row <= bottom; row++)
            if (column != x || row != y)
                *out++ = (MashAction){.verb = ZORDE_VERB_STEP,
                                      .seat = state->turn,
                                      .unit = unit,
                                      .x = (int8_t)column,
                                      .y = (int8_t)row};
    return out;
}

/* All steps of all living units, or of the one whose order is in progress [2.2], [2.3]. */
static uint32_t actions(const MashContent *content, const void *raw_state, uint8_t seat,
                        MashAction *out) {
    const ZordeSetup *field = zorde_setup(content);
    const ZordeState *state = raw_state;
    if (state->common.over || seat != state->turn)
        return 0;
    uint64_t units = state->living[seat];
    if (state->mover != MASH_UNIT_NONE)
        units = (uint64_t)1 << state->mover;
    MashAction *end = out;
    for (; units != 0; units &= units - 1)
        end = list_steps(field, state, (uint8_t)__builtin_ctzll(units), end);
    return (uint32_t)(end - out);
}

/* A step by a unit of this seat [2.2] to a neighbouring cell [2.3]. */
static MashStatus check_step(const ZordeSetup *field, const ZordeState *state, MashAction action) {
    if (action.ability != 0 || action.other != 0 || action.amount != 0)
        return MASH_NO_SUCH_ACTION;
    if (action.unit >= field->units_count)
        return MASH_NO_SUCH_UNIT;
    if (field->units[action.unit].seat != action.seat)
        return MASH_NOT_YOUR_UNIT;
    if (!zorde_lives(field, state, action.unit))
        return MASH_UNIT_OUT;
    if (state->mover != MASH_UNIT_NONE && state->mover != action.unit)
        return MASH_UNIT_BUSY;
    if (!grid_inside(action.x, action.y, field->width, field->height))
        return MASH_OFF_BOARD;
    ZordeUnit unit = state->units[action.unit];
    return grid_chebyshev(unit.x, unit.y, action.x, action.y) == 1 ? MASH_OK : MASH_NOT_A_STEP;
}

static MashStatus check(const MashContent *content, const void *raw_state, MashAction action) {
    const ZordeState *state = raw_state;
    MashStatus status = common_check(&state->common, awaited(content, state), ZORDE_VERBS, action);
    if (status != MASH_OK || common_has_verb(action.verb))
        return status;
    return check_step(zorde_setup(content), state, action);
}

/* An order is complete: the turn passes [2.1], or the last order has been given [6.3]. */
static void pass_turn(ZordeState *state, MashEvents *events) {
    state->orders++;
    state->turn = (uint8_t)(1 - state->turn);
    if (state->orders == ZORDE_ORDERS_MAX)
        common_end(&state->common, MASH_SEAT_NONE, ZORDE_REASON_ORDERS, events);
    else
        event_add(events, event_new(MASH_EVENT_TURN_BEGAN, MASH_UNIT_NONE, state->turn));
}

/* A side without units has lost immediately [6.1]; if neither has any, nobody has won [6.2]. */
static void conclude(ZordeState *state, MashEvents *events) {
    bool calliance = state->living[ZORDE_CALLIANCE] != 0, zorde = state->living[ZORDE_ZORDE] != 0;
    if (!calliance && !zorde)
        common_end(&state->common, MASH_SEAT_NONE, ZORDE_REASON_BOTH_FELL, events);
    else if (!calliance || !zorde)
        common_end(&state->common, calliance ? ZORDE_CALLIANCE : ZORDE_ZORDE, ZORDE_REASON_BEATEN,
                   events);
    else if (state->mover == MASH_UNIT_NONE)
        pass_turn(state, events);
}

static void apply_listed(const MashContent *content, void *raw_state, MashAction action,
                         MashChance *chance, MashEvents *events) {
    (void)chance;
    ZordeState *state = raw_state;
    if (common_apply(&state->common, action, events))
        return;
    ZordeUnit unit = state->units[action.unit];
    bool inside = zorde_step(zorde_setup(content), state, action.unit, action.x - unit.x,
                             action.y - unit.y, events);
    assert(inside);
    common_after_move(&state->common, action.seat, events);
    conclude(state, events);
}

/* Of a unit, or summed up over a side. */
int32_t zorde_figure(const MashContent *content, const void *raw_state, uint8_t unit,
                     uint8_t number) {
    const ZordeSetup *field = zorde_setup(content);
    const ZordeState *state = raw_state;
    const ZordeFigures *deeds =
        (const ZordeFigures *)(const void *)(state->units + field->units_count);
    if (number >= ZORDE_FIGURES)
        return 0;
    if (unit < field->units_count)
        return (int32_t)deeds[unit].figures[number];
    uint32_t sum = 0;
    for (uint8_t i = 0; i < field->units_count; i++)
        if (unit == MASH_UNIT_SIDE + field->units[i].seat)
            sum += deeds[i].figures[number];
    return (int32_t)sum;
}

static const MashFormat *const formats[] = {&zorde_orders, NULL};

const MashGame zorde_game = {
    GAME_ENTRIES(zorde, "zorde", "Zorde vs Calliance", ZordeContent, ZORDE_FIGURES),
    .threat = zorde_threat,
    .verb_forms = "step {unit} {cell}",
    .hide = game_hide_nothing,
    TEXTS_NAMES,
    .full_name = zorde_full_name,
    .notation = notation_write,
    .formats = formats,
};
