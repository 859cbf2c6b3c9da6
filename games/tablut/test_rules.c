/* test_rules.c -- RULES.md by rule number, on drawn boards. */
#include "games/tablut/test_scene.h"

#define MUSCOVITES TABLUT_MUSCOVITES
#define SWEDES     TABLUT_SWEDES

/* --- 1 Board and sides ------------------------------------------------------------------------ */

/* [1.1] [1.2] [1.3] Sixteen against nine on nine by nine; x is the column, y the row. */
static void the_usual_board(void **unused) {
    (void)unused;
    scene_setup(support_content(&tablut_game, NULL), MUSCOVITES);
    assert_int_equal(content->limits.width, 9);
    assert_int_equal(content->limits.height, 9);
    expect("...MMM...\n"
           "....M....\n"
           "....S....\n"
           "M...S...M\n"
           "MMSSKSSMM\n"
           "M...S...M\n"
           "....S....\n"
           "....M....\n"
           "...MMM...");
    assert_int_equal(state->left[MUSCOVITES], 16);
    assert_int_equal(state->left[SWEDES], 8);
    move(3, 0, 3, 3);
    expect("....MM...\n"
           "....M....\n"
           "....S....\n"
           "M..MS...M\n"
           "MMSSKSSMM\n"
           "M...S...M\n"
           "....S....\n"
           "....M....\n"
           "...MMM...");
}

/* [1.4] */
static void muscovites_begin_and_turns_alternate(void **unused) {
    (void)unused;
    scene_setup(support_content(&tablut_game, NULL), MUSCOVITES);
    goes_on(MUSCOVITES);
    refused(move_of(4, 2, 0, 2), "not-your-turn");
    move(3, 0, 2, 0);
    told("moved turn-began");
    goes_on(SWEDES);
    refused(move_of(4, 0, 3, 0), "not-your-turn");
    move(4, 2, 3, 2);
    goes_on(MUSCOVITES);
}

/* --- 2 Moving --------------------------------------------------------------------------------- */

/* [2.1] Any distance along row and column, never diagonally, onto free cells of the board. */
static void pieces_move_like_rooks(void **unused) {
    (void)unused;
    scene_begin(SWEDES, ".......\n"
                        ".K.....\n"
                        ".......\n"
                        "...S...\n"
                        ".......\n"
                        ".......\n"
                        "M......");
    assert_int_equal(count_moves(3, 3), 12);
    refused(move_of(3, 3, 4, 4), "no-way");
    refused(move_of(3, 3, 4, 5), "no-way");
    refused(move_of(3, 3, 3, 3), "cell-taken");
    refused(move_of(3, 3, 7, 3), "off-board");
    refused(move_of(3, 3, 3, -1), "off-board");
    move(3, 3, 3, 6);
    expect(".......\n"
           ".K.....\n"
           ".......\n"
           ".......\n"
           ".......\n"
           ".......\n"
           "M..S...");
}

/* [2.2] */
static void nobody_jumps(void **unused) {
    (void)unused;
    scene_begin(SWEDES, ".......\n"
                        ".K.M...\n"
                        ".......\n"
                        ".S.S.M.\n"
                        ".......\n"
                        ".......\n"
                        ".......");
    assert_int_equal(count_moves(3, 3), 1 + 1 + 1 + 3);
    refused(move_of(3, 3, 3, 0), "no-way");
    refused(move_of(3, 3, 0, 3), "no-way");
    refused(move_of(3, 3, 6, 3), "no-way");
    refused(move_of(3, 3, 5, 3), "cell-taken");
    refused(move_of(3, 3, 1, 3), "cell-taken");
}

/* [2.3] [2.4] Neither soldiers nor the king stop on the empty konakis; all of them may cross it. */
static void the_konakis_is_crossed_but_not_entered(void **unused) {
    (void)unused;
    scene_begin(SWEDES, "...M...\n"
                        ".......\n"
                        ".......\n"
                        "S..+...\n"
                        ".......\n"
                        "...k...\n"
                        ".......");
    assert_int_equal(count_moves(3, 5), 3 + 1 + 1 + 2 + 3);
    refused(move_of(3, 5, 3, 3), "cell-blocked");
    refused(move_of(0, 3, 3, 3), "cell-blocked");
    move(0, 3, 6, 3);
    refused(move_of(3, 0, 3, 3), "cell-blocked");
    move(3, 0, 3, 4);
    move(3, 5, 2, 5);
    move(3, 4, 3, 2);
    expect(".......\n"
           ".......\n"
           "...M...\n"
           "...+..S\n"
           ".......\n"
           "..k....\n"
           ".......");
}

/* [2.5] A side that has no move when it is to move has lost. */
static void who_cannot_move_has_lost(void **unused) {
    (void)unused;
    scene_begin(SWEDES, "MS.....\n"
                        "......S\n"
                        "..K....\n"
                        ".......\n"
                        ".......\n"
                        ".......\n"
                        ".......");
    move(6, 1, 0, 1);
    told("moved match-ended");
    is_over(SWEDES, TABLUT_REASON_STUCK);
    refused(move_of(2, 2, 2, 3), "match-over");
    scene_begin(MUSCOVITES, ".......\n"
                            "..MM...\n"
                            ".MkSM..\n"
                            "..M+...\n"
                            "....M..\n"
                            ".......\n"
                            ".......");
    move(4, 4, 3, 4); /* the Swede could have crossed the konakis */
    is_over(MUSCOVITES, TABLUT_REASON_STUCK);
}

/* --- 3 Capturing soldiers --------------------------------------------------------------------- */

/* [3.1] Between two enemies, in rows and columns; three in one move; not across a gap or a
 * corner. */
static void soldiers_are_taken_between_two(void **unused) {
    (void)unused;
    scene_begin(SWEDES, "....S....\n"
                        "....M....\n"
                        "..SM.MS..\n"
                        "....S....\n"
                        "....K....\n"
                        "..M...M..\n"
                        ".....M...\n"
                        ".........\n"
                        ".M......M");
    move(4, 3, 4, 2);
    told("moved died died died spoke turn-began");
    expect("....S....\n"
           ".........\n"
           "..S.S.S..\n"
           ".........\n"
           "....K....\n"
           "..M...M..\n"
           ".....M...\n"
           ".........\n"
           ".M......M");
    assert_int_equal(state->left[MUSCOVITES], 5);
    assert_int_equal(
        tablut_game.figure(content, state, MASH_UNIT_SIDE + SWEDES, TABLUT_FIGURE_TAKEN), 3);
    refused((MashAction){.verb = TABLUT_VERB_MOVE, .unit = 0, .x = 4}, "unit-out");
    scene_begin(MUSCOVITES, "......M\n"
                            ".......\n"
                            "...KS..\n"
                            "....MS.\n"
                            ".......\n"
                            ".....S.\n"
                            "....M..");
    move(6, 0, 6, 3); /* the Swede in the middle; the others have a gap or are diagonal */
    expect(".......\n"
           ".......\n"
           "...KS..\n"
           "....M.M\n"
           ".......\n"
           ".....S.\n"
           "....M..");
}

/* [3.2] */
static void the_king_helps_to_take(void **unused) {
    (void)unused;
    scene_begin(SWEDES, ".......\n"
                        ".......\n"
                        "..KM..S\n"
                        ".......\n"
                        "M......\n"
                        ".......\n"
                        ".......");
    move(6, 2, 4, 2); /* the king is the one that does not move */
    expect(".......\n"
           ".......\n"
           "..K.S..\n"
           ".......\n"
           "M......\n"
           ".......\n"
           ".......");
    scene_begin(SWEDES, ".......\n"
                        "...k...\n"
                        ".......\n"
                        ".SM..+.\n"
                        ".......\n"
                        "M......\n"
                        ".......");
    move(3, 1, 3, 3); /* the king is the one that moves */
    expect(".......\n"
           ".......\n"
           ".......\n"
           ".S.k.+.\n"
           ".......\n"
           "M......\n"
           ".......");
}

/* [3.3] Soldiers and king may move between two enemies; later only a move beside them captures
 * them. */
static void who_moves_between_two_is_safe(void **unused) {
    (void)unused;
    scene_begin(SWEDES, "...S...\n"
                        ".K.....\n"
                        "..M.M..\n"
                        ".......\n"
                        ".......\n"
                        "......M\n"
                        ".......");
    move(3, 0, 3, 2);
    told("moved spoke turn-began");
    move(6, 5, 5, 5);
    expect(".......\n"
           ".K.....\n"
           "..MSM..\n"
           ".......\n"
           ".......\n"
           ".....M.\n"
           ".......");
    scene_begin(SWEDES, ".......\n"
                        ".+.....\n"
                        "..M.M..\n"
                        ".......\n"
                        "...k...\n"
                        "......M\n"
                        "...S...");
    move(3, 4, 3, 2);
    goes_on(MUSCOVITES);
}

/* [3.4] */
static void ground_does_not_help(void **unused) {
    (void)unused;
    scene_begin(MUSCOVITES, "...S..M\n"
                            "......M\n"
                            ".......\n"
                            "...+SM.\n"
                            "M......\n"
                            ".S..k..\n"
                            ".......");
    move(6, 1, 3, 1); /* against the edge */
    told("moved turn-began");
    move(1, 5, 2, 5);
    move(5, 3, 5, 4);
    move(2, 5, 1, 5);
    move(5, 4, 5, 3); /* against the empty konakis */
    told("moved turn-began");
    scene_begin_by("corners", "weak", MUSCOVITES,
                   ".S....M\n"
                   ".......\n"
                   ".......\n"
                   "...K...\n"
                   ".......\n"
                   ".......\n"
                   ".......");
    move(6, 0, 2, 0); /* against a corner */
    told("moved turn-began");
}

/* [3.5] The konakis of a king besieged on three sides helps the Muscovites, else it does not. */
static void a_besieged_konakis_helps(void **unused) {
    (void)unused;
    scene_begin(MUSCOVITES, ".......\n"
                            ".......\n"
                            "...M...\n"
                            "..MKS.M\n"
                            "...M...\n"
                            ".......\n"
                            ".......");
    move(6, 3, 5, 3);
    told("moved died turn-began");
    expect(".......\n"
           ".......\n"
           "...M...\n"
           "..MK.M.\n"
           "...M...\n"
           ".......\n"
           ".......");
    scene_begin(MUSCOVITES, ".......\n"
                            ".......\n"
                            "...M...\n"
                            "..SKS.M\n"
                            "...M...\n"
                            ".......\n"
                            ".......");
    move(6, 3, 5, 3);
    told("moved turn-began");
}

/* --- 4 Capturing the king --------------------------------------------------------------------- */

/* [4.1] [4.4] Between two, away from the konakis. */
static void the_king_is_taken_between_two(void **unused) {
    (void)unused;
    scene_begin(MUSCOVITES, ".......\n"
                            ".......\n"
                            "...+...\n"
                            "...S...\n"
                            "..Mk..M\n"
                            ".......\n"
                            ".......");
    move(6, 4, 4, 4);
    told("moved died match-ended");
    is_over(MUSCOVITES, TABLUT_REASON_KING_TAKEN);
    assert_int_equal(state->left[SWEDES], 1); /* the king is not a soldier */
    scene_begin(MUSCOVITES, ".......\n"
                            ".......\n"
                            "...+...\n"
                            "...S..M\n"
                            "..Mk...\n"
                            "...M...\n"
                            ".......");
    move(6, 3, 4,
         3); /* two are adjacent to him, but not opposite each other; the Swede has a gap */
    goes_on(SWEDES);
}

/* [4.2] On the konakis by four and not by three. */
static void the_king_on_the_konakis_is_taken_by_four(void **unused) {
    (void)unused;
    scene_begin(MUSCOVITES, ".......\n"
                            ".......\n"
                            "...M...\n"
                            "..MK..M\n"
                            "...M...\n"
                            ".....S.\n"
                            ".......");
    move(6, 3, 4, 3);
    is_over(MUSCOVITES, TABLUT_REASON_KING_TAKEN);
    scene_begin(MUSCOVITES, ".......\n"
                            ".......\n"
                            ".......\n"
                            "..MK..M\n"
                            "...M...\n"
                            ".....S.\n"
                            ".......");
    move(6, 3, 4, 3);
    goes_on(SWEDES);
}

/* [4.3] Beside the konakis by three, not by two, whatever piece is behind the konakis. */
static void the_king_beside_the_konakis_is_taken_by_three(void **unused) {
    (void)unused;
    scene_begin(MUSCOVITES, ".......\n"
                            ".......\n"
                            "....M..\n"
                            "..S+k.M\n"
                            "....M..\n"
                            ".......\n"
                            ".......");
    move(6, 3, 5, 3);
    is_over(MUSCOVITES, TABLUT_REASON_KING_TAKEN);
    scene_begin(MUSCOVITES, ".......\n"
                            ".......\n"
                            "....M..\n"
                            "..M+k..\n"
                            ".......\n"
                            ".....S.\n"
                            "....M..");
    move(4, 6, 4, 4); /* between two, but one side is open */
    goes_on(SWEDES);
}

/* --- 5 The way out ---------------------------------------------------------------------------- */

/* [5.1] Any cell of the edge, only for the king. */
static void the_king_escapes_to_the_edge(void **unused) {
    (void)unused;
    static const char drawing[] = ".......\n"
                                  ".......\n"
                                  "..k..S.\n"
                                  "...+...\n"
                                  ".......\n"
                                  ".......\n"
                                  ".....M.";
    static const int8_t ways[][2] = {{0, 2}, {2, 0}, {2, 6}};
    for (size_t i = 0; i < 3; i++) {
        scene_begin(SWEDES, drawing);
        move(2, 2, ways[i][0], ways[i][1]);
        told("moved match-ended");
        is_over(SWEDES, TABLUT_REASON_ESCAPED);
    }
    scene_begin(SWEDES, drawing);
    move(5, 2, 6, 2);
    goes_on(MUSCOVITES);
    move(5, 6, 6, 6);
    goes_on(SWEDES);
}

/* The number of ways that were called with the last action; 0: none was. */
static int32_t called(void) {
    for (uint32_t i = 0; i < events.count; i++)
        if (event_list[i].kind == MASH_EVENT_SPOKE)
            return event_list[i].amount;
    return 0;
}

/* [5.2] Raichi for one way, tuichu for more, after moves of the Swedes. */
static void open_ways_are_called(void **unused) {
    (void)unused;
    scene_begin(SWEDES, "...M...\n"
                        ".......\n"
                        "..SKS..\n"
                        "...S...\n"
                        ".......\n"
                        ".......\n"
                        "M......");
    move(3, 3, 4, 3);
    told("moved spoke turn-began");
    assert_int_equal(called(), 1);
    char text[256];
    MashText out = text_over(text, sizeof text);
    tablut_game.say(content, NULL, state, &event_list[1], &out);
    assert_string_equal(text, "Raichi! Open ways for the king on 3,2: 1.");
    move(0, 6, 3, 6); /* closes it */
    assert_int_equal(called(), 0);
    move(4, 3, 5, 3);
    assert_int_equal(called(), 0);
    move(3, 6, 2, 6); /* opens it again, by mistake: nobody calls */
    told("moved turn-began");
    move(2, 2, 2, 1);
    assert_int_equal(called(), 2);
    out = text_over(text, sizeof text);
    tablut_game.say(content, NULL, state, &event_list[1], &out);
    assert_string_equal(text, "Tuichu! Open ways for the king on 3,2: 2.");
}

/* --- 6 Draws ---------------------------------------------------------------------------------- */

/* [6.1] A hundred moves without a capture; a capture restarts the count. */
static void a_hundred_quiet_moves_are_a_draw(void **unused) {
    (void)unused;
    scene_begin(MUSCOVITES, "M......\n"
                            ".......\n"
                            ".......\n"
                            "..SKS..\n"
                            ".......\n"
                            ".......\n"
                            "M.....S");
    for (int i = 0; i < 25; i++) {
        move(0, 0, 1, 0);
        move(6, 6, 5, 6);
        move(1, 0, 0, 0);
        goes_on(SWEDES);
        move(5, 6, 6, 6);
    }
    is_over(MASH_SEAT_NONE, TABLUT_REASON_QUIET);
    assert_int_equal(tablut_game.figure(content, state, 0, TABLUT_FIGURE_MOVES), 50);
    scene_begin(SWEDES, "M......\n"
                        ".......\n"
                        ".......\n"
                        "..SKS..\n"
                        ".......\n"
                        ".......\n"
                        "SM....S");
    state->quiet = TABLUT_QUIET_MAX - 1;
    move(6, 6, 2, 6);
    goes_on(MUSCOVITES);
    assert_int_equal(state->quiet, 0);
}

/* --- 7 Other boards --------------------------------------------------------------------------- */

/* [7.1] The edge does not count, no soldier enters a corner, ways end there. */
static void escape_to_the_corners(void **unused) {
    (void)unused;
    scene_begin_by("corners", "weak", SWEDES,
                   ".......\n"
                   ".......\n"
                   "..k..S.\n"
                   "...+...\n"
                   ".......\n"
                   ".......\n"
                   "..M....");
    move(2, 2, 2, 0);
    told("moved spoke turn-began");
    assert_int_equal(called(), 2);
    refused(move_of(2, 6, 0, 6), "cell-blocked");
    assert_int_equal(count_moves(2, 6), 1 + 3 + 5);
    move(2, 6, 1, 6);
    refused(move_of(5, 2, 6, 0), "cell-blocked");
    move(2, 0, 6, 0);
    is_over(SWEDES, TABLUT_REASON_ESCAPED);
}

/* [7.2] Four sides wherever he is, three at the edge, never two. */
static void a_strong_king(void **unused) {
    (void)unused;
    scene_begin_by("edge", "strong", MUSCOVITES,
                   ".......\n"
                   ".......\n"
                   "...+...\n"
                   "...M...\n"
                   "..Mk..M\n"
                   ".......\n"
                   "...M...");
    move(6, 4, 4, 4);
    goes_on(SWEDES);
    state->turn = MUSCOVITES;
    move(3, 6, 3, 5);
    is_over(MUSCOVITES, TABLUT_REASON_KING_TAKEN);
    scene_begin_by("corners", "strong", SWEDES,
                   "..M.M..\n"
                   ".......\n"
                   "...k...\n"
                   "...+..M\n"
                   ".......\n"
                   ".......\n"
                   ".......");
    move(3, 2, 3, 0);
    move(6, 3, 6, 1);
    state->turn = MUSCOVITES;
    move(6, 1, 3, 1);
    is_over(MUSCOVITES, TABLUT_REASON_KING_TAKEN);
}

/* --- The interface ---------------------------------------------------------------------------- */

/* Invalid actions are refused with the right reason. */
static void nonsense_is_refused(void **unused) {
    (void)unused;
    scene_setup(support_content(&tablut_game, NULL), MUSCOVITES);
    MashAction good = move_of(3, 0, 2, 0), bad;
    bad = good, bad.seat = 2;
    refused(bad, "not-a-seat");
    bad = good, bad.verb = TABLUT_VERBS;
    refused(bad, "no-such-action");
    bad = good, bad.amount = 1;
    refused(bad, "no-such-action");
    bad = good, bad.other = 1;
    refused(bad, "no-such-action");
    bad = good, bad.ability = 1;
    refused(bad, "no-such-action");
    bad = good, bad.unit = 25;
    refused(bad, "no-such-unit");
    bad = good, bad.unit = 24;
    refused(bad, "not-your-unit");
    int32_t option = 0;
    MashSetup choices = {&option, 1};
    MashChance chance = chance_scripted(NULL, 0);
    assert_int_equal(tablut_game.setup(content, &choices, &chance, state), MASH_BAD_OPTION);
}

/* A draw offer lapses when the other side moves. */
static void draw_offers_lapse(void **unused) {
    (void)unused;
    scene_setup(support_content(&tablut_game, NULL), MUSCOVITES);
    MashAction offer = {.verb = MASH_VERB_DRAW_OFFER, .seat = MUSCOVITES};
    assert_int_equal(try_action(offer), MASH_OK);
    move(3, 0, 2, 0);
    told("moved turn-began");
    move(4, 2, 3, 2);
    told("moved draw-declined turn-began");
    refused((MashAction){.verb = MASH_VERB_DRAW_ACCEPT, .seat = SWEDES}, "no-draw-offered");
}

/* What is shown: camps, konakis and corners as ground, soldiers left, quiet moves, who is next. */
static void the_board_is_shown(void **unused) {
    (void)unused;
    uint8_t ground[121], order[2];
    uint16_t health[121];
    MashToken tokens[TABLUT_UNITS_MAX];
    MashMeter meters[3];
    MashBoard shown = {.ground = ground,
                       .ground_health = health,
                       .tokens = tokens,
                       .meters = meters,
                       .order = order};
    scene_setup(support_content(&tablut_game, "brandubh"), MUSCOVITES);
    move(3, 0, 1, 0);
    tablut_game.show(content, state, &shown);
    assert_int_equal(ground[0], TABLUT_CORNER);
    assert_int_equal(ground[1], TABLUT_FIELD);
    assert_int_equal(ground[3], TABLUT_CAMP);
    assert_int_equal(ground[3 * 7 + 3], TABLUT_KONAKIS);
    assert_int_equal(shown.tokens_count, 13);
    assert_int_equal(tokens[0].x, 1);
    assert_int_equal(tokens[12].kind, TABLUT_KING);
    assert_int_equal(shown.meters_count, 3);
    assert_int_equal(meters[0].now, 8);
    assert_int_equal(meters[1].now, 4);
    assert_int_equal(meters[2].now, 1);
    assert_int_equal(meters[2].most, 100);
    assert_int_equal(order[0], MASH_UNIT_SIDE + SWEDES);
    assert_int_equal(order[1], MASH_UNIT_SIDE + MUSCOVITES);
}

#define RULE(test) cmocka_unit_test_teardown(test, scene_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        RULE(the_usual_board),
        RULE(muscovites_begin_and_turns_alternate),
        RULE(pieces_move_like_rooks),
        RULE(nobody_jumps),
        RULE(the_konakis_is_crossed_but_not_entered),
        RULE(who_cannot_move_has_lost),
        RULE(soldiers_are_taken_between_two),
        RULE(the_king_helps_to_take),
        RULE(who_moves_between_two_is_safe),
        RULE(ground_does_not_help),
        RULE(a_besieged_konakis_helps),
        RULE(the_king_is_taken_between_two),
        RULE(the_king_on_the_konakis_is_taken_by_four),
        RULE(the_king_beside_the_konakis_is_taken_by_three),
        RULE(the_king_escapes_to_the_edge),
        RULE(open_ways_are_called),
        RULE(a_hundred_quiet_moves_are_a_draw),
        RULE(escape_to_the_corners),
        RULE(a_strong_king),
        RULE(nonsense_is_refused),
        RULE(draw_offers_lapse),
        RULE(the_board_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
