/* test_store_edges.c -- limits at both of their ends, figures that must agree with the files, and
 * what is said about each kind of damage, word by word. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sqlite3.h>

#include "store/index.h"
#include "store/journal.h"
#include "tests/store/fixture.h"

static void must_say(const Rig *rig, const char *words) {
    if (rig_said(rig, words) != 1)
        fail_msg("\"%s\" is %u times in:\n%s", words, rig_said(rig, words), rig->lines);
}

/* --- Opening ---------------------------------------------------------------------------------- */

static void a_setup_has_its_bounds(void **state) {
    Rig *rig = *state;
    static const struct {
        uint32_t segment;
        uint64_t queue;
        bool opens;
    } all[] = {{1023, 1, false},        {1024, 1, true},
               {256 << 20, 1, true},    {(256 << 20) + 1, 1, false},
               {1024, 512 << 20, true}, {1024, (512 << 20) + 1, false}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        rig->setup.segment_bytes = all[i].segment;
        rig->setup.queue_bytes_max = all[i].queue;
        assert_int_equal(rig_open(rig), all[i].opens);
        rig_close(rig);
    }
    StoreSetup usual = store_setup("x");
    assert_true(usual.group_ms == 5 && usual.matches_max == 100000 && usual.query_ms == 2000);
    assert_true(usual.queue_bytes_max == 64 << 20 && usual.segment_bytes == 16 << 20);
    assert_true(usual.reserve_bytes == STORE_RESERVE_USUAL && !usual.announce_before_sync);
}

/* The longest folder works in every part of the store; a longer one is refused. */
static void a_folder_has_a_longest_name(void **state) {
    Rig *rig = *state;
    char place[800], folder[600];
    size_t length = strlen(rig->folder);
    memcpy(folder, rig->folder, length + 1);
    for (size_t longest = 240; longest <= 480; longest += 240) {
        folder[length] = '/';
        memset(folder + length + 1, 'd', longest - length - 1);
        folder[longest] = '\0';
        length = longest;
        assert_int_equal(mkdir(folder, 0700), 0);
    }
    MashText problem = text_over(rig->problem, sizeof rig->problem);
    for (int more = 0; more < 2; more++) {
        snprintf(place, sizeof place, "embedded:%s%s", folder, more ? "/" : "");
        rig->setup.place = place;
        rig->setup.owner = rig;
        rig->store = store_open(&rig->setup, &problem);
        assert_int_equal(rig->store != NULL, !more);
        if (more)
            assert_non_null(strstr(rig->problem, "or a very long one"));
        else
            rig_finish(rig, rig_append(rig, 1, 1));
        rig_close(rig);
    }
}

/* The lock names the process that holds it, whatever was in it before. */
static void the_lock_names_its_holder(void **state) {
    Rig *rig = *state;
    static const struct {
        const char *lock, *holder;
    } all[] = {{"1234\n", " (process 1234); each"},
               {"12 4", " (process 12); each"},
               {"x1", "server; each"},
               {"", "server; each"}};
    char memory[512], number[32];
    rig_write(rig, "lock", "12345678901234567890\n", 21);
    rig_must_open(rig);
    size_t count;
    char *lock = (char *)rig_read(rig, "lock", &count);
    assert_non_null(lock);
    assert_int_equal(count, snprintf(number, sizeof number, "%ld\n", (long)getpid()));
    assert_memory_equal(lock, number, count);
    free(lock);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        MashText problem = text_over(memory, sizeof memory);
        rig_write(rig, "lock", all[i].lock, strlen(all[i].lock));
        assert_null(store_open(&rig->setup, &problem));
        if (strstr(memory, all[i].holder) == NULL)
            fail_msg("%s", memory);
    }
}

/* --- Figures ---------------------------------------------------------------------------------- */

/* The figures agree with the files of the journal. */
static void check_figures(const Rig *rig) {
    char command[256];
    uint64_t files = 0, bytes = 0, last = 0;
    StoreStats figures = store_stats(rig->store);
    snprintf(command, sizeof command, "find %s/journal -printf '%%f %%s\\n'", rig->folder);
    FILE *list = popen(command, "r"); /* NOLINT */
    assert_non_null(list);
    char name[64];
    unsigned long size;
    while (fscanf(list, "%63s %lu", name, &size) == 2) { /* NOLINT */
        if (!text_ends_with(name, ".journal"))
            continue;
        uint64_t number = strtoul(name, NULL, 16);
        files++;
        bytes += size;
        last = number > last ? number : last;
    }
    pclose(list);
    assert_int_equal(figures.segments, files);
    assert_int_equal(figures.journal_bytes, bytes);
    assert_int_equal(figures.segments + figures.removed, last);
}

static void figures_agree_with_the_files(void **state) {
    Rig *rig = *state;
    uint32_t records[8] = {0};
    rig->setup.segment_bytes = 1024;
    rig_must_open(rig);
    check_figures(rig);
    for (uint32_t round = 1; round <= 8; round++) {
        for (uint32_t i = 0; i < 5; i++) {
            uint32_t match = 1 + (round * 3 + i * i) % 7;
            rig_append(rig, match, ++records[match]);
        }
        store_step(rig->store);
        check_figures(rig);
    }
    assert_int_equal(store_stats(rig->store).records, 40);
    for (uint64_t match = 1; match <= 6; match++) {
        rig_finish(rig, match);
        store_step(rig->store);
        store_step(rig->store);
        check_figures(rig);
        StoreStats figures = store_stats(rig->store);
        assert_true(figures.finished == match && figures.matches == 7 - match);
    }
    assert_true(store_stats(rig->store).removed > 0);
}

/* Eight small segments are worth a merge, seven are not. */
static void eight_small_segments_are_merged(void **state) {
    Rig *rig = *state;
    for (uint32_t i = 1; i <= 9; i++) {
        rig_must_open(rig);
        store_step(rig->store);
        assert_int_equal(rig_count(rig, ".journal"), i <= 8 ? i : 2);
        rig_append(rig, i, 1);
        rig_close(rig);
    }
}

/* A segment that cannot be removed is reported once, and removed later. */
static void a_segment_that_cannot_be_removed(void **state) {
    Rig *rig = *state;
    rig->setup.segment_bytes = 1024;
    rig_must_open(rig);
    for (uint64_t time = 1; time <= 2; time++) {
        for (uint32_t i = 1; i <= 30; i++) {
            rig_append(rig, time, i);
            store_step(rig->store);
        }
        assert_true(rig_count(rig, ".journal") > 1);
        rig->disk.removes_fail = 3;
        rig_finish(rig, time);
        for (int i = 0; i < 3; i++) {
            store_step(rig->store);
            assert_int_equal(rig_said(rig, "cannot remove "), time);
        }
        store_step(rig->store);
        assert_int_equal(rig_count(rig, ".journal"), 1);
        assert_null(store_progress(rig->store).failure);
    }
}

/* A journal that can start no new segment grows to 16 times its usual size, then it fails. */
static void a_segment_grows_no_further(void **state) {
    Rig *rig = *state;
    rig->setup.segment_bytes = 1024;
    rig->disk.error = ENOSPC;
    rig_must_open(rig);
    rig->disk.fails_at = ".new";
    StoreRecord record = {.match = 1, .bytes = "twelve bytes", .count = 12};
    uint64_t ticket, fits = (16 * 1024 - JOURNAL_HEAD_BYTES) / (JOURNAL_RECORD_BYTES + 12);
    for (uint64_t i = 1; i <= fits; i++) {
        assert_int_equal(store_append(rig->store, &record, &ticket), STORE_OK);
        store_step(rig->store);
        assert_int_equal(store_progress(rig->store).appended, i);
    }
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_OK);
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).appended, fits);
    assert_non_null(strstr(store_progress(rig->store).failure, "cannot create "));
    rig->disk.fails_at = NULL;
}

/* --- The archive ------------------------------------------------------------------------------ */

/* An archive that cannot be written is reported the first time, then when the longest wait has been
 * reached, and once when it can be written again; a single failure that passes is not. */
static void an_archive_that_fails_is_not_a_flood_of_words(void **state) {
    Rig *rig = *state;
    rig_must_open(rig);
    rig->disk.fails_at = "/archive/2";
    rig_finish(rig, 1);
    for (uint32_t step = 1; step <= 12; step++) {
        store_step(rig->store);
        assert_int_equal(rig_said(rig, "will be archived later"), step < 10 ? 1 : step - 8);
    }
    assert_int_equal(store_stats(rig->store).archive_failures, 12);
    rig->disk.fails_at = NULL;
    for (uint64_t match = 2; match <= 4; match++) {
        store_step(rig->store);
        must_say(rig, "the archive can be written again");
        rig_finish(rig, match);
        rig->disk.fails_at = match == 2 ? "/archive/2" : NULL;
        store_step(rig->store);
        rig->disk.fails_at = NULL;
    }
    assert_int_equal(store_stats(rig->store).finished, 4);
}

static void finish(Rig *rig, uint64_t match, size_t count) {
    static char file[2 * INDEX_BLOCK];
    StoreEntry entry = rig_entry(match);
    uint64_t ticket;
    assert_int_equal(store_finish(rig->store, &entry, file, count, &ticket), STORE_OK);
}

/* What files take is counted in blocks, when they are first counted and when they come and go. */
static void files_take_whole_blocks(void **state) {
    Rig *rig = *state;
    static const size_t sizes[] = {0, 1, INDEX_BLOCK - 1, INDEX_BLOCK, INDEX_BLOCK + 1};
    StorePrune much = {.bytes_max = 1 << 30};
    rig_must_open(rig);
    for (uint64_t time = 0; time < 2; time++) { /* counted first, then one by one */
        for (uint64_t i = 0; i < 5; i++)
            finish(rig, 10 * time + i + 1, sizes[i]);
        store_step(rig->store);
        store_prune(rig->store, &much);
        store_step(rig->store);
        assert_int_equal(store_stats(rig->store).archive_bytes, (time + 1) * 5 * INDEX_BLOCK);
    }
    StorePrune some = {.before_ms = rig_entry(3).ended_ms}; /* 1 and 2: no block, and one */
    store_prune(rig->store, &some);
    store_step(rig->store);
    assert_int_equal(store_stats(rig->store).archive_bytes, 9 * INDEX_BLOCK);
    assert_int_equal(store_stats(rig->store).pruned, 2);
}

/* The folder of the month that is being written stays, also when it is empty; a file that is gone
 * already is no problem. */
static void a_pruned_month_can_be_written_again(void **state) {
    Rig *rig = *state;
    StorePrune all = {.before_ms = UINT64_MAX};
    char path[160];
    rig_must_open(rig);
    for (int time = 0; time < 2; time++) {
        rig_finish(rig, 1);
        rig_finish(rig, 2);
        store_step(rig->store);
        assert_true(rig_archived(rig, 1) && rig_archived(rig, 2));
        snprintf(path, sizeof path, "%s/archive/2023/11/0000000000000001.json", rig->folder);
        assert_int_equal(unlink(path), 0);
        store_prune(rig->store, &all);
        store_step(rig->store);
        assert_int_equal(store_stats(rig->store).pruned, 2 * time + 2);
    }
    assert_string_equal(rig->lines, "");
}

/* The folders of a month are made and synced once, not for each match. */
static void the_folders_of_a_month_are_made_once(void **state) {
    Rig *rig = *state;
    uint64_t operations[4];
    rig_must_open(rig);
    for (uint64_t match = 1; match <= 4; match++) { /* 1, 2 and 4 in one month, 3 in another */
        uint64_t before = rig->disk.all;
        rig_finish(rig, match == 3 ? 100 : match);
        store_step(rig->store);
        operations[match - 1] = rig->disk.all - before;
    }
    assert_true(operations[1] < operations[0]);
    assert_int_equal(operations[2], operations[0]);
    assert_int_equal(operations[3], operations[0]); /* only the last one is remembered */
}

/* Two requests to prune are both fulfilled. */
static void prunings_add_up(void **state) {
    Rig *rig = *state;
    rig_must_open(rig);
    for (uint64_t match = 1; match <= 10; match++)
        rig_finish(rig, match);
    store_step(rig->store);
    store_prune(rig->store, &(StorePrune){.before_ms = rig_entry(4).ended_ms});
    store_prune(rig->store, &(StorePrune){.before_ms = rig_entry(2).ended_ms});
    store_step(rig->store);
    assert_int_equal(store_stats(rig->store).pruned, 3);
    store_prune(rig->store, &(StorePrune){.bytes_max = 5 * INDEX_BLOCK});
    store_prune(rig->store, &(StorePrune){.bytes_max = 6 * INDEX_BLOCK});
    store_step(rig->store);
    assert_int_equal(store_stats(rig->store).pruned, 5);
    store_prune(rig->store, &(StorePrune){.bytes_max = 4 * INDEX_BLOCK});
    store_prune(rig->store, &(StorePrune){.bytes_max = 3 * INDEX_BLOCK});
    store_step(rig->store);
    assert_int_equal(store_stats(rig->store).pruned, 7);
    store_step(rig->store);
    assert_int_equal(store_stats(rig->store).pruned, 7);
}

static void run_sql(const Rig *rig, const char *sql) {
    char path[128];
    sqlite3 *base;
    snprintf(path, sizeof path, "%s/index.sqlite", rig->folder);
    assert_int_equal(sqlite3_open(path, &base), SQLITE_OK);
    assert_int_equal(sqlite3_exec(base, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(base);
}

/* Tables of the index that another program took away: each question is answered with a failure and
 * says what it could not do; what is not archived stays open, also after opening again. */
static void an_index_without_its_tables_is_told(void **state) {
    Rig *rig = *state;
    StoreEntry entries[2];
    RigFound found[2];
    uint32_t count;
    char file[64];
    size_t bytes;
    rig_must_open(rig);
    rig_append(rig, 1, 1);
    rig_finish(rig, 1);
    store_step(rig->store);
    assert_true(rig_archived(rig, 1));
    rig_append(rig, 2, 1);
    store_step(rig->store);
    run_sql(rig, "ALTER TABLE players RENAME TO gone");
    assert_int_equal(store_archive_list(rig->store, &(StoreFilter){0}, entries, 2, &count),
                     STORE_FAILED);
    must_say(rig, "cannot read the index: no such table: players");
    run_sql(rig, "ALTER TABLE matches RENAME TO gone_too");
    assert_int_equal(store_archive_list(rig->store, &(StoreFilter){0}, entries, 2, &count),
                     STORE_FAILED);
    assert_int_equal(count, 0);
    must_say(rig, "cannot read the index: no such table: matches");
    assert_int_equal(store_archive_read(rig->store, 1, file, sizeof file, &bytes), STORE_FAILED);
    assert_int_equal(bytes, 0);
    assert_int_equal(rig_said(rig, "cannot read the index: no such table: matches"), 2);
    store_prune(rig->store, &(StorePrune){.before_ms = STORE_TIME_MAX_MS});
    store_step(rig->store);
    assert_int_equal(rig_said(rig, "cannot read the index: no such table: matches"), 3);
    assert_int_equal(store_stats(rig->store).pruned, 0);
    store_prune(rig->store, &(StorePrune){.bytes_max = 1});
    store_step(rig->store); /* it is told once */
    assert_int_equal(rig_said(rig, "cannot read the index: no such table: matches"), 3);
    rig_finish(rig, 2);
    store_step(rig->store);
    assert_int_equal(store_progress(rig->store).finished, 1);
    assert_int_equal(store_stats(rig->store).archive_failures, 1);
    run_sql(rig, "ALTER TABLE gone RENAME TO players; ALTER TABLE gone_too RENAME TO matches");
    rig_close(rig);
    rig_must_open(rig);
    assert_true(rig_archived(rig, 1));
    uint32_t open = rig_found(rig, found, 2); /* or it was archived by the last step */
    assert_true(open == 1 ? found[0].match == 2 && found[0].right : rig_archived(rig, 2));
}

/* What other programs wrote into the index is cut to its bounds, or is not found. */
static void an_index_is_not_trusted(void **state) {
    Rig *rig = *state;
    StoreEntry entries[4];
    uint32_t count;
    char file[64];
    size_t bytes;
    rig_must_open(rig);
    for (uint64_t match = 1; match <= 3; match++)
        rig_finish(rig, match);
    store_step(rig->store);
    run_sql(rig, "UPDATE matches SET started_ms = -5000 WHERE id = 1;"
                 "UPDATE matches SET started_ms = 253402300799999 WHERE id = 2;"
                 "UPDATE matches SET started_ms = 253402300800000 WHERE id = 3;"
                 "UPDATE matches SET game = printf('%.100c', 'g'), reason = printf('%.100c', 'r'),"
                 " bytes = -1;"
                 "UPDATE players SET name = printf('%.100c', 'n'), role = printf('%.100c', 'o');"
                 "INSERT INTO players SELECT match, seat + 2, 'n', 'o', ended_ms, game, 0 FROM"
                 " players; INSERT INTO players SELECT match, 4, 'n', 'o', ended_ms, game, 0 FROM"
                 " players WHERE seat = 0;");
    assert_int_equal(store_archive_list(rig->store, &(StoreFilter){0}, entries, 4, &count),
                     STORE_OK);
    assert_int_equal(count, 3);
    assert_string_equal(entries[2].file, "");
    assert_string_equal(entries[1].file, "9999/12/0000000000000002.json");
    assert_string_equal(entries[0].file, "");
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(strlen(entries[i].game), STORE_GAME_BYTES - 1);
        assert_int_equal(strlen(entries[i].reason), STORE_REASON_BYTES - 1);
        assert_int_equal(entries[i].players_count, STORE_PLAYERS_MAX);
        assert_int_equal(strlen(entries[i].players[0].name), STORE_NAME_BYTES - 1);
        assert_int_equal(strlen(entries[i].players[1].role), STORE_ROLE_BYTES - 1);
        assert_string_equal(entries[i].players[3].name, "n");
        assert_int_equal(entries[i].bytes, 0);
    }
    assert_int_equal(store_archive_read(rig->store, 1, file, 64, &bytes), STORE_UNKNOWN);
    assert_int_equal(store_archive_read(rig->store, 2, file, 64, &bytes), STORE_FAILED);
    assert_int_equal(store_archive_read(rig->store, 3, file, 64, &bytes), STORE_UNKNOWN);
    store_prune(rig->store, &(StorePrune){.before_ms = UINT64_MAX, .bytes_max = 1});
    store_step(rig->store);
    store_step(rig->store);
    assert_int_equal(store_stats(rig->store).pruned, 3);
}

/* Pages go on behind any entry, also behind one of 1970. */
static void pages_begin_anywhere(void **state) {
    Rig *rig = *state;
    StoreEntry entry, found;
    uint32_t count, all = 0;
    uint64_t ticket;
    rig_must_open(rig);
    for (uint64_t match = 1; match <= 4; match++) {
        entry = rig_entry(match);
        entry.started_ms = 0;
        entry.ended_ms = match <= 2 ? 0 : 5;
        assert_int_equal(store_finish(rig->store, &entry, "", 0, &ticket), STORE_OK);
    }
    store_step(rig->store);
    StoreFilter filter = {0};
    while (store_archive_list(rig->store, &filter, &found, 1, &count) == STORE_OK && count > 0) {
        assert_int_equal(found.match, 4 - all++);
        filter.after_ms = found.ended_ms;
        filter.after = found.match;
    }
    assert_int_equal(all, 4);
    static const struct {
        StoreFilter filter;
        uint32_t count;
    } bounds[] = {{{.to_ms = 4}, 2},
                  {{.to_ms = 5}, 4},
                  {{.to_ms = UINT64_MAX}, 4},
                  {{.from_ms = 5}, 2},
                  {{.from_ms = 6}, 0},
                  {{.from_ms = UINT64_MAX}, 0},
                  {{.to_ms = 5, .after_ms = 5, .after = 4}, 3},
                  {{.to_ms = 4, .after_ms = 5, .after = 4}, 2},
                  {{.to_ms = 6, .after_ms = 5, .after = 3}, 2}};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        StoreEntry entries[4];
        assert_int_equal(store_archive_list(rig->store, &bounds[i].filter, entries, 4, &count),
                         STORE_OK);
        if (count != bounds[i].count)
            fail_msg("%zu: %u instead of %u", i, count, bounds[i].count);
    }
}

/* --- Damage ----------------------------------------------------------------------------------- */

/* A journal of one segment with the records of two matches in turn, each a group of its own, and
 * where each is. */
enum { RECORDS = 40 };
static uint8_t *segment_of(Rig *rig, size_t *count, JournalRecord records[RECORDS]) {
    JournalReader reader;
    JournalDamage damage;
    rig_must_open(rig);
    for (uint32_t i = 0; i < RECORDS; i++) {
        rig_append(rig, 1 + i % 2, 1 + i / 2);
        store_step(rig->store);
    }
    rig_close(rig);
    uint8_t *bytes = rig_read(rig, "journal/00000001.journal", count);
    assert_non_null(bytes);
    assert_int_equal(journal_open(&reader, bytes, *count), JOURNAL_HEAD_GOOD);
    for (uint32_t i = 0; i < RECORDS; i++)
        assert_int_equal(journal_next(&reader, &records[i], &damage), JOURNAL_RECORD);
    return bytes;
}

/* The first record from `from` on that has a payload. */
static uint32_t with_payload(const JournalRecord records[RECORDS], uint32_t from) {
    while (records[from].count == 0)
        from++;
    return from;
}

/* Eight stretches of damage are reported one by one, the others are counted. */
static void much_damage_is_counted(void **state) {
    Rig *rig = *state;
    for (uint32_t stretches = 7; stretches <= 11; stretches++) {
        size_t count;
        JournalRecord records[RECORDS];
        char words[128];
        uint8_t *bytes = segment_of(rig, &count, records);
        for (uint32_t i = 0; i < stretches; i++)
            bytes[records[3 * i].at] ^= 1;
        rig_write(rig, "journal/00000001.journal", bytes, count);
        rig_must_open(rig);
        assert_int_equal(rig_said(rig, "content unknown"), stretches < 8 ? stretches : 8);
        snprintf(words, sizeof words, "journal 00000001: %u more stretches are damaged\n",
                 stretches - 8);
        assert_int_equal(rig_said(rig, words), stretches > 8);
        assert_int_equal(rig_said(rig, "more stretches"), stretches > 8);
        RigFound found[3];
        assert_int_equal(rig_found(rig, found, 3), 2);
        assert_int_equal(found[0].records + found[1].records, RECORDS - stretches);
        rig_close(rig);
        rig_empty(rig);
        free(bytes);
    }
}

/* What is lost is said with its numbers, in the middle of a match and at its end. */
static void losses_have_their_numbers(void **state) {
    Rig *rig = *state;
    JournalRecord records[RECORDS];
    size_t count;
    char words[160];
    uint8_t *bytes = segment_of(rig, &count, records);
    uint32_t one = with_payload(records, 7);
    size_t at = records[one].at, length = JOURNAL_RECORD_BYTES + records[one].count;
    bytes[at + JOURNAL_RECORD_BYTES] ^= 1;
    rig_write(rig, "journal/00000001.journal", bytes, count);
    rig_must_open(rig);
    uint64_t match = records[one].match;
    snprintf(words, sizeof words,
             "journal 00000001: %zu bytes are damaged from byte %zu on; they were record %u of "
             "match %016x\n",
             length, at, records[one].sequence, (unsigned)match);
    must_say(rig, words);
    snprintf(words, sizeof words, "match %016x: records %u to %u are lost\n", (unsigned)match,
             records[one].sequence, records[one].sequence);
    must_say(rig, words);
    must_say(rig, "journal 00000001: the damaged file is kept as 00000001.damaged\n");
    assert_int_equal(rig->lines_count, 3);
    rig_close(rig);
    rig_empty(rig);
    free(bytes);

    bytes = segment_of(rig, &count, records); /* the last of its match, not of the journal */
    assert_true(records[RECORDS - 2].count > 0);
    bytes[records[RECORDS - 2].at + JOURNAL_RECORD_BYTES] ^= 1;
    rig_write(rig, "journal/00000001.journal", bytes, count);
    rig_must_open(rig);
    must_say(rig, "match 0000000000000001: records 20 to 20 are lost\n");
    RigFound found[3];
    assert_int_equal(rig_found(rig, found, 3), 2);
    assert_true(found[0].health == STORE_BROKEN && found[0].last == 19 && found[0].gapless);
    assert_true(found[1].health == STORE_WHOLE && found[1].records == 20);
    free(bytes);
}

/* A torn write is said with where and how much. */
static void a_torn_write_is_measured(void **state) {
    Rig *rig = *state;
    JournalRecord records[RECORDS];
    size_t count;
    char words[128];
    uint8_t *bytes = segment_of(rig, &count, records);
    size_t at = records[RECORDS - 1].at;
    for (size_t cut = at + 1; cut < count; cut += 13) {
        rig_empty(rig);
        rig_must_open(rig);
        rig_close(rig);
        rig_write(rig, "journal/00000001.journal", bytes, cut);
        rig_must_open(rig);
        snprintf(words, sizeof words,
                 "journal 00000001: incomplete last write at offset %zu: %zu bytes are removed\n",
                 at, cut - at);
        assert_string_equal(rig->lines, words);
        rig_close(rig);
    }
    free(bytes);
}

/* A file with the number of another is read, and reported. */
static void a_renamed_segment_is_reported(void **state) {
    Rig *rig = *state;
    JournalRecord records[RECORDS];
    size_t count;
    char from[160], to[160];
    free(segment_of(rig, &count, records));
    snprintf(from, sizeof from, "%s/journal/00000001.journal", rig->folder);
    snprintf(to, sizeof to, "%s/journal/00000007.journal", rig->folder);
    assert_int_equal(rename(from, to), 0);
    rig_write(rig, "journal/0000000.journal", "not a segment", 13);
    rig_write(rig, "journal/00000009.journals", "nor this", 8);
    rig_write(rig, "journal/00000009.new", "this is left over", 17);
    rig_must_open(rig);
    assert_string_equal(rig->lines, "journal 00000007: its head says that it is number 00000001\n");
    RigFound found[3];
    assert_int_equal(rig_found(rig, found, 3), 2);
    assert_true(found[0].records == RECORDS / 2 && found[1].records == RECORDS / 2);
    assert_int_equal(rig_count(rig, ".new"), 0);
    assert_int_equal(rig_count(rig, "0000000.journal") + rig_count(rig, ".journals"), 2);
    rig_close(rig);
    rig_must_open(rig); /* rewritten with its number */
    assert_string_equal(rig->lines, "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_set_up, rig_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_setup_has_its_bounds),
        TEST(a_folder_has_a_longest_name),
        TEST(the_lock_names_its_holder),
        TEST(figures_agree_with_the_files),
        TEST(eight_small_segments_are_merged),
        TEST(a_segment_that_cannot_be_removed),
        TEST(a_segment_grows_no_further),
        TEST(an_archive_that_fails_is_not_a_flood_of_words),
        TEST(files_take_whole_blocks),
        TEST(a_pruned_month_can_be_written_again),
        TEST(the_folders_of_a_month_are_made_once),
        TEST(prunings_add_up),
        TEST(an_index_without_its_tables_is_told),
        TEST(an_index_is_not_trusted),
        TEST(pages_begin_anywhere),
        TEST(much_damage_is_counted),
        TEST(losses_have_their_numbers),
        TEST(a_torn_write_is_measured),
        TEST(a_renamed_segment_is_reported),
    };
    return cmocka_run_group_tests_name("store_edges", tests, NULL, NULL);
}
