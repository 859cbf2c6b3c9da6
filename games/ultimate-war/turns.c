/* turns.c -- section 4: the queue, the end of a turn, ticking; removal of knocked-out champions
 * [9.1]. */
#include <string.h>

#include "games/ultimate-war/state.h"

/* Appends the event that the unit's turn begins or ends; a stunned one's never begins. */
static void emit_turn(MashEventKind kind, uint8_t unit, bool stunned, MashEvents *events) {
    if (events == NULL)
        return;
    MashEvent event = event_new(kind, unit, seat_of(unit));
    event.what = stunned ? EFFECT_STUN : 0;
    event_add(events, event);
}

/* Does `a` come before `b` in a queue? [4.1] */
static bool before(const WarContent *content, const Champion *a, const Champion *b) {
    if (a->speed != b->speed)
        return a->speed > b->speed;
    return kind_of(content, a)->rank < kind_of(content, b)->rank;
}

/* Fills the empty queue with all in play, the fastest first [4.1]. */
static void fill_queue(const WarContent *content, WarState *state) {
    assert(state->queue_count == 0);
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        const Champion *champion = &state->champions[unit];
        if (champion->cell == CELL_NONE)
            continue;
        uint8_t place = state->queue_count++;
        for (; place > 0; place--) {
            uint8_t other = state->queue[place - 1];
            if (before(content, &state->champions[other], champion))
                break;
            state->queue[place] = other;
        }
        state->queue[place] = unit;
    }
}

/* The next round begins [4.1]; its events give the order, places counted from 1. */
static void begin_round(const WarContent *content, WarState *state, MashEvents *events) {
    state->round++;
    fill_queue(content, state);
    if (events == NULL)
        return;
    MashEvent event = event_new(MASH_EVENT_ROUND_BEGAN, MASH_UNIT_NONE, MASH_UNIT_NONE);
    event.amount = state->round;
    event_add(events, event);
    for (uint8_t i = 0; i < state->queue_count; i++) {
        MashEvent order = event_new(MASH_EVENT_ORDER_SET, state->queue[i], MASH_UNIT_NONE);
        order.amount = i + 1;
        event_add(events, order);
    }
}

/* The champion at this place leaves the queue; the others keep their order [9.1]. */
static void leave_queue(WarState *state, uint8_t place) {
    uint8_t left = --state->queue_count;
    memmove(state->queue + place, state->queue + place + 1, (size_t)(left - place));
    state->queue[left] = 0;
}

/* Decrements each cooldown above 0 [4.6]. */
static void cool_down(uint8_t *cooldowns, int count) {
    for (int i = 0; i < count; i++)
        if (cooldowns[i] > 0)
            cooldowns[i]--;
}

/* [4.6] */
static void tick(WarState *state, uint8_t unit, MashEvents *events) {
    Champion *champion = &state->champions[unit];
    for (uint8_t place = 0; place < champion->effects_count;) {
        champion->effects[place]--;
        if ((champion->effects[place] & 15) == 0)
            ultimate_war_effect_end(state, unit, place, events);
        else
            place++;
    }
    cool_down(champion->cooldowns, SLOTS);
    cool_down(champion->punch_cooldowns, champion->punches_count);
}

/* [3.6] */
void ultimate_war_begin(const WarContent *content, WarState *state, MashEvents *events) {
    begin_round(content, state, events);
    state->figures[state->queue[0]].turns++;
    emit_turn(MASH_EVENT_TURN_BEGAN, state->queue[0], false, events);
}

/* [4.3]; a match of 100 rounds is over [9.3]. Each pass but the last ticks a stunned champion, so
 * the loop ends when no Stun is left. */
void ultimate_war_end_turn(const WarContent *content, WarState *state, MashEvents *events) {
    uint8_t head = state->queue[0];
    bool stunned = false;
    do {
        emit_turn(MASH_EVENT_TURN_ENDED, head, stunned, events);
        if (stunned) /* [4.4] */
            tick(state, head, events);
        leave_queue(state, 0);
        if (state->queue_count == 0 && state->round == ROUNDS) {
            common_end(&state->common, MASH_SEAT_NONE, REASON_ROUNDS, events);
            return;
        }
        if (state->queue_count == 0)
            begin_round(content, state, events);
        head = state->queue[0];
        stunned = has_effect(&state->champions[head], EFFECT_STUN);
    } while (stunned);
    Champion *champion = &state->champions[head];
    emit_turn(MASH_EVENT_TURN_BEGAN, head, false, events);
    tick(state, head, events); /* [4.5] */
    champion->points = champion->points_turn < 0 ? 0 : champion->points_turn;
    state->figures[head].turns++;
}

void ultimate_war_knock_out(WarState *state, uint8_t unit, uint8_t by, MashEvents *events) {
    Champion *champion = &state->champions[unit];
    uint8_t cell = champion->cell, kind = champion->kind;
    assert(cell != CELL_NONE);
    state->sides[seat_of(unit)] &= ~(1u << cell);
    state->units[cell] = MASH_UNIT_NONE;
    memset(champion, 0, sizeof *champion);
    champion->kind = kind;
    champion->cell = CELL_NONE;
    for (uint8_t place = 0; place < state->queue_count; place++)
        if (state->queue[place] == unit)
            leave_queue(state, place);
    state->figures[by].knock_outs++;
    MashEvent event = event_new(MASH_EVENT_DIED, unit, by);
    event.x = column_of(cell);
    event.y = row_of(cell);
    event_add(events, event);
}
