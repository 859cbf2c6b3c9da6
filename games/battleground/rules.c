/* rules.c -- the turns of Battleground: checks and applies moves, attacks, potions and summons;
 * phases that end automatically; the end of the match. draft.c has the team selection before it.
 *
 * Whose turn it is, the phase and what is skipped follow from what both seats know, even with the
 * option blind: places of warriors, what they have done, how many potions are left. */
#include <string.h>

#include "engine/events.h"
#include "engine/grid.h"
#include "games/battleground/state.h"

/* --- What is where ---------------------------------------------------------------------------- */

/* The cells of the set without a warrior [1.3]. Only the columns of the board are filled. */
static void free_cells(const BattlegroundContent *content, const BattlegroundState *state,
                       const ReachColumn *cells, ReachColumn *out) {
    memcpy(out, cells, content->width * sizeof *out);
    for (int unit = 0; unit < UNITS; unit++)
        if (state->warriors[unit].place == PLACE_FIELD)
            reach_close(out, state->warriors[unit].x, state->warriors[unit].y);
}

/* Is there a warrior? */
static bool taken(const BattlegroundState *state, int x, int y) {
    for (int unit = 0; unit < UNITS; unit++) {
        const Warrior *warrior = &state->warriors[unit];
        if (warrior->x == x && warrior->y == y && warrior->place == PLACE_FIELD)
            return true;
    }
    return false;
}

/* [1.4] */
static bool neighbours(const Warrior *a, const Warrior *b) {
    return grid_manhattan(a->x, a->y, b->x, b->y) == 1;
}

/* Has the seat a warrior in this place that has not done this? */
static bool any_left(const BattlegroundState *state, uint8_t seat, uint8_t place, uint8_t done) {
    const Warrior *own = &state->warriors[SLOTS * seat];
    for (int slot = 0; slot < SLOTS; slot++)
        if (own[slot].place == place && (own[slot].done & done) == 0)
            return true;
    return false;
}

/* Must the seat summon because it has no warrior on the field [9.6]? The bench is not checked: if
 * it is empty, there is no summon phase [3.7]. */
static bool must_summon(const BattlegroundState *state) {
    return (state->options & OPTION_MUST_SUMMON) != 0 && state->phase == PHASE_SUMMON &&
           !any_left(state, state->seat, PLACE_FIELD, 0);
}

/* The cells to which one may be summoned if they are free [4.1] [9.7]. */
static const ReachColumn *summon_cells(const BattlegroundContent *content,
                                       const BattlegroundState *state) {
    return (state->options & OPTION_MUST_SUMMON) != 0 ? content->summon : content->open;
}

/* Is any warrior of either side on the field? */
static bool anybody_on_field(const BattlegroundState *state) {
    return any_left(state, 0, PLACE_FIELD, 0) || any_left(state, 1, PLACE_FIELD, 0);
}

/* Must an equal warrior with a lower slot be summoned first? Not with the option blind. */
static bool lower_twin(const BattlegroundState *state, uint8_t unit) {
    if (state->options & OPTION_BLIND)
        return false; /* [9.4] */
    for (int lower = SLOTS * seat_of(unit); lower < unit; lower++)
        if (state->warriors[lower].place == PLACE_BENCH &&
            state->warriors[lower].kind == state->warriors[unit].kind)
            return true; /* [4.5] */
    return false;
}

/* --- Checking --------------------------------------------------------------------------------- */

/* Every action has exactly one encoding: fields that a verb does not use are zero. */
static bool well_spelled(MashAction action) {
    switch (action.verb) {
    case VERB_CHOOSE:
    case VERB_PACK:
        return (action.unit | action.x | action.y | action.other | action.amount) == 0;
    case VERB_MOVE:
    case VERB_SUMMON:
        return (action.ability | action.other | action.amount) == 0;
    case VERB_ATTACK:
        return (action.ability | action.x | action.y | action.amount) == 0;
    case VERB_USE:
        return (action.unit | action.x | action.y | action.amount) == 0;
    case VERB_USUAL:
    case VERB_END:
        return (action.unit | action.ability | action.x | action.y | action.other |
                action.amount) == 0;
    default:
        return false;
    }
}

/* Is this verb allowed in this phase? [3.1] [5.1] [6.1] [7.1] */
static bool in_phase(uint8_t verb, uint8_t phase) {
    enum { MOVES = 1 << PHASE_MOVE_1 | 1 << PHASE_MOVE_2, STRIKES = 1 << PHASE_ATTACK };
    enum { SUMMONS = 1 << PHASE_SUMMON, FIRST = 1 << PHASE_FIRST };
    static const uint8_t phases[VERBS] = {
        [VERB_MOVE] = MOVES,
        [VERB_ATTACK] = STRIKES,
        [VERB_USE] = MOVES | STRIKES,
        [VERB_SUMMON] = SUMMONS | FIRST,
        [VERB_END] = MOVES | STRIKES | SUMMONS,
    };
    return phases[verb] >> phase & 1;
}

/* Is it a warrior of this match? */
static MashStatus check_unit(const BattlegroundState *state, uint8_t unit) {
    return unit < UNITS && state->warriors[unit].place != PLACE_NONE ? MASH_OK : MASH_NO_SUCH_UNIT;
}

/* Does this warrior, of either seat, exist, and is it on the field? */
static MashStatus check_on_field(const BattlegroundState *state, uint8_t unit) {
    MashStatus status = check_unit(state, unit);
    if (status != MASH_OK || state->warriors[unit].place == PLACE_FIELD)
        return status;
    return state->warriors[unit].place == PLACE_GONE ? MASH_UNIT_OUT : MASH_UNIT_NOT_ON_BOARD;
}

/* Checks for an own warrior on the field that has not yet done this in the turn. */
static MashStatus check_actor(const BattlegroundState *state, MashAction action, uint8_t done,
                              MashStatus if_done) {
    MashStatus status = check_unit(state, action.unit);
    if (status != MASH_OK)
        return status;
    if (seat_of(action.unit) != action.seat)
        return MASH_NOT_YOUR_UNIT;
    status = check_on_field(state, action.unit);
    if (status == MASH_OK && (state->warriors[action.unit].done & done) != 0)
        return if_done;
    return status;
}

/* May a warrior be placed there now [1.3]? `open`: the cells that are open to it. */
static MashStatus check_cell(const BattlegroundContent *content, const BattlegroundState *state,
                             const ReachColumn *open, int x, int y) {
    if (!grid_inside(x, y, content->width, content->height))
        return MASH_OFF_BOARD;
    if (!reach_is_open(open, x, y))
        return MASH_CELL_BLOCKED;
    return taken(state, x, y) ? MASH_CELL_TAKEN : MASH_OK;
}

/* [5.2] The length of the shortest path of a move; 0: there is none. */
static int way_of(const BattlegroundContent *content, const BattlegroundState *state,
                  MashAction action) {
    const Warrior *warrior = &state->warriors[action.unit];
    if (grid_manhattan(warrior->x, warrior->y, action.x, action.y) == 1)
        return 1;
    ReachColumn open[MASH_SIDE_MAX];
    free_cells(content, state, content->open, open);
    return reach_steps(open, content->width, warrior->x, warrior->y, action.x, action.y,
                       walk_of(content, warrior));
}

/* [5.1] [5.2] [5.3] */
static MashStatus check_move(const BattlegroundContent *content, const BattlegroundState *state,
                             MashAction action) {
    MashStatus status = check_actor(state, action, DONE_MOVED, MASH_ALREADY_MOVED);
    if (status == MASH_OK)
        status = check_cell(content, state, content->open, action.x, action.y);
    if (status != MASH_OK)
        return status;
    const Warrior *warrior = &state->warriors[action.unit];
    int walk = walk_of(content, warrior);
    if (walk == 0)
        return MASH_CANNOT_MOVE;
    if (grid_manhattan(warrior->x, warrior->y, action.x, action.y) > walk)
        return MASH_TOO_FAR;
    return way_of(content, state, action) > 0 ? MASH_OK : MASH_NO_WAY;
}

/* [6.1] [6.2] [9.2]; an attack of 0 is allowed [6.5]. */
static MashStatus check_attack(const BattlegroundState *state, MashAction action) {
    MashStatus status = check_actor(state, action, DONE_ATTACKED, MASH_ALREADY_ATTACKED);
    if (status == MASH_OK)
        status = check_on_field(state, action.other);
    if (status != MASH_OK)
        return status;
    if (seat_of(action.other) == action.seat && (state->options & OPTION_FRIENDLY_FIRE) == 0)
        return MASH_OWN_SIDE;
    bool near = neighbours(&state->warriors[action.unit], &state->warriors[action.other]);
    return near ? MASH_OK : MASH_TOO_FAR;
}

/* [7.1] [7.2] */
static MashStatus check_use(const BattlegroundContent *content, const BattlegroundState *state,
                            MashAction action) {
    if (action.ability >= content->potions_count)
        return MASH_NO_SUCH_ABILITY;
    if (state->stock[action.seat][action.ability] == 0)
        return MASH_NOT_OFFERED;
    return check_on_field(state, action.other);
}

/* [4.1] [4.5] [9.7] */
static MashStatus check_summon(const BattlegroundContent *content, const BattlegroundState *state,
                               MashAction action) {
    MashStatus status = check_unit(state, action.unit);
    if (status != MASH_OK)
        return status;
    if (seat_of(action.unit) != action.seat)
        return MASH_NOT_YOUR_UNIT;
    if (state->warriors[action.unit].place == PLACE_GONE)
        return MASH_UNIT_OUT;
    if (state->warriors[action.unit].place != PLACE_BENCH || lower_twin(state, action.unit))
        return MASH_NOT_OFFERED;
    return check_cell(content, state, summon_cells(content, state), action.x, action.y);
}

/* The seats that are awaited: while teams are chosen, all whose team is not complete [2.5]. */
static uint32_t awaited(const MashContent *loaded, const void *raw_state) {
    const BattlegroundContent *content = battleground_content(loaded);
    const BattlegroundState *state = raw_state;
    if (state->common.over)
        return 0;
    if (state->phase != PHASE_CHOOSE)
        return (uint32_t)1 << state->seat;
    uint32_t seats = 0;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (!battleground_draft_complete(content, state, seat))
            seats |= (uint32_t)1 << seat;
    return seats;
}

/* Checks an action of the seat whose turn it is. */
static MashStatus check_turn(const BattlegroundContent *content, const BattlegroundState *state,
                             MashAction action) {
    if (!in_phase(action.verb, state->phase))
        return state->phase == PHASE_FIRST ? MASH_MUST_SUMMON : MASH_NOT_NOW;
    switch (action.verb) {
    case VERB_MOVE:
        return check_move(content, state, action);
    case VERB_ATTACK:
        return check_attack(state, action);
    case VERB_USE:
        return check_use(content, state, action);
    case VERB_SUMMON:
        return check_summon(content, state, action);
    default:
        return must_summon(state) ? MASH_MUST_SUMMON : MASH_OK;
    }
}

static MashStatus check(const MashContent *loaded, const void *raw_state, MashAction action) {
    const BattlegroundContent *content = battleground_content(loaded);
    const BattlegroundState *state = raw_state;
    MashStatus status = common_check(&state->common, awaited(loaded, state), VERBS, action);
    if (common_has_verb(action.verb))
        return status;
    if (status == MASH_NOT_YOUR_TURN && state->phase == PHASE_CHOOSE) /* [2.5] */
        return MASH_ALREADY_READY;
    if (status != MASH_OK)
        return status;
    if (!well_spelled(action))
        return MASH_NO_SUCH_ACTION;
    return state->phase == PHASE_CHOOSE ? battleground_draft_check(content, state, action)
                                        : check_turn(content, state, action);
}

/* --- Listing: always ascending by verb, unit, potion, x, y, target ---------------------------- */

/* Every cell that each warrior that has not moved can reach [5.1] [5.2]; how many actions. */
static uint32_t list_moves(const BattlegroundContent *content, const BattlegroundState *state,
                           MashAction *out) {
    uint32_t count = 0;
    ReachColumn open[MASH_SIDE_MAX];
    free_cells(content, state, content->open, open);
    for (uint8_t unit = SLOTS * state->seat; unit < SLOTS * state->seat + SLOTS; unit++) {
        const Warrior *warrior = &state->warriors[unit];
        if (warrior->place != PLACE_FIELD || (warrior->done & DONE_MOVED) != 0)
            continue;
        Reach reach;
        reach_fill(&reach, open, content->width, warrior->x, warrior->y, walk_of(content, warrior));
        MashAction action = {.verb = VERB_MOVE, .seat = state->seat, .unit = unit};
        for (int i = 0; i < reach.columns; i++)
            for (uint64_t cells = reach.cells[i]; cells != 0; cells &= cells - 1) {
                action.x = (int8_t)(reach.left + i);
                action.y = (int8_t)(reach.top + __builtin_ctzll(cells));
                out[count++] = action;
            }
    }
    return count;
}

/* Every attack on an adjacent enemy [6.2], with friendly fire on any adjacent warrior [9.2]; how
 * many. */
static uint32_t list_attacks(const BattlegroundState *state, MashAction *out) {
    uint32_t count = 0;
    bool own_too = (state->options & OPTION_FRIENDLY_FIRE) != 0;
    for (uint8_t unit = SLOTS * state->seat; unit < SLOTS * state->seat + SLOTS; unit++) {
        const Warrior *warrior = &state->warriors[unit];
        if (warrior->place != PLACE_FIELD || (warrior->done & DONE_ATTACKED) != 0)
            continue;
        for (uint8_t other = 0; other < UNITS; other++) {
            const Warrior *target = &state->warriors[other];
            if (target->place == PLACE_FIELD && neighbours(warrior, target) &&
                (own_too || seat_of(other) != state->seat))
                out[count++] = (MashAction){
                    .verb = VERB_ATTACK, .seat = state->seat, .unit = unit, .other = other};
        }
    }
    return count;
}

/* Every potion in hand on every warrior on the field [7.2]; how many actions. */
static uint32_t list_uses(const BattlegroundContent *content, const BattlegroundState *state,
                          MashAction *out) {
    uint32_t count = 0;
    if (state->potions[state->seat] == 0)
        return 0;
    for (uint8_t potion = 0; potion < content->potions_count; potion++) {
        if (state->stock[state->seat][potion] == 0)
            continue;
        for (uint8_t other = 0; other < UNITS; other++)
            if (state->warriors[other].place == PLACE_FIELD)
                out[count++] = (MashAction){
                    .verb = VERB_USE, .seat = state->seat, .ability = potion, .other = other};
    }
    return count;
}

/* Every warrior of the bench on every free cell [4.1], only the first of equal ones [4.5]; how
 * many. */
static uint32_t list_summons(const BattlegroundContent *content, const BattlegroundState *state,
                             MashAction *out) {
    uint32_t count = 0;
    ReachColumn open[MASH_SIDE_MAX];
    free_cells(content, state, summon_cells(content, state), open);
    for (uint8_t unit = SLOTS * state->seat; unit < SLOTS * state->seat + SLOTS; unit++) {
        if (state->warriors[unit].place != PLACE_BENCH || lower_twin(state, unit))
            continue;
        MashAction action = {.verb = VERB_SUMMON, .seat = state->seat, .unit = unit};
        for (int half = 0; half < 2 * content->width; half++) { /* of a column */
            action.x = (int8_t)(half / 2);
            for (uint64_t cells = open[half / 2].rows[half % 2]; cells != 0; cells &= cells - 1) {
                action.y = (int8_t)(half % 2 * 64 + __builtin_ctzll(cells));
                out[count++] = action;
            }
        }
    }
    return count;
}

static uint32_t actions(const MashContent *loaded, const void *raw_state, uint8_t seat,
                        MashAction *out) {
    const BattlegroundContent *content = battleground_content(loaded);
    const BattlegroundState *state = raw_state;
    if (state->common.over || seat >= MASH_SEATS)
        return 0;
    if (state->phase == PHASE_CHOOSE)
        return battleground_draft_list(content, state, seat, out);
    if (seat != state->seat)
        return 0;
    uint32_t count = 0;
    if (in_phase(VERB_MOVE, state->phase))
        count += list_moves(content, state, out);
    if (in_phase(VERB_ATTACK, state->phase))
        count += list_attacks(state, out);
    if (in_phase(VERB_USE, state->phase))
        count += list_uses(content, state, out + count);
    if (in_phase(VERB_SUMMON, state->phase))
        count += list_summons(content, state, out);
    if (in_phase(VERB_END, state->phase) && !must_summon(state))
        out[count++] = (MashAction){.verb = VERB_END, .seat = seat}; /* [3.3] [4.3] */
    return count;
}

/* --- Effects of potions ----------------------------------------------------------------------- */

/* Keeps the sums in the warriors, so that reading an attack or a walk needs no search. */
static void change_by(const BattlegroundContent *content, BattlegroundState *state,
                      const Effect *effect, int sign) {
    const Potion *potion = &content->potions[effect->potion];
    Warrior *warrior = &state->warriors[effect->unit];
    int8_t *sum = potion->stat == STAT_ATTACK ? &warrior->more_attack : &warrior->more_walk;
    *sum = (int8_t)(*sum + sign * potion->amount);
}

/* The order of effects in the list: byte by byte. */
static int effect_compare(const Effect *a, const Effect *b) { return memcmp(a, b, sizeof *a); }

/* Inserts in ascending order, so that equal states have equal bytes. */
static void effect_add(const BattlegroundContent *content, BattlegroundState *state,
                       Effect effect) {
    assert(state->effects_count < EFFECTS);
    int place = state->effects_count++;
    for (; place > 0 && effect_compare(&state->effects[place - 1], &effect) > 0; place--)
        state->effects[place] = state->effects[place - 1];
    state->effects[place] = effect;
    change_by(content, state, &effect, 1);
}

/* Drops the effects that have no turn left; the rest moves up, and zeros follow. */
static void effects_sweep(BattlegroundState *state) {
    int kept = 0;
    for (int i = 0; i < state->effects_count; i++)
        if (state->effects[i].turns > 0)
            state->effects[kept++] = state->effects[i];
    memset(&state->effects[kept], 0, (size_t)(state->effects_count - kept) * sizeof(Effect));
    state->effects_count = (uint8_t)kept;
}

/* At the end of a turn of the seat [7.5]. */
static void effects_count_down(const BattlegroundContent *content, BattlegroundState *state,
                               MashEvents *events) {
    bool over = false;
    for (int i = 0; i < state->effects_count; i++) {
        Effect *effect = &state->effects[i];
        if (seat_of(effect->unit) != state->seat || --effect->turns > 0)
            continue;
        over = true;
        change_by(content, state, effect, -1);
        MashEvent event = event_new(MASH_EVENT_EFFECT_ENDED, effect->unit, MASH_UNIT_NONE);
        event.what = effect->potion;
        event.x = state->warriors[effect->unit].x;
        event.y = state->warriors[effect->unit].y;
        event_add(events, event);
    }
    if (over)
        effects_sweep(state);
}

/* [7.6] */
static void effects_forget(BattlegroundState *state, uint8_t unit) {
    for (int i = 0; i < state->effects_count; i++)
        if (state->effects[i].unit == unit)
            state->effects[i].turns = 0;
    effects_sweep(state);
}

/* --- Turns and phases ------------------------------------------------------------------------- */

/* Does the seat have nothing to do in this phase? [3.4] [3.5] [3.6] [3.7] [3.8] */
static bool idle(const BattlegroundState *state) {
    uint8_t seat = state->seat, done = 0;
    if (state->phase == PHASE_SUMMON)
        return !any_left(state, seat, PLACE_BENCH, 0);
    if (state->potions[seat] > 0 && anybody_on_field(state))
        return false;
    if (state->phase == PHASE_ATTACK)
        done = DONE_ATTACKED;
    else if (state->phase == PHASE_MOVE_2)
        done = DONE_MOVED;
    return !any_left(state, seat, PLACE_FIELD, done);
}

/* Appends the event that a phase begins. */
static void emit_phase(const BattlegroundState *state, MashEvents *events) {
    MashEvent event = event_new(MASH_EVENT_PHASE_BEGAN, MASH_UNIT_NONE, state->seat);
    event.what = state->phase;
    event_add(events, event);
}

/* Begins the seat's turn with this phase, whose event is still to be appended. */
static void begin_turn(BattlegroundState *state, uint8_t seat, uint8_t phase, MashEvents *events) {
    state->seat = seat;
    state->phase = phase;
    event_add(events, event_new(MASH_EVENT_TURN_BEGAN, MASH_UNIT_NONE, seat));
}

/* Ends the seat's turn; the other's begins, or the match is drawn [8.2]. */
static void end_turn(const BattlegroundContent *content, BattlegroundState *state,
                     MashEvents *events) {
    effects_count_down(content, state, events);
    for (int slot = 0; slot < SLOTS; slot++)
        state->warriors[SLOTS * state->seat + slot].done = 0;
    state->quiet = state->damage ? 0 : (uint8_t)(state->quiet + 1);
    state->damage = 0;
    event_add(events, event_new(MASH_EVENT_TURN_ENDED, MASH_UNIT_NONE, state->seat));
    if (state->quiet >= content->quiet_turns)
        common_end(&state->common, MASH_SEAT_NONE, REASON_QUIET, events);
    else
        begin_turn(state, (uint8_t)(1 - state->seat), PHASE_MOVE_1, events);
}

/* Begins the first phase from this one on that is not idle [3.9]. There always is one: a seat with
 * a warrior on the field can act in move 1, and one with a warrior on the bench in summon. */
static void begin_phase(const BattlegroundContent *content, BattlegroundState *state,
                        MashEvents *events) {
    while (!state->common.over && idle(state)) {
        if (state->phase == PHASE_SUMMON)
            end_turn(content, state, events);
        else
            state->phase++;
    }
    if (!state->common.over)
        emit_phase(state, events);
}

/* [3.2] [3.3] */
static void end_phase(const BattlegroundContent *content, BattlegroundState *state,
                      MashEvents *events) {
    if (state->phase == PHASE_SUMMON)
        end_turn(content, state, events);
    else
        state->phase++;
    begin_phase(content, state, events);
}

/* After an action that does not end the phase: the phase may end automatically [3.9]. */
static void settle(const BattlegroundContent *content, BattlegroundState *state,
                   MashEvents *events) {
    if (!state->common.over && idle(state))
        begin_phase(content, state, events);
}

/* A first turn ends when its summons are made [3.1] [9.5]. */
static void end_first_summon(const BattlegroundContent *content, BattlegroundState *state,
                             MashEvents *events) {
    int summoned = 0;
    for (int slot = 0; slot < SLOTS; slot++)
        summoned += state->warriors[SLOTS * state->seat + slot].place == PLACE_FIELD;
    if (state->seat == 1 && (state->options & OPTION_SECOND_TWO) != 0 && summoned < 2 &&
        any_left(state, state->seat, PLACE_BENCH, 0))
        return;
    event_add(events, event_new(MASH_EVENT_TURN_ENDED, MASH_UNIT_NONE, state->seat));
    if (state->seat == 0) {
        begin_turn(state, 1, PHASE_FIRST, events);
        emit_phase(state, events);
    } else {
        begin_turn(state, 0, PHASE_MOVE_1, events);
        begin_phase(content, state, events);
    }
}

/* --- Applying --------------------------------------------------------------------------------- */

/* Adds to a statistic of the end screen, which saturates. */
static void add_figure(uint16_t *figure, int amount) {
    *figure = (uint16_t)(*figure > UINT16_MAX - amount ? UINT16_MAX : *figure + amount);
}

/* After a defeat: does the match end? [8.1] */
static void judge_end(BattlegroundState *state, MashEvents *events) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (!any_left(state, seat, PLACE_FIELD, 0) && !any_left(state, seat, PLACE_BENCH, 0)) {
            common_end(&state->common, (uint8_t)(1 - seat), REASON_DEFEATED, events);
            return;
        }
}

/* Moves a warrior and counts its steps; check_turn() has allowed it. */
static void do_move(const BattlegroundContent *content, BattlegroundState *state, MashAction action,
                    MashEvents *events) {
    Warrior *warrior = &state->warriors[action.unit];
    add_figure(&state->figures[action.unit].steps, way_of(content, state, action));
    MashEvent event = event_new(MASH_EVENT_MOVED, action.unit, MASH_UNIT_NONE);
    event.from_x = warrior->x, event.from_y = warrior->y;
    event.x = action.x, event.y = action.y;
    event_add(events, event);
    warrior->x = action.x;
    warrior->y = action.y;
    warrior->done |= DONE_MOVED;
}

/* The warrior is defeated; its kind and statistics stay [6.4]. */
static void faint(BattlegroundState *state, uint8_t unit, uint8_t by, MashEvents *events) {
    Warrior *warrior = &state->warriors[unit];
    MashEvent event = event_new(MASH_EVENT_DIED, unit, by);
    event.x = warrior->x, event.y = warrior->y;
    event_add(events, event);
    *warrior = (Warrior){.kind = warrior->kind, .place = PLACE_GONE};
    effects_forget(state, unit);
    state->figures[by].knock_outs++;
    judge_end(state, events);
}

/* [6.3] [6.5] */
static void do_attack(const BattlegroundContent *content, BattlegroundState *state,
                      MashAction action, MashEvents *events) {
    Warrior *attacker = &state->warriors[action.unit], *target = &state->warriors[action.other];
    int attack = attack_of(content, attacker);
    int lost = attack < target->health ? attack : target->health;
    MashEvent event = event_new(MASH_EVENT_ATTACKED, action.unit, action.other);
    event.from_x = attacker->x, event.from_y = attacker->y;
    event.x = target->x, event.y = target->y;
    event_add(events, event);
    attacker->done |= DONE_ATTACKED;
    if (lost == 0) {
        event.kind = MASH_EVENT_MISSED;
        event.from_x = event.from_y = 0;
        event_add(events, event);
        return;
    }
    MashEvent hurt = event_new(MASH_EVENT_HURT, action.other, action.unit);
    hurt.x = target->x, hurt.y = target->y;
    hurt.amount = lost;
    event_add(events, hurt);
    target->health = (uint8_t)(target->health - lost);
    state->damage = 1;
    add_figure(&state->figures[action.unit].dealt, lost);
    add_figure(&state->figures[action.other].taken, lost);
    if (target->health == 0)
        faint(state, action.other, action.unit, events);
}

/* [7.3] */
static void heal(const BattlegroundContent *content, BattlegroundState *state, uint8_t unit,
                 int amount, MashEvents *events) {
    Warrior *warrior = &state->warriors[unit];
    int room = content->kinds[warrior->kind].health - warrior->health;
    int gained = amount < room ? amount : room;
    if (gained == 0)
        return;
    warrior->health = (uint8_t)(warrior->health + gained);
    add_figure(&state->figures[unit].healed, gained);
    MashEvent event = event_new(MASH_EVENT_HEALED, unit, MASH_UNIT_NONE);
    event.x = warrior->x, event.y = warrior->y;
    event.amount = gained;
    event_add(events, event);
}

/* [7.1] [7.2] [7.4] */
static void do_use(const BattlegroundContent *content, BattlegroundState *state, MashAction action,
                   MashEvents *events) {
    const Potion *potion = &content->potions[action.ability];
    const Warrior *target = &state->warriors[action.other];
    state->stock[action.seat][action.ability]--;
    state->potions[action.seat]--;
    state->used[action.seat]++;
    state->figures[action.other].received++;
    MashEvent event = event_new(MASH_EVENT_USED, MASH_UNIT_NONE, action.other);
    event.x = target->x, event.y = target->y;
    event.what = action.ability;
    event_add(events, event);
    if (potion->stat == STAT_HEALTH) {
        heal(content, state, action.other, potion->amount, events);
        return;
    }
    effect_add(content, state, (Effect){action.other, action.ability, potion->turns});
    event.kind = MASH_EVENT_EFFECT_BEGAN;
    event.unit = action.other;
    event.other = MASH_UNIT_NONE;
    event.amount = potion->turns;
    event_add(events, event);
}

/* [4.1]; with the option blind, its kind becomes known now [9.3]. It can act from the next turn on,
 * since a summon ends this one [4.2] [4.4]. */
static void do_summon(const BattlegroundContent *content, BattlegroundState *state,
                      MashAction action, MashEvents *events) {
    Warrior *warrior = &state->warriors[action.unit];
    warrior->place = PLACE_FIELD;
    warrior->x = action.x;
    warrior->y = action.y;
    warrior->health = content->kinds[warrior->kind].health;
    MashEvent event = event_new(MASH_EVENT_APPEARED, action.unit, MASH_UNIT_NONE);
    event.x = action.x, event.y = action.y;
    event_add(events, event);
    if (state->options & OPTION_BLIND) {
        event.kind = MASH_EVENT_REVEALED;
        event.what = warrior->kind;
        event.seen_by = (uint8_t)(MASH_SEEN_BY_ALL & ~(1 << action.seat));
        event_add(events, event);
    }
    if (state->phase == PHASE_FIRST)
        end_first_summon(content, state, events);
    else
        end_phase(content, state, events);
}

/* [2.6] */
static void begin_match(BattlegroundState *state, MashEvents *events) {
    event_add(events, event_new(MASH_EVENT_MATCH_BEGAN, MASH_UNIT_NONE, MASH_UNIT_NONE));
    begin_turn(state, 0, PHASE_FIRST, events);
    emit_phase(state, events);
}

/* Applies what check_turn() allowed; then the phase may end automatically [3.9]. */
static void do_in_turn(const BattlegroundContent *content, BattlegroundState *state,
                       MashAction action, MashEvents *events) {
    switch (action.verb) {
    case VERB_MOVE:
        do_move(content, state, action, events);
        settle(content, state, events);
        break;
    case VERB_ATTACK:
        do_attack(content, state, action, events);
        settle(content, state, events);
        break;
    case VERB_USE:
        do_use(content, state, action, events);
        settle(content, state, events);
        break;
    case VERB_SUMMON:
        do_summon(content, state, action, events);
        break;
    default:
        end_phase(content, state, events);
    }
}

/* Resigning and draws are handled first [8.3]. Secret choices keep a draw offer open [2.7]. */
static void apply_listed(const MashContent *loaded, void *raw_state, MashAction action,
                         MashChance *chance, MashEvents *events) {
    (void)chance;
    const BattlegroundContent *content = battleground_content(loaded);
    BattlegroundState *state = raw_state;
    if (common_apply(&state->common, action, events))
        return;
    if (state->phase == PHASE_CHOOSE) {
        if (battleground_draft_apply(content, state, action, events)) {
            begin_match(state, events);
            common_after_move(&state->common, action.seat, events);
        }
    } else {
        do_in_turn(content, state, action, events);
        common_after_move(&state->common, action.seat, events);
    }
}

/* --- The game --------------------------------------------------------------------------------- */

static const MashOption options[OPTIONS] = {
    {"dino", "Allow the Dino", 0, 1, 0},
    {"friendly-fire", "Friendly fire", 0, 1, 0},
    {"blind", "Warriors stay hidden until summoned, potions until used", 0, 1, 0},
    {"second-summons-two", "Blue starts with two summons", 0, 1, 0},
    {"must-summon",
     "A team without warriors on the field must summon 0: no, 1: yes, 2: as the field says", 0, 2,
     MUST_SUMMON_BY_FIELD},
    {"two-of-a-kind", "At most two warriors of a kind", 0, 1, 0},
};

static MashStatus setup(const MashContent *loaded, const MashSetup *choices, MashChance *chance,
                        void *raw_state) {
    (void)chance;
    BattlegroundState *state = raw_state;
    int32_t values[MASH_OPTIONS_MAX];
    MashStatus status = common_options(loaded->game, choices, values);
    if (status != MASH_OK)
        return status;
    if (values[MUST_SUMMON_PLACE] == MUST_SUMMON_BY_FIELD)
        values[MUST_SUMMON_PLACE] = !battleground_content(loaded)->summon_freely;
    memset(state, 0, sizeof *state);
    state->common = common_new();
    for (int i = 0; i < OPTIONS; i++)
        state->options |= (uint8_t)(values[i] << i);
    return MASH_OK;
}

#define DOCUMENTS(field)                                                                           \
    { "battleground.warriors.json", field, "english.texts.json", NULL }
static const MashPreset presets[] = {
    {"open", "Open field, 10 x 8", DOCUMENTS("open.field.json")},
    {"small", "Open field, 8 x 8; the first side is a little ahead", DOCUMENTS("small.field.json")},
    {"ruins", "Ruins, 12 x 10", DOCUMENTS("ruins.field.json")},
    {"original", "Original map and rules, 82 x 64", DOCUMENTS("original.field.json")},
};
#undef DOCUMENTS

const MashGame battleground_game = {
    GAME_ENTRIES(battleground, "battleground", "Battleground", BattlegroundContent, FIGURES),
    .threat = battleground_threat,
    .threats_add_up = true,
    .verb_forms = "choose {kind}|pack {item}|usual team|move {unit} {cell}|attack {unit} {other}|"
                  "use {item} {other}|summon {unit} {cell}|end",
    MASH_LIST(options),
    GAME_HIDES(battleground),
    TEXTS_NAMES,
    .what_list = battleground_what_list,
    .notation = notation_write,
};
