/* golden.c -- see golden.h. */
#include "tests/support/golden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/support.h"

enum { FILE_BYTES = 8 << 20 };

/* The file's text, or "" if there is none. To be freed. */
static char *read_whole(const char *path) {
    char *text = support_memory(FILE_BYTES);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return text;
    size_t count = fread(text, 1, FILE_BYTES - 1, file);
    fclose(file);
    text[count] = '\0';
    return text;
}

/* Stores it. */
static void write_whole(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        fail_msg("cannot write %s: call this from the project's folder", path);
}

/* Reports where two texts differ. */
static void fail_at_difference(const char *path, const char *stored, const char *made) {
    size_t line = 1, start = 0, i = 0;
    for (; stored[i] == made[i]; i++)
        if (stored[i] == '\n')
            line++, start = i + 1;
    fail_msg("%s:%zu:\n  stored: %.*s\n  now:    %.*s\n"
             "if that is meant: MASH_GOLDEN=write and this test again",
             path, line, (int)strcspn(stored + start, "\n"), stored + start,
             (int)strcspn(made + start, "\n"), made + start);
}

void golden_compare(const char *path, const MashText *made) {
    assert_false(made->truncated);
    const char *mode = getenv("MASH_GOLDEN");
    if (mode != NULL && strcmp(mode, "write") == 0) {
        write_whole(path, made->bytes);
        return;
    }
    char *stored = read_whole(path);
    if (strcmp(stored, made->bytes) != 0)
        fail_at_difference(path, stored, made->bytes);
    support_free(stored);
}
