/* simulate.h -- random matches from a seed: one signature shows that two builds play alike.
 *
 * Only the door is used, nothing is allocated or printed, so the same code runs natively and in the
 * browser. A match: setup() with chance number 0, then action k (from 1) with chance number k of
 * the match's seed; each action is drawn uniformly among those of an awaited seat, and where both
 * are awaited the seat is drawn first. Into the signature go, after setup and after each action,
 * the state, what each seat and a spectator may know of it, and the events. */
#ifndef MATCH_SIMULATE_H
#define MATCH_SIMULATE_H
#include "include/mashup.h"

/* A run of random matches. Read the results whenever you like; leave the rest alone. */
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

/* Bytes that simulate_init() wants, aligned to 16. */
size_t simulate_bytes(const MashContent *content);
/* A run without matches yet. Content, setup (NULL = usual options) and memory must stay. */
void simulate_init(Simulation *run, const MashContent *content, const MashSetup *setup,
                   uint64_t seed, void *memory);
/* Plays one more match to its end. MASH_BAD_OPTION: the setup is not allowed, nothing was played.
 */
MashStatus simulate_match(Simulation *run);
/* Plays one more match without views, events and signature: for measuring. The draws are faster
 * and other ones than simulate_match()'s. */
MashStatus simulate_playout(Simulation *run);

/* The seed of match number `match` of a run: the same match can be played or replayed alone. */
MashSeed simulate_seed(uint64_t seed, uint32_t match);
/* What draws the actions of that match. */
MashChance simulate_action_chance(uint64_t seed, uint32_t match);
/* Draws one of the actions that are legal now; `list` has room for terms.actions_max. The match
 * must not be over. */
MashAction simulate_random_action(const MashContent *content, const void *state,
                                  MashChance *chooser, MashAction *list);

/* How many ways a match can go for exactly `depth` actions, and the positions that come out. */
typedef struct Perft {
    uint64_t leaves;
    uint64_t hash; /* of the cores of all leaves, summed up: their order does not count */
} Perft;

/* Deeper than anybody can count. */
enum { PERFT_DEPTH_MAX = 32 };

/* Bytes that perft() wants, aligned to 16. */
size_t perft_bytes(const MashContent *content, uint32_t depth);
/* Counts from a fresh match. Chance is that of match number 0 of the seed, numbered by depth, so
 * all siblings see the same draws. Where both seats are awaited, the actions of both count. */
MashStatus perft(const MashContent *content, const MashSetup *setup, uint64_t seed, uint32_t depth,
                 void *memory, Perft *out);
/* The same from a position that `ply` actions of the match with this seed have led to. */
void perft_from(const MashContent *content, const void *state, MashSeed seed, uint32_t ply,
                uint32_t depth, void *memory, Perft *out);

#endif
