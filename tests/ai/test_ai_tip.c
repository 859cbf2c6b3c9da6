/* test_ai_tip.c -- advice: legal, the same in slices and in one go, in words that describe what
 * happens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ai/tip.h"
#include "ai/tip_text.h"
#include "examples/breakthrough.h"
#include "match/simulate.h"
#include "tests/support/support.h"

enum { NODES = 400 };

/* A match for which advice is requested. */
typedef struct TipFixture {
    const MashGame *game;
    MashContent *content;
    void *state, *view, *memory;
    MashAction *list;
    Tip *tip;
} TipFixture;

static TipFixture table_open(const MashGame *game) {
    TipFixture table = {.game = game, .content = support_content(game, NULL)};
    table.state = support_state(table.content);
    table.view = support_state(table.content);
    table.list = support_memory(table.content->limits.actions_max * sizeof *table.list);
    table.memory = support_memory(tip_bytes(table.content));
    table.tip = tip_init(table.content, table.memory);
    return table;
}

static void table_close(TipFixture *table) {
    support_free(table->memory);
    support_free(table->list);
    support_free(table->view);
    support_free(table->state);
    support_free(table->content);
}

/* Advice in slices of this many nodes. */
static TipAdvice ask(TipFixture *table, uint32_t level, uint8_t seat, uint32_t slice) {
    memcpy(table->view, table->state, table->content->limits.state_bytes);
    table->game->hide(table->content, table->view, seat);
    TipTask task = {ai_level(level), table->view, seat, NODES, 9};
    assert_true(tip_begin(table->tip, &task));
    assert_int_equal(
        table->game->check(table->content, table->view, tip_advice(table->tip)->best.action),
        MASH_OK);
    uint64_t before = 0;
    while (!tip_step(table->tip, slice)) {
        uint64_t now = tip_advice(table->tip)->nodes;
        assert_in_range(now - before, 1, (uint64_t)slice + AI_PLAN_MAX);
        before = now;
    }
    return *tip_advice(table->tip);
}

static void check_choice(const TipFixture *table, const TipChoice *choice) {
    assert_int_equal(table->game->check(table->content, table->view, choice->action), MASH_OK);
    assert_true(choice->samples == 1 || choice->samples == TIP_SAMPLES);
    assert_in_range(choice->works, 1, choice->samples);
    assert_true(choice->dealt >= 0 && choice->lost >= 0);
}

/* In positions of a random match; in a long one they are further apart after a while. */
static void advice_is_legal_and_repeatable(void **state) {
    TipFixture table = table_open(*state);
    MashChance chance = chance_sampled(11);
    uint32_t awaited, asked = 0, others = 0;
    assert_int_equal(table.game->setup(table.content, NULL, &chance, table.state), MASH_OK);
    while ((awaited = table.game->awaited(table.content, table.state)) != 0) {
        uint8_t seat = awaited == 2;
        if (chance_below(&chance, asked < 20 ? 12 : 60) == 0) {
            uint32_t level = 1 + chance_below(&chance, AI_LEVELS);
            uint32_t count = table.game->actions(table.content, table.state, seat, table.list);
            TipAdvice whole = ask(&table, level, seat, UINT32_MAX);
            TipAdvice slices = ask(&table, level, seat, 37);
            assert_memory_equal(&whole, &slices, sizeof whole);
            check_choice(&table, &whole.best);
            assert_int_equal(whole.other.action.verb == MASH_VERB_NONE, count == 1);
            if (count > 1) {
                check_choice(&table, &whole.other);
                assert_int_not_equal(mash_action_compare(whole.best.action, whole.other.action), 0);
            }
            asked++;
            others += count > 1;
        }
        MashAction action = simulate_random_action(table.content, table.state, &chance, table.list);
        assert_int_equal(mash_apply(table.content, table.state, action, &chance, NULL), MASH_OK);
    }
    assert_true(asked > 0 && others > 0);
    TipTask over = {ai_level(6), table.state, 0, NODES, 1};
    assert_false(tip_begin(table.tip, &over));
    assert_true(tip_step(table.tip, 1));
    table_close(&table);
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* Zorde's first match; units 0 and up are of both sides. */
typedef struct NotesFixture {
    TipFixture table;
    TipNotes notes;
    uint8_t own, enemy; /* a unit of each */
} NotesFixture;

static void words_open(NotesFixture *words) {
    MashChance chance = chance_sampled(1);
    words->table = table_open(mash_game_find("zorde"));
    TipFixture *table = &words->table;
    const MashLimits *limits = &table->content->limits;
    MashBoard board = {.ground = support_memory(10000),
                       .ground_health = support_memory(20000),
                       .tokens = support_memory(limits->tokens_max * sizeof(MashToken)),
                       .meters = support_memory(limits->meters_max * sizeof(MashMeter)),
                       .order = support_memory(256)};
    assert_int_equal(table->game->setup(table->content, NULL, &chance, table->state), MASH_OK);
    table->game->show(table->content, table->state, &board);
    tip_notes_clear(&words->notes, 0);
    tip_notes_set_owners(&words->notes, &board);
    for (uint32_t i = 0; i < board.tokens_count; i++)
        *(board.tokens[i].seat == 0 ? &words->own : &words->enemy) = board.tokens[i].unit;
    support_free(board.ground);
    support_free(board.ground_health);
    support_free(board.tokens);
    support_free(board.meters);
    support_free(board.order);
}

static void hear(NotesFixture *words, MashEventKind kind, uint8_t unit, int32_t amount,
                 uint32_t future, TipTurn when) {
    MashEvent event = {.kind = (uint8_t)kind,
                       .seen_by = MASH_SEEN_BY_ALL,
                       .unit = unit,
                       .other = MASH_UNIT_NONE,
                       .amount = amount,
                       .x = 1};
    MashEvents events = {&event, 1, 1};
    tip_notes_add(&words->notes, &events, future, when);
}

static void tip_text(NotesFixture *words, TipChoice *choice) {
    tip_notes_write(&words->notes, choice);
}

/* Damage adds up, amounts are means, and what may fail is described so. */
static void words_tell_what_happens(void **unused) {
    (void)unused;
    NotesFixture words = {.own = 0};
    TipChoice choice = {.samples = 10};
    words_open(&words);
    for (uint32_t future = 1; future <= 7; future++) {
        hear(&words, MASH_EVENT_MOVED, words.own, 0, future, TIP_TURN_OWN);
        hear(&words, MASH_EVENT_HURT, words.enemy, 5, future, TIP_TURN_OWN);
        hear(&words, MASH_EVENT_HURT, words.enemy, 7, future, TIP_TURN_OWN);
        hear(&words, MASH_EVENT_HURT, words.own, 10, future, TIP_TURN_REPLY);
    }
    for (uint32_t future = 1; future <= 3; future++)
        hear(&words, MASH_EVENT_DIED, words.own, 0, future, TIP_TURN_REPLY);
    tip_text(&words, &choice);
    assert_int_equal(choice.works, 7);
    assert_int_equal(choice.dealt, 8); /* 12 in 7 of 10 */
    assert_int_equal(choice.lost, 7);
    assert_int_equal(choice.now.count, 1);
    assert_int_equal(choice.now.list[0].kind, MASH_EVENT_HURT);
    assert_int_equal(choice.now.list[0].amount, 12);
    assert_int_equal(choice.next.count, 0);
    assert_int_equal(choice.losses.count, 1);
    assert_int_equal(choice.losses.list[0].unit, words.own);
    assert_int_equal(choice.losses.samples[0], 3);
    assert_false(tip_notes_are_minor(&words.notes));
    table_close(&words.table);
}

/* After a quiet turn the next one is described; a way back to its beginning is omitted. */
static void quiet_turns_tell_what_is_next(void **unused) {
    (void)unused;
    NotesFixture words = {.own = 0};
    TipChoice choice = {.samples = 1};
    words_open(&words);
    hear(&words, MASH_EVENT_MOVED, words.own, 0, 1, TIP_TURN_OWN);
    assert_true(tip_notes_are_minor(&words.notes));
    hear(&words, MASH_EVENT_HURT, words.enemy, 30, 1, TIP_TURN_NEXT);
    tip_text(&words, &choice);
    assert_int_equal(choice.dealt, 0);
    assert_int_equal(choice.now.list[0].kind, MASH_EVENT_MOVED);
    assert_int_equal(choice.next.count, 1);
    assert_int_equal(choice.next.list[0].amount, 30);
    tip_notes_clear(&words.notes, 0);
    tip_text(&words, &choice);
    assert_int_equal(choice.now.count + choice.next.count + choice.losses.count, 0);
    table_close(&words.table);
}

enum { TESTS_MAX = 2 + SUPPORT_GAMES_MAX };

int main(void) {
    struct CMUnitTest tests[TESTS_MAX] = {cmocka_unit_test(words_tell_what_happens),
                                          cmocka_unit_test(quiet_turns_tell_what_is_next)};
    size_t count = 2;
    tests[count++] = (struct CMUnitTest){.name = "advice is legal and repeatable",
                                         .test_func = advice_is_legal_and_repeatable,
                                         .initial_state = (void *)(uintptr_t)&breakthrough_game};
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        assert(count < TESTS_MAX);
        tests[count++] = (struct CMUnitTest){.name = "advice is legal and repeatable",
                                             .test_func = advice_is_legal_and_repeatable,
                                             .initial_state = (void *)(uintptr_t)*game};
    }
    return _cmocka_run_group_tests("tips", tests, count, NULL, NULL);
}
