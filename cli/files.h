/* files.h -- whole files in and out. Writing is all or nothing: a temporary file beside the target,
 * renamed when complete. */
#ifndef CLI_FILES_H
#define CLI_FILES_H
#include <stdbool.h>
#include <stdint.h>

/* A file's bytes, a NUL behind them; allocated. */
typedef struct FileBytes {
    char *bytes;
    uint32_t count;
} FileBytes;

/* No file that is read is longer. */
enum { FILE_BYTES_MAX = 64 << 20 };

/* Reads a whole file. False: one sentence with the path and the reason was printed on stderr. */
bool files_read(const char *path, FileBytes *out);
/* The same with all of standard input, if the path is "-". */
bool files_read_or_input(const char *path, FileBytes *out);
/* Writes a whole file or nothing. False: a sentence was printed on stderr, and the target is as it
 * was. */
bool files_write(const char *path, const char *bytes, uint32_t count);
/* Is there such a file? */
bool files_exist(const char *path);
/* Makes a folder with all that lead to it, unless it is there. False: a sentence was printed on
 * stderr. */
bool files_make_folder(const char *path);
/* The name behind the last slash. */
const char *files_base_name(const char *path);

#endif
