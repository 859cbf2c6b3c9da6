/* acts.c -- what the active hero may do: steps, melee and ranged attacks. Stones are in stones.c.
 *
 * Lists are ascending because verbs are taken in order and cells column by column. */
#include <string.h>

#include "engine/events.h"
#include "games/marvelous-mashup/state.h"

/* --- Checking --------------------------------------------------------------------------------- */

/* [7.4], [11.10]; knocked-out heroes are not targets [3.2]. */
MashStatus marvelous_check_target(const MarvelousState *state, uint8_t hero, uint8_t cell) {
    if (cell_is_rock(cell))
        return MASH_OK;
    if (cell == CELL_THANOS)
        return MASH_WRONG_TARGET;
    if (!cell_is_hero(cell))
        return MASH_NO_TARGET;
    if (seat_of(cell_unit(cell)) == seat_of(hero))
        return MASH_OWN_SIDE;
    return state->actors[cell_unit(cell)].health > 0 ? MASH_OK : MASH_WRONG_TARGET;
}

/* [6.1], [6.2] */
static MashStatus check_move(const Actor *actor, int distance, uint8_t cell) {
    if (actor->moves == 0)
        return MASH_NO_POINTS;
    if (distance != 1)
        return MASH_NOT_A_STEP;
    return cell <= CELL_ENTERED_LAST ? MASH_OK : MASH_CELL_BLOCKED;
}

/* Melee [7.2] or ranged [7.3]. */
static MashStatus check_attack(const MarvelousContent *content, const MarvelousState *state,
                               MashAction action, int distance, uint8_t cell) {
    const Actor *actor = &state->actors[action.unit];
    bool ranged = action.verb == VERB_RANGED;
    int reach = ranged ? content->kinds[actor->kind].reach : 1;
    if (actor->actions == 0) /* [7.1] */
        return MASH_NO_POINTS;
    if (distance < (ranged ? 2 : 1))
        return ranged ? MASH_TOO_NEAR : MASH_WRONG_TARGET;
    if (distance > reach)
        return MASH_TOO_FAR;
    MashStatus status = marvelous_check_target(state, action.unit, cell);
    if (status != MASH_OK)
        return status;
    bool seen = marvelous_sees(content, state->cells, actor->x, actor->y, action.x, action.y);
    return seen ? MASH_OK : MASH_NOT_IN_SIGHT;
}

MashStatus marvelous_check_act(const MarvelousContent *content, const MarvelousState *state,
                               MashAction action) {
    if (action.verb == VERB_END)
        return action.x == 0 && action.y == 0 ? MASH_OK : MASH_NO_SUCH_ACTION;
    if (!grid_inside(action.x, action.y, content->width, content->height))
        return MASH_OFF_BOARD;
    const Actor *actor = &state->actors[action.unit];
    int distance = grid_chebyshev(actor->x, actor->y, action.x, action.y);
    uint8_t cell = state->cells[cell_at(content, action.x, action.y)];
    switch (action.verb) {
    case VERB_MOVE:
        return check_move(actor, distance, cell);
    case VERB_MELEE:
    case VERB_RANGED:
        return check_attack(content, state, action, distance, cell);
    default:
        return marvelous_check_stone(content, state, action);
    }
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* Every adjacent cell that the hero may enter [6.1] [6.2], as `action` with the cell; how many.
 * Each is written and counted only if it is open: there is no branch to mispredict. So there must
 * be room for one more, which the end of the turn takes. */
static uint32_t list_moves(const MarvelousContent *content, const MarvelousState *state,
                           MashAction action, MashAction *out) {
    const Actor *actor = &state->actors[action.unit];
    Around box = around(content, actor->x, actor->y, 1);
    uint32_t count = 0;
    for (int x = box.left; x <= box.right; x++)
        for (int y = box.top; y <= box.bottom; y++) {
            uint8_t cell = state->cells[cell_at(content, x, y)];
            action.x = (int8_t)x;
            action.y = (int8_t)y;
            out[count] = action;
            count += (cell <= CELL_ENTERED_LAST) & (cell != CELL_UNITS + action.unit);
        }
    return count;
}

/* Which of eight cells hold a rock or a hero of the side whose cells begin at `enemies`: the
 * highest bits of eight bytes, the first cell lowest. All are compared in parallel, each without
 * its own highest bit, which only rocks have. */
static inline uint64_t find_targets(const uint8_t *cells, uint8_t enemies) {
    const uint64_t each = 0x0101010101010101u, highest = 0x80 * each;
    uint64_t bytes;
    memcpy(&bytes, cells, sizeof bytes);
    uint64_t low = bytes & ~highest;
    uint64_t from = low + (uint64_t)(CELL_ROCKS - enemies) * each;
    uint64_t beyond = low + (uint64_t)(CELL_ROCKS - enemies - TEAM) * each;
    return ((from & ~beyond) | bytes) & highest;
}

/* Columns are scanned eight cells at a time; the statistics after the last one may be read and do
 * not count. */
uint32_t marvelous_list_targets(const MarvelousContent *content, const MarvelousState *state,
                                MashAction action, int nearest, int farthest, MashAction *out) {
    const Actor *actor = &state->actors[action.unit];
    const uint8_t enemies = (uint8_t)(CELL_UNITS + TEAM * (1 - action.seat));
    Around box = around(content, actor->x, actor->y, farthest);
    MashAction *end = out;
    for (int x = box.left; x <= box.right; x++)
        for (int top = box.top; top <= box.bottom; top += 8) {
            const uint8_t *cells = state->cells + cell_at(content, x, top);
            uint64_t found = find_targets(cells, enemies);
            if (box.bottom - top < 7)
                found &= ((uint64_t)1 << 8 * (box.bottom - top + 1)) - 1;
            for (; found != 0; found &= found - 1) {
                int row = __builtin_ctzll(found) / 8, y = top + row;
                action.x = (int8_t)x;
                action.y = (int8_t)y;
                *end = action;
                end += grid_chebyshev(actor->x, actor->y, x, y) >= nearest &&
                       marvelous_check_target(state, action.unit, cells[row]) == MASH_OK &&
                       marvelous_sees(content, state->cells, actor->x, actor->y, x, y);
            }
        }
    return (uint32_t)(end - out);
}

/* All actions of the active hero that its points allow [5.5]. */
uint32_t marvelous_list_acts(const MarvelousContent *content, const MarvelousState *state,
                             MashAction *out) {
    const Actor *actor = &state->actors[state->active];
    MashAction action = {.seat = seat_of(state->active), .unit = state->active};
    uint32_t count = 0;
    if (actor->moves > 0) {
        action.verb = VERB_MOVE;
        count += list_moves(content, state, action, out + count);
    }
    if (actor->actions > 0) {
        action.verb = VERB_MELEE;
        count += marvelous_list_targets(content, state, action, 1, 1, out + count);
        action.verb = VERB_RANGED;
        count += marvelous_list_targets(content, state, action, 2,
                                        content->kinds[actor->kind].reach, out + count);
        if (actor->stones != 0)
            count += marvelous_list_stones(content, state, out + count);
    }
    action.verb = VERB_END;
    out[count++] = action;
    return count;
}

/* --- Applying --------------------------------------------------------------------------------- */

/* The number of the portal on a cell. */
static uint32_t portal_on(const MarvelousContent *content, Cell cell) {
    uint32_t number = 0;
    while (content->portals[number] != cell_at(content, cell.x, cell.y))
        number++;
    return number;
}

/* The hero has already left its old cell, which is free. `amount` is the portal it comes out of,
 * counted from 1 [6.5]. */
static void step_through_portal(const TurnContext *play, uint8_t hero, Cell portal) {
    const MarvelousContent *content = play->content;
    uint32_t entry = portal_on(content, portal);
    uint32_t exit = marvelous_draw(play, content->portals_count - 1u);
    exit += exit >= entry;
    uint16_t number = content->portals[exit];
    Cell beside = {(uint8_t)(number / content->height), (uint8_t)(number % content->height)};
    Cell cell = marvelous_free_near(play, beside);
    marvelous_put(play, hero, cell);
    marvelous_emit_move(play, MASH_EVENT_TELEPORTED, hero, portal, cell, (int32_t)(exit + 1));
}

/* Onto a hero [6.3], a stone [6.4], a portal or nothing. */
static void step(const TurnContext *play, uint8_t hero, Cell to) {
    MarvelousState *state = play->state;
    Cell from = {state->actors[hero].x, state->actors[hero].y};
    uint8_t cell = state->cells[cell_at(play->content, to.x, to.y)];
    if (marvelous_swap_with_hero(play, hero, to))
        return;
    marvelous_remove_from_cell(play, hero);
    marvelous_emit_move(play, MASH_EVENT_MOVED, hero, from, to, 0);
    if (cell == CELL_PORTAL) {
        step_through_portal(play, hero, to);
        return;
    }
    marvelous_put(play, hero, to);
    marvelous_take_stone(play, cell, hero);
}

/* A step and what it costs, one movement point [6.1]. */
static void move(const TurnContext *play, uint8_t hero, Cell to) {
    step(play, hero, to);
    play->state->actors[hero].moves--;
    play->figures[hero].steps++;
    marvelous_emit_change(play, hero, METER_MOVES, -1);
}

/* Attacks a hero or a rock [7.2] [7.3]; the action point is already paid. */
static void attack(const TurnContext *play, MashAction action, Cell to) {
    const MarvelousState *state = play->state;
    const MarvelousKind *kind = kind_of(play->content, state, action.unit);
    uint8_t cell = state->cells[cell_at(play->content, to.x, to.y)];
    bool ranged = action.verb == VERB_RANGED;
    uint8_t other = cell_is_hero(cell) ? cell_unit(cell) : MASH_UNIT_NONE;
    MashEvent event = event_new(MASH_EVENT_ATTACKED, action.unit, other);
    event.from_x = (int8_t)state->actors[action.unit].x;
    event.from_y = (int8_t)state->actors[action.unit].y;
    event.x = action.x;
    event.y = action.y;
    event.what = ranged ? ABILITY_RANGED : ABILITY_MELEE;
    event_add(play->events, event);
    marvelous_strike(play, action.unit, to, ranged ? kind->ranged : kind->melee);
}

/* Each action costs a point [7.1]; that event comes last. Time is paid for inside
 * marvelous_use(). */
void marvelous_act(const TurnContext *play, MashAction action) {
    Cell to = {(uint8_t)action.x, (uint8_t)action.y};
    if (action.verb == VERB_END) {
        marvelous_end_turn(play);
        return;
    }
    if (action.verb == VERB_MOVE) {
        move(play, action.unit, to);
        return;
    }
    play->state->actors[action.unit].actions--;
    if (action.verb == VERB_USE)
        marvelous_use(play, action);
    else if (action.verb == VERB_GIVE)
        marvelous_give(play, action);
    else
        attack(play, action, to);
    marvelous_emit_change(play, action.unit, METER_ACTIONS, -1);
}
