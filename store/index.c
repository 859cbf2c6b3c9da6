/* index.c -- see index.h.
 *
 * Ids are stored as SQLite's signed 64-bit numbers, bit for bit. The player's table repeats game
 * and end of the match and whether a list shows it for this player, so that for every filter there
 * is one index of exactly what it asks for, in order: the cost of a page depends only on its
 * length, however many matches there are. */
#define _POSIX_C_SOURCE 200809L
#include "store/index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "store/backend.h"
#include "store/deadline.h"
#include "store/sqlite_file.h"

/* A reader checks the clock after this many steps of SQLite. */
enum { BUSY_MS = 500, STEPS = 1000 };

/* Statements that are kept prepared; those from ADD on only on the writing connection. */
enum { FIND, PLAYERS, ADD, ADD_PLAYER, STATEMENTS };
static const char *const statements[STATEMENTS] = {
    [FIND] = "SELECT started_ms FROM matches WHERE id = ?1",
    [PLAYERS] = "SELECT name, role FROM players WHERE match = ?1 ORDER BY seat",
    [ADD] = "INSERT OR IGNORE INTO matches(id, game, started_ms, ended_ms, winner, reason, actions,"
            " private, file, bytes) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    [ADD_PLAYER] = "INSERT OR IGNORE INTO players(match, seat, name, role, ended_ms, game, shown)"
                   " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)"};

/* A connection to the index, and its statements. */
struct Index {
    sqlite3 *base;
    sqlite3_stmt *statements[STATEMENTS];
    struct timespec until; /* lists take no longer; 0 = no limit */
};

/* Migrations from each version to the next; the first one makes an empty file version 1. `shown`:
 * the match is public, and the player has no earlier seat in it. */
static const char *const upgrades[] = {
    "CREATE TABLE matches("
    " id INTEGER PRIMARY KEY, game TEXT NOT NULL, started_ms INTEGER NOT NULL,"
    " ended_ms INTEGER NOT NULL, winner INTEGER, reason TEXT NOT NULL, actions INTEGER NOT NULL,"
    " private INTEGER NOT NULL, file TEXT NOT NULL);"
    "CREATE INDEX matches_by_end ON matches(ended_ms, id);"
    "CREATE INDEX matches_by_game ON matches(game, ended_ms, id);"
    "CREATE TABLE players("
    " match INTEGER NOT NULL, seat INTEGER NOT NULL, name TEXT NOT NULL COLLATE NOCASE,"
    " role TEXT NOT NULL, ended_ms INTEGER NOT NULL, PRIMARY KEY(match, seat)) WITHOUT ROWID;"
    "CREATE INDEX players_by_name ON players(name, ended_ms, match);"
    "PRAGMA user_version = 1;",
    "ALTER TABLE matches ADD COLUMN bytes INTEGER NOT NULL DEFAULT -1;" /* -1: not known yet */
    "ALTER TABLE players ADD COLUMN game TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE players ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;"
    "UPDATE players SET game = m.game, shown = m.private = 0 AND NOT EXISTS(SELECT 1 FROM players"
    " q WHERE q.match = players.match AND q.name = players.name AND q.seat < players.seat)"
    " FROM matches m WHERE m.id = players.match;"
    "DROP INDEX matches_by_game;"
    "DROP INDEX players_by_name;"
    "CREATE INDEX public_by_end ON matches(ended_ms, id) WHERE private = 0;"
    "CREATE INDEX public_by_game ON matches(game, ended_ms, id) WHERE private = 0;"
    "CREATE INDEX unmeasured ON matches(id) WHERE bytes < 0;"
    "CREATE INDEX shown_by_name ON players(name, ended_ms, match) WHERE shown = 1;"
    "CREATE INDEX shown_by_game ON players(name, game, ended_ms, match) WHERE shown = 1;"
    "PRAGMA user_version = 2;"};
enum { VERSION = sizeof upgrades / sizeof *upgrades };

/* Writes SQLite's error message. Always false. */
static bool problem_of(const Index *index, const char *what, MashText *problem) {
    text_format(problem, "cannot %s the index: %s", what, sqlite3_errmsg(index->base));
    return false;
}

/* Converts the last code of a statement or a failed transaction: busy is not a failure. */
static ArchiveAnswer answer_of(int code) {
    int primary = code & 0xff;
    if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED || primary == SQLITE_INTERRUPT)
        return ARCHIVE_BUSY;
    return code == SQLITE_DONE ? ARCHIVE_OK : ARCHIVE_FAILED;
}

/* --- Opening --------------------------------------------------------------------------------- */

/* Progress handler of SQLite: is it too late to continue? */
static int is_late(void *owner) {
    const Index *index = owner;
    struct timespec now;
    if (index->until.tv_sec == 0)
        return 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return !deadline_before(now, index->until);
}

/* Brings a writer's file up to date; a reader looks at the clock. False: with a problem. */
static bool arrange(Index *index, bool writes, MashText *problem) {
    if (!writes) {
        sqlite3_progress_handler(index->base, STEPS, is_late, index);
        return true;
    }
    int version = sqlite_file_version(index->base);
    if (version < 0)
        return problem_of(index, "read", problem);
    if (version < VERSION && !sqlite_file_upgrade(index->base, upgrades, version, VERSION))
        return problem_of(index, "make", problem);
    if (version > VERSION)
        text_format(problem, "unsupported index version %d (expected %d)", version, VERSION);
    return version <= VERSION;
}

/* Prepares the statements, those that add only for a writer. False: with a problem. */
static bool prepare_all(Index *index, bool writes, MashText *problem) {
    for (int i = 0; i < (writes ? STATEMENTS : ADD); i++)
        if (sqlite3_prepare_v3(index->base, statements[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &index->statements[i], NULL) != SQLITE_OK)
            return problem_of(index, "read", problem);
    return true;
}

Index *index_open(const char *path, bool writes, MashText *problem) {
    Index *index = calloc(1, sizeof *index);
    if (index == NULL) {
        text_string(problem, "out of memory for the index");
        return NULL;
    }
    if (!sqlite_file_open(&index->base, path, writes, BUSY_MS)) {
        text_format(problem, "cannot open %s: %s", path, sqlite3_errmsg(index->base));
    } else if (!arrange(index, writes, problem) || !prepare_all(index, writes, problem)) {
        text_format(problem, " (%s)", path);
    } else {
        return index;
    }
    index_close(index);
    return NULL;
}

void index_close(Index *index) {
    if (index == NULL)
        return;
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(index->statements[i]);
    sqlite3_close(index->base);
    free(index);
}

/* --- Asking and adding ----------------------------------------------------------------------- */

ArchiveAnswer index_find(Index *index, uint64_t match, bool *known, uint64_t *started_ms,
                         MashText *problem) {
    sqlite3_bind_int64(index->statements[FIND], 1, (sqlite3_int64)match);
    int code = sqlite3_step(index->statements[FIND]);
    *known = code == SQLITE_ROW;
    if (*known)
        *started_ms = (uint64_t)sqlite3_column_int64(index->statements[FIND], 0);
    else if (code != SQLITE_DONE)
        problem_of(index, "read", problem);
    sqlite3_reset(index->statements[FIND]);
    return *known ? ARCHIVE_OK : answer_of(code);
}

/* Binds a text that stays until the statement has run. */
static void bind_text(sqlite3_stmt *statement, int at, const char *text) {
    sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

/* Runs a statement to its end; SQLite's code. */
static int run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Has the player of this seat an earlier seat as well? Compares names as the index does. */
static bool sits_before(const StoreEntry *entry, uint32_t seat) {
    for (uint32_t i = 0; i < seat; i++)
        if (sqlite3_stricmp(entry->players[i].name, entry->players[seat].name) == 0)
            return true;
    return false;
}

/* Adds one entry inside a transaction; SQLite's code. */
static int add(Index *index, const StoreEntry *entry) {
    sqlite3_stmt *row = index->statements[ADD];
    sqlite3_bind_int64(row, 1, (sqlite3_int64)entry->match);
    bind_text(row, 2, entry->game);
    sqlite3_bind_int64(row, 3, (sqlite3_int64)entry->started_ms);
    sqlite3_bind_int64(row, 4, (sqlite3_int64)entry->ended_ms);
    if (entry->winner != STORE_NOBODY)
        sqlite3_bind_int(row, 5, entry->winner);
    bind_text(row, 6, entry->reason);
    sqlite3_bind_int64(row, 7, entry->actions);
    sqlite3_bind_int(row, 8, entry->is_private);
    bind_text(row, 9, entry->file);
    sqlite3_bind_int64(row, 10, (sqlite3_int64)entry->bytes);
    int code = run(row);
    if (code != SQLITE_OK || sqlite3_changes(index->base) == 0)
        return code;
    row = index->statements[ADD_PLAYER];
    for (uint32_t seat = 0; seat < entry->players_count && code == SQLITE_OK; seat++) {
        sqlite3_bind_int64(row, 1, (sqlite3_int64)entry->match);
        sqlite3_bind_int64(row, 2, seat);
        bind_text(row, 3, entry->players[seat].name);
        bind_text(row, 4, entry->players[seat].role);
        sqlite3_bind_int64(row, 5, (sqlite3_int64)entry->ended_ms);
        bind_text(row, 6, entry->game);
        sqlite3_bind_int(row, 7, !entry->is_private && !sits_before(entry, seat));
        code = run(row);
    }
    return code;
}

/* Ends a transaction that was begun with this code so far: all or nothing. */
static ArchiveAnswer commit(Index *index, int code, MashText *problem) {
    if (code == SQLITE_OK)
        code = sqlite3_exec(index->base, "COMMIT", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        return ARCHIVE_OK;
    problem_of(index, "write", problem);
    sqlite3_exec(index->base, "ROLLBACK", NULL, NULL, NULL);
    return answer_of(code);
}

ArchiveAnswer index_add(Index *index, const StoreEntry *const *entries, size_t count,
                        MashText *problem) {
    int code = sqlite3_exec(index->base, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (size_t i = 0; i < count && code == SQLITE_OK; i++)
        code = add(index, entries[i]);
    return commit(index, code, problem);
}

/* --- Listing --------------------------------------------------------------------------------- */

/* The query for this filter. Only constant pieces; every value is a parameter. It names the index
 * to use, so that SQLite never chooses one that reads more than the answer. */
static void ask(const StoreFilter *filter, MashText *sql) {
    bool by_player = filter->player != NULL, by_game = filter->game != NULL;
    const char *end = by_player ? "p.ended_ms" : "m.ended_ms";
    const char *id = by_player ? "p.match" : "m.id";
    text_string(sql, "SELECT m.id, m.game, m.started_ms, m.ended_ms, m.winner, m.reason, m.actions,"
                     " m.private, m.bytes FROM ");
    if (by_player)
        text_format(sql,
                    "players p INDEXED BY shown_by_%s CROSS JOIN matches m ON m.id = p.match"
                    " WHERE p.shown = 1 AND p.name = ?4%s",
                    by_game ? "game" : "name", by_game ? " AND p.game = ?5" : "");
    else
        text_format(sql, "matches m INDEXED BY public_by_%s WHERE m.private = 0%s",
                    by_game ? "game" : "end", by_game ? " AND m.game = ?5" : "");
    text_format(sql, " AND (%s, %s) < (?1, ?2) AND %s >= ?3", end, id, end);
    text_format(sql, " ORDER BY %s DESC, %s DESC LIMIT ?6", end, id);
}

/* Binds the values of a filter; 0 or NULL is no bound. */
static void bind_filter(sqlite3_stmt *statement, const StoreFilter *filter, uint32_t max) {
    FilterBound bound = filter_bound(filter);
    sqlite3_bind_int64(statement, 1, bound.below_ms);
    sqlite3_bind_int64(statement, 2, bound.below_id);
    sqlite3_bind_int64(statement, 3, bound.from_ms);
    if (filter->player != NULL)
        bind_text(statement, 4, filter->player);
    if (filter->game != NULL)
        bind_text(statement, 5, filter->game);
    sqlite3_bind_int64(statement, 6, max);
}

/* Copies a column's text, truncated to the size of the destination. */
static void copy_text(sqlite3_stmt *statement, int column, char *out, size_t max) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    size_t length = text == NULL ? 0 : strlen((const char *)text);
    if (length >= max)
        length = max - 1;
    memcpy(out, text == NULL ? (const unsigned char *)"" : text, length);
    out[length] = '\0';
}

/* A row of `matches` as an entry, without its players. */
static void copy_entry(sqlite3_stmt *row, StoreEntry *entry) {
    *entry = (StoreEntry){.match = (uint64_t)sqlite3_column_int64(row, 0),
                          .started_ms = (uint64_t)sqlite3_column_int64(row, 2),
                          .ended_ms = (uint64_t)sqlite3_column_int64(row, 3),
                          .winner = STORE_NOBODY,
                          .actions = (uint32_t)sqlite3_column_int64(row, 6),
                          .is_private = sqlite3_column_int(row, 7) != 0};
    int64_t bytes = sqlite3_column_int64(row, 8);
    entry->bytes = bytes < 0 ? 0 : (uint64_t)bytes;
    copy_text(row, 1, entry->game, sizeof entry->game);
    copy_text(row, 5, entry->reason, sizeof entry->reason);
    if (sqlite3_column_type(row, 4) != SQLITE_NULL)
        entry->winner = sqlite3_column_int(row, 4);
}

/* SQLite's code. */
static int copy_players(Index *index, StoreEntry *entry) {
    sqlite3_bind_int64(index->statements[PLAYERS], 1, (sqlite3_int64)entry->match);
    int code = SQLITE_DONE;
    while (entry->players_count < STORE_PLAYERS_MAX &&
           (code = sqlite3_step(index->statements[PLAYERS])) == SQLITE_ROW) {
        StorePlayer *player = &entry->players[entry->players_count++];
        copy_text(index->statements[PLAYERS], 0, player->name, sizeof player->name);
        copy_text(index->statements[PLAYERS], 1, player->role, sizeof player->role);
    }
    sqlite3_reset(index->statements[PLAYERS]);
    return code == SQLITE_ROW ? SQLITE_DONE : code;
}

void index_until(Index *index, struct timespec until) { index->until = until; }

ArchiveAnswer index_list(Index *index, const StoreFilter *filter, StoreEntry *entries, uint32_t max,
                         uint32_t *count, MashText *problem) {
    char memory[1024];
    MashText sql = text_over(memory, sizeof memory);
    sqlite3_stmt *statement = NULL;
    ask(filter, &sql);
    assert(!sql.truncated);
    *count = 0;
    int code = sqlite3_prepare_v2(index->base, memory, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        bind_filter(statement, filter, max);
        code = SQLITE_DONE;
        while (*count < max && code == SQLITE_DONE &&
               (code = sqlite3_step(statement)) == SQLITE_ROW) {
            copy_entry(statement, &entries[*count]);
            code = copy_players(index, &entries[(*count)++]);
        }
    }
    if (code != SQLITE_DONE)
        problem_of(index, "read", problem);
    sqlite3_finalize(statement);
    return answer_of(code);
}

/* --- Pruning --------------------------------------------------------------------------------- */

/* Runs a statement whose columns are those of IndexOld. */
static ArchiveAnswer list_old(Index *index, const char *sql, IndexOld *list, size_t max,
                              size_t *count, MashText *problem) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(index->base, sql, -1, &statement, NULL);
    *count = 0;
    if (code == SQLITE_OK) {
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)max);
        while ((code = sqlite3_step(statement)) == SQLITE_ROW && *count < max)
            list[(*count)++] = (IndexOld){(uint64_t)sqlite3_column_int64(statement, 0),
                                          (uint64_t)sqlite3_column_int64(statement, 1),
                                          (uint64_t)sqlite3_column_int64(statement, 2),
                                          sqlite3_column_int64(statement, 3)};
    }
    if (code != SQLITE_DONE)
        problem_of(index, "read", problem);
    sqlite3_finalize(statement);
    return answer_of(code);
}

ArchiveAnswer index_old(Index *index, bool unmeasured, IndexOld *list, size_t max, size_t *count,
                        MashText *problem) {
    /* The only place that defines the order of pruning: matches that ended first. */
    static const char *const sql[] = {"SELECT id, started_ms, ended_ms, bytes FROM matches"
                                      " ORDER BY ended_ms, id LIMIT ?1",
                                      "SELECT id, started_ms, ended_ms, bytes FROM matches"
                                      " INDEXED BY unmeasured WHERE bytes < 0 LIMIT ?1"};
    return list_old(index, sql[unmeasured], list, max, count, problem);
}

/* Runs a statement for each of a list inside a transaction: ?1 is the match, ?2 the bytes. */
static ArchiveAnswer for_each(Index *index, const char *const sql[2], const IndexOld *list,
                              size_t count, MashText *problem) {
    int code = sqlite3_exec(index->base, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (size_t i = 0; i < 2 && sql[i] != NULL && code == SQLITE_OK; i++) {
        sqlite3_stmt *statement = NULL;
        code = sqlite3_prepare_v2(index->base, sql[i], -1, &statement, NULL);
        for (size_t j = 0; j < count && code == SQLITE_OK; j++) {
            sqlite3_bind_int64(statement, 1, (sqlite3_int64)list[j].match);
            if (sqlite3_bind_parameter_count(statement) > 1)
                sqlite3_bind_int64(statement, 2, list[j].bytes);
            code = run(statement);
        }
        sqlite3_finalize(statement);
    }
    return commit(index, code, problem);
}

ArchiveAnswer index_measure(Index *index, const IndexOld *list, size_t count, MashText *problem) {
    static const char *const sql[2] = {"UPDATE matches SET bytes = ?2 WHERE id = ?1"};
    return for_each(index, sql, list, count, problem);
}

ArchiveAnswer index_remove(Index *index, const IndexOld *list, size_t count, MashText *problem) {
    static const char *const sql[2] = {"DELETE FROM players WHERE match = ?1",
                                       "DELETE FROM matches WHERE id = ?1"};
    return for_each(index, sql, list, count, problem);
}

/* Runs a statement with the match, a number and the name of nobody; SQLite's code. */
static int change(Index *index, const char *sql, uint64_t match, int64_t number) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(index->base, sql, -1, &statement, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_int64(statement, 1, (sqlite3_int64)match);
        sqlite3_bind_int64(statement, 2, number);
        bind_text(statement, 3, STORE_ERASED_NAME);
        code = run(statement);
    }
    sqlite3_finalize(statement);
    return code;
}

ArchiveAnswer index_erase(Index *index, const StoreErasure *what, MashText *problem) {
    /* Of two seats with one name a list shows the match for the first that still has it. */
    static const char shown[] =
        "UPDATE players SET shown = name <> ?3 AND EXISTS(SELECT 1 FROM matches WHERE id = ?1 AND"
        " private = 0) AND NOT EXISTS(SELECT 1 FROM players q WHERE q.match = ?1 AND q.name ="
        " players.name AND q.seat < players.seat) WHERE match = ?1";
    int code = sqlite3_exec(index->base, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (uint32_t i = 0; i < what->seats_count && code == SQLITE_OK; i++)
        code = change(index, "UPDATE players SET name = ?3 WHERE match = ?1 AND seat = ?2",
                      what->match, what->seats[i]);
    if (code == SQLITE_OK)
        code = change(index, shown, what->match, 0);
    if (code == SQLITE_OK)
        code = change(index, "UPDATE matches SET bytes = ?2 WHERE id = ?1", what->match,
                      (int64_t)what->count);
    return commit(index, code, problem);
}

void index_wipe(Index *index) {
    sqlite3_wal_checkpoint_v2(index->base, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}

ArchiveAnswer index_total(Index *index, uint64_t *bytes, MashText *problem) {
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(index->base,
                                  "SELECT sum((bytes + ?1 - 1) / ?1) FROM matches WHERE bytes >= 0",
                                  -1, &statement, NULL);
    if (code == SQLITE_OK) {
        sqlite3_bind_int64(statement, 1, INDEX_BLOCK);
        code = sqlite3_step(statement);
    }
    if (code == SQLITE_ROW)
        *bytes = (uint64_t)sqlite3_column_int64(statement, 0) * INDEX_BLOCK;
    else
        problem_of(index, "read", problem);
    sqlite3_finalize(statement);
    return code == SQLITE_ROW ? ARCHIVE_OK : answer_of(code);
}

/* --- Copying --------------------------------------------------------------------------------- */

bool index_copy(const char *path, const char *to, MashText *problem) {
    sqlite3 *base = NULL;
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_open_v2(path, &base, SQLITE_OPEN_READWRITE, NULL);
    if (code == SQLITE_OK) {
        sqlite3_busy_timeout(base, BUSY_MS);
        code = sqlite3_prepare_v2(base, "VACUUM INTO ?1", -1, &statement, NULL);
    }
    if (code == SQLITE_OK) {
        bind_text(statement, 1, to);
        code = run(statement);
    }
    if (code != SQLITE_OK)
        text_format(problem, "cannot copy %s to %s: %s", path, to, sqlite3_errmsg(base));
    sqlite3_finalize(statement);
    sqlite3_close(base);
    return code == SQLITE_OK;
}
