/* print.h -- the protocol as a page for people and as a JSON schema for programs, both from the
 * list in message.h. They print docs/protocol.md and docs/arena.schema.json. */
#ifndef PROTO_PRINT_H
#define PROTO_PRINT_H
#include "base/json.h"

/* The page, in Markdown. */
void print_protocol(MashText *text);
/* The schema (JSON Schema 2020-12): $defs has every message and shape, `wish` (any client message)
 * and `tell` (any server message). */
void print_schema(MashText *text);
/* Opens a schema with its title and description: an object whose member anyOf is an open array. */
JsonWriter print_schema_head(MashText *text, uint32_t indent, const char *title,
                             const char *description);

#endif
