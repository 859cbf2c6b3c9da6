/* simulate.c -- mashup simulate: random matches, a signature of everything that happened, and the
 * speed. */
#include "match/simulate.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/game_config.h"
#include "cli/progress.h"

/* Plays all matches, with a progress bar on a terminal. */
static MashStatus simulate_all(Simulation *simulation, uint64_t matches) {
    Progress progress = progress_begin();
    MashStatus status = MASH_OK;
    for (uint64_t i = 0; i < matches && status == MASH_OK; i++) {
        status = simulate_match(simulation);
        progress_show(&progress, i + 1, matches);
    }
    progress_end(&progress);
    return status;
}

/* Plays this many matches and prints the results. An exit code. */
static int simulate(const GameConfig *config, const Arguments *given) {
    uint64_t matches = flag_number(given, "matches");
    MashSetup setup = {.options = config->options, .options_count = config->game->options_count};
    void *memory = cli_memory(simulate_bytes(config->content));
    Simulation simulation;
    uint64_t began_ms = progress_cpu_ms();
    simulate_init(&simulation, config->content, &setup, flag_number(given, "seed"), memory);
    MashStatus status = simulate_all(&simulation, matches);
    uint64_t spent_ms = progress_cpu_ms() - began_ms;
    free(memory);
    if (status != MASH_OK) {
        fprintf(stderr, "mashup simulate: %s\n", mash_status_sentence(status));
        return CLI_WRONG_USE;
    }
    uint64_t rate = simulation.actions * 1000 / (spent_ms == 0 ? 1 : spent_ms);
    printf("%s: %llu matches, %llu actions, signature %016llx, %llu actions per CPU-second\n",
           config->game->id, (unsigned long long)matches, (unsigned long long)simulation.actions,
           (unsigned long long)simulation.signature, (unsigned long long)rate);
    return CLI_FINE;
}

static const Flag flags[] = {FLAG_WHOLE("matches", 1, UINT32_MAX, 1000),
                             FLAG_WHOLE("seed", 0, UINT64_MAX, 1), GAME_CONFIG_FLAGS, FLAGS_END};

static int run(const Arguments *given) { return game_config_run(given, simulate); }

const Command command_simulate = {"simulate",
                                  "Plays random matches and prints their signature.",
                                  "simulate GAME [--matches N] [--seed S] [--preset P]\n"
                                  "            [--content FILE]... [--option ID=VALUE]...",
                                  run,
                                  flags,
                                  1,
                                  1,
                                  NULL};
