/* backend.h -- how a kind of store is made: a table of functions and a name. For store/ alone.
 *
 * A kind begins its own struct with a Store and sets `kind` when it opens. To add one, write its
 * file and its line in store/store.c. A kind keeps these promises, and the rest is its own:
 * - tickets are announced in order, and never for what a crash may still take away (without fast);
 * - after a failure nothing is announced;
 * - a match is open or finished at every moment, never neither;
 * - store_append(), store_finish() and store_prune() never wait: full is an answer;
 * - what the archive does not take now is tried again and never a failure of the store;
 * - lists and files are read by whatever thread asks for them, beside all else.
 *
 * A kind for several machines would send rows to a database of record, announce what it has
 * committed, and give at opening the matches that belong to this machine; which machine a player is
 * sent to is not the store's affair. */
#ifndef STORE_BACKEND_H
#define STORE_BACKEND_H
#include "store/store.h"

/* The functions of store.h, by the same names. `where` is what follows the colon of the place. */
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
    StoreStats (*figures)(Store *store);
    void (*prune)(Store *store, const StorePrune *prune);
};

/* What every kind's store begins with. */
struct Store {
    const StoreBackend *kind;
};

/* Files in a folder of this machine: journal segments, match files, an SQLite index. */
extern const StoreBackend store_embedded;

#endif
