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
    HEALTH_SEEN = 1000, /* more than the damage of any turn */
    REACH_MOST = 10,
    MOVES_MOST = 8,
    STEPS_MOST = 20,
    ROUNDS_MOST = 20,
    DANGER_MOST = 3 * TABLE_NET_ONE,
    FRIEND_STEPS = 2,
};

/* The number, but no more than the limit. */
static inline int at_most(int number, int most) { return number < most ? number : most; }

/* A number for each hero of a side: all of them are computed together. There is room for more
 * heroes than there are; what stands in those places, or belongs to heroes who do not stand, means
 * nothing. */
typedef int16_t Six __attribute__((vector_size(16)));
static_assert(sizeof(Six) >= TEAM * sizeof(int16_t), "there is room");

/* What heroes can do and suffer until the end of their next turns. */
typedef struct SideThreats {
    Six x, y, health;
    Six wait;               /* turns of others before their own */
    Six melee, melee_reach; /* damage of the turn, and how far away */
    Six ranged, ranged_reach;
    Six blow, fells;         /* greatest damage to one enemy in their reach; -1: it
                                knocks him out */
    Six foes, danger, worst; /* enemies that can reach them before their turns, their
                                total damage, and the greatest of them */
    Six nearest, stone;      /* steps to an enemy, and to a stone on the ground */
    Six targets, menace;     /* enemies in their reach; the damage of all enemies that reach
                                them, whoever acts first */
    Six apart, beside;       /* steps to all enemies together; friends at most two steps away */
    const MarvelousKind *kinds[TEAM];
} SideThreats;

/* --- Threats ---------------------------------------------------------------------------------- */

/* The greater and the smaller of each pair. */
static inline Six greater(Six a, Six b) {
    Six more = a > b;
    return (a & more) | (b & ~more);
}
static inline Six smaller(Six a, Six b) {
    Six less = a < b;
    return (a & less) | (b & ~less);
}

/* The same number in all places. */
static inline Six all(int number) {
    int16_t one = (int16_t)number;
    return (Six){one, one, one, one, one, one, one, one};
}

/* King's moves to a cell. */
static inline Six steps_to(const SideThreats *side, int x, int y) {
    Six across = side->x - all(x), down = side->y - all(y);
    return greater(greater(across, -across), greater(down, -down));
}

/* The damage of a turn with these points, and from how far away. */
static void set_turn(SideThreats *side, int place, int moves, int actions) {
    const MarvelousKind *kind = side->kinds[place];
    int strikes = at_most(actions, STRIKES_MOST);
    moves = at_most(moves, MOVES_MOST);
    side->melee[place] = (int16_t)(at_most(kind->melee, DAMAGE_MOST) * strikes);
    side->melee_reach[place] = (int16_t)(moves + 1);
    side->ranged[place] = (int16_t)(at_most(kind->ranged, DAMAGE_MOST) * strikes);
    side->ranged_reach[place] = (int16_t)(moves + at_most(kind->reach, MASH_SIDE_MAX));
}

/* A side's heroes, whose turns come in the middle of the next round. */
static void begin_side(const MarvelousContent *content, const MarvelousState *state, uint8_t seat,
                       SideThreats *side) {
    const Six none = all(0);
    side->x = side->y = side->health = none;
    side->melee = side->melee_reach = side->ranged = side->ranged_reach = none;
    side->blow = side->fells = side->foes = side->danger = side->worst = side->stone = none;
    side->wait = all(state->order_count - state->order_next + TEAM);
    side->nearest = all(STEPS_MOST);
    side->targets = side->menace = side->apart = side->beside = none;
    for (int place = 0; place < TEAM; place++) {
        const Actor *actor = &state->actors[TEAM * seat + place];
        side->kinds[place] = &content->kinds[actor->kind];
        side->x[place] = actor->x;
        side->y[place] = actor->y;
        side->health[place] = (int16_t)at_most(actor->health, HEALTH_SEEN);
        set_turn(side, place, side->kinds[place]->moves, side->kinds[place]->actions);
    }
}

/* When each hero's turn comes, and with how many points. */
static void wait_for_turns(const MarvelousState *state, SideThreats sides[MASH_SEATS]) {
    for (int i = state->order_next; i < state->order_count; i++) {
        uint8_t hero = state->order[i];
        if (hero < HEROES)
            sides[seat_of(hero)].wait[hero % TEAM] = (int16_t)(i - state->order_next + 1);
    }
    if (state->active < HEROES) {
        const Actor *actor = &state->actors[state->active];
        SideThreats *side = &sides[seat_of(state->active)];
        side->wait[state->active % TEAM] = 0;
        set_turn(side, state->active % TEAM, actor->moves, actor->actions);
    }
}

/* What heroes do to an enemy so many cells away in their next turns, ignoring all obstacles. */
static inline Six damage_of(Six melee, Six melee_reach, Six ranged, Six ranged_reach,
                            Six distance) {
    return greater(melee & (distance <= melee_reach), ranged & (distance <= ranged_reach));
}

/* What one hero and all enemies can do to each other; what the enemies do and suffer is noted. */
static inline void add_threats(const SideThreats *own, int place, SideThreats *other) {
    Six distance = steps_to(other, own->x[place], own->y[place]), health = all(own->health[place]);
    Six suffered = damage_of(all(own->melee[place]), all(own->melee_reach[place]),
                             all(own->ranged[place]), all(own->ranged_reach[place]), distance);
    Six sooner = (all(own->wait[place]) < other->wait) | (other->wait == 0);
    Six hit = sooner & (suffered > 0);
    Six damage =
        damage_of(other->melee, other->melee_reach, other->ranged, other->ranged_reach, distance);
    other->foes -= hit;
    other->danger += suffered & hit;
    other->worst = greater(other->worst, suffered & hit);
    other->blow = greater(other->blow, smaller(damage, health));
    other->fells |= damage >= health;
    other->nearest = smaller(other->nearest, distance);
    other->targets -= damage > 0;
    other->menace += suffered;
    other->apart += smaller(distance, all(STEPS_MOST));
}

/* One hero beside all of its side, itself among them. */
static inline void add_friend(SideThreats *side, int place) {
    side->beside -= steps_to(side, side->x[place], side->y[place]) <= all(FRIEND_STEPS);
}

/* Steps to the nearest stone on the ground; 0 if there is none. */
static void find_stones(const MarvelousState *state, SideThreats sides[MASH_SEATS]) {
    bool any = false;
    for (int i = 0; i < STONES; i++) {
        const Stone *stone = &state->stones[i];
        if (stone->holder != HELD_BY_GROUND)
            continue;
        for (int seat = 0; seat < MASH_SEATS; seat++) {
            Six steps = steps_to(&sides[seat], stone->x, stone->y);
            sides[seat].stone = smaller(any ? sides[seat].stone : all(STEPS_MOST), steps);
        }
        any = true;
    }
}

/* All of it, and who stands. */
static void collect_threats(const MarvelousContent *content, const MarvelousState *state,
                            uint8_t *stands, SideThreats sides[MASH_SEATS]) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        begin_side(content, state, seat, &sides[seat]);
    wait_for_turns(state, sides);
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        stands[hero] = state->actors[hero].health > 0 && on_board(state, hero);
        if (stands[hero]) {
            add_threats(&sides[seat_of(hero)], hero % TEAM, &sides[1 - seat_of(hero)]);
            add_friend(&sides[seat_of(hero)], hero % TEAM);
        }
    }
    find_stones(state, sides);
}

/* --- Features --------------------------------------------------------------------------------- */

/* A number in units of `one`. */
static inline int16_t scaled(int number, int one) {
    return (int16_t)(number * TABLE_NET_ONE / one);
}

/* The features of one hero. */
static void fill_hero(const MarvelousState *state, uint8_t hero, const SideThreats *side,
                      int16_t *out) {
    int place = hero % TEAM;
    const MarvelousKind *kind = side->kinds[place];
    int health = at_most(side->health[place], HEALTH_MOST);
    int strikes = at_most(kind->actions, STRIKES_MOST);
    int danger = DANGER_MOST; /* without dividing, which takes long, where it is that in any case */
    if (side->danger[place] * TABLE_NET_ONE < DANGER_MOST * health)
        danger = side->danger[place] * TABLE_NET_ONE / health;
    out[0] = TABLE_NET_ONE;
    out[1] = scaled(health, 100);
    out[2] = scaled(at_most(kind->melee * strikes, TURN_DAMAGE_MOST), 50);
    out[3] = scaled(at_most(kind->ranged * strikes, TURN_DAMAGE_MOST), 50);
    out[4] = scaled(at_most(kind->reach, REACH_MOST), 4);
    out[5] = scaled(at_most(kind->moves, MOVES_MOST), 4);
    out[6] = scaled(side->wait[place], HEROES);
    out[7] = scaled(state->active == hero, 1);
    out[8] = scaled(stones_in(state->actors[hero].stones), 2);
    out[9] = scaled(at_most(side->blow[place], TURN_DAMAGE_MOST), 50);
    out[10] = scaled(-side->fells[place], 1);
    out[11] = scaled(side->foes[place], 2);
    out[12] = (int16_t)danger;
    out[13] = scaled(side->worst[place] >= health, 1);
    out[14] = scaled(side->nearest[place], 5);
    out[15] = scaled(side->stone[place], 5);
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

/* The features of the time. */
static void fill_time(const MarvelousState *state, int16_t *out) {
    int inside = 0;
    for (int stone = 0; stone < STONES; stone++)
        inside += state->stones[stone].holder == HELD_BY_GOOSE;
    out[0] = scaled(at_most(state->round, ROUNDS_MOST), 8);
    out[1] = scaled(inside, 4);
}

void marvelous_net_features(const MarvelousContent *content, const MarvelousState *state,
                            NetFeatures *out) {
    SideThreats sides[MASH_SEATS];
    memset(out, 0, sizeof *out);
    collect_threats(content, state, out->stands, sides);
    for (uint8_t hero = 0; hero < HEROES; hero++)
        if (out->stands[hero])
            fill_hero(state, hero, &sides[seat_of(hero)], out->heroes[hero]);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        fill_side(state, seat, out->stands, out->sides[seat]);
    fill_time(state, out->time);
}

/* A standing hero for a table net: the features above, then its numbers one by one. */
static void fill_row(const MarvelousState *state, uint8_t hero, const SideThreats *side,
                     int16_t *row) {
    const MarvelousKind *kind = side->kinds[hero % TEAM];
    int health = at_most(state->actors[hero].health, HEALTH_MOST);
    int whole = at_most(kind->health, HEALTH_MOST), share = TABLE_NET_ONE;
    if (health != whole)
        share = health * TABLE_NET_ONE / (whole > 0 ? whole : 1);
    fill_hero(state, hero, side, row);
    row[NET_HERO_FEATURES] = (int16_t)share;
    row[NET_HERO_FEATURES + 1] = scaled(at_most(kind->melee, DAMAGE_MOST), 20);
    row[NET_HERO_FEATURES + 2] = scaled(at_most(kind->ranged, DAMAGE_MOST), 20);
    row[NET_HERO_FEATURES + 3] = scaled(at_most(kind->actions, STRIKES_MOST), 2);
    int place = hero % TEAM, danger = at_most(side->danger[place], health);
    int melee = at_most(kind->melee, DAMAGE_MOST), ranged = at_most(kind->ranged, DAMAGE_MOST);
    int might = at_most((melee > ranged ? melee : ranged) * at_most(kind->actions, STRIKES_MOST),
                        TURN_DAMAGE_MOST);
    bool active = state->active == hero;
    row[NET_HERO_FEATURES + 4] = scaled(side->targets[place], 2);
    row[NET_HERO_FEATURES + 5] = scaled(at_most(side->menace[place], TURN_DAMAGE_MOST), 50);
    row[NET_HERO_FEATURES + 6] = scaled(side->danger[place] >= health, 1);
    row[NET_HERO_FEATURES + 7] = scaled(side->apart[place], 4 * STEPS_MOST);
    row[NET_HERO_FEATURES + 8] = scaled(side->beside[place] - 1, 2);
    row[NET_HERO_FEATURES + 9] = scaled(might * health / 50, 100);
    row[NET_HERO_FEATURES + 10] = scaled(might * danger / 50, 100);
    row[NET_HERO_FEATURES + 11] =
        active ? scaled(at_most(state->actors[hero].actions, STRIKES_MOST), 2) : 0;
    row[NET_HERO_FEATURES + 12] =
        active ? scaled(at_most(state->actors[hero].moves, MOVES_MOST), 4) : 0;
    row[NET_HERO_FEATURES + 13] = scaled(side->menace[place] >= health, 1);
    memset(row + NET_ROW_FEATURES, 0, (TABLE_NET_FEATURES - NET_ROW_FEATURES) * sizeof *row);
}

bool marvelous_net_input(const MashContent *loaded, const void *raw_state, TableNetInput *out) {
    const MarvelousState *state = raw_state;
    SideThreats sides[MASH_SEATS];
    uint8_t stands[HEROES];
    if (state->phase == PHASE_CHOICE || gather_seat(state) != MASH_SEAT_NONE)
        return false;
    collect_threats(marvelous_content(loaded), state, stands, sides);
    memset(out->counts, 0, sizeof out->counts);
    memset(out->sides, 0, sizeof out->sides);
    memset(out->table, 0, sizeof out->table);
    for (uint8_t hero = 0; hero < HEROES; hero++)
        if (stands[hero]) {
            uint8_t seat = seat_of(hero);
            fill_row(state, hero, &sides[seat], out->units[seat][out->counts[seat]++]);
        }
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        fill_side(state, seat, stands, out->sides[seat]);
    fill_time(state, out->table);
    out->table[NET_INPUTS_TIME] = scaled(state->order_count - state->order_next, HEROES);
    return true;
}
