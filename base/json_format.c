/* json_format.c -- see json.h: the canonical layout of a parsed text. */
#include "base/json.h"

enum { FORMAT_COLUMNS = 100, INDENT = 2, DRAWING_COLUMNS_MIN = 3 };

/* Is it a scalar? */
static bool is_plain(const JsonNode *node) {
    return node->kind != JSON_ARRAY && node->kind != JSON_OBJECT;
}

/* An array of scalars only. */
static bool is_row(const Json *json, uint32_t node) {
    if (json->nodes[node].kind != JSON_ARRAY)
        return false;
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next)
        if (!is_plain(&json->nodes[i]))
            return false;
    return true;
}

/* A board drawn in letters: strings of equal length, one per row. */
static bool is_drawing(const Json *json, uint32_t node) {
    const JsonNode *value = &json->nodes[node];
    if (value->kind != JSON_ARRAY || value->count < 2)
        return false;
    uint32_t first = json_first(json, node),
             length = json->nodes[first].end - json->nodes[first].start;
    for (uint32_t i = first; i != JSON_NONE; i = json->nodes[i].next)
        if (json->nodes[i].kind != JSON_STRING ||
            json->nodes[i].end - json->nodes[i].start != length)
            return false;
    return length >= DRAWING_COLUMNS_MIN + 2;
}

/* Writes a scalar: strings in canonical form, others as they were. */
static void put_plain(const Json *json, uint32_t node, MashText *text) {
    const JsonNode *value = &json->nodes[node];
    if (value->kind == JSON_STRING)
        json_quote_string(json, node, text);
    else
        text_bytes(text, json->bytes + value->start, value->end - value->start);
}

/* Writes the key of a member and a colon; an item of an array has none. */
static void put_key(const Json *json, uint32_t node, MashText *text) {
    if (json->nodes[node].key_end == 0)
        return;
    json_quote_key(json, node, text);
    text_string(text, ": ");
}

/* Writes a value in one line. Recursion is as deep as the text, at most JSON_DEPTH_MAX. */
static void put_line(const Json *json, uint32_t node, MashText *text) {
    const JsonNode *value = &json->nodes[node];
    if (is_plain(value)) {
        put_plain(json, node, text);
        return;
    }
    text_byte(text, value->kind == JSON_OBJECT ? '{' : '[');
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next) {
        put_key(json, i, text);
        put_line(json, i, text);
        if (json->nodes[i].next != JSON_NONE)
            text_string(text, ", ");
    }
    text_byte(text, value->kind == JSON_OBJECT ? '}' : ']');
}

/* Does the line fit after `column`, with a comma? */
static bool fits(const Json *json, uint32_t node, uint32_t column) {
    char memory[FORMAT_COLUMNS + 1];
    MashText line = text_over(memory, sizeof memory);
    put_line(json, node, &line);
    return !line.truncated && column + line.count + 1 <= FORMAT_COLUMNS;
}

/* Ends the line and starts one with this indentation. */
static void line_break(uint32_t depth, MashText *text) {
    text_byte(text, '\n');
    for (uint32_t i = 0; i < depth * INDENT; i++)
        text_byte(text, ' ');
}

/* How many bytes follow the last line end. */
static uint32_t column_of(const MashText *text) {
    uint32_t start = text->count;
    while (start > 0 && text->bytes[start - 1] != '\n')
        start--;
    return text->count - start;
}

/* The context of a value: how deep, and whether in an array. */
typedef struct FormatContext {
    uint32_t depth;
    bool in_array;
} FormatContext;

/* Does the value go into one line? Inside an array, arrays of scalars do; elsewhere drawn boards do
 * not; everything else below the top does, if it fits. */
static bool is_one_line(const Json *json, uint32_t node, FormatContext place,
                        const MashText *text) {
    if (is_plain(&json->nodes[node]) || json->nodes[node].count == 0)
        return true;
    if (place.in_array ? is_row(json, node) : is_drawing(json, node))
        return place.in_array;
    return place.depth > 0 && fits(json, node, column_of(text));
}

/* Writes a value with its contents. Recursion is as deep as the text, at most JSON_DEPTH_MAX. */
static void put_value(const Json *json, uint32_t node, FormatContext place, MashText *text) {
    const JsonNode *value = &json->nodes[node];
    if (is_one_line(json, node, place, text)) {
        put_line(json, node, text);
        return;
    }
    FormatContext inside = {place.depth + 1, value->kind == JSON_ARRAY};
    text_byte(text, value->kind == JSON_OBJECT ? '{' : '[');
    for (uint32_t i = json_first(json, node); i != JSON_NONE; i = json->nodes[i].next) {
        line_break(inside.depth, text);
        put_key(json, i, text);
        put_value(json, i, inside, text);
        if (json->nodes[i].next != JSON_NONE)
            text_byte(text, ',');
    }
    line_break(place.depth, text);
    text_byte(text, value->kind == JSON_OBJECT ? '}' : ']');
}

void json_format(const Json *json, MashText *text) {
    put_value(json, 0, (FormatContext){0}, text);
    text_byte(text, '\n');
}
