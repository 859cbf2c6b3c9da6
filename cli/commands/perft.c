/* perft.c -- mashup perft: counts the action sequences of a given length. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/game_config.h"
#include "match/simulate.h"

/* Counts and prints each depth from 1 on. An exit code. */
static int count_all(const GameConfig *config, const Arguments *given) {
    uint32_t depth = (uint32_t)flag_number(given, "depth");
    MashSetup setup = {.options = config->options, .options_count = config->game->options_count};
    void *memory = cli_memory(perft_bytes(config->content, depth));
    MashStatus status = MASH_OK;
    for (uint32_t i = 1; i <= depth && status == MASH_OK; i++) {
        Perft counted;
        status = perft(config->content, &setup, flag_number(given, "seed"), i, memory, &counted);
        if (status == MASH_OK)
            printf("depth %u: %llu sequences, positions %016llx\n", i,
                   (unsigned long long)counted.leaves, (unsigned long long)counted.hash);
    }
    free(memory);
    if (status != MASH_OK)
        fprintf(stderr, "mashup perft: %s\n", mash_status_sentence(status));
    return status == MASH_OK ? CLI_FINE : CLI_WRONG_USE;
}

static const Flag flags[] = {FLAG_WHOLE("depth", 1, PERFT_DEPTH_MAX, 3),
                             FLAG_WHOLE("seed", 0, UINT64_MAX, 1), GAME_CONFIG_FLAGS, FLAGS_END};

static int run(const Arguments *given) { return game_config_run(given, count_all); }

const Command command_perft = {
    "perft",
    "Counts all possible sequences of actions up to a depth.",
    "perft GAME [--depth D] [--seed S] [--preset P] [--content FILE]...\n"
    "            [--option ID=VALUE]...",
    run,
    flags,
    1,
    1,
    NULL};
