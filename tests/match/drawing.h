/* drawing.h -- a position as plain text, for golden files: the board as a grid, and lines about
 * units, teams and the match.
 *
 * Independent of the rules: everything comes from show() and the game's texts. Drawing a view shows
 * what its seat may know; a hidden token is ??. */
#ifndef TESTS_DRAWING_H
#define TESTS_DRAWING_H
#include "include/mashup.h"

/* The grid: coordinates at the edges, unit names on their cells (shortened to four columns, ninja12
 * as ni12), `+` after a name where more tokens share the cell, elsewhere the sign of the ground and
 * its health. */
void drawing_board(const MashContent *content, const void *state, const MashBoard *board,
                   MashText *text);
/* A team's name and meters, then a line for each of its tokens (MASH_SEAT_NONE: unowned tokens, no
 * name). */
void drawing_side(const MashContent *content, const void *state, const MashBoard *board,
                  uint8_t seat, MashText *text);
/* One or two lines: phase, the awaited seats or how the match ended, the match's meters, the order
 * of play; and one for each kind or item that the match has meters of. */
void drawing_status(const MashContent *content, const void *state, const MashBoard *board,
                    MashText *text);

#endif
