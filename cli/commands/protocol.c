/* protocol.c -- mashup protocol: the arena's messages, for people or as a JSON schema, and the
 * schema of the Marvelous Mashup standard. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/arguments.h"
#include "proto/print.h"
#include "standard/wire.h"

enum { PAGE_BYTES = 1 << 20 };

static const Flag flags[] = {FLAG_SWITCH("schema"), FLAG_SWITCH("standard"), FLAGS_END};

static int run(const Arguments *given) {
    char *memory = cli_memory(PAGE_BYTES);
    MashText text = text_over(memory, PAGE_BYTES);
    if (flag_given(given, "standard"))
        standard_print_schema(&text);
    else if (flag_given(given, "schema"))
        print_schema(&text);
    else
        print_protocol(&text);
    fputs(memory, stdout);
    free(memory);
    return CLI_FINE;
}

const Command command_protocol = {
    "protocol", "Prints the client protocol.", "protocol [--schema | --standard]", run, flags, 0, 0,
    NULL};
