/* session.c -- see session.h: one connection, from its opening to its end, and its offences. Its
 * messages are handled by its protocol. */
#include "server/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "server/actions.h"
#include "server/contest.h"
#include "server/days.h"
#include "server/internal.h"
#include "server/people.h"

enum { STRIKES_COUNTED_MAX = 9999 };

/* --- Offences --------------------------------------------------------------------------------- */

bool session_plays(const Session *session) {
    return session->table != NULL && session->seat < MASH_SEATS && table_is_running(session->table);
}

uint32_t *session_strikes(Session *session) {
    return session_plays(session) ? &session->table->chairs[session->seat].strikes
                                  : &session->strikes;
}

void session_disqualify(Session *session, uint8_t reason, const char *why) {
    if (!session_plays(session))
        return;
    server_log(session->server, LOG_INFO, "seat %u of match %s (%s) is disqualified: %s",
               session->seat, session->table->code, session->name, why);
    actions_apply_as_server(session->table, MASH_VERB_FORFEIT, session->seat, reason);
}

void session_add_strike(Session *session) {
    uint32_t *strikes = session_strikes(session);
    *strikes += *strikes < STRIKES_COUNTED_MAX;
    session->server->stats.offences++;
}

void session_enforce_strikes(Session *session, uint8_t reason, const char *last) {
    uint32_t most = session->server->setup.strikes;
    if (most == 0 || *session_strikes(session) < most)
        return;
    if (session_plays(session)) {
        char memory[PROTO_SENTENCE_MAX + 1];
        MashText why = text_over(memory, sizeof memory);
        text_format(&why, "%u offences in a row, the last: %s", (unsigned)*session_strikes(session),
                    last);
        session_disqualify(session, reason, memory);
        return;
    }
    session->closing = true;
    net_close(session->connection, NET_CLOSE_POLICY, "disconnected: too many offences");
}

void session_fault(Session *session) {
    net_close(session->connection, NET_CLOSE_INTERNAL_ERROR, "a message could not be written");
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

/* --- Connecting and disconnecting ------------------------------------------------------------- */

Session *session_open(Server *server, NetConnection *connection) {
    Session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    session->server = server;
    session->connection = connection;
    session->seat = MASH_SEAT_NONE;
    session->contestant = CONTEST_NONE;
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
    contest_forget(session);
    SERVER_UNLINK(session->server->sessions, session, before_all, next_all);
    session->server->sessions_count--;
    reader_forget(session->server, session);
    players_forget(session);
    days_forget(session);
    notices_forget(session);
    people_forget(session);
    relay_end(session, NET_CLOSE_GOING_AWAY);
    account_leave(session->server, session->account);
    free(session->protocol_data);
    free(session);
}

uint32_t session_form(const Session *session) {
    const Table *table = session->table;
    bool spoken = table != NULL && table->config.content->texts[session->language] != NULL;
    uint32_t language = spoken ? session->language : LANGUAGE_USUAL;
    return session->form == PROTO_FORM_BYTES ? 0 : 1 + 2 * language + session->with_text;
}

/* Is the character invisible, or does it change the writing direction? */
static bool is_invisible(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x34F ||
           code == 0x61C || code == 0x115F || code == 0x1160 || code == 0x17B4 || code == 0x17B5 ||
           (code >= 0x180B && code <= 0x180F) || code == 0x3164 || code == 0xFFA0 ||
           (code >= 0xFE00 && code <= 0xFE0F) || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
           code == 0xFEFF || (code >= 0xFFF0 && code <= 0xFFFB) ||
           (code >= 0xE0000 && code <= 0xE0FFF);
}

/* Is it white space of any kind? */
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

/* --- At a table ------------------------------------------------------------------------------- */

uint32_t session_action_cost(const Session *session) {
    enum { CELLS = 64, ACTION = 5 };
    if (session->table == NULL)
        return 0;
    const MashLimits *terms = &session->table->config.content->content->limits;
    return ACTION + (uint32_t)terms->width * terms->height / CELLS;
}

/* --- Receiving -------------------------------------------------------------------------------- */

void session_mark_active(Session *session) {
    Table *table = session->table;
    if (!session_plays(session))
        return;
    clock_mark_active(&table->clock, server_now_ms(session->server), session->seat);
    if (table->clock.limits.silence_ms > 0)
        table_set_timer(table);
}
