/* neighbours.h -- what nodes of a shared store tell each other about players with accounts: who is
 * connected to which, that somebody was challenged, that a challenge was declined, that somebody
 * blocks others than before, and that devices are logged out.
 *
 * Each node has two small documents (store_share()). One has its last few pieces of news, which are
 * told once and only point to what the database says: whoever misses one finds all of it in the
 * lists. The other has the accounts that are connected, the less often the more there are, and is
 * forgotten when it was not repeated for a while. Without a shared store nothing here does
 * anything. */
#ifndef SERVER_NEIGHBOURS_H
#define SERVER_NEIGHBOURS_H
#include "base/json.h"
#include "net/net.h"
#include "server/server.h"

/* What happens to players. */
typedef enum NeighbourNews {
    NEWS_CHALLENGED = 'c', /* an account, to a match */
    NEWS_DECLINED = 'd',   /* a challenge to a match */
    NEWS_BLOCKS = 'b',     /* an account blocks others than before */
    /* A device of an account, all others of it, or all of a deleted one, are logged out; the device
     * that did it, by the beginning of its key's hash. */
    NEWS_LOGGED_OUT = 'l',
    NEWS_OTHERS_OUT = 'o',
    NEWS_DELETED = 'x'
} NeighbourNews;

/* Another node, as it was last heard. */
typedef struct Neighbour {
    uint32_t node;
    uint64_t start, number; /* which start of that node, and its last news that was taken */
    uint64_t *here;         /* accounts that are connected there, sorted */
    uint32_t here_count;
    char *bots; /* programs there: lines of an account, a letter and a name; NULL: none */
    uint64_t said_ms;
} Neighbour;

/* The server's part of it. */
enum { NEIGHBOUR_NEWS = 64, NEIGHBOUR_LINE_BYTES = 64 };
typedef struct Neighbours {
    Neighbour *list;
    uint32_t count;
    uint64_t start, number; /* random, of this start of the server; its last news */
    char news[NEIGHBOUR_NEWS][NEIGHBOUR_LINE_BYTES];
    NetTimer *timer; /* NULL: nobody has logged in yet */
    bool timed;
    char *told; /* the accounts as they were last told; NULL: never */
    uint64_t told_ms;
} Neighbours;

/* What other nodes have said before the server was opened is no news. */
void neighbours_open(Server *server);
/* Tells the other nodes; `what` is a match or a device. */
void neighbours_tell(Server *server, NeighbourNews news, uint64_t account, uint64_t what);
/* Somebody has logged in. */
void neighbours_note(Server *server);
/* Documents of other nodes have changed. */
void neighbours_take_shared(Server *server);
/* Is somebody with this account connected to another node? */
bool neighbours_have(Server *server, uint64_t account);
/* Appends objects of the programs that are connected to other nodes, but not one whose account is
 * `listed` already; the list has room for `max`. */
void neighbours_put_bots(Server *server, JsonWriter *writer, uint64_t *listed, uint32_t *count,
                         uint32_t max);
/* Frees all. */
void neighbours_close(Server *server);

#endif
