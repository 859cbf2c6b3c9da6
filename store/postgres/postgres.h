/* postgres.h -- what the parts of the PostgreSQL store share. Only for store/postgres/.
 *
 * Several nodes (processes of the server, on as many machines as one likes) share one database. A
 * match belongs to one node at a time. What keeps two nodes apart is in the database alone, and no
 * clock is part of it:
 *
 * - Every node has a row with an epoch. Each statement that writes checks the node's own epoch and
 *   locks that row against a change (`me`, for share) in the same transaction. Whoever wants the
 *   matches of a silent node raises its epoch first. Afterwards nothing that the old owner has sent
 *   or will send can be committed; it finds out by 0 rows, fails as deposed, and exits.
 * - (n, seq) is the primary key of the journal: even without the epoch no record could have two
 *   versions.
 * - A node reads matches that it took only after its taking them was committed, and on as many
 *   machines as --copies demands. The log of the database is one stream, so whatever it reads is
 *   there as well by then.
 * - A lost answer means that nobody knows. What was sent is over before the next connection is used
 *   (link.h). The same group is sent again in a form that changes nothing if it is there, then read
 *   back and compared byte by byte. Other bytes mean two writers: the store fails and says so.
 * - A node whose beat was not answered for `silence_ms` * 2 / 5 tells nobody anything
 *   (store_may_tell()), because the others may take its matches after silence_ms. Beats are
 * counters: each node measures the silence of the others by its own clock.
 *
 * Three threads as in the embedded store: the caller's queues records in memory; the writer sends
 * them in groups and announces them; the keeper beats, watches the other nodes, archives what is
 * finished and prunes. Lists and files are read over a connection of their own. */
#ifndef STORE_POSTGRES_POSTGRES_H
#define STORE_POSTGRES_POSTGRES_H
#include <pthread.h>

#include "store/backend.h"
#include "store/ledger.h"
#include "store/postgres/link.h"
#include "store/postgres/threads.h"

/* Limits of one statement, and of the list of nodes. */
enum {
    GROUP_ROWS_MAX = 4096,
    GROUP_BYTES_MAX = 8 << 20,
    NODES_MAX = 256,
    DOCUMENTS_MAX = 4 * NODES_MAX + 8 /* each node has a few of its own */
};
/* How long an answer may take, and the delay before another try. */
enum { PATIENCE_MS = 3000, RETRY_MS = 200 };
/* How long the keeper waits for copies; it beats, and asks again. */
enum { COPIES_MS = 200 };

/* A waiting record; its bytes follow. */
typedef struct QueuedRecord {
    uint64_t match, time_ms, ticket;
    uint32_t sequence, count;
    uint16_t kind;
} QueuedRecord;

/* A match that waits for the keeper: to be archived with its file, or to be dropped. */
typedef struct EndJob EndJob;
struct EndJob {
    EndJob *next;
    uint64_t ticket;  /* of store_finish(); 0 = it is dropped */
    uint64_t after;   /* the ticket of its last record, which must be there first */
    StoreEntry entry; /* only `match` if it is dropped */
    size_t count;     /* of its file, which follows this struct */
};

/* Matches with their records, as they were read. */
typedef struct Arrival Arrival;
struct Arrival {
    Arrival *next;
    PGresult *rows; /* id, seq, at_ms, kind, bytes; a match's rows lie together, in order */
    int at, end;    /* the next row that was not given out; behind the last */
};

/* Another node, as it was last seen. */
typedef struct Peer {
    int32_t id;
    int64_t epoch, beat;
    uint64_t changed_ms; /* when its epoch or beat last changed, by our clock */
    bool open, seen;
} Peer;

/* A document that all nodes share. */
typedef struct Document {
    char name[STORE_DOCUMENT_NAME_BYTES];
    int64_t version; /* that we know; 0 = none */
    char *waiting;   /* to be written; NULL = nothing */
    size_t waiting_count;
    char *news; /* read and not taken yet; NULL = nothing */
    size_t news_count;
} Document;

/* The store. */
typedef struct Postgres {
    Store store;
    StoreSetup setup; /* its strings are not valid any more */
    char *where, *url, *peer;
    int32_t node;
    int64_t epoch;
    pthread_t writer, keeper;
    bool writer_runs, keeper_runs;

    /* The caller's: what store_next_match() gives out. */
    Arrival *current;
    uint64_t match;
    int record_at, record_end;

    /* The writer's. */
    DatabaseLink writer_link;
    Buffer writing;
    int64_t number, number_end; /* numbers for new matches */
    LinkArray ids, numbers, times, row_numbers, row_sequences, row_times, row_kinds, row_bytes;
    uint64_t next_ms; /* when the next group may begin */

    /* The keeper's. */
    DatabaseLink keeper_link;
    Peer peers[NODES_MAX];
    uint32_t peers_count;
    uint64_t watched_ms;   /* when the peers were last looked at */
    uint64_t beat_ms;      /* when the next beat is due */
    uint64_t retry_ms;     /* when it may try again after a failure */
    bool reconciles;       /* matches may be ours that we do not have: an answer was lost, or too
                              few machines had them */
    uint32_t take_max;     /* matches that are taken, or read, with one statement: fewer after one
                              that was not answered in time */
    bool link_reported;    /* a lost connection was reported */
    LinkArray columns[16]; /* of a statement of archive.c */

    StoreLock reader_lock; /* protects the reader's connection, and its columns */
    DatabaseLink reader_link;
    LinkArray reader_columns[12]; /* of a statement of tables.c */

    StoreLock accounts_lock; /* protects the connection of accounts.c */
    DatabaseLink accounts_link;

    StoreLock lock; /* protects everything below */
    pthread_cond_t writer_wakes, keeper_wakes;
    bool writer_ends, keeper_ends;
    OpenMatches ledger;
    Buffer filling;
    uint64_t writing_bytes;
    uint64_t tickets, finish_tickets;
    EndJob *end_first, *end_last;
    uint64_t end_bytes, end_count;
    StorePrune prune;
    Arrival *arrived_first, *arrived_last;
    int32_t silent[NODES_MAX]; /* nodes that may be lost: nobody is sent there */
    uint32_t silent_count;
    Document documents[DOCUMENTS_MAX];
    uint32_t documents_count;
    bool handing_over;
    uint64_t alive_ms;                   /* when the newest beat was sent that was acknowledged */
    int alive_host;                      /* and to which host */
    bool was_stale;                      /* store_may_tell() said no */
    uint64_t frozen_ms, frozen_until_ms; /* how long waits have frozen clocks, up to when */
    uint64_t writer_waits_ms, keeper_waits_ms; /* since when each waits for the database; 0 = it
                                                  does not */
    StoreProgress done;
    char failure[768];
    StoreStats figures;
} Postgres;

/* postgres.c */

/* A sentence for the log. */
void postgres_report(Postgres *postgres, const char *sentence);
/* Notifies the caller to check store_progress(). Not under the lock. */
void postgres_notify(Postgres *postgres);
/* The store has failed permanently; only the first reason is kept. Not under the lock. */
void postgres_fail(Postgres *postgres, const char *reason, bool deposed);
/* Another node has our matches: the store has failed. */
void postgres_depose(Postgres *postgres);
/* For how long after an answered beat a node has its matches for sure. */
uint64_t postgres_trust_ms(const Postgres *postgres);
/* A beat that was sent to this host then was acknowledged. Only beats count: they are what others
 * watch, and a group that was written proves nothing about the next two seconds. */
void postgres_alive(Postgres *postgres, uint64_t sent_ms, int host);
/* A thread begins to wait for the database, or has its answer. A wait in progress continues. */
void postgres_waits(Postgres *postgres, uint64_t *since_ms, bool waits);
/* Waits on a condition until the time or a signal. Under the lock. */
void postgres_wait(Postgres *postgres, pthread_cond_t *wakes, uint64_t ms);

/* schema.c */

/* Are the tables there, in the version of this program? False = with a problem. */
bool schema_is_current(DatabaseLink *link, MashText *problem);
/* See store_upgrade() and store_check(). */
bool schema_upgrade(const char *where, void (*report)(void *owner, const char *sentence),
                    void *owner, MashText *problem);
bool schema_check(const char *where, void (*report)(void *owner, const char *sentence), void *owner,
                  uint32_t *unsafe, MashText *problem);

/* copies.c: --copies. */

/* What a connection prepares that is to ask for copies: where the database's log ends, and how many
 * standbys have it up to there; how many have it up to a place. */
#define COPIES_STATEMENTS                                                                          \
    {"flushed", "select (log.place - '0/0'::pg_lsn)::int8, (select count(*) from "                 \
                "pg_stat_replication where state = 'streaming' and flush_lsn >= "                  \
                "log.place)::int4 from (select pg_current_wal_flush_lsn() place offset 0) log"},   \
    {                                                                                              \
        "kept", "select count(*)::int4 from pg_stat_replication where state = 'streaming' and "    \
                "(flush_lsn - '0/0'::pg_lsn)::int8 >= $1::int8"                                    \
    }
/* Waits until as many machines as the setup demands have everything that is committed by now, for
 * this long at most, or until the thread that waits on `wakes` is to end. `enough` says whether
 * they have. Anything but LINK_DONE: it could not be asked. */
LinkAnswer copies_wait(Postgres *postgres, DatabaseLink *link, pthread_cond_t *wakes, uint64_t ms,
                       bool *enough);

/* groups.c: the writer thread. */
extern const LinkStatement group_statements[];
void *group_run(void *postgres);

/* nodes.c: coming up, beats, taking matches. For the thread that has the keeper's connection. */
extern const LinkStatement keeper_statements[];
/* Makes our node known under a new epoch, which ends whoever else uses its number, and takes its
 * matches. False = with a problem. */
bool nodes_come_up(Postgres *postgres, MashText *problem);
/* Beats, and looks after the other nodes. False = the connection is lost. */
bool nodes_beat(Postgres *postgres);
/* Gives all our matches away: raises our own epoch. False = the connection is lost. */
bool nodes_give_up(Postgres *postgres);

/* documents.c: documents that all nodes share. */

/* Writes those that wait, and reads those that others have changed. False = the connection is
 * lost. */
bool documents_work(Postgres *postgres);
/* Frees them. */
void documents_release(Postgres *postgres);
/* The functions of store.h of these names. */
bool documents_share(Store *store, const char *name, const void *bytes, size_t count);
char *documents_take(Store *store, const char *name, size_t *count);

/* keeper.c: the keeper thread. */
void *keeper_run(void *postgres);

/* archive.c: archiving, and reading the archive. */

/* Archives or drops what waits and may go. False = not now; the problem was reported. */
bool ends_work(Postgres *postgres);
/* One step of pruning, if something is to be pruned. */
void ends_prune(Postgres *postgres);
extern const LinkStatement reader_statements[];
/* Runs a statement of the reader; a connection that was lost while it was idle is opened once
 * more. */
StoreStatus reader_run(Postgres *postgres, const char *name, const LinkParameters *parameters,
                       PGresult **rows);
/* The columns of a row from `column` on, node, URL, peer and whether it works, as a place. */
StorePlace reader_place(Postgres *postgres, const PGresult *rows, int row, int column);
/* The functions of store.h of these names. */
StoreStatus reader_list(Store *store, const StoreFilter *filter, StoreEntry *entries, uint32_t max,
                        uint32_t *count);
StoreStatus reader_read(Store *store, uint64_t match, void *bytes, size_t max, size_t *count);
StoreStatus reader_where(Store *store, uint64_t match, StorePlace *place);
StoreStatus reader_claim(Store *store, uint64_t key, StorePlace *place);
void reader_unclaim(Store *store, uint64_t key);

/* The machine that acknowledged our last beat, from 1: an old primary that still runs answers
 * questions, but it knows nothing new. */
int reader_host(Postgres *postgres);

/* accounts.c: players' accounts. */
extern const LinkStatement account_statements[];
/* AccountRun of a Postgres. */
StoreStatus accounts_run(void *postgres, AccountStatement which, const AccountValue *values,
                         uint32_t count, void (*row)(void *out, const AccountValue *columns),
                         void *out);

/* names.c: names of deleted accounts. The functions of erasing.h of these names. */
StoreStatus names_erasable(Store *store, uint64_t match, uint64_t *version);
StoreStatus names_erase(Store *store, const StoreErasure *what);

/* A name as the archive looks it up: ASCII letters without case. How long it is. */
size_t archive_fold(const char *name, char out[STORE_NAME_BYTES]);
/* Takes a string with its NUL from a run of them; behind it. */
const char *archive_take_text(const char *at, const char *end, char *out, size_t max);
/* The bytes of `players` in a row of the archive, at most. */
enum { ARCHIVE_PLAYERS_BYTES = STORE_PLAYERS_MAX * (STORE_NAME_BYTES + STORE_ROLE_BYTES) };

/* tables.c: the tables that are open at all nodes. The functions of store.h of these names. */
StoreStatus tables_publish(Store *store, const StoreTable *tables, uint32_t count);
StoreStatus tables_list(Store *store, const StoreTablePage *page, StoreTable *tables, uint32_t max,
                        uint32_t *count, char **memory);
StoreStatus tables_find(Store *store, const StoreTableQuestion *question, StoreTable *table,
                        StorePlace *place, char **memory);

#endif
