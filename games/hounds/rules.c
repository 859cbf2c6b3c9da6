/* rules.c -- the game's entry points: moves and the end of a match.
 *
 * One action is one move and one turn: verb, seat, unit and target cell. */
#include "engine/events.h"
#include "engine/grid.h"
#include "games/hounds/state.h"

static const MashPreset presets[] = {
    {"cafe", "As in the cafés: the hounds begin", {"cafe.hunt.json", "english.texts.json", NULL}},
    {"hasty",
     "The hare begins and the hounds must hurry",
     {"hasty.hunt.json", "english.texts.json", NULL}},
};

/* --- Moving ----------------------------------------------------------------------------------- */

bool hounds_is_point(int x, int y) {
    return grid_inside(x, y, HOUNDS_WIDTH, HOUNDS_HEIGHT) &&
           (y == 1 || (x > 0 && x + 1 < HOUNDS_WIDTH));
}

/* Does a unit stand on this cell? */
static bool taken(const HoundsState *state, int x, int y) {
    for (uint8_t i = 0; i < HOUNDS_UNITS; i++)
        if (state->cells[i] == hounds_cell(x, y))
            return true;
    return false;
}

/* A step along a link [1.2] [1.3] [2.1], for a hound never to the left [2.2]. */
static bool is_step(const HoundsState *state, uint8_t unit, int x, int y) {
    uint8_t cell = state->cells[unit];
    int dx = x - hounds_x(cell), dy = y - hounds_y(cell);
    bool near = grid_abs(dx) <= 1 && grid_abs(dy) <= 1;
    bool linked = dx == 0 || dy == 0 || (x + y) % 2 == 1;
    return near && linked && (unit == HOUNDS_THE_HARE || dx >= 0); /* [2.3] */
}

bool hounds_may_move(const HoundsState *state, uint8_t unit, int x, int y) {
    return hounds_is_point(x, y) && is_step(state, unit, x, y) && !taken(state, x, y);
}

int hounds_count_moves(const HoundsState *state, uint8_t unit) {
    int count = 0, cell_x = hounds_x(state->cells[unit]);
    for (int x = cell_x - 1; x <= cell_x + 1; x++)
        for (int y = 0; y < HOUNDS_HEIGHT; y++)
            count += hounds_may_move(state, unit, x, y);
    return count;
}

static MashStatus setup(const MashContent *content, const MashSetup *choices, MashChance *chance,
                        void *raw_state) {
    (void)chance;
    int32_t options[MASH_OPTIONS_MAX];
    MashStatus status = common_options(&hounds_game, choices, options);
    if (status != MASH_OK)
        return status;
    HoundsState *state = raw_state;
    *state = (HoundsState){
        .table = common_new(),
        .turn = hounds_hunt(content)->first, /* [1.6] */
        .cells = {hounds_cell(1, 0), hounds_cell(0, 1), hounds_cell(1, 2), hounds_cell(4, 1)}};
    return MASH_OK; /* [1.5] */
}

static uint32_t awaited(const MashContent *content, const void *raw_state) {
    (void)content;
    const HoundsState *state = raw_state;
    return state->table.over ? 0 : 1u << state->turn;
}

/* Appends the moves of one unit, ascending by column, then row; returns the end of the list. */
static MashAction *list_moves(const HoundsState *state, uint8_t unit, MashAction *out) {
    int cell_x = hounds_x(state->cells[unit]);
    for (int x = cell_x - 1; x <= cell_x + 1; x++)
        for (int y = 0; y < HOUNDS_HEIGHT; y++)
            if (hounds_may_move(state, unit, x, y))
                *out++ = (MashAction){.verb = HOUNDS_VERB_MOVE,
                                      .seat = hounds_seat(unit),
                                      .unit = unit,
                                      .x = (int8_t)x,
                                      .y = (int8_t)y};
    return out;
}

static uint32_t actions(const MashContent *content, const void *raw_state, uint8_t seat,
                        MashAction *out) {
    (void)content;
    const HoundsState *state = raw_state;
    MashAction *end = out;
    if (state->table.over || seat != state->turn)
        return 0;
    for (uint8_t unit = 0; unit < HOUNDS_UNITS; unit++)
        if (hounds_seat(unit) == seat)
            end = list_moves(state, unit, end);
    return (uint32_t)(end - out);
}

static MashStatus check(const MashContent *content, const void *raw_state, MashAction action) {
    const HoundsState *state = raw_state;
    MashStatus status = common_check(&state->table, awaited(content, state), HOUNDS_VERBS, action);
    if (status != MASH_OK || common_has_verb(action.verb))
        return status;
    if (action.ability != 0 || action.other != 0 || action.amount != 0)
        return MASH_NO_SUCH_ACTION;
    if (action.unit >= HOUNDS_UNITS)
        return MASH_NO_SUCH_UNIT;
    if (hounds_seat(action.unit) != action.seat)
        return MASH_NOT_YOUR_UNIT;
    if (!hounds_is_point(action.x, action.y))
        return MASH_OFF_BOARD;
    if (taken(state, action.x, action.y))
        return MASH_CELL_TAKEN;
    return is_step(state, action.unit, action.x, action.y) ? MASH_OK : MASH_NOT_A_STEP;
}

/* --- What happens ----------------------------------------------------------------------------- */

/* Has the hare no hound to its left [3.2]? */
static bool is_past(const HoundsState *state) {
    int hare = hounds_x(state->cells[HOUNDS_THE_HARE]);
    for (uint8_t unit = 0; unit < HOUNDS_THE_HARE; unit++)
        if (hounds_x(state->cells[unit]) < hare)
            return false;
    return true;
}

/* Ends the match if the last move has decided it, or passes the turn on. */
static void end_turn(const MashContent *content, HoundsState *state, MashEvents *events) {
    state->turn = (uint8_t)(1 - state->turn);
    if (is_past(state)) {
        common_end(&state->table, HOUNDS_HARES, HOUNDS_REASON_PAST, events); /* [3.2] */
    } else if (state->turn == HOUNDS_HARES && hounds_count_moves(state, HOUNDS_THE_HARE) == 0) {
        common_end(&state->table, HOUNDS_HOUNDS, HOUNDS_REASON_TRAPPED, events); /* [3.1] */
    } else if (state->stalled == hounds_hunt(content)->limit) {
        common_end(&state->table, HOUNDS_HARES, HOUNDS_REASON_STALLED, events); /* [3.3] */
    } else if (events != NULL) {
        event_add(events, event_new(MASH_EVENT_TURN_BEGAN, MASH_UNIT_NONE, state->turn));
    }
}

/* Tells of a move. Search passes no list of events. */
static void emit_move(MashEvents *events, uint8_t unit, uint8_t from, uint8_t to) {
    if (events == NULL)
        return;
    MashEvent event = event_new(MASH_EVENT_MOVED, unit, MASH_UNIT_NONE);
    event.from_x = hounds_x(from);
    event.from_y = hounds_y(from);
    event.x = hounds_x(to);
    event.y = hounds_y(to);
    event_add(events, event);
}

static void apply_listed(const MashContent *content, void *raw_state, MashAction action,
                         MashChance *chance, MashEvents *events) {
    (void)chance;
    HoundsState *state = raw_state;
    if (common_apply(&state->table, action, events))
        return;
    uint8_t from = state->cells[action.unit], to = hounds_cell(action.x, action.y);
    state->cells[action.unit] = to;
    state->moves[action.unit]++;
    if (action.seat == HOUNDS_HOUNDS)
        state->stalled = hounds_x(to) > hounds_x(from) ? 0 : (uint8_t)(state->stalled + 1);
    emit_move(events, action.unit, from, to);
    common_after_move(&state->table, action.seat, events);
    end_turn(content, state, events);
}

/* Of a unit, or summed up over a side. */
int32_t hounds_figure(const MashContent *content, const void *raw_state, uint8_t unit,
                      uint8_t number) {
    (void)content, (void)number;
    const HoundsState *state = raw_state;
    int32_t sum = 0;
    for (uint8_t i = 0; i < HOUNDS_UNITS; i++)
        if (unit == i || unit == MASH_UNIT_SIDE + hounds_seat(i))
            sum += state->moves[i];
    return sum;
}

const MashGame hounds_game = {
    GAME_ENTRIES(hounds, "hounds", "Hare and Hounds", HoundsContent, HOUNDS_FIGURES),
    .verb_forms = "move {unit} {cell}",
    .hide = game_hide_nothing,
    TEXTS_NAMES,
    .full_name = hounds_full_name,
    .notation = notation_write,
};
