/* client.h -- a program at the table of any server that speaks the committee's network standard:
 * connects, says who it is, chooses, plays or watches, comes back.
 *
 * What the server says is kept as the engine's own bytes: content and state, so whoever sits here
 * asks the door (include/mashup.h) what there is to draw and to do. Servers differ and err; this
 * follows what is known of them: both forms of events, one request at a time and only on the
 * moment that answered the one before, `Req` when nothing comes, nothing that was refused again,
 * never a flood. A connection lost in a match is opened again by itself.
 *
 * Everything runs in the loop of net/net.h, and calls back come out of net_loop_run() alone. Inside
 * any of them one may act and ask, but not close: who has enough stops the loop. */
#ifndef STANDARD_CLIENT_H
#define STANDARD_CLIENT_H
#include "client/protocol.h"
#include "net/net.h"

typedef struct StandardClient StandardClient;

/* Sizes. */
enum { STANDARD_NAME_BYTES = 64, STANDARD_WHY_BYTES = 400 };

/* How it stands with the server. */
typedef enum StandardPhase {
    STANDARD_CONNECTING,   /* not let in yet */
    STANDARD_WAITING,      /* let in: for an opponent, or for his choice */
    STANDARD_DRAFTING,     /* six of twelve */
    STANDARD_PLAYING,      /* the match is on */
    STANDARD_RECONNECTING, /* the connection is lost and tried again */
    STANDARD_CLOSED        /* for good: nothing more comes */
} StandardPhase;

/* Who is called. */
typedef struct StandardCalls {
    /* The phase has changed; `why` is half a sentence for people. */
    void (*on_phase)(void *owner, StandardPhase phase, const char *why);
    /* The moment is new, or whether we may act has changed: look at standard_table(). */
    void (*on_position)(void *owner);
    /* Something for people: a refusal, a warning, a pause. May be NULL. */
    void (*on_word)(void *owner, const char *words);
} StandardCalls;

/* How it is opened. Texts are copied. */
typedef struct StandardSetup {
    const char *url;
    const char *name;   /* how others see it */
    const char *device; /* with the name: who comes back; NULL = a new one */
    const char *role;   /* PLAYER, KI or SPECTATOR */
    const MashGame *game;
    uint32_t reconnect_ms; /* a server that cannot be reached is tried so long; 0 = once */
    uint32_t pace_ms;      /* requests are so far apart, within the first half of a turn's time */
    bool careful;          /* sends nothing that some known server refuses or chokes on */
    StandardCalls calls;
    void *owner;
} StandardSetup;

/* What is known of the match; read only. */
typedef struct StandardClientTable {
    const MashContent *content; /* NULL: nothing yet */
    const void *state;          /* NULL: nothing yet */
    uint8_t you;                /* MASH_SEAT_NONE: watches */
    uint8_t awaited;            /* whose turn it is; MASH_SEAT_NONE: nobody's */
    uint32_t turn;              /* counts turns */
    uint64_t turn_ms;           /* when our turn began, by net_now_ms(); 0: it is not ours */
    bool paused;
    bool refused;  /* something was refused in this turn */
    bool decided;  /* the match is */
    bool finished; /* decided, or as far as one can know over */
    uint8_t winner;
    char names[MASH_SEATS][STANDARD_NAME_BYTES];
    MashEvents events; /* since the moment before */
    uint32_t number;   /* of the moment; counts from 1 */
    uint32_t requests, refusals, losses;
    uint32_t rejected; /* choices that were refused */
} StandardClientTable;

/* Opens it. NULL = the address is wrong or there is no memory; the problem says which. */
StandardClient *standard_client_open(NetLoop *loop, const StandardSetup *setup, MashText *problem);
/* Says goodbye and releases it; not inside a call back. NULL is none and ignored. */
void standard_close(StandardClient *standard);
/* How it stands, and the match. */
StandardPhase standard_phase(const StandardClient *standard);
const StandardClientTable *standard_table(const StandardClient *standard);
/* Are we to act now: at a seat, awaited, no answer outstanding, no pause? */
bool standard_awaited(const StandardClient *standard);
/* Would this legal action be doubtful here? Only of one who is careful. After a refusal that is
 * also everything of the same kind for the rest of the turn; of steps, only that one. */
bool standard_risky(const StandardClient *standard, MashAction action);

/* Asks for a legal action, or chooses. False = it is not to be done now, nothing was sent. */
bool standard_act(StandardClient *standard, MashAction action);
/* A request without fields: Req, EndRoundRequest, PauseStartRequest, PauseStopRequest,
 * DisconnectRequest. False = there is no connection. */
bool standard_ask(StandardClient *standard, const char *request);
/* The same for programs that do not care which protocol is spoken. */
extern const ClientProtocol standard_client;
/* Cuts the line as if the cable had been pulled, for tests: it comes back by itself. */
void standard_cut(StandardClient *standard);

#endif
