/* net_rows.h -- the rows of a net's input (net_input.h), to be included by a file that says how
 * many sides a vector has room for, for which processor:
 *
 *     #define SIDES 1 or 2
 *     #define FOR_PROCESSOR an attribute of each function, or nothing
 *
 * All heroes of a side, or of both, are computed together: a vector has a number of each. What is
 * said of heroes who do not stand means nothing until the rows are written, which are those of
 * standing heroes alone. There are hardly any branches, and no divisions by what is not constant.
 * All ways give the same rows. */
#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "games/marvelous-mashup/net_input.h"

/* All functions with vectors are inline: it does not matter how vectors would be passed. */
#pragma GCC diagnostic ignored "-Wpsabi"

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
    DANGER_MOST = 3, /* times the health */
    FRIEND_STEPS = 2,
    NOWHERE = 1000, /* a column further away than any reach */
    PLACES = 8,     /* of a side in a vector: more than it has heroes */
    GROUPS = MASH_SEATS / SIDES,
    BLOCKS = TABLE_NET_FEATURES / PLACES,
};
static_assert((int)PLACES >= (int)TEAM, "there is room");

/* A number of each hero of a side, or of both sides; and the same for dividing, which is faster
 * without signs. */
typedef int16_t OneSide __attribute__((vector_size(PLACES * sizeof(int16_t))));
typedef int16_t HeroNumbers __attribute__((vector_size(SIDES * sizeof(OneSide))));
typedef uint16_t Unsigned __attribute__((vector_size(sizeof(HeroNumbers))));

#define VECTORS FOR_PROCESSOR static inline

/* --- Vectors ---------------------------------------------------------------------------------- */

/* The greater and the smaller of each pair. */
VECTORS HeroNumbers greater(HeroNumbers a, HeroNumbers b) {
#if SIDES == 2
    return (HeroNumbers)_mm256_max_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (HeroNumbers)_mm_max_epi16((__m128i)a, (__m128i)b);
#else
    HeroNumbers more = a > b;
    return (a & more) | (b & ~more);
#endif
}
VECTORS HeroNumbers smaller(HeroNumbers a, HeroNumbers b) {
#if SIDES == 2
    return (HeroNumbers)_mm256_min_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (HeroNumbers)_mm_min_epi16((__m128i)a, (__m128i)b);
#else
    HeroNumbers less = a < b;
    return (a & less) | (b & ~less);
#endif
}

/* The same number of every hero. */
VECTORS HeroNumbers all(int number) { return (HeroNumbers){0} + (int16_t)number; }

/* HeroNumbers that are not negative, times and divided by constants; products are below 1 << 16. */
#define SCALED(numbers, times, divisor) ((HeroNumbers)((Unsigned)(numbers) * (times) / (divisor)))

/* Of each side, eight numbers of two vectors: i counts from 0 in the first, from 8 in the second.
 */
#if SIDES == 2
#define AT(i) ((i) < PLACES ? (i) : (i) + PLACES)
#define CHOSEN(a, b, i0, i1, i2, i3, i4, i5, i6, i7)                                               \
    __builtin_shufflevector(a, b, AT(i0), AT(i1), AT(i2), AT(i3), AT(i4), AT(i5), AT(i6), AT(i7),  \
                            AT(i0) + PLACES, AT(i1) + PLACES, AT(i2) + PLACES, AT(i3) + PLACES,    \
                            AT(i4) + PLACES, AT(i5) + PLACES, AT(i6) + PLACES, AT(i7) + PLACES)
#else
#define CHOSEN __builtin_shufflevector
#endif

/* Of each side, the number of its hero at this place in all places. */
#define SPREAD(numbers, place)                                                                     \
    CHOSEN(numbers, numbers, place, place, place, place, place, place, place, place)

/* Of each side, the lower or upper four of two vectors in turn, by one, two or four numbers. */
#define LOW_ONES(a, b)   CHOSEN(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH_ONES(a, b)  CHOSEN(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW_TWOS(a, b)   CHOSEN(a, b, 0, 1, 8, 9, 2, 3, 10, 11)
#define HIGH_TWOS(a, b)  CHOSEN(a, b, 4, 5, 12, 13, 6, 7, 14, 15)
#define LOW_FOURS(a, b)  CHOSEN(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define HIGH_FOURS(a, b) CHOSEN(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

/* Of each side, eight rows of eight numbers: rows and columns change places. */
VECTORS void turn_over(HeroNumbers rows[PLACES]) {
    HeroNumbers a = LOW_ONES(rows[0], rows[1]), b = HIGH_ONES(rows[0], rows[1]);
    HeroNumbers c = LOW_ONES(rows[2], rows[3]), d = HIGH_ONES(rows[2], rows[3]);
    HeroNumbers e = LOW_ONES(rows[4], rows[5]), f = HIGH_ONES(rows[4], rows[5]);
    HeroNumbers g = LOW_ONES(rows[6], rows[7]), h = HIGH_ONES(rows[6], rows[7]);
    HeroNumbers ac = LOW_TWOS(a, c), ca = HIGH_TWOS(a, c), bd = LOW_TWOS(b, d),
                db = HIGH_TWOS(b, d);
    HeroNumbers eg = LOW_TWOS(e, g), ge = HIGH_TWOS(e, g), fh = LOW_TWOS(f, h),
                hf = HIGH_TWOS(f, h);
    rows[0] = LOW_FOURS(ac, eg);
    rows[1] = HIGH_FOURS(ac, eg);
    rows[2] = LOW_FOURS(ca, ge);
    rows[3] = HIGH_FOURS(ca, ge);
    rows[4] = LOW_FOURS(bd, fh);
    rows[5] = HIGH_FOURS(bd, fh);
    rows[6] = LOW_FOURS(db, hf);
    rows[7] = HIGH_FOURS(db, hf);
}

/* --- What is known of the heroes -------------------------------------------------------------- */

/* What heroes are, and what they can do and suffer until the end of their next turns. */
typedef struct HeroVectors {
    HeroNumbers stands, active;                                        /* -1: yes */
    HeroNumbers x, y, health, stones;                                  /* now */
    HeroNumbers whole, moves, actions, melee_once, ranged_once, reach; /* of the kinds */
    HeroNumbers moves_now, actions_now;                   /* of the hero whose turn it is */
    HeroNumbers wait;                                     /* turns of others before their own */
    HeroNumbers melee, melee_reach, ranged, ranged_reach; /* damage of the turn, and how far away */
    HeroNumbers blow, fells;         /* greatest damage to one enemy in their reach; -1: it
                                   knocks him out */
    HeroNumbers foes, danger, worst; /* enemies that can reach them before their turns, their
                                   total damage, and the greatest of them */
    HeroNumbers nearest, stone;      /* steps to an enemy, and to a stone on the ground */
    HeroNumbers targets, menace;     /* enemies in their reach; the damage of all enemies that reach
                                   them, whoever acts first */
    HeroNumbers apart, beside; /* steps to all enemies together; friends at most two steps away */
} HeroVectors;

/* Where a hero is among the numbers of both sides. */
VECTORS int place_of(uint8_t hero) { return hero % TEAM + PLACES * seat_of(hero); }

/* Eight numbers of a hero of each side. */
VECTORS HeroNumbers load_rows(const void *lower, const void *upper) {
#if SIDES == 2
    __m256i low = _mm256_castsi128_si256(_mm_loadu_si128(lower));
    return (HeroNumbers)_mm256_inserti128_si256(low, _mm_loadu_si128(upper), 1);
#else
    HeroNumbers row;
    (void)upper;
    memcpy(&row, lower, sizeof row);
    return row;
#endif
}

/* What a kind and an actor are as lists of numbers. */
static_assert(sizeof(MarvelousKind) == PLACES * sizeof(int16_t) &&
                  offsetof(MarvelousKind, health) == 2 && offsetof(MarvelousKind, moves) == 4 &&
                  offsetof(MarvelousKind, actions) == 6 && offsetof(MarvelousKind, melee) == 8 &&
                  offsetof(MarvelousKind, ranged) == 10 && offsetof(MarvelousKind, reach) == 12,
              "numbers of a kind");
static_assert(offsetof(Actor, stones) == 1 && offsetof(Actor, x) == 2 && offsetof(Actor, y) == 3 &&
                  offsetof(Actor, health) == 4 && offsetof(Actor, moves) == 6 &&
                  offsetof(Actor, actions) == 8,
              "numbers of an actor");

/* The heroes' kinds; `actors` are those of the group's first side. */
VECTORS void read_kinds(const MarvelousKind *kinds, const Actor *actors, HeroVectors *heroes) {
#define KINDS_AT(place) load_rows(&kinds[actors[place].kind], &kinds[actors[TEAM + place].kind])
    HeroNumbers rows[PLACES] = {KINDS_AT(0), KINDS_AT(1), KINDS_AT(2), KINDS_AT(3),
                                KINDS_AT(4), KINDS_AT(5), all(0),      all(0)};
    turn_over(rows);
    heroes->whole = smaller(rows[1], all(HEALTH_MOST));
    heroes->moves = smaller(rows[2], all(MOVES_MOST));
    heroes->actions = smaller(rows[3], all(STRIKES_MOST));
    heroes->melee_once = smaller(rows[4], all(TURN_DAMAGE_MOST));
    heroes->ranged_once = smaller(rows[5], all(TURN_DAMAGE_MOST));
    heroes->reach = rows[6];
}

/* The heroes as they are now. Bytes of the state are numbers in the order of small machines first.
 * After the last hero there are other actors, so that more may be read than there is of one. */
VECTORS void read_actors(const Actor *actors, HeroVectors *heroes) {
#define ACTORS_AT(place) load_rows(&actors[place], &actors[TEAM + place])
    HeroNumbers rows[PLACES] = {ACTORS_AT(0), ACTORS_AT(1), ACTORS_AT(2), ACTORS_AT(3),
                                ACTORS_AT(4), ACTORS_AT(5), all(0),       all(0)};
    turn_over(rows);
    HeroNumbers x = rows[1] & 255;
    heroes->stands = (rows[2] > 0) & (x != OFF_BOARD);
    heroes->x = (x & heroes->stands) | (all(NOWHERE) & ~heroes->stands);
    heroes->y = (HeroNumbers)((Unsigned)rows[1] >> 8);
    heroes->stones = (HeroNumbers)((Unsigned)rows[0] >> 8);
    heroes->health = smaller(rows[2], all(HEALTH_SEEN));
    heroes->moves_now = smaller(rows[3], all(MOVES_MOST));
    heroes->actions_now = smaller(rows[4], all(STRIKES_MOST));
}

/* When each hero's turn comes: those who are not in the order have theirs in the middle of the next
 * round. */
VECTORS void wait_for_turns(const MarvelousState *state, HeroVectors groups[GROUPS]) {
    int16_t wait[MASH_SEATS * PLACES], active[MASH_SEATS * PLACES] = {0};
    for (int i = 0; i < MASH_SEATS * PLACES; i++)
        wait[i] = (int16_t)(state->order_count - state->order_next + TEAM);
    for (int i = state->order_next; i < state->order_count; i++)
        if (state->order[i] < HEROES)
            wait[place_of(state->order[i])] = (int16_t)(i - state->order_next + 1);
    if (state->active < HEROES) {
        wait[place_of(state->active)] = 0;
        active[place_of(state->active)] = -1;
    }
    for (int group = 0; group < GROUPS; group++) {
        memcpy(&groups[group].wait, wait + group * PLACES, sizeof groups[group].wait);
        memcpy(&groups[group].active, active + group * PLACES, sizeof groups[group].active);
    }
}

/* The damage of the next turns, and from how far away: of the hero whose turn it is, with the
 * points that are left. */
VECTORS void plan_turns(HeroVectors *heroes) {
    HeroNumbers now = heroes->active;
    HeroNumbers strikes = (heroes->actions_now & now) | (heroes->actions & ~now);
    HeroNumbers moves = (heroes->moves_now & now) | (heroes->moves & ~now);
    heroes->melee = smaller(heroes->melee_once, all(DAMAGE_MOST)) * strikes & heroes->stands;
    heroes->melee_reach = moves + 1;
    heroes->ranged = smaller(heroes->ranged_once, all(DAMAGE_MOST)) * strikes & heroes->stands;
    heroes->ranged_reach = moves + smaller(heroes->reach, all(MASH_SIDE_MAX));
}

/* --- Threats ---------------------------------------------------------------------------------- */

/* King's moves to a cell, or to one for each side. */
VECTORS HeroNumbers steps_to(const HeroVectors *heroes, HeroNumbers x, HeroNumbers y) {
    HeroNumbers across = heroes->x - x, down = heroes->y - y;
    return greater(greater(across, -across), greater(down, -down));
}

/* What heroes do to an enemy so many cells away in their next turns, ignoring all obstacles. */
VECTORS HeroNumbers damage_of(HeroNumbers melee, HeroNumbers melee_reach, HeroNumbers ranged,
                              HeroNumbers ranged_reach, HeroNumbers distance) {
    return greater(melee & (distance <= melee_reach), ranged & (distance <= ranged_reach));
}

/* What one enemy, or one of each side, is to all. */
typedef struct OneEnemy {
    HeroNumbers stands, x, y, health, wait, melee, melee_reach, ranged, ranged_reach;
} OneEnemy;

/* The enemies of all at one place. */
#define ENEMY_AT(all, place)                                                                       \
    (&(OneEnemy){SPREAD((all)->stands, place), SPREAD((all)->x, place), SPREAD((all)->y, place),   \
                 SPREAD((all)->health, place), SPREAD((all)->wait, place),                         \
                 SPREAD((all)->melee, place), SPREAD((all)->melee_reach, place),                   \
                 SPREAD((all)->ranged, place), SPREAD((all)->ranged_reach, place)})

/* What an enemy and all heroes can do to each other; what heroes do and suffer is noted. */
VECTORS void add_threats(HeroVectors *heroes, const OneEnemy *enemy) {
    HeroNumbers distance = steps_to(heroes, enemy->x, enemy->y);
    HeroNumbers suffered =
        damage_of(enemy->melee, enemy->melee_reach, enemy->ranged, enemy->ranged_reach, distance);
    HeroNumbers hit = ((enemy->wait < heroes->wait) | (heroes->wait == 0)) & (suffered > 0);
    HeroNumbers damage = damage_of(heroes->melee, heroes->melee_reach, heroes->ranged,
                                   heroes->ranged_reach, distance);
    heroes->foes -= hit;
    heroes->danger += suffered & hit;
    heroes->worst = greater(heroes->worst, suffered & hit);
    heroes->blow = greater(heroes->blow, smaller(damage, enemy->health));
    heroes->fells |= (damage >= enemy->health) & enemy->stands;
    heroes->nearest = smaller(heroes->nearest, distance);
    heroes->targets -= damage > 0;
    heroes->menace += suffered;
    heroes->apart += smaller(distance, all(STEPS_MOST)) & enemy->stands;
}

/* The enemies' numbers in the places of a group: each side's in the place of the other's, or those
 * of the other group. */
#if SIDES == 2
#define ENEMIES_OF(groups, group, number)                                                          \
    (HeroNumbers) _mm256_permute4x64_epi64((__m256i)(groups)[group].number, 0x4e)
#else
#define ENEMIES_OF(groups, group, number) (groups)[1 - (group)].number
#endif

/* What all enemies and the heroes of a group can do to each other. */
VECTORS void collect_threats(HeroVectors groups[GROUPS], int group) {
    HeroVectors *heroes = &groups[group];
    const OneEnemy enemies = {
        ENEMIES_OF(groups, group, stands),      ENEMIES_OF(groups, group, x),
        ENEMIES_OF(groups, group, y),           ENEMIES_OF(groups, group, health),
        ENEMIES_OF(groups, group, wait),        ENEMIES_OF(groups, group, melee),
        ENEMIES_OF(groups, group, melee_reach), ENEMIES_OF(groups, group, ranged),
        ENEMIES_OF(groups, group, ranged_reach)};
    heroes->blow = heroes->fells = heroes->foes = heroes->danger = heroes->worst = all(0);
    heroes->targets = heroes->menace = heroes->apart = all(0);
    heroes->nearest = all(STEPS_MOST);
    add_threats(heroes, ENEMY_AT(&enemies, 0));
    add_threats(heroes, ENEMY_AT(&enemies, 1));
    add_threats(heroes, ENEMY_AT(&enemies, 2));
    add_threats(heroes, ENEMY_AT(&enemies, 3));
    add_threats(heroes, ENEMY_AT(&enemies, 4));
    add_threats(heroes, ENEMY_AT(&enemies, 5));
}

/* Which heroes have the one of their side at this place beside them, or are it. */
#define IS_BESIDE(heroes, place)                                                                   \
    (steps_to(heroes, SPREAD((heroes)->x, place), SPREAD((heroes)->y, place)) <= FRIEND_STEPS)

/* Friends nearby, themselves among them. */
VECTORS void count_friends(HeroVectors *heroes) {
    heroes->beside = -(IS_BESIDE(heroes, 0) + IS_BESIDE(heroes, 1) + IS_BESIDE(heroes, 2) +
                       IS_BESIDE(heroes, 3) + IS_BESIDE(heroes, 4) + IS_BESIDE(heroes, 5));
}

/* Steps to the nearest stone on the ground; 0 if there is none. */
VECTORS void find_stones(const MarvelousState *state, HeroVectors *heroes) {
    HeroNumbers nearest = all(STEPS_MOST);
    bool any = false;
    for (int i = 0; i < STONES; i++) {
        const Stone *stone = &state->stones[i];
        if (stone->holder != HELD_BY_GROUND)
            continue;
        nearest = smaller(nearest, steps_to(heroes, all(stone->x), all(stone->y)));
        any = true;
    }
    heroes->stone = any ? nearest : all(0);
}

/* --- Features --------------------------------------------------------------------------------- */

/* One where it is true. */
VECTORS HeroNumbers flag(HeroNumbers is) { return is & TABLE_NET_ONE; }

/* The first number as a part of the second in units of TABLE_NET_ONE, DANGER_MOST at most: written
 * division, bit by bit. The second is HEALTH_MOST at most, and not zero. */
VECTORS HeroNumbers part_of(HeroNumbers part, HeroNumbers whole) {
    HeroNumbers rest = smaller(part, DANGER_MOST * whole), found = all(0);
    HeroNumbers fits = rest >= 2 * whole;
    rest -= 2 * whole & fits;
    found |= fits & (2 * TABLE_NET_ONE);
#pragma GCC unroll 7
    for (int16_t bit = TABLE_NET_ONE; bit > 0; bit /= 2, rest += rest) {
        fits = rest >= whole;
        rest -= whole & fits;
        found |= fits & bit;
    }
    return found;
}

/* A hundredth of might times health, which is divided by 50 first; might and health are 300 at
 * most, so that half of their product is below 1 << 16. */
VECTORS HeroNumbers worth_of(HeroNumbers might, HeroNumbers health) {
    Unsigned half = (Unsigned)((might >> 1) * health + ((health >> 1) & -(might & 1)));
    return SCALED(half / 25, 16, 25);
}

/* What is told of the heroes themselves and of threats: sixteen columns. */
VECTORS void fill_columns(const HeroVectors *heroes, HeroNumbers *columns) {
    const HeroNumbers most = all(TURN_DAMAGE_MOST), *strikes = &heroes->actions;
    HeroNumbers health = smaller(heroes->health, all(HEALTH_MOST));
    HeroNumbers pairs = heroes->stones - (heroes->stones >> 1 & 0x15);
    HeroNumbers held = (pairs & 3) + (pairs >> 2 & 3) + (pairs >> 4);
    columns[0] = all(TABLE_NET_ONE);
    columns[1] = SCALED(health, 16, 25);
    columns[2] = SCALED(smaller(heroes->melee_once * *strikes, most), 32, 25);
    columns[3] = SCALED(smaller(heroes->ranged_once * *strikes, most), 32, 25);
    columns[4] = smaller(heroes->reach, all(REACH_MOST)) * 16;
    columns[5] = heroes->moves * 16;
    columns[6] = SCALED(heroes->wait, 16, 3);
    columns[7] = flag(heroes->active);
    columns[8] = held * 32;
    columns[9] = SCALED(smaller(heroes->blow, most), 32, 25);
    columns[10] = flag(heroes->fells);
    columns[11] = heroes->foes * 32;
    columns[12] = part_of(heroes->danger, health);
    columns[13] = flag(heroes->worst >= health);
    columns[14] = SCALED(heroes->nearest, 64, 5);
    columns[15] = SCALED(heroes->stone, 64, 5);
}

/* What more is told of them: the rest of the columns. */
VECTORS void fill_more_columns(const HeroVectors *heroes, HeroNumbers *columns) {
    const HeroNumbers most = all(TURN_DAMAGE_MOST);
    HeroNumbers health = smaller(heroes->health, all(HEALTH_MOST));
    HeroNumbers melee = smaller(heroes->melee_once, all(DAMAGE_MOST));
    HeroNumbers ranged = smaller(heroes->ranged_once, all(DAMAGE_MOST));
    HeroNumbers might = smaller(greater(melee, ranged) * heroes->actions, most);
    columns[0] = part_of(health, heroes->whole);
    columns[1] = SCALED(melee, 16, 5);
    columns[2] = SCALED(ranged, 16, 5);
    columns[3] = heroes->actions * 32;
    columns[4] = heroes->targets * 32;
    columns[5] = SCALED(smaller(heroes->menace, most), 32, 25);
    columns[6] = flag(heroes->danger >= health);
    columns[7] = SCALED(heroes->apart, 4, 5);
    columns[8] = (heroes->beside - 1) * 32;
    columns[9] = worth_of(might, health);
    columns[10] = worth_of(might, smaller(heroes->danger, health));
    columns[11] = heroes->actions_now * 32 & heroes->active;
    columns[12] = heroes->moves_now * 16 & heroes->active;
    columns[13] = flag(heroes->menace >= health);
    columns[14] = columns[15] = all(0);
}

/* Writes one row of a side, if the hero stands. */
VECTORS void write_row(const HeroNumbers *blocks, int side, int16_t stands, int16_t *rows,
                       uint8_t *count) {
    int16_t *row = rows + TABLE_NET_FEATURES * *count;
#pragma GCC unroll 4
    for (int block = 0; block < BLOCKS; block++)
        memcpy(row + PLACES * block, (const int16_t *)&blocks[PLACES * block] + PLACES * side,
               PLACES * sizeof *row);
    *count = (uint8_t)(*count - stands);
}

/* The rows of all heroes of a group that stand; the others are zero. */
VECTORS void write_rows(const HeroVectors *heroes, int first_seat, TableNetInput *out) {
    HeroNumbers blocks[TABLE_NET_FEATURES];
    int16_t stands[SIDES * PLACES];
    fill_columns(heroes, blocks);
    fill_more_columns(heroes, blocks + TABLE_NET_FEATURES / 2);
#pragma GCC unroll 4
    for (int block = 0; block < BLOCKS; block++)
        turn_over(blocks + PLACES * block);
    memcpy(stands, &heroes->stands, sizeof stands);
    for (int side = 0; side < SIDES; side++) {
        int16_t(*rows)[TABLE_NET_FEATURES] = out->units[first_seat + side];
        uint8_t count = 0;
#pragma GCC unroll 6
        for (int place = 0; place < TEAM; place++)
            write_row(blocks + place, side, stands[PLACES * side + place], rows[0], &count);
        for (int row = count; row < TEAM; row++)
            memset(rows[row], 0, sizeof rows[row]);
        out->counts[first_seat + side] = count;
    }
}

/* The rows and counts of both sides' heroes, whatever was there before. */
VECTORS void fill_rows(const MarvelousContent *content, const MarvelousState *state,
                       TableNetInput *out) {
    HeroVectors groups[GROUPS];
    for (int group = 0; group < GROUPS; group++) {
        read_actors(state->actors + TEAM * group, &groups[group]);
        read_kinds(content->kinds, state->actors + TEAM * group, &groups[group]);
    }
    wait_for_turns(state, groups);
    for (int group = 0; group < GROUPS; group++)
        plan_turns(&groups[group]);
    for (int group = 0; group < GROUPS; group++) {
        collect_threats(groups, group);
        count_friends(&groups[group]);
        find_stones(state, &groups[group]);
        write_rows(&groups[group], group, out);
    }
}
