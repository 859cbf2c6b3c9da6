/* erased.h -- deleted accounts: their names are shown to nobody any more, and taken out of the
 * archive (store/erasing.h).
 *
 * The server knows which accounts are gone. A table or tournament that has the name of one, because
 * it runs on or comes from the journal, loses it; whoever reads the archive asks here; and one job
 * at a time, in the threads of accounts, takes names out of what is archived. */
#ifndef SERVER_ERASED_H
#define SERVER_ERASED_H
#include "server/table.h"
#include "store/erasing.h"

typedef struct Contest Contest;
typedef struct EraseJob EraseJob;
typedef struct ContestNames ContestNames;

/* The server's part. */
typedef struct Erased {
    uint64_t *gone; /* accounts, ascending */
    uint32_t gone_count, gone_max;
    StoreGone last;         /* the newest that was read */
    StoreErased after;      /* behind which the job goes on */
    EraseJob *job;          /* NULL: it does not run */
    ContestNames *contests; /* tournaments whose names are being noted */
    NetTimer *timer;
    bool again;     /* it is to run once more */
    bool waits;     /* since it began from the front: some matches were still open, */
    bool any;       /* and names were taken out */
    uint64_t taken; /* names, since the server was opened */
} Erased;

/* Reads which accounts are gone; before records_recover(). */
void erased_open(Server *server);
/* Begins to take names out, and goes on with what was interrupted; behind records_recover(). */
void erased_start(Server *server);
/* Drops the jobs; behind rated_close(). */
void erased_close(Server *server);
/* Is this account gone? */
bool erased_is_gone(const Server *server, uint64_t account);
/* The account is gone: its name goes from all tables and tournaments here. */
void erased_account(Server *server, uint64_t account);
/* The name of a seat that leads to nobody any more goes from a table. */
void erased_seat(Table *table, uint8_t seat);
/* Notes whose names a match that is about to be archived has, besides those that are counted. Those
 * of accounts that are gone are in the bits of *gone. It asks the store. */
StoreStatus erased_note(Store *store, uint64_t match, const uint64_t accounts[MASH_SEATS],
                        uint32_t *gone);
/* The same for a tournament that is over, in a thread. True: it is done, and may be archived. */
bool erased_note_contest(Contest *contest);

/* For threads that read the archive: a page of its list, and a file in memory that the caller
 * frees, without the names that nobody is to see. */
StoreStatus erased_list(Store *store, const StoreFilter *filter, StoreEntry *entries, uint32_t max,
                        uint32_t *count);
StoreStatus erased_read(Store *store, uint64_t match, char **file, size_t *count);

#endif
