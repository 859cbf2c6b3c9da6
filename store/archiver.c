/* archiver.c -- the thread that archives finished matches, in the order they were finished,
 * compacts the journal, prunes the archive and watches the free space of the disk. The journal
 * drops a match only after the archive has it; an archive that cannot be written is retried for as
 * long as it takes, because the journal has everything.
 *
 * Like the writer's groups: after a quiet time a finished match is archived immediately, and under
 * load those of KEEP_MS are archived together, with one sync of folder and index. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/deadline.h"
#include "store/embedded.h"

enum {
    KEEP_MS = 100,
    TICK_MS = 1000, /* from one check of the disk to the next */
    BACK_OFF_LEAST_MS = 200,
    BACK_OFF_MOST_MS = 30000,
    USUAL_BYTES = 256 << 20, /* of the default reserve */
    USUAL_PERCENT = 2
};

/* The matches that have waited longest, up to ARCHIVE_PUT_MAX. They stay in the list until they are
 * archived; only the archiver removes from it. */
static size_t look(Embedded *embedded, const ArchiveItem *items[ARCHIVE_PUT_MAX]) {
    size_t count = 0;
    lock_take(&embedded->lock);
    if (embedded->done.failure == NULL)
        for (FinishJob *one = embedded->finish_first; one != NULL && count < ARCHIVE_PUT_MAX;
             one = one->next)
            items[count++] = &one->item;
    lock_give(&embedded->lock);
    return count;
}

/* The first `count` waiting matches are archived. */
static void complete(Embedded *embedded, size_t count) {
    FinishJob *done = NULL;
    lock_take(&embedded->lock);
    for (size_t i = 0; i < count; i++) {
        FinishJob *one = embedded->finish_first;
        embedded->finish_first = one->next;
        if (one->next == NULL)
            embedded->finish_last = NULL;
        embedded->finish_bytes -= sizeof *one + one->item.count;
        embedded->finish_count--;
        if (embedded->done.failure == NULL)
            embedded->done.finished = one->ticket;
        embedded->stats.finished++;
        embedded_forget_match(embedded, one->item.entry.match, one->item.entry.ended_ms);
        one->next = done;
        done = one;
    }
    lock_give(&embedded->lock);
    embedded_notify(embedded);
    while (done != NULL) {
        FinishJob *next = done->next;
        free(done);
        done = next;
    }
}

/* The archive could not be written: reported the first time, and then with each try after the
 * longest wait. */
static void back_off(Embedded *embedded, const char *problem, bool busy) {
    char sentence[640];
    uint32_t last = embedded->back_off_ms;
    embedded->back_off_ms = last == 0 ? BACK_OFF_LEAST_MS : last * 2;
    if (embedded->back_off_ms > BACK_OFF_MOST_MS)
        embedded->back_off_ms = BACK_OFF_MOST_MS;
    if (busy)
        embedded->back_off_ms = BACK_OFF_LEAST_MS;
    lock_take(&embedded->lock);
    embedded->stats.archive_failures++;
    lock_give(&embedded->lock);
    if (last != 0 && last != BACK_OFF_MOST_MS)
        return;
    snprintf(sentence, sizeof sentence,
             "%s; finished matches wait in the journal and will be archived later", problem);
    embedded_report(embedded, sentence);
}

/* Archives the matches that wait now; those that are finished meanwhile have their own time, or
 * each of them would have its own sync. False: the archive does not accept them now. */
static bool archive_all(Embedded *embedded) {
    const ArchiveItem *items[ARCHIVE_PUT_MAX];
    for (size_t count = ARCHIVE_PUT_MAX; count == ARCHIVE_PUT_MAX;) {
        count = look(embedded, items);
        if (count == 0)
            return true;
        char memory[512];
        MashText problem = text_over(memory, sizeof memory);
        ArchiveAnswer answer = archive_put(embedded->archive, items, count, &problem);
        if (answer != ARCHIVE_OK) {
            back_off(embedded, memory, answer == ARCHIVE_BUSY);
            return false;
        }
        if (embedded->back_off_ms > BACK_OFF_LEAST_MS)
            embedded_report(embedded, "the archive can be written again");
        embedded->back_off_ms = 0;
        complete(embedded, count);
    }
    return true;
}

/* One step of pruning, if something is to be pruned. */
static void prune(Embedded *embedded) {
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    bool more;
    uint64_t removed, bytes = 0;
    lock_take(&embedded->lock);
    StorePrune wanted = embedded->prune;
    lock_give(&embedded->lock);
    if (wanted.before_ms == 0 && wanted.bytes_max == 0)
        return;
    ArchiveAnswer answer =
        archive_prune(embedded->archive, &wanted, &more, &removed, &bytes, &problem);
    if (answer == ARCHIVE_FAILED && !embedded->prunes_reported)
        embedded_report(embedded, memory);
    embedded->prunes_reported = answer == ARCHIVE_FAILED;
    lock_take(&embedded->lock);
    embedded->stats.pruned += removed;
    embedded->stats.archive_bytes = bytes;
    if (!more || answer != ARCHIVE_OK) /* the caller asks again if needed */
        embedded->prune = (StorePrune){0};
    lock_give(&embedded->lock);
}

void archiver_step(Embedded *embedded) {
    if (archive_all(embedded))
        prune(embedded);
    segments_compact(embedded);
}

/* --- Disk space ------------------------------------------------------------------------------- */

/* Below how much free space the disk is low. */
static uint64_t reserve_of(const Embedded *embedded, uint64_t all) {
    uint64_t bytes = embedded->setup.reserve_bytes, share = all / 100 * USUAL_PERCENT;
    if (bytes != STORE_RESERVE_USUAL)
        return bytes;
    return share < USUAL_BYTES ? share : USUAL_BYTES;
}

void archiver_check_disk(Embedded *embedded) {
    char sentence[DISK_PATH_BYTES + 256];
    uint64_t free = 0, all = 0;
    disk_keep_reserve();
    if (embedded->disk->space(embedded->disk->owner, embedded->folder, &free, &all) != 0)
        return; /* unknown: leave it unchanged */
    uint64_t reserve = reserve_of(embedded, all);
    lock_take(&embedded->lock);
    bool was = embedded->done.low, low = free < reserve + (was ? reserve / 4 : 0);
    embedded->stats.free_bytes = free;
    embedded->done.low = low;
    lock_give(&embedded->lock);
    if (low == was)
        return;
    snprintf(sentence, sizeof sentence,
             low ? "the disk of %s is low on space: %" PRIu64 " MiB are free, and %" PRIu64
                   " MiB are reserved for matches in progress; no new ones start"
                 : "the disk of %s has room again: %" PRIu64 " MiB are free, and %" PRIu64
                   " MiB are reserved; new matches may start",
             embedded->folder, free >> 20, reserve >> 20);
    embedded_report(embedded, sentence);
    embedded_notify(embedded);
}

/* --- The thread ------------------------------------------------------------------------------- */

/* Waits until the time, shutdown, or until many matches wait. Under the lock. */
static void wait_for_company(Embedded *embedded, struct timespec until) {
    while (!embedded->archiver_ends &&
           embedded->finish_bytes <= embedded->setup.queue_bytes_max / 2 &&
           pthread_cond_timedwait(&embedded->archiver_wakes, &embedded->lock.mutex, &until) == 0)
        continue;
}

/* Is there something to do now? Matches that wait for the archive do not count while it backs off.
 * Under the lock. */
static bool has_work(const Embedded *embedded) {
    bool prunes = embedded->prune.before_ms != 0 || embedded->prune.bytes_max != 0;
    return embedded->done.failure == NULL &&
           (embedded->sealed ||
            (embedded->back_off_ms == 0 &&
             (embedded->finish_first != NULL || (prunes && !embedded->archiver_ends))));
}

/* Waits for work, for the next try, or for the next check of the disk. Under the lock. False = shut
 * down. */
static bool wait_for_work(Embedded *embedded) {
    uint32_t wait = embedded->back_off_ms;
    struct timespec until = deadline_in_ms(wait == 0 || wait > TICK_MS ? TICK_MS : wait);
    while (!has_work(embedded)) {
        if (embedded->archiver_ends)
            return false;
        if (pthread_cond_timedwait(&embedded->archiver_wakes, &embedded->lock.mutex, &until) != 0)
            return true;
    }
    embedded->sealed = false;
    wait_for_company(embedded, embedded->next_keep);
    embedded->next_keep = deadline_in_ms(KEEP_MS);
    return true;
}

void *archiver_run(void *owner) {
    Embedded *embedded = owner;
    struct timespec now, look_at = deadline_in_ms(TICK_MS), retry_at = deadline_in_ms(0);
    for (;;) {
        lock_take(&embedded->lock);
        bool goes_on = wait_for_work(embedded);
        lock_give(&embedded->lock);
        if (!goes_on)
            return NULL;
        now = deadline_in_ms(0);
        if (!deadline_before(now, look_at)) {
            archiver_check_disk(embedded);
            look_at = deadline_in_ms(TICK_MS);
        }
        if (embedded->back_off_ms > 0 && deadline_before(now, retry_at)) {
            segments_compact(embedded);
            continue;
        }
        archiver_step(embedded);
        retry_at = deadline_in_ms(embedded->back_off_ms);
    }
}
