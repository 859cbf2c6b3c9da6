/* postgres.c -- the PostgreSQL store: opening and closing, and what the caller's thread does. See
 * postgres.h for the design. */
#define _DEFAULT_SOURCE
#include "store/postgres/postgres.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Shared functions ------------------------------------------------------------------------- */

void postgres_report(Postgres *postgres, const char *sentence) {
    if (postgres->setup.report != NULL)
        postgres->setup.report(postgres->setup.owner, sentence);
    else
        fprintf(stderr, "store: %s\n", sentence);
}

void postgres_notify(Postgres *postgres) {
    if (postgres->setup.notify != NULL)
        postgres->setup.notify(postgres->setup.owner);
}

void postgres_fail(Postgres *postgres, const char *reason, bool deposed) {
    lock_take(&postgres->lock);
    bool first = postgres->done.failure == NULL;
    if (first) {
        snprintf(postgres->failure, sizeof postgres->failure, "%s", reason);
        postgres->done.failure = postgres->failure;
        postgres->done.deposed = deposed;
        thread_wake(&postgres->writer_wakes);
        thread_wake(&postgres->keeper_wakes);
    }
    lock_give(&postgres->lock);
    if (!first)
        return;
    postgres_report(postgres, postgres->failure);
    postgres_notify(postgres);
}

void postgres_depose(Postgres *postgres) {
    char sentence[256];
    snprintf(sentence, sizeof sentence,
             "node %" PRId32 " was silent for too long or was started elsewhere: its matches are "
             "with another node now, and this process ends",
             postgres->node);
    postgres_fail(postgres, sentence, true);
}

/* For how long after the last sign of the database nobody else can have taken our matches. The
 * others wait for silence_ms by clocks that may run 10 % faster, and began at most one beat
 * (silence_ms / 5) before ours. */
uint64_t postgres_trust_ms(const Postgres *postgres) {
    return (uint64_t)postgres->setup.silence_ms * 2 / 5;
}

void postgres_alive(Postgres *postgres, uint64_t sent_ms, int host) {
    lock_take(&postgres->lock);
    if (sent_ms > postgres->alive_ms)
        postgres->alive_ms = sent_ms;
    postgres->alive_host = host;
    bool again =
        postgres->was_stale && link_clock_ms() - postgres->alive_ms <= postgres_trust_ms(postgres);
    postgres->was_stale = postgres->was_stale && !again;
    lock_give(&postgres->lock);
    if (again)
        postgres_notify(postgres);
}

void postgres_wait(Postgres *postgres, pthread_cond_t *wakes, uint64_t ms) {
    thread_wait(wakes, &postgres->lock, ms);
}

/* --- Opening and closing ---------------------------------------------------------------------- */

/* A connection that is closed yet. Its session waits for the standby at each commit, whatever the
 * role's settings say, and is never cancelled by the database: see link.h. What waits for a lock
 * when we have hung up ends by itself, so that tries do not use up the database's connections. */
static void set_link(const Postgres *postgres, DatabaseLink *link, const LinkStatement *statements,
                     bool writes) {
    link->where = postgres->where;
    link->statements = statements;
    link->patience_ms = writes ? PATIENCE_MS : postgres->setup.query_ms;
    snprintf(link->application, sizeof link->application, "mashup-%" PRId32 "-%" PRId64,
             postgres->node, postgres->epoch);
    snprintf(link->options, sizeof link->options,
             "-c synchronous_commit=on -c statement_timeout=%" PRIu32
             " -c lock_timeout=0 -c client_connection_check_interval=2s",
             writes ? 0 : postgres->setup.query_ms);
}

/* For schema_check(): into the log. */
static void report_setting(void *owner, const char *sentence) { postgres_report(owner, sentence); }

/* Connects, checks the tables, makes this node known, and starts the threads. False: with a
 * problem. */
static bool open_parts(Postgres *postgres, MashText *problem) {
    DatabaseLink *link = &postgres->keeper_link;
    uint32_t unsafe;
    if (!ledger_init(&postgres->ledger, postgres->setup.matches_max)) {
        text_string(problem, "out of memory for the store");
        return false;
    }
    set_link(postgres, link, NULL, true);
    if (!link_open(link)) {
        text_format(problem, "cannot connect to the database: %s", link->problem);
        return false;
    }
    if (!schema_is_current(link, problem) ||
        !schema_check(postgres->where, report_setting, postgres, &unsafe, problem))
        return false;
    link_close(link);
    set_link(postgres, link, keeper_statements, true);
    if (!nodes_come_up(postgres, problem))
        return false;
    link_close(link); /* to be opened again with the epoch in its name: see raise_epoch() */
    set_link(postgres, link, keeper_statements, true);
    set_link(postgres, &postgres->writer_link, group_statements, true);
    set_link(postgres, &postgres->reader_link, reader_statements, false);
    set_link(postgres, &postgres->accounts_link, account_statements, true);
    postgres->writer_runs = thread_start(&postgres->writer, group_run, postgres, problem);
    postgres->keeper_runs =
        postgres->writer_runs && thread_start(&postgres->keeper, keeper_run, postgres, problem);
    return postgres->keeper_runs;
}

/* Is the setup one that this backend can follow? False: with a problem. */
static bool setup_is_good(const StoreSetup *setup, MashText *problem) {
    if (setup->single_threaded || setup->announce_before_sync)
        text_string(problem, "a database cannot announce before it has written");
    else if (setup->node < 1 || setup->node > INT32_MAX)
        text_string(problem, "the number of a node is 1 or more");
    else if (setup->silence_ms < 50)
        text_string(problem, "a silence of less than 50 ms is not allowed");
    else if (setup->url != NULL && strlen(setup->url) >= STORE_URL_BYTES)
        text_string(problem, "the URL of the node is too long");
    else if (setup->peer != NULL && strlen(setup->peer) >= STORE_URL_BYTES)
        text_string(problem, "the address of the node for other nodes is too long");
    else
        return true;
    return false;
}

static void postgres_close(Store *store);

/* store_open() of this backend. */
static Store *postgres_open(const StoreSetup *setup, const char *where, MashText *problem) {
    if (!setup_is_good(setup, problem))
        return NULL;
    Postgres *postgres = calloc(1, sizeof *postgres);
    if (postgres == NULL) {
        text_string(problem, "out of memory for the store");
        return NULL;
    }
    postgres->store.backend = &store_postgres;
    postgres->store.accounts = accounts_run;
    postgres->store.accounts_owner = postgres;
    postgres->setup = *setup;
    postgres->setup.place = postgres->setup.url = postgres->setup.peer = NULL;
    postgres->node = (int32_t)setup->node;
    postgres->where = strdup(where);
    postgres->url = strdup(setup->url == NULL ? "" : setup->url);
    postgres->peer = strdup(setup->peer == NULL ? "" : setup->peer);
    lock_make(&postgres->lock);
    lock_make(&postgres->reader_lock);
    lock_make(&postgres->accounts_lock);
    thread_condition_init(&postgres->writer_wakes);
    thread_condition_init(&postgres->keeper_wakes);
    if (postgres->where == NULL || postgres->url == NULL || postgres->peer == NULL)
        text_string(problem, "out of memory for the store");
    else if (open_parts(postgres, problem))
        return &postgres->store;
    postgres->done.failure = "not open";
    postgres_close(&postgres->store);
    return NULL;
}

/* Ends a thread as soon as it has no work left, or cannot do it. */
static void end(Postgres *postgres, bool *ends, pthread_cond_t *wakes, pthread_t thread) {
    lock_take(&postgres->lock);
    *ends = true;
    thread_wake(wakes);
    lock_give(&postgres->lock);
    thread_join(thread);
}

/* Frees what was read and not given out. */
static void free_arrivals(Arrival *list) {
    while (list != NULL) {
        Arrival *next = list->next;
        PQclear(list->rows);
        free(list);
        list = next;
    }
}

/* Frees the connections and all memory. */
static void release(Postgres *postgres) {
    LinkArray *arrays[] = {&postgres->ids,           &postgres->numbers,   &postgres->times,
                           &postgres->row_numbers,   &postgres->row_times, &postgres->row_kinds,
                           &postgres->row_sequences, &postgres->row_bytes};
    link_close(&postgres->keeper_link);
    link_close(&postgres->writer_link);
    link_close(&postgres->reader_link);
    link_close(&postgres->accounts_link);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]->buffer.bytes);
    for (size_t i = 0; i < sizeof postgres->columns / sizeof *postgres->columns; i++)
        free(postgres->columns[i].buffer.bytes);
    for (size_t i = 0; i < sizeof postgres->reader_columns / sizeof *postgres->reader_columns; i++)
        free(postgres->reader_columns[i].buffer.bytes);
    while (postgres->end_first != NULL) {
        EndJob *next = postgres->end_first->next;
        free(postgres->end_first);
        postgres->end_first = next;
    }
    free_arrivals(postgres->current);
    free_arrivals(postgres->arrived_first);
    documents_release(postgres);
    ledger_release(&postgres->ledger);
    free(postgres->filling.bytes);
    free(postgres->writing.bytes);
    free(postgres->where);
    free(postgres->url);
    free(postgres->peer);
}

/* store_close() of this backend. The writer first: matches that are over wait for its records. Our
 * matches stay ours until others find us silent, or we come up again. */
static void postgres_close(Store *store) {
    Postgres *postgres = (Postgres *)store;
    if (postgres->writer_runs)
        end(postgres, &postgres->writer_ends, &postgres->writer_wakes, postgres->writer);
    if (postgres->keeper_runs)
        end(postgres, &postgres->keeper_ends, &postgres->keeper_wakes, postgres->keeper);
    release(postgres);
    pthread_cond_destroy(&postgres->writer_wakes);
    pthread_cond_destroy(&postgres->keeper_wakes);
    pthread_mutex_destroy(&postgres->reader_lock.mutex);
    pthread_mutex_destroy(&postgres->accounts_lock.mutex);
    pthread_mutex_destroy(&postgres->lock.mutex);
    free(postgres);
}

/* --- Matches that were found or came ---------------------------------------------------------- */

/* The first arrival that has not been given out entirely, as the current one. False: there is
 * none. */
static bool take_arrival(Postgres *postgres) {
    while (postgres->current == NULL || postgres->current->at == postgres->current->end) {
        free_arrivals(postgres->current);
        lock_take(&postgres->lock);
        postgres->current = postgres->arrived_first;
        if (postgres->current != NULL)
            postgres->arrived_first = postgres->current->next;
        if (postgres->arrived_first == NULL)
            postgres->arrived_last = NULL;
        lock_give(&postgres->lock);
        if (postgres->current == NULL)
            return false;
        postgres->current->next = NULL;
    }
    return true;
}

/* store_next_match() of this backend. */
static bool postgres_next_match(Store *store, StoreMatch *match) {
    Postgres *postgres = (Postgres *)store;
    if (!take_arrival(postgres))
        return false;
    Arrival *arrival = postgres->current;
    PGresult *rows = arrival->rows;
    int first = arrival->at, at = first;
    int64_t id = link_int8(rows, first, 0);
    bool whole = true;
    for (; at < arrival->end && link_int8(rows, at, 0) == id; at++)
        whole = whole && !PQgetisnull(rows, at, 2) && link_int4(rows, at, 2) == at - first + 1;
    bool empty = PQgetisnull(rows, first, 2) != 0; /* a match without a record */
    postgres->match = (uint64_t)id;
    postgres->record_at = empty ? at : first;
    postgres->record_end = arrival->at = at;
    *match = (StoreMatch){.match = (uint64_t)id,
                          .records = empty ? 0 : (uint32_t)(at - first),
                          .health = whole ? STORE_WHOLE : STORE_BROKEN};
    return true;
}

/* store_next_record() of this backend. */
static bool postgres_next_record(Store *store, StoreRecord *record) {
    Postgres *postgres = (Postgres *)store;
    int at = postgres->record_at;
    if (postgres->current == NULL || at >= postgres->record_end)
        return false;
    PGresult *rows = postgres->current->rows;
    *record = (StoreRecord){.match = postgres->match,
                            .sequence = (uint32_t)link_int4(rows, at, 2),
                            .time_ms = (uint64_t)link_int8(rows, at, 3),
                            .kind = (uint16_t)link_int4(rows, at, 4),
                            .count = (uint32_t)PQgetlength(rows, at, 5),
                            .bytes = PQgetvalue(rows, at, 5)};
    postgres->record_at++;
    return true;
}

/* --- Appending and finishing ------------------------------------------------------------------ */

/* Queues a record of a known match. Under the lock. */
static StoreStatus take(Postgres *postgres, OpenMatch *match, const StoreRecord *record) {
    size_t length = sizeof(QueuedRecord) + (size_t)record->count;
    Buffer *queue = &postgres->filling;
    if (match->broken)
        return STORE_DAMAGED;
    if (match->finishing)
        return STORE_FINISHED;
    if (match->sequence == INT32_MAX || !buffer_reserve(queue, length))
        return STORE_FULL;
    QueuedRecord own = {.match = record->match,
                        .time_ms = record->time_ms,
                        .ticket = postgres->tickets + 1,
                        .sequence = match->sequence + 1,
                        .count = record->count,
                        .kind = record->kind};
    memcpy(queue->bytes + queue->count, &own, sizeof own);
    if (record->count > 0)
        memcpy(queue->bytes + queue->count + sizeof own, record->bytes, record->count);
    bool wakes = queue->count == 0;
    queue->count += length;
    if (wakes)
        thread_wake(&postgres->writer_wakes);
    match->sequence++;
    return STORE_OK;
}

/* Is there room for this much more? An empty queue accepts anything. Under the lock. */
static bool has_room(const Postgres *postgres, size_t more) {
    uint64_t waiting = postgres->filling.count + postgres->writing_bytes;
    return waiting == 0 || waiting + more <= postgres->setup.queue_bytes_max;
}

/* store_append() of this backend. */
static StoreStatus postgres_append(Store *store, const StoreRecord *record, uint64_t *ticket) {
    Postgres *postgres = (Postgres *)store;
    StoreStatus status = STORE_FULL;
    if (record->count > STORE_RECORD_BYTES_MAX)
        return STORE_TOO_LONG;
    lock_take(&postgres->lock);
    if (postgres->done.failure != NULL || postgres->handing_over) {
        status = STORE_FAILED;
    } else if (has_room(postgres, sizeof(QueuedRecord) + (size_t)record->count)) {
        OpenMatch *match = ledger_add(&postgres->ledger, record->match);
        if (match != NULL)
            status = take(postgres, match, record);
        if (match != NULL && match->sequence == 0 && !match->broken && !match->finishing)
            ledger_forget(&postgres->ledger, match);
    }
    if (status == STORE_OK) {
        *ticket = ++postgres->tickets;
        postgres->figures.records++;
    }
    postgres->figures.full += status == STORE_FULL;
    lock_give(&postgres->lock);
    return status;
}

/* store_progress() of this backend. */
static StoreProgress postgres_done(Store *store) {
    Postgres *postgres = (Postgres *)store;
    lock_take(&postgres->lock);
    StoreProgress done = postgres->done;
    lock_give(&postgres->lock);
    return done;
}

/* store_may_tell() of this backend. */
static bool postgres_may_tell(Store *store) {
    Postgres *postgres = (Postgres *)store;
    lock_take(&postgres->lock);
    bool fresh = link_clock_ms() - postgres->alive_ms <= postgres_trust_ms(postgres);
    postgres->was_stale = postgres->was_stale || !fresh;
    bool may = fresh && !postgres->done.deposed && !postgres->done.handed_over;
    lock_give(&postgres->lock);
    return may;
}

/* All of a wait that is longer than this is given back to the players. An action may wait for the
 * group before its own as well: twice this, and what a late call of the server's loop may hide, are
 * less than the second that a player may lose. */
enum { FROZEN_MS = 300 };

/* For how long clocks have stood by now: while either thread waits for long, from the beginning of
 * the earlier wait. Under the lock. */
static uint64_t frozen_by(const Postgres *postgres, uint64_t now_ms) {
    const uint64_t waits[] = {postgres->writer_waits_ms, postgres->keeper_waits_ms};
    uint64_t since_ms = UINT64_MAX;
    for (uint32_t i = 0; i < 2; i++)
        if (waits[i] != 0 && now_ms - waits[i] > FROZEN_MS && waits[i] < since_ms)
            since_ms = waits[i];
    if (since_ms < postgres->frozen_until_ms)
        since_ms = postgres->frozen_until_ms; /* counted up to there */
    return postgres->frozen_ms + (now_ms > since_ms ? now_ms - since_ms : 0);
}

void postgres_waits(Postgres *postgres, uint64_t *since_ms, bool waits) {
    uint64_t now_ms = link_clock_ms();
    lock_take(&postgres->lock);
    if (waits && *since_ms == 0) {
        *since_ms = now_ms;
    } else if (!waits) {
        if (*since_ms != 0 && now_ms - *since_ms > FROZEN_MS) {
            postgres->frozen_ms = frozen_by(postgres, now_ms);
            postgres->frozen_until_ms = now_ms;
        }
        *since_ms = 0;
    }
    lock_give(&postgres->lock);
}

/* store_frozen_ms() of this backend. */
static uint64_t postgres_frozen_ms(Store *store) {
    Postgres *postgres = (Postgres *)store;
    lock_take(&postgres->lock);
    uint64_t ms = frozen_by(postgres, link_clock_ms());
    lock_give(&postgres->lock);
    return ms;
}

/* store_step() of this backend: it has threads. */
static void postgres_turn(Store *store) { (void)store; }

/* Queues a match that is over. Under the lock. */
static void queue_end(Postgres *postgres, EndJob *job) {
    OpenMatch *match = ledger_find(&postgres->ledger, job->entry.match);
    if (match != NULL)
        match->finishing = true;
    job->after = postgres->tickets;
    if (postgres->end_last == NULL)
        postgres->end_first = job;
    else
        postgres->end_last->next = job;
    postgres->end_last = job;
    postgres->end_bytes += sizeof *job + job->count;
    postgres->end_count++;
    thread_wake(&postgres->keeper_wakes);
}

/* store_finish() of this backend. */
static StoreStatus postgres_finish(Store *store, const StoreEntry *entry, const void *bytes,
                                   size_t count, uint64_t *ticket) {
    Postgres *postgres = (Postgres *)store;
    if (count > STORE_FILE_BYTES_MAX)
        return STORE_TOO_LONG;
    EndJob *job = malloc(sizeof *job + count);
    if (job == NULL)
        return STORE_FULL;
    *job = (EndJob){.entry = *entry, .count = count};
    if (count > 0)
        memcpy(job + 1, bytes, count);
    StoreStatus status = STORE_OK;
    lock_take(&postgres->lock);
    if (postgres->done.failure != NULL || postgres->handing_over)
        status = STORE_FAILED;
    else if (postgres->end_bytes > 0 &&
             postgres->end_bytes + sizeof *job + count > postgres->setup.queue_bytes_max)
        status = STORE_FULL;
    if (status == STORE_OK) {
        *ticket = job->ticket = ++postgres->finish_tickets;
        queue_end(postgres, job);
    }
    postgres->figures.full += status == STORE_FULL;
    lock_give(&postgres->lock);
    if (status != STORE_OK)
        free(job);
    return status;
}

/* store_forget() of this backend. */
static void postgres_forget(Store *store, uint64_t match, uint64_t time_ms) {
    (void)time_ms;
    Postgres *postgres = (Postgres *)store;
    EndJob *job = calloc(1, sizeof *job);
    if (job == NULL)
        return; /* out of memory: it is open again after a restart */
    job->entry.match = match;
    lock_take(&postgres->lock);
    const OpenMatch *open = ledger_find(&postgres->ledger, match);
    bool queued = postgres->done.failure == NULL && open != NULL && !open->finishing;
    if (queued)
        queue_end(postgres, job);
    lock_give(&postgres->lock);
    if (!queued)
        free(job);
}

/* store_stats() of this backend. */
static StoreStats postgres_stats(Store *store) {
    Postgres *postgres = (Postgres *)store;
    lock_take(&postgres->lock);
    StoreStats figures = postgres->figures;
    figures.matches = postgres->ledger.matches_count;
    figures.queue_bytes = postgres->filling.count + postgres->writing_bytes + postgres->end_bytes;
    figures.finishing = postgres->end_count;
    lock_give(&postgres->lock);
    return figures;
}

/* store_prune() of this backend. */
static void postgres_prune(Store *store, const StorePrune *prune) {
    Postgres *postgres = (Postgres *)store;
    lock_take(&postgres->lock);
    StorePrune *own = &postgres->prune;
    if (prune->before_ms > own->before_ms)
        own->before_ms = prune->before_ms;
    if (prune->bytes_max > 0 && (own->bytes_max == 0 || prune->bytes_max < own->bytes_max))
        own->bytes_max = prune->bytes_max;
    thread_wake(&postgres->keeper_wakes);
    lock_give(&postgres->lock);
}

/* store_hand_over() of this backend. */
static void postgres_hand_over(Store *store) {
    Postgres *postgres = (Postgres *)store;
    lock_take(&postgres->lock);
    postgres->handing_over = true;
    thread_wake(&postgres->writer_wakes);
    thread_wake(&postgres->keeper_wakes);
    lock_give(&postgres->lock);
}

const StoreBackend store_postgres = {.name = "postgres",
                                     .open = postgres_open,
                                     .close = postgres_close,
                                     .next_match = postgres_next_match,
                                     .next_record = postgres_next_record,
                                     .append = postgres_append,
                                     .done = postgres_done,
                                     .turn = postgres_turn,
                                     .finish = postgres_finish,
                                     .forget = postgres_forget,
                                     .list = reader_list,
                                     .read = reader_read,
                                     .stats = postgres_stats,
                                     .prune = postgres_prune,
                                     .erasable = names_erasable,
                                     .erase = names_erase,
                                     .may_tell = postgres_may_tell,
                                     .frozen_ms = postgres_frozen_ms,
                                     .where = reader_where,
                                     .claim = reader_claim,
                                     .unclaim = reader_unclaim,
                                     .publish = tables_publish,
                                     .tables = tables_list,
                                     .table = tables_find,
                                     .hand_over = postgres_hand_over,
                                     .share = documents_share,
                                     .take_shared = documents_take,
                                     .upgrade = schema_upgrade,
                                     .check = schema_check};
