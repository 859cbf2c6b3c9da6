/* evaluate.c -- evaluation for Zorde. */
#include "engine/grid.h"
#include "games/zorde/net_input.h"

/* Evaluations are in tenths of a point of health. */
enum { POINT = 10, ALIVE = 150, ATTACK = 8, NEARER = 3, DISTANCE_WEIGHT = 2 };

/* Evaluation of a unit: its health, and what it can still do. */
static int32_t evaluate_unit(const ZordeKind *kind, const ZordeUnit *unit) {
    int reach = kind->each_step ? kind->steps : 1;
    return POINT * unit->health + ALIVE + ATTACK * kind->attack * (reach < 3 ? reach : 3);
}

/* How many king's moves away the nearest of these enemies is; 2 * MASH_SIDE_MAX without one. */
static int nearest_enemy(const ZordeState *state, uint8_t unit, uint64_t enemies) {
    int nearest = 2 * MASH_SIDE_MAX;
    for (; enemies != 0; enemies &= enemies - 1) {
        ZordeUnit a = state->units[unit], b = state->units[__builtin_ctzll(enemies)];
        int distance = grid_chebyshev(a.x, a.y, b.x, b.y);
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

/* Steps between units and their nearest enemies, all together. */
static int32_t distance_to_enemies(const ZordeState *state) {
    int32_t sum = 0;
    for (uint8_t side = 0; side < MASH_SEATS; side++)
        for (uint64_t units = state->living[side]; units != 0; units &= units - 1)
            sum += nearest_enemy(state, (uint8_t)__builtin_ctzll(units), state->living[1 - side]);
    return sum;
}

/* The stronger side prefers to come closer: it must make progress before the orders are used up. */
static int32_t evaluate(const MashContent *content, const void *raw_state, uint8_t seat) {
    const ZordeSetup *field = zorde_setup(content);
    const ZordeState *state = raw_state;
    int32_t sums[MASH_SEATS] = {0, 0};
    for (uint8_t side = 0; side < MASH_SEATS; side++)
        for (uint64_t units = state->living[side]; units != 0; units &= units - 1) {
            uint8_t unit = (uint8_t)__builtin_ctzll(units);
            sums[side] += evaluate_unit(zorde_kind_of(field, unit), &state->units[unit]);
        }
    int32_t difference = sums[seat] - sums[1 - seat];
    return difference + (difference >= 0 ? -NEARER : NEARER) * distance_to_enemies(state);
}

static int32_t combat_distance(const MashContent *content, const void *raw_state) {
    (void)content;
    return DISTANCE_WEIGHT * distance_to_enemies(raw_state);
}

/* The unit of this set on the cell, or MASH_UNIT_NONE. */
static uint8_t unit_at(const ZordeState *state, uint64_t units, int x, int y) {
    for (; units != 0; units &= units - 1) {
        uint8_t unit = (uint8_t)__builtin_ctzll(units);
        if (state->units[unit].x == x && state->units[unit].y == y)
            return unit;
    }
    return MASH_UNIT_NONE;
}

/* Steps into fights that are won, then steps that lead to attacks, then steps that come nearer. */
static int32_t priority(const MashContent *content, const void *raw_state, MashAction action) {
    const ZordeSetup *field = zorde_setup(content);
    const ZordeState *state = raw_state;
    const ZordeKind *kind = zorde_kind_of(field, action.unit);
    uint64_t enemies = state->living[1 - action.seat];
    uint8_t other = unit_at(state, enemies, action.x, action.y);
    if (other != MASH_UNIT_NONE) {
        int mine = state->units[action.unit].health;
        int theirs = state->units[other].health - kind->attack;
        theirs = theirs < 0 ? 0 : theirs;
        return mine > theirs ? 1000 + state->units[other].health - theirs : -1000;
    }
    if (unit_at(state, state->living[action.seat], action.x, action.y) != MASH_UNIT_NONE)
        return -100;
    int beside = 0, nearest = MASH_SIDE_MAX;
    bool last = state->steps + 1 >= kind->steps;
    int range = last && kind->range > 0 ? kind->range : 1;
    for (; enemies != 0; enemies &= enemies - 1) {
        ZordeUnit enemy = state->units[__builtin_ctzll(enemies)];
        int distance = grid_chebyshev(enemy.x, enemy.y, action.x, action.y);
        beside += distance <= range;
        nearest = distance < nearest ? distance : nearest;
    }
    return (last || kind->each_step ? beside * kind->attack : 0) - nearest;
}

/* [2.1] */
static uint32_t turn(const MashContent *content, const void *raw_state) {
    (void)content;
    return ((const ZordeState *)raw_state)->orders;
}

/* How often positions are won: docs/strength.md. */
static const MashWinningTable winning_table = {
    .won = 8161,
    .lost = 1348,
    .values = {-981, -711, -499, -330, -227, -106, 18, 128, 290, 487, 661, 988},
    .chances = {256, 543, 1502, 2901, 4473, 4968, 5128, 5591, 7284, 8814, 8818, 9361},
};
static const MashWinning winning = {100000, {&winning_table, &winning_table}};

const MashEvaluator zorde_evaluator = {
    MASH_EVALUATION(EXHAUSTIVE),
    .combat_distance = combat_distance,
    .turn_number = turn,
    /* From league results: see docs/strength.md. */
    GAME_LEVELS({0, 1000, 0}, {0, 0, 805}, {0, 0, 672}, {0, 0, 500}, {18000, 275, 0},
                {48000, 130, 0}, {150000, 60, 0}, {360000, 0, 0}),
    .winning = &winning,
    .net_input = zorde_net_input,
    .net = &zorde_net,
};
