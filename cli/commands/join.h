/* join.h -- mashup join at an arena server: shared by its files. Screen and input are those of any
 * match at a server (cli/terminal/online_match.h). */
#ifndef CLI_COMMANDS_JOIN_H
#define CLI_COMMANDS_JOIN_H
#include "cli/cli.h"
#include "cli/terminal/online_match.h"
#include "client/client.h"

/* The state of the command. */
typedef struct Join {
    OnlineMatch online; /* must be the first: commands get this */
    const char *place;  /* the server, as it was typed */
    char url[512];
    Message first; /* the request to begin with */
    bool has_first;
    bool warned;                      /* the server warned that we have been idle for long */
    char code[PROTO_CODE_MAX + 1];    /* of the table that was printed last as ours */
    bool gone;                        /* the table is closed, and the server will send that */
    bool waits;                       /* it was printed that it is the opponent's turn */
    bool had_table, played;           /* currently at a table; its end was printed */
    ClientPlayer players[MASH_SEATS]; /* as they were printed last */
} Join;

/* The client, and what it knows of the table. */
Client *join_client(const Join *join);
const ClientTable *join_table(const Join *join);

/* --- The screen (join_screen.c) --------------------------------------------------------------- */

/* A position arrived: shows it and the status of the match. */
void join_take_position(Join *join);
/* Prints on one line what is left of the times; nothing if there are none. */
void join_print_clocks(const OnlineMatch *online);
/* Prints who joined, left or reconnected since the last time. */
void join_take_people(Join *join);
/* Prints who sits where. */
void join_print_people(const Join *join);
/* Prints lists that the server sent. */
void join_print_matches(const Message *message);
void join_print_games(const Message *message);

/* --- Input (join_commands.c) ------------------------------------------------------------------ */

/* The commands of the lobby and of the table; the last one has no name. */
extern const OnlineCommand join_commands[];
/* Why a command is not possible now; NULL: it is. */
const char *join_missing(const OnlineMatch *online, const OnlineCommand *command);
/* Prints how to rejoin a match that is being left. */
void join_farewell(const Join *join);

#endif
