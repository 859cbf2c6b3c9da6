/* listener.h -- the server from inside. */
#ifndef NET_LISTENER_H
#define NET_LISTENER_H
#include "net/connection.h"

/* A server: the endpoint of its connections, and its listening socket. */
struct NetServer {
    Endpoint endpoint; /* first, so that a connection's endpoint can be cast to this */
    ListLink members;
    AddressTable book;
    const NetFile *files;
    uint32_t files_count;
    const char *headers;
    bool behind_proxy;
    const char *const *hosts;
    uint32_t hosts_count;
    char own_name[UV_MAXHOSTNAMESIZE]; /* of the machine, or "" */
    bool listening;
    bool draining;
    bool closed;
    int socket;
    uint16_t port;
    uint32_t handles; /* of libuv, not yet closed, besides the connections' */
    uv_poll_t poll;
    uv_timer_t pause;    /* until it accepts again */
    uv_timer_t patience; /* until connections that do not close are dropped */
    void (*drained)(void *owner);
};

/* Bytes of HTTP arrived; everything queued of an answer is written. */
void http_server_receive(NetConnection *connection, char *bytes, uint32_t count);
void http_server_written(NetConnection *connection);
/* The connection is gone: a deferred answer is dropped. */
void serve_gone(NetConnection *connection);

#endif
