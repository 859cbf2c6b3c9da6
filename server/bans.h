/* bans.h -- addresses and networks that are kept out or may not chat, for a time or for good.
 *
 * A list of plain values and a file of one line for each, which people may edit:
 * `NETWORK [ban|mute [UNTIL [REASON...]]]`, where UNTIL is milliseconds since 1970, 0 for good. A
 * line with the network alone is a ban for good. What has expired is as good as gone, and leaves
 * the file when it is next written. */
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

/* What is forbidden: to come at all, or to chat. */
typedef enum BanKind { BAN_ENTRY, BAN_CHAT } BanKind;

/* A network: the first `bits` of sixteen bytes; IPv4 stands behind ::ffff. */
typedef struct Network {
    uint8_t bytes[16];
    uint32_t bits;
    char text[BAN_NETWORK_BYTES]; /* as it was given */
} Network;

/* One ban. */
typedef struct Ban {
    Network network;
    BanKind kind;
    uint64_t until_ms; /* by the calendar; 0 = for good */
    char reason[BAN_REASON_BYTES];
} Ban;

/* All bans of a server. Zero is an empty list. */
typedef struct BanList {
    Ban *list;
    uint32_t count;
    bool cut; /* its file has more than fit, and is not written over */
} BanList;

/* "203.0.113.7", "203.0.113.0/24", "2001:db8::/64". False: it is none of these. */
bool network_read(const char *text, Network *network);
/* Is the address in the network? */
bool network_has(const Network *network, const char *address);

/* Adds a ban, in place of one of the same kind for the same network. False: there is no room. */
bool bans_add(BanList *bans, const Ban *ban);
/* Takes the ban of that network, as it was given, back. False: there was none. */
bool bans_remove(BanList *bans, BanKind kind, const char *network);
/* The ban of that kind that is in force for the address on that date; NULL: none. */
const Ban *bans_find(const BanList *bans, BanKind kind, const char *address, uint64_t date_ms);
/* Forgets what has expired by that date. */
void bans_expire(BanList *bans, uint64_t date_ms);

/* Reads the file in place of what the list holds; without a file the list is empty. Calls `wrong`
 * with each line that is no ban. False: it cannot be read, and the list stays as it is. */
bool bans_load(BanList *bans, const char *path, void (*wrong)(void *owner, const char *line),
               void *owner);
/* Writes the file anew, whole or not at all. */
bool bans_save(const BanList *bans, const char *path);
/* Forgets all of it. */
void bans_release(BanList *bans);

#endif
