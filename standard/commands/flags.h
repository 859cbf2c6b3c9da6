/* flags.h -- start parameters of the Marvelous Mashup standard, for mashup serve and mashup
 * server: configurations, letters, environment variables, replays. */
#ifndef STANDARD_COMMANDS_FLAGS_H
#define STANDARD_COMMANDS_FLAGS_H
#include "cli/arguments.h"
#include "standard/server.h"

/* The flags, in this order after those of the caller. */
enum {
    STANDARD_FLAG_MATCH,
    STANDARD_FLAG_CHARACTERS,
    STANDARD_FLAG_SCENARIO,
    STANDARD_FLAG_CHECK,
    STANDARD_FLAG_REPLAY,
    STANDARD_FLAG_VERBOSE,
    STANDARD_FLAG_AIS,
    STANDARD_FLAG_RULES,
    STANDARD_FLAG_DIALECT,
    STANDARD_FLAG_SINGLE,
    STANDARD_FLAG_PACE,
    STANDARD_FLAGS
};

/* Fills in names and limits of the flags. */
void standard_name_flags(Flag flags[STANDARD_FLAGS]);
/* The arguments with short flags such as -m expanded. With `lenient`, unknown options are dropped
 * with a warning. The result is allocated and ends with NULL; *count is changed. */
char **standard_expand_short_flags(const Command *self, int *count, char **words, const Flag *flags,
                                   uint32_t flags_count, bool lenient);
/* Values of the environment (MMU_PORT ...) for flags that were not given. */
void standard_take_environment(Flag *flags, uint32_t flags_count);
/* The values of the flags; what it points to stays valid. False: exit with *exit_code; errors were
 * printed. */
bool standard_config_from_flags(const Command *self, const Flag flags[STANDARD_FLAGS],
                                StandardConfig *config, int *exit_code);
/* A log level of the standard, 0 to 4, or one of our names. False: an error was printed. */
bool standard_log_level(const Command *self, const Flag *flag, bool verbose, LogLevel *out);

#endif
