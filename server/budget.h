/* budget.h -- what one address uses of the server: tables, matches and bytes of a day, content of
 * its own, robots, messages.
 *
 * There is one account for each address (IPv6: for each /64 network, like net/rate_limit.h; behind
 * a proxy it is the forwarded address). An account is made when somebody comes from there, and
 * dropped when nothing names it any more and nothing of its day is left; how many idle ones there
 * may be is bounded, so strangers cannot make them fill the memory. The limits are
 * ServerSetup.budgets, plain numbers that may be changed while the server runs. Whoever runs out is
 * refused that one thing, in a sentence that says what ran out and when to try again; matches that
 * run are never stopped. */
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
    X(MESSAGES, "messages")
#define BUDGET_ROW(name, id) BUDGET_##name,
typedef enum BudgetKind { BUDGET_KINDS(BUDGET_ROW) BUDGET_KINDS_COUNT } BudgetKind;
#undef BUDGET_ROW

/* An amount for each day that comes back evenly: the moment (in microseconds) at which all that was
 * used is paid back. All zero = nothing was used. */
typedef struct Quota {
    uint64_t paid_us;
} Quota;

/* One address. */
struct Account {
    Account *bucket_next;   /* bucket of the hash table */
    Account *next, *before; /* of the idle ones, the one that has been idle longest first */
    uint64_t key;
    uint32_t held;   /* sessions, seats and contents that name it; 0: it is idle */
    uint32_t tables; /* at which it has a seat */
    uint32_t asks;   /* questions to the archive that wait */
    uint64_t content_bytes;
    Quota matches, bytes;
    TokenBucket messages, loads;
    uint32_t listed; /* tables in the list that is being written, if `list` is its number */
    uint64_t list;
    uint32_t robots;       /* what its robots weigh, see robot.c */
    uint64_t ai_job_cost;  /* the robots' time that it has had, see robot.c */
    AiJob *ai_jobs;        /* that wait, the most urgent first */
    Account *next_thinker; /* of those whose thoughts wait */
};

/* All accounts. */
typedef struct Accounts {
    Account **buckets;
    uint64_t secret[2];
    uint32_t count;
    uint32_t idle_count;
    Account *idle_first, *idle_last;
    uint64_t refusals[BUDGET_KINDS_COUNT];
    Account unknown; /* for matches whose players have not come back since a restart */
} Accounts;

/* Good limits for a public server, with room for a school behind one address. */
ServerBudgets budget_usual(void);

/* False: no memory. */
bool accounts_open(Server *server);
/* Everybody must have left. */
void accounts_close(Server *server);
/* The account of an address, held once more. NULL: no memory. */
Account *account_enter(Server *server, const char *address);
/* Holds it once more; or once less, after which it may be gone. NULL is none and ignored. */
void account_keep(Server *server, Account *account);
void account_leave(Server *server, Account *account);

/* Counts a refusal. */
void budget_count(Server *server, BudgetKind kind);
/* May the address have content of its own loaded now? It takes the loop milliseconds, so that many
 * sockets together must not ask for it often. False: the reason is written. */
bool budget_may_load(Server *server, Account *account, MashText *reason);
/* May somebody from there take a seat at this table (NULL: at a new one)? May he begin one more
 * match? May he hold so much more content of his own? False: it is counted, and the reason is
 * written. */
bool budget_may_sit(Server *server, const Account *account, const Table *table, MashText *reason);
bool budget_may_begin(Server *server, const Account *account, MashText *reason);
bool budget_may_hold(Server *server, const Account *account, uint64_t bytes, MashText *reason);
/* Seat `seat` of the table is from now on counted for this account (NULL: for none). */
void budget_seat(Table *table, uint8_t seat, Account *account);
/* A match begins at the table; it has ended, and `little` says that it came to next to nothing;
 * so many bytes of it go to the disk. */
void budget_match(Table *table);
void budget_match_over(Table *table, bool little);
void budget_write(Table *table, uint64_t bytes);
/* A message of so many bytes has come. False: it is one too many; it was answered, or the
 * connection was closed, and nothing more is to be done with it. */
bool budget_hear(Session *session, uint32_t bytes);
/* The message that was let in costs so much more than a plain one: others of its address wait for
 * it, a second at most. */
void budget_charge(Session *session, uint32_t cost);

#endif
