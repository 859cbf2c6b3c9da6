/* test_store_damage.c -- a journal that was truncated, flipped, torn, or left behind by a machine
 * that stopped at any time: nothing announced is lost that is still readable, and damage is
 * reported. MASH_DAMAGE_STEP: only every so many bytes are tried (1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "store/journal.h"
#include "tests/store/fixture.h"

enum { MATCHES = 3, RECORDS_MAX = 64 };
static const char segment[] = "journal/00000001.journal";

/* A small journal: its bytes, and where each record is. */
typedef struct Small {
    uint8_t *bytes;
    size_t count;
    JournalRecord records[RECORDS_MAX]; /* their bytes point into these */
    uint32_t records_count;
} Small;

/* From one byte that is tried to the next. */
static size_t step(void) {
    const char *text = getenv("MASH_DAMAGE_STEP");
    size_t found = text == NULL ? 1 : strtoul(text, NULL, 10);
    return found == 0 ? 1 : found;
}

/* Three matches, four groups: 1,2,3 / 1,2,3,1,2,3 / 1,2 / 1,2,1,2. So match 3 ends early. */
static Small write_small(Rig *rig) {
    Small small = {0};
    uint32_t last[MATCHES + 1] = {0};
    static const char *const groups[] = {"123", "123123", "12", "1212"};
    rig_must_open(rig);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        for (const char *c = groups[i]; *c != '\0'; c++)
            rig_append(rig, (uint64_t)(*c - '0'), ++last[*c - '0']);
        store_step(rig->store);
    }
    rig_close(rig);
    small.bytes = rig_read(rig, segment, &small.count);
    assert_non_null(small.bytes);
    JournalReader reader;
    JournalDamage damage;
    assert_int_equal(journal_open(&reader, small.bytes, small.count), JOURNAL_HEAD_GOOD);
    while (journal_next(&reader, &small.records[small.records_count], &damage) == JOURNAL_RECORD)
        small.records_count++;
    assert_int_equal(small.records_count, 15);
    return small;
}

/* Replaces the journal by these bytes, and opens it. What it finds, by match. */
static void open_with(Rig *rig, const uint8_t *bytes, size_t count, RigFound found[MATCHES + 1]) {
    RigFound list[MATCHES];
    char path[256];
    for (uint32_t number = 0; number < 8; number++) {
        static const char *const endings[] = {"journal", "damaged", "damaged-2"};
        for (int i = 0; i < 3; i++) {
            snprintf(path, sizeof path, "%s/journal/%08x.%s", rig->folder, number, endings[i]);
            remove(path);
        }
    }
    if (bytes != NULL)
        rig_write(rig, segment, bytes, count);
    rig_must_open(rig);
    uint32_t matches = rig_found(rig, list, MATCHES);
    memset(found, 0, (MATCHES + 1) * sizeof *found);
    for (uint32_t i = 0; i < matches; i++) {
        assert_in_range(list[i].match, 1, MATCHES);
        assert_true(list[i].right);
        found[list[i].match] = list[i];
    }
}

/* How many records match `match` has among the first `count` of the small journal. */
static uint32_t count_of(const Small *small, uint64_t match, uint32_t count) {
    uint32_t all = 0;
    for (uint32_t i = 0; i < count; i++)
        all += small->records[i].match == match;
    return all;
}

/* Each match has exactly the records among the first `count`, and can continue. */
static void are_the_first(const Small *small, const RigFound found[MATCHES + 1], uint32_t count) {
    for (uint64_t match = 1; match <= MATCHES; match++) {
        assert_int_equal(found[match].records, count_of(small, match, count));
        assert_true(found[match].records == 0 || found[match].gapless);
        assert_int_equal(found[match].health, STORE_WHOLE);
    }
}

static void a_journal_cut_anywhere_ends_with_the_last_whole_record(void **state) {
    Rig *rig = *state;
    Small small = write_small(rig);
    RigFound found[MATCHES + 1];
    for (size_t cut = JOURNAL_HEAD_BYTES; cut <= small.count; cut += step()) {
        uint32_t whole = 0;
        while (whole < small.records_count &&
               cut >= small.records[whole].at + JOURNAL_RECORD_BYTES + small.records[whole].count)
            whole++;
        size_t end = whole == 0 ? JOURNAL_HEAD_BYTES
                                : small.records[whole - 1].at + JOURNAL_RECORD_BYTES +
                                      small.records[whole - 1].count;
        open_with(rig, small.bytes, cut, found);
        are_the_first(&small, found, whole);
        assert_int_equal(rig->lines_count, cut > end);
        assert_true(cut == end || strstr(rig->lines, "incomplete last write") != NULL);
        rig_append(rig, 1, found[1].last + 1);
        rig_close(rig);
        rig_must_open(rig); /* repaired: nothing more to report, and the match continued */
        assert_string_equal(rig->lines, "");
        RigFound again[MATCHES];
        uint32_t matches = rig_found(rig, again, MATCHES);
        for (uint32_t i = 0; i < matches; i++)
            assert_int_equal(again[i].records,
                             found[again[i].match].records + (again[i].match == 1));
        rig_close(rig);
    }
    free(small.bytes);
}

/* The record that has this byte, or the count of all. */
static uint32_t record_at(const Small *small, size_t at) {
    uint32_t i = 0;
    while (i < small->records_count &&
           (at < small->records[i].at ||
            at >= small->records[i].at + JOURNAL_RECORD_BYTES + small->records[i].count))
        i++;
    return i;
}

/* What must hold when one byte of a record is wrong. */
static void check_flip(const Small *small, uint32_t hit, const RigFound found[MATCHES + 1]) {
    uint64_t victim = small->records[hit].match;
    uint32_t lost = small->records[hit].sequence;
    uint32_t all = count_of(small, victim, small->records_count);
    bool last_group = small->records[hit].group == small->records[small->records_count - 1].group;
    for (uint64_t match = 1; match <= MATCHES; match++) {
        if (match == victim)
            continue;
        assert_int_equal(found[match].records, count_of(small, match, small->records_count));
        assert_true(found[match].gapless && found[match].health != STORE_BROKEN);
        if (last_group)
            assert_int_equal(found[match].health, STORE_WHOLE);
    }
    if (last_group) { /* as if the last write was torn: the match is in the state before it */
        assert_true(found[victim].gapless && found[victim].health == STORE_WHOLE);
        assert_int_equal(found[victim].records, lost - 1);
    } else {
        assert_int_equal(found[victim].records, all - 1);
        if (lost < all)
            assert_true(!found[victim].gapless && found[victim].health == STORE_BROKEN);
        else
            assert_true(found[victim].gapless && found[victim].health != STORE_WHOLE);
    }
}

static void a_flipped_byte_harms_one_match_and_is_named(void **state) {
    Rig *rig = *state;
    Small small = write_small(rig);
    RigFound found[MATCHES + 1];
    for (size_t at = 0; at < small.count; at += step()) {
        small.bytes[at] ^= (uint8_t)(1 << at % 8);
        open_with(rig, small.bytes, small.count, found);
        uint32_t hit = record_at(&small, at);
        assert_true(rig->lines_count > 0 && strstr(rig->lines, "journal 00000001: ") != NULL);
        if (hit == small.records_count) /* the segment's head, which is there twice */
            are_the_first(&small, found, small.records_count);
        else
            check_flip(&small, hit, found);
        bool torn = strstr(rig->lines, "incomplete last write") != NULL;
        assert_int_equal(rig_count(rig, ".damaged"), !torn); /* kept for people to look at */
        rig_close(rig);
        RigFound again[MATCHES];
        rig_must_open(rig);
        assert_string_equal(rig->lines, "");
        uint32_t matches = rig_found(rig, again, MATCHES);
        for (uint32_t i = 0; i < matches; i++) {
            assert_int_equal(again[i].records, found[again[i].match].records);
            assert_int_equal(again[i].health == STORE_BROKEN,
                             found[again[i].match].health == STORE_BROKEN);
        }
        rig_close(rig);
        small.bytes[at] ^= (uint8_t)(1 << at % 8);
    }
    free(small.bytes);
}

static void a_broken_match_can_only_be_finished(void **state) {
    Rig *rig = *state;
    Small small = write_small(rig);
    RigFound found[MATCHES + 1];
    small.bytes[small.records[3].at + 20] ^= 1; /* in the second group: match 1, record 2 */
    open_with(rig, small.bytes, small.count, found);
    assert_true(found[1].health == STORE_BROKEN && found[1].first == 1 && !found[1].gapless);
    StoreRecord record = {.match = 1};
    uint64_t ticket;
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_DAMAGED);
    rig_append(rig, 2, found[2].last + 1);
    rig_close(rig);
    rig_must_open(rig);
    assert_int_equal(store_append(rig->store, &record, &ticket), STORE_DAMAGED);
    rig_finish(rig, 1);
    store_step(rig->store);
    assert_true(rig_archived(rig, 1));
    rig_close(rig);
    rig_must_open(rig);
    RigFound list[MATCHES];
    assert_int_equal(rig_found(rig, list, MATCHES), 2);
    free(small.bytes);
}

static void a_hole_in_the_last_write_is_a_torn_write(void **state) {
    Rig *rig = *state;
    Small small = write_small(rig);
    RigFound found[MATCHES + 1];
    const JournalRecord *hole = &small.records[11]; /* 1212: the first 1 never reached the disk */
    memset(small.bytes + hole->at, 0, JOURNAL_RECORD_BYTES + hole->count);
    open_with(rig, small.bytes, small.count, found);
    assert_non_null(strstr(rig->lines, "the last write has a hole"));
    assert_non_null(strstr(rig->lines, "1 records behind them"));
    assert_non_null(strstr(rig->lines, "match 0000000000000001: its records from 5 on"));
    assert_int_equal(rig_count(rig, ".damaged"), 1);
    assert_int_equal(found[1].records, 4);
    assert_int_equal(found[2].records, 6);
    assert_true(found[1].gapless && found[1].health == STORE_WHOLE);
    rig_append(rig, 1, 5); /* the numbers of records that never existed are used again */
    rig_append(rig, 1, 6);
    rig_close(rig);
    rig_must_open(rig);
    RigFound list[MATCHES];
    assert_int_equal(rig_found(rig, list, MATCHES), 3);
    assert_true(list[0].match == 1 && list[0].records == 6 && list[0].gapless && list[0].right);
    free(small.bytes);
}

/* [A19] A record that had been announced is unreadable, and the last write was torn as well: the
 * gap before what follows is not the torn write's alone, so the match is broken and does not
 * continue as if the lost record had never existed. */
static void a_lost_record_is_not_taken_for_a_torn_one(void **state) {
    Rig *rig = *state;
    Small small = write_small(rig);
    RigFound found[MATCHES + 1];
    const JournalRecord *lost = &small.records[9],
                        *hole = &small.records[11]; /* of match 1: 4, 5 */
    for (int nameless = 0; nameless < 2; nameless++) {
        if (nameless == 0) /* its head is readable still, so that it is known what was lost */
            small.bytes[lost->at + JOURNAL_RECORD_BYTES] ^= 1;
        else
            memset(small.bytes + lost->at, 0, JOURNAL_RECORD_BYTES + lost->count);
        memset(small.bytes + hole->at, 0, JOURNAL_RECORD_BYTES + hole->count);
        open_with(rig, small.bytes, small.count, found);
        assert_int_equal(found[1].health, STORE_BROKEN);
        assert_true(found[1].records == 4 && found[1].last == 6 && !found[1].gapless);
        assert_non_null(strstr(rig->lines, "records 4 to 5 are lost"));
        assert_null(strstr(rig->lines, "it goes on behind"));
        assert_true(found[2].gapless && found[2].health != STORE_BROKEN);
        assert_int_equal(rig_count(rig, ".damaged"), 1);
        rig_close(rig);
    }
    free(small.bytes);
}

/* Bytes are missing from the middle of the newest segment, as by a bad copy, and everything after
 * them has moved: that is not a torn write, and what follows is still good. */
static void bytes_missing_from_the_newest_segment_are_damage(void **state) {
    enum { EACH = 150, LOST = 1000 };
    Rig *rig = *state;
    rig_must_open(rig);
    for (uint32_t i = 0; i < EACH * MATCHES; i++) {
        rig_append(rig, 1 + i % MATCHES, 1 + i / MATCHES);
        store_step(rig->store);
    }
    rig_append(rig, 4, 1); /* begins after the damage */
    rig_close(rig);
    size_t count;
    uint8_t *bytes = rig_read(rig, segment, &count);
    assert_true(count > 20000);
    for (int whole = 0; whole < 2; whole++) { /* in the middle of a record, then between two */
        JournalReader reader;
        JournalRecord record = {0}, from, to = {0};
        JournalDamage damage;
        assert_int_equal(journal_open(&reader, bytes, count), JOURNAL_HEAD_GOOD);
        while (record.at < 2000)
            assert_int_equal(journal_next(&reader, &record, &damage), JOURNAL_RECORD);
        from = record;
        while (to.at < from.at + LOST)
            assert_int_equal(journal_next(&reader, &to, &damage), JOURNAL_RECORD);
        size_t first = from.at + (whole ? 0 : 7), behind = whole ? to.at : first + LOST;
        uint8_t *cut = malloc(count);
        assert_non_null(cut);
        memcpy(cut, bytes, first);
        memcpy(cut + first, bytes + behind, count - behind);
        rig_empty(rig);
        rig_must_open(rig);
        rig_close(rig);
        rig_write(rig, segment, cut, count - (behind - first));
        rig_must_open(rig);
        assert_non_null(strstr(rig->lines, "missing before byte"));
        assert_null(strstr(rig->lines, "incomplete last write"));
        assert_int_equal(rig_count(rig, ".damaged"), 1);
        RigFound list[MATCHES + 1];
        assert_int_equal(rig_found(rig, list, MATCHES + 1), MATCHES + 1);
        for (uint32_t i = 0; i < MATCHES; i++) {
            char sentence[64];
            assert_true(list[i].right && list[i].health == STORE_BROKEN);
            assert_int_equal(list[i].last, EACH); /* everything after the hole was recovered */
            assert_true(list[i].records > EACH - 20);
            snprintf(sentence, sizeof sentence, "match %016x: records ", (unsigned)list[i].match);
            assert_non_null(strstr(rig->lines, sentence));
        }
        assert_true(list[MATCHES].match == 4 && list[MATCHES].health == STORE_WHOLE);
        rig_close(rig);
        rig_must_open(rig); /* reported once, then repaired */
        assert_string_equal(rig->lines, "");
        rig_close(rig);
        free(cut);
    }
    free(bytes);
}

static void damage_in_an_older_segment_is_never_a_torn_write(void **state) {
    Rig *rig = *state;
    rig->setup.segment_bytes = 1024;
    RigFound list[MATCHES];
    rig_must_open(rig);
    for (uint32_t i = 1; i <= 40; i++) {
        rig_append(rig, 1 + i % 2, (i + 1) / 2);
        store_step(rig->store);
    }
    assert_true(rig_count(rig, ".journal") > 2);
    rig_close(rig);
    size_t count;
    uint8_t *bytes = rig_read(rig, segment, &count);
    assert_non_null(bytes);
    rig_write(rig, segment, bytes, count - 1); /* the end of the first is missing */
    free(bytes);
    rig_must_open(rig);
    assert_non_null(strstr(rig->lines, "of match 000000000000000"));
    assert_int_equal(rig_count(rig, "00000001.damaged"), 1);
    assert_int_equal(rig_found(rig, list, MATCHES), 2);
    assert_int_equal((list[0].health == STORE_BROKEN) + (list[1].health == STORE_BROKEN), 1);
    assert_int_equal(list[0].records + list[1].records, 39);
    rig_close(rig);
    rig_must_open(rig);
    assert_string_equal(rig->lines, ""); /* told once, then mended */
    rig_close(rig);
    rig_write(rig, segment, "x", 1); /* nothing of it can be read */
    rig_must_open(rig);
    assert_non_null(strstr(rig->lines, "damaged header"));
    assert_int_equal(rig_count(rig, "00000001.damaged-2"), 1);
    assert_int_equal(rig_found(rig, list, MATCHES), 2);
    assert_true(list[0].health == STORE_BROKEN && list[1].health == STORE_BROKEN);
    assert_true(list[0].first > 1 && list[1].first > 1 && list[0].right && list[1].right);
}

static void bytes_of_players_cannot_pose_as_records(void **state) {
    Rig *rig = *state;
    uint8_t forged[200];
    uint64_t ticket;
    JournalRecord record = {.match = 2, .sequence = 2, .bytes = (const uint8_t *)"x", .count = 1};
    journal_put_record(forged, &record);
    journal_seal(forged, JOURNAL_RECORD_BYTES + 1, 64, 64, 0);
    rig_must_open(rig);
    rig_append(rig, 2, 1);
    StoreRecord outer = {.match = 1, .bytes = forged, .count = JOURNAL_RECORD_BYTES + 1};
    assert_int_equal(store_append(rig->store, &outer, &ticket), STORE_OK);
    store_step(rig->store);
    rig_append(rig, 3, 1);
    rig_close(rig);
    size_t count;
    uint8_t *bytes = rig_read(rig, segment, &count);
    assert_non_null(bytes);
    JournalReader reader;
    JournalDamage damage;
    journal_open(&reader, bytes, count);
    assert_int_equal(journal_next(&reader, &record, &damage), JOURNAL_RECORD);
    assert_int_equal(journal_next(&reader, &record, &damage), JOURNAL_RECORD);
    bytes[record.at] ^= 1; /* the head over the forged record is lost, and the search begins */
    RigFound found[MATCHES + 1];
    open_with(rig, bytes, count, found);
    assert_int_equal(found[2].records, 1);
    assert_int_equal(found[3].records, 1);
    assert_int_equal(found[1].records, 0);
    free(bytes);
}

static void another_version_is_left_alone(void **state) {
    Rig *rig = *state;
    Small small = write_small(rig);
    uint32_t version = 2;
    for (size_t copy = 0; copy < JOURNAL_HEAD_BYTES; copy += JOURNAL_HEAD_BYTES / 2) {
        memcpy(small.bytes + copy + 8, &version, sizeof version);
        uint64_t sum = hash_bytes(0, small.bytes + copy, 24);
        memcpy(small.bytes + copy + 24, &sum, sizeof sum);
    }
    rig_write(rig, segment, small.bytes, small.count);
    assert_false(rig_open(rig));
    assert_non_null(strstr(rig->problem, "unsupported format version"));
    assert_non_null(strstr(rig->lines, "version 2"));
    size_t count;
    uint8_t *bytes = rig_read(rig, segment, &count);
    assert_int_equal(count, small.count);
    assert_memory_equal(bytes, small.bytes, count);
    free(bytes);
    free(small.bytes);
}

/* --- A machine that stops at any time --------------------------------------------------------- */

enum { PLAYS = 12, PLAY_RECORDS = 6 };

/* What was requested and what was announced, per match. */
typedef struct DamageModel {
    uint32_t appended[PLAYS + 1], announced[PLAYS + 1]; /* numbers of records */
    bool finishing[PLAYS + 1], finished[PLAYS + 1];
    uint64_t tickets[PLAYS + 1][PLAY_RECORDS + 1], finish_tickets[PLAYS + 1];
} DamageModel;

/* One step, and what it announced. False = the store has failed. */
static bool turn(Rig *rig, DamageModel *model) {
    store_step(rig->store);
    StoreProgress done = store_progress(rig->store);
    for (int match = 1; match <= PLAYS; match++) {
        for (uint32_t i = 1; i <= model->appended[match]; i++)
            if (model->tickets[match][i] <= done.appended)
                model->announced[match] = i;
        model->finished[match] =
            model->finishing[match] && model->finish_tickets[match] <= done.finished;
    }
    return done.failure == NULL;
}

/* Plays matches, three open at a time, each finished when it is full except every fourth, which
 * stays open; segments are small, so that they are removed and merged. */
static void play(Rig *rig, DamageModel *model) {
    for (uint64_t match = 1; match <= PLAYS + 2; match++) {
        for (uint64_t one = match < 3 ? 1 : match - 2; one <= match && one <= PLAYS; one++)
            for (int i = 0; i < PLAY_RECORDS / 3; i++) {
                uint32_t number = ++model->appended[one];
                model->tickets[one][number] = rig_append(rig, one, number);
            }
        if (match > 2 && (match - 2) % 4 != 0) {
            model->finishing[match - 2] = true;
            model->finish_tickets[match - 2] = rig_finish(rig, match - 2);
        }
        if (!turn(rig, model))
            return;
    }
    while (store_stats(rig->store).queue_bytes > 0)
        if (!turn(rig, model))
            return;
}

/* Every match is open, with everything announced, or finished: never neither, never both. */
static void check_model(Rig *rig, const DamageModel *model) {
    RigFound list[PLAYS + 1], found[PLAYS + 1] = {0};
    uint32_t matches = rig_found(rig, list, PLAYS + 1);
    for (uint32_t i = 0; i < matches; i++) {
        assert_in_range(list[i].match, 1, PLAYS);
        assert_true(list[i].right && list[i].gapless && list[i].health == STORE_WHOLE);
        found[list[i].match] = list[i];
    }
    for (uint64_t match = 1; match <= PLAYS; match++) {
        bool archived = rig_archived(rig, match), open = found[match].match != 0;
        assert_false(archived && open);
        assert_false(archived && !model->finishing[match]);
        assert_true(archived || !model->finished[match]);
        assert_true(archived || found[match].records >= model->announced[match]);
        assert_true(archived || found[match].records <= model->appended[match]);
    }
}

static void stop_everywhere(Rig *rig, bool halves, bool forgets) {
    uint64_t stops = 0;
    rig->setup.segment_bytes = 1024;
    rig->disk.halves = halves;
    rig->disk.forgets = forgets;
    for (bool whole = false; !whole; stops++) {
        DamageModel model = {0};
        rig_empty(rig);
        rig->disk.stop_at = stops + 1;
        if (rig_open(rig))
            play(rig, &model);
        rig_close(rig);
        whole = rig->disk.all < rig->disk.stop_at;
        rig->disk.stop_at = 0;
        rig_must_open(rig);
        assert_null(strstr(rig->lines, "damaged"));
        check_model(rig, &model);
        rig_close(rig);
        rig_must_open(rig); /* and once more, after the repair */
        assert_string_equal(rig->lines, "");
        check_model(rig, &model);
        rig_close(rig);
    }
    assert_true(stops > 100);
}

static void a_machine_that_stops_anywhere_loses_nothing(void **state) {
    stop_everywhere(*state, false, false);
}

static void a_machine_that_stops_inside_any_write_loses_nothing(void **state) {
    stop_everywhere(*state, true, false);
}

static void a_machine_that_forgets_what_was_not_synced_loses_nothing(void **state) {
    stop_everywhere(*state, false, true);
}

static void a_machine_that_stops_while_mending_loses_nothing(void **state) {
    Rig *rig = *state;
    DamageModel model = {0};
    RigFound list[PLAYS + 1];
    rig->setup.segment_bytes = 1024;
    rig_must_open(rig);
    play(rig, &model);
    rig_close(rig);
    for (uint64_t stop = 1;; stop++) {
        rig->disk.stop_at = stop;
        bool opened = rig_open(rig);
        if (opened)
            store_step(rig->store);
        rig_close(rig);
        bool whole = rig->disk.all < stop;
        rig->disk.stop_at = 0;
        rig_must_open(rig);
        assert_string_equal(rig->lines, "");
        check_model(rig, &model);
        rig_close(rig);
        if (whole)
            break;
    }
    rig_must_open(rig);
    assert_int_equal(rig_found(rig, list, PLAYS + 1), PLAYS / 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rig_set_up, rig_tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_journal_cut_anywhere_ends_with_the_last_whole_record),
        TEST(a_flipped_byte_harms_one_match_and_is_named),
        TEST(a_broken_match_can_only_be_finished),
        TEST(a_hole_in_the_last_write_is_a_torn_write),
        TEST(a_lost_record_is_not_taken_for_a_torn_one),
        TEST(bytes_missing_from_the_newest_segment_are_damage),
        TEST(damage_in_an_older_segment_is_never_a_torn_write),
        TEST(bytes_of_players_cannot_pose_as_records),
        TEST(another_version_is_left_alone),
        TEST(a_machine_that_stops_anywhere_loses_nothing),
        TEST(a_machine_that_stops_inside_any_write_loses_nothing),
        TEST(a_machine_that_forgets_what_was_not_synced_loses_nothing),
        TEST(a_machine_that_stops_while_mending_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
