/* bench.c -- mashup bench ai: how fast programs think, and a signature of what they choose. */
#include "ai/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"
#include "cli/setting.h"

/* Thinks about one game's first preset. */
static bool bench_game(const Command *self, const MashGame *game, uint64_t positions,
                       uint64_t nodes) {
    Setting setting;
    AiBench bench;
    if (!setting_make(&setting, self, game, NULL, NULL, NULL))
        return false;
    void *memory = cli_memory(ai_bench_bytes(setting.content));
    uint64_t began_ms = progress_cpu_ms();
    ai_bench(setting.content, (uint32_t)positions, (uint32_t)nodes, memory, &bench);
    uint64_t spent_ms = progress_cpu_ms() - began_ms;
    uint64_t rate = bench.nodes * 1000 / (spent_ms == 0 ? 1 : spent_ms);
    printf("%-18s %10llu nodes, %9llu per CPU-second, signature %016llx\n", game->id,
           (unsigned long long)bench.nodes, (unsigned long long)rate,
           (unsigned long long)bench.signature);
    free(memory);
    free(setting.content);
    return true;
}

enum { FLAG_POSITIONS, FLAG_NODES, FLAGS };

static int run(const Command *self, int count, char **words) {
    Flag flags[FLAGS] = {[FLAG_POSITIONS] = {.name = "positions", .max = 1},
                         [FLAG_NODES] = {.name = "nodes", .max = 1}};
    Plain plain;
    uint64_t positions, nodes;
    Read read = arguments_read(self, count, words, flags, FLAGS, &plain, 1, 1);
    if (!read.go_on)
        return read.exit_code;
    if (strcmp(plain.words[0], "ai") != 0)
        return cli_wrong_use(self, "there is no bench \"%s\"; there is ai", plain.words[0]);
    if (!flag_whole(self, &flags[FLAG_POSITIONS], 1, 1000000, 40, &positions) ||
        !flag_whole(self, &flags[FLAG_NODES], 1, 4000000000, 5000, &nodes))
        return CLI_WRONG_USE;
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        if (!bench_game(self, *game, positions, nodes))
            return CLI_CHECK_FAILED;
    return CLI_FINE;
}

const Command command_bench = {
    .name = "bench",
    .summary = "Measures how fast programs think, and signs their choices.",
    .use = "bench ai [--positions N] [--nodes N]",
    .help = "The best level thinks in fixed positions of each game for a fixed number of\n"
            "nodes (one node is one action tried). The signature holds nodes, answers and\n"
            "values: as long as it stays the same, programs play as before, whatever else\n"
            "was changed.\n"
            "\n"
            "  --positions N      how many for each game (usually 40)\n"
            "  --nodes N          for each of them (usually 5000)\n",
    .run = run,
};
