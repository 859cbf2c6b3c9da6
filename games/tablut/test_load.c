/* test_load.c -- the loader: the shipped boards, the problems reported for wrong documents, and
 * what describe() says about a board. */
#include "games/tablut/test_scene.h"

enum { PROBLEMS = 16 };

static MashProblem problem_list[PROBLEMS];
static MashProblems problems;

/* Loads the default documents with this one in place of its kind, or beside them. */
static bool load_with(const char *name, const char *text) {
    MashDocument list[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(&tablut_game, NULL, list);
    MashDocument document = {name, text, (uint32_t)strlen(text)};
    assert_true(mash_documents_replace(list, &count, document));
    void *scratch = support_memory(MASH_SCRATCH_BYTES);
    MashContent *loaded = support_memory(tablut_game.content_bytes_max);
    MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    bool fine = tablut_game.load(&documents, loaded, &problems);
    assert_int_equal(fine, problems.count == 0);
    support_free(scratch);
    support_free(loaded);
    return fine;
}

/* The document is refused, only for this reason. */
static void bad(const char *text, const char *path, const char *reason) {
    assert_false(load_with("bad.board.json", text));
    assert_string_equal(problem_list[0].path, path);
    assert_string_equal(problem_list[0].reason, reason);
    assert_true(problem_list[0].line > 0);
    assert_int_equal(problems.count, 1);
}

/* So is this drawing. */
static void bad_drawing(const char *drawing, const char *path, const char *reason) {
    bad(scene_document("edge", "weak", drawing), path, reason);
}

/* [1.1] Each preset loads; the seats begin with these soldiers and moves. */
static void presets_load(void **unused) {
    (void)unused;
    static const struct {
        const char *id;
        uint8_t side, muscovites, swedes, corners, strong;
        uint32_t moves;
    } wanted[] = {{"linnaeus", 9, 16, 8, 0, 0, 80},
                  {"corners", 9, 16, 8, 1, 0, 72},
                  {"brandubh", 7, 8, 4, 1, 0, 40},
                  {"strong-king", 9, 16, 8, 0, 1, 80}};
    assert_int_equal(tablut_game.presets_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        MashAction list[1024];
        assert_string_equal(tablut_game.presets[i].id, wanted[i].id);
        scene_setup(support_content(&tablut_game, wanted[i].id), TABLUT_MUSCOVITES);
        const TablutBoard *board = tablut_board(content);
        assert_int_equal(content->limits.width, wanted[i].side);
        assert_int_equal(state->left[TABLUT_MUSCOVITES], wanted[i].muscovites);
        assert_int_equal(state->left[TABLUT_SWEDES], wanted[i].swedes);
        assert_int_equal(board->corners, wanted[i].corners);
        assert_int_equal(board->strong, wanted[i].strong);
        assert_int_equal(tablut_game.actions(content, state, TABLUT_MUSCOVITES, list),
                         wanted[i].moves);
        assert_int_equal(tablut_game.actions(content, state, TABLUT_SWEDES, list), 0);
    }
}

static void wrong_keys_and_words(void **unused) {
    (void)unused;
    bad("[]", "$", "must be an object, found an array");
    bad("{\"king\": \"weak\", \"rows\": [\".....\", \".M...\", \"..K..\", \".....\", \".....\"]}",
        "$", "key \"escape\" is missing; it must be one of edge, corners");
    bad(scene_document("door", "weak", ".....\n.M...\n..K..\n.....\n....."), "$.escape",
        "found \"door\", must be one of edge, corners");
    bad(scene_document("edge", "shy", ".....\n.M...\n..K..\n.....\n....."), "$.king",
        "found \"shy\", must be one of weak, strong");
    assert_false(load_with("more.start.json", "{}"));
    assert_non_null(strstr(problem_list[0].reason, "must end in .board.json or .texts.json"));
}

/* [1.1] [1.2] */
static void wrong_drawings(void **unused) {
    (void)unused;
    bad_drawing("....\n.MK.\n....\n....", "$.rows", "must have 5 to 11 rows, found 4");
    bad_drawing(".....\n.M..\n..K..\n.....\n.....", "$.rows[1]",
                "the board must be square: each of the 5 rows must have 5 cells, found 4");
    bad_drawing(".....\n.M...\n..K..\n..x..\n.....", "$.rows[3]",
                "may contain only . (free), M (Muscovite), S (Swede), K (king on the konakis), k "
                "(king elsewhere) and + (empty konakis), found \"..x..\"");
    bad_drawing(".....\n.M...\n..S..\n.....\n.....", "$.rows",
                "must have exactly one king, K or k");
    bad_drawing(".....\n.Mk..\n..K..\n.....\n.....", "$.rows",
                "must have exactly one king, K or k");
    bad_drawing(".....\n.M...\n..k..\n.....\n.....", "$.rows",
                "must have exactly one konakis, K or +");
    bad_drawing(".....\n.M...\n..K+.\n.....\n.....", "$.rows",
                "must have exactly one konakis, K or +");
    bad_drawing(".....\n.M...\n..k..\n.....\n..+..", "$.rows",
                "neither the king nor the konakis may be at the edge");
    bad_drawing("..K..\n.M...\n.....\n.....\n.....", "$.rows",
                "neither the king nor the konakis may be at the edge");
    bad_drawing(".....\n.S...\n..K..\n.....\n.....", "$.rows",
                "must have at least one Muscovite, M");
    bad_drawing("MMMMMMM\nMMMMMMM\nMMMMMMM\nMMMKMMM\nMMMMMMM\nMMMMMMM\nMMMMMMM", "$.rows",
                "at most 48 pieces are allowed");
    assert_true(
        load_with("fine.board.json",
                  scene_document("edge", "weak",
                                 "MMMMMMM\nMMMMMMM\nMMMMMMM\nMMMKMMM\nMMMMMMM\nMMMMMMM\nMMMMMM.")));
}

/* [2.5] The side that begins must have a move; in a corner of the board the rules of corners count
 * [7.1]. */
static void muscovites_must_have_a_move(void **unused) {
    (void)unused;
    bad_drawing("MS...\nS.S..\n.SKS.\n..S..\n.....", "$.rows",
                "the Muscovites move first and have no legal move");
    assert_true(load_with("fine.board.json", scene_document("edge", "weak",
                                                            ".MS..\n.S...\n..K..\n"
                                                            ".....\n.....")));
    bad(scene_document("corners", "weak", ".MS..\n.S...\n..K..\n.....\n....."), "$.rows",
        "the Muscovites move first and have no legal move");
}

/* What describe() says of this kind in the language of the document. */
static void describes(uint8_t kind, const char *sentences) {
    char memory[1024];
    MashText text = text_over(memory, sizeof memory);
    tablut_game.describe(content, NULL, MASH_NAME_KIND, kind, &text);
    assert_string_equal(memory, sentences);
}

/* The king is described by the rules of his board [7.1] [7.2]. */
static void kinds_are_described(void **unused) {
    (void)unused;
    scene_setup(support_content(&tablut_game, "linnaeus"), TABLUT_MUSCOVITES);
    describes(TABLUT_KING,
              "Moves like the others and helps to take. Wins on any cell of the edge. "
              "Is taken when Muscovites stand on two opposite sides; on the konakis on "
              "all four, beside it on the three others.");
    describes(TABLUT_SWEDE, "Guards the king. Moves any distance along a row or column; is taken "
                            "when Muscovites stand on two opposite sides.");
    describes(TABLUT_KINDS, "");
    scene_begin_by("corners", "strong", TABLUT_MUSCOVITES, ".....\n.M...\n..K..\n.....\n.....");
    describes(TABLUT_KING, "Moves like the others and helps to take. Wins in any corner. Is taken "
                           "only when Muscovites stand on all sides; the konakis counts as one.");
}

#define LOADS(test) cmocka_unit_test_teardown(test, scene_end)

int main(void) {
    const struct CMUnitTest tests[] = {
        LOADS(presets_load),        LOADS(wrong_keys_and_words),
        LOADS(wrong_drawings),      LOADS(muscovites_must_have_a_move),
        LOADS(kinds_are_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
