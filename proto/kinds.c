/* kinds.c -- see message_fields.h: the kinds of field that only messages have. Each reads, writes
 * and describes its own values. */
#include <string.h>

#include "proto/message_fields.h"

enum { WORDS_MAX = 512, SCHEMA_BYTES = 128 };

/* --- Short values ----------------------------------------------------------------------------- */

/* A seat; null is MASH_SEAT_NONE. */
static bool read_seat(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    int32_t number = MASH_SEAT_NONE;
    (void)field;
    bool fine = reader->json->nodes[node].kind == JSON_NULL ||
                json_int(reader->json, node, 0, MASH_SEATS - 1, &number, reader->problems);
    if (to != NULL)
        *(uint8_t *)to = (uint8_t)number;
    return fine;
}

/* The number of the seat or null. */
static void write_seat(JsonWriter *writer, const Field *field, const void *from) {
    uint8_t seat = *(const uint8_t *)from;
    (void)field;
    if (seat < MASH_SEATS)
        json_put_int(writer, seat);
    else
        json_put_null(writer);
}

const FieldCustom message_seat = {
    "0, 1 or null",
    read_seat,
    write_seat,
    "\"type\": [\"integer\", \"null\"], \"minimum\": 0, \"maximum\": 1",
    "0, 1, null",
    NULL,
    NULL};

/* A table code, stored in its canonical form. */
static bool read_code(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    char words[WORDS_MAX];
    uint64_t number;
    (void)field;
    if (!json_line(reader->json, node, words, sizeof words, reader->problems))
        return false;
    if (!table_code_decode(words, &number)) {
        json_problem(reader->json, node, reader->problems,
                     "must be a table code, such as k7qf-2m9x-w3ab");
        return false;
    }
    if (to != NULL)
        table_code_encode(number, to);
    return true;
}

/* A string as it is. */
static void write_string(JsonWriter *writer, const Field *field, const void *from) {
    (void)field;
    json_put_string(writer, from);
}

const FieldCustom message_code = {
    "the code of a table", read_code, write_string, "\"type\": \"string\"", "code", NULL, NULL};

/* Exactly this many lower case hexadecimal digits. */
static bool read_hex(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    char words[WORDS_MAX];
    if (!json_line(reader->json, node, words, sizeof words, reader->problems))
        return false;
    size_t digits = strspn(words, "0123456789abcdef");
    if (digits != (size_t)field->max || words[digits] != '\0') {
        json_problem(reader->json, node, reader->problems,
                     "must be %d lower-case hexadecimal digits", field->max);
        return false;
    }
    if (to != NULL)
        memcpy(to, words, digits + 1);
    return true;
}

/* A pattern for this many digits. */
static void schema_hex(JsonWriter *writer, const Field *field) {
    char memory[SCHEMA_BYTES];
    MashText text = text_over(memory, sizeof memory);
    text_format(&text, "\"type\": \"string\", \"pattern\": \"^[0-9a-f]{%d}$\"", field->max);
    json_put_members(writer, memory);
}

/* How many. */
static void words_hex(const Field *field, MashText *text) {
    text_format(text, "%d hex digits", field->max);
}

const FieldCustom message_hex = {"hexadecimal digits", read_hex, write_string, NULL, NULL,
                                 schema_hex,           words_hex};

/* --- Options and documents -------------------------------------------------------------------- */

/* Options by their ids; does not check whether the game has them. */
static bool read_options(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    const Json *json = reader->json;
    MessageOptions only_checked, *options = to != NULL ? to : &only_checked;
    (void)field;
    if (!json_expect_kind(json, node, JSON_OBJECT, reader->problems))
        return false;
    if (json->nodes[node].count > MASH_OPTIONS_MAX) {
        json_problem(json, node, reader->problems, "no game has more than %d options",
                     (int)MASH_OPTIONS_MAX);
        return false;
    }
    bool fine = true;
    options->count = 0;
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next) {
        MashText id = text_over(options->list[options->count].id, sizeof options->list[0].id);
        json_key(json, i, &id);
        if (id.truncated) {
            json_key_problem(json, i, reader->problems, "unknown option ", "");
            fine = false;
        }
        fine &= json_int(json, i, INT32_MIN, INT32_MAX, &options->list[options->count++].value,
                         reader->problems);
    }
    return fine;
}

/* Options as an object. */
static void write_options(JsonWriter *writer, const Field *field, const void *from) {
    const MessageOptions *options = from;
    (void)field;
    json_open(writer, '{');
    for (uint32_t i = 0; i < options->count; i++)
        json_put_pair_int(writer, options->list[i].id, options->list[i].value);
    json_close(writer, '}');
}

const FieldCustom message_options = {
    "an object",
    read_options,
    write_options,
    "\"type\": \"object\", \"additionalProperties\": {\"type\": \"integer\"}",
    "object of whole numbers",
    NULL,
    NULL};

/* Decodes a string into the reader's text, NUL-terminated; NULL: it does not fit. */
static const char *keep(FieldsReader *reader, uint32_t node, uint32_t *count) {
    MashText *pool = reader->context;
    uint32_t start = pool->count;
    json_string(reader->json, node, pool);
    *count = pool->count - start;
    text_byte(pool, '\0');
    if (pool->truncated)
        json_problem(reader->json, node, reader->problems, "is too long");
    return pool->truncated ? NULL : pool->bytes + start;
}

/* Documents, stored in lent memory; a document without text has no bytes. */
static bool read_documents(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    const Json *json = reader->json;
    MessageDocuments *documents = to;
    (void)field;
    if (!json_expect_kind(json, node, JSON_ARRAY, reader->problems))
        return false;
    if (json->nodes[node].count > MASH_DOCUMENTS_MAX) {
        json_problem(json, node, reader->problems, "at most %d files", (int)MASH_DOCUMENTS_MAX);
        return false;
    }
    documents->count = 0;
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next) {
        MashDocument *document = &documents->list[documents->count++];
        uint32_t ignored;
        *document = (MashDocument){.name = NULL};
        if (!fields_read(reader, fields_of_shape(SHAPE_DOCUMENT), i, NULL, NULL))
            return false;
        document->name = keep(reader, json_member(json, i, "name"), &ignored);
        uint32_t text = json_member(json, i, "text");
        if (text != JSON_NONE)
            document->bytes = keep(reader, text, &document->count);
        if (document->name == NULL || (text != JSON_NONE && document->bytes == NULL))
            return false;
    }
    return true;
}

void message_put_documents(JsonWriter *writer, const MashDocument *list, uint32_t count) {
    json_open(writer, '[');
    for (uint32_t i = 0; i < count; i++) {
        json_open(writer, '{');
        json_put_pair(writer, "name", list[i].name);
        if (list[i].bytes != NULL) {
            json_put_key(writer, "text");
            json_put_bytes(writer, list[i].bytes, list[i].count);
        }
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

static void write_documents(JsonWriter *writer, const Field *field, const void *from) {
    const MessageDocuments *documents = from;
    (void)field;
    message_put_documents(writer, documents->list, documents->count);
}

const FieldCustom message_documents = {
    "an array",
    read_documents,
    write_documents,
    "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/document\"}",
    "array of document",
    NULL,
    NULL};

/* --- Values that stay JSON -------------------------------------------------------------------- */

/* Stores where a value is; `quote` 1: without its quotes. */
static void keep_place(const FieldsReader *reader, uint32_t node, uint32_t quote, void *to) {
    const JsonNode *found = &reader->json->nodes[node];
    if (to != NULL)
        *(MessageJson *)to = (MessageJson){.bytes = reader->json->bytes + found->start + quote,
                                           .count = found->end - found->start - 2 * quote,
                                           .node = node};
}

/* The JSON as it is. */
static void write_json(JsonWriter *writer, const Field *field, const void *from) {
    const MessageJson *value = from;
    (void)field;
    json_put_raw(writer, value->bytes, value->count);
}

/* Is it a string of base64 characters? Decoding checks whether it is complete. */
static bool read_base64(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    const JsonNode *found = &reader->json->nodes[node];
    (void)field;
    if (!json_expect_kind(reader->json, node, JSON_STRING, reader->problems))
        return false;
    keep_place(reader, node, 1, to);
    for (uint32_t i = found->start + 1; i < found->end - 1; i++) {
        char c = reader->json->bytes[i];
        if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
            c == '+' || c == '/' || c == '=')
            continue;
        json_problem(reader->json, node, reader->problems, "must be base64");
        return false;
    }
    return true;
}

/* The digits in quotes again. */
static void write_base64(JsonWriter *writer, const Field *field, const void *from) {
    const MessageJson *value = from;
    (void)field;
    json_put_bytes(writer, value->bytes, value->count);
}

const FieldCustom message_base64 = {
    "a string", read_base64, write_base64, "\"type\": \"string\", \"contentEncoding\": \"base64\"",
    "base64",   NULL,        NULL};

/* Any string, inside a shape. */
static bool read_string(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    (void)field, (void)to;
    return json_expect_kind(reader->json, node, JSON_STRING, reader->problems);
}

const FieldCustom message_text = {"a string", read_string, NULL, "\"type\": \"string\"",
                                  "string",   NULL,        NULL};

/* --- Arrays and objects ----------------------------------------------------------------------- */

/* Reads one entry of an array, which is not stored. */
typedef bool ReadEntry(FieldsReader *reader, const Field *field, uint32_t node, void *nothing);

/* Is it an array of such entries? */
static bool read_array(FieldsReader *reader, const Field *field, uint32_t node, void *to,
                       ReadEntry *read_entry) {
    const Json *json = reader->json;
    if (!json_expect_kind(json, node, JSON_ARRAY, reader->problems))
        return false;
    keep_place(reader, node, 0, to);
    bool fine = true;
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next)
        fine &= read_entry(reader, field, i, NULL);
    return fine;
}

/* A whole number within the bounds of the field. */
static bool read_int(FieldsReader *reader, const Field *field, uint32_t node, void *nothing) {
    int32_t number;
    (void)nothing;
    return json_int(reader->json, node, field->min, field->max, &number, reader->problems);
}

/* An array of these, an array of such arrays, and one of strings. */
static bool read_ints(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    return read_array(reader, field, node, to, read_int);
}

static bool read_int_rows(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    return read_array(reader, field, node, to, read_ints);
}

static bool read_names(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    return read_array(reader, field, node, to, read_string);
}

/* A time in milliseconds, or null. */
static bool read_time(FieldsReader *reader, const Field *field, uint32_t node, void *nothing) {
    int32_t number;
    (void)field, (void)nothing;
    return reader->json->nodes[node].kind == JSON_NULL ||
           json_int(reader->json, node, 0, INT32_MAX, &number, reader->problems);
}

/* An array of these. */
static bool read_seat_times(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    return read_array(reader, field, node, to, read_time);
}

/* An object of a shape, and an array of them. */
static bool read_object(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    keep_place(reader, node, 0, to);
    return fields_read(reader, field->rows, node, NULL, NULL);
}

static bool read_list(FieldsReader *reader, const Field *field, uint32_t node, void *to) {
    return read_array(reader, field, node, to, read_object);
}

/* Writes a schema that depends on the field: its shape or its bounds between two pieces. */
static void schema_of(JsonWriter *writer, const Field *field, const char *before,
                      const char *after) {
    char memory[SCHEMA_BYTES];
    MashText text = text_over(memory, sizeof memory);
    text_string(&text, before);
    if (field->rows != NULL)
        text_format(&text, "\"$ref\": \"#/$defs/%s\"", field->rows->id);
    else
        text_format(&text, "\"type\": \"integer\", \"minimum\": %d, \"maximum\": %d", field->min,
                    field->max);
    text_string(&text, after);
    json_put_members(writer, memory);
}

/* What the entries of arrays are, and what an object is. */
static void schema_ints(JsonWriter *writer, const Field *field) {
    schema_of(writer, field, "\"type\": \"array\", \"items\": {", "}");
}

static void schema_int_rows(JsonWriter *writer, const Field *field) {
    schema_of(writer, field, "\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {",
              "}}");
}

static void schema_object(JsonWriter *writer, const Field *field) {
    schema_of(writer, field, "", "");
}

/* The same in words. */
static void words_ints(const Field *field, MashText *text) {
    text_format(text, "array of %d to %d", field->min, field->max);
}

static void words_int_rows(const Field *field, MashText *text) {
    text_format(text, "array of arrays of %d to %d", field->min, field->max);
}

static void words_object(const Field *field, MashText *text) { text_string(text, field->rows->id); }

static void words_list(const Field *field, MashText *text) {
    text_format(text, "array of %s", field->rows->id);
}

const FieldCustom message_ints = {"an array", read_ints,   write_json, NULL,
                                  NULL,       schema_ints, words_ints};
const FieldCustom message_int_rows = {"an array", read_int_rows,   write_json,    NULL,
                                      NULL,       schema_int_rows, words_int_rows};
const FieldCustom message_names = {"an array",
                                   read_names,
                                   write_json,
                                   "\"type\": \"array\", \"items\": {\"type\": \"string\"}",
                                   "array of strings",
                                   NULL,
                                   NULL};
const FieldCustom message_seat_times = {
    "an array",
    read_seat_times,
    write_json,
    "\"type\": \"array\", \"items\": {\"type\": [\"integer\", \"null\"], "
    "\"minimum\": 0, \"maximum\": 2147483647}",
    "array of numbers or null",
    NULL,
    NULL};
const FieldCustom message_object = {"an object", read_object,   write_json,  NULL,
                                    NULL,        schema_object, words_object};
const FieldCustom message_list = {"an array", read_list,   write_json, NULL,
                                  NULL,       schema_ints, words_list};
