/* join.h -- a seat or a view at a server's table, in the terminal: what the files of
 * `mashup join` share.
 *
 * The client (client/client.h) knows how the match stands; here is what is on the screen. Lines
 * that are typed and words of the house come in any order. */
#ifndef CLI_COMMANDS_JOIN_H
#define CLI_COMMANDS_JOIN_H
#include "cli/cli.h"
#include "cli/terminal/action_menu.h"
#include "cli/terminal/input_lines.h"
#include "cli/terminal/match_log.h"
#include "client/client.h"

/* Everything about it. */
typedef struct Join {
    Terminal terminal;
    NetLoop *loop;
    Client *client;
    const char *place; /* the server, as it was typed */
    char url[512];
    Message first; /* the wish to begin with */
    bool has_first;
    bool prompted; /* a prompt is the last thing on the screen */
    bool warned;   /* the house has not heard from us for long */
    bool over;     /* no more lines are typed */
    int exit_code;
    const MashContent *content; /* that the following are made for; NULL: none */
    MatchLog story;
    Picture picture;
    ActionMenu choices;
    void *view;                    /* on the screen */
    uint32_t told;                 /* number of the position that was told last; 0: none */
    char code[PROTO_CODE_MAX + 1]; /* of the table told last */
    bool gone;                     /* the table was found to be gone, and the house will say so */
    bool waits;                    /* it was said that it is the other's turn */
    bool had_table, played;        /* at a table just now; its end was told */
    ClientPlayer players[MASH_SEATS]; /* as they were told last */
} Join;

/* --- The screen (join_screen.c) --------------------------------------------------------------- */

/* Begins to print: wipes the prompt. */
void join_begin(Join *join);
/* Prints the prompt again, if a person sits there. */
void join_prompt(Join *join);
/* Prints one line. */
void join_say(Join *join, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes room for pictures of the table's content, if it has changed; forgets the match before. */
void join_set_table(Join *join, bool new_match);
/* Forgets the table. */
void join_clear_table(Join *join);
/* A position came: tells what happened, and draws it if somebody should look at it. */
void join_take_position(Join *join);
/* Draws the position: board, sides, menu. */
void join_draw(Join *join);
/* Draws the board with the cells in question, and the menu. */
void join_draw_menu(Join *join);
/* Who has come, gone or come back since the last time. */
void join_take_people(Join *join);
/* Prints who sits where. */
void join_print_people(const Join *join);
/* Prints a side's name. */
void join_print_side(const Join *join, uint8_t seat);
/* Prints lists that the house told. */
void join_print_matches(const Message *message);
void join_print_games(const Message *message);

/* --- What is typed (join_commands.c) ---------------------------------------------------------- */

/* Does what the line says: a command, a number of the menu, or an action in words. False: the
 * program shall end. */
bool join_do(Join *join, const char *line);
/* Prints how to come back to a match that is being left. */
void join_farewell(const Join *join);

/* --- Another protocol (join_standard.c) ------------------------------------------------------- */

/* Where to and as who; device: NULL = a new one. */
typedef struct JoinStandard {
    const char *place, *name, *device, *role;
    const MashGame *game;
} JoinStandard;

/* Plays or watches at a server of the network standard. The exit code. */
int join_at_standard(const JoinStandard *wish);

#endif
