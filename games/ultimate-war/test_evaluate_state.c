/* test_evaluate_state.c -- what the AI knows about Ultimate War: what champions are worth, which
 * actions are tried first, which champions are strong, and whom a champion may hit.
 *
 * Champions here are plain ones, all alike: 1000 health, 100 mana, 6 action points, attack damage
 * 100, attack range 2, heroes, with abilities that cost more mana than they have. */
#include "tests/support/support.h"

#include "games/ultimate-war/test_scene.h"

enum { PRUNED = INT32_MIN, OUT_OF_REACH = 140, TO_ACT = 375, COMMAND = 300, KILL = 600 };

/* An ability that is too expensive for everybody. */
static const Ability nothing = {.area = AREA_SELF,
                                .mana = 1000,
                                .points = 1,
                                .effect_kind = ABILITY_EFFECT_EFFECT,
                                .effect = EFFECT_DODGE,
                                .turns = 1};

static WarContent *changeable(void) { return (WarContent *)(void *)loaded->body; }

/* Makes all champions plain. */
static void load_plain(void) {
    load_shipped();
    for (uint32_t i = 0; i < changeable()->kinds_count; i++) {
        WarKind *kind = &changeable()->kinds[i];
        kind->health = 1000;
        kind->mana = 100;
        kind->points = 6;
        kind->damage = 100;
        kind->range = 2;
        kind->type = TYPE_HERO;
        for (int slot = 0; slot < SLOTS; slot++)
            kind->abilities[slot] = nothing;
    }
}

/* A champion's kind, to be changed before it is drawn. */
static WarKind *kind(const char *brief) { return &changeable()->kinds[kind_called(brief)]; }

/* The evaluation for the first seat; for the other it is the same with the other sign. */
static int32_t value(void) {
    int32_t first = ultimate_war_evaluator.evaluate(loaded, state, 0);
    assert_int_equal(ultimate_war_evaluator.evaluate(loaded, state, 1), -first);
    return first;
}

static const char apart_by_four[] = "cap . . . thor\n"
                                    ". . . . .\n"
                                    ". . . . .\n"
                                    ". . . . .\n"
                                    ". . . . .";

/* --- Evaluation ------------------------------------------------------------------------------- */

/* [2.1] Health, points and damage count; who is nearly out is weaker still [8.3]. */
static void champions_have_their_worth(void **unused) {
    (void)unused;
    load_plain();
    draw("cap", "thor", apart_by_four);
    assert_int_equal(value(), 0);
    called("cap")->health = 900;
    assert_int_equal(value(), -100);
    called("cap")->health = 300;
    assert_int_equal(value(), -700);
    called("cap")->health = 299;
    assert_int_equal(value(), -701 - 200);
    called("cap")->health = 1000;
    called("cap")->points_turn = 8;
    assert_int_equal(value(), 2 * 165);
    called("thor")->damage = 150;
    assert_int_equal(value(), 2 * 165 - 50 * 380 / 100);
    called("thor")->health = 30000; /* beyond 20,000 it does not count */
    assert_int_equal(value(), 2 * 165 - 50 * 380 / 100 - 19000);
    state->phase = PHASE_APPOINT;
    assert_int_equal(value(), 0);
}

/* [1.2] Steps that are missing to an enemy in reach count against a champion. */
static void champions_want_to_be_near(void **unused) {
    (void)unused;
    load_plain();
    kind("thor")->range = 3;
    draw("cap", "thor", apart_by_four);
    assert_int_equal(value(), -OUT_OF_REACH);
    kind("thor")->range = 4;
    assert_int_equal(value(), -2 * OUT_OF_REACH);
    kind("thor")->range = 5;
    assert_int_equal(value(), -2 * OUT_OF_REACH);
    draw("cap", "thor iron",
         "cap . . . thor\n"
         "iron . . . .\n" /* the nearest counts */
         ". . . . .\n"
         ". . . . .\n"
         ". . . . .");
    int32_t plain = -1000 + 1000 + 6 * 165 + 380;
    assert_int_equal(value(), -plain - TO_ACT);
}

/* [4.2] [8.1] A turn to come is worth something, and so is what a leader can still do. */
static void turns_and_leaders_count(void **unused) {
    (void)unused;
    load_plain();
    draw("cap", "thor", apart_by_four);
    state->queue_count = 1;
    assert_int_equal(value(), seat_of(state->queue[0]) == 0 ? TO_ACT : -TO_ACT);
    state->queue_count = 0;
    state->commands = 1;
    assert_int_equal(value(), -COMMAND);
    state->commands = 2;
    assert_int_equal(value(), COMMAND);
    state->commands = 0;
    kind("thor")->type = TYPE_ANTIHERO;
    assert_int_equal(value(), COMMAND);
    kind("thor")->type = TYPE_VILLAIN;
    assert_int_equal(value(), 0);
    state->leaders[1] = TEAM + 1; /* who is out */
    assert_int_equal(value(), COMMAND);
}

/* [7.1] Effects count for each of their turns, three at most. */
static void effects_count(void **unused) {
    (void)unused;
    static const struct {
        uint8_t effect;
        int32_t worth;
    } rows[] = {
        {EFFECT_DISARM, -30}, {EFFECT_DODGE, 25},     {EFFECT_ROOT, -30},
        {EFFECT_SHIELD, 30},  {EFFECT_SILENCE, -150}, {EFFECT_STUN, -280},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint8_t turns = 1; turns <= 4; turns++) {
            load_plain();
            draw("cap", "thor", apart_by_four);
            int32_t before = value();
            int8_t points = called("cap")->points_turn;
            give("cap", rows[i].effect, turns);
            called("cap")->points_turn = points; /* what it does to them counts anyway */
            assert_int_equal(value() - before, rows[i].worth * (turns < 3 ? turns : 3));
        }
}

/* [6.1] Abilities count if there is mana for them, and most if they are not cooling down. */
static void abilities_count(void **unused) {
    (void)unused;
    load_plain();
    Ability *ability = &kind("cap")->abilities[2];
    *ability = (Ability){
        .area = AREA_SINGLE, .mana = 100, .amount = 200, .effect_kind = ABILITY_EFFECT_DAMAGE};
    draw("cap", "thor", apart_by_four);
    assert_int_equal(value(), 200 * 39 / 100);
    called("cap")->cooldowns[2] = 1;
    assert_int_equal(value(), 0);
    called("cap")->cooldowns[2] = 0;
    called("cap")->mana = 99;
    assert_int_equal(value(), 0);
    called("cap")->mana = 100;
    ability->effect_kind = ABILITY_EFFECT_HEAL;
    assert_int_equal(value(), 200 * 26 / 100);
    ability->effect_kind = ABILITY_EFFECT_EFFECT;
    assert_int_equal(value(), 0);
    ability->effect = EFFECT_STUN;
    assert_int_equal(value(), 680 + 170);
    called("cap")->cooldowns[2] = 1;
    assert_int_equal(value(), 680);
}

/* --- Priorities ------------------------------------------------------------------------------- */

static int32_t priority(const char *words) {
    return ultimate_war_evaluator.priority(loaded, state, action_of(words));
}

/* [5.3] [5.4] The first cover or enemy in the line is hit; an attack on nothing is not tried. */
static void attacks_need_a_target(void **unused) {
    (void)unused;
    load_plain();
    draw("cap doc", "thor iron hulk",
         ". . thor . .\n"
         ". . iron . .\n"
         "#200 doc cap . .\n"
         ". . . . .\n"
         ". . hulk . .");
    assert_int_equal(priority("attack cap up"), 100);
    called("iron")->health = 50; /* it is he who is hit */
    assert_int_equal(priority("attack cap up"), KILL + 50);
    called("hulk")->health = 40;
    assert_int_equal(priority("attack cap down"), KILL + 40);
    assert_int_equal(priority("attack cap left"), 1); /* over a friend at a cover */
    assert_int_equal(priority("attack cap right"), PRUNED);
    kind("cap")->range = 1;
    assert_int_equal(priority("attack cap left"), PRUNED);
    assert_int_equal(priority("move cap 3 2"), 0);
}

/* [5.5] [5.6] [5.7] Another type is hit harder; Dodge halves it, Shield takes it all. */
static void attacks_are_tried_by_effect(void **unused) {
    (void)unused;
    static const char drawing[] = "cap thor . . .\n"
                                  ". . . . .\n"
                                  ". . . . .\n"
                                  ". . . . .\n"
                                  ". . . . .";
    load_plain();
    kind("thor")->type = TYPE_VILLAIN;
    draw("cap", "thor", drawing);
    assert_int_equal(priority("attack cap right"), 150);
    called("thor")->health = 150;
    assert_int_equal(priority("attack cap right"), KILL + 150);
    called("thor")->health = 151;
    assert_int_equal(priority("attack cap right"), 150);
    give("thor", EFFECT_DODGE, 1);
    assert_int_equal(priority("attack cap right"), 75);
    give("thor", EFFECT_SHIELD, 1);
    assert_int_equal(priority("attack cap right"), 70);
}

/* [6.8] A cast is worth what it does to all whom it touches; on nobody it is not tried. */
static void casts_are_tried_by_effect(void **unused) {
    (void)unused;
    load_plain();
    Ability *ability = kind("cap")->abilities;
    static const Ability wave = {.id = "wave",
                                 .area = AREA_SURROUND,
                                 .amount = 80,
                                 .effect_kind = ABILITY_EFFECT_DAMAGE,
                                 .points = 1};
    static const Ability aim = {.id = "aim",
                                .area = AREA_SINGLE,
                                .range = 4,
                                .effect_kind = ABILITY_EFFECT_EFFECT,
                                .effect = EFFECT_STUN,
                                .turns = 2,
                                .points = 1};
    static const Ability cure = {.id = "cure",
                                 .area = AREA_TEAM,
                                 .range = 2,
                                 .amount = 80,
                                 .effect_kind = ABILITY_EFFECT_HEAL,
                                 .points = 1};
    ability[0] = wave, ability[1] = aim, ability[2] = cure;
    draw("cap doc", "thor iron hulk",
         ". . . . .\n"
         "thor #200 iron . .\n"
         ". cap . . .\n"
         "doc . . . .\n"
         ". . . . hulk");
    assert_int_equal(priority("cast cap wave"), 80 + 80 + 1);
    called("iron")->health = 80;
    assert_int_equal(priority("cast cap wave"), 80 + KILL + 80 + 1);
    assert_int_equal(priority("cast cap aim 0 1"), 2 * 220 + 1);
    assert_int_equal(priority("cast cap cure"), PRUNED); /* nobody is hurt */
    called("cap")->health = 990;
    called("doc")->health = 800;
    assert_int_equal(priority("cast cap cure"), 10 + 80 + 1);
    draw("cap", "thor",
         "thor . . . .\n"
         ". . . . .\n"
         ". . . . .\n"
         ". . . . .\n"
         ". . cap . .");
    assert_int_equal(priority("cast cap wave"), PRUNED);
}

/* [8.3] A villain leads to finish the weak, others whenever they can. */
static void leaders_act_for_a_reason(void **unused) {
    (void)unused;
    load_plain();
    draw("cap", "thor iron hulk", apart_by_four);
    assert_int_equal(priority("command cap"), COMMAND);
    kind("cap")->type = TYPE_VILLAIN;
    assert_int_equal(priority("command cap"), PRUNED);
    called("thor")->health = 300;
    assert_int_equal(priority("command cap"), PRUNED);
    called("thor")->health = 299;
    assert_int_equal(priority("command cap"), KILL + 299);
    draw("cap", "thor iron",
         "cap . . . thor\n"
         "iron . . . .\n"
         ". . . . .\n"
         ". . . . .\n"
         ". . . . .");
    called("thor")->health = 299;
    called("iron")->health = 10;
    assert_int_equal(priority("command cap"), 2 * KILL + 299 + 10);
}

/* --- The draft -------------------------------------------------------------------------------- */

/* Who is picked with these draws, all of which are used. */
static uint8_t picked_by(bool trained, uint32_t draws) {
    static const uint32_t zeros[KINDS_MAX] = {0};
    MashChance chance = chance_scripted(zeros, draws);
    MashAction action = trained
                            ? ultimate_war_evaluator.opening_trained(loaded, state, 1, 8, &chance)
                            : ultimate_war_evaluator.opening(loaded, state, 1, &chance);
    assert_true(chance_used_up(&chance));
    assert_int_equal(action.verb, VERB_PICK);
    return (uint8_t)(action.unit - UNITS);
}

/* A draft in which cap is picked already and everybody is plain. */
static void begin_draft(void) {
    load_plain();
    loaded->hash++; /* no table is about these */
    ultimate_war_empty(state);
    state->phase = PHASE_PICK;
    state->champions[0] = ultimate_war_recruit(test_content(), kind_called("cap"));
    state->picks = 1;
}

/* What makes one champion stronger than all others, so that one draw decides; or does not. */
static void expect_strong(bool trained, Ability ability, bool strong) {
    begin_draft();
    kind("hela")->abilities[1] = ability;
    assert_int_equal(picked_by(trained, strong ? 1 : 14), kind_called(strong ? "hela" : "jack"));
}

/* [2.1] [2.2] Strong are health, damage, points and range, stuns and damaging abilities. */
static void strong_champions_are_picked(void **unused) {
    (void)unused;
    Ability blow = {.area = AREA_SINGLE, .range = 2, .amount = 300};
    for (int trained = 0; trained < 2; trained++) {
        begin_draft();
        assert_int_equal(picked_by(trained, 14), kind_called("jack")); /* the last of equals */
        kind("hela")->health = 1300;
        assert_int_equal(picked_by(trained, 1), kind_called("hela"));
        kind("thor")->damage = 300;
        assert_int_equal(picked_by(trained, 1), kind_called("thor"));
        expect_strong(trained, blow, true);
        Ability stun = nothing;
        stun.effect = EFFECT_STUN;
        expect_strong(trained, stun, true);
        Ability heal = blow;
        heal.effect_kind = ABILITY_EFFECT_HEAL;
        expect_strong(trained, heal, false);
    }
}

/* Blows that reach farther or touch more are better; others are nearly as good [6.3] [6.4]. */
static void far_and_wide_blows_are_better(void **unused) {
    (void)unused;
    Ability near = {.area = AREA_SINGLE, .range = 1, .amount = 600};
    Ability far = {.area = AREA_SINGLE, .range = 2, .amount = 600};
    Ability wide = {.area = AREA_TEAM, .range = 2, .amount = 600};
    begin_draft();
    kind("hela")->abilities[0] = near;
    kind("thor")->abilities[1] = far;
    assert_int_equal(picked_by(false, 1), kind_called("thor"));
    kind("hela")->abilities[2] = wide;
    assert_int_equal(picked_by(false, 1), kind_called("hela"));
    assert_int_equal(picked_by(true, 1), kind_called("hela"));
    state->champions[TEAM] = ultimate_war_recruit(test_content(), kind_called("hela"));
    assert_int_equal(picked_by(false, 1), kind_called("thor")); /* who is left */
}

/* Six points of health are worth as much as one of damage and as six of an ability's, or ten if it
 * does not reach beyond neighbours. Whoever looks ahead values damage by the attacks of a turn. */
static void strengths_are_weighed(void **unused) {
    (void)unused;
    Ability far = {.area = AREA_SINGLE, .range = 2, .amount = 6000};
    Ability near = {.area = AREA_SINGLE, .range = 1, .amount = 10000};
    begin_draft();
    kind("hela")->health += 6000;
    kind("thor")->damage += 1000;
    kind("doc")->abilities[2] = far;
    kind("ice")->abilities[0] = near;
    picked_by(false, 4);
    begin_draft();
    far.amount = 20000;
    kind("hela")->health += 15400;
    kind("thor")->damage += 1711; /* three attacks, half as much again */
    kind("doc")->abilities[2] = far;
    picked_by(true, 3);
}

/* The very first pick is the best in about half of all drafts, else one of the two next to it. */
static void first_picks_vary(void **unused) {
    (void)unused;
    static const uint32_t best[] = {53, 0}, other[] = {54, 0, 0}, third[] = {54, 0, 1};
    static const struct {
        const uint32_t *script;
        uint32_t draws;
        const char *brief;
    } rows[] = {{best, 2, "thor"}, {other, 3, "hela"}, {third, 3, "doc"}};
    begin_draft();
    ultimate_war_empty(state);
    kind("thor")->health = 5000;
    kind("hela")->health = 4000;
    kind("doc")->health = 3000;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MashChance chance = chance_scripted(rows[i].script, rows[i].draws);
        MashAction action = ultimate_war_evaluator.opening_trained(loaded, state, 0, 8, &chance);
        assert_true(chance_used_up(&chance));
        assert_int_equal(action.unit, UNITS + kind_called(rows[i].brief));
    }
}

/* [3.2] A hero leads before a villain, a villain before an antihero; then nothing is to choose. */
static void heroes_lead_best(void **unused) {
    (void)unused;
    load_plain();
    draw("cap doc ice", "thor iron hulk", apart_by_four);
    state->phase = PHASE_APPOINT;
    kind("cap")->type = TYPE_ANTIHERO;
    kind("doc")->type = TYPE_VILLAIN;
    kind("ice")->type = TYPE_VILLAIN;
    MashChance chance = chance_scripted(NULL, 0);
    MashAction action = ultimate_war_evaluator.opening(loaded, state, 0, &chance);
    assert_int_equal(action.verb, VERB_APPOINT);
    assert_int_equal(action.unit, unit_called("doc"));
    kind("ice")->type = TYPE_HERO;
    assert_int_equal(ultimate_war_evaluator.opening(loaded, state, 0, &chance).unit,
                     unit_called("ice"));
    assert_int_equal(ultimate_war_evaluator.opening(loaded, state, 1, &chance).unit,
                     unit_called("thor"));
    state->phase = PHASE_PLAY;
    assert_int_equal(ultimate_war_evaluator.opening(loaded, state, 0, &chance).verb,
                     MASH_VERB_NONE);
}

/* [4.3] Every turn has a number, every choice before play, too. */
static void turns_have_numbers(void **unused) {
    (void)unused;
    load_plain();
    draw("cap", "thor", apart_by_four);
    state->round = 3;
    assert_int_equal(ultimate_war_evaluator.turn_number(loaded, state),
                     3 << 16 | 7 << 8 | state->queue[0]);
    state->leaders[0] = MASH_UNIT_NONE;
    assert_int_equal(ultimate_war_evaluator.turn_number(loaded, state),
                     3 << 16 | 6 << 8 | state->queue[0]);
}

/* --- Threats ---------------------------------------------------------------------------------- */

/* The most that cap may take from one on each cell in his next turn. */
static void threatens(const int32_t expected[CELLS]) {
    int32_t most[CELLS] = {0};
    ultimate_war_game.threat(loaded, state, unit_called("cap"), most);
    for (int i = 0; i < CELLS; i++)
        if (most[i] != expected[i])
            fail_msg("at %d,%d is %d instead of %d", i % SIDE, i / SIDE, most[i], expected[i]);
}
/* The same if all cells are alike. */
static void threatens_all(int32_t loss) {
    int32_t expected[CELLS];
    for (int i = 0; i < CELLS; i++)
        expected[i] = loss;
    threatens(expected);
}

static const char in_the_corner[] = "cap . . . .\n"
                                    ". . . . .\n"
                                    ". . . . .\n"
                                    ". . . . .\n"
                                    ". . . . thor";

/* One attack against another type [5.7], and 1 for the rounding. */
enum { BLOW = 150 + 1 };

/* [5.1] [5.2] He moves and attacks in a line; two points an attack. */
static void attacks_threaten(void **unused) {
    (void)unused;
    load_plain();
    kind("cap")->points = 3; /* one step, one attack */
    draw("cap", "thor", in_the_corner);
    state->commands = 1;
    threatens((int32_t[CELLS]){
        BLOW, BLOW, BLOW, BLOW, 0, /**/
        BLOW, BLOW, BLOW, 0,    0, /**/
        BLOW, BLOW, 0,    0,    0, /**/
        BLOW, 0,    0,    0,    0, /**/
    });
    give("cap", EFFECT_ROOT, 2); /* he attacks from where he stands */
    threatens((int32_t[CELLS]){
        0, BLOW, BLOW, 0, 0, /**/
        BLOW, 0, 0, 0, 0,    /**/
        BLOW, 0, 0, 0, 0,    /**/
    });
    called("cap")->points_turn = 1;
    threatens_all(0);
    called("cap")->points_turn = 5; /* two attacks */
    threatens((int32_t[CELLS]){
        0, 2 * BLOW, 2 * BLOW, 0, 0, /**/
        2 * BLOW, 0, 0, 0, 0,        /**/
        2 * BLOW, 0, 0, 0, 0,        /**/
    });
    end_effect("cap", EFFECT_ROOT);
    give("cap", EFFECT_ROOT, 1); /* over by then [4.5] */
    called("cap")->points_turn = 12;
    threatens_all(6 * BLOW);
    called("cap")->cell = CELL_NONE;
    threatens_all(0);
}

/* [4.4] [7.4] [7.12] The stunned do nothing, the disarmed do not attack; a hero who leads ends all
 * but a stun [8.2], once. */
static void effects_hinder(void **unused) {
    (void)unused;
    static const uint8_t effects[] = {EFFECT_STUN, EFFECT_DISARM};
    for (int i = 0; i < 2; i++) {
        load_plain();
        draw("cap", "thor", in_the_corner);
        called("cap")->points_turn = 12;
        int32_t embraced = ultimate_war_raised(ultimate_war_raised(100, 120) + 1, 150) + 1;
        threatens_all(6 * embraced); /* he may embrace his team [8.2] */
        state->commands = 1;
        threatens_all(6 * BLOW);
        give("cap", effects[i], 2);
        called("cap")->punches_count = 0;
        threatens_all(0);
        state->commands = 0;
        threatens_all(effects[i] == EFFECT_STUN ? 0 : 6 * embraced);
        state->commands = 1;
        end_effect("cap", effects[i]);
        threatens_all(6 * BLOW);
    }
}

/* [7.6] [7.10] [7.13] What he may give himself, or what ends, makes him stronger. */
static void effects_help(void **unused) {
    (void)unused;
    load_plain();
    draw("cap", "thor", in_the_corner);
    state->commands = 1;
    called("cap")->points_turn = 10;
    kind("cap")->abilities[2].effect = EFFECT_SPEED_UP;
    threatens_all(5 * BLOW);
    called("cap")->points_turn = 11;
    threatens_all(6 * BLOW); /* with one more point */
    kind("cap")->abilities[2].effect = EFFECT_EMBRACE;
    int32_t embraced = ultimate_war_raised(ultimate_war_raised(100, 120) + 1, 150) + 1;
    threatens_all(5 * embraced);
    kind("cap")->abilities[2] = nothing;
    give("cap", EFFECT_SHOCK, 2);
    give("cap", EFFECT_SHOCK, 2);
    called("cap")->points_turn = 10;
    int32_t damage = ultimate_war_lowered(called("cap")->damage, 90) + 1;
    damage = ultimate_war_lowered(damage, 90) + 1;
    threatens_all(6 * (ultimate_war_raised(damage, 150) + 1));
}

/* An ability that does damage from where cap stands, with all his points. */
static void cast_of(Ability ability) {
    load_plain();
    kind("cap")->abilities[1] = ability;
    kind("cap")->points = 6;
    draw("cap", "thor",
         ". . . . .\n"
         ". cap . . .\n"
         ". . . . .\n"
         ". . . . .\n"
         ". . . . thor");
    give("cap", EFFECT_DISARM, 3);
    state->commands = 1;
    called("cap")->punches_count = 0;
}

/* [6.2] to [6.5] Abilities touch what their area is, after the steps that are left. */
static void abilities_threaten(void **unused) {
    (void)unused;
    Ability ability = {.area = AREA_SURROUND, .range = 1, .mana = 121, .amount = 70, .points = 6};
    cast_of(ability);
    threatens((int32_t[CELLS]){
        70, 70, 70, 0, 0, /**/
        70, 0, 70, 0, 0,  /**/
        70, 70, 70, 0, 0, /**/
    });
    called("cap")->cooldowns[1] = 2; /* still cooling down then */
    threatens_all(0);
    called("cap")->cooldowns[1] = 1;
    called("cap")->mana = 99; /* an Embrace gives a fifth [7.6] */
    threatens_all(0);
    called("cap")->mana = 100;
    kind("cap")->abilities[2].effect = EFFECT_POWER_UP; /* [7.7] */
    threatens((int32_t[CELLS]){
        85, 85, 85, 0, 0, /**/
        85, 0, 85, 0, 0,  /**/
        85, 85, 85, 0, 0, /**/
    });
    kind("cap")->abilities[2] = nothing;
    give("cap", EFFECT_SILENCE, 2);
    threatens_all(0);
    ability.area = AREA_DIRECTIONAL, ability.range = 2;
    cast_of(ability);
    threatens((int32_t[CELLS]){
        0,  70, 0,  0,  0, /**/
        70, 0,  70, 70, 0, /**/
        0,  70, 0,  0,  0, /**/
        0,  70, 0,  0,  0, /**/
    });
    ability.area = AREA_SINGLE, ability.range = 1;
    cast_of(ability);
    threatens((int32_t[CELLS]){
        0, 70, 0, 0, 0,   /**/
        70, 70, 70, 0, 0, /**/
        0, 70, 0, 0, 0,   /**/
    });
    ability.points = 5; /* after a step */
    cast_of(ability);
    threatens((int32_t[CELLS]){
        70, 70, 70, 0,  0, /**/
        70, 70, 70, 70, 0, /**/
        70, 70, 70, 0,  0, /**/
        0,  70, 0,  0,  0, /**/
    });
    ability.points = 7;
    cast_of(ability);
    threatens_all(0);
    ability.points = 1, ability.area = AREA_SELF, ability.range = 8;
    cast_of(ability);
    threatens_all(0);
    ability.area = AREA_TEAM;
    cast_of(ability);
    threatens_all(70);
    ability.effect_kind = ABILITY_EFFECT_HEAL;
    cast_of(ability);
    threatens_all(0);
}

/* [7.4] Punches of the disarmed count as well. */
static void punches_threaten(void **unused) {
    (void)unused;
    load_plain();
    kind("cap")->points = 1;
    draw("cap", "thor", in_the_corner);
    state->commands = 1;
    give("cap", EFFECT_DISARM, 3);
    int32_t punch = test_content()->punch.amount;
    threatens((int32_t[CELLS]){punch, punch, 0, 0, 0, punch});
    give("cap", EFFECT_DISARM, 3);
    threatens((int32_t[CELLS]){2 * punch, 2 * punch, 0, 0, 0, 2 * punch});
    give("cap", EFFECT_SILENCE, 3);
    threatens_all(0);
}

/* [8.3] A villain who leads may finish any who is weak. */
static void villains_threaten_the_weak(void **unused) {
    (void)unused;
    load_plain();
    kind("cap")->type = TYPE_VILLAIN;
    draw("cap", "thor iron",
         "cap . . . .\n"
         ". . . . .\n"
         ". . . . .\n"
         ". . . iron .\n"
         ". . . . thor");
    called("cap")->points_turn = 0;
    threatens_all(0);
    called("thor")->health = 300;
    threatens_all(0);
    called("thor")->health = 200;
    threatens_all(200);
    called("iron")->health = 299;
    threatens_all(299);
    kind("cap")->type = TYPE_HERO;
    threatens_all(0);
    kind("cap")->type = TYPE_VILLAIN;
    state->commands = 1;
    threatens_all(0);
}

static int end(void **unused) {
    (void)unused;
    board_free();
    return 0;
}

#define KNOWS(test) cmocka_unit_test_teardown(test, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        KNOWS(champions_have_their_worth),
        KNOWS(champions_want_to_be_near),
        KNOWS(turns_and_leaders_count),
        KNOWS(effects_count),
        KNOWS(abilities_count),
        KNOWS(attacks_need_a_target),
        KNOWS(attacks_are_tried_by_effect),
        KNOWS(casts_are_tried_by_effect),
        KNOWS(leaders_act_for_a_reason),
        KNOWS(strong_champions_are_picked),
        KNOWS(far_and_wide_blows_are_better),
        KNOWS(strengths_are_weighed),
        KNOWS(first_picks_vary),
        KNOWS(heroes_lead_best),
        KNOWS(turns_have_numbers),
        KNOWS(attacks_threaten),
        KNOWS(effects_hinder),
        KNOWS(effects_help),
        KNOWS(abilities_threaten),
        KNOWS(punches_threaten),
        KNOWS(villains_threaten_the_weak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
