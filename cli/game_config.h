/* game_config.h -- the configuration of a match: game, content and options as given on the command
 * line, and seeds. */
#ifndef CLI_GAME_CONFIG_H
#define CLI_GAME_CONFIG_H
#include "cli/arguments.h"
#include "proto/message.h"

/* Loaded content and the choices for setup(). */
typedef struct GameConfig {
    const MashGame *game;
    const char *preset; /* NULL: the default */
    bool own_files;     /* some of the documents are the user's own */
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t documents_count;
    MashContent *content;
    int32_t options[MASH_OPTIONS_MAX];
} GameConfig;

/* The game of this name. NULL: an error with suggestions was printed. */
const MashGame *game_config_game(const Arguments *given, const char *id);
/* The game of --game, NULL if it was not given. False: an error was printed. */
bool game_config_named(const Arguments *given, const MashGame **out);
/* Does the game have this level (0: none)? False: an error was printed. */
bool game_config_has_level(const Command *command, const MashGame *game, uint32_t level);
/* The flags that game_config_make() reads. */
#define GAME_CONFIG_FLAGS                                                                          \
    FLAG_TEXT("preset"), FLAG_LIST(MASH_DOCUMENTS_MAX, "content"),                                 \
        FLAG_LIST(ARGUMENTS_VALUES_MAX, "option")
/* Loads the game's preset with the given files in place of its documents, and parses options of the
 * form id=value: those of GAME_CONFIG_FLAGS that the command has. False: errors were printed. */
bool game_config_make(GameConfig *config, const Arguments *given, const char *id);
/* Does this with the configuration of the game that the first word names. An exit code. */
int game_config_run(const Arguments *given,
                    int (*run)(const GameConfig *config, const Arguments *given));
/* Parses the value of an option; yes, on, true, no, off and false are 1 and 0. False: not a value,
 * or out of the option's range. */
bool game_config_option_value(const MashOption *option, const char *words, int32_t *out);
/* Loads config->documents; false: problems were printed. */
bool game_config_load(GameConfig *config);

/* A seed from --seed: decimal up to 64 bits, or 32 hex digits; a random one from the system if it
 * was not given. */
bool game_config_seed(const Arguments *given, MashSeed *out);
/* The shortest text for the seed that --seed accepts. */
void game_config_seed_text(MashSeed seed, MashText *text);
/* Appends the flags that reproduce this configuration: " --preset duel --option draw=1"; files are
 * omitted. */
void game_config_flags(const GameConfig *config, MashText *text);
/* A request for a match of this configuration: MESSAGE_CLIENT_SEEK or MESSAGE_CLIENT_OPEN. */
Message game_config_request(const GameConfig *config, MessageKind kind);

#endif
