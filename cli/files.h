/* files.h -- reads and writes whole files. Writing is atomic: a temporary file beside the target,
 * renamed when complete. */
#ifndef CLI_FILES_H
#define CLI_FILES_H
#include <stdbool.h>
#include <stdint.h>

/* A file's bytes with a NUL after them; allocated. */
typedef struct FileBytes {
    char *bytes;
    uint32_t count;
} FileBytes;

/* The longest file that is read. */
enum { FILE_BYTES_MAX = 64 << 20 };

/* Reads a whole file. False: an error with the path and the reason was printed on stderr. */
bool files_read(const char *path, FileBytes *out);
/* The same from standard input if the path is "-". */
bool files_read_or_input(const char *path, FileBytes *out);
/* Writes a whole file or nothing. False: an error was printed on stderr, and the target is
 * unchanged. */
bool files_write(const char *path, const char *bytes, uint32_t count);
/* Is there such a file? */
bool files_exist(const char *path);
/* Creates a folder and its parents unless it exists. False: an error was printed on stderr. */
bool files_make_folder(const char *path);
/* The part of the path after the last slash. */
const char *files_base_name(const char *path);

#endif
