/* history.c -- see cluster.h: what was told and asked, and whether it is what was kept.
 *
 * The log of the last primary is the history of all matches. It is replayed from the beginning by
 * the oracle of the simulator (sim.h), which then looks at every position that any node has sent to
 * anybody: it must be, byte for byte, one of the replay (S1 told is kept, S2 one history, S5 legal,
 * S6 views). On the way: every action of a seat was asked for by whoever sits there, in that
 * position (S5 no invention), once (S4), and not after a later position was told (S3); every record
 * was written by the node that had the match, in its epoch; matches end in the archive, once, or
 * are open (S7); a seat has one holder (S8). */
#include <stdlib.h>
#include <string.h>

#include "tests/server/model/cluster.h"

enum { RECORD_BEGIN = 1, RECORD_ACTION = 2, RECORD_CONTEST = 16 };

/* A message that was sent. */
typedef struct SentMessage {
    uint64_t at_ms;
    char *bytes;
    uint32_t count;
} SentMessage;

/* An action that was asked for. */
typedef struct AskedAction {
    uint64_t at_ms, match;
    int32_t number;
    uint8_t seat;
    bool used;
    MashAction action;
} AskedAction;

/* The highest position of a seat that was told by a time. */
typedef struct Height {
    uint64_t at_ms, match;
    int32_t number;
    uint8_t seat;
} Height;

/* Which player has which seat. */
typedef struct Seated {
    uint64_t match;
    uint8_t seat;
    uint32_t player;
} Seated;

/* A match of which a player was told that it is over, or that there is none. */
typedef struct Gone {
    uint64_t match, at_ms;
    bool over;
} Gone;

static Gone *gone;
static uint32_t gone_count, gone_max;
static SentMessage *told;
static AskedAction *asked;
static Height *heights;
static Seated *seated;
static uint32_t told_count, told_max, asked_count, asked_max, heights_count, heights_max,
    seated_count, seated_max;

/* Makes room for one more. */
static void *grown(void *list, uint32_t count, uint32_t *max, size_t bytes) {
    if (count < *max)
        return list;
    *max = *max * 2 + 256;
    list = realloc(list, *max * bytes);
    assert(list != NULL);
    return list;
}

void history_reset(void) {
    for (uint32_t i = 0; i < told_count; i++)
        free(told[i].bytes);
    free(gone);
    gone = NULL;
    gone_count = gone_max = 0;
    free(told);
    free(asked);
    free(heights);
    free(seated);
    told = NULL;
    asked = NULL;
    heights = NULL;
    seated = NULL;
    told_count = told_max = asked_count = asked_max = heights_count = heights_max = 0;
    seated_count = seated_max = 0;
    oracle_reset();
}

static uint64_t number_of(const char *code) {
    uint64_t number = 0;
    if (!table_code_decode(code, &number))
        cluster_fail("no code: %s", code);
    return number;
}

void history_told(const char *bytes, uint32_t count) {
    static const char start[] = "{\"type\":\"position\"";
    if (count < sizeof start || memcmp(bytes, start, sizeof start - 1) != 0)
        return;
    const Message *message = simulation_read(bytes, count);
    told = grown(told, told_count, &told_max, sizeof *told);
    heights = grown(heights, heights_count, &heights_max, sizeof *heights);
    heights[heights_count++] = (Height){.at_ms = cluster.now_ms,
                                        .match = number_of(message->position.code),
                                        .number = message->position.number,
                                        .seat = message->position.you};
    char *copy = malloc(count);
    assert(copy != NULL);
    memcpy(copy, bytes, count);
    told[told_count++] = (SentMessage){cluster.now_ms, copy, count};
    cluster.counts.told++;
}

void history_asked(const char *code, uint8_t seat, int32_t number, MashAction action) {
    asked = grown(asked, asked_count, &asked_max, sizeof *asked);
    asked[asked_count++] = (AskedAction){.at_ms = cluster.now_ms,
                                         .match = number_of(code),
                                         .seat = seat,
                                         .number = number,
                                         .action = action};
}

void history_seated(const char *code, uint8_t seat, uint32_t player) {
    uint64_t match = number_of(code);
    for (uint32_t i = 0; i < seated_count; i++)
        if (seated[i].match == match && seated[i].seat == seat) {
            if (seated[i].player != player)
                cluster_fail("seat %u of %s was given to player %u and to player %u", seat, code,
                             seated[i].player, player);
            return;
        }
    seated = grown(seated, seated_count, &seated_max, sizeof *seated);
    seated[seated_count++] = (Seated){match, seat, player};
}

void history_gone(const char *code, bool over) {
    gone = grown(gone, gone_count, &gone_max, sizeof *gone);
    gone[gone_count++] = (Gone){number_of(code), cluster.now_ms, over};
}

/* --- Checking --------------------------------------------------------------------------------- */

/* A match as the log says. */
typedef struct Logged {
    int64_t n, id;
    int64_t node; /* whose it is */
    uint32_t records;
    bool open, archived;
} Logged;
static Logged *logged;
static uint32_t logged_count, logged_max;
static int64_t epochs[MODEL_NODES_MAX + 1];

static Logged *logged_of(int64_t n) {
    for (uint32_t i = logged_count; i > 0; i--)
        if (logged[i - 1].n == n)
            return &logged[i - 1];
    return NULL;
}

/* A node's row, or a match's, has changed. */
static void follow_row(const Transaction *transaction, const Change *change) {
    const Row *row = change->row;
    if (row->table == NODES && !change->removed) {
        if (row->value[EPOCH] < epochs[row->key[0]])
            cluster_fail("the epoch of node %d falls", (int)row->key[0]);
        epochs[row->key[0]] = row->value[EPOCH];
    }
    if (row->table != MATCHES)
        return;
    Logged *match = logged_of(row->key[0]);
    if (match != NULL) {
        match->open = !change->removed;
        match->node = row->value[MATCH_NODE];
        return;
    }
    logged = grown(logged, logged_count, &logged_max, sizeof *logged);
    logged[logged_count++] = (Logged){
        .n = row->key[0], .id = row->value[MATCH_ID], .node = row->value[MATCH_NODE], .open = true};
    if (transaction->node != row->value[MATCH_NODE])
        cluster_fail("a match begins at another node than its own");
}

/* The action was asked for, in time, and not done before. */
static void check_asked(uint64_t match, MashAction action, uint32_t number) {
    AskedAction *found = NULL;
    bool anywhere = action.verb >= MASH_VERB_RESIGN; /* resigning names no position */
    for (uint32_t i = 0; i < asked_count && found == NULL; i++)
        if (asked[i].match == match && asked[i].seat == action.seat &&
            ((uint32_t)asked[i].number == number || anywhere) && !asked[i].used &&
            memcmp(&asked[i].action, &action, sizeof action) == 0)
            found = &asked[i];
    if (found == NULL)
        cluster_fail("match %016llx: seat %u did not ask for what it does in position %u (verb %u)",
                     (unsigned long long)match, action.seat, number, action.verb);
    found->used = true;
    for (uint32_t i = 0; !anywhere && i < heights_count && heights[i].at_ms < found->at_ms; i++)
        if (heights[i].match == match && heights[i].seat == action.seat &&
            (uint32_t)heights[i].number > number)
            cluster_fail("match %016llx: what seat %u asked for after position %d was told stands "
                         "before it",
                         (unsigned long long)match, action.seat, heights[i].number);
}

/* A record of the journal. */
static void replay(const Transaction *transaction, const Row *row) {
    Logged *match = logged_of(row->key[0]);
    if (match == NULL || !match->open)
        cluster_fail("a record of no match");
    if (row->key[1] != ++match->records)
        cluster_fail("match %016llx: record %lld comes after %u", (unsigned long long)match->id,
                     (long long)row->key[1], match->records - 1);
    if (match->node != transaction->node || epochs[transaction->node] != transaction->epoch)
        cluster_fail(
            "match %016llx of node %lld: node %d writes record %lld in epoch %lld, and its "
            "epoch is %lld",
            (unsigned long long)match->id, (long long)match->node, transaction->node,
            (long long)row->key[1], (long long)transaction->epoch,
            (long long)epochs[transaction->node]);
    StoreRecord record = {.match = (uint64_t)match->id,
                          .time_ms = (uint64_t)row->value[AT],
                          .sequence = (uint32_t)row->key[1],
                          .count = (uint32_t)row->text[0].count,
                          .bytes = row->text[0].bytes,
                          .kind = (uint16_t)row->value[KIND]};
    MashAction action;
    if (record.kind >= RECORD_CONTEST)
        return; /* contestants.c looks at those */
    if (record.kind == RECORD_ACTION && record.count >= sizeof action) {
        memcpy(&action, record.bytes, sizeof action);
        if (action.seat < MASH_SEATS)
            check_asked(record.match, action, oracle_number(record.match, action.seat));
    }
    oracle_record(NULL, &record);
}

/* A match in the archive. */
static void archive(const Row *row) {
    Logged *match = NULL;
    for (uint32_t i = 0; i < logged_count; i++)
        if (logged[i].id == row->key[0])
            match = &logged[i];
    if (match == NULL || match->archived)
        cluster_fail("a match is archived %s", match == NULL ? "that never began" : "twice");
    match->archived = true;
    StoreEntry entry = {.match = (uint64_t)row->key[0],
                        .actions = (uint32_t)row->value[ACTIONS],
                        .winner = (int32_t)row->value[WINNER]};
    oracle_finish(NULL, &entry, row->text[FILE_BYTES].bytes, (size_t)row->text[FILE_BYTES].count);
    cluster.counts.archived++;
}

/* Goes through all changes of a log; matches before their records. */
static void replay_log(const Machine *machine) {
    for (uint32_t i = 0; i < machine->log_count; i++) {
        const Transaction *one = machine->log[i];
        for (uint32_t k = 0; k < one->count; k++)
            if (one->changes[k].row != NULL && !one->changes[k].removed)
                follow_row(one, &one->changes[k]);
        for (uint32_t k = 0; k < one->count; k++)
            if (one->changes[k].row != NULL && one->changes[k].row->table == JOURNAL &&
                !one->changes[k].removed)
                replay(one, one->changes[k].row);
        for (uint32_t k = 0; k < one->count; k++)
            if (one->changes[k].row != NULL && one->changes[k].row->table == MATCHES &&
                one->changes[k].removed)
                logged_of(one->changes[k].row->key[0])->open = false;
        for (uint32_t k = 0; k < one->count; k++) /* an update is a removal and a new row */
            if (one->changes[k].row != NULL && one->changes[k].row->table == MATCHES &&
                !one->changes[k].removed)
                logged_of(one->changes[k].row->key[0])->open = true;
    }
}

/* A client that was told that a match is over or unknown was told the truth: in the end it is over,
 * or not open. */
static void check_gone(const Gone *one) {
    for (uint32_t i = 0; i < logged_count; i++)
        if ((uint64_t)logged[i].id == one->match &&
            (one->over ? !oracle_over(one->match) : logged[i].open))
            cluster_fail("match %016llx is %s, and a player was told at %llu ms that it is %s",
                         (unsigned long long)one->match, logged[i].open ? "open" : "not archived",
                         (unsigned long long)one->at_ms, one->over ? "over" : "not there");
}

/* Whoever is told a position of a seat, at whichever node, is told none that is older than what was
 * told of that seat before: an old owner does not tell while another goes on. */
static void check_heights(void) {
    Height *tops = NULL;
    uint32_t tops_count = 0, tops_max = 0;
    for (uint32_t i = 0; i < heights_count; i++) {
        const Height *one = &heights[i];
        uint32_t k = tops_count;
        while (k > 0 && (tops[k - 1].match != one->match || tops[k - 1].seat != one->seat))
            k--;
        if (k > 0 && tops[k - 1].number > one->number)
            cluster_fail("match %016llx: position %d was told to seat %u at %llu ms, and position "
                         "%d at %llu ms",
                         (unsigned long long)one->match, tops[k - 1].number, one->seat,
                         (unsigned long long)tops[k - 1].at_ms, one->number,
                         (unsigned long long)one->at_ms);
        tops = grown(tops, tops_count, &tops_max, sizeof *tops);
        tops[k > 0 ? k - 1 : tops_count++] = *one;
    }
    free(tops);
}

void history_check(int at) {
    const Machine *machine = &model.machines[at];
    check_heights();
    logged_count = 0;
    memset(epochs, 0, sizeof epochs);
    replay_log(machine);
    for (uint32_t i = 0; i < told_count; i++)
        oracle_check_message(NULL, told[i].bytes, told[i].count);
    for (uint32_t i = 0; i < machine->log_count; i++)
        for (uint32_t k = 0; k < machine->log[i]->count; k++) {
            const Change *change = &machine->log[i]->changes[k];
            if (change->row != NULL && change->row->table == ARCHIVE && change->removed)
                cluster_fail("a match leaves the archive");
            if (change->row != NULL && change->row->table == ARCHIVE)
                archive(change->row);
        }
    for (uint32_t i = 0; i < logged_count; i++) {
        if (logged[i].open && logged[i].archived)
            cluster_fail("match %016llx is archived and open", (unsigned long long)logged[i].id);
        if (!logged[i].open && !logged[i].archived && oracle_played((uint64_t)logged[i].id))
            cluster_fail("match %016llx is neither archived nor open",
                         (unsigned long long)logged[i].id);
    }
    for (uint32_t i = 0; i < gone_count; i++)
        check_gone(&gone[i]);
    cluster.counts.matches += logged_count;
    free(logged);
    logged = NULL;
    logged_max = 0;
}
