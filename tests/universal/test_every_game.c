/* test_every_game.c -- the universal test, one test per game; and that it can fail.
 *
 * Environment: MASH_MATCHES = random matches per game (1000), MASH_MATCH = only this one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "engine/common.h"
#include "examples/breakthrough.h"
#include "tests/support/support.h"
#include "tests/universal/game.h"

enum { MATCHES = 1000, TESTS_MAX = 2 + SUPPORT_GAMES_MAX };

static uint32_t matches_wanted(void) {
    const char *wanted = getenv("MASH_MATCHES");
    return wanted == NULL ? MATCHES : (uint32_t)strtoul(wanted, NULL, 10);
}

static void keeps_its_promises(void **state) {
    const MashGame *game = *state;
    EveryReport report;
    clock_t began = clock();
    bool kept = every_game_passes(game, matches_wanted(), &report);
    printf("%s: %u matches, %llu actions, signature %016llx, %llu pairs of states, "
           "%.1f CPU-seconds\n",
           game->id, report.matches, (unsigned long long)report.actions,
           (unsigned long long)report.signature, (unsigned long long)report.pairs,
           (double)(clock() - began) / CLOCKS_PER_SEC);
    if (!kept)
        fail_msg("%s", report.failure);
}

/* --- Broken games are caught ------------------------------------------------------------------ */

static MashGame broken;

/* Asserts that the universal test finds a problem with `broken` and reports it in these words. */
static void is_caught(const char *words) {
    EveryReport report;
    bool kept = every_game_passes(&broken, 20, &report);
    if (kept || strstr(report.failure, words) == NULL)
        fail_msg("looked for \"%s\", found: %s", words, report.failure);
}

static uint32_t actions_unsorted(const MashContent *content, const void *state, uint8_t seat,
                                 MashAction *out) {
    uint32_t count = breakthrough_game.actions(content, state, seat, out);
    if (count > 1) {
        MashAction first = out[0];
        out[0] = out[1];
        out[1] = first;
    }
    return count;
}

static uint32_t actions_missing(const MashContent *content, const void *state, uint8_t seat,
                                MashAction *out) {
    uint32_t count = breakthrough_game.actions(content, state, seat, out);
    return count > 1 ? count - 1 : count;
}

static MashStatus check_lenient(const MashContent *content, const void *state, MashAction action) {
    MashStatus status = breakthrough_game.check(content, state, action);
    return status == MASH_NOT_A_STEP ? MASH_OK : status;
}

static void apply_by_chance(const MashContent *content, void *state, MashAction action,
                            MashChance *chance, MashEvents *events) {
    breakthrough_game.apply_listed(content, state, action, chance, events);
    if (events == NULL)
        ((uint8_t *)state)[content->limits.state_bytes - 1]++;
}

static MashAction judged_last;

static MashStatus check_and_remember(const MashContent *content, const void *state,
                                     MashAction action) {
    judged_last = action;
    return breakthrough_game.check(content, state, action);
}

/* Has another effect for an action that was not checked just before. */
static void apply_remembered(const MashContent *content, void *state, MashAction action,
                             MashChance *chance, MashEvents *events) {
    breakthrough_game.apply_listed(content, state, action, chance, events);
    if (mash_action_compare(action, judged_last) != 0)
        ((uint8_t *)state)[content->limits.state_bytes - 1]++;
}

/* The same, but only its events differ. */
static void tell_remembered(const MashContent *content, void *state, MashAction action,
                            MashChance *chance, MashEvents *events) {
    breakthrough_game.apply_listed(content, state, action, chance, events);
    if (events != NULL && mash_action_compare(action, judged_last) != 0)
        events->count = 0;
}

/* A move does not let the opponent's draw offer lapse. */
static void apply_keeping_offers(const MashContent *content, void *state, MashAction action,
                                 MashChance *chance, MashEvents *events) {
    CommonState *common = state;
    uint8_t offer = common->draw_offer;
    common->draw_offer = 0;
    breakthrough_game.apply_listed(content, state, action, chance, events);
    if (action.verb < MASH_VERB_RESIGN && !common->over)
        common->draw_offer = offer;
}

static void hide_more_each_time(const MashContent *content, void *state, uint8_t seat) {
    (void)seat;
    ((uint8_t *)state)[content->limits.state_bytes - 1]++;
}

static void say_nothing(const MashContent *content, const MashTexts *texts, const void *state,
                        const MashEvent *event, MashText *text) {
    (void)content, (void)texts, (void)state, (void)event, (void)text;
}

static const char *id_alike(const MashContent *content, MashNames list, uint8_t index) {
    return breakthrough_game.id_of(content, list, index) == NULL ? NULL : "same";
}

static const char *id_in_capitals(const MashContent *content, MashNames list, uint8_t index) {
    return breakthrough_game.id_of(content, list, index) == NULL ? NULL : "Pawn";
}

static const char *id_missing(const MashContent *content, MashNames list, uint8_t index) {
    return list == MASH_NAME_METER ? NULL : breakthrough_game.id_of(content, list, index);
}

static void show_role(const MashContent *content, const void *state, MashBoard *board) {
    breakthrough_game.show(content, state, board);
    board->meters[0].role = MASH_ROLE_HEALTH; /* of a side */
}

static void word_alike(const MashContent *content, const void *state, MashAction action,
                       MashText *text) {
    (void)content, (void)state, (void)action;
    text_string(text, "move");
}

static MashResult result_too_early(const MashContent *content, const void *state) {
    MashResult result = breakthrough_game.result(content, state);
    if (!result.over)
        result.winner = 0;
    return result;
}

static void show_too_much(const MashContent *content, const void *state, MashBoard *board) {
    breakthrough_game.show(content, state, board);
    board->meters[content->limits.meters_max] = (MashMeter){0};
}

static void broken_games_are_caught(void **unused) {
    (void)unused;
    if (getenv("MASH_MATCH") != NULL)
        skip();
    broken = breakthrough_game;
    broken.actions = actions_unsorted;
    is_caught("not ascending");
    broken = breakthrough_game;
    broken.actions = actions_missing;
    is_caught("a request that is not listed was accepted");
    broken = breakthrough_game;
    broken.check = check_lenient;
    is_caught("a request that is not listed was accepted");
    broken = breakthrough_game;
    broken.apply_listed = apply_by_chance;
    is_caught("when nobody wants the events");
    broken = breakthrough_game;
    broken.check = check_and_remember;
    broken.apply_listed = apply_remembered;
    is_caught("do not give the same state");
    broken.apply_listed = tell_remembered;
    is_caught("do not tell the same events");
    broken = breakthrough_game;
    broken.apply_listed = apply_keeping_offers;
    is_caught("an offer is not gone after a move");
    broken = breakthrough_game;
    broken.hide = hide_more_each_time;
    is_caught("hiding twice");
    broken = breakthrough_game;
    broken.id_of = id_alike;
    is_caught("have the id same");
    broken = breakthrough_game;
    broken.id_of = id_in_capitals;
    is_caught("has other than a-z");
    broken = breakthrough_game;
    broken.id_of = id_missing;
    is_caught("has an id or a name, but not both");
    broken = breakthrough_game;
    broken.show = show_role;
    is_caught("cannot be \"health\"");
    broken = breakthrough_game;
    broken.say = say_nothing;
    is_caught("is empty");
    broken = breakthrough_game;
    broken.notation = word_alike;
    is_caught("have the same words");
    broken = breakthrough_game;
    broken.result = result_too_early;
    is_caught("has won a match that goes on");
    broken = breakthrough_game;
    broken.show = show_too_much;
    is_caught("wrote behind lent memory");
}

/* --- Leaks are caught ------------------------------------------------------------------------- */

static const MashGame *secretive;

static void hide_nothing(const MashContent *content, void *state, uint8_t seat) {
    (void)content, (void)state, (void)seat;
}

/* Hides a seat's own hidden information as well. */
static void hide_too_much(const MashContent *content, void *state, uint8_t seat) {
    secretive->hide(content, state, seat);
    secretive->hide(content, state, MASH_SEAT_SPECTATOR);
}

static MashStatus check_tells(const MashContent *content, const void *state, MashAction action) {
    MashStatus status = secretive->check(content, state, action);
    uint64_t hash = hash_bytes(0, state, content->limits.core_bytes);
    return status == MASH_NO_SUCH_ACTION && (hash & 1) ? MASH_NO_TARGET : status;
}

static void guess_by_own_chance(const MashContent *content, void *view, uint8_t seat,
                                MashChance *chance) {
    static uint64_t number;
    (void)chance;
    MashChance own = chance_sampled(number++);
    secretive->guess(content, view, seat, &own);
}

static void leaks_are_caught(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        if ((*game)->guess != NULL)
            secretive = *game;
    if (secretive == NULL || getenv("MASH_MATCH") != NULL)
        skip();
    broken = *secretive;
    broken.hide = hide_nothing;
    is_caught("nothing but changed it");
    broken = *secretive;
    broken.hide = hide_too_much;
    is_caught("on its view");
    broken = *secretive;
    broken.guess = NULL;
    is_caught("has no guess()");
    broken = *secretive;
    broken.guess = guess_by_own_chance;
    is_caught("different states by the same chance");
    broken = *secretive;
    broken.check = check_tells;
    is_caught("on the view");
}

int main(void) {
    struct CMUnitTest tests[TESTS_MAX] = {cmocka_unit_test(broken_games_are_caught),
                                          cmocka_unit_test(leaks_are_caught)};
    size_t count = 2;
    tests[count++] = (struct CMUnitTest){.name = breakthrough_game.id,
                                         .test_func = keeps_its_promises,
                                         .initial_state = (void *)(uintptr_t)&breakthrough_game};
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        assert(count < TESTS_MAX);
        tests[count++] = (struct CMUnitTest){.name = (*game)->id,
                                             .test_func = keeps_its_promises,
                                             .initial_state = (void *)(uintptr_t)*game};
    }
    return _cmocka_run_group_tests("every game", tests, count, NULL, NULL);
}
