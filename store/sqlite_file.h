/* sqlite_file.h -- what the SQLite files of the embedded store have in common: accounts, and the
 * index of the archive. */
#ifndef STORE_SQLITE_FILE_H
#define STORE_SQLITE_FILE_H
#include <stdbool.h>

#include <sqlite3.h>

/* Opens a connection for one thread: what is in the file is not trusted, a writer's commit is a
 * sync, and a reader changes nothing. Waits this long for others. False: *base says why, and is to
 * be closed as well. */
bool sqlite_file_open(sqlite3 **base, const char *path, bool writes, int wait_ms);

/* The version of the file's tables, 0 for an empty file; -1: it cannot be read. */
int sqlite_file_version(sqlite3 *base);

/* Runs the steps from the file's version on up to this one, all or none of them; the connection
 * says why not. */
bool sqlite_file_upgrade(sqlite3 *base, const char *const *steps, int from, int to);
#endif
