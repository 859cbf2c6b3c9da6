/* replay.c -- see standard.h: a finished match as the replay file that other programs of
 * the standard write: who played, the configurations, and all that a spectator was told, bare. The
 * match is done again for it, so nothing need be kept while it runs. */
#include <stdlib.h>
#include <string.h>

#include "server/records.h"
#include "standard/server/internal.h"

/* A match that is done again. */
typedef struct Replay {
    Table *table;
    const StandardServerAdapter *tongue;
    Match match;
    StandardEncoder *speech;
    void *memory, *speech_memory; /* of the two above */
} Replay;

/* Appends a message to the list of the replay. */
static void put(MashText *text, const StandardMessage *message) {
    if (text->count > 0 && text->bytes[text->count - 1] == '}')
        text_byte(text, ',');
    standard_write(message, text);
}

/* What one action told, and the state behind it. */
static void put_action(Replay *replay, MashText *text) {
    Server *server = replay->table->server;
    const Match *match = &replay->match;
    const MashContent *content = match->content;
    StandardEvents events = replay->tongue->encode_events(
        replay->speech, match->previous, match->state, &match->events, server->told.bytes);
    bool begins = replay->tongue->is_drafting(content, match->previous, MASH_SEAT_NONE) &&
                  !replay->tongue->is_drafting(content, match->state, MASH_SEAT_NONE);
    StandardStructure structure;
    StandardMessage state;
    if (begins && talk_fill_structure(replay->table, MASH_SEAT_NONE, match->state, &structure))
        put(text, &structure.message);
    for (uint32_t i = 0; i < events.count; i++)
        put(text, &events.list[i]);
    if (events.count > 0 && replay->tongue->encode_state(replay->speech, match->state,
                                                         server->told_state.bytes, &state))
        put(text, &state);
}

/* Appends a key and a player's name. */
static void put_name(MashText *text, const char *key, const char *name) {
    JsonWriter writer = json_writer(text, 0);
    text_format(text, "\"%s\":", key);
    json_put_string(&writer, name);
    text_byte(text, ',');
}

/* Writes the match as a replay of the standard, by playing its actions again. */
static void write_replay(void *what, MashText *text) {
    Replay *replay = what;
    const Table *table = replay->table;
    const Match *played = &table->match;
    const MashContent *content = played->content;
    MashSetup setup = {played->options, content->game->options_count};
    StandardMessage assignment = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GENERAL_ASSIGNMENT);
    StandardMessage goodbye = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GOODBYE_CLIENT);
    text_byte(text, '{');
    put_name(text, "nameP1", table->chairs[0].name);
    put_name(text, "nameP2", table->chairs[1].name);
    text_string(text, "\"config\":{\"character\":");
    replay->tongue->characters(content, text);
    text_string(text, ",\"match\":");
    replay->tongue->match(content, text);
    text_string(text, ",\"scenario\":");
    replay->tongue->scenario(content, text);
    text_string(text, "},\"events\":[");
    assignment.name = table->code;
    goodbye.name = "match over";
    standard_write(&assignment, text);
    replay->speech = replay->tongue->begin(content, replay->speech_memory);
    match_begin(&replay->match, content, played->seed, &setup, replay->memory);
    for (uint32_t i = 0; i < played->actions_count && !text->truncated; i++)
        if (match_apply(&replay->match, played->actions[i]) == MASH_OK)
            put_action(replay, text);
    put(text, &goodbye);
    text_string(text, "]}\n");
}

/* "ANN_vs_BEN_CODE" and an ending; nothing in it that a file's name cannot have. */
static void write_name(const Table *table, const char *ending, MashText *text) {
    text_format(text, "%s_vs_%s_%s%s", table->chairs[0].name, table->chairs[1].name, table->code,
                ending);
    for (uint32_t i = 0; i < text->count; i++) {
        unsigned char c = (unsigned char)text->bytes[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '-' || c == '_' || (c == '.' && i > 0) || c >= 0x80;
        if (!plain)
            text->bytes[i] = '-';
    }
}

/* Hands a file over. It counts for the players' addresses like the journal, since it takes room on
 * a disk. */
static void keep(Table *table, const char *name, const char *bytes, uint32_t count) {
    const ServerSetup *setup = &table->server->setup;
    budget_write(table, count);
    setup->standard.replay(setup->owner, name, bytes, count);
}

/* Hands our own match file over, beside the standard's. */
static void keep_own_file(Table *table) {
    char name[160];
    MashText text = text_over(name, sizeof name);
    uint32_t count;
    char *file = records_match_file(table, &count);
    if (file == NULL)
        return;
    write_name(table, ".match.json", &text);
    keep(table, name, file, count);
    free(file);
}

void standard_server_write_replay(Table *table) {
    Server *server = table->server;
    const ServerSetup *setup = &server->setup;
    const MashContent *content = table->match.content;
    Replay replay = {.table = table, .tongue = standard_server_adapter(content->game)};
    char memory[160];
    MashText name = text_over(memory, sizeof memory), text;
    if (setup->standard.replay == NULL || replay.tongue == NULL)
        return;
    keep_own_file(table);
    size_t room = replay.tongue->room_bytes(content);
    size_t speech_bytes = (replay.tongue->speech_bytes(content) + 63) / 64 * 64;
    replay.memory = aligned_alloc(64, (match_bytes(content) + 63) / 64 * 64);
    replay.speech_memory = aligned_alloc(64, speech_bytes);
    write_name(table, "_replay.json", &name);
    if (replay.memory != NULL && replay.speech_memory != NULL &&
        scratch_take(&server->told, room) != NULL &&
        scratch_take(&server->told_state, room) != NULL &&
        server_write_text(server, &text, write_replay, &replay))
        keep(table, memory, text.bytes, text.count);
    free(replay.memory);
    free(replay.speech_memory);
}
