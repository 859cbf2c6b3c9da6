/* resting.h -- matches over days, which rest on a disk while nobody looks at them: the same store
 * and the same rules as accounts.h.
 *
 * A match that somebody has open is in the journal, as every other is, under the number of a
 * *session*, and only that session may change its row here. While nobody has it open, its session
 * is 0, it is not in the journal, and its row has its records as bytes. Each time it is opened it
 * gets a new session, whose number was never used: what the journal still has of an older one does
 * not count any more. */
#ifndef STORE_RESTING_H
#define STORE_RESTING_H
#include "store/accounts.h"

/* Vacation: days of a year. */
enum { STORE_VACATION_DAYS = 30 };

/* A match over days. */
typedef struct StoreDays {
    uint64_t match, session;
    uint32_t generation; /* how often it was opened again */
    char game[STORE_GAME_BYTES];
    uint32_t days; /* for a turn */
    uint64_t accounts[STORE_SEATS];
    uint32_t awaited;                                         /* seats, one bit each */
    uint64_t began_ms[STORE_SEATS], deadline_ms[STORE_SEATS]; /* of the turn of each seat */
} StoreDays;

/* Writes who is awaited in a match that is open, since when. A deadline is given by the store: for
 * a turn that it does not know yet, from its beginning and the vacation of its player. A match of
 * generation 0 that is unknown becomes known. Its row is given back. STORE_CONFLICT: the match has
 * another session, or is gone. */
StoreStatus store_days_put(Store *store, StoreDays *days);
/* The match rests from now on. STORE_CONFLICT: as above. */
StoreStatus store_days_park(Store *store, uint64_t match, uint64_t session, const void *records,
                            size_t count);
/* Opens a match that rests for this new session; its records are in memory that the caller frees.
 * STORE_CONFLICT: it has another session already, which the row tells; STORE_BUSY: also if another
 * node is just opening it; STORE_UNKNOWN: there is no such match. */
StoreStatus store_days_take(Store *store, uint64_t match, uint64_t session, uint64_t now_ms,
                            StoreDays *days, void **records, size_t *count);
/* The match is over, and in the archive. */
StoreStatus store_days_drop(Store *store, uint64_t match, uint64_t session);
/* Lists matches that rest and whose next deadline has passed, the oldest first. */
StoreStatus store_days_due(Store *store, uint64_t now_ms, uint64_t *list, uint32_t max,
                           uint32_t *count);
/* Lists matches that have a session, and in records_count whether they have ever rested. A store
 * of one machine that has just been opened compares them with its journal: a session that is not
 * there was lost before it began, and store_days_free() lets the match rest again. */
StoreStatus store_days_adrift(Store *store, StoreDays *list, uint64_t *records_counts, uint32_t max,
                              uint32_t *count);
StoreStatus store_days_free(Store *store, uint64_t match, uint64_t session);
/* How many matches over days an account plays; 0: how many there are. */
StoreStatus store_days_count(Store *store, uint64_t account, uint64_t *count);

/* A match over days as one of its players sees it. */
typedef struct StoreTurn {
    uint64_t match;
    char game[STORE_GAME_BYTES];
    uint32_t days, seat;
    bool awaited;                    /* it is this player's turn */
    uint64_t deadline_ms;            /* of that turn */
    char opponent[STORE_NAME_BYTES]; /* as it is called now; "": it is deleted */
} StoreTurn;
/* Lists the matches of an account: those in which it is awaited first, by their deadlines. */
StoreStatus store_days_list(Store *store, uint64_t account, StoreTurn *list, uint32_t max,
                            uint32_t *count);

/* The vacation of an account: all its turns stand still until then. */
typedef struct StoreVacation {
    uint64_t until_ms;   /* 0: never had one */
    uint32_t year, used; /* days of that year, those that are planned included */
} StoreVacation;
StoreStatus store_vacation(Store *store, uint64_t account, StoreVacation *vacation);
/* Begins a vacation of so many days, or ends it, which gives whole days back. STORE_CONFLICT: there
 * is one already, or not enough days are left. */
StoreStatus store_vacation_begin(Store *store, uint64_t account, uint64_t now_ms, uint32_t days,
                                 uint32_t year, StoreVacation *vacation);
StoreStatus store_vacation_end(Store *store, uint64_t account, uint64_t now_ms,
                               StoreVacation *vacation);

#endif
