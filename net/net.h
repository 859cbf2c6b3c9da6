/* net.h -- sockets for one thread: a loop, an HTTP and WebSocket server, WebSocket clients, timers.
 *
 * net knows bytes and text, and nothing of games. This header is all that other rooms see of it; it
 * names no library, so that a simulator with a clock and a network of its own can stand in for it.
 *
 * Everything belongs to one NetLoop and to the thread that runs it; only the work of a
 * NetThreadPool runs elsewhere, and only net_wakeup_signal() may be called from there. Calls back
 * come out of net_loop_run() alone, never out of another function of this header, so a caller may
 * send, close and open whatever it likes inside any of them. Memory runs out softly: an _open
 * answers NULL, a send answers false, a stranger is told that the server is full. */
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
/* Calls back whatever happens, until net_loop_stop() or until there is nothing left to wait for. */
void net_loop_run(NetLoop *loop);
/* Makes net_loop_run() return soon; it may be run again. */
void net_loop_stop(NetLoop *loop);
/* Releases the loop. Servers, timers and crews on it must have been closed; client connections that
 * are still open are cut without a word. */
void net_loop_close(NetLoop *loop);

/* Milliseconds that only ever grow, the same during one call back. */
uint64_t net_now_ms(const NetLoop *loop);
/* Milliseconds since 1970, by the machine's calendar; 0 if that is set to before it. */
uint64_t net_wall_clock_ms(const NetLoop *loop);
/* Bytes that nobody can foretell: tokens, codes, seeds. */
void net_random(NetLoop *loop, void *bytes, uint32_t count);

/* How long others wait for the loop. A turn lasts from waking up to going to sleep again, with all
 * that is called back in it: whatever comes meanwhile waits so long. A machine that lets the loop
 * sleep too long shows in timers that are called late. */
typedef struct NetLoopStats {
    uint64_t count, busy_us;             /* turns, and all of them together */
    uint64_t long_count;                 /* turns of more than NET_SLOW_ITERATION_US */
    uint64_t longest_us, longest_cpu_us; /* by the wall, and of this thread's work alone */
    uint64_t late_count;                 /* timers called more than NET_LATE_MS late */
    uint64_t latest_ms;                  /* the latest of all */
} NetLoopStats;
enum { NET_SLOW_ITERATION_US = 5000, NET_LATE_MS = 50 };
NetLoopStats net_loop_stats(const NetLoop *loop);

/* Calls back when the process is sent this signal (SIGTERM, SIGINT), instead of dying by it, for as
 * long as the loop lives. False = it could not be arranged. */
bool net_on_signal(NetLoop *loop, int signal, void (*call)(void *owner), void *owner);

/* A timer, at rest. NULL = no memory. */
NetTimer *net_timer_open(NetLoop *loop, void (*call)(void *owner), void *owner);
/* Calls back once in so many milliseconds; a timer that was running starts anew. Whatever has come
 * in by then is called back first, however late the loop wakes up: who spoke in time is heard
 * before it is judged that nobody did. */
void net_timer_start(NetTimer *timer, uint64_t after_ms);
/* Puts the timer at rest; it may have been so. */
void net_timer_stop(NetTimer *timer);
/* Stops and releases the timer, also inside its own call back. NULL is no timer and ignored. */
void net_timer_close(NetTimer *timer);

/* --- Threads for long work -------------------------------------------------------------------- */

/* Some threads that take jobs in order, at most `waiting_max` of them waiting. One crew of several
 * threads thinks; a crew of one thread is a queue: its jobs end in the order they were given. They
 * give way to the loop where the system lets them. */
NetThreadPool *net_thread_pool_open(NetLoop *loop, uint32_t threads, uint32_t waiting_max);
/* Runs work(job) in a thread of the crew, then done(job) in the loop. The job is the caller's; the
 * crew alone touches it in between. False = too many wait, and nothing was done. */
bool net_thread_pool_submit(NetThreadPool *pool, void (*work)(void *job), void (*done)(void *job),
                            void *job);
/* Forgets the jobs that still wait, waits for those under way, and releases the crew. Nothing is
 * called after it: what the jobs hold is the caller's to release. */
void net_thread_pool_close(NetThreadPool *pool);

/* A bell in the loop that threads of others ring. It does not keep net_loop_run() from ending. NULL
 * = no memory or no descriptor. */
NetWakeup *net_wakeup_open(NetLoop *loop, void (*call)(void *owner), void *owner);
/* Calls back in the loop soon, once for any number of rings until then. From any thread. */
void net_wakeup_signal(NetWakeup *wakeup);
/* Releases the bell; nobody may ring it any more. NULL is no bell and ignored. */
void net_wakeup_close(NetWakeup *wakeup);

/* --- Frames and connections ------------------------------------------------------------------- */

/* A text message as it goes over the wire: built once, sent to any number of connections of its
 * loop. The bytes are copied and must be UTF-8. The maker holds one reference, and each connection
 * one of its own while the frame waits there. NULL = no memory. */
NetFrame *net_frame_new(NetLoop *loop, const char *bytes, uint32_t count);
/* Takes one more reference; returns the frame. */
NetFrame *net_frame_keep(NetFrame *frame);
/* Gives one reference back; the last one releases the frame. NULL is no frame and ignored. */
void net_frame_release(NetFrame *frame);

/* Queues the frame; everything queued goes out when the loop has called back all it had to. False
 * = the connection is closing, or has just been found to read too slowly and will be cut off:
 * on_close follows, and nothing more need be done. A NULL frame, for which there was no memory,
 * ends the connection likewise (1013), so that nobody goes on with a message missing. */
bool net_send(NetConnection *connection, NetFrame *frame);
/* The same for who is in no hurry: the frame waits for company, and goes out in its turn with the
 * next one that net_send() queues, or alone after NET_BATCH_MS. */
bool net_send_batched(NetConnection *connection, NetFrame *frame);
enum { NET_BATCH_MS = 40 };
/* The same for a message to one connection alone. */
bool net_send_text(NetConnection *connection, const char *bytes, uint32_t count);

/* How a WebSocket ended or shall end (RFC 6455, 7.4.1). */
enum {
    NET_CLOSE_NORMAL = 1000,
    NET_CLOSE_GOING_AWAY = 1001,   /* the server closes */
    NET_CLOSE_PROTOCOL = 1002,     /* frames that are none */
    NET_CLOSE_UNSUPPORTED = 1003,  /* a binary message */
    NET_CLOSE_NO_STATUS = 1005,    /* closed without a code; never sent */
    NET_CLOSE_ABNORMAL = 1006,     /* ended without a close, or reads too slowly; never sent */
    NET_CLOSE_INVALID_DATA = 1007, /* not UTF-8 */
    NET_CLOSE_POLICY = 1008,       /* too fast, not wanted */
    NET_CLOSE_TOO_BIG = 1009,
    NET_CLOSE_INTERNAL_ERROR = 1011, /* our own fault */
    NET_CLOSE_TRY_AGAIN_LATER = 1013 /* no room now */
};

/* Says goodbye behind everything already queued. The connection is still valid, takes no frames and
 * brings no messages; on_close comes when the other side has answered or was too slow to. Closing
 * twice does nothing. `reason` is UTF-8; 123 bytes of it are sent. */
void net_close(NetConnection *connection, uint16_t code, const char *reason);

/* A pointer of the caller's, NULL at first. */
void net_set_owner(NetConnection *connection, void *owner);
void *net_owner(const NetConnection *connection);

/* --- What the caller is told ------------------------------------------------------------------ */

/* What was asked of a server; valid during the call back. Path and query are as sent: nothing but
 * visible ASCII, escapes not decoded. */
typedef struct NetRequest {
    const char *path;          /* from the '/' to before the '?' */
    const char *query;         /* behind the '?', or "" */
    const char *origin;        /* the page a browser speaks for, or NULL */
    const char *host;          /* how the other side calls this server, or "" */
    const char *address;       /* of the other side, without port */
    const char *authorization; /* the header of that name, or NULL */
    bool local;    /* the other side is this machine, and no proxy speaks for somebody else */
    bool own_name; /* the host is a name of this server; or the other side is not near, or came
                      through a proxy. If not, a stranger's page may have had its own name lead to
                      a server that it cannot reach itself. */
} NetRequest;

/* Who is called. `house` is the caller's pointer that came with the calls. A connection pointer is
 * valid from on_open to the end of on_close, which follows exactly once. */
typedef struct NetCallbacks {
    /* Somebody opens a WebSocket. Returns NET_ACCEPT, or the HTTP status to refuse with (403, 404,
     * 503): then on_close does not come and the pointer is void. Frames may be sent at once. For a
     * client: the server let us in; the answer does not matter, the request has path and host. */
    uint16_t (*on_open)(void *owner, NetConnection *connection, const NetRequest *request);
    /* A whole text message, UTF-8, not NUL-terminated, valid during the call. */
    void (*on_message)(void *owner, NetConnection *connection, const char *bytes, uint32_t count);
    /* A binary message, whose bytes are dropped. NULL = it closes the connection (1003). */
    void (*on_binary)(void *owner, NetConnection *connection);
    /* The connection is gone. The code and reason are those of the side that closed first. For a
     * client that could not connect this comes without on_open, with NET_CLOSE_ABNORMAL. */
    void (*on_close)(void *owner, NetConnection *connection, uint16_t code, const char *reason);
    /* GET or HEAD of a path that is no file of the setup: answer with one net_reply, now or by
     * net_reply_later(). Without an answer, or if this is NULL, it is 404. Servers only. */
    void (*on_request)(void *owner, const NetRequest *request, NetReply *reply);
} NetCallbacks;

/* on_open's word for yes. */
enum { NET_ACCEPT = 101 };

/* --- Limits ----------------------------------------------------------------------------------- */

/* How much in the long run, and how much at once. per_second 0 = no limit. */
typedef struct NetRate {
    uint32_t per_second, burst;
} NetRate;

/* What strangers may do. net_limits() gives good ones to start from; all times are above 0. */
typedef struct NetLimits {
    uint32_t websockets_max;      /* beyond it: 503, the server is full */
    uint32_t sockets_max;         /* WebSockets and HTTP: beyond it who asks for nothing gives way,
                                     or nobody is let in */
    uint32_t address_sockets_max; /* of one address (IPv6: of one /64 network) */
    NetRate address_connections;  /* new sockets of one address */
    NetRate address_requests;     /* its HTTP requests */
    NetRate address_handshakes;   /* its WebSocket handshakes */
    NetRate socket_frames;        /* one WebSocket's frames of any kind: beyond it 1008 */
    NetRate socket_bytes;         /* and their bytes */
    uint32_t message_bytes_max;   /* one message: beyond it 1009 */
    uint32_t message_frames_max;  /* the frames of one message: beyond it 1008 */
    uint32_t queue_bytes_max;     /* what may wait for a slow reader before it is cut off */
    uint32_t queue_frames_max;    /* and in how many frames */
    uint64_t address_queue_max;   /* bytes that wait for all sockets of one address together */
    uint64_t memory_max;          /* all frames and half messages of the loop */
    uint32_t request_ms;          /* from the first byte or connection to a whole request */
    uint32_t idle_ms;             /* from one HTTP request to the next */
    uint32_t send_ms;             /* what waits to be sent, while the other side takes nothing */
    uint32_t ping_ms;             /* silence before a WebSocket is pinged */
    uint32_t pong_ms;             /* silence after that before it is cut off */
    uint32_t close_ms;            /* from our goodbye to theirs */
} NetLimits;

/* Good limits for a public server. */
NetLimits net_limits(void);
/* How many of so many sockets the process can have by its limit of open files, when those that are
 * open now stay so and NET_FILES_KEPT more are kept for others: journal, archive, the side door. */
uint32_t net_sockets_fit(uint32_t wanted);
enum { NET_FILES_KEPT = 64 };

/* --- The server ------------------------------------------------------------------------------- */

/* A run of bytes; NULL = there is none. */
typedef struct NetBytes {
    const void *bytes;
    uint32_t count;
} NetBytes;

/* A file to serve, in up to three spellings of the same bytes; all of it is lent. */
typedef struct NetFile {
    const char *path;  /* with the leading '/' */
    const char *type;  /* Content-Type */
    const char *cache; /* Cache-Control, "no-cache" or "public, max-age=..., immutable" */
    const char *etag;  /* letters and digits that change with the bytes, no quotes */
    NetBytes plain, gzip, brotli; /* `plain` is always there */
} NetFile;

/* How a server is opened. Strings and files are lent until net_server_close(). */
typedef struct NetServerSetup {
    const char *address; /* to listen at: 0.0.0.0, 127.0.0.1, :: (with IPv4), ::1 */
    uint16_t port;       /* 0 = any that is free */
    NetCallbacks calls;
    void *owner;
    const NetFile *files;
    uint32_t files_count;
    const char *headers; /* lines for every HTTP answer, each ending in CRLF; NULL = none */
    bool behind_proxy;   /* all comes through a proxy of ours: X-Forwarded-For tells the address */
    const char *const *hosts; /* names or URLs of this server, beside those that it knows itself */
    uint32_t hosts_count;
    NetLimits limits;
} NetServerSetup;

/* What a server has seen so far, and what it holds now. */
typedef struct NetStats {
    uint64_t sockets, websockets;            /* now */
    uint64_t memory;                         /* now: frames and half messages of its loop */
    uint64_t accepted, requests, handshakes; /* since it was opened, as all below */
    uint64_t refused_full, refused_rate;     /* no room; an address too fast */
    uint64_t accept_failures;                /* the machine had no descriptor left */
    uint64_t shed; /* HTTP sockets that asked for nothing and had to give way to others */
    uint64_t messages_in, bytes_in, frames_out, bytes_out;
    uint64_t cut_slow;   /* read too slowly */
    uint64_t cut_silent; /* answered no ping */
    uint64_t cut_rate;   /* sent too fast */
    uint64_t cut_broken; /* sent what is not allowed: 1002, 1003, 1007, 1009 */
} NetStats;

/* Listens. NULL = it cannot; the problem says why with names and numbers. */
NetServer *net_server_open(NetLoop *loop, const NetServerSetup *setup, MashText *problem);
/* The port it listens at. */
uint16_t net_server_port(const NetServer *server);
NetStats net_server_stats(const NetServer *server);
/* Changes the limits for what comes from here on; sockets_max stays as it was. */
void net_server_set_limits(NetServer *server, const NetLimits *limits);
/* Lets nobody in any more, closes everything (1001, the server closes) and calls done(house) when
 * all are gone or after `reconnect_ms`. Once for a server. */
void net_server_drain(NetServer *server, uint32_t reconnect_ms, void (*done)(void *owner));
/* Releases the server. Connections still there are cut without a word and without calls back. */
void net_server_close(NetServer *server);

/* Answers the request with bytes that are copied. `type` NULL = plain text. Never cached. */
void net_reply(NetReply *reply, uint16_t status, const char *type, const char *bytes,
               uint32_t count);
/* Answers 200 (or 304) with a file, which is lent until net_server_close(). */
void net_reply_file(NetReply *reply, const NetFile *file);
/* The answer comes later: what is returned is the caller's until it is given to net_reply(), once,
 * also if the connection is gone by then (the answer is dropped). The connection brings no further
 * request meanwhile and is cut off after send_ms. NULL = no memory; answer now. */
NetReply *net_reply_later(NetReply *reply);

/* --- The side door ---------------------------------------------------------------------------- */

/* A Unix socket for those who run the server: only the user of this process may open it. Each who
 * comes says one line and gets one answer; what lay at the path is replaced. NULL = it cannot; the
 * problem says why. */
NetAdminSocket *net_admin_socket_open(NetLoop *loop, const char *path,
                                      void (*call)(void *owner, const char *line,
                                                   NetAdminReply *answer),
                                      void *owner, MashText *problem);
/* Answers the line, once, with bytes that are copied. Without an answer nothing is said. */
void net_admin_reply(NetAdminReply *answer, const char *bytes, uint32_t count);
/* Closes the socket and removes its path, also inside a call, which then stays without an answer.
 * NULL is no socket and ignored. */
void net_admin_socket_close(NetAdminSocket *door);

/* --- The client ------------------------------------------------------------------------------- */

/* Opens a WebSocket to ws://host[:port][/path]; port 80 if none is named. The connection is valid
 * at once, for net_set_owner() and net_close(), and on_close follows whatever happens. Limits NULL
 * = net_limits() without rates. NULL = the address is wrong, and the problem says how. */
NetConnection *net_connect(NetLoop *loop, const char *url, const NetCallbacks *calls, void *owner,
                           const NetLimits *limits, MashText *problem);

#endif
