/* arena_send.c -- see arena.h: server messages of the arena protocol: positions with what each
 * viewer may know, and messages about a table. */
#include <string.h>

#include "proto/position.h"
#include "server/actions.h"
#include "server/arena.h"
#include "server/begun.h"
#include "server/history.h"
#include "server/internal.h"
#include "server/lobby.h"
#include "server/outbox.h"
#include "server/prepared.h"
#include "server/rated.h"

/* --- Positions ------------------------------------------------------------------------------- */

/* May the seat know any of the events? */
static bool sees_events(const Table *table, uint8_t seat) {
    for (uint32_t i = 0; i < table->match.events.count; i++)
        if (mash_event_seen(&table->match.events.list[i], seat))
            return true;
    return false;
}

/* Which spectators a frame is for, in addition to its form. */
static uint8_t blind_forms(uint8_t viewer) {
    return viewer == SEAT_BLIND_WATCHER ? POSITION_FORMS : 0;
}

/* The seats for which the match waits, as far as the view shows it. */
static PositionClocks clocks_in(const Table *table, const void *view) {
    const MashContent *content = table->match.content;
    uint64_t now_ms = server_now_ms(table->server);
    uint32_t awaited = content->game->awaited(content, view);
    PositionClocks clocks = {.match = clock_match_left(&table->clock, now_ms)};
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        clocks.turn[seat] = (awaited >> seat & 1) != 0
                                ? clock_turn_left(&table->clock, now_ms, seat)
                                : clock_bank_left(&table->clock, now_ms, seat);
    return clocks;
}

/* Whether the seat can undo its last step, as a code; NULL: its client did not ask. */
static const char *undo_of(const Table *table, uint8_t seat) {
    uint32_t ignored;
    if (seat >= MASH_SEATS || table->chairs[seat].session == NULL ||
        !table->chairs[seat].session->with_history)
        return NULL;
    Refusal refusal = actions_may_undo(table, seat, &ignored);
    return refusal == REFUSAL_COUNT ? match_undo_id(MATCH_UNDO_POSSIBLE) : refusal_code(refusal);
}

/* A position and the memory needed to write it. */
typedef struct PositionFrame {
    Position position;
    void *memory;
} PositionFrame;

/* A position as a message. */
static void write_page(void *what, MashText *text) {
    const PositionFrame *page = what;
    position_write(&page->position, page->memory, text);
}

/* The position of a seat in one form, its memory NULL if there is none; `asked`: it answers the
 * request that is being handled. */
static PositionFrame position_of(Table *table, uint8_t seat, uint32_t form, bool with_events,
                                 bool asked) {
    Server *server = table->server;
    const MashContent *content = table->match.content;
    const void *view = positions_view(table, seat);
    return (PositionFrame){
        .memory = scratch_take(&server->position, position_bytes(content)),
        .position = {.content = content,
                     .view = view,
                     .seat = seat == SEAT_BLIND_WATCHER ? MASH_SEAT_SPECTATOR : seat,
                     .events = table->match.events.list,
                     .events_count = with_events ? table->match.events.count : 0,
                     .code = table->code,
                     .number = *positions_number(table, seat),
                     .has_id = asked && server->request.has_id,
                     .id = server->request.id,
                     .paused = table_is_paused(table),
                     .has_paused_by = table->clock.paused,
                     .paused_by = table->paused_by,
                     .clocks = clocks_in(table, view),
                     .has_undone = table->undone > 0,
                     .undone = (uint8_t)(table->undone - 1),
                     .undo = undo_of(table, seat),
                     .form = form == 0 ? PROTO_FORM_BYTES : PROTO_FORM_JSON,
                     .words = form % 2 == 0,
                     .texts = form == 0 ? NULL : table->config.content->texts[(form - 1) / 2]}};
}

/* The same as a frame; NULL: out of memory. */
static NetFrame *frame_of(Table *table, uint8_t seat, uint32_t form, bool with_events, bool asked) {
    Server *server = table->server;
    MashText text;
    PositionFrame page = position_of(table, seat, form, with_events, asked);
    if (page.memory == NULL || !server_write_text(server, &text, write_page, &page))
        return NULL;
    return net_frame_new(server->loop, text.bytes, text.count);
}

void arena_write_board(Table *table, MashText *text) {
    bool open = table->config.open_to_spectators;
    PositionFrame page = position_of(table, open ? SEAT_BLIND_WATCHER : MASH_SEAT_SPECTATOR,
                                     1 + 2 * LANGUAGE_USUAL, false, false);
    text->truncated |= page.memory == NULL;
    if (page.memory != NULL)
        write_page(&page, text);
}

void arena_send_position(Session *session) {
    uint8_t seat = session->seat < MASH_SEATS ? session->seat
                   : session->blind           ? SEAT_BLIND_WATCHER
                                              : MASH_SEAT_SPECTATOR;
    outbox_send(session, frame_of(session->table, seat, session_form(session), false, false));
}

/* Is any session of the arena protocol at the table? */
static bool is_here(const Session *session) {
    return session != NULL && session->protocol == &arena_protocol;
}

/* Sends the last action to a seat if the seat sees any of it or did it. */
static void send_to_seat(Table *table, uint8_t seat, bool acted) {
    const Session *session = table->chairs[seat].session;
    if (!is_here(session) ||
        (!positions_changed(table, seat) && !acted && !sees_events(table, seat)))
        return;
    bool idle = !table->clock.seats[seat].awaited && !match_result(&table->match).over;
    outbox_send_group(table, &arena_protocol, idle ? OUTGOING_IDLE_SEAT : OUTGOING_SEAT, seat,
                      frame_of(table, seat, session_form(session), true, acted));
}

/* Sends the last action to blind or other spectators: one frame for each form that somebody uses.
 * Returns the number of frames. */
static uint32_t send_to_watchers(Table *table, uint8_t viewer) {
    bool wanted[POSITION_FORMS] = {false};
    uint32_t frames = 0;
    if (!positions_changed(table, viewer) && !sees_events(table, MASH_SEAT_SPECTATOR))
        return 0;
    for (const Session *session = table->watchers; session != NULL; session = session->next)
        wanted[session_form(session)] |=
            is_here(session) && session->blind == (viewer == SEAT_BLIND_WATCHER);
    for (uint8_t form = 0; form < POSITION_FORMS; form++)
        if (wanted[form]) {
            outbox_send_group(table, &arena_protocol, OUTGOING_WATCHERS,
                              (uint8_t)(form + blind_forms(viewer)),
                              frame_of(table, viewer, form, true, false));
            frames++;
        }
    return frames;
}

/* Sending to spectators costs the loop as much as the action itself for each form, and so does an
 * action of an AI player. It is charged to the acting player, or to the opponent of an AI
 * player. */
static void charge_sending(const Table *table, uint8_t seat, uint32_t frames) {
    if (seat >= MASH_SEATS)
        return;
    bool robot = table->chairs[seat].robot > 0;
    Session *payer = table->chairs[robot ? 1 - seat : seat].session;
    if (payer != NULL)
        budget_charge(payer, session_action_cost(payer) * (frames + robot));
}

void arena_acted(Table *table, uint8_t actor) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        send_to_seat(table, seat, actor == seat);
    uint32_t frames = send_to_watchers(table, MASH_SEAT_SPECTATOR);
    if (table->config.open_to_spectators)
        frames += send_to_watchers(table, SEAT_BLIND_WATCHER);
    charge_sending(table, actor, frames);
}

/* --- Tables ---------------------------------------------------------------------------------- */

enum { PLAYERS_BYTES = 1024 };

void arena_send_all(Table *table, const Message *message) {
    outbox_send_group(table, &arena_protocol, OUTGOING_ALL, 0,
                      server_frame(table->server, message));
}

/* The players of both seats. */
static void send_players(Table *table) {
    char players[PLAYERS_BYTES];
    MashText text = text_over(players, sizeof players);
    Message message = message_new(MESSAGE_SERVER_PEOPLE);
    lobby_write_players(table, &text);
    memcpy(message.people.code, table->code, sizeof table->code);
    message.people.players = (MessageJson){.bytes = players, .count = text.count};
    arena_send_all(table, &message);
}

/* Copies a string, truncated to the size of the destination. */
static void take_words(char *to, uint32_t max, const char *from) {
    MashText text = text_over(to, max);
    text_string(&text, from);
}

/* The content, by its preset's name or by its documents. */
static void send_content(const Table *table, Message *message) {
    const LoadedContent *loaded = table->config.content;
    MashText hash = text_over(message->table.content, sizeof message->table.content);
    text_hex(&hash, loaded->content->hash, 16);
    if (loaded->preset != NULL) {
        take_words(message->table.preset, sizeof message->table.preset, loaded->preset->id);
        message_set_present(message, "preset");
        return;
    }
    message->table.documents.count = loaded->documents_count;
    for (uint32_t i = 0; i < loaded->documents_count; i++) {
        MashDocument document = loaded->documents[i];
        MashDocument shipped = mash_document_shipped(loaded->content->game, document.name);
        if (shipped.bytes == document.bytes)
            document.bytes = NULL;
        message->table.documents.list[i] = document;
    }
    message_set_present(message, "documents");
}

/* The configuration of the table's match. */
static void send_setting(const Table *table, Message *message) {
    const MashGame *game = table->config.content->content->game;
    const ClockLimits *clocks = &table->config.clocks;
    take_words(message->table.game, sizeof message->table.game, game->id);
    message->table.version = (int32_t)game->version;
    message->table.options.count = game->options_count;
    for (uint32_t i = 0; i < game->options_count; i++) {
        take_words(message->table.options.list[i].id, PROTO_ID_MAX + 1, game->options[i].id);
        message->table.options.list[i].value = table->config.options[i];
    }
    message->table.turn_ms = (int32_t)clocks->turn_ms;
    message->table.match_ms = (int32_t)clocks->match_ms;
    message->table.bank_ms = (int32_t)clocks->bank_ms;
    message->table.increment_ms = (int32_t)clocks->increment_ms;
    if (clocks->bank_ms > 0) {
        message_set_present(message, "bank_ms");
        message_set_present(message, "increment_ms");
    }
    message->table.pause_ms = (int32_t)clocks->pause_ms;
    if (table->server->setup.pauses != SERVER_PAUSES_ANY) {
        message->table.pauses = (int32_t)table->server->setup.pauses;
        message_set_present(message, "pauses");
    }
    message->table.silence_ms = (int32_t)clocks->silence_ms;
    message->table.grace_ms = (int32_t)clocks->grace_ms;
    message->table.secret = table->config.unlisted;
    message->table.open_to_spectators = table->config.open_to_spectators;
    if (table->config.no_tips)
        message_set_present(message, "tips");
    message->table.phrases = table->config.phrases;
    if (table->config.phrases)
        message_set_present(message, "phrases");
    if (table->begun != NULL) {
        message->table.from_turn = (int32_t)table->begun->turn;
        message_set_present(message, "from_turn");
    }
    message->table.days = (int32_t)table->config.clocks.days;
    if (table->config.clocks.days > 0)
        message_set_present(message, "days");
    message->table.rated = table->config.rated;
    if (table->config.rated)
        message_set_present(message, "rated");
    message->table.leg = table->config.leg;
    message->table.first = table->config.first_winner;
    if (table->config.leg > 0)
        message_set_present(message, "leg");
    if (table->config.tournament != 0) {
        table_code_encode(table->config.tournament, message->table.tournament);
        message_set_present(message, "tournament");
    }
    if (table->config.leg == 2)
        message_set_present(message, "first");
}

void arena_send_table(Session *session) {
    Table *table = session->table;
    char players[PLAYERS_BYTES];
    MashText text = text_over(players, sizeof players);
    Message message = message_new(MESSAGE_SERVER_TABLE);
    memcpy(message.table.code, table->code, sizeof table->code);
    message.table.you = session->seat;
    message.table.state = table->state;
    if (session->seat < MASH_SEATS) {
        memcpy(message.table.token, table->chairs[session->seat].token, PROTO_TOKEN_DIGITS + 1);
        message_set_present(&message, "token");
    }
    send_content(table, &message);
    send_setting(table, &message);
    message.table.watchers = (int32_t)table->watchers_count;
    lobby_write_players(table, &text);
    message.table.players = (MessageJson){.bytes = players, .count = text.count};
    outbox_send(session, server_frame(table->server, &message));
}

/* Somebody asks for a takeback or declines it. */
static Message takeback_message(const Table *table, uint8_t seat, uint8_t what) {
    Message message = message_new(MESSAGE_SERVER_TAKEBACK);
    memcpy(message.takeback_said.code, table->code, sizeof table->code);
    message.takeback_said.seat = seat;
    message.takeback_said.what = what;
    return message;
}

void arena_send_takeback(Table *table, uint8_t seat, uint8_t what) {
    Message message = takeback_message(table, seat, what);
    arena_send_all(table, &message);
}

/* Asks the one who stayed what becomes of the match. */
static void send_leaver(const Table *table) {
    const Session *session = table->chairs[2 - table->leaver].session;
    if (!is_here(session) || !session->chooses)
        return;
    Message message = message_new(MESSAGE_SERVER_LEAVER);
    memcpy(message.leaver_told.code, table->code, sizeof table->code);
    message.leaver_told.seat = (uint8_t)(table->leaver - 1);
    arena_send(table->chairs[2 - table->leaver].session, &message);
}

void arena_joined(Session *session) {
    const Table *table = session->table;
    arena_send_table(session);
    if (table->state == PROTO_STATE_WAITING)
        return;
    arena_send_position(session);
    if (session->with_history)
        history_send(session);
    if (session->seat < MASH_SEATS && table->leaver == 2 - session->seat)
        send_leaver(table);
    if (table->changes != NULL)
        rated_send(session);
    prepared_send(session, false);
    if (session->with_history && table->takeback > 0) {
        Message offer =
            takeback_message(table, (uint8_t)(table->takeback - 1), PROTO_TAKEBACK_OFFER);
        outbox_send(session, server_frame(session->server, &offer));
    }
}

/* The match is paused, for at most this long. */
static void send_paused(Table *table, uint8_t seat, uint32_t left_ms) {
    Message message = message_new(MESSAGE_SERVER_PAUSED);
    memcpy(message.paused.code, table->code, sizeof table->code);
    message.paused.by = seat;
    message.paused.left_ms = (int32_t)left_ms;
    uint32_t most = table->server->setup.pauses, made = table->chairs[seat].pauses;
    message.paused.pauses = most > made ? (int32_t)(most - made) : 0;
    if (most != SERVER_PAUSES_ANY)
        message_set_present(&message, "pauses");
    arena_send_all(table, &message);
}

/* The match continues, with this much time left. */
static void send_continued(Table *table, uint8_t seat) {
    char clocks[128];
    MashText text = text_over(clocks, sizeof clocks);
    PositionClocks left = clocks_in(table, positions_view(table, SEAT_BLIND_WATCHER));
    position_write_clocks(&left, &text);
    Message message = message_new(MESSAGE_SERVER_CONTINUED);
    memcpy(message.continued.code, table->code, sizeof table->code);
    message.continued.by = seat;
    message.continued.clocks = (MessageJson){.bytes = clocks, .count = text.count};
    arena_send_all(table, &message);
}

/* Warns one seat or both that a time is running out. */
static void send_warning(const Table *table, const TableNotice *notice, uint8_t what) {
    Message message = message_new(MESSAGE_SERVER_WARNING);
    memcpy(message.warning.code, table->code, sizeof table->code);
    message.warning.what = what;
    message.warning.left_ms = (int32_t)notice->left_ms;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if ((notice->seat == seat || notice->seat == MASH_SEAT_NONE) &&
            is_here(table->chairs[seat].session))
            arena_send(table->chairs[seat].session, &message);
}

/* A player asks for a rematch. */
static void send_rematch(Table *table, uint8_t seat) {
    Message message = message_new(MESSAGE_SERVER_REMATCH);
    memcpy(message.rematch_offer.code, table->code, sizeof table->code);
    message.rematch_offer.seat = seat;
    arena_send_all(table, &message);
}

void arena_notify(Table *table, const TableNotice *notice) {
    switch (notice->kind) {
    case NOTICE_PLAYERS:
        send_players(table);
        break;
    case NOTICE_PAUSED:
        send_paused(table, notice->seat, notice->left_ms);
        break;
    case NOTICE_CONTINUED:
        send_continued(table, notice->seat);
        break;
    case NOTICE_DUE:
        if (notice->due == CLOCK_TURN_WARNING)
            send_warning(table, notice, PROTO_TIME_TURN);
        else if (notice->due == CLOCK_SILENCE_WARNING)
            send_warning(table, notice, PROTO_TIME_SILENCE);
        else if (notice->due == CLOCK_MATCH_WARNING)
            send_warning(table, notice, PROTO_TIME_MATCH);
        break;
    case NOTICE_REMATCH:
        send_rematch(table, notice->seat);
        break;
    case NOTICE_LEAVER:
        send_leaver(table);
        break;
    case NOTICE_FINISHED:
        break; /* the last position showed it */
    }
}

void arena_part(Session *session, const Table *table, PartReason why, const char *sentence) {
    Message message =
        message_new(why == PART_CLOSED ? MESSAGE_SERVER_CLOSED : MESSAGE_SERVER_TAKEN);
    if (why == PART_CLOSED) {
        MashText text = text_over(message.closed.reason, sizeof message.closed.reason);
        memcpy(message.closed.code, table->code, sizeof table->code);
        text_string(&text, sentence);
    } else if (why == PART_TAKEN) {
        memcpy(message.taken.code, table->code, sizeof table->code);
    } else {
        return; /* closing its connection is message enough */
    }
    arena_send(session, &message);
}
