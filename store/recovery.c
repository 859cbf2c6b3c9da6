/* recovery.c -- see recovery.h. */
#include "store/recovery.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STRETCHES_REPORTED_MAX = 8 /* of one segment, with one sentence each */ };

/* How a record is kept in RecoveredMatch.bytes: this, then its payload. */
typedef struct SavedRecord {
    uint64_t time_ms;
    uint32_t sequence, count;
    uint16_t kind, zero[3];
} SavedRecord;

static void report(const Recovery *recovery, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Reports a sentence about what was found. */
static void report(const Recovery *recovery, const char *format, ...) {
    char sentence[256];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    recovery->report(recovery->owner, sentence);
}

void recovery_release(RecoveredMatch *saved) {
    if (saved != NULL)
        free(saved->bytes);
    free(saved);
}

/* --- One record ------------------------------------------------------------------------------ */

/* The match, with `saved` for what is found of it. NULL = no memory. */
static OpenMatch *match_of(Recovery *recovery, uint64_t id) {
    OpenMatch *match = ledger_add(recovery->ledger, id);
    if (match == NULL || match->saved != NULL)
        return match;
    match->saved = calloc(1, sizeof *match->saved);
    if (match->saved == NULL) {
        ledger_forget(recovery->ledger, match);
        return NULL;
    }
    match->saved->match = id;
    match->saved->first_at = recovery->found;
    return match;
}

/* Drops a match with all that was kept of it. */
static void forget(Recovery *recovery, OpenMatch *match) {
    recovery_release(match->saved);
    ledger_forget(recovery->ledger, match);
}

/* Keeps a copy of the record. False = no memory. */
static bool save(RecoveredMatch *saved, const JournalRecord *record) {
    SavedRecord head = {record->time_ms, record->sequence, record->count, record->kind, {0}};
    size_t need = saved->bytes_count + sizeof head + record->count;
    if (need > saved->bytes_max) {
        size_t max = need < 512 ? 512 : need + need / 2;
        uint8_t *more = realloc(saved->bytes, max);
        if (more == NULL)
            return false;
        saved->bytes = more;
        saved->bytes_max = max;
    }
    memcpy(saved->bytes + saved->bytes_count, &head, sizeof head);
    memcpy(saved->bytes + saved->bytes_count + sizeof head, record->bytes, record->count);
    saved->bytes_count = need;
    saved->records++;
    return true;
}

bool recovery_record(const RecoveredMatch *saved, size_t *at, StoreRecord *record) {
    SavedRecord head;
    if (*at >= saved->bytes_count)
        return false;
    memcpy(&head, saved->bytes + *at, sizeof head);
    *record = (StoreRecord){.match = saved->match,
                            .time_ms = head.time_ms,
                            .sequence = head.sequence,
                            .count = head.count,
                            .bytes = saved->bytes + *at + sizeof head,
                            .kind = head.kind};
    *at += sizeof head + head.count;
    return true;
}

/* Records of the match are missing before this one. */
static void take_gap(Recovery *recovery, OpenMatch *match, uint32_t sequence) {
    RecoveredMatch *saved = match->saved;
    bool torn = recovery->torn_bytes > 0 && recovery->unattributed_damage == 0;
    saved->torn = torn && saved->lost <= match->sequence;
    if (saved->torn) {
        report(recovery,
               "match %016" PRIx64 ": its records from %" PRIu32 " on were in a write that did not "
               "reach the disk whole; it goes on behind record %" PRIu32,
               match->id, match->sequence + 1, match->sequence);
        return;
    }
    match->broken = true;
    if (saved->gap_from == 0) {
        saved->gap_from = match->sequence + 1;
        saved->gap_to = sequence - 1;
    }
}

/* Reads a record of the caller's. A number already seen is a copy, left by an interrupted merge of
 * segments. A number too high is a gap: after a torn write the record was never announced either,
 * and is dropped; otherwise the match is broken. False = no memory. */
static bool take_record(Recovery *recovery, OpenMatch *match, const JournalRecord *record) {
    if (record->sequence <= match->sequence)
        return true;
    if (record->sequence > match->sequence + 1 && !match->saved->torn)
        take_gap(recovery, match, record->sequence);
    if (match->saved->torn) {
        recovery->orphans++;
        return true;
    }
    match->sequence = record->sequence;
    match->saved->last_at = recovery->found;
    return save(match->saved, record);
}

/* Does it belong to a match: a record of the caller's, or that the match is broken? */
static bool belongs(const JournalRecord *record) {
    return record->kind < STORE_KINDS ? record->sequence > 0
                                      : record->kind == JOURNAL_BROKEN && record->sequence == 0;
}

/* Reads any record. False = no memory. */
static bool take(Recovery *recovery, const JournalRecord *record, uint32_t segment) {
    recovery->hole = recovery->hole || recovery->torn_bytes > 0;
    if (record->kind == JOURNAL_FINISHED) {
        OpenMatch *match = ledger_find(recovery->ledger, record->match);
        if (match != NULL)
            forget(recovery, match);
        return true;
    }
    if (!belongs(record))
        return true;
    OpenMatch *match = match_of(recovery, record->match);
    if (match == NULL || !ledger_count(recovery->ledger, match, segment,
                                       (uint64_t)JOURNAL_RECORD_BYTES + record->count))
        return false;
    if (record->kind != JOURNAL_BROKEN)
        return take_record(recovery, match, record);
    match->broken = true;
    match->saved->marked = true;
    return true;
}

bool recovery_should_keep(const OpenMatches *ledger, const JournalRecord *record) {
    const OpenMatch *match = ledger_find(ledger, record->match);
    return match != NULL && belongs(record) && record->sequence <= match->sequence;
}

/* --- One segment ----------------------------------------------------------------------------- */

/* Handles a stretch of damage. False = no memory. */
static bool take_damage(Recovery *recovery, const JournalDamage *damage, uint32_t number,
                        bool torn) {
    size_t bytes = damage->to - damage->from;
    if (torn) {
        recovery->torn_bytes += bytes;
        return true;
    }
    bool unreported = ++recovery->stretches > STRETCHES_REPORTED_MAX;
    if (!damage->named) {
        recovery->unattributed_damage = recovery->found;
        if (!unreported && damage->missing > 0)
            report(recovery,
                   "journal %08" PRIx32
                   ": %zu bytes or more are missing before byte %zu; what they "
                   "were is unknown",
                   number, damage->missing, damage->from);
        else if (!unreported)
            report(recovery,
                   "journal %08" PRIx32 ": %zu damaged bytes at offset %zu, content unknown",
                   number, bytes, damage->from);
        return true;
    }
    if (!unreported)
        report(recovery,
               "journal %08" PRIx32 ": %zu bytes are damaged from byte %zu on; they were "
               "record %" PRIu32 " of match %016" PRIx64,
               number, bytes, damage->from, damage->sequence, damage->match);
    if (damage->sequence == 0)
        return true;
    OpenMatch *match = match_of(recovery, damage->match);
    if (match != NULL && match->saved->lost < damage->sequence)
        match->saved->lost = damage->sequence;
    return match != NULL;
}

/* Where the last group of a segment begins. */
static size_t last_group(JournalReader reader) {
    JournalRecord record;
    JournalDamage damage;
    size_t group = JOURNAL_HEAD_BYTES;
    for (JournalItem item; (item = journal_next(&reader, &record, &damage)) != JOURNAL_END;)
        group = item == JOURNAL_RECORD ? record.group : group;
    return group;
}

/* The sentences about the whole segment. */
static RecoveryScan conclude(const Recovery *recovery, uint32_t number, size_t torn_at) {
    if (recovery->stretches > STRETCHES_REPORTED_MAX)
        report(recovery, "journal %08" PRIx32 ": %" PRIu64 " more stretches are damaged", number,
               recovery->stretches - STRETCHES_REPORTED_MAX);
    if (recovery->hole)
        report(recovery,
               "journal %08" PRIx32 ": the last write has a hole from byte %zu on: %" PRIu64
               " bytes are unreadable, and %" PRIu64 " records behind them belong to nothing",
               number, torn_at, recovery->torn_bytes, recovery->orphans);
    else if (recovery->torn_bytes > 0)
        report(recovery,
               "journal %08" PRIx32 ": incomplete last write at offset %zu: %" PRIu64
               " bytes are removed",
               number, torn_at, recovery->torn_bytes);
    if (recovery->stretches > 0 || recovery->hole)
        return RECOVERY_DAMAGED;
    return recovery->torn_bytes > 0 ? RECOVERY_TORN : RECOVERY_CLEAN;
}

/* Checks the head. Everything but JOURNAL_HEAD_GOOD is reported. */
static JournalHead look_at_head(Recovery *recovery, JournalReader *reader, const uint8_t *bytes,
                                size_t count, uint32_t number) {
    JournalHead head = journal_open(reader, bytes, count);
    if (head == JOURNAL_HEAD_OTHER)
        report(recovery,
               "journal %08" PRIx32 ": its format is version %" PRIu32
               ", and this program reads version %d",
               number, reader->version, JOURNAL_VERSION);
    if (head == JOURNAL_HEAD_LOST)
        report(recovery, "journal %08" PRIx32 ": damaged header, none of its %zu bytes can be read",
               number, count);
    if (head == JOURNAL_HEAD_HALF)
        report(recovery, "journal %08" PRIx32 ": one of two headers is damaged; using the other",
               number);
    if (head != JOURNAL_HEAD_LOST && reader->number != number)
        report(recovery, "journal %08" PRIx32 ": its head says that it is number %08" PRIx32,
               number, reader->number);
    return head;
}

RecoveryScan recovery_scan(Recovery *recovery, const uint8_t *bytes, size_t count, uint32_t number,
                           bool newest) {
    JournalReader reader;
    recovery->torn_bytes = recovery->orphans = recovery->stretches = 0;
    recovery->hole = false;
    recovery->found++;
    JournalHead head = look_at_head(recovery, &reader, bytes, count, number);
    if (head == JOURNAL_HEAD_OTHER)
        return RECOVERY_OTHER;
    if (head == JOURNAL_HEAD_LOST) {
        recovery->unattributed_damage = recovery->found;
        return RECOVERY_DAMAGED;
    }
    size_t torn_from = newest ? last_group(reader) : SIZE_MAX, torn_at = 0;
    JournalRecord record;
    JournalDamage damage;
    for (JournalItem item; (item = journal_next(&reader, &record, &damage)) != JOURNAL_END;) {
        recovery->found++;
        bool torn = item == JOURNAL_DAMAGE && damage.missing == 0 && damage.from >= torn_from;
        if (torn && recovery->torn_bytes == 0)
            torn_at = damage.from;
        if (item == JOURNAL_RECORD ? !take(recovery, &record, number)
                                   : !take_damage(recovery, &damage, number, torn))
            return RECOVERY_NO_MEMORY;
    }
    RecoveryScan scan = conclude(recovery, number, torn_at);
    return head == JOURNAL_HEAD_HALF ? RECOVERY_DAMAGED : scan;
}

/* --- All of them ----------------------------------------------------------------------------- */

/* For qsort(): the oldest match first. */
static int by_first(const void *a, const void *b) {
    const RecoveredMatch *one = *(RecoveredMatch *const *)a, *two = *(RecoveredMatch *const *)b;
    return (one->first_at > two->first_at) - (one->first_at < two->first_at);
}

/* Determines the match's health, when everything is known. New losses are reported. */
static void settle_match(const Recovery *recovery, const OpenMatch *match) {
    RecoveredMatch *saved = match->saved;
    bool behind = saved->gap_from == 0; /* no record follows the lost ones */
    if (match->broken && !saved->marked)
        report(recovery, "match %016" PRIx64 ": records %" PRIu32 " to %" PRIu32 " are lost",
               match->id, behind ? match->sequence + 1 : saved->gap_from,
               behind ? saved->lost : saved->gap_to);
    bool doubtful = recovery->unattributed_damage > saved->last_at;
    saved->health = match->broken ? STORE_BROKEN : doubtful ? STORE_DOUBTFUL : STORE_WHOLE;
}

bool recovery_finish(Recovery *recovery, int (*archived)(void *owner, uint64_t match), void *owner,
                     RecoveredMatch ***list, size_t *count) {
    size_t found = recovery->ledger->matches_count;
    OpenMatch **matches = calloc(found + 1, sizeof *matches);
    *list = calloc(found + 1, sizeof **list);
    *count = 0;
    bool settled = matches != NULL && *list != NULL;
    if (settled)
        ledger_list(recovery->ledger, matches);
    for (size_t i = 0; settled && i < found; i++) {
        OpenMatch *match = matches[i];
        match->broken = match->broken || match->saved->lost > match->sequence;
        int known = archived(owner, match->id);
        settled = known >= 0;
        bool was_never = match->saved->records == 0 && !match->broken;
        if (known > 0 || was_never)
            forget(recovery, match);
    }
    if (settled) {
        found = recovery->ledger->matches_count;
        ledger_list(recovery->ledger, matches);
        for (size_t i = 0; i < found; i++) {
            settle_match(recovery, matches[i]);
            (*list)[i] = matches[i]->saved;
            matches[i]->saved = NULL;
        }
        qsort(*list, found, sizeof **list, by_first);
        *count = found;
    }
    free(matches);
    if (!settled) {
        free(*list);
        *list = NULL;
    }
    return settled;
}

void recovery_abandon(Recovery *recovery) {
    for (size_t i = 0; i < recovery->ledger->buckets_count; i++)
        for (OpenMatch *match = recovery->ledger->buckets[i]; match != NULL; match = match->next) {
            recovery_release(match->saved);
            match->saved = NULL;
        }
}
