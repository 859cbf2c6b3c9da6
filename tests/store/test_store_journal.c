/* test_store_journal.c -- records of a segment in memory: what is written is read again, and each
 * kind of damage is reported with its exact location. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "store/journal.h"
#include "store/store.h"

enum { SECRET = 0x5ec2e7, SEGMENT = 7, RECORDS = 5, BYTES_MAX = 4096 };

/* A segment with some records; payload i has 10 * i bytes. `at` has their offsets. */
typedef struct TestSegment {
    uint8_t bytes[BYTES_MAX];
    size_t count, at[RECORDS + 1];
} TestSegment;

/* Records from `grouped` on were written in one group, those before each on its own. */
static TestSegment segment_of(uint32_t grouped) {
    TestSegment segment = {.count = JOURNAL_HEAD_BYTES};
    uint8_t payload[64];
    journal_put_head(segment.bytes, SEGMENT, SECRET);
    for (uint32_t i = 0; i < RECORDS; i++) {
        memset(payload, 'a' + (int)i, sizeof payload);
        JournalRecord record = {.match = 100 + i,
                                .time_ms = 5000 + i,
                                .sequence = i + 1,
                                .count = 10 * i,
                                .bytes = payload,
                                .kind = (uint16_t)(i + 3)};
        segment.at[i] = segment.count;
        journal_put_record(segment.bytes + segment.count, &record);
        size_t length = JOURNAL_RECORD_BYTES + record.count;
        uint32_t group = i >= grouped ? (uint32_t)segment.at[grouped] : 0;
        journal_seal(segment.bytes + segment.count, length, (uint32_t)segment.count, group, SECRET);
        segment.count += length;
    }
    segment.at[RECORDS] = segment.count;
    return segment;
}

/* Removes a range from the file, as no crash does. */
static void cut(TestSegment *segment, size_t from, size_t to) {
    memmove(segment->bytes + from, segment->bytes + to, segment->count - to);
    segment->count -= to - from;
}

static JournalReader open_segment(const TestSegment *segment) {
    JournalReader reader;
    assert_int_equal(journal_open(&reader, segment->bytes, segment->count), JOURNAL_HEAD_GOOD);
    assert_int_equal(reader.number, SEGMENT);
    return reader;
}

static void expect_record(JournalReader *reader, uint32_t i) {
    JournalRecord record;
    JournalDamage damage;
    assert_int_equal(journal_next(reader, &record, &damage), JOURNAL_RECORD);
    assert_int_equal(record.match, 100 + i);
    assert_int_equal(record.time_ms, 5000 + i);
    assert_int_equal(record.sequence, i + 1);
    assert_int_equal(record.count, 10 * i);
    assert_int_equal(record.kind, i + 3);
    for (uint32_t at = 0; at < record.count; at++)
        assert_int_equal(record.bytes[at], 'a' + i);
}

static JournalDamage expect_damage(JournalReader *reader, size_t from, size_t to) {
    JournalRecord record;
    JournalDamage damage = {.missing = 99};
    assert_int_equal(journal_next(reader, &record, &damage), JOURNAL_DAMAGE);
    assert_int_equal(damage.from, from);
    assert_int_equal(damage.to, to);
    return damage;
}

static void expect_end(JournalReader *reader) {
    JournalRecord record;
    JournalDamage damage;
    assert_int_equal(journal_next(reader, &record, &damage), JOURNAL_END);
}

static void what_is_written_is_read(void **unused) {
    (void)unused;
    for (uint32_t grouped = 0; grouped <= RECORDS; grouped++) {
        TestSegment segment = segment_of(grouped);
        JournalReader reader = open_segment(&segment);
        for (uint32_t i = 0; i < RECORDS; i++) {
            JournalRecord record;
            JournalDamage damage;
            JournalReader copy = reader;
            assert_int_equal(journal_next(&copy, &record, &damage), JOURNAL_RECORD);
            assert_int_equal(record.at, segment.at[i]);
            assert_int_equal(record.group, segment.at[i >= grouped ? grouped : i]);
            uint32_t length;
            assert_int_equal(journal_peek(segment.bytes + record.at, &length), 100 + i);
            assert_int_equal(length, JOURNAL_RECORD_BYTES + record.count);
            expect_record(&reader, i);
        }
        expect_end(&reader);
        expect_end(&reader);
    }
}

/* A run of several records is sealed in one call, each at its own location. */
static void a_run_is_sealed_at_once(void **unused) {
    (void)unused;
    TestSegment segment = segment_of(RECORDS), again = segment;
    journal_seal(again.bytes + JOURNAL_HEAD_BYTES, again.count - JOURNAL_HEAD_BYTES,
                 JOURNAL_HEAD_BYTES, 0, SECRET + 1);
    assert_memory_not_equal(again.bytes, segment.bytes, segment.count);
    journal_seal(again.bytes + JOURNAL_HEAD_BYTES, again.count - JOURNAL_HEAD_BYTES,
                 JOURNAL_HEAD_BYTES, 0, SECRET);
    assert_memory_equal(again.bytes, segment.bytes, segment.count);
}

/* The file may end anywhere: complete records are read, the rest is one range of damage. */
static void cut_anywhere(void **unused) {
    (void)unused;
    for (size_t count = JOURNAL_HEAD_BYTES; count < segment_of(RECORDS).count; count++) {
        TestSegment segment = segment_of(RECORDS);
        uint32_t whole = 0;
        while (segment.at[whole + 1] <= count)
            whole++;
        segment.count = count;
        JournalReader reader = open_segment(&segment);
        for (uint32_t i = 0; i < whole; i++)
            expect_record(&reader, i);
        if (count > segment.at[whole]) {
            JournalDamage damage = expect_damage(&reader, segment.at[whole], count);
            bool has_head = count - segment.at[whole] >= JOURNAL_RECORD_BYTES;
            assert_int_equal(damage.named, has_head);
            assert_int_equal(damage.sequence, has_head ? whole + 1 : 0);
        }
        expect_end(&reader);
    }
}

/* A flipped byte damages only its record; with a good head the record is named. */
static void flipped_anywhere(void **unused) {
    (void)unused;
    size_t all = segment_of(RECORDS).count;
    for (size_t at = JOURNAL_HEAD_BYTES; at < all; at++) {
        TestSegment segment = segment_of(RECORDS);
        uint32_t harmed = 0;
        while (segment.at[harmed + 1] <= at)
            harmed++;
        segment.bytes[at] ^= 0x10;
        JournalReader reader = open_segment(&segment);
        for (uint32_t i = 0; i < RECORDS; i++) {
            if (i != harmed) {
                expect_record(&reader, i);
                continue;
            }
            JournalDamage damage = expect_damage(&reader, segment.at[i], segment.at[i + 1]);
            assert_int_equal(damage.named, at - segment.at[i] >= JOURNAL_RECORD_BYTES);
            if (damage.named) {
                assert_int_equal(damage.match, 100 + i);
                assert_int_equal(damage.sequence, i + 1);
            }
            assert_int_equal(damage.missing, 0);
        }
        expect_end(&reader);
    }
}

/* Removed records are detected by the next one, with the number of bytes; a second gap counts from
 * the first on. */
static void gaps_are_counted(void **unused) {
    (void)unused;
    TestSegment segment = segment_of(RECORDS);
    size_t first = segment.at[2] - segment.at[1], second = segment.at[4] - segment.at[3];
    cut(&segment, segment.at[3], segment.at[4]);
    cut(&segment, segment.at[1], segment.at[2]);
    JournalReader reader = open_segment(&segment);
    expect_record(&reader, 0);
    size_t gap = segment.at[1];
    assert_int_equal(expect_damage(&reader, gap, gap).missing, first);
    expect_record(&reader, 2);
    gap = segment.at[3] - first;
    assert_int_equal(expect_damage(&reader, gap, gap).missing, second);
    expect_record(&reader, 4);
    expect_end(&reader);
}

/* What is missing before a group is detected; inside the last group it cannot be. */
static void a_gap_inside_a_group_is_not_told(void **unused) {
    (void)unused;
    TestSegment segment = segment_of(1);
    cut(&segment, segment.at[2], segment.at[3]);
    JournalReader reader = open_segment(&segment);
    expect_record(&reader, 0);
    expect_record(&reader, 1);
    expect_record(&reader, 3);
    expect_record(&reader, 4);
    expect_end(&reader);
}

/* The head of the file is stored twice: one copy is enough, none is not, another version is
 * reported. */
static void heads(void **unused) {
    (void)unused;
    for (size_t at = 0; at < JOURNAL_HEAD_BYTES; at++) {
        TestSegment segment = segment_of(RECORDS);
        JournalReader reader;
        segment.bytes[at] ^= 1;
        JournalHead head = journal_open(&reader, segment.bytes, segment.count);
        assert_true(head == JOURNAL_HEAD_HALF || head == JOURNAL_HEAD_GOOD);
        expect_record(&reader, 0);
        segment.bytes[(at + JOURNAL_HEAD_BYTES / 2) % JOURNAL_HEAD_BYTES] ^= 1;
        if (head == JOURNAL_HEAD_HALF) {
            assert_int_equal(journal_open(&reader, segment.bytes, segment.count),
                             JOURNAL_HEAD_LOST);
            expect_end(&reader);
        }
    }
    TestSegment segment = segment_of(RECORDS);
    JournalReader reader;
    for (size_t count = 0; count < JOURNAL_HEAD_BYTES / 2; count++)
        assert_int_equal(journal_open(&reader, segment.bytes, count), JOURNAL_HEAD_LOST);
    /* What follows is no head, whatever it looks like. */
    journal_put_head(segment.bytes + JOURNAL_HEAD_BYTES, SEGMENT + 1, SECRET + 1);
    assert_int_equal(journal_open(&reader, segment.bytes, segment.count), JOURNAL_HEAD_GOOD);
    assert_int_equal(reader.number, SEGMENT);
}

/* Records of another file, with another secret, are not accepted. */
static void records_of_another_file_are_none(void **unused) {
    (void)unused;
    TestSegment segment = segment_of(RECORDS);
    journal_put_head(segment.bytes, SEGMENT, SECRET + 1);
    JournalReader reader = open_segment(&segment);
    expect_damage(&reader, JOURNAL_HEAD_BYTES, segment.count);
    expect_end(&reader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_run_is_sealed_at_once),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(flipped_anywhere),
        cmocka_unit_test(gaps_are_counted),
        cmocka_unit_test(a_gap_inside_a_group_is_not_told),
        cmocka_unit_test(heads),
        cmocka_unit_test(records_of_another_file_are_none),
    };
    return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
