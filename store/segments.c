/* segments.c -- the files of the journal: finding them, repairing them, starting a new one, and
 * removing those that are no longer needed.
 *
 * Files change only by renaming a complete new file over them. A crash leaves the old or the new
 * one, and after a merge perhaps both: duplicate records are recognised by their numbers. At
 * opening the newest segment is always rewritten, so that nothing is returned that a failed sync
 * left only in the page cache. */
#define _DEFAULT_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/embedded.h"

enum {
    NAME_BYTES = 40,
    BEHIND_BYTES = 24,
    NUMBER_DIGITS = 8,
    RUN_MAX = 64,      /* segments merged at once */
    RUN_MERGED = 8,    /* this many small ones are worth a merge */
    MERGE_WAIT_S = 60, /* from a failed merge to the next; single-threaded there is no waiting */
    ASIDE_MAX = 100    /* copies of a damaged segment */
};

static const char ending[] = ".journal";

/* The path of a segment, or of what belongs to it. */
static void path_of(const Embedded *embedded, uint32_t number, const char *behind,
                    char out[DISK_PATH_BYTES]) {
    char name[NAME_BYTES];
    snprintf(name, sizeof name, "%08" PRIx32 "%s", number, behind);
    disk_path_in_store(out, embedded->journal, name);
}

/* Puts a segment in place: its head is at the start of `bytes`, records follow. Returns the open
 * file or -1 with a problem. */
static int publish(Embedded *embedded, uint32_t number, uint8_t *bytes, size_t count,
                   uint64_t *secret, MashText *problem) {
    char path[DISK_PATH_BYTES], temporary[DISK_PATH_BYTES];
    if (getentropy(secret, sizeof *secret) != 0) {
        disk_problem(problem, "get", "random bytes");
        return -1;
    }
    journal_put_head(bytes, number, *secret);
    journal_seal(bytes + JOURNAL_HEAD_BYTES, count - JOURNAL_HEAD_BYTES, JOURNAL_HEAD_BYTES, 0,
                 *secret);
    path_of(embedded, number, ending, path);
    path_of(embedded, number, ".new", temporary);
    return disk_publish(embedded->disk, temporary, path, bytes, count, problem);
}

/* Removes the file of a segment. False: with a problem. */
static bool remove_file(Embedded *embedded, uint32_t number, MashText *problem) {
    char path[DISK_PATH_BYTES];
    path_of(embedded, number, ending, path);
    if (embedded->disk->remove(embedded->disk->owner, path) == 0)
        return true;
    return disk_problem(problem, "remove", path);
}

bool segments_are_there(const Embedded *embedded, MashText *problem) {
    struct stat file, folder;
    if (fstat(embedded->segment_file, &file) == 0 && file.st_nlink == 0) {
        text_string(problem, "journal ");
        text_hex(problem, embedded->segment, NUMBER_DIGITS);
        text_format(problem, " was removed while it was being written (in %s)", embedded->journal);
        return false;
    }
    bool found = stat(embedded->journal, &folder) == 0;
    if ((found && folder.st_dev == embedded->journal_device &&
         folder.st_ino == embedded->journal_inode) ||
        (!found && errno != ENOENT && errno != ENOTDIR))
        return true;
    text_format(problem, "the folder %s was removed, moved or replaced while it was in use",
                embedded->journal);
    return false;
}

bool segments_begin(Embedded *embedded, bool *stays, MashText *problem) {
    uint8_t head[JOURNAL_HEAD_BYTES];
    uint64_t secret;
    *stays = false;
    if (embedded->segment == UINT32_MAX) {
        text_string(problem, "the journal has run out of segment numbers");
        return false;
    }
    int file = publish(embedded, embedded->segment + 1, head, sizeof head, &secret, problem);
    *stays = file < 0;
    if (file < 0)
        return false;
    if (!disk_sync_folder(embedded->disk, embedded->journal, problem)) {
        close(file);
        return false;
    }
    if (embedded->segment_file >= 0)
        close(embedded->segment_file);
    embedded->segment_file = file;
    embedded->segment++;
    embedded->segment_bytes = embedded->synced_bytes = JOURNAL_HEAD_BYTES;
    embedded->secret = secret;
    lock_take(&embedded->lock);
    bool opened = ledger_open_segment(&embedded->ledger, embedded->segment, JOURNAL_HEAD_BYTES);
    embedded->sealed = true;
    pthread_cond_signal(&embedded->archiver_wakes);
    lock_give(&embedded->lock);
    if (!opened)
        text_string(problem, "out of memory for a segment of the journal");
    return opened;
}

/* All bytes of a segment, allocated, and its path. NULL: with a problem. */
static uint8_t *read_segment(const Embedded *embedded, uint32_t number, char path[DISK_PATH_BYTES],
                             size_t *count, MashText *problem) {
    path_of(embedded, number, ending, path);
    return disk_read(path, JOURNAL_SEGMENT_BYTES_MAX, count, problem);
}

/* --- Rewriting ------------------------------------------------------------------------------- */

/* Copies the records worth keeping to `out` and counts them as moving. False = with a problem;
 * damage is one except during repair. */
static bool copy_kept(Embedded *embedded, uint32_t number, bool repairing, Buffer *out,
                      MashText *problem) {
    char path[DISK_PATH_BYTES];
    size_t count;
    uint8_t *bytes = read_segment(embedded, number, path, &count, problem);
    if (bytes == NULL)
        return false;
    JournalReader reader;
    JournalRecord record;
    JournalDamage damage;
    bool good = journal_open(&reader, bytes, count) == JOURNAL_HEAD_GOOD || repairing;
    for (JournalItem item;
         good && (item = journal_next(&reader, &record, &damage)) != JOURNAL_END;) {
        good = item == JOURNAL_RECORD || repairing;
        if (item != JOURNAL_RECORD)
            continue;
        size_t length = JOURNAL_RECORD_BYTES + (size_t)record.count;
        lock_take(&embedded->lock);
        bool keeps = recovery_should_keep(&embedded->ledger, &record);
        if (keeps && buffer_reserve(out, length))
            ledger_find(&embedded->ledger, record.match)->moving += length;
        else
            good = good && !keeps;
        lock_give(&embedded->lock);
        if (keeps && good) {
            journal_put_record(out->bytes + out->count, &record);
            out->count += length;
        }
    }
    if (!good)
        text_format(problem, "%s is damaged, or out of memory to copy it", path);
    free(bytes);
    return good;
}

/* The result of rewriting. */
typedef enum Rewrite {
    REWRITE_DONE,
    REWRITE_NOT,   /* everything is as it was */
    REWRITE_UNSURE /* files changed, and it is not known whether durably */
} Rewrite;

/* Rewrites the kept records of a list of segments as the first of them. */
static Rewrite rewrite(Embedded *embedded, const uint32_t *numbers, size_t count, bool repairing,
                       MashText *problem) {
    Buffer out = {0};
    uint64_t secret;
    bool copied = buffer_reserve(&out, JOURNAL_HEAD_BYTES);
    out.count = JOURNAL_HEAD_BYTES;
    for (size_t i = 0; i < count && copied; i++)
        copied = copy_kept(embedded, numbers[i], repairing, &out, problem);
    int file = copied ? publish(embedded, numbers[0], out.bytes, out.count, &secret, problem) : -1;
    lock_take(&embedded->lock);
    if (file >= 0)
        ledger_moved(&embedded->ledger, numbers[0], numbers[count - 1], out.count);
    else
        open_matches_cancel_move(&embedded->ledger);
    lock_give(&embedded->lock);
    free(out.bytes);
    if (file < 0)
        return REWRITE_NOT;
    close(file);
    if (!disk_sync_folder(embedded->disk, embedded->journal, problem))
        return REWRITE_UNSURE;
    for (size_t i = 1; i < count; i++)
        if (!remove_file(embedded, numbers[i], problem))
            return REWRITE_UNSURE;
    return REWRITE_DONE;
}

/* --- Compacting ------------------------------------------------------------------------------ */

/* A segment that is no longer needed, but not the last one, which is being written. False = there
 * is none. */
static bool is_unneeded(Embedded *embedded, uint32_t *number) {
    bool found = false;
    lock_take(&embedded->lock);
    const OpenMatches *ledger = &embedded->ledger;
    for (size_t i = 0; i + 1 < ledger->segments_count && !found; i++) {
        found = ledger->segments[i].live == 0;
        *number = ledger->segments[i].number;
    }
    lock_give(&embedded->lock);
    return found;
}

/* Adjacent segments worth merging: at least half of their bytes unneeded, or many small ones.
 * Returns how many, in `numbers`; 0 = none. */
static size_t should_merge(Embedded *embedded, uint32_t numbers[RUN_MAX]) {
    size_t run = 0;
    lock_take(&embedded->lock);
    const OpenMatches *ledger = &embedded->ledger;
    size_t sealed = ledger->segments_count == 0 ? 0 : ledger->segments_count - 1;
    for (size_t first = 0; first < sealed && run == 0; first++) {
        uint64_t live = 0, bytes = 0;
        size_t count = 0;
        while (count < RUN_MAX && first + count < sealed) {
            const LedgerSegment *next = &ledger->segments[first + count];
            if (count > 0 && live + next->live > embedded->setup.segment_bytes / 2)
                break;
            live += next->live;
            bytes += next->bytes - JOURNAL_HEAD_BYTES;
            numbers[count++] = next->number;
        }
        if ((live > 0 && live * 2 <= bytes) || count >= RUN_MERGED)
            run = count;
    }
    lock_give(&embedded->lock);
    return run;
}

void segments_compact(Embedded *embedded) {
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    uint32_t number, numbers[RUN_MAX];
    lock_take(&embedded->lock);
    bool failed = embedded->done.failure != NULL;
    lock_give(&embedded->lock);
    while (!failed && is_unneeded(embedded, &number)) {
        if (!remove_file(embedded, number, &problem)) { /* it only costs disk space */
            if (!embedded->removes_fail)
                embedded_report(embedded, memory);
            embedded->removes_fail = true;
            break;
        }
        embedded->removes_fail = false;
        lock_take(&embedded->lock);
        ledger_remove_segment(&embedded->ledger, number);
        embedded->stats.removed++;
        lock_give(&embedded->lock);
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    failed =
        failed || (now.tv_sec < embedded->next_merge.tv_sec && !embedded->setup.single_threaded);
    for (size_t count; !failed && (count = should_merge(embedded, numbers)) > 0;) {
        Rewrite answer = rewrite(embedded, numbers, count, false, &problem);
        failed = answer != REWRITE_DONE;
        if (answer == REWRITE_UNSURE)
            embedded_fail(embedded, memory);
        if (answer == REWRITE_NOT && embedded->next_merge.tv_sec == 0)
            embedded_report(embedded, memory);
        embedded->next_merge.tv_sec = failed ? now.tv_sec + MERGE_WAIT_S : 0;
        if (failed)
            break;
        lock_take(&embedded->lock);
        embedded->stats.removed += count - 1;
        lock_give(&embedded->lock);
    }
}

/* --- Opening --------------------------------------------------------------------------------- */

/* The order of numbers, for qsort. */
static int ascending(const void *a, const void *b) {
    uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;
    return (one > two) - (one < two);
}

/* The number in a file name, and what follows it. False = not a file of the journal. */
static bool number_of(const char *name, uint32_t *number, const char **behind) {
    if (strspn(name, "0123456789abcdef") != NUMBER_DIGITS)
        return false;
    *number = (uint32_t)strtoul(name, NULL, 16);
    *behind = name + NUMBER_DIGITS;
    return true;
}

/* All segments, ascending; temporary files that were never renamed are removed. The caller frees
 * them. False = with a problem. */
static bool find_all(Embedded *embedded, Buffer *numbers, MashText *problem) {
    DIR *folder = opendir(embedded->journal);
    if (folder == NULL)
        return disk_problem(problem, "read", embedded->journal);
    bool found = true;
    for (struct dirent *entry; found && (entry = readdir(folder)) != NULL;) {
        uint32_t number;
        const char *behind;
        char path[DISK_PATH_BYTES];
        if (!number_of(entry->d_name, &number, &behind))
            continue;
        if (strcmp(behind, ".new") == 0) {
            path_of(embedded, number, behind, path);
            unlink(path);
        }
        if (strcmp(behind, ending) != 0)
            continue;
        found = buffer_reserve(numbers, sizeof number);
        if (found)
            memcpy(numbers->bytes + numbers->count, &number, sizeof number);
        numbers->count += sizeof number;
    }
    closedir(folder);
    if (!found)
        text_string(problem, "out of memory for the journal");
    else if (numbers->count > 0)
        qsort(numbers->bytes, numbers->count / sizeof(uint32_t), sizeof(uint32_t), ascending);
    return found;
}

/* Keeps a damaged segment under another name as well. */
static bool quarantine(Embedded *embedded, uint32_t number, MashText *problem) {
    char path[DISK_PATH_BYTES], aside[DISK_PATH_BYTES], behind[BEHIND_BYTES], sentence[256];
    path_of(embedded, number, ending, path);
    for (int copy = 1; copy <= ASIDE_MAX; copy++) {
        snprintf(behind, sizeof behind, copy == 1 ? ".damaged" : ".damaged-%d", copy);
        path_of(embedded, number, behind, aside);
        if (link(path, aside) == 0) {
            snprintf(sentence, sizeof sentence,
                     "journal %08" PRIx32 ": the damaged file is kept as %08" PRIx32 "%s", number,
                     number, behind);
            embedded_report(embedded, sentence);
            return true;
        }
        if (errno != EEXIST)
            break;
    }
    return disk_problem(problem, "keep a copy of", path);
}

/* Reads one segment. */
static bool scan(Embedded *embedded, Recovery *recovery, uint32_t number, bool newest,
                 RecoveryScan *answer, MashText *problem) {
    char path[DISK_PATH_BYTES];
    size_t count;
    uint8_t *bytes = read_segment(embedded, number, path, &count, problem);
    if (bytes == NULL)
        return false;
    *answer = ledger_open_segment(&embedded->ledger, number, count)
                  ? recovery_scan(recovery, bytes, count, number, newest)
                  : RECOVERY_NO_MEMORY;
    free(bytes);
    if (*answer == RECOVERY_OTHER)
        text_format(problem, "%s has an unsupported format version", path);
    if (*answer == RECOVERY_NO_MEMORY)
        text_format(problem, "out of memory for what is in %s", path);
    return *answer != RECOVERY_OTHER && *answer != RECOVERY_NO_MEMORY;
}

/* Repairs one segment after everything is known: copies it aside, removes it, or rewrites it. */
static bool repair(Embedded *embedded, uint32_t number, bool newest, RecoveryScan answer,
                   MashText *problem) {
    if (answer == RECOVERY_DAMAGED && !quarantine(embedded, number, problem))
        return false;
    if (ledger_segment(&embedded->ledger, number)->live != 0)
        return (answer == RECOVERY_CLEAN && !newest) ||
               rewrite(embedded, &number, 1, true, problem) == REWRITE_DONE;
    if (!remove_file(embedded, number, problem))
        return false;
    ledger_remove_segment(&embedded->ledger, number);
    return true;
}

/* For recovery_finish(): is the match in the archive? */
typedef struct ArchiveQuery {
    Archive *archive;
    MashText *problem;
} ArchiveQuery;
static int archived(void *owner, uint64_t match) {
    ArchiveQuery *question = owner;
    bool known = false;
    ArchiveAnswer answer = archive_find(question->archive, match, &known, question->problem);
    return answer == ARCHIVE_OK ? known : -1;
}

/* Records which matches were newly found to be broken, so that they stay so. */
static bool mark_broken(Embedded *embedded) {
    for (size_t i = 0; i < embedded->found_count; i++) {
        const RecoveredMatch *saved = embedded->found[i];
        JournalRecord mark = {.match = saved->match, .kind = JOURNAL_BROKEN};
        if (saved->health == STORE_BROKEN && !saved->marked && !embedded_queue(embedded, &mark))
            return false;
    }
    return true;
}

/* Reads and repairs the segments of this list. */
static bool recover(Embedded *embedded, const uint32_t *numbers, size_t count, MashText *problem) {
    Recovery recovery = {.ledger = &embedded->ledger, .report = embedded_report, .owner = embedded};
    ArchiveQuery question = {embedded->archive, problem};
    RecoveryScan *scans = calloc(count + 1, sizeof *scans);
    bool good = scans != NULL;
    for (size_t i = 0; i < count && good; i++)
        good = scan(embedded, &recovery, numbers[i], i + 1 == count, &scans[i], problem);
    good = good && recovery_finish(&recovery, archived, &question, &embedded->found,
                                   &embedded->found_count);
    if (!good)
        recovery_abandon(&recovery);
    for (size_t i = 0; i < count && good; i++)
        good = repair(embedded, numbers[i], i + 1 == count, scans[i], problem);
    free(scans);
    if (!good && problem->count == 0)
        text_string(problem, "out of memory for the open matches");
    embedded->segment = count == 0 ? 0 : numbers[count - 1];
    return good;
}

bool segments_recover(Embedded *embedded, MashText *problem) {
    Buffer numbers = {0};
    bool ignored;
    struct stat folder;
    if (stat(embedded->journal, &folder) != 0)
        return disk_problem(problem, "look at", embedded->journal);
    embedded->journal_device = folder.st_dev;
    embedded->journal_inode = folder.st_ino;
    bool good = find_all(embedded, &numbers, problem);
    /* malloc's memory is aligned for any number. */
    const uint32_t *list = (const uint32_t *)(const void *)numbers.bytes;
    good = good && recover(embedded, list, numbers.count / sizeof *list, problem) &&
           segments_begin(embedded, &ignored, problem);
    free(numbers.bytes);
    if (good && !mark_broken(embedded)) {
        text_string(problem, "out of memory to mark broken matches");
        return false;
    }
    return good;
}
