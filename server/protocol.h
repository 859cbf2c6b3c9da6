/* protocol.h -- the extension point for network protocols: the protocol of a connection.
 *
 * ServerSetup.protocols lists them; the arena is the first. A session belongs to the protocol that
 * accepted its connection, and players of different protocols may sit at one table. Every protocol
 * of the list is notified of what happens there and sends it to its own sessions. Nothing else in
 * server/ knows which protocols there are.
 *
 * A protocol may keep memory of its own with a session (Session.protocol_data, allocated; freed
 * with the session), with a table and with the server (protocol_table_data(),
 * protocol_server_data(); freed by release() and close()). */
#ifndef SERVER_PROTOCOL_H
#define SERVER_PROTOCOL_H
#include "server/session.h"
#include "server/table.h"

/* What happens at a table besides actions. */
typedef enum NoticeKind {
    NOTICE_PLAYERS,   /* who sits at the table, or is connected, has changed */
    NOTICE_PAUSED,    /* the match is paused because of `seat`, for `left_ms` at most */
    NOTICE_CONTINUED, /* it continues because of `seat`; `except` knows already */
    NOTICE_DUE,       /* a time of `seat` (MASH_SEAT_NONE: of the match) is over or nearly over; the
                         consequences come after the notice */
    NOTICE_REMATCH,   /* `seat` wants another match */
    NOTICE_FINISHED,  /* the match is over, and everybody was sent its end */
    NOTICE_LEAVER, /* `seat` did not come back: the other one chooses what becomes of the match */
} NoticeKind;

/* One notice. */
typedef struct TableNotice {
    NoticeKind kind;
    uint8_t seat;
    ClockDue due;
    uint32_t left_ms;
    const Session *except;
} TableNotice;

/* Why a session is removed. */
typedef enum PartReason {
    PART_CLOSED, /* its table is closed; it is at none any more */
    PART_TAKEN,  /* another session has returned to its seat; it is at no table any more */
    PART_KICKED, /* an operator is about to close its connection: that is not an offence */
    PART_DRAIN,  /* the server closes */
} PartReason;

/* What accept() answers if the connection is for another protocol; else an HTTP status. */
enum { PROTOCOL_OTHER = 0 };

/* A protocol. Entries marked so may be NULL. */
struct ServerProtocol {
    const char *id;
    /* The server opens: loads what tables of this protocol need. False: the problem says why the
     * server cannot open. And it closes. May be NULL. */
    bool (*open)(Server *, MashText *problem);
    void (*close)(Server *);
    /* Does the connection belong to this protocol, by its path? NET_ACCEPT, a status to refuse it
     * with, or PROTOCOL_OTHER. */
    uint16_t (*accept)(Session *, const NetRequest *);
    /* A message has come; bytes NULL: a binary one. */
    void (*receive)(Session *, const char *bytes, uint32_t count);
    /* A message was dropped because its address sends too many. */
    void (*dropped)(Session *);
    /* The session has joined a table, or the match there has begun: sends the complete state. */
    void (*joined)(Session *);
    /* The last action of the match was done by `seat`: sends what it did. With table->undone a step
     * was undone on the request of `seat`. */
    void (*acted)(Table *, uint8_t seat);
    /* Something else has happened. */
    void (*notify)(Table *, const TableNotice *);
    /* The session is removed from this table (NULL: from the server). */
    void (*part)(Session *, const Table *, PartReason, const char *sentence);
    /* The connection is gone, with this code; the session is still at its table. May be NULL. */
    void (*closed)(Session *, uint16_t code);
    /* Sets table->clock.limits if the state of the match needs other times. May be NULL. */
    void (*clocks)(Table *);
    /* The name by which its clients find a table; "": none. May be NULL. */
    const char *(*label)(Table *);
    /* Frees what it keeps with a table. May be NULL. */
    void (*release)(Table *);
};

/* The same for all protocols of the server. */
bool protocols_open(Server *server, MashText *problem);
void protocols_close(Server *server);
void protocols_acted(Table *table, uint8_t seat);
void protocols_notify(Table *table, TableNotice notice);
void protocols_clocks(Table *table);
void protocols_release(Table *table);
/* The name of a table that a protocol has for it; "": none has. */
const char *protocols_label(Table *table);
/* Asks the protocols in order which one the connection belongs to, and assigns the session to it.
 * NET_ACCEPT, or an HTTP status. */
uint16_t protocols_accept(Session *session, const NetRequest *request);
/* What a protocol keeps with the server and with a table, NULL at first; and its configuration. */
void **protocol_server_data(Server *server, const ServerProtocol *protocol);
void **protocol_table_data(Table *table, const ServerProtocol *protocol);
const void *protocol_config(const Server *server, const ServerProtocol *protocol);

#endif
