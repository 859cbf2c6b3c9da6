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
    char preset[PROTO_ID_MAX + 1]; /* empty: documents of somebody's own */
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
    NetConnection *connection; /* NULL: none */
    NetTimer *timer;           /* until the next try */
    uint32_t tries;            /* since it was last let in for a while */
    uint64_t lost_ms, here_ms; /* when it was lost and let in */
    bool resuming;             /* a seat or a view of a table is being taken up again */
    bool closed;               /* by its owner; freed when no call back is under way */
    uint32_t calls;            /* under way */
    ClientTable table;
    ClientContent *loaded; /* of the table's content */
    uint32_t events_max;
};

/* --- connection.c: for clients of all protocols ----------------------------------------------- */

/* Opens a connection whose owner is the client. NULL: it never will be, and the problem says why.
 */
NetConnection *client_connect(NetLoop *loop, const char *url, const NetCallbacks *calls,
                              void *client, MashText *problem);
/* Closes the connection if there is one; its client hears nothing more of it. */
void client_hang_up(NetConnection **connection);
/* How long to wait before the next try. Half of it is random, so that many clients do not come back
 * in one moment. */
uint64_t client_backoff_ms(NetLoop *loop, uint32_t tries);
/* Why a connection was closed, as half a sentence. */
void client_write_close(uint16_t code, const char *reason, MashText *text);

/* --- shared.c, client_table.c ----------------------------------------------------------------- */

/* At least so many bytes aligned to 16, whose old contents are void; NULL: no memory. */
void *client_buffer_reserve(ClientBuffer *buffer, size_t bytes);

/* The content that a `table` message names, for one more user; NULL: the problem says why. */
ClientContent *client_content_acquire(ClientShared *shared, const Message *table,
                                      MashText *problem);
/* One user less. NULL is none and ignored. */
void client_content_release(ClientShared *shared, ClientContent *loaded);

/* Keeps what a message says about the table. False: it cannot be true, and the problem says why. */
bool client_table_take(Client *client, const Message *message, MashText *problem);
/* At no table any more. */
void client_table_forget(Client *client);

#endif
