/* join_commands.c -- see join.h: commands of the lobby and of the table. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands/join.h"

#include <string.h>

/* Where a command is possible. */
typedef enum Where { ANYWHERE, AT_NO_TABLE, AT_A_TABLE, AT_A_SEAT, IN_A_MATCH } Where;

/* The match of this program. */
static Join *join_of(OnlineMatch *online) { return (Join *)online; }

/* Sends a message, which also ends the idle time, or prints that there is no connection. Always
 * true: we stay. */
static bool send(OnlineMatch *online, const Message *message) {
    if (client_send(online->client, message))
        join_of(online)->warned = false;
    else
        online_say(online, "  Not connected right now.");
    return true;
}

/* Sends the message without fields that the command stands for. */
static bool send_simple(OnlineMatch *online, const OnlineCommand *command, const char *rest) {
    Message message = message_new((MessageKind)command->what);
    (void)rest;
    return send(online, &message);
}

/* --- Display ---------------------------------------------------------------------------------- */

/* Prints a time of the table in seconds, rounded up; nothing if there is no limit. */
static void print_limit(const char *what, int32_t ms) {
    if (ms > 0)
        printf("  %-18s %d s\n", what, (ms + 999) / 1000);
}

/* Prints the table's configuration, its times, and how to rejoin the seat. */
static bool do_options(OnlineMatch *online, const OnlineCommand *command, const char *rest) {
    (void)command;
    const Join *join = join_of(online);
    const ClientTable *table = join_table(join);
    (void)rest;
    printf("  table %s: %s%s%s%s%s\n", table->code, table->game->id,
           table->preset[0] == '\0' ? "" : ", preset ", table->preset,
           table->secret ? ", unlisted" : "", table->no_tips ? ", without tips" : "");
    for (uint32_t i = 0; i < table->game->options_count; i++)
        printf("  %-18s %d   %s\n", table->game->options[i].id, table->options[i],
               table->game->options[i].title);
    print_limit("time per turn", table->turn_ms);
    print_limit("for the match", table->match_ms);
    if (table->bank_ms > 0)
        print_limit("for all your turns", table->bank_ms);
    if (table->increment_ms > 0)
        print_limit("added after a turn", table->increment_ms);
    print_limit("longest pause", table->pause_ms);
    print_limit("longest silence", table->silence_ms);
    print_limit("time to reconnect", table->grace_ms);
    if (table->token[0] != '\0')
        printf("  to return from any device: mashup join %s --return %s\n", join->place,
               table->token);
    return true;
}

/* Prints who sits where, and who is connected. */
static bool do_people(OnlineMatch *online, const OnlineCommand *command, const char *rest) {
    (void)command;
    (void)rest;
    join_print_people(join_of(online));
    return true;
}

/* --- The lobby -------------------------------------------------------------------------------- */

/* The game and optionally the preset that were typed. False: there is no such game; an error was
 * printed. */
static bool read_game(const char *rest, char game[PROTO_ID_MAX + 1],
                      char preset[PROTO_ID_MAX + 1]) {
    game[0] = preset[0] = '\0';
    sscanf(rest, "%47s %47s", game, preset);
    if (mash_game_find(game) != NULL)
        return true;
    puts("  Which game? Type games for a list.");
    return false;
}

/* Asks for a quick match of a game, and a preset if one is named; or for an unlisted table of it
 * (`open` begins like `seek`). */
static bool do_request(OnlineMatch *online, const OnlineCommand *command, const char *rest) {
    Message message = message_new((MessageKind)command->what);
    if (!read_game(rest, message.seek.game, message.seek.preset))
        return true;
    if (message.seek.preset[0] != '\0')
        message_set_present(&message, "preset");
    if (message.kind == MESSAGE_CLIENT_OPEN) {
        message.open.secret = true;
        message_set_present(&message, "secret");
    }
    return send(online, &message);
}

/* Requests a match against an AI player of the server, by default of level 1. */
static bool do_robot(OnlineMatch *online, const OnlineCommand *command, const char *rest) {
    (void)command;
    Message message = message_new(MESSAGE_CLIENT_OPEN);
    char level[PROTO_ID_MAX + 1];
    if (!read_game(rest, message.open.game, level))
        return true;
    message.open.level = level[0] == '\0' ? 1 : atoi(level);
    if (message.open.level < 1 || message.open.level > PROTO_LEVEL_MAX) {
        printf("  The level must be 1 to %d.\n", (int)PROTO_LEVEL_MAX);
        return true;
    }
    message.open.opponent = PROTO_OPPONENT_AI;
    message_set_present(&message, "opponent");
    message_set_present(&message, "level");
    return send(online, &message);
}

/* Takes a seat at the table of a code, or watches it. */
static bool do_code(OnlineMatch *online, const OnlineCommand *command, const char *rest) {
    uint64_t number;
    Message message = message_new((MessageKind)command->what);
    if (!table_code_decode(rest, &number)) {
        puts("  Which table? A code looks like k7qf-2m9x-w3ab; type matches for a list.");
        return true;
    }
    table_code_encode(number, command->what == MESSAGE_CLIENT_JOIN ? message.join.code
                                                                   : message.watch.code);
    return send(online, &message);
}

/* --- The match -------------------------------------------------------------------------------- */

/* Offers, accepts or declines a draw. */
static bool do_draw(OnlineMatch *online, const OnlineCommand *command, const char *rest) {
    Message message = message_new(MESSAGE_CLIENT_DRAW);
    (void)rest;
    message.draw.what = (uint8_t)command->what;
    return send(online, &message);
}

/* Undoes the last action of one's own. */
static bool do_undo(OnlineMatch *online, const OnlineCommand *command, const char *rest) {
    Message message = message_new(MESSAGE_CLIENT_UNDO);
    (void)command;
    (void)rest;
    message.undo.position = (int32_t)client_table(online->client)->number;
    return send(online, &message);
}

/* Asks for a takeback, or accepts or declines one. */
static bool do_takeback(OnlineMatch *online, const OnlineCommand *command, const char *rest) {
    Message message = message_new(MESSAGE_CLIENT_TAKEBACK);
    (void)command;
    for (uint8_t what = PROTO_TAKEBACK_ACCEPT; what < PROTO_TAKEBACK_COUNT; what++)
        if (strcmp(rest, choice_id(PROTO_TAKEBACKS_LIST, what)) == 0)
            message.takeback.what = what;
    if (rest[0] != '\0' && message.takeback.what == PROTO_TAKEBACK_OFFER) {
        puts("  Usage: takeback, takeback accept or takeback decline.");
        return true;
    }
    return send(online, &message);
}

/* Sends a chat message; prints its usage if the message is empty or too long. */
static bool do_chat(OnlineMatch *online, const OnlineCommand *command, const char *rest) {
    (void)command;
    Message message = message_new(MESSAGE_CLIENT_CHAT);
    MashText text = text_over(message.chat.text, sizeof message.chat.text);
    message_set_present(&message, "text");
    text_string(&text, rest);
    if (text.count == 0 || text.truncated)
        printf("  Usage: chat TEXT (1 to %d bytes), sent to everyone in the match.\n",
               (int)PROTO_CHAT_MAX);
    else
        send(online, &message);
    return true;
}

/* --- All of them ------------------------------------------------------------------------------ */

const OnlineCommand join_commands[] = {
    {"help", "", "this help", ANYWHERE, online_help, 0},
    {"games", "", "lists the games", ANYWHERE, send_simple, MESSAGE_CLIENT_GAMES},
    {"matches", "", "lists open tables and matches in progress", ANYWHERE, send_simple,
     MESSAGE_CLIENT_MATCHES},
    {"seek", "GAME [PRESET]", "quick match against anyone who's looking", AT_NO_TABLE, do_request,
     MESSAGE_CLIENT_SEEK},
    {"open", "GAME [PRESET]", "opens a table, with a code for a friend", AT_NO_TABLE, do_request,
     MESSAGE_CLIENT_OPEN},
    {"robot", "GAME [LEVEL]", "plays against the server's AI", AT_NO_TABLE, do_robot, 0},
    {"join", "CODE", "joins a table", AT_NO_TABLE, do_code, MESSAGE_CLIENT_JOIN},
    {"watch", "CODE", "watches a match", AT_NO_TABLE, do_code, MESSAGE_CLIENT_WATCH},
    {"board", "[X Y|all]", "shows the board; around a cell, or all of a large one", AT_A_TABLE,
     online_board, 0},
    {"units", "", "lists every unit", AT_A_TABLE, online_units, 0},
    {"log", "[N]", "what happened since you joined, or in the last N positions", AT_A_TABLE,
     online_log, 0},
    {"options", "", "this match's rules and times", AT_A_TABLE, do_options, 0},
    {"people", "", "lists the players", AT_A_TABLE, do_people, 0},
    {"chat", "WORDS", "sends a chat message", AT_A_TABLE, do_chat, 0},
    {"pause", "", "stops all clocks", IN_A_MATCH, send_simple, MESSAGE_CLIENT_PAUSE},
    {"continue", "", "resumes the match", IN_A_MATCH, send_simple, MESSAGE_CLIENT_CONTINUE},
    {"draw", "", "offers a draw", IN_A_MATCH, do_draw, PROTO_DRAW_OFFER},
    {"accept", "", "accepts the draw that was offered", IN_A_MATCH, do_draw, PROTO_DRAW_ACCEPT},
    {"decline", "", "declines the draw", IN_A_MATCH, do_draw, PROTO_DRAW_DECLINE},
    {"undo", "", "undoes your last action, if that is still possible", IN_A_MATCH, do_undo, 0},
    {"takeback", "[accept|decline]", "asks to take back your last action, or answers that",
     IN_A_MATCH, do_takeback, 0},
    {"resign", "", "resigns", IN_A_MATCH, send_simple, MESSAGE_CLIENT_RESIGN},
    {"rematch", "", "asks for a rematch with swapped seats", AT_A_SEAT, send_simple,
     MESSAGE_CLIENT_REMATCH},
    {"leave", "", "leaves the table (you lose a match in progress)", AT_A_TABLE, send_simple,
     MESSAGE_CLIENT_LEAVE},
    {"quit", "", "quits; your seat is kept for a while", ANYWHERE, online_quit, 0},
    {NULL, NULL, NULL, ANYWHERE, NULL, 0},
};

const char *join_missing(const OnlineMatch *online, const OnlineCommand *command) {
    static const char *const needs[] = {
        [AT_NO_TABLE] = "You're at a table. Leave it first.",
        [AT_A_TABLE] = "You're not at a table. Use seek, open, robot, join or watch.",
        [AT_A_SEAT] = "You're not playing in this match.",
        [IN_A_MATCH] = "No match in progress."};
    const ClientTable *table = client_table(online->client);
    bool there = table->code[0] != '\0', seated = there && table->you < MASH_SEATS;
    bool fits[] = {[ANYWHERE] = true,
                   [AT_NO_TABLE] = !there,
                   [AT_A_TABLE] = there,
                   [AT_A_SEAT] = seated,
                   [IN_A_MATCH] = seated && table->state == PROTO_STATE_RUNNING};
    return fits[command->where] ? NULL : needs[command->where];
}

void join_farewell(const Join *join) {
    const ClientTable *table = join_table(join);
    if (table->token[0] == '\0' || table->state != PROTO_STATE_RUNNING)
        return;
    printf("Your seat is kept for %d seconds: mashup join %s --return %s\n",
           (table->grace_ms + 999) / 1000, join->place, table->token);
}
