/* send.c -- see internal.h: frames to clients of the standard, each in its framing: wrapped, all
 * events of an action in one frame; or bare, each event as a frame of its own. */
#include "standard/server/internal.h"

/* --- Frames ----------------------------------------------------------------------------------- */

/* Writes a message into the frame that is made for it. */
static void write_message(void *what, MashText *text) { standard_write(what, text); }

/* Can all of these be written? If not, the clients that should have received them are disconnected
 * (1011). */
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

/* A known program handles one frame in READ_MS. It reads frames from the others' turns in its own
 * turn, and is inactive meanwhile; less than UNREAD_LEAST_MS is ignored, and UNREAD_MOST_MS is the
 * limit. */
enum { READ_MS = 100, UNREAD_LEAST_MS = 1000, UNREAD_MOST_MS = 60000 };

/* Estimates how long the client still needs to read what it was sent. */
static uint64_t unread_ms(const Session *session) {
    uint64_t now_ms = server_now_ms(session->server), read_ms = standard_session(session)->read_ms;
    return read_ms > now_ms ? read_ms - now_ms : 0;
}

/* One more frame to read. */
static void count_frame(const Session *session) {
    uint64_t all_ms = unread_ms(session) + READ_MS;
    standard_session(session)->read_ms =
        server_now_ms(session->server) + (all_ms < UNREAD_MOST_MS ? all_ms : UNREAD_MOST_MS);
}

void standard_server_note_unread(Table *table, uint8_t seat) {
    const Session *session = seat < MASH_SEATS ? table->chairs[seat].session : NULL;
    if (!standard_server_speaks(session))
        return;
    uint64_t ms = unread_ms(session);
    table->chairs[seat].unread_ms = ms < UNREAD_LEAST_MS ? 0 : ms;
}

/* Takes over the reference. */
static void send(Session *session, NetFrame *frame) {
    count_frame(session);
    if (session->table != NULL) {
        outbox_send(session, frame);
        return;
    }
    if (frame == NULL)
        session_fault(session);
    else
        net_send(session->connection, frame);
    net_frame_release(frame);
}

void standard_server_send(Session *session, const StandardMessage *message) {
    if (standard_session(session)->phase != STANDARD_SESSION_OVER)
        send(session, frame_of(session->server, message));
}

/* An envelope: perhaps Ack, the events, perhaps the state. */
typedef struct Envelope {
    const StandardBatch *batch;
    bool ack;
} Envelope;

/* Writes events and the state in one envelope, an acknowledgement first if requested. */
static void write_envelope(void *what, MashText *text) {
    const Envelope *envelope = what;
    const StandardBatch *batch = envelope->batch;
    StandardMessage ack = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_ACK);
    bool comma = envelope->ack;
    text_string(text, "{\"messageType\":\"EVENTS\",\"messages\":[");
    if (envelope->ack)
        standard_write(&ack, text);
    for (uint32_t i = 0; i < batch->events.count; i++, comma = true) {
        if (comma)
            text_byte(text, ',');
        standard_write(&batch->events.list[i], text);
    }
    if (batch->has_state && comma)
        text_byte(text, ',');
    if (batch->has_state)
        standard_write(&batch->state, text);
    text_string(text, "]}");
}

/* The same as a frame; NULL if it cannot be written. */
static NetFrame *wrapped_frame(Server *server, const StandardBatch *batch, bool ack) {
    Envelope envelope = {batch, ack};
    MashText text;
    if (!fits(server, batch->events.list, batch->events.count) ||
        !fits(server, &batch->state, batch->has_state) ||
        !server_write_text(server, &text, write_envelope, &envelope))
        return NULL;
    return net_frame_new(server->loop, text.bytes, text.count);
}

void standard_server_add_state(Table *table, StandardBatch *batch) {
    StandardServerTable *own = standard_server_encoding(table);
    if (own == NULL)
        return;
    void *memory = scratch_take(&standard_server(table->server)->state,
                                own->adapter->memory_bytes(table->match.content));
    batch->has_state =
        memory != NULL &&
        own->adapter->encode_state(own->encoder, table->match.state, memory, &batch->state);
}

/* Sends each event in a frame of its own, to a client without support for envelopes. */
static void send_bare(Session *session, const StandardBatch *batch, bool ack) {
    StandardMessage first = standard_new(STANDARD_LIST_EVENTS, STANDARD_EVENT_ACK);
    if (ack)
        send(session, frame_of(session->server, &first));
    for (uint32_t i = 0; i < batch->events.count; i++)
        send(session, frame_of(session->server, &batch->events.list[i]));
    if (batch->has_state)
        send(session, frame_of(session->server, &batch->state));
}

/* To one session; `shared` is the envelope for all except the requester, made when first needed. */
static void send_to(Session *session, const StandardBatch *batch, NetFrame **shared) {
    Server *server = session->server;
    bool ack = standard_server(server)->asker == session;
    if (!standard_server_speaks(session) ||
        standard_session(session)->phase == STANDARD_SESSION_OVER)
        return;
    if (standard_session(session)->bare) {
        send_bare(session, batch, ack);
    } else if (ack) {
        send(session, wrapped_frame(server, batch, true));
    } else {
        if (*shared == NULL)
            *shared = wrapped_frame(server, batch, false);
        send(session, *shared == NULL ? NULL : net_frame_keep(*shared));
    }
}

void standard_server_send_batch(Table *table, const StandardBatch *batch, const Session *except) {
    NetFrame *shared = NULL; /* made once for all */
    for (Session *session = table_session_after(table, NULL), *next; session != NULL;
         session = next) {
        next = table_session_after(table, session);
        if (session != except)
            send_to(session, batch, &shared);
    }
    net_frame_release(shared);
}

void standard_server_send_events(Session *session, const StandardMessage *list, uint32_t count,
                                 bool with_state) {
    StandardBatch batch = {.events = {list, count}};
    NetFrame *shared = NULL;
    if (with_state)
        standard_server_add_state(session->table, &batch);
    if (count > 0 || batch.has_state)
        send_to(session, &batch, &shared);
    net_frame_release(shared);
}

/* --- Errors and the end of a session ---------------------------------------------------------- */

void standard_server_send_error(Session *session, int32_t type, const char *why) {
    StandardMessage message = standard_new(STANDARD_LIST_MESSAGES, STANDARD_ERROR);
    message.name = why;
    message.amount = type;
    standard_server_send(session, &message);
}

void standard_server_send_goodbye(Session *session, const char *why, uint16_t code) {
    StandardMessage message = standard_new(STANDARD_LIST_MESSAGES, STANDARD_GOODBYE_CLIENT);
    if (standard_session(session)->phase == STANDARD_SESSION_OVER)
        return;
    message.name = why;
    standard_session(session)->phase = STANDARD_SESSION_OVER;
    NetFrame *frame = frame_of(session->server, &message);
    if (session->table != NULL && frame != NULL) {
        outbox_send_last(session, frame, code);
        return;
    }
    if (frame != NULL)
        net_send(session->connection, frame);
    net_frame_release(frame);
    net_close(session->connection, code, why);
}
