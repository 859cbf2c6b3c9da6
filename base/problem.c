/* problem.c -- see problem.h. */
#include "base/problem.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"

/* Truncated text ends in dots, and never inside a code point: problems go to browsers unchanged. */
static void finish(MashText *text) {
    if (!text->truncated)
        return;
    uint32_t end = text->max - 4;
    while (end > 0 && ((uint8_t)text->bytes[end] & 0xC0) == 0x80)
        end--;
    memcpy(text->bytes + end, "...", 4);
}

/* Copies what fits; dots at the end mark truncation. */
static void keep(char *memory, uint32_t max, const char *string) {
    MashText text = text_over(memory, max);
    text_string(&text, string);
    finish(&text);
}

void problem_add(MashProblems *problems, const char *document, uint32_t line, uint32_t column,
                 const char *path, const char *reason, ...) {
    uint32_t index = problems->count++;
    if (index >= problems->max)
        return;
    MashProblem *problem = &problems->list[index];
    keep(problem->document, sizeof problem->document, document);
    problem->line = line;
    problem->column = column;
    keep(problem->path, sizeof problem->path, path);
    MashText text = text_over(problem->reason, sizeof problem->reason);
    va_list list;
    va_start(list, reason);
    text_format_va(&text, reason, list);
    va_end(list);
    finish(&text);
}
