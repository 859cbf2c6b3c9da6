/* budget.h -- limits for what one address uses of the server: tables, matches and bytes per day,
 * custom content, AI players, messages.
 *
 * There is one account for each address (IPv6: for each /64 network, like net/rate_limit.h; behind
 * a proxy it is the forwarded address). An account is created when somebody connects from there,
 * and dropped when nothing refers to it and its daily quotas are restored. The number of idle
 * accounts is bounded, so that strangers cannot fill the memory with them. The limits are
 * ServerSetup.budgets, plain numbers that may be changed while the server runs. A client over its
 * budget is refused that one thing, with a sentence that names the limit and when to try again;
 * running matches are never stopped. */
#ifndef SERVER_BUDGET_H
#define SERVER_BUDGET_H
#include "net/rate_limit.h"
#include "server/server.h"

typedef struct Account Account;
typedef struct Table Table;
typedef struct Session Session;
typedef struct AiJob AiJob;

/* What can run out; the ids are labels of the metric. */
#define BUDGET_KINDS(X)                                                                            \
    X(TABLES, "tables")                                                                            \
    X(MATCHES, "matches")                                                                          \
    X(BYTES, "bytes")                                                                              \
    X(CONTENT, "content")                                                                          \
    X(ROBOTS, "robots")                                                                            \
    X(LOGINS, "logins")                                                                            \
    X(MESSAGES, "messages")                                                                        \
    X(PICTURES, "pictures")                                                                        \
    X(TOURNAMENTS, "tournaments")
#define BUDGET_ROW(name, id) BUDGET_##name,
typedef enum BudgetKind { BUDGET_KINDS(BUDGET_ROW) BUDGET_KINDS_COUNT } BudgetKind;
#undef BUDGET_ROW

/* A daily quota that is restored evenly: the time (in microseconds) at which it is fully restored.
 * All zero = nothing was used. */
typedef struct Quota {
    uint64_t paid_us;
} Quota;

/* How much of a day's quota is used at this time. */
uint64_t quota_used_us(Quota quota, uint64_t now_us);
/* The time of a day's quota. */
#define QUOTA_DAY_US ((uint64_t)86400 * 1000000)

/* One address. */
struct Account {
    Account *bucket_next;   /* bucket of the hash table */
    Account *next, *before; /* list of idle accounts, longest idle first */
    uint64_t key;
    uint32_t held;   /* sessions, seats and contents that refer to it; 0: it is idle */
    uint32_t tables; /* at which it has a seat */
    Account *heavy_next,
        *heavy_before; /* list of those that are reported to other nodes: see usage.h */
    bool heavy;
    uint32_t asks; /* pending queries to the archive */
    uint64_t content_bytes;
    Quota matches, bytes;
    TokenBucket messages, loads, pictures, logins;
    uint32_t
        listed; /* its tables in the list being written, if `list` is the number of that list */
    uint64_t list;
    uint32_t robots;       /* weight of its AI players, see robot.c */
    uint64_t ai_job_cost;  /* AI time that it has used, see robot.c */
    AiJob *ai_jobs;        /* waiting, most urgent first */
    Account *next_thinker; /* list of accounts whose AI jobs wait */
};

/* All accounts. */
typedef struct Accounts {
    Account **buckets;
    uint64_t secret[2];
    uint32_t count;
    uint32_t idle_count;
    Account *idle_first, *idle_last;
    uint64_t refusals[BUDGET_KINDS_COUNT];
    Account unknown; /* for matches whose players have not reconnected since a restart */
} Accounts;

/* Good limits for a public server, with room for a school behind one address. */
ServerBudgets budget_usual(void);

/* False: no memory. */
bool accounts_open(Server *server);
/* All sessions must be closed. */
void accounts_close(Server *server);
/* The account of an address, with one more reference. NULL: no memory. */
Account *account_enter(Server *server, const char *address);
/* Adds or drops a reference; the account may be freed with the last one. NULL is ignored. */
void account_keep(Server *server, Account *account);
void account_leave(Server *server, Account *account);

/* Counts a refusal. */
void budget_count(Server *server, BudgetKind kind);
/* May the address load custom content now? Loading takes the loop milliseconds, so the rate is
 * limited over all sockets of the address. False: the reason is written. */
bool budget_may_load(Server *server, Account *account, MashText *reason);
/* May the address have a match read and drawn now? False: the reason is written. */
bool budget_may_draw(Server *server, const char *address, MashText *reason);
/* May somebody from this address log in now, or (`dear`) try a password or a code, or make an
 * account? False: the reason is written. */
bool budget_may_log_in(Server *server, Account *account, bool dear, MashText *reason);
/* May somebody from this address take a seat at this table (NULL: at a new one)? Start one more
 * match? Keep this much more custom content? False: it is counted, and the reason is written. */
bool budget_may_sit(Server *server, const Account *account, const Table *table, MashText *reason);
bool budget_may_begin(Server *server, const Account *account, MashText *reason);
bool budget_may_hold(Server *server, const Account *account, uint64_t bytes, MashText *reason);
/* Seat `seat` of the table counts for this account from now on (NULL: for none). */
void budget_seat(Table *table, uint8_t seat, Account *account);
/* A match begins at the table; it has ended (`little`: hardly anything happened in it); this many
 * bytes of it are written to the disk. */
void budget_match(Table *table);
void budget_match_over(Table *table, bool little);
void budget_write(Table *table, uint64_t bytes);
/* A message of this many bytes arrived. False: it exceeds the rate limit; it was answered or the
 * connection was closed, and the caller must ignore it. */
bool budget_receive(Session *session, uint32_t bytes);
/* The accepted message costs this much more than a plain one: others of its address are delayed, by
 * at most a second. */
void budget_charge(Session *session, uint32_t cost);

#endif
