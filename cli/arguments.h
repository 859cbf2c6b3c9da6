/* arguments.h -- command line arguments of a subcommand: flags, which each command declares in a
 * table, and positional arguments.
 *
 * `--seed 7` and `--seed=7` are the same; `--` ends the flags; `--help` and `-h` print the
 * command's help. Unknown flags are refused, with a suggestion; values are checked before the
 * command runs. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H
#include "cli/cli.h"

/* Limits: flags per command, uses of one flag, positional arguments. */
enum { ARGUMENTS_FLAGS_MAX = 64, ARGUMENTS_VALUES_MAX = 16, ARGUMENTS_PLAIN_MAX = 4096 };

/* A flag that a command accepts; its name without the dashes. A table ends with a row without a
 * name. */
typedef struct Flag {
    const char *name;
    uint64_t least, most, usual; /* most > 0: a whole number in this range, and its default */
    const char *choices;         /* "a|b": one of these words; by default the first */
    const char *variable;        /* of the environment, read where the flag was not given */
    uint32_t max;                /* how often it may be given; 0: it takes no value */
    char letter;                 /* of its short form, -m; 0: it has none */
} Flag;

/* Rows of the table; .variable and .letter may follow the arguments. */
#define FLAG_SWITCH(...)                                                                           \
    { .name = __VA_ARGS__ }
#define FLAG_TEXT(...)                                                                             \
    { .max = 1, .name = __VA_ARGS__ }
#define FLAG_LIST(max_, ...)                                                                       \
    { .max = (max_), .name = __VA_ARGS__ }
#define FLAG_WHOLE(...)                                                                            \
    { .max = 1, .name = __VA_ARGS__ } /* name, least, most, default */
#define FLAG_CHOICE(name_, ...)                                                                    \
    { .max = 1, .name = (name_), .choices = __VA_ARGS__ }
#define FLAGS_END                                                                                  \
    { .name = NULL }

/* What was given for one flag. */
typedef struct FlagGiven {
    const char *values[ARGUMENTS_VALUES_MAX]; /* in the order given */
    uint32_t count;
    uint64_t number; /* a whole number, or the number of a choice */
} FlagGiven;

/* What a command is run with. */
struct Arguments {
    const Command *command;
    const Flag *flags;
    FlagGiven given[ARGUMENTS_FLAGS_MAX];   /* in the order of the table */
    const char *words[ARGUMENTS_PLAIN_MAX]; /* positional */
    uint32_t count;
};

/* Reads the arguments and runs the command. Its exit code. */
int arguments_run(const Command *command, int count, char **words);
/* What was given for the flag of this name; NULL: the command has none. */
const FlagGiven *flag_find(const Arguments *given, const char *name);
/* For a flag that the command has: was it given; the last value given, or NULL; the number. */
bool flag_given(const Arguments *given, const char *name);
const char *flag_text(const Arguments *given, const char *name);
uint64_t flag_number(const Arguments *given, const char *name);

#endif
