/* test_describe.c -- pieces, abilities and the web in words: every number is that of the content,
 * in every language. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "games/generals/state.h"
#include "tests/support/descriptions.h"
#include "tests/support/support.h"

/* The texts have the power of every ranked piece, its ability, and how long a web lasts. */
static void check_figures(const MashContent *content) {
    const GeneralsContent *body = generals_content(content);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        for (uint8_t kind = 1; kind <= body->army[seat].kinds_count; kind++) {
            const GeneralsKind *piece = &body->army[seat].kinds[kind];
            uint8_t index = (uint8_t)(body->army[seat].kind_first + kind - 1);
            char ability[512];
            snprintf(ability, sizeof ability, "%s",
                     description(content, MASH_NAME_ABILITY, piece->ability));
            const char *words = description(content, MASH_NAME_KIND, index);
            if (piece->class == CLASS_RANKED)
                description_has(words, piece->power, "power");
            assert_non_null(strstr(words, ability));
        }
    description_has(description(content, MASH_NAME_ABILITY, ABILITY_WEB), body->web_turns, "turns");
}

static void figures_are_the_contents(void **unused) {
    (void)unused;
    descriptions_check(&generals_game, check_figures);
}

static void sentences_read_well(void **unused) {
    (void)unused;
    MashContent *content = support_content(&generals_game, NULL);
    assert_string_equal(
        description(content, MASH_NAME_KIND, 5),
        "Power 7. Beats ranked pieces of lower power and agents, ties with equal power, and loses "
        "to higher power and infiltrators. Once per match, instead of a step: removes every enemy "
        "on the eight cells around it, except the Nexus.");
    assert_string_equal(
        description(content, MASH_NAME_KIND, 12),
        "Infiltrator: beats every ranked piece, ties with infiltrators and loses to "
        "agents.");
    support_free(content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_the_contents),
        cmocka_unit_test(sentences_read_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
