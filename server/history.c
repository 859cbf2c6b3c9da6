/* history.c -- see history.h. The match is replayed for it, so nothing but chat need be kept while
 * it runs; what players said is in the journal, too (records.h). */
#include "server/history.h"

#include <stdlib.h>
#include <string.h>

#include "proto/position.h"
#include "server/actions.h"
#include "server/internal.h"
#include "server/outbox.h"

/* How many chat lines are kept, how many actions a client is sent, and how many replayed actions
 * count as one message in the rate limit. */
enum { CHAT_KEPT = 50, ACTIONS_TOLD = 2000, ACTIONS_OF_MESSAGE = 4 };

/* The last chat lines; `count` is how many there ever were. */
struct ChatLog {
    uint32_t count;
    SERVER_CHAT_FIELDS lines[CHAT_KEPT];
    uint64_t accounts[CHAT_KEPT]; /* of who said each; 0: none, or that of its seat */
};

/* The name of a line goes. */
static void erase_line(SERVER_CHAT_FIELDS *line) {
    memcpy(line->name, STORE_ERASED_NAME, sizeof STORE_ERASED_NAME);
}

void history_keep_chat(Table *table, const SERVER_CHAT_FIELDS *line, uint64_t account) {
    if (table->chat_log == NULL)
        table->chat_log = calloc(1, sizeof *table->chat_log);
    ChatLog *log = table->chat_log;
    if (log == NULL)
        return;
    uint32_t place = log->count++ % CHAT_KEPT;
    log->lines[place] = *line;
    log->accounts[place] = account;
    if (line->seat < MASH_SEATS && table->chairs[line->seat].erased)
        erase_line(&log->lines[place]);
}

void history_erase(Table *table, uint8_t seat, uint64_t account) {
    ChatLog *log = table->chat_log;
    for (uint32_t i = 0; log != NULL && i < log->count && i < CHAT_KEPT; i++)
        if (seat < MASH_SEATS ? log->lines[i].seat == seat : log->accounts[i] == account)
            erase_line(&log->lines[i]);
}

uint32_t history_chat_count(const Table *table) {
    return table->chat_log == NULL ? 0 : table->chat_log->count;
}

/* The history of a session's table. */
typedef struct History {
    Table *table;
    Position position; /* how events are written: for whom, in which form and language */
    void *memory;      /* for a second match */
} History;

/* Repeats the next step of the match in the second match. */
static void repeat_step(const Match *match, Match *again) {
    uint32_t first = again->actions_count, end = first + 1;
    while (end < match->actions_count && (match->notes[end] & MATCH_NOTE_JOINED) != 0)
        end++;
    MashStatus status = MASH_OK;
    if (end == first + 1)
        status = match_apply(again, match->actions[first]);
    else
        match_step_begin(again);
    for (uint32_t i = first; end > first + 1 && i < end && status == MASH_OK; i++)
        status = match_step_add(again, match->actions[i]);
    assert(status == MASH_OK);
}

/* The steps that the viewer could see, of the last actions. */
static void put_steps(const History *history, JsonWriter *writer) {
    const Match *match = &history->table->match;
    MashSetup setup = {match->options, match->content->game->options_count};
    Position position = history->position;
    Match again;
    MashStatus status = match_begin(&again, match->content, match->seed, &setup, history->memory);
    assert(status == MASH_OK);
    json_put_key(writer, "steps");
    json_open(writer, '[');
    while (again.actions_count < match->actions_count) {
        repeat_step(match, &again);
        position.events = again.events.list;
        position.events_count = again.events.count;
        if (match->actions_count - again.actions_count < ACTIONS_TOLD)
            position_write_step(&position, writer);
    }
    json_close(writer, ']');
}

/* The last chat lines. */
static void put_chat(const ChatLog *log, JsonWriter *writer) {
    uint32_t count = log == NULL ? 0 : log->count;
    json_put_key(writer, "chat");
    json_open(writer, '[');
    for (uint32_t i = count > CHAT_KEPT ? count - CHAT_KEPT : 0; i < count; i++) {
        const SERVER_CHAT_FIELDS *line = &log->lines[i % CHAT_KEPT];
        json_open(writer, '{');
        json_put_pair(writer, "name", line->name);
        json_put_key(writer, "seat");
        if (line->seat < MASH_SEATS)
            json_put_int(writer, line->seat);
        else
            json_put_null(writer);
        json_put_pair(writer, "text", line->text);
        if (phrase_of(line->text) < PROTO_PHRASE_COUNT)
            json_put_pair(writer, "phrase", choice_id(PROTO_PHRASES_LIST, phrase_of(line->text)));
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

/* The whole message. */
static void write_history(void *what, MashText *text) {
    const History *history = what;
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '{');
    json_put_pair(&writer, "type", message_type(MESSAGE_SERVER_HISTORY));
    json_put_pair(&writer, "code", history->table->code);
    put_steps(history, &writer);
    put_chat(history->table->chat_log, &writer);
    json_close(&writer, '}');
}

void history_send(Session *session) {
    Table *table = session->table;
    Server *server = session->server;
    const Match *match = &table->match;
    if (match->actions_count == 0 && table->chat_log == NULL)
        return;
    uint8_t viewer = session->seat < MASH_SEATS ? session->seat
                     : session->blind           ? SEAT_BLIND_WATCHER
                                                : MASH_SEAT_SPECTATOR;
    uint32_t form = session_form(session);
    budget_charge(session, match->actions_count / ACTIONS_OF_MESSAGE);
    History history = {
        .table = table,
        .memory = scratch_take(&server->history, match_bytes(match->content)),
        .position = {.content = match->content,
                     .view = positions_view(table, viewer),
                     .seat = session->seat < MASH_SEATS ? session->seat : MASH_SEAT_SPECTATOR,
                     .form = form == 0 ? PROTO_FORM_BYTES : PROTO_FORM_JSON,
                     .words = form % 2 == 0,
                     .texts = form == 0 ? NULL : table->config.content->texts[(form - 1) / 2]}};
    MashText text;
    bool fine = history.memory != NULL && server_write_text(server, &text, write_history, &history);
    outbox_send(session, fine ? net_frame_new(server->loop, text.bytes, text.count) : NULL);
}
