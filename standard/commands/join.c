/* join.c -- see join.h. The screen and what is typed are those of any match at a server
 * (cli/terminal/online_match.h). */
#include "standard/commands/join.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/terminal/online_match.h"
#include "client/client.h"
#include "standard/client.h"

enum { NAME_BYTES = 128, PROBLEM_BYTES = 512 };

/* The state of the command. */
typedef struct StandardJoin {
    OnlineMatch online; /* must be the first: commands get this */
    bool ended;         /* the winner was printed */
} StandardJoin;

/* What is known of the match. */
static const StandardClientTable *table_of(const StandardJoin *join) {
    return standard_table(join->online.client);
}

/* --- Messages of the server ------------------------------------------------------------------- */

/* Prints the winner, the reason if it is consistent, and the statistics. Without a board only the
 * player's number is known. */
static void print_end(StandardJoin *join) {
    const StandardClientTable *table = table_of(join);
    const MashContent *content = join->online.content;
    const void *view = join->online.view;
    join->ended = true;
    online_begin(&join->online);
    putchar('\n');
    if (table->winner >= MASH_SEATS) {
        puts("The match is over, but the server did not say who won.\n");
    } else if (view == NULL) {
        printf("Player %u has won.\n\n", table->winner + 1u);
    } else {
        char bytes[NAME_BYTES] = "";
        MashText why = text_over(bytes, sizeof bytes);
        MashResult result = content->game->result(content, view);
        if (result.over && result.winner == table->winner && result.reason != MASH_REASON_NONE)
            content->game->name(content, NULL, MASH_NAME_REASON, result.reason, &why);
        online_print_side(&join->online, table->winner);
        printf(" (%s) has won%s%s.\n\n", table->names[table->winner], why.count > 0 ? ": " : "",
               bytes);
    }
    if (view != NULL)
        picture_print_figures(&join->online.picture, view);
}

/* The server sent a whole state: shows it. */
static void on_position(void *owner) {
    StandardJoin *join = owner;
    const StandardClientTable *table = table_of(join);
    if (table->content == NULL || table->state == NULL)
        return;
    if (join->online.content != table->content)
        online_set_content(&join->online, table->content);
    online_show(&join->online, table->decided);
    if (table->decided && table->winner < MASH_SEATS && !join->ended)
        print_end(join);
    online_prompt(&join->online);
}

/* A message about the connection. */
static void on_word(void *owner, const char *words) {
    StandardJoin *join = owner;
    online_say(&join->online, "  %s", words);
    online_prompt(&join->online);
}

/* The phase has changed: prints it, ends when the session is over. */
static void on_phase(void *owner, StandardPhase phase, const char *why) {
    StandardJoin *join = owner;
    OnlineMatch *online = &join->online;
    const StandardClientTable *table = online->client == NULL ? NULL : table_of(join);
    if (phase == STANDARD_WAITING) {
        online->exit_code = CLI_FINE;
        online_say(online, "Connected: %s. Waiting ...", why);
    } else if (phase == STANDARD_DRAFTING) {
        online_set_content(online, NULL);
        online_say(online, "Choose six heroes.");
    } else if (phase == STANDARD_PLAYING && table != NULL) {
        if (online->content != table->content)
            online_set_content(online, NULL);
        online_say(online, "%s against %s: %s.", table->names[0], table->names[1], why);
    } else if (phase == STANDARD_RECONNECTING) {
        online_say(online, "Connection lost (%s). Reconnecting ...", why);
    } else if (phase == STANDARD_CLOSED) {
        if (table != NULL && table->decided && !join->ended)
            print_end(join);
        online_say(online, "Disconnected: %s.", why);
        online->exit_code = table != NULL && table->finished ? CLI_FINE : CLI_CHECK_FAILED;
        net_loop_stop(online->loop);
        return;
    }
    online_prompt(online);
}

/* --- Commands --------------------------------------------------------------------------------- */

/* Requests of commands, and when they are available. */
enum { REQUEST_PAUSE, REQUEST_CONTINUE, REQUEST_RESIGN, REQUEST_STATE };
enum { ANYWHERE, IN_A_MATCH };

/* Sends the request of the command. */
static bool send_request(OnlineMatch *online, const OnlineCommand *command, const char *rest) {
    static const char *const requests[] = {"PauseStartRequest", "PauseStopRequest",
                                           "DisconnectRequest", "Req"};
    (void)rest;
    if (!standard_ask(online->client, requests[command->what]))
        puts("  Not connected right now.");
    return true;
}

static const OnlineCommand commands[] = {
    {"help", "", "this list", ANYWHERE, online_help, 0},
    {"board", "[X Y|all]", "shows the board; around a cell, or all of a large one", ANYWHERE,
     online_board, 0},
    {"units", "", "lists every unit", ANYWHERE, online_units, 0},
    {"log", "[N]", "what happened since you joined, or in the last N updates", ANYWHERE, online_log,
     0},
    {"pause", "", "requests a pause", IN_A_MATCH, send_request, REQUEST_PAUSE},
    {"continue", "", "resumes the match", IN_A_MATCH, send_request, REQUEST_CONTINUE},
    {"resign", "", "resigns", IN_A_MATCH, send_request, REQUEST_RESIGN},
    {"state", "", "asks the server for the current state", IN_A_MATCH, send_request, REQUEST_STATE},
    {"quit", "", "quits; your seat is kept for a while", ANYWHERE, online_quit, 0},
    {NULL, NULL, NULL, ANYWHERE, NULL, 0},
};

/* Requests are for a match that is running. */
static const char *missing(const OnlineMatch *online, const OnlineCommand *command) {
    bool plays = standard_table(online->client)->content != NULL &&
                 standard_phase(online->client) == STANDARD_PLAYING;
    return command->where == ANYWHERE || plays ? NULL : "The match has not begun.";
}

/* --- The whole -------------------------------------------------------------------------------- */

int standard_join(const StandardJoinConfig *config) {
    static StandardJoin join;
    char url_bytes[PROBLEM_BYTES], memory[PROBLEM_BYTES];
    MashText url = text_over(url_bytes, sizeof url_bytes);
    MashText problem = text_over(memory, sizeof memory);
    OnlineMatch *online = &join.online;
    join = (StandardJoin){.online = {.terminal = terminal_open(),
                                     .loop = net_loop_open(),
                                     .protocol = &standard_client,
                                     .commands = commands,
                                     .missing = missing,
                                     .exit_code = CLI_CHECK_FAILED}};
    client_url_to(config->place, "/", &url);
    StandardSetup setup = {.url = url_bytes,
                           .name = config->name,
                           .device = config->device,
                           .role = config->role,
                           .game = config->game,
                           .calls = {on_phase, on_position, on_word},
                           .owner = &join};
    if (online->loop == NULL) {
        fprintf(stderr, "mashup join: out of memory\n");
        return CLI_CHECK_FAILED;
    }
    if (net_trust_file(online->loop, config->cafile, &problem))
        online->client = standard_client_open(online->loop, &setup, &problem);
    if (online->client == NULL) {
        fprintf(stderr, "mashup join: %s\n", memory);
        online->exit_code = CLI_WRONG_USE;
    } else {
        online_run(online);
    }
    online_set_content(online, NULL);
    standard_close(online->client);
    client_run_out(online->loop);
    net_loop_close(online->loop);
    return online->exit_code;
}
