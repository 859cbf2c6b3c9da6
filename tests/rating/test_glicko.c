/* test_glicko.c -- ratings: the example of Glickman's paper, the published bounds, weights and
 * paces, and one signature for all compilers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/chance.h"
#include "base/hash.h"
#include "rating/glicko.h"

static GlickoRating rating_of(int64_t rating, int64_t deviation) {
    GlickoRating all = glicko_start();
    all.rating = rating * GLICKO_POINT;
    all.deviation = deviation * GLICKO_POINT;
    return all;
}

/* Is a number, in millionths, this one to four places? */
static void assert_near(int64_t millionths, double wanted) {
    double distance = (double)millionths / 1e6 - wanted;
    if (distance > 0.00005 || distance < -0.00005)
        fail_msg("%f is not %f", (double)millionths / 1e6, wanted);
}

static void the_example_of_the_paper(void **state) {
    (void)state;
    GlickoRating player = rating_of(1500, 200);
    GlickoResult results[] = {
        {rating_of(1400, 30), 1, 1}, {rating_of(1550, 100), 0, 1}, {rating_of(1700, 300), 0, 1}};
    GlickoRating after = glicko_rate(player, results, 3, 1);
    /* mu', phi' and sigma' as the paper prints them, and the points that follow from more digits.
     */
    assert_near((int64_t)(((double)after.rating / 1e6 - 1500) / 173.7178 * 1e6), -0.2069);
    assert_near((int64_t)((double)after.deviation / 173.7178), 0.8722);
    assert_near(after.volatility / 1000000, 0.05999);
    assert_near(after.rating, 1464.0507);
    assert_near(after.deviation, 151.5165);
    assert_near(after.volatility / 1000000, 0.0599960);
}

static void one_who_waits_becomes_uncertain(void **state) {
    (void)state;
    const uint64_t year = UINT64_C(365) * 86400000;
    GlickoRating player = rating_of(1700, 60), later = glicko_wait(player, year);
    assert_true(later.rating == player.rating && later.volatility == player.volatility);
    assert_in_range(later.deviation / GLICKO_POINT, 109, 110);
    later = glicko_wait(player, 100 * year);
    assert_int_equal(later.deviation, GLICKO_DEVIATION_START * GLICKO_POINT);
    assert_int_equal(glicko_certain_ms(rating_of(1500, 80), GLICKO_CERTAIN), 0);
    uint64_t certain_ms = glicko_certain_ms(player, GLICKO_CERTAIN);
    assert_true(certain_ms > 0);
    assert_true(glicko_wait(player, certain_ms - 60000).deviation < GLICKO_CERTAIN * GLICKO_POINT);
    assert_true(glicko_wait(player, certain_ms + 60000).deviation > GLICKO_CERTAIN * GLICKO_POINT);
}

static void bounds_hold(void **state) {
    (void)state;
    GlickoRating player = rating_of(1500, 50);
    for (int i = 0; i < 500; i++)
        player = glicko_play(player, 0, (GlickoResult){rating_of(1500, 50), i % 2, 1});
    assert_int_equal(player.deviation, GLICKO_DEVIATION_LEAST * GLICKO_POINT);
    for (int i = 0; i < 1000; i++)
        player = glicko_play(player, 1000000000, (GlickoResult){rating_of(4000, 50), 1, 1});
    assert_int_equal(player.rating, GLICKO_MOST * GLICKO_POINT);
    assert_true(player.volatility <= GLICKO_VOLATILITY / 10);
    player = rating_of(3000, 350); /* a strong one loses to a weak one: who knows how strong */
    player.volatility = GLICKO_VOLATILITY / 10;
    player = glicko_play(player, 0, (GlickoResult){rating_of(400, 30), 0, 1});
    assert_int_equal(player.volatility, GLICKO_VOLATILITY / 10);
    player = glicko_play(rating_of(400, 350), 0, (GlickoResult){rating_of(3900, 30), 1, 1});
    assert_int_equal(player.rating, (400 + GLICKO_CHANGE_MOST) * GLICKO_POINT);
    player = glicko_play(rating_of(400, 350), 0, (GlickoResult){rating_of(400, 30), 0, 1});
    assert_int_equal(player.rating, GLICKO_LEAST * GLICKO_POINT);
}

static void results_move_ratings_the_right_way(void **state) {
    (void)state;
    GlickoRating player = rating_of(1500, 100), strong = rating_of(1800, 80);
    GlickoRating won = glicko_play(player, 0, (GlickoResult){strong, 1, 1});
    GlickoRating drawn = glicko_play(player, 0, (GlickoResult){strong, 0.5, 1});
    GlickoRating lost = glicko_play(player, 0, (GlickoResult){strong, 0, 1});
    GlickoRating half = glicko_play(player, 0, (GlickoResult){strong, 1, 0.5});
    GlickoRating none = glicko_play(player, 0, (GlickoResult){strong, 1, 0});
    assert_true(won.rating > drawn.rating && drawn.rating > player.rating &&
                player.rating > lost.rating);
    assert_true(half.rating > player.rating && half.rating < won.rating);
    assert_true(half.deviation > won.deviation && won.deviation < player.deviation);
    assert_memory_equal(&none, &player, sizeof none);
    assert_true(glicko_expected(player, strong) < 0.5 && glicko_expected(strong, player) > 0.5);
    assert_true(glicko_expected(player, player) == 0.5);
}

/* What the page computes for who solves puzzles, in web/tests/puzzles.test.ts. */
static void puzzles_are_rated_as_on_the_page(void **state) {
    (void)state;
    GlickoRating player = glicko_start();
    player = glicko_play(player, 0, (GlickoResult){rating_of(1450, 100), 1, 1});
    assert_int_equal(player.rating, 1652378401);
    assert_int_equal(player.deviation, 253595098);
    player = glicko_play(player, 24 * 3600 * 1000, (GlickoResult){rating_of(2100, 100), 0, 1});
    assert_int_equal(player.rating, 1627936492);
    assert_int_equal(player.deviation, 237461041);
}

static void farming_and_playing_oneself_are_damped(void **state) {
    (void)state;
    static const uint32_t wanted[] = {100, 100, 100, 50, 50, 50, 25, 25, 25, 25, 0, 0};
    for (uint32_t met = 0; met < 12; met++)
        assert_int_equal(glicko_weight(met, false), wanted[met]);
    assert_int_equal(glicko_weight(0, true), 25);
    assert_int_equal(glicko_weight(2, true), 25);
    assert_int_equal(glicko_weight(3, true), 0);
}

static void a_pace_follows_from_the_clock(void **state) {
    (void)state;
    assert_int_equal(pace_of_clock(10000, 0, 0), PACE_BLITZ);
    assert_int_equal(pace_of_clock(20000, 0, 0), PACE_BLITZ);
    assert_int_equal(pace_of_clock(20001, 0, 0), PACE_RAPID);
    assert_int_equal(pace_of_clock(60000, 0, 0), PACE_RAPID);
    assert_int_equal(pace_of_clock(300000, 0, 0), PACE_RELAXED);
    assert_int_equal(pace_of_clock(0, 0, 0), PACE_RELAXED);
    assert_int_equal(pace_of_clock(86400000, 0, 0), PACE_DAYS);
    assert_int_equal(pace_of_clock(300000, 180000, 2000), PACE_BLITZ);
    assert_int_equal(pace_of_clock(300000, 900000, 10000), PACE_RAPID);
    assert_int_equal(pace_of_clock(10000, 900000, 10000), PACE_BLITZ);
    for (uint32_t pace = 0; pace < PACE_COUNT; pace++)
        assert_int_equal(pace_find(pace_id((RatingPace)pace)), pace);
    assert_int_equal(pace_find("bullet"), PACE_COUNT);
}

static void every_compiler_reckons_the_same(void **state) {
    (void)state;
    enum { PLAYERS = 50, MATCHES = 20000 };
    GlickoRating players[PLAYERS];
    MashChance chance = chance_sampled(1);
    uint64_t hash = 0;
    for (int i = 0; i < PLAYERS; i++)
        players[i] = glicko_start();
    for (int i = 0; i < MATCHES; i++) {
        uint32_t a = chance_below(&chance, PLAYERS), b = chance_below(&chance, PLAYERS);
        uint32_t score = chance_below(&chance, 3), weight = chance_below(&chance, 4);
        uint64_t idle = (uint64_t)chance_below(&chance, 400) * 3600000;
        GlickoRating one = players[a], other = players[b];
        double won = score / 2.0, half = weight == 0 ? 0.25 : 1;
        players[a] = glicko_play(one, idle, (GlickoResult){other, won, half});
        players[b] = glicko_play(other, idle / 2, (GlickoResult){one, 1 - won, half});
        hash = hash_bytes(hash, &players[a], sizeof players[a]);
        hash = hash_number(hash, glicko_certain_ms(players[b], GLICKO_CERTAIN));
    }
    print_message("signature %016llx\n", (unsigned long long)hash);
    assert_true(hash == UINT64_C(0xded9216f6f94916f));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_paper),
        cmocka_unit_test(one_who_waits_becomes_uncertain),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(results_move_ratings_the_right_way),
        cmocka_unit_test(puzzles_are_rated_as_on_the_page),
        cmocka_unit_test(farming_and_playing_oneself_are_damped),
        cmocka_unit_test(a_pace_follows_from_the_clock),
        cmocka_unit_test(every_compiler_reckons_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
