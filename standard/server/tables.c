/* tables.c -- see internal.h: what the standard keeps with a table, and what is sent to its clients
 * there on events. */
#include <stdlib.h>
#include <string.h>

#include "standard/server/internal.h"

/* CHOICE_MS: the shortest time for choosing teams; IDLE_TURNS_MAX: this many consecutive turns that
 * time out without any request cost the match. */
enum { CHOICE_MS = 120000, IDLE_TURNS_MAX = 3 };

/* --- What is kept ----------------------------------------------------------------------------- */

StandardServerTable *standard_server_table(Table *table) {
    return *protocol_table_data(table, &standard_protocol);
}

StandardServerTable *standard_server_table_new(Table *table) {
    void **place = protocol_table_data(table, &standard_protocol);
    if (*place == NULL)
        *place = calloc(1, sizeof(StandardServerTable));
    return *place;
}

StandardSeat *standard_seat(const Session *session) {
    return &standard_server_table(session->table)->seats[session->seat];
}

void standard_server_release(Table *table) {
    StandardServerTable *own = standard_server_table(table);
    if (own != NULL)
        free(own->encoder);
    free(own);
}

/* Whose turn it is now. */
static void follow_turn(const Table *table, StandardServerTable *own) {
    uint32_t turn;
    uint8_t seat = own->adapter->seat_to_move(table->match.content, table->match.state, &turn);
    if (turn == own->turn)
        return;
    if (own->seat < MASH_SEATS && own->seats[own->seat].asked)
        own->seats[own->seat].idle_turns = 0;
    for (uint32_t i = 0; i < MASH_SEATS; i++)
        own->seats[i].asked = false;
    own->recent[1] = own->recent[0];
    own->recent[0] = own->seat;
    own->seat = seat;
    own->turn = turn;
}

bool standard_server_play_again(const Table *table, void (*each)(void *owner, const Match *again),
                                void *owner) {
    const Match *match = &table->match;
    MashSetup setup = {match->options, match->content->game->options_count};
    void *memory = aligned_alloc(64, (match_bytes(match->content) + 63) / 64 * 64);
    Match again;
    bool fine = memory != NULL &&
                match_begin(&again, match->content, match->seed, &setup, memory) == MASH_OK;
    if (fine)
        each(owner, &again);
    for (uint32_t i = 0; fine && i < match->actions_count; i++) {
        fine = match_apply(&again, match->actions[i]) == MASH_OK;
        if (fine)
            each(owner, &again);
    }
    free(memory);
    return fine;
}

/* An encoder and the memory for what it writes. */
typedef struct CatchUp {
    const StandardServerTable *own;
    void *memory;
} CatchUp;

/* Encodes an action without sending it, so that rocks get their numbers. */
static void catch_up(void *owner, const Match *again) {
    const CatchUp *catching = owner;
    const StandardServerTable *own = catching->own;
    if (again->actions_count > 0)
        own->adapter->encode_events(own->encoder, again->previous, again->state, &again->events,
                                    catching->memory);
}

StandardServerTable *standard_server_encoding(Table *table) {
    const MashContent *content = table->config.content->content;
    const StandardServerAdapter *adapter = standard_server_adapter(content->game);
    StandardServerTable *own = standard_server_table_new(table);
    if (own == NULL || own->encoder != NULL || adapter == NULL || table->memory == NULL)
        return own == NULL || own->encoder == NULL ? NULL : own;
    CatchUp catching = {
        own, scratch_take(&standard_server(table->server)->events, adapter->memory_bytes(content))};
    void *memory = aligned_alloc(64, (adapter->encoder_bytes(content) + 63) / 64 * 64);
    if (memory == NULL || catching.memory == NULL) {
        free(memory);
        return NULL;
    }
    own->adapter = adapter;
    own->encoder = adapter->begin(content, memory);
    own->seat = own->recent[0] = own->recent[1] = MASH_SEAT_NONE;
    if (!standard_server_play_again(table, catch_up, &catching)) {
        free(memory);
        own->encoder = NULL;
        return NULL;
    }
    follow_turn(table, own);
    return own;
}

/* --- Joining ---------------------------------------------------------------------------------- */

bool standard_server_fill_structure(Table *table, uint8_t seat, const void *state,
                                    StandardStructure *out) {
    const MashContent *content = table->match.content;
    const StandardServerAdapter *adapter = standard_server_adapter(content->game);
    uint32_t bytes = 8192 + 16u * content->limits.width * content->limits.height;
    char *memory = scratch_take(&table->server->position, bytes);
    if (memory == NULL)
        return false;
    StandardMessage *message = &out->message;
    MashText text = text_over(memory, bytes);
    *message = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GAME_STRUCTURE);
    adapter->scenario(content, &text);
    message->configs[0] = (StandardJson){memory, text.count};
    adapter->match(content, &text);
    message->configs[1] =
        (StandardJson){memory + message->configs[0].count, text.count - message->configs[0].count};
    if (text.truncated) {
        server_fault(table->server, "GAME_STRUCTURE");
        return false;
    }
    message->role = seat < MASH_SEATS ? seat : STANDARD_ASSIGNMENT_SPECTATOR;
    message->name = table->chairs[0].name;
    message->device = table->chairs[1].name;
    for (uint8_t i = 0; i < STANDARD_PLAYERS; i++) {
        adapter->draft_team(content, state, i, out->heroes[i]);
        message->heroes[i] = (StandardCharacters){out->heroes[i], STANDARD_TEAM};
    }
    return true;
}

/* Sends a client the structure of the match, or ends its connection if that cannot be written. */
static void send_structure(Session *session) {
    Table *table = session->table;
    StandardStructure structure;
    if (standard_server_fill_structure(table, session->seat, table->match.state, &structure))
        standard_server_send(session, &structure.message);
    else
        session_fault(session);
}

/* The first messages at a table where teams are being chosen. A client that was disconnected
 * selects again if its selection was only stored. */
static void welcome_to_choice(Session *session) {
    Table *table = session->table;
    const MashContent *content = table->match.content;
    const StandardServerAdapter *adapter = standard_server_adapter(content->game);
    StandardCharacter heroes[STANDARD_OFFERED];
    bool plays = session->seat < MASH_SEATS;
    StandardMessage message = standard_new(
        STANDARD_LIST_MESSAGES, plays ? STANDARD_GAME_ASSIGNMENT : STANDARD_GENERAL_ASSIGNMENT);
    message.name = table->code;
    if (plays) {
        standard_seat(session)->chosen = 0;
        adapter->draft_offer(content, table->match.state, session->seat, heroes);
        message.heroes[0] = (StandardCharacters){heroes, STANDARD_OFFERED};
    }
    standard_server_send(session, &message);
    if (!plays || adapter->is_drafting(content, table->match.state, session->seat))
        return;
    StandardMessage confirm = standard_new(STANDARD_LIST_MESSAGES, STANDARD_CONFIRM_SELECTION);
    confirm.flag = true;
    standard_server_send(session, &confirm);
}

void standard_server_joined(Session *session) {
    Table *table = session->table;
    standard_session(session)->phase = STANDARD_SESSION_TABLE;
    bool waits = table->state == PROTO_STATE_WAITING;
    const StandardServerTable *own =
        waits ? standard_server_table_new(table) : standard_server_encoding(table);
    if (own == NULL) {
        standard_server_send_goodbye(session, "No room for more spectators.",
                                     NET_CLOSE_TRY_AGAIN_LATER);
        return;
    }
    if (waits)
        return;
    if (own->adapter->is_drafting(table->match.content, table->match.state, MASH_SEAT_NONE)) {
        welcome_to_choice(session);
        return;
    }
    StandardMessage assignment = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GENERAL_ASSIGNMENT);
    StandardMessage pause = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_PAUSE_START);
    assignment.name = table->code;
    standard_server_send(session, &assignment);
    send_structure(session);
    standard_server_send_events(session, &pause, table_is_paused(table) ? 1 : 0, true);
}

/* --- Actions and notices ---------------------------------------------------------------------- */

/* The next client of the standard at the table; NULL begins and ends the iteration. */
static Session *next_client(const Table *table, Session *session) {
    do
        session = table_session_after(table, session);
    while (session != NULL && !standard_server_speaks(session));
    return session;
}

/* A step was undone: the standard has no event for it, so spectators get the state. (A player of
 * the standard is never at such a table.) */
static void send_undone(Table *table, StandardServerTable *own) {
    StandardBatch batch = {.events = {NULL, 0}};
    follow_turn(table, own);
    if (next_client(table, NULL) == NULL)
        return;
    standard_server_add_state(table, &batch);
    standard_server_send_batch(table, &batch, NULL);
}

void standard_server_acted(Table *table, uint8_t seat) {
    StandardServerTable *own = standard_server_table(table);
    const Match *match = &table->match;
    const MashContent *content = match->content;
    (void)seat;
    if (own == NULL || own->encoder == NULL)
        return;
    if (table->undone > 0) {
        send_undone(table, own);
        return;
    }
    void *memory =
        scratch_take(&standard_server(table->server)->events, own->adapter->memory_bytes(content));
    if (memory == NULL) {
        server_log(table->server, LOG_ERROR, "out of memory for messages of match %s", table->code);
        return;
    }
    bool begins = own->adapter->is_drafting(content, match->previous, MASH_SEAT_NONE) &&
                  !own->adapter->is_drafting(content, match->state, MASH_SEAT_NONE);
    StandardBatch batch = {.events =
                               own->adapter->encode_events(own->encoder, match->previous,
                                                           match->state, &match->events, memory)};
    uint32_t turn = own->turn;
    own->sent_ms[match->actions_count % STANDARD_DATED_STATES] = server_now_ms(table->server);
    follow_turn(table, own);
    if (next_client(table, NULL) == NULL)
        return;
    for (Session *session = NULL; begins && (session = next_client(table, session)) != NULL;)
        send_structure(session);
    if (batch.events.count == 0)
        return;
    standard_server_add_state(table, &batch);
    standard_server_send_batch(table, &batch, NULL);
    if (own->turn != turn)
        standard_server_note_unread(table, own->seat);
}

/* The match is paused or resumes. */
static void send_pause(Table *table, bool paused, const Session *except) {
    StandardMessage event = standard_new(STANDARD_LIST_EVENTS, paused ? STANDARD_EVENT_PAUSE_START
                                                                      : STANDARD_EVENT_PAUSE_STOP);
    StandardBatch batch = {.events = {&event, 1}};
    if (next_client(table, NULL) == NULL)
        return;
    standard_server_add_state(table, &batch);
    standard_server_send_batch(table, &batch, except);
    if (!paused)
        standard_server_select_kept(table);
}

/* Without a state: clients with bare events act on every state that they see. */
static void send_time(Session *session, uint8_t row, const char *words, int32_t seconds) {
    StandardMessage event = standard_new(STANDARD_LIST_EVENTS, row);
    event.name = words;
    event.amount = seconds;
    standard_server_send_events(session, &event, 1, false);
}

/* The turn of a client has timed out. */
static void turn_over(Table *table, Session *session) {
    const StandardServerTable *own = standard_server_encoding(table);
    if (own == NULL)
        return;
    if (own->adapter->is_drafting(table->match.content, table->match.state, MASH_SEAT_NONE)) {
        send_time(session, STANDARD_EVENT_TIMEOUT, "The time to choose has run out.", 0);
        return;
    }
    StandardSeat *seat = standard_seat(session);
    seat->idle_turns = seat->asked ? 0 : seat->idle_turns + 1;
    seat->timed_out_ms = server_now_ms(table->server);
    if (seat->idle_turns < IDLE_TURNS_MAX) {
        send_time(session, STANDARD_EVENT_TURN_TIMEOUT, "", 0);
        return;
    }
    send_time(session, STANDARD_EVENT_TIMEOUT, "Three turns timed out without a request.", 0);
    actions_apply_as_server(table, MASH_VERB_FORFEIT, session->seat, MASH_REASON_DISQUALIFIED);
}

/* A time limit is reached or nearly reached. */
static void due(Table *table, const TableNotice *notice) {
    Session *session = notice->seat < MASH_SEATS ? table->chairs[notice->seat].session : NULL;
    uint32_t left_ms = notice->left_ms;
    if (!standard_server_speaks(session))
        return;
    if (notice->due == CLOCK_SILENCE_WARNING)
        send_time(session, STANDARD_EVENT_WARNING, "You have not responded for a while.",
                  (int32_t)(left_ms / 1000 + (left_ms % 1000 > 0)));
    else if (notice->due == CLOCK_SILENCE_OVER)
        send_time(session, STANDARD_EVENT_TIMEOUT, "You did not respond in time.", 0);
    else if (notice->due == CLOCK_TURN_OVER)
        turn_over(table, session);
}

void standard_server_notify(Table *table, const TableNotice *notice) {
    switch (notice->kind) {
    case NOTICE_PAUSED:
    case NOTICE_CONTINUED:
        send_pause(table, notice->kind == NOTICE_PAUSED, notice->except);
        break;
    case NOTICE_DUE:
        due(table, notice);
        break;
    case NOTICE_FINISHED:
        standard_server_write_replay(table);
        for (Session *session = NULL; (session = next_client(table, session)) != NULL;)
            standard_server_send_goodbye(session, "match over", NET_CLOSE_NORMAL);
        break;
    case NOTICE_LEAVER:
    case NOTICE_PLAYERS:
    case NOTICE_REMATCH:
        break; /* the standard has no message for it */
    }
}

/* Choosing teams has its own time limit: the configured turn, but at least two minutes. */
void standard_server_clocks(Table *table) {
    const MashContent *content = table->match.content;
    const StandardServerAdapter *adapter = standard_server_adapter(content->game);
    ClockLimits *limits = &table->clock.limits;
    if (adapter == NULL)
        return;
    *limits = table->config.clocks;
    if (!adapter->is_drafting(content, table->match.state, MASH_SEAT_NONE))
        return;
    limits->match_ms = 0; /* the time limit applies to play only */
    if (table_has_identity(table))
        limits->silence_ms = 0;
    if (limits->turn_ms == content->limits.turn_ms && limits->turn_ms < CHOICE_MS)
        limits->turn_ms = CHOICE_MS;
}
