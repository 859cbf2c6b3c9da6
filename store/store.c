/* store.c -- see store.h: finds the backend by the name of the place and forwards every call to
 * it. */
#include "store/store.h"

#include <assert.h>
#include <string.h>

#include "store/backend.h"

static const StoreBackend *const kinds[] = {&store_embedded, &store_postgres};

const char *store_status_text(StoreStatus status) {
    static const char *const texts[STORE_STATUS_COUNT] = {
        [STORE_OK] = "done",
        [STORE_FULL] = "the write queue is full; try again later",
        [STORE_FAILED] = "the store has failed",
        [STORE_FINISHED] = "the match is finished",
        [STORE_DAMAGED] = "the match is damaged",
        [STORE_TOO_LONG] = "too long",
        [STORE_UNKNOWN] = "no such match in the archive",
        [STORE_BUSY] = "the archive is busy: try again later",
        [STORE_TAKEN] = "another account has it",
        [STORE_CONFLICT] = "it has changed meanwhile",
    };
    assert(status < STORE_STATUS_COUNT);
    return texts[status];
}

/* A time as a database can hold it. */
static int64_t signed_ms(uint64_t time_ms) {
    return time_ms > INT64_MAX ? INT64_MAX : (int64_t)time_ms;
}

FilterBound filter_bound(const StoreFilter *filter) {
    bool begins = filter->after_ms == 0 && filter->after == 0;
    FilterBound bound = {.from_ms = signed_ms(filter->from_ms),
                         .below_ms = begins ? INT64_MAX : signed_ms(filter->after_ms),
                         .below_id = begins ? INT64_MAX : (int64_t)filter->after};
    if (filter->to_ms != 0 && signed_ms(filter->to_ms) < bound.below_ms) {
        bound.below_ms = signed_ms(filter->to_ms) + 1;
        bound.below_id = INT64_MIN;
    }
    return bound;
}

StoreSetup store_setup(const char *place) {
    return (StoreSetup){.place = place,
                        .group_ms = 5,
                        .matches_max = 100000,
                        .queue_bytes_max = 64 << 20,
                        .segment_bytes = 16 << 20,
                        .query_ms = 2000,
                        .reserve_bytes = STORE_RESERVE_USUAL,
                        .node = 1,
                        .copies = 1,
                        .silence_ms = 5000};
}

/* The backend of a place, and the part of the place after the colon. NULL = with a problem. */
static const StoreBackend *backend_of(const char *place, const char **where, MashText *problem) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i]->name);
        *where = place + length + 1;
        if (strncmp(place, kinds[i]->name, length) == 0 && place[length] == ':')
            return kinds[i];
    }
    text_format(problem, "unknown store type %s (available:", place);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        text_format(problem, " %s:...", kinds[i]->name);
    text_byte(problem, ')');
    return NULL;
}

Store *store_open(const StoreSetup *setup, MashText *problem) {
    const char *where = setup->place;
    const StoreBackend *backend = setup->backend;
    if (backend == NULL)
        backend = backend_of(setup->place, &where, problem);
    return backend == NULL ? NULL : backend->open(setup, where, problem);
}

bool store_upgrade(const char *place, void (*report)(void *owner, const char *sentence),
                   void *owner, MashText *problem) {
    const char *where;
    const StoreBackend *backend = backend_of(place, &where, problem);
    return backend != NULL &&
           (backend->upgrade == NULL || backend->upgrade(where, report, owner, problem));
}

bool store_check(const char *place, void (*report)(void *owner, const char *sentence), void *owner,
                 uint32_t *unsafe, MashText *problem) {
    const char *where;
    const StoreBackend *backend = backend_of(place, &where, problem);
    *unsafe = 0;
    return backend != NULL &&
           (backend->check == NULL || backend->check(where, report, owner, unsafe, problem));
}

void store_close(Store *store) {
    if (store != NULL)
        store->backend->close(store);
}

bool store_next_match(Store *store, StoreMatch *match) {
    return store->backend->next_match(store, match);
}

bool store_next_record(Store *store, StoreRecord *record) {
    return store->backend->next_record(store, record);
}

StoreStatus store_append(Store *store, const StoreRecord *record, uint64_t *ticket) {
    assert(record->kind < STORE_KINDS);
    return store->backend->append(store, record, ticket);
}

StoreProgress store_progress(Store *store) { return store->backend->done(store); }

bool store_may_tell(Store *store) {
    return store->backend->may_tell == NULL || store->backend->may_tell(store);
}

uint64_t store_frozen_ms(Store *store) {
    return store->backend->frozen_ms == NULL ? 0 : store->backend->frozen_ms(store);
}

bool store_share(Store *store, const char *name, const void *bytes, size_t count) {
    assert(strlen(name) < STORE_DOCUMENT_NAME_BYTES);
    return store->backend->share != NULL && store->backend->share(store, name, bytes, count);
}

char *store_take_shared(Store *store, const char *name, size_t *count) {
    return store->backend->take_shared == NULL ? NULL
                                               : store->backend->take_shared(store, name, count);
}

StoreStatus store_claim(Store *store, uint64_t key, StorePlace *place) {
    return store->backend->claim == NULL ? STORE_UNKNOWN : store->backend->claim(store, key, place);
}

void store_unclaim(Store *store, uint64_t key) {
    if (store->backend->unclaim != NULL)
        store->backend->unclaim(store, key);
}

bool store_is_shared(const Store *store) { return store->backend->where != NULL; }

StoreStatus store_where(Store *store, uint64_t match, StorePlace *place) {
    return store->backend->where == NULL ? STORE_UNKNOWN
                                         : store->backend->where(store, match, place);
}

StoreStatus store_publish(Store *store, const StoreTable *tables, uint32_t count) {
    return store->backend->publish == NULL ? STORE_UNKNOWN
                                           : store->backend->publish(store, tables, count);
}

StoreStatus store_tables(Store *store, const StoreTablePage *page, StoreTable *tables, uint32_t max,
                         uint32_t *count, char **memory) {
    *count = 0;
    *memory = NULL;
    return store->backend->tables == NULL
               ? STORE_UNKNOWN
               : store->backend->tables(store, page, tables, max, count, memory);
}

StoreStatus store_table(Store *store, const StoreTableQuestion *question, StoreTable *table,
                        StorePlace *place, char **memory) {
    *place = (StorePlace){0};
    *memory = NULL;
    return store->backend->table == NULL
               ? STORE_UNKNOWN
               : store->backend->table(store, question, table, place, memory);
}

bool store_hand_over(Store *store) {
    if (store->backend->hand_over == NULL)
        return false;
    store->backend->hand_over(store);
    return true;
}

void store_step(Store *store) { store->backend->turn(store); }

/* A time that the archive can hold: before 1970 (a negative one, as it looks to us) is 1970. */
static uint64_t clamped(uint64_t time_ms) {
    if (time_ms > INT64_MAX)
        return 0;
    return time_ms > STORE_TIME_MAX_MS ? STORE_TIME_MAX_MS : time_ms;
}

/* The entry with everything in its bounds. Values out of bounds may come from a wrong clock or an
 * old journal: they must do no more harm than a wrong entry in the list. */
static StoreEntry clamped_entry(const StoreEntry *entry) {
    StoreEntry own = *entry;
    own.started_ms = clamped(own.started_ms);
    own.ended_ms = clamped(own.ended_ms);
    own.winner = own.winner < STORE_NOBODY ? STORE_NOBODY : own.winner;
    own.game[sizeof own.game - 1] = own.reason[sizeof own.reason - 1] = '\0';
    if (own.players_count > STORE_PLAYERS_MAX)
        own.players_count = STORE_PLAYERS_MAX;
    for (uint32_t i = 0; i < own.players_count; i++) {
        own.players[i].name[STORE_NAME_BYTES - 1] = '\0';
        own.players[i].role[STORE_ROLE_BYTES - 1] = '\0';
    }
    return own;
}

StoreStatus store_finish(Store *store, const StoreEntry *entry, const void *bytes, size_t count,
                         uint64_t *ticket) {
    StoreEntry own = clamped_entry(entry);
    return store->backend->finish(store, &own, bytes, count, ticket);
}

void store_forget(Store *store, uint64_t match, uint64_t time_ms) {
    store->backend->forget(store, match, time_ms);
}

StoreStatus store_archive_list(Store *store, const StoreFilter *filter, StoreEntry *entries,
                               uint32_t max, uint32_t *count) {
    return store->backend->list(store, filter, entries, max, count);
}

StoreStatus store_archive_read(Store *store, uint64_t match, void *bytes, size_t max,
                               size_t *count) {
    return store->backend->read(store, match, bytes, max, count);
}

void store_prune(Store *store, const StorePrune *prune) { store->backend->prune(store, prune); }

StoreStats store_stats(Store *store) { return store->backend->stats(store); }
