/* backend.h -- the interface of a store backend: a table of functions and a name. Only for store/.
 *
 * A backend begins its own struct with a Store and sets `backend` when it opens. To add one, write
 * its file and add it to the list in store/store.c. Every backend guarantees:
 * - tickets are announced in order, and never for what a crash may still lose (except
 * announce_before_sync);
 * - after a failure nothing is announced;
 * - at all times a match is open or finished, never neither;
 * - store_append(), store_finish() and store_prune() never block: a full queue is STORE_FULL;
 * - what the archive does not accept now is retried and is never a failure of the store;
 * - lists and files may be read from any thread, concurrently with everything else.
 *
 * A backend that several nodes share also guarantees that a match belongs to one of them at a time,
 * that only this one can append to it, and that one that has lost its matches announces nothing
 * more. Which node a player is sent to is not decided by the store. */
#ifndef STORE_BACKEND_H
#define STORE_BACKEND_H
#include "store/account_backend.h"
#include "store/erasing.h"
#include "store/store.h"

/* What store_erase() is asked. */
typedef struct StoreErasure StoreErasure;
struct StoreErasure {
    uint64_t match, version;
    const uint32_t *seats;
    uint32_t seats_count;
    const void *bytes;
    size_t count;
};
/* A name is not noted any more; seat -1: none of the match. */
StoreStatus store_erased_drop(Store *store, uint64_t match, int64_t seat);

/* The functions of store.h, by the same names. `where` is the part of the place after the colon. */
struct StoreBackend {
    const char *name;
    Store *(*open)(const StoreSetup *setup, const char *where, MashText *problem);
    void (*close)(Store *store);
    bool (*next_match)(Store *store, StoreMatch *match);
    bool (*next_record)(Store *store, StoreRecord *record);
    StoreStatus (*append)(Store *store, const StoreRecord *record, uint64_t *ticket);
    StoreProgress (*done)(Store *store);
    void (*turn)(Store *store);
    StoreStatus (*finish)(Store *store, const StoreEntry *entry, const void *bytes, size_t count,
                          uint64_t *ticket);
    void (*forget)(Store *store, uint64_t match, uint64_t time_ms);
    StoreStatus (*list)(Store *store, const StoreFilter *filter, StoreEntry *entries, uint32_t max,
                        uint32_t *count);
    StoreStatus (*read)(Store *store, uint64_t match, void *bytes, size_t max, size_t *count);
    StoreStats (*stats)(Store *store);
    void (*prune)(Store *store, const StorePrune *prune);
    /* Of erasing.h; NULL = nothing can be taken out. */
    StoreStatus (*erasable)(Store *store, uint64_t match, uint64_t *version);
    StoreStatus (*erase)(Store *store, const StoreErasure *what);
    void (*erase_done)(Store *store);
    /* Of a backend that nodes share; NULL = it has no such thing. */
    bool (*may_tell)(Store *store);
    uint64_t (*frozen_ms)(Store *store);
    StoreStatus (*where)(Store *store, uint64_t match, StorePlace *place);
    StoreStatus (*claim)(Store *store, uint64_t key, StorePlace *place);
    void (*unclaim)(Store *store, uint64_t key);
    StoreStatus (*publish)(Store *store, const StoreTable *tables, uint32_t count);
    StoreStatus (*tables)(Store *store, const StoreTablePage *page, StoreTable *tables,
                          uint32_t max, uint32_t *count, char **memory);
    StoreStatus (*table)(Store *store, const StoreTableQuestion *question, StoreTable *table,
                         StorePlace *place, char **memory);
    void (*hand_over)(Store *store);
    bool (*share)(Store *store, const char *name, const void *bytes, size_t count);
    char *(*take_shared)(Store *store, const char *name, size_t *count);
    bool (*upgrade)(const char *where, void (*report)(void *owner, const char *sentence),
                    void *owner, MashText *problem);
    bool (*check)(const char *where, void (*report)(void *owner, const char *sentence), void *owner,
                  uint32_t *unsafe, MashText *problem);
};

/* A filter as a database reads it: entries from a time on, below an end and an id. The end of the
 * time and the last entry seen are one bound, the lower of the two: an index is entered at one
 * place only. */
typedef struct FilterBound {
    int64_t from_ms, below_ms, below_id;
} FilterBound;
FilterBound filter_bound(const StoreFilter *filter);

/* The first member of every backend's store. */
struct Store {
    const StoreBackend *backend;
    AccountRun *accounts; /* how statements about accounts are run, */
    void *accounts_owner; /* and with what; NULL = it has no accounts */
};

/* Files in a folder of this machine: journal segments, match files, an SQLite index. */
extern const StoreBackend store_embedded;
/* Tables of a PostgreSQL database that several nodes share. store/no_postgres.c stands in for it in
 * programs without libpq. */
extern const StoreBackend store_postgres;

#endif
