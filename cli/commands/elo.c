/* elo.c -- see elo.h. */
#include "cli/commands/elo.h"

#include <math.h>

static const double ln_ten = 2.30258509299404568402;

/* The Elo difference for a score from 0 to 1, at most ELO_MOST either way. */
static double elo_of(double score) {
    double elo = 400 * log10(score / (1 - score)); /* infinite for 0 and 1 */
    return elo > ELO_MOST ? ELO_MOST : elo < -ELO_MOST ? -ELO_MOST : elo;
}

/* The expected score for this many Elo points more. */
static double score_of(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

void pairs_add(MatchPairs *pairs, uint32_t first, uint32_t second) {
    const uint32_t halves[2] = {first, second};
    pairs->counts[first + second]++;
    for (int i = 0; i < 2; i++) {
        pairs->won += halves[i] == 2;
        pairs->drawn += halves[i] == 1;
        pairs->lost += halves[i] == 0;
    }
}

uint32_t pairs_count(const MatchPairs *pairs) {
    uint32_t count = 0;
    for (int i = 0; i < 5; i++)
        count += pairs->counts[i];
    return count;
}

/* Mean and variance of a pair's score. */
static void moments(const MatchPairs *pairs, double *mean, double *variance) {
    double count = pairs_count(pairs), sum = 0, squares = 0;
    for (int i = 1; i < 5; i++) {
        sum += pairs->counts[i] * (i / 4.0);
        squares += pairs->counts[i] * (i / 4.0) * (i / 4.0);
    }
    *mean = count > 0 ? sum / count : 0.5;
    *variance = count > 1 ? (squares - count * *mean * *mean) / (count - 1) : 0.25;
}

Estimate pairs_score(const MatchPairs *pairs) {
    double mean, variance, half;
    uint32_t count = pairs_count(pairs);
    moments(pairs, &mean, &variance);
    /* Results that are all equal still leave uncertainty: one more pair might have been
     * different. */
    if (variance * count < 0.25)
        variance = 0.25 / (count + 1.0);
    half = 1.96 * sqrt(variance / count); /* infinite without pairs */
    return (Estimate){mean, mean - half < 0 ? 0 : mean - half, mean + half > 1 ? 1 : mean + half};
}

Estimate pairs_elo(const MatchPairs *pairs) {
    Estimate score = pairs_score(pairs);
    return (Estimate){elo_of(score.is), elo_of(score.low), elo_of(score.high)};
}

/* Assumes that the mean is normally distributed, which holds for many pairs. */
double match_pairs_llr(const MatchPairs *pairs, double low, double high) {
    double mean, variance, a = score_of(low), b = score_of(high);
    uint32_t count = pairs_count(pairs);
    moments(pairs, &mean, &variance);
    if (count < 2 || variance * count < 0.25)
        variance = 0.25 / (count + 1.0);
    return count * (b - a) * (2 * mean - a - b) / (2 * variance);
}

/* --- Round robin ------------------------------------------------------------------------------ */

/* Points plus half a point for both, so that a player who won everything is not infinitely strong;
 * drawing against oneself changes nothing. */
static double points_of(const ScoreTable *points, uint32_t a, uint32_t b) {
    return points->points[a][b] + 0.5;
}

/* Iteratively moves strengths to where they explain the scores better (Zermelo's algorithm). */
static void fit(const ScoreTable *points, double *strengths) {
    for (int round = 0; round < 2000; round++) {
        double next[RATED_MAX], product = 0;
        for (uint32_t a = 0; a < points->count; a++) {
            double won = 0, expected = 0;
            for (uint32_t b = 0; b < points->count; b++) {
                double matches = points_of(points, a, b) + points_of(points, b, a);
                won += points_of(points, a, b);
                expected += matches / (strengths[a] + strengths[b]);
            }
            next[a] = won / expected;
            product += log(next[a]);
        }
        double mean = exp(product / points->count);
        for (uint32_t a = 0; a < points->count; a++)
            strengths[a] = next[a] / mean;
    }
}

void bradley_terry_ratings(const ScoreTable *points, Estimate out[RATED_MAX]) {
    double strengths[RATED_MAX];
    for (uint32_t a = 0; a < points->count; a++)
        strengths[a] = 1;
    fit(points, strengths);
    for (uint32_t a = 0; a < points->count; a++) {
        double known = 0;
        for (uint32_t b = 0; b < points->count; b++) {
            double sum = strengths[a] + strengths[b];
            double matches = points_of(points, a, b) + points_of(points, b, a);
            if (a != b)
                known += matches * strengths[a] * strengths[b] / (sum * sum);
        }
        double is = 400 * log10(strengths[a]);
        double half = 1.96 * 400 / ln_ten / sqrt(known);
        out[a] = (Estimate){is, is - half, is + half};
    }
}

/* What the pairs of a player say about its rating. */
typedef struct PairSpread {
    double count, sum, squares; /* of differences between scores and expectations */
    double slope;               /* sum of how fast the expectations rise with the rating */
} PairSpread;

/* Adds a pair to the spread of one of its players. */
static void add_spread(PairSpread *spread, double score, double expected) {
    double difference = score - expected;
    spread->count += 1;
    spread->sum += difference;
    spread->squares += difference * difference;
    spread->slope += expected * (1 - expected) * ln_ten / 400;
}

/* The half width of an interval: that of the mean difference, as Elo points. */
static double half_of(const PairSpread *spread) {
    double mean = spread->sum / spread->count;
    double variance = spread->squares / spread->count - mean * mean;
    if (variance * spread->count < 0.25)
        variance = 0.25 / (spread->count + 1);
    double half = 1.96 * sqrt(variance / spread->count) / (spread->slope / spread->count);
    return half > ELO_MOST ? ELO_MOST : half;
}

void bradley_terry_from_pairs(const RatedPair *pairs, uint32_t pairs_count, uint32_t players,
                              Estimate out[RATED_MAX]) {
    ScoreTable table = {.count = players};
    PairSpread spreads[RATED_MAX] = {{0}};
    for (uint32_t i = 0; i < pairs_count; i++) {
        const RatedPair *pair = &pairs[i];
        table.points[pair->players[0]][pair->players[1]] += pair->halves / 2.0;
        table.points[pair->players[1]][pair->players[0]] += 2 - pair->halves / 2.0;
    }
    bradley_terry_ratings(&table, out);
    for (uint32_t i = 0; i < pairs_count; i++) {
        uint32_t a = pairs[i].players[0], b = pairs[i].players[1];
        double expected = score_of(out[a].is - out[b].is), score = pairs[i].halves / 4.0;
        add_spread(&spreads[a], score, expected);
        add_spread(&spreads[b], 1 - score, 1 - expected);
    }
    for (uint32_t a = 0; a < players; a++) {
        double half = spreads[a].count > 0 ? half_of(&spreads[a]) : ELO_MOST;
        out[a].low = out[a].is - half;
        out[a].high = out[a].is + half;
    }
}
