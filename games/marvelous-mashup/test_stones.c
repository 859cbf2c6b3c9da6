/* test_stones.c -- the six Infinity Stones, by rule number. */
#include "games/marvelous-mashup/test_scene.h"

/* [8.1] In one's own hand, with cooldown 0 and an action point. */
static void using_a_stone(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("ab...", ".....", ".....", ".....", "....A");
    scene_hold(&scene, b, STONE_SPACE);
    scene_hold(&scene, a, STONE_TIME);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 3, 3), NO_SUCH_ABILITY);
    REFUSED(&scene, USE(&scene, 200, 3, 3), NO_SUCH_ABILITY);
    scene.state->stones[STONE_TIME].cooldown = 1;
    REFUSED(&scene, USE(&scene, STONE_TIME, 0, 0), COOLING_DOWN);
    assert_int_equal(scene_listed(&scene, VERB_USE), 0);
    scene.state->stones[STONE_TIME].cooldown = 0;
    ALLOWED(&scene, USE(&scene, STONE_TIME, 0, 0));
    scene.state->actors[a].actions = 0;
    REFUSED(&scene, USE(&scene, STONE_TIME, 0, 0), NO_POINTS);
    scene_close(&scene);
}

/* [8.2] */
static void space(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a##..", "##..1", ".....", ".....", "....A");
    scene_hold(&scene, a, STONE_SPACE);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 1, 0), CELL_TAKEN);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 4, 1), CELL_TAKEN);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 4, 5), OFF_BOARD);
    assert_int_equal(scene_listed(&scene, VERB_USE), 25 - 4 - 3);
    ACT(&scene, USE(&scene, STONE_SPACE, 4, 3));
    TOLD(&scene, "used a/- 0,0>4,3 0 0", "teleported a/- 0,0>4,3 0 0", "changed a/- 0,0>4,3 2 -1");
    LOOKS(&scene, ".##..", "##..1", ".....", "....a", "....A");
    assert_int_equal(scene.state->actors[a].moves, 2);
    assert_int_equal(scene.state->stones[STONE_SPACE].cooldown, 2);
    scene_close(&scene);
}

/* [8.3] At any distance; B behind A on the line is not hit. */
static void mind(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a......AB", ".........", "..C......", "...#.....", "....D....");
    scene_hold(&scene, a, STONE_MIND);
    REFUSED(&scene, USE(&scene, STONE_MIND, 8, 0), NOT_IN_SIGHT);
    REFUSED(&scene, USE(&scene, STONE_MIND, 4, 4), NOT_IN_SIGHT);
    REFUSED(&scene, USE(&scene, STONE_MIND, 1, 1), NO_TARGET);
    ACT(&scene, USE(&scene, STONE_MIND, 7, 0));
    TOLD(&scene, "used a/A 0,0>7,0 1 0", "hurt A/a 0,0>7,0 0 12", "changed a/- 0,0>0,0 2 -1");
    assert_int_equal(scene.state->actors[B].health, 100);
    assert_int_equal(scene.state->damage[0], 12);
    scene_close(&scene);
}

/* [8.3] A neighbour, one's own side, a rock, the knocked out. */
static void mind_has_the_usual_targets(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", "b.#..", "C....", ".....", ".....");
    scene_hold(&scene, a, STONE_MIND);
    ALLOWED(&scene, USE(&scene, STONE_MIND, 1, 0));
    REFUSED(&scene, USE(&scene, STONE_MIND, 0, 1), OWN_SIDE);
    REFUSED(&scene, USE(&scene, STONE_MIND, 0, 2), NOT_IN_SIGHT);
    scene_health(&scene, A, 0);
    REFUSED(&scene, USE(&scene, STONE_MIND, 1, 0), WRONG_TARGET);
    scene_close(&scene);
    scene = SCENE("a....", "..#..", ".....", ".....", "....A");
    scene_hold(&scene, a, STONE_MIND);
    ACT(&scene, USE(&scene, STONE_MIND, 2, 1));
    TOLD(&scene, "used a/- 0,0>2,1 1 0", "ground-hurt a/- 0,0>2,1 0 12",
         "changed a/- 0,0>0,0 2 -1");
    scene_close(&scene);
}

/* [8.4] */
static void reality(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aoA..", ".1O..", "O....", ".....", ".....");
    scene_hold(&scene, a, STONE_REALITY);
    REFUSED(&scene, USE(&scene, STONE_REALITY, 1, 1), WRONG_TARGET);
    REFUSED(&scene, USE(&scene, STONE_REALITY, 0, 0), WRONG_TARGET);
    REFUSED(&scene, USE(&scene, STONE_REALITY, 4, 4), TOO_FAR);
    ACT(&scene, USE(&scene, STONE_REALITY, 1, 0));
    TOLD(&scene, "used a/- 0,0>1,0 2 0", "ground-changed a/- 0,0>1,0 0 0",
         "changed a/- 0,0>0,0 2 -1");
    LOOKS(&scene, "a.A..", ".1O..");
    scene.state->stones[STONE_REALITY].cooldown = 0;
    ACT(&scene, USE(&scene, STONE_REALITY, 0, 1));
    TOLD(&scene, "used a/- 0,0>0,1 2 0", "ground-changed a/- 0,0>0,1 1 0",
         "changed a/- 0,0>0,0 2 -1");
    LOOKS(&scene, "a.A..", "#1O..");
    scene_close(&scene);
    scene = SCENE("aA...", "OT...", "O....", ".....", ".....");
    scene_hold(&scene, a, STONE_REALITY);
    REFUSED(&scene, USE(&scene, STONE_REALITY, 1, 0), WRONG_TARGET);
    REFUSED(&scene, USE(&scene, STONE_REALITY, 0, 1), WRONG_TARGET);
    REFUSED(&scene, USE(&scene, STONE_REALITY, 1, 1), WRONG_TARGET);
    scene_close(&scene);
}

/* [8.5] The hero's own loss comes after the hit and counts for nobody. */
static void power(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", "b.B..", "#....", ".....", ".....");
    scene_hold(&scene, a, STONE_POWER);
    REFUSED(&scene, USE(&scene, STONE_POWER, 0, 1), OWN_SIDE);
    REFUSED(&scene, USE(&scene, STONE_POWER, 2, 1), TOO_FAR);
    REFUSED(&scene, USE(&scene, STONE_POWER, 1, 1), NO_TARGET);
    ACT(&scene, USE(&scene, STONE_POWER, 1, 0));
    TOLD(&scene, "used a/A 0,0>1,0 3 0", "hurt A/a 0,0>1,0 0 20", "hurt a/a 0,0>0,0 0 10",
         "changed a/- 0,0>0,0 2 -1");
    assert_int_equal(scene.state->actors[a].health, 90);
    assert_int_equal(scene.state->damage[0], 20);
    assert_int_equal(scene.state->damage[1], 0);
    scene_close(&scene);
}

/* [8.5] Not the last point, and with one point left nothing. Rocks can be hit, too. */
static void power_never_costs_the_last_point(void **unused) {
    (void)unused;
    for (uint16_t health = 1; health <= 11; health++) {
        MarvelousScene scene = SCENE("a#...", ".....", ".....", ".....", "....A");
        scene_hold(&scene, a, STONE_POWER);
        scene_health(&scene, a, health);
        ACT(&scene, USE(&scene, STONE_POWER, 1, 0));
        assert_int_equal(scene.state->actors[a].health, 1);
        LOOKS(&scene, "ao...");
        assert_int_equal(scene_was_told(&scene, MASH_EVENT_HURT, a), health > 1);
        scene_close(&scene);
    }
}

/* [8.6] With its last action point: then two of each again, as in the customer's example. */
static void time_stone(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a....", ".....", ".....", ".....", "....A");
    scene_hold(&scene, a, STONE_TIME);
    scene.state->actors[a].moves = 0;
    scene.state->actors[a].actions = 1;
    REFUSED(&scene, USE(&scene, STONE_TIME, 1, 0), WRONG_TARGET);
    assert_int_equal(scene_listed(&scene, VERB_USE), 1);
    ACT(&scene, USE(&scene, STONE_TIME, 0, 0));
    TOLD(&scene, "used a/a 0,0>0,0 4 0", "changed a/- 0,0>0,0 1 2", "changed a/- 0,0>0,0 2 2",
         "changed a/- 0,0>0,0 2 -1");
    assert_int_equal(scene.state->actors[a].moves, 2);
    assert_int_equal(scene.state->actors[a].actions, 2);
    REFUSED(&scene, USE(&scene, STONE_TIME, 0, 0), COOLING_DOWN);
    scene_close(&scene);
}

/* [8.7] Of either side. */
static void soul(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", "b.#.B", ".....", ".....", ".....");
    scene_hold(&scene, a, STONE_SOUL);
    REFUSED(&scene, USE(&scene, STONE_SOUL, 1, 0), WRONG_TARGET);
    scene_health(&scene, A, 0);
    scene_health(&scene, b, 0);
    scene_health(&scene, B, 0);
    REFUSED(&scene, USE(&scene, STONE_SOUL, 4, 1), TOO_FAR);
    REFUSED(&scene, USE(&scene, STONE_SOUL, 1, 1), NO_TARGET);
    ACT(&scene, USE(&scene, STONE_SOUL, 1, 0));
    TOLD(&scene, "used a/A 0,0>1,0 5 0", "revived A/a 0,0>1,0 0 100", "changed a/- 0,0>0,0 2 -1");
    scene.state->stones[STONE_SOUL].cooldown = 0;
    ACT(&scene, USE(&scene, STONE_SOUL, 0, 1));
    assert_int_equal(scene.state->actors[A].health, 100);
    assert_int_equal(scene.state->actors[b].health, 100);
    scene_close(&scene);
}

/* [8.8] Space, cooldown 2, used in round 8: not in 9, again in 10; wherever the stone is. */
static void cooldowns(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("ab...", ".....", ".....", ".....", ".....");
    scene_hold(&scene, a, STONE_SPACE);
    ACT(&scene, USE(&scene, STONE_SPACE, 0, 1));
    ACT(&scene, GIVE(&scene, STONE_SPACE, 1, 0));
    ACT(&scene, END(&scene));
    assert_int_equal(scene.state->active, b);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 0, 0), COOLING_DOWN);
    ACT_BY(&scene, END(&scene), 0);
    assert_int_equal(scene.state->round, 9);
    assert_int_equal(scene.state->active, b);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 0, 0), COOLING_DOWN);
    ACT(&scene, END(&scene));
    ACT_BY(&scene, END(&scene), 0);
    assert_int_equal(scene.state->round, 10);
    assert_int_equal(scene.state->active, b);
    ALLOWED(&scene, USE(&scene, STONE_SPACE, 0, 0));
    assert_int_equal(marvelous_mashup_game.figure(scene.content, scene.state, a, FIGURE_USED), 1);
    scene_close(&scene);
}

/* [8.8] A dropped stone and one that Thanos takes keep their cooldowns. */
static void cooldowns_stay_with_the_stone(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", "...T.", ".....", ".....", ".....");
    scene_hold(&scene, A, STONE_SOUL);
    scene.state->stones[STONE_SOUL].cooldown = 5;
    scene_health(&scene, A, 1);
    ACT_BY(&scene, MELEE(&scene, 1, 0), 3); /* dropped at 2,1 */
    LOOKS(&scene, "aA...", "..5T.");
    assert_int_equal(scene.state->stones[STONE_SOUL].cooldown, 5);
    ACT_BY(&scene, END(&scene), 0, 0);
    assert_int_equal(scene.state->stones[STONE_SOUL].holder, UNIT_THANOS);
    assert_int_equal(scene.state->stones[STONE_SOUL].cooldown, 4);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(using_a_stone),
        cmocka_unit_test(space),
        cmocka_unit_test(mind),
        cmocka_unit_test(mind_has_the_usual_targets),
        cmocka_unit_test(reality),
        cmocka_unit_test(power),
        cmocka_unit_test(power_never_costs_the_last_point),
        cmocka_unit_test(time_stone),
        cmocka_unit_test(soul),
        cmocka_unit_test(cooldowns),
        cmocka_unit_test(cooldowns_stay_with_the_stone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
