/* fuzz_json.c -- reads any bytes as JSON; what was read is written again node by node and must read
 * the same.
 *
 * A refusal must be one problem with a location in the text. Numbers that are not 64-bit integers
 * cannot be written: they are written as strings of their spelling. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

enum { NODES = 1 << 14, BYTES = 1 << 20 };

typedef struct Copy {
    Json json;
    JsonNode nodes[NODES];
    char bytes[BYTES];
} Copy;

static Json original;
static JsonNode original_nodes[NODES];
static Copy copy;
static MashProblem problem;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void must(bool holds) {
    if (!holds)
        __builtin_trap();
}

/* The integer with exactly this spelling. */
static bool whole(const char *bytes, uint32_t count, int64_t *out) {
    char digits[32];
    if (count >= sizeof digits)
        return false;
    memcpy(digits, bytes, count);
    digits[count] = '\0';
    *out = strtoll(digits, NULL, 10);
    char again_memory[32];
    MashText again = text_over(again_memory, sizeof again_memory);
    text_int(&again, *out);
    return strcmp(again_memory, digits) == 0;
}

/* The decoded string or key in lent memory. */
static MashText decoded(const Json *json, uint32_t node, bool key, char *memory) {
    MashText text = text_over(memory, BYTES);
    if (key)
        json_key(json, node, &text);
    else
        json_string(json, node, &text);
    must(!text.truncated);
    return text;
}

static void write_scalar(JsonWriter *writer, uint32_t index) {
    static char memory[BYTES];
    const JsonNode *node = &original.nodes[index];
    const char *spelling = original.bytes + node->start;
    int64_t number;
    if (node->kind == JSON_STRING) {
        MashText text = decoded(&original, index, false, memory);
        json_put_bytes(writer, memory, text.count);
    } else if (node->kind == JSON_NULL) {
        json_put_null(writer);
    } else if (node->kind != JSON_NUMBER) {
        json_put_bool(writer, node->kind == JSON_TRUE);
    } else if (whole(spelling, node->end - node->start, &number)) {
        json_put_int(writer, number);
    } else {
        json_put_bytes(writer, spelling, node->end - node->start);
    }
}

/* False: a key cannot be written because it holds a NUL. */
static bool write_all(JsonWriter *writer) {
    static char memory[BYTES];
    uint32_t open[JSON_DEPTH_MAX], left[JSON_DEPTH_MAX], depth = 0;
    for (uint32_t i = 0; i < original.nodes_count; i++) {
        const JsonNode *node = &original.nodes[i];
        if (node->key_end != 0) {
            MashText key = decoded(&original, i, true, memory);
            if (strlen(memory) != key.count)
                return false;
            json_put_key(writer, memory);
        }
        if (depth > 0)
            left[depth - 1]--;
        if (node->kind == JSON_ARRAY || node->kind == JSON_OBJECT) {
            json_open(writer, node->kind == JSON_OBJECT ? '{' : '[');
            open[depth] = i;
            left[depth++] = node->count;
        } else {
            write_scalar(writer, i);
        }
        for (; depth > 0 && left[depth - 1] == 0; depth--)
            json_close(writer, original.nodes[open[depth - 1]].kind == JSON_OBJECT ? '}' : ']');
    }
    must(depth == 0);
    return true;
}

static void same_text(uint32_t node, bool key) {
    static char one[BYTES], two[BYTES];
    MashText a = decoded(&original, node, key, one), b = decoded(&copy.json, node, key, two);
    must(a.count == b.count && memcmp(one, two, a.count) == 0);
    if (strlen(one) == a.count)
        must(key ? json_key_equals(&copy.json, node, one) : json_equals(&copy.json, node, one));
}

static void same_node(uint32_t index) {
    static char memory[BYTES];
    const JsonNode *a = &original.nodes[index], *b = &copy.nodes[index];
    uint32_t length = a->end - a->start;
    must(a->count == b->count && a->next == b->next && a->start < a->end);
    must((a->key_end != 0) == (b->key_end != 0));
    if (a->key_end != 0)
        same_text(index, true);
    if (a->kind == JSON_STRING && b->kind == JSON_STRING) {
        same_text(index, false);
    } else if (a->kind == JSON_NUMBER && b->kind == JSON_STRING) {
        MashText text = decoded(&copy.json, index, false, memory);
        must(text.count == length && memcmp(memory, original.bytes + a->start, length) == 0);
    } else {
        must(a->kind == b->kind);
        if (a->kind == JSON_NUMBER)
            must(length == b->end - b->start &&
                 memcmp(original.bytes + a->start, copy.json.bytes + b->start, length) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    MashProblems problems = {.list = &problem, .max = 1};
    memset(&problem, 0, sizeof problem);
    if (!json_read(&original, "fuzz", (const char *)bytes, (uint32_t)count, original_nodes, NODES,
                   &problems)) {
        must(problems.count == 1 && problem.reason[0] != '\0');
        must(problem.line >= 1 && problem.column >= 1 && problem.column <= count + 1);
        return 0;
    }
    must(problems.count == 0);
    json_problem(&original, original.nodes_count - 1, &problems, "a path to the last node");
    must(problem.path[0] == '$' && problem.line >= 1);
    MashText text = text_over(copy.bytes, sizeof copy.bytes);
    JsonWriter writer = json_writer(&text, (uint32_t)count % 4);
    if (!write_all(&writer))
        return 0;
    problems.count = 0;
    must(!text.truncated &&
         json_read(&copy.json, "copy", copy.bytes, text.count, copy.nodes, NODES, &problems));
    must(copy.json.nodes_count == original.nodes_count);
    for (uint32_t i = 0; i < original.nodes_count; i++)
        same_node(i);
    return 0;
}
