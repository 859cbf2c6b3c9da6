/* test_json_format.c -- the standard layout of JSON: what fits on a line, rows, drawings,
 * spelling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"

enum { NODES = 512, ROOM = 16384 };

static char memory[ROOM];

/* Formats a text; the result is valid until the next call. */
static const char *laid_out(const char *text) {
    static JsonNode nodes[NODES];
    static char copy[ROOM];
    MashProblem problem;
    MashProblems problems = {.list = &problem, .max = 1};
    Json json;
    strncpy(copy, text, sizeof copy - 1);
    if (!json_read(&json, "a.json", copy, (uint32_t)strlen(copy), nodes, NODES, &problems))
        fail_msg("%u:%u %s", problem.line, problem.column, problem.reason);
    MashText out = text_over(memory, sizeof memory);
    json_format(&json, &out);
    assert_false(out.truncated);
    return memory;
}

/* The formatted text is this one, and formatting it again changes nothing. */
static void becomes(const char *text, const char *wanted) {
    assert_string_equal(laid_out(text), wanted);
    assert_string_equal(laid_out(wanted), wanted);
}

static void plain_values(void **state) {
    (void)state;
    becomes(" 1.50 ", "1.50\n");
    becomes("[]", "[]\n");
    becomes("{ }", "{}\n");
    becomes("null", "null\n");
    becomes("[1,true]", "[\n  1,\n  true\n]\n");
}

static void what_fits_is_one_line(void **state) {
    (void)state;
    becomes("{\"a\":{\"b\":[1,2],\n\"c\":{}},\"d\":-1e3}",
            "{\n  \"a\": {\"b\": [1, 2], \"c\": {}},\n  \"d\": -1e3\n}\n");
}

/* A line with its comma has 100 columns at most. */
static void what_does_not_fit_breaks(void **state) {
    (void)state;
    char text[256], word[128];
    memset(word, 'x', sizeof word);
    /*   "a": {"k": "..."}  has 7 + 6 + 2 + 1 columns beside the word, and one for a comma */
    word[83] = '\0';
    snprintf(text, sizeof text, "{\n  \"a\": {\"k\": \"%s\"}\n}\n", word);
    becomes(text, text);
    word[83] = 'x';
    word[84] = '\0';
    snprintf(text, sizeof text, "{\n  \"a\": {\"k\": \"%s\"}\n}\n", word);
    char broken[256];
    snprintf(broken, sizeof broken, "{\n  \"a\": {\n    \"k\": \"%s\"\n  }\n}\n", word);
    becomes(text, broken);
}

static void rows_of_a_matrix_stay_whole(void **state) {
    (void)state;
    char row[512] = "[", text[2048], wanted[2048];
    for (int i = 0; i < 30; i++)
        strcat(strcat(row, i > 0 ? ", " : ""), "\"GRASS\"");
    strcat(row, "]");
    snprintf(text, sizeof text, "{\"scenario\":[%s,%s]}", row, row);
    snprintf(wanted, sizeof wanted, "{\n  \"scenario\": [\n    %s,\n    %s\n  ]\n}\n", row, row);
    becomes(text, wanted);
}

static void drawn_boards_have_a_line_each(void **state) {
    (void)state;
    becomes("{\"rows\":[\"..#\",\"#..\"]}",
            "{\n  \"rows\": [\n    \"..#\",\n    \"#..\"\n  ]\n}\n");
    becomes("{\"words\":[\"one\",\"three\"]}", "{\n  \"words\": [\"one\", \"three\"]\n}\n");
}

static void strings_have_one_spelling(void **state) {
    (void)state;
    becomes("{\"\\u0041\\/\":\"\\u001F\\ud83d\\ude00\\u000a\\\"\"}",
            "{\n  \"A/\": \"\\u001f\xF0\x9F\x98\x80\\n\\\"\"\n}\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_values),
        cmocka_unit_test(what_fits_is_one_line),
        cmocka_unit_test(what_does_not_fit_breaks),
        cmocka_unit_test(rows_of_a_matrix_stay_whole),
        cmocka_unit_test(drawn_boards_have_a_line_each),
        cmocka_unit_test(strings_have_one_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
