/* perft.c -- mashup perft: counts the action sequences of a given length. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/game_config.h"
#include "match/simulate.h"

/* Counts and prints each depth from 1 on. An exit code. */
static int count_all(const GameConfig *setting, uint64_t seed, uint32_t depth) {
    MashSetup setup = {.options = setting->options, .options_count = setting->game->options_count};
    void *memory = cli_memory(perft_bytes(setting->content, depth));
    MashStatus status = MASH_OK;
    for (uint32_t i = 1; i <= depth && status == MASH_OK; i++) {
        Perft counted;
        status = perft(setting->content, &setup, seed, i, memory, &counted);
        if (status == MASH_OK)
            printf("depth %u: %llu sequences, positions %016llx\n", i,
                   (unsigned long long)counted.leaves, (unsigned long long)counted.hash);
        fflush(stdout);
    }
    free(memory);
    if (status != MASH_OK)
        fprintf(stderr, "mashup perft: %s\n", mash_status_sentence(status));
    return status == MASH_OK ? CLI_FINE : CLI_WRONG_USE;
}

enum { FLAG_DEPTH, FLAG_SEED, FLAG_PRESET, FLAG_CONTENT, FLAG_OPTION, FLAGS };

static int run(const Command *self, int count, char **words) {
    Flag flags[FLAGS] = {[FLAG_DEPTH] = {.name = "depth", .max = 1},
                         [FLAG_SEED] = {.name = "seed", .max = 1},
                         [FLAG_PRESET] = {.name = "preset", .max = 1},
                         [FLAG_CONTENT] = {.name = "content", .max = MASH_DOCUMENTS_MAX},
                         [FLAG_OPTION] = {.name = "option", .max = ARGUMENTS_VALUES_MAX}};
    Positional plain;
    uint64_t depth, seed;
    ParseResult read = arguments_read(self, count, words, flags, FLAGS, &plain, 1, 1);
    if (!read.ok)
        return read.exit_code;
    const MashGame *game = game_config_game(self, plain.words[0]);
    GameConfig setting;
    if (game == NULL || !flag_whole(self, &flags[FLAG_DEPTH], 1, PERFT_DEPTH_MAX, 3, &depth) ||
        !flag_whole(self, &flags[FLAG_SEED], 0, UINT64_MAX, 1, &seed) ||
        !game_config_make(&setting, self, game, &flags[FLAG_PRESET], &flags[FLAG_CONTENT],
                          &flags[FLAG_OPTION]))
        return CLI_WRONG_USE;
    int exit_code = count_all(&setting, seed, (uint32_t)depth);
    free(setting.content);
    return exit_code;
}

const Command command_perft = {
    "perft", "Counts all possible sequences of actions up to a depth.",
    "perft GAME [--depth D] [--seed S] [--preset P] [--content FILE]...\n"
    "            [--option ID=VALUE]...",
    run, NULL};
