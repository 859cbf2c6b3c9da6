/* test_store_archive.c -- the archive's index: what lists cost, their time limit, and indexes that
 * older programs made; then the folder itself: who may read it, what happens when it disappears,
 * invalid dates. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "store/index.h"
#include "tests/store/fixture.h"

enum { MANY = 3000, PAGE = 10 };

/* --- What lists cost -------------------------------------------------------------------------- */

/* The index of the rig's folder. */
static Index *open_index(const Rig *rig, bool writes) {
    char path[128], memory[256];
    MashText problem = text_over(memory, sizeof memory);
    snprintf(path, sizeof path, "%s/index.sqlite", rig->folder);
    Index *index = index_open(path, writes, &problem);
    if (index == NULL)
        fail_msg("%s", memory);
    return index;
}

/* "X" plays every match; only each tenth is public, and of a game of its own. */
static void fill(Index *index) {
    static StoreEntry entries[MANY];
    static const StoreEntry *list[MANY];
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    for (uint32_t i = 0; i < MANY; i++) {
        entries[i] = rig_entry(i + 1);
        entries[i].ended_ms = 1700000000000 + i;
        entries[i].is_private = i % 10 != 0;
        strcpy(entries[i].players[0].name, "X");
        strcpy(entries[i].game, i % 10 == 0 ? "seen" : "hidden");
        list[i] = &entries[i];
    }
    assert_int_equal(index_add(index, list, MANY, &problem), ARCHIVE_OK);
}

/* A list with a time limit of 0: SQLite checks the time after each thousand steps of a statement,
 * so only one that reads hardly more than it returns is completed. A connection of its own, because
 * it counts the steps of all its lists together. */
static ArchiveAnswer list(const Rig *rig, const StoreFilter *filter, uint32_t max, uint32_t *count,
                          StoreEntry *last) {
    static StoreEntry entries[MANY];
    char memory[256];
    MashText problem = text_over(memory, sizeof memory);
    Index *index = open_index(rig, false);
    index_until(index, (struct timespec){.tv_sec = 1});
    ArchiveAnswer answer = index_list(index, filter, entries, max, count, &problem);
    if (*count > 0)
        *last = entries[*count - 1];
    index_close(index);
    return answer;
}

static void a_list_reads_no_more_than_it_shows(void **state) {
    Rig *rig = *state;
    Index *writer = open_index(rig, true);
    fill(writer);
    static const StoreFilter filters[] = {{0},
                                          {.game = "seen"},
                                          {.player = "x"},
                                          {.player = "x", .game = "seen"},
                                          {.from_ms = 1, .to_ms = 1800000000000},
                                          {.player = "X", .from_ms = 1700000000001}};
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        StoreFilter filter = filters[i];
        StoreEntry last;
        uint32_t count = PAGE, all = 0;
        for (; count == PAGE; all += count) { /* the first page and the last cost the same */
            assert_int_equal(list(rig, &filter, PAGE, &count, &last), ARCHIVE_OK);
            filter.after_ms = last.ended_ms;
            filter.after = last.match;
        }
        assert_int_equal(all, filter.from_ms > 1 ? MANY / 10 - 1 : MANY / 10);
    }
    static const StoreFilter nothing[] = {{.game = "hidden"},
                                          {.game = "nope"},
                                          {.player = "nobody"},
                                          {.player = "X", .game = "nope"},
                                          {.player = "X", .game = "hidden"},
                                          {.player = "X", .from_ms = 1900000000000},
                                          {.to_ms = 1}};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        StoreEntry last;
        uint32_t count;
        assert_int_equal(list(rig, &nothing[i], PAGE, &count, &last), ARCHIVE_OK);
        assert_int_equal(count, 0);
    }
    index_close(writer);
}

static void a_list_that_takes_too_long_is_given_up(void **state) {
    Rig *rig = *state;
    Index *writer = open_index(rig, true);
    fill(writer);
    StoreEntry last;
    uint32_t count;
    assert_int_equal(list(rig, &(StoreFilter){0}, MANY, &count, &last), ARCHIVE_BUSY);
    assert_true(count < MANY / 10);
    assert_int_equal(list(rig, &(StoreFilter){0}, PAGE, &count, &last), ARCHIVE_OK);
    index_close(writer);
    rig->setup.query_ms = 0; /* a time limit of 0, through the store's interface */
    rig_must_open(rig);
    static StoreEntry entries[MANY];
    assert_int_equal(store_archive_list(rig->store, &(StoreFilter){0}, entries, MANY, &count),
                     STORE_BUSY);
    assert_non_null(strstr(rig->lines, "interrupted"));
}

/* --- Indexes of older programs ---------------------------------------------------------------- */

/* The old version 1, with three matches: a public one of Ann against Bob, one in which Ann has both
 * seats, and a private one. */
static const char version_1[] =
    "CREATE TABLE matches("
    " id INTEGER PRIMARY KEY, game TEXT NOT NULL, started_ms INTEGER NOT NULL,"
    " ended_ms INTEGER NOT NULL, winner INTEGER, reason TEXT NOT NULL, actions INTEGER NOT NULL,"
    " private INTEGER NOT NULL, file TEXT NOT NULL);"
    "CREATE INDEX matches_by_end ON matches(ended_ms, id);"
    "CREATE INDEX matches_by_game ON matches(game, ended_ms, id);"
    "CREATE TABLE players("
    " match INTEGER NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL COLLATE NOCASE,"
    " role TEXT NOT NULL, ended_ms INTEGER NOT NULL, PRIMARY KEY(match, seat)) WITHOUT ROWID;"
    "CREATE INDEX players_by_name ON players(name, ended_ms, match);"
    "PRAGMA user_version = 1;"
    "INSERT INTO matches VALUES(1, 'zorde', 1700000000000, 1700000001000, 0, 'won', 9, 0, 'f'),"
    " (2, 'generals', 1700000000000, 1700000002000, NULL, 'drawn', 8, 0, 'f'),"
    " (3, 'zorde', 1700000000000, 1700000003000, 1, 'won', 7, 1, 'f');"
    "INSERT INTO players VALUES(1, 0, 'Ann', 'person', 1700000001000),"
    " (1, 1, 'Bob', 'ai', 1700000001000), (2, 0, 'Ann', 'person', 1700000002000),"
    " (2, 1, 'ann', 'person', 1700000002000), (3, 0, 'Ann', 'person', 1700000003000),"
    " (3, 1, 'Bob', 'person', 1700000003000);";

static void run_sql(const Rig *rig, const char *sql) {
    char path[128];
    sqlite3 *base;
    snprintf(path, sizeof path, "%s/index.sqlite", rig->folder);
    assert_int_equal(sqlite3_open(path, &base), SQLITE_OK);
    assert_int_equal(sqlite3_exec(base, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(base);
}

static uint32_t count_of(Rig *rig, StoreFilter filter, uint64_t *first) {
    StoreEntry entries[8];
    uint32_t count;
    assert_int_equal(store_archive_list(rig->store, &filter, entries, 8, &count), STORE_OK);
    *first = count > 0 ? entries[0].match : 0;
    return count;
}

static void an_index_of_version_1_is_made_new(void **state) {
    Rig *rig = *state;
    uint64_t first;
    run_sql(rig, version_1);
    for (int time = 0; time < 2; time++) { /* and opens again */
        rig_must_open(rig);
        assert_int_equal(count_of(rig, (StoreFilter){0}, &first), 2);
        assert_int_equal(count_of(rig, (StoreFilter){.player = "ANN"}, &first), 2);
        assert_int_equal(first, 2);
        StoreFilter both = {.player = "ann", .game = "zorde"};
        assert_int_equal(count_of(rig, both, &first), 1);
        assert_int_equal(first, 1);
        assert_int_equal(count_of(rig, (StoreFilter){.game = "generals"}, &first), 1);
        assert_int_equal(count_of(rig, (StoreFilter){.player = "Bob"}, &first), 1);
        rig_close(rig);
    }
    rig_must_open(rig);
    rig_finish(rig, 7);
    store_step(rig->store);
    assert_true(rig_archived(rig, 7));
    assert_int_equal(count_of(rig, (StoreFilter){0}, &first), 3);
}

/* --- Other users of this machine -------------------------------------------------------------- */

static uint32_t mode_of(const Rig *rig, const char *name) {
    char path[192];
    struct stat found;
    snprintf(path, sizeof path, "%s/%s", rig->folder, name);
    if (stat(path, &found) != 0)
        fail_msg("there is no %s", path);
    return found.st_mode & 07777;
}

static void files_are_for_their_user_alone(void **state) {
    Rig *rig = *state;
    static const char *const folders[] = {"data", "data/journal", "data/archive",
                                          "data/archive/2023", "data/archive/2023/11"};
    static const char *const files[] = {"data/lock", "data/index.sqlite",
                                        "data/journal/00000001.journal",
                                        "data/archive/2023/11/0000000000000003.json"};
    char path[192];
    mode_t before = umask(0);
    snprintf(rig->place, sizeof rig->place, "embedded:%s/data", rig->folder);
    rig_must_open(rig);
    rig_append(rig, 7, 1);
    rig_finish(rig, 3);
    store_step(rig->store);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        assert_int_equal(mode_of(rig, folders[i]), 0700);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        assert_int_equal(mode_of(rig, files[i]), 0600);
    assert_int_equal(mode_of(rig, "data/index.sqlite-wal"), 0600);
    rig_close(rig);
    assert_string_equal(rig->lines, "");
    static const char *const opened[] = {"data", "data/journal", "data/archive",
                                         "data/index.sqlite"};
    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++) { /* as older programs left them */
        snprintf(path, sizeof path, "%s/%s", rig->folder, opened[i]);
        assert_int_equal(chmod(path, i == 3 ? 0644 : 0755), 0);
    }
    rig_must_open(rig);
    assert_int_equal(mode_of(rig, "data/journal"), 0700);
    assert_int_equal(mode_of(rig, "data/archive"), 0700);
    assert_int_equal(mode_of(rig, "data/index.sqlite"), 0600);
    assert_int_equal(mode_of(rig, "data"), 0755); /* it may be somebody else's folder */
    assert_non_null(strstr(rig->lines, "(mode 0755): chmod 700 closes it"));
    umask(before);
}

/* --- Data that disappears under a running server ---------------------------------------------- */

/* Nothing is announced any more, and the store reports why. */
static void must_fail(Rig *rig, const char *words) {
    uint64_t ticket = rig_append(rig, 1, 2);
    store_step(rig->store);
    StoreProgress done = store_progress(rig->store);
    assert_true(done.appended < ticket);
    assert_non_null(done.failure);
    if (strstr(done.failure, words) == NULL)
        assert_string_equal(done.failure, words);
    StoreRecord record = {.match = 1};
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_FAILED);
}

static void a_removed_folder_is_a_failure(void **state) {
    Rig *rig = *state;
    char path[128], away[160];
    rig_must_open(rig);
    rig_append(rig, 1, 1);
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).appended, 1);
    rig_empty(rig);
    must_fail(rig, "was removed while it was being written");
    rig_close(rig);
    rig_must_open(rig);
    rig_append(rig, 1, 1);
    store_step(rig->store);
    snprintf(path, sizeof path, "%s/journal", rig->folder);
    snprintf(away, sizeof away, "%s/elsewhere", rig->folder);
    assert_int_equal(rename(path, away), 0);
    must_fail(rig, "was removed, moved or replaced");
    rig_close(rig);
    assert_int_equal(rename(away, path), 0);
    rig_must_open(rig);
    rig_append(rig, 2, 1);
    store_step(rig->store);
    snprintf(away, sizeof away, "%s/old", rig->folder); /* replaced by another of that name */
    assert_int_equal(rename(path, away), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    must_fail(rig, "was removed, moved or replaced");
}

/* --- Clocks that are wrong -------------------------------------------------------------------- */

static void times_out_of_the_calendar_cost_nothing(void **state) {
    Rig *rig = *state;
    rig_must_open(rig);
    static const uint64_t times[] = {(uint64_t)-5000, 0, 253402300800000, UINT64_MAX,
                                     (uint64_t)INT64_MAX};
    for (uint64_t i = 0; i < 5; i++) {
        StoreEntry entry = rig_entry(i + 1);
        uint64_t ticket;
        entry.started_ms = entry.ended_ms = times[i];
        entry.winner = -7;
        entry.players_count = 99;
        memset(entry.reason, 'x', sizeof entry.reason);
        assert_int_equal(store_finish(rig->store, &entry, "file", 4, &ticket), STORE_OK);
    }
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).finished, 5);
    StoreEntry entries[8];
    uint32_t count;
    assert_int_equal(store_archive_list(rig->store, &(StoreFilter){0}, entries, 8, &count),
                     STORE_OK);
    assert_int_equal(count, 5);
    assert_int_equal(strlen(entries[0].reason), STORE_REASON_BYTES - 1);
    assert_int_equal(entries[0].winner, STORE_NOBODY);
    for (uint32_t i = 0; i < 5; i++)
        assert_true(strncmp(entries[i].file, "1970/01/", 8) == 0 ||
                    strncmp(entries[i].file, "9999/12/", 8) == 0);
    rig_close(rig);
    rig_must_open(rig);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_set_up, rig_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_list_reads_no_more_than_it_shows), TEST(a_list_that_takes_too_long_is_given_up),
        TEST(an_index_of_version_1_is_made_new),  TEST(files_are_for_their_user_alone),
        TEST(a_removed_folder_is_a_failure),      TEST(times_out_of_the_calendar_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
