/* protocol.c -- mashup protocol: the arena's messages, for people or as a JSON schema, and the
 * schema of the Marvelous Mashup standard. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/arguments.h"
#include "proto/print.h"
#include "standard/wire.h"

enum { PAGE_BYTES = 1 << 20, FLAG_SCHEMA = 0, FLAG_STANDARD, FLAGS };

static int run(const Command *self, int count, char **words) {
    Flag flags[FLAGS] = {
        [FLAG_SCHEMA] = {.name = "schema"}, [FLAG_STANDARD] = {.name = "standard"}};
    Positional plain;
    ParseResult read = arguments_read(self, count, words, flags, FLAGS, &plain, 0, 0);
    if (!read.ok)
        return read.exit_code;
    char *memory = cli_memory(PAGE_BYTES);
    MashText text = text_over(memory, PAGE_BYTES);
    if (flags[FLAG_STANDARD].count > 0)
        standard_print_schema(&text);
    else if (flags[FLAG_SCHEMA].count > 0)
        print_schema(&text);
    else
        print_protocol(&text);
    fputs(memory, stdout);
    free(memory);
    return CLI_FINE;
}

const Command command_protocol = {"protocol", "Prints the client protocol.",
                                  "protocol [--schema | --standard]", run, NULL};
