/* session.h -- one connection: its name, its table, its offences and its rate limit. */
#ifndef SERVER_SESSION_H
#define SERVER_SESSION_H
#include "proto/message.h"
#include "server/bans.h"
#include "server/budget.h"
#include "server/players.h"
#include "server/relay.h"

typedef struct Contest Contest;

/* A connection; members in an order that leaves no gaps, since there are many. */
struct Session {
    Server *server;
    NetConnection *connection;
    const ServerProtocol *protocol; /* of the connection */
    void *protocol_data;    /* allocated by that protocol, freed with the session; or NULL */
    Table *table;           /* NULL: at none */
    Session *next, *before; /* list of the table's spectators */
    Session *next_all, *before_all;
    Contest *contest;                /* that it is told about; NULL: none */
    Session *fellow, *fellow_before; /* list of those who are told about it */
    Account *account;                /* of its address; NULL: a test without a network */
    PlayerAccount *player;           /* the account it is logged in to; NULL: a guest */
    PlayerJob *player_job; /* a request about accounts that is not answered yet; NULL: none */
    Relay *relay;          /* its messages are held or go to another node; NULL: they are ours */
    uint64_t joined_at;    /* what was queued for the table before this is not sent to it */
    TokenBucket requests;  /* what costs more than an answer, see ServerSetup.request_rate */
    TokenBucket messages;  /* its own allowance, independent of others of its address */
    uint32_t strikes;
    uint32_t refused_messages; /* because its address sent too many, less accepted ones */
    uint32_t queued;           /* messages in the queue for this session alone */
    uint32_t number;           /* by which operators refer to it */
    uint32_t
        pace_ms; /* it reads slowly: the least time between actions of AI players at its table */
    char name[PROTO_NAME_MAX + 1];
    char address[BAN_ADDRESS_BYTES];
    uint16_t contestant; /* its number in the contest; CONTEST_NONE: it does not play */
    bool organises;      /* that contest */
    uint8_t seat;        /* MASH_SEAT_NONE: a spectator */
    uint8_t role, form, language;
    bool with_text, said_hello, closing;
    bool with_history; /* it wants the history of its table, and whether it can undo */
    bool chooses;      /* what becomes of a match whose other player is gone */
    bool blind; /* spectator of a table open to spectators who sees nothing hidden before the end */
};

/* The request that is being answered. */
typedef struct RequestContext {
    const char *to; /* NULL: unknown */
    bool has_id, refused, has_action;
    int32_t id;
    uint32_t action; /* of `acts`: which one is being handled */
} RequestContext;

/* A session for a connection that no protocol has accepted yet. NULL: no memory. */
Session *session_open(Server *server, NetConnection *connection);
/* The connection is gone. */
void session_close(Session *session);
/* A message for it could not be written: it is disconnected, and may reconnect. */
void session_fault(Session *session);
/* Does it play a match that is running? */
bool session_plays(const Session *session);
/* Its seat loses the match, if it plays one, for this MASH_REASON; `why` is for the log. */
void session_disqualify(Session *session, uint8_t reason, const char *why);
/* Offences in a row: kept at the seat while its match runs, so that reconnecting does not clear
 * them. */
uint32_t *session_strikes(Session *session);
/* Counts one. After as many as the server allows the match is lost, or the connection if there is
 * no match to lose; session_enforce_strikes() does that, once the answer was sent,
 * and logs why the last one was refused. */
void session_add_strike(Session *session);
void session_enforce_strikes(Session *session, uint8_t reason, const char *last);
/* A line of the log with number, address and name: at level debug, or info if the operator asked
 * for it (log_people). */
void session_log(const Session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* How many additional messages an action at its table counts for. */
uint32_t session_action_cost(const Session *session);
/* The session has sent something, so its silence starts over. */
void session_mark_active(Session *session);
/* The form of the positions it gets: 0: bytes; 1 + 2 * language: json, and with words one more. */
uint32_t session_form(const Session *session);
/* Removes invisible characters, those that change the writing direction, and blanks at the ends.
 * False: nothing is left. */
bool session_sanitize(char *words);

#endif
