/* rules.c -- Game of the Generals, Marvel edition: turns, battles, abilities, the end; and the
 * game.
 *
 * Facts: two seats, hidden ranks, chance only where Thanos snaps and in random placement. The
 * arbiter is battle(): it alone compares two ranks, and reveals only which pieces are defeated. */
#include <string.h>

#include "base/hash.h"
#include "engine/events.h"
#include "engine/grid.h"
#include "games/generals/state.h"

/* Context of an action in play. */
typedef struct GeneralsContext {
    const GeneralsContent *body;
    GeneralsState *state;
    MashChance *chance;
    MashEvents *events;
} GeneralsContext;

/* --- The key of a position -------------------------------------------------------------------- */

enum { KEY_CELL, KEY_WEB, KEY_SHOWN };

/* [8.6] Public facts are mixed to numbers; the key is their exclusive or. */
static uint64_t key_of(uint32_t topic, uint8_t unit, uint8_t value) {
    return hash_number(0x67656e6572616c73u, topic << 16 | (uint32_t)unit << 8 | value);
}

/* Sides take turns, so every second key is of the same side to act. */
uint32_t generals_repeated(const GeneralsState *state) {
    uint32_t times = 1;
    for (int turn = state->quiet - 2; turn >= 0; turn -= 2)
        times += state->history[turn] == state->key;
    return times;
}

/* --- What a piece can do ---------------------------------------------------------------------- */

/* [6.5] On the board and under no web? */
static bool piece_free(const GeneralsPiece *piece) {
    return (piece->cell != CELL_GONE) & (piece_web(piece) == 0);
}

/* [4.2] [4.3] [4.4] Is any step open to the unit? */
static bool can_step(const GeneralsContent *body, const GeneralsState *state,
                     const GeneralsArmy *army, uint8_t unit) {
    const GeneralsPiece *piece = &state->pieces[unit];
    if (!piece_free(piece) || piece->kind == army->nexus)
        return false;
    const GeneralsAround *around = &body->around[piece->cell];
    for (uint32_t i = 0; i < 4; i++)
        if (!cell_held_by(army, state->cells[around->steps[i]]))
            return true;
    return false;
}

/* [6.3] [6.5] Has a free piece an ability to use? */
static bool has_button(const GeneralsArmy *army, const GeneralsPiece *piece) {
    uint32_t kinds = army->with[ABILITY_STRIKE] | army->with[ABILITY_WEB];
    return (kinds >> piece->kind & 1) && !piece_shown(piece);
}

/* Enemies on the eight cells around a cell, ascending; how many. */
static uint32_t enemies_around(const GeneralsContent *body, const GeneralsState *state,
                               uint8_t seat, uint8_t cell, uint8_t units[8]) {
    const GeneralsArmy *enemy = &body->army[1 - seat];
    const GeneralsAround *around = &body->around[cell];
    uint32_t count = 0;
    for (uint32_t i = 0; i < around->all; i++) {
        uint8_t held = state->cells[around->cells[i]];
        if (!cell_held_by(enemy, held))
            continue;
        uint32_t place = count++;
        for (; place > 0 && units[place - 1] > held - 1; place--)
            units[place] = units[place - 1];
        units[place] = (uint8_t)(held - 1);
    }
    return count;
}

bool generals_can_act(const GeneralsContent *body, const GeneralsState *state, uint8_t seat) {
    const GeneralsArmy *army = &body->army[seat];
    uint8_t units[8];
    for (uint32_t i = 0; i < army->pieces; i++)
        if (can_step(body, state, army, (uint8_t)(army->first + i)))
            return true;
    for (uint32_t i = 0; i < army->pieces; i++) {
        const GeneralsPiece *piece = &state->pieces[army->first + i];
        if (piece_free(piece) && has_button(army, piece) &&
            enemies_around(body, state, seat, piece->cell, units) > 0)
            return true;
    }
    return false;
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* For each cell 1 if the army may step there [4.3], 0 if one of its own pieces is there; eight
 * cells at a time. The bytes after the last cell are not used. */
static void find_open(const GeneralsState *state, const GeneralsArmy *army,
                      uint8_t open[CELLS_MAX]) {
    const uint64_t each = 0x0101010101010101u;
    static_assert(CELLS_MAX % 8 == 0 && UNITS_MAX < 64, "whole words of numbers below 128");
    for (uint32_t i = 0; i < CELLS_MAX; i += 8) {
        uint64_t held;
        memcpy(&held, state->cells + i, sizeof held);
        uint64_t from = held + (uint64_t)(127 - army->first) * each;
        uint64_t beyond = held + (uint64_t)(127 - army->first - army->pieces) * each;
        uint64_t free = (~from | beyond) >> 7 & each;
        memcpy(open + i, &free, sizeof free);
    }
}

/* Writes a unit's step to a cell and counts it only if the cell is open: there is no branch to
 * mispredict. So a list of steps needs room for one more, which the bound includes. */
static inline MashAction *put_step(const GeneralsContent *body, const uint8_t open[CELLS_MAX],
                                   uint64_t of_unit, uint8_t cell, MashAction *out) {
    *out = action_of(of_unit | body->step[cell]);
    return out + open[cell];
}

/* [4.2] [4.3] [4.4] The steps of units `from` up to, not with, `to`, ascending. Those with an
 * ability to use are added to `buttons`, as bits from the army's first unit on. */
static inline MashAction *list_steps(const GeneralsContent *body, const GeneralsState *state,
                                     uint32_t from, uint32_t to, uint32_t *buttons,
                                     MashAction *out) {
    const GeneralsArmy *army = &body->army[state->mover];
    const uint8_t nexus = army->nexus;
    uint64_t word = action_word((MashAction){.verb = VERB_MOVE, .seat = state->mover});
    uint8_t open[CELLS_MAX];
    find_open(state, army, open);
    for (uint32_t unit = from; unit < to; unit++) {
        const GeneralsPiece *piece = &state->pieces[unit];
        if (!piece_free(piece))
            continue;
        if (has_button(army, piece))
            *buttons |= 1u << (unit - army->first);
        if (piece->kind == nexus)
            continue;
        const GeneralsAround *around = &body->around[piece->cell];
        uint64_t of_unit = word | action_word((MashAction){.unit = (uint8_t)unit});
        out = put_step(body, open, of_unit, around->steps[0], out);
        out = put_step(body, open, of_unit, around->steps[1], out);
        out = put_step(body, open, of_unit, around->steps[2], out);
        out = put_step(body, open, of_unit, around->steps[3], out);
    }
    return out;
}

/* [6.4] [6.5] The strikes of these pieces, or their webs: any enemy is a legal target, so that the
 * list reveals nothing. */
static MashAction *list_buttons(const GeneralsContent *body, const GeneralsState *state,
                                uint32_t buttons, uint8_t verb, MashAction *out) {
    uint8_t seat = state->mover, units[8];
    const GeneralsArmy *army = &body->army[seat];
    uint32_t kinds = army->with[verb == VERB_STRIKE ? ABILITY_STRIKE : ABILITY_WEB];
    for (; buttons != 0; buttons &= buttons - 1) {
        uint8_t unit = (uint8_t)(army->first + __builtin_ctz(buttons));
        MashAction action = {.verb = verb, .seat = seat, .unit = unit};
        const GeneralsPiece *piece = &state->pieces[unit];
        if (!(kinds >> piece->kind & 1))
            continue;
        uint32_t count = enemies_around(body, state, seat, piece->cell, units);
        if (verb == VERB_STRIKE && count > 0)
            *out++ = action;
        for (uint32_t j = 0; verb == VERB_WEB && j < count; j++) {
            action.other = units[j];
            *out++ = action;
        }
    }
    return out;
}

/* [4.1] [6.2] One action a turn; Thor's second step or none. */
static uint32_t actions(const MashContent *content, const void *raw_state, uint8_t seat,
                        MashAction *out) {
    const GeneralsContent *body = generals_content(content);
    const GeneralsState *state = raw_state;
    if (state->common.over || seat >= MASH_SEATS)
        return 0;
    if (placing(state))
        return state->ready >> seat & 1 ? 0 : generals_placement_actions(body, state, seat, out);
    if (seat != state->mover)
        return 0;
    const GeneralsArmy *army = &body->army[seat];
    MashAction *end = out;
    uint32_t buttons = 0;
    if (state->second != 0) {
        uint8_t unit = (uint8_t)(state->second - 1);
        end = list_steps(body, state, unit, unit + 1u, &buttons, end);
        *end++ = (MashAction){.verb = VERB_STAY, .seat = seat, .unit = unit};
        return (uint32_t)(end - out);
    }
    end = list_steps(body, state, army->first, (uint32_t)army->first + army->pieces, &buttons, end);
    if (buttons != 0) {
        end = list_buttons(body, state, buttons, VERB_STRIKE, end);
        end = list_buttons(body, state, buttons, VERB_WEB, end);
    }
    return (uint32_t)(end - out);
}

/* --- Checking --------------------------------------------------------------------------------- */

static uint32_t awaited(const MashContent *content, const void *raw_state) {
    (void)content;
    const GeneralsState *state = raw_state;
    if (state->common.over)
        return 0;
    return placing(state) ? ~(uint32_t)state->ready & 3 : 1u << state->mover;
}

/* [6.2] May this unit of the mover act at all? */
static MashStatus check_unit(const GeneralsContent *body, const GeneralsState *state,
                             MashAction action) {
    if (action.unit >= units_of(body))
        return MASH_NO_SUCH_UNIT;
    if (side_of(body, action.unit) != action.seat)
        return MASH_NOT_YOUR_UNIT;
    if (state->pieces[action.unit].cell == CELL_GONE)
        return MASH_UNIT_OUT;
    return state->second == 0 || state->second == action.unit + 1 ? MASH_OK : MASH_UNIT_BUSY;
}

/* [4.2] [4.3] [4.4] [6.5] */
static MashStatus check_move(const GeneralsContent *body, const GeneralsState *state,
                             MashAction action) {
    const GeneralsArmy *army = &body->army[action.seat];
    const GeneralsPiece *piece = &state->pieces[action.unit];
    if (action.ability != 0 || action.other != 0 || action.amount != 0)
        return MASH_NO_SUCH_ACTION;
    if (piece->kind == army->nexus)
        return MASH_CANNOT_MOVE;
    if (piece_web(piece) != 0)
        return MASH_ROOTED;
    if (!grid_inside(action.x, action.y, body->width, body->height))
        return MASH_OFF_BOARD;
    if (grid_manhattan(action.x, action.y, body->x[piece->cell], body->y[piece->cell]) != 1)
        return MASH_NOT_A_STEP;
    uint8_t held = state->cells[action.y * body->width + action.x];
    return cell_held_by(army, held) ? MASH_OWN_SIDE : MASH_OK;
}

/* [6.3] [6.4] [6.5] [7.6] Does not depend on the ranks of the enemies around. */
static MashStatus check_button(const GeneralsContent *body, const GeneralsState *state,
                               MashAction action) {
    const GeneralsPiece *piece = &state->pieces[action.unit];
    bool web = action.verb == VERB_WEB;
    uint8_t units[8];
    if (action.ability != 0 || action.x != 0 || action.y != 0 || action.amount != 0 ||
        (!web && action.other != 0))
        return MASH_NO_SUCH_ACTION;
    if (kind_of(body, state, action.unit)->ability != (web ? ABILITY_WEB : ABILITY_STRIKE))
        return MASH_NO_SUCH_ABILITY;
    if (piece_shown(piece))
        return MASH_ALREADY_USED;
    if (piece_web(piece) != 0)
        return MASH_SILENCED;
    if (!web)
        return enemies_around(body, state, action.seat, piece->cell, units) > 0 ? MASH_OK
                                                                                : MASH_NO_TARGET;
    if (action.other >= units_of(body))
        return MASH_NO_SUCH_UNIT;
    if (side_of(body, action.other) == action.seat)
        return MASH_OWN_SIDE;
    uint8_t target = state->pieces[action.other].cell;
    if (target == CELL_GONE)
        return MASH_WRONG_TARGET;
    int distance = grid_chebyshev(body->x[piece->cell], body->y[piece->cell], body->x[target],
                                  body->y[target]);
    return distance == 1 ? MASH_OK : MASH_TOO_FAR;
}

/* [6.2] */
static MashStatus check_stay(const GeneralsState *state, MashAction action) {
    MashAction bare = {.verb = VERB_STAY, .seat = action.seat, .unit = action.unit};
    if (mash_action_compare(action, bare) != 0)
        return MASH_NO_SUCH_ACTION;
    return state->second != 0 ? MASH_OK : MASH_NOT_NOW;
}

/* [4.1] [7.6] [8.2] [8.3] Checks an action; common_check() checks what all games share. */
static MashStatus check(const MashContent *content, const void *raw_state, MashAction action) {
    const GeneralsContent *body = generals_content(content);
    const GeneralsState *state = raw_state;
    MashStatus status = common_check(&state->common, awaited(content, state), VERB_END, action);
    if (common_has_verb(action.verb))
        return status;
    if (status == MASH_NOT_YOUR_TURN && placing(state)) /* [3.5] */
        return MASH_ALREADY_READY;
    if (status != MASH_OK)
        return status;
    if (placing(state))
        return generals_placement_check(body, state, action);
    if (action.verb < VERB_MOVE)
        return MASH_NOT_NOW;
    status = check_unit(body, state, action);
    if (status != MASH_OK)
        return status;
    if (action.verb == VERB_MOVE)
        return check_move(body, state, action);
    return action.verb == VERB_STAY ? check_stay(state, action) : check_button(body, state, action);
}

/* --- What happens ----------------------------------------------------------------------------- */

/* An event about a unit at its cell; 0,0 for a defeated one. */
static MashEvent event_at(const GeneralsContext *play, MashEventKind kind, uint8_t unit,
                          uint8_t other) {
    uint8_t cell = play->state->pieces[unit].cell;
    MashEvent event = event_new(kind, unit, other);
    event.x = (int8_t)(cell == CELL_GONE ? 0 : play->body->x[cell]);
    event.y = (int8_t)(cell == CELL_GONE ? 0 : play->body->y[cell]);
    return event;
}

/* An event about a unit that acts from its cell; the target is its own cell by default. */
static MashEvent event_from(const GeneralsContext *play, MashEventKind kind, uint8_t unit,
                            uint8_t other) {
    MashEvent event = event_at(play, kind, unit, other);
    event.from_x = event.x;
    event.from_y = event.y;
    return event;
}

/* Puts a piece on a cell, and into the key of the position. */
static void put(GeneralsState *state, uint8_t unit, uint8_t cell) {
    state->pieces[unit].cell = cell;
    state->cells[cell] = (uint8_t)(unit + 1);
    state->key ^= key_of(KEY_CELL, unit, cell);
}

/* Takes a piece off its cell, and out of the key; the piece itself still names the cell. */
static void lift(GeneralsState *state, uint8_t unit) {
    uint8_t cell = state->pieces[unit].cell;
    state->cells[cell] = 0;
    state->key ^= key_of(KEY_CELL, unit, cell);
}

/* A piece is caught for so many turns of its owner [6.5]; 0 frees it. */
static void set_web(GeneralsState *state, uint8_t unit, uint8_t turns) {
    GeneralsPiece *piece = &state->pieces[unit];
    state->webs = (uint8_t)(state->webs + (turns != 0) - (piece_web(piece) != 0));
    state->key ^= key_of(KEY_WEB, unit, piece_web(piece)) ^ key_of(KEY_WEB, unit, turns);
    piece->mark = (uint8_t)((piece->mark & MARKS) | turns << MARK_WEB_SHIFT);
}

/* Appends the public event of what a piece is; reveal() marks it as shown. */
static void emit_rank(const GeneralsContext *play, uint8_t unit) {
    const GeneralsArmy *army = &play->body->army[side_of(play->body, unit)];
    MashEvent event = event_at(play, MASH_EVENT_REVEALED, unit, MASH_UNIT_NONE);
    event.what = (uint8_t)(army->kind_first + play->state->pieces[unit].kind - 1);
    event_add(play->events, event);
}

/* [6.11] [6.12] The rank becomes known to all, for good. */
static void reveal(GeneralsContext *play, uint8_t unit) {
    GeneralsPiece *piece = &play->state->pieces[unit];
    if (piece_shown(piece))
        return;
    piece->mark |= MARK_SHOWN;
    play->state->key ^= key_of(KEY_SHOWN, unit, 0);
    emit_rank(play, unit);
}

/* [7.4] The match is about to end: all ranks that are not yet known to all. */
static void emit_all_ranks(const GeneralsContext *play) {
    if (play->events == NULL || play->state->open || placing(play->state))
        return;
    for (uint8_t unit = 0; unit < units_of(play->body); unit++)
        if (!piece_shown(&play->state->pieces[unit]))
            emit_rank(play, unit);
}

/* Ends the match after revealing all ranks [7.4]. */
static void end_match(const GeneralsContext *play, uint8_t winner, uint8_t reason) {
    emit_all_ranks(play);
    common_end(&play->state->common, winner, reason, play->events);
}

/* [5.9] [6.11] A piece is defeated: the event names who did it, but no rank. */
static void fall(GeneralsContext *play, uint8_t unit, uint8_t cause, uint8_t by) {
    GeneralsState *state = play->state;
    event_add(play->events, event_at(play, MASH_EVENT_DIED, unit, by));
    lift(state, unit);
    if (piece_web(&state->pieces[unit]) != 0)
        set_web(state, unit, 0);
    state->pieces[unit].cell = CELL_GONE;
    state->pieces[unit].fell = (uint8_t)(cause | (by + 1));
    state->fallen = 1;
}

/* [8.4] [8.5] [8.6] [8.7] Ends the match if one of these holds for the side to move. */
static void settle(GeneralsContext *play) {
    const GeneralsContent *body = play->body;
    GeneralsState *state = play->state;
    if (state->fallen) {
        memset(state->history, 0, sizeof *state->history * (state->quiet + 1u));
        state->quiet = state->fallen = 0;
    } else {
        state->quiet++;
    }
    if (!generals_can_act(body, state, state->mover)) {
        end_match(play, (uint8_t)(1 - state->mover), REASON_STUCK);
        return;
    }
    if (state->quiet == body->quiet_turns) {
        end_match(play, MASH_SEAT_NONE, REASON_QUIET);
        return;
    }
    state->history[state->quiet] = state->key;
    if (generals_repeated(state) >= body->repetitions)
        end_match(play, MASH_SEAT_NONE, REASON_REPEATED);
}

/* [6.6] One of the owner's turns less on each web of the side that has acted. */
static void wear_webs(GeneralsContext *play) {
    const GeneralsArmy *army = &play->body->army[play->state->mover];
    for (uint32_t i = 0; play->state->webs > 0 && i < army->pieces; i++) {
        uint8_t unit = (uint8_t)(army->first + i);
        uint8_t turns = piece_web(&play->state->pieces[unit]);
        if (turns == 0)
            continue;
        set_web(play->state, unit, (uint8_t)(turns - 1));
        if (turns == 1)
            event_add(play->events, event_at(play, MASH_EVENT_EFFECT_ENDED, unit, MASH_UNIT_NONE));
    }
}

/* Appends the event that a turn begins, and before the Heroes' that a round does [4.5]. */
static void emit_turn(const GeneralsContext *play) {
    const GeneralsState *state = play->state;
    if (play->events == NULL)
        return;
    MashEvent round = event_new(MASH_EVENT_ROUND_BEGAN, MASH_UNIT_NONE, MASH_UNIT_NONE);
    round.amount = state->round;
    if (state->mover == 0)
        event_add(play->events, round);
    event_add(play->events, event_new(MASH_EVENT_TURN_BEGAN, MASH_UNIT_NONE, state->mover));
}

/* [4.1] [4.5] The other side's turn. */
static void end_turn(GeneralsContext *play) {
    GeneralsState *state = play->state;
    state->second = 0;
    wear_webs(play);
    state->mover ^= 1;
    state->round = (uint16_t)(state->round + (state->mover == 0));
    settle(play);
    if (!state->common.over)
        emit_turn(play);
}

/* [5.1] to [5.9] The arbiter: removes the losers; returns the outcome for the attacker. */
static uint8_t battle(GeneralsContext *play, uint8_t unit, uint8_t other) {
    const GeneralsContent *body = play->body;
    const GeneralsPiece *attacker = &play->state->pieces[unit];
    const GeneralsPiece *defender = &play->state->pieces[other];
    const GeneralsArmy *army = &body->army[side_of(body, unit)];
    assert(attacker->kind != 0 && defender->kind != 0);
    uint8_t outcome = OUTCOME_LOST;
    while (!(army->fits[outcome][defender->kind] >> attacker->kind & 1))
        outcome++;
    assert(outcome < OUTCOMES);
    MashEvent event = event_from(play, MASH_EVENT_FOUGHT, unit, other);
    event.x = (int8_t)body->x[defender->cell];
    event.y = (int8_t)body->y[defender->cell];
    event.what = outcome;
    event_add(play->events, event);
    if (outcome != OUTCOME_WON)
        fall(play, unit, FELL_BATTLE, other);
    if (outcome != OUTCOME_LOST)
        fall(play, other, FELL_BATTLE, unit);
    return outcome;
}

/* [6.10] On the half of the board at this row? */
static bool on_half(const GeneralsContent *body, uint8_t cell, uint8_t row) {
    return grid_abs(body->y[cell] - row) < body->height / 2;
}

/* [6.8] [6.9] [6.10] The units that a snap may defeat, ascending; how many. */
static uint32_t snap_victims(const GeneralsContext *play, uint8_t snapper,
                             uint8_t units[UNITS_MAX]) {
    const GeneralsContent *body = play->body;
    const GeneralsState *state = play->state;
    uint8_t side = side_of(body, snapper);
    uint32_t count = 0;
    for (uint8_t unit = 0; unit < units_of(body); unit++) {
        uint8_t cell = state->pieces[unit].cell;
        if (cell == CELL_GONE || unit == snapper ||
            kind_of(body, state, unit)->class == CLASS_NEXUS)
            continue;
        if (state->thanos == SNAP_ENEMIES && side_of(body, unit) == side)
            continue;
        if (state->thanos == SNAP_HALF && !on_half(body, cell, body->army[side].far_row))
            continue;
        units[count++] = unit;
    }
    return count;
}

/* [6.12] Nexuses on the half that a snap has emptied. */
static void reveal_left_on_half(GeneralsContext *play, uint8_t row) {
    for (uint8_t unit = 0; unit < units_of(play->body); unit++) {
        uint8_t cell = play->state->pieces[unit].cell;
        if (cell != CELL_GONE && on_half(play->body, cell, row) &&
            kind_of(play->body, play->state, unit)->class == CLASS_NEXUS)
            reveal(play, unit);
    }
}

/* [6.7] to [6.12] */
static void snap(GeneralsContext *play, uint8_t unit) {
    uint8_t units[UNITS_MAX];
    uint32_t count = snap_victims(play, unit, units);
    uint32_t falling = play->state->thanos == SNAP_HALF ? count : count / 2;
    reveal(play, unit);
    MashEvent event = event_from(play, MASH_EVENT_USED, unit, MASH_UNIT_NONE);
    event.what = ABILITY_SNAP;
    event_add(play->events, event);
    for (uint32_t i = 0; i < falling; i++) {
        uint32_t drawn = falling == count ? i : i + chance_below(play->chance, count - i);
        uint8_t victim = units[drawn];
        units[drawn] = units[i];
        fall(play, victim, FELL_SNAP, unit);
    }
    if (play->state->thanos == SNAP_HALF)
        reveal_left_on_half(play, play->body->army[side_of(play->body, unit)].far_row);
}

/* [6.1] [6.7] [7.5] A piece has reached its far row: kinds that are revealed there reveal
 * themselves, and one that stays unrevealed is marked as not of these kinds. */
static void arrive(GeneralsContext *play, uint8_t unit, bool from_other_row) {
    GeneralsPiece *piece = &play->state->pieces[unit];
    uint8_t ability = kind_of(play->body, play->state, unit)->ability;
    if (piece_shown(piece))
        return;
    if (ability == ABILITY_SECOND_STEP) {
        reveal(play, unit);
        return;
    }
    piece->mark |= MARK_NOT_SECOND;
    if (!from_other_row || play->state->round % 2 == 0)
        return;
    if (ability == ABILITY_SNAP)
        snap(play, unit);
    else
        piece->mark |= MARK_NOT_SNAP;
}

/* Appends the event that a piece moved from this cell to its present one. */
static void emit_moved(const GeneralsContext *play, uint8_t unit, uint8_t from) {
    if (play->events == NULL)
        return;
    MashEvent event = event_at(play, MASH_EVENT_MOVED, unit, MASH_UNIT_NONE);
    event.from_x = (int8_t)play->body->x[from];
    event.from_y = (int8_t)play->body->y[from];
    event_add(play->events, event);
}

/* [4.2] [5.8] Makes a step, with the battle if there is one. True: the piece is still there, and
 * the match is not over. */
static bool take_step(GeneralsContext *play, uint8_t unit, uint8_t to) {
    const GeneralsContent *body = play->body;
    GeneralsState *state = play->state;
    GeneralsPiece *piece = &state->pieces[unit];
    uint8_t from = piece->cell, seat = state->mover, held = state->cells[to];
    bool nexus = held != 0 && kind_of(body, state, (uint8_t)(held - 1))->class == CLASS_NEXUS;
    state->steps[unit]++;
    piece->mark |= MARK_MOVED;
    if (held != 0 && battle(play, unit, (uint8_t)(held - 1)) != OUTCOME_WON)
        return false;
    lift(state, unit);
    put(state, unit, to);
    emit_moved(play, unit, from);
    if (nexus) {
        end_match(play, seat, REASON_NEXUS);
        return false;
    }
    if (body->y[to] == body->army[seat].far_row)
        arrive(play, unit, body->y[from] != body->y[to]);
    return true;
}

/* [6.1] [6.2] [8.1] A step and, for Thor once he has been shown, the choice of a second one; he
 * has one, since the cell he came from is empty. */
static void move(GeneralsContext *play, uint8_t unit, uint8_t to) {
    GeneralsState *state = play->state;
    bool again = state->second == 0 && piece_shown(&state->pieces[unit]) &&
                 kind_of(play->body, state, unit)->ability == ABILITY_SECOND_STEP;
    bool there = take_step(play, unit, to);
    if (state->common.over)
        return;
    if (!there || !again) {
        end_turn(play);
        return;
    }
    state->second = (uint8_t)(unit + 1);
    MashEvent event = event_new(MASH_EVENT_PHASE_BEGAN, MASH_UNIT_NONE, state->mover);
    event.what = PHASE_SECOND_STEP;
    event_add(play->events, event);
}

/* [6.3] [6.4] [6.11] [6.12] */
static void strike(GeneralsContext *play, uint8_t unit) {
    GeneralsState *state = play->state;
    uint8_t units[8];
    uint32_t count =
        enemies_around(play->body, state, state->mover, state->pieces[unit].cell, units);
    reveal(play, unit);
    MashEvent event = event_from(play, MASH_EVENT_USED, unit, MASH_UNIT_NONE);
    event.what = ABILITY_STRIKE;
    event_add(play->events, event);
    for (uint32_t i = 0; i < count; i++) {
        if (kind_of(play->body, state, units[i])->class == CLASS_NEXUS)
            reveal(play, units[i]);
        else
            fall(play, units[i], FELL_STRIKE, unit);
    }
    end_turn(play);
}

/* [6.5] [6.6] [6.11] */
static void web(GeneralsContext *play, uint8_t unit, uint8_t other) {
    reveal(play, unit);
    MashEvent used = event_from(play, MASH_EVENT_USED, unit, other);
    MashEvent began = event_at(play, MASH_EVENT_EFFECT_BEGAN, other, MASH_UNIT_NONE);
    used.what = ABILITY_WEB;
    used.x = began.x;
    used.y = began.y;
    event_add(play->events, used);
    began.what = EFFECT_WEB;
    began.amount = play->body->web_turns;
    event_add(play->events, began);
    set_web(play->state, other, play->body->web_turns);
    end_turn(play);
}

/* [3.7] [4.1] [4.5] [7.3] Both are ready: the cells of all pieces become public, in open matches
 * also their ranks; round 1, the Heroes' turn. */
static void begin_play(GeneralsContext *play) {
    GeneralsState *state = play->state;
    state->round = 1;
    for (uint8_t unit = 0; unit < units_of(play->body); unit++)
        put(state, unit, state->pieces[unit].cell);
    state->history[0] = state->key;
    for (uint8_t unit = 0; play->events != NULL && unit < units_of(play->body); unit++) {
        event_add(play->events, event_at(play, MASH_EVENT_PLACED, unit, MASH_UNIT_NONE));
        if (state->open)
            emit_rank(play, unit);
    }
    event_add(play->events, event_new(MASH_EVENT_MATCH_BEGAN, MASH_UNIT_NONE, MASH_UNIT_NONE));
    emit_turn(play);
}

/* [8.3] A draw offer lapses with the opponent's turn or start of play, but not with its secret
 * actions. */
static void apply_listed(const MashContent *content, void *raw_state, MashAction action,
                         MashChance *chance, MashEvents *events) {
    const GeneralsContent *body = generals_content(content);
    GeneralsState *state = raw_state;
    GeneralsContext play = {body, state, chance, events};
    if (common_has_verb(action.verb) && action.verb != MASH_VERB_DRAW_OFFER &&
        action.verb != MASH_VERB_DRAW_DECLINE)
        emit_all_ranks(&play);
    if (common_apply(&state->common, action, events))
        return;
    if (placing(state)) {
        if (generals_placement_apply(body, state, action, chance, events)) {
            common_after_move(&state->common, action.seat, events);
            begin_play(&play);
        }
        return;
    }
    common_after_move(&state->common, action.seat, events);
    if (action.verb == VERB_MOVE)
        move(&play, action.unit, (uint8_t)(action.y * body->width + action.x));
    else if (action.verb == VERB_STRIKE)
        strike(&play, action.unit);
    else if (action.verb == VERB_WEB)
        web(&play, action.unit, action.other);
    else
        end_turn(&play);
}

/* [3.1] An empty board; both seats are awaited. */
static MashStatus setup(const MashContent *content, const MashSetup *choices, MashChance *chance,
                        void *raw_state) {
    (void)chance;
    GeneralsState *state = raw_state;
    int32_t options[MASH_OPTIONS_MAX];
    MashStatus status = common_options(content->game, choices, options);
    if (status != MASH_OK)
        return status;
    memset(state, 0, sizeof *state);
    state->common = common_new();
    state->open = (uint8_t)options[0];
    state->thanos = (uint8_t)options[1];
    state->watchers = (uint8_t)options[2];
    return MASH_OK;
}

/* --- The game --------------------------------------------------------------------------------- */

static const MashPreset presets[] = {
    {"printed", "The original armies", {"generals.pieces.json", "english.texts.json"}},
};

/* [6.8] [6.9] [6.10] [7.2] [7.3] */
static const MashOption options[] = {
    {"open", "Show all ranks to both players", 0, 1, 0},
    {"thanos",
     "Thanos's snap removes 0: half of all pieces, 1: half of the enemy's, 2: everything on the "
     "far half of the board",
     0, 2, 0},
    {"watchers", "Spectators see all ranks", 0, 1, 0},
};

const MashGame generals_game = {
    GAME_ENTRIES(generals, "generals", "Game of the Generals, Marvel edition", GeneralsContent,
                 FIGURES),
    .threat = generals_threat,
    .verb_forms = "place {placed} {cell}|layout|random|ready|move {unit} {cell}|strike {unit}|"
                  "web {unit} {other}|stay {unit}",
    MASH_LIST(options),
    GAME_HIDES(generals),
    TEXTS_NAMES,
    .full_name = generals_full_name,
    .notation = notation_write,
};
