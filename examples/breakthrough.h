/* breakthrough.h -- Breakthrough on 8x8 behind the door: the example of docs/adding-a-game.md, and
 * the yardstick by which our speed is put beside other engines'. It lives among the tests and is
 * not in mash_games. */
#ifndef EXAMPLES_BREAKTHROUGH_H
#define EXAMPLES_BREAKTHROUGH_H
#include "include/mashup.h"

/* The game. */
extern const MashGame breakthrough_game;

#endif
