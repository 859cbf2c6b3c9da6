/* message.c -- see message.h: reading and writing by the tables of fields.h. */
#include "proto/message.h"

#include <string.h>

#include "proto/fields.h"

enum { FIELDS_MAX = 32, WORDS_MAX = 512 };
static_assert((int)PROTO_SENTENCE_MAX < (int)WORDS_MAX, "a local buffer holds any words");

bool message_from_client(MessageKind kind) { return kind < MESSAGE_SERVER_WELCOME; }

const char *message_type(MessageKind kind) { return fields_of_message(kind).id; }

/* Where the fields' structs begin: at the union, which is where each of its members begins. */
static void *body(Message *message) { return &message->hello; }

/* The bit in `given` of a field that the message must have. */
static uint32_t bit_of(const Message *message, const char *name) {
    Fields fields = fields_of_message(message->kind);
    uint32_t i = 0;
    while (i < fields.count && strcmp(fields.list[i].name, name) != 0)
        i++;
    assert(i < fields.count);
    return (uint32_t)1 << i;
}

bool message_has(const Message *message, const char *field) {
    return (message->present & bit_of(message, field)) != 0;
}

void message_set_present(Message *message, const char *field) {
    message->present |= bit_of(message, field);
}

Message message_new(MessageKind kind) {
    Message message;
    memset(&message, 0, sizeof message);
    message.kind = kind;
    Fields fields = fields_of_message(kind);
    assert(fields.count <= FIELDS_MAX);
    for (uint32_t i = 0; i < fields.count; i++)
        if (fields.list[i].kind == FIELD_SEAT)
            *((uint8_t *)body(&message) + fields.list[i].offset) = MASH_SEAT_NONE;
    return message;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* What reading needs everywhere. */
typedef struct Reader {
    const Json *json;
    bool strict; /* unknown keys are refused */
    MashText *pool;
    MashProblems *problems;
} Reader;

static bool read_fields(const Reader *reader, uint32_t object, Fields fields, uint8_t *to,
                        uint32_t *given);

/* A string of 1 to field->a bytes. */
static bool read_words(const Reader *reader, uint32_t node, const Field *field, char *to) {
    char local[WORDS_MAX];
    return json_line(reader->json, node, to == NULL ? local : to, (uint32_t)field->a + 1,
                     reader->problems);
}

/* A word of the field's list, as its number there. */
static bool read_choice(const Reader *reader, uint32_t node, const Field *field, uint8_t *to) {
    const char *words[FIELDS_MAX];
    uint32_t count, number;
    const ProtoChoice *choices = proto_choices((ProtoChoices)field->a, &count);
    for (uint32_t i = 0; i < count; i++)
        words[i] = choices[i].id;
    bool fine = json_choice(reader->json, node, words, count, &number, reader->problems);
    if (to != NULL)
        *to = (uint8_t)number;
    return fine;
}

/* A whole number in its bounds. */
static bool read_whole(const Reader *reader, uint32_t node, int32_t least, int32_t most, void *to) {
    int32_t number;
    bool fine = json_int(reader->json, node, least, most, &number, reader->problems);
    if (to != NULL)
        memcpy(to, &number, sizeof number);
    return fine;
}

/* True or false. */
static bool read_flag(const Reader *reader, uint32_t node, bool *to) {
    bool local;
    return json_bool(reader->json, node, to == NULL ? &local : to, reader->problems);
}

/* A seat; null is MASH_SEAT_NONE. */
static bool read_seat(const Reader *reader, uint32_t node, uint8_t *to) {
    int32_t number = MASH_SEAT_NONE;
    bool fine = reader->json->nodes[node].kind == JSON_NULL ||
                json_int(reader->json, node, 0, MASH_SEATS - 1, &number, reader->problems);
    if (to != NULL)
        *to = (uint8_t)number;
    return fine;
}

/* The code of a table, kept in its usual spelling. */
static bool read_code(const Reader *reader, uint32_t node, char *to) {
    char words[WORDS_MAX];
    uint64_t number;
    if (!json_line(reader->json, node, words, sizeof words, reader->problems))
        return false;
    if (!table_code_decode(words, &number)) {
        json_problem(reader->json, node, reader->problems,
                     "must be the code of a table, such as k7qf-2m9x-w3ab");
        return false;
    }
    if (to != NULL)
        table_code_encode(number, to);
    return true;
}

/* Exactly field->a hexadecimal digits in small letters. */
static bool read_hex(const Reader *reader, uint32_t node, const Field *field, char *to) {
    char words[WORDS_MAX];
    if (!json_line(reader->json, node, words, sizeof words, reader->problems))
        return false;
    size_t digits = strspn(words, "0123456789abcdef");
    if (digits != (size_t)field->a || words[digits] != '\0') {
        json_problem(reader->json, node, reader->problems,
                     "must be %d hexadecimal digits in small letters", field->a);
        return false;
    }
    if (to != NULL)
        memcpy(to, words, digits + 1);
    return true;
}

/* Options by their ids; whether the game has them is not looked at. */
static bool read_options(const Reader *reader, uint32_t node, MessageOptions *to) {
    const Json *json = reader->json;
    if (!json_expect_kind(json, node, JSON_OBJECT, reader->problems))
        return false;
    if (json->nodes[node].count > MASH_OPTIONS_MAX) {
        json_problem(json, node, reader->problems, "no game has more than %d options",
                     (int)MASH_OPTIONS_MAX);
        return false;
    }
    bool fine = true;
    to->count = 0;
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next) {
        MashText id = text_over(to->list[to->count].id, sizeof to->list[0].id);
        json_key(json, i, &id);
        if (id.truncated) {
            json_key_problem(json, i, reader->problems, "no game has an option ", "");
            fine = false;
        }
        fine &=
            json_int(json, i, INT32_MIN, INT32_MAX, &to->list[to->count++].value, reader->problems);
    }
    return fine;
}

/* Decodes a string into the pool, a NUL behind it; NULL: no room. */
static const char *keep(const Reader *reader, uint32_t node, uint32_t *count) {
    MashText *pool = reader->pool;
    uint32_t start = pool->count;
    json_string(reader->json, node, pool);
    *count = pool->count - start;
    text_byte(pool, '\0');
    if (pool->truncated)
        json_problem(reader->json, node, reader->problems, "is too long");
    return pool->truncated ? NULL : pool->bytes + start;
}

/* Documents, which are kept in the lent memory; without a text they have no bytes. */
static bool read_documents(const Reader *reader, uint32_t node, MessageDocuments *to) {
    const Json *json = reader->json;
    if (!json_expect_kind(json, node, JSON_ARRAY, reader->problems))
        return false;
    if (json->nodes[node].count > MASH_DOCUMENTS_MAX) {
        json_problem(json, node, reader->problems, "no more than %d documents make a content",
                     (int)MASH_DOCUMENTS_MAX);
        return false;
    }
    to->count = 0;
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next) {
        MashDocument *document = &to->list[to->count++];
        uint32_t ignored;
        *document = (MashDocument){.name = NULL};
        if (!json_expect_kind(json, i, JSON_OBJECT, reader->problems) ||
            !read_fields(reader, i, fields_of_shape(SHAPE_DOCUMENT), NULL, NULL))
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

/* Is it a string of the letters of base64? Who decodes it sees whether it is whole. */
static bool read_base64(const Reader *reader, uint32_t node) {
    const JsonNode *found = &reader->json->nodes[node];
    if (!json_expect_kind(reader->json, node, JSON_STRING, reader->problems))
        return false;
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

/* One entry of an array. */
static bool read_entry(const Reader *reader, uint32_t node, const Field *field) {
    switch (field->kind) {
    case FIELD_NAMES:
        return json_expect_kind(reader->json, node, JSON_STRING, reader->problems);
    case FIELD_TIMES:
        return reader->json->nodes[node].kind == JSON_NULL ||
               read_whole(reader, node, 0, PROTO_DAY_MS, NULL);
    case FIELD_LIST:
        return json_expect_kind(reader->json, node, JSON_OBJECT, reader->problems) &&
               read_fields(reader, node, fields_of_shape((MessageShape)field->a), NULL, NULL);
    default:
        return read_whole(reader, node, field->a, field->b, NULL);
    }
}

/* Is it an array, each entry of which is what the field says? */
static bool read_array(const Reader *reader, uint32_t node, const Field *field) {
    const Json *json = reader->json;
    if (!json_expect_kind(json, node, JSON_ARRAY, reader->problems))
        return false;
    Field row = *field;
    row.kind = FIELD_NUMBERS;
    bool fine = true;
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next)
        fine &=
            field->kind == FIELD_ROWS ? read_array(reader, i, &row) : read_entry(reader, i, field);
    return fine;
}

/* What is kept of a value that has no struct: where it stands. */
static bool read_value(const Reader *reader, uint32_t node, const Field *field, MessageJson *to) {
    const JsonNode *found = &reader->json->nodes[node];
    uint32_t quote = field->kind == FIELD_BASE64 ? 1 : 0;
    if (to != NULL)
        *to = (MessageJson){.bytes = reader->json->bytes + found->start + quote,
                            .count = found->end - found->start - 2 * quote,
                            .node = node};
    switch (field->kind) {
    case FIELD_BASE64:
        return read_base64(reader, node);
    case FIELD_THING:
        return json_expect_kind(reader->json, node, JSON_OBJECT, reader->problems) &&
               read_fields(reader, node, fields_of_shape((MessageShape)field->a), NULL, NULL);
    case FIELD_TEXT:
        return json_expect_kind(reader->json, node, JSON_STRING, reader->problems);
    default:
        return read_array(reader, node, field);
    }
}

/* Reads one field; `to` NULL: only looks whether it is as it must be. */
static bool read_field(const Reader *reader, uint32_t node, const Field *field, void *to) {
    switch (field->kind) {
    case FIELD_WORDS:
        return read_words(reader, node, field, to);
    case FIELD_WHOLE:
        return read_whole(reader, node, field->a, field->b, to);
    case FIELD_FLAG:
        return read_flag(reader, node, to);
    case FIELD_CHOICE:
        return read_choice(reader, node, field, to);
    case FIELD_SEAT:
        return read_seat(reader, node, to);
    case FIELD_CODE:
        return read_code(reader, node, to);
    case FIELD_HEX:
        return read_hex(reader, node, field, to);
    case FIELD_OPTIONS:
        return read_options(reader, node, to);
    case FIELD_DOCUMENTS:
        return read_documents(reader, node, to);
    default:
        return read_value(reader, node, field, to);
    }
}

/* Reports the keys that none of these fields has; "type" stands at the top. */
static bool known_keys(const Reader *reader, uint32_t object, Fields fields) {
    const char *keys[FIELDS_MAX + 1];
    for (uint32_t i = 0; i < fields.count; i++)
        keys[i] = fields.list[i].name;
    uint32_t count = fields.count;
    if (object == 0)
        keys[count++] = "type";
    return json_refuse_unknown_keys(reader->json, object, keys, count, reader->problems);
}

/* Finds the value of each field, JSON_NONE for who has none. False: there are other keys too. */
static bool find_values(const Json *json, uint32_t object, Fields fields,
                        uint32_t nodes[FIELDS_MAX]) {
    uint32_t found = object == 0; /* "type" */
    for (uint32_t i = 0; i < fields.count; i++)
        nodes[i] = JSON_NONE;
    for (uint32_t node = json_first(json, object); node != JSON_NONE;
         node = json->nodes[node].next) {
        uint32_t i = 0;
        while (i < fields.count && !json_key_equals(json, node, fields.list[i].name))
            i++;
        if (i < fields.count) {
            nodes[i] = node;
            found++;
        }
    }
    return found == json->nodes[object].count;
}

/* Shapes are nested no deeper than the list of message.h nests them. */
static bool read_fields(const Reader *reader, uint32_t object, Fields fields, uint8_t *to,
                        uint32_t *given) {
    uint32_t nodes[FIELDS_MAX];
    assert(fields.count <= FIELDS_MAX);
    bool fine = find_values(reader->json, object, fields, nodes) || !reader->strict ||
                known_keys(reader, object, fields);
    for (uint32_t i = 0; i < fields.count; i++) {
        const Field *field = &fields.list[i];
        uint32_t node = nodes[i];
        if (node == JSON_NONE) {
            if (field->need)
                json_problem(reader->json, object, reader->problems, "key \"%s\" is missing",
                             field->name);
            fine &= !field->need;
            continue;
        }
        fine &= read_field(reader, node, field, to == NULL ? NULL : to + field->offset);
        if (given != NULL)
            *given |= (uint32_t)1 << i;
    }
    return fine;
}

/* The message of this type, or MESSAGE_COUNT. */
static MessageKind find_type(const Json *json, uint32_t node, bool from_server) {
    uint32_t kind = from_server ? MESSAGE_SERVER_WELCOME : 0;
    uint32_t end = from_server ? MESSAGE_COUNT : MESSAGE_SERVER_WELCOME;
    for (; kind < end; kind++)
        if (json_equals(json, node, message_type((MessageKind)kind)))
            return (MessageKind)kind;
    return MESSAGE_COUNT;
}

MessageReadResult message_read(Message *message, const char *bytes, uint32_t count,
                               bool from_server, const MessageMemory *memory,
                               MashProblems *problems) {
    Json json;
    message->kind = MESSAGE_COUNT;
    message->present = 0;
    if (!json_read(&json, "message", bytes, count, memory->nodes, memory->nodes_max, problems) ||
        !json_expect_kind(&json, 0, JSON_OBJECT, problems))
        return MESSAGE_UNREADABLE;
    uint32_t type = json_expect_member(&json, 0, "type", JSON_STRING, problems);
    if (type == JSON_NONE)
        return MESSAGE_UNREADABLE;
    MessageKind kind = find_type(&json, type, from_server);
    if (kind == MESSAGE_COUNT) {
        char found[64];
        MashText text = text_over(found, sizeof found);
        json_describe(&json, type, &text);
        json_problem(&json, type, problems, "there is no message of the type %s", found);
        return MESSAGE_UNREADABLE;
    }
    char nothing[1];
    MashText pool =
        memory->text_max == 0 ? text_over(nothing, 1) : text_over(memory->text, memory->text_max);
    Reader reader = {&json, !from_server, &pool, problems};
    *message = message_new(kind);
    message->json = json;
    bool fine = read_fields(&reader, 0, fields_of_message(kind), body(message), &message->present);
    return fine ? MESSAGE_VALID : MESSAGE_INVALID;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Options as an object. */
static void write_options(JsonWriter *writer, const MessageOptions *options) {
    json_open(writer, '{');
    for (uint32_t i = 0; i < options->count; i++) {
        json_put_key(writer, options->list[i].id);
        json_put_int(writer, options->list[i].value);
    }
    json_close(writer, '}');
}

/* Documents as an array; one without bytes has no text. */
static void write_documents(JsonWriter *writer, const MessageDocuments *documents) {
    json_open(writer, '[');
    for (uint32_t i = 0; i < documents->count; i++) {
        const MashDocument *document = &documents->list[i];
        json_open(writer, '{');
        json_put_key(writer, "name");
        json_put_string(writer, document->name);
        if (document->bytes != NULL) {
            json_put_key(writer, "text");
            json_put_bytes(writer, document->bytes, document->count);
        }
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

/* Writes the value of one field. */
static void write_field(JsonWriter *writer, const Field *field, const uint8_t *from) {
    const MessageJson *value = (const MessageJson *)(const void *)from;
    int32_t number;
    switch (field->kind) {
    case FIELD_WORDS:
    case FIELD_CODE:
    case FIELD_HEX:
        json_put_string(writer, (const char *)from);
        break;
    case FIELD_WHOLE:
        memcpy(&number, from, sizeof number);
        json_put_int(writer, number);
        break;
    case FIELD_FLAG:
        json_put_bool(writer, *(const bool *)from);
        break;
    case FIELD_CHOICE:
        json_put_string(writer, choice_id((ProtoChoices)field->a, *from));
        break;
    case FIELD_SEAT:
        if (*from < MASH_SEATS)
            json_put_int(writer, *from);
        else
            json_put_null(writer);
        break;
    case FIELD_OPTIONS:
        write_options(writer, (const MessageOptions *)(const void *)from);
        break;
    case FIELD_DOCUMENTS:
        write_documents(writer, (const MessageDocuments *)(const void *)from);
        break;
    case FIELD_BASE64:
        json_put_bytes(writer, value->bytes, value->count);
        break;
    default:
        json_put_raw(writer, value->bytes, value->count);
    }
}

/* Is the value within what the reader accepts? */
static bool field_fits(const Field *field, const uint8_t *from) {
    int32_t number;
    if (field->kind == FIELD_CHOICE)
        return *from < choice_count((ProtoChoices)field->a);
    if (field->kind != FIELD_WHOLE)
        return true;
    memcpy(&number, from, sizeof number);
    return number >= field->a && number <= field->b;
}

bool message_fits(const Message *message) {
    Fields fields = fields_of_message(message->kind);
    const uint8_t *from = (const uint8_t *)&message->hello;
    for (uint32_t i = 0; i < fields.count; i++)
        if ((fields.list[i].need || (message->present >> i & 1) != 0) &&
            !field_fits(&fields.list[i], from + fields.list[i].offset))
            return false;
    return true;
}

void message_write(const Message *message, MashText *text) {
    Fields fields = fields_of_message(message->kind);
    JsonWriter writer = json_writer(text, 0);
    assert(message_fits(message));
    const uint8_t *from = (const uint8_t *)&message->hello;
    json_open(&writer, '{');
    json_put_key(&writer, "type");
    json_put_string(&writer, fields.id);
    for (uint32_t i = 0; i < fields.count; i++) {
        const Field *field = &fields.list[i];
        if (!field->need && (message->present >> i & 1) == 0)
            continue;
        json_put_key(&writer, field->name);
        write_field(&writer, field, from + field->offset);
    }
    json_close(&writer, '}');
}
