/* test_review.c -- reports of matches: luck and play add up, the same in slices and in one go,
 * exact where the outcomes can be counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ai/review.h"
#include "engine/common.h"
#include "examples/breakthrough.h"
#include "match/simulate.h"
#include "tests/support/support.h"

enum { NODES = 40, ACTIONS = 110, JSON_BYTES = 1 << 18, SLICE = 7 };

/* A match, and reports of it. */
typedef struct ReviewFixture {
    MashContent *content;
    ReviewTask task;
    MashAction actions[ACTIONS];
    MashResult result;
    void *memory;
    Review *review;
} ReviewFixture;

/* Plays random actions. */
static ReviewFixture match_of(const MashGame *game, uint64_t seed) {
    static int32_t options[MASH_OPTIONS_MAX];
    ReviewFixture match = {.content = support_content(game, NULL)};
    void *state = support_state(match.content);
    MashAction *list = support_memory(match.content->limits.actions_max * sizeof *list);
    MashChance chooser = chance_sampled(seed);
    for (uint32_t i = 0; i < game->options_count; i++)
        options[i] = game->options[i].usual;
    match.task = (ReviewTask){.seed = {{seed, 1}}, .options = options, .nodes = NODES};
    MashChance chance = chance_seeded(match.task.seed, 0);
    MashSetup setup = {options, game->options_count};
    game->setup(match.content, &setup, &chance, state);
    for (uint32_t *i = &match.task.actions_count;
         *i < ACTIONS && game->awaited(match.content, state) != 0;) {
        match.actions[*i] = simulate_random_action(match.content, state, &chooser, list);
        chance = chance_seeded(match.task.seed, *i + 1);
        game->apply_listed(match.content, state, match.actions[(*i)++], &chance, NULL);
    }
    match.result = game->result(match.content, state);
    support_free(list);
    support_free(state);
    return match;
}

/* Makes the report; the caller frees its memory. */
static void make(ReviewFixture *match, uint32_t slice) {
    match->task.actions = match->actions;
    match->memory = support_memory(review_bytes(match->content, match->task.actions_count));
    match->review = review_init(match->content, &match->task, match->memory);
    while (!review_step(match->review, slice))
        ;
}

static char *json_of(const ReviewFixture *match) {
    char *bytes = support_memory(JSON_BYTES);
    MashText text = text_over(bytes, JSON_BYTES);
    JsonWriter writer = json_writer(&text, 0);
    review_write(match->review, &writer);
    assert_false(text.truncated);
    return bytes;
}

/* Each turn begins where the one before it ends, and luck and play are the change. */
static void check_turns(const ReviewFixture *match) {
    uint32_t count;
    const ReviewTurn *turns = review_turns(match->review, &count);
    for (uint32_t i = 0; i < count; i++) {
        int32_t change = (int32_t)turns[i].after - turns[i].before;
        assert_int_equal(turns[i].play + turns[i].luck, turns[i].seat == 0 ? change : -change);
        assert_true(turns[i].from < turns[i].to);
        assert_in_range(turns[i].before, 0, MASH_WINNING_CERTAIN);
        if (i + 1 == count)
            break;
        assert_int_equal(turns[i].after, turns[i + 1].before);
        assert_int_equal(turns[i].to, turns[i + 1].from);
    }
    assert_true(count > 0);
    assert_int_equal(turns[count - 1].to, match->task.actions_count);
    if (match->result.over)
        assert_int_equal(turns[count - 1].after, judge_chance_of_result(match->result));
}

static void test_sums(void **unused) {
    (void)unused;
    uint32_t lucky = 0;
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        ReviewFixture match = match_of(mash_games[i], 11 + i);
        make(&match, UINT32_MAX);
        check_turns(&match);
        ReviewSide sides[MASH_SEATS];
        review_sides(match.review, sides);
        assert_int_equal(sides[0].luck, -sides[1].luck);
        assert_in_range(sides[0].accuracy, 0, MASH_WINNING_CERTAIN);
        assert_true(sides[0].kept <= sides[0].turns);
        lucky += sides[0].luck != 0;
        bool sure = strcmp(mash_games[i]->id, "zorde") == 0 ||
                    strcmp(mash_games[i]->id, "tablut") == 0 ||
                    strcmp(mash_games[i]->id, "battleground") == 0;
        assert_true(!sure || sides[0].luck == 0);
        support_free(match.memory);
        support_free(match.content);
    }
    assert_true(lucky > 0);
}

static void test_slices(void **unused) {
    (void)unused;
    for (uint32_t i = 0; mash_games[i] != NULL; i += 2) {
        ReviewFixture match = match_of(mash_games[i], 5);
        make(&match, UINT32_MAX);
        char *whole = json_of(&match);
        void *first = match.memory;
        make(&match, SLICE);
        char *sliced = json_of(&match);
        assert_string_equal(whole, sliced);
        support_free(whole);
        support_free(sliced);
        support_free(first);
        support_free(match.memory);
        support_free(match.content);
    }
}

/* A game without a table, and turns that are the search's own. */
static void test_own_turns(void **unused) {
    (void)unused;
    ReviewFixture match = match_of(&breakthrough_game, 3);
    uint32_t count, points[REVIEW_POINTS];
    make(&match, UINT32_MAX);
    check_turns(&match);
    const ReviewTurn *turns = review_turns(match.review, &count);
    uint32_t same = 0, other = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool equal = turns[i].best_count == 1 &&
                     mash_action_compare(turns[i].best[0], match.actions[turns[i].from]) == 0;
        assert_int_equal(turns[i].same, equal);
        assert_true(!turns[i].same || review_loss(&turns[i]) == 0);
        same += turns[i].same;
        other += !turns[i].same;
    }
    assert_true(same > 0 && other > 0);
    assert_int_equal(review_points(match.review, points), REVIEW_POINTS);
    assert_true(points[0] < points[1] && points[1] < points[2]);
    support_free(match.memory);
    support_free(match.content);
}

/* --- A game of one throw ---------------------------------------------------------------------- */

/* The first seat throws (unit 0: it wins one time in four, by two throws of which the second is not
 * always made) or gives up (unit 1). */
typedef struct ThrowState {
    CommonState common;
} ThrowState;

static uint32_t throw_awaited(const MashContent *content, const void *raw_state) {
    (void)content;
    return !((const ThrowState *)raw_state)->common.over;
}

static uint32_t throw_actions(const MashContent *content, const void *raw_state, uint8_t seat,
                              MashAction *out) {
    return throw_awaited(content, raw_state) && seat == 0 ? support_moves(0, 2, out) : 0;
}

static void throw_apply(const MashContent *content, void *raw_state, MashAction action,
                        MashChance *chance, MashEvents *events) {
    (void)content, (void)events;
    bool won = action.unit == 0 && chance_below(chance, 2) == 0;
    if (won)
        won = chance_below(chance, 2) == 0;
    common_end(&((ThrowState *)raw_state)->common, won ? 0 : 1, MASH_REASON_GAME, NULL);
}

static MashResult throw_result(const MashContent *content, const void *raw_state) {
    (void)content;
    return common_result(NULL, raw_state);
}

static MashStatus throw_setup(const MashContent *content, const MashSetup *setup,
                              MashChance *chance, void *state) {
    (void)content, (void)setup, (void)chance;
    memset(state, 0, sizeof(ThrowState));
    return MASH_OK;
}

static void throw_hide(const MashContent *content, void *state, uint8_t seat) {
    (void)content, (void)state, (void)seat;
}

static const MashGame throw_game = {
    .id = "throw",
    .setup = throw_setup,
    .awaited = throw_awaited,
    .actions = throw_actions,
    .check = support_check,
    .apply_listed = throw_apply,
    .result = throw_result,
    .hide = throw_hide,
};

/* Luck is what came about less the mean of what could have: one win in four is 25 %. */
static void test_exact_luck(void **unused) {
    (void)unused;
    uint32_t won = 0, lost = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        ReviewFixture match = {.content = support_memory(sizeof(MashContent) + 64)};
        *match.content = (MashContent){.game = &throw_game,
                                       .limits = {.state_bytes = sizeof(ThrowState),
                                                  .core_bytes = sizeof(ThrowState),
                                                  .actions_max = 2,
                                                  .events_max = 4,
                                                  .length_max = 1}};
        match.task = (ReviewTask){.seed = {{seed, 2}}, .actions_count = 1, .nodes = NODES};
        support_moves(0, 1, match.actions);
        make(&match, UINT32_MAX);
        uint32_t count;
        const ReviewTurn *turn = review_turns(match.review, &count);
        assert_int_equal(count, 1);
        bool win = turn->after == MASH_WINNING_CERTAIN;
        assert_int_equal(turn->luck, win ? 7500 : -2500);
        assert_int_equal(turn->play, 2500 - (int32_t)turn->before);
        won += win;
        lost += !win;
        support_free(match.memory);
        support_free(match.content);
    }
    assert_true(won > 0 && lost > 0);
}

/* --- Chances ---------------------------------------------------------------------------------- */

/* Chances rise with the value, and are those of the table at its values. */
static void check_table(const MashContent *content, uint8_t seat) {
    if (content->game->evaluator->winning == NULL)
        return;
    const MashWinningTable *table = content->game->evaluator->winning->seats[seat];
    uint32_t before = 0;
    assert_int_equal(judge_chance_of(content, seat, 2 * MASH_EVALUATION_MAX), table->won);
    assert_int_equal(judge_chance_of(content, seat, -2 * MASH_EVALUATION_MAX), table->lost);
    for (int32_t value = -MASH_EVALUATION_MAX; value <= MASH_EVALUATION_MAX; value += 97) {
        uint32_t chance = judge_chance_of(content, seat, value);
        assert_true(chance >= before && chance <= MASH_WINNING_CERTAIN);
        before = chance;
    }
    for (uint32_t k = 0; k < MASH_WINNING_KNOTS; k++) {
        assert_int_equal(judge_chance_of(content, seat, table->values[k]), table->chances[k]);
        assert_true(k == 0 || table->values[k - 1] < table->values[k]);
    }
}

static void test_chances(void **unused) {
    (void)unused;
    for (uint32_t i = 0; mash_games[i] != NULL; i++) {
        MashContent *content = support_content(mash_games[i], NULL);
        assert_true(judge_nodes(content) > 0);
        check_table(content, 0);
        check_table(content, 1);
        support_free(content);
    }
    assert_int_equal(judge_chance_of_result((MashResult){true, 0, 0}), MASH_WINNING_CERTAIN);
    assert_int_equal(judge_chance_of_result((MashResult){true, 1, 0}), 0);
    assert_int_equal(judge_chance_of_result((MashResult){true, MASH_SEAT_NONE, 0}),
                     MASH_WINNING_CERTAIN / 2);
}

static void test_accuracy(void **unused) {
    (void)unused;
    uint32_t before = MASH_WINNING_CERTAIN;
    assert_int_equal(review_accuracy(0), MASH_WINNING_CERTAIN);
    for (uint32_t loss = 0; loss <= MASH_WINNING_CERTAIN; loss += 50) {
        assert_true(review_accuracy(loss) <= before);
        before = review_accuracy(loss);
    }
    assert_int_equal(before, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),      cmocka_unit_test(test_slices),
        cmocka_unit_test(test_own_turns), cmocka_unit_test(test_exact_luck),
        cmocka_unit_test(test_chances),   cmocka_unit_test(test_accuracy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
