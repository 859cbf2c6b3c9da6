/* net_input.c -- see net_input.h. */
#define SIDES 1
#define FOR_PROCESSOR
#include "games/marvelous-mashup/net_rows.h"

#include "games/marvelous-mashup/gather.h"

enum { ROUNDS_MOST = 20 };

/* The number, but no more than the limit. */
static inline int at_most(int number, int most) { return number < most ? number : most; }

/* A number in units of `one`. */
static inline int16_t scaled(int number, int one) {
    return (int16_t)(number * TABLE_NET_ONE / one);
}

/* The features of a side: each stone, half while it cools down, the most stones it ever held, and
 * its heroes that are down. */
static inline void fill_sides(const MarvelousState *state, TableNetInput *out) {
    for (int stone = 0; stone < STONES; stone++) {
        const Stone *held = &state->stones[stone];
        if (held->holder < HEROES)
            out->sides[seat_of(held->holder)][stone] = scaled(1, held->cooldown > 0 ? 2 : 1);
    }
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        out->sides[seat][STONES] = scaled(state->most_stones[seat], 4);
        out->sides[seat][STONES + 1] = scaled(TEAM - out->counts[seat], 2);
    }
}

/* The features of the time. */
static inline void fill_time(const MarvelousState *state, int16_t *out) {
    int inside = 0;
    for (int stone = 0; stone < STONES; stone++)
        inside += state->stones[stone].holder == HELD_BY_GOOSE;
    out[0] = scaled(at_most(state->round, ROUNDS_MOST), 8);
    out[1] = scaled(inside, 4);
    out[2] = scaled(state->order_count - state->order_next, HEROES);
}

void marvelous_rows(const MarvelousContent *content, const MarvelousState *state,
                    TableNetInput *out) {
    fill_rows(content, state, out);
}

bool marvelous_net_input(const MashContent *loaded, const void *raw_state, TableNetInput *out) {
    const MarvelousContent *content = marvelous_content(loaded);
    const MarvelousState *state = raw_state;
    if (state->phase == PHASE_CHOICE || gather_seat(state) != MASH_SEAT_NONE)
        return false;
    memset(out->sides, 0, sizeof out->sides);
    memset(out->table, 0, sizeof out->table);
    if (MARVELOUS_HAS_WIDE)
        marvelous_rows_wide(content, state, out);
    else
        marvelous_rows(content, state, out);
    fill_sides(state, out);
    fill_time(state, out->table);
    return true;
}
