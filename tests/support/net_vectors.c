/* net_vectors.c -- see net_vectors.h. */
#include "tests/support/net_vectors.h"

#include <string.h>

#include "base/chance.h"
#include "base/hash.h"

enum {
    PER_NET = 250, /* inputs with the same net */
    INPUTS = TABLE_NET_SIDES * (TABLE_NET_HIDDEN + TABLE_NET_SIDE) + TABLE_NET_TABLE,
    FIRST_SUM = INT32_MAX / TABLE_NET_MOST / TABLE_NET_FEATURES - 1, /* so that all sums fit */
    SECOND_MOST = 600,
    LAST_MOST = 500,
};

const uint64_t net_vectors_expected = 0x00afaec5aab39ff0;

/* The weights of a net that is made up. */
typedef struct MadeNet {
    TableNet net;
    int16_t first[TABLE_NET_HIDDEN * TABLE_NET_FEATURES], second[TABLE_NET_HIDDEN * INPUTS];
    int16_t last[TABLE_NET_HIDDEN];
    int32_t first_base[TABLE_NET_HIDDEN], second_base[TABLE_NET_HIDDEN];
} MadeNet;

/* A number from -most to most. */
static int32_t either_sign(MashChance *chance, int32_t most) {
    return (int32_t)chance_below(chance, 2 * (uint32_t)most + 1) - most;
}

/* Weights up to `most`. */
static void fill(int16_t *list, uint32_t count, int32_t most, MashChance *chance) {
    for (uint32_t i = 0; i < count; i++)
        list[i] = (int16_t)either_sign(chance, most);
}

/* A net of one of the sizes, with weights that are small, usual or as large as fits. */
static void make_net(MadeNet *made, uint32_t number, MashChance *chance) {
    uint8_t shift = number % 3 == 0 ? 6 : number % 3 == 1 ? 2 : 0;
    made->net = (TableNet){.features_count = (uint8_t)(2 + 2 * chance_below(chance, 16)),
                           .hidden1 = number / 3 % 2 == 0 ? 16 : 32,
                           .hidden2 = number / 6 % 2 == 0 ? 16 : 32,
                           .first = made->first,
                           .second = made->second,
                           .last = made->last,
                           .first_base = made->first_base,
                           .second_base = made->second_base};
    fill(made->first, sizeof made->first / sizeof *made->first, (FIRST_SUM - 1) >> shift, chance);
    fill(made->second, sizeof made->second / sizeof *made->second, SECOND_MOST >> shift, chance);
    fill(made->last, TABLE_NET_HIDDEN, LAST_MOST, chance);
    for (int i = 0; i < TABLE_NET_HIDDEN; i++) {
        made->first_base[i] = either_sign(chance, 30000);
        made->second_base[i] = either_sign(chance, 30000);
    }
}

/* Features; one input of three has only small ones. */
static void make_input(TableNetInput *input, uint32_t number, MashChance *chance) {
    int32_t most = number % 3 == 0 ? 256 : TABLE_NET_MOST;
    memset(input, 0, sizeof *input);
    for (int side = 0; side < TABLE_NET_SIDES; side++) {
        input->counts[side] = (uint8_t)chance_below(chance, 4 + number % 2 * 5);
        for (int unit = 0; unit < input->counts[side]; unit++)
            fill(input->units[side][unit], TABLE_NET_FEATURES, most, chance);
        fill(input->sides[side], TABLE_NET_SIDE, most, chance);
    }
    fill(input->table, TABLE_NET_TABLE, most, chance);
}

/* Is the value the same with what is kept of units: of those before, of these, and of most of them
 * after one has changed? */
static bool keeps_values(TableNetWay way, const TableNet *net, TableNetInput *input,
                         TableNetKept *kept, int32_t value) {
    if (way == TABLE_NET_WAYS)
        return table_net_evaluate_kept(net, input, kept) == value;
    bool same = table_net_by(way, net, input, kept) == value &&
                table_net_by(way, net, input, kept) == value;
    int16_t *feature = &input->units[0][0][(uint32_t)value % TABLE_NET_FEATURES];
    *feature = (int16_t)(*feature / 2);
    return same && table_net_by(way, net, input, kept) == table_net_by(way, net, input, NULL);
}

uint64_t net_vectors(TableNetWay way, uint32_t count) {
    static TableNetKept kept;
    MadeNet made;
    TableNetInput input;
    MashChance chance = chance_sampled(7);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i % PER_NET == 0) {
            make_net(&made, i / PER_NET, &chance);
            kept.net = NULL; /* the net is another one in the same place */
        }
        make_input(&input, i, &chance);
        int32_t value = way == TABLE_NET_WAYS ? table_net_evaluate(&made.net, &input)
                                              : table_net_by(way, &made.net, &input, NULL);
        if (!keeps_values(way, &made.net, &input, &kept, value))
            return 0;
        hash = hash_number(hash, (uint64_t)(int64_t)value);
        if (i % PER_NET == 0 && !table_net_fits(&made.net))
            return 0;
    }
    return hash;
}
