/* policy.h -- what a seat believes of the enemy's hidden pieces, and what it does: learned.h.
 *
 * Works on views and on states alike: of a state it looks only at what the seat may see. */
#ifndef GENERALS_POLICY_H
#define GENERALS_POLICY_H
#include "games/generals/learned.h"
#include "games/generals/state.h"

/* Chances are in parts of this. */
enum { CERTAIN = 1024 };

/* What a seat knows of each enemy; those beyond the army are 0. */
typedef struct GeneralsKnown {
    uint16_t masks[SIDE_MAX]; /* what it can be */
    uint8_t kinds[SIDE_MAX];  /* what it is, if that is seen */
    uint8_t zero;
} GeneralsKnown;

/* A seat's beliefs about its enemies, and what follows for battles. Enemies that can be the same
 * and left the same trace form one group: they share all beliefs. */
typedef struct GeneralsBeliefs {
    GeneralsKnown known;
    uint8_t worked_out, groups_count;
    uint8_t trace[SIDE_MAX]; /* of each enemy: generals_trace() */
    uint8_t group[SIDE_MAX];
    uint8_t hidden[SIDE_MAX];                 /* how many of a group are not known */
    uint8_t traces[SIDE_MAX];                 /* of a group */
    uint16_t masks[SIDE_MAX];                 /* what a group can be */
    int16_t chances[SIDE_MAX][KINDS_MAX + 1]; /* of a group to be of a kind */
    uint32_t computed[KINDS_MAX + 1];         /* groups with gains and losses of an own kind */
    int16_t gains[KINDS_MAX + 1][SIDE_MAX];   /* of an own kind by attacking one of a group */
    int16_t losses[KINDS_MAX + 1][SIDE_MAX];  /* of an own kind when one of a group attacks it */
    uint8_t hunted_count[KINDS_MAX + 1];      /* the groups that it gains by, the best first */
    uint8_t hunted[KINDS_MAX + 1][SIDE_MAX];
} GeneralsBeliefs;

/* Steps from each cell to the nearest of some; a column is eight bytes. */
typedef struct GeneralsSteps {
    uint8_t from[WIDTH_MAX]; /* the cells that it was worked out for: sets of rows */
    uint64_t columns[WIDTH_MAX];
} GeneralsSteps;

/* What a seat thinks of a state. */
typedef struct GeneralsOdds {
    const GeneralsContent *body;
    const GeneralsState *state;
    const GeneralsArmy *army, *enemy;
    GeneralsBeliefs *beliefs;
    uint8_t seat;
    uint8_t nexus;                      /* cell of the own one */
    uint8_t threat_cell, threat_steps;  /* the enemy that is nearest to it */
    uint8_t preys[SIDE_MAX][WIDTH_MAX]; /* where those of a group are: sets of rows */
    uint32_t present, spread;           /* groups on the board; those with steps: */
    GeneralsSteps to_group[SIDE_MAX];
    GeneralsSteps to_moved, to_unmoved;              /* to hidden enemies */
    uint64_t friends[WIDTH_MAX], enemies[WIDTH_MAX]; /* how many are beside each cell, by columns */
    /* What a unit leaves by any step; a list has all steps of a unit together. */
    uint8_t unit;
    int danger_left, hunt_left, friends_left, to_moved_left, to_unmoved_left;
    int32_t unit_sum; /* of the features that are the same for all its steps */
} GeneralsOdds;

/* What a seat keeps from one action of a search to the next, all zeros at first: beliefs are worked
 * out again only where enemies can be something else than before. How often they step meanwhile
 * changes nothing. */
enum { BELIEFS_KEPT = 16 };
typedef struct GeneralsMemory {
    GeneralsOdds odds;
    GeneralsBeliefs kept[BELIEFS_KEPT];
} GeneralsMemory;

/* A feature of an action and its value. */
typedef struct GeneralsFeature {
    uint16_t index;
    int16_t value;
} GeneralsFeature;
enum { FEATURES_MAX = 96 };
typedef struct GeneralsFeatures {
    uint32_t count;
    GeneralsFeature list[FEATURES_MAX];
} GeneralsFeatures;

/* Brings the odds up to date; `kept` is room for so many beliefs. */
void generals_odds(GeneralsOdds *odds, GeneralsBeliefs *kept, uint32_t kept_count,
                   const GeneralsContent *body, const GeneralsState *state, uint8_t seat);
/* How much an action is preferred, in 1/65536 of the logarithm of its probability; where features
 * are asked for, they are listed. */
int32_t generals_preference(GeneralsOdds *odds, MashAction action, GeneralsFeatures *features);

/* See MashEvaluator.habit; the memory is a GeneralsMemory. */
uint32_t generals_habit(const MashContent *content, const void *raw_state, uint8_t seat,
                        const MashAction *list, uint32_t count, MashChance *chance, void *memory);
/* Who stands better, from -3000 to 3000 for seat 0. */
int32_t generals_lead(const GeneralsContent *body, const GeneralsState *state);

/* What was seen of a piece, hidden or not: where it started, how often it stepped. */
uint8_t generals_trace(const GeneralsContent *body, const GeneralsState *state, uint8_t side,
                       uint32_t number);
/* What the pieces of the other side than `seat` can be by what `seat` may see of this state: the
 * masks and kinds are filled in. */
void generals_seen(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                   GeneralsKnown *known);

/* Who stands better, all ranks known: in 1/65536 of the logarithm of the odds, for seat 0. */
int32_t generals_value(const GeneralsContent *body, const GeneralsState *state,
                       int32_t features[VALUE_WEIGHTS]);

/* Preference for placing a kind on a cell, likewise. */
int32_t generals_set_preference(const GeneralsContent *body, const GeneralsState *state,
                                uint8_t seat, uint8_t kind, uint8_t cell, uint8_t nexus,
                                GeneralsFeatures *features);
/* The cell where the kind is placed next, drawn by these preferences. */
uint8_t generals_place(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                       uint8_t kind, uint8_t nexus, MashChance *chance);
#endif
