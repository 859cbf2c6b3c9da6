/* archive.c -- the archive in the database: what is over goes there in the same statement that
 * takes it out of the journal, and lists and files are read from it. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/fault.h"
#include "store/postgres/postgres.h"

/* The most matches of one statement. */
enum { END_MAX = 64, PRUNE_MAX = 64 };

/* A page of the list; $1, $2 = ended_ms and id to stay below, $3 = the earliest end, $4 = how
 * many. */
#define LIST(from, end, id, condition)                                                             \
    "select m.id, m.started_ms, m.ended_ms, m.game, m.players, m.winner, m.reason, m.actions, "    \
    "octet_length(m.file)::int8 from " from " where not m.private and (" end ", " id               \
    ") < ($1::int8, $2::int8) and " end " >= $3::int8" condition " order by " end " desc, " id     \
    " desc limit $4::int4"
#define BY_PLAYER "archive_player p join archive m using (id)"

/* A page of the tables of nodes that work; $1, $2 = state and rank to stay behind, $3 = how many.
 */
#define TABLES(condition)                                                                          \
    "select l.id, l.state, l.rank, l.addresses[1], l.addresses[2], l.bytes from lobby l join "     \
    "node n on n.id = l.node and n.epoch = l.epoch and n.state = 'open' where l.listed and "       \
    "(l.state, l.rank) > ($1::int4, $2::int8)" condition                                           \
    " order by l.state, l.rank limit $3::int4"
/* A table and the node that has it: the one that owns its match, if it has one in the journal. */
#define TABLE(condition, order)                                                                    \
    "select l.id, l.state, l.rank, l.addresses[1], l.addresses[2], l.bytes, coalesce(m.node, "     \
    "l.node), coalesce(n.url, ''), coalesce(n.peer, ''), coalesce(n.state = 'open', "              \
    "false)::int4 from lobby l left join match m on m.id = l.id left join node n on n.id = "       \
    "coalesce(m.node, l.node) where " condition                                                    \
    " and (m.id is not null or n.epoch = l.epoch)" order

const LinkStatement reader_statements[] = {
    {"list", LIST("archive m", "m.ended_ms", "m.id", "")},
    {"list_game", LIST("archive m", "m.ended_ms", "m.id", " and m.game = $5::bytea")},
    {"list_player", LIST(BY_PLAYER, "p.ended_ms", "p.id", " and p.name = $5::bytea")},
    {"list_both",
     LIST(BY_PLAYER, "p.ended_ms", "p.id", " and p.game = $5::bytea and p.name = $6::bytea")},
    {"file_bytes", "select octet_length(file)::int8 from archive where id = $1::int8"},
    {"file", "select file from archive where id = $1::int8"},
    {"where", "select m.node, coalesce(n.url, ''), coalesce(n.peer, ''), coalesce(n.state = "
              "'open', false)::int4 from match m left join node n on n.id = m.node where m.id = "
              "$1::int8"},
    {"claim",
     "insert into waiting(key, node) values ($1::int8, $2::int4) on conflict (key) do update "
     "set node = excluded.node where waiting.node = excluded.node or not exists (select 1 "
     "from node where id = waiting.node and state = 'open') returning node"},
    {"holder", "select w.node, n.url, n.peer, 1 from waiting w join node n on n.id = w.node where "
               "w.key = $1::int8 and n.state = 'open'"},
    {"unclaim", "delete from waiting where key = $1::int8 and node = $2::int4"},
    /* For tables.c. A row of a node that was replaced meanwhile is hidden by its epoch. Keys only
     * become more: a node that has taken a match may not know all of them. */
    {"publish",
     "with me as (select 1 from node where id = $1::int4 and epoch = $2::int8), gone as (delete "
     "from lobby using me where lobby.id = any($3::int8[]) and lobby.node = $1) insert into "
     "lobby(id, node, epoch, state, listed, game, rank, addresses, keys, bytes) select t.id, $1, "
     "$2, t.state, t.listed <> 0, t.game, t.rank, array[t.a, t.b], array_remove(array[t.k, t.l, "
     "t.m], 0), t.bytes from me, unnest($4::int8[], $5::int4[], $6::int4[], $7::bytea[], "
     "$8::int8[], $9::int8[], $10::int8[], $11::int8[], $12::int8[], $13::int8[], $14::bytea[]) "
     "t(id, state, listed, game, rank, a, b, k, l, m, bytes) on conflict (id) do update set node "
     "= excluded.node, epoch = excluded.epoch, state = excluded.state, listed = excluded.listed, "
     "addresses = excluded.addresses, bytes = excluded.bytes, keys = case when lobby.keys <@ "
     "excluded.keys then excluded.keys else array(select distinct unnest(lobby.keys || "
     "excluded.keys)) end"},
    {"tables", TABLES("")},
    {"tables_game", TABLES(" and l.game = $4::bytea")},
    {"table", TABLE("l.id = $1::int8", "")},
    {"table_key", TABLE("l.keys @> array[$1::int8] and 1 << l.state & $2::int4 <> 0",
                        " order by l.rank limit 1")},
    {NULL, NULL}};

size_t archive_fold(const char *name, char out[STORE_NAME_BYTES]) {
    size_t count = 0;
    for (; name[count] != '\0' && count + 1 < STORE_NAME_BYTES; count++)
        out[count] =
            (char)(name[count] >= 'A' && name[count] <= 'Z' ? name[count] + 32 : name[count]);
    out[count] = '\0';
    return count;
}

/* --- Archiving -------------------------------------------------------------------------------- */

/* The arrays of the statement `finish`, in the order of its parameters. */
enum {
    END_NUMBERS,
    END_ID,
    END_STARTED,
    END_ENDED,
    END_GAME,
    END_PLAYERS,
    END_WINNER,
    END_REASON,
    END_ACTIONS,
    END_PRIVATE,
    END_FILE,
    PERSON_ID,
    PERSON_NAME,
    PERSON_GAME,
    PERSON_ENDED,
    END_COLUMNS
};
static const LinkType end_types[END_COLUMNS] = {
    [END_NUMBERS] = LINK_INT8,  [END_ID] = LINK_INT8,       [END_STARTED] = LINK_INT8,
    [END_ENDED] = LINK_INT8,    [END_GAME] = LINK_BYTES,    [END_PLAYERS] = LINK_BYTES,
    [END_WINNER] = LINK_INT4,   [END_REASON] = LINK_BYTES,  [END_ACTIONS] = LINK_INT8,
    [END_PRIVATE] = LINK_INT4,  [END_FILE] = LINK_BYTES,    [PERSON_ID] = LINK_INT8,
    [PERSON_NAME] = LINK_BYTES, [PERSON_GAME] = LINK_BYTES, [PERSON_ENDED] = LINK_INT8};

/* Appends the players, for the list and to be found by name. */
static void add_players(LinkArray *columns, const StoreEntry *entry) {
    char players[ARCHIVE_PLAYERS_BYTES], name[STORE_NAME_BYTES];
    size_t count = 0;
    for (uint32_t i = 0; i < entry->players_count; i++) {
        const StorePlayer *player = &entry->players[i];
        size_t name_bytes = strlen(player->name) + 1, role_bytes = strlen(player->role) + 1;
        memcpy(players + count, player->name, name_bytes);
        memcpy(players + count + name_bytes, player->role, role_bytes);
        count += name_bytes + role_bytes;
        link_array_int8(&columns[PERSON_ID], (int64_t)entry->match);
        link_array_bytes(&columns[PERSON_NAME], name, archive_fold(player->name, name));
        link_array_bytes(&columns[PERSON_GAME], entry->game, strlen(entry->game));
        link_array_int8(&columns[PERSON_ENDED], (int64_t)entry->ended_ms);
    }
    link_array_bytes(&columns[END_PLAYERS], players, count);
}

/* Appends a match that is over. */
static void add_end(LinkArray *columns, const EndJob *job) {
    const StoreEntry *entry = &job->entry;
    link_array_int8(&columns[END_ID], (int64_t)entry->match);
    link_array_int8(&columns[END_STARTED], (int64_t)entry->started_ms);
    link_array_int8(&columns[END_ENDED], (int64_t)entry->ended_ms);
    link_array_bytes(&columns[END_GAME], entry->game, strlen(entry->game));
    link_array_int4(&columns[END_WINNER], entry->winner);
    link_array_bytes(&columns[END_REASON], entry->reason, strlen(entry->reason));
    link_array_int8(&columns[END_ACTIONS], entry->actions);
    link_array_int4(&columns[END_PRIVATE], entry->is_private);
    link_array_bytes(&columns[END_FILE], job + 1, job->count);
    add_players(columns, entry);
}

/* Fills the arrays with the matches that have waited longest; how many. They stay in the list until
 * they are archived; only the keeper removes from it. */
static uint32_t collect(Postgres *postgres, size_t *bytes) {
    uint32_t count = 0;
    *bytes = 0;
    for (int i = 0; i < END_COLUMNS; i++)
        link_array_begin(&postgres->columns[i], end_types[i]);
    lock_take(&postgres->lock);
    for (const EndJob *job = postgres->end_first;
         job != NULL && job->after <= postgres->done.appended && count < END_MAX &&
         *bytes < GROUP_BYTES_MAX;
         job = job->next, count++) {
        const OpenMatch *match = ledger_find(&postgres->ledger, job->entry.match);
        if (match != NULL && match->row != 0)
            link_array_int8(&postgres->columns[END_NUMBERS], match->row);
        if (job->ticket != 0)
            add_end(postgres->columns, job);
        *bytes += job->count;
    }
    lock_give(&postgres->lock);
    return count;
}

/* The first `count` of the list are done. */
static void complete(Postgres *postgres, uint32_t count) {
    lock_take(&postgres->lock);
    for (; count > 0; count--) {
        EndJob *job = postgres->end_first;
        postgres->end_first = job->next;
        if (job->next == NULL)
            postgres->end_last = NULL;
        postgres->end_bytes -= sizeof *job + job->count;
        postgres->end_count--;
        if (job->ticket != 0 && postgres->done.failure == NULL)
            postgres->done.finished = job->ticket;
        postgres->figures.finished += job->ticket != 0;
        OpenMatch *match = ledger_find(&postgres->ledger, job->entry.match);
        if (match != NULL)
            ledger_forget(&postgres->ledger, match);
        free(job);
    }
    lock_give(&postgres->lock);
    postgres_notify(postgres);
}

bool ends_work(Postgres *postgres) {
    LinkParameters all = {.count = 0};
    DatabaseLink *link = &postgres->keeper_link;
    PGresult *rows;
    size_t bytes;
    uint32_t count = collect(postgres, &bytes);
    bool failed = false;
    link_put_int4(&all, postgres->node);
    link_put_int8(&all, postgres->epoch);
    for (int i = 0; i < END_COLUMNS; i++) {
        failed = failed || postgres->columns[i].failed;
        if (!failed)
            link_put_array(&all, &postgres->columns[i]);
    }
    if (failed)
        return false;
    link->patience_ms = PATIENCE_MS + (uint32_t)(bytes >> 10);
    FAULT_POINT("before_archive");
    LinkAnswer answer = link_run(link, "finish", &all, &rows);
    link->patience_ms = PATIENCE_MS;
    FAULT_POINT("after_archive");
    if (answer != LINK_DONE) { /* asking again is harmless: what is archived stays as it is */
        lock_take(&postgres->lock);
        postgres->figures.archive_failures++;
        lock_give(&postgres->lock);
        return false;
    }
    bool owner = link_int4(rows, 0, 0) == 1;
    PQclear(rows);
    if (!owner) {
        postgres_depose(postgres);
        return true;
    }
    bool enough;
    if (link->doubt ||
        copies_wait(postgres, link, &postgres->keeper_wakes, COPIES_MS, &enough) != LINK_DONE)
        return false;
    if (enough)
        complete(postgres, count);
    else /* it is asked for again */
        postgres->retry_ms = link_clock_ms() + RETRY_MS;
    return true;
}

/* Removes what is too much; how many matches, and whether there may be more. */
static uint64_t remove_some(Postgres *postgres, const StorePrune *wanted, bool *more) {
    LinkParameters age = {.count = 0}, none = {.count = 0}, many = {.count = 0};
    DatabaseLink *link = &postgres->keeper_link;
    PGresult *rows;
    uint64_t removed = 0;
    *more = false;
    link_put_int8(&age, (int64_t)wanted->before_ms);
    link_put_int4(&age, PRUNE_MAX);
    if (wanted->before_ms > 0) {
        if (link_run(link, "prune_age", &age, &rows) != LINK_DONE)
            return 0;
        removed = (uint64_t)PQntuples(rows);
        PQclear(rows);
    }
    *more = removed == PRUNE_MAX;
    if (*more || wanted->bytes_max == 0 ||
        link_run(link, "archive_bytes", &none, &rows) != LINK_DONE)
        return removed;
    uint64_t bytes = (uint64_t)link_int8(rows, 0, 0);
    PQclear(rows);
    link_put_int4(&many, 1);
    *more = true; /* unless there is nothing left to remove; a beat comes first */
    while (*more && bytes > wanted->bytes_max && removed < PRUNE_MAX &&
           link_clock_ms() < postgres->beat_ms &&
           link_run(link, "prune_bytes", &many, &rows) == LINK_DONE) {
        *more = PQntuples(rows) > 0;
        bytes -= *more ? (uint64_t)link_int4(rows, 0, 0) : 0;
        removed += *more;
        PQclear(rows);
    }
    *more = *more && bytes > wanted->bytes_max;
    lock_take(&postgres->lock);
    postgres->figures.archive_bytes = bytes;
    lock_give(&postgres->lock);
    return removed;
}

void ends_prune(Postgres *postgres) {
    bool more;
    lock_take(&postgres->lock);
    StorePrune wanted = postgres->prune;
    lock_give(&postgres->lock);
    if ((wanted.before_ms == 0 && wanted.bytes_max == 0) ||
        postgres->keeper_link.connection == NULL)
        return;
    uint64_t removed = remove_some(postgres, &wanted, &more);
    lock_take(&postgres->lock);
    postgres->figures.pruned += removed;
    if (!more) /* the caller asks again if needed */
        postgres->prune = (StorePrune){0};
    lock_give(&postgres->lock);
}

/* --- Reading ---------------------------------------------------------------------------------- */

int reader_host(Postgres *postgres) {
    lock_take(&postgres->lock);
    int host = postgres->alive_host;
    lock_give(&postgres->lock);
    return host + 1;
}

/* The reader's connection, open, with the machine that we beat at. False = not now. */
static bool open_reader(Postgres *postgres) {
    DatabaseLink *link = &postgres->reader_link;
    link->only = reader_host(postgres);
    if (link->host != link->only - 1)
        link_close(link);
    return link_open(link);
}

/* As reader_run(). The caller holds reader_lock. */
static StoreStatus ask(Postgres *postgres, const char *name, const LinkParameters *parameters,
                       PGresult **rows) {
    DatabaseLink *link = &postgres->reader_link;
    LinkAnswer answer = LINK_LOST;
    *rows = NULL;
    for (int i = 0; i < 2 && answer == LINK_LOST; i++) {
        if (!open_reader(postgres))
            return STORE_BUSY;
        answer = link_run(link, name, parameters, rows);
    }
    if (answer == LINK_DONE)
        return STORE_OK;
    if (answer == LINK_LOST || strcmp(link->code, "57014") == 0) /* it took too long */
        return STORE_BUSY;
    postgres_report(postgres, link->problem);
    return STORE_FAILED;
}

StoreStatus reader_run(Postgres *postgres, const char *name, const LinkParameters *parameters,
                       PGresult **rows) {
    lock_take(&postgres->reader_lock);
    StoreStatus status = ask(postgres, name, parameters, rows);
    lock_give(&postgres->reader_lock);
    return status;
}

/* Copies bytes of a column as a string of at most `max`. */
static void copy_text(const PGresult *rows, int row, int column, char *out, size_t max) {
    size_t count = (size_t)PQgetlength(rows, row, column);
    count = count < max ? count : max - 1;
    memcpy(out, PQgetvalue(rows, row, column), count);
    out[count] = '\0';
}

const char *archive_take_text(const char *at, const char *end, char *out, size_t max) {
    size_t count = 0;
    for (; at < end && *at != '\0'; at++)
        if (count + 1 < max)
            out[count++] = *at;
    out[count] = '\0';
    return at < end ? at + 1 : at;
}

/* A row of the list as an entry. */
static void read_entry(const PGresult *rows, int row, StoreEntry *entry) {
    memset(entry, 0, sizeof *entry);
    entry->match = (uint64_t)link_int8(rows, row, 0);
    entry->started_ms = (uint64_t)link_int8(rows, row, 1);
    entry->ended_ms = (uint64_t)link_int8(rows, row, 2);
    copy_text(rows, row, 3, entry->game, sizeof entry->game);
    const char *at = PQgetvalue(rows, row, 4), *end = at + PQgetlength(rows, row, 4);
    while (at < end && entry->players_count < STORE_PLAYERS_MAX) {
        StorePlayer *player = &entry->players[entry->players_count++];
        at = archive_take_text(at, end, player->name, sizeof player->name);
        at = archive_take_text(at, end, player->role, sizeof player->role);
    }
    entry->winner = link_int4(rows, row, 5);
    copy_text(rows, row, 6, entry->reason, sizeof entry->reason);
    entry->actions = (uint32_t)link_int8(rows, row, 7);
    entry->bytes = (uint64_t)link_int8(rows, row, 8);
}

StoreStatus reader_list(Store *store, const StoreFilter *filter, StoreEntry *entries, uint32_t max,
                        uint32_t *count) {
    Postgres *postgres = (Postgres *)store;
    LinkParameters all = {.count = 0};
    PGresult *rows;
    char name[STORE_NAME_BYTES];
    FilterBound bound = filter_bound(filter);
    link_put_int8(&all, bound.below_ms);
    link_put_int8(&all, bound.below_id);
    link_put_int8(&all, bound.from_ms);
    link_put_int4(&all, max > INT32_MAX ? INT32_MAX : (int32_t)max);
    if (filter->game != NULL)
        link_put_bytes(&all, filter->game, strlen(filter->game));
    if (filter->player != NULL)
        link_put_bytes(&all, name, archive_fold(filter->player, name));
    const char *statement = filter->game != NULL && filter->player != NULL ? "list_both"
                            : filter->player != NULL                       ? "list_player"
                            : filter->game != NULL                         ? "list_game"
                                                                           : "list";
    *count = 0;
    StoreStatus status = reader_run(postgres, statement, &all, &rows);
    if (status != STORE_OK)
        return status;
    for (int row = 0; row < PQntuples(rows); row++)
        read_entry(rows, row, &entries[(*count)++]);
    PQclear(rows);
    return STORE_OK;
}

StoreStatus reader_read(Store *store, uint64_t match, void *bytes, size_t max, size_t *count) {
    Postgres *postgres = (Postgres *)store;
    LinkParameters which = {.count = 0};
    PGresult *rows;
    *count = 0;
    link_put_int8(&which, (int64_t)match);
    lock_take(&postgres->reader_lock);
    StoreStatus status = ask(postgres, "file_bytes", &which, &rows);
    bool found = status == STORE_OK && PQntuples(rows) == 1;
    if (found)
        *count = (size_t)link_int8(rows, 0, 0);
    PQclear(rows);
    rows = NULL;
    if (found && *count <= max)
        status = ask(postgres, "file", &which, &rows);
    lock_give(&postgres->reader_lock);
    bool read = rows != NULL && PQntuples(rows) == 1 && (size_t)PQgetlength(rows, 0, 0) == *count;
    if (read && *count > 0)
        memcpy(bytes, PQgetvalue(rows, 0, 0), *count);
    PQclear(rows);
    if (status != STORE_OK)
        return status;
    return !found ? STORE_UNKNOWN : *count > max ? STORE_TOO_LONG : read ? STORE_OK : STORE_UNKNOWN;
}

/* Has the node not been heard of for so long that it may be lost? */
static bool is_silent(Postgres *postgres, uint32_t node) {
    bool silent = false;
    lock_take(&postgres->lock);
    for (uint32_t i = 0; i < postgres->silent_count; i++)
        silent = silent || (uint32_t)postgres->silent[i] == node;
    lock_give(&postgres->lock);
    return silent;
}

StorePlace reader_place(Postgres *postgres, const PGresult *rows, int row, int column) {
    StorePlace place = {.node = (uint32_t)link_int4(rows, row, column)};
    copy_text(rows, row, column + 1, place.url, sizeof place.url);
    copy_text(rows, row, column + 2, place.peer, sizeof place.peer);
    place.open = link_int4(rows, row, column + 3) != 0 && !is_silent(postgres, place.node);
    place.here = place.node == postgres->setup.node;
    return place;
}

/* Asks for a place by a number; STORE_UNKNOWN = there is none. */
static StoreStatus ask_place(Postgres *postgres, const char *name, uint64_t number,
                             StorePlace *place) {
    LinkParameters which = {.count = 0};
    PGresult *rows;
    *place = (StorePlace){0};
    link_put_int8(&which, (int64_t)number);
    StoreStatus status = reader_run(postgres, name, &which, &rows);
    bool found = status == STORE_OK && PQntuples(rows) == 1;
    if (found)
        *place = reader_place(postgres, rows, 0, 0);
    PQclear(rows);
    return status != STORE_OK ? status : found ? STORE_OK : STORE_UNKNOWN;
}

StoreStatus reader_where(Store *store, uint64_t match, StorePlace *place) {
    return ask_place((Postgres *)store, "where", match, place);
}

/* Runs a statement about a key and this node; how many rows it gave, or -1. */
static int ask_about_key(Postgres *postgres, const char *name, uint64_t key) {
    LinkParameters all = {.count = 0};
    PGresult *rows;
    link_put_int8(&all, (int64_t)key);
    link_put_int4(&all, postgres->node);
    StoreStatus status = reader_run(postgres, name, &all, &rows);
    int count = status == STORE_OK ? PQntuples(rows) : -1;
    PQclear(rows);
    return count;
}

StoreStatus reader_claim(Store *store, uint64_t key, StorePlace *place) {
    enum { TRIES = 3 };
    Postgres *postgres = (Postgres *)store;
    StoreStatus status = STORE_UNKNOWN;
    /* Between the two questions the other node may have let it go. */
    for (int i = 0; i < TRIES && status == STORE_UNKNOWN; i++) {
        int claimed = ask_about_key(postgres, "claim", key);
        *place = (StorePlace){.node = postgres->setup.node, .open = true, .here = true};
        if (claimed != 0)
            return claimed > 0 ? STORE_OK : STORE_BUSY;
        status = ask_place(postgres, "holder", key, place);
    }
    return status;
}

void reader_unclaim(Store *store, uint64_t key) {
    ask_about_key((Postgres *)store, "unclaim", key);
}
