/* json.c -- see json.h: reading, finding, and locating values.
 *
 * The reader goes through the text once with a stack of the open arrays and objects, without
 * recursion. Strings are checked only here: later decoding may trust escapes and UTF-8. Typed
 * access is in json_expect.c, writing in json_write.c. */
#include "base/json.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"

/* --- Locations -------------------------------------------------------------------------------- */

enum { REASON_BYTES = 256, PATH_BYTES = 128, EXCERPT_MAX = 40 };

/* Lines end with \n; columns count code points. */
static void position(const Json *json, uint32_t offset, uint32_t *line, uint32_t *column) {
    *line = 1;
    *column = 1;
    for (uint32_t i = 0; i < offset; i++) {
        if (json->bytes[i] == '\n') {
            (*line)++;
            *column = 1;
        } else if (((uint8_t)json->bytes[i] & 0xC0) != 0x80) {
            (*column)++;
        }
    }
}

/* Appends a piece of the text, shortened at a code point. */
static void excerpt(const Json *json, uint32_t start, uint32_t end, MashText *text) {
    uint32_t shown = end;
    if (end - start > EXCERPT_MAX) {
        shown = start + EXCERPT_MAX;
        while (((uint8_t)json->bytes[shown] & 0xC0) == 0x80)
            shown--;
    }
    text_bytes(text, json->bytes + start, shown - start);
    if (shown < end)
        text_string(text, "...");
}

/* Can it appear in a path without quotes? */
static bool plain_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

/* One step of a path: .health, or ["odd key"]. */
static void path_key(const Json *json, uint32_t node, MashText *text) {
    const JsonNode *member = &json->nodes[node];
    uint32_t start = member->key_start + 1, end = member->key_end - 1, i = start;
    while (i < end && plain_letter(json->bytes[i]))
        i++;
    bool plain = i == end && start < end;
    text_string(text, plain ? "." : "[");
    excerpt(json, plain ? start : start - 1, plain ? end : end + 1, text);
    text_string(text, plain ? "" : "]");
}

/* Nodes are in text order, so the child that contains a node is the last one not after it. */
void json_path(const Json *json, uint32_t node, MashText *text) {
    text_byte(text, '$');
    for (uint32_t at = 0; at != node;) {
        uint32_t child = at + 1, index = 0;
        while (json->nodes[child].next != JSON_NONE && json->nodes[child].next <= node) {
            child = json->nodes[child].next;
            index++;
        }
        if (json->nodes[at].kind == JSON_OBJECT)
            path_key(json, child, text);
        else
            text_format(text, "[%u]", index);
        at = child;
    }
}

/* A full list only counts: invalid texts with many problems stay cheap. */
static void report(const Json *json, uint32_t offset, uint32_t node, MashProblems *problems,
                   const char *sentence) {
    uint32_t line = 0, column = 0;
    char memory[PATH_BYTES];
    MashText path = text_over(memory, sizeof memory);
    if (problems->count < problems->max) {
        position(json, offset, &line, &column);
        json_path(json, node, &path);
    }
    problem_add(problems, json->name, line, column, memory, "%s", sentence);
}

bool json_problem(const Json *json, uint32_t node, MashProblems *problems, const char *reason,
                  ...) {
    assert(node < json->nodes_count);
    char memory[REASON_BYTES];
    MashText text = text_over(memory, sizeof memory);
    va_list list;
    va_start(list, reason);
    text_format_va(&text, reason, list);
    va_end(list);
    report(json, json->nodes[node].start, node, problems, memory);
    return false;
}

void json_key_problem(const Json *json, uint32_t node, MashProblems *problems, const char *before,
                      const char *after) {
    assert(node < json->nodes_count && json->nodes[node].key_end != 0);
    char memory[REASON_BYTES];
    MashText text = text_over(memory, sizeof memory);
    text_string(&text, before);
    excerpt(json, json->nodes[node].key_start, json->nodes[node].key_end, &text);
    text_string(&text, after);
    report(json, json->nodes[node].key_start, node, problems, memory);
}

void json_describe(const Json *json, uint32_t node, MashText *text) {
    const JsonNode *found = &json->nodes[node];
    if (found->kind == JSON_ARRAY || found->kind == JSON_OBJECT)
        text_string(text, found->kind == JSON_ARRAY ? "an array" : "an object");
    else
        excerpt(json, found->start, found->end, text);
}

/* --- Decoding checked strings ---------------------------------------------------------------- */

/* Iterates over the code points of a string or key, escapes resolved. */
typedef struct CodePoints {
    const char *at, *end;
} CodePoints;

/* The characters of a string between its quotes, given by its offset in the text. */
static CodePoints code_points_of(const Json *json, uint32_t start, uint32_t end) {
    return (CodePoints){json->bytes + start + 1, json->bytes + end - 1};
}

/* Four hexadecimal digits that were checked before. */
static uint32_t hex_four(const char *at) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < 4; i++)
        number = number << 4 | (uint32_t)text_hex_digit(at[i]);
    return number;
}

/* Skips an escape, which was checked when it was read. Returns its code point; a surrogate pair is
 * one. */
static uint32_t letter_of_escape(CodePoints *letters) {
    static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
    char c = letters->at[1];
    letters->at += 2;
    if (c != 'u') {
        const char *name = strchr(names, c);
        return (uint8_t)(name == NULL ? c : values[name - names]);
    }
    uint32_t code = hex_four(letters->at);
    letters->at += 4;
    if (code < 0xD800 || code > 0xDBFF)
        return code;
    uint32_t low = hex_four(letters->at + 2);
    letters->at += 6;
    return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
}

/* Skips the next character of a string and returns its code point. False: the string has ended. */
static bool code_point_next(CodePoints *letters, uint32_t *code) {
    if (letters->at == letters->end)
        return false;
    if (*letters->at == '\\') {
        *code = letter_of_escape(letters);
        return true;
    }
    if ((uint8_t)*letters->at < 0x80) {
        *code = (uint8_t)*letters->at++;
        return true;
    }
    uint32_t length = utf8_length(letters->at, (uint32_t)(letters->end - letters->at));
    *code = utf8_decode(letters->at, length);
    letters->at += length;
    return true;
}

/* Does the decoded string equal this one? */
static bool code_points_equal(CodePoints letters, const char *string) {
    uint32_t code;
    for (; letters.at != letters.end && *letters.at != '\\'; letters.at++, string++)
        if (*letters.at != *string)
            return false; /* the common case; no string contains a NUL */
    while (code_point_next(&letters, &code)) {
        char bytes[4];
        uint32_t length = utf8_encode(code, bytes);
        if (code == 0 || strncmp(string, bytes, length) != 0)
            return false;
        string += length;
    }
    return *string == '\0';
}

/* Writes the decoded string as UTF-8; up to the first escape it is copied. */
static void code_points_write(CodePoints letters, MashText *text) {
    uint32_t code, count = (uint32_t)(letters.end - letters.at);
    const char *escape = memchr(letters.at, '\\', count);
    uint32_t plain = escape == NULL ? count : (uint32_t)(escape - letters.at);
    text_bytes(text, letters.at, plain);
    letters.at += plain;
    while (code_point_next(&letters, &code)) {
        char bytes[4];
        text_bytes(text, bytes, utf8_encode(code, bytes));
    }
}

/* Are two decoded strings equal? */
static bool letters_same(CodePoints a, CodePoints b) {
    uint32_t one, two;
    while (code_point_next(&a, &one))
        if (!code_point_next(&b, &two) || one != two)
            return false;
    return b.at == b.end;
}

/* The characters of a string's value. */
static CodePoints string_letters(const Json *json, uint32_t node) {
    assert(node < json->nodes_count);
    return code_points_of(json, json->nodes[node].start, json->nodes[node].end);
}

/* The characters of a member's key. */
static CodePoints key_letters(const Json *json, uint32_t node) {
    assert(node < json->nodes_count);
    return code_points_of(json, json->nodes[node].key_start, json->nodes[node].key_end);
}

bool json_equals(const Json *json, uint32_t node, const char *string) {
    return json->nodes[node].kind == JSON_STRING &&
           code_points_equal(string_letters(json, node), string);
}

bool json_key_equals(const Json *json, uint32_t node, const char *string) {
    return json->nodes[node].key_end != 0 && code_points_equal(key_letters(json, node), string);
}

void json_string(const Json *json, uint32_t node, MashText *text) {
    if (json->nodes[node].kind == JSON_STRING)
        code_points_write(string_letters(json, node), text);
}

void json_key(const Json *json, uint32_t node, MashText *text) {
    if (json->nodes[node].key_end != 0)
        code_points_write(key_letters(json, node), text);
}

/* Writes the string as JSON again, in canonical form. */
static void code_points_quote(CodePoints letters, MashText *text) {
    uint32_t code;
    text_byte(text, '"');
    while (code_point_next(&letters, &code)) {
        char bytes[4];
        json_escape(bytes, utf8_encode(code, bytes), text);
    }
    text_byte(text, '"');
}

void json_quote_string(const Json *json, uint32_t node, MashText *text) {
    code_points_quote(string_letters(json, node), text);
}

void json_quote_key(const Json *json, uint32_t node, MashText *text) {
    code_points_quote(key_letters(json, node), text);
}

uint32_t json_first(const Json *json, uint32_t parent) {
    assert(parent < json->nodes_count);
    return json->nodes[parent].count > 0 ? parent + 1 : JSON_NONE;
}

uint32_t json_member(const Json *json, uint32_t object, const char *key) {
    if (json->nodes[object].kind != JSON_OBJECT)
        return JSON_NONE;
    uint32_t node = json_first(json, object);
    while (node != JSON_NONE && !json_key_equals(json, node, key))
        node = json->nodes[node].next;
    return node;
}

/* --- Reading --------------------------------------------------------------------------------- */

/* An array or object that is still open. */
typedef struct OpenNode {
    uint32_t node, last; /* last: its latest child */
} OpenNode;

/* A document that is being parsed. */
typedef struct JsonReader {
    Json *json;
    uint32_t at, nodes_max, depth;
    MashProblems *problems;
    OpenNode levels[JSON_DEPTH_MAX];
} JsonReader;

/* Is the end of the text reached? */
static bool ended(const JsonReader *reader) { return reader->at == reader->json->bytes_count; }

/* The current byte; NUL after the end, which is never valid in a text either. */
static char peek(const JsonReader *reader) {
    return ended(reader) ? '\0' : reader->json->bytes[reader->at];
}

/* Reports a problem at this byte of the document; always false. */
static bool fail_at(JsonReader *reader, uint32_t offset, const char *sentence) {
    uint32_t line, column;
    position(reader->json, offset, &line, &column);
    problem_add(reader->problems, reader->json->name, line, column, "", "%s", sentence);
    return false;
}

/* At the end of the text, reports what is still open, not what might follow. */
static bool fail(JsonReader *reader, const char *sentence) {
    if (!ended(reader))
        return fail_at(reader, reader->at, sentence);
    if (reader->depth == 0)
        return fail_at(reader, reader->at, "the file is empty");
    const JsonNode *open = &reader->json->nodes[reader->levels[reader->depth - 1].node];
    uint32_t line, column;
    position(reader->json, open->start, &line, &column);
    char memory[REASON_BYTES];
    MashText text = text_over(memory, sizeof memory);
    text_format(&text,
                "unexpected end of file: the %s starting at line %u, column %u is not closed",
                open->kind == JSON_OBJECT ? "object" : "array", line, column);
    return fail_at(reader, reader->at, memory);
}

/* Skips spaces, tabs and line ends. */
static void skip_space(JsonReader *reader) {
    for (char c = peek(reader); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = peek(reader))
        reader->at++;
}

/* A decimal digit? */
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Four hexadecimal digits at this offset? */
static bool hex_fits(const JsonReader *reader, uint32_t offset) {
    if (reader->json->bytes_count - offset < 4)
        return false;
    for (uint32_t i = 0; i < 4; i++)
        if (text_hex_digit(reader->json->bytes[offset + i]) < 0)
            return false;
    return true;
}

/* At the `u` of an escape: checks the digits and, for a surrogate, its partner. */
static bool read_unicode(JsonReader *reader) {
    static const char pairs[] =
        "unpaired surrogate: \\uD800-\\uDBFF must be followed by \\uDC00-\\uDFFF";
    const char *bytes = reader->json->bytes;
    uint32_t escape = reader->at - 1;
    if (!hex_fits(reader, reader->at + 1))
        return fail_at(reader, escape, "expected four hexadecimal digits after \\u");
    uint32_t code = hex_four(bytes + reader->at + 1);
    reader->at += 5;
    if (code < 0xD800 || code > 0xDFFF)
        return true;
    if (code > 0xDBFF || reader->json->bytes_count - reader->at < 6 ||
        memcmp(bytes + reader->at, "\\u", 2) != 0 || !hex_fits(reader, reader->at + 2))
        return fail_at(reader, escape, pairs);
    uint32_t low = hex_four(bytes + reader->at + 2);
    reader->at += 6;
    return low >= 0xDC00 && low <= 0xDFFF ? true : fail_at(reader, escape, pairs);
}

/* Skips one escape; false and a problem if it is not valid JSON. */
static bool read_escape(JsonReader *reader) {
    reader->at++;
    char c = peek(reader);
    if (c == 'u')
        return read_unicode(reader);
    if (c == '\0' || strchr("\"\\/bfnrt", c) == NULL)
        return fail_at(reader, reader->at - 1,
                       "invalid escape: only \" \\ / b f n r t u may follow a backslash; write "
                       "\\\\ for a backslash");
    reader->at++;
    return true;
}

/* Reports what to write instead of a control character; always false. */
static bool fail_control(JsonReader *reader) {
    char c = peek(reader);
    return fail(reader, c == '\n' || c == '\r' ? "unterminated string; write \\n for a line break"
                        : c == '\t'            ? "write \\t for a tab in a string"
                                    : "control characters in a string must be written as \\u00XX");
}

/* At a quote: skips to after the closing one. */
static bool read_string(JsonReader *reader) {
    uint32_t start = reader->at++;
    while (!ended(reader)) {
        char c = peek(reader);
        if (c == '"') {
            reader->at++;
            return true;
        }
        if (c == '\\') {
            if (!read_escape(reader))
                return false;
            continue;
        }
        if ((uint8_t)c < 0x20)
            return fail_control(reader);
        if ((uint8_t)c < 0x80) {
            reader->at++;
            continue;
        }
        uint32_t length =
            utf8_length(reader->json->bytes + reader->at, reader->json->bytes_count - reader->at);
        if (length == 0)
            return fail(reader, "this is not UTF-8; save the text as UTF-8");
        reader->at += length;
    }
    return fail_at(reader, start, "missing closing quote");
}

/* Skips at least one digit; false and this error message if there is none. */
static bool read_digits(JsonReader *reader, const char *sentence) {
    if (!is_digit(peek(reader)))
        return fail_at(reader, reader->at, sentence);
    while (is_digit(peek(reader)))
        reader->at++;
    return true;
}

/* Skips a JSON number; false and a problem if it is not valid. */
static bool read_number(JsonReader *reader) {
    if (peek(reader) == '-')
        reader->at++;
    uint32_t first = reader->at;
    if (!read_digits(reader, "expected a digit after -"))
        return false;
    if (reader->json->bytes[first] == '0' && reader->at > first + 1)
        return fail_at(reader, first, "numbers must not start with 0");
    if (peek(reader) == '.') {
        reader->at++;
        if (!read_digits(reader, "expected a digit after the decimal point"))
            return false;
    }
    if (peek(reader) == 'e' || peek(reader) == 'E') {
        reader->at++;
        if (peek(reader) == '+' || peek(reader) == '-')
            reader->at++;
        return read_digits(reader, "expected a digit in the exponent");
    }
    return true;
}

/* Exactly true, false or null. */
static bool read_word(JsonReader *reader, JsonKind *kind) {
    static const char *const words[] = {"null", "false", "true"};
    uint32_t start = reader->at;
    const char *bytes = reader->json->bytes + start;
    while (plain_letter(peek(reader)))
        reader->at++;
    uint32_t length = reader->at - start;
    for (uint32_t i = 0; i < 3; i++)
        if (length == strlen(words[i]) && memcmp(bytes, words[i], length) == 0) {
            *kind = (JsonKind)(JSON_NULL + i);
            return true;
        }
    return fail_at(reader, start,
                   "unquoted word; only true, false and null go without double quotes");
}

/* What is wrong with a value that begins like this? */
static bool fail_value(JsonReader *reader) {
    switch (peek(reader)) {
    case ',':
    case ']':
    case '}':
    case ':':
        return fail(reader, "missing value before this");
    case '\'':
        return fail(reader, "strings must be in double quotes");
    case '/':
    case '#':
        return fail(reader, "comments are not allowed");
    case '+':
        return fail(reader, "numbers must not start with +");
    case '.':
        return fail(reader, "numbers must not start with a dot");
    default:
        return fail(reader,
                    "expected a value (object, array, string, number, true, false or null)");
    }
}

/* A new node for the current value, linked to its predecessor. NULL: a limit is reached. */
static JsonNode *node_new(JsonReader *reader, uint32_t key_start, uint32_t key_end) {
    Json *json = reader->json;
    char memory[REASON_BYTES];
    MashText text = text_over(memory, sizeof memory);
    OpenNode *level = reader->depth > 0 ? &reader->levels[reader->depth - 1] : NULL;
    if (json->nodes_count == reader->nodes_max)
        text_format(&text, "too many values (maximum %u)", reader->nodes_max);
    else if (key_end != 0 && json->nodes[level->node].count == JSON_KEYS_MAX)
        text_format(&text, "too many keys in one object (maximum %u)", (unsigned)JSON_KEYS_MAX);
    if (text.count > 0) {
        fail_at(reader, key_end != 0 ? key_start : reader->at, memory);
        return NULL;
    }
    uint32_t index = json->nodes_count++;
    if (level != NULL) {
        if (json->nodes[level->node].count++ > 0)
            json->nodes[level->last].next = index;
        level->last = index;
    }
    json->nodes[index] =
        (JsonNode){.start = reader->at, .key_start = key_start, .key_end = key_end};
    return &json->nodes[index];
}

/* An array or object begins: what follows is inside it. False and a problem: it is too deep. */
static bool open_level(JsonReader *reader, JsonNode *node) {
    if (reader->depth == JSON_DEPTH_MAX) {
        char memory[REASON_BYTES];
        MashText text = text_over(memory, sizeof memory);
        text_format(&text, "nested too deeply (maximum %u levels)", (unsigned)JSON_DEPTH_MAX);
        return fail_at(reader, reader->at, memory);
    }
    reader->levels[reader->depth++] =
        (OpenNode){.node = (uint32_t)(node - reader->json->nodes), .last = JSON_NONE};
    reader->at++;
    return true;
}

/* A whole scalar, or the opening bracket of an array or object. */
static bool read_value(JsonReader *reader, uint32_t key_start, uint32_t key_end) {
    char c = peek(reader);
    bool number = c == '-' || is_digit(c);
    if (c == '\0' || (!number && !plain_letter(c) && strchr("{[\"", c) == NULL))
        return fail_value(reader);
    JsonNode *node = node_new(reader, key_start, key_end);
    if (node == NULL)
        return false;
    if (c == '{' || c == '[') {
        node->kind = c == '{' ? JSON_OBJECT : JSON_ARRAY;
        return open_level(reader, node);
    }
    node->kind = number ? JSON_NUMBER : JSON_STRING;
    bool read = number     ? read_number(reader)
                : c == '"' ? read_string(reader)
                           : read_word(reader, &node->kind);
    node->end = reader->at;
    return read;
}

/* Reads a required key, then its value. */
static bool read_item(JsonReader *reader) {
    skip_space(reader);
    uint32_t key_start = reader->at, key_end = 0;
    if (reader->depth > 0 &&
        reader->json->nodes[reader->levels[reader->depth - 1].node].kind == JSON_OBJECT) {
        if (peek(reader) != '"')
            return fail(reader, "expected a key in double quotes");
        if (!read_string(reader))
            return false;
        key_end = reader->at;
        skip_space(reader);
        if (peek(reader) != ':')
            return fail(reader, "missing colon before this");
        reader->at++;
        skip_space(reader);
    }
    return read_value(reader, key_end == 0 ? 0 : key_start, key_end);
}

/* A hash of a decoded key, so that escapes make no difference. */
static uint32_t key_hash(const Json *json, uint32_t node) {
    CodePoints letters = key_letters(json, node);
    uint32_t hash = 2166136261u, code;
    while (code_point_next(&letters, &code))
        hash = (hash ^ code) * 16777619u;
    return hash ^ hash >> 15;
}

/* The first member with a duplicate key, or JSON_NONE. */
static uint32_t key_doubled(const Json *json, uint32_t object) {
    uint32_t table[2 * JSON_KEYS_MAX], size = 2;
    while (size < 2 * json->nodes[object].count)
        size *= 2;
    memset(table, 0, size * sizeof *table);
    for (uint32_t node = json_first(json, object); node != JSON_NONE;
         node = json->nodes[node].next) {
        uint32_t slot = key_hash(json, node) & (size - 1);
        for (; table[slot] != 0; slot = (slot + 1) & (size - 1))
            if (letters_same(key_letters(json, table[slot]), key_letters(json, node)))
                return node;
        table[slot] = node;
    }
    return JSON_NONE;
}

/* An array or object ends; false and a problem if an object has a duplicate key. */
static bool close_level(JsonReader *reader) {
    Json *json = reader->json;
    uint32_t node = reader->levels[--reader->depth].node;
    json->nodes[node].end = ++reader->at;
    if (json->nodes[node].kind == JSON_ARRAY || json->nodes[node].count < 2)
        return true;
    uint32_t doubled = key_doubled(json, node);
    if (doubled == JSON_NONE)
        return true;
    json_key_problem(json, doubled, reader->problems, "duplicate key ", "");
    return false;
}

/* After a value or an opening bracket: closes what ends here, skips the comma. *more: another item
 * follows. */
static bool read_on(JsonReader *reader, bool *more) {
    *more = true;
    for (skip_space(reader); reader->depth > 0; skip_space(reader)) {
        const JsonNode *open = &reader->json->nodes[reader->levels[reader->depth - 1].node];
        bool object = open->kind == JSON_OBJECT;
        char bracket = object ? '}' : ']';
        if (peek(reader) == bracket) {
            if (!close_level(reader))
                return false;
            continue;
        }
        if (open->count == 0)
            return true;
        if (peek(reader) != ',')
            return fail(reader, object ? "missing comma or } before this"
                                       : "missing comma or ] before this");
        reader->at++;
        skip_space(reader);
        if (peek(reader) == bracket)
            return fail(reader, object ? "trailing comma before }" : "trailing comma before ]");
        return true;
    }
    *more = false;
    return ended(reader) || fail(reader, "unexpected text after the value");
}

bool json_read(Json *json, const char *name, const char *bytes, uint32_t count, JsonNode *nodes,
               uint32_t nodes_max, MashProblems *problems) {
    *json = (Json){.name = name, .bytes = bytes, .bytes_count = count, .nodes = nodes};
    JsonReader reader = {.json = json, .nodes_max = nodes_max, .problems = problems};
    if (count > JSON_BYTES_MAX) {
        problem_add(problems, name, 0, 0, "", "the file has %u bytes; the maximum is %u", count,
                    (unsigned)JSON_BYTES_MAX);
        return false;
    }
    if (count >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0)
        return fail(&reader, "byte order mark found; save the file as UTF-8 without BOM");
    bool more = true;
    while (more)
        if (!read_item(&reader) || !read_on(&reader, &more))
            return false;
    return true;
}
