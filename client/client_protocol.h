/* client_protocol.h -- what clients of all network protocols have in common, so that `mashup join`
 * and `mashup ai` are written once.
 *
 * Each kind of client (client/client.h, and those of other protocols) has its own way to open it
 * and its own callbacks; this is the common part. */
#ifndef CLIENT_CLIENT_PROTOCOL_H
#define CLIENT_CLIENT_PROTOCOL_H
#include "include/mashup.h"

/* The state of the match, as far as the client knows; read only. */
typedef struct ClientPosition {
    const MashContent *content; /* NULL: at no table yet */
    const void *state;          /* a view of it; NULL: none yet */
    uint8_t you;                /* MASH_SEAT_NONE: a spectator */
    bool awaited;               /* it is our turn */
    bool paused;
    uint32_t number;                 /* of the position: each has its own number */
    MashEvents events;               /* the events that led to it */
    uint64_t turn_began_ms, turn_ms; /* when our turn began, by net_now_ms(), and how long it may
                                      * last; 0: no limit */
} ClientPosition;

/* The client side of a protocol. */
typedef struct ClientProtocol {
    /* The state of the match. */
    ClientPosition (*position)(const void *client);
    /* Sends a legal action. False: it is not possible now, nothing was sent. */
    bool (*act)(void *client, MashAction action);
    /* Closes the connection and releases the client. NULL is ignored. */
    void (*close)(void *client);
} ClientProtocol;

#endif
