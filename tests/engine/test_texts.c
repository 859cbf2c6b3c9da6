/* test_texts.c -- names and sentences from a document: what is found, what is missing, how
 * sentences are filled in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/events.h"
#include "engine/texts.h"

enum { PROBLEMS = 16 };

static MashTexts texts;
static MashProblem problem_list[PROBLEMS];
static MashProblems problems;
static _Alignas(16) uint8_t scratch[1 << 16];

static const char *const meter_ids[] = {"health", "speed"};
static const char *const verb_ids[] = {"move"};
static const char *const reason_ids[] = {"all-out"};
static const TextsIds lists[] = {
    {MASH_NAME_METER, 0, 2, meter_ids, NULL},
    {MASH_NAME_VERB, 1, 1, verb_ids, NULL},
    {MASH_NAME_REASON, MASH_REASON_GAME, 1, reason_ids, NULL},
};
static const MashEventKind events[] = {MASH_EVENT_MOVED, MASH_EVENT_HURT};

static bool loads_from(const MashDocument *list, uint32_t count) {
    MashDocuments documents = {list, count, scratch, sizeof scratch};
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    bool loaded =
        texts_load(&texts, &documents, &(TextsShape){lists, 3, events, 2, NULL}, NULL, &problems);
    assert_int_equal(loaded, problems.count == 0);
    return loaded;
}

static bool loads(const char *text) {
    MashDocument list[] = {{"a.start.json", "?", 1},
                           {"en.texts.json", text, (uint32_t)strlen(text)}};
    return loads_from(list, 2);
}

/* A whole document around the sentence of one event. */
static bool loads_sentence(const char *sentence) {
    char text[1024];
    snprintf(text, sizeof text,
             "{\"language\": \"en\", \"events\": {\"moved\": \"%s\", \"hurt\": \"au\"}, \"names\": "
             "{\"meter\": {\"health\": \"h\", \"speed\": \"s\"}, \"verb\": {\"move\": \"go\"}, "
             "\"reason\": {\"all-out\": \"all are out\"}}}",
             sentence);
    return loads(text);
}

static void expect_problem(uint32_t index, const char *path, const char *reason) {
    assert_true(index < problems.count);
    assert_string_equal(problem_list[index].reason, reason);
    assert_string_equal(problem_list[index].path, path);
}

static const char *name(MashNames list, uint8_t index) {
    static char memory[256];
    MashText text = text_over(memory, sizeof memory);
    texts_name(&texts, list, index, &text);
    return memory;
}

static void names_are_found_by_number(void **unused) {
    (void)unused;
    assert_true(loads(
        "{\"names\": {\"reason\": {\"all-out\": \"all are out\", \"left\": \"gone\"},"
        "\"verb\": {\"move\": \"go\"}, \"meter\": {\"speed\": \"Tempo\", \"health\": \"\\u00e4\"}},"
        "\"events\": {\"moved\": \"x\", \"hurt\": \"y\"}, \"language\": \"de-AT\"}"));
    assert_string_equal(texts.language, "de-AT");
    assert_string_equal(name(MASH_NAME_METER, 0), "\xC3\xA4");
    assert_string_equal(name(MASH_NAME_METER, 1), "Tempo");
    assert_string_equal(name(MASH_NAME_METER, 2), "");
    assert_string_equal(name(MASH_NAME_VERB, 0), "");
    assert_string_equal(name(MASH_NAME_VERB, 1), "go");
    assert_string_equal(name(MASH_NAME_VERB, 2), "");
    assert_string_equal(name(MASH_NAME_VERB, 255), "");
    assert_string_equal(name(MASH_NAME_KIND, 0), "");
    assert_string_equal(name(MASH_NAME_REASON, MASH_REASON_LEFT), "gone");
    assert_string_equal(name(MASH_NAME_REASON, MASH_REASON_RESIGNED), "resignation");
    assert_string_equal(name(MASH_NAME_REASON, MASH_REASON_COUNT), "");
    assert_string_equal(name(MASH_NAME_REASON, MASH_REASON_GAME), "all are out");
    assert_string_equal(name(MASH_NAME_REASON, MASH_REASON_GAME + 1), "");
}

static void says(const MashEvent *event, const TextsArguments *words, const char *sentence) {
    char memory[256];
    MashText text = text_over(memory, sizeof memory);
    texts_write_event(&texts, event, words, &text);
    assert_string_equal(memory, sentence);
}

static void sentences_are_filled(void **unused) {
    (void)unused;
    assert_true(loads_sentence("{unit} {what} {other} of {side}: {from}-{to} {amount} "
                               "{amount|turn|turns}."));
    MashEvent event = event_new(MASH_EVENT_MOVED, 1, 2);
    event.from_x = 3, event.from_y = 4, event.x = 10, event.y = 0, event.amount = 1;
    TextsArguments words = {"h0", "h1", "[hits]", "{red}"};
    says(&event, &words, "h0 [hits] h1 of {red}: 3,4-10,0 1 turn.");
    event.amount = -1;
    says(&event, &words, "h0 [hits] h1 of {red}: 3,4-10,0 -1 turn.");
    event.amount = 0;
    says(&event, &(TextsArguments){0}, "   of : 3,4-10,0 0 turns.");
    event.kind = MASH_EVENT_HURT;
    says(&event, &words, "au");
    event.kind = MASH_EVENT_DIED;
    says(&event, &words, "");
    event.kind = 255;
    says(&event, &words, "");
}

static void parts_without_words_are_dropped(void **unused) {
    (void)unused;
    assert_true(loads_sentence("a[ u{unit}][ b {other} by {what}][ n{amount|x|y}][ f{from}][ "
                               "t{to}] z"));
    MashEvent event = event_new(MASH_EVENT_MOVED, 1, 2);
    event.amount = 2;
    TextsArguments words = {.unit = "h0", .other = "h1", .what = "bow"};
    says(&event, &words, "a uh0 b h1 by bow ny f0,0 t0,0 z");
    words.what = "";
    says(&event, &words, "a uh0 ny f0,0 t0,0 z");
    words.unit = NULL;
    event.amount = 0;
    says(&event, &words, "a f0,0 t0,0 z");
    event.from_x = -1, event.y = -1;
    says(&event, &words, "a z");
}

/* "Zombie M." has a full stop of its own. */
static void a_sentence_ends_in_one_full_stop(void **unused) {
    (void)unused;
    MashEvent event = event_new(MASH_EVENT_MOVED, 1, 2);
    assert_true(loads_sentence("{side} takes {what}[ from {other}]."));
    says(&event, &(TextsArguments){.side = "Blue", .what = "Zombie M."}, "Blue takes Zombie M.");
    says(&event, &(TextsArguments){.side = "Blue", .what = "a Z.", .other = "M."},
         "Blue takes a Z. from M.");
    says(&event, &(TextsArguments){.side = "Blue", .what = "a Z"}, "Blue takes a Z.");
    assert_true(loads_sentence("{what}, {what}... wait."));
    says(&event, &(TextsArguments){.what = "M"}, "M, M... wait.");
    /* Only words that are filled in take the place of a full stop, not a sentence before. */
    assert_true(loads_sentence("... {what} waits."));
    char memory[64];
    MashText text = text_over(memory, sizeof memory);
    text_string(&text, "M.");
    texts_write_event(&texts, &event, &(TextsArguments){.what = "M"}, &text);
    assert_string_equal(memory, "M.... M waits.");
    /* What stands before the text is not looked at. */
    assert_true(loads_sentence("{what}."));
    memory[0] = '.';
    text = text_over(memory + 1, sizeof memory - 1);
    texts_write_event(&texts, &event, &(TextsArguments){0}, &text);
    assert_string_equal(memory, "..");
}

/* What is no object, or no JSON at all, has one problem: nothing is said about keys. */
static void what_is_no_document_has_one_problem(void **unused) {
    (void)unused;
    assert_false(loads("[]"));
    assert_int_equal(problems.count, 1);
    expect_problem(0, "$", "must be an object, found an array");
    assert_false(loads("{\"language\""));
    assert_int_equal(problems.count, 1);
}

static void bad_sentences_are_refused(void **unused) {
    (void)unused;
    static const char slots[] = "unknown placeholder; use {unit}, {other}, {what}, {side}, "
                                "{amount}, {from}, {to} or {amount|one|several}";
    const char *const bad[][2] = {
        {"{unt}", slots},
        {"{}", slots},
        {"{unit", slots},
        {"{unit|a|b}", slots},
        {"{amount|a}", slots},
        {"{amount|a|b|c}", slots},
        {"{amount|a]|b}", slots},
        {"{amount|{unit}|b}", slots},
        {"unit}", "} without {"},
        {"[a [{unit}]]", "[ ] cannot be nested"},
        {"[a]", "[ ] must contain a placeholder such as {other}"},
        {"{unit}[a]", "[ ] must contain a placeholder such as {other}"},
        {"a]", "missing [ before ]"},
        {"[{unit}", "missing ] at the end"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(loads_sentence(bad[i][0]));
        assert_int_equal(problems.count, 1);
        expect_problem(0, "$.events.moved", bad[i][1]);
    }
}

static void everything_wrong_is_reported_at_once(void **unused) {
    (void)unused;
    assert_false(
        loads("{\"tongue\": 1, \"events\": {\"moved\": \"\", \"healed\": \"x\"}, \"names\":"
              "{\"meter\": {\"health\": 3, \"sped\": \"s\"}, \"kind\": {}}}"));
    expect_problem(0, "$.tongue",
                   "unknown key \"tongue\"; allowed are language, events, names, "
                   "translations");
    expect_problem(1, "$",
                   "key \"language\" is missing; it must be a string of 1 to 7 bytes without "
                   "control characters");
    expect_problem(2, "$.events.moved",
                   "must be a string of 1 to 255 bytes without control characters, found \"\"");
    expect_problem(3, "$.events",
                   "key \"hurt\" is missing; it must be a string of 1 to 255 bytes without control "
                   "characters");
    expect_problem(4, "$.events.healed", "unknown key \"healed\"; allowed are moved, hurt");
    expect_problem(5, "$.names.meter.health",
                   "must be a string of 1 to 255 bytes without control characters, found 3");
    expect_problem(6, "$.names.meter",
                   "key \"speed\" is missing; it must be a string of 1 to 255 bytes without "
                   "control characters");
    expect_problem(7, "$.names.meter.sped", "unknown key \"sped\"; allowed are health, speed");
    expect_problem(8, "$.names", "key \"verb\" is missing; it must be an object");
    expect_problem(9, "$.names", "key \"reason\" is missing; it must be an object");
    expect_problem(10, "$.names.kind", "unknown key \"kind\"; allowed are meter, verb, reason");
    assert_int_equal(problems.count, 11);
}

static void the_document_is_there_once(void **unused) {
    (void)unused;
    MashDocument list[] = {{"a.texts.json", "{}", 2}, {"b.texts.json", "{}", 2}};
    assert_false(loads_from(list, 0));
    expect_problem(0, "", "missing a file that ends in .texts.json");
    assert_false(loads_from(list, 2));
    expect_problem(0, "", "only one file may end in .texts.json; a.texts.json already does");
    assert_string_equal(problem_list[0].document, "b.texts.json");
    assert_false(loads("[1,]"));
    expect_problem(0, "", "trailing comma before ]");
    assert_false(loads("[]"));
    expect_problem(0, "$", "must be an object, found an array");
    assert_false(loads("{\"language\": \"en\"}"));
    expect_problem(0, "$", "key \"events\" is missing; it must be an object");
    expect_problem(1, "$", "key \"names\" is missing; it must be an object");
}

/* A list of `count` kinds k0, k1, ... whose names have `length` bytes, and nothing else. */
static bool loads_kinds(uint32_t count, uint32_t length) {
    static char ids[300][8], bytes[1 << 17], long_name[256];
    const char *pointers[300];
    MashText text = text_over(bytes, sizeof bytes);
    memset(long_name, 'x', length);
    long_name[length] = '\0';
    text_string(&text, "{\"language\": \"en\", \"events\": {}, \"names\": {\"kind\": {");
    for (uint32_t i = 0; i < count; i++) {
        snprintf(ids[i], sizeof ids[i], "k%u", i);
        pointers[i] = ids[i];
        text_format(&text, "%s\"%s\": \"%s\"", i == 0 ? "" : ",", ids[i], long_name);
    }
    text_string(&text, "}}}");
    assert_false(text.truncated);
    TextsIds kinds = {MASH_NAME_KIND, 0, count, pointers, NULL};
    MashDocument document = {"en.texts.json", bytes, text.count};
    MashDocuments documents = {&document, 1, scratch, sizeof scratch};
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    return texts_load(&texts, &documents, &(TextsShape){&kinds, 1, NULL, 0, NULL}, NULL, &problems);
}

static void limits_of_texts_hold(void **unused) {
    (void)unused;
    assert_true(loads_kinds(TEXTS_NAMES_MAX - MASH_REASON_GAME, 1));
    assert_string_equal(name(MASH_NAME_KIND, 239), "x");
    assert_false(loads_kinds(TEXTS_NAMES_MAX - MASH_REASON_GAME + 1, 1));
    expect_problem(0, "$", "too many names (maximum 256 in all lists together)");
    assert_false(loads_kinds(256, 1));
    expect_problem(0, "$", "too many names (maximum 256 in all lists together)");
    assert_true(loads_kinds(0, 1));
    assert_true(loads_kinds(77, 255));
    assert_false(loads_kinds(80, 255));
    expect_problem(0, "$.names.kind.k78", "the texts are too long (maximum 20480 bytes in total)");
}

static void ids_stay_and_load_a_further_language(void **unused) {
    (void)unused;
    static _Alignas(16) uint8_t memory[sizeof(MashContent) + sizeof(MashTexts)];
    static const MashGame game = {.texts_at = 0};
    MashContent *content = (void *)memory;
    assert_true(loads_sentence("{unit} goes."));
    assert_string_equal(texts_id(&texts, MASH_NAME_METER, 1), "speed");
    assert_string_equal(texts_id(&texts, MASH_NAME_REASON, MASH_REASON_AGREED), "agreed");
    assert_string_equal(texts_id(&texts, MASH_NAME_REASON, MASH_REASON_GAME), "all-out");
    assert_null(texts_id(&texts, MASH_NAME_REASON, MASH_REASON_COUNT));
    assert_null(texts_id(&texts, MASH_NAME_METER, 2));
    assert_null(texts_id(&texts, MASH_NAME_VERB, 0));
    content->game = &game;
    memcpy(content->body, &texts, sizeof texts);
    const char *german =
        "{\"language\": \"de\", \"events\": {\"moved\": \"{unit} geht.\", \"hurt\": \"aua\"}, "
        "\"names\": {\"meter\": {\"health\": \"Leben\", \"speed\": \"Tempo\"}, "
        "\"verb\": {\"move\": \"gehen\"}, \"reason\": {\"all-out\": \"alle\"}}}";
    MashDocument document = {"de.texts.json", german, (uint32_t)strlen(german)};
    MashDocuments documents = {&document, 1, scratch, sizeof scratch};
    assert_true(texts_game_load(content, &documents, &texts, &problems));
    assert_string_equal(mash_texts_language(&texts), "de");
    assert_string_equal(name(MASH_NAME_METER, 1), "Tempo");
    assert_string_equal(texts_id(&texts, MASH_NAME_METER, 1), "speed");
    assert_ptr_equal(texts_of(content, NULL), content->body);
    assert_ptr_equal(texts_of(content, &texts), &texts);
    document.count--;
    assert_false(texts_game_load(content, &documents, &texts, &problems));
}

/* Names of other documents: those that have a translation, and those of authors as they are. */
static void names_of_other_documents_are_translated(void **unused) {
    (void)unused;
    static const char start[] =
        "{\"language\": \"de\", \"events\": {\"moved\": \"m\", \"hurt\": \"au\"}, \"names\": "
        "{\"meter\": {\"health\": \"h\", \"speed\": \"s\"}, \"verb\": {\"move\": \"go\"}, "
        "\"reason\": {\"all-out\": \"alle\"}}";
    char text[1024];
    snprintf(text, sizeof text, "%s, \"translations\": {\"Rage\": \"Wut\", \"Web\": \"Netz\"}}",
             start);
    assert_true(loads(text));
    assert_string_equal(texts_translate(&texts, "Rage"), "Wut");
    assert_string_equal(texts_translate(&texts, "Web"), "Netz");
    assert_string_equal(texts_translate(&texts, "Webs"), "Webs");
    assert_string_equal(texts_translate(&texts, "Netz"), "Netz");
    assert_true(loads_sentence("x"));
    assert_string_equal(texts_translate(&texts, "Rage"), "Rage");
    snprintf(text, sizeof text, "%s, \"translations\": [\"Rage\"]}", start);
    assert_false(loads(text));
    expect_problem(0, "$.translations", "must be an object, found an array");
    snprintf(text, sizeof text, "%s, \"translations\": {\"Rage\": 3}}", start);
    assert_false(loads(text));
    expect_problem(0, "$.translations.Rage",
                   "must be a string of 1 to 255 bytes without control characters, found 3");
}

static const char *const described_ids[] = {"heal", "hit"};
static const char *const described_fields[] = {"amount", "range", "name"};
static const TextsDescriptions described = {described_ids, 2, described_fields, 3};

/* Loads a document with these members after the names. */
static bool loads_descriptions(const char *members) {
    char text[1024];
    snprintf(text, sizeof text,
             "{\"language\": \"en\", \"events\": {\"moved\": \"m\", \"hurt\": \"au\"}, \"names\": "
             "{\"meter\": {\"health\": \"h\", \"speed\": \"s\"}, \"verb\": {\"move\": \"go\"}, "
             "\"reason\": {\"all-out\": \"all are out\"}}%s}",
             members);
    MashDocument document = {"en.texts.json", text, (uint32_t)strlen(text)};
    MashDocuments documents = {&document, 1, scratch, sizeof scratch};
    problems = (MashProblems){.list = problem_list, .max = PROBLEMS};
    bool loaded = texts_load(&texts, &documents, &(TextsShape){lists, 3, events, 2, &described},
                             NULL, &problems);
    assert_int_equal(loaded, problems.count == 0);
    return loaded;
}

static void describes(uint32_t index, int32_t amount, int32_t range, const char *sentence) {
    char memory[256];
    MashText text = text_over(memory, sizeof memory);
    TextsValue values[] = {{NULL, amount}, {NULL, range}, {"Thor", 0}};
    texts_describe(&texts, &described, index, values, &text);
    assert_string_equal(memory, sentence);
}

static void descriptions_have_fields_of_their_own(void **unused) {
    (void)unused;
    assert_true(
        loads_descriptions(", \"descriptions\": {\"heal\": \"{name}: +{amount}[ up to {range} "
                           "{range|step|steps}].\", \"hit\": \"{amount} {amount|point|points}\"}"));
    describes(0, 30, 1, "Thor: +30 up to 1 step.");
    describes(0, 30, 2, "Thor: +30 up to 2 steps.");
    describes(0, 30, 0, "Thor: +30.");
    describes(1, 1, 0, "1 point");
    /* They follow each other, one blank between them, however short the first is. */
    char memory[64];
    MashText text = text_over(memory, sizeof memory);
    TextsValue values[] = {{NULL, 2}, {NULL, 0}, {"Thor", 0}};
    text_byte(&text, '7');
    texts_describe(&texts, &described, 1, values, &text);
    texts_describe(&texts, &described, 0, values, &text);
    assert_string_equal(memory, "7 2 points Thor: +2.");
    assert_true(loads_descriptions(""));
    describes(0, 30, 1, "");
    assert_false(loads_descriptions(", \"descriptions\": {\"heal\": \"{unit}\", \"hit\": \"x\"}"));
    expect_problem(0, "$.descriptions.heal",
                   "unknown placeholder; expected one of these, or one of them with |one|several: "
                   "amount range name");
    assert_false(loads_descriptions(", \"descriptions\": {\"heal\": \"x\", \"fly\": \"x\"}"));
    assert_int_equal(problems.count, 2);
    assert_false(loads_descriptions(", \"descriptions\": \"x\""));
    assert_false(
        loads("{\"language\": \"en\", \"events\": {\"moved\": \"m\", \"hurt\": \"au\"}, \"names\": "
              "{\"meter\": {\"health\": \"h\", \"speed\": \"s\"}, \"verb\": {\"move\": \"go\"}, "
              "\"reason\": {\"all-out\": \"all are out\"}}, \"descriptions\": {}}"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_by_number),
        cmocka_unit_test(sentences_are_filled),
        cmocka_unit_test(parts_without_words_are_dropped),
        cmocka_unit_test(a_sentence_ends_in_one_full_stop),
        cmocka_unit_test(what_is_no_document_has_one_problem),
        cmocka_unit_test(bad_sentences_are_refused),
        cmocka_unit_test(everything_wrong_is_reported_at_once),
        cmocka_unit_test(the_document_is_there_once),
        cmocka_unit_test(limits_of_texts_hold),
        cmocka_unit_test(ids_stay_and_load_a_further_language),
        cmocka_unit_test(names_of_other_documents_are_translated),
        cmocka_unit_test(descriptions_have_fields_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
