/* flags.h -- start parameters of the Marvelous Mashup standard, for mashup serve and mashup
 * server: configurations, letters, environment variables, replays. */
#ifndef STANDARD_COMMANDS_FLAGS_H
#define STANDARD_COMMANDS_FLAGS_H
#include "cli/arguments.h"
#include "standard/server.h"

/* The flags, in this order behind those of the caller. */
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

/* What serve's help says about them. */
#define STANDARD_HELP                                                                              \
    "\n"                                                                                           \
    "Other programs that speak the Marvelous Mashup standard (docs/standard.md)\n"                 \
    "connect to the same port, at any path except /arena. For them:\n"                             \
    "  -m, --conf-match FILE      match settings: NAME.game.json\n"                                \
    "  -c, --conf-chars FILE      characters: NAME.character.json\n"                               \
    "  -s, --conf-scenario FILE   board: NAME.scenario.json; all problems are listed\n"            \
    "  -C, --check-conf           check these files and exit\n"                                    \
    "  -r, --replay DIR           write finished matches there, in our format and in\n"            \
    "                             the standard's\n"                                                \
    "  --ais 1|2                  maximum number of AI players per table (default: 2)\n"           \
    "  --rules spec|customer      the rule set (default: spec)\n"                                  \
    "  --dialect wrapped|bare     framing for all of them (default: that of each one)\n"           \
    "  --single                   one table at a time; a third player is sent away\n"              \
    "  --pace MS                  least time between actions of the server's AI, in\n"             \
    "                             the first half of a turn (default: 100; 0 = none)\n"             \
    "  -p, -l N, -v, -h           --port, --log-level (0 off, 1 error ... 4 debug),\n"             \
    "                             --log-level debug, --help\n"                                     \
    "MMU_PORT, MMU_CONF_MATCH, MMU_CONF_CHARS, MMU_CONF_SCENARIO, MMU_REPLAY and\n"                \
    "MMU_LOG_LEVEL in the environment do the same. mashup server is mashup serve, but\n"           \
    "ignores unknown options with a warning, as the standard requires.\n"

/* Fills in names and limits of the flags. */
void standard_name_flags(Flag flags[STANDARD_FLAGS]);
/* The words with letters such as -m spelt out. With `lenient` options that nobody knows are left
 * out with a warning. The result is allocated and ends with NULL; *count is changed. */
char **standard_expand_short_flags(const Command *self, int *count, char **words, const Flag *flags,
                                   uint32_t flags_count, bool lenient);
/* Values of the environment (MMU_PORT ...) for flags that were not given. */
void standard_take_environment(Flag *flags, uint32_t flags_count);
/* What the flags say; what it points to stays. False: end with *exit_code; sentences were printed.
 */
bool standard_config_from_flags(const Command *self, const Flag flags[STANDARD_FLAGS],
                                StandardConfig *config, int *exit_code);
/* A level of the standard's log, 0 to 4, or a word of ours. False: a sentence was printed. */
bool standard_log_level(const Command *self, const Flag *flag, bool verbose, LogLevel *out);

#endif
