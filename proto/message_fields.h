/* message_fields.h -- the lists of message.h as tables of base/fields.h, for the files of this room
 * that read, write and print messages. */
#ifndef PROTO_MESSAGE_FIELDS_H
#define PROTO_MESSAGE_FIELDS_H
#include "base/fields.h"
#include "proto/message.h"

/* The fields of a message or a shape. */
const Fields *fields_of_message(MessageKind kind);
const Fields *fields_of_shape(MessageShape shape);

/* The kinds of field that base/fields.h does not have; message.h says what each is. The reader's
 * context is a MashText, into which documents are decoded. */
extern const FieldCustom message_seat, message_code, message_hex, message_options,
    message_documents, message_base64, message_ints, message_names, message_int_rows,
    message_seat_times, message_object, message_list, message_text;

/* The words of one list with their meanings; how many. */
typedef struct ProtoChoice {
    const char *id, *meaning;
} ProtoChoice;
const ProtoChoice *proto_choices(ProtoChoices list, uint32_t *count);

#endif
