/* statements.c -- see model.h: what each statement of store/postgres/ does, by its name. In the
 * order in which PostgreSQL does it, as far as others can notice: parts that only others of the
 * same statement read are done when they are read, and those that nobody reads at the end, the last
 * one first. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/server/model/model.h"

/* --- Parameters ------------------------------------------------------------------------------- */

/* An integer of so many bytes, the highest first. */
static int64_t whole(const char *bytes, int count) {
    uint64_t value = count > 0 && (bytes[0] & 0x80) != 0 ? UINT64_MAX : 0;
    for (int i = 0; i < count; i++)
        value = value << 8 | (uint8_t)bytes[i];
    return (int64_t)value;
}

/* Parameter $number as an integer. */
static int64_t number_at(const Backend *session, int number) {
    return whole(session->parameters.values[number - 1], session->parameters.lengths[number - 1]);
}

/* Parameter $number as bytes. */
static Bytes bytes_at(const Backend *session, int number) {
    return (Bytes){session->parameters.values[number - 1], session->parameters.lengths[number - 1]};
}

/* Parameter $number as an array. */
typedef struct Array {
    Bytes *list;
    int count;
} Array;
static Array array_at(const Backend *session, int number) {
    const char *at = session->parameters.values[number - 1];
    Array array = {0};
    if (whole(at, 4) == 0)
        return array;
    array.count = (int)whole(at + 12, 4);
    array.list = model_memory((size_t)array.count * sizeof *array.list);
    at += 20;
    for (int i = 0; i < array.count; i++) {
        array.list[i] = (Bytes){at + 4, (int)whole(at, 4)};
        at += 4 + array.list[i].count;
    }
    return array;
}

/* Element of an array as an integer. */
static int64_t item(const Array *array, int i) {
    return whole(array->list[i].bytes, array->list[i].count);
}

/* Is the number in the array? */
static bool has(const Array *array, int64_t number) {
    for (int i = 0; i < array->count; i++)
        if (item(array, i) == number)
            return true;
    return false;
}

static bool same_bytes(Bytes a, Bytes b) {
    return a.count == b.count && memcmp(a.bytes, b.bytes, (size_t)a.count) == 0;
}

/* --- Answers ---------------------------------------------------------------------------------- */

/* Begins an answer with so many columns. */
static void columns(Backend *session, int count) {
    enum { COLUMNS_MAX = 10 };
    static char name[] = "column";
    PGresAttDesc described[COLUMNS_MAX];
    assert(count <= COLUMNS_MAX);
    memset(described, 0, sizeof described);
    for (int i = 0; i < count; i++)
        described[i] = (PGresAttDesc){.name = name, .format = 1, .typlen = -1};
    session->rows = PQmakeEmptyPGresult(NULL, PGRES_TUPLES_OK);
    assert(session->rows != NULL);
    PQsetResultAttrs(session->rows, count, described);
}

/* Puts a value into a row of the answer, the next or the last one. */
static void put(Backend *session, int row, int column, const char *bytes, int count) {
    int done = PQsetvalue(session->rows, row, column, (char *)bytes, count);
    assert(done == 1);
}

/* An integer of so many bytes. */
static void put_number(Backend *session, int row, int column, int64_t value, int count) {
    char bytes[8];
    for (int i = count - 1; i >= 0; i--, value >>= 8)
        bytes[i] = (char)(value & 0xff);
    put(session, row, column, bytes, count);
}

static void put_bytes(Backend *session, int row, int column, Bytes bytes) {
    put(session, row, column, bytes.bytes, bytes.count);
}

/* How many rows the answer has. */
static int count_rows(const Backend *session) { return PQntuples(session->rows); }

/* --- Looking at tables ------------------------------------------------------------------------ */

/* All versions of a table that the statement sees, in a list that a change does not disturb. */
typedef struct VisibleVersions {
    Version **list;
    uint32_t count;
} VisibleVersions;
static VisibleVersions seen_in(const Backend *session, TableOf table) {
    const Machine *machine = machine_of(session);
    VisibleVersions seen = {model_memory(machine->versions_count[table] * sizeof(Version *)), 0};
    for (uint32_t i = 0; i < machine->versions_count[table]; i++)
        if (sees(session, machine->versions[table][i]))
            seen.list[seen.count++] = machine->versions[table][i];
    return seen;
}

/* The version with this key that the statement sees; NULL = none. */
static Version *find(const Backend *session, TableOf table, int64_t a, int64_t b) {
    const Machine *machine = machine_of(session);
    for (uint32_t i = 0; i < machine->versions_count[table]; i++) {
        Version *version = machine->versions[table][i];
        if (version->row->key[0] == a && version->row->key[1] == b && sees(session, version))
            return version;
    }
    return NULL;
}

/* A copy of a row, to be changed. */
static Row *copy_row(const Row *row) {
    Row *copy = model_memory(sizeof *copy);
    *copy = *row;
    return copy;
}

/* A new row. */
static Row *new_row(TableOf table, int64_t a, int64_t b) {
    Row *row = model_memory(sizeof *row);
    *row = (Row){.table = table, .key = {a, b}};
    return row;
}

/* By primary key, for lists that are to be in order. */
static int by_key(const void *one, const void *other) {
    const Row *a = (*(Version *const *)one)->row, *b = (*(Version *const *)other)->row;
    if (a->key[0] != b->key[0])
        return a->key[0] < b->key[0] ? -1 : 1;
    return a->key[1] < b->key[1] ? -1 : a->key[1] > b->key[1];
}

static VisibleVersions sorted(VisibleVersions seen) {
    if (seen.count > 0)
        qsort(seen.list, seen.count, sizeof *seen.list, by_key);
    return seen;
}

/* `me`: locks the row of node $1 FOR SHARE if it has epoch $2. */
static bool is_me(Backend *session) {
    session->transaction->node = (int32_t)number_at(session, 1);
    session->transaction->epoch = number_at(session, 2);
    Version *node = find(session, NODES, number_at(session, 1), 0);
    if (node == NULL || node->row->value[EPOCH] != number_at(session, 2))
        return false;
    node = lock_row(session, node, true, false);
    return node != NULL && node->row->value[EPOCH] == number_at(session, 2);
}

/* --- The writer's statements ------------------------------------------------------------------ */

/* Inserts, or does nothing if it is there, or refuses the statement. */
static bool add(Backend *session, const Row *row, bool conflict_is_fine) {
    bool added = insert_row(session, row, NULL);
    if (!added && !conflict_is_fine)
        refuse(session, "23505");
    return added;
}

static void write_group(Backend *session, bool again) {
    Array numbers = array_at(session, 3), ids = array_at(session, 4), times = array_at(session, 5);
    Array n = array_at(session, 6), seq = array_at(session, 7), at = array_at(session, 8),
          kind = array_at(session, 9), bytes = array_at(session, 10);
    bool me = is_me(session);
    int32_t count = 0;
    for (int i = 0; me && i < n.count; i++) {
        Row *row = new_row(JOURNAL, item(&n, i), item(&seq, i));
        row->value[AT] = item(&at, i);
        row->value[KIND] = item(&kind, i);
        row->text[0] = bytes.list[i];
        count += add(session, row, again);
    }
    for (int i = 0; me && i < numbers.count; i++) {
        Row *row = new_row(MATCHES, item(&numbers, i), 0);
        row->value[MATCH_ID] = item(&ids, i);
        row->value[MATCH_NODE] = number_at(session, 1);
        row->value[BEGUN] = item(&times, i);
        add(session, row, again);
    }
    columns(session, 2);
    put_number(session, 0, 0, me, 4);
    put_number(session, 0, 1, count, 4);
}

static void group(Backend *session) { write_group(session, false); }
static void again(Backend *session) { write_group(session, true); }

static void records(Backend *session) {
    Array n = array_at(session, 1), seq = array_at(session, 2);
    columns(session, 3);
    for (int i = 0; i < n.count; i++) {
        const Version *found = find(session, JOURNAL, item(&n, i), item(&seq, i));
        if (found == NULL)
            continue;
        int row = count_rows(session);
        put_number(session, row, 0, found->row->value[AT], 8);
        put_number(session, row, 1, found->row->value[KIND], 4);
        put_bytes(session, row, 2, found->row->text[0]);
    }
}

static void matches(Backend *session) {
    Array n = array_at(session, 1), ids = array_at(session, 2);
    int32_t count = 0;
    for (int i = 0; i < n.count; i++) {
        const Version *found = find(session, MATCHES, item(&n, i), 0);
        count += found != NULL && found->row->value[MATCH_ID] == item(&ids, i) &&
                 found->row->value[MATCH_NODE] == number_at(session, 3);
    }
    columns(session, 1);
    put_number(session, 0, 0, count, 4);
}

static void numbers(Backend *session) {
    columns(session, 1);
    for (int64_t i = 0; i < number_at(session, 1); i++)
        put_number(session, (int)i, 0, next_in_sequence(session), 8);
}

static void flushed(Backend *session) {
    uint32_t place = machine_of(session)->log_count;
    columns(session, 2);
    put_number(session, 0, 0, place, 8);
    put_number(session, 0, 1, model_standbys(session->machine, place), 4);
}

static void kept(Backend *session) {
    columns(session, 1);
    put_number(session, 0, 0, model_standbys(session->machine, (uint32_t)number_at(session, 1)), 4);
}

/* --- The keeper's statements ------------------------------------------------------------------ */

static void come(Backend *session) {
    Row *row = new_row(NODES, number_at(session, 1), 0);
    Version *there = NULL;
    row->value[EPOCH] = row->value[OPEN] = 1;
    row->text[URL] = bytes_at(session, 2);
    row->text[PEER] = bytes_at(session, 3);
    if (row->text[PEER].count > 0 && row->text[PEER].bytes[0] == ':') { /* over a local socket */
        static const char here[] = "127.0.0.1";
        char *whole_peer = model_memory(sizeof here + (size_t)row->text[PEER].count);
        memcpy(whole_peer, here, sizeof here - 1);
        memcpy(whole_peer + sizeof here - 1, row->text[PEER].bytes, (size_t)row->text[PEER].count);
        row->text[PEER] = (Bytes){whole_peer, row->text[PEER].count + (int)sizeof here - 1};
    }
    session->transaction->node = (int32_t)number_at(session, 1);
    while (!insert_row(session, row, &there)) {
        there = lock_row(session, there, false, false);
        if (there == NULL)
            continue; /* it was removed: once more */
        row->value[EPOCH] = there->row->value[EPOCH] + 1;
        row->value[LOAD] = there->row->value[LOAD];
        change_row(session, there, row);
        break;
    }
    columns(session, 1);
    put_number(session, 0, 0, row->value[EPOCH], 8);
}

/* Changes the node of this number and epoch (and beat, if it is not negative), if it is still so
 * when it is locked; how many rows. */
static int change_node(Backend *session, int64_t id, int64_t epoch, int64_t beat, bool only_open,
                       void (*change)(Backend *session, Row *row)) {
    Version *node = find(session, NODES, id, 0);
    for (int look = 0; look < 2; look++) {
        if (node == NULL || node->row->value[EPOCH] != epoch ||
            (beat >= 0 && node->row->value[BEAT] != beat) ||
            (only_open && node->row->value[OPEN] == 0))
            return 0;
        if (look == 0)
            node = lock_row(session, node, false, false);
    }
    Row *newer = copy_row(node->row);
    change(session, newer);
    change_row(session, node, newer);
    return 1;
}

/* Answers with so many rows of the number 1. */
static void ones(Backend *session, int count) {
    columns(session, 1);
    for (int i = 0; i < count; i++)
        put_number(session, i, 0, 1, 4);
}

static void beat_once(Backend *session, Row *row) {
    row->value[BEAT]++;
    row->value[LOAD] = number_at(session, 3);
}

static void beat(Backend *session) {
    ones(session,
         change_node(session, number_at(session, 1), number_at(session, 2), -1, false, beat_once));
}

static void raise_once(Backend *session, Row *row) {
    (void)session;
    row->value[EPOCH]++;
    row->value[OPEN] = 0;
}

static void raise(Backend *session) {
    ones(session, change_node(session, number_at(session, 1), number_at(session, 2),
                              number_at(session, 3), true, raise_once));
}

static void give(Backend *session) {
    ones(session,
         change_node(session, number_at(session, 1), number_at(session, 2), -1, false, raise_once));
}

static void watch(Backend *session) {
    VisibleVersions nodes = sorted(seen_in(session, NODES)), all = seen_in(session, MATCHES);
    columns(session, 5);
    for (uint32_t i = 0; i < nodes.count; i++) {
        const Row *node = nodes.list[i]->row;
        int row = count_rows(session);
        bool owns = false;
        if (node->key[0] == number_at(session, 1))
            continue;
        for (uint32_t k = 0; k < all.count; k++)
            owns = owns || all.list[k]->row->value[MATCH_NODE] == node->key[0];
        put_number(session, row, 0, node->key[0], 4);
        put_number(session, row, 1, node->value[EPOCH], 8);
        put_number(session, row, 2, node->value[BEAT], 8);
        put_number(session, row, 3, node->value[OPEN], 4);
        put_number(session, row, 4, owns, 4);
    }
}

static void copies_now(Backend *session) {
    columns(session, 1);
    put_number(session, 0, 0, machine_of(session)->waits ? model_standbys(session->machine, 0) : 0,
               4);
}

static void end_backends(Backend *session) {
    char application[64];
    snprintf(application, sizeof application, "mashup-%lld-%lld", (long long)number_at(session, 1),
             (long long)number_at(session, 2));
    int count = terminate(session, application);
    columns(session, 1);
    for (int i = 0; i < count; i++)
        put(session, i, 0, "\1", 1);
}

static void take(Backend *session) {
    VisibleVersions all = sorted(seen_in(session, MATCHES));
    int64_t from = number_at(session, 3), left = number_at(session, 4);
    bool me = is_me(session);
    Version *gone = me ? find(session, NODES, from, 0) : NULL;
    if (gone != NULL && gone->row->value[OPEN] == 0)
        gone = lock_row(session, gone, true, false);
    me = me && gone != NULL && gone->row->value[OPEN] == 0;
    columns(session, 1);
    for (uint32_t i = 0; me && i < all.count && left > 0; i++) {
        if (all.list[i]->row->value[MATCH_NODE] != from)
            continue;
        Version *match = lock_row(session, all.list[i], false, true);
        if (match == NULL || match->row->value[MATCH_NODE] != from)
            continue;
        Row *ours = copy_row(match->row);
        ours->value[MATCH_NODE] = number_at(session, 1);
        change_row(session, match, ours);
        put_number(session, count_rows(session), 0, ours->key[0], 8);
        left--;
    }
}

static void mine(Backend *session) {
    VisibleVersions all = sorted(seen_in(session, MATCHES));
    columns(session, 2);
    for (uint32_t i = 0; i < all.count; i++) {
        const Row *match = all.list[i]->row;
        int row = count_rows(session);
        if (match->value[MATCH_NODE] != number_at(session, 1))
            continue;
        put_number(session, row, 0, match->key[0], 8);
        put_number(session, row, 1, match->value[MATCH_ID], 8);
    }
}

/* A row of `fetch`; without a record: nulls. */
static void put_record(Backend *session, const Row *match, const Row *record) {
    int row = count_rows(session);
    put_number(session, row, 0, match->value[MATCH_ID], 8);
    put_number(session, row, 1, match->key[0], 8);
    for (int i = 2; record == NULL && i < 6; i++)
        put(session, row, i, NULL, -1);
    if (record == NULL)
        return;
    put_number(session, row, 2, record->key[1], 4);
    put_number(session, row, 3, record->value[AT], 8);
    put_number(session, row, 4, record->value[KIND], 4);
    put_bytes(session, row, 5, record->text[0]);
}

static void fetch(Backend *session) {
    Array wanted = array_at(session, 1);
    VisibleVersions all = sorted(seen_in(session, MATCHES)),
                    journal = sorted(seen_in(session, JOURNAL));
    columns(session, 6);
    for (uint32_t i = 0; i < all.count; i++) {
        const Row *match = all.list[i]->row;
        bool empty = true;
        if (match->value[MATCH_NODE] != number_at(session, 2) || !has(&wanted, match->key[0]))
            continue;
        for (uint32_t k = 0; k < journal.count; k++)
            if (journal.list[k]->row->key[0] == match->key[0]) {
                put_record(session, match, journal.list[k]->row);
                empty = false;
            }
        if (empty)
            put_record(session, match, NULL);
    }
}

/* Removes all rows of a table whose first key is in the array. */
static void remove_all(Backend *session, TableOf table, const Array *keys) {
    VisibleVersions all = seen_in(session, table);
    for (uint32_t i = 0; i < all.count; i++) {
        if (!has(keys, all.list[i]->row->key[0]))
            continue;
        Version *version = lock_row(session, all.list[i], false, false);
        if (version != NULL)
            change_row(session, version, NULL);
    }
}

/* The part of `finish` that keeps the matches. */
static void keep(Backend *session) {
    Array id = array_at(session, 4), numbers[5];
    static const int from[] = {5, 6, 9, 11, 12}, texts[] = {7, 8, 10, 13};
    for (int i = 0; i < 5; i++)
        numbers[i] = array_at(session, from[i]);
    for (int k = 0; k < id.count; k++) {
        Row *row = new_row(ARCHIVE, item(&id, k), 0);
        for (int i = 0; i < 5; i++)
            row->value[i] = item(&numbers[i], k);
        for (int i = 0; i < 4; i++) {
            Array list = array_at(session, texts[i]);
            row->text[i] = list.list[k];
        }
        add(session, row, true);
    }
}

/* A player of the archive refers to a match there, which must stay until the end. */
static void lock_match(Backend *session, int64_t id) {
    const Machine *machine = machine_of(session);
    for (uint32_t i = 0; i < machine->versions_count[ARCHIVE]; i++) {
        Version *version = machine->versions[ARCHIVE][i];
        if (version->row->key[0] != id || version->made->aborted ||
            (version->gone != NULL && version->gone->visible != 0))
            continue;
        if (version->made == session->transaction || lock_row(session, version, true, false))
            return;
        break;
    }
    refuse(session, "23503");
}

static void finish(Backend *session) {
    Array over = array_at(session, 3), id = array_at(session, 14), name = array_at(session, 15),
          game = array_at(session, 16), ended = array_at(session, 17);
    bool me = is_me(session);
    bool *added = model_memory((size_t)id.count);
    for (int i = 0; me && i < id.count; i++) {
        Row *row = new_row(PEOPLE, item(&id, i), 0);
        row->text[0] = name.list[i];
        row->text[1] = game.list[i];
        row->value[PERSON_ENDS] = item(&ended, i);
        added[i] = add(session, row, true);
    }
    if (me) {
        keep(session);
        remove_all(session, JOURNAL, &over);
        remove_all(session, MATCHES, &over);
    }
    for (int i = 0; me && i < id.count; i++)
        if (added[i])
            lock_match(session, item(&id, i));
    columns(session, 1);
    put_number(session, 0, 0, me, 4);
}

/* The archive, the oldest first. */
static int by_end(const void *one, const void *other) {
    const Row *a = (*(Version *const *)one)->row, *b = (*(Version *const *)other)->row;
    if (a->value[ENDED] != b->value[ENDED])
        return a->value[ENDED] < b->value[ENDED] ? -1 : 1;
    return a->key[0] < b->key[0] ? -1 : a->key[0] > b->key[0];
}

static VisibleVersions archive_by_end(const Backend *session) {
    VisibleVersions all = seen_in(session, ARCHIVE);
    if (all.count > 0)
        qsort(all.list, all.count, sizeof *all.list, by_end);
    return all;
}

/* Removes a match from the archive with its players; false = somebody else does. */
static bool prune(Backend *session, Version *version) {
    Array id = {.list = model_memory(sizeof(Bytes)), .count = 1};
    char *bytes = model_memory(8);
    version = lock_row(session, version, false, true);
    if (version == NULL)
        return false;
    for (int i = 0; i < 8; i++)
        bytes[i] = (char)((uint64_t)version->row->key[0] >> (56 - 8 * i) & 0xff);
    id.list[0] = (Bytes){bytes, 8};
    change_row(session, version, NULL);
    remove_all(session, PEOPLE, &id);
    return true;
}

static void prune_age(Backend *session) {
    VisibleVersions all = archive_by_end(session);
    int64_t left = number_at(session, 2);
    int count = 0;
    for (uint32_t i = 0; i < all.count && left > 0; i++)
        if (all.list[i]->row->value[ENDED] < number_at(session, 1) && prune(session, all.list[i])) {
            left--;
            count++;
        }
    ones(session, count);
}

static void archive_bytes(Backend *session) {
    VisibleVersions all = seen_in(session, ARCHIVE);
    int64_t sum = 0;
    for (uint32_t i = 0; i < all.count; i++)
        sum += all.list[i]->row->text[FILE_BYTES].count;
    columns(session, 1);
    put_number(session, 0, 0, sum, 8);
}

static void prune_bytes(Backend *session) {
    VisibleVersions all = archive_by_end(session);
    int64_t left = number_at(session, 1);
    columns(session, 1);
    for (uint32_t i = 0; i < all.count && left > 0; i++)
        if (prune(session, all.list[i])) {
            put_number(session, count_rows(session), 0, all.list[i]->row->text[FILE_BYTES].count,
                       4);
            left--;
        }
}

/* Documents by name. */
static int by_name(const void *one, const void *other) {
    Bytes a = (*(Version *const *)one)->row->text[0], b = (*(Version *const *)other)->row->text[0];
    int order = memcmp(a.bytes, b.bytes, (size_t)(a.count < b.count ? a.count : b.count));
    return order != 0 ? order : a.count - b.count;
}

static void documents(Backend *session) {
    VisibleVersions all = seen_in(session, DOCUMENTS);
    if (all.count > 0)
        qsort(all.list, all.count, sizeof *all.list, by_name);
    columns(session, 2);
    for (uint32_t i = 0; i < all.count; i++) {
        put_bytes(session, (int)i, 0, all.list[i]->row->text[0]);
        put_number(session, (int)i, 1, all.list[i]->row->value[VERSION], 8);
    }
}

static void document(Backend *session) {
    VisibleVersions all = seen_in(session, DOCUMENTS);
    columns(session, 2);
    for (uint32_t i = 0; i < all.count; i++)
        if (same_bytes(all.list[i]->row->text[0], bytes_at(session, 1))) {
            put_number(session, 0, 0, all.list[i]->row->value[VERSION], 8);
            put_bytes(session, 0, 1, all.list[i]->row->text[1]);
        }
}

static void share(Backend *session) {
    Row *row = new_row(DOCUMENTS, 0, 0);
    Version *there = NULL;
    row->value[VERSION] = 1;
    row->text[0] = bytes_at(session, 3);
    row->text[1] = bytes_at(session, 4);
    bool me = is_me(session);
    while (me && !insert_row(session, row, &there)) {
        there = lock_row(session, there, false, false);
        if (there == NULL)
            continue;
        row->value[VERSION] = there->row->value[VERSION] + 1;
        change_row(session, there, row);
        break;
    }
    columns(session, 1);
    if (me)
        put_number(session, 0, 0, row->value[VERSION], 8);
}

/* --- The reader's statements ------------------------------------------------------------------ */

/* Is the match of the archive in the list that is asked for? `game`, `player`: the number of the
 * parameter; 0 = any. By player, the game is the one in the row of the player. */
static bool is_listed(const Backend *session, const Row *row, int game, int player) {
    int64_t below = number_at(session, 1), id = number_at(session, 2), end = row->value[ENDED];
    if (row->value[PRIVATE] != 0 || end > below || (end == below && row->key[0] >= id) ||
        end < number_at(session, 3))
        return false;
    if (player == 0)
        return game == 0 || same_bytes(row->text[GAME], bytes_at(session, game));
    VisibleVersions people = seen_in(session, PEOPLE);
    for (uint32_t i = 0; i < people.count; i++) {
        const Row *person = people.list[i]->row;
        if (person->key[0] == row->key[0] &&
            same_bytes(person->text[0], bytes_at(session, player)) &&
            (game == 0 || same_bytes(person->text[1], bytes_at(session, game))))
            return true;
    }
    return false;
}

static void list_by(Backend *session, int game, int player) {
    VisibleVersions all = archive_by_end(session);
    columns(session, 9);
    for (uint32_t i = all.count; i > 0 && count_rows(session) < number_at(session, 4); i--) {
        const Row *match = all.list[i - 1]->row;
        int row = count_rows(session);
        if (!is_listed(session, match, game, player))
            continue;
        put_number(session, row, 0, match->key[0], 8);
        put_number(session, row, 1, match->value[STARTED], 8);
        put_number(session, row, 2, match->value[ENDED], 8);
        put_bytes(session, row, 3, match->text[GAME]);
        put_bytes(session, row, 4, match->text[PLAYERS]);
        put_number(session, row, 5, match->value[WINNER], 4);
        put_bytes(session, row, 6, match->text[REASON]);
        put_number(session, row, 7, match->value[ACTIONS], 8);
        put_number(session, row, 8, match->text[FILE_BYTES].count, 8);
    }
}

static void list(Backend *session) { list_by(session, 0, 0); }
static void list_game(Backend *session) { list_by(session, 5, 0); }
static void list_player(Backend *session) { list_by(session, 0, 5); }
static void list_both(Backend *session) { list_by(session, 5, 6); }

static void file_bytes(Backend *session) {
    const Version *found = find(session, ARCHIVE, number_at(session, 1), 0);
    columns(session, 1);
    if (found != NULL)
        put_number(session, 0, 0, found->row->text[FILE_BYTES].count, 8);
}

static void file(Backend *session) {
    const Version *found = find(session, ARCHIVE, number_at(session, 1), 0);
    columns(session, 1);
    if (found != NULL)
        put_bytes(session, 0, 0, found->row->text[FILE_BYTES]);
}

/* Node, URL, peer and whether it is open, from this column on. */
static void put_place(Backend *session, int row, int column, int64_t id) {
    const Version *node = find(session, NODES, id, 0);
    put_number(session, row, column, id, 4);
    put_bytes(session, row, column + 1, node == NULL ? (Bytes){"", 0} : node->row->text[URL]);
    put_bytes(session, row, column + 2, node == NULL ? (Bytes){"", 0} : node->row->text[PEER]);
    put_number(session, row, column + 3, node != NULL && node->row->value[OPEN] != 0, 4);
}

/* The open match of this id; NULL = there is none. */
static const Row *match_of(const Backend *session, int64_t id) {
    VisibleVersions all = seen_in(session, MATCHES);
    for (uint32_t i = 0; i < all.count; i++)
        if (all.list[i]->row->value[MATCH_ID] == id)
            return all.list[i]->row;
    return NULL;
}

static void where(Backend *session) {
    const Row *match = match_of(session, number_at(session, 1));
    columns(session, 4);
    if (match != NULL)
        put_place(session, 0, 0, match->value[MATCH_NODE]);
}

static void claim(Backend *session) {
    Row *row = new_row(WAITING, number_at(session, 1), 0);
    Version *there = NULL;
    bool ours = true;
    row->value[WAITING_NODE] = number_at(session, 2);
    while (!insert_row(session, row, &there)) {
        there = lock_row(session, there, false, false);
        if (there == NULL)
            continue;
        const Version *holder = find(session, NODES, there->row->value[WAITING_NODE], 0);
        ours = there->row->value[WAITING_NODE] == row->value[WAITING_NODE] || holder == NULL ||
               holder->row->value[OPEN] == 0;
        if (ours)
            change_row(session, there, row);
        else
            keep_lock(session, there->row, false); /* ON CONFLICT locks it all the same */
        break;
    }
    columns(session, 1);
    if (ours)
        put_number(session, 0, 0, row->value[WAITING_NODE], 4);
}

static void holder(Backend *session) {
    const Version *found = find(session, WAITING, number_at(session, 1), 0);
    const Version *node =
        found == NULL ? NULL : find(session, NODES, found->row->value[WAITING_NODE], 0);
    columns(session, 4);
    if (node != NULL && node->row->value[OPEN] != 0)
        put_place(session, 0, 0, node->row->key[0]);
}

static void unclaim(Backend *session) {
    Version *found = find(session, WAITING, number_at(session, 1), 0);
    columns(session, 1);
    if (found != NULL && found->row->value[WAITING_NODE] == number_at(session, 2))
        found = lock_row(session, found, false, false);
    if (found != NULL && found->row->value[WAITING_NODE] == number_at(session, 2))
        change_row(session, found, NULL);
}

/* --- The lobby -------------------------------------------------------------------------------- */

/* Is this one of the keys? */
static bool has_key(Bytes keys, const char key[8]) {
    for (int i = 0; i < keys.count; i += 8)
        if (memcmp(keys.bytes + i, key, 8) == 0)
            return true;
    return false;
}

/* The keys of both, each once, in order. */
static Bytes all_keys(Bytes a, Bytes b) {
    char *keys = model_memory((size_t)(a.count + b.count));
    int count = 0;
    for (int i = 0; i < a.count + b.count; i += 8) {
        const char *key = i < a.count ? a.bytes + i : b.bytes + i - a.count;
        if (has_key((Bytes){keys, count}, key))
            continue;
        int at = count;
        for (; at > 0 && memcmp(keys + at - 8, key, 8) > 0; at -= 8)
            memcpy(keys + at, keys + at - 8, 8);
        memcpy(keys + at, key, 8);
        count += 8;
    }
    return (Bytes){keys, count};
}

/* Row `k` of the arrays of `publish`. */
static Row *published(Backend *session, int k) {
    static const int from[] = {5, 6, 8, 9, 10}; /* state, listed, rank, two addresses */
    static const char none[8];
    Array id = array_at(session, 4), game = array_at(session, 7), bytes = array_at(session, 14);
    Row *row = new_row(LOBBY, item(&id, k), 0);
    row->value[LOBBY_NODE] = number_at(session, 1);
    row->value[LOBBY_EPOCH] = number_at(session, 2);
    for (int i = 0; i < 5; i++) {
        Array values = array_at(session, from[i]);
        row->value[LOBBY_STATE + i] = item(&values, k);
    }
    row->text[LOBBY_GAME] = game.list[k];
    row->text[LOBBY_BYTES] = bytes.list[k];
    for (int i = 11; i <= 13; i++) {
        Array keys = array_at(session, i);
        if (memcmp(keys.list[k].bytes, none, 8) != 0)
            row->text[KEYS] = all_keys(row->text[KEYS], keys.list[k]);
    }
    return row;
}

static void publish(Backend *session) {
    Array gone = array_at(session, 3), id = array_at(session, 4);
    const Version *me = find(session, NODES, number_at(session, 1), 0); /* without a lock */
    VisibleVersions all = seen_in(session, LOBBY);
    bool current = me != NULL && me->row->value[EPOCH] == number_at(session, 2);
    for (int k = 0; current && k < id.count; k++) {
        Row *row = published(session, k);
        Version *there = NULL;
        while (!insert_row(session, row, &there)) {
            there = lock_row(session, there, false, false);
            if (there == NULL)
                continue;
            row->value[RANK] = there->row->value[RANK];
            row->text[LOBBY_GAME] = there->row->text[LOBBY_GAME];
            row->text[KEYS] = all_keys(there->row->text[KEYS], row->text[KEYS]);
            change_row(session, there, row);
            break;
        }
    }
    for (uint32_t i = 0; current && i < all.count; i++) {
        if (!has(&gone, all.list[i]->row->key[0]) ||
            all.list[i]->row->value[LOBBY_NODE] != number_at(session, 1))
            continue;
        Version *version = lock_row(session, all.list[i], false, false);
        if (version != NULL && version->row->value[LOBBY_NODE] == number_at(session, 1))
            change_row(session, version, NULL);
    }
    columns(session, 1);
}

static void sweep(Backend *session) {
    VisibleVersions all = seen_in(session, LOBBY);
    for (uint32_t i = 0; i < all.count; i++) {
        const Row *row = all.list[i]->row;
        const Version *node = find(session, NODES, row->value[LOBBY_NODE], 0);
        if (node == NULL || node->row->value[EPOCH] <= row->value[LOBBY_EPOCH] ||
            match_of(session, row->key[0]) != NULL)
            continue;
        Version *version = lock_row(session, all.list[i], false, false);
        if (version != NULL && node->row->key[0] == version->row->value[LOBBY_NODE] &&
            node->row->value[EPOCH] > version->row->value[LOBBY_EPOCH])
            change_row(session, version, NULL);
    }
    columns(session, 1);
}

/* By state and rank. */
static int by_rank(const void *one, const void *other) {
    const Row *a = (*(Version *const *)one)->row, *b = (*(Version *const *)other)->row;
    if (a->value[LOBBY_STATE] != b->value[LOBBY_STATE])
        return a->value[LOBBY_STATE] < b->value[LOBBY_STATE] ? -1 : 1;
    return a->value[RANK] < b->value[RANK] ? -1 : a->value[RANK] > b->value[RANK];
}

/* The columns of a table that all statements have. */
static void put_table(Backend *session, int at, const Row *row) {
    put_number(session, at, 0, row->key[0], 8);
    put_number(session, at, 1, row->value[LOBBY_STATE], 4);
    put_number(session, at, 2, row->value[RANK], 8);
    put_number(session, at, 3, row->value[ADDRESS], 8);
    put_number(session, at, 4, row->value[ADDRESS + 1], 8);
    put_bytes(session, at, 5, row->text[LOBBY_BYTES]);
}

/* A page of the tables; `game`: the number of the parameter, 0 = any. */
static void page_of_tables(Backend *session, int game) {
    VisibleVersions all = seen_in(session, LOBBY);
    if (all.count > 0)
        qsort(all.list, all.count, sizeof *all.list, by_rank);
    columns(session, 6);
    for (uint32_t i = 0; i < all.count && count_rows(session) < number_at(session, 3); i++) {
        const Row *row = all.list[i]->row;
        int64_t state = row->value[LOBBY_STATE], after = number_at(session, 1);
        const Version *node = find(session, NODES, row->value[LOBBY_NODE], 0);
        if (row->value[LISTED] != 0 && node != NULL && node->row->value[OPEN] != 0 &&
            node->row->value[EPOCH] == row->value[LOBBY_EPOCH] &&
            (state > after || (state == after && row->value[RANK] > number_at(session, 2))) &&
            (game == 0 || same_bytes(row->text[LOBBY_GAME], bytes_at(session, game))))
            put_table(session, count_rows(session), row);
    }
}

static void tables(Backend *session) { page_of_tables(session, 0); }
static void tables_game(Backend *session) { page_of_tables(session, 4); }

/* The first table for which `wanted` says so, and its place. */
static void find_table(Backend *session, bool (*wanted)(const Backend *, const Row *)) {
    VisibleVersions all = seen_in(session, LOBBY);
    const Row *best = NULL;
    int64_t best_node = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        const Row *row = all.list[i]->row, *match = match_of(session, row->key[0]);
        int64_t id = match != NULL ? match->value[MATCH_NODE] : row->value[LOBBY_NODE];
        const Version *node = find(session, NODES, id, 0);
        bool counts =
            match != NULL || (node != NULL && node->row->value[EPOCH] == row->value[LOBBY_EPOCH]);
        if (!counts || !wanted(session, row) ||
            (best != NULL && best->value[RANK] < row->value[RANK]))
            continue;
        best = row;
        best_node = id;
    }
    columns(session, 10);
    if (best == NULL)
        return;
    put_table(session, 0, best);
    put_place(session, 0, 6, best_node);
}

static bool has_id(const Backend *session, const Row *row) {
    return row->key[0] == number_at(session, 1);
}

static bool is_known_by(const Backend *session, const Row *row) {
    return has_key(row->text[KEYS], session->parameters.values[0]) &&
           ((int64_t)1 << row->value[LOBBY_STATE] & number_at(session, 2)) != 0;
}

static void table(Backend *session) { find_table(session, has_id); }
static void table_key(Backend *session) { find_table(session, is_known_by); }

/* --- By name ---------------------------------------------------------------------------------- */

/* A statement of the model. */
typedef struct ModelStatement {
    const LinkStatement *list;
    const char *name;
    void (*function)(Backend *session);
} ModelStatement;
static const ModelStatement known[] = {
    {group_statements, "group", group},
    {group_statements, "again", again},
    {group_statements, "records", records},
    {group_statements, "matches", matches},
    {group_statements, "numbers", numbers},
    {group_statements, "flushed", flushed},
    {group_statements, "kept", kept},
    {keeper_statements, "flushed", flushed},
    {keeper_statements, "kept", kept},
    {keeper_statements, "come", come},
    {keeper_statements, "beat", beat},
    {keeper_statements, "watch", watch},
    {keeper_statements, "copies", copies_now},
    {keeper_statements, "end", end_backends},
    {keeper_statements, "raise", raise},
    {keeper_statements, "give", give},
    {keeper_statements, "take", take},
    {keeper_statements, "mine", mine},
    {keeper_statements, "fetch", fetch},
    {keeper_statements, "finish", finish},
    {keeper_statements, "prune_age", prune_age},
    {keeper_statements, "archive_bytes", archive_bytes},
    {keeper_statements, "prune_bytes", prune_bytes},
    {keeper_statements, "documents", documents},
    {keeper_statements, "document", document},
    {keeper_statements, "share", share},
    {keeper_statements, "sweep", sweep},
    {reader_statements, "list", list},
    {reader_statements, "list_game", list_game},
    {reader_statements, "list_player", list_player},
    {reader_statements, "list_both", list_both},
    {reader_statements, "file_bytes", file_bytes},
    {reader_statements, "file", file},
    {reader_statements, "where", where},
    {reader_statements, "claim", claim},
    {reader_statements, "holder", holder},
    {reader_statements, "unclaim", unclaim},
    {reader_statements, "publish", publish},
    {reader_statements, "tables", tables},
    {reader_statements, "tables_game", tables_game},
    {reader_statements, "table", table},
    {reader_statements, "table_key", table_key},
};

/* Nobody has an account in the model, and no match is played over days. */
static void no_rows(Backend *session) { columns(session, 1); }

/* So all machines have all of it. */
static void all_flushed(Backend *session) {
    columns(session, 2);
    put_number(session, 0, 0, 0, 8);
    put_number(session, 0, 1, MACHINES_MAX, 4);
}

void (*statement_function(const LinkStatement *statements, const char *name))(Backend *session) {
    bool accounts = statements != group_statements && statements != keeper_statements &&
                    statements != reader_statements;
    if (accounts)
        return strcmp(name, "flushed") == 0 ? all_flushed : no_rows;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].list == statements && strcmp(known[i].name, name) == 0)
            return known[i].function;
    return NULL;
}

const char *statement_list(const LinkStatement *statements) {
    return statements == group_statements    ? "writer"
           : statements == keeper_statements ? "keeper"
                                             : "reader";
}
