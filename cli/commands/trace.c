/* trace.c -- mashup trace: recorded matches of another implementation, replayed step by step by the
 * game's format `traces`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cli/files.h"
#include "cli/game_config.h"

enum { PROBLEMS_MAX = 16, REPORT_BYTES = 1024 };

/* Shared by all files. */
typedef struct Tracer {
    const MashFormat *dialect;
    const MashContent *content;
    void *scratch;
    uint64_t steps, equal;
    bool all_read; /* no file was unreadable or malformed */
} Tracer;

/* The game's first format that can verify traces, or NULL. */
static const MashFormat *find_dialect(const MashGame *game) {
    for (uint32_t i = 0; game->formats != NULL && game->formats[i] != NULL; i++)
        if (game->formats[i]->verify != NULL)
            return game->formats[i];
    return NULL;
}

/* Decompresses a whole file; an uncompressed one is read unchanged. The caller frees the bytes.
 * False: an error was printed. */
static bool unpack(const char *path, FileBytes *out) {
    gzFile file = gzopen(path, "rb");
    uint32_t count = 0, max = 0;
    char *bytes = NULL;
    if (file == NULL) {
        perror(path);
        return false;
    }
    while (count < FILE_BYTES_MAX) {
        bytes = cli_grow(bytes, count, &max, 1);
        int read = gzread(file, bytes + count, max - count);
        if (read <= 0)
            break;
        count += (uint32_t)read;
    }
    int error = Z_OK;
    const char *words = gzerror(file, &error);
    bool whole = error == Z_OK && count < FILE_BYTES_MAX;
    if (!whole)
        fprintf(stderr, "%s: cannot be decompressed: %s\n", path,
                error == Z_OK ? "more than 64 MiB" : words);
    gzclose(file);
    if (!whole)
        free(bytes);
    *out = (FileBytes){bytes, count};
    return whole;
}

/* Prints the result of one file, and the first difference below it. */
static void trace_file(Tracer *tracer, const char *path) {
    static MashProblem list[PROBLEMS_MAX];
    char words[REPORT_BYTES];
    MashProblems problems = {.list = list, .max = PROBLEMS_MAX};
    MashText report = text_over(words, sizeof words);
    MashTraceCounts tally;
    FileBytes file;
    if (!unpack(path, &file)) {
        tracer->all_read = false;
        return;
    }
    MashDocument document = {path, file.bytes, file.count};
    MashDocuments in = {&document, 1, tracer->scratch, MASH_SCRATCH_BYTES};
    bool read = tracer->dialect->verify(tracer->content, &in, &tally, &report, &problems);
    if (read) {
        printf("%s: %u of %u steps equal\n", path, tally.equal, tally.steps);
        if (report.count > 0)
            printf("  %s\n", words);
        tracer->steps += tally.steps;
        tracer->equal += tally.equal;
    } else {
        cli_print_problems(&problems, &document, 1);
        tracer->all_read = false;
    }
    free(file.bytes);
}

static const Flag flags[] = {FLAG_LIST(MASH_DOCUMENTS_MAX, "content"), FLAGS_END};

static int run(const Arguments *given) {
    const MashGame *game = game_config_game(given, given->words[0]);
    if (game == NULL)
        return CLI_WRONG_USE;
    Tracer tracer = {.dialect = find_dialect(game), .all_read = true};
    if (tracer.dialect == NULL)
        return cli_wrong_use(given->command, "%s does not support recorded matches", game->title);
    GameConfig config;
    if (!game_config_make(&config, given, game->id))
        return CLI_WRONG_USE;
    tracer.content = config.content;
    tracer.scratch = cli_memory(MASH_SCRATCH_BYTES);
    for (uint32_t i = 1; i < given->count; i++)
        trace_file(&tracer, given->words[i]);
    printf("total: %llu of %llu steps equal\n", (unsigned long long)tracer.equal,
           (unsigned long long)tracer.steps);
    free(tracer.scratch);
    free(config.content);
    if (tracer.equal != tracer.steps)
        return CLI_CHECK_FAILED;
    return tracer.all_read ? CLI_FINE : CLI_WRONG_USE;
}

const Command command_trace = {"trace",
                               "Replays matches recorded by other programs, step by step.",
                               "trace GAME FILE... [--content FILE]",
                               run,
                               flags,
                               2,
                               ARGUMENTS_PLAIN_MAX,
                               NULL};
