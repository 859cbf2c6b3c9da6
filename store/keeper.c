/* keeper.c -- the thread that archives finished matches, in the order they were finished, and keeps
 * the journal short. The journal forgets a match only after the archive has it.
 *
 * Like the writer's groups: matches that are finished after a quiet time are archived at once, and
 * in a crowd those of KEEP_MS together, for which folder and index are synced once. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>

#include "store/embedded.h"

enum { BUSY_WAIT_MS = 200, KEEP_MS = 100 };

/* The matches that wait longest, up to ARCHIVE_PUT_MAX. They stay in the list until they are done;
 * only the keeper takes from it. */
static size_t look(Embedded *embedded, const ArchiveItem *items[ARCHIVE_PUT_MAX]) {
    size_t count = 0;
    pthread_mutex_lock(&embedded->lock);
    if (embedded->done.failure == NULL)
        for (Finish *one = embedded->finish_first; one != NULL && count < ARCHIVE_PUT_MAX;
             one = one->next)
            items[count++] = &one->item;
    pthread_mutex_unlock(&embedded->lock);
    return count;
}

/* The first `count` that wait are archived. */
static void complete(Embedded *embedded, size_t count) {
    Finish *done = NULL;
    pthread_mutex_lock(&embedded->lock);
    for (size_t i = 0; i < count; i++) {
        Finish *one = embedded->finish_first;
        embedded->finish_first = one->next;
        if (one->next == NULL)
            embedded->finish_last = NULL;
        embedded->finish_bytes -= sizeof *one + one->item.count;
        if (embedded->done.failure == NULL)
            embedded->done.finished = one->ticket;
        embedded->figures.finished++;
        embedded_drop(embedded, one->item.entry.match, one->item.entry.ended_ms);
        one->next = done;
        done = one;
    }
    pthread_mutex_unlock(&embedded->lock);
    embedded_notify(embedded);
    while (done != NULL) {
        Finish *next = done->next;
        free(done);
        done = next;
    }
}

bool keeper_turn(Embedded *embedded) {
    const ArchiveItem *items[ARCHIVE_PUT_MAX];
    for (size_t count; (count = look(embedded, items)) > 0;) {
        char memory[512];
        MashText problem = text_over(memory, sizeof memory);
        ArchiveAnswer answer = archive_put(embedded->archive, items, count, &problem);
        if (answer == ARCHIVE_FAILED) {
            embedded_fail(embedded, memory);
            return true;
        }
        if (answer == ARCHIVE_BUSY) {
            if (!embedded->busy_told)
                embedded_report(embedded, memory);
            embedded->busy_told = true;
            return false;
        }
        embedded->busy_told = false;
        complete(embedded, count);
    }
    segments_tidy(embedded);
    return true;
}

/* So many milliseconds from now. */
static struct timespec in_ms(long ms) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    long nanoseconds = time.tv_nsec + ms * 1000000;
    time.tv_sec += nanoseconds / 1000000000;
    time.tv_nsec = nanoseconds % 1000000000;
    return time;
}

/* Waits until the time, the end, or until much waits. Under the lock. */
static void wait_for_company(Embedded *embedded, struct timespec until) {
    while (!embedded->keeper_ends &&
           embedded->finish_bytes <= embedded->setup.queue_bytes_max / 2 &&
           pthread_cond_timedwait(&embedded->keeper_wakes, &embedded->lock, &until) == 0)
        continue;
}

/* Waits for work; after the index was busy, for a while. Under the lock. False = it is the end. */
static bool wait_for_work(Embedded *embedded, bool busy) {
    if (busy) {
        if (embedded->keeper_ends)
            return false;
        struct timespec until = in_ms(BUSY_WAIT_MS);
        pthread_cond_timedwait(&embedded->keeper_wakes, &embedded->lock, &until);
        return true;
    }
    while ((embedded->finish_first == NULL && !embedded->sealed) ||
           embedded->done.failure != NULL) {
        if (embedded->keeper_ends)
            return false;
        pthread_cond_wait(&embedded->keeper_wakes, &embedded->lock);
    }
    embedded->sealed = false;
    wait_for_company(embedded, embedded->next_keep);
    embedded->next_keep = in_ms(KEEP_MS);
    return true;
}

void *keeper_run(void *owner) {
    Embedded *embedded = owner;
    for (bool busy = false;;) {
        pthread_mutex_lock(&embedded->lock);
        bool goes_on = wait_for_work(embedded, busy);
        pthread_mutex_unlock(&embedded->lock);
        if (!goes_on)
            return NULL;
        busy = !keeper_turn(embedded);
    }
}
