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
    CommandAnswer (*run)(LocalMatch *local, const char *rest);
} PlayCommand;

enum { COMMANDS = 16, OPTION_BYTES = 256, OPTION_COLUMNS = 18 };
static const PlayCommand commands[COMMANDS]; /* the last one has no name */

/* --- Display ---------------------------------------------------------------------------------- */

/* Prints the available commands. */
static CommandAnswer do_help(LocalMatch *local, const char *rest) {
    (void)rest;
    puts("\n"
         "  Type a menu number, or the action in words. You can shorten or omit words as\n"
         "  long as only one action matches; case doesn't matter. A cell is its column and\n"
         "  its row: 3 4. When you choose a cell, free cells show their number and\n"
         "  occupied ones a mark ([h0! instead of [h0]). 0 goes back to the full list,\n"
         "  Enter shows the board again. You can also type at any time:\n");
    for (const PlayCommand *command = commands; command->name != NULL; command++)
        printf("  %-7s %-9s  %s\n", command->name, command->argument, command->meaning);
    printf("\n  Complete rules: games/%s/RULES.md\n\n", local->config.game->id);
    return ANSWER_AGAIN;
}

/* Draws the board: all of it, the part around a cell, or the part in focus. */
static CommandAnswer do_board(LocalMatch *local, const char *rest) {
    int x, y;
    local_match_look(local);
    if (strcmp(rest, "all") == 0) {
        picture_print_board(&local->picture, true);
        return ANSWER_AGAIN;
    }
    if (sscanf(rest, "%d%*[ ,]%d", &x, &y) == 2)
        picture_focus(&local->picture, x, y);
    picture_print_head(&local->picture);
    picture_print_board(&local->picture, false);
    return ANSWER_AGAIN;
}

/* Prints all units with all that is known of them. */
static CommandAnswer do_units(LocalMatch *local, const char *rest) {
    (void)rest;
    local_match_look(local);
    picture_print_sides(&local->picture, true);
    return ANSWER_AGAIN;
}

/* Describes a unit in sentences; without a name, the unit that acts. */
static CommandAnswer do_about(LocalMatch *local, const char *rest) {
    local_match_look(local);
    if (!about_print(&local->picture, rest))
        puts(rest[0] == '\0' ? "  Whom? about NAME" : "  Nobody here is called that.");
    return ANSWER_AGAIN;
}

/* Prints the last N actions as sentences, or all, as far as the reader may know them. */
static CommandAnswer do_log(LocalMatch *local, const char *rest) {
    int last = atoi(rest);
    uint32_t count = local->match.actions_count;
    uint32_t from = last > 0 && (uint32_t)last < count ? count - (uint32_t)last + 1 : 1;
    if (match_log_count(&local->log, local->seat, from, count) == 0)
        puts("  Nothing has happened yet.");
    match_log_print(&local->log, local->seat, from, count, 0, "  ");
    return ANSWER_AGAIN;
}

/* Prints the options of this match with their bounds. */
static CommandAnswer do_options(LocalMatch *local, const char *rest) {
    (void)rest;
    const MashGame *game = local->config.game;
    for (uint32_t i = 0; i < game->options_count; i++) {
        const MashOption *option = &game->options[i];
        char words[OPTION_BYTES];
        snprintf(words, sizeof words, "%s (%d to %d, default: %d)", option->title, option->least,
                 option->most, option->usual);
        printf("  %-*s %d   ", OPTION_COLUMNS, option->id, local->match.options[i]);
        terminal_print_wrapped(&local->terminal, OPTION_COLUMNS + 7, words);
    }
    puts(game->options_count == 0
             ? "  This game has no options."
             : "  Set them when starting a match: mashup play GAME --option ID=VALUE");
    return ANSWER_AGAIN;
}

/* --- Undo, save, load, quit ------------------------------------------------------------------- */

/* Undoes this many decisions, by default one. */
static CommandAnswer do_undo(LocalMatch *local, const char *rest) {
    int wanted = rest[0] == '\0' ? 1 : atoi(rest);
    if (wanted < 1) {
        puts("  undo N takes back N moves; N must be at least 1.");
        return ANSWER_AGAIN;
    }
    uint32_t undone = local_match_undo(local, (uint32_t)wanted);
    if (undone == 0) {
        puts("  Nothing to undo.");
        return ANSWER_AGAIN;
    }
    printf("  Undid %u action%s.\n", undone, undone == 1 ? "" : "s");
    return ANSWER_DRAW;
}

/* Writes the match to `path`, or to its file; overwrites another file only with `replace`. */
static CommandAnswer save(LocalMatch *local, const char *path, bool replace) {
    if (path[0] == '\0')
        path = local->file;
    if (path[0] == '\0')
        puts("  Usage: save FILE");
    else if (!replace && files_exist(path) && strcmp(path, local->file) != 0)
        printf("  %s already exists; use save! %s to overwrite it.\n", path, path);
    else if (local_match_save(local, path))
        printf("  Saved in %s.\n", path);
    return ANSWER_AGAIN;
}

/* Saves, but not over another file. */
static CommandAnswer do_save(LocalMatch *local, const char *rest) {
    return save(local, rest, false);
}

/* Saves, also over another file. */
static CommandAnswer do_save_over(LocalMatch *local, const char *rest) {
    return save(local, rest, true);
}

/* Continues with the match of a file; this one stays if the file cannot be read. */
static CommandAnswer do_load(LocalMatch *local, const char *rest) {
    if (rest[0] == '\0') {
        puts("  Usage: load FILE");
        return ANSWER_AGAIN;
    }
    fflush(stdout);
    return local_match_load(local, rest) ? ANSWER_DRAW : ANSWER_AGAIN;
}

void commands_farewell(const LocalMatch *local) {
    const Match *match = &local->match;
    bool over = match_result(match).over;
    if (local->file[0] != '\0' && local->saved == match->actions_count) {
        printf("%s: mashup %s %s\n", over ? "To show it again" : "To continue this match",
               over ? "show" : "play --load", local->file);
        return;
    }
    if (match->actions_count == 0 || over)
        return;
    char bytes[512];
    MashText text = text_over(bytes, sizeof bytes);
    text_format(&text, "mashup play %s", local->config.game->id);
    game_config_flags(&local->config, &text);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (local->programs[seat] != NULL)
            text_format(&text, " --vs %s%s", local->programs[seat]->id,
                        seat == 0 ? " --seat 1" : "");
    text_string(&text, " --seed ");
    game_config_seed_text(match->seed, &text);
    puts("This match was not saved. \"save FILE\" saves a match,");
    puts("\"mashup play --load FILE\" continues it. To start the same match again:");
    printf("  %s\n", bytes);
}

/* Quits. */
static CommandAnswer do_quit(LocalMatch *local, const char *rest) {
    (void)local;
    (void)rest;
    return ANSWER_QUIT;
}

/* --- The verbs of every game ------------------------------------------------------------------ */

/* Applies a verb that every game has, or prints why the seat may not. */
static CommandAnswer act(LocalMatch *local, uint8_t verb, uint8_t seat) {
    MashStatus status = local_match_act(local, (MashAction){.verb = verb, .seat = seat});
    if (status == MASH_OK)
        return ANSWER_DRAW;
    printf("  %s\n", mash_status_sentence(status));
    return ANSWER_AGAIN;
}

/* The seat that answers a draw offer: at a shared screen the one it was made to, whichever is on
 * the screen. */
static uint8_t answering_seat(const LocalMatch *local) {
    uint8_t other = (uint8_t)(1 - local->seat);
    return local_match_offered(local, other) && local->programs[other] == NULL ? other
                                                                               : local->seat;
}

/* Resigns for the seat on the screen. */
static CommandAnswer do_resign(LocalMatch *local, const char *rest) {
    (void)rest;
    return act(local, MASH_VERB_RESIGN, local->seat);
}

/* Offers a draw. */
static CommandAnswer do_draw(LocalMatch *local, const char *rest) {
    (void)rest;
    return act(local, MASH_VERB_DRAW_OFFER, local->seat);
}

/* Accepts the draw offer. */
static CommandAnswer do_accept(LocalMatch *local, const char *rest) {
    (void)rest;
    return act(local, MASH_VERB_DRAW_ACCEPT, answering_seat(local));
}

/* Declines it. */
static CommandAnswer do_decline(LocalMatch *local, const char *rest) {
    (void)rest;
    return act(local, MASH_VERB_DRAW_DECLINE, answering_seat(local));
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

CommandAnswer commands_do(LocalMatch *local, const char *line) {
    size_t letters = strcspn(line, " ");
    for (const PlayCommand *command = commands; command->name != NULL; command++) {
        char name[16];
        snprintf(name, sizeof name, "%.*s", (int)(letters < 15 ? letters : 15), line);
        if (letters < sizeof name && text_equal_nocase(name, command->name))
            return command->run(local, behind_name(line, letters));
    }
    return ANSWER_NONE;
}

CommandAnswer commands_do_short(LocalMatch *local, const char *line) {
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
    return found == NULL ? ANSWER_NONE : found->run(local, behind_name(line, letters));
}
