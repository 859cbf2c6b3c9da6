/* test_net_input.c -- what the net is told of a position of Zorde: who can hurt, defeat or heal
 * whom with the next order. */
#include "games/zorde/net_input.h"
#include "games/zorde/test_scene.h"

enum {
    ONE = TABLE_NET_ONE,
    HEALTH = 1,
    SHARE,
    BLOW = 8,
    FELLS,
    BEATS,
    TARGETS,
    FOES,
    DANGER,
    MORTAL,
    BEATEN,
    NEAREST,
    BESIDE = 19,
    HEALING,
    EDGE,
};

static TableNetInput input;

/* Describes the position; a feature of a side's unit. */
static int told_of(int seat, int number, int feature) {
    memset(&input, 0x55, sizeof input);
    assert_true(zorde_net_input(content, state, &input));
    assert_in_range(number, 0, input.counts[seat] - 1);
    return input.units[seat][number][feature];
}

/* [3.2] One who attacks with the last step reaches as far as its steps, and one further. */
static void attacks_at_the_end(void **unused) {
    (void)unused;
    begin("H0 .. .. .. T0");
    assert_int_equal(told_of(0, 0, BLOW), 30 * ONE / 40);
    assert_int_equal(told_of(0, 0, TARGETS), ONE / 2);
    assert_int_equal(told_of(0, 0, FOES), 0);
    assert_int_equal(told_of(1, 0, FOES), ONE / 2);
    assert_int_equal(told_of(1, 0, DANGER), 30 * ONE / 150);
    assert_int_equal(told_of(1, 0, BLOW), 0);
    assert_int_equal(told_of(1, 0, NEAREST), 4 * ONE / 4);
    begin("H0 .. .. .. .. T0");
    assert_int_equal(told_of(0, 0, TARGETS), 0);
    assert_int_equal(told_of(1, 0, DANGER), 0);
}

/* [3.2] [3.4] One who attacks with each step does so as often as it stands beside the enemy; an
 * elf's last attack reaches further. */
static void attacks_with_each_step(void **unused) {
    (void)unused;
    static const int damage[] = {60, 60, 45, 30, 15, 15};
    for (int distance = 1; distance <= 7; distance++) {
        char row[64] = "E0";
        for (int i = 1; i < distance; i++)
            strcat(row, " ..");
        strcat(row, " O0");
        begin(row);
        int done = distance == 7 ? 0 : damage[distance - 1];
        assert_int_equal(told_of(0, 0, BLOW), done * ONE / 40);
        assert_int_equal(told_of(1, 0, DANGER), done * ONE / 200);
    }
    begin("D0 .. G0");
    assert_int_equal(told_of(0, 0, BLOW), 40 * ONE / 40);
    assert_int_equal(told_of(1, 0, BLOW), 40 * ONE / 40);
}

/* Attacks alone defeat, or a fight that the attacker survives does [5.2], [5.4]. */
static void who_defeats_whom(void **unused) {
    (void)unused;
    begin("H0 .. .. T0");
    assert_int_equal(told_of(0, 0, BEATS), 0);
    set_health("T0", 129);
    assert_int_equal(told_of(0, 0, BEATS), ONE);
    assert_int_equal(told_of(1, 0, BEATEN), ONE);
    assert_int_equal(told_of(0, 0, FELLS), 0);
    set_health("T0", 130);
    assert_int_equal(told_of(0, 0, BEATS), 0);
    assert_int_equal(told_of(1, 0, BEATEN), 0);
    set_health("T0", 30);
    assert_int_equal(told_of(0, 0, FELLS), ONE);
    assert_int_equal(told_of(1, 0, MORTAL), ONE);
    assert_int_equal(told_of(1, 0, HEALTH), 30 * ONE / 50);
    assert_int_equal(told_of(1, 0, SHARE), 30 * ONE / 150);
}

/* [4.2] Who stands beside friends, and what healers among them can do. */
static void friends_and_edges(void **unused) {
    (void)unused;
    begin("O0 T0 .. H0\n"
          ".. O1 .. ..\n"
          ".. .. .. ..");
    assert_int_equal(told_of(1, 0, BESIDE), 2 * ONE / 2);
    assert_int_equal(told_of(1, 0, HEALING), 20 * ONE / 10);
    assert_int_equal(told_of(0, 0, BESIDE), 0);
    assert_int_equal(told_of(0, 0, HEALING), 0);
    assert_int_equal(told_of(0, 0, EDGE), 0);
    assert_int_equal(told_of(1, 1, EDGE), 2 * ONE / 4);
}

/* Whose order it is, how many units there are, how large the board is, and how late it is. */
static void sides_and_time(void **unused) {
    (void)unused;
    begin("H0 H1 .. T0");
    told_of(0, 0, 0);
    assert_int_equal(input.sides[0][0], ONE);
    assert_int_equal(input.sides[1][0], 0);
    assert_int_equal(input.sides[0][1], 2 * ONE / 2);
    assert_int_equal(input.table[0], 5 * ONE / 10);
    assert_int_equal(input.table[1], 0);
    turn_to("T0");
    state->orders = 350;
    told_of(0, 0, 0);
    assert_int_equal(input.sides[1][0], ONE);
    assert_int_equal(input.table[1], ONE / 2);
}

/* Nine units of a side are too many from the beginning, even when some have fallen. */
static void too_many_units(void **unused) {
    (void)unused;
    begin("H0 H1 H2 H3 H4 H5 H6 H7 H8 .. T0");
    assert_false(zorde_net_input(content, state, &input));
    state->living[0] = (uint64_t)1 << unit("H0");
    assert_false(zorde_net_input(content, state, &input));
    begin("H0 H1 H2 H3 H4 H5 H6 H7 .. .. T0");
    assert_true(zorde_net_input(content, state, &input));
    assert_int_equal(input.counts[0], 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(attacks_at_the_end, scene_end),
        cmocka_unit_test_teardown(attacks_with_each_step, scene_end),
        cmocka_unit_test_teardown(who_defeats_whom, scene_end),
        cmocka_unit_test_teardown(friends_and_edges, scene_end),
        cmocka_unit_test_teardown(sides_and_time, scene_end),
        cmocka_unit_test_teardown(too_many_units, scene_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
