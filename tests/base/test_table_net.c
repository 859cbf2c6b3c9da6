/* test_table_net.c -- nets: all ways to compute them are one, and what does not fit is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/table_net.h"
#include "tests/support/net_vectors.h"

/* A net of two features, whose first output is the first feature's weight and so on. */
typedef struct SmallNet {
    TableNet net;
    int16_t first[2 * TABLE_NET_BLOCK], second[TABLE_NET_BLOCK * 72], last[TABLE_NET_BLOCK];
    int32_t first_base[TABLE_NET_BLOCK], second_base[TABLE_NET_BLOCK];
} SmallNet;

/* Without weights. */
static void make_small(SmallNet *small) {
    memset(small, 0, sizeof *small);
    small->net = (TableNet){.features_count = 2,
                            .hidden1 = TABLE_NET_BLOCK,
                            .hidden2 = TABLE_NET_BLOCK,
                            .first = small->first,
                            .second = small->second,
                            .last = small->last,
                            .first_base = small->first_base,
                            .second_base = small->second_base};
    assert_int_equal(table_net_inputs(&small->net), 72);
}

/* A hundred thousand inputs, and the hash that WebAssembly must find, too. */
static void all_ways_are_one(void **unused) {
    (void)unused;
    for (TableNetWay way = TABLE_NET_PLAIN; way <= TABLE_NET_WAYS; way++)
        if (way == TABLE_NET_WAYS || table_net_has(way))
            assert_int_equal(net_vectors(way, NET_VECTORS), net_vectors_expected);
    assert_true(table_net_has(TABLE_NET_PLAIN));
}

/* By hand: two units of one side, one of the other; weights of one, shifts and rectifying. */
static void a_net_is_computed(void **unused) {
    (void)unused;
    SmallNet small;
    TableNetInput input;
    make_small(&small);
    memset(&input, 0, sizeof input);
    small.first[0] = 2 * TABLE_NET_WEIGHT; /* output 0: twice feature 0, */
    small.first[3] = -TABLE_NET_WEIGHT;    /* output 1: less than nothing of feature 1 */
    small.first_base[1] = 70 * TABLE_NET_WEIGHT;
    small.second[0] = TABLE_NET_WEIGHT; /* output 0: own output 0, */
    small.second[1] = TABLE_NET_WEIGHT; /* and own output 1 */
    small.last[0] = TABLE_NET_WEIGHT;
    input.counts[0] = 2;
    input.counts[1] = 1;
    input.units[0][0][0] = TABLE_NET_ONE;
    input.units[0][1][0] = TABLE_NET_ONE / 2;
    input.units[0][1][1] = 100; /* 70 - 100 is rectified to 0 */
    input.units[1][0][0] = TABLE_NET_ONE;
    input.units[1][0][1] = 6;
    /* own 128 + 64 and 70, the other 128 and 64: 262 - 192 = 70 of 64 in logits */
    assert_int_equal(table_net_evaluate(&small.net, &input), 70 * TABLE_NET_LOGIT / TABLE_NET_ONE);
    input.counts[0] = 1;
    assert_int_equal(table_net_evaluate(&small.net, &input), 6 * TABLE_NET_LOGIT / TABLE_NET_ONE);
    small.second[1] = 0; /* own features of the side, the other's, and the table's */
    small.second[TABLE_NET_BLOCK * TABLE_NET_BLOCK] = TABLE_NET_WEIGHT;
    input.sides[0][0] = 10;
    assert_int_equal(table_net_evaluate(&small.net, &input), 10 * TABLE_NET_LOGIT / TABLE_NET_ONE);
    small.second[2 * TABLE_NET_BLOCK * 32] = TABLE_NET_WEIGHT / 2;
    input.table[0] = 50; /* the same for both */
    assert_int_equal(table_net_evaluate(&small.net, &input), 10 * TABLE_NET_LOGIT / TABLE_NET_ONE);
}

/* What is kept is of this very row and this net: four thousand rows that differ in one feature
 * share a thousand places, and two nets the memory. */
static void units_are_not_mixed_up(void **unused) {
    (void)unused;
    static TableNetKept kept;
    static int16_t first[TABLE_NET_FEATURES * TABLE_NET_BLOCK];
    SmallNet nets[2];
    TableNetInput input;
    memset(&input, 0, sizeof input);
    for (int i = 0; i < 2; i++) {
        make_small(&nets[i]);
        nets[i].net.features_count = TABLE_NET_FEATURES;
        nets[i].net.first = first;
        nets[i].second[0] = TABLE_NET_WEIGHT;
        nets[i].last[0] = TABLE_NET_WEIGHT;
        nets[i].first_base[0] = 300 * i * TABLE_NET_WEIGHT;
    }
    for (int feature = 0; feature < TABLE_NET_FEATURES; feature++)
        first[feature / 2 * 2 * TABLE_NET_BLOCK + feature % 2] = TABLE_NET_WEIGHT;
    input.counts[0] = 1;
    /* Zeros are a row like others, whatever the memory has from the beginning. */
    for (int i = 0; i < 2; i++)
        assert_int_equal(table_net_by(TABLE_NET_PLAIN, &nets[i].net, &input, &kept),
                         table_net_by(TABLE_NET_PLAIN, &nets[i].net, &input, NULL));
    for (int feature = 1; feature < TABLE_NET_FEATURES; feature += 3)
        for (int16_t i = 0; i < TABLE_NET_MOST; i++) {
            const TableNet *net = &nets[i >> 10 & 1].net;
            memset(input.units, 0, sizeof input.units);
            input.units[0][0][0] = TABLE_NET_ONE;
            input.units[0][0][feature] = i;
            assert_int_equal(table_net_by(TABLE_NET_PLAIN, net, &input, &kept),
                             table_net_by(TABLE_NET_PLAIN, net, &input, NULL));
            if (i % 1024 == 0) { /* the same row was seen by the other net just now */
                net = &nets[1 - (i >> 10 & 1)].net;
                assert_int_equal(table_net_by(TABLE_NET_PLAIN, net, &input, &kept),
                                 table_net_by(TABLE_NET_PLAIN, net, &input, NULL));
            }
        }
}

/* Sizes that are not whole blocks, are none or too large. */
static void sizes_that_do_not_fit_are_refused(void **unused) {
    (void)unused;
    static const struct {
        uint8_t features_count, hidden1, hidden2;
        bool fits;
    } sizes[] = {{2, 16, 16, true},   {3, 16, 16, false}, {0, 16, 16, false},
                 {34, 16, 16, false}, {2, 8, 16, false},  {2, 48, 16, false},
                 {2, 16, 8, false},   {2, 16, 48, false}, {32, 32, 32, true}};
    static int16_t weights[TABLE_NET_HIDDEN * 2 * (TABLE_NET_HIDDEN + 2 * TABLE_NET_SIDE)];
    static int32_t base[TABLE_NET_HIDDEN];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        TableNet net = {.features_count = sizes[i].features_count,
                        .hidden1 = sizes[i].hidden1,
                        .hidden2 = sizes[i].hidden2,
                        .first = weights,
                        .second = weights,
                        .last = weights,
                        .first_base = base,
                        .second_base = base};
        assert_int_equal(table_net_fits(&net), sizes[i].fits);
    }
}

/* Weights whose sums could be too large: in each layer the largest that fit, and one more. */
static void sums_that_do_not_fit_are_refused(void **unused) {
    (void)unused;
    SmallNet small;
    make_small(&small);
    assert_true(table_net_fits(&small.net));
    for (int i = 0; i < 4; i++)
        small.last[i] = i % 2 == 0 ? 8191 : -8191;
    assert_true(table_net_fits(&small.net));
    small.last[15] = -10;
    assert_false(table_net_fits(&small.net));
    make_small(&small);
    small.second[0] = INT16_MAX;
    small.second[1] = -INT16_MAX;
    assert_true(table_net_fits(&small.net));
    small.second_base[0] = -1000000;
    assert_false(table_net_fits(&small.net));
    make_small(&small); /* the last output by its own weights: 2 * 4096 * 32767 */
    small.first[30] = INT16_MAX;
    small.first[31] = -INT16_MAX;
    small.first_base[15] = -(INT32_MAX - 2 * TABLE_NET_MOST * INT16_MAX);
    assert_true(table_net_fits(&small.net));
    small.first_base[15]--;
    assert_false(table_net_fits(&small.net));
}

/* The mark changes with what is described, and with nothing else. */
static void marks_tell_inputs_apart(void **unused) {
    (void)unused;
    TableNetInput input;
    memset(&input, 0, sizeof input);
    input.counts[0] = 1;
    uint64_t mark = table_net_mark(1, &input);
    input.units[0][1][0] = 5; /* not counted */
    assert_int_equal(table_net_mark(1, &input), mark);
    input.units[0][0][TABLE_NET_FEATURES - 1] = 5;
    assert_int_not_equal(table_net_mark(1, &input), mark);
    input.units[0][0][TABLE_NET_FEATURES - 1] = 0;
    input.table[TABLE_NET_TABLE - 1] = 1;
    assert_int_not_equal(table_net_mark(1, &input), mark);
    assert_int_not_equal(table_net_mark(2, &input), table_net_mark(1, &input));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_are_one),
        cmocka_unit_test(a_net_is_computed),
        cmocka_unit_test(units_are_not_mixed_up),
        cmocka_unit_test(sizes_that_do_not_fit_are_refused),
        cmocka_unit_test(sums_that_do_not_fit_are_refused),
        cmocka_unit_test(marks_tell_inputs_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
