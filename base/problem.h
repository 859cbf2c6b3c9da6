/* problem.h -- errors in a document from outside: where, and in words its author understands.
 *
 * Readers report every problem they find and continue; a full list only counts. */
#ifndef BASE_PROBLEM_H
#define BASE_PROBLEM_H
#include <stdint.h>

/* One problem. Line and column count from 1; 0 = the document as a whole. */
typedef struct MashProblem {
    char document[64];
    uint32_t line, column;
    char path[96]; /* JSON path such as $.units[3].health; empty outside JSON */
    char reason[192];
} MashProblem;

/* A lent list. `count` may exceed `max`: then only the first `max` were kept. */
typedef struct MashProblems {
    MashProblem *list;
    uint32_t count, max;
} MashProblems;

/* Adds one problem; the reason is a format as in text_format(). */
void problem_add(MashProblems *problems, const char *document, uint32_t line, uint32_t column,
                 const char *path, const char *reason, ...) __attribute__((format(printf, 6, 7)));

#endif
