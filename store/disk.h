/* disk.h -- disk access of the embedded store, as functions that a test can replace: to count
 * syncs, to run out of space, to simulate a crash between any two of them. */
#ifndef STORE_DISK_H
#define STORE_DISK_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/text.h"
#include "store/store.h"

/* Each returns what the system's function of that name does, errno included. */
struct StoreDisk {
    ssize_t (*write)(void *owner, int file, const void *bytes, size_t count);
    int (*sync)(void *owner, int file, bool whole); /* whole: fsync, otherwise fdatasync */
    int (*rename)(void *owner, const char *from, const char *to);
    int (*remove)(void *owner, const char *path);
    int (*open)(void *owner, const char *path, int flags, mode_t mode);
    /* The bytes of the disk of this folder: those that are free for us, and all. 0, or -1 and
     * errno.
     */
    int (*space)(void *owner, const char *folder, uint64_t *free, uint64_t *all);
    void *owner;
};

/* The real one. */
extern const StoreDisk disk_real;

/* The longest path the store uses, with the NUL, and the permissions of what it creates: only its
 * own user, because the journal contains tokens. */
enum { DISK_PATH_BYTES = 1024, DISK_FOLDER_MODE = 0700, DISK_FILE_MODE = 0600 };
/* Writes "cannot WHAT PATH: REASON" with errno's reason into the text; returns false. */
bool disk_problem(MashText *problem, const char *what, const char *path);
/* Joins folder and name. False = longer than DISK_PATH_BYTES, with a problem. */
bool disk_path(char out[DISK_PATH_BYTES], const char *folder, const char *name, MashText *problem);
/* The same for a path of an open store, whose folder was checked to be short enough. */
void disk_path_in_store(char out[DISK_PATH_BYTES], const char *folder, const char *name);
/* Opens a file. If the process has no descriptor left, a reserved one is used, so that clients that
 * use up all sockets do not keep the store from its files. -1 = errno says why. */
int disk_open(const StoreDisk *disk, const char *path, int flags);
/* Reserves some descriptors, or replaces those that were used; once for each open store, and again
 * now and then. */
void disk_keep_reserve(void);
/* No store of this process is open any more. */
void disk_drop_reserve(void);
/* Writes all bytes, continuing after short writes. False = errno says why. */
bool disk_write(const StoreDisk *disk, int file, const void *bytes, size_t count);
/* Makes the names in a folder durable (syncs it). False = with a problem. */
bool disk_sync_folder(const StoreDisk *disk, const char *folder, MashText *problem);
/* Makes a folder, if it does not exist, and syncs its name: the process that made it may have been
 * killed before that. Only a parent that is not `ours` may be unreadable, if the folder exists.
 * False = with a problem. */
bool disk_folder(const StoreDisk *disk, const char *folder, bool ours, MashText *problem);
/* Removes all permissions of others from a file or folder of the store. False = it belongs to
 * somebody else; see errno. A missing one is fine. */
bool disk_tighten(const char *path);
/* Creates a file atomically: writes it under `temporary`, syncs it, renames it to `path`. The name
 * is durable only after disk_sync_folder(). Returns the file, open for appending, or -1 with a
 * problem. */
int disk_publish(const StoreDisk *disk, const char *temporary, const char *path, const void *bytes,
                 size_t count, MashText *problem);
/* Reads a whole regular file of at most `max` bytes into memory that the caller frees. NULL = with
 * a problem. An empty file gives memory as well. */
void *disk_read(const char *path, size_t max, size_t *count, MashText *problem);

#endif
