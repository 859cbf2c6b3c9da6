/* outbox.h -- messages about a match wait here until the store has it safe. */
#ifndef SERVER_OUTBOX_H
#define SERVER_OUTBOX_H
#include "server/table.h"

typedef struct Outgoing Outgoing;

/* How many forms a position is written in: JSON, JSON with words, bytes. */
enum { POSITION_FORMS = 3 };

/* For whom a message is: a seat's session, watchers of one form, everybody, one session, or the
 * table itself, whose match is over. */
typedef enum OutgoingTarget {
    OUTGOING_SEAT,
    OUTGOING_IDLE_SEAT, /* one that has nothing to do now: under load it is sent in batches */
    OUTGOING_WATCHERS,
    OUTGOING_ALL,
    OUTGOING_SESSION,
    OUTGOING_THEN_CLOSE, /* one session, which is then closed with code 1000 + `which` */
    OUTGOING_END
} OutgoingTarget;

/* A message that waits. */
struct Outgoing {
    Outgoing *next;
    uint64_t ticket, number;
    Table *table;
    Session *session; /* NULL: gone meanwhile */
    NetFrame *frame;
    OutgoingTarget whom;
    uint8_t which; /* seat, form (and POSITION_FORMS if blind), or how a connection is closed */
};

/* Sends the frame, or queues it behind the last ticket; takes the reference over. Without a frame
 * those it was for are disconnected (1011), so that nobody goes on with a message missing. */
void outbox_send(Table *table, OutgoingTarget whom, uint8_t which, Session *session,
                 NetFrame *frame);
/* Sends what the store has written by now. */
void outbox_flush(Server *server);
/* Drops what waits for this session. */
void outbox_forget(Server *server, Session *session);
/* Drops everything. */
void outbox_clear(Server *server);

#endif
