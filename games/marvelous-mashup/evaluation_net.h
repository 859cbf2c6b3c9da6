/* evaluation_net.h -- a judgement of moments that was learned from matches of the program against
 * itself.
 *
 * Every standing hero is told by sixteen whole numbers, which a first layer turns into sixteen
 * others; their sums over each side, what the side holds, and the time of the match go through a
 * second layer, once as seen by each seat. How the numbers were found: train/marvelous_mashup.c. */
#ifndef GAMES_MARVELOUS_MASHUP_EVALUATION_NET_H
#define GAMES_MARVELOUS_MASHUP_EVALUATION_NET_H
#include "games/marvelous-mashup/state.h"

/* Sizes, and the number that stands for one. */
enum {
    NET_HERO_FEATURES = 16, /* numbers about a hero, */
    NET_INPUTS_SIDE = 8,    /* about what a side holds, */
    NET_INPUTS_TIME = 2,    /* and about the time */
    NET_LAYER1 = 16,        /* what the first layer makes of a hero */
    NET_LAYER2 = 12,        /* and the second of both sides */
    NET_INPUTS_SEEN = NET_LAYER1 + NET_INPUTS_SIDE,
    NET_INPUTS_BOTH = MASH_SEATS * NET_INPUTS_SEEN + NET_INPUTS_TIME,
    NET_ACTIVATION_ONE = 64,
    NET_WEIGHT_ONE = 256,      /* one as a weight */
    NET_VALUE_PER_LOGIT = 400, /* one logit of the chance to win as a value */
};

/* What is told about a moment. */
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

/* Tells a moment of play. */
void evaluation_net_features(const MarvelousContent *content, const MarvelousState *state,
                             NetFeatures *out);
/* How good it is for seat 0, in units of a mind's value. */
int32_t evaluation_net_run(const EvaluationNet *net, const NetFeatures *features);
/* Both at once, for either seat; 0 while heroes are chosen. */
int32_t evaluation_net_evaluate(const EvaluationNet *net, const MarvelousContent *content,
                                const MarvelousState *state, uint8_t seat);

#endif
