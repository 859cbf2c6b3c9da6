/* http_server.c -- HTTP answers of a server: files, the caller's answers, and the WebSocket
 * handshake.
 *
 * One request at a time: the next one is read when the answer to the last has been written, so that
 * at most one is held per connection. */
#define _GNU_SOURCE
#include <assert.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "net/address.h"
#include "net/handshake.h"
#include "net/http.h"
#include "net/listener.h"

enum { HEAD_TEXT_MAX = 4096, LOCATION_MAX = 1024 };

static const char plain_text[] = "text/plain; charset=utf-8";

/* Where an answer goes. A deferred one is allocated separately and known to its connection, which
 * reports when it is gone. */
struct NetReply {
    NetConnection *connection; /* NULL: gone, for a deferred answer */
    const HttpRequest *request;
    bool done;
    bool later, head; /* deferred; to a HEAD */
    bool shared;
};

/* The server to which a connection belongs. */
static NetServer *server_of(NetConnection *connection) { return (NetServer *)connection->endpoint; }

/* --- Answers ---------------------------------------------------------------------------------- */

/* Queues the head and, if it is wanted, the body, whose reference is given away. */
static void answer(NetConnection *connection, const HttpRequest *request, HttpHead head,
                   NetFrame *body) {
    Endpoint *endpoint = connection->endpoint;
    NetMemoryBudget *memory = &endpoint->loop->store.memory;
    char bytes[HEAD_TEXT_MAX];
    MashText text = text_over(bytes, sizeof bytes);
    head.keep_alive = !connection->last;
    head.options = request->options;
    if (head.headers == NULL)
        head.headers = server_of(connection)->headers;
    head.date_s = (int64_t)(net_wall_clock_ms(endpoint->loop) / 1000);
    http_write_head(&text, &head);
    assert(!text.truncated);
    if (!connection_queue(connection, frame_copy(memory, bytes, text.count)) || request->head ||
        head.status == 304 || head.status == 204)
        net_frame_release(body);
    else
        connection_queue(connection, body);
}

/* Queues a text answer. `words` are copied. */
static void answer_words(NetConnection *connection, const HttpRequest *request, uint16_t status,
                         const char *words) {
    NetMemoryBudget *memory = &connection->endpoint->loop->store.memory;
    char bytes[512];
    MashText text = text_over(bytes, sizeof bytes);
    text_format(&text, "%s\n", words);
    HttpHead head = {
        .status = status, .type = plain_text, .cache = "no-store", .length = text.count};
    answer(connection, request, head, frame_copy(memory, bytes, text.count));
}

/* Queues the caller's answer. */
static void answer_bytes(NetConnection *connection, const HttpRequest *request, bool shared,
                         const NetAnswer *given, NetBytes body) {
    NetMemoryBudget *memory = &connection->endpoint->loop->store.memory;
    uint16_t status = given->status;
    assert(status >= 200 && status < 600);
    HttpHead head = {.status = status,
                     .type = given->type == NULL ? plain_text : given->type,
                     .cache = given->cache == NULL ? "no-store" : given->cache,
                     .etag = given->etag,
                     .headers = given->headers,
                     .shared = shared,
                     .length = body.count};
    char memory_of_location[LOCATION_MAX];
    MashText location = text_over(memory_of_location, sizeof memory_of_location);
    if (status == 307) {
        text_bytes(&location, body.bytes, body.count);
        assert(!location.truncated);
        head.location = memory_of_location;
    }
    answer(connection, request, head, frame_copy(memory, body.bytes, body.count));
}

/* Sends a deferred answer: it is written when the loop is free, and then the next request is
 * read. */
static void answer_late(NetReply *reply, const NetAnswer *given, NetBytes body) {
    NetConnection *connection = reply->connection;
    HttpRequest request = {.head = reply->head};
    bool shared = reply->shared;
    free(reply);
    if (connection == NULL)
        return;
    connection->later = NULL;
    if (connection->phase != PHASE_HEAD || connection->pending_close_code != 0)
        return;
    answer_bytes(connection, &request, shared, given, body);
    list_remove(&connection->waiting);
    connection_flush_soon(connection);
}

void net_reply_with(NetReply *reply, const NetAnswer *given, const char *bytes, uint32_t count) {
    NetBytes body = {bytes, count};
    assert(!reply->done);
    if (reply->later) {
        answer_late(reply, given, body);
        return;
    }
    reply->done = true;
    answer_bytes(reply->connection, reply->request, reply->shared, given, body);
}

void net_reply_share(NetReply *reply) { reply->shared = true; }

void net_reply(NetReply *reply, uint16_t status, const char *type, const char *bytes,
               uint32_t count) {
    NetAnswer given = {.status = status, .type = type};
    net_reply_with(reply, &given, bytes, count);
}

bool net_request_knows(const NetRequest *request, const char *etag) {
    return request->if_none_match != NULL && http_etag_listed(request->if_none_match, etag);
}

NetReply *net_reply_later(NetReply *reply) {
    assert(!reply->done && !reply->later && reply->connection->later == NULL);
    NetReply *later = malloc(sizeof *later);
    if (later == NULL)
        return NULL;
    *later = (NetReply){.connection = reply->connection,
                        .later = true,
                        .head = reply->request->head,
                        .shared = reply->shared};
    reply->connection->later = later;
    reply->done = true;
    return later;
}

void serve_gone(NetConnection *connection) {
    if (connection->later != NULL)
        connection->later->connection = NULL;
    connection->later = NULL;
}

void net_reply_file(NetReply *reply, const NetFile *file) {
    const HttpRequest *request = reply->request;
    NetMemoryBudget *memory = &reply->connection->endpoint->loop->store.memory;
    bool brotli = (request->codings & HTTP_BROTLI) != 0 && file->brotli.bytes != NULL;
    bool gzip = !brotli && (request->codings & HTTP_GZIP) != 0 && file->gzip.bytes != NULL;
    NetBytes bytes = brotli ? file->brotli : gzip ? file->gzip : file->plain;
    char tag[128];
    MashText etag = text_over(tag, sizeof tag);
    assert(!reply->done && !reply->later && bytes.bytes != NULL);
    reply->done = true;
    text_format(&etag, "%s%s", file->etag, brotli ? "-br" : gzip ? "-gz" : "");
    assert(!etag.truncated);
    bool known = request->if_none_match != NULL && http_etag_listed(request->if_none_match, tag);
    HttpHead head = {.status = known ? 304 : 200,
                     .type = file->type,
                     .cache = file->cache,
                     .etag = tag,
                     .headers = file->headers,
                     .coding = brotli ? "br"
                               : gzip ? "gzip"
                                      : NULL,
                     .length = bytes.count};
    answer(reply->connection, request, head,
           known ? NULL : frame_lend(memory, bytes.bytes, bytes.count));
}

/* --- Requests --------------------------------------------------------------------------------- */

/* The address of one end of the connection as text, or "". */
static void name_end(const NetConnection *connection,
                     int (*ask)(const uv_tcp_t *tcp, struct sockaddr *name, int *size),
                     char out[ADDRESS_BYTES]) {
    struct sockaddr_storage from = {0};
    int size = sizeof from;
    char name[INET6_ADDRSTRLEN];
    if (ask(&connection->tcp, (struct sockaddr *)&from, &size) != 0 ||
        uv_ip_name((struct sockaddr *)&from, name, sizeof name) != 0 ||
        !address_read(name, strlen(name), out))
        out[0] = '\0';
}

/* The client's address: the peer's, or the last one that the proxy names. A forwarded request that
 * is not trusted, or an invalid address, is never local. */
static void name_asker(NetConnection *connection, const HttpRequest *request,
                       char address[ADDRESS_BYTES], NetRequest *asked) {
    const NetServer *server = server_of(connection);
    char own[ADDRESS_BYTES];
    bool named = server->behind_proxy && request->forwarded_for != NULL &&
                 address_read_last(request->forwarded_for, address);
    if (!named)
        name_end(connection, uv_tcp_getpeername, address);
    name_end(connection, uv_tcp_getsockname, own);
    asked->address = address;
    asked->own_name =
        request->forwarded || !address_is_near(address, own) ||
        host_is_known(asked->host, server->own_name, server->hosts, server->hosts_count);
    asked->local =
        address_is_loopback(address) && (named || !request->forwarded) && asked->own_name;
}

/* The entry of the client's address; behind a proxy it may differ with each request. */
static Address *find_client_address(NetConnection *connection, const char *name) {
    NetServer *server = server_of(connection);
    uint64_t key = address_key(name);
    if (connection->address != NULL || key == 0)
        return connection->address;
    return address_find(&server->book, key, net_now_ms(server->endpoint.loop));
}

/* Behind a proxy only WebSockets count for an address: other connections are the proxy's. */
static void limit_websocket(NetConnection *connection, Address *payer) {
    if (connection->address == NULL && payer != NULL) {
        connection->address = payer;
        payer->sockets++;
        connection_charge(connection);
    }
}

/* Asks the caller and opens the WebSocket; or the status to refuse with. */
static uint16_t open_websocket(NetConnection *connection, const HttpRequest *request,
                               const NetRequest *asked) {
    Endpoint *endpoint = connection->endpoint;
    char bytes[256], accept[HANDSHAKE_ACCEPT_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    handshake_accept(request->key, accept);
    http_write_upgrade_response(&text, accept);
    if (!connection_queue(connection, frame_copy(&endpoint->loop->store.memory, bytes, text.count)))
        return NET_ACCEPT;
    connection_open(connection);
    uint16_t status = endpoint->calls.on_open(endpoint->owner, connection, asked);
    if (status == NET_ACCEPT || connection->phase == PHASE_GONE) {
        endpoint->stats.handshakes++;
        return NET_ACCEPT;
    }
    /* The only return to an earlier phase: nothing was written yet, so the WebSocket never
     * existed. */
    connection->phase = PHASE_HEAD;
    connection->close_owed = false;
    connection->close_code = connection->pending_close_code = 0;
    endpoint->stats.websockets--;
    queue_clear(&connection->queue);
    connection_charge(connection);
    list_remove(&connection->dirty);
    return status;
}

/* Opens a WebSocket, or the status to refuse with. */
static uint16_t serve_upgrade(NetConnection *connection, const HttpRequest *request,
                              const NetRequest *asked, Address *payer) {
    Endpoint *endpoint = connection->endpoint;
    const NetLimits *limits = &endpoint->limits;
    if (request->version == NULL || strcmp(request->version, "13") != 0)
        return 426;
    if (request->key == NULL || !handshake_key_valid(request->key))
        return 400;
    if (endpoint->stats.websockets >= limits->websockets_max ||
        (connection->address == NULL && payer != NULL &&
         payer->sockets >= limits->address_sockets_max)) {
        endpoint->stats.refused_full++;
        return 503;
    }
    if (payer != NULL && !token_bucket_take(&payer->handshakes, limits->address_handshakes,
                                            net_now_ms(endpoint->loop), 1)) {
        endpoint->stats.refused_rate++;
        return 429;
    }
    uint16_t status = open_websocket(connection, request, asked);
    if (status == NET_ACCEPT)
        limit_websocket(connection, payer);
    return status;
}

/* A file, the caller's answer, or 404. */
static void serve_get(NetConnection *connection, const HttpRequest *request,
                      const NetRequest *asked) {
    NetServer *server = server_of(connection);
    NetReply reply = {.connection = connection, .request = request};
    for (uint32_t i = 0; i < server->files_count && !request->options; i++)
        if (strcmp(server->files[i].path, asked->path) == 0) {
            net_reply_file(&reply, &server->files[i]);
            return;
        }
    if (server->endpoint.calls.on_request != NULL)
        server->endpoint.calls.on_request(server->endpoint.owner, asked, &reply);
    if (!reply.done && connection->phase == PHASE_HEAD)
        answer_words(connection, request, 404, http_sentence(404));
}

/* Answers a whole request. */
static void serve_request(NetConnection *connection, const HttpRequest *request) {
    NetServer *server = server_of(connection);
    Endpoint *endpoint = &server->endpoint;
    char name[ADDRESS_BYTES];
    endpoint->stats.requests++;
    NetRequest asked = {.path = request->path,
                        .query = request->query,
                        .origin = request->origin,
                        .host = request->host == NULL ? "" : request->host,
                        .authorization = request->authorization,
                        .if_none_match = request->if_none_match,
                        .options = request->options};
    name_asker(connection, request, name, &asked);
    Address *payer = find_client_address(connection, name);
    uint16_t status = 0;
    if (!request->keep_alive || server->draining)
        connection->last = true;
    if (payer != NULL && !token_bucket_take(&payer->requests, endpoint->limits.address_requests,
                                            net_now_ms(endpoint->loop), 1)) {
        endpoint->stats.refused_rate++;
        status = 429;
    } else if (request->upgrade && !request->options) {
        status = server->draining ? 503 : serve_upgrade(connection, request, &asked, payer);
    } else {
        serve_get(connection, request, &asked);
    }
    if (status == 0 || status == NET_ACCEPT)
        return;
    connection->last = true;
    answer_words(connection, request, status, http_sentence(status));
}

/* --- Bytes ------------------------------------------------------------------------------------ */

/* Sends the answer. True = it is written, and the next request may be read. */
static bool finish_answer(NetConnection *connection) {
    if (connection->later != NULL) {
        connection_pause(connection);
        connection_wait(connection, TIMEOUT_REPLY);
        return false;
    }
    if (connection->pending_close_code != 0 || !connection_write(connection)) {
        if (connection->phase == PHASE_HEAD) {
            connection_pause(connection);
            list_remove(&connection->waiting);
        }
        return false;
    }
    if (connection->last)
        connection_linger(connection);
    else
        connection_wait(connection, TIMEOUT_NEXT);
    return !connection->last;
}

/* Serves all complete requests; returns how many bytes they were. */
static uint32_t serve_all(NetConnection *connection, char *bytes, uint32_t count) {
    uint32_t at = 0, used;
    bool more = true;
    while (more && at < count) {
        HttpRequest request;
        uint32_t outcome =
            http_read_request(bytes + at, count - at, &connection->head_scanned, &request, &used);
        if (outcome == HTTP_MORE)
            break;
        connection->head_scanned = 0;
        if (outcome == HTTP_WHOLE) {
            at += used;
            serve_request(connection, &request);
        } else {
            at = count;
            connection->last = true;
            answer_words(connection, &request, (uint16_t)outcome, request.problem);
        }
        more = connection->phase == PHASE_HEAD && finish_answer(connection);
    }
    if (more && at < count && connection->wait == TIMEOUT_NEXT)
        connection_wait(connection, TIMEOUT_HEAD);
    return at;
}

void http_server_receive(NetConnection *connection, char *bytes, uint32_t count) {
    if (connection->head_count > 0) {
        if (!connection_add(connection, bytes, count))
            return;
        bytes = connection->head;
        count = connection->head_count;
    }
    uint32_t used = serve_all(connection, bytes, count);
    if (connection->phase == PHASE_OPEN && used < count)
        connection_receive(connection, bytes + used, count - used);
    if (connection->phase != PHASE_HEAD)
        used = count;
    if (used > 0 || connection->head_count == 0)
        connection_keep(connection, bytes + used, count - used);
}

void http_server_written(NetConnection *connection) {
    connection_start(connection);
    if (connection->last) {
        connection_linger(connection);
        return;
    }
    connection_wait(connection, TIMEOUT_NEXT);
    if (connection->head_count > 0)
        http_server_receive(connection, NULL, 0);
}
