/* test_evaluate.c -- what the AI of Generals knows without having learned it: what pieces are
 * worth, threats to the Nexus, and where a piece may strike. What was learned: test_policy.c. */
#include "games/generals/test_scene.h"

/* What the evaluation gives, and takes, in tenths of a point of power. */
enum {
    SHOWN = 12,
    STRIKE = 35,
    WEB = 12,
    AGENT = 32,
    INFILTRATOR = 105,
    THREAT = 1200,
    THREAT_NEAR = 120,
};

/* What a ranked piece without an ability is worth. */
static int32_t ranked(int power) { return 25 + 8 * power; }

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
        cmocka_unit_test(pieces_have_their_worth),    cmocka_unit_test(secrets_count),
        cmocka_unit_test(threats_to_the_nexus_count), cmocka_unit_test(placement_is_even),
        cmocka_unit_test(every_turn_has_a_number),    cmocka_unit_test(a_step_is_a_threat),
        cmocka_unit_test(abilities_are_threats),      cmocka_unit_test(a_snap_is_a_threat_to_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
