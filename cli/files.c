/* files.c -- see files.h. */
#define _XOPEN_SOURCE 700
#include "cli/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* Prints what failed with a file, and why. Always false. */
static bool complain(const char *path, const char *what, const char *why) {
    fprintf(stderr, "%s: %s: %s\n", path, what, why);
    return false;
}

/* The buffer grows while reading, so that pipes work too. */
static bool read_all(FILE *file, const char *path, FileBytes *out) {
    size_t room = 1 << 16, count = 0;
    char *bytes = malloc(room);
    while (bytes != NULL) {
        count += fread(bytes + count, 1, room - count - 1, file);
        if (count < room - 1 || room > FILE_BYTES_MAX)
            break;
        room *= 2;
        char *more = realloc(bytes, room);
        if (more == NULL)
            free(bytes);
        bytes = more;
    }
    if (bytes == NULL)
        return complain(path, "cannot be read", "out of memory");
    if (ferror(file) || count > FILE_BYTES_MAX) {
        const char *why = ferror(file) ? strerror(errno) : "more than 64 MiB";
        free(bytes);
        return complain(path, "cannot be read", why);
    }
    bytes[count] = '\0';
    *out = (FileBytes){.bytes = bytes, .count = (uint32_t)count};
    return true;
}

bool files_read(const char *path, FileBytes *out) {
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return complain(path, "cannot be opened", strerror(errno));
    bool fine = read_all(file, path, out);
    fclose(file);
    return fine;
}

bool files_read_or_input(const char *path, FileBytes *out) {
    return strcmp(path, "-") == 0 ? read_all(stdin, path, out) : files_read(path, out);
}

/* Writes and closes; 0, or errno. */
static int write_all(FILE *file, const char *bytes, uint32_t count) {
    int error = 0;
    if (fwrite(bytes, 1, count, file) != count || fflush(file) != 0)
        error = errno;
    else if (fsync(fileno(file)) != 0 && errno != EINVAL && errno != EROFS) /* pipes have none */
        error = errno;
    if (fclose(file) != 0 && error == 0)
        error = errno;
    return error;
}

/* An existing file keeps its permissions; a new file gets the default ones. */
static mode_t mode_for(const char *path) {
    struct stat old;
    if (stat(path, &old) == 0)
        return old.st_mode & 0777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* Not a regular file that a rename may replace: a terminal, a pipe, /dev/null. */
static bool is_special(const char *path) {
    struct stat old;
    return stat(path, &old) == 0 && !S_ISREG(old.st_mode);
}

/* Writes beside the target and renames; 0, or errno. */
static int replace(const char *path, const char *bytes, uint32_t count) {
    size_t letters = strlen(path) + sizeof ".XXXXXX";
    char *temporary = cli_memory(letters);
    snprintf(temporary, letters, "%s.XXXXXX", path);
    int handle = mkstemp(temporary);
    FILE *file = handle < 0 ? NULL : fdopen(handle, "wb");
    int error = file == NULL ? errno : 0;
    if (file != NULL) {
        int mode_error = fchmod(handle, mode_for(path)) != 0 ? errno : 0;
        error = write_all(file, bytes, count);
        error = error == 0 ? mode_error : error;
    }
    if (error == 0 && rename(temporary, path) != 0)
        error = errno;
    if (error != 0 && handle >= 0)
        unlink(temporary);
    free(temporary);
    return error;
}

bool files_write(const char *path, const char *bytes, uint32_t count) {
    int error;
    if (is_special(path)) {
        FILE *file = fopen(path, "wb");
        error = file == NULL ? errno : write_all(file, bytes, count);
    } else {
        /* A symbolic link stays; its target is replaced. */
        char *target = realpath(path, NULL);
        error = replace(target == NULL ? path : target, bytes, count);
        free(target);
    }
    return error == 0 || complain(path, "cannot be written", strerror(error));
}

bool files_make_folder(const char *path) {
    size_t letters = strlen(path) + 1;
    char *part = cli_memory(letters);
    int error = 0;
    for (size_t i = 1; i < letters && error == 0; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        snprintf(part, letters, "%.*s", (int)i, path);
        error = mkdir(part, 0777) == 0 || errno == EEXIST ? 0 : errno;
    }
    struct stat about;
    if (error == 0 && (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)))
        error = ENOTDIR;
    free(part);
    return error == 0 || complain(path, "cannot be made a folder", strerror(error));
}

bool files_exist(const char *path) { return access(path, F_OK) == 0; }

const char *files_base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}
