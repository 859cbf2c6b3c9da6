/* test_mind.c -- how programs choose in Ultimate War. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strong_are_picked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
