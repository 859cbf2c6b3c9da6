/* tables.c -- the tables that are open at all nodes, each as its own node has last written it: for
 * lists, and to find a table by its number or by what its players know of it. A row is as old as
 * the last statement of its node; nothing that must be right depends on it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "store/postgres/postgres.h"

/* The arrays of the statement `publish`, in the order of its parameters. */
enum { GONE, ID, STATE, LISTED, GAME, RANK, ADDRESS, KEY = ADDRESS + 2, BYTES = KEY + 3, COLUMNS };
static_assert(STORE_TABLE_KEYS == 3 && STORE_TABLE_ADDRESSES == 2, "as the statement has them");

/* Appends a table to the arrays. */
static void put_table(LinkArray *columns, const StoreTable *table) {
    if (table->bytes == NULL) {
        link_array_int8(&columns[GONE], (int64_t)table->match);
        return;
    }
    link_array_int8(&columns[ID], (int64_t)table->match);
    link_array_int4(&columns[STATE], table->state);
    link_array_int4(&columns[LISTED], table->listed);
    link_array_bytes(&columns[GAME], table->game, strlen(table->game));
    link_array_int8(&columns[RANK], table->rank);
    for (int i = 0; i < 2; i++)
        link_array_int8(&columns[ADDRESS + i], (int64_t)table->addresses[i]);
    for (int i = 0; i < STORE_TABLE_KEYS; i++)
        link_array_int8(&columns[KEY + i], (int64_t)table->keys[i]);
    link_array_bytes(&columns[BYTES], table->bytes, table->count);
}

StoreStatus tables_publish(Store *store, const StoreTable *tables, uint32_t count) {
    static const LinkType types[COLUMNS] = {
        [GONE] = LINK_INT8,  [ID] = LINK_INT8,      [STATE] = LINK_INT4,   [LISTED] = LINK_INT4,
        [GAME] = LINK_BYTES, [RANK] = LINK_INT8,    [ADDRESS] = LINK_INT8, [KEY - 1] = LINK_INT8,
        [KEY] = LINK_INT8,   [KEY + 1] = LINK_INT8, [KEY + 2] = LINK_INT8, [BYTES] = LINK_BYTES};
    Postgres *postgres = (Postgres *)store;
    LinkParameters all = {.count = 0};
    PGresult *rows;
    link_put_int4(&all, postgres->node);
    link_put_int8(&all, postgres->epoch);
    for (int i = 0; i < COLUMNS; i++)
        link_array_begin(&postgres->reader_columns[i], types[i]);
    for (uint32_t i = 0; i < count; i++)
        put_table(postgres->reader_columns, &tables[i]);
    for (int i = 0; i < COLUMNS; i++) {
        if (postgres->reader_columns[i].failed)
            return STORE_FULL;
        link_put_array(&all, &postgres->reader_columns[i]);
    }
    StoreStatus status = reader_run(postgres, "publish", &all, &rows);
    PQclear(rows);
    return status;
}

/* A row as a table; its bytes are appended to the memory, which has room for them. */
static StoreTable read_table(const PGresult *rows, int row, char **memory) {
    StoreTable table = {.match = (uint64_t)link_int8(rows, row, 0),
                        .state = (uint8_t)link_int4(rows, row, 1),
                        .listed = true,
                        .rank = link_int8(rows, row, 2),
                        .count = (size_t)PQgetlength(rows, row, 5)};
    for (int i = 0; i < 2; i++)
        table.addresses[i] = (uint64_t)link_int8(rows, row, 3 + i);
    memcpy(*memory, PQgetvalue(rows, row, 5), table.count);
    table.bytes = *memory;
    *memory += table.count;
    return table;
}

/* Memory for the bytes of all rows; NULL = none. */
static char *memory_for(const PGresult *rows) {
    size_t bytes = 1;
    for (int row = 0; row < PQntuples(rows); row++)
        bytes += (size_t)PQgetlength(rows, row, 5);
    return malloc(bytes);
}

StoreStatus tables_list(Store *store, const StoreTablePage *page, StoreTable *tables, uint32_t max,
                        uint32_t *count, char **memory) {
    LinkParameters all = {.count = 0};
    PGresult *rows;
    link_put_int4(&all, page->state);
    link_put_int8(&all, page->rank);
    link_put_int4(&all, (int32_t)max);
    if (page->game != NULL)
        link_put_bytes(&all, page->game, strlen(page->game));
    StoreStatus status =
        reader_run((Postgres *)store, page->game != NULL ? "tables_game" : "tables", &all, &rows);
    if (status != STORE_OK)
        return status;
    char *at = *memory = memory_for(rows);
    for (int row = 0; at != NULL && row < PQntuples(rows); row++)
        tables[(*count)++] = read_table(rows, row, &at);
    PQclear(rows);
    return at == NULL ? STORE_BUSY : STORE_OK;
}

StoreStatus tables_find(Store *store, const StoreTableQuestion *question, StoreTable *table,
                        StorePlace *place, char **memory) {
    LinkParameters all = {.count = 0};
    PGresult *rows;
    bool by_key = question->match == 0;
    link_put_int8(&all, (int64_t)(by_key ? question->key : question->match));
    if (by_key)
        link_put_int4(&all, (int32_t)question->states);
    StoreStatus status = reader_run((Postgres *)store, by_key ? "table_key" : "table", &all, &rows);
    if (status != STORE_OK)
        return status;
    char *at = PQntuples(rows) == 0 ? NULL : memory_for(rows);
    status = PQntuples(rows) == 0 ? STORE_UNKNOWN : at == NULL ? STORE_BUSY : STORE_OK;
    *memory = at;
    if (status == STORE_OK) {
        *table = read_table(rows, 0, &at);
        *place = reader_place((Postgres *)store, rows, 0, 6);
    }
    PQclear(rows);
    return status;
}
