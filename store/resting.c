/* resting.c -- see resting.h: parameters and columns of the statements, for every backend. */
#include "store/resting.h"

#include <stdlib.h>
#include <string.h>

#include "store/backend.h"

enum { DAY_MS = 86400000 };

/* --- Columns ---------------------------------------------------------------------------------- */

/* A match that was asked for. */
typedef struct FoundDays {
    StoreDays *days;
    void **records; /* NULL: they were not asked for */
    size_t *count;
    bool found, no_memory;
} FoundDays;

/* The columns of a match over days. */
static StoreDays days_of(const AccountValue *columns) {
    StoreDays days = {.match = (uint64_t)columns[0].number,
                      .session = (uint64_t)columns[1].number,
                      .generation = (uint32_t)columns[2].number,
                      .days = (uint32_t)columns[4].number,
                      .accounts = {(uint64_t)columns[5].number, (uint64_t)columns[6].number},
                      .awaited = (uint32_t)columns[7].number,
                      .began_ms = {(uint64_t)columns[8].number, (uint64_t)columns[9].number},
                      .deadline_ms = {(uint64_t)columns[10].number, (uint64_t)columns[11].number}};
    account_take_text(&columns[3], days.game, sizeof days.game);
    return days;
}

static void take_days(void *out, const AccountValue *columns) {
    FoundDays *found = out;
    *found->days = days_of(columns);
    found->found = true;
    if (found->records == NULL || columns[12].bytes == NULL)
        return;
    size_t count = (size_t)columns[12].number;
    *found->records = malloc(count + 1);
    found->no_memory = *found->records == NULL;
    if (found->no_memory)
        return;
    memcpy(*found->records, columns[12].bytes, count);
    *found->count = count;
}

/* A list of matches that have a session. */
typedef struct AdriftList {
    StoreDays *list;
    uint64_t *records_counts;
    uint32_t max, count;
} AdriftList;

static void take_adrift(void *out, const AccountValue *columns) {
    AdriftList *adrift = out;
    if (adrift->count == adrift->max)
        return;
    adrift->records_counts[adrift->count] = (uint64_t)columns[12].number;
    adrift->list[adrift->count++] = days_of(columns);
}

/* A number. */
static void take_number(void *out, const AccountValue *columns) {
    uint64_t *number = account_list_next(out, sizeof *number);
    if (number != NULL)
        *number = (uint64_t)columns[0].number;
}

/* A turn. */
static void take_turn(void *out, const AccountValue *columns) {
    StoreTurn *turn = account_list_next(out, sizeof *turn);
    if (turn == NULL)
        return;
    *turn = (StoreTurn){.match = (uint64_t)columns[0].number,
                        .days = (uint32_t)columns[2].number,
                        .seat = (uint32_t)columns[3].number,
                        .awaited = columns[4].number != 0,
                        .deadline_ms = (uint64_t)columns[5].number};
    account_take_text(&columns[1], turn->game, sizeof turn->game);
    account_take_text(&columns[6], turn->opponent, sizeof turn->opponent);
}

static void take_vacation(void *out, const AccountValue *columns) {
    StoreVacation *vacation = out;
    *vacation = (StoreVacation){.until_ms = (uint64_t)columns[0].number,
                                .year = (uint32_t)columns[1].number,
                                .used = (uint32_t)columns[2].number};
}

/* --- Matches ---------------------------------------------------------------------------------- */

StoreStatus store_days_put(Store *store, StoreDays *days) {
    AccountParameters all = {.count = 0};
    uint64_t session = days->session;
    FoundDays found = {.days = days};
    account_put(&all, (int64_t)days->match);
    account_put(&all, (int64_t)days->session);
    account_put(&all, days->generation);
    account_put_text(&all, days->game);
    account_put(&all, days->days);
    account_put(&all, (int64_t)days->accounts[0]);
    account_put(&all, (int64_t)days->accounts[1]);
    account_put(&all, days->awaited);
    account_put(&all, (int64_t)days->began_ms[0]);
    account_put(&all, (int64_t)days->began_ms[1]);
    StoreStatus status = account_run(store, DAYS_PUT, &all, take_days, &found);
    if (status == STORE_OK && (!found.found || days->session != session))
        return STORE_CONFLICT;
    return status;
}

StoreStatus store_days_park(Store *store, uint64_t match, uint64_t session, const void *records,
                            size_t count) {
    AccountParameters all = {.count = 0};
    FirstNumber now;
    account_put(&all, (int64_t)match);
    account_put(&all, (int64_t)session);
    account_put_bytes(&all, records, count);
    StoreStatus status = account_run_number(store, DAYS_PARK, &all, &now);
    if (status == STORE_OK && (now.rows == 0 || now.number != 0))
        return STORE_CONFLICT;
    return status;
}

StoreStatus store_days_take(Store *store, uint64_t match, uint64_t session, uint64_t now_ms,
                            StoreDays *days, void **records, size_t *count) {
    AccountParameters all = {.count = 0};
    FoundDays found = {.days = days, .records = records, .count = count};
    *records = NULL;
    *count = 0;
    account_put(&all, (int64_t)match);
    account_put(&all, (int64_t)session);
    account_put(&all, (int64_t)now_ms);
    StoreStatus status = account_run(store, DAYS_TAKE, &all, take_days, &found);
    if (status == STORE_OK)
        status = !found.found                            ? STORE_UNKNOWN
                 : days->session == 0 || found.no_memory ? STORE_BUSY
                 : days->session != session              ? STORE_CONFLICT
                                                         : STORE_OK;
    if (status != STORE_OK) {
        free(*records);
        *records = NULL;
    }
    return status;
}

/* A statement about a match and its session, without an answer. */
static StoreStatus run_pair(Store *store, AccountStatement which, uint64_t match,
                            uint64_t session) {
    AccountParameters all = {.count = 0};
    FirstNumber ignored;
    account_put(&all, (int64_t)match);
    account_put(&all, (int64_t)session);
    return account_run_number(store, which, &all, &ignored);
}

StoreStatus store_days_drop(Store *store, uint64_t match, uint64_t session) {
    return run_pair(store, DAYS_DROP, match, session);
}

StoreStatus store_days_free(Store *store, uint64_t match, uint64_t session) {
    return run_pair(store, DAYS_FREE, match, session);
}

StoreStatus store_days_due(Store *store, uint64_t now_ms, uint64_t *list, uint32_t max,
                           uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)now_ms);
    account_put(&all, max);
    return account_run_list(store, DAYS_DUE, &all, take_number, list, max, count);
}

StoreStatus store_days_adrift(Store *store, StoreDays *list, uint64_t *records_counts, uint32_t max,
                              uint32_t *count) {
    AccountParameters all = {.count = 0};
    AdriftList adrift = {list, records_counts, max, 0};
    account_put(&all, max);
    StoreStatus status = account_run(store, DAYS_ADRIFT, &all, take_adrift, &adrift);
    *count = adrift.count;
    return status;
}

StoreStatus store_days_count(Store *store, uint64_t account, uint64_t *count) {
    AccountParameters all = {.count = 0};
    FirstNumber total;
    account_put(&all, (int64_t)account);
    StoreStatus status = account_run_number(store, DAYS_COUNT, &all, &total);
    *count = (uint64_t)total.number;
    return status;
}

StoreStatus store_days_list(Store *store, uint64_t account, StoreTurn *list, uint32_t max,
                            uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)account);
    account_put(&all, max);
    return account_run_list(store, DAYS_LIST, &all, take_turn, list, max, count);
}

/* --- Vacation --------------------------------------------------------------------------------- */

StoreStatus store_vacation(Store *store, uint64_t account, StoreVacation *vacation) {
    AccountParameters all = {.count = 0};
    memset(vacation, 0, sizeof *vacation);
    account_put(&all, (int64_t)account);
    return account_run(store, VACATION, &all, take_vacation, vacation);
}

StoreStatus store_vacation_begin(Store *store, uint64_t account, uint64_t now_ms, uint32_t days,
                                 uint32_t year, StoreVacation *vacation) {
    AccountParameters all = {.count = 0};
    memset(vacation, 0, sizeof *vacation);
    account_put(&all, (int64_t)account);
    account_put(&all, (int64_t)now_ms);
    account_put(&all, days);
    account_put(&all, year);
    StoreStatus status = account_run(store, VACATION_SET, &all, take_vacation, vacation);
    if (status == STORE_OK && vacation->until_ms != now_ms + (uint64_t)days * DAY_MS)
        return STORE_CONFLICT;
    return status;
}

StoreStatus store_vacation_end(Store *store, uint64_t account, uint64_t now_ms,
                               StoreVacation *vacation) {
    AccountParameters all = {.count = 0};
    memset(vacation, 0, sizeof *vacation);
    account_put(&all, (int64_t)account);
    account_put(&all, (int64_t)now_ms);
    return account_run(store, VACATION_END, &all, take_vacation, vacation);
}
