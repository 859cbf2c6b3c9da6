/* usage.h -- what an address uses at all nodes of a shared store together: its tables, and its
 * daily quotas of matches and bytes.
 *
 * Every node reports to the others, at most once a second and in a small document, the addresses
 * that use at least an eighth of a limit there. A reported use counts at the others like their own.
 * So with n nodes an address may have at most (n - 1) / 8 more than it may have at one, and what it
 * does within a second. A quota is restored as fast as by one node alone: each node restores its
 * share of what is used. Without a shared store nothing here does anything. */
#ifndef SERVER_USAGE_H
#define SERVER_USAGE_H
#include "server/budget.h"

/* What an address uses at another node, as last reported. */
typedef struct OtherUsage {
    uint64_t key; /* a hash of the address */
    uint32_t node, tables;
    uint64_t matches_us, bytes_us; /* of a day's quota; see Quota */
    uint64_t said_ms;              /* when the node said so */
} OtherUsage;

/* The server's part of it. */
typedef struct Usage {
    Account *first;  /* addresses that use much here */
    NetTimer *timer; /* NULL: it was not needed yet */
    bool timed;
    uint64_t ticked_ms, told_ms;
    char *told; /* the document as it was last written; NULL: none was */
    OtherUsage *others;
    uint32_t others_count;
    uint64_t refusals; /* only because of other nodes */
} Usage;

/* The address uses more than before. */
void usage_note(Server *server, Account *account);
/* Documents of other nodes have changed. */
void usage_take_shared(Server *server);
/* What all other nodes together say of an address. */
typedef struct UsedElsewhere {
    uint64_t tables, matches_us, bytes_us;
} UsedElsewhere;
UsedElsewhere usage_elsewhere(Server *server, const Account *account);
/* Counts a refusal; `elsewhere`: it is only because of other nodes. */
void usage_count(Server *server, bool elsewhere);
/* Frees all. */
void usage_close(Server *server);

#endif
