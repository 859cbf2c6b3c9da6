/* play_commands.h -- commands at the terminal beside the game's own actions: undo, save, resign,
 * help ... */
#ifndef CLI_TERMINAL_PLAY_COMMANDS_H
#define CLI_TERMINAL_PLAY_COMMANDS_H
#include "cli/terminal/local_match.h"

/* What to do after a command. */
typedef enum CommandAnswer {
    ANSWER_NONE,  /* there is no such command */
    ANSWER_AGAIN, /* ask again */
    ANSWER_DRAW,  /* the position has changed, or is to be redrawn */
    ANSWER_QUIT
} CommandAnswer;

/* Runs a command whose name was typed in full; the rest of the line is its argument. */
CommandAnswer commands_do(LocalMatch *local, const char *line);
/* The same for an abbreviated name that is unambiguous. */
CommandAnswer commands_do_short(LocalMatch *local, const char *line);
/* Prints how to continue a match that is being left. */
void commands_farewell(const LocalMatch *local);

#endif
