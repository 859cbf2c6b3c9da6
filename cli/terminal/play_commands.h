/* play_commands.h -- commands at the terminal beside the game's own actions: undo, save, resign,
 * help ... */
#ifndef CLI_TERMINAL_PLAY_COMMANDS_H
#define CLI_TERMINAL_PLAY_COMMANDS_H
#include "cli/terminal/local_match.h"

/* What to do after a command. */
typedef enum Answer {
    ANSWER_NONE,  /* there is no such command */
    ANSWER_AGAIN, /* ask again */
    ANSWER_DRAW,  /* the position has changed, or is to be redrawn */
    ANSWER_QUIT
} Answer;

/* Runs a command whose name was typed in full; the rest of the line is its argument. */
Answer commands_do(LocalMatch *session, const char *line);
/* The same for an abbreviated name that is unambiguous. */
Answer commands_do_short(LocalMatch *session, const char *line);
/* Prints how to continue a match that is being left. */
void commands_farewell(const LocalMatch *session);

#endif
