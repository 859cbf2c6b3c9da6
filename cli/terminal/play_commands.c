/* play_commands.c -- see play_commands.h. */
#include "cli/terminal/play_commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/about.h"
#include "cli/files.h"

/* One command; `argument` in the help, `run` gets what was typed after the name. */
typedef struct PlayCommand {
    const char *name, *argument, *meaning;
    Answer (*run)(LocalMatch *session, const char *rest);
} PlayCommand;

enum { COMMANDS = 16, OPTION_BYTES = 256, OPTION_COLUMNS = 18 };
static const PlayCommand commands[COMMANDS]; /* the last one has no name */

/* --- Display ---------------------------------------------------------------------------------- */

/* Prints the available commands. */
static Answer do_help(LocalMatch *session, const char *rest) {
    (void)rest;
    puts("\n"
         "  Type a menu number, or the action in words. You can shorten or omit words as\n"
         "  long as only one action matches; case doesn't matter. A cell is its column and\n"
         "  its row: 3 4. When you choose a cell, free cells show their number and\n"
         "  occupied ones a mark ([h0! instead of [h0]). 0 goes back to the full list,\n"
         "  Enter shows the board again. You can also type at any time:\n");
    for (const PlayCommand *command = commands; command->name != NULL; command++)
        printf("  %-7s %-9s  %s\n", command->name, command->argument, command->meaning);
    printf("\n  Complete rules: games/%s/RULES.md\n\n", session->setting.game->id);
    return ANSWER_AGAIN;
}

/* Draws the board: all of it, the part around a cell, or the part in focus. */
static Answer do_board(LocalMatch *session, const char *rest) {
    int x, y;
    local_match_look(session);
    if (strcmp(rest, "all") == 0) {
        picture_print_board(&session->picture, true);
        return ANSWER_AGAIN;
    }
    if (sscanf(rest, "%d%*[ ,]%d", &x, &y) == 2)
        picture_focus(&session->picture, x, y);
    picture_print_head(&session->picture);
    picture_print_board(&session->picture, false);
    return ANSWER_AGAIN;
}

/* Prints all units with all that is known of them. */
static Answer do_units(LocalMatch *session, const char *rest) {
    (void)rest;
    local_match_look(session);
    picture_print_sides(&session->picture, true);
    return ANSWER_AGAIN;
}

/* Describes a unit in sentences; without a name, the unit that acts. */
static Answer do_about(LocalMatch *session, const char *rest) {
    local_match_look(session);
    if (!about_print(&session->picture, rest))
        puts(rest[0] == '\0' ? "  Whom? about NAME" : "  Nobody here is called that.");
    return ANSWER_AGAIN;
}

/* Prints the last N actions as sentences, or all, as far as the reader may know them. */
static Answer do_log(LocalMatch *session, const char *rest) {
    int last = atoi(rest);
    uint32_t count = session->match.actions_count;
    uint32_t from = last > 0 && (uint32_t)last < count ? count - (uint32_t)last + 1 : 1;
    if (match_log_count(&session->log, session->seat, from, count) == 0)
        puts("  Nothing has happened yet.");
    match_log_print(&session->log, session->seat, from, count, 0, "  ");
    return ANSWER_AGAIN;
}

/* Prints the options of this match with their bounds. */
static Answer do_options(LocalMatch *session, const char *rest) {
    (void)rest;
    const MashGame *game = session->setting.game;
    for (uint32_t i = 0; i < game->options_count; i++) {
        const MashOption *option = &game->options[i];
        char words[OPTION_BYTES];
        snprintf(words, sizeof words, "%s (%d to %d, default: %d)", option->title, option->least,
                 option->most, option->usual);
        printf("  %-*s %d   ", OPTION_COLUMNS, option->id, session->match.options[i]);
        terminal_print_wrapped(&session->terminal, OPTION_COLUMNS + 7, words);
    }
    puts(game->options_count == 0
             ? "  This game has no options."
             : "  Set them when starting a match: mashup play GAME --option ID=VALUE");
    return ANSWER_AGAIN;
}

/* --- Undo, save, load, quit ------------------------------------------------------------------- */

/* Undoes this many decisions, by default one. */
static Answer do_undo(LocalMatch *session, const char *rest) {
    int wanted = rest[0] == '\0' ? 1 : atoi(rest);
    if (wanted < 1) {
        puts("  undo N takes back N moves; N must be at least 1.");
        return ANSWER_AGAIN;
    }
    uint32_t undone = local_match_undo(session, (uint32_t)wanted);
    if (undone == 0) {
        puts("  Nothing to undo.");
        return ANSWER_AGAIN;
    }
    printf("  Undid %u action%s.\n", undone, undone == 1 ? "" : "s");
    return ANSWER_DRAW;
}

/* Writes the match to `path`, or to its file; overwrites another file only with `replace`. */
static Answer save(LocalMatch *session, const char *path, bool replace) {
    if (path[0] == '\0')
        path = session->file;
    if (path[0] == '\0')
        puts("  Usage: save FILE");
    else if (!replace && files_exist(path) && strcmp(path, session->file) != 0)
        printf("  %s already exists; use save! %s to overwrite it.\n", path, path);
    else if (local_match_save(session, path))
        printf("  Saved in %s.\n", path);
    return ANSWER_AGAIN;
}

/* Saves, but not over another file. */
static Answer do_save(LocalMatch *session, const char *rest) { return save(session, rest, false); }

/* Saves, also over another file. */
static Answer do_save_over(LocalMatch *session, const char *rest) {
    return save(session, rest, true);
}

/* Continues with the match of a file; this one stays if the file cannot be read. */
static Answer do_load(LocalMatch *session, const char *rest) {
    if (rest[0] == '\0') {
        puts("  Usage: load FILE");
        return ANSWER_AGAIN;
    }
    fflush(stdout);
    return local_match_load(session, rest) ? ANSWER_DRAW : ANSWER_AGAIN;
}

void commands_farewell(const LocalMatch *session) {
    const Match *match = &session->match;
    bool over = match_result(match).over;
    if (session->file[0] != '\0' && session->saved == match->actions_count) {
        printf("%s: mashup %s %s\n", over ? "To show it again" : "To continue this match",
               over ? "show" : "play --load", session->file);
        return;
    }
    if (match->actions_count == 0 || over)
        return;
    char bytes[512];
    MashText text = text_over(bytes, sizeof bytes);
    text_format(&text, "mashup play %s", session->setting.game->id);
    game_config_flags(&session->setting, &text);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (session->programs[seat] != NULL)
            text_format(&text, " --vs %s%s", session->programs[seat]->id,
                        seat == 0 ? " --seat 1" : "");
    text_string(&text, " --seed ");
    game_config_seed_text(match->seed, &text);
    puts("This match was not saved. \"save FILE\" saves a match,");
    puts("\"mashup play --load FILE\" continues it. To start the same match again:");
    printf("  %s\n", bytes);
}

/* Quits. */
static Answer do_quit(LocalMatch *session, const char *rest) {
    (void)session;
    (void)rest;
    return ANSWER_QUIT;
}

/* --- The verbs of every game ------------------------------------------------------------------ */

/* Applies a verb that every game has, or prints why the seat may not. */
static Answer act(LocalMatch *session, uint8_t verb, uint8_t seat) {
    MashStatus status = local_match_act(session, (MashAction){.verb = verb, .seat = seat});
    if (status == MASH_OK)
        return ANSWER_DRAW;
    printf("  %s\n", mash_status_sentence(status));
    return ANSWER_AGAIN;
}

/* The seat that answers a draw offer: at a shared screen the one it was made to, whichever is on
 * the screen. */
static uint8_t answering_seat(const LocalMatch *session) {
    uint8_t other = (uint8_t)(1 - session->seat);
    return local_match_offered(session, other) && session->programs[other] == NULL ? other
                                                                                   : session->seat;
}

/* Resigns for the seat on the screen. */
static Answer do_resign(LocalMatch *session, const char *rest) {
    (void)rest;
    return act(session, MASH_VERB_RESIGN, session->seat);
}

/* Offers a draw. */
static Answer do_draw(LocalMatch *session, const char *rest) {
    (void)rest;
    return act(session, MASH_VERB_DRAW_OFFER, session->seat);
}

/* Accepts the draw offer. */
static Answer do_accept(LocalMatch *session, const char *rest) {
    (void)rest;
    return act(session, MASH_VERB_DRAW_ACCEPT, answering_seat(session));
}

/* Declines it. */
static Answer do_decline(LocalMatch *session, const char *rest) {
    (void)rest;
    return act(session, MASH_VERB_DRAW_DECLINE, answering_seat(session));
}

/* --- All of them ------------------------------------------------------------------------------ */

static const PlayCommand commands[COMMANDS] = {
    {"help", "", "this help", do_help},
    {"board", "[X Y|all]", "shows the board; around a cell, or all of a large one", do_board},
    {"units", "", "lists every unit", do_units},
    {"about", "[NAME]", "what a unit is and can do, in sentences", do_about},
    {"log", "[N]", "what happened, or only the last N actions", do_log},
    {"options", "", "this match's rule variants", do_options},
    {"undo", "[N]", "takes back the last move, or the last N", do_undo},
    {"save", "[FILE]", "saves the match to FILE, or to the last file used", do_save},
    {"save!", "FILE", "the same, overwriting an existing file", do_save_over},
    {"load", "FILE", "loads a match", do_load},
    {"draw", "", "offers a draw", do_draw},
    {"accept", "", "accepts the draw that was offered", do_accept},
    {"decline", "", "declines the draw", do_decline},
    {"resign", "", "resigns", do_resign},
    {"quit", "", "quits", do_quit},
    {NULL, NULL, NULL, NULL},
};

/* The text after the command's name. */
static const char *behind_name(const char *line, size_t letters) {
    return line + letters + (line[letters] == ' ');
}

Answer commands_do(LocalMatch *session, const char *line) {
    size_t letters = strcspn(line, " ");
    for (const PlayCommand *command = commands; command->name != NULL; command++) {
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)(letters < 15 ? letters : 15), line);
        if (letters < sizeof name && text_equal_nocase(name, command->name))
            return command->run(session, behind_name(line, letters));
    }
    return ANSWER_NONE;
}

Answer commands_do_short(LocalMatch *session, const char *line) {
    size_t letters = strcspn(line, " ");
    const PlayCommand *found = NULL;
    for (const PlayCommand *command = commands; command->name != NULL; command++) {
        char front[16];
        snprintf(front, sizeof front, "%.*s", (int)(letters < 15 ? letters : 15), command->name);
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)(letters < 15 ? letters : 15), line);
        if (letters == 0 || !text_equal_nocase(front, name))
            continue;
        if (found != NULL && strcmp(command->name, "save!") != 0)
            return ANSWER_NONE;
        found = found == NULL ? command : found;
    }
    return found == NULL ? ANSWER_NONE : found->run(session, behind_name(line, letters));
}
