/* store.c -- how fast the store is on this disk: `bench_store [FOLDER]` (default /tmp).
 *
 * There is no pass or fail. For comparison it also measures a bare loop of write and fdatasync in
 * the same folder, because most of the time is spent by the disk. CPU is that of all threads of the
 * process. */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "store/disk.h"
#include "store/store.h"

enum { MATCHES = 1000, PAYLOAD = 16, SAMPLES_MAX = 1 << 17, FILE_BYTES = 8192 };

static const double seconds_each = 2;
static double latencies[SAMPLES_MAX];

/* Wakes the main thread when something was announced. */
typedef struct Wakeup {
    pthread_mutex_t lock;
    pthread_cond_t rings;
    bool pending;
} Wakeup;
static Wakeup wakeup;

static void ring(void *owner) {
    (void)owner;
    pthread_mutex_lock(&wakeup.lock);
    wakeup.pending = true;
    pthread_cond_signal(&wakeup.rings);
    pthread_mutex_unlock(&wakeup.lock);
}

static double seconds_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double now(void) { return seconds_of(CLOCK_MONOTONIC); }

/* Waits for the wakeup, at most until then. */
static void wait_until(double until) {
    struct timespec time = {.tv_sec = (time_t)until};
    time.tv_nsec = (long)((until - (double)time.tv_sec) * 1e9);
    pthread_mutex_lock(&wakeup.lock);
    while (!wakeup.pending && now() < until)
        pthread_cond_timedwait(&wakeup.rings, &wakeup.lock, &time);
    wakeup.pending = false;
    pthread_mutex_unlock(&wakeup.lock);
}

static int remove_one(const char *path, const struct stat *found, int kind, struct FTW *where) {
    (void)found, (void)kind, (void)where;
    return remove(path);
}

static Store *open_store(const char *folder, bool fast, uint32_t group_ms) {
    char place[512], memory[512];
    MashText problem = text_over(memory, sizeof memory);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    snprintf(place, sizeof place, "embedded:%s", folder);
    StoreSetup setup = store_setup(place);
    setup.announce_before_sync = fast;
    setup.group_ms = group_ms;
    setup.notify = ring;
    Store *store = store_open(&setup, &problem);
    if (store == NULL) {
        fprintf(stderr, "%s\n", memory);
        exit(1);
    }
    return store;
}

static StoreStatus append(Store *store, uint64_t number, uint64_t *ticket) {
    static const char payload[PAYLOAD] = "fifteen letters";
    StoreRecord record = {.match = number % MATCHES + 1,
                          .time_ms = 1700000000000 + number,
                          .bytes = payload,
                          .count = PAYLOAD,
                          .kind = 1};
    return store_append(store, &record, ticket);
}

/* The disk alone: a record's bytes and a sync, one after the other. */
static void measure_disk(const char *parent) {
    char path[512], bytes[64] = {0};
    snprintf(path, sizeof path, "%s/mashup-bench.file", parent);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    uint64_t count = 0;
    double began = now();
    for (; now() - began < seconds_each / 2; count++)
        if (file < 0 || write(file, bytes, sizeof bytes) < 0 || fdatasync(file) != 0)
            exit(1);
    printf("%-34s %10.0f\n", "write and fdatasync alone, a second",
           (double)count / (now() - began));
    close(file);
    unlink(path);
}

/* As many records as the store accepts. */
static void measure_flood(const char *folder, bool fast) {
    Store *store = open_store(folder, fast, 5);
    uint64_t number = 0, ticket = 0;
    double began = now(), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    while (now() - began < seconds_each)
        for (int i = 0; i < 100; i++, number++)
            if (append(store, number, &ticket) != STORE_OK)
                wait_until(now() + 0.01);
    while (store_progress(store).appended < ticket)
        wait_until(now() + 0.1);
    double seconds = now() - began;
    cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    StoreStats stats = store_stats(store);
    printf("%-34s %10.0f records/s %6.0f syncs/s %8.0f ns of CPU a record\n",
           fast ? "flood, fast" : "flood", (double)stats.records / seconds,
           (double)stats.groups / seconds, cpu * 1e9 / (double)stats.records);
    store_close(store);
}

static int ascending(const void *a, const void *b) {
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

/* This many records per second, at fixed times; measured from each one's time to its announcement.
 */
static void measure_latency(const char *folder, bool fast, uint32_t group_ms, uint32_t rate) {
    Store *store = open_store(folder, fast, group_ms);
    uint64_t count = 0, done = 0, ticket = 0, samples = (uint64_t)(rate * seconds_each);
    double began = now();
    while (done < samples) {
        for (; count < samples && now() >= began + (double)count / rate; count++)
            if (append(store, count, &ticket) != STORE_OK)
                exit(1);
        uint64_t appended = store_progress(store).appended;
        for (double at = now(); done < appended; done++)
            latencies[done] = at - (began + (double)done / rate);
        wait_until(count < samples ? began + (double)count / rate : now() + 0.1);
    }
    StoreStats stats = store_stats(store);
    qsort(latencies, samples, sizeof *latencies, ascending);
    printf("%5u records/s, groups of %u ms%-6s %6.2f ms p50 %6.2f p99 %6.2f most %6.0f syncs/s\n",
           rate, group_ms, fast ? ", fast" : "", latencies[samples / 2] * 1e3,
           latencies[samples * 99 / 100] * 1e3, latencies[samples - 1] * 1e3,
           (double)stats.groups / seconds_each);
    store_close(store);
}

/* Matches that end: files of 8 KiB. */
static void measure_finish(const char *folder) {
    static char file[FILE_BYTES];
    Store *store = open_store(folder, false, 5);
    uint64_t number = 0, ticket = 0, began_ms = 1700000000000;
    double began = now();
    for (; now() - began < seconds_each; number++) {
        StoreEntry entry = {.match = number + 1,
                            .started_ms = began_ms,
                            .ended_ms = began_ms,
                            .game = "zorde",
                            .players_count = 2,
                            .players = {{"Ann", "person"}, {"Bob", "ai"}}};
        append(store, number, &ticket);
        while (store_finish(store, &entry, file, sizeof file, &ticket) != STORE_OK)
            wait_until(now() + 0.01);
        if (ticket - store_progress(store).finished > 200)
            wait_until(now() + 0.01);
    }
    while (store_progress(store).finished < ticket)
        wait_until(now() + 0.1);
    printf("%-34s %10.0f\n", "matches archived a second", (double)number / (now() - began));
    store_close(store);
}

int main(int count, char **words) {
    const char *parent = count > 1 ? words[1] : "/tmp";
    char folder[256];
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&wakeup.lock, NULL);
    pthread_cond_init(&wakeup.rings, &clock);
    snprintf(folder, sizeof folder, "%s/mashup-bench-XXXXXX", parent);
    if (mkdtemp(folder) == NULL) {
        perror(parent);
        return 1;
    }
    measure_disk(parent);
    measure_flood(folder, false);
    measure_flood(folder, true);
    measure_latency(folder, false, 5, 200);
    measure_latency(folder, false, 5, 2000);
    measure_latency(folder, false, 5, 20000);
    measure_latency(folder, false, 1, 2000);
    measure_latency(folder, true, 5, 2000);
    measure_finish(folder);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}
