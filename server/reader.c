/* reader.c -- see reader.h: queries to the archive, in a separate thread.
 *
 * The archive is on a disk: a list may take long, a file may be big, and no action may wait for
 * either. So a query runs in a pool of one thread, and its answer comes back to the loop. The
 * number of waiting queries is bounded, in total and per address; queries beyond that are refused
 * immediately. */
#include <stdlib.h>
#include <string.h>

#include "server/internal.h"
#include "server/listing.h"
#include "server/names.h"
#include "server/reader.h"
#include "server/sharing.h"
#include "store/accounts.h"

/* Limits: queries in total, queries of one address, entries of a list, and the time from counting a
 * match for its players to archiving it. */
enum { ASKS_MAX = 64, ADDRESS_ASKS_MAX = 8, ENTRIES_MAX = 100, COUNTED_MS = 3600000 };

bool reader_open(Server *server) {
    server->reader.thread_pool = net_thread_pool_open(server->loop, 1, ASKS_MAX);
    return server->reader.thread_pool != NULL;
}

/* Removes a query from the list and frees it. */
static void release(Ask *ask) {
    Reader *reader = &ask->server->reader;
    Ask **link = &reader->first;
    while (*link != ask)
        link = &(*link)->next;
    *link = ask->next;
    reader->waiting--;
    ask->account->asks--;
    account_leave(ask->server, ask->account);
    free(ask->entries);
    free(ask->accounts);
    free(ask->file);
    free(ask->config);
    free(ask->tables);
    free(ask->memory);
    free(ask);
}

void reader_close(Server *server) {
    static const char closes[] = "the server closes\n";
    if (server->reader.thread_pool == NULL)
        return;
    net_thread_pool_close(server->reader.thread_pool);
    while (server->reader.first != NULL) {
        Ask *ask = server->reader.first;
        if (ask->reply != NULL)
            net_reply(ask->reply, 503, NULL, closes, sizeof closes - 1);
        release(ask);
    }
}

void reader_forget(Server *server, const Session *session) {
    for (Ask *ask = server->reader.first; ask != NULL; ask = ask->next)
        if (ask->session == session)
            ask->session = NULL;
}

/* Does this seat of an entry have that name? */
static bool is_named(const StoreEntry *entry, uint32_t seat, const char *name) {
    return seat < entry->players_count && strcmp(entry->players[seat].name, name) == 0;
}

/* Marks the seats of a list in which an account played one of these matches under this name; of a
 * hidden account the whole entry. */
static void mark_played(Ask *ask, uint32_t first, const char *name, const StorePlayed *played,
                        bool hidden) {
    for (uint32_t entry = first; entry < ask->entries_count; entry++)
        if (ask->entries[entry].match == played->match &&
            is_named(&ask->entries[entry], played->seat, name))
            ask->accounts[entry] |= hidden ? ASK_HIDDEN : (uint8_t)(1u << played->seat);
}

/* Marks what an account has in a list under this name, from its newest entry on to its oldest.
 * Matches are counted for their players shortly before they are archived. */
static void mark_account(Ask *ask, uint32_t first, const char *name, const StoreAccount *account) {
    const StoreEntry *newest = &ask->entries[first],
                     *oldest = &ask->entries[ask->entries_count - 1];
    StorePlayedFilter filter = {
        .account = account->id, .pace = -1, .after_ms = newest->ended_ms + 1};
    StorePlayed *played = calloc(ENTRIES_MAX, sizeof *played);
    uint32_t count = played == NULL ? 0 : ENTRIES_MAX;
    while (count == ENTRIES_MAX && filter.after_ms + COUNTED_MS > oldest->ended_ms) {
        if (store_played(ask->server->store, &filter, played, ENTRIES_MAX, &count) != STORE_OK)
            count = 0;
        for (uint32_t i = 0; i < count; i++)
            mark_played(ask, first, name, &played[i], account->is_private);
        if (count > 0) {
            filter.after_ms = played[count - 1].ended_ms;
            filter.after = played[count - 1].match;
        }
    }
    free(played);
}

/* Was this name looked up at an earlier seat of the list? */
static bool was_named(const Ask *ask, uint32_t entry, uint32_t seat, const char *name) {
    for (uint32_t i = 0; i <= entry; i++)
        for (uint32_t s = 0; s < (i < entry ? MASH_SEATS : seat); s++)
            if (is_named(&ask->entries[i], s, name))
                return true;
    return false;
}

/* In the thread: which players of a list had an account that still has their name. Each name is
 * looked up once, and each account once. Without an answer there is no list: it may have matches
 * that are hidden. */
static void mark_accounts(Ask *ask) {
    ask->accounts = calloc(ENTRIES_MAX, 1);
    if (ask->accounts == NULL)
        ask->status = STORE_FAILED;
    for (uint32_t i = 0; ask->status == STORE_OK && i < ask->entries_count; i++)
        for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
            const char *name = ask->entries[i].players[seat].name;
            char folded[NAME_FOLDED_BYTES];
            StoreAccount account;
            if (seat >= ask->entries[i].players_count || was_named(ask, i, seat, name) ||
                !name_fold(name, folded))
                continue;
            StoreStatus status = store_account_named(ask->server->store, folded, &account);
            if (status == STORE_OK)
                mark_account(ask, i, name, &account);
            else if (status == STORE_BUSY)
                ask->status = status;
        }
}

/* In the thread: a page of the list. */
static void read_list(Ask *ask) {
    StoreFilter filter = ask->filter;
    filter.game = ask->game[0] == '\0' ? NULL : ask->game;
    filter.player = ask->player[0] == '\0' ? NULL : ask->player;
    ask->entries = calloc(ENTRIES_MAX, sizeof *ask->entries);
    ask->status = STORE_FAILED;
    if (ask->entries != NULL)
        ask->status = erased_list(ask->server->store, &filter, ask->entries, ENTRIES_MAX,
                                  &ask->entries_count);
    if (ask->status == STORE_OK)
        mark_accounts(ask);
}

/* In the thread: an open table by its number or key. */
static void read_table(Ask *ask, uint64_t number) {
    StoreTableQuestion question = {number, ask->match, ask->states};
    ask->tables = calloc(1, sizeof *ask->tables);
    ask->where = STORE_BUSY;
    if (ask->tables != NULL)
        ask->where =
            store_table(ask->server->store, &question, ask->tables, &ask->place, &ask->memory);
    ask->tables_count = ask->where == STORE_OK;
}

/* In the thread: where an open match is. One that waits may be known as a table only. */
static void read_where(Ask *ask) {
    ask->where = store_where(ask->server->store, ask->match, &ask->place);
    if (ask->where == STORE_UNKNOWN)
        read_table(ask, ask->match);
}

/* In the thread: the file of a match, or only whether there is one. */
static void read_file(Ask *ask) {
    if (ask->kind == ASK_WHETHER)
        read_where(ask);
    ask->status = store_archive_read(ask->server->store, ask->match, NULL, 0, &ask->count);
    if (ask->status == STORE_UNKNOWN && ask->kind != ASK_WHETHER) {
        read_table(ask, ask->match);
        if (ask->where == STORE_UNKNOWN)
            ask->where = store_where(ask->server->store, ask->match, &ask->place);
    }
    if (ask->status != STORE_TOO_LONG || ask->kind == ASK_WHETHER)
        return;
    ask->status = erased_read(ask->server->store, ask->match, &ask->file, &ask->count);
}

/* In the thread: a picture or preview, of the file that was given or of the archive's. */
static void read_drawn(Ask *ask) {
    ask->status = STORE_OK;
    if (ask->file == NULL)
        read_file(ask);
    if (ask->status == STORE_OK)
        sharing_work(ask);
}

/* In the thread: runs the query. */
static void work(void *job) {
    Ask *ask = job;
    if (ask->work != NULL)
        ask->work(ask);
    else if (ask->kind == ASK_LIST)
        read_list(ask);
    else if (ask->kind == ASK_PUBLISH || ask->kind == ASK_TABLES)
        listing_work(ask);
    else if (ask->kind == ASK_TABLE)
        read_table(ask, 0);
    else if (ask->kind == ASK_CLAIM)
        ask->where = store_claim(ask->server->store, ask->match, &ask->place);
    else if (ask->kind == ASK_UNCLAIM)
        store_unclaim(ask->server->store, ask->match);
    else if (ask->kind == ASK_PICTURE || ask->kind == ASK_PREVIEW)
        read_drawn(ask);
    else
        read_file(ask);
}

/* Back in the loop: answers, and frees the query. */
static void done(void *job) {
    Ask *ask = job;
    if (ask->answer != NULL)
        ask->answer(ask);
    release(ask);
}

Ask *reader_ask(Server *server, const char *address, const Ask *question) {
    Reader *reader = &server->reader;
    Account *account = account_enter(server, address);
    Ask *ask = account == NULL ? NULL : malloc(sizeof *ask);
    bool taken = ask != NULL && account->asks < ADDRESS_ASKS_MAX && reader->waiting < ASKS_MAX;
    if (taken) {
        *ask = *question;
        ask->server = server;
        ask->account = account;
        taken = net_thread_pool_submit(reader->thread_pool, work, done, ask);
    }
    if (!taken) {
        reader->refused++;
        free(ask);
        account_leave(server, account);
        return NULL;
    }
    account->asks++;
    reader->waiting++;
    reader->asked++;
    ask->next = reader->first;
    reader->first = ask;
    return ask;
}
