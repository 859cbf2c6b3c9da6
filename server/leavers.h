/* leavers.h -- players who leave matches: what counts as that, and who is kept apart from others in
 * quick matches for it.
 *
 * A match is left by who was disconnected and did not come back in time, or did not answer any
 * more; whatever the other player chose then. To resign and to send `leave` keep nobody waiting and
 * are no leaving. Matches over days cannot be left. */
#ifndef SERVER_LEAVERS_H
#define SERVER_LEAVERS_H
#include "server/session.h"
#include "server/table.h"
#include "store/accounts.h"

/* The account that left the match, which is over, from this seat; 0: none. */
uint64_t leavers_account(const Table *table, uint32_t seat);
/* In a thread: how often the account has left matches lately. */
StoreStatus leavers_read(Store *store, uint64_t account, uint64_t now_ms, StoreLeft *count);
/* In a thread: notes that it has left this one. */
StoreStatus leavers_note(Store *store, uint64_t account, uint64_t match, uint64_t now_ms);
/* Is that often? */
bool leavers_often(const StoreLeft *count);
/* All sessions of the account leave matches often from now on, or do not. */
void leavers_set(Server *server, uint64_t account, bool often);
/* Do both the session and who waits at the table leave matches often, or neither? */
bool leavers_alike(const Session *session, const Table *table);

#endif
