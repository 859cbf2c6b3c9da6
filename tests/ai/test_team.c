/* test_team.c -- a task that several search: legal, the same however they are interleaved, as if
 * alone where there is one; nobody searches what is clear, and every member does a part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ai/team.h"
#include "base/hash.h"
#include "match/simulate.h"
#include "tests/support/support.h"

enum { MEMBERS = 5, NODES = 400, DECISIONS = 10 };

/* A match of random play in which teams are asked. */
typedef struct TeamScene {
    const MashGame *game;
    MashContent *content;
    void *state, *view;
    MashAction *list;
    Ai *members[MEMBERS];
    MashChance chooser;
    uint8_t seat;
} TeamScene;

static TeamScene scene_open(const MashGame *game) {
    TeamScene scene = {.game = game, .content = support_content(game, NULL)};
    scene.state = support_state(scene.content);
    scene.view = support_state(scene.content);
    scene.list = support_memory(scene.content->limits.actions_max * sizeof *scene.list);
    for (uint32_t i = 0; i < MEMBERS; i++)
        scene.members[i] = ai_init(scene.content, support_memory(ai_bytes(scene.content)));
    return scene;
}

static void scene_close(TeamScene *scene) {
    for (uint32_t i = 0; i < MEMBERS; i++)
        support_free(scene->members[i]);
    support_free(scene->list);
    support_free(scene->view);
    support_free(scene->state);
    support_free(scene->content);
}

/* A position of a random match, this many actions on, and what the seat to move sees; the match is
 * begun anew where it would be over. */
static void advance(TeamScene *scene, uint64_t seed, uint32_t actions) {
    MashChance chance = chance_seeded((MashSeed){{seed, 0}}, 0);
    scene->chooser = chance_sampled(seed);
    assert_int_equal(scene->game->setup(scene->content, NULL, &chance, scene->state), MASH_OK);
    for (uint32_t i = 0; i < actions; i++) {
        void *before = scene->view;
        memcpy(before, scene->state, scene->content->limits.state_bytes);
        MashAction action =
            simulate_random_action(scene->content, scene->state, &scene->chooser, scene->list);
        MashChance luck = chance_seeded((MashSeed){{seed, 0}}, i + 1);
        assert_int_equal(mash_apply(scene->content, scene->state, action, &luck, NULL), MASH_OK);
        if (scene->game->awaited(scene->content, scene->state) != 0)
            continue;
        memcpy(scene->state, before, scene->content->limits.state_bytes);
        break;
    }
    scene->seat = scene->game->awaited(scene->content, scene->state) == 2;
    memcpy(scene->view, scene->state, scene->content->limits.state_bytes);
    scene->game->hide(scene->content, scene->view, scene->seat);
}

/* The task in this position. */
static AiTask task_of(const TeamScene *scene, const char *skill, AiPlan *plan, uint64_t seed) {
    return (AiTask){.skill = ai_skill_find(skill),
                    .view = scene->view,
                    .plan = plan,
                    .seat = scene->seat,
                    .nodes = NODES,
                    .seed = seed};
}

/* How members take turns. */
typedef enum MemberOrder { ONE_BY_ONE, IN_SLICES, BACKWARDS } MemberOrder;

static MashAction together(TeamScene *scene, const AiTask *task, uint32_t count, MemberOrder order,
                           uint64_t *nodes) {
    uint32_t busy = ai_team_begin(scene->members, count, task), done = 0;
    assert_true(busy == 1 || busy == count);
    do {
        for (done = 0; done < busy;)
            for (uint32_t i = done = 0; i < busy; i++) {
                Ai *ai = scene->members[order == BACKWARDS ? busy - 1 - i : i];
                done += ai_step(ai, order == IN_SLICES ? 7 : UINT32_MAX);
            }
    } while (!ai_team_meet(scene->members, busy));
    *nodes = 0;
    for (uint32_t i = 0; i < busy; i++) {
        assert_true(ai_nodes(scene->members[i]) <= NODES);
        *nodes += ai_nodes(scene->members[i]);
    }
    return ai_answer(scene->members[0]);
}

/* However the members take turns, the answer, the rest of its turn and the nodes are the same. */
static void the_order_of_members_does_not_matter(void **state) {
    TeamScene scene = scene_open(*state);
    bool more = false;
    for (uint32_t i = 0; i < DECISIONS; i++) {
        AiPlan plans[3] = {{0}};
        MashAction answers[3];
        uint64_t nodes[3];
        advance(&scene, i + 1, 6 * i);
        for (MemberOrder order = ONE_BY_ONE; order <= BACKWARDS; order++) {
            AiTask task = task_of(&scene, "level8", &plans[order], i);
            answers[order] = together(&scene, &task, 2 + i % (MEMBERS - 1), order, &nodes[order]);
            assert_int_equal(mash_action_compare(answers[order], answers[0]), 0);
            assert_memory_equal(&plans[order], &plans[0], sizeof *plans);
            assert_int_equal(nodes[order], nodes[0]);
        }
        assert_int_equal(scene.game->check(scene.content, scene.state, answers[0]), MASH_OK);
        more = more || nodes[0] > NODES;
    }
    assert_int_equal(more, ai_can_share(scene.content));
    scene_close(&scene);
}

/* A team of one is a player alone. */
static void one_member_is_alone(void **state) {
    TeamScene scene = scene_open(*state);
    for (uint32_t i = 0; i < DECISIONS; i++) {
        AiPlan plans[2] = {{0}};
        uint64_t nodes;
        advance(&scene, i + 1, 6 * i);
        AiTask task = task_of(&scene, i % 2 == 0 ? "level8" : "level6", &plans[0], i);
        MashAction one = together(&scene, &task, 1, ONE_BY_ONE, &nodes);
        task.plan = &plans[1];
        assert_true(ai_begin(scene.members[1], &task));
        while (!ai_step(scene.members[1], 50))
            ;
        assert_int_equal(nodes, ai_nodes(scene.members[1]));
        assert_int_equal(mash_action_compare(one, ai_answer(scene.members[1])), 0);
        assert_memory_equal(&plans[0], &plans[1], sizeof *plans);
    }
    scene_close(&scene);
}

/* Who does not search, follows a plan or has only one action to choose has nothing to share. */
static void what_is_clear_is_not_shared(void **state) {
    static const char *const skills[] = {"level1",      "level3",        "random",
                                         "greedy-turn", "greedy-action", "peer-turn"};
    TeamScene scene = scene_open(*state);
    uint64_t nodes;
    advance(&scene, 1, 20);
    for (uint32_t i = 0; i < sizeof skills / sizeof *skills; i++) {
        AiPlan plan = {0};
        AiTask task = task_of(&scene, skills[i], &plan, i);
        assert_int_equal(ai_team_begin(scene.members, 3, &task), 1);
        MashAction alone, action = together(&scene, &task, 3, ONE_BY_ONE, &nodes);
        plan = (AiPlan){0};
        alone = together(&scene, &task, 1, ONE_BY_ONE, &nodes);
        assert_int_equal(mash_action_compare(action, alone), 0);
    }
    for (uint32_t i = 0; i < DECISIONS; i++) {
        AiPlan plan = {0};
        advance(&scene, i + 1, 6 * i);
        AiTask task = task_of(&scene, "level8", &plan, i);
        MashChance luck = chance_seeded((MashSeed){{i, 1}}, 1);
        MashAction action = together(&scene, &task, 3, ONE_BY_ONE, &nodes);
        mash_apply(scene.content, scene.state, action, &luck, NULL);
        memcpy(scene.view, scene.state, scene.content->limits.state_bytes);
        scene.game->hide(scene.content, scene.view, scene.seat);
        uint32_t next = plan.next;
        if (next >= plan.count || ai_team_begin(scene.members, 3, &task) != 1)
            continue;
        together(&scene, &task, 3, ONE_BY_ONE, &nodes);
        assert_int_equal(nodes, 0);
        assert_int_equal(plan.next, next + 1);
    }
    AiPlan plan = {0};
    AiTask task = task_of(&scene, "level8", &plan, 1);
    advance(&scene, 1, 20);
    task.seat = 1 - scene.seat;
    if (scene.game->awaited(scene.content, scene.state) != 3)
        assert_int_equal(ai_team_begin(scene.members, 3, &task), 0);
    scene_close(&scene);
}

int main(void) {
    enum { TESTS = 3, TESTS_MAX = TESTS * SUPPORT_GAMES_MAX };
    static const struct {
        const char *name;
        CMUnitTestFunction run;
    } each[TESTS] = {
        {"the order of members does not matter", the_order_of_members_does_not_matter},
        {"one member is alone", one_member_is_alone},
        {"what is clear is not shared", what_is_clear_is_not_shared},
    };
    static struct CMUnitTest tests[TESTS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        for (uint32_t j = 0; j < TESTS; j++) {
            assert(count < TESTS_MAX);
            tests[count++] = (struct CMUnitTest){
                .name = each[j].name,
                .test_func = each[j].run,
                .initial_state = (void *)mash_games[i],
            };
        }
    return _cmocka_run_group_tests("team", tests, count, NULL, NULL);
}
