/* test_evaluate.c -- how the AI evaluates Marvelous Mashup. */
#include "ai/internal.h"
#include "games/marvelous-mashup/test_scene.h"

/* The order of the next round must not depend on how the last turn of this one is made: a search
 * that could choose it would choose luck [5.2]. */
static void no_plan_chooses_its_luck(void **unused) {
    (void)unused;
    Scene scene = SCENE("a....b....", "..........", "....A.....", ".....B....");
    MarvelousState *state = scene.state;
    const MashAction move = {.verb = VERB_MOVE, .unit = a, .x = 1, .y = 0};
    const MashAction back = {.verb = VERB_MOVE, .unit = a, .x = 0, .y = 0};
    const MashAction end = {.verb = VERB_END, .unit = a};
    state->order_next = state->order_count; /* a's turn is the last one */
    Ai *ai = ai_init(scene.content, support_memory(ai_bytes(scene.content)));
    MarvelousState *early = support_state(scene.content), *late = support_state(scene.content);
    uint32_t others = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        AiPlan plan = {0};
        AiTask task = {.skill = ai_level(AI_LEVELS), .view = state, .plan = &plan, .seed = seed};
        assert_true(ai_begin(ai, &task));
        memcpy(early, state, scene.content->limits.state_bytes);
        memcpy(late, state, scene.content->limits.state_bytes);
        assert_true(search_apply(ai, early, end, 0));
        assert_true(search_apply(ai, late, move, 0) && search_apply(ai, late, back, 0) &&
                    search_apply(ai, late, end, 0));
        assert_int_equal(early->round, state->round + 1);
        assert_int_equal(early->order_count, late->order_count);
        assert_memory_equal(early->order, late->order, early->order_count);
        memcpy(late, state, scene.content->limits.state_bytes);
        assert_true(search_apply(ai, late, end, 1));
        others += memcmp(early->order, late->order, early->order_count) != 0;
    }
    assert_true(others > 0); /* elsewhere in the search luck is different */
    support_free(early);
    support_free(late);
    support_free(ai);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_plan_chooses_its_luck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
