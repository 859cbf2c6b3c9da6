/* journal.c -- see journal.h. */
#include "store/journal.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "store/store.h"

/* A segment's header, which is stored twice. */
typedef struct SegmentHead {
    uint8_t magic[8];
    uint32_t version, number;
    uint64_t secret, sum;
} SegmentHead;
static_assert(sizeof(SegmentHead) * 2 == JOURNAL_HEAD_BYTES, "two heads without gaps");

/* A record's head. */
typedef struct RecordHead {
    uint32_t mark, sum;
    uint64_t payload_sum, match, time_ms;
    uint32_t sequence, group, count;
    uint16_t kind, zero;
} RecordHead;
static_assert(sizeof(RecordHead) == JOURNAL_RECORD_BYTES, "no gaps");

static const uint8_t magic[8] = {'m', 'a', 's', 'h', 'l', 'o', 'g', '\n'};
static const uint32_t record_mark = 0xa5d3c1f7u; /* no text has these bytes */

/* The check sum of a segment's head. */
static uint64_t segment_sum(const SegmentHead *head) {
    return hash_bytes(0, head, offsetof(SegmentHead, sum));
}

/* The checksum of everything after the checksum itself. */
static uint32_t record_sum(const RecordHead *head, uint64_t secret) {
    const uint8_t *from = (const uint8_t *)head + offsetof(RecordHead, payload_sum);
    return (uint32_t)hash_bytes(secret, from, sizeof *head - offsetof(RecordHead, payload_sum));
}

void journal_put_head(uint8_t out[JOURNAL_HEAD_BYTES], uint32_t number, uint64_t secret) {
    SegmentHead head = {.version = JOURNAL_VERSION, .number = number, .secret = secret};
    memcpy(head.magic, magic, sizeof magic);
    head.sum = segment_sum(&head);
    memcpy(out, &head, sizeof head);
    memcpy(out + sizeof head, &head, sizeof head);
}

void journal_put_record(uint8_t *out, const JournalRecord *record) {
    assert(record->count <= STORE_RECORD_BYTES_MAX);
    const void *payload = record->count == 0 ? "" : (const void *)record->bytes;
    RecordHead head = {.mark = record_mark,
                       .payload_sum = hash_bytes(1, payload, record->count),
                       .match = record->match,
                       .time_ms = record->time_ms,
                       .sequence = record->sequence,
                       .count = record->count,
                       .kind = record->kind};
    memcpy(out, &head, sizeof head);
    memcpy(out + sizeof head, payload, record->count);
}

void journal_seal(uint8_t *records, size_t count, uint32_t at, uint32_t group, uint64_t secret) {
    for (size_t i = 0; i < count;) {
        RecordHead head;
        memcpy(&head, records + i, sizeof head);
        head.group = group > 0 ? group : at + (uint32_t)i;
        head.sum = record_sum(&head, secret);
        memcpy(records + i, &head, sizeof head);
        i += sizeof head + head.count;
        assert(i <= count);
    }
}

uint64_t journal_peek(const uint8_t *record, uint32_t *length) {
    RecordHead head;
    memcpy(&head, record, sizeof head);
    *length = JOURNAL_RECORD_BYTES + head.count;
    return head.match;
}

JournalHead journal_open(JournalReader *reader, const uint8_t *bytes, size_t count) {
    *reader = (JournalReader){.bytes = bytes, .count = count, .at = JOURNAL_HEAD_BYTES};
    uint32_t good = 0;
    for (size_t i = 0; i < JOURNAL_HEAD_BYTES; i += sizeof(SegmentHead)) {
        SegmentHead head;
        if (count < i + sizeof head)
            continue;
        memcpy(&head, bytes + i, sizeof head);
        if (memcmp(head.magic, magic, sizeof magic) != 0 || head.sum != segment_sum(&head))
            continue;
        reader->number = head.number;
        reader->version = head.version;
        reader->secret = head.secret;
        good++;
    }
    if (good == 0) {
        reader->at = count;
        return JOURNAL_HEAD_LOST;
    }
    if (reader->version != JOURNAL_VERSION)
        return JOURNAL_HEAD_OTHER;
    return good == 2 ? JOURNAL_HEAD_GOOD : JOURNAL_HEAD_HALF;
}

/* Is there a good record head here? */
static bool head_at(const JournalReader *reader, size_t at, RecordHead *head) {
    if (reader->count - at < sizeof *head)
        return false;
    memcpy(head, reader->bytes + at, sizeof *head);
    return head->mark == record_mark && head->sum == record_sum(head, reader->secret) &&
           head->count <= STORE_RECORD_BYTES_MAX;
}

/* The offset of the first valid record header from `at` on, or the end. */
static size_t next_head(const JournalReader *reader, size_t at) {
    RecordHead head;
    while (at < reader->count) {
        const uint8_t *found =
            memchr(reader->bytes + at, (int)(record_mark & 0xff), reader->count - at);
        if (found == NULL)
            return reader->count;
        at = (size_t)(found - reader->bytes);
        if (head_at(reader, at, &head))
            return at;
        at++;
    }
    return reader->count;
}

JournalItem journal_next(JournalReader *reader, JournalRecord *record, JournalDamage *damage) {
    size_t at = reader->at;
    RecordHead head;
    if (at >= reader->count)
        return JOURNAL_END;
    if (!head_at(reader, at, &head)) {
        reader->at = next_head(reader, at + 1);
        *damage = (JournalDamage){.from = at, .to = reader->at};
        return JOURNAL_DAMAGE;
    }
    if (head.group > at + reader->missing) {
        *damage = (JournalDamage){.from = at, .to = at};
        damage->missing = head.group - at - reader->missing;
        reader->missing += damage->missing;
        return JOURNAL_DAMAGE;
    }
    const uint8_t *payload = reader->bytes + at + sizeof head;
    size_t left = reader->count - at - sizeof head;
    reader->at = head.count > left ? reader->count : at + sizeof head + head.count;
    if (head.count > left || hash_bytes(1, payload, head.count) != head.payload_sum) {
        *damage = (JournalDamage){.from = at,
                                  .to = reader->at,
                                  .named = true,
                                  .match = head.match,
                                  .sequence = head.sequence};
        return JOURNAL_DAMAGE;
    }
    *record = (JournalRecord){.match = head.match,
                              .time_ms = head.time_ms,
                              .sequence = head.sequence,
                              .at = (uint32_t)at,
                              .group = head.group,
                              .count = head.count,
                              .bytes = payload,
                              .kind = head.kind};
    return JOURNAL_RECORD;
}
