/* test_describe.c -- kinds and abilities in words: every number is that of the content, in every
 * language. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "games/zorde/state.h"
#include "tests/support/descriptions.h"
#include "tests/support/support.h"

/* All numbers of every kind are in the texts, and none that it does not have. */
static void check_figures(const MashContent *content) {
    for (uint8_t i = 0; i < zorde_setup(content)->kinds_count; i++) {
        const ZordeKind *kind = &zorde_setup(content)->kinds[i];
        const char *words = description(content, MASH_NAME_KIND, i);
        description_has(words, kind->health, "health");
        description_has(words, kind->steps, "steps");
        description_has(words, kind->attack, "attack");
        if (kind->range > 0) {
            description_has(words, kind->ranged_attack, "ranged attack");
            description_has(words, kind->range, "range");
        }
        if (kind->healing > 0)
            description_has(words, kind->healing, "healing");
    }
}

static void figures_are_the_contents(void **unused) {
    (void)unused;
    descriptions_check(&zorde_game, check_figures);
}

static void sentences_read_well(void **unused) {
    (void)unused;
    MashContent *content = support_content(&zorde_game, NULL);
    assert_string_equal(
        description(content, MASH_NAME_KIND, support_index(content, MASH_NAME_KIND, "elf")),
        "70 health. Takes exactly 4 steps per order and deals 15 damage to every adjacent enemy "
        "after each step. After its last step it makes a ranged attack instead: 15 damage to every "
        "enemy within 2 cells.");
    assert_string_equal(
        description(content, MASH_NAME_KIND, support_index(content, MASH_NAME_KIND, "ork")),
        "200 health. Takes exactly 1 step per order and then deals 30 damage to every adjacent "
        "enemy. Before its first step it heals itself and every adjacent friend by 10.");
    support_free(content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_the_contents),
        cmocka_unit_test(sentences_read_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
