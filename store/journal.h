/* journal.h -- the bytes of a journal segment: heads, records, and how to read what may be damaged.
 *
 * A segment is a head of 64 bytes (twice the same 32, so that one may be lost) and records without
 * gaps between them. A record is 48 bytes and its payload. The checksum of the record's head covers
 * everything, the payload through the payload's own checksum, and is keyed by a secret number of
 * the segment: bytes that a player chose, in the payload of a damaged record, cannot pass as a
 * record. A damaged head is skipped by searching for the next valid one; a damaged payload under a
 * valid head is skipped by its length, and its record is known. All numbers are little-endian.
 *
 * `group` is where in the segment the group of records begins that was synced with this one: what
 * lies before it was synced when this record was written, and what is missing there is damage. From
 * the last group of the last segment on it may be a write that a crash interrupted, which was never
 * announced (except with announce_before_sync, which takes that risk). A record whose group seems
 * to begin after itself is at too low an offset: bytes before it are missing, which no crash
 * causes. */
#ifndef STORE_JOURNAL_H
#define STORE_JOURNAL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sizes, the version of the format, and the kinds of record that the store writes itself. */
enum {
    JOURNAL_VERSION = 1,
    JOURNAL_HEAD_BYTES = 64,
    JOURNAL_RECORD_BYTES = 48,           /* a record without its payload */
    JOURNAL_SEGMENT_BYTES_MAX = 1 << 30, /* nothing longer is read */
    JOURNAL_FINISHED = 0xffff,           /* the match is in the archive; sequence 0, no payload */
    JOURNAL_BROKEN = 0xfffe              /* records of the match are lost; sequence 0, no payload */
};

/* One record. `at` and `group` are offsets in the segment. */
typedef struct JournalRecord {
    uint64_t match, time_ms;
    uint32_t sequence, at, group, count;
    const uint8_t *bytes;
    uint16_t kind;
} JournalRecord;

/* Writes the head of a segment. */
void journal_put_head(uint8_t out[JOURNAL_HEAD_BYTES], uint32_t number, uint64_t secret);
/* Writes a record without what depends on its offset. `out` has room for its head and payload. */
void journal_put_record(uint8_t *out, const JournalRecord *record);
/* Completes all records of a run that will lie at `at` of a segment with this secret. Their group
 * begins at `group`, before them or with them; 0 = each is its own. */
void journal_seal(uint8_t *records, size_t count, uint32_t at, uint32_t group, uint64_t secret);
/* The match of the record that begins here, and its length with the head; the bytes are our own. */
uint64_t journal_peek(const uint8_t *record, uint32_t *length);

/* The state of a segment's head. */
typedef enum JournalHead {
    JOURNAL_HEAD_GOOD,
    JOURNAL_HEAD_HALF,  /* one of the two copies is damaged */
    JOURNAL_HEAD_LOST,  /* no copy is readable, and so no record can be checked */
    JOURNAL_HEAD_OTHER, /* of another version, which is named */
} JournalHead;

/* Reads a segment from memory that stays. */
typedef struct JournalReader {
    const uint8_t *bytes;
    size_t count, at;
    uint64_t secret;
    uint64_t missing; /* bytes known to be missing before `at` */
    uint32_t number, version;
} JournalReader;
JournalHead journal_open(JournalReader *reader, const uint8_t *bytes, size_t count);

/* A stretch that is not a record, or an offset where at least this many bytes are missing. `named`:
 * it was this record of this match. */
typedef struct JournalDamage {
    size_t from, to, missing;
    bool named;
    uint64_t match;
    uint32_t sequence;
} JournalDamage;

/* What comes next in a segment. */
typedef enum JournalItem { JOURNAL_END, JOURNAL_RECORD, JOURNAL_DAMAGE } JournalItem;
JournalItem journal_next(JournalReader *reader, JournalRecord *record, JournalDamage *damage);

#endif
