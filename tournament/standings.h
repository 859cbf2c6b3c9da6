/* standings.h -- what players have reached: points, tie-breaks and places.
 *
 * A record is the sum of a player's results and can be kept up result by result; standings are
 * made from the results anew. Tie-breaks:
 * - Buchholz: the sum of the opponents' points, once for each match. A bye or a forfeit counts like
 *   an opponent who has as many points as the player.
 * - Sonneborn-Berger: the same, each multiplied by the half points that the player got.
 * - wins: matches won over the board; byes and forfeits do not count.
 * - direct encounter: points in the matches among those who are equal until then; only if each of
 *   them has played each other one.
 * - rating: the higher first. */
#ifndef TOURNAMENT_STANDINGS_H
#define TOURNAMENT_STANDINGS_H
#include "tournament/tournament.h"

/* How points are counted. */
typedef enum TournamentScoring {
    TOURNAMENT_PLAIN, /* half points as they are in the results */
    TOURNAMENT_ARENA, /* a win 2, a draw 1; after two wins in a row twice that, until the first
                         match that is not won */
} TournamentScoring;

/* The sum of a player's results. Zeroed memory with `last_opponent` TOURNAMENT_NOBODY has none. */
typedef struct TournamentRecord {
    uint32_t points;        /* half points, or points of an arena */
    uint32_t played;        /* matches without byes and forfeits */
    uint32_t wins;          /* of these */
    uint32_t byes;          /* and forfeits won: points without a match */
    uint32_t streak;        /* wins in a row */
    int32_t balance;        /* matches on the first seat minus matches on the second */
    uint64_t seats;         /* of the last 64 matches, the latest in bit 0; 1: the first seat */
    uint16_t last_opponent; /* TOURNAMENT_NOBODY: none yet, or a bye came after */
} TournamentRecord;

/* Tie-breaks, by which players with equal points are ordered. */
typedef enum TieBreak {
    TIE_BREAK_NONE, /* the end of a list */
    TIE_BREAK_BUCHHOLZ,
    TIE_BREAK_SONNEBORN_BERGER,
    TIE_BREAK_WINS,
    TIE_BREAK_DIRECT,
    TIE_BREAK_RATING,
} TieBreak;
enum { TIE_BREAKS_MAX = 6 };

/* One line of the standings. */
typedef struct TournamentRow {
    uint16_t player;
    uint16_t place;  /* from 1; the same for those whom nothing tells apart */
    uint32_t points; /* see TournamentRecord */
    uint32_t played, wins;
    uint32_t buchholz;         /* half points */
    uint32_t sonneborn_berger; /* quarter points */
    uint32_t direct;           /* half points */
} TournamentRow;

/* Sets the records of all players to none. */
void records_clear(TournamentRecord *records, uint32_t players_count);
/* Adds a result to the records of its players. */
void records_add(TournamentRecord *records, const TournamentResult *result,
                 TournamentScoring scoring);
/* The records of all results; `records` has room for all players. */
void records_make(const Tournament *tournament, TournamentScoring scoring,
                  TournamentRecord *records);

/* Bytes to lend for standings_make(). */
size_t standings_bytes(uint32_t players_count);
/* The standings, the best first, with the tie-breaks in this order (at most TIE_BREAKS_MAX, or up
 * to TIE_BREAK_NONE). Equal players stand in the order of their numbers. `rows` has room for all
 * players; `memory` is aligned as malloc() does. */
void standings_make(const Tournament *tournament, TournamentScoring scoring,
                    const TieBreak *tie_breaks, void *memory, TournamentRow *rows);

#endif
