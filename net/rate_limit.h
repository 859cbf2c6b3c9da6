/* rate_limit.h -- rate limits: token buckets, and a table of the addresses that use them. */
#ifndef NET_RATE_LIMIT_H
#define NET_RATE_LIMIT_H
#include "net/net.h"

/* A token bucket in one number: the time at which it will be full again. All zero = full. */
typedef struct TokenBucket {
    uint64_t full_ns;
} TokenBucket;

/* Takes `cost` tokens; false = there are not enough, and none were taken. */
bool token_bucket_take(TokenBucket *bucket, NetRate rate, uint64_t now_ms, uint32_t cost);

/* One address, as long as it has sockets or its buckets are not full. */
typedef struct Address {
    uint64_t key; /* 0 = free */
    uint64_t last_used_ms;
    uint32_t sockets;
    uint64_t queued; /* bytes queued for its sockets */
    TokenBucket connections, requests, handshakes;
} Address;

/* All addresses: a table of fixed size, so that strangers cannot make it grow. */
typedef struct AddressTable {
    Address *places;
    uint32_t sets; /* a power of two; each has ADDRESS_WAYS entries */
    uint64_t secret[2];
} AddressTable;

/* How many entries a set has for its addresses. */
enum { ADDRESS_WAYS = 8 };

/* A table with at least two entries for each socket. False = no memory. */
bool address_table_init(AddressTable *book, uint32_t sockets_max, const uint64_t secret[2]);
void address_book_release(AddressTable *book);
/* The entry of a key; if it is new, it may replace the one idle longest. NULL = all entries of its
 * set are used by addresses with sockets. Valid while it has sockets or until the next find. */
Address *address_find(AddressTable *book, uint64_t key, uint64_t now_ms);

/* The key of an address in text: IPv4 whole, IPv6 its /64 network. 0 = not an address. */
uint64_t address_key(const char *text);

#endif
