/* effects.c -- section 7: what an effect does when it begins, and how it is undone when it ends.
 *
 * What an effect changes is a row of a table: percents of speed and attack damage and a number of
 * action points. Undoing divides the current value, so that small losses stay [7.3]. */
#include <string.h>

#include "games/ultimate-war/state.h"

/* --- Exact arithmetic [7.3] ------------------------------------------------------------------- */

/* The published figures come from (int)(value * 1.15) in doubles. The double nearest to 1.15 is
 * 1.15 - 0.4 u with u = 2^-52, so whenever value * 1.15 is a whole number k, the exact product is
 * k - 0.4 value u. Doubles just below k lie s u apart, s being the largest power of two below k;
 * the product is rounded to k if it is at most half of that away (a tie goes to the even one, which
 * is k) and to less otherwise, which truncation makes k - 1. A product that is not whole is at
 * least 0.05 away from the next whole number, where rounding cannot reach. */
static int64_t raised_by_15(int64_t value) {
    int64_t product = value * 115;
    if (product % 100 != 0 || value == 0)
        return product / 100;
    int64_t whole = product / 100, spacing = 1;
    while (2 * spacing < whole)
        spacing *= 2;
    return 4 * value <= 5 * spacing ? whole : whole - 1;
}

/* With all other factors the double product or quotient truncates to the true one: 1.02, 1.05 and
 * 0.9 are a little above, as doubles, and 1.2 is below by so little that rounding makes up. */
int32_t ultimate_war_raised(int32_t value, int percent) {
    assert(value >= 0 && value <= VALUE_MOST);
    int64_t result = percent == 115 ? raised_by_15(value) : (int64_t)value * percent / 100;
    return result > VALUE_MOST ? VALUE_MOST : (int32_t)result;
}

int32_t ultimate_war_lowered(int32_t value, int percent) {
    assert(value >= 0 && value <= VALUE_MOST);
    int64_t result = (int64_t)value * 100 / percent;
    return result > VALUE_MOST ? VALUE_MOST : (int32_t)result;
}

/* --- What effects change ---------------------------------------------------------------------- */

/* What they forbid is checked where it matters: Disarm and Root in check(). */
static const EffectChange changes[EFFECTS] = {
    [EFFECT_DISARM] = {100, 100, 100, 0},   /* [7.4] */
    [EFFECT_DODGE] = {105, 100, 100, 0},    /* [7.5] */
    [EFFECT_EMBRACE] = {120, 120, 100, 0},  /* [7.6] */
    [EFFECT_POWER_UP] = {100, 100, 120, 0}, /* [7.7] */
    [EFFECT_ROOT] = {100, 100, 100, 0},     /* [7.8] */
    [EFFECT_SHIELD] = {102, 100, 100, 0},   /* [7.9] */
    [EFFECT_SHOCK] = {90, 90, 100, -1},     /* [7.10] */
    [EFFECT_SILENCE] = {100, 100, 100, 2},  /* [7.11] */
    [EFFECT_SPEED_UP] = {115, 100, 100, 1}, /* [7.12] */
    [EFFECT_STUN] = {100, 100, 100, 0},     /* [7.13] */
};

EffectChange ultimate_war_effect_change(uint8_t effect) { return changes[effect]; }

/* [7.14] */
static void change_points(Champion *champion, int points) {
    champion->points_turn = (int8_t)(champion->points_turn + points);
    int now = champion->points + points;
    if (now > champion->points_turn)
        now = champion->points_turn;
    champion->points = (int8_t)(now < 0 ? 0 : now);
}

/* Amounts of punches fit 16 bits in play; a recorded state may claim more. */
static uint16_t punch_amount(int32_t amount) {
    return (uint16_t)(amount > UINT16_MAX ? UINT16_MAX : amount);
}

/* PowerUp begins or ends [7.7]: an amount of 0 marks an ability without one and stays 0. */
static void change_amounts(Champion *champion, int percent, bool begins) {
    int32_t (*changed)(int32_t, int) = begins ? ultimate_war_raised : ultimate_war_lowered;
    for (int i = 0; i < SLOTS; i++)
        champion->amounts[i] = changed(champion->amounts[i], percent);
    for (int i = 0; i < champion->punches_count; i++)
        champion->punch_amounts[i] = punch_amount(changed(champion->punch_amounts[i], percent));
}

/* An effect begins to change a champion's numbers, or is undone [7.2]; its permanent changes are
 * not made here. */
static void change(Champion *champion, uint8_t effect, bool begins) {
    const EffectChange *row = &changes[effect];
    int32_t (*changed)(int32_t, int) = begins ? ultimate_war_raised : ultimate_war_lowered;
    if (row->speed != 100)
        champion->speed = changed(champion->speed, row->speed);
    if (row->damage != 100)
        champion->damage = changed(champion->damage, row->damage);
    if (row->amounts != 100)
        change_amounts(champion, row->amounts, begins);
    if (row->points != 0)
        change_points(champion, begins ? row->points : -row->points);
}

/* After all punches that he has [7.4]. */
static void punch_add(const WarContent *content, Champion *champion) {
    if (champion->punches_count == PUNCHES_MAX)
        return; /* only a recorded state has more punches than Disarms */
    champion->punch_amounts[champion->punches_count] = (uint16_t)content->punch.amount;
    champion->punch_cooldowns[champion->punches_count] = 0;
    champion->punches_count++;
}

/* The first punch goes, if there is one [7.4]. */
static void punch_remove(Champion *champion) {
    if (champion->punches_count == 0)
        return;
    uint8_t left = --champion->punches_count;
    memmove(champion->punch_amounts, champion->punch_amounts + 1,
            left * sizeof *champion->punch_amounts);
    memmove(champion->punch_cooldowns, champion->punch_cooldowns + 1, left);
    champion->punch_amounts[left] = 0;
    champion->punch_cooldowns[left] = 0;
}

/* --- Events ----------------------------------------------------------------------------------- */

/* Appends an event about a champion at his cell. */
static void emit_unit(const WarState *state, MashEventKind kind, uint8_t unit, uint8_t other,
                      uint8_t what, int32_t amount, MashEvents *events) {
    if (events == NULL)
        return;
    MashEvent event = event_new(kind, unit, other);
    event.x = column_of(state->champions[unit].cell);
    event.y = row_of(state->champions[unit].cell);
    event.what = what;
    event.amount = amount;
    event_add(events, event);
}

void ultimate_war_heal(const WarContent *content, WarState *state, uint8_t unit, int32_t amount,
                       uint8_t by, MashEvents *events) {
    Champion *champion = &state->champions[unit];
    int32_t missing = kind_of(content, champion)->health - champion->health;
    int32_t gained = amount < missing ? amount : missing;
    if (gained == 0)
        return;
    champion->health += gained;
    uint32_t *healing = &state->figures[by].healing;
    *healing = *healing + (uint32_t)gained > VALUE_MOST ? VALUE_MOST : *healing + (uint32_t)gained;
    emit_unit(state, MASH_EVENT_HEALED, unit, by, 0, gained, events);
}

/* What stays when Embrace has ended [7.6]. */
static void embrace(const WarContent *content, WarState *state, uint8_t unit, uint8_t by,
                    MashEvents *events) {
    Champion *champion = &state->champions[unit];
    ultimate_war_heal(content, state, unit,
                      kind_of(content, champion)->health / (100 / EMBRACE_PERCENT), by, events);
    int32_t before = champion->mana;
    champion->mana = ultimate_war_raised(before, 100 + EMBRACE_PERCENT);
    if (champion->mana != before)
        emit_unit(state, MASH_EVENT_CHANGED, unit, MASH_UNIT_NONE, METER_MANA,
                  champion->mana - before, events);
}

/* --- Beginning and ending --------------------------------------------------------------------- */

/* [7.1] */
void ultimate_war_effect_begin(const WarContent *content, WarState *state, uint8_t unit,
                               uint8_t effect, uint8_t turns, uint8_t by, MashEvents *events) {
    Champion *champion = &state->champions[unit];
    if (champion->effects_count == EFFECTS_MAX)
        return;
    champion->effects[champion->effects_count++] = (uint8_t)(effect << 4 | turns);
    champion->marks |= (uint16_t)MARK(effect);
    emit_unit(state, MASH_EVENT_EFFECT_BEGAN, unit, by, effect, turns, events);
    change(champion, effect, true);
    if (effect == EFFECT_DISARM)
        punch_add(content, champion);
    if (effect == EFFECT_EMBRACE)
        embrace(content, state, unit, by, events);
}

/* Out of the list first, then undone [7.2]. */
void ultimate_war_effect_end(WarState *state, uint8_t unit, uint8_t place, MashEvents *events) {
    Champion *champion = &state->champions[unit];
    assert(place < champion->effects_count);
    uint8_t effect = champion->effects[place] >> 4, left = --champion->effects_count;
    memmove(champion->effects + place, champion->effects + place + 1, (size_t)(left - place));
    champion->effects[left] = 0;
    champion->marks = 0;
    for (int i = 0; i < left; i++)
        champion->marks |= (uint16_t)MARK(champion->effects[i] >> 4);
    change(champion, effect, false);
    if (effect == EFFECT_DISARM)
        punch_remove(champion);
    emit_unit(state, MASH_EVENT_EFFECT_ENDED, unit, MASH_UNIT_NONE, effect, 0, events);
}

/* [5.6] [6.9] */
void ultimate_war_shield_end(WarState *state, uint8_t unit, MashEvents *events) {
    const Champion *champion = &state->champions[unit];
    assert(has_effect(champion, EFFECT_SHIELD));
    uint8_t place = 0;
    while (champion->effects[place] >> 4 != EFFECT_SHIELD)
        place++;
    ultimate_war_effect_end(state, unit, place, events);
}

uint8_t ultimate_war_condition(const Champion *champion) {
    if (champion->cell == CELL_NONE)
        return CONDITION_OUT;
    if (has_effect(champion, EFFECT_STUN))
        return CONDITION_INACTIVE;
    return has_effect(champion, EFFECT_ROOT) ? CONDITION_ROOTED : CONDITION_ACTIVE;
}
