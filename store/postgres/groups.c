/* groups.c -- the writer thread: sends waiting records in groups, one statement each, and announces
 * a group when the database has committed it on as many machines as it must.
 *
 * A group that was not answered is sent again in a form that changes nothing if it is there already
 * (`again`), then read back and compared. See postgres.h for why this is safe. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/fault.h"
#include "store/postgres/postgres.h"

#define GROUP(conflict)                                                                            \
    "with me as (select 1 from node where id = $1::int4 and epoch = $2::int8 for share), "         \
    "fresh as (insert into match(n, id, node, begun_ms) select t.n, t.id, $1, t.at from me, "      \
    "unnest($3::int8[], $4::int8[], $5::int8[]) t(n, id, at)" conflict "), "                       \
    "records as (insert into journal(n, seq, at_ms, kind, bytes) select t.* from me, "             \
    "unnest($6::int8[], $7::int4[], $8::int8[], $9::int4[], $10::bytea[]) "                        \
    "t(n, seq, at_ms, kind, bytes)" conflict " returning 1) "                                      \
    "select (select count(*) from me)::int4, (select count(*) from records)::int4"

const LinkStatement group_statements[] = {
    {"group", GROUP("")},
    {"again", GROUP(" on conflict do nothing")},
    {"records",
     "select j.at_ms, j.kind, j.bytes from unnest($1::int8[], $2::int4[]) with ordinality "
     "t(n, seq, place) join journal j using (n, seq) order by t.place"},
    {"matches", "select count(*)::int4 from unnest($1::int8[], $2::int8[]) t(n, id) "
                "join match m on m.n = t.n and m.id = t.id where m.node = $3::int4"},
    {"numbers", "select nextval('match_number') from generate_series(1, $1::int4)"},
    COPIES_STATEMENTS,
    {NULL, NULL}};

/* The group being written, taken apart into arrays. */
typedef struct Group {
    uint32_t records, matches; /* rows; new matches among them */
    uint64_t ticket;           /* of its last record */
    size_t bytes;              /* of `writing` that it covers */
} Group;

/* --- Taking a group --------------------------------------------------------------------------- */

/* Waits until something is to be written and the time has come. Under the lock. False = shut down,
 * or nothing will ever be written. */
static bool wait_for_group(Postgres *postgres) {
    while (postgres->filling.count == 0 && postgres->done.failure == NULL) {
        if (postgres->writer_ends)
            return false;
        postgres_wait(postgres, &postgres->writer_wakes, THREAD_FOREVER);
    }
    while (postgres->done.failure == NULL && !postgres->writer_ends && !postgres->handing_over &&
           postgres->filling.count <= postgres->setup.queue_bytes_max / 2) {
        uint64_t now_ms = link_clock_ms();
        if (now_ms >= postgres->next_ms)
            break;
        postgres_wait(postgres, &postgres->writer_wakes, postgres->next_ms - now_ms);
    }
    postgres->next_ms = link_clock_ms() + postgres->setup.group_ms;
    return postgres->done.failure == NULL;
}

/* A number for a new match, from those that were reserved. */
static int64_t next_number(Postgres *postgres) {
    return postgres->number < postgres->number_end ? postgres->number++ : 0;
}

/* Appends a record to the arrays. Under the lock. False = there is no number for its match. */
static bool add_record(Postgres *postgres, const QueuedRecord *record, const uint8_t *bytes,
                       Group *group) {
    OpenMatch *match = ledger_find(&postgres->ledger, record->match);
    if (match->row == 0) {
        match->row = next_number(postgres);
        if (match->row == 0)
            return false;
    }
    if (record->sequence == 1) {
        link_array_int8(&postgres->numbers, match->row);
        link_array_int8(&postgres->ids, (int64_t)record->match);
        link_array_int8(&postgres->times, (int64_t)record->time_ms);
        group->matches++;
    }
    link_array_int8(&postgres->row_numbers, match->row);
    link_array_int4(&postgres->row_sequences, (int32_t)record->sequence);
    link_array_int8(&postgres->row_times, (int64_t)record->time_ms);
    link_array_int4(&postgres->row_kinds, record->kind);
    link_array_bytes(&postgres->row_bytes, bytes, record->count);
    group->records++;
    group->ticket = record->ticket;
    return true;
}

/* Takes as many records from `writing` at `at` as one statement may have. A group of no records:
 * more numbers for new matches are needed. */
static Group take_group(Postgres *postgres, size_t at) {
    Group group = {0};
    link_array_begin(&postgres->numbers, LINK_INT8);
    link_array_begin(&postgres->ids, LINK_INT8);
    link_array_begin(&postgres->times, LINK_INT8);
    link_array_begin(&postgres->row_numbers, LINK_INT8);
    link_array_begin(&postgres->row_sequences, LINK_INT4);
    link_array_begin(&postgres->row_times, LINK_INT8);
    link_array_begin(&postgres->row_kinds, LINK_INT4);
    link_array_begin(&postgres->row_bytes, LINK_BYTES);
    lock_take(&postgres->lock);
    while (at + group.bytes < postgres->writing.count && group.records < GROUP_ROWS_MAX &&
           group.bytes < GROUP_BYTES_MAX) {
        QueuedRecord record;
        const uint8_t *from = postgres->writing.bytes + at + group.bytes;
        memcpy(&record, from, sizeof record);
        if (!add_record(postgres, &record, from + sizeof record, &group))
            break;
        group.bytes += sizeof record + record.count;
    }
    lock_give(&postgres->lock);
    return group;
}

/* --- Sending a group -------------------------------------------------------------------------- */

/* How a try to write a group ended. */
typedef enum GroupResult {
    TRY_DONE,
    TRY_ASK,  /* nobody knows: ask */
    TRY_WAIT, /* the database cannot now */
    TRY_FAILED
} GroupResult;

/* What an answer that is not LINK_DONE means. */
static GroupResult after_trouble(Postgres *postgres, LinkAnswer answer) {
    const DatabaseLink *link = &postgres->writer_link;
    if (answer == LINK_LOST)
        return TRY_ASK;
    if (strcmp(link->code, "23505") == 0) /* unique violation: it may be our own, from before */
        return TRY_ASK;
    return TRY_WAIT;
}

/* Does the row of the journal have these values? */
static bool row_is(const PGresult *rows, int row, const QueuedRecord *record,
                   const uint8_t *bytes) {
    return (uint64_t)link_int8(rows, row, 0) == record->time_ms &&
           link_int4(rows, row, 1) == record->kind &&
           PQgetlength(rows, row, 2) == (int)record->count &&
           (record->count == 0 || memcmp(PQgetvalue(rows, row, 2), bytes, record->count) == 0);
}

/* Two nodes have written the same record: the worst that can happen, and never guessed away. */
static GroupResult shout(Postgres *postgres, uint64_t match, uint32_t sequence) {
    char sentence[320];
    snprintf(sentence, sizeof sentence,
             "TWO WRITERS: record %" PRIu32 " of match %016" PRIx64
             " is in the database with other bytes than this node wrote; nothing more is written "
             "or told; keep the database as it is and report this",
             sequence, match);
    postgres_fail(postgres, sentence, false);
    return TRY_FAILED;
}

/* Reads the group's records back and compares them. */
static GroupResult compare(Postgres *postgres, const Group *group, size_t at) {
    LinkParameters keys = {.count = 0};
    PGresult *rows;
    link_put_array(&keys, &postgres->row_numbers);
    link_put_array(&keys, &postgres->row_sequences);
    LinkAnswer answer = link_run(&postgres->writer_link, "records", &keys, &rows);
    if (answer != LINK_DONE)
        return after_trouble(postgres, answer);
    GroupResult result = TRY_DONE;
    const uint8_t *from = postgres->writing.bytes + at;
    for (uint32_t i = 0; i < group->records && result == TRY_DONE; i++) {
        QueuedRecord record;
        memcpy(&record, from, sizeof record);
        if ((uint32_t)PQntuples(rows) != group->records ||
            !row_is(rows, (int)i, &record, from + sizeof record))
            result = shout(postgres, record.match, record.sequence);
        from += sizeof record + record.count;
    }
    PQclear(rows);
    return result;
}

/* Are the group's new matches there, under our numbers, and ours? */
static GroupResult compare_matches(Postgres *postgres, const Group *group) {
    LinkParameters keys = {.count = 0};
    PGresult *rows;
    if (group->matches == 0)
        return TRY_DONE;
    link_put_array(&keys, &postgres->numbers);
    link_put_array(&keys, &postgres->ids);
    link_put_int4(&keys, postgres->node);
    LinkAnswer answer = link_run(&postgres->writer_link, "matches", &keys, &rows);
    if (answer != LINK_DONE)
        return after_trouble(postgres, answer);
    bool fine = link_int4(rows, 0, 0) == (int32_t)group->matches;
    PQclear(rows);
    if (fine)
        return TRY_DONE;
    postgres_fail(postgres,
                  "TWO WRITERS: a match that began here is in the database as another one; nothing "
                  "more is written or told",
                  false);
    return TRY_FAILED;
}

/* Waits until as many machines have everything that is committed by now as the setup demands. */
static GroupResult wait_for_copies(Postgres *postgres) {
    bool enough;
    LinkAnswer answer = copies_wait(postgres, &postgres->writer_link, &postgres->writer_wakes,
                                    THREAD_FOREVER, &enough);
    if (answer != LINK_DONE)
        return after_trouble(postgres, answer);
    return enough ? TRY_DONE : TRY_FAILED;
}

/* Sends the group once; `again`: it may be there already. */
static GroupResult send_group(Postgres *postgres, const Group *group, size_t at, bool again) {
    LinkParameters all = {.count = 0};
    DatabaseLink *link = &postgres->writer_link;
    LinkArray *arrays[] = {&postgres->numbers,     &postgres->ids,           &postgres->times,
                           &postgres->row_numbers, &postgres->row_sequences, &postgres->row_times,
                           &postgres->row_kinds,   &postgres->row_bytes};
    PGresult *rows;
    link_put_int4(&all, postgres->node);
    link_put_int8(&all, postgres->epoch);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        link_put_array(&all, arrays[i]);
    link->patience_ms = PATIENCE_MS + (uint32_t)(group->bytes >> 10);
    FAULT_POINT("before_group");
    LinkAnswer answer = link_run(link, again ? "again" : "group", &all, &rows);
    if (answer != LINK_DONE)
        return after_trouble(postgres, answer);
    FAULT_POINT("after_group");
    bool owner = link_int4(rows, 0, 0) == 1;
    bool whole = (uint32_t)link_int4(rows, 0, 1) == group->records;
    bool doubt = link->doubt;
    PQclear(rows);
    if (!owner) {
        postgres_depose(postgres);
        return TRY_FAILED;
    }
    if (doubt || (!whole && !again))
        return TRY_ASK;
    if (!again)
        return TRY_DONE;
    GroupResult result = compare(postgres, group, at);
    return result == TRY_DONE ? compare_matches(postgres, group) : result;
}

/* Reserves numbers for new matches. */
static GroupResult reserve_numbers(Postgres *postgres) {
    enum { NUMBERS = 256 };
    LinkParameters many = {.count = 0};
    PGresult *rows;
    link_put_int4(&many, NUMBERS);
    LinkAnswer answer = link_run(&postgres->writer_link, "numbers", &many, &rows);
    if (answer != LINK_DONE)
        return after_trouble(postgres, answer);
    /* Other nodes may draw between ours: only the run without a gap at the end is ours alone. */
    int last = PQntuples(rows) - 1, first = last;
    while (first > 0 && link_int8(rows, first - 1, 0) == link_int8(rows, first, 0) - 1)
        first--;
    postgres->number = link_int8(rows, first, 0);
    postgres->number_end = link_int8(rows, last, 0) + 1;
    PQclear(rows);
    return TRY_DONE;
}

/* --- Until it is there ------------------------------------------------------------------------ */

/* Waits a little before another try, the first time not at all. False = it is no use any more: the
 * store has failed, or it closes and the database is away. */
static bool wait_to_retry(Postgres *postgres, bool first) {
    lock_take(&postgres->lock);
    bool goes_on = postgres->done.failure == NULL && !postgres->writer_ends;
    if (goes_on && !first)
        postgres_wait(postgres, &postgres->writer_wakes, RETRY_MS);
    lock_give(&postgres->lock);
    return goes_on;
}

/* Counts an answer that was lost and is asked about. */
static void count_question(Postgres *postgres) {
    lock_take(&postgres->lock);
    postgres->figures.asked++;
    lock_give(&postgres->lock);
}

/* Makes the group durable, however long that takes. False = the store has failed or closes. */
static bool write_group(Postgres *postgres, const Group *group, size_t at) {
    bool again = false, told = false;
    for (;;) {
        GroupResult result = TRY_WAIT;
        if (link_open(&postgres->writer_link)) {
            result = group->records == 0 ? reserve_numbers(postgres)
                                         : send_group(postgres, group, at, again);
            if (result == TRY_DONE) /* numbers too: a standby without them would give them again */
                result = wait_for_copies(postgres);
        }
        if (result == TRY_DONE || result == TRY_FAILED)
            return result == TRY_DONE;
        again = true; /* also after a refusal: then nothing of it is there, which is no harm */
        if (result == TRY_ASK)
            count_question(postgres);
        bool first = !told;
        if (first) {
            char sentence[640];
            snprintf(sentence, sizeof sentence,
                     "the database did not take a group of records: %s; matches wait, and it is "
                     "tried again",
                     postgres->writer_link.problem);
            postgres_report(postgres, sentence);
            told = true;
        }
        if (!wait_to_retry(postgres, first))
            return false;
    }
}

/* Announces everything up to this ticket. */
static void announce(Postgres *postgres, const Group *group) {
    FAULT_POINT("before_announce");
    lock_take(&postgres->lock);
    bool news = postgres->done.failure == NULL && postgres->done.appended < group->ticket;
    if (news)
        postgres->done.appended = group->ticket;
    postgres->figures.groups++;
    if (postgres->end_first != NULL || postgres->handing_over)
        thread_wake(&postgres->keeper_wakes);
    lock_give(&postgres->lock);
    if (news)
        postgres_notify(postgres);
}

/* Writes everything in `writing`. False = the store has failed or closes. */
static bool write_all(Postgres *postgres) {
    for (size_t at = 0; at < postgres->writing.count;) {
        Group group = take_group(postgres, at);
        if (postgres->row_bytes.failed || postgres->row_numbers.failed ||
            postgres->row_times.failed || postgres->row_sequences.failed ||
            postgres->row_kinds.failed || postgres->ids.failed || postgres->numbers.failed ||
            postgres->times.failed) {
            postgres_fail(postgres, "out of memory for a group of records", false);
            return false;
        }
        postgres_waits(postgres, &postgres->writer_waits_ms, true);
        if (!write_group(postgres, &group, at))
            return false;
        postgres_waits(postgres, &postgres->writer_waits_ms, false);
        at += group.bytes;
        if (group.records > 0)
            announce(postgres, &group);
    }
    return true;
}

void *group_run(void *owner) {
    Postgres *postgres = owner;
    for (;;) {
        lock_take(&postgres->lock);
        bool goes_on = wait_for_group(postgres);
        if (goes_on) {
            buffer_swap(&postgres->filling, &postgres->writing);
            postgres->writing_bytes = postgres->writing.count;
        }
        lock_give(&postgres->lock);
        if (!goes_on || !write_all(postgres))
            return NULL;
        lock_take(&postgres->lock);
        postgres->writing_bytes = 0;
        lock_give(&postgres->lock);
    }
}
