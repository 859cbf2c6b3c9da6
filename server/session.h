/* session.h -- one connection: who it is, where it sits, its offences and its rate limit. */
#ifndef SERVER_SESSION_H
#define SERVER_SESSION_H
#include "proto/message.h"
#include "server/bans.h"
#include "server/budget.h"

/* All watchers of a table together may chat as much as so many players. */
enum { WATCHERS_CHAT_SHARE = 4 };

typedef struct StandardSession StandardSession;

/* A connection of the arena, or one of the standard. */
struct Session {
    Server *server;
    NetConnection *connection;
    StandardSession *protocol_data; /* of the standard; NULL: an arena client */
    char name[PROTO_NAME_MAX + 1];
    uint8_t role, form;
    bool with_text, said_hello, closing;
    uint32_t strikes;
    Table *table; /* NULL: at none */
    uint8_t seat; /* MASH_SEAT_NONE: watches */
    bool blind;   /* watches a table open to spectators and sees nothing hidden before the end */
    Session *next, *before; /* watchers of the table */
    Session *next_all, *before_all;
    uint64_t talk_ms;   /* rate limit: until when its requests so far count */
    uint64_t joined_at; /* what was queued for the table before this is not sent to it */
    uint32_t queued;    /* messages in the queue for this session alone */
    char address[BAN_ADDRESS_BYTES];
    uint32_t number;           /* by which operators name it */
    Account *account;          /* of its address; NULL: a server without network in a test */
    TokenBucket messages;      /* its own allowance, whatever others of its address send */
    uint32_t refused_messages; /* because its address sent too many, less those let in */
};

/* The request that is being answered. */
typedef struct RequestContext {
    const char *to; /* NULL: unknown */
    bool has_id, refused;
    int32_t id;
} RequestContext;

Session *session_open(Server *server, NetConnection *connection);
/* The connection is gone. */
void session_close(Session *session);
void session_receive(Session *session, const char *bytes, uint32_t count);
/* What came is no message at all: the seat loses its match, and the connection is closed. */
void session_reject_frame(Session *session, const char *reason);
/* Sends a message to one session at once. */
void session_send(Session *session, const Message *message);
/* Something for it could not be written: it is disconnected, and may come back. */
void session_fault(Session *session);
/* The usual answers. */
void session_done(Session *session);
void session_refuse(Session *session, Refusal refusal);
void session_refuse_because(Session *session, Refusal refusal, const char *reason);
void session_refuse_status(Session *session, MashStatus status);
/* A line of the log with number, address and name: at level debug, or info if the operator asked
 * for it (log_people). */
void session_log(const Session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What an action at its table costs beside one message, in messages of its address. */
uint32_t session_action_cost(const Session *session);
/* The session has sent something, so its silence begins anew. */
void session_mark_active(Session *session);
/* 0: json, 1: json with words, 2: bytes. */
uint32_t session_form(const Session *session);
/* Removes invisible characters, those that change the writing direction, and blanks at the ends.
 * False: nothing is left. */
bool session_sanitize(char *words);

#endif
