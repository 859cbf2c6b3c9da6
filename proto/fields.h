/* fields.h -- the list of message.h as tables, for the files of this room that read, write and
 * print messages. */
#ifndef PROTO_FIELDS_H
#define PROTO_FIELDS_H
#include "proto/message.h"

/* The kinds of field; message.h says what each is. TEXT is a long string inside a shape. */
typedef enum FieldKind {
    FIELD_WORDS,
    FIELD_WHOLE,
    FIELD_FLAG,
    FIELD_CHOICE,
    FIELD_SEAT,
    FIELD_CODE,
    FIELD_HEX,
    FIELD_OPTIONS,
    FIELD_DOCUMENTS,
    FIELD_BASE64,
    FIELD_NUMBERS,
    FIELD_NAMES,
    FIELD_ROWS,
    FIELD_TIMES,
    FIELD_THING,
    FIELD_LIST,
    FIELD_TEXT
} FieldKind;

/* One field. */
typedef struct Field {
    const char *name;
    FieldKind kind;
    bool need;
    int32_t a, b;
    uint32_t offset; /* in the message's struct; shapes have none */
    const char *meaning;
} Field;

/* A message or a shape. */
typedef struct Fields {
    const char *id, *meaning;
    const Field *list;
    uint32_t count;
} Fields;

/* The fields of a message or a shape. */
Fields fields_of_message(MessageKind kind);
Fields fields_of_shape(MessageShape shape);

/* A choice by its list and number; `name` and `meaning` for print. */
typedef struct ProtoChoice {
    const char *id, *meaning;
} ProtoChoice;
const ProtoChoice *proto_choices(ProtoChoices list, uint32_t *count);

#endif
