/* learned.c -- see learned.h. */
#include "games/marvelous-mashup/learned.h"

#include <string.h>

/* Strange content may go far beyond what was learned from: numbers are kept in sight of it. */
enum {
    DAMAGE_MOST = 200,
    STRIKES_MOST = 4,
    TURN_DAMAGE_MOST = 300,
    HEALTH_MOST = 300,
    REACH_MOST = 10,
    MOVES_MOST = 8,
    STEPS_MOST = 20,
    ROUNDS_MOST = 20,
    DANGER_MOST = 3 * LEARNED_ONE,
    LAYER_MOST = 64 * LEARNED_ONE - 1,
};

/* The number, but no more than the limit. */
static inline int at_most(int number, int most) { return number < most ? number : most; }

/* What a hero can do and suffer until its next turn is over. */
typedef struct Outlook {
    const Kind *kind;
    int wait; /* turns of others before its own */
    int moves, strikes;
    int blow;   /* most damage to one whom it can reach */
    bool fells; /* can it knock out somebody? */
    int foes;   /* who can reach it before its turn, */
    int danger; /* all damage that they can do, */
    int worst;  /* and the worst of them */
    int nearest;
} Outlook;

/* --- Outlooks --------------------------------------------------------------------------------- */

/* When everybody's turn comes, and with how many points. Those who had theirs come in the middle of
 * the next round, as far as anybody knows. */
static void wait_for_turns(const Nouns *nouns, const State *state, Outlook *outlooks) {
    int left = state->order_count - state->order_next;
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        const Kind *kind = kind_of(nouns, state, hero);
        outlooks[hero] = (Outlook){.kind = kind,
                                   .wait = left + TEAM,
                                   .moves = at_most(kind->moves, MOVES_MOST),
                                   .strikes = at_most(kind->actions, STRIKES_MOST),
                                   .nearest = STEPS_MOST};
    }
    for (int i = state->order_next; i < state->order_count; i++)
        if (state->order[i] < HEROES)
            outlooks[state->order[i]].wait = i - state->order_next + 1;
    if (state->active < HEROES) {
        const Actor *actor = &state->actors[state->active];
        outlooks[state->active].wait = 0;
        outlooks[state->active].moves = at_most(actor->moves, MOVES_MOST);
        outlooks[state->active].strikes = at_most(actor->actions, STRIKES_MOST);
    }
}

/* What one hero can do to an enemy in its next turn, walking straight and through everything. */
static void look_at(Outlook *own, Outlook *other, const Actor *actor, const Actor *victim) {
    const Kind *kind = own->kind;
    int distance = grid_chebyshev(actor->x, actor->y, victim->x, victim->y);
    own->nearest = at_most(distance, own->nearest);
    int melee = distance <= own->moves + 1 ? kind->melee : 0;
    int ranged = distance <= own->moves + kind->reach ? kind->ranged : 0;
    int damage = at_most(melee > ranged ? melee : ranged, DAMAGE_MOST) * own->strikes;
    if (damage == 0)
        return;
    int done = at_most(damage, victim->health);
    own->blow = done > own->blow ? done : own->blow;
    own->fells = own->fells || damage >= victim->health;
    if (own->wait < other->wait || other->wait == 0) {
        other->foes++;
        other->danger += damage;
        other->worst = damage > other->worst ? damage : other->worst;
    }
}

/* Everybody looks at every enemy. */
static void look_around(const State *state, const uint8_t *stands, Outlook *outlooks) {
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        uint8_t first = (uint8_t)(TEAM * (1 - seat_of(hero)));
        for (uint8_t enemy = first; stands[hero] && enemy < first + TEAM; enemy++)
            if (stands[enemy])
                look_at(&outlooks[hero], &outlooks[enemy], &state->actors[hero],
                        &state->actors[enemy]);
    }
}

/* --- Telling ---------------------------------------------------------------------------------- */

/* A number of which `one` make one. */
static inline int16_t told(int number, int one) { return (int16_t)(number * LEARNED_ONE / one); }

/* Steps to the nearest stone on the ground; 0 without one. */
static int steps_to_stone(const State *state, const Actor *actor) {
    int least = STEPS_MOST + 1;
    for (int stone = 0; stone < STONES; stone++) {
        const Stone *lying = &state->stones[stone];
        if (lying->holder == HELD_BY_GROUND)
            least = at_most(grid_chebyshev(actor->x, actor->y, lying->x, lying->y),
                            at_most(least, STEPS_MOST));
    }
    return least > STEPS_MOST ? 0 : least;
}

/* One hero's numbers. */
static void tell_hero(const State *state, uint8_t hero, const Outlook *outlook, int16_t *out) {
    const Actor *actor = &state->actors[hero];
    const Kind *kind = outlook->kind;
    int health = at_most(actor->health, HEALTH_MOST);
    int strikes = at_most(kind->actions, STRIKES_MOST);
    int danger = outlook->danger * LEARNED_ONE / health;
    out[0] = LEARNED_ONE;
    out[1] = told(health, 100);
    out[2] = told(at_most(kind->melee * strikes, TURN_DAMAGE_MOST), 50);
    out[3] = told(at_most(kind->ranged * strikes, TURN_DAMAGE_MOST), 50);
    out[4] = told(at_most(kind->reach, REACH_MOST), 4);
    out[5] = told(at_most(kind->moves, MOVES_MOST), 4);
    out[6] = told(outlook->wait, HEROES);
    out[7] = told(state->active == hero, 1);
    out[8] = told(stones_in(actor->stones), 2);
    out[9] = told(at_most(outlook->blow, TURN_DAMAGE_MOST), 50);
    out[10] = told(outlook->fells, 1);
    out[11] = told(outlook->foes, 2);
    out[12] = (int16_t)at_most(danger, DANGER_MOST);
    out[13] = told(outlook->worst >= health, 1);
    out[14] = told(outlook->nearest, 5);
    out[15] = told(steps_to_stone(state, actor), 5);
}

/* What a side holds: each stone by half as long as it cannot be used, and how it fared. */
static void tell_side(const State *state, uint8_t seat, const uint8_t *stands, int16_t *out) {
    int down = 0;
    for (int stone = 0; stone < STONES; stone++) {
        const Stone *held = &state->stones[stone];
        if (held->holder < HEROES && seat_of(held->holder) == seat)
            out[stone] = told(1, held->cooldown > 0 ? 2 : 1);
    }
    for (uint8_t hero = (uint8_t)(TEAM * seat); hero < TEAM * seat + TEAM; hero++)
        down += !stands[hero];
    out[STONES] = told(state->most_stones[seat], 4);
    out[STONES + 1] = told(down, 2);
}

void learned_tell(const Nouns *nouns, const State *state, Told *out) {
    Outlook outlooks[HEROES];
    int inside = 0;
    memset(out, 0, sizeof *out);
    for (uint8_t hero = 0; hero < HEROES; hero++)
        out->stands[hero] = state->actors[hero].health > 0 && on_board(state, hero);
    wait_for_turns(nouns, state, outlooks);
    look_around(state, out->stands, outlooks);
    for (uint8_t hero = 0; hero < HEROES; hero++)
        if (out->stands[hero])
            tell_hero(state, hero, &outlooks[hero], out->heroes[hero]);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        tell_side(state, seat, out->stands, out->sides[seat]);
    for (int stone = 0; stone < STONES; stone++)
        inside += state->stones[stone].holder == HELD_BY_GOOSE;
    out->time[0] = told(at_most(state->round, ROUNDS_MOST), 8);
    out->time[1] = told(inside, 4);
}

/* --- Judging ---------------------------------------------------------------------------------- */

/* What is over nothing, in units of LEARNED_ONE. */
static inline int32_t over_nothing(int32_t sum) {
    return sum <= 0 ? 0 : at_most(sum / LEARNED_WEIGHT, LAYER_MOST);
}

/* The sum of products; short numbers, for which machines have instructions. */
static inline int32_t weigh(const int16_t *weights, const int16_t *numbers, int count) {
    int32_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += weights[i] * numbers[i];
    return sum;
}

/* The first layer, summed over a side; LAYER_MOST keeps six of them short. */
static void see_side(const Learned *learned, const Told *told, uint8_t seat, int16_t *out) {
    for (uint8_t hero = (uint8_t)(TEAM * seat); hero < TEAM * seat + TEAM; hero++) {
        if (!told->stands[hero])
            continue;
        for (int i = 0; i < LEARNED_FIRST; i++) {
            int32_t sum = weigh(learned->first[i], told->heroes[hero], LEARNED_HERO);
            out[i] = (int16_t)(out[i] + over_nothing(sum + learned->first_base[i]));
        }
    }
    memcpy(out + LEARNED_FIRST, told->sides[seat], sizeof told->sides[seat]);
}

/* The second layer: own side first, then the other, then the time. */
static int64_t see_both(const Learned *learned, const Told *told, const int16_t *own,
                        const int16_t *other) {
    int64_t value = 0;
    for (int i = 0; i < LEARNED_SECOND; i++) {
        const int16_t *weights = learned->second[i];
        int32_t sum = learned->second_base[i] + weigh(weights, own, LEARNED_SEEN) +
                      weigh(weights + LEARNED_SEEN, other, LEARNED_SEEN) +
                      weigh(weights + MASH_SEATS * LEARNED_SEEN, told->time, LEARNED_TIME);
        value += (int64_t)learned->last[i] * (sum > 0 ? sum / LEARNED_WEIGHT : 0);
    }
    return value;
}

int32_t learned_value(const Learned *learned, const Told *told) {
    int16_t seen[MASH_SEATS][LEARNED_SEEN] = {{0}};
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        see_side(learned, told, seat, seen[seat]);
    int64_t lead =
        see_both(learned, told, seen[0], seen[1]) - see_both(learned, told, seen[1], seen[0]);
    return (int32_t)(lead * LEARNED_LOGIT / (LEARNED_ONE * LEARNED_WEIGHT));
}

int32_t learned_judge(const Learned *learned, const Nouns *nouns, const State *state,
                      uint8_t seat) {
    Told told;
    if (state->phase == PHASE_CHOICE)
        return 0;
    learned_tell(nouns, state, &told);
    int32_t value = learned_value(learned, &told);
    return seat == 0 ? value : -value;
}
