/* net.h -- sockets for one thread: a loop, an HTTP and WebSocket server, WebSocket clients, timers.
 *
 * net knows bytes and text, and nothing of games. This header is its whole interface; it names no
 * library, so that a simulator with its own clock and network can replace it.
 *
 * Everything belongs to one NetLoop and to the thread that runs it; only the work of a
 * NetThreadPool runs elsewhere, and only net_wakeup_signal() may be called from there. Callbacks
 * come only from net_loop_run(), never from another function of this header, so a caller may send,
 * close and open anything inside any of them. Running out of memory is handled: an _open returns
 * NULL, a send returns false, a new client is refused as if the server were full. */
#ifndef NET_NET_H
#define NET_NET_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef struct NetLoop NetLoop;
typedef struct NetTimer NetTimer;
typedef struct NetThreadPool NetThreadPool;
typedef struct NetWakeup NetWakeup;
typedef struct NetFrame NetFrame;
typedef struct NetServer NetServer;
typedef struct NetConnection NetConnection;
typedef struct NetReply NetReply;
typedef struct NetAdminSocket NetAdminSocket;
typedef struct NetAdminReply NetAdminReply;

/* --- The loop --------------------------------------------------------------------------------- */

/* A loop. NULL = no memory or no file descriptors. SIGPIPE is ignored from here on. */
NetLoop *net_loop_open(void);
/* Runs the loop and its callbacks until net_loop_stop() or until there is nothing left to wait
 * for. */
void net_loop_run(NetLoop *loop);
/* Makes net_loop_run() return soon; it may be run again. */
void net_loop_stop(NetLoop *loop);
/* Releases the loop. Servers, timers and thread pools on it must have been closed; client
 * connections that are still open are dropped without a close frame. */
void net_loop_close(NetLoop *loop);

/* Monotonic milliseconds, constant during one callback. */
uint64_t net_now_ms(const NetLoop *loop);
/* Milliseconds since 1970, by the wall clock; 0 if that is set to before 1970. */
uint64_t net_wall_clock_ms(const NetLoop *loop);
/* Unpredictable random bytes: for tokens, codes, seeds. */
void net_random(NetLoop *loop, void *bytes, uint32_t count);

/* Latency of the loop. An iteration lasts from waking up to going to sleep again, with all its
 * callbacks: whatever arrives meanwhile waits that long. A machine that lets the loop sleep too
 * long shows in timers that are called late. */
typedef struct NetLoopStats {
    uint64_t count, busy_us;             /* iterations, and their total time */
    uint64_t long_count;                 /* iterations of more than NET_SLOW_ITERATION_US */
    uint64_t longest_us, longest_cpu_us; /* by the wall clock, and CPU time of this thread */
    uint64_t late_count;                 /* timers called more than NET_LATE_MS late */
    uint64_t latest_ms;                  /* the latest of all */
} NetLoopStats;
enum { NET_SLOW_ITERATION_US = 5000, NET_LATE_MS = 50 };
NetLoopStats net_loop_stats(const NetLoop *loop);

/* Calls back when the process is sent this signal (SIGTERM, SIGINT), instead of terminating it, for
 * as long as the loop lives. False = it could not be arranged. */
bool net_on_signal(NetLoop *loop, int signal, void (*call)(void *owner), void *owner);

/* A stopped timer. NULL = no memory. */
NetTimer *net_timer_open(NetLoop *loop, void (*call)(void *owner), void *owner);
/* Calls back once after this many milliseconds; a running timer is restarted. Whatever has arrived
 * by then is called back first, however late the loop wakes up: a message that came in time is
 * handled before the timeout. */
void net_timer_start(NetTimer *timer, uint64_t after_ms);
/* Stops the timer, if it is running. */
void net_timer_stop(NetTimer *timer);
/* Stops and releases the timer, also inside its own callback. NULL is ignored. */
void net_timer_close(NetTimer *timer);

/* --- Threads for long work -------------------------------------------------------------------- */

/* A thread pool that takes jobs in order, at most `waiting_max` of them waiting. A pool of one
 * thread is a queue: its jobs end in the order they were submitted. The threads have a lower
 * priority than the loop where the system allows it. */
NetThreadPool *net_thread_pool_open(NetLoop *loop, uint32_t threads, uint32_t waiting_max);
/* Runs work(job) in a thread of the pool, then done(job) in the loop. The caller owns the job; only
 * the pool touches it in between. False = too many wait, and nothing was done. */
bool net_thread_pool_submit(NetThreadPool *pool, void (*work)(void *job), void (*done)(void *job),
                            void *job);
/* Drops the waiting jobs, waits for the running ones, and releases the pool. No callback comes
 * after it: the caller releases what the jobs hold. */
void net_thread_pool_close(NetThreadPool *pool);

/* --- Requests to other servers, by addresses that strangers choose --------------------------- */

/* An HTTPS request with a body. */
typedef struct NetPost {
    const char *url;     /* https://HOST[:PORT][/PATH] */
    const char *headers; /* more of them, each with its line end */
    const void *body;
    size_t count;
    uint32_t timeout_ms; /* for all of it but the look-up of the name */
    const char *cafile;  /* whom to trust besides the system's; NULL = nobody */
    bool local;          /* for tests: addresses of one's own network and http:// as well */
} NetPost;
/* Sends it from a thread that may block, and returns the status of the answer; 0 = with a problem.
 * Addresses that are not public are refused after the name was looked up, and the connection is
 * made to the address that was checked; redirects are not followed. */
uint16_t net_post(const NetPost *post, MashText *problem);
/* May it be sent there, by the look of the URL? False = with a problem. */
bool net_post_may(const char *url, bool local, MashText *problem);
/* Is it an address of the internet: not of this machine, a private network, a link, a test? */
struct sockaddr;
bool net_address_is_public(const struct sockaddr *address);

/* A wakeup of the loop that other threads signal. It does not keep net_loop_run() from ending. NULL
 * = no memory or no descriptor. */
NetWakeup *net_wakeup_open(NetLoop *loop, void (*call)(void *owner), void *owner);
/* Calls back in the loop soon, once for any number of signals until then. From any thread. */
void net_wakeup_signal(NetWakeup *wakeup);
/* Releases the wakeup; nobody may signal it any more. NULL is ignored. */
void net_wakeup_close(NetWakeup *wakeup);

/* --- Frames and connections ------------------------------------------------------------------- */

/* A text message as it goes over the wire: built once, sent to any number of connections of its
 * loop. The bytes are copied and must be UTF-8. The caller holds one reference, and each connection
 * one more while the frame is queued there. NULL = no memory. */
NetFrame *net_frame_new(NetLoop *loop, const char *bytes, uint32_t count);
/* Takes one more reference; returns the frame. */
NetFrame *net_frame_keep(NetFrame *frame);
/* Gives one reference back; the last one releases the frame. NULL is ignored. */
void net_frame_release(NetFrame *frame);

/* Queues the frame; everything queued is written after the pending callbacks. False = the
 * connection is closing, or reads too slowly and will be disconnected: on_close follows, and
 * nothing more need be done. A NULL frame, for which there was no memory, closes the connection
 * likewise (1013), so that nobody continues with a message missing. */
bool net_send(NetConnection *connection, NetFrame *frame);
/* The same, batched: the frame is written, in order, with the next one that net_send() queues, or
 * after NET_BATCH_MS. */
bool net_send_batched(NetConnection *connection, NetFrame *frame);
enum { NET_BATCH_MS = 40 };
/* The same for a message to a single connection. */
bool net_send_text(NetConnection *connection, const char *bytes, uint32_t count);

/* How a WebSocket ended or shall end (RFC 6455, 7.4.1). */
enum {
    NET_CLOSE_NORMAL = 1000,
    NET_CLOSE_GOING_AWAY = 1001,   /* the server closes */
    NET_CLOSE_PROTOCOL = 1002,     /* malformed frames */
    NET_CLOSE_UNSUPPORTED = 1003,  /* a binary message */
    NET_CLOSE_NO_STATUS = 1005,    /* closed without a code; never sent */
    NET_CLOSE_ABNORMAL = 1006,     /* ended without a close, or reads too slowly; never sent */
    NET_CLOSE_INVALID_DATA = 1007, /* not UTF-8 */
    NET_CLOSE_POLICY = 1008,       /* too fast, not wanted */
    NET_CLOSE_TOO_BIG = 1009,
    NET_CLOSE_INTERNAL_ERROR = 1011,  /* an error of ours */
    NET_CLOSE_TRY_AGAIN_LATER = 1013, /* no capacity now */
    NET_CLOSE_TLS =
        1015 /* the server did not prove its identity, or does not support TLS; never sent */
};

/* Sends a close frame after everything already queued. The connection is still valid, but accepts
 * no frames and delivers no messages; on_close comes when the peer has answered or timed out.
 * Closing twice does nothing. `reason` is UTF-8; 123 bytes of it are sent. */
void net_close(NetConnection *connection, uint16_t code, const char *reason);

/* A pointer owned by the caller, NULL at first. */
void net_set_owner(NetConnection *connection, void *owner);
void *net_owner(const NetConnection *connection);

/* --- Callbacks -------------------------------------------------------------------------------- */

/* A request to a server; valid during the callback. Path and query are as sent: nothing but visible
 * ASCII, escapes not decoded. */
typedef struct NetRequest {
    const char *path;          /* from the '/' to before the '?' */
    const char *query;         /* behind the '?', or "" */
    const char *origin;        /* the origin of the page in a browser, or NULL */
    const char *host;          /* the Host that the client used, or "" */
    const char *address;       /* of the client, without port */
    const char *authorization; /* the header of that name, or NULL */
    const char *if_none_match; /* likewise: see net_request_knows() */
    bool options;              /* it asks only what may be asked at this path: answer 204 */
    bool local;    /* the client is on this machine, and it is not a proxy for another */
    bool own_name; /* the host is a name of this server; or the client is not in a local network, or
                      came through a proxy. If false, a stranger's page may have pointed its own
                      name at a server that it cannot reach itself (DNS rebinding). */
} NetRequest;

/* The callbacks. `owner` is the caller's pointer that was given with them. A connection pointer is
 * valid from on_open to the end of on_close, which follows exactly once. */
typedef struct NetCallbacks {
    /* A WebSocket opens. Returns NET_ACCEPT, or the HTTP status to refuse with (403, 404, 503):
     * then on_close does not come and the pointer is invalid. Frames may be sent immediately. For a
     * client: the server accepted; the return value does not matter, the request has path and
     * host. */
    uint16_t (*on_open)(void *owner, NetConnection *connection, const NetRequest *request);
    /* A whole text message, UTF-8, not NUL-terminated, valid during the call. */
    void (*on_message)(void *owner, NetConnection *connection, const char *bytes, uint32_t count);
    /* A binary message, whose bytes are dropped. NULL = it closes the connection (1003). */
    void (*on_binary)(void *owner, NetConnection *connection);
    /* The connection is gone. The code and reason are those of the end that closed first. For a
     * client that could not connect this comes without on_open, with NET_CLOSE_ABNORMAL. */
    void (*on_close)(void *owner, NetConnection *connection, uint16_t code, const char *reason);
    /* GET or HEAD of a path that is not a file of the setup: answer with one net_reply, now or by
     * net_reply_later(). Without an answer, or if this is NULL, it is 404. Servers only. */
    void (*on_request)(void *owner, const NetRequest *request, NetReply *reply);
} NetCallbacks;

/* on_open accepts the connection. */
enum { NET_ACCEPT = 101 };

/* --- Limits ----------------------------------------------------------------------------------- */

/* The long-term rate and the burst. per_second 0 = no limit. */
typedef struct NetRate {
    uint32_t per_second, burst;
} NetRate;

/* Limits for clients. Start from net_limits(); all times are above 0. */
typedef struct NetLimits {
    uint32_t websockets_max; /* beyond it: 503, the server is full */
    uint32_t sockets_max;    /* WebSockets and HTTP: beyond it an idle socket is closed, or new ones
                                are rejected */
    uint32_t address_sockets_max; /* of one address (IPv6: of one /64 network) */
    NetRate address_connections;  /* new sockets of one address */
    NetRate address_requests;     /* its HTTP requests */
    NetRate address_handshakes;   /* its WebSocket handshakes */
    NetRate socket_frames;        /* one WebSocket's frames of any kind: beyond it 1008 */
    NetRate socket_bytes;         /* and their bytes */
    uint32_t message_bytes_max;   /* one message: beyond it 1009 */
    uint32_t message_frames_max;  /* the frames of one message: beyond it 1008 */
    uint32_t queue_bytes_max;   /* what may be queued for a slow reader before it is disconnected */
    uint32_t queue_frames_max;  /* and in how many frames */
    uint64_t address_queue_max; /* bytes queued for all sockets of one address together */
    uint64_t memory_max;        /* all frames and incomplete messages of the loop */
    uint32_t request_ms;        /* from the first byte or connection to a whole request */
    uint32_t idle_ms;           /* from one HTTP request to the next */
    uint32_t send_ms;           /* how long data may be queued while the peer takes nothing */
    uint32_t ping_ms;           /* silence before a WebSocket is pinged */
    uint32_t pong_ms;           /* silence after that before it is disconnected */
    uint32_t close_ms;          /* from our close frame to theirs */
} NetLimits;

/* Good limits for a public server. */
NetLimits net_limits(void);
/* How many of this many sockets the limit of open files allows, when the files open now stay open
 * and NET_FILES_KEPT more are reserved for journal, archive and admin socket. */
uint32_t net_sockets_fit(uint32_t wanted);
enum { NET_FILES_KEPT = 64 };

/* --- The server ------------------------------------------------------------------------------- */

/* Bytes; NULL = none. */
typedef struct NetBytes {
    const void *bytes;
    uint32_t count;
} NetBytes;

/* A file to serve, in up to three encodings; all of it is lent. */
typedef struct NetFile {
    const char *path;  /* with the leading '/' */
    const char *type;  /* Content-Type */
    const char *cache; /* Cache-Control, "no-cache" or "public, max-age=..., immutable" */
    const char *etag;  /* letters and digits that change with the bytes, no quotes */
    NetBytes plain, gzip, brotli; /* `plain` is always there */
    const char *headers;          /* lines instead of the server's; NULL = those */
} NetFile;

/* How a server is opened. Strings and files are lent until net_server_close(). */
typedef struct NetServerSetup {
    const char *address; /* to listen at: 0.0.0.0, 127.0.0.1, :: (with IPv4), ::1 */
    uint16_t port;       /* 0 = any that is free */
    NetCallbacks calls;
    void *owner;
    const NetFile *files;
    uint32_t files_count;
    const char *headers;      /* lines for every HTTP answer, each ending in CRLF; NULL = none */
    bool behind_proxy;        /* all connections come through our own proxy: X-Forwarded-For has the
                                 address */
    const char *const *hosts; /* names or URLs of this server, besides those that it knows itself */
    uint32_t hosts_count;
    NetLimits limits;
} NetServerSetup;

/* Statistics of a server: totals, and current values. */
typedef struct NetStats {
    uint64_t sockets, websockets;            /* now */
    uint64_t memory;                         /* now: frames and incomplete messages of its loop */
    uint64_t accepted, requests, handshakes; /* since it was opened, as all below */
    uint64_t refused_full, refused_rate;     /* no room; an address too fast */
    uint64_t accept_failures;                /* the machine had no descriptor left */
    uint64_t shed;                           /* idle HTTP sockets closed to make room for others */
    uint64_t messages_in, bytes_in, frames_out, bytes_out;
    uint64_t cut_slow;   /* read too slowly */
    uint64_t cut_silent; /* answered no ping */
    uint64_t cut_rate;   /* sent too fast */
    uint64_t cut_broken; /* sent what is not allowed: 1002, 1003, 1007, 1009 */
} NetStats;

/* Listens. NULL = it cannot; see the problem. */
NetServer *net_server_open(NetLoop *loop, const NetServerSetup *setup, MashText *problem);
/* The port it listens at. */
uint16_t net_server_port(const NetServer *server);
NetStats net_server_stats(const NetServer *server);
/* Changes the limits from now on; sockets_max is unchanged. */
void net_server_set_limits(NetServer *server, const NetLimits *limits);
/* Stops accepting, closes all connections (1001, the server closes) and calls done(owner) when all
 * are gone or after `reconnect_ms`. Once per server. */
void net_server_drain(NetServer *server, uint32_t reconnect_ms, void (*done)(void *owner));
/* Releases the server. Remaining connections are dropped without a close frame and without
 * callbacks. */
void net_server_close(NetServer *server);

/* Pages of any origin may read the answer that follows (CORS). */
void net_reply_share(NetReply *reply);
/* Answers the request with bytes that are copied. `type` NULL = plain text. Never cached. The bytes
 * of a 307 are the address to go to, visible ASCII of less than 1,024 bytes. */
void net_reply(NetReply *reply, uint16_t status, const char *type, const char *bytes,
               uint32_t count);
/* The same with more of its head. */
typedef struct NetAnswer {
    uint16_t status;
    const char *type;    /* NULL = plain text */
    const char *cache;   /* Cache-Control; NULL = never cached */
    const char *etag;    /* as that of a file; NULL = none */
    const char *headers; /* lines instead of the server's; NULL = those */
} NetAnswer;
void net_reply_with(NetReply *reply, const NetAnswer *answer, const char *bytes, uint32_t count);
/* Has the client what this etag stands for? Then 304 without bytes is enough. */
bool net_request_knows(const NetRequest *request, const char *etag);
/* Answers 200 (or 304) with a file, which is lent until net_server_close(). */
void net_reply_file(NetReply *reply, const NetFile *file);
/* The answer comes later: what is returned is the caller's until it is given to net_reply(), once,
 * also if the connection is gone by then (the answer is dropped). The connection reads no further
 * request meanwhile and is disconnected after send_ms. NULL = no memory; answer now. */
NetReply *net_reply_later(NetReply *reply);

/* --- The admin socket ------------------------------------------------------------------------- */

/* A Unix socket for operators: only the user of this process may open it. Each client sends one
 * line and gets one answer; an existing file at the path is replaced. NULL = it cannot; see the
 * problem. */
NetAdminSocket *net_admin_socket_open(NetLoop *loop, const char *path,
                                      void (*call)(void *owner, const char *line,
                                                   NetAdminReply *answer),
                                      void *owner, MashText *problem);
/* Answers the line, once, with bytes that are copied. Without an answer nothing is sent. */
void net_admin_reply(NetAdminReply *answer, const char *bytes, uint32_t count);
/* Closes the socket and removes its path, also inside a callback, which then gets no answer. NULL
 * is ignored. */
void net_admin_socket_close(NetAdminSocket *admin);

/* --- The client ------------------------------------------------------------------------------- */

/* Trusts the certificates in this file (PEM; NULL: none) besides the system's, for wss:// from now
 * on. False = it cannot be read; see the problem. */
bool net_trust_file(NetLoop *loop, const char *path, MashText *problem);
/* Opens a WebSocket to ws://host[:port][/path] or wss://...; port 80 or 443 if none is named. With
 * wss:// the server has to prove that it is this host by a certificate that is trusted. The
 * connection is valid
 * immediately, for net_set_owner() and net_close(), and on_close follows whatever happens. Limits
 * NULL = net_limits() without rates. NULL = the address is wrong, and the problem says how. */
NetConnection *net_connect(NetLoop *loop, const char *url, const NetCallbacks *calls, void *owner,
                           const NetLimits *limits, MashText *problem);
/* The same as a proxy for a client at this address, to a server with behind_proxy. */
NetConnection *net_connect_for(NetLoop *loop, const char *url, const char *address,
                               const NetCallbacks *calls, void *owner, const NetLimits *limits,
                               MashText *problem);

#endif
