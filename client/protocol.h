/* protocol.h -- what a program at a server's table needs to know and to do, whatever protocol the
 * server speaks: so `mashup join` and `mashup ai` are written once.
 *
 * Each kind of client (client/client.h, and those of other protocols) has its own way to be opened
 * and to be called back; this is what they have in common. */
#ifndef CLIENT_PROTOCOL_H
#define CLIENT_PROTOCOL_H
#include "include/mashup.h"

/* How the match stands, as far as the client knows; read only. */
typedef struct ClientPosition {
    const MashContent *content; /* NULL: at no table yet */
    const void *state;          /* a view of it; NULL: none yet */
    uint8_t you;                /* MASH_SEAT_NONE: watches */
    bool awaited;               /* we are to act now */
    bool paused;
    uint32_t number;                 /* of the position: another one has another number */
    MashEvents events;               /* what led to it */
    uint64_t turn_began_ms, turn_ms; /* when our turn began, by net_now_ms(), and how long it may
                                      * last; 0: no limit */
} ClientPosition;

/* A protocol from the client's side. */
typedef struct ClientProtocol {
    /* How the match stands. */
    ClientPosition (*position)(const void *client);
    /* Does a legal action. False: it is not to be done now, nothing was sent. */
    bool (*act)(void *client, MashAction action);
    /* Says goodbye and releases the client. NULL is none and ignored. */
    void (*close)(void *client);
} ClientProtocol;

#endif
