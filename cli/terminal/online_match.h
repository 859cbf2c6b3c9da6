/* online_match.h -- a match at a server, in the terminal: what is on the screen and what is typed,
 * whatever protocol the server speaks.
 *
 * The client (client/protocol.h) knows how the match stands. Lines that are typed and messages of
 * the server come in any order. Whoever uses it puts an OnlineMatch first in a struct of its own,
 * and so finds that again in commands. */
#ifndef CLI_TERMINAL_ONLINE_MATCH_H
#define CLI_TERMINAL_ONLINE_MATCH_H
#include "cli/terminal/action_menu.h"
#include "cli/terminal/input_lines.h"
#include "cli/terminal/match_log.h"
#include "client/protocol.h"

typedef struct OnlineMatch OnlineMatch;
typedef struct OnlineCommand OnlineCommand;

/* Something that can be typed. `where` and `what` are the owner's. */
struct OnlineCommand {
    const char *name, *argument, *meaning;
    uint32_t where;
    /* Does it, with what was typed behind the name. False: the program shall end. */
    bool (*run)(OnlineMatch *match, const OnlineCommand *command, const char *rest);
    uint32_t what;
};

/* Everything about it. */
struct OnlineMatch {
    Terminal terminal;
    NetLoop *loop;
    const ClientProtocol *protocol;
    void *client;                  /* of that protocol */
    const OnlineCommand *commands; /* the last one has no name */
    /* Why the command makes no sense here, as a sentence; NULL: it does. */
    const char *(*missing)(const OnlineMatch *match, const OnlineCommand *command);
    /* Prints a line above the board. May be NULL. */
    void (*print_above)(const OnlineMatch *match);
    /* A line was typed and done. May be NULL. */
    void (*typed)(OnlineMatch *match);
    bool prompted; /* a prompt is the last thing on the screen */
    bool over;     /* no more lines are typed */
    int exit_code;
    const MashContent *content; /* that the following are made for; NULL: none */
    MatchLog log;
    Picture picture;
    ActionMenu choices;
    void *view;     /* on the screen */
    uint32_t shown; /* number of the position whose news were printed last; 0: none */
};

/* How the match stands. */
ClientPosition online_position(const OnlineMatch *match);

/* Begins to print: wipes the prompt. */
void online_begin(OnlineMatch *match);
/* Prints the prompt again, if a person sits there. */
void online_prompt(OnlineMatch *match);
/* Prints one line. */
void online_say(OnlineMatch *match, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a side's name as the board marks it. */
void online_print_side(const OnlineMatch *match, uint8_t seat);

/* Makes room for pictures of the content and forgets what was there before; NULL: only forgets. */
void online_set_content(OnlineMatch *match, const MashContent *content);
/* A position came: prints what happened, and draws it if somebody should look at it. `over`: it is
 * the last one. */
void online_show(OnlineMatch *match, bool over);
/* Draws the position: board, sides, menu. */
void online_draw(OnlineMatch *match);

/* Commands that make sense everywhere. */
bool online_help(OnlineMatch *match, const OnlineCommand *command, const char *rest);
bool online_board(OnlineMatch *match, const OnlineCommand *command, const char *rest);
bool online_units(OnlineMatch *match, const OnlineCommand *command, const char *rest);
bool online_log(OnlineMatch *match, const OnlineCommand *command, const char *rest);
bool online_quit(OnlineMatch *match, const OnlineCommand *command, const char *rest);

/* Reads lines and runs the loop until the program shall end; then wipes the prompt. */
void online_run(OnlineMatch *match);

#endif
