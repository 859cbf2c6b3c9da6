/* arguments.h -- command line arguments of a subcommand: flags with and without a value, and
 * positional arguments.
 *
 * `--seed 7` and `--seed=7` are the same; `--` ends the flags; `--help` and `-h` print the
 * command's help. Unknown flags are refused, with a suggestion. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H
#include "cli/cli.h"

/* Limits: flags per command, uses of one flag, positional arguments. */
enum { ARGUMENTS_FLAGS_MAX = 64, ARGUMENTS_VALUES_MAX = 16, ARGUMENTS_PLAIN_MAX = 4096 };

/* A flag that a command accepts; its name without the dashes. */
typedef struct Flag {
    const char *name;
    uint32_t max;                             /* how often it may be given; 0: it takes no value */
    const char *values[ARGUMENTS_VALUES_MAX]; /* in the order given */
    uint32_t count;                           /* how often it was given */
} Flag;

/* Positional arguments, in order. */
typedef struct Positional {
    const char *words[ARGUMENTS_PLAIN_MAX];
    uint32_t count;
} Positional;

/* What to do after parsing: continue, or exit with that code. */
typedef struct ParseResult {
    bool ok;
    int exit_code;
} ParseResult;

/* Parses the arguments. There must be `plain_least` to `plain_most` positional ones. */
ParseResult arguments_read(const Command *command, int count, char **words, Flag *flags,
                           uint32_t flags_count, Positional *plain, uint32_t plain_least,
                           uint32_t plain_most);
/* The last value given, or NULL. */
const char *flag_value(const Flag *flag);
/* A decimal integer from least to most as the value; `usual` if the flag was not given. False: an
 * error was printed. */
bool flag_whole(const Command *command, const Flag *flag, uint64_t least, uint64_t most,
                uint64_t usual, uint64_t *out);

#endif
