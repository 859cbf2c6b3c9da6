/* bans.h -- addresses and networks that may not connect or may not chat, temporarily or
 * permanently.
 *
 * A list of plain values and a file with one line for each, which people may edit: `NETWORK
 * [ban|mute [UNTIL [REASON...]]]`, where UNTIL is milliseconds since 1970, 0 for a permanent ban. A
 * line with the network alone is a permanent ban. Expired entries have no effect and are removed
 * when the file is next written. */
#ifndef SERVER_BANS_H
#define SERVER_BANS_H
#include <stdbool.h>
#include <stdint.h>

/* Limits. */
enum {
    BAN_ADDRESS_BYTES = 46, /* an address as text */
    BAN_NETWORK_BYTES = BAN_ADDRESS_BYTES + 4,
    BAN_REASON_BYTES = 100,
    BANS_MAX = 10000
};

/* What is forbidden: to connect, or to chat. */
typedef enum BanKind { BAN_ENTRY, BAN_CHAT } BanKind;

/* A network: the first `bits` of sixteen bytes; IPv4 is mapped to ::ffff:0:0/96. */
typedef struct Network {
    uint8_t bytes[16];
    uint32_t bits;
    char text[BAN_NETWORK_BYTES]; /* as it was given */
} Network;

/* One ban. */
typedef struct Ban {
    Network network;
    BanKind kind;
    uint64_t until_ms; /* wall clock; 0 = permanent */
    char reason[BAN_REASON_BYTES];
} Ban;

/* All bans of a server. Zero is an empty list. */
typedef struct BanList {
    Ban *list;
    uint32_t count, max; /* how many there are, and room for how many */
    bool cut;            /* its file has more entries than fit, and is not overwritten */
} BanList;

/* "203.0.113.7", "203.0.113.0/24", "2001:db8::/64". False: it is not a network. */
bool network_read(const char *text, Network *network);
/* Is the address in the network? */
bool network_has(const Network *network, const char *address);

/* Adds a ban, in place of one of the same kind for the same network. False: there is no room. */
bool bans_add(BanList *bans, const Ban *ban);
/* Removes the ban of that network, written as it was given. False: there was none. */
bool bans_remove(BanList *bans, BanKind kind, const char *network);
/* The ban of that kind that is in force for the address on that date; NULL: none. */
const Ban *bans_find(const BanList *bans, BanKind kind, const char *address, uint64_t date_ms);
/* Removes entries that have expired by that date. */
void bans_expire(BanList *bans, uint64_t date_ms);

/* Replaces the list by the file; without a file the list is empty. Calls `wrong` with each line
 * that is not a ban. False: the file cannot be read, and the list is unchanged. */
bool bans_load(BanList *bans, const char *path, void (*wrong)(void *owner, const char *line),
               void *owner);
/* Rewrites the file atomically. */
bool bans_save(const BanList *bans, const char *path);
/* Releases the list. */
void bans_release(BanList *bans);

#endif
