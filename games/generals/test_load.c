/* test_load.c -- Generals: the problems reported for wrong documents, smaller content than the
 * printed one, and texts for everything. */
#include "games/generals/test_scene.h"

enum { PROBLEMS = 40, BYTES = 16384 };

static MashContent *content;
static void *scratch;
static MashProblem problem_list[PROBLEMS];
static MashProblems problems;
static char pieces[BYTES], texts[BYTES];

static int open_memory(void **unused) {
    (void)unused;
    content = support_memory(generals_game.content_bytes_max);
    scratch = support_memory(MASH_SCRATCH_BYTES);
    return 0;
}

static int close_memory(void **unused) {
    (void)unused;
    support_free(content);
    support_free(scratch);
    return 0;
}

static bool load_documents(const MashDocument *list, uint32_t count) {
    MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    bool loaded = generals_game.load(&documents, content, &problems);
    assert_int_equal(loaded, problems.count == 0);
    return loaded;
}

/* The documents in `pieces` and `texts`. */
static bool load(void) {
    MashDocument list[] = {{"my.pieces.json", pieces, (uint32_t)strlen(pieces)},
                           {"my.texts.json", texts, (uint32_t)strlen(texts)}};
    return load_documents(list, 2);
}

/* The shipped documents again. */
static void reset(void) {
    MashDocument shipped = mash_document_shipped(&generals_game, "generals.pieces.json");
    snprintf(pieces, BYTES, "%.*s", (int)shipped.count, shipped.bytes);
    shipped = mash_document_shipped(&generals_game, "english.texts.json");
    snprintf(texts, BYTES, "%.*s", (int)shipped.count, shipped.bytes);
}

/* Replaces the first `before` by `after`. */
static void change(char *document, const char *before, const char *after) {
    static char tail[BYTES];
    char *at = strstr(document, before);
    assert_non_null(at);
    snprintf(tail, BYTES, "%s%s", after, at + strlen(before));
    snprintf(at, (size_t)(BYTES - (at - document)), "%s", tail);
}

static void expect_problem(const char *path, const char *reason) {
    for (uint32_t i = 0; i < problems.count; i++)
        if (strcmp(problem_list[i].path, path) == 0 && strcmp(problem_list[i].reason, reason) == 0)
            return;
    for (uint32_t i = 0; i < problems.count; i++)
        fprintf(stderr, "%s: %s\n", problem_list[i].path, problem_list[i].reason);
    fail_msg("no problem %s: %s", path, reason);
}

/* The shipped pieces with one change are refused, only for this reason. */
static void refused(const char *before, const char *after, const char *path, const char *reason) {
    reset();
    change(pieces, before, after);
    assert_false(load());
    expect_problem(path, reason);
    assert_int_equal(problems.count, 1);
}

/* --- Problems --------------------------------------------------------------------------------- */

static void the_shipped_documents_load(void **unused) {
    (void)unused;
    reset();
    assert_true(load());
    assert_int_equal(content->limits.units, 42);
    assert_int_equal(content->limits.actions_max, 15 * 27 + 2);
    assert_int_equal(content->limits.length_max, 42 + 2 + 2 * 100 * 41);
    assert_int_equal(content->limits.silence_ms, 60000);
    uint64_t hash = content->hash;
    change(texts, "\"Thor\"", "\"Donar\"");
    assert_true(load());
    assert_int_equal(content->hash == hash, true);
    change(pieces, "\"power\": 12", "\"power\": 13");
    assert_true(load());
    assert_int_equal(content->hash == hash, false);
}

static void documents_must_be_there_once(void **unused) {
    (void)unused;
    reset();
    MashDocument list[] = {{"my.texts.json", texts, (uint32_t)strlen(texts)},
                           {"my.pieces.json", pieces, (uint32_t)strlen(pieces)},
                           {"your.pieces.json", pieces, (uint32_t)strlen(pieces)}};
    assert_false(load_documents(list, 1));
    expect_problem("", "missing a file that ends in .pieces.json");
    assert_false(load_documents(list, 3));
    expect_problem("", "only one file may end in .pieces.json; my.pieces.json already does");
    snprintf(pieces, BYTES, "[]");
    assert_false(load());
    expect_problem("$", "must be an object, found an array");
    snprintf(pieces, BYTES, "{}");
    assert_false(load());
    assert_int_equal(problems.count, 3);
}

static void board_and_limits_are_checked(void **unused) {
    (void)unused;
    refused("\"web_turns\": 3", "\"web_turns\": 4", "$.limits.web_turns",
            "must be a whole number from 1 to 3, found 4");
    refused("\"quiet_rounds\": 50, ", "", "$.limits",
            "key \"quiet_rounds\" is missing; it must be a whole number from 1 to 50");
    refused("\"board\"", "\"bard\": 1, \"board\"", "$.bard",
            "unknown key \"bard\"; allowed are board, limits, armies");
    reset();
    change(pieces, "\"height\": 8", "\"height\": 9");
    assert_false(load());
    expect_problem("$.board.height", "must be a whole number from 4 to 8, found 9");
}

/* Several problems are reported together. */
static void pieces_are_checked(void **unused) {
    (void)unused;
    refused("\"class\": \"agent\"", "\"class\": \"agent\", \"power\": 1",
            "$.armies[0].pieces[13].power",
            "only pieces of class ranked may have a power; the class of this one is agent");
    refused("\"ability\": \"snap\"", "\"ability\": \"clap\"", "$.armies[1].pieces[0].ability",
            "found \"clap\", must be one of none, second-step, snap, strike, web");
    refused("\"class\": \"nexus\"", "\"class\": \"nexus\", \"ability\": \"web\"",
            "$.armies[0].pieces[14].ability", "a nexus has no ability");
    refused("\"id\": \"heroes\"", "\"id\": \"victors\"", "$.armies[1].id",
            "the two army ids must start with different letters (they name the pieces)");
    reset();
    change(pieces, "\"id\": \"hulk\"", "\"id\": \"thor\"");
    change(pieces, "\"id\": \"ultron\"", "\"id\": \"Ultron\"");
    assert_false(load());
    expect_problem("$.armies[0].pieces[2].id", "duplicate id \"thor\"");
    expect_problem("$.armies[1].pieces[1].id",
                   "must start with a letter and contain only a-z, 0-9 and -, found \"Ultron\"");
    reset();
    change(pieces, "\"class\": \"nexus\", \"count\": 1", "\"class\": \"agent\", \"count\": 1");
    change(pieces, "\"count\": 6", "\"count\": 7");
    assert_false(load());
    expect_problem("$.armies[0].pieces",
                   "an army must have exactly one kind of class nexus, found 0");
    expect_problem("$.armies[0].pieces", "an army in this zone must have 2 to 21 pieces, found 22");
    expect_problem("$.armies[0].layout", "the layout must contain 7 x shield-agent, found 6");
}

static void layouts_are_checked(void **unused) {
    (void)unused;
    refused("[\"star-lord\", ", "[", "$.armies[0].layout[0]",
            "a row of the layout must have 9 entries (one per column), found 8");
    reset();
    change(pieces, "\"vision\", \"dr-strange\"", "\"vision\", \"dr-stranger\"");
    assert_false(load());
    expect_problem("$.armies[0].layout[0][2]",
                   "found \"dr-stranger\", must be one of -, thor, iron-man, hulk, dr-strange, "
                   "captain-america, black-panther, spiderman, wanda, star-lord, hawkeye, ant-man, "
                   "vision, loki, shield-agent, blue-nexus");
    reset();
    change(pieces, "\"vision\", \"dr-strange\"", "\"vision\", \"vision\"");
    assert_false(load());
    expect_problem("$.armies[0].layout", "the layout must contain 1 x dr-strange, found 0");
    reset();
    change(pieces, "\"zone_rows\": 3", "\"zone_rows\": 4");
    assert_false(load());
    expect_problem("$.armies[1].layout",
                   "the layout must have 4 rows (one per row of the zone), found 3");
}

static void texts_are_checked(void **unused) {
    (void)unused;
    reset();
    change(texts, "\"venom\": \"Venom\",", "");
    assert_false(load());
    assert_int_equal(problems.count, 1);
    assert_string_equal(problem_list[0].path, "$.names.kind");
}

/* --- Smaller content -------------------------------------------------------------------------- */

static const char small_pieces[] =
    "{\"board\": {\"width\": 4, \"height\": 5, \"zone_rows\": 2},"
    " \"limits\": {\"quiet_rounds\": 9, \"repetitions\": 3, \"web_turns\": 2, \"silence_ms\": 0},"
    " \"armies\": ["
    "{\"id\": \"red\", \"pieces\": ["
    "{\"id\": \"runner\", \"class\": \"ranked\", \"power\": 3, \"count\": 2, \"ability\": \"web\"},"
    "{\"id\": \"giant\", \"class\": \"ranked\", \"power\": 9, \"count\": 1, \"ability\": \"snap\"},"
    "{\"id\": \"heart\", \"class\": \"nexus\", \"count\": 1}],"
    " \"layout\": [[\"-\", \"heart\", \"giant\", \"-\"], [\"runner\", \"-\", \"-\", \"runner\"]]},"
    "{\"id\": \"blue\", \"pieces\": ["
    "{\"id\": \"spy\", \"class\": \"infiltrator\", \"count\": 1, \"ability\": \"second-step\"},"
    "{\"id\": \"guard\", \"class\": \"agent\", \"count\": 2},"
    "{\"id\": \"crown\", \"class\": \"nexus\", \"count\": 1}],"
    " \"layout\": [[\"-\", \"crown\", \"spy\", \"-\"], [\"guard\", \"-\", \"-\", \"guard\"]]}]}";

static void use_small_content(void) {
    reset();
    snprintf(pieces, BYTES, "%s", small_pieces);
    char *kinds = strstr(texts, "\"kind\": {"), *end = strchr(kinds, '}');
    static char tail[BYTES];
    snprintf(tail, BYTES, "%s", end);
    snprintf(kinds, (size_t)(BYTES - (kinds - texts)),
             "\"kind\": {\"runner\": \"runner\", \"giant\": \"giant\", \"heart\": \"heart\", "
             "\"spy\": \"spy\", \"guard\": \"guard\", \"crown\": \"crown\"%s",
             tail);
    change(texts, "\"heroes\": \"Heroes\", \"villains\": \"Villains\"",
           "\"red\": \"Red\", \"blue\": \"Blue\"");
    assert_true(load());
}

/* Abilities belong to kinds, not to sides, and all bounds follow the content. */
static void smaller_armies_play_to_the_end(void **unused) {
    (void)unused;
    use_small_content();
    assert_int_equal(content->limits.units, 8);
    assert_int_equal(content->limits.length_max, 8 + 2 + 2 * 18 * 7);
    GeneralsState *state = support_state(content), *view = support_state(content);
    MashAction list[SCENE_ACTIONS];
    MashChance dice = chance_sampled(4);
    int snaps = 0, seconds = 0;
    for (int match = 0; match < 500; match++) {
        uint32_t length = 0;
        assert_int_equal(generals_game.setup(content, NULL, &dice, state), MASH_OK);
        for (uint32_t awaited; (awaited = generals_game.awaited(content, state)) != 0; length++) {
            uint8_t seat = awaited == 2;
            uint32_t count = generals_game.actions(content, state, seat, list);
            MashAction action = list[chance_below(&dice, count)];
            assert_int_equal(mash_apply(content, state, action, &dice, NULL), MASH_OK);
            seconds += state->second != 0;
            *view = *state;
            generals_game.hide(content, view, seat);
            generals_game.guess(content, view, seat, &dice);
        }
        for (uint8_t unit = 0; unit < 8; unit++)
            snaps += (state->pieces[unit].fell & FELL_CAUSES) == FELL_SNAP;
        assert_true(length <= content->limits.length_max);
    }
    assert_true(snaps > 0 && seconds > 0);
    support_free(state);
    support_free(view);
}

/* --- Words ------------------------------------------------------------------------------------ */

static const char scenery[] = "HN .  .  .   .  .  .  .  . "
                              ".  .  .  .   .  .  .  .  . "
                              ".  .  .  .   .  .  .  .  . "
                              ".  .  H6 .   .  .  .  .  . "
                              ".  V4 V3 .   .  .  .  .  . "
                              ".  .  .  .   .  .  .  .  . "
                              ".  .  .  H12 .  .  .  .  . "
                              ".  .  .  .   .  .  .  V9 VN ";

static void expect_word(const GeneralsScene *scene, MashAction action, const char *expected) {
    char word[64];
    MashText text = text_over(word, sizeof word);
    generals_game.notation(scene->content, scene->state, action, &text);
    assert_string_equal(word, expected);
}

static void actions_have_words(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(scenery);
    expect_word(scene, (MashAction){.verb = VERB_PLACE, .seat = 1, .x = 3, .y = 6, .amount = 28},
                "place hydra-soldier 3 6");
    expect_word(scene, (MashAction){.verb = VERB_LAYOUT}, "layout");
    expect_word(scene, (MashAction){.verb = VERB_RANDOM}, "random");
    expect_word(scene, (MashAction){.verb = VERB_READY}, "ready");
    expect_word(scene, (MashAction){.verb = VERB_MOVE, .unit = 1, .x = 3, .y = 3}, "move h1 3 3");
    expect_word(scene, (MashAction){.verb = VERB_STRIKE, .unit = 21}, "strike v0");
    expect_word(scene, (MashAction){.verb = VERB_WEB, .unit = 1, .other = 22}, "web h1 v1");
    expect_word(scene, (MashAction){.verb = VERB_STAY, .unit = 2}, "stay h2");
    expect_word(scene, (MashAction){.verb = MASH_VERB_RESIGN}, "resign");
    scene_free(scene);
}

/* The last action's events as sentences, for a seat, one per line. */
static void expect_said(const GeneralsScene *scene, uint8_t seat, const char *expected) {
    char said[2048];
    MashText text = text_over(said, sizeof said);
    GeneralsState *view = scene_view(scene, seat);
    for (uint32_t i = 0; i < scene->events.count; i++) {
        if (!mash_event_seen(&scene->list[i], seat))
            continue;
        generals_game.say(scene->content, NULL, view, &scene->list[i], &text);
        text_byte(&text, '\n');
    }
    support_free(view);
    assert_string_equal(said, expected);
}

static void events_have_sentences(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(scenery);
    assert_int_equal(scene_web(scene, 2, 3, 1, 4), MASH_OK);
    expect_said(scene, 1,
                "h1 is Spiderman.\nSpiderman (h1) uses Web on Ronan (v0).\nRonan (v0) at 1,4 "
                "is caught in a web for 3 turns.\nVillains to move.\n");
    assert_int_equal(scene_step(scene, 2, 4, 2, 3), MASH_OK);
    expect_said(scene, 0,
                "v1 attacks Spiderman (h1) at 2,3: the attacker is defeated.\nv1 at 2,4 is "
                "defeated.\nRound 2.\nHeroes to move.\n");
    assert_int_equal(scene_step(scene, 3, 6, 3, 7), MASH_OK);
    assert_int_equal(scene_step(scene, 7, 7, 6, 7), MASH_OK);
    assert_int_equal(scene_step(scene, 3, 7, 4, 7), MASH_OK);
    expect_said(scene, MASH_SEAT_SPECTATOR,
                "Thor (h2) moves from 3,7 to 4,7.\nHeroes: second step.\n");
    scene_free(scene);
    scene = scene_new(NULL);
    MashAction loki = {.verb = VERB_PLACE, .x = 1, .y = 2, .amount = 12};
    assert_int_equal(scene_act(scene, loki), MASH_OK);
    expect_said(scene, 0, "Loki is placed at 1,2.\n");
    assert_int_equal(scene_plain(scene, 1, MASH_VERB_DRAW_OFFER), MASH_OK);
    expect_said(scene, 0, "Villains offer a draw.\n");
    assert_int_equal(scene_plain(scene, 0, MASH_VERB_RESIGN), MASH_OK);
    expect_said(scene, 0, "The match is over, Villains win: resignation.\n");
    scene_free(scene);
}

static void figures_count_deeds(void **unused) {
    (void)unused;
    GeneralsScene *scene = scene_of(scenery);
    assert_int_equal(scene_step(scene, 2, 3, 2, 4), MASH_OK);
    assert_int_equal(scene_step(scene, 1, 4, 2, 4), MASH_OK);
    static const int32_t heroes[FIGURES] = {
        [FIGURE_STEPS] = 1, [FIGURE_WON] = 2, [FIGURE_OUT] = 18};
    static const int32_t villains[FIGURES] = {
        [FIGURE_STEPS] = 1, [FIGURE_LOST] = 2, [FIGURE_OUT] = 19};
    for (uint8_t figure = 0; figure < FIGURES; figure++) {
        if (figure == FIGURE_SNAPPED)
            continue;
        assert_int_equal(generals_game.figure(scene->content, scene->state, MASH_UNIT_SIDE, figure),
                         heroes[figure]);
        assert_int_equal(
            generals_game.figure(scene->content, scene->state, MASH_UNIT_SIDE + 1, figure),
            villains[figure]);
    }
    assert_int_equal(generals_game.figure(scene->content, scene->state, 1, FIGURE_WON), 2);
    assert_int_equal(generals_game.figure(scene->content, scene->state, 21, FIGURE_LOST), 1);
    scene_free(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shipped_documents_load),
        cmocka_unit_test(documents_must_be_there_once),
        cmocka_unit_test(board_and_limits_are_checked),
        cmocka_unit_test(pieces_are_checked),
        cmocka_unit_test(layouts_are_checked),
        cmocka_unit_test(texts_are_checked),
        cmocka_unit_test(smaller_armies_play_to_the_end),
        cmocka_unit_test(actions_have_words),
        cmocka_unit_test(events_have_sentences),
        cmocka_unit_test(figures_count_deeds),
    };
    return cmocka_run_group_tests(tests, open_memory, close_memory);
}
