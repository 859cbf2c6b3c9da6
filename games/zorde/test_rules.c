/* test_rules.c -- sections 1 to 6 of RULES.md by rule number, on drawn boards. */
#include "games/zorde/test_scene.h"

/* --- 1 Board and units ------------------------------------------------------------------------ */

/* [1.1] [1.2] x is the column, y the row, and every cell is plain. */
static void columns_and_rows(void **unused) {
    (void)unused;
    begin(".. .. H0\n"
          ".. T0 ..");
    assert_int_equal(content->limits.width, 3);
    assert_int_equal(content->limits.height, 2);
    assert_int_equal(state->units[unit("H0")].x, 2);
    assert_int_equal(state->units[unit("H0")].y, 0);
    assert_int_equal(state->units[unit("T0")].x, 1);
    assert_int_equal(state->units[unit("T0")].y, 1);
    expect(".. .. H0\n"
           ".. T0 ..",
           "H0 100, T0 150");
    char memory[32];
    MashText text = text_over(memory, sizeof memory);
    zorde_game.name(content, NULL, MASH_NAME_GROUND, 0, &text);
    assert_string_equal(memory, "plain");
}

/* [1.3] The numbers of the six kinds. */
static void figures_of_kinds(void **unused) {
    (void)unused;
    static const ZordeKind kinds[] = {
        {"human", 'H', 0, 3, 0, 100, 30, 0, 0, 0, {0}},
        {"elf", 'E', 0, 4, 1, 70, 15, 0, 15, 2, {0}},
        {"dwarf", 'D', 0, 2, 1, 120, 20, 0, 0, 0, {0}},
        {"ork", 'O', 1, 1, 0, 200, 30, 10, 0, 0, {0}},
        {"troll", 'T', 1, 1, 0, 150, 20, 0, 0, 0, {0}},
        {"goblin", 'G', 1, 4, 1, 80, 10, 0, 0, 0, {0}},
    };
    begin("H0 T0");
    assert_int_equal(zorde_setup(content)->kinds_count, 6);
    for (uint8_t i = 0; i < 6; i++) {
        uint8_t found = support_index(content, MASH_NAME_KIND, kinds[i].id);
        assert_int_not_equal(found, MASH_UNIT_NONE);
        assert_memory_equal(&zorde_setup(content)->kinds[found], &kinds[i], sizeof *kinds);
    }
}

/* [1.4] [1.5] IDs in ascending order are the numbers; everybody begins with full health. */
static void ids_and_health_at_the_start(void **unused) {
    (void)unused;
    begin("T1 .. O0 G0\n"
          ".. .. .. ..\n"
          "H9 H1 E0 D0");
    static const char *const ids[] = {"d0", "e0", "g0", "h1", "h9", "o0", "t1"};
    for (uint8_t i = 0; i < 7; i++) {
        char memory[8];
        MashText text = text_over(memory, sizeof memory);
        zorde_game.unit_name(content, state, i, &text);
        assert_string_equal(memory, ids[i]);
    }
    assert_int_equal(content->limits.units, 7);
    expect("T1 .. O0 G0\n"
           ".. .. .. ..\n"
           "H9 H1 E0 D0",
           "D0 120, E0 70, G0 80, H1 100, H9 100, O0 200, T1 150");
}

/* --- 2 Turns and orders ----------------------------------------------------------------------- */

/* [2.1] */
static void calliance_begins_and_turns_alternate(void **unused) {
    (void)unused;
    begin(".. .. .. .. ..\n"
          "D0 .. .. .. T0");
    expect_result(false, MASH_SEAT_NONE, MASH_REASON_NONE);
    assert_int_equal(zorde_game.awaited(content, state), 1);
    refused(step_of("T0", 4, 0), MASH_NOT_YOUR_TURN);
    assert_int_equal(count_steps(1), 0);
    step("D0", 0, 0);
    assert_int_equal(zorde_game.awaited(content, state), 1);
    told("moved");
    step("D0", 1, 0);
    assert_int_equal(zorde_game.awaited(content, state), 2);
    told("moved turn-began");
    said("Dwarf D0 moves from 0,0 to 1,0.\nZorde's turn.");
    step("T0", 4, 0);
    assert_int_equal(zorde_game.awaited(content, state), 1);
    assert_int_equal(state->orders, 2);
}

/* [2.2] One living unit of one's own, to the end of its order. */
static void an_order_is_finished_by_the_unit_that_began_it(void **unused) {
    (void)unused;
    begin("H0 .. .. ..\n"
          ".. .. .. ..\n"
          "D0 D1 .. T0");
    MashAction enemys = step_of("T0", 3, 1);
    enemys.seat = ZORDE_CALLIANCE;
    refused(enemys, MASH_NOT_YOUR_UNIT);
    assert_int_equal(count_steps(0), 3 + 3 + 5);
    step("H0", 1, 0);
    refused(step_of("D0", 0, 1), MASH_UNIT_BUSY);
    refused(step_of("T0", 3, 1), MASH_NOT_YOUR_TURN);
    assert_int_equal(count_steps(0), 5);
    step("H0", 0, 0);
    step("H0", 1, 0);
    assert_int_equal(state->turn, ZORDE_ZORDE);
    set_health("D1", 20);
    step("T0", 2, 1);
    refused(step_of("D1", 1, 1), MASH_UNIT_OUT);
    assert_int_equal(count_steps(0), 5 + 3);
}

/* [2.3] A neighbour, on the board, whatever unit is there. */
static void a_step_goes_to_a_neighbour(void **unused) {
    (void)unused;
    begin("H0 D0 ..\n"
          "T0 .. ..\n"
          ".. .. ..");
    refused(step_of("H0", 0, 0), MASH_NOT_A_STEP);
    refused(step_of("H0", 2, 0), MASH_NOT_A_STEP);
    refused(step_of("H0", 1, 2), MASH_NOT_A_STEP);
    refused(step_of("H0", -1, 0), MASH_OFF_BOARD);
    refused(step_of("H0", 0, -1), MASH_OFF_BOARD);
    refused(step_of("H0", 3, 0), MASH_OFF_BOARD);
    refused(step_of("H0", 0, 3), MASH_OFF_BOARD);
    refused(step_of("H0", -128, 127), MASH_OFF_BOARD);
    assert_int_equal(zorde_game.check(content, state, step_of("H0", 1, 0)), MASH_OK);
    assert_int_equal(zorde_game.check(content, state, step_of("H0", 0, 1)), MASH_OK);
    assert_int_equal(zorde_game.check(content, state, step_of("H0", 1, 1)), MASH_OK);
}

/* [2.3] An action has only one encoding, and nonsense is refused. */
static void nonsense_is_refused(void **unused) {
    (void)unused;
    begin("H0 .. T0");
    MashAction action = step_of("H0", 1, 0);
    action.verb = 2;
    refused(action, MASH_NO_SUCH_ACTION);
    action = step_of("H0", 1, 0), action.ability = 1;
    refused(action, MASH_NO_SUCH_ACTION);
    action = step_of("H0", 1, 0), action.other = 1;
    refused(action, MASH_NO_SUCH_ACTION);
    action = step_of("H0", 1, 0), action.amount = 1;
    refused(action, MASH_NO_SUCH_ACTION);
    action = step_of("H0", 1, 0), action.unit = 2;
    refused(action, MASH_NO_SUCH_UNIT);
    action.unit = MASH_UNIT_NONE;
    refused(action, MASH_NO_SUCH_UNIT);
    action = step_of("H0", 1, 0), action.seat = 2;
    refused(action, MASH_NOT_A_SEAT);
    action.seat = MASH_SEAT_SERVER;
    refused(action, MASH_NOT_A_SEAT);
}

/* [2.4] All steps, a friend, a fight: each completes an order. */
static void an_order_is_complete(void **unused) {
    (void)unused;
    begin("H0 D0 .. .. .. T0\n"
          ".. .. .. .. .. T1");
    step("H0", 1, 1), step("H0", 0, 1);
    assert_int_equal(state->mover, unit("H0"));
    step("H0", 0, 0);
    assert_int_equal(state->mover, MASH_UNIT_NONE);
    assert_int_equal(state->turn, ZORDE_ZORDE);
    step("T0", 4, 0);
    step("H0", 1, 0);
    assert_int_equal(state->mover, MASH_UNIT_NONE);
    assert_int_equal(state->turn, ZORDE_ZORDE);
    step("T0", 3, 0);
    step("D0", 2, 0), step("D0", 3, 0);
    assert_int_equal(state->mover, MASH_UNIT_NONE);
    assert_int_equal(state->turn, ZORDE_ZORDE);
}

/* [2.5] The smallest boards, with both units in corners. */
static void there_is_always_a_step(void **unused) {
    (void)unused;
    begin("H0 T0");
    assert_int_equal(count_steps(0), 1);
    begin("H0\nT0");
    assert_int_equal(count_steps(0), 1);
    step("H0", 0, 1);
    expect("..\nT0", "T0 20");
}

/* --- 3 Moving and attacking ------------------------------------------------------------------- */

/* [3.1] [3.2] [3.3] A human attacks only after the third step, all adjacent enemies and none
 * farther. */
static void last_step_attack(void **unused) {
    (void)unused;
    begin(".. T0 .. ..\n"
          "T1 .. G0 O0\n"
          ".. T2 .. ..\n"
          "H0 .. .. ..");
    step("H0", 1, 3);
    told("moved");
    step("H0", 0, 2);
    told("moved");
    expect(".. T0 .. ..\n"
           "T1 .. G0 O0\n"
           "H0 T2 .. ..\n"
           ".. .. .. ..",
           "G0 80, H0 100, O0 200, T0 150, T1 150, T2 150");
    step("H0", 1, 1);
    told("moved attacked hurt attacked hurt attacked hurt attacked hurt turn-began");
    expect(".. T0 .. ..\n"
           "T1 H0 G0 O0\n"
           ".. T2 .. ..\n"
           ".. .. .. ..",
           "G0 50, H0 100, O0 200, T0 120, T1 120, T2 120");
}

/* [3.2] [3.3] A dwarf and a goblin attack after every step; friends are not touched. */
static void each_step_attack(void **unused) {
    (void)unused;
    begin(".. .. .. T0\n"
          "D0 H0 .. ..\n"
          ".. .. .. ..");
    step("D0", 1, 0);
    told("moved");
    step("D0", 2, 0);
    expect(".. .. D0 T0\n"
           ".. H0 .. ..\n"
           ".. .. .. ..",
           "D0 120, H0 100, T0 130");
    begin("H0 .. .. G0\n"
          "D0 .. .. ..");
    turn_to("G0");
    step("G0", 2, 1), step("G0", 1, 1), step("G0", 1, 0);
    assert_int_equal(state->turn, ZORDE_ZORDE);
    step("G0", 2, 0);
    expect("H0 .. G0 ..\n"
           "D0 .. .. ..",
           "D0 100, G0 80, H0 80");
}

/* [3.3] The corners of the neighbourhood count, a cell farther does not. */
static void attack_reaches_eight_cells(void **unused) {
    (void)unused;
    begin("H0 .. H1 .. H2\n"
          ".. .. .. .. ..\n"
          "D0 .. .. .. D1\n"
          ".. .. O0 .. ..\n"
          "E0 .. .. .. E1");
    turn_to("O0");
    step("O0", 1, 3);
    told("moved attacked hurt attacked hurt turn-began");
    expect("H0 .. H1 .. H2\n"
           ".. .. .. .. ..\n"
           "D0 .. .. .. D1\n"
           ".. O0 .. .. ..\n"
           "E0 .. .. .. E1",
           "D0 90, D1 120, E0 40, E1 70, H0 100, H1 100, H2 100, O0 200");
}

/* [3.4] Three ordinary attacks, then the ranged one over two cells instead of the fourth. */
static void elf_shoots_after_its_last_step(void **unused) {
    (void)unused;
    begin("E0 .. .. .. .. .. ..\n"
          ".. .. .. .. .. .. T1\n"
          ".. .. .. .. T0 .. ..\n"
          ".. .. .. .. .. .. ..\n"
          ".. .. .. .. G0 .. T2");
    step("E0", 1, 1), step("E0", 2, 2);
    told("moved");
    step("E0", 3, 1);
    told("moved attacked hurt");
    assert_int_equal(event_list[1].what, ZORDE_ATTACK);
    step("E0", 4, 1);
    told("moved attacked hurt attacked hurt turn-began");
    assert_int_equal(event_list[1].what, ZORDE_RANGED_ATTACK);
    expect(".. .. .. .. .. .. ..\n"
           ".. .. .. .. E0 .. T1\n"
           ".. .. .. .. T0 .. ..\n"
           ".. .. .. .. .. .. ..\n"
           ".. .. .. .. G0 .. T2",
           "E0 70, G0 80, T0 120, T1 135, T2 150");
}

/* [3.4] A range of one cell is a ranged attack, too. */
static void a_ranged_attack_may_be_short(void **unused) {
    (void)unused;
    begin("E0 .. .. T0");
    ZordeSetup *field = &((ZordeContent *)(void *)content->body)->field;
    ZordeKind *elf = &field->kinds[field->units[unit("E0")].kind];
    elf->range = 1;
    elf->ranged_attack = 40;
    step("E0", 1, 0), step("E0", 0, 0), step("E0", 1, 0), step("E0", 2, 0);
    assert_int_equal(event_list[1].what, ZORDE_RANGED_ATTACK);
    expect(".. .. E0 T0", "E0 70, T0 110");
}

/* [3.5] Never below 0; the cell of a dead unit can be entered by the very next step. */
static void the_dead_leave_at_once(void **unused) {
    (void)unused;
    begin("D0 .. T0 T1");
    set_health("T0", 5);
    step("D0", 1, 0);
    told("moved attacked hurt died");
    said("Dwarf D0 moves from 0,0 to 1,0.\nDwarf D0 hits Troll T0 at 2,0 (attack).\nTroll T0 loses "
         "5 health.\nTroll T0 is defeated at 2,0 by Dwarf D0.");
    assert_int_equal(event_list[2].amount, 5);
    expect(".. D0 .. T1", "D0 120, T1 150");
    set_health("T1", 21); /* the next attack leaves 1 */
    step("D0", 2, 0);
    expect(".. .. D0 T1", "D0 120, T1 1");
    assert_int_equal(zorde_game.figure(content, state, unit("D0"), ZORDE_FIGURE_DAMAGE), 25);
    assert_int_equal(zorde_game.figure(content, state, unit("D0"), ZORDE_FIGURE_KILLS), 1);
}

/* [3.6] Attacked units and bystanders do nothing. */
static void nobody_strikes_back(void **unused) {
    (void)unused;
    begin("D0 .. T0\n"
          "H0 .. T1");
    step("D0", 1, 0);
    step("D0", 0, 0);
    expect("D0 .. T0\n"
           "H0 .. T1",
           "D0 120, H0 100, T0 130, T1 130");
}

/* --- 4 Friends and healing -------------------------------------------------------------------- */

/* [4.1] Stays, is done, and does not attack: human on the last step, dwarf, elf at the end. */
static void a_friend_stops_an_order(void **unused) {
    (void)unused;
    begin("H0 .. D0 E0\n"
          ".. T0 .. ..");
    step("H0", 1, 0), step("H0", 0, 0), step("H0", 1, 0);
    assert_int_equal(state->units[unit("T0")].health, 120);
    turn_to("H0");
    step("H0", 2, 0);
    told("blocked turn-began");
    said("Human H0 is blocked by Dwarf D0 at 2,0 and stays at 1,0.\nZorde's turn.");
    turn_to("E0");
    step("E0", 3, 1), step("E0", 3, 0), step("E0", 3, 1);
    told("moved");
    step("E0", 2, 0);
    told("blocked turn-began");
    expect(".. H0 D0 ..\n"
           ".. T0 .. E0",
           "D0 120, E0 70, H0 100, T0 120");
    turn_to("H0");
    step("H0", 0, 0), step("H0", 1, 0), step("H0", 2, 0);
    told("blocked turn-began");
    assert_int_equal(state->units[unit("T0")].health, 120);
}

/* [4.2] Itself, neighbours and another ork by 10 and never above full; nobody two cells away. */
static void an_ork_heals_before_it_steps(void **unused) {
    (void)unused;
    begin("T0 G0 .. .. H0\n"
          "O1 O0 .. .. ..\n"
          ".. .. .. T1 ..\n"
          "D0 .. .. .. ..");
    set_health("T0", 100), set_health("G0", 75), set_health("O1", 1), set_health("O0", 150);
    set_health("T1", 10);
    set_health("D0", 50);
    turn_to("O0");
    step("O0", 1, 2);
    told("healed healed healed healed moved attacked hurt turn-began");
    assert_int_equal(event_list[0].amount, 5);
    assert_int_equal(event_list[1].amount, 10);
    expect("T0 G0 .. .. H0\n"
           "O1 .. .. .. ..\n"
           ".. O0 .. T1 ..\n"
           "D0 .. .. .. ..",
           "D0 20, G0 80, H0 100, O0 160, O1 11, T0 110, T1 10");
    assert_int_equal(zorde_game.figure(content, state, unit("O0"), ZORDE_FIGURE_HEALING), 35);
    assert_int_equal(zorde_game.figure(content, state, MASH_UNIT_SIDE + 1, ZORDE_FIGURE_HEALING),
                     35);
    assert_int_equal(zorde_game.figure(content, state, MASH_UNIT_SIDE, ZORDE_FIGURE_HEALING), 0);
}

/* [4.3] Healing comes first, whether a friend or an enemy is in the way. */
static void an_ork_heals_when_stopped_or_fighting(void **unused) {
    (void)unused;
    begin("T0 O0 H0");
    set_health("T0", 100), set_health("O0", 100);
    turn_to("O0");
    step("O0", 0, 0);
    told("healed healed blocked turn-began");
    expect("T0 O0 H0", "H0 100, O0 110, T0 110");
    turn_to("O0");
    step("O0", 2, 0);
    told("healed healed attacked hurt fought hurt hurt died moved match-ended");
    expect("T0 .. O0", "O0 50, T0 120");
}

/* --- 5 Fights to the death -------------------------------------------------------------------- */

/* [5.1] [5.2] [5.3] The example of the rules: a human of 100 steps onto an ork of 60. No other unit
 * is affected, and the winner attacks no more [5.5]. */
static void an_attacker_wins(void **unused) {
    (void)unused;
    begin("H0 O0 T0\n"
          ".. T1 ..");
    set_health("O0", 60);
    step("H0", 1, 0);
    told("attacked hurt fought hurt hurt died moved turn-began");
    said("Human H0 hits Ork O0 at 1,0 (first strike).\nOrk O0 loses 30 health.\nHuman H0 and Ork "
         "O0 fight to the death at 1,0: the attacker wins.\nOrk O0 loses 30 health.\nHuman H0 "
         "loses 30 health.\nOrk O0 is defeated at 1,0 by Human H0.\nHuman H0 moves from 0,0 to "
         "1,0.\nZorde's turn.");
    expect(".. H0 T0\n"
           ".. T1 ..",
           "H0 70, T0 150, T1 150");
}

/* [5.1] [5.2] A strike that is enough alone costs the attacker nothing. */
static void a_strike_may_be_enough(void **unused) {
    (void)unused;
    begin("H0 O0 T0");
    set_health("O0", 30);
    step("H0", 1, 0);
    told("attacked hurt fought died moved turn-began");
    expect(".. H0 T0", "H0 100, T0 150");
}

/* [5.2] [5.3] The defender has more: it stays, less what the attacker had. */
static void a_defender_wins(void **unused) {
    (void)unused;
    begin("H0 T0 D0");
    step("H0", 1, 0);
    told("attacked hurt fought hurt hurt died turn-began");
    assert_int_equal(event_list[2].what, ZORDE_DEFENDER_WON);
    expect(".. T0 D0", "D0 120, T0 20");
    assert_int_equal(zorde_game.figure(content, state, unit("T0"), ZORDE_FIGURE_KILLS), 1);
}

/* [5.4] Equal after the strike, not before it. */
static void equals_fall_together(void **unused) {
    (void)unused;
    begin("H0 T0 T1 D0");
    set_health("T0", 130);
    step("H0", 1, 0);
    told("attacked hurt fought hurt hurt died died turn-began");
    assert_int_equal(event_list[2].what, ZORDE_BOTH_FELL);
    expect(".. .. T1 D0", "D0 120, T1 150");
    begin("H0 T0 T1 D0");
    set_health("T0", 100);
    step("H0", 1, 0);
    expect(".. H0 T1 D0", "D0 120, H0 30, T1 150");
}

/* [5.5] An elf that fights on its second step neither continues nor shoots. */
static void a_fight_ends_the_order(void **unused) {
    (void)unused;
    begin("E0 .. T0 .. T1\n"
          ".. .. .. .. G0");
    set_health("T0", 20);
    step("E0", 1, 0);
    step("E0", 2, 0);
    told("attacked hurt fought died moved turn-began");
    expect(".. .. E0 .. T1\n"
           ".. .. .. .. G0",
           "E0 70, G0 80, T1 150");
    assert_int_equal(state->mover, MASH_UNIT_NONE);
    assert_int_equal(state->turn, ZORDE_ZORDE);
}

/* --- 6 The end -------------------------------------------------------------------------------- */

/* [6.1] Immediately, with steps of the order left. */
static void a_side_without_units_has_lost(void **unused) {
    (void)unused;
    begin("D0 .. T0");
    set_health("T0", 20);
    step("D0", 1, 0);
    told("moved attacked hurt died match-ended");
    said("Dwarf D0 moves from 0,0 to 1,0.\nDwarf D0 hits Troll T0 at 2,0 (attack).\nTroll T0 loses "
         "20 health.\nTroll T0 is defeated at 2,0 by Dwarf D0.\nThe match is over, Calliance wins: "
         "last unit defeated.");
    expect_result(true, ZORDE_CALLIANCE, ZORDE_REASON_BEATEN);
    refused(step_of("D0", 2, 0), MASH_MATCH_OVER);
    assert_int_equal(count_steps(0), 0);
    begin("H0 O0");
    step("H0", 1, 0);
    expect_result(true, ZORDE_ZORDE, ZORDE_REASON_BEATEN);
}

/* [6.2] */
static void last_units_may_fall_together(void **unused) {
    (void)unused;
    begin("H0 T0");
    set_health("T0", 130);
    step("H0", 1, 0);
    told("attacked hurt fought hurt hurt died died match-ended");
    expect(".. ..", "");
    expect_result(true, MASH_SEAT_NONE, ZORDE_REASON_BOTH_FELL);
}

/* Far apart, each side moves back and forth until `orders` are complete. */
static void wander(uint32_t orders) {
    begin("D0 .. .. .. T0\n"
          ".. .. .. .. ..");
    while (state->orders < orders) {
        if (state->turn == ZORDE_CALLIANCE) {
            step("D0", 0, 1), step("D0", 0, 0);
        } else {
            step("T0", 4, state->units[unit("T0")].y == 0 ? 1 : 0);
        }
    }
}

/* [6.3] Drawn after 400 orders; a win by the last of them counts. */
static void four_hundred_orders(void **unused) {
    (void)unused;
    wander(399);
    expect_result(false, MASH_SEAT_NONE, MASH_REASON_NONE);
    step("T0", 4, 0);
    told("moved match-ended");
    said("Troll T0 moves from 4,1 to 4,0.\nThe match is over: limit of 400 orders reached.");
    expect_result(true, MASH_SEAT_NONE, ZORDE_REASON_ORDERS);
    wander(399);
    state->units[unit("D0")] = (ZordeUnit){3, 0, 20};
    step("T0", 4, 0);
    told("moved attacked hurt died match-ended");
    expect_result(true, ZORDE_ZORDE, ZORDE_REASON_BEATEN);
    assert_int_equal(content->limits.length_max, 400 * 4);
}

/* --- What the interface promises beside the rules --------------------------------------------- */

static void every_games_verbs(void **unused) {
    (void)unused;
    begin("D0 .. .. T0");
    MashAction resign = {.verb = MASH_VERB_RESIGN, .seat = 1};
    MashAction offer = {.verb = MASH_VERB_DRAW_OFFER, .seat = 0};
    assert_int_equal(try(offer), MASH_OK);
    step("D0", 1, 0), step("D0", 0, 0);
    assert_int_equal(state->common.draw_offer, 1);
    step("T0", 2, 0);
    told("moved draw-declined turn-began");
    assert_int_equal(try(resign), MASH_OK);
    expect_result(true, ZORDE_CALLIANCE, MASH_REASON_RESIGNED);
    said("The match is over, Calliance wins: resignation.");
}

/* A list is ascending, every entry has a notation of its own, and check() accepts exactly these. */
static void lists_words_and_judgement_agree(void **unused) {
    (void)unused;
    begin(".. D0 .. ..\n"
          ".. .. E0 ..\n"
          "H0 .. .. T0");
    MashAction list[LIST_MAX];
    uint32_t count = zorde_game.actions(content, state, 0, list), accepted = 0;
    assert_int_equal(count, 5 + 8 + 3);
    for (uint32_t i = 1; i < count; i++)
        assert_true(mash_action_compare(list[i - 1], list[i]) < 0);
    char memory[32];
    MashText text = text_over(memory, sizeof memory);
    zorde_game.notation(content, state, list[count - 1], &text);
    assert_string_equal(memory, "step h0 1 2");
    for (int number = 0; number < 4 * 256 * 256; number++) {
        MashAction action = {.verb = ZORDE_VERB_STEP,
                             .unit = (uint8_t)(number >> 16),
                             .x = (int8_t)(number >> 8 & 255),
                             .y = (int8_t)(number & 255)};
        accepted += zorde_game.check(content, state, action) == MASH_OK;
    }
    assert_int_equal(accepted, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(zorde_game.check(content, state, list[i]), MASH_OK);
}

/* What a page draws during an order: who is active, who is done, how many steps are left. */
static void board_during_an_order(void **unused) {
    (void)unused;
    begin("H0 D0 .. O0");
    uint8_t ground[4], order[3];
    uint16_t wear[4];
    MashToken tokens[3];
    MashMeter meters[18];
    MashBoard board = {.ground = ground,
                       .ground_health = wear,
                       .tokens = tokens,
                       .meters = meters,
                       .order = order};
    zorde_game.show(content, state, &board);
    assert_int_equal(board.phase, ZORDE_PHASE_CHOOSE);
    assert_int_equal(board.active, MASH_UNIT_NONE);
    assert_int_equal(order[0], MASH_UNIT_SIDE);
    step("D0", 2, 0);
    zorde_game.show(content, state, &board);
    assert_int_equal(board.phase, ZORDE_PHASE_FINISH);
    assert_int_equal(board.active, unit("D0"));
    assert_int_equal(board.order_count, 2);
    assert_int_equal(order[0], unit("D0"));
    assert_int_equal(order[1], MASH_UNIT_SIDE + 1);
    assert_int_equal(tokens[unit("H0")].flags, MASH_TOKEN_DONE);
    assert_int_equal(tokens[unit("D0")].flags, 0);
    assert_int_equal(tokens[unit("O0")].flags, 0);
    int found = 0;
    for (uint32_t i = 0; i < board.meters_count; i++) {
        MashMeter m = meters[i];
        found += m.unit == unit("D0") && m.meter == ZORDE_METER_STEPS && m.now == 1 && m.most == 2;
        found +=
            m.unit == unit("O0") && m.meter == ZORDE_METER_HEALTH && m.now == 180 && m.most == 200;
        found += m.unit == MASH_UNIT_SIDE && m.meter == ZORDE_METER_UNITS && m.now == 2;
        found += m.unit == MASH_UNIT_NONE && m.meter == ZORDE_METER_ORDERS && m.now == 0 &&
                 m.most == 400;
    }
    assert_int_equal(found, 4);
    step("D0", 3, 0);
    zorde_game.show(content, state, &board);
    assert_int_equal(tokens[unit("D0")].place, MASH_GONE);
}

static void options_are_refused(void **unused) {
    (void)unused;
    begin("H0 T0");
    int32_t value = 1;
    MashSetup setup = {&value, 1};
    MashChance chance = chance_scripted(NULL, 0);
    assert_int_equal(zorde_game.setup(content, &setup, &chance, state), MASH_BAD_OPTION);
}

#define RULE(test) cmocka_unit_test_teardown(test, scene_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        RULE(columns_and_rows),
        RULE(figures_of_kinds),
        RULE(ids_and_health_at_the_start),
        RULE(calliance_begins_and_turns_alternate),
        RULE(an_order_is_finished_by_the_unit_that_began_it),
        RULE(a_step_goes_to_a_neighbour),
        RULE(nonsense_is_refused),
        RULE(an_order_is_complete),
        RULE(there_is_always_a_step),
        RULE(last_step_attack),
        RULE(each_step_attack),
        RULE(attack_reaches_eight_cells),
        RULE(elf_shoots_after_its_last_step),
        RULE(a_ranged_attack_may_be_short),
        RULE(the_dead_leave_at_once),
        RULE(nobody_strikes_back),
        RULE(a_friend_stops_an_order),
        RULE(an_ork_heals_before_it_steps),
        RULE(an_ork_heals_when_stopped_or_fighting),
        RULE(an_attacker_wins),
        RULE(a_strike_may_be_enough),
        RULE(a_defender_wins),
        RULE(equals_fall_together),
        RULE(a_fight_ends_the_order),
        RULE(a_side_without_units_has_lost),
        RULE(last_units_may_fall_together),
        RULE(four_hundred_orders),
        RULE(every_games_verbs),
        RULE(lists_words_and_judgement_agree),
        RULE(board_during_an_order),
        RULE(options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
