/* outbox.h -- messages about a match wait here until the store has it safe. */
#ifndef SERVER_OUTBOX_H
#define SERVER_OUTBOX_H
#include "server/table.h"

typedef struct Outgoing Outgoing;

/* How many forms a position is written in: bytes, and in each language JSON with and without words.
 */
enum { POSITION_FORMS = 1 + 2 * LANGUAGES_MAX };

/* For whom a message is: a seat's session, watchers of one form, everybody, one session, or the
 * table itself, whose match is over. */
typedef enum OutgoingTarget {
    OUTGOING_SEAT,
    OUTGOING_IDLE_SEAT, /* one that has nothing to do now: under load it is sent in batches */
    OUTGOING_WATCHERS,
    OUTGOING_ALL,
    OUTGOING_SESSION,
    OUTGOING_THEN_CLOSE, /* one session, which is then closed with code `NET_CLOSE_NORMAL` + `which`
                          */
    OUTGOING_END
} OutgoingTarget;

/* A message that waits. */
struct Outgoing {
    Outgoing *next;
    uint64_t ticket, number;
    Table *table;
    Session *session;               /* NULL: gone meanwhile, or it is for several */
    const ServerProtocol *protocol; /* of those it is for */
    NetFrame *frame;
    OutgoingTarget whom;
    uint8_t which; /* seat, form (and POSITION_FORMS if blind), or how a connection is closed */
};

/* Sends a frame to one session at its table, or queues it behind the last record of the match;
 * takes the reference over, as all of these do. Without a frame those it was for are disconnected
 * (1011), so that nobody goes on with a message missing. */
void outbox_send(Session *session, NetFrame *frame);
/* The same, and closes the connection behind it with this code. */
void outbox_send_last(Session *session, NetFrame *frame, uint16_t code);
/* Sends a frame to those sessions of one protocol: a seat's, watchers of a form, or all. */
void outbox_send_group(Table *table, const ServerProtocol *protocol, OutgoingTarget whom,
                       uint8_t which, NetFrame *frame);
/* Behind all that is queued for the table its match is finished: table_finish(). */
void outbox_send_end(Table *table);
/* Sends what the store has written by now. */
void outbox_flush(Server *server);
/* Drops what waits for this session. */
void outbox_forget(Server *server, Session *session);
/* Drops everything. */
void outbox_clear(Server *server);

#endif
