/* remote.c -- mashup bench load: pairs of clients for a server that runs already, on this machine
 * or another. Each line of standard input is a measurement, so that whoever starts several of these
 * processes can begin them at the same moment and read other figures between them. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/load.h"
#include "cli/game_config.h"

enum { LINE_BYTES = 64, IDLE_MS = 20, MS_MAX = 600000, RATE_MAX = 1000000 };

/* Prints the response times as a list of [milliseconds, how many], in steps of a fiftieth. */
static void print_times(LoadTimes *times) {
    load_time(times, 0); /* sorts */
    printf("[");
    for (uint32_t i = 0, end; i < times->count; i = end) {
        uint64_t until = (uint64_t)times->list[i] + times->list[i] / 50 + 1;
        for (end = i; end < times->count && times->list[end] < until; end++)
            ;
        printf("%s[%.3f,%u]", i == 0 ? "" : ",", times->list[end - 1] / 1000.0, end - i);
    }
    printf("]");
}

/* Plays once and prints what was measured, as a line of JSON. */
static void measure(LoadTest *load, uint32_t pairs, uint32_t rate, uint32_t ms) {
    load_reset(load);
    LoadUsage before = load_account(getpid());
    load_play(load, pairs, rate, ms);
    LoadUsage after = load_account(getpid());
    const LoadStats *stats = load_stats(load);
    LoadTimes *times = load_answers(load);
    printf("{\"actions\":%llu,\"seconds\":%.3f,\"client_cpu_seconds\":%.3f,\"matches_ended\":%llu,"
           "\"refused\":%llu,\"disconnected\":%llu,\"half_ms\":%.1f,\"ms_99\":%.1f,\"times\":",
           (unsigned long long)stats->actions, after.wall_seconds - before.wall_seconds,
           after.cpu_seconds - before.cpu_seconds, (unsigned long long)stats->matches,
           (unsigned long long)stats->refusals, (unsigned long long)stats->losses,
           load_time(times, 500) / 1000.0, load_time(times, 990) / 1000.0);
    print_times(times);
    printf("}\n");
    fflush(stdout);
}

/* Reads a line while the clients stay alive. False: there are no more. */
static bool next_line(LoadTest *load, char line[LINE_BYTES]) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    uint32_t count = 0;
    for (char byte; count + 1 < LINE_BYTES;) {
        while (poll(&input, 1, 0) == 0)
            load_idle(load, IDLE_MS);
        if (read(STDIN_FILENO, &byte, 1) != 1)
            return false;
        if (byte == '\n')
            break;
        line[count++] = byte;
    }
    line[count] = '\0';
    return true;
}

/* Measures for each line. An exit code. */
static int follow_lines(const Arguments *given, LoadTest *load, uint32_t pairs) {
    char line[LINE_BYTES];
    while (next_line(load, line)) {
        char *end;
        unsigned long rate = strtoul(line, &end, 10), ms = strtoul(end, &end, 10);
        if (*end != '\0' || ms == 0 || ms > MS_MAX || rate > RATE_MAX)
            return cli_wrong_use(given->command,
                                 "a measurement is RATE MS, such as \"1000 5000\", not \"%s\"",
                                 line);
        measure(load, pairs, (uint32_t)rate, (uint32_t)ms);
    }
    return CLI_FINE;
}

int bench_load(const Arguments *given) {
    const char *id = flag_text(given, "game");
    const MashGame *game = game_config_game(given, id == NULL ? "zorde" : id);
    uint32_t pairs = (uint32_t)flag_number(given, "matches");
    char memory[256];
    MashText url = text_over(memory, sizeof memory);
    if (game == NULL)
        return CLI_WRONG_USE;
    if (given->count < 2)
        return cli_wrong_use(given->command, "bench load needs the address of a server");
    client_url(given->words[1], &url);
    LoadTest *load = load_open(memory, game, NULL);
    int code = CLI_CHECK_FAILED;
    if (load_pair(load, pairs)) {
        printf("{\"matches\":%u}\n", pairs);
        fflush(stdout);
        code = follow_lines(given, load, pairs);
    }
    load_close(load);
    return code;
}
