/* test_store_kinds.c -- what every kind of store promises (store/backend.h), shown by the same
 * tests over the embedded store and over a real PostgreSQL, with their threads, as the server uses
 * them. The tests of what only one of them has are in the other files. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/store/both_kinds.h"

enum { FOUND_MAX = 400 };

/* Closes and opens the store. */
static void again(Rig *rig) {
    rig_close(rig);
    if (!rig_open(rig))
        fail_msg("%s", rig->problem);
}

/* --- The journal ------------------------------------------------------------------------------ */

static void records_come_back(Rig *rig) {
    RigFound found[FOUND_MAX];
    uint64_t ticket = 0;
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 0);
    for (uint32_t sequence = 1; sequence <= 5; sequence++)
        for (uint64_t match = 101; match <= 103; match++) {
            uint64_t next = rig_append(rig, match, sequence);
            assert_true(next == ++ticket);
        }
    rig_wait(rig, ticket, 0);
    assert_true(store_may_tell(rig->store));
    again(rig);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(found[i].match == 101 + i && found[i].records == 5 && found[i].right &&
                    found[i].gapless && found[i].health == STORE_WHOLE);
    ticket = rig_append(rig, 102, 6); /* it goes on where it was */
    assert_true(ticket == 1);
    rig_wait(rig, 1, 0);
    again(rig);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 3);
    assert_true(found[1].records == 6 && found[1].gapless && found[1].right);
}

static void any_bytes_and_lengths_are_records(Rig *rig) {
    static const uint32_t lengths[] = {0, 1, 2, 255, 4096, 70000, 3 << 20};
    enum { COUNT = sizeof lengths / sizeof *lengths };
    uint8_t *bytes = malloc(lengths[COUNT - 1]);
    uint64_t ticket = 0;
    assert_non_null(bytes);
    for (uint32_t i = 0; i < lengths[COUNT - 1]; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 251);
    for (uint32_t i = 0; i < COUNT; i++) {
        StoreRecord record = {.match = UINT64_C(0xfedcba9876543210),
                              .time_ms = UINT64_MAX - i,
                              .kind = (uint16_t)(i == 0 ? 0 : STORE_KINDS - i),
                              .count = lengths[i],
                              .bytes = bytes};
        assert_int_equal(store_append(rig->store, &record, &ticket), STORE_OK);
    }
    StoreRecord long_one = {.match = 1, .count = STORE_RECORD_BYTES_MAX + 1U, .bytes = bytes};
    assert_int_equal(store_append(rig->store, &long_one, &ticket), STORE_TOO_LONG);
    rig_wait(rig, ticket, 0);
    again(rig);
    StoreMatch match;
    StoreRecord record;
    assert_true(store_next_match(rig->store, &match));
    assert_true(match.match == UINT64_C(0xfedcba9876543210) && match.records == COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_true(store_next_record(rig->store, &record));
        assert_true(record.sequence == i + 1 && record.count == lengths[i] &&
                    record.time_ms == UINT64_MAX - i &&
                    record.kind == (i == 0 ? 0 : STORE_KINDS - i));
        assert_memory_equal(record.bytes, bytes, lengths[i]);
    }
    assert_false(store_next_record(rig->store, &record));
    assert_false(store_next_match(rig->store, &match));
    free(bytes);
}

static void a_full_queue_is_an_answer(Rig *rig) {
    uint8_t bytes[4000] = {1};
    StoreRecord record = {.match = 5, .count = sizeof bytes, .bytes = bytes};
    uint64_t ticket = 0, accepted = 0;
    StoreStatus status = STORE_OK;
    rig_close(rig);
    rig->setup.queue_bytes_max = 64 << 10;
    rig->setup.group_ms = 200;
    both_open(rig, false);
    uint64_t began = rig_now_ms();
    for (int i = 0; i < 1000 && status == STORE_OK; i++) {
        status = store_append(rig->store, &record, &ticket);
        accepted += status == STORE_OK;
    }
    /* on a busy machine a group may be written meanwhile, which makes room for as many again */
    uint64_t groups = (rig_now_ms() - began) / rig->setup.group_ms + 1;
    assert_int_equal(status, STORE_FULL);
    assert_true(accepted >= 8 && accepted <= 34 * groups && ticket == accepted);
    assert_true(store_stats(rig->store).full == 1);
    rig_wait(rig, ticket, 0);
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_OK);
    assert_true(ticket == accepted + 1);
}

static void too_many_matches_are_full(Rig *rig) {
    uint64_t ticket;
    rig_close(rig);
    rig->setup.matches_max = 3;
    both_open(rig, false);
    for (uint64_t match = 1; match <= 3; match++)
        rig_append(rig, match, 1);
    StoreRecord record = {.match = 4};
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_FULL);
    rig_append(rig, 2, 2); /* those that are open go on */
    rig_finish(rig, 1);
    rig_wait(rig, 4, 1);
    for (int i = 0; i < 3000 && store_stats(rig->store).matches == 3; i++)
        rig_pause_ms(1);
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_OK);
}

/* --- The end of a match ----------------------------------------------------------------------- */

static void a_finished_match_is_archived_and_gone(Rig *rig) {
    RigFound found[FOUND_MAX];
    uint64_t ticket;
    for (uint64_t match = 1; match <= 3; match++)
        for (uint32_t sequence = 1; sequence <= 3; sequence++)
            rig_append(rig, match, sequence);
    rig_finish(rig, 2);
    StoreRecord late = {.match = 2};
    StoreStatus status = store_append(rig->store, &late, &ticket);
    assert_int_equal(status, STORE_FINISHED);
    rig_wait(rig, 9, 1);
    assert_true(rig_archived(rig, 2) && !rig_archived(rig, 1) && !rig_archived(rig, 3));
    again(rig);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 2);
    assert_true(found[0].match == 1 && found[1].match == 3 && found[1].records == 3);
    assert_true(rig_archived(rig, 2));
}

static void finishing_again_is_harmless(Rig *rig) {
    char bytes[] = "another file";
    size_t count = 0;
    uint64_t ticket = 0;
    rig_append(rig, 7, 1);
    rig_finish(rig, 7);
    rig_wait(rig, 1, 1);
    StoreEntry entry = rig_entry(7);
    assert_int_equal(store_finish(rig->store, &entry, bytes, sizeof bytes, &ticket), STORE_OK);
    assert_true(ticket == 2);
    rig_wait(rig, 1, 2);
    assert_true(rig_archived(rig, 7)); /* with the first file */
    assert_int_equal(store_archive_read(rig->store, 8, bytes, sizeof bytes, &count), STORE_UNKNOWN);
}

static void a_match_can_be_forgotten(Rig *rig) {
    RigFound found[FOUND_MAX];
    rig_append(rig, 1, 1);
    uint64_t ticket = rig_append(rig, 2, 1);
    rig_wait(rig, ticket, 0);
    store_forget(rig->store, 1, 1000);
    store_forget(rig->store, 99, 1000); /* was never there */
    again(rig);
    assert_int_equal(rig_found(rig, found, FOUND_MAX), 1);
    assert_true(found[0].match == 2);
    assert_false(rig_archived(rig, 1));
}

static void files_are_read_whole_or_not(Rig *rig) {
    char bytes[64];
    size_t count = 0;
    uint64_t ticket;
    StoreEntry entry = rig_entry(5);
    rig_append(rig, 5, 1);
    assert_int_equal(store_finish(rig->store, &entry, "0123456789", 10, &ticket), STORE_OK);
    entry.match = 6;
    assert_int_equal(store_finish(rig->store, &entry, "", 0, &ticket), STORE_OK);
    assert_int_equal(store_finish(rig->store, &entry, bytes, STORE_FILE_BYTES_MAX + 1U, &ticket),
                     STORE_TOO_LONG);
    rig_wait(rig, 1, 2);
    assert_int_equal(store_archive_read(rig->store, 5, NULL, 0, &count), STORE_TOO_LONG);
    assert_true(count == 10);
    assert_int_equal(store_archive_read(rig->store, 5, bytes, 9, &count), STORE_TOO_LONG);
    assert_int_equal(store_archive_read(rig->store, 5, bytes, 10, &count), STORE_OK);
    assert_memory_equal(bytes, "0123456789", 10);
    assert_int_equal(store_archive_read(rig->store, 6, bytes, 10, &count), STORE_OK);
    assert_true(count == 0);
}

/* Finishes a match of these values. */
static void finish(Rig *rig, uint64_t match, uint64_t ended_ms, const char *game, const char *name,
                   const char *other, bool is_private) {
    uint64_t ticket;
    StoreEntry entry = {.match = match,
                        .started_ms = ended_ms / 2,
                        .ended_ms = ended_ms,
                        .players_count = 2,
                        .winner = match % 3 == 0 ? STORE_NOBODY : (int32_t)(match % 2),
                        .actions = (uint32_t)match,
                        .is_private = is_private};
    snprintf(entry.game, sizeof entry.game, "%s", game);
    snprintf(entry.reason, sizeof entry.reason, "reason %u", (unsigned)match);
    snprintf(entry.players[0].name, STORE_NAME_BYTES, "%s", name);
    snprintf(entry.players[1].name, STORE_NAME_BYTES, "%s", other);
    snprintf(entry.players[0].role, STORE_ROLE_BYTES, "person");
    snprintf(entry.players[1].role, STORE_ROLE_BYTES, "ai");
    assert_int_equal(store_finish(rig->store, &entry, "file", 4, &ticket), STORE_OK);
}

/* The list of this filter must be these matches, in this order; 0 ends them. */
static void list_is(Rig *rig, const StoreFilter *filter, const uint64_t *matches) {
    StoreEntry entries[16];
    uint32_t count = 99, i = 0;
    assert_int_equal(store_archive_list(rig->store, filter, entries, 16, &count), STORE_OK);
    for (; matches[i] != 0; i++) {
        assert_true(i < count);
        assert_true(entries[i].match == matches[i]);
    }
    assert_true(count == i);
}

#define LIST_IS(rig, filter, ...)                                                                  \
    list_is(rig, &(StoreFilter){filter}, (const uint64_t[]){__VA_ARGS__})

static void the_archive_lists_by_game_player_and_time(Rig *rig) {
    finish(rig, 1, 1000, "chess", "Ann", "Bob", false);
    finish(rig, 2, 2000, "chess", "ann", "Zo\xc3\xab \xff", false);
    finish(rig, 3, 3000, "go", "Bob", "ANN", false);
    finish(rig, 4, 3000, "go", "Bob", "Bob", false);
    finish(rig, 5, 4000, "go", "Ann", "Bob", true);
    rig_wait(rig, 0, 5);
    LIST_IS(rig, .game = NULL, 4, 3, 2, 1, 0);
    LIST_IS(rig, .game = "go", 4, 3, 0);
    LIST_IS(rig, .player = "aNN", 3, 2, 1, 0);
    LIST_IS(rig, .player = "bob", 4, 3, 1, 0);
    LIST_IS(rig, .player = "Zo\xc3\xab \xff", 2, 0);
    LIST_IS(rig, .player = "zo", 0);
    list_is(rig, &(StoreFilter){.game = "chess", .player = "ann"}, (const uint64_t[]){2, 1, 0});
    list_is(rig, &(StoreFilter){.from_ms = 2000, .to_ms = 3000}, (const uint64_t[]){4, 3, 2, 0});
    list_is(rig, &(StoreFilter){.to_ms = 2999}, (const uint64_t[]){2, 1, 0});
    list_is(rig, &(StoreFilter){.after_ms = 3000, .after = 4}, (const uint64_t[]){3, 2, 1, 0});
    list_is(rig, &(StoreFilter){.after_ms = 3000, .after = 3, .player = "ann"},
            (const uint64_t[]){2, 1, 0});
    StoreEntry entry;
    uint32_t count;
    StoreFilter second = {.after_ms = 3000, .after = 3};
    assert_int_equal(store_archive_list(rig->store, &second, &entry, 1, &count), STORE_OK);
    assert_true(count == 1 && entry.match == 2 && entry.started_ms == 1000 &&
                entry.ended_ms == 2000 && entry.winner == 0 && entry.actions == 2 &&
                entry.bytes == 4 && !entry.is_private && entry.players_count == 2);
    assert_string_equal(entry.game, "chess");
    assert_string_equal(entry.reason, "reason 2");
    assert_string_equal(entry.players[0].name, "ann");
    assert_string_equal(entry.players[1].name, "Zo\xc3\xab \xff");
    assert_string_equal(entry.players[1].role, "ai");
}

static void the_oldest_are_pruned(Rig *rig) {
    size_t count;
    for (uint64_t match = 1; match <= 6; match++)
        finish(rig, match, match * 1000, "go", "Ann", "Bob", match == 2);
    rig_append(rig, 50, 1);
    rig_wait(rig, 1, 6);
    store_prune(rig->store, &(StorePrune){.before_ms = 3000});
    for (int i = 0; i < 20000 && store_stats(rig->store).pruned < 2; i++)
        rig_pause_ms(1);
    LIST_IS(rig, .game = NULL, 6, 5, 4, 3, 0);
    assert_int_equal(store_archive_read(rig->store, 2, NULL, 0, &count), STORE_UNKNOWN);
    assert_true(store_stats(rig->store).matches == 1);
}

/* The pages of this size are these entries. */
static void pages_are(Rig *rig, StoreFilter filter, uint32_t size, const StoreEntry *all,
                      uint32_t count) {
    StoreEntry page[4];
    uint32_t at = 0, found;
    do {
        assert_int_equal(store_archive_list(rig->store, &filter, page, size, &found), STORE_OK);
        for (uint32_t k = 0; k < found; k++, at++)
            assert_true(at < count && page[k].match == all[at].match);
        filter.after_ms = found == 0 ? 0 : page[found - 1].ended_ms;
        filter.after = found == 0 ? 0 : page[found - 1].match;
    } while (found == size);
    assert_int_equal(at, count);
}

/* Pages of any size, one behind the other, are the whole list. */
static void pages_are_the_whole_list(Rig *rig) {
    enum { MATCHES = 12 };
    static const StoreFilter filters[] = {
        {0},
        {.game = "go"},
        {.player = "ann"},
        {.game = "go", .player = "ann"},
        {.from_ms = 2000, .to_ms = 4000},
        {.from_ms = 2000, .to_ms = 4000, .game = "chess", .player = "bob"}};
    for (uint64_t match = 1; match <= MATCHES; match++) /* three end at the same time */
        finish(rig, match, (match + 2) / 3 * 1000, match % 2 == 0 ? "go" : "chess",
               match % 4 == 0 ? "Eve" : "Ann", "Bob", match == 7);
    rig_wait(rig, 0, MATCHES);
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        StoreEntry all[MATCHES];
        uint32_t count;
        assert_int_equal(store_archive_list(rig->store, &filters[i], all, MATCHES, &count),
                         STORE_OK);
        assert_true(count >= 2 && count < MATCHES);
        for (uint32_t size = 1; size < 5; size++)
            pages_are(rig, filters[i], size, all, count);
    }
}

/* More than one statement or one step takes: all are archived, and counted; then all but the
 * newest few are pruned, by their age, and by the room that is left for them. */
static void many_are_archived_and_pruned(Rig *rig) {
    enum { MATCHES = 150, LEFT = 80, SMALL = 5 };
    uint64_t ticket = 0;
    size_t count;
    uint64_t each =
        strncmp(rig->place, "embedded", 8) == 0 ? 4096 : 4; /* files take whole blocks */
    for (uint64_t match = 1; match <= MATCHES; match++) {
        ticket = rig_append(rig, match, 1);
        finish(rig, match, match * 1000, "go", "Ann", "Bob", false);
    }
    rig_wait(rig, ticket, MATCHES);
    WAIT_FOR(store_stats(rig->store).matches == 0 && store_stats(rig->store).queue_bytes == 0);
    StoreStats stats = store_stats(rig->store);
    assert_true(stats.records == MATCHES && stats.finished == MATCHES && stats.finishing == 0);
    assert_true(stats.groups >= 1 && stats.groups <= MATCHES && stats.full == 0);
    assert_true(stats.archive_failures == 0 && stats.pruned == 0);
    store_prune(rig->store, &(StorePrune){.before_ms = (MATCHES - LEFT + 1) * 1000});
    WAIT_FOR(store_stats(rig->store).pruned == MATCHES - LEFT);
    rig_pause_ms(30);
    assert_true(store_stats(rig->store).pruned == MATCHES - LEFT);
    assert_int_equal(store_archive_read(rig->store, MATCHES - LEFT, NULL, 0, &count),
                     STORE_UNKNOWN);
    assert_int_equal(store_archive_read(rig->store, MATCHES - LEFT + 1, NULL, 0, &count),
                     STORE_TOO_LONG);
    store_prune(rig->store, &(StorePrune){.bytes_max = SMALL * each});
    WAIT_FOR(store_stats(rig->store).pruned == MATCHES - SMALL);
    WAIT_FOR(store_stats(rig->store).archive_bytes == SMALL * each);
    LIST_IS(rig, .game = NULL, 150, 149, 148, 147, 146, 0);
    store_prune(rig->store, &(StorePrune){.bytes_max = SMALL * each}); /* that is not too much */
    rig_pause_ms(30);
    LIST_IS(rig, .game = NULL, 150, 149, 148, 147, 146, 0);
}

/* While nobody wants anything, the threads of a store sleep. */
static void a_store_that_waits_does_nothing(Rig *rig) {
    struct timespec before, after;
    uint64_t ticket = rig_append(rig, 1, 1);
    rig_finish(rig, 1);
    rig_wait(rig, ticket, 1);
    rig_pause_ms(50);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    rig_pause_ms(400);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    int64_t used_us =
        (int64_t)(after.tv_sec - before.tv_sec) * 1000000 + (after.tv_nsec - before.tv_nsec) / 1000;
    if (used_us > 60000)
        fail_msg("in 400 ms without work the store used %d us of the processor", (int)used_us);
}

/* --- Faults that every kind survives ---------------------------------------------------------- */

/* What a child does until it is killed: it appends to several matches, finishes some, and says over
 * a pipe what was announced. */
static void work(Rig *rig, int out) {
    for (uint64_t match = 1;; match++) {
        uint64_t ticket = 0;
        for (uint32_t sequence = 1; sequence <= 4; sequence++)
            ticket = rig_append(rig, match, sequence);
        rig_wait(rig, ticket, 0);
        if (write(out, &match, sizeof match) != sizeof match)
            _exit(0);
        if (match % 3 == 0)
            rig_finish(rig, match);
    }
}

static void what_was_announced_outlives_a_kill(Rig *rig) {
    RigFound found[FOUND_MAX];
    int ends[2];
    uint64_t match = 0, last = 0;
    rig_close(rig);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        if (!rig_open(rig))
            _exit(1);
        work(rig, ends[1]);
    }
    close(ends[1]);
    while (last < 20 && read(ends[0], &match, sizeof match) == sizeof match)
        last = match;
    kill(child, SIGKILL);
    while (read(ends[0], &match, sizeof match) == sizeof match)
        last = match;
    close(ends[0]);
    waitpid(child, NULL, 0);
    assert_true(last >= 20);
    both_open(rig, false);
    uint32_t count = rig_found(rig, found, FOUND_MAX);
    for (match = 1; match <= last; match++) {
        uint32_t i = 0;
        while (i < count && found[i].match != match)
            i++;
        bool open = i < count && found[i].records == 4 && found[i].right && found[i].gapless;
        assert_true(open != rig_archived(rig, match));
        assert_true(open || match % 3 == 0);
    }
    for (uint32_t i = 0; i < count; i++)
        assert_true(found[i].right && found[i].gapless && found[i].health == STORE_WHOLE);
}

/* --- Each test over each kind ----------------------------------------------------------------- */

EACH(records_come_back)
EACH(any_bytes_and_lengths_are_records)
EACH(a_full_queue_is_an_answer)
EACH(too_many_matches_are_full)
EACH(a_finished_match_is_archived_and_gone)
EACH(finishing_again_is_harmless)
EACH(a_match_can_be_forgotten)
EACH(files_are_read_whole_or_not)
EACH(the_archive_lists_by_game_player_and_time)
EACH(the_oldest_are_pruned)
EACH(pages_are_the_whole_list)
EACH(many_are_archived_and_pruned)
EACH(a_store_that_waits_does_nothing)
EACH(what_was_announced_outlives_a_kill)

int main(void) {
    const struct CMUnitTest tests[] = {
        TESTS(records_come_back),
        TESTS(any_bytes_and_lengths_are_records),
        TESTS(a_full_queue_is_an_answer),
        TESTS(too_many_matches_are_full),
        TESTS(a_finished_match_is_archived_and_gone),
        TESTS(finishing_again_is_harmless),
        TESTS(a_match_can_be_forgotten),
        TESTS(files_are_read_whole_or_not),
        TESTS(the_archive_lists_by_game_player_and_time),
        TESTS(the_oldest_are_pruned),
        TESTS(pages_are_the_whole_list),
        TESTS(many_are_archived_and_pruned),
        TESTS(a_store_that_waits_does_nothing),
        TESTS(what_was_announced_outlives_a_kill),
    };
    both_begin();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    both_end();
    return failed;
}
