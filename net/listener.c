/* listener.c -- listening, accepting and rejecting connections; see net.h.
 *
 * The listening socket is polled directly instead of by uv_listen(): when the machine has no
 * descriptor left, accepting must pause for a while, and libuv would retry immediately for ever. */
#define _GNU_SOURCE
#include "net/listener.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/http.h"

enum { ACCEPTS_AT_ONCE = 64, BACKLOG = 1024, PAUSE_MS = 100, HEADERS_MAX = 2048 };
enum {
    SHED_AT_ONCE = 16,             /* when descriptors run out */
    FILES_USUAL = 32,              /* open without connections, where the system cannot tell */
    SEND_BUFFER_BYTES = 256 * 1024 /* what the system buffers for a peer that does not read */
};

static const NetLimits public_limits = {
    .websockets_max = 10000,
    .sockets_max = 12000,
    .address_sockets_max = 1000,
    .address_connections = {50, 500},
    .address_requests = {100, 1000},
    .address_handshakes = {20, 200},
    .socket_frames = {50, 500},
    .socket_bytes = {256 * 1024, 2 * 1024 * 1024},
    .message_bytes_max = 256 * 1024,
    .message_frames_max = 256,
    .queue_bytes_max = 2 * 1024 * 1024,
    .queue_frames_max = 1024,
    .address_queue_max = 32 * 1024 * 1024,
    .memory_max = 512 * 1024 * 1024,
    .request_ms = 10000,
    .idle_ms = 30000,
    .send_ms = 20000,
    .ping_ms = 20000,
    .pong_ms = 20000,
    .close_ms = 3000,
};

NetLimits net_limits(void) { return public_limits; }

/* How many files the process has open. */
static uint64_t files_open(void) {
    DIR *folder = opendir("/proc/self/fd");
    uint64_t count = 0;
    if (folder == NULL)
        return FILES_USUAL;
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count - 3; /* ".", ".." and the folder */
}

uint32_t net_sockets_fit(uint32_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return wanted;
    uint64_t most = limit.rlim_cur, others = files_open() + NET_FILES_KEPT;
    uint64_t left = most > others + most / 4 ? most - others : most / 4;
    return left < wanted ? (uint32_t)left : wanted;
}

/* --- The end ---------------------------------------------------------------------------------- */

/* Frees the server when it is closed and no handle or socket of it is open. */
static void free_if_done(NetServer *server) {
    if (!server->closed || server->handles > 0 || server->endpoint.stats.sockets > 0)
        return;
    address_book_release(&server->book);
    free(server);
}

/* One of its handles is closed: frees the server with the last. */
static void on_handle_closed(uv_handle_t *handle) {
    NetServer *server = handle->data;
    server->handles--;
    free_if_done(server);
}

/* All are gone: calls the owner, once. */
static void finish_drain(NetServer *server) {
    void (*drained)(void *owner) = server->drained;
    server->drained = NULL;
    if (drained != NULL)
        drained(server->endpoint.owner);
}

/* A connection's socket is closed. */
static void on_gone(NetConnection *connection) {
    NetServer *server = (NetServer *)connection->endpoint;
    serve_gone(connection);
    connection_release(connection);
    list_remove(&connection->member);
    if (connection->address != NULL)
        connection->address->sockets--;
    free(connection);
    server->endpoint.stats.sockets--;
    if (server->draining && !server->closed && list_empty(&server->members))
        finish_drain(server);
    else
        free_if_done(server);
}

/* Stops accepting. */
static void stop_listening(NetServer *server) {
    if (!server->listening)
        return;
    server->listening = false;
    uv_timer_stop(&server->pause);
    uv_close((uv_handle_t *)&server->poll, on_handle_closed);
    close(server->socket);
}

/* The time to close is over: drops the remaining connections. */
static void on_patience_over(uv_timer_t *timer) {
    NetServer *server = timer->data;
    for (ListLink *link = server->members.next, *next; link != &server->members; link = next) {
        next = link->next;
        connection_end(LIST_ENTRY(link, NetConnection, member), NET_CLOSE_GOING_AWAY,
                       "server shutting down");
        if (server->closed)
            return;
    }
    if (list_empty(&server->members))
        finish_drain(server);
}

void net_server_drain(NetServer *server, uint32_t reconnect_ms, void (*done)(void *owner)) {
    assert(!server->draining && !server->closed);
    server->draining = true;
    server->drained = done;
    stop_listening(server);
    for (ListLink *link = server->members.next; link != &server->members; link = link->next) {
        NetConnection *connection = LIST_ENTRY(link, NetConnection, member);
        connection->last = true;
        if (connection->phase == PHASE_OPEN)
            net_close(connection, NET_CLOSE_GOING_AWAY, "server shutting down");
        else if (connection->phase == PHASE_HEAD && connection->queue.count == 0)
            connection_end(connection, NET_CLOSE_GOING_AWAY, "server shutting down");
    }
    if (list_empty(&server->members))
        reconnect_ms = 0;
    uv_timer_start(&server->patience, on_patience_over, reconnect_ms, 0);
}

void net_server_close(NetServer *server) {
    assert(!server->closed);
    stop_listening(server);
    server->closed = true;
    for (ListLink *link = server->members.next, *next; link != &server->members; link = next) {
        next = link->next;
        connection_drop(LIST_ENTRY(link, NetConnection, member));
    }
    uv_close((uv_handle_t *)&server->endpoint.timeout_sweep, on_handle_closed);
    uv_close((uv_handle_t *)&server->pause, on_handle_closed);
    uv_close((uv_handle_t *)&server->patience, on_handle_closed);
}

/* --- Accepting -------------------------------------------------------------------------------- */

/* Rejects a socket for which there is no room, with an answer if it can be written immediately. */
static void reject(int socket, uint16_t status) {
    char memory[512];
    MashText text = text_over(memory, sizeof memory);
    text_format(&text,
                "HTTP/1.1 %u %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %u"
                "\r\nConnection: close\r\nRetry-After: 2\r\n\r\n%s\n",
                (unsigned)status, http_reason_phrase(status),
                (unsigned)strlen(http_sentence(status)) + 1, http_sentence(status));
    ssize_t ignored = send(socket, memory, text.count, MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)ignored;
    close(socket);
}

/* May this address have one more socket? The status to reject it with, or 0. */
static uint16_t check_address_limits(NetServer *server, const struct sockaddr *from,
                                     Address **out) {
    const NetLimits *limits = &server->endpoint.limits;
    uint64_t now_ms = net_now_ms(server->endpoint.loop);
    char name[INET6_ADDRSTRLEN] = "";
    *out = NULL;
    if (server->endpoint.stats.sockets >= limits->sockets_max && !side_shed(&server->endpoint))
        return 503;
    if (server->behind_proxy)
        return 0;
    uv_ip_name(from, name, sizeof name);
    uint64_t key = address_key(name);
    Address *address = key == 0 ? NULL : address_find(&server->book, key, now_ms);
    if (address == NULL || address->sockets >= limits->address_sockets_max)
        return 503;
    if (!token_bucket_take(&address->connections, limits->address_connections, now_ms, 1))
        return 429;
    *out = address;
    return 0;
}

/* Accepts a socket, or rejects it and counts why. */
static void accept_one(NetServer *server, int socket, const struct sockaddr *from) {
    Endpoint *endpoint = &server->endpoint;
    Address *address;
    uint16_t status = check_address_limits(server, from, &address);
    NetConnection *connection = status == 0 ? malloc(sizeof *connection) : NULL;
    if (connection != NULL && !connection_init(connection, endpoint)) {
        free(connection);
        connection = NULL;
    }
    if (connection == NULL) {
        endpoint->stats.refused_full += status != 429;
        endpoint->stats.refused_rate += status == 429;
        reject(socket, status == 0 ? 503 : status);
        return;
    }
    endpoint->stats.sockets++;
    endpoint->stats.accepted++;
    list_append(&server->members, &connection->member);
    connection->address = address;
    if (address != NULL)
        address->sockets++;
    if (uv_tcp_open(&connection->tcp, socket) != 0) {
        close(socket);
        connection_end(connection, NET_CLOSE_ABNORMAL, "");
        return;
    }
    int room = SEND_BUFFER_BYTES;
    uv_tcp_nodelay(&connection->tcp, 1);
    uv_send_buffer_size((uv_handle_t *)&connection->tcp, &room);
    connection_wait(connection, TIMEOUT_HEAD);
    connection_start(connection);
}

static void accept_some(uv_poll_t *poll, int status, int events);

/* The pause after a failure is over: accepts again. */
static void accept_again(uv_timer_t *timer) {
    NetServer *server = timer->data;
    uv_poll_start(&server->poll, UV_READABLE, accept_some);
}

/* May accepting continue after an error? Yes if a connection broke before it was accepted; anything
 * else (no descriptors, no memory) would recur immediately. */
static bool is_transient(int error) {
    return error == EINTR || error == ECONNABORTED || error == EPROTO || error == EPERM;
}

/* There is no descriptor, or the like: idle connections are closed, and accepting pauses for
 * PAUSE_MS, so that others who need a file get one first. */
static void make_way(NetServer *server) {
    server->endpoint.stats.accept_failures++;
    for (int i = 0; i < SHED_AT_ONCE && side_shed(&server->endpoint); i++)
        continue;
    uv_poll_stop(&server->poll);
    uv_timer_start(&server->pause, accept_again, PAUSE_MS, 0);
}

/* Connections wait: accepts at most ACCEPTS_AT_ONCE, so that the loop continues. */
static void accept_some(uv_poll_t *poll, int status, int events) {
    NetServer *server = poll->data;
    (void)status;
    (void)events;
    for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
        struct sockaddr_storage from = {0};
        socklen_t size = sizeof from;
        int socket =
            accept4(server->socket, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket >= 0) {
            accept_one(server, socket, (struct sockaddr *)&from);
        } else if (errno == EAGAIN) {
            return;
        } else if (!is_transient(errno)) {
            make_way(server);
            return;
        }
    }
}

/* --- Opening ---------------------------------------------------------------------------------- */

/* The address to listen at, in the system's form; its size, or 0. */
static socklen_t read_address(const char *text, uint16_t port, struct sockaddr_storage *out) {
    memset(out, 0, sizeof *out);
    if (uv_ip4_addr(text, port, (struct sockaddr_in *)out) == 0)
        return sizeof(struct sockaddr_in);
    if (uv_ip6_addr(text, port, (struct sockaddr_in6 *)out) == 0)
        return sizeof(struct sockaddr_in6);
    return 0;
}

/* A listening socket, or -1 with errno set. */
static int listen_at(const struct sockaddr_storage *address, socklen_t size) {
    const int on = 1, off = 0;
    int socket_fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (socket_fd < 0)
        return -1;
    setsockopt(socket_fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->ss_family == AF_INET6)
        setsockopt(socket_fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (bind(socket_fd, (const struct sockaddr *)address, size) == 0 &&
        listen(socket_fd, BACKLOG) == 0)
        return socket_fd;
    int error = errno;
    close(socket_fd);
    errno = error;
    return -1;
}

/* The port of a listening socket. */
static uint16_t port_of(int socket) {
    struct sockaddr_storage name = {0};
    socklen_t size = sizeof name;
    getsockname(socket, (struct sockaddr *)&name, &size);
    return ntohs(name.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&name)->sin6_port
                                            : ((struct sockaddr_in *)&name)->sin_port);
}

/* Makes the handles of the server and begins to accept. */
static void start(NetServer *server) {
    NetLoop *loop = server->endpoint.loop;
    list_init(&server->members);
    endpoint_init(&server->endpoint);
    uv_timer_init(&loop->uv, &server->pause);
    uv_timer_init(&loop->uv, &server->patience);
    uv_poll_init(&loop->uv, &server->poll, server->socket);
    server->pause.data = server->patience.data = server->poll.data =
        server->endpoint.timeout_sweep.data = server;
    server->handles = 4;
    server->listening = true;
    uv_poll_start(&server->poll, UV_READABLE, accept_some);
}

NetServer *net_server_open(NetLoop *loop, const NetServerSetup *setup, MashText *problem) {
    struct sockaddr_storage address;
    socklen_t size = read_address(setup->address, setup->port, &address);
    assert(setup->calls.on_open != NULL && setup->calls.on_message != NULL);
    assert(setup->calls.on_close != NULL);
    assert(setup->headers == NULL || strlen(setup->headers) <= HEADERS_MAX);
    if (size == 0) {
        text_format(problem, "cannot listen on %s: not an IPv4 or IPv6 address", setup->address);
        return NULL;
    }
    NetServer *server = calloc(1, sizeof *server);
    if (server == NULL ||
        !address_table_init(&server->book, setup->limits.sockets_max, loop->secret)) {
        free(server);
        text_format(problem, "out of memory for %u sockets", setup->limits.sockets_max);
        return NULL;
    }
    server->socket = listen_at(&address, size);
    if (server->socket < 0) {
        text_format(problem, "cannot listen on %s, port %u: %s", setup->address,
                    (unsigned)setup->port, strerror(errno));
        address_book_release(&server->book);
        free(server);
        return NULL;
    }
    server->endpoint = (Endpoint){.loop = loop,
                                  .calls = setup->calls,
                                  .owner = setup->owner,
                                  .limits = setup->limits,
                                  .on_head = http_server_receive,
                                  .on_written = http_server_written,
                                  .on_gone = on_gone};
    server->files = setup->files;
    server->files_count = setup->files_count;
    server->headers = setup->headers;
    server->behind_proxy = setup->behind_proxy;
    server->hosts = setup->hosts;
    server->hosts_count = setup->hosts_count;
    size_t size_max = sizeof server->own_name;
    if (uv_os_gethostname(server->own_name, &size_max) != 0)
        server->own_name[0] = '\0';
    server->port = port_of(server->socket);
    loop->store.memory.max = setup->limits.memory_max;
    start(server);
    return server;
}

uint16_t net_server_port(const NetServer *server) { return server->port; }

void net_server_set_limits(NetServer *server, const NetLimits *limits) {
    uint32_t sockets_max = server->endpoint.limits.sockets_max;
    server->endpoint.limits = *limits;
    server->endpoint.limits.sockets_max = sockets_max;
}

NetStats net_server_stats(const NetServer *server) {
    NetStats stats = server->endpoint.stats;
    stats.memory = server->endpoint.loop->store.memory.used;
    return stats;
}
