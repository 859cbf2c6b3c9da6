/* input_lines.h -- reads lines from standard input while a loop of net/net.h runs: from a terminal,
 * a pipe or a file. */
#ifndef CLI_TERMINAL_INPUT_LINES_H
#define CLI_TERMINAL_INPUT_LINES_H
#include "net/net.h"

typedef struct Typed Typed;

/* Calls back with each line, without its end, control characters and surrounding blanks; with NULL
 * at the end of input. NULL = no memory or no thread. */
Typed *typed_open(NetLoop *loop, void (*call)(void *owner, char *line), void *owner);
/* Stops reading. Must not be called inside the callback. */
void typed_close(Typed *typed);

#endif
