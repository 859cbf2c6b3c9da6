/* net_input.c -- see net_input.h. */
#include "games/marvelous-mashup/net_input.h"

#include <string.h>

#include "games/marvelous-mashup/gather.h"

/* Unusual content may go far beyond the training data: features are clamped. */
enum {
    DAMAGE_MOST = 200,
    STRIKES_MOST = 4,
    TURN_DAMAGE_MOST = 300,
    HEALTH_MOST = 300,
    REACH_MOST = 10,
    MOVES_MOST = 8,
    STEPS_MOST = 20,
    ROUNDS_MOST = 20,
    DANGER_MOST = 3 * TABLE_NET_ONE,
};

/* The number, but no more than the limit. */
static inline int at_most(int number, int most) { return number < most ? number : most; }

/* What a hero can do and suffer until the end of its next turn. */
typedef struct UnitThreats {
    const MarvelousKind *kind;
    int wait;                                     /* turns of others before its own */
    int melee, melee_reach, ranged, ranged_reach; /* damage of the turn, and how far away */
    int blow;                                     /* greatest damage to one enemy in its reach */
    bool fells;                                   /* can it knock out an enemy? */
    int foes;                                     /* enemies that can reach it before its turn, */
    int danger;                                   /* their total damage, */
    int worst;                                    /* and the greatest of them */
    int nearest;
} UnitThreats;

/* --- Threats ---------------------------------------------------------------------------------- */

/* The damage of a turn with these points, and from how far away. */
static void set_turn(UnitThreats *own, int moves, int actions) {
    int strikes = at_most(actions, STRIKES_MOST);
    moves = at_most(moves, MOVES_MOST);
    own->melee = at_most(own->kind->melee, DAMAGE_MOST) * strikes;
    own->melee_reach = moves + 1;
    own->ranged = at_most(own->kind->ranged, DAMAGE_MOST) * strikes;
    own->ranged_reach = moves + own->kind->reach;
}

/* When each hero's turn comes, and with how many points. Heroes who had theirs are expected in the
 * middle of the next round. */
static void wait_for_turns(const MarvelousContent *content, const MarvelousState *state,
                           UnitThreats *outlooks) {
    int left = state->order_count - state->order_next;
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        const MarvelousKind *kind = kind_of(content, state, hero);
        outlooks[hero] = (UnitThreats){.kind = kind, .wait = left + TEAM, .nearest = STEPS_MOST};
        set_turn(&outlooks[hero], kind->moves, kind->actions);
    }
    for (int i = state->order_next; i < state->order_count; i++)
        if (state->order[i] < HEROES)
            outlooks[state->order[i]].wait = i - state->order_next + 1;
    if (state->active < HEROES) {
        const Actor *actor = &state->actors[state->active];
        outlooks[state->active].wait = 0;
        set_turn(&outlooks[state->active], actor->moves, actor->actions);
    }
}

/* What one hero can do to an enemy with this health in its next turn, ignoring all obstacles. */
static inline void add_threat(UnitThreats *own, UnitThreats *other, int distance, int health) {
    int melee = distance <= own->melee_reach ? own->melee : 0;
    int ranged = distance <= own->ranged_reach ? own->ranged : 0;
    int damage = melee > ranged ? melee : ranged;
    int done = at_most(damage, health);
    own->nearest = at_most(distance, own->nearest);
    own->blow = done > own->blow ? done : own->blow;
    own->fells = own->fells || damage >= health;
    if (damage > 0 && (own->wait < other->wait || other->wait == 0)) {
        other->foes++;
        other->danger += damage;
        other->worst = damage > other->worst ? damage : other->worst;
    }
}

/* All pairs of enemies. */
static void collect_threats(const MarvelousState *state, const uint8_t *stands,
                            UnitThreats *outlooks) {
    for (uint8_t hero = 0; hero < TEAM; hero++) {
        const Actor *actor = &state->actors[hero];
        for (uint8_t enemy = TEAM; stands[hero] && enemy < HEROES; enemy++) {
            const Actor *victim = &state->actors[enemy];
            if (!stands[enemy])
                continue;
            int distance = grid_chebyshev(actor->x, actor->y, victim->x, victim->y);
            add_threat(&outlooks[hero], &outlooks[enemy], distance, victim->health);
            add_threat(&outlooks[enemy], &outlooks[hero], distance, actor->health);
        }
    }
}

/* --- Features --------------------------------------------------------------------------------- */

/* A number in units of `one`. */
static inline int16_t scaled(int number, int one) {
    return (int16_t)(number * TABLE_NET_ONE / one);
}

/* The stones that lie on the ground. */
typedef struct LyingStones {
    int count;
    const Stone *stones[STONES];
} LyingStones;

/* Steps to the nearest stone on the ground; 0 if there is none. */
static int steps_to_stone(const LyingStones *lying, const Actor *actor) {
    int least = lying->count > 0 ? STEPS_MOST : 0;
    for (int i = 0; i < lying->count; i++)
        least = at_most(
            grid_chebyshev(actor->x, actor->y, lying->stones[i]->x, lying->stones[i]->y), least);
    return least;
}

/* The features of one hero. */
static void fill_hero(const MarvelousState *state, uint8_t hero, const UnitThreats *outlook,
                      const LyingStones *lying, int16_t *out) {
    const Actor *actor = &state->actors[hero];
    const MarvelousKind *kind = outlook->kind;
    int health = at_most(actor->health, HEALTH_MOST);
    int strikes = at_most(kind->actions, STRIKES_MOST);
    int danger = DANGER_MOST; /* without dividing, which takes long, where it is that in any case */
    if (outlook->danger * TABLE_NET_ONE < DANGER_MOST * health)
        danger = outlook->danger * TABLE_NET_ONE / health;
    out[0] = TABLE_NET_ONE;
    out[1] = scaled(health, 100);
    out[2] = scaled(at_most(kind->melee * strikes, TURN_DAMAGE_MOST), 50);
    out[3] = scaled(at_most(kind->ranged * strikes, TURN_DAMAGE_MOST), 50);
    out[4] = scaled(at_most(kind->reach, REACH_MOST), 4);
    out[5] = scaled(at_most(kind->moves, MOVES_MOST), 4);
    out[6] = scaled(outlook->wait, HEROES);
    out[7] = scaled(state->active == hero, 1);
    out[8] = scaled(stones_in(actor->stones), 2);
    out[9] = scaled(at_most(outlook->blow, TURN_DAMAGE_MOST), 50);
    out[10] = scaled(outlook->fells, 1);
    out[11] = scaled(outlook->foes, 2);
    out[12] = (int16_t)danger;
    out[13] = scaled(outlook->worst >= health, 1);
    out[14] = scaled(outlook->nearest, 5);
    out[15] = scaled(steps_to_stone(lying, actor), 5);
}

/* The features of a side: each stone, half while it cools down, the most stones it ever held, and
 * its heroes that are down. */
static void fill_side(const MarvelousState *state, uint8_t seat, const uint8_t *stands,
                      int16_t *out) {
    int down = 0;
    for (int stone = 0; stone < STONES; stone++) {
        const Stone *held = &state->stones[stone];
        if (held->holder < HEROES && seat_of(held->holder) == seat)
            out[stone] = scaled(1, held->cooldown > 0 ? 2 : 1);
    }
    for (uint8_t hero = (uint8_t)(TEAM * seat); hero < TEAM * seat + TEAM; hero++)
        down += !stands[hero];
    out[STONES] = scaled(state->most_stones[seat], 4);
    out[STONES + 1] = scaled(down, 2);
}

void marvelous_net_features(const MarvelousContent *content, const MarvelousState *state,
                            NetFeatures *out) {
    UnitThreats outlooks[HEROES];
    LyingStones lying = {.count = 0};
    int inside = 0;
    memset(out, 0, sizeof *out);
    for (uint8_t hero = 0; hero < HEROES; hero++)
        out->stands[hero] = state->actors[hero].health > 0 && on_board(state, hero);
    for (int stone = 0; stone < STONES; stone++)
        if (state->stones[stone].holder == HELD_BY_GROUND)
            lying.stones[lying.count++] = &state->stones[stone];
    wait_for_turns(content, state, outlooks);
    collect_threats(state, out->stands, outlooks);
    for (uint8_t hero = 0; hero < HEROES; hero++)
        if (out->stands[hero])
            fill_hero(state, hero, &outlooks[hero], &lying, out->heroes[hero]);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        fill_side(state, seat, out->stands, out->sides[seat]);
    for (int stone = 0; stone < STONES; stone++)
        inside += state->stones[stone].holder == HELD_BY_GOOSE;
    out->time[0] = scaled(at_most(state->round, ROUNDS_MOST), 8);
    out->time[1] = scaled(inside, 4);
}

/* A standing hero for a table net: the features above, then its numbers one by one. */
static void copy_hero(const MarvelousContent *content, const MarvelousState *state, uint8_t hero,
                      const NetFeatures *from, int16_t *row) {
    const MarvelousKind *kind = kind_of(content, state, hero);
    int health = at_most(state->actors[hero].health, HEALTH_MOST);
    int whole = at_most(kind->health, HEALTH_MOST);
    memcpy(row, from->heroes[hero], sizeof from->heroes[hero]);
    memset(row + NET_HERO_FEATURES, 0, (TABLE_NET_FEATURES - NET_HERO_FEATURES) * sizeof *row);
    row[NET_HERO_FEATURES] = (int16_t)(health * TABLE_NET_ONE / (whole > 0 ? whole : 1));
    row[NET_HERO_FEATURES + 1] = scaled(at_most(kind->melee, DAMAGE_MOST), 20);
    row[NET_HERO_FEATURES + 2] = scaled(at_most(kind->ranged, DAMAGE_MOST), 20);
    row[NET_HERO_FEATURES + 3] = scaled(at_most(kind->actions, STRIKES_MOST), 2);
}

bool marvelous_net_input(const MashContent *loaded, const void *raw_state, TableNetInput *out) {
    const MarvelousContent *content = marvelous_content(loaded);
    const MarvelousState *state = raw_state;
    NetFeatures features;
    if (state->phase == PHASE_CHOICE || gather_seat(state) != MASH_SEAT_NONE)
        return false;
    marvelous_net_features(content, state, &features);
    memset(out->counts, 0, sizeof out->counts);
    memset(out->sides, 0, sizeof out->sides);
    memset(out->table, 0, sizeof out->table);
    for (uint8_t hero = 0; hero < HEROES; hero++)
        if (features.stands[hero]) {
            uint8_t seat = seat_of(hero);
            copy_hero(content, state, hero, &features, out->units[seat][out->counts[seat]++]);
        }
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        memcpy(out->sides[seat], features.sides[seat], sizeof features.sides[seat]);
    memcpy(out->table, features.time, sizeof features.time);
    out->table[NET_INPUTS_TIME] = scaled(state->order_count - state->order_next, HEROES);
    return true;
}
