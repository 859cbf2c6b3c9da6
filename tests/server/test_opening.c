/* test_opening.c -- what is told of how players began, in random matches of all games: teams of
 * drafts as they were when the match began, the first action of all others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "match/match.h"
#include "match/simulate.h"
#include "server/opening.h"
#include "tests/support/support.h"

/* A random match of so many actions at most, in memory that the caller frees. */
static void *play(const MashContent *content, uint64_t seed, uint32_t most, Match *match) {
    void *memory = support_memory(match_bytes(content));
    MashAction *list = support_memory((content->limits.actions_max + 1) * sizeof *list);
    MashChance chooser = simulate_action_chance(seed, 0);
    assert_int_equal(match_begin(match, content, simulate_seed(seed, 0), NULL, memory), MASH_OK);
    for (uint32_t i = 0; i < most && !match_result(match).over; i++)
        assert_int_equal(
            match_apply(match, simulate_random_action(content, match->state, &chooser, list)),
            MASH_OK);
    support_free(list);
    return memory;
}

static void every_game_has_openings(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        MashContent *content = support_content(*game, NULL);
        Match match;
        void *memory = play(content, 7, 400, &match);
        void *scratch = support_memory(match_bytes(content));
        char found[MASH_SEATS][STORE_OPENING_BYTES], again[MASH_SEATS][STORE_OPENING_BYTES];
        opening_find(&match, scratch, found);
        bool drafts = strcmp((*game)->id, "battleground") == 0 ||
                      strcmp((*game)->id, "ultimate-war") == 0 ||
                      strcmp((*game)->id, "marvelous-mashup") == 0;
        for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
            if (found[seat][0] == '\0' || (strchr(found[seat], ' ') == NULL) != drafts)
                fail_msg("%s, seat %u: %s", (*game)->id, seat, found[seat]);
            assert_int_equal(strchr(found[seat], '+') != NULL, drafts);
        }
        /* What happens later, also that units fall, changes nothing. */
        assert_true(match_rewind(&match, match.actions_count - 20));
        opening_find(&match, scratch, again);
        assert_memory_equal(found, again, sizeof found);
        support_free(scratch);
        support_free(memory);
        support_free(content);
    }
}

static void a_first_action_is_told_in_words(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("tablut"), NULL);
    Match match;
    void *memory = play(content, 3, 9, &match);
    void *scratch = support_memory(match_bytes(content));
    char found[MASH_SEATS][STORE_OPENING_BYTES], words[STORE_OPENING_BYTES];
    for (uint32_t actions = 3; actions-- > 0;) {
        assert_true(match_rewind(&match, actions));
        opening_find(&match, scratch, found);
        for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
            assert_int_equal(found[seat][0] != '\0', actions > seat);
    }
    Match first;
    void *fresh = play(content, 3, 0, &first);
    void *other = play(content, 3, 1, &match);
    MashText text = text_over(words, sizeof words);
    content->game->notation(content, first.state, match.actions[0], &text);
    opening_find(&match, scratch, found);
    assert_string_equal(found[0], words);
    assert_string_equal(found[1], "");
    support_free(other);
    support_free(fresh);
    support_free(scratch);
    support_free(memory);
    support_free(content);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_game_has_openings),
        cmocka_unit_test(a_first_action_is_told_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
