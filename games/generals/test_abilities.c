/* test_abilities.c -- Generals by rule number: second step, strike, web, snap. */
#include "games/generals/test_scene.h"

/* --- Thor ------------------------------------------------------------------------------------- */

static const char thor_before_the_far_row[] = "HN .  .  .   .  .  .  .  . "
                                              ".  .  .  .   .  .  .  .  . "
                                              ".  .  .  .   .  .  .  .  . "
                                              ".  .  .  .   .  .  .  .  . "
                                              ".  .  .  .   .  .  .  .  . "
                                              ".  .  .  .   .  .  .  .  . "
                                              ".  .  H9 H12 .  .  .  V1 . "
                                              ".  .  .  .   V3 .  .  .  VN ";

/* [1.3] [6.1] [6.11] On row 7 he is revealed; the turn is over all the same. */
static void thor_is_shown_when_he_first_reaches_the_far_row(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(thor_before_the_far_row);
    uint8_t thor = scene_at(scene, 3, 6);
    assert_int_equal(scene_meter(scene, scene->state, thor, METER_ABILITY), 0);
    assert_int_equal(scene_step(scene, 3, 6, 3, 7), MASH_OK);
    scene_expect_events(scene, 1, "moved revealed turn-began");
    assert_int_equal(scene_event(scene, MASH_EVENT_REVEALED)->what, 0);
    assert_int_equal(scene->state->mover, 1);
    assert_int_equal(scene_meter(scene, scene->state, thor, METER_ABILITY), 1);
    GeneralsState *view = scene_view(scene, 1);
    scene_expect_of(scene, view,
                    "H? .  .  .   .  .  .  .  . "
                    ".  .  .  .   .  .  .  .  . "
                    ".  .  .  .   .  .  .  .  . "
                    ".  .  .  .   .  .  .  .  . "
                    ".  .  .  .   .  .  .  .  . "
                    ".  .  .  .   .  .  .  .  . "
                    ".  .  H? .   .  .  .  V1 . "
                    ".  .  .  H12 V3 .  .  .  VN ");
    support_free(view);
    scene_free(scene);
}

/* [1.3] [6.1] Others are not revealed there, and Thor not elsewhere. */
static void only_thor_is_shown_there(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(thor_before_the_far_row);
    assert_int_equal(scene_step(scene, 2, 6, 2, 7), MASH_OK);
    scene_expect_events(scene, 1, "moved turn-began");
    assert_int_equal(scene_step(scene, 7, 6, 7, 5), MASH_OK);
    assert_int_equal(scene_step(scene, 3, 6, 4, 6), MASH_OK);
    scene_expect_events(scene, 1, "moved turn-began");
    scene_free(scene);
}

/* Thor has been revealed; it is the Heroes' turn. */
static GeneralsScene *with_thor_awake(void) {
    GeneralsScene *scene = scene_of(thor_before_the_far_row);
    assert_int_equal(scene_step(scene, 3, 6, 3, 7), MASH_OK);
    assert_int_equal(scene_step(scene, 7, 6, 7, 5), MASH_OK);
    return scene;
}

/* [6.2] Both steps may battle, in any direction. */
static void thor_may_step_twice(void **unused) {
    (void)unused;
    GeneralsScene *scene = with_thor_awake();
    uint8_t thor = scene_at(scene, 3, 7);
    assert_int_equal(scene_step(scene, 3, 7, 4, 7), MASH_OK);
    scene_expect_events(scene, 0, "fought died moved phase-began");
    assert_int_equal(generals_game.awaited(scene->content, scene->state), 1);
    assert_int_equal(scene_show(scene, scene->state)->active, thor);
    assert_int_equal(scene_show(scene, scene->state)->phase, PHASE_SECOND_STEP);
    assert_int_equal(scene_count(scene, VERB_MOVE, MASH_UNIT_NONE), 3);
    assert_int_equal(scene_count(scene, VERB_STAY, thor), 1);
    assert_int_equal(scene_step(scene, 2, 6, 2, 5), MASH_UNIT_BUSY);
    assert_int_equal(scene_step(scene, 4, 7, 4, 6), MASH_OK);
    scene_expect_events(scene, 0, "moved turn-began");
    assert_int_equal(scene->state->mover, 1);
    assert_int_equal(scene->state->quiet, 0);
    scene_free(scene);
}

/* [6.2] */
static void thor_may_stay_after_one_step(void **unused) {
    (void)unused;
    GeneralsScene *scene = with_thor_awake();
    assert_int_equal(scene_stay(scene, 3, 7), MASH_NOT_NOW);
    assert_int_equal(scene_step(scene, 3, 7, 3, 6), MASH_OK);
    MashAction odd = {.verb = VERB_STAY, .unit = scene_at(scene, 3, 6), .x = 1};
    assert_int_equal(scene_act(scene, odd), MASH_NO_SUCH_ACTION);
    assert_int_equal(scene_stay(scene, 3, 6), MASH_OK);
    scene_expect_events(scene, 0, "turn-began");
    assert_int_equal(scene->state->mover, 1);
    scene_free(scene);
}

/* [8.6] Back where he was, Thor can now step twice: another position. */
static void positions_differ_by_what_is_shown(void **unused) {
    (void)unused;
    GeneralsScene *scene = with_thor_awake();
    assert_int_equal(scene_step(scene, 3, 7, 3, 6), MASH_OK);
    assert_int_equal(scene_stay(scene, 3, 6), MASH_OK);
    assert_int_equal(scene_step(scene, 7, 5, 7, 6), MASH_OK);
    scene_expect(scene, thor_before_the_far_row);
    assert_int_equal(scene_meter(scene, scene->state, MASH_UNIT_NONE, METER_REPEATED), 1);
    scene_free(scene);
}

/* [6.2] Only Thor: after a step of another piece the turn is over. */
static void nobody_else_steps_twice(void **unused) {
    (void)unused;
    GeneralsScene *scene = with_thor_awake();
    assert_int_equal(scene_step(scene, 2, 6, 2, 7), MASH_OK);
    assert_int_equal(scene->state->mover, 1);
    scene_free(scene);
}

/* [6.2] The turn is over if Thor is defeated at the first step, the match if he captures the
 * Nexus. */
static void the_turn_is_over_when_thor_falls(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .   . "
                                    ".  .  .  .  .  .  .  .   . "
                                    ".  .  .  .  .  .  .  .   . "
                                    ".  .  .  .  .  .  .  .   . "
                                    ".  .  .  .  .  .  .  .   . "
                                    ".  .  .  .  .  .  .  .   . "
                                    ".  .  HA .  .  .  .  H12 VI "
                                    "V1 .  .  .  .  .  .  .   VN ");
    assert_int_equal(scene_step(scene, 7, 6, 7, 7), MASH_OK);
    assert_int_equal(scene_step(scene, 8, 6, 7, 6), MASH_OK);
    GeneralsScene *taking = scene_new(NULL);
    *taking->state = *scene->state;
    assert_int_equal(scene_step(scene, 7, 7, 7, 6), MASH_OK);
    scene_expect_events(scene, 0, "fought died turn-began");
    assert_int_equal(scene->state->mover, 1);
    assert_int_equal(scene_step(taking, 7, 7, 8, 7), MASH_OK);
    scene_expect_end(taking, 0, REASON_NEXUS);
    scene_free(scene);
    scene_free(taking);
}

/* --- Strike ----------------------------------------------------------------------------------- */

static const char panther_in_the_crowd[] = "HN .  .  .  .  .   .  .  . "
                                           ".  .  .  .  .  .   .  .  . "
                                           ".  .  V1 V2 VI .   .  .  . "
                                           ".  .  VA H7 H1 .   .  .  . "
                                           ".  .  V3 .  .  V12 .  .  . "
                                           ".  .  .  .  .  .   .  .  . "
                                           ".  .  .  .  .  .   .  .  . "
                                           ".  .  .  .  .  .   .  V9 VN ";

/* [6.3] [6.11] */
static void a_strike_takes_all_enemies_around(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(panther_in_the_crowd);
    uint8_t panther = scene_at(scene, 3, 3);
    assert_int_equal(scene_count(scene, VERB_STRIKE, MASH_UNIT_NONE), 1);
    assert_int_equal(scene_strike(scene, 4, 3), MASH_NO_SUCH_ABILITY);
    assert_int_equal(scene_strike(scene, 3, 3), MASH_OK);
    scene_expect_events(scene, 1, "revealed used died died died died died turn-began");
    assert_int_equal(scene_event(scene, MASH_EVENT_USED)->what, ABILITY_STRIKE);
    scene_expect(scene, "HN .  .  .  .  .   .  .  . "
                        ".  .  .  .  .  .   .  .  . "
                        ".  .  .  .  .  .   .  .  . "
                        ".  .  .  H7 H1 .   .  .  . "
                        ".  .  .  .  .  V12 .  .  . "
                        ".  .  .  .  .  .   .  .  . "
                        ".  .  .  .  .  .   .  .  . "
                        ".  .  .  .  .  .   .  V9 VN ");
    assert_int_equal(scene->state->mover, 1);
    assert_int_equal(scene_step(scene, 5, 4, 4, 4), MASH_OK);
    assert_int_equal(scene_strike(scene, 3, 3), MASH_ALREADY_USED);
    assert_int_equal(scene_count(scene, VERB_STRIKE, MASH_UNIT_NONE), 0);
    assert_int_equal(generals_game.figure(scene->content, scene->state, panther, FIGURE_STRUCK), 5);
    scene_free(scene);
}

/* [6.3] KillMonger strikes too, each once. */
static void both_sides_have_a_strike(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  HA .  HA .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  V7 .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  V9 VN ");
    assert_int_equal(scene_step(scene, 2, 2, 2, 3), MASH_OK);
    assert_int_equal(scene_strike(scene, 3, 4), MASH_OK);
    scene_expect_events(scene, 0, "revealed used died round-began turn-began");
    assert_int_equal(scene->state->cells[2 * 9 + 4] != 0, true);
    scene_free(scene);
}

/* [6.4] [6.12] */
static void a_strike_needs_an_enemy_and_spares_a_nexus(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  H7 . "
                                    ".  .  .  .  .  .  .  .  . "
                                    "V9 .  .  .  .  .  .  .  VN ");
    assert_int_equal(scene_strike(scene, 7, 5), MASH_NO_TARGET);
    assert_int_equal(scene_count(scene, VERB_STRIKE, MASH_UNIT_NONE), 0);
    assert_int_equal(scene_step(scene, 7, 5, 7, 6), MASH_OK);
    assert_int_equal(scene_step(scene, 0, 7, 1, 7), MASH_OK);
    assert_int_equal(scene_count(scene, VERB_STRIKE, MASH_UNIT_NONE), 1);
    assert_int_equal(scene_strike(scene, 7, 6), MASH_OK);
    scene_expect_events(scene, 0, "revealed used revealed turn-began");
    assert_false(scene->state->common.over);
    GeneralsState *view = scene_view(scene, 0);
    scene_expect_of(scene, view,
                    "HN .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  .  . "
                    ".  .  .  .  .  .  .  H7 . "
                    ".  V? .  .  .  .  .  .  VN ");
    support_free(view);
    assert_int_equal(scene_step(scene, 1, 7, 0, 7), MASH_OK);
    assert_int_equal(scene_strike(scene, 7, 6), MASH_ALREADY_USED);
    scene_free(scene);
}

/* --- Web -------------------------------------------------------------------------------------- */

static const char spider_and_prey[] = "HN .  .  .  .  .  .  .  . "
                                      ".  .  .  .  .  .  .  .  . "
                                      ".  .  .  .  .  .  .  .  . "
                                      ".  .  .  .  .  .  .  .  . "
                                      ".  .  .  H6 H1 .  .  .  . "
                                      ".  .  V7 .  .  .  .  .  . "
                                      ".  .  .  .  .  V3 .  .  . "
                                      ".  .  .  .  .  .  .  V9 VN ";

/* [6.5] [6.6] [6.11] For three of its owner's turns it can do nothing. */
static void a_web_holds_for_three_turns_of_the_owner(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(spider_and_prey);
    uint8_t prey = scene_at(scene, 2, 5), spider = scene_at(scene, 3, 4);
    assert_int_equal(scene_count(scene, VERB_WEB, MASH_UNIT_NONE), 1);
    assert_int_equal(scene_web(scene, 3, 4, 2, 5), MASH_OK);
    scene_expect_events(scene, 1, "revealed used effect-began turn-began");
    assert_int_equal(scene_event(scene, MASH_EVENT_EFFECT_BEGAN)->amount, 3);
    for (int turns = 3; turns > 0; turns--) {
        GeneralsState *view = scene_view(scene, 0);
        assert_int_equal(scene_meter(scene, view, prey, METER_WEB), turns);
        support_free(view);
        assert_int_equal(scene_count(scene, VERB_MOVE, prey), 0);
        assert_int_equal(scene_count(scene, VERB_STRIKE, prey), 0);
        assert_int_equal(scene_step(scene, 2, 5, 2, 6), MASH_ROOTED);
        assert_int_equal(scene_strike(scene, 2, 5), MASH_SILENCED);
        int x = 7 - (3 - turns);
        assert_int_equal(scene_step(scene, x, 7, x - 1, 7), MASH_OK);
        scene_expect_events(scene, 0,
                            turns > 1 ? "moved round-began turn-began"
                                      : "moved effect-ended round-began turn-began");
        assert_int_equal(scene_web(scene, 3, 4, 2, 5), MASH_ALREADY_USED);
        assert_int_equal(scene_step(scene, 4, turns == 2 ? 3 : 4, 4, turns == 2 ? 4 : 3), MASH_OK);
    }
    assert_int_equal(scene_meter(scene, scene->state, prey, METER_WEB), -1);
    assert_int_equal(scene_strike(scene, 2, 5), MASH_OK);
    assert_int_equal(generals_game.figure(scene->content, scene->state, spider, FIGURE_WEBS), 1);
    scene_free(scene);
}

/* [8.6] While the web wears off, the same cells are not the same position. */
static void positions_differ_by_webs(void **unused) {
    (void)unused;
    static const int32_t repeated[] = {1, 1, 2};
    GeneralsScene *scene = scene_of(spider_and_prey);
    assert_int_equal(scene_web(scene, 3, 4, 2, 5), MASH_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(scene_step(scene, 7, 7, 6, 7), MASH_OK);
        assert_int_equal(scene_step(scene, 4, 4, 4, 3), MASH_OK);
        assert_int_equal(scene_step(scene, 6, 7, 7, 7), MASH_OK);
        assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
        assert_int_equal(scene_meter(scene, scene->state, MASH_UNIT_NONE, METER_REPEATED),
                         repeated[i]);
    }
    scene_free(scene);
}

/* [6.5] A held piece defends itself; when it is defeated, its web is removed. */
static void a_held_piece_defends_itself(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  H8 H6 H1 .  .  .  . "
                                    ".  .  V7 .  .  .  .  .  . "
                                    ".  .  H2 .  .  V3 .  .  . "
                                    ".  .  .  .  .  .  .  V9 VN ");
    assert_int_equal(scene_web(scene, 3, 4, 2, 5), MASH_OK);
    assert_int_equal(scene_step(scene, 7, 7, 6, 7), MASH_OK);
    assert_int_equal(scene_step(scene, 2, 6, 2, 5), MASH_OK);
    scene_expect_events(scene, 1, "fought died turn-began");
    assert_int_equal(scene->state->cells[5 * 9 + 2] != 0, true);
    assert_int_equal(scene_step(scene, 6, 7, 7, 7), MASH_OK);
    assert_int_equal(scene_step(scene, 2, 4, 2, 5), MASH_OK);
    assert_int_equal(scene->state->webs, 0);
    assert_int_equal(scene_step(scene, 7, 7, 6, 7), MASH_OK);
    scene_expect_events(scene, 0, "moved round-began turn-began");
    scene_free(scene);
}

/* [6.5] [6.6] Any enemy can be webbed, a Nexus too, and its counter runs like any other. */
static void a_nexus_can_be_webbed(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN V6 .  .  .  .  .  .  . "
                                    "H1 .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    "V1 .  .  .  .  .  .  .  VN ");
    scene->state->mover = 1;
    assert_int_equal(scene_count(scene, VERB_WEB, MASH_UNIT_NONE), 2);
    MashAction far = {.verb = VERB_WEB, .seat = 1, .unit = scene_at(scene, 1, 0), .other = 20};
    assert_int_equal(scene_act(scene, far), MASH_WRONG_TARGET);
    far.other = scene_at(scene, 8, 7);
    assert_int_equal(scene_act(scene, far), MASH_OWN_SIDE);
    far.other = 42;
    assert_int_equal(scene_act(scene, far), MASH_NO_SUCH_UNIT);
    assert_int_equal(scene_web(scene, 0, 7, 0, 0), MASH_NO_SUCH_ABILITY);
    assert_int_equal(scene_web(scene, 1, 0, 0, 0), MASH_OK);
    assert_int_equal(scene_meter(scene, scene->state, scene_at(scene, 0, 0), METER_WEB), 3);
    assert_int_equal(scene_step(scene, 0, 1, 0, 2), MASH_OK);
    assert_int_equal(scene_meter(scene, scene->state, scene_at(scene, 0, 0), METER_WEB), 2);
    scene_free(scene);
}

/* [6.5] */
static void a_web_reaches_one_cell(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(spider_and_prey);
    assert_int_equal(scene_web(scene, 3, 4, 5, 6), MASH_TOO_FAR);
    assert_int_equal(scene_web(scene, 3, 4, 4, 4), MASH_OWN_SIDE);
    scene_free(scene);
}

/* [6.5] [8.4] A side that is held by a web and has nothing else to move has no action. */
static void a_side_all_of_which_is_held_loses(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  H6 .  .  .  .  . "
                                    ".  .  V7 .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  VN ");
    assert_int_equal(scene_web(scene, 3, 4, 2, 5), MASH_OK);
    scene_expect_end(scene, 0, REASON_STUCK);
    scene_free(scene);
}

/* --- Snap ------------------------------------------------------------------------------------- */

static const char thanos_before_the_far_row[] = "HN .  .  .   .  .  .  .  . "
                                                "H1 .  .  V12 .  .  .  .  . "
                                                ".  .  .  .   V4 .  .  .  . "
                                                ".  H2 .  .   .  .  .  .  . "
                                                ".  .  H3 .   V5 .  .  .  . "
                                                ".  .  .  .   .  .  .  .  . "
                                                ".  .  .  .   .  .  .  .  . "
                                                ".  .  .  .   .  .  .  V9 VN ";

/* A match with this variant in which Thanos may enter row 0 in this round. */
static GeneralsScene *before_the_snap(int32_t variant, uint16_t round) {
    const int32_t options[] = {0, variant, 0};
    GeneralsScene *scene = scene_new(options);
    scene_draw(scene, thanos_before_the_far_row);
    scene->state->mover = 1;
    scene->state->round = round;
    return scene;
}

/* [1.3] [6.7] [6.8] [6.11] Three of six are removed, drawn at random among units 1, 2, 3, 22, 23,
 * 24. */
static void the_snap_takes_half_by_lot(void **unused) {
    (void)unused;
    static const uint32_t script[] = {0, 4, 1};
    GeneralsScene *scene = before_the_snap(SNAP_ALL, 3);
    scene->chance = chance_scripted(script, 3);
    assert_int_equal(scene_step(scene, 3, 1, 3, 0), MASH_OK);
    scene_expect_events(scene, 0, "moved revealed used died died died round-began turn-began");
    scene_expect(scene, "HN .  .  V12 .  .  .  .  . "
                        ".  .  .  .   .  .  .  .  . "
                        ".  .  .  .   .  .  .  .  . "
                        ".  H2 .  .   .  .  .  .  . "
                        ".  .  H3 .   V5 .  .  .  . "
                        ".  .  .  .   .  .  .  .  . "
                        ".  .  .  .   .  .  .  .  . "
                        ".  .  .  .   .  .  .  .  VN ");
    uint8_t thanos = scene_at(scene, 3, 0);
    assert_int_equal(generals_game.figure(scene->content, scene->state, thanos, FIGURE_SNAPPED), 3);
    assert_int_equal(scene->state->quiet, 0);
    scene_free(scene);
}

/* [6.7] Once per match: the second time nothing happens. */
static void the_snap_comes_once(void **unused) {
    (void)unused;
    static const uint32_t script[] = {0, 3, 3};
    GeneralsScene *scene = before_the_snap(SNAP_ALL, 1);
    scene->chance = chance_scripted(script, 3);
    assert_int_equal(scene_step(scene, 3, 1, 3, 0), MASH_OK);
    assert_int_equal(scene->state->pieces[1].cell, CELL_GONE);
    scene->state->mover = 1;
    assert_int_equal(scene_step(scene, 3, 0, 3, 1), MASH_OK);
    scene->state->mover = 1;
    scene->state->round = 5;
    assert_int_equal(scene_step(scene, 3, 1, 3, 0), MASH_OK);
    scene_expect_events(scene, 0, "moved round-began turn-began");
    scene_free(scene);
}

/* [6.7] In an even round nothing happens, nor sideways along the row; he may come back. */
static void the_snap_needs_an_odd_round_and_a_step_onto_the_row(void **unused) {
    (void)unused;
    static const uint32_t script[] = {0, 3, 3};
    GeneralsScene *scene = before_the_snap(SNAP_ALL, 2);
    assert_int_equal(scene_step(scene, 3, 1, 3, 0), MASH_OK);
    scene_expect_events(scene, 0, "moved round-began turn-began");
    assert_int_equal(scene_step(scene, 0, 1, 0, 2), MASH_OK);
    assert_int_equal(scene_step(scene, 3, 0, 4, 0), MASH_OK);
    scene_expect_events(scene, 0, "moved round-began turn-began");
    scene->state->mover = 1;
    assert_int_equal(scene_step(scene, 4, 0, 4, 1), MASH_OK);
    scene->state->mover = 1;
    scene->state->round = 7;
    scene->chance = chance_scripted(script, 3);
    assert_int_equal(scene_step(scene, 4, 1, 4, 0), MASH_OK);
    assert_int_equal(scene_event(scene, MASH_EVENT_USED)->what, ABILITY_SNAP);
    scene_free(scene);
}

/* [6.7] Thanos must survive his step; another villain there does nothing. */
static void the_snap_needs_thanos_alive(void **unused) {
    (void)unused;
    GeneralsScene *scene = before_the_snap(SNAP_ALL, 1);
    scene_put(scene->state, 4, KIND_INFILTRATOR, 3);
    assert_int_equal(scene_step(scene, 3, 1, 3, 0), MASH_OK);
    scene_expect_events(scene, 0, "fought died round-began turn-began");
    scene->state->mover = 1;
    scene->state->round = 3;
    assert_int_equal(scene_step(scene, 4, 2, 4, 1), MASH_OK);
    scene->state->mover = 1;
    scene->state->round = 3;
    assert_int_equal(scene_step(scene, 4, 1, 4, 0), MASH_OK);
    scene_expect_events(scene, 0, "moved round-began turn-began");
    scene_free(scene);
}

/* [6.9] Three heroes count, one is removed. */
static void the_snap_may_take_enemies_only(void **unused) {
    (void)unused;
    static const uint32_t script[] = {2};
    GeneralsScene *scene = before_the_snap(SNAP_ENEMIES, 1);
    scene->chance = chance_scripted(script, 1);
    assert_int_equal(scene_step(scene, 3, 1, 3, 0), MASH_OK);
    scene_expect(scene, "HN .  .  V12 .  .  .  .  . "
                        "H1 .  .  .   .  .  .  .  . "
                        ".  .  .  .   V4 .  .  .  . "
                        ".  H2 .  .   .  .  .  .  . "
                        ".  .  .  .   V5 .  .  .  . "
                        ".  .  .  .   .  .  .  .  . "
                        ".  .  .  .   .  .  .  .  . "
                        ".  .  .  .   .  .  .  V9 VN ");
    scene_free(scene);
}

/* [6.10] [6.12] Rows 0 to 3 without randomness; the Nexus that is left there is revealed. */
static void the_snap_may_take_half_the_board(void **unused) {
    (void)unused;
    GeneralsScene *scene = before_the_snap(SNAP_HALF, 1);
    assert_int_equal(scene_step(scene, 3, 1, 3, 0), MASH_OK);
    scene_expect_events(scene, 1,
                        "moved revealed used died died died revealed "
                        "round-began turn-began");
    GeneralsState *view = scene_view(scene, 1);
    scene_expect_of(scene, view,
                    "HN .  .  V12 .  .  .  .  . "
                    ".  .  .  .   .  .  .  .  . "
                    ".  .  .  .   .  .  .  .  . "
                    ".  .  .  .   .  .  .  .  . "
                    ".  .  H? .   V5 .  .  .  . "
                    ".  .  .  .   .  .  .  .  . "
                    ".  .  .  .   .  .  .  .  . "
                    ".  .  .  .   .  .  .  V9 VN ");
    support_free(view);
    scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thor_is_shown_when_he_first_reaches_the_far_row),
        cmocka_unit_test(only_thor_is_shown_there),
        cmocka_unit_test(thor_may_step_twice),
        cmocka_unit_test(thor_may_stay_after_one_step),
        cmocka_unit_test(nobody_else_steps_twice),
        cmocka_unit_test(positions_differ_by_what_is_shown),
        cmocka_unit_test(the_turn_is_over_when_thor_falls),
        cmocka_unit_test(a_strike_takes_all_enemies_around),
        cmocka_unit_test(both_sides_have_a_strike),
        cmocka_unit_test(a_strike_needs_an_enemy_and_spares_a_nexus),
        cmocka_unit_test(a_web_holds_for_three_turns_of_the_owner),
        cmocka_unit_test(a_held_piece_defends_itself),
        cmocka_unit_test(positions_differ_by_webs),
        cmocka_unit_test(a_nexus_can_be_webbed),
        cmocka_unit_test(a_web_reaches_one_cell),
        cmocka_unit_test(a_side_all_of_which_is_held_loses),
        cmocka_unit_test(the_snap_takes_half_by_lot),
        cmocka_unit_test(the_snap_comes_once),
        cmocka_unit_test(the_snap_needs_an_odd_round_and_a_step_onto_the_row),
        cmocka_unit_test(the_snap_needs_thanos_alive),
        cmocka_unit_test(the_snap_may_take_enemies_only),
        cmocka_unit_test(the_snap_may_take_half_the_board),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
