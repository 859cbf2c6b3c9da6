/* begun.c -- see begun.h. */
#include "server/begun.h"

#include <stdlib.h>
#include <string.h>

#include "match/file.h"
#include "server/arena.h"
#include "server/internal.h"

/* The key of the actions, as base64, in records; and how many actions count as one message in the
 * rate limit. */
#define BEGUN_KEY "begun"
enum { ACTIONS_OF_MESSAGE = 4 };

bool begun_wanted(const Message *open) {
    return message_has(open, "begun") || message_has(open, "seed");
}

/* From base64; NULL: it is none of whole actions, there are too many, or no memory. */
static Begun *decode(MashSeed seed, const char *digits, uint32_t digits_count) {
    enum { BYTES_MAX = PROTO_BEGUN_MAX * sizeof(MashAction) };
    uint32_t bytes = digits_count / 4 * 3;
    Begun *begun = bytes > BYTES_MAX + 2 ? NULL : calloc(1, sizeof *begun + bytes);
    int64_t count = begun == NULL ? -1 : base64_decode(digits, digits_count, begun->actions, bytes);
    if (count <= 0 || count > BYTES_MAX || count % (int64_t)sizeof(MashAction) != 0) {
        free(begun);
        return NULL;
    }
    begun->seed = seed;
    begun->count = (uint32_t)count / (uint32_t)sizeof(MashAction);
    return begun;
}

bool begun_apply(const Begun *begun, Match *match) {
    for (uint32_t i = 0; i < begun->count; i++)
        if (match_apply(match, begun->actions[i]) != MASH_OK)
            return false;
    return true;
}

/* The number of the turn in which a match is. */
static uint32_t turn_of(const Match *match) {
    uint32_t turn = 1;
    for (uint32_t i = 0; i < match->actions_count; i++)
        turn += (match->notes[i] & MATCH_NOTE_TURN) != 0;
    return turn;
}

/* Can a match of this configuration begin so, and is anything left to play? Notes the turn. */
static bool try_out(Begun *begun, const TableConfig *config) {
    const MashContent *content = config->content->content;
    MashSetup setup = {config->options, content->game->options_count};
    void *memory = aligned_alloc(64, (match_bytes(content) + 63) / 64 * 64);
    Match match;
    bool fine = memory != NULL &&
                match_begin(&match, content, begun->seed, &setup, memory) == MASH_OK &&
                begun_apply(begun, &match) && !match_result(&match).over;
    begun->turn = fine ? turn_of(&match) : 0;
    free(memory);
    return fine;
}

Begun *begun_of_request(Session *session, const Message *open, const TableConfig *config) {
    MashSeed seed;
    if (!message_has(open, "begun") || !message_has(open, "seed") || config->leg != 0 ||
        !match_seed_read(open->open.seed, &seed)) {
        arena_refuse_because(session, REFUSAL_MALFORMED,
                             "begun: with `seed`, for a single match and not for a challenge");
        return NULL;
    }
    Begun *begun = decode(seed, open->open.begun.bytes, open->open.begun.count);
    if (begun != NULL) {
        budget_charge(session, begun->count / ACTIONS_OF_MESSAGE);
        if (try_out(begun, config))
            return begun;
    }
    free(begun);
    arena_refuse(session, REFUSAL_BAD_BEGINNING);
    return NULL;
}

Begun *begun_copy(const Begun *begun) {
    size_t bytes = sizeof *begun + begun->count * sizeof *begun->actions;
    Begun *copy = malloc(bytes);
    return copy == NULL ? NULL : memcpy(copy, begun, bytes);
}

uint32_t begun_count(const Table *table) { return table->begun == NULL ? 0 : table->begun->count; }

void begun_put(JsonWriter *writer, const Begun *begun) {
    json_put_pair_int(writer, "from_turn", begun->turn);
    json_put_key(writer, BEGUN_KEY);
    json_put_raw(writer, "\"", 1);
    base64_encode(begun->actions, begun->count * (uint32_t)sizeof *begun->actions, writer->text);
    text_byte(writer->text, '"');
}

bool begun_of_record(const Json *json, MashSeed seed, Begun **begun) {
    MashProblem list[1];
    MashProblems problems = {.list = list, .max = 1};
    uint32_t node = json_member(json, 0, BEGUN_KEY);
    int32_t turn;
    *begun = NULL;
    if (node == JSON_NONE)
        return true;
    if (!json_int_at(json, 0, "from_turn", 1, INT32_MAX, &turn, &problems) ||
        json->nodes[node].kind != JSON_STRING)
        return false;
    const JsonNode *value = &json->nodes[node];
    *begun = decode(seed, json->bytes + value->start + 1, value->end - value->start - 2);
    if (*begun != NULL)
        (*begun)->turn = (uint32_t)turn;
    return *begun != NULL;
}
