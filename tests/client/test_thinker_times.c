/* test_thinker_times.c -- thinking in slices, with the test's own clock: messages come in between,
 * the deadline is kept to the slice, and the answer is the one that the search gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "client/thinker.h"
#include "tests/server/fake/net.h"
#include "tests/support/support.h"

enum { THINKERS = 12, MUCH_LATER_MS = 1000000 };

static NetLoop *loop;
static NetTimer *between; /* rings after each slice */
static Thinker *thinker;
static MashContent *content;
static void *state;
static uint8_t seat;
static uint32_t answers, slices;
static MashAction answer;

static void on_answer(void *owner, MashAction action) {
    assert_ptr_equal(owner, &answers);
    answers++;
    answer = action;
}

/* The loop runs other things between two slices. */
static void on_between(void *unused) {
    (void)unused;
    slices++;
    if (answers == 0)
        net_timer_start(between, 0);
}

static int set_up(void **unused) {
    (void)unused;
    loop = net_loop_open();
    between = net_timer_open(loop, on_between, NULL);
    content = support_content(mash_game_find("zorde"), "skirmish");
    state = support_state(content);
    MashChance chance = chance_seeded((MashSeed){{3, 4}}, 0);
    assert_int_equal(content->game->setup(content, NULL, &chance, state), MASH_OK);
    seat = content->game->awaited(content, state) & 1 ? 0 : 1;
    thinker = NULL;
    answers = slices = 0;
    return 0;
}

static int tear_down(void **unused) {
    (void)unused;
    thinker_close(thinker);
    net_timer_close(between);
    net_loop_close(loop);
    support_free(state);
    support_free(content);
    return 0;
}

static void open_thinker(const char *skill) {
    thinker = thinker_open(loop, ai_skill_find(skill), 1, on_answer, &answers);
    assert_non_null(thinker);
}

/* A long search goes on slice by slice, and others come in between. */
static void slices_until_it_is_done(void **unused) {
    (void)unused;
    open_thinker("level8");
    uint64_t until_ms = net_now_ms(loop) + 10;
    assert_true(thinker_begin(thinker, content, state, seat, until_ms));
    net_timer_start(between, 0);
    fake_run(loop, 5);
    assert_int_equal(answers, 1);
    assert_true(slices > 3);
    assert_int_equal(content->game->check(content, state, answer), MASH_OK);
}

/* At the deadline there is no further slice; just before it there is. */
static void the_deadline_is_kept(void **unused) {
    (void)unused;
    open_thinker("level8");
    assert_true(thinker_begin(thinker, content, state, seat, net_now_ms(loop)));
    net_timer_start(between, 0);
    fake_run(loop, 5);
    assert_int_equal(answers, 1);
    assert_int_equal(slices, 1);
    answers = slices = 0;
    assert_true(thinker_begin(thinker, content, state, seat, net_now_ms(loop) + 1));
    net_timer_start(between, 0);
    fake_run(loop, 0);
    assert_true(slices > 3);
    fake_run(loop, 5);
    assert_int_equal(answers, 1);
}

/* Another view takes the place of the one in question, and its deadline counts; the same view
 * keeps the first. */
static void one_question_at_a_time(void **unused) {
    (void)unused;
    open_thinker("level8");
    assert_true(thinker_begin(thinker, content, state, seat, net_now_ms(loop) + MUCH_LATER_MS));
    assert_true(thinker_begin(thinker, content, state, seat, 0));
    net_timer_start(between, 0);
    fake_run(loop, 5);
    assert_true(slices > 3);
    assert_int_equal(answers, 1);
    assert_int_equal(mash_apply(content, state, answer, NULL, NULL), MASH_OK);
    void *before = support_state(content);
    memcpy(before, state, content->limits.state_bytes);
    seat = content->game->awaited(content, state) & 1 ? 0 : 1;
    MashAction list[512];
    assert_true(content->limits.actions_max <= 512);
    assert_true(content->game->actions(content, state, seat, list) > 0);
    assert_int_equal(mash_apply(content, state, list[0], NULL, NULL), MASH_OK);
    answers = slices = 0;
    assert_true(thinker_begin(thinker, content, before, seat, net_now_ms(loop) + MUCH_LATER_MS));
    seat = content->game->awaited(content, state) & 1 ? 0 : 1;
    assert_true(thinker_begin(thinker, content, state, seat, 0));
    net_timer_start(between, 0);
    fake_run(loop, 5);
    assert_int_equal(answers, 1);
    assert_int_equal(slices, 1);
    assert_int_equal(content->game->check(content, state, answer), MASH_OK);
    support_free(before);
}

/* Each has its own chance: not all choose the same where everything is equally good. */
static void each_has_its_own_chance(void **unused) {
    (void)unused;
    uint32_t same = 0;
    MashAction first = {.verb = 0};
    for (uint32_t i = 0; i < THINKERS; i++) {
        open_thinker("random");
        assert_true(thinker_begin(thinker, content, state, seat, 0));
        fake_run(loop, 5);
        assert_int_equal(answers, i + 1);
        first = i == 0 ? answer : first;
        same += mash_action_compare(first, answer) == 0;
        thinker_close(thinker);
        thinker = NULL;
    }
    assert_true(same < THINKERS);
}

/* Stopped or forgotten, it says nothing; asked again, it answers. */
static void stopped_and_forgotten(void **unused) {
    (void)unused;
    open_thinker("level8");
    for (int forget = 0; forget < 2; forget++) {
        assert_true(thinker_begin(thinker, content, state, seat, net_now_ms(loop) + MUCH_LATER_MS));
        if (forget)
            thinker_forget(thinker);
        else
            thinker_stop(thinker);
        fake_run(loop, 5);
        assert_int_equal(answers, 0);
    }
    assert_true(thinker_begin(thinker, content, state, seat, 0));
    fake_run(loop, 5);
    assert_int_equal(answers, 1);
    thinker_stop(thinker);
    assert_false(thinker_begin(thinker, content, state, (uint8_t)(1 - seat), 0));
    fake_run(loop, 5);
    assert_int_equal(answers, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(slices_until_it_is_done), TEST(the_deadline_is_kept),  TEST(one_question_at_a_time),
        TEST(each_has_its_own_chance), TEST(stopped_and_forgotten),
    };
    return cmocka_run_group_tests_name("thinker times", tests, NULL, NULL);
}
