/* test_options.c -- options that keep matches going and teams mixed, by rule number: must-summon
 * and two-of-a-kind. */
#include "games/battleground/test_scene.h"

static const MashAction red_ends = {.verb = VERB_END, .seat = 0};

static MashAction summon_of(uint8_t unit, int x, int y) {
    return (MashAction){
        .verb = VERB_SUMMON, .seat = 0, .unit = unit, .x = (int8_t)x, .y = (int8_t)y};
}

/* --- Must summon ------------------------------------------------------------------------------ */

/* Red, with no warrior on the field and a knight on the bench, faces a ninja. */
static BattlegroundScene red_has_nobody(uint8_t options) {
    BattlegroundScene scene = SCENE(options, "....n", ".....");
    scene_bench(&scene, 0, KNIGHT);
    scene.state->phase = PHASE_SUMMON;
    return scene;
}

/* [9.6] [4.3] Without the option Red passes turn after turn until the match is drawn; with it Red
 * can only summon. */
static void who_has_nobody_on_the_field_must_summon(void **unused) {
    (void)unused;
    BattlegroundScene scene = red_has_nobody(0);
    while (!scene.state->common.over)
        scene_does(&scene, "end");
    scene_ended(&scene, MASH_SEAT_NONE, REASON_QUIET);
    scene_close(&scene);
    scene = red_has_nobody(OPTION_MUST_SUMMON);
    assert_int_equal(scene_lists(&scene, "end"), 0);
    assert_int_equal(scene_lists(&scene, ""), 9);
    scene_refuses(&scene, red_ends, MASH_MUST_SUMMON);
    scene_does(&scene, "summon kni0 2 1");
    scene_phase(&scene, 1, PHASE_MOVE_1);
    SHOWS(&scene, "....n", "..K..");
    scene_close(&scene);
}

/* [9.6] */
static void who_has_somebody_on_the_field_need_not_summon(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(OPTION_MUST_SUMMON, "K...n", ".....");
    scene_bench(&scene, 1, KNIGHT);
    scene_does(&scene, "end"); /* move 1 */
    scene_does(&scene, "end"); /* attack */
    scene_does(&scene, "end"); /* move 2 */
    scene_phase(&scene, 0, PHASE_SUMMON);
    scene_does(&scene, "end");
    scene_phase(&scene, 1, PHASE_MOVE_1);
    scene_close(&scene);
}

/* Does the seat have to summon in a match of this preset and value of the option? */
static bool must_summon(const char *preset, const int32_t *value) {
    MashContent *loaded = support_content(&battleground_game, preset);
    BattlegroundState *state = support_state(loaded);
    int32_t values[OPTIONS] = {0};
    MashChance chance = chance_scripted(NULL, 0);
    if (value != NULL)
        values[MUST_SUMMON_PLACE] = *value;
    MashSetup setup = {values, value == NULL ? 0 : OPTIONS};
    assert_int_equal(battleground_game.setup(loaded, &setup, &chance, state), MASH_OK);
    bool must = (state->options & OPTION_MUST_SUMMON) != 0;
    support_free(state);
    support_free(loaded);
    return must;
}

/* [9.6] The shipped fields say yes, the original's says no, and the option overrides both. */
static void the_field_decides_unless_the_option_does(void **unused) {
    (void)unused;
    static const char *const presets[] = {"open", "small", "ruins"};
    const int32_t no = 0, yes = 1, by_field = MUST_SUMMON_BY_FIELD;
    for (int i = 0; i < 3; i++) {
        assert_true(must_summon(presets[i], NULL));
        assert_true(must_summon(presets[i], &by_field));
        assert_false(must_summon(presets[i], &no));
    }
    assert_false(must_summon("original", NULL));
    assert_false(must_summon("original", &by_field));
    assert_true(must_summon("original", &yes));
    assert_string_equal(battleground_game.options[MUST_SUMMON_PLACE].id, "must-summon");
}

/* --- Pockets ---------------------------------------------------------------------------------- */

/* [9.7] The cell at 4,0 is not connected to the rest: nobody could leave it or be reached there. */
static void nobody_is_summoned_into_a_pocket(void **unused) {
    (void)unused;
    for (int closed = 0; closed < 2; closed++) {
        BattlegroundScene scene = SCENE(closed ? OPTION_MUST_SUMMON : 0, "..n#.", "...##", ".....");
        scene_bench(&scene, 0, KNIGHT);
        scene.state->phase = PHASE_SUMMON;
        assert_int_equal(scene_lists(&scene, "summon kni0"), closed ? 10 : 11);
        if (closed)
            scene_refuses(&scene, summon_of(0, 4, 0), MASH_CELL_BLOCKED);
        else
            scene_does(&scene, "summon kni0 4 0");
        scene_close(&scene);
    }
}

/* [9.7] Cells that touch only at corners are not part of ten cells. */
static void without_a_part_for_all_no_cell_is_closed(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(OPTION_MUST_SUMMON, ".#.#.#.#", "#.#.#.#n", "...#.#.#");
    scene_bench(&scene, 0, KNIGHT);
    scene.state->phase = PHASE_SUMMON;
    assert_int_equal(scene_lists(&scene, "summon kni0"), 12);
    scene_close(&scene);
}

/* [9.7] Of parts that are equally large the left one is the largest. */
static void of_equal_parts_the_first_is_taken(void **unused) {
    (void)unused;
    BattlegroundScene scene = SCENE(OPTION_MUST_SUMMON, ".#.", ".#.", ".#.", ".#.", ".#.", ".#.",
                                    ".#.", ".#.", ".#.", ".#.");
    scene_bench(&scene, 0, KNIGHT);
    scene.state->phase = PHASE_SUMMON;
    assert_int_equal(scene_lists(&scene, "summon kni0 0 "), 10);
    assert_int_equal(scene_lists(&scene, "summon kni0 2 "), 0);
    scene_close(&scene);
}

/* [9.7] A part that winds over both machine words of a column and every side of the board is
 * one. */
static void a_part_may_wind(void **unused) {
    (void)unused;
    static char rows[100][4];
    const char *list[100];
    for (int y = 0; y < 100; y++) {
        memcpy(rows[y], y == 99 ? "..." : ".#.", 4);
        list[y] = rows[y];
    }
    rows[40][2] = '#'; /* separates what is above it */
    MashContent *loaded = scene_field(list, 100);
    const BattlegroundContent *content = battleground_content(loaded);
    assert_true(reach_is_open(content->summon, 0, 0));
    assert_true(reach_is_open(content->summon, 2, 41));
    assert_false(reach_is_open(content->summon, 2, 39));
    assert_false(reach_is_open(content->summon, 2, 0));
    support_free(loaded);
}

/* [9.7] The original's map has 3,855 open cells, 21 of them in five pockets. */
static void the_original_field_has_five_pockets(void **unused) {
    (void)unused;
    MashContent *loaded = support_content(&battleground_game, "original");
    const BattlegroundContent *content = battleground_content(loaded);
    int closed = 0;
    for (int x = 0; x < content->width; x++)
        for (int y = 0; y < content->height; y++) {
            assert_true(reach_is_open(content->open, x, y) ||
                        !reach_is_open(content->summon, x, y));
            closed += reach_is_open(content->open, x, y) && !reach_is_open(content->summon, x, y);
        }
    assert_int_equal(closed, 21);
    support_free(loaded);
}

/* --- Two of a kind ---------------------------------------------------------------------------- */

/* [9.8] */
static void at_most_two_of_a_kind_are_chosen(void **unused) {
    (void)unused;
    MashAction found, ninja = {.verb = VERB_CHOOSE, .seat = 0, .ability = NINJA};
    BattlegroundScene scene = scene_preset(NULL, OPTION_TWO_OF_A_KIND);
    scene_by(&scene, 0, "choose ninja");
    scene_by(&scene, 0, "choose knight");
    scene_by(&scene, 0, "choose ninja");
    assert_int_equal(scene_finds(&scene, 0, "choose ninja", &found), 0);
    scene_refuses(&scene, ninja, MASH_NOT_OFFERED);
    scene_by(&scene, 1, "choose ninja"); /* the other's ninjas do not count */
    scene_by(&scene, 0, "choose knight");
    assert_int_equal(scene_finds(&scene, 0, "choose", &found), 4);
    scene_by(&scene, 0, "choose zombie-m");
    for (int i = 0; i < 5; i++)
        scene_by(&scene, 0, "pack heal"); /* potions as ever */
    scene_close(&scene);
    scene = scene_preset(NULL, OPTION_TWO_OF_A_KIND);
    scene_by(&scene, 0, "usual team");
    scene_close(&scene);
}

/* The preset's warriors with this in place of that. To be freed with the content. */
static MashContent *with_warriors(const char *that, const char *this) {
    char *line = support_one_line(&battleground_game, "battleground.warriors.json");
    char *bytes = support_memory(strlen(line) + strlen(this) + 1), *place = strstr(line, that);
    assert_non_null(place);
    MashText text = text_over(bytes, (uint32_t)(strlen(line) + strlen(this) + 1));
    text_bytes(&text, line, (uint32_t)(place - line));
    text_string(&text, this);
    text_string(&text, place + strlen(that));
    MashDocument document = {"changed.warriors.json", bytes, text.count};
    MashContent *loaded = support_content_with(&battleground_game, NULL, document);
    support_free(bytes);
    free(line);
    return loaded;
}

/* [9.8] [2.3] */
static void a_usual_team_with_three_of_a_kind_is_not_offered(void **unused) {
    (void)unused;
    MashAction found;
    MashContent *loaded =
        with_warriors("[\"gladiator\", \"knight\", \"ninja\"", "[\"ninja\", \"ninja\", \"ninja\"");
    BattlegroundScene scene = scene_over(loaded, OPTION_TWO_OF_A_KIND);
    assert_int_equal(scene_finds(&scene, 0, "usual team", &found), 0);
    scene_refuses(&scene, (MashAction){.verb = VERB_USUAL, .seat = 0}, MASH_NOT_OFFERED);
    scene_close(&scene);
}

/* [9.8] [2.3] */
static void a_usual_team_with_two_of_a_kind_is_offered(void **unused) {
    (void)unused;
    MashContent *loaded =
        with_warriors("[\"gladiator\", \"knight\", \"ninja\"", "[\"ninja\", \"knight\", \"ninja\"");
    BattlegroundScene scene = scene_over(loaded, OPTION_TWO_OF_A_KIND);
    scene_by(&scene, 0, "usual team");
    scene_close(&scene);
}

/* [9.8] With only two kinds on offer a team of five has three of one. */
static void too_few_kinds_raise_the_limit(void **unused) {
    (void)unused;
    MashAction found;
    MashContent *loaded = support_content(&battleground_game, NULL);
    BattlegroundContent *content = (void *)loaded->body;
    content->kinds_count = KNIGHT;
    BattlegroundScene scene = scene_over(loaded, OPTION_TWO_OF_A_KIND);
    for (int i = 0; i < 3; i++)
        scene_by(&scene, 0, "choose knight");
    assert_int_equal(scene_finds(&scene, 0, "choose knight", &found), 0);
    scene_by(&scene, 0, "choose gladiator");
    scene_by(&scene, 0, "choose gladiator");
    scene_close(&scene);
}

/* [9.8] [9.3] Guesses at hidden information respect it, whatever was seen. */
static void guesses_have_at_most_two_of_a_kind(void **unused) {
    (void)unused;
    MashChance chance = chance_sampled(4);
    BattlegroundScene scene = scene_preset(NULL, OPTION_TWO_OF_A_KIND | OPTION_BLIND);
    scene_by(&scene, 0, "usual team");
    scene_by(&scene, 1, "usual team");
    scene_does(&scene, "summon nin2 4 4");
    for (int i = 0; i < 200; i++) {
        BattlegroundState guess = *scene.state;
        battleground_game.hide(scene.content, &guess, 1);
        battleground_game.guess(scene.content, &guess, 1, &chance);
        int counts[KINDS_MAX + 1] = {0};
        for (int slot = 0; slot < SLOTS; slot++)
            assert_true(++counts[guess.warriors[slot].kind] <= 2);
        assert_int_equal(counts[0], 0);
    }
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_has_nobody_on_the_field_must_summon),
        cmocka_unit_test(who_has_somebody_on_the_field_need_not_summon),
        cmocka_unit_test(the_field_decides_unless_the_option_does),
        cmocka_unit_test(nobody_is_summoned_into_a_pocket),
        cmocka_unit_test(without_a_part_for_all_no_cell_is_closed),
        cmocka_unit_test(of_equal_parts_the_first_is_taken),
        cmocka_unit_test(a_part_may_wind),
        cmocka_unit_test(the_original_field_has_five_pockets),
        cmocka_unit_test(at_most_two_of_a_kind_are_chosen),
        cmocka_unit_test(a_usual_team_with_three_of_a_kind_is_not_offered),
        cmocka_unit_test(a_usual_team_with_two_of_a_kind_is_offered),
        cmocka_unit_test(too_few_kinds_raise_the_limit),
        cmocka_unit_test(guesses_have_at_most_two_of_a_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
