/* test_store.c -- the store as its users see it: records are restored, groups stay together,
 * failures are reported, the archive lists. Damage and crashes are in test_store_damage.c and
 * test_store_kill.c. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "tests/store/fixture.h"

enum { FOUND_MAX = 2000 };
static RigFound found[FOUND_MAX];

/* --- Records --------------------------------------------------------------------------------- */

static void records_come_back(void **state) {
    Rig *rig = *state;
    rig_must_open(rig);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 0);
    for (uint32_t sequence = 1; sequence <= 20; sequence++)
        for (uint64_t match = 3; match >= 1; match--)
            rig_append(rig, match << 60 | match, sequence);
    rig_close(rig);
    for (int again = 0; again < 3; again++) {
        rig_must_open(rig);
        assert_string_equal(rig->lines, "");
        assert_int_equal(store_stats(rig->store).matches, 3);
        assert_int_equal(rig_found(rig, found, FOUND_MAX), 3);
        for (uint64_t i = 0; i < 3; i++) {
            assert_int_equal(found[i].match, (3 - i) << 60 | (3 - i)); /* the oldest first */
            assert_true(found[i].right && found[i].gapless && found[i].health == STORE_WHOLE);
            assert_int_equal(found[i].records, 20 + again);
            rig_append(rig, found[i].match, found[i].last + 1); /* and the match continues */
        }
        rig_close(rig);
    }
}

static void any_bytes_and_lengths_are_records(void **state) {
    Rig *rig = *state;
    static uint8_t big[STORE_RECORD_BYTES_MAX + 1];
    uint64_t ticket;
    memset(big, 0xf7, sizeof big);
    rig_must_open(rig);
    StoreRecord record = {.match = UINT64_MAX, .time_ms = UINT64_MAX, .kind = STORE_KINDS - 1};
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_OK);
    record.bytes = big;
    record.count = STORE_RECORD_BYTES_MAX;
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_OK);
    record.count++;
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_TOO_LONG);
    rig_close(rig);
    rig_must_open(rig);
    StoreMatch match;
    assert_true(store_next_match(rig->store, &match));
    assert_true(match.match == UINT64_MAX && match.records == 2 && match.health == STORE_WHOLE);
    assert_true(store_next_record(rig->store, &record));
    assert_true(record.time_ms == UINT64_MAX && record.kind == STORE_KINDS - 1);
    assert_true(record.count == 0 && record.sequence == 1);
    assert_true(store_next_record(rig->store, &record));
    assert_int_equal(record.count, STORE_RECORD_BYTES_MAX);
    assert_memory_equal(record.bytes, big, STORE_RECORD_BYTES_MAX);
    assert_false(store_next_record(rig->store, &record));
    assert_false(store_next_match(rig->store, &match));
    assert_false(store_next_record(rig->store, &record));
}

static void groups_are_one_write_and_one_sync(void **state) {
    Rig *rig = *state;
    rig_must_open(rig);
    uint64_t last = 0;
    for (uint32_t group = 0; group < 5; group++) {
        uint64_t writes = rig->disk.writes, syncs = rig->disk.syncs;
        for (uint32_t i = 1; i <= 100; i++)
            assert_int_equal(rig_append(rig, i % 10, group * 10 + (i + 9) / 10), last + i);
        assert_int_equal(store_progress(rig->store).appended, last);
        last += 100;
        store_step(rig->store);
        assert_int_equal(store_progress(rig->store).appended, last);
        assert_int_equal(rig->disk.writes - writes, 1);
        assert_int_equal(rig->disk.syncs - syncs, 1);
    }
    store_step(rig->store); /* nothing is queued: nothing is written */
    assert_int_equal(rig->disk.syncs, 5);
    assert_int_equal(store_stats(rig->store).groups, 5);
    assert_int_equal(store_stats(rig->store).records, 500);
}

static _Atomic uint32_t calls; /* of `notify` */
static void count_call(void *owner) {
    (void)owner;
    calls++;
}

/* Opens the store with its threads and a closed gate for one of them, and counts the calls. */
static void open_before_gate(Rig *rig, RigGate *gate) {
    calls = 0;
    *gate = (RigGate){.closed = true};
    rig->disk.owner = gate;
    rig->setup.single_threaded = false;
    rig->setup.notify = count_call;
    rig->setup.reserve_bytes = 0; /* free space is no news */
    rig_must_open(rig);
}

/* What comes while a group is synced is written with one write and one sync after it. */
static void the_writer_thread_groups(void **state) {
    Rig *rig = *state;
    static RigGate gate;
    open_before_gate(rig, &gate);
    rig->disk.on_sync = rig_gate;
    uint64_t writes = rig->disk.writes, syncs = rig->disk.syncs;
    rig_append(rig, 1, 1);
    rig_wait_at_gate(&gate, 1); /* the first group is that record alone */
    for (uint32_t i = 2; i <= 1000; i++)
        rig_append(rig, 1, i);
    assert_int_equal(store_progress(rig->store).appended, 0);
    gate.closed = false;
    rig_wait(rig, 1000, 0);
    assert_int_equal(rig->disk.writes - writes, 2);
    assert_int_equal(rig->disk.syncs - syncs, 2);
    rig_close(rig); /* by now everybody was told */
    assert_int_equal(calls, 2);
}

static int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* A group begins no sooner than group_ms after the one before it, and then it does begin. That so
 * many take at least that long is true however late the threads run. */
static void syncs_keep_their_distance(void **state) {
    Rig *rig = *state;
    enum { GROUP_MS = 20, GROUPS = 5 };
    rig->setup.single_threaded = false;
    rig->setup.group_ms = GROUP_MS;
    rig_must_open(rig);
    int64_t began = now_ns();
    for (uint32_t i = 1; i <= GROUPS; i++)
        rig_wait(rig, rig_append(rig, 1, i), 0);
    assert_true(now_ns() - began >= (GROUPS - 1) * GROUP_MS * 1000000ll);
    assert_int_equal(rig->disk.syncs, GROUPS);
    rig_close(rig);
    rig->setup.group_ms = 600000; /* beyond the end of this test */
    rig_must_open(rig);
    rig_wait(rig, rig_append(rig, 1, GROUPS + 1), 0); /* after a pause nothing is waited for */
    for (uint32_t i = 1; i <= 40; i++) {
        rig_append(rig, 2, i);
        rig_pause_ms(1);
    }
    assert_int_equal(store_progress(rig->store).appended, 1);
    assert_int_equal(rig->disk.syncs, 1);
    rig_close(rig); /* now they are written, all at once */
    assert_int_equal(rig->disk.syncs, 2);
}

/* Is something announced while it is being synced? */
typedef struct Early {
    Rig *rig;
    uint64_t announced;
} Early;
static void look_early(void *owner) {
    Early *early = owner;
    early->announced = store_progress(early->rig->store).appended;
}

static void only_fast_announces_before_the_sync(void **state) {
    Rig *rig = *state;
    static Early early;
    early = (Early){rig, 0};
    rig->disk.owner = &early;
    for (int fast = 0; fast <= 1; fast++) {
        rig->setup.announce_before_sync = fast;
        rig->disk.on_sync = NULL;
        rig_must_open(rig);
        rig->disk.on_sync = look_early;
        uint64_t ticket = rig_append(rig, 1, (uint32_t)fast + 1);
        store_step(rig->store);
        assert_int_equal(early.announced, fast ? ticket : 0);
        assert_int_equal(store_progress(rig->store).appended, ticket);
        rig->disk.on_sync = NULL;
        rig_close(rig);
    }
}

static void a_fast_writer_thread_syncs_in_its_own_time(void **state) {
    Rig *rig = *state;
    rig->setup.single_threaded = false;
    rig->setup.announce_before_sync = true;
    rig->setup.group_ms = 600000; /* beyond the end of this test: sync only where required */
    rig->setup.segment_bytes = 1024;
    rig_must_open(rig);
    for (uint32_t i = 1; i <= 60; i++)
        rig_wait(rig, rig_append(rig, 1, i), 0);
    uint32_t segments = rig_count(rig, ".journal");
    assert_true(segments > 3);
    assert_int_equal(rig->disk.syncs, segments); /* the first write, and each segment at its end */
    rig_append(rig, 1, 61);
    rig_close(rig);
    char name[64];
    size_t count;
    snprintf(name, sizeof name, "journal/%08x.journal", rig_count(rig, ".journal"));
    uint8_t *newest = rig_read(rig, name, &count);
    assert_non_null(newest);
    free(newest);
    assert_int_equal(rig->disk.synced, count); /* closed with nothing unsynced */
    rig->setup.group_ms = 10;
    rig_must_open(rig);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 1);
    assert_true(found[0].right && found[0].gapless && found[0].records == 61);
    rig_wait(rig, rig_append(rig, 1, 62), 0);
    rig_wait(rig, rig_append(rig, 1, 63), 0);
    for (int i = 0; i < 30000 && rig->disk.syncs < 2; i++)
        rig_pause_ms(1); /* synced without anything more to write */
    assert_int_equal(rig->disk.syncs, 2);
}

static void a_full_queue_is_an_answer(void **state) {
    Rig *rig = *state;
    rig->setup.queue_bytes_max = 2000;
    rig_must_open(rig);
    StoreRecord record = {.match = 1, .bytes = "0123456789", .count = 10};
    uint64_t ticket, taken = 0;
    while (store_append(rig->store, &record, &ticket) == STORE_OK)
        taken++;
    assert_in_range(taken, 20, 2000 / 58);
    record.match = 2; /* a match that was refused is not known */
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_FULL);
    StoreStats stats = store_stats(rig->store);
    assert_true(stats.full == 2 && stats.matches == 1 && stats.queue_bytes <= 2000);
    store_step(rig->store);
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_OK);
    assert_int_equal(ticket, taken + 1); /* a refusal uses no ticket */
    store_step(rig->store);
    static char big[5000];
    record = (StoreRecord){.match = 3, .bytes = big, .count = sizeof big};
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_OK); /* alone it may */
    record.count = 1;
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_FULL);
}

static void too_many_matches_are_full(void **state) {
    Rig *rig = *state;
    rig->setup.matches_max = 300;
    rig_must_open(rig);
    for (uint64_t match = 1; match <= 300; match++)
        rig_append(rig, match, 1);
    StoreRecord record = {.match = 301};
    uint64_t ticket;
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_FULL);
    rig_append(rig, 300, 2);
    rig_close(rig);
    rig->setup.matches_max = 10; /* existing matches stay, new ones are refused */
    rig_must_open(rig);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 300);
    rig_append(rig, 17, 2);
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_FULL);
}

/* --- Failures -------------------------------------------------------------------------------- */

/* A record is announced, then the disk fails at its n-th operation, then nothing is announced. */
static void fail_at(Rig *rig, uint64_t doing, int error, const char *word) {
    StoreRecord record = {.match = 1};
    uint64_t ticket;
    rig->disk.error = error;
    rig->disk.stop_at = 0;
    rig_empty(rig);
    rig_must_open(rig);
    rig_append(rig, 1, 1);
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).appended, 1);
    rig->disk.stop_at = rig->disk.all + doing;
    rig_append(rig, 1, 2);
    store_step(rig->store);
    rig->disk.stop_at = 0; /* the disk works again: too late */
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).appended, 1);
    assert_non_null(store_progress(rig->store).failure);
    assert_non_null(strstr(store_progress(rig->store).failure, word));
    assert_non_null(strstr(rig->lines, strerror(error)));
    assert_int_equal(rig->lines_count, 1);
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_FAILED);
    StoreEntry entry = rig_entry(1);
    assert_int_equal(store_finish(rig->store, &entry, "", 0, &ticket), STORE_FAILED);
    rig_close(rig);
    rig_must_open(rig);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 1);
    assert_true(found[0].right && found[0].gapless && found[0].health == STORE_WHOLE);
    assert_in_range(found[0].records, 1, 2);
    rig_close(rig);
}

static void a_failure_is_for_good(void **state) {
    Rig *rig = *state;
    fail_at(rig, 1, ENOSPC, "write");
    fail_at(rig, 1, EIO, "write");
    fail_at(rig, 2, EIO, "sync");
    rig->disk.halves = true;
    fail_at(rig, 1, ENOSPC, "write"); /* a short write, then none */
}

static void a_real_limit_on_files_is_told(void **state) {
    Rig *rig = *state;
    rig_must_open(rig);
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    uint64_t announced = 0;
    setrlimit(RLIMIT_FSIZE, &small);
    for (uint32_t i = 1; i < 1000 && store_progress(rig->store).failure == NULL; i++) {
        rig_append(rig, 1, i);
        store_step(rig->store);
        announced = store_progress(rig->store).appended;
    }
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_non_null(store_progress(rig->store).failure);
    assert_non_null(strstr(rig->lines, strerror(EFBIG)));
    rig_close(rig);
    rig_must_open(rig);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 1);
    assert_int_equal(found[0].records, announced);
    assert_true(found[0].right && found[0].gapless);
    assert_in_range(announced, 10, 100);
    assert_int_equal(rig->lines_count, 1); /* the torn end */
}

static void one_folder_one_server(void **state) {
    Rig *rig = *state;
    rig_must_open(rig);
    char memory[512], holder[32];
    MashText problem = text_over(memory, sizeof memory);
    assert_null(store_open(&rig->setup, &problem));
    snprintf(holder, sizeof holder, "process %ld", (long)getpid());
    assert_non_null(strstr(memory, "another server"));
    assert_non_null(strstr(memory, rig->folder));
    assert_non_null(strstr(memory, holder));
    rig_append(rig, 1, 1); /* the first one is not disturbed */
    rig_close(rig);
    rig_must_open(rig);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 1);
}

/* The store does not open, and the problem contains these words. */
static void must_not_open(Rig *rig, const char *words) {
    if (rig_open(rig))
        fail_msg("it opened");
    if (strstr(rig->problem, words) == NULL)
        fail_msg("\"%s\" is not in: %s", words, rig->problem);
}

static void what_cannot_be_opened_says_why(void **state) {
    Rig *rig = *state;
    snprintf(rig->place, sizeof rig->place, "redis:here");
    must_not_open(rig, "redis:here (available: embedded:... postgres:...)");
    snprintf(rig->place, sizeof rig->place, "embedded:");
    must_not_open(rig, "no name");
    snprintf(rig->place, sizeof rig->place, "embedded:%s/no/such", rig->folder);
    must_not_open(rig, "/no/such: No such file");
    snprintf(rig->place, sizeof rig->place, "embedded:%s/file", rig->folder);
    rig_write(rig, "file", "", 0);
    must_not_open(rig, "cannot make the folder");
    snprintf(rig->place, sizeof rig->place, "embedded:%s", rig->folder);
    rig_write(rig, "index.sqlite", "this is no index, and it is long enough to look like one", 56);
    must_not_open(rig, "index.sqlite");
    rig->setup.segment_bytes = 10;
    must_not_open(rig, "segments of 10 bytes");
    rig->setup.segment_bytes = 1 << 20;
    rig->setup.queue_bytes_max = UINT64_MAX;
    must_not_open(rig, "queue");
    for (int i = 0; i < STORE_STATUS_COUNT; i++)
        assert_true(strlen(store_status_text((StoreStatus)i)) > 0);
}

/* --- Finishing and the archive --------------------------------------------------------------- */

static void a_finished_match_is_archived_and_forgotten(void **state) {
    Rig *rig = *state;
    rig_must_open(rig);
    for (uint64_t match = 1; match <= 3; match++)
        rig_append(rig, match, 1);
    store_step(rig->store);
    assert_false(rig_archived(rig, 2));
    uint64_t ticket = rig_finish(rig, 2);
    StoreRecord record = {.match = 2};
    uint64_t late;
    assert_int_equal(store_append(rig->store, &record, &late), STORE_FINISHED);
    assert_int_equal(store_progress(rig->store).finished, 0);
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).finished, ticket);
    assert_true(rig_archived(rig, 2) && !rig_archived(rig, 1));
    assert_int_equal(store_stats(rig->store).matches, 2);
    for (int again = 0; again < 2; again++) {
        rig_close(rig);
        rig_must_open(rig);
        assert_true(rig_archived(rig, 2));
        assert_int_equal(rig_found(rig, found, FOUND_MAX), 2);
        assert_true(found[0].match == 1 && found[1].match == 3);
    }
}

/* What is finished while a match is archived waits until its time has come, and is then archived
 * together: each time the caller is told once. */
static void matches_in_a_crowd_are_archived_together(void **state) {
    Rig *rig = *state;
    static RigGate gate;
    enum { CROWD = 60, KEEP_MS = 100 };
    open_before_gate(rig, &gate);
    rig->disk.on_rename = rig_gate;
    int64_t began = now_ns();
    rig_finish(rig, 1); /* after a pause it is archived immediately, alone */
    rig_wait_at_gate(&gate, 1);
    for (uint64_t match = 2; match <= CROWD; match++)
        rig_finish(rig, match);
    gate.closed = false;
    rig_wait(rig, 0, CROWD);
    assert_true(now_ns() - began >= KEEP_MS * 1000000ll);
    for (uint64_t match = 1; match <= CROWD; match++)
        assert_true(rig_archived(rig, match));
    rig_close(rig); /* by now everybody was told */
    assert_int_equal(calls, 2);
}

static void a_match_can_be_forgotten(void **state) {
    Rig *rig = *state;
    rig_must_open(rig);
    for (uint64_t match = 1; match <= 3; match++)
        rig_append(rig, match, 1);
    store_forget(rig->store, 1, 5); /* before it is written */
    store_step(rig->store);
    store_forget(rig->store, 2, 5); /* and after that */
    store_forget(rig->store, 9, 5); /* there is none */
    store_step(rig->store);
    assert_int_equal(store_stats(rig->store).matches, 1);
    for (int again = 0; again < 2; again++) {
        rig_close(rig);
        rig_must_open(rig);
        assert_false(rig_archived(rig, 1) || rig_archived(rig, 2));
        assert_int_equal(rig_found(rig, found, FOUND_MAX), 1);
        assert_true(found[0].match == 3);
    }
}

static void finishing_again_is_harmless(void **state) {
    Rig *rig = *state;
    uint64_t ticket;
    rig_must_open(rig);
    rig_append(rig, 7, 1);
    rig_finish(rig, 7);
    StoreEntry other = rig_entry(7);
    strcpy(other.game, "another");
    other.started_ms += 40ull * 86400000;
    assert_int_equal(store_finish(rig->store, &other, "other", 5, &ticket), STORE_OK); /* waiting */
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).finished, 2);
    other.started_ms = rig_entry(7).started_ms; /* now for the path of the first file */
    assert_int_equal(store_finish(rig->store, &other, "other", 5, &ticket), STORE_OK); /* done */
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).finished, 3);
    assert_true(rig_archived(rig, 7));
    StoreEntry entries[4];
    uint32_t count;
    StoreFilter all = {0};
    assert_int_equal(store_archive_list(rig->store, &all, entries, 4, &count), STORE_OK);
    assert_int_equal(count, 1);
    assert_string_equal(entries[0].game, "game-1");
    rig_finish(rig, 8); /* a match that the journal never saw */
    store_step(rig->store);
    assert_true(rig_archived(rig, 8));
}

static void too_many_files_are_full(void **state) {
    Rig *rig = *state;
    static char file[4000];
    uint64_t ticket;
    rig->setup.queue_bytes_max = 10000;
    rig_must_open(rig);
    StoreEntry entry = rig_entry(1);
    assert_int_equal(store_finish(rig->store, &entry, file, sizeof file, &ticket), STORE_OK);
    entry.match++;
    assert_int_equal(store_finish(rig->store, &entry, file, sizeof file, &ticket), STORE_OK);
    entry.match++;
    assert_int_equal(store_finish(rig->store, &entry, file, sizeof file, &ticket), STORE_FULL);
    store_step(rig->store);
    assert_int_equal(store_finish(rig->store, &entry, file, sizeof file, &ticket), STORE_OK);
    assert_int_equal(ticket, 3);
    assert_int_equal(
        store_finish(rig->store, &entry, file, (size_t)STORE_FILE_BYTES_MAX + 1, &ticket),
        STORE_TOO_LONG);
}

static void files_are_read_whole_or_not(void **state) {
    Rig *rig = *state;
    char bytes[64];
    size_t count;
    rig_must_open(rig);
    rig_finish(rig, 5);
    store_step(rig->store);
    assert_int_equal(store_archive_read(rig->store, 5, bytes, 3, &count), STORE_TOO_LONG);
    assert_int_equal(count, strlen("{\"match\": 5}\n"));
    assert_int_equal(store_archive_read(rig->store, 6, bytes, sizeof bytes, &count), STORE_UNKNOWN);
    StoreEntry entries[1];
    assert_int_equal(store_archive_list(rig->store, &(StoreFilter){0}, entries, 1, &(uint32_t){0}),
                     STORE_OK);
    assert_string_equal(entries[0].file, "2023/11/0000000000000005.json");
    char name[128], path[256];
    snprintf(name, sizeof name, "archive/%s", entries[0].file);
    uint8_t *file = rig_read(rig, name, &count);
    assert_non_null(file);
    free(file);
    snprintf(path, sizeof path, "%s/%s", rig->folder, name);
    unlink(path);
    assert_int_equal(store_archive_read(rig->store, 5, bytes, sizeof bytes, &count), STORE_FAILED);
    assert_non_null(strstr(rig->lines, "0000000000000005.json"));
    assert_null(
        store_progress(rig->store).failure); /* one lost file is not a failure of the store */
}

/* Lists by pages of three; how many there are. */
static uint32_t list_all(Rig *rig, StoreFilter filter, StoreEntry *entries, uint32_t max) {
    uint32_t all = 0, count;
    do {
        assert_true(all + 3 <= max);
        assert_int_equal(store_archive_list(rig->store, &filter, entries + all, 3, &count),
                         STORE_OK);
        all += count;
        if (all > 0) {
            filter.after_ms = entries[all - 1].ended_ms;
            filter.after = entries[all - 1].match;
        }
    } while (count > 0);
    for (uint32_t i = 1; i < all; i++)
        assert_true(entries[i - 1].ended_ms > entries[i].ended_ms ||
                    (entries[i - 1].ended_ms == entries[i].ended_ms &&
                     (int64_t)entries[i - 1].match > (int64_t)entries[i].match));
    return all;
}

static void the_archive_lists_by_game_player_and_time(void **state) {
    Rig *rig = *state;
    StoreEntry entries[60];
    rig_must_open(rig);
    for (uint64_t match = 1; match <= 50; match++)
        rig_finish(rig, match);
    for (uint64_t match = 1; match <= 3; match++)
        rig_finish(rig, match << 63 | match * 1000); /* large ids; some end at the same time */
    store_step(rig->store);
    assert_int_equal(list_all(rig, (StoreFilter){0}, entries, 60), 53);
    for (uint32_t i = 0; i < 53; i++) {
        StoreEntry right = rig_entry(entries[i].match);
        memcpy(right.file, entries[i].file, sizeof right.file);
        right.bytes = entries[i].bytes;
        assert_true(right.bytes > 10 && right.bytes < 40);
        assert_memory_equal(&entries[i], &right, sizeof right);
    }
    assert_int_equal(list_all(rig, (StoreFilter){.game = "game-1"}, entries, 60), 25);
    assert_int_equal(list_all(rig, (StoreFilter){.player = "PLAYER 3"}, entries, 60), 20);
    for (uint32_t i = 0; i < 20; i++)
        assert_true(strcmp(entries[i].players[0].name, "player 3") == 0 ||
                    strcmp(entries[i].players[1].name, "player 3") == 0);
    StoreFilter some = {.game = "game-0", .player = "player 3"};
    assert_int_equal(list_all(rig, some, entries, 60), 10);
    uint64_t day = 86400000, first = rig_entry(0).ended_ms;
    some = (StoreFilter){.from_ms = first + 10 * day, .to_ms = first + 19 * day};
    assert_int_equal(list_all(rig, some, entries, 60), 10);
    assert_true(entries[0].match == 19 && entries[9].match == 10);
    some.player = "player 0";
    assert_int_equal(list_all(rig, some, entries, 60), 4);
    assert_int_equal(list_all(rig, (StoreFilter){.player = "player"}, entries, 60), 0);
}

static void private_matches_and_double_players(void **state) {
    Rig *rig = *state;
    StoreEntry entries[8], entry = rig_entry(1);
    uint64_t ticket;
    rig_must_open(rig);
    entry.is_private = true;
    entry.winner = STORE_NOBODY;
    strcpy(entry.players[0].name, "Ann");
    strcpy(entry.players[1].name, "ann");
    assert_int_equal(store_finish(rig->store, &entry, "1", 1, &ticket), STORE_OK);
    entry.match = 2;
    entry.is_private = false;
    entry.players_count = 0;
    assert_int_equal(store_finish(rig->store, &entry, "2", 1, &ticket), STORE_OK);
    store_step(rig->store);
    assert_int_equal(list_all(rig, (StoreFilter){0}, entries, 8), 1);
    assert_int_equal(entries[0].match, 2);
    assert_int_equal(entries[0].players_count, 0);
    assert_int_equal(list_all(rig, (StoreFilter){.player = "Ann"}, entries, 8), 0);
    size_t length;
    assert_int_equal(store_archive_read(rig->store, 1, NULL, 0, &length), STORE_TOO_LONG);
    entry.match = 3;
    entry.players_count = 2;
    assert_int_equal(store_finish(rig->store, &entry, "3", 1, &ticket), STORE_OK);
    store_step(rig->store);
    assert_int_equal(list_all(rig, (StoreFilter){.player = "Ann"}, entries, 8), 1);
    StoreFilter hers = {.player = "aNN", .game = "game-1"};
    assert_int_equal(list_all(rig, hers, entries, 8), 1); /* on both seats, listed once */
    assert_int_equal(entries[0].match, 3);
    assert_int_equal(entries[0].winner, STORE_NOBODY);
    assert_false(entries[0].is_private);
}

static void names_are_only_names(void **state) {
    Rig *rig = *state;
    static const char *const names[] = {
        "'; DROP TABLE matches; --", "\" OR 1=1 --", "%", "_", "?1", "\xff\xfe not UTF-8", "",
        "../../../etc/passwd"};
    enum { NAMES = sizeof names / sizeof *names };
    StoreEntry entries[NAMES + 3];
    rig_must_open(rig);
    for (uint64_t i = 0; i < NAMES; i++) {
        StoreEntry entry = rig_entry(i);
        uint64_t ticket;
        strcpy(entry.players[0].name, names[i]);
        strcpy(entry.players[1].role, "'); --");
        strcpy(entry.game, names[i]);
        strcpy(entry.reason, names[i]);
        assert_int_equal(store_finish(rig->store, &entry, "", 0, &ticket), STORE_OK);
    }
    store_step(rig->store);
    assert_int_equal(list_all(rig, (StoreFilter){0}, entries, NAMES + 3), NAMES);
    for (uint64_t i = 0; i < NAMES; i++) {
        StoreFilter filter = {.game = names[i], .player = names[i]};
        assert_int_equal(list_all(rig, filter, entries, NAMES + 3), 1);
        assert_int_equal(entries[0].match, i);
        assert_string_equal(entries[0].players[0].name, names[i]);
        assert_string_equal(entries[0].players[1].role, "'); --");
        assert_string_equal(entries[0].reason, names[i]);
    }
}

/* Another program that uses the index. */
static sqlite3 *strange_program(const Rig *rig, const char *sql) {
    char path[128];
    sqlite3 *base;
    snprintf(path, sizeof path, "%s/index.sqlite", rig->folder);
    assert_int_equal(sqlite3_open(path, &base), SQLITE_OK);
    assert_int_equal(sqlite3_exec(base, sql, NULL, NULL, NULL), SQLITE_OK);
    return base;
}

static void a_busy_index_is_waited_for(void **state) {
    Rig *rig = *state;
    rig_must_open(rig);
    rig_append(rig, 1, 1);
    sqlite3 *base = strange_program(rig, "BEGIN IMMEDIATE");
    uint64_t ticket = rig_finish(rig, 1);
    store_step(rig->store);
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).finished, 0);
    assert_null(store_progress(rig->store).failure);
    assert_int_equal(rig->lines_count, 1); /* reported once, not at every step */
    assert_non_null(strstr(rig->lines, "locked"));
    sqlite3_exec(base, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(base);
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).finished, ticket);
    assert_true(rig_archived(rig, 1));
}

static void a_busy_index_does_not_stop_the_journal(void **state) {
    Rig *rig = *state;
    rig->setup.single_threaded = false;
    rig_must_open(rig);
    rig_wait(rig, rig_append(rig, 1, 1), 0);
    sqlite3 *base = strange_program(rig, "BEGIN IMMEDIATE");
    uint64_t ticket = rig_finish(rig, 1);
    for (uint32_t i = 1; i <= 10; i++)
        rig_wait(rig, rig_append(rig, 2, i), 0);
    assert_int_equal(store_progress(rig->store).finished, 0);
    for (int i = 0; i < 30000 && store_stats(rig->store).archive_failures == 0; i++)
        rig_pause_ms(1);
    assert_true(store_stats(rig->store).archive_failures > 0); /* the archiver was refused */
    sqlite3_exec(base, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(base);
    rig_wait(rig, 0, ticket);
    assert_true(rig_archived(rig, 1));
}

static void an_index_of_the_future_is_left_alone(void **state) {
    Rig *rig = *state;
    rig_must_open(rig);
    rig_close(rig);
    sqlite3_close(strange_program(rig, "PRAGMA user_version = 99"));
    must_not_open(rig, "version 99");
    sqlite3_close(strange_program(rig, "PRAGMA user_version = 2; DROP TABLE players"));
    must_not_open(rig, "no such table");
}

/* --- Journal compaction ----------------------------------------------------------------------- */

static void the_journal_does_not_grow_for_ever(void **state) {
    Rig *rig = *state;
    rig->setup.segment_bytes = 4096;
    rig_must_open(rig);
    uint32_t slow = 0; /* one match never ends and has a record in every segment */
    uint64_t most = 0;
    for (uint64_t match = 1; match <= 1000; match++) {
        for (uint32_t i = 1; i <= 10; i++)
            rig_append(rig, match, i);
        if (match % 5 == 0)
            rig_append(rig, 1000000, ++slow);
        rig_finish(rig, match);
        if (match % 8 == 0)
            store_step(rig->store);
        StoreStats stats = store_stats(rig->store);
        most = stats.journal_bytes > most ? stats.journal_bytes : most;
    }
    store_step(rig->store);
    StoreStats stats = store_stats(rig->store);
    assert_true(stats.removed > 100 && stats.matches == 1 && stats.finished == 1000);
    assert_true(most < 65536); /* 600,000 bytes were written, 13,000 of them live */
    assert_int_equal(rig_count(rig, ".journal"), stats.segments);
    rig_close(rig);
    rig_must_open(rig);
    assert_string_equal(rig->lines, "");
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 1);
    assert_true(found[0].right && found[0].gapless && found[0].records == slow);
}

static void unneeded_segments_are_removed_one_by_one(void **state) {
    Rig *rig = *state;
    rig->setup.segment_bytes = 1024;
    rig_must_open(rig);
    for (uint64_t match = 1; match <= 4; match++) { /* each fills a segment and more */
        for (uint32_t i = 1; i <= 20; i++) {
            rig_append(rig, match, i);
            store_step(rig->store);
        }
        assert_in_range(rig_count(rig, ".journal"), 2, 4);
        rig_finish(rig, match);
        store_step(rig->store);
        store_step(rig->store);
        assert_int_equal(rig_count(rig, ".journal"), 1);
    }
}

static void a_segment_that_rots_meanwhile_is_not_merged(void **state) {
    Rig *rig = *state;
    static const char name[] = "journal/00000001.journal";
    size_t count;
    rig->setup.segment_bytes = 4096;
    rig_must_open(rig);
    for (uint32_t i = 1; i <= 20; i++)
        for (uint64_t match = 1; match <= 6; match++) {
            rig_append(rig, match, i);
            store_step(rig->store);
        }
    uint8_t *bytes = rig_read(rig, name, &count);
    assert_non_null(bytes);
    bytes[count / 2] ^= 1;
    rig_write(rig, name, bytes, count);
    for (uint64_t match = 1; match <= 4; match++)
        rig_finish(rig, match);
    store_step(rig->store);
    assert_int_equal(rig->lines_count, 1);
    assert_non_null(strstr(rig->lines, "00000001.journal is damaged"));
    assert_null(store_progress(rig->store).failure);
    rig_append(rig, 5, 21);
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).appended, 121);
    size_t after;
    uint8_t *again = rig_read(rig, name, &after);
    assert_non_null(again);
    assert_true(after == count && memcmp(bytes, again, count) == 0);
    free(bytes);
    free(again);
    rig_close(rig);
    rig_must_open(rig); /* it is reported and kept at the next opening */
    assert_true(rig->lines_count > 0 && rig_count(rig, ".damaged") == 1);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 2);
    assert_true(found[0].records >= 20 && found[1].records >= 19);
}

static void many_small_segments_are_merged(void **state) {
    Rig *rig = *state;
    for (uint32_t i = 1; i <= 40; i++) { /* each opening leaves a segment with one live record */
        rig_must_open(rig);
        assert_string_equal(rig->lines, "");
        rig_append(rig, 1 + i % 2, (i + 1) / 2);
        store_step(rig->store);
        assert_in_range(rig_count(rig, ".journal"), 1, 10);
        rig_close(rig);
    }
    rig_must_open(rig);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 2);
    for (int i = 0; i < 2; i++)
        assert_true(found[i].right && found[i].gapless && found[i].records == 20);
    assert_int_equal(rig_count(rig, ".new"), 0);
}

/* Reads the archive as fast as it can until it is stopped. */
typedef struct PageReader {
    Rig *rig;
    _Atomic bool stops;
    _Atomic uint32_t most; /* matches that it has found listed */
} PageReader;
static void *visit(void *owner) {
    static StoreEntry entries[20];
    PageReader *reader = owner;
    while (!reader->stops) {
        uint32_t count = 0;
        StoreFilter filter = {.player = "player 1"};
        if (store_archive_list(reader->rig->store, &filter, entries, 20, &count) != STORE_OK)
            return NULL;
        for (uint32_t i = 0; i < count; i++)
            if (!rig_archived(reader->rig, entries[i].match)) /* listed, and the file is there */
                return NULL;
        reader->most = count > reader->most ? count : reader->most;
    }
    return reader;
}

static void threads_do_all_of_it(void **state) {
    Rig *rig = *state;
    rig->setup.single_threaded = false;
    rig->setup.group_ms = 1;
    rig->setup.segment_bytes = 16384;
    rig->setup.query_ms = 600000; /* a busy machine is not one that does not answer */
    rig_must_open(rig);
    uint64_t appended = 0, finished = 0;
    PageReader reader = {.rig = rig};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, visit, &reader), 0);
    for (uint64_t match = 1; match <= 300; match++) {
        for (uint32_t i = 1; i <= 10; i++)
            appended = rig_append(rig, match, i);
        if (match % 10 != 0)
            finished = rig_finish(rig, match);
    }
    rig_wait(rig, appended, finished);
    for (int i = 0; i < 30000 && reader.most == 0; i++)
        rig_pause_ms(1); /* it comes to read even if everybody else was faster */
    void *answer;
    reader.stops = true;
    pthread_join(thread, &answer);
    assert_true(answer == &reader && reader.most > 0);
    StoreStats stats = store_stats(rig->store);
    assert_true(stats.matches == 30 && stats.finished == 270);
    rig_close(rig); /* with the last ones pending */
    rig_must_open(rig);
    assert_string_equal(rig->lines, "");
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 30);
    for (uint64_t i = 0; i < 30; i++)
        assert_true(found[i].match == 10 * i + 10 && found[i].right && found[i].records == 10);
    for (uint64_t match = 1; match <= 300; match++)
        assert_true(rig_archived(rig, match) == (match % 10 != 0));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_set_up, rig_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(records_come_back),
        TEST(any_bytes_and_lengths_are_records),
        TEST(groups_are_one_write_and_one_sync),
        TEST(the_writer_thread_groups),
        TEST(syncs_keep_their_distance),
        TEST(only_fast_announces_before_the_sync),
        TEST(a_fast_writer_thread_syncs_in_its_own_time),
        TEST(a_full_queue_is_an_answer),
        TEST(too_many_matches_are_full),
        TEST(a_failure_is_for_good),
        TEST(a_real_limit_on_files_is_told),
        TEST(one_folder_one_server),
        TEST(what_cannot_be_opened_says_why),
        TEST(a_finished_match_is_archived_and_forgotten),
        TEST(matches_in_a_crowd_are_archived_together),
        TEST(a_match_can_be_forgotten),
        TEST(finishing_again_is_harmless),
        TEST(too_many_files_are_full),
        TEST(files_are_read_whole_or_not),
        TEST(the_archive_lists_by_game_player_and_time),
        TEST(private_matches_and_double_players),
        TEST(names_are_only_names),
        TEST(a_busy_index_is_waited_for),
        TEST(a_busy_index_does_not_stop_the_journal),
        TEST(an_index_of_the_future_is_left_alone),
        TEST(the_journal_does_not_grow_for_ever),
        TEST(unneeded_segments_are_removed_one_by_one),
        TEST(a_segment_that_rots_meanwhile_is_not_merged),
        TEST(many_small_segments_are_merged),
        TEST(threads_do_all_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
