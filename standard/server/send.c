/* send.c -- see standard.h: what clients of the standard are told, each in its dialect:
 * wrapped, all events of an action in one frame; or bare, each event as a frame of its own. */
#include <stdlib.h>
#include <string.h>

#include "standard/server/internal.h"

/* --- Speeches --------------------------------------------------------------------------------- */

/* Whose turn it is by now. */
static void follow_turn(Table *table) {
    StandardServerTable *speech = table->protocol_data;
    uint32_t turn;
    uint8_t seat = speech->tongue->seat_to_move(table->match.content, table->match.state, &turn);
    if (turn == speech->turn)
        return;
    if (speech->seat < MASH_SEATS) {
        Chair *chair = &table->chairs[speech->seat];
        chair->idle_turns = chair->asked ? 0 : chair->idle_turns;
    }
    for (uint32_t i = 0; i < MASH_SEATS; i++)
        table->chairs[i].asked = false;
    speech->recent[1] = speech->recent[0];
    speech->recent[0] = speech->seat;
    speech->seat = seat;
    speech->turn = turn;
}

/* All actions so far are told to nobody, so that rocks have their numbers. */
static bool catch_up(Table *table, StandardServerTable *speech) {
    const Match *match = &table->match;
    const MashContent *content = match->content;
    Server *server = table->server;
    MashSetup setup = {match->options, content->game->options_count};
    void *room = scratch_take(&server->told, speech->tongue->room_bytes(content));
    if (match->actions_count == 0)
        return room != NULL;
    void *memory = aligned_alloc(64, (match_bytes(content) + 63) / 64 * 64);
    Match again;
    bool fine = room != NULL && memory != NULL &&
                match_begin(&again, content, match->seed, &setup, memory) == MASH_OK;
    for (uint32_t i = 0; fine && i < match->actions_count; i++) {
        fine = match_apply(&again, match->actions[i]) == MASH_OK;
        if (fine)
            speech->tongue->encode_events(speech->speech, again.previous, again.state,
                                          &again.events, room);
    }
    free(memory);
    return fine;
}

StandardServerTable *talk_speech(Table *table) {
    const MashContent *content = table->setting.content->content;
    const StandardServerAdapter *tongue = standard_server_adapter(content->game);
    if (table->protocol_data != NULL || tongue == NULL || table->memory == NULL)
        return table->protocol_data;
    size_t head = (sizeof(StandardServerTable) + 15) / 16 * 16;
    StandardServerTable *speech =
        aligned_alloc(64, (head + tongue->speech_bytes(content) + 63) / 64 * 64);
    if (speech == NULL)
        return NULL;
    *speech = (StandardServerTable){
        .tongue = tongue, .seat = MASH_SEAT_NONE, .recent = {MASH_SEAT_NONE, MASH_SEAT_NONE}};
    speech->speech = tongue->begin(content, (char *)speech + head);
    if (!catch_up(table, speech)) {
        free(speech);
        return NULL;
    }
    table->protocol_data = speech;
    follow_turn(table);
    return speech;
}

void talk_release(Table *table) {
    free(table->protocol_data);
    table->protocol_data = NULL;
}

/* --- Frames ----------------------------------------------------------------------------------- */

/* Writes a message into the frame that is made for it. */
static void write_message(void *what, MashText *text) { standard_write(what, text); }

/* Can all of these be written? If not, whoever should have had them is cut off (1011). */
static bool fits(Server *server, const StandardMessage *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!standard_fits(&list[i])) {
            server_fault(server, "the standard");
            return false;
        }
    return true;
}

/* A frame with one message; NULL if it cannot be written. */
static NetFrame *frame_of(Server *server, const StandardMessage *message) {
    StandardMessage copy = *message;
    MashText text;
    if (!fits(server, message, 1) || !server_write_text(server, &text, write_message, &copy))
        return NULL;
    return net_frame_new(server->loop, text.bytes, text.count);
}

/* A known program handles one frame in READ_MS. What it was sent while the others played it reads
 * in its own turn, and is silent meanwhile; less than UNREAD_LEAST_MS is not worth a thought, and
 * nobody needs more than UNREAD_MOST_MS. */
enum { READ_MS = 100, UNREAD_LEAST_MS = 1000, UNREAD_MOST_MS = 60000 };

/* How long the client still needs for what it was sent, as we reckon. */
static uint64_t unread_ms(const Session *session) {
    uint64_t now_ms = server_now_ms(session->server);
    return session->protocol_data->read_ms > now_ms ? session->protocol_data->read_ms - now_ms : 0;
}

/* One more frame to read. */
static void count_frame(const Session *session) {
    uint64_t all_ms = unread_ms(session) + READ_MS;
    session->protocol_data->read_ms =
        server_now_ms(session->server) + (all_ms < UNREAD_MOST_MS ? all_ms : UNREAD_MOST_MS);
}

/* A turn has begun. */
static void note_unread(Table *table, uint8_t seat) {
    const Session *session = seat < MASH_SEATS ? table->chairs[seat].session : NULL;
    if (session == NULL || !talk_speaks(session))
        return;
    uint64_t ms = unread_ms(session);
    table->chairs[seat].unread_ms = ms < UNREAD_LEAST_MS ? 0 : ms;
}

bool talk_excuse(Table *table, uint8_t seat) {
    Chair *chair = &table->chairs[seat];
    if (chair->unread_ms == 0)
        return false;
    chair->unread_ms =
        clock_excuse(&table->clock, server_now_ms(table->server), seat, chair->unread_ms);
    return true;
}

/* Takes the reference over. */
static void send(Session *session, NetFrame *frame) {
    count_frame(session);
    if (session->table != NULL) {
        outbox_send(session->table, OUTGOING_SESSION, 0, session, frame);
        return;
    }
    if (frame == NULL)
        session_fault(session);
    else
        net_send(session->connection, frame);
    net_frame_release(frame);
}

void standard_server_send(Session *session, const StandardMessage *message) {
    if (session->protocol_data->phase != TALK_OVER)
        send(session, frame_of(session->server, message));
}

/* An envelope: perhaps Ack, the events, perhaps the state. */
typedef struct Envelope {
    const StandardBatch *said;
    bool ack;
} Envelope;

/* Writes events and the state in one envelope, an acknowledgement first if it is asked for. */
static void write_envelope(void *what, MashText *text) {
    const Envelope *envelope = what;
    const StandardBatch *said = envelope->said;
    StandardMessage ack = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_ACK);
    bool comma = envelope->ack;
    text_string(text, "{\"messageType\":\"EVENTS\",\"messages\":[");
    if (envelope->ack)
        standard_write(&ack, text);
    for (uint32_t i = 0; i < said->events.count; i++, comma = true) {
        if (comma)
            text_byte(text, ',');
        standard_write(&said->events.list[i], text);
    }
    if (said->has_state && comma)
        text_byte(text, ',');
    if (said->has_state)
        standard_write(&said->state, text);
    text_string(text, "]}");
}

/* The same as a frame; NULL if it cannot be written. */
static NetFrame *wrapped_frame(Server *server, const StandardBatch *said, bool ack) {
    Envelope envelope = {said, ack};
    MashText text;
    if (!fits(server, said->events.list, said->events.count) ||
        !fits(server, &said->state, said->has_state) ||
        !server_write_text(server, &text, write_envelope, &envelope))
        return NULL;
    return net_frame_new(server->loop, text.bytes, text.count);
}

/* The state as it is now; it lies in the house's room. */
static void add_state(Table *table, StandardBatch *said) {
    StandardServerTable *speech = talk_speech(table);
    if (speech == NULL)
        return;
    void *room =
        scratch_take(&table->server->told_state, speech->tongue->room_bytes(table->match.content));
    said->has_state = room != NULL && speech->tongue->encode_state(
                                          speech->speech, table->match.state, room, &said->state);
}

/* Sends each event in a frame of its own, to a client that knows no envelopes. */
static void say_bare(Session *session, const StandardBatch *said, bool ack) {
    StandardMessage first = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_ACK);
    if (ack)
        send(session, frame_of(session->server, &first));
    for (uint32_t i = 0; i < said->events.count; i++)
        send(session, frame_of(session->server, &said->events.list[i]));
    if (said->has_state)
        send(session, frame_of(session->server, &said->state));
}

/* To one session; `shared` is the envelope for all who did not ask, made when it is first wanted.
 */
static void say_to(Session *session, const StandardBatch *said, NetFrame **shared) {
    Server *server = session->server;
    bool ack = server->asker == session;
    if (!talk_speaks(session) || session->protocol_data->phase == TALK_OVER)
        return;
    if (session->protocol_data->bare) {
        say_bare(session, said, ack);
    } else if (ack) {
        send(session, wrapped_frame(server, said, true));
    } else {
        if (*shared == NULL)
            *shared = wrapped_frame(server, said, false);
        send(session, *shared == NULL ? NULL : net_frame_keep(*shared));
    }
}

bool talk_anybody(const Table *table) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (table->chairs[seat].session != NULL && talk_speaks(table->chairs[seat].session))
            return true;
    for (const Session *session = table->watchers; session != NULL; session = session->next)
        if (talk_speaks(session))
            return true;
    return false;
}

/* Sends it to both players and all spectators but one; the frame is made once. */
static void say_to_all(Table *table, const StandardBatch *said, const Session *except) {
    NetFrame *shared = NULL;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (table->chairs[seat].session != NULL && table->chairs[seat].session != except)
            say_to(table->chairs[seat].session, said, &shared);
    for (Session *session = table->watchers, *next; session != NULL; session = next) {
        next = session->next;
        if (session != except)
            say_to(session, said, &shared);
    }
    net_frame_release(shared);
}

void standard_server_send_events(Session *session, const StandardMessage *list, uint32_t count,
                                 bool with_state) {
    StandardBatch said = {.events = {list, count}};
    NetFrame *shared = NULL;
    if (with_state)
        add_state(session->table, &said);
    if (count > 0 || said.has_state)
        say_to(session, &said, &shared);
    net_frame_release(shared);
}

/* --- Errors and the end of a talk ------------------------------------------------------------- */

void standard_server_send_error(Session *session, int32_t type, const char *why) {
    StandardMessage message = standard_new(STANDARD_LIST_MESSAGES, STANDARD_ERROR);
    message.name = why;
    message.amount = type;
    standard_server_send(session, &message);
}

/* Behind everything that was said before. */
void standard_server_send_goodbye(Session *session, const char *why, uint16_t code) {
    StandardMessage message = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GOODBYE_CLIENT);
    if (session->protocol_data->phase == TALK_OVER)
        return;
    message.name = why;
    session->protocol_data->phase = TALK_OVER;
    NetFrame *frame = frame_of(session->server, &message);
    if (session->table != NULL && frame != NULL) {
        outbox_send(session->table, OUTGOING_THEN_CLOSE, (uint8_t)(code - NET_CLOSE_NORMAL),
                    session, frame);
        return;
    }
    if (frame != NULL)
        net_send(session->connection, frame);
    net_frame_release(frame);
    net_close(session->connection, code, why);
}

/* --- Hooks of tables -------------------------------------------------------------------------- */

bool talk_fill_structure(Table *table, uint8_t seat, const void *state, StandardStructure *out) {
    const MashContent *content = table->match.content;
    const StandardServerAdapter *tongue = standard_server_adapter(content->game);
    uint32_t bytes = 8192 + 16u * content->limits.width * content->limits.height;
    char *memory = scratch_take(&table->server->position, bytes);
    if (memory == NULL)
        return false;
    StandardMessage *message = &out->message;
    MashText text = text_over(memory, bytes);
    *message = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GAME_STRUCTURE);
    tongue->scenario(content, &text);
    message->configs[0] = (StandardJson){memory, text.count};
    tongue->match(content, &text);
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
        tongue->draft_team(content, state, i, out->heroes[i]);
        message->heroes[i] = (StandardCharacters){out->heroes[i], STANDARD_TEAM};
    }
    return true;
}

/* Sends a client the structure of the match, or ends its connection if that cannot be written. */
static void say_structure(Session *session) {
    Table *table = session->table;
    StandardStructure structure;
    if (talk_fill_structure(table, session->seat, table->match.state, &structure))
        standard_server_send(session, &structure.message);
    else
        session_fault(session);
}

/* The first words at a table where teams are being chosen. Who was away chooses anew, if what it
 * has chosen was only kept. */
static void welcome_to_choice(Session *session) {
    Table *table = session->table;
    const MashContent *content = table->match.content;
    const StandardServerAdapter *tongue = standard_server_adapter(content->game);
    StandardCharacter heroes[STANDARD_OFFERED];
    bool plays = session->seat < MASH_SEATS;
    StandardMessage message = standard_new(
        STANDARD_LIST_MESSAGES, plays ? STANDARD_GAME_ASSIGNMENT : STANDARD_GENERAL_ASSIGNMENT);
    message.name = table->code;
    if (plays) {
        table->chairs[session->seat].chosen = 0;
        tongue->draft_offer(content, table->match.state, session->seat, heroes);
        message.heroes[0] = (StandardCharacters){heroes, STANDARD_OFFERED};
    }
    standard_server_send(session, &message);
    if (!plays || tongue->is_drafting(content, table->match.state, session->seat))
        return;
    StandardMessage confirm = standard_new(STANDARD_LIST_MESSAGES, STANDARD_CONFIRM_SELECTION);
    confirm.flag = true;
    standard_server_send(session, &confirm);
}

void talk_welcome(Session *session) {
    Table *table = session->table;
    session->protocol_data->phase = TALK_TABLE;
    if (table->state == PROTO_STATE_WAITING)
        return;
    StandardServerTable *speech = talk_speech(table);
    if (speech == NULL) {
        standard_server_send_goodbye(session, "There is no memory for another spectator.",
                                     NET_CLOSE_TRY_AGAIN_LATER);
        return;
    }
    if (speech->tongue->is_drafting(table->match.content, table->match.state, MASH_SEAT_NONE)) {
        welcome_to_choice(session);
        return;
    }
    StandardMessage assignment = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GENERAL_ASSIGNMENT);
    StandardMessage pause = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_PAUSE_START);
    assignment.name = table->code;
    standard_server_send(session, &assignment);
    say_structure(session);
    standard_server_send_events(session, &pause, table_is_paused(table) ? 1 : 0, true);
}

/* Sends it to everybody at the table who speaks the standard. */
static void each_structure(Table *table) {
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (table->chairs[seat].session != NULL && talk_speaks(table->chairs[seat].session))
            say_structure(table->chairs[seat].session);
    for (Session *session = table->watchers; session != NULL; session = session->next)
        if (talk_speaks(session))
            say_structure(session);
}

void talk_tell(Table *table) {
    StandardServerTable *speech = table->protocol_data;
    const Match *match = &table->match;
    const MashContent *content = match->content;
    if (speech == NULL)
        return;
    void *room = scratch_take(&table->server->told, speech->tongue->room_bytes(content));
    if (room == NULL) {
        server_log(table->server, LOG_ERROR, "no memory to tell of match %s", table->code);
        return;
    }
    bool begins = speech->tongue->is_drafting(content, match->previous, MASH_SEAT_NONE) &&
                  !speech->tongue->is_drafting(content, match->state, MASH_SEAT_NONE);
    StandardBatch said = {.events = speech->tongue->encode_events(
                              speech->speech, match->previous, match->state, &match->events, room)};
    uint32_t turn = speech->turn;
    speech->told_ms[match->actions_count % SPEECH_MOMENTS] = server_now_ms(table->server);
    follow_turn(table);
    if (!talk_anybody(table))
        return;
    if (begins)
        each_structure(table);
    if (said.events.count == 0)
        return;
    add_state(table, &said);
    say_to_all(table, &said, NULL);
    if (speech->turn != turn)
        note_unread(table, speech->seat);
}

void talk_tell_pause(Table *table, bool paused, const Session *except) {
    StandardMessage event = standard_new(STANDARD_LIST_EVENTS, paused ? STANDARD_EVENT_PAUSE_START
                                                                      : STANDARD_EVENT_PAUSE_STOP);
    StandardBatch said = {.events = {&event, 1}};
    if (!talk_anybody(table))
        return;
    add_state(table, &said);
    say_to_all(table, &said, except);
    if (!paused)
        talk_choose_kept(table);
}

/* Without a state: bare clients act on every state that they see. */
static void say_time(Session *session, uint8_t row, const char *words, int32_t seconds) {
    StandardMessage event = standard_new(STANDARD_LIST_EVENTS, row);
    event.name = words;
    event.amount = seconds;
    standard_server_send_events(session, &event, 1, false);
}

void talk_warn(Session *session, uint32_t left_ms) {
    if (talk_speaks(session))
        say_time(session, STANDARD_EVENT_WARNING, "Nothing was heard from you for a while.",
                 (int32_t)(left_ms / 1000 + (left_ms % 1000 > 0)));
}

enum { IDLE_TURNS_MAX = 3 };

void talk_time_over(Table *table, uint8_t seat, ClockDue due) {
    Chair *chair = &table->chairs[seat];
    Session *session = chair->session;
    const StandardServerAdapter *tongue = standard_server_adapter(table->match.content->game);
    if (session == NULL || !talk_speaks(session) || tongue == NULL)
        return;
    if (due == CLOCK_SILENCE_OVER) {
        say_time(session, STANDARD_EVENT_TIMEOUT, "Nothing was heard from you for too long.", 0);
        return;
    }
    if (due != CLOCK_TURN_OVER)
        return;
    if (tongue->is_drafting(table->match.content, table->match.state, MASH_SEAT_NONE)) {
        say_time(session, STANDARD_EVENT_TIMEOUT, "The time for the choice is over.", 0);
        return;
    }
    chair->idle_turns = chair->asked ? 0 : chair->idle_turns + 1;
    chair->timed_out_ms = server_now_ms(table->server);
    if (chair->idle_turns < IDLE_TURNS_MAX) {
        say_time(session, STANDARD_EVENT_TURN_TIMEOUT, "", 0);
        return;
    }
    say_time(session, STANDARD_EVENT_TIMEOUT, "Three turns ran out without a request.", 0);
    actions_apply_as_server(table, MASH_VERB_FORFEIT, seat, MASH_REASON_DISQUALIFIED);
}

void talk_finish(Table *table) {
    standard_server_write_replay(table);
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (table->chairs[seat].session != NULL && talk_speaks(table->chairs[seat].session))
            standard_server_send_goodbye(table->chairs[seat].session, "match over",
                                         NET_CLOSE_NORMAL);
    for (Session *session = table->watchers; session != NULL; session = session->next)
        if (talk_speaks(session))
            standard_server_send_goodbye(session, "match over", NET_CLOSE_NORMAL);
}

enum { CHOICE_MS = 120000 };

void talk_set_clocks(Table *table) {
    const MashContent *content = table->match.content;
    const StandardServerAdapter *tongue = standard_server_adapter(content->game);
    ClockLimits *limits = &table->clock.limits;
    bool spoken = table->chairs[0].identity[0] != 0 || table->chairs[1].identity[0] != 0;
    if (tongue == NULL)
        return;
    *limits = table->setting.clocks;
    if (!tongue->is_drafting(content, table->match.state, MASH_SEAT_NONE))
        return;
    limits->match_ms = 0; /* only play can be over time */
    if (spoken)
        limits->silence_ms = 0;
    if (limits->turn_ms == content->limits.turn_ms && limits->turn_ms < CHOICE_MS)
        limits->turn_ms = CHOICE_MS;
}

void talk_drain(Server *server) {
    for (Session *session = server->sessions; session != NULL; session = session->next_all)
        if (talk_speaks(session))
            standard_server_send_goodbye(session, "The house closes.", NET_CLOSE_GOING_AWAY);
}
