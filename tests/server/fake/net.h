/* net.h -- a network, a clock and a crew of a test's own, in the place of net/: everything happens
 * in one thread, in an order that follows from what was done, and time passes when the test says
 * so.
 *
 * Implements net/net.h; a program is linked either with net/ or with this. Every message takes one
 * millisecond if nothing else was said, and so does a job of a crew. */
#ifndef TESTS_SERVER_FAKE_NET_H
#define TESTS_SERVER_FAKE_NET_H
#include "net/net.h"

/* Lets so much time pass, and everything happen that is due by then. */
void fake_run(NetLoop *loop, uint64_t ms);
/* From which number random bytes follow; the same one gives the same bytes. */
void fake_seed(NetLoop *loop, uint64_t seed);
/* The page that connections come from, from now on; NULL = they are no page's. */
void fake_origin(NetLoop *loop, const char *origin);
/* From now on a message takes up to so much longer, each its own time, but none overtakes another
 * of its connection. */
void fake_delays(NetLoop *loop, uint32_t most_ms);
/* From now on a job of a crew takes so long. */
void fake_thinking(NetLoop *loop, uint32_t ms);
/* From now on one timer in four is called back up to so much later than it should. */
void fake_lateness(NetLoop *loop, uint32_t most_ms);
/* The server is kept from running for so long: nothing of it is called back, while clients, the
 * disk and messages on their way go on. Then all that waits comes at once, messages before timers,
 * as net.h promises. 0: it stands still no longer. */
void fake_stall(NetLoop *loop, uint64_t ms);
/* Is it kept from running just now? */
bool fake_stalled(const NetLoop *loop);
/* The timer is not the server's: neither lateness nor stalls touch it. */
void fake_guest(NetTimer *timer);
/* How many messages were sent lazily so far; they travel like others. */
uint32_t fake_lazy(const NetLoop *loop);
/* Called with every message that a server sends, when it sends it. */
void fake_on_send(NetLoop *loop, void (*call)(void *owner, const char *bytes, uint32_t count),
                  void *owner);
/* The connection ends without a word; both sides hear of it. */
void fake_cut(NetConnection *connection);
/* The line is dead: nothing passes any more, this side hears of it now, the other side only after
 * so long. */
void fake_half_open(NetConnection *connection, uint32_t other_hears_ms);
/* Sends a binary message. */
void fake_send_binary(NetConnection *connection);
/* What was asked of a server over HTTP, and the answer. */
struct NetReply {
    MashText *out; /* the body */
    uint16_t status;
    bool later; /* it is still to come */
};
/* Asks the server for a path with its query; the answer may come while time passes, and the reply
 * must be there until then. */
void fake_ask(NetServer *server, const char *path, NetReply *reply);
/* The same, and waits for it; the status, and the body in `out`. */
uint16_t fake_get(NetServer *server, const char *path, MashText *out);
/* Says a line at the side door and gives the answer back, valid until the next one; "" = none. */
const char *fake_admin_line(NetLoop *loop, const char *line);
/* The Authorization header of what is asked, from now on; NULL = none. */
void fake_authorization(NetLoop *loop, const char *authorization);
/* Whether connections come by a name that is not the server's, from now on. */
void fake_strange(NetLoop *loop, bool strange);
/* The address that connections come from, from now on; at first it is one of this machine. */
void fake_address(NetLoop *loop, const char *address);
/* Sends the process a signal, as it were. */
void fake_signal(NetLoop *loop, int signal);

#endif
