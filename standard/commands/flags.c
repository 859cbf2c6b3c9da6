/* flags.c -- see flags.h. */
#define _POSIX_C_SOURCE 200809L
#include "standard/commands/flags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/files.h"
#include "standard/adapter.h"

enum { PROBLEMS = 64, PATH_BYTES = 1024, PACE_MOST_MS = 60000 };

static const char *const names[STANDARD_FLAGS] = {
    "conf-match", "conf-chars", "conf-scenario", "check-conf", "replay", "verbose",
    "ais",        "rules",      "dialect",       "single",     "pace"};

void standard_name_flags(Flag flags[STANDARD_FLAGS]) {
    for (uint32_t i = 0; i < STANDARD_FLAGS; i++) {
        bool bare =
            i == STANDARD_FLAG_CHECK || i == STANDARD_FLAG_VERBOSE || i == STANDARD_FLAG_SINGLE;
        flags[i] = (Flag){.name = names[i], .max = bare ? 0 : 1};
    }
}

/* --- Letters and the environment -------------------------------------------------------------- */

/* "-m" is "--conf-match", "-p1218" is not a flag. */
static const char *expand_flag(const char *word) {
    static const struct {
        char letter;
        const char *word;
    } letters[] = {{'m', "--conf-match"}, {'c', "--conf-chars"}, {'s', "--conf-scenario"},
                   {'p', "--port"},       {'l', "--log-level"},  {'v', "--verbose"},
                   {'C', "--check-conf"}, {'r', "--replay"}};
    for (uint32_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (word[0] == '-' && word[1] == letters[i].letter && word[2] == '\0')
            return letters[i].word;
    return word;
}

/* The flag of this word, with one dash or two; NULL: there is none. */
static const Flag *find(const Flag *flags, uint32_t count, const char *word) {
    const char *name = word + (word[1] == '-' ? 2 : 1);
    size_t letters = strcspn(name, "=");
    for (uint32_t i = 0; i < count; i++)
        if (strlen(flags[i].name) == letters && strncmp(flags[i].name, name, letters) == 0)
            return &flags[i];
    return NULL;
}

char **standard_expand_short_flags(const Command *self, int *count, char **words, const Flag *flags,
                                   uint32_t flags_count, bool lenient) {
    char **out = cli_memory(((size_t)*count + 1) * sizeof *out);
    int kept = 0;
    bool ignoring = false;
    for (int i = 0; i < *count; i++) {
        const char *word = expand_flag(words[i]);
        bool option = word[0] == '-' && word[1] != '\0';
        const Flag *flag = option ? find(flags, flags_count, word) : NULL;
        bool help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
        if (lenient && !help && (option ? flag == NULL : ignoring)) {
            fprintf(stderr, "mashup %s: warning: ignoring unknown option \"%s\"\n", self->name,
                    word);
            ignoring = true;
            continue;
        }
        ignoring = lenient && (flag == NULL || flag->max == 0);
        out[kept++] = (char *)(uintptr_t)word;
        if (flag != NULL && flag->max > 0 && strchr(word, '=') == NULL && i + 1 < *count)
            out[kept++] = words[++i];
    }
    *count = kept;
    return out;
}

void standard_take_environment(Flag *flags, uint32_t flags_count) {
    static const char *const pairs[][2] = {{"MMU_PORT", "--port"},
                                           {"MMU_CONF_MATCH", "--conf-match"},
                                           {"MMU_CONF_CHARS", "--conf-chars"},
                                           {"MMU_CONF_SCENARIO", "--conf-scenario"},
                                           {"MMU_REPLAY", "--replay"},
                                           {"MMU_LOG_LEVEL", "--log-level"}};
    for (uint32_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *value = getenv(pairs[i][0]);
        Flag *flag = (Flag *)(uintptr_t)find(flags, flags_count, pairs[i][1]);
        if (value == NULL || value[0] == '\0' || flag == NULL || flag->count > 0)
            continue;
        flag->values[0] = value;
        flag->count = 1;
    }
}

/* --- Values ----------------------------------------------------------------------------------- */

/* Reads a flag whose value is one of a list of words, as its number. False: an error was
 * printed. */
static bool choose(const Command *self, const Flag *flag, const char *const *words, uint32_t count,
                   uint32_t *out) {
    const char *value = flag_value(flag);
    char memory[256];
    MashText text = text_over(memory, sizeof memory);
    if (value == NULL)
        return true;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(value, words[i]) == 0) {
            *out = i;
            return true;
        }
    cli_suggest(&text, value, words, count);
    cli_wrong_use(self, "--%s: unknown value \"%s\"%s", flag->name, value, memory);
    return false;
}

bool standard_log_level(const Command *self, const Flag *flag, bool verbose, LogLevel *out) {
    static const char *const levels[] = {"debug", "info", "warning", "error"};
    const char *value = flag_value(flag);
    uint32_t level = *out;
    if (verbose) {
        *out = LOG_DEBUG;
        return true;
    }
    if (value != NULL && value[0] >= '0' && value[0] <= '4' && value[1] == '\0') {
        *out = (LogLevel)(LOG_LEVELS - (value[0] - '0'));
        return true;
    }
    if (!choose(self, flag, levels, LOG_LEVELS, &level))
        return false;
    *out = (LogLevel)level;
    return true;
}

/* Reads the given files, each by its extension. False: an error was printed. */
static bool read_files(const Flag flags[STANDARD_FLAGS], MashDocument *documents, uint32_t *count) {
    static const char *const endings[] = {".game.json", ".character.json", ".scenario.json"};
    bool fine = true;
    *count = 0;
    for (uint32_t i = STANDARD_FLAG_MATCH; i <= STANDARD_FLAG_SCENARIO; i++) {
        const char *path = flag_value(&flags[i]);
        FileBytes file;
        if (path == NULL)
            continue;
        if (!text_ends_with(path, endings[i])) {
            fprintf(stderr, "%s: the file for --%s must end in %s\n", path, flags[i].name,
                    endings[i]);
            fine = false;
        } else if (!files_read(path, &file)) {
            fine = false;
        } else {
            cli_keep(file.bytes);
            documents[(*count)++] = (MashDocument){files_base_name(path), file.bytes, file.count};
        }
    }
    return fine;
}

/* Loads them once, to list all problems. */
static bool check(const MashGame *game, const MashDocument *own, uint32_t own_count) {
    MashProblem list[PROBLEMS];
    MashProblems problems = {.list = list, .max = PROBLEMS};
    MashDocument all[MASH_DOCUMENTS_MAX];
    uint32_t count = mash_documents_of_preset(game, NULL, all);
    for (uint32_t i = 0; i < own_count; i++)
        mash_documents_replace(all, &count, own[i]);
    MashContent *content = cli_memory(game->content_bytes_max);
    void *scratch = cli_memory(MASH_SCRATCH_BYTES);
    MashDocuments documents = {all, count, scratch, MASH_SCRATCH_BYTES};
    bool fine = game->load(&documents, content, &problems);
    if (!fine)
        cli_print_problems(&problems, all, count);
    free(content);
    free(scratch);
    return fine;
}

/* Writes a file of a finished match into a folder. */
static void write_replay(void *folder, const char *name, const char *bytes, uint32_t count) {
    char path[PATH_BYTES];
    mkdir(folder, 0777);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", (const char *)folder, name) < sizeof path)
        files_write(path, bytes, count);
}

bool standard_config_from_flags(const Command *self, const Flag flags[STANDARD_FLAGS],
                                StandardConfig *config, int *exit_code) {
    static const char *const rules[] = {"spec", "customer"};
    static const char *const framings[] = {"each", "wrapped", "bare"};
    MashDocument *documents = cli_keep(cli_memory(MASH_DOCUMENTS_MAX * sizeof *documents));
    const MashGame *game = standard_game();
    uint32_t rule = 0, framing = 0, count;
    uint64_t ais, pace;
    *config = standard_config();
    *exit_code = CLI_WRONG_USE;
    if (!choose(self, &flags[STANDARD_FLAG_RULES], rules, 2, &rule) ||
        !choose(self, &flags[STANDARD_FLAG_DIALECT], framings, 3, &framing) ||
        !flag_whole(self, &flags[STANDARD_FLAG_AIS], 1, 2, 2, &ais) ||
        !flag_whole(self, &flags[STANDARD_FLAG_PACE], 0, PACE_MOST_MS, config->pace_ms, &pace))
        return false;
    *exit_code = CLI_CHECK_FAILED;
    if (!read_files(flags, documents, &count) || (count > 0 && !check(game, documents, count)))
        return false;
    config->documents = documents;
    config->documents_count = count;
    config->rules = (int32_t)rule;
    config->ais = (uint32_t)ais;
    config->pace_ms = (uint32_t)pace;
    config->framing = framing;
    config->single = flags[STANDARD_FLAG_SINGLE].count > 0;
    config->owner = (void *)flag_value(&flags[STANDARD_FLAG_REPLAY]);
    config->replay = config->owner == NULL ? NULL : write_replay;
    if (flags[STANDARD_FLAG_CHECK].count == 0)
        return true;
    printf("mashup %s: configuration OK\n", self->name);
    *exit_code = CLI_FINE;
    return false;
}
