/* test_store_days.c -- matches over days that rest on the disk, and vacations, by the same tests
 * over the embedded store and over a real PostgreSQL. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/relations.h"
#include "store/resting.h"
#include "tests/store/both_kinds.h"

#define DAY_MS UINT64_C(86400000)
#define NOW_MS UINT64_C(1700000000000)

/* An account whose name follows from its id. */
static void make(Rig *rig, uint64_t id) {
    StoreAccount account = {.id = id, .made_ms = NOW_MS};
    uint8_t key[STORE_HASH_BYTES] = {(uint8_t)id};
    snprintf(account.name, sizeof account.name, "Player %d", (int)id);
    snprintf(account.folded, sizeof account.folded, "player%d", (int)id);
    assert_int_equal(store_account_make(rig->store, &account, key), STORE_OK);
}

/* A match of three days a turn that has just begun: accounts 1 and 2, the first one's turn. */
static StoreDays days_of(uint64_t match) {
    return (StoreDays){.match = match,
                       .session = match,
                       .game = "zorde",
                       .days = 3,
                       .accounts = {1, 2},
                       .awaited = 1,
                       .began_ms = {NOW_MS, 0}};
}

static void put(Rig *rig, StoreDays *days) {
    assert_int_equal(store_days_put(rig->store, days), STORE_OK);
}

/* A record of a session reaches the journal. */
static void begin_session(Rig *rig, uint64_t session) {
    StoreRecord record = {.match = session, .time_ms = NOW_MS, .kind = 1, .bytes = "x", .count = 1};
    uint64_t ticket;
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_OK);
    rig_wait(rig, ticket, 0);
}

static uint32_t due(Rig *rig, uint64_t now_ms) {
    uint64_t list[8];
    uint32_t count;
    assert_int_equal(store_days_due(rig->store, now_ms, list, 8, &count), STORE_OK);
    return count;
}

static void a_match_rests_and_is_opened_by_one(Rig *rig) {
    StoreDays days = days_of(77), taken;
    void *records;
    size_t count;
    uint64_t total;
    begin_session(rig, 77);
    put(rig, &days);
    assert_true(days.deadline_ms[0] == NOW_MS + 3 * DAY_MS);
    assert_int_equal(store_days_take(rig->store, 77, 500, NOW_MS, &taken, &records, &count),
                     STORE_CONFLICT); /* it is open */
    assert_true(taken.session == 77 && records == NULL);
    assert_int_equal(store_days_park(rig->store, 77, 78, "abc", 3), STORE_CONFLICT);
    assert_int_equal(store_days_park(rig->store, 77, 77, "abc", 3), STORE_OK);
    assert_int_equal(store_days_park(rig->store, 77, 77, "abc", 3), STORE_OK); /* once more */
    assert_int_equal(store_days_put(rig->store, &days), STORE_CONFLICT);
    rig_close(rig);
    assert_true(rig_open(rig));
    assert_int_equal(store_days_take(rig->store, 77, 500, NOW_MS, &taken, &records, &count),
                     STORE_OK);
    assert_true(taken.session == 500 && taken.generation == 1 && taken.days == 3 && count == 3);
    assert_true(taken.accounts[0] == 1 && taken.accounts[1] == 2 && taken.awaited == 1);
    assert_string_equal(taken.game, "zorde");
    assert_memory_equal(records, "abc", 3);
    free(records);
    assert_int_equal(store_days_take(rig->store, 77, 501, NOW_MS, &taken, &records, &count),
                     STORE_CONFLICT);
    assert_int_equal(store_days_take(rig->store, 77, 500, NOW_MS, &taken, &records, &count),
                     STORE_OK); /* the answer was lost */
    assert_int_equal(taken.generation, 1);
    free(records);
    days.session = 77; /* an older session: what the journal still has of it does not count */
    assert_int_equal(store_days_put(rig->store, &days), STORE_CONFLICT);
    assert_int_equal(store_days_drop(rig->store, 77, 77), STORE_OK);
    assert_int_equal(store_days_count(rig->store, 2, &total), STORE_OK);
    assert_true(total == 1);
    assert_int_equal(store_days_drop(rig->store, 77, 500), STORE_OK);
    assert_int_equal(store_days_take(rig->store, 77, 502, NOW_MS, &taken, &records, &count),
                     STORE_UNKNOWN);
    assert_int_equal(store_days_count(rig->store, 0, &total), STORE_OK);
    assert_true(total == 0);
}

static void deadlines_are_of_turns(Rig *rig) {
    StoreDays days = days_of(77), other = days_of(88);
    put(rig, &days);
    days.began_ms[0] = NOW_MS;
    days.deadline_ms[0] = 0; /* the store knows it */
    put(rig, &days);
    assert_true(days.deadline_ms[0] == NOW_MS + 3 * DAY_MS);
    days.awaited = 3;
    days.began_ms[1] = NOW_MS - DAY_MS;
    put(rig, &days);
    assert_true(days.deadline_ms[1] == NOW_MS + 2 * DAY_MS);
    assert_int_equal(due(rig, NOW_MS + 9 * DAY_MS), 0); /* it is open, and has a clock */
    assert_int_equal(store_days_park(rig->store, 77, 77, "x", 1), STORE_OK);
    assert_int_equal(due(rig, NOW_MS + 2 * DAY_MS - 1), 0);
    assert_int_equal(due(rig, NOW_MS + 2 * DAY_MS), 1);
    other.awaited = 0;
    put(rig, &other);
    assert_int_equal(store_days_park(rig->store, 88, 88, "x", 1), STORE_OK);
    assert_int_equal(due(rig, NOW_MS + 9 * DAY_MS), 1);
}

static void a_player_sees_whose_turn_it_is(Rig *rig) {
    StoreTurn list[8];
    uint32_t count;
    StoreDays one = days_of(77), two = days_of(78), three = days_of(79);
    make(rig, 1);
    make(rig, 2);
    two.began_ms[0] = NOW_MS - DAY_MS;
    three.accounts[0] = 3;
    three.awaited = 1;
    put(rig, &one);
    put(rig, &two);
    put(rig, &three);
    assert_int_equal(store_days_list(rig->store, 1, list, 8, &count), STORE_OK);
    assert_int_equal(count, 2);
    assert_true(list[0].match == 78 && list[1].match == 77 && list[0].awaited && list[0].seat == 0);
    assert_true(list[0].deadline_ms == NOW_MS + 2 * DAY_MS && list[0].days == 3);
    assert_string_equal(list[0].opponent, "Player 2");
    assert_string_equal(list[0].game, "zorde");
    assert_int_equal(store_days_list(rig->store, 2, list, 8, &count), STORE_OK);
    assert_int_equal(count, 3);
    assert_true(!list[0].awaited && list[0].seat == 1);
    assert_int_equal(rig_delete_account(rig, 2), STORE_OK);
    assert_int_equal(store_days_list(rig->store, 1, list, 1, &count), STORE_OK);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].opponent, "");
}

static void clocks_stand_still_in_a_vacation(Rig *rig) {
    StoreDays days = days_of(77), later = days_of(78);
    StoreVacation vacation;
    make(rig, 1);
    make(rig, 2);
    put(rig, &days);
    assert_int_equal(store_vacation(rig->store, 1, &vacation), STORE_OK);
    assert_true(vacation.until_ms == 0 && vacation.used == 0);
    assert_int_equal(store_vacation_begin(rig->store, 1, NOW_MS, 31, 2023, &vacation),
                     STORE_CONFLICT);
    assert_int_equal(store_vacation_begin(rig->store, 1, NOW_MS, 10, 2023, &vacation), STORE_OK);
    assert_true(vacation.until_ms == NOW_MS + 10 * DAY_MS && vacation.used == 10);
    assert_int_equal(store_vacation_begin(rig->store, 1, NOW_MS, 10, 2023, &vacation), STORE_OK);
    assert_int_equal(vacation.used, 10); /* the answer was lost */
    put(rig, &days);
    assert_true(days.deadline_ms[0] == NOW_MS + 13 * DAY_MS);
    later.began_ms[0] = NOW_MS + 4 * DAY_MS; /* a turn that begins in it */
    put(rig, &later);
    assert_true(later.deadline_ms[0] == NOW_MS + 13 * DAY_MS);
    assert_int_equal(store_vacation_begin(rig->store, 1, NOW_MS + DAY_MS, 2, 2023, &vacation),
                     STORE_CONFLICT);
    assert_int_equal(store_vacation_end(rig->store, 1, NOW_MS + 4 * DAY_MS, &vacation), STORE_OK);
    assert_true(vacation.until_ms == NOW_MS + 4 * DAY_MS && vacation.used == 4);
    put(rig, &days);
    put(rig, &later);
    assert_true(days.deadline_ms[0] == NOW_MS + 7 * DAY_MS);
    assert_true(later.deadline_ms[0] == NOW_MS + 7 * DAY_MS);
    assert_int_equal(store_vacation_end(rig->store, 1, NOW_MS + 5 * DAY_MS, &vacation), STORE_OK);
    assert_int_equal(vacation.used, 4);
    assert_int_equal(store_vacation_begin(rig->store, 1, NOW_MS + 5 * DAY_MS, 27, 2023, &vacation),
                     STORE_CONFLICT);
    assert_int_equal(store_vacation_begin(rig->store, 1, NOW_MS + 5 * DAY_MS, 27, 2024, &vacation),
                     STORE_OK);
    assert_int_equal(vacation.used, 27); /* of another year */
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    assert_int_equal(store_vacation(rig->store, 1, &vacation), STORE_OK);
    assert_int_equal(vacation.used, 0);
}

static void a_session_that_never_began_is_freed(Rig *rig) {
    StoreDays days = days_of(77), list[4];
    uint64_t bytes[4];
    void *records;
    size_t length;
    uint32_t count;
    put(rig, &days);
    assert_int_equal(store_days_adrift(rig->store, list, bytes, 4, &count), STORE_OK);
    assert_true(count == 1 && bytes[0] == 0 && list[0].match == 77);
    assert_int_equal(store_days_park(rig->store, 77, 77, "abc", 3), STORE_OK);
    assert_int_equal(store_days_take(rig->store, 77, 9, NOW_MS, &days, &records, &length),
                     STORE_OK);
    free(records);
    assert_int_equal(store_days_adrift(rig->store, list, bytes, 4, &count), STORE_OK);
    assert_true(count == 1 && bytes[0] == 3 && list[0].session == 9);
    assert_int_equal(store_days_free(rig->store, 77, 8), STORE_OK);
    assert_int_equal(store_days_adrift(rig->store, list, bytes, 4, &count), STORE_OK);
    assert_int_equal(count, 1);
    assert_int_equal(store_days_free(rig->store, 77, 9), STORE_OK);
    assert_int_equal(due(rig, NOW_MS + 9 * DAY_MS), 1);
}

/* A second node over the rig's database; under the number of the first it ends that one's epoch. */
static void open_other(Rig *other, Rig *rig, uint32_t node) {
    rig_init(other);
    memcpy(other->place, rig->place, sizeof other->place);
    other->setup.single_threaded = false;
    other->setup.node = node;
    other->setup.silence_ms = rig->setup.silence_ms;
    rig->descriptors = other->descriptors = 0;
    rig_must_open(other);
}

/* A node that has taken a match and died before its session reached the journal: when its epoch is
 * over another takes it, and not before, whatever the calendars say. */
static void another_node_takes_what_was_lost(Rig *rig) {
    StoreDays days = days_of(77);
    void *records;
    size_t length;
    Rig other;
    begin_session(rig, 77);
    put(rig, &days);
    assert_int_equal(store_days_park(rig->store, 77, 77, "abc", 3), STORE_OK);
    store_forget(rig->store, 77, NOW_MS);
    assert_int_equal(store_days_take(rig->store, 77, 9, NOW_MS, &days, &records, &length),
                     STORE_OK);
    free(records);
    open_other(&other, rig, 2);
    assert_int_equal(
        store_days_take(other.store, 77, 10, NOW_MS + 900 * DAY_MS, &days, &records, &length),
        STORE_CONFLICT);
    assert_true(days.session == 9);
    assert_int_equal(due(&other, NOW_MS + 900 * DAY_MS), 0);
    rig_close(rig);
    rig_must_open(rig); /* under its next epoch */
    assert_int_equal(due(&other, NOW_MS + 9 * DAY_MS), 1);
    assert_int_equal(store_days_take(other.store, 77, 10, NOW_MS, &days, &records, &length),
                     STORE_OK);
    assert_true(days.session == 10 && days.generation == 2 && length == 3);
    free(records);
    begin_session(&other, 10);
    rig_close(&other);
    rig_must_open(&other); /* what is in the journal is not lost */
    assert_int_equal(due(rig, NOW_MS + 9 * DAY_MS), 0);
    assert_int_equal(store_days_take(rig->store, 77, 11, NOW_MS, &days, &records, &length),
                     STORE_CONFLICT);
    rig_release(&other);
}

/* A node that was replaced wakes up and goes on with what it was about to write (F2). */
static void a_node_that_was_replaced_writes_nothing(Rig *rig) {
    StoreDays days = days_of(77), late = days_of(77), list[4];
    void *records;
    uint64_t bytes[4];
    size_t length;
    uint32_t count;
    StoreClaim claim;
    Rig other;
    begin_session(rig, 77);
    put(rig, &days);
    open_other(&other, rig, rig->setup.node);
    assert_int_equal(store_days_park(rig->store, 77, 77, "old", 3), STORE_CONFLICT);
    late.awaited = 2;
    assert_int_equal(store_days_put(rig->store, &late), STORE_CONFLICT);
    late.match = late.session = 78;
    assert_int_equal(store_days_put(rig->store, &late), STORE_CONFLICT);
    store_days_free(rig->store, 77, 77);
    store_days_drop(rig->store, 77, 77);
    assert_int_equal(store_turn_claim(rig->store, 77, 0, &claim), STORE_OK);
    assert_int_not_equal(claim, STORE_CLAIM_MADE);
    assert_int_equal(store_days_adrift(other.store, list, bytes, 4, &count), STORE_OK);
    assert_true(count == 1 && list[0].session == 77 && list[0].awaited == 1 && bytes[0] == 0);
    assert_int_equal(store_turn_claim(other.store, 77, 0, &claim), STORE_OK);
    assert_int_equal(claim, STORE_CLAIM_MADE);
    assert_int_equal(store_days_park(other.store, 77, 77, "new", 3), STORE_OK);
    assert_int_equal(store_days_take(rig->store, 77, 9, NOW_MS, &days, &records, &length),
                     STORE_BUSY);
    assert_int_equal(store_days_take(other.store, 77, 9, NOW_MS, &days, &records, &length),
                     STORE_OK);
    assert_memory_equal(records, "new", 3);
    free(records);
    rig_release(&other);
}

/* A match of an older version of this program, whose row was there before its beginning was in the
 * journal, and whose node was killed between: it never began. */
static void a_row_without_a_match_is_dropped(Rig *rig) {
    StoreDays days = days_of(77);
    void *records;
    size_t length;
    uint64_t total;
    put(rig, &days);
    assert_int_equal(store_days_take(rig->store, 77, 9, NOW_MS, &days, &records, &length),
                     STORE_UNKNOWN);
    assert_int_equal(store_days_count(rig->store, 0, &total), STORE_OK);
    assert_true(total == 0);
}

/* --- People ------------------------------------------------------------------------------------
 */

static void turns_are_told_once_and_where(Rig *rig) {
    StoreDays days = days_of(77);
    StoreTarget list[STORE_TARGETS_MAX], webhook = {.kind = STORE_TARGET_WEBHOOK, .url = "one"};
    StoreTarget push = {.kind = STORE_TARGET_PUSH, .url = "p0", .keys = {1, 2}, .keys_count = 2};
    uint32_t count;
    StoreClaim claim;
    make(rig, 1);
    put(rig, &days);
    assert_int_equal(store_turn_claim(rig->store, 76, 0, &claim), STORE_OK);
    assert_int_equal(claim, STORE_CLAIM_OVER); /* there is no such match */
    assert_int_equal(store_turn_claim(rig->store, 77, 1, &claim), STORE_OK);
    assert_int_equal(claim, STORE_CLAIM_OVER); /* it is the other one's turn */
    assert_int_equal(store_turn_claim(rig->store, 77, 0, &claim), STORE_OK);
    assert_int_equal(claim, STORE_CLAIM_MADE);
    assert_int_equal(store_turn_claim(rig->store, 77, 0, &claim), STORE_OK);
    assert_int_equal(claim, STORE_CLAIM_THERE);
    days.began_ms[0] += 5;
    put(rig, &days);
    assert_int_equal(store_turn_claim(rig->store, 77, 0, &claim), STORE_OK);
    assert_int_equal(claim, STORE_CLAIM_MADE);
    days.awaited = 2;
    days.began_ms[1] = NOW_MS + 9;
    put(rig, &days);
    assert_int_equal(store_turn_claim(rig->store, 77, 0, &claim), STORE_OK);
    assert_int_equal(claim, STORE_CLAIM_OVER);
    assert_int_equal(store_turn_claim(rig->store, 77, 1, &claim), STORE_OK);
    assert_int_equal(claim, STORE_CLAIM_MADE);
    assert_int_equal(store_turn_claim(rig->store, 77, 1, &claim), STORE_OK);
    assert_int_equal(claim, STORE_CLAIM_THERE);
    assert_int_equal(store_target_set(rig->store, 1, &webhook, 1), STORE_OK);
    strcpy(webhook.url, "two");
    assert_int_equal(store_target_set(rig->store, 1, &webhook, 1), STORE_OK);
    for (push.url[1] = '0'; push.url[1] < '5'; push.url[1]++)
        assert_int_equal(store_target_set(rig->store, 1, &push, 1), STORE_OK);
    assert_int_equal(store_target_set(rig->store, 1, &push, 1), STORE_FULL);
    push.url[1] = '4';
    assert_int_equal(store_target_set(rig->store, 1, &push, 1), STORE_OK); /* it is there */
    assert_int_equal(store_target_list(rig->store, 1, list, &count), STORE_OK);
    assert_int_equal(count, 6);
    for (uint32_t i = 0; i < count; i++)
        if (list[i].kind == STORE_TARGET_WEBHOOK)
            assert_string_equal(list[i].url, "two");
        else
            assert_true(list[i].keys_count == 2 && list[i].keys[1] == 2);
    assert_int_equal(store_target_drop(rig->store, 1, STORE_TARGET_PUSH, "p3"), STORE_OK);
    assert_int_equal(store_target_list(rig->store, 1, list, &count), STORE_OK);
    assert_int_equal(count, 5);
    assert_int_equal(store_target_drop(rig->store, 1, STORE_TARGET_PUSH, ""), STORE_OK);
    assert_int_equal(rig_delete_account(rig, 1), STORE_OK);
    assert_int_equal(store_target_list(rig->store, 1, list, &count), STORE_OK);
    assert_int_equal(count, 0);
    assert_int_equal(store_target_set(rig->store, 9, &webhook, 1), STORE_FULL); /* nobody */
}

static void people_follow_block_and_challenge(Rig *rig) {
    StoreRelation list[STORE_RELATIONS_MAX];
    StoreChallenge challenges[STORE_CHALLENGES_MAX];
    StoreChallenge one = {.match = 5, .account = 1, .other = 2, .game = "zorde", .days = 3};
    uint32_t count;
    bool blocked;
    make(rig, 1);
    make(rig, 2);
    assert_int_equal(store_relation_set(rig->store, 1, 2, STORE_FOLLOWS, true, 1), STORE_OK);
    assert_int_equal(store_relation_set(rig->store, 1, 2, STORE_FOLLOWS, true, 1), STORE_OK);
    assert_int_equal(store_is_blocked(rig->store, 1, 2, &blocked), STORE_OK);
    assert_false(blocked);
    assert_int_equal(store_relation_set(rig->store, 2, 1, STORE_BLOCKS, true, 1), STORE_OK);
    assert_int_equal(store_is_blocked(rig->store, 1, 2, &blocked), STORE_OK);
    assert_true(blocked);
    assert_int_equal(store_relation_list(rig->store, 1, list, &count), STORE_OK);
    assert_true(count == 1 && list[0].kind == STORE_FOLLOWS && list[0].other == 2);
    assert_string_equal(list[0].name, "Player 2");
    assert_int_equal(store_relation_set(rig->store, 2, 1, STORE_BLOCKS, false, 1), STORE_OK);
    assert_int_equal(store_is_blocked(rig->store, 2, 1, &blocked), STORE_OK);
    assert_false(blocked);
    assert_int_equal(store_relation_set(rig->store, 1, 1, STORE_FOLLOWS, true, 1), STORE_FULL);
    assert_int_equal(store_challenge_put(rig->store, &one, 1000), STORE_OK);
    assert_int_equal(store_challenge_list(rig->store, 2, 0, challenges, &count), STORE_OK);
    assert_true(count == 1 && challenges[0].incoming && challenges[0].match == 5);
    assert_string_equal(challenges[0].name, "Player 1");
    assert_int_equal(store_challenge_list(rig->store, 1, 0, challenges, &count), STORE_OK);
    assert_true(count == 1 && !challenges[0].incoming && challenges[0].days == 3);
    assert_int_equal(store_challenge_list(rig->store, 1, 1000, challenges, &count), STORE_OK);
    assert_int_equal(count, 0);
    assert_int_equal(store_challenge_drop(rig->store, 5), STORE_OK);
    assert_int_equal(store_challenge_list(rig->store, 2, 0, challenges, &count), STORE_OK);
    assert_int_equal(count, 0);
    for (one.match = 0; one.match < 20; one.match++)
        assert_int_equal(store_challenge_put(rig->store, &one, 1000), STORE_OK);
    assert_int_equal(store_challenge_put(rig->store, &one, 1000), STORE_FULL);
    one.match = 19;
    assert_int_equal(store_challenge_put(rig->store, &one, 1000), STORE_OK); /* it is there */
}

/* Setting what is there already is no failure where there is room for no more: the first answer may
 * have been lost. */
static void a_full_list_may_be_set_again(Rig *rig) {
    make(rig, 1);
    for (uint64_t other = 2; other < 2 + STORE_RELATIONS_MAX; other++)
        assert_int_equal(store_relation_set(rig->store, 1, other, STORE_FOLLOWS, true, 1),
                         STORE_OK);
    assert_int_equal(store_relation_set(rig->store, 1, 2, STORE_FOLLOWS, true, 1), STORE_OK);
    assert_int_equal(store_relation_set(rig->store, 1, 2, STORE_BLOCKS, true, 1), STORE_FULL);
    assert_int_equal(store_relation_set(rig->store, 1, 999, STORE_FOLLOWS, true, 1), STORE_FULL);
}

static void reports_and_programs(Rig *rig) {
    static StoreReport list[STORE_REPORTS_MAX];
    StoreReport report = {.id = 3, .match = 77, .account = 1, .made_ms = 5, .reason = "rude"};
    StoreRelation bots[STORE_BOTS_MAX];
    StoreAccount bot = {.id = 100, .made_ms = 1}, found;
    uint8_t key[STORE_HASH_BYTES] = {200};
    uint32_t count;
    make(rig, 1);
    assert_int_equal(store_report_make(rig->store, &report), STORE_OK);
    assert_int_equal(store_report_make(rig->store, &report), STORE_OK);
    assert_int_equal(store_report_list(rig->store, false, list, &count), STORE_OK);
    assert_true(count == 1 && list[0].match == 77 && list[0].id == 3 && list[0].made_ms == 5);
    assert_string_equal(list[0].name, "Player 1");
    assert_string_equal(list[0].reason, "rude");
    assert_int_equal(store_report_close(rig->store, 4, "x", 6), STORE_UNKNOWN);
    assert_int_equal(store_report_close(rig->store, 3, "muted", 6), STORE_OK);
    assert_int_equal(store_report_list(rig->store, false, list, &count), STORE_OK);
    assert_int_equal(count, 0);
    assert_int_equal(store_report_list(rig->store, true, list, &count), STORE_OK);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].note, "muted");
    for (int i = 0; i < 6; i++) {
        snprintf(bot.name, sizeof bot.name, "Bot %d", i);
        snprintf(bot.folded, sizeof bot.folded, "bot%d", i);
        bot.id = 100 + (uint64_t)i;
        key[0] = (uint8_t)(200 + i);
        assert_int_equal(store_bot_make(rig->store, &bot, 1, key),
                         i < 5 ? STORE_OK : STORE_TAKEN); /* five of one owner */
    }
    assert_int_equal(store_bot_list(rig->store, 1, bots, &count), STORE_OK);
    assert_int_equal(count, 5);
    assert_int_equal(store_account_named(rig->store, "bot3", &found), STORE_OK);
    assert_true(found.program && found.id == 103);
}

/* --- Each test over each kind ----------------------------------------------------------------- */

EACH(a_match_rests_and_is_opened_by_one)
EACH(deadlines_are_of_turns)
EACH(a_player_sees_whose_turn_it_is)
EACH(clocks_stand_still_in_a_vacation)
EACH(a_session_that_never_began_is_freed)
EACH(turns_are_told_once_and_where)
EACH(people_follow_block_and_challenge)
EACH(a_full_list_may_be_set_again)
EACH(reports_and_programs)

/* What only several nodes can show. */
#define SHARED(test)                                                                               \
    static void test##_postgres(void **state) {                                                    \
        both_open(*state, true);                                                                   \
        test(*state);                                                                              \
    }
#define SHARED_TEST(test)                                                                          \
    cmocka_unit_test_setup_teardown(test##_postgres, both_postgres, both_release)
SHARED(another_node_takes_what_was_lost)
SHARED(a_node_that_was_replaced_writes_nothing)
SHARED(a_row_without_a_match_is_dropped)

int main(void) {
    const struct CMUnitTest tests[] = {
        TESTS(a_match_rests_and_is_opened_by_one),
        TESTS(deadlines_are_of_turns),
        TESTS(a_player_sees_whose_turn_it_is),
        TESTS(clocks_stand_still_in_a_vacation),
        TESTS(a_session_that_never_began_is_freed),
        TESTS(turns_are_told_once_and_where),
        TESTS(people_follow_block_and_challenge),
        TESTS(a_full_list_may_be_set_again),
        TESTS(reports_and_programs),
        SHARED_TEST(another_node_takes_what_was_lost),
        SHARED_TEST(a_node_that_was_replaced_writes_nothing),
        SHARED_TEST(a_row_without_a_match_is_dropped),
    };
    both_begin();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    both_end();
    return failed;
}
