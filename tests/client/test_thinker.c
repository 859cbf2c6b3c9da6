/* test_thinker.c -- thinking in the loop: one answer per question, in time; the same question asked
 * twice is one, and there is no answer after a stop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "client/thinker.h"
#include "tests/support/support.h"

enum { LATER_MS = 600000 };

static NetLoop *loop;
static NetTimer *guard;
static Thinker *thinker;
static uint32_t answers;
static MashAction answer;

static void on_answer(void *owner, MashAction action) {
    assert_ptr_equal(owner, &answers);
    answers++;
    answer = action;
    net_loop_stop(loop);
}

static void on_guard(void *unused) {
    (void)unused;
    net_loop_stop(loop);
}

/* Runs the loop until an answer comes, or for this long. */
static void run(uint32_t ms) {
    net_timer_start(guard, ms);
    net_loop_run(loop);
}

static int set_up(void **unused) {
    (void)unused;
    loop = net_loop_open();
    guard = net_timer_open(loop, on_guard, NULL);
    thinker = thinker_open(loop, ai_skill_find("level3"), 1, on_answer, &answers);
    assert_non_null(thinker);
    answers = 0;
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    thinker_close(thinker);
    net_timer_close(guard);
    net_loop_close(loop);
    return 0;
}

/* A new match of a preset. */
static void *start_of(const MashContent *content) {
    void *state = support_state(content);
    MashChance chance = chance_seeded((MashSeed){{3, 4}}, 0);
    assert_int_equal(content->game->setup(content, NULL, &chance, state), MASH_OK);
    return state;
}

static uint8_t seat_to_move(const MashContent *content, const void *state) {
    return content->game->awaited(content, state) & 1 ? 0 : 1;
}

static void one_legal_answer_for_each_question(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("zorde"), "skirmish");
    void *state = start_of(content);
    for (uint32_t asked = 1; asked <= 12; asked++) {
        uint8_t seat = seat_to_move(content, state);
        uint64_t until_ms = net_now_ms(loop) + LATER_MS;
        assert_true(thinker_begin(thinker, content, state, seat, until_ms));
        assert_true(thinker_begin(thinker, content, state, seat, until_ms));
        run(LATER_MS);
        assert_int_equal(answers, asked);
        assert_int_equal(mash_apply(content, state, answer, NULL, NULL), MASH_OK);
        run(20); /* no second answer comes */
        assert_int_equal(answers, asked);
    }
    support_free(state);
    support_free(content);
}

/* The same view asked about after the answer is a new question. */
static void an_answered_question_may_be_asked_again(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("zorde"), "duel");
    void *state = start_of(content);
    for (uint32_t asked = 1; asked <= 2; asked++) {
        assert_true(thinker_begin(thinker, content, state, seat_to_move(content, state), 0));
        run(LATER_MS);
        assert_int_equal(answers, asked);
    }
    support_free(state);
    support_free(content);
}

static void none_after_a_stop(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("zorde"), "battle");
    void *state = start_of(content);
    uint8_t seat = seat_to_move(content, state);
    assert_true(thinker_begin(thinker, content, state, seat, net_now_ms(loop) + LATER_MS));
    thinker_stop(thinker);
    run(30);
    assert_int_equal(answers, 0);
    /* Asked again it thinks again. */
    assert_true(thinker_begin(thinker, content, state, seat, net_now_ms(loop) + LATER_MS));
    run(LATER_MS);
    assert_int_equal(answers, 1);
    assert_int_equal(content->game->check(content, state, answer), MASH_OK);
    support_free(state);
    support_free(content);
}

/* The best level thinks long; at the deadline it answers with what it has. */
static void the_answer_comes_in_time(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("marvelous-mashup"), NULL);
    void *state = start_of(content);
    thinker_close(thinker);
    thinker = thinker_open(loop, ai_level(8), 1, on_answer, &answers);
    uint8_t seat = seat_to_move(content, state);
    content->game->hide(content, state, seat);
    assert_true(thinker_begin(thinker, content, state, seat, 0));
    run(LATER_MS);
    assert_int_equal(answers, 1);
    support_free(state);
    support_free(content);
}

/* Contents change: discarded before they are freed, and a new one gets memory of its size. */
static void contents_change(void **unused) {
    (void)unused;
    static const char *const games[] = {"zorde", "marvelous-mashup", "generals", "zorde"};
    for (uint32_t i = 0; i < sizeof games / sizeof *games; i++) {
        MashContent *content = support_content(mash_game_find(games[i]), NULL);
        void *state = start_of(content);
        uint8_t seat = seat_to_move(content, state);
        content->game->hide(content, state, seat);
        assert_true(thinker_begin(thinker, content, state, seat, 0));
        run(LATER_MS);
        assert_int_equal(answers, i + 1);
        assert_int_equal(content->game->check(content, state, answer), MASH_OK);
        thinker_forget(thinker);
        support_free(state);
        support_free(content);
    }
}

static void nothing_to_choose_is_said(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("zorde"), "duel");
    void *state = start_of(content);
    uint8_t seat = seat_to_move(content, state);
    assert_false(thinker_begin(thinker, content, state, (uint8_t)(1 - seat), 0));
    run(20);
    assert_int_equal(answers, 0);
    support_free(state);
    support_free(content);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(one_legal_answer_for_each_question),
        TEST(an_answered_question_may_be_asked_again),
        TEST(none_after_a_stop),
        TEST(the_answer_comes_in_time),
        TEST(contents_change),
        TEST(nothing_to_choose_is_said),
    };
    return cmocka_run_group_tests_name("thinker", tests, NULL, NULL);
}
