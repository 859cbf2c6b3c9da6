/* test_store_alike.c -- both kinds of store have the same accounts, ratings, matches over days,
 * notices, relations, challenges and reports: random calls of accounts.h, resting.h and relations.h
 * at the embedded store and over a real PostgreSQL, each answer compared. Each call is now and then
 * repeated at one of them, as after an answer that was lost: the last answer must be the one that
 * the other gives the first time. What both get wrong alike is seen in tests/golden/store.txt,
 * which has a hash of all answers of each call.
 *
 * MASH_CALLS is the number of calls of a script, MASH_SCRIPTS of scripts, MASH_SCRIPT_FIRST the
 * first of them; a failure prints its number and the last calls. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/chance.h"
#include "base/hash.h"
#include "store/erasing.h"
#include "store/relations.h"
#include "store/resting.h"
#include "tests/store/both_kinds.h"
#include "tests/support/golden.h"

#define NOW_MS UINT64_C(1700000000000)
#define DAY_MS UINT64_C(86400000)
enum { PEOPLE = 6, SLOTS = 5, KEYS = 12, NAMES = 8, LIST_MAX = 200, SAID_BYTES = 1 << 15 };

/* What is drawn for a call, the same for both. */
typedef struct DrawnCall {
    uint64_t account, other, now_ms, match, session, number;
    uint32_t key, name, days, small;
    bool on;
    uint32_t expected[2];
} DrawnCall;

static Rig *kinds[2]; /* embedded, shared */
static MashChance chance;
static uint64_t numbers; /* for ids that are never used twice */
static uint64_t now_ms;
/* Matches over days: the first is 0 before the first of a slot. */
static uint64_t matches[SLOTS], sessions[SLOTS];

static uint32_t draw(uint32_t values) { return (uint32_t)chance_below(&chance, values); }

/* --- What the calls say ----------------------------------------------------------------------- */

/* Lines of an answer, in order, since lists without an order may come in any. */
static int compare_lines(const void *one, const void *other) {
    return strcmp(*(char *const *)one, *(char *const *)other);
}

static void sort_lines(char *said) {
    char *lines[3 * LIST_MAX], *copy = strdup(said);
    uint32_t count = 0;
    assert_non_null(copy);
    for (char *line = strtok(copy, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        assert_true(count < 3 * LIST_MAX);
        lines[count++] = line;
    }
    qsort(lines, count, sizeof *lines, compare_lines);
    said[0] = '\0';
    for (uint32_t i = 0; i < count; i++) {
        said = stpcpy(said, lines[i]);
        said = stpcpy(said, "\n");
    }
    free(copy);
}

static void say(MashText *said, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(MashText *said, const char *format, ...) {
    char words[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    text_string(said, words);
}

static void say_bytes(MashText *said, const uint8_t *bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        text_hex(said, bytes[i], 2);
    text_byte(said, ' ');
}

static void say_account(MashText *said, const StoreAccount *one) {
    say(said, "%" PRIu64 " %s %s %d %d %" PRIu64 " %" PRIu64 " ", one->id, one->name, one->folded,
        one->program, one->is_private, one->made_ms, one->renamed_ms);
    say_bytes(said, one->password, one->password_bytes);
    text_byte(said, '\n');
}

static void say_rating(MashText *said, const StoreRating *one) {
    say(said, "%" PRIu64 " %s %u %" PRId64 " %" PRId64 " %" PRId64 " ", one->account, one->game,
        one->pace, one->rating, one->deviation, one->volatility);
    say(said, "%" PRIu64 " %" PRIu64 " %u %u %u %u %u %d %u %s\n", one->certain_ms, one->rated_ms,
        one->rated, one->matches, one->wins, one->draws, one->losses, one->streak, one->best,
        one->name);
}

static void say_days(MashText *said, const StoreDays *one) {
    say(said, "%" PRIu64 " %" PRIu64 " %u %s %u %" PRIu64 " %" PRIu64 " %u ", one->match,
        one->session, one->generation, one->game, one->days, one->accounts[0], one->accounts[1],
        one->awaited);
    for (int i = 0; i < 2; i++)
        say(said, "%" PRIu64 " %" PRIu64 " ", one->began_ms[i], one->deadline_ms[i]);
    text_byte(said, '\n');
}

/* --- The calls -------------------------------------------------------------------------------- */

typedef StoreStatus CallFunction(Store *store, const DrawnCall *call, MashText *said);

static const uint8_t *hash_of(uint32_t number) {
    static uint8_t hashes[4][STORE_HASH_BYTES];
    static uint32_t next;
    uint8_t *hash = hashes[next++ % 4];
    memset(hash, (int)number, STORE_HASH_BYTES);
    return hash;
}

static StoreAccount account_of(const DrawnCall *call) {
    StoreAccount account = {.id = call->account, .made_ms = call->now_ms, .program = call->on};
    snprintf(account.name, sizeof account.name, "Name %u", call->name);
    snprintf(account.folded, sizeof account.folded, "name%u", call->name);
    return account;
}

static StoreStatus make(Store *store, const DrawnCall *call, MashText *said) {
    StoreAccount account = account_of(call);
    (void)said;
    return store_account_make(store, &account, hash_of(call->key));
}

static StoreStatus find(Store *store, const DrawnCall *call, MashText *said) {
    StoreAccount account;
    StoreKeyKind kind = STORE_KEY_DEVICE;
    char folded[STORE_NAME_BYTES];
    snprintf(folded, sizeof folded, "name%u", call->name);
    StoreStatus status = call->small == 0   ? store_account_find(store, call->account, &account)
                         : call->small == 1 ? store_account_named(store, folded, &account)
                                            : store_account_of_key(store, hash_of(call->key),
                                                                   call->now_ms, &account, &kind);
    if (status == STORE_OK)
        say_account(said, &account);
    say(said, "%d\n", kind);
    return status;
}

static StoreStatus change(Store *store, const DrawnCall *call, MashText *said) {
    StoreAccount account = account_of(call), was = account;
    (void)said;
    if (call->key != 0)
        store_account_find(store, call->account, &was);
    account.is_private = call->on;
    account.renamed_ms = call->now_ms;
    account.password_bytes = call->small * 20;
    memset(account.password, 7, account.password_bytes);
    return store_account_change(store, &was, &account);
}

static StoreStatus left(Store *store, const DrawnCall *call, MashText *said) {
    StoreLeft count = {0};
    StoreStatus status =
        store_left(store, call->account, call->number, call->now_ms, call->now_ms - 4000);
    store_left_count(store, call->account, call->now_ms - 2000, &count);
    say(said, "%u %u\n", count.left, count.played);
    return status;
}

static StoreStatus delete_account(Store *store, const DrawnCall *call, MashText *said) {
    uint64_t gone[STORE_GONE_MAX];
    uint32_t count = 0;
    StoreStatus status = store_account_delete(store, call->account, call->now_ms, gone, &count);
    say(said, "%u gone\n", count);
    return status;
}

static StoreStatus named(Store *store, const DrawnCall *call, MashText *said) {
    StoreErased list[8];
    StoreGone gone[8];
    uint32_t count = 0;
    StoreStatus status = store_named(store, call->account, call->number, call->small);
    store_erased(store, NULL, UINT64_MAX, list, 8, &count);
    for (uint32_t i = 0; i < count; i++)
        say(said, "%" PRIu64 " %u\n", list[i].match, list[i].seat);
    store_gone(store, &(StoreGone){0}, gone, 8, &count);
    for (uint32_t i = 0; i < count; i++)
        say(said, "%" PRIu64 " %" PRIu64 "\n", gone[i].account, gone[i].at_ms);
    return status;
}

static StoreStatus key_add(Store *store, const DrawnCall *call, MashText *said) {
    StoreKey key = {.kind = (StoreKeyKind)call->small,
                    .made_ms = call->now_ms,
                    .expires_ms = call->on ? call->now_ms + 1000 : 0};
    (void)said;
    memcpy(key.hash, hash_of(call->key), sizeof key.hash);
    return store_key_add(store, call->account, &key);
}

static StoreStatus key_exchange(Store *store, const DrawnCall *call, MashText *said) {
    (void)said;
    return store_key_exchange(store, hash_of(call->key), hash_of(KEYS + call->name), call->now_ms);
}

static StoreStatus key_list(Store *store, const DrawnCall *call, MashText *said) {
    static StoreKey keys[STORE_KEYS_MAX];
    uint32_t count = 0;
    StoreStatus status = store_key_list(store, call->account, keys, &count);
    for (uint32_t i = 0; i < count; i++) {
        say_bytes(said, keys[i].hash, 2);
        say(said, "%d %" PRIu64 " %" PRIu64 "\n", keys[i].kind, keys[i].made_ms,
            keys[i].expires_ms);
    }
    return status;
}

static StoreStatus key_drop(Store *store, const DrawnCall *call, MashText *said) {
    (void)said;
    return store_key_drop(store, call->account, hash_of(call->key), call->on);
}

static StoreStatus ratings(Store *store, const DrawnCall *call, MashText *said) {
    static StoreRating list[STORE_RATINGS_MAX];
    uint32_t count = 0;
    StoreStatus status = store_ratings(store, call->account, list, &count);
    for (uint32_t i = 0; i < count; i++)
        say_rating(said, &list[i]);
    return status;
}

static StoreStatus leaders(Store *store, const DrawnCall *call, MashText *said) {
    StoreRating list[4];
    uint32_t count = 0;
    StoreStatus status =
        store_leaders(store, "zorde", call->small, call->on, call->now_ms, list, 4, &count);
    for (uint32_t i = 0; i < count; i++) {
        say(said, "%u: ", i);
        say_rating(said, &list[i]);
    }
    return status;
}

static StoreStatus met(Store *store, const DrawnCall *call, MashText *said) {
    uint32_t count = 0;
    StoreStatus status =
        store_met(store, call->account, call->other, "zorde", call->now_ms - 5000, &count);
    say(said, "%u\n", count);
    return status;
}

static StoreStatus count_match(Store *store, const DrawnCall *call, MashText *said) {
    StoreCount count = {.match = call->number,
                        .ended_ms = call->now_ms,
                        .game = "zorde",
                        .pace = call->small,
                        .rated = call->on,
                        .weight = 100};
    for (uint32_t i = 0; i < 2; i++)
        count.seats[i] = (StoreSeat){.account = i == 0 ? call->account : call->other,
                                     .program = call->key % 4 == 0,
                                     .name = "Guest",
                                     .result = i == 0 ? call->days % 3 : 2 - call->days % 3,
                                     .rating = 1500000000 + (int64_t)(2 * call->number + i),
                                     .deviation = 60000000,
                                     .volatility = 59999,
                                     .certain_ms = call->key % 3 == 0 ? 0 : call->now_ms + 4000,
                                     .change = (int64_t)call->number,
                                     .expected = call->expected[i]};
    snprintf(count.seats[0].opening, sizeof count.seats[0].opening, "%.*s", (int)(call->name % 3),
             "ab");
    StoreStatus status = store_count(store, &count);
    for (uint32_t i = 0; i < 2 && status == STORE_OK; i++)
        say(said, "%" PRId64 " %" PRId64 "\n", count.seats[i].rating, count.seats[i].change);
    return status;
}

static StoreStatus played(Store *store, const DrawnCall *call, MashText *said) {
    static StorePlayed list[20];
    uint32_t count = 0;
    StorePlayedFilter filter = {.account = call->account,
                                .game = call->on ? "zorde" : NULL,
                                .pace = (int32_t)call->small - 1,
                                .rated = call->key % 2 == 0};
    StoreStatus status = store_played(store, &filter, list, 20, &count);
    for (uint32_t i = 0; i < count; i++)
        say(said,
            "%u: %" PRIu64 " %" PRIu64 " %s %u %u %u %d %u %" PRId64 " %" PRId64 " %s %d %s\n", i,
            list[i].match, list[i].ended_ms, list[i].game, list[i].pace, list[i].seat,
            list[i].result, list[i].rated, list[i].weight, list[i].rating, list[i].change,
            list[i].opponent, list[i].opponent_has_account, list[i].opening);
    return status;
}

static StoreStatus openings(Store *store, const DrawnCall *call, MashText *said) {
    StoreOpening list[4];
    uint32_t count = 0;
    StoreStatus status = store_openings(store, call->account, "zorde", list, 4, &count);
    for (uint32_t i = 0; i < count; i++)
        say(said, "%u: %s %u %u %u\n", i, list[i].opening, list[i].wins, list[i].draws,
            list[i].losses);
    return status;
}

static StoreStatus totals(Store *store, const DrawnCall *call, MashText *said) {
    uint64_t count = 0, all = 0;
    StoreStatus status = store_accounts_count(store, &count);
    store_days_count(store, call->on ? call->account : 0, &all);
    say(said, "%" PRIu64 " %" PRIu64 "\n", count, all);
    return status;
}

/* A record under the number of a session, which is in the journal then. */
static void begin_session(Store *store, uint64_t session) {
    StoreRecord record = {.match = session, .time_ms = NOW_MS, .kind = 1, .bytes = "x", .count = 1};
    uint64_t ticket;
    if (store_append(store, &record, &ticket) == STORE_OK)
        WAIT_FOR(store_progress(store).appended >= ticket);
}

static StoreStatus days_put(Store *store, const DrawnCall *call, MashText *said) {
    StoreDays days = {.match = call->match,
                      .session = call->session,
                      .generation = call->session == call->match ? 0 : 1,
                      .game = "zorde",
                      .days = (uint32_t)(1 + call->match % 3),
                      .accounts = {1 + call->match % PEOPLE, 1 + (call->match + 1) % PEOPLE},
                      .awaited = call->small + call->on,
                      .began_ms = {NOW_MS + call->key * DAY_MS, NOW_MS + call->name * DAY_MS}};
    StoreStatus status = store_days_put(store, &days);
    if (status == STORE_OK)
        say_days(said, &days);
    return status;
}

static StoreStatus days_park(Store *store, const DrawnCall *call, MashText *said) {
    (void)said;
    StoreStatus status =
        store_days_park(store, call->match, call->session, "records", call->small + 1);
    if (status == STORE_OK)
        store_forget(store, call->session, NOW_MS);
    return status;
}

static StoreStatus days_take(Store *store, const DrawnCall *call, MashText *said) {
    StoreDays days;
    void *records;
    size_t count;
    StoreStatus status =
        store_days_take(store, call->match, call->number, call->now_ms, &days, &records, &count);
    if (status == STORE_OK || status == STORE_CONFLICT)
        say_days(said, &days);
    if (status == STORE_OK) {
        say(said, "%.*s\n", (int)count, (char *)records);
        begin_session(store, call->number);
        free(records);
    }
    return status;
}

static StoreStatus days_end(Store *store, const DrawnCall *call, MashText *said) {
    (void)said;
    StoreStatus status = store_days_drop(store, call->match, call->session);
    store_forget(store, call->session, NOW_MS);
    return status;
}

static StoreStatus days_lists(Store *store, const DrawnCall *call, MashText *said) {
    static StoreTurn list[LIST_MAX];
    static StoreDays adrift[LIST_MAX];
    uint64_t due[LIST_MAX], bytes[LIST_MAX];
    uint32_t count = 0;
    StoreStatus status = store_days_list(store, call->account, list, LIST_MAX, &count);
    for (uint32_t i = 0; i < count; i++)
        say(said, "%u: %" PRIu64 " %s %u %u %d %" PRIu64 " %s\n", i, list[i].match, list[i].game,
            list[i].days, list[i].seat, list[i].awaited, list[i].deadline_ms, list[i].opponent);
    assert_int_equal(store_days_due(store, NOW_MS + call->key * 2 * DAY_MS, due, LIST_MAX, &count),
                     STORE_OK);
    for (uint32_t i = 0; i < count; i++)
        say(said, "due %" PRIu64 "\n", due[i]);
    assert_int_equal(store_days_adrift(store, adrift, bytes, LIST_MAX, &count), STORE_OK);
    for (uint32_t i = 0; i < count; i++) {
        say(said, "%" PRIu64 " ", bytes[i]);
        say_days(said, &adrift[i]);
    }
    return status;
}

static StoreStatus vacation(Store *store, const DrawnCall *call, MashText *said) {
    StoreVacation vacation = {0};
    uint64_t when_ms = NOW_MS + call->number % 40 * DAY_MS;
    StoreStatus status = call->small == 0 ? store_vacation(store, call->account, &vacation)
                         : call->on
                             ? store_vacation_begin(store, call->account, when_ms, call->days * 5,
                                                    2023 + call->name % 2, &vacation)
                             : store_vacation_end(store, call->account, when_ms, &vacation);
    say(said, "%" PRIu64 " %u %u\n", vacation.until_ms, vacation.year, vacation.used);
    return status;
}

static StoreStatus target(Store *store, const DrawnCall *call, MashText *said) {
    static StoreTarget list[STORE_TARGETS_MAX];
    StoreTarget one = {.kind = (StoreTargetKind)(call->on), .keys = {1, 2}, .keys_count = 2};
    uint32_t count = 0;
    snprintf(one.url, sizeof one.url, "%u", call->key);
    StoreStatus status =
        call->small > 0
            ? store_target_set(store, call->account, &one, call->now_ms)
            : store_target_drop(store, call->account, one.kind, call->key % 4 == 0 ? "" : one.url);
    store_target_list(store, call->account, list, &count);
    for (uint32_t i = 0; i < count; i++) {
        say(said, "%d %s ", list[i].kind, list[i].url);
        say_bytes(said, list[i].keys, list[i].keys_count);
        text_byte(said, '\n');
    }
    return status;
}

static StoreStatus claim(Store *store, const DrawnCall *call, MashText *said) {
    StoreClaim claimed;
    StoreStatus status = store_turn_claim(store, call->match, call->on, &claimed);
    say(said, "%d\n", claimed);
    return status;
}

static StoreStatus relation(Store *store, const DrawnCall *call, MashText *said) {
    static StoreRelation list[STORE_RELATIONS_MAX];
    uint32_t count = 0;
    bool blocked = false;
    StoreStatus status =
        store_relation_set(store, call->account, call->other, (StoreRelationKind)(call->key % 2),
                           call->on, call->now_ms);
    store_relation_list(store, call->account, list, &count);
    for (uint32_t i = 0; i < count; i++)
        say(said, "%d %" PRIu64 " %s\n", list[i].kind, list[i].other, list[i].name);
    store_is_blocked(store, call->other, call->account, &blocked);
    say(said, "%d\n", blocked);
    return status;
}

static StoreStatus challenge(Store *store, const DrawnCall *call, MashText *said) {
    static StoreChallenge list[STORE_CHALLENGES_MAX];
    uint64_t match = call->number % 60;
    StoreChallenge one = {.match = match,
                          .account = 1 + match % 2,
                          .other = 3 + match % 3,
                          .game = "zorde",
                          .days = 3,
                          .rated = match % 2 == 0};
    uint32_t count = 0;
    StoreStatus status = call->key > 1 ? store_challenge_put(store, &one, call->now_ms)
                                       : store_challenge_drop(store, match);
    store_challenge_list(store, call->account, call->now_ms - 9000, list, &count);
    for (uint32_t i = 0; i < count; i++)
        say(said, "%" PRIu64 " %s %u %d %d %s\n", list[i].match, list[i].game, list[i].days,
            list[i].rated, list[i].incoming, list[i].name);
    return status;
}

static StoreStatus report(Store *store, const DrawnCall *call, MashText *said) {
    static StoreReport list[STORE_REPORTS_MAX];
    StoreReport one = {.id = call->key,
                       .match = call->match,
                       .account = call->account,
                       .made_ms = call->now_ms,
                       .reason = "rude"};
    uint32_t count = 0;
    StoreStatus status = call->on ? store_report_make(store, &one)
                                  : store_report_close(store, call->name, "muted", call->now_ms);
    store_report_list(store, call->small == 0, list, &count);
    for (uint32_t i = 0; i < count; i++)
        say(said, "%" PRIu64 " %s\n", list[i].id, list[i].name);
    store_report_of(store, call->account, list, &count);
    for (uint32_t i = 0; i < count; i++)
        say(said, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %s %s %s\n", list[i].id, list[i].match,
            list[i].made_ms, list[i].name, list[i].reason, list[i].note);
    return status;
}

static StoreStatus bot(Store *store, const DrawnCall *call, MashText *said) {
    StoreRelation list[STORE_BOTS_MAX];
    StoreAccount account = account_of(call);
    uint32_t count = 0;
    account.id = 100 + call->name;
    StoreStatus status = store_bot_make(store, &account, call->other, hash_of(40 + call->name));
    store_bot_list(store, call->other, list, &count);
    for (uint32_t i = 0; i < count; i++)
        say(said, "%" PRIu64 " %s\n", list[i].other, list[i].name);
    return status;
}

/* A call, and how often it is drawn. A call that is repeated says what it said the first time. */
typedef struct CallKind {
    const char *name;
    CallFunction *function;
    uint32_t weight;
    bool repeats;
} CallKind;
static const CallKind calls[] = {{"make", make, 16, true},
                                 {"find", find, 4, true},
                                 {"change", change, 2, true},
                                 {"delete_account", delete_account, 1, true},
                                 {"named", named, 3, true},
                                 {"key_add", key_add, 3, true},
                                 {"key_exchange", key_exchange, 4, true},
                                 {"key_list", key_list, 2, true},
                                 {"key_drop", key_drop, 1, true},
                                 {"ratings", ratings, 2, true},
                                 {"leaders", leaders, 2, true},
                                 {"met", met, 2, true},
                                 {"count_match", count_match, 8, true},
                                 {"played", played, 3, true},
                                 {"openings", openings, 2, true},
                                 {"totals", totals, 1, true},
                                 {"days_put", days_put, 8, true},
                                 {"days_park", days_park, 4, true},
                                 {"days_take", days_take, 4, true},
                                 {"days_end", days_end, 1, true},
                                 {"days_lists", days_lists, 4, true},
                                 {"vacation", vacation, 4, true},
                                 {"target", target, 4, true},
                                 {"claim", claim, 4, false},
                                 {"relation", relation, 4, true},
                                 {"challenge", challenge, 6, true},
                                 {"report", report, 2, true},
                                 {"bot", bot, 3, true},
                                 {"left", left, 3, true}};
enum { CALLS_COUNT = sizeof calls / sizeof *calls };
static uint32_t found[CALLS_COUNT];   /* how often each said STORE_OK */
static uint64_t answers[CALLS_COUNT]; /* a hash of all that each said */

/* --- A script --------------------------------------------------------------------------------- */

static const CallKind *draw_kind(void) {
    uint32_t all = 0;
    for (uint32_t i = 0; i < CALLS_COUNT; i++)
        all += calls[i].weight;
    uint32_t at = draw(all);
    const CallKind *kind = calls;
    for (; at >= kind->weight; kind++)
        at -= kind->weight;
    return kind;
}

/* How many matches of that pace a rating has, mostly. */
static uint32_t expected_of(uint64_t account, uint32_t pace) {
    static StoreRating list[STORE_RATINGS_MAX];
    uint32_t count = 0, expected = 0;
    store_ratings(kinds[0]->store, account, list, &count);
    for (uint32_t i = 0; i < count; i++)
        if (list[i].pace == pace)
            expected = list[i].matches;
    return draw(8) == 0 ? expected + 1 : expected;
}

static DrawnCall draw_call(uint32_t slot) {
    now_ms += draw(100) + 1;
    DrawnCall call = {.account = 1 + draw(PEOPLE),
                      .other = 1 + draw(PEOPLE),
                      .now_ms = now_ms,
                      .match = matches[slot],
                      .session = draw(6) == 0 ? 5 : sessions[slot],
                      .number = draw(6) == 0 ? numbers : ++numbers,
                      .key = draw(KEYS),
                      .name = draw(NAMES),
                      .days = draw(4),
                      .small = draw(3),
                      .on = draw(2) == 0};
    if (call.account == call.other)
        call.other = draw(2) == 0 ? 0 : 1 + call.other % PEOPLE;
    call.expected[0] = expected_of(call.account, call.small);
    call.expected[1] = expected_of(call.other, call.small);
    return call;
}

/* The match of a slot begins in both journals, and is not known to anybody yet. */
static void begin_match(uint32_t slot) {
    matches[slot] = sessions[slot] = ++numbers;
    for (int i = 0; i < 2; i++)
        begin_session(kinds[i]->store, matches[slot]);
}

static void step(uint64_t script, uint32_t number) {
    static char memory[2][SAID_BYTES];
    const CallKind *kind = draw_kind();
    uint32_t slot = draw(SLOTS);
    if (matches[slot] == 0)
        begin_match(slot);
    DrawnCall call = draw_call(slot);
    if (kind->function == days_take)
        call.number = ++numbers;
    StoreStatus status[2];
    for (int i = 0; i < 2; i++) {
        uint32_t times = kind->repeats && draw(4) == 0 ? 2 : 1;
        for (uint32_t k = 0; k < times; k++) {
            MashText said = text_over(memory[i], SAID_BYTES);
            status[i] = kind->function(kinds[i]->store, &call, &said);
            assert_false(said.truncated);
        }
        sort_lines(memory[i]);
    }
    if (status[0] != status[1] || strcmp(memory[0], memory[1]) != 0) {
        fprintf(stderr, "embedded %d\n%sshared %d\n%s", status[0], memory[0], status[1], memory[1]);
        fail_msg("script %" PRIu64 ", call %u: %s", script, number, kind->name);
    }
    found[kind - calls] += status[0] == STORE_OK;
    answers[kind - calls] =
        hash_bytes(answers[kind - calls] + status[0], memory[0], strlen(memory[0]));
    if (kind->function == days_take && status[0] == STORE_OK)
        sessions[slot] = call.number;
    if (kind->function == days_end && call.session == sessions[slot])
        matches[slot] = 0;
}

static uint64_t number_of(const char *name, uint64_t usual) {
    const char *wanted = getenv(name);
    return wanted == NULL ? usual : strtoull(wanted, NULL, 10);
}

static void run_script(uint64_t script, uint64_t steps) {
    void *state[2];
    chance = chance_seeded((MashSeed){{script, 11}}, 0);
    numbers = 1000;
    now_ms = NOW_MS;
    memset(matches, 0, sizeof matches);
    both_embedded(&state[0]);
    both_postgres(&state[1]);
    for (int i = 0; i < 2; i++) {
        kinds[i] = state[i];
        kinds[i]->descriptors = 0;
        both_open(kinds[i], i == 1);
    }
    for (uint32_t i = 0; i < steps; i++)
        step(script, i);
    for (int i = 0; i < 2; i++)
        both_release(&state[i]);
}

/* The hashes of the usual scripts. */
static void compare_answers(void) {
    char memory[2048];
    MashText text = text_over(memory, sizeof memory);
    for (uint32_t i = 0; i < CALLS_COUNT; i++)
        say(&text, "%s %016" PRIx64 "\n", calls[i].name, answers[i]);
    golden_compare("tests/golden/store.txt", &text);
}

static void both_kinds_answer_alike(void **unused) {
    (void)unused;
    enum { FIRST = 1, SCRIPTS = 5, CALLS = 700 };
    uint64_t first = number_of("MASH_SCRIPT_FIRST", FIRST);
    uint64_t count = number_of("MASH_SCRIPTS", SCRIPTS), steps = number_of("MASH_CALLS", CALLS);
    for (uint64_t i = first; i < first + count; i++)
        run_script(i, steps);
    for (uint32_t i = 0; i < CALLS_COUNT && count * steps >= 1000; i++)
        if (found[i] == 0)
            fail_msg("no call of %s succeeded", calls[i].name);
    if (first == FIRST && count == SCRIPTS && steps == CALLS)
        compare_answers();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_kinds_answer_alike)};
    both_begin();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    both_end();
    return failed;
}
