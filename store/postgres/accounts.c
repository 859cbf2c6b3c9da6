/* accounts.c -- players' accounts in the database, over a connection of their own. Each statement
 * is a transaction by itself; one whose answer was lost may be repeated. Those by which a node
 * changes a match over days check its epoch, as groups of records do: a node that was replaced, or
 * has handed its matches over, must not write what it still remembers of them. */
#include <assert.h>
#include <string.h>

#include "store/postgres/postgres.h"

/* For the one statement whose work grows with what an account has played. */
enum { LONG_PATIENCE_MS = 30000 };

#define PLAYED(condition)                                                                          \
    "select p.match, p.ended_ms, p.game, p.pace, p.seat, p.result, p.rated, p.weight, p.rating, "  \
    "p.change, case when p.other = 0 then p.other_name else coalesce(a.name, '') end, (a.id is "   \
    "not null)::int4::int8, p.opening from played p left join account a on a.id = p.other where "  \
    "p.account = "                                                                                 \
    "$1::int8 and (p.ended_ms, p.match) < ($3::int8, $4::int8) and p.rated >= $2::int8" condition  \
    " order by p.ended_ms desc, p.match desc limit $5::int8"
/* As in account_file.c. */
#define CERTAIN                                                                                    \
    "k.game = $1::bytea and k.pace = $2::int8 and k.program = $3::int8 and k.certain_ms > "        \
    "$4::int8"
#define IF_FEW(then, otherwise)                                                                    \
    "case when (select count(*) from (select 1 from rating k where " CERTAIN                       \
    " limit 600) c) < 600 then " then " else " otherwise " end"
#define LEADERS(ratings, limit)                                                                    \
    "select * from (select " RATING_COLUMNS ", a.name from " ratings                               \
    " k join account a on a.id = k.account join rating r on r.account = k.account and r.game = "   \
    "k.game and r.pace = k.pace where " CERTAIN                                                    \
    " and a.private = 0 order by k.rating desc limit " limit ") l"
#define ALL_LEADERS                                                                                \
    LEADERS("(select * from rating k where " CERTAIN " offset 0)", IF_FEW("$5::int8", "0"))        \
    " union all " LEADERS("(select * from rating where certain_ms > 0)", IF_FEW("0", "$5::int8"))
/* A seat of the match as a row: seat, account, program, name, result, rating, deviation,
 * volatility, certain_ms, change, expected, of the other seat account and name, and opening. */
#define SEAT(seat, a, b, c, d, e, f, g, h, i, j, other, name, opening)                             \
    "(" seat "::int8, $" a "::int8, $" b "::int8, $" c "::bytea, $" d "::int8, $" e "::int8, $" f  \
    "::int8, $" g "::int8, $" h "::int8, $" i "::int8, $" j "::int8, $" other "::int8, $" name     \
    "::bytea, $" opening "::bytea)"

/* Matches over days: as in account_file.c, but that a match whose session will never reach the
 * journal may be taken, and that one in the archive is over. */
#define DAYS_COLUMNS                                                                               \
    "d.match, d.session, d.generation, d.game, d.days, d.account0, d.account1, d.awaited, "        \
    "d.began0, d.began1, d.deadline0, d.deadline1"
#define WAKES                                                                                      \
    "(case awaited when 0 then 9000000000000000000 when 1 then deadline0 when 2 then deadline1 "   \
    "else least(deadline0, deadline1) end)"
#define NEW_DEADLINE(account, began)                                                               \
    began "::int8 + $5::int8 * 86400000 + greatest(0, coalesce((select until_ms from vacation "    \
          "where account = " account "::int8), 0) - " began "::int8)"
#define DEADLINE(seat, account, began)                                                             \
    "deadline" seat " = case when d.began" seat " = " began "::int8 then d.deadline" seat          \
    " else " NEW_DEADLINE(account, began) " end"
#define DEADLINE_0     NEW_DEADLINE("$6", "$9")
#define DEADLINE_1     NEW_DEADLINE("$7", "$10")
#define KEPT_DEADLINES DEADLINE("0", "$6", "$9") ", " DEADLINE("1", "$7", "$10")
/* Who has taken a match, in its claimed_ms: the node under an epoch. In a row that another version
 * of this program has written it is a time. */
#define HOLDER(node, epoch)                                                                        \
    "(4611686018427387904 | (" node "::int8 << 31) | (" epoch " & 2147483647))"
/* Is the match's session not in the journal? And will it never be, because the epoch of the node
 * that has taken it is over? No calendar is asked, which may be wrong. */
#define NOT_IN_JOURNAL                                                                             \
    "d.session <> 0 and not exists (select 1 from match m where m.id = d.session)"
#define ARCHIVED "exists (select 1 from archive where id = d.match)"
#define LOST(now)                                                                                  \
    NOT_IN_JOURNAL " and length(d.records) > 0 and not " ARCHIVED                                  \
                   " and case when d.claimed_ms >= 4611686018427387904 then not exists (select 1 " \
                   "from node n where " HOLDER("n.id", "n.epoch") " = d.claimed_ms) else "         \
                                                                  "d.claimed_ms < " now            \
                                                                  "::int8 - 60000 end"
#define LOST_BEFORE_1 LOST("$1")
#define LOST_BEFORE_3 LOST("$3")
#define OWN_HOLDER    HOLDER("$4", "$5")
#define MOVED(seat, bit, by)                                                                       \
    "deadline" seat " = deadline" seat " + case when account" seat                                 \
    " = $1::int8 and awaited & " bit " <> 0 and deadline" seat " > $2::int8 then " by              \
    " else 0 end"
#define MOVE_BOTH(by, condition)                                                                   \
    "update days set " MOVED("0", "1", by) ", " MOVED("1", "2",                                    \
                                                      by) " where (account0 = $1 or "              \
                                                          "account1 = $1) and " condition
#define TURNS(seat, other, awaited)                                                                \
    "select d.match, d.game, d.days, " seat "::int8, (" awaited ")::int8, d.deadline" seat         \
    ", coalesce(a.name, '') from days d left join account a on a.id = d.account" other             \
    " where d.account" seat " = $1::int8 and not exists (select 1 from archive where id = "        \
    "d.match)"
#define VACATION_ROW "select until_ms, year, used from vacation where account = $1::int8"

/* This node under its epoch, whose numbers are behind all other parameters: see is_fenced(). The
 * number in the name is that of the first of the two. */
#define ME(node, epoch)                                                                            \
    "with me as (select 1 from node where id = $" node "::int4 and epoch = $" epoch                \
    "::int8 for share)"
#define ME_3  ME("3", "4")
#define ME_4  ME("4", "5")
#define ME_11 ME("11", "12")

/* In the order of AccountStatement.
 *
 * ACCOUNT_COUNT_MATCH: a rating that is there is locked and compared with what is expected. One
 * that is not there cannot be locked: if another node makes it meanwhile, the number of matches
 * becomes null, which the table refuses, and nothing of the statement is done. */
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
    [ACCOUNT_CHANGE] =
        {"account_change",
         "with done as (update account set name = $2::bytea, folded = $3::bytea, private = "
         "$4::int8, renamed_ms = $5::int8, password = $6::bytea where id = $1::int8 and name = "
         "$7::bytea and private = $8::int8 and renamed_ms = $9::int8 and password = $10::bytea "
         "returning id) select 1::int8 from done union all select (name = $2 and private = $4 and "
         "renamed_ms = $5 and password = $6)::int4::int8 from account where id = $1 and not exists "
         "(select 1 from done)"},
    [ACCOUNT_DELETE] = {"account_delete", "with e as (select account_erase($1::int8, $2::int8, "
                                          "$3::int8) as account) select account from e"},
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
         "expires_ms = 1 where hash = $1 and kind = 1 and expires_ms > $3) select account from "
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
    [ACCOUNT_LEADERS] = {"account_leaders", ALL_LEADERS},
    [ACCOUNT_COUNT_MATCH] =
        {"account_count",
         "with seat(seat, account, program, name, result, rating, deviation, volatility, "
         "certain_ms, change, expected, other, other_name, opening) as (values " SEAT(
             "0", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "19",
             "27") ", " SEAT("1", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "7",
                             "9",
                             "28") "), "
                                   "held as (select r.account, r.matches from rating r join seat s "
                                   "on s.account = r.account "
                                   "where r.game = $3::bytea and r.pace = $4::int8 order by "
                                   "r.account for update of r), "
                                   "alive as (select a.id from account a join seat s on a.id = "
                                   "s.account order by a.id for key share of a), "
                                   "once as (insert into counted(match, rating0, change0, rating1, "
                                   "change1) select "
                                   "$1::int8, $11, $15, $21, $25 where not exists (select 1 from "
                                   "seat s left join held h on "
                                   "h.account = s.account where s.account <> 0 and "
                                   "coalesce(h.matches, 0) <> s.expected) on "
                                   "conflict do nothing returning match), "
                                   "history as (insert into played(account, ended_ms, match, seat, "
                                   "game, pace, other, "
                                   "other_name, result, rated, weight, rating, change, opening) "
                                   "select "
                                   "s.account, $2::int8, o.match, "
                                   "s.seat, $3, $4, s.other, s.other_name, s.result, $5::int8, "
                                   "$6::int8, s.rating, s.change, s.opening "
                                   "from once o, seat s join alive a on a.id = s.account), "
                                   "rate as (insert into rating as r (account, game, pace, "
                                   "program, rating, deviation, "
                                   "volatility, certain_ms, rated_ms, rated, matches, wins, draws, "
                                   "losses, streak, best) "
                                   "select distinct on (s.account) s.account, $3, $4, s.program, "
                                   "s.rating, s.deviation, "
                                   "s.volatility, s.certain_ms, $5 * $2, $5, s.expected + 1, "
                                   "(s.result = 2)::int4, (s.result = 1)::int4, "
                                   "(s.result = 0)::int4, s.result - 1, (s.result = 2)::int4 from "
                                   "once o, seat s join "
                                   "alive a on a.id = s.account on conflict (account, game, "
                                   "pace) do update set rating = "
                                   "excluded.rating, deviation = excluded.deviation, volatility = "
                                   "excluded.volatility, "
                                   "certain_ms = excluded.certain_ms, rated_ms = "
                                   "greatest(r.rated_ms, excluded.rated_ms), "
                                   "rated = r.rated + excluded.rated, matches = case when "
                                   "r.matches + 1 = excluded.matches then excluded.matches end, "
                                   "wins = r.wins + "
                                   "excluded.wins, draws = r.draws + excluded.draws, losses = "
                                   "r.losses + excluded.losses, "
                                   "streak = case excluded.streak when 1 then greatest(r.streak, "
                                   "0) + 1 when -1 then "
                                   "least(r.streak, 0) - 1 else 0 end, best = greatest(r.best, "
                                   "excluded.wins * "
                                   "(greatest(r.streak, 0) + 1))) "
                                   "select c.seat, c.rating, c.change, (s.account = 0 or s.account "
                                   "in (select id from alive))::int4::int8 from (select s.seat, "
                                   "s.rating, s.change from once o, seat s union all select 0, "
                                   "rating0, change0 from counted where match = $1 union all "
                                   "select 1, rating1, change1 from counted where match = $1) c "
                                   "join seat s on s.seat = c.seat"},
    [ACCOUNT_PLAYED] = {"account_played", PLAYED("")},
    [ACCOUNT_PLAYED_GAME] = {"account_played_game",
                             PLAYED(" and p.game = $6::bytea and ($7::int8 < 0 or p.pace = $7)")},
    [ACCOUNT_OPENINGS] = {"account_openings",
                          "select opening, sum((result = 2)::int4)::int8, sum((result = "
                          "1)::int4)::int8, sum((result = 0)::int4)::int8 from (select opening, "
                          "result from played where account = $1::int8 and game = $2::bytea and "
                          "opening <> '' order by ended_ms desc, match desc limit 1000) last "
                          "group by opening order by count(*) desc, opening limit $3::int8"},
    [ACCOUNT_TOTAL] = {"account_total", "select count(*)::int8 from account"},
    [LEFT_PUT] = {"left_put",
                  "with old as (delete from left_match where account = $1::int8 and left_ms < "
                  "$4::int8) insert into left_match(account, match, left_ms) select $1, $2::int8, "
                  "$3::int8 where exists (select 1 from account where id = $1) on conflict do "
                  "nothing"},
    [LEFT_COUNT] = {"left_count",
                    "select (select count(*) from left_match where account = $1::int8 and left_ms "
                    ">= $2::int8), (select count(*) from (select 1 from played where account = $1 "
                    "and ended_ms >= $2 limit 1000) p)"},
    [DAYS_PUT] =
        {"days_put", ME_11
         ", fresh as (insert into days(match, session, generation, game, days, account0, account1, "
         "awaited, began0, began1, deadline0, deadline1, claimed_ms, records) select $1::int8, "
         "$2::int8, 0, $4::bytea, $5::int8, $6::int8, $7::int8, $8::int8, $9::int8, "
         "$10::int8, " DEADLINE_0 ", " DEADLINE_1
         ", 0, '' from me where $3::int8 = 0 on conflict do nothing returning *), known as (update "
         "days d set awaited = $8, " KEPT_DEADLINES ", began0 = $9, began1 = $10 from me where "
         "d.match = $1 and d.session = $2 returning d.*) select " DAYS_COLUMNS
         " from fresh d union all select " DAYS_COLUMNS " from known d union all "
         "select " DAYS_COLUMNS " from days d where d.match = $1 and d.session <> $2"},
    [DAYS_PARK] =
        {"days_park", ME_4
         ", d as (update days set session = 0, records = $3::bytea from me where match = $1::int8 "
         "and session = $2::int8 returning session) select session from d union all select session "
         "from days where match = $1 and not exists (select 1 from d)"},
    [DAYS_TAKE] =
        {"days_take", ME_4
         ", over as (delete from days d using me where d.match = $1::int8 and (" ARCHIVED
         " or (length(d.records) = 0 and " NOT_IN_JOURNAL
         ")) returning 1), taken as (update days d set session = $2::int8, generation = generation "
         "+ 1, claimed_ms = " OWN_HOLDER " from me where d.match = $1 and not " ARCHIVED
         " and (d.session = 0 or (d.session <> $2 and " LOST_BEFORE_3
         ")) returning d.*) select " DAYS_COLUMNS ", d.records from taken d union all "
         "select " DAYS_COLUMNS ", d.records from days d where d.match = $1 and not exists (select "
         "1 from taken) and not exists (select 1 from over)"},
    [DAYS_DROP] = {"days_drop",
                   ME_3 " delete from days using me where match = $1::int8 and session = $2::int8"},
    [DAYS_DUE] = {"days_due",
                  "(select match from days where session = 0 and " WAKES " <= $1::int8 order "
                  "by " WAKES " limit $2::int8) union all (select d.match from days d where " WAKES
                  " <= $1 and " LOST_BEFORE_1 " limit $2)"},
    [DAYS_ADRIFT] = {"days_adrift", "select " DAYS_COLUMNS ", length(d.records)::int8 from days d "
                                    "where d.session <> 0 limit $1::int8"},
    [DAYS_FREE] = {"days_free", ME_3 " update days set session = 0 from me where match = "
                                     "$1::int8 and session = $2::int8"},
    [DAYS_LIST] = {"days_list",
                   TURNS("0", "1", "d.awaited & 1") " union all " TURNS(
                       "1", "0", "d.awaited >> 1 & 1") " order by 5 desc, 6, 1 limit $2::int8"},
    [DAYS_COUNT] = {"days_count",
                    "select case $1::int8 when 0 then (select count(*) from days) else (select "
                    "count(*) from days where account0 = $1) + (select count(*) from days where "
                    "account1 = $1) end"},
    [VACATION] = {"vacation", VACATION_ROW},
    [VACATION_SET] =
        {"vacation_set",
         "with v as (insert into vacation as w (account, until_ms, year, used) select $1::int8, "
         "$2::int8 + $3::int8 * 86400000, $4::int8, $3 where $3 <= 30 on conflict (account) do "
         "update set until_ms = excluded.until_ms, year = $4, used = case w.year when $4 then "
         "w.used else 0 end + $3 where w.until_ms <= $2 and case w.year when $4 then w.used else "
         "0 end + $3 <= 30 returning until_ms, year, used), d as (" MOVE_BOTH(
             "$3 * 86400000", "exists (select 1 from v)") ") select until_ms, year, used from v "
                                                          "union all " VACATION_ROW
                                                          " and not exists (select 1 from v)"},
    [VACATION_END] =
        {"vacation_end",
         "with w as (select until_ms - $2::int8 as left_ms from vacation where account = $1::int8 "
         "and until_ms > $2), d as (" MOVE_BOTH(
             "- (select left_ms from w)",
             "exists (select 1 from w)") "), v as (update vacation set used = greatest(0, used - "
                                         "(until_ms - $2) / 86400000), until_ms = $2 where account "
                                         "= $1 and until_ms > $2 returning until_ms, year, used) "
                                         "select until_ms, year, used from v union "
                                         "all " VACATION_ROW " and not exists (select 1 from v)"},
    [NOTICE_SET] =
        {"notice_set",
         "with old as (delete from notice where account = $1::int8 and kind = $2::int8 and kind = "
         "0 and target <> $3::bytea), new as (insert into notice(account, kind, target, keys, "
         "made_ms) select $1, $2, $3, $4::bytea, $5::int8 where (select count(*) from notice where "
         "account = $1 and kind = $2 and kind <> 0 and target <> $3) < 5 and exists (select 1 from "
         "account where id = $1) on conflict (account, kind, target) do update set keys = "
         "excluded.keys returning account) select account from new"},
    [NOTICE_DROP] = {"notice_drop", "delete from notice where account = $1::int8 and kind = "
                                    "$2::int8 and (target = $3::bytea or length($3) = 0)"},
    [NOTICE_LIST] = {"notice_list", "select kind, target, keys from notice where account = "
                                    "$1::int8 limit 8"},
    [NOTICE_CLAIM] =
        {"notice_claim", ME_3
         ", d as (update days set told0 = case $2::int8 when 0 then began0 else told0 end, told1 = "
         "case $2::int8 when 0 then told1 else began1 end from me where match = $1::int8 and case "
         "$2::int8 when 0 then awaited & 1 <> 0 and told0 <> began0 else awaited & 2 <> 0 and "
         "told1 "
         "<> began1 end returning match) select case when exists (select 1 from d) then 1 else "
         "coalesce((select case $2 when 0 then awaited & 1 else awaited >> 1 & 1 end * 2 from days "
         "where match = $1), 0) end::int8"},
    [RELATION_SET] =
        {"relation_set",
         "with old as (delete from relation where account = $1::int8 and other = $2::int8 and kind "
         "= $3::int8 and $4::int8 = 0), new as (insert into relation(account, other, kind, "
         "made_ms) select $1, $2, $3, $5::int8 where $4 <> 0 and $1 <> $2 and (select count(*) "
         "from relation where account = $1 and not (other = $2 and kind = $3)) < 200 and exists "
         "(select 1 from account where id = $1) "
         "on conflict (account, other, kind) do update set made_ms = relation.made_ms returning "
         "account) select account from new"},
    [RELATION_LIST] = {"relation_list",
                       "select r.kind, r.other, a.name from relation r join account a on a.id = "
                       "r.other where r.account = $1::int8 order by r.made_ms limit 200"},
    [RELATION_BLOCK] = {"relation_block",
                        "select 1::int8 from relation where kind = 1 and ((account = $1::int8 and "
                        "other = $2::int8) or (account = $2 and other = $1)) limit 1"},
    [CHALLENGE_PUT] =
        {"challenge_put",
         "insert into challenge(match, account, other, game, days, rated, made_ms) select "
         "$1::int8, $2::int8, $3::int8, $4::bytea, $5::int8, $6::int8, $7::int8 where (select "
         "count(*) from challenge where account = $2 and match <> $1) < 20 and (select count(*) "
         "from challenge where other = $3 and match <> $1) < 100 on conflict (match) do update set "
         "made_ms = excluded.made_ms "
         "returning account"},
    [CHALLENGE_DROP] = {"challenge_drop", "delete from challenge where match = $1::int8"},
    [CHALLENGE_LIST] =
        {"challenge_list",
         "select c.match, c.game, c.days, c.rated, (c.other = $1::int8)::int4::int8, a.name from "
         "challenge c join account a on a.id = case when c.other = $1 then c.account else c.other "
         "end where (c.other = $1 or c.account = $1) and c.made_ms > $2::int8 order by c.made_ms "
         "desc limit 100"},
    [REPORT_MAKE] =
        {"report_make",
         "insert into report(id, match, account, reason, made_ms, closed_ms, note) select "
         "$1::int8, $2::int8, $3::int8, $4::bytea, $5::int8, 0, '' where (select count(*) from "
         "report where (closed_ms > 0) = false and id <> $1) < 10000 on conflict (id) do update "
         "set "
         "made_ms = "
         "report.made_ms returning id"},
    [REPORT_LIST] = {"report_list",
                     "select r.id, r.match, coalesce(a.name, ''), r.reason, r.made_ms, r.note from "
                     "report r left join account a on a.id = r.account where (r.closed_ms > 0) = "
                     "($1::int8 <> 0) order by r.made_ms desc limit 200"},
    [REPORT_OF] = {"report_of", "select id, match, ''::bytea, reason, made_ms, note from report "
                                "where account = $1::int8 order by made_ms desc limit 200"},
    [REPORT_CLOSE] = {"report_close", "update report set closed_ms = $3::int8, note = $2::bytea "
                                      "where id = $1::int8 returning match"},
    [BOT_MAKE] =
        {"bot_make",
         "with o as (select id from account where id = $4::int8 for key share), made as (insert "
         "into account(id, name, folded, program, private, made_ms, renamed_ms, password, owner) "
         "select $1::int8, $2::bytea, $3::bytea, 1, 0, $5::int8, 0, "
         "'', o.id from o where not exists (select 1 from account where folded = $3 or id = $1) "
         "and "
         "(select count(*) from account where owner = $4) < 5 returning id), own as (insert into "
         "account_key(hash, account, kind, made_ms, expires_ms) select $6::bytea, id, 0, $5, 0 "
         "from made returning account) select account from own union all select a.id from account "
         "a join account_key k on k.account = a.id where a.id = $1 and a.folded = $3 and k.hash = "
         "$6"},
    [BOT_LIST] = {"bot_list", "select id, name from account where owner = $1::int8 and owner <> 0 "
                              "limit 8"},
    [GONE_LIST] = {"gone_list", "select account, at_ms from gone where (at_ms, account) > "
                                "($1::int8, $2::int8) order by at_ms, account limit $3::int8"},
    [NAMED_PUT] = {"named_put", "with a as (select id from account where id = $1::int8 for key "
                                "share), n as (insert into named(account, match, seat) select "
                                "a.id, $2::int8, $3::int8 from a on conflict do nothing) select "
                                "id from a"},
    [ERASED_LIST] = {"erased_list", "select match, seat from erased where (match, seat) > "
                                    "($1::int8, $2::int8) and match <= $3::int8 order by match, "
                                    "seat limit $4::int8"},
    [ERASED_DROP] = {"erased_drop", "delete from erased where match = $1::int8 and (seat = "
                                    "$2::int8 or $2 < 0)"},
    [ERASED_LOOK] = {"erased_look",
                     "select (exists (select 1 from match where id = $1::int8) or exists (select 1 "
                     "from days where match = $1 and not exists (select 1 from archive where id = "
                     "$1)))::int4::int8, coalesce(a.xmin::text::int8, -1), coalesce(a.players, "
                     "''), coalesce(octet_length(a.file), 0)::int8 from (select 1) one left join "
                     "archive a on a.id = $1"},
    [ERASE] = {"erase",
               "with done as (update archive set players = $3::bytea, file = $4::bytea where id = "
               "$1::int8 and xmin::text::int8 = $2::int8 returning id), size as (insert into "
               "archive_size as s select pg_backend_pid() % 1024, $5::int8 from done on conflict "
               "(part) do update set bytes = s.bytes + excluded.bytes), people as (delete from "
               "archive_player p using done d where p.id = d.id and p.name not in ($6::bytea, "
               "$7::bytea, $8::bytea, $9::bytea)), noted as (delete from erased e using done d "
               "where e.match = d.id and e.seat = any(('{' || convert_from($10::bytea, 'UTF8') || "
               "'}')::int8[])) select 1::int8 from done"},
    [ACCOUNT_STATEMENTS] = COPIES_STATEMENTS,
    {NULL, NULL}};

/* Does the statement check the epoch of this node? */
static bool is_fenced(AccountStatement which) {
    return which == DAYS_PUT || which == DAYS_PARK || which == DAYS_TAKE || which == DAYS_DROP ||
           which == DAYS_FREE || which == NOTICE_CLAIM;
}

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

#define UNIQUE_VIOLATION "23505"

/* Sends a statement; a connection that was lost while it was idle is opened once more, since all
 * may be repeated. */
static LinkAnswer send(Postgres *postgres, AccountStatement which, const LinkParameters *all,
                       PGresult **rows) {
    DatabaseLink *link = &postgres->accounts_link;
    LinkAnswer answer = LINK_LOST;
    bool again = true;
    *rows = NULL;
    for (int i = 0; i < 2 && again; i++) {
        link->only = reader_host(postgres);
        if (link->host != link->only - 1)
            link_close(link);
        if (!link_open(link))
            return LINK_LOST;
        link->patience_ms = which == ACCOUNT_DELETE ? LONG_PATIENCE_MS : PATIENCE_MS;
        answer = link_run(link, account_statements[which].name, all, rows);
        link->patience_ms = PATIENCE_MS;
        /* What is there already may be our own, from a time whose answer was lost, which becomes
         * visible only now; the statements look for that. */
        again = which != NOTICE_CLAIM && /* which is repeated by those who have to know of it */
                (answer == LINK_LOST ||
                 (answer == LINK_REFUSED && strcmp(link->code, UNIQUE_VIOLATION) == 0));
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

/* Why a statement was refused. Under the lock. */
static StoreStatus refused(Postgres *postgres) {
    const DatabaseLink *link = &postgres->accounts_link;
    if (strcmp(link->code, UNIQUE_VIOLATION) == 0)
        return STORE_TAKEN;
    if (strcmp(link->code, "23502") == 0) /* null: see ACCOUNT_COUNT_MATCH */
        return STORE_CONFLICT;
    postgres_report(postgres, link->problem);
    return STORE_FAILED;
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
    if (is_fenced(which)) {
        link_put_int4(&all, postgres->node);
        link_put_int8(&all, postgres->epoch);
    }
    lock_take(&postgres->accounts_lock);
    LinkAnswer answer = send(postgres, which, &all, &rows);
    bool kept = answer == LINK_DONE && (!writes(which) || is_kept(postgres));
    StoreStatus status = kept ? STORE_OK : answer == LINK_REFUSED ? refused(postgres) : STORE_BUSY;
    lock_give(&postgres->accounts_lock);
    if (kept)
        give_rows(rows, row, out);
    PQclear(rows);
    return status;
}
