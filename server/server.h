/* server.h -- the server: sessions, lobby, tables, clocks; `mashup serve` from inside.
 *
 * It decides nothing about rules: every action goes through include/mashup.h, and nothing about it
 * is sent before the store has made it durable. Sockets, clocks, random numbers and threads come
 * from net/net.h alone, so that the same code runs on the simulated network and clock of a test. */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H
#include "net/net.h"
#include "server/clock.h"
#include "store/store.h"

/* How urgent a line of the log is. */
typedef enum LogLevel { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR, LOG_LEVELS } LogLevel;

typedef struct ServerProtocol ServerProtocol;

/* A protocol of the server and its own configuration, which is lent until server_close(). */
typedef struct ServerProtocolSetup {
    const ServerProtocol *protocol;
    const void *config;
} ServerProtocolSetup;

/* The most protocols. */
enum { SERVER_PROTOCOLS_MAX = 4 };

/* What one address (IPv6: one /64 network) may use, and what all AI players may; 0 = no limit.
 * Plain numbers: they may be changed while the server runs. See budget.h. */
typedef struct ServerBudgets {
    uint32_t tables; /* at which it has a seat: waiting, running, or just over */
    uint32_t listed; /* of its tables in the list of matches, each for waiting and running */
    uint32_t matches_per_day;   /* that it starts, in the long run */
    uint32_t megabytes_per_day; /* that its matches write to journal and archive */
    uint32_t content_megabytes; /* that its custom content takes in memory */
    uint32_t robots;            /* the most weight of its AI players; see robot.c */
    uint32_t robots_in_all;     /* of all AI players, per thread */
    uint32_t loads;             /* of custom content per second; three times as many in a burst */
    uint32_t pictures;          /* of matches per second; five times as many in a burst */
    uint32_t logins;            /* per minute; guesses and new accounts count as ten */
    uint32_t messages;          /* per second over all its sockets; an action counts as several */
    uint32_t tournaments;       /* that it has created and that are not over */
    uint32_t contestants;       /* players of one tournament */
} ServerBudgets;

/* No limit for the number of pauses; a limit is less. */
enum { SERVER_PAUSES_ANY = 10000 };

/* How many names may be given, and room for the token with its NUL. */
enum { SERVER_HOSTS_MAX = 16, SERVER_TOKEN_BYTES = 257 };

/* How a server is opened. Start from server_setup(), which has sensible defaults and the arena as
 * its only protocol. Strings are lent until server_close(). */
typedef struct ServerSetup {
    const char *address;      /* to listen at */
    uint16_t port;            /* 0 = any that is free */
    bool behind_proxy;        /* all connections come through our own proxy */
    const char *const *hosts; /* host names of the server, besides those that are known anyway */
    uint32_t hosts_count;     /* SERVER_HOSTS_MAX at most */
    char metrics_token[SERVER_TOKEN_BYTES]; /* lets other machines read /metrics; "" = nobody */
    const char *origin;   /* one more origin whose pages may use the arena; NULL = only our own */
    const NetFile *files; /* the page; without one at "/" a small page is there */
    uint32_t files_count;
    const char *folder;   /* for the admin socket and the list of bans; NULL = neither */
    const char *settings; /* a file of limits, read again by server_reload(); NULL = none */
    StoreSetup store;
    NetLimits limits;
    ClockLimits clocks;   /* for matches whose settings and content name none */
    ClockBounds bounds;   /* what clients and content may choose; `clocks` are always within them */
    uint32_t matches_max; /* tables, waiting ones included */
    uint32_t tournaments_max;
    uint32_t keep_days;         /* how long finished matches are kept; 0 = for ever */
    uint32_t archive_megabytes; /* the oldest are removed when all take more; 0 = no limit */
    ServerProtocolSetup protocols[SERVER_PROTOCOLS_MAX + 1]; /* NULL behind the last */
    ServerBudgets budgets;
    NetRate request_rate;    /* of one session: what costs more than an answer, see arena.c */
    uint32_t strikes;        /* this many offences in a row lose the match; 0 = never */
    uint32_t pauses;         /* how often each seat may pause a match, or SERVER_PAUSES_ANY */
    uint32_t threads;        /* for AI jobs */
    uint32_t robot_threads;  /* of these at most for one decision of a high level */
    uint32_t waiting_ms;     /* how long a table waits after its host has disconnected */
    uint32_t abandoned_ms;   /* how long a match continues that all have left; 0 = its grace time */
    uint32_t linger_ms;      /* how long a table stays after its match */
    uint32_t return_ms;      /* after a restart every seat has at least this long to reconnect */
    uint32_t rest_ms;        /* how long a match over days stays in memory that nobody has open */
    uint32_t days_return_ms; /* after a restart no turn of such a match is over for this long */
    bool webhook_local;      /* webhooks may be in one's own network, and without TLS: for tests */
    LogLevel log_level;
    bool log_json;
    bool log_people; /* log lines with address, connection and name together, at info */
    /* Takes one line of the log, without line end; from any thread. */
    void (*log)(void *owner, const char *line);
    /* The store has failed or the server has closed after server_drain(): the loop may stop. */
    void (*stopped)(void *owner, bool failed);
    void *owner; /* for both */
} ServerSetup;

typedef struct Server Server;

/* Appends a protocol with its configuration. */
void server_add_protocol(ServerSetup *setup, const ServerProtocol *protocol, const void *config);
/* A setup for a store at this place: see store.h. */
ServerSetup server_setup(const char *place);
/* Opens the server and recovers every match that was running when it closed. NULL = it cannot; the
 * problem says why. The setup is copied. */
Server *server_open(NetLoop *loop, const ServerSetup *setup, MashText *problem);
/* The port it listens at. */
uint16_t server_port(const Server *server);
/* Reloads the files of settings and of bans. */
void server_reload(Server *server);
/* Logs the state of the server in one line. */
void server_report(Server *server);
/* Accepts no more connections, closes all, then calls `stopped`. Matches stay in the journal and
 * resume when the server opens again, or, with a shared store, on the other nodes at once. */
void server_drain(Server *server, uint32_t reconnect_ms);
/* Has it stopped because another node has its matches now? */
bool server_is_deposed(const Server *server);
/* Makes the key for Web Push in a server's folder; its path is written. False = with a problem:
 * there is one already, or it cannot be written. */
bool server_make_push_key(const char *folder, MashText *path, MashText *problem);
/* Closes the server; not to be called inside a callback of the loop. */
void server_close(Server *server);

#endif
