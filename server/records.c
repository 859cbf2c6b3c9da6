/* records.c -- see records.h: the records of a match in the store, and recovering a match from
 * them.
 *
 * A waiting table has one record, its configuration as JSON: game, content, options, clocks, and
 * the player with the token. When the match begins, the same is written with the seed and both
 * players. Each further record is a step, one action or several, or an undo, and how long the match
 * has been played: a step is recovered whole or not at all. Between them are lines of chat, as they
 * were sent, and AI players that take the seat of somebody who is gone. Seed, content, options and
 * actions determine the match, so the state is not recorded.
 */
#include <stdlib.h>
#include <string.h>

#include "match/file.h"
#include "server/actions.h"
#include "server/begun.h"
#include "server/contest.h"
#include "server/days.h"
#include "server/history.h"
#include "server/internal.h"
#include "server/loaded_content.h"
#include "server/lobby.h"
#include "server/prepared.h"
#include "server/rated.h"
#include "server/records.h"

/* A number, such as how long the match has been played, which most records end with. */
enum { NUMBER_BYTES = 4 };

/* The approximate overhead of a record. */
enum { RECORD_HEAD_BYTES = 40 };

/* The most lines of chat that are recorded for a match: hours of chat must not fill the disk. */
enum { CHAT_RECORDED_MAX = 1000 };

enum { FILE_BYTES_LEAST = 64 << 10, FILE_BYTES_OF_ACTION = 256 };

/* --- Writing ---------------------------------------------------------------------------------- */

/* The configuration of the match. */
static void put_documents(JsonWriter *writer, const LoadedContent *loaded) {
    if (loaded->preset != NULL) {
        json_put_pair(writer, "preset", loaded->preset->id);
        return;
    }
    json_put_key(writer, "documents");
    message_put_documents(writer, loaded->documents, loaded->documents_count);
}

void records_put_bank(JsonWriter *writer, const ClockLimits *clocks) {
    if (clocks->bank_ms == 0)
        return;
    json_put_pair_int(writer, "bank_ms", clocks->bank_ms);
    json_put_pair_int(writer, "increment_ms", clocks->increment_ms);
}

/* Its times. */
static void put_clocks(JsonWriter *writer, const ClockLimits *clocks) {
    json_put_pair_int(writer, "turn_ms", clocks->turn_ms);
    json_put_pair_int(writer, "match_ms", clocks->match_ms);
    json_put_pair_int(writer, "pause_ms", clocks->pause_ms);
    json_put_pair_int(writer, "silence_ms", clocks->silence_ms);
    json_put_pair_int(writer, "grace_ms", clocks->grace_ms);
    records_put_bank(writer, clocks);
    if (clocks->days > 0)
        json_put_pair_int(writer, "days", clocks->days);
}

void records_put_config(JsonWriter *writer, const TableConfig *config) {
    const MashContent *content = config->content->content;
    char digits[PROTO_TOKEN_DIGITS + 1];
    MashText text = text_over(digits, sizeof digits);
    json_put_pair(writer, "game", content->game->id);
    json_put_pair_int(writer, "version", content->game->version);
    put_documents(writer, config->content);
    json_put_key(writer, "options");
    json_open(writer, '[');
    for (uint32_t i = 0; i < content->game->options_count; i++)
        json_put_int(writer, config->options[i]);
    json_close(writer, ']');
    text_hex(&text, content->hash, 16);
    json_put_pair(writer, "content", digits);
    put_clocks(writer, &config->clocks);
    json_put_pair_int(writer, "secret", config->unlisted);
    json_put_pair_int(writer, "glass", config->open_to_spectators);
    if (config->no_tips)
        json_put_pair_int(writer, "tips", 0);
    if (config->rated)
        json_put_pair_int(writer, "rated", config->near ? 2 : 1);
    if (config->phrases)
        json_put_pair_int(writer, "phrases", 1);
    if (config->invited != 0) {
        text_clear(&text);
        text_hex(&text, config->invited, 16);
        json_put_pair(writer, "invited", digits);
    }
    json_put_pair_int(writer, "quick", config->quick);
    json_put_pair_int(writer, "leg", config->leg);
    json_put_pair_int(writer, "first", config->first_winner);
    if (config->tournament == 0)
        return;
    table_code_encode(config->tournament, digits);
    json_put_pair(writer, "tournament", digits);
}

/* Everything that a match begins with. */
static void write_beginning(void *what, MashText *text) {
    const Table *table = what;
    char digits[PROTO_TOKEN_DIGITS + 1];
    MashText seed = text_over(digits, sizeof digits);
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    records_put_config(&writer, &table->config);
    match_seed_write(table->begun == NULL ? table->match.seed : table->begun->seed, &seed);
    json_put_pair(&writer, "seed", digits);
    if (table->begun != NULL)
        begun_put(&writer, table->begun);
    records_put_chairs(&writer, table);
    json_close(&writer, '}');
}

bool records_append(Server *server, StoreRecord *record, const char *of, const char *code,
                    uint64_t *ticket) {
    uint64_t given;
    record->time_ms = net_wall_clock_ms(server->loop);
    StoreStatus status = store_append(server->store, record, &given);
    if (status != STORE_OK) {
        server_log(server, LOG_WARNING, "cannot write to the journal for %s %s: %s", of, code,
                   store_status_text(status));
        return false;
    }
    *ticket = given;
    return true;
}

/* Writes a record of the table's match. False: the store cannot. */
static bool append(Table *table, uint16_t kind, const void *bytes, uint32_t count) {
    Server *server = table->server;
    StoreRecord record = {.match = table->journal, .kind = kind, .bytes = bytes, .count = count};
    if (!records_append(server, &record, "match", table->code, &table->ticket))
        return false;
    table->days.record_ms = record.time_ms;
    if (days_is(table) && kind != RECORD_OPEN)
        table->days.ended |= !days_log_put(&table->days, &record);
    budget_write(table, count + RECORD_HEAD_BYTES);
    server_poll_store(server);
    return true;
}

void records_write_waiting(Table *table) {
    MashText text;
    table->journalled = server_write_text(table->server, &text, write_beginning, table) &&
                        append(table, RECORD_OPEN, text.bytes, text.count);
}

void records_forget(Table *table) {
    Server *server = table->server;
    if (table->journalled && table->state == PROTO_STATE_WAITING)
        store_forget(server->store, table->number, net_wall_clock_ms(server->loop));
    table->journalled = false;
}

bool records_write_begin(Table *table) {
    MashText text;
    return server_write_text(table->server, &text, write_beginning, table) &&
           append(table, RECORD_BEGIN, text.bytes, text.count);
}

/* A number of four bytes, the lowest first. */
static void put_number(uint8_t *bytes, uint64_t number) {
    uint32_t value = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
    for (uint32_t i = 0; i < NUMBER_BYTES; i++)
        bytes[i] = (uint8_t)(value >> (8 * i));
}

static uint32_t get_number(const uint8_t *bytes) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < NUMBER_BYTES; i++)
        value |= (uint32_t)bytes[i] << (8 * i);
    return value;
}

bool records_write_step(Table *table) {
    uint8_t bytes[MATCH_STEP_MAX * sizeof(MashAction) + NUMBER_BYTES];
    const Match *match = &table->match;
    uint32_t count = match->step_count, end = count * (uint32_t)sizeof(MashAction);
    memcpy(bytes, &match->actions[match->actions_count - count], end);
    put_number(bytes + end, table->clock.match_ms);
    return append(table, count == 1 ? RECORD_ACTION : RECORD_STEP, bytes, end + NUMBER_BYTES);
}

bool records_write_undo(Table *table, uint32_t count) {
    uint8_t bytes[2 * NUMBER_BYTES];
    put_number(bytes, count);
    put_number(bytes + NUMBER_BYTES, table->clock.match_ms);
    return append(table, RECORD_UNDO, bytes, sizeof bytes);
}

bool records_write_robot(Table *table, uint8_t seat, uint32_t level) {
    uint8_t bytes[] = {seat, (uint8_t)level};
    return append(table, RECORD_ROBOT, bytes, sizeof bytes);
}

bool records_write(Table *table, uint16_t kind, const void *bytes, uint32_t count) {
    return append(table, kind, bytes, count);
}

/* A message of the server as it is sent. */
static void write_message(void *what, MashText *text) { message_write(what, text); }

void records_write_chat(Table *table, const Message *line) {
    Message copy = *line;
    MashText text;
    if (table_is_running(table) && line->chat_line.seat < MASH_SEATS &&
        history_chat_count(table) < CHAT_RECORDED_MAX &&
        server_write_text(table->server, &text, write_message, &copy))
        append(table, RECORD_CHAT, text.bytes, text.count);
}

uint32_t records_actions(const StoreRecord *record) {
    uint32_t count = record->count / (uint32_t)sizeof(MashAction);
    bool whole = record->count == count * sizeof(MashAction) + NUMBER_BYTES;
    if (record->kind == RECORD_ACTION)
        return whole && count == 1;
    return record->kind == RECORD_STEP && whole && count <= MATCH_STEP_MAX ? count : 0;
}

bool records_undo(const StoreRecord *record, uint32_t *count) {
    if (record->kind != RECORD_UNDO || record->count != 2 * NUMBER_BYTES)
        return false;
    *count = get_number(record->bytes);
    return true;
}

/* --- The archive ------------------------------------------------------------------------------ */

/* How the player of a chair was rated before the match; 0: no account. */
static int32_t rating_before(const Table *table, uint8_t seat) {
    int32_t change = table->changes == NULL ? 0 : table->changes->changes[seat];
    return table->chairs[seat].rating - change;
}

char *records_match_file(Table *table, uint32_t *count) {
    const LoadedContent *loaded = table->config.content;
    MatchHeader about = {.documents = loaded->documents,
                         .documents_count = loaded->documents_count,
                         .players = {table->chairs[0].name, table->chairs[1].name},
                         .ratings = {rating_before(table, 0), rating_before(table, 1)}};
    uint32_t bytes = FILE_BYTES_LEAST + table->match.actions_count * FILE_BYTES_OF_ACTION;
    for (; bytes <= SERVER_TEXT_BYTES_MAX; bytes *= 2) {
        char *memory = malloc(bytes);
        if (memory == NULL)
            return NULL;
        MashText text = text_over(memory, bytes);
        match_file_write(&table->match, &about, &text);
        if (!text.truncated) {
            *count = text.count;
            return memory;
        }
        free(memory);
    }
    return NULL;
}

/* Copies a string, truncated to the size of the destination. */
static void take_words(char *to, uint32_t max, const char *from) {
    MashText text = text_over(to, max);
    text_string(&text, from);
}

/* The match as the archive's index has it. */
static StoreEntry entry_of(const Table *table, const char *reason) {
    MashResult result = match_result(&table->match);
    bool won = result.over && result.winner < MASH_SEATS;
    StoreEntry entry = {.match = table->number,
                        .started_ms = table->started_ms,
                        .ended_ms = net_wall_clock_ms(table->server->loop),
                        .players_count = MASH_SEATS,
                        .winner = won ? result.winner : STORE_NOBODY,
                        .actions = table->match.actions_count,
                        .is_private = table->config.unlisted};
    take_words(entry.game, sizeof entry.game, table->match.content->game->id);
    take_words(entry.reason, sizeof entry.reason, reason);
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        take_words(entry.players[seat].name, STORE_NAME_BYTES, table->chairs[seat].name);
        take_words(entry.players[seat].role, STORE_ROLE_BYTES,
                   choice_id(PROTO_ROLES_LIST, table->chairs[seat].role));
    }
    return entry;
}

/* Archives the match with its file; retried later if the store cannot do it now. */
static void finish(Table *table, const char *reason) {
    Server *server = table->server;
    uint32_t count;
    uint64_t ticket;
    StoreEntry entry = entry_of(table, reason);
    char *file = records_match_file(table, &count);
    StoreStatus status = STORE_TOO_LONG;
    if (file != NULL)
        status = store_finish(server->store, &entry, file, count, &ticket);
    free(file);
    if (status != STORE_OK) {
        server_log(server, LOG_WARNING, "cannot archive match %s: %s", table->code,
                   store_status_text(status));
        return;
    }
    table->archived = true;
    if (days_is(table))
        days_finished(table, ticket);
    budget_write(table, count);
    server_poll_store(server);
}

uint32_t records_player_actions(const Table *table) {
    uint32_t count = 0;
    for (uint32_t i = begun_count(table); i < table->match.actions_count; i++) {
        MashAction action = table->match.actions[i];
        count += action.verb < MASH_VERB_RESIGN && action.seat < MASH_SEATS &&
                 table->chairs[action.seat].robot == 0;
    }
    return count;
}

/* A match in which no player has acted is not archived. */
static void forget(Table *table) {
    Server *server = table->server;
    store_forget(server->store, table->journal, net_wall_clock_ms(server->loop));
    table->archived = true;
    server->stats.forgotten++;
    if (days_is(table))
        days_finished(table, 0);
}

void records_finish(Table *table) {
    if (records_player_actions(table) == 0 && table->config.tournament == 0) {
        forget(table);
        return;
    }
    char memory[STORE_REASON_BYTES];
    MashText why = text_over(memory, sizeof memory);
    MashResult result = match_result(&table->match);
    table->match.content->game->name(table->match.content, NULL, MASH_NAME_REASON, result.reason,
                                     &why);
    finish(table, memory);
}

/* --- Recovery --------------------------------------------------------------------------------- */

/* The first record of a match as it was read. */
typedef struct BeginRecord {
    Json json;
    MashProblems problems;
    MashProblem list[SERVER_PROBLEMS_MAX];
    const MashGame *game;
    TableConfig config;
    MashSeed seed;
    bool other_rules; /* than this program has */
} BeginRecord;

/* A whole number of an object. */
static uint32_t read_int(BeginRecord *beginning, uint32_t object, const char *key) {
    int32_t number;
    json_int_at(&beginning->json, object, key, 0, INT32_MAX, &number, &beginning->problems);
    return (uint32_t)number;
}

/* The times of a match. */
static void read_clocks(BeginRecord *beginning) {
    ClockLimits *clocks = &beginning->config.clocks;
    clocks->turn_ms = read_int(beginning, 0, "turn_ms");
    clocks->match_ms = read_int(beginning, 0, "match_ms");
    clocks->pause_ms = read_int(beginning, 0, "pause_ms");
    clocks->silence_ms = read_int(beginning, 0, "silence_ms");
    clocks->grace_ms = read_int(beginning, 0, "grace_ms");
    if (json_member(&beginning->json, 0, "bank_ms") != JSON_NONE) {
        clocks->bank_ms = read_int(beginning, 0, "bank_ms");
        clocks->increment_ms = read_int(beginning, 0, "increment_ms");
    }
    if (json_member(&beginning->json, 0, "days") != JSON_NONE)
        clocks->days = read_int(beginning, 0, "days");
}

/* Its options. */
static void read_options(BeginRecord *beginning) {
    const Json *json = &beginning->json;
    uint32_t i = 0, list = json_member(json, 0, "options");
    for (uint32_t node = json_first(json, list); node != JSON_NONE; node = json->nodes[node].next)
        if (i < MASH_OPTIONS_MAX)
            json_int(json, node, INT32_MIN, INT32_MAX, &beginning->config.options[i++],
                     &beginning->problems);
}

/* Appends a decoded string to the pool, a NUL behind it. */
static const char *keep(const Json *json, uint32_t node, MashText *pool, uint32_t *count) {
    uint32_t start = pool->count;
    json_string(json, node, pool);
    *count = pool->count - start;
    text_byte(pool, '\0');
    return pool->bytes + start;
}

/* The content by its preset or by its documents; NULL: it does not exist any more. */
static LoadedContent *read_content(Server *server, BeginRecord *beginning, MashText *problem) {
    const Json *json = &beginning->json;
    char preset[PROTO_ID_MAX + 1];
    if (json_member(json, 0, "preset") != JSON_NONE) {
        json_line_at(json, 0, "preset", preset, sizeof preset, &beginning->problems);
        return content_of_preset(server, beginning->game, preset);
    }
    MessageDocuments documents = {.count = 0};
    MashText pool = text_over(server->pool, MESSAGE_POOL_BYTES);
    uint32_t list = json_member(json, 0, "documents"), ignored;
    for (uint32_t node = json_first(json, list); node != JSON_NONE && list != JSON_NONE;
         node = json->nodes[node].next) {
        MashDocument *document = &documents.list[documents.count];
        if (documents.count++ == MASH_DOCUMENTS_MAX)
            return NULL;
        document->name = keep(json, json_member(json, node, "name"), &pool, &ignored);
        document->bytes = keep(json, json_member(json, node, "text"), &pool, &document->count);
    }
    if (pool.truncated)
        return NULL;
    return content_of_documents(server, beginning->game, "", &documents, problem);
}

/* Is the content still the one the match began with? */
static bool same_content(BeginRecord *beginning, const LoadedContent *loaded) {
    char said[17 + 1], hash[16 + 1];
    MashText text = text_over(hash, sizeof hash);
    text_hex(&text, loaded->content->hash, 16);
    return json_line_at(&beginning->json, 0, "content", said, sizeof said, &beginning->problems) &&
           strcmp(said, hash) == 0;
}

/* The tournament of the match, if it has one. */
static void read_tournament(BeginRecord *beginning) {
    char code[PROTO_CODE_MAX + 1];
    if (json_member(&beginning->json, 0, "tournament") != JSON_NONE &&
        json_line_at(&beginning->json, 0, "tournament", code, sizeof code, &beginning->problems))
        table_code_decode(code, &beginning->config.tournament);
}

/* Everything but the content. False: problems say why. */
static bool read_beginning(Server *server, BeginRecord *beginning, const StoreRecord *record) {
    char id[PROTO_ID_MAX + 1], digits[PROTO_TOKEN_DIGITS + 1];
    MashProblems *problems = &beginning->problems;
    *problems = (MashProblems){.list = beginning->list, .max = SERVER_PROBLEMS_MAX};
    if (!json_read(&beginning->json, "journal", record->bytes, record->count, server->nodes,
                   MESSAGE_NODES_MAX, problems) ||
        !json_line_at(&beginning->json, 0, "game", id, sizeof id, problems))
        return false;
    beginning->game = mash_game_find(id);
    if (beginning->game == NULL || read_int(beginning, 0, "version") != beginning->game->version) {
        json_problem(&beginning->json, 0, problems, "this server has a different version of %s",
                     id);
        beginning->other_rules = true;
        return false;
    }
    read_clocks(beginning);
    read_options(beginning);
    beginning->config.unlisted = read_int(beginning, 0, "secret") != 0;
    beginning->config.open_to_spectators = read_int(beginning, 0, "glass") != 0;
    beginning->config.no_tips = json_member(&beginning->json, 0, "tips") != JSON_NONE;
    beginning->config.quick = read_int(beginning, 0, "quick") != 0;
    if (json_member(&beginning->json, 0, "rated") != JSON_NONE) {
        beginning->config.rated = true;
        beginning->config.near = read_int(beginning, 0, "rated") == 2;
    }
    if (json_member(&beginning->json, 0, "leg") != JSON_NONE) { /* older records have none */
        beginning->config.leg = (uint8_t)read_int(beginning, 0, "leg");
        beginning->config.first_winner = (uint8_t)read_int(beginning, 0, "first");
    }
    beginning->config.phrases = json_member(&beginning->json, 0, "phrases") != JSON_NONE;
    if (json_member(&beginning->json, 0, "invited") != JSON_NONE &&
        json_line_at(&beginning->json, 0, "invited", digits, sizeof digits, problems))
        beginning->config.invited = strtoull(digits, NULL, 16);
    read_tournament(beginning);
    if ((record->kind == RECORD_BEGIN || json_member(&beginning->json, 0, "seed") != JSON_NONE) &&
        (!json_line_at(&beginning->json, 0, "seed", digits, sizeof digits, problems) ||
         !match_seed_read(digits, &beginning->seed)))
        return false;
    return problems->count == 0;
}

bool records_read_config(Server *server, const StoreRecord *record, TableConfig *config,
                         MashText *problem) {
    BeginRecord beginning;
    memset(&beginning, 0, sizeof beginning);
    if (!read_beginning(server, &beginning, record)) {
        text_string(problem, beginning.problems.count > 0 ? beginning.list[0].reason
                                                          : "its first record is unreadable");
        return false;
    }
    LoadedContent *loaded = read_content(server, &beginning, problem);
    *config = beginning.config;
    config->content = loaded;
    if (loaded != NULL && same_content(&beginning, loaded))
        return true;
    text_string(problem, "its files have changed since it was created");
    return false;
}

/* Why a match cannot be recovered. */
typedef struct Trouble {
    bool passes;                        /* it may be possible later */
    const char *reason;                 /* the reason in the archive; static */
    char words[PROTO_SENTENCE_MAX + 1]; /* for the log */
} Trouble;

/* Logs why a match cannot continue. It is archived as it was, unless the problem is temporary or
 * the match has no code by which it could be found: then it stays in the journal. */
static void abandon_match(Server *server, uint64_t number, const JournalRecords *records,
                          const Trouble *trouble) {
    char code[PROTO_CODE_MAX + 1];
    MashText text = text_over(code, sizeof code);
    bool has_code = number >> 5 * PROTO_CODE_DIGITS == 0;
    if (has_code)
        table_code_encode(number, code);
    else /* not a valid code: such a record was not written by this server */
        text_format(&text, "(no code)");
    bool archived = has_code && !trouble->passes &&
                    unplayable_archive(server, number, records, trouble->reason);
    server_log(server, LOG_ERROR, "cannot restore match %s; it %s: %s", code,
               archived ? "is archived as it stood" : "stays in the journal", trouble->words);
}

/* Starts the match of a table. False: it cannot be started. */
static bool set_up_again(Table *table, const BeginRecord *beginning, uint64_t started_ms) {
    const MashContent *content = table->config.content->content;
    MashSetup setup = {beginning->config.options, beginning->game->options_count};
    table->memory = aligned_alloc(64, (match_bytes(content) + 63) / 64 * 64);
    table->started_ms = started_ms;
    return table->chairs[0].taken && table->chairs[1].taken && table->memory != NULL &&
           match_begin(&table->match, content, beginning->seed, &setup, table->memory) == MASH_OK &&
           (table->begun == NULL || begun_apply(table->begun, &table->match));
}

/* Clamps the times to what this server allows now. Times set by a protocol were not chosen by a
 * player, and stay. */
static void bound_clocks(Table *table) {
    static const ClockBounds day = {.most = {.pause_ms = CLOCK_DAY_MS, .grace_ms = CLOCK_DAY_MS}};
    ClockLimits *clocks = &table->config.clocks;
    *clocks = table_has_identity(table) ? clock_bounded(&day, *clocks)
                                        : lobby_bounded(table->server, *clocks);
    table->clock.limits = *clocks;
}

/* Names of accounts that are gone go. */
static void erase_gone(Table *table) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (erased_is_gone(table->server, table->chairs[seat].player) ||
            erased_is_gone(table->server, table->chairs[seat].named))
            erased_seat(table, seat);
}

/* Fills the table from the first record. False: it cannot be recovered. */
static bool fill_again(Table *table, BeginRecord *beginning, const StoreRecord *record) {
    const Json *json = &beginning->json;
    uint32_t seat = 0, players = json_member(json, 0, "players");
    if (players == JSON_NONE || json->nodes[players].count != MASH_SEATS)
        return false;
    for (uint32_t i = json_first(json, players); i != JSON_NONE; i = json->nodes[i].next)
        records_read_chair(json, i, &table->chairs[seat++], &beginning->problems);
    erase_gone(table);
    bound_clocks(table);
    return beginning->problems.count == 0 &&
           begun_of_record(json, beginning->seed, &table->begun) &&
           (record->kind == RECORD_OPEN || set_up_again(table, beginning, record->time_ms));
}

/* The table of a first record: its match before the first action, or a waiting table. NULL: see the
 * trouble. */
static Table *replay_begin(Server *server, const StoreRecord *record, Trouble *trouble) {
    BeginRecord beginning;
    memset(&beginning, 0, sizeof beginning);
    MashText words = text_over(trouble->words, sizeof trouble->words);
    trouble->reason = "its first record is unreadable";
    text_string(&words, trouble->reason);
    if ((record->kind != RECORD_BEGIN && record->kind != RECORD_OPEN) ||
        record->match >> 5 * PROTO_CODE_DIGITS != 0 ||
        !read_beginning(server, &beginning, record)) {
        if (beginning.problems.count > 0)
            text_format(&words, ": %s", beginning.list[0].reason);
        if (beginning.other_rules)
            trouble->reason = "played with a different version of the rules";
        return NULL;
    }
    char ignored[PROTO_SENTENCE_MAX + 1];
    MashText problem = text_over(ignored, sizeof ignored);
    LoadedContent *loaded = beginning.config.content = read_content(server, &beginning, &problem);
    if (loaded == NULL || !same_content(&beginning, loaded)) {
        text_clear(&words);
        text_string(&words, "its files have changed since it started");
        trouble->reason = "played with content that has changed since";
        if (loaded != NULL)
            content_release(server, loaded);
        return NULL;
    }
    Table *table = table_open_as(server, &beginning.config, record->match);
    if (table != NULL && fill_again(table, &beginning, record))
        return table;
    trouble->passes = table == NULL;
    if (table == NULL) {
        text_clear(&words);
        text_string(&words, "there is no room for its table");
    } else {
        table_close(table, "This match could not be restored.");
    }
    return NULL;
}

/* Applies the actions of a record. False: one is not legal, and nothing was done. */
static bool replay_actions(Match *match, const StoreRecord *record, uint32_t count) {
    const uint8_t *bytes = record->bytes;
    MashAction action;
    memcpy(&action, bytes, sizeof action);
    if (record->kind == RECORD_ACTION)
        return match_apply(match, action) == MASH_OK;
    match_step_begin(match);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(&action, bytes + i * sizeof action, sizeof action);
        if (match_step_add(match, action) != MASH_OK) {
            match_step_cancel(match);
            return false;
        }
    }
    return true;
}

/* Keeps a recorded line of chat. One that cannot be read is skipped: the match is worth more. */
static void replay_chat(Table *table, const StoreRecord *record) {
    Server *server = table->server;
    Message message;
    MashProblem list[1];
    MashProblems problems = {.list = list, .max = 1};
    MessageMemory memory = {server->nodes, MESSAGE_NODES_MAX, server->pool, MESSAGE_POOL_BYTES};
    if (message_read(&message, record->bytes, record->count, true, &memory, &problems) ==
            MESSAGE_VALID &&
        message.kind == MESSAGE_SERVER_CHAT)
        history_keep_chat(table, &message.chat_line, 0);
}

/* An AI player has taken a seat. False: the record is not valid. */
static bool replay_robot(Table *table, const StoreRecord *record) {
    const uint8_t *bytes = record->bytes;
    if (record->count != 2 || bytes[0] >= MASH_SEATS || bytes[1] == 0 || bytes[1] > PROTO_LEVEL_MAX)
        return false;
    table_replace_again(table, bytes[0], bytes[1]);
    return true;
}

/* Replays a recorded step or undo. False: it is not legal. */
static bool replay_step(Table *table, const StoreRecord *record, uint64_t *played_ms) {
    const MashContent *content = table->match.content;
    uint32_t left = UINT32_MAX, count = records_actions(record);
    uint32_t before = content->game->awaited(content, table->match.state);
    uint32_t turns[MASH_SEATS] = {0};
    uint64_t began_ms = *played_ms;
    bool undo = records_undo(record, &left) && left < table->match.actions_count;
    prepared_replay_step(table, record);
    if (undo) {
        actions_count_turns(&table->match, left, turns);
        match_undo(&table->match, left);
    } else if (count == 0 || !replay_actions(&table->match, record, count)) {
        return false;
    }
    *played_ms = get_number((const uint8_t *)record->bytes + record->count - NUMBER_BYTES);
    uint32_t after = content->game->awaited(content, table->match.state);
    uint32_t ended = actions_new_turn(&table->match.events) ? before : before & ~after;
    ended = undo ? 0 : ended;
    if (!undo)
        days_note_turns(table, before, after, actions_new_turn(&table->match.events),
                        record->time_ms);
    clock_return_increments(&table->clock, turns);
    clock_replay(&table->clock, *played_ms - began_ms, before, ended);
    positions_count_changes(table);
    return true;
}

/* A waiting table. */
static void replay_waiting(Server *server, const StoreRecord *record) {
    Trouble trouble = {0};
    Table *table = replay_begin(server, record, &trouble);
    if (table != NULL) {
        table->journalled = true;
        table_wait(table);
        if (table->chairs[0].erased || table->chairs[1].erased ||
            erased_is_gone(server, table->config.invited))
            table_close(table, "The player who was to play here has deleted the account.");
        return;
    }
    server_log(server, LOG_WARNING, "a waiting table is closed: %s", trouble.words);
    store_forget(server->store, record->match, net_wall_clock_ms(server->loop));
}

/* Replays the recorded actions up to the first record that is lost or not legal, and how long the
 * match was played. True: all were replayed. */
static bool replay(Table *table, const StoreRecord *list, uint32_t count, uint64_t *played_ms) {
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].sequence != list[0].sequence + i)
            return false;
        if (list[i].kind == RECORD_CHAT)
            replay_chat(table, &list[i]);
        else if (list[i].kind == RECORD_ROBOT && !replay_robot(table, &list[i]))
            return false;
        else if (list[i].kind == RECORD_PREPARED && !prepared_replay(table, &list[i]))
            return false;
        else if (list[i].kind == RECORD_TOKEN && !table_replay_token(table, &list[i]))
            return false;
        else if (list[i].kind != RECORD_ROBOT && list[i].kind != RECORD_PREPARED &&
                 list[i].kind != RECORD_TOKEN && i > 0 && !replay_step(table, &list[i], played_ms))
            return false;
    }
    return true;
}

/* A match over days has the records of the journal as its log, and this session. */
static void resume_days(Table *table, const JournalRecords *records, uint32_t first,
                        const StoreDays *session) {
    if (!days_is(table))
        return;
    const MashContent *content = table->match.content;
    uint32_t awaited = content->game->awaited(content, table->match.state);
    table->days.unchecked = session->match == 0; /* it comes from the journal, not from its row */
    table->days.generation = session->generation;
    table->journal = session->session;
    for (uint32_t i = first; i < records->count; i++)
        table->days.ended |= !days_log_put(&table->days, &records->list[i]);
    days_note_turns(table, 0, awaited, true, records->list[first].time_ms);
}

/* Whose names a match has that is archived without being counted. */
static void note_names(Table *table) {
    uint64_t accounts[MASH_SEATS];
    uint32_t gone = 0;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        const Chair *chair = &table->chairs[seat];
        accounts[seat] = chair->erased ? 0 : chair->player | chair->named;
    }
    erased_note(table->server->store, table->number, accounts, &gone);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if ((gone >> seat & 1) != 0)
            erased_seat(table, seat);
}

/* A match that has begun, from its first record on. Its session: of a match over days. NULL: it
 * does not go on. */
static Table *resume(Server *server, const StoreMatch *match, const JournalRecords *records,
                     uint32_t first, const StoreDays *session) {
    uint64_t played_ms = 0;
    Trouble trouble = {0};
    bool broken = match->health == STORE_BROKEN;
    Table *table = replay_begin(server, &records->list[first], &trouble);
    if (table == NULL) {
        abandon_match(server, match->match, records, &trouble);
        return NULL;
    }
    resume_days(table, records, first, session);
    table->chairs[0].number = table->chairs[1].number = 1;
    table->watchers_number = table->blind_number = 1;
    bool whole = replay(table, records->list + first, records->count - first, &played_ms);
    if (!whole && !broken) {
        trouble.reason = "played with a different version of the rules";
        MashText words = text_over(trouble.words, sizeof trouble.words);
        text_format(&words, "the engine refuses its action %u", table->match.actions_count + 1);
        table_close(table, "This match could not be restored.");
        abandon_match(server, match->match, records, &trouble);
        return NULL;
    }
    server->stats.recovered++;
    if (broken) {
        server_log(server, LOG_ERROR, "match %s has lost records and is ended, after %u actions",
                   table->code, table->match.actions_count);
        note_names(table);
        finish(table, "records were lost");
        table_close(table, "Part of this match was lost.");
        return NULL;
    }
    if (match_result(&table->match).over) {
        table_linger(table);
    } else {
        if (match->health == STORE_DOUBTFUL)
            server_log(server, LOG_WARNING, "match %s may have lost actions after its first %u",
                       table->code, table->match.actions_count);
        table_resume(table, played_ms);
    }
    return table;
}

/* Reads all records of the current match of the store. False: no memory. */
static bool take_records(Server *server, uint32_t most, JournalRecords *records) {
    StoreRecord record;
    size_t count = 0, max = 0;
    bool fine = true;
    *records = (JournalRecords){.list = calloc((size_t)most + 1, sizeof *records->list)};
    while (records->list != NULL && fine && records->count < most &&
           store_next_record(server->store, &record)) {
        if (count + record.count > max || records->bytes == NULL) {
            max = (count + record.count) * 2 + 1;
            uint8_t *more = realloc(records->bytes, max);
            fine = more != NULL;
            records->bytes = fine ? more : records->bytes;
        }
        if (fine) {
            memcpy(records->bytes + count, record.bytes, record.count);
            count += record.count;
            records->list[records->count++] = record;
        }
    }
    uint8_t *at = records->bytes;
    for (uint32_t i = 0; i < records->count; at += records->list[i++].count)
        records->list[i].bytes = at;
    return records->list != NULL && fine;
}

/* The head of the first record of a session: the match's number and its generation. */
enum { SESSION_HEAD_BYTES = 12 };

/* The records of a log, which stays theirs. False: it is not valid, or, without a list, there is no
 * memory. */
static bool read_log(uint64_t number, const uint8_t *log, size_t count, JournalRecords *records) {
    StoreRecord record;
    size_t at = 0;
    uint32_t max = 1;
    for (size_t i = 0; days_log_next(log, count, &i, &record);)
        max++;
    *records = (JournalRecords){.list = calloc(max, sizeof *records->list)};
    while (records->list != NULL && days_log_next(log, count, &at, &record)) {
        record.match = number;
        record.sequence = records->count + 1;
        records->list[records->count++] = record;
    }
    return records->list != NULL && records->count > 0 && at == count;
}

Table *records_open_session(Server *server, const StoreDays *days, const void *log, size_t count,
                            bool *lost) {
    JournalRecords records;
    Table *table = NULL;
    uint64_t ticket;
    uint8_t *bytes = malloc(SESSION_HEAD_BYTES + count);
    bool valid = read_log(days->match, log, count, &records);
    *lost = !valid && records.list != NULL;
    if (*lost)
        server_log(server, LOG_ERROR, "the log of a match over days is damaged");
    if (bytes != NULL && valid) {
        StoreRecord record = {.match = days->session,
                              .time_ms = net_wall_clock_ms(server->loop),
                              .kind = RECORD_SESSION,
                              .bytes = bytes,
                              .count = (uint32_t)(SESSION_HEAD_BYTES + count)};
        put_number(bytes, days->match & UINT32_MAX);
        put_number(bytes + NUMBER_BYTES, days->match >> 32);
        put_number(bytes + 2 * (size_t)NUMBER_BYTES, days->generation);
        memcpy(bytes + SESSION_HEAD_BYTES, log, count);
        StoreMatch match = {.match = days->match, .health = STORE_WHOLE};
        if (store_append(server->store, &record, &ticket) == STORE_OK) {
            server_poll_store(server);
            table = resume(server, &match, &records, 0, days);
            *lost = table == NULL;
        }
        if (table != NULL)
            table->ticket = ticket;
    }
    free(bytes);
    free(records.list);
    return table;
}

/* A session of a match over days, from the journal. One of an older generation does not count. */
static void recover_session(Server *server, const StoreMatch *match, const JournalRecords *outer) {
    const StoreRecord *first = &outer->list[0];
    const uint8_t *bytes = first->bytes;
    uint64_t now_ms = net_wall_clock_ms(server->loop);
    JournalRecords inner = {0};
    if (first->count < SESSION_HEAD_BYTES)
        return;
    StoreDays session = {.session = match->match,
                         .generation = get_number(bytes + 2 * (size_t)NUMBER_BYTES)};
    uint64_t number = get_number(bytes) | (uint64_t)get_number(bytes + NUMBER_BYTES) << 32;
    Table *other = lobby_find(server, number);
    bool older = other != NULL && other->days.generation > session.generation;
    if (other != NULL)
        store_forget(server->store, older ? match->match : other->journal, now_ms);
    if (other != NULL && !older)
        table_close(other, "An older state of this match.");
    if (older)
        return;
    bool valid =
        read_log(number, bytes + SESSION_HEAD_BYTES, first->count - SESSION_HEAD_BYTES, &inner);
    StoreRecord *more =
        valid ? realloc(inner.list, (inner.count + outer->count) * sizeof *inner.list) : NULL;
    if (more == NULL) {
        /* Without its last actions it must not go on. */
        Trouble trouble = {.passes = true, .words = "its log is damaged, or there is no memory"};
        abandon_match(server, number, outer, &trouble);
        free(inner.list);
        return;
    }
    inner.list = more;
    uint32_t base = inner.count - first->sequence;
    for (uint32_t i = 1; i < outer->count; i++) {
        inner.list[inner.count] = outer->list[i];
        inner.list[inner.count].match = number;
        inner.list[inner.count++].sequence += base;
    }
    StoreMatch whole = {.match = number, .health = match->health};
    resume(server, &whole, &inner, 0, &session);
    free(inner.list);
}

/* Is a later session of the match here already? Then what began under its own number does not
 * count any more. */
static bool older_than_session(Server *server, uint64_t number) {
    bool older = lobby_find(server, number) != NULL;
    if (older)
        store_forget(server->store, number, net_wall_clock_ms(server->loop));
    return older;
}

/* One match with all its records. */
static void recover(Server *server, const StoreMatch *match) {
    JournalRecords records;
    Trouble trouble = {.passes = true, .words = "out of memory for it"};
    uint32_t first = 0;
    bool taken = take_records(server, match->records, &records);
    if (taken && records.count > 1 && records.list[0].kind == RECORD_OPEN)
        first = 1; /* it waited once: the next record is its beginning */
    if (taken && records.count > 0 && records.list[0].kind == RECORD_CONTEST) {
        contest_recover(server, &records);
    } else if (!taken) {
        abandon_match(server, match->match, &records, &trouble);
    } else if (records.count == 0) {
        trouble = (Trouble){.reason = "its records are lost", .words = "all its records are lost"};
        abandon_match(server, match->match, &records, &trouble);
    } else if (records.list[first].kind == RECORD_OPEN) {
        replay_waiting(server, &records.list[first]);
    } else if (records.list[first].kind == RECORD_SESSION) {
        recover_session(server, match, &records);
    } else if (!older_than_session(server, match->match)) {
        StoreDays begun = {.session = match->match};
        resume(server, match, &records, first, &begun);
    }
    free(records.list);
    free(records.bytes);
}

void records_recover(Server *server) {
    StoreMatch match;
    uint64_t before = server->stats.recovered;
    while (store_next_match(server->store, &match))
        recover(server, &match);
    if (server->stats.recovered > before)
        server_log(server, LOG_INFO, "restored %u matches",
                   (unsigned)(server->stats.recovered - before));
}
