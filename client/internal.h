/* internal.h -- what the files of client/ share. */
#ifndef CLIENT_INTERNAL_H
#define CLIENT_INTERNAL_H
#include "client/client.h"

typedef struct ClientContent ClientContent;

/* Sizes of texts. */
enum { CLIENT_URL_BYTES = 512, CLIENT_WHY_BYTES = 400 };

/* A loaded content. */
struct ClientContent {
    ClientContent *next;
    MashContent *content;
    char preset[PROTO_ID_MAX + 1]; /* empty: custom documents */
    uint32_t users;
};

/* Memory that grows. */
typedef struct ClientBuffer {
    void *bytes;
    size_t count;
} ClientBuffer;

/* See client.h. */
struct ClientShared {
    NetLoop *loop;
    ClientContent *contents;
    ClientBuffer nodes, pool, text;
};

/* See client.h. */
struct Client {
    ClientShared *shared;
    ClientSetup setup;
    char url[CLIENT_URL_BYTES];
    char name[PROTO_NAME_MAX + 1];
    ClientState state;
    NetConnection *connection;   /* NULL: none */
    NetTimer *timer;             /* until the next try */
    uint32_t tries;              /* since the last good connection */
    uint64_t lost_ms, here_ms;   /* when it was lost and accepted */
    char home[CLIENT_URL_BYTES]; /* the address it was opened with; `url` may be that of a node */
    bool moved;                  /* it was sent to another node once: the server is there */
    bool moving;                 /* the table is at another node: it connects there */
    bool named;                  /* and that node was just named, for the first time */
    int32_t followed;            /* the last one that was named since it was connected last; or 0 */
    uint32_t follows;            /* how many it went to at once since then */
    char *entry; /* the unanswered request for a table, as it was sent; NULL: there is none */
    uint32_t entry_bytes;
    bool resuming;  /* it is returning to a seat or to watching a table */
    bool closed;    /* by its owner; freed when no callback is running */
    uint32_t calls; /* callbacks running */
    ClientTable table;
    ClientContent *loaded; /* of the table's content */
    uint32_t events_max;
};

/* --- connection.c: for clients of all protocols ----------------------------------------------- */

/* Opens a connection whose owner is the client. NULL: it can never succeed; see the problem. */
NetConnection *client_connect(NetLoop *loop, const char *url, const NetCallbacks *calls,
                              void *client, MashText *problem);
/* Closes the connection if there is one; its client gets no more callbacks for it. */
void client_hang_up(NetConnection **connection);
/* How long to wait before the next try. Half of it is random, so that many clients do not reconnect
 * at the same time. */
uint64_t client_backoff_ms(NetLoop *loop, uint32_t tries);
/* Why a connection was closed, as a phrase. */
void client_write_close(uint16_t code, const char *reason, MashText *text);

/* --- shared.c, client_table.c ----------------------------------------------------------------- */

/* At least this many bytes aligned to 16, with undefined contents; NULL: no memory. */
void *client_buffer_reserve(ClientBuffer *buffer, size_t bytes);

/* The content that a `table` message names, with one more user; NULL: see the problem. */
ClientContent *client_content_acquire(ClientShared *shared, const Message *table,
                                      MashText *problem);
/* Drops one user. NULL is ignored. */
void client_content_release(ClientShared *shared, ClientContent *loaded);

/* Applies a server message to the table. False: it is invalid; see the problem. */
bool client_table_take(Client *client, const Message *message, MashText *problem);
/* Resets the table: the client is at none. */
void client_table_forget(Client *client);

#endif
