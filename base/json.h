/* json.h -- one strict JSON reader and writer for all input and output, native and in the browser.
 *
 * Reading checks a whole text (RFC 8259, UTF-8, no duplicate keys, limits on depth, size and keys)
 * and fills a lent array of nodes in text order: a node's first child is the next node, further
 * ones follow by `next`. Nothing is copied: nodes point into the text, which must stay valid. Every
 * error names line and column; json_problem() adds the JSON path. The typed access functions add
 * errors to a list of problems and continue, so that an author sees all of them at once. */
#ifndef BASE_JSON_H
#define BASE_JSON_H
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/problem.h"
#include "base/text.h"

/* Limits, each with an error message when it is exceeded. */
enum {
    JSON_DEPTH_MAX = 32,      /* nested arrays and objects */
    JSON_BYTES_MAX = 4 << 20, /* length of one text */
    JSON_KEYS_MAX = 1024,     /* keys of one object */
    JSON_NONE = 0,            /* "no such node": node 0 is the whole text and never a member */
};

/* What a value is. */
typedef enum JsonKind {
    JSON_NULL,
    JSON_FALSE,
    JSON_TRUE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} JsonKind;

/* One value: its bytes (a string's with the quotes), and its key's bytes with the quotes if it is a
 * member. */
typedef struct JsonNode {
    uint32_t start, end;         /* value: from start up to, but not including, end */
    uint32_t key_start, key_end; /* 0, 0 outside objects */
    uint32_t next;               /* next sibling or JSON_NONE */
    uint32_t count;              /* children */
    JsonKind kind;
} JsonNode;

/* A read text. `name` is the document's, for problems. */
typedef struct Json {
    const char *name, *bytes;
    uint32_t bytes_count;
    JsonNode *nodes;
    uint32_t nodes_count;
} Json;

/* Reads and checks the text. On false one problem was added and the Json must not be used. Columns
 * count code points, lines end with \n; `name` and `bytes` must stay valid as long as the Json is
 * used. */
bool json_read(Json *json, const char *name, const char *bytes, uint32_t count, JsonNode *nodes,
               uint32_t nodes_max, MashProblems *problems);

/* The member of an object with this key, or JSON_NONE (also if `object` is not an object). */
uint32_t json_member(const Json *json, uint32_t object, const char *key);
/* The first child of an array or object, or JSON_NONE; further ones by nodes[i].next. */
uint32_t json_first(const Json *json, uint32_t parent);
/* Does this string or key (see json_key_equals) equal `string` once escapes are resolved? */
bool json_equals(const Json *json, uint32_t node, const char *string);
bool json_key_equals(const Json *json, uint32_t node, const char *string);
/* Appends the decoded UTF-8 of a string or of a member's key; nothing for other values. "\u0000"
 * gives a NUL byte. */
void json_string(const Json *json, uint32_t node, MashText *text);
void json_key(const Json *json, uint32_t node, MashText *text);

/* Appends a string or a member's key as JSON again: in quotes, escaped only where necessary. */
void json_quote_string(const Json *json, uint32_t node, MashText *text);
void json_quote_key(const Json *json, uint32_t node, MashText *text);

/* Appends the path of a node: $.units[3].health. */
void json_path(const Json *json, uint32_t node, MashText *text);
/* Adds a problem at this node, with its path; always false. */
bool json_problem(const Json *json, uint32_t node, MashProblems *problems, const char *reason, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a problem at the key of this member: the message is `before`, the key in quotes, `after`. */
void json_key_problem(const Json *json, uint32_t node, MashProblems *problems, const char *before,
                      const char *after);
/* Appends a short description of a value for error messages: an array, an object, 3.5, "abc". */
void json_describe(const Json *json, uint32_t node, MashText *text);

/* Typed access: true = as expected; false = a problem was added that says what is allowed and what
 * was found. Functions that end in _at also report a missing key of `object`: `json_int_at(json,
 * object, "health", 1, 2000, &health, problems)` is all a loader needs for a required field; look
 * up an optional one with json_member() first. After a problem *out is the minimum, false, "" or
 * the first choice, so that a loader may continue. Node 0 is the whole text: do not pass JSON_NONE
 * as an object. */
bool json_expect_kind(const Json *json, uint32_t node, JsonKind kind, MashProblems *problems);
/* Reports that the key is missing and what it must be, or that this is not an object; always false.
 */
bool json_missing(const Json *json, uint32_t object, const char *key, const char *wanted,
                  MashProblems *problems);
uint32_t json_expect_member(
    const Json *json, uint32_t object, const char *key, JsonKind kind,
    MashProblems *problems); /* columns is one line, and so is a row of a matrix, however long;
                                everything else has one line per member, indented by two spaces, and
                                so have the outermost value and a board that is drawn as strings of
                                equal length. Numbers keep their spelling; strings are escaped only
                                where necessary. Formatting is idempotent. */
bool json_int(const Json *json, uint32_t node, int32_t least, int32_t most, int32_t *out,
              MashProblems *problems); /* 3, -7; not 3.0, not 1e2, not "3" */
bool json_int_at(const Json *json, uint32_t object, const char *key, int32_t least, int32_t most,
                 int32_t *out, MashProblems *problems);
bool json_line(const Json *json, uint32_t node, char *out, uint32_t max,
               MashProblems *problems); /* a string of 1..max-1 bytes without control characters */
bool json_line_at(const Json *json, uint32_t object, const char *key, char *out, uint32_t max,
                  MashProblems *problems);
bool json_bool(const Json *json, uint32_t node, bool *out, MashProblems *problems);
bool json_bool_at(const Json *json, uint32_t object, const char *key, bool *out,
                  MashProblems *problems);
/* One of `words`: its index in *out. */
bool json_choice(const Json *json, uint32_t node, const char *const *words, uint32_t words_count,
                 uint32_t *out, MashProblems *problems);
bool json_choice_at(const Json *json, uint32_t object, const char *key, const char *const *words,
                    uint32_t words_count, uint32_t *out, MashProblems *problems);
/* Adds a problem for each key of the object that is not in the list. */
bool json_refuse_unknown_keys(const Json *json, uint32_t object, const char *const *keys,
                              uint32_t keys_count, MashProblems *problems);

/* Writing: values in order, commas added automatically, at most JSON_DEPTH_MAX deep. `indent` 0 =
 * one line without spaces. Otherwise there is a line break before each value of the first `indent`
 * levels, so that long lists have one row per value. The text records whether all of it fitted
 * (`cut`). */
typedef struct JsonWriter {
    MashText *text;
    uint32_t depth;
    uint32_t indent;
    uint32_t objects; /* which of the open levels are objects: bit 0 is the outermost */
    bool comma;       /* not the first value at this level */
    bool after_key;   /* the next value belongs to a key */
} JsonWriter;
static_assert(JSON_DEPTH_MAX <= 32, "a bit for each level");
JsonWriter json_writer(MashText *text, uint32_t indent);
void json_open(JsonWriter *writer, char bracket);  /* '{' or '[' */
void json_close(JsonWriter *writer, char bracket); /* '}' or ']' */
void json_put_key(JsonWriter *writer, const char *key);
void json_put_int(JsonWriter *writer, int64_t number);
void json_put_bool(JsonWriter *writer, bool truth);
void json_put_null(JsonWriter *writer);
void json_put_string(JsonWriter *writer, const char *string);
void json_open_list(JsonWriter *writer, const char *key); /* a key and a [ */
void json_put_bytes(JsonWriter *writer, const char *bytes,
                    uint32_t count); /* each byte that is not UTF-8 becomes U+FFFD */
void json_put_raw(JsonWriter *writer, const char *bytes,
                  uint32_t count); /* a value that is JSON already */
/* A key with its value. */
void json_put_pair(JsonWriter *writer, const char *key, const char *string);
void json_put_pair_int(JsonWriter *writer, const char *key, int64_t number);
void json_put_pair_bool(JsonWriter *writer, const char *key, bool truth);
/* Several keys with their numbers: JSON_PUT_INTS(writer, {"x", 3}, {"y", 4}) */
typedef struct JsonInt {
    const char *key;
    int64_t number;
} JsonInt;
void json_put_ints(JsonWriter *writer, const JsonInt *list, uint32_t count);
#define JSON_PUT_INTS(writer, ...)                                                                 \
    json_put_ints(writer, (const JsonInt[]){__VA_ARGS__},                                          \
                  sizeof((const JsonInt[]){__VA_ARGS__}) / sizeof(JsonInt))
/* Members of the open object that are JSON already: "type": "array", "maxItems": 3 */
void json_put_members(JsonWriter *writer, const char *members);
/* Appends the inside of a quoted string: `bytes`, escaped where necessary. */
void json_escape(const char *bytes, uint32_t count, MashText *text);

/* The canonical layout: appends the parsed text with the same values in the same order. What fits
 * into */
void json_format(const Json *json, MashText *text);

#endif
