/* stones.c -- the six Infinity Stones: using them and handing them over.
 *
 * stone_fits() alone decides on which cells a stone may be used, for checks and lists alike. */
#include "engine/events.h"
#include "games/marvelous-mashup/state.h"

/* --- Checking --------------------------------------------------------------------------------- */

/* May the stone be used on this cell by a hero at this distance? */
static MashStatus stone_fits(const MarvelousContent *content, const MarvelousState *state,
                             uint8_t hero, uint8_t stone, int x, int y) {
    const Actor *actor = &state->actors[hero];
    uint8_t cell = state->cells[cell_at(content, x, y)];
    int distance = grid_chebyshev(actor->x, actor->y, x, y);
    MashStatus status;
    if (stone >= STONE_REALITY && stone != STONE_TIME && distance != 1)
        return distance == 0 ? MASH_WRONG_TARGET : MASH_TOO_FAR;
    switch (stone) {
    case STONE_SPACE: /* [8.2] */
        return cell_is_free(cell) ? MASH_OK : MASH_CELL_TAKEN;
    case STONE_MIND: /* [8.3] */
        status = marvelous_check_target(state, hero, cell);
        if (status != MASH_OK)
            return status;
        return marvelous_sees(content, state->cells, actor->x, actor->y, x, y) ? MASH_OK
                                                                               : MASH_NOT_IN_SIGHT;
    case STONE_REALITY: /* [8.4] */
        return cell_is_free(cell) || cell_is_rock(cell) ? MASH_OK : MASH_WRONG_TARGET;
    case STONE_POWER: /* [8.5] */
        return marvelous_check_target(state, hero, cell);
    case STONE_TIME: /* [8.6] */
        return distance == 0 ? MASH_OK : MASH_WRONG_TARGET;
    default: /* [8.7] */
        assert(stone == STONE_SOUL);
        if (!cell_is_hero(cell))
            return MASH_NO_TARGET;
        return state->actors[cell_unit(cell)].health == 0 ? MASH_OK : MASH_WRONG_TARGET;
    }
}

/* The heroes that may receive a stone [7.6], [7.7]. */
static MashStatus can_receive(const MarvelousState *state, uint8_t hero, uint8_t cell) {
    if (!cell_is_hero(cell))
        return MASH_NO_TARGET;
    uint8_t other = cell_unit(cell);
    bool same_side = seat_of(other) == seat_of(hero);
    if (other == hero || state->actors[other].health == 0)
        return MASH_WRONG_TARGET;
    return same_side || state->rules == RULES_CUSTOMER ? MASH_OK : MASH_WRONG_TARGET;
}

MashStatus marvelous_check_stone(const MarvelousContent *content, const MarvelousState *state,
                                 MashAction action) {
    const Actor *actor = &state->actors[action.unit];
    if (action.ability >= STONES || !(actor->stones & stone_bit(action.ability)))
        return MASH_NO_SUCH_ABILITY;
    if (actor->actions == 0)
        return MASH_NO_POINTS;
    if (action.verb == VERB_USE) {
        if (state->stones[action.ability].cooldown > 0) /* [8.1] */
            return MASH_COOLING_DOWN;
        return stone_fits(content, state, action.unit, action.ability, action.x, action.y);
    }
    assert(action.verb == VERB_GIVE);
    if (grid_chebyshev(actor->x, actor->y, action.x, action.y) > 1)
        return MASH_TOO_FAR;
    return can_receive(state, action.unit, state->cells[cell_at(content, action.x, action.y)]);
}

/* --- Lists ------------------------------------------------------------------------------------ */

/* The Space Stone: every free cell [8.2]. Each is written and counted only if it is free, as with
 * moves. */
static uint32_t list_free_cells(const MarvelousContent *content, const MarvelousState *state,
                                MashAction action, MashAction *out) {
    const uint8_t *cell = state->cells;
    uint32_t count = 0;
    for (action.x = 0; action.x < content->width; action.x++)
        for (action.y = 0; action.y < content->height; action.y++) {
            out[count] = action;
            count += cell_is_free(*cell++);
        }
    return count;
}

/* Every cell for which the stone of `action` can be used; how many actions. Mind [8.3] and Power
 * [8.5] have the targets of attacks, Time [8.6] is used on the own cell, Reality [8.4] and Soul
 * [8.7] beside it. */
static uint32_t list_uses(const MarvelousContent *content, const MarvelousState *state,
                          MashAction action, MashAction *out) {
    const Actor *actor = &state->actors[action.unit];
    if (action.ability == STONE_SPACE)
        return list_free_cells(content, state, action, out);
    if (action.ability == STONE_MIND)
        return marvelous_list_targets(content, state, action, 1, MASH_SIDE_MAX, out);
    if (action.ability == STONE_POWER)
        return marvelous_list_targets(content, state, action, 1, 1, out);
    Around box = around(content, actor->x, actor->y, action.ability != STONE_TIME);
    uint32_t count = 0;
    for (int x = box.left; x <= box.right; x++)
        for (int y = box.top; y <= box.bottom; y++) {
            if (stone_fits(content, state, action.unit, action.ability, x, y) != MASH_OK)
                continue;
            action.x = (int8_t)x;
            action.y = (int8_t)y;
            out[count++] = action;
        }
    return count;
}

/* Every neighbour that may receive a stone [7.6] [7.7], for each stone in hand; how many actions.
 */
static uint32_t list_gives(const MarvelousContent *content, const MarvelousState *state,
                           MashAction action, MashAction *out) {
    const Actor *actor = &state->actors[action.unit];
    Around box = around(content, actor->x, actor->y, 1);
    MashAction beside[8];
    uint32_t receivers = 0, count = 0;
    for (int x = box.left; x <= box.right; x++)
        for (int y = box.top; y <= box.bottom; y++) {
            if (can_receive(state, action.unit, state->cells[cell_at(content, x, y)]) != MASH_OK)
                continue;
            action.x = (int8_t)x;
            action.y = (int8_t)y;
            beside[receivers++] = action;
        }
    for (uint8_t stone = 0; stone < STONES; stone++)
        for (uint32_t i = 0; actor->stones & stone_bit(stone) && i < receivers; i++) {
            beside[i].ability = stone;
            out[count++] = beside[i];
        }
    return count;
}

uint32_t marvelous_list_stones(const MarvelousContent *content, const MarvelousState *state,
                               MashAction *out) {
    const Actor *actor = &state->actors[state->active];
    MashAction action = {.verb = VERB_USE, .seat = seat_of(state->active), .unit = state->active};
    uint32_t count = 0;
    for (action.ability = 0; action.ability < STONES; action.ability++)
        if (actor->stones & stone_bit(action.ability) &&
            state->stones[action.ability].cooldown == 0)
            count += list_uses(content, state, action, out + count);
    action.verb = VERB_GIVE;
    return count + list_gives(content, state, action, out + count);
}

/* --- Applying --------------------------------------------------------------------------------- */

/* The Space Stone [8.2]: the hero moves to the cell, which is free. */
static void teleport(const TurnContext *play, uint8_t hero, Cell to) {
    const Actor *actor = &play->state->actors[hero];
    Cell from = {actor->x, actor->y};
    marvelous_remove_from_cell(play, hero);
    marvelous_put(play, hero, to);
    marvelous_emit_move(play, MASH_EVENT_TELEPORTED, hero, from, to, 0);
}

/* Twice the melee damage, and a tenth of the own health, but never the last point [8.5]. */
static void use_power(const TurnContext *play, uint8_t hero, Cell to) {
    Actor *actor = &play->state->actors[hero];
    const MarvelousKind *kind = &play->content->kinds[actor->kind];
    marvelous_strike(play, hero, to, 2 * kind->melee);
    int lost = kind->health / 10;
    if (lost >= actor->health)
        lost = actor->health - 1;
    if (lost == 0)
        return;
    actor->health = (uint16_t)(actor->health - lost);
    MashEvent event = marvelous_event(play, MASH_EVENT_HURT, hero, hero);
    event.amount = lost;
    event_add(play->events, event);
}

/* Restores all points; the event of paying one comes afterwards, so one more is restored here. */
static void use_time(const TurnContext *play, uint8_t hero) {
    Actor *actor = &play->state->actors[hero];
    const MarvelousKind *kind = &play->content->kinds[actor->kind];
    marvelous_emit_change(play, hero, METER_MOVES, kind->moves - actor->moves);
    marvelous_emit_change(play, hero, METER_ACTIONS, kind->actions - actor->actions);
    actor->moves = kind->moves;
    actor->actions = kind->actions;
}

/* The Reality Stone [8.4]: the rock on the cell disappears, or one appears. */
static void use_reality(const TurnContext *play, uint8_t hero, Cell to) {
    bool rock = cell_is_rock(play->state->cells[cell_at(play->content, to.x, to.y)]);
    marvelous_ground(play, hero, to, rock ? GROUND_GRASS : GROUND_ROCK);
}

/* Appends the event that a stone was used on a cell; `other` is the hero there, if any. */
static void emit_use(const TurnContext *play, MashAction action, uint8_t other) {
    const Actor *actor = &play->state->actors[action.unit];
    MashEvent event = event_new(MASH_EVENT_USED, action.unit, other);
    event.from_x = (int8_t)actor->x;
    event.from_y = (int8_t)actor->y;
    event.x = action.x;
    event.y = action.y;
    event.what = action.ability;
    event_add(play->events, event);
}

/* The cooldown begins [8.8], then the stone takes effect. */
void marvelous_use(const TurnContext *play, MashAction action) {
    Cell to = {(uint8_t)action.x, (uint8_t)action.y};
    uint8_t cell = play->state->cells[cell_at(play->content, to.x, to.y)];
    uint8_t other = cell_is_hero(cell) ? cell_unit(cell) : MASH_UNIT_NONE;
    play->state->stones[action.ability].cooldown = play->content->cooldowns[action.ability];
    play->figures[action.unit].used++;
    emit_use(play, action, other);
    switch (action.ability) {
    case STONE_SPACE:
        teleport(play, action.unit, to);
        break;
    case STONE_MIND:
        marvelous_strike(play, action.unit, to, play->content->mind_damage);
        break;
    case STONE_REALITY:
        use_reality(play, action.unit, to);
        break;
    case STONE_POWER:
        use_power(play, action.unit, to);
        break;
    case STONE_TIME:
        use_time(play, action.unit);
        break;
    default:
        marvelous_heal(play, other, action.unit);
    }
}

void marvelous_give(const TurnContext *play, MashAction action) {
    const MarvelousState *state = play->state;
    uint8_t cell = state->cells[cell_at(play->content, action.x, action.y)];
    uint8_t other = cell_unit(cell);
    marvelous_give_stone(play, action.ability, other);
    MashEvent event = event_new(MASH_EVENT_ITEM_GIVEN, action.unit, other);
    event.from_x = (int8_t)state->actors[action.unit].x;
    event.from_y = (int8_t)state->actors[action.unit].y;
    event.x = action.x;
    event.y = action.y;
    event.what = action.ability;
    event_add(play->events, event);
}
