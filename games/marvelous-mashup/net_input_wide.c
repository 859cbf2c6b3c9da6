/* net_input_wide.c -- the rows of a net's input with AVX2: both sides in one vector. */
#include "games/marvelous-mashup/net_input.h"

#if defined(__x86_64__)
#define SIDES         2
#define FOR_PROCESSOR __attribute__((target("avx2")))
#include "games/marvelous-mashup/net_rows.h"

FOR_PROCESSOR void marvelous_rows_wide(const MarvelousContent *content, const MarvelousState *state,
                                       TableNetInput *out) {
    fill_rows(content, state, out);
}
#else
void marvelous_rows_wide(const MarvelousContent *content, const MarvelousState *state,
                         TableNetInput *out) {
    marvelous_rows(content, state, out);
}
#endif
