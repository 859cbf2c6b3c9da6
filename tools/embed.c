/* embed.c -- writes C source that holds files as bytes: embed games/ID/content/NAME... > shipped.c
 *
 * C11 has no #embed; a host program of a page is simpler than linker scripts and works for
 * WebAssembly too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program with a sentence. */
static void fail(const char *what, const char *path) {
    fprintf(stderr, "embed: %s: %s\n", what, path);
    exit(1);
}

/* Prints the bytes as an array; how many there were. */
static long write_bytes(const char *path, int number) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail("cannot read", path);
    long count = 0;
    printf("static const char bytes_%d[] = {", number);
    for (int byte; (byte = fgetc(file)) != EOF; count++)
        printf("%s%d,", count % 24 == 0 ? "\n    " : "", byte > 127 ? byte - 256 : byte);
    printf("\n    0};\n");
    fclose(file);
    return count;
}

/* Writes all files as arrays, and a list of them. */
int main(int count, char **paths) {
    long *counts = calloc((size_t)count, sizeof *counts);
    if (counts == NULL)
        fail("no memory", "-");
    printf("/* Made by tools/embed; do not edit. */\n#include \"games/shipped.h\"\n\n");
    for (int i = 1; i < count; i++)
        counts[i] = write_bytes(paths[i], i);
    printf("\nconst Shipped shipped_documents[] = {\n");
    for (int i = 1; i < count; i++) {
        const char *id = paths[i] + strlen("games/"), *end = strchr(id, '/');
        if (strncmp(paths[i], "games/", 6) != 0 || end == NULL)
            fail("not games/ID/content/NAME", paths[i]);
        printf("    {\"%.*s\", {\"%s\", bytes_%d, %ld}},\n", (int)(end - id), id,
               strrchr(paths[i], '/') + 1, i, counts[i]);
    }
    printf("    {NULL, {NULL, NULL, 0}}};\n");
    free(counts);
    return 0;
}
