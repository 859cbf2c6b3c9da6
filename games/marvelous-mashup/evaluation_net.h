/* evaluation_net.h -- a neural net that evaluates states, trained on self-play matches.
 *
 * Every standing hero is described by sixteen integer features, which a first layer maps to sixteen
 * activations; their sums over each side, the features of the side, and the time of the match go
 * through a second layer, once from each seat's point of view. Training:
 * train/marvelous_mashup.c. */
#ifndef GAMES_MARVELOUS_MASHUP_EVALUATION_NET_H
#define GAMES_MARVELOUS_MASHUP_EVALUATION_NET_H
#include "games/marvelous-mashup/state.h"

/* Sizes, and the fixed-point representations of one. */
enum {
    NET_HERO_FEATURES = 16, /* features of a hero, */
    NET_INPUTS_SIDE = 8,    /* of a side, */
    NET_INPUTS_TIME = 2,    /* and of the time */
    NET_LAYER1 = 16,        /* activations of the first layer for a hero */
    NET_LAYER2 = 12,        /* and of the second for both sides */
    NET_INPUTS_SEEN = NET_LAYER1 + NET_INPUTS_SIDE,
    NET_INPUTS_BOTH = MASH_SEATS * NET_INPUTS_SEEN + NET_INPUTS_TIME,
    NET_ACTIVATION_ONE = 64,
    NET_WEIGHT_ONE = 256,      /* one as a weight */
    NET_VALUE_PER_LOGIT = 400, /* one logit of the odds of winning as an evaluation */
};

/* The features of a state. */
typedef struct NetFeatures {
    int16_t heroes[HEROES][NET_HERO_FEATURES];
    int16_t sides[MASH_SEATS][NET_INPUTS_SIDE];
    int16_t time[NET_INPUTS_TIME];
    uint8_t stands[HEROES];
} NetFeatures;

/* The weights. */
typedef struct EvaluationNet {
    int16_t first[NET_LAYER1][NET_HERO_FEATURES];
    int32_t first_base[NET_LAYER1];
    int16_t second[NET_LAYER2][NET_INPUTS_BOTH];
    int32_t second_base[NET_LAYER2];
    int16_t last[NET_LAYER2];
} EvaluationNet;
extern const EvaluationNet marvelous_evaluation_net;

/* Computes the features of a state in play. */
void evaluation_net_features(const MarvelousContent *content, const MarvelousState *state,
                             NetFeatures *out);
/* The same and some more for a table net: see MashEvaluator. */
bool evaluation_net_input(const MashContent *loaded, const void *raw_state, TableNetInput *out);
/* Evaluation for seat 0, in the units of MashEvaluator. */
int32_t evaluation_net_run(const EvaluationNet *net, const NetFeatures *features);
/* Both steps, for either seat; 0 while heroes are chosen. */
int32_t evaluation_net_evaluate(const EvaluationNet *net, const MarvelousContent *content,
                                const MarvelousState *state, uint8_t seat);

#endif
