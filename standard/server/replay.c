/* replay.c -- see internal.h: a finished match as the replay file that other programs of the
 * standard write: who played, the configurations, and everything sent to a spectator, as bare
 * events. The match is replayed for it, so nothing need be kept while it runs. */
#include <stdlib.h>
#include <string.h>

#include "server/records.h"
#include "standard/server/internal.h"

/* A match that is being replayed. */
typedef struct StandardReplay {
    Table *table;
    const StandardServerAdapter *adapter;
    StandardEncoder *encoder;
    void *encoder_memory;
    StandardServer *own; /* with room for events and a state */
    MashText *text;
} StandardReplay;

/* Appends a message to the list of the replay, which is never empty. */
static void put(MashText *text, const StandardMessage *message) {
    if (text->bytes[text->count - 1] == '}')
        text_byte(text, ',');
    standard_write(message, text);
}

/* The events of an action, and the state after it. */
static void put_action(void *owner, const Match *match) {
    const StandardReplay *replay = owner;
    MashText *text = replay->text;
    const MashContent *content = match->content;
    if (match->actions_count == 0 || text->truncated)
        return;
    StandardEvents events = replay->adapter->encode_events(
        replay->encoder, match->previous, match->state, &match->events, replay->own->events.bytes);
    bool begins = replay->adapter->is_drafting(content, match->previous, MASH_SEAT_NONE) &&
                  !replay->adapter->is_drafting(content, match->state, MASH_SEAT_NONE);
    StandardStructure structure;
    StandardMessage state;
    if (begins &&
        standard_server_fill_structure(replay->table, MASH_SEAT_NONE, match->state, &structure))
        put(text, &structure.message);
    for (uint32_t i = 0; i < events.count; i++)
        put(text, &events.list[i]);
    if (events.count > 0 && replay->adapter->encode_state(replay->encoder, match->state,
                                                          replay->own->state.bytes, &state))
        put(text, &state);
}

/* Appends a key and a player's name. */
static void put_name(MashText *text, const char *key, const char *name) {
    JsonWriter writer = json_writer(text, 0);
    text_format(text, "\"%s\":", key);
    json_put_string(&writer, name);
    text_byte(text, ',');
}

/* Writes the match as a replay of the standard, by replaying its actions. */
static void write_replay(void *what, MashText *text) {
    StandardReplay *replay = what;
    const Table *table = replay->table;
    const MashContent *content = table->match.content;
    StandardMessage assignment = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GENERAL_ASSIGNMENT);
    StandardMessage goodbye = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GOODBYE_CLIENT);
    text_byte(text, '{');
    put_name(text, "nameP1", table->chairs[0].name);
    put_name(text, "nameP2", table->chairs[1].name);
    text_string(text, "\"config\":{\"character\":");
    replay->adapter->characters(content, text);
    text_string(text, ",\"match\":");
    replay->adapter->match(content, text);
    text_string(text, ",\"scenario\":");
    replay->adapter->scenario(content, text);
    text_string(text, "},\"events\":[");
    assignment.name = table->code;
    goodbye.name = "match over";
    standard_write(&assignment, text);
    replay->encoder = replay->adapter->begin(content, replay->encoder_memory);
    replay->text = text;
    standard_server_play_again(table, put_action, replay);
    put(text, &goodbye);
    text_string(text, "]}\n");
}

/* "ANN_vs_BEN_CODE" and an ending; without characters that are invalid in a file name. */
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

/* Passes a file on. It counts against the quota of the players' addresses like the journal, since
 * it takes disk space. */
static void keep(Table *table, const char *name, const char *bytes, uint32_t count) {
    const StandardConfig *config = protocol_config(table->server, &standard_protocol);
    budget_write(table, count);
    config->replay(config->owner, name, bytes, count);
}

/* Passes our own match file on, in addition to the standard's. */
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
    const StandardConfig *config = protocol_config(server, &standard_protocol);
    const MashContent *content = table->match.content;
    StandardReplay replay = {.table = table,
                             .adapter = standard_server_adapter(content->game),
                             .own = standard_server(server)};
    char memory[160];
    MashText name = text_over(memory, sizeof memory), text;
    if (config->replay == NULL || replay.adapter == NULL)
        return;
    keep_own_file(table);
    size_t bytes = replay.adapter->memory_bytes(content);
    replay.encoder_memory =
        aligned_alloc(64, (replay.adapter->encoder_bytes(content) + 63) / 64 * 64);
    write_name(table, "_replay.json", &name);
    if (replay.encoder_memory != NULL && scratch_take(&replay.own->events, bytes) != NULL &&
        scratch_take(&replay.own->state, bytes) != NULL &&
        server_write_text(server, &text, write_replay, &replay))
        keep(table, memory, text.bytes, text.count);
    free(replay.encoder_memory);
}
