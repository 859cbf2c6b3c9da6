/* load.c -- see load.h. */
#define _GNU_SOURCE
#include "bench/load.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"

enum {
    SEATS_MAX = 18000,
    TIMES_MAX = 1 << 21,
    BATCH = 100, /* connections or tables that are opened before waiting for them */
    CHURN_AT_ONCE = 50,
    PATIENCE_MS = 60000,
    PROBLEM_BYTES = 256,
};

/* One client. */
typedef struct Seat {
    LoadTest *load;
    Client *client;
    struct Seat *partner; /* NULL: has none */
    bool here, host, watches;
    uint32_t sent_number; /* the position answered last */
    uint64_t due_us;      /* when the action in flight was due; 0: none is */
    /* of a pair, kept at its host */
    uint32_t owed;    /* actions that are due and not made yet */
    uint64_t owed_us; /* due time of the oldest of them */
} Seat;

/* All clients. */
struct LoadTest {
    NetLoop *loop;
    NetTimer *timer, *tick;
    ClientShared *shared;
    char url[128];
    Message open;
    Seat *seats;
    uint32_t count, here, playing, watchers, watchers_here;
    uint32_t paired;       /* seats that are or will be in pairs: the first ones */
    uint32_t pairs_acting; /* the first ones */
    uint64_t step_us;      /* between the due times of two pairs; 0: as soon as answered */
    uint64_t next_us;
    uint32_t next_pair;
    bool acting;
    uint32_t churning, churned;
    uint64_t spread_us; /* when the action that spectators are receiving was sent */
    uint32_t spread_count;
    MashChance tie_breaks;
    MashAction *list;
    uint32_t list_max;
    LoadStats stats;
    LoadTimes answers, spreads;
};

/* Monotonic clock, in microseconds. */
static uint64_t now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* --- Measurements ----------------------------------------------------------------------------- */

/* CPU time in nanoseconds, of all threads. */
static double cpu_seconds(int pid) {
    char path[320];
    double seconds = 0;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        unsigned long long spent = 0;
        snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", pid, entry->d_name);
        FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (file == NULL)
            continue;
        if (fscanf(file, "%llu", &spent) == 1)
            seconds += (double)spent / 1e9;
        fclose(file);
    }
    if (folder != NULL)
        closedir(folder);
    return seconds;
}

LoadUsage load_account(int pid) {
    char path[64];
    long all = 0, resident = 0, shared = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    FILE *file = fopen(path, "r");
    if (file != NULL && fscanf(file, "%ld %ld %ld", &all, &resident, &shared) != 3)
        resident = shared = 0;
    if (file != NULL)
        fclose(file);
    return (LoadUsage){.cpu_seconds = cpu_seconds(pid),
                       .memory_bytes = (double)(resident - shared) * (double)sysconf(_SC_PAGESIZE),
                       .wall_seconds = (double)now_us() / 1e6};
}

/* Records one time; those beyond the capacity of the list are dropped. */
static void take_time(LoadTimes *times, uint64_t us) {
    if (times->count < times->max)
        times->list[times->count++] = us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
}

/* For qsort(): ascending. */
static int compare_times(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return one < other ? -1 : one > other;
}

uint32_t load_time(LoadTimes *times, uint32_t per_mille) {
    if (times->count == 0)
        return 0;
    qsort(times->list, times->count, sizeof *times->list, compare_times);
    uint64_t place = (uint64_t)times->count * per_mille / 1000;
    return times->list[place < times->count ? place : times->count - 1];
}

/* The number of the pair that the seat belongs to. */
static uint32_t pair_of(const Seat *seat) { return (uint32_t)(seat - seat->load->seats) / 2; }

/* --- Acting ----------------------------------------------------------------------------------- */

/* Sends any legal action, if the seat is awaited and has not answered this position yet. */
static bool act(Seat *seat, uint64_t due_us) {
    LoadTest *load = seat->load;
    const ClientTable *table = client_table(seat->client);
    if (!client_awaited(seat->client) || seat->sent_number == table->number)
        return false;
    if (table->content->limits.actions_max > load->list_max) {
        free(load->list);
        load->list_max = table->content->limits.actions_max;
        load->list = cli_memory(load->list_max * sizeof *load->list);
    }
    uint32_t count = table->game->actions(table->content, table->view, table->you, load->list);
    if (count == 0)
        return false;
    if (load->watchers_here > 0 && pair_of(seat) == 0) {
        load->spread_us = now_us();
        load->spread_count = 0;
    }
    seat->sent_number = table->number;
    seat->due_us = due_us;
    return client_act(seat->client, load->list[chance_below(&load->tie_breaks, count)]);
}

/* The awaited seat of the pair acts now if an action is due. */
static void pay(LoadTest *load, uint32_t pair) {
    Seat *host = &load->seats[2 * pair];
    if (host->owed == 0 || !(act(host, host->owed_us) || act(host + 1, host->owed_us)))
        return;
    host->owed--;
    host->owed_us += load->step_us * load->pairs_acting;
}

/* Actions become due whether or not the previous answers have arrived. */
static void on_tick(void *owner) {
    LoadTest *load = owner;
    uint64_t now = now_us();
    for (; load->acting && load->next_us <= now; load->next_us += load->step_us) {
        Seat *host = &load->seats[2 * load->next_pair];
        if (host->owed++ == 0)
            host->owed_us = load->next_us;
        pay(load, load->next_pair);
        load->next_pair = (load->next_pair + 1) % load->pairs_acting;
    }
    if (load->acting)
        net_timer_start(load->tick, 1);
}

/* --- Tables ----------------------------------------------------------------------------------- */

/* Is it connected and not at a table? */
static bool is_free(const Seat *seat) {
    return client_state(seat->client) == CLIENT_CONNECTED &&
           client_table(seat->client)->code[0] == '\0';
}

/* Opens a table for the pair's host, if both of the pair are free. */
static void request_table(Seat *seat) {
    Seat *host = seat->host ? seat : seat->partner;
    if (host != NULL && is_free(host) && is_free(host->partner))
        client_send(host->client, &host->load->open);
}

/* Received a table: if it is a host's and waits for an opponent, the pair's other client joins. */
static void take_table(void *owner) {
    Seat *seat = owner;
    const ClientTable *table = client_table(seat->client);
    seat->sent_number = 0;
    if (!seat->host || seat->partner == NULL || table->state != PROTO_STATE_WAITING)
        return;
    Message join = message_new(MESSAGE_CLIENT_JOIN);
    memcpy(join.join.code, table->code, sizeof join.join.code);
    client_send(seat->partner->client, &join);
}

/* A spectator got a position: the last one of them ends the measurement of the spread. */
static void take_watched(LoadTest *load) {
    load->stats.watched++;
    load->spread_count++;
    if (load->spread_us != 0 && load->spread_count == load->watchers_here) {
        take_time(&load->spreads, now_us() - load->spread_us);
        load->spread_us = 0;
    }
}

/* A position arrived: counts it and the response time of our action; then acts, or leaves if it is
 * the last. */
static void take_position(void *owner) {
    Seat *seat = owner;
    LoadTest *load = seat->load;
    const ClientTable *table = client_table(seat->client);
    if (seat->watches) {
        take_watched(load);
        return;
    }
    load->stats.positions++;
    load->playing += seat->host && table->number == 1;
    if (seat->due_us != 0 && table->number > seat->sent_number) {
        take_time(&load->answers, now_us() - seat->due_us);
        load->stats.actions++;
        seat->due_us = 0;
    }
    if (table->state == PROTO_STATE_OVER) {
        load->stats.matches += seat->host;
        client_send_simple(seat->client, MESSAGE_CLIENT_LEAVE);
    } else if (load->acting && pair_of(seat) < load->pairs_acting) {
        if (load->step_us == 0)
            act(seat, now_us());
        else
            pay(load, pair_of(seat));
    }
}

/* Left, or the table is gone: opens another. */
static void take_leave(void *owner, const char *how) {
    (void)how;
    request_table(owner);
}

/* Counts refusals. */
static void on_message(void *owner, Client *client, const Message *message) {
    Seat *seat = owner;
    (void)client;
    if (message->kind != MESSAGE_SERVER_REFUSED)
        return;
    seat->load->stats.refusals++;
    seat->load->stats.offences += message->refused.offence;
    seat->due_us = 0;
}

/* The connection opened or closed. */
static void on_state(void *owner, Client *client, ClientState state, const char *why) {
    Seat *seat = owner;
    LoadTest *load = seat->load;
    seat->client = client;
    if (state == CLIENT_CONNECTED && !seat->here) {
        seat->here = true;
        load->here++;
    }
    if (state == CLIENT_RECONNECTING || state == CLIENT_CLOSED) {
        if (load->stats.losses++ < 3)
            fprintf(stderr, "mashup bench: a client was disconnected: %s\n", why);
    }
}

/* --- Opening and waiting ---------------------------------------------------------------------- */

/* The time for this part is over. */
static void on_timer(void *owner) { net_loop_stop(((LoadTest *)owner)->loop); }

void load_idle(LoadTest *load, uint32_t ms) {
    uint64_t until = now_us() + (uint64_t)ms * 1000;
    for (uint64_t now = now_us(); now < until; now = now_us()) {
        net_timer_start(load->timer, (until - now) / 1000 + 1);
        net_loop_run(load->loop);
    }
    net_timer_stop(load->timer);
}

/* Runs until the number is reached. False: it took too long. */
static bool await(LoadTest *load, const uint32_t *number, uint32_t value) {
    uint64_t until = now_us() + (uint64_t)PATIENCE_MS * 1000;
    while (*number < value && now_us() < until)
        load_idle(load, 1);
    if (*number >= value)
        return true;
    fprintf(stderr, "mashup bench: only %u of %u came in time\n", *number, value);
    return false;
}

LoadTest *load_open(const char *url, const MashGame *game, const char *preset) {
    LoadTest *load = cli_memory(sizeof *load);
    snprintf(load->url, sizeof load->url, "%s", url);
    load->loop = net_loop_open();
    load->shared = client_shared_open(load->loop);
    load->timer = net_timer_open(load->loop, on_timer, load);
    load->tick = net_timer_open(load->loop, on_tick, load);
    load->seats = cli_memory(SEATS_MAX * sizeof *load->seats);
    load->answers = (LoadTimes){.list = cli_memory(TIMES_MAX * sizeof(uint32_t)), .max = TIMES_MAX};
    load->spreads = (LoadTimes){.list = cli_memory(TIMES_MAX * sizeof(uint32_t)), .max = TIMES_MAX};
    load->tie_breaks = chance_sampled(1);
    load->open = message_new(MESSAGE_CLIENT_OPEN);
    snprintf(load->open.open.game, sizeof load->open.open.game, "%s", game->id);
    if (preset != NULL) {
        snprintf(load->open.open.preset, sizeof load->open.open.preset, "%s", preset);
        message_set_present(&load->open, "preset");
    }
    load->open.open.secret = true;
    load->open.open.turn_ms = 0;
    message_set_present(&load->open, "secret");
    message_set_present(&load->open, "turn_ms");
    return load;
}

void load_close(LoadTest *load) {
    for (uint32_t i = 0; i < load->count; i++)
        client_close(load->seats[i].client);
    net_timer_close(load->timer);
    net_timer_close(load->tick);
    client_shared_close(load->shared);
    net_loop_close(load->loop);
    free(load->seats);
    free(load->answers.list);
    free(load->spreads.list);
    free(load->list);
    free(load);
}

/* Opens one more connection. False: there is no seat left, or an error was printed. */
static bool open_seat(LoadTest *load) {
    char memory[PROBLEM_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    Seat *seat = &load->seats[load->count];
    if (load->count == SEATS_MAX)
        return false;
    *seat = (Seat){.load = load};
    ClientSetup setup = {.url = load->url,
                         .name = "load",
                         .role = PROTO_ROLE_AI,
                         .answer_silence = true,
                         .calls = {on_state, on_message, take_table, take_position, take_leave},
                         .owner = seat};
    seat->client = client_open(load->shared, &setup, &problem);
    if (seat->client == NULL) {
        fprintf(stderr, "mashup bench: %s\n", memory);
        return false;
    }
    load->count++;
    return true;
}

bool load_connect(LoadTest *load, uint32_t count) {
    while (load->count < count) {
        for (uint32_t i = 0; i < BATCH && load->count < count; i++)
            if (!open_seat(load))
                return false;
        if (!await(load, &load->here, load->count))
            return false;
    }
    return true;
}

bool load_pair(LoadTest *load, uint32_t pairs) {
    if (!load_connect(load, 2 * pairs))
        return false;
    while (load->paired < 2 * pairs) {
        for (uint32_t i = 0; i < BATCH && load->paired < 2 * pairs; i++, load->paired += 2) {
            Seat *host = &load->seats[load->paired];
            host->partner = host + 1;
            host->partner->partner = host;
            host->host = true;
            request_table(host);
        }
        if (!await(load, &load->playing, load->paired / 2))
            return false;
    }
    return true;
}

/* The first pair starts another match, so that it does not end while it is watched. False: it does
 * not in time. */
static bool begin_anew(LoadTest *load) {
    const ClientTable *table = client_table(load->seats[0].client);
    uint64_t until = now_us() + (uint64_t)PATIENCE_MS * 1000;
    char before[sizeof table->code];
    memcpy(before, table->code, sizeof before);
    client_send_simple(load->seats[0].client, MESSAGE_CLIENT_RESIGN);
    while (table->code[0] == '\0' || strcmp(table->code, before) == 0 ||
           table->state != PROTO_STATE_RUNNING) {
        if (now_us() >= until)
            return false;
        load_idle(load, 1);
    }
    return true;
}

bool load_watch(LoadTest *load, uint32_t count) {
    if (!begin_anew(load))
        return false;
    uint32_t first = load->count;
    Message watch = message_new(MESSAGE_CLIENT_WATCH);
    memcpy(watch.watch.code, client_table(load->seats[0].client)->code, sizeof watch.watch.code);
    if (!load_connect(load, load->count + count))
        return false;
    for (uint32_t i = first; i < load->count; i++) {
        load->seats[i].watches = true;
        client_send(load->seats[i].client, &watch);
        load->watchers++;
        if (load->watchers % BATCH == 0 || i + 1 == load->count) {
            uint64_t until = now_us() + (uint64_t)PATIENCE_MS * 1000;
            while (load->stats.watched < load->watchers && now_us() < until)
                load_idle(load, 1);
        }
    }
    load->watchers_here = load->watchers;
    return load->stats.watched >= load->watchers;
}

/* --- Handshakes ------------------------------------------------------------------------------- */

static void churn_one(LoadTest *load);

/* A handshake has succeeded, which is all that is measured: closes. */
static uint16_t churn_opens(void *owner, NetConnection *connection, const NetRequest *request) {
    (void)owner;
    (void)request;
    net_close(connection, NET_CLOSE_NORMAL, "");
    return NET_ACCEPT;
}

static void churn_hears(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    (void)owner;
    (void)connection;
    (void)bytes;
    (void)count;
}

/* A handshake is over, successful or not: counts it and starts the next, if any are left. */
static void churn_closes(void *owner, NetConnection *connection, uint16_t code,
                         const char *reason) {
    LoadTest *load = owner;
    (void)connection;
    if (code != NET_CLOSE_NORMAL && load->stats.losses++ < 3)
        fprintf(stderr, "mashup bench: a handshake failed: %u %s\n", (unsigned)code, reason);
    load->churned++;
    if (load->churning > 0)
        churn_one(load);
}

/* Opens one connection for its handshake alone; a failure to open is printed, not counted. */
static void churn_one(LoadTest *load) {
    static const NetCallbacks calls = {
        .on_open = churn_opens, .on_message = churn_hears, .on_close = churn_closes};
    char memory[PROBLEM_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    load->churning--;
    if (net_connect(load->loop, load->url, &calls, load, NULL, &problem) == NULL)
        fprintf(stderr, "mashup bench: %s\n", memory);
}

bool load_reconnects(LoadTest *load, uint32_t count) {
    load->churning = count;
    load->churned = 0;
    for (uint32_t i = 0; i < CHURN_AT_ONCE && load->churning > 0; i++)
        churn_one(load);
    return await(load, &load->churned, count);
}

/* --- Playing ---------------------------------------------------------------------------------- */

void load_play(LoadTest *load, uint32_t pairs, uint32_t rate, uint32_t ms) {
    load->pairs_acting = pairs;
    load->step_us = rate == 0 ? 0 : 1000000 / rate;
    load->next_us = now_us();
    load->next_pair = 0;
    load->acting = true;
    for (uint32_t i = 0; i < pairs; i++) {
        Seat *host = &load->seats[2 * i];
        host->owed = 0;
        for (uint32_t j = 0; j < 2 && rate == 0; j++)
            act(host + j, now_us());
    }
    if (rate != 0)
        net_timer_start(load->tick, 1);
    load_idle(load, ms);
    load->acting = false;
    net_timer_stop(load->tick);
}

void load_reset(LoadTest *load) {
    load->stats = (LoadStats){.actions = 0};
    load->answers.count = load->spreads.count = 0;
}

const LoadStats *load_stats(const LoadTest *load) { return &load->stats; }

LoadTimes *load_answers(LoadTest *load) { return &load->answers; }

LoadTimes *load_fanout_times(LoadTest *load) { return &load->spreads; }

uint32_t load_count(const LoadTest *load) { return load->count; }
