/* embed.c -- writes C source that holds files as bytes: the games' documents, or the texts of
 * `mashup help`: embed games/ID/content/NAME... > shipped.c, embed cli/help/NAME.txt... > help.c
 *
 * C11 has no #embed; a host program of a page is simpler than linker scripts and works for
 * WebAssembly too. */
#include <stdbool.h>
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

/* The list of the games' documents. */
static void list_documents(int count, char **paths, const long *counts) {
    printf("\nconst Shipped shipped_documents[] = {\n");
    for (int i = 1; i < count; i++) {
        const char *id = paths[i] + strlen("games/"), *end = strchr(id, '/');
        if (strncmp(paths[i], "games/", 6) != 0 || end == NULL)
            fail("not games/ID/content/NAME", paths[i]);
        printf("    {\"%.*s\", {\"%s\", bytes_%d, %ld}},\n", (int)(end - id), id,
               strrchr(paths[i], '/') + 1, i, counts[i]);
    }
    printf("    {NULL, {NULL, NULL, 0}}};\n");
}

/* The list of the texts, by their names. */
static void list_texts(int count, char **paths) {
    printf("\nconst HelpText help_texts[] = {\n");
    for (int i = 1; i < count; i++) {
        const char *name = strrchr(paths[i], '/') + 1;
        printf("    {\"%.*s\", bytes_%d},\n", (int)strcspn(name, "."), name, i);
    }
    printf("    {NULL, NULL}};\n");
}

/* Writes all files as arrays, and a list of them. */
int main(int count, char **paths) {
    long *counts = calloc((size_t)count, sizeof *counts);
    if (counts == NULL)
        fail("no memory", "-");
    bool texts = count > 1 && strncmp(paths[1], "cli/", 4) == 0;
    printf("/* Made by tools/embed; do not edit. */\n#include \"%s\"\n\n",
           texts ? "cli/help.h" : "games/shipped.h");
    for (int i = 1; i < count; i++)
        counts[i] = write_bytes(paths[i], i);
    if (texts)
        list_texts(count, paths);
    else
        list_documents(count, paths, counts);
    free(counts);
    return 0;
}
