/* elo.h -- what results of pairs of matches say about strength.
 *
 * A pair is the same match played twice with seats changed. The pair, not the match, is what is
 * counted: its two results hang together, because luck and set-up are the same. */
#ifndef CLI_COMMANDS_ELO_H
#define CLI_COMMANDS_ELO_H
#include <stdint.h>

/* Pairs by what the first player got out of them, in half points: 0, 1/2, 1, 1 1/2, 2. */
typedef struct MatchPairs {
    uint32_t counts[5];
    uint32_t won, drawn, lost; /* single matches */
} MatchPairs;

/* A number and where it lies with 95 % certainty. */
typedef struct Estimate {
    double is, low, high;
} Estimate;

/* Takes up one pair, by the half points of its two matches (0, 1 or 2 each). */
void pairs_add(MatchPairs *pairs, uint32_t first, uint32_t second);
/* How many there are. */
uint32_t pairs_count(const MatchPairs *pairs);
/* The first player's score, from 0 to 1. */
Estimate pairs_score(const MatchPairs *pairs);
/* The same as a difference of Elo points; beyond +-ELO_MOST nothing is known. */
Estimate pairs_elo(const MatchPairs *pairs);
enum { ELO_MOST = 1200 };
/* How much likelier the results are with a difference of `high` Elo points than with one of `low`:
 * the logarithm of the ratio. Beyond +-PAIRS_SURE the matter is settled (5 % error each way). */
double match_pairs_llr(const MatchPairs *pairs, double low, double high);
#define PAIRS_SURE 2.94

/* Points that players got against each other: [a][b] are a's, and what both got together is how
 * many matches they played. */
enum { RATED_MAX = 16 };
typedef struct ScoreTable {
    uint32_t count; /* of players */
    double points[RATED_MAX][RATED_MAX];
} ScoreTable;

/* What all results together say: Elo points of each player, whose mean is 0, so that they fit the
 * scores best (Bradley and Terry). The range holds for this player with the others as they are. */
void bradley_terry_ratings(const ScoreTable *points, Estimate out[RATED_MAX]);

#endif
