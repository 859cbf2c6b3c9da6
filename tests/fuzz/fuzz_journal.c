/* fuzz_journal.c -- any bytes as a segment of the journal: unchanged, and with checksums corrected
 * wherever a record might be, so that the numbers in them are believed.
 *
 * For any input: records of a match ascend and have no gap unless it is broken, and what is
 * rewritten from it reads the same, without damage. */
#include <stdlib.h>
#include <string.h>

#include "store/recovery.h"

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

enum { NUMBER = 5, BYTES_MAX = 1 << 16, SECRET = 77 };

static void must(bool holds) {
    if (!holds)
        __builtin_trap();
}

static void count_line(void *owner, const char *sentence) {
    must(strlen(sentence) > 10);
    ++*(uint32_t *)owner;
}

/* Every 16th match is in the archive, no other. */
static int archived(void *owner, uint64_t match) {
    (void)owner;
    return match % 16 == 15;
}

/* A whole recovery of one segment. */
typedef struct Result {
    OpenMatches ledger;
    RecoveredMatch **list;
    size_t count;
    RecoveryScan scan;
    uint32_t lines;
} Result;

static void recover(Result *result, const uint8_t *bytes, size_t count, bool newest) {
    *result = (Result){0};
    must(ledger_init(&result->ledger, SIZE_MAX));
    Recovery recovery = {.ledger = &result->ledger, .report = count_line, .owner = &result->lines};
    must(ledger_open_segment(&result->ledger, NUMBER, count));
    result->scan = recovery_scan(&recovery, bytes, count, NUMBER, newest);
    must(result->scan != RECOVERY_NO_MEMORY);
    must(result->scan == RECOVERY_CLEAN || result->lines > 0);
    must(result->scan != RECOVERY_TORN || newest);
    must(recovery_finish(&recovery, archived, NULL, &result->list, &result->count));
}

static void release(Result *result) {
    for (size_t i = 0; i < result->count; i++)
        recovery_release(result->list[i]);
    free(result->list);
    ledger_release(&result->ledger);
}

/* The records of each match are as promised, and the ledger has them. */
static void check(const Result *result) {
    must(result->count == result->ledger.matches_count);
    for (size_t i = 0; i < result->count; i++) {
        const RecoveredMatch *saved = result->list[i];
        OpenMatch *match = ledger_find(&result->ledger, saved->match);
        must(match != NULL && !archived(NULL, saved->match));
        must(i == 0 || result->list[i - 1]->first_at <= saved->first_at);
        StoreRecord record;
        uint32_t last = 0, count = 0;
        for (size_t at = 0; recovery_record(saved, &at, &record); count++) {
            must(record.match == saved->match && record.kind < STORE_KINDS);
            must(record.sequence > last);
            must(record.sequence == last + 1 || saved->health == STORE_BROKEN);
            last = record.sequence;
        }
        must(count == saved->records && last == match->sequence);
        must(match->broken == (saved->health == STORE_BROKEN));
    }
}

/* Rewrites the kept records, as the store does; the length. */
static size_t rewrite(const Result *result, const uint8_t *bytes, size_t count, uint8_t *out) {
    JournalReader reader;
    JournalRecord record;
    JournalDamage damage;
    size_t length = JOURNAL_HEAD_BYTES;
    journal_put_head(out, NUMBER, SECRET);
    journal_open(&reader, bytes, count);
    for (JournalItem item; (item = journal_next(&reader, &record, &damage)) != JOURNAL_END;) {
        if (item != JOURNAL_RECORD || !recovery_should_keep(&result->ledger, &record))
            continue;
        journal_put_record(out + length, &record);
        length += JOURNAL_RECORD_BYTES + (size_t)record.count;
    }
    journal_seal(out + JOURNAL_HEAD_BYTES, length - JOURNAL_HEAD_BYTES, JOURNAL_HEAD_BYTES, 0,
                 SECRET);
    return length;
}

/* The same match there, or NULL. */
static const RecoveredMatch *find(const Result *result, uint64_t match) {
    size_t i = 0;
    while (i < result->count && result->list[i]->match != match)
        i++;
    return i == result->count ? NULL : result->list[i];
}

/* What was rewritten has the same records. A match of which nothing is left is not found again; one
 * broken only by what is lost after its end is marked in the journal by the store. */
static void same(const Result *one, const Result *two) {
    size_t left = 0;
    must(two->scan == RECOVERY_CLEAN);
    for (size_t i = 0; i < one->count; i++) {
        const RecoveredMatch *a = one->list[i], *b = find(two, a->match);
        if (a->records == 0 && !a->marked)
            continue;
        left++;
        must(b != NULL && a->records == b->records && a->bytes_count == b->bytes_count);
        must(a->records == 0 || memcmp(a->bytes, b->bytes, a->bytes_count) == 0);
        must(a->health == STORE_BROKEN || b->health == STORE_WHOLE);
    }
    must(left == two->count);
}

static void attempt(const uint8_t *bytes, size_t count, bool newest) {
    static uint8_t anew[BYTES_MAX];
    Result first, second;
    recover(&first, bytes, count, newest);
    check(&first);
    if (first.scan != RECOVERY_OTHER) {
        size_t length = rewrite(&first, bytes, count, anew);
        must(length <= count || length == JOURNAL_HEAD_BYTES);
        recover(&second, anew, length, !newest);
        check(&second);
        same(&first, &second);
        release(&second);
    }
    release(&first);
}

/* Corrects checksums: wherever a record may be, its count is made to fit and it is sealed. One in
 * eight, by its sequence number, stays unchanged. */
static void repair(uint8_t *bytes, size_t count) {
    journal_put_head(bytes, NUMBER, SECRET);
    size_t at = JOURNAL_HEAD_BYTES;
    while (count - at >= JOURNAL_RECORD_BYTES) {
        uint8_t *head = bytes + at;
        JournalRecord record = {.sequence = head[32] & 15,
                                .count = head[40] % 64,
                                .bytes = head + JOURNAL_RECORD_BYTES,
                                .kind = head[44] > 250 ? (uint16_t)(0xff00 | head[44]) : head[44]};
        record.match = record.kind == JOURNAL_FINISHED ? head[16] | 15 : head[16];
        size_t left = count - at - JOURNAL_RECORD_BYTES;
        record.count = record.count > left ? (uint32_t)left : record.count;
        uint8_t sealed[JOURNAL_RECORD_BYTES + 64];
        journal_put_record(sealed, &record);
        size_t length = JOURNAL_RECORD_BYTES + (size_t)record.count;
        bool one_group = head[36] % 2 == 0;
        journal_seal(sealed, length, (uint32_t)at, one_group ? JOURNAL_HEAD_BYTES : 0, SECRET);
        if (head[32] >> 5 != 7)
            memcpy(head, sealed, length);
        at += length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static uint8_t copy[BYTES_MAX];
    if (count > sizeof copy)
        return 0;
    attempt(bytes, count, true);
    attempt(bytes, count, false);
    if (count < JOURNAL_HEAD_BYTES)
        return 0;
    memcpy(copy, bytes, count);
    repair(copy, count);
    attempt(copy, count, true);
    attempt(copy, count, false);
    return 0;
}
