/* tournament.h -- what a tournament is made of: players, results so far, and the pairs of a round.
 *
 * Players are numbered from 0 in an order that never changes. Results are a list that only grows,
 * in the order in which they came. Everything else (scores, pairs, standings) follows from these
 * two, so that whoever keeps them can go on after any interruption. Points are integers: a win is
 * two half points. Nothing here allocates: callers lend the memory. */
#ifndef TOURNAMENT_TOURNAMENT_H
#define TOURNAMENT_TOURNAMENT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits, and what results are worth. */
enum {
    TOURNAMENT_PLAYERS_MAX = 4096,
    TOURNAMENT_NOBODY = 0xffff, /* the opponent of a bye */
    TOURNAMENT_WIN = 2,         /* half points */
    TOURNAMENT_DRAW = 1,
    TOURNAMENT_STREAK = 2, /* wins in a row after which an arena's points count double */
};

/* A player. Seeding is by rating, the higher first, then by number. */
typedef struct TournamentPlayer {
    int32_t rating;
    bool withdrawn; /* is not paired any more; what was played counts */
} TournamentPlayer;

/* How a result came about. */
typedef enum TournamentKind {
    TOURNAMENT_PLAYED,
    TOURNAMENT_FORFEIT, /* one did not play: points count, seats and tie-breaks do not */
    TOURNAMENT_BYE,     /* no opponent; players[1] is TOURNAMENT_NOBODY */
} TournamentKind;

/* One match, or one bye. A round may have several between the same two. */
typedef struct TournamentResult {
    uint32_t round;      /* from 0; of an arena: 0 */
    uint16_t players[2]; /* the first one had the first seat */
    uint8_t points[2];   /* half points */
    uint8_t kind;        /* TournamentKind */
} TournamentResult;

/* Two players who meet, the one for the first seat first. */
typedef struct TournamentPair {
    uint16_t players[2]; /* [1] TOURNAMENT_NOBODY: a bye */
} TournamentPair;

/* All that pairing and standings look at; lent. */
typedef struct Tournament {
    const TournamentPlayer *players;
    uint32_t players_count;
    const TournamentResult *results;
    uint32_t results_count;
} Tournament;

#endif
