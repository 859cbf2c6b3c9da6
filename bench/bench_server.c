/* bench_server.c -- mashup bench server: a server in a process of its own, thousands of clients in
 * this one, over loopback.
 *
 * Costs are those of the server's process alone, its CPU time and resident memory (the kernel's
 * memory for sockets is not included). A busy machine gives longer response times; actions per
 * CPU-second suffer less. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/load.h"
#include "cli/game_config.h"

enum { HANDSHAKES = 2000, FLAT_OUT_MATCHES = 200, ECHO_SOCKETS = 100, ECHO_BYTES = 64 };
enum { SETTLE_MS = 500, PATIENCE_MS = 10000 };

/* The server's process. */
typedef struct BenchServer {
    pid_t pid;
    char folder[256];
    char url[64];
    double echo;        /* of a plain echo, per CPU-second */
    uint32_t settle_ms; /* of quiet before and after a measurement */
} BenchServer;

/* How much is measured. */
typedef struct Extent {
    uint32_t matches, sockets, watchers, play_ms;
} Extent;

/* --- The server ------------------------------------------------------------------------------- */

/* In the child: executes `mashup serve`. */
static void become_server(const BenchServer *server, int out, bool fast) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(out, STDOUT_FILENO);
    execl("/proc/self/exe", "mashup", "serve", "--address", "127.0.0.1", "--port", "0", "--data",
          server->folder, "--no-rates", "--sockets-max", "16000", "--matches-max", "12000",
          "--log-level", "warning", fast ? "--fast" : NULL, NULL);
    _exit(127);
}

/* A folder for the server, on a disk if there is one: /tmp is in memory on many machines, and full
 * of files that others create and remove. False: there is none. */
static bool make_folder(BenchServer *server) {
    const char *places[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    for (uint32_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i] == NULL || places[i][0] == '\0')
            continue;
        snprintf(server->folder, sizeof server->folder, "%s/mashup-bench-XXXXXX", places[i]);
        if (mkdtemp(server->folder) != NULL)
            return true;
    }
    return false;
}

/* Starts it and waits for its first line. False: an error was printed. */
static bool open_server(BenchServer *server, bool fast) {
    int ends[2];
    if (!make_folder(server) || pipe(ends) != 0) {
        fprintf(stderr, "mashup bench: cannot create a folder for the server\n");
        return false;
    }
    fflush(NULL);
    server->pid = fork();
    if (server->pid == 0)
        become_server(server, ends[1], fast);
    close(ends[1]);
    char line[256] = "";
    FILE *out = fdopen(ends[0], "r");
    if (server->pid < 0 || out == NULL || fgets(line, sizeof line, out) == NULL) {
        fprintf(stderr, "mashup bench: the server did not start\n");
        return false;
    }
    fclose(out);
    const char *address = strstr(line, "http://");
    if (address == NULL)
        return false;
    MashText url = text_over(server->url, sizeof server->url);
    line[strcspn(line, "\n")] = '\0';
    client_url(address, &url);
    return true;
}

/* Asks the server to shut down, kills it if it takes longer than PATIENCE_MS, removes its folder.
 */
static void close_server(BenchServer *server) {
    char command[sizeof server->folder + 16];
    int status = 0;
    kill(server->pid, SIGTERM);
    for (int waited = 0; waitpid(server->pid, &status, WNOHANG) == 0; waited += 50) {
        if (waited > PATIENCE_MS)
            kill(server->pid, SIGKILL);
        usleep(50000);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", server->folder);
    if (system(command) != 0)
        fprintf(stderr, "mashup bench: %s could not be removed\n", server->folder);
}

/* --- Measurements ----------------------------------------------------------------------------- */

/* Measures handshakes while this many sockets are open and prints them; nothing if some did not
 * end. */
static void print_handshakes(const BenchServer *server, LoadTest *load, uint32_t sockets) {
    LoadUsage before = load_account(server->pid);
    if (!load_reconnects(load, HANDSHAKES))
        return;
    LoadUsage after = load_account(server->pid);
    printf("handshakes   beside %5u sockets: %8.0f per CPU-second, %6.0f a second\n", sockets,
           HANDSHAKES / (after.cpu_seconds - before.cpu_seconds),
           HANDSHAKES / (after.wall_seconds - before.wall_seconds));
    fflush(stdout);
}

/* The bytes that each of so many things has taken since then, after some quiet. */
static double memory_each(const BenchServer *server, LoadTest *load, LoadUsage before,
                          uint32_t count) {
    load_idle(load, server->settle_ms);
    return (load_account(server->pid).memory_bytes - before.memory_bytes) / count;
}

/* Idle sockets: how fast they connect, what each one costs. */
static bool measure_sockets(const BenchServer *server, LoadTest *load, uint32_t sockets) {
    load_idle(load, server->settle_ms);
    LoadUsage empty = load_account(server->pid);
    if (!load_connect(load, 100))
        return false;
    print_handshakes(server, load, 100);
    if (!load_connect(load, 1000))
        return false;
    print_handshakes(server, load, 1000);
    if (!load_connect(load, sockets))
        return false;
    printf("memory       %u idle connections: %.0f bytes each\n", sockets,
           memory_each(server, load, empty, sockets));
    print_handshakes(server, load, sockets);
    return true;
}

/* Prints what was measured between two readings of the process. */
static void print_play(const BenchServer *server, LoadTest *load, const char *how, LoadUsage before,
                       LoadUsage after) {
    const LoadStats *stats = load_stats(load);
    double cpu = after.cpu_seconds - before.cpu_seconds;
    double wall = after.wall_seconds - before.wall_seconds;
    LoadTimes *times = load_answers(load);
    printf("%s: %8.0f actions per CPU-second (%.2f of the echo), %6.0f a second, server busy "
           "%.0f %%\n"
           "             answers: half in %.1f ms, 99 %% in %.1f ms, all in %.1f ms\n",
           how, (double)stats->actions / cpu, (double)stats->actions / cpu / server->echo,
           (double)stats->actions / wall, 100 * cpu / wall, load_time(times, 500) / 1000.0,
           load_time(times, 990) / 1000.0, load_time(times, 1000) / 1000.0);
    if (stats->refusals + stats->losses > 0)
        printf("             %llu refused, %llu offences, %llu disconnected\n",
               (unsigned long long)stats->refusals, (unsigned long long)stats->offences,
               (unsigned long long)stats->losses);
    fflush(stdout);
}

/* Plays at a rate (0: as fast as possible) and prints. */
static void measure_play(const BenchServer *server, LoadTest *load, const char *how, uint32_t pairs,
                         uint32_t rate, uint32_t ms) {
    load_reset(load);
    LoadUsage before = load_account(server->pid);
    load_play(load, pairs, rate, ms);
    LoadUsage after = load_account(server->pid);
    print_play(server, load, how, before, after);
    load_idle(load, server->settle_ms);
}

/* Matches: what each one costs, and how fast they are played in an open loop and as fast as
 * possible. */
static bool measure_matches(const BenchServer *server, LoadTest *load, const Extent *extent) {
    char how[80];
    uint32_t matches = extent->matches;
    LoadUsage before = load_account(server->pid);
    uint32_t few = matches < FLAT_OUT_MATCHES ? matches : FLAT_OUT_MATCHES;
    if (!load_pair(load, few))
        return false;
    snprintf(how, sizeof how, "flat out     %u of %u matches", few, few);
    measure_play(server, load, how, few, 0, extent->play_ms);
    if (!load_pair(load, matches))
        return false;
    printf("memory       %u matches at tables: %.0f bytes each, beside the connections\n", matches,
           memory_each(server, load, before, matches));
    static const uint32_t rates[] = {1000, 4000};
    for (uint32_t i = 0; i < 2; i++) {
        snprintf(how, sizeof how, "open loop    %u matches, %u actions a second", matches,
                 rates[i]);
        measure_play(server, load, how, matches, rates[i], extent->play_ms);
    }
    return true;
}

/* One match with many spectators. */
static bool measure_watchers(const BenchServer *server, LoadTest *load, const Extent *extent) {
    enum { RATE = 20 };
    load_reset(load);
    if (!load_watch(load, extent->watchers))
        return false;
    load_idle(load, server->settle_ms);
    load_reset(load);
    LoadUsage before = load_account(server->pid);
    load_play(load, 1, RATE, extent->play_ms);
    load_idle(load, server->settle_ms);
    LoadUsage after = load_account(server->pid);
    LoadTimes *times = load_fanout_times(load);
    printf("fan-out      one match, %u spectators: %.0f positions per CPU-second; until the last "
           "has it\n             half in %.1f ms, 99 %% in %.1f ms\n",
           extent->watchers,
           (double)load_stats(load)->watched / (after.cpu_seconds - before.cpu_seconds),
           load_time(times, 500) / 1000.0, load_time(times, 990) / 1000.0);
    return true;
}

/* Measures echo, sockets, matches and spectators and prints each. False: one of them failed. */
static bool measure(BenchServer *server, const MashGame *game, const Extent *extent) {
    server->echo = bench_echo(ECHO_SOCKETS, ECHO_BYTES, extent->play_ms / 2000.0);
    printf("plain echo   %u sockets, %u bytes: %8.0f per CPU-second\n", (unsigned)ECHO_SOCKETS,
           (unsigned)ECHO_BYTES, server->echo);
    fflush(stdout);
    LoadTest *load = load_open(server->url, game, NULL);
    bool fine = measure_sockets(server, load, extent->sockets) &&
                measure_matches(server, load, extent) && measure_watchers(server, load, extent);
    printf("sockets      %u at the end\n", load_count(load));
    load_close(load);
    return fine;
}

int bench_server(const Arguments *given) {
    const char *id = flag_text(given, "game");
    const MashGame *game = game_config_game(given, id == NULL ? "zorde" : id);
    bool fast = flag_given(given, "fast");
    uint32_t sockets = (uint32_t)flag_number(given, "sockets");
    BenchServer server = {.pid = 0};
    Extent extent = {.matches = (uint32_t)flag_number(given, "matches"),
                     .watchers = (uint32_t)flag_number(given, "watchers"),
                     .play_ms = (uint32_t)flag_number(given, "ms")};
    extent.sockets = sockets > 2 * extent.matches ? sockets : 2 * extent.matches;
    if (game == NULL)
        return CLI_WRONG_USE;
    if (!open_server(&server, fast))
        return CLI_CHECK_FAILED;
    printf("bench server %s, %s\n", game->id,
           fast ? "sent before saved to disk" : "saved to disk before sent");
    server.settle_ms = extent.play_ms < SETTLE_MS ? extent.play_ms : SETTLE_MS;
    bool fine = measure(&server, game, &extent);
    close_server(&server);
    return fine ? CLI_FINE : CLI_CHECK_FAILED;
}
