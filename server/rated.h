/* rated.h -- rated matches: who may begin one, who is paired with whom, and what its end does to
 * the ratings of its players. */
#ifndef SERVER_RATED_H
#define SERVER_RATED_H
#include "server/session.h"
#include "server/table.h"

/* What a match did to the ratings of its players, in points. */
struct RatedChanges {
    uint32_t weight; /* in percent */
    int32_t ratings[MASH_SEATS], changes[MASH_SEATS];
    bool provisional[MASH_SEATS];
};

/* May the session open or look for a rated match, if it wants one? `unfair`: with settings that
 * rated matches do not have. False: it was refused. */
bool rated_may_open(Session *session, bool rated, bool unfair);
/* May it join this table? False: it was refused. */
bool rated_may_join(Session *session, const Table *table);
/* A waiting quick table of this configuration, not over days, whose player this one may meet and is
 * near enough to; of several the nearest, of those the one that has waited longest. NULL: there is
 * none. */
Table *rated_find(const Session *session, const TableConfig *config);
/* Somebody waits for a quick match at the table: from now on those who wait are compared again, if
 * they accept more the longer they wait. */
void rated_wait(const Table *table);
/* The rating of a session for such a match; that of a new player if it has none, or no account. */
int32_t rated_points(const Session *session, const TableConfig *config);
/* A session takes a chair: the chair has its account and rating. */
void rated_sit(Table *table, uint8_t seat, const Session *session);
/* The match begins: it is rated only if both players have accounts. */
void rated_begin(Table *table);
/* The match is over and that is durable: counts it for the accounts that played, in a thread; then
 * it is archived. So whatever is killed when, it is counted once. False: there is nothing to count,
 * and the caller archives it. */
bool rated_count(Table *table);
/* Sends a session what the match at its table did to ratings. */
void rated_send(Session *session);
/* Ends the threads of accounts and drops what is to be counted; before the tables are closed. */
void rated_close(Server *server);

#endif
