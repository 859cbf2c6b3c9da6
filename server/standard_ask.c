/* standard_ask.c -- see standard.h: what a client of the standard may ask for while it is at a
 * table, and what follows when it may not. */
#include "server/standard.h"

enum { LATE_MS = 500, STRIKES_MAX = 9999 };

/* --- Refusals --------------------------------------------------------------------------------- */

void talk_disqualify(Session *session, const char *why) {
    Table *table = session->table;
    if (table != NULL && session->seat < MASH_SEATS && table_plays(table)) {
        house_log(session->server, LOG_INFO, "seat %u of match %s (%s) is disqualified: %s",
                  session->seat, table->code, session->name, why);
        play_house(table, MASH_VERB_FORFEIT, session->seat, MASH_REASON_DISQUALIFIED);
    }
}

/* The state alone. */
static void say_state(Session *session) { talk_say_events(session, NULL, 0, true); }

static void nack(Session *session) {
    StandardMessage message = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_NACK);
    session->server->figures.refusals++;
    talk_say_events(session, &message, 1, true);
}

/* A refusal that counts: enough of them in a row cost the match. */
static bool strike(Session *session) {
    Chair *chair = &session->table->chairs[session->seat];
    uint32_t most = session->server->setup.strikes;
    nack(session);
    session->server->figures.offences++;
    chair->strikes += chair->strikes < STRIKES_MAX;
    if (most > 0 && chair->strikes >= most)
        talk_disqualify(session, "too many requests were refused");
    return false;
}

static bool refuse_without_strike(Session *session) {
    nack(session);
    return false;
}

/* --- What players ask ------------------------------------------------------------------------- */

static bool ask_pause(Session *session, bool pause) {
    Table *table = session->table;
    if (session->talk->role != STANDARD_ROLE_PLAYER)
        return table_stands(table) ? refuse_without_strike(session) : strike(session);
    if (pause == table->clock.paused || (pause && table->setting.clocks.pause_ms == 0) ||
        clock_held(&table->clock))
        return refuse_without_strike(session);
    session->server->asker = session;
    if (pause)
        table_pause(table, session->seat);
    else
        table_continue(table, session->seat);
    session->server->asker = NULL;
    table->chairs[session->seat].strikes = 0;
    return true;
}

/* Is a request that cannot be done merely late? Its character's turn is over, or the turn ran out a
 * moment ago, or the seat was on turn just before and is not, or not with this character. */
static bool late(const Session *session, const StandardMessage *request, StandardVerdict verdict,
                 bool elsewhere) {
    const Table *table = session->table;
    const Speech *speech = table->speech;
    const Chair *chair = &table->chairs[session->seat];
    uint64_t now_ms = net_now_ms(session->server->loop);
    bool recent = speech->recent[0] == session->seat || speech->recent[1] == session->seat;
    if (verdict == STANDARD_LATE)
        return true;
    if (request->row == STANDARD_REQUEST_END && chair->timed_out_ms != 0 &&
        now_ms - chair->timed_out_ms < LATE_MS)
        return true;
    return recent && elsewhere;
}

/* An action of the game. */
static bool ask_action(Session *session, const StandardMessage *request) {
    Table *table = session->table;
    Server *server = session->server;
    Speech *speech = talk_speech(table);
    const MashContent *content = table->match.content;
    MashAction action;
    uint32_t turn;
    Refusal why;
    if (speech == NULL || !table_plays(table))
        return false;
    if (speech->tongue->choosing(content, table->match.state, MASH_SEAT_NONE)) {
        talk_misunderstand(session, "Teams are still being chosen.");
        return false;
    }
    if (table_stands(table))
        return refuse_without_strike(session);
    StandardVerdict verdict =
        speech->tongue->action(speech->speech, table->match.state, session->seat, request, &action);
    bool on_turn = speech->tongue->on_turn(content, table->match.state, &turn) == session->seat;
    bool elsewhere =
        !on_turn || (action.unit != MASH_UNIT_NONE &&
                     !speech->tongue->is_active(content, table->match.state, action.unit));
    if (late(session, request, verdict, elsewhere)) {
        say_state(session);
        return false;
    }
    if (verdict != STANDARD_FINE)
        return strike(session);
    server->asker = session;
    MashStatus status = play_act(table, action, &why);
    server->asker = NULL;
    if (status == MASH_OK) {
        table->chairs[session->seat].strikes = 0;
        return true;
    }
    return why != REFUSAL_COUNT ? refuse_without_strike(session) : strike(session);
}

/* A player gives up, also while teams are chosen. */
static void ask_to_leave(Session *session) {
    Table *table = session->table;
    Server *server = session->server;
    Refusal why;
    if (session->seat >= MASH_SEATS || !table_plays(table)) {
        talk_goodbye(session, "goodbye", NET_CLOSE_NORMAL);
        return;
    }
    server->asker = session;
    play_act(table, (MashAction){.verb = MASH_VERB_RESIGN, .seat = session->seat}, &why);
    server->asker = NULL;
}

/* --- All requests ----------------------------------------------------------------------------- */

/* A spectator is told once that it only watches. */
static bool refuse_spectator(Session *session) {
    if (session->talk->warned) {
        talk_goodbye(session, "A spectator only watches.", NET_CLOSE_POLICY);
        return false;
    }
    session->talk->warned = true;
    return refuse_without_strike(session);
}

bool talk_ask(Session *session, StandardReading reading, const StandardMessage *request) {
    Table *table = session->table;
    bool plays = session->seat < MASH_SEATS;
    if (plays && table_plays(table))
        table->chairs[session->seat].asked = true;
    if (reading == STANDARD_READ) {
        switch (request->row) {
        case STANDARD_REQUEST_STATE:
            if (table->state != PROTO_STATE_WAITING)
                say_state(session);
            return true;
        case STANDARD_REQUEST_DISCONNECT:
            ask_to_leave(session);
            return false;
        case STANDARD_REQUEST_CUSTOM:
            return true;
        default:
            break;
        }
    }
    if (table_plays(table) && match_result(&table->match).over)
        return false; /* the end is on its way */
    if (!plays)
        return refuse_spectator(session);
    if (!table_plays(table))
        return refuse_without_strike(session);
    if (reading != STANDARD_READ)
        return table_stands(table) ? refuse_without_strike(session) : strike(session);
    if (request->row == STANDARD_REQUEST_PAUSE_START || request->row == STANDARD_REQUEST_PAUSE_STOP)
        return ask_pause(session, request->row == STANDARD_REQUEST_PAUSE_START);
    return ask_action(session, request);
}
