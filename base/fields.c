/* fields.c -- see fields.h: reading and writing by the tables. */
#include "base/fields.h"

#include <string.h>

/* --- Formats ---------------------------------------------------------------------------------- */

/* Is it a lower case letter or a digit? */
static bool plain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/* Lower case letters, digits and single hyphens between them? */
static bool fits_id(const char *id) {
    for (const char *c = id; *c != '\0'; c++)
        if (!plain(*c) && (*c != '-' || c == id || c[-1] == '-' || c[1] == '\0'))
            return false;
    return true;
}

/* Lower case letters, digits and hyphens, starting with a letter? */
static bool fits_name(const char *name) {
    for (const char *c = name; *c != '\0'; c++)
        if (!plain(*c) && *c != '-')
            return false;
    return name[0] >= 'a' && name[0] <= 'z';
}

const FieldFormat field_line = {.pattern = "^[^\\u0000-\\u001F\\u007F-\\u009F]*$"};
const FieldFormat field_id = {"^[a-z0-9]+(-[a-z0-9]+)*$", fits_id,
                              "may contain only lower-case letters, digits and single hyphens"};
const FieldFormat field_name = {"^[a-z][a-z0-9-]*$", fits_name,
                                "must start with a letter and contain only a-z, 0-9 and -"};

/* --- Values in memory ------------------------------------------------------------------------- */

/* Puts a number into a member of 1, 2 or 4 bytes. */
static void put_number(void *to, uint32_t bytes, int32_t number) {
    uint8_t one = (uint8_t)number;
    uint16_t two = (uint16_t)number;
    assert(bytes == 1 || bytes == 2 || bytes == 4);
    memcpy(to, bytes == 1 ? (const void *)&one : bytes == 2 ? (const void *)&two : &number, bytes);
}

/* Reads it back; members are signed where the minimum is negative. */
static int32_t number_of(const Field *field, const void *from) {
    int32_t number = 0;
    uint8_t one;
    uint16_t two;
    if (field->bytes == 4) {
        memcpy(&number, from, sizeof number);
    } else if (field->bytes == 2) {
        memcpy(&two, from, sizeof two);
        number = field->min < 0 ? (int16_t)two : two;
    } else {
        memcpy(&one, from, sizeof one);
        number = field->min < 0 ? (int8_t)one : one;
    }
    return number;
}

/* The maximum length of a line in bytes. */
static uint32_t line_max(const Field *field) {
    uint32_t most = field->max > 0 ? (uint32_t)field->max : field->bytes - 1;
    assert(most > 0 && most <= FIELDS_LINE_MAX);
    return most;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* A field in the JSON: its object, and its value or JSON_NONE if the key is missing. The functions
 * of json.h that end in _at report missing keys. */
typedef struct FieldNode {
    uint32_t object, node;
} FieldNode;

static bool read_field(FieldsReader *reader, const Field *field, FieldNode place, uint8_t *record);

/* A line; one that does not match its format becomes empty. */
static bool read_line(FieldsReader *reader, const Field *field, FieldNode place, char *to) {
    char line[FIELDS_LINE_MAX + 1];
    uint32_t most = line_max(field);
    if (place.node == JSON_NONE)
        return json_line_at(reader->json, place.object, field->key, line, most + 1,
                            reader->problems);
    if (field->empty && json_equals(reader->json, place.node, ""))
        return true;
    if (!json_line(reader->json, place.node, line, most + 1, reader->problems))
        return false;
    if (field->format != NULL && field->format->fits != NULL && !field->format->fits(line))
        return json_problem(reader->json, place.node, reader->problems, "%s, found \"%s\"",
                            field->format->sentence, line);
    size_t length = strlen(line) + 1;
    if (to != NULL)
        memcpy(to, line, field->bytes != 0 && length > field->bytes ? field->bytes : length);
    return true;
}

/* An integer within its bounds. */
static bool read_int(FieldsReader *reader, const Field *field, FieldNode place, void *to) {
    int32_t min = field->min, max = field->max, number = field->fallback;
    if (field->bounds != NULL)
        field->bounds(reader, &min, &max);
    bool fine = place.node == JSON_NONE
                    ? json_int_at(reader->json, place.object, field->key, min, max, &number,
                                  reader->problems)
                    : json_int(reader->json, place.node, min, max, &number, reader->problems);
    if (!fine && field->fallback > min)
        number = field->fallback > max ? max : field->fallback;
    if (to != NULL)
        put_number(to, field->bytes, number);
    return fine;
}

/* True or false. */
static bool read_bool(FieldsReader *reader, const Field *field, FieldNode place, bool *to) {
    bool truth;
    bool fine = place.node == JSON_NONE
                    ? json_bool_at(reader->json, place.object, field->key, &truth, reader->problems)
                    : json_bool(reader->json, place.node, &truth, reader->problems);
    if (to != NULL)
        *to = truth;
    return fine;
}

/* The words of an ENUM and their indices; how many. */
static uint32_t words_of(const FieldsReader *reader, const Field *field,
                         const char *words[FIELDS_WORDS_MAX], uint8_t indices[FIELDS_WORDS_MAX]) {
    uint32_t count = 0;
    for (uint32_t i = 0;; i++) {
        const char *word = field->word != NULL ? field->word(reader, i) : field->words[i];
        if (word == NULL)
            return count;
        if (word[0] == '\0')
            continue;
        assert(count < FIELDS_WORDS_MAX && i <= UINT8_MAX);
        indices[count] = (uint8_t)i;
        words[count++] = word;
    }
}

/* One of the words, as its index. */
static bool read_enum(FieldsReader *reader, const Field *field, FieldNode place, void *to) {
    const char *words[FIELDS_WORDS_MAX];
    uint8_t indices[FIELDS_WORDS_MAX] = {0};
    uint32_t count = words_of(reader, field, words, indices), number = 0;
    bool fine = place.node == JSON_NONE
                    ? json_choice_at(reader->json, place.object, field->key, words, count, &number,
                                     reader->problems)
                    : count == 0 || json_choice(reader->json, place.node, words, count, &number,
                                                reader->problems);
    if (to != NULL)
        put_number(to, field->bytes, fine ? indices[number] : field->fallback);
    return fine;
}

/* Reports that there are too few or too many rows or entries. */
static bool check_count(FieldsReader *reader, const Field *field, uint32_t array) {
    uint32_t count = reader->json->nodes[array].count;
    if ((field->few || count >= (uint32_t)field->min) && count <= (uint32_t)field->max)
        return true;
    if (field->min == field->max)
        return json_problem(reader->json, array, reader->problems,
                            "must have exactly %d %s, found %u", field->min, field->key, count);
    return json_problem(reader->json, array, reader->problems, "must have %d to %d %s, found %u",
                        field->min, field->max, field->key, count);
}

/* Have two nodes the same value, a string or a number? */
static bool same_value(const Json *json, uint32_t one, uint32_t other) {
    const JsonNode *a = &json->nodes[one], *b = &json->nodes[other];
    char line[FIELDS_LINE_MAX + 1];
    MashText text = text_over(line, sizeof line);
    if (a->kind != b->kind)
        return false;
    json_string(json, one, &text);
    return a->kind == JSON_STRING
               ? json_equals(json, other, line)
               : a->end - a->start == b->end - b->start &&
                     memcmp(json->bytes + a->start, json->bytes + b->start, a->end - a->start) == 0;
}

/* Reports a duplicate if an earlier row has the same value of a unique field. `values` are the
 * nodes of that field in all rows, the last one at `index`; JSON_NONE for rows without it. */
static void check_unique(FieldsReader *reader, const Field *field, uint32_t array,
                         const uint32_t *values, uint32_t index) {
    const Json *json = reader->json;
    uint32_t other = 0, row = json_first(json, array);
    while (other < index &&
           (values[other] == JSON_NONE || !same_value(json, values[index], values[other])))
        other++;
    if (values[index] == JSON_NONE || other == index)
        return;
    while (other-- > 0)
        row = json->nodes[row].next;
    char shown[64], path[96];
    MashText words = text_over(shown, sizeof shown), where = text_over(path, sizeof path);
    json_describe(json, values[index], &words);
    json_path(json, row, &where);
    json_problem(json, values[index], reader->problems, "duplicate %s %s, already used by %s",
                 field->key, shown, path);
}

/* The unique fields of the rows: the nodes, row by row. */
typedef struct UniqueValues {
    uint32_t nodes[FIELDS_UNIQUE_MAX][FIELDS_ROWS_MAX];
} UniqueValues;

/* Row number `index` of an array, checked against its table. */
static bool read_row(FieldsReader *reader, const Fields *rows, uint32_t array, uint32_t index,
                     uint32_t node, UniqueValues *unique, void *to) {
    uint32_t before = reader->problems->count, count = 0;
    fields_read(reader, rows, node, to, NULL);
    for (uint32_t i = 0; i < rows->count; i++) {
        if (!rows->list[i].unique)
            continue;
        assert(count < FIELDS_UNIQUE_MAX && index < FIELDS_ROWS_MAX);
        uint32_t *values = unique->nodes[count++];
        values[index] = json_member(reader->json, node, rows->list[i].key);
        check_unique(reader, &rows->list[i], array, values, index);
    }
    return reader->problems->count == before;
}

/* An array of objects. Invalid rows are kept as far as they are valid, so that others may refer to
 * them. Of too many rows the first are read. */
static bool read_rows(FieldsReader *reader, const Field *field, uint32_t array, uint8_t *record) {
    const Json *json = reader->json;
    const Fields *rows = field->rows;
    bool fine = check_count(reader, field, array), kept = record != NULL && field->bytes != 0;
    uint32_t count = 0, most = (uint32_t)field->max;
    UniqueValues unique;
    for (uint32_t i = json_first(json, array); i != JSON_NONE && count < most;
         i = json->nodes[i].next, count++) {
        _Alignas(8) uint8_t passing[FIELDS_ROW_BYTES];
        uint8_t *to = kept ? record + field->offset + count * rows->bytes : passing;
        assert(kept || rows->bytes <= sizeof passing);
        memset(to, 0, rows->bytes);
        fine &= read_row(reader, rows, array, count, i, &unique, to);
    }
    if (kept && field->count_bytes != 0)
        put_number(record + field->count, field->count_bytes, (int32_t)count);
    return fine;
}

/* An array of values, stored one after the other. Of too many the first are read. */
static bool read_list(FieldsReader *reader, const Field *field, uint32_t array, uint8_t *record) {
    const Json *json = reader->json;
    Field item = *field->item;
    bool fine = check_count(reader, field, array);
    uint32_t count = 0;
    item.offset = field->offset;
    for (uint32_t i = json_first(json, array); i != JSON_NONE && count < (uint32_t)field->max;
         i = json->nodes[i].next, count++) {
        fine &= read_field(reader, &item, (FieldNode){array, i}, record);
        item.offset += item.bytes;
    }
    if (record != NULL && field->count_bytes != 0)
        put_number(record + field->count, field->count_bytes, (int32_t)count);
    return fine;
}

/* Objects and arrays of them; nested records are stored inside the outer one. */
static bool read_nested(FieldsReader *reader, const Field *field, FieldNode place,
                        uint8_t *record) {
    JsonKind kind = field->kind == FIELD_OBJECT ? JSON_OBJECT : JSON_ARRAY;
    if (place.node == JSON_NONE) {
        json_expect_member(reader->json, place.object, field->key, kind, reader->problems);
        return false;
    }
    if (!json_expect_kind(reader->json, place.node, kind, reader->problems))
        return false;
    if (field->kind != FIELD_OBJECT)
        return field->kind == FIELD_ROWS ? read_rows(reader, field, place.node, record)
                                         : read_list(reader, field, place.node, record);
    return fields_read(reader, field->rows, place.node,
                       record == NULL ? NULL : record + field->offset, NULL);
}

/* Reads one field that is required or present. */
static bool read_field(FieldsReader *reader, const Field *field, FieldNode place, uint8_t *record) {
    void *to = record == NULL ? NULL : record + field->offset;
    switch (field->kind) {
    case FIELD_LINE:
        return read_line(reader, field, place, to);
    case FIELD_INT:
        return read_int(reader, field, place, to);
    case FIELD_BOOL:
        return read_bool(reader, field, place, to);
    case FIELD_ENUM:
        return read_enum(reader, field, place, to);
    case FIELD_CUSTOM:
        if (place.node != JSON_NONE)
            return field->custom->read(reader, field, place.node, to);
        json_missing(reader->json, place.object, field->key, field->custom->wanted,
                     reader->problems);
        return false;
    default:
        return read_nested(reader, field, place, record);
    }
}

/* Reports the keys that none of these fields has. */
static bool known_keys(const FieldsReader *reader, const Fields *fields, uint32_t object) {
    const char *keys[FIELDS_MAX + 1];
    for (uint32_t i = 0; i < fields->count; i++)
        keys[i] = fields->list[i].key;
    uint32_t count = fields->count;
    if (object == 0 && reader->tag != NULL)
        keys[count++] = reader->tag;
    return json_refuse_unknown_keys(reader->json, object, keys, count, reader->problems);
}

/* Finds the value of each field, JSON_NONE for missing ones. False: there are unknown keys. */
static bool find_values(const FieldsReader *reader, const Fields *fields, uint32_t object,
                        uint32_t nodes[FIELDS_MAX]) {
    const Json *json = reader->json;
    uint32_t found = object == 0 && reader->tag != NULL;
    assert(fields->count <= FIELDS_MAX);
    for (uint32_t i = 0; i < fields->count; i++)
        nodes[i] = JSON_NONE;
    for (uint32_t node = json_first(json, object); node != JSON_NONE;
         node = json->nodes[node].next) {
        uint32_t i = 0;
        while (i < fields->count && !json_key_equals(json, node, fields->list[i].key))
            i++;
        if (i < fields->count) {
            nodes[i] = node;
            found++;
        }
    }
    return found == json->nodes[object].count;
}

bool fields_read(FieldsReader *reader, const Fields *fields, uint32_t node, void *to,
                 uint32_t *present) {
    uint32_t nodes[FIELDS_MAX];
    if (!json_expect_kind(reader->json, node, JSON_OBJECT, reader->problems))
        return false;
    void *around = reader->row;
    reader->row = to;
    bool fine = find_values(reader, fields, node, nodes) || reader->open || fields->open ||
                known_keys(reader, fields, node);
    for (uint32_t i = 0; i < fields->count; i++) {
        const Field *field = &fields->list[i];
        if (nodes[i] != JSON_NONE || !field->optional)
            fine &= read_field(reader, field, (FieldNode){node, nodes[i]}, to);
        else if (to != NULL && field->fallback != 0)
            put_number((uint8_t *)to + field->offset, field->bytes, field->fallback);
        if (nodes[i] != JSON_NONE && present != NULL)
            *present |= (uint32_t)1 << i;
    }
    uint32_t before = reader->problems->count;
    if (fine && fields->check != NULL && to != NULL)
        fields->check(reader, node, to);
    reader->row = around;
    return fine && reader->problems->count == before;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Is the value within what the reader accepts? */
static bool field_fits(const Field *field, const uint8_t *from) {
    const char *words[FIELDS_WORDS_MAX];
    uint8_t indices[FIELDS_WORDS_MAX];
    if (field->kind == FIELD_ENUM)
        return *from < words_of(NULL, field, words, indices);
    int32_t number = field->kind == FIELD_INT ? number_of(field, from) : field->min;
    return number >= field->min && (field->kind != FIELD_INT || number <= field->max);
}

/* Is the field to be written? */
static bool is_there(const Fields *fields, uint32_t index, uint32_t present) {
    return !fields->list[index].optional || (present >> index & 1) != 0;
}

bool fields_fit(const Fields *fields, const void *record, uint32_t present) {
    for (uint32_t i = 0; i < fields->count; i++)
        if (is_there(fields, i, present) &&
            !field_fits(&fields->list[i], (const uint8_t *)record + fields->list[i].offset))
            return false;
    return true;
}

void fields_write(JsonWriter *writer, const Fields *fields, const void *record, uint32_t present) {
    for (uint32_t i = 0; i < fields->count; i++) {
        const Field *field = &fields->list[i];
        const uint8_t *from = (const uint8_t *)record + field->offset;
        if (!is_there(fields, i, present))
            continue;
        json_put_key(writer, field->key);
        switch (field->kind) {
        case FIELD_LINE:
            json_put_string(writer, (const char *)from);
            break;
        case FIELD_INT:
            json_put_int(writer, number_of(field, from));
            break;
        case FIELD_BOOL:
            json_put_bool(writer, *from != 0);
            break;
        case FIELD_ENUM:
            json_put_string(writer, field->words[*from]);
            break;
        default:
            assert(field->kind == FIELD_CUSTOM && field->custom->write != NULL);
            field->custom->write(writer, field, from);
        }
    }
}
