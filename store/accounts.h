/* accounts.h -- players' accounts, their keys, ratings and finished matches, in the same store as
 * the matches (store.h).
 *
 * Every call is one transaction and durable when it returns STORE_OK. It may read from a disk or
 * ask another machine, for seconds if that is slow: call it from a thread that may block; any
 * thread may. STORE_BUSY: nobody knows whether it was done; every call may be repeated as it is.
 * Of secrets the store knows hashes only. Ratings are whole numbers, so that all machines agree. */
#ifndef STORE_ACCOUNTS_H
#define STORE_ACCOUNTS_H
#include "store/store.h"

/* Limits. */
enum {
    STORE_HASH_BYTES = 32,     /* of a key's hash */
    STORE_PASSWORD_BYTES = 64, /* of a password's salt and hash */
    STORE_KEYS_MAX = 100,      /* of one account */
    STORE_RATINGS_MAX = 64,    /* of one account: games times paces */
    STORE_SEATS = 2,           /* of a match that is counted */
    STORE_GONE_MAX = 16,       /* accounts that are deleted at once: one and its programs */
    STORE_OPENING_BYTES = 200  /* of how a seat began, with its NUL */
};

/* An account. */
typedef struct StoreAccount {
    uint64_t id;                   /* above 0, below 2^63 */
    char name[STORE_NAME_BYTES];   /* as it is shown */
    char folded[STORE_NAME_BYTES]; /* as it is looked up: unique */
    bool program;
    bool is_private; /* others see neither profile nor matches, and no list has it */
    uint64_t made_ms, renamed_ms;
    uint8_t password[STORE_PASSWORD_BYTES];
    uint32_t password_bytes; /* 0: it has none */
} StoreAccount;

/* What a key is for. */
typedef enum StoreKeyKind {
    STORE_KEY_DEVICE, /* a device logs in with it */
    STORE_KEY_CODE,   /* lets one device more in, once, until it expires */
    STORE_KEY_WORDS   /* lets any device in */
} StoreKeyKind;

/* A key of an account. */
typedef struct StoreKey {
    uint8_t hash[STORE_HASH_BYTES];
    StoreKeyKind kind;
    uint64_t made_ms, expires_ms; /* 0: it does not expire */
} StoreKey;

/* How an account plays one game at one pace. */
typedef struct StoreRating {
    uint64_t account;
    char game[STORE_GAME_BYTES];
    uint32_t pace;
    int64_t rating, deviation; /* in millionths of a point */
    int64_t volatility;        /* in millionths of a millionth */
    uint64_t certain_ms;       /* until then it is certain enough for a leaderboard */
    uint64_t rated_ms;         /* its last rated match */
    uint32_t rated;            /* rated matches */
    uint32_t matches;          /* all of them; the version of this row */
    uint32_t wins, draws, losses;
    int32_t streak;              /* matches won in a row, or below 0 lost */
    uint32_t best;               /* the longest streak of wins */
    char name[STORE_NAME_BYTES]; /* of the account; in leaderboards only */
} StoreRating;

/* Makes an account with its first key. STORE_TAKEN: another has its name, or the key. */
StoreStatus store_account_make(Store *store, const StoreAccount *account,
                               const uint8_t key[STORE_HASH_BYTES]);
/* Finds an account by its id, by its folded name, or by a key that is valid now, whose kind is in
 * *kind. STORE_UNKNOWN: there is none. */
StoreStatus store_account_find(Store *store, uint64_t id, StoreAccount *account);
StoreStatus store_account_named(Store *store, const char *folded, StoreAccount *account);
StoreStatus store_account_of_key(Store *store, const uint8_t key[STORE_HASH_BYTES], uint64_t now_ms,
                                 StoreAccount *account, StoreKeyKind *kind);
/* Changes all but id, kind and age of an account from what it was to what it is to be.
 * STORE_CONFLICT: it is not what it was any more; read it again. STORE_TAKEN: another has the name;
 * STORE_UNKNOWN: it is deleted. */
StoreStatus store_account_change(Store *store, const StoreAccount *was,
                                 const StoreAccount *account);
/* Deletes an account and its programs with their keys, ratings and matches; those of their
 * opponents stay, and names in the archive are taken out: erasing.h. Lists who is gone, also by an
 * earlier call: the account and its programs. */
StoreStatus store_account_delete(Store *store, uint64_t id, uint64_t now_ms,
                                 uint64_t gone[STORE_GONE_MAX], uint32_t *count);

/* Adds a key; of codes and words an account has one each, the last. STORE_FULL: it has too many,
 * STORE_TAKEN: the key is another account's. */
StoreStatus store_key_add(Store *store, uint64_t account, const StoreKey *key);
/* Adds the key of a device to the account that a code or words belong to; a code is used up by
 * it. STORE_UNKNOWN: they are not valid now. */
StoreStatus store_key_exchange(Store *store, const uint8_t code[STORE_HASH_BYTES],
                               const uint8_t device[STORE_HASH_BYTES], uint64_t now_ms);
/* Lists the keys of an account. */
StoreStatus store_key_list(Store *store, uint64_t account, StoreKey keys[STORE_KEYS_MAX],
                           uint32_t *count);
/* Drops a key of the account; or, with `others`, every device and code but this one. */
StoreStatus store_key_drop(Store *store, uint64_t account, const uint8_t key[STORE_HASH_BYTES],
                           bool others);

/* Lists all ratings of an account. */
StoreStatus store_ratings(Store *store, uint64_t account, StoreRating list[STORE_RATINGS_MAX],
                          uint32_t *count);
/* How many rated matches of a game two accounts have ended since then. */
StoreStatus store_met(Store *store, uint64_t account, uint64_t other, const char *game,
                      uint64_t since_ms, uint32_t *count);
/* The best of a game and a pace that are certain at this time, programs or people. */
StoreStatus store_leaders(Store *store, const char *game, uint32_t pace, bool program,
                          uint64_t now_ms, StoreRating *list, uint32_t max, uint32_t *count);

/* What a match did to one of its seats. */
typedef struct StoreSeat {
    uint64_t account; /* 0: a guest or an AI player of the server */
    bool program;
    char name[STORE_NAME_BYTES];           /* of one without an account */
    uint32_t result;                       /* 0 lost, 1 drawn, 2 won */
    int64_t rating, deviation, volatility; /* after it, as in StoreRating */
    uint64_t certain_ms;
    int64_t change;                    /* of the rating */
    uint32_t expected;                 /* StoreRating.matches before it */
    bool gone;                         /* counted: the account was deleted before that */
    char opening[STORE_OPENING_BYTES]; /* how it began; "": not known */
} StoreSeat;

/* A match that is over. */
typedef struct StoreCount {
    uint64_t match, ended_ms;
    char game[STORE_GAME_BYTES];
    uint32_t pace;
    bool rated;
    uint32_t weight; /* of a rated match, in percent */
    StoreSeat seats[STORE_SEATS];
} StoreCount;
/* Counts a match for the accounts that played it, once: counting it again changes nothing, and
 * gives the ratings and changes of the first time. STORE_CONFLICT: a rating is not the expected one
 * any more; read it again. */
StoreStatus store_count(Store *store, StoreCount *count);

/* A match in the history of an account. */
typedef struct StorePlayed {
    uint64_t match, ended_ms;
    char game[STORE_GAME_BYTES];
    uint32_t pace, seat, result;
    bool rated;
    uint32_t weight;
    int64_t rating, change;          /* after it; by it */
    char opponent[STORE_NAME_BYTES]; /* as it is called now; "": it is deleted */
    bool opponent_has_account;       /* and still exists */
    char opening[STORE_OPENING_BYTES];
} StorePlayed;
/* Which matches: of an account, of a game (NULL: any) and a pace (-1: any), rated ones or all, from
 * behind the last one seen (0, 0: the newest). */
typedef struct StorePlayedFilter {
    uint64_t account;
    const char *game;
    int32_t pace;
    bool rated;
    uint64_t after_ms, after;
} StorePlayedFilter;
/* Lists them, newest first. */
StoreStatus store_played(Store *store, const StorePlayedFilter *filter, StorePlayed *list,
                         uint32_t max, uint32_t *count);

/* What became of the matches of an account that it began alike. */
typedef struct StoreOpening {
    char opening[STORE_OPENING_BYTES];
    uint32_t wins, draws, losses;
} StoreOpening;
/* Lists the openings in the last 1000 matches of a game whose openings are known, the most frequent
 * first. */
StoreStatus store_openings(Store *store, uint64_t account, const char *game, StoreOpening *list,
                           uint32_t max, uint32_t *count);

/* Notes that an account left a match, and forgets those that it left before `forget_ms`. Noting one
 * again changes nothing. */
StoreStatus store_left(Store *store, uint64_t account, uint64_t match, uint64_t left_ms,
                       uint64_t forget_ms);
/* How many matches an account has left since then, and how many it has ended, up to 1000. */
typedef struct StoreLeft {
    uint32_t left, played;
} StoreLeft;
StoreStatus store_left_count(Store *store, uint64_t account, uint64_t since_ms, StoreLeft *count);

/* How many accounts there are; for operators. */
StoreStatus store_accounts_count(Store *store, uint64_t *count);

#endif
