/* gather.h -- how far a side that stands alone is from uniting all stones in one hand [12.1].
 *
 * When no enemy stands there is nothing left to do but that, before enemies are healed or Thanos
 * comes. One hero is to be the collector; what counts is how far each stone is from its hands, by
 * the way that must really be walked. */
#ifndef MARVELOUS_MASHUP_GATHER_H
#define MARVELOUS_MASHUP_GATHER_H
#include "games/marvelous-mashup/state.h"

/* The seat whose heroes alone stand while Thanos has no stone, so that all six can still be
 * united; MASH_SEAT_NONE if there is no such seat. */
uint8_t gather_seat(const MarvelousState *state);
/* How near that seat is to its aim, in units of a mind's value: more than any judgement of a fight,
 * and more with each step, hand-over and stone taken that bring stones together. */
int32_t gather_value(const MarvelousContent *content, const MarvelousState *state, uint8_t seat);

#endif
