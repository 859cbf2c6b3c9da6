/* net_input.c -- what a net is told of a position (base/table_net.h): each champion in play by his
 * numbers, effects and abilities, and by what he and the enemies can do to each other in their next
 * turns, whatever stands in the way. */
#include <string.h>

#include "games/ultimate-war/state.h"

/* Unusual content may go far beyond the training data: numbers are clamped. */
enum {
    HEALTH_SEEN = 6000,
    DAMAGE_SEEN = 1000,
    MANA_SEEN = 3000,
    SPEED_SEEN = 300,
    POINTS_SEEN = 16,
    TURNS_SEEN = 3,
    ROUNDS_SEEN = 32,
    SHARE_MOST = 3 * TABLE_NET_ONE,
};

/* A number, but no more than the limit. */
static inline int32_t at_most(int32_t number, int32_t most) {
    return number < most ? number : most;
}

/* A number in units of `one`. */
static inline int16_t scaled(int32_t number, int32_t one) {
    return (int16_t)(number * TABLE_NET_ONE / one);
}

/* A part of a whole, at most three times the whole. */
static inline int16_t share(int32_t part, int32_t whole) {
    if (part >= 3 * whole)
        return SHARE_MOST;
    return (int16_t)(part * TABLE_NET_ONE / whole);
}

/* A damaging ability that can be cast in the next turn. */
typedef struct NextCast {
    int32_t amount;
    int range, points;
} NextCast;

/* What a champion can do in his next turn, and suffer before it. */
typedef struct Outlook {
    const Champion *champion;
    const WarKind *kind;
    int16_t *row; /* his features */
    int wait;     /* turns of others before his own */
    int points;   /* for his next turn */
    int casts_count;
    int32_t health, damage; /* as far as seen; of one attack, 0 when he may not attack */
    NextCast casts[SLOTS];
    int32_t blow, danger, worst; /* most that he can do to one; what all and one can do to him */
    int nearest;                 /* steps that he lacks to attack */
    bool fells;
} Outlook;

/* --- What he can do --------------------------------------------------------------------------- */

/* His turn comes after so many others; those who had theirs come after all who are still to act. */
static int wait_of(const WarState *state, uint8_t unit) {
    for (int i = 0; i < state->queue_count; i++)
        if (state->queue[i] == unit)
            return i;
    return state->queue_count + TEAM - 1;
}

/* The abilities: what could be cast now, or will be when it has cooled down. */
static void add_abilities(Outlook *own, bool silent) {
    int32_t ready = 0, later = 0, heal = 0, stun = 0, debuffs = 0, buffs = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        const Ability *ability = &own->kind->abilities[slot];
        int32_t amount = at_most(own->champion->amounts[slot], DAMAGE_SEEN);
        bool now = own->champion->cooldowns[slot] <= 1;
        if (own->champion->mana < ability->mana)
            continue;
        if (ability->effect_kind == ABILITY_EFFECT_DAMAGE) {
            *(now ? &ready : &later) += amount;
            if (now && !silent)
                own->casts[own->casts_count++] = (NextCast){
                    amount, ability->area == AREA_SURROUND ? 1 : ability->range, ability->points};
        } else if (ability->effect_kind == ABILITY_EFFECT_HEAL) {
            heal += now ? amount : amount / 2;
        } else if (ability->effect == EFFECT_STUN) {
            stun += now ? 2 : 1;
        } else {
            *(MARK(ability->effect) & BUFFS ? &buffs : &debuffs) += now ? 2 : 1;
        }
    }
    own->row[20] = scaled(ready, 200);
    own->row[21] = scaled(later, 200);
    own->row[22] = scaled(heal, 200);
    own->row[23] = scaled(stun, 2);
    own->row[24] = scaled(debuffs, 2);
    own->row[25] = scaled(buffs, 2);
}

/* The effects on him, by the turns that are left; several of one kind count together. */
static void add_effects(const Champion *champion, int16_t *row) {
    static const uint8_t places[EFFECTS] = {
        [EFFECT_DISARM] = 12,   [EFFECT_DODGE] = 13,    [EFFECT_ROOT] = 14,  [EFFECT_SHIELD] = 15,
        [EFFECT_SILENCE] = 16,  [EFFECT_STUN] = 17,     [EFFECT_SHOCK] = 18, [EFFECT_EMBRACE] = 19,
        [EFFECT_POWER_UP] = 19, [EFFECT_SPEED_UP] = 19,
    };
    for (int i = 0; i < champion->effects_count; i++) {
        int16_t *feature = &row[places[champion->effects[i] >> 4]];
        int turns = at_most(champion->effects[i] & 15, TURNS_SEEN);
        *feature = (int16_t)at_most(*feature + turns * TABLE_NET_ONE / 2, TABLE_NET_MOST - 1);
    }
}

/* His own numbers. */
static void begin_row(const WarContent *content, const WarState *state, uint8_t unit, int16_t *row,
                      Outlook *own) {
    const Champion *champion = &state->champions[unit];
    bool active = state->queue[0] == unit && state->queue_count > 0;
    memset(row, 0, TABLE_NET_FEATURES * sizeof *row);
    /* Field by field: what is counted needs no zeros before, which take long. */
    own->champion = champion;
    own->kind = kind_of(content, champion);
    own->row = row;
    own->wait = wait_of(state, unit);
    own->casts_count = 0;
    own->health = at_most(champion->health, HEALTH_SEEN);
    own->blow = own->danger = own->worst = 0;
    own->nearest = DISTANCES;
    own->fells = false;
    bool stunned = has_effect(champion, EFFECT_STUN);
    own->points = stunned ? 0 : active ? champion->points : champion->points_turn;
    own->points = own->points < 0 ? 0 : at_most(own->points, POINTS_SEEN);
    own->damage = has_effect(champion, EFFECT_DISARM) ? 0 : at_most(champion->damage, DAMAGE_SEEN);
    row[0] = TABLE_NET_ONE;
    row[1] = scaled(own->health, 1000);
    row[2] = share(own->health, at_most(own->kind->health, HEALTH_SEEN));
    row[3] = scaled(at_most(champion->damage, DAMAGE_SEEN), 100);
    row[4] = scaled(own->kind->range, 2);
    row[5] = scaled(at_most(champion->points_turn < 0 ? 0 : champion->points_turn, POINTS_SEEN), 4);
    row[6] = active ? scaled(own->points, 4) : 0;
    row[7] = active ? TABLE_NET_ONE : 0;
    row[8] = scaled(own->wait, UNITS);
    row[9] = own->wait >= state->queue_count ? TABLE_NET_ONE : 0;
    row[10] = scaled(at_most(champion->speed, SPEED_SEEN), 100);
    row[11] = scaled(at_most(champion->mana, MANA_SEEN), 1000);
    add_effects(champion, row);
    add_abilities(own, has_effect(champion, EFFECT_SILENCE));
}

/* --- What they do to each other --------------------------------------------------------------- */

/* The damage to an enemy so many steps away: abilities first, attacks with the points left. */
static int32_t damage_to(const Outlook *own, const Outlook *other, int distance) {
    bool rooted = has_effect(own->champion, EFFECT_ROOT);
    int points = own->points, lacking = distance - own->kind->range, moved = 0;
    int32_t sum = 0, attack = own->damage;
    if (own->kind->type != other->kind->type)
        attack = attack * 3 / 2; /* [5.7] */
    for (int i = 0; i < own->casts_count; i++) {
        const NextCast *next = &own->casts[i];
        int steps = distance - next->range - moved;
        steps = steps > 0 ? steps : 0;
        if ((rooted && steps > 0) || steps + next->points > points)
            continue;
        moved += steps;
        points -= steps + next->points;
        sum += next->amount;
    }
    lacking -= moved;
    if (lacking > 0)
        points = rooted ? 0 : points - lacking;
    return sum + (points >= COST_ATTACK ? points / COST_ATTACK * attack : 0);
}

/* One champion and one enemy. */
static void add_threat(Outlook *own, Outlook *other, int distance) {
    int lacking = distance - own->kind->range;
    int32_t damage = damage_to(own, other, distance);
    int32_t done = at_most(damage, other->health);
    own->nearest = lacking < own->nearest ? lacking : own->nearest;
    own->blow = done > own->blow ? done : own->blow;
    own->fells = own->fells || damage >= other->health;
    if (own->wait < other->wait || other->wait == 0) {
        other->danger += damage;
        other->worst = damage > other->worst ? damage : other->worst;
    }
}

/* All pairs of enemies. */
static void add_threats(const int *counts, Outlook outlooks[MASH_SEATS][TEAM]) {
    for (int i = 0; i < counts[0]; i++)
        for (int j = 0; j < counts[1]; j++) {
            Outlook *own = &outlooks[0][i], *other = &outlooks[1][j];
            uint8_t here = own->champion->cell, there = other->champion->cell;
            int distance =
                grid_manhattan(column_of(here), row_of(here), column_of(there), row_of(there));
            add_threat(own, other, distance);
            add_threat(other, own, distance);
        }
}

/* --- All of it -------------------------------------------------------------------------------- */

/* Is the seat's leader in play, with his ability unused? Then his type, TYPES otherwise. */
static uint8_t command_of(const WarContent *content, const WarState *state, uint8_t seat) {
    uint8_t leader = state->leaders[seat];
    if (leader >= UNITS || state->champions[leader].cell == CELL_NONE ||
        (state->commands >> seat & 1) != 0)
        return TYPES;
    return kind_of(content, &state->champions[leader])->type;
}

/* The last features of a champion. */
static void end_row(const Outlook *own, uint8_t enemy_command) {
    bool weak = 10 * own->champion->health < 3 * own->kind->health;
    own->row[26] = scaled(at_most(own->blow, DAMAGE_SEEN), 200);
    own->row[27] = own->fells ? TABLE_NET_ONE : 0;
    own->row[28] = share(own->danger, own->health);
    own->row[29] = own->worst >= own->health ? TABLE_NET_ONE : 0;
    own->row[30] = scaled(own->nearest < 0 ? 0 : own->nearest, 2);
    own->row[31] = weak ? (enemy_command == TYPE_VILLAIN ? 2 : 1) * TABLE_NET_ONE : 0;
}

/* The features of a side. */
static void describe_side(const WarContent *content, const WarState *state, uint8_t seat, int count,
                          int16_t *out) {
    uint8_t command = command_of(content, state, seat);
    int32_t to_act = 0;
    for (int i = 0; i < state->queue_count; i++)
        to_act += seat_of(state->queue[i]) == seat;
    out[0] = scaled(count, TEAM);
    if (command < TYPES)
        out[1 + command] = TABLE_NET_ONE;
    out[1 + TYPES] = scaled(to_act, TEAM);
    out[2 + TYPES] = state->queue_count > 0 && seat_of(state->queue[0]) == seat ? TABLE_NET_ONE : 0;
    out[3 + TYPES] = count == 1 ? TABLE_NET_ONE : 0;
}

bool ultimate_war_net_input(const MashContent *loaded, const void *raw_state, TableNetInput *out) {
    const WarContent *content = war_content(loaded);
    const WarState *state = raw_state;
    Outlook outlooks[MASH_SEATS][TEAM];
    int counts[MASH_SEATS] = {0};
    if (state->phase != PHASE_PLAY)
        return false;
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        uint8_t seat = seat_of(unit);
        if (state->champions[unit].cell == CELL_NONE)
            continue;
        int place = counts[seat]++;
        begin_row(content, state, unit, out->units[seat][place], &outlooks[seat][place]);
    }
    add_threats(counts, outlooks);
    memset(out->sides, 0, sizeof out->sides);
    memset(out->table, 0, sizeof out->table);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        uint8_t enemy_command = command_of(content, state, opponent(seat));
        for (int i = 0; i < counts[seat]; i++)
            end_row(&outlooks[seat][i], enemy_command);
        describe_side(content, state, seat, counts[seat], out->sides[seat]);
        out->counts[seat] = (uint8_t)counts[seat];
    }
    out->table[0] = scaled(at_most(state->round, ROUNDS_SEEN), 16);
    out->table[1] = scaled(__builtin_popcount(state->covers), COVERS);
    return true;
}
