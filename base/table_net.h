/* table_net.h -- a small neural net that evaluates a position of two sides with units: any roster,
 * any board.
 *
 * Every unit is described by a row of integer features, which a first layer maps to activations;
 * their sums over each side, the features of the side and those of the table go through a second
 * layer, once from each side's point of view, and the value is the difference of the two. What
 * units do to each other (distances, dangers) is among the features of both.
 *
 * Integers only, so that all ways to compute it give the same value on every machine: weights are
 * 16 bits wide, sums 32, and table_net_fits() proves that no sum overflows. Nets are made by
 * learn/. */
#ifndef BASE_TABLE_NET_H
#define BASE_TABLE_NET_H
#include <stdbool.h>
#include <stdint.h>

/* Sizes, and the fixed-point representations of one. */
enum {
    TABLE_NET_SIDES = 2,
    TABLE_NET_UNITS = 8,      /* of a side, at most */
    TABLE_NET_FEATURES = 32,  /* of a unit, at most; the first is never zero */
    TABLE_NET_SIDE = 16,      /* features of a side, */
    TABLE_NET_TABLE = 8,      /* and of the table */
    TABLE_NET_HIDDEN = 32,    /* activations of a layer, at most */
    TABLE_NET_BLOCK = 16,     /* layers have a multiple of it */
    TABLE_NET_ONE = 64,       /* one as a feature or activation, */
    TABLE_NET_WEIGHT = 256,   /* as a weight, */
    TABLE_NET_LOGIT = 400,    /* and one logit of the odds of winning as an evaluation */
    TABLE_NET_MOST = 1 << 12, /* features are smaller, and so are activations of units */
};

/* A position as a net sees it; all features are from -TABLE_NET_MOST to TABLE_NET_MOST. */
typedef struct TableNetInput {
    uint8_t counts[TABLE_NET_SIDES]; /* units that are described */
    int16_t units[TABLE_NET_SIDES][TABLE_NET_UNITS][TABLE_NET_FEATURES];
    int16_t sides[TABLE_NET_SIDES][TABLE_NET_SIDE];
    int16_t table[TABLE_NET_TABLE];
} TableNetInput;

/* The weights. Those of a layer stand in blocks of TABLE_NET_BLOCK outputs; in a block, for each
 * pair of inputs, the two weights of each output. The inputs of the second layer are activations
 * and features of the own side, of the other, then the table. Any alignment will do; 64 is
 * fastest. */
typedef struct TableNet {
    uint64_t features;        /* table_net_mark() of what it was trained on */
    uint8_t features_count;   /* even; the first so many of each unit */
    uint8_t hidden1, hidden2; /* outputs of the layers */
    const int16_t *first, *second, *last;
    const int32_t *first_base, *second_base;
} TableNet;

/* The initialiser of a net whose weights are the static lists of its file, as learn/ prints it. */
#define TABLE_NET(mark, count, one, two)                                                           \
    {                                                                                              \
        .features = (mark), .features_count = (count), .hidden1 = (one), .hidden2 = (two),         \
        .first = first, .second = second, .last = last, .first_base = first_base,                  \
        .second_base = second_base                                                                 \
    }

/* How many inputs the second layer has. */
static inline uint32_t table_net_inputs(const TableNet *net) {
    return TABLE_NET_SIDES * ((uint32_t)net->hidden1 + TABLE_NET_SIDE) + TABLE_NET_TABLE;
}

/* Evaluation for the first side, in units of TABLE_NET_LOGIT; by the fastest way that the processor
 * has. */
int32_t table_net_evaluate(const TableNet *net, const TableNetInput *input);

/* What the first layer has made of units, for a search: most units of a position are as they were
 * in another one not long ago. Zeros at first; it serves one net at a time. */
enum { TABLE_NET_KEPT_BITS = 10, TABLE_NET_KEPT = 1 << TABLE_NET_KEPT_BITS };
typedef struct TableNetKept {
    const TableNet *net;
    struct {
        int16_t row[TABLE_NET_FEATURES], activations[TABLE_NET_HIDDEN];
    } units[TABLE_NET_KEPT];
} TableNetKept;

/* The same evaluation, faster where vectors are short and nets are not small. */
int32_t table_net_evaluate_kept(const TableNet *net, const TableNetInput *input,
                                TableNetKept *kept);

/* The ways to compute it; all give the same value. */
typedef enum TableNetWay {
    TABLE_NET_PLAIN,  /* plain C */
    TABLE_NET_VECTOR, /* 128 bits at a time: SSE2, WebAssembly SIMD */
    TABLE_NET_WIDE,   /* 256 bits at a time: AVX2 */
    TABLE_NET_WIDEST, /* 512 bits at a time: AVX-512 with VNNI */
    TABLE_NET_WAYS
} TableNetWay;
/* Has this processor the way? And the value by it; `kept`: NULL, or to be used in any case. */
bool table_net_has(TableNetWay way);
int32_t table_net_by(TableNetWay way, const TableNet *net, const TableNetInput *input,
                     TableNetKept *kept);

/* Are the sizes right, and is no sum beyond 32 bits whatever the input? */
bool table_net_fits(const TableNet *net);
/* A hash of everything that is described: start with 0 and chain it over a list of positions, so
 * that it changes with the meaning of any feature. */
uint64_t table_net_mark(uint64_t start, const TableNetInput *input);

#endif
