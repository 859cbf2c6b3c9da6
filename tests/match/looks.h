/* looks.h -- what players are told about positions before anything is done, as lines of text: where
 * each unit can go and how it can hit, what the enemy threatens, what actions would do and what of
 * them can be known. For golden files: a line names the game, the position and what has changed. */
#ifndef TESTS_MATCH_LOOKS_H
#define TESTS_MATCH_LOOKS_H
#include "include/mashup.h"

/* Appends a line for each of so many positions of random matches of a preset. */
void looks_write(const MashGame *game, const char *preset, uint32_t positions, MashText *text);

#endif
