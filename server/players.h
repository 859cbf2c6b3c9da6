/* players.h -- players with accounts: sessions that are logged in, and their requests about the
 * account. An account is a secret that a device has made; see docs/players.md.
 *
 * The store is asked by threads of their own, which also reckon passwords and ratings; a session
 * has one such request at a time. */
#ifndef SERVER_PLAYERS_H
#define SERVER_PLAYERS_H
#include "net/rate_limit.h"
#include "proto/message.h"
#include "rating/glicko.h"
#include "server/neighbours.h"
#include "store/accounts.h"

typedef struct Server Server;
typedef struct Session Session;
typedef struct PlayerJob PlayerJob;
typedef struct CountJob CountJob;

/* A rating of somebody who is logged in, as others see it. */
typedef struct PlayerRating {
    char game[STORE_GAME_BYTES];
    uint32_t pace;
    int32_t rating; /* in points */
    bool provisional;
} PlayerRating;

/* The account of a session. */
typedef struct PlayerAccount {
    uint64_t id;
    bool program;
    uint8_t key[STORE_HASH_BYTES]; /* by which it logged in */
    uint32_t days;                 /* matches over days that it played then */
    bool leaves;                   /* matches, often: leavers.h */
    uint64_t *blocked;             /* accounts that it blocks */
    uint32_t blocked_count;
    uint32_t ratings_count;
    PlayerRating ratings[]; /* of games and paces that were rated */
} PlayerAccount;

/* The threads, their jobs, and the rate limits of passwords by name. */
enum { PLAYERS_BUCKETS = 1024 };
typedef struct Players {
    NetThreadPool *thread_pool;
    PlayerJob *jobs;
    CountJob *counts;  /* see rated.h */
    NetTimer *pairing; /* pairs players who wait for a rated match; NULL: nobody has waited yet */
    TokenBucket passwords[PLAYERS_BUCKETS];
    uint64_t logins, made, deleted, counted; /* since the server was opened */
} Players;

/* False: no memory. */
bool player_jobs_open(Server *server);
/* Drops all requests; behind rated_close(). */
void player_jobs_close(Server *server);
/* Handles a request about accounts, which is answered later. */
void players_request(Session *session, const Message *request);
/* Is it one? */
bool players_handle(MessageKind kind);
/* Another node has told this; see neighbours.h. */
void players_heard(Server *server, NeighbourNews news, uint64_t account, uint64_t mark);
/* The session is gone. */
void players_forget(Session *session);
/* The rating of a session in a game at a pace. False: it has none, or no account. */
bool player_rating(const Session *session, const char *game, uint32_t pace, PlayerRating *rating);
/* Does the account of the session block this one? */
bool player_blocks(const Session *session, uint64_t other);
/* Sets whom the account of the session blocks; the list is taken over. */
void player_set_blocked(Session *session, uint64_t *list, uint32_t count);
/* The same has changed. */
void player_set_rating(Session *session, const PlayerRating *rating);
/* A rating as others see it at this time. */
PlayerRating player_rating_of(const StoreRating *rating, uint64_t now_ms);

#endif
