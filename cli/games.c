/* games.c -- mashup games: which games there are, on which boards, with which options. */
#include <stdio.h>

#include "cli/arguments.h"

/* Prints a list's heading before its first row, blanks before the others. */
static void print_margin(const char *heading, uint32_t row) {
    printf("  %-9s", row == 0 ? heading : "");
}

static void print_game(const MashGame *game) {
    printf("%-18s %s\n", game->id, game->title);
    for (uint32_t i = 0; i < game->presets_count; i++) {
        print_margin("presets", i);
        printf("%-18s %s%s\n", game->presets[i].id, game->presets[i].title,
               i == 0 ? " (usual)" : "");
    }
    for (uint32_t i = 0; i < game->options_count; i++) {
        const MashOption *option = &game->options[i];
        char range[64];
        snprintf(range, sizeof range, "%d to %d, usually %d", option->least, option->most,
                 option->usual);
        print_margin("options", i);
        printf("%-18s %s (%s)\n", option->id, option->title, range);
    }
    putchar('\n');
}

enum { FLAG_IDS, FLAGS };

static int run(const Command *self, int count, char **words) {
    Flag flags[FLAGS] = {[FLAG_IDS] = {.name = "ids"}};
    Plain plain;
    Read read = arguments_read(self, count, words, flags, FLAGS, &plain, 0, 0);
    if (!read.go_on)
        return read.exit_code;
    for (const MashGame *const *game = mash_games; *game != NULL; game++) {
        if (flags[FLAG_IDS].count > 0)
            puts((*game)->id);
        else
            print_game(*game);
    }
    return CLI_FINE;
}

const Command command_games = {
    .name = "games",
    .summary = "Lists the games, their boards and their options.",
    .use = "games [--ids]",
    .help = "  --ids   nothing but the games' names, one a line\n"
            "\n"
            "A preset is a board or a start that comes with a game (--preset); an option is a\n"
            "variant of its rules (--option ID=VALUE).\n",
    .run = run,
};
