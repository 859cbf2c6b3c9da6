/* test_load.c -- the loader: the shipped starts, and the problems reported for wrong documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/zorde/state.h"
#include "tests/support/support.h"

#define TWO_UNITS                                                                                  \
    "{\"kind\": \"human\", \"id\": \"H0\", \"x\": 0, \"y\": 0}, "                                  \
    "{\"kind\": \"ork\", \"id\": \"O0\", \"x\": 1, \"y\": 0}"
#define START(units)   "{\"width\": 3, \"height\": 2, \"units\": [" units "]}"
#define KINDS(kinds)   "{\"kinds\": [" kinds "]}"
#define KIND(id, more) "{\"id\": \"" id "\", \"side\": \"zorde\", " more "}"
#define FIGURES        "\"health\": 5, \"attack\": 5, \"steps\": 1, \"attacks\": \"each-step\""

enum { PROBLEMS = 16 };

static MashContent *content;
static void *scratch;
static MashProblem problem_list[PROBLEMS];
static MashProblems problems;

static bool load(const MashDocument *list, uint32_t count) {
    MashDocuments documents = {list, count, scratch, MASH_SCRATCH_BYTES};
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    bool loaded = zorde_game.load(&documents, content, &problems);
    assert_int_equal(loaded, problems.count == 0);
    return loaded;
}

/* The default preset with one document in place of its own of the same kind. */
static bool load_with(const char *name, const char *text) {
    MashDocument list[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(&zorde_game, NULL, list);
    MashDocument document = {name, text, (uint32_t)strlen(text)};
    assert_true(mash_documents_replace(list, &count, document));
    return load(list, count);
}

static void expect_problem(uint32_t index, const char *path, const char *reason) {
    assert_true(index < problems.count);
    assert_string_equal(problem_list[index].path, path);
    assert_string_equal(problem_list[index].reason, reason);
    assert_true(problem_list[index].line > 0);
}

/* The start is refused, only for this reason. */
static void bad_start(const char *text, const char *path, const char *reason) {
    assert_false(load_with("bad.start.json", text));
    expect_problem(0, path, reason);
    assert_string_equal(problem_list[0].document, "bad.start.json");
    assert_int_equal(problems.count, 1);
}

/* So are the kinds; problems of the start about missing kinds may follow. */
static void bad_kinds(const char *text, const char *path, const char *reason) {
    assert_false(load_with("bad.units.json", text));
    expect_problem(0, path, reason);
    assert_string_equal(problem_list[0].document, "bad.units.json");
}

static void presets_load(void **unused) {
    (void)unused;
    static const struct {
        const char *id;
        uint8_t width, units;
        /* of the side with more units */
        uint8_t most;
    } wanted[] = {{"skirmish", 6, 6, 3},      {"battle", 10, 8, 4}, {"even-skirmish", 9, 7, 4},
                  {"close-battle", 10, 9, 5}, {"duel", 5, 2, 1},    {"border", 5, 4, 2}};
    assert_int_equal(zorde_game.presets_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        MashDocument list[MASH_DOCUMENTS_MAX];
        uint32_t count = mash_documents_of_preset(&zorde_game, wanted[i].id, list);
        assert_int_equal(count, 3);
        assert_true(load(list, count));
        assert_string_equal(zorde_game.presets[i].id, wanted[i].id);
        assert_int_equal(content->limits.width, wanted[i].width);
        assert_int_equal(content->limits.height, wanted[i].width);
        assert_int_equal(content->limits.units, wanted[i].units);
        assert_int_equal(content->limits.actions_max, 8 * wanted[i].most);
    }
}

/* Texts do not affect the rules; start cells do. */
static void the_hash_is_that_of_the_rules(void **unused) {
    (void)unused;
    assert_true(load_with("a.start.json", START(TWO_UNITS)));
    uint64_t hash = content->hash;
    assert_true(load_with("b.start.json", START(TWO_UNITS)));
    assert_true(content->hash == hash);
    assert_true(
        load_with("c.start.json", "{\"width\": 3, \"height\": 3, \"units\": [" TWO_UNITS "]}"));
    assert_true(content->hash != hash);
}

/* [1.1] [1.2] [1.4] [1.5] */
static void starts_that_are_wrong(void **unused) {
    (void)unused;
#define THIRD(fields) START(TWO_UNITS ", {" fields "}")
    bad_start("[]", "$", "must be an object, found an array");
    bad_start("{\"width\": 101, \"height\": 2, \"units\": [" TWO_UNITS "]}", "$.width",
              "must be a whole number from 1 to 100, found 101");
    bad_start("{\"width\": 3, \"units\": [" TWO_UNITS "]}", "$",
              "key \"height\" is missing; it must be a whole number from 1 to 100");
    bad_start("{\"width\": 3, \"height\": 3, \"units\": [" TWO_UNITS "], \"depth\": 1}", "$.depth",
              "unknown key \"depth\"; allowed are width, height, units");
    bad_start("{\"width\": 3, \"height\": 3, \"units\": {}}", "$.units",
              "must be an array, found an object");
    bad_start(START("{\"kind\": \"human\", \"id\": \"H0\", \"x\": 0, \"y\": 0}"), "$.units",
              "zorde has no units; each side needs at least one");
    bad_start(START("{\"kind\": \"ork\", \"id\": \"O0\", \"x\": 0, \"y\": 0}"), "$.units",
              "calliance has no units; each side needs at least one");
    bad_start(THIRD("\"kind\": \"orc\", \"id\": \"O1\", \"x\": 2, \"y\": 0"), "$.units[2].kind",
              "found \"orc\", must be one of human, elf, dwarf, ork, troll, goblin");
    bad_start(THIRD("\"kind\": \"ork\", \"id\": \"O1\", \"x\": 3, \"y\": 0"), "$.units[2].x",
              "must be a whole number from 0 to 2, found 3");
    bad_start(THIRD("\"kind\": \"ork\", \"id\": \"O1\", \"x\": 2, \"y\": -1"), "$.units[2].y",
              "must be a whole number from 0 to 1, found -1");
    bad_start(THIRD("\"kind\": \"ork\", \"id\": \"O1\", \"x\": 0, \"y\": 0"), "$.units[2]",
              "ork O1: this cell is already occupied");
    bad_start(THIRD("\"kind\": \"ork\", \"id\": \"O0\", \"x\": 2, \"y\": 0"), "$.units[2]",
              "ork O0: duplicate unit ID");
    bad_start(THIRD("\"kind\": \"ork\", \"id\": \"T1\", \"x\": 2, \"y\": 0"), "$.units[2]",
              "ork T1: the ID of a unit must start with the letter of its kind");
    bad_start(THIRD("\"kind\": \"ork\", \"id\": \"O\", \"x\": 2, \"y\": 0"), "$.units[2]",
              "ork O: the ID of a unit must be a letter and one digit from 0 to 9");
    bad_start(THIRD("\"kind\": \"ork\", \"id\": \"O10\", \"x\": 2, \"y\": 0"), "$.units[2].id",
              "must be a string of 1 to 2 bytes without control characters, found \"O10\"");
}

/* All problems together, not only the first. */
static void all_problems_are_reported(void **unused) {
    (void)unused;
    assert_false(load_with("bad.start.json",
                           "{\"width\": 0, \"units\": [7, {\"kind\": \"ork\", \"id\": \"O0\"}]}"));
    assert_int_equal(problems.count, 5);
    expect_problem(0, "$.width", "must be a whole number from 1 to 100, found 0");
    expect_problem(2, "$.units[0]", "must be an object, found 7");
    expect_problem(4, "$.units[1]", "key \"y\" is missing; it must be a whole number from 0 to 99");
}

/* [1.3] */
static void kinds_that_are_wrong(void **unused) {
    (void)unused;
    bad_kinds("7", "$", "must be an object, found 7");
    bad_kinds("{\"kinds\": []}", "$.kinds", "must have 1 to 12 kinds, found 0");
    bad_kinds("{\"kinds\": [1,2,3,4,5,6,7,8,9,10,11,12,13]}", "$.kinds",
              "must have 1 to 12 kinds, found 13");
    bad_kinds(KINDS("3"), "$.kinds[0]", "must be an object, found 3");
    bad_kinds(KINDS(KIND("Ork", "\"letter\": \"O\", " FIGURES)), "$.kinds[0].id",
              "may contain only lower-case letters, digits and single hyphens, found \"Ork\"");
    bad_kinds(KINDS(KIND("ork-", "\"letter\": \"O\", " FIGURES)), "$.kinds[0].id",
              "may contain only lower-case letters, digits and single hyphens, found \"ork-\"");
    bad_kinds(KINDS(KIND("ork", "\"letter\": \"o\", " FIGURES)), "$.kinds[0].letter",
              "must be one capital letter, A to Z, found \"o\"");
    bad_kinds(KINDS(KIND("ork", "\"letter\": \"O\", " FIGURES) ", " KIND(
                  "ork", "\"letter\": \"P\", " FIGURES)),
              "$.kinds[1].id", "duplicate id \"ork\", already used by $.kinds[0]");
    bad_kinds(KINDS(KIND("ork", "\"letter\": \"O\", " FIGURES) ", " KIND(
                  "ogre", "\"letter\": \"O\", " FIGURES)),
              "$.kinds[1].letter", "duplicate letter \"O\", already used by $.kinds[0]");
    bad_kinds(KINDS(KIND("ork", "\"letter\": \"O\", \"healing\": 0, " FIGURES)),
              "$.kinds[0].healing", "must be a whole number from 1 to 9999, found 0");
    bad_kinds(KINDS(KIND("ork", "\"letter\": \"O\", \"ranged\": 3, " FIGURES)), "$.kinds[0].ranged",
              "must be an object, found 3");
    bad_kinds(
        KINDS(
            KIND("ork", "\"letter\": \"O\", \"ranged\": {\"attack\": 1, \"range\": 11}, " FIGURES)),
        "$.kinds[0].ranged.range", "must be a whole number from 1 to 10, found 11");
    bad_kinds(KINDS(KIND("ork", "\"letter\": \"O\", \"health\": 5, \"attack\": 5, \"steps\": 21, "
                                "\"attacks\": \"never\"")),
              "$.kinds[0].steps", "must be a whole number from 1 to 20, found 21");
    expect_problem(1, "$.kinds[0].attacks", "found \"never\", must be one of last-step, each-step");
}

/* [1.3] Kinds are data: a healer of Calliance that shoots after its one step, and heals first. */
static void other_kinds(void **unused) {
    (void)unused;
    static const char texts_name[] = "english.texts.json";
    char *texts = support_one_line(&zorde_game, texts_name);
    char *kinds = strstr(texts, "{\"human\"");
    assert_non_null(kinds);
    char *end = strchr(kinds, '}');
    static const char names[] = "{\"hill-giant\": \"Hill giant\", \"sage\": \"Sage\"";
    memcpy(kinds, names, sizeof names - 1);
    memset(kinds + sizeof names - 1, ' ', (size_t)(end - kinds) - (sizeof names - 1));
    static const char giants[] = KINDS(KIND(
        "hill-giant", "\"letter\": \"A\", " FIGURES) ", "
                                                     "{\"id\": \"sage\", \"side\": \"calliance\", "
                                                     "\"letter\": \"S\", \"health\": 9, "
                                                     "\"attack\": 1, \"steps\": 1, \"attacks\": "
                                                     "\"last-step\", \"healing\": 3, "
                                                     "\"ranged\": {\"attack\": 2, \"range\": 3}}");
    static const char start[] = "{\"width\": 6, \"height\": 1, \"units\": ["
                                "{\"kind\": \"sage\", \"id\": \"S1\", \"x\": 0, \"y\": 0},"
                                "{\"kind\": \"hill-giant\", \"id\": \"A0\", \"x\": 4, \"y\": 0}]}";
    MashDocument list[] = {{"my.units.json", giants, sizeof giants - 1},
                           {"my.start.json", start, sizeof start - 1},
                           {texts_name, texts, (uint32_t)strlen(texts)}};
    assert_true(load(list, 3));
    ZordeState *state = support_state(content);
    MashChance chance = chance_scripted(NULL, 0);
    zorde_game.setup(content, NULL, &chance, state);
    state->units[1].health = 4;
    MashAction step = {.verb = ZORDE_VERB_STEP, .unit = 1, .x = 1};
    assert_int_equal(mash_apply(content, state, step, &chance, NULL), MASH_OK);
    assert_int_equal(state->units[1].health, 7);
    assert_int_equal(state->units[0].health, 3);
    static const char initials[] =
        "BOARD\n2x1\n\nCALLIANCE\nSAGE S0 0 0\n\nZORDE\nHILL-GIANT A9 1 0";
    MashDocument files[] = {{"i", initials, sizeof initials - 1}, {"c", "", 0}};
    MashDocuments in = {.list = files, .count = 2};
    char output[256];
    MashText text = text_over(output, sizeof output);
    assert_true(zorde_orders.convert(content, &in, &text, &problems));
    assert_string_equal(output, "******\n*S0A9*\n******\n\nA9\t5\t(5)\nS0\t9\t(9)\n\n");
    support_free(state);
    free(texts);
}

/* The table reports it before the rules do. */
static void more_units_are_refused(void **unused) {
    (void)unused;
    static char text[8192];
    MashText start = text_over(text, sizeof text);
    text_string(&start, "{\"width\": 100, \"height\": 1, \"units\": [" TWO_UNITS);
    for (int i = 2; i <= ZORDE_UNITS_MAX; i++)
        text_format(&start, ", {\"kind\": \"ork\", \"id\": \"O1\", \"x\": %d, \"y\": 0}", i);
    text_string(&start, "]}");
    assert_false(load_with("bad.start.json", text));
    expect_problem(0, "$.units", "must have 2 to 60 units, found 61");
}

/* [1.4] With more than six kinds the letters and digits would give more than a state can hold. */
static void sixty_units_are_the_most(void **unused) {
    (void)unused;
    static ZordeSetup field = {.width = 100, .height = 100, .kinds_count = 7};
    for (uint8_t i = 0; i < 7; i++)
        field.kinds[i].letter = (char)('A' + i);
    for (int i = 0; i <= ZORDE_UNITS_MAX; i++) {
        ZordeStartUnit unit = {.letter = (char)('A' + i / 10),
                               .digit = (char)('0' + i % 10),
                               .kind = (uint8_t)(i / 10),
                               .x = (int8_t)i};
        const char *wrong = zorde_unit_problem(&field, unit);
        if (i < ZORDE_UNITS_MAX) {
            assert_null(wrong);
            zorde_unit_add(&field, unit);
        } else {
            assert_string_equal(wrong, "more than 60 units");
        }
    }
}

static void documents_that_are_missing_or_strange(void **unused) {
    (void)unused;
    MashDocument list[MASH_DOCUMENTS_MAX] = {{0}};
    assert_false(load(list, 0));
    assert_int_equal(problems.count, 2);
    assert_string_equal(problem_list[0].reason, "missing a file that ends in .units.json");
    uint32_t count = mash_documents_of_preset(&zorde_game, NULL, list);
    list[count] = list[1];
    list[count].name = "second.start.json";
    assert_false(load(list, count + 1));
    assert_string_equal(problem_list[0].reason,
                        "only one file may end in .start.json; skirmish.start.json already does");
    list[count].name = "map.json";
    assert_false(load(list, count + 1));
    assert_string_equal(problem_list[0].document, "map.json");
    assert_string_equal(problem_list[0].reason, "the name of a file of this game must end in "
                                                ".units.json, .start.json or .texts.json");
    assert_false(load_with("cut.start.json", "{\"width\": "));
    assert_string_equal(problem_list[0].document, "cut.start.json");
}

static int set_up(void **unused) {
    (void)unused;
    content = aligned_alloc(64, (zorde_game.content_bytes_max + 63) / 64 * 64);
    scratch = aligned_alloc(64, MASH_SCRATCH_BYTES);
    return content == NULL || scratch == NULL;
}

static int tear_down(void **unused) {
    (void)unused;
    free(content);
    free(scratch);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_load),
        cmocka_unit_test(the_hash_is_that_of_the_rules),
        cmocka_unit_test(starts_that_are_wrong),
        cmocka_unit_test(all_problems_are_reported),
        cmocka_unit_test(kinds_that_are_wrong),
        cmocka_unit_test(other_kinds),
        cmocka_unit_test(sixty_units_are_the_most),
        cmocka_unit_test(more_units_are_refused),
        cmocka_unit_test(documents_that_are_missing_or_strange),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
