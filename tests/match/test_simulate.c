/* test_simulate.c -- random matches and perft, shown with Breakthrough whose counts are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "examples/breakthrough.h"
#include "match/simulate.h"
#include "tests/support/support.h"

static MashContent *content;

static int open_content(void **unused) {
    (void)unused;
    content = support_content(&breakthrough_game, NULL);
    return 0;
}

static int close_content(void **unused) {
    (void)unused;
    support_free(content);
    return 0;
}

static Simulation run_of(uint64_t seed, uint32_t matches) {
    void *memory = support_memory(simulate_bytes(content));
    Simulation run;
    simulate_init(&run, content, NULL, seed, memory);
    for (uint32_t i = 0; i < matches; i++)
        assert_int_equal(simulate_match(&run), MASH_OK);
    support_free(memory);
    return run;
}

static void the_same_seed_gives_the_same_signature(void **unused) {
    (void)unused;
    Simulation one = run_of(7, 20), two = run_of(7, 20), other = run_of(8, 20);
    assert_int_equal(one.matches, 20);
    assert_true(one.actions >= 20 * 12);
    assert_int_equal(one.actions, two.actions);
    assert_int_equal(one.signature, two.signature);
    assert_true(one.signature != other.signature);
    assert_true(one.signature != run_of(7, 19).signature);
}

static void a_setup_that_is_not_allowed_is_refused(void **unused) {
    (void)unused;
    int32_t value = 1;
    MashSetup setup = {.options = &value, .options_count = 1};
    void *memory = support_memory(simulate_bytes(content) + perft_bytes(content, 1));
    Simulation run;
    Perft counted;
    simulate_init(&run, content, &setup, 1, memory);
    assert_int_equal(simulate_match(&run), MASH_BAD_OPTION);
    assert_int_equal(simulate_playout(&run), MASH_BAD_OPTION);
    assert_int_equal(run.matches, 0);
    assert_int_equal(perft(content, &setup, 1, 1, memory, &counted), MASH_BAD_OPTION);
    support_free(memory);
}

static void playouts_reach_an_end(void **unused) {
    (void)unused;
    void *memory = support_memory(simulate_bytes(content));
    Simulation run;
    simulate_init(&run, content, NULL, 3, memory);
    for (int i = 0; i < 100; i++)
        assert_int_equal(simulate_playout(&run), MASH_OK);
    assert_int_equal(run.matches, 100);
    assert_in_range(run.actions, 100 * 30, 100 * 100);
    support_free(memory);
}

/* The counts that other programs publish for Breakthrough on 8x8. */
static void perft_counts_every_way_once(void **unused) {
    (void)unused;
    static const uint64_t known[] = {1, 22, 484, 11132, 256036};
    for (uint32_t depth = 0; depth < sizeof known / sizeof *known; depth++) {
        void *memory = support_memory(perft_bytes(content, depth));
        Perft one, other;
        assert_int_equal(perft(content, NULL, 1, depth, memory, &one), MASH_OK);
        assert_int_equal(one.leaves, known[depth]);
        assert_int_equal(perft(content, NULL, 2, depth, memory, &other), MASH_OK);
        assert_int_equal(one.hash, other.hash); /* no chance in this game */
        assert_int_not_equal(one.hash, 0);
        support_free(memory);
    }
}

/* A game with one way: each action counts one on. */
static uint32_t only_action(const MashContent *one_way, const void *state, uint8_t seat,
                            MashAction *out) {
    (void)one_way, (void)state;
    *out = (MashAction){.verb = 1, .seat = seat};
    return seat == 0;
}
static void count_on(const MashContent *one_way, void *state, MashAction action, MashChance *chance,
                     MashEvents *events) {
    (void)one_way, (void)action, (void)chance, (void)events;
    ++*(uint8_t *)state;
}

/* At the greatest depth there is room for every position of the way. */
static void perft_goes_as_deep_as_it_may(void **unused) {
    (void)unused;
    static const MashGame game = {.actions = only_action, .apply_listed = count_on};
    static const MashContent one_way = {
        .game = &game, .limits = {.state_bytes = 8, .core_bytes = 8, .actions_max = 1}};
    uint8_t first[8] = {0}, last[8] = {PERFT_DEPTH_MAX};
    void *memory = support_memory(perft_bytes(&one_way, PERFT_DEPTH_MAX));
    Perft deep, none;
    perft_from(&one_way, first, (MashSeed){{1, 1}}, 0, PERFT_DEPTH_MAX, memory, &deep);
    perft_from(&one_way, last, (MashSeed){{1, 1}}, 0, 0, memory, &none);
    assert_int_equal(deep.leaves, 1);
    assert_int_equal(deep.hash, none.hash);
    support_free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_gives_the_same_signature),
        cmocka_unit_test(a_setup_that_is_not_allowed_is_refused),
        cmocka_unit_test(playouts_reach_an_end),
        cmocka_unit_test(perft_counts_every_way_once),
        cmocka_unit_test(perft_goes_as_deep_as_it_may),
    };
    return cmocka_run_group_tests(tests, open_content, close_content);
}
