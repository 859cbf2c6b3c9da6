/* learned.h -- a judgement of moments that was learned from matches of the program against itself.
 *
 * Every standing hero is told by sixteen whole numbers, which a first layer turns into sixteen
 * others; their sums over each side, what the side holds, and the time of the match go through a
 * second layer, once as seen by each seat. How the numbers were found: learn/learn.c. */
#ifndef MARVELOUS_MASHUP_LEARNED_H
#define MARVELOUS_MASHUP_LEARNED_H
#include "games/marvelous-mashup/state.h"

/* Sizes, and the number that stands for one. */
enum {
    LEARNED_HERO = 16,   /* numbers about a hero, */
    LEARNED_SIDE = 8,    /* about what a side holds, */
    LEARNED_TIME = 2,    /* and about the time */
    LEARNED_FIRST = 16,  /* what the first layer makes of a hero */
    LEARNED_SECOND = 12, /* and the second of both sides */
    LEARNED_SEEN = LEARNED_FIRST + LEARNED_SIDE,
    LEARNED_BOTH = MASH_SEATS * LEARNED_SEEN + LEARNED_TIME,
    LEARNED_ONE = 64,
    LEARNED_WEIGHT = 256, /* one as a weight */
    LEARNED_LOGIT = 400,  /* one logit of the chance to win as a value */
};

/* What is told about a moment. */
typedef struct Told {
    int16_t heroes[HEROES][LEARNED_HERO];
    int16_t sides[MASH_SEATS][LEARNED_SIDE];
    int16_t time[LEARNED_TIME];
    uint8_t stands[HEROES];
} Told;

/* The weights. */
typedef struct Learned {
    int16_t first[LEARNED_FIRST][LEARNED_HERO];
    int32_t first_base[LEARNED_FIRST];
    int16_t second[LEARNED_SECOND][LEARNED_BOTH];
    int32_t second_base[LEARNED_SECOND];
    int16_t last[LEARNED_SECOND];
} Learned;
extern const Learned marvelous_learned;

/* Tells a moment of play. */
void learned_tell(const Nouns *nouns, const State *state, Told *out);
/* How good it is for seat 0, in units of a mind's value. */
int32_t learned_value(const Learned *learned, const Told *told);
/* Both at once, for either seat; 0 while heroes are chosen. */
int32_t learned_judge(const Learned *learned, const Nouns *nouns, const State *state, uint8_t seat);

#endif
