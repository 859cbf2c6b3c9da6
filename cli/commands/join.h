/* join.h -- mashup join at an arena: what its files share. The screen and what is typed are those
 * of any match at a server (cli/terminal/online_match.h). */
#ifndef CLI_COMMANDS_JOIN_H
#define CLI_COMMANDS_JOIN_H
#include "cli/cli.h"
#include "cli/terminal/online_match.h"
#include "client/client.h"

/* Everything about it. */
typedef struct Join {
    OnlineMatch online; /* must be the first: commands get this */
    const char *place;  /* the server, as it was typed */
    char url[512];
    Message first; /* the request to begin with */
    bool has_first;
    bool warned;                      /* the server has not heard from us for long */
    char code[PROTO_CODE_MAX + 1];    /* of the table that was last said to be ours */
    bool gone;                        /* the table is gone, and the server will say so */
    bool waits;                       /* it was said that it is the other's turn */
    bool had_table, played;           /* at a table just now; its end was printed */
    ClientPlayer players[MASH_SEATS]; /* as they were printed last */
} Join;

/* The client, and what it knows of the table. */
Client *join_client(const Join *join);
const ClientTable *join_table(const Join *join);

/* --- The screen (join_screen.c) --------------------------------------------------------------- */

/* A position came: shows it, and how the match stands. */
void join_take_position(Join *join);
/* Prints in one line what is left of the times; nothing if none runs. */
void join_print_clocks(const OnlineMatch *online);
/* Who has come, gone or come back since the last time. */
void join_take_people(Join *join);
/* Prints who sits where. */
void join_print_people(const Join *join);
/* Prints lists that the server sent. */
void join_print_matches(const Message *message);
void join_print_games(const Message *message);

/* --- What is typed (join_commands.c) ---------------------------------------------------------- */

/* The commands of the lobby and of the table; the last one has no name. */
extern const OnlineCommand join_commands[];
/* Why a command makes no sense where we are; NULL: it does. */
const char *join_missing(const OnlineMatch *online, const OnlineCommand *command);
/* Prints how to come back to a match that is being left. */
void join_farewell(const Join *join);

#endif
