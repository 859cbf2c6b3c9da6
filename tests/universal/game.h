/* game.h -- the test that every game gets for free: random matches through the interface, checking
 * at each step everything that include/mashup.h promises.
 *
 * Match number m of a game is always the same match: environment MASH_MATCH=m plays only that
 * one. */
#ifndef TESTS_UNIVERSAL_GAME_H
#define TESTS_UNIVERSAL_GAME_H
#include "include/mashup.h"

/* What was tested, and the result. */
typedef struct EveryReport {
    uint32_t matches;
    uint64_t actions;
    uint64_t signature; /* of all states and views: the same from every build */
    uint64_t pairs;     /* pairs of states compared that differ in hidden information */
    char failure[2048]; /* empty: all promises kept; else what, where, and how to reproduce it */
} EveryReport;

/* Plays about this many matches over all presets and many options (fewer on huge boards). True if
 * every promise was kept. */
bool every_game_passes(const MashGame *game, uint32_t matches, EveryReport *report);

#endif
