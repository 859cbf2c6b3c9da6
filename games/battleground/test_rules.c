/* test_rules.c -- the turns of battleground, each rule by its number. */
#include "games/battleground/test_scene.h"

static MashAction move_of(uint8_t seat, uint8_t unit, int8_t x, int8_t y) {
    return (MashAction){.verb = VERB_MOVE, .seat = seat, .unit = unit, .x = x, .y = y};
}

static MashAction attack_by(uint8_t seat, uint8_t unit, uint8_t other) {
    return (MashAction){.verb = VERB_ATTACK, .seat = seat, .unit = unit, .other = other};
}

static MashAction use_of(uint8_t seat, uint8_t potion, uint8_t other) {
    return (MashAction){.verb = VERB_USE, .seat = seat, .ability = potion, .other = other};
}

static MashAction summon_of(uint8_t seat, uint8_t unit, int8_t x, int8_t y) {
    return (MashAction){.verb = VERB_SUMMON, .seat = seat, .unit = unit, .x = x, .y = y};
}

static const MashAction red_ends = {.verb = VERB_END, .seat = 0};

/* --- 1. Warriors, potions, the field ---------------------------------------------------------- */

/* [1.1] [1.2] */
static void kinds_have_the_figures_of_the_rules(void **unused) {
    (void)unused;
    static const struct {
        const char *id;
        int health, walk, attack, optional;
    } kinds[] = {{"gladiator", 8, 2, 3, 0}, {"knight", 5, 2, 4, 0},   {"ninja", 5, 5, 2, 0},
                 {"pumpkin", 5, 3, 3, 0},   {"zombie-f", 2, 1, 4, 0}, {"zombie-m", 2, 1, 4, 0},
                 {"dino", 5, 2, 5, 1}};
    static const struct {
        const char *id;
        int stat, amount, turns;
    } potions[] = {{"heal", STAT_HEALTH, 5, 0},
                   {"strength", STAT_ATTACK, 2, 3},
                   {"weakness", STAT_ATTACK, -2, 3},
                   {"runner", STAT_WALK, 2, 3},
                   {"aging", STAT_WALK, -2, 3}};
    BattlegroundScene scene = scene_preset(NULL, 0);
    const BattlegroundContent *content = battleground_content(scene.content);
    assert_int_equal(content->kinds_count, 7);
    for (int i = 0; i < 7; i++) {
        const BattlegroundKind *kind = &content->kinds[i + 1];
        assert_string_equal(kind->id, kinds[i].id);
        assert_int_equal(kind->health, kinds[i].health);
        assert_int_equal(kind->walk, kinds[i].walk);
        assert_int_equal(kind->attack, kinds[i].attack);
        assert_int_equal(kind->optional, kinds[i].optional);
    }
    assert_int_equal(content->potions_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(content->potions[i].id, potions[i].id);
        assert_int_equal(content->potions[i].stat, potions[i].stat);
        assert_int_equal(content->potions[i].amount, potions[i].amount);
        assert_int_equal(content->potions[i].turns, potions[i].turns);
    }
    scene_close(&scene);
}

/* [1.3] */
static void warriors_stand_on_open_cells_alone(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "G#....", "Kn....");
    scene_refuses(&scene, move_of(0, 0, 1, 0), MASH_CELL_BLOCKED);
    scene_refuses(&scene, move_of(0, 0, 0, 1), MASH_CELL_TAKEN);
    scene_refuses(&scene, move_of(0, 0, 0, 0), MASH_CELL_TAKEN);
    scene_refuses(&scene, move_of(0, 0, -1, 0), MASH_OFF_BOARD);
    scene_refuses(&scene, move_of(0, 0, 0, 2), MASH_OFF_BOARD);
    scene_close(&scene);
}

/* [1.4] */
static void diagonal_cells_are_no_neighbours(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "N....", ".k...");
    scene_does(&scene, "end");
    scene_refuses(&scene, attack_by(0, 0, 5), MASH_TOO_FAR);
    assert_int_equal(scene_lists(&scene, "attack"), 0);
    scene_close(&scene);
}

/* --- 3. Turns and phases ---------------------------------------------------------------------- */

static BattlegroundScene after_the_choice(uint8_t options) {
    BattlegroundScene scene = scene_preset(NULL, options);
    scene_by(&scene, 1, "usual team");
    scene_by(&scene, 0, "usual team");
    return scene;
}

/* [3.1] */
static void first_turns_are_summons_and_nothing_else(void **unused) {
    (void)unused;
    BattlegroundScene scene = after_the_choice(0);
    scene_phase(&scene, 0, PHASE_FIRST);
    assert_int_equal(scene_lists(&scene, "summon"), 5 * 80);
    assert_int_equal(scene_lists(&scene, ""), 5 * 80);
    scene_refuses(&scene, red_ends, MASH_MUST_SUMMON);
    scene_refuses(&scene, move_of(0, 0, 0, 0), MASH_MUST_SUMMON);
    scene_refuses(&scene, summon_of(1, 5, 0, 0), MASH_NOT_YOUR_TURN);
    scene_does(&scene, "summon nin2 4 4");
    scene_told(&scene, 1, "appeared turn-ended turn-began phase-began");
    scene_phase(&scene, 1, PHASE_FIRST);
    scene_refuses(&scene, (MashAction){.verb = VERB_END, .seat = 1}, MASH_MUST_SUMMON);
    scene_does(&scene, "summon gla5 5 4");
    scene_phase(&scene, 0, PHASE_MOVE_1);
    scene_close(&scene);
}

/* [3.2] [3.3] */
static void a_turn_has_four_phases_that_the_seat_ends(void **unused) {
    (void)unused;
    BattlegroundScene scene = after_the_choice(0);
    scene_does(&scene, "summon nin2 0 0");
    scene_does(&scene, "summon nin7 9 7");
    for (int turn = 0; turn < 4; turn++)
        for (uint8_t phase = PHASE_MOVE_1; phase <= PHASE_SUMMON; phase++) {
            scene_phase(&scene, (uint8_t)(turn % 2), phase);
            assert_int_equal(scene_lists(&scene, "end"), 1);
            scene_does(&scene, "end");
            scene_told(&scene, 0,
                       phase == PHASE_SUMMON ? "turn-ended turn-began phase-began" : "phase-began");
            assert_int_equal(scene_event(&scene, MASH_EVENT_PHASE_BEGAN).what,
                             phase == PHASE_SUMMON ? PHASE_MOVE_1 : phase + 1);
        }
    scene_close(&scene);
}

/* [3.2]: actions of another phase are refused as not now. */
static void verbs_keep_to_their_phases(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Nk...", ".....");
    scene_bench(&scene, 1, KNIGHT);
    scene_potion(&scene, 0, HEAL);
    static const struct {
        uint8_t phase;
        bool move, attack, use, summon;
    } rows[] = {{PHASE_MOVE_1, true, false, true, false},
                {PHASE_ATTACK, false, true, true, false},
                {PHASE_MOVE_2, true, false, true, false},
                {PHASE_SUMMON, false, false, false, true}};
    for (int i = 0; i < 4; i++) {
        scene_phase(&scene, 0, rows[i].phase);
        const MashAction attempts[] = {move_of(0, 0, 0, 1), attack_by(0, 0, 5), use_of(0, HEAL, 0),
                                       summon_of(0, 1, 4, 0)};
        const bool allowed[] = {rows[i].move, rows[i].attack, rows[i].use, rows[i].summon};
        for (int j = 0; j < 4; j++)
            assert_int_equal(battleground_game.check(scene.content, scene.state, attempts[j]),
                             allowed[j] ? MASH_OK : MASH_NOT_NOW);
        scene_does(&scene, "end");
    }
    scene_close(&scene);
}

/* [3.4] */
static void move_1_is_skipped_without_a_warrior_on_the_field(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, ".....", "..n..");
    scene_bench(&scene, 0, KNIGHT);
    scene.state->seat = 1;
    scene.state->phase = PHASE_SUMMON;
    scene_bench(&scene, 6, KNIGHT);
    scene_does(&scene, "end");
    scene_told(&scene, 0, "turn-ended turn-began phase-began");
    scene_phase(&scene, 0, PHASE_SUMMON);
    scene_close(&scene);
}

/* [3.4]: the phase does not end automatically when all have moved. */
static void move_1_waits_though_all_have_moved(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "N....", "....n");
    scene_does(&scene, "move nin0 1 0");
    scene_phase(&scene, 0, PHASE_MOVE_1);
    assert_int_equal(scene_lists(&scene, ""), 1);
    scene_does(&scene, "end");
    scene_phase(&scene, 0, PHASE_ATTACK);
    scene_close(&scene);
}

/* [3.5] [3.9] */
static void attack_is_over_when_all_have_attacked(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "NgK..", ".....");
    scene_does(&scene, "end");
    scene_does(&scene, "attack nin0 gla5");
    scene_phase(&scene, 0, PHASE_ATTACK);
    scene_does(&scene, "attack kni1 gla5");
    scene_told(&scene, 1, "attacked hurt phase-began");
    scene_phase(&scene, 0, PHASE_MOVE_2);
    scene_close(&scene);
}

/* [3.6] [3.7] [3.9]: from the last attack to the opponent's turn, since all have moved and nobody
 * is left to be summoned. */
static void move_2_and_summon_are_skipped_when_nothing_is_left(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "N.g..", ".....");
    scene_does(&scene, "move nin0 1 0");
    scene_does(&scene, "end");
    scene_does(&scene, "attack nin0 gla5");
    scene_told(&scene, 0, "attacked hurt turn-ended turn-began phase-began");
    scene_phase(&scene, 1, PHASE_MOVE_1);
    scene_does(&scene, "end");
    scene_does(&scene, "end");
    scene_phase(&scene, 1, PHASE_MOVE_2);
    scene_does(&scene, "move gla5 3 0");
    scene_phase(&scene, 0, PHASE_MOVE_1);
    scene_close(&scene);
}

/* [3.7] */
static void summon_is_there_while_somebody_is_on_the_bench(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "N.g..", ".....");
    scene_bench(&scene, 3, KNIGHT);
    scene.state->phase = PHASE_MOVE_2;
    scene_does(&scene, "move nin0 1 0");
    scene_phase(&scene, 0, PHASE_SUMMON);
    scene_close(&scene);
}

/* [3.8] */
static void a_potion_keeps_phases_open(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, ".....", "..n..");
    scene_bench(&scene, 0, KNIGHT);
    scene_potion(&scene, 0, WEAKNESS);
    scene_potion(&scene, 0, AGING);
    scene.state->seat = 1;
    scene.state->phase = PHASE_SUMMON;
    scene_bench(&scene, 6, KNIGHT);
    scene_does(&scene, "end");
    scene_phase(&scene, 0, PHASE_MOVE_1);
    scene_does(&scene, "end");
    scene_phase(&scene, 0, PHASE_ATTACK);
    scene_does(&scene, "use weakness nin5");
    scene_phase(&scene, 0, PHASE_ATTACK);
    scene_does(&scene, "use aging nin5");
    scene_told(&scene, 0, "used effect-began phase-began");
    scene_phase(&scene, 0, PHASE_SUMMON);
    scene_close(&scene);
}

/* [3.8]: a potion without a target does not keep the phase open. */
static void a_potion_without_a_target_keeps_nothing_open(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, ".....", ".....");
    scene_bench(&scene, 0, KNIGHT);
    scene_bench(&scene, 5, KNIGHT);
    scene_potion(&scene, 0, WEAKNESS);
    scene_potion(&scene, 1, WEAKNESS);
    scene.state->phase = PHASE_SUMMON;
    scene_does(&scene, "end");
    scene_phase(&scene, 1, PHASE_SUMMON);
    scene_close(&scene);
}

/* --- 4. Summon -------------------------------------------------------------------------------- */

/* [4.1] [4.2] */
static void a_summon_goes_anywhere_free_and_ends_the_turn(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "N#n...", "......");
    scene_bench(&scene, 1, KNIGHT);
    scene.state->phase = PHASE_SUMMON;
    assert_int_equal(scene_lists(&scene, "summon kni1"), 9);
    scene_refuses(&scene, summon_of(0, 1, 1, 0), MASH_CELL_BLOCKED);
    scene_refuses(&scene, summon_of(0, 1, 2, 0), MASH_CELL_TAKEN);
    scene_refuses(&scene, summon_of(0, 1, 6, 0), MASH_OFF_BOARD);
    scene_refuses(&scene, summon_of(0, 0, 3, 0), MASH_NOT_OFFERED);
    scene_refuses(&scene, summon_of(0, 2, 3, 0), MASH_UNIT_OUT);
    scene_refuses(&scene, summon_of(0, 5, 3, 0), MASH_NOT_YOUR_UNIT);
    scene_refuses(&scene, summon_of(0, 10, 3, 0), MASH_NO_SUCH_UNIT);
    scene_does(&scene, "summon kni1 3 0");
    SHOWS(&scene, "N#nK..", "......");
    assert_int_equal(scene_warrior(&scene, 1)->health, 5);
    scene_told(&scene, 1, "appeared turn-ended turn-began phase-began");
    scene_phase(&scene, 1, PHASE_MOVE_1);
    scene_close(&scene);
}

/* [4.3] */
static void nobody_needs_to_summon_even_with_an_empty_field(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, ".....", "..n..");
    scene_bench(&scene, 0, KNIGHT);
    scene.state->phase = PHASE_SUMMON;
    assert_int_equal(scene_lists(&scene, "end"), 1);
    scene_does(&scene, "end");
    scene_phase(&scene, 1, PHASE_MOVE_1);
    scene_close(&scene);
}

/* [4.4] */
static void a_summoned_warrior_acts_in_the_next_own_turn(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "....g", ".....");
    scene_bench(&scene, 0, KNIGHT);
    scene.state->phase = PHASE_SUMMON;
    scene_does(&scene, "summon kni0 2 0");
    for (int i = 0; i < 3; i++)
        scene_does(&scene, "end");
    scene_phase(&scene, 0, PHASE_MOVE_1);
    scene_does(&scene, "move kni0 3 0");
    scene_does(&scene, "end");
    scene_does(&scene, "attack kni0 gla5");
    assert_int_equal(scene_warrior(&scene, 5)->health, 4);
    scene_close(&scene);
}

/* [4.5] */
static void of_equal_warriors_the_lowest_slot_is_summoned(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "N....", "....n");
    scene_bench(&scene, 1, KNIGHT);
    scene_bench(&scene, 2, NINJA);
    scene_bench(&scene, 3, KNIGHT);
    scene_bench(&scene, 4, NINJA);
    scene.state->phase = PHASE_SUMMON;
    assert_int_equal(scene_lists(&scene, "summon kni1"), 8);
    assert_int_equal(scene_lists(&scene, "summon nin2"), 8);
    assert_int_equal(scene_lists(&scene, "summon"), 16);
    scene_refuses(&scene, summon_of(0, 3, 2, 0), MASH_NOT_OFFERED);
    scene.state->warriors[1].place = PLACE_GONE;
    assert_int_equal(scene_lists(&scene, "summon kni3"), 8);
    scene_close(&scene);
}

/* --- 5. Move ---------------------------------------------------------------------------------- */

/* [5.1] */
static void each_warrior_moves_once_a_turn(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "NK...", ".....", "....n");
    scene_does(&scene, "move nin0 0 2");
    scene_told(&scene, 1, "moved");
    MashEvent moved = scene_event(&scene, MASH_EVENT_MOVED);
    assert_int_equal(moved.from_x + moved.from_y, 0);
    assert_int_equal(moved.x, 0);
    assert_int_equal(moved.y, 2);
    SHOWS(&scene, ".K...", ".....", "N...n");
    scene_refuses(&scene, move_of(0, 0, 0, 1), MASH_ALREADY_MOVED);
    scene_refuses(&scene, move_of(0, 5, 3, 2), MASH_NOT_YOUR_UNIT);
    scene_refuses(&scene, move_of(0, 2, 3, 2), MASH_UNIT_OUT);
    scene_bench(&scene, 2, KNIGHT);
    scene_refuses(&scene, move_of(0, 2, 3, 2), MASH_UNIT_NOT_ON_BOARD);
    scene_does(&scene, "end");
    scene_does(&scene, "end");
    scene_phase(&scene, 0, PHASE_MOVE_2);
    scene_refuses(&scene, move_of(0, 0, 0, 1), MASH_ALREADY_MOVED);
    scene_does(&scene, "move kni1 2 0");
    scene_phase(&scene, 0, PHASE_SUMMON);
    scene_does(&scene, "end");
    assert_int_equal(scene_warrior(&scene, 0)->done | scene_warrior(&scene, 1)->done, 0);
    for (int i = 0; i < 3; i++)
        scene_does(&scene, "end");
    scene_phase(&scene, 0, PHASE_MOVE_1);
    scene_does(&scene, "move nin0 0 1");
    scene_close(&scene);
}

/* [5.2] */
static void a_move_needs_a_free_way_that_is_short_enough(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0,       //
                                    "P#...", //
                                    ".k...", //
                                    "....n");
    assert_int_equal(scene_lists(&scene, "move pum0"), 3);
    scene_does(&scene, "move pum0 1 2");
    SHOWS(&scene, ".#...", ".k...", ".P..n");
    scene_close(&scene);

    scene = SCENE(0,       //
                  "P#...", //
                  ".....", //
                  "....n");
    scene_refuses(&scene, move_of(0, 0, 4, 0), MASH_TOO_FAR);
    scene_does(&scene, "move pum0 1 2");
    scene_close(&scene);

    /* Two steps away in a straight line, four on foot. */
    scene = SCENE(0, "P#...", ".#...", "...kn");
    scene_refuses(&scene, move_of(0, 0, 2, 0), MASH_NO_WAY);
    scene_refuses(&scene, move_of(0, 0, 2, 1), MASH_NO_WAY);
    assert_int_equal(scene_lists(&scene, "move"), 3);
    scene_close(&scene);

    /* Own warriors are in the way too. */
    scene = SCENE(0, "NK..g.", "G#....");
    assert_int_equal(scene_lists(&scene, "move nin0"), 0);
    scene_refuses(&scene, move_of(0, 0, 2, 0), MASH_NO_WAY);
    scene_close(&scene);
}

/* [5.3] */
static void without_walking_distance_nobody_moves(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "K....", "....n");
    scene_potion(&scene, 0, AGING);
    scene_does(&scene, "use aging kni0");
    assert_int_equal(scene_lists(&scene, "move"), 0);
    scene_refuses(&scene, move_of(0, 0, 1, 0), MASH_CANNOT_MOVE);
    scene_close(&scene);
}

/* --- 6. Attack -------------------------------------------------------------------------------- */

/* [6.1] */
static void each_warrior_attacks_once_and_may_move_before_or_after(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "N.g..", "..K..");
    scene_bench(&scene, 2, KNIGHT);
    scene_refuses(&scene, attack_by(0, 1, 5), MASH_NOT_NOW);
    scene_does(&scene, "move nin0 1 0");
    scene_does(&scene, "end");
    scene_refuses(&scene, attack_by(0, 2, 5), MASH_UNIT_NOT_ON_BOARD);
    scene_refuses(&scene, attack_by(0, 5, 0), MASH_NOT_YOUR_UNIT);
    scene_does(&scene, "attack kni1 gla5");
    scene_refuses(&scene, attack_by(0, 1, 5), MASH_ALREADY_ATTACKED);
    scene_does(&scene, "attack nin0 gla5");
    scene_phase(&scene, 0, PHASE_MOVE_2);
    assert_int_equal(scene_lists(&scene, "move nin0"), 0);
    scene_does(&scene, "move kni1 3 1");
    SHOWS(&scene, ".Ng..", "...K.");
    scene_close(&scene);
}

/* [6.2] */
static void only_neighbouring_enemies_are_targets(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0,       //
                                    ".k...", //
                                    "nNKg.", //
                                    ".....");
    scene_does(&scene, "end");
    scene_refuses(&scene, attack_by(0, 0, 1), MASH_OWN_SIDE);
    scene_refuses(&scene, attack_by(0, 0, 0), MASH_OWN_SIDE);
    scene_refuses(&scene, attack_by(0, 0, 7), MASH_TOO_FAR);
    scene_refuses(&scene, attack_by(0, 0, 8), MASH_UNIT_OUT);
    scene_bench(&scene, 8, KNIGHT);
    scene_refuses(&scene, attack_by(0, 0, 8), MASH_UNIT_NOT_ON_BOARD);
    scene_refuses(&scene, attack_by(0, 0, 99), MASH_NO_SUCH_UNIT);
    assert_int_equal(scene_lists(&scene, "attack nin0"), 2);
    assert_int_equal(scene_lists(&scene, "attack kni1 gla7"), 1);
    assert_int_equal(scene_lists(&scene, "attack"), 3);
    scene_close(&scene);
}

/* [6.3] */
static void an_attack_takes_health_and_nothing_strikes_back(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Kg.mN", ".....");
    scene_does(&scene, "end");
    scene_does(&scene, "attack kni0 gla5");
    assert_int_equal(scene_warrior(&scene, 5)->health, 4);
    assert_int_equal(scene_warrior(&scene, 0)->health, 5);
    MashEvent hurt = scene_event(&scene, MASH_EVENT_HURT);
    assert_int_equal(hurt.unit, 5);
    assert_int_equal(hurt.other, 0);
    assert_int_equal(hurt.amount, 4);
    assert_int_equal(hurt.x, 1);
    scene.state->warriors[6].health = 1;
    scene_does(&scene, "attack nin1 zom6");
    assert_int_equal(scene_event(&scene, MASH_EVENT_HURT).amount, 1);
    scene_close(&scene);
}

/* [6.4] */
static void who_faints_is_out_and_leaves_the_cell(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Kz..n", ".....");
    scene_does(&scene, "end");
    scene_does(&scene, "attack kni0 zof5");
    scene_told(&scene, 1, "attacked hurt died phase-began");
    assert_int_equal(scene_warrior(&scene, 5)->place, PLACE_GONE);
    SHOWS(&scene, "K...n", ".....");
    scene_phase(&scene, 0, PHASE_MOVE_2);
    scene_does(&scene, "move kni0 1 0");
    SHOWS(&scene, ".K..n", ".....");
    scene_close(&scene);
}

/* [6.5] */
static void an_attack_of_zero_does_no_damage(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Nk...", ".....");
    scene_potion(&scene, 0, WEAKNESS);
    scene_bench(&scene, 1, KNIGHT);
    scene.state->quiet = 7;
    scene_does(&scene, "use weakness nin0");
    scene_does(&scene, "end");
    scene_does(&scene, "attack nin0 kni5");
    scene_told(&scene, 0, "attacked missed phase-began");
    assert_int_equal(scene_warrior(&scene, 5)->health, 5);
    scene_does(&scene, "end");
    scene_does(&scene, "end");
    assert_int_equal(scene.state->quiet, 8);
    scene_close(&scene);
}

/* --- 7. Potions ------------------------------------------------------------------------------- */

/* [7.1] [7.2] */
static void any_number_of_potions_on_anybody_on_the_field(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "N.k..", ".....");
    scene_bench(&scene, 1, KNIGHT);
    scene_bench(&scene, 6, KNIGHT);
    scene_potion(&scene, 0, RUNNER);
    scene_potion(&scene, 0, RUNNER);
    scene_potion(&scene, 0, AGING);
    scene_potion(&scene, 1, HEAL);
    assert_int_equal(scene_lists(&scene, "use"), 4);
    scene_refuses(&scene, use_of(0, HEAL, 0), MASH_NOT_OFFERED);
    scene_refuses(&scene, use_of(0, 5, 0), MASH_NO_SUCH_ABILITY);
    scene_refuses(&scene, use_of(0, RUNNER, 1), MASH_UNIT_NOT_ON_BOARD);
    scene_refuses(&scene, use_of(0, RUNNER, 6), MASH_UNIT_NOT_ON_BOARD);
    scene_refuses(&scene, use_of(0, RUNNER, 2), MASH_UNIT_OUT);
    scene_refuses(&scene, use_of(0, RUNNER, 200), MASH_NO_SUCH_UNIT);
    scene_does(&scene, "use runner nin0");
    scene_does(&scene, "use aging kni5");
    scene_told(&scene, 1, "used effect-began");
    assert_int_equal(scene_event(&scene, MASH_EVENT_USED).other, 5);
    scene_refuses(&scene, use_of(0, AGING, 5), MASH_NOT_OFFERED);
    scene_does(&scene, "use runner nin0");
    assert_int_equal(scene.state->potions[0], 0);
    assert_int_equal(scene_lists(&scene, "use"), 0);
    scene_does(&scene, "move nin0 1 0");
    scene_does(&scene, "end");
    scene_does(&scene, "attack nin0 kni5");
    scene_close(&scene);
}

/* [7.3] */
static void heal_stops_at_full_health(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "G.k..", ".....");
    for (int i = 0; i < 3; i++)
        scene_potion(&scene, 0, HEAL);
    scene.state->warriors[0].health = 2;
    scene_does(&scene, "use heal gla0");
    assert_int_equal(scene_warrior(&scene, 0)->health, 7);
    scene_does(&scene, "use heal gla0");
    assert_int_equal(scene_warrior(&scene, 0)->health, 8);
    scene_told(&scene, 1, "used healed");
    assert_int_equal(scene_event(&scene, MASH_EVENT_HEALED).amount, 1);
    scene_does(&scene, "use heal gla0");
    scene_told(&scene, 1, "used");
    assert_int_equal(scene_warrior(&scene, 0)->health, 8);
    assert_int_equal(scene.state->effects_count, 0);
    scene_close(&scene);
}

/* [7.4] */
static void changes_add_up_and_below_zero_is_not_forgotten(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "N.k..", ".....");
    const BattlegroundContent *content = battleground_content(scene.content);
    for (int i = 0; i < 2; i++)
        scene_potion(&scene, 0, WEAKNESS);
    scene_potion(&scene, 0, STRENGTH);
    for (int i = 0; i < 2; i++)
        scene_potion(&scene, 0, RUNNER);
    scene_does(&scene, "use weakness nin0");
    scene_does(&scene, "use weakness nin0");
    assert_int_equal(attack_of(content, scene_warrior(&scene, 0)), 0);
    scene_does(&scene, "use strength nin0");
    assert_int_equal(attack_of(content, scene_warrior(&scene, 0)), 0);
    assert_int_equal(scene_warrior(&scene, 0)->more_attack, -2);
    scene_does(&scene, "use runner nin0");
    scene_does(&scene, "use runner nin0");
    assert_int_equal(walk_of(content, scene_warrior(&scene, 0)), 9);
    scene_close(&scene);
}

/* Both seats end all their phases `turns` times. */
static void pass(BattlegroundScene *scene, int turns) {
    for (int i = 0; i < turns; i++) {
        uint8_t seat = scene->state->seat;
        while (scene->state->seat == seat && !scene->state->common.over)
            scene_does(scene, "end");
    }
}

/* [7.5] */
static void changes_last_three_turns_of_the_owner(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "K.k..", ".....");
    const BattlegroundContent *content = battleground_content(scene.content);
    scene_potion(&scene, 0, STRENGTH);
    scene_potion(&scene, 0, WEAKNESS);
    scene_does(&scene, "use strength kni0");
    scene_does(&scene, "use weakness kni5");
    static const int own[] = {6, 6, 6, 6, 6, 4, 4}, enemy[] = {2, 2, 2, 2, 2, 2, 4};
    for (int turn = 0; turn < 7; turn++) {
        assert_int_equal(scene.state->seat, turn % 2);
        assert_int_equal(attack_of(content, scene_warrior(&scene, 0)), own[turn]);
        assert_int_equal(attack_of(content, scene_warrior(&scene, 5)), enemy[turn]);
        pass(&scene, 1);
        if (turn == 4 || turn == 5) {
            scene_told(&scene, 0, "effect-ended turn-ended turn-began phase-began");
            assert_int_equal(scene_event(&scene, MASH_EVENT_EFFECT_ENDED).unit, 5 * (turn - 4));
        }
    }
    assert_int_equal(scene.state->effects_count, 0);
    static const Effect nothing[EFFECTS];
    assert_memory_equal(scene.state->effects, nothing, sizeof nothing);
    scene_close(&scene);
}

/* [7.5]: several at the same time, each with its own turns; the list stays ordered. */
static void changes_of_one_kind_count_on_their_own(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "K.k..", ".....");
    for (int i = 0; i < 2; i++)
        scene_potion(&scene, 0, RUNNER);
    scene_potion(&scene, 0, STRENGTH);
    scene_does(&scene, "use runner kni0");
    pass(&scene, 2);
    scene_does(&scene, "use runner kni0");
    scene_does(&scene, "use strength kni0");
    static const Effect now[] = {{0, STRENGTH, 3}, {0, RUNNER, 2}, {0, RUNNER, 3}};
    assert_int_equal(scene.state->effects_count, 3);
    assert_memory_equal(scene.state->effects, now, sizeof now);
    assert_int_equal(scene_warrior(&scene, 0)->more_walk, 4);
    pass(&scene, 4);
    assert_int_equal(scene.state->effects_count, 2);
    assert_int_equal(scene_warrior(&scene, 0)->more_walk, 2);
    pass(&scene, 2);
    assert_int_equal(scene.state->effects_count, 0);
    assert_int_equal(scene_warrior(&scene, 0)->more_walk, 0);
    scene_close(&scene);
}

/* [7.6] */
static void who_faints_loses_all_changes(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Kz..n", ".....");
    scene_potion(&scene, 0, AGING);
    scene_potion(&scene, 0, STRENGTH);
    scene_does(&scene, "use aging zof5");
    scene_does(&scene, "use strength kni0");
    scene_does(&scene, "end");
    scene_does(&scene, "attack kni0 zof5");
    assert_int_equal(scene.state->effects_count, 1);
    assert_int_equal(scene.state->effects[0].unit, 0);
    static const Warrior gone = {.kind = ZOMBIE_F, .place = PLACE_GONE};
    assert_memory_equal(scene_warrior(&scene, 5), &gone, sizeof gone);
    scene_close(&scene);
}

/* --- 8. The end ------------------------------------------------------------------------------- */

/* [8.1] */
static void who_has_no_living_warrior_loses(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Kz...", ".....");
    scene_bench(&scene, 7, NINJA);
    scene_does(&scene, "end");
    scene_does(&scene, "attack kni0 zof5");
    assert_false(scene.state->common.over);
    scene_close(&scene);

    scene = SCENE(0, "Kz...", ".....");
    scene_does(&scene, "end");
    scene_does(&scene, "attack kni0 zof5");
    scene_told(&scene, 1, "attacked hurt died match-ended");
    scene_ended(&scene, 0, REASON_DEFEATED);
    scene_refuses(&scene, red_ends, MASH_MATCH_OVER);
    assert_int_equal(scene_lists(&scene, ""), 0);
    scene_close(&scene);
}

/* [8.2] */
static void forty_turns_without_damage_are_a_draw(void **unused) {
    (void)unused;
    BattlegroundScene scene = after_the_choice(0);
    scene_does(&scene, "summon nin2 0 0");
    scene_does(&scene, "summon nin7 9 7");
    assert_int_equal(scene.state->quiet, 0);
    pass(&scene, 39);
    assert_false(scene.state->common.over);
    pass(&scene, 1);
    scene_told(&scene, 0, "turn-ended match-ended");
    scene_ended(&scene, MASH_SEAT_NONE, REASON_QUIET);
    scene_close(&scene);
}

/* [8.2]: damage restarts the count, in its own turn too. */
static void damage_begins_the_count_anew(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Ng...", ".....");
    pass(&scene, 38);
    assert_int_equal(scene.state->quiet, 38);
    scene_does(&scene, "end");
    scene_does(&scene, "attack nin0 gla5");
    assert_int_equal(scene.state->quiet, 38);
    pass(&scene, 1);
    assert_int_equal(scene.state->quiet, 0);
    pass(&scene, 39);
    assert_false(scene.state->common.over);
    pass(&scene, 1);
    scene_ended(&scene, MASH_SEAT_NONE, REASON_QUIET);
    scene_close(&scene);
}

/* [8.3] */
static void seats_may_resign_or_agree_on_a_draw(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(0, "Ng...", ".....");
    assert_int_equal(scene_try(&scene, (MashAction){.verb = MASH_VERB_DRAW_OFFER}), MASH_OK);
    scene_does(&scene, "end");
    pass(&scene, 1);
    scene_does(&scene, "end");
    scene_told(&scene, 0, "phase-began draw-declined");
    scene_refuses(&scene, (MashAction){.verb = MASH_VERB_DRAW_ACCEPT, .seat = 1},
                  MASH_NO_DRAW_OFFERED);
    BattlegroundState before = *scene.state;
    assert_int_equal(scene_try(&scene, (MashAction){.verb = MASH_VERB_RESIGN}), MASH_OK);
    scene_ended(&scene, 1, MASH_REASON_RESIGNED);
    *scene.state = before;
    assert_int_equal(scene_try(&scene, (MashAction){.verb = MASH_VERB_DRAW_OFFER, .seat = 1}),
                     MASH_OK);
    assert_int_equal(scene_try(&scene, (MashAction){.verb = MASH_VERB_DRAW_ACCEPT}), MASH_OK);
    scene_ended(&scene, MASH_SEAT_NONE, MASH_REASON_AGREED);
    scene_close(&scene);
}

/* --- 9. Options ------------------------------------------------------------------------------- */

/* [9.2] */
static void friendly_fire_hits_the_own_side(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(OPTION_FRIENDLY_FIRE, "KZg..", ".....");
    scene_does(&scene, "end");
    scene_refuses(&scene, attack_by(0, 0, 0), MASH_TOO_FAR);
    assert_int_equal(scene_lists(&scene, "attack"), 3);
    scene_does(&scene, "attack kni0 zof1");
    SHOWS(&scene, "K.g..", ".....");
    assert_false(scene.state->common.over);
    scene_close(&scene);
}

/* [9.5] */
static void the_second_seat_may_begin_with_two(void **unused) {
    (void)unused;
    BattlegroundScene scene = after_the_choice(OPTION_SECOND_TWO);
    scene_does(&scene, "summon nin2 4 4");
    scene_phase(&scene, 1, PHASE_FIRST);
    scene_does(&scene, "summon gla5 5 4");
    scene_told(&scene, 0, "appeared");
    scene_phase(&scene, 1, PHASE_FIRST);
    scene_refuses(&scene, (MashAction){.verb = VERB_END, .seat = 1}, MASH_MUST_SUMMON);
    scene_does(&scene, "summon nin7 5 5");
    scene_told(&scene, 0, "appeared turn-ended turn-began phase-began");
    scene_phase(&scene, 0, PHASE_MOVE_1);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_have_the_figures_of_the_rules),
        cmocka_unit_test(warriors_stand_on_open_cells_alone),
        cmocka_unit_test(diagonal_cells_are_no_neighbours),
        cmocka_unit_test(first_turns_are_summons_and_nothing_else),
        cmocka_unit_test(a_turn_has_four_phases_that_the_seat_ends),
        cmocka_unit_test(verbs_keep_to_their_phases),
        cmocka_unit_test(move_1_is_skipped_without_a_warrior_on_the_field),
        cmocka_unit_test(move_1_waits_though_all_have_moved),
        cmocka_unit_test(attack_is_over_when_all_have_attacked),
        cmocka_unit_test(move_2_and_summon_are_skipped_when_nothing_is_left),
        cmocka_unit_test(summon_is_there_while_somebody_is_on_the_bench),
        cmocka_unit_test(a_potion_keeps_phases_open),
        cmocka_unit_test(a_potion_without_a_target_keeps_nothing_open),
        cmocka_unit_test(a_summon_goes_anywhere_free_and_ends_the_turn),
        cmocka_unit_test(nobody_needs_to_summon_even_with_an_empty_field),
        cmocka_unit_test(a_summoned_warrior_acts_in_the_next_own_turn),
        cmocka_unit_test(of_equal_warriors_the_lowest_slot_is_summoned),
        cmocka_unit_test(each_warrior_moves_once_a_turn),
        cmocka_unit_test(a_move_needs_a_free_way_that_is_short_enough),
        cmocka_unit_test(without_walking_distance_nobody_moves),
        cmocka_unit_test(each_warrior_attacks_once_and_may_move_before_or_after),
        cmocka_unit_test(only_neighbouring_enemies_are_targets),
        cmocka_unit_test(an_attack_takes_health_and_nothing_strikes_back),
        cmocka_unit_test(who_faints_is_out_and_leaves_the_cell),
        cmocka_unit_test(an_attack_of_zero_does_no_damage),
        cmocka_unit_test(any_number_of_potions_on_anybody_on_the_field),
        cmocka_unit_test(heal_stops_at_full_health),
        cmocka_unit_test(changes_add_up_and_below_zero_is_not_forgotten),
        cmocka_unit_test(changes_last_three_turns_of_the_owner),
        cmocka_unit_test(changes_of_one_kind_count_on_their_own),
        cmocka_unit_test(who_faints_loses_all_changes),
        cmocka_unit_test(who_has_no_living_warrior_loses),
        cmocka_unit_test(forty_turns_without_damage_are_a_draw),
        cmocka_unit_test(damage_begins_the_count_anew),
        cmocka_unit_test(seats_may_resign_or_agree_on_a_draw),
        cmocka_unit_test(friendly_fire_hits_the_own_side),
        cmocka_unit_test(the_second_seat_may_begin_with_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
