/* writer.c -- the one thread that writes the journal: all waiting records with one write and one
 * sync, then announces them.
 *
 * A group begins immediately if the last one began at least group_ms ago, otherwise at that time.
 * So a record after a pause does not wait, a record under load waits group_ms at most before it is
 * written, and there are no more than 1000 / group_ms syncs per second. A fast store
 * (announce_before_sync) writes and announces immediately, and only its syncs are group_ms
 * apart. */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "store/deadline.h"
#include "store/embedded.h"

/* How many times its usual size, and how large at most, a segment may grow if a new one cannot be
 * started; and the delay until that is tried again. */
enum { SEGMENT_STAY = 16, SEGMENT_BYTES_STAY = 256 << 20, SEGMENT_WAIT_S = 1 };

/* Counts the group's records for their matches. An unknown match was finished meanwhile. Under the
 * lock. False = no memory. */
static bool count_group(Embedded *embedded) {
    const Buffer *group = &embedded->writing;
    ledger_segment(&embedded->ledger, embedded->segment)->bytes = embedded->segment_bytes;
    for (size_t at = 0; at < group->count;) {
        uint32_t length;
        uint64_t id = journal_peek(group->bytes + at, &length);
        OpenMatch *match = ledger_find(&embedded->ledger, id);
        if (match != NULL && !ledger_count(&embedded->ledger, match, embedded->segment, length))
            return false;
        at += length;
    }
    return true;
}

/* Reports a failure of the disk, with errno's reason. */
static void fail(Embedded *embedded, const char *what) {
    char memory[512], name[32];
    MashText problem = text_over(memory, sizeof memory);
    snprintf(name, sizeof name, "journal %08" PRIx32, embedded->segment);
    disk_problem(&problem, what, name);
    embedded_fail(embedded, memory);
}

/* Announces everything up to this ticket. */
static void announce(Embedded *embedded, uint64_t ticket) {
    lock_take(&embedded->lock);
    bool news = embedded->done.failure == NULL && embedded->done.appended < ticket;
    if (news)
        embedded->done.appended = ticket;
    lock_give(&embedded->lock);
    if (news)
        embedded_notify(embedded);
}

/* Is everything that was written synced? */
static bool is_synced(const Embedded *embedded) {
    return embedded->synced_bytes == embedded->segment_bytes;
}

/* Syncs what was written and announces it. False = the store has failed. */
static bool sync_segment(Embedded *embedded) {
    char memory[DISK_PATH_BYTES + 128];
    MashText problem = text_over(memory, sizeof memory);
    if (embedded->disk->sync(embedded->disk->owner, embedded->segment_file, false) != 0) {
        fail(embedded, "sync");
        return false;
    }
    if (!segments_are_there(embedded, &problem)) {
        embedded_fail(embedded, memory);
        return false;
    }
    embedded->synced_bytes = embedded->segment_bytes;
    lock_take(&embedded->lock);
    embedded->stats.groups++;
    lock_give(&embedded->lock);
    announce(embedded, embedded->written);
    return true;
}

/* May the last segment grow by this much if no new one can be started? */
static bool may_stay(const Embedded *embedded, size_t count) {
    uint64_t max = (uint64_t)embedded->setup.segment_bytes * SEGMENT_STAY;
    return embedded->segment_bytes + count <= (max < SEGMENT_BYTES_STAY ? max : SEGMENT_BYTES_STAY);
}

/* A new segment could not be started, for lack of space or descriptors: the old one grows, and it
 * is tried again later. False = it must not grow any more. */
static bool stay(Embedded *embedded, size_t count, const char *problem) {
    char sentence[640];
    bool reported = embedded->next_segment.tv_sec != 0;
    if (!may_stay(embedded, count))
        return false;
    clock_gettime(CLOCK_MONOTONIC, &embedded->next_segment);
    embedded->next_segment.tv_sec += SEGMENT_WAIT_S;
    snprintf(sentence, sizeof sentence,
             "%s; the journal goes on in the file before it, and it is tried again", problem);
    if (!reported)
        embedded_report(embedded, sentence);
    return true;
}

/* Starts a new segment if the group does not fit; the old one is synced by then. False = the store
 * has failed. */
static bool make_room(Embedded *embedded, size_t count) {
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    struct timespec now;
    bool stays;
    if (embedded->segment_bytes == JOURNAL_HEAD_BYTES ||
        embedded->segment_bytes + count <= embedded->setup.segment_bytes)
        return true;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (deadline_before(now, embedded->next_segment) && may_stay(embedded, count))
        return true;
    if (!is_synced(embedded) && !sync_segment(embedded))
        return false;
    if (segments_begin(embedded, &stays, &problem)) {
        embedded->next_segment = (struct timespec){0};
        return true;
    }
    if (stays && stay(embedded, count, memory))
        return true;
    embedded_fail(embedded, memory);
    return false;
}

/* Writes the group, whose last record has this ticket. False = the store has failed. */
static bool write_group(Embedded *embedded, uint64_t ticket) {
    Buffer *group = &embedded->writing;
    if (!make_room(embedded, group->count))
        return false;
    journal_seal(group->bytes, group->count, (uint32_t)embedded->segment_bytes,
                 (uint32_t)embedded->synced_bytes, embedded->secret);
    if (!disk_write(embedded->disk, embedded->segment_file, group->bytes, group->count)) {
        fail(embedded, "write");
        return false;
    }
    embedded->segment_bytes += group->count;
    embedded->written = ticket;
    lock_take(&embedded->lock);
    bool counted = count_group(embedded);
    lock_give(&embedded->lock);
    if (!counted)
        embedded_fail(embedded, "out of memory to keep count of the journal");
    else if (embedded->setup.announce_before_sync)
        announce(embedded, ticket);
    return counted;
}

/* Is it time for the next group, or the next sync of a fast store? */
static bool is_time(const Embedded *embedded) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return !deadline_before(now, embedded->next);
}

/* The next group, or sync, is group_ms from now. */
static void set_time(Embedded *embedded) {
    embedded->next = deadline_in_ms(embedded->setup.group_ms);
}

void writer_step(Embedded *embedded) {
    lock_take(&embedded->lock);
    bool failed = embedded->done.failure != NULL, works = embedded->filling.count > 0;
    uint64_t ticket = embedded->tickets;
    if (works && !failed) {
        buffer_swap(&embedded->filling, &embedded->writing);
        embedded->writing_bytes = embedded->writing.count;
    }
    lock_give(&embedded->lock);
    bool waits = embedded->setup.announce_before_sync && !embedded->setup.single_threaded;
    if (failed || (works && !write_group(embedded, ticket)))
        return;
    if (!is_synced(embedded) && (!waits || is_time(embedded))) {
        if (waits)
            set_time(embedded);
        sync_segment(embedded);
    }
    lock_take(&embedded->lock);
    embedded->writing_bytes = 0;
    lock_give(&embedded->lock);
}

/* Waits until a fast store has something to do: to write immediately, or to sync in time. Under the
 * lock. False = shut down. */
static bool wait_fast(Embedded *embedded) {
    while (embedded->done.failure != NULL ||
           (embedded->filling.count == 0 && (is_synced(embedded) || !is_time(embedded)))) {
        if (embedded->writer_ends)
            return false;
        if (embedded->done.failure == NULL && !is_synced(embedded))
            pthread_cond_timedwait(&embedded->writer_wakes, &embedded->lock.mutex, &embedded->next);
        else
            pthread_cond_wait(&embedded->writer_wakes, &embedded->lock.mutex);
    }
    return true;
}

/* Waits for records, then for the time. Under the lock. False = shut down. */
static bool wait_for_group(Embedded *embedded) {
    while (embedded->filling.count == 0 || embedded->done.failure != NULL) {
        if (embedded->writer_ends)
            return false;
        pthread_cond_wait(&embedded->writer_wakes, &embedded->lock.mutex);
    }
    while (!embedded->writer_ends &&
           embedded->filling.count <= embedded->setup.queue_bytes_max / 2 && !is_time(embedded))
        pthread_cond_timedwait(&embedded->writer_wakes, &embedded->lock.mutex, &embedded->next);
    set_time(embedded);
    return true;
}

void *writer_run(void *owner) {
    Embedded *embedded = owner;
    for (;;) {
        lock_take(&embedded->lock);
        bool goes_on =
            embedded->setup.announce_before_sync ? wait_fast(embedded) : wait_for_group(embedded);
        bool failed = embedded->done.failure != NULL;
        lock_give(&embedded->lock);
        if (!goes_on && !failed && !is_synced(embedded))
            sync_segment(embedded);
        if (!goes_on)
            return NULL;
        writer_step(embedded);
    }
}
