/* online_match.h -- a match at a server, in the terminal: screen and input, whatever protocol the
 * server speaks.
 *
 * The client (client/client_protocol.h) holds the state of the match. Typed lines and server
 * messages arrive in any order. The user of this module puts an OnlineMatch first in its own
 * struct, and casts back to it in commands. */
#ifndef CLI_TERMINAL_ONLINE_MATCH_H
#define CLI_TERMINAL_ONLINE_MATCH_H
#include "cli/terminal/action_menu.h"
#include "cli/terminal/input_lines.h"
#include "cli/terminal/match_log.h"
#include "client/client_protocol.h"

typedef struct OnlineMatch OnlineMatch;
typedef struct OnlineCommand OnlineCommand;

/* Something that can be typed. `where` and `what` belong to the owner. */
struct OnlineCommand {
    const char *name, *argument, *meaning;
    uint32_t where;
    /* Runs it with the text after the name. False: the program ends. */
    bool (*run)(OnlineMatch *match, const OnlineCommand *command, const char *rest);
    uint32_t what;
};

/* The state of an online match. */
struct OnlineMatch {
    Terminal terminal;
    NetLoop *loop;
    const ClientProtocol *protocol;
    void *client;                  /* of that protocol */
    const OnlineCommand *commands; /* the last one has no name */
    /* Why the command is not possible here, as a sentence; NULL: it is. */
    const char *(*missing)(const OnlineMatch *match, const OnlineCommand *command);
    /* Prints a line above the board. May be NULL. */
    void (*print_above)(const OnlineMatch *match);
    /* A line was typed and handled. May be NULL. */
    void (*typed)(OnlineMatch *match);
    bool prompted; /* a prompt is the last thing on the screen */
    bool over;     /* end of input */
    int exit_code;
    const MashContent *content; /* that the following were allocated for; NULL: none */
    MatchLog log;
    Picture picture;
    ActionMenu choices;
    void *view;     /* on the screen */
    uint32_t shown; /* number of the position whose news were printed last; 0: none */
};

/* The state of the match. */
ClientPosition online_position(const OnlineMatch *match);

/* Starts printing: erases the prompt. */
void online_begin(OnlineMatch *match);
/* Prints the prompt again, if the input is a terminal. */
void online_prompt(OnlineMatch *match);
/* Prints one line. */
void online_say(OnlineMatch *match, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a side's name as the board marks it. */
void online_print_side(const OnlineMatch *match, uint8_t seat);

/* Allocates memory for pictures of the content and discards the old; NULL: only discards. */
void online_set_content(OnlineMatch *match, const MashContent *content);
/* A position arrived: prints what happened, and draws it if somebody should look at it. `over`: it
 * is the last one. */
void online_show(OnlineMatch *match, bool over);
/* Draws the position: board, sides, menu. */
void online_draw(OnlineMatch *match);

/* Commands that are possible everywhere. */
bool online_help(OnlineMatch *match, const OnlineCommand *command, const char *rest);
bool online_board(OnlineMatch *match, const OnlineCommand *command, const char *rest);
bool online_units(OnlineMatch *match, const OnlineCommand *command, const char *rest);
bool online_log(OnlineMatch *match, const OnlineCommand *command, const char *rest);
bool online_quit(OnlineMatch *match, const OnlineCommand *command, const char *rest);

/* Reads lines and runs the loop until the program ends; then erases the prompt. */
void online_run(OnlineMatch *match);

#endif
