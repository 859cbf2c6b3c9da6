/* breakthrough.c -- the whole game in one file.
 *
 * Two sides of sixteen pawns on 8x8. White (seat 0) starts at the bottom and moves up, black (seat
 * 1) moves down. A pawn moves one row forward, straight or diagonally, onto an empty cell; it
 * captures only diagonally. A side wins by reaching the far row or capturing the last enemy pawn.
 * There is always a legal move: the foremost pawn of a side has no own pawn in front of it, so at
 * least one diagonal is open. Nothing is hidden and nothing is random.
 *
 * The board is kept twice: a bit per cell and side answers "may I go there?", a cell per pawn
 * answers "where is pawn 12?" and lists the moves in ascending order without sorting. */
#include "examples/breakthrough.h"

#include <string.h>

#include "base/hash.h"
#include "engine/board.h"
#include "engine/common.h"
#include "engine/events.h"
#include "engine/grid.h"
#include "engine/notation.h"

enum {
    SIDE = 8,
    PAWNS = 16, /* per seat: numbers 0..15 are seat 0's, 16..31 seat 1's */
    UNITS = PAWNS * MASH_SEATS,
    GONE = 255, /* the cell of a captured pawn */
    /* Each action moves a pawn one row forward. Before the one that reaches the far row and ends
     * the match, eight pawns of each side can move six rows and eight can move five. */
    LENGTH_MAX = MASH_SEATS * (8 * 6 + 8 * 5) + 1,
};
#define COLUMN ((uint64_t)0x0101010101010101) /* the cells of the leftmost column */
enum { VERB_MOVE = 1, VERBS };
enum { KIND_PAWN, KINDS };
enum { METER_PAWNS, METERS };
enum { FIGURE_STEPS, FIGURE_CAPTURES, FIGURES };
enum { REASON_REACHED = MASH_REASON_GAME, REASON_CAPTURED };

/* The state. Cells are y * SIDE + x. Bit `cell` of pawns[seat]: a pawn of that seat is there; bit i
 * of alive[seat]: its pawn number i is on the board. */
typedef struct BreakthroughState {
    CommonState common;
    uint8_t turn;
    uint8_t zero[7];
    uint16_t alive[MASH_SEATS];
    uint64_t pawns[MASH_SEATS];
    uint8_t cells[UNITS];
    /* Statistics: they affect nothing and come after the core. */
    uint8_t steps[UNITS], captures[UNITS];
} BreakthroughState;
enum { CORE_BYTES = offsetof(BreakthroughState, steps) };
static_assert(CORE_BYTES == 4 + 4 + 8 + 16 + UNITS, "no padding in a state");
static_assert(sizeof(BreakthroughState) == CORE_BYTES + 2 * UNITS, "no padding in a state");

static uint8_t opponent(uint8_t seat) { return (uint8_t)(1 - seat); }

static uint8_t seat_of(uint8_t unit) { return unit / PAWNS; }

static int column_of(uint8_t cell) { return cell % SIDE; }

static int row_of(uint8_t cell) { return cell / SIDE; }

/* The row in front of this one for the seat: up for seat 0, down for seat 1. */
static int row_ahead(uint8_t cell, uint8_t seat) { return row_of(cell) + (seat == 0 ? -1 : 1); }

static uint64_t bit_of(uint8_t cell) { return (uint64_t)1 << cell; }

/* --- Content and setup ------------------------------------------------------------------------ */

/* This game has no documents; the limits are the whole content. */
static bool load(const MashDocuments *documents, MashContent *content, MashProblems *problems) {
    if (documents->count > 0) {
        problem_add(problems, documents->list[0].name, 0, 0, "", "Breakthrough has no documents.");
        return false;
    }
    *content = (MashContent){
        .game = &breakthrough_game,
        .hash = hash_bytes(0, "breakthrough", 12),
        .limits = {.state_bytes = sizeof(BreakthroughState),
                   .core_bytes = CORE_BYTES,
                   .actions_max = 3 * PAWNS,
                   .events_max = 4, /* a capture, a move, an offer that lapses; a turn or the end */
                   .tokens_max = UNITS,
                   .meters_max = MASH_SEATS * METERS,
                   .length_max = LENGTH_MAX,
                   .turn_ms = 30000,
                   .width = SIDE,
                   .height = SIDE,
                   .units = UNITS}};
    return true;
}

static MashStatus setup(const MashContent *content, const MashSetup *wanted, MashChance *chance,
                        void *memory) {
    (void)chance;
    int32_t options[MASH_OPTIONS_MAX];
    MashStatus status = common_options(content->game, wanted, options);
    if (status != MASH_OK)
        return status;
    BreakthroughState *state = memory;
    *state = (BreakthroughState){.common = common_new()};
    for (uint8_t i = 0; i < PAWNS; i++) {
        state->cells[i] = (uint8_t)(SIDE * SIDE - PAWNS + i);
        state->cells[PAWNS + i] = i;
    }
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        state->pawns[seat_of(unit)] |= bit_of(state->cells[unit]);
        state->alive[seat_of(unit)] |= (uint16_t)(1 << unit % PAWNS);
    }
    return MASH_OK;
}

/* --- Legal actions ---------------------------------------------------------------------------- */

static uint32_t awaited(const MashContent *content, const void *memory) {
    (void)content;
    const BreakthroughState *state = memory;
    return state->common.over ? 0 : 1u << state->turn;
}

/* The board shifted so that each cell holds what was one row ahead of it and `aside` columns to its
 * right. */
static inline uint64_t one_step_off(uint64_t board, uint8_t seat, int aside) {
    return seat == 0 ? board << (SIDE - aside) : board >> (SIDE + aside);
}

/* An action as one number: a sum of actions whose fields do not overlap, written in one step. */
static inline uint64_t packed(MashAction action) {
    uint64_t bits;
    memcpy(&bits, &action, sizeof bits);
    return bits;
}

/* Writes an action and counts it only if it is legal: faster than a branch. */
static inline MashAction *put(MashAction *out, uint64_t action, uint64_t open) {
    memcpy(out, &action, sizeof action);
    return out + (open & 1);
}

/* Ascending by construction: pawns in order of their numbers, then columns. Own pawns block every
 * step, enemy pawns only the straight one, the edges of the board one diagonal each. */
static uint32_t actions(const MashContent *content, const void *memory, uint8_t seat,
                        MashAction *out) {
    (void)content;
    const BreakthroughState *state = memory;
    if (state->common.over || seat != state->turn)
        return 0;
    const uint64_t move_bits = packed((MashAction){.verb = VERB_MOVE, .seat = seat});
    const uint64_t unit_bits = packed((MashAction){.unit = 1});
    const uint64_t x_bits = packed((MashAction){.x = 1}), y_bits = packed((MashAction){.y = 1});
    uint64_t own = state->pawns[seat], taken = own | state->pawns[opponent(seat)];
    uint64_t left = ~(one_step_off(own, seat, -1) | COLUMN);
    uint64_t straight = ~one_step_off(taken, seat, 0);
    uint64_t right = ~(one_step_off(own, seat, 1) | COLUMN << (SIDE - 1));
    MashAction *end = out;
    for (uint32_t alive = state->alive[seat]; alive != 0; alive &= alive - 1) {
        uint32_t unit = seat * PAWNS + (uint32_t)__builtin_ctz(alive);
        uint8_t cell = state->cells[unit];
        uint64_t x = (uint64_t)column_of(cell), y = (uint64_t)row_ahead(cell, seat);
        uint64_t action = move_bits + unit * unit_bits + x * x_bits + y * y_bits;
        end = put(end, action - x_bits, left >> cell);
        end = put(end, action, straight >> cell);
        end = put(end, action + x_bits, right >> cell);
    }
    return (uint32_t)(end - out);
}

/* Checks a step of the seat's own pawn: first its destination, then what occupies it. */
static MashStatus check_step(const BreakthroughState *state, MashAction action) {
    uint8_t cell = state->cells[action.unit];
    if (cell == GONE)
        return MASH_UNIT_OUT;
    if (!grid_inside(action.x, action.y, SIDE, SIDE))
        return MASH_OFF_BOARD;
    int aside = action.x - column_of(cell);
    if (action.y != row_ahead(cell, action.seat) || grid_abs(aside) > 1)
        return MASH_NOT_A_STEP;
    uint64_t target = bit_of((uint8_t)(action.y * SIDE + action.x));
    if (state->pawns[action.seat] & target)
        return MASH_OWN_SIDE;
    bool enemy = state->pawns[opponent(action.seat)] & target;
    return enemy && aside == 0 ? MASH_CELL_TAKEN : MASH_OK;
}

static MashStatus check(const MashContent *content, const void *memory, MashAction action) {
    const BreakthroughState *state = memory;
    MashStatus status = common_check(&state->common, awaited(content, state), VERBS, action);
    if (status != MASH_OK || common_has_verb(action.verb))
        return status;
    if (action.ability != 0 || action.other != 0 || action.amount != 0)
        return MASH_NO_SUCH_ACTION;
    if (action.unit >= UNITS)
        return MASH_NO_SUCH_UNIT;
    if (seat_of(action.unit) != action.seat)
        return MASH_NOT_YOUR_UNIT;
    return check_step(state, action);
}

/* --- What happens ----------------------------------------------------------------------------- */

/* Appends an event for a unit that moves `from` a cell to another. Search passes no event list, and
 * then nothing is built. */
static void emit_unit(MashEvents *events, MashEventKind kind, uint8_t unit, uint8_t other,
                      uint8_t from, uint8_t to) {
    if (events == NULL)
        return;
    MashEvent event = event_new(kind, unit, other);
    event.from_x = (int8_t)column_of(from);
    event.from_y = (int8_t)row_of(from);
    event.x = (int8_t)column_of(to);
    event.y = (int8_t)row_of(to);
    event_add(events, event);
}

/* Removes the enemy pawn on this cell from the board, if there is one. */
static void capture(BreakthroughState *state, uint8_t unit, uint8_t cell, MashEvents *events) {
    uint8_t enemy = opponent(state->turn);
    if (!(state->pawns[enemy] & bit_of(cell)))
        return;
    const uint8_t *found = memchr(state->cells + enemy * PAWNS, cell, PAWNS);
    assert(found != NULL);
    uint8_t victim = (uint8_t)(found - state->cells);
    state->pawns[enemy] ^= bit_of(cell);
    state->alive[enemy] ^= (uint16_t)(1 << victim % PAWNS);
    state->cells[victim] = GONE;
    state->captures[unit]++;
    emit_unit(events, MASH_EVENT_DIED, victim, unit, 0, cell);
}

static void move(BreakthroughState *state, uint8_t unit, uint8_t cell, MashEvents *events) {
    uint8_t from = state->cells[unit];
    state->pawns[state->turn] ^= bit_of(from) | bit_of(cell);
    state->cells[unit] = cell;
    state->steps[unit]++;
    emit_unit(events, MASH_EVENT_MOVED, unit, MASH_UNIT_NONE, from, cell);
}

/* Ends the match if the move onto this cell has won it, otherwise passes the turn. */
static void end_turn(BreakthroughState *state, uint8_t cell, MashEvents *events) {
    uint8_t seat = state->turn, enemy = opponent(seat);
    common_after_move(&state->common, seat, events);
    if (row_of(cell) == (seat == 0 ? 0 : SIDE - 1)) {
        common_end(&state->common, seat, REASON_REACHED, events);
    } else if (state->pawns[enemy] == 0) {
        common_end(&state->common, seat, REASON_CAPTURED, events);
    } else {
        state->turn = enemy;
        emit_unit(events, MASH_EVENT_TURN_BEGAN, MASH_UNIT_NONE, enemy, 0, 0);
    }
}

static void apply_listed(const MashContent *content, void *memory, MashAction action,
                         MashChance *chance, MashEvents *events) {
    (void)content, (void)chance;
    BreakthroughState *state = memory;
    if (common_apply(&state->common, action, events))
        return;
    uint8_t cell = (uint8_t)(action.y * SIDE + action.x);
    capture(state, action.unit, cell, events);
    move(state, action.unit, cell, events);
    end_turn(state, cell, events);
}

/* --- Views ------------------------------------------------------------------------------------ */

/* Nothing is hidden, so there is nothing to guess either. */
static void hide(const MashContent *content, void *memory, uint8_t seat) {
    (void)content, (void)memory, (void)seat;
}

static int32_t figure(const MashContent *content, const void *memory, uint8_t unit,
                      uint8_t number) {
    (void)content;
    const BreakthroughState *state = memory;
    const uint8_t *list = number == FIGURE_STEPS ? state->steps : state->captures;
    if (unit < UNITS)
        return list[unit];
    int32_t sum = 0;
    for (uint8_t i = 0; i < UNITS; i++)
        sum += seat_of(i) == unit - MASH_UNIT_SIDE ? list[i] : 0;
    return sum;
}

static MashToken token_of(const BreakthroughState *state, uint8_t unit) {
    MashToken token = {.unit = unit, .kind = KIND_PAWN, .seat = seat_of(unit), .place = MASH_GONE};
    if (state->cells[unit] != GONE) {
        token.place = MASH_ON_BOARD;
        token.x = (int8_t)column_of(state->cells[unit]);
        token.y = (int8_t)row_of(state->cells[unit]);
    }
    return token;
}

static void show(const MashContent *content, const void *memory, MashBoard *board) {
    (void)content;
    const BreakthroughState *state = memory;
    memset(board->ground, 0, SIDE * SIDE * sizeof *board->ground);
    memset(board->ground_health, 0, SIDE * SIDE * sizeof *board->ground_health);
    board_clear(board);
    int32_t left[MASH_SEATS] = {0};
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        board->tokens[board->tokens_count++] = token_of(state, unit);
        left[seat_of(unit)] += state->cells[unit] != GONE;
    }
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        board_meter(board, (uint8_t)(MASH_UNIT_SIDE + seat), METER_PAWNS, MASH_ROLE_SCORE,
                    left[seat], PAWNS);
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* An entry of a list: its id and its name. */
typedef struct Entry {
    const char *id, *name;
} Entry;

/* The entries of one list from number `base` on. A game with documents takes them from its texts
 * (engine/texts.h). */
typedef struct Entries {
    uint8_t base, count;
    Entry list[MASH_REASON_GAME];
} Entries;

static const Entries all_entries[MASH_NAME_LISTS] = {
    [MASH_NAME_KIND] = {0, KINDS, {{"pawn", "pawn"}}},
    [MASH_NAME_GROUND] = {0, 1, {{"square", "square"}}},
    [MASH_NAME_METER] = {0, METERS, {{"pawns", "pawns"}}},
    [MASH_NAME_PHASE] = {0, 1, {{"play", "play"}}},
    [MASH_NAME_VERB] = {VERB_MOVE, 1, {{"move", "move"}}},
    [MASH_NAME_REASON] = {REASON_REACHED,
                          2,
                          {{"reached", "a pawn reached the far row"},
                           {"captured", "the last pawn was captured"}}},
    [MASH_NAME_FIGURE] = {0, FIGURES, {{"steps", "steps"}, {"captures", "captures"}}},
    [MASH_NAME_SIDE] = {0, MASH_SEATS, {{"white", "White"}, {"black", "Black"}}},
};

/* The reasons that end a match in any game; the game's own follow them. */
static const Entries shared_reasons = {0,
                                       MASH_REASON_COUNT,
                                       {
#define MASH_ROW(name, id, meaning) {id, meaning},
                                           MASH_REASONS(MASH_ROW)
#undef MASH_ROW
                                       }};

/* An entry of a list, or NULL. */
static const Entry *entry_of(MashNames list, uint8_t index) {
    const Entries *entries = &all_entries[list];
    if (list == MASH_NAME_REASON && index < REASON_REACHED)
        entries = &shared_reasons;
    bool there = index >= entries->base && index < entries->base + entries->count;
    return there ? &entries->list[index - entries->base] : NULL;
}

static const char *id(const MashContent *content, MashNames list, uint8_t index) {
    (void)content;
    const Entry *entry = entry_of(list, index);
    return entry == NULL ? NULL : entry->id;
}

/* There is only one language, so no other can be loaded. */
static void name(const MashContent *content, const MashTexts *texts, MashNames list, uint8_t index,
                 MashText *text) {
    (void)content, (void)texts;
    const Entry *entry = entry_of(list, index);
    text_string(text, entry == NULL ? "" : entry->name);
}

static void unit_name(const MashContent *content, const void *memory, uint8_t unit,
                      MashText *text) {
    (void)content, (void)memory;
    text_format(text, "%c%d", seat_of(unit) == 0 ? 'w' : 'b', unit % PAWNS);
}

static void say(const MashContent *content, const MashTexts *texts, const void *memory,
                const MashEvent *event, MashText *text) {
    char side_bytes[16], unit_bytes[8], other_bytes[8];
    MashText side = text_over(side_bytes, sizeof side_bytes);
    MashText unit = text_over(unit_bytes, sizeof unit_bytes);
    MashText other = text_over(other_bytes, sizeof other_bytes);
    name(content, texts, MASH_NAME_SIDE, event->other, &side);
    unit_name(content, memory, event->unit, &unit);
    unit_name(content, memory, event->other, &other);
    switch (event->kind) {
    case MASH_EVENT_MOVED:
        text_format(text, "%s goes from %d,%d to %d,%d.", unit.bytes, event->from_x, event->from_y,
                    event->x, event->y);
        break;
    case MASH_EVENT_DIED:
        text_format(text, "%s captures %s at %d,%d.", other.bytes, unit.bytes, event->x, event->y);
        break;
    case MASH_EVENT_TURN_BEGAN:
        text_format(text, "%s to move.", side.bytes);
        break;
    case MASH_EVENT_DRAW_OFFERED:
        text_format(text, "%s offers a draw.", side.bytes);
        break;
    case MASH_EVENT_DRAW_DECLINED:
        text_format(text, "%s does not take the draw.", side.bytes);
        break;
    case MASH_EVENT_MATCH_ENDED:
        text_format(text, "%s%s: ", side.bytes, side.count > 0 ? " wins" : "Drawn");
        name(content, texts, MASH_NAME_REASON, event->what, text);
        text_byte(text, '.');
        break;
    default:
        text_string(text, "Nothing known happens."); /* this game tells no other event */
    }
}

static const MashPreset presets[] = {{"8x8", "Eight by eight", {NULL}}};

const MashGame breakthrough_game = {
    .id = "breakthrough",
    .title = "Breakthrough",
    .version = 1,
    .content_bytes_max = sizeof(MashContent),
    MASH_LIST(presets),
    .figures_count = FIGURES,
    .verb_forms = "move {unit} {cell}",
    .load = load,
    MASH_RULES,
    .result = common_result,
    .figure = figure,
    .hide = hide,
    .show = show,
    .id_of = id,
    .name = name,
    .unit_name = unit_name,
    .notation = notation_write,
    .say = say,
};
