/* relations.h -- where players are told of their turns, whom they know and block, challenges,
 * reports about matches, and the owners of programs: the same store and the same rules as
 * accounts.h. */
#ifndef STORE_RELATIONS_H
#define STORE_RELATIONS_H
#include "store/accounts.h"

/* Limits. */
enum {
    STORE_TARGET_BYTES = 1024,
    STORE_PUSH_KEY_BYTES = 81, /* a point and a secret: RFC 8291 */
    STORE_TARGETS_MAX = 8,
    STORE_RELATIONS_MAX = 200,
    STORE_CHALLENGES_MAX = 100,
    STORE_REPORTS_MAX = 200,
    STORE_NOTE_BYTES = 304,
    STORE_BOTS_MAX = 8
};

/* How a player is told. */
typedef enum StoreTargetKind { STORE_TARGET_WEBHOOK, STORE_TARGET_PUSH } StoreTargetKind;

/* Where a player is told of turns. */
typedef struct StoreTarget {
    StoreTargetKind kind;
    char url[STORE_TARGET_BYTES];
    uint8_t keys[STORE_PUSH_KEY_BYTES];
    uint32_t keys_count;
} StoreTarget;
/* Sets it: an account has one webhook and five devices that are pushed to. STORE_FULL: more. */
StoreStatus store_target_set(Store *store, uint64_t account, const StoreTarget *target,
                             uint64_t now_ms);
/* Drops it, or all of its kind if its URL is "". */
StoreStatus store_target_drop(Store *store, uint64_t account, StoreTargetKind kind,
                              const char *url);
StoreStatus store_target_list(Store *store, uint64_t account, StoreTarget list[STORE_TARGETS_MAX],
                              uint32_t *count);
/* Is the seat awaited in a match over days, and was nobody told of that turn yet? From now on
 * somebody was. */
typedef enum StoreClaim {
    STORE_CLAIM_OVER, /* it is not awaited */
    STORE_CLAIM_MADE, /* nobody was told yet */
    STORE_CLAIM_THERE /* somebody was told */
} StoreClaim;
StoreStatus store_turn_claim(Store *store, uint64_t match, uint32_t seat, StoreClaim *claim);

/* What somebody is to a player; the last is a program of theirs, which store_bot_list() tells. */
typedef enum StoreRelationKind { STORE_FOLLOWS, STORE_BLOCKS, STORE_OWNS } StoreRelationKind;
typedef struct StoreRelation {
    StoreRelationKind kind;
    uint64_t other;
    char name[STORE_NAME_BYTES];
} StoreRelation;
/* STORE_FULL: an account knows 200 at most. */
StoreStatus store_relation_set(Store *store, uint64_t account, uint64_t other,
                               StoreRelationKind kind, bool on, uint64_t now_ms);
StoreStatus store_relation_list(Store *store, uint64_t account,
                                StoreRelation list[STORE_RELATIONS_MAX], uint32_t *count);
/* Does one of them block the other? */
StoreStatus store_is_blocked(Store *store, uint64_t account, uint64_t other, bool *blocked);

/* A table that waits for one player. */
typedef struct StoreChallenge {
    uint64_t match, account, other; /* who waits for whom */
    char game[STORE_GAME_BYTES];
    uint32_t days;
    bool rated, incoming;
    char name[STORE_NAME_BYTES]; /* of the other one, in lists */
} StoreChallenge;
/* STORE_FULL: there are too many of the one or for the other. */
StoreStatus store_challenge_put(Store *store, const StoreChallenge *challenge, uint64_t now_ms);
StoreStatus store_challenge_drop(Store *store, uint64_t match);
/* Those of and for an account, from a time on, newest first. */
StoreStatus store_challenge_list(Store *store, uint64_t account, uint64_t since_ms,
                                 StoreChallenge list[STORE_CHALLENGES_MAX], uint32_t *count);

/* A report about a match. */
typedef struct StoreReport {
    uint64_t id, match, account, made_ms;
    char name[STORE_NAME_BYTES]; /* who reports; "": a guest, or deleted */
    char reason[STORE_NOTE_BYTES], note[STORE_NOTE_BYTES];
} StoreReport;
/* STORE_FULL: too many are open. */
StoreStatus store_report_make(Store *store, const StoreReport *report);
/* Open or closed ones, newest first. */
StoreStatus store_report_list(Store *store, bool closed, StoreReport list[STORE_REPORTS_MAX],
                              uint32_t *count);
/* Those that an account has made, newest first, without the name. */
StoreStatus store_report_of(Store *store, uint64_t account, StoreReport list[STORE_REPORTS_MAX],
                            uint32_t *count);
/* Closes one with what was done. STORE_UNKNOWN: there is none. */
StoreStatus store_report_close(Store *store, uint64_t id, const char *note, uint64_t now_ms);

/* Makes an account of a program with an owner. STORE_TAKEN: the name is taken, or the owner has as
 * many as one may have. */
StoreStatus store_bot_make(Store *store, const StoreAccount *bot, uint64_t owner,
                           const uint8_t key[STORE_HASH_BYTES]);
StoreStatus store_bot_list(Store *store, uint64_t owner, StoreRelation list[STORE_BOTS_MAX],
                           uint32_t *count);

#endif
