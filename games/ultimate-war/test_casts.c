/* test_casts.c -- section 6 of RULES.md by rule number: what may be cast, its targets, its
 * effects. */
#include "tests/support/support.h"

#include "games/ultimate-war/test_scene.h"

/* An ability of Venom that no shipped champion has, given by its last fields. */
static void load_venom(const char *fields) {
    char line[256];
    snprintf(line, sizeof line,
             "{\"id\": \"symbiosis\", \"name\": \"Symbiosis\", \"points\": 2, \"mana\": 90, "
             "\"cooldown\": 3, %s}",
             fields);
    load_with("{\"id\": \"symbiosis\", \"name\": \"Symbiosis\", \"area\": \"single\", "
              "\"range\": 1, \"points\": 2, \"mana\": 90, \"cooldown\": 3, \"effect\": \"root\", "
              "\"turns\": 2}",
              line);
}

/* --- 6.1 Costs and refusals ------------------------------------------------------------------- */

/* Refusals of one cast in their order: mana, points, silence, cooldown. */
static void refused_in_order(const char *words, const char *caster, uint8_t slot) {
    Champion *champion = called(caster);
    Champion before = *champion;
    champion->mana = champion->points = 0;
    champion->cooldowns[slot] = 1;
    refused(words, MASH_NO_MANA);
    champion->mana = 1000;
    give(caster, EFFECT_SILENCE, 2);
    champion->points = 0;
    refused(words, MASH_NO_POINTS);
    champion->points = 9;
    refused(words, MASH_SILENCED);
    end_effect(caster, EFFECT_SILENCE);
    champion->points = 9;
    refused(words, MASH_COOLING_DOWN);
    *champion = before;
    done(words);
}

/* [6.1] For the three forms of casting. */
static void casts_are_refused_in_order(void **unused) {
    (void)unused;
    load_shipped();
    draw("cap elec", "loki", "cap loki . . .\n. . . . .\n. . . . .\n. . . . .\nelec . . . .");
    turn_of("cap");
    refused_in_order("cast cap shield-up", "cap", 2);
    refused_in_order("cast cap shield-throw right", "cap", 0);
    draw("elec", "loki", "elec loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("elec");
    refused_in_order("cast elec fully-charged 1 0", "elec", 0);
    refused_action((MashAction){.verb = VERB_CAST, .ability = 200}, MASH_NO_SUCH_ABILITY);
    refused_action((MashAction){.verb = VERB_CAST, .ability = ABILITY_PUNCH}, MASH_NO_SUCH_ABILITY);
    refused_action((MashAction){.verb = VERB_CAST, .ability = ABILITY_ATTACK},
                   MASH_NO_SUCH_ABILITY);
}

/* [6.1] An action has only one encoding. */
static void casts_have_one_spelling(void **unused) {
    (void)unused;
    draw("cap", "loki", "cap loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("cap");
    MashAction up = action_of("cast cap shield-up"), at = action_of("cast cap shield-throw up");
    up.x = 1;
    refused_action(up, MASH_NO_SUCH_ACTION);
    up.x = 0;
    up.amount = 1;
    refused_action(up, MASH_NO_SUCH_ACTION);
    up.amount = 0;
    up.other = 1;
    refused_action(up, MASH_NO_SUCH_ABILITY);
    at.amount = 4;
    refused_action(at, MASH_NO_SUCH_ACTION);
    at.amount = 0;
    at.y = 1;
    refused_action(at, MASH_NO_SUCH_ACTION);
}

/* [6.1] Without mana, what costs none; rooted and disarmed. */
static void free_casts_need_no_mana(void **unused) {
    (void)unused;
    draw("thor", "loki", "thor loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    called("thor")->mana = 0;
    give("thor", EFFECT_ROOT, 2);
    give("thor", EFFECT_DISARM, 2);
    done("cast thor god-of-thunder");
    done("cast thor punch 1 0");
}

/* --- 6.2 to 6.8 Targets ----------------------------------------------------------------------- */

/* [6.2] [6.3] */
static void self_touches_the_caster(void **unused) {
    (void)unused;
    draw("hulk thor", "loki", "hulk thor loki . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("hulk");
    called("hulk")->health = called("thor")->health = 1000;
    done("cast hulk sun-is-getting-real-low");
    assert_int_equal(called("hulk")->health, 1400);
    assert_int_equal(called("thor")->health, 1000);
}

/* [6.2] [6.4] Own side with the caster, or enemies; up to the range; never covers. */
static void team_touches_a_side_within_range(void **unused) {
    (void)unused;
    draw("jack thor spid", "loki hela elec",
         "jack thor elec . .\n#100 .    .    . .\nloki spid .    . .\n.    hela .    . .\n. . . . "
         ".");
    turn_of("jack");
    called("jack")->health = called("thor")->health = called("spid")->health = 100;
    done("cast jack quantamania"); /* heals 150 up to two steps away */
    assert_int_equal(called("jack")->health, 250);
    assert_int_equal(called("thor")->health, 250);
    assert_int_equal(called("spid")->health, 100); /* three steps */
    called("jack")->points = 6;
    done("cast jack laser-sting");
    assert_int_equal(called("loki")->health, 750);
    assert_int_equal(called("elec")->health, 800);
    assert_int_equal(called("hela")->health, 1500);
    assert_int_equal(state->cover_health[cell_at(0, 1)], 100);
    called("jack")->points = 6;
    done("cast jack pym-particle-upsize");
    assert_int_equal(called("jack")->effects_count + called("thor")->effects_count, 2);
    assert_int_equal(called("spid")->effects_count + called("loki")->effects_count, 0);
}

/* [6.4] A debuff affects enemies. */
static void team_debuffs_touch_enemies(void **unused) {
    (void)unused;
    draw("hela thor", "loki spid",
         "hela thor . . .\n. . . . .\n. . . . .\n. . . . .\nspid . . . loki");
    turn_of("hela");
    done("cast hela godess-of-death");
    assert_int_equal(called("hela")->effects_count + called("thor")->effects_count, 0);
    assert_int_equal(called("loki")->effects[0], EFFECT_SHOCK << 4 | 2);
    assert_int_equal(called("spid")->effects[0], EFFECT_SHOCK << 4 | 2);
}

/* [6.5] The eight neighbours, whatever the range: Bring Me Thanos has 2. */
static void surround_touches_the_eight_neighbours(void **unused) {
    (void)unused;
    draw("thor cap", "loki hela ven",
         "#400 .    #400 .    #400\n"
         ".    #400 loki #400 .\n"
         "#400 hela thor cap  #400\n"
         ".    #400 #400 #400 .\n"
         "ven  .    #400 .    #400");
    done("cast thor bring-me-thanos");
    expect("#400 .    #400 .    #400\n"
           ".    #100 loki #100 .\n"
           "#400 hela thor cap  #400\n"
           ".    #100 #100 #100 .\n"
           "ven  .    #400 .    #400");
    assert_int_equal(called("loki")->health, 850);
    assert_int_equal(called("hela")->health, 1200);
    assert_int_equal(called("cap")->health, 1500);
    assert_int_equal(called("thor")->health, 1800);
    assert_int_equal(called("ven")->health, 1650);
}

/* [6.5] At the edge there are fewer, and the opposite edge is not adjacent. */
static void surround_respects_the_edge(void **unused) {
    (void)unused;
    draw("hulk", "loki",
         "loki . . . #600\n. . . . #600\n. . . . hulk\n#600 . . #600 .\n#600 . . . .");
    turn_of("hulk");
    done("cast hulk hulk-smash");
    expect("loki . . . #600\n. . . . #100\n. . . . hulk\n#600 . . #100 .\n#600 . . . .");
}

/* [6.5] Surrounding buffs affect friends, not the caster. */
static void surrounding_buffs_touch_friends_only(void **unused) {
    (void)unused;
    load_venom("\"area\": \"surround\", \"range\": 1, \"effect\": \"shield\", \"turns\": 2");
    draw("ven thor", "loki", "ven thor . . .\nloki . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("ven");
    done("cast ven symbiosis");
    assert_int_equal(called("ven")->effects_count, 0);
    assert_int_equal(called("thor")->effects_count, 1);
    assert_int_equal(called("loki")->effects_count, 0);
    load_shipped();
}

/* [6.6] All in the line up to the range, through everything; not beyond; not friends. */
static void directional_touches_all_in_line(void **unused) {
    (void)unused;
    draw("spid thor", "loki hela ven",
         "spid . . . .\nloki . . . .\nthor . . . .\n#400 . . . .\nhela . . . ven");
    turn_of("spid");
    done("cast spid spiderverse down"); /* 350 damage, range 3 */
    expect("spid . . . .\nloki . . . .\nthor . . . .\n#50 . . . .\nhela . . . ven");
    assert_int_equal(called("loki")->health, 800);
    assert_int_equal(called("thor")->health, 1800);
    assert_int_equal(called("hela")->health, 1500);
}

/* [6.6] Each direction. */
static void directional_goes_four_ways(void **unused) {
    (void)unused;
    static const char *const casts[DIRECTIONS] = {
        "cast ice hail-storm up", "cast ice hail-storm right", "cast ice hail-storm down",
        "cast ice hail-storm left"};
    for (int way = 0; way < DIRECTIONS; way++) {
        draw("ice", "loki",
             "loki .    #900 .    .\n"
             ".    .    #900 .    .\n"
             "#900 #900 ice  #900 #900\n"
             ".    .    #900 .    .\n"
             ".    .    #900 .    .");
        turn_of("ice");
        done(casts[way]);
        for (int step = 1; step <= 2; step++)
            for (int other = 0; other < DIRECTIONS; other++) {
                uint8_t cell = cell_at(2 + step * grid_dx[other], 2 + step * grid_dy[other]);
                assert_int_equal(state->cover_health[cell], other == way ? 600 : 900);
            }
    }
}

/* [6.6] Heals and debuffs in a line. */
static void directional_heals_friends(void **unused) {
    (void)unused;
    load_venom("\"area\": \"directional\", \"range\": 8, \"heal\": 100");
    draw("ven thor", "loki", "ven loki thor . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("ven");
    called("ven")->health = called("thor")->health = called("loki")->health = 50;
    done("cast ven symbiosis right");
    assert_int_equal(called("thor")->health, 150);
    assert_int_equal(called("ven")->health, 50);
    assert_int_equal(called("loki")->health, 50);
    load_shipped();
    draw("ice thor", "loki hela",
         "ice loki thor hela .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("ice");
    done("cast ice frost-bite right");
    assert_int_equal(called("loki")->effects_count + called("hela")->effects_count, 2);
    assert_int_equal(called("thor")->effects_count, 0);
}

/* [6.7] In order: off the board, empty, too far, cover, wrong side. */
static void single_targets_are_refused_in_order(void **unused) {
    (void)unused;
    draw("spid elec", "loki hela",
         "#100 . spid elec .\n. . . . .\n. . . . .\n. . . . .\nhela . loki . .");
    turn_of("spid");
    refused("cast spid give-me-that 5 0", MASH_OFF_BOARD);
    refused("cast spid give-me-that 0 -1", MASH_OFF_BOARD);
    refused("cast spid give-me-that 4 4", MASH_NO_TARGET); /* empty comes before too far */
    refused("cast spid give-me-that 0 4", MASH_TOO_FAR);
    refused("cast spid give-me-that 0 0", MASH_WRONG_TARGET);
    refused("cast spid give-me-that 3 0", MASH_OWN_SIDE);
    refused("cast spid give-me-that 2 0", MASH_OWN_SIDE);
    MashAction at = action_of("cast spid give-me-that 2 4");
    at.amount = 1;
    refused_action(at, MASH_NO_SUCH_ACTION);
    done("cast spid give-me-that 2 4"); /* four steps, no line of sight asked for */
    assert_int_equal(called("loki")->effects[0], EFFECT_DISARM << 4 | 2);
    turn_of("elec");
    refused("cast elec fully-charged 2 0", MASH_OWN_SIDE);
    done("cast elec fully-charged 0 0");
    expect(". . spid elec .\n. . . . .\n. . . . .\n. . . . .\nhela . loki . .");
}

/* [6.7] Where the own side is affected: friends and himself, not enemies. */
static void single_targets_of_the_own_side(void **unused) {
    (void)unused;
    load_venom("\"area\": \"single\", \"range\": 2, \"heal\": 100");
    draw("ven thor", "loki", "ven thor loki #100 .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("ven");
    called("ven")->health = called("thor")->health = 10;
    refused("cast ven symbiosis 2 0", MASH_WRONG_TARGET);
    refused("cast ven symbiosis 3 0", MASH_TOO_FAR);
    done("cast ven symbiosis 0 0");
    assert_int_equal(called("ven")->health, 110);
    called("ven")->cooldowns[2] = 0;
    done("cast ven symbiosis 1 0");
    assert_int_equal(called("thor")->health, 110);
    load_venom("\"area\": \"single\", \"range\": 2, \"effect\": \"shield\", \"turns\": 1");
    draw("ven thor", "loki", "ven thor #100 loki .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("ven");
    refused("cast ven symbiosis 2 0", MASH_WRONG_TARGET);
    done("cast ven symbiosis 0 0");
    assert_int_equal(called("ven")->effects_count, 1);
    load_shipped();
}

/* [6.8] Team, surround and directional casts without a target still cost everything. */
static void empty_casts_cost_everything(void **unused) {
    (void)unused;
    draw("elec jack", "loki", "elec . . . .\n. . . . .\njack . . . .\n. . . . .\n. . . . loki");
    turn_of("elec");
    done("cast elec emp");
    assert_int_equal(called("elec")->mana, 1100);
    assert_int_equal(called("elec")->points, 2);
    assert_int_equal(called("elec")->cooldowns[1], 2);
    done("cast elec lightning-strike up");
    assert_int_equal(called("elec")->mana, 950);
    assert_int_equal(called("elec")->points, 0);
    assert_int_equal(called("elec")->cooldowns[2], 3);
    turn_of("jack");
    done("cast jack laser-sting");
    assert_int_equal(called("jack")->mana, 700);
    assert_int_equal(called("jack")->cooldowns[0], 2);
}

/* --- 6.9 to 6.12 Effects ---------------------------------------------------------------------- */

/* Casts damage on Loki, who has Shield: he loses that and no health, the cost is paid. */
static void shield_stops(const char *caster, const char *words, int mana) {
    char drawing[DRAWING_BYTES];
    snprintf(drawing, sizeof drawing,
             "%s loki hela . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .", caster);
    draw(caster, "loki hela", drawing);
    turn_of(caster);
    give("loki", EFFECT_SHIELD, 3);
    assert_int_equal(called("loki")->speed, 71);
    int before = called(caster)->mana;
    done(words);
    assert_int_equal(called("loki")->health, 1150);
    assert_int_equal(called("loki")->effects_count, 0);
    assert_int_equal(called("loki")->speed, 69);
    assert_int_equal(called(caster)->mana, before - mana);
    assert_int_equal(told(MASH_EVENT_EFFECT_ENDED, "loki"), 0);
}

/* [6.9] In every area; the others are hit. */
static void shield_stops_damage_in_every_area(void **unused) {
    (void)unused;
    shield_stops("elec", "cast elec fully-charged 1 0", 100);
    shield_stops("hulk", "cast hulk hulk-smash", 100);
    shield_stops("elec", "cast elec lightning-strike right", 150);
    assert_int_equal(called("hela")->health, 1300);
    shield_stops("iron", "cast iron i-am-ironman", 150);
    assert_int_equal(called("hela")->health, 1300);
    draw("thor", "loki", "thor loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    give("loki", EFFECT_SHIELD, 3);
    give("thor", EFFECT_DISARM, 3);
    done("cast thor punch 1 0");
    assert_int_equal(called("loki")->health, 1150);
    assert_int_equal(called("loki")->effects_count, 0);
}

/* [6.9] Neither type nor Dodge counts; covers take the full amount. */
static void damage_knows_no_type_and_no_dodge(void **unused) {
    (void)unused;
    draw("elec", "thor loki", "elec thor loki . .\n#150 . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("elec");
    give("thor", EFFECT_DODGE, 5);
    done("cast elec fully-charged 1 0");
    assert_int_equal(called("thor")->health, 1500);
    done("cast elec lightning-strike down");
    assert_int_equal(state->covers, 0);
    assert_int_equal(event_list[1].kind, MASH_EVENT_GROUND_HURT);
    assert_int_equal(event_list[1].amount, 150);
}

/* [6.9] [6.10] The current amount: PowerUp counts. */
static void amounts_are_current(void **unused) {
    (void)unused;
    draw("hulk", "loki", "hulk loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("hulk");
    done("cast hulk rage");
    done("cast hulk hulk-smash");
    assert_int_equal(called("loki")->health, 1150 - 600);
    called("hulk")->points = 9;
    called("hulk")->health = 1000;
    done("cast hulk sun-is-getting-real-low");
    assert_int_equal(called("hulk")->health, 1480);
}

/* [6.10] Up to full health, and the event has what was gained. */
static void healing_stops_at_full_health(void **unused) {
    (void)unused;
    draw("hulk", "loki", "hulk loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("hulk");
    called("hulk")->health = 2200;
    done("cast hulk sun-is-getting-real-low");
    assert_int_equal(called("hulk")->health, 2250);
    assert_int_equal(told(MASH_EVENT_HEALED, "hulk"), 50);
}

/* [6.11] Shield does not stop an effect, in any area. */
static void shield_does_not_stop_effects(void **unused) {
    (void)unused;
    draw("doc", "loki", "doc loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    turn_of("doc");
    give("loki", EFFECT_SHIELD, 3);
    done("cast doc mirror-dimension 1 0");
    assert_int_equal(called("loki")->effects_count, 2);
    assert_int_equal(called("loki")->effects[1], EFFECT_STUN << 4 | 2);
    assert_int_equal(told(MASH_EVENT_EFFECT_BEGAN, "loki"), 2);
}

/* [6.12] Paid, cooling down, and the defeated leave last of all. */
static void casts_are_paid_and_the_beaten_leave(void **unused) {
    (void)unused;
    draw("iron", "loki hela thor",
         "iron loki . . .\nhela . . . .\n. . . . .\n. . . . .\nthor . . . .");
    turn_of("iron");
    called("loki")->health = 200;
    called("hela")->health = 100;
    done("cast iron i-am-ironman");
    expect("iron . . . .\n. . . . .\n. . . . .\n. . . . .\nthor . . . .");
    assert_int_equal(called("iron")->mana, 650);
    assert_int_equal(called("iron")->points, 4);
    assert_int_equal(called("iron")->cooldowns[0], 4);
    assert_int_equal(told(MASH_EVENT_HURT, "hela"), 100);
    assert_int_equal(event_list[events.count - 1].kind, MASH_EVENT_DIED);
    assert_int_equal(event_list[events.count - 2].kind, MASH_EVENT_DIED);
    refused("cast iron i-am-ironman", MASH_COOLING_DOWN);
    assert_int_equal(state->queue_count, 2);
}

/* [6.12] A cooldown of c: usable again on the c-th own turn after the cast. */
static void cooldowns_count_own_turns(void **unused) {
    (void)unused;
    draw("thor", "loki", "thor loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    done("cast thor god-of-thunder");
    for (int turn = 0; turn < 2; turn++) {
        refused("cast thor god-of-thunder", MASH_COOLING_DOWN);
        done("end thor");
        done("end loki");
    }
    done("cast thor god-of-thunder");
}

static int finish(void **unused) {
    (void)unused;
    board_free();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_are_refused_in_order),
        cmocka_unit_test(casts_have_one_spelling),
        cmocka_unit_test(free_casts_need_no_mana),
        cmocka_unit_test(self_touches_the_caster),
        cmocka_unit_test(team_touches_a_side_within_range),
        cmocka_unit_test(team_debuffs_touch_enemies),
        cmocka_unit_test(surround_touches_the_eight_neighbours),
        cmocka_unit_test(surround_respects_the_edge),
        cmocka_unit_test(surrounding_buffs_touch_friends_only),
        cmocka_unit_test(directional_touches_all_in_line),
        cmocka_unit_test(directional_goes_four_ways),
        cmocka_unit_test(directional_heals_friends),
        cmocka_unit_test(single_targets_are_refused_in_order),
        cmocka_unit_test(single_targets_of_the_own_side),
        cmocka_unit_test(empty_casts_cost_everything),
        cmocka_unit_test(shield_stops_damage_in_every_area),
        cmocka_unit_test(damage_knows_no_type_and_no_dodge),
        cmocka_unit_test(amounts_are_current),
        cmocka_unit_test(healing_stops_at_full_health),
        cmocka_unit_test(shield_does_not_stop_effects),
        cmocka_unit_test(casts_are_paid_and_the_beaten_leave),
        cmocka_unit_test(cooldowns_count_own_turns),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
