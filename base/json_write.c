/* json_write.c -- see json.h: writing. The output is always valid JSON, unless the text was cut; a
 * wrong order of calls is a programming error and asserted. */
#include <assert.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

JsonWriter json_writer(MashText *text, uint32_t indent) {
    return (JsonWriter){.text = text, .indent = indent};
}

/* Is the innermost open level an object? */
static bool in_object(const JsonWriter *writer) {
    return writer->depth > 0 && (writer->objects >> (writer->depth - 1) & 1) != 0;
}

/* Ends the line and starts one with the current indentation. */
static void line_break(JsonWriter *writer) {
    text_byte(writer->text, '\n');
    for (uint32_t i = 0; i < writer->depth; i++)
        text_string(writer->text, "  ");
}

/* What separates a value or key from the one before. */
static void separate(JsonWriter *writer) {
    assert(writer->depth > 0 || !writer->comma); /* a text has one value */
    if (writer->comma)
        text_byte(writer->text, ',');
    if (writer->depth > 0 && writer->depth <= writer->indent)
        line_break(writer);
    else if (writer->comma && writer->indent > 0)
        text_byte(writer->text, ' ');
    writer->comma = true;
}

/* Separates a value from the one before it; after a key that is done already. */
static void before_value(JsonWriter *writer) {
    assert(writer->after_key == in_object(writer));
    if (!writer->after_key)
        separate(writer);
    writer->after_key = false;
}

/* Opens an object or array, after a separator if needed. */
void json_open(JsonWriter *writer, char bracket) {
    assert((bracket == '{' || bracket == '[') && writer->depth < JSON_DEPTH_MAX);
    before_value(writer);
    text_byte(writer->text, bracket);
    uint32_t bit = (uint32_t)1 << writer->depth++;
    writer->objects = bracket == '{' ? writer->objects | bit : writer->objects & ~bit;
    writer->comma = false;
}

void json_close(JsonWriter *writer, char bracket) {
    assert(writer->depth > 0 && bracket == (in_object(writer) ? '}' : ']') && !writer->after_key);
    writer->depth--;
    if (writer->comma && writer->depth < writer->indent)
        line_break(writer);
    text_byte(writer->text, bracket);
    writer->comma = true;
}

/* Writes an escape if the byte needs one; false: it does not. */
static bool escape(MashText *text, char byte) {
    static const char bytes[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
    const char *found = byte == '\0' ? NULL : strchr(bytes, byte);
    if (found == NULL && (uint8_t)byte >= 0x20)
        return false;
    text_byte(text, '\\');
    if (found != NULL) {
        text_byte(text, names[found - bytes]);
    } else {
        text_byte(text, 'u');
        text_hex(text, (uint8_t)byte, 4);
    }
    return true;
}

/* Is one of these eight bytes no ASCII or a character that has to be escaped? */
static bool is_special(uint64_t eight) {
    const uint64_t each = 0x0101010101010101;
    uint64_t quotes = eight ^ '"' * each, backslashes = eight ^ '\\' * each;
    /* The high bit of a byte is set where it is above ASCII, below a space, a quote or a backslash;
     * a borrow may also set it, but only above such a byte. */
    uint64_t found = eight | (eight - ' ' * each) | (quotes - each) | (backslashes - each);
    return (found & 0x80 * each) != 0;
}

/* Is all of it ASCII without escapes? Looked at in pieces of eight, the last of which may overlap
 * the one before. */
static bool is_plain(const char *bytes, uint32_t count) {
    uint64_t eight = 0x6161616161616161;
    if (count < sizeof(uint32_t)) {
        for (uint32_t i = 0; i < count; i++)
            eight = eight << 8 | (uint8_t)bytes[i];
        return !is_special(eight);
    }
    if (count < sizeof eight) {
        uint32_t first, last;
        memcpy(&first, bytes, sizeof first);
        memcpy(&last, bytes + count - sizeof last, sizeof last);
        return !is_special(first | (uint64_t)last << 32);
    }
    for (uint32_t at = 0;; at = at + 2 * sizeof eight <= count ? at + (uint32_t)sizeof eight
                                                               : count - (uint32_t)sizeof eight) {
        memcpy(&eight, bytes + at, sizeof eight);
        if (is_special(eight))
            return false;
        if (at + sizeof eight == count)
            return true;
    }
}

/* How many bytes from the start are ASCII without escapes. */
static uint32_t plain_run(const char *bytes, uint32_t count) {
    uint32_t run = 0;
    while (run < count && bytes[run] >= 0x20 && bytes[run] < 0x7F && bytes[run] != '"' &&
           bytes[run] != '\\')
        run++;
    return run;
}

void json_escape(const char *bytes, uint32_t count, MashText *text) {
    for (uint32_t i = 0; i < count;) {
        uint32_t run = plain_run(bytes + i, count - i);
        text_bytes(text, bytes + i, run);
        i += run;
        if (i == count)
            break;
        uint32_t length = utf8_length(bytes + i, count - i);
        if (length == 0)
            text_string(text, "\xEF\xBF\xBD");
        else if (length > 1 || !escape(text, bytes[i]))
            text_bytes(text, bytes + i, length);
        i += length == 0 ? 1 : length;
    }
}

/* Writes a string in quotes, escaped where JSON demands it; behind a key comes a colon. */
static void quote(MashText *text, const char *bytes, uint32_t count, bool key) {
    if (count + 3 < text->max - text->count && is_plain(bytes, count)) {
        char *to = text->bytes + text->count; /* the common case: it fits, nothing to escape */
        to[0] = to[count + 1] = '"';
        memcpy(to + 1, bytes, count);
        to[count + 2] = ':';
        to[count + 2 + key] = '\0';
        text->count += count + 2 + key;
        return;
    }
    text_byte(text, '"');
    json_escape(bytes, count, text);
    text_string(text, key ? "\":" : "\"");
}

void json_put_key(JsonWriter *writer, const char *key) {
    assert(in_object(writer) && !writer->after_key);
    separate(writer);
    quote(writer->text, key, (uint32_t)strlen(key), true);
    if (writer->indent > 0)
        text_byte(writer->text, ' ');
    writer->after_key = true;
}

void json_put_int(JsonWriter *writer, int64_t number) {
    before_value(writer);
    text_int(writer->text, number);
}

void json_put_bool(JsonWriter *writer, bool truth) {
    before_value(writer);
    text_string(writer->text, truth ? "true" : "false");
}

void json_put_null(JsonWriter *writer) {
    before_value(writer);
    text_string(writer->text, "null");
}

void json_put_string(JsonWriter *writer, const char *string) {
    json_put_bytes(writer, string, (uint32_t)strlen(string));
}

void json_put_bytes(JsonWriter *writer, const char *bytes, uint32_t count) {
    before_value(writer);
    quote(writer->text, bytes, count, false);
}

void json_put_raw(JsonWriter *writer, const char *bytes, uint32_t count) {
    before_value(writer);
    text_bytes(writer->text, bytes, count);
}

void json_put_pair(JsonWriter *writer, const char *key, const char *string) {
    json_put_key(writer, key);
    json_put_string(writer, string);
}

void json_put_pair_int(JsonWriter *writer, const char *key, int64_t number) {
    json_put_key(writer, key);
    json_put_int(writer, number);
}

void json_put_ints(JsonWriter *writer, const JsonInt *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        json_put_pair_int(writer, list[i].key, list[i].number);
}

void json_open_list(JsonWriter *writer, const char *key) {
    json_put_key(writer, key);
    json_open(writer, '[');
}

void json_put_pair_bool(JsonWriter *writer, const char *key, bool truth) {
    json_put_key(writer, key);
    json_put_bool(writer, truth);
}

void json_put_members(JsonWriter *writer, const char *members) {
    assert(in_object(writer) && !writer->after_key);
    separate(writer);
    text_string(writer->text, members);
}
