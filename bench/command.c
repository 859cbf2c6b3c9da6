/* command.c -- mashup bench ai: how fast the AI players search, and a signature of what they
 * choose; and the entry of mashup bench server. */
#include "ai/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/game_config.h"
#include "cli/progress.h"

/* Searches positions of one game's first preset. */
static bool bench_game(const Command *self, const MashGame *game, uint64_t positions,
                       uint64_t nodes) {
    GameConfig setting;
    AiBench bench;
    if (!game_config_make(&setting, self, game, NULL, NULL, NULL))
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

/* Measures searching fixed positions of every game, until one fails. Returns an exit code. */
static int bench_ai(const Command *self, const Flag *positions_flag, const Flag *nodes_flag) {
    uint64_t positions, nodes;
    if (!flag_whole(self, positions_flag, 1, 1000000, 40, &positions) ||
        !flag_whole(self, nodes_flag, 1, 4000000000, 5000, &nodes))
        return CLI_WRONG_USE;
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        if (!bench_game(self, *game, positions, nodes))
            return CLI_CHECK_FAILED;
    return CLI_FINE;
}

static int run(const Command *self, int count, char **words) {
    Flag flags[BENCH_FLAGS] = {[BENCH_POSITIONS] = {.name = "positions", .max = 1},
                               [BENCH_NODES] = {.name = "nodes", .max = 1},
                               [BENCH_GAME] = {.name = "game", .max = 1},
                               [BENCH_MATCHES] = {.name = "matches", .max = 1},
                               [BENCH_SOCKETS] = {.name = "sockets", .max = 1},
                               [BENCH_WATCHERS] = {.name = "watchers", .max = 1},
                               [BENCH_MS] = {.name = "ms", .max = 1},
                               [BENCH_FAST] = {.name = "fast"}};
    Positional plain;
    ParseResult read = arguments_read(self, count, words, flags, BENCH_FLAGS, &plain, 1, 1);
    if (!read.ok)
        return read.exit_code;
    if (strcmp(plain.words[0], "ai") == 0)
        return bench_ai(self, &flags[BENCH_POSITIONS], &flags[BENCH_NODES]);
    if (strcmp(plain.words[0], "server") == 0)
        return bench_server(self, flags);
    return cli_wrong_use(self, "unknown benchmark \"%s\"; choose ai or server", plain.words[0]);
}

const Command command_bench = {
    "bench", "Benchmarks the AI players or the server.",
    "bench ai [--positions N] [--nodes N]\n"
    "       mashup bench server [--game G] [--matches N] [--sockets N] [--watchers N]\n"
    "            [--ms N] [--fast]",
    run, NULL};
