/* erasing.c -- see erasing.h: parameters and columns of the statements, for every backend. */
#include "store/erasing.h"

#include "store/backend.h"

static void take_gone(void *out, const AccountValue *columns) {
    StoreGone *gone = account_list_next(out, sizeof *gone);
    if (gone != NULL)
        *gone = (StoreGone){(uint64_t)columns[0].number, (uint64_t)columns[1].number};
}

StoreStatus store_gone(Store *store, const StoreGone *after, StoreGone *list, uint32_t max,
                       uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, (int64_t)after->at_ms);
    account_put(&all, (int64_t)after->account);
    account_put(&all, max);
    return account_run_list(store, GONE_LIST, &all, take_gone, list, max, count);
}

StoreStatus store_named(Store *store, uint64_t account, uint64_t match, uint32_t seat) {
    AccountParameters all = {.count = 0};
    FirstNumber found;
    account_put(&all, (int64_t)account);
    account_put(&all, (int64_t)match);
    account_put(&all, seat);
    StoreStatus status = account_run_number(store, NAMED_PUT, &all, &found);
    return status == STORE_OK && found.rows == 0 ? STORE_UNKNOWN : status;
}

static void take_erased(void *out, const AccountValue *columns) {
    StoreErased *erased = account_list_next(out, sizeof *erased);
    if (erased != NULL)
        *erased = (StoreErased){(uint64_t)columns[0].number, (uint32_t)columns[1].number};
}

StoreStatus store_erased(Store *store, const StoreErased *after, uint64_t last, StoreErased *list,
                         uint32_t max, uint32_t *count) {
    AccountParameters all = {.count = 0};
    account_put(&all, after == NULL ? -1 : (int64_t)after->match);
    account_put(&all, after == NULL ? -1 : (int64_t)after->seat);
    account_put(&all, last > INT64_MAX ? INT64_MAX : (int64_t)last);
    account_put(&all, max);
    return account_run_list(store, ERASED_LIST, &all, take_erased, list, max, count);
}

StoreStatus store_erased_drop(Store *store, uint64_t match, int64_t seat) {
    AccountParameters all = {.count = 0};
    FirstNumber ignored;
    account_put(&all, (int64_t)match);
    account_put(&all, seat);
    return account_run_number(store, ERASED_DROP, &all, &ignored);
}

StoreStatus store_erasable(Store *store, uint64_t match, uint64_t *version) {
    *version = 0;
    if (store->backend->erasable == NULL)
        return STORE_BUSY;
    StoreStatus status = store->backend->erasable(store, match, version);
    if (status != STORE_UNKNOWN)
        return status;
    status = store_erased_drop(store, match, -1);
    return status == STORE_OK ? STORE_UNKNOWN : status;
}

StoreStatus store_erase(Store *store, uint64_t match, uint64_t version, const uint32_t *seats,
                        uint32_t seats_count, const void *bytes, size_t count) {
    if (count > STORE_FILE_BYTES_MAX || seats_count > STORE_ERASE_MAX)
        return STORE_TOO_LONG;
    StoreErasure what = {.match = match,
                         .version = version,
                         .seats = seats,
                         .seats_count = seats_count,
                         .bytes = bytes,
                         .count = count};
    return store->backend->erase(store, &what);
}

void store_erase_done(Store *store) {
    if (store->backend->erase_done != NULL)
        store->backend->erase_done(store);
}
