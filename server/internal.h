/* internal.h -- the server from inside: shared by its files. */
#ifndef SERVER_INTERNAL_H
#define SERVER_INTERNAL_H
#include "ai/ai.h"
#include "base/version.h"
#include "match/match.h"
#include "proto/message.h"
#include "server/bans.h"
#include "server/budget.h"
#include "server/days.h"
#include "server/erased.h"
#include "server/listing.h"
#include "server/log.h"
#include "server/neighbours.h"
#include "server/notices.h"
#include "server/outbox.h"
#include "server/players.h"
#include "server/reader.h"
#include "server/server.h"
#include "server/session.h"
#include "server/table.h"
#include "server/usage.h"

/* Puts an entry in front of a doubly linked list: its first entry, the entry, its two links. */
#define SERVER_LINK(first, entry, before, next)                                                    \
    do {                                                                                           \
        (entry)->before = NULL;                                                                    \
        (entry)->next = (first);                                                                   \
        if ((first) != NULL)                                                                       \
            (first)->before = (entry);                                                             \
        (first) = (entry);                                                                         \
    } while (0)
/* Takes an entry out of a doubly linked list: its first entry, the entry, its two links. */
#define SERVER_UNLINK(first, entry, before, next)                                                  \
    do {                                                                                           \
        *((entry)->before != NULL ? &(entry)->before->next : &(first)) = (entry)->next;            \
        if ((entry)->next != NULL)                                                                 \
            (entry)->next->before = (entry)->before;                                               \
    } while (0)

typedef struct AiJob AiJob;
typedef struct ContestFrame ContestFrame;
typedef struct OtherContests OtherContests;
typedef struct AiMemory AiMemory;

/* Why no match begins while the disk is low on space. */
#define SERVER_LOW "The server is low on disk space; matches in progress continue."

/* The server's name in `welcome`. */
#define SERVER_NAME "mashup " MASH_VERSION

/* Limits. */
enum {
    MESSAGE_NODES_MAX = 2048,       /* JSON values of one message */
    MESSAGE_POOL_BYTES = 512 << 10, /* decoded documents of one message */
    SERVER_PROBLEMS_MAX = 8,
    SERVER_TEXT_BYTES_MAX = 64 << 20, /* one message or file that the server writes */
};

/* Counters since the server was opened. */
typedef struct ServerStats {
    uint64_t actions, refusals, offences, matches_begun, matches_over, recovered, ai_jobs;
    uint64_t ai_job_nodes;
    uint64_t faults; /* messages not sent because the server had an invalid value */
    uint64_t chats, abandoned, forgotten;
    uint64_t stalls;       /* times that the process was stalled */
    uint64_t low_refusals; /* matches that did not begin because the disk was low on space */
    uint64_t contests_created, contests_recovered, contest_results;
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
    NetWakeup *wakeup; /* signals that the store has made progress */
    NetTimer *beat;    /* detects stalls while there are tables; NULL: there was no table yet */
    bool beating;
    uint64_t awake_ms;     /* when the process was last known to run, while stalls are detected */
    uint64_t stalled_ms;   /* total time of all stalls */
    uint64_t frozen_ms;    /* store_frozen_ms() when it was last asked */
    uint64_t owed_ms;      /* of that, what is not given back to the players yet */
    NetTimer *prune_timer; /* when the archive is pruned next */
    uint64_t opened_date_ms,
        opened_ms; /* when it was opened, by the wall clock and by the loop's clock */
    bool draining, failed;
    bool handing_over;       /* draining: the matches go to other nodes before the clients do */
    NetTimer *hand_timer;    /* for how long that may take; NULL: it was not needed yet */
    uint32_t reconnect_ms;   /* how long clients may take to leave when it drains */
    uint64_t shared;         /* changes of documents that all nodes share */
    uint64_t arrived;        /* matches that came from other nodes */
    uint64_t durable_ticket; /* the last ticket that the store has made durable */
    uint64_t queued;         /* messages ever queued */
    bool closing;            /* no more matches start; running ones may continue */
    uint64_t closes_ms;      /* while closing: when it closes even if matches run */
    NetTimer *closing_timer; /* NULL: it is not closing */
    NetAdminSocket *admin_socket; /* the admin socket; NULL: it has none */
    BanList bans;
    Listing listing;
    Usage usage;
    Neighbours neighbours;
    uint32_t relays;  /* sessions that are relayed to other nodes */
    uint64_t relayed; /* such ones ever */
    const char
        *hosts[SERVER_HOSTS_MAX + 1]; /* lent to net: the setup's hosts, and that of its origin */
    uint32_t matches_left, sockets_left; /* the limits cannot be raised above these at run time */
    uint32_t sessions_ever;
    Outgoing *first, *last;
    bool under_load; /* many actions became durable at the same time */
    AiJob *ai_jobs;
    AiMemory *ai_memories;   /* free memory for AI jobs */
    uint64_t ai_allocations; /* of memory for AI jobs, ever */
    uint32_t ai_jobs_count;
    uint32_t thinking;     /* AI jobs in the thread pool */
    AiJob *stopped_jobs;   /* interrupted for shorter ones, the last first */
    Account *thinkers;     /* accounts whose AI jobs wait */
    uint64_t ai_job_clock; /* AI time of the account served last */
    uint32_t robots;       /* weight of all AI players */
    LoadedContent *contents;
    char languages[LANGUAGES_MAX][8]; /* codes of the contents' languages besides the default one */
    Table *tables;
    uint32_t tables_count, buckets_count;
    uint64_t tables_opened; /* ever */
    uint64_t lists;         /* lists of tables written so far */
    Table **buckets;
    Contest *contests; /* newest first */
    uint32_t contests_count;
    ContestFrame *contest_first, *contest_last; /* messages that wait for the store */
    OtherContests *others;                      /* of other nodes */
    uint32_t others_count;
    uint64_t contests_share_ms; /* when the other nodes are told again */
    Session *sessions;
    uint32_t sessions_count;
    RequestContext request;
    ServerStats stats;
    Accounts accounts;
    Players players;
    Days days;
    Notices notices;
    Erased erased;
    struct PeopleJob *people_jobs; /* see people.h */
    uint64_t inviting;             /* while a challenge is opened: the account that may join */
    JsonNode *nodes;
    char *pool;
    Scratch view, old_view, position, text, load, history;
    void *protocol_data[SERVER_PROTOCOLS_MAX]; /* see protocol_server_data() */
};

/* At least this many bytes, aligned to 64, with undefined contents; NULL: no memory. */
void *scratch_take(Scratch *scratch, size_t bytes);
/* Writes with `write` into the server's text buffer, which grows until all fits. False: no memory.
 */
bool server_write_text(Server *server, MashText *text, void (*write)(void *what, MashText *text),
                       void *what);
/* A message as a frame. NULL: no memory, or a value does not fit its field, which is counted and
 * logged. Then the recipients, and nobody else, are disconnected (1011). */
NetFrame *server_frame(Server *server, const Message *message);
/* Counts and logs that something could not be sent. */
void server_fault(Server *server, const char *what);
/* The time that players' clocks are measured in: it is monotonic and stops while the process is
 * stalled, so that no player loses time by a stall of the server. */
uint64_t server_now_ms(Server *server);
/* There is a table: stalls are detected from now on, as long as there are tables. */
void server_watch_stalls(Server *server);
/* Is the disk too low on space for new matches? True: it is counted. */
bool server_is_low(Server *server);
/* Other nodes have the matches: the clients are sent there. */
void server_handed_over(Server *server);
/* Something was given to the store: schedules the work of a store without threads. */
void server_poll_store(Server *server);

#endif
