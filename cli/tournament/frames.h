/* frames.h -- a match as pictures that the page of a tournament draws without any engine: the
 * boards as numbers, one after the other, each with what happened in words. */
#ifndef CLI_TOURNAMENT_FRAMES_H
#define CLI_TOURNAMENT_FRAMES_H
#include "base/json.h"
#include "match/match.h"

/* Appends what does not change during a match, as members of an object: size, names of kinds,
 * grounds and sides. */
void frames_head(const MashContent *content, JsonWriter *writer);
/* Appends one board, all of it: {"t": [[unit, kind, seat, x, y, health, most], ...], "g": [[cell,
 * ground], ...], "s": [sentences]}. */
void frames_board(const MashContent *content, const void *state, const MashEvents *events,
                  JsonWriter *writer);
/* Appends all boards of a match as a list, each with only what has changed since the one before (a
 * unit without a place has left the board). Rewinds the match, and ends where it was. */
void frames_all(Match *match, JsonWriter *writer);

#endif
