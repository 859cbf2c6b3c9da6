/* fuzz_content.c -- any bytes as one document of a game's content: loading only reports problems,
 * and what loads can be played.
 *
 * The first line names the game and the document that is replaced ("zorde duel.start.json"), the
 * rest are its bytes; tests/fuzz/run makes the seeds from the shipped documents. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "include/mashup.h"
#include "match/simulate.h"

enum { PROBLEMS = 8, NAME_BYTES = 64, LIST_MAX = 50000, PLIES = 30 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void *zeroed(size_t bytes) {
    size_t rounded = (bytes + 15) / 16 * 16;
    void *memory = aligned_alloc(16, rounded);
    if (memory == NULL)
        abort();
    return memset(memory, 0, rounded);
}

/* Some random actions of a match with this content; its promises are asserted by the engine. */
static void play(const MashContent *content) {
    const MashGame *game = content->game;
    const MashLimits *limits = &content->limits;
    MashChance chance = chance_sampled(content->hash);
    MashAction *list = zeroed(limits->actions_max * sizeof *list);
    MashEvents events = {zeroed(limits->events_max * sizeof(MashEvent)), 0, limits->events_max};
    void *state = zeroed(limits->state_bytes);
    if (game->setup(content, NULL, &chance, state) != MASH_OK)
        abort();
    for (int ply = 0; ply < PLIES && !game->result(content, state).over; ply++) {
        MashAction action = simulate_random_action(content, state, &chance, list);
        if (mash_apply(content, state, action, &chance, &events) != MASH_OK)
            abort();
    }
    free(state);
    free(events.list);
    free(list);
}

static void load(const MashGame *game, MashDocument document) {
    static MashProblem problem_list[PROBLEMS];
    static _Alignas(16) uint8_t scratch[MASH_SCRATCH_BYTES];
    MashProblems problems = {.list = problem_list, .max = PROBLEMS};
    MashDocument list[MASH_DOCUMENTS_MAX];
    uint32_t list_count = mash_documents_of_preset(game, NULL, list);
    if (!mash_documents_replace(list, &list_count, document))
        return;
    MashContent *content = zeroed(game->content_bytes_max);
    MashDocuments documents = {list, list_count, scratch, MASH_SCRATCH_BYTES};
    bool loaded = game->load(&documents, content, &problems);
    if (loaded != (problems.count == 0))
        abort(); /* refused without a problem, or accepted with one */
    if (loaded && content->limits.actions_max < LIST_MAX)
        play(content);
    free(content);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    char line[2 * NAME_BYTES] = {0};
    const uint8_t *end = memchr(bytes, '\n', count);
    if (end == NULL || (size_t)(end - bytes) >= sizeof line)
        return 0;
    memcpy(line, bytes, (size_t)(end - bytes));
    char *space = strchr(line, ' ');
    if (space == NULL)
        return 0;
    *space = '\0';
    const MashGame *game = mash_game_find(line);
    size_t rest = count - (size_t)(end + 1 - bytes);
    if (game != NULL && strlen(space + 1) < NAME_BYTES)
        load(game, (MashDocument){space + 1, (const char *)end + 1, (uint32_t)rest});
    return 0;
}
