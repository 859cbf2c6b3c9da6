/* listing.c -- see listing.h: the tables of all nodes. */
#include "server/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "server/internal.h"
#include "server/lobby.h"
#include "server/protocol.h"

/* WRITE_MS: between two statements; MORE_MS: while more wait than one of them has, as after many
 * matches have come from another node; FRESH_MS: for how long a page is answered again; the most
 * tables of one statement, of a page, and that are read for one. */
enum {
    WRITE_MS = 1000,
    MORE_MS = 100,
    FRESH_MS = 1000,
    WRITTEN_MAX = 500,
    LISTED_MAX = 200,
    READ_MAX = 1000
};

/* --- What has changed ------------------------------------------------------------------------- */

/* Tables for one statement; their bytes follow. */
typedef struct Edition {
    uint32_t count;
    StoreTable tables[];
} Edition;

static void write_soon(Server *server);

/* Does the server publish its tables to other nodes now? */
static bool publishes(const Server *server) {
    return server->store != NULL && store_is_shared(server->store) && !server->draining &&
           !server->failed;
}

void listing_change(Table *table) {
    Listing *listing = &table->server->listing;
    if (table->changed || !publishes(table->server))
        return;
    table->changed = true;
    SERVER_LINK(listing->first, table, changed_before, changed_next);
    write_soon(table->server);
}

void listing_change_now(Table *table) {
    table->server->listing.next_ms = 0;
    if (table->server->listing.timed && !table->server->listing.writing)
        net_timer_start(table->server->listing.timer, 0);
    listing_change(table);
}

void listing_open(Table *table) {
    enum { LOW_BITS = 10 }; /* of the number, so that two of one millisecond differ */
    uint64_t opened_ms = net_wall_clock_ms(table->server->loop);
    table->rank =
        -(int64_t)(opened_ms << LOW_BITS | (table->number & (((uint64_t)1 << LOW_BITS) - 1)));
    listing_change(table);
}

/* It is not among the changed ones any more. */
static void unlink_changed(Table *table) {
    if (table->changed)
        SERVER_UNLINK(table->server->listing.first, table, changed_before, changed_next);
    table->changed = false;
}

/* Remembers that a table is not open any more. Without memory its row stays until this node is
 * replaced. */
static void push_gone(Listing *listing, uint64_t number) {
    if (listing->gone_count == listing->gone_max) {
        uint32_t max = listing->gone_max * 2 + 64;
        uint64_t *more = realloc(listing->gone, max * sizeof *more);
        if (more == NULL)
            return;
        listing->gone = more;
        listing->gone_max = max;
    }
    listing->gone[listing->gone_count++] = number;
}

void listing_drop(Table *table) {
    unlink_changed(table);
    if (!table->published || !publishes(table->server))
        return;
    table->published = false;
    push_gone(&table->server->listing, table->number);
    write_soon(table->server);
}

void listing_close(Server *server) {
    net_timer_close(server->listing.timer);
    free(server->listing.gone);
    free(server->listing.page.bytes);
}

/* --- Writing ---------------------------------------------------------------------------------- */

uint64_t listing_key(const char *text) {
    return text[0] == '\0' ? 0 : hash_bytes(1, text, strlen(text)) | 1;
}

/* What is published of a table, except its bytes. */
static StoreTable entry_of(Table *table) {
    const MashGame *game = table->config.content->content->game;
    StoreTable entry = {.match = table->number,
                        .rank = table->rank,
                        .state = table->state,
                        .listed = !table->config.unlisted && !table_deserted(table)};
    MashText name = text_over(entry.game, sizeof entry.game);
    text_string(&name, game->id);
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        const Chair *chair = &table->chairs[seat];
        if (chair->account != NULL)
            entry.addresses[seat] = hash_number(1, chair->account->key) | 1;
        entry.keys[seat] = listing_key(chair->identity);
    }
    entry.keys[MASH_SEATS] = listing_key(protocols_label(table));
    return entry;
}

/* The rows of the tables that were chosen. */
typedef struct RowsToWrite {
    Server *server;
    Edition *edition;
    Table *tables[WRITTEN_MAX];
} RowsToWrite;

/* Writes the rows behind each other, and how long each is. */
static void write_rows(void *what, MashText *text) {
    RowsToWrite *writing = what;
    for (uint32_t i = 0; i < writing->edition->count; i++) {
        uint32_t start = text->count;
        JsonWriter writer = json_writer(text, 0);
        if (writing->tables[i] != NULL)
            lobby_put_table(&writer, writing->tables[i], false);
        writing->edition->tables[i].count = text->count - start;
    }
}

/* Chooses what to write now and takes it off the lists of changed and closed tables. */
static uint32_t choose(RowsToWrite *writing) {
    Listing *listing = &writing->server->listing;
    uint32_t count = 0;
    while (listing->gone_count > 0 && count < WRITTEN_MAX) {
        writing->tables[count] = NULL;
        writing->edition->tables[count++] =
            (StoreTable){.match = listing->gone[--listing->gone_count]};
    }
    while (listing->first != NULL && count < WRITTEN_MAX) {
        Table *table = listing->first;
        unlink_changed(table);
        bool open = table->state != PROTO_STATE_OVER;
        if (!open && !table->published)
            continue;
        table->published = open;
        writing->tables[count] = open ? table : NULL;
        writing->edition->tables[count++] =
            open ? entry_of(table) : (StoreTable){.match = table->number};
    }
    return count;
}

/* The statement failed or may have failed: all its tables are written again. */
static void write_again(Server *server, const Edition *edition) {
    for (uint32_t i = 0; edition != NULL && i < edition->count; i++)
        if (edition->tables[i].bytes == NULL && edition->tables[i].game[0] == '\0')
            push_gone(&server->listing, edition->tables[i].match);
    for (Table *table = server->tables; table != NULL; table = table->next)
        listing_change(table);
}

/* The statement has ended. */
static void answer_publish(Ask *ask) {
    Server *server = ask->server;
    server->listing.writing = false;
    if (ask->status == STORE_OK) {
        server->listing.written++;
    } else {
        server->listing.failures++;
        server->listing.next_ms = net_now_ms(server->loop) + WRITE_MS;
        write_again(server, ask->config);
    }
    write_soon(server);
}

/* The tables of this statement with their bytes, in one piece of memory; NULL: there is none. */
static Edition *make_edition(RowsToWrite *writing) {
    MashText text;
    writing->edition->count = choose(writing);
    if (!server_write_text(writing->server, &text, write_rows, writing))
        return NULL;
    const Edition *made = writing->edition;
    size_t head = sizeof *made + made->count * sizeof *made->tables;
    Edition *copy = malloc(head + text.count + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, made, head);
    const char *at = memcpy((char *)copy + head, text.bytes, text.count);
    for (uint32_t i = 0; i < copy->count; i++) {
        copy->tables[i].bytes = writing->tables[i] == NULL ? NULL : at;
        at += copy->tables[i].count;
    }
    return copy;
}

/* The timer: writes what has changed. */
static void on_timer(void *owner) {
    Server *server = owner;
    Listing *listing = &server->listing;
    Ask question = {.kind = ASK_PUBLISH, .answer = answer_publish};
    listing->timed = false;
    if (!publishes(server) || listing->writing)
        return;
    RowsToWrite writing = {.server = server,
                           .edition = malloc(sizeof(Edition) + WRITTEN_MAX * sizeof(StoreTable))};
    Edition *edition = writing.edition == NULL ? NULL : make_edition(&writing);
    question.config = edition; /* the thread may begin with it at once */
    const Ask *ask = edition == NULL ? NULL : reader_ask(server, "", &question);
    bool more = ask != NULL && edition->count == WRITTEN_MAX;
    listing->next_ms = net_now_ms(server->loop) + (more ? MORE_MS : WRITE_MS);
    listing->writing = ask != NULL;
    if (ask != NULL) {
        listing->rows += edition->count;
    } else {
        write_again(server, edition != NULL ? edition : writing.edition);
        free(edition);
    }
    free(writing.edition);
    write_soon(server);
}

/* Writes what has changed, as soon as it may. */
static void write_soon(Server *server) {
    Listing *listing = &server->listing;
    uint64_t now_ms = net_now_ms(server->loop);
    if (listing->timed || listing->writing || (listing->first == NULL && listing->gone_count == 0))
        return;
    if (listing->timer == NULL)
        listing->timer = net_timer_open(server->loop, on_timer, server);
    if (listing->timer == NULL)
        return; /* no memory: the next change tries again */
    listing->timed = true;
    net_timer_start(listing->timer, listing->next_ms > now_ms ? listing->next_ms - now_ms : 0);
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Counts the table for its players' addresses among those before it. False: all of them have used
 * up their share of the list. */
static bool has_share(const StoreTable *tables, uint32_t at, uint32_t most) {
    bool anybody = false;
    for (uint32_t i = 0; i < STORE_TABLE_ADDRESSES; i++) {
        uint64_t address = tables[at].addresses[i];
        uint32_t before = 0;
        anybody = anybody || address != 0;
        for (uint32_t j = 0; address != 0 && j < at && before < most; j++)
            before += tables[j].state == tables[at].state &&
                      (tables[j].addresses[0] == address || tables[j].addresses[1] == address);
        if (address != 0 && before < most)
            return true;
    }
    return !anybody || most == 0;
}

void listing_work(Ask *ask) {
    Store *store = ask->server->store;
    if (ask->kind == ASK_PUBLISH) {
        const Edition *edition = ask->config;
        ask->status = store_publish(store, edition->tables, edition->count);
        return;
    }
    StoreTablePage page = ask->page;
    page.game = ask->game[0] == '\0' ? NULL : ask->game;
    ask->tables = calloc(READ_MAX, sizeof *ask->tables);
    ask->status = STORE_BUSY;
    if (ask->tables != NULL)
        ask->status =
            store_tables(store, &page, ask->tables, READ_MAX, &ask->tables_count, &ask->memory);
    for (uint32_t i = 0; i < ask->tables_count; i++)
        ask->tables[i].listed = has_share(ask->tables, i, ask->share);
}

/* Is the query one for all tables from the start? */
static bool is_first_page(const Ask *ask) {
    return ask->game[0] == '\0' && ask->page.rank == INT64_MIN;
}

Ask *listing_ask(Server *server, const char *address, const LobbyPage *page,
                 void (*answer)(Ask *ask)) {
    Ask question = {.kind = ASK_TABLES,
                    .answer = answer,
                    .share = server->setup.budgets.listed,
                    .page = {.state = page->state, .rank = INT64_MIN}};
    MashText game = text_over(question.game, sizeof question.game);
    if (page->game != NULL)
        text_string(&game, page->game);
    if (page->serial != 0)
        question.page.rank = -(int64_t)page->serial;
    Ask *ask = reader_ask(server, address, &question);
    server->listing.reading += ask != NULL && is_first_page(ask);
    return ask;
}

/* A query that was answered, and where its page ends. */
typedef struct ListingQuery {
    const Ask *ask;
    char next[PROTO_ID_MAX + 1];
} ListingQuery;

/* A page of what was read. */
static void write_page(void *what, MashText *text) {
    ListingQuery *reading = what;
    const Ask *ask = reading->ask;
    uint32_t listed = 0, i = 0;
    MashText next = text_over(reading->next, sizeof reading->next);
    text_byte(text, '[');
    for (; i < ask->tables_count && listed < LISTED_MAX; i++) {
        if (!ask->tables[i].listed)
            continue;
        text_string(text, listed++ > 0 ? "," : "");
        text_bytes(text, ask->tables[i].bytes, (uint32_t)ask->tables[i].count);
    }
    text_byte(text, ']');
    reading->next[0] = '\0';
    if (i < ask->tables_count || i == READ_MAX) {
        text_format(&next, "%s-", choice_id(PROTO_STATES_LIST, ask->tables[i - 1].state));
        text_int(&next, -ask->tables[i - 1].rank);
    }
}

/* Keeps the page for the next queries. */
static void keep_page(Server *server, const MashText *text, const char *next) {
    ListingPage *page = &server->listing.page;
    char *bytes = malloc(text->count + 1);
    if (bytes == NULL)
        return;
    memcpy(bytes, text->bytes, text->count);
    free(page->bytes);
    *page = (ListingPage){bytes, text->count, "", net_now_ms(server->loop)};
    memcpy(page->next, next, strlen(next) + 1);
}

bool listing_read(Ask *ask, ListingAnswer *answer) {
    Server *server = ask->server;
    ListingQuery reading = {.ask = ask};
    MashText text;
    bool first = is_first_page(ask);
    server->listing.reading -= first;
    if (ask->status != STORE_OK || !server_write_text(server, &text, write_page, &reading))
        return false;
    memcpy(server->listing.next, reading.next, sizeof reading.next);
    *answer = (ListingAnswer){text.bytes, text.count, server->listing.next};
    if (first)
        keep_page(server, &text, reading.next);
    return true;
}

bool listing_ready(Server *server, bool any, ListingAnswer *answer) {
    Listing *listing = &server->listing;
    const ListingPage *page = &listing->page;
    bool fresh = net_now_ms(server->loop) < page->read_ms + FRESH_MS;
    if (page->bytes == NULL || !(fresh || any || listing->reading > 0))
        return false;
    listing->served++;
    *answer = (ListingAnswer){page->bytes, page->count, page->next};
    return true;
}

bool listing_write(Server *server, const ListingAnswer *page, const char *head, const char *tail,
                   MashText *text) {
    size_t max = page->count + strlen(head) + strlen(tail) + PROTO_ID_MAX + 64;
    char *bytes = scratch_take(&server->load, max);
    if (bytes == NULL)
        return false;
    *text = text_over(bytes, (uint32_t)max);
    text_string(text, head);
    text_bytes(text, page->bytes, page->count);
    if (page->next[0] != '\0')
        text_format(text, ",\"next\":\"%s\"", page->next);
    text_string(text, tail);
    return true;
}
