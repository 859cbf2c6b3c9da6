/* json_expect.c -- see json.h: typed access to a parsed text. Every mismatch adds a message for the
 * author: what is allowed and what was found. */
#include <assert.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

enum { WANTED_BYTES = 256 };

/* "must be ..., found ..." */
static bool wrong(const Json *json, uint32_t node, const char *wanted, MashProblems *problems) {
    char memory[64];
    MashText found = text_over(memory, sizeof memory);
    json_describe(json, node, &found);
    return json_problem(json, node, problems, "must be %s, found %s", wanted, memory);
}

bool json_missing(const Json *json, uint32_t object, const char *key, const char *wanted,
                  MashProblems *problems) {
    if (json->nodes[object].kind != JSON_OBJECT)
        return json_expect_kind(json, object, JSON_OBJECT, problems);
    return json_problem(json, object, problems, "key \"%s\" is missing; it must be %s", key,
                        wanted);
}

/* The name of a kind of value in an error message. */
static const char *kind_words(JsonKind kind) {
    static const char *const words[] = {"null",     "false",    "true",     "a number",
                                        "a string", "an array", "an object"};
    return words[kind];
}

bool json_expect_kind(const Json *json, uint32_t node, JsonKind kind, MashProblems *problems) {
    assert(node < json->nodes_count);
    return json->nodes[node].kind == kind || wrong(json, node, kind_words(kind), problems);
}

uint32_t json_expect_member(const Json *json, uint32_t object, const char *key, JsonKind kind,
                            MashProblems *problems) {
    uint32_t node = json_member(json, object, key);
    if (node == JSON_NONE) {
        json_missing(json, object, key, kind_words(kind), problems);
        return JSON_NONE;
    }
    return json_expect_kind(json, node, kind, problems) ? node : JSON_NONE;
}

/* The value of a string of digits; false if there is anything else or it exceeds 32 bits. */
static bool whole_of(const char *bytes, uint32_t count, int64_t *out) {
    bool negative = count > 0 && bytes[0] == '-';
    int64_t number = 0;
    for (uint32_t i = negative ? 1 : 0; i < count; i++) {
        if (bytes[i] < '0' || bytes[i] > '9' || number > UINT32_MAX)
            return false;
        number = number * 10 + (bytes[i] - '0');
    }
    *out = negative ? -number : number;
    return true;
}

/* A whole number at a node; JSON_NONE: the key is missing in the object. */
static bool int_of(const Json *json, uint32_t object, const char *key, uint32_t node, int32_t least,
                   int32_t most, int32_t *out, MashProblems *problems) {
    const JsonNode *found = node == JSON_NONE ? NULL : &json->nodes[node];
    int64_t number;
    assert(least <= most && (found == NULL || node < json->nodes_count));
    if (found != NULL && found->kind == JSON_NUMBER &&
        whole_of(json->bytes + found->start, found->end - found->start, &number) &&
        number >= least && number <= most) {
        *out = (int32_t)number;
        return true;
    }
    char memory[WANTED_BYTES];
    MashText wanted = text_over(memory, sizeof memory);
    text_format(&wanted, "a whole number from %d to %d", least, most);
    *out = least;
    return found == NULL ? json_missing(json, object, key, memory, problems)
                         : wrong(json, node, memory, problems);
}

bool json_int(const Json *json, uint32_t node, int32_t least, int32_t most, int32_t *out,
              MashProblems *problems) {
    return int_of(json, 0, NULL, node, least, most, out, problems);
}

bool json_int_at(const Json *json, uint32_t object, const char *key, int32_t least, int32_t most,
                 int32_t *out, MashProblems *problems) {
    return int_of(json, object, key, json_member(json, object, key), least, most, out, problems);
}

/* Control characters of ASCII and Latin-1 would break lines and terminals. */
static bool has_controls(const char *bytes, uint32_t count) {
    for (uint32_t i = 0; i < count;) {
        uint32_t length = utf8_length(bytes + i, count - i);
        uint32_t code = utf8_decode(bytes + i, length);
        if (code < 0x20 || (code >= 0x7F && code < 0xA0))
            return true;
        i += length;
    }
    return false;
}

/* The same for a string that must fit `max` bytes with its NUL. */
static void words_wanted(uint32_t max, char out[WANTED_BYTES]) {
    MashText text = text_over(out, WANTED_BYTES);
    text_format(&text, "a string of 1 to %u bytes without control characters", max - 1);
}

bool json_line(const Json *json, uint32_t node, char *out, uint32_t max, MashProblems *problems) {
    assert(node < json->nodes_count && max >= 2);
    MashText text = text_over(out, max);
    json_string(json, node, &text);
    if (text.count > 0 && !text.truncated && !has_controls(out, text.count))
        return true;
    text_clear(&text);
    char wanted[WANTED_BYTES];
    words_wanted(max, wanted);
    return wrong(json, node, wanted, problems);
}

bool json_line_at(const Json *json, uint32_t object, const char *key, char *out, uint32_t max,
                  MashProblems *problems) {
    uint32_t node = json_member(json, object, key);
    if (node != JSON_NONE)
        return json_line(json, node, out, max, problems);
    char wanted[WANTED_BYTES];
    words_wanted(max, wanted);
    out[0] = '\0';
    return json_missing(json, object, key, wanted, problems);
}

bool json_bool(const Json *json, uint32_t node, bool *out, MashProblems *problems) {
    assert(node < json->nodes_count);
    JsonKind kind = json->nodes[node].kind;
    *out = kind == JSON_TRUE;
    return *out || kind == JSON_FALSE || wrong(json, node, "true or false", problems);
}

bool json_bool_at(const Json *json, uint32_t object, const char *key, bool *out,
                  MashProblems *problems) {
    uint32_t node = json_member(json, object, key);
    *out = false;
    return node != JSON_NONE ? json_bool(json, node, out, problems)
                             : json_missing(json, object, key, "true or false", problems);
}

/* Appends the words with commas between them. */
static void list_words(const char *const *words, uint32_t count, MashText *text) {
    for (uint32_t i = 0; i < count; i++)
        text_format(text, i == 0 ? "%s" : ", %s", words[i]);
}

/* One of these words at a node; JSON_NONE: the key is missing in the object. */
static bool choice_of(const Json *json, uint32_t object, const char *key, uint32_t node,
                      const char *const *words, uint32_t words_count, uint32_t *out,
                      MashProblems *problems) {
    for (*out = 0; node != JSON_NONE && *out < words_count; (*out)++)
        if (json_equals(json, node, words[*out]))
            return true;
    *out = 0;
    char memory[WANTED_BYTES], there[64];
    MashText wanted = text_over(memory, sizeof memory), found = text_over(there, sizeof there);
    text_string(&wanted, "one of ");
    list_words(words, words_count, &wanted);
    if (node == JSON_NONE)
        return json_missing(json, object, key, memory, problems);
    json_describe(json, node, &found);
    return json_problem(json, node, problems, "found %s, must be %s", there, memory);
}

bool json_choice(const Json *json, uint32_t node, const char *const *words, uint32_t words_count,
                 uint32_t *out, MashProblems *problems) {
    return choice_of(json, 0, NULL, node, words, words_count, out, problems);
}

bool json_choice_at(const Json *json, uint32_t object, const char *key, const char *const *words,
                    uint32_t words_count, uint32_t *out, MashProblems *problems) {
    return choice_of(json, object, key, json_member(json, object, key), words, words_count, out,
                     problems);
}

/* Is the member's key one of these? */
static bool key_known(const Json *json, uint32_t node, const char *const *keys, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (json_key_equals(json, node, keys[i]))
            return true;
    return false;
}

bool json_refuse_unknown_keys(const Json *json, uint32_t object, const char *const *keys,
                              uint32_t keys_count, MashProblems *problems) {
    if (!json_expect_kind(json, object, JSON_OBJECT, problems))
        return false;
    bool all_known = true;
    for (uint32_t node = json_first(json, object); node != JSON_NONE;
         node = json->nodes[node].next) {
        if (key_known(json, node, keys, keys_count))
            continue;
        char allowed[WANTED_BYTES];
        MashText text = text_over(allowed, sizeof allowed);
        text_string(&text, keys_count > 0 ? "; allowed are " : "; no keys are allowed here");
        list_words(keys, keys_count, &text);
        json_key_problem(json, node, problems, "unknown key ", allowed);
        all_known = false;
    }
    return all_known;
}
