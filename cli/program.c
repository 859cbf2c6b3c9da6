/* program.c -- all subcommands: finds the one that is wanted and runs it. */
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "cli/arguments.h"

enum { COMMANDS_MAX = 32 };

/* clang-format off */
const Command *const cli_commands[] = {
    &command_play,
    &command_games,
    &command_show,
    &command_check,
    &command_generate,
    &command_fmt,
    &command_simulate,
    &command_engine,
    &command_perft,
    &command_zorde,
    &command_trace,
    &command_serve,
    &command_server,
    &command_join,
    &command_ai,
    &command_bot,
    &command_admin,
    &command_protocol,
    &command_schema,
    &command_puzzles,
    &command_report,
    &command_tip,
    &command_stats,
    &command_league,
    &command_tournament,
    &command_bench,
    &command_help,
    NULL,
};
/* clang-format on */

/* The command of this name, or NULL. */
static const Command *find(const char *name) {
    for (const Command *const *command = cli_commands; *command != NULL; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}

/* Reports an unknown command and suggests the nearest. Always CLI_WRONG_USE. */
static int unknown(const char *name) {
    const char *names[COMMANDS_MAX];
    uint32_t count = 0;
    for (; cli_commands[count] != NULL && count < COMMANDS_MAX; count++)
        names[count] = cli_commands[count]->name;
    char bytes[512];
    MashText text = text_over(bytes, sizeof bytes);
    cli_suggest(&text, name, names, count);
    return cli_wrong_use(NULL, "unknown command \"%s\"%s", name, bytes);
}

int cli_run(int count, char **words) {
    if (count < 2)
        return arguments_run(&command_play, 0, words);
    const char *name = words[1];
    if (strcmp(name, "--version") == 0) {
        puts("mashup " MASH_VERSION);
        return CLI_FINE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return arguments_run(&command_help, 0, words);
    const Command *command = find(name);
    return command == NULL ? unknown(name) : arguments_run(command, count - 2, words + 2);
}
