/* command.c -- mashup bench ai: how fast the AI players search, and a signature of what they
 * choose; and the entry of mashup bench server and load. */
#include "ai/search_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "cli/game_config.h"
#include "cli/progress.h"

/* Searches positions of one game's first preset. */
static bool bench_game(const Arguments *given, const MashGame *game) {
    GameConfig config;
    AiBench bench;
    if (!game_config_make(&config, given, game->id))
        return false;
    void *memory = cli_memory(ai_bench_bytes(config.content));
    uint64_t began_ms = progress_cpu_ms();
    ai_bench(config.content, (uint32_t)flag_number(given, "positions"),
             (uint32_t)flag_number(given, "nodes"), memory, &bench);
    uint64_t spent_ms = progress_cpu_ms() - began_ms;
    uint64_t rate = bench.nodes * 1000 / (spent_ms == 0 ? 1 : spent_ms);
    printf("%-18s %10llu nodes, %9llu per CPU-second, %5zu KiB, signature %016llx\n", game->id,
           (unsigned long long)bench.nodes, (unsigned long long)rate,
           (ai_bytes(config.content) + 1023) / 1024, (unsigned long long)bench.signature);
    free(memory);
    free(config.content);
    return true;
}

/* Measures searching fixed positions of every game, until one fails. Returns an exit code. */
static int bench_ai(const Arguments *given) {
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        if (!bench_game(given, *game))
            return CLI_CHECK_FAILED;
    return CLI_FINE;
}

static const Flag flags[] = {FLAG_WHOLE("positions", 1, 1000000, 40),
                             FLAG_WHOLE("nodes", 1, 4000000000, 5000),
                             FLAG_TEXT("game"),
                             FLAG_WHOLE("matches", 1, 5500, 5000),
                             FLAG_WHOLE("sockets", 100, 12000, 10000),
                             FLAG_WHOLE("watchers", 1, 4000, 2000),
                             FLAG_WHOLE("ms", 100, 600000, 5000),
                             FLAG_SWITCH("fast"),
                             FLAGS_END};

static int run(const Arguments *given) {
    if (strcmp(given->words[0], "ai") == 0)
        return bench_ai(given);
    if (strcmp(given->words[0], "server") == 0)
        return bench_server(given);
    if (strcmp(given->words[0], "load") == 0)
        return bench_load(given);
    return cli_wrong_use(given->command, "unknown benchmark \"%s\"; choose ai, server or load",
                         given->words[0]);
}

const Command command_bench = {
    "bench",
    "Benchmarks the AI players or the server.",
    "bench ai [--positions N] [--nodes N]\n"
    "       mashup bench server [--game G] [--matches N] [--sockets N] [--watchers N]\n"
    "            [--ms N] [--fast]\n"
    "       mashup bench load URL [--game G] [--matches N]",
    run,
    flags,
    1,
    2,
    NULL};
