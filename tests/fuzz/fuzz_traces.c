/* fuzz_traces.c -- any bytes as a recorded match of Ultimate War.
 *
 * For any input there is either a count of steps with a report of the first difference or a
 * problem, and twice the same. */
#include <stdlib.h>
#include <string.h>

#include "include/mashup.h"

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

enum { REPORT_BYTES = 512, PROBLEMS = 4 };

static _Alignas(16) uint8_t scratch[MASH_SCRATCH_BYTES];

static const MashContent *war_content(void) {
    static MashContent *content;
    if (content != NULL)
        return content;
    const MashGame *game = mash_game_find("ultimate-war");
    assert(game != NULL);
    MashDocument list[MASH_DOCUMENTS_MAX];
    uint32_t found = mash_documents_of_preset(game, NULL, list);
    MashDocuments documents = {list, found, scratch, sizeof scratch};
    MashProblems problems = {0};
    content = aligned_alloc(64, (game->content_bytes_max + 63) / 64 * 64);
    bool loaded = content != NULL && game->load(&documents, content, &problems);
    assert(loaded);
    return content;
}

static bool run(const MashDocument *trace, char *bytes, MashTraceCounts *tally) {
    const MashContent *content = war_content();
    MashProblem problem_list[PROBLEMS];
    MashProblems problems = {problem_list, 0, PROBLEMS};
    MashDocuments in = {trace, 1, scratch, sizeof scratch};
    MashText report = text_over(bytes, REPORT_BYTES);
    bool read = content->game->formats[0]->verify(content, &in, tally, &report, &problems);
    assert(read == (problems.count == 0));
    assert(tally->equal <= tally->steps);
    assert((report.count > 0) == (tally->equal < tally->steps));
    return read;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    char reports[2][REPORT_BYTES];
    MashTraceCounts tallies[2];
    MashDocument trace = {"trace.jsonl", (const char *)bytes, (uint32_t)count};
    bool read = run(&trace, reports[0], &tallies[0]);
    bool again = run(&trace, reports[1], &tallies[1]);
    assert(read == again && memcmp(&tallies[0], &tallies[1], sizeof tallies[0]) == 0);
    assert(strcmp(reports[0], reports[1]) == 0);
    return 0;
}
