/* test_describe.c -- warriors, potions and the attack in words: every number is that of the
 * content, in every language. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "games/battleground/state.h"
#include "tests/support/descriptions.h"
#include "tests/support/support.h"

/* All numbers of every warrior and potion are in the texts; an effect is described like its
 * potion. */
static void check_figures(const MashContent *loaded) {
    const BattlegroundContent *content = battleground_content(loaded);
    for (uint8_t kind = 1; kind <= content->kinds_count; kind++) {
        const char *words = description(loaded, MASH_NAME_KIND, kind);
        description_has(words, content->kinds[kind].health, "health");
        description_has(words, content->kinds[kind].walk, "movement");
        description_has(words, content->kinds[kind].attack, "attack");
    }
    for (uint8_t i = 0; i < content->potions_count; i++) {
        const Potion *potion = &content->potions[i];
        const MashNames lists[] = {MASH_NAME_ITEM, MASH_NAME_EFFECT};
        for (int list = 0; list < 2; list++) {
            const char *words = description(loaded, lists[list], i);
            description_has(words, potion->amount < 0 ? -potion->amount : potion->amount, "amount");
            if (potion->turns > 0)
                description_has(words, potion->turns, "turns");
        }
    }
}

static void figures_are_the_contents(void **unused) {
    (void)unused;
    descriptions_check(&battleground_game, check_figures);
}

/* What a potion takes away is not described as a gain. */
static void sentences_read_well(void **unused) {
    (void)unused;
    MashContent *content = support_content(&battleground_game, NULL);
    assert_string_equal(
        description(content, MASH_NAME_KIND, 1),
        "8 health. Moves up to 2 cells once per turn and attacks one adjacent enemy for 3 damage.");
    assert_string_equal(description(content, MASH_NAME_ITEM, 0),
                        "Restores up to 5 health to any warrior on the board.");
    assert_string_equal(description(content, MASH_NAME_ITEM, 1),
                        "Gives any warrior on the board +2 attack for 3 of its turns.");
    assert_string_equal(description(content, MASH_NAME_EFFECT, 2),
                        "Gives any warrior on the board \u22122 attack for 3 of its turns.");
    assert_string_equal(description(content, MASH_NAME_ITEM, 4),
                        "Gives any warrior on the board \u22122 movement for 3 of its turns.");
    support_free(content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_the_contents),
        cmocka_unit_test(sentences_read_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
