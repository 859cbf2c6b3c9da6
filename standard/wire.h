/* wire.h -- messages of the Marvelous Mashup standard: bytes <-> StandardMessage, by the lists
 * of standard/messages.h. No sockets, no rules, nothing allocated. What others send is read
 * leniently: keys that are not in the list are ignored. */
#ifndef STANDARD_WIRE_H
#define STANDARD_WIRE_H
#include "base/json.h"
#include "standard/messages.h"

/* One key of a row. */
typedef enum StandardKind {
    STANDARD_TEXT,
    STANDARD_BOOL,
    STANDARD_INT,
    STANDARD_ROLE,
    STANDARD_ASSIGNMENT,
    STANDARD_CELL,
    STANDARD_REF,
    STANDARD_REFS,
    STANDARD_ENTITY_OBJECT,
    STANDARD_ENTITY_OBJECTS,
    STANDARD_BOOLS,
    STANDARD_HEROES,
    STANDARD_CONFIG,
    STANDARD_INTS,
    STANDARD_ANY,
} StandardKind;
typedef struct StandardKey {
    StandardKind kind;
    const char *key;
    uint32_t member; /* offset of its value in a StandardMessage */
    bool required;
} StandardKey;

/* The sender of a row. */
typedef enum StandardFrom {
    STANDARD_FROM_CLIENT = 1,
    STANDARD_FROM_SERVER = 2,
    STANDARD_FROM_BOTH = 3,
    STANDARD_FROM_NOBODY = 4,
} StandardFrom;

/* One row of a list. */
typedef struct StandardRow {
    const char *word; /* its messageType, eventType or requestType */
    StandardFrom from;
    const StandardKey *keys;
    uint32_t keys_count;
} StandardRow;

/* The rows of STANDARD_LIST_...; and the key that names a row: messageType, eventType,
 * requestType. */
const StandardRow *standard_rows(uint8_t list, uint32_t *count);
const char *standard_type_key(uint8_t list);
/* Words of the small lists, by number. */
const char *standard_group(int32_t group);
const char *standard_entity(int32_t type);
const char *standard_role(uint8_t role);
const char *standard_assignment(uint8_t assignment);

/* Results of reading. */
typedef enum StandardReadResult {
    STANDARD_READ,      /* valid */
    STANDARD_MALFORMED, /* a known row with a missing or invalid key */
    STANDARD_UNKNOWN,   /* not an object, or not a type of the list; list and row are not set */
} StandardReadResult;

/* Reads one object of a list. Strings are put into `pool`, and texts point into it; arrays of
 * references, entities, characters and configurations are not read. The problem says what is wrong
 * and where. */
StandardReadResult standard_read(const Json *json, uint32_t node, uint8_t list, MashText *pool,
                                 StandardMessage *out, MashProblems *problems);

/* A message of this row, otherwise zero. */
StandardMessage standard_new(uint8_t list, uint8_t row);
/* Do all numbers that need a word have one, and are times in range? A server checks before writing,
 * so that a wrong value of its own costs one connection and not all. */
bool standard_fits(const StandardMessage *message);
/* Appends a message, an event or a request, which must fit, as one JSON object. */
void standard_write(const StandardMessage *message, MashText *text);
/* Appends the schema of all of them: docs/standard.schema.json. */
void standard_print_schema(MashText *text);

#endif
