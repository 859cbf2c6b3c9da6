/* replay_print.h -- replay files of the Marvelous Mashup standard, as other programs write them and
 * mashup serve --replay does. */
#ifndef STANDARD_COMMANDS_REPLAY_PRINT_H
#define STANDARD_COMMANDS_REPLAY_PRINT_H
#include "cli/files.h"

/* Is this such a file? Only its first bytes are looked at. */
bool replay_is(const FileBytes *file);
/* Prints who played what, each event as a line, and the end. False: sentences were printed. */
bool replay_show(const char *path, const FileBytes *file);

#endif
