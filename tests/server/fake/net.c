/* net.c -- see net.h beside this file. */
#include "tests/server/fake/net.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/chance.h"

enum {
    TRAVEL_MS = 1,
    THINKING_MS = 1,
    RINGING_MS = 1,
    SIGNALS_MAX = 4,
    THREADS_MAX = 64, /* no thread pool of a server has more */
    BODY_BYTES = 1 << 20,
    URL_BYTES = 256,
    ADDRESS_BYTES = 46
};

/* --- Types ------------------------------------------------------------------------------------ */

/* Whose event it is: a client's or the disk's, which is never delayed; or the server's, which waits
 * while the server is stalled. Timers come after all other events of the same time. */
typedef enum EventKind { OF_CLIENT, OF_SERVER, OF_TIMER } EventKind;

/* An event at a time; those of the same time in the order of creation, timers of the server
 * last. */
typedef struct Event {
    struct Event *next;
    uint64_t due_ms, at_ms; /* the same, unless the server is stalled */
    EventKind kind;
    void (*call)(struct Event *event);
    NetConnection *connection;
    NetFrame *frame;
    NetTimer *timer;
    NetServer *server;
    NetThreadPool *thread_pool;
    NetWakeup *wakeup;
    void (*work)(void *job);
    void (*done)(void *job);
    void *job;
    uint16_t code;
    char reason[128];
} Event;

struct NetLoop {
    uint64_t now_ms;
    Event *events;
    NetConnection *connections;
    NetServer *servers;
    MashChance chance, faults;
    const char *origin, *address, *authorization, *if_none_match;
    bool strange;              /* connections use a host name that is not ours */
    uint32_t delay_ms;         /* a message takes up to this much longer */
    uint32_t thinking_ms;      /* duration of a job of the thread pool */
    uint32_t late_ms;          /* the most that a timer may be late */
    uint64_t stalled_until_ms; /* the server does not run before this */
    uint32_t lazy;             /* messages sent lazily */
    void (*on_send)(void *owner, const char *bytes, uint32_t count);
    void *on_send_owner;
    NetAdminSocket *admin;
    bool stopped;
    struct {
        int number;
        void (*call)(void *owner);
        void *owner;
    } signals[SIGNALS_MAX];
    uint32_t signals_count;
};

struct NetTimer {
    NetLoop *loop;
    void (*call)(void *owner);
    void *owner;
    bool of_client;
};

struct NetThreadPool {
    NetLoop *loop;
    uint32_t waiting, waiting_max;
};

struct NetWakeup {
    NetLoop *loop;
    void (*call)(void *owner);
    void *owner;
    bool pending;
};

struct NetFrame {
    uint32_t references, count;
    char bytes[];
};

struct NetConnection {
    NetLoop *loop;
    NetConnection *next;
    NetConnection *other; /* NULL: closed */
    NetServer *server;    /* NULL: a client's end */
    NetCallbacks calls;
    void *server_owner, *owner;
    char path[URL_BYTES];
    char address[ADDRESS_BYTES]; /* the client's address */
    uint64_t arrives_ms;         /* when the last message sent to it arrives */
    bool open, closing;
};

struct NetServer {
    NetLoop *loop;
    NetServer *next;
    NetServerSetup setup;
    uint16_t port;
    NetStats stats;
    bool draining;
};

struct NetAdminSocket {
    NetLoop *loop;
    void (*call)(void *owner, const char *line, NetAdminReply *answer);
    void *owner;
};

struct NetAdminReply {
    MashText text;
};

/* --- The loop --------------------------------------------------------------------------------- */

/* Does `a` happen before `b`, or at the same time but created earlier? */
static bool comes_first(const Event *a, const Event *b) {
    if (a->at_ms != b->at_ms)
        return a->at_ms < b->at_ms;
    return a->kind != OF_TIMER || b->kind == OF_TIMER;
}

/* Inserts the event. The server's events wait until the server runs. */
static void line_up(NetLoop *loop, Event *event) {
    event->at_ms = event->kind != OF_CLIENT && event->due_ms < loop->stalled_until_ms
                       ? loop->stalled_until_ms
                       : event->due_ms;
    Event **link = &loop->events;
    while (*link != NULL && comes_first(*link, event))
        link = &(*link)->next;
    event->next = *link;
    *link = event;
}

static Event *happen(NetLoop *loop, uint64_t in_ms, EventKind kind, void (*call)(Event *)) {
    Event *event = calloc(1, sizeof *event);
    assert(event != NULL);
    event->due_ms = loop->now_ms + in_ms;
    event->kind = kind;
    event->call = call;
    line_up(loop, event);
    return event;
}

void fake_thinking(NetLoop *loop, uint32_t ms) { loop->thinking_ms = ms; }

void fake_lateness(NetLoop *loop, uint32_t most_ms) { loop->late_ms = most_ms; }

bool fake_stalled(const NetLoop *loop) { return loop->stalled_until_ms > loop->now_ms; }

void fake_stall(NetLoop *loop, uint64_t ms) {
    Event *all = loop->events;
    loop->stalled_until_ms = loop->now_ms + ms;
    loop->events = NULL;
    while (all != NULL) {
        Event *event = all;
        all = event->next;
        line_up(loop, event);
    }
}

static void forget(Event *event) {
    net_frame_release(event->frame);
    free(event);
}

void fake_run(NetLoop *loop, uint64_t ms) {
    uint64_t until = loop->now_ms + ms;
    loop->stopped = false;
    while (!loop->stopped && loop->events != NULL && loop->events->at_ms <= until) {
        Event *event = loop->events;
        loop->events = event->next;
        loop->now_ms = event->at_ms;
        event->call(event);
        forget(event);
    }
    if (!loop->stopped)
        loop->now_ms = until;
}

NetLoop *net_loop_open(void) {
    NetLoop *loop = calloc(1, sizeof *loop);
    assert(loop != NULL);
    loop->now_ms = 1000;
    loop->thinking_ms = THINKING_MS;
    fake_seed(loop, 1);
    return loop;
}

void net_loop_run(NetLoop *loop) {
    while (loop->events != NULL && !loop->stopped)
        fake_run(loop, 1000);
}

void net_loop_stop(NetLoop *loop) { loop->stopped = true; }

/* Removes all events for which `about` returns true. */
static void take_away(NetLoop *loop, bool (*about)(const Event *, const void *), const void *what) {
    for (Event **link = &loop->events; *link != NULL;) {
        Event *event = *link;
        if (!about(event, what)) {
            link = &event->next;
            continue;
        }
        *link = event->next;
        forget(event);
    }
}

static bool anything(const Event *event, const void *what) {
    (void)event;
    (void)what;
    return true;
}

void net_loop_close(NetLoop *loop) {
    assert(loop->servers == NULL);
    take_away(loop, anything, NULL);
    while (loop->connections != NULL) {
        NetConnection *connection = loop->connections;
        loop->connections = connection->next;
        free(connection);
    }
    free(loop);
}

uint64_t net_now_ms(const NetLoop *loop) { return loop->now_ms; }

NetLoopStats net_loop_stats(const NetLoop *loop) {
    (void)loop;
    return (NetLoopStats){.count = 1};
}

uint64_t net_wall_clock_ms(const NetLoop *loop) { return 1700000000000 + loop->now_ms; }

void fake_seed(NetLoop *loop, uint64_t seed) {
    loop->chance = chance_sampled(seed);
    loop->faults = chance_sampled(~seed);
}

void net_random(NetLoop *loop, void *bytes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        ((uint8_t *)bytes)[i] = (uint8_t)chance_below(&loop->chance, 256);
}

bool net_on_signal(NetLoop *loop, int number, void (*call)(void *owner), void *owner) {
    assert(loop->signals_count < SIGNALS_MAX);
    loop->signals[loop->signals_count].number = number;
    loop->signals[loop->signals_count].call = call;
    loop->signals[loop->signals_count++].owner = owner;
    return true;
}

void fake_signal(NetLoop *loop, int number) {
    for (uint32_t i = 0; i < loop->signals_count; i++)
        if (loop->signals[i].number == number)
            loop->signals[i].call(loop->signals[i].owner);
}

/* --- Timers and thread pools ------------------------------------------------------------------ */

static bool of_timer(const Event *event, const void *timer) { return event->timer == timer; }

static void fire(Event *event) {
    NetTimer *timer = event->timer;
    event->timer = NULL;
    timer->call(timer->owner);
}

NetTimer *net_timer_open(NetLoop *loop, void (*call)(void *owner), void *owner) {
    NetTimer *timer = calloc(1, sizeof *timer);
    assert(timer != NULL);
    *timer = (NetTimer){loop, call, owner, false};
    return timer;
}

void fake_client_timer(NetTimer *timer) { timer->of_client = true; }

void net_timer_start(NetTimer *timer, uint64_t after_ms) {
    net_timer_stop(timer);
    NetLoop *loop = timer->loop;
    if (!timer->of_client && loop->late_ms > 0 && chance_below(&loop->faults, 4) == 0)
        after_ms += chance_below(&loop->faults, loop->late_ms + 1);
    happen(loop, after_ms, timer->of_client ? OF_CLIENT : OF_TIMER, fire)->timer = timer;
}

void net_timer_stop(NetTimer *timer) { take_away(timer->loop, of_timer, timer); }

void net_timer_close(NetTimer *timer) {
    if (timer == NULL)
        return;
    net_timer_stop(timer);
    free(timer);
}

NetThreadPool *net_thread_pool_open(NetLoop *loop, uint32_t threads, uint32_t waiting_max) {
    NetThreadPool *pool = calloc(1, sizeof *pool);
    assert(pool != NULL && threads > 0 && threads <= THREADS_MAX);
    *pool = (NetThreadPool){.loop = loop, .waiting_max = waiting_max};
    return pool;
}

static void labour(Event *event) {
    event->thread_pool->waiting--;
    event->work(event->job);
    event->done(event->job);
}

bool net_thread_pool_submit(NetThreadPool *pool, void (*work)(void *job), void (*done)(void *job),
                            void *job) {
    if (pool->waiting == pool->waiting_max)
        return false;
    pool->waiting++;
    Event *event = happen(pool->loop, pool->loop->thinking_ms, OF_SERVER, labour);
    event->thread_pool = pool;
    event->work = work;
    event->done = done;
    event->job = job;
    return true;
}

static bool of_thread_pool(const Event *event, const void *thread_pool) {
    return event->thread_pool == thread_pool;
}

void net_thread_pool_close(NetThreadPool *pool) {
    take_away(pool->loop, of_thread_pool, pool);
    free(pool);
}

/* --- Requests to other servers ---------------------------------------------------------------- */

FakePosts fake_posts;

uint16_t net_post(const NetPost *post, MashText *problem) {
    fake_posts.count++;
    snprintf(fake_posts.url, sizeof fake_posts.url, "%s", post->url);
    snprintf(fake_posts.headers, sizeof fake_posts.headers, "%s", post->headers);
    assert(post->count < sizeof fake_posts.body);
    memcpy(fake_posts.body, post->body, post->count);
    fake_posts.body[post->count] = '\0';
    fake_posts.body_count = post->count;
    if (fake_posts.status == 0)
        text_string(problem, "nobody answers there");
    return fake_posts.status;
}

bool net_post_may(const char *url, bool local, MashText *problem) {
    bool may = local || strncmp(url, "https://", 8) == 0;
    if (!may)
        text_string(problem, "it must begin with https://");
    return may;
}

/* --- Wakeups ---------------------------------------------------------------------------------- */

static void wake(Event *event) {
    NetWakeup *wakeup = event->wakeup;
    event->wakeup = NULL;
    wakeup->pending = false;
    wakeup->call(wakeup->owner);
}

NetWakeup *net_wakeup_open(NetLoop *loop, void (*call)(void *owner), void *owner) {
    NetWakeup *wakeup = calloc(1, sizeof *wakeup);
    assert(wakeup != NULL);
    *wakeup = (NetWakeup){.loop = loop, .call = call, .owner = owner};
    return wakeup;
}

void net_wakeup_signal(NetWakeup *wakeup) {
    if (wakeup->pending)
        return;
    wakeup->pending = true;
    happen(wakeup->loop, RINGING_MS, OF_SERVER, wake)->wakeup = wakeup;
}

static bool of_wakeup(const Event *event, const void *wakeup) { return event->wakeup == wakeup; }

void net_wakeup_close(NetWakeup *wakeup) {
    if (wakeup == NULL)
        return;
    take_away(wakeup->loop, of_wakeup, wakeup);
    free(wakeup);
}

/* --- Frames ----------------------------------------------------------------------------------- */

NetFrame *net_frame_new(NetLoop *loop, const char *bytes, uint32_t count) {
    (void)loop;
    NetFrame *frame = malloc(sizeof *frame + count);
    assert(frame != NULL);
    frame->references = 1;
    frame->count = count;
    memcpy(frame->bytes, bytes, count);
    return frame;
}

NetFrame *net_frame_keep(NetFrame *frame) {
    frame->references++;
    return frame;
}

void net_frame_release(NetFrame *frame) {
    if (frame != NULL && --frame->references == 0)
        free(frame);
}

/* --- Connections ------------------------------------------------------------------------------ */

static NetConnection *new_connection(NetLoop *loop, const NetCallbacks *calls, void *owner) {
    NetConnection *connection = calloc(1, sizeof *connection);
    assert(connection != NULL);
    connection->loop = loop;
    connection->calls = *calls;
    connection->server_owner = owner;
    connection->next = loop->connections;
    loop->connections = connection;
    return connection;
}

static bool of_connection(const Event *event, const void *connection) {
    return event->connection == connection;
}

/* Nothing more happens to it. */
static void drop(NetConnection *connection) {
    NetConnection **link = &connection->loop->connections;
    while (*link != connection)
        link = &(*link)->next;
    *link = connection->next;
    if (connection->other != NULL)
        connection->other->other = NULL;
    if (connection->server != NULL && connection->open)
        connection->server->stats.websockets--;
    take_away(connection->loop, of_connection, connection);
    free(connection);
}

/* The last callback of a connection. */
static void end(NetConnection *connection, uint16_t code, const char *reason) {
    if (connection->open || connection->server == NULL)
        connection->calls.on_close(connection->server_owner, connection, code, reason);
    drop(connection);
}

static void arrive(Event *event) {
    NetConnection *connection = event->connection;
    if (connection->closing || !connection->open)
        return;
    if (event->frame == NULL)
        connection->calls.on_binary(connection->server_owner, connection);
    else
        connection->calls.on_message(connection->server_owner, connection, event->frame->bytes,
                                     event->frame->count);
}

static void say_goodbye(Event *event) {
    NetConnection *connection = event->connection;
    event->connection = NULL;
    end(connection, event->code, event->reason);
}

void fake_delays(NetLoop *loop, uint32_t most_ms) { loop->delay_ms = most_ms; }

/* How long the next message to this end takes to arrive: none overtakes another. */
static uint64_t travel_ms(NetConnection *to) {
    NetLoop *loop = to->loop;
    uint64_t at_ms = loop->now_ms + TRAVEL_MS;
    if (loop->delay_ms > 0)
        at_ms += chance_below(&loop->faults, loop->delay_ms + 1);
    if (at_ms > to->arrives_ms)
        to->arrives_ms = at_ms;
    return to->arrives_ms - loop->now_ms;
}

uint32_t fake_lazy(const NetLoop *loop) { return loop->lazy; }

void fake_on_send(NetLoop *loop, void (*call)(void *owner, const char *bytes, uint32_t count),
                  void *owner) {
    loop->on_send = call;
    loop->on_send_owner = owner;
}

static EventKind side_of(const NetConnection *connection) {
    return connection->server != NULL ? OF_SERVER : OF_CLIENT;
}

static bool send_event(NetConnection *connection, NetFrame *frame) {
    if (connection->closing)
        return false;
    if (connection->other == NULL)
        return true; /* dropped */
    Event *event =
        happen(connection->loop, travel_ms(connection->other), side_of(connection->other), arrive);
    event->connection = connection->other;
    event->frame = frame == NULL ? NULL : net_frame_keep(frame);
    return true;
}

bool net_send(NetConnection *connection, NetFrame *frame) {
    NetLoop *loop = connection->loop;
    if (frame == NULL) {
        net_close(connection, NET_CLOSE_TRY_AGAIN_LATER, "no memory");
        return false;
    }
    if (connection->server != NULL)
        connection->server->stats.frames_out++;
    if (connection->server != NULL && loop->on_send != NULL && !connection->closing)
        loop->on_send(loop->on_send_owner, frame->bytes, frame->count);
    return send_event(connection, frame);
}

bool net_send_batched(NetConnection *connection, NetFrame *frame) {
    connection->loop->lazy++;
    return net_send(connection, frame);
}

bool net_send_text(NetConnection *connection, const char *bytes, uint32_t count) {
    NetFrame *frame = net_frame_new(connection->loop, bytes, count);
    bool sent = net_send(connection, frame);
    net_frame_release(frame);
    return sent;
}

void fake_send_binary(NetConnection *connection) { send_event(connection, NULL); }

static void goodbye_in(NetConnection *connection, uint64_t in_ms, uint16_t code,
                       const char *reason) {
    Event *event = happen(connection->loop, in_ms, side_of(connection), say_goodbye);
    MashText text = text_over(event->reason, sizeof event->reason);
    event->connection = connection;
    event->code = code;
    text_string(&text, reason);
}

void net_close(NetConnection *connection, uint16_t code, const char *reason) {
    if (connection->closing)
        return;
    connection->closing = true;
    if (connection->other != NULL)
        goodbye_in(connection->other, travel_ms(connection->other), code, reason);
    goodbye_in(connection, 2 * TRAVEL_MS + connection->loop->delay_ms, code, reason);
}

void fake_cut(NetConnection *connection) {
    connection->closing = true;
    if (connection->other != NULL)
        goodbye_in(connection->other, TRAVEL_MS, NET_CLOSE_ABNORMAL, "");
    goodbye_in(connection, TRAVEL_MS, NET_CLOSE_ABNORMAL, "");
}

void fake_half_open(NetConnection *connection, uint32_t other_hears_ms) {
    NetConnection *other = connection->other;
    if (other != NULL) {
        take_away(other->loop, of_connection, other);
        goodbye_in(other, other_hears_ms, NET_CLOSE_ABNORMAL, "");
        other->other = connection->other = NULL;
    }
    connection->closing = true;
    take_away(connection->loop, of_connection, connection);
    goodbye_in(connection, 0, NET_CLOSE_ABNORMAL, "");
}

void net_set_owner(NetConnection *connection, void *owner) { connection->owner = owner; }

void *net_owner(const NetConnection *connection) { return connection->owner; }

/* --- The server ------------------------------------------------------------------------------- */

NetLimits net_limits(void) { return (NetLimits){.websockets_max = 100000}; }

/* How many sockets fit; 0 = all. */
static uint32_t sockets_fit;

void fake_files(uint32_t sockets) { sockets_fit = sockets; }

uint32_t net_sockets_fit(uint32_t wanted) {
    return sockets_fit > 0 && sockets_fit < wanted ? sockets_fit : wanted;
}

NetServer *net_server_open(NetLoop *loop, const NetServerSetup *setup, MashText *problem) {
    for (NetServer *other = loop->servers; other != NULL; other = other->next)
        if (setup->port != 0 && other->port == setup->port) {
            text_string(problem, "the port is taken");
            return NULL;
        }
    NetServer *server = calloc(1, sizeof *server);
    assert(server != NULL);
    server->loop = loop;
    server->setup = *setup;
    server->port = setup->port == 0 ? 1218 : setup->port;
    server->next = loop->servers;
    loop->servers = server;
    return server;
}

uint16_t net_server_port(const NetServer *server) { return server->port; }

void net_server_set_limits(NetServer *server, const NetLimits *limits) {
    (void)server;
    (void)limits;
}

NetStats net_server_stats(const NetServer *server) { return server->stats; }

static void drained(Event *event) {
    void (*done)(void *owner) = event->done;
    done(event->job);
}

void net_server_drain(NetServer *server, uint32_t reconnect_ms, void (*done)(void *owner)) {
    (void)reconnect_ms;
    server->draining = true;
    for (NetConnection *i = server->loop->connections; i != NULL; i = i->next)
        if (i->server == server)
            net_close(i, NET_CLOSE_GOING_AWAY, "shutting down");
    Event *event = happen(server->loop, 4 * TRAVEL_MS, OF_SERVER, drained);
    event->done = done;
    event->job = server->setup.owner;
    event->server = server;
}

static bool of_server(const Event *event, const void *server) { return event->server == server; }

void net_server_close(NetServer *server) {
    NetLoop *loop = server->loop;
    for (NetConnection *i = loop->connections, *next; i != NULL; i = next) {
        next = i->next;
        if (i->server != server)
            continue;
        if (i->other != NULL) {
            take_away(loop, of_connection, i->other);
            goodbye_in(i->other, TRAVEL_MS, NET_CLOSE_ABNORMAL, "");
        }
        drop(i);
    }
    NetServer **link = &loop->servers;
    while (*link != server)
        link = &(*link)->next;
    *link = server->next;
    take_away(loop, of_server, server);
    free(server);
}

static const char *address_of(const NetLoop *loop) {
    return loop->address == NULL ? "1.2.3.4" : loop->address;
}

void fake_authorization(NetLoop *loop, const char *authorization) {
    loop->authorization = authorization;
}

void fake_if_none_match(NetLoop *loop, const char *etags) { loop->if_none_match = etags; }

void fake_strange(NetLoop *loop, bool strange) { loop->strange = strange; }

void fake_address(NetLoop *loop, const char *address) { loop->address = address; }

/* --- The admin socket ------------------------------------------------------------------------- */

NetAdminSocket *net_admin_socket_open(NetLoop *loop, const char *path,
                                      void (*call)(void *owner, const char *line,
                                                   NetAdminReply *answer),
                                      void *owner, MashText *problem) {
    (void)path;
    (void)problem;
    assert(loop->admin == NULL);
    loop->admin = calloc(1, sizeof *loop->admin);
    assert(loop->admin != NULL);
    *loop->admin = (NetAdminSocket){loop, call, owner};
    return loop->admin;
}

void net_admin_reply(NetAdminReply *answer, const char *bytes, uint32_t count) {
    text_bytes(&answer->text, bytes, count);
}

void net_admin_socket_close(NetAdminSocket *admin) {
    if (admin == NULL)
        return;
    admin->loop->admin = NULL;
    free(admin);
}

const char *fake_admin_line(NetLoop *loop, const char *line) {
    static char memory[BODY_BYTES];
    NetAdminReply answer = {text_over(memory, sizeof memory)};
    assert(loop->admin != NULL);
    loop->admin->call(loop->admin->owner, line, &answer);
    return memory;
}

void net_reply_with(NetReply *reply, const NetAnswer *answer, const char *bytes, uint32_t count) {
    MashText etag = text_over(reply->etag, sizeof reply->etag);
    text_string(&etag, answer->etag == NULL ? "" : answer->etag);
    reply->cache = answer->cache;
    reply->headers = answer->headers;
    reply->status = answer->status;
    reply->later = false;
    text_bytes(reply->out, bytes, count);
}

void net_reply_share(NetReply *reply) { reply->shared = true; }

void net_reply(NetReply *reply, uint16_t status, const char *type, const char *bytes,
               uint32_t count) {
    NetAnswer answer = {.status = status, .type = type};
    net_reply_with(reply, &answer, bytes, count);
}

/* Its header is one etag with its quotes. */
bool net_request_knows(const NetRequest *request, const char *etag) {
    const char *known = request->if_none_match;
    size_t length = strlen(etag);
    return known != NULL && strlen(known) == length + 2 && memcmp(known + 1, etag, length) == 0;
}

/* The reply is in fake_get(), which waits for it. */
NetReply *net_reply_later(NetReply *reply) {
    reply->later = true;
    return reply;
}

void net_reply_file(NetReply *reply, const NetFile *file) {
    NetAnswer answer = {200, file->type, file->cache, file->etag, file->headers};
    net_reply_with(reply, &answer, file->plain.bytes, file->plain.count);
}

void fake_ask(NetServer *server, const char *path, NetReply *reply) {
    char plain[URL_BYTES];
    MashText text = text_over(plain, sizeof plain);
    text_bytes(&text, path, (uint32_t)strcspn(path, "?"));
    const char *query = strchr(path, '?');
    NetRequest request = {.path = plain,
                          .query = query == NULL ? "" : query + 1,
                          .host = "server",
                          .address = address_of(server->loop),
                          .authorization = server->loop->authorization,
                          .if_none_match = server->loop->if_none_match,
                          .local = server->loop->address == NULL,
                          .own_name = true};
    reply->status = 404;
    reply->later = reply->shared = false;
    server->stats.requests++;
    server->setup.calls.on_request(server->setup.owner, &request, reply);
}

uint16_t fake_get(NetServer *server, const char *path, MashText *out) {
    NetReply reply = {.out = out};
    fake_ask(server, path, &reply);
    while (reply.later)
        fake_run(server->loop, 1);
    return reply.status;
}

/* --- The client ------------------------------------------------------------------------------- */

static NetServer *server_of(NetLoop *loop, const char *url) {
    const char *host = strstr(url, "://"), *colon = strrchr(host == NULL ? url : host + 3, ':');
    uint16_t port = colon == NULL ? 80 : (uint16_t)atoi(colon + 1);
    NetServer *server = loop->servers;
    while (server != NULL && server->port != port)
        server = server->next;
    return server;
}

static void let_in(Event *event) {
    NetConnection *connection = event->connection;
    NetRequest request = {.path = connection->path, .query = "", .host = "server", .address = ""};
    connection->open = true;
    connection->calls.on_open(connection->server_owner, connection, &request);
}

/* The server decides. */
static void connect(Event *event) {
    NetConnection *client = event->connection;
    NetServer *server = server_of(client->loop, (const char *)event->reason);
    if (client->closing)
        return;
    if (server == NULL || server->draining) {
        goodbye_in(client, TRAVEL_MS, NET_CLOSE_ABNORMAL, "");
        return;
    }
    NetConnection *connection =
        new_connection(client->loop, &server->setup.calls, server->setup.owner);
    char path[URL_BYTES];
    memcpy(path, client->path, sizeof path);
    char *mark = strchr(path, '?');
    if (mark != NULL)
        *mark = '\0';
    NetRequest request = {.path = path,
                          .query = mark == NULL ? "" : mark + 1,
                          .origin = client->loop->origin,
                          .host = "server",
                          .address = client->address,
                          .own_name = !client->loop->strange};
    connection->server = server;
    connection->other = client;
    client->other = connection;
    if (server->setup.calls.on_open(server->setup.owner, connection, &request) != NET_ACCEPT) {
        drop(connection);
        goodbye_in(client, TRAVEL_MS, NET_CLOSE_ABNORMAL, "");
        return;
    }
    connection->open = true;
    server->stats.websockets++;
    happen(client->loop, TRAVEL_MS, OF_CLIENT, let_in)->connection = client;
}

void fake_origin(NetLoop *loop, const char *origin) { loop->origin = origin; }

/* Nothing is encrypted here. */
bool net_trust_file(NetLoop *loop, const char *path, MashText *problem) {
    (void)loop, (void)path, (void)problem;
    return true;
}

NetConnection *net_connect(NetLoop *loop, const char *url, const NetCallbacks *calls, void *owner,
                           const NetLimits *limits, MashText *problem) {
    return net_connect_for(loop, url, address_of(loop), calls, owner, limits, problem);
}

NetConnection *net_connect_for(NetLoop *loop, const char *url, const char *of,
                               const NetCallbacks *calls, void *owner, const NetLimits *limits,
                               MashText *problem) {
    (void)limits;
    (void)problem;
    NetConnection *connection = new_connection(loop, calls, owner);
    MashText path = text_over(connection->path, sizeof connection->path);
    MashText from = text_over(connection->address, sizeof connection->address);
    text_string(&from, of);
    const char *host = strstr(url, "://");
    const char *slash = host == NULL ? NULL : strchr(host + 3, '/');
    Event *event = happen(loop, TRAVEL_MS, OF_SERVER, connect);
    MashText address = text_over(event->reason, sizeof event->reason);
    text_string(&path, slash == NULL ? "/" : slash);
    text_bytes(&address, url, slash == NULL ? (uint32_t)strlen(url) : (uint32_t)(slash - url));
    event->connection = connection;
    return connection;
}
