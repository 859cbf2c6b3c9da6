/* games.c -- mashup games: lists the games with their boards and options. */
#include <stdio.h>

#include "ai/ai.h"
#include "cli/arguments.h"
#include "cli/terminal/terminal.h"

enum { MARGIN_COLUMNS = 11, ID_COLUMNS = 22, WORDS_BYTES = 256 };

/* Prints a list's heading before its first row, blanks before the others. */
static void print_margin(const char *heading, uint32_t row) {
    printf("  %-*s", MARGIN_COLUMNS - 2, row == 0 ? heading : "");
}

/* Prints an id and its description in columns. */
static void print_row(const Terminal *terminal, const char *id, const char *words) {
    printf("%-*s ", ID_COLUMNS, id);
    terminal_print_wrapped(terminal, MARGIN_COLUMNS + ID_COLUMNS + 1, words);
}

/* Prints a game with its presets and options. */
static void print_game(const Terminal *terminal, const MashGame *game) {
    char words[WORDS_BYTES];
    printf("%-*s %s\n", ID_COLUMNS, game->id, game->title);
    for (uint32_t i = 0; i < game->presets_count; i++) {
        snprintf(words, sizeof words, "%s%s", game->presets[i].title, i == 0 ? " (default)" : "");
        print_margin("presets", i);
        print_row(terminal, game->presets[i].id, words);
    }
    for (uint32_t i = 0; i < game->options_count; i++) {
        const MashOption *option = &game->options[i];
        snprintf(words, sizeof words, "%s (%d to %d, default: %d)", option->title, option->least,
                 option->most, option->usual);
        print_margin("options", i);
        print_row(terminal, option->id, words);
    }
    print_margin("levels", 0);
    printf("1 to %u\n\n", (unsigned)ai_levels_of(game));
}

static const Flag flags[] = {FLAG_SWITCH("ids"), FLAGS_END};

static int run(const Arguments *given) {
    Terminal terminal = terminal_open();
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        if (flag_given(given, "ids"))
            puts((*game)->id);
        else
            print_game(&terminal, *game);
    }
    return CLI_FINE;
}

const Command command_games = {
    "games", "Lists the games, their boards and their options.", "games [--ids]", run, flags, 0, 0,
    NULL};
