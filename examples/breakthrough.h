/* breakthrough.h -- Breakthrough on 8x8 through the interface (include/mashup.h): the example of
 * docs/adding-a-game.md, and the benchmark to compare our speed with other engines. It is linked
 * into tests only and is not in mash_games. */
#ifndef EXAMPLES_BREAKTHROUGH_H
#define EXAMPLES_BREAKTHROUGH_H
#include "include/mashup.h"

/* The game. */
extern const MashGame breakthrough_game;

#endif
