/* game_config.h -- the configuration of a match: game, content and options as given on the command
 * line, and seeds. */
#ifndef CLI_GAME_CONFIG_H
#define CLI_GAME_CONFIG_H
#include "cli/arguments.h"

/* Loaded content and the choices for setup(). */
typedef struct GameConfig {
    const MashGame *game;
    const char *preset; /* NULL: the default */
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t documents_count;
    MashContent *content;
    int32_t options[MASH_OPTIONS_MAX];
} GameConfig;

/* The game of this name. NULL: an error with suggestions was printed. */
const MashGame *game_config_game(const Command *command, const char *id);
/* Loads the preset with the given files in place of its documents, and parses options of the form
 * id=value. False: errors were printed. Any flag may be NULL. */
bool game_config_make(GameConfig *setting, const Command *command, const MashGame *game,
                      const Flag *preset, const Flag *contents, const Flag *options);
/* Parses the value of an option; yes, on, true, no, off and false are 1 and 0. False: not a value,
 * or out of the option's range. */
bool game_config_option_value(const MashOption *option, const char *words, int32_t *out);
/* Loads setting->documents; false: problems were printed. */
bool game_config_load(GameConfig *setting);

/* A seed from --seed: decimal up to 64 bits, or 32 hex digits; a random one from the system if it
 * was not given. */
bool game_config_seed(const Command *command, const Flag *flag, MashSeed *out);
/* The shortest text for the seed that --seed accepts. */
void game_config_seed_text(MashSeed seed, MashText *text);
/* Appends the flags that reproduce this configuration: " --preset duel --option draw=1"; files are
 * omitted. */
void game_config_flags(const GameConfig *setting, MashText *text);

#endif
