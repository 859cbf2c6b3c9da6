/* backup.c -- a copy of an embedded store's folder, also while a process writes to it; see store.h.
 *
 * The order makes the copy consistent: the journal, then the index, then the accounts, then the
 * files. A match is in the index before it leaves the journal, and its file exists before that, so
 * none can be missed between two steps; one that is copied twice is recognised by its number.
 * Sealed segments never change: if one was removed or merged while we copied, the journal is copied
 * again. The last segment may end in the middle of a record, as after a crash. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/account_backend.h"
#include "store/disk.h"
#include "store/index.h"

enum { TRIES = 20, PIECE_BYTES = 1 << 16, NAME_BYTES = 32 };

/* A segment of the journal as it was when we listed it. */
typedef struct BackupSegment {
    char name[NAME_BYTES];
    ino_t inode;
    off_t bytes;
} BackupSegment;

/* All segments. */
typedef struct BackupSegments {
    BackupSegment *list;
    size_t count;
} BackupSegments;

/* Copies the contents of an open file; returns how many bytes, or -1 with errno set. */
static int64_t copy_bytes(int from, int to) {
    static char piece[PIECE_BYTES];
    int64_t all = 0;
    for (ssize_t got; (got = read(from, piece, sizeof piece)) != 0;) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || !disk_write(&disk_real, to, piece, (size_t)got))
            return -1;
        all += got;
    }
    return all;
}

/* Copies one file. False = with a problem; `gone`: it no longer exists. */
static bool copy_file(const char *from, const char *to, StoreBackupStats *copied, bool *gone,
                      MashText *problem) {
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    *gone = in < 0 && errno == ENOENT;
    if (in < 0)
        return disk_problem(problem, "open", from);
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, DISK_FILE_MODE);
    int64_t count = out < 0 ? -1 : copy_bytes(in, out);
    if (count < 0)
        disk_problem(problem, "write", to);
    else
        copied->bytes += (uint64_t)count;
    close(in);
    if (out >= 0 && close(out) != 0 && count >= 0)
        return disk_problem(problem, "write", to);
    return count >= 0;
}

/* --- The journal ----------------------------------------------------------------------------- */

/* For qsort(): by name, which is the order of writing. */
static int by_name(const void *a, const void *b) {
    const BackupSegment *one = a, *other = b;
    return strcmp(one->name, other->name);
}

/* All segments with their lengths, ascending. False: with a problem; the caller still frees the
 * list. */
static bool list_segments(const char *folder, BackupSegments *out, MashText *problem) {
    DIR *open_folder = opendir(folder);
    if (open_folder == NULL)
        return disk_problem(problem, "read", folder);
    for (struct dirent *entry; (entry = readdir(open_folder)) != NULL;) {
        struct stat found;
        size_t length = strlen(entry->d_name);
        if (!text_ends_with(entry->d_name, ".journal") || length >= NAME_BYTES ||
            fstatat(dirfd(open_folder), entry->d_name, &found, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        BackupSegment *grown = realloc(out->list, (out->count + 1) * sizeof *grown);
        if (grown == NULL) {
            closedir(open_folder);
            text_string(problem, "out of memory for the journal");
            return false;
        }
        out->list = grown;
        BackupSegment *segment = &out->list[out->count++];
        *segment = (BackupSegment){.inode = found.st_ino, .bytes = found.st_size};
        memcpy(segment->name, entry->d_name, length + 1);
    }
    closedir(open_folder);
    if (out->count > 0)
        qsort(out->list, out->count, sizeof *out->list, by_name);
    return true;
}

/* Are all still there, the same files, and all but the last of the same length? */
static bool unchanged(const BackupSegments *before, const BackupSegments *after) {
    if (after->count < before->count)
        return false;
    for (size_t i = 0; i < before->count; i++) {
        const BackupSegment *one = &before->list[i], *other = &after->list[i];
        if (strcmp(one->name, other->name) != 0 || one->inode != other->inode ||
            (i + 1 < before->count && one->bytes != other->bytes))
            return false;
    }
    return true;
}

/* Copies the segments that are there now. False = with a problem; `changed`: try again. */
static bool copy_segments(const char *from, const char *to, StoreBackupStats *copied, bool *changed,
                          MashText *problem) {
    BackupSegments before = {0}, after = {0};
    bool good = list_segments(from, &before, problem);
    *changed = false;
    for (size_t i = 0; i < before.count && good; i++) {
        char path[DISK_PATH_BYTES], target[DISK_PATH_BYTES];
        good = disk_path(path, from, before.list[i].name, problem) &&
               disk_path(target, to, before.list[i].name, problem) &&
               copy_file(path, target, copied, changed, problem);
    }
    if (good) {
        good = list_segments(from, &after, problem);
        *changed = good && !unchanged(&before, &after);
    }
    for (size_t i = 0; i < before.count && *changed; i++) {
        char target[DISK_PATH_BYTES];
        if (disk_path(target, to, before.list[i].name, problem))
            unlink(target);
    }
    copied->segments = before.count;
    free(before.list);
    free(after.list);
    return good && !*changed;
}

/* Copies the journal, again if it was compacted meanwhile. False: with a problem. */
static bool copy_journal(const char *from, const char *to, StoreBackupStats *copied,
                         MashText *problem) {
    char journal[DISK_PATH_BYTES], target[DISK_PATH_BYTES];
    bool changed = true;
    if (!disk_path(journal, from, "journal", problem) ||
        !disk_path(target, to, "journal", problem) ||
        !disk_folder(&disk_real, target, true, problem))
        return false;
    for (int i = 0; i < TRIES && changed; i++) {
        text_clear(problem);
        copied->bytes = 0;
        if (copy_segments(journal, target, copied, &changed, problem))
            return true;
    }
    if (changed)
        text_format(problem, "the journal in %s kept changing while it was copied (%d attempts)",
                    from, TRIES);
    return false;
}

/* --- The archive ----------------------------------------------------------------------------- */

/* Copies a folder of years, of months, or of files, by its depth. */
static bool copy_folder(const char *from, const char *to, int depth, StoreBackupStats *copied,
                        MashText *problem) {
    DIR *folder = opendir(from);
    if (folder == NULL)
        return disk_problem(problem, "read", from);
    bool good = disk_folder(&disk_real, to, true, problem);
    for (struct dirent *entry; good && (entry = readdir(folder)) != NULL;) {
        char path[DISK_PATH_BYTES], target[DISK_PATH_BYTES];
        bool gone;
        if (entry->d_name[0] == '.' || (depth == 0 && !text_ends_with(entry->d_name, ".json")))
            continue;
        good = disk_path(path, from, entry->d_name, problem) &&
               disk_path(target, to, entry->d_name, problem);
        if (good && depth > 0)
            good = copy_folder(path, target, depth - 1, copied, problem);
        else if (good)
            good = copy_file(path, target, copied, &gone, problem);
        copied->files += depth == 0;
    }
    closedir(folder);
    return good;
}

/* --- The whole ------------------------------------------------------------------------------- */

/* Makes the folder, which must be empty if it exists. */
static bool make_empty(const char *to, MashText *problem) {
    if (!disk_folder(&disk_real, to, false, problem))
        return false;
    DIR *folder = opendir(to);
    if (folder == NULL)
        return disk_problem(problem, "read", to);
    bool empty = true;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    closedir(folder);
    if (!empty)
        text_format(problem, "%s is not empty", to);
    return empty;
}

/* Copies a file that may be missing. */
static bool copy_if_there(const char *from, const char *to, const char *name,
                          StoreBackupStats *copied, MashText *problem) {
    char path[DISK_PATH_BYTES], target[DISK_PATH_BYTES];
    bool gone;
    if (!disk_path(path, from, name, problem) || !disk_path(target, to, name, problem))
        return false;
    if (copy_file(path, target, copied, &gone, problem))
        return true;
    if (gone)
        text_clear(problem);
    return gone;
}

/* Copies the index, then the accounts, which an older program's folder does not have. Ratings go
 * with the matches: one that the journal still has is counted again when the copy is opened, or was
 * counted. `again`: accounts were deleted between the two, and their names may be in the index that
 * was copied. False: with a problem. */
static bool copy_index(const char *from, const char *to, bool *again, MashText *problem) {
    char path[DISK_PATH_BYTES], target[DISK_PATH_BYTES], players[DISK_PATH_BYTES];
    AccountNames before = {0}, after = {0};
    bool copied = disk_path(path, from, "index.sqlite", problem) &&
                  disk_path(target, to, "index.sqlite", problem) &&
                  disk_path(players, from, "players.sqlite", problem) &&
                  account_file_names(players, &before, problem);
    if (copied)
        unlink(target); /* of the time before */
    copied = copied && index_copy(path, target, problem) &&
             disk_path(target, to, "players.sqlite", problem);
    if (copied)
        unlink(target);
    if (copied && access(players, F_OK) == 0)
        copied = index_copy(players, target, problem) &&
                 account_file_names(target, &after, problem) &&
                 account_file_note(target, &before, problem);
    *again = copied && after.gone != before.gone;
    free(before.list);
    free(after.list);
    return copied;
}

/* The same until no account was deleted meanwhile. */
static bool copy_index_and_accounts(const char *from, const char *to, MashText *problem) {
    bool again = true;
    for (int i = 0; i < TRIES && again; i++)
        if (!copy_index(from, to, &again, problem))
            return false;
    return true;
}

bool store_backup(const char *from, const char *to, StoreBackupStats *copied, MashText *problem) {
    char path[DISK_PATH_BYTES], target[DISK_PATH_BYTES];
    *copied = (StoreBackupStats){0};
    if (!make_empty(to, problem) || !copy_journal(from, to, copied, problem) ||
        !copy_index_and_accounts(from, to, problem) || !disk_path(path, from, "archive", problem) ||
        !disk_path(target, to, "archive", problem) ||
        !copy_folder(path, target, 2, copied, problem) ||
        !copy_if_there(from, to, "bans", copied, problem))
        return false;
    int folder = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool synced = folder >= 0 && syncfs(folder) == 0;
    if (folder >= 0)
        close(folder);
    return synced || disk_problem(problem, "sync", to);
}
