/* recovery.h -- recovers open matches from the bytes of journal segments, which may be damaged.
 *
 * In memory only: segments are passed in as bytes, in ascending order, each once; problems are
 * reported as sentences. Guaranteed for any input: every record returned had valid checksums; those
 * of a match are ascending, 1, 2, 3 ... without gaps unless it is STORE_BROKEN. */
#ifndef STORE_RECOVERY_H
#define STORE_RECOVERY_H
#include "store/journal.h"
#include "store/ledger.h"
#include "store/store.h"

/* What was found of an open match. */
typedef struct RecoveredMatch {
    uint64_t match;
    uint8_t *bytes; /* its records one after the other, for recovery_record() */
    size_t bytes_count, bytes_max;
    uint64_t first_at, last_at; /* its first and last record, by the count of everything found */
    uint32_t records;
    uint32_t lost;             /* the highest number of its records known to be lost */
    uint32_t gap_from, gap_to; /* the first of its records that are not there; 0, 0 = none */
    bool torn;                 /* truncated by a torn write: nothing of it follows */
    bool marked;               /* the journal says that it is broken */
    StoreHealth health;        /* after recovery_finish() */
} RecoveredMatch;

/* A recovery in progress. Start with a ledger and the report callback; all else zero. */
typedef struct Recovery {
    OpenMatches *ledger;
    void (*report)(void *owner, const char *sentence);
    void *owner;
    uint64_t found;               /* things found so far */
    uint64_t unattributed_damage; /* `found` at the last damage whose match is unknown, or 0 */
    uint64_t torn_bytes;          /* in this segment: of an interrupted write */
    uint64_t
        orphans; /* in this segment: records after such a hole whose predecessors are missing */
    bool hole;   /* in this segment: valid records follow the missing bytes of the write */
    uint64_t stretches; /* in this segment: of damage */
} Recovery;

/* The state of a segment. */
typedef enum RecoveryScan {
    RECOVERY_CLEAN,
    RECOVERY_TORN,    /* the end of the last write is missing and nothing valid follows: it must be
                         rewritten without the rest */
    RECOVERY_DAMAGED, /* it must be copied aside, and rewritten without the damage */
    RECOVERY_OTHER,   /* another version of the format: nothing was read */
    RECOVERY_NO_MEMORY
} RecoveryScan;
/* Reads a segment, which the ledger knows as its last. `newest`: no segment follows. */
RecoveryScan recovery_scan(Recovery *recovery, const uint8_t *bytes, size_t count, uint32_t number,
                           bool newest);
/* Is this record of a segment worth keeping? The same for all copies of it. */
bool recovery_should_keep(const OpenMatches *ledger, const JournalRecord *record);
/* After the last segment: drops the matches that the archive has, and those of which only orphans
 * were found, and returns the others as an array in the order of their first records, which the
 * caller frees, each with recovery_release(). False = no memory, or `archived` answered below 0. */
bool recovery_finish(Recovery *recovery, int (*archived)(void *owner, uint64_t match), void *owner,
                     RecoveredMatch ***list, size_t *count);
/* Reads the record at *at and advances *at. */
bool recovery_record(const RecoveredMatch *saved, size_t *at, StoreRecord *record);
/* Releases what was found of a match. */
void recovery_release(RecoveredMatch *saved);
/* Releases what was found of all matches of the ledger, if recovery_finish() is not reached. */
void recovery_abandon(Recovery *recovery);

#endif
