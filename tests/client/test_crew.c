/* test_crew.c -- thinking with several threads: the answer of the same team in one thread, a legal
 * one when it is stopped, and nothing left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "client/crew.h"
#include "tests/support/support.h"

enum { THREADS = 4, NODES = 20000, PLIES = 8 };

/* The first position of a game that both know, and what the seat to move sees. */
typedef struct CrewScene {
    MashContent *content;
    void *state, *view;
    uint8_t seat;
} CrewScene;

static void look(CrewScene *scene) {
    const MashContent *content = scene->content;
    scene->seat = content->game->awaited(content, scene->state) == 2;
    memcpy(scene->view, scene->state, content->limits.state_bytes);
    content->game->hide(content, scene->view, scene->seat);
}

static CrewScene scene_open(const char *game) {
    CrewScene scene = {.content = support_content(mash_game_find(game), NULL)};
    MashChance chance = chance_seeded((MashSeed){{3, 4}}, 0);
    scene.state = support_state(scene.content);
    scene.view = support_state(scene.content);
    assert_int_equal(scene.content->game->setup(scene.content, NULL, &chance, scene.state),
                     MASH_OK);
    look(&scene);
    return scene;
}

static void scene_close(CrewScene *scene) {
    support_free(scene->view);
    support_free(scene->state);
    support_free(scene->content);
}

static AiTask task_of(const CrewScene *scene, AiPlan *plan, uint64_t seed) {
    return (AiTask){.skill = ai_level(8),
                    .view = scene->view,
                    .plan = plan,
                    .seat = scene->seat,
                    .nodes = NODES,
                    .seed = seed};
}

/* The answer of as many members, one after the other in this thread. */
static MashAction in_one_thread(Ai *const members[], const AiTask *task, uint64_t *nodes) {
    uint32_t busy = ai_team_begin(members, THREADS, task);
    do
        for (uint32_t i = 0; i < busy; i++)
            while (!ai_step(members[i], UINT32_MAX))
                ;
    while (!ai_team_meet(members, busy));
    *nodes = 0;
    for (uint32_t i = 0; i < busy; i++)
        *nodes += ai_nodes(members[i]);
    return ai_answer(members[0]);
}

static void threads_answer_as_one_would(void **unused) {
    (void)unused;
    static const char *const games[] = {"zorde", "marvelous-mashup", "generals", "tablut"};
    for (uint32_t game = 0; game < sizeof games / sizeof *games; game++) {
        CrewScene scene = scene_open(games[game]);
        Crew *crew = crew_open(scene.content, THREADS);
        Ai *members[THREADS];
        AiPlan plans[2] = {{0}};
        assert_true(crew_is_for(crew, scene.content));
        for (uint32_t i = 0; i < THREADS; i++)
            members[i] = ai_init(scene.content, support_memory(ai_bytes(scene.content)));
        for (uint32_t ply = 1; ply <= PLIES; ply++) {
            uint64_t nodes;
            AiTask task = task_of(&scene, &plans[0], ply);
            assert_true(crew_begin(crew, &task));
            while (!crew_step(crew, 700))
                ;
            MashAction answer = crew_answer(crew);
            task.plan = &plans[1];
            assert_int_equal(mash_action_compare(answer, in_one_thread(members, &task, &nodes)), 0);
            assert_int_equal(crew_nodes(crew), nodes);
            assert_memory_equal(&plans[0], &plans[1], sizeof *plans);
            MashChance chance = chance_seeded((MashSeed){{3, 4}}, ply);
            uint8_t seat = scene.seat;
            assert_int_equal(mash_apply(scene.content, scene.state, answer, &chance, NULL),
                             MASH_OK);
            look(&scene);
            if (scene.seat != seat)
                memset(plans, 0, sizeof plans);
        }
        for (uint32_t i = 0; i < THREADS; i++)
            support_free(members[i]);
        crew_close(crew);
        scene_close(&scene);
    }
}

/* Stopped after any step, and closed or asked something else while its threads search. */
static void it_may_be_stopped_at_any_time(void **unused) {
    (void)unused;
    CrewScene scene = scene_open("marvelous-mashup");
    Crew *crew = crew_open(scene.content, THREADS);
    for (uint32_t steps = 0; steps < 6; steps++) {
        AiPlan plan = {0};
        AiTask task = task_of(&scene, &plan, steps);
        assert_true(crew_begin(crew, &task));
        for (uint32_t i = 0; i < steps; i++)
            crew_step(crew, 100 * steps);
        if (steps % 3 == 2)
            continue;
        if (steps % 3 == 1)
            crew_stop(crew);
        MashAction answer = crew_answer(crew);
        assert_int_equal(scene.content->game->check(scene.content, scene.view, answer), MASH_OK);
    }
    crew_close(crew);
    crew_close(NULL);
    assert_false(crew_is_for(NULL, scene.content));
    scene_close(&scene);
}

static void nothing_to_choose_is_said(void **unused) {
    (void)unused;
    CrewScene scene = scene_open("zorde");
    Crew *crew = crew_open(scene.content, 2);
    AiPlan plan = {0};
    AiTask task = task_of(&scene, &plan, 1);
    task.seat = 1 - scene.seat;
    assert_false(crew_begin(crew, &task));
    crew_close(crew);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_answer_as_one_would),
        cmocka_unit_test(it_may_be_stopped_at_any_time),
        cmocka_unit_test(nothing_to_choose_is_said),
    };
    return cmocka_run_group_tests_name("crew", tests, NULL, NULL);
}
