/* draft.c -- the draft of six heroes: offers, secret choices, what a view hides, placing the
 * heroes.
 *
 * Offers are ascending by kind, which is ascending by characterID. A view has KIND_HIDDEN in place
 * of an offer it may not know. When the draft is over, offers and choices are cleared. */
#include <string.h>

#include "engine/events.h"
#include "games/marvelous-mashup/state.h"

/* Draws `count` kinds that no seat has yet for a seat, in ascending order. */
static void draw_offer(MashChance *chance, uint8_t *owners, uint32_t kinds, uint8_t seat,
                       uint8_t *offer) {
    uint8_t list[KINDS_MAX];
    uint32_t left = 0;
    for (uint32_t i = 0; i < kinds; i++)
        if (owners[i] == MASH_SEAT_NONE)
            list[left++] = (uint8_t)i;
    for (uint32_t i = 0; i < OFFERED; i++) {
        uint32_t drawn = chance_below(chance, left);
        owners[list[drawn]] = seat;
        list[drawn] = list[--left];
    }
    for (uint32_t i = 0; i < kinds; i++)
        if (owners[i] == seat)
            *offer++ = (uint8_t)i;
}

/* [4.1] */
void marvelous_offer(const TurnContext *play) {
    uint8_t owners[KINDS_MAX];
    memset(owners, MASH_SEAT_NONE, sizeof owners);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        draw_offer(play->chance, owners, play->content->kinds_count, seat,
                   play->state->offers[seat]);
}

/* How many of its offer the seat has chosen [4.2]. */
static uint32_t picked_count(const MarvelousState *state, uint8_t seat) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < OFFERED; i++)
        count += state->picked[seat] >> i & 1;
    return count;
}

/* Both at the same time [4.2]. */
uint32_t marvelous_choosing(const MarvelousState *state) {
    uint32_t seats = 0;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (picked_count(state, seat) < TEAM)
            seats |= 1u << seat;
    return seats;
}

/* The first of the twelve units on offer to a seat. */
static uint8_t first_offer(uint8_t seat) { return (uint8_t)(UNIT_OFFERS + OFFERED * seat); }

/* A refusal depends only on the seat's own offer and choice [4.3]. */
MashStatus marvelous_check_choose(const MarvelousState *state, MashAction action) {
    MashAction bare = {.verb = VERB_CHOOSE, .seat = action.seat, .unit = action.unit};
    if (mash_action_compare(action, bare) != 0)
        return MASH_NO_SUCH_ACTION;
    uint8_t first = first_offer(action.seat);
    if (action.unit < first || action.unit >= first + OFFERED)
        return MASH_NOT_OFFERED;
    return state->picked[action.seat] >> (action.unit - first) & 1 ? MASH_ALREADY_TAKEN : MASH_OK;
}

uint32_t marvelous_list_choose(const MarvelousState *state, uint8_t seat, MashAction *out) {
    uint32_t count = 0;
    for (uint8_t i = 0; i < OFFERED; i++)
        if (!(state->picked[seat] >> i & 1))
            out[count++] = (MashAction){
                .verb = VERB_CHOOSE, .seat = seat, .unit = (uint8_t)(first_offer(seat) + i)};
    return count;
}

/* Reveals the hero to all; it has full points and no cell yet. */
static void reveal(const TurnContext *play, uint8_t hero) {
    Actor *actor = &play->state->actors[hero];
    const MarvelousKind *kind = kind_of(play->content, play->state, hero);
    actor->health = kind->health;
    actor->moves = kind->moves;
    actor->actions = kind->actions;
    MashEvent event = event_new(MASH_EVENT_REVEALED, hero, MASH_UNIT_NONE);
    event.what = actor->kind;
    event_add(play->events, event);
}

/* Heroes get their numbers [4.5] and random cells [4.6]; the choice is cleared. */
static void place_heroes(const TurnContext *play) {
    MarvelousState *state = play->state;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        uint8_t hero = (uint8_t)(seat * TEAM);
        for (uint8_t i = 0; i < OFFERED; i++)
            if (state->picked[seat] >> i & 1)
                state->actors[hero++].kind = state->offers[seat][i];
    }
    memset(state->picked, 0, sizeof state->picked);
    memset(state->offers, 0, sizeof state->offers);
    for (uint8_t hero = 0; hero < HEROES; hero++)
        reveal(play, hero);
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        Cell cell = marvelous_free_anywhere(play);
        marvelous_put(play, hero, cell);
        event_add(play->events, marvelous_event(play, MASH_EVENT_PLACED, hero, MASH_UNIT_NONE));
    }
}

bool marvelous_choose(const TurnContext *play, MashAction action) {
    MarvelousState *state = play->state;
    uint8_t place = (uint8_t)(action.unit - first_offer(action.seat));
    state->picked[action.seat] = (uint16_t)(state->picked[action.seat] | 1u << place);
    MashEvent event = event_new(MASH_EVENT_CHOSEN, MASH_UNIT_NONE, action.seat);
    event.seen_by = (uint8_t)(1 << action.seat);
    event.what = state->offers[action.seat][place];
    event_add(play->events, event);
    if (marvelous_choosing(state) != 0)
        return false;
    place_heroes(play);
    return true;
}

/* --- Views ------------------------------------------------------------------------------------ */

/* [4.3] */
void marvelous_hide(const MashContent *loaded, void *raw_state, uint8_t seat) {
    (void)loaded;
    MarvelousState *state = raw_state;
    if (state->phase != PHASE_CHOICE)
        return;
    for (uint8_t other = 0; other < MASH_SEATS; other++)
        if (other != seat) {
            memset(state->offers[other], KIND_HIDDEN, sizeof state->offers[other]);
            state->picked[other] = 0;
        }
}

/* Some choice of at most `most` from an offer. */
static uint16_t guess_picked(MashChance *chance, uint32_t most) {
    uint8_t places[OFFERED];
    uint32_t left = OFFERED, wanted = chance_below(chance, most + 1);
    uint16_t picked = 0;
    for (uint8_t i = 0; i < OFFERED; i++)
        places[i] = i;
    for (; wanted > 0; wanted--) {
        uint32_t drawn = chance_below(chance, left);
        picked = (uint16_t)(picked | 1u << places[drawn]);
        places[drawn] = places[--left];
    }
    return picked;
}

/* Offers of kinds that no known offer has, and any choice that does not end the draft. */
void marvelous_guess(const MashContent *loaded, void *raw_state, uint8_t seat, MashChance *chance) {
    (void)seat;
    MarvelousState *state = raw_state;
    uint8_t owners[KINDS_MAX];
    if (state->phase != PHASE_CHOICE)
        return;
    memset(owners, MASH_SEAT_NONE, sizeof owners);
    for (uint8_t i = 0; i < MASH_SEATS; i++)
        for (uint32_t j = 0; j < OFFERED && state->offers[i][j] != KIND_HIDDEN; j++)
            owners[state->offers[i][j]] = i;
    for (uint8_t i = 0; i < MASH_SEATS; i++) {
        if (state->offers[i][0] != KIND_HIDDEN)
            continue;
        draw_offer(chance, owners, marvelous_content(loaded)->kinds_count, i, state->offers[i]);
        bool other_done = picked_count(state, (uint8_t)(1 - i)) == TEAM;
        state->picked[i] = guess_picked(chance, other_done ? TEAM - 1 : TEAM);
    }
}
