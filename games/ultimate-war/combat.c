/* combat.c -- sections 5, 6 and 8: moves, attacks, casts and leader abilities, after they have been
 * checked. */
#include "games/ultimate-war/state.h"

/* --- Targets ---------------------------------------------------------------------------------- */

AbilityNow ultimate_war_ability_now(const WarContent *content, const Champion *champion,
                                    uint8_t number, uint8_t which) {
    if (number == ABILITY_PUNCH && which < champion->punches_count)
        return (AbilityNow){&content->punch, champion->punch_amounts[which],
                            champion->punch_cooldowns[which]};
    int slot = number - ABILITY_KINDS - SLOTS * champion->kind;
    if (slot < 0 || slot >= SLOTS || which != 0)
        return (AbilityNow){.ability = NULL};
    return (AbilityNow){&kind_of(content, champion)->abilities[slot], champion->amounts[slot],
                        champion->cooldowns[slot]};
}

/* Does the ability affect the caster's own side? [6.2] */
static bool helps(const Ability *ability) {
    return ability->effect_kind == ABILITY_EFFECT_HEAL ||
           (ability->effect_kind == ABILITY_EFFECT_EFFECT && (BUFFS & MARK(ability->effect)) != 0);
}

/* [6.2]; one case per area. */
uint32_t ultimate_war_targets(const WarContent *content, const WarState *state, uint8_t unit,
                              const Ability *ability, uint8_t direction) {
    const Lines *lines = &content->lines;
    uint8_t cell = state->champions[unit].cell, seat = seat_of(unit);
    uint32_t within = lines->within[cell][ability->range];
    uint32_t touched = state->sides[helps(ability) ? seat : opponent(seat)];
    if (ability->area == AREA_TEAM) /* [6.4] */
        return touched & within;
    if (ability->effect_kind == ABILITY_EFFECT_DAMAGE)
        touched |= state->covers;
    switch (ability->area) {
    case AREA_SELF: /* [6.3] */
        return 1u << cell;
    case AREA_SURROUND: /* [6.5] */
        return touched & lines->around[cell];
    case AREA_DIRECTIONAL: /* [6.6] */
        return touched & within & lines->rays[cell][direction];
    default: /* [6.7] */
        assert(ability->area == AREA_SINGLE);
        return touched & within;
    }
}

/* The farthest cell of a line, or the cell where it would begin if the edge is there. */
static uint8_t line_end(const Lines *lines, uint8_t cell, uint8_t direction, uint8_t range) {
    uint32_t line = lines->rays[cell][direction] & lines->within[cell][range];
    if (line == 0)
        return cell;
    bool upwards = grid_dx[direction] + grid_dy[direction] > 0; /* numbers of cells rise */
    return (uint8_t)(upwards ? 31 - __builtin_clz(line) : __builtin_ctz(line));
}

/* The nearest of these cells in a line, or CELL_NONE. */
static uint8_t nearest(uint32_t cells, uint8_t direction) {
    if (cells == 0)
        return CELL_NONE;
    bool upwards = grid_dx[direction] + grid_dy[direction] > 0;
    return (uint8_t)(upwards ? __builtin_ctz(cells) : 31 - __builtin_clz(cells));
}

/* --- Damage ----------------------------------------------------------------------------------- */

/* Appends an event between a unit on its cell and a unit or cover on another cell. */
static void emit_between(const WarState *state, MashEventKind kind, uint8_t unit, uint8_t to,
                         uint8_t what, MashEvents *events) {
    if (events == NULL)
        return;
    MashEvent event =
        event_new(kind, unit, state->units[to] == unit ? MASH_UNIT_NONE : state->units[to]);
    event.from_x = column_of(state->champions[unit].cell);
    event.from_y = row_of(state->champions[unit].cell);
    event.x = column_of(to);
    event.y = row_of(to);
    event.what = what;
    event_add(events, event);
}

/* [5.4] */
static void hurt_cover(WarState *state, uint8_t cell, int32_t amount, uint8_t by,
                       MashEvents *events) {
    int32_t health = state->cover_health[cell];
    int32_t lost = amount < health ? amount : health;
    state->cover_health[cell] = (uint16_t)(health - lost);
    MashEvent event = event_new(MASH_EVENT_GROUND_HURT, by, MASH_UNIT_NONE);
    event.x = column_of(cell);
    event.y = row_of(cell);
    event.amount = lost;
    event_add(events, event);
    if (lost < health)
        return;
    state->covers &= ~(1u << cell);
    event.kind = MASH_EVENT_GROUND_CHANGED;
    event.amount = 0;
    event.what = GROUND_FLOOR;
    event_add(events, event);
}

/* Takes health down to 0; a champion without health is not removed yet [6.12]. */
static void hurt(WarState *state, uint8_t unit, int32_t amount, uint8_t by, MashEvents *events) {
    Champion *champion = &state->champions[unit];
    int32_t lost = amount < champion->health ? amount : champion->health;
    champion->health -= lost;
    uint32_t *damage = &state->figures[by].damage;
    *damage = *damage + (uint32_t)lost > VALUE_MOST ? VALUE_MOST : *damage + (uint32_t)lost;
    MashEvent event = event_new(MASH_EVENT_HURT, unit, by);
    event.x = column_of(champion->cell);
    event.y = row_of(champion->cell);
    event.amount = lost;
    event_add(events, event);
}

/* --- Moves and attacks ------------------------------------------------------------------------ */

/* [5.1] */
void ultimate_war_move(WarState *state, uint8_t unit, uint8_t cell, MashEvents *events) {
    Champion *champion = &state->champions[unit];
    uint8_t from = champion->cell;
    champion->points -= COST_MOVE;
    state->sides[seat_of(unit)] ^= 1u << from | 1u << cell;
    state->units[from] = MASH_UNIT_NONE;
    state->units[cell] = unit;
    champion->cell = cell;
    state->figures[unit].steps++;
    MashEvent event = event_new(MASH_EVENT_MOVED, unit, MASH_UNIT_NONE);
    event.from_x = column_of(from);
    event.from_y = row_of(from);
    event.x = column_of(cell);
    event.y = row_of(cell);
    event_add(events, event);
}

/* An enemy champion is hit [5.5] [5.6] [5.7]. */
static void strike(const WarContent *content, WarState *state, uint8_t unit, uint8_t target,
                   MashChance *chance, MashEvents *events) {
    const Champion *attacker = &state->champions[unit], *victim = &state->champions[target];
    if (has_effect(victim, EFFECT_DODGE) && chance_below(chance, 2) == 1) {
        emit_between(state, MASH_EVENT_MISSED, unit, victim->cell, ABILITY_ATTACK, events);
        return;
    }
    if (has_effect(victim, EFFECT_SHIELD)) {
        ultimate_war_shield_end(state, target, events);
        return;
    }
    bool other_type = kind_of(content, attacker)->type != kind_of(content, victim)->type;
    int32_t damage =
        other_type ? ultimate_war_raised(attacker->damage, TYPE_PERCENT) : attacker->damage;
    hurt(state, target, damage, unit, events);
    if (victim->health == 0)
        ultimate_war_knock_out(state, target, unit, events);
}

/* [5.2] [5.3]; the attacker's conditions no longer matter [5.8]. */
void ultimate_war_attack(const WarContent *content, WarState *state, uint8_t unit,
                         uint8_t direction, MashChance *chance, MashEvents *events) {
    Champion *attacker = &state->champions[unit];
    uint8_t range = kind_of(content, attacker)->range;
    uint32_t line = content->lines.rays[attacker->cell][direction] &
                    content->lines.within[attacker->cell][range];
    uint8_t cell =
        nearest(line & (state->covers | state->sides[opponent(seat_of(unit))]), direction);
    attacker->points -= COST_ATTACK;
    if (cell == CELL_NONE) {
        if (events != NULL)
            emit_between(state, MASH_EVENT_ATTACKED, unit,
                         line_end(&content->lines, attacker->cell, direction, range),
                         ABILITY_ATTACK, events);
        return;
    }
    emit_between(state, MASH_EVENT_ATTACKED, unit, cell, ABILITY_ATTACK, events);
    if (state->units[cell] == MASH_UNIT_NONE)
        hurt_cover(state, cell, attacker->damage, unit, events);
    else
        strike(content, state, unit, state->units[cell], chance, events);
}

/* --- Casts ------------------------------------------------------------------------------------ */

/* What an ability does to one champion [6.9] [6.10] [6.11]. */
static void affect(const WarContent *content, WarState *state, uint8_t unit, uint8_t target,
                   AbilityNow power, MashEvents *events) {
    const Ability *ability = power.ability;
    if (ability->effect_kind == ABILITY_EFFECT_EFFECT)
        ultimate_war_effect_begin(content, state, target, ability->effect, ability->turns, unit,
                                  events);
    else if (ability->effect_kind == ABILITY_EFFECT_HEAL)
        ultimate_war_heal(content, state, target, power.amount, unit, events);
    else if (has_effect(&state->champions[target], EFFECT_SHIELD))
        ultimate_war_shield_end(state, target, events);
    else
        hurt(state, target, power.amount, unit, events);
}

/* [6.12] */
static void pay(WarState *state, MashAction action, const Ability *ability) {
    Champion *caster = &state->champions[action.unit];
    caster->mana -= ability->mana;
    caster->points = (int8_t)(caster->points - ability->points);
    if (action.ability == ABILITY_PUNCH)
        caster->punch_cooldowns[action.other] = ability->cooldown;
    else
        caster->cooldowns[(action.ability - ABILITY_KINDS) % SLOTS] = ability->cooldown;
    state->figures[action.unit].casts++;
}

/* Appends the event that an ability is used, and on which cell. */
static void emit_cast(const WarContent *content, const WarState *state, MashAction action,
                      const Ability *ability, MashEvents *events) {
    if (events == NULL)
        return;
    uint8_t cell = state->champions[action.unit].cell, to = cell;
    if (ability->area == AREA_SINGLE)
        to = cell_at(action.x, action.y);
    if (ability->area == AREA_DIRECTIONAL)
        to = line_end(&content->lines, cell, action.amount, ability->range);
    emit_between(state, MASH_EVENT_USED, action.unit, to, action.ability, events);
}

/* The enemies of a seat that have no health left are knocked out [6.12]. */
static void clear_out(WarState *state, uint8_t unit, MashEvents *events) {
    uint8_t first = (uint8_t)(TEAM * opponent(seat_of(unit)));
    for (uint8_t enemy = first; enemy < first + TEAM; enemy++)
        if (state->champions[enemy].cell != CELL_NONE && state->champions[enemy].health == 0)
            ultimate_war_knock_out(state, enemy, unit, events);
}

/* A cast may affect nobody [6.8]. */
void ultimate_war_cast(const WarContent *content, WarState *state, MashAction action,
                       MashEvents *events) {
    uint8_t unit = action.unit;
    AbilityNow power =
        ultimate_war_ability_now(content, &state->champions[unit], action.ability, action.other);
    uint32_t cells = ultimate_war_targets(content, state, unit, power.ability, action.amount);
    if (power.ability->area == AREA_SINGLE)
        cells = 1u << cell_at(action.x, action.y);
    emit_cast(content, state, action, power.ability, events);
    while (cells != 0) {
        uint8_t cell = cell_take(&cells);
        if (state->units[cell] == MASH_UNIT_NONE)
            hurt_cover(state, cell, power.amount, unit, events);
        else
            affect(content, state, unit, state->units[cell], power, events);
    }
    pay(state, action, power.ability);
    if (power.ability->effect_kind == ABILITY_EFFECT_DAMAGE)
        clear_out(state, unit, events);
}

/* --- Leader abilities ------------------------------------------------------------------------- */

/* All debuffs of a champion end, in the order of his list. */
static void cleanse(WarState *state, uint8_t unit, MashEvents *events) {
    Champion *champion = &state->champions[unit];
    for (uint8_t place = 0; place < champion->effects_count;) {
        if ((BUFFS & MARK(champion->effects[place] >> 4)) != 0)
            place++;
        else
            ultimate_war_effect_end(state, unit, place, events);
    }
}

/* What a leader does to one living champion [8.2] [8.3] [8.4]. */
static void command_on(const WarContent *content, WarState *state, uint8_t unit, uint8_t target,
                       MashEvents *events) {
    const Champion *champion = &state->champions[target];
    bool own = seat_of(unit) == seat_of(target);
    switch (kind_of(content, &state->champions[unit])->type) {
    case TYPE_HERO:
        if (!own)
            return;
        cleanse(state, target, events);
        ultimate_war_effect_begin(content, state, target, EFFECT_EMBRACE, LEADER_TURNS, unit,
                                  events);
        return;
    case TYPE_VILLAIN:
        if (!own && 10 * champion->health < WEAK_PERCENT / 10 * kind_of(content, champion)->health)
            ultimate_war_knock_out(state, target, unit, events);
        return;
    default:
        if (target != state->leaders[0] && target != state->leaders[1])
            ultimate_war_effect_begin(content, state, target, EFFECT_STUN, LEADER_TURNS, unit,
                                      events);
    }
}

/* [8.1] */
void ultimate_war_command(const WarContent *content, WarState *state, uint8_t unit,
                          MashEvents *events) {
    uint8_t type = kind_of(content, &state->champions[unit])->type;
    state->commands |= (uint8_t)(1 << seat_of(unit));
    state->figures[unit].casts++;
    emit_between(state, MASH_EVENT_USED, unit, state->champions[unit].cell,
                 (uint8_t)(ABILITY_LEADER + type), events);
    for (uint8_t target = 0; target < UNITS; target++)
        if (state->champions[target].cell != CELL_NONE)
            command_on(content, state, unit, target, events);
}
