/* cli.h -- what the subcommands of `mashup` share: the table of commands, exit codes, messages on
 * stderr, memory. */
#ifndef CLI_CLI_H
#define CLI_CLI_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/crew.h"
#include "include/mashup.h"

/* Exit codes. */
enum { CLI_FINE = 0, CLI_CHECK_FAILED = 1, CLI_WRONG_USE = 2, CLI_DEPOSED = 3 };

/* Arguments as they were given: arguments.h. */
typedef struct Arguments Arguments;

/* What few commands have. */
typedef struct CommandExtras {
    const char *more;                       /* the name of a second help text */
    bool lenient;                           /* unknown flags are ignored with a warning */
    const struct Flag *(*make_flags)(void); /* the table, where it has to be collected */
} CommandExtras;

/* One subcommand: `use` is its usage line after "mashup "; cli/help/NAME.txt is what `mashup help
 * NAME` prints below it. run() returns an exit code. */
typedef struct Command {
    const char *name, *summary, *use;
    int (*run)(const Arguments *given);
    const struct Flag *flags;         /* NULL: it has none */
    uint32_t words_least, words_most; /* positional arguments */
    const CommandExtras *extras;      /* NULL: none */
} Command;

/* One per file of that name; main.c has the table of all. */
extern const Command command_admin;
extern const Command command_ai;
extern const Command command_bench;
extern const Command command_bot;
extern const Command command_check;
extern const Command command_engine;
extern const Command command_fmt;
extern const Command command_games;
extern const Command command_generate;
extern const Command command_help;
extern const Command command_join;
extern const Command command_league;
extern const Command command_perft;
extern const Command command_play;
extern const Command command_protocol;
extern const Command command_schema;
extern const Command command_serve;
extern const Command command_server;
extern const Command command_show;
extern const Command command_simulate;
extern const Command command_puzzles;
extern const Command command_report;
extern const Command command_stats;
extern const Command command_tip;
extern const Command command_tournament;
extern const Command command_trace;
extern const Command command_zorde;
/* All commands, terminated by NULL. */
extern const Command *const cli_commands[];
/* Runs the program with the words of its command line: the second is the command; without one,
 * `play`. The exit code. */
int cli_run(int count, char **words);

/* Prints what `mashup help NAME` prints. */
void cli_print_help(const Command *command);
/* Prints a usage error on stderr and how to get help. The exit code for it. */
int cli_wrong_use(const Command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints a problem of the document called `name` on stderr: name:line:column: path: reason. */
void cli_print_problem(const char *name, const MashProblem *problem);
/* Prints problems of documents on stderr, one per line, and how many were not kept. A problem has
 * little space for the name; the full one is looked up in `documents`. */
void cli_print_problems(const MashProblems *problems, const MashDocument *documents,
                        uint32_t count);

/* Zeroed memory aligned to 64 bytes, valid until free(); exits with an error message if there is
 * none. */
void *cli_memory(size_t bytes);

/* Threads that think, and their memory, until crew_close(); the same. */
Crew *cli_crew(const MashContent *content, uint32_t threads);

/* The list of `count` entries, moved to twice the memory if it has no space for one more. */
void *cli_grow(void *list, uint32_t count, uint32_t *max, size_t entry_bytes);

/* Keeps memory until the program ends, because much points into it; returns it. */
void *cli_keep(void *memory);

/* The word of the list that was probably meant, or NULL if none is close. */
const char *cli_nearest(const char *word, const char *const *words, uint32_t count);
/* Appends ": there is no game "x"; did you mean "y"?", or the whole list if none is close. */
void cli_suggest(MashText *text, const char *word, const char *const *words, uint32_t count);

#endif
