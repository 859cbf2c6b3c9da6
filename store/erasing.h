/* erasing.h -- the names of deleted accounts in the archive.
 *
 * store_account_delete() notes in its transaction where in the archive the names of the account and
 * of its programs stand: in the matches that were counted for them, and wherever store_named() has
 * noted them. From then on whoever gives out a list or a file asks store_erased() first, and leaves
 * those names out. Meanwhile store_erase() takes them out of index and file, one match after the
 * other; what was done is noted no more. So a name is out of everything that is given out as soon
 * as the account is deleted, whatever is killed, and out of the archive soon after.
 *
 * As in accounts.h: each call is durable when it returns STORE_OK, may block and be repeated. */
#ifndef STORE_ERASING_H
#define STORE_ERASING_H
#include "store/accounts.h"

/* What stands in the archive instead of the name of a deleted account. */
#define STORE_ERASED_NAME "deleted player"

/* An account that was deleted. */
typedef struct StoreGone {
    uint64_t account, at_ms;
} StoreGone;
/* Lists accounts that were deleted, the oldest first, from behind the one that is given (all 0: the
 * first). Those of more than STORE_GONE_DAYS ago may be forgotten: nothing that still runs has
 * their names. */
enum { STORE_GONE_DAYS = 400 };
StoreStatus store_gone(Store *store, const StoreGone *after, StoreGone *list, uint32_t max,
                       uint32_t *count);

/* Notes that the name of an account stands at this seat of a match (of a tournament: as this
 * player) that is not counted for it, before that is archived. STORE_UNKNOWN: the account was
 * deleted, and its name must not be archived. */
StoreStatus store_named(Store *store, uint64_t account, uint64_t match, uint32_t seat);

/* A name in the archive that must not be given out. */
typedef struct StoreErased {
    uint64_t match;
    uint32_t seat;
} StoreErased;
/* Lists them by match and seat, from behind the one that is given (NULL: the first), up to this
 * match. */
StoreStatus store_erased(Store *store, const StoreErased *after, uint64_t last, StoreErased *list,
                         uint32_t max, uint32_t *count);

/* May names be taken out of this match now? STORE_OK: it is in the archive, in this version, which
 * is to be asked for before its file is read. STORE_UNKNOWN: it never will be, and nothing of it is
 * noted any more. STORE_BUSY: not now; it may still be open. */
StoreStatus store_erasable(Store *store, uint64_t match, uint64_t *version);
/* Takes the names of these seats out of the index, and puts this file in place of the one of that
 * version. STORE_CONFLICT: the match has another version by now. One thread of a process at a
 * time. */
enum { STORE_ERASE_MAX = 64 };
StoreStatus store_erase(Store *store, uint64_t match, uint64_t version, const uint32_t *seats,
                        uint32_t seats_count, const void *bytes, size_t count);
/* That was all for now: what was taken out does not stay in the logs of a database on this machine
 * either. */
void store_erase_done(Store *store);

#endif
