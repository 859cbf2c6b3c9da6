/* accounts.c -- players' accounts in the database, over a connection of their own. Each statement
 * is a transaction by itself; one whose answer was lost may be repeated. */
#include <assert.h>
#include <string.h>

#include "store/postgres/postgres.h"

#define ACCOUNT_COLUMNS                                                                            \
    "a.id, a.name, a.folded, a.program, a.private, a.made_ms, a.renamed_ms, a.password"
#define RATING_COLUMNS                                                                             \
    "r.account, r.game, r.pace, r.program, r.rating, r.deviation, r.volatility, r.certain_ms, "    \
    "r.rated_ms, r.rated, r.matches, r.wins, r.draws, r.losses, r.streak, r.best"
#define PLAYED(condition)                                                                          \
    "select p.match, p.ended_ms, p.game, p.pace, p.seat, p.result, p.rated, p.weight, p.rating, "  \
    "p.change, case when p.other = 0 then p.other_name else coalesce(a.name, '') end, (a.id is "   \
    "not null)::int4::int8 from played p left join account a on a.id = p.other where p.account = " \
    "$1::int8 and (p.ended_ms, p.match) < ($3::int8, $4::int8) and p.rated >= $2::int8" condition  \
    " order by p.ended_ms desc, p.match desc limit $5::int8"
/* A seat of the match as a row: seat, account, program, name, result, rating, deviation,
 * volatility, certain_ms, change, expected, and of the other seat account and name. */
#define SEAT(seat, a, b, c, d, e, f, g, h, i, j, other, name)                                      \
    "(" seat "::int8, $" a "::int8, $" b "::int8, $" c "::bytea, $" d "::int8, $" e "::int8, $" f  \
    "::int8, $" g "::int8, $" h "::int8, $" i "::int8, $" j "::int8, $" other "::int8, $" name     \
    "::bytea)"

/* In the order of AccountStatement. */
const LinkStatement account_statements[] = {
    [ACCOUNT_MAKE] =
        {"account_make",
         "with made as (insert into account(id, name, folded, program, private, made_ms, "
         "renamed_ms, password) select $1::int8, $2::bytea, $3::bytea, $4::int8, 0, $5::int8, 0, "
         "'' where not exists (select 1 from account where folded = $3 or id = $1) and not exists "
         "(select 1 from account_key where hash = $6::bytea) returning id), own as (insert into "
         "account_key(hash, account, kind, made_ms, expires_ms) select $6, id, 0, $5, 0 from made "
         "returning account) select account from own union all select a.id from account a join "
         "account_key k on k.account = a.id where a.id = $1 and a.folded = $3 and k.hash = $6"},
    [ACCOUNT_BY_ID] = {"account_by_id",
                       "select " ACCOUNT_COLUMNS " from account a where a.id = $1::int8"},
    [ACCOUNT_BY_NAME] = {"account_by_name",
                         "select " ACCOUNT_COLUMNS " from account a where a.folded = $1::bytea"},
    [ACCOUNT_BY_KEY] = {"account_by_key",
                        "select " ACCOUNT_COLUMNS ", k.kind from account_key k join account a on "
                        "a.id = k.account where k.hash = $1::bytea and (k.expires_ms = 0 or "
                        "k.expires_ms > $2::int8)"},
    [ACCOUNT_CHANGE] = {"account_change",
                        "update account set name = $2::bytea, folded = $3::bytea, private = "
                        "$4::int8, renamed_ms = $5::int8, password = $6::bytea where id = "
                        "$1::int8 returning id"},
    [ACCOUNT_DELETE] = {"account_delete",
                        "with a as (delete from account_key where account = $1::int8), b as "
                        "(delete from rating where account = $1), c as (delete from played where "
                        "account = $1) delete from account where id = $1"},
    [ACCOUNT_KEY_ADD] =
        {"account_key_add",
         "with old as (delete from account_key where account = $1::int8 and kind = $3::int8 and "
         "kind <> 0 and hash <> $2::bytea), new as (insert into account_key(hash, account, kind, "
         "made_ms, expires_ms) select $2, $1, $3, $4::int8, $5::int8 where (select count(*) from "
         "account_key where account = $1 and not (kind = $3 and kind <> 0)) < 100 and exists "
         "(select 1 from account where id = $1) on conflict do nothing returning account) select "
         "account from new union all select account from account_key where hash = $2"},
    [ACCOUNT_KEY_SWAP] =
        {"account_key_swap",
         "with code as (select account, kind from account_key where hash = $1::bytea and kind <> "
         "0 and (expires_ms = 0 or expires_ms > $3::int8) for update), new as (insert into "
         "account_key(hash, account, kind, made_ms, expires_ms) select $2::bytea, account, 0, $3, "
         "0 from code where (select count(*) from account_key k where k.account = code.account) < "
         "100 on conflict do nothing returning account), used as (update account_key set "
         "expires_ms = $3 where hash = $1 and kind = 1 and expires_ms > $3) select account from "
         "new union all select d.account from account_key d join account_key c on c.account = "
         "d.account where d.hash = $2 and c.hash = $1 and d.made_ms = $3 and c.kind <> 0"},
    [ACCOUNT_KEYS] = {"account_keys", "select hash, kind, made_ms, expires_ms from account_key "
                                      "where account = $1::int8 order by made_ms limit 100"},
    [ACCOUNT_KEY_DROP] = {"account_key_drop", "delete from account_key where account = $1::int8 "
                                              "and hash = $2::bytea"},
    [ACCOUNT_KEY_ONLY] = {"account_key_only", "delete from account_key where account = $1::int8 "
                                              "and hash <> $2::bytea and kind <> 2"},
    [ACCOUNT_RATINGS] = {"account_ratings", "select " RATING_COLUMNS " from rating r where "
                                            "r.account = $1::int8 limit 64"},
    [ACCOUNT_MET] = {"account_met", "select count(*)::int8 from played where account = $1::int8 "
                                    "and other = $2::int8 and ended_ms >= $4::int8 and rated = 1 "
                                    "and game = $3::bytea"},
    [ACCOUNT_LEADERS] = {"account_leaders",
                         "select " RATING_COLUMNS ", a.name from rating r join account a on a.id "
                         "= r.account where r.game = $1::bytea and r.pace = $2::int8 and "
                         "r.program = $3::int8 and r.certain_ms > 0 and r.certain_ms > $4::int8 "
                         "and a.private = 0 order by r.rating desc limit $5::int8"},
    [ACCOUNT_COUNT_MATCH] =
        {"account_count",
         "with seat(seat, account, program, name, result, rating, deviation, volatility, "
         "certain_ms, change, expected, other, other_name) as (values " SEAT(
             "0", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",
             "19") ", " SEAT("1", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "7",
                             "9") "), "
                                  "held as (select r.account, r.matches from rating r join seat s "
                                  "on s.account = r.account "
                                  "where r.game = $3::bytea and r.pace = $4::int8 order by "
                                  "r.account for update of r), "
                                  "once as (insert into counted(match, rating0, change0, rating1, "
                                  "change1) select "
                                  "$1::int8, $11, $15, $21, $25 where not exists (select 1 from "
                                  "seat s left join held h on "
                                  "h.account = s.account where s.account <> 0 and "
                                  "coalesce(h.matches, 0) <> s.expected) on "
                                  "conflict do nothing returning match), "
                                  "history as (insert into played(account, ended_ms, match, seat, "
                                  "game, pace, other, "
                                  "other_name, result, rated, weight, rating, change) select "
                                  "s.account, $2::int8, o.match, "
                                  "s.seat, $3, $4, s.other, s.other_name, s.result, $5::int8, "
                                  "$6::int8, s.rating, s.change "
                                  "from once o, seat s join account a on a.id = s.account), "
                                  "rate as (insert into rating as r (account, game, pace, "
                                  "program, rating, deviation, "
                                  "volatility, certain_ms, rated_ms, rated, matches, wins, draws, "
                                  "losses, streak, best) "
                                  "select distinct on (s.account) s.account, $3, $4, s.program, "
                                  "s.rating, s.deviation, "
                                  "s.volatility, s.certain_ms, $5 * $2, $5, 1, (s.result = "
                                  "2)::int4, (s.result = 1)::int4, "
                                  "(s.result = 0)::int4, s.result - 1, (s.result = 2)::int4 from "
                                  "once o, seat s join "
                                  "account a on a.id = s.account on conflict (account, game, "
                                  "pace) do update set rating = "
                                  "excluded.rating, deviation = excluded.deviation, volatility = "
                                  "excluded.volatility, "
                                  "certain_ms = excluded.certain_ms, rated_ms = "
                                  "greatest(r.rated_ms, excluded.rated_ms), "
                                  "rated = r.rated + excluded.rated, matches = r.matches + 1, "
                                  "wins = r.wins + "
                                  "excluded.wins, draws = r.draws + excluded.draws, losses = "
                                  "r.losses + excluded.losses, "
                                  "streak = case excluded.streak when 1 then greatest(r.streak, "
                                  "0) + 1 when -1 then "
                                  "least(r.streak, 0) - 1 else 0 end, best = greatest(r.best, "
                                  "excluded.wins * "
                                  "(greatest(r.streak, 0) + 1))) "
                                  "select s.seat, s.rating, s.change from once o, seat s union "
                                  "all select 0, rating0, "
                                  "change0 from counted where match = $1 union all select 1, "
                                  "rating1, change1 from counted "
                                  "where match = $1"},
    [ACCOUNT_PLAYED] = {"account_played", PLAYED("")},
    [ACCOUNT_PLAYED_GAME] = {"account_played_game",
                             PLAYED(" and p.game = $6::bytea and ($7::int8 < 0 or p.pace = $7)")},
    [ACCOUNT_TOTAL] = {"account_total", "select count(*)::int8 from account"},
    [ACCOUNT_STATEMENTS] = COPIES_STATEMENTS,
    {NULL, NULL}};

/* Does the statement change anything? */
static bool writes(AccountStatement which) {
    return strncmp(account_statements[which].sql, "select", 6) != 0;
}

/* Hands the rows on. Numbers have eight bytes and the type int8, all else is bytes. */
static void give_rows(const PGresult *rows, void (*row)(void *out, const AccountValue *columns),
                      void *out) {
    AccountValue columns[ACCOUNT_VALUES_MAX];
    int count = PQnfields(rows);
    assert(count <= ACCOUNT_VALUES_MAX);
    for (int i = 0; i < PQntuples(rows); i++) {
        for (int j = 0; j < count; j++)
            columns[j] = PQftype(rows, j) == LINK_INT8
                             ? (AccountValue){NULL, link_int8(rows, i, j)}
                             : (AccountValue){PQgetvalue(rows, i, j), PQgetlength(rows, i, j)};
        row(out, columns);
    }
}

/* Sends a statement; a connection that was lost while it was idle is opened once more, since all
 * may be repeated. */
static LinkAnswer send(Postgres *postgres, AccountStatement which, const LinkParameters *all,
                       PGresult **rows) {
    DatabaseLink *link = &postgres->accounts_link;
    LinkAnswer answer = LINK_LOST;
    *rows = NULL;
    for (int i = 0; i < 2 && answer == LINK_LOST; i++) {
        link->only = reader_host(postgres);
        if (link->host != link->only - 1)
            link_close(link);
        if (!link_open(link))
            return LINK_LOST;
        answer = link_run(link, account_statements[which].name, all, rows);
    }
    return answer;
}

/* Have enough machines what was written? */
static bool is_kept(Postgres *postgres) {
    bool enough = false;
    DatabaseLink *link = &postgres->accounts_link;
    return !link->doubt &&
           copies_wait(postgres, link, &postgres->keeper_wakes, PATIENCE_MS, &enough) ==
               LINK_DONE &&
           enough;
}

StoreStatus accounts_run(void *owner, AccountStatement which, const AccountValue *values,
                         uint32_t count, void (*row)(void *out, const AccountValue *columns),
                         void *out) {
    Postgres *postgres = owner;
    LinkParameters all = {.count = 0};
    PGresult *rows;
    for (uint32_t i = 0; i < count; i++)
        if (values[i].bytes == NULL)
            link_put_int8(&all, values[i].number);
        else
            link_put_bytes(&all, values[i].bytes, (size_t)values[i].number);
    lock_take(&postgres->accounts_lock);
    LinkAnswer answer = send(postgres, which, &all, &rows);
    bool kept = answer == LINK_DONE && (!writes(which) || is_kept(postgres));
    bool taken = answer == LINK_REFUSED && strcmp(postgres->accounts_link.code, "23505") == 0;
    if (answer == LINK_REFUSED && !taken)
        postgres_report(postgres, postgres->accounts_link.problem);
    lock_give(&postgres->accounts_lock);
    if (kept)
        give_rows(rows, row, out);
    PQclear(rows);
    if (answer == LINK_REFUSED)
        return taken ? STORE_TAKEN : STORE_FAILED;
    return kept ? STORE_OK : STORE_BUSY;
}
