/* session.c -- see session.h: one connection, from its hello to its end. Reads what comes, asks
 * whether it is allowed now, and hands it on; every wish is answered. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "server/actions.h"
#include "server/admin.h"
#include "server/internal.h"
#include "server/lobby.h"
#include "server/protocol.h"
#include "server/session.h"

/* --- Answers ---------------------------------------------------------------------------------- */

void session_send(Session *session, const Message *message) {
    if (talk_speaks(session))
        return;
    NetFrame *frame = server_frame(session->server, message);
    if (frame == NULL)
        session_fault(session);
    else
        net_send(session->connection, frame);
    net_frame_release(frame);
}

void session_fault(Session *session) {
    net_close(session->connection, NET_CLOSE_INTERNAL_ERROR, "a message could not be written");
}

void session_done(Session *session) {
    const RequestContext *asking = &session->server->request;
    Message message = message_new(MESSAGE_SERVER_DONE);
    MashText to = text_over(message.done.to, sizeof message.done.to);
    text_string(&to, asking->to);
    message.done.id = asking->id;
    if (asking->has_id)
        message_set_present(&message, "id");
    session_send(session, &message);
}

/* Where offences are counted: at the seat while its match is on, so that coming back clears
 * nothing. */
static uint32_t *strikes_of(Session *session) {
    bool plays =
        session->table != NULL && session->seat < MASH_SEATS && table_is_running(session->table);
    return plays ? &session->table->chairs[session->seat].strikes : &session->strikes;
}

/* The seat loses its match, if it has one that is on. */
static void disqualify(Session *session) {
    if (session->table == NULL || session->seat >= MASH_SEATS || !table_is_running(session->table))
        return;
    server_log(session->server, LOG_INFO, "seat %u of match %s (%s) is disqualified", session->seat,
               session->table->code, session->name);
    actions_apply_as_server(session->table, MASH_VERB_FORFEIT, session->seat,
                            MASH_REASON_DISQUALIFIED);
}

/* Enough is enough: the match is lost, or the connection if there is none to lose. */
static void enforce_strikes(Session *session, const uint32_t *strikes) {
    uint32_t most = session->server->setup.strikes;
    if (most == 0 || *strikes < most)
        return;
    if (strikes != &session->strikes) {
        disqualify(session);
        return;
    }
    session->closing = true;
    net_close(session->connection, NET_CLOSE_POLICY, "too many offences");
}

/* Answers with a refusal and counts it. */
static void refuse(Session *session, const char *code, const char *reason, bool offence) {
    Server *server = session->server;
    Message message = message_new(MESSAGE_SERVER_REFUSED);
    MashText code_text = text_over(message.refused.code, sizeof message.refused.code);
    MashText text = text_over(message.refused.reason, sizeof message.refused.reason);
    uint32_t *strikes = strikes_of(session);
    text_string(&code_text, code);
    text_string(&text, reason);
    session_sanitize(message.refused.reason); /* it may quote what was said */
    if (server->request.to != NULL) {
        MashText to = text_over(message.refused.to, sizeof message.refused.to);
        text_string(&to, server->request.to);
        message_set_present(&message, "to");
    }
    message.refused.id = server->request.id;
    if (server->request.has_id)
        message_set_present(&message, "id");
    if (session->table != NULL && session->seat < MASH_SEATS && table_is_running(session->table)) {
        message.refused.position = (int32_t)session->table->chairs[session->seat].number;
        message_set_present(&message, "position");
    }
    *strikes += offence && *strikes < 9999;
    message.refused.offence = offence;
    message.refused.strikes = (int32_t)*strikes;
    server->request.refused = true;
    server->figures.refusals++;
    server->figures.offences += offence;
    session_send(session, &message);
    if (offence)
        enforce_strikes(session, strikes);
}

void session_refuse(Session *session, Refusal refusal) {
    session_refuse_because(session, refusal, refusal_sentence(refusal));
}

void session_refuse_because(Session *session, Refusal refusal, const char *reason) {
    refuse(session, refusal_code(refusal), reason, refusal_offence(refusal));
}

void session_refuse_status(Session *session, MashStatus status) {
    bool offence = strcmp(session->server->request.to, message_type(MESSAGE_CLIENT_ACT)) == 0;
    refuse(session, mash_status_id(status), mash_status_sentence(status), offence);
}

void session_reject_frame(Session *session, const char *reason) {
    session->server->request = (RequestContext){.to = NULL};
    if (session->closing)
        return;
    session->closing = true;
    session_refuse_because(session, REFUSAL_BROKEN, reason);
    disqualify(session);
    net_close(session->connection, NET_CLOSE_POLICY, "that was no message");
}

void session_log(const Session *session, const char *format, ...) {
    const Server *server = session->server;
    char memory[PROTO_SENTENCE_MAX + 1];
    MashText text = text_over(memory, sizeof memory);
    va_list list;
    va_start(list, format);
    text_format_va(&text, format, list);
    va_end(list);
    server_log(server, server->setup.log_people ? LOG_INFO : LOG_DEBUG,
               "connection #%u of %s%s%s %s", session->number, session->address,
               session->name[0] == '\0' ? "" : ", ", session->name, memory);
}

/* --- Coming and going ------------------------------------------------------------------------- */

/* A session for a connection. */
Session *session_open(Server *server, NetConnection *connection) {
    Session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->server = server;
    session->connection = connection;
    session->seat = MASH_SEAT_NONE;
    session->number = ++server->sessions_ever;
    session->next_all = server->sessions;
    if (server->sessions != NULL)
        server->sessions->before_all = session;
    server->sessions = session;
    server->sessions_count++;
    return session;
}

void session_close(Session *session) {
    if (session->table != NULL)
        table_leave(session, true);
    if (session->before_all != NULL)
        session->before_all->next_all = session->next_all;
    else
        session->server->sessions = session->next_all;
    if (session->next_all != NULL)
        session->next_all->before_all = session->before_all;
    session->server->sessions_count--;
    reader_forget(session->server, session);
    account_leave(session->server, session->account);
    free(session->protocol_data);
    free(session);
}

uint32_t session_form(const Session *session) {
    return session->form == PROTO_FORM_BYTES ? 2 : session->with_text ? 1 : 0;
}

/* Draws nothing, or turns the writing around. */
static bool is_invisible(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x34F ||
           code == 0x61C || code == 0x115F || code == 0x1160 || code == 0x17B4 || code == 0x17B5 ||
           (code >= 0x180B && code <= 0x180F) || code == 0x3164 || code == 0xFFA0 ||
           (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
           code == 0xFEFF || (code >= 0xFFF0 && code <= 0xFFFB) ||
           (code >= 0xE0000 && code <= 0xE0FFF);
}

/* Is it a blank of any kind? */
static bool is_blank(uint32_t code) {
    return code == ' ' || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
           code == 0x202F || code == 0x205F || code == 0x2800 || code == 0x3000;
}

bool session_sanitize(char *words) {
    uint32_t count = (uint32_t)strlen(words), kept = 0;
    bool gap = false;
    for (uint32_t i = 0; i < count;) {
        uint32_t length = utf8_length(words + i, count - i);
        uint32_t code = length == 0 ? 0 : utf8_decode(words + i, length);
        if (is_blank(code)) {
            gap = kept > 0;
        } else if (length > 0 && !is_invisible(code)) {
            if (gap)
                words[kept++] = ' ';
            gap = false;
            memmove(words + kept, words + i, length);
            kept += length;
        }
        i += length == 0 ? 1 : length;
    }
    words[kept] = '\0';
    return kept > 0;
}

/* The ids of all games. */
static void write_game_ids(MashText *text) {
    JsonWriter writer = json_writer(text, 0);
    json_open(&writer, '[');
    for (const MashGame *const *game = mash_games; *game != NULL; game++)
        json_put_string(&writer, (*game)->id);
    json_close(&writer, ']');
}

/* The first wish: who are you? */
static void handle_hello(Session *session, const Message *wish) {
    if (session->said_hello) {
        session_refuse(session, REFUSAL_HELLO_TWICE);
        return;
    }
    if (message_has(wish, "protocol") && wish->hello.protocol != PROTO_VERSION) {
        session_refuse(session, REFUSAL_OTHER_VERSION);
        return;
    }
    memcpy(session->name, wish->hello.name, sizeof session->name);
    if (!session_sanitize(session->name)) {
        session_refuse(session, REFUSAL_NO_NAME);
        return;
    }
    session->role = wish->hello.role;
    session->form = wish->hello.view;
    session->with_text = wish->hello.words;
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
    session_send(session, &message);
}

/* --- At a table ------------------------------------------------------------------------------- */

/* The session's seat in a match that is on; false: it was refused. */
static bool require_running_match(Session *session) {
    Refusal refusal = session->table == NULL              ? REFUSAL_NOT_AT_A_TABLE
                      : session->seat >= MASH_SEATS       ? REFUSAL_NOT_SEATED
                      : !table_is_running(session->table) ? REFUSAL_NOT_RUNNING
                                                          : REFUSAL_COUNT;
    if (refusal == REFUSAL_COUNT)
        return true;
    session_refuse(session, refusal);
    return false;
}

/* Does it and answers if it was refused; otherwise the position is the answer. */
static void act(Session *session, MashAction action) {
    Refusal why;
    MashStatus status = actions_apply(session->table, action, &why);
    if (status == MASH_OK)
        return;
    if (why != REFUSAL_COUNT)
        session_refuse(session, why);
    else
        session_refuse_status(session, status);
}

/* The listed action of these words. */
static bool find_by_notation(Session *session, const char *word, MashAction *out) {
    Table *table = session->table;
    const MashContent *content = table->match.content;
    const void *view = positions_view(table, session->seat);
    MashAction *list =
        scratch_take(&session->server->position, (content->limits.actions_max + 1) * sizeof *list);
    if (list == NULL)
        return false;
    uint32_t count = content->game->actions(content, view, session->seat, list);
    for (uint32_t i = 0; i < count; i++) {
        char memory[PROTO_NOTATION_MAX + 1];
        MashText text = text_over(memory, sizeof memory);
        content->game->notation(content, view, list[i], &text);
        if (text_equal_nocase(memory, word)) {
            *out = list[i];
            return true;
        }
    }
    return false;
}

/* The action of a wish, in whichever spelling; false: it was refused. */
static bool action_of_request(Session *session, const Message *wish, MashAction *action) {
    const CLIENT_ACT_FIELDS *act = &wish->act;
    if (message_has(wish, "word")) {
        if (find_by_notation(session, act->word, action))
            return true;
        session_refuse(session, REFUSAL_NO_SUCH_WORD);
        return false;
    }
    if (message_has(wish, "action")) {
        action_from_hex(act->action, action);
        action->seat = session->seat;
        return true;
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

/* An action, in any of its spellings. */
static void handle_act(Session *session, const Message *wish) {
    MashAction action;
    if (!require_running_match(session))
        return;
    uint32_t number = session->table->chairs[session->seat].number;
    if ((uint32_t)wish->act.position != number) {
        session_refuse(session, (uint32_t)wish->act.position < number ? REFUSAL_LATE
                                                                      : REFUSAL_NO_SUCH_POSITION);
        return;
    }
    if (table_is_paused(session->table)) {
        session_refuse(session, REFUSAL_PAUSED);
        return;
    }
    if (!action_of_request(session, wish, &action))
        return;
    if (action.verb >= MASH_VERB_RESIGN)
        session_refuse_status(session, MASH_NO_SUCH_ACTION);
    else
        act(session, action);
}

/* Something about a draw. */
static void handle_draw(Session *session, const Message *wish) {
    static const uint8_t verbs[] = {[PROTO_DRAW_OFFER] = MASH_VERB_DRAW_OFFER,
                                    [PROTO_DRAW_ACCEPT] = MASH_VERB_DRAW_ACCEPT,
                                    [PROTO_DRAW_DECLINE] = MASH_VERB_DRAW_DECLINE};
    if (!require_running_match(session))
        return;
    if (table_is_paused(session->table))
        session_refuse(session, REFUSAL_PAUSED);
    else
        act(session, (MashAction){.verb = verbs[wish->draw.what], .seat = session->seat});
}

/* Gives up. */
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
        session_refuse(session, REFUSAL_ONLY_PEOPLE);
    else if (pause && table->setting.clocks.pause_ms == 0)
        session_refuse(session, REFUSAL_NO_PAUSES);
    else if ((pause && table->clock.paused) || clock_is_frozen(&table->clock))
        session_refuse(session, REFUSAL_PAUSED);
    else if (pause && !table_may_pause(table, session->seat))
        session_refuse(session, REFUSAL_NO_MORE_PAUSES);
    else if (!pause && !table->clock.paused)
        session_refuse(session, REFUSAL_NOT_PAUSED);
    else if (pause && !table_pause_in_rate(table, session->seat))
        session_refuse(session, REFUSAL_TOO_FAST);
    else if (pause)
        table_pause(table, session->seat);
    else
        table_continue(table, session->seat);
}

/* Wants another match. */
static void handle_rematch(Session *session) {
    Table *table = session->table;
    if (table == NULL)
        session_refuse(session, REFUSAL_NOT_AT_A_TABLE);
    else if (session->seat >= MASH_SEATS)
        session_refuse(session, REFUSAL_NOT_SEATED);
    else if (table->state != PROTO_STATE_OVER)
        session_refuse(session, REFUSAL_STILL_RUNNING);
    else if (session->server->draining)
        session_refuse(session, REFUSAL_CLOSING);
    else
        table_rematch(table, session->seat);
}

/* Takes one from what may be had at this rate, times `times`; false: there is nothing left. */
static bool rate_limit_take(const Session *session, uint64_t *until_ms, uint32_t times) {
    NetRate rate = session->server->setup.talk;
    uint64_t now_ms = net_now_ms(session->server->loop);
    if (rate.per_second == 0)
        return true;
    uint64_t each_ms = 1000 / (rate.per_second * times);
    uint64_t paid_ms = (*until_ms > now_ms ? *until_ms : now_ms) + each_ms;
    if (paid_ms - now_ms > rate.burst * times * each_ms)
        return false;
    *until_ms = paid_ms;
    return true;
}

/* Does the wish cost the house or everybody at the table more than an answer? */
static bool is_rate_limited(MessageKind kind) {
    return kind == MESSAGE_CLIENT_GAMES || kind == MESSAGE_CLIENT_MATCHES ||
           kind == MESSAGE_CLIENT_SEEK || kind == MESSAGE_CLIENT_OPEN ||
           kind == MESSAGE_CLIENT_JOIN || kind == MESSAGE_CLIENT_RETURN ||
           kind == MESSAGE_CLIENT_WATCH || kind == MESSAGE_CLIENT_REMATCH ||
           kind == MESSAGE_CLIENT_CHAT;
}

uint32_t session_action_cost(const Session *session) {
    enum { CELLS = 64, ACTION = 5 };
    if (session->table == NULL)
        return 0;
    const MashLimits *terms = &session->table->setting.content->content->limits;
    return ACTION + (uint32_t)terms->width * terms->height / CELLS;
}

/* What a wish costs of the messages of its address beside one: about its work in the loop, where a
 * plain message takes some 4 microseconds, an action 25, a board or a list more by its size. */
static uint32_t cost_of(const Session *session, MessageKind kind) {
    enum { LIST = 40 };
    if (is_rate_limited(kind))
        return LIST;
    return kind == MESSAGE_CLIENT_ACT ? session_action_cost(session) : 0;
}

/* Says a line. */
static void handle_chat(Session *session, const Message *wish) {
    Table *table = session->table;
    if (table == NULL) {
        session_refuse(session, REFUSAL_NOT_AT_A_TABLE);
        return;
    }
    if (session->seat >= MASH_SEATS &&
        !rate_limit_take(session, &table->talk_ms, WATCHERS_CHAT_SHARE)) {
        session_refuse_because(session, REFUSAL_TOO_FAST, "Too many talk at this table.");
        return;
    }
    if (admin_ban(session->server, BAN_CHAT, session->address) != NULL) {
        session_refuse(session, REFUSAL_MUTED);
        return;
    }
    Message message = message_new(MESSAGE_SERVER_CHAT);
    memcpy(message.chat_line.text, wish->chat.text, sizeof message.chat_line.text);
    if (!session_sanitize(message.chat_line.text)) {
        session_refuse_because(session, REFUSAL_MALFORMED, "Nothing is left of that line.");
        return;
    }
    memcpy(message.chat_line.code, table->code, sizeof table->code);
    memcpy(message.chat_line.name, session->name, sizeof session->name);
    message.chat_line.seat = session->seat;
    session->server->figures.chats++;
    table_send_all(table, &message);
}

/* Leaves the table. */
static void handle_leave(Session *session) {
    if (session->table == NULL) {
        session_refuse(session, REFUSAL_NOT_AT_A_TABLE);
        return;
    }
    table_leave(session, false);
    session_done(session);
}

/* --- Hearing ---------------------------------------------------------------------------------- */

/* Does a wish that is allowed now. */
static void dispatch(Session *session, const Message *wish) {
    switch (wish->kind) {
    case MESSAGE_CLIENT_HELLO:
        handle_hello(session, wish);
        break;
    case MESSAGE_CLIENT_GAMES:
        lobby_games(session);
        break;
    case MESSAGE_CLIENT_MATCHES:
        lobby_matches(session, wish);
        break;
    case MESSAGE_CLIENT_SEEK:
        lobby_seek(session, wish);
        break;
    case MESSAGE_CLIENT_OPEN:
        lobby_open(session, wish);
        break;
    case MESSAGE_CLIENT_JOIN:
        lobby_join(session, wish);
        break;
    case MESSAGE_CLIENT_RETURN:
        lobby_return(session, wish);
        break;
    case MESSAGE_CLIENT_WATCH:
        lobby_watch(session, wish);
        break;
    case MESSAGE_CLIENT_ACT:
        handle_act(session, wish);
        break;
    case MESSAGE_CLIENT_DRAW:
        handle_draw(session, wish);
        break;
    case MESSAGE_CLIENT_RESIGN:
        handle_resign(session);
        break;
    case MESSAGE_CLIENT_PAUSE:
    case MESSAGE_CLIENT_CONTINUE:
        handle_pause(session, wish->kind == MESSAGE_CLIENT_PAUSE);
        break;
    case MESSAGE_CLIENT_REMATCH:
        handle_rematch(session);
        break;
    case MESSAGE_CLIENT_CHAT:
        handle_chat(session, wish);
        break;
    case MESSAGE_CLIENT_LEAVE:
        handle_leave(session);
        break;
    default:
        assert(wish->kind == MESSAGE_CLIENT_HERE);
        session_done(session);
    }
}

/* Small talk does not clear the count of offences. */
static bool keeps_strikes(MessageKind kind) {
    return kind == MESSAGE_CLIENT_HERE || kind == MESSAGE_CLIENT_CHAT ||
           kind == MESSAGE_CLIENT_GAMES || kind == MESSAGE_CLIENT_MATCHES;
}

void session_mark_active(Session *session) {
    Table *table = session->table;
    if (table == NULL || session->seat >= MASH_SEATS || !table_is_running(table))
        return;
    clock_mark_active(&table->clock, server_now_ms(session->server), session->seat);
    if (table->clock.limits.silence_ms > 0)
        table_set_timer(table);
}

/* The first problem as a sentence. */
static void write_problem(const MashProblems *problems, MashText *text) {
    const MashProblem *first = &problems->list[0];
    if (first->path[0] != '\0')
        text_format(text, "%s: %s", first->path, first->reason);
    else
        text_format(text, "line %u, column %u: %s", first->line, first->column, first->reason);
}

void session_receive(Session *session, const char *bytes, uint32_t count) {
    Server *server = session->server;
    MashProblem list[SERVER_PROBLEMS_MAX];
    MashProblems problems = {.list = list, .max = SERVER_PROBLEMS_MAX};
    MessageMemory memory = {server->nodes, MESSAGE_NODES_MAX, server->pool, MESSAGE_POOL_BYTES};
    Message wish;
    char reason[PROTO_SENTENCE_MAX + 1];
    MashText text = text_over(reason, sizeof reason);
    if (session->closing)
        return;
    MessageReadResult reading = message_read(&wish, bytes, count, false, &memory, &problems);
    if (reading != MESSAGE_VALID)
        write_problem(&problems, &text);
    if (reading == MESSAGE_UNREADABLE) {
        session_reject_frame(session, reason);
        return;
    }
    server->request = (RequestContext){.to = message_type(wish.kind)};
    if (message_has(&wish, "id")) {
        server->request.has_id = true;
        server->request.id = wish.here.id; /* the first field of every wish */
    }
    session_mark_active(session);
    if (reading == MESSAGE_INVALID)
        session_refuse_because(session, REFUSAL_MALFORMED, reason);
    else if (!session->said_hello && wish.kind != MESSAGE_CLIENT_HELLO)
        session_refuse(session, REFUSAL_HELLO_FIRST);
    else if (is_rate_limited(wish.kind) && !rate_limit_take(session, &session->talk_ms, 1))
        session_refuse(session, REFUSAL_TOO_FAST);
    else {
        budget_charge(session, cost_of(session, wish.kind));
        dispatch(session, &wish);
    }
    if (!server->request.refused && !keeps_strikes(wish.kind))
        *strikes_of(session) = 0;
}
