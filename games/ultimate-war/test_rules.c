/* test_rules.c -- sections 1, 3, 4, 5, 8 and 9 of RULES.md by number: the board, draft and start,
 * turns, moves, attacks, leaders, the end. */
#include "tests/support/support.h"

#include "games/ultimate-war/test_scene.h"

/* --- 1. Board --------------------------------------------------------------------------------- */

/* [1.1] [1.3] x grows to the right, y downwards; covers are ground with health. */
static void board_has_25_cells(void **unused) {
    (void)unused;
    draw("thor", "loki",
         ".    .    .    .  loki\n"
         ".    .    #300 .  .\n"
         ".    .    thor .  .\n"
         ".    .    .    .  .\n"
         "#999 .    .    .  .");
    assert_int_equal(loaded->limits.width * loaded->limits.height, 25);
    done("move thor 3 2");
    done("move thor 3 3");
    done("move thor 2 3");
    done("move thor 2 2");
    expect(".    .    .    .  loki\n"
           ".    .    #300 .  .\n"
           ".    .    thor .  .\n"
           ".    .    .    .  .\n"
           "#999 .    .    .  .");
}

/* [1.2] Distances are counted in orthogonal steps: mirror-dimension reaches 5 of them. */
static void distances_are_orthogonal_steps(void **unused) {
    (void)unused;
    draw("doc", "loki hela",
         "doc .    .    .    .\n"
         ".   .    .    .    .\n"
         ".   .    .    loki .\n"
         ".   .    .    hela .\n"
         ".   .    .    .    .");
    turn_of("doc");
    refused("cast doc mirror-dimension 3 3", MASH_TOO_FAR);
    done("cast doc mirror-dimension 3 2");
}

/* --- 3. Draft and start ----------------------------------------------------------------------- */

static MashAction pick_of(uint8_t seat, const char *brief) {
    return (MashAction){
        .verb = VERB_PICK, .seat = seat, .unit = (uint8_t)(UNITS + kind_called(brief))};
}

static MashAction appoint_of(uint8_t seat, uint8_t unit) {
    return (MashAction){.verb = VERB_APPOINT, .seat = seat, .unit = unit};
}

static void chosen(MashAction action, const uint32_t *script, uint32_t count) {
    MashChance chance = chance_scripted(script, count);
    assert_true(listed(action));
    assert_int_equal(mash_apply(loaded, state, action, &chance, &events), MASH_OK);
    assert_true(chance_used_up(&chance));
}

static void begin_draft(void) {
    if (loaded == NULL)
        load_shipped();
    MashChance chance = chance_scripted(NULL, 0);
    events = (MashEvents){event_list, 0, EVENTS_ROOM};
    assert_int_equal(ultimate_war_game.setup(loaded, NULL, &chance, state), MASH_OK);
    assert_true(chance_used_up(&chance));
}

static void pick_six(void) {
    begin_draft();
    chosen(pick_of(0, "ven"), NULL, 0);
    chosen(pick_of(1, "quik"), NULL, 0);
    chosen(pick_of(0, "hulk"), NULL, 0);
    chosen(pick_of(1, "doc"), NULL, 0);
    chosen(pick_of(0, "spid"), NULL, 0);
    chosen(pick_of(1, "jack"), NULL, 0);
}

/* [3.1] One at a time, in turn, nobody twice. */
static void picks_alternate_and_are_unique(void **unused) {
    (void)unused;
    begin_draft();
    refused_action(pick_of(1, "thor"), MASH_NOT_YOUR_TURN);
    chosen(pick_of(0, "thor"), NULL, 0);
    assert_int_equal(event_list[0].kind, MASH_EVENT_CHOSEN);
    assert_int_equal(event_list[0].what, kind_called("thor"));
    refused_action(pick_of(0, "loki"), MASH_NOT_YOUR_TURN);
    refused_action(pick_of(1, "thor"), MASH_ALREADY_TAKEN);
    refused_action((MashAction){.verb = VERB_PICK, .seat = 1, .unit = UNITS + 15},
                   MASH_NO_SUCH_UNIT);
    refused_action((MashAction){.verb = VERB_PICK, .seat = 1, .unit = UNITS - 1},
                   MASH_NO_SUCH_UNIT);
    refused_action(appoint_of(1, 3), MASH_NOT_NOW);
    refused_action((MashAction){.verb = VERB_END, .seat = 1, .unit = 3}, MASH_NOT_NOW);
    MashAction list[LIST_ROOM];
    assert_int_equal(ultimate_war_game.actions(loaded, state, 1, list), 14);
    assert_int_equal(ultimate_war_game.actions(loaded, state, 0, list), 0);
    pick_six();
    static const char *const teams[UNITS] = {"ven", "hulk", "spid", "quik", "doc", "jack"};
    for (uint8_t unit = 0; unit < UNITS; unit++)
        assert_int_equal(state->champions[unit].kind, kind_called(teams[unit]));
    refused_action(pick_of(0, "thor"), MASH_NOT_NOW);
}

/* [3.2] Seat 0, then seat 1 names one of its own. */
static void leaders_are_named_openly(void **unused) {
    (void)unused;
    uint32_t script[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    pick_six();
    refused_action(appoint_of(1, 3), MASH_NOT_YOUR_TURN);
    refused_action(appoint_of(0, 3), MASH_NOT_YOUR_UNIT);
    refused_action(appoint_of(0, UNITS), MASH_NO_SUCH_UNIT);
    refused_action((MashAction){.verb = VERB_APPOINT, .unit = 1, .x = 1}, MASH_NO_SUCH_ACTION);
    chosen(appoint_of(0, 1), NULL, 0);
    assert_int_equal(event_list[0].kind, MASH_EVENT_READY);
    assert_int_equal(event_list[0].seen_by, MASH_SEEN_BY_ALL);
    refused_action(appoint_of(0, 2), MASH_NOT_YOUR_TURN);
    chosen(appoint_of(1, 5), script, 10);
    assert_int_equal(state->leaders[0], 1);
    assert_int_equal(state->leaders[1], 5);
}

/* [3.3] [3.4] Places, and covers: a cell of those left, then its health. */
static void champions_and_covers_are_placed(void **unused) {
    (void)unused;
    uint32_t script[] = {0, 0, 0, 899, 7, 400, 11, 1, 10, 50};
    pick_six();
    chosen(appoint_of(0, 0), NULL, 0);
    chosen(appoint_of(1, 3), script, 10);
    expect(".    quik doc  jack .\n"
           "#100 .    .    .    .\n"
           ".    .    #500 .    .\n"
           "#150 #101 .    .    #999\n"
           ".    ven  hulk spid .");
    assert_int_equal(__builtin_popcount(state->covers), COVERS);
    assert_int_equal(state->cover_health[cell_at(1, 3)], 101);
}

/* [3.4] All cells of the three rows are used, equally often, with healths from 100 to 999. */
static void covers_are_uniform(void **unused) {
    (void)unused;
    int counts[CELLS] = {0}, least = 1000, most = 0;
    for (uint32_t match = 0; match < 3000; match++) {
        MashChance chance = chance_sampled(match);
        pick_six();
        chosen(appoint_of(0, 0), NULL, 0);
        mash_apply(loaded, state, appoint_of(1, 3), &chance, NULL);
        assert_int_equal(__builtin_popcount(state->covers), COVERS);
        for (uint8_t cell = 0; cell < CELLS; cell++) {
            int health = state->cover_health[cell];
            counts[cell] += health > 0;
            most = health > most ? health : most;
            least = health > 0 && health < least ? health : least;
        }
    }
    assert_int_equal(least, 100);
    assert_int_equal(most, 999);
    for (uint8_t cell = 0; cell < CELLS; cell++) {
        if (row_of(cell) == 0 || row_of(cell) == SIDE - 1)
            assert_int_equal(counts[cell], 0);
        else
            assert_in_range(counts[cell], 850, 1150);
    }
}

/* [3.5] [3.6] All champions as in the content; the fastest acts immediately, without
 * preparation. */
static void the_first_turn_has_no_preparation(void **unused) {
    (void)unused;
    uint32_t script[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    pick_six();
    chosen(appoint_of(0, 0), NULL, 0);
    chosen(appoint_of(1, 3), script, 10);
    const Champion *quik = called("quik");
    assert_int_equal(quik->health, 1200);
    assert_int_equal(quik->mana, 650);
    assert_int_equal(quik->points, 8);
    assert_int_equal(quik->points_turn, 8);
    assert_int_equal(quik->speed, 99);
    assert_int_equal(quik->damage, 70);
    assert_int_equal(quik->effects_count + quik->cooldowns[0] + quik->cooldowns[1], 0);
    assert_int_equal(quik->amounts[2], 400);
    assert_int_equal(state->round, 1);
    assert_int_equal(state->queue[0], unit_called("quik"));
    assert_int_equal(ultimate_war_game.awaited(loaded, state), 2);
    assert_int_equal(event_list[events.count - 1].kind, MASH_EVENT_TURN_BEGAN);
    assert_int_equal(ultimate_war_game.figure(loaded, state, 3, FIGURE_TURNS), 1);
}

/* A match with teams dealt by these random numbers. */
static void deal(MashChance *chance) {
    int32_t options[OPTIONS] = {[OPTION_DEALT] = 1};
    MashSetup setup = {options, OPTIONS};
    if (loaded == NULL)
        load_shipped();
    events = (MashEvents){event_list, 0, EVENTS_ROOM};
    assert_int_equal(ultimate_war_game.setup(loaded, &setup, chance, state), MASH_OK);
}

/* [3.7] With `dealt` both seats have their three before the match begins, one of those left each
 * time, and name leaders. */
static void teams_may_be_dealt(void **unused) {
    (void)unused;
    uint32_t dealt[] = {0, 0, 12, 1, 5, 9}, covers[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    static const uint8_t kinds[UNITS] = {0, 12, 5, 14, 1, 9};
    MashChance chance = chance_scripted(dealt, UNITS);
    deal(&chance);
    assert_true(chance_used_up(&chance));
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        assert_int_equal(state->champions[unit].kind, kinds[unit]);
        assert_int_equal(state->champions[unit].cell, CELL_NONE);
    }
    refused_action(pick_of(0, "thor"), MASH_NOT_NOW);
    chosen(appoint_of(0, 2), NULL, 0);
    chosen(appoint_of(1, 4), covers, 10);
    assert_int_equal(state->phase, PHASE_PLAY);
}

/* [3.7] Everybody is dealt equally often to each place, and nobody twice. */
static void dealing_is_uniform(void **unused) {
    (void)unused;
    enum { DEALS = 3000, SHIPPED = 15 };
    int counts[UNITS][SHIPPED] = {{0}};
    for (uint32_t match = 0; match < DEALS; match++) {
        MashChance chance = chance_sampled(match);
        uint32_t seen = 0;
        deal(&chance);
        for (uint8_t unit = 0; unit < UNITS; unit++) {
            uint8_t kind = state->champions[unit].kind;
            assert_in_range(kind, 0, SHIPPED - 1);
            assert_int_equal(seen >> kind & 1, 0);
            seen |= 1u << kind;
            counts[unit][kind]++;
        }
    }
    for (uint8_t unit = 0; unit < UNITS; unit++)
        for (uint8_t kind = 0; kind < SHIPPED; kind++)
            assert_in_range(counts[unit][kind], 140, 260);
}

/* --- 4. Rounds and turns ---------------------------------------------------------------------- */

static void expect_queue(const char *names) {
    char words[UNITS][WORD_BYTES];
    int count = split(names, words, UNITS);
    assert_int_equal(state->queue_count, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(state->queue[i], unit_called(words[i]));
}

static const char *const six = ". loki hela iron .\n"
                               ". .    .    .    .\n"
                               ". .    .    .    .\n"
                               ". .    .    .    .\n"
                               ". thor spid ride .";

/* [4.1] By speed, then by name; changes count in the next round. */
static void queue_is_by_speed_then_name(void **unused) {
    (void)unused;
    draw("thor spid ride", "loki hela iron", six);
    expect_queue("thor ride iron spid hela loki"); /* Ghost Rider, Ironman, Spiderman have 85 */
    called("loki")->speed = 200;
    called("thor")->speed = 75; /* as Hela */
    done("end thor");
    expect_queue("ride iron spid hela loki");
    done("end ride");
    done("end iron");
    done("end spid");
    done("end hela");
    expect_queue("loki");
    assert_int_equal(state->round, 1);
    done("end loki");
    expect_queue("loki ride iron spid hela thor");
    assert_int_equal(state->round, 2);
    assert_int_equal(told(MASH_EVENT_ORDER_SET, "thor"), 6);
}

/* [4.2] Only the first in the queue acts; a turn continues without points until it is ended. */
static void only_the_head_acts(void **unused) {
    (void)unused;
    draw("thor spid ride", "loki hela iron", six);
    refused("move spid 2 3", MASH_UNIT_BUSY);
    refused("move loki 1 1", MASH_NOT_YOUR_TURN);
    refused_action((MashAction){.verb = VERB_MOVE, .unit = 3, .x = 1, .y = 1}, MASH_NOT_YOUR_UNIT);
    refused_action((MashAction){.verb = VERB_MOVE, .unit = 6, .x = 1, .y = 1}, MASH_NO_SUCH_UNIT);
    refused_action((MashAction){.verb = VERB_END, .seat = 2}, MASH_NOT_A_SEAT);
    refused_action((MashAction){.verb = VERBS}, MASH_NO_SUCH_ACTION);
    refused_action((MashAction){.verb = VERB_END, .amount = 1}, MASH_NO_SUCH_ACTION);
    refused_action(pick_of(0, "hulk"), MASH_NOT_NOW);
    called("thor")->points = 0;
    refused("move thor 1 3", MASH_NO_POINTS);
    assert_int_equal(ultimate_war_game.awaited(loaded, state), 1);
    done("end thor");
    expect_queue("ride iron spid hela loki");
}

/* [4.3] [4.5] The queue shrinks and refills; the next one is ticked and gets his points. */
static void the_next_is_prepared(void **unused) {
    (void)unused;
    draw("thor", "loki",
         ". loki . .    .\n"
         ". .    . .    .\n"
         ". .    . .    .\n"
         ". .    . .    .\n"
         ". .    . thor .");
    give("loki", EFFECT_SHOCK, 1);
    give("loki", EFFECT_ROOT, 3);
    called("loki")->points = 0;
    called("loki")->cooldowns[1] = 2;
    done("end thor");
    expect_queue("loki");
    assert_int_equal(called("loki")->points, 5);
    assert_int_equal(called("loki")->effects_count, 1);
    assert_int_equal(called("loki")->effects[0], EFFECT_ROOT << 4 | 2);
    assert_int_equal(called("loki")->cooldowns[1], 1);
    assert_int_equal(told(MASH_EVENT_EFFECT_ENDED, "loki"), 0);
    for (int i = 0; i < 8; i++)
        give("thor", EFFECT_SHOCK, 9);
    assert_int_equal(called("thor")->points_turn, -1);
    called("loki")->speed = 1;
    done("end loki");
    expect_queue("thor loki");
    assert_int_equal(called("thor")->points, 0);
    assert_int_equal(state->round, 2);
}

/* [4.4] The stunned are ticked and skipped, their points stay; even everybody, for rounds. */
static void the_stunned_lose_their_turns(void **unused) {
    (void)unused;
    draw("thor spid ride", "loki hela iron", six);
    give("ride", EFFECT_STUN, 2);
    give("ride", EFFECT_DODGE, 1);
    called("ride")->points = 3;
    called("ride")->cooldowns[0] = 1;
    done("end thor");
    expect_queue("iron spid hela loki");
    assert_int_equal(called("ride")->points, 3);
    assert_int_equal(called("ride")->cooldowns[0], 0);
    assert_int_equal(called("ride")->effects_count, 1);
    assert_int_equal(called("ride")->effects[0], EFFECT_STUN << 4 | 1);
    assert_int_equal(told(MASH_EVENT_TURN_ENDED, "ride"), 0);
    draw("thor", "loki", ". loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . thor .");
    give("thor", EFFECT_STUN, 3);
    give("loki", EFFECT_STUN, 9);
    give("loki", EFFECT_STUN, 2);
    done("end thor");
    expect_queue("thor loki"); /* rounds 2, 3 and 4 were lost */
    assert_int_equal(state->round, 5);
    assert_int_equal(called("loki")->effects[0], EFFECT_STUN << 4 | 5);
    assert_int_equal(called("loki")->effects_count, 1);
}

/* [4.4] A Stun with one turn left still takes that turn. */
static void the_last_turn_of_a_stun_is_lost(void **unused) {
    (void)unused;
    draw("thor spid", "loki", ". loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . spid thor .");
    give("spid", EFFECT_STUN, 1);
    done("end thor");
    expect_queue("loki");
    assert_int_equal(called("spid")->effects_count, 0);
}

/* [4.6] In the order of the list; a punch that ends is not cooled, the others are. */
static void ticking_goes_through_the_list(void **unused) {
    (void)unused;
    draw("thor", "loki", ". loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . thor .");
    give("loki", EFFECT_DISARM, 1);
    give("loki", EFFECT_POWER_UP, 1);
    give("loki", EFFECT_DISARM, 2);
    called("loki")->punch_cooldowns[0] = 1;
    called("loki")->punch_cooldowns[1] = 2;
    done("end thor");
    const Champion *loki = called("loki");
    assert_int_equal(loki->punches_count, 1);
    assert_int_equal(loki->punch_cooldowns[0], 1);
    assert_int_equal(loki->punch_amounts[0], 41); /* gained under PowerUp, lowered at its end */
    assert_int_equal(loki->effects_count, 1);
    assert_int_equal(loki->amounts[1], 300);
}

/* --- 5. Moving and attacking ------------------------------------------------------------------ */

/* [5.1] */
static void moves_pay_and_are_refused_in_order(void **unused) {
    (void)unused;
    draw("thor spid", "loki",
         ".    . .    . .\n"
         ".    . .    . .\n"
         "#100 . .    . .\n"
         "thor . spid . .\n"
         "loki . .    . .");
    refused("move thor 0 4", MASH_CELL_TAKEN);
    refused("move thor 0 2", MASH_CELL_BLOCKED);
    refused("move thor -1 3", MASH_OFF_BOARD);
    refused("move thor 1 2", MASH_NOT_A_STEP);
    refused("move thor 0 3", MASH_NOT_A_STEP);
    refused_action((MashAction){.verb = VERB_MOVE, .x = 1, .y = 3, .ability = 1},
                   MASH_NO_SUCH_ACTION);
    done("move thor 1 3");
    assert_int_equal(called("thor")->points, 6);
    assert_int_equal(told(MASH_EVENT_MOVED, "thor"), 0);
    refused("move thor 2 3", MASH_CELL_TAKEN);
    called("thor")->points = 0;
    refused("move thor 2 3", MASH_NO_POINTS);
    refused("move thor 1 9", MASH_NO_POINTS);
    give("thor", EFFECT_ROOT, 2);
    refused("move thor 1 2", MASH_ROOTED);
    expect(".    .    .    . .\n"
           ".    .    .    . .\n"
           "#100 .    .    . .\n"
           ".    thor spid . .\n"
           "loki .    .    . .");
}

/* [5.2] Paid even without a target and over the edge. */
static void attacks_are_paid_even_for_nothing(void **unused) {
    (void)unused;
    draw("thor", "loki", "thor . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . loki .");
    done("attack thor up");
    assert_int_equal(called("thor")->points, 5);
    done("attack thor right");
    assert_int_equal(called("thor")->points, 3);
    done("attack thor down");
    assert_int_equal(events.count, 1);
    assert_int_equal(event_list[0].kind, MASH_EVENT_ATTACKED);
    assert_int_equal(event_list[0].other, MASH_UNIT_NONE);
    refused("attack thor left", MASH_NO_POINTS);
    give("thor", EFFECT_DISARM, 1);
    refused("attack thor left", MASH_DISARMED);
    refused_action((MashAction){.verb = VERB_ATTACK, .amount = 4}, MASH_NO_SUCH_ACTION);
}

/* [5.3] The first cover or enemy within range; friends are passed over; only he is hurt. */
static void attacks_hit_the_first_in_line(void **unused) {
    (void)unused;
    draw("iron thor", "loki hela ven",
         ". .    ven  .    .\n"
         ". .    .    .    .\n"
         ". .    .    .    .\n"
         ". .    iron thor loki\n"
         ". .    hela .    .");
    turn_of("iron");
    done("attack iron right");
    assert_int_equal(called("thor")->health, 1800);
    assert_int_equal(called("loki")->health, 1150 - 135);
    done("attack iron up"); /* three cells away */
    assert_int_equal(called("ven")->health, 1650 - 135);
    draw("iron", "loki ven",
         ". .    ven  .    .\n"
         ". .    .    .    .\n"
         ". .    .    .    .\n"
         ". .    .    .    .\n"
         "loki .  iron .    .");
    turn_of("iron");
    done("attack iron up"); /* four cells: out of range */
    assert_int_equal(called("ven")->health, 1650);
    draw("iron", "loki hela",
         ". . .    .    .\n"
         ". . .    .    .\n"
         ". . iron loki hela\n"
         ". . .    .    .\n"
         ". . .    .    .");
    turn_of("iron");
    done("attack iron right");
    assert_int_equal(called("loki")->health, 1150 - 135);
    assert_int_equal(called("hela")->health, 1500);
}

/* [5.3] The nearest counts in each of the four directions. */
static void the_nearest_is_hit_in_every_direction(void **unused) {
    (void)unused;
    static const char *const ways[] = {"up", "right", "down", "left"};
    for (int i = 0; i < DIRECTIONS; i++) {
        char words[32];
        draw("pool", "loki",
             ".    .    #100 .    .\n"
             ".    .    #200 .    .\n"
             "#100 #200 pool #200 #100\n"
             ".    .    #200 .    .\n"
             "loki .    #100 .    .");
        turn_of("pool");
        snprintf(words, sizeof words, "attack pool %s", ways[i]);
        done(words);
        uint8_t cell = cell_at(2 + grid_dx[i], 2 + grid_dy[i]);
        assert_int_equal(state->cover_health[cell], 110);
        assert_int_equal(called("pool")->points, 4);
    }
}

/* [5.4] Covers lose the plain damage and are removed at 0. */
static void covers_are_hurt_and_removed(void **unused) {
    (void)unused;
    draw("thor", "loki", "thor #200 . . .\n. . . . .\n. . . . .\n. . . . .\n. . . loki .");
    done("attack thor right");
    expect("thor #70 . . .\n. . . . .\n. . . . .\n. . . . .\n. . . loki .");
    done("attack thor right");
    expect("thor . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . loki .");
    assert_int_equal(called("thor")->points, 3);
    assert_int_equal(events.count, 3);
    assert_int_equal(event_list[1].kind, MASH_EVENT_GROUND_HURT);
    assert_int_equal(event_list[1].amount, 70);
    assert_int_equal(event_list[2].kind, MASH_EVENT_GROUND_CHANGED);
    done("move thor 1 0");
}

/* [5.5] One roll; a champion who dodges keeps his Shield, the points are paid. */
static void dodge_comes_before_shield(void **unused) {
    (void)unused;
    uint32_t avoids = 1, fails = 0;
    draw("thor", "loki", "thor loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    give("loki", EFFECT_SHIELD, 2);
    give("loki", EFFECT_DODGE, 2);
    give("loki", EFFECT_DODGE, 2);
    done_by_chance("attack thor right", &avoids, 1);
    assert_int_equal(called("loki")->health, 1150);
    assert_int_equal(called("loki")->effects_count, 3);
    assert_int_equal(called("thor")->points, 5);
    assert_int_equal(event_list[1].kind, MASH_EVENT_MISSED);
    done_by_chance("attack thor right", &fails, 1);
    assert_int_equal(called("loki")->health, 1150);
    assert_false(has_effect(called("loki"), EFFECT_SHIELD));
    done_by_chance("attack thor right", &fails, 1);
    assert_int_equal(called("loki")->health, 1150 - 195);
}

/* [5.6] The first Shield is removed and undone. */
static void shield_stops_one_attack(void **unused) {
    (void)unused;
    draw("thor", "loki", "thor loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    give("loki", EFFECT_SHIELD, 2);
    give("loki", EFFECT_ROOT, 5);
    give("loki", EFFECT_SHIELD, 3);
    assert_int_equal(called("loki")->speed, 72); /* 70, 71, 72 */
    done("attack thor right");
    assert_int_equal(called("loki")->health, 1150);
    assert_int_equal(called("loki")->speed, 70);
    assert_int_equal(called("loki")->effects[0], EFFECT_ROOT << 4 | 5);
    assert_int_equal(called("loki")->effects[1], EFFECT_SHIELD << 4 | 3);
    assert_int_equal(called("thor")->points, 5);
}

/* [5.7] All nine pairs of types in all four directions. */
static void types_decide_the_damage(void **unused) {
    (void)unused;
    static const char *const attackers[TYPES] = {"spid", "hela", "ride"};
    static const char *const victims[TYPES] = {"cap", "elec", "ven"};
    static const int plain[TYPES] = {120, 150, 140}, more[TYPES] = {180, 225, 210};
    static const char *const ways[] = {"up", "right", "down", "left"};
    for (int pair = 0; pair < TYPES * TYPES; pair++) {
        for (int way = 0; way < DIRECTIONS; way++) {
            const char *attacker = attackers[pair / TYPES], *victim = victims[pair % TYPES];
            const char *near[DIRECTIONS] = {".", ".", ".", "."};
            char drawing[DRAWING_BYTES], words[64];
            near[way] = victim;
            snprintf(drawing, sizeof drawing,
                     ". . . . .\n. . %s . .\n. %s %s %s .\n. . %s . .\n. . . . .", near[0], near[3],
                     attacker, near[1], near[2]);
            draw(attacker, victim, drawing);
            turn_of(attacker);
            snprintf(words, sizeof words, "attack %s %s", attacker, ways[way]);
            done(words);
            bool same = pair / TYPES == pair % TYPES;
            int lost = same ? plain[pair / TYPES] : more[pair / TYPES];
            int full = test_content()->kinds[called(victim)->kind].health;
            assert_int_equal(called(victim)->health, full - lost);
            assert_int_equal(told(MASH_EVENT_HURT, victim), lost);
        }
    }
    draw("thor", "loki", "thor loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    called("thor")->damage = 117; /* 175.5 */
    done("attack thor right");
    assert_int_equal(called("loki")->health, 1150 - 175);
}

/* [5.8] */
static void the_rooted_may_attack(void **unused) {
    (void)unused;
    draw("thor", "loki", "thor loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    give("thor", EFFECT_ROOT, 2);
    give("thor", EFFECT_SILENCE, 2);
    done("attack thor right");
    assert_int_equal(called("loki")->health, 1150 - 195);
}

/* --- 8. Leader abilities ---------------------------------------------------------------------- */

/* [8.1] Free, once, on his own turn, silenced and without points or not; not for others. */
static void leaders_command_once(void **unused) {
    (void)unused;
    draw("thor spid ride", "loki hela iron", six);
    give("thor", EFFECT_SILENCE, 2);
    called("thor")->points = 0;
    called("thor")->mana = 0;
    done("command thor");
    assert_int_equal(called("thor")->points, 0);
    assert_int_equal(state->commands, 1);
    refused("command thor", MASH_ALREADY_USED);
    turn_of("spid");
    refused("command spid", MASH_NOT_LEADER);
    refused_action((MashAction){.verb = VERB_COMMAND, .unit = 1, .x = 1}, MASH_NO_SUCH_ACTION);
    turn_of("loki");
    done("command loki");
    assert_int_equal(state->commands, 3);
}

/* [8.2] Debuffs end, buffs stay; Embrace comes once to each. */
static void heroes_cleanse_and_embrace(void **unused) {
    (void)unused;
    draw("thor spid", "loki", ". loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . spid thor .");
    give("spid", EFFECT_STUN, 2);
    give("spid", EFFECT_SHIELD, 2);
    give("spid", EFFECT_ROOT, 2);
    give("spid", EFFECT_SHOCK, 2);
    give("thor", EFFECT_SHOCK, 2);
    give("loki", EFFECT_ROOT, 2);
    called("spid")->health = 100;
    assert_int_equal(called("thor")->points, 6);
    done("command thor");
    assert_int_equal(called("thor")->points, 7);
    assert_int_equal(called("thor")->effects_count, 1);
    assert_int_equal(called("thor")->effects[0], EFFECT_EMBRACE << 4 | 2);
    assert_int_equal(called("thor")->mana, 960);
    assert_int_equal(called("spid")->effects_count, 2);
    assert_int_equal(called("spid")->effects[0], EFFECT_SHIELD << 4 | 2);
    assert_int_equal(called("spid")->effects[1], EFFECT_EMBRACE << 4 | 2);
    assert_int_equal(called("spid")->health, 100 + 280);
    assert_int_equal(called("spid")->mana, 900);
    assert_int_equal(ultimate_war_condition(called("spid")), CONDITION_ACTIVE);
    assert_int_equal(called("loki")->effects_count, 1);
    assert_int_equal(told(MASH_EVENT_HEALED, "spid"), 280);
    assert_int_equal(told(MASH_EVENT_CHANGED, "spid"), 150);
}

/* [8.3] Strictly below 30 %, Shield or not, removed immediately from board and queue; only
 * enemies. */
static void villains_finish_the_weak(void **unused) {
    (void)unused;
    draw("loki hela", "thor spid iron",
         ". thor spid iron .\n. . . . .\n. . . . .\n. . . . .\n. loki hela . .");
    called("thor")->health = 540; /* just 30 % of 1800 */
    called("spid")->health = 419; /* below 420 */
    called("iron")->health = 1;
    called("hela")->health = 1;
    give("iron", EFFECT_SHIELD, 3);
    turn_of("loki");
    done("command loki");
    expect(". thor . . .\n. . . . .\n. . . . .\n. . . . .\n. loki hela . .");
    expect_queue("loki thor hela");
    assert_int_equal(ultimate_war_condition(called("iron")), CONDITION_OUT);
    assert_int_equal(ultimate_war_game.figure(loaded, state, 0, FIGURE_KNOCK_OUTS), 2);
}

/* [8.3] It may win the match. */
static void a_villain_may_win(void **unused) {
    (void)unused;
    draw("loki", "thor", ". thor . . .\n. . . . .\n. . . . .\n. . . . .\n. loki . . .");
    called("thor")->health = 1;
    turn_of("loki");
    done("command loki");
    MashResult result = ultimate_war_game.result(loaded, state);
    assert_true(result.over);
    assert_int_equal(result.winner, 0);
}

/* [8.4] Everybody on both sides but the two leaders. */
static void antiheroes_stun_all_but_leaders(void **unused) {
    (void)unused;
    draw("ride thor", "loki hela iron",
         ". loki hela iron .\n. . . . .\n. . . . .\n. . . . .\n. ride thor . .");
    turn_of("ride");
    done("command ride");
    assert_int_equal(called("ride")->effects_count, 0);
    assert_int_equal(called("loki")->effects_count, 0);
    assert_int_equal(called("thor")->effects[0], EFFECT_STUN << 4 | 2);
    assert_int_equal(called("hela")->effects[0], EFFECT_STUN << 4 | 2);
    assert_int_equal(called("iron")->effects[0], EFFECT_STUN << 4 | 2);
    done("end ride");
    expect_queue("loki");
}

/* --- 9. Out, and the end ---------------------------------------------------------------------- */

/* [9.1] Removed from board and queue immediately; the others keep their order. */
static void the_beaten_leave_at_once(void **unused) {
    (void)unused;
    draw("thor spid ride", "loki hela iron",
         ". loki hela .    .\n. . iron . .\n. . thor . .\n. . . . .\n. spid . ride .");
    expect_queue("thor ride iron spid hela loki");
    called("spid")->speed = 500; /* counts in the next round only */
    called("iron")->health = 50;
    give("iron", EFFECT_POWER_UP, 2);
    done("attack thor up");
    expect(". loki hela . .\n. . . . .\n. . thor . .\n. . . . .\n. spid . ride .");
    expect_queue("thor ride spid hela loki");
    assert_int_equal(told(MASH_EVENT_HURT, "iron"), 50);
    assert_int_equal(event_list[events.count - 1].kind, MASH_EVENT_DIED);
    assert_int_equal(ultimate_war_condition(called("iron")), CONDITION_OUT);
    refused_action((MashAction){.verb = VERB_END, .seat = 1, .unit = 5}, MASH_NOT_YOUR_TURN);
    done("end thor");
    done("end ride");
    done("end spid");
    refused_action((MashAction){.verb = VERB_END, .seat = 1, .unit = 5}, MASH_UNIT_OUT);
    done("end hela");
}

/* [9.2] */
static void who_beats_all_three_wins(void **unused) {
    (void)unused;
    draw("thor", "loki", "thor loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .");
    called("loki")->health = 195;
    assert_false(ultimate_war_game.result(loaded, state).over);
    done("attack thor right");
    MashResult result = ultimate_war_game.result(loaded, state);
    assert_true(result.over);
    assert_int_equal(result.winner, 0);
    assert_int_equal(result.reason, REASON_DEFEATED);
    assert_int_equal(event_list[events.count - 1].kind, MASH_EVENT_MATCH_ENDED);
    assert_int_equal(ultimate_war_game.awaited(loaded, state), 0);
    refused("end thor", MASH_MATCH_OVER);
}

/* [9.3] */
static void a_hundred_rounds_are_a_draw(void **unused) {
    (void)unused;
    draw("thor", "loki", ". loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . thor .");
    for (int round = 1; round < 100; round++) {
        done("end thor");
        done("end loki");
        assert_int_equal(state->round, round + 1);
    }
    give("loki", EFFECT_STUN, 9);
    done("end thor");
    MashResult result = ultimate_war_game.result(loaded, state);
    assert_true(result.over);
    assert_int_equal(result.winner, MASH_SEAT_NONE);
    assert_int_equal(result.reason, REASON_ROUNDS);
    assert_int_equal(event_list[events.count - 1].kind, MASH_EVENT_MATCH_ENDED);
}

/* [9.5] */
static void the_clock_may_end_it(void **unused) {
    (void)unused;
    draw("thor", "loki", ". loki . . .\n. . . . .\n. . . . .\n. . . . .\n. . . thor .");
    assert_int_equal(loaded->limits.turn_ms, 60000);
    MashAction over = {.verb = MASH_VERB_TIME_OVER, .seat = MASH_SEAT_SERVER, .other = 1};
    refused_action(over, MASH_NOT_NOW); /* Thor acts, so Loki's time does not run */
    over.other = 0;
    assert_int_equal(mash_apply(loaded, state, over, NULL, &events), MASH_OK);
    MashResult result = ultimate_war_game.result(loaded, state);
    assert_true(result.over);
    assert_int_equal(result.winner, 1);
    assert_int_equal(result.reason, MASH_REASON_TIME_OVER);
}

/* [9.4] */
static void figures_are_counted(void **unused) {
    (void)unused;
    draw("thor hulk", "loki hela",
         "thor loki . . .\n. . . . .\n. . . . .\nhela . . . .\nhulk . . . .");
    called("loki")->health = 200;
    done("attack thor right");
    done("attack thor right"); /* only 5 are left to lose */
    done("move thor 1 0");
    done("cast thor god-of-thunder");
    turn_of("hulk");
    called("hulk")->health = 2000;
    done("cast hulk sun-is-getting-real-low");
    done("attack hulk up");
    done("end hulk");
    static const int wanted[2][FIGURES] = {{200, 0, 1, 1, 1, 0}, {300, 250, 0, 0, 1, 0}};
    uint8_t units[2] = {unit_called("thor"), unit_called("hulk")};
    for (uint8_t figure = 0; figure < FIGURES; figure++) {
        int32_t sum = 0;
        for (int i = 0; i < 2; i++) {
            int32_t found = ultimate_war_game.figure(loaded, state, units[i], figure);
            sum += found;
            if (figure != FIGURE_TURNS)
                assert_int_equal(found, wanted[i][figure]);
        }
        assert_int_equal(ultimate_war_game.figure(loaded, state, MASH_UNIT_SIDE, figure), sum);
    }
    assert_int_equal(ultimate_war_game.figure(loaded, state, unit_called("thor"), FIGURE_TURNS), 1);
    assert_int_equal(ultimate_war_game.figure(loaded, state, 99, FIGURE_TURNS), 0);
}

static int finish(void **unused) {
    (void)unused;
    board_free();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(board_has_25_cells),
        cmocka_unit_test(distances_are_orthogonal_steps),
        cmocka_unit_test(picks_alternate_and_are_unique),
        cmocka_unit_test(leaders_are_named_openly),
        cmocka_unit_test(champions_and_covers_are_placed),
        cmocka_unit_test(covers_are_uniform),
        cmocka_unit_test(the_first_turn_has_no_preparation),
        cmocka_unit_test(teams_may_be_dealt),
        cmocka_unit_test(dealing_is_uniform),
        cmocka_unit_test(queue_is_by_speed_then_name),
        cmocka_unit_test(only_the_head_acts),
        cmocka_unit_test(the_next_is_prepared),
        cmocka_unit_test(the_stunned_lose_their_turns),
        cmocka_unit_test(the_last_turn_of_a_stun_is_lost),
        cmocka_unit_test(ticking_goes_through_the_list),
        cmocka_unit_test(moves_pay_and_are_refused_in_order),
        cmocka_unit_test(attacks_are_paid_even_for_nothing),
        cmocka_unit_test(attacks_hit_the_first_in_line),
        cmocka_unit_test(the_nearest_is_hit_in_every_direction),
        cmocka_unit_test(covers_are_hurt_and_removed),
        cmocka_unit_test(dodge_comes_before_shield),
        cmocka_unit_test(shield_stops_one_attack),
        cmocka_unit_test(types_decide_the_damage),
        cmocka_unit_test(the_rooted_may_attack),
        cmocka_unit_test(leaders_command_once),
        cmocka_unit_test(heroes_cleanse_and_embrace),
        cmocka_unit_test(villains_finish_the_weak),
        cmocka_unit_test(a_villain_may_win),
        cmocka_unit_test(antiheroes_stun_all_but_leaders),
        cmocka_unit_test(the_beaten_leave_at_once),
        cmocka_unit_test(who_beats_all_three_wins),
        cmocka_unit_test(a_hundred_rounds_are_a_draw),
        cmocka_unit_test(the_clock_may_end_it),
        cmocka_unit_test(figures_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, finish);
}
