/* test_elo_commands.c -- estimates of playing strength against numbers that were computed apart
 * from them: scores, Elo points and their intervals, the sequential test, ratings of many players.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "cli/commands/elo.h"

/* The two numbers are equal to what was written of the second. */
static void check(const char *what, double found, double wanted, double most) {
    if (!(fabs(found - wanted) <= most))
        fail_msg("%s: %.9f instead of %.9f", what, found, wanted);
}

static void check_estimate(const char *what, Estimate found, const double wanted[3], double most) {
    check(what, found.is, wanted[0], most);
    check(what, found.low, wanted[1], most);
    check(what, found.high, wanted[2], most);
}

static void matches_are_counted_by_pairs(void **unused) {
    (void)unused;
    MatchPairs pairs = {.won = 0};
    for (uint32_t first = 0; first < 3; first++)
        for (uint32_t second = 0; second < 3; second++)
            pairs_add(&pairs, first, second);
    static const uint32_t counts[5] = {1, 2, 3, 2, 1};
    assert_memory_equal(pairs.counts, counts, sizeof counts);
    assert_int_equal(pairs_count(&pairs), 9);
    pairs_add(&pairs, 2, 1);
    pairs_add(&pairs, 2, 2);
    assert_int_equal(pairs.won, 9);
    assert_int_equal(pairs.drawn, 7);
    assert_int_equal(pairs.lost, 6);
}

static void scores_and_intervals(void **unused) {
    static const struct {
        uint32_t counts[5];
        double score[3], elo[3], llr[2]; /* against 10 and 0, and 20 and -30 Elo points */
    } rows[] = {
        {{1, 2, 3, 5, 4},
         {0.650000, 0.492850, 0.807150},
         {107.5381, -4.9684, 248.6934},
         {0.319602, 1.755697}},
        {{0}, {0.5, 0, 1}, {0, -1200, 1200}, {0, 0}},
        {{0, 0, 1}, {0.5, 0, 1}, {0, -1200, 1200}, {-0.000828, 0.004113}},
        {{0, 0, 0, 1}, {0.75, 0, 1}, {190.8485, -1200, 1200}, {0.027946, 0.147747}},
        {{0, 2}, {0.25, 0, 0.650083}, {-190.8485, -1200, 107.6018}, {-0.088807, -0.418565}},
        {{0, 0, 0, 0, 3}, {1, 0.717098, 1}, {1200, 161.5773, 1200}, {0.340325, 1.748284}},
        {{3}, {0, 0, 0.282902}, {-1200, -1200, -161.5773}, {-0.350260, -1.698934}},
        {{0, 0, 4, 1},
         {0.55, 0.371077, 0.728923},
         {34.8601, -91.6532, 171.8353},
         {0.073904, 0.492590}},
        {{1, 0, 0, 0, 1},
         {0.500000, 0.000000, 1.000000},
         {0.0000, -1200.0000, 1200.0000},
         {-0.000414, 0.002056}},
        {{2, 0, 0, 0, 1},
         {0.333333, 0.000000, 0.986667},
         {-120.4120, -1200.0000, 747.6927},
         {-0.022512, -0.103099}},
        {{0, 1, 0, 1, 0},
         {0.500000, 0.010000, 0.990000},
         {0.0000, -798.2541, 798.2541},
         {-0.001656, 0.008225}},
        {{9, 5, 3, 1},
         {0.194444, 0.085556, 0.303333},
         {-246.9200, -411.5636, -144.4420},
         {-1.457864, -6.943332}},
    };
    (void)unused;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MatchPairs pairs = {.won = 0};
        for (uint32_t j = 0; j < 5; j++)
            pairs.counts[j] = rows[i].counts[j];
        check_estimate("score", pairs_score(&pairs), rows[i].score, 1e-6);
        check_estimate("Elo", pairs_elo(&pairs), rows[i].elo, 1e-4);
        check("llr of 10", match_pairs_llr(&pairs, 0, 10), rows[i].llr[0], 1e-6);
        check("llr of 20", match_pairs_llr(&pairs, -30, 20), rows[i].llr[1], 1e-6);
    }
    /* However sure a score is, its Elo points are limited. */
    MatchPairs many = {.counts = {0, 1, 0, 0, 100000}};
    assert_true(pairs_score(&many).is < 1);
    assert_true(pairs_elo(&many).is >= ELO_MOST && pairs_elo(&many).is <= ELO_MOST);
    MatchPairs few = {.counts = {100000, 0, 0, 1, 0}};
    assert_true(pairs_elo(&few).is >= -ELO_MOST && pairs_elo(&few).is <= -ELO_MOST);
}

static void ratings_of_all_results(void **unused) {
    static const double is[] = {160.7394, -25.1742, -135.5651};
    static const double half[] = {181.4098, 159.0689, 171.9479};
    ScoreTable table = {.count = 3, .points = {{0, 7, 9.5}, {3, 0, 6}, {0.5, 4, 0}}};
    Estimate out[RATED_MAX];
    (void)unused;
    bradley_terry_ratings(&table, out);
    for (uint32_t i = 0; i < 3; i++)
        check_estimate("rating", out[i], (double[]){is[i], is[i] - half[i], is[i] + half[i]}, 1e-3);
}

static void ratings_of_pairs(void **unused) {
    static const RatedPair pairs[] = {{{0, 1}, 3}, {{0, 1}, 4}, {{1, 0}, 2},
                                      {{2, 0}, 1}, {{0, 2}, 4}, {{1, 2}, 2},
                                      {{1, 2}, 4}, {{2, 1}, 3}, {{3, 0}, 2}};
    static const double is[] = {99.2307, -39.7274, -88.0420, 28.6767, -0.1380};
    static const double half[] = {125.0347, 161.1375, 177.7896, 501.6525, ELO_MOST};
    Estimate out[RATED_MAX];
    (void)unused;
    bradley_terry_from_pairs(pairs, sizeof pairs / sizeof *pairs, 5, out);
    for (uint32_t i = 0; i < 5; i++)
        check_estimate("rating", out[i], (double[]){is[i], is[i] - half[i], is[i] + half[i]}, 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_are_counted_by_pairs),
        cmocka_unit_test(scores_and_intervals),
        cmocka_unit_test(ratings_of_all_results),
        cmocka_unit_test(ratings_of_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
