/* game_config.c -- see game_config.h. */
#define _DEFAULT_SOURCE
#include "cli/game_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "ai/ai.h"
#include "cli/files.h"
#include "match/file.h"

enum { NAMES_MAX = 64, PROBLEMS_MAX = 32 };

/* Prints that `what` does not exist, and what may have been meant. */
static void complain_of_name(const Command *command, const char *what, const char *word,
                             const char *const *names, uint32_t count) {
    char memory[1024];
    MashText text = text_over(memory, sizeof memory);
    cli_suggest(&text, word, names, count);
    cli_wrong_use(command, "%s \"%s\"%s", what, word, memory);
}

const MashGame *game_config_game(const Arguments *given, const char *id) {
    const MashGame *game = mash_game_find(id);
    if (game != NULL)
        return game;
    const char *names[NAMES_MAX];
    uint32_t count = 0;
    while (mash_games[count] != NULL && count < NAMES_MAX) {
        names[count] = mash_games[count]->id;
        count++;
    }
    complain_of_name(given->command, "unknown game", id, names, count);
    return NULL;
}

bool game_config_has_level(const Command *command, const MashGame *game, uint32_t level) {
    char bytes[128];
    MashText text = text_over(bytes, sizeof bytes);
    if (level <= ai_levels_of(game))
        return true;
    ai_say_levels(game, &text);
    cli_wrong_use(command, "%s, not %u", bytes, (unsigned)level);
    return false;
}

bool game_config_named(const Arguments *given, const MashGame **out) {
    const char *id = flag_text(given, "game");
    *out = id == NULL ? NULL : game_config_game(given, id);
    return id == NULL || *out != NULL;
}

/* Takes the documents of a preset, NULL for the default one. False: the game has none of this name;
 * an error was printed. */
static bool take_preset(GameConfig *config, const Command *command, const char *preset) {
    const MashGame *game = config->game;
    config->documents_count = mash_documents_of_preset(game, preset, config->documents);
    if (config->documents_count > 0 || preset == NULL)
        return true;
    const char *names[NAMES_MAX];
    uint32_t count = 0;
    for (; count < game->presets_count && count < NAMES_MAX; count++)
        names[count] = game->presets[count].id;
    complain_of_name(command, "unknown preset", preset, names, count);
    return false;
}

/* Replaces documents of the preset by the user's own. False: an error was printed. */
static bool take_files(GameConfig *config, const Command *command, const FlagGiven *contents) {
    config->own_files = contents != NULL && contents->count > 0;
    for (uint32_t i = 0; contents != NULL && i < contents->count; i++) {
        FileBytes file;
        if (!files_read(contents->values[i], &file))
            return false;
        MashDocument document = {contents->values[i], cli_keep(file.bytes), file.count};
        if (!mash_documents_replace(config->documents, &config->documents_count, document)) {
            cli_wrong_use(command, "at most %d files", (int)MASH_DOCUMENTS_MAX);
            return false;
        }
    }
    return true;
}

bool game_config_option_value(const MashOption *option, const char *words, int32_t *out) {
    static const char *const yes[] = {"yes", "on", "true"}, *const no[] = {"no", "off", "false"};
    for (int i = 0; i < 3; i++) {
        if (text_equal_nocase(words, yes[i]) || text_equal_nocase(words, no[i])) {
            *out = text_equal_nocase(words, yes[i]);
            return *out >= option->least && *out <= option->most;
        }
    }
    char *end;
    long number = strtol(words, &end, 10);
    *out = (int32_t)number;
    return *words != '\0' && *end == '\0' && number >= option->least && number <= option->most;
}

/* Parses one option as ID=VALUE. False: an error was printed. */
static bool take_option(GameConfig *config, const Command *command, const char *words) {
    const MashGame *game = config->game;
    const char *names[MASH_OPTIONS_MAX];
    char id[64];
    MashText text = text_over(id, sizeof id);
    text_bytes(&text, words, (uint32_t)strcspn(words, "="));
    for (uint32_t i = 0; i < game->options_count; i++) {
        const MashOption *option = &game->options[i];
        names[i] = option->id;
        if (strcmp(option->id, id) != 0)
            continue;
        const char *value = strchr(words, '=');
        if (value != NULL && game_config_option_value(option, value + 1, &config->options[i]))
            return true;
        cli_wrong_use(command, "option %s (%s) must be %d to %d, for example --option %s=%d", id,
                      option->title, option->least, option->most, id, option->usual);
        return false;
    }
    complain_of_name(command, "the game has no option", id, names, game->options_count);
    return false;
}

bool game_config_load(GameConfig *config) {
    static MashProblem list[PROBLEMS_MAX];
    MashProblems problems = {.list = list, .max = PROBLEMS_MAX};
    MashDocuments documents = {config->documents, config->documents_count,
                               cli_memory(MASH_SCRATCH_BYTES), MASH_SCRATCH_BYTES};
    config->content = cli_memory(config->game->content_bytes_max);
    bool loaded = config->game->load(&documents, config->content, &problems);
    free(documents.scratch);
    if (loaded)
        return true;
    cli_print_problems(&problems, config->documents, config->documents_count);
    free(config->content);
    config->content = NULL;
    return false;
}

bool game_config_make(GameConfig *config, const Arguments *given, const char *id) {
    const MashGame *game = game_config_game(given, id);
    const FlagGiven *preset = flag_find(given, "preset"), *options = flag_find(given, "option");
    if (game == NULL)
        return false;
    *config = (GameConfig){.game = game, .preset = preset == NULL ? NULL : preset->values[0]};
    for (uint32_t i = 0; i < game->options_count; i++)
        config->options[i] = game->options[i].usual;
    if (!take_preset(config, given->command, config->preset) ||
        !take_files(config, given->command, flag_find(given, "content")))
        return false;
    for (uint32_t i = 0; options != NULL && i < options->count; i++)
        if (!take_option(config, given->command, options->values[i]))
            return false;
    return game_config_load(config);
}

int game_config_run(const Arguments *given,
                    int (*run)(const GameConfig *config, const Arguments *given)) {
    GameConfig config;
    if (!game_config_make(&config, given, given->words[0]))
        return CLI_WRONG_USE;
    int exit_code = run(&config, given);
    free(config.content);
    return exit_code;
}

/* 128 random bits from the system. */
static bool fresh_seed(MashSeed *out) {
    if (getrandom(out->words, sizeof out->words, 0) == (ssize_t)sizeof out->words)
        return true;
    FILE *file = fopen("/dev/urandom", "rb");
    bool fine = file != NULL && fread(out->words, sizeof out->words, 1, file) == 1;
    if (file != NULL)
        fclose(file);
    if (!fine)
        fprintf(stderr, "mashup: no random numbers available; use --seed N\n");
    return fine;
}

bool game_config_seed(const Arguments *given, MashSeed *out) {
    const char *words = flag_text(given, "seed");
    if (words == NULL)
        return fresh_seed(out);
    if (match_seed_read(words, out))
        return true;
    *out = (MashSeed){{0, 0}};
    bool fine = *words != '\0';
    for (const char *c = words; *c != '\0' && fine; c++) {
        uint64_t digit = (uint64_t)(unsigned char)*c - '0';
        fine = digit <= 9 && out->words[0] <= (UINT64_MAX - digit) / 10;
        out->words[0] = out->words[0] * 10 + digit;
    }
    if (!fine)
        cli_wrong_use(given->command,
                      "--seed must be an integer below 2^64 or 32 hexadecimal digits, "
                      "not \"%s\"",
                      words);
    return fine;
}

void game_config_seed_text(MashSeed seed, MashText *text) {
    if (seed.words[1] != 0) {
        match_seed_write(seed, text);
        return;
    }
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)seed.words[0]);
    text_string(text, digits);
}

void game_config_flags(const GameConfig *config, MashText *text) {
    if (config->preset != NULL)
        text_format(text, " --preset %s", config->preset);
    for (uint32_t i = 0; i < config->game->options_count; i++)
        if (config->options[i] != config->game->options[i].usual)
            text_format(text, " --option %s=%d", config->game->options[i].id, config->options[i]);
}

/* Both requests begin with the same members. */
static_assert(offsetof(CLIENT_SEEK_FIELDS, grace_ms) == offsetof(CLIENT_OPEN_FIELDS, grace_ms),
              "seek and open begin alike");

Message game_config_request(const GameConfig *config, MessageKind kind) {
    Message message = message_new(kind);
    CLIENT_SEEK_FIELDS *fields = &message.seek;
    MessageOptions *options = &fields->options;
    assert(kind == MESSAGE_CLIENT_SEEK || kind == MESSAGE_CLIENT_OPEN);
    snprintf(fields->game, sizeof fields->game, "%s", config->game->id);
    if (config->preset != NULL) {
        snprintf(fields->preset, sizeof fields->preset, "%s", config->preset);
        message_set_present(&message, "preset");
    }
    options->count = config->game->options_count;
    for (uint32_t i = 0; i < options->count; i++) {
        snprintf(options->list[i].id, sizeof options->list[i].id, "%s",
                 config->game->options[i].id);
        options->list[i].value = config->options[i];
    }
    message_set_present(&message, "options");
    return message;
}
