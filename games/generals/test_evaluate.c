/* test_evaluate.c -- what the AI knows about Generals: what pieces are worth, what battles promise
 * when ranks are hidden, which actions are tried first, where an army is placed, and where a
 * piece may strike. */
#include "games/generals/test_scene.h"

/* What the evaluation gives, and takes, in tenths of a point of power. */
enum {
    SHOWN = 12,
    STRIKE = 35,
    WEB = 12,
    AGENT = 32,
    INFILTRATOR = 105,
    NEXUS = 3000,
    THREAT = 1200,
    THREAT_NEAR = 120,
    CERTAIN = 1024,
};

/* What a ranked piece without an ability is worth. */
static int32_t ranked(int power) { return 25 + 8 * power; }

/* What a piece loses by the danger of being attacked: the more if its rank is shown. */
static int32_t danger(int32_t worth) { return worth * 45 / 100; }
static int32_t danger_shown(int32_t worth) { return worth * 85 / 100; }

/* The attraction of an enemy that promises this much, so many steps away. */
static int32_t pull(int32_t gain, int steps) {
    return gain * (CERTAIN * 24 / (10 * (2 + steps))) / CERTAIN;
}

static int32_t value(const GeneralsScene *scene, uint8_t seat) {
    return generals_evaluator.evaluate(scene->content, scene->state, seat);
}

/* The evaluation of a drawing for the Heroes, who are to act; for the Villains it is the same with
 * the other sign. */
static int32_t value_of(const char *drawing) {
    GeneralsScene *scene = scene_of(drawing);
    int32_t heroes = value(scene, 0);
    assert_int_equal(value(scene, 1), -heroes);
    scene_free(scene);
    return heroes;
}

/* Priority of an action by what the seat to act sees in `view`. */
static int32_t priority_in(const GeneralsScene *scene, const GeneralsState *view,
                           MashAction action) {
    int32_t priority = INT32_MIN;
    action.seat = view->mover;
    generals_evaluator.priorities(scene->content, view, view->mover, &action, 1, &priority);
    return priority;
}
static int32_t step_priority_in(const GeneralsScene *scene, const GeneralsState *view, int x, int y,
                                int to_x, int to_y) {
    return priority_in(scene, view,
                       (MashAction){.verb = VERB_MOVE,
                                    .unit = scene_at(scene, x, y),
                                    .x = (int8_t)to_x,
                                    .y = (int8_t)to_y});
}
static int32_t step_priority(const GeneralsScene *scene, int x, int y, int to_x, int to_y) {
    return step_priority_in(scene, scene->state, x, y, to_x, to_y);
}

/* The piece on a cell. */
static GeneralsPiece *piece_at(GeneralsScene *scene, int x, int y) {
    return &scene->state->pieces[scene_at(scene, x, y)];
}

/* Puts a web on the piece on a cell. */
static void web_at(GeneralsScene *scene, int x, int y) {
    piece_at(scene, x, y)->mark |= 1 << MARK_WEB_SHIFT;
}

/* --- Evaluation of a state -------------------------------------------------------------------- */

/* [2.1] By class, power and what is left of the ability. */
static void pieces_have_their_worth(void **unused) {
    (void)unused;
    static const struct {
        const char *word;
        int32_t worth;
    } rows[] = {
        {"H12", 25 + 8 * 12},
        {"H9", 25 + 8 * 9},
        {"H7", 25 + 8 * 7 + STRIKE},
        {"H6", 25 + 8 * 6 + WEB},
        {"H1", 25 + 8 * 1},
        {"HI", INFILTRATOR},
        {"HA", AGENT},
        {"V12", -(25 + 8 * 12)},
        {"VA", -AGENT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char drawing[512];
        snprintf(drawing, sizeof drawing,
                 "HN . . . . . . . .  . . . . . . . . .  . . . . . . . . . "
                 ". . . . %s . . . .  . . . . . . . . .  . . . . . . . . . "
                 ". . . . . . . . .   . . . . . . . . VN",
                 rows[i].word);
        assert_int_equal(value_of(drawing), rows[i].worth);
    }
    assert_int_equal(value_of("HN . . . . . . . .   . . . . . . . . .  . . . . . . . . . "
                              ". . H9 . HA . . . .  . . . . . . . . .  . V5 . . . . . . . "
                              ". . . . . . . . .    . . . . . . . . VN"),
                     ranked(9) + AGENT - ranked(5));
}

/* [7.1] A rank that is shown costs a little, and one that is not known counts as a weak one,
 * that of the Nexus, too. */
static void secrets_count(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN . . . . . . . .  . . . . . . . . .  . . . . . . . . . "
                                    ". . . . H9 . . . .  . . . . . . . . .  . V12 . . . . . . . "
                                    ". . . . . . . . .   . . . . . . . . VN");
    assert_int_equal(value(scene, 0), ranked(9) - ranked(12));
    GeneralsState *view = scene_view(scene, 0);
    assert_int_equal(generals_evaluator.evaluate(scene->content, view, 0), ranked(9) - 2 * 50);
    support_free(view);
    piece_at(scene, 4, 3)->mark |= MARK_SHOWN;
    assert_int_equal(value(scene, 0), ranked(9) - SHOWN - ranked(12));
    scene_free(scene);
}

static const char beside_the_nexus[] = ". .  . . . . . . . "
                                       ". V5 . . . . . . . "
                                       ". HN . . . . . . . "
                                       ". .  . . . . . . . "
                                       ". .  . . . . . . . "
                                       ". .  . . . . . . . "
                                       ". .  . . . . . . . "
                                       ". .  . . . . . . VN";

/* [5.7] An enemy beside the own Nexus is a threat, the worse if it acts next; a web ends it. */
static void threats_to_the_nexus_count(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(beside_the_nexus);
    assert_int_equal(value(scene, 0), -ranked(5) - THREAT / 4);
    scene->state->mover = 1;
    assert_int_equal(value(scene, 0), -ranked(5) - THREAT);
    assert_int_equal(value(scene, 1), ranked(5) + THREAT);
    web_at(scene, 1, 1);
    assert_int_equal(value(scene, 0), -ranked(5));
    scene_free(scene);
    scene = scene_of(". . . . . . . . . "
                     "V5 . . . . . . . . "
                     ". HN . . . . . . . "
                     ". . . . . . . . . "
                     ". . . . . . . . . "
                     ". . . . . . . . . "
                     ". . . . . . . . . "
                     ". . . . . H5 . . VN");
    assert_int_equal(value(scene, 0), -THREAT_NEAR / 2);
    scene->state->mover = 1;
    assert_int_equal(value(scene, 0), -THREAT_NEAR);
    scene_free(scene);
}

/* [3.6] Nothing is known while armies are placed, and nothing is tried first. */
static void placement_is_even(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    MashAction list[2] = {{.verb = VERB_LAYOUT}, {.verb = VERB_RANDOM}};
    int32_t priorities[3] = {5, 5, 5};
    assert_int_equal(scene_plain(scene, 0, VERB_LAYOUT), MASH_OK);
    assert_int_equal(value(scene, 0), 0);
    generals_evaluator.priorities(scene->content, scene->state, 1, list, 2, priorities);
    assert_int_equal(priorities[0], 0);
    assert_int_equal(priorities[1], 0);
    assert_int_equal(priorities[2], 5);
    scene_free(scene);
}

/* --- Priority of actions ---------------------------------------------------------------------- */

/* [5.2] [5.3] [5.7] A battle is worth what falls; each turn without one makes it more attractive.
 */
static void battles_are_worth_what_falls(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN . .  . . . .  .  . "
                                    ".  . .  . . . .  .  . "
                                    ".  . .  . . . .  .  . "
                                    ".  . H9 . . . H8 .  . "
                                    ".  . V5 . . . V8 .  . "
                                    ".  . .  . . . .  .  . "
                                    ".  . HA . . . .  .  H1 "
                                    ".  . VI . . . .  .  VN");
    assert_int_equal(step_priority(scene, 2, 3, 2, 4), ranked(5));
    assert_int_equal(step_priority(scene, 6, 3, 6, 4), 0);
    assert_int_equal(step_priority(scene, 2, 6, 2, 7), INFILTRATOR);
    assert_int_equal(step_priority(scene, 8, 6, 8, 7), NEXUS);
    scene->state->quiet = 7;
    assert_int_equal(step_priority(scene, 2, 3, 2, 4), ranked(5) + 7);
    scene->state->quiet = 0;
    scene->state->mover = 1;
    /* who attacks the stronger one is out, but would have been attacked anyway */
    assert_int_equal(step_priority(scene, 2, 4, 2, 3), -ranked(5) + danger(ranked(5)));
    piece_at(scene, 2, 4)->mark |= MARK_SHOWN;
    assert_int_equal(step_priority(scene, 2, 4, 2, 3), -ranked(5) + danger_shown(ranked(5)));
    scene_free(scene);
}

/* [5.8] Who wins stands on the cell, beside others; one under a web attacks nobody [6.5]. */
static void a_victor_may_be_attacked_next(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("HN . .   . . . .   .  . "
                                    ".  . .   . . . .   .  . "
                                    ".  . .   . . . .   .  . "
                                    ".  . H9  . . . H8  .  . "
                                    ".  . V5  . . . V8  .  . "
                                    ".  . V12 . . . V11 .  . "
                                    ".  . .   . . . .   .  . "
                                    ".  . .   . . . .   .  VN");
    assert_int_equal(step_priority(scene, 2, 3, 2, 4), ranked(5) - danger(ranked(9)));
    assert_int_equal(step_priority(scene, 6, 3, 6, 4), -danger(ranked(8)));
    web_at(scene, 2, 5);
    assert_int_equal(step_priority(scene, 2, 3, 2, 4), ranked(5));
    scene_free(scene);
}

/* A step leaves and enters dangers, goes towards enemies that can be beaten, and forward. */
static void steps_flee_and_hunt(void **unused) {
    (void)unused;
    static const char drawing[] = "HN . . .  .   . . . . "
                                  ".  . . .  .   . . . . "
                                  ".  . . .  .   . . . . "
                                  ".  . . .  H5  . . . . "
                                  ".  . . .  V12 . . . . "
                                  ".  . . .  .   . . . . "
                                  ".  . . .  .   . . . . "
                                  ".  . . .  .   . . . VN";
    GeneralsScene *scene = scene_of(drawing);
    int32_t risk = danger(ranked(5)), here = pull(NEXUS, 8);
    assert_int_equal(step_priority(scene, 4, 3, 3, 3), risk + pull(NEXUS, 9) - here);
    assert_int_equal(step_priority(scene, 4, 3, 5, 3), risk + pull(NEXUS, 7) - here);
    assert_int_equal(step_priority(scene, 4, 3, 4, 2), risk + pull(NEXUS, 9) - here - 2);
    assert_int_equal(step_priority(scene, 4, 3, 4, 4), risk - ranked(5));
    scene_free(scene);
    scene = scene_of("HN . . .   .  . . . . "
                     ".  . . .   .  . . . . "
                     ".  . . .   .  . . . . "
                     ".  . . .   .  . . . . "
                     ".  . . H5  .  . . . . "
                     ".  . . .   V7 . . . . "
                     ".  . . .   VA . . . . "
                     ".  . . .   .  . . . VN");
    here = pull(NEXUS, 8);
    assert_int_equal(step_priority(scene, 3, 4, 3, 5), pull(NEXUS, 7) - here + 2 - risk);
    assert_int_equal(step_priority(scene, 3, 4, 2, 4), pull(NEXUS, 9) - here);
    scene->state->mover = 1; /* its far row is row 0 */
    assert_int_equal(step_priority(scene, 4, 5, 4, 4), pull(NEXUS, 8) - pull(NEXUS, 9) + 2);
    scene_free(scene);
}

/* [5.7] Who stands beside the own Nexus is attacked first, if that can be won. */
static void the_nexus_is_defended(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("H3 V5 H9 . . . . . . "
                                    ".  HN .  . . . . . . "
                                    ".  .  .  . . . . . . "
                                    "V4 .  .  . . . . . . "
                                    "H8 .  .  . . . . . . "
                                    ".  .  .  . . . . . . "
                                    ".  .  .  . . . . . . "
                                    ".  .  .  . . . . . VN");
    assert_int_equal(step_priority(scene, 2, 0, 1, 0), ranked(5) + THREAT);
    assert_int_equal(step_priority(scene, 0, 0, 1, 0), -ranked(3) + danger(ranked(3)));
    assert_int_equal(step_priority(scene, 0, 4, 0, 3), ranked(4));
    scene_put(scene->state, scene_at(scene, 0, 3), scene_kind("V4"), 2 * 9);
    scene->state->cells[3 * 9] = 0;
    scene_put(scene->state, scene_at(scene, 0, 4), scene_kind("H8"), 3 * 9);
    assert_int_equal(step_priority(scene, 0, 3, 0, 2), ranked(4) + THREAT_NEAR);
    scene_free(scene);
}

/* [6.3] [6.5] Abilities cost their use and the secret; a strike takes all around but a Nexus, a web
 * is for whoever threatens the own Nexus. */
static void abilities_are_saved_for_much(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(".  V5 HN . .  .  .  . . "
                                    ".  H7 .  . .  .  .  . . "
                                    "VA .  .  . .  .  .  . . "
                                    ".  .  .  . .  .  .  . . "
                                    ".  .  .  . H6 .  .  . . "
                                    ".  .  .  . .  VI .  . . "
                                    ".  .  .  . .  .  .  . . "
                                    ".  .  .  . .  .  .  . VN");
    MashAction strike = {.verb = VERB_STRIKE, .unit = scene_at(scene, 1, 1)};
    MashAction web = {
        .verb = VERB_WEB, .unit = scene_at(scene, 4, 4), .other = scene_at(scene, 5, 5)};
    assert_int_equal(priority_in(scene, scene->state, strike),
                     ranked(5) + THREAT + AGENT - STRIKE - SHOWN);
    assert_int_equal(priority_in(scene, scene->state, web), -WEB - SHOWN);
    web.other = scene_at(scene, 1, 0);
    assert_int_equal(priority_in(scene, scene->state, web), THREAT - WEB - SHOWN);
    assert_int_equal(priority_in(scene, scene->state, (MashAction){.verb = VERB_STAY}), 0);
    scene_free(scene);
    scene = scene_of("HN . . . . . . .  . "
                     ".  . . . . . . .  . "
                     ".  . . . . . . .  . "
                     ".  . . . . . . .  . "
                     ".  . . . . . . .  . "
                     ".  . . . . . . .  . "
                     ".  . . . . . . H7 V1 "
                     ".  . . . . . . .  VN");
    strike.unit = scene_at(scene, 7, 6);
    assert_int_equal(priority_in(scene, scene->state, strike), ranked(1) - STRIKE - SHOWN);
    scene_free(scene);
}

/* [7.5] Two that have stepped and one that has not; all that are out are known, so that one of the
 * three is an agent, one is Doc Ock and one is the Nexus. */
static GeneralsScene *with_three_hidden(const char *drawing, int moved[2][2]) {
    GeneralsScene *scene = scene_of(drawing);
    for (uint8_t unit = SIDE_MAX; unit < UNITS_MAX; unit++)
        if (scene->state->pieces[unit].cell == CELL_GONE)
            scene->state->pieces[unit].mark |= MARK_SHOWN;
    for (int i = 0; i < 2; i++)
        piece_at(scene, moved[i][0], moved[i][1])->mark |= MARK_MOVED;
    return scene;
}

/* [7.5] What stepped is either of two. What did not is any of the three, but the Nexus must be
 * somewhere: that counts as much as the other two together. */
static void hidden_ranks_have_odds(void **unused) {
    (void)unused;
    int moved[2][2] = {{0, 4}, {4, 4}};
    GeneralsScene *scene = with_three_hidden("HN . . . .  . . . . "
                                             ".  . . . .  . . . . "
                                             ".  . . . .  . . . . "
                                             "H9 . . . H3 . . . . "
                                             "VA . . . V5 . . . . "
                                             ".  . . . .  . . . . "
                                             ".  . . . .  . . . H10 "
                                             ".  . . . .  . . . VN",
                                             moved);
    GeneralsState *view = scene_view(scene, 0);
    int32_t half = CERTAIN / 2, sixth = 170, two_thirds = 683;
    assert_int_equal(step_priority_in(scene, view, 0, 3, 0, 4), (ranked(5) + AGENT) / 2);
    assert_int_equal(step_priority_in(scene, view, 8, 6, 8, 7),
                     (sixth * (ranked(5) + AGENT) + two_thirds * NEXUS) / CERTAIN);
    /* Hawkeye loses against one of them and wins against the other. */
    int32_t gain = (half * AGENT - half * ranked(3)) / CERTAIN;
    assert_int_equal(step_priority_in(scene, view, 4, 3, 4, 4), gain + danger(-gain));
    support_free(view);
    scene_free(scene);
}

/* [7.5] One of two came to the far row and did not snap: the other is likely to be Thanos. And who
 * may be the Nexus is less of a danger, since that does not attack [4.4]. */
static void odds_follow_from_others(void **unused) {
    (void)unused;
    int moved[2][2] = {{0, 4}, {4, 4}};
    GeneralsScene *scene = with_three_hidden("HN . . . .  . . . . "
                                             ".  . . . .  . . . . "
                                             ".  . . . .  . . . . "
                                             "H9 . . . .  . . . . "
                                             "V12 . . . V5 . . . . "
                                             ".  . . . .  . . . . "
                                             ".  . . . .  . . . . "
                                             ".  . . . .  . . . VN",
                                             moved);
    piece_at(scene, 4, 4)->mark |= MARK_NOT_SNAP;
    piece_at(scene, 8, 7)->mark |= MARK_SHOWN;
    GeneralsState *view = scene_view(scene, 0);
    int32_t quarter = 255, three_quarters = 768;
    int32_t gain = (quarter * ranked(5) - three_quarters * ranked(9)) / CERTAIN;
    assert_int_equal(step_priority_in(scene, view, 0, 3, 0, 4), gain + danger(-gain));
    support_free(view);
    scene_free(scene);
    scene = with_three_hidden("HN . . . .  . . . . "
                              ".  . . . .  . . . . "
                              ".  . . . .  . . . . "
                              ".  . . . .  . . . . "
                              "VA . . . V5 . . . . "
                              ".  . . . .  . . . . "
                              ".  . . . .  . . . HA "
                              ".  . . . .  . . . VN",
                              moved);
    piece_at(scene, 8, 6)->mark |= MARK_SHOWN;
    view = scene_view(scene, 0);
    int32_t sixth = 170, two_thirds = 683;
    assert_int_equal(step_priority_in(scene, view, 8, 6, 8, 7),
                     danger_shown(sixth * AGENT / CERTAIN) +
                         (two_thirds * NEXUS - sixth * AGENT) / CERTAIN);
    support_free(view);
    scene_free(scene);
}

/* The odds of a battle are those of ending a threat and of coming into danger, too. */
static void odds_weigh_what_follows(void **unused) {
    (void)unused;
    int moved[2][2] = {{1, 0}, {1, 7}};
    GeneralsScene *scene = with_three_hidden("H3 VA . . . . . . . "
                                             ".  HN . . . . . . . "
                                             ".  .  . . . . . . . "
                                             ".  .  . . . . . . . "
                                             ".  .  . . . . . . . "
                                             ".  .  . . . . . . . "
                                             ".  H7 . . . . . . . "
                                             "VN V5 . . . . . . . ",
                                             moved);
    GeneralsState *view = scene_view(scene, 0);
    int32_t gain = (AGENT - ranked(3)) / 2;
    assert_int_equal(step_priority_in(scene, view, 0, 0, 1, 0), gain + danger(-gain) + THREAT / 2);
    /* A strike takes no Nexus: a sixth each for what else it may be. */
    MashAction strike = {.verb = VERB_STRIKE, .unit = scene_at(scene, 1, 6)};
    assert_int_equal(priority_in(scene, view, strike), (ranked(5) + AGENT) / 2 +
                                                           170 * (ranked(5) + AGENT) / CERTAIN -
                                                           STRIKE - SHOWN);
    support_free(view);
    scene_free(scene);
}

/* --- Placing an army -------------------------------------------------------------------------- */

/* Places an army with nothing left to chance; then it is ready. */
static void place(GeneralsScene *scene, uint8_t seat) {
    static const uint32_t zeros[CELLS_MAX] = {0};
    for (uint32_t placed = 0; placed < SIDE_MAX; placed++) {
        MashChance chance = chance_scripted(zeros, 27 - placed); /* one draw for each free cell */
        MashAction action = generals_evaluator.opening(scene->content, scene->state, seat, &chance);
        assert_true(chance_used_up(&chance));
        assert_int_equal(action.verb, VERB_PLACE);
        assert_int_equal(scene_act(scene, action), MASH_OK);
    }
    MashChance none = chance_scripted(NULL, 0);
    MashAction ready = generals_evaluator.opening(scene->content, scene->state, seat, &none);
    assert_int_equal(ready.verb, VERB_READY);
    assert_int_equal(scene_act(scene, ready), MASH_OK);
}

/* [3.2] The Nexus in a corner at the back, weak ones around it, infiltrators one row further, the
 * strong ones in front. */
static void armies_protect_the_nexus(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    place(scene, 0);
    place(scene, 1);
    scene_expect(scene, "HN  H6 HA  .   .  .  .  .  . "
                        "HI  HI H2  H1  HA HA HA HA HA "
                        "H12 H7 H11 H10 H9 H8 H5 H4 H3 "
                        ".   .  .   .   .  .  .  .  . "
                        ".   .  .   .   .  .  .  .  . "
                        "V12 V7 V11 V10 V9 V8 V6 V4 V3 "
                        "VI  VI V2  V1  VA VA VA VA VA "
                        "VN  V5 VA  .   .  .  .  .  . ");
    MashChance none = chance_scripted(NULL, 0);
    MashAction action = generals_evaluator.opening(scene->content, scene->state, 0, &none);
    assert_int_equal(action.verb, MASH_VERB_NONE);
    scene_free(scene);
}

/* Where the next piece of the Heroes goes when the draw for one free cell is this, others 0. */
static int next_cell(GeneralsScene *scene, uint32_t free_cells, uint32_t number, uint32_t drawn) {
    uint32_t script[CELLS_MAX] = {0};
    script[number] = drawn;
    MashChance chance = chance_scripted(script, free_cells);
    MashAction action = generals_evaluator.opening(scene->content, scene->state, 0, &chance);
    assert_true(chance_used_up(&chance));
    return action.y * 9 + action.x;
}

/* Chance moves the Nexus along the edge, but not off it; an agent goes beside it or to the front.
 */
static void chance_varies_a_placement(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_new(NULL);
    assert_int_equal(next_cell(scene, 27, 4, 16), 0);
    assert_int_equal(next_cell(scene, 27, 4, 17), 4);
    assert_int_equal(next_cell(scene, 27, 3, 12), 0);
    assert_int_equal(next_cell(scene, 27, 3, 13), 3);
    assert_int_equal(next_cell(scene, 27, 9, 23), 0);
    static const char *const placed[] = {
        "H12", "H11", "H10", "H9", "HN", "H8", "H7", "H6", "H5",
        "H4",  "H3",  "H2",  "H1", ".",  "HI", "HI", ".",  ".",
    };
    for (int cell = 0; cell < 18; cell++)
        scene->state->cells[cell] = placed[cell][0] == '.' ? 0 : scene_kind(placed[cell]);
    assert_int_equal(next_cell(scene, 12, 4, 2), 9 + 4);
    assert_int_equal(next_cell(scene, 12, 4, 3), 2 * 9 + 1);
    scene_free(scene);
}

/* [4.1] [4.5] */
static void every_turn_has_a_number(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(beside_the_nexus);
    scene->state->mover = 1;
    assert_int_equal(generals_evaluator.turn_number(scene->content, scene->state), 3);
    assert_int_equal(scene_step(scene, 1, 1, 0, 1), MASH_OK);
    assert_int_equal(generals_evaluator.turn_number(scene->content, scene->state), 4);
    scene_free(scene);
}

/* --- Threats ---------------------------------------------------------------------------------- */

/* The cells where the piece at x, y may defeat one in its next turn, as rows of + and -. */
static void threatens(GeneralsScene *scene, const GeneralsState *view, int x, int y,
                      const char *rows) {
    int32_t most[CELLS_MAX] = {0};
    char marks[CELLS_MAX + 1] = "";
    generals_game.threat(scene->content, view, scene_at(scene, x, y), most);
    for (int cell = 0; cell < CELLS_MAX; cell++)
        strcat(marks, most[cell] != 0 ? "+" : "-");
    assert_string_equal(marks, rows);
}

#define NOWHERE "---------"
static const char one_step_away[] = "-+-------"
                                    "+-+------"
                                    "-+-------" NOWHERE NOWHERE NOWHERE NOWHERE NOWHERE;

/* [4.2] [4.4] A step away, which the Nexus does not make; nor does one that is out. */
static void a_step_is_a_threat(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(". .  . . . . . . . "
                                    ". V9 . . . . . . . "
                                    ". .  . . . . . . . "
                                    ". .  . . . . . . . "
                                    ". .  . . . . . . . "
                                    ". .  . . . . . . . "
                                    ". .  . . . . . . . "
                                    "HN . . . . . . . VN");
    threatens(scene, scene->state, 1, 1, one_step_away);
    threatens(scene, scene->state, 8, 7,
              NOWHERE NOWHERE NOWHERE NOWHERE NOWHERE NOWHERE NOWHERE NOWHERE);
    int32_t most[CELLS_MAX] = {0};
    generals_game.threat(scene->content, scene->state, UNITS_MAX - 1, most);
    for (int cell = 0; cell < CELLS_MAX; cell++)
        assert_int_equal(most[cell], 0);
    scene_free(scene);
}

/* [6.1] [6.3] Thor once he is shown steps twice, and a strike that is not used takes all around. */
static void abilities_are_threats(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of("H12 . .  . . . . . . "
                                    ".   . .  . . . . . . "
                                    ".   . .  . . . . . . "
                                    ".   . .  . . . . . . "
                                    ".   . H7 . . . . . . "
                                    ".   . .  . . . . . . "
                                    ".   . .  . . . . . . "
                                    "HN  . .  . . . . . VN");
    threatens(scene, scene->state, 0, 0,
              "-+-------"
              "+--------" NOWHERE NOWHERE NOWHERE NOWHERE NOWHERE NOWHERE);
    piece_at(scene, 0, 0)->mark |= MARK_SHOWN;
    threatens(scene, scene->state, 0, 0,
              "-++------"
              "++-------"
              "+--------" NOWHERE NOWHERE NOWHERE NOWHERE NOWHERE);
    threatens(scene, scene->state, 2, 4,
              NOWHERE NOWHERE NOWHERE "-+++-----"
                                      "-+-+-----"
                                      "-+++-----" NOWHERE NOWHERE);
    piece_at(scene, 2, 4)->mark |= MARK_SHOWN;
    threatens(scene, scene->state, 2, 4,
              NOWHERE NOWHERE NOWHERE "--+------"
                                      "-+-+-----"
                                      "--+------" NOWHERE NOWHERE);
    scene_free(scene);
}

/* [6.7] Beside his far row, not on it, Thanos may snap: anybody may be out. */
static void a_snap_is_a_threat_to_all(void **unused) {
    (void)unused;
#define ANYWHERE "+++++++++"
    static const char all[] =
        ANYWHERE ANYWHERE ANYWHERE ANYWHERE ANYWHERE ANYWHERE ANYWHERE ANYWHERE;
    GeneralsScene *scene = scene_of("V12 . . . . . . . . "
                                    ".   . . . . . . . . "
                                    ".   . . . . . . . . "
                                    ".   . . . . . . . . "
                                    ".   . . . . . . . . "
                                    ".   . . . . . . . . "
                                    ".   . . . . . . . . "
                                    "HN  . . . . . . . VN");
    threatens(scene, scene->state, 0, 0,
              "-+-------"
              "+--------" NOWHERE NOWHERE NOWHERE NOWHERE NOWHERE NOWHERE);
    uint8_t thanos = scene_at(scene, 0, 0);
    scene->state->cells[0] = 0;
    scene_put(scene->state, thanos, scene_kind("V12"), 9 + 1);
    threatens(scene, scene->state, 1, 1, all);
    GeneralsState *view = scene_view(scene, 0); /* who is hidden may be Thanos [7.5] */
    threatens(scene, view, 1, 1, all);
    support_free(view);
    scene->state->pieces[thanos].mark |= MARK_SHOWN;
    threatens(scene, scene->state, 1, 1, one_step_away);
    scene->state->cells[9 + 1] = 0;
    scene_put(scene->state, thanos, scene_kind("V12"), 2 * 9 + 1);
    threatens(scene, scene->state, 1, 2,
              NOWHERE "-+-------"
                      "+-+------"
                      "-+-------" NOWHERE NOWHERE NOWHERE NOWHERE);
    scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_have_their_worth),
        cmocka_unit_test(secrets_count),
        cmocka_unit_test(threats_to_the_nexus_count),
        cmocka_unit_test(placement_is_even),
        cmocka_unit_test(battles_are_worth_what_falls),
        cmocka_unit_test(a_victor_may_be_attacked_next),
        cmocka_unit_test(steps_flee_and_hunt),
        cmocka_unit_test(the_nexus_is_defended),
        cmocka_unit_test(abilities_are_saved_for_much),
        cmocka_unit_test(hidden_ranks_have_odds),
        cmocka_unit_test(odds_follow_from_others),
        cmocka_unit_test(odds_weigh_what_follows),
        cmocka_unit_test(armies_protect_the_nexus),
        cmocka_unit_test(chance_varies_a_placement),
        cmocka_unit_test(every_turn_has_a_number),
        cmocka_unit_test(a_step_is_a_threat),
        cmocka_unit_test(abilities_are_threats),
        cmocka_unit_test(a_snap_is_a_threat_to_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
