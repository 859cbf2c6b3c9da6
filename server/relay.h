/* relay.h -- passing a session on: a client that cannot be sent to another node (its protocol has
 * no message for that) stays connected here, and what it sends goes to the node that has its table,
 * over a WebSocket of our own; what that node sends comes back. Until it is known which node that
 * is, the client's messages are held. */
#ifndef SERVER_RELAY_H
#define SERVER_RELAY_H
#include <stdbool.h>
#include <stdint.h>

typedef struct Session Session;
typedef struct Relay Relay;

/* The most bytes of messages that are held. */
enum { RELAY_BYTES_MAX = 64 << 10 };

/* Begins to hold the messages of a session, if they are not held yet. False: no memory. */
bool relay_hold(Session *session);
/* Ends holding: the protocol of the session receives what was held, and all that comes. */
void relay_release(Session *session);

/* Where a session is passed on to. */
typedef struct RelayPlace {
    const char *peer;    /* HOST:PORT */
    const char *path;    /* with its query */
    const char *lead[2]; /* messages that go before those that are held; NULL: none */
    uint32_t lead_counts[2];
    uint32_t
        answers; /* this many first messages of that node are dropped: the client has had them */
    /* The connection to that node has ended with this code; `answered`: something had come from
     * there. The session's messages are held again; the protocol decides what becomes of it. */
    void (*ended)(Session *session, bool answered, uint16_t code, const char *reason);
} RelayPlace;
/* Connects to another node, and passes everything on from now on. False: it cannot. */
bool relay_connect(Session *session, const RelayPlace *place);

/* A message has come from the client. True: it was held or passed on. */
bool relay_takes(Session *session, const char *bytes, uint32_t count);
/* The client is gone, with this code, which is passed on to the other node. */
void relay_end(Session *session, uint16_t code);

#endif
