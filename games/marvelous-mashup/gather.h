/* gather.h -- how far a side that stands alone is from uniting all stones in one hand [12.1].
 *
 * When no enemy stands, this is the only goal left before enemies are healed or Thanos arrives. One
 * hero is the collector; what counts is the walking distance of each stone from it. */
#ifndef MARVELOUS_MASHUP_GATHER_H
#define MARVELOUS_MASHUP_GATHER_H
#include "games/marvelous-mashup/state.h"

/* The seat that alone has standing heroes while Thanos has no stone, so that all six can still be
 * united; MASH_SEAT_NONE if there is none. */
uint8_t gather_seat(const MarvelousState *state);
/* How near that seat is to its goal, in the units of MashEvaluator: greater than any evaluation of
 * a fight, and increasing with each step, hand-over and pick-up that brings stones together. */
int32_t gather_value(const MarvelousContent *content, const MarvelousState *state, uint8_t seat);

#endif
