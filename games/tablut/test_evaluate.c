/* test_evaluate.c -- what the AI knows about Tablut: wins in one move are seen without looking
 * ahead, and the moves that matter are tried first. */
#include "ai/ai.h"
#include "games/tablut/test_scene.h"

enum { CERTAIN = 10000 };

/* The evaluation for the Swedes; for the Muscovites it is the same with the other sign. */
static int32_t value(void) {
    int32_t swedes = tablut_evaluator.evaluate(content, state, TABLUT_SWEDES);
    assert_int_equal(tablut_evaluator.evaluate(content, state, TABLUT_MUSCOVITES), -swedes);
    return swedes;
}

/* What a level plays here without random turns. */
static MashAction choice(uint32_t level) {
    AiPlan plan = {0};
    void *memory = support_memory(ai_bytes(content));
    Ai *ai = ai_init(content, memory);
    AiTask task = {.skill = ai_level(level),
                   .view = state,
                   .plan = &plan,
                   .seat = state->turn,
                   .seed = 1,
                   .no_mistakes = true};
    assert_true(ai_begin(ai, &task));
    while (!ai_step(ai, 1000))
        ;
    MashAction action = ai_answer(ai);
    support_free(memory);
    return action;
}

/* One open way wins if the Swedes are to move, and two ways always win. */
static void open_ways_are_worth_a_match(void **unused) {
    (void)unused;
    static const char one[] = ".......\n"
                              "..S.S..\n"
                              ".SkM...\n"
                              "..S+...\n"
                              "M......\n"
                              ".......\n"
                              "M......";
    scene_begin(TABLUT_SWEDES, one);
    assert_in_range(value() + CERTAIN, 0, 2 * CERTAIN);
    move(2, 1, 3, 1); /* opens one way */
    assert_in_range(value() + CERTAIN, 0, 2 * CERTAIN);
    state->turn = TABLUT_SWEDES;
    assert_true(value() > CERTAIN);
    move(1, 2, 1, 1); /* opens another */
    assert_true(value() > CERTAIN);
}

/* Soldiers, the one cell of the king, and that he could escape from there on either side [5.1]. */
static void a_way_in_two_moves_counts_once(void **unused) {
    (void)unused;
    enum { FOUR_TO_ONE = 4 * 120 - 100, CELL = 4, WAY = 12 };
    scene_begin(TABLUT_SWEDES, ".......\n"
                               "..S....\n"
                               ".Sk.S..\n"
                               "..S....\n"
                               ".......\n"
                               ".....+.\n"
                               "......M");
    assert_int_equal(value(), FOUR_TO_ONE + CELL + WAY);
    state->turn = TABLUT_MUSCOVITES;
    assert_int_equal(value(), FOUR_TO_ONE + CELL + WAY);
    scene_begin(TABLUT_SWEDES, ".......\n"
                               "..S....\n"
                               ".SkS...\n"
                               ".......\n"
                               "..S....\n"
                               ".....+.\n"
                               "......M");
    assert_int_equal(value(), FOUR_TO_ONE + CELL + WAY);
    move(2, 4, 2, 6); /* leaves him two cells more, and the way to the left from each */
    assert_int_equal(value(), FOUR_TO_ONE + 3 * CELL + 3 * WAY);
    scene_begin(TABLUT_SWEDES, ".......\n"
                               "..SM...\n"
                               ".Sk.S..\n"
                               "..S....\n"
                               ".......\n"
                               ".....+.\n"
                               ".......");
    assert_int_equal(value(), FOUR_TO_ONE + CELL + WAY); /* only downwards */
    scene_begin(TABLUT_SWEDES, ".......\n"
                               "..SM...\n"
                               ".Sk.S..\n"
                               "..SM...\n"
                               ".......\n"
                               ".....+.\n"
                               ".......");
    assert_int_equal(value(), FOUR_TO_ONE - 100 + CELL);
    scene_begin(TABLUT_SWEDES, ".......\n"
                               "..S....\n"
                               ".SkS...\n"
                               ".M.M...\n"
                               "..S....\n"
                               ".....+.\n"
                               ".......");
    assert_int_equal(value(), FOUR_TO_ONE - 100 + CELL);
}

/* A king between a Muscovite and a cell that another one reaches is lost if the Muscovites are to
 * move. */
static void danger_is_seen(void **unused) {
    (void)unused;
    scene_begin(TABLUT_MUSCOVITES, ".......\n"
                                   ".S.....\n"
                                   ".MkS...\n"
                                   "...S...\n"
                                   "....+..\n"
                                   ".......\n"
                                   "...M...");
    assert_true(value() > -CERTAIN); /* the other cell is occupied */
    scene_begin(TABLUT_MUSCOVITES, ".......\n"
                                   "..S....\n"
                                   ".Mk...M\n"
                                   "..S....\n"
                                   "....+..\n"
                                   ".......\n"
                                   ".......");
    state->turn = TABLUT_SWEDES;
    assert_true(value() > -CERTAIN); /* the king can still move */
    state->turn = TABLUT_MUSCOVITES;
    assert_true(value() < -CERTAIN);
    MashAction best = choice(4);
    assert_int_equal(best.x, 3);
    assert_int_equal(best.y, 2);
    scene_begin(TABLUT_MUSCOVITES, ".......\n"
                                   "...M...\n"
                                   "..MKM..\n"
                                   ".......\n"
                                   ".S.....\n"
                                   ".......\n"
                                   "...M...");
    assert_true(value() < -CERTAIN); /* the fourth comes from below */
    scene_begin(TABLUT_MUSCOVITES, ".......\n"
                                   "...M...\n"
                                   "..MK...\n"
                                   ".......\n"
                                   ".S..M..\n"
                                   ".......\n"
                                   "...M...");
    assert_true(value() > -CERTAIN); /* two are missing at the konakis */
}

/* A king who can escape does, and a lone Muscovite in between closes the only way. */
static void programs_win_and_defend(void **unused) {
    (void)unused;
    scene_begin(TABLUT_SWEDES, ".......\n"
                               ".M...M.\n"
                               "...k...\n"
                               ".M.+.M.\n"
                               ".......\n"
                               ".......\n"
                               "...M...");
    MashAction best = choice(2);
    assert_int_equal(best.unit, tablut_board(content)->king);
    assert_int_equal(tablut_evaluator.priority(content, state, best), 10000);
    assert_int_equal(try_action(best), MASH_OK);
    is_over(TABLUT_SWEDES, TABLUT_REASON_ESCAPED);
    scene_begin(TABLUT_MUSCOVITES, "......M\n"
                                   "..S.S..\n"
                                   "..SkS..\n"
                                   "..S+S..\n"
                                   ".......\n"
                                   ".......\n"
                                   "...M..M");
    best = choice(5);
    assert_int_equal(best.x, 3);
    assert_in_range(best.y, 0, 1);
}

/* Captures and moves near the king are tried before others. */
static void promising_moves_come_first(void **unused) {
    (void)unused;
    scene_begin(TABLUT_MUSCOVITES, "M......\n"
                                   ".......\n"
                                   "...K...\n"
                                   ".......\n"
                                   ".....SM\n"
                                   ".......\n"
                                   "....M..");
    int32_t takes = tablut_evaluator.priority(content, state, move_of(4, 6, 4, 4));
    int32_t near = tablut_evaluator.priority(content, state, move_of(0, 0, 3, 0));
    int32_t far = tablut_evaluator.priority(content, state, move_of(0, 0, 0, 6));
    assert_true(takes > near);
    assert_true(near > far);
}

#define KNOWS(test) cmocka_unit_test_teardown(test, scene_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        KNOWS(open_ways_are_worth_a_match),
        KNOWS(a_way_in_two_moves_counts_once),
        KNOWS(danger_is_seen),
        KNOWS(programs_win_and_defend),
        KNOWS(promising_moves_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
