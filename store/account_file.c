/* account_file.c -- accounts on one machine: a SQLite file beside the archive's index, in WAL mode
 * with a sync at each commit. One connection writes, another reads, so that nobody who looks waits
 * for a disk. All SQL is here, and whatever comes from outside is a bound parameter. */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "store/account_backend.h"
#include "store/disk.h"
#include "store/lock.h"
#include "store/sqlite_file.h"

enum { BUSY_MS = 2000, STEPS_MAX = 18, COLUMNS_MAX = 20 };

/* --- Statements ------------------------------------------------------------------------------- */

/* When a match over days that rests is due: the first deadline of the seats that it waits for. */
#define WAKES                                                                                      \
    "CASE awaited WHEN 0 THEN 9000000000000000000 WHEN 1 THEN deadline0 WHEN 2 THEN deadline1 "    \
    "ELSE min(deadline0, deadline1) END"

/* The steps from each version of the file to the next; the first makes an empty one. Never change
 * one that was released. */
static const char *const upgrades[] = {
    "CREATE TABLE account(id INTEGER PRIMARY KEY, name BLOB NOT NULL, folded BLOB NOT NULL UNIQUE,"
    " program INTEGER NOT NULL, private INTEGER NOT NULL, made_ms INTEGER NOT NULL,"
    " renamed_ms INTEGER NOT NULL, password BLOB NOT NULL);"
    "CREATE TABLE account_key(hash BLOB PRIMARY KEY, account INTEGER NOT NULL, kind INTEGER NOT"
    " NULL, made_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX key_by_account ON account_key(account);"
    "CREATE TABLE rating(account INTEGER NOT NULL, game BLOB NOT NULL, pace INTEGER NOT NULL,"
    " program INTEGER NOT NULL, rating INTEGER NOT NULL, deviation INTEGER NOT NULL, volatility"
    " INTEGER NOT NULL, certain_ms INTEGER NOT NULL, rated_ms INTEGER NOT NULL, rated INTEGER NOT"
    " NULL, matches INTEGER NOT NULL, wins INTEGER NOT NULL, draws INTEGER NOT NULL, losses INTEGER"
    " NOT NULL, streak INTEGER NOT NULL, best INTEGER NOT NULL, PRIMARY KEY(account, game, pace))"
    " WITHOUT ROWID;"
    "CREATE INDEX rating_by_rank ON rating(game, pace, program, rating) WHERE certain_ms > 0;"
    "CREATE TABLE counted(match INTEGER PRIMARY KEY, rating0 INTEGER NOT NULL, change0 INTEGER NOT"
    " NULL, rating1 INTEGER NOT NULL, change1 INTEGER NOT NULL);"
    "CREATE TABLE played(account INTEGER NOT NULL, ended_ms INTEGER NOT NULL, match INTEGER NOT"
    " NULL, seat INTEGER NOT NULL, game BLOB NOT NULL, pace INTEGER NOT NULL, other INTEGER NOT"
    " NULL, other_name BLOB NOT NULL, result INTEGER NOT NULL, rated INTEGER NOT NULL, weight"
    " INTEGER NOT NULL, rating INTEGER NOT NULL, change INTEGER NOT NULL, PRIMARY KEY(account,"
    " ended_ms, match, seat)) WITHOUT ROWID;"
    "CREATE INDEX played_by_game ON played(account, game, ended_ms, match);"
    "CREATE INDEX played_by_other ON played(account, other, ended_ms) WHERE rated = 1;"
    "PRAGMA user_version = 1;",
    /* Version 2: matches over days, and vacations. A session of 0: the match rests. */
    "CREATE TABLE days(match INTEGER PRIMARY KEY, session INTEGER NOT NULL, generation INTEGER NOT"
    " NULL, game BLOB NOT NULL, days INTEGER NOT NULL, account0 INTEGER NOT NULL, account1 INTEGER"
    " NOT NULL, awaited INTEGER NOT NULL, began0 INTEGER NOT NULL, began1 INTEGER NOT NULL,"
    " deadline0 INTEGER NOT NULL, deadline1 INTEGER NOT NULL, records BLOB NOT NULL);"
    "CREATE INDEX days_by_deadline ON days(" WAKES ") WHERE session = 0;"
    "CREATE INDEX days_open ON days(session) WHERE session <> 0;"
    "CREATE INDEX days_by_first ON days(account0);"
    "CREATE INDEX days_by_second ON days(account1);"
    "CREATE TABLE vacation(account INTEGER PRIMARY KEY, until_ms INTEGER NOT NULL, year INTEGER NOT"
    " NULL, used INTEGER NOT NULL);"
    "PRAGMA user_version = 2;",
    /* Version 3: where players are told of their turns, whom they know, challenges, reports, and
     * the owners of programs. */
    "ALTER TABLE account ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX account_by_owner ON account(owner) WHERE owner <> 0;"
    "ALTER TABLE days ADD COLUMN told0 INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE days ADD COLUMN told1 INTEGER NOT NULL DEFAULT 0;"
    "CREATE TABLE notice(account INTEGER NOT NULL, kind INTEGER NOT NULL, target BLOB NOT NULL,"
    " keys BLOB NOT NULL, made_ms INTEGER NOT NULL, PRIMARY KEY(account, kind, target)) WITHOUT"
    " ROWID;"
    "CREATE TABLE relation(account INTEGER NOT NULL, other INTEGER NOT NULL, kind INTEGER NOT NULL,"
    " made_ms INTEGER NOT NULL, PRIMARY KEY(account, other, kind)) WITHOUT ROWID;"
    "CREATE INDEX relation_by_other ON relation(other);"
    "CREATE TABLE challenge(match INTEGER PRIMARY KEY, account INTEGER NOT NULL, other INTEGER NOT"
    " NULL, game BLOB NOT NULL, days INTEGER NOT NULL, rated INTEGER NOT NULL, made_ms INTEGER NOT"
    " NULL);"
    "CREATE INDEX challenge_by_account ON challenge(account);"
    "CREATE INDEX challenge_by_other ON challenge(other);"
    "CREATE TABLE report(id INTEGER PRIMARY KEY, match INTEGER NOT NULL, account INTEGER NOT NULL,"
    " reason BLOB NOT NULL, made_ms INTEGER NOT NULL, closed_ms INTEGER NOT NULL, note BLOB NOT"
    " NULL);"
    "CREATE INDEX report_by_time ON report(closed_ms > 0, made_ms);"
    "PRAGMA user_version = 3;",
    /* Version 4: leaderboards that cost the same however many ratings are too old for them. */
    "DROP INDEX rating_by_rank;"
    "CREATE INDEX rating_by_rank ON rating(game, pace, program, rating, certain_ms) WHERE"
    " certain_ms > 0;"
    "CREATE INDEX rating_by_certainty ON rating(game, pace, program, certain_ms, rating);"
    "PRAGMA user_version = 4;",
    /* Version 5: how the players of a match began. */
    ("ALTER TABLE played ADD COLUMN opening BLOB NOT NULL DEFAULT x'';"
     "PRAGMA user_version = 5;"),
    /* Version 6: matches to which a player did not come back. */
    ("CREATE TABLE left_match(account INTEGER NOT NULL, match INTEGER NOT NULL, left_ms INTEGER NOT"
     " NULL, PRIMARY KEY(account, match)) WITHOUT ROWID;"
     "PRAGMA user_version = 6;"),
    /* Version 7: accounts that are gone, with those that owned them; what has the name of an
     * account in the archive besides the matches in `played`; and where the name of one that is
     * gone is still to be taken out. */
    ("CREATE TABLE gone(owner INTEGER NOT NULL, account INTEGER NOT NULL, at_ms INTEGER NOT NULL,"
     " PRIMARY KEY(owner, account)) WITHOUT ROWID;"
     "CREATE INDEX gone_by_time ON gone(at_ms, account);"
     "CREATE TABLE named(account INTEGER NOT NULL, match INTEGER NOT NULL, seat INTEGER NOT NULL,"
     " PRIMARY KEY(account, match, seat)) WITHOUT ROWID;"
     "CREATE TABLE erased(match INTEGER NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY(match, seat))"
     " WITHOUT ROWID;"
     "PRAGMA user_version = 7;")};
enum { VERSION = sizeof upgrades / sizeof *upgrades, ERASING_VERSION = 7 };

#define PLAYED(condition)                                                                          \
    "SELECT p.match, p.ended_ms, p.game, p.pace, p.seat, p.result, p.rated, p.weight, p.rating, "  \
    "p.change, CASE p.other WHEN 0 THEN p.other_name ELSE coalesce(a.name, x'') END, "             \
    "a.id IS NOT NULL, p.opening FROM played p LEFT JOIN account a ON a.id = p.other WHERE "       \
    "p.account = ?1 "                                                                              \
    "AND (p.ended_ms, p.match) < (?3, ?4) AND p.rated >= ?2" condition                             \
    " ORDER BY p.ended_ms DESC, p.match DESC LIMIT ?5"
/* The ratings that are certain, of a game and a pace; are there only some hundreds of them? Then
 * they are looked at one by one, otherwise all are from the best one down, which finds enough soon.
 * Both by an index alone; only what is in the answer is read from the table. */
#define CERTAIN "k.game = ?1 AND k.pace = ?2 AND k.program = ?3 AND k.certain_ms > ?4"
#define IF_FEW(then, otherwise)                                                                    \
    "CASE WHEN (SELECT count(*) FROM (SELECT 1 FROM rating k INDEXED BY rating_by_certainty "      \
    "WHERE " CERTAIN " LIMIT 600)) < 600 THEN " then " ELSE " otherwise " END"
#define LEADERS(index, also, limit)                                                                \
    "SELECT * FROM (SELECT " RATING_COLUMNS ", a.name FROM rating k INDEXED BY " index             \
    " CROSS JOIN account a ON a.id = k.account CROSS JOIN rating r ON r.account = k.account AND "  \
    "r.game = k.game AND r.pace = k.pace WHERE " also CERTAIN                                      \
    " AND a.private = 0 ORDER BY k.rating DESC LIMIT " limit ")"
/* The rating of a seat after a match: parameters account, program, result, rating, deviation,
 * volatility, certain_ms. */
#define COUNT_RATING(account, program, result, rating, deviation, volatility, certain)             \
    "INSERT INTO rating(account, game, pace, program, rating, deviation, volatility, certain_ms, " \
    "rated_ms, rated, matches, wins, draws, losses, streak, best) SELECT " account                 \
    ", ?3, ?4, " program ", " rating ", " deviation ", " volatility ", " certain                   \
    ", ?5 * ?2, ?5, 1, " result " = 2, " result " = 1, " result " = 0, " result " - 1, " result    \
    " = 2 WHERE EXISTS(SELECT 1 FROM account WHERE id = " account                                  \
    ") ON CONFLICT(account, game, pace) DO UPDATE SET rating = excluded.rating, deviation = "      \
    "excluded.deviation, volatility = excluded.volatility, certain_ms = excluded.certain_ms, "     \
    "rated_ms = max(rated_ms, excluded.rated_ms), rated = rated + excluded.rated, matches = "      \
    "matches + 1, wins = wins + excluded.wins, draws = draws + excluded.draws, losses = losses + " \
    "excluded.losses, streak = CASE excluded.streak WHEN 1 THEN max(streak, 0) + 1 WHEN -1 THEN "  \
    "min(streak, 0) - 1 ELSE 0 END, best = max(best, excluded.wins * (max(streak, 0) + 1))"
/* The match in the history of a seat: parameters seat, account, result, rating, change, opening,
 * and of the other seat account and name. */
#define COUNT_PLAYED(seat, account, result, rating, change, opening, other, name)                  \
    "INSERT INTO played(account, ended_ms, match, seat, game, pace, other, other_name, result, "   \
    "rated, weight, rating, change, opening) SELECT " account ", ?2, ?1, " seat ", ?3, ?4, " other \
    ", " name ", " result ", ?5, ?6, " rating ", " change ", " opening                             \
    " WHERE EXISTS(SELECT 1 FROM account WHERE id = " account ")"
#define EXPECTED(account, expected)                                                                \
    "(" account " = 0 OR coalesce((SELECT matches FROM rating WHERE account = " account            \
    " AND game = ?3 AND pace = ?4), 0) = " expected ")"

/* Does a seat's account exist, or has it none? */
#define EXISTS(account) "(" account " = 0 OR EXISTS(SELECT 1 FROM account WHERE id = " account "))"

#define DAYS_COLUMNS                                                                               \
    "match, session, generation, game, days, account0, account1, awaited, began0, began1, "        \
    "deadline0, deadline1"
/* The deadline of a seat: that of the same turn stays, that of a new one begins with it, or with
 * the end of its player's vacation. */
#define DEADLINE(seat, account, began)                                                             \
    "deadline" seat " = CASE WHEN began" seat " = " began " THEN deadline" seat " ELSE " began     \
    " + ?5 * 86400000 + max(0, coalesce((SELECT until_ms FROM vacation WHERE account = " account   \
    "), 0) - " began ") END"
/* Moves the deadline of a seat that is awaited. */
#define MOVE(seat, bit, by)                                                                        \
    "UPDATE days SET deadline" seat " = deadline" seat by " WHERE account" seat                    \
    " = ?1 AND awaited & " bit " AND deadline" seat " > ?2"
#define TURNS(seat, other, awaited)                                                                \
    "SELECT d.match, d.game, d.days, " seat ", " awaited ", d.deadline" seat                       \
    ", coalesce(a.name, x'') FROM days d LEFT JOIN account a ON a.id = d.account" other            \
    " WHERE d.account" seat " = ?1"
#define VACATION_ROW "SELECT until_ms, year, used FROM vacation WHERE account = ?1"
/* Who is gone with an account: itself and its programs. */
#define GONE "(SELECT account FROM gone WHERE owner = ?1)"
#define ERASED(table)                                                                              \
    "INSERT OR IGNORE INTO erased SELECT match, seat FROM " table " WHERE account IN " GONE

/* The steps of each statement, in one transaction. Behind a step that begins with '!' and changes
 * nothing, only those that begin with SELECT are run. */
static const char *const statements[ACCOUNT_STATEMENTS][STEPS_MAX] = {
    [ACCOUNT_MAKE] = {"!INSERT INTO account(id, name, folded, program, private, made_ms, "
                      "renamed_ms, password) SELECT ?1, ?2, ?3, ?4, 0, ?5, 0, x'' WHERE NOT "
                      "EXISTS(SELECT 1 FROM account WHERE folded = ?3 OR id = ?1) AND NOT "
                      "EXISTS(SELECT 1 FROM account_key WHERE hash = ?6)",
                      "INSERT INTO account_key(hash, account, kind, made_ms, expires_ms) "
                      "VALUES(?6, ?1, 0, ?5, 0)",
                      "SELECT 1 FROM account a JOIN account_key k ON k.account = a.id WHERE a.id "
                      "= ?1 AND a.folded = ?3 AND k.hash = ?6"},
    [ACCOUNT_BY_ID] = {"SELECT " ACCOUNT_COLUMNS " FROM account a WHERE a.id = ?1"},
    [ACCOUNT_BY_NAME] = {"SELECT " ACCOUNT_COLUMNS " FROM account a WHERE a.folded = ?1"},
    [ACCOUNT_BY_KEY] = {"SELECT " ACCOUNT_COLUMNS ", k.kind FROM account_key k JOIN account a ON "
                        "a.id = k.account WHERE k.hash = ?1 AND (k.expires_ms = 0 OR "
                        "k.expires_ms > ?2)"},
    [ACCOUNT_CHANGE] = {"UPDATE account SET name = ?2, folded = ?3, private = ?4, renamed_ms = ?5,"
                        " password = ?6 WHERE id = ?1 AND name = ?7 AND private = ?8 AND "
                        "renamed_ms = ?9 AND password = ?10 AND NOT EXISTS(SELECT 1 FROM account "
                        "WHERE folded = ?3 AND id <> ?1)",
                        "SELECT CASE WHEN name = ?7 AND private = ?8 AND renamed_ms = ?9 AND "
                        "password = ?10 AND EXISTS(SELECT 1 FROM account WHERE folded = ?3 AND id "
                        "<> ?1) THEN 2 ELSE name = ?2 AND private = ?4 AND renamed_ms = ?5 AND "
                        "password = ?6 END FROM account WHERE id = ?1"},
    [ACCOUNT_DELETE] =
        {"DELETE FROM gone WHERE at_ms < ?3",
         "INSERT OR IGNORE INTO gone SELECT ?1, id, ?2 FROM account WHERE id = ?1 OR (owner = ?1 "
         "AND owner <> 0)",
         ERASED("played"), ERASED("named"), "DELETE FROM named WHERE account IN " GONE,
         "DELETE FROM account_key WHERE account IN " GONE,
         "DELETE FROM rating WHERE account IN " GONE, "DELETE FROM played WHERE account IN " GONE,
         "DELETE FROM left_match WHERE account IN " GONE,
         "DELETE FROM vacation WHERE account IN " GONE, "DELETE FROM notice WHERE account IN " GONE,
         "DELETE FROM relation WHERE account IN " GONE " OR other IN " GONE,
         "DELETE FROM challenge WHERE account IN " GONE " OR other IN " GONE,
         "DELETE FROM account WHERE id IN " GONE, "SELECT account FROM gone WHERE owner = ?1"},
    [ACCOUNT_KEY_ADD] = {"DELETE FROM account_key WHERE account = ?1 AND kind = ?3 AND kind <> 0 "
                         "AND hash <> ?2",
                         "INSERT OR IGNORE INTO account_key(hash, account, kind, made_ms, "
                         "expires_ms) SELECT ?2, ?1, ?3, ?4, ?5 WHERE (SELECT count(*) FROM "
                         "account_key WHERE account = ?1) < 100 AND EXISTS(SELECT 1 FROM account "
                         "WHERE id = ?1)",
                         "SELECT account FROM account_key WHERE hash = ?2"},
    [ACCOUNT_KEY_SWAP] = {"INSERT OR IGNORE INTO account_key(hash, account, kind, made_ms, "
                          "expires_ms) SELECT ?2, account, 0, ?3, 0 FROM account_key k WHERE hash "
                          "= ?1 AND kind <> 0 AND (expires_ms = 0 OR expires_ms > ?3) AND (SELECT "
                          "count(*) FROM account_key WHERE account = k.account) < 100",
                          "UPDATE account_key SET expires_ms = 1 WHERE hash = ?1 AND kind = 1 AND "
                          "expires_ms > ?3",
                          "SELECT 1 FROM account_key d JOIN account_key c ON c.account = d.account "
                          "WHERE d.hash = ?2 AND c.hash = ?1 AND d.made_ms = ?3 AND c.kind <> 0"},
    [ACCOUNT_KEYS] = {"SELECT hash, kind, made_ms, expires_ms FROM account_key WHERE account = ?1 "
                      "ORDER BY made_ms LIMIT 100"},
    [ACCOUNT_KEY_DROP] = {"DELETE FROM account_key WHERE account = ?1 AND hash = ?2"},
    [ACCOUNT_KEY_ONLY] = {"DELETE FROM account_key WHERE account = ?1 AND hash <> ?2 AND kind <> "
                          "2"},
    [ACCOUNT_RATINGS] = {"SELECT " RATING_COLUMNS " FROM rating r WHERE r.account = ?1 LIMIT 64"},
    [ACCOUNT_MET] = {"SELECT count(*) FROM played INDEXED BY played_by_other WHERE account = ?1 "
                     "AND other = ?2 AND ended_ms >= ?4 AND rated = 1 AND game = ?3"},
    [ACCOUNT_LEADERS] = {LEADERS("rating_by_certainty", "",
                                 IF_FEW("?5", "0")) " UNION ALL " LEADERS("rating_by_rank",
                                                                          "k.certain_ms > 0 AND ",
                                                                          IF_FEW("0", "?5"))},
    [ACCOUNT_COUNT_MATCH] =
        {"!INSERT INTO counted(match, rating0, change0, rating1, change1) SELECT ?1, ?11, ?15, "
         "?21, ?25 WHERE NOT EXISTS(SELECT 1 FROM counted WHERE match = ?1) AND " EXPECTED(
             "?7", "?16") " AND " EXPECTED("?17", "?26"),
         COUNT_RATING("?7", "?8", "?10", "?11", "?12", "?13", "?14"),
         COUNT_RATING("?17", "?18", "?20", "?21", "?22", "?23", "?24"),
         COUNT_PLAYED("0", "?7", "?10", "?11", "?15", "?27", "?17", "?19"),
         COUNT_PLAYED("1", "?17", "?20", "?21", "?25", "?28", "?7", "?9"),
         "SELECT 0, rating0, change0, " EXISTS("?7") " FROM counted WHERE match = ?1 UNION ALL "
                                                     "SELECT 1, rating1, change1, " EXISTS(
                                                         "?17") " FROM counted WHERE match = ?1"},
    [ACCOUNT_PLAYED] = {PLAYED("")},
    [ACCOUNT_PLAYED_GAME] = {PLAYED(" AND p.game = ?6 AND (?7 < 0 OR p.pace = ?7)")},
    [ACCOUNT_OPENINGS] = {"SELECT opening, sum(result = 2), sum(result = 1), sum(result = 0) FROM "
                          "(SELECT opening, result FROM played WHERE account = ?1 AND game = ?2 "
                          "AND opening <> x'' ORDER BY ended_ms DESC, match DESC LIMIT 1000) GROUP "
                          "BY opening ORDER BY count(*) DESC, opening LIMIT ?3"},
    [ACCOUNT_TOTAL] = {"SELECT count(*) FROM account"},
    [LEFT_PUT] = {"DELETE FROM left_match WHERE account = ?1 AND left_ms < ?4",
                  "INSERT OR IGNORE INTO left_match SELECT ?1, ?2, ?3 WHERE EXISTS(SELECT 1 FROM "
                  "account WHERE id = ?1)"},
    [LEFT_COUNT] = {"SELECT (SELECT count(*) FROM left_match WHERE account = ?1 AND left_ms >= ?2),"
                    " (SELECT count(*) FROM (SELECT 1 FROM played WHERE account = ?1 AND ended_ms "
                    ">= ?2 LIMIT 1000))"},
    [DAYS_PUT] = {"INSERT OR IGNORE INTO days(" DAYS_COLUMNS ", records) SELECT ?1, ?2, 0, ?4, ?5, "
                  "?6, ?7, 0, -1, -1, 0, 0, x'' WHERE ?3 = 0",
                  "UPDATE days SET awaited = ?8, " DEADLINE("0", "?6", "?9") ", " DEADLINE(
                      "1", "?7", "?10") ", began0 = ?9, began1 = ?10 WHERE match = ?1 AND session "
                                        "= ?2",
                  "SELECT " DAYS_COLUMNS " FROM days WHERE match = ?1"},
    [DAYS_PARK] = {"UPDATE days SET session = 0, records = ?3 WHERE match = ?1 AND session = ?2",
                   "SELECT session FROM days WHERE match = ?1"},
    [DAYS_TAKE] = {"UPDATE days SET session = ?2, generation = generation + 1 WHERE match = ?1 AND "
                   "session = 0",
                   "SELECT " DAYS_COLUMNS ", records FROM days WHERE match = ?1"},
    [DAYS_DROP] = {"DELETE FROM days WHERE match = ?1 AND session = ?2"},
    [DAYS_DUE] = {"SELECT match FROM days WHERE session = 0 AND " WAKES " <= ?1 ORDER BY " WAKES
                  " LIMIT ?2"},
    [DAYS_ADRIFT] = {"SELECT " DAYS_COLUMNS ", length(records) FROM days WHERE session <> 0 LIMIT "
                     "?1"},
    [DAYS_FREE] = {"UPDATE days SET session = 0 WHERE match = ?1 AND session = ?2"},
    [DAYS_LIST] = {TURNS("0", "1", "d.awaited & 1") " UNION ALL " TURNS(
        "1", "0", "d.awaited >> 1 & 1") " ORDER BY 5 DESC, 6, 1 LIMIT ?2"},
    [DAYS_COUNT] = {"SELECT CASE ?1 WHEN 0 THEN (SELECT count(*) FROM days) ELSE (SELECT count(*) "
                    "FROM days WHERE account0 = ?1) + (SELECT count(*) FROM days WHERE account1 = "
                    "?1) END"},
    [VACATION] = {VACATION_ROW},
    [VACATION_SET] = {"INSERT OR IGNORE INTO vacation VALUES(?1, 0, ?4, 0)",
                      "!UPDATE vacation SET until_ms = ?2 + ?3 * 86400000, used = CASE year WHEN "
                      "?4 THEN used ELSE 0 END + ?3, year = ?4 WHERE account = ?1 AND until_ms <= "
                      "?2 AND CASE year WHEN ?4 THEN used ELSE 0 END + ?3 <= 30",
                      MOVE("0", "1", " + ?3 * 86400000"), MOVE("1", "2", " + ?3 * 86400000"),
                      VACATION_ROW},
    [VACATION_END] = {"!UPDATE vacation SET used = max(0, used - (until_ms - ?2) / 86400000) WHERE "
                      "account = ?1 AND until_ms > ?2",
                      MOVE("0", "1", " - (SELECT until_ms - ?2 FROM vacation WHERE account = ?1)"),
                      MOVE("1", "2", " - (SELECT until_ms - ?2 FROM vacation WHERE account = ?1)"),
                      "UPDATE vacation SET until_ms = ?2 WHERE account = ?1", VACATION_ROW},
    [NOTICE_SET] = {"DELETE FROM notice WHERE account = ?1 AND kind = ?2 AND (?2 = 0 OR target = "
                    "?3)",
                    "INSERT INTO notice SELECT ?1, ?2, ?3, ?4, ?5 WHERE (SELECT count(*) FROM "
                    "notice WHERE account = ?1 AND kind = ?2) < 5 AND EXISTS(SELECT 1 FROM account "
                    "WHERE id = ?1)",
                    "SELECT 1 FROM notice WHERE account = ?1 AND kind = ?2 AND target = ?3"},
    [NOTICE_DROP] = {"DELETE FROM notice WHERE account = ?1 AND kind = ?2 AND (target = ?3 OR "
                     "length(?3) = 0)"},
    [NOTICE_LIST] = {"SELECT kind, target, keys FROM notice WHERE account = ?1 LIMIT 8"},
    [NOTICE_CLAIM] = {"UPDATE days SET told0 = CASE ?2 WHEN 0 THEN began0 ELSE told0 END, told1 = "
                      "CASE ?2 WHEN 0 THEN told1 ELSE began1 END WHERE match = ?1 AND CASE ?2 WHEN "
                      "0 THEN awaited & 1 AND told0 <> began0 ELSE awaited & 2 AND told1 <> began1 "
                      "END",
                      "SELECT CASE WHEN changes() > 0 THEN 1 ELSE coalesce((SELECT CASE ?2 WHEN 0 "
                      "THEN awaited & 1 ELSE awaited >> 1 & 1 END * 2 FROM days WHERE match = ?1), "
                      "0) END"},
    [RELATION_SET] = {"DELETE FROM relation WHERE account = ?1 AND other = ?2 AND kind = ?3 AND ?4 "
                      "= 0",
                      "INSERT OR IGNORE INTO relation SELECT ?1, ?2, ?3, ?5 WHERE ?4 <> 0 AND ?1 "
                      "<> ?2 AND (SELECT count(*) FROM relation WHERE account = ?1) < 200 AND "
                      "EXISTS(SELECT 1 FROM account WHERE id = ?1)",
                      "SELECT 1 FROM relation WHERE account = ?1 AND other = ?2 AND kind = ?3"},
    [RELATION_LIST] = {"SELECT r.kind, r.other, a.name FROM relation r JOIN account a ON a.id = "
                       "r.other WHERE r.account = ?1 ORDER BY r.made_ms LIMIT 200"},
    [RELATION_BLOCK] = {"SELECT 1 FROM relation WHERE kind = 1 AND ((account = ?1 AND other = ?2) "
                        "OR (account = ?2 AND other = ?1)) LIMIT 1"},
    [CHALLENGE_PUT] = {"INSERT OR REPLACE INTO challenge SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE "
                       "(SELECT count(*) FROM challenge WHERE account = ?2 AND match <> ?1) < 20 "
                       "AND (SELECT count(*) FROM challenge WHERE other = ?3 AND match <> ?1) < "
                       "100",
                       "SELECT 1 FROM challenge WHERE match = ?1"},
    [CHALLENGE_DROP] = {"DELETE FROM challenge WHERE match = ?1"},
    [CHALLENGE_LIST] = {"SELECT c.match, c.game, c.days, c.rated, c.other = ?1, a.name FROM "
                        "challenge c JOIN account a ON a.id = CASE c.other WHEN ?1 THEN c.account "
                        "ELSE c.other END WHERE (c.other = ?1 OR c.account = ?1) AND c.made_ms > "
                        "?2 ORDER BY c.made_ms DESC LIMIT 100"},
    [REPORT_MAKE] = {"INSERT OR IGNORE INTO report SELECT ?1, ?2, ?3, ?4, ?5, 0, x'' WHERE (SELECT "
                     "count(*) FROM report WHERE (closed_ms > 0) = 0) < 10000",
                     "SELECT 1 FROM report WHERE id = ?1"},
    [REPORT_LIST] = {"SELECT r.id, r.match, coalesce(a.name, x''), r.reason, r.made_ms, r.note "
                     "FROM report r LEFT JOIN account a ON a.id = r.account WHERE (r.closed_ms > "
                     "0) = ?1 ORDER BY r.made_ms DESC LIMIT 200"},
    [REPORT_OF] = {"SELECT id, match, x'', reason, made_ms, note FROM report WHERE account = ?1 "
                   "ORDER BY made_ms DESC LIMIT 200"},
    [REPORT_CLOSE] = {"UPDATE report SET closed_ms = ?3, note = ?2 WHERE id = ?1",
                      "SELECT match FROM report WHERE id = ?1"},
    [BOT_MAKE] = {"!INSERT INTO account(id, name, folded, program, private, made_ms, renamed_ms, "
                  "password, owner) SELECT ?1, ?2, ?3, 1, 0, ?5, 0, x'', ?4 WHERE NOT "
                  "EXISTS(SELECT 1 FROM account WHERE folded = ?3 OR id = ?1) AND EXISTS(SELECT 1 "
                  "FROM account WHERE id = ?4) AND (SELECT count(*) FROM account WHERE owner = "
                  "?4) < 5",
                  "INSERT INTO account_key(hash, account, kind, made_ms, expires_ms) VALUES(?6, "
                  "?1, 0, ?5, 0)",
                  "SELECT 1 FROM account a JOIN account_key k ON k.account = a.id WHERE a.id = ?1 "
                  "AND a.folded = ?3 AND k.hash = ?6"},
    [BOT_LIST] = {"SELECT id, name FROM account WHERE owner = ?1 AND owner <> 0 LIMIT 8"},
    [GONE_LIST] = {"SELECT account, at_ms FROM gone WHERE (at_ms, account) > (?1, ?2) ORDER BY "
                   "at_ms, account LIMIT ?3"},
    [NAMED_PUT] = {"INSERT OR IGNORE INTO named SELECT ?1, ?2, ?3 WHERE EXISTS(SELECT 1 FROM "
                   "account WHERE id = ?1)",
                   "SELECT 1 FROM account WHERE id = ?1"},
    [ERASED_LIST] =
        {"SELECT match, seat FROM erased WHERE (match, seat) > (?1, ?2) AND match <= ?3 "
         "ORDER BY match, seat LIMIT ?4"},
    [ERASED_DROP] = {"DELETE FROM erased WHERE match = ?1 AND (seat = ?2 OR ?2 < 0)"},
    [ERASED_LOOK] = {"SELECT EXISTS(SELECT 1 FROM days WHERE match = ?1)"}};

/* --- Opening ---------------------------------------------------------------------------------- */

/* A connection with its prepared statements. */
typedef struct AccountBase {
    sqlite3 *base;
    StoreLock lock;
    sqlite3_stmt *prepared[ACCOUNT_STATEMENTS][STEPS_MAX];
} AccountBase;

/* The file. */
struct AccountFile {
    AccountBase writer, own_reader;
    AccountBase *reader; /* the writer itself if nothing is kept on a disk */
};

/* Says what SQLite says; false. */
static bool problem_of(const AccountBase *base, const char *path, MashText *problem) {
    text_format(problem, "cannot open %s: %s", path, sqlite3_errmsg(base->base));
    return false;
}

/* Makes the tables, or brings those of an older version up to date. False: with a problem. */
static bool upgrade(AccountBase *base, const char *path, MashText *problem) {
    int version = sqlite_file_version(base->base);
    if (version > VERSION) {
        text_format(problem, "unsupported version %d of %s (expected %d)", version, path, VERSION);
        return false;
    }
    return version == VERSION ||
           (version >= 0 && sqlite_file_upgrade(base->base, upgrades, version, VERSION)) ||
           problem_of(base, path, problem);
}

/* Opens a connection. False: with a problem. */
static bool open_base(AccountBase *base, const char *path, bool writes, MashText *problem) {
    if (!sqlite_file_open(&base->base, path, writes, BUSY_MS))
        return problem_of(base, path, problem);
    return !writes || upgrade(base, path, problem);
}

/* Makes the file if there is none, accessible only to its own user. False: with a problem. */
static bool make_file(const char *path, MashText *problem) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, DISK_FILE_MODE);
    if (file < 0)
        return disk_problem(problem, "open", path);
    close(file);
    return true;
}

AccountFile *account_file_open(const char *path, MashText *problem) {
    AccountFile *file = calloc(1, sizeof *file);
    bool in_memory = strcmp(path, ":memory:") == 0;
    if (file == NULL) {
        text_string(problem, "out of memory for accounts");
        return NULL;
    }
    lock_make(&file->writer.lock);
    lock_make(&file->own_reader.lock);
    file->reader = in_memory ? &file->writer : &file->own_reader;
    if ((in_memory || make_file(path, problem)) && open_base(&file->writer, path, true, problem) &&
        (in_memory || open_base(file->reader, path, false, problem)))
        return file;
    account_file_close(file);
    return NULL;
}

/* Closes a connection. */
static void close_base(AccountBase *base) {
    for (int i = 0; i < ACCOUNT_STATEMENTS; i++)
        for (int j = 0; j < STEPS_MAX; j++)
            sqlite3_finalize(base->prepared[i][j]);
    sqlite3_close(base->base);
    pthread_mutex_destroy(&base->lock.mutex);
}

void account_file_close(AccountFile *file) {
    if (file == NULL)
        return;
    close_base(&file->own_reader);
    close_base(&file->writer);
    free(file);
}

/* --- Running ---------------------------------------------------------------------------------- */

/* The step's statement without its mark. */
static const char *sql_of(const char *step) { return step + (step[0] == '!'); }

/* Does the step only read? */
static bool reads(const char *step) { return strncmp(step, "SELECT", 6) == 0; }

/* Binds what the statement knows of the parameters; they stay valid until it has run. */
static void bind(sqlite3_stmt *statement, const AccountValue *values, uint32_t count) {
    uint32_t wanted = (uint32_t)sqlite3_bind_parameter_count(statement);
    for (uint32_t i = 0; i < count && i < wanted; i++)
        if (values[i].bytes == NULL)
            sqlite3_bind_int64(statement, (int)i + 1, values[i].number);
        else
            sqlite3_bind_blob(statement, (int)i + 1, values[i].bytes, (int)values[i].number,
                              SQLITE_STATIC);
}

/* Hands a row on. */
static void give_row(sqlite3_stmt *statement, void (*row)(void *out, const AccountValue *columns),
                     void *out) {
    AccountValue columns[COLUMNS_MAX];
    int count = sqlite3_column_count(statement);
    assert(count <= COLUMNS_MAX);
    for (int i = 0; i < count; i++) {
        const void *bytes = NULL;
        bool is_blob = sqlite3_column_type(statement, i) == SQLITE_BLOB;
        if (is_blob)
            bytes = sqlite3_column_blob(statement, i);
        columns[i].bytes = is_blob && bytes == NULL ? "" : bytes;
        columns[i].number =
            is_blob ? sqlite3_column_bytes(statement, i) : sqlite3_column_int64(statement, i);
    }
    row(out, columns);
}

/* Runs one step; SQLite's code. */
static int run_step(AccountBase *base, AccountStatement which, int step, const AccountValue *values,
                    uint32_t count, void (*row)(void *out, const AccountValue *columns),
                    void *out) {
    sqlite3_stmt **statement = &base->prepared[which][step];
    int code = SQLITE_OK;
    if (*statement == NULL)
        code = sqlite3_prepare_v3(base->base, sql_of(statements[which][step]), -1,
                                  SQLITE_PREPARE_PERSISTENT, statement, NULL);
    if (code != SQLITE_OK)
        return code;
    bind(*statement, values, count);
    while ((code = sqlite3_step(*statement)) == SQLITE_ROW)
        give_row(*statement, row, out);
    sqlite3_reset(*statement);
    sqlite3_clear_bindings(*statement);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Runs all steps in a transaction; SQLite's code. */
static int run_all(AccountBase *base, AccountStatement which, const AccountValue *values,
                   uint32_t count, void (*row)(void *out, const AccountValue *columns), void *out) {
    bool writes = true;
    int code = sqlite3_exec(base->base, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (int i = 0; i < STEPS_MAX && statements[which][i] != NULL && code == SQLITE_OK; i++) {
        const char *step = statements[which][i];
        if (!writes && !reads(step))
            continue;
        code = run_step(base, which, i, values, count, row, out);
        if (step[0] == '!' && sqlite3_changes(base->base) == 0)
            writes = false;
    }
    if (code == SQLITE_OK)
        code = sqlite3_exec(base->base, "COMMIT", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        sqlite3_exec(base->base, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

/* What was deleted is not on the disk any more: SQLite puts zeros in its place in the file, and the
 * log, which still has it, is emptied. Somebody who reads just now may delay that until the next
 * time, or until the file is closed. */
static void wipe(AccountBase *base) {
    sqlite3_wal_checkpoint_v2(base->base, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}

StoreStatus account_file_run(void *owner, AccountStatement which, const AccountValue *values,
                             uint32_t count, void (*row)(void *out, const AccountValue *columns),
                             void *out) {
    AccountFile *file = owner;
    bool only_reads = reads(statements[which][0]);
    AccountBase *base = only_reads ? file->reader : &file->writer;
    lock_take(&base->lock);
    int code = only_reads ? run_step(base, which, 0, values, count, row, out)
                          : run_all(base, which, values, count, row, out);
    if (which == ACCOUNT_DELETE && code == SQLITE_OK)
        wipe(base);
    lock_give(&base->lock);
    switch (code & 0xff) {
    case SQLITE_OK:
        return STORE_OK;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_FULL:
        return STORE_BUSY;
    case SQLITE_CONSTRAINT:
        return STORE_TAKEN;
    default:
        return STORE_FAILED;
    }
}

/* --- For a backup ----------------------------------------------------------------------------- */

/* Opens a file as it is, for one look. False: with a problem. */
static bool open_plain(sqlite3 **base, const char *path, MashText *problem) {
    if (sqlite3_open_v2(path, base, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK) {
        sqlite3_busy_timeout(*base, BUSY_MS);
        return true;
    }
    text_format(problem, "cannot open %s: %s", path, sqlite3_errmsg(*base));
    sqlite3_close(*base);
    return false;
}

/* Ends a look with SQLite's code. False: with a problem. */
static bool close_plain(sqlite3 *base, int code, const char *path, MashText *problem) {
    if (code != SQLITE_OK)
        text_format(problem, "cannot read %s: %s", path, sqlite3_errmsg(base));
    sqlite3_close(base);
    return code == SQLITE_OK;
}

/* Reads a list of names; a row of number -1 in front has a number that
 * changes with each account that is deleted. SQLite's code. */
static int read_names(sqlite3 *base, AccountNames *names) {
    sqlite3_stmt *rows = NULL;
    int code = sqlite3_prepare_v2(base,
                                  "SELECT -1, count(*) + coalesce(sum(at_ms), 0) FROM gone UNION "
                                  "ALL SELECT match, seat FROM erased",
                                  -1, &rows, NULL);
    while (code == SQLITE_OK && (code = sqlite3_step(rows)) == SQLITE_ROW) {
        StoreErased *more = realloc(names->list, (names->count + 1) * sizeof *more);
        code = more == NULL ? SQLITE_NOMEM : SQLITE_OK;
        if (more == NULL)
            break;
        names->list = more;
        int64_t match = sqlite3_column_int64(rows, 0), number = sqlite3_column_int64(rows, 1);
        if (match < 0)
            names->gone = number;
        else
            more[names->count++] = (StoreErased){(uint64_t)match, (uint32_t)number};
    }
    sqlite3_finalize(rows);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

bool account_file_names(const char *path, AccountNames *names, MashText *problem) {
    sqlite3 *base;
    sqlite3_stmt *asked = NULL;
    *names = (AccountNames){0};
    if (access(path, F_OK) != 0)
        return true;
    if (!open_plain(&base, path, problem))
        return false;
    int code = sqlite3_prepare_v2(base, "PRAGMA user_version", -1, &asked, NULL);
    bool has = code == SQLITE_OK && sqlite3_step(asked) == SQLITE_ROW &&
               sqlite3_column_int(asked, 0) >= ERASING_VERSION;
    sqlite3_finalize(asked);
    return close_plain(base, has ? read_names(base, names) : code, path, problem);
}

bool account_file_note(const char *path, const AccountNames *names, MashText *problem) {
    sqlite3 *base;
    sqlite3_stmt *row = NULL;
    if (names->count == 0)
        return true;
    if (!open_plain(&base, path, problem))
        return false;
    int code = sqlite3_exec(base, "BEGIN", NULL, NULL, NULL);
    if (code == SQLITE_OK)
        code =
            sqlite3_prepare_v2(base, "INSERT OR IGNORE INTO erased VALUES(?1, ?2)", -1, &row, NULL);
    for (uint32_t i = 0; i < names->count && code == SQLITE_OK; i++) {
        sqlite3_bind_int64(row, 1, (sqlite3_int64)names->list[i].match);
        sqlite3_bind_int64(row, 2, names->list[i].seat);
        code = sqlite3_step(row) == SQLITE_DONE ? sqlite3_reset(row) : SQLITE_ERROR;
    }
    sqlite3_finalize(row);
    if (code == SQLITE_OK)
        code = sqlite3_exec(base, "COMMIT", NULL, NULL, NULL);
    return close_plain(base, code, path, problem);
}
