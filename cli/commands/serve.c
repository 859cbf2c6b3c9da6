/* serve.c -- mashup serve: runs the game server until it is asked to shut down. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/page.h"
#include "standard/commands/flags.h"

enum {
    PLACE_BYTES = 1024,
    PEER_BYTES = 8,
    PATIENCE_MS = 3000,
    MESSAGE_BYTES_MAX = 256 << 10,
    HTTP_SOCKETS = 1000,
    MEGABYTES_MAX = 1000000000,
    BIG_BYTES = 1 << 20,
    TOKEN_LEAST = 16
};

/* The running server, for the signal handlers. */
typedef struct ServeRun {
    NetLoop *loop;
    Server *server;
    bool failed;
} ServeRun;

/* Writes a line of the log to stderr. */
static void log_line(void *owner, const char *line) {
    (void)owner;
    fprintf(stderr, "%s\n", line);
}

/* The server has shut down: ends the program. */
static void stopped(void *owner, bool failed) {
    ServeRun *run = owner;
    run->failed |= failed;
    net_loop_stop(run->loop);
}

/* SIGTERM or Ctrl-C: shuts the server down within PATIENCE_MS. */
static void asked_to_close(void *owner) {
    ServeRun *run = owner;
    server_drain(run->server, PATIENCE_MS);
}

/* SIGHUP: reloads settings and bans. */
static void asked_to_reload(void *owner) {
    const ServeRun *run = owner;
    server_reload(run->server);
}

/* SIGUSR1: logs the state of the server. */
static void asked_to_report(void *owner) {
    const ServeRun *run = owner;
    server_report(run->server);
}

/* Raises the limit of open files as far as possible: each socket needs one. */
static void raise_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* Returns large blocks, as for a journal file during compaction, to the system when they are freed.
 * By default glibc raises its threshold and keeps them. */
static void give_memory_back(void) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, BIG_BYTES);
#endif
}

/* Opens the server and runs it until it is asked to shut down. An exit code. */
static int serve(ServerSetup *setup) {
    ServeRun run = {.loop = net_loop_open()};
    char memory[1024];
    MashText problem = text_over(memory, sizeof memory);
    if (run.loop == NULL) {
        fprintf(stderr, "mashup serve: out of memory\n");
        return CLI_CHECK_FAILED;
    }
    setup->log = log_line;
    setup->stopped = stopped;
    setup->owner = &run;
    run.server = server_open(run.loop, setup, &problem);
    if (run.server == NULL) {
        fprintf(stderr, "mashup serve: %s\n", memory);
        net_loop_close(run.loop);
        return CLI_CHECK_FAILED;
    }
    net_on_signal(run.loop, SIGTERM, asked_to_close, &run);
    net_on_signal(run.loop, SIGINT, asked_to_close, &run);
    net_on_signal(run.loop, SIGHUP, asked_to_reload, &run);
    net_on_signal(run.loop, SIGUSR1, asked_to_report, &run);
    bool everywhere = strcmp(setup->address, "0.0.0.0") == 0 || strcmp(setup->address, "::") == 0;
    bool colons = strchr(setup->address, ':') != NULL && !everywhere;
    printf("mashup serve: ready at http://%s%s%s:%u\n", colons ? "[" : "",
           everywhere ? "localhost" : setup->address, colons ? "]" : "",
           (unsigned)server_port(run.server));
    fflush(stdout);
    net_loop_run(run.loop);
    bool deposed = server_is_deposed(run.server);
    server_close(run.server);
    net_loop_close(run.loop);
    return deposed ? CLI_DEPOSED : run.failed ? CLI_CHECK_FAILED : CLI_FINE;
}

/* Flags that are numbers of the setup: N(flag, member, least, most, how much one of it is there).
 */
#define NUMBERS(N)                                                                                 \
    N("strikes", strikes, 0, 1000, 1)                                                              \
    N("matches-max", matches_max, 1, 1000000, 1)                                                   \
    N("sockets-max", limits.websockets_max, 1, 1000000, 1)                                         \
    N("address-sockets-max", limits.address_sockets_max, 1, 1000000, 1)                            \
    N("keep-days", keep_days, 0, 1000000, 1)                                                       \
    N("address-tables", budgets.tables, 0, 1000000, 1)                                             \
    N("address-matches-per-day", budgets.matches_per_day, 0, 1000000, 1)                           \
    N("address-megabytes-per-day", budgets.megabytes_per_day, 0, 1000000, 1)                       \
    N("address-messages", budgets.messages, 0, 1000000, 1)                                         \
    N("threads", threads, 1, 64, 1)                                                                \
    N("robot-threads", robot_threads, 1, AI_TEAM_MAX, 1)                                           \
    N("turn-seconds", clocks.turn_ms, 0, 86400, 1000)                                              \
    N("pause-seconds", clocks.pause_ms, 0, 86400, 1000)                                            \
    N("pauses", pauses, 0, 9999, 1)                                                                \
    N("grace-seconds", clocks.grace_ms, 0, 86400, 1000)                                            \
    N("turn-max", bounds.most.turn_ms, 0, 86400, 1000)                                             \
    N("match-max", bounds.most.match_ms, 0, 86400, 1000)                                           \
    N("pause-max", bounds.most.pause_ms, 0, 86400, 1000)                                           \
    N("silence-max", bounds.most.silence_ms, 0, 86400, 1000)                                       \
    N("grace-max", bounds.most.grace_ms, 0, 86400, 1000)                                           \
    N("abandoned-seconds", abandoned_ms, 0, 86400, 1000)

/* Reads them; what was not given stays. */
static void take_numbers(const Arguments *given, ServerSetup *setup) {
#define TAKE(flag, member, least, most, unit)                                                      \
    if (flag_given(given, flag))                                                                   \
        setup->member = (uint32_t)flag_number(given, flag) * (unit);
    NUMBERS(TAKE)
#undef TAKE
    if (flag_given(given, "port"))
        setup->port = (uint16_t)flag_number(given, "port");
    setup->limits.sockets_max = setup->limits.websockets_max + HTTP_SOCKETS;
}

/* The megabytes of a size flag such as 500M, 20G or 1T. False: an error was printed. */
static bool take_size(const Arguments *given, const char *flag, uint64_t *megabytes) {
    static const char units[] = "MGT";
    const char *value = flag_text(given, flag);
    if (value == NULL)
        return true;
    char *end;
    unsigned long long number = strtoull(value, &end, 10);
    const char *unit = *end == '\0' ? NULL : strchr(units, *end);
    bool zero = number == 0 && *end == '\0';
    if (value[0] >= '0' && value[0] <= '9' && number < 1000000 &&
        (zero || (unit != NULL && end[1] == '\0'))) {
        *megabytes = number << (zero ? 0 : 10 * (unit - units));
        if (*megabytes <= MEGABYTES_MAX)
            return true;
    }
    cli_wrong_use(given->command, "--%s must be a size like 500M, 20G or 1T, or 0, not \"%s\"",
                  flag, value);
    return false;
}

/* Reads the flags about disk space. False: an error was printed. */
static bool take_limits(const Arguments *given, ServerSetup *setup) {
    uint64_t archive = setup->archive_megabytes, reserve = MEGABYTES_MAX + 1;
    if (!take_size(given, "archive-max", &archive) || !take_size(given, "disk-reserve", &reserve))
        return false;
    setup->archive_megabytes = (uint32_t)archive;
    if (reserve <= MEGABYTES_MAX)
        setup->store.reserve_bytes = reserve << 20;
    return true;
}

/* No limits per address and socket: for a private machine and for measuring. */
static void lift_rates(ServerSetup *setup) {
    NetLimits *limits = &setup->limits;
    NetRate none = {0, 0};
    setup->request_rate = none;
    memset(&setup->budgets, 0, sizeof setup->budgets);
    limits->address_connections = limits->address_requests = limits->address_handshakes = none;
    limits->socket_frames = limits->socket_bytes = none;
    limits->address_sockets_max = limits->sockets_max;
}

/* Reads the token from the file, without surrounding blanks. False: an error was printed. */
static bool take_token(const Command *self, const char *path, ServerSetup *setup) {
    static const char blanks[] = " \t\r\n";
    FileBytes file;
    if (path == NULL)
        return true;
    if (!files_read(path, &file))
        return false;
    const char *token = file.bytes + strspn(file.bytes, blanks);
    size_t count = strcspn(token, blanks);
    bool good = count >= TOKEN_LEAST && count < sizeof setup->metrics_token &&
                token[count + strspn(token + count, blanks)] == '\0';
    if (good)
        memcpy(setup->metrics_token, token, count);
    else
        cli_wrong_use(self, "--metrics-token-file: %s must hold one word of %d to %d letters", path,
                      TOKEN_LEAST, (int)sizeof setup->metrics_token - 1);
    free(file.bytes);
    return good;
}

/* Reads the flags about how the server is reached. False: an error was printed. */
static bool take_place(const Arguments *given, ServerSetup *setup) {
    const FlagGiven *hosts = flag_find(given, "host");
    if (flag_given(given, "address"))
        setup->address = flag_text(given, "address");
    setup->origin = flag_text(given, "origin");
    setup->hosts = hosts->values;
    setup->hosts_count = hosts->count;
    setup->behind_proxy = flag_given(given, "behind-proxy");
    return take_token(given->command, flag_text(given, "metrics-token-file"), setup);
}

/* Reads the flags about a store that nodes share; `peer` is memory for where others reach this
 * node. False: an error was printed. */
static bool take_nodes(const Arguments *given, ServerSetup *setup, char peer[PEER_BYTES]) {
    bool shared = flag_given(given, "store");
    if (!shared && (flag_given(given, "node") || flag_given(given, "url") ||
                    flag_given(given, "peer") || flag_given(given, "copies"))) {
        cli_wrong_use(given->command, "--node, --url, --peer and --copies are for a store that "
                                      "nodes share: --store 'postgres:...'");
        return false;
    }
    snprintf(peer, PEER_BYTES, ":%u", (unsigned)setup->port);
    if (flag_given(given, "peer"))
        setup->store.peer = flag_text(given, "peer");
    else if (setup->port != 0)
        setup->store.peer = peer;
    setup->store.node = (uint32_t)flag_number(given, "node");
    setup->store.copies = (uint32_t)flag_number(given, "copies");
    setup->store.url = flag_text(given, "url");
    /* The embedded store makes its folder itself; here it is for the admin socket and the bans. */
    if (shared && mkdir(setup->folder, 0700) != 0 && errno != EEXIST) {
        fprintf(stderr, "mashup serve: cannot make the folder %s: %s\n", setup->folder,
                strerror(errno));
        return false;
    }
    return true;
}

/* Reads the flags about the log. Levels of the standard are numbers: 0 is off, 4 is everything. */
static void take_log(const Arguments *given, ServerSetup *setup) {
    uint64_t level = flag_number(given, "log-level");
    if (flag_given(given, "verbose"))
        setup->log_level = LOG_DEBUG;
    else if (flag_given(given, "log-level"))
        setup->log_level = (LogLevel)(level < LOG_LEVELS ? level : 2 * LOG_LEVELS - level);
    setup->log_json = flag_number(given, "log") == 1;
    setup->log_people = flag_given(given, "log-people");
}

#define ROW(flag, member, least, most, unit) FLAG_WHOLE(flag, least, most, 0),
static const Flag flags[] = {FLAG_WHOLE("port", 0, 65535, 0, .letter = 'p', .variable = "MMU_PORT"),
                             FLAG_TEXT("address"),
                             FLAG_TEXT("data"),
                             FLAG_TEXT("store"),
                             FLAG_WHOLE("node", 1, 1000000, 1),
                             FLAG_TEXT("url"),
                             FLAG_TEXT("peer"),
                             FLAG_WHOLE("copies", 1, 9, 1),
                             FLAG_SWITCH("fast"),
                             NUMBERS(ROW) FLAG_TEXT("archive-max"),
                             FLAG_TEXT("disk-reserve"),
                             FLAG_TEXT("origin"),
                             FLAG_LIST(SERVER_HOSTS_MAX, "host"),
                             FLAG_TEXT("metrics-token-file"),
                             FLAG_SWITCH("behind-proxy"),
                             FLAG_SWITCH("no-rates"),
                             FLAG_SWITCH("webhook-insecure-local"),
                             FLAG_CHOICE("log", "text|json"),
                             FLAG_CHOICE("log-level", "debug|info|warning|error|0|1|2|3|4",
                                         .letter = 'l', .variable = "MMU_LOG_LEVEL"),
                             FLAG_SWITCH("log-people"),
                             FLAG_TEXT("settings"),
                             STANDARD_FLAGS,
                             FLAGS_END};
#undef ROW

static int run(const Arguments *given) {
    char place[PLACE_BYTES], peer[PEER_BYTES];
    const char *folder = flag_text(given, "data");
    folder = folder == NULL ? "mashup-data" : folder;
    snprintf(place, sizeof place, "embedded:%s", folder);
    const char *store = flag_text(given, "store");
    ServerSetup setup = server_setup(store == NULL ? place : store);
    setup.folder = folder;
    int exit_code;
    setup.limits.message_bytes_max = MESSAGE_BYTES_MAX;
    take_numbers(given, &setup);
    take_log(given, &setup);
    if (!take_place(given, &setup) || !take_limits(given, &setup) ||
        !take_nodes(given, &setup, peer))
        return CLI_WRONG_USE;
    StandardConfig config;
    if (!standard_config_from_flags(given, &config, &exit_code))
        return exit_code;
    server_add_protocol(&setup, &standard_protocol, &config);
    setup.files = page_files;
    setup.files_count = page_files_count;
    setup.store.announce_before_sync = flag_given(given, "fast");
    setup.store.matches_max = setup.matches_max;
    setup.settings = flag_text(given, "settings");
    setup.webhook_local = flag_given(given, "webhook-insecure-local");
    if (flag_given(given, "no-rates"))
        lift_rates(&setup);
    raise_files();
    give_memory_back();
    return serve(&setup);
}

static const CommandExtras standard_help = {.more = "standard"};
static const CommandExtras lenient = {.more = "standard", .lenient = true};

const Command command_serve = {
    "serve",
    "Runs the game server: matches, spectators, AI players.",
    "serve [--port N] [--address A] [--data DIR] [--fast] [--strikes N]\n"
    "            [--matches-max N] [--sockets-max N] [--log text|json] ...",
    run,
    flags,
    0,
    0,
    &standard_help};

const Command command_server = {"server",
                                "Runs the server with the command line of the standard.",
                                "server [-m FILE] [-c FILE] [-s FILE] [-p N] [-l N] [-v] [-C]\n"
                                "            [-r DIR] ...",
                                run,
                                flags,
                                0,
                                0,
                                &lenient};
