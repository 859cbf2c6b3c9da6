/* fuzz_orders.c -- any bytes as initials and commands of zorde's file mode: split at the first NUL.
 *
 * For any input there is either a complete output or a problem, and twice the same. */
#include <stdlib.h>
#include <string.h>

#include "include/mashup.h"

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

enum { OUTPUT_BYTES = 1 << 16, PROBLEMS = 4 };

static const MashContent *zorde_content(void) {
    static MashContent *content;
    if (content != NULL)
        return content;
    const MashGame *game = mash_game_find("zorde");
    assert(game != NULL);
    static _Alignas(16) uint8_t scratch[MASH_SCRATCH_BYTES];
    MashDocument list[MASH_DOCUMENTS_MAX];
    uint32_t found = mash_documents_of_preset(game, NULL, list);
    MashDocuments documents = {list, found, scratch, sizeof scratch};
    MashProblems problems = {0};
    content = aligned_alloc(64, (game->content_bytes_max + 63) / 64 * 64);
    bool loaded = content != NULL && game->load(&documents, content, &problems);
    assert(loaded);
    return content;
}

/* One run; its result, with the output in `out`. */
static bool run(const MashDocument list[2], char *output, MashText *out) {
    const MashContent *content = zorde_content();
    MashProblem problem_list[PROBLEMS];
    MashProblems problems = {problem_list, 0, PROBLEMS};
    MashDocuments in = {.list = list, .count = 2};
    *out = text_over(output, OUTPUT_BYTES);
    bool done = content->game->formats[0]->convert(content, &in, out, &problems);
    assert(done == (problems.count == 0));
    assert(!done || (!out->truncated && out->count > 0));
    return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static char outputs[2][OUTPUT_BYTES];
    const char *text = (const char *)bytes;
    const char *split = count == 0 ? NULL : memchr(text, '\0', count);
    uint32_t first = (uint32_t)(split == NULL ? count : (size_t)(split - text));
    uint32_t second = split == NULL ? 0 : (uint32_t)count - first - 1;
    MashDocument list[2] = {{"initials.txt", text, first},
                            {"commands.txt", split == NULL ? "" : split + 1, second}};
    MashText out[2];
    bool done = run(list, outputs[0], &out[0]);
    bool again = run(list, outputs[1], &out[1]);
    assert(done == again && out[0].count == out[1].count);
    assert(memcmp(outputs[0], outputs[1], out[0].count) == 0);
    return 0;
}
