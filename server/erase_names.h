/* erase_names.h -- takes names out of a file of the archive: a match file (match/file.h), or that
 * of a tournament (contest_write_file()). */
#ifndef SERVER_ERASE_NAMES_H
#define SERVER_ERASE_NAMES_H
#include <stddef.h>
#include <stdint.h>

/* The file with STORE_ERASED_NAME in place of the names of these seats, or players of a tournament,
 * and otherwise the same bytes, in memory that the caller frees; its length in *out. NULL: no
 * memory. Names are looked for where such files have them, however long or damaged the file is. */
char *erase_names(const char *bytes, size_t count, const uint32_t *seats, uint32_t seats_count,
                  size_t *out);

#endif
