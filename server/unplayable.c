/* unplayable.c -- see records.h: archives a match that this program cannot recover, as it was.
 *
 * Its rules or its content have changed, or its beginning is lost. It is written to the archive as
 * a match file with the version it was played by, from the records alone and without the engine:
 * the program of that version can replay it, and this one reports the other version. Tokens are not
 * included. */
#include <stdlib.h>
#include <string.h>

#include "match/file.h"
#include "server/begun.h"
#include "server/internal.h"
#include "server/records.h"

/* The data that the file is written from. */
typedef struct Unplayable {
    Json json; /* the first record; no nodes: it cannot be read */
    const JournalRecords *records;
    Begun *begun;  /* the match it goes on from; NULL: none */
    uint32_t gone; /* a bit for each seat whose account was deleted */
} Unplayable;

/* The member of the first record with this key; JSON_NONE: there is none. */
static uint32_t member(const Unplayable *match, const char *key) {
    return match->json.nodes_count == 0 ? JSON_NONE : json_member(&match->json, 0, key);
}

/* Copies members of the first record unchanged. */
static void copy_members(const Unplayable *match, JsonWriter *writer) {
    static const char *const keys[] = {"game",    "version", "preset", "documents",
                                       "content", "options", "seed"};
    for (uint32_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        uint32_t node = member(match, keys[i]);
        if (node == JSON_NONE)
            continue;
        const JsonNode *value = &match->json.nodes[node];
        json_put_key(writer, keys[i]);
        json_put_raw(writer, match->json.bytes + value->start, value->end - value->start);
    }
}

/* What is known of a player; JSON_NONE: nothing. */
static uint32_t player_at(const Unplayable *match, uint32_t seat) {
    uint32_t list = member(match, "players");
    uint32_t player = list == JSON_NONE ? JSON_NONE : json_first(&match->json, list);
    for (uint32_t i = 0; i < seat && player != JSON_NONE; i++)
        player = match->json.nodes[player].next;
    return player;
}

/* The name or role of a player; "": it is not known. */
static void player_words(const Unplayable *match, uint32_t seat, const char *key, char *out,
                         uint32_t max) {
    MashText text = text_over(out, max);
    const Json *json = &match->json;
    uint32_t player = player_at(match, seat);
    if ((match->gone >> seat & 1) != 0 && key[0] == 'n')
        text_string(&text, STORE_ERASED_NAME);
    else if (player != JSON_NONE && json_member(json, player, key) != JSON_NONE)
        json_string(json, json_member(json, player, key), &text);
}

/* Notes whose names it has; those of accounts that are gone go. False: not now. */
static bool note_names(Server *server, uint64_t number, Unplayable *match) {
    uint64_t accounts[MASH_SEATS] = {0};
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        uint32_t player = player_at(match, seat);
        if (player != JSON_NONE)
            accounts[seat] = records_read_account(&match->json, player) |
                             records_read_named(&match->json, player);
    }
    return erased_note(server->store, number, accounts, &match->gone) == STORE_OK;
}

/* The players of both seats. */
static void put_players(const Unplayable *match, JsonWriter *writer) {
    json_put_key(writer, "players");
    json_open(writer, '[');
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        char name[STORE_NAME_BYTES];
        player_words(match, seat, "name", name, sizeof name);
        json_put_string(writer, name);
    }
    json_close(writer, ']');
}

/* One action as bytes; only the rules of that version know its notation. */
static void put_action(JsonWriter *writer, const uint8_t *bytes, uint32_t number) {
    char digits[2 * sizeof(MashAction) + 1];
    MashText text = text_over(digits, sizeof digits);
    MashAction action;
    memcpy(&action, bytes, sizeof action);
    for (uint32_t i = 0; i < sizeof action; i++)
        text_hex(&text, bytes[i], 2);
    json_open(writer, '{');
    json_put_pair_int(writer, "n", number);
    json_put_pair_int(writer, "seat", action.seat);
    json_put_pair(writer, "action", digits);
    json_close(writer, '}');
}

/* The fewest actions that an undo from record number `after` on leaves; all of them if there is
 * none. */
static uint32_t actions_kept(const JournalRecords *records, uint32_t after) {
    uint32_t kept = UINT32_MAX, left;
    for (uint32_t i = after; i < records->count; i++)
        if (records_undo(&records->list[i], &left) && left < kept)
            kept = left;
    return kept;
}

/* Writes every action that was not undone, if there is a writer; returns how many. */
static uint32_t each_action(const Unplayable *match, JsonWriter *writer) {
    const JournalRecords *records = match->records;
    uint32_t number = 0;
    while (match->begun != NULL && number < match->begun->count) {
        const void *action = &match->begun->actions[number++];
        if (writer != NULL)
            put_action(writer, action, number);
    }
    for (uint32_t i = 0; i < records->count; i++) {
        const StoreRecord *record = &records->list[i];
        const uint8_t *bytes = record->bytes;
        uint32_t count = records_actions(record), kept = actions_kept(records, i + 1), left;
        if (records_undo(record, &left) && left < number)
            number = left;
        for (uint32_t j = 0; j < count; j++, bytes += sizeof(MashAction))
            if (++number <= kept && writer != NULL)
                put_action(writer, bytes, number);
    }
    return number;
}

/* All actions that were not undone. */
static void put_actions(const Unplayable *match, JsonWriter *writer) {
    json_put_key(writer, "actions");
    json_open(writer, '[');
    each_action(match, writer);
    json_close(writer, ']');
}

/* Writes what is known of the match as a match file. */
static void write_file(void *what, MashText *text) {
    const Unplayable *match = what;
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    json_put_pair_int(&writer, "mashup-match", MATCH_FILE_VERSION);
    copy_members(match, &writer);
    put_players(match, &writer);
    put_actions(match, &writer);
    json_put_key(&writer, "result");
    json_put_null(&writer);
    json_close(&writer, '}');
    text_byte(text, '\n');
}

/* Copies a string, truncated to the size of the destination. */
static void take_words(char *to, uint32_t max, const char *from) {
    MashText text = text_over(to, max);
    text_string(&text, from);
}

/* The match as the index has it. */
static StoreEntry entry_of(const Unplayable *match, uint64_t number, const char *why) {
    const JournalRecords *records = match->records;
    StoreEntry entry;
    memset(&entry, 0, sizeof entry);
    entry.match = number;
    entry.started_ms = records->count > 0 ? records->list[0].time_ms : 0;
    entry.ended_ms = records->count > 0 ? records->list[records->count - 1].time_ms : 0;
    entry.winner = STORE_NOBODY;
    entry.players_count = MASH_SEATS;
    MashText game = text_over(entry.game, sizeof entry.game);
    uint32_t id = member(match, "game"), secret = member(match, "secret");
    if (id != JSON_NONE)
        json_string(&match->json, id, &game);
    else
        text_string(&game, "unknown");
    entry.is_private =
        secret == JSON_NONE || match->json.bytes[match->json.nodes[secret].start] != '0';
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        player_words(match, seat, "name", entry.players[seat].name, STORE_NAME_BYTES);
        player_words(match, seat, "role", entry.players[seat].role, STORE_ROLE_BYTES);
    }
    entry.actions = each_action(match, NULL);
    take_words(entry.reason, sizeof entry.reason, why);
    return entry;
}

bool unplayable_archive(Server *server, uint64_t number, const JournalRecords *records,
                        const char *why) {
    MashProblem list[1];
    MashProblems problems = {.list = list, .max = 1};
    Unplayable match = {.records = records};
    for (uint32_t i = 0; i < records->count; i++) {
        const StoreRecord *record = &records->list[i];
        if ((record->kind == RECORD_BEGIN || record->kind == RECORD_OPEN) &&
            !json_read(&match.json, "journal", record->bytes, record->count, server->nodes,
                       MESSAGE_NODES_MAX, &problems))
            match.json.nodes_count = 0;
    }
    MashText file;
    uint64_t ticket;
    if (match.json.nodes_count > 0 && !begun_of_record(&match.json, (MashSeed){{0}}, &match.begun))
        return false; /* without memory for it: not now */
    if (match.json.nodes_count > 0 && !note_names(server, number, &match)) {
        free(match.begun);
        return false;
    }
    StoreEntry entry = entry_of(&match, number, why);
    bool archived =
        server_write_text(server, &file, write_file, &match) &&
        store_finish(server->store, &entry, file.bytes, file.count, &ticket) == STORE_OK;
    free(match.begun);
    if (archived)
        server_poll_store(server);
    return archived;
}
