/* rules.c -- the game's entry points: moves, captures, the end of a match.
 *
 * One action is one move and one turn: verb, seat, unit and target cell. */
#include <string.h>

#include "engine/events.h"
#include "engine/grid.h"
#include "games/tablut/state.h"

/* Where a title names no side as ahead, chances are even: see the seats in docs/strength.md. */
#define DOCUMENTS(board)                                                                           \
    { board, "english.texts.json", NULL }
static const MashPreset presets[] = {
    {"linnaeus", "Linnaeus's board, 9x9; the Swedes are a little ahead",
     DOCUMENTS("linnaeus.board.json")},
    {"corners", "Escape to the corners, 9x9", DOCUMENTS("corners.board.json")},
    {"brandubh", "Brandubh: eight against five, 7x7; the Swedes are ahead",
     DOCUMENTS("brandubh.board.json")},
    {"strong-king", "As translated in 1811: a strong king, 9x9; the Swedes are far ahead",
     DOCUMENTS("strong-king.board.json")},
};
#undef DOCUMENTS

/* The other seat. */
static uint8_t opponent(uint8_t seat) { return (uint8_t)(1 - seat); }

/* --- Moving ----------------------------------------------------------------------------------- */

TablutState tablut_begin(const TablutBoard *board) {
    TablutState state = {.common = common_new(),
                         .turn = TABLUT_MUSCOVITES, /* [1.4] */
                         .left = {board->muscovites, (uint8_t)(board->king - board->muscovites)}};
    memcpy(state.cells, board->cells, sizeof state.cells); /* [1.3] */
    memcpy(state.units, board->units, sizeof state.units);
    return state;
}

static MashStatus setup(const MashContent *content, const MashSetup *choices, MashChance *chance,
                        void *raw_state) {
    (void)chance;
    int32_t options[MASH_OPTIONS_MAX];
    MashStatus status = common_options(&tablut_game, choices, options);
    if (status != MASH_OK)
        return status;
    TablutState *state = raw_state;
    *state = tablut_begin(tablut_board(content));
    return MASH_OK;
}

/* [1.4] */
static uint32_t awaited(const MashContent *content, const void *raw_state) {
    (void)content;
    const TablutState *state = raw_state;
    return state->common.over ? 0 : 1u << state->turn;
}

/* Pieces and the wall stop a move [2.2], the empty konakis does not [2.4]. */
int tablut_free_cells(const TablutState *state, uint8_t cell, int step) {
    int count = 0;
    while (state->cells[cell + (count + 1) * step] == TABLUT_EMPTY)
        count++;
    return count;
}

/* Appends the moves of one unit [2.1]: to the left and up from the farthest cell, down and to the
 * right from the nearest, which is ascending by column, then row. */
static MashAction *list_moves(const TablutBoard *board, const TablutState *state, uint8_t unit,
                              MashAction *out) {
    uint8_t from = state->units[unit];
    for (int direction = 0; direction < TABLUT_DIRECTIONS; direction++) {
        int step = tablut_steps[direction];
        int count = tablut_free_cells(state, from, step);
        for (int i = 1; i <= count; i++) {
            int far = step < 0 ? count + 1 - i : i;
            uint8_t cell = (uint8_t)(from + far * step);
            if (tablut_may_stop(board, unit, cell))
                *out++ = (MashAction){.verb = TABLUT_VERB_MOVE,
                                      .seat = state->turn,
                                      .unit = unit,
                                      .x = tablut_x(cell),
                                      .y = tablut_y(cell)};
        }
    }
    return out;
}

static uint32_t actions(const MashContent *content, const void *raw_state, uint8_t seat,
                        MashAction *out) {
    const TablutBoard *board = tablut_board(content);
    const TablutState *state = raw_state;
    if (state->common.over || seat != state->turn)
        return 0;
    uint8_t unit = seat == TABLUT_MUSCOVITES ? 0 : board->muscovites;
    uint8_t end = seat == TABLUT_MUSCOVITES ? board->muscovites : (uint8_t)(board->king + 1);
    MashAction *last = out;
    for (; unit < end; unit++)
        if (state->units[unit] != TABLUT_TAKEN)
            last = list_moves(board, state, unit, last);
    return (uint32_t)(last - out);
}

/* Can this unit move at all? Next to the empty konakis it may have to cross it. */
static bool unit_can_move(const TablutBoard *board, const TablutState *state, uint8_t unit) {
    for (int direction = 0; direction < TABLUT_DIRECTIONS; direction++) {
        int step = tablut_steps[direction];
        int count = tablut_free_cells(state, state->units[unit], step);
        for (int i = 1; i <= count; i++)
            if (tablut_may_stop(board, unit, (uint8_t)(state->units[unit] + i * step)))
                return true;
    }
    return false;
}

bool tablut_can_move(const TablutBoard *board, const TablutState *state, uint8_t seat) {
    for (uint8_t unit = 0; unit <= board->king; unit++)
        if (state->units[unit] != TABLUT_TAKEN && tablut_seat(board, unit) == seat &&
            unit_can_move(board, state, unit))
            return true;
    return false;
}

/* Checks the target of an own piece's move: a free cell [1.2] in its row or column [2.1] at which
 * it may stop [2.3] with a clear path to it [2.2]. */
static MashStatus check_way(const TablutBoard *board, const TablutState *state, MashAction action) {
    if (!grid_inside(action.x, action.y, board->side, board->side))
        return MASH_OFF_BOARD;
    uint8_t from = state->units[action.unit], to = tablut_cell(action.x, action.y);
    int dx = action.x - tablut_x(from), dy = action.y - tablut_y(from);
    if (state->cells[to] != TABLUT_EMPTY)
        return MASH_CELL_TAKEN;
    if (!tablut_may_stop(board, action.unit, to))
        return MASH_CELL_BLOCKED;
    if (dx != 0 && dy != 0)
        return MASH_NO_WAY;
    int step = dx < 0 ? -1 : dx > 0 ? 1 : dy < 0 ? -TABLUT_STRIDE : TABLUT_STRIDE;
    bool open = tablut_free_cells(state, from, step) >= grid_abs(dx + dy);
    return open ? MASH_OK : MASH_NO_WAY;
}

static MashStatus check(const MashContent *content, const void *raw_state, MashAction action) {
    const TablutBoard *board = tablut_board(content);
    const TablutState *state = raw_state;
    MashStatus status = common_check(&state->common, awaited(content, state), TABLUT_VERBS, action);
    if (status != MASH_OK || common_has_verb(action.verb))
        return status;
    if (action.ability != 0 || action.other != 0 || action.amount != 0)
        return MASH_NO_SUCH_ACTION;
    if (action.unit > board->king)
        return MASH_NO_SUCH_UNIT;
    if (tablut_seat(board, action.unit) != action.seat)
        return MASH_NOT_YOUR_UNIT;
    if (state->units[action.unit] == TABLUT_TAKEN)
        return MASH_UNIT_OUT;
    return check_way(board, state, action);
}

/* --- Capturing -------------------------------------------------------------------------------- */

int tablut_besiegers(const TablutBoard *board, const TablutState *state, uint8_t cell, bool all) {
    int count = 0;
    for (int direction = 0; direction < TABLUT_DIRECTIONS; direction++) {
        uint8_t beside = (uint8_t)(cell + tablut_steps[direction]);
        bool ground = state->cells[beside] == TABLUT_WALL || beside == board->konakis;
        count += tablut_is_of(board, state->cells[beside], TABLUT_MUSCOVITES) || (all && ground);
    }
    return count;
}

/* Does what is on this cell help the seat to take a soldier beside it? An own piece does, the king
 * too [3.1] [3.2]. The edge, corners and the empty konakis do not [3.4], but the konakis of a king
 * who is besieged on his three other sides does [3.5]. */
static bool helps(const TablutBoard *board, const TablutState *state, uint8_t cell, uint8_t seat) {
    uint8_t held = state->cells[cell];
    if (cell == board->konakis && held == board->king + 1 && seat == TABLUT_MUSCOVITES)
        return tablut_besiegers(board, state, cell, false) == TABLUT_DIRECTIONS - 1;
    return tablut_is_of(board, held, seat);
}

/* On the konakis [4.2] and beside it [4.3], and everywhere on a board with a strong king [7.2]. */
bool tablut_king_is_strong(const TablutBoard *board, uint8_t cell) {
    bool strong = board->strong || cell == board->konakis;
    for (int direction = 0; direction < TABLUT_DIRECTIONS; direction++)
        strong |= cell + tablut_steps[direction] == board->konakis;
    return strong;
}

/* Is the king captured by a Muscovite that has just moved next to him, one step back? Where he need
 * not be surrounded on all sides, he is captured between two [4.1]. */
static bool king_is_taken(const TablutBoard *board, const TablutState *state, uint8_t cell,
                          int step) {
    return tablut_king_is_strong(board, cell)
               ? tablut_besiegers(board, state, cell, true) == TABLUT_DIRECTIONS
               : tablut_is_of(board, state->cells[cell + step], TABLUT_MUSCOVITES);
}

/* Appends the event of a unit that moves from one cell to another, or is captured there by
 * `other`. */
static void emit_between(MashEvents *events, MashEventKind kind, uint8_t unit, uint8_t other,
                         uint8_t from, uint8_t to) {
    if (events == NULL)
        return;
    MashEvent event = event_new(kind, unit, other);
    event.x = tablut_x(to);
    event.y = tablut_y(to);
    if (kind == MASH_EVENT_MOVED) {
        event.from_x = tablut_x(from);
        event.from_y = tablut_y(from);
    }
    event_add(events, event);
}

/* Takes a piece off the board; `by` has just moved to do it. */
static void take(const TablutBoard *board, TablutState *state, uint8_t unit, uint8_t by,
                 MashEvents *events) {
    uint8_t cell = state->units[unit];
    state->cells[cell] = TABLUT_EMPTY;
    state->units[unit] = TABLUT_TAKEN;
    if (unit != board->king)
        state->left[tablut_seat(board, unit)]--;
    state->taken[by]++;
    state->quiet = 0; /* [6.1] */
    emit_between(events, MASH_EVENT_DIED, unit, by, cell, cell);
}

/* Captures all enemies that the unit's move captures. Only its neighbours are checked: a piece that
 * has itself moved between two enemies is safe [3.3]. */
static void take_neighbours(const TablutBoard *board, TablutState *state, uint8_t unit,
                            MashEvents *events) {
    uint8_t seat = tablut_seat(board, unit), cell = state->units[unit];
    for (int direction = 0; direction < TABLUT_DIRECTIONS; direction++) {
        int step = tablut_steps[direction];
        uint8_t beside = (uint8_t)(cell + step), held = state->cells[beside];
        if (!tablut_is_of(board, held, opponent(seat)))
            continue;
        bool taken = held == board->king + 1 ? king_is_taken(board, state, beside, step)
                                             : helps(board, state, (uint8_t)(beside + step), seat);
        if (taken)
            take(board, state, (uint8_t)(held - 1), unit, events);
    }
}

/* --- The end ---------------------------------------------------------------------------------- */

bool tablut_way_is_open(const TablutBoard *board, const TablutState *state, uint8_t cell,
                        int step) {
    int count = tablut_free_cells(state, cell, step);
    return count > 0 && (board->marks[cell + count * step] & TABLUT_MARK_ESCAPE) != 0;
}

int tablut_open_ways(const TablutBoard *board, const TablutState *state) {
    int ways = 0;
    for (int direction = 0; direction < TABLUT_DIRECTIONS; direction++)
        ways +=
            tablut_way_is_open(board, state, state->units[board->king], tablut_steps[direction]);
    return ways;
}

/* The call that warns the Muscovites: raichi for one open escape, tuichu for more [5.2]. */
static void call_ways(const TablutBoard *board, const TablutState *state, MashEvents *events) {
    if (events == NULL)
        return;
    int ways = tablut_open_ways(board, state);
    if (ways == 0)
        return;
    MashEvent event = event_new(MASH_EVENT_SPOKE, board->king, MASH_UNIT_NONE);
    event.x = tablut_x(state->units[board->king]);
    event.y = tablut_y(state->units[board->king]);
    event.amount = ways;
    event_add(events, event);
}

/* Ends the match if the move of this seat has decided it, or passes the turn on. */
static void end_turn(const TablutBoard *board, TablutState *state, MashEvents *events) {
    uint8_t seat = state->turn, king = state->units[board->king];
    if (king == TABLUT_TAKEN) {
        common_end(&state->common, TABLUT_MUSCOVITES, TABLUT_REASON_KING_TAKEN, events); /* [4.4] */
    } else if (board->marks[king] & TABLUT_MARK_ESCAPE) {
        common_end(&state->common, TABLUT_SWEDES, TABLUT_REASON_ESCAPED, events); /* [5.1] */
    } else if (!tablut_can_move(board, state, opponent(seat))) {
        common_end(&state->common, seat, TABLUT_REASON_STUCK, events); /* [2.5] */
    } else if (state->quiet == TABLUT_QUIET_MAX) {
        common_end(&state->common, MASH_SEAT_NONE, TABLUT_REASON_QUIET, events); /* [6.1] */
    } else {
        if (seat == TABLUT_SWEDES)
            call_ways(board, state, events);
        state->turn = opponent(seat);
        if (events != NULL)
            event_add(events, event_new(MASH_EVENT_TURN_BEGAN, MASH_UNIT_NONE, state->turn));
    }
}

static void apply_listed(const MashContent *content, void *raw_state, MashAction action,
                         MashChance *chance, MashEvents *events) {
    (void)chance;
    const TablutBoard *board = tablut_board(content);
    TablutState *state = raw_state;
    if (common_apply(&state->common, action, events))
        return;
    uint8_t from = state->units[action.unit], to = tablut_cell(action.x, action.y);
    state->cells[to] = state->cells[from];
    state->cells[from] = TABLUT_EMPTY;
    state->units[action.unit] = to;
    state->moves[action.unit]++;
    state->quiet++;
    emit_between(events, MASH_EVENT_MOVED, action.unit, MASH_UNIT_NONE, from, to);
    take_neighbours(board, state, action.unit, events);
    common_after_move(&state->common, action.seat, events);
    end_turn(board, state, events);
}

/* Of a unit, or summed up over a side. */
int32_t tablut_figure(const MashContent *content, const void *raw_state, uint8_t unit,
                      uint8_t number) {
    const TablutBoard *board = tablut_board(content);
    const TablutState *state = raw_state;
    int32_t sum = 0;
    for (uint8_t i = 0; i <= board->king; i++)
        if (unit == i || unit == MASH_UNIT_SIDE + tablut_seat(board, i))
            sum += number == TABLUT_FIGURE_MOVES ? state->moves[i] : state->taken[i];
    return sum;
}

const MashGame tablut_game = {
    GAME_ENTRIES(tablut, "tablut", "Tablut", TablutContent, TABLUT_FIGURES),
    .verb_forms = "move {unit} {cell}",
    .hide = game_hide_nothing,
    TEXTS_NAMES,
    .full_name = tablut_full_name,
    .notation = notation_write,
};
