/* test_schema.c -- the schemas and the tables for people that come with the games are those that
 * the tables of fields print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fields.h"
#include "base/json.h"
#include "tests/support/support.h"

enum { SCHEMA_BYTES = 1 << 18, FILE_BYTES = 1 << 20, PATH_BYTES = 256 };

/* What is in a file, NUL-terminated. To be freed. */
static char *file_text(const char *path) {
    char *memory = calloc(1, FILE_BYTES);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s is missing", path);
    size_t count = fread(memory, 1, FILE_BYTES - 1, file);
    assert_true(count > 0 && count < FILE_BYTES - 1);
    fclose(file);
    return memory;
}

/* The printed schema of a kind in the one layout is the file beside the game's documents. */
static void is_the_file(const MashContent *content, const char *kind) {
    char *memory = support_memory(SCHEMA_BYTES), *layout = support_memory(SCHEMA_BYTES);
    JsonNode *nodes = support_memory(SCHEMA_BYTES / 2 * sizeof *nodes);
    MashText text = text_over(memory, SCHEMA_BYTES), out = text_over(layout, SCHEMA_BYTES);
    MashProblem problem;
    MashProblems problems = {.list = &problem, .max = 1};
    Json json;
    char path[PATH_BYTES];
    assert_true(mash_write_schema(content, kind, &text));
    assert_true(json_read(&json, kind, text.bytes, text.count, nodes, SCHEMA_BYTES / 2, &problems));
    json_format(&json, &out);
    assert_false(text.truncated || out.truncated);
    /* ".start.json" is described by start.schema.json */
    snprintf(path, sizeof path, "games/%s/content/%.*s.schema.json", content->game->id,
             (int)(strlen(kind) - strlen(".json") - 1), kind + 1);
    char *file = file_text(path);
    assert_string_equal(layout, file);
    free(file);
    support_free(nodes);
    support_free(layout);
    support_free(memory);
}

static void schemas_are_the_files(void **unused) {
    (void)unused;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        MashContent *content = support_content(*game, NULL);
        for (const Fields *const *kind = (*game)->documents; *kind != NULL; kind++)
            is_the_file(content, (*kind)->id);
        is_the_file(content, ".texts.json");
        support_free(content);
    }
}

static void other_kinds_have_none(void **unused) {
    (void)unused;
    MashContent *content = support_content(mash_game_find("tablut"), NULL);
    char memory[64];
    MashText text = text_over(memory, sizeof memory);
    assert_false(mash_write_schema(content, ".other.json", &text));
    assert_int_equal(text.count, 0);
    support_free(content);
}

static void tables_are_in_the_page(void **unused) {
    (void)unused;
    char *page = file_text("docs/documents.md"), *memory = support_memory(SCHEMA_BYTES);
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        MashText text = text_over(memory, SCHEMA_BYTES);
        mash_write_reference(*game, &text);
        assert_true(text.count > 0 && !text.truncated);
        assert_non_null(strstr(page, memory));
    }
    support_free(memory);
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemas_are_the_files),
        cmocka_unit_test(other_kinds_have_none),
        cmocka_unit_test(tables_are_in_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
