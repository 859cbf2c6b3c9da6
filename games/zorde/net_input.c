/* net_input.c -- see net_input.h. */
#include "games/zorde/net_input.h"

#include <string.h>

#include "engine/grid.h"

/* Unusual content may go far beyond the training data: numbers are clamped. */
enum {
    HEALTH_MOST = 400,
    STRIKE_MOST = 200,
    DAMAGE_MOST = 400,
    STEPS_MOST = 8,
    HEALING_MOST = 100,
    DISTANCE_MOST = 24,
    BOARD_MOST = 40,
    EDGE_MOST = 6,
    ORDERS_LATE = 100,
};

/* The number, but no more than the limit. */
static inline int at_most(int number, int most) { return number < most ? number : most; }

/* A number for each unit of a side: all are computed together. What stands in the places of units
 * that do not exist means nothing. */
typedef int16_t __attribute__((vector_size(16))) Eight;
static_assert(sizeof(Eight) == TABLE_NET_UNITS * sizeof(int16_t), "there is room");

/* What units can do and suffer in one order. */
typedef struct SideView {
    Eight x, y, health, steps;
    Eight strike, first, most; /* an attack: how hard; two less than this many steps away as often
                                  as steps are left, but so often at most */
    Eight shot, range;         /* the last one, if it is another, and how far away */
    Eight blow, fells, beats;  /* the greatest damage to an enemy; -1: it defeats one, by attacks
                                  alone or by a fight that it survives */
    Eight targets;             /* enemies that it can hurt */
    Eight foes, worst, beaten; /* enemies that can hurt it, the greatest damage, and -1: a fight
                                  that it loses */
    Eight nearest, apart;      /* steps to the nearest enemy, and to all of them together */
    Eight beside, healing;     /* who of the side is on it and beside it, and what these can heal */
    const ZordeKind *kinds[TABLE_NET_UNITS];
    int count;
} SideView;

/* --- Threats ---------------------------------------------------------------------------------- */

/* The greater and the smaller of each pair. */
static inline Eight greater(Eight a, Eight b) {
    Eight more = a > b;
    return (a & more) | (b & ~more);
}
static inline Eight smaller(Eight a, Eight b) {
    Eight less = a < b;
    return (a & less) | (b & ~less);
}

/* The same number in all places. */
static inline Eight all(int number) {
    int16_t one = (int16_t)number;
    return (Eight){one, one, one, one, one, one, one, one};
}

/* King's moves to a cell. */
static inline Eight steps_to(const SideView *side, int x, int y) {
    Eight across = side->x - all(x), down = side->y - all(y);
    return greater(greater(across, -across), greater(down, -down));
}

/* The attacks of a kind. Who attacks with each step does so at least as often as steps are left
 * when it stands beside the enemy; a ranged attack takes the place of the last one. */
static void set_attacks(SideView *side, int place) {
    const ZordeKind *kind = side->kinds[place];
    int steps = at_most(kind->steps, STEPS_MOST), shots = kind->range > 0;
    int strikes = kind->each_step ? steps - shots : 1 - shots;
    side->steps[place] = (int16_t)steps;
    side->strike[place] = (int16_t)at_most(kind->attack, STRIKE_MOST);
    side->first[place] = (int16_t)(strikes > 0 ? steps + 2 - shots : 0);
    side->most[place] = (int16_t)strikes;
    side->shot[place] = (int16_t)(shots ? at_most(kind->ranged_attack, STRIKE_MOST) : 0);
    side->range[place] = (int16_t)(steps + kind->range);
}

/* A side's living units. */
static void begin_side(const ZordeSetup *field, const ZordeState *state, uint8_t seat,
                       SideView *side) {
    memset(side, 0, sizeof *side);
    side->nearest = all(DISTANCE_MOST);
    for (uint64_t units = state->living[seat]; units != 0; units &= units - 1) {
        uint8_t unit = (uint8_t)__builtin_ctzll(units);
        int place = side->count++;
        side->kinds[place] = zorde_kind_of(field, unit);
        side->x[place] = state->units[unit].x;
        side->y[place] = state->units[unit].y;
        side->health[place] = (int16_t)at_most(state->units[unit].health, HEALTH_MOST);
        set_attacks(side, place);
    }
}

/* The damage of an order to an enemy so many steps away. */
static inline Eight damage_of(Eight strike, Eight first, Eight most, Eight shot, Eight range,
                              Eight distance) {
    Eight strikes = first - greater(distance, all(2));
    strikes = smaller(greater(strikes, all(0)), most);
    return smaller(strike * strikes + (shot & (distance <= range)), all(DAMAGE_MOST));
}

/* What one unit and all enemies can do to each other; what the enemies do and suffer is noted. */
static inline void add_threats(const SideView *own, int place, SideView *other) {
    Eight distance = steps_to(other, own->x[place], own->y[place]);
    Eight health = all(own->health[place]);
    Eight done =
        damage_of(other->strike, other->first, other->most, other->shot, other->range, distance);
    Eight suffered =
        damage_of(all(own->strike[place]), all(own->first[place]), all(own->most[place]),
                  all(own->shot[place]), all(own->range[place]), distance);
    other->blow = greater(other->blow, smaller(done, health));
    other->fells |= done >= health;
    other->beats |= (distance <= other->steps) & (done + other->health > health);
    other->targets -= done > 0;
    other->foes -= suffered > 0;
    other->worst = greater(other->worst, suffered);
    other->beaten |= (distance <= all(own->steps[place])) & (suffered + health > other->health);
    other->nearest = smaller(other->nearest, distance);
    other->apart += smaller(distance, all(DISTANCE_MOST));
}

/* One unit beside all friends, itself among them. */
static inline void add_friend(SideView *side, int place) {
    Eight beside = steps_to(side, side->x[place], side->y[place]) <= 1;
    side->beside -= beside;
    side->healing += all(at_most(side->kinds[place]->healing, HEALING_MOST)) & beside;
}

/* --- Features --------------------------------------------------------------------------------- */

/* A number in units of `one`. */
static inline int16_t scaled(int number, int one) {
    return (int16_t)(number * TABLE_NET_ONE / one);
}

/* How many cells are between this one and the nearer end of its row or column. */
static int edge_of(int at, int size) {
    return at_most(at < size - 1 - at ? at : size - 1 - at, EDGE_MOST);
}

/* The features of a unit. */
static void fill_row(const ZordeSetup *field, const SideView *side, int place, int enemies,
                     int16_t *row) {
    const ZordeKind *kind = side->kinds[place];
    int health = side->health[place], whole = at_most(kind->health, HEALTH_MOST);
    int worst = at_most(side->worst[place], 2 * health);
    row[0] = TABLE_NET_ONE;
    row[1] = scaled(health, 50);
    row[2] = (int16_t)(health * TABLE_NET_ONE / (whole > 0 ? whole : 1));
    row[3] = scaled(side->strike[place], 15);
    row[4] = scaled(side->most[place], 2);
    row[5] = scaled(side->steps[place], 2);
    row[6] = scaled(side->shot[place], 15);
    row[7] = scaled(at_most(kind->healing, HEALING_MOST), 10);
    row[8] = scaled(side->blow[place], 40);
    row[9] = scaled(-side->fells[place], 1);
    row[10] = scaled(-side->beats[place], 1);
    row[11] = scaled(side->targets[place], 2);
    row[12] = scaled(side->foes[place], 2);
    row[13] = (int16_t)(worst * TABLE_NET_ONE / (health > 0 ? health : 1));
    row[14] = scaled(side->worst[place] >= health, 1);
    row[15] = scaled(-side->beaten[place], 1);
    row[16] = scaled(side->nearest[place], 4);
    row[17] = scaled(at_most(side->nearest[place], 3), 1);
    row[18] = scaled(side->apart[place] / (enemies > 0 ? enemies : 1), 4);
    row[19] = scaled(side->beside[place] - 1, 2);
    row[20] = scaled(at_most(side->healing[place], HEALING_MOST), 10);
    row[21] =
        scaled(edge_of(side->x[place], field->width) + edge_of(side->y[place], field->height), 4);
    row[22] = scaled(at_most(whole, HEALTH_MOST), 50);
    memset(row + NET_ROW_FEATURES, 0, (TABLE_NET_FEATURES - NET_ROW_FEATURES) * sizeof *row);
}

bool zorde_net_input(const MashContent *content, const void *raw_state, TableNetInput *out) {
    const ZordeSetup *field = zorde_setup(content);
    const ZordeState *state = raw_state;
    SideView sides[MASH_SEATS];
    int units[MASH_SEATS] = {0, 0};
    for (int i = 0; i < field->units_count; i++)
        units[field->units[i].seat]++;
    if (units[0] > TABLE_NET_UNITS || units[1] > TABLE_NET_UNITS)
        return false;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        begin_side(field, state, seat, &sides[seat]);
    for (int seat = 0; seat < MASH_SEATS; seat++)
        for (int place = 0; place < sides[seat].count; place++) {
            add_threats(&sides[seat], place, &sides[1 - seat]);
            add_friend(&sides[seat], place);
        }
    memset(out->sides, 0, sizeof out->sides);
    memset(out->table, 0, sizeof out->table);
    for (int seat = 0; seat < MASH_SEATS; seat++) {
        out->counts[seat] = (uint8_t)sides[seat].count;
        for (int place = 0; place < sides[seat].count; place++)
            fill_row(field, &sides[seat], place, sides[1 - seat].count, out->units[seat][place]);
        out->sides[seat][0] = state->turn == seat ? TABLE_NET_ONE : 0;
        out->sides[seat][1] = scaled(sides[seat].count, 2);
    }
    int left = ZORDE_ORDERS_MAX - state->orders;
    out->table[0] =
        scaled(at_most(field->width, BOARD_MOST) + at_most(field->height, BOARD_MOST), 10);
    out->table[1] = scaled(left < ORDERS_LATE ? ORDERS_LATE - left : 0, ORDERS_LATE);
    return true;
}
