/* schema.c -- see standard/wire.h: the lists as a JSON schema. What the server sends has no other
 * keys than listed; what clients send may have. */
#include "standard/wire.h"

#include <string.h>

#include "proto/print.h"

/* {"$ref": "#/$defs/PREFIX-WORD"} */
static void put_ref(JsonWriter *writer, const char *prefix, const char *word) {
    char memory[96];
    MashText text = text_over(memory, sizeof memory);
    text_format(&text, "#/$defs/%s%s%s", prefix, prefix[0] == '\0' ? "" : "-", word);
    json_open(writer, '{');
    json_put_pair(writer, "$ref", memory);
    json_close(writer, '}');
}

/* An array of `least` to `most` of a shape; 0 means no bound. */
static void put_list_of(JsonWriter *writer, const char *shape, int64_t least, int64_t most) {
    json_open(writer, '{');
    json_put_pair(writer, "type", "array");
    json_put_key(writer, "items");
    put_ref(writer, "", shape);
    if (least > 0)
        json_put_pair_int(writer, "minItems", least);
    if (most > 0)
        json_put_pair_int(writer, "maxItems", most);
    json_close(writer, '}');
}

/* One of the words of `word` for the numbers below `count`. */
static void put_words(JsonWriter *writer, const char *(*word)(uint8_t number), uint8_t count) {
    json_open(writer, '{');
    json_put_key(writer, "enum");
    json_open(writer, '[');
    for (uint8_t i = 0; i < count; i++)
        json_put_string(writer, word(i));
    json_close(writer, ']');
    json_close(writer, '}');
}

/* The standard's name for a group of ids. */
static const char *group_word(uint8_t group) { return standard_group(group); }

/* Twelve characters are on offer, six on a side. */
static void put_heroes(JsonWriter *writer, const StandardRow *row) {
    bool offered = row->keys_count == 2;
    int64_t count = offered ? STANDARD_OFFERED : STANDARD_TEAM;
    put_list_of(writer, "hero", count, count);
}

/* The content of the two envelopes, or of a custom message. */
static void put_any(JsonWriter *writer, const StandardRow *row) {
    if (row->keys_count > 1) {
        json_open(writer, '{');
        json_close(writer, '}');
        return;
    }
    bool events = row->from == STANDARD_FROM_SERVER;
    put_list_of(writer, events ? "event" : "request", 0, 0);
}

/* What keys of a kind may be; NULL: it depends. */
static const char *const kind_schemas[] = {
    [STANDARD_TEXT] = "{\"type\": \"string\"}",
    [STANDARD_BOOL] = "{\"type\": \"boolean\"}",
    [STANDARD_INT] = "{\"type\": \"integer\", \"minimum\": 0}",
    [STANDARD_CELL] = "{\"$ref\": \"#/$defs/field\"}",
    [STANDARD_REF] = "{\"$ref\": \"#/$defs/reference\"}",
    [STANDARD_REFS] = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/reference\"}}",
    [STANDARD_ENTITY_OBJECT] = "{\"$ref\": \"#/$defs/entity\"}",
    [STANDARD_ENTITY_OBJECTS] = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/entity\"}}",
    [STANDARD_CONFIG] = "{\"type\": \"object\"}",
    [STANDARD_ANY] = NULL};

/* What a key may be, as a schema. */
static void put_kind(JsonWriter *writer, StandardKind kind, const StandardRow *row) {
    const char *schema = kind_schemas[kind];
    if (schema != NULL)
        json_put_raw(writer, schema, (uint32_t)strlen(schema));
    else if (kind == STANDARD_ROLE)
        put_words(writer, standard_role, STANDARD_ROLE_COUNT);
    else if (kind == STANDARD_ASSIGNMENT)
        put_words(writer, standard_assignment, STANDARD_ASSIGNMENT_COUNT);
    else if (kind == STANDARD_BOOLS)
        put_list_of(writer, "truth", STANDARD_OFFERED, STANDARD_OFFERED);
    else if (kind == STANDARD_INTS)
        put_list_of(writer, "whole", STANDARD_STONES, STANDARD_STONES);
    else if (kind == STANDARD_HEROES)
        put_heroes(writer, row);
    else
        put_any(writer, row);
}

/* One row: its type, its keys, and which of them are required. */
static void put_row(JsonWriter *writer, uint8_t list, const StandardRow *row) {
    json_open(writer, '{');
    json_put_pair(writer, "type", "object");
    json_put_key(writer, "properties");
    json_open(writer, '{');
    json_put_key(writer, standard_type_key(list));
    json_open(writer, '{');
    json_put_pair(writer, "const", row->word);
    json_close(writer, '}');
    for (uint32_t i = 0; i < row->keys_count; i++) {
        json_put_key(writer, row->keys[i].key);
        put_kind(writer, row->keys[i].kind, row);
    }
    json_close(writer, '}');
    json_put_key(writer, "required");
    json_open(writer, '[');
    json_put_string(writer, standard_type_key(list));
    for (uint32_t i = 0; i < row->keys_count; i++)
        if (row->keys[i].required)
            json_put_string(writer, row->keys[i].key);
    json_close(writer, ']');
    if (row->from == STANDARD_FROM_SERVER) {
        json_put_pair_bool(writer, "additionalProperties", false);
    }
    json_close(writer, '}');
}

static const char *const prefixes[STANDARD_LISTS] = {"message", "event", "request"};

/* References to all rows of a list that `from` sends. */
static void put_choices(JsonWriter *writer, uint8_t list, uint32_t from) {
    uint32_t count;
    const StandardRow *rows = standard_rows(list, &count);
    for (uint32_t i = 0; i < count; i++)
        if (rows[i].from & from)
            put_ref(writer, prefixes[list], rows[i].word);
}

/* Everything that one side may send: `list`, and optionally the messages. */
static void put_side(JsonWriter *writer, const char *name, uint32_t from, bool messages,
                     uint8_t list) {
    json_put_key(writer, name);
    json_open(writer, '{');
    json_put_key(writer, "oneOf");
    json_open(writer, '[');
    if (messages)
        put_choices(writer, STANDARD_LIST_MESSAGES, from);
    put_choices(writer, list, from);
    json_close(writer, ']');
    json_close(writer, '}');
}

/* Shapes that rows share, as JSON. */
static const char shapes[] =
    "\"whole\":{\"type\":\"integer\",\"minimum\":0},"
    "\"truth\":{\"type\":\"boolean\"},"
    "\"field\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/whole\"},"
    "\"minItems\":2,\"maxItems\":2},"
    "\"stones\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":5},"
    "\"uniqueItems\":true},"
    "\"hero\":{\"type\":\"object\",\"properties\":{"
    "\"characterID\":{\"type\":\"integer\",\"minimum\":1},\"name\":{\"type\":\"string\"},"
    "\"HP\":{\"$ref\":\"#/$defs/whole\"},\"MP\":{\"$ref\":\"#/$defs/whole\"},"
    "\"AP\":{\"$ref\":\"#/$defs/whole\"},\"meleeDamage\":{\"$ref\":\"#/$defs/whole\"},"
    "\"rangeCombatDamage\":{\"$ref\":\"#/$defs/whole\"},"
    "\"rangeCombatReach\":{\"$ref\":\"#/$defs/whole\"}},"
    "\"required\":[\"characterID\",\"name\",\"HP\",\"MP\",\"AP\",\"meleeDamage\","
    "\"rangeCombatDamage\",\"rangeCombatReach\"],\"additionalProperties\":false}";

/* The keys of an entity of a type besides its type, number and position. */
static void put_entity(JsonWriter *writer, int32_t type) {
    static const char *const keys[STANDARD_ENTITY_COUNT][6] = {
        [STANDARD_ENTITY_CHARACTER] = {"name", "PID", "HP", "MP", "AP", "stones"},
        [STANDARD_ENTITY_ROCK] = {"HP"},
        [STANDARD_ENTITY_NPC] = {"MP", "stones"}};
    json_open(writer, '{');
    json_put_pair(writer, "type", "object");
    json_put_key(writer, "properties");
    json_open(writer, '{');
    json_put_key(writer, "entityType");
    json_open(writer, '{');
    json_put_pair(writer, "const", standard_entity(type));
    json_close(writer, '}');
    json_put_key(writer, "ID");
    put_ref(writer, "", "whole");
    for (uint32_t i = 0; i < 6 && keys[type][i] != NULL; i++) {
        json_put_key(writer, keys[type][i]);
        char first = keys[type][i][0];
        if (first == 'n')
            put_kind(writer, STANDARD_TEXT, NULL);
        else
            put_ref(writer, "", first == 's' ? "stones" : "whole");
    }
    json_put_key(writer, "position");
    put_ref(writer, "", "field");
    json_close(writer, '}');
    json_put_key(writer, "required");
    json_open(writer, '[');
    json_put_string(writer, "entityType");
    json_put_string(writer, "ID");
    for (uint32_t i = 0; i < 6 && keys[type][i] != NULL; i++)
        json_put_string(writer, keys[type][i]);
    json_put_string(writer, "position");
    json_close(writer, ']');
    json_put_pair_bool(writer, "additionalProperties", false);
    json_close(writer, '}');
}

/* The shapes of references and of everything that a state may hold. */
static void put_entities(JsonWriter *writer) {
    json_put_key(writer, "reference");
    json_open(writer, '{');
    json_put_pair(writer, "type", "object");
    json_put_key(writer, "properties");
    json_open(writer, '{');
    json_put_key(writer, "entityID");
    put_words(writer, group_word, STANDARD_GROUP_COUNT);
    json_put_key(writer, "ID");
    put_ref(writer, "", "whole");
    json_close(writer, '}');
    json_put_key(writer, "required");
    json_put_raw(writer, "[\"entityID\",\"ID\"]", 17);
    json_close(writer, '}');
    json_put_key(writer, "entity");
    json_open(writer, '{');
    json_put_key(writer, "oneOf");
    json_open(writer, '[');
    for (int32_t type = 0; type < STANDARD_ENTITY_COUNT; type++)
        put_entity(writer, type);
    json_close(writer, ']');
    json_close(writer, '}');
}

void standard_print_schema(MashText *text) {
    JsonWriter writer =
        print_schema_head(text, 2, "Frames of the Marvelous Mashup standard, as Mashup speaks it",
                          "server: what the server sends, wrapped or bare; client: what it takes, "
                          "wrapped or bare. Printed by mashup protocol --standard.");
    put_ref(&writer, "", "server");
    put_ref(&writer, "", "client");
    json_close(&writer, ']');
    json_put_key(&writer, "$defs");
    json_open(&writer, '{');
    put_side(&writer, "server", STANDARD_FROM_SERVER, true, STANDARD_LIST_EVENTS);
    put_side(&writer, "client", STANDARD_FROM_CLIENT, true, STANDARD_LIST_REQUESTS);
    put_side(&writer, "event", STANDARD_FROM_SERVER, false, STANDARD_LIST_EVENTS);
    put_side(&writer, "request", STANDARD_FROM_CLIENT, false, STANDARD_LIST_REQUESTS);
    json_put_key(&writer, "whole");
    json_put_raw(&writer, shapes + sizeof "\"whole\":" - 1,
                 (uint32_t)(sizeof shapes - sizeof "\"whole\":"));
    put_entities(&writer);
    for (uint8_t list = 0; list < STANDARD_LISTS; list++) {
        uint32_t count;
        const StandardRow *rows = standard_rows(list, &count);
        for (uint32_t i = 0; i < count; i++) {
            char memory[64];
            MashText name = text_over(memory, sizeof memory);
            text_format(&name, "%s-%s", prefixes[list], rows[i].word);
            json_put_key(&writer, memory);
            put_row(&writer, list, &rows[i]);
        }
    }
    json_close(&writer, '}');
    json_close(&writer, '}');
    text_byte(text, '\n');
}
