/* test_rules.c -- Generals by rule number: board, armies, placement, turns, battles, the end. */
#include "games/generals/test_scene.h"

/* Only the Nexuses, a hero in the middle and a villain to answer. */
static const char quiet_board[] = "HN .  .  .  .   .  .  .  . "
                                  ".  .  .  .  .   .  .  .  . "
                                  ".  .  .  .  .   .  .  .  . "
                                  ".  .  .  .  H10 .  .  .  . "
                                  ".  .  .  .  .   .  .  .  . "
                                  ".  .  .  .  .   .  .  .  . "
                                  ".  .  .  .  .   .  .  .  . "
                                  ".  .  .  .  .   .  .  V9 VN ";

/* --- Board and armies ------------------------------------------------------------------------- */

/* [1.1] [1.2] */
static void the_board_has_nine_columns_eight_rows_and_two_zones(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    assert_int_equal(scene->content->limits.width, 9);
    assert_int_equal(scene->content->limits.height, 8);
    const MashBoard *board = scene_show(scene, scene->state);
    for (int cell = 0; cell < CELLS_MAX; cell++)
        assert_int_equal(board->ground[cell], cell < 27    ? GROUND_ZONE_0
                                              : cell >= 45 ? GROUND_ZONE_1
                                                           : GROUND_OPEN);
    MashAction place = {.verb = VERB_PLACE, .x = 8, .y = 2};
    assert_int_equal(scene_act(scene, place), MASH_OK);
    place.y = 3;
    place.amount = 1;
    assert_int_equal(scene_act(scene, place), MASH_OUT_OF_ZONE);
    place = (MashAction){.verb = VERB_PLACE, .seat = 1, .y = 5, .amount = 15};
    assert_int_equal(scene_act(scene, place), MASH_OK);
    place.y = 4;
    assert_int_equal(scene_act(scene, place), MASH_OUT_OF_ZONE);
    place.y = 8;
    assert_int_equal(scene_act(scene, place), MASH_OFF_BOARD);
    scene_free(scene);
    scene = scene_of(quiet_board); /* in play zones mean nothing */
    board = scene_show(scene, scene->state);
    for (int cell = 0; cell < CELLS_MAX; cell++)
        assert_int_equal(board->ground[cell], GROUND_OPEN);
    scene_free(scene);
}

/* [2.1] Read off the bench before anything is placed. */
static void each_army_has_its_twenty_one_pieces(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    const MashBoard *board = scene_show(scene, scene->state);
    int counts[2 * KINDS_MAX] = {0};
    assert_int_equal(board->tokens_count, 42);
    for (uint32_t i = 0; i < board->tokens_count; i++) {
        assert_int_equal(board->tokens[i].place, MASH_ON_BENCH);
        assert_int_equal(board->tokens[i].seat, board->tokens[i].kind >= 15);
        counts[board->tokens[i].kind]++;
    }
    for (int kind = 0; kind < 30; kind++) {
        const GeneralsKind *known =
            &generals_content(scene->content)->army[kind / 15].kinds[kind % 15 + 1];
        assert_int_equal(counts[kind], kind % 15 == 12 ? 2 : kind % 15 == 13 ? 6 : 1);
        assert_int_equal(known->power, kind % 15 < 12 ? 12 - kind % 15 : 0);
    }
    scene_free(scene);
}

/* --- Placement -------------------------------------------------------------------------------- */

/* [3.1] [3.2] */
static void seats_place_piece_by_piece_and_need_not_wait(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    assert_int_equal(generals_game.awaited(scene->content, scene->state), 3);
    MashAction thanos = {.verb = VERB_PLACE, .seat = 1, .x = 3, .y = 7, .amount = 15};
    assert_int_equal(scene_act(scene, thanos), MASH_OK);
    MashAction thor = {.verb = VERB_PLACE, .x = 3, .y = 0, .amount = 0};
    assert_int_equal(scene_act(scene, thor), MASH_OK);
    thor.x = 4;
    assert_int_equal(scene_act(scene, thor), MASH_NOT_OFFERED);
    MashAction hulk = {.verb = VERB_PLACE, .x = 3, .y = 0, .amount = 2};
    assert_int_equal(scene_act(scene, hulk), MASH_CELL_TAKEN);
    hulk.amount = 17;
    assert_int_equal(scene_act(scene, hulk), MASH_NOT_OFFERED);
    for (int8_t x = 0; x < 6; x++) {
        MashAction agent = {.verb = VERB_PLACE, .x = x, .y = 2, .amount = 13};
        assert_int_equal(scene_act(scene, agent), MASH_OK);
    }
    MashAction seventh = {.verb = VERB_PLACE, .x = 6, .y = 2, .amount = 13};
    assert_int_equal(scene_act(scene, seventh), MASH_NOT_OFFERED);
    seventh = (MashAction){.verb = VERB_PLACE, .x = 6, .y = 2, .amount = 12, .unit = 1};
    assert_int_equal(scene_act(scene, seventh), MASH_NO_SUCH_ACTION);
    assert_int_equal(scene_plain(scene, 0, VERB_MOVE), MASH_NOT_NOW);
    assert_int_equal(scene_plain(scene, 2, VERB_PLACE), MASH_NOT_A_SEAT);
    scene_expect(scene, ".  .  .  H12 .  .  . . . "
                        ".  .  .  .   .  .  . . . "
                        "HA HA HA HA  HA HA . . . "
                        ".  .  .  .   .  .  . . . "
                        ".  .  .  .   .  .  . . . "
                        ".  .  .  .   .  .  . . . "
                        ".  .  .  .   .  .  . . . "
                        ".  .  .  V12 .  .  . . . ");
    scene_free(scene);
}

/* [3.3] The printed layout, and its mirror image. */
static void the_layout_is_the_printed_one(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    assert_int_equal(scene_plain(scene, 0, VERB_LAYOUT), MASH_OK);
    assert_int_equal(scene_plain(scene, 1, VERB_LAYOUT), MASH_OK);
    scene_expect(scene, "H4 H1 H9 H12 HN  H8 .  H5 H3 "
                        "HI H7 .  H11 H10 .  H6 .  HI "
                        "HA .  HA HA  HA  HA HA .  H2 "
                        ".  .  .  .   .   .  .  .  . "
                        ".  .  .  .   .   .  .  .  . "
                        "VA .  VA VA  VA  VA VA .  V2 "
                        "VI V7 .  V11 V10 .  V6 .  VI "
                        "V4 V1 V9 V12 VN  V8 .  V5 V3 ");
    assert_int_equal(scene_plain(scene, 0, VERB_LAYOUT), MASH_NOT_NOW);
    assert_int_equal(scene_plain(scene, 0, VERB_RANDOM), MASH_NOT_NOW);
    scene_free(scene);
    scene = scene_new(NULL);
    MashAction thor = {.verb = VERB_PLACE, .x = 3, .y = 0};
    assert_int_equal(scene_act(scene, thor), MASH_OK);
    assert_int_equal(scene_plain(scene, 0, VERB_LAYOUT), MASH_NOT_NOW);
    scene_free(scene);
}

/* [3.4] Kinds in order, each onto a random free cell; the last free cell fills the gap. */
static void random_places_what_is_left_by_lot(void **unused) {
    (void)unused;
    static const uint32_t script[20] = {0, 1};
    GeneralsScene *scene = scene_new(NULL);
    scene->chance = chance_scripted(script, 20);
    MashAction thor = {.verb = VERB_PLACE, .x = 1, .y = 1};
    assert_int_equal(scene_act(scene, thor), MASH_OK);
    assert_int_equal(scene_plain(scene, 0, VERB_RANDOM), MASH_OK);
    assert_int_equal(scene->events.count, 20);
    scene_expect(scene, "H11 H10 .  .  .  .  .  HN HA "
                        "HA  H12 HA HA HA HA HI HI H1 "
                        "H2  H3  H4 H5 H6 H7 H8 .  H9 "
                        ".   .   .  .  .  .  .  .  . "
                        ".   .   .  .  .  .  .  .  . "
                        ".   .   .  .  .  .  .  .  . "
                        ".   .   .  .  .  .  .  .  . "
                        ".   .   .  .  .  .  .  .  . ");
    scene_free(scene);
}

/* [3.5] */
static void ready_needs_the_whole_army(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    assert_int_equal(scene_plain(scene, 0, VERB_READY), MASH_NOT_COMPLETE);
    assert_int_equal(scene_plain(scene, 0, VERB_LAYOUT), MASH_OK);
    assert_int_equal(scene_plain(scene, 0, VERB_READY), MASH_OK);
    assert_int_equal(generals_game.awaited(scene->content, scene->state), 2);
    assert_int_equal(scene_plain(scene, 0, VERB_READY), MASH_ALREADY_READY);
    assert_int_equal(scene_count(scene, VERB_READY, MASH_UNIT_NONE), 0);
    scene_free(scene);
}

/* [5.2] A seat that places sees the powers of its own ranked kinds, and nothing of the other
 * army. */
static void powers_are_shown_while_placing(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    GeneralsState view = *scene->state;
    generals_game.hide(scene->content, &view, 1);
    const MashBoard *board = scene_show(scene, &view);
    uint32_t ranked = 0;
    for (uint32_t i = 0; i < board->meters_count; i++) {
        const MashMeter *meter = &board->meters[i];
        if (meter->meter != METER_POWER)
            continue;
        assert_int_equal(meter->unit, MASH_UNIT_NONE);
        assert_int_equal(meter->about_list, 1 + MASH_NAME_KIND);
        assert_int_equal(meter->about, 15 + ranked++);
        assert_int_equal(meter->now, 13 - ranked);
    }
    assert_int_equal(ranked, 12);
    scene_free(scene);
}

/* [3.7] [4.1] Numbers by cell, whatever the order of placing; the Heroes begin. */
static void play_begins_when_both_are_ready(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    MashAction star_lord = {.verb = VERB_PLACE, .x = 8, .y = 2, .amount = 8};
    uint32_t script[20] = {0};
    scene->chance = chance_scripted(script, 20);
    assert_int_equal(scene_act(scene, star_lord), MASH_OK);
    assert_int_equal(scene_plain(scene, 0, VERB_RANDOM), MASH_OK);
    assert_int_equal(scene_plain(scene, 1, VERB_LAYOUT), MASH_OK);
    assert_int_equal(scene_plain(scene, 0, VERB_READY), MASH_OK);
    scene_expect_events(scene, 0, "ready");
    assert_int_equal(scene_plain(scene, 1, VERB_READY), MASH_OK);
    assert_int_equal(scene_event(scene, MASH_EVENT_TURN_BEGAN)->other, 0);
    assert_int_equal(scene_event(scene, MASH_EVENT_ROUND_BEGAN)->amount, 1);
    assert_int_equal(generals_game.awaited(scene->content, scene->state), 1);
    const MashBoard *board = scene_show(scene, scene->state);
    for (uint32_t unit = 0; unit < 42; unit++) {
        const MashToken *token = &board->tokens[unit], *next = token + 1;
        assert_int_equal(token->unit, unit);
        assert_int_equal(token->seat, unit >= 21);
        if (unit != 20 && unit != 41)
            assert_true(token->y * 9 + token->x < next->y * 9 + next->x);
    }
    assert_int_equal(board->tokens[20].kind, 8);
    char name[8];
    MashText text = text_over(name, sizeof name);
    generals_game.unit_name(scene->content, scene->state, 41, &text);
    assert_string_equal(name, "v20");
    assert_int_equal(scene_plain(scene, 0, VERB_READY), MASH_NOT_NOW);
    scene_free(scene);
}

/* --- Turns and steps -------------------------------------------------------------------------- */

/* [4.1] [4.5] */
static void sides_take_turns_and_rounds_count_both(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(quiet_board);
    MashAction villain = {.verb = VERB_MOVE, .seat = 1, .unit = 21, .x = 6, .y = 7};
    assert_int_equal(scene_act(scene, villain), MASH_NOT_YOUR_TURN);
    assert_int_equal(scene_stay(scene, 4, 3), MASH_NOT_NOW);
    assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
    assert_int_equal(scene_meter(scene, scene->state, MASH_UNIT_NONE, METER_ROUND), 1);
    scene_expect_events(scene, 0, "moved turn-began");
    MashAction hero = {.verb = VERB_MOVE, .unit = 1, .x = 4, .y = 3};
    assert_int_equal(scene_act(scene, hero), MASH_NOT_YOUR_TURN);
    assert_int_equal(scene_act(scene, villain), MASH_OK);
    assert_int_equal(scene_meter(scene, scene->state, MASH_UNIT_NONE, METER_ROUND), 2);
    scene_expect_events(scene, 0, "moved round-began turn-began");
    scene_free(scene);
}

/* [4.2] [4.3] [4.4] */
static void a_step_goes_to_the_next_cell_in_four_directions(void **unused) {
    (void)unused;
    static const char crowd[] = "HN HA .  .  .   .  .  .  . "
                                ".  .  .  .  .   .  .  .  . "
                                ".  .  .  .  H2  .  .  .  . "
                                ".  .  .  H1 H10 V1 .  .  . "
                                ".  .  .  .  .   .  .  .  . "
                                ".  .  .  .  .   .  .  .  . "
                                ".  .  .  .  .   .  .  .  . "
                                ".  .  .  .  .   .  .  V9 VN ";
    GeneralsScene *scene = scene_of(crowd);
    uint8_t hulk = scene_at(scene, 4, 3);
    assert_int_equal(scene_count(scene, VERB_MOVE, hulk), 2);
    assert_int_equal(scene_step(scene, 4, 3, 4, 2), MASH_OWN_SIDE);
    assert_int_equal(scene_step(scene, 4, 3, 3, 3), MASH_OWN_SIDE);
    assert_int_equal(scene_step(scene, 4, 3, 5, 4), MASH_NOT_A_STEP);
    assert_int_equal(scene_step(scene, 4, 3, 4, 5), MASH_NOT_A_STEP);
    assert_int_equal(scene_step(scene, 4, 3, 4, 3), MASH_NOT_A_STEP);
    assert_int_equal(scene_step(scene, 1, 0, 1, -1), MASH_OFF_BOARD);
    assert_int_equal(scene_step(scene, 0, 0, 0, 1), MASH_CANNOT_MOVE);
    assert_int_equal(scene_count(scene, VERB_MOVE, scene_at(scene, 0, 0)), 0);
    assert_int_equal(scene_count(scene, VERB_MOVE, scene_at(scene, 1, 0)), 2);
    MashAction wrong = {.verb = VERB_MOVE, .unit = hulk, .x = 4, .y = 4, .amount = 1};
    assert_int_equal(scene_act(scene, wrong), MASH_NO_SUCH_ACTION);
    wrong.amount = 0;
    wrong.unit = 42;
    assert_int_equal(scene_act(scene, wrong), MASH_NO_SUCH_UNIT);
    wrong.unit = 21;
    assert_int_equal(scene_act(scene, wrong), MASH_NOT_YOUR_UNIT);
    wrong.unit = 20;
    assert_int_equal(scene_act(scene, wrong), MASH_UNIT_OUT);
    assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
    scene_free(scene);
}

/* --- Battles ---------------------------------------------------------------------------------- */

/* The table of section 5, written independently of the code: 1 kind survives, -1 the other, 0
 * neither. Kinds: 1 to 12 by falling power, 13 infiltrator, 14 agent, 15 Nexus. */
static int survivor(int kind, int other) {
    if (other == KIND_NEXUS)
        return 1;
    if (kind == other)
        return 0;
    if (kind == KIND_INFILTRATOR)
        return other == KIND_AGENT ? -1 : 1;
    if (kind == KIND_AGENT)
        return other == KIND_INFILTRATOR ? 1 : -1;
    if (other == KIND_INFILTRATOR)
        return -1;
    return other == KIND_AGENT || kind < other ? 1 : -1;
}

/* The attacker of `seat` steps from 4,3 onto the defender at 4,4. */
static void battle_of(uint8_t seat, uint8_t kind, uint8_t other) {
    GeneralsScene *scene = scene_of(quiet_board);
    GeneralsState *state = scene->state;
    uint8_t attacker = seat == 0 ? 1 : 21, defender = seat == 0 ? 21 : 1;
    memset(state->cells, 0, sizeof state->cells);
    scene_put(state, 0, KIND_NEXUS, 0);
    scene_put(state, 22, KIND_NEXUS, 71);
    scene_put(state, attacker, kind, 3 * 9 + 4);
    scene_put(state, defender, other, 4 * 9 + 4);
    scene_put(state, 2, 11, 8);
    scene_put(state, 23, 11, 63);
    state->mover = seat;
    int expected = survivor(kind, other);
    assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
    assert_int_equal(state->pieces[attacker].cell, expected > 0 ? 40 : CELL_GONE);
    assert_int_equal(state->pieces[defender].cell, expected < 0 ? 40 : CELL_GONE);
    assert_int_equal(state->cells[31], 0);
    assert_int_equal(state->cells[40], expected > 0   ? attacker + 1
                                       : expected < 0 ? defender + 1
                                                      : 0);
    assert_int_equal(scene_event(scene, MASH_EVENT_FOUGHT)->what, expected > 0   ? OUTCOME_WON
                                                                  : expected < 0 ? OUTCOME_LOST
                                                                                 : OUTCOME_TIED);
    assert_int_equal(state->common.over, other == KIND_NEXUS);
    scene_free(scene);
}

/* [5.1] [5.2] [5.3] [5.4] [5.5] [5.6] [5.7] [5.8] Every rank against every rank, both attacking. */
static void battles_end_as_the_table_says(void **unused) {
    (void)unused;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        for (uint8_t kind = 1; kind < KIND_NEXUS; kind++)
            for (uint8_t other = 1; other <= KIND_NEXUS; other++)
                battle_of(seat, kind, other);
}

/* [5.8] [5.9] Which piece is where afterwards, and that no rank is revealed. */
static void the_arbiter_tells_who_is_out_and_no_rank(void **unused) {
    (void)unused;
    static const char before[] = "HN .  .  .  .  .  .  .  . "
                                 ".  .  .  .  .  .  .  .  . "
                                 ".  .  .  .  .  .  .  .  . "
                                 ".  .  H9 .  H3 .  HA .  . "
                                 ".  .  V8 .  V4 .  VA .  . "
                                 ".  .  .  .  .  .  .  .  . "
                                 ".  .  .  .  .  .  .  .  . "
                                 ".  .  .  .  .  .  .  V9 VN ";
    GeneralsScene *scene = scene_of(before);
    assert_int_equal(scene_step(scene, 2, 3, 2, 4), MASH_OK);
    scene_expect_events(scene, 1, "fought died moved turn-began");
    const MashEvent *fought = scene_event(scene, MASH_EVENT_FOUGHT);
    assert_int_equal(fought->from_y, 3);
    assert_int_equal(fought->y, 4);
    assert_int_equal(fought->what, OUTCOME_WON);
    assert_int_equal(scene_step(scene, 4, 4, 4, 3), MASH_OK);
    assert_int_equal(scene_step(scene, 6, 3, 6, 4), MASH_OK);
    scene_expect_events(scene, 1, "fought died died turn-began");
    for (uint32_t i = 0; i < scene->events.count; i++)
        assert_true(scene->list[i].kind != MASH_EVENT_REVEALED && scene->list[i].amount == 0);
    scene_expect(scene, "HN .  .  .  .  .  .  .  . "
                        ".  .  .  .  .  .  .  .  . "
                        ".  .  .  .  .  .  .  .  . "
                        ".  .  .  .  V4 .  .  .  . "
                        ".  .  H9 .  .  .  .  .  . "
                        ".  .  .  .  .  .  .  .  . "
                        ".  .  .  .  .  .  .  .  . "
                        ".  .  .  .  .  .  .  V9 VN ");
    assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
    assert_int_equal(scene_step(scene, 2, 4, 3, 4), MASH_OK);
    assert_int_equal(scene_step(scene, 4, 4, 3, 4), MASH_OK);
    scene_expect_events(scene, 0, "fought died round-began turn-began");
    scene_free(scene);
}

/* --- The end ---------------------------------------------------------------------------------- */

/* [8.1] */
static void taking_the_nexus_wins(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  HA "
                                    ".  .  .  .  .  .  .  V9 VN ");
    assert_int_equal(scene_step(scene, 8, 6, 8, 7), MASH_OK);
    scene_expect_end(scene, 0, REASON_NEXUS);
    const MashEvent *last = &scene->list[scene->events.count - 1];
    assert_int_equal(last->kind, MASH_EVENT_MATCH_ENDED);
    assert_int_equal(last->other, 0);
    MashAction late = {.verb = VERB_MOVE, .seat = 1, .unit = 21, .x = 7, .y = 6};
    assert_int_equal(scene_act(scene, late), MASH_MATCH_OVER);
    scene_free(scene);
}

/* [8.2] */
static void resigning_and_leaving_lose_at_any_time(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    assert_int_equal(scene_plain(scene, 1, MASH_VERB_RESIGN), MASH_OK);
    scene_expect_end(scene, 0, MASH_REASON_RESIGNED);
    scene_free(scene);
    scene = scene_of(quiet_board);
    assert_int_equal(scene_plain(scene, 0, MASH_VERB_RESIGN), MASH_OK);
    scene_expect_end(scene, 1, MASH_REASON_RESIGNED);
    scene_free(scene);
    scene = scene_of(quiet_board);
    MashAction silent = {.verb = MASH_VERB_FORFEIT,
                         .seat = MASH_SEAT_SERVER,
                         .other = 1,
                         .amount = MASH_REASON_SILENT};
    assert_int_equal(scene->content->limits.silence_ms, 60000);
    assert_int_equal(scene_act(scene, silent), MASH_OK);
    scene_expect_end(scene, 0, MASH_REASON_SILENT);
    scene_free(scene);
}

/* [8.3] */
static void both_may_agree_on_a_draw(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(quiet_board);
    assert_int_equal(scene_plain(scene, 1, MASH_VERB_DRAW_OFFER), MASH_NOT_YOUR_TURN);
    assert_int_equal(scene_plain(scene, 0, MASH_VERB_DRAW_OFFER), MASH_OK);
    assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
    assert_int_equal(scene_step(scene, 7, 7, 6, 7), MASH_OK);
    scene_expect_events(scene, 0, "draw-declined moved round-began turn-began");
    assert_int_equal(scene_plain(scene, 1, MASH_VERB_DRAW_ACCEPT), MASH_NO_DRAW_OFFERED);
    assert_int_equal(scene_plain(scene, 0, MASH_VERB_DRAW_OFFER), MASH_OK);
    assert_int_equal(scene_plain(scene, 1, MASH_VERB_DRAW_ACCEPT), MASH_OK);
    scene_expect_end(scene, MASH_SEAT_NONE, MASH_REASON_AGREED);
    scene_free(scene);
}

/* [8.3] An offer that lapsed when the opponent placed something would reveal that it did. */
static void placing_in_secret_leaves_an_offer_open(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    assert_int_equal(scene_plain(scene, 0, MASH_VERB_DRAW_OFFER), MASH_OK);
    assert_int_equal(scene_plain(scene, 1, VERB_LAYOUT), MASH_OK);
    assert_int_equal(scene_plain(scene, 1, VERB_READY), MASH_OK);
    scene_expect_events(scene, 0, "");
    assert_int_equal(scene_plain(scene, 1, MASH_VERB_DRAW_ACCEPT), MASH_OK);
    scene_expect_end(scene, MASH_SEAT_NONE, MASH_REASON_AGREED);
    scene_free(scene);
}

/* [8.4] After the heroes' agent is defeated together with a soldier, the villains have only a
 * Nexus. */
static void a_side_without_an_action_loses(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  HA .  .  .  . "
                                    ".  .  .  .  VA .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  VN ");
    assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
    scene_expect_end(scene, 0, REASON_STUCK);
    scene_free(scene);
}

/* Moves a hero through rows 1 to 3 and a villain through rows 4 to 6, by one cell per turn and
 * never the same position twice: the hero's path has 54 steps there and back, the villain's 52. */
static void quiet_turn(GeneralsScene *scene, int turn) {
    bool hero = turn % 2 == 0;
    int length = hero ? 27 : 26, step = turn / 2 % (2 * length - 2);
    int at[2], next = step + 1;
    int places[2] = {step < length ? step : 2 * length - 2 - step,
                     next < length ? next : 2 * length - 2 - next};
    for (int i = 0; i < 2; i++) {
        int row = places[i] / 9, column = row % 2 == 0 ? places[i] % 9 : 8 - places[i] % 9;
        at[i] = (row + (hero ? 1 : 4)) * 9 + column;
    }
    assert_int_equal(scene_step(scene, at[0] % 9, at[0] / 9, at[1] % 9, at[1] / 9), MASH_OK);
}

static const char long_walk[] = "HN .  .  .  .  .  .  .  . "
                                "H5 .  .  .  .  .  .  .  . "
                                ".  .  .  .  .  .  .  .  . "
                                ".  .  .  .  .  .  .  .  . "
                                "V4 .  .  .  .  .  .  .  . "
                                ".  .  .  .  .  .  .  .  . "
                                ".  .  .  .  .  .  .  .  . "
                                ".  .  .  .  .  .  .  .  VN ";

/* [8.5] */
static void fifty_rounds_without_a_loss_are_a_draw(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(long_walk);
    for (int turn = 0; turn < 99; turn++) {
        quiet_turn(scene, turn);
        assert_int_equal(scene_meter(scene, scene->state, MASH_UNIT_NONE, METER_QUIET), turn + 1);
        assert_false(scene->state->common.over);
    }
    quiet_turn(scene, 99);
    scene_expect_end(scene, MASH_SEAT_NONE, REASON_QUIET);
    assert_int_equal(scene_meter(scene, scene->state, MASH_UNIT_NONE, METER_QUIET), 100);
    scene_free(scene);
}

/* [8.5] A loss restarts the count. */
static void a_loss_ends_the_quiet(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .   .  .  .  . "
                                    ".  .  .  .  .   .  .  .  . "
                                    ".  .  .  .  .   .  .  .  . "
                                    ".  .  .  .  H10 V2 .  .  . "
                                    ".  .  .  .  .   .  .  .  . "
                                    ".  .  .  .  .   .  .  .  . "
                                    ".  .  .  .  .   .  .  .  . "
                                    ".  .  .  .  .   .  .  V9 VN ");
    assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
    assert_int_equal(scene_step(scene, 7, 7, 6, 7), MASH_OK);
    assert_int_equal(scene_step(scene, 4, 4, 4, 3), MASH_OK);
    assert_int_equal(scene_step(scene, 5, 3, 4, 3), MASH_OK);
    assert_int_equal(scene_meter(scene, scene->state, MASH_UNIT_NONE, METER_QUIET), 0);
    static const uint64_t none[QUIET_MAX - 1];
    assert_memory_equal(scene->state->history + 1, none, sizeof none);
    scene_free(scene);
}

/* Both sides move there and back: four turns. */
static void there_and_back(GeneralsScene *scene) {
    assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
    assert_int_equal(scene_step(scene, 7, 7, 6, 7), MASH_OK);
    assert_int_equal(scene_step(scene, 4, 4, 4, 3), MASH_OK);
    assert_int_equal(scene_step(scene, 6, 7, 7, 7), MASH_OK);
}

/* [8.6] */
static void the_fourth_repetition_is_a_draw(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(quiet_board);
    scene->state->history[0] = scene->state->key;
    for (int times = 2; times <= 4; times++) {
        assert_false(scene->state->common.over);
        there_and_back(scene);
        assert_int_equal(scene_meter(scene, scene->state, MASH_UNIT_NONE, METER_REPEATED), times);
    }
    scene_expect_end(scene, MASH_SEAT_NONE, REASON_REPEATED);
    scene_free(scene);
}

/* [8.6] Two agents that swap places make another position, whatever their ranks. */
static void positions_differ_by_numbers_not_by_ranks(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  HA HA .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  V9 VN ");
    static const int steps[][4] = {{3, 3, 3, 2}, {7, 7, 6, 7}, {4, 3, 3, 3}, {6, 7, 7, 7},
                                   {3, 2, 4, 2}, {7, 7, 6, 7}, {4, 2, 4, 3}, {6, 7, 7, 7}};
    for (int i = 0; i < 8; i++)
        assert_int_equal(scene_step(scene, steps[i][0], steps[i][1], steps[i][2], steps[i][3]),
                         MASH_OK);
    assert_int_equal(scene_meter(scene, scene->state, MASH_UNIT_NONE, METER_REPEATED), 1);
    scene_free(scene);
}

/* [8.7] The hundredth quiet turn leaves the villains without an action: that has precedence. */
static void having_no_action_counts_before_the_draws(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  HA .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  . "
                                    ".  .  .  .  .  .  .  .  VN ");
    scene->state->quiet = 99;
    assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
    scene_expect_end(scene, 0, REASON_STUCK);
    scene_free(scene);
    scene = scene_of(quiet_board);
    scene->state->quiet = 99;
    memset(scene->state->history, 0, sizeof scene->state->history);
    assert_int_equal(scene_step(scene, 4, 3, 4, 4), MASH_OK);
    scene_expect_end(scene, MASH_SEAT_NONE, REASON_QUIET);
    scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_board_has_nine_columns_eight_rows_and_two_zones),
        cmocka_unit_test(each_army_has_its_twenty_one_pieces),
        cmocka_unit_test(seats_place_piece_by_piece_and_need_not_wait),
        cmocka_unit_test(the_layout_is_the_printed_one),
        cmocka_unit_test(random_places_what_is_left_by_lot),
        cmocka_unit_test(ready_needs_the_whole_army),
        cmocka_unit_test(powers_are_shown_while_placing),
        cmocka_unit_test(play_begins_when_both_are_ready),
        cmocka_unit_test(sides_take_turns_and_rounds_count_both),
        cmocka_unit_test(a_step_goes_to_the_next_cell_in_four_directions),
        cmocka_unit_test(battles_end_as_the_table_says),
        cmocka_unit_test(the_arbiter_tells_who_is_out_and_no_rank),
        cmocka_unit_test(taking_the_nexus_wins),
        cmocka_unit_test(resigning_and_leaving_lose_at_any_time),
        cmocka_unit_test(both_may_agree_on_a_draw),
        cmocka_unit_test(placing_in_secret_leaves_an_offer_open),
        cmocka_unit_test(a_side_without_an_action_loses),
        cmocka_unit_test(fifty_rounds_without_a_loss_are_a_draw),
        cmocka_unit_test(a_loss_ends_the_quiet),
        cmocka_unit_test(the_fourth_repetition_is_a_draw),
        cmocka_unit_test(positions_differ_by_numbers_not_by_ranks),
        cmocka_unit_test(having_no_action_counts_before_the_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
