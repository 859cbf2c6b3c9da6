/* requests.c -- see internal.h: what a client of the standard may request while it is at a table,
 * and the consequences if it may not. */
#include "standard/server/internal.h"

/* LATE_MS: how long after a turn timed out its end may still arrive. STALE_MS: how long ago a
 * request may have been valid to count as sent before our last message arrived. */
enum { LATE_MS = 500, STALE_MS = 1000 };

/* --- Refusals --------------------------------------------------------------------------------- */

/* The state alone. */
static void send_state(Session *session) { standard_server_send_events(session, NULL, 0, true); }

/* Nack and the state. Clients with bare events act on every state that they see: while the match is
 * paused, one more would only make them ask again. */
static void nack(Session *session) {
    StandardMessage message = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_NACK);
    bool lures = standard_session(session)->bare && table_is_paused(session->table);
    session->server->stats.refusals++;
    standard_server_send_events(session, &message, 1, !lures);
}

void standard_server_dropped(Session *session) {
    StandardMessage message = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_NACK);
    session->server->stats.refusals++;
    if (standard_session(session)->phase == STANDARD_SESSION_TABLE && session->seat < MASH_SEATS)
        standard_server_send_events(session, &message, 1, false);
}

/* A refusal that counts: too many in a row cost the match. */
static bool strike(Session *session) {
    nack(session);
    session_add_strike(session);
    session_enforce_strikes(session, MASH_REASON_ILLEGAL, "a request that is not allowed now");
    return false;
}

/* Refuses a request that is not an offence. */
static bool refuse_without_strike(Session *session) {
    nack(session);
    return false;
}

/* --- Requests of players ---------------------------------------------------------------------- */

/* Requests a pause or its end. */
static bool ask_pause(Session *session, bool pause) {
    Table *table = session->table;
    if (standard_session(session)->role != STANDARD_ROLE_PLAYER)
        return table_is_paused(table) ? refuse_without_strike(session) : strike(session);
    if (pause == table->clock.paused || (pause && table->config.clocks.pause_ms == 0) ||
        (pause && !table_may_pause(table, session->seat)) || clock_is_frozen(&table->clock) ||
        (pause && !table_pause_in_rate(table, session->seat)))
        return refuse_without_strike(session);
    standard_server(session->server)->asker = session;
    if (pause)
        table_pause(table, session->seat);
    else
        table_continue(table, session->seat);
    standard_server(session->server)->asker = NULL;
    table->chairs[session->seat].strikes = 0;
    return true;
}

/* --- Late requests ---------------------------------------------------------------------------- */

/* Is the request valid in a state? And the turn of that state. */
static bool right_in(const StandardServerTable *own, const MashContent *content, const void *state,
                     uint8_t seat, const StandardMessage *request, uint32_t *turn) {
    MashAction action;
    return own->adapter->seat_to_move(content, state, turn) == seat &&
           own->adapter->decode_request(own->encoder, state, seat, request, &action) ==
               STANDARD_ACTION_FOUND &&
           content->game->check(content, state, action) == MASH_OK;
}

/* How many states before the current one were the newest within STALE_MS. */
static uint32_t stale_states(Table *table, uint64_t now_ms) {
    const StandardServerTable *own = standard_server_table(table);
    uint32_t count = 0, all = table->match.actions_count;
    while (count < all && count < STANDARD_DATED_STATES &&
           now_ms - own->sent_ms[(all - count) % STANDARD_DATED_STATES] < STALE_MS)
        count++;
    return count;
}

/* A request that is tested in old states. */
typedef struct RequestTrial {
    const StandardServerTable *own;
    const StandardMessage *request;
    uint8_t seat;
    uint32_t first, last; /* in the states after so many actions */
    bool right;
    uint32_t turn; /* in which it was last valid */
} RequestTrial;

/* Is it valid in this state? */
static void try_request(void *owner, const Match *again) {
    RequestTrial *trial = owner;
    uint32_t turn;
    if (again->actions_count >= trial->first && again->actions_count <= trial->last &&
        right_in(trial->own, again->content, again->state, trial->seat, trial->request, &turn)) {
        trial->right = true;
        trial->turn = turn;
    }
}

/* Was the request valid shortly before, and in which turn last? Then it was sent before later
 * messages arrived. The match is replayed up to there: refusals are rare, so no old states need be
 * kept. */
static bool was_right(const Session *session, const StandardMessage *request, uint32_t *turn) {
    Table *table = session->table;
    uint32_t count = table->match.actions_count;
    uint32_t stale = stale_states(table, server_now_ms(session->server));
    if (stale == 0)
        return false;
    RequestTrial trial = {.own = standard_server_table(table),
                          .request = request,
                          .seat = session->seat,
                          .first = count - stale,
                          .last = count - 1};
    standard_server_play_again(table, try_request, &trial);
    *turn = trial.turn;
    return trial.right;
}

/* A client that sends requests twice may also send the end of the turn twice, and must not lose its
 * next turn by it. */
static bool ends_twice(const Session *session, const StandardMessage *request, uint64_t now_ms) {
    StandardSeat *seat = standard_seat(session);
    bool twice = request->row == STANDARD_REQUEST_END && seat->stale_ms != 0 &&
                 now_ms - seat->stale_ms < STALE_MS &&
                 standard_server_table(session->table)->turn != seat->stale_turn;
    if (twice)
        seat->stale_ms = 0;
    return twice;
}

/* Is an impossible request merely late? Its character's turn is over, or the turn timed out shortly
 * before, or it was the seat's turn, or its turn with this character, until shortly before. */
static bool late(const Session *session, const StandardMessage *request, StandardVerdict verdict,
                 bool elsewhere) {
    const StandardServerTable *own = standard_server_table(session->table);
    const StandardSeat *seat = &own->seats[session->seat];
    uint64_t now_ms = server_now_ms(session->server);
    bool recent = own->recent[0] == session->seat || own->recent[1] == session->seat;
    if (verdict == STANDARD_ACTION_LATE || ends_twice(session, request, now_ms))
        return true;
    if (request->row == STANDARD_REQUEST_END && seat->timed_out_ms != 0 &&
        now_ms - seat->timed_out_ms < LATE_MS)
        return true;
    return recent && elsewhere;
}

/* A request that the board or the rules refuse: an offence, unless it was valid shortly before.
 * Finding that out means replaying a whole match, so beyond the rate limit it is not checked. */
static bool refuse(Session *session, const StandardMessage *request) {
    static const NetRate replays = {.per_second = 5, .burst = 10};
    StandardSeat *seat = standard_seat(session);
    uint32_t turn = 0;
    if (!token_bucket_take(&seat->replays, replays, net_now_ms(session->server->loop), 1))
        return refuse_without_strike(session);
    if (!was_right(session, request, &turn))
        return strike(session);
    seat->stale_ms = server_now_ms(session->server);
    seat->stale_turn = turn;
    send_state(session);
    return false;
}

/* An action of the game. */
static bool ask_action(Session *session, const StandardMessage *request) {
    Table *table = session->table;
    Server *server = session->server;
    StandardServerTable *own = standard_server_encoding(table);
    const MashContent *content = table->match.content;
    MashAction action;
    uint32_t turn;
    Refusal why;
    if (own == NULL || !table_is_running(table))
        return false;
    if (own->adapter->is_drafting(content, table->match.state, MASH_SEAT_NONE)) {
        standard_server_reject_frame(session, "Teams are still being chosen.");
        return false;
    }
    if (table_is_paused(table))
        return refuse_without_strike(session);
    StandardVerdict verdict = own->adapter->decode_request(own->encoder, table->match.state,
                                                           session->seat, request, &action);
    bool on_turn = own->adapter->seat_to_move(content, table->match.state, &turn) == session->seat;
    bool elsewhere =
        !on_turn || (action.unit != MASH_UNIT_NONE &&
                     !own->adapter->is_active(content, table->match.state, action.unit));
    if (late(session, request, verdict, elsewhere)) {
        send_state(session);
        return false;
    }
    if (verdict != STANDARD_ACTION_FOUND)
        return refuse(session, request);
    standard_server(server)->asker = session;
    MashStatus status = actions_apply(table, action, &why);
    standard_server(server)->asker = NULL;
    if (status == MASH_OK) {
        table->chairs[session->seat].strikes = 0;
        return true;
    }
    return why != REFUSAL_COUNT ? refuse_without_strike(session) : refuse(session, request);
}

/* --- The choice ------------------------------------------------------------------------------- */

/* How many are in the set. */
static uint32_t count_bits(uint32_t set) {
    uint32_t count = 0;
    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

/* Sends a client whether its selection was accepted. */
static void confirm(Session *session, bool flag) {
    StandardMessage message = standard_new(STANDARD_LIST_MESSAGES, STANDARD_CONFIRM_SELECTION);
    message.flag = flag;
    standard_server_send(session, &message);
}

/* Six choices, one after the other. A client that is not the last to choose is notified. */
static void choose(Session *session, uint32_t chosen) {
    Table *table = session->table;
    const MashContent *content = table->match.content;
    const StandardServerAdapter *adapter = standard_server_adapter(content->game);
    for (uint8_t place = 0; place < STANDARD_OFFERED; place++) {
        Refusal why;
        if (!(chosen >> place & 1) ||
            !adapter->is_drafting(content, table->match.state, session->seat))
            continue;
        MashStatus status = actions_apply(table, adapter->draft_action(session->seat, place), &why);
        if (status != MASH_OK && status != MASH_ALREADY_TAKEN) {
            confirm(session, false);
            return;
        }
    }
    if (adapter->is_drafting(content, table->match.state, MASH_SEAT_NONE))
        confirm(session, true);
}

void standard_server_select(Session *session, StandardReadResult reading,
                            const StandardMessage *message) {
    Table *table = session->table;
    if (reading != STANDARD_READ || count_bits(message->chosen) != STANDARD_TEAM) {
        confirm(session, false);
        return;
    }
    standard_seat(session)->asked = true;
    if (table_is_paused(table))
        standard_seat(session)->chosen = message->chosen;
    else
        choose(session, message->chosen);
}

void standard_server_select_kept(Table *table) {
    for (uint32_t i = 0; i < MASH_SEATS; i++) {
        Session *session = table->chairs[i].session;
        if (!standard_server_speaks(session))
            continue;
        uint32_t chosen = standard_seat(session)->chosen;
        standard_seat(session)->chosen = 0;
        if (chosen != 0)
            choose(session, chosen);
    }
}

/* --- All requests ----------------------------------------------------------------------------- */

/* A player resigns, also while teams are chosen. */
static void ask_to_leave(Session *session) {
    Table *table = session->table;
    Server *server = session->server;
    Refusal why;
    if (session->seat >= MASH_SEATS || !table_is_running(table)) {
        standard_server_send_goodbye(session, "goodbye", NET_CLOSE_NORMAL);
        return;
    }
    standard_server(server)->asker = session;
    actions_apply(table, (MashAction){.verb = MASH_VERB_RESIGN, .seat = session->seat}, &why);
    standard_server(server)->asker = NULL;
}

/* A spectator is reminded once that it only watches. */
static bool refuse_spectator(Session *session) {
    if (standard_session(session)->warned) {
        standard_server_send_goodbye(session, "Spectators can't do that.", NET_CLOSE_POLICY);
        return false;
    }
    standard_session(session)->warned = true;
    return refuse_without_strike(session);
}

bool standard_server_handle_request(Session *session, StandardReadResult reading,
                                    const StandardMessage *request) {
    Table *table = session->table;
    bool plays = session->seat < MASH_SEATS;
    if (plays && table_is_running(table))
        standard_seat(session)->asked = true;
    if (reading == STANDARD_READ) {
        switch (request->row) {
        case STANDARD_REQUEST_STATE:
            if (table->state != PROTO_STATE_WAITING)
                send_state(session);
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
    if (table_is_running(table) && match_result(&table->match).over)
        return false; /* the end is already being sent */
    if (!plays)
        return refuse_spectator(session);
    if (!table_is_running(table))
        return refuse_without_strike(session);
    if (reading != STANDARD_READ)
        return table_is_paused(table) ? refuse_without_strike(session) : strike(session);
    if (request->row == STANDARD_REQUEST_PAUSE_START || request->row == STANDARD_REQUEST_PAUSE_STOP)
        return ask_pause(session, request->row == STANDARD_REQUEST_PAUSE_START);
    return ask_action(session, request);
}
