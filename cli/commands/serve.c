/* serve.c -- mashup serve: runs the game server until it is asked to shut down. */
#define _POSIX_C_SOURCE 200809L
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/page.h"
#include "standard/commands/flags.h"

enum {
    FLAG_PORT,
    FLAG_ADDRESS,
    FLAG_DATA,
    FLAG_FAST,
    FLAG_STRIKES,
    FLAG_MATCHES,
    FLAG_SOCKETS,
    FLAG_PER_ADDRESS,
    FLAG_KEEP_DAYS,
    FLAG_ARCHIVE_MAX,
    FLAG_DISK_RESERVE,
    FLAG_ADDRESS_TABLES,
    FLAG_ADDRESS_MATCHES,
    FLAG_ADDRESS_MEGABYTES,
    FLAG_ADDRESS_MESSAGES,
    FLAG_THREADS,
    FLAG_ORIGIN,
    FLAG_HOST,
    FLAG_METRICS,
    FLAG_PROXY,
    FLAG_OPEN,
    FLAG_TURN,
    FLAG_PAUSE,
    FLAG_PAUSES,
    FLAG_GRACE,
    FLAG_TURN_MAX,
    FLAG_MATCH_MAX,
    FLAG_PAUSE_MAX,
    FLAG_SILENCE_MAX,
    FLAG_GRACE_MAX,
    FLAG_ABANDONED,
    FLAG_LOG,
    FLAG_LOG_LEVEL,
    FLAG_LOG_PEOPLE,
    FLAG_SETTINGS,
    FLAG_STANDARD,
    FLAGS = FLAG_STANDARD + STANDARD_FLAGS
};

enum {
    PLACE_BYTES = 1024,
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
    server_close(run.server);
    net_loop_close(run.loop);
    return run.failed ? CLI_CHECK_FAILED : CLI_FINE;
}

/* The value of a flag that is one of `words`. */
static bool choose(const Command *self, const Flag *flag, const char *const *words, uint32_t count,
                   uint32_t *out) {
    const char *value = flag_value(flag);
    for (uint32_t i = 0; value != NULL && i < count; i++)
        if (strcmp(value, words[i]) == 0) {
            *out = i;
            return true;
        }
    if (value == NULL)
        return true;
    char memory[256];
    MashText text = text_over(memory, sizeof memory);
    cli_suggest(&text, value, words, count);
    cli_wrong_use(self, "--%s: unknown value \"%s\"%s", flag->name, value, memory);
    return false;
}

/* Reads the flags for the longest times that clients may choose. False: an error was printed. */
static bool take_bounds(const Command *self, const Flag *flags, ClockLimits *most) {
    uint32_t *times[] = {&most->turn_ms, &most->match_ms, &most->pause_ms, &most->silence_ms,
                         &most->grace_ms};
    for (uint32_t i = 0; i < sizeof times / sizeof *times; i++) {
        uint64_t seconds;
        if (!flag_whole(self, &flags[FLAG_TURN_MAX + i], 0, 86400, *times[i] / 1000, &seconds))
            return false;
        *times[i] = (uint32_t)seconds * 1000;
    }
    return true;
}

/* Reads the numeric flags into the setup, seconds as ms. False: an error was printed. */
static bool take_numbers(const Command *self, const Flag *flags, ServerSetup *setup) {
    uint64_t port, strikes, matches, sockets, address, threads, turn, pause, pauses, grace;
    if (!flag_whole(self, &flags[FLAG_PORT], 0, 65535, setup->port, &port) ||
        !flag_whole(self, &flags[FLAG_STRIKES], 0, 1000, setup->strikes, &strikes) ||
        !flag_whole(self, &flags[FLAG_MATCHES], 1, 1000000, setup->matches_max, &matches) ||
        !flag_whole(self, &flags[FLAG_SOCKETS], 1, 1000000, setup->limits.websockets_max,
                    &sockets) ||
        !flag_whole(self, &flags[FLAG_PER_ADDRESS], 1, 1000000, setup->limits.address_sockets_max,
                    &address) ||
        !flag_whole(self, &flags[FLAG_THREADS], 1, 64, setup->threads, &threads) ||
        !flag_whole(self, &flags[FLAG_TURN], 0, 86400, setup->clocks.turn_ms / 1000, &turn) ||
        !flag_whole(self, &flags[FLAG_PAUSE], 0, 86400, setup->clocks.pause_ms / 1000, &pause) ||
        !flag_whole(self, &flags[FLAG_PAUSES], 0, 9999, setup->pauses, &pauses) ||
        !flag_whole(self, &flags[FLAG_GRACE], 0, 86400, setup->clocks.grace_ms / 1000, &grace) ||
        !take_bounds(self, flags, &setup->bounds.most))
        return false;
    setup->port = (uint16_t)port;
    setup->strikes = (uint32_t)strikes;
    setup->matches_max = (uint32_t)matches;
    setup->threads = (uint32_t)threads;
    setup->limits.websockets_max = (uint32_t)sockets;
    setup->limits.sockets_max = (uint32_t)sockets + HTTP_SOCKETS;
    setup->limits.address_sockets_max = (uint32_t)address;
    setup->clocks.turn_ms = (uint32_t)turn * 1000;
    setup->clocks.pause_ms = (uint32_t)pause * 1000;
    setup->pauses = (uint32_t)pauses;
    setup->clocks.grace_ms = (uint32_t)grace * 1000;
    return true;
}

/* Reads the flags about limits per address and about abandoned matches into the setup. False: an
 * error was printed. */
static bool take_budgets(const Command *self, const Flag *flags, ServerSetup *setup) {
    ServerBudgets *budgets = &setup->budgets;
    uint64_t tables, matches, megabytes, messages, abandoned;
    if (!flag_whole(self, &flags[FLAG_ABANDONED], 0, 86400, setup->abandoned_ms / 1000,
                    &abandoned) ||
        !flag_whole(self, &flags[FLAG_ADDRESS_TABLES], 0, 1000000, budgets->tables, &tables) ||
        !flag_whole(self, &flags[FLAG_ADDRESS_MATCHES], 0, 1000000, budgets->matches_per_day,
                    &matches) ||
        !flag_whole(self, &flags[FLAG_ADDRESS_MEGABYTES], 0, 1000000, budgets->megabytes_per_day,
                    &megabytes) ||
        !flag_whole(self, &flags[FLAG_ADDRESS_MESSAGES], 0, 1000000, budgets->messages, &messages))
        return false;
    setup->abandoned_ms = (uint32_t)abandoned * 1000;
    budgets->tables = (uint32_t)tables;
    budgets->matches_per_day = (uint32_t)matches;
    budgets->megabytes_per_day = (uint32_t)megabytes;
    budgets->messages = (uint32_t)messages;
    return true;
}

/* The megabytes of a size flag such as 500M, 20G or 1T. False: an error was printed. */
static bool take_size(const Command *self, const Flag *flag, uint64_t usual, uint64_t *megabytes) {
    static const char units[] = "MGT";
    const char *value = flag_value(flag);
    *megabytes = usual;
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
    cli_wrong_use(self, "--%s must be a size like 500M, 20G or 1T, or 0, not \"%s\"", flag->name,
                  value);
    return false;
}

/* Reads the flags about disk space. False: an error was printed. */
static bool take_limits(const Command *self, const Flag *flags, ServerSetup *setup) {
    uint64_t days, archive, reserve;
    if (!flag_whole(self, &flags[FLAG_KEEP_DAYS], 0, 1000000, setup->keep_days, &days) ||
        !take_size(self, &flags[FLAG_ARCHIVE_MAX], setup->archive_megabytes, &archive) ||
        !take_size(self, &flags[FLAG_DISK_RESERVE], MEGABYTES_MAX + 1, &reserve))
        return false;
    setup->keep_days = (uint32_t)days;
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
static bool take_place(const Command *self, const Flag *flags, ServerSetup *setup) {
    if (flag_value(&flags[FLAG_ADDRESS]) != NULL)
        setup->address = flag_value(&flags[FLAG_ADDRESS]);
    setup->origin = flag_value(&flags[FLAG_ORIGIN]);
    setup->hosts = flags[FLAG_HOST].values;
    setup->hosts_count = flags[FLAG_HOST].count;
    setup->behind_proxy = flags[FLAG_PROXY].count > 0;
    return take_token(self, flag_value(&flags[FLAG_METRICS]), setup);
}

/* All flags of this command; those of the standard follow them. */
static const Flag own_flags[FLAGS] = {
    [FLAG_PORT] = {.name = "port", .max = 1},
    [FLAG_ADDRESS] = {.name = "address", .max = 1},
    [FLAG_DATA] = {.name = "data", .max = 1},
    [FLAG_FAST] = {.name = "fast"},
    [FLAG_STRIKES] = {.name = "strikes", .max = 1},
    [FLAG_MATCHES] = {.name = "matches-max", .max = 1},
    [FLAG_SOCKETS] = {.name = "sockets-max", .max = 1},
    [FLAG_PER_ADDRESS] = {.name = "address-sockets-max", .max = 1},
    [FLAG_KEEP_DAYS] = {.name = "keep-days", .max = 1},
    [FLAG_ARCHIVE_MAX] = {.name = "archive-max", .max = 1},
    [FLAG_DISK_RESERVE] = {.name = "disk-reserve", .max = 1},
    [FLAG_ADDRESS_TABLES] = {.name = "address-tables", .max = 1},
    [FLAG_ADDRESS_MATCHES] = {.name = "address-matches-per-day", .max = 1},
    [FLAG_ADDRESS_MEGABYTES] = {.name = "address-megabytes-per-day", .max = 1},
    [FLAG_ADDRESS_MESSAGES] = {.name = "address-messages", .max = 1},
    [FLAG_THREADS] = {.name = "threads", .max = 1},
    [FLAG_ORIGIN] = {.name = "origin", .max = 1},
    [FLAG_HOST] = {.name = "host", .max = SERVER_HOSTS_MAX},
    [FLAG_METRICS] = {.name = "metrics-token-file", .max = 1},
    [FLAG_PROXY] = {.name = "behind-proxy"},
    [FLAG_OPEN] = {.name = "no-rates"},
    [FLAG_TURN] = {.name = "turn-seconds", .max = 1},
    [FLAG_PAUSE] = {.name = "pause-seconds", .max = 1},
    [FLAG_PAUSES] = {.name = "pauses", .max = 1},
    [FLAG_GRACE] = {.name = "grace-seconds", .max = 1},
    [FLAG_TURN_MAX] = {.name = "turn-max", .max = 1},
    [FLAG_MATCH_MAX] = {.name = "match-max", .max = 1},
    [FLAG_PAUSE_MAX] = {.name = "pause-max", .max = 1},
    [FLAG_SILENCE_MAX] = {.name = "silence-max", .max = 1},
    [FLAG_GRACE_MAX] = {.name = "grace-max", .max = 1},
    [FLAG_ABANDONED] = {.name = "abandoned-seconds", .max = 1},
    [FLAG_LOG] = {.name = "log", .max = 1},
    [FLAG_LOG_LEVEL] = {.name = "log-level", .max = 1},
    [FLAG_LOG_PEOPLE] = {.name = "log-people"},
    [FLAG_SETTINGS] = {.name = "settings", .max = 1}};

/* Runs the server with these arguments; `lenient` ignores unknown options. An exit code. */
static int open_server(const Command *self, int count, char **words, bool lenient) {
    static const char *const kinds[] = {"text", "json"};
    Flag flags[FLAGS];
    Flag *standard = &flags[FLAG_STANDARD];
    Positional plain;
    memcpy(flags, own_flags, sizeof flags);
    standard_name_flags(standard);
    char **spelt = standard_expand_short_flags(self, &count, words, flags, FLAGS, lenient);
    ParseResult read = arguments_read(self, count, spelt, flags, FLAGS, &plain, 0, 0);
    free(spelt);
    if (!read.ok)
        return read.exit_code;
    standard_take_environment(flags, FLAGS);
    char place[PLACE_BYTES];
    const char *folder = flag_value(&flags[FLAG_DATA]);
    folder = folder == NULL ? "mashup-data" : folder;
    snprintf(place, sizeof place, "embedded:%s", folder);
    ServerSetup setup = server_setup(place);
    setup.folder = folder;
    uint32_t kind = 0;
    int exit_code;
    bool verbose = standard[STANDARD_FLAG_VERBOSE].count > 0;
    setup.limits.message_bytes_max = MESSAGE_BYTES_MAX;
    if (!take_numbers(self, flags, &setup) || !take_budgets(self, flags, &setup) ||
        !take_place(self, flags, &setup) || !take_limits(self, flags, &setup) ||
        !choose(self, &flags[FLAG_LOG], kinds, 2, &kind) ||
        !standard_log_level(self, &flags[FLAG_LOG_LEVEL], verbose, &setup.log_level))
        return CLI_WRONG_USE;
    StandardConfig config;
    if (!standard_config_from_flags(self, standard, &config, &exit_code))
        return exit_code;
    server_add_protocol(&setup, &standard_protocol, &config);
    setup.files = page_files;
    setup.files_count = page_files_count;
    setup.store.announce_before_sync = flags[FLAG_FAST].count > 0;
    setup.store.matches_max = setup.matches_max;
    setup.log_json = kind == 1;
    setup.log_people = flags[FLAG_LOG_PEOPLE].count > 0;
    setup.settings = flag_value(&flags[FLAG_SETTINGS]);
    if (flags[FLAG_OPEN].count > 0)
        lift_rates(&setup);
    raise_files();
    give_memory_back();
    return serve(&setup);
}

static int run(const Command *self, int count, char **words) {
    return open_server(self, count, words, false);
}

static int run_lenient(const Command *self, int count, char **words) {
    return open_server(self, count, words, true);
}

const Command command_serve = {
    "serve", "Runs the game server: matches, spectators, AI players.",
    "serve [--port N] [--address A] [--data DIR] [--fast] [--strikes N]\n"
    "            [--matches-max N] [--sockets-max N] [--log text|json] ...",
    run, "standard"};

const Command command_server = {"server", "Runs the server with the command line of the standard.",
                                "server [-m FILE] [-c FILE] [-s FILE] [-p N] [-l N] [-v] [-C]\n"
                                "            [-r DIR] ...",
                                run_lenient, "standard"};
