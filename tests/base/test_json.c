/* test_json.c -- the strict reader: what it accepts, what it refuses and where, the functions for
 * loaders; and the writer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"

enum { NODES = 4096, PROBLEMS = 8 };

/* Everything one reading needs; problems are counted from zero for each. */
typedef struct Desk {
    Json json;
    JsonNode nodes[NODES];
    MashProblem list[PROBLEMS];
    MashProblems problems;
} Desk;

static Desk desk;

/* Reads a copy of exactly these bytes, so that a sanitizer detects reads beyond the end. */
static bool reads_bytes(const char *bytes, size_t count) {
    static char *copy;
    char *exact = malloc(count);
    if (count > 0)
        memcpy(exact, bytes, count);
    free(copy);
    copy = exact;
    memset(&desk, 0xA5, sizeof desk);
    desk.problems = (MashProblems){.list = desk.list, .max = PROBLEMS};
    return json_read(&desk.json, "a.json", copy, (uint32_t)count, desk.nodes, NODES,
                     &desk.problems);
}

static bool reads(const char *text) { return reads_bytes(text, strlen(text)); }

static void must_read(const char *text) {
    if (!reads(text))
        fail_msg("%s: %u:%u %s", text, desk.list[0].line, desk.list[0].column, desk.list[0].reason);
    assert_int_equal(desk.problems.count, 0);
}

/* The next reported problem is this one. */
static void expect_problem(uint32_t line, uint32_t column, const char *path, const char *reason) {
    assert_true(desk.problems.count > 0);
    assert_string_equal(desk.list[0].reason, reason);
    assert_string_equal(desk.list[0].path, path);
    assert_string_equal(desk.list[0].document, "a.json");
    assert_int_equal(desk.list[0].line, line);
    assert_int_equal(desk.list[0].column, column);
    memmove(desk.list, desk.list + 1, sizeof desk.list - sizeof *desk.list);
    desk.problems.count--;
}

static void refuses(const char *text, uint32_t line, uint32_t column, const char *reason) {
    if (reads(text))
        fail_msg("read: %s", text);
    expect_problem(line, column, "", reason);
    assert_int_equal(desk.problems.count, 0);
}

static void nodes_stand_in_text_order(void **unused) {
    (void)unused;
    must_read(" {\"a\": [1, {\"b\": null}, []], \"c\": \"x\"} ");
    const JsonKind kinds[] = {JSON_OBJECT, JSON_ARRAY, JSON_NUMBER, JSON_OBJECT,
                              JSON_NULL,   JSON_ARRAY, JSON_STRING};
    const uint32_t counts[] = {2, 3, 0, 1, 0, 0, 0}, next[] = {0, 6, 3, 5, 0, 0, 0};
    assert_int_equal(desk.json.nodes_count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(desk.nodes[i].kind, kinds[i]);
        assert_int_equal(desk.nodes[i].count, counts[i]);
        assert_int_equal(desk.nodes[i].next, next[i]);
    }
    assert_int_equal(desk.nodes[0].start, 1);
    assert_int_equal(desk.nodes[0].end, 38);
    assert_int_equal(desk.nodes[6].key_start, 29);
    assert_int_equal(desk.nodes[6].key_end, 32);
    assert_memory_equal(desk.json.bytes + desk.nodes[6].start, "\"x\"", 3);
    assert_int_equal(json_first(&desk.json, 0), 1);
    assert_int_equal(json_first(&desk.json, 5), JSON_NONE);
    assert_int_equal(json_first(&desk.json, 6), JSON_NONE);
    assert_int_equal(json_member(&desk.json, 0, "c"), 6);
    assert_int_equal(json_member(&desk.json, 0, "b"), JSON_NONE);
    assert_int_equal(json_member(&desk.json, 1, "a"), JSON_NONE);
}

static void good_texts_are_read(void **unused) {
    (void)unused;
    const char *const good[] = {
        "null",
        " true\n",
        "\tfalse\r\n",
        "0",
        "-0",
        "-1",
        "10",
        "1.5",
        "0.1",
        "-0.0",
        "1e5",
        "1E5",
        "1e+5",
        "1e-05",
        "0e0",
        "0E+1",
        "0.10e1",
        "1e9999",
        "123456789012345678901234567890",
        "\"\"",
        "\"a\"",
        "\" \"",
        "\"\x7F\"",
        "\"/\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"\\u0000\"",
        "\"\\u0061\\uABCD\\uefAB\"",
        "\"\\uD834\\uDD1E\"",
        "\"\\udbff\\udfff\"",
        "\"\\uD800\\uDC00\"",
        "\"\\uFFFF\\uD7FF\\uE000\"",
        "\"\\\\u12\"",
        "\"\xC2\x80\xDF\xBF\"",
        "\"\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF\"",
        "\"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"",
        "\"\xEF\xBB\xBF\"",
        "[]",
        "[ ]",
        "[\n]",
        "[null]",
        "[[]]",
        "[1,2 , 3\t,4]",
        "[[],[[]],{}]",
        "{}",
        "{ }",
        "{\"\":0}",
        "{\"a\":{}}",
        "{\"a\":[]}",
        "{ \"a\" : 1 , \"b\" : [ 2 ] }",
        "{\"a\":1,\"A\":2,\"\\u0041a\":3}",
        "{\"\\u0000\":1,\"\":2}",
        "[{\"a\":1},{\"a\":1}]",
        "{\"a\":{\"a\":{\"a\":1}}}",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        must_read(good[i]);
}

static void bad_structure_is_refused_with_a_place(void **unused) {
    (void)unused;
    refuses("", 1, 1, "the file is empty");
    refuses(" \n ", 2, 2, "the file is empty");
    refuses("[1] 2", 1, 5, "unexpected text after the value");
    refuses("1 2", 1, 3, "unexpected text after the value");
    refuses("[]]", 1, 3, "unexpected text after the value");
    refuses("{}}", 1, 3, "unexpected text after the value");
    refuses("[],", 1, 3, "unexpected text after the value");
    refuses("\"a\"b", 1, 4, "unexpected text after the value");
    refuses("[1 2]", 1, 4, "missing comma or ] before this");
    refuses("[1\n,2\n3]", 3, 1, "missing comma or ] before this");
    refuses("[1}", 1, 3, "missing comma or ] before this");
    refuses("[1:2]", 1, 3, "missing comma or ] before this");
    refuses("[\"a\" \"b\"]", 1, 6, "missing comma or ] before this");
    refuses("[[]{}]", 1, 4, "missing comma or ] before this");
    refuses("{\"a\": 1\n \"b\": 2}", 2, 2, "missing comma or } before this");
    refuses("{\"a\":1]", 1, 7, "missing comma or } before this");
    refuses("{\"a\":1;\"b\":2}", 1, 7, "missing comma or } before this");
    refuses("[1,]", 1, 4, "trailing comma before ]");
    refuses("[1, \n]", 2, 1, "trailing comma before ]");
    refuses("{\"a\":1,}", 1, 8, "trailing comma before }");
    refuses("[,1]", 1, 2, "missing value before this");
    refuses("[1,,2]", 1, 4, "missing value before this");
    refuses("]", 1, 1, "missing value before this");
    refuses("[}", 1, 2, "missing value before this");
    refuses("{\"a\":}", 1, 6, "missing value before this");
    refuses("{\"a\"::1}", 1, 6, "missing value before this");
    refuses("{\"a\" 1}", 1, 6, "missing colon before this");
    refuses("{\"a\"}", 1, 5, "missing colon before this");
    refuses("{\"a\",1}", 1, 5, "missing colon before this");
    refuses("{a: 1}", 1, 2, "expected a key in double quotes");
    refuses("{1: 1}", 1, 2, "expected a key in double quotes");
    refuses("{'a': 1}", 1, 2, "expected a key in double quotes");
    refuses("{,}", 1, 2, "expected a key in double quotes");
    refuses("{]", 1, 2, "expected a key in double quotes");
    refuses("{\"a\":1,,\"b\":2}", 1, 8, "expected a key in double quotes");
    refuses("{\"a\":1, 2}", 1, 9, "expected a key in double quotes");
    refuses("{[]:1}", 1, 2, "expected a key in double quotes");
}

static void texts_that_end_early_say_what_is_open(void **unused) {
    (void)unused;
    static const char array[] =
        "unexpected end of file: the array starting at line 1, column 1 is not closed";
    static const char object[] =
        "unexpected end of file: the object starting at line 1, column 1 is not closed";
    refuses("[", 1, 2, array);
    refuses("[1", 1, 3, array);
    refuses("[1,", 1, 4, array);
    refuses("[[1],\n", 2, 1, array);
    refuses("{", 1, 2, object);
    refuses("{\"a\"", 1, 5, object);
    refuses("{\"a\":", 1, 6, object);
    refuses("{\"a\":1", 1, 7, object);
    refuses("{\"a\":1,", 1, 8, object);
    refuses("{\"a\":\n [{}, [1]", 2, 10,
            "unexpected end of file: the array starting at line 2, column 2 is not closed");
    refuses("[\"abc", 1, 2, "missing closing quote");
    refuses("[\"abc\\\"]", 1, 2, "missing closing quote");
    refuses("{\"a", 1, 2, "missing closing quote");
    refuses("\"", 1, 1, "missing closing quote");
}

static void bad_numbers_and_words_are_refused(void **unused) {
    (void)unused;
    static const char word[] = "unquoted word; only true, false and null go without double quotes";
    refuses("[\n\"\xC3\xA4\xC3\xB6\", 01]", 2, 7, "numbers must not start with 0");
    refuses("-012", 1, 2, "numbers must not start with 0");
    refuses("00", 1, 1, "numbers must not start with 0");
    refuses("-", 1, 2, "expected a digit after -");
    refuses("[-]", 1, 3, "expected a digit after -");
    refuses("[-Infinity]", 1, 3, "expected a digit after -");
    refuses("[--1]", 1, 3, "expected a digit after -");
    refuses("1.", 1, 3, "expected a digit after the decimal point");
    refuses("[1.e1]", 1, 4, "expected a digit after the decimal point");
    refuses("[1e]", 1, 4, "expected a digit in the exponent");
    refuses("[1E+]", 1, 5, "expected a digit in the exponent");
    refuses("1e-", 1, 4, "expected a digit in the exponent");
    refuses("[1e+-1]", 1, 5, "expected a digit in the exponent");
    refuses("[+1]", 1, 2, "numbers must not start with +");
    refuses("[.5]", 1, 2, "numbers must not start with a dot");
    refuses("[0x1F]", 1, 3, "missing comma or ] before this");
    refuses("[1_000]", 1, 3, "missing comma or ] before this");
    refuses("[1.5.2]", 1, 5, "missing comma or ] before this");
    refuses("[1e5.2]", 1, 5, "missing comma or ] before this");
    refuses("[1-2]", 1, 3, "missing comma or ] before this");
    refuses("[NaN]", 1, 2, word);
    refuses("[Infinity]", 1, 2, word);
    refuses("[True]", 1, 2, word);
    refuses("nul", 1, 1, word);
    refuses("nulll", 1, 1, word);
    refuses("truefalse", 1, 1, word);
    refuses("{\"a\": hulk}", 1, 7, word);
    refuses("[_a]", 1, 2, word);
    refuses("['a']", 1, 2, "strings must be in double quotes");
    refuses("[1, // one\n2]", 1, 5, "comments are not allowed");
    refuses("# a\n1", 1, 1, "comments are not allowed");
    refuses("[1 /* one */]", 1, 4, "missing comma or ] before this");
    static const char value[] =
        "expected a value (object, array, string, number, true, false or null)";
    refuses("[*]", 1, 2, value);
    refuses("[\xC3\xA4]", 1, 2, value);
    refuses("[\xFF]", 1, 2, value);
    refuses("\f1", 1, 1, value);
    refuses("[\xC2\xA0"
            "1]",
            1, 2, value);
    assert_false(reads_bytes("\0", 1));
    expect_problem(1, 1, "", value);
    assert_false(reads_bytes("[1\0]", 4));
    expect_problem(1, 3, "", "missing comma or ] before this");
    assert_false(reads_bytes("1\0", 2));
    expect_problem(1, 2, "", "unexpected text after the value");
}

static void bad_strings_are_refused(void **unused) {
    (void)unused;
    static const char after[] = "invalid escape: only \" \\ / b f n r t u may follow a backslash; "
                                "write \\\\ for a backslash";
    static const char digits[] = "expected four hexadecimal digits after \\u";
    static const char pairs[] =
        "unpaired surrogate: \\uD800-\\uDBFF must be followed by \\uDC00-\\uDFFF";
    const char *const bad_escapes[] = {"\"x\\a\"",  "\"x\\x00\"", "\"x\\'\"", "\"x\\U0041\"",
                                       "\"x\\\n\"", "\"x\\ \"",   "\"x\\",    "\"x\\\xC3\xA4\""};
    const char *const bad_digits[] = {"\"x\\u\"", "\"x\\u004\"",       "\"x\\u00G1\"",
                                      "\"x\\u00", "\"x\\u 041\"",      "\"x\\u-041\"",
                                      "\"x\\u",   "\"x\\u00\xC3\xA4\""};
    const char *const bad_pairs[] = {
        "\"x\\uD800\"",        "\"x\\uDC00\"",         "\"x\\uDFFF\\uDBFF\"", "\"x\\uD800\\uD800\"",
        "\"x\\uDBFF\\uE000\"", "\"x\\uD800\\n00000\"", "\"x\\uD800abcdef\"",  "\"x\\uD800\\u\"",
        "\"x\\uD800\\uDC0\"",  "\"x\\uD83D\\uDE0",     "\"x\\uD834\\u0041\"", "\"x\\uD800abDC00\"",
        "\"x\\uD800\\nDC00\"", "\"x\\uD800\\uDBFF\""};
    for (size_t i = 0; i < sizeof bad_escapes / sizeof *bad_escapes; i++)
        refuses(bad_escapes[i], 1, 3, after);
    for (size_t i = 0; i < sizeof bad_digits / sizeof *bad_digits; i++)
        refuses(bad_digits[i], 1, 3, digits);
    for (size_t i = 0; i < sizeof bad_pairs / sizeof *bad_pairs; i++)
        refuses(bad_pairs[i], 1, 3, pairs);
    refuses("\"\\uD83D\\uDE00", 1, 1, "missing closing quote"); /* the pair is whole */
    refuses("[\"ab\ncd\"]", 1, 5, "unterminated string; write \\n for a line break");
    refuses("[\"ab\r\"]", 1, 5, "unterminated string; write \\n for a line break");
    refuses("{\"a\tb\":1}", 1, 4, "write \\t for a tab in a string");
    refuses("\"\x1F\"", 1, 2, "control characters in a string must be written as \\u00XX");
    assert_false(reads_bytes("\"\0\"", 3));
    expect_problem(1, 2, "", "control characters in a string must be written as \\u00XX");
    assert_false(reads_bytes("\"\\\0\"", 4));
    expect_problem(1, 2, "", after);
}

static void bytes_that_are_not_utf8_are_refused(void **unused) {
    (void)unused;
    const char *const bad[] = {
        "\x80",             /* begins in the middle */
        "\xBF\xBF",         /* twice */
        "\xC3",             /* cut off */
        "\xC3(",            /* cut off by a letter */
        "\xC0\xAF",         /* overlong, two bytes */
        "\xC1\xBF",         /* the last of those */
        "\xE0\x80\xAF",     /* overlong, three bytes */
        "\xE0\x9F\xBF",     /* the last of those */
        "\xE2\x82",         /* cut off */
        "\xE2\x82(",        /* cut off by a letter */
        "\xE2(\xA1",        /* a letter inside */
        "\xED\xA0\x80",     /* U+D800 */
        "\xED\xBF\xBF",     /* U+DFFF */
        "\xF0\x8F\xBF\xBF", /* overlong, four bytes */
        "\xF0\x9F\x98",     /* cut off */
        "\xF0\x9F\x98(",    /* cut off by a letter */
        "\xF0\x9F(\x80",    /* a letter inside */
        "\xF4\x90\x80\x80", /* U+110000 */
        "\xF5\x80\x80\x80", /* no such first byte */
        "\xF8\x88\x80\x80\x80",
        "\xFE",
        "\xFF",
        "\xE4", /* Latin-1 */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[16];
        snprintf(text, sizeof text, "[\"\xC3\xA4%s\"]", bad[i]);
        refuses(text, 1, 4, "this is not UTF-8; save the text as UTF-8");
        snprintf(text, sizeof text, "{\"\xC3\xA4%s\":1}", bad[i]);
        refuses(text, 1, 4, "this is not UTF-8; save the text as UTF-8");
        snprintf(text, sizeof text, "\"%s", bad[i]);
        assert_false(reads(text));
    }
    refuses("\xEF\xBB\xBF{}", 1, 1, "byte order mark found; save the file as UTF-8 without BOM");
    refuses("\xFF\xFE[\0", 1, 1,
            "expected a value (object, array, string, number, true, false or null)");
}

static void doubled_keys_are_refused_however_they_are_spelt(void **unused) {
    (void)unused;
    assert_false(reads("{\"health\": 1,\n \"speed\": 2, \"health\": 3}"));
    expect_problem(2, 14, "$.health", "duplicate key \"health\"");
    assert_false(reads("[0, {\"x\": {\"a\": 1, \"\\u0061\": 2}}]"));
    expect_problem(1, 20, "$[1].x[\"\\u0061\"]", "duplicate key \"\\u0061\"");
    assert_false(reads("{\"\\uD83D\\uDE00\": 1, \"\xF0\x9F\x98\x80\": 1}"));
    expect_problem(1, 21, "$[\"\xF0\x9F\x98\x80\"]", "duplicate key \"\xF0\x9F\x98\x80\"");
    assert_false(reads("{\"\": 1, \"\": 1}"));
    expect_problem(1, 9, "$[\"\"]", "duplicate key \"\"");
    assert_false(reads("{\"a\\/b\": 1, \"ab\": 1, \"a/b\": 1}"));
    expect_problem(1, 22, "$[\"a/b\"]", "duplicate key \"a/b\"");
    assert_int_equal(desk.problems.count, 0);
}

/* `before` and `after` around `count` times `one`, in memory that the next call reuses. */
static const char *repeat(const char *before, const char *one, uint32_t count, const char *after) {
    static char memory[1 << 16];
    MashText text = text_over(memory, sizeof memory);
    text_string(&text, before);
    for (uint32_t i = 0; i < count; i++)
        text_string(&text, one);
    text_string(&text, after);
    assert_false(text.truncated);
    return memory;
}

static void depth_has_a_limit(void **unused) {
    (void)unused;
    char closing[JSON_DEPTH_MAX + 1];
    memset(closing, ']', sizeof closing);
    closing[JSON_DEPTH_MAX] = '\0';
    must_read(repeat("", "[", JSON_DEPTH_MAX, closing));
    static const char deep[] = "nested too deeply (maximum 32 levels)";
    refuses(repeat("", "[", JSON_DEPTH_MAX + 1, ""), 1, JSON_DEPTH_MAX + 1, deep);
    refuses(repeat("", "[", 60000, ""), 1, JSON_DEPTH_MAX + 1, deep);
    refuses(repeat("", "{\"a\":", 1000, ""), 1, JSON_DEPTH_MAX * 5 + 1, deep);
    must_read(repeat("[0", ",[[]]", 1000, "]"));
}

static void bytes_have_a_limit(void **unused) {
    (void)unused;
    char *text = malloc(JSON_BYTES_MAX + 1);
    assert_non_null(text);
    memset(text, ' ', JSON_BYTES_MAX + 1);
    text[0] = '7';
    assert_true(reads_bytes(text, JSON_BYTES_MAX));
    assert_false(reads_bytes(text, JSON_BYTES_MAX + 1));
    expect_problem(0, 0, "", "the file has 4194305 bytes; the maximum is 4194304");
    free(text);
}

static void nodes_have_a_limit(void **unused) {
    (void)unused;
    must_read(repeat("[0", ",0", NODES - 2, "]"));
    assert_int_equal(desk.json.nodes_count, NODES);
    refuses(repeat("[0", ",0", NODES - 1, "]"), 1, 2 * NODES, "too many values (maximum 4096)");
    assert_false(json_read(&desk.json, "a.json", "{\"a\":1}", 7, desk.nodes, 1, &desk.problems));
    expect_problem(1, 2, "", "too many values (maximum 1)");
    assert_false(json_read(&desk.json, "a.json", "1", 1, NULL, 0, &desk.problems));
    expect_problem(1, 1, "", "too many values (maximum 0)");
}

/* An object of `count` keys k0, k1, ...; the last one is `last`, if that is not NULL. */
static const char *object_of(uint32_t count, const char *last) {
    static char memory[1 << 16];
    MashText text = text_over(memory, sizeof memory);
    for (uint32_t i = 0; i < count; i++) {
        text_string(&text, i == 0 ? "{" : ",");
        if (i + 1 == count && last != NULL)
            text_format(&text, "\"%s\":0", last);
        else
            text_format(&text, "\"k%u\":0", i);
    }
    text_byte(&text, '}');
    assert_false(text.truncated);
    return memory;
}

static void keys_have_a_limit(void **unused) {
    (void)unused;
    must_read(object_of(JSON_KEYS_MAX, NULL));
    assert_int_equal(json_member(&desk.json, 0, "k1023"), JSON_KEYS_MAX);
    assert_false(reads(object_of(JSON_KEYS_MAX + 1, NULL)));
    assert_string_equal(desk.list[0].reason, "too many keys in one object (maximum 1024)");
    for (uint32_t i = 0; i < JSON_KEYS_MAX - 1; i += 31) {
        char key[8];
        snprintf(key, sizeof key, "k%u", i);
        assert_false(reads(object_of(JSON_KEYS_MAX, key)));
        assert_memory_equal(desk.list[0].reason, "duplicate key", 13);
    }
}

static void strings_are_decoded(void **unused) {
    (void)unused;
    char memory[64];
    MashText text = text_over(memory, sizeof memory);
    must_read("{\"k\\n\": \"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\u20AC\\uD834\\uDD1E\xC3\xB6z\", "
              "\"n\": 1}");
    json_string(&desk.json, 1, &text);
    assert_string_equal(memory, "a\"\\/\b\f\n\r\t\xC3\xA4\xE2\x82\xAC\xF0\x9D\x84\x9E\xC3\xB6z");
    assert_true(json_equals(&desk.json, 1, memory));
    memory[text.count - 1] = 'y';
    assert_false(json_equals(&desk.json, 1, memory));
    memory[text.count - 1] = '\0';
    assert_false(json_equals(&desk.json, 1, memory));
    assert_false(json_equals(&desk.json, 1, "a"));
    assert_false(json_equals(&desk.json, 2, "1"));
    assert_true(json_key_equals(&desk.json, 1, "k\n"));
    assert_false(json_key_equals(&desk.json, 1, "k\nk"));
    assert_false(json_key_equals(&desk.json, 0, ""));
    text_clear(&text);
    json_key(&desk.json, 1, &text);
    json_key(&desk.json, 0, &text);
    json_string(&desk.json, 2, &text);
    assert_string_equal(memory, "k\n");
    must_read("[\"\\u0000\", \"a\\u0000b\"]");
    assert_false(json_equals(&desk.json, 1, ""));
    assert_false(json_equals(&desk.json, 2, "a"));
    text_clear(&text);
    json_string(&desk.json, 2, &text);
    assert_int_equal(text.count, 3);
    assert_memory_equal(memory, "a\0b", 3);
}

static void askers_say_what_is_allowed_and_what_was_found(void **unused) {
    (void)unused;
    int32_t number = 77;
    must_read("{\"units\": [{\"health\": 3.5}, {\"health\": 200}]}");
    uint32_t units = json_expect_member(&desk.json, 0, "units", JSON_ARRAY, &desk.problems);
    uint32_t first = json_first(&desk.json, units), second = desk.nodes[first].next;
    assert_false(json_int_at(&desk.json, first, "health", 1, 2000, &number, &desk.problems));
    expect_problem(1, 23, "$.units[0].health", "must be a whole number from 1 to 2000, found 3.5");
    assert_int_equal(number, 1);
    assert_true(json_int_at(&desk.json, second, "health", 1, 2000, &number, &desk.problems));
    assert_int_equal(number, 200);
    assert_false(json_int_at(&desk.json, second, "speed", 1, 6, &number, &desk.problems));
    expect_problem(1, 29, "$.units[1]",
                   "key \"speed\" is missing; it must be a whole number from 1 to 6");
}

static void whole_numbers_are_literal_and_in_range(void **unused) {
    (void)unused;
    int32_t number;
    must_read("[3, -7, 0, -0, 2147483647, -2147483648]");
    const int32_t values[] = {3, -7, 0, 0, INT32_MAX, INT32_MIN};
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(json_int(&desk.json, i + 1, INT32_MIN, INT32_MAX, &number, &desk.problems));
        assert_int_equal(number, values[i]);
    }
    assert_true(json_int(&desk.json, 1, 3, 3, &number, &desk.problems));
    must_read(
        "[3.0, 1e2, \"3\", null, [3], {}, 6, 2, 2147483648, -2147483649, 18446744073709551617,"
        "99999999999999999999999999999999999999999999999999]");
    const char *const found[] = {"3.0",
                                 "1e2",
                                 "\"3\"",
                                 "null",
                                 "an array",
                                 "an object",
                                 "6",
                                 "2",
                                 "2147483648",
                                 "-2147483649",
                                 "18446744073709551617",
                                 "9999999999999999999999999999999999999999..."};
    uint32_t node = json_first(&desk.json, 0);
    for (uint32_t i = 0; i < 12; i++, node = desk.nodes[node].next) {
        char reason[128], path[16];
        snprintf(reason, sizeof reason, "must be a whole number from 3 to 5, found %s", found[i]);
        snprintf(path, sizeof path, "$[%u]", i);
        number = 77;
        assert_false(json_int(&desk.json, node, 3, 5, &number, &desk.problems));
        assert_int_equal(number, 3);
        expect_problem(1, desk.nodes[node].start + 1, path, reason);
    }
}

static void words_are_short_and_without_controls(void **unused) {
    (void)unused;
    char out[6];
    must_read("{\"a\": \"12345\", \"b\": \"123456\", \"c\": \"\", \"d\": \"\\n\", \"e\": "
              "\"\\u0000\", \"f\": "
              "\"\\u0080\", \"g\": \"\x7F\", \"h\": 5, \"i\": \"\xC3\xA4\xE2\x82\xAC\", \"j\": "
              "\"1234\xC3\xA4\", \"k\": \"\\u00A0\"}");
    assert_true(json_line_at(&desk.json, 0, "a", out, sizeof out, &desk.problems));
    assert_string_equal(out, "12345");
    assert_true(json_line_at(&desk.json, 0, "i", out, sizeof out, &desk.problems));
    assert_string_equal(out, "\xC3\xA4\xE2\x82\xAC");
    assert_true(json_line_at(&desk.json, 0, "k", out, sizeof out, &desk.problems));
    const char *const keys[] = {"b", "c", "d", "e", "f", "g", "h", "j"};
    const char *const found[] = {"\"123456\"",  "\"\"",     "\"\\n\"", "\"\\u0000\"",
                                 "\"\\u0080\"", "\"\x7F\"", "5",       "\"1234\xC3\xA4\""};
    for (uint32_t i = 0; i < 8; i++) {
        char reason[128];
        snprintf(reason, sizeof reason,
                 "must be a string of 1 to 5 bytes without control characters, found %s", found[i]);
        memset(out, 'x', sizeof out);
        assert_false(json_line_at(&desk.json, 0, keys[i], out, sizeof out, &desk.problems));
        assert_string_equal(out, "");
        assert_string_equal(desk.list[0].reason, reason);
        desk.problems.count = 0;
    }
    memset(out, 'x', sizeof out);
    assert_false(json_line_at(&desk.json, 0, "z", out, sizeof out, &desk.problems));
    assert_string_equal(out, "");
    expect_problem(1, 1, "$",
                   "key \"z\" is missing; it must be a string of 1 to 5 bytes without control "
                   "characters");
}

static void choices_and_bools_list_what_is_allowed(void **unused) {
    (void)unused;
    static const char *const words[] = {"red", "green", "blue"};
    uint32_t choice;
    bool truth;
    must_read("{\"a\": \"gr\\u0065en\", \"b\": \"Red\", \"c\": 1, \"t\": true, \"f\": false}");
    assert_true(json_choice_at(&desk.json, 0, "a", words, 3, &choice, &desk.problems));
    assert_int_equal(choice, 1);
    assert_false(json_choice_at(&desk.json, 0, "b", words, 3, &choice, &desk.problems));
    assert_int_equal(choice, 0);
    expect_problem(1, 26, "$.b", "found \"Red\", must be one of red, green, blue");
    assert_false(json_choice_at(&desk.json, 0, "c", words, 3, &choice, &desk.problems));
    expect_problem(1, 38, "$.c", "found 1, must be one of red, green, blue");
    choice = 9;
    assert_false(json_choice_at(&desk.json, 0, "d", words, 3, &choice, &desk.problems));
    assert_int_equal(choice, 0);
    expect_problem(1, 1, "$", "key \"d\" is missing; it must be one of red, green, blue");
    assert_true(json_bool_at(&desk.json, 0, "t", &truth, &desk.problems) && truth);
    assert_true(json_bool_at(&desk.json, 0, "f", &truth, &desk.problems) && !truth);
    truth = true;
    assert_false(json_bool_at(&desk.json, 0, "c", &truth, &desk.problems) || truth);
    expect_problem(1, 38, "$.c", "must be true or false, found 1");
    assert_false(json_bool_at(&desk.json, 0, "d", &truth, &desk.problems));
    expect_problem(1, 1, "$", "key \"d\" is missing; it must be true or false");
}

static void kinds_and_keys_are_asked_for(void **unused) {
    (void)unused;
    static const char *const keys[] = {"id", "odd key"};
    must_read(
        "[{\"id\": 1, \"odd key\": 2}, {\"idd\": 1, \"\\n\": 2}, \"a long string that will not be "
        "shown whole\", true]");
    uint32_t first = json_first(&desk.json, 0), second = desk.nodes[first].next;
    uint32_t third = desk.nodes[second].next;
    assert_true(json_expect_kind(&desk.json, 0, JSON_ARRAY, &desk.problems));
    assert_true(json_refuse_unknown_keys(&desk.json, first, keys, 2, &desk.problems));
    assert_false(json_refuse_unknown_keys(&desk.json, second, keys, 2, &desk.problems));
    expect_problem(1, 28, "$[1].idd", "unknown key \"idd\"; allowed are id, odd key");
    expect_problem(1, 38, "$[1][\"\\n\"]", "unknown key \"\\n\"; allowed are id, odd key");
    assert_false(json_refuse_unknown_keys(&desk.json, second, NULL, 0, &desk.problems));
    expect_problem(1, 28, "$[1].idd", "unknown key \"idd\"; no keys are allowed here");
    desk.problems.count = 0;
    assert_false(json_refuse_unknown_keys(&desk.json, third, keys, 2, &desk.problems));
    expect_problem(1, 48, "$[2]",
                   "must be an object, found \"a long string that will not be shown wh...");
    assert_int_equal(json_expect_member(&desk.json, third, "x", JSON_NULL, &desk.problems),
                     JSON_NONE);
    expect_problem(1, 48, "$[2]",
                   "must be an object, found \"a long string that will not be shown wh...");
    assert_int_equal(json_expect_member(&desk.json, first, "x", JSON_ARRAY, &desk.problems),
                     JSON_NONE);
    expect_problem(1, 2, "$[0]", "key \"x\" is missing; it must be an array");
    assert_int_equal(json_expect_member(&desk.json, first, "id", JSON_STRING, &desk.problems),
                     JSON_NONE);
    expect_problem(1, 9, "$[0].id", "must be a string, found 1");
}

/* Long keys are cut at code points; deep paths and long reasons end in dots; a full list only
 * counts. */
static void problems_stay_readable(void **unused) {
    (void)unused;
    char text[128];
    strcpy(text, repeat("{\"a", "\xE2\x82\xAC", 20, "\": {\"b\": {\"c\": [[0, 1]]}}}"));
    must_read(text);
    json_problem(&desk.json, 6, &desk.problems, "no %s %d%%", "x", -1);
    expect_problem(1, 44, repeat("$[\"a", "\xE2\x82\xAC", 12, "...].b.c[0][1]"), "no x -1%");
    json_problem(&desk.json, 6, &desk.problems, "%s", repeat("", "\xE2\x82\xAC", 300, ""));
    assert_string_equal(desk.list[0].reason, repeat("", "\xE2\x82\xAC", 62, "..."));
    desk.problems.count = 0;
    json_problem(&desk.json, 6, &desk.problems, "%s", repeat("", "x", 300, ""));
    assert_string_equal(desk.list[0].reason, repeat("", "x", 188, "..."));
    for (uint32_t i = 1; i < PROBLEMS; i++)
        json_problem(&desk.json, 0, &desk.problems, "x");
    json_problem(&desk.json, 0, &desk.problems, "more");
    assert_int_equal(desk.problems.count, PROBLEMS + 1);
}

static void writing_puts_commas_and_lines(void **unused) {
    (void)unused;
    static const char *const wanted[] = {
        "{\"a\":[1,[],{\"b\":null,\"c\":true}],\"d\":{},\"e\":-9223372036854775808}",
        "{\n  \"a\": [1, [], {\"b\": null, \"c\": true}],\n  \"d\": {},\n  \"e\": "
        "-9223372036854775808\n}",
        "{\n  \"a\": [\n    1,\n    [],\n    {\"b\": null, \"c\": true}\n  ],\n  \"d\": {},\n  "
        "\"e\": "
        "-9223372036854775808\n}",
    };
    for (uint32_t indent = 0; indent < 3; indent++) {
        char memory[256];
        MashText text = text_over(memory, sizeof memory);
        JsonWriter writer = json_writer(&text, indent);
        json_open(&writer, '{');
        json_put_key(&writer, "a");
        json_open(&writer, '[');
        json_put_int(&writer, 1);
        json_open(&writer, '[');
        json_close(&writer, ']');
        json_open(&writer, '{');
        json_put_key(&writer, "b");
        json_put_null(&writer);
        json_put_key(&writer, "c");
        json_put_bool(&writer, true);
        json_close(&writer, '}');
        json_close(&writer, ']');
        json_put_key(&writer, "d");
        json_open(&writer, '{');
        json_close(&writer, '}');
        json_put_key(&writer, "e");
        json_put_int(&writer, INT64_MIN);
        json_close(&writer, '}');
        assert_string_equal(memory, wanted[indent]);
        must_read(memory);
    }
}

/* Every byte of ASCII at every place of strings of all lengths up to more than what is looked at at
 * once: what is written is what the byte alone gives, between the same letters. */
static void bytes_are_escaped_wherever_they_stand(void **unused) {
    enum { LETTERS = 19 };
    (void)unused;
    for (int byte = 0; byte < 0x80; byte++)
        for (uint32_t place = 0; place < LETTERS * LETTERS; place++) {
            char memory[64], alone[16], expected[64], letters[LETTERS];
            char one = (char)byte;
            uint32_t count = place / LETTERS + 1, at = place % LETTERS % count;
            MashText text = text_over(memory, sizeof memory),
                     single = text_over(alone, sizeof alone);
            JsonWriter writer = json_writer(&text, 0);
            memset(letters, 'a', sizeof letters);
            letters[at] = one;
            json_escape(&one, 1, &single);
            json_put_bytes(&writer, letters, count);
            snprintf(expected, sizeof expected, "\"%.*s%s%.*s\"", (int)at, "aaaaaaaaaaaaaaaaaaa",
                     alone, (int)(count - 1 - at), "aaaaaaaaaaaaaaaaaaa");
            assert_string_equal(memory, expected);
            bool escaped = byte < 0x20 || byte == '"' || byte == '\\';
            assert_int_equal(strlen(alone) > 1, escaped);
        }
}

static void writing_escapes_and_mends(void **unused) {
    (void)unused;
    char memory[256];
    MashText text = text_over(memory, sizeof memory);
    JsonWriter writer = json_writer(&text, 0);
    json_open(&writer, '[');
    json_put_string(&writer, "\"\\/\b\f\n\r\t\x1F\x7F\xC3\xA4\xF0\x9F\x98\x80");
    json_put_bytes(&writer, "a\0b", 3);
    json_put_bytes(&writer, "x\xC3", 2);
    json_put_bytes(&writer, "\xED\xA0\x80y", 4);
    char *exact = malloc(3); /* exact size, to detect reads beyond the end */
    memcpy(exact, "a\nb", 3);
    json_put_bytes(&writer, exact, 3);
    free(exact);
    json_put_bool(&writer, false);
    json_close(&writer, ']');
    assert_string_equal(
        memory, "[\"\\\"\\\\/\\b\\f\\n\\r\\t\\u001f\x7F\xC3\xA4\xF0\x9F\x98\x80\",\"a\\u0000b\","
                "\"x\xEF\xBF\xBD\",\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDy\",\"a\\nb\",false]");
    must_read(memory);
    text_clear(&text);
    writer = json_writer(&text, 0);
    json_open(&writer, '{');
    json_put_key(&writer, "\"k\xFF\n");
    json_put_string(&writer, "");
    json_close(&writer, '}');
    assert_string_equal(memory, "{\"\\\"k\xEF\xBF\xBD\\n\":\"\"}");
}

static void writing_reaches_the_depth_that_reading_allows(void **unused) {
    (void)unused;
    char memory[256];
    MashText text = text_over(memory, sizeof memory);
    JsonWriter writer = json_writer(&text, 0);
    for (uint32_t i = 0; i < JSON_DEPTH_MAX; i++) {
        json_open(&writer, i % 2 == 0 ? '{' : '[');
        if (i % 2 == 0)
            json_put_key(&writer, "k");
    }
    for (uint32_t i = JSON_DEPTH_MAX; i-- > 0;)
        json_close(&writer, i % 2 == 0 ? '}' : ']');
    must_read(memory);
    assert_int_equal(desk.json.nodes_count, JSON_DEPTH_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_stand_in_text_order),
        cmocka_unit_test(good_texts_are_read),
        cmocka_unit_test(bad_structure_is_refused_with_a_place),
        cmocka_unit_test(texts_that_end_early_say_what_is_open),
        cmocka_unit_test(bad_numbers_and_words_are_refused),
        cmocka_unit_test(bad_strings_are_refused),
        cmocka_unit_test(bytes_that_are_not_utf8_are_refused),
        cmocka_unit_test(doubled_keys_are_refused_however_they_are_spelt),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(bytes_have_a_limit),
        cmocka_unit_test(nodes_have_a_limit),
        cmocka_unit_test(keys_have_a_limit),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(askers_say_what_is_allowed_and_what_was_found),
        cmocka_unit_test(whole_numbers_are_literal_and_in_range),
        cmocka_unit_test(words_are_short_and_without_controls),
        cmocka_unit_test(choices_and_bools_list_what_is_allowed),
        cmocka_unit_test(kinds_and_keys_are_asked_for),
        cmocka_unit_test(problems_stay_readable),
        cmocka_unit_test(writing_puts_commas_and_lines),
        cmocka_unit_test(bytes_are_escaped_wherever_they_stand),
        cmocka_unit_test(writing_escapes_and_mends),
        cmocka_unit_test(writing_reaches_the_depth_that_reading_allows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
