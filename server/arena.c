/* arena.c -- see arena.h: reads client messages of the arena protocol, checks whether they are
 * allowed now, and dispatches them; every message is answered. */
#include "server/arena.h"

/* The AI player that takes the seat of somebody who is gone. */
enum { LEAVER_LEVEL = 5 };

#include <string.h>

#include "server/actions.h"
#include "server/admin.h"
#include "server/contest.h"
#include "server/history.h"
#include "server/internal.h"
#include "server/lobby.h"
#include "server/people.h"
#include "server/prepared.h"
#include "server/protocol.h"
#include "server/records.h"
#include "server/robot.h"

/* --- Answers --------------------------------------------------------------------------------- */

void arena_send(Session *session, const Message *message) {
    NetFrame *frame = server_frame(session->server, message);
    if (frame == NULL)
        session_fault(session);
    else
        net_send(session->connection, frame);
    net_frame_release(frame);
}

Message arena_done_message(const Server *server) {
    const RequestContext *request = &server->request;
    Message message = message_new(MESSAGE_SERVER_DONE);
    MashText to = text_over(message.done.to, sizeof message.done.to);
    text_string(&to, request->to);
    message.done.id = request->id;
    if (request->has_id)
        message_set_present(&message, "id");
    return message;
}

void arena_done(Session *session) {
    Message message = arena_done_message(session->server);
    arena_send(session, &message);
}

/* Is the request that is being handled an action? */
static bool handles_action(const RequestContext *request) {
    return request->to != NULL && (strcmp(request->to, message_type(MESSAGE_CLIENT_ACT)) == 0 ||
                                   strcmp(request->to, message_type(MESSAGE_CLIENT_ACTS)) == 0);
}

/* Answers with a refusal and counts it. A program whose action was an offence gets its position
 * once more: it may answer nothing but positions. */
static void refuse(Session *session, const char *code, const char *reason, bool offence) {
    Server *server = session->server;
    Message message = message_new(MESSAGE_SERVER_REFUSED);
    MashText code_text = text_over(message.refused.code, sizeof message.refused.code);
    MashText text = text_over(message.refused.reason, sizeof message.refused.reason);
    text_string(&code_text, code);
    text_string(&text, reason);
    if (offence && session_plays(session) && *session_strikes(session) + 1 == server->setup.strikes)
        text_format(&text, " That was offence number %u in a row: the match is lost.",
                    (unsigned)server->setup.strikes);
    session_sanitize(message.refused.reason); /* it may quote the client's text */
    if (server->request.to != NULL) {
        MashText to = text_over(message.refused.to, sizeof message.refused.to);
        text_string(&to, server->request.to);
        message_set_present(&message, "to");
    }
    message.refused.id = server->request.id;
    if (server->request.has_id)
        message_set_present(&message, "id");
    if (server->request.has_action) {
        message.refused.action = (int32_t)server->request.action;
        message_set_present(&message, "action");
    }
    if (session_plays(session)) {
        message.refused.position = (int32_t)session->table->chairs[session->seat].number;
        message_set_present(&message, "position");
    }
    if (offence)
        session_add_strike(session);
    message.refused.offence = offence;
    message.refused.strikes = (int32_t)*session_strikes(session);
    server->request.refused = true;
    server->stats.refusals++;
    arena_send(session, &message);
    if (!offence)
        return;
    session_enforce_strikes(
        session, handles_action(&server->request) ? MASH_REASON_ILLEGAL : MASH_REASON_INVALID,
        reason);
    if (session->role == PROTO_ROLE_AI && handles_action(&server->request) &&
        session_plays(session))
        arena_send_position(session);
}

void arena_refuse(Session *session, Refusal refusal) {
    arena_refuse_because(session, refusal, refusal_sentence(refusal));
}

void arena_refuse_because(Session *session, Refusal refusal, const char *reason) {
    refuse(session, refusal_code(refusal), reason, refusal_offence(refusal));
}

void arena_refuse_status(Session *session, MashStatus status) {
    refuse(session, mash_status_id(status), mash_status_sentence(status),
           handles_action(&session->server->request));
}

/* The input is not a message at all: the seat loses its match, and the connection is closed. */
static void reject_frame(Session *session, const char *reason) {
    session->server->request = (RequestContext){.to = NULL};
    if (session->closing)
        return;
    session->closing = true;
    arena_refuse_because(session, REFUSAL_BROKEN, reason);
    session_disqualify(session, MASH_REASON_INVALID, reason);
    net_close(session->connection, NET_CLOSE_POLICY, "not a valid message");
}

/* --- Connecting ------------------------------------------------------------------------------ */

/* Was the page served by the host that it connects to? Compares "http://host:port" and
 * "host:port". */
static bool own_page(const char *origin, const char *host) {
    const char *behind = strstr(origin, "://");
    return behind != NULL && host[0] != '\0' && text_equal_nocase(behind + 3, host);
}

/* May a page of this origin connect to the server? */
static bool welcome_page(const Server *server, const NetRequest *request) {
    const char *origin = request->origin;
    return origin == NULL || own_page(origin, request->host) ||
           (server->setup.origin != NULL && text_equal_nocase(origin, server->setup.origin));
}

/* Does a page connect under a host name that resolves to this server without being one of its
 * names? Then somebody else may own the name and have pointed it at a server in the page visitor's
 * network (DNS rebinding). */
static bool strange_name(Server *server, const NetRequest *request) {
    char name[128];
    MashText text = text_over(name, sizeof name);
    if (request->origin == NULL || request->own_name)
        return false;
    text_string(&text, request->host);
    server_log(server, LOG_WARNING,
               "refused a connection from web origin %s: not a name of this server; if it is one, "
               "start the server with --host NAME",
               name);
    return true;
}

/* The ids of all games. */
static void write_game_ids(MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '[');
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        json_put_string(&writer, (*game)->id);
    json_close(&writer, ']');
}

/* The first client message, `hello`. */
static void handle_hello(Session *session, const Message *request) {
    if (session->said_hello) {
        arena_refuse(session, REFUSAL_HELLO_TWICE);
        return;
    }
    if (message_has(request, "protocol") && request->hello.protocol != PROTO_VERSION) {
        arena_refuse(session, REFUSAL_OTHER_VERSION);
        return;
    }
    memcpy(session->name, request->hello.name, sizeof session->name);
    if (!session_sanitize(session->name)) {
        arena_refuse(session, REFUSAL_NO_NAME);
        return;
    }
    session->role = request->hello.role;
    session->form = request->hello.view;
    session->with_text = request->hello.words;
    session->with_history = request->hello.history;
    session->chooses = request->hello.leavers;
    session->language = language_find(session->server, request->hello.language);
    session->said_hello = true;
    session_log(session, "has said hello");
    char games[512];
    MashText list = text_over(games, sizeof games);
    write_game_ids(&list);
    Message message = message_new(MESSAGE_SERVER_WELCOME);
    MashText server = text_over(message.welcome.server, sizeof message.welcome.server);
    text_string(&server, SERVER_NAME);
    memcpy(message.welcome.name, session->name, sizeof session->name);
    message.welcome.protocol = PROTO_VERSION;
    message.welcome.role = session->role;
    message.welcome.strikes = (int32_t)session->server->setup.strikes;
    message.welcome.games = (MessageJson){.bytes = games, .count = list.count};
    arena_send(session, &message);
}

/* --- At a table ------------------------------------------------------------------------------ */

/* The session's seat in a running match; false: the request was refused. */
static bool require_running_match(Session *session) {
    Refusal refusal = session->table == NULL              ? REFUSAL_NOT_AT_A_TABLE
                      : session->seat >= MASH_SEATS       ? REFUSAL_NOT_SEATED
                      : !table_is_running(session->table) ? REFUSAL_NOT_RUNNING
                                                          : REFUSAL_COUNT;
    if (refusal == REFUSAL_COUNT)
        return true;
    arena_refuse(session, refusal);
    return false;
}

/* Applies the action. A refusal is answered; otherwise the position is the answer. */
static void act(Session *session, MashAction action) {
    Refusal why;
    MashStatus status = actions_apply(session->table, action, &why);
    if (status == MASH_OK)
        return;
    if (why != REFUSAL_COUNT)
        arena_refuse(session, why);
    else
        arena_refuse_status(session, status);
}

/* The action of a request, in any notation; false: it was refused. */
static bool action_of_request(Session *session, const Message *request, MashAction *action) {
    const CLIENT_ACT_FIELDS *act = &request->act;
    if (message_has(request, "word")) {
        if (!action_from_hex(act->word, action) &&
            actions_read(session->table, session->seat, act->word, action))
            return true;
        arena_refuse(session, REFUSAL_NO_SUCH_WORD);
        return false;
    }
    if (message_has(request, "action")) {
        action_from_hex(act->action, action);
        action->seat = session->seat;
        return true;
    }
    if (!message_has(request, "verb")) {
        arena_refuse_because(session, REFUSAL_MALFORMED,
                             "act: give `verb` and what it needs, or `word`, or `action`");
        return false;
    }
    *action = (MashAction){.verb = (uint8_t)act->verb,
                           .seat = session->seat,
                           .unit = (uint8_t)act->unit,
                           .ability = (uint8_t)act->ability,
                           .x = (int8_t)act->x,
                           .y = (int8_t)act->y,
                           .other = (uint8_t)act->other,
                           .amount = (uint8_t)act->amount};
    return true;
}

/* May the seat act in the position of this number now? False: the request was refused. */
static bool require_position(Session *session, int32_t position) {
    if (!require_running_match(session))
        return false;
    uint32_t number = session->table->chairs[session->seat].number;
    Refusal refusal = (uint32_t)position < number       ? REFUSAL_LATE
                      : (uint32_t)position > number     ? REFUSAL_NO_SUCH_POSITION
                      : table_is_paused(session->table) ? REFUSAL_PAUSED
                                                        : REFUSAL_COUNT;
    if (refusal == REFUSAL_COUNT)
        return true;
    arena_refuse(session, refusal);
    return false;
}

/* An action, in any of its notations. */
static void handle_act(Session *session, const Message *request) {
    MashAction action;
    if (!require_position(session, request->act.position))
        return;
    if (!action_of_request(session, request, &action))
        return;
    if (action.verb >= MASH_VERB_RESIGN)
        arena_refuse_status(session, MASH_NO_SUCH_ACTION);
    else
        act(session, action);
}

/* Adds one action of `acts` to the step; its text is the notation or 16 digits. False: it was
 * refused, and the step is cancelled. */
static bool add_to_step(Session *session, const char *words) {
    MashAction action;
    if (!actions_read(session->table, session->seat, words, &action)) {
        match_step_cancel(&session->table->match);
        arena_refuse(session, REFUSAL_NO_SUCH_WORD);
        return false;
    }
    MashStatus status = actions_step_add(session->table, action);
    if (status != MASH_OK)
        arena_refuse_status(session, status);
    return status == MASH_OK;
}

/* Several actions as one step. */
static void handle_acts(Session *session, const Message *request) {
    const Json *json = &request->json;
    RequestContext *context = &session->server->request;
    uint32_t list = request->acts.actions.node, count = json->nodes[list].count;
    if (!require_position(session, request->acts.position))
        return;
    if (count == 0 || count > PROTO_ACTS_MAX) {
        arena_refuse_because(session, REFUSAL_MALFORMED, "actions: must have 1 to 64 entries");
        return;
    }
    Refusal why;
    budget_charge(session, (count - 1) * session_action_cost(session));
    if (!actions_step_begin(session->table, &why)) {
        arena_refuse(session, why);
        return;
    }
    context->has_action = true;
    for (uint32_t i = json_first(json, list); i != JSON_NONE; i = json->nodes[i].next) {
        char words[PROTO_NOTATION_MAX + 1];
        MashText text = text_over(words, sizeof words);
        json_string(json, i, &text);
        if (!add_to_step(session, text.truncated ? "" : words))
            return;
        context->action++;
    }
    context->has_action = false;
    if (!actions_step_end(session->table, &why))
        arena_refuse(session, why);
}

/* Offers, accepts or declines a draw. */
static void handle_draw(Session *session, const Message *request) {
    static const uint8_t verbs[] = {[PROTO_DRAW_OFFER] = MASH_VERB_DRAW_OFFER,
                                    [PROTO_DRAW_ACCEPT] = MASH_VERB_DRAW_ACCEPT,
                                    [PROTO_DRAW_DECLINE] = MASH_VERB_DRAW_DECLINE};
    if (!require_running_match(session))
        return;
    if (table_is_paused(session->table))
        arena_refuse(session, REFUSAL_PAUSED);
    else
        act(session, (MashAction){.verb = verbs[request->draw.what], .seat = session->seat});
}

/* Undoes the last step of the seat. */
static void handle_undo(Session *session, const Message *request) {
    uint32_t count;
    if (!require_position(session, request->undo.position))
        return;
    Refusal why = actions_may_undo(session->table, session->seat, &count);
    if (why != REFUSAL_COUNT ||
        !actions_undo(session->table, session->seat, count, session->seat, &why))
        arena_refuse(session, why);
}

/* Asks for a takeback. An AI player of the server has nothing against it. */
static Refusal offer_takeback(const Session *session) {
    Table *table = session->table;
    uint8_t seat = session->seat;
    uint32_t count;
    Refusal why = actions_may_take_back(table, seat, &count);
    if (why == REFUSAL_COUNT && table->takeback > 0)
        why = REFUSAL_TAKEBACK_OFFERED;
    if (why != REFUSAL_COUNT)
        return why;
    if (table->chairs[1 - seat].robot > 0) {
        actions_undo(table, seat, count, seat, &why);
        return why;
    }
    table->takeback = (uint8_t)(seat + 1);
    arena_send_takeback(table, seat, PROTO_TAKEBACK_OFFER);
    return REFUSAL_COUNT;
}

/* Accepts or declines the takeback that the other seat asks for. */
static Refusal answer_takeback(const Session *session, bool accept) {
    Table *table = session->table;
    uint8_t other = (uint8_t)(1 - session->seat);
    uint32_t count;
    if (table->takeback != other + 1)
        return REFUSAL_NO_TAKEBACK;
    if (!accept) {
        table->takeback = 0;
        arena_send_takeback(table, session->seat, PROTO_TAKEBACK_DECLINE);
        return REFUSAL_COUNT;
    }
    Refusal why = actions_may_take_back(table, other, &count);
    if (why == REFUSAL_COUNT)
        actions_undo(table, other, count, session->seat, &why);
    return why;
}

/* Asks for a takeback or answers that. */
static void handle_takeback(Session *session, const Message *request) {
    if (!require_running_match(session))
        return;
    Refusal why = table_is_paused(session->table) ? REFUSAL_PAUSED
                  : request->takeback.what == PROTO_TAKEBACK_OFFER
                      ? offer_takeback(session)
                      : answer_takeback(session, request->takeback.what == PROTO_TAKEBACK_ACCEPT);
    if (why != REFUSAL_COUNT)
        arena_refuse(session, why);
}

/* An AI player takes the seat of who is gone. True: it does; otherwise the request was refused. */
static bool seat_robot(Session *session, uint8_t seat) {
    char memory[PROTO_SENTENCE_MAX + 1];
    MashText reason = text_over(memory, sizeof memory);
    if (!robot_may_play(session->server, session->account, LEAVER_LEVEL, &reason)) {
        arena_refuse_because(session, REFUSAL_ROBOTS_BUSY, memory);
        return false;
    }
    if (table_replace(session->table, seat, LEAVER_LEVEL))
        return true;
    arena_refuse(session, REFUSAL_FULL);
    return false;
}

/* Chooses what becomes of a match whose other player is gone. */
static void handle_leaver(Session *session, const Message *request) {
    Table *table = session->table;
    if (!require_running_match(session))
        return;
    uint8_t leaver = (uint8_t)(1 - session->seat);
    if (table->leaver != leaver + 1) {
        arena_refuse(session, REFUSAL_NO_LEAVER);
        return;
    }
    if (request->leaver.what == PROTO_LEAVER_AI) {
        if (seat_robot(session, leaver))
            arena_done(session);
    } else if (request->leaver.what == PROTO_LEAVER_DRAW) {
        if (actions_draw_as_server(table))
            arena_done(session);
        else
            arena_refuse(session, REFUSAL_NO_DRAW_NOW);
    } else if (actions_apply_as_server(table, MASH_VERB_FORFEIT, leaver, MASH_REASON_LEFT)) {
        arena_done(session);
    } else {
        arena_refuse(session, REFUSAL_FULL);
    }
}

/* Resigns. */
static void handle_resign(Session *session) {
    if (require_running_match(session))
        act(session, (MashAction){.verb = MASH_VERB_RESIGN, .seat = session->seat});
}

/* Pauses or continues. */
static void handle_pause(Session *session, bool pause) {
    if (!require_running_match(session))
        return;
    Table *table = session->table;
    if (session->role != PROTO_ROLE_PERSON)
        arena_refuse(session, REFUSAL_ONLY_PEOPLE);
    else if (pause && table->config.clocks.pause_ms == 0)
        arena_refuse(session, REFUSAL_NO_PAUSES);
    else if ((pause && table->clock.paused) || clock_is_frozen(&table->clock))
        arena_refuse(session, REFUSAL_PAUSED);
    else if (pause && !table_may_pause(table, session->seat))
        arena_refuse(session, REFUSAL_NO_MORE_PAUSES);
    else if (!pause && !table->clock.paused)
        arena_refuse(session, REFUSAL_NOT_PAUSED);
    else if (pause && !table_pause_in_rate(table, session->seat))
        arena_refuse(session, REFUSAL_TOO_FAST);
    else if (pause)
        table_pause(table, session->seat);
    else
        table_continue(table, session->seat);
}

/* Starts another match, or asks the other player. */
static void ask_rematch(Session *session) {
    char memory[PROTO_SENTENCE_MAX + 1];
    MashText reason = text_over(memory, sizeof memory);
    if (table_rematch(session->table, session->seat, &reason))
        return;
    if (reason.count > 0)
        arena_refuse_because(session, REFUSAL_QUOTA, memory);
    else
        arena_refuse(session, REFUSAL_FULL);
}

/* Asks for a rematch. */
static void handle_rematch(Session *session) {
    Table *table = session->table;
    if (table == NULL)
        arena_refuse(session, REFUSAL_NOT_AT_A_TABLE);
    else if (session->seat >= MASH_SEATS)
        arena_refuse(session, REFUSAL_NOT_SEATED);
    else if (table->config.tournament != 0)
        arena_refuse(session, REFUSAL_NO_REMATCH);
    else if (table->state != PROTO_STATE_OVER)
        arena_refuse(session, REFUSAL_STILL_RUNNING);
    else if (session->server->draining)
        arena_refuse(session, REFUSAL_CLOSING);
    else
        ask_rematch(session);
}

/* Takes one request from the rate limit; the rate is the server's times `times`. */
static bool within_rate(const Session *session, TokenBucket *bucket, uint32_t times) {
    NetRate rate = session->server->setup.request_rate;
    rate.per_second *= times;
    rate.burst *= times;
    return token_bucket_take(bucket, rate, net_now_ms(session->server->loop), 1);
}

/* Sends a chat message. */
static void handle_chat(Session *session, const Message *request) {
    Table *table = session->table;
    if (table == NULL) {
        arena_refuse(session, REFUSAL_NOT_AT_A_TABLE);
        return;
    }
    if (session->seat >= MASH_SEATS && !within_rate(session, &table->chats, WATCHERS_CHAT_SHARE)) {
        arena_refuse_because(session, REFUSAL_TOO_FAST,
                             "Too much chat in this match. Try again in a moment.");
        return;
    }
    if (admin_ban(session->server, BAN_CHAT, session->address) != NULL) {
        arena_refuse(session, REFUSAL_MUTED);
        return;
    }
    Message message = message_new(MESSAGE_SERVER_CHAT);
    MashText text = text_over(message.chat_line.text, sizeof message.chat_line.text);
    if (message_has(request, "phrase"))
        text_string(&text, phrase_words(request->chat.phrase));
    else
        text_string(&text, request->chat.text);
    if (!session_sanitize(message.chat_line.text)) {
        arena_refuse_because(session, REFUSAL_MALFORMED,
                             "That message contains no allowed characters.");
        return;
    }
    uint32_t phrase = phrase_of(message.chat_line.text);
    if (table->config.phrases && phrase >= PROTO_PHRASE_COUNT) {
        arena_refuse(session, REFUSAL_ONLY_PHRASES);
        return;
    }
    memcpy(message.chat_line.code, table->code, sizeof table->code);
    memcpy(message.chat_line.name, session->name, sizeof session->name);
    message.chat_line.seat = session->seat;
    message.chat_line.phrase = (uint8_t)(phrase % PROTO_PHRASE_COUNT);
    if (phrase < PROTO_PHRASE_COUNT)
        message_set_present(&message, "phrase");
    session->server->stats.chats++;
    records_write_chat(table, &message);
    history_keep_chat(table, &message.chat_line, session->player == NULL ? 0 : session->player->id);
    people_send_chat(session, &message);
}

/* Leaves a turn with the server. */
static void handle_prepare(Session *session, const Message *request) {
    if (require_running_match(session))
        prepared_request(session, request);
}

/* Leaves the table. */
static void handle_leave(Session *session) {
    if (session->table == NULL) {
        arena_refuse(session, REFUSAL_NOT_AT_A_TABLE);
        return;
    }
    table_leave(session, false);
    arena_done(session);
}

/* --- Receiving ------------------------------------------------------------------------------- */

/* Is the request about accounts, people and matches over days? */
static bool is_about_players(MessageKind kind) {
    return players_handle(kind) || people_handle(kind) || kind == MESSAGE_CLIENT_NOTICES ||
           kind == MESSAGE_CLIENT_PREPARE;
}

/* Dispatches one of these. */
static void dispatch_players(Session *session, const Message *request) {
    if (request->kind == MESSAGE_CLIENT_NOTICES)
        notices_request(session, request);
    else if (request->kind == MESSAGE_CLIENT_PREPARE)
        handle_prepare(session, request);
    else if (people_handle(request->kind))
        people_request(session, request);
    else
        players_request(session, request);
}

/* Does the request cost the server, or everybody at the table, more than one answer? */
static bool is_rate_limited(MessageKind kind) {
    return kind == MESSAGE_CLIENT_GAMES || kind == MESSAGE_CLIENT_MATCHES ||
           kind == MESSAGE_CLIENT_SEEK || kind == MESSAGE_CLIENT_OPEN ||
           kind == MESSAGE_CLIENT_JOIN || kind == MESSAGE_CLIENT_RETURN ||
           kind == MESSAGE_CLIENT_WATCH || kind == MESSAGE_CLIENT_REMATCH ||
           kind == MESSAGE_CLIENT_CHAT || kind == MESSAGE_CLIENT_UNDO ||
           kind == MESSAGE_CLIENT_TAKEBACK || kind == MESSAGE_CLIENT_LEAVER ||
           is_about_players(kind) ||
           (kind >= MESSAGE_CLIENT_TOURNAMENTS && kind <= MESSAGE_CLIENT_TOURNAMENT_MANAGE);
}

/* How many additional messages a request counts for in the rate limit of its address. It is about
 * its work in the loop: a plain message takes some 4 microseconds, an action 25, a board or a list
 * more by its size. */
static uint32_t cost_of(const Session *session, MessageKind kind) {
    enum { LIST = 40 };
    if (is_rate_limited(kind))
        return LIST;
    bool acts = kind == MESSAGE_CLIENT_ACT || kind == MESSAGE_CLIENT_ACTS;
    return acts ? session_action_cost(session) : 0;
}

/* Dispatches a request about tournaments. */
static void dispatch_tournament(Session *session, const Message *request) {
    switch (request->kind) {
    case MESSAGE_CLIENT_TOURNAMENTS:
        contest_list(session);
        break;
    case MESSAGE_CLIENT_TOURNAMENT_CREATE:
        contest_create(session, request);
        break;
    case MESSAGE_CLIENT_TOURNAMENT_WATCH:
        contest_watch(session, request);
        break;
    case MESSAGE_CLIENT_TOURNAMENT_JOIN:
        contest_join(session, request);
        break;
    case MESSAGE_CLIENT_TOURNAMENT_LEAVE:
        contest_leave(session);
        break;
    case MESSAGE_CLIENT_TOURNAMENT_PAGE:
        contest_page(session, request);
        break;
    default:
        assert(request->kind == MESSAGE_CLIENT_TOURNAMENT_MANAGE);
        contest_manage(session, request);
    }
}

/* Dispatches a request that is allowed now. */
static void dispatch(Session *session, const Message *request) {
    switch (request->kind) {
    case MESSAGE_CLIENT_HELLO:
        handle_hello(session, request);
        break;
    case MESSAGE_CLIENT_GAMES:
        lobby_games(session);
        break;
    case MESSAGE_CLIENT_MATCHES:
        lobby_matches(session, request);
        break;
    case MESSAGE_CLIENT_SEEK:
        lobby_seek(session, request);
        break;
    case MESSAGE_CLIENT_OPEN:
        lobby_open(session, request);
        break;
    case MESSAGE_CLIENT_JOIN:
        lobby_join(session, request);
        break;
    case MESSAGE_CLIENT_RETURN:
        lobby_return(session, request);
        break;
    case MESSAGE_CLIENT_WATCH:
        lobby_watch(session, request);
        break;
    case MESSAGE_CLIENT_ACT:
        handle_act(session, request);
        break;
    case MESSAGE_CLIENT_ACTS:
        handle_acts(session, request);
        break;
    case MESSAGE_CLIENT_DRAW:
        handle_draw(session, request);
        break;
    case MESSAGE_CLIENT_UNDO:
        handle_undo(session, request);
        break;
    case MESSAGE_CLIENT_TAKEBACK:
        handle_takeback(session, request);
        break;
    case MESSAGE_CLIENT_LEAVER:
        handle_leaver(session, request);
        break;
    case MESSAGE_CLIENT_RESIGN:
        handle_resign(session);
        break;
    case MESSAGE_CLIENT_PAUSE:
    case MESSAGE_CLIENT_CONTINUE:
        handle_pause(session, request->kind == MESSAGE_CLIENT_PAUSE);
        break;
    case MESSAGE_CLIENT_REMATCH:
        handle_rematch(session);
        break;
    case MESSAGE_CLIENT_CHAT:
        handle_chat(session, request);
        break;
    case MESSAGE_CLIENT_LEAVE:
        handle_leave(session);
        break;
    case MESSAGE_CLIENT_HERE:
        arena_done(session);
        break;
    default:
        if (is_about_players(request->kind))
            dispatch_players(session, request);
        else
            dispatch_tournament(session, request);
    }
}

/* Chat, lists and `here` do not clear the count of offences. */
static bool keeps_strikes(MessageKind kind) {
    return kind == MESSAGE_CLIENT_HERE || kind == MESSAGE_CLIENT_CHAT ||
           kind == MESSAGE_CLIENT_GAMES || kind == MESSAGE_CLIENT_MATCHES;
}

/* The first problem as a sentence. */
static void write_problem(const MashProblems *problems, MashText *text) {
    const MashProblem *first = &problems->list[0];
    if (first->path[0] != '\0')
        text_format(text, "%s: %s", first->path, first->reason);
    else
        text_format(text, "line %u, column %u: %s", first->line, first->column, first->reason);
}

/* A client message arrived. */
static void receive(Session *session, const char *bytes, uint32_t count) {
    Server *server = session->server;
    MashProblem list[SERVER_PROBLEMS_MAX];
    MashProblems problems = {.list = list, .max = SERVER_PROBLEMS_MAX};
    MessageMemory memory = {server->nodes, MESSAGE_NODES_MAX, server->pool, MESSAGE_POOL_BYTES};
    Message request;
    char reason[PROTO_SENTENCE_MAX + 1];
    MashText text = text_over(reason, sizeof reason);
    if (session->closing)
        return;
    if (bytes == NULL) {
        reject_frame(session, "Send text messages, not binary.");
        return;
    }
    MessageReadResult reading = message_read(&request, bytes, count, false, &memory, &problems);
    if (reading != MESSAGE_VALID)
        write_problem(&problems, &text);
    if (reading == MESSAGE_UNREADABLE) {
        reject_frame(session, reason);
        return;
    }
    server->request = (RequestContext){.to = message_type(request.kind)};
    if (message_has(&request, "id")) {
        server->request.has_id = true;
        server->request.id = request.here.id; /* the first field of every request */
    }
    session_mark_active(session);
    if (reading == MESSAGE_INVALID)
        arena_refuse_because(session, REFUSAL_MALFORMED, reason);
    else if (!session->said_hello && request.kind != MESSAGE_CLIENT_HELLO)
        arena_refuse(session, REFUSAL_HELLO_FIRST);
    else if (is_rate_limited(request.kind) && !within_rate(session, &session->requests, 1))
        arena_refuse(session, REFUSAL_TOO_FAST);
    else {
        budget_charge(session, cost_of(session, request.kind));
        dispatch(session, &request);
    }
    if (!server->request.refused && !keeps_strikes(request.kind))
        *session_strikes(session) = 0;
}

/* --- The protocol ----------------------------------------------------------------------------- */

/* Accepts connections to /arena from programs and from pages that may connect to this server. */
static uint16_t accept(Session *session, const NetRequest *request) {
    Server *server = session->server;
    if (strcmp(request->path, "/arena") != 0)
        return PROTOCOL_OTHER;
    if (strange_name(server, request))
        return 403;
    if (!welcome_page(server, request)) {
        server_log(server, LOG_WARNING, "refused a connection from web origin %s", request->origin);
        return 403;
    }
    return NET_ACCEPT;
}

/* A message was dropped. */
static void dropped(Session *session) {
    session->server->request = (RequestContext){.to = NULL};
    arena_refuse_because(session, REFUSAL_TOO_FAST,
                         "Too many messages from your address. Try again in a second.");
}

const ServerProtocol arena_protocol = {
    .id = "arena",
    .accept = accept,
    .receive = receive,
    .dropped = dropped,
    .joined = arena_joined,
    .acted = arena_acted,
    .notify = arena_notify,
    .part = arena_part,
};
