/* input_lines.h -- lines from standard input while a loop of net/net.h runs, whatever the input is:
 * a terminal, a pipe, a file. */
#ifndef CLI_TERMINAL_INPUT_LINES_H
#define CLI_TERMINAL_INPUT_LINES_H
#include "net/net.h"

typedef struct Typed Typed;

/* Calls back with each line, without its end, control characters and outer blanks; with NULL when
 * the input is over. NULL = no memory or no thread. */
Typed *typed_open(NetLoop *loop, void (*call)(void *owner, char *line), void *owner);
/* Takes no more lines. NULL is none and ignored. Not inside the call back. */
void typed_close(Typed *typed);

#endif
