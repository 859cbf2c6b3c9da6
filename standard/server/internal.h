/* internal.h -- what the files of the standard's server side share: what it keeps with a
 * connection, a table and the server, and the functions of each file. */
#ifndef STANDARD_SERVER_INTERNAL_H
#define STANDARD_SERVER_INTERNAL_H
#include "server/actions.h"
#include "server/internal.h"
#include "server/loaded_content.h"
#include "server/lobby.h"
#include "server/protocol.h"
#include "standard/adapter.h"
#include "standard/server.h"
#include "standard/wire.h"

/* Limits: the name of a table in a path; how many of the last states are dated. */
enum { STANDARD_LABEL_BYTES = 32, STANDARD_DATED_STATES = 64 };

/* What the store is asked about a client, so that it gets to the node that has its table: the match
 * of its identity, a table by code or label, where others wait, a match to watch. */
typedef enum StandardStep {
    STANDARD_STEP_NONE,
    STANDARD_STEP_HELLO,
    STANDARD_STEP_CODE,
    STANDARD_STEP_LABEL,
    STANDARD_STEP_CLAIM,
    STANDARD_STEP_RUNNING,
    STANDARD_STEP_WAITING,
} StandardStep;

/* How far a connection has come. */
typedef enum StandardSessionPhase {
    STANDARD_SESSION_HELLO, /* nothing was received yet */
    STANDARD_SESSION_READY, /* sent its hello, but not yet its role */
    STANDARD_SESSION_LOOKS, /* a spectator for whom there is no table yet */
    STANDARD_SESSION_TABLE, /* at a table */
    STANDARD_SESSION_OVER,  /* goodbye was sent */
} StandardSessionPhase;

/* A connection of the standard. */
typedef struct StandardSession {
    StandardSessionPhase phase;
    bool bare;        /* each event is a frame of its own */
    bool fixed;       /* fixed by path, device or a flag; requests do not change it */
    bool enveloped;   /* a request came in an envelope */
    uint64_t read_ms; /* when a slow client will have read everything sent to it */
    bool warned;      /* a spectator who has requested what only players may */
    uint8_t role;     /* STANDARD_ROLE_... */
    char identity[TABLE_IDENTITY_BYTES]; /* a digest of name and device */
    char label[STANDARD_LABEL_BYTES];    /* of the table that it requests; "": any */
    bool nowhere;                        /* its path names no table */
    bool channel;                        /* its path is /channel */
    /* Over a shared store: it came through another node that knows where its match is, or where its
     * table is: then it stays here. */
    bool known, settled;
    StandardStep step;
    bool again;     /* the store is asked again at the next tick */
    uint32_t tries; /* how often that may happen */
    uint64_t claim; /* the kind of players that other nodes send here for it; 0: none */
    uint32_t hello_count;
    char hello[]; /* its first message, over a shared store */
} StandardSession;

/* A seat that a client of the standard plays. */
typedef struct StandardSeat {
    bool asked;            /* it has sent something in this turn */
    uint32_t idle_turns;   /* that ran out in a row without a request */
    uint64_t timed_out_ms; /* when the last turn ran out */
    uint64_t stale_ms;     /* when it last requested what was valid shortly before, */
    uint32_t stale_turn;   /* and for which turn */
    uint32_t
        chosen; /* characters whose selection waits for the end of a pause, a bit for each place
                 */
    TokenBucket replays; /* rate limit of replaying the match to see whether a request was late */
} StandardSeat;

/* What a table keeps for clients of the standard. */
typedef struct StandardServerTable {
    char label[STANDARD_LABEL_BYTES]; /* by which clients find it; "": none */
    StandardSeat seats[MASH_SEATS];
    /* From here on: once the match has begun and a client of the standard is there. */
    const StandardServerAdapter *adapter;
    StandardEncoder *encoder; /* NULL: not yet */
    uint32_t turn;            /* the current turn, whose it is, and whose the two before it were */
    uint8_t seat;
    uint8_t recent[2];
    /* When the state after so many actions was sent, by that number. */
    uint64_t sent_ms[STANDARD_DATED_STATES];
} StandardServerTable;

/* What the server keeps for the standard. */
typedef struct StandardServer {
    LoadedContent *content; /* the content of its matches; NULL: no game supports the standard */
    Scratch events, state;  /* memory of encoders */
    const Session *asker;   /* whose request is being processed */
    NetTimer *timer;        /* for clients that are asked about again; NULL: none was yet */
    bool ticks;             /* it runs */
} StandardServer;

/* A batch to send: some events, and perhaps the state after them. */
typedef struct StandardBatch {
    StandardEvents events;
    bool has_state;
    StandardMessage state;
} StandardBatch;

/* A GAME_STRUCTURE and the characters that it names. */
typedef struct StandardStructure {
    StandardMessage message;
    StandardCharacter heroes[STANDARD_PLAYERS][STANDARD_TEAM];
} StandardStructure;

/* --- sessions.c ------------------------------------------------------------------------------- */

/* Does the session use the standard? NULL: no session. */
bool standard_server_speaks(const Session *session);
/* What is kept with a connection of it, and with the server. */
StandardSession *standard_session(const Session *session);
StandardServer *standard_server(Server *server);
/* The seat that a session of the standard plays. */
StandardSeat *standard_seat(const Session *session);
/* A protocol violation: it costs the match, and the connection. */
void standard_server_reject_frame(Session *session, const char *why);
/* The running match in which this identity has a seat; NULL: there is none here. */
Table *standard_server_find_seat(const Session *session, uint8_t *seat);
/* The table of this node that a label names, or a client without one finds; NULL: there is none. */
Table *standard_server_find_table(const Session *session);
/* Continues here: answers the hello, or finds a table for a client that is ready. */
void standard_server_greet(Session *session);
void standard_server_settle(Session *session);
/* The kind of players that a client without a label plays. */
uint64_t standard_server_kind(Server *server);

/* --- elsewhere.c: clients whose table is at another node -------------------------------------- */

/* Reads from the query whether another node has passed the client on. */
void standard_elsewhere_read(StandardSession *client, const char *query);
/* The client has said hello, or is ready: is its table perhaps at another node? True: the store is
 * being asked, and one of the two functions above is called later, or the client is relayed. */
bool standard_elsewhere_hello(Session *session, const char *bytes, uint32_t count);
bool standard_elsewhere_ready(Session *session);
/* A spectator has nothing to watch here: other nodes are asked, again and again. */
void standard_elsewhere_watch(Session *session);
/* The server closes. */
void standard_elsewhere_close(StandardServer *own);
/* The name of a table by which other nodes find it. */
const char *standard_elsewhere_label(Table *table, const char *label);

/* --- tables.c --------------------------------------------------------------------------------- */

/* The data of the standard for a table; NULL: none yet. */
StandardServerTable *standard_server_table(Table *table);
/* The same, created if there is none; NULL: no memory. */
StandardServerTable *standard_server_table_new(Table *table);
/* The same with an encoder; NULL: no memory, no match yet, or a game without the standard. */
StandardServerTable *standard_server_encoding(Table *table);
/* GAME_STRUCTURE for a seat or a spectator; the configurations are in the server's scratch memory.
 * False: no memory. */
bool standard_server_fill_structure(Table *table, uint8_t seat, const void *state,
                                    StandardStructure *out);
/* Replays the match of a table from its start: calls `each` with its first state and after each
 * action. False: no memory, or an action does not fit. */
bool standard_server_play_again(const Table *table, void (*each)(void *owner, const Match *again),
                                void *owner);
/* Entry points of the protocol. */
void standard_server_joined(Session *session);
void standard_server_acted(Table *table, uint8_t seat);
void standard_server_notify(Table *table, const TableNotice *notice);
void standard_server_clocks(Table *table);
void standard_server_release(Table *table);

/* --- send.c: frames --------------------------------------------------------------------------- */

/* One message, sent immediately, or after pending writes of the store if the session is at a
 * table. */
void standard_server_send(Session *session, const StandardMessage *message);
/* Events to one session, in its framing. With `with_state` the state closes them. */
void standard_server_send_events(Session *session, const StandardMessage *list, uint32_t count,
                                 bool with_state);
/* A batch to all clients of the standard at the table but one. */
void standard_server_send_batch(Table *table, const StandardBatch *batch, const Session *except);
/* Adds the current state, in the memory of StandardServer. */
void standard_server_add_state(Table *table, StandardBatch *batch);
/* A turn of this seat has begun: while it has frames left to read, inactivity is excused. */
void standard_server_note_unread(Table *table, uint8_t seat);
/* ERROR, and GOODBYE_CLIENT with a close. */
void standard_server_send_error(Session *session, int32_t type, const char *why);
void standard_server_send_goodbye(Session *session, const char *why, uint16_t code);

/* --- requests.c ------------------------------------------------------------------------------- */

/* A request of a session at a table. False: the rest of its frame is dropped. */
bool standard_server_handle_request(Session *session, StandardReadResult reading,
                                    const StandardMessage *request);
/* A selection of six characters. While the match is paused, it is only stored. */
void standard_server_select(Session *session, StandardReadResult reading,
                            const StandardMessage *message);
/* The match resumes: applies the selections that were stored. */
void standard_server_select_kept(Table *table);
/* A message was dropped because its address sends too many: a player is sent Nack. */
void standard_server_dropped(Session *session);

/* --- replay.c --------------------------------------------------------------------------------- */

/* Passes the finished match on, if there is a receiver. */
void standard_server_write_replay(Table *table);

#endif
