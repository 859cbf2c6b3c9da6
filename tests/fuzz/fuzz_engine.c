/* fuzz_engine.c -- any lines for the simulator: each gets one answer that is JSON, and nothing ends
 * the process.
 *
 * Left out is what is trusted or only takes long: bytes of positions (`view`; `mashup engine` works
 * in a second process for them), thousands of playouts, and levels that think for seconds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "sim/engine.h"

enum { LINES_MAX = 64, NODES_MAX = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* Does the line contain these bytes? */
static bool contains(const char *line, size_t count, const char *part) {
    size_t length = strlen(part);
    for (size_t i = 0; i + length <= count; i++)
        if (memcmp(line + i, part, length) == 0)
            return true;
    return false;
}

/* Has it a number of more than one digit after this key, or one above 3? */
static bool large(const char *line, size_t count, const char *key) {
    for (size_t i = 0; i + strlen(key) + 2 < count; i++) {
        const char *behind = line + i + strlen(key);
        if (memcmp(line + i, key, strlen(key)) == 0 &&
            !(behind[0] >= '0' && behind[0] <= '3' && (behind[1] < '0' || behind[1] > '9')))
            return true;
    }
    return false;
}

/* Is it left out? Escapes could spell the keys otherwise. */
static bool left_out(const char *line, size_t count) {
    return contains(line, count, "view") || contains(line, count, "\\u") ||
           (contains(line, count, "count") && large(line, count, "\"count\":")) ||
           (contains(line, count, "level") && large(line, count, "\"level\":"));
}

/* The answer is one line of JSON. */
static void check(const char *answer) {
    static JsonNode nodes[NODES_MAX];
    MashProblem problem;
    MashProblems problems = {.list = &problem, .max = 1};
    Json json;
    if (answer == NULL)
        return;
    uint32_t count = (uint32_t)strlen(answer);
    if (strchr(answer, '\n') != NULL ||
        (!json_read(&json, "answer", answer, count, nodes, NODES_MAX, &problems) &&
         strstr(problem.reason, "too many") == NULL)) {
        fprintf(stderr, "%s: %.300s\n", problem.reason, answer);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    const char *at = (const char *)bytes, *end = at + count;
    SimEngine *engine = sim_engine_open();
    for (int lines = 0; at < end && lines < LINES_MAX; lines++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop == NULL ? end : stop) - at);
        if (!left_out(at, length))
            check(sim_engine_answer(engine, at, (uint32_t)length));
        at += length + 1;
    }
    sim_engine_close(engine);
    return 0;
}
