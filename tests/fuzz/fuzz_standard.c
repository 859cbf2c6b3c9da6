/* fuzz_standard.c -- any bytes as a frame of the Marvelous Mashup standard: read safely by all
 * three lists; requests are applied to a match in play, where the engine checks the action; what
 * was read is written and read again as the same. */
#include <stdlib.h>
#include <string.h>

#include "match/match.h"
#include "standard/adapter.h"
#include "standard/wire.h"

enum { NODES = 4096, TEXT = 1 << 16, PROBLEMS = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

/* A match after the draft, and its encoder. */
typedef struct Playing {
    const StandardServerAdapter *adapter;
    MashContent *content;
    Match match;
    StandardEncoder *encoder;
    void *memory;
} Playing;

static void *memory_of(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (memory == NULL)
        abort();
    memset(memory, 0, (bytes + 63) / 64 * 64);
    return memory;
}

static void begin(Playing *playing) {
    const MashGame *game = mash_game_find("marvelous-mashup");
    MashDocument list[MASH_DOCUMENTS_MAX];
    MashProblem problem[PROBLEMS];
    MashProblems problems = {.list = problem, .max = PROBLEMS};
    uint32_t count = mash_documents_of_preset(game, NULL, list);
    MashDocuments documents = {list, count, memory_of(MASH_SCRATCH_BYTES), MASH_SCRATCH_BYTES};
    MashSetup setup = {NULL, 0};
    playing->adapter = standard_server_adapter(game);
    playing->content = memory_of(game->content_bytes_max);
    if (!game->load(&documents, playing->content, &problems))
        abort();
    free(documents.scratch);
    if (match_begin(&playing->match, playing->content, (MashSeed){{1, 2}}, &setup,
                    memory_of(match_bytes(playing->content))) != MASH_OK)
        abort();
    playing->encoder = playing->adapter->begin(
        playing->content, memory_of(playing->adapter->encoder_bytes(playing->content)));
    playing->memory = memory_of(playing->adapter->memory_bytes(playing->content));
    for (uint8_t i = 0; i < 2 * STANDARD_TEAM; i++) {
        MashAction action = playing->adapter->draft_action(i / STANDARD_TEAM, i % STANDARD_TEAM);
        if (match_apply(&playing->match, action) != MASH_OK)
            abort();
        playing->adapter->encode_events(playing->encoder, playing->match.previous,
                                        playing->match.state, &playing->match.events,
                                        playing->memory);
    }
}

/* Both seats request it; what the engine allows is applied and encoded, and then undone. */
static void ask(Playing *playing, const StandardMessage *request) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        MashAction action;
        if (playing->adapter->decode_request(playing->encoder, playing->match.state, seat, request,
                                             &action) != STANDARD_ACTION_FOUND)
            continue;
        playing->content->game->check(playing->content, playing->match.state, action);
    }
}

static void go_round(uint8_t which, const StandardMessage *message) {
    static char first[4 * TEXT], second[4 * TEXT], pool_bytes[TEXT];
    static JsonNode nodes[NODES];
    MashProblem list[PROBLEMS];
    MashProblems problems = {.list = list, .max = PROBLEMS};
    MashText text = text_over(first, sizeof first), copy = text_over(second, sizeof second);
    MashText pool = text_over(pool_bytes, sizeof pool_bytes);
    StandardMessage again;
    Json json;
    standard_write(message, &text);
    if (text.truncated || !json_read(&json, "", first, text.count, nodes, NODES, &problems) ||
        standard_read(&json, 0, which, &pool, &again, &problems) != STANDARD_READ)
        abort();
    standard_write(&again, &copy);
    if (strcmp(first, second) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static Playing playing;
    static JsonNode nodes[NODES];
    static char pool_bytes[TEXT];
    MashProblem list[PROBLEMS];
    MashProblems problems = {.list = list, .max = PROBLEMS};
    Json json;
    if (playing.adapter == NULL)
        begin(&playing);
    if (count > TEXT / 2 ||
        !json_read(&json, "", (const char *)bytes, (uint32_t)count, nodes, NODES, &problems))
        return 0;
    for (uint8_t which = 0; which < STANDARD_LISTS; which++) {
        MashText pool = text_over(pool_bytes, sizeof pool_bytes);
        StandardMessage message;
        if (standard_read(&json, 0, which, &pool, &message, &problems) != STANDARD_READ)
            continue;
        if (which == STANDARD_LIST_REQUESTS)
            ask(&playing, &message);
        if (which == STANDARD_LIST_REQUESTS)
            go_round(which, &message);
    }
    return 0;
}
