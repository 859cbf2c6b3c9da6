/* schema.c -- the tables of the PostgreSQL store, their versions, and the settings of a database
 * that keeps what it has acknowledged. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/postgres/postgres.h"

/* --- Tables ----------------------------------------------------------------------------------- */

/* What leads from each version to the next; the first from an empty database. Never change one that
 * was released: add another. Texts of players are bytea because they may be any bytes; `players` is
 * name, NUL, role, NUL for each seat. `n` numbers matches as they begin, so that the journal's rows
 * of one match, and of one time, lie together. */
static const char *const steps[] = {
    "create table node (id int4 primary key, epoch int8 not null, beat int8 not null default 0,"
    " url text not null, load int4 not null default 0, state text not null default 'open'"
    " check (state in ('open', 'gone'))) with (fillfactor = 50);"
    "create sequence match_number;"
    "create table match (n int8 primary key, id int8 not null unique, node int4 not null,"
    " begun_ms int8 not null);"
    "create index match_by_node on match (node);"
    "create table journal (n int8 not null, seq int4 not null, at_ms int8 not null,"
    " kind int4 not null, bytes bytea not null, primary key (n, seq))"
    " with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);"
    "create table archive (id int8 primary key, started_ms int8 not null, ended_ms int8 not null,"
    " game bytea not null, players bytea not null, winner int4 not null, reason bytea not null,"
    " actions int8 not null, private bool not null, file bytea not null);"
    "create index archive_by_end on archive (ended_ms, id) where not private;"
    "create index archive_by_game on archive (game, ended_ms, id) where not private;"
    "create index archive_by_age on archive (ended_ms, id) include (private);"
    "create table archive_player (id int8 not null references archive on delete cascade,"
    " name bytea not null, game bytea not null, ended_ms int8 not null, primary key (id, name));"
    "create index archive_player_by_name on archive_player (name, ended_ms, id);"
    "create index archive_player_by_game on archive_player (name, game, ended_ms, id);"
    "create table document (name text primary key, version int8 not null, bytes bytea not null);"
    "create table waiting (key int8 primary key, node int4 not null);",
    /* Version 2: where other nodes reach a node; the tables that are open at all nodes, each as its
     * node has last written it. A row counts only while its node has the epoch that wrote it.
     * `rank` orders them, newest first. Programs of version 1 go on with these tables. */
    "alter table node add column peer text not null default '';"
    "create table lobby (id int8 primary key, node int4 not null, epoch int8 not null,"
    " state int4 not null, listed bool not null, game bytea not null, rank int8 not null,"
    " addresses int8[] not null, keys int8[] not null, bytes bytea not null)"
    " with (fillfactor = 50);"
    "create index lobby_by_rank on lobby (state, rank) where listed;"
    "create index lobby_by_game on lobby (game, state, rank) where listed;"
    "create index lobby_by_key on lobby using gin (keys);",
    /* Version 3: players' accounts, their keys by hash, ratings, and who played which match.
     * `counted` has every match that was counted for an account: none is counted twice. Programs of
     * version 2 go on with these tables. */
    "create table account (id int8 primary key, name bytea not null, folded bytea not null unique,"
    " program int8 not null, private int8 not null, made_ms int8 not null, renamed_ms int8 not"
    " null, password bytea not null);"
    "create table account_key (hash bytea primary key, account int8 not null, kind int8 not null,"
    " made_ms int8 not null, expires_ms int8 not null);"
    "create index account_key_by_account on account_key (account);"
    "create table rating (account int8 not null, game bytea not null, pace int8 not null, program"
    " int8 not null, rating int8 not null, deviation int8 not null, volatility int8 not null,"
    " certain_ms int8 not null, rated_ms int8 not null, rated int8 not null, matches int8 not null,"
    " wins int8 not null, draws int8 not null, losses int8 not null, streak int8 not null, best"
    " int8 not null, primary key (account, game, pace)) with (fillfactor = 80);"
    "create index rating_by_rank on rating (game, pace, program, rating) where certain_ms > 0;"
    "create table counted (match int8 primary key, rating0 int8 not null, change0 int8 not null,"
    " rating1 int8 not null, change1 int8 not null);"
    "create table played (account int8 not null, ended_ms int8 not null, match int8 not null, seat"
    " int8 not null, game bytea not null, pace int8 not null, other int8 not null, other_name bytea"
    " not null, result int8 not null, rated int8 not null, weight int8 not null, rating int8 not"
    " null, change int8 not null, primary key (account, ended_ms, match, seat));"
    "create index played_by_game on played (account, game, ended_ms, match);"
    "create index played_by_other on played (account, other, ended_ms) where rated = 1;",
    /* Version 4: matches over days, and vacations. A session of 0: the match rests; otherwise it is
     * the number of an open match. And the size of the archive. Programs of version 3 go on with
     * these tables. */
    "create table days (match int8 primary key, session int8 not null, generation int8 not null,"
    " game bytea not null, days int8 not null, account0 int8 not null, account1 int8 not null,"
    " awaited int8 not null, began0 int8 not null, began1 int8 not null, deadline0 int8 not null,"
    " deadline1 int8 not null, claimed_ms int8 not null, records bytea not null);"
    "create index days_by_deadline on days ((case awaited when 0 then 9000000000000000000 when 1"
    " then deadline0 when 2 then deadline1 else least(deadline0, deadline1) end)) where session ="
    " 0;"
    "create index days_open on days (session) where session <> 0;"
    "create index days_by_first on days (account0);"
    "create index days_by_second on days (account1);"
    "create table vacation (account int8 primary key, until_ms int8 not null, year int8 not null,"
    " used int8 not null);"
    /* How many bytes of files the archive has, in parts that are summed up: a connection changes a
     * part of its own, so that nodes do not wait for each other. */
    "create table archive_size (part int4 primary key, bytes int8 not null)"
    " with (fillfactor = 50);"
    "create function archive_grows() returns trigger language plpgsql as $$ begin"
    " insert into archive_size as s select pg_backend_pid() % 1024, sum(octet_length(file)) from"
    " rows having count(*) > 0 on conflict (part) do update set bytes = s.bytes + excluded.bytes;"
    " return null; end $$;"
    "create function archive_shrinks() returns trigger language plpgsql as $$ begin"
    " insert into archive_size as s select pg_backend_pid() % 1024, -sum(octet_length(file)) from"
    " rows having count(*) > 0 on conflict (part) do update set bytes = s.bytes + excluded.bytes;"
    " return null; end $$;"
    "create trigger archive_grows after insert on archive referencing new table as rows"
    " for each statement execute function archive_grows();"
    "create trigger archive_shrinks after delete on archive referencing old table as rows"
    " for each statement execute function archive_shrinks();"
    "insert into archive_size select -1, coalesce(sum(octet_length(file)), 0) from archive;",
    /* Version 5: where players are told of their turns, whom they know, challenges, reports, and
     * the owners of programs. Programs of version 4 go on with these tables. */
    "alter table account add column owner int8 not null default 0;"
    "create index account_by_owner on account (owner) where owner <> 0;"
    "alter table days add column told0 int8 not null default 0;"
    "alter table days add column told1 int8 not null default 0;"
    "create table notice (account int8 not null, kind int8 not null, target bytea not null, keys"
    " bytea not null, made_ms int8 not null, primary key (account, kind, target));"
    "create table relation (account int8 not null, other int8 not null, kind int8 not null, made_ms"
    " int8 not null, primary key (account, other, kind));"
    "create index relation_by_other on relation (other);"
    "create table challenge (match int8 primary key, account int8 not null, other int8 not null,"
    " game bytea not null, days int8 not null, rated int8 not null, made_ms int8 not null);"
    "create index challenge_by_account on challenge (account);"
    "create index challenge_by_other on challenge (other);"
    "create table report (id int8 primary key, match int8 not null, account int8 not null, reason"
    " bytea not null, made_ms int8 not null, closed_ms int8 not null, note bytea not null);"
    "create index report_by_time on report ((closed_ms > 0), made_ms);",
    /* Version 6: leaderboards that cost the same however many ratings are too old for them.
     * Programs of version 5 go on with these tables. */
    "drop index rating_by_rank;"
    "create index rating_by_rank on rating (game, pace, program, rating, certain_ms) where"
    " certain_ms > 0;"
    "create index rating_by_certainty on rating (game, pace, program, certain_ms);",
    /* Version 7: how players began. Programs of version 5 go on with these tables. */
    "alter table played add column opening bytea not null default '';",
    /* Version 8: matches to which a player did not come back. Programs of version 7 go on with
     * these tables. */
    ("create table left_match (account int8 not null, match int8 not null, left_ms int8 not null,"
     " primary key (account, match));"),
    /* Version 9: accounts that are gone, with those that owned them; what has the name of an
     * account in the archive besides the matches in `played`; and where the name of one that is
     * gone is still to be taken out. Each statement of the function sees what was committed before
     * it: so a match that is counted for the account meanwhile, which locks it, is seen. Programs
     * of version 8 go on with these tables, but what is deleted by one of them stays in matches. */
    ("create table gone (owner int8 not null, account int8 not null, at_ms int8 not null, primary"
     " key (owner, account));"
     "create index gone_by_time on gone (at_ms, account);"
     "create table named (account int8 not null, match int8 not null, seat int8 not null, primary"
     " key (account, match, seat));"
     "create table erased (match int8 not null, seat int8 not null, primary key (match, seat));"
     "create function account_erase(root int8, now int8, forget int8) returns setof int8 language"
     " plpgsql as $$ begin"
     " delete from gone where at_ms < forget;"
     " perform 1 from rating where account in (select id from account where id = root or (owner ="
     " root and owner <> 0)) order by account, game, pace for update;"
     " perform 1 from account where id = root or (owner = root and owner <> 0) order by id for"
     " update;"
     " insert into gone select root, id, now from account where id = root or (owner = root and"
     " owner <> 0) on conflict do nothing;"
     " insert into erased select match, seat from played where account in (select g.account from"
     " gone g where g.owner = root) union select match, seat from named where account in (select"
     " g.account from gone g where g.owner = root) on conflict do nothing;"
     " delete from named where account in (select g.account from gone g where g.owner = root);"
     " delete from account_key where account in (select g.account from gone g where g.owner ="
     " root);"
     " delete from rating where account in (select g.account from gone g where g.owner = root);"
     " delete from played where account in (select g.account from gone g where g.owner = root);"
     " delete from left_match where account in (select g.account from gone g where g.owner = root);"
     " delete from vacation where account in (select g.account from gone g where g.owner = root);"
     " delete from notice where account in (select g.account from gone g where g.owner = root);"
     " delete from relation where account in (select g.account from gone g where g.owner = root) or"
     " other in (select g.account from gone g where g.owner = root);"
     " delete from challenge where account in (select g.account from gone g where g.owner = root)"
     " or other in (select g.account from gone g where g.owner = root);"
     " delete from account where id in (select g.account from gone g where g.owner = root);"
     " return query select account from gone where owner = root; end $$;"),
};
enum { SCHEMA_VERSION = sizeof steps / sizeof *steps };

/* The version of the tables: 0 = there are none; -1 = it could not be asked. */
static int version_of(DatabaseLink *link) {
    PGresult *rows;
    int version = 0;
    if (link_text(link, "select to_regclass('house') is null", &rows) != LINK_DONE)
        return -1;
    bool none = strcmp(PQgetvalue(rows, 0, 0), "t") == 0;
    PQclear(rows);
    if (none)
        return 0;
    if (link_text(link, "select format from house", &rows) != LINK_DONE)
        return -1;
    if (PQntuples(rows) == 1)
        version = (int)strtol(PQgetvalue(rows, 0, 0), NULL, 10);
    PQclear(rows);
    return version;
}

/* Says that the tables are of a newer program; false. */
static bool refuse_newer(int version, MashText *problem) {
    text_format(problem,
                "the tables of the database are of version %d, and this program knows them up to "
                "version %d: use the newer mashup that made them",
                version, SCHEMA_VERSION);
    return false;
}

bool schema_is_current(DatabaseLink *link, MashText *problem) {
    int version = version_of(link);
    if (version > SCHEMA_VERSION)
        return refuse_newer(version, problem);
    if (version < 0)
        text_format(problem, "cannot read the tables of the database: %s", link->problem);
    else if (version == 0)
        text_string(problem, "the database has no tables of mashup yet: make them with `mashup "
                             "admin store upgrade --store ...`");
    else if (version < SCHEMA_VERSION)
        text_format(problem,
                    "the tables of the database are of version %d and this program needs version "
                    "%d: run `mashup admin store upgrade --store ...` first; nodes that are "
                    "running go on meanwhile",
                    version, SCHEMA_VERSION);
    return version == SCHEMA_VERSION;
}

/* A connection for an operator's command: with the settings as they are. */
static bool open_plain(DatabaseLink *link, const char *where, MashText *problem) {
    *link = (DatabaseLink){.where = where, .application = "mashup-admin", .patience_ms = 600000};
    if (link_open(link))
        return true;
    text_format(problem, "cannot connect to the database: %s", link->problem);
    return false;
}

/* Runs statements without an answer. False: with a problem. */
static bool run(DatabaseLink *link, const char *sql, MashText *problem) {
    PGresult *rows;
    bool done = link_text(link, sql, &rows) == LINK_DONE;
    if (!done)
        text_format(problem, "the database refused: %s", link->problem);
    PQclear(rows);
    return done;
}

/* Brings the tables up to date inside a transaction, one program at a time: two cannot make the
 * first table at once. False: with a problem. */
static bool upgrade(DatabaseLink *link, void (*report)(void *owner, const char *sentence),
                    void *owner, MashText *problem) {
    char sentence[128];
    if (!run(link,
             "begin; set local synchronous_commit = on;"
             "select pg_advisory_xact_lock(1835102066);"
             "create table if not exists house (one bool primary key default true check (one),"
             " format int4 not null); lock table house in access exclusive mode;"
             "insert into house(format) values (0) on conflict do nothing",
             problem))
        return false;
    int version = version_of(link);
    if (version < 0) {
        text_format(problem, "cannot read the tables of the database: %s", link->problem);
        return false;
    }
    if (version > SCHEMA_VERSION)
        return refuse_newer(version, problem);
    for (int next = version + 1; next <= SCHEMA_VERSION; next++) {
        if (!run(link, steps[next - 1], problem))
            return false;
        snprintf(sentence, sizeof sentence, "update house set format = %d", next);
        if (!run(link, sentence, problem))
            return false;
    }
    if (!run(link, "commit", problem))
        return false;
    if (version == SCHEMA_VERSION)
        snprintf(sentence, sizeof sentence, "the tables are of version %d already", version);
    else
        snprintf(sentence, sizeof sentence, "the tables are of version %d now (%s %d)",
                 SCHEMA_VERSION, "before:", version);
    report(owner, sentence);
    return true;
}

bool schema_upgrade(const char *where, void (*report)(void *owner, const char *sentence),
                    void *owner, MashText *problem) {
    DatabaseLink link;
    if (!open_plain(&link, where, problem))
        return false;
    bool done = upgrade(&link, report, owner, problem);
    link_close(&link);
    return done;
}

/* --- Settings --------------------------------------------------------------------------------- */

/* A setting that may lose what was acknowledged, or that makes a fault last longer. `bad` is a
 * condition on its value, `s.setting`. */
typedef struct Rule {
    const char *name, *bad, *why, *fix;
    bool loses; /* what was acknowledged; otherwise it is advice */
} Rule;
static const Rule rules[] = {
    {"fsync", "setting <> 'on'", "a machine that loses power loses moves that were acknowledged",
     "alter system set fsync = on", true},
    {"full_page_writes", "setting <> 'on'",
     "a machine that loses power may keep torn pages, and with them damaged matches",
     "alter system set full_page_writes = on", true},
    {"zero_damaged_pages", "setting <> 'off'",
     "a damaged page is taken for an empty one, and the moves on it are gone without a word",
     "alter system set zero_damaged_pages = off", true},
    {"data_sync_retry", "setting <> 'off'",
     "what a disk failed to write once may be taken for written",
     "alter system set data_sync_retry = off", true},
    {"synchronous_commit", "setting not in ('on', 'remote_apply')",
     "commits of other programs return before they are safe (mashup sets it for itself)",
     "alter system set synchronous_commit = on", false},
    {"synchronous_standby_names", "setting = ''",
     "there is one copy of everything: the loss of this machine loses acknowledged moves",
     "alter system set synchronous_standby_names = 'ANY 1 (b, c)'", true},
    {"synchronous_standby_names",
     "setting <> '' and pg_has_role('pg_read_all_stats', 'usage') and not exists (select from "
     "pg_stat_replication where sync_state in ('sync', 'quorum'))",
     "no standby of that name follows, so every commit waits for one",
     "start it, or write its application_name: alter system set synchronous_standby_names = 'ANY "
     "1 (b, c)'",
     false},
    {"synchronous_standby_names", "setting ~ ',' and setting !~* '^ *any '",
     "commits wait for the first of these only, so that no other may ever be promoted",
     "alter system set synchronous_standby_names = 'ANY 1 (b, c)'", false},
    {"synchronous_standby_names", "setting ~ '[*]'",
     "any program that follows counts as a copy, also one that keeps nothing",
     "alter system set synchronous_standby_names = 'ANY 1 (b, c)'", false},
    {"wal_level", "setting = 'minimal'", "no standby can follow",
     "alter system set wal_level = replica", true},
    {"statement_timeout", "setting <> '0'",
     "a statement that waits for its standby is cancelled, and then counts as done on one machine "
     "(mashup sets it for itself)",
     "alter system set statement_timeout = 0", false},
    {"client_connection_check_interval", "setting::int8 = 0 or setting::int8 > 5000",
     "statements of a node that is gone keep their locks until they end",
     "alter system set client_connection_check_interval = '2s'", false},
    {"tcp_keepalives_idle",
     "inet_server_addr() is not null and (setting::int8 = 0 or setting::int8 > 10)",
     "a node that was cut off is noticed late",
     "alter system set tcp_keepalives_idle = 2; alter system set tcp_keepalives_interval = 1; "
     "alter "
     "system set tcp_keepalives_count = 3",
     false},
    {"idle_in_transaction_session_timeout", "setting::int8 = 0 or setting::int8 > 60000",
     "a program that forgets an open transaction holds up the cleaning of the journal for ever",
     "alter system set idle_in_transaction_session_timeout = '5s'", false},
    {"wal_sender_timeout", "setting::int8 = 0",
     "a standby that was cut off counts as one that follows",
     "alter system set wal_sender_timeout = '5s'", false},
    {"data_checksums", "setting <> 'on'", "what a disk changes by itself is not found",
     "pg_checksums --enable, while it is stopped", false},
    {"max_slot_wal_keep_size", "setting::int8 < 0",
     "a standby that stays away fills the disk of the primary",
     "alter system set max_slot_wal_keep_size = '10GB'", false},
};

/* Asks for one rule, and reports it if it is broken. False: it could not be asked. */
static bool check_rule(DatabaseLink *link, const Rule *rule,
                       void (*report)(void *owner, const char *sentence), void *owner,
                       uint32_t *unsafe, MashText *problem) {
    char sql[1280], sentence[1280];
    PGresult *rows;
    /* What is set for the role or the database counts more than what is set for the system. */
    snprintf(sql, sizeof sql,
             "select current_setting(name), case when context = 'postmaster' then ', and start it "
             "again' when context = 'internal' then '' else '; select pg_reload_conf();' end, case "
             "source when 'user' then format('alter role %%I reset %%s; ', current_user, name) "
             "when 'database' then format('alter database %%I reset %%s; ', current_database(), "
             "name) when 'database user' then format('alter role %%I in database %%I reset %%s; ', "
             "current_user, current_database(), name) else '' end from (select name, setting, "
             "context, source from pg_settings where name = '%s') s where %s",
             rule->name, rule->bad);
    if (link_text(link, sql, &rows) != LINK_DONE) {
        text_format(problem, "cannot read the settings of the database: %s", link->problem);
        return false;
    }
    if (PQntuples(rows) > 0) {
        const char *value = PQgetvalue(rows, 0, 0);
        snprintf(sentence, sizeof sentence, "%s: %s is %s%s%s: %s. To fix it: %s%s%s",
                 rule->loses ? "unsafe" : "advice", rule->name, value[0] == '\0' ? "empty" : "\"",
                 value, value[0] == '\0' ? "" : "\"", rule->why, PQgetvalue(rows, 0, 2), rule->fix,
                 PQgetvalue(rows, 0, 1));
        report(owner, sentence);
        *unsafe += rule->loses;
    }
    PQclear(rows);
    return true;
}

/* May this role see how far the standbys are? Otherwise --copies waits for ever. */
static bool check_rights(DatabaseLink *link, void (*report)(void *owner, const char *sentence),
                         void *owner, MashText *problem) {
    PGresult *rows;
    if (link_text(link, "select pg_has_role('pg_read_all_stats', 'usage'), current_user", &rows) !=
        LINK_DONE) {
        text_format(problem, "cannot read the rights in the database: %s", link->problem);
        return false;
    }
    char sentence[512];
    snprintf(sentence, sizeof sentence,
             "advice: the role %s may not see the standbys, so copies are counted as one and "
             "--copies 2 would wait for ever. To fix it: grant pg_read_all_stats to \"%s\";",
             PQgetvalue(rows, 0, 1), PQgetvalue(rows, 0, 1));
    if (strcmp(PQgetvalue(rows, 0, 0), "t") != 0)
        report(owner, sentence);
    PQclear(rows);
    return true;
}

bool schema_check(const char *where, void (*report)(void *owner, const char *sentence), void *owner,
                  uint32_t *unsafe, MashText *problem) {
    DatabaseLink link;
    *unsafe = 0;
    if (!open_plain(&link, where, problem))
        return false;
    bool asked = check_rights(&link, report, owner, problem);
    for (size_t i = 0; asked && i < sizeof rules / sizeof *rules; i++)
        asked = check_rule(&link, &rules[i], report, owner, unsafe, problem);
    link_close(&link);
    return asked;
}
