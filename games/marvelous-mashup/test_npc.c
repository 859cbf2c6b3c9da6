/* test_npc.c -- Goose, Stan Lee and Thanos, by rule number. */
#include "games/marvelous-mashup/test_scene.h"

/* a and A are alone and A has the last turn of a round: ending it begins the next one. */
static void last_turn_of_round(MarvelousScene *scene, uint16_t round) {
    scene->state->round = round;
    scene->state->active = A;
    scene->state->order_next = scene->state->order_count;
}

/* --- 9. Goose --------------------------------------------------------------------------------- */

/* [9.1], [9.2] The order is drawn first, then her cell (of 23 the third), then the stone. */
static void goose_brings_a_stone(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a....", ".....", ".....", ".....", "....A");
    last_turn_of_round(&scene, 0);
    scene_hold(&scene, a, STONE_SPACE);
    scene_hold(&scene, a, STONE_SOUL);
    ACT_BY(&scene, END(&scene), 1, 2, 1);
    TOLD(&scene, "turn-ended A/b 0,0>0,0 0 0", "round-began -/- 0,0>0,0 0 1",
         "order-set G/- 0,0>0,0 0 1", "order-set a/- 0,0>0,0 0 2", "order-set A/- 0,0>0,0 0 3",
         "turn-began G/- 0,0>0,0 0 0", "appeared G/- 0,0>0,3 0 0", "vanished G/- 0,0>0,3 0 0",
         "item-appeared -/- 0,0>0,3 2 0", "turn-ended G/- 0,0>0,0 0 0",
         "turn-began a/a 0,0>0,0 0 0");
    LOOKS(&scene, "a....", ".....", ".....", "2....", "....A");
    scene_close(&scene);
}

/* [9.1] In rounds 1 to 6 and in no other: then all six are on the board. */
static void goose_comes_six_times(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a....", ".....", ".....", ".....", "....A");
    MashChance chance = chance_sampled(3);
    last_turn_of_round(&scene, 0);
    int told[10] = {0};
    while (scene.state->round < 9) {
        scene.events.count = 0;
        assert_int_equal(
            mash_apply(scene.content, scene.state, END(&scene), &chance, &scene.events), MASH_OK);
        told[scene.state->round] += scene_was_told(&scene, MASH_EVENT_APPEARED, UNIT_GOOSE);
        scene_sound(&scene);
    }
    for (int round = 1; round < 10; round++)
        assert_int_equal(told[round], round <= 6);
    for (int stone = 0; stone < STONES; stone++)
        assert_int_equal(scene.state->stones[stone].holder, HELD_BY_GROUND);
    scene_close(&scene);
}

/* [3.5] holds for her, too. */
static void goose_finds_no_free_cell(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a####", "#####", "#####", "#####", "####A");
    last_turn_of_round(&scene, 0);
    ACT_BY(&scene, END(&scene), 1, 0, 4);
    LOOKS(&scene, "a####", "4####", "#####", "#####", "####A");
    assert_true(scene_was_told(&scene, MASH_EVENT_GROUND_CHANGED, MASH_UNIT_NONE));
    scene_close(&scene);
}

/* --- 10. Stan Lee ----------------------------------------------------------------------------- */

/* [10.1] spec: after the last turn of round 7, before round 8. [10.3] All he sees, of either side;
 * b behind the rock is not healed. */
static void stan_comes_last(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aA...", ".....", "...#b", ".....", "....B");
    last_turn_of_round(&scene, 6);
    scene_health(&scene, a, 30);
    scene_health(&scene, A, 0);
    scene_health(&scene, b, 60);
    ACT_BY(&scene, END(&scene), 3, 1, 0); /* order a A b B: stays B, then b A swap, then A a */
    const MarvelousState *state = scene.state;
    assert_int_equal(state->round, 7);
    assert_int_equal(state->order_count, 5);
    assert_int_equal(state->order[4], UNIT_STAN);
    assert_false(scene_was_told(&scene, MASH_EVENT_APPEARED, UNIT_STAN));
    while (state->active != B)
        ACT(&scene, END(&scene));
    ACT_BY(&scene, END(&scene), 1, 3, 2, 1); /* 1,1 of A's four free neighbours; the next order */
    TOLD_FIRST(&scene, "turn-ended B/b 0,0>0,0 0 0", "turn-began S/- 0,0>0,0 0 0",
               "appeared S/- 0,0>1,1 0 0", "healed a/S 0,0>0,0 0 70", "revived A/S 0,0>1,0 0 100",
               "spoke S/- 0,0>1,1 0 0", "vanished S/- 0,0>1,1 0 0", "turn-ended S/- 0,0>0,0 0 0",
               "round-began -/- 0,0>0,0 0 8");
    assert_int_equal(state->actors[b].health, 60);
    LOOKS(&scene, "aA...", ".....", "...#b", ".....", "....B");
    scene_close(&scene);
}

/* [10.1] customer: before the first turn of round 7. */
static void stan_comes_first(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE_CUSTOMER("a....", ".....", ".....", ".....", "....A");
    last_turn_of_round(&scene, 6);
    scene_health(&scene, A, 99);
    ACT_BY(&scene, END(&scene), 1, 2);
    TOLD(&scene, "turn-ended A/b 0,0>0,0 0 0", "round-began -/- 0,0>0,0 0 7",
         "order-set S/- 0,0>0,0 0 1", "order-set a/- 0,0>0,0 0 2", "order-set A/- 0,0>0,0 0 3",
         "turn-began S/- 0,0>0,0 0 0", "appeared S/- 0,0>4,3 0 0", "healed A/S 0,0>4,4 0 1",
         "spoke S/- 0,0>4,3 0 0", "vanished S/- 0,0>4,3 0 0", "turn-ended S/- 0,0>0,0 0 0",
         "turn-began a/a 0,0>0,0 0 0");
    scene_close(&scene);
}

/* [10.2] The weakest; of equally weak ones a random one; the dusted do not count. */
static void stan_goes_to_the_weakest(void **unused) {
    (void)unused;
    for (int rules = 0; rules < 2; rules++) {
        MarvelousScene scene =
            scene_drawn(ROWS("a...b", ".....", ".....", ".....", "A...B"), rules);
        TurnContext play = scene_play(&scene);
        scene_health(&scene, a, 50);
        scene_health(&scene, b, 20);
        scene_health(&scene, B, 20);
        scene_health(&scene, c, 0);
        uint32_t script[] = {1, 0};
        MashChance chance = chance_scripted(script, 2);
        play.chance = &chance;
        play.events = &scene.events;
        marvelous_stan(&play);
        TOLD_FIRST(&scene, "appeared S/- 0,0>3,3 0 0");
        assert_true(chance_used_up(&chance));
        assert_int_equal(scene.state->actors[c].health, 0);
        scene_close(&scene);
    }
}

/* [10.2] with [3.4]: no free cell adjacent to the weakest. */
static void stan_walks(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a#...", "##...", ".....", ".....", "....A");
    TurnContext play = scene_play(&scene);
    scene_health(&scene, a, 50);
    uint32_t script[] = {2, 4};
    MashChance chance = chance_scripted(script, 2);
    play.chance = &chance;
    play.events = &scene.events;
    marvelous_stan(&play);
    TOLD_FIRST(&scene, "appeared S/- 0,0>2,2 0 0");
    assert_true(chance_used_up(&chance));
    assert_int_equal(scene.state->actors[a].health, 50); /* the rock is between them */
    scene_close(&scene);
}

/* --- 11. Thanos ------------------------------------------------------------------------------- */

/* [11.1] maxRounds of the kit is 30. */
static void thanos_comes_by_the_round(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a....", ".....", ".....", ".....", "....A");
    last_turn_of_round(&scene, 28);
    ACT_BY(&scene, END(&scene), 1);
    assert_int_equal(scene.state->phase, PHASE_PLAY);
    last_turn_of_round(&scene, 29);
    ACT_BY(&scene, END(&scene), 22, 0, 0);
    assert_int_equal(scene.state->phase, PHASE_THANOS);
    LOOKS(&scene, "a....", ".....", ".....", "....T", "....A");
    scene_close(&scene);
}

/* [11.2] */
static void thanos_comes_in_round_500(void **unused) {
    (void)unused;
    static const char match[] =
        "{\"maxRounds\":0,\"maxRoundTime\":1,\"maxAnimationTime\":0,\"spaceStoneCD\":0,"
        "\"mindStoneCD\":0,\"realityStoneCD\":0,\"powerStoneCD\":0,\"timeStoneCD\":1,"
        "\"soulStoneCD\":0,\"mindStoneDMG\":0,\"maxPauseTime\":0,\"maxResponseTime\":1}";
    MashDocument document = {"endless.game.json", match, sizeof match - 1};
    MashContent *loaded = support_content_with(&marvelous_mashup_game, "starter-kit", document);
    MarvelousScene scene = scene_over(loaded, 0);
    scene_heroes(&scene);
    scene_put(&scene, 0, 0, 'a');
    scene_put(&scene, 1, 0, 'A');
    last_turn_of_round(&scene, 498);
    ACT_BY(&scene, END(&scene), 0);
    assert_int_equal(scene.state->phase, PHASE_PLAY);
    last_turn_of_round(&scene, 499);
    ACT_BY(&scene, END(&scene), 0, 0, 0);
    assert_int_equal(scene.state->phase, PHASE_THANOS);
    scene_close(&scene);
}

/* [11.3] Once, by the server, during play and while he is not there. */
static void thanos_comes_by_the_clock(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a....", ".....", ".....", ".....", "....A");
    MashAction overtime = server_action(MASH_VERB_OVERTIME, 0), wrong = overtime;
    wrong.seat = 0;
    REFUSED(&scene, wrong, ONLY_THE_SERVER);
    wrong = overtime;
    wrong.x = 1;
    REFUSED(&scene, wrong, NO_SUCH_ACTION);
    ACT(&scene, overtime);
    TOLD(&scene, "overtime-began -/- 0,0>0,0 0 0");
    REFUSED(&scene, overtime, NOT_NOW);
    ACT(&scene, END(&scene));
    assert_int_equal(scene.state->phase, PHASE_PLAY);
    ACT_BY(&scene, END(&scene), 0, 0, 0);
    assert_int_equal(scene.state->phase, PHASE_THANOS);
    assert_int_equal(scene.state->round, 9);
    REFUSED(&scene, overtime, NOT_NOW);
    scene_close(&scene);
    scene = scene_over(support_content(&marvelous_mashup_game, NULL), 0);
    REFUSED(&scene, overtime, NOT_NOW); /* during the draft */
    scene_close(&scene);
}

/* [11.4] */
static void thanos_removes_portals(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a...O", ".....", "O....", ".....", "....A");
    last_turn_of_round(&scene, 29);
    ACT_BY(&scene, END(&scene), 1, 0, 0);
    TOLD_FIRST(&scene, "turn-ended A/b 0,0>0,0 0 0", "ground-changed T/- 0,0>4,0 0 0",
               "ground-changed T/- 0,0>0,2 0 0", "appeared T/- 0,0>0,2 0 0",
               "round-began -/- 0,0>0,0 0 30");
    LOOKS(&scene, "a....", ".....", "T....", ".....", "....A");
    scene_close(&scene);
}

/* [3.5] holds for his arrival. */
static void thanos_finds_no_free_cell(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("a####", "#####", "#####", "#####", "####A");
    last_turn_of_round(&scene, 29);
    ACT_BY(&scene, END(&scene), 22, 0, 0);
    LOOKS(&scene, "a####", "#####", "#####", "####T", "####A");
    scene_close(&scene);
}

/* [11.5] The fastest of all twelve has 6 points, even if knocked out; then 7. [11.6] He moves
 * straight through everything and stops on the way. */
static void thanos_grows(void **unused) {
    (void)unused;
    MarvelousScene scene =
        SCENE("a..........1", "............", "............", "............", "E.........A.");
    scene_health(&scene, E, 0);
    last_turn_of_round(&scene, 29);
    ACT_BY(&scene, END(&scene), 0, 3, 2, 1); /* at 0,1; a is first, he is last */
    LOOKS(&scene, "a..........1", "T...........");
    assert_int_equal(scene.state->thanos_moves, 6);
    scene.state->order_next = 1;
    scene.state->order_count = 2;
    scene.state->order[0] = a;
    scene.state->order[1] = UNIT_THANOS;
    ACT_BY(&scene, END(&scene), 3, 2, 1);
    LOOKS(&scene, "a.....T....1", "............");
    assert_int_equal(scene.state->thanos_moves, 7);
    scene_close(&scene);
}

/* One turn of Thanos with these random outcomes. */
static void thanos_turn(MarvelousScene *scene, const uint32_t *script, uint32_t count) {
    MashChance chance = chance_scripted(script, count);
    TurnContext play = scene_play(scene);
    play.chance = &chance;
    play.events = &scene->events;
    scene->events.count = 0;
    marvelous_thanos(&play);
    assert_true(chance_used_up(&chance));
    scene_sound(scene);
}

/* [11.6] The nearest, by king's moves; of several cells a random one, each cell once. */
static void thanos_goes_for_the_nearest(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("0...1..", ".......", "..T....", ".......", "a.....A");
    scene_hold(&scene, a, STONE_TIME);
    scene_hold(&scene, a, STONE_SOUL);
    scene_hold(&scene, A, STONE_REALITY);
    thanos_turn(&scene, (uint32_t[]){2}, 1); /* 0,0 or 4,0 or the cell of a, which counts once */
    LOOKS(&scene, "0...1..", ".......", ".......", ".a.....", "T.....A");
    scene_close(&scene);
}

/* [11.6] Diagonally first, then straight; without a target he waits. */
static void thanos_walks_straight(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("T......", ".......", "a.....0", ".......", ".......");
    scene.state->thanos_moves = 3;
    thanos_turn(&scene, NULL, 0);
    TOLD(&scene, "moved T/- 0,0>1,1 0 0", "changed T/- 0,0>1,1 1 -1", "moved T/- 1,1>2,2 0 0",
         "changed T/- 0,0>2,2 1 -1", "moved T/- 2,2>3,2 0 0", "changed T/- 0,0>3,2 1 -1");
    scene_close(&scene);
    scene = SCENE("T......", ".......", "a......", ".......", ".......");
    thanos_turn(&scene, NULL, 0);
    LOOKS(&scene, "T......");
    assert_int_equal(scene.events.count, 0);
    assert_int_equal(scene.state->thanos_moves, 3);
    scene_close(&scene);
}

/* [11.7] */
static void thanos_goes_through_everything(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("T#A.0..", ".......", "a......", ".......", ".......");
    scene.state->thanos_moves = 9;
    thanos_turn(&scene, NULL, 0);
    TOLD(&scene, "ground-changed T/- 0,0>1,0 0 0", "moved T/- 0,0>1,0 0 0",
         "changed T/- 0,0>1,0 1 -1", "swapped T/A 1,0>2,0 0 0", "changed T/- 0,0>2,0 1 -1",
         "moved T/- 2,0>3,0 0 0", "changed T/- 0,0>3,0 1 -1", "moved T/- 3,0>4,0 0 0",
         "item-taken T/- 0,0>4,0 0 0", "changed T/- 0,0>4,0 1 -1");
    LOOKS(&scene, ".A..T..");
    assert_int_equal(scene.state->actors[A].health, 100);
    scene_close(&scene);
}

/* [11.8] His turn ends although a second stone would be in reach. */
static void thanos_takes_a_stone(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("T.01...", ".......", "a......", ".......", ".......");
    scene.state->thanos_moves = 9;
    thanos_turn(&scene, NULL, 0);
    LOOKS(&scene, "..T1...");
    assert_int_equal(scene.state->actors[UNIT_THANOS].stones, stone_bit(STONE_SPACE));
    scene_close(&scene);
}

/* [11.9] Also [11.11]: neither the knock-out nor the damage counts. */
static void thanos_robs_a_carrier(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("T..A...", ".......", "a......", ".......", ".......");
    scene_hold(&scene, A, STONE_SPACE);
    scene_hold(&scene, A, STONE_SOUL);
    scene_health(&scene, A, 80);
    scene.state->thanos_moves = 9;
    thanos_turn(&scene, NULL, 0);
    TOLD(&scene, "moved T/- 0,0>1,0 0 0", "changed T/- 0,0>1,0 1 -1", "moved T/- 1,0>2,0 0 0",
         "changed T/- 0,0>2,0 1 -1", "swapped T/A 2,0>3,0 0 0", "changed T/- 0,0>3,0 1 -1",
         "item-given A/T 2,0>3,0 0 0", "item-given A/T 2,0>3,0 5 0", "hurt A/T 0,0>2,0 0 80",
         "died A/T 0,0>2,0 0 0");
    LOOKS(&scene, "..AT...");
    assert_int_equal(scene.state->damage[0] + scene.state->damage[1], 0);
    assert_int_equal(scene.state->knock_outs[0] + scene.state->knock_outs[1], 0);
    scene_close(&scene);
}

/* [11.10] Attacks and entering are refused; his stones cannot be had. */
static void thanos_is_immune(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE("aT...", ".....", ".....", ".....", "....A");
    scene_hold(&scene, UNIT_THANOS, STONE_SPACE);
    scene_hold(&scene, a, STONE_POWER);
    scene_hold(&scene, a, STONE_MIND);
    scene_hold(&scene, a, STONE_REALITY);
    scene_hold(&scene, a, STONE_SOUL);
    REFUSED(&scene, MOVE(&scene, 1, 0), CELL_BLOCKED);
    REFUSED(&scene, MELEE(&scene, 1, 0), WRONG_TARGET);
    REFUSED(&scene, USE(&scene, STONE_POWER, 1, 0), WRONG_TARGET);
    REFUSED(&scene, USE(&scene, STONE_MIND, 1, 0), WRONG_TARGET);
    REFUSED(&scene, USE(&scene, STONE_REALITY, 1, 0), WRONG_TARGET);
    REFUSED(&scene, USE(&scene, STONE_SOUL, 1, 0), NO_TARGET);
    REFUSED(&scene, USE(&scene, STONE_SPACE, 2, 0), NO_SUCH_ABILITY);
    scene_close(&scene);
}

/* Five stones in Thanos' hands, the last one before him. */
static MarvelousScene before_the_last(int rules) {
    MarvelousScene scene = scene_drawn(ROWS("T5...", ".....", "a....", ".....", "....A"), rules);
    for (uint8_t stone = 0; stone < STONE_SOUL; stone++)
        scene_hold(&scene, UNIT_THANOS, stone);
    scene.state->damage[1] = 1;
    return scene;
}

/* [11.12] */
static void spec_ends_with_the_sixth(void **unused) {
    (void)unused;
    MarvelousScene scene = before_the_last(RULES_SPEC);
    ACT(&scene, END(&scene));
    ACT(&scene, END(&scene));
    scene_ended(&scene, 1, REASON_DAMAGE);
    scene_close(&scene);
}

/* [11.13] From his next turn on; the knocked out are dusted, too; b continues alone. */
static void customer_snaps(void **unused) {
    (void)unused;
    MarvelousScene scene = before_the_last(RULES_CUSTOMER);
    scene_put(&scene, 4, 0, 'b');
    ACT(&scene, END(&scene));
    scene_health(&scene, a, 0);
    /* Thanos takes it; next order: T A b a by draws 0 (a last), 1 (b), 1 (A): then he snaps */
    ACT_BY(&scene, END(&scene), 0, 1, 1, 0, 1, 0);
    assert_false(marvelous_mashup_game.result(scene.content, scene.state).over);
    LOOKS(&scene, ".T..b", ".....", ".....", ".....", ".....");
    assert_true(scene_was_told(&scene, MASH_EVENT_VANISHED, a));
    assert_true(scene_was_told(&scene, MASH_EVENT_VANISHED, A));
    const Actor nothing = {.kind = scene.state->actors[A].kind, .x = OFF_BOARD};
    assert_memory_equal(&scene.state->actors[A], &nothing, sizeof nothing);
    assert_int_equal(scene.state->active, b);
    /* b ends; the order of two; T first: b is dusted as well */
    ACT_BY(&scene, END(&scene), 0, 0);
    scene_ended(&scene, 1, REASON_DAMAGE);
    scene_close(&scene);
}

/* [11.14] */
static void the_thirtieth_snap_dusts_all(void **unused) {
    (void)unused;
    MarvelousScene scene = SCENE_CUSTOMER("T....", ".....", "a....", ".....", "....A");
    for (uint8_t stone = 0; stone < STONES; stone++)
        scene_hold(&scene, UNIT_THANOS, stone);
    scene.state->damage[0] = 1;
    for (int i = 1; i < SNAPS_MAX; i++)
        thanos_turn(&scene, (uint32_t[]){1, 1}, 2);
    assert_false(marvelous_mashup_game.result(scene.content, scene.state).over);
    thanos_turn(&scene, NULL, 0);
    scene_ended(&scene, 0, REASON_DAMAGE);
    scene_close(&scene);
}

/* When no hero is standing any more, NPCs alone play to the end, in one action. */
static void nobody_stands(void **unused) {
    (void)unused;
    for (int rules = 0; rules < 2; rules++) {
        MarvelousScene scene =
            scene_drawn(ROWS("a....5", "......", ".TA..1", "......", "2...34"), rules);
        MashChance chance = chance_sampled(7);
        int rounds = 0;
        scene_hold(&scene, a, STONE_SPACE);
        scene_health(&scene, A, 0);
        while (!scene.state->common.over) {
            scene.events.count = 0;
            assert_int_equal(
                mash_apply(scene.content, scene.state, END(&scene), &chance, &scene.events),
                MASH_OK);
        }
        for (uint32_t i = 0; i < scene.events.count; i++)
            rounds += scene.events.list[i].kind == MASH_EVENT_ROUND_BEGAN;
        assert_true(rounds >= 3);
        assert_int_equal(scene.state->actors[a].health, 0);
        scene_ended(&scene, 0, REASON_MOST_STONES);
        scene_close(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goose_brings_a_stone),
        cmocka_unit_test(goose_comes_six_times),
        cmocka_unit_test(goose_finds_no_free_cell),
        cmocka_unit_test(stan_comes_last),
        cmocka_unit_test(stan_comes_first),
        cmocka_unit_test(stan_goes_to_the_weakest),
        cmocka_unit_test(stan_walks),
        cmocka_unit_test(thanos_comes_by_the_round),
        cmocka_unit_test(thanos_comes_in_round_500),
        cmocka_unit_test(thanos_comes_by_the_clock),
        cmocka_unit_test(thanos_removes_portals),
        cmocka_unit_test(thanos_finds_no_free_cell),
        cmocka_unit_test(thanos_grows),
        cmocka_unit_test(thanos_goes_for_the_nearest),
        cmocka_unit_test(thanos_walks_straight),
        cmocka_unit_test(thanos_goes_through_everything),
        cmocka_unit_test(thanos_takes_a_stone),
        cmocka_unit_test(thanos_robs_a_carrier),
        cmocka_unit_test(thanos_is_immune),
        cmocka_unit_test(spec_ends_with_the_sixth),
        cmocka_unit_test(customer_snaps),
        cmocka_unit_test(the_thirtieth_snap_dusts_all),
        cmocka_unit_test(nobody_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
