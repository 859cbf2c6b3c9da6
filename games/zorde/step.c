/* step.c -- one step of a unit and all that follows: the heart of the game, shared by play and by
 * the file mode.
 *
 * Enemies are attacked and friends healed in the order of their IDs. Damage and defeats are
 * appended as events when they happen. */
#include <string.h>

#include "engine/events.h"
#include "engine/grid.h"
#include "games/zorde/state.h"

/* A step in progress: the unit, and the context it needs. */
typedef struct ZordeStep {
    const ZordeSetup *field;
    const ZordeKind *kind; /* of the unit */
    ZordeState *state;
    ZordeFigures *deeds;
    MashEvents *events;
    uint8_t unit, seat;
} ZordeStep;

/* [1.5] */
void zorde_begin(const ZordeSetup *field, ZordeState *state) {
    memset(state, 0, zorde_state_bytes(field->units_count));
    state->common = common_new();
    state->turn = ZORDE_CALLIANCE; /* [2.1] */
    state->mover = MASH_UNIT_NONE;
    for (uint8_t i = 0; i < field->units_count; i++) {
        const ZordeStartUnit *start = &field->units[i];
        state->units[i] = (ZordeUnit){start->x, start->y, field->kinds[start->kind].health};
        state->living[start->seat] |= (uint64_t)1 << i;
    }
}

/* Removes and returns the lowest unit of a set. */
static uint8_t take(uint64_t *set) {
    uint8_t unit = (uint8_t)__builtin_ctzll(*set);
    *set &= *set - 1;
    return unit;
}

/* The unit on the cell: one at most [1.2]. */
static uint8_t unit_at(const ZordeState *state, int x, int y) {
    uint64_t living = state->living[0] | state->living[1];
    while (living != 0) {
        uint8_t unit = take(&living);
        if (state->units[unit].x == x && state->units[unit].y == y)
            return unit;
    }
    return MASH_UNIT_NONE;
}

/* Are two units at most so many king's moves apart? */
static bool in_range(const ZordeState *state, uint8_t unit, uint8_t other, int range) {
    ZordeUnit a = state->units[unit], b = state->units[other];
    return grid_chebyshev(a.x, a.y, b.x, b.y) <= range;
}

/* An event of `unit`, caused by `other`, on the cell of `unit`. */
static MashEvent event_on(const ZordeStep *step, MashEventKind kind, uint8_t unit, uint8_t other,
                          int amount) {
    MashEvent event = event_new(kind, unit, other);
    event.x = step->state->units[unit].x;
    event.y = step->state->units[unit].y;
    event.amount = amount;
    return event;
}

/* An event of the stepping unit on its cell that aims at x,y. */
static MashEvent event_from(const ZordeStep *step, MashEventKind kind, uint8_t other, int x,
                            int y) {
    MashEvent event = event_new(kind, step->unit, other);
    event.from_x = step->state->units[step->unit].x;
    event.from_y = step->state->units[step->unit].y;
    event.x = (int8_t)x;
    event.y = (int8_t)y;
    return event;
}

/* Takes health off a unit, never below 0 [3.5]. */
static void hurt(ZordeStep *step, uint8_t unit, uint8_t by, uint16_t amount) {
    uint16_t *health = &step->state->units[unit].health;
    if (amount > *health)
        amount = *health;
    if (amount == 0)
        return;
    *health = (uint16_t)(*health - amount);
    step->deeds[by].figures[ZORDE_FIGURE_DAMAGE] += amount;
    event_add(step->events, event_on(step, MASH_EVENT_HURT, unit, by, amount));
}

/* Removes the unit if it has no health left, so that its cell is free [3.5]. */
static bool falls(ZordeStep *step, uint8_t unit, uint8_t by) {
    if (step->state->units[unit].health > 0)
        return false;
    event_add(step->events, event_on(step, MASH_EVENT_DIED, unit, by, 0));
    step->state->units[unit] = (ZordeUnit){0, 0, 0};
    step->state->living[step->field->units[unit].seat] &= ~((uint64_t)1 << unit);
    step->deeds[by].figures[ZORDE_FIGURE_KILLS]++;
    return true;
}

/* Appends the event that the stepping unit attacks, and takes the amount off the enemy. */
static void strike(ZordeStep *step, uint8_t enemy, uint16_t amount, uint8_t ability) {
    ZordeUnit target = step->state->units[enemy];
    MashEvent event = event_from(step, MASH_EVENT_ATTACKED, enemy, target.x, target.y);
    event.what = ability;
    event_add(step->events, event);
    hurt(step, enemy, step->unit, amount);
}

/* Every enemy within the range, which is 1 for an ordinary attack [3.3]; nobody hits back [3.6]. */
static void strike_around(ZordeStep *step, int range, uint16_t amount, uint8_t ability) {
    uint64_t enemies = step->state->living[1 - step->seat];
    while (enemies != 0) {
        uint8_t enemy = take(&enemies);
        if (!in_range(step->state, step->unit, enemy, range))
            continue;
        strike(step, enemy, amount, ability);
        falls(step, enemy, step->unit);
    }
}

/* The healer itself and its friends on neighbouring cells, nobody above full health [4.2]. */
static void heal_around(ZordeStep *step) {
    uint64_t friends = step->state->living[step->seat];
    while (friends != 0) {
        uint8_t friend = take(&friends);
        uint16_t full = zorde_kind_of(step->field, friend)->health;
        ZordeUnit *unit = &step->state->units[friend];
        if (unit->health >= full || !in_range(step->state, step->unit, friend, 1))
            continue;
        uint16_t missing = (uint16_t)(full - unit->health);
        uint16_t amount = missing < step->kind->healing ? missing : step->kind->healing;
        unit->health = (uint16_t)(unit->health + amount);
        step->deeds[step->unit].figures[ZORDE_FIGURE_HEALING] += amount;
        uint8_t by = friend == step->unit ? MASH_UNIT_NONE : step->unit; /* told only of others */
        event_add(step->events, event_on(step, MASH_EVENT_HEALED, friend, by, amount));
    }
}

/* Moves the unit there, with an event; counts as a step. */
static void move(ZordeStep *step, int x, int y) {
    event_add(step->events, event_from(step, MASH_EVENT_MOVED, MASH_UNIT_NONE, x, y));
    step->state->units[step->unit].x = (int8_t)x;
    step->state->units[step->unit].y = (int8_t)y;
    step->deeds[step->unit].figures[ZORDE_FIGURE_STEPS]++;
}

/* Onto an empty cell [3.1], then the attack that is due there [3.2], at the end a ranged one if the
 * kind has it [3.4]. */
static void walk(ZordeStep *step, int x, int y, bool last) {
    move(step, x, y);
    if (last && step->kind->range > 0)
        strike_around(step, step->kind->range, step->kind->ranged_attack, ZORDE_RANGED_ATTACK);
    else if (last || step->kind->each_step)
        strike_around(step, 1, step->kind->attack, ZORDE_ATTACK);
}

/* An attack on this enemy alone [5.1]. Then both lose what the weaker one has left: the stronger
 * one loses that much and wins [5.2], equal ones are both defeated [5.4]. A winning attacker takes
 * the cell [5.3]. */
static void fight(ZordeStep *step, uint8_t enemy, int x, int y) {
    ZordeUnit *units = step->state->units;
    strike(step, enemy, step->kind->attack, ZORDE_FIRST_STRIKE);
    uint16_t mine = units[step->unit].health, theirs = units[enemy].health;
    uint16_t least = mine < theirs ? mine : theirs;
    MashEvent event = event_from(step, MASH_EVENT_FOUGHT, enemy, x, y);
    event.what = mine > theirs   ? ZORDE_ATTACKER_WON
                 : mine < theirs ? ZORDE_DEFENDER_WON
                                 : ZORDE_BOTH_FELL;
    event_add(step->events, event);
    hurt(step, enemy, step->unit, least);
    hurt(step, step->unit, enemy, least);
    falls(step, enemy, step->unit);
    if (!falls(step, step->unit, enemy))
        move(step, x, y);
}

/* Only the first step of an order is preceded by healing, whatever the step leads to [4.3]. A
 * friend on the cell [4.1], a fight [5.5] or the last step complete the order [2.4]. In files a
 * unit may step onto itself and is its own friend [7.11]. */
bool zorde_step(const ZordeSetup *field, ZordeState *state, uint8_t unit, int dx, int dy,
                MashEvents *events) {
    assert(zorde_lives(field, state, unit));
    assert(state->mover == MASH_UNIT_NONE || state->mover == unit);
    ZordeStep step = {.field = field,
                      .kind = zorde_kind_of(field, unit),
                      .state = state,
                      .deeds = zorde_figures(field, state),
                      .events = events,
                      .unit = unit,
                      .seat = field->units[unit].seat};
    int x = state->units[unit].x + dx, y = state->units[unit].y + dy;
    bool inside = grid_inside(x, y, field->width, field->height);
    bool complete = true;
    if (inside) {
        if (state->steps == 0 && step.kind->healing > 0)
            heal_around(&step);
        uint8_t other = unit_at(state, x, y);
        bool last = state->steps + 1 >= step.kind->steps;
        if (other == MASH_UNIT_NONE) {
            walk(&step, x, y, last);
            complete = last;
        } else if (field->units[other].seat == step.seat) {
            event_add(events, event_from(&step, MASH_EVENT_BLOCKED, other, x, y));
        } else {
            fight(&step, other, x, y);
        }
    }
    state->mover = complete ? MASH_UNIT_NONE : unit;
    state->steps = (uint8_t)(complete ? 0 : state->steps + 1);
    return inside;
}
