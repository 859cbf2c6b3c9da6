/* elo.h -- estimates playing strength from results of pairs of matches.
 *
 * A pair is the same match played twice with seats swapped. The pair, not the match, is the unit of
 * the statistics: its two results are correlated, because randomness and set-up are the same. */
#ifndef CLI_COMMANDS_ELO_H
#define CLI_COMMANDS_ELO_H
#include <stdint.h>

/* Pairs by what the first player got out of them, in half points: 0, 1/2, 1, 1 1/2, 2. */
typedef struct MatchPairs {
    uint32_t counts[5];
    uint32_t won, drawn, lost; /* single matches */
} MatchPairs;

/* A number and its 95 % confidence interval. */
typedef struct Estimate {
    double is, low, high;
} Estimate;

/* Adds one pair, by the half points of its two matches (0, 1 or 2 each). */
void pairs_add(MatchPairs *pairs, uint32_t first, uint32_t second);
/* The number of pairs. */
uint32_t pairs_count(const MatchPairs *pairs);
/* The first player's score, from 0 to 1. */
Estimate pairs_score(const MatchPairs *pairs);
/* The same as an Elo difference; limited to +-ELO_MOST. */
Estimate pairs_elo(const MatchPairs *pairs);
enum { ELO_MOST = 1200 };
/* Log-likelihood ratio of the results: a difference of `high` Elo points against one of `low`.
 * Beyond +-PAIRS_SURE the test is decided (5 % error each way). */
double match_pairs_llr(const MatchPairs *pairs, double low, double high);
#define PAIRS_SURE 2.94

/* Points of players against each other: [a][b] are a's; [a][b] + [b][a] is the number of
 * matches. */
enum { RATED_MAX = 64 };
typedef struct ScoreTable {
    uint32_t count; /* of players */
    double points[RATED_MAX][RATED_MAX];
} ScoreTable;

/* Elo points of each player from all results (Bradley-Terry model), with mean 0. The interval of a
 * player assumes that the others' strengths are exact. */
void bradley_terry_ratings(const ScoreTable *points, Estimate out[RATED_MAX]);

/* A pair of matches of two players: the half points of the first one, 0 to 4. */
typedef struct RatedPair {
    uint32_t players[2];
    uint32_t halves;
} RatedPair;

/* The same with intervals from pairs: how far each pair's score is from what the ratings expect
 * says how sure the mean is. A player without pairs has the widest interval. */
void bradley_terry_from_pairs(const RatedPair *pairs, uint32_t pairs_count, uint32_t players,
                              Estimate out[RATED_MAX]);

#endif
