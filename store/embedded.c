/* embedded.c -- the embedded store: opening and closing, and what the caller's thread does. See
 * embedded.h for the design. */
#define _DEFAULT_SOURCE
#include "store/embedded.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/fault.h"

/* A folder whose name is longer is refused: SQLite opens no file with a path of more than 512. */
enum { FOLDER_BYTES_MAX = 480 };
enum { SEGMENT_BYTES_MIN = 1 << 10, SEGMENT_BYTES_MAX = 256 << 20, QUEUE_BYTES_MAX = 512 << 20 };
static_assert(SEGMENT_BYTES_MAX + QUEUE_BYTES_MAX + (64 << 20) <= JOURNAL_SEGMENT_BYTES_MAX,
              "a segment and the largest group behind it can be read again");

/* --- Shared functions ------------------------------------------------------------------------ */

void embedded_report(void *owner, const char *sentence) {
    Embedded *embedded = owner;
    if (embedded->setup.report != NULL)
        embedded->setup.report(embedded->setup.owner, sentence);
    else
        fprintf(stderr, "store: %s\n", sentence);
}

void embedded_notify(Embedded *embedded) {
    if (embedded->setup.notify != NULL)
        embedded->setup.notify(embedded->setup.owner);
}

void embedded_fail(Embedded *embedded, const char *reason) {
    lock_take(&embedded->lock);
    bool first = embedded->done.failure == NULL;
    if (first) {
        snprintf(embedded->failure, sizeof embedded->failure, "%s", reason);
        embedded->done.failure = embedded->failure;
    }
    lock_give(&embedded->lock);
    if (!first)
        return;
    embedded_report(embedded, embedded->failure);
    embedded_notify(embedded);
}

bool embedded_queue(Embedded *embedded, const JournalRecord *record) {
    Buffer *queue = &embedded->filling;
    size_t length = JOURNAL_RECORD_BYTES + (size_t)record->count;
    if (!buffer_reserve(queue, length))
        return false;
    bool wakes = queue->count == 0 || (queue->count <= embedded->setup.queue_bytes_max / 2 &&
                                       queue->count + length > embedded->setup.queue_bytes_max / 2);
    journal_put_record(queue->bytes + queue->count, record);
    queue->count += length;
    if (wakes)
        pthread_cond_signal(&embedded->writer_wakes);
    return true;
}

/* --- Opening and closing --------------------------------------------------------------------- */

/* Writes which process holds the folder. */
static void name_holder(int file, const char *folder, MashText *problem) {
    char holder[16] = "";
    ssize_t length = pread(file, holder, sizeof holder - 1, 0);
    holder[length < 0 ? 0 : strspn(holder, "0123456789")] = '\0';
    text_format(problem, "folder %s is in use by another server", folder);
    if (holder[0] != '\0')
        text_format(problem, " (process %s)", holder);
    text_string(problem, "; each server needs its own folder");
}

/* Takes the lock file. False = with a problem. */
static bool take_lock(Embedded *embedded, MashText *problem) {
    char path[DISK_PATH_BYTES], number[24];
    disk_path_in_store(path, embedded->folder, "lock");
    int file = embedded->lock_file =
        open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, DISK_FILE_MODE);
    if (file < 0)
        return disk_problem(problem, "open", path);
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            name_holder(file, embedded->folder, problem);
        else
            disk_problem(problem, "lock", path);
        return false;
    }
    int length = snprintf(number, sizeof number, "%ld\n", (long)getpid());
    if (ftruncate(file, 0) != 0 || pwrite(file, number, (size_t)length, 0) != length)
        return disk_problem(problem, "write", path);
    return true;
}

/* Starts a thread with all signals blocked: the caller's thread handles them. */
static bool start(pthread_t *thread, void *(*run)(void *), Embedded *embedded, MashText *problem) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(thread, NULL, run, embedded);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return code == 0 || disk_problem(problem, "start", "a thread of the store");
}

/* Starts writer and archiver, unless the caller does their work. False: with a problem. */
static bool start_threads(Embedded *embedded, MashText *problem) {
    if (embedded->setup.single_threaded)
        return true;
    embedded->writer_runs = start(&embedded->writer, writer_run, embedded, problem);
    embedded->archiver_runs =
        embedded->writer_runs && start(&embedded->archiver, archiver_run, embedded, problem);
    return embedded->archiver_runs;
}

/* Older programs left files that others could read. Permissions of the store's own files are
 * restricted; for the folder itself that is only reported, and its owner decides. */
static void tighten(Embedded *embedded) {
    static const char *const names[] = {
        "journal",           "archive",          "lock",           "index.sqlite",
        "index.sqlite-wal",  "index.sqlite-shm", "players.sqlite", "players.sqlite-wal",
        "players.sqlite-shm"};
    char path[DISK_PATH_BYTES], memory[DISK_PATH_BYTES + 256];
    MashText problem = text_over(memory, sizeof memory);
    struct stat found;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        disk_path_in_store(path, embedded->folder, names[i]);
        if (!disk_tighten(path)) {
            text_clear(&problem);
            disk_problem(&problem, "close to other users", path);
            embedded_report(embedded, memory);
        }
    }
    if (stat(embedded->folder, &found) == 0 && (found.st_mode & 077) != 0) {
        snprintf(memory, sizeof memory,
                 "other users of this machine may look into the folder %s (mode %04o): "
                 "chmod 700 closes it to them",
                 embedded->folder, (unsigned)(found.st_mode & 07777));
        embedded_report(embedded, memory);
    }
}

/* Opens the file of accounts. False = with a problem. */
static bool open_accounts(Embedded *embedded, MashText *problem) {
    char path[DISK_PATH_BYTES];
    disk_path_in_store(path, embedded->folder, "players.sqlite");
    embedded->account_file = account_file_open(path, problem);
    embedded->store.accounts = account_file_run;
    embedded->store.accounts_owner = embedded->account_file;
    return embedded->account_file != NULL &&
           disk_sync_folder(embedded->disk, embedded->folder, problem);
}

/* Opens everything in the folder. False = with a problem. */
static bool open_parts(Embedded *embedded, const char *folder, MashText *problem) {
    if (strlen(folder) == 0 || strlen(folder) > FOLDER_BYTES_MAX) {
        text_string(problem, "the folder of the store has no name, or a very long one");
        return false;
    }
    memcpy(embedded->folder, folder, strlen(folder) + 1);
    if (!ledger_init(&embedded->ledger, SIZE_MAX)) {
        text_string(problem, "out of memory for the store");
        return false;
    }
    disk_path_in_store(embedded->journal, folder, "journal");
    if (!disk_folder(embedded->disk, folder, false, problem) || !take_lock(embedded, problem) ||
        !disk_folder(embedded->disk, embedded->journal, true, problem))
        return false;
    embedded->archive = archive_open(folder, embedded->disk, problem);
    tighten(embedded);
    if (embedded->archive == NULL || !open_accounts(embedded, problem) ||
        !segments_recover(embedded, problem))
        return false;
    embedded->ledger.matches_max = embedded->setup.matches_max;
    disk_keep_reserve();
    archiver_check_disk(embedded);
    return start_threads(embedded, problem);
}

/* Are the numbers of the setup valid? False: with a problem. */
static bool setup_is_good(const StoreSetup *setup, MashText *problem) {
    if (setup->segment_bytes < SEGMENT_BYTES_MIN || setup->segment_bytes > SEGMENT_BYTES_MAX)
        text_format(problem, "segments of %u bytes: %d to %d are allowed", setup->segment_bytes,
                    SEGMENT_BYTES_MIN, SEGMENT_BYTES_MAX);
    else if (setup->queue_bytes_max > QUEUE_BYTES_MAX)
        text_format(problem, "a queue of more than %d bytes is not allowed", QUEUE_BYTES_MAX);
    else
        return true;
    return false;
}

static void embedded_close(Store *store);

/* store_open() of this backend. */
static Store *embedded_open(const StoreSetup *setup, const char *where, MashText *problem) {
    if (!setup_is_good(setup, problem))
        return NULL;
    Embedded *embedded = calloc(1, sizeof *embedded);
    if (embedded == NULL) {
        text_string(problem, "out of memory for the store");
        return NULL;
    }
    embedded->store.backend = &store_embedded;
    embedded->setup = *setup;
    embedded->setup.place = NULL;
    embedded->disk = setup->disk == NULL ? &disk_real : setup->disk;
    embedded->lock_file = embedded->segment_file = -1;
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    lock_make(&embedded->lock);
    pthread_cond_init(&embedded->writer_wakes, &clock);
    pthread_cond_init(&embedded->archiver_wakes, &clock);
    pthread_condattr_destroy(&clock);
    if (open_parts(embedded, where, problem))
        return &embedded->store;
    embedded->done.failure = "not open";
    embedded_close(&embedded->store);
    return NULL;
}

/* Ends a thread as soon as it has no work left. */
static void end(Embedded *embedded, bool *ends, pthread_cond_t *wakes, pthread_t thread) {
    lock_take(&embedded->lock);
    *ends = true;
    pthread_cond_signal(wakes);
    lock_give(&embedded->lock);
    pthread_join(thread, NULL);
}

/* The archiver first: it still writes to the journal what it has archived. */
static void end_work(Embedded *embedded) {
    if (embedded->archiver_runs)
        end(embedded, &embedded->archiver_ends, &embedded->archiver_wakes, embedded->archiver);
    if (embedded->writer_runs)
        end(embedded, &embedded->writer_ends, &embedded->writer_wakes, embedded->writer);
    if (embedded->setup.single_threaded && embedded->archive != NULL) {
        archiver_step(embedded);
        writer_step(embedded);
    }
}

/* store_close() of this backend. */
static void embedded_close(Store *store) {
    Embedded *embedded = (Embedded *)store;
    end_work(embedded);
    while (embedded->finish_first != NULL) {
        FinishJob *next = embedded->finish_first->next;
        free(embedded->finish_first);
        embedded->finish_first = next;
    }
    recovery_release(embedded->current);
    for (size_t i = embedded->found_at; i < embedded->found_count; i++)
        recovery_release(embedded->found[i]);
    free(embedded->found);
    archive_close(embedded->archive);
    account_file_close(embedded->account_file);
    disk_drop_reserve();
    ledger_release(&embedded->ledger);
    free(embedded->filling.bytes);
    free(embedded->writing.bytes);
    if (embedded->segment_file >= 0)
        close(embedded->segment_file);
    if (embedded->lock_file >= 0)
        close(embedded->lock_file);
    pthread_cond_destroy(&embedded->writer_wakes);
    pthread_cond_destroy(&embedded->archiver_wakes);
    pthread_mutex_destroy(&embedded->lock.mutex);
    free(embedded);
}

/* --- Recovered matches ----------------------------------------------------------------------- */

/* store_next_match() of this backend. */
static bool embedded_next_match(Store *store, StoreMatch *match) {
    Embedded *embedded = (Embedded *)store;
    recovery_release(embedded->current);
    embedded->current = NULL;
    if (embedded->found_at == embedded->found_count)
        return false;
    embedded->current = embedded->found[embedded->found_at++];
    embedded->current_at = 0;
    *match = (StoreMatch){embedded->current->match, embedded->current->records,
                          embedded->current->health};
    return true;
}

/* store_next_record() of this backend. */
static bool embedded_next_record(Store *store, StoreRecord *record) {
    Embedded *embedded = (Embedded *)store;
    return embedded->current != NULL &&
           recovery_record(embedded->current, &embedded->current_at, record);
}

/* --- Appending and finishing ----------------------------------------------------------------- */

/* Queues a record of a known match. Under the lock. */
static StoreStatus take(Embedded *embedded, OpenMatch *match, const StoreRecord *record) {
    JournalRecord own = {.match = record->match,
                         .time_ms = record->time_ms,
                         .sequence = match->sequence + 1,
                         .count = record->count,
                         .bytes = record->bytes,
                         .kind = record->kind};
    if (match->broken)
        return STORE_DAMAGED;
    if (match->finishing)
        return STORE_FINISHED;
    if (match->sequence == UINT32_MAX || !embedded_queue(embedded, &own))
        return STORE_FULL;
    match->sequence++;
    return STORE_OK;
}

/* Is there room for this much more? An empty queue accepts anything. Under the lock. */
static bool has_room(const Embedded *embedded, size_t more) {
    uint64_t waiting = embedded->filling.count + embedded->writing_bytes;
    return waiting == 0 || waiting + more <= embedded->setup.queue_bytes_max;
}

/* store_append() of this backend. */
static StoreStatus embedded_append(Store *store, const StoreRecord *record, uint64_t *ticket) {
    Embedded *embedded = (Embedded *)store;
    StoreStatus status = STORE_FULL;
    if (record->count > STORE_RECORD_BYTES_MAX)
        return STORE_TOO_LONG;
    lock_take(&embedded->lock);
    if (embedded->done.failure != NULL) {
        status = STORE_FAILED;
    } else if (has_room(embedded, JOURNAL_RECORD_BYTES + (size_t)record->count)) {
        OpenMatch *match = ledger_add(&embedded->ledger, record->match);
        if (match != NULL)
            status = take(embedded, match, record);
        if (match != NULL && match->sequence == 0 && !match->broken && !match->finishing)
            ledger_forget(&embedded->ledger, match);
    }
    if (status == STORE_OK) {
        *ticket = ++embedded->tickets;
        embedded->stats.records++;
    }
    embedded->stats.full += status == STORE_FULL;
    lock_give(&embedded->lock);
    return status;
}

/* store_progress() of this backend. */
static StoreProgress embedded_done(Store *store) {
    Embedded *embedded = (Embedded *)store;
    lock_take(&embedded->lock);
    StoreProgress done = embedded->done;
    lock_give(&embedded->lock);
    return done;
}

/* store_step() of this backend. */
static void embedded_turn(Store *store) {
    Embedded *embedded = (Embedded *)store;
    assert(embedded->setup.single_threaded);
    archiver_check_disk(embedded);
    writer_step(embedded);
    archiver_step(embedded);
}

/* Queues a finished match. Under the lock. */
static void queue_finish(Embedded *embedded, FinishJob *finish, size_t bytes) {
    OpenMatch *match = ledger_find(&embedded->ledger, finish->item.entry.match);
    if (match != NULL)
        match->finishing = true;
    finish->ticket = ++embedded->finish_tickets;
    bool wakes = embedded->finish_last == NULL;
    if (wakes)
        embedded->finish_first = finish;
    else
        embedded->finish_last->next = finish;
    embedded->finish_last = finish;
    embedded->finish_bytes += bytes;
    embedded->finish_count++;
    if (wakes || embedded->finish_bytes > embedded->setup.queue_bytes_max / 2)
        pthread_cond_signal(&embedded->archiver_wakes);
}

/* store_finish() of this backend. */
static StoreStatus embedded_finish(Store *store, const StoreEntry *entry, const void *bytes,
                                   size_t count, uint64_t *ticket) {
    Embedded *embedded = (Embedded *)store;
    if (count > STORE_FILE_BYTES_MAX)
        return STORE_TOO_LONG;
    FinishJob *finish = malloc(sizeof *finish + count);
    if (finish == NULL)
        return STORE_FULL;
    *finish = (FinishJob){.item = {.entry = *entry, .bytes = finish + 1, .count = count}};
    if (count > 0)
        memcpy(finish->item.bytes, bytes, count);
    StoreStatus status = STORE_OK;
    lock_take(&embedded->lock);
    size_t all = sizeof *finish + count;
    if (embedded->done.failure != NULL)
        status = STORE_FAILED;
    else if (embedded->finish_bytes > 0 &&
             embedded->finish_bytes + all > embedded->setup.queue_bytes_max)
        status = STORE_FULL;
    if (status == STORE_OK) {
        queue_finish(embedded, finish, all);
        *ticket = finish->ticket;
    }
    embedded->stats.full += status == STORE_FULL;
    lock_give(&embedded->lock);
    if (status != STORE_OK)
        free(finish);
    return status;
}

void embedded_forget_match(Embedded *embedded, uint64_t id, uint64_t time_ms) {
    OpenMatch *match = ledger_find(&embedded->ledger, id);
    if (match == NULL)
        return;
    ledger_forget(&embedded->ledger, match);
    embedded_queue(embedded,
                   &(JournalRecord){.match = id, .time_ms = time_ms, .kind = JOURNAL_FINISHED});
}

/* store_forget() of this backend. */
static void embedded_forget(Store *store, uint64_t match, uint64_t time_ms) {
    Embedded *embedded = (Embedded *)store;
    lock_take(&embedded->lock);
    if (embedded->done.failure == NULL)
        embedded_forget_match(embedded, match, time_ms);
    lock_give(&embedded->lock);
}

/* --- Reading the archive --------------------------------------------------------------------- */

/* store_archive_list() of this backend. */
static StoreStatus embedded_list(Store *store, const StoreFilter *filter, StoreEntry *entries,
                                 uint32_t max, uint32_t *count) {
    Embedded *embedded = (Embedded *)store;
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    StoreStatus status = archive_list(embedded->archive, filter, embedded->setup.query_ms, entries,
                                      max, count, &problem);
    if (status == STORE_FAILED || status == STORE_BUSY)
        embedded_report(embedded, memory);
    return status;
}

/* store_archive_read() of this backend. */
static StoreStatus embedded_read(Store *store, uint64_t match, void *bytes, size_t max,
                                 size_t *count) {
    Embedded *embedded = (Embedded *)store;
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    StoreStatus status = archive_read(embedded->archive, match, bytes, max, count, &problem);
    if (status == STORE_FAILED)
        embedded_report(embedded, memory);
    return status;
}

/* store_stats() of this backend. */
static StoreStats embedded_stats(Store *store) {
    Embedded *embedded = (Embedded *)store;
    lock_take(&embedded->lock);
    StoreStats stats = embedded->stats;
    stats.matches = embedded->ledger.matches_count;
    stats.queue_bytes = embedded->filling.count + embedded->writing_bytes + embedded->finish_bytes;
    stats.segments = embedded->ledger.segments_count;
    stats.finishing = embedded->finish_count;
    stats.low = embedded->done.low;
    for (size_t i = 0; i < embedded->ledger.segments_count; i++)
        stats.journal_bytes += embedded->ledger.segments[i].bytes;
    lock_give(&embedded->lock);
    return stats;
}

/* store_prune() of this backend. */
static void embedded_prune(Store *store, const StorePrune *prune) {
    Embedded *embedded = (Embedded *)store;
    lock_take(&embedded->lock);
    StorePrune *own = &embedded->prune;
    if (prune->before_ms > own->before_ms)
        own->before_ms = prune->before_ms;
    if (prune->bytes_max > 0 && (own->bytes_max == 0 || prune->bytes_max < own->bytes_max))
        own->bytes_max = prune->bytes_max;
    pthread_cond_signal(&embedded->archiver_wakes);
    lock_give(&embedded->lock);
}

/* --- Taking names out ------------------------------------------------------------------------- */

/* The answer of the archive as the store's; a failure is reported. */
static StoreStatus status_of(Embedded *embedded, ArchiveAnswer answer, const char *problem) {
    if (answer == ARCHIVE_FAILED)
        embedded_report(embedded, problem);
    return answer == ARCHIVE_OK ? STORE_OK : answer == ARCHIVE_BUSY ? STORE_BUSY : STORE_FAILED;
}

/* store_erasable() of this backend. A match is open or archived at all times, so it is looked for
 * in that order. One over days is open under the number of a session, and has a row until it is in
 * the archive. */
static StoreStatus embedded_erasable(Store *store, uint64_t match, uint64_t *version) {
    Embedded *embedded = (Embedded *)store;
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    AccountParameters all = {.count = 0};
    FirstNumber days;
    bool known;
    *version = 0;
    lock_take(&embedded->lock);
    bool open = ledger_find(&embedded->ledger, match) != NULL;
    lock_give(&embedded->lock);
    account_put(&all, (int64_t)match);
    StoreStatus status = account_run_number(store, ERASED_LOOK, &all, &days);
    if (status != STORE_OK || open || days.number != 0)
        return status != STORE_OK ? status : STORE_BUSY;
    ArchiveAnswer answer = archive_find(embedded->archive, match, &known, &problem);
    status = status_of(embedded, answer, memory);
    return status == STORE_OK && !known ? STORE_UNKNOWN : status;
}

/* store_erase() of this backend: what was done is noted no more only when it is durable. */
static StoreStatus embedded_erase(Store *store, const StoreErasure *what) {
    Embedded *embedded = (Embedded *)store;
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    bool known;
    ArchiveAnswer answer = archive_erase(embedded->archive, what, &known, &problem);
    StoreStatus status = status_of(embedded, answer, memory);
    if (status == STORE_OK && !known)
        return STORE_CONFLICT; /* it was pruned */
    FAULT_POINT("erased_match");
    for (uint32_t i = 0; i < what->seats_count && status == STORE_OK; i++)
        status = store_erased_drop(store, what->match, what->seats[i]);
    return status;
}

/* store_erase_done() of this backend. */
static void embedded_erase_done(Store *store) { archive_wipe(((Embedded *)store)->archive); }

const StoreBackend store_embedded = {.name = "embedded",
                                     .open = embedded_open,
                                     .close = embedded_close,
                                     .next_match = embedded_next_match,
                                     .next_record = embedded_next_record,
                                     .append = embedded_append,
                                     .done = embedded_done,
                                     .turn = embedded_turn,
                                     .finish = embedded_finish,
                                     .forget = embedded_forget,
                                     .list = embedded_list,
                                     .read = embedded_read,
                                     .stats = embedded_stats,
                                     .prune = embedded_prune,
                                     .erasable = embedded_erasable,
                                     .erase = embedded_erase,
                                     .erase_done = embedded_erase_done};
