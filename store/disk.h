/* disk.h -- what the embedded store does to the disk, as functions that a test can put others in
 * the place of: to count syncs, to run out of room, to stop the world between any two of them. */
#ifndef STORE_DISK_H
#define STORE_DISK_H
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/text.h"
#include "store/store.h"

/* Each answers as the system's function of that name does, errno included. */
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

/* The longest path the store uses, with the NUL, and who may use what it makes: its own user alone,
 * because there are tokens in the journal. */
enum { DISK_PATH_BYTES = 1024, DISK_FOLDER_MODE = 0700, DISK_FILE_MODE = 0600 };
/* Writes "cannot WHAT PATH: REASON" with errno's reason into the text; returns false. */
bool disk_problem(MashText *problem, const char *what, const char *path);
/* Joins folder and name. False = longer than DISK_PATH_BYTES, with a problem. */
bool disk_path(char out[DISK_PATH_BYTES], const char *folder, const char *name, MashText *problem);
/* Opens a file. If the process has no descriptor left, one that was set aside is given up for it,
 * so that strangers who use up all sockets do not keep the store from its files. -1 = errno says
 * why. */
int disk_open(const StoreDisk *disk, const char *path, int flags);
/* Sets some descriptors aside, or those again that were given up; once for each store that is open,
 * and again now and then. */
void disk_keep_reserve(void);
/* No store of this process is open any more. */
void disk_drop_reserve(void);
/* Writes all bytes, going on after short writes. False = errno says why. */
bool disk_write(const StoreDisk *disk, int file, const void *bytes, size_t count);
/* Makes the names in a folder safe. False = with a problem. */
bool disk_sync_folder(const StoreDisk *disk, const char *folder, MashText *problem);
/* Makes a folder, if it is not there, and its name safe: whoever made it may have been killed
 * before that. Only a parent that is not `ours` need not be readable, if the folder is there. False
 * = with a problem. */
bool disk_folder(const StoreDisk *disk, const char *folder, bool ours, MashText *problem);
/* Takes from everybody but its owner what they may do with a file or folder of the store. False =
 * it belongs to somebody else; errno says why. One that is not there is well. */
bool disk_tighten(const char *path);
/* Puts a file in place whole or not at all: writes it under `temporary`, syncs it, renames it to
 * `path`. The name is safe only after disk_sync_folder(). The file, open for appending, or -1 with
 * a problem. */
int disk_publish(const StoreDisk *disk, const char *temporary, const char *path, const void *bytes,
                 size_t count, MashText *problem);
/* Reads a whole regular file of at most `max` bytes into memory that the caller frees. NULL = with
 * a problem. An empty file gives memory as well. */
void *disk_read(const char *path, size_t max, size_t *count, MashText *problem);

#endif
