/* test_mind.c -- how programs choose in Ultimate War. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "games/ultimate-war/state.h"
#include "tests/support.h"

/* Programs that look ahead pick whom matches showed to be strong, and let a hero lead [3.1, 3.2].
 */
static void the_strong_are_picked(void **unused) {
    (void)unused;
    static const char *const expected[UNITS] = {"ghost-rider", "dr-strange", "hulk",
                                                "thor",        "ironman",    "spiderman"};
    const MashGame *game = &ultimate_war_game;
    MashContent *content = support_content(game, NULL);
    State *state = support_state(content);
    MashChance chance = chance_seeded((MashSeed){{1, 0}}, 0);
    assert_int_equal(game->setup(content, NULL, &chance, state), MASH_OK);
    for (uint32_t number = 0; state->phase == PHASE_PICK; number++) {
        uint8_t seat = game->awaited(content, state) == 2;
        MashAction action = game->mind->learned_opening(content, state, seat, &chance);
        assert_true(number < UNITS && action.unit >= UNITS);
        assert_string_equal(nouns_of(content)->kinds[action.unit - UNITS].id, expected[number]);
        assert_int_equal(game->apply(content, state, action, &chance, NULL), MASH_OK);
    }
    while (state->phase == PHASE_APPOINT) {
        uint8_t seat = game->awaited(content, state) == 2;
        MashAction action = game->mind->learned_opening(content, state, seat, &chance);
        assert_int_equal(kind_of(nouns_of(content), &state->champions[action.unit])->type,
                         TYPE_HERO);
        assert_int_equal(game->apply(content, state, action, &chance, NULL), MASH_OK);
    }
    assert_int_equal(game->mind->learned_opening(content, state, 0, &chance).verb, MASH_VERB_NONE);
    support_free(state);
    support_free(content);
}

/* Greedy programs pick somebody who is nearly as strong as the strongest left, not just anybody. */
static void no_weak_one_is_picked(void **unused) {
    (void)unused;
    static const char *const taken[] = {"ghost-rider", "dr-strange", "hulk", "thor", "venom"};
    const MashGame *game = &ultimate_war_game;
    MashContent *content = support_content(game, NULL);
    const Nouns *nouns = nouns_of(content);
    State *state = support_state(content);
    MashChance chance = chance_seeded((MashSeed){{1, 0}}, 0);
    assert_int_equal(game->setup(content, NULL, &chance, state), MASH_OK);
    for (uint8_t number = 0; number < sizeof taken / sizeof *taken; number++) {
        uint8_t kind = 0;
        while (strcmp(nouns->kinds[kind].id, taken[number]) != 0)
            kind++;
        MashAction pick = {
            .verb = VERB_PICK, .seat = number % MASH_SEATS, .unit = (uint8_t)(UNITS + kind)};
        assert_int_equal(game->apply(content, state, pick, &chance, NULL), MASH_OK);
    }
    for (uint64_t whim = 1; whim <= 64; whim++) {
        MashChance whims = chance_sampled(whim);
        MashAction action = game->mind->opening(content, state, 1, &whims);
        const char *id = nouns->kinds[action.unit - UNITS].id;
        assert_true(strcmp(id, "spiderman") == 0 || strcmp(id, "hela") == 0);
    }
    support_free(state);
    support_free(content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strong_are_picked),
        cmocka_unit_test(no_weak_one_is_picked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
