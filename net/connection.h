/* connection.h -- one socket from inside: what servers and clients have in common.
 *
 * A connection goes through its phases in order; it may skip some but never goes back. It waits for
 * one thing at a time. All connections of an endpoint that wait for the same thing have the same
 * timeout, so they are in a queue by age and only the head of each queue is checked. While the
 * system does not take what waits to be written, it is in one more such queue: a peer that takes
 * nothing for too long is disconnected. The loop releases its memory after all callbacks have
 * returned. */
#ifndef NET_CONNECTION_H
#define NET_CONNECTION_H
#include "net/frame.h"
#include "net/loop.h"
#include "net/rate_limit.h"

/* How far it has come. */
typedef enum ConnectionPhase {
    PHASE_HEAD,    /* HTTP: requests arrive, or the answer to our own is awaited */
    PHASE_OPEN,    /* a WebSocket */
    PHASE_CLOSING, /* we sent a close frame and await theirs */
    PHASE_LINGER,  /* finished: what is queued is sent, what arrives is dropped */
    PHASE_GONE     /* the socket is closed */
} ConnectionPhase;

/* What it waits for; the limits say how long. */
typedef enum ConnectionTimeout {
    TIMEOUT_HEAD,  /* a whole request, or a whole answer */
    TIMEOUT_NEXT,  /* another request */
    TIMEOUT_REPLY, /* the caller, who answers a request later */
    TIMEOUT_PING,  /* the time to send a ping */
    TIMEOUT_PONG,  /* any sign of life */
    TIMEOUT_CLOSE, /* the peer's close */
    WAITS
} ConnectionTimeout;

/* What all connections of a server share, or what one client has to itself. */
typedef struct Endpoint {
    NetLoop *loop;
    NetCallbacks calls;
    void *owner;
    NetLimits limits;
    bool is_client;
    NetStats stats;
    ListLink waits[WAITS];
    ListLink stuck; /* connections with a write in progress, by the age of the last check */
    uv_timer_t timeout_sweep;
    uint32_t period_ms; /* of the sweep */
    uint64_t swept_ms;  /* when it was last called */
    /* Bytes arrived in PHASE_HEAD. */
    void (*on_head)(NetConnection *connection, char *bytes, uint32_t count);
    /* In PHASE_HEAD everything queued was written. */
    void (*on_written)(NetConnection *connection);
    /* The socket is closed: release the connection's memory. */
    void (*on_gone)(NetConnection *connection);
    /* NULL, or between the socket and all else: bytes arrived, which it gives to
     * connection_deliver() when they are decrypted; and bytes are to be written, which it encrypts
     * and gives to connection_write_sealed(). False: it cannot. */
    void (*on_sealed)(NetConnection *connection, char *bytes, uint32_t count);
    bool (*seal)(NetConnection *connection, const void *bytes, uint32_t count);
} Endpoint;

/* One socket. */
struct NetConnection {
    uv_tcp_t tcp;
    Endpoint *endpoint;
    void *owner;
    ListLink member;  /* of its server, or of its loop's clients */
    ListLink dirty;   /* while it has something to write or to close, now or batched */
    ListLink waiting; /* in one of the endpoint's queues */
    uint64_t deadline_ms;
    uint64_t lazy_ms; /* when its batched frames have waited long enough */
    SendQueue queue;
    uv_write_t *writing; /* in progress, or NULL */
    uint64_t written;    /* bytes of all writes that are done */
    uint32_t sealed;     /* writes of encrypted bytes in progress */
    uint64_t charged;    /* bytes of the queue charged to its address */
    ListLink stuck;      /* in the endpoint's queue while a write is in progress */
    uint64_t stuck_ms;   /* when it is checked again */
    uint64_t taken;      /* bytes that the peer had taken at the last check */
    WsReader reader;
    char *head;      /* HTTP bytes not yet used, or NULL */
    NetReply *later; /* the caller answers its request later; NULL = no answer is pending */
    uint32_t head_count, head_scanned;
    TokenBucket frames, bytes;
    Address *address; /* charged for it, or NULL */
    uint16_t close_code;
    uint16_t pending_close_code; /* not 0: close it with this code as soon as the loop is free */
    const char *pending_close_reason; /* static */
    char *close_reason;               /* of our own close frame, or NULL */
    uint8_t phase, wait;              /* ConnectionPhase, ConnectionTimeout */
    bool close_owed;                  /* on_close is still to be called */
    bool active;                      /* something arrived since the last check */
    bool mid_message;                 /* a message was incomplete at the last check */
    bool last;                        /* no further request after this answer */
    bool reading;
    bool write_closed; /* our end of the connection is closed */
};

/* Initialises an endpoint without connections and starts its sweep; `endpoint` must have loop,
 * limits and hooks. */
void endpoint_init(Endpoint *endpoint);

/* Closes the connection that has been idle longest: one between two requests, or else one with an
 * incomplete request. False = none has been idle for more than SHED_MS. */
bool side_shed(Endpoint *endpoint);
enum { SHED_MS = 1000 };

/* Initialises a connection of an endpoint. False = no memory in the system. */
bool connection_init(NetConnection *connection, Endpoint *endpoint);
/* Starts or resumes reading; pauses it. */
void connection_start(NetConnection *connection);
void connection_pause(NetConnection *connection);
/* Waits for something else from now on. */
void connection_wait(NetConnection *connection, ConnectionTimeout wait);
/* It is a WebSocket from now on; what is queued is sent when the loop is free. */
void connection_open(NetConnection *connection);
/* Bytes arrived, of the handshake or of frames. */
void connection_deliver(NetConnection *connection, char *bytes, uint32_t count);
/* Writes encrypted bytes, which it frees, after those before. */
void connection_write_sealed(NetConnection *connection, char *bytes, uint32_t count);
/* WebSocket bytes arrived. */
void connection_receive(NetConnection *connection, const char *bytes, uint32_t count);
/* Queues bytes of HTTP and gives the reference away; false = no memory, and it will be closed. */
bool connection_queue(NetConnection *connection, NetFrame *frame);
/* Keeps these bytes of HTTP, and no others, for later; they may be part of those kept now. */
void connection_keep(NetConnection *connection, const char *bytes, uint32_t count);
/* Appends these bytes to the kept ones; false = no memory, and it will be closed. */
bool connection_add(NetConnection *connection, const char *bytes, uint32_t count);
/* Closes it as soon as the loop is free. The reason is static. */
void connection_close_later(NetConnection *connection, uint16_t code, const char *reason);
/* Charges what is queued now to the connection's address. */
void connection_charge(NetConnection *connection);
/* Has what is queued written as soon as the loop is free. */
void connection_flush_soon(NetConnection *connection);
/* Writes what can be written; true = all of it. The connection may be gone after it. */
bool connection_write(NetConnection *connection);
/* The loop is free: writes, and closes it if it is to be closed. */
void connection_flush(NetConnection *connection);
/* Shuts down our end after what is queued; waits for the peer's close. */
void connection_linger(NetConnection *connection);
/* Closes the socket and calls on_close, if that is still to be called. */
void connection_end(NetConnection *connection, uint16_t code, const char *reason);
/* Closes the socket without a callback. */
void connection_drop(NetConnection *connection);
/* Releases what the connection holds, when its socket is closed. */
void connection_release(NetConnection *connection);

#endif
