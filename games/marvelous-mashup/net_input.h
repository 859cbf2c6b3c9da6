/* net_input.h -- what a net is told of a state (base/table_net.h): each standing hero by its
 * numbers, when its turn comes, and what it and the enemies can do to each other until the end of
 * its next turn, whatever stands in the way. */
#ifndef GAMES_MARVELOUS_MASHUP_NET_INPUT_H
#define GAMES_MARVELOUS_MASHUP_NET_INPUT_H
#include "games/marvelous-mashup/state.h"

/* See MashEvaluator. */
bool marvelous_net_input(const MashContent *loaded, const void *raw_state, TableNetInput *out);

/* The part that takes long, rows and counts of the heroes: as it can be done everywhere, and with
 * AVX2, for processors that have it. Both give the same. */
void marvelous_rows(const MarvelousContent *content, const MarvelousState *state,
                    TableNetInput *out);
void marvelous_rows_wide(const MarvelousContent *content, const MarvelousState *state,
                         TableNetInput *out);
#if defined(__x86_64__)
#define MARVELOUS_HAS_WIDE __builtin_cpu_supports("avx2")
#else
#define MARVELOUS_HAS_WIDE false
#endif

#endif
