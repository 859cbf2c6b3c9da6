/* zorde.c -- mashup zorde: the published file mode of Zorde vs Calliance, by the game's format
 * `orders`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files.h"
#include "cli/game_config.h"

enum { PROBLEMS_MAX = 64, OUTPUT_BYTES_FIRST = 1 << 16, OUTPUT_BYTES_MAX = 1 << 30 };

/* The game's format of order files; NULL if there is none, or no such game. */
static const MashFormat *find_dialect(const MashGame *game) {
    for (uint32_t i = 0; game != NULL && game->formats != NULL && game->formats[i] != NULL; i++)
        if (strcmp(game->formats[i]->id, "orders") == 0)
            return game->formats[i];
    return NULL;
}

/* Converts into a buffer that grows until everything fits; the caller frees text->bytes. */
static bool convert(const MashFormat *dialect, const MashContent *content, const MashDocuments *in,
                    MashText *text) {
    static MashProblem list[PROBLEMS_MAX];
    for (uint32_t room = OUTPUT_BYTES_FIRST; room <= OUTPUT_BYTES_MAX; room *= 2) {
        MashProblems problems = {.list = list, .max = PROBLEMS_MAX};
        *text = text_over(cli_memory(room), room);
        bool fine = dialect->convert(content, in, text, &problems);
        if (fine && !text->truncated)
            return true;
        free(text->bytes);
        if (!text->truncated) {
            cli_print_problems(&problems, in->list, in->count);
            return false;
        }
    }
    fprintf(stderr, "mashup zorde: the output is longer than a gigabyte\n");
    return false;
}

/* Plays the orders of the second file from the board of the first, and writes the result to the
 * third. An exit code. */
static int convert_files(const MashFormat *dialect, const GameConfig *config,
                         const char *const paths[3]) {
    MashDocument list[2];
    for (int i = 0; i < 2; i++) {
        FileBytes file;
        if (!files_read(paths[i], &file))
            return CLI_WRONG_USE;
        list[i] = (MashDocument){paths[i], cli_keep(file.bytes), file.count};
    }
    void *scratch = cli_memory(MASH_SCRATCH_BYTES);
    MashDocuments in = {list, 2, scratch, MASH_SCRATCH_BYTES};
    MashText text;
    bool fine = convert(dialect, config->content, &in, &text);
    free(scratch);
    if (!fine)
        return CLI_WRONG_USE;
    fine = files_write(paths[2], text.bytes, text.count);
    free(text.bytes);
    return fine ? CLI_FINE : CLI_WRONG_USE;
}

static int run(const Arguments *given) {
    const MashGame *game = mash_game_find("zorde");
    const MashFormat *dialect = find_dialect(game);
    if (dialect == NULL)
        return cli_wrong_use(given->command, "this build does not include the game");
    GameConfig config;
    if (!game_config_make(&config, given, game->id))
        return CLI_WRONG_USE;
    int exit_code = convert_files(dialect, &config, given->words);
    free(config.content);
    return exit_code;
}

const Command command_zorde = {"zorde",
                               "Executes a file of Zorde orders and writes the result.",
                               "zorde INITIALS COMMANDS OUTPUT",
                               run,
                               NULL,
                               3,
                               3,
                               NULL};
