/* store.h -- journal and archive of matches, behind one interface.
 *
 * The store knows no game and no socket. A match is a 64-bit id, what happens in it is a list of
 * records (bytes), and what remains of it is one file with an entry in an index. A store is opened
 * by name: "embedded:FOLDER", or "postgres:" and the parameters of a connection, which several
 * nodes may share (store/backend.h); nothing else changes for callers.
 *
 * The life of a match: store_append() its records, the first one makes it known; send nothing about
 * a record before store_progress() has reached its ticket; store_finish() it with its file. After a
 * crash store_open() finds it again, with every record that was ever announced, until it is
 * finished.
 *
 * All functions but two are for one thread, the one that opened the store; store_archive_list() and
 * store_archive_read() may be called from any. Only `notify` and `report` are called from others.
 * The store reads no wall clock: times are the caller's, in milliseconds since 1970. */
#ifndef STORE_STORE_H
#define STORE_STORE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef struct Store Store;
typedef struct StoreDisk StoreDisk;
typedef struct StoreBackend StoreBackend;

/* Limits. */
enum {
    STORE_RECORD_BYTES_MAX = 16 << 20, /* one record */
    STORE_FILE_BYTES_MAX = 64 << 20,   /* one match file */
    STORE_KINDS = 0xff00,              /* kinds of record are below this */
    STORE_PLAYERS_MAX = 4,
    STORE_GAME_BYTES = 32, /* texts of an entry, with the NUL */
    STORE_NAME_BYTES = 64,
    STORE_ROLE_BYTES = 16,
    STORE_REASON_BYTES = 64,
    STORE_PATH_BYTES = 48,
    STORE_NOBODY = -1 /* the winner of a match that nobody won */
};
/* The end of the year 9999, the latest time of a match. */
#define STORE_TIME_MAX_MS UINT64_C(253402300799999)

/* The answers of a store. */
typedef enum StoreStatus {
    STORE_OK,
    STORE_FULL,     /* too much waits for the disk, or too many matches: try later */
    STORE_FAILED,   /* the store failed, now or earlier: it accepts nothing any more */
    STORE_FINISHED, /* the match was finished: nothing can be appended */
    STORE_DAMAGED,  /* records of the match are lost: it can only be finished */
    STORE_TOO_LONG, /* the record, the file, or too small a buffer for it */
    STORE_UNKNOWN,  /* the archive has no such match */
    STORE_BUSY,     /* the archive did not answer in time: try later */
    STORE_TAKEN,    /* another account has the name or the key */
    STORE_CONFLICT, /* it has changed since it was read */
    STORE_STATUS_COUNT
} StoreStatus;
/* The answer as a sentence. */
const char *store_status_text(StoreStatus status);

/* --- Opening --------------------------------------------------------------------------------- */

/* How a store is opened. Start from store_setup(), which has sensible defaults. */
typedef struct StoreSetup {
    const char *place;         /* "embedded:FOLDER"; the folder is made if there is none; or
                                  "postgres:host=a,b dbname=mashup", as libpq writes it */
    bool announce_before_sync; /* announce records when they are written, before they are synced */
    bool single_threaded;      /* no threads: the work is done in store_step(), for simulators */
    uint32_t
        group_ms; /* from one sync to the next: the longest that a record waits to be written */
    uint32_t matches_max;     /* open matches */
    uint64_t queue_bytes_max; /* what may wait for the disk, records and files each */
    uint32_t segment_bytes;   /* a new journal file is started at this size */
    uint32_t query_ms;        /* the most time for a list of the archive */
    uint64_t reserve_bytes;   /* the disk is low on space below this much free space; 0 = never */
    uint32_t node;       /* of a shared store: the number of this node, unique among all of them */
    const char *url;     /* of a shared store: where clients reach this node; NULL = unknown */
    const char *peer;    /* of a shared store: where other nodes reach this node, HOST:PORT; an
                            empty HOST = the address that the database sees; NULL = they do not */
    uint32_t copies;     /* of a shared store: announce nothing that fewer machines have */
    uint32_t silence_ms; /* of a shared store: a node that is silent for this long is replaced */
    /* Something was announced or went wrong: check store_progress() soon. Called from a thread of
     * the store; it must not call the store. NULL = the caller polls. */
    void (*notify)(void *owner);
    /* A sentence for the log, without line end; from any thread. NULL = to standard error. */
    void (*report)(void *owner, const char *sentence);
    void *owner;                 /* for both */
    const StoreDisk *disk;       /* NULL = the real one; see store/disk.h */
    const StoreBackend *backend; /* NULL = the one that the place names; see store/backend.h */
} StoreSetup;

/* For reserve_bytes: 256 MiB, or 2 % of a disk of which that is less. */
#define STORE_RESERVE_USUAL UINT64_MAX

/* A setup for this place: careful, 5 ms, 100,000 matches, 64 MiB waiting, segments of 16 MiB, lists
 * within 2 s, the default reserve. */
StoreSetup store_setup(const char *place);
/* Opens the store and finds what was there. NULL = it cannot; see the problem. Neither the setup
 * nor its strings are kept. */
Store *store_open(const StoreSetup *setup, MashText *problem);
/* Finishes all waiting work and closes. NULL is ignored. */
void store_close(Store *store);

/* --- Recovery: every open match, oldest first, each once ------------------------------------- */

/* How much of an open match was found. */
typedef enum StoreHealth {
    STORE_WHOLE,
    STORE_DOUBTFUL, /* a stretch of the journal after its last record is unreadable: the match is
                       consistent, but its newest records may be missing */
    STORE_BROKEN    /* records are certainly missing; see their sequence numbers */
} StoreHealth;

/* An open match. */
typedef struct StoreMatch {
    uint64_t match;
    uint32_t records; /* how many follow */
    StoreHealth health;
} StoreMatch;

/* One record. It is returned as it was appended. */
typedef struct StoreRecord {
    uint64_t match;
    uint64_t time_ms;
    uint32_t sequence; /* 1, 2, 3 ... in its match; given by the store */
    uint32_t count;    /* of the bytes */
    const void *bytes; /* valid until the next call, when they come from the store */
    uint16_t kind;     /* the caller's, below STORE_KINDS */
} StoreRecord;

/* The next open match; its records follow by store_next_record(). False = that was all. */
bool store_next_match(Store *store, StoreMatch *match);
/* The next record of the match last given, in order. False = that was all. */
bool store_next_record(Store *store, StoreRecord *record);

/* --- The journal ----------------------------------------------------------------------------- */

/* Appends a record, copying its bytes. Tickets count 1, 2, 3 ... in the order of the calls, and the
 * record is durable when store_progress().appended has reached its ticket. Ids of matches are never
 * used twice: an id that was finished must not come again. */
StoreStatus store_append(Store *store, const StoreRecord *record, uint64_t *ticket);

/* What is durable by now. Both count tickets: everything up to them is done, in order. */
typedef struct StoreProgress {
    uint64_t appended; /* tickets of store_append() */
    uint64_t finished; /* tickets of store_finish() */
    bool low; /* on space: start no new matches; running ones continue. It is temporary, and notify
                 is called for both changes */
    const char *failure; /* NULL, or why the store has failed: permanently, nothing that is not
                            announced yet ever will be; valid until store_close() */
    bool deposed;     /* it has failed because another node has taken its matches: they go on there,
                         and nothing more may be told about them here */
    uint64_t arrived; /* matches that came from other nodes: store_next_match() has them */
    bool handed_over; /* store_hand_over() is done */
    uint64_t shared;  /* changes of shared documents: store_take_shared() has them */
} StoreProgress;
StoreProgress store_progress(Store *store);

/* May anything be sent about the matches of this store now, also what was announced long ago? False
 * while a shared store has not heard from its database for so long that another node may have taken
 * its matches; notify is called when it is true again. */
bool store_may_tell(Store *store);

/* For how many milliseconds in all, since it was opened, the store has waited so long for its
 * database that players' clocks stand still; it grows while it waits. */
uint64_t store_frozen_ms(Store *store);

/* Does the waiting work in this thread: writes one group, then archives. Only with
 * setup.single_threaded. */
void store_step(Store *store);

/* --- The archive ----------------------------------------------------------------------------- */

/* A player. Texts are any bytes without NUL. */
typedef struct StorePlayer {
    char name[STORE_NAME_BYTES];
    char role[STORE_ROLE_BYTES];
} StorePlayer;

/* A finished match in the index. */
typedef struct StoreEntry {
    uint64_t match;
    uint64_t started_ms, ended_ms; /* clamped to the years 1970 to 9999 */
    char game[STORE_GAME_BYTES];
    StorePlayer players[STORE_PLAYERS_MAX];
    uint32_t players_count;
    int32_t winner; /* a seat, or STORE_NOBODY */
    char reason[STORE_REASON_BYTES];
    uint32_t actions;
    uint64_t bytes;              /* of its file; given by the store, 0 = not known yet */
    bool is_private;             /* found by its id, but in no list */
    char file[STORE_PATH_BYTES]; /* the path of its file in the archive; given by the store */
} StoreEntry;

/* Finishes a match that is over with its file. It is in the archive, and no longer open, when
 * store_progress().finished has reached the ticket; until then, also after a crash, it is open.
 * Finishing a match again is harmless: the first file stays. */
StoreStatus store_finish(Store *store, const StoreEntry *entry, const void *bytes, size_t count,
                         uint64_t *ticket);

/* What may be removed from the archive, the oldest first. */
typedef struct StorePrune {
    uint64_t before_ms; /* matches that ended before this; 0 = none for their age */
    uint64_t
        bytes_max; /* and more, until all files together take no more than this; 0 = no limit */
} StorePrune;
/* Lets the store remove finished matches with their files, in the background and in small steps. If
 * it is still pruning, what either call allows may be removed. Open matches are never touched. */
void store_prune(Store *store, const StorePrune *prune);

/* Drops a match in which nothing happened: it is not archived, and after a crash it is open again
 * or gone. */
void store_forget(Store *store, uint64_t match, uint64_t time_ms);

/* Filter for public matches. All zero = all of them, newest first. */
typedef struct StoreFilter {
    const char *game;        /* NULL = any */
    const char *player;      /* NULL = any; ASCII letters ignoring case */
    uint64_t from_ms, to_ms; /* ended in this time, both included; to_ms 0 = no end */
    uint64_t after_ms,
        after; /* paging: ended_ms and match of the last entry seen; 0, 0 = from the start */
} StoreFilter;
/* Lists up to `max` entries, newest end first, into *count. A page costs the same wherever it
 * starts. It may read from a disk or ask another machine, for setup.query_ms at most (then it is
 * STORE_BUSY): do not call it in a thread that must not block. */
StoreStatus store_archive_list(Store *store, const StoreFilter *filter, StoreEntry *entries,
                               uint32_t max, uint32_t *count);
/* Reads a match file, from a disk as well. *count is its length, also if it is STORE_TOO_LONG for
 * `max`. */
StoreStatus store_archive_read(Store *store, uint64_t match, void *bytes, size_t max,
                               size_t *count);

/* What was copied. */
typedef struct StoreBackupStats {
    uint64_t segments, files, bytes; /* of the journal; of the archive; of both */
} StoreBackupStats;
/* Copies the folder of an embedded store to a folder that does not exist or is empty, also while a
 * process uses it: what was announced before the call is in the copy, which opens like a folder
 * after a crash. False = with a problem; what was copied so far is left. */
bool store_backup(const char *from, const char *to, StoreBackupStats *copied, MashText *problem);

/* --- Several nodes over one store ------------------------------------------------------------- */

/* Where an open match is. */
enum { STORE_URL_BYTES = 256 };
typedef struct StorePlace {
    uint32_t node;
    char url[STORE_URL_BYTES];  /* where clients reach it; "" = unknown */
    char peer[STORE_URL_BYTES]; /* where other nodes reach it, HOST:PORT; "" = unknown */
    bool here;                  /* it belongs to this node */
    bool open;                  /* the node works; false = the match is about to move */
} StorePlace;
/* Do several nodes share the store? */
bool store_is_shared(const Store *store);
/* Finds the node of an open match; STORE_UNKNOWN = it is not open. It may ask another machine, as
 * store_archive_list() does, and from any thread. */
StoreStatus store_where(Store *store, uint64_t match, StorePlace *place);
/* Makes this node the one where players of one kind wait for each other (`key` says which kind),
 * unless another node that works is already: `place` says which it is. So two players who look for
 * the same at two nodes meet. It asks another machine, as store_where() does. */
StoreStatus store_claim(Store *store, uint64_t key, StorePlace *place);
/* Nobody of that kind waits here any more. As store_claim(). */
void store_unclaim(Store *store, uint64_t key);
/* A table that is open at a node, as all nodes know it. The caller's numbers and bytes. */
enum { STORE_TABLE_KEYS = 3, STORE_TABLE_ADDRESSES = 2 };
typedef struct StoreTable {
    uint64_t match;
    int64_t rank;  /* lists begin with the smallest */
    uint8_t state; /* and first with that of the smallest state */
    bool listed;   /* false: it is found by its number and its keys only */
    char game[STORE_GAME_BYTES];
    uint64_t addresses[STORE_TABLE_ADDRESSES]; /* whose table it is; 0 = nobody's */
    uint64_t keys[STORE_TABLE_KEYS];           /* by which it is found; 0 = none */
    const char *bytes;                         /* NULL: it is not open any more */
    size_t count;
} StoreTable;
/* Writes tables of this node that have changed, each match at most once. STORE_OK: all nodes find
 * them from now on; otherwise nobody knows, and writing them again is harmless. It asks another
 * machine, as store_where() does, but by one thread at a time. */
StoreStatus store_publish(Store *store, const StoreTable *tables, uint32_t count);
/* Which tables of all nodes: those behind this state and rank, of this game. */
typedef struct StoreTablePage {
    const char *game; /* NULL = any */
    uint8_t state;
    int64_t rank; /* INT64_MIN = from the first of that state */
} StoreTablePage;
/* Lists up to `max` tables of nodes that work, in order, into *count; their bytes are in *memory,
 * which the caller frees. As store_archive_list(). */
StoreStatus store_tables(Store *store, const StoreTablePage *page, StoreTable *tables, uint32_t max,
                         uint32_t *count, char **memory);
/* One table by its number, as it was last written, and where it is now; STORE_UNKNOWN = it is not
 * open. As store_tables(). With a key of publishing instead of a number (0): the newest that has
 * it, in any of `states` (a bit for each). */
typedef struct StoreTableQuestion {
    uint64_t match, key;
    uint32_t states;
} StoreTableQuestion;
StoreStatus store_table(Store *store, const StoreTableQuestion *question, StoreTable *table,
                        StorePlace *place, char **memory);
/* Finishes all waiting work, then gives all open matches to the other nodes; see
 * StoreProgress.handed_over. Nothing can be appended any more. False = the store is not shared:
 * nothing happens. */
bool store_hand_over(Store *store);
/* A small document that all nodes share, such as the list of bans: the last one written counts, and
 * comes to all of them by store_take_shared(), also to those that start later. False = the store is
 * not shared, or there is no memory. */
enum { STORE_DOCUMENT_NAME_BYTES = 16 };
bool store_share(Store *store, const char *name, const void *bytes, size_t count);
/* The document of this name, if it has changed since the last call, in memory that the caller
 * frees; NULL = it has not. A name that ends in '*' is that of any document that begins so. */
char *store_take_shared(Store *store, const char *name, size_t *count);
/* Makes the tables of a shared store, or brings those of an older version up to date; `report` gets
 * a sentence for each step. A store that is not shared needs none. False = with a problem. */
bool store_upgrade(const char *place, void (*report)(void *owner, const char *sentence),
                   void *owner, MashText *problem);
/* Checks the settings of the database of a shared store; `report` gets a sentence for each that is
 * unsafe, with the statement that fixes it. The number of those that may lose what was announced in
 * *unsafe. False = it could not be asked, with a problem. */
bool store_check(const char *place, void (*report)(void *owner, const char *sentence), void *owner,
                 uint32_t *unsafe, MashText *problem);

/* Statistics of a store, for operators. */
typedef struct StoreStats {
    uint64_t matches;               /* open now */
    uint64_t queue_bytes;           /* waiting for the disk now */
    uint64_t segments;              /* files of the journal now */
    uint64_t journal_bytes;         /* their length */
    uint64_t records, groups, full; /* appended; written with one sync; refused as full */
    uint64_t finished;              /* matches archived since opening */
    uint64_t finishing;             /* matches that wait for the archive now */
    uint64_t archive_failures;      /* since opening: the archive could not be written, then tried
                                       again */
    uint64_t archive_bytes; /* what its files take now; 0 until it was first pruned by size */
    uint64_t pruned;        /* matches removed from the archive since opening */
    uint64_t free_bytes;    /* of the disk now, as far as it is known */
    bool low;               /* see StoreProgress */
    uint64_t removed;       /* files of the journal deleted or merged into another */
    uint32_t copies;        /* machines that have what is announced now; 0 = not known */
    uint32_t nodes;         /* of a shared store that work now */
    uint64_t taken;         /* matches that came from other nodes since opening */
    uint64_t asked;         /* answers that were lost and asked about since opening */
} StoreStats;
StoreStats store_stats(Store *store);

#endif
