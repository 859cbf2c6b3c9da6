/* cli.c -- see cli.h. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help.h"

/* The text of this name; a missing one is a build error. */
static const char *help_text(const char *name) {
    for (const HelpText *help = help_texts; help->name != NULL; help++)
        if (strcmp(help->name, name) == 0)
            return help->text;
    return "";
}

void cli_print_help(const Command *command) {
    const char *more = command->extras == NULL ? NULL : command->extras->more;
    printf("%s\n\nUsage: mashup %s\n\n%s%s", command->summary, command->use,
           help_text(command->name), more == NULL ? "" : help_text(more));
}

int cli_wrong_use(const Command *command, const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "mashup%s%s: ", command == NULL ? "" : " ",
            command == NULL ? "" : command->name);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "\nTry: mashup help%s%s\n", command == NULL ? "" : " ",
            command == NULL ? "" : command->name);
    return CLI_WRONG_USE;
}

/* The full name of a document of which a problem holds only the beginning and "...". */
static const char *whole_name(const MashProblem *problem, const MashDocument *documents,
                              uint32_t count) {
    size_t letters = strlen(problem->document);
    for (uint32_t i = 0; i < count && text_ends_with(problem->document, "..."); i++)
        if (strncmp(documents[i].name, problem->document, letters - 3) == 0)
            return documents[i].name;
    return problem->document;
}

void cli_print_problem(const char *name, const MashProblem *problem) {
    fprintf(stderr, "%s:", name);
    if (problem->line > 0)
        fprintf(stderr, "%u:%u:", problem->line, problem->column);
    if (problem->path[0] != '\0')
        fprintf(stderr, " %s:", problem->path);
    fprintf(stderr, " %s\n", problem->reason);
}

void cli_print_problems(const MashProblems *problems, const MashDocument *documents,
                        uint32_t count) {
    uint32_t shown = problems->count < problems->max ? problems->count : problems->max;
    for (uint32_t i = 0; i < shown; i++)
        cli_print_problem(whole_name(&problems->list[i], documents, count), &problems->list[i]);
    if (problems->count > shown)
        fprintf(stderr, "... and %u more\n", problems->count - shown);
}

/* There is no memory: says so and exits. */
static _Noreturn void end_without_memory(size_t bytes) {
    fprintf(stderr, "mashup: out of memory (%zu bytes)\n", bytes);
    exit(CLI_CHECK_FAILED);
}

Crew *cli_crew(const MashContent *content, uint32_t threads) {
    Crew *crew = crew_open(content, threads);
    if (crew == NULL)
        end_without_memory(threads * ai_bytes(content));
    return crew;
}

void *cli_memory(size_t bytes) {
    size_t rounded = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, rounded == 0 ? 64 : rounded);
    if (memory == NULL)
        end_without_memory(bytes);
    return memset(memory, 0, rounded == 0 ? 64 : rounded);
}

void *cli_grow(void *list, uint32_t count, uint32_t *max, size_t entry_bytes) {
    if (count < *max)
        return list;
    *max = *max == 0 ? 256 : 2 * *max;
    void *more = cli_memory(*max * entry_bytes);
    if (list != NULL)
        memcpy(more, list, count * entry_bytes);
    free(list);
    return more;
}

/* Kept memory is reachable from here, so that leak checkers do not report it. */
typedef struct Kept {
    struct Kept *next;
    void *memory;
} Kept;
static Kept *kept;

void *cli_keep(void *memory) {
    Kept *entry = cli_memory(sizeof *entry);
    *entry = (Kept){.next = kept, .memory = memory};
    kept = entry;
    return memory;
}

enum { WORD_MAX = 40 };

/* The smallest of three. */
static uint32_t least(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t smaller = a < b ? a : b;
    return smaller < c ? smaller : c;
}

/* Edit distance: letters changed, added, dropped or swapped with their neighbour. */
static uint32_t distance(const char *a, const char *b) {
    uint32_t rows[3][WORD_MAX + 1];
    size_t a_count = strlen(a), b_count = strlen(b);
    if (a_count > WORD_MAX || b_count > WORD_MAX)
        return UINT32_MAX;
    uint32_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (uint32_t j = 0; j <= b_count; j++)
        last[j] = j;
    for (uint32_t i = 1; i <= a_count; i++) {
        now[0] = i;
        for (uint32_t j = 1; j <= b_count; j++) {
            now[j] = least(last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], now[j], before[j - 2] + 1);
        }
        uint32_t *oldest = before;
        before = last;
        last = now;
        now = oldest;
    }
    return last[b_count];
}

const char *cli_nearest(const char *word, const char *const *words, uint32_t count) {
    const char *best = NULL;
    size_t letters = strlen(word);
    uint32_t best_distance = (uint32_t)(letters < 3 ? 1 : letters < 8 ? 2 : 3) + 1;
    for (uint32_t i = 0; i < count; i++) {
        if (letters >= 2 && strncmp(word, words[i], letters) == 0)
            return words[i];
        uint32_t there = distance(word, words[i]);
        if (there < best_distance) {
            best = words[i];
            best_distance = there;
        }
    }
    return best;
}

void cli_suggest(MashText *text, const char *word, const char *const *words, uint32_t count) {
    const char *near = cli_nearest(word, words, count);
    if (near != NULL) {
        text_format(text, "; did you mean \"%s\"?", near);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        text_format(text, "%s%s",
                    i > 0        ? ", "
                    : count == 1 ? "; there is "
                                 : "; there are ",
                    words[i]);
    text_string(text, count == 0 ? "; there are none" : "");
}
