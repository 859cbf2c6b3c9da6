/* test_store_times.c -- when and in which order the store does things: deadlines, groups that are
 * written early, who is notified, in which thread signals arrive, and what is durable before it is
 * announced. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/deadline.h"
#include "store/embedded.h"
#include "store/journal.h"
#include "tests/store/fixture.h"

/* --- Deadlines -------------------------------------------------------------------------------- */

static int64_t nanoseconds(struct timespec time) {
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* A deadline is exactly that far from a moment during the call, and a proper time. */
static void deadlines_are_exact(void **unused) {
    (void)unused;
    static const uint32_t all[] = {0, 1, 999, 1000, 1001, 1999, 60000, 4000000999};
    for (uint32_t i = 0; i < 8000; i++) {
        uint32_t ms = all[i % 8];
        struct timespec before, after;
        clock_gettime(CLOCK_MONOTONIC, &before);
        struct timespec deadline = deadline_in_ms(ms);
        clock_gettime(CLOCK_MONOTONIC, &after);
        assert_true(deadline.tv_nsec >= 0 && deadline.tv_nsec < 1000000000);
        int64_t from = nanoseconds(deadline) - (int64_t)ms * 1000000;
        assert_true(from >= nanoseconds(before) && from <= nanoseconds(after));
    }
}

static void times_have_an_order(void **unused) {
    (void)unused;
    static const struct timespec times[] = {{1, 0}, {1, 5}, {2, 0}, {2, 4}, {2, 5}, {3, 1}};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++)
            assert_int_equal(deadline_before(times[i], times[j]), i < j);
}

/* --- Groups ----------------------------------------------------------------------------------- */

enum { RECORD_BYTES = 12, EACH = JOURNAL_RECORD_BYTES + RECORD_BYTES, MOST = 10 };

static StoreStatus append(Rig *rig, uint64_t *ticket) {
    StoreRecord record = {.match = 1, .bytes = "twelve bytes", .count = RECORD_BYTES};
    return store_append(rig->store, &record, ticket);
}

/* The queue accepts records up to its last byte, and refuses one byte more. */
static void a_queue_is_full_to_the_byte(void **state) {
    Rig *rig = *state;
    uint64_t ticket;
    for (uint64_t less = 0; less < 2; less++) {
        rig->setup.queue_bytes_max = MOST * EACH - less;
        rig_must_open(rig);
        for (uint64_t i = 0; i < MOST - less; i++)
            assert_int_equal(append(rig, &ticket), STORE_OK);
        assert_int_equal(store_stats(rig->store).queue_bytes, (MOST - less) * EACH);
        assert_int_equal(append(rig, &ticket), STORE_FULL);
        assert_int_equal(store_stats(rig->store).full, 1);
        store_step(rig->store);
        assert_int_equal(store_stats(rig->store).queue_bytes, 0);
        rig_close(rig);
        rig_empty(rig);
    }
    StoreEntry entry = rig_entry(1);
    rig_must_open(rig);
    assert_int_equal(store_finish(rig->store, &entry, "file", 4, &ticket), STORE_OK);
    uint64_t one = store_stats(rig->store).queue_bytes;
    rig_close(rig);
    for (uint64_t less = 0; less < 2; less++) {
        rig->setup.queue_bytes_max = 2 * one - less;
        rig_must_open(rig);
        entry.match = 2;
        assert_int_equal(store_finish(rig->store, &entry, "file", 4, &ticket), STORE_OK);
        entry.match = 3;
        assert_int_equal(store_finish(rig->store, &entry, "file", 4, &ticket),
                         less == 0 ? STORE_OK : STORE_FULL);
        assert_int_equal(store_stats(rig->store).full, less);
        assert_int_equal(store_stats(rig->store).queue_bytes, (2 - less) * one);
        rig_close(rig);
    }
}

/* Records wait for their group, but not when half of the queue is full. */
static void half_a_queue_is_not_waited_for(void **state) {
    Rig *rig = *state;
    uint64_t ticket;
    rig->setup.single_threaded = false;
    rig->setup.group_ms = 600000;
    rig->setup.queue_bytes_max = MOST * EACH;
    rig_must_open(rig);
    assert_int_equal(append(rig, &ticket), STORE_OK);
    rig_wait(rig, 1, 0); /* after a quiet time there is nothing to wait for */
    for (uint64_t i = 0; i < MOST / 2; i++) {
        assert_int_equal(append(rig, &ticket), STORE_OK);
        rig_pause_ms(5);
    }
    rig_pause_ms(30);
    assert_int_equal(store_progress(rig->store).appended, 1);
    assert_int_equal(append(rig, &ticket), STORE_OK);
    rig_wait(rig, 2 + MOST / 2, 0);
    rig_close(rig); /* what waits then is written at once */
    rig_must_open(rig);
    StoreMatch match;
    assert_true(store_next_match(rig->store, &match));
    assert_int_equal(match.records, 2 + MOST / 2);
}

/* --- Who is told ------------------------------------------------------------------------------ */

static uint32_t calls;
static void count_call(void *owner) {
    (void)owner;
    calls++;
}

/* The caller is notified of everything new that store_progress() reports, and of nothing else. */
static void every_change_is_notified(void **state) {
    Rig *rig = *state;
    rig->setup.notify = count_call;
    rig->disk.all_bytes = 1000ull << 20;
    rig->disk.free_bytes = 500ull << 20;
    rig_must_open(rig);
    calls = 0;
    store_step(rig->store);
    assert_int_equal(calls, 0);
    rig_append(rig, 1, 1);
    assert_int_equal(calls, 0);
    store_step(rig->store); /* appended */
    assert_int_equal(calls, 1);
    store_step(rig->store);
    assert_int_equal(calls, 1);
    rig_finish(rig, 1);
    store_step(rig->store); /* finished */
    assert_int_equal(calls, 2);
    store_step(rig->store);
    assert_int_equal(calls, 2); /* that the journal drops a match is not the caller's */
    rig->disk.free_bytes = 1;
    store_step(rig->store); /* low */
    assert_int_equal(calls, 3);
    rig->disk.free_bytes = 500ull << 20;
    store_step(rig->store);
    assert_int_equal(calls, 4);
    rig->disk.stop_at = rig->disk.all + 1;
    rig_append(rig, 2, 1);
    store_step(rig->store); /* failed */
    store_step(rig->store);
    assert_int_equal(calls, 5);
    rig->disk.stop_at = 0;
}

static void fail_elsewhere(void *owner) {
    Rig *rig = owner;
    rig->disk.on_sync = NULL;
    embedded_fail((Embedded *)rig->store, "the archiver failed");
}

/* The store fails in another thread while the writer's sync is under way, which then succeeds:
 * nothing is announced after a failure, and the failure is the only news. */
static void nothing_is_announced_after_a_failure_elsewhere(void **state) {
    Rig *rig = *state;
    rig->setup.notify = count_call;
    rig->setup.reserve_bytes = 0;
    rig->disk.owner = rig;
    rig_must_open(rig);
    rig_append(rig, 1, 1);
    store_step(rig->store);
    rig_append(rig, 1, 2);
    calls = 0;
    rig->disk.on_sync = fail_elsewhere;
    store_step(rig->store);
    assert_null(rig->disk.on_sync); /* it was there */
    assert_int_equal(store_progress(rig->store).appended, 1);
    assert_string_equal(store_progress(rig->store).failure, "the archiver failed");
    assert_int_equal(calls, 1);
}

static volatile sig_atomic_t signals;
static void count_signal(int number) {
    (void)number;
    signals = signals + 1;
}

/* Signals of the process are for the threads of the caller: the store's have them blocked. */
static void signals_are_for_the_caller(void **state) {
    Rig *rig = *state;
    sigset_t one, before, after;
    struct sigaction action = {.sa_handler = count_signal}, old;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR2);
    sigaction(SIGUSR2, &action, &old);
    rig->setup.single_threaded = false;
    signals = 0;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    rig_must_open(rig);
    pthread_sigmask(SIG_BLOCK, &one, &after);
    for (int i = 1; i < 32; i++) /* and the caller's own are as they were */
        assert_int_equal(sigismember(&after, i), sigismember(&before, i));
    kill(getpid(), SIGUSR2);
    for (uint32_t i = 1; i <= 5; i++)
        rig_wait(rig, rig_append(rig, 1, i), 0);
    rig_finish(rig, 1);
    rig_wait(rig, 0, 1);
    assert_int_equal(signals, 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    assert_int_equal(signals, 1);
    sigaction(SIGUSR2, &old, NULL);
}

/* --- What is durable -------------------------------------------------------------------------- */

/* A disk that knows which names and which bytes would be there after a power failure: a name once
 * its folder was synced, the bytes of a file once it was. */
enum { NAMES_MAX = 200 };
static struct {
    StoreDisk disk;
    const char *folder; /* the store's; names beside it are others' */
    char names[NAMES_MAX][160];
    uint32_t names_count;
    uint64_t unsynced; /* the inode of the file that was written last and not synced since */
    uint32_t renamed_unsynced;
} durable;

/* The path of an open file. */
static void path_of(int file, char out[160]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, out, 159);
    assert_true(length > 0);
    out[length] = '\0';
}

static bool is_durable(const char *path) {
    for (uint32_t i = 0; i < durable.names_count; i++)
        if (strcmp(durable.names[i], path) == 0)
            return true;
    return false;
}

static ssize_t durable_write(void *owner, int file, const void *bytes, size_t count) {
    struct stat found;
    (void)owner;
    fstat(file, &found);
    durable.unsynced = found.st_ino;
    return disk_real.write(NULL, file, bytes, count);
}

static int durable_sync(void *owner, int file, bool whole) {
    struct stat found;
    char path[160], name[512];
    (void)owner, (void)whole;
    fstat(file, &found);
    if (durable.unsynced == found.st_ino)
        durable.unsynced = 0;
    if (!S_ISDIR(found.st_mode))
        return 0;
    path_of(file, path);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] == '.' || is_durable(name) ||
            strncmp(name, durable.folder, strlen(durable.folder)) != 0)
            continue;
        assert_true(durable.names_count < NAMES_MAX && strlen(name) < 160);
        strcpy(durable.names[durable.names_count++], name);
    }
    closedir(folder);
    return 0;
}

/* A new name for a file whose bytes are not durable would be an empty file after a crash. */
static int durable_rename(void *owner, const char *from, const char *to) {
    struct stat found;
    (void)owner;
    assert_int_equal(stat(from, &found), 0);
    durable.renamed_unsynced += durable.unsynced == found.st_ino;
    for (uint32_t i = 0; i < durable.names_count; i++)
        if (strcmp(durable.names[i], to) == 0)
            memmove(durable.names[i], durable.names[--durable.names_count], 160);
    return disk_real.rename(NULL, from, to);
}

/* Every file of the archive and of the journal is durable, with the folders above it. */
static void all_is_durable(const Rig *rig) {
    char command[256], path[160];
    snprintf(command, sizeof command, "find %s/journal %s/archive -mindepth 1", rig->folder,
             rig->folder);
    FILE *list = popen(command, "r"); /* NOLINT */
    assert_non_null(list);
    while (fscanf(list, "%159s", path) == 1) /* NOLINT */
        if (!is_durable(path))
            fail_msg("%s is not durable", path);
    pclose(list);
    snprintf(path, sizeof path, "%s/archive", rig->folder);
    assert_true(is_durable(path));
    snprintf(path, sizeof path, "%s/journal", rig->folder);
    assert_true(is_durable(path));
    snprintf(path, sizeof path, "%s/index.sqlite", rig->folder);
    assert_true(is_durable(path));
    assert_true(durable.unsynced == 0 && durable.renamed_unsynced == 0);
}

static void what_is_announced_is_durable(void **state) {
    Rig *rig = *state;
    memset(&durable, 0, sizeof durable);
    rig_must_open(rig);
    rig_close(rig);
    rig_empty(rig);
    MashText problem = text_over(rig->problem, sizeof rig->problem);
    durable.disk = disk_real;
    durable.folder = rig->folder;
    durable.disk.write = durable_write;
    durable.disk.sync = durable_sync;
    durable.disk.rename = durable_rename;
    rig->setup.disk = &durable.disk;
    rig->setup.segment_bytes = 1024;
    rig->store = store_open(&rig->setup, &problem);
    assert_non_null(rig->store);
    all_is_durable(rig);
    for (uint64_t round = 0; round < 6; round++) {
        for (uint32_t i = 1; i <= 10; i++)
            rig_append(rig, 1 + round, i);
        store_step(rig->store);
        all_is_durable(rig);
        for (uint64_t match = 0; match < 3; match++) /* months that follow each other, and one */
            rig_finish(rig, 100 * round + 20 * match + 31);
        rig_finish(rig, 100 * round + 32);
        if (round > 0)
            rig_finish(rig, round);
        store_step(rig->store);
        all_is_durable(rig);
    }
    assert_true(store_stats(rig->store).removed > 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_set_up, rig_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadlines_are_exact), cmocka_unit_test(times_have_an_order),
        TEST(a_queue_is_full_to_the_byte),     TEST(half_a_queue_is_not_waited_for),
        TEST(every_change_is_notified),        TEST(nothing_is_announced_after_a_failure_elsewhere),
        TEST(signals_are_for_the_caller),      TEST(what_is_announced_is_durable),
    };
    return cmocka_run_group_tests_name("store_times", tests, NULL, NULL);
}
