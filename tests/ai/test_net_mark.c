/* test_net_mark.c -- the shipped nets: made for what games describe today, within bounds, and fair
 * to both seats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ai/net_mark.h"
#include "tests/support/support.h"

/* What a visit to a position works with. */
typedef struct NetVisit {
    const MashContent *content;
    void *state;
    uint32_t described;
} NetVisit;

/* A net whose features have changed would be nonsense: it has to be trained again. */
static void nets_know_the_features(void **unused) {
    (void)unused;
    uint32_t nets = 0;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        const MashEvaluator *evaluator = (*game)->evaluator;
        if (evaluator->net == NULL)
            continue;
        MashContent *content = support_content(*game, NULL);
        void *state = support_state(content);
        MashAction *list = support_memory(content->limits.actions_max * sizeof *list);
        assert_true(table_net_fits(evaluator->net));
        assert_int_equal(evaluator->net->features, ai_net_mark(content, state, list));
        support_free(list);
        support_free(state);
        support_free(content);
        nets++;
    }
    assert_true(nets >= 3);
}

/* All features are within bounds, and the net says the opposite with the sides swapped. */
static void look(void *owner, uint8_t seat, MashChance *chooser) {
    NetVisit *visit = owner;
    const MashEvaluator *evaluator = visit->content->game->evaluator;
    TableNetInput input, swapped;
    (void)seat;
    (void)chooser;
    memset(&input, 0, sizeof input);
    if (!evaluator->net_input(visit->content, visit->state, &input))
        return;
    visit->described++;
    swapped = input;
    for (int side = 0; side < TABLE_NET_SIDES; side++) {
        assert_in_range(input.counts[side], 0, TABLE_NET_UNITS);
        for (int unit = 0; unit < input.counts[side]; unit++) {
            assert_int_not_equal(input.units[side][unit][0], 0);
            for (int i = 0; i < TABLE_NET_FEATURES; i++)
                assert_in_range(input.units[side][unit][i] + TABLE_NET_MOST, 0, 2 * TABLE_NET_MOST);
        }
        swapped.counts[side] = input.counts[1 - side];
        memcpy(swapped.units[side], input.units[1 - side], sizeof input.units[0]);
        memcpy(swapped.sides[side], input.sides[1 - side], sizeof input.sides[0]);
    }
    int32_t value = table_net_evaluate(evaluator->net, &input);
    assert_int_equal(table_net_evaluate(evaluator->net, &swapped), -value);
    assert_in_range(value + MASH_EVALUATION_MAX, 0, 2 * MASH_EVALUATION_MAX);
}

static void nets_are_fair(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        for (uint32_t i = 0; (*game)->evaluator->net != NULL && i < (*game)->presets_count; i++) {
            MashContent *content = support_content(*game, (*game)->presets[i].id);
            NetVisit visit = {content, support_state(content), 0};
            support_positions(content, 40, 10, visit.state, look, &visit);
            assert_true(visit.described > 0);
            support_free(visit.state);
            support_free(content);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nets_know_the_features),
        cmocka_unit_test(nets_are_fair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
