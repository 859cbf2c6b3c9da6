/* flags.h -- start parameters of the Marvelous Mashup standard, for mashup serve and mashup
 * server: configurations, letters, environment variables, replays. */
#ifndef STANDARD_COMMANDS_FLAGS_H
#define STANDARD_COMMANDS_FLAGS_H
#include "cli/arguments.h"
#include "standard/server.h"

/* The flags, rows of a command's table. */
#define STANDARD_FLAGS                                                                             \
    FLAG_TEXT("conf-match", .letter = 'm', .variable = "MMU_CONF_MATCH"),                          \
        FLAG_TEXT("conf-chars", .letter = 'c', .variable = "MMU_CONF_CHARS"),                      \
        FLAG_TEXT("conf-scenario", .letter = 's', .variable = "MMU_CONF_SCENARIO"),                \
        FLAG_SWITCH("check-conf", .letter = 'C'),                                                  \
        FLAG_TEXT("replay", .letter = 'r', .variable = "MMU_REPLAY"),                              \
        FLAG_SWITCH("verbose", .letter = 'v'), FLAG_WHOLE("ais", 1, 2, 2),                         \
        FLAG_CHOICE("rules", "spec|customer"), FLAG_CHOICE("dialect", "each|wrapped|bare"),        \
        FLAG_SWITCH("single"), FLAG_WHOLE("pace", 0, 60000, 0)

/* The values of the flags; what it points to stays valid. False: exit with *exit_code; errors were
 * printed. */
bool standard_config_from_flags(const Arguments *given, StandardConfig *config, int *exit_code);

#endif
