/* rate_limit.h -- how fast is too fast: token buckets, and a book of the addresses that use them.
 */
#ifndef NET_RATE_LIMIT_H
#define NET_RATE_LIMIT_H
#include "net/net.h"

/* A token bucket in one number: the moment at which it will be full again. All zero = full. */
typedef struct TokenBucket {
    uint64_t full_ns;
} TokenBucket;

/* Takes `cost` tokens; false = there are not as many, and none were taken. */
bool token_bucket_take(TokenBucket *bucket, NetRate rate, uint64_t now_ms, uint32_t cost);

/* One address, as long as it has sockets or its buckets are not full. */
typedef struct Address {
    uint64_t key; /* 0 = free */
    uint64_t last_used_ms;
    uint32_t sockets;
    uint64_t queued; /* bytes that wait for its sockets */
    TokenBucket connections, requests, handshakes;
} Address;

/* All addresses: a table of fixed size, so that strangers cannot make it grow. */
typedef struct AddressTable {
    Address *places;
    uint32_t sets; /* a power of two; each of ADDRESS_WAYS places */
    uint64_t secret[2];
} AddressTable;

/* How many places an address may stand at. */
enum { ADDRESS_WAYS = 8 };

/* A book with at least two places for each socket. False = no memory. */
bool address_table_init(AddressTable *book, uint32_t sockets_max, const uint64_t secret[2]);
void address_book_release(AddressTable *book);
/* The entry of a key, made new if need be at the cost of the one that was idle longest. NULL = all
 * its places are taken by addresses with sockets. Valid while it has sockets or until the next
 * find. */
Address *address_find(AddressTable *book, uint64_t key, uint64_t now_ms);

/* The key of an address in text: IPv4 whole, IPv6 its /64 network. 0 = this is no address. */
uint64_t address_key(const char *text);

#endif
