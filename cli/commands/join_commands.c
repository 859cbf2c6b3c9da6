/* join_commands.c -- the part of join.h that is typed: commands of the lobby and of the table,
 * numbers of the menu, actions in words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/join.h"

/* Where a command makes sense. */
typedef enum Where { ANYWHERE, AT_NO_TABLE, AT_A_TABLE, AT_A_SEAT, IN_A_MATCH } Where;

/* One command; `run` gets what was typed behind the name. False: the program shall end. */
typedef struct JoinCommand {
    const char *name, *argument, *meaning;
    Where where;
    bool (*run)(Join *join, const char *rest);
} JoinCommand;

enum { COMMANDS = 26, NAME_BYTES = 16, WORD_BYTES = 64 };
static const JoinCommand commands[COMMANDS]; /* the last one has no name */

/* What is known of the table. */
static const ClientTable *table_of(const Join *join) { return client_table(join->client); }

/* Sends a wish, which also breaks a silence, or says that there is no connection. */
static void wish(Join *join, const Message *message) {
    if (client_send(join->client, message))
        join->warned = false;
    else
        join_say(join, "  There is no connection just now.");
}

/* Sends a wish without fields, or says why not. Always true: we stay. */
static bool ask(Join *join, MessageKind kind) {
    Message message = message_new(kind);
    wish(join, &message);
    return true;
}

/* --- Looking ---------------------------------------------------------------------------------- */

/* Is the command one for where we are: no table, a table, a seat, a match? */
static bool fits(const Join *join, const JoinCommand *command) {
    const ClientTable *table = table_of(join);
    bool there = table->code[0] != '\0', seated = there && table->you < MASH_SEATS;
    switch (command->where) {
    case AT_NO_TABLE:
        return !there;
    case AT_A_TABLE:
        return there;
    case AT_A_SEAT:
        return seated;
    case IN_A_MATCH:
        return seated && table->state == PROTO_STATE_RUNNING;
    default:
        return true;
    }
}

/* Prints what can be typed where we are now. */
static bool do_help(Join *join, const char *rest) {
    (void)rest;
    if (client_awaited(join->client))
        puts("\n  Choose a number of the menu, or type what you want to do in the menu's words.\n"
             "  Words may be shortened or left out as long as only one action fits. A cell is its\n"
             "  column and its row: 3 4. Enter alone shows the table again, 0 leaves a menu.");
    putchar('\n');
    for (const JoinCommand *command = commands; command->name != NULL; command++)
        if (fits(join, command))
            printf("  %-9s %-14s %s\n", command->name, command->argument, command->meaning);
    putchar('\n');
    return true;
}

/* Draws the board: all of it, the part around a cell, or the part in focus. */
static bool do_board(Join *join, const char *rest) {
    int x, y;
    if (join->view == NULL || table_of(join)->view == NULL) {
        puts("  The match has not begun.");
        return true;
    }
    picture_take(&join->picture, join->view);
    if (strcmp(rest, "all") == 0) {
        picture_print_board(&join->picture, true);
        return true;
    }
    if (sscanf(rest, "%d%*[ ,]%d", &x, &y) == 2)
        picture_focus(&join->picture, x, y);
    picture_print_head(&join->picture);
    picture_print_board(&join->picture, false);
    return true;
}

/* Prints all units with all that is known of them; nothing before the match. */
static bool do_units(Join *join, const char *rest) {
    (void)rest;
    if (join->view != NULL && table_of(join)->view != NULL) {
        picture_take(&join->picture, join->view);
        picture_print_sides(&join->picture, true);
    }
    return true;
}

/* Tells what has happened since we came, or in the last N positions. */
static bool do_log(Join *join, const char *rest) {
    int last = atoi(rest);
    const ClientTable *table = table_of(join);
    uint32_t reader = table->you < MASH_SEATS ? table->you : STORY_WATCHER;
    uint32_t from = last > 0 && (uint32_t)last < join->told ? join->told - (uint32_t)last + 1 : 0;
    if (story_count(&join->story, reader, from, join->told) == 0)
        puts("  Nothing has happened since you came.");
    story_print(&join->story, reader, from, join->told, 0, "  ");
    return true;
}

/* Prints a time of the table in seconds, rounded up; nothing if there is no limit. */
static void print_limit(const char *what, int32_t ms) {
    if (ms > 0)
        printf("  %-18s %d s\n", what, (ms + 999) / 1000);
}

/* Prints what the table is played with, its times, and how to come back to the seat. */
static bool do_options(Join *join, const char *rest) {
    const ClientTable *table = table_of(join);
    (void)rest;
    printf("  table %s: %s%s%s%s\n", table->code, table->game->id,
           table->preset[0] == '\0' ? "" : ", preset ", table->preset,
           table->secret ? ", not in the list" : "");
    for (uint32_t i = 0; i < table->game->options_count; i++)
        printf("  %-18s %d   %s\n", table->game->options[i].id, table->options[i],
               table->game->options[i].title);
    print_limit("time for a turn", table->turn_ms);
    print_limit("for the match", table->match_ms);
    print_limit("longest pause", table->pause_ms);
    print_limit("longest silence", table->silence_ms);
    print_limit("to come back", table->grace_ms);
    if (table->token[0] != '\0')
        printf("  your seat from anywhere: mashup join %s --return %s\n", join->place,
               table->token);
    return true;
}

/* Who sits where, and who is here. */
static bool do_people(Join *join, const char *rest) {
    (void)rest;
    join_print_people(join);
    return true;
}

/* --- The lobby -------------------------------------------------------------------------------- */

/* Asks the server for its games. */
static bool do_games(Join *join, const char *rest) {
    (void)rest;
    return ask(join, MESSAGE_CLIENT_GAMES);
}

/* Asks the server for its matches. */
static bool do_matches(Join *join, const char *rest) {
    (void)rest;
    return ask(join, MESSAGE_CLIENT_MATCHES);
}

/* The game and perhaps the preset that were typed. False: there is no such game, it was said. */
static bool read_game(const char *rest, char game[PROTO_ID_MAX + 1],
                      char preset[PROTO_ID_MAX + 1]) {
    game[0] = preset[0] = '\0';
    sscanf(rest, "%47s %47s", game, preset);
    if (mash_game_find(game) != NULL)
        return true;
    puts("  Which game? games lists them.");
    return false;
}

/* Asks for a quick match of a game, and a preset if one is named. */
static bool do_seek(Join *join, const char *rest) {
    Message message = message_new(MESSAGE_CLIENT_SEEK);
    if (!read_game(rest, message.seek.game, message.seek.preset))
        return true;
    if (message.seek.preset[0] != '\0')
        message_set_present(&message, "preset");
    wish(join, &message);
    return true;
}

/* Asks for a table of one's own that is not in the list. */
static bool do_open(Join *join, const char *rest) {
    Message message = message_new(MESSAGE_CLIENT_OPEN);
    if (!read_game(rest, message.open.game, message.open.preset))
        return true;
    if (message.open.preset[0] != '\0')
        message_set_present(&message, "preset");
    message.open.secret = true;
    message_set_present(&message, "secret");
    wish(join, &message);
    return true;
}

/* Asks for a match against a robot of the house, usually of level 1. */
static bool do_robot(Join *join, const char *rest) {
    Message message = message_new(MESSAGE_CLIENT_OPEN);
    char level[PROTO_ID_MAX + 1];
    if (!read_game(rest, message.open.game, level))
        return true;
    message.open.level = level[0] == '\0' ? 1 : atoi(level);
    if (message.open.level < 1 || message.open.level > PROTO_LEVEL_MAX) {
        printf("  A robot's level is 1 to %d.\n", (int)PROTO_LEVEL_MAX);
        return true;
    }
    message.open.opponent = PROTO_OPPONENT_AI;
    message_set_present(&message, "opponent");
    message_set_present(&message, "level");
    wish(join, &message);
    return true;
}

/* A wish with the code of a table. */
static bool wish_code(Join *join, MessageKind kind, const char *code) {
    uint64_t number;
    Message message = message_new(kind);
    if (!table_code_decode(code, &number)) {
        puts("  Which table? A code is like k7qf-2m9x-w3ab; matches lists some.");
        return true;
    }
    table_code_encode(number, kind == MESSAGE_CLIENT_JOIN ? message.join.code : message.watch.code);
    wish(join, &message);
    return true;
}

/* Sits down at the table of a code. */
static bool do_join(Join *join, const char *rest) {
    return wish_code(join, MESSAGE_CLIENT_JOIN, rest);
}

/* Watches the table of a code. */
static bool do_watch(Join *join, const char *rest) {
    return wish_code(join, MESSAGE_CLIENT_WATCH, rest);
}

/* --- The match -------------------------------------------------------------------------------- */

/* Offers, accepts or declines a draw. */
static bool say_about_draw(Join *join, uint8_t what) {
    Message message = message_new(MESSAGE_CLIENT_DRAW);
    message.draw.what = what;
    wish(join, &message);
    return true;
}

/* Offers a draw. */
static bool do_draw(Join *join, const char *rest) {
    (void)rest;
    return say_about_draw(join, PROTO_DRAW_OFFER);
}

/* Takes the draw that was offered. */
static bool do_accept(Join *join, const char *rest) {
    (void)rest;
    return say_about_draw(join, PROTO_DRAW_ACCEPT);
}

/* Turns it down. */
static bool do_decline(Join *join, const char *rest) {
    (void)rest;
    return say_about_draw(join, PROTO_DRAW_DECLINE);
}

/* Gives the match up. */
static bool do_resign(Join *join, const char *rest) {
    (void)rest;
    return ask(join, MESSAGE_CLIENT_RESIGN);
}

/* Asks for a pause. */
static bool do_pause(Join *join, const char *rest) {
    (void)rest;
    return ask(join, MESSAGE_CLIENT_PAUSE);
}

/* Ends the pause. */
static bool do_continue(Join *join, const char *rest) {
    (void)rest;
    return ask(join, MESSAGE_CLIENT_CONTINUE);
}

/* Asks for another match. */
static bool do_rematch(Join *join, const char *rest) {
    (void)rest;
    return ask(join, MESSAGE_CLIENT_REMATCH);
}

/* Says a line to the table; explains itself if there are no words or too many. */
static bool do_chat(Join *join, const char *rest) {
    Message message = message_new(MESSAGE_CLIENT_CHAT);
    MashText text = text_over(message.chat.text, sizeof message.chat.text);
    text_string(&text, rest);
    if (text.count == 0 || text.truncated)
        printf("  chat WORDS says them to everybody at the table: 1 to %d bytes.\n",
               (int)PROTO_CHAT_MAX);
    else
        wish(join, &message);
    return true;
}

/* Leaves the table, and loses a match that is on. */
static bool do_leave(Join *join, const char *rest) {
    (void)rest;
    return ask(join, MESSAGE_CLIENT_LEAVE);
}

/* Leaves the server; the seat can be taken up again. */
static bool do_quit(Join *join, const char *rest) {
    (void)join;
    (void)rest;
    return false;
}

/* --- All of them ------------------------------------------------------------------------------ */

static const JoinCommand commands[COMMANDS] = {
    {"help", "", "this page", ANYWHERE, do_help},
    {"games", "", "what can be played here", ANYWHERE, do_games},
    {"matches", "", "tables that are open, matches that are on", ANYWHERE, do_matches},
    {"seek", "GAME [PRESET]", "a quick match with whoever seeks the same", AT_NO_TABLE, do_seek},
    {"open", "GAME [PRESET]", "a table of your own, with a code for a friend", AT_NO_TABLE,
     do_open},
    {"robot", "GAME [LEVEL]", "a match against a robot of the house", AT_NO_TABLE, do_robot},
    {"join", "CODE", "takes the free seat of a table", AT_NO_TABLE, do_join},
    {"watch", "CODE", "looks on at a table", AT_NO_TABLE, do_watch},
    {"board", "[X Y|all]", "the board again; around a cell, or all of a big one", AT_A_TABLE,
     do_board},
    {"units", "", "every unit in a row of its own", AT_A_TABLE, do_units},
    {"log", "[N]", "what happened since you came, or in the last N positions", AT_A_TABLE, do_log},
    {"options", "", "rule variants and times of this match", AT_A_TABLE, do_options},
    {"people", "", "who sits where", AT_A_TABLE, do_people},
    {"chat", "WORDS", "says them to everybody at the table", AT_A_TABLE, do_chat},
    {"pause", "", "stops all clocks", IN_A_MATCH, do_pause},
    {"continue", "", "ends a pause", IN_A_MATCH, do_continue},
    {"draw", "", "offers a draw", IN_A_MATCH, do_draw},
    {"accept", "", "accepts the draw that was offered", IN_A_MATCH, do_accept},
    {"decline", "", "declines it", IN_A_MATCH, do_decline},
    {"resign", "", "gives the match up", IN_A_MATCH, do_resign},
    {"rematch", "", "another match, with changed seats", AT_A_SEAT, do_rematch},
    {"leave", "", "leaves the table; a running match is lost", AT_A_TABLE, do_leave},
    {"quit", "", "ends the program; a match waits for you a while", ANYWHERE, do_quit},
    {NULL, NULL, NULL, ANYWHERE, NULL},
};

/* The command of this name, or the only one that begins so. NULL: none. */
static const JoinCommand *find(const Join *join, const char *line, bool whole) {
    size_t letters = strcspn(line, " ");
    const JoinCommand *found = NULL;
    char name[NAME_BYTES], front[NAME_BYTES];
    if (letters == 0 || letters >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)letters, line);
    for (const JoinCommand *command = commands; command->name != NULL; command++) {
        snprintf(front, sizeof front, "%.*s", (int)letters, command->name);
        if (text_equal_nocase(name, command->name))
            return command;
        if (whole || !fits(join, command) || !text_equal_nocase(name, front))
            continue;
        if (found != NULL)
            return NULL;
        found = command;
    }
    return found;
}

/* Runs a command if it makes sense here, else says what is missing. False: the program ends. */
static bool run(Join *join, const JoinCommand *command, const char *line) {
    static const char *const needs[] = {
        [AT_NO_TABLE] = "You are at a table: leave it first.",
        [AT_A_TABLE] = "You are at no table: seek, open, robot, join or watch.",
        [AT_A_SEAT] = "You have no seat here.",
        [IN_A_MATCH] = "You are not in a match that is on."};
    size_t letters = strcspn(line, " ");
    if (fits(join, command))
        return command->run(join, line + letters + (line[letters] == ' '));
    printf("  %s\n", needs[command->where]);
    return true;
}

/* --- Actions ---------------------------------------------------------------------------------- */

/* A number of the menu? */
static bool is_number(const char *line) {
    return line[0] != '\0' && strspn(line, "0123456789") == strlen(line) && strlen(line) < 9;
}

/* Sends what was settled on, or shows the menu of what is still in question. */
static void settle(Join *join) {
    MashAction action;
    if (!action_menu_settled(&join->choices, &action)) {
        join_draw_menu(join);
        return;
    }
    if (client_act(join->client, action))
        join->warned = false;
    else
        join_say(join, "  There is no connection just now.");
    action_menu_reset(&join->choices);
}

/* A number of the menu was typed: picks its row; 0 goes back to the whole menu. */
static void take_number(Join *join, uint32_t number) {
    if (number == 0) {
        action_menu_reset(&join->choices);
        join_draw_menu(join);
    } else if (action_menu_pick(&join->choices, number)) {
        settle(join);
    } else {
        printf("  The menu has no number %u.\n", number);
    }
}

/* Why the words mean nothing. */
static void say_nothing_fits(const Join *join, const char *line) {
    const ClientTable *table = table_of(join);
    char bytes[256];
    MashText text = text_over(bytes, sizeof bytes);
    if (table->code[0] == '\0')
        text_string(&text, "That is no command here; help lists them.");
    else if (table->paused)
        text_string(&text, "The match is paused; continue goes on.");
    else if (!client_awaited(join->client))
        text_string(&text, "It is not your turn; help lists what can be typed.");
    else
        action_menu_explain(&join->choices, &join->picture, line, table->you, &text);
    if (text.count > 0)
        printf("  %s\n", bytes);
    else
        printf("  Nothing that can be done now fits \"%s\". Enter shows the menu, help explains.\n",
               line);
}

bool join_do(Join *join, const char *line) {
    bool acts = client_awaited(join->client) && join->choices.all_count > 0;
    if (line[0] == '\0') {
        join_draw(join);
        return true;
    }
    const JoinCommand *command = find(join, line, true);
    if (command != NULL)
        return run(join, command, line);
    if (acts && is_number(line)) {
        take_number(join, (uint32_t)atoi(line));
        return true;
    }
    if (acts && action_menu_type(&join->choices, &join->picture, line)) {
        settle(join);
        return true;
    }
    command = find(join, line, false);
    if (command != NULL)
        return run(join, command, line);
    say_nothing_fits(join, line);
    return true;
}

void join_farewell(const Join *join) {
    const ClientTable *table = table_of(join);
    if (table->token[0] == '\0' || table->state != PROTO_STATE_RUNNING)
        return;
    printf("Your seat waits for %d seconds: mashup join %s --return %s\n",
           (table->grace_ms + 999) / 1000, join->place, table->token);
}
