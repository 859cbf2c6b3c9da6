/* test_store_room.c -- a store without space: an archive that cannot be written for a while, no
 * descriptors, a disk that is nearly full, and pruning, which frees space. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "store/archive.h"
#include "store/index.h"
#include "tests/store/fixture.h"

static const uint64_t day_ms = 86400000, mib = 1 << 20;

/* --- The archive cannot be written ------------------------------------------------------------ */

static void what_the_archive_does_not_take_is_tried_again(void **state) {
    static const int errors[] = {ENOSPC, EIO, EROFS, EMFILE};
    Rig *rig = *state;
    for (uint32_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        uint64_t match = 10 * i + 1;
        rig_must_open(rig);
        rig->disk.error = errors[i];
        rig->disk.fails_at = "/archive/2";
        rig_append(rig, match, 1);
        uint64_t finished = rig_finish(rig, match), appended = 0;
        for (uint32_t turn = 0; turn < 3; turn++) {
            store_step(rig->store);
            appended = rig_append(rig, match + 1, turn + 1); /* the journal continues */
            store_step(rig->store);
            assert_int_equal(store_progress(rig->store).appended, appended);
        }
        assert_null(store_progress(rig->store).failure);
        assert_true(store_progress(rig->store).finished < finished);
        assert_int_equal(store_stats(rig->store).archive_failures, 6);
        assert_int_equal(store_stats(rig->store).finishing, 1);
        assert_int_equal(rig_said(rig, "will be archived later"), 1);
        rig_close(rig); /* it waits in the journal, also over a restart */
        rig_must_open(rig);
        RigFound found[8];
        assert_true(rig_found(rig, found, 8) == 2 && found[0].match == match);
        finished = rig_finish(rig, match);
        store_step(rig->store);
        assert_true(store_progress(rig->store).finished < finished);
        rig->disk.fails_at = NULL;
        store_step(rig->store);
        assert_int_equal(store_progress(rig->store).finished, finished);
        assert_true(rig_archived(rig, match));
        assert_int_equal(store_stats(rig->store).finishing, 0);
        rig_finish(rig, match + 1);
        rig_close(rig);
    }
}

static void the_keeper_thread_tries_again_by_itself(void **state) {
    Rig *rig = *state;
    rig->setup.single_threaded = false;
    rig_must_open(rig);
    rig->disk.error = ENOSPC;
    rig->disk.fails_at = "/archive/2";
    rig_append(rig, 1, 1);
    uint64_t ticket = rig_finish(rig, 1);
    struct timespec now = {.tv_nsec = 5000000};
    while (store_stats(rig->store).archive_failures < 2)
        nanosleep(&now, NULL);
    assert_null(store_progress(rig->store).failure);
    rig->disk.fails_at = NULL;
    while (store_progress(rig->store).finished < ticket)
        nanosleep(&now, NULL);
    assert_true(rig_archived(rig, 1));
}

/* --- No descriptors --------------------------------------------------------------------------- */

static void the_store_keeps_descriptors_for_itself(void **state) {
    Rig *rig = *state;
    struct rlimit before, few = {.rlim_cur = 100};
    int files[200], count = 0;
    rig->setup.segment_bytes = 1024;
    rig_must_open(rig);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    while ((files[count] = open("/dev/null", O_RDONLY)) >= 0)
        count++;
    assert_int_equal(errno, EMFILE);
    for (uint32_t i = 1; i <= 40; i++) { /* new segments are started meanwhile */
        uint64_t ticket = rig_append(rig, 1, i);
        store_step(rig->store);
        assert_int_equal(store_progress(rig->store).appended, ticket);
    }
    rig_append(rig, 2, 1);
    rig_finish(rig, 2);
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).finished, 1);
    assert_int_equal(store_stats(rig->store).archive_failures, 0);
    assert_true(rig_archived(rig, 2));
    assert_true(store_stats(rig->store).segments > 1);
    while (count > 0)
        close(files[--count]);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_string_equal(rig->lines, "");
}

static void the_journal_goes_on_without_a_new_segment(void **state) {
    Rig *rig = *state;
    static const int errors[] = {EMFILE, ENOSPC};
    for (uint32_t i = 0; i < 2; i++) {
        rig_empty(rig);
        rig->setup.segment_bytes = 1024;
        rig->disk.error = errors[i];
        rig_must_open(rig);
        rig->disk.fails_at = ".new";
        for (uint32_t j = 1; j <= 60; j++) {
            uint64_t ticket = rig_append(rig, 1, j);
            store_step(rig->store);
            assert_int_equal(store_progress(rig->store).appended, ticket);
        }
        assert_int_equal(store_stats(rig->store).segments, 1);
        assert_int_equal(rig_said(rig, "goes on in the file before it"), 1);
        rig->disk.fails_at = NULL;
        rig_close(rig);
        rig_must_open(rig);
        RigFound found[2];
        assert_int_equal(rig_found(rig, found, 2), 1);
        assert_true(found[0].records == 60 && found[0].gapless && found[0].right);
        rig_close(rig);
    }
}

static void a_merge_that_failed_is_tried_again(void **state) {
    Rig *rig = *state;
    rig->setup.segment_bytes = 1024;
    rig->disk.error = EMFILE;
    rig_must_open(rig);
    for (uint32_t i = 1; i <= 40; i++)
        for (uint64_t match = 1; match <= 3; match++) {
            rig_append(rig, match, i);
            store_step(rig->store);
        }
    uint64_t bytes = store_stats(rig->store).journal_bytes;
    rig->disk.fails_at = "/journal/0";
    rig_finish(rig, 1);
    rig_finish(rig, 2);
    for (uint32_t i = 0; i < 3; i++)
        store_step(rig->store);
    assert_true(store_stats(rig->store).journal_bytes >= bytes);
    assert_int_equal(rig_said(rig, "cannot create"), 1);
    rig->disk.fails_at = NULL;
    store_step(rig->store);
    assert_true(store_stats(rig->store).journal_bytes < bytes / 2);
    assert_null(store_progress(rig->store).failure);
    rig_close(rig);
    rig_must_open(rig);
    RigFound found[4];
    assert_int_equal(rig_found(rig, found, 4), 1);
    assert_true(found[0].records == 40 && found[0].right && found[0].gapless);
}

/* --- A disk that is nearly full --------------------------------------------------------------- */

static bool low_with(Rig *rig, uint64_t free_bytes) {
    rig->disk.free_bytes = free_bytes;
    store_step(rig->store);
    assert_int_equal(store_stats(rig->store).free_bytes, free_bytes);
    assert_int_equal(store_stats(rig->store).low, store_progress(rig->store).low);
    return store_progress(rig->store).low;
}

static void low_on_space_is_a_state_that_passes(void **state) {
    Rig *rig = *state;
    rig->disk.all_bytes = 1000 * mib; /* 2 % are 20 MiB */
    rig->disk.free_bytes = 100 * mib;
    rig_must_open(rig);
    assert_false(low_with(rig, 20 * mib));
    assert_true(low_with(rig, 20 * mib - 1));
    assert_true(low_with(rig, 10 * mib));
    rig_append(rig, 1, 1); /* running matches continue, and end */
    uint64_t ticket = rig_finish(rig, 1);
    assert_true(low_with(rig, 24 * mib));
    assert_int_equal(store_progress(rig->store).finished, ticket);
    assert_int_equal(rig_said(rig, "is low on space: 19 MiB are free, and 20 MiB are reserved"), 1);
    assert_false(low_with(rig, 25 * mib));
    assert_false(low_with(rig, 21 * mib));
    assert_int_equal(rig_said(rig, "has room again"), 1);
    rig_close(rig);
    rig->disk.all_bytes = 1000000 * mib;
    rig->disk.free_bytes = 256 * mib - 1;
    rig_must_open(rig);
    assert_true(store_progress(rig->store).low); /* immediately, when it is opened */
    assert_false(low_with(rig, 256 * mib + 64 * mib));
    rig_close(rig);
    rig->setup.reserve_bytes = 0;
    rig_must_open(rig);
    assert_false(low_with(rig, 0));
    rig_close(rig);
    rig->setup.reserve_bytes = 5 * mib;
    rig->disk.free_bytes = 6 * mib;
    rig_must_open(rig);
    assert_false(low_with(rig, 5 * mib));
    assert_true(low_with(rig, 4 * mib));
}

/* --- Pruning ---------------------------------------------------------------------------------- */

enum { MANY = 200 };

/* Matches 1 to MANY, of which one ends each day, in the archive; and one that is open. */
static void fill(Rig *rig) {
    rig_must_open(rig);
    for (uint64_t match = 1; match <= MANY; match++)
        rig_finish(rig, match);
    rig_append(rig, 1000, 1);
    store_step(rig->store);
    assert_int_equal(store_stats(rig->store).finished, MANY);
}

/* How many are in the archive; the files of others are deleted, with the folders of empty
 * months. */
static uint32_t left(Rig *rig, uint64_t *oldest) {
    static StoreEntry entries[MANY + 1];
    uint32_t count;
    assert_int_equal(store_archive_list(rig->store, &(StoreFilter){0}, entries, MANY + 1, &count),
                     STORE_OK);
    *oldest = count == 0 ? 0 : entries[count - 1].match;
    for (uint32_t i = 0; i < count; i++)
        assert_true(rig_archived(rig, entries[i].match));
    for (uint64_t match = 1; match < *oldest; match++)
        assert_false(rig_archived(rig, match));
    return count;
}

static bool has(const Rig *rig, const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", rig->folder, name);
    return access(path, F_OK) == 0;
}

static void old_matches_go_by_age(void **state) {
    Rig *rig = *state;
    uint64_t oldest;
    fill(rig);
    assert_true(has(rig, "archive/2023/11/0000000000000001.json"));
    StorePrune prune = {.before_ms = rig_entry(100).ended_ms};
    store_prune(rig->store, &prune);
    store_step(rig->store);
    assert_int_equal(left(rig, &oldest), MANY - ARCHIVE_PRUNE_MAX); /* in small steps */
    store_step(rig->store);
    store_step(rig->store);
    assert_int_equal(left(rig, &oldest), MANY - 99);
    assert_int_equal(oldest, 100);
    assert_int_equal(store_stats(rig->store).pruned, 99);
    assert_int_equal(store_stats(rig->store).archive_bytes, 0); /* without a limit: not measured */
    assert_false(has(rig, "archive/2023"));
    assert_true(has(rig, "archive/2024/02"));
    store_step(rig->store); /* requested once, done once */
    rig_finish(rig, 50);
    store_step(rig->store);
    assert_true(rig_archived(rig, 50));
    rig_close(rig);
    rig_must_open(rig);
    RigFound found[2];
    assert_true(rig_found(rig, found, 2) == 1 && found[0].match == 1000); /* running matches stay */
}

static void old_matches_go_by_size(void **state) {
    Rig *rig = *state;
    uint64_t oldest;
    fill(rig);
    StorePrune prune = {.bytes_max = 50 * INDEX_BLOCK};
    store_prune(rig->store, &prune);
    for (uint32_t i = 0; i < 4; i++)
        store_step(rig->store);
    assert_int_equal(left(rig, &oldest), 50);
    assert_int_equal(oldest, MANY - 49);
    assert_int_equal(store_stats(rig->store).archive_bytes, 50 * INDEX_BLOCK);
    rig_finish(rig, MANY + 1);
    store_prune(rig->store, &prune);
    store_step(rig->store);
    store_step(rig->store);
    assert_int_equal(left(rig, &oldest), 50);
    assert_int_equal(oldest, MANY - 48);
}

/* As an older program left it: the lengths of the files are unknown. */
static void files_of_older_programs_are_measured(void **state) {
    Rig *rig = *state;
    uint64_t oldest;
    char path[128];
    sqlite3 *base;
    fill(rig);
    rig_close(rig);
    snprintf(path, sizeof path, "%s/index.sqlite", rig->folder);
    assert_int_equal(sqlite3_open(path, &base), SQLITE_OK);
    assert_int_equal(sqlite3_exec(base, "UPDATE matches SET bytes = -1", NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(base);
    rig_must_open(rig);
    StorePrune prune = {.bytes_max = 180 * INDEX_BLOCK};
    store_prune(rig->store, &prune);
    for (uint32_t i = 0; i < 6; i++)
        store_step(rig->store);
    assert_int_equal(left(rig, &oldest), 180);
}

/* Files that cannot be removed stay listed; nothing fails, and pruning continues when they can. */
static void pruning_that_fails_is_told_and_goes_on(void **state) {
    Rig *rig = *state;
    uint64_t oldest;
    fill(rig);
    rig->disk.removes_fail = 3;
    StorePrune prune = {.before_ms = rig_entry(100).ended_ms};
    for (uint32_t i = 0; i < 3; i++) {
        store_prune(rig->store, &prune);
        store_step(rig->store);
    }
    assert_int_equal(store_stats(rig->store).pruned, 0);
    assert_int_equal(rig_said(rig, "cannot remove"), 1);
    assert_null(store_progress(rig->store).failure);
    store_prune(rig->store, &prune);
    for (uint32_t i = 0; i < 3; i++)
        store_step(rig->store);
    assert_int_equal(left(rig, &oldest), MANY - 99);
}

static void the_keeper_thread_prunes_by_itself(void **state) {
    Rig *rig = *state;
    struct timespec now = {.tv_nsec = 5000000};
    fill(rig);
    rig_close(rig);
    rig->setup.single_threaded = false;
    rig_must_open(rig);
    StorePrune prune = {.before_ms = rig_entry(MANY).ended_ms + day_ms};
    store_prune(rig->store, &prune);
    while (store_stats(rig->store).pruned < MANY)
        nanosleep(&now, NULL);
    rig_close(rig); /* also while there would be more to do */
    rig_must_open(rig);
    store_prune(rig->store, &prune);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_set_up, rig_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_the_archive_does_not_take_is_tried_again),
        TEST(the_keeper_thread_tries_again_by_itself),
        TEST(the_store_keeps_descriptors_for_itself),
        TEST(the_journal_goes_on_without_a_new_segment),
        TEST(a_merge_that_failed_is_tried_again),
        TEST(low_on_space_is_a_state_that_passes),
        TEST(old_matches_go_by_age),
        TEST(old_matches_go_by_size),
        TEST(files_of_older_programs_are_measured),
        TEST(pruning_that_fails_is_told_and_goes_on),
        TEST(the_keeper_thread_prunes_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
