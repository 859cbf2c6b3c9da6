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
static int simulate(const GameConfig *setting, uint64_t matches, uint64_t seed) {
    MashSetup setup = {.options = setting->options, .options_count = setting->game->options_count};
    void *memory = cli_memory(simulate_bytes(setting->content));
    Simulation simulation;
    uint64_t began_ms = progress_cpu_ms();
    simulate_init(&simulation, setting->content, &setup, seed, memory);
    MashStatus status = simulate_all(&simulation, matches);
    uint64_t spent_ms = progress_cpu_ms() - began_ms;
    free(memory);
    if (status != MASH_OK) {
        fprintf(stderr, "mashup simulate: %s\n", mash_status_sentence(status));
        return CLI_WRONG_USE;
    }
    uint64_t rate = simulation.actions * 1000 / (spent_ms == 0 ? 1 : spent_ms);
    printf("%s: %llu matches, %llu actions, signature %016llx, %llu actions per CPU-second\n",
           setting->game->id, (unsigned long long)matches, (unsigned long long)simulation.actions,
           (unsigned long long)simulation.signature, (unsigned long long)rate);
    return CLI_FINE;
}

enum { FLAG_MATCHES, FLAG_SEED, FLAG_PRESET, FLAG_CONTENT, FLAG_OPTION, FLAGS };

static int run(const Command *self, int count, char **words) {
    Flag flags[FLAGS] = {[FLAG_MATCHES] = {.name = "matches", .max = 1},
                         [FLAG_SEED] = {.name = "seed", .max = 1},
                         [FLAG_PRESET] = {.name = "preset", .max = 1},
                         [FLAG_CONTENT] = {.name = "content", .max = MASH_DOCUMENTS_MAX},
                         [FLAG_OPTION] = {.name = "option", .max = ARGUMENTS_VALUES_MAX}};
    Positional plain;
    uint64_t matches, seed;
    ParseResult read = arguments_read(self, count, words, flags, FLAGS, &plain, 1, 1);
    if (!read.ok)
        return read.exit_code;
    const MashGame *game = game_config_game(self, plain.words[0]);
    GameConfig setting;
    if (game == NULL || !flag_whole(self, &flags[FLAG_MATCHES], 1, UINT32_MAX, 1000, &matches) ||
        !flag_whole(self, &flags[FLAG_SEED], 0, UINT64_MAX, 1, &seed) ||
        !game_config_make(&setting, self, game, &flags[FLAG_PRESET], &flags[FLAG_CONTENT],
                          &flags[FLAG_OPTION]))
        return CLI_WRONG_USE;
    int exit_code = simulate(&setting, matches, seed);
    free(setting.content);
    return exit_code;
}

const Command command_simulate = {"simulate", "Plays random matches and prints their signature.",
                                  "simulate GAME [--matches N] [--seed S] [--preset P]\n"
                                  "            [--content FILE]... [--option ID=VALUE]...",
                                  run, NULL};
