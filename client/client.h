/* client.h -- a program at the server's table: connects, says hello, sends and receives, comes
 * back.
 *
 * A Client is one connection to a server, at one table at most. What the server says about that
 * table is kept here as the engine's own bytes: content, view, events; so whoever sits here asks
 * the door (include/mashup.h) what there is to draw and to do. A connection that is lost is opened
 * again by itself, with growing pauses for as long as the server keeps the seat, and the seat is
 * taken up with its token. The server is trusted to send views that are views; everything else that
 * it says is checked.
 *
 * Everything runs in the loop of net/net.h, and calls back come out of net_loop_run() alone. Inside
 * any of them a client may wish and may be closed. */
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H
#include "client/protocol.h"
#include "net/net.h"
#include "proto/message.h"

typedef struct Client Client;
typedef struct ClientShared ClientShared;

/* --- What clients of one loop share ----------------------------------------------------------- */

/* Contents that were loaded, and memory for reading. NULL = no memory. */
ClientShared *client_shared_open(NetLoop *loop);
/* Releases it; its clients must have been closed. */
void client_shared_close(ClientShared *shared);

/* --- The connection --------------------------------------------------------------------------- */

/* How it stands with the server. */
typedef enum ClientState {
    CLIENT_CONNECTING,   /* not let in yet */
    CLIENT_CONNECTED,    /* let in: messages are heard */
    CLIENT_RECONNECTING, /* the connection is lost and tried again */
    CLIENT_CLOSED        /* for good: nothing more comes */
} ClientState;

/* Who is called. */
typedef struct ClientCallbacks {
    /* The state has changed; `why` is half a sentence for people. Back from AWAY the table is the
     * one before if the server still had the seat, and none otherwise. */
    void (*on_state)(void *owner, Client *client, ClientState state, const char *why);
    /* The server says something; what it means for the table is already in client_table(). */
    void (*on_message)(void *owner, Client *client, const Message *message);
} ClientCallbacks;

/* How a client is opened. Texts are copied. */
typedef struct ClientSetup {
    const char *url;   /* as client_url() makes it */
    const char *name;  /* how others see it; 1 to PROTO_NAME_MAX bytes */
    uint8_t role;      /* PROTO_ROLE_... */
    const char *token; /* of a seat to take up first; NULL = none */
    uint32_t
        reconnect_ms;    /* a lost connection is tried at least so long; a seat's grace is longer */
    bool retry_first;    /* the first connection, too, is tried again if it fails */
    bool answer_silence; /* says `here` by itself when warned of its silence */
    ClientCallbacks calls;
    void *owner;
} ClientSetup;

/* Opens a client. NULL = the address is wrong or there is no memory; the problem says which. */
Client *client_open(ClientShared *shared, const ClientSetup *setup, MashText *problem);
/* Says goodbye and releases it; nothing is called any more. The seat stays the token's. NULL is no
 * client and ignored. */
void client_close(Client *client);
/* Cuts the line as if the cable had been pulled, for tests: the client comes back by itself. */
void client_cut(Client *client);
/* How it stands. */
ClientState client_state(const Client *client);

/* Appends the whole address for what a person types: localhost, example.org:1218, http://... */
void client_url(const char *typed, MashText *url);
/* The same for another path than the arena's. */
void client_url_to(const char *typed, const char *usual_path, MashText *url);

/* Runs the loop a moment longer, so that what was queued before a close goes out. */
void client_run_out(NetLoop *loop);

/* --- Wishes ----------------------------------------------------------------------------------- */

/* Sends a message. False = there is no connection now, nothing was sent. */
bool client_send(Client *client, const Message *message);
/* A message without fields: MESSAGE_CLIENT_RESIGN, _PAUSE, _CONTINUE, _REMATCH, _HERE, _LEAVE,
 * _GAMES.
 */
bool client_send_simple(Client *client, MessageKind kind);
/* An action for the position that was told last. */
bool client_act(Client *client, MashAction action);

/* --- The table -------------------------------------------------------------------------------- */

/* Somebody at a seat. */
typedef struct ClientPlayer {
    bool taken, here;
    uint8_t role;
    char name[PROTO_NAME_MAX + 1];
} ClientPlayer;

/* What is left of the times when a position came; -1: not running. */
typedef struct ClientClocks {
    int32_t turn[MASH_SEATS], match;
    uint64_t told_ms; /* by net_now_ms() */
} ClientClocks;

/* What is known of the table; read only. */
typedef struct ClientTable {
    char code[PROTO_CODE_MAX + 1]; /* empty: at no table, and all else is void */
    char token[PROTO_TOKEN_DIGITS + 1];
    uint8_t you;   /* MASH_SEAT_NONE: watches */
    uint8_t state; /* PROTO_STATE_... */
    const MashGame *game;
    const MashContent *content;
    char preset[PROTO_ID_MAX + 1]; /* empty: content of its own */
    int32_t options[MASH_OPTIONS_MAX];
    int32_t turn_ms, match_ms, pause_ms, silence_ms, grace_ms;
    bool secret, glass;
    ClientPlayer players[MASH_SEATS];
    /* The position, once one was told. */
    void *view;      /* NULL: none yet */
    uint32_t number; /* of the position */
    uint32_t awaited;
    uint8_t draw; /* the seat that offers one, or MASH_SEAT_NONE */
    bool paused;
    ClientClocks clocks;
    MashEvents events; /* what led to it */
} ClientTable;
/* The table that the client is at. */
const ClientTable *client_table(const Client *client);
/* Is the client at a seat that the match waits for, and not in a pause? */
bool client_awaited(const Client *client);
/* The same for programs that do not care which protocol is spoken. */
extern const ClientProtocol arena_client;

#endif
