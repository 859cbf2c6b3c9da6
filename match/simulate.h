/* simulate.h -- random matches from a seed: one signature shows that two builds play the same.
 *
 * Uses only include/mashup.h; nothing is allocated or printed, so the same code runs natively and
 * in the browser. A match: setup() with chance number 0, then action k (from 1) with chance number
 * k of the match's seed; each action is drawn uniformly among those of an awaited seat, and where
 * both are awaited the seat is drawn first. The signature includes, after setup and after each
 * action, the state, what each seat and a spectator may know of it, and the events. */
#ifndef MATCH_SIMULATE_H
#define MATCH_SIMULATE_H
#include "include/mashup.h"

/* A run of random matches. The results may be read at any time; do not use the rest. */
typedef struct Simulation {
    /* results */
    uint32_t matches;
    uint64_t actions;
    uint64_t signature;
    /* private */
    const MashContent *content;
    const MashSetup *setup;
    uint64_t seed;
    void *state, *view;
    MashAction *list;
    MashEvents events;
} Simulation;

/* Bytes that simulate_init() needs, aligned to 16. */
size_t simulate_bytes(const MashContent *content);
/* A run without matches yet. Content, setup (NULL = default options) and memory must stay valid. */
void simulate_init(Simulation *run, const MashContent *content, const MashSetup *setup,
                   uint64_t seed, void *memory);
/* Plays one more match to its end. MASH_BAD_OPTION: the setup is not allowed, nothing was played.
 */
MashStatus simulate_match(Simulation *run);
/* Plays one more match without views, events and signature, for measuring. It draws faster and
 * differently than simulate_match(). */
MashStatus simulate_playout(Simulation *run);

/* The seed of match number `match` of a run: the same match can be played or replayed alone. */
MashSeed simulate_seed(uint64_t seed, uint32_t match);
/* The chance that draws the actions of that match. */
MashChance simulate_action_chance(uint64_t seed, uint32_t match);
/* Draws one of the legal actions; `list` has space for limits.actions_max. The match must not be
 * over. */
MashAction simulate_random_action(const MashContent *content, const void *state,
                                  MashChance *chooser, MashAction *list);

/* The number of ways a match can go for exactly `depth` actions, and the resulting positions. */
typedef struct Perft {
    uint64_t leaves;
    uint64_t hash; /* sum of the hashes of the cores of all leaves, independent of their order */
} Perft;

/* Deeper than can be counted. */
enum { PERFT_DEPTH_MAX = 32 };

/* Bytes that perft() needs, aligned to 16. */
size_t perft_bytes(const MashContent *content, uint32_t depth);
/* Counts from a fresh match. Chance is that of match number 0 of the seed, numbered by depth, so
 * all siblings see the same draws. Where both seats are awaited, the actions of both count. */
MashStatus perft(const MashContent *content, const MashSetup *setup, uint64_t seed, uint32_t depth,
                 void *memory, Perft *out);
/* The same from a position reached by `ply` actions of the match with this seed. */
void perft_from(const MashContent *content, const void *state, MashSeed seed, uint32_t ply,
                uint32_t depth, void *memory, Perft *out);

#endif
