/* flags.c -- see flags.h. */
#define _POSIX_C_SOURCE 200809L
#include "standard/commands/flags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/files.h"
#include "standard/adapter.h"

enum { PROBLEMS = 64, PATH_BYTES = 1024 };

/* Reads the given files, each by its extension. False: an error was printed. */
static bool read_files(const Arguments *given, MashDocument *documents, uint32_t *count) {
    static const struct {
        const char *flag, *ending;
    } files[] = {{"conf-match", ".game.json"},
                 {"conf-chars", ".character.json"},
                 {"conf-scenario", ".scenario.json"}};
    bool fine = true;
    *count = 0;
    for (uint32_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = flag_text(given, files[i].flag);
        FileBytes file;
        if (path == NULL)
            continue;
        if (!text_ends_with(path, files[i].ending)) {
            fprintf(stderr, "%s: the file for --%s must end in %s\n", path, files[i].flag,
                    files[i].ending);
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

bool standard_config_from_flags(const Arguments *given, StandardConfig *config, int *exit_code) {
    MashDocument *documents = cli_keep(cli_memory(MASH_DOCUMENTS_MAX * sizeof *documents));
    const MashGame *game = standard_game();
    uint32_t count;
    *config = standard_config();
    *exit_code = CLI_CHECK_FAILED;
    if (!read_files(given, documents, &count) || !check(game, documents, count))
        return false;
    config->documents = documents;
    config->documents_count = count;
    config->rules = (int32_t)flag_number(given, "rules");
    config->ais = (uint32_t)flag_number(given, "ais");
    if (flag_given(given, "pace"))
        config->pace_ms = (uint32_t)flag_number(given, "pace");
    config->framing = (uint32_t)flag_number(given, "dialect");
    config->single = flag_given(given, "single");
    config->owner = (void *)(uintptr_t)flag_text(given, "replay");
    config->replay = config->owner == NULL ? NULL : write_replay;
    if (!flag_given(given, "check-conf"))
        return true;
    printf("mashup %s: configuration OK\n", given->command->name);
    *exit_code = CLI_FINE;
    return false;
}
