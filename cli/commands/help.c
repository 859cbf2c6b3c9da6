/* help.c -- mashup help: all commands, or one of them in full. */
#include <stdio.h>
#include <string.h>

#include "cli/arguments.h"

enum { NAMES_MAX = 32 };

/* Prints all commands with a sentence each. */
static void print_all(void) {
    puts("mashup: two-player tactics games\n");
    for (const Command *const *command = cli_commands; *command != NULL; command++)
        printf("  mashup %-10s %s\n", (*command)->name, (*command)->summary);
    puts("\n"
         "Run \"mashup help COMMAND\" or \"mashup COMMAND --help\" for details.\n"
         "\"mashup\" alone starts a game; \"mashup --version\" prints the version.");
}

static int run(const Arguments *given) {
    if (given->count == 0) {
        print_all();
        return CLI_FINE;
    }
    const char *names[NAMES_MAX];
    uint32_t known = 0;
    for (; cli_commands[known] != NULL && known < NAMES_MAX; known++) {
        names[known] = cli_commands[known]->name;
        if (strcmp(names[known], given->words[0]) == 0) {
            cli_print_help(cli_commands[known]);
            return CLI_FINE;
        }
    }
    char bytes[512];
    MashText text = text_over(bytes, sizeof bytes);
    cli_suggest(&text, given->words[0], names, known);
    return cli_wrong_use(NULL, "unknown command \"%s\"%s", given->words[0], bytes);
}

const Command command_help = {
    "help", "Shows help for a command.", "help [COMMAND]", run, NULL, 0, 1, NULL};
