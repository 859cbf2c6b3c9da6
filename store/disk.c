/* disk.c -- see disk.h. */
#define _POSIX_C_SOURCE 200809L
#include "store/disk.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* write() of the system. */
static ssize_t real_write(void *owner, int file, const void *bytes, size_t count) {
    (void)owner;
    return write(file, bytes, count);
}

/* fsync() of the system; without `whole` the data alone. */
static int real_sync(void *owner, int file, bool whole) {
    (void)owner;
    return whole ? fsync(file) : fdatasync(file);
}

/* rename() of the system. */
static int real_rename(void *owner, const char *from, const char *to) {
    (void)owner;
    return rename(from, to);
}

/* unlink() of the system. */
static int real_remove(void *owner, const char *path) {
    (void)owner;
    return unlink(path);
}

/* open() of the system. */
static int real_open(void *owner, const char *path, int flags, mode_t mode) {
    (void)owner;
    return open(path, flags, mode);
}

/* The size of the file system of a folder, and its free space. */
static int real_space(void *owner, const char *folder, uint64_t *free, uint64_t *all) {
    struct statvfs found;
    (void)owner;
    if (statvfs(folder, &found) != 0)
        return -1;
    *free = (uint64_t)found.f_bavail * found.f_frsize;
    *all = (uint64_t)found.f_blocks * found.f_frsize;
    return 0;
}

const StoreDisk disk_real = {real_write, real_sync,  real_rename, real_remove,
                             real_open,  real_space, NULL};

/* --- Descriptors ------------------------------------------------------------------------------ */

/* Descriptors reserved for all stores of the process: 0 = none at this index. */
enum { RESERVE = 4 };
static pthread_mutex_t reserve_lock = PTHREAD_MUTEX_INITIALIZER;
static int reserve[RESERVE];

void disk_keep_reserve(void) {
    pthread_mutex_lock(&reserve_lock);
    for (int i = 0; i < RESERVE; i++) {
        int file = reserve[i] > 0 ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (file > 0)
            reserve[i] = file;
    }
    pthread_mutex_unlock(&reserve_lock);
}

/* Gives one back to the system. False = there is none. Under the lock. */
static bool give_one(void) {
    for (int i = 0; i < RESERVE; i++)
        if (reserve[i] > 0) {
            close(reserve[i]);
            reserve[i] = 0;
            return true;
        }
    return false;
}

void disk_drop_reserve(void) {
    pthread_mutex_lock(&reserve_lock);
    while (give_one())
        continue;
    pthread_mutex_unlock(&reserve_lock);
}

int disk_open(const StoreDisk *disk, const char *path, int flags) {
    int file = disk->open(disk->owner, path, flags, DISK_FILE_MODE);
    if (file >= 0 || (errno != EMFILE && errno != ENFILE))
        return file;
    pthread_mutex_lock(&reserve_lock);
    while (file < 0 && (errno == EMFILE || errno == ENFILE) && give_one())
        file = disk->open(disk->owner, path, flags, DISK_FILE_MODE);
    pthread_mutex_unlock(&reserve_lock);
    return file;
}

/* --- Files ------------------------------------------------------------------------------------ */

bool disk_problem(MashText *problem, const char *what, const char *path) {
    char reason[128];
    if (strerror_r(errno, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", errno);
    text_format(problem, "cannot %s %s: %s", what, path, reason);
    return false;
}

bool disk_path(char out[DISK_PATH_BYTES], const char *folder, const char *name, MashText *problem) {
    int length = snprintf(out, DISK_PATH_BYTES, "%s/%s", folder, name);
    if (length >= 0 && length < DISK_PATH_BYTES)
        return true;
    text_format(problem, "the path is longer than %d bytes: %s/%s", DISK_PATH_BYTES - 1, folder,
                name);
    return false;
}

void disk_path_in_store(char out[DISK_PATH_BYTES], const char *folder, const char *name) {
    int length = snprintf(out, DISK_PATH_BYTES, "%s/%s", folder, name);
    assert(length > 0 && length < DISK_PATH_BYTES);
    (void)length;
}

bool disk_write(const StoreDisk *disk, int file, const void *bytes, size_t count) {
    const char *from = bytes;
    while (count > 0) {
        ssize_t written = disk->write(disk->owner, file, from, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written == 0 ? EIO : errno;
            return false;
        }
        from += written;
        count -= (size_t)written;
    }
    return true;
}

bool disk_sync_folder(const StoreDisk *disk, const char *folder, MashText *problem) {
    int file = disk_open(disk, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return disk_problem(problem, "open", folder);
    bool synced = disk->sync(disk->owner, file, true) == 0;
    if (!synced)
        disk_problem(problem, "sync", folder);
    close(file);
    return synced;
}

bool disk_folder(const StoreDisk *disk, const char *folder, bool ours, MashText *problem) {
    bool made = mkdir(folder, DISK_FOLDER_MODE) == 0;
    struct stat found;
    if (!made && (errno != EEXIST || stat(folder, &found) != 0 || !S_ISDIR(found.st_mode)))
        return disk_problem(problem, "make the folder", folder);
    char parent[DISK_PATH_BYTES];
    if (!disk_path(parent, folder, "..", problem))
        return false;
    if (!made && !ours && access(parent, R_OK) != 0)
        return true;
    return disk_sync_folder(disk, parent, problem);
}

bool disk_tighten(const char *path) {
    struct stat found;
    if (lstat(path, &found) != 0)
        return errno == ENOENT;
    if (S_ISLNK(found.st_mode) || (found.st_mode & 077) == 0)
        return true;
    return chmod(path, found.st_mode & 0700) == 0;
}

int disk_publish(const StoreDisk *disk, const char *temporary, const char *path, const void *bytes,
                 size_t count, MashText *problem) {
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW;
    int file = disk_open(disk, temporary, flags);
    if (file < 0) {
        disk_problem(problem, "create", temporary);
        return -1;
    }
    if (!disk_write(disk, file, bytes, count))
        disk_problem(problem, "write", temporary);
    else if (disk->sync(disk->owner, file, true) != 0)
        disk_problem(problem, "sync", temporary);
    else if (disk->rename(disk->owner, temporary, path) != 0)
        disk_problem(problem, "rename", temporary);
    else
        return file;
    close(file);
    return -1;
}

/* Reads exactly `count` bytes. False = errno says why. */
static bool read_all(int file, char *bytes, size_t count) {
    while (count > 0) {
        ssize_t got = read(file, bytes, count);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got == 0 ? EIO : errno;
            return false;
        }
        bytes += got;
        count -= (size_t)got;
    }
    return true;
}

void *disk_read(const char *path, size_t max, size_t *count, MashText *problem) {
    int file = disk_open(&disk_real, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        disk_problem(problem, "open", path);
        return NULL;
    }
    struct stat found;
    char *bytes = NULL;
    if (fstat(file, &found) != 0) {
        disk_problem(problem, "look at", path);
    } else if (!S_ISREG(found.st_mode)) {
        text_format(problem, "%s is not a file", path);
    } else if ((uint64_t)found.st_size > max) {
        text_format(problem, "%s is too long: ", path);
        text_int(problem, found.st_size);
        text_string(problem, " bytes");
    } else if ((bytes = malloc((size_t)found.st_size + 1)) == NULL) {
        text_format(problem, "out of memory reading %s", path);
    } else if (!read_all(file, bytes, (size_t)found.st_size)) {
        disk_problem(problem, "read", path);
        free(bytes);
        bytes = NULL;
    }
    *count = bytes == NULL ? 0 : (size_t)found.st_size;
    close(file);
    return bytes;
}
