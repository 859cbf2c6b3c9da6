/* ledger.h -- which matches are open, where in the journal their records are, and so which segments
 * are still needed. In memory only: no files, no locks; callers that share it must lock. */
#ifndef STORE_LEDGER_H
#define STORE_LEDGER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much of a segment belongs to a match. */
typedef struct SegmentExtent {
    uint64_t bytes;
    uint32_t segment; /* its number */
} SegmentExtent;

typedef struct OpenMatch OpenMatch;

/* An open match. */
struct OpenMatch {
    uint64_t id;
    OpenMatch *next;              /* in its bucket */
    struct RecoveredMatch *saved; /* while recovering: what was found of it */
    SegmentExtent *extents;       /* in the order of segments */
    uint64_t moving;              /* bytes that ledger_moved() will count */
    int64_t row;                  /* its number in a database; 0 = none yet */
    size_t extents_count, extents_max;
    uint32_t sequence; /* of its last record */
    bool finishing;    /* its file waits for the archive */
    bool broken;       /* records are lost */
};

/* A file of the journal. */
typedef struct LedgerSegment {
    uint64_t bytes, live; /* its length; how much of it belongs to open matches */
    uint32_t number;
} LedgerSegment;

/* All open matches and all segments. */
typedef struct OpenMatches {
    OpenMatch **buckets;
    size_t buckets_count, matches_count, matches_max;
    LedgerSegment *segments; /* ascending by number; the last one is being written */
    size_t segments_count, segments_max;
} OpenMatches;

/* An empty ledger for this many matches. False = no memory. */
bool ledger_init(OpenMatches *ledger, size_t matches_max);
/* Releases everything. It does not own `saved` of its matches. */
void ledger_release(OpenMatches *ledger);

/* The match, or NULL. */
OpenMatch *ledger_find(const OpenMatches *ledger, uint64_t id);
/* The match, created if it is not there. NULL = too many, or no memory. */
OpenMatch *ledger_add(OpenMatches *ledger, uint64_t id);
/* Removes the match and uncounts its bytes. */
void ledger_forget(OpenMatches *ledger, OpenMatch *match);
/* All of them, in no order, into an array with room for matches_count. */
void ledger_list(const OpenMatches *ledger, OpenMatch **out);

/* Adds a new segment after the last. False = no memory. */
bool ledger_open_segment(OpenMatches *ledger, uint32_t number, uint64_t bytes);
/* The segment of this number, or NULL. */
LedgerSegment *ledger_segment(const OpenMatches *ledger, uint32_t number);
/* The segment is gone; no match has bytes in it. */
void ledger_remove_segment(OpenMatches *ledger, uint32_t number);
/* Counts bytes of a match in a segment. False = no memory. */
bool ledger_count(OpenMatches *ledger, OpenMatch *match, uint32_t segment, uint64_t bytes);
/* The segments from `first` to `last` were rewritten as `first`, `bytes` long, with as many bytes
 * of each match as its `moving` says, which is cleared. */
void ledger_moved(OpenMatches *ledger, uint32_t first, uint32_t last, uint64_t bytes);
/* Nothing was rewritten: clears every match's `moving`. */
void open_matches_cancel_move(OpenMatches *ledger);

#endif
