/* server.h -- the server: sessions, lobby, tables, clocks; `mashup serve` from inside.
 *
 * It decides nothing about rules: every action goes through include/mashup.h, and nobody is sent
 * anything about it before the store has it safe. Sockets, clocks, random numbers and threads come
 * from net/net.h alone, so that the same code runs over a network and a clock of a test's own. */
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

/* So many protocols at most. */
enum { SERVER_PROTOCOLS_MAX = 4 };

/* What one address (IPv6: one /64 network) may use, and what all robots may; 0 = as much as it
 * likes. Plain numbers: they may be changed while the server runs. See budget.h. */
typedef struct ServerBudgets {
    uint32_t tables;            /* at which it has a seat: waiting, running, or just over */
    uint32_t listed;            /* of its tables in the list of matches, waiting and running each */
    uint32_t matches_per_day;   /* that it begins, in the long run */
    uint32_t megabytes_per_day; /* that its matches write to journal and archive */
    uint32_t content_megabytes; /* that content of its own takes in memory */
    uint32_t robots;            /* what its robots weigh at most; see robot.c */
    uint32_t robots_in_all;     /* and all robots, for each thread */
    uint32_t loads;             /* of content of its own, a second; three times as many at once */
    uint32_t messages;          /* a second over all its sockets; an action counts as several */
} ServerBudgets;

/* No limit for the number of pauses; a limit is less. */
enum { SERVER_PAUSES_ANY = 10000 };

/* How many names may be given, and room for the token with its NUL. */
enum { SERVER_HOSTS_MAX = 16, SERVER_TOKEN_BYTES = 257 };

/* How a server is opened. Begin with server_setup(), which has good numbers and the arena as its
 * only protocol. Strings are lent until server_close(). */
typedef struct ServerSetup {
    const char *address; /* to listen at */
    uint16_t port;       /* 0 = any that is free */
    bool behind_proxy;   /* all comes through a proxy of ours */
    const char *const
        *hosts;           /* names by which others find it, beside those that are known anyway */
    uint32_t hosts_count; /* SERVER_HOSTS_MAX at most */
    char metrics_token[SERVER_TOKEN_BYTES]; /* lets other machines read /metrics; "" = nobody */
    const char *origin;   /* one more page that may talk to the arena; NULL = only our own */
    const NetFile *files; /* the page; without one at "/" a small page is there */
    uint32_t files_count;
    const char *folder;   /* for the admin socket and the list of bans; NULL = neither */
    const char *settings; /* a file of limits, read again by server_reload(); NULL = none */
    StoreSetup store;
    NetLimits limits;
    ClockLimits clocks;   /* for matches whose settings and content name none */
    ClockBounds bounds;   /* what guests and content may name; `clocks` are always within them */
    uint32_t matches_max; /* tables, waiting ones included */
    uint32_t keep_days;   /* finished matches are kept so long; 0 = for ever */
    uint32_t archive_megabytes; /* and the oldest go when all take more; 0 = any number */
    ServerProtocolSetup protocols[SERVER_PROTOCOLS_MAX + 1]; /* NULL behind the last */
    ServerBudgets budgets;
    NetRate request_rate;  /* of one session: what costs more than an answer, see arena.c */
    uint32_t strikes;      /* so many offences in a row cost the match; 0 = they never do */
    uint32_t pauses;       /* how often each seat may pause a match, or SERVER_PAUSES_ANY */
    uint32_t threads;      /* for the robots to think in */
    uint32_t waiting_ms;   /* how long a table waits whose host is gone */
    uint32_t abandoned_ms; /* how long a match goes on that all have left; 0 = as its grace says */
    uint32_t linger_ms;    /* how long a table stays after its match */
    uint32_t return_ms;    /* after a restart every seat has at least so long to come back */
    LogLevel log_level;
    bool log_json;
    bool log_people; /* lines that tie address, connection and name together, at info */
    /* Takes one line of the log, without line end; from any thread. */
    void (*log)(void *owner, const char *line);
    /* The store has failed or the server has closed after server_drain(): the loop may stop. */
    void (*stopped)(void *owner, bool failed);
    void *owner; /* for both */
} ServerSetup;

typedef struct Server Server;

/* Adds a protocol with its configuration behind those that are there. */
void server_add_protocol(ServerSetup *setup, const ServerProtocol *protocol, const void *config);
/* A setup for a store at this place: see store.h. */
ServerSetup server_setup(const char *place);
/* Opens the server and recovers every match that was running when it closed. NULL = it cannot; the
 * problem says why. The setup is copied. */
Server *server_open(NetLoop *loop, const ServerSetup *setup, MashText *problem);
/* The port it listens at. */
uint16_t server_port(const Server *server);
/* Reads the files of settings and of bans again. */
void server_reload(Server *server);
/* Logs in one line how the server is. */
void server_report(Server *server);
/* Lets nobody in any more, says goodbye to all, then calls `stopped`. Matches stay in the journal
 * and go on when the server opens again. */
void server_drain(Server *server, uint32_t reconnect_ms);
/* Closes the server; the loop must not be inside a call back. */
void server_close(Server *server);

#endif
