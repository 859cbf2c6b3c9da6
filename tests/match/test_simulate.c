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
        support_free(memory);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_gives_the_same_signature),
        cmocka_unit_test(a_setup_that_is_not_allowed_is_refused),
        cmocka_unit_test(playouts_reach_an_end),
        cmocka_unit_test(perft_counts_every_way_once),
    };
    return cmocka_run_group_tests(tests, open_content, close_content);
}
