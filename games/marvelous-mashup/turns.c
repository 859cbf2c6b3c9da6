/* turns.c -- rounds, their order, and whose turn comes next.
 *
 * The loop in marvelous_next_turn() ends: either a standing hero gets its turn, or Thanos, who
 * alone can knock out the last one standing, brings the end of the match nearer with each of his
 * turns. */
#include "engine/events.h"
#include "games/marvelous-mashup/state.h"

/* A random order of all units on the board [5.2], Goose before it [9.1], Stan Lee before or after
 * it [10.1]. */
static void draw_order(const TurnContext *play) {
    MarvelousState *state = play->state;
    uint32_t first = 0, count = 0;
    bool stan = state->round == STAN_ROUND, stan_first = state->rules == RULES_CUSTOMER;
    if (state->round <= GOOSE_ROUNDS)
        state->order[count++] = UNIT_GOOSE;
    if (stan && stan_first)
        state->order[count++] = UNIT_STAN;
    first = count;
    for (uint8_t unit = 0; unit < ACTORS; unit++)
        if (on_board(state, unit))
            state->order[count++] = unit;
    for (uint32_t left = count - first; left > 1; left--) {
        uint32_t drawn = chance_below(play->chance, left);
        uint8_t last = state->order[first + left - 1];
        state->order[first + left - 1] = state->order[first + drawn];
        state->order[first + drawn] = last;
    }
    if (stan && !stan_first)
        state->order[count++] = UNIT_STAN;
    for (uint32_t i = count; i < ORDER_MAX; i++)
        state->order[i] = 0;
    state->order_count = (uint8_t)count;
    state->order_next = 0;
}

/* Appends the events that a round begins, and its order, places counted from 1. */
static void emit_order(const TurnContext *play) {
    const MarvelousState *state = play->state;
    MashEvent began = event_new(MASH_EVENT_ROUND_BEGAN, MASH_UNIT_NONE, MASH_UNIT_NONE);
    began.amount = state->round;
    event_add(play->events, began);
    for (uint8_t i = 0; i < state->order_count; i++) {
        MashEvent event = event_new(MASH_EVENT_ORDER_SET, state->order[i], MASH_UNIT_NONE);
        event.amount = i + 1;
        event_add(play->events, event);
    }
}

/* [5.1] */
static void begin_round(const TurnContext *play) {
    MarvelousState *state = play->state;
    state->round++;
    for (uint8_t stone = 0; stone < STONES; stone++)
        if (state->stones[stone].cooldown > 0)
            state->stones[stone].cooldown--;
    if (marvelous_thanos_due(play->content, state))
        marvelous_thanos_arrives(play);
    draw_order(play);
    emit_order(play);
}

/* Appends the event that a unit's turn begins or ends. */
static void emit_turn(const TurnContext *play, MashEventKind kind, uint8_t unit) {
    event_add(play->events, event_new(kind, unit, unit < HEROES ? seat_of(unit) : MASH_SEAT_NONE));
}

/* The whole turn of Goose, Stan Lee or Thanos; without the event of its end if the match ended. */
static void npc_turn(const TurnContext *play, uint8_t unit) {
    emit_turn(play, MASH_EVENT_TURN_BEGAN, unit);
    if (unit == UNIT_GOOSE)
        marvelous_goose(play);
    else if (unit == UNIT_STAN)
        marvelous_stan(play);
    else
        marvelous_thanos(play);
    if (!play->state->common.over)
        emit_turn(play, MASH_EVENT_TURN_ENDED, unit);
}

/* A hero's turn begins with full points [5.4]; a knocked-out one [3.2] is skipped [5.3]. */
static void hero_turn(const TurnContext *play, uint8_t hero) {
    MarvelousState *state = play->state;
    Actor *actor = &state->actors[hero];
    emit_turn(play, MASH_EVENT_TURN_BEGAN, hero);
    if (actor->health == 0) {
        emit_turn(play, MASH_EVENT_TURN_ENDED, hero);
        return;
    }
    const MarvelousKind *kind = &play->content->kinds[actor->kind];
    actor->moves = kind->moves;
    actor->actions = kind->actions;
    state->active = hero;
    play->figures[hero].turns++;
}

void marvelous_next_turn(const TurnContext *play) {
    MarvelousState *state = play->state;
    state->active = MASH_UNIT_NONE;
    while (state->active == MASH_UNIT_NONE && !state->common.over) {
        if (state->order_next == state->order_count)
            begin_round(play);
        uint8_t unit = state->order[state->order_next++];
        if (unit >= HEROES)
            npc_turn(play, unit);
        else if (on_board(state, unit))
            hero_turn(play, unit);
    }
}

/* By the player [5.5] or by the clock [5.6]. */
void marvelous_end_turn(const TurnContext *play) {
    emit_turn(play, MASH_EVENT_TURN_ENDED, play->state->active);
    marvelous_next_turn(play);
}
