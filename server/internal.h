/* internal.h -- the server from inside: what its files share. */
#ifndef SERVER_INTERNAL_H
#define SERVER_INTERNAL_H
#include "ai/ai.h"
#include "match/match.h"
#include "proto/message.h"
#include "server/bans.h"
#include "server/budget.h"
#include "server/log.h"
#include "server/outbox.h"
#include "server/reader.h"
#include "server/server.h"
#include "server/session.h"
#include "server/table.h"

typedef struct AiJob AiJob;
typedef struct AiMemory AiMemory;

/* Why no match begins while the disk is low on space. */
#define SERVER_LOW "The server is low on disk space; matches in progress continue."

/* What we call ourselves in `welcome`. */
#define SERVER_NAME "mashup 0.1.0"

/* Limits. */
enum {
    MESSAGE_NODES_MAX = 2048,       /* JSON values of one message */
    MESSAGE_POOL_BYTES = 512 << 10, /* decoded documents of one message */
    SERVER_PROBLEMS_MAX = 8,
    SERVER_TEXT_BYTES_MAX = 64 << 20, /* one message or file that we write */
};

/* What has happened since it was opened. */
typedef struct ServerStats {
    uint64_t actions, refusals, offences, matches_begun, matches_over, recovered, ai_jobs;
    uint64_t ai_job_nodes;
    uint64_t faults; /* what could not be sent because of a wrong value of ours */
    uint64_t chats, abandoned, forgotten;
    uint64_t stalls;       /* times that the server was kept from running */
    uint64_t low_refusals; /* matches that did not begin because the disk was low on space */
} ServerStats;

/* A growing piece of memory. */
typedef struct Scratch {
    void *bytes;
    size_t count;
} Scratch;

/* The running server. */
struct Server {
    ServerSetup setup;
    NetLoop *loop;
    NetServer *net;
    NetThreadPool *thread_pool;
    Store *store;
    Reader reader;
    NetWakeup *wakeup; /* the store has made progress */
    NetTimer *beat;    /* looks for stalls while there are tables; NULL: there was none yet */
    bool beating;
    uint64_t awake_ms;     /* when the server was last seen running, while it is looked for */
    uint64_t stalled_ms;   /* how long it was kept from running, in all */
    NetTimer *prune_timer; /* when the archive is pruned next */
    uint64_t opened_date_ms, opened_ms; /* when it was opened, by the calendar and by the loop */
    bool draining, failed;
    uint64_t durable_ticket; /* the last ticket that the store has safe */
    uint64_t queued;         /* messages that ever went through the queue */
    bool closing;            /* no match begins any more; running ones may go on */
    uint64_t closes_ms;      /* when it closes even if matches run, while it is closing */
    NetTimer *closing_timer; /* NULL: nobody asked it to close */
    NetAdminSocket *door;    /* the admin socket; NULL: it has none */
    BanList bans;
    const char *hosts[SERVER_HOSTS_MAX + 1]; /* lent to net: the setup's, and that of its origin */
    uint32_t matches_left, sockets_left;     /* limits cannot be raised above these while it runs */
    uint32_t sessions_ever;
    Outgoing *first, *last;
    bool under_load; /* many actions became safe at once */
    AiJob *ai_jobs;
    AiMemory *ai_memories;   /* for thinking, that nobody thinks in now */
    uint64_t ai_allocations; /* of memory for AI jobs, ever */
    uint32_t ai_jobs_count;
    uint32_t thinking;     /* AI jobs in the thread pool */
    AiJob *stopped_jobs;   /* that were stopped for shorter ones, the last first */
    Account *thinkers;     /* accounts whose AI jobs wait */
    uint64_t ai_job_clock; /* how much the account served last has had */
    uint32_t robots;       /* weight of all robots */
    LoadedContent *contents;
    char languages[LANGUAGES_MAX][8]; /* codes of what the contents speak beside the usual one */
    Table *tables;
    uint32_t tables_count, buckets_count;
    uint64_t tables_opened; /* ever */
    uint64_t lists;         /* of tables that were written */
    Table **buckets;
    Session *sessions;
    uint32_t sessions_count;
    RequestContext request;
    ServerStats figures;
    Accounts accounts;
    JsonNode *nodes;
    char *pool;
    Scratch view, old_view, position, text, load;
    void *protocol_data[SERVER_PROTOCOLS_MAX]; /* see protocol_server_data() */
};

/* Memory of at least so many bytes, aligned to 64, whose old bytes are void; NULL: none. */
void *scratch_take(Scratch *scratch, size_t bytes);
/* Writes with `write` into the server's text buffer, which grows until all fits. False: no memory.
 */
bool server_write_text(Server *server, MashText *text, void (*write)(void *what, MashText *text),
                       void *what);
/* A message as a frame. NULL: a value of ours does not fit its field, which is counted and logged,
 * or there is no memory: whoever should have received it is disconnected (1011), and nobody else.
 */
NetFrame *server_frame(Server *server, const Message *message);
/* Counts and logs that something could not be sent. */
void server_fault(Server *server, const char *what);
/* The time that players' clocks are measured in: it only grows, and stands still while the server
 * was kept from running, so that nobody pays for a stall of ours. */
uint64_t server_now_ms(Server *server);
/* There is a table: stalls are looked for from now on, as long as there are any. */
void server_watch_stalls(Server *server);
/* Has the store too little room for new matches? True: it is counted. */
bool server_is_low(Server *server);
/* Something was given to the store: a store without threads works on it soon. */
void server_poll_store(Server *server);

#endif
