/* sqlite_file.c -- see sqlite_file.h. */
#include "store/sqlite_file.h"

#include <stddef.h>

bool sqlite_file_open(sqlite3 **base, const char *path, bool writes, int wait_ms) {
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_READWRITE;
    if (writes)
        flags |= SQLITE_OPEN_CREATE;
    if (sqlite3_open_v2(path, base, flags, NULL) != SQLITE_OK)
        return false;
    sqlite3_busy_timeout(*base, wait_ms);
    sqlite3_db_config(*base, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*base, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    const char *settings =
        writes ? "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON"
               : "PRAGMA query_only = 1";
    return sqlite3_exec(*base, settings, NULL, NULL, NULL) == SQLITE_OK;
}

int sqlite_file_version(sqlite3 *base) {
    sqlite3_stmt *asked = NULL;
    int version = -1;
    if (sqlite3_prepare_v2(base, "PRAGMA user_version", -1, &asked, NULL) == SQLITE_OK &&
        sqlite3_step(asked) == SQLITE_ROW)
        version = sqlite3_column_int(asked, 0);
    sqlite3_finalize(asked);
    return version;
}

bool sqlite_file_upgrade(sqlite3 *base, const char *const *steps, int from, int to) {
    int code = sqlite3_exec(base, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (; code == SQLITE_OK && from < to; from++)
        code = sqlite3_exec(base, steps[from], NULL, NULL, NULL);
    return code == SQLITE_OK && sqlite3_exec(base, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}
