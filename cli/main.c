/* main.c -- the `mashup` program. Tests of commands have all of it but this file. */
#include "cli/cli.h"

int main(int count, char **words) { return cli_run(count, words); }
