/* client.h -- a client of any server of the committee's network standard: connects, logs in,
 * chooses, plays or watches, reconnects.
 *
 * What the server sends is kept as the engine's content and state, so callers use the interface
 * (include/mashup.h) for what to display and which actions are legal. Servers differ and have bugs;
 * this handles what is known of them: both forms of events, one request at a time and only after
 * the state that answered the one before, `Req` when nothing arrives, no refused request again,
 * never a flood. A connection lost in a match is reopened automatically.
 *
 * Everything runs in the loop of net/net.h, and callbacks are called only from net_loop_run().
 * Inside them one may act and query, but not close: to finish, stop the loop. */
#ifndef STANDARD_CLIENT_H
#define STANDARD_CLIENT_H
#include "client/client_protocol.h"
#include "net/net.h"

typedef struct StandardClient StandardClient;

/* Sizes. */
enum { STANDARD_NAME_BYTES = 64, STANDARD_WHY_BYTES = 400 };

/* The phase of the session. */
typedef enum StandardPhase {
    STANDARD_CONNECTING,   /* not logged in yet */
    STANDARD_WAITING,      /* logged in: for an opponent, or for his choice */
    STANDARD_DRAFTING,     /* six of twelve */
    STANDARD_PLAYING,      /* the match is in progress */
    STANDARD_RECONNECTING, /* the connection is lost, reconnecting */
    STANDARD_CLOSED        /* closed for good */
} StandardPhase;

/* Callbacks. */
typedef struct StandardCalls {
    /* The phase has changed; `why` is half a sentence for people. */
    void (*on_phase)(void *owner, StandardPhase phase, const char *why);
    /* The state is new, or whether we may act has changed: see standard_table(). */
    void (*on_position)(void *owner);
    /* Something for people: a refusal, a warning, a pause. May be NULL. */
    void (*on_word)(void *owner, const char *words);
} StandardCalls;

/* How it is opened. Texts are copied. */
typedef struct StandardSetup {
    const char *url;
    const char *name;   /* how others see it */
    const char *device; /* identifies us with the name when reconnecting; NULL = a new one */
    const char *role;   /* PLAYER, KI or SPECTATOR */
    const MashGame *game;
    uint32_t reconnect_ms; /* how long an unreachable server is retried; 0 = one attempt */
    uint32_t pace_ms;      /* delay between requests, within the first half of a turn's time */
    bool careful;          /* sends nothing that a known server refuses or fails on */
    StandardCalls calls;
    void *owner;
} StandardSetup;

/* What is known of the match; read only. */
typedef struct StandardClientTable {
    const MashContent *content; /* NULL: nothing yet */
    const void *state;          /* NULL: nothing yet */
    uint8_t you;                /* MASH_SEAT_NONE: spectator */
    uint8_t awaited;            /* whose turn it is; MASH_SEAT_NONE: nobody's */
    uint32_t turn;              /* counts turns */
    uint64_t turn_ms;           /* when our turn began, by net_now_ms(); 0: it is not ours */
    bool paused;
    bool refused;  /* something was refused in this turn */
    bool decided;  /* the match is */
    bool finished; /* decided, or over as far as can be known */
    uint8_t winner;
    char names[MASH_SEATS][STANDARD_NAME_BYTES];
    MashEvents events; /* since the state before */
    uint32_t number;   /* of the state; counts from 1 */
    uint32_t requests, refusals, losses;
    uint32_t rejected; /* choices that were refused */
} StandardClientTable;

/* Opens it. NULL = the address is invalid or there is no memory; the problem says which. */
StandardClient *standard_client_open(NetLoop *loop, const StandardSetup *setup, MashText *problem);
/* Sends a goodbye and releases it; not inside a callback. NULL is ignored. */
void standard_close(StandardClient *standard);
/* The phase, and the match. */
StandardPhase standard_phase(const StandardClient *standard);
const StandardClientTable *standard_table(const StandardClient *standard);
/* May we act now: at a seat, awaited, no answer outstanding, no pause? */
bool standard_awaited(const StandardClient *standard);
/* Would this legal action be doubtful here? Only for a careful client. After a refusal, everything
 * of the same kind is doubtful for the rest of the turn; of steps, only that one. */
bool standard_risky(const StandardClient *standard, MashAction action);

/* Asks for a legal action, or chooses. False = not possible now, nothing was sent. */
bool standard_act(StandardClient *standard, MashAction action);
/* A request without fields: Req, EndRoundRequest, PauseStartRequest, PauseStopRequest,
 * DisconnectRequest. False = there is no connection. */
bool standard_ask(StandardClient *standard, const char *request);
/* The same for callers that are independent of the protocol. */
extern const ClientProtocol standard_client;
/* Drops the connection as if the cable had been pulled, for tests: it reconnects automatically. */
void standard_cut(StandardClient *standard);

#endif
