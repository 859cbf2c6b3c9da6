/* connection.h -- one socket from inside: what servers and clients have in common.
 *
 * A connection goes through its phases in order and may skip some, never turn back. It waits for
 * one thing at a time; all of a side that wait for the same thing have the same patience, so they
 * stand in a row by age and only the head of each row is ever looked at. While something waits that
 * the system does not take, it stands in one more such row, whatever else it waits for: somebody
 * who takes nothing for too long is cut off. Its memory is released by the loop, after all calls
 * back have returned. */
#ifndef NET_CONNECTION_H
#define NET_CONNECTION_H
#include "net/frame.h"
#include "net/loop.h"
#include "net/rate_limit.h"

/* How far it has come. */
typedef enum ConnectionPhase {
    PHASE_HEAD,    /* HTTP: requests come in, or the answer to our own is awaited */
    PHASE_OPEN,    /* a WebSocket */
    PHASE_CLOSING, /* we said goodbye and await theirs */
    PHASE_LINGER,  /* all is said: what is queued goes out, what comes in is dropped */
    PHASE_GONE     /* the socket is closed */
} ConnectionPhase;

/* What it waits for; the limits say how long. */
typedef enum ConnectionTimeout {
    TIMEOUT_HEAD,  /* a whole request, or a whole answer */
    TIMEOUT_NEXT,  /* another request */
    TIMEOUT_REPLY, /* the caller, who answers a request later */
    TIMEOUT_PING,  /* the moment to ask whether somebody is there */
    TIMEOUT_PONG,  /* any sign of life */
    TIMEOUT_CLOSE, /* the other side's end */
    WAITS
} ConnectionTimeout;

/* What all connections of a server share, or what one client has to itself. */
typedef struct Endpoint {
    NetLoop *loop;
    NetCallbacks calls;
    void *owner;
    NetLimits limits;
    bool is_client;
    NetStats figures;
    Link waits[WAITS];
    Link stuck; /* connections with a write under way, by the age of the last look at it */
    uv_timer_t sweep;
    uint32_t period_ms; /* of the sweep */
    uint64_t swept_ms;  /* when it was last called */
    /* Bytes came in PHASE_HEAD. */
    void (*on_head)(NetConnection *connection, char *bytes, uint32_t count);
    /* In PHASE_HEAD everything queued was written. */
    void (*on_written)(NetConnection *connection);
    /* The socket is closed: release the connection's memory. */
    void (*on_gone)(NetConnection *connection);
} Endpoint;

/* One socket. */
struct NetConnection {
    uv_tcp_t tcp;
    Endpoint *endpoint;
    void *owner;
    Link member;  /* of its server, or of its loop's clients */
    Link dirty;   /* while it has something to write or to end, at once or lazily */
    Link waiting; /* in one of the side's rows */
    uint64_t deadline_ms;
    uint64_t lazy_ms; /* when its frames have waited for company long enough */
    SendQueue queue;
    uv_write_t *writing; /* under way, or NULL */
    uint64_t written;    /* bytes of all writes that are done */
    uint64_t charged;    /* bytes of the queue that its address is charged with */
    Link stuck;          /* in the side's row while a write is under way */
    uint64_t stuck_ms;   /* when it is looked at again */
    uint64_t taken;      /* bytes that the other side had taken at the last look */
    WsReader reader;
    char *head;      /* HTTP bytes not yet used, or NULL */
    NetReply *later; /* the caller answers its request later; NULL = nothing is owed */
    uint32_t head_count, head_scanned;
    TokenBucket frames, bytes;
    Address *address; /* who pays, or NULL */
    uint16_t close_code;
    uint16_t pending_close_code;      /* not 0: end it so as soon as the loop is free */
    const char *pending_close_reason; /* static */
    char *close_reason;               /* of our own goodbye, or NULL */
    uint8_t phase, wait;              /* Phase, Wait */
    bool close_owed;                  /* on_close is owed */
    bool active;                      /* something came since the last look */
    bool mid_message;                 /* a message was incomplete at the last look */
    bool last;                        /* no further request after this answer */
    bool reading;
    bool write_closed; /* our end of the line is closed */
};

/* A side without connections, its sweep running; `side` must have loop, limits and hooks. */
void endpoint_init(Endpoint *side);

/* Ends the connection that has asked for nothing for the longest time: one between two requests, or
 * else one whose request is not whole. False = there is none of more than SHED_MS. */
bool side_shed(Endpoint *side);
enum { SHED_MS = 1000 };

/* A new connection of a side, with nothing going on. False = no memory in the system. */
bool connection_init(NetConnection *connection, Endpoint *side);
/* Begins to read, or goes on reading; stops for a while. */
void connection_start(NetConnection *connection);
void connection_pause(NetConnection *connection);
/* Goes to wait for something else, from now. */
void connection_wait(NetConnection *connection, ConnectionTimeout wait);
/* It is a WebSocket from now on; what is queued goes out when the loop is free. */
void connection_open(NetConnection *connection);
/* WebSocket bytes came. */
void connection_receive(NetConnection *connection, const char *bytes, uint32_t count);
/* Queues bytes of HTTP and gives the reference away; false = no memory, and the end is near. */
bool connection_queue(NetConnection *connection, NetFrame *frame);
/* Keeps these bytes of HTTP, and no others, for later; they may be part of those kept now. */
void connection_keep(NetConnection *connection, const char *bytes, uint32_t count);
/* Keeps these bytes behind the others; false = no memory, and the end is near. */
bool connection_add(NetConnection *connection, const char *bytes, uint32_t count);
/* Ends it as soon as the loop is free. The reason is static. */
void connection_close_later(NetConnection *connection, uint16_t code, const char *reason);
/* Charges the address of the connection with what waits for it now. */
void connection_charge(NetConnection *connection);
/* Has what is queued written as soon as the loop is free. */
void connection_flush_soon(NetConnection *connection);
/* Writes what can be written; true = all of it. The connection may be gone after it. */
bool connection_write(NetConnection *connection);
/* The loop is free: writes, and ends what is to end. */
void connection_flush(NetConnection *connection);
/* No more from us after what is queued; waits for the other side's end. */
void connection_linger(NetConnection *connection);
/* Closes the socket and tells the caller, if it is owed. */
void connection_end(NetConnection *connection, uint16_t code, const char *reason);
/* Closes the socket and tells nobody. */
void connection_drop(NetConnection *connection);
/* Releases what the connection holds, when its socket is closed. */
void connection_release(NetConnection *connection);

#endif
