/* net_input.h -- what a net is told of a state (base/table_net.h): each standing hero by its
 * numbers, when its turn comes, and what it and the enemies can do to each other until the end of
 * its next turn, whatever stands in the way. */
#ifndef GAMES_MARVELOUS_MASHUP_NET_INPUT_H
#define GAMES_MARVELOUS_MASHUP_NET_INPUT_H
#include "games/marvelous-mashup/state.h"

/* Sizes. */
enum {
    NET_HERO_FEATURES = 16, /* features of a hero that depend on the others, */
    NET_ROW_FEATURES = 30,  /* all of a hero, */
    NET_INPUTS_SIDE = 8,    /* of a side, */
    NET_INPUTS_TIME = 2,    /* and of the time */
};

/* The features of a state. */
typedef struct NetFeatures {
    int16_t heroes[HEROES][NET_HERO_FEATURES];
    int16_t sides[MASH_SEATS][NET_INPUTS_SIDE];
    int16_t time[NET_INPUTS_TIME];
    uint8_t stands[HEROES];
} NetFeatures;

/* Computes the features of a state in play. */
void marvelous_net_features(const MarvelousContent *content, const MarvelousState *state,
                            NetFeatures *out);
/* These and some more for a net: see MashEvaluator. */
bool marvelous_net_input(const MashContent *loaded, const void *raw_state, TableNetInput *out);

#endif
