/* glicko.h -- ratings after Mark Glickman's Glicko-2 (glicko.net/glicko/glicko2.pdf), updated after
 * each match with fractions of a rating period; what is published about them is in docs/players.md.
 *
 * A rating is three whole numbers, and nothing here calls the mathematical library: the same
 * matches give the same numbers with every compiler, on every machine. */
#ifndef RATING_GLICKO_H
#define RATING_GLICKO_H
#include <stdbool.h>
#include <stdint.h>

/* Units. */
#define GLICKO_POINT      INT64_C(1000000)       /* of ratings and deviations */
#define GLICKO_VOLATILITY INT64_C(1000000000000) /* of volatilities */

/* Bounds and marks, in points. */
enum {
    GLICKO_START = 1500,
    GLICKO_LEAST = 400,
    GLICKO_MOST = 4000,
    GLICKO_DEVIATION_START = 350, /* and the most */
    GLICKO_DEVIATION_LEAST = 45,
    GLICKO_PROVISIONAL = 110, /* above it a rating is shown with a question mark */
    GLICKO_CERTAIN = 75,      /* below it a rating may be in a leaderboard */
    GLICKO_CHANGE_MOST = 350  /* of a rating by one match */
};
/* Rating periods of a day: one who does not play goes from a deviation of 60 to 110 in a year. */
#define GLICKO_PERIODS_PER_DAY 0.2144

/* How good a player is, and how sure that is. */
typedef struct GlickoRating {
    int64_t rating, deviation; /* in millionths of a point */
    int64_t volatility;        /* in millionths of a millionth */
} GlickoRating;

/* A result of one match against somebody. */
typedef struct GlickoResult {
    GlickoRating opponent; /* as it was before the match */
    double score;          /* 1 won, 0.5 drawn, 0 lost */
    double weight;         /* how much it counts, usually 1 */
} GlickoResult;

/* The rating of one who has not played yet. */
GlickoRating glicko_start(void);
/* The rating after so long without a match: only the deviation grows. */
GlickoRating glicko_wait(GlickoRating rating, uint64_t idle_ms);
/* The rating after these results; `periods` is the time in which they were played. This is the
 * step of the paper, without bounds but for those of the deviation's start. */
GlickoRating glicko_rate(GlickoRating rating, const GlickoResult *results, uint32_t count,
                         double periods);
/* The rating after one match, with all published bounds; the player has waited for so long before
 * it. */
GlickoRating glicko_play(GlickoRating rating, uint64_t idle_ms, GlickoResult result);
/* The score that is to be expected against somebody, from 0 to 1. */
double glicko_expected(GlickoRating rating, GlickoRating opponent);
/* For how many ms after its last match a rating stays below this deviation, in points; 0: it is
 * above. */
uint64_t glicko_certain_ms(GlickoRating rating, uint32_t deviation);

/* How much a rated match counts, in percent: `met` is the number of rated matches of the same game
 * that the two have ended in the last 24 hours, `same_address` says that both play from one
 * address. */
uint32_t glicko_weight(uint32_t met, bool same_address);

/* Paces, by the time of a turn. */
#define RATING_PACES(X)                                                                            \
    X(BLITZ, "blitz", "up to 20 seconds a turn")                                                   \
    X(RAPID, "rapid", "up to 60 seconds a turn")                                                   \
    X(RELAXED, "relaxed", "up to an hour a turn, or without a limit")                              \
    X(DAYS, "days", "more than an hour a turn")
#define RATING_PACE(name, id, meaning) PACE_##name,
typedef enum RatingPace { RATING_PACES(RATING_PACE) PACE_COUNT } RatingPace;
#undef RATING_PACE
/* The id of a pace, and a pace by its id; PACE_COUNT: there is none. */
const char *pace_id(RatingPace pace);
RatingPace pace_find(const char *id);
/* The pace of these times: a bank counts as thirty turns. 0: no limit. */
RatingPace pace_of_clock(uint32_t turn_ms, uint32_t bank_ms, uint32_t increment_ms);

#endif
