/* test_json.c -- the strict reader: what it takes, what it refuses and where, what loaders ask of
 * it, and the writer. */
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

static bool reads_bytes(const char *bytes, size_t count) {
    memset(&desk, 0xA5, sizeof desk);
    desk.problems = (MashProblems){.list = desk.list, .max = PROBLEMS};
    return json_read(&desk.json, "a.json", bytes, (uint32_t)count, desk.nodes, NODES,
                     &desk.problems);
}

static bool reads(const char *text) { return reads_bytes(text, strlen(text)); }

static void must_read(const char *text) {
    if (!reads(text))
        fail_msg("%s: %u:%u %s", text, desk.list[0].line, desk.list[0].column, desk.list[0].reason);
    assert_int_equal(desk.problems.count, 0);
}

/* The next problem that was reported is this one. */
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

static void bad_texts_are_refused_with_a_place(void **unused) {
    (void)unused;
    refuses("[1 2]", 1, 4, "a comma or ] is missing before this");
    refuses("{\"a\": 1\n \"b\": 2}", 2, 2, "a comma or } is missing before this");
    refuses("[\n\"\xC3\xA4\xC3\xB6\", 01]", 2, 7, "numbers may not begin with 0");
    refuses("[1] 2", 1, 5, "nothing may follow the value");
    refuses("", 1, 1, "the text has no value");
}

static void askers_say_what_is_allowed_and_what_was_found(void **unused) {
    (void)unused;
    int32_t number = 77;
    must_read("{\"units\": [{\"health\": 3.5}, {\"health\": 200}]}");
    uint32_t units = json_member_of_kind(&desk.json, 0, "units", JSON_ARRAY, &desk.problems);
    uint32_t first = json_first(&desk.json, units), second = desk.nodes[first].next;
    assert_false(json_whole_at(&desk.json, first, "health", 1, 2000, &number, &desk.problems));
    expect_problem(1, 23, "$.units[0].health", "must be a whole number from 1 to 2000, found 3.5");
    assert_int_equal(number, 1);
    assert_true(json_whole_at(&desk.json, second, "health", 1, 2000, &number, &desk.problems));
    assert_int_equal(number, 200);
    assert_false(json_whole_at(&desk.json, second, "speed", 1, 6, &number, &desk.problems));
    expect_problem(1, 29, "$.units[1]",
                   "key \"speed\" is missing; it must be a whole number from 1 to 6");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_stand_in_text_order),
        cmocka_unit_test(bad_texts_are_refused_with_a_place),
        cmocka_unit_test(askers_say_what_is_allowed_and_what_was_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
