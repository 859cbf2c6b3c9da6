/* net.h -- a simulated network, clock and thread pool for tests, in place of net/: everything
 * happens in one thread, in a deterministic order, and time passes only when the test says so.
 *
 * Implements net/net.h; a program is linked either with net/ or with this. By default every message
 * takes one millisecond, and so does a job of a thread pool. */
#ifndef TESTS_SERVER_FAKE_NET_H
#define TESTS_SERVER_FAKE_NET_H
#include "net/net.h"

/* Lets this much time pass, and runs everything that is due by then. */
void fake_run(NetLoop *loop, uint64_t ms);
/* Seeds the random bytes; the same seed gives the same bytes. */
void fake_seed(NetLoop *loop, uint64_t seed);
/* The origin of connections from now on; NULL = they do not come from a page. */
void fake_origin(NetLoop *loop, const char *origin);
/* From now on a message takes up to this much longer, each its own time, but none overtakes another
 * of its connection. */
void fake_delays(NetLoop *loop, uint32_t most_ms);
/* From now on a job of a thread pool takes this long. */
void fake_thinking(NetLoop *loop, uint32_t ms);
/* From now on one timer in four is called back up to this much too late. */
void fake_lateness(NetLoop *loop, uint32_t most_ms);
/* Stalls the server for this long: none of its callbacks runs, while clients, the disk and messages
 * in transit continue. Then everything pending arrives at the same time, messages before timers, as
 * net.h promises. 0: ends the stall. */
void fake_stall(NetLoop *loop, uint64_t ms);
/* Is it stalled now? */
bool fake_stalled(const NetLoop *loop);
/* The timer is not the server's: neither lateness nor stalls affect it. */
void fake_client_timer(NetTimer *timer);
/* How many messages were sent lazily so far; they are delivered like others. */
uint32_t fake_lazy(const NetLoop *loop);
/* Called with every message that a server sends, when it sends it. */
void fake_on_send(NetLoop *loop, void (*call)(void *owner, const char *bytes, uint32_t count),
                  void *owner);
/* The connection ends without a close frame; both ends are notified. */
void fake_cut(NetConnection *connection);
/* The connection is dead: nothing is delivered any more, this end is notified now, the other end
 * only after this time. */
void fake_half_open(NetConnection *connection, uint32_t other_hears_ms);
/* Sends a binary message. */
void fake_send_binary(NetConnection *connection);
/* An HTTP request to a server, and the answer. */
struct NetReply {
    MashText *out; /* the body */
    uint16_t status;
    bool later;  /* not answered yet */
    bool shared; /* with pages of any origin */
    const char *cache, *headers;
    char etag[64];
};
/* Requests a path with its query from the server; the answer may come while time passes, and the
 * reply must stay valid until then. */
void fake_ask(NetServer *server, const char *path, NetReply *reply);
/* The same, and waits for it; the status, and the body in `out`. */
uint16_t fake_get(NetServer *server, const char *path, MashText *out);
/* Sends a line to the admin socket and returns the answer, valid until the next one; "" = none. */
const char *fake_admin_line(NetLoop *loop, const char *line);
/* The Authorization header of requests, from now on; NULL = none. */
void fake_authorization(NetLoop *loop, const char *authorization);
/* From now on requests have this If-None-Match, one etag in quotes; NULL: none. */
void fake_if_none_match(NetLoop *loop, const char *etags);
/* Whether connections use a host name that is not the server's, from now on. */
void fake_strange(NetLoop *loop, bool strange);
/* The client address of connections from now on; at first a local one. */
void fake_address(NetLoop *loop, const char *address);
/* The limit of open files allows this many sockets, for servers opened from now on; 0 = any
 * number. */
void fake_files(uint32_t sockets);
/* Requests to other servers: how many there were, the last one, and how they are answered from now
 * on (0: nobody answers). */
typedef struct FakePosts {
    uint32_t count;
    char url[1024], headers[2048], body[4096];
    size_t body_count;
    uint16_t status;
} FakePosts;
extern FakePosts fake_posts;
/* Simulates a signal to the process. */
void fake_signal(NetLoop *loop, int signal);

#endif
