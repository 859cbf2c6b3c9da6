/* ws_client.c -- a WebSocket that we open; see net.h. */
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "net/connection.h"
#include "net/handshake.h"
#include "net/http.h"

enum { HOST_MAX = 256, TARGET_MAX = 2048, PLAIN_BYTES = 16384 };

/* Where to. */
typedef struct Url {
    char host[HOST_MAX];       /* without brackets */
    char named[HOST_MAX + 16]; /* host and port as the Host header has them */
    char port[8];
    char target[TARGET_MAX];
    bool secure; /* wss:// */
} Url;

/* A client: its one connection, its own endpoint, and the addresses to try. */
typedef struct WsClient {
    Endpoint endpoint; /* first, so that the connection's endpoint can be cast to this */
    NetConnection connection;
    Url url;
    char key[HANDSHAKE_KEY_BYTES];
    char forwarded[64]; /* the address of the client that we are a proxy for; "": none */
    uv_getaddrinfo_t resolving;
    uv_connect_t connecting;
    struct addrinfo *addresses, *next; /* all of them; those not yet tried */
    Tls *tls;                          /* NULL: it is not encrypted */
    bool secured;                      /* the handshake of the encryption is done */
    bool resolver_busy;
    bool swept; /* the last handle is closed */
} WsClient;

/* The client to which a connection belongs. */
static WsClient *client_of(NetConnection *connection) { return (WsClient *)connection->endpoint; }

/* --- The end ---------------------------------------------------------------------------------- */

/* Frees the client when neither its timer nor a name look-up is active. */
static void free_if_done(WsClient *client) {
    if (client->resolver_busy || !client->swept)
        return;
    uv_freeaddrinfo(client->addresses);
    tls_close(client->tls);
    free(client);
}

/* The sweep is closed, the last of the client's handles. */
static void on_swept(uv_handle_t *handle) {
    WsClient *client = handle->data;
    client->swept = true;
    free_if_done(client);
}

static void on_gone(NetConnection *connection) {
    WsClient *client = client_of(connection);
    connection_release(connection);
    list_remove(&connection->member);
    if (client->resolver_busy)
        uv_cancel((uv_req_t *)&client->resolving);
    uv_close((uv_handle_t *)&client->endpoint.timeout_sweep, on_swept);
}

/* --- The handshake ---------------------------------------------------------------------------- */

/* What is wrong with the answer, as text; false = nothing. */
static bool is_refused(const WsClient *client, const HttpResponse *answer, MashText *reason) {
    char accept[HANDSHAKE_ACCEPT_BYTES];
    handshake_accept(client->key, accept);
    if (answer->status != 101)
        text_format(reason, "the server answered %u %s", (unsigned)answer->status,
                    http_reason_phrase(answer->status));
    else if (!answer->upgrade || answer->accept == NULL || strcmp(answer->accept, accept) != 0)
        text_string(reason, "invalid handshake from the server");
    else if (answer->extras)
        text_string(reason, "the server chose an extension that was not offered");
    return reason->count > 0;
}

/* The server accepted; `rest` came after its answer. */
static void welcome(WsClient *client, const char *rest, uint32_t count) {
    NetConnection *connection = &client->connection;
    Endpoint *endpoint = &client->endpoint;
    char path[TARGET_MAX];
    memcpy(path, client->url.target, sizeof path);
    char *mark = strchr(path, '?');
    if (mark != NULL)
        *mark = '\0';
    NetRequest request = {.path = path,
                          .query = mark == NULL ? "" : mark + 1,
                          .host = client->url.named,
                          .address = client->url.host};
    connection_open(connection);
    endpoint->calls.on_open(endpoint->owner, connection, &request);
    if (count > 0 && connection->phase < PHASE_LINGER)
        connection_receive(connection, rest, count);
    connection_keep(connection, NULL, 0);
}

static void on_head(NetConnection *connection, char *bytes, uint32_t count) {
    WsClient *client = client_of(connection);
    HttpResponse answer;
    uint32_t used;
    char memory[128];
    MashText reason = text_over(memory, sizeof memory);
    if (!connection_add(connection, bytes, count))
        return;
    uint32_t outcome = http_read_response(connection->head, connection->head_count,
                                          &connection->head_scanned, &answer, &used);
    if (outcome == HTTP_MORE)
        return;
    if (outcome != HTTP_WHOLE)
        connection_end(connection, NET_CLOSE_ABNORMAL, "the server does not speak HTTP/1.1");
    else if (is_refused(client, &answer, &reason))
        connection_end(connection, NET_CLOSE_ABNORMAL, memory);
    else
        welcome(client, connection->head + used, connection->head_count - used);
}

static void on_written(NetConnection *connection) { (void)connection; }

/* The connection is open: sends our request. */
static void ask(WsClient *client) {
    NetConnection *connection = &client->connection;
    char bytes[TARGET_MAX + HOST_MAX + 512];
    MashText text = text_over(bytes, sizeof bytes);
    http_write_upgrade_request(&text, client->url.named, client->url.target, client->key,
                               client->forwarded[0] == '\0' ? NULL : client->forwarded);
    assert(!text.truncated);
    if (connection_queue(connection,
                         frame_copy(&client->endpoint.loop->store.memory, bytes, text.count)))
        connection_write(connection);
}

/* --- Encryption ------------------------------------------------------------------------------- */

/* Sends what the encryption has for the server. False = no memory. */
static bool send_sealed(WsClient *client) {
    uint32_t count = tls_waiting(client->tls);
    char *bytes = count == 0 ? NULL : malloc(count);
    if (count == 0 || bytes == NULL)
        return count == 0;
    connection_write_sealed(&client->connection, bytes, tls_take(client->tls, bytes, count));
    return true;
}

static bool seal(NetConnection *connection, const void *bytes, uint32_t count) {
    WsClient *client = client_of(connection);
    return tls_write(client->tls, bytes, count) && send_sealed(client);
}

/* Continues the handshake; when it is done, asks for the WebSocket. */
static void secure(WsClient *client) {
    char memory[256];
    MashText why = text_over(memory, sizeof memory);
    TlsState state = tls_handshake(client->tls, &why);
    bool sent = send_sealed(client); /* the TLS alert goes to the server, too */
    if (state == TLS_FAILED || !sent)
        connection_end(&client->connection,
                       state == TLS_FAILED ? NET_CLOSE_TLS : NET_CLOSE_ABNORMAL,
                       state == TLS_FAILED ? memory : "out of memory");
    else if (state == TLS_READY) {
        client->secured = true;
        ask(client);
    }
}

/* Decrypts and delivers. The connection's memory stays until all callbacks have returned. */
static void on_sealed(NetConnection *connection, char *bytes, uint32_t count) {
    WsClient *client = client_of(connection);
    char plain[PLAIN_BYTES];
    int32_t got;
    if (!tls_receive(client->tls, bytes, count)) {
        connection_end(connection, NET_CLOSE_ABNORMAL, "out of memory");
        return;
    }
    if (!client->secured)
        secure(client);
    while (client->secured && connection->phase < PHASE_LINGER &&
           (got = tls_read(client->tls, plain, sizeof plain)) != 0) {
        if (got < 0) {
            connection_end(connection, NET_CLOSE_ABNORMAL, "the peer closed the connection");
            return;
        }
        connection_deliver(connection, plain, (uint32_t)got);
    }
    if (connection->phase != PHASE_GONE)
        send_sealed(client);
}

/* The connection is open: starts with the encryption, or with our request. */
static void greet(WsClient *client) {
    uv_tcp_nodelay(&client->connection.tcp, 1);
    connection_start(&client->connection);
    if (client->tls != NULL)
        secure(client);
    else
        ask(client);
}

/* Prepares the encryption. False = it cannot; see the problem. */
static bool open_tls(WsClient *client, MashText *problem) {
    NetLoop *loop = client->endpoint.loop;
    if (loop->trust == NULL)
        loop->trust = tls_trust_open(NULL, problem);
    if (loop->trust == NULL)
        return false;
    client->tls = tls_open(loop->trust, client->url.host);
    client->endpoint.on_sealed = on_sealed;
    client->endpoint.seal = seal;
    if (client->tls == NULL)
        text_string(problem, "out of memory for a connection");
    return client->tls != NULL;
}

bool net_trust_file(NetLoop *loop, const char *path, MashText *problem) {
    TlsTrust *trust = path == NULL ? NULL : tls_trust_open(path, problem);
    if (path == NULL)
        return true;
    if (trust == NULL)
        return false;
    tls_trust_close(loop->trust);
    loop->trust = trust;
    return true;
}

/* --- Connecting ------------------------------------------------------------------------------- */

static void try_next(WsClient *client, int error);

/* The socket that failed to connect is closed: tries the next address, unless the client is
 * gone. */
static void on_tried(uv_handle_t *handle) {
    NetConnection *connection = handle->data;
    WsClient *client = client_of(connection);
    if (connection->phase == PHASE_GONE) {
        on_gone(connection);
        return;
    }
    uv_tcp_init(&client->endpoint.loop->uv, &connection->tcp);
    connection->tcp.data = connection;
    try_next(client, UV_ECONNREFUSED);
}

/* Connected: starts the handshake. Failed: tries the next address, or gives up after the last. */
static void on_connected(uv_connect_t *request, int status) {
    NetConnection *connection = request->handle->data;
    WsClient *client = client_of(connection);
    if (connection->phase == PHASE_GONE)
        return;
    if (status == 0)
        greet(client);
    else if (client->next != NULL)
        uv_close((uv_handle_t *)&connection->tcp, on_tried);
    else
        connection_end(connection, NET_CLOSE_ABNORMAL, uv_strerror(status));
}

/* Tries the next address; `error` is reported when there is none. */
static void try_next(WsClient *client, int error) {
    while (client->next != NULL) {
        const struct sockaddr *address = client->next->ai_addr;
        client->next = client->next->ai_next;
        error = uv_tcp_connect(&client->connecting, &client->connection.tcp, address, on_connected);
        if (error == 0)
            return;
    }
    connection_close_later(&client->connection, NET_CLOSE_ABNORMAL, uv_strerror(error));
}

/* The name is resolved: tries its addresses, if any. A client that is gone is freed. */
static void on_resolved(uv_getaddrinfo_t *request, int status, struct addrinfo *addresses) {
    WsClient *client = request->data;
    client->resolver_busy = false;
    client->addresses = client->next = addresses;
    if (client->connection.phase == PHASE_GONE)
        free_if_done(client);
    else
        try_next(client, status);
}

/* Resolves the name; if that cannot be started, the connection is closed. "localhost" is this
 * machine even where the system cannot resolve it: it is looked up as no name. */
static void resolve(WsClient *client) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    bool here = strcasecmp(client->url.host, "localhost") == 0;
    client->resolving.data = client;
    int status = uv_getaddrinfo(&client->endpoint.loop->uv, &client->resolving, on_resolved,
                                here ? NULL : client->url.host, client->url.port, &hints);
    client->resolver_busy = status == 0;
    if (status != 0)
        connection_close_later(&client->connection, NET_CLOSE_ABNORMAL, uv_strerror(status));
}

/* --- Addresses -------------------------------------------------------------------------------- */

/* Copies visible ASCII of a given length as a string; false = too long, empty, or other
 * characters. */
static bool copy_visible(char *out, size_t max, const char *bytes, size_t count) {
    if (count == 0 || count >= max)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] <= ' ' || bytes[i] >= 0x7F || bytes[i] == '#')
            return false;
        out[i] = bytes[i];
    }
    out[count] = '\0';
    return true;
}

/* Reads ":1218" or nothing; false = not a port. */
static bool read_port(const char *bytes, size_t count, Url *out) {
    uint32_t port = 0;
    if (count == 0) {
        memcpy(out->port, out->secure ? "443" : "80", out->secure ? 4 : 3);
        return true;
    }
    if (bytes[0] != ':' || count < 2 || count > 6)
        return false;
    for (size_t i = 1; i < count; i++) {
        if (bytes[i] < '0' || bytes[i] > '9')
            return false;
        port = port * 10 + (uint32_t)(bytes[i] - '0');
    }
    memcpy(out->port, bytes + 1, count - 1);
    out->port[count - 1] = '\0';
    return port > 0 && port < 65536;
}

/* Reads host:port/path?query into a zeroed Url; brackets around a host that contains colons. */
static bool read_place(const char *text, Url *out) {
    size_t authority = strcspn(text, "/?");
    const char *rest = text + authority, *host = text, *host_end, *port;
    if (host[0] == '[') {
        host++;
        host_end = host + strcspn(host, "]/?");
        port = host_end + 1;
        if (*host_end != ']')
            return false;
    } else {
        port = host_end = host + strcspn(host, ":/?");
    }
    size_t slash = rest[0] != '/';
    out->target[0] = '/';
    return copy_visible(out->host, sizeof out->host, host, (size_t)(host_end - host)) &&
           copy_visible(out->named, sizeof out->named, text, authority) &&
           read_port(port, (size_t)(rest - port), out) &&
           (rest[0] == '\0' ||
            copy_visible(out->target + slash, sizeof out->target - slash, rest, strlen(rest)));
}

/* Host, port and path of ws://... or wss://... False: with a problem. */
static bool read_url(const char *text, Url *out, MashText *problem) {
    out->secure = strncasecmp(text, "wss://", 6) == 0;
    if ((out->secure || strncasecmp(text, "ws://", 5) == 0) &&
        read_place(text + (out->secure ? 6 : 5), out))
        return true;
    text_format(problem, "\"%s\" is not an address of the form ws://host:port/path", text);
    return false;
}

NetConnection *net_connect(NetLoop *loop, const char *url, const NetCallbacks *calls, void *owner,
                           const NetLimits *limits, MashText *problem) {
    return net_connect_for(loop, url, "", calls, owner, limits, problem);
}

NetConnection *net_connect_for(NetLoop *loop, const char *url, const char *address,
                               const NetCallbacks *calls, void *owner, const NetLimits *limits,
                               MashText *problem) {
    uint8_t random[16];
    assert(calls->on_open != NULL && calls->on_message != NULL && calls->on_close != NULL);
    WsClient *client = calloc(1, sizeof *client);
    if (client == NULL) {
        text_string(problem, "out of memory for a connection");
        return NULL;
    }
    MashText forwarded = text_over(client->forwarded, sizeof client->forwarded);
    text_string(&forwarded, address);
    if (!read_url(url, &client->url, problem)) {
        free(client);
        return NULL;
    }
    client->endpoint = (Endpoint){.loop = loop,
                                  .calls = *calls,
                                  .owner = owner,
                                  .limits = limits == NULL ? net_limits() : *limits,
                                  .is_client = true,
                                  .on_head = on_head,
                                  .on_written = on_written,
                                  .on_gone = on_gone};
    if (client->url.secure && !open_tls(client, problem)) {
        free(client);
        return NULL;
    }
    if (limits == NULL)
        client->endpoint.limits.socket_frames = client->endpoint.limits.socket_bytes =
            (NetRate){0, 0};
    endpoint_init(&client->endpoint);
    connection_init(&client->connection, &client->endpoint);
    client->connection.close_owed = true;
    list_append(&loop->clients, &client->connection.member);
    net_random(loop, random, sizeof random);
    handshake_key(random, client->key);
    connection_wait(&client->connection, TIMEOUT_HEAD);
    resolve(client);
    return &client->connection;
}
