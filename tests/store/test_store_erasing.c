/* test_store_erasing.c -- names of deleted accounts are noted where they stand in the archive, and
 * taken out of index and file, in every kind of store; also when the process is killed meanwhile.
 * MASH_KILLS is the number of kills (30). */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/chance.h"
#include "store/account_backend.h"
#include "store/relations.h"
#include "store/resting.h"
#include "tests/store/both_kinds.h"

enum {
    NAMES_MAX = 64,
    FILE_MAX = 256,
    KILLS = 30,
    MATCHES = 12,
    WAIT_MAX_US = 40000,
    WORK_MAX_US = 3000
};

/* --- What the tests share --------------------------------------------------------------------- */

/* Closes and opens again: what was done is durable. */
static void again(Rig *rig) {
    rig_close(rig);
    rig_must_open(rig);
}

/* A key whose bytes follow from a number. */
static void hash_of(uint64_t number, uint8_t hash[STORE_HASH_BYTES]) {
    memset(hash, 0, STORE_HASH_BYTES);
    memcpy(hash, &number, sizeof number);
}

/* An account whose name follows from its id; its owner, if it is a program. */
static void make(Rig *rig, uint64_t id, uint64_t owner) {
    uint8_t key[STORE_HASH_BYTES];
    StoreAccount account = {.id = id, .made_ms = 1};
    snprintf(account.name, sizeof account.name, "Name %d", (int)id);
    snprintf(account.folded, sizeof account.folded, "name%d", (int)id);
    hash_of(id, key);
    assert_int_equal(owner == 0 ? store_account_make(rig->store, &account, key)
                                : store_bot_make(rig->store, &account, owner, key),
                     STORE_OK);
}

/* The file of a match of two accounts; the names of those that are 0 are gone. */
static size_t file_of(uint64_t match, uint64_t first, uint64_t second, char out[FILE_MAX]) {
    char names[2][STORE_NAME_BYTES];
    uint64_t ids[] = {first, second};
    for (int i = 0; i < 2; i++)
        snprintf(names[i], sizeof names[i], ids[i] == 0 ? STORE_ERASED_NAME : "Name %d",
                 (int)ids[i]);
    return (size_t)snprintf(out, FILE_MAX, "{\"match\":%d,\"players\":[\"%s\",\"%s\"]}", (int)match,
                            names[0], names[1]);
}

/* How many matches an account has at the pace of these tests. */
static uint32_t expected_of(Rig *rig, uint64_t account) {
    static StoreRating list[STORE_RATINGS_MAX];
    uint32_t count = 0;
    assert_int_equal(store_ratings(rig->store, account, list, &count), STORE_OK);
    return count == 0 ? 0 : list[0].matches;
}

/* Counts a match for two accounts; which of them are gone. */
static void count_match(Rig *rig, uint64_t match, uint64_t first, uint64_t second, bool gone[2]) {
    StoreCount count = {.match = match, .ended_ms = RIG_TIME_MS + match, .pace = 1};
    uint64_t ids[] = {first, second};
    snprintf(count.game, sizeof count.game, "zorde");
    for (int i = 0; i < 2; i++)
        count.seats[i] =
            (StoreSeat){.account = ids[i], .result = 1, .expected = expected_of(rig, ids[i])};
    assert_int_equal(store_count(rig->store, &count), STORE_OK);
    for (int i = 0; i < 2; i++)
        gone[i] = count.seats[i].gone;
}

/* Archives a match of two accounts. */
static void finish(Rig *rig, uint64_t match, uint64_t first, uint64_t second) {
    char file[FILE_MAX];
    uint64_t ticket, ids[] = {first, second};
    StoreEntry entry = rig_entry(match);
    for (int i = 0; i < 2; i++)
        snprintf(entry.players[i].name, sizeof entry.players[i].name,
                 ids[i] == 0 ? STORE_ERASED_NAME : "Name %d", (int)ids[i]);
    size_t count = file_of(match, first, second, file);
    assert_int_equal(store_finish(rig->store, &entry, file, count, &ticket), STORE_OK);
    rig_wait(rig, 0, ticket);
}

/* Plays a match of two accounts: it is open, counted, and in the archive. */
static void play(Rig *rig, uint64_t match, uint64_t first, uint64_t second) {
    bool gone[2];
    rig_wait(rig, rig_append(rig, match, 1), 0);
    count_match(rig, match, first, second, gone);
    assert_false(gone[0] || gone[1]);
    finish(rig, match, first, second);
}

/* Is this the file of the match, with these names? */
static bool has_file(Rig *rig, uint64_t match, uint64_t first, uint64_t second) {
    char right[FILE_MAX], found[FILE_MAX];
    size_t count = 0, wanted = file_of(match, first, second, right);
    return store_archive_read(rig->store, match, found, sizeof found, &count) == STORE_OK &&
           count == wanted && memcmp(found, right, count) == 0;
}

/* How many matches a list finds by a name; NULL: all. The names of the first of them. */
static uint32_t listed(Rig *rig, const char *name, StoreEntry *first) {
    StoreEntry entries[NAMES_MAX];
    StoreFilter filter = {.player = name};
    uint32_t count = 0;
    assert_int_equal(store_archive_list(rig->store, &filter, entries, NAMES_MAX, &count), STORE_OK);
    if (first != NULL && count > 0)
        *first = entries[0];
    return count;
}

/* All names that are still to be taken out. */
static uint32_t noted(Rig *rig, StoreErased list[NAMES_MAX]) {
    uint32_t count = 0;
    assert_int_equal(store_erased(rig->store, NULL, UINT64_MAX, list, NAMES_MAX, &count), STORE_OK);
    return count;
}

/* Is the name of a match among these? */
static bool is_noted(const StoreErased *list, uint32_t count, uint64_t match) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i].match == match)
            return true;
    return false;
}

/* Takes all names out that may be, of matches of these two accounts; of account 1 and its programs
 * they go. How many matches. */
static uint32_t erase_all(Rig *rig, uint64_t other) {
    StoreErased list[NAMES_MAX];
    uint32_t count = noted(rig, list), done = 0;
    for (uint32_t i = 0; i < count; i++) {
        char file[FILE_MAX];
        uint64_t version;
        if (store_erasable(rig->store, list[i].match, &version) != STORE_OK)
            continue;
        bool first = list[i].seat == 0;
        size_t bytes = file_of(list[i].match, first ? 0 : other, first ? other : 0, file);
        assert_int_equal(
            store_erase(rig->store, list[i].match, version, &list[i].seat, 1, file, bytes),
            STORE_OK);
        done++;
    }
    store_erase_done(rig->store);
    return done;
}

/* --- The notes -------------------------------------------------------------------------------- */

static void names_are_taken_out_of_index_and_file(Rig *rig) {
    StoreErased list[NAMES_MAX], after;
    StoreEntry entry;
    uint32_t count;
    make(rig, 1, 0);
    make(rig, 2, 0);
    play(rig, 11, 1, 2);
    play(rig, 12, 2, 1);
    assert_int_equal(noted(rig, list), 0);
    assert_int_equal(listed(rig, "name 1", NULL), 2);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    again(rig);
    assert_int_equal(noted(rig, list), 2);
    assert_true(list[0].match == 11 && list[0].seat == 0 && list[1].match == 12 &&
                list[1].seat == 1);
    after = list[0];
    assert_int_equal(store_erased(rig->store, &after, 11, list, NAMES_MAX, &count), STORE_OK);
    assert_int_equal(count, 0);
    assert_int_equal(store_erased(rig->store, &after, 12, list, NAMES_MAX, &count), STORE_OK);
    assert_true(count == 1 && list[0].match == 12);
    assert_true(has_file(rig, 11, 1, 2));
    assert_int_equal(erase_all(rig, 2), 2);
    for (int round = 0; round < 2; round++) {
        assert_true(has_file(rig, 11, 0, 2) && has_file(rig, 12, 2, 0));
        assert_int_equal(noted(rig, list), 0);
        assert_int_equal(listed(rig, "name 1", NULL), 0);
        assert_int_equal(listed(rig, STORE_ERASED_NAME, NULL), 0);
        assert_int_equal(listed(rig, "name 2", NULL), 2);
        assert_int_equal(listed(rig, NULL, &entry), 2);
        assert_string_equal(entry.players[0].name, "Name 2");
        assert_string_equal(entry.players[1].name, STORE_ERASED_NAME);
        assert_string_equal(entry.players[1].role, "ai");
        assert_int_equal(entry.bytes, strlen("{\"match\":12,\"players\":[\"Name 2\","
                                             "\"deleted player\"]}"));
        again(rig);
    }
}

static void both_players_may_go(Rig *rig) {
    uint64_t version;
    StoreErased list[NAMES_MAX];
    StoreEntry entry;
    char file[FILE_MAX];
    uint32_t seats[] = {0, 1};
    make(rig, 1, 0);
    make(rig, 2, 0);
    play(rig, 11, 1, 2);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    assert_int_equal(rig_delete_account(rig, 2), STORE_OK);
    assert_int_equal(noted(rig, list), 2);
    assert_int_equal(store_erasable(rig->store, 11, &version), STORE_OK);
    size_t bytes = file_of(11, 0, 0, file);
    assert_int_equal(store_erase(rig->store, 11, version, seats, 2, file, bytes), STORE_OK);
    assert_int_equal(noted(rig, list), 0);
    assert_true(has_file(rig, 11, 0, 0));
    assert_int_equal(listed(rig, NULL, &entry), 1);
    assert_string_equal(entry.players[0].name, STORE_ERASED_NAME);
    assert_string_equal(entry.players[1].name, STORE_ERASED_NAME);
    assert_int_equal(listed(rig, STORE_ERASED_NAME, NULL), 0);
}

/* Two players of one name: the list shows the match for the one who still has it. */
static void a_name_of_both_seats_stays_for_one(Rig *rig) {
    char file[FILE_MAX];
    uint32_t seat = 0;
    uint64_t version;
    make(rig, 1, 0);
    rig_wait(rig, rig_append(rig, 11, 1), 0);
    assert_int_equal(store_named(rig->store, 1, 11, 0), STORE_OK);
    finish(rig, 11, 1, 1);
    assert_int_equal(listed(rig, "Name 1", NULL), 1);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    assert_int_equal(store_erasable(rig->store, 11, &version), STORE_OK);
    size_t bytes = file_of(11, 0, 1, file);
    assert_int_equal(store_erase(rig->store, 11, version, &seat, 1, file, bytes), STORE_OK);
    assert_int_equal(listed(rig, "Name 1", NULL), 1);
}

static void a_match_that_is_open_waits(Rig *rig) {
    StoreErased list[NAMES_MAX];
    uint64_t version;
    bool gone[2];
    make(rig, 1, 0);
    make(rig, 2, 0);
    rig_wait(rig, rig_append(rig, 11, 1), 0);
    count_match(rig, 11, 1, 2, gone);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    assert_int_equal(store_erasable(rig->store, 11, &version), STORE_BUSY);
    assert_int_equal(erase_all(rig, 2), 0);
    assert_int_equal(noted(rig, list), 1);
    finish(rig, 11, 1, 2);
    assert_int_equal(erase_all(rig, 2), 1);
    assert_true(has_file(rig, 11, 0, 2));
}

static void a_match_over_days_waits(Rig *rig) {
    StoreErased list[NAMES_MAX];
    StoreDays row = {.match = 11, .session = 77, .days = 3, .accounts = {1, 2}, .awaited = 1};
    uint64_t version;
    bool gone[2];
    make(rig, 1, 0);
    make(rig, 2, 0);
    snprintf(row.game, sizeof row.game, "zorde");
    rig_wait(rig, rig_append(rig, 77, 1), 0);
    assert_int_equal(store_days_put(rig->store, &row), STORE_OK);
    count_match(rig, 11, 1, 2, gone);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    assert_int_equal(store_erasable(rig->store, 11, &version), STORE_BUSY);
    assert_int_equal(noted(rig, list), 1);
    finish(rig, 11, 1, 2);
    assert_int_equal(store_days_drop(rig->store, 11, 77), STORE_OK);
    assert_int_equal(erase_all(rig, 2), 1);
    assert_true(has_file(rig, 11, 0, 2));
    store_forget(rig->store, 77, RIG_TIME_MS);
}

static void a_match_that_never_comes_is_forgotten(Rig *rig) {
    StoreErased list[NAMES_MAX];
    uint64_t version;
    bool gone[2];
    make(rig, 1, 0);
    make(rig, 2, 0);
    count_match(rig, 11, 1, 2, gone);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    assert_int_equal(noted(rig, list), 1);
    assert_int_equal(store_erasable(rig->store, 11, &version), STORE_UNKNOWN);
    assert_int_equal(noted(rig, list), 0);
}

/* Counted after the account was deleted: whoever archives it is told. */
static void who_is_gone_is_said_when_a_match_is_counted(Rig *rig) {
    StoreErased list[NAMES_MAX];
    bool gone[2];
    make(rig, 1, 0);
    make(rig, 2, 0);
    count_match(rig, 10, 1, 2, gone);
    assert_false(gone[0] || gone[1]);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    count_match(rig, 11, 2, 1, gone);
    assert_true(!gone[0] && gone[1]);
    count_match(rig, 11, 2, 1, gone); /* again, and of a match that was counted before */
    assert_true(!gone[0] && gone[1]);
    count_match(rig, 10, 1, 2, gone);
    assert_true(gone[0] && !gone[1]);
    count_match(rig, 12, 0, 1, gone);
    assert_true(!gone[0] && gone[1]);
    assert_int_equal(noted(rig, list), 1);
    assert_int_equal(list[0].match, 10);
}

static void other_names_are_noted_too(Rig *rig) {
    StoreErased list[NAMES_MAX];
    make(rig, 1, 0);
    assert_int_equal(store_named(rig->store, 1, 20, 300), STORE_OK);
    assert_int_equal(store_named(rig->store, 1, 20, 300), STORE_OK);
    assert_int_equal(store_named(rig->store, 1, 20, 7), STORE_OK);
    assert_int_equal(store_named(rig->store, 2, 20, 8), STORE_UNKNOWN);
    assert_int_equal(noted(rig, list), 0);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    again(rig);
    assert_int_equal(noted(rig, list), 2);
    assert_true(list[0].match == 20 && list[0].seat == 7 && list[1].seat == 300);
    assert_int_equal(store_named(rig->store, 1, 21, 0), STORE_UNKNOWN);
    assert_int_equal(noted(rig, list), 2);
}

/* --- Accounts that go together ---------------------------------------------------------------- */

static void programs_go_with_their_owner(Rig *rig) {
    StoreErased list[NAMES_MAX];
    StoreGone gone[4];
    StoreAccount found;
    StoreKeyKind kind;
    uint8_t key[STORE_HASH_BYTES];
    uint64_t ids[STORE_GONE_MAX];
    uint32_t count;
    make(rig, 1, 0);
    make(rig, 2, 0);
    make(rig, 5, 1);
    make(rig, 6, 2);
    play(rig, 11, 5, 2);
    assert_int_equal(store_account_delete(rig->store, 1, 50, ids, &count), STORE_OK);
    assert_int_equal(count, 2);
    assert_true(ids[0] + ids[1] == 6 && (ids[0] == 1 || ids[1] == 1));
    assert_int_equal(store_account_delete(rig->store, 1, 60, ids, &count), STORE_OK);
    assert_int_equal(count, 2); /* who asks again, because the answer was lost */
    again(rig);
    hash_of(5, key);
    assert_int_equal(store_account_of_key(rig->store, key, 1, &found, &kind), STORE_UNKNOWN);
    assert_int_equal(store_account_named(rig->store, "name5", &found), STORE_UNKNOWN);
    hash_of(6, key);
    assert_int_equal(store_account_of_key(rig->store, key, 1, &found, &kind), STORE_OK);
    assert_int_equal(noted(rig, list), 1);
    assert_true(list[0].match == 11 && list[0].seat == 0);
    assert_int_equal(store_gone(rig->store, &(StoreGone){0}, gone, 4, &count), STORE_OK);
    assert_int_equal(count, 2);
    assert_true(gone[0].account == 1 && gone[1].account == 5 && gone[1].at_ms == 50);
    assert_int_equal(store_gone(rig->store, &gone[0], gone, 4, &count), STORE_OK);
    assert_true(count == 1 && gone[0].account == 5);
    StoreAccount bot = {.id = 9, .name = "late", .folded = "late"};
    assert_int_equal(store_bot_make(rig->store, &bot, 1, key), STORE_TAKEN); /* of nobody */
}

static void who_is_gone_for_long_is_forgotten(Rig *rig) {
    uint64_t day_ms = 86400000, ids[STORE_GONE_MAX];
    StoreGone gone[4];
    uint32_t count;
    make(rig, 1, 0);
    make(rig, 2, 0);
    make(rig, 3, 0);
    assert_int_equal(store_account_delete(rig->store, 1, day_ms, ids, &count), STORE_OK);
    assert_int_equal(
        store_account_delete(rig->store, 2, (STORE_GONE_DAYS + 1) * day_ms, ids, &count), STORE_OK);
    assert_int_equal(store_gone(rig->store, &(StoreGone){0}, gone, 4, &count), STORE_OK);
    assert_true(count == 2 && gone[0].account == 1);
    assert_int_equal(
        store_account_delete(rig->store, 3, (STORE_GONE_DAYS + 1) * day_ms + 1, ids, &count),
        STORE_OK);
    assert_int_equal(store_gone(rig->store, &(StoreGone){0}, gone, 4, &count), STORE_OK);
    assert_true(count == 2 && gone[0].account == 2 && gone[1].account == 3);
}

/* --- One kind --------------------------------------------------------------------------------- */

/* Two nodes take names out of one match: the one that has read the older file does nothing. */
static void no_other_change_is_undone_postgres(void **state) {
    Rig *rig = *state;
    char file[FILE_MAX];
    uint64_t before, version;
    uint32_t seats[] = {0, 1};
    StoreErased list[NAMES_MAX];
    both_open(rig, true);
    make(rig, 1, 0);
    make(rig, 2, 0);
    play(rig, 11, 1, 2);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    assert_int_equal(store_erasable(rig->store, 11, &before), STORE_OK);
    assert_int_equal(rig_delete_account(rig, 2), STORE_OK);
    assert_int_equal(store_erasable(rig->store, 11, &version), STORE_OK);
    size_t bytes = file_of(11, 1, 0, file);
    assert_int_equal(store_erase(rig->store, 11, version, &seats[1], 1, file, bytes), STORE_OK);
    bytes = file_of(11, 0, 2, file);
    assert_int_equal(store_erase(rig->store, 11, before, seats, 1, file, bytes), STORE_CONFLICT);
    assert_true(has_file(rig, 11, 1, 0));
    assert_int_equal(noted(rig, list), 1);
    assert_int_equal(store_erasable(rig->store, 11, &version), STORE_OK);
    bytes = file_of(11, 0, 0, file);
    assert_int_equal(store_erase(rig->store, 11, version, seats, 1, file, bytes), STORE_OK);
    assert_true(has_file(rig, 11, 0, 0));
}

/* Neither index nor its log nor a match file has the name any more, also while the store is open.
 */
static void a_name_is_not_on_the_disk_embedded(void **state) {
    Rig *rig = *state;
    char command[256];
    both_open(rig, false);
    make(rig, 1, 0);
    make(rig, 2, 0);
    for (uint64_t match = 1; match <= MATCHES; match++)
        play(rig, match, match % 2 == 0 ? 1 : 2, match % 2 == 0 ? 2 : 1);
    snprintf(command, sizeof command, "grep -raqiF 'name 1' '%s'", rig->folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    assert_int_equal(erase_all(rig, 2), MATCHES);
    assert_int_not_equal(system(command), 0);
}

/* A copy that is made while names are taken out: what the index that was copied may still have is
 * noted in the copy. */
static void a_copy_takes_them_out_again_embedded(void **state) {
    Rig *rig = *state, copy;
    StoreErased list[NAMES_MAX];
    StoreBackupStats stats;
    AccountNames names;
    char players[256], target[256];
    MashText problem = text_over(rig->problem, sizeof rig->problem);
    rig_init(&copy);
    rig->descriptors = copy.descriptors = 0;
    both_open(rig, false);
    make(rig, 1, 0);
    make(rig, 2, 0);
    play(rig, 11, 1, 2);
    snprintf(players, sizeof players, "%s/players.sqlite", rig->folder);
    snprintf(target, sizeof target, "%s/players.sqlite", copy.folder);
    assert_true(account_file_names(players, &names, &problem));
    assert_true(names.gone == 0 && names.count == 0);
    free(names.list);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    assert_true(account_file_names(players, &names, &problem)); /* as before the index is copied */
    assert_true(names.gone != 0 && names.count == 1 && names.list[0].match == 11);
    assert_true(store_backup(rig->folder, copy.folder, &stats, &problem));
    assert_int_equal(erase_all(rig, 2), 1);
    rig_must_open(&copy);
    assert_int_equal(noted(&copy, list), 1);
    assert_int_equal(erase_all(&copy, 2), 1);
    assert_int_equal(noted(&copy, list), 0);
    rig_close(&copy);
    assert_true(account_file_note(target, &names, &problem)); /* as if it was done in between */
    rig_must_open(&copy);
    assert_int_equal(noted(&copy, list), 1);
    assert_true(has_file(&copy, 11, 0, 2));
    free(names.list);
    rig_release(&copy);
}

/* What a thread of the next test does: deletes the account and takes its names out. */
typedef struct Deletion {
    Rig *rig;
    uint64_t who;
} Deletion;

static void *delete_and_erase(void *owner) {
    Deletion *deletion = owner;
    assert_int_equal(rig_delete_account(deletion->rig, deletion->who), STORE_OK);
    erase_all(deletion->rig, 2);
    return NULL;
}

/* In a copy that knows the account as deleted, each name of it is gone or noted, however the
 * copying and the work fell together. True: it knows that. */
static bool copy_is_whole(Rig *copy, uint64_t who, uint64_t before) {
    StoreErased list[NAMES_MAX];
    StoreAccount found;
    StoreEntry entries[NAMES_MAX];
    char name[STORE_NAME_BYTES];
    StoreFilter filter = {.player = name};
    uint32_t count = noted(copy, list), listed_count = 0;
    if (store_account_find(copy->store, who, &found) == STORE_OK)
        return false;
    snprintf(name, sizeof name, "Name %d", (int)who);
    assert_int_equal(store_archive_list(copy->store, &filter, entries, NAMES_MAX, &listed_count),
                     STORE_OK);
    for (uint32_t i = 0; i < listed_count; i++)
        assert_true(is_noted(list, count, entries[i].match));
    for (uint64_t match = before + 1; match <= before + MATCHES; match++)
        assert_true(has_file(copy, match, 0, 2) || is_noted(list, count, match));
    return true;
}

static void copies_made_meanwhile_are_whole_embedded(void **state) {
    enum { ROUNDS = 40 };
    Rig *rig = *state, copy;
    StoreBackupStats stats;
    uint32_t knowing = 0;
    both_open(rig, false);
    make(rig, 2, 0);
    rig->descriptors = 0;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        Deletion deletion = {rig, 10 + i};
        pthread_t thread;
        MashText problem = text_over(rig->problem, sizeof rig->problem);
        make(rig, deletion.who, 0);
        for (uint64_t match = 1; match <= MATCHES; match++)
            play(rig, 100 * (uint64_t)i + match, deletion.who, 2);
        rig_init(&copy);
        copy.descriptors = 0;
        assert_int_equal(pthread_create(&thread, NULL, delete_and_erase, &deletion), 0);
        rig_pause_ms(i % 4);
        bool copied = store_backup(rig->folder, copy.folder, &stats, &problem);
        pthread_join(thread, NULL);
        if (!copied)
            fail_msg("%s", rig->problem);
        rig_must_open(&copy);
        knowing += copy_is_whole(&copy, deletion.who, 100 * (uint64_t)i);
        rig_release(&copy);
    }
    print_message("%u copies, %u of them know of it\n", ROUNDS, knowing);
}

/* --- Kills ------------------------------------------------------------------------------------ */

/* Deletes an account, says so, and takes its names out. */
static void child(Rig *rig, uint64_t who, int out) {
    if (!rig_open(rig))
        _exit(3);
    if (rig_delete_account(rig, who) != STORE_OK || write(out, "d", 1) != 1)
        _exit(4);
    erase_all(rig, 2);
    if (write(out, "e", 1) != 1)
        _exit(5);
    for (;;)
        pause();
}

/* Runs the child and kills it after this time, counted from its beginning or (`begins`) from its
 * first word; or it is gone at a place of its own. What it has said. */
static void run_and_kill(Rig *rig, uint64_t who, long us, bool begins, const char *fault,
                         char said[3]) {
    int ends[2], status;
    ssize_t count = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        close(ends[0]);
        if (fault != NULL)
            setenv("MASH_FAULT", fault, 1);
        child(rig, who, ends[1]);
    }
    close(ends[1]);
    if (fault == NULL && begins && read(ends[0], said, 1) == 1)
        count = 1;
    if (fault == NULL) {
        nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL);
        kill(process, SIGKILL);
    }
    for (ssize_t got = 1; got > 0 && count < 2; count += got)
        got = read(ends[0], said + count, (size_t)(2 - count));
    said[count] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* All or nothing: the account is there with its matches; or it is gone, and each of them has lost
 * the name or is noted. True: it is gone; how many are noted. */
static bool is_gone(Rig *rig, uint64_t who, uint64_t before, uint32_t *count) {
    StoreErased list[NAMES_MAX];
    StoreAccount found;
    StorePlayed played[MATCHES + 1];
    StorePlayedFilter filter = {.account = who, .pace = -1};
    uint32_t matches = 0;
    bool there = store_account_find(rig->store, who, &found) == STORE_OK;
    *count = noted(rig, list);
    assert_int_equal(store_played(rig->store, &filter, played, MATCHES + 1, &matches), STORE_OK);
    assert_int_equal(matches, there ? MATCHES : 0);
    assert_true(!there || *count == 0);
    for (uint64_t match = before + 1; match <= before + MATCHES; match++) {
        bool old = has_file(rig, match, who, 2), fresh = has_file(rig, match, 0, 2);
        assert_true(old != fresh);
        assert_true(there ? old : fresh || is_noted(list, *count, match));
    }
    return !there;
}

/* Kills a process that deletes an account, again and again, and looks at what is left of it. */
static void kill_some(Rig *rig, const char *const *faults, uint32_t faults_count) {
    const char *setting = getenv("MASH_KILLS");
    uint32_t kills = setting == NULL ? KILLS : (uint32_t)strtoul(setting, NULL, 10);
    uint32_t halfway = 0, left;
    MashChance chance = chance_sampled(7);
    make(rig, 2, 0);
    for (uint32_t i = 0; i < kills + faults_count; i++) {
        char said[3], name[STORE_NAME_BYTES];
        const char *fault = i < faults_count ? faults[i] : NULL;
        uint64_t who = 10 + i, before = 100 * (uint64_t)i;
        make(rig, who, 0);
        for (uint64_t match = before + 1; match <= before + MATCHES; match++)
            play(rig, match, who, 2);
        rig_close(rig);
        bool begins = i % 2 == 0;
        run_and_kill(rig, who, (long)chance_below(&chance, begins ? WORK_MAX_US : WAIT_MAX_US),
                     begins, fault, said);
        rig_must_open(rig);
        bool gone = is_gone(rig, who, before, &left);
        assert_true(gone || said[0] == '\0');       /* what was acknowledged never comes undone */
        assert_true(strlen(said) < 2 || left == 0); /* nor does what was taken out */
        assert_true(fault == NULL || (gone && left > 0));
        halfway += gone && left > 0;
        if (!gone)
            assert_int_equal(rig_delete_account(rig, who), STORE_OK);
        erase_all(rig, 2);
        assert_true(is_gone(rig, who, before, &left) && left == 0);
        snprintf(name, sizeof name, "Name %d", (int)who);
        assert_int_equal(listed(rig, name, NULL), 0);
    }
    print_message("%u kills, %u of them halfway\n", kills + faults_count, halfway);
}

#ifdef MASH_FAULTS
enum { FAULTS = 4 };
#else
enum { FAULTS = 0 };
#endif

static void nothing_comes_undone_by_a_kill_embedded(void **state) {
    static const char *const faults[] = {"erased_file:1", "erased_match:1", "erased_file:5",
                                         "erased_match:12"};
    both_open(*state, false);
    kill_some(*state, faults, FAULTS);
}

static void nothing_comes_undone_by_a_kill_postgres(void **state) {
    static const char *const faults[] = {"before_erase:1", "after_erase:1", "before_erase:5",
                                         "before_erase:12"};
    both_open(*state, true);
    kill_some(*state, faults, FAULTS);
}

/* --- Each test over each kind ----------------------------------------------------------------- */

EACH(names_are_taken_out_of_index_and_file)
EACH(both_players_may_go)
EACH(a_name_of_both_seats_stays_for_one)
EACH(a_match_that_is_open_waits)
EACH(a_match_over_days_waits)
EACH(a_match_that_never_comes_is_forgotten)
EACH(who_is_gone_is_said_when_a_match_is_counted)
EACH(other_names_are_noted_too)
EACH(programs_go_with_their_owner)
EACH(who_is_gone_for_long_is_forgotten)

/* One that is for one kind only. */
#define ONE(test, kind) cmocka_unit_test_setup_teardown(test##_##kind, both_##kind, both_release)

int main(void) {
    const struct CMUnitTest tests[] = {
        TESTS(names_are_taken_out_of_index_and_file),
        TESTS(both_players_may_go),
        TESTS(a_name_of_both_seats_stays_for_one),
        TESTS(a_match_that_is_open_waits),
        TESTS(a_match_over_days_waits),
        TESTS(a_match_that_never_comes_is_forgotten),
        TESTS(who_is_gone_is_said_when_a_match_is_counted),
        TESTS(other_names_are_noted_too),
        TESTS(programs_go_with_their_owner),
        TESTS(who_is_gone_for_long_is_forgotten),
        ONE(no_other_change_is_undone, postgres),
        ONE(a_name_is_not_on_the_disk, embedded),
        ONE(a_copy_takes_them_out_again, embedded),
        ONE(copies_made_meanwhile_are_whole, embedded),
        ONE(nothing_comes_undone_by_a_kill, embedded),
        ONE(nothing_comes_undone_by_a_kill, postgres),
    };
    both_begin();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    both_end();
    return failed;
}
