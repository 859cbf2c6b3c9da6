/* test_effects.c -- section 7 of RULES.md by number: what effects change, how it is undone, exact
 * arithmetic. */
#include "tests/support/support.h"

#include "games/ultimate-war/test_scene.h"

static const char *const two = "thor . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . loki";

/* --- 7.1 to 7.3 ------------------------------------------------------------------------------- */

/* [7.1] In the order of arrival, each independently. */
static void effects_stack(void **unused) {
    (void)unused;
    draw("thor", "loki", two);
    give("loki", EFFECT_SHOCK, 1);
    give("loki", EFFECT_ROOT, 3);
    give("loki", EFFECT_SHOCK, 2);
    const Champion *loki = called("loki");
    assert_int_equal(loki->effects_count, 3);
    assert_int_equal(loki->effects[0], EFFECT_SHOCK << 4 | 1);
    assert_int_equal(loki->effects[2], EFFECT_SHOCK << 4 | 2);
    assert_int_equal(loki->points_turn, 3);
    assert_int_equal(loki->speed, 56); /* 70, 63, 56 */
    done("end thor");
    assert_int_equal(loki->effects_count, 2);
    assert_int_equal(loki->effects[0], EFFECT_ROOT << 4 | 2);
    assert_int_equal(loki->points_turn, 4);
    assert_int_equal(loki->speed, 62); /* 56 / 0.9 */
}

/* [7.1] The 33rd does nothing at all. */
static void a_33rd_effect_does_nothing(void **unused) {
    (void)unused;
    draw("spid", "loki", "spid loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("spid");
    for (int i = 0; i < EFFECTS_MAX; i++)
        give("loki", EFFECT_ROOT, 9);
    Champion before = *called("loki");
    done("cast spid give-me-that 1 0");
    assert_memory_equal(called("loki"), &before, sizeof before);
    assert_int_equal(called("spid")->mana, 670);
    give("loki", EFFECT_EMBRACE, 2);
    assert_memory_equal(called("loki"), &before, sizeof before);
}

/* [7.2] A Stun that ends checks what is left. */
static void effects_leave_before_they_are_undone(void **unused) {
    (void)unused;
    draw("thor", "loki", two);
    give("loki", EFFECT_ROOT, 5);
    give("loki", EFFECT_STUN, 1);
    give("loki", EFFECT_STUN, 2);
    end_effect("loki", EFFECT_STUN);
    assert_int_equal(ultimate_war_condition(called("loki")), CONDITION_INACTIVE);
    end_effect("loki", EFFECT_STUN);
    assert_int_equal(ultimate_war_condition(called("loki")), CONDITION_ROOTED);
    end_effect("loki", EFFECT_ROOT);
    assert_int_equal(ultimate_war_condition(called("loki")), CONDITION_ACTIVE);
}

/* Both directions of one factor against doubles. */
static void as_doubles(int32_t value, int percent, double factor) {
    if (ultimate_war_raised(value, percent) != (int32_t)(value * factor))
        fail_msg("%d * %d %%", value, percent);
    if (ultimate_war_lowered(value, percent) != (int32_t)(value / factor))
        fail_msg("%d / %d %%", value, percent);
}

/* [7.3] Equal to doubles: all values up to 200,000, and many up to 800 million. */
static void arithmetic_is_that_of_doubles(void **unused) {
    (void)unused;
    static const int percents[] = {102, 105, 115, 120, 90, 150};
    static const double factors[] = {1.02, 1.05, 1.15, 1.2, 0.9, 1.5};
    uint64_t random = 1;
    for (int i = 0; i < 6; i++) {
        for (int32_t value = 0; value <= 200000; value++)
            as_doubles(value, percents[i], factors[i]);
        for (int j = 0; j < 200000; j++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            int32_t value = (int32_t)((random >> 33) % 666666666);
            as_doubles(value - value % 20, percents[i], factors[i]);
            as_doubles(value, percents[i], factors[i]);
        }
    }
    assert_int_equal(ultimate_war_raised(100, 115), 114);
    assert_int_equal(ultimate_war_raised(20, 115), 23);
    assert_int_equal(ultimate_war_raised(180, 115), 206);
    assert_int_equal(ultimate_war_raised(340, 115), 390);
    int differences = 0;
    for (int32_t value = 0; value < 1200; value++)
        differences += ultimate_war_raised(value, 115) != value * 115 / 100;
    assert_true(differences > 5);
}

/* [7.3] Nothing rises above 1,000,000,000. */
static void values_have_a_top(void **unused) {
    (void)unused;
    draw("thor", "loki", two);
    assert_int_equal(ultimate_war_raised(VALUE_MOST, 115), VALUE_MOST);
    assert_int_equal(ultimate_war_lowered(VALUE_MOST, 90), VALUE_MOST);
    called("thor")->mana = 900000000;
    give("thor", EFFECT_EMBRACE, 2);
    assert_int_equal(called("thor")->mana, VALUE_MOST);
}

/* --- 7.4 to 7.13 ------------------------------------------------------------------------------ */

/* [7.4] No attacks, but a punch of 50 for 1 point and no mana, with a cooldown of 1. */
static void disarm_takes_attacks_and_gives_a_punch(void **unused) {
    (void)unused;
    draw("thor", "loki", "thor loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    give("thor", EFFECT_DISARM, 3);
    give("thor", EFFECT_DISARM, 2);
    refused("attack thor right", MASH_DISARMED);
    refused("cast thor punch 0 1", MASH_NO_TARGET);
    done("cast thor punch-2 1 0");
    assert_int_equal(called("loki")->health, 1100);
    assert_int_equal(called("thor")->points, 6);
    assert_int_equal(called("thor")->mana, 800);
    assert_int_equal(called("thor")->punch_cooldowns[1], 1);
    refused("cast thor punch-2 1 0", MASH_COOLING_DOWN);
    refused("cast thor punch-3 1 0", MASH_NO_SUCH_ABILITY);
    done("cast thor punch 1 0");
    assert_int_equal(called("loki")->health, 1050);
    called("thor")->punch_cooldowns[0] = 0;
    end_effect("thor", EFFECT_DISARM); /* the first punch goes */
    assert_int_equal(called("thor")->punches_count, 1);
    assert_int_equal(called("thor")->punch_cooldowns[0], 1);
    refused("attack thor right", MASH_DISARMED);
    end_effect("thor", EFFECT_DISARM);
    assert_int_equal(called("thor")->punches_count, 0);
    done("attack thor right");
}

/* [7.4] All 32 punches can be used in one turn, if there are points. */
static void thirty_two_punches(void **unused) {
    (void)unused;
    draw("thor", "loki", "thor loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    for (int i = 0; i < EFFECTS_MAX; i++)
        give("thor", EFFECT_DISARM, 3);
    called("thor")->points = called("thor")->points_turn = 40;
    called("loki")->health = 1000;
    for (int i = 1; i < EFFECTS_MAX; i++) {
        char words[64];
        snprintf(words, sizeof words, "cast thor punch-%d 1 0", i + 1);
        called("loki")->health = 1000;
        done(words);
        assert_int_equal(called("loki")->health, 950);
    }
}

/* [7.5] [7.9] [7.10] [7.11] [7.12] Numbers of each, at its start and end. */
static void effects_change_numbers(void **unused) {
    (void)unused;
    static const struct {
        uint8_t effect;
        int speed, damage, points, speed_after, damage_after;
    } rows[] = {
        /* thor: speed 90, damage 130, 7 points a turn */
        {EFFECT_DODGE, 94, 130, 7, 89, 130},  /* 94.5; 89.5 */
        {EFFECT_SHIELD, 91, 130, 7, 89, 130}, /* 91.8; 89.2 */
        {EFFECT_SHOCK, 81, 117, 6, 90, 130},  /* exact */
        {EFFECT_SILENCE, 90, 130, 9, 90, 130},
        {EFFECT_SPEED_UP, 103, 130, 8, 89, 130}, /* 103.5; 89.6 */
        {EFFECT_EMBRACE, 108, 156, 7, 90, 130},
        {EFFECT_ROOT, 90, 130, 7, 90, 130},
        {EFFECT_STUN, 90, 130, 7, 90, 130},
        {EFFECT_DISARM, 90, 130, 7, 90, 130},
        {EFFECT_POWER_UP, 90, 130, 7, 90, 130},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        draw("thor", "loki", two);
        give("thor", rows[i].effect, 2);
        assert_int_equal(called("thor")->speed, rows[i].speed);
        assert_int_equal(called("thor")->damage, rows[i].damage);
        assert_int_equal(called("thor")->points_turn, rows[i].points);
        assert_int_equal(called("thor")->points, rows[i].points);
        end_effect("thor", rows[i].effect);
        assert_int_equal(called("thor")->speed, rows[i].speed_after);
        assert_int_equal(called("thor")->damage, rows[i].damage_after);
        assert_int_equal(called("thor")->points_turn, 7);
        state_is_sound();
    }
}

/* [7.6] Health and mana permanently, speed and damage for a time. */
static void embrace_leaves_something(void **unused) {
    (void)unused;
    draw("thor", "loki", two);
    called("thor")->health = 1000;
    called("thor")->mana = 101;
    give("thor", EFFECT_EMBRACE, 2);
    assert_int_equal(called("thor")->health, 1360);
    assert_int_equal(called("thor")->mana, 121);
    end_effect("thor", EFFECT_EMBRACE);
    assert_int_equal(called("thor")->health, 1360);
    assert_int_equal(called("thor")->mana, 121);
    called("thor")->health = 1799;
    give("thor", EFFECT_EMBRACE, 2);
    assert_int_equal(called("thor")->health, 1800);
}

/* [7.7] Damage and heal, not effects; punches that are there. */
static void power_up_raises_amounts(void **unused) {
    (void)unused;
    draw("hulk", "loki", "hulk . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . loki");
    Champion *hulk = called("hulk");
    give("hulk", EFFECT_DISARM, 5);
    give("hulk", EFFECT_POWER_UP, 3);
    give("hulk", EFFECT_DISARM, 5);
    assert_int_equal(hulk->amounts[0], 0);
    assert_int_equal(hulk->amounts[1], 600);
    assert_int_equal(hulk->amounts[2], 480);
    assert_int_equal(hulk->punch_amounts[0], 60);
    assert_int_equal(hulk->punch_amounts[1], 50);
    end_effect("hulk", EFFECT_POWER_UP);
    assert_int_equal(hulk->amounts[1], 500);
    assert_int_equal(hulk->amounts[2], 400);
    assert_int_equal(hulk->punch_amounts[0], 50);
    assert_int_equal(hulk->punch_amounts[1], 41);
    for (int i = 0; i < 3; i++)
        give("hulk", EFFECT_POWER_UP, 3);
    assert_int_equal(hulk->amounts[2], 691);
    for (int i = 0; i < 3; i++)
        end_effect("hulk", EFFECT_POWER_UP);
    assert_int_equal(hulk->amounts[2], 399); /* one is lost with three */
}

/* [7.8] */
static void root_holds(void **unused) {
    (void)unused;
    draw("thor", "loki", two);
    give("thor", EFFECT_ROOT, 2);
    refused("move thor 1 0", MASH_ROOTED);
    end_effect("thor", EFFECT_ROOT);
    done("move thor 1 0");
}

/* [7.11] A silenced champion has two points more and casts nothing. */
static void silence_gives_points(void **unused) {
    (void)unused;
    draw("thor", "loki", two);
    give("thor", EFFECT_SILENCE, 2);
    assert_int_equal(called("thor")->points, 9);
    refused("cast thor god-of-thunder", MASH_SILENCED);
    called("thor")->points = 1;
    end_effect("thor", EFFECT_SILENCE);
    assert_int_equal(called("thor")->points, 0);
    assert_int_equal(called("thor")->points_turn, 7);
}

/* [7.13] Stun(d) takes d turns; another debuff of d hampers d - 1. */
static void stun_takes_turns(void **unused) {
    (void)unused;
    draw("thor", "loki", two);
    give("loki", EFFECT_STUN, 2);
    done("end thor");
    done("end thor");
    assert_int_equal(called("loki")->effects_count, 0);
    done("end thor");
    assert_int_equal(state->queue[0], unit_called("loki"));
    give("thor", EFFECT_ROOT, 2);
    done("end loki");
    refused("move thor 1 0", MASH_ROOTED);
    done("end thor");
    done("end loki");
    done("move thor 1 0");
}

/* [7.14] Raised at full points, nothing is lost; lowered, never below 0; undone in full. */
static void points_follow_their_top(void **unused) {
    (void)unused;
    draw("quik", "loki", "quik . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . loki");
    done("cast quik time-in-a-bottle");
    assert_int_equal(called("quik")->points, 8);
    assert_int_equal(called("quik")->points_turn, 9);
    assert_int_equal(called("quik")->speed, 113);
    called("quik")->points = 0;
    for (int i = 0; i < 12; i++)
        give("quik", EFFECT_SHOCK, 2);
    assert_int_equal(called("quik")->points, 0);
    assert_int_equal(called("quik")->points_turn, -3);
    give("quik", EFFECT_SILENCE, 2);
    assert_int_equal(called("quik")->points, 0);
    assert_int_equal(called("quik")->points_turn, -1);
    give("quik", EFFECT_SILENCE, 2);
    assert_int_equal(called("quik")->points, 1);
    assert_int_equal(called("quik")->points_turn, 1);
    end_effect("quik", EFFECT_SILENCE);
    end_effect("quik", EFFECT_SILENCE);
    for (int i = 0; i < 12; i++)
        end_effect("quik", EFFECT_SHOCK);
    assert_int_equal(called("quik")->points_turn, 9);
    assert_int_equal(called("quik")->points, 9); /* no more than a turn's */
}

/* [7.15] */
static void stun_outranks_root(void **unused) {
    (void)unused;
    draw("thor", "loki", two);
    assert_int_equal(ultimate_war_condition(called("thor")), CONDITION_ACTIVE);
    give("thor", EFFECT_STUN, 2);
    give("thor", EFFECT_ROOT, 2);
    assert_int_equal(ultimate_war_condition(called("thor")), CONDITION_INACTIVE);
    end_effect("thor", EFFECT_STUN);
    assert_int_equal(ultimate_war_condition(called("thor")), CONDITION_ROOTED);
    assert_int_equal(ultimate_war_condition(&state->champions[1]), CONDITION_OUT);
}

static int finish(void **unused) {
    (void)unused;
    board_free();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_stack),
        cmocka_unit_test(a_33rd_effect_does_nothing),
        cmocka_unit_test(effects_leave_before_they_are_undone),
        cmocka_unit_test(arithmetic_is_that_of_doubles),
        cmocka_unit_test(values_have_a_top),
        cmocka_unit_test(disarm_takes_attacks_and_gives_a_punch),
        cmocka_unit_test(thirty_two_punches),
        cmocka_unit_test(effects_change_numbers),
        cmocka_unit_test(embrace_leaves_something),
        cmocka_unit_test(power_up_raises_amounts),
        cmocka_unit_test(root_holds),
        cmocka_unit_test(silence_gives_points),
        cmocka_unit_test(stun_takes_turns),
        cmocka_unit_test(points_follow_their_top),
        cmocka_unit_test(stun_outranks_root),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
