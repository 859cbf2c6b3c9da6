/* message.c -- see message.h: reading and writing by the tables of message_fields.h. */
#include "proto/message.h"

#include <string.h>

#include "proto/message_fields.h"

static_assert((int)PROTO_SENTENCE_MAX <= (int)FIELDS_LINE_MAX, "the reader holds any line");

bool message_from_client(MessageKind kind) { return kind < MESSAGE_SERVER_WELCOME; }

const char *message_type(MessageKind kind) { return fields_of_message(kind)->id; }

/* Where the fields' structs start: at the union, where each of its members starts. */
static void *body(Message *message) { return &message->hello; }

/* The bit in `present` of a required field. */
static uint32_t bit_of(const Message *message, const char *key) {
    const Fields *fields = fields_of_message(message->kind);
    uint32_t i = 0;
    while (i < fields->count && strcmp(fields->list[i].key, key) != 0)
        i++;
    assert(i < fields->count);
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
    const Fields *fields = fields_of_message(kind);
    for (uint32_t i = 0; i < fields->count; i++)
        if (fields->list[i].custom == &message_seat)
            *((uint8_t *)body(&message) + fields->list[i].offset) = MASH_SEAT_NONE;
    return message;
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
        json_problem(&json, type, problems, "unknown message type %s", found);
        return MESSAGE_UNREADABLE;
    }
    char nothing[1];
    MashText pool =
        memory->text_max == 0 ? text_over(nothing, 1) : text_over(memory->text, memory->text_max);
    *message = message_new(kind);
    message->json = json;
    FieldsReader reader = {.json = &json,
                           .problems = problems,
                           .record = body(message),
                           .open = from_server,
                           .tag = "type",
                           .context = &pool};
    bool fine = fields_read(&reader, fields_of_message(kind), 0, body(message), &message->present);
    return fine ? MESSAGE_VALID : MESSAGE_INVALID;
}

bool message_fits(const Message *message) {
    return fields_fit(fields_of_message(message->kind), &message->hello, message->present);
}

void message_write(const Message *message, MashText *text) {
    const Fields *fields = fields_of_message(message->kind);
    JsonWriter writer = json_writer(text, 0);
    assert(message_fits(message));
    json_open(&writer, '{');
    json_put_pair(&writer, "type", fields->id);
    fields_write(&writer, fields, &message->hello, message->present);
    json_close(&writer, '}');
}
