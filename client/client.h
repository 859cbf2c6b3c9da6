/* client.h -- a client of the arena protocol: connects, sends and receives messages, reconnects.
 *
 * A Client is one connection to a server, at one table at most. What the server sends about that
 * table is kept here in the engine's own form: content, view, events; the caller asks the interface
 * (include/mashup.h) what to show and which actions are legal. A lost connection is reopened
 * automatically, with growing pauses for as long as the server keeps the seat, and the token
 * returns the client to its seat. The server is trusted to send valid views; everything else that
 * it sends is checked.
 *
 * Everything runs in the loop of net/net.h, and callbacks come only from net_loop_run(). Inside any
 * of them a client may send messages and may be closed. */
#ifndef CLIENT_CLIENT_H
#define CLIENT_CLIENT_H
#include "client/client_protocol.h"
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

/* The state of the connection. */
typedef enum ClientState {
    CLIENT_CONNECTING,   /* not accepted yet */
    CLIENT_CONNECTED,    /* accepted: messages are received */
    CLIENT_RECONNECTING, /* the connection is lost; trying to reconnect */
    CLIENT_CLOSED        /* permanently: nothing more happens */
} ClientState;

/* The callbacks. */
typedef struct ClientCallbacks {
    /* The state has changed, or, with `retry_first`, the first try to connect failed and others
     * follow (CLIENT_CONNECTING); `why` is a phrase for people. After CLIENT_RECONNECTING the table
     * is the same as before if the server still had the seat, and none otherwise. */
    void (*on_state)(void *owner, Client *client, ClientState state, const char *why);
    /* A server message; client_table() is already updated. */
    void (*on_message)(void *owner, Client *client, const Message *message);
    /* Instead of it, where they are set: the table changed; a position with a view arrived; the
     * table was left ("left") or is gone ("closed"). */
    void (*on_table)(void *owner);
    void (*on_position)(void *owner);
    void (*on_left)(void *owner, const char *how);
} ClientCallbacks;

/* How a client is opened. Texts are copied. */
typedef struct ClientSetup {
    const char *url;       /* as client_url() makes it */
    const char *name;      /* how others see it; 1 to PROTO_NAME_MAX bytes */
    uint8_t role;          /* PROTO_ROLE_... */
    const char *token;     /* of a seat to return to first; NULL = none */
    uint32_t reconnect_ms; /* the least time to try to reconnect; a seat's grace is longer */
    bool retry_first;      /* the first connection, too, is tried again if it fails */
    bool answer_silence;   /* sends `here` automatically when warned of its silence */
    ClientCallbacks calls;
    void *owner;
} ClientSetup;

/* Opens a client. NULL = the address is wrong or there is no memory; the problem says which. */
Client *client_open(ClientShared *shared, const ClientSetup *setup, MashText *problem);
/* Closes the connection and releases the client; no callback comes after that. The token still owns
 * the seat. NULL is ignored. */
void client_close(Client *client);
/* Drops the connection as if the cable had been pulled, for tests: the client reconnects
 * automatically. */
void client_cut(Client *client);
/* The state of the connection. */
ClientState client_state(const Client *client);

/* Appends the whole address for what a person types: localhost, example.org:1218, http://...,
 * https://... */
void client_url(const char *typed, MashText *url);
/* The same for another path than the arena's. */
void client_url_to(const char *typed, const char *usual_path, MashText *url);

/* Runs the loop a little longer, so that what was queued before a close is sent. */
void client_run_out(NetLoop *loop);

/* --- Client messages -------------------------------------------------------------------------- */

/* Sends a message. False = there is no connection now, or the client is not back at its seat yet:
 * nothing was sent. */
bool client_send(Client *client, const Message *message);
/* A message without fields: MESSAGE_CLIENT_RESIGN, _PAUSE, _CONTINUE, _REMATCH, _HERE, _LEAVE,
 * _GAMES.
 */
bool client_send_simple(Client *client, MessageKind kind);
/* An action for the position that came last. */
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
    uint64_t received_ms; /* by net_now_ms() */
} ClientClocks;

/* What is known of the table; read only. */
typedef struct ClientTable {
    char code[PROTO_CODE_MAX + 1]; /* empty: at no table, and all else is undefined */
    char token[PROTO_TOKEN_DIGITS + 1];
    uint8_t you;   /* MASH_SEAT_NONE: a spectator */
    uint8_t state; /* PROTO_STATE_... */
    const MashGame *game;
    const MashContent *content;
    char preset[PROTO_ID_MAX + 1]; /* empty: custom content */
    int32_t options[MASH_OPTIONS_MAX];
    int32_t turn_ms, match_ms, pause_ms, silence_ms, grace_ms;
    int32_t bank_ms, increment_ms; /* 0: none */
    bool secret, open_to_spectators, no_tips;
    ClientPlayer players[MASH_SEATS];
    /* The position, once one has come. */
    void *view;      /* NULL: none yet */
    uint32_t number; /* of the position */
    uint32_t awaited;
    uint8_t draw; /* the seat that offers a draw, or MASH_SEAT_NONE */
    bool paused;
    ClientClocks clocks;
    MashEvents events; /* the events that led to it */
} ClientTable;
/* The table that the client is at. */
const ClientTable *client_table(const Client *client);
/* Does the match wait for the client's seat, and is it not paused? */
bool client_awaited(const Client *client);
/* The same, independent of the protocol. */
extern const ClientProtocol arena_client;

#endif
