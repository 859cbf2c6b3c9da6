/* test_rules.c -- board, sight, characters, turns, moving and attacks, by rule number. */
#include "games/marvelous-mashup/test_scene.h"

/* --- 1. Board --------------------------------------------------------------------------------- */

/* [1.1] A match begins on the ground of its scenario; rocks have 100 health [1.3]. */
static void the_board_is_the_scenario(void **unused) {
    (void)unused;
    MarvelousScene scene = scene_over(support_content(&marvelous_mashup_game, "asgard-portals"), 0);
    assert_int_equal(scene.content->limits.width, 7);
    assert_int_equal(scene.content->limits.height, 6);
    LOOKS(&scene, "OOO....", "...#...", "...#...", "...#...", "..###..", ".#####.");
    scene_close(&scene);
}

/* [1.2] Portals, stones, rocks and heroes make a cell not free: the Space Stone shows which are. */
static void free_cells(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA#1O", "....O", ".....", ".....", ".....");
    scene_hold(&scene, a, STONE_SPACE);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 0, 0), CELL_TAKEN);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 1, 0), CELL_TAKEN);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 2, 0), CELL_TAKEN);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 3, 0), CELL_TAKEN);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 4, 0), CELL_TAKEN);
    ALLOWED(&scene, USE(&scene, STONE_SPACE, 0, 1));
    scene_close(&scene);
}

/* [1.3] Also [7.5]: damage to rocks counts for nobody. */
static void rocks_wear_and_crumble(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("ao#..", "..#..", ".....", ".....", ".....");
    ACT(&scene, MELEE(&scene, 1, 0));
    TOLD(&scene, "attacked a/- 0,0>1,0 6 0", "ground-hurt a/- 0,0>1,0 0 5",
         "ground-changed a/- 0,0>1,0 0 0", "changed a/- 0,0>0,0 2 -1");
    LOOKS(&scene, "a.#..", "..#..");
    ACT(&scene, RANGED(&scene, 2, 0));
    TOLD(&scene, "attacked a/- 0,0>2,0 7 0", "ground-hurt a/- 0,0>2,0 0 30",
         "changed a/- 0,0>0,0 2 -1");
    LOOKS(&scene, "a.o..", "..#..");
    assert_int_equal(
        scene.state->cells[cell_at(marvelous_content(scene.content), 2, 0)] - CELL_ROCKS, 70);
    assert_int_equal(scene.state->damage[0], 0);
    assert_int_equal(marvelous_mashup_game.figure(scene.content, scene.state, a, FIGURE_DAMAGE), 0);
    scene_close(&scene);
}

/* [1.4] Eight neighbours; distance counts king's moves: reach 5 goes as far along a diagonal. */
static void distance_counts_kings_moves(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a......", ".......", ".......", ".......", ".......", ".....A.",
                                 "......B", ".......");
    ALLOWED(&scene, RANGED(&scene, 5, 5));
    scene_close(&scene);
    scene = SCENE("a......", ".......", ".......", ".......", ".......", ".......", "......B",
                  ".......");
    REFUSED(&scene, RANGED(&scene, 6, 6), TOO_FAR);
    scene_close(&scene);
    scene = SCENE(".....", ".....", "..a..", ".....", ".....");
    assert_int_equal(scene_listed(&scene, VERB_MOVE), 8);
    scene_close(&scene);
}

/* --- 2. Sight --------------------------------------------------------------------------------- */

/* [2.1] The line to 2,1 crosses both cells beside it; one that passes corners crosses neither. */
static void lines_cut_cells(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a#...", "..A..", ".....", ".....", ".....");
    REFUSED(&scene, RANGED(&scene, 2, 1), NOT_IN_SIGHT);
    scene_close(&scene);
    scene = SCENE("a....", ".#A..", ".....", ".....", ".....");
    REFUSED(&scene, RANGED(&scene, 2, 1), NOT_IN_SIGHT);
    scene_close(&scene);
    scene = SCENE("a.#..", "..A..", "##...", ".....", ".....");
    ALLOWED(&scene, RANGED(&scene, 2, 1));
    scene_close(&scene);
    scene = SCENE("a#...", "#.#..", ".#A..", ".....", ".....");
    ALLOWED(&scene, RANGED(&scene, 2, 2));
    scene_close(&scene);
}

/* [2.2] The knocked out block too; a stone does not. */
static void what_blocks_sight(void **unused) {
    (void)unused;
    const char *const blockers[] = {"a#A..", "aOA..", "abA..", "aBA..", "aTA.."};
    for (int i = 0; i < 5; i++) {
        MarvelousScene scene = SCENE(blockers[i], ".....", ".....", ".....", "O...O");
        REFUSED(&scene, RANGED(&scene, 2, 0), NOT_IN_SIGHT);
        if (i == 3) {
            scene_health(&scene, B, 0);
            REFUSED(&scene, RANGED(&scene, 2, 0), NOT_IN_SIGHT);
        }
        scene_close(&scene);
    }
    MarvelousScene scene = SCENE("a0A..", ".....", ".....", ".....", ".....");
    ALLOWED(&scene, RANGED(&scene, 2, 0));
    scene_close(&scene);
}

/* [2.3] A rock is seen although it blocks, and so is a neighbour between rocks. */
static void ends_never_block(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a.#..", "#A...", ".....", ".....", ".....");
    scene_hold(&scene, a, STONE_MIND);
    ALLOWED(&scene, RANGED(&scene, 2, 0));
    ALLOWED(&scene, USE(&scene, STONE_MIND, 1, 1));
    scene_close(&scene);
}

/* --- 3. Characters ---------------------------------------------------------------------------- */

/* [3.1] Values are those of the configuration, and every view shows them. */
static void values_are_public(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aE...", ".....", ".....", ".....", ".....");
    scene_hold(&scene, E, STONE_SOUL);
    void *view = support_state(scene.content);
    for (int seat = 0; seat < 3; seat++) {
        memcpy(view, scene.state, scene.content->limits.state_bytes);
        marvelous_mashup_game.hide(scene.content, view, (uint8_t)seat);
        assert_memory_equal(view, scene.state, scene.content->limits.state_bytes);
    }
    support_free(view);
    MashMeter meters[256];
    MashToken tokens[64];
    uint8_t ground[25], order[UNITS];
    uint16_t wear[25];
    MashBoard board = {.ground = ground,
                       .ground_health = wear,
                       .tokens = tokens,
                       .meters = meters,
                       .order = order};
    marvelous_mashup_game.show(scene.content, scene.state, &board);
    const int wanted[][3] = {{METER_HEALTH, 100, 100},
                             {METER_MOVES, 6, 6},
                             {METER_ACTIONS, 1, 1},
                             {METER_MELEE, 10, 0},
                             {METER_RANGED, 10, 0},
                             {METER_REACH, 3, 0},
                             {METER_STONES + STONE_SOUL, 0, 5}};
    uint32_t found = 0;
    for (uint32_t i = 0; i < board.meters_count; i++)
        if (meters[i].unit == E) {
            assert_true(found < 7);
            assert_int_equal(meters[i].meter, wanted[found][0]);
            assert_int_equal(meters[i].now, wanted[found][1]);
            assert_int_equal(meters[i].most, wanted[found][2]);
            found++;
        }
    assert_int_equal(found, 7);
    assert_int_equal(board.active, a);
    assert_int_equal(board.order_count, 1);
    assert_int_equal(board.order[0], E);
    scene_close(&scene);
}

/* [3.2] Also [7.4]: the knocked out cannot be attacked; [6.3]: but one can swap places with
 * them. */
static void knocked_out(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", ".b...", ".....", ".....", ".....");
    scene_health(&scene, A, 10);
    ACT(&scene, MELEE(&scene, 1, 0));
    TOLD(&scene, "attacked a/A 0,0>1,0 6 0", "hurt A/a 0,0>1,0 0 10", "died A/a 0,0>1,0 0 0",
         "changed a/- 0,0>0,0 2 -1");
    LOOKS(&scene, "aA...", ".b...");
    REFUSED(&scene, MELEE(&scene, 1, 0), WRONG_TARGET);
    ALLOWED(&scene, MOVE(&scene, 1, 0));
    ACT(&scene, END(&scene));
    assert_int_equal(scene.state->active, b);
    ACT_BY(&scene, END(&scene), 2, 0);
    assert_int_equal(scene.state->active, b); /* A's turn came in between and was skipped */
    assert_true(scene_was_told(&scene, MASH_EVENT_TURN_ENDED, A));
    scene_close(&scene);
}

/* [3.3] */
static void stones_drop_around(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE(".....", ".aA..", ".....", ".....", ".....");
    scene_hold(&scene, A, STONE_SPACE);
    scene_hold(&scene, A, STONE_POWER);
    scene_health(&scene, A, 7);
    ACT_BY(&scene, MELEE(&scene, 2, 1), 1, 4, 0); /* Power first, to 3,0 of seven; Space to 1,0 */
    LOOKS(&scene, ".0.3.", ".aA..", ".....");
    TOLD(&scene, "attacked a/A 1,1>2,1 6 0", "hurt A/a 0,0>2,1 0 7", "died A/a 0,0>2,1 0 0",
         "item-dropped A/- 0,0>3,0 3 0", "item-dropped A/- 0,0>1,0 0 0",
         "changed a/- 0,0>1,1 2 -1");
    scene_close(&scene);
}

/* [3.4] Whatever is on the cells of the path: here a, then a rock and then a. */
static void stones_that_find_no_place_walk(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("A#...", "#a...", ".....", ".....", ".....");
    scene_hold(&scene, A, STONE_TIME);
    scene_health(&scene, A, 1);
    ACT_BY(&scene, MELEE(&scene, 0, 0), 2, 3); /* over 1,1 to the fourth free cell around it */
    LOOKS(&scene, "A#...", "#a4..", ".....");
    scene_close(&scene);
    scene = SCENE("A##..", "#a#..", "###..", ".....", ".....");
    scene_hold(&scene, A, STONE_TIME);
    scene_health(&scene, A, 1);
    ACT_BY(&scene, MELEE(&scene, 0, 0), 2, 7, 4); /* over 1,1 and 2,2 to 3,3 */
    LOOKS(&scene, "A##..", "#a#..", "###..", "...4.");
    scene_close(&scene);
}

/* [3.4] 25 steps back and forth between 0,0 and 0,1; the only free cell is far away. */
static void walks_are_bounded(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("A####", "#a###", "#####", "#####", "####.");
    scene_hold(&scene, A, STONE_TIME);
    scene_health(&scene, A, 1);
    uint32_t script[25] = {0};
    scene_act(&scene, MELEE(&scene, 0, 0), script, 25, __LINE__);
    LOOKS(&scene, "A####", "#a###", "#####", "#####", "####4");
    scene_close(&scene);
}

/* [3.5] */
static void without_any_free_cell_a_rock_crumbles(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("A####", "#a###", "#####", "#####", "#####");
    scene_hold(&scene, A, STONE_TIME);
    scene_health(&scene, A, 1);
    ACT_BY(&scene, MELEE(&scene, 0, 0), 22);
    LOOKS(&scene, "A####", "#a###", "#####", "#####", "####4");
    TOLD(&scene, "attacked a/A 1,1>0,0 6 0", "hurt A/a 0,0>0,0 0 1", "died A/a 0,0>0,0 0 0",
         "ground-changed -/- 0,0>4,4 0 0", "item-dropped A/- 0,0>4,4 4 0",
         "changed a/- 0,0>1,1 2 -1");
    scene_close(&scene);
}

/* --- 5. Rounds and turns ---------------------------------------------------------------------- */

/* [5.1] Cooldowns fall, Thanos comes, then the order; [5.2] he is in it at a random place. */
static void a_round_begins(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a....", ".....", ".....", ".....", "....A");
    scene_hold(&scene, a, STONE_SOUL);
    scene.state->stones[STONE_SOUL].cooldown = 3;
    scene.state->round = 29;
    ACT(&scene, END(&scene));
    assert_int_equal(scene.state->active, A);
    assert_int_equal(scene.state->stones[STONE_SOUL].cooldown, 3);
    ACT_BY(&scene, END(&scene), 0, 0, 0); /* his cell; last is a, before it Thanos */
    TOLD(&scene, "turn-ended A/b 0,0>0,0 0 0", "appeared T/- 0,0>0,1 0 0",
         "round-began -/- 0,0>0,0 0 30", "order-set A/- 0,0>0,0 0 1", "order-set T/- 0,0>0,0 0 2",
         "order-set a/- 0,0>0,0 0 3", "turn-began A/b 0,0>0,0 0 0");
    assert_int_equal(scene.state->stones[STONE_SOUL].cooldown, 2);
    scene_close(&scene);
}

/* [5.2] Uniform: over many rounds everybody is first about equally often. */
static void orders_are_uniform(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("abc..", ".....", ".....", ".....", "....A");
    int first[HEROES] = {0};
    MarvelousState *state = scene.state;
    state->order_count = 1;
    MashChance chance = chance_sampled(5);
    for (int i = 0; i < 4000; i++) {
        state->order_next = state->order_count;
        state->round = 8;
        scene.events.count = 0;
        mash_apply(scene.content, state, END(&scene), &chance, &scene.events);
        first[state->active]++;
    }
    assert_in_range(first[a], 850, 1150);
    assert_in_range(first[b], 850, 1150);
    assert_in_range(first[c], 850, 1150);
    assert_in_range(first[A], 850, 1150);
    scene_close(&scene);
}

/* [5.3] b is knocked out when the round begins and is revived before its turn comes. */
static void the_revived_still_play(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("ab...", ".....", ".....", ".....", "....A");
    scene_health(&scene, b, 0);
    scene_hold(&scene, a, STONE_SOUL);
    ACT(&scene, USE(&scene, STONE_SOUL, 1, 0));
    ACT(&scene, END(&scene));
    assert_int_equal(scene.state->active, b);
    scene_close(&scene);
    scene = SCENE("ab...", ".....", ".....", ".....", "....A");
    scene_health(&scene, b, 0);
    ACT(&scene, END(&scene));
    TOLD(&scene, "turn-ended a/a 0,0>0,0 0 0", "turn-began b/a 0,0>0,0 0 0",
         "turn-ended b/a 0,0>0,0 0 0", "turn-began A/b 0,0>0,0 0 0");
    assert_int_equal(scene.state->active, A);
    scene_close(&scene);
}

/* [5.4] */
static void points_are_full_at_the_start(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", ".....", ".....", ".....", ".....");
    scene.state->actors[A].moves = 0;
    scene.state->actors[A].actions = 7;
    ACT(&scene, END(&scene));
    assert_int_equal(scene.state->actors[A].moves, 2);
    assert_int_equal(scene.state->actors[A].actions, 2);
    scene_close(&scene);
}

/* [5.5] In any mixture, and with nothing left the turn still waits for its end. */
static void turns_end_by_the_player(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", ".....", ".....", ".....", ".....");
    ACT(&scene, MOVE(&scene, 0, 1));
    ACT(&scene, MELEE(&scene, 1, 0));
    ACT(&scene, MOVE(&scene, 1, 1));
    ACT(&scene, MELEE(&scene, 1, 0));
    assert_int_equal(scene.state->active, a);
    REFUSED(&scene, MOVE(&scene, 0, 0), NO_POINTS);
    REFUSED(&scene, MELEE(&scene, 1, 0), NO_POINTS);
    MashAction list[200];
    assert_int_equal(marvelous_mashup_game.actions(scene.content, scene.state, 0, list), 1);
    assert_int_equal(list[0].verb, VERB_END);
    ACT(&scene, END(&scene));
    assert_int_equal(scene.state->active, A);
    scene_close(&scene);
}

/* [5.6] */
static void the_clock_ends_a_turn(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", ".....", ".....", ".....", ".....");
    REFUSED(&scene, server_action(MASH_VERB_TIME_OVER, 1), NOT_NOW);
    ACT(&scene, server_action(MASH_VERB_TIME_OVER, 0));
    TOLD(&scene, "turn-ended a/a 0,0>0,0 0 0", "turn-began A/b 0,0>0,0 0 0");
    assert_false(marvelous_mashup_game.result(scene.content, scene.state).over);
    scene_close(&scene);
}

/* --- 6. Moving -------------------------------------------------------------------------------- */

/* [6.1] */
static void steps(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a#...", "#....", ".....", ".....", ".....");
    REFUSED(&scene, MOVE(&scene, 0, 2), NOT_A_STEP);
    REFUSED(&scene, MOVE(&scene, 0, 0), NOT_A_STEP);
    REFUSED(&scene, MOVE(&scene, -1, 0), OFF_BOARD);
    REFUSED(&scene, MOVE(&scene, 5, 0), OFF_BOARD);
    ACT(&scene, MOVE(&scene, 1, 1));
    TOLD(&scene, "moved a/- 0,0>1,1 0 0", "changed a/- 0,0>1,1 1 -1");
    LOOKS(&scene, ".#...", "#a...", ".....");
    ACT(&scene, MOVE(&scene, 2, 1));
    REFUSED(&scene, MOVE(&scene, 2, 2), NO_POINTS);
    assert_int_equal(marvelous_mashup_game.figure(scene.content, scene.state, a, FIGURE_STEPS), 2);
    scene_close(&scene);
}

/* [6.2] */
static void what_cannot_be_entered(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a#...", "T....", ".....", ".....", ".....");
    REFUSED(&scene, MOVE(&scene, 1, 0), CELL_BLOCKED);
    REFUSED(&scene, MOVE(&scene, 0, 1), CELL_BLOCKED);
    assert_int_equal(scene_listed(&scene, VERB_MOVE), 1);
    scene_close(&scene);
}

/* [6.3] */
static void changing_places(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("abA..", ".....", ".....", ".....", ".....");
    ACT(&scene, MOVE(&scene, 1, 0));
    TOLD(&scene, "swapped a/b 0,0>1,0 0 0", "changed a/- 0,0>1,0 1 -1");
    LOOKS(&scene, "baA..");
    scene_health(&scene, A, 0);
    ACT(&scene, MOVE(&scene, 2, 0));
    LOOKS(&scene, "bAa..");
    assert_int_equal(scene.state->actors[b].moves, 2);
    assert_int_equal(scene.state->actors[A].moves, 2);
    scene_close(&scene);
}

/* [6.4] */
static void taking_a_stone(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a2...", ".....", ".....", ".....", ".....");
    ACT(&scene, MOVE(&scene, 1, 0));
    TOLD(&scene, "moved a/- 0,0>1,0 0 0", "item-taken a/- 0,0>1,0 2 0", "changed a/- 0,0>1,0 1 -1");
    LOOKS(&scene, ".a...");
    assert_int_equal(scene.state->actors[a].stones, stone_bit(STONE_REALITY));
    scene_close(&scene);
}

/* [6.5] Of the two other portals the second is drawn: number 3, row by row; then a cell. */
static void portals_lead_elsewhere(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aO...", "..#..", "O....", ".....", "....O");
    ACT_BY(&scene, MOVE(&scene, 1, 0), 1, 2);
    TOLD(&scene, "moved a/- 0,0>1,0 0 0", "teleported a/- 1,0>4,3 0 3", "changed a/- 0,0>4,3 1 -1");
    LOOKS(&scene, ".O...", "..#..", "O....", "....a", "....O");
    scene_close(&scene);
    scene = SCENE("aO...", "..#..", "O....", ".....", "....O");
    ACT_BY(&scene, MOVE(&scene, 1, 0), 0, 4); /* never the same one: the first other is number 2 */
    TOLD_FIRST(&scene, "moved a/- 0,0>1,0 0 0", "teleported a/- 1,0>1,3 0 2");
    scene_close(&scene);
}

/* [6.5] The cell just left is free by then: here it is the only one adjacent to the other
 * portal. */
static void portals_lead_back(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("OaO..", "##...", ".....", ".....", ".....");
    ACT(&scene, MOVE(&scene, 2, 0));
    LOOKS(&scene, "OaO..");
    TOLD_FIRST(&scene, "moved a/- 1,0>2,0 0 0", "teleported a/- 2,0>1,0 0 1");
    scene_close(&scene);
}

/* [6.5] with [3.4]: the way out of a portal that is walled in. */
static void walled_portals_lead_further(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("O#...", "##...", ".....", ".....", "...aO");
    ACT_BY(&scene, MOVE(&scene, 4, 4), 2, 0);
    LOOKS(&scene, "O#...", "##...", "a....", ".....", "....O");
    scene_close(&scene);
}

/* --- 7. Actions ------------------------------------------------------------------------------- */

/* [7.1], [7.2] */
static void melee(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", "..B..", ".....", ".....", ".....");
    REFUSED(&scene, MELEE(&scene, 2, 1), TOO_FAR);
    REFUSED(&scene, MELEE(&scene, 0, 1), NO_TARGET);
    REFUSED(&scene, MELEE(&scene, 0, 0), WRONG_TARGET);
    ACT(&scene, MELEE(&scene, 1, 0));
    TOLD(&scene, "attacked a/A 0,0>1,0 6 0", "hurt A/a 0,0>1,0 0 10", "changed a/- 0,0>0,0 2 -1");
    assert_int_equal(scene.state->actors[A].health, 90);
    assert_int_equal(scene.state->actors[a].actions, 1);
    ACT(&scene, MELEE(&scene, 1, 0));
    REFUSED(&scene, MELEE(&scene, 1, 0), NO_POINTS);
    scene_close(&scene);
}

/* [7.3] */
static void ranged(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA......", "B.......", "........", "........", "........",
                                 "C.......", "........", ".......D");
    REFUSED(&scene, RANGED(&scene, 1, 0), TOO_NEAR);
    REFUSED(&scene, RANGED(&scene, 7, 7), TOO_FAR);
    REFUSED(&scene, RANGED(&scene, 0, 5), NOT_IN_SIGHT);
    scene_health(&scene, B, 0);
    ACT(&scene, MOVE(&scene, 1, 1));
    ACT(&scene, RANGED(&scene, 0, 5));
    TOLD(&scene, "attacked a/C 1,1>0,5 7 0", "hurt C/a 0,0>0,5 0 30", "changed a/- 0,0>1,1 2 -1");
    scene_close(&scene);
}

/* [7.4] Thanos cannot be attacked either [11.10]. */
static void targets(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("b.#..", "aT...", "O.0.B", "....A", "O....");
    ACT(&scene, MOVE(&scene, 1, 0));
    REFUSED(&scene, MELEE(&scene, 0, 0), OWN_SIDE);
    REFUSED(&scene, MELEE(&scene, 1, 1), WRONG_TARGET);
    REFUSED(&scene, RANGED(&scene, 2, 2), NO_TARGET);
    REFUSED(&scene, RANGED(&scene, 0, 2), NO_TARGET);
    ALLOWED(&scene, MELEE(&scene, 2, 0));
    ALLOWED(&scene, RANGED(&scene, 4, 3));
    scene_health(&scene, A, 0);
    REFUSED(&scene, RANGED(&scene, 4, 3), WRONG_TARGET);
    scene_close(&scene);
}

/* [7.5] Of 30 damage 20 were health: they count, for the hero and for its side. */
static void damage_is_health_lost(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a.A..", ".....", ".....", ".....", ".....");
    scene_health(&scene, A, 20);
    ACT(&scene, RANGED(&scene, 2, 0));
    TOLD_FIRST(&scene, "attacked a/A 0,0>2,0 7 0", "hurt A/a 0,0>2,0 0 20");
    const MashGame *game = &marvelous_mashup_game;
    assert_int_equal(scene.state->actors[A].health, 0);
    assert_int_equal(game->figure(scene.content, scene.state, a, FIGURE_DAMAGE), 20);
    assert_int_equal(game->figure(scene.content, scene.state, MASH_UNIT_SIDE, FIGURE_DAMAGE), 20);
    assert_int_equal(game->figure(scene.content, scene.state, a, FIGURE_KNOCK_OUTS), 1);
    assert_int_equal(game->figure(scene.content, scene.state, MASH_UNIT_SIDE + 1, FIGURE_DAMAGE),
                     0);
    scene_close(&scene);
}

/* [7.6] */
static void handing_over(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("ab.c.", ".....", ".....", ".....", "....A");
    scene_hold(&scene, a, STONE_MIND);
    scene.state->stones[STONE_MIND].cooldown = 4;
    REFUSED(&scene, GIVE(&scene, STONE_MIND, 3, 0), TOO_FAR);
    REFUSED(&scene, GIVE(&scene, STONE_MIND, 0, 1), NO_TARGET);
    REFUSED(&scene, GIVE(&scene, STONE_MIND, 0, 0), WRONG_TARGET);
    REFUSED(&scene, GIVE(&scene, STONE_SOUL, 1, 0), NO_SUCH_ABILITY);
    REFUSED(&scene, GIVE(&scene, 6, 1, 0), NO_SUCH_ABILITY);
    ACT(&scene, GIVE(&scene, STONE_MIND, 1, 0));
    TOLD(&scene, "item-given a/b 0,0>1,0 1 0", "changed a/- 0,0>0,0 2 -1");
    assert_int_equal(scene.state->actors[a].stones, 0);
    assert_int_equal(scene.state->actors[b].stones, stone_bit(STONE_MIND));
    assert_int_equal(scene.state->stones[STONE_MIND].cooldown, 4);
    scene.state->actors[a].actions = 0;
    scene_hold(&scene, a, STONE_TIME);
    REFUSED(&scene, GIVE(&scene, STONE_TIME, 1, 0), NO_POINTS);
    scene_close(&scene);
}

/* [7.7] */
static void who_may_receive(void **unused) {
    (void)unused;
    for (int rules = 0; rules < 2; rules++) {
        MarvelousScene scene =
            scene_drawn(ROWS("abA..", "BT...", ".....", ".....", "....."), rules);
        scene_hold(&scene, a, STONE_MIND);
        ALLOWED(&scene, GIVE(&scene, STONE_MIND, 1, 0));
        assert_int_equal(scene_check(&scene, GIVE(&scene, STONE_MIND, 0, 1)),
                         rules == RULES_CUSTOMER ? MASH_OK : MASH_WRONG_TARGET);
        REFUSED(&scene, GIVE(&scene, STONE_MIND, 1, 1), NO_TARGET);
        scene_health(&scene, b, 0);
        scene_health(&scene, B, 0);
        REFUSED(&scene, GIVE(&scene, STONE_MIND, 1, 0), WRONG_TARGET);
        REFUSED(&scene, GIVE(&scene, STONE_MIND, 0, 1), WRONG_TARGET);
        scene_close(&scene);
    }
}

/* --- Refusals of everything else -------------------------------------------------------------- */

static void other_refusals(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("abA..", ".....", ".....", ".....", ".....");
    MashAction action = MOVE(&scene, 0, 1);
    action.seat = 1;
    REFUSED(&scene, action, NOT_YOUR_TURN);
    action.seat = 2;
    REFUSED(&scene, action, NOT_A_SEAT);
    action = MOVE(&scene, 0, 1);
    action.unit = b;
    REFUSED(&scene, action, UNIT_BUSY);
    action.unit = c;
    REFUSED(&scene, action, UNIT_OUT);
    action.unit = A;
    REFUSED(&scene, action, NOT_YOUR_UNIT);
    action.unit = UNIT_THANOS;
    REFUSED(&scene, action, NO_SUCH_UNIT);
    action = MOVE(&scene, 0, 1);
    action.other = 1;
    REFUSED(&scene, action, NO_SUCH_ACTION);
    action = MOVE(&scene, 0, 1);
    action.ability = 1;
    REFUSED(&scene, action, NO_SUCH_ACTION);
    action = END(&scene);
    action.x = 1;
    REFUSED(&scene, action, NO_SUCH_ACTION);
    action = MOVE(&scene, 0, 1);
    action.verb = VERB_CHOOSE;
    REFUSED(&scene, action, NOT_NOW);
    action.verb = VERBS;
    REFUSED(&scene, action, NO_SUCH_ACTION);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_board_is_the_scenario),
        cmocka_unit_test(free_cells),
        cmocka_unit_test(rocks_wear_and_crumble),
        cmocka_unit_test(distance_counts_kings_moves),
        cmocka_unit_test(lines_cut_cells),
        cmocka_unit_test(what_blocks_sight),
        cmocka_unit_test(ends_never_block),
        cmocka_unit_test(values_are_public),
        cmocka_unit_test(knocked_out),
        cmocka_unit_test(stones_drop_around),
        cmocka_unit_test(stones_that_find_no_place_walk),
        cmocka_unit_test(walks_are_bounded),
        cmocka_unit_test(without_any_free_cell_a_rock_crumbles),
        cmocka_unit_test(a_round_begins),
        cmocka_unit_test(orders_are_uniform),
        cmocka_unit_test(the_revived_still_play),
        cmocka_unit_test(points_are_full_at_the_start),
        cmocka_unit_test(turns_end_by_the_player),
        cmocka_unit_test(the_clock_ends_a_turn),
        cmocka_unit_test(steps),
        cmocka_unit_test(what_cannot_be_entered),
        cmocka_unit_test(changing_places),
        cmocka_unit_test(taking_a_stone),
        cmocka_unit_test(portals_lead_elsewhere),
        cmocka_unit_test(portals_lead_back),
        cmocka_unit_test(walled_portals_lead_further),
        cmocka_unit_test(melee),
        cmocka_unit_test(ranged),
        cmocka_unit_test(targets),
        cmocka_unit_test(damage_is_health_lost),
        cmocka_unit_test(handing_over),
        cmocka_unit_test(who_may_receive),
        cmocka_unit_test(other_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
