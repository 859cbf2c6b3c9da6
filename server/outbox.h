/* outbox.h -- messages about a match wait here until the store has made it durable. */
#ifndef SERVER_OUTBOX_H
#define SERVER_OUTBOX_H
#include "server/table.h"

typedef struct Outgoing Outgoing;

/* How many forms a position is written in: bytes, and in each language JSON with and without words.
 */
enum { POSITION_FORMS = 1 + 2 * LANGUAGES_MAX };

/* The recipients of a message: a seat's session, spectators of one form, everybody, one session, or
 * the table itself, whose match is over, or whose turns the store is to know (days.h). */
typedef enum OutgoingTarget {
    OUTGOING_SEAT,
    OUTGOING_IDLE_SEAT, /* a seat that is not to act: under load it gets its messages in batches */
    OUTGOING_WATCHERS,
    OUTGOING_ALL,
    OUTGOING_SESSION,
    OUTGOING_THEN_CLOSE, /* one session, which is then closed with code `NET_CLOSE_NORMAL` + `which`
                          */
    OUTGOING_END,
    OUTGOING_TURNS
} OutgoingTarget;

/* A waiting message. */
struct Outgoing {
    Outgoing *next;
    uint64_t ticket, number;
    Table *table;
    Session *session;               /* NULL: it is gone, or the message is for several */
    const ServerProtocol *protocol; /* of the recipients */
    NetFrame *frame;
    OutgoingTarget whom;
    uint8_t which; /* seat, form (and POSITION_FORMS if blind), or how a connection is closed */
};

/* Sends a frame to one session at its table, or queues it behind the last record of the match;
 * takes the reference over, as all of these do. Without a frame the recipients are disconnected
 * (1011), so that nobody continues with a message missing. */
void outbox_send(Session *session, NetFrame *frame);
/* The same, and then closes the connection with this code. */
void outbox_send_last(Session *session, NetFrame *frame, uint16_t code);
/* Sends a frame to sessions of one protocol: a seat's, spectators of a form, or all. */
void outbox_send_group(Table *table, const ServerProtocol *protocol, OutgoingTarget whom,
                       uint8_t which, NetFrame *frame);
/* Finishes the match, by table_finish(), after everything queued for the table. */
void outbox_send_end(Table *table);
/* Calls days_changed(), after everything queued for the table. */
void outbox_send_turns(Table *table);
/* Sends what the store has written by now. */
void outbox_flush(Server *server);
/* Drops what waits for this session. */
void outbox_forget(Server *server, Session *session);
/* Drops everything. */
void outbox_clear(Server *server);

#endif
