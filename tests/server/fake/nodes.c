/* nodes.c -- see nodes.h. */
#define _POSIX_C_SOURCE 200809L
#include "tests/server/fake/nodes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/contest.h"
#include "store/backend.h"

enum {
    NODES_MAX = 2,
    ROWS_MAX = 64,
    ROW_BYTES = 2048,
    DOCUMENTS_MAX = 16,
    DOCUMENT_BYTES = 1 << 15
};

/* A node, the backend that its store had, and the one that it has now. */
typedef struct FakeNode {
    Server *server;
    const StoreBackend *usual;
    StoreBackend shared;
} FakeNode;

/* A table that a node has published, or a claim of a node: a row without bytes. */
typedef struct FakeRow {
    uint32_t node;
    StoreTable table;
    char bytes[ROW_BYTES];
} FakeRow;

/* A document, and which nodes have taken it. */
typedef struct FakeDocument {
    char name[STORE_DOCUMENT_NAME_BYTES];
    char bytes[DOCUMENT_BYTES];
    size_t count;
    bool taken[NODES_MAX];
} FakeDocument;

static FakeNode nodes[NODES_MAX];
static FakeRow rows[ROWS_MAX], claims[ROWS_MAX];
static FakeDocument documents[DOCUMENTS_MAX];
static uint32_t changes;

/* The node whose store this is. */
static FakeNode *node_of(const Store *store) {
    for (uint32_t i = 0; i < NODES_MAX; i++)
        if (nodes[i].server != NULL && nodes[i].server->store == store)
            return &nodes[i];
    assert(false);
    return NULL;
}

static uint32_t number_of(const Store *store) { return node_of(store)->server->setup.store.node; }

/* Where a node is, as another sees it. */
static StorePlace place_of(const Store *store, uint32_t number) {
    StorePlace place = {.node = number, .here = number == number_of(store)};
    for (uint32_t i = 0; i < NODES_MAX; i++)
        if (nodes[i].server != NULL && nodes[i].server->setup.store.node == number) {
            snprintf(place.peer, sizeof place.peer, "server:%u",
                     (unsigned)server_port(nodes[i].server));
            snprintf(place.url, sizeof place.url, "ws://node%u.example/arena", number);
            place.open = true;
        }
    return place;
}

static FakeRow *row_of(FakeRow *list, uint64_t match) {
    for (uint32_t i = 0; i < ROWS_MAX; i++)
        if (list[i].node != 0 && list[i].table.match == match)
            return &list[i];
    return NULL;
}

static FakeRow *free_row(FakeRow *list) {
    uint32_t i = 0;
    while (i < ROWS_MAX && list[i].node != 0)
        i++;
    assert(i < ROWS_MAX);
    return &list[i];
}

static StoreStatus fake_where(Store *store, uint64_t match, StorePlace *place) {
    const FakeRow *row = row_of(rows, match);
    for (uint32_t i = 0; row == NULL && i < NODES_MAX; i++)
        if (nodes[i].server != NULL && contest_find(nodes[i].server, match) != NULL) {
            *place = place_of(store, nodes[i].server->setup.store.node);
            return STORE_OK;
        }
    if (row == NULL)
        return STORE_UNKNOWN;
    *place = place_of(store, row->node);
    return STORE_OK;
}

static StoreStatus fake_claim(Store *store, uint64_t key, StorePlace *place) {
    FakeRow *row = row_of(claims, key);
    if (row == NULL) {
        row = free_row(claims);
        *row = (FakeRow){.node = number_of(store), .table.match = key};
    }
    *place = place_of(store, row->node);
    return STORE_OK;
}

static void fake_unclaim(Store *store, uint64_t key) {
    FakeRow *row = row_of(claims, key);
    if (row != NULL && row->node == number_of(store))
        row->node = 0;
}

static StoreStatus fake_publish(Store *store, const StoreTable *tables, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        FakeRow *row = row_of(rows, tables[i].match);
        if (row == NULL)
            row = free_row(rows);
        row->node = tables[i].bytes == NULL ? 0 : number_of(store);
        row->table = tables[i];
        assert(tables[i].count < sizeof row->bytes);
        if (tables[i].bytes != NULL)
            row->table.bytes = memcpy(row->bytes, tables[i].bytes, tables[i].count);
    }
    return STORE_OK;
}

/* Does `a` come before `b` in a list? */
static bool comes_before(const StoreTable *a, const StoreTable *b) {
    return a->state != b->state ? a->state < b->state : a->rank < b->rank;
}

static StoreStatus fake_tables(Store *store, const StoreTablePage *page, StoreTable *tables,
                               uint32_t max, uint32_t *count, char **memory) {
    StoreTable from = {.state = page->state, .rank = page->rank};
    (void)store;
    *memory = NULL;
    *count = 0;
    while (*count < max) {
        const FakeRow *next = NULL;
        for (uint32_t i = 0; i < ROWS_MAX; i++)
            if (rows[i].node != 0 && rows[i].table.listed && comes_before(&from, &rows[i].table) &&
                (next == NULL || comes_before(&rows[i].table, &next->table)) &&
                (page->game == NULL || strcmp(page->game, rows[i].table.game) == 0))
                next = &rows[i];
        if (next == NULL)
            break;
        from = tables[(*count)++] = next->table;
    }
    return STORE_OK;
}

static StoreStatus fake_table(Store *store, const StoreTableQuestion *question, StoreTable *table,
                              StorePlace *place, char **memory) {
    const FakeRow *found = question->match != 0 ? row_of(rows, question->match) : NULL;
    *memory = NULL;
    for (uint32_t i = 0; question->match == 0 && i < ROWS_MAX; i++)
        for (uint32_t key = 0; key < STORE_TABLE_KEYS; key++)
            if (rows[i].node != 0 && rows[i].table.keys[key] == question->key &&
                (question->states >> rows[i].table.state & 1) != 0 &&
                (found == NULL || rows[i].table.rank < found->table.rank))
                found = &rows[i];
    if (found == NULL)
        return STORE_UNKNOWN;
    *table = found->table;
    *place = place_of(store, found->node);
    return STORE_OK;
}

static bool fake_share(Store *store, const char *name, const void *bytes, size_t count) {
    uint32_t i = 0;
    while (i < DOCUMENTS_MAX && documents[i].name[0] != '\0' &&
           strcmp(documents[i].name, name) != 0)
        i++;
    assert(i < DOCUMENTS_MAX && count < DOCUMENT_BYTES);
    FakeDocument *document = &documents[i];
    *document = (FakeDocument){.count = count};
    document->taken[node_of(store) - nodes] = true;
    snprintf(document->name, sizeof document->name, "%s", name);
    memcpy(document->bytes, bytes, count);
    changes++;
    return true;
}

static char *fake_take_shared(Store *store, const char *name, size_t *count) {
    size_t length = strlen(name), head = name[length - 1] == '*' ? length - 1 : length + 1;
    for (uint32_t i = 0; i < DOCUMENTS_MAX; i++) {
        bool *taken = &documents[i].taken[node_of(store) - nodes];
        if (documents[i].name[0] == '\0' || *taken || strncmp(documents[i].name, name, head) != 0)
            continue;
        *taken = true;
        *count = documents[i].count;
        return strndup(documents[i].bytes, documents[i].count);
    }
    return NULL;
}

static StoreProgress fake_done(Store *store) {
    StoreProgress done = node_of(store)->usual->done(store);
    done.shared = changes;
    return done;
}

static bool fake_may_tell(Store *store) {
    (void)store;
    return true;
}

void fake_nodes_add(Server *server) {
    FakeNode *node = nodes[0].server == NULL ? &nodes[0] : &nodes[1];
    assert(node->server == NULL && server->setup.store.node != 0);
    *node = (FakeNode){server, server->store->backend, *server->store->backend};
    node->shared.where = fake_where;
    node->shared.claim = fake_claim;
    node->shared.unclaim = fake_unclaim;
    node->shared.publish = fake_publish;
    node->shared.tables = fake_tables;
    node->shared.table = fake_table;
    node->shared.share = fake_share;
    node->shared.take_shared = fake_take_shared;
    node->shared.done = fake_done;
    node->shared.may_tell = fake_may_tell;
    node->shared.frozen_ms = NULL;
    server->store->backend = &node->shared;
}

void fake_nodes_remove(Server *server) {
    FakeNode *node = server == NULL ? NULL : nodes;
    while (node != NULL && node < nodes + NODES_MAX && node->server != server)
        node++;
    if (node == NULL || node == nodes + NODES_MAX)
        return;
    server->store->backend = node->usual;
    node->server = NULL;
    for (uint32_t i = 0; i < ROWS_MAX; i++) {
        if (rows[i].node == server->setup.store.node)
            rows[i].node = 0;
        if (claims[i].node == server->setup.store.node)
            claims[i].node = 0;
    }
    if (nodes[0].server == NULL && nodes[1].server == NULL)
        memset(documents, 0, sizeof documents);
}

void fake_nodes_poll(void) {
    for (uint32_t i = 0; i < NODES_MAX; i++)
        if (nodes[i].server != NULL)
            server_poll_store(nodes[i].server);
}
