/* archive.c -- see archive.h. */
#define _POSIX_C_SOURCE 200809L
#include "store/archive.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/backend.h"
#include "store/deadline.h"
#include "store/fault.h"
#include "store/index.h"
#include "store/lock.h"

enum { FOLDER_BYTES = 8 /* "2026/11" with the NUL */ };

/* The archive: one index connection to write, one for lists, and one to find files, which never
 * waits for a list. Two threads write: the one that archives and prunes, and whoever takes names
 * out. */
struct Archive {
    const StoreDisk *disk;
    char folder[DISK_PATH_BYTES];
    char made[FOLDER_BYTES]; /* the month whose folder is known to be durable */
    bool measured;           /* `bytes` has been measured */
    uint64_t bytes;          /* what all files take */
    Index *writer, *lister, *finder;
    StoreLock listing, finding; /* of `lister` and `finder` */
    StoreLock writing;          /* of `writer`, and of what the files take */
};

/* --- Opening --------------------------------------------------------------------------------- */

/* Makes the file of the index if there is none, as SQLite would, but accessible only to its own
 * user; SQLite's files beside it get the same permissions. False: with a problem. */
static bool make_index(const char *path, MashText *problem) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, DISK_FILE_MODE);
    if (file < 0)
        return disk_problem(problem, "open", path);
    close(file);
    return true;
}

/* Opens what exists in the folder, creates the rest. False: the caller closes what is open. */
static bool open_parts(Archive *archive, const char *folder, MashText *problem) {
    char path[DISK_PATH_BYTES];
    disk_path_in_store(archive->folder, folder, "archive");
    disk_path_in_store(path, folder, "index.sqlite");
    if (!disk_folder(archive->disk, archive->folder, true, problem) || !make_index(path, problem))
        return false;
    archive->writer = index_open(path, true, problem);
    if (archive->writer == NULL || !disk_sync_folder(archive->disk, folder, problem))
        return false;
    archive->lister = index_open(path, false, problem);
    archive->finder = archive->lister == NULL ? NULL : index_open(path, false, problem);
    return archive->finder != NULL;
}

Archive *archive_open(const char *folder, const StoreDisk *disk, MashText *problem) {
    Archive *archive = calloc(1, sizeof *archive);
    if (archive == NULL) {
        text_string(problem, "out of memory for the archive");
        return NULL;
    }
    archive->disk = disk;
    lock_make(&archive->listing);
    lock_make(&archive->finding);
    lock_make(&archive->writing);
    if (open_parts(archive, folder, problem))
        return archive;
    archive_close(archive);
    return NULL;
}

void archive_close(Archive *archive) {
    if (archive == NULL)
        return;
    index_close(archive->lister);
    index_close(archive->finder);
    index_close(archive->writer);
    pthread_mutex_destroy(&archive->listing.mutex);
    pthread_mutex_destroy(&archive->finding.mutex);
    pthread_mutex_destroy(&archive->writing.mutex);
    free(archive);
}

/* --- Putting --------------------------------------------------------------------------------- */

/* The file's path in the archive: 2026/11/0123456789abcdef.json, by UTC. False = the time is
 * invalid. */
static bool place_of(uint64_t match, uint64_t started_ms, char out[STORE_PATH_BYTES]) {
    time_t seconds = (time_t)(started_ms / 1000);
    struct tm date;
    if (started_ms > STORE_TIME_MAX_MS)
        return false;
    gmtime_r(&seconds, &date);
    snprintf(out, STORE_PATH_BYTES, "%04d/%02d/%016" PRIx64 ".json", date.tm_year + 1900,
             date.tm_mon + 1, match);
    return true;
}

ArchiveAnswer archive_find(Archive *archive, uint64_t match, bool *known, MashText *problem) {
    uint64_t started_ms;
    lock_take(&archive->writing);
    ArchiveAnswer answer = index_find(archive->writer, match, known, &started_ms, problem);
    lock_give(&archive->writing);
    return answer;
}

/* Makes the folder of a year, then that of the month, which is synced. */
static bool make_folders(Archive *archive, const char *file, char month[DISK_PATH_BYTES],
                         MashText *problem) {
    char part[FOLDER_BYTES], year[DISK_PATH_BYTES];
    snprintf(part, sizeof part, "%.7s", file);
    disk_path_in_store(month, archive->folder, part);
    if (strcmp(part, archive->made) == 0)
        return true;
    snprintf(part, sizeof part, "%.4s", file);
    disk_path_in_store(year, archive->folder, part);
    if (!disk_folder(archive->disk, year, true, problem) ||
        !disk_folder(archive->disk, month, true, problem))
        return false;
    snprintf(archive->made, sizeof archive->made, "%.7s", file);
    return true;
}

/* Writes and syncs one file, but not its name. */
static bool put_file(Archive *archive, const ArchiveItem *item, const char *file,
                     MashText *problem) {
    char path[DISK_PATH_BYTES], temporary[DISK_PATH_BYTES + 8];
    disk_path_in_store(path, archive->folder, file);
    snprintf(temporary, sizeof temporary, "%s.new", path);
    int descriptor =
        disk_publish(archive->disk, temporary, path, item->bytes, item->count, problem);
    if (descriptor >= 0)
        close(descriptor);
    return descriptor >= 0;
}

/* Syncs the files and their names: a folder is synced when the next file is in another one. */
static bool put_files(Archive *archive, const ArchiveItem *const *items, StoreEntry *entries,
                      size_t count, MashText *problem) {
    char month[DISK_PATH_BYTES] = "", next[DISK_PATH_BYTES];
    for (size_t i = 0; i < count; i++) {
        entries[i] = items[i]->entry;
        entries[i].bytes = items[i]->count;
        bool placed = place_of(entries[i].match, entries[i].started_ms, entries[i].file);
        assert(placed); /* store_finish() has put the time in its bounds */
        (void)placed;
        if (!make_folders(archive, entries[i].file, next, problem) ||
            !put_file(archive, items[i], entries[i].file, problem))
            return false;
        if (month[0] != '\0' && strcmp(month, next) != 0 &&
            !disk_sync_folder(archive->disk, month, problem))
            return false;
        memcpy(month, next, sizeof month);
    }
    return disk_sync_folder(archive->disk, month, problem);
}

/* The disk space of a file of this length; none if that is not known. */
static uint64_t taken(int64_t bytes) {
    uint64_t known = (uint64_t)(bytes < 0 ? 0 : bytes);
    return (known + INDEX_BLOCK - 1) / INDEX_BLOCK * INDEX_BLOCK;
}

/* Archives at most ARCHIVE_PUT_MAX matches, none of which is in the archive. */
static ArchiveAnswer put_some(Archive *archive, const ArchiveItem *const *items, size_t count,
                              MashText *problem) {
    StoreEntry *entries = calloc(count, sizeof *entries);
    const StoreEntry *list[ARCHIVE_PUT_MAX];
    ArchiveAnswer answer = ARCHIVE_FAILED;
    if (entries == NULL) {
        text_string(problem, "out of memory for the archive");
    } else if (put_files(archive, items, entries, count, problem)) {
        for (size_t i = 0; i < count; i++)
            list[i] = &entries[i];
        answer = index_add(archive->writer, list, count, problem);
        for (size_t i = 0; i < count && answer == ARCHIVE_OK; i++)
            archive->bytes += taken((int64_t)entries[i].bytes);
    }
    free(entries);
    return answer;
}

/* Is the same match among the first `count`? */
static bool among(const ArchiveItem *const *items, size_t count, uint64_t match) {
    for (size_t i = 0; i < count; i++)
        if (items[i]->entry.match == match)
            return true;
    return false;
}

/* The same under the lock. */
static ArchiveAnswer put_all(Archive *archive, const ArchiveItem *const *items, size_t count,
                             MashText *problem) {
    const ArchiveItem *fresh[ARCHIVE_PUT_MAX];
    size_t fresh_count = 0;
    assert(count <= ARCHIVE_PUT_MAX);
    for (size_t i = 0; i < count; i++) {
        bool known;
        uint64_t started_ms;
        ArchiveAnswer answer =
            index_find(archive->writer, items[i]->entry.match, &known, &started_ms, problem);
        if (answer != ARCHIVE_OK)
            return answer;
        if (!known && !among(fresh, fresh_count, items[i]->entry.match))
            fresh[fresh_count++] = items[i];
    }
    return fresh_count == 0 ? ARCHIVE_OK : put_some(archive, fresh, fresh_count, problem);
}

ArchiveAnswer archive_put(Archive *archive, const ArchiveItem *const *items, size_t count,
                          MashText *problem) {
    lock_take(&archive->writing);
    ArchiveAnswer answer = put_all(archive, items, count, problem);
    lock_give(&archive->writing);
    return answer;
}

/* --- Taking names out ------------------------------------------------------------------------ */

/* A file that is known to the index is replaced: first itself, then what the index has of it. */
static ArchiveAnswer erase(Archive *archive, const StoreErasure *what, uint64_t started_ms,
                           MashText *problem) {
    char month[DISK_PATH_BYTES];
    ArchiveItem item = {.entry = {.match = what->match, .started_ms = started_ms},
                        .bytes = (void *)what->bytes,
                        .count = what->count};
    char *file = item.entry.file;
    if (!place_of(what->match, started_ms, file) || !make_folders(archive, file, month, problem) ||
        !put_file(archive, &item, file, problem))
        return ARCHIVE_FAILED;
    FAULT_POINT("erased_file");
    if (!disk_sync_folder(archive->disk, month, problem))
        return ARCHIVE_FAILED;
    return index_erase(archive->writer, what, problem);
}

ArchiveAnswer archive_erase(Archive *archive, const StoreErasure *what, bool *known,
                            MashText *problem) {
    uint64_t started_ms = 0;
    lock_take(&archive->writing);
    ArchiveAnswer answer = index_find(archive->writer, what->match, known, &started_ms, problem);
    if (answer == ARCHIVE_OK && *known)
        answer = erase(archive, what, started_ms, problem);
    lock_give(&archive->writing);
    return answer;
}

void archive_wipe(Archive *archive) {
    lock_take(&archive->writing);
    index_wipe(archive->writer);
    lock_give(&archive->writing);
}

/* --- Pruning --------------------------------------------------------------------------------- */

/* The path of a match file. False: the time is invalid. */
static bool path_of(const Archive *archive, const IndexOld *old, char path[DISK_PATH_BYTES]) {
    char file[STORE_PATH_BYTES];
    if (!place_of(old->match, old->started_ms, file))
        return false;
    disk_path_in_store(path, archive->folder, file);
    return true;
}

/* Measures some files that older programs wrote; once all are measured, their total. *more = there
 * are others. */
static ArchiveAnswer measure(Archive *archive, bool *more, MashText *problem) {
    IndexOld list[ARCHIVE_PRUNE_MAX];
    char path[DISK_PATH_BYTES];
    size_t count;
    ArchiveAnswer answer =
        index_old(archive->writer, true, list, ARCHIVE_PRUNE_MAX, &count, problem);
    for (size_t i = 0; i < count; i++) {
        struct stat found;
        bool there = path_of(archive, &list[i], path) && stat(path, &found) == 0;
        list[i].bytes = there ? found.st_size : 0;
    }
    *more = count > 0;
    if (answer == ARCHIVE_OK && count > 0)
        return index_measure(archive->writer, list, count, problem);
    if (answer == ARCHIVE_OK)
        answer = index_total(archive->writer, &archive->bytes, problem);
    archive->measured = answer == ARCHIVE_OK;
    return answer;
}

/* Removes the folder of a month and of its year, if they are empty; not the one that files are
 * being written to. */
static void remove_folders(const Archive *archive, const char *file) {
    char part[FOLDER_BYTES], path[DISK_PATH_BYTES];
    snprintf(part, sizeof part, "%.7s", file);
    disk_path_in_store(path, archive->folder, part);
    if (strcmp(part, archive->made) == 0 || rmdir(path) != 0)
        return;
    snprintf(part, sizeof part, "%.4s", file);
    disk_path_in_store(path, archive->folder, part);
    if (strncmp(part, archive->made, 4) != 0)
        rmdir(path);
}

/* Removes the files of these matches, then the matches: if that is interrupted, the next step finds
 * them again. */
static ArchiveAnswer remove_all(Archive *archive, const IndexOld *list, size_t count,
                                MashText *problem) {
    char file[STORE_PATH_BYTES], path[DISK_PATH_BYTES];
    for (size_t i = 0; i < count; i++)
        if (path_of(archive, &list[i], path) &&
            archive->disk->remove(archive->disk->owner, path) != 0 && errno != ENOENT) {
            disk_problem(problem, "remove", path);
            return ARCHIVE_FAILED;
        }
    ArchiveAnswer answer = index_remove(archive->writer, list, count, problem);
    for (size_t i = 0; i < count && answer == ARCHIVE_OK; i++) {
        uint64_t bytes = taken(list[i].bytes);
        archive->bytes -= bytes < archive->bytes ? bytes : archive->bytes;
        if (place_of(list[i].match, list[i].started_ms, file))
            remove_folders(archive, file);
    }
    return answer;
}

/* The same under the lock. */
static ArchiveAnswer prune_some(Archive *archive, const StorePrune *prune, bool *more,
                                uint64_t *removed, uint64_t *bytes, MashText *problem) {
    IndexOld list[ARCHIVE_PRUNE_MAX];
    size_t count, goes = 0;
    *more = false;
    *removed = 0;
    if (prune->bytes_max > 0 && !archive->measured) {
        ArchiveAnswer measured = measure(archive, more, problem);
        if (measured != ARCHIVE_OK || *more)
            return measured;
    }
    ArchiveAnswer answer =
        index_old(archive->writer, false, list, ARCHIVE_PRUNE_MAX, &count, problem);
    uint64_t left = archive->bytes;
    while (answer == ARCHIVE_OK && goes < count &&
           (list[goes].ended_ms < prune->before_ms ||
            (prune->bytes_max > 0 && left > prune->bytes_max))) {
        uint64_t one = taken(list[goes++].bytes);
        left -= one < left ? one : left;
    }
    if (answer == ARCHIVE_OK)
        answer = remove_all(archive, list, goes, problem);
    if (answer == ARCHIVE_OK) {
        *removed = goes;
        *more = goes == ARCHIVE_PRUNE_MAX;
    }
    *bytes = archive->measured ? archive->bytes : 0;
    return answer;
}

ArchiveAnswer archive_prune(Archive *archive, const StorePrune *prune, bool *more,
                            uint64_t *removed, uint64_t *bytes, MashText *problem) {
    lock_take(&archive->writing);
    ArchiveAnswer answer = prune_some(archive, prune, more, removed, bytes, problem);
    lock_give(&archive->writing);
    return answer;
}

/* --- Reading --------------------------------------------------------------------------------- */

StoreStatus archive_list(Archive *archive, const StoreFilter *filter, uint32_t query_ms,
                         StoreEntry *entries, uint32_t max, uint32_t *count, MashText *problem) {
    struct timespec until = deadline_in_ms(query_ms);
    lock_take(&archive->listing);
    index_until(archive->lister, until);
    ArchiveAnswer answer = index_list(archive->lister, filter, entries, max, count, problem);
    lock_give(&archive->listing);
    for (uint32_t i = 0; i < *count; i++)
        if (!place_of(entries[i].match, entries[i].started_ms, entries[i].file))
            entries[i].file[0] = '\0';
    return answer == ARCHIVE_OK ? STORE_OK : answer == ARCHIVE_BUSY ? STORE_BUSY : STORE_FAILED;
}

StoreStatus archive_read(Archive *archive, uint64_t match, void *bytes, size_t max, size_t *count,
                         MashText *problem) {
    uint64_t started_ms = 0;
    char file[STORE_PATH_BYTES], path[DISK_PATH_BYTES];
    *count = 0;
    lock_take(&archive->finding);
    bool known;
    ArchiveAnswer answer = index_find(archive->finder, match, &known, &started_ms, problem);
    lock_give(&archive->finding);
    if (answer != ARCHIVE_OK)
        return STORE_FAILED;
    if (!known || !place_of(match, started_ms, file))
        return STORE_UNKNOWN;
    disk_path_in_store(path, archive->folder, file);
    void *found = disk_read(path, STORE_FILE_BYTES_MAX, count, problem);
    if (found == NULL)
        return STORE_FAILED;
    bool fits = *count <= max;
    if (fits && *count > 0)
        memcpy(bytes, found, *count);
    free(found);
    return fits ? STORE_OK : STORE_TOO_LONG;
}
