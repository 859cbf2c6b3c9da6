/* embedded.h -- what the parts of the embedded store share. Only for store/.
 *
 *   DIR/lock                        held by the one process that uses the folder
 *   DIR/journal/0000002a.journal    segments, ascending; the last one is being written
 *   DIR/journal/00000007.damaged    one that was damaged, kept for people to look at
 *   DIR/archive/2026/11/ID.json     match files
 *   DIR/index.sqlite                their index
 *   DIR/players.sqlite              accounts, ratings, and who played which match
 *
 * Three threads: the caller's appends to a queue in memory; the writer writes the queue to the last
 * segment and syncs it, in groups; the archiver archives what is finished, then drops it, and
 * removes or merges segments that are no longer needed. They share the fields below `lock`. */
#ifndef STORE_EMBEDDED_H
#define STORE_EMBEDDED_H
#include <time.h>

#include "store/archive.h"
#include "store/backend.h"
#include "store/buffer.h"
#include "store/ledger.h"
#include "store/lock.h"
#include "store/recovery.h"

/* A finished match that waits for the archiver. */
typedef struct FinishJob FinishJob;
struct FinishJob {
    FinishJob *next;
    uint64_t ticket;
    ArchiveItem item; /* its bytes follow this struct */
};

/* The embedded store. */
typedef struct Embedded {
    Store store;
    StoreSetup setup; /* its strings are not valid any more */
    const StoreDisk *disk;
    char folder[DISK_PATH_BYTES], journal[DISK_PATH_BYTES];
    int lock_file;
    uint64_t journal_device, journal_inode; /* identify the journal's folder */
    Archive *archive;
    AccountFile *account_file;
    pthread_t writer, archiver;
    bool writer_runs, archiver_runs;

    /* The caller's: matches found at opening and not returned yet. */
    RecoveredMatch **found, *current;
    size_t found_count, found_at, current_at;

    /* The writer's: the segment it writes, the group it writes, and when the next may begin. */
    int segment_file;
    uint32_t segment;
    uint64_t segment_bytes, synced_bytes, secret;
    uint64_t written; /* the last ticket written */
    Buffer writing;
    struct timespec next;
    struct timespec
        next_segment; /* when a segment that could not be started is tried again; 0 = now */

    /* The archiver's. */
    struct timespec next_keep; /* when it may work again */
    uint32_t
        back_off_ms; /* the archive could not be written: delay until the next try; 0 = it could */
    struct timespec next_merge; /* when a failed merge of segments is tried again; 0 = now */
    bool removes_fail;          /* removing a segment failed, and is tried again */
    bool prunes_reported;       /* the failure of pruning was reported */

    StoreLock lock; /* protects everything below */
    pthread_cond_t writer_wakes, archiver_wakes;
    bool writer_ends, archiver_ends; /* as soon as nothing waits */
    bool sealed;                     /* a segment is complete: the archiver may check it */
    OpenMatches ledger;
    Buffer filling;         /* waiting records */
    uint64_t writing_bytes; /* of those that are being written */
    uint64_t tickets, finish_tickets;
    FinishJob *finish_first, *finish_last;
    uint64_t finish_bytes, finish_count;
    StorePrune prune; /* what the archiver is still to remove; all 0 = nothing */
    StoreProgress done;
    char failure[512];
    StoreStats stats;
} Embedded;

/* embedded.c */

/* A sentence for the log. */
void embedded_report(void *embedded, const char *sentence);
/* The store has failed permanently; only the first reason is kept. Not under the lock. */
void embedded_fail(Embedded *embedded, const char *reason);
/* Notifies the caller to check store_progress(). Not under the lock. */
void embedded_notify(Embedded *embedded);
/* Queues a record without checking for room. Under the lock. False = no memory. */
bool embedded_queue(Embedded *embedded, const JournalRecord *record);

/* Drops the match from the ledger and, by a record, from the journal. Under the lock. If the record
 * is lost or there is no memory for it, the next opening asks the archive. */
void embedded_forget_match(Embedded *embedded, uint64_t id, uint64_t time_ms);

/* segments.c */

/* At opening: reads all segments, repairs them, starts a new one. False = with a problem. */
bool segments_recover(Embedded *embedded, MashText *problem);
/* Is the segment being written still in the journal's folder, and the folder where it was? Whatever
 * is written to a deleted file is lost. False = with a problem. */
bool segments_are_there(const Embedded *embedded, MashText *problem);
/* Starts a new segment after the last. For the writer. False = with a problem; *stays = nothing has
 * changed, and the last segment may still be written. */
bool segments_begin(Embedded *embedded, bool *stays, MashText *problem);
/* Removes segments that nobody needs and merges those that are mostly unneeded. For the
 * archiver. */
void segments_compact(Embedded *embedded);

/* writer.c and archiver.c: the threads' main functions, and one step of each without waiting. */
void *writer_run(void *embedded);
void writer_step(Embedded *embedded);
void *archiver_run(void *embedded);
/* What the archive does not accept now keeps waiting, for back_off_ms. */
void archiver_step(Embedded *embedded);
/* Checks the free space of the disk, and reports when it becomes low or is no longer low. */
void archiver_check_disk(Embedded *embedded);

#endif
