/* replay_print.h -- replay files of the Marvelous Mashup standard, as other programs write them and
 * mashup serve --replay does. */
#ifndef STANDARD_COMMANDS_REPLAY_PRINT_H
#define STANDARD_COMMANDS_REPLAY_PRINT_H
#include "cli/files.h"

/* Is this such a file? Only its first bytes are checked. */
bool replay_is(const FileBytes *file);
/* Prints the players and their teams, each event as a line, and the end. False: errors were
 * printed. */
bool replay_show(const char *path, const FileBytes *file);

#endif
