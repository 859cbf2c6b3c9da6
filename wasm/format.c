/* format.c -- for the editors of the page: the canonical layout of a document. */
#include "base/json.h"
#include "wasm/instance.h"

/* The document that was written to input_at() (its name, a NUL, its bytes) in the layout of
 * json_format(). 0: it is not JSON, and the text is a list of problems. Discards content and match.
 */
EXPORT(uint32_t, format, (uint32_t name_count, uint32_t bytes_count)) {
    MashProblem problem;
    MashProblems problems = {.list = &problem, .max = 1};
    MashDocument document;
    Json json;
    instance_text_begin();
    if (!instance_input(name_count, bytes_count, &document))
        return 0;
    instance_reset();
    uint32_t nodes_max = document.count / 2 + 2;
    JsonNode *nodes = instance_take(nodes_max * sizeof *nodes);
    if (nodes == NULL)
        return 0;
    if (json_read(&json, document.name, document.bytes, document.count, nodes, nodes_max,
                  &problems)) {
        json_format(&json, &instance.text);
        return instance_text_end();
    }
    instance_put_problems(&problems);
    return 0;
}
