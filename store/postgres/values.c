/* values.c -- parameters and values of statements in PostgreSQL's binary form: see link.h. */
#include <assert.h>
#include <string.h>

#include "store/postgres/link.h"

/* Writes an integer of so many bytes, the highest first. */
static void put_whole(void *out, uint64_t value, int bytes) {
    uint8_t *to = out;
    for (int i = bytes - 1; i >= 0; i--, value >>= 8)
        to[i] = (uint8_t)value;
}

/* Reads an integer of so many bytes. */
static uint64_t get_whole(const char *bytes, int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; i++)
        value = value << 8 | (uint8_t)bytes[i];
    return value;
}

void link_put_bytes(LinkParameters *parameters, const void *bytes, size_t count) {
    int i = parameters->count++;
    assert(i < LINK_PARAMETERS_MAX);
    parameters->values[i] = bytes;
    parameters->lengths[i] = (int)count;
    parameters->formats[i] = 1;
}

void link_put_int8(LinkParameters *parameters, int64_t value) {
    char *small = parameters->small[parameters->count];
    put_whole(small, (uint64_t)value, 8);
    link_put_bytes(parameters, small, 8);
}

void link_put_int4(LinkParameters *parameters, int32_t value) {
    char *small = parameters->small[parameters->count];
    put_whole(small, (uint32_t)value, 4);
    link_put_bytes(parameters, small, 4);
}

/* The head of an array: dimensions, no nulls, type, elements, first index. */
enum { ARRAY_HEAD_BYTES = 20, ARRAY_EMPTY_BYTES = 12 };

void link_array_begin(LinkArray *array, LinkType type) {
    array->buffer.count = array->count = 0;
    array->failed = !buffer_reserve(&array->buffer, ARRAY_HEAD_BYTES);
    if (array->failed)
        return;
    memset(array->buffer.bytes, 0, ARRAY_HEAD_BYTES);
    put_whole(array->buffer.bytes + 8, type, 4);
    array->buffer.count = ARRAY_HEAD_BYTES;
}

void link_array_bytes(LinkArray *array, const void *bytes, size_t count) {
    array->failed = array->failed || !buffer_reserve(&array->buffer, 4 + count);
    if (array->failed)
        return;
    uint8_t *to = array->buffer.bytes + array->buffer.count;
    put_whole(to, count, 4);
    if (count > 0)
        memcpy(to + 4, bytes, count);
    array->buffer.count += 4 + count;
    array->count++;
}

void link_array_int8(LinkArray *array, int64_t value) {
    uint8_t bytes[8];
    put_whole(bytes, (uint64_t)value, 8);
    link_array_bytes(array, bytes, 8);
}

void link_array_int4(LinkArray *array, int32_t value) {
    uint8_t bytes[4];
    put_whole(bytes, (uint32_t)value, 4);
    link_array_bytes(array, bytes, 4);
}

void link_put_array(LinkParameters *parameters, LinkArray *array) {
    uint8_t *head = array->buffer.bytes;
    if (array->count > 0) {
        put_whole(head, 1, 4);
        put_whole(head + 12, array->count, 4);
        put_whole(head + 16, 1, 4);
    }
    link_put_bytes(parameters, head, array->count > 0 ? array->buffer.count : ARRAY_EMPTY_BYTES);
}

int64_t link_int8(const PGresult *rows, int row, int column) {
    return (int64_t)get_whole(PQgetvalue(rows, row, column), 8);
}

int32_t link_int4(const PGresult *rows, int row, int column) {
    return (int32_t)get_whole(PQgetvalue(rows, row, column), 4);
}
