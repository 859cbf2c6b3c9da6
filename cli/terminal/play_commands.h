/* play_commands.h -- what can be typed at a terminal table beside the game's own actions: undo,
 * save, resign, help ... */
#ifndef CLI_TERMINAL_PLAY_COMMANDS_H
#define CLI_TERMINAL_PLAY_COMMANDS_H
#include "cli/terminal/local_match.h"

/* What to do after a command. */
typedef enum Answer {
    ANSWER_NONE,  /* there is no such command */
    ANSWER_AGAIN, /* ask again */
    ANSWER_DRAW,  /* the position has changed, or is to be drawn anew */
    ANSWER_QUIT
} Answer;

/* Does a command whose name was typed in full; what follows the name is its argument. */
Answer commands_do(LocalMatch *session, const char *line);
/* The same if the name was shortened and only one begins so. */
Answer commands_do_short(LocalMatch *session, const char *line);
/* Prints how to go on with a match that is being left. */
void commands_farewell(const LocalMatch *session);

#endif
