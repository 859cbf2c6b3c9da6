/* fuzz_match.c -- any bytes as a match file: it is refused with a reason, or it replays; what
 * replays is written and read again as the same match. */
#include <stdlib.h>
#include <string.h>

#include "match/file.h"

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

enum { TEXT_BYTES = 1 << 22, PROBLEMS = 4, PRESETS = 32 };

static void *memory_of(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    assert(memory != NULL);
    return memory;
}

static MashContent *load(const MashGame *game, const MashDocument *list, uint32_t count,
                         MashProblems *problems) {
    static _Alignas(16) uint8_t scratch[MASH_SCRATCH_BYTES];
    MashDocuments documents = {list, count, scratch, sizeof scratch};
    MashContent *content = memory_of(game->content_bytes_max);
    uint32_t before = problems->count;
    bool loaded = game->load(&documents, content, problems);
    assert(loaded || problems->count > before);
    if (loaded)
        return content;
    free(content);
    return NULL;
}

/* Presets are loaded once and kept; custom documents are loaded each time, *owned is then true. */
static MashContent *content_of(const MatchFile *file, bool *owned, MashProblems *problems) {
    static struct {
        const char *preset;
        MashContent *content;
    } kept[PRESETS];
    *owned = file->preset == NULL;
    if (*owned)
        return load(file->game, file->documents, file->documents_count, problems);
    uint32_t i = 0;
    while (kept[i].preset != NULL && kept[i].preset != file->preset)
        i++;
    assert(i + 1 < PRESETS);
    if (kept[i].preset == NULL)
        kept[i].content = load(file->game, file->documents, file->documents_count, problems);
    kept[i].preset = file->preset;
    assert(kept[i].content != NULL);
    return kept[i].content;
}

/* Writes the match, reads that, and compares. */
static void round_trip(const MatchFile *file, Match *match) {
    static char text_memory[TEXT_BYTES];
    MashText text = text_over(text_memory, sizeof text_memory);
    MatchHeader about = {.documents = file->documents,
                         .documents_count = file->documents_count,
                         .players = {file->players[0], file->players[1]},
                         .ratings = {file->ratings[0], file->ratings[1]},
                         .noted = file};
    match_file_write(match, &about, &text);
    if (text.truncated)
        return;
    MashProblem list[PROBLEMS];
    MashProblems problems = {.list = list, .max = PROBLEMS};
    size_t room = match_file_bytes(text.count);
    void *memory = memory_of(room), *match_memory = memory_of(match_bytes(match->content));
    MatchFile again;
    Match replayed;
    bool fine = match_file_open(&again, "again", text.bytes, text.count, memory, room, &problems) &&
                match_file_replay(&again, match->content, match_memory, &replayed, &problems);
    assert(fine && problems.count == 0);
    assert(replayed.actions_count == match->actions_count);
    assert(memcmp(replayed.state, match->state, match->content->limits.state_bytes) == 0);
    free(match_memory);
    free(memory);
}

static void replay(const MatchFile *file, MashContent *content, MashProblems *problems) {
    void *memory = memory_of(match_bytes(content));
    Match match;
    if (match_file_replay(file, content, memory, &match, problems)) {
        assert(problems->count == 0);
        round_trip(file, &match);
    } else {
        assert(problems->count > 0);
    }
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    MashProblem list[PROBLEMS];
    MashProblems problems = {.list = list, .max = PROBLEMS};
    size_t room = match_file_bytes((uint32_t)count);
    void *memory = memory_of(room);
    MatchFile file;
    if (match_file_open(&file, "fuzz", (const char *)bytes, (uint32_t)count, memory, room,
                        &problems)) {
        bool owned;
        MashContent *content = content_of(&file, &owned, &problems);
        if (content != NULL)
            replay(&file, content, &problems);
        if (owned)
            free(content);
    } else {
        assert(problems.count > 0);
    }
    free(memory);
    return 0;
}
