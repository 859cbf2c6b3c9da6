/* chance.h -- the source of random numbers: an argument of setup() and apply(), never part of a
 * state.
 *
 * One struct, four sources: SEEDED for play (a key that no player can derive from what they see,
 * and a counter of action number and draw number, so that any single action can be replayed alone),
 * SCRIPTED for tests (every number must be used up), SAMPLED for the AI (fast, predictable) and
 * ENUMERATED (all outcomes in turn). Rules draw at most once per statement: the order of two draws
 * in one expression differs between compilers. */
#ifndef BASE_CHANCE_H
#define BASE_CHANCE_H
#include <stdbool.h>
#include <stdint.h>

/* 128 secret bits that determine all chance of a match. */
typedef struct MashSeed {
    uint64_t words[2];
} MashSeed;

/* The four sources. */
typedef enum MashChanceSource {
    MASH_CHANCE_SEEDED,
    MASH_CHANCE_SCRIPTED,
    MASH_CHANCE_SAMPLED,
    MASH_CHANCE_ENUMERATED
} MashChanceSource;

/* One wheel of the enumeration: its current value and how many it has. */
typedef struct MashWheel {
    uint32_t value, values;
} MashWheel;

/* A source and its current position; made by the functions below. */
typedef struct MashChance {
    MashChanceSource source;
    uint64_t key[2];
    uint64_t counter;       /* seeded: action number << 32 | draws so far */
    const uint32_t *script; /* scripted: the outcomes to come */
    MashWheel *wheels;      /* enumerated: lent */
    uint32_t used, max;     /* scripted, enumerated: outcomes used, outcomes available */
    bool failed; /* scripted: a draw too many or out of range; enumerated: too few wheels */
} MashChance;

/* Chance of action number `ply` (setup is 0) of the match with this seed. */
MashChance chance_seeded(MashSeed seed, uint32_t ply);
/* Outcomes in order, each below what the rules ask for. chance_used_up() reports whether all were
 * used, and none too many. */
MashChance chance_scripted(const uint32_t *script, uint32_t count);
bool chance_used_up(const MashChance *chance);
/* A fast stream from a number. */
MashChance chance_sampled(uint64_t number);
/* All outcomes in turn: run with it, then call chance_next() until it returns false. Wheels start
 * zeroed. */
MashChance chance_enumerated(MashWheel *wheels, uint32_t max);
bool chance_next(MashChance *chance);

/* A uniform integer from 0 to values-1; values > 0. */
uint32_t chance_below(MashChance *chance, uint32_t values);

#endif
