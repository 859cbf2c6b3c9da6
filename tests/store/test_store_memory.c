/* test_store_memory.c -- a store that runs out of memory, at every allocation of its own: it says
 * so, frees what it had, and loses nothing that was announced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/store/fixture.h"
#include "tests/support/no_memory.h"

/* Matches 1 to DONE are played and finished, those up to PLAYED are played; all others are there
 * only because a ledger of more than 64 has to grow. */
enum { DONE = 3, PLAYED = 8, MATCHES = 66, RECORDS = 40, ROUNDS = 5 };

static Rig rig;

static int set_up(void **state) {
    (void)state;
    rig_init(&rig);
    rig.setup.segment_bytes = 4096;
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    no_memory.first = 0;
    rig_release(&rig);
    return 0;
}

/* From now on the allocation of this number fails, or it and all after it. */
static void fail_at(uint64_t number, bool all) {
    no_memory.count = 0;
    no_memory.last = all ? UINT64_MAX : number;
    no_memory.first = number;
}

/* Ends that; true = it has happened. */
static bool has_failed(void) {
    bool failed = no_memory.count >= no_memory.first;
    no_memory.first = 0;
    return failed;
}

/* What the store accepted and announced, by match. */
typedef struct StoreAnnouncements {
    uint64_t tickets[MATCHES + 1][RECORDS + 1], ends[MATCHES + 1];
    uint32_t appended[MATCHES + 1], announced[MATCHES + 1];
    bool finished[MATCHES + 1];
} StoreAnnouncements;

/* Appends a record; to be refused is an answer. */
static void append(StoreAnnouncements *told, uint64_t match) {
    uint8_t payload[RIG_PAYLOAD_MAX];
    uint32_t number = told->appended[match] + 1;
    StoreRecord record = {.match = match,
                          .time_ms = 1700000000000 + number,
                          .kind = (uint16_t)(number % 7),
                          .bytes = payload};
    rig_payload(match, number, payload, &record.count);
    StoreStatus status = store_append(rig.store, &record, &told->tickets[match][number]);
    assert_true(status == STORE_OK || status == STORE_FULL || status == STORE_FAILED);
    told->appended[match] += status == STORE_OK;
}

/* Plays matches, and finishes the first of them. */
static void play(StoreAnnouncements *told) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint64_t match = 1; match <= PLAYED; match++) {
            for (uint32_t i = 0; i < 6 && told->ends[match] == 0; i++)
                append(told, match);
            StoreEntry entry = rig_entry(match);
            if (match <= DONE && round == 2 &&
                store_finish(rig.store, &entry, "file", 4, &told->ends[match]) != STORE_OK)
                told->ends[match] = 0;
        }
        store_step(rig.store);
    }
    append(told, MATCHES - 1);
    append(told, MATCHES);
    store_step(rig.store);
    StoreProgress done = store_progress(rig.store);
    for (uint64_t match = 1; match <= MATCHES; match++) {
        while (told->announced[match] < told->appended[match] &&
               told->tickets[match][told->announced[match] + 1] <= done.appended)
            told->announced[match]++;
        told->finished[match] = told->ends[match] > 0 && told->ends[match] <= done.finished;
    }
}

/* All that was announced is there, and nothing else. */
static void check(const StoreAnnouncements *told) {
    static RigFound list[MATCHES];
    static uint32_t records[MATCHES + 1];
    memset(records, 0, sizeof records);
    if (!rig_open(&rig))
        fail_msg("%s", rig.problem);
    assert_string_equal(rig.lines, "");
    uint32_t count = rig_found(&rig, list, MATCHES);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(list[i].right && list[i].gapless && list[i].health == STORE_WHOLE);
        records[list[i].match] = list[i].records;
    }
    for (uint64_t match = 1; match <= MATCHES; match++) {
        char file[8];
        size_t bytes;
        bool archived = store_archive_read(rig.store, match, file, sizeof file, &bytes) == STORE_OK;
        assert_true(archived || !told->finished[match]);
        assert_true(archived ? records[match] == 0
                             : records[match] >= told->announced[match] &&
                                   records[match] <= told->appended[match]);
    }
    rig_close(&rig);
}

static void a_store_without_memory_loses_nothing(void **state) {
    (void)state;
    static StoreAnnouncements told;
    bool failed = true;
    for (uint64_t number = 1; failed || number < 50; number++) {
        told = (StoreAnnouncements){0};
        rig_empty(&rig);
        assert_true(rig_open(&rig));
        for (uint64_t match = PLAYED + 1; match < MATCHES - 1; match++)
            append(&told, match);
        fail_at(number, number % 3 == 0);
        play(&told);
        failed = has_failed();
        if (store_progress(rig.store).failure != NULL)
            assert_non_null(strstr(store_progress(rig.store).failure, "memory"));
        rig_close(&rig);
        check(&told);
    }
    assert_true(told.announced[MATCHES] == 1 && told.finished[1] && told.finished[DONE]);
}

static void a_store_that_cannot_open_for_lack_of_memory_says_so(void **state) {
    (void)state;
    static StoreAnnouncements told;
    bool failed = true;
    assert_true(rig_open(&rig));
    play(&told);
    rig_close(&rig);
    for (uint64_t number = 1; failed || number < 30; number++) {
        fail_at(number, number % 3 == 0);
        bool opened = rig_open(&rig);
        failed = has_failed();
        assert_true(opened || strstr(rig.problem, "memory") != NULL);
        rig_close(&rig);
        check(&told);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_store_without_memory_loses_nothing),
        TEST(a_store_that_cannot_open_for_lack_of_memory_says_so),
    };
    return cmocka_run_group_tests_name("store_memory", tests, NULL, NULL);
}
