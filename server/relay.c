/* relay.c -- see relay.h: a session that is passed on to another node. */
#include "server/relay.h"

#include <stdlib.h>
#include <string.h>

#include "server/internal.h"
#include "server/protocol.h"

/* Messages in a row, each preceded by its length. */
typedef struct Texts {
    char *bytes;
    size_t count, max;
} Texts;

/* One session's. It lives as long as session->relay is set. */
struct Relay {
    Session *session;
    NetConnection *connection; /* to the other node; NULL: none */
    bool open, answered;
    uint32_t answers; /* messages of the other node that are still to be dropped */
    Texts lead, held;
    void (*ended)(Session *session, bool answered, uint16_t code, const char *reason);
};

/* --- Messages that wait ----------------------------------------------------------------------- */

/* Appends a message. False: no memory, or too many. */
static bool texts_add(Texts *texts, const char *bytes, uint32_t count) {
    size_t needed = texts->count + sizeof count + count;
    if (needed > RELAY_BYTES_MAX)
        return false;
    if (needed > texts->max) {
        char *more = realloc(texts->bytes, needed * 2);
        if (more == NULL)
            return false;
        texts->bytes = more;
        texts->max = needed * 2;
    }
    memcpy(texts->bytes + texts->count, &count, sizeof count);
    memcpy(texts->bytes + texts->count + sizeof count, bytes, count);
    texts->count = needed;
    return true;
}

/* The message at a place, which is moved behind it; NULL: that was the last. */
static const char *texts_next(const Texts *texts, size_t *at, uint32_t *count) {
    if (*at == texts->count)
        return NULL;
    memcpy(count, texts->bytes + *at, sizeof *count);
    *at += sizeof *count + *count;
    return texts->bytes + *at - *count;
}

/* Sends all messages to the other node. */
static void texts_send(const Texts *texts, NetConnection *connection) {
    uint32_t count;
    size_t at = 0;
    for (const char *bytes; (bytes = texts_next(texts, &at, &count)) != NULL;)
        net_send_text(connection, bytes, count);
}

/* --- Holding ---------------------------------------------------------------------------------- */

bool relay_hold(Session *session) {
    if (session->relay == NULL)
        session->relay = calloc(1, sizeof *session->relay);
    if (session->relay != NULL)
        session->relay->session = session;
    return session->relay != NULL;
}

/* Closes the connection to the other node, which is no longer needed. */
static void hang_up(Relay *relay, uint16_t code) {
    if (relay->connection == NULL)
        return;
    relay->session->server->relays--;
    net_set_owner(relay->connection, NULL);
    net_close(relay->connection, code, "the client is gone");
}

/* Frees it. */
static void release(Relay *relay) {
    free(relay->lead.bytes);
    free(relay->held.bytes);
    free(relay);
}

void relay_release(Session *session) {
    Relay *relay = session->relay;
    Texts held = relay->held;
    relay->held = (Texts){0};
    session->relay = NULL;
    release(relay);
    uint32_t count;
    size_t at = 0;
    for (const char *bytes; (bytes = texts_next(&held, &at, &count)) != NULL;)
        if (!relay_takes(session, bytes, count)) /* an earlier one may have begun another */
            session->protocol->receive(session, bytes, count);
    free(held.bytes);
}

void relay_end(Session *session, uint16_t code) {
    bool broken = code == NET_CLOSE_PROTOCOL || code == NET_CLOSE_INVALID_DATA ||
                  code == NET_CLOSE_POLICY || code == NET_CLOSE_TOO_BIG;
    Relay *relay = session->relay;
    if (relay == NULL)
        return;
    hang_up(relay, broken ? NET_CLOSE_POLICY : NET_CLOSE_NORMAL);
    session->relay = NULL;
    release(relay);
}

/* --- Passing on ------------------------------------------------------------------------------- */

/* The other node has accepted the connection: it gets what waits. */
static uint16_t on_open(void *owner, NetConnection *connection, const NetRequest *request) {
    Relay *relay = net_owner(connection);
    (void)owner;
    (void)request;
    if (relay == NULL)
        return NET_ACCEPT;
    relay->open = true;
    texts_send(&relay->lead, connection);
    texts_send(&relay->held, connection);
    relay->held.count = 0;
    return NET_ACCEPT;
}

/* A message of the other node goes to the client. */
static void on_message(void *owner, NetConnection *connection, const char *bytes, uint32_t count) {
    Relay *relay = net_owner(connection);
    (void)owner;
    if (relay == NULL)
        return;
    relay->answered = true;
    if (relay->answers > 0)
        relay->answers--;
    else
        net_send_text(relay->session->connection, bytes, count);
}

/* The other node has closed the connection, or is lost. */
static void on_close(void *owner, NetConnection *connection, uint16_t code, const char *reason) {
    Relay *relay = net_owner(connection);
    (void)owner;
    if (relay == NULL)
        return;
    relay->connection = NULL;
    relay->open = false;
    relay->session->server->relays--;
    relay->ended(relay->session, relay->answered, code, reason);
}

bool relay_connect(Session *session, const RelayPlace *place) {
    static const NetCallbacks calls = {
        .on_open = on_open, .on_message = on_message, .on_close = on_close};
    Relay *relay = session->relay;
    char url[512], reason[256];
    MashText text = text_over(url, sizeof url), problem = text_over(reason, sizeof reason);
    text_format(&text, "ws://%s%s", place->peer, place->path);
    if (text.truncated)
        return false;
    relay->lead.count = 0;
    for (uint32_t i = 0; i < 2 && place->lead[i] != NULL; i++)
        if (!texts_add(&relay->lead, place->lead[i], place->lead_counts[i]))
            return false;
    relay->connection =
        net_connect_for(session->server->loop, url, session->address, &calls, NULL, NULL, &problem);
    if (relay->connection == NULL) {
        server_log(session->server, LOG_WARNING, "cannot reach a node: %s", reason);
        return false;
    }
    net_set_owner(relay->connection, relay);
    relay->answers = place->answers;
    relay->answered = relay->open = false;
    relay->ended = place->ended;
    session->server->relays++;
    session->server->relayed++;
    return true;
}

bool relay_takes(Session *session, const char *bytes, uint32_t count) {
    Relay *relay = session->relay;
    if (relay == NULL)
        return false;
    if (relay->open)
        net_send_text(relay->connection, bytes, count);
    else if (!texts_add(&relay->held, bytes, count))
        net_close(session->connection, NET_CLOSE_TRY_AGAIN_LATER, "too many messages wait");
    return true;
}
