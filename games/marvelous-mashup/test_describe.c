/* test_describe.c -- heroes, the others, stones and attacks in words: every number is that of the
 * configuration, in every language. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "games/marvelous-mashup/state.h"
#include "tests/support/descriptions.h"
#include "tests/support/support.h"

/* All numbers of every hero and stone are in the texts; a stone as a kind, an item and an
 * ability. */
static void check_figures(const MashContent *loaded) {
    const MarvelousContent *content = marvelous_content(loaded);
    for (uint8_t i = 0; i < content->kinds_count; i++) {
        const MarvelousKind *kind = &content->kinds[i];
        const char *words = description(loaded, MASH_NAME_KIND, i);
        description_has(words, kind->health, "health");
        description_has(words, kind->moves, "MP");
        description_has(words, kind->actions, "AP");
        description_has(words, kind->melee, "melee damage");
        description_has(words, kind->ranged, "ranged damage");
        description_has(words, kind->reach, "reach");
    }
    for (uint8_t stone = 0; stone < STONES; stone++) {
        char ability[512];
        snprintf(ability, sizeof ability, "%s", description(loaded, MASH_NAME_ABILITY, stone));
        description_has(ability, content->cooldowns[stone], "cooldown");
        assert_string_equal(description(loaded, MASH_NAME_ITEM, stone), ability);
        assert_string_equal(description(loaded, MASH_NAME_KIND, (uint8_t)(KIND_STONES + stone)),
                            ability);
    }
    description_has(description(loaded, MASH_NAME_ITEM, STONE_MIND), content->mind_damage,
                    "damage");
    description_has(description(loaded, MASH_NAME_ITEM, STONE_REALITY), ROCK_HEALTH, "health");
    description_has(description(loaded, MASH_NAME_KIND, KIND_GOOSE), GOOSE_ROUNDS, "rounds");
    description_has(description(loaded, MASH_NAME_KIND, KIND_STAN), STAN_ROUND, "round");
    description_has(description(loaded, MASH_NAME_KIND, KIND_THANOS), content->rounds_max, "round");
}

static void figures_are_the_contents(void **unused) {
    (void)unused;
    descriptions_check(&marvelous_mashup_game, check_figures);
}

static void sentences_read_well(void **unused) {
    (void)unused;
    MashContent *content = support_content(&marvelous_mashup_game, NULL);
    assert_string_equal(description(content, MASH_NAME_ITEM, STONE_MIND),
                        "Deals 12 damage to one enemy or rock in sight, at any distance. Costs 1 "
                        "AP; cooldown 1 round.");
    assert_string_equal(description(content, MASH_NAME_KIND, KIND_GOOSE),
                        "At the start of each of the first 6 rounds she leaves one Infinity Stone "
                        "on a random free cell.");
    ((MarvelousContent *)(void *)content->body)->rounds_max = 0; /* [11.2] */
    description_has(description(content, MASH_NAME_KIND, KIND_THANOS), LAST_ROUND, "round");
    support_free(content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_the_contents),
        cmocka_unit_test(sentences_read_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
