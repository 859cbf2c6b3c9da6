/* test_evaluate.c -- what the AI knows about Zorde: what units are worth, who wants to come closer,
 * which steps are tried first, and what an order may do to each cell. */
#include "games/zorde/test_scene.h"

/* What a unit is worth with this health, and this much attack in one order. */
static int32_t worth(int32_t health, int32_t attack) { return 10 * health + 150 + 8 * attack; }

static int32_t value(uint8_t seat) { return zorde_evaluator.evaluate(content, state, seat); }

static int32_t priority(const char *id, int x, int y) {
    return zorde_evaluator.priority(content, state, step_of(id, x, y));
}

/* [1.3] One who attacks after each step attacks more often, but hardly more than three times. */
static void units_count_by_health_and_attacks(void **unused) {
    (void)unused;
    begin("H0 T0");
    assert_int_equal(value(0), worth(100, 30) - worth(150, 20) + 3 * 2);
    begin("D0 T0");
    assert_int_equal(value(0), worth(120, 2 * 20) - worth(150, 20) + 3 * 2);
    begin("H0 G0");
    assert_int_equal(value(0), worth(100, 30) - worth(80, 3 * 10) - 3 * 2);
    set_health("H0", 70);
    assert_int_equal(value(0), worth(70, 30) - worth(80, 3 * 10) + 3 * 2);
}

/* All units count, those that are out do not; what one side has the other lacks. */
static void all_living_units_count(void **unused) {
    (void)unused;
    begin("H0 H1 T0\n"
          "G0 .. E0");
    int32_t calliance = 2 * worth(100, 30) + worth(70, 3 * 15);
    int32_t zorde = worth(150, 20) + worth(80, 3 * 10);
    assert_true(calliance > zorde);
    assert_int_equal(value(0), calliance - zorde - 3 * 5);
    assert_int_equal(value(1), -value(0));
    state->living[0] &= ~((uint64_t)1 << unit("H1"));
    calliance -= worth(100, 30);
    assert_true(calliance < zorde);
    assert_int_equal(value(1), zorde - calliance - 3 * 4);
    assert_int_equal(value(0), -value(1));
}

/* The stronger side, or either of equal ones, gains by coming closer to its nearest enemies. */
static void the_stronger_side_comes_closer(void **unused) {
    (void)unused;
    begin("H0 .. .. .. T0\n"
          ".. .. .. .. ..\n"
          ".. .. .. .. ..\n"
          ".. .. .. .. T1");
    assert_int_equal(zorde_evaluator.combat_distance(content, state), 2 * (4 + 4 + 4));
    int32_t before = value(1);
    state->units[unit("T1")].y = 1;
    assert_int_equal(value(1), before);
    state->units[unit("T1")].x = 2;
    assert_int_equal(zorde_evaluator.combat_distance(content, state), 2 * (2 + 4 + 2));
    assert_int_equal(value(1), before + 3 * 4);
    assert_int_equal(value(0), -value(1));
    begin("H0 .. .. G0");
    set_health("H0", 80);
    assert_int_equal(value(0), -3 * 6); /* both attack for 30 in one order */
    assert_int_equal(value(1), -3 * 6);
}

/* [5.1] [5.2] Fights that are won come first, by how much the strike takes; others come last. */
static void fights_are_tried_if_they_are_won(void **unused) {
    (void)unused;
    begin("H0 T0\n"
          "H1 ..");
    assert_int_equal(priority("H0", 1, 0), -1000);
    set_health("T0", 130); /* both fall */
    assert_int_equal(priority("H0", 1, 0), -1000);
    set_health("T0", 129);
    assert_int_equal(priority("H0", 1, 0), 1000 + 30);
    set_health("T0", 20); /* the strike is enough */
    assert_int_equal(priority("H0", 1, 0), 1000 + 20);
    set_health("H0", 1);
    assert_int_equal(priority("H0", 1, 0), 1000 + 20);
}

/* [4.1] A step into a friend is worse than any other but a lost fight. */
static void friends_are_avoided(void **unused) {
    (void)unused;
    begin("H0 .. .. .. .. .. .. .. T0\n"
          "H1 .. .. .. .. .. .. .. ..");
    assert_int_equal(priority("H0", 0, 1), -100);
    assert_true(priority("H0", 1, 1) > -100);
}

/* [3.2] [3.3] Steps are worth the attack that follows, and fewer cells to the nearest enemy. */
static void steps_lead_to_attacks(void **unused) {
    (void)unused;
    begin("T0 .. .. .. .. ..\n"
          ".. .. .. .. H0 ..\n"
          "T1 .. D0 .. .. ..");
    assert_int_equal(priority("H0", 3, 1), -3); /* no attack yet */
    state->units[unit("H0")].x = 2;
    state->mover = unit("H0");
    state->steps = 1;
    assert_int_equal(priority("H0", 1, 1), -1);
    state->steps = 2;
    assert_int_equal(priority("H0", 1, 1), 2 * 30 - 1);
    assert_int_equal(priority("H0", 1, 2), 30 - 1);
    assert_int_equal(priority("H0", 3, 1), -3);
    state->steps = 0;
    assert_int_equal(priority("D0", 1, 2), 20 - 1); /* after each step */
    assert_int_equal(priority("T1", 1, 1), 2 * 20 - 1);
}

/* [3.4] Two cells away is near enough for an elf's last step, and for no other. */
static void elves_shoot_at_the_end(void **unused) {
    (void)unused;
    begin("T0 .. .. .. E0\n"
          ".. .. .. .. ..");
    assert_int_equal(priority("E0", 3, 0), -3);
    state->units[unit("E0")].x = 3;
    state->mover = unit("E0");
    state->steps = 2;
    assert_int_equal(priority("E0", 2, 0), -2);
    assert_int_equal(priority("E0", 1, 0), 15 - 1);
    state->steps = 3;
    assert_int_equal(priority("E0", 2, 0), 15 - 2);
    assert_int_equal(priority("E0", 3, 1), -3);
}

/* [2.1] A turn is one order, however many steps it has. */
static void turns_are_orders(void **unused) {
    (void)unused;
    begin("H0 .. .. .. T0");
    step("H0", 1, 0);
    assert_int_equal(zorde_evaluator.turn_number(content, state), 0);
    step("H0", 0, 0);
    step("H0", 1, 0);
    assert_int_equal(zorde_evaluator.turn_number(content, state), 1);
}

/* What an order of the first unit may do at worst to the cells right of it. */
static void threatens(const char *drawing, const char *id, uint16_t health,
                      const int32_t expected[9]) {
    int32_t most[9] = {0};
    begin(drawing);
    set_health(id, health);
    zorde_game.threat(content, state, unit(id), most);
    for (int x = 1; x < 9; x++)
        assert_int_equal(most[x], expected[x]);
}

/* All attacks of an order count [3.2] [3.3], and a fight to the death [5.1] [5.2]. */
static void threats_are_what_an_order_can_do(void **unused) {
    (void)unused;
    threatens("T0 .. .. .. .. .. .. .. H0", "T0", 150,
              (int32_t[]){0, 20 + 20 + 150, 20, 0, 0, 0, 0, 0, 0});
    int32_t human = 30 + 30 + 100;
    threatens("H0 .. .. .. .. .. .. .. T0", "H0", 100,
              (int32_t[]){0, human, human, human, 30, 0, 0, 0, 0});
    int32_t dwarf = 2 * 20 + 20 + 120;
    threatens("D0 .. .. .. .. .. .. .. T0", "D0", 120,
              (int32_t[]){0, dwarf, dwarf, 20, 0, 0, 0, 0, 0});
    int32_t elf = 15 + 15 + 50; /* shoots at the end [3.4] */
    threatens(
        "E0 .. .. .. .. .. .. .. T0", "E0", 50,
        (int32_t[]){0, 4 * 15 + elf, 4 * 15 + elf, 3 * 15 + elf, 2 * 15 + elf, 15 + 15, 15, 0, 0});
    threatens("O0 .. .. .. .. .. .. .. H0", "O0", 100, /* heals itself before [4.2] */
              (int32_t[]){0, 30 + 30 + 100 + 10, 30, 0, 0, 0, 0, 0, 0});
}

/* Of several threats to a cell the greatest counts. */
static void greatest_threats_remain(void **unused) {
    (void)unused;
    begin("T0 .. ..\n"
          "H0 .. ..");
    int32_t rows[6] = {0, 0, 19, 0, 0, 21};
    zorde_game.threat(content, state, unit("T0"), rows);
    assert_int_equal(rows[2], 20);
    assert_int_equal(rows[3], 20 + 20 + 150);
    assert_int_equal(rows[5], 21);
}

#define KNOWS(test) cmocka_unit_test_teardown(test, scene_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        KNOWS(units_count_by_health_and_attacks),
        KNOWS(all_living_units_count),
        KNOWS(the_stronger_side_comes_closer),
        KNOWS(fights_are_tried_if_they_are_won),
        KNOWS(friends_are_avoided),
        KNOWS(steps_lead_to_attacks),
        KNOWS(elves_shoot_at_the_end),
        KNOWS(turns_are_orders),
        KNOWS(threats_are_what_an_order_can_do),
        KNOWS(greatest_threats_remain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
