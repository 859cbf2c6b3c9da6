/* mind.c -- what a good player of Ultimate War knows. */
#include "games/ultimate-war/state.h"

/* Values are counted in points of health. */
enum {
    ALIVE = 600,   /* a champion who can act */
    POINT = 40,    /* an action point a turn */
    COMMAND = 150, /* the leader ability, not used yet */
    APART = 12,    /* a step between a champion and the nearest enemy */
    DANGER = 150,  /* to be so low that an enemy villain may finish it */
    COVER = 1,     /* worth of shooting at covers */
    NOT_WORTH = INT32_MIN,
};

/* What an effect is worth to its bearer for each turn that it lasts. */
static const int16_t effect_worth[EFFECTS] = {
    [EFFECT_DISARM] = -60,  [EFFECT_DODGE] = 60,  [EFFECT_EMBRACE] = 50, [EFFECT_POWER_UP] = 40,
    [EFFECT_ROOT] = -50,    [EFFECT_SHIELD] = 70, [EFFECT_SHOCK] = -50,  [EFFECT_SILENCE] = -80,
    [EFFECT_SPEED_UP] = 40, [EFFECT_STUN] = -220,
};

static int nearest_enemy(const State *state, const Champion *champion, uint8_t seat) {
    int nearest = DISTANCES;
    uint8_t first = (uint8_t)(TEAM * opponent(seat));
    for (uint8_t unit = first; unit < first + TEAM; unit++) {
        uint8_t cell = state->champions[unit].cell;
        if (cell == CELL_NONE)
            continue;
        int distance = grid_taxi(column_of(cell), row_of(cell), column_of(champion->cell),
                                 row_of(champion->cell));
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

static int32_t effects_value(const Champion *champion) {
    int32_t sum = 0;
    for (int i = 0; i < champion->effects_count; i++) {
        int turns = champion->effects[i] & 15;
        sum += effect_worth[champion->effects[i] >> 4] * (turns < 3 ? turns : 3);
    }
    return sum;
}

/* What his abilities can still do: as often as the mana allows, the best of them. */
static int32_t abilities_value(const Kind *kind, const Champion *champion) {
    int32_t sum = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        const Ability *ability = &kind->abilities[slot];
        int32_t amount = champion->amounts[slot] > 0 ? champion->amounts[slot] : 150;
        bool affordable = champion->mana >= ability->mana;
        sum += affordable ? amount / (2 + champion->cooldowns[slot]) / 2 : 0;
    }
    return sum + champion->mana / 5;
}

static int32_t champion_value(const Nouns *nouns, const State *state, uint8_t unit) {
    const Champion *champion = &state->champions[unit];
    if (champion->cell == CELL_NONE)
        return 0;
    const Kind *kind = kind_of(nouns, champion);
    uint8_t seat = seat_of(unit);
    int32_t sum = ALIVE + champion->health + POINT * champion->points_turn + champion->damage;
    sum += abilities_value(kind, champion) + effects_value(champion);
    int far = nearest_enemy(state, champion, seat) - kind->range;
    return sum - (far > 0 ? APART * far : 0);
}

static int32_t side_value(const Nouns *nouns, const State *state, uint8_t seat) {
    int32_t sum = 0;
    for (uint8_t unit = (uint8_t)(TEAM * seat); unit < TEAM * seat + TEAM; unit++)
        sum += champion_value(nouns, state, unit);
    uint8_t leader = state->leaders[seat];
    if (leader < UNITS && state->champions[leader].cell != CELL_NONE &&
        (state->commands >> seat & 1) == 0)
        sum += COMMAND;
    return sum;
}

static int32_t bounded(int32_t value) {
    return value > MASH_VALUE_MOST    ? MASH_VALUE_MOST
           : value < -MASH_VALUE_MOST ? -MASH_VALUE_MOST
                                      : value;
}

static int32_t value(const MashContent *content, const void *memory, uint8_t seat) {
    const Nouns *nouns = nouns_of(content);
    const State *state = memory;
    if (state->phase != PHASE_PLAY)
        return 0;
    return bounded(side_value(nouns, state, seat) - side_value(nouns, state, opponent(seat)));
}

/* --- Worth of actions ---------------------------------------------------------------------------
 */

/* The first thing that an attack hits, or CELL_NONE [5.3]. */
static uint8_t attack_target(const Nouns *nouns, const State *state, uint8_t unit,
                             uint8_t direction) {
    const Champion *champion = &state->champions[unit];
    uint32_t line = nouns->lines.rays[champion->cell][direction] &
                    nouns->lines.within[champion->cell][kind_of(nouns, champion)->range] &
                    (state->covers | state->sides[opponent(seat_of(unit))]);
    if (line == 0)
        return CELL_NONE;
    bool upwards = grid_dx[direction] + grid_dy[direction] > 0;
    return (uint8_t)(upwards ? __builtin_ctz(line) : 31 - __builtin_clz(line));
}

/* Damage to one champion. */
static int32_t hit_worth(const Champion *victim, int32_t damage) {
    if (has(victim, EFFECT_SHIELD))
        return effect_worth[EFFECT_SHIELD];
    return damage >= victim->health ? ALIVE + victim->health : damage;
}

static int32_t attack_worth(const Nouns *nouns, const State *state, MashAction action) {
    uint8_t cell = attack_target(nouns, state, action.unit, action.amount);
    if (cell == CELL_NONE)
        return NOT_WORTH;
    if (state->units[cell] == MASH_UNIT_NONE)
        return COVER;
    const Champion *attacker = &state->champions[action.unit];
    const Champion *victim = &state->champions[state->units[cell]];
    bool other_type = kind_of(nouns, attacker)->type != kind_of(nouns, victim)->type;
    int32_t damage = other_type ? attacker->damage * 3 / 2 : attacker->damage;
    return hit_worth(victim, has(victim, EFFECT_DODGE) ? damage / 2 : damage);
}

/* What a cast does to one champion. */
static int32_t touch_worth(const Nouns *nouns, const Champion *champion, Power power) {
    const Ability *ability = power.ability;
    if (ability->deed == DEED_DAMAGE)
        return hit_worth(champion, power.amount);
    if (ability->deed == DEED_EFFECT) {
        int32_t each = effect_worth[ability->effect];
        return (each < 0 ? -each : each) * ability->turns;
    }
    int32_t missing = kind_of(nouns, champion)->health - champion->health;
    return missing < power.amount ? missing : power.amount;
}

static int32_t cast_worth(const Nouns *nouns, const State *state, MashAction action) {
    Power power =
        ultimate_war_power(nouns, &state->champions[action.unit], action.ability, action.other);
    uint32_t cells = ultimate_war_targets(nouns, state, action.unit, power.ability, action.amount);
    if (power.ability->area == AREA_SINGLE)
        cells = 1u << cell_at(action.x, action.y);
    if (cells == 0)
        return NOT_WORTH; /* [6.8] */
    int32_t sum = 0;
    while (cells != 0) {
        uint8_t unit = state->units[cell_take(&cells)];
        if (unit != MASH_UNIT_NONE)
            sum += touch_worth(nouns, &state->champions[unit], power);
    }
    return sum == 0 && power.ability->deed == DEED_HEAL ? NOT_WORTH : sum + COVER;
}

/* A villain's command needs somebody to finish [8.3]. */
static int32_t command_worth(const Nouns *nouns, const State *state, MashAction action) {
    if (kind_of(nouns, &state->champions[action.unit])->type != TYPE_VILLAIN)
        return COMMAND;
    uint8_t first = (uint8_t)(TEAM * opponent(action.seat));
    int32_t sum = 0;
    for (uint8_t unit = first; unit < first + TEAM; unit++) {
        const Champion *victim = &state->champions[unit];
        if (victim->cell != CELL_NONE && 10 * victim->health < 3 * kind_of(nouns, victim)->health)
            sum += ALIVE + victim->health;
    }
    return sum == 0 ? NOT_WORTH : sum;
}

static int32_t worth(const MashContent *content, const void *memory, MashAction action) {
    const Nouns *nouns = nouns_of(content);
    const State *state = memory;
    switch (action.verb) {
    case VERB_ATTACK:
        return attack_worth(nouns, state, action);
    case VERB_CAST:
        return cast_worth(nouns, state, action);
    case VERB_COMMAND:
        return command_worth(nouns, state, action);
    default:
        return 0;
    }
}

/* Champions act one by one: the head of the queue changes with the turn, or the round does
 * [4.3]. Before play every choice is a turn. */
static uint32_t turn(const MashContent *content, const void *memory) {
    (void)content;
    const State *state = memory;
    uint32_t chosen = (uint32_t)state->picks + (state->leaders[0] != MASH_UNIT_NONE);
    return (uint32_t)state->round << 16 | chosen << 8 | state->queue[0];
}

const MashMind ultimate_war_mind = {
    .method = MASH_METHOD_TURNS, .value = value, .worth = worth, .turn = turn};
