/* accounts.c -- see accounts.h: parameters and columns of the statements, for every backend. */
#include "store/accounts.h"

#include <assert.h>
#include <string.h>

#include "store/backend.h"

/* --- Parameters ------------------------------------------------------------------------------- */

void account_put(AccountParameters *all, int64_t number) {
    assert(all->count < ACCOUNT_VALUES_MAX);
    all->list[all->count++] = (AccountValue){NULL, number};
}

void account_put_bytes(AccountParameters *all, const void *bytes, size_t count) {
    assert(all->count < ACCOUNT_VALUES_MAX);
    all->list[all->count++] = (AccountValue){bytes, (int64_t)count};
}

void account_put_text(AccountParameters *all, const char *text) {
    account_put_bytes(all, text, strlen(text));
}

StoreStatus account_run(Store *store, AccountStatement which, const AccountParameters *all,
                        void (*row)(void *out, const AccountValue *columns), void *out) {
    if (store->accounts_owner == NULL)
        return STORE_FAILED;
    return store->accounts(store->accounts_owner, which, all->list, all->count, row, out);
}

void *account_list_next(AccountList *list, size_t bytes) {
    return list->count == list->max ? NULL : (char *)list->list + bytes * list->count++;
}

StoreStatus account_run_list(Store *store, AccountStatement which, const AccountParameters *all,
                             void (*row)(void *out, const AccountValue *columns), void *list,
                             uint32_t max, uint32_t *count) {
    AccountList rows = {list, max, 0};
    StoreStatus status = account_run(store, which, all, row, &rows);
    *count = rows.count;
    return status;
}

/* --- Columns ---------------------------------------------------------------------------------- */

void account_take_text(const AccountValue *value, char *out, size_t max) {
    size_t count = value->bytes == NULL ? 0 : (size_t)value->number;
    count = count < max ? count : max - 1;
    if (count > 0)
        memcpy(out, value->bytes, count);
    out[count] = '\0';
}

/* An account that was asked for. */
typedef struct FoundAccount {
    StoreAccount *account;
    StoreKeyKind *kind; /* NULL: it was not asked for by a key */
    bool found;
} FoundAccount;

/* The columns of an account. */
static void take_account(void *out, const AccountValue *columns) {
    FoundAccount *found = out;
    StoreAccount *account = found->account;
    memset(account, 0, sizeof *account);
    account->id = (uint64_t)columns[0].number;
    account_take_text(&columns[1], account->name, sizeof account->name);
    account_take_text(&columns[2], account->folded, sizeof account->folded);
    account->program = columns[3].number != 0;
    account->is_private = columns[4].number != 0;
    account->made_ms = (uint64_t)columns[5].number;
    account->renamed_ms = (uint64_t)columns[6].number;
    if (columns[7].bytes != NULL && columns[7].number <= STORE_PASSWORD_BYTES) {
        account->password_bytes = (uint32_t)columns[7].number;
        memcpy(account->password, columns[7].bytes, account->password_bytes);
    }
    if (found->kind != NULL)
        *found->kind = (StoreKeyKind)columns[8].number;
    found->found = true;
}

/* The columns of a rating but for the name. */
static StoreRating rating_of(const AccountValue *columns) {
    StoreRating rating = {.account = (uint64_t)columns[0].number,
                          .pace = (uint32_t)columns[2].number,
                          .rating = columns[3].number,
                          .deviation = columns[4].number,
                          .volatility = columns[5].number,
                          .certain_ms = (uint64_t)columns[6].number,
                          .rated_ms = (uint64_t)columns[7].number,
                          .rated = (uint32_t)columns[8].number,
                          .matches = (uint32_t)columns[9].number,
                          .wins = (uint32_t)columns[10].number,
                          .draws = (uint32_t)columns[11].number,
                          .losses = (uint32_t)columns[12].number,
                          .streak = (int32_t)columns[13].number,
                          .best = (uint32_t)columns[14].number};
    account_take_text(&columns[1], rating.game, sizeof rating.game);
    return rating;
}

/* A rating; of a leaderboard with its name. */
static void take_rating(void *out, const AccountValue *columns) {
    StoreRating *rating = account_list_next(out, sizeof *rating);
    if (rating != NULL)
        *rating = rating_of(columns);
}

static void take_leader(void *out, const AccountValue *columns) {
    StoreRating *rating = account_list_next(out, sizeof *rating);
    if (rating == NULL)
        return;
    *rating = rating_of(columns);
    account_take_text(&columns[15], rating->name, sizeof rating->name);
}

/* A key. */
static void take_key(void *out, const AccountValue *columns) {
    StoreKey *key =
        columns[0].number == STORE_HASH_BYTES ? account_list_next(out, sizeof *key) : NULL;
    if (key == NULL)
        return;
    memcpy(key->hash, columns[0].bytes, STORE_HASH_BYTES);
    key->kind = (StoreKeyKind)columns[1].number;
    key->made_ms = (uint64_t)columns[2].number;
    key->expires_ms = (uint64_t)columns[3].number;
}

/* A match of a history. */
static void take_played(void *out, const AccountValue *columns) {
    StorePlayed *played = account_list_next(out, sizeof *played);
    if (played == NULL)
        return;
    *played = (StorePlayed){.match = (uint64_t)columns[0].number,
                            .ended_ms = (uint64_t)columns[1].number,
                            .pace = (uint32_t)columns[3].number,
                            .seat = (uint32_t)columns[4].number,
                            .result = (uint32_t)columns[5].number,
                            .rated = columns[6].number != 0,
                            .weight = (uint32_t)columns[7].number,
                            .rating = columns[8].number,
                            .change = columns[9].number,
                            .opponent_has_account = columns[11].number != 0};
    account_take_text(&columns[2], played->game, sizeof played->game);
    account_take_text(&columns[10], played->opponent, sizeof played->opponent);
    account_take_text(&columns[12], played->opening, sizeof played->opening);
}

/* The first number of the first row. */
static void take_first(void *out, const AccountValue *columns) {
    FirstNumber *first = out;
    if (first->rows++ == 0)
        first->number = columns[0].number;
}

StoreStatus account_run_number(Store *store, AccountStatement which, const AccountParameters *all,
                               FirstNumber *first) {
    *first = (FirstNumber){0};
    return account_run(store, which, all, take_first, first);
}

/* --- Accounts --------------------------------------------------------------------------------- */

StoreStatus store_account_make(Store *store, const StoreAccount *account,
                               const uint8_t key[STORE_HASH_BYTES]) {
    AccountParameters all = {.count = 0};
    FirstNumber made;
    account_put(&all, (int64_t)account->id);
    account_put_text(&all, account->name);
    account_put_text(&all, account->folded);
    account_put(&all, account->program);
    account_put(&all, (int64_t)account->made_ms);
    account_put_bytes(&all, key, STORE_HASH_BYTES);
    StoreStatus status = account_run_number(store, ACCOUNT_MAKE, &all, &made);
    return status == STORE_OK && made.rows == 0 ? STORE_TAKEN : status;
}

/* Asks for an account. */
static StoreStatus find(Store *store, AccountStatement which, const AccountParameters *all,
                        StoreAccount *account, StoreKeyKind *kind) {
    FoundAccount found = {account, kind, false};
    StoreStatus status = account_run(store, which, all, take_account, &found);
    return status == STORE_OK && !found.found ? STORE_UNKNOWN : status;
}

StoreStatus store_account_find(Store *store, uint64_t id, StoreAccount *account) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)id);
    return find(store, ACCOUNT_BY_ID, &all, account, NULL);
}

StoreStatus store_account_named(Store *store, const char *folded, StoreAccount *account) {
    AccountParameters all = {.count = 0};
    account_put_text(&all, folded);
    return find(store, ACCOUNT_BY_NAME, &all, account, NULL);
}

StoreStatus store_account_of_key(Store *store, const uint8_t key[STORE_HASH_BYTES], uint64_t now_ms,
                                 StoreAccount *account, StoreKeyKind *kind) {
    AccountParameters all = {.count = 0};
    account_put_bytes(&all, key, STORE_HASH_BYTES);
    account_put(&all, (int64_t)now_ms);
    return find(store, ACCOUNT_BY_KEY, &all, account, kind);
}

StoreStatus store_account_change(Store *store, const StoreAccount *was,
                                 const StoreAccount *account) {
    enum { CONFLICT, CHANGED };
    AccountParameters all = {.count = 0};
    FirstNumber changed;
    account_put(&all, (int64_t)account->id);
    account_put_text(&all, account->name);
    account_put_text(&all, account->folded);
    account_put(&all, account->is_private);
    account_put(&all, (int64_t)account->renamed_ms);
    account_put_bytes(&all, account->password, account->password_bytes);
    account_put_text(&all, was->name);
    account_put(&all, was->is_private);
    account_put(&all, (int64_t)was->renamed_ms);
    account_put_bytes(&all, was->password, was->password_bytes);
    StoreStatus status = account_run_number(store, ACCOUNT_CHANGE, &all, &changed);
    if (status != STORE_OK)
        return status;
    return changed.rows == 0            ? STORE_UNKNOWN
           : changed.number == CHANGED  ? STORE_OK
           : changed.number == CONFLICT ? STORE_CONFLICT
                                        : STORE_TAKEN;
}

/* An account that is gone. */
static void take_id(void *out, const AccountValue *columns) {
    uint64_t *id = account_list_next(out, sizeof *id);
    if (id != NULL)
        *id = (uint64_t)columns[0].number;
}

StoreStatus store_account_delete(Store *store, uint64_t id, uint64_t now_ms,
                                 uint64_t gone[STORE_GONE_MAX], uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)id);
    account_put(&all, (int64_t)now_ms);
    account_put(&all, (int64_t)now_ms - (int64_t)STORE_GONE_DAYS * 86400000);
    return account_run_list(store, ACCOUNT_DELETE, &all, take_id, gone, STORE_GONE_MAX, count);
}

/* --- Keys ------------------------------------------------------------------------------------- */

StoreStatus store_key_add(Store *store, uint64_t account, const StoreKey *key) {
    AccountParameters all = {.count = 0};
    FirstNumber owner;
    account_put(&all, (int64_t)account);
    account_put_bytes(&all, key->hash, STORE_HASH_BYTES);
    account_put(&all, key->kind);
    account_put(&all, (int64_t)key->made_ms);
    account_put(&all, (int64_t)key->expires_ms);
    StoreStatus status = account_run_number(store, ACCOUNT_KEY_ADD, &all, &owner);
    if (status != STORE_OK)
        return status;
    return owner.rows == 0                     ? STORE_FULL
           : (uint64_t)owner.number == account ? STORE_OK
                                               : STORE_TAKEN;
}

StoreStatus store_key_exchange(Store *store, const uint8_t code[STORE_HASH_BYTES],
                               const uint8_t device[STORE_HASH_BYTES], uint64_t now_ms) {
    AccountParameters all = {.count = 0};
    FirstNumber swapped;
    account_put_bytes(&all, code, STORE_HASH_BYTES);
    account_put_bytes(&all, device, STORE_HASH_BYTES);
    account_put(&all, (int64_t)now_ms);
    StoreStatus status = account_run_number(store, ACCOUNT_KEY_SWAP, &all, &swapped);
    return status == STORE_OK && swapped.rows == 0 ? STORE_UNKNOWN : status;
}

StoreStatus store_key_list(Store *store, uint64_t account, StoreKey keys[STORE_KEYS_MAX],
                           uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)account);
    return account_run_list(store, ACCOUNT_KEYS, &all, take_key, keys, STORE_KEYS_MAX, count);
}

StoreStatus store_key_drop(Store *store, uint64_t account, const uint8_t key[STORE_HASH_BYTES],
                           bool others) {
    AccountParameters all = {.count = 0};
    FirstNumber ignored;
    account_put(&all, (int64_t)account);
    account_put_bytes(&all, key, STORE_HASH_BYTES);
    return account_run_number(store, others ? ACCOUNT_KEY_ONLY : ACCOUNT_KEY_DROP, &all, &ignored);
}

/* --- Ratings ---------------------------------------------------------------------------------- */

StoreStatus store_ratings(Store *store, uint64_t account, StoreRating list[STORE_RATINGS_MAX],
                          uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)account);
    return account_run_list(store, ACCOUNT_RATINGS, &all, take_rating, list, STORE_RATINGS_MAX,
                            count);
}

StoreStatus store_met(Store *store, uint64_t account, uint64_t other, const char *game,
                      uint64_t since_ms, uint32_t *count) {
    AccountParameters all = {.count = 0};
    FirstNumber met;
    account_put(&all, (int64_t)account);
    account_put(&all, (int64_t)other);
    account_put_text(&all, game);
    account_put(&all, (int64_t)since_ms);
    StoreStatus status = account_run_number(store, ACCOUNT_MET, &all, &met);
    *count = (uint32_t)met.number;
    return status;
}

StoreStatus store_leaders(Store *store, const char *game, uint32_t pace, bool program,
                          uint64_t now_ms, StoreRating *list, uint32_t max, uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put_text(&all, game);
    account_put(&all, pace);
    account_put(&all, program);
    account_put(&all, (int64_t)now_ms);
    account_put(&all, max);
    return account_run_list(store, ACCOUNT_LEADERS, &all, take_leader, list, max, count);
}

/* --- Matches ---------------------------------------------------------------------------------- */

/* What was counted, and whether anything was. */
typedef struct CountedMatch {
    StoreCount *count;
    bool counted;
} CountedMatch;

/* The rating of a seat as it was counted. */
static void take_counted(void *out, const AccountValue *columns) {
    CountedMatch *match = out;
    match->counted = true;
    if (columns[0].number < 0 || columns[0].number >= STORE_SEATS)
        return;
    StoreSeat *seat = &match->count->seats[columns[0].number];
    seat->rating = columns[1].number;
    seat->change = columns[2].number;
    seat->gone = columns[3].number == 0;
}

StoreStatus store_count(Store *store, StoreCount *count) {
    AccountParameters all = {.count = 0};
    CountedMatch match = {count, false};
    account_put(&all, (int64_t)count->match);
    account_put(&all, (int64_t)count->ended_ms);
    account_put_text(&all, count->game);
    account_put(&all, count->pace);
    account_put(&all, count->rated);
    account_put(&all, count->weight);
    for (uint32_t i = 0; i < STORE_SEATS; i++) {
        const StoreSeat *seat = &count->seats[i];
        account_put(&all, (int64_t)seat->account);
        account_put(&all, seat->program);
        account_put_text(&all, seat->account != 0 ? "" : seat->name);
        account_put(&all, seat->result);
        account_put(&all, seat->rating);
        account_put(&all, seat->deviation);
        account_put(&all, seat->volatility);
        account_put(&all, (int64_t)seat->certain_ms);
        account_put(&all, seat->change);
        account_put(&all, seat->expected);
    }
    for (uint32_t i = 0; i < STORE_SEATS; i++)
        account_put_text(&all, count->seats[i].opening);
    StoreStatus status = account_run(store, ACCOUNT_COUNT_MATCH, &all, take_counted, &match);
    return status == STORE_OK && !match.counted ? STORE_CONFLICT : status;
}

StoreStatus store_played(Store *store, const StorePlayedFilter *filter, StorePlayed *list,
                         uint32_t max, uint32_t *count) {
    AccountParameters all = {.count = 0};
    bool begins = filter->after_ms == 0 && filter->after == 0;
    account_put(&all, (int64_t)filter->account);
    account_put(&all, filter->rated);
    account_put(&all, begins ? INT64_MAX : (int64_t)filter->after_ms);
    account_put(&all, begins ? INT64_MAX : (int64_t)filter->after);
    account_put(&all, max);
    if (filter->game != NULL) {
        account_put_text(&all, filter->game);
        account_put(&all, filter->pace);
    }
    return account_run_list(store, filter->game != NULL ? ACCOUNT_PLAYED_GAME : ACCOUNT_PLAYED,
                            &all, take_played, list, max, count);
}

/* An opening. */
static void take_opening(void *out, const AccountValue *columns) {
    StoreOpening *opening = account_list_next(out, sizeof *opening);
    if (opening == NULL)
        return;
    *opening = (StoreOpening){.wins = (uint32_t)columns[1].number,
                              .draws = (uint32_t)columns[2].number,
                              .losses = (uint32_t)columns[3].number};
    account_take_text(&columns[0], opening->opening, sizeof opening->opening);
}

StoreStatus store_openings(Store *store, uint64_t account, const char *game, StoreOpening *list,
                           uint32_t max, uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)account);
    account_put_text(&all, game);
    account_put(&all, max);
    return account_run_list(store, ACCOUNT_OPENINGS, &all, take_opening, list, max, count);
}

StoreStatus store_left(Store *store, uint64_t account, uint64_t match, uint64_t left_ms,
                       uint64_t forget_ms) {
    AccountParameters all = {.count = 0};
    FirstNumber ignored;
    account_put(&all, (int64_t)account);
    account_put(&all, (int64_t)match);
    account_put(&all, (int64_t)left_ms);
    account_put(&all, (int64_t)forget_ms);
    return account_run_number(store, LEFT_PUT, &all, &ignored);
}

/* The counts of LEFT_COUNT. */
static void take_left(void *out, const AccountValue *columns) {
    StoreLeft *count = out;
    *count = (StoreLeft){(uint32_t)columns[0].number, (uint32_t)columns[1].number};
}

StoreStatus store_left_count(Store *store, uint64_t account, uint64_t since_ms, StoreLeft *count) {
    AccountParameters all = {.count = 0};
    *count = (StoreLeft){0};
    account_put(&all, (int64_t)account);
    account_put(&all, (int64_t)since_ms);
    return account_run(store, LEFT_COUNT, &all, take_left, count);
}

StoreStatus store_accounts_count(Store *store, uint64_t *count) {
    AccountParameters none = {.count = 0};
    FirstNumber total;
    StoreStatus status = account_run_number(store, ACCOUNT_TOTAL, &none, &total);
    *count = (uint64_t)total.number;
    return status;
}
