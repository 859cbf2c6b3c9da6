/* glicko.c -- see glicko.h. Steps are those of Glickman's paper of 2022. Only + - * / and sqrt are
 * used, which IEEE 754 rounds in one way; so exp and log are written out here. */
#include "rating/glicko.h"

#include <string.h>

/* The system constant of the paper, and how exact the volatility is. */
#define TAU     0.5
#define EPSILON 1e-9
/* From points to the scale of the paper. */
#define SCALE      173.7178
#define PI_SQUARED 9.869604401089358
#define LN_2       0.6931471805599453
#define DAY_MS     86400000.0
/* The most volatility. */
#define VOLATILITY_MOST 0.1

/* --- Functions -------------------------------------------------------------------------------- */

/* The square root by Newton's steps, from above: they fall until they are exact. */
static double root(double x) {
    double guess = x > 1 ? x : 1;
    if (x <= 0)
        return 0;
    for (int i = 0; i < 200; i++) {
        double next = (guess + x / guess) / 2;
        if (next >= guess)
            break;
        guess = next;
    }
    return guess;
}

/* e^x for |x| up to 700: halved until it is small, a series, squared back. */
static double exponential(double x) {
    enum { HALVINGS = 12, TERMS = 14 };
    double small = x / (1 << HALVINGS), sum = 1, term = 1;
    for (int i = 1; i <= TERMS; i++) {
        term = term * small / i;
        sum = sum + term;
    }
    for (int i = 0; i < HALVINGS; i++)
        sum = sum * sum;
    return sum;
}

/* The natural logarithm of a positive number: brought between 0.7 and 1.4 by twos, then a series
 * of (x - 1) / (x + 1). */
static double logarithm(double x) {
    enum { TERMS = 25 };
    int twos = 0;
    for (; x > 1.4; twos++)
        x = x / 2;
    for (; x < 0.7; twos--)
        x = x * 2;
    double ratio = (x - 1) / (x + 1), square = ratio * ratio, power = ratio, sum = 0;
    for (int i = 0; i < TERMS; i++) {
        sum = sum + power / (2 * i + 1);
        power = power * square;
    }
    return 2 * sum + twos * LN_2;
}

/* The nearest whole number. */
static int64_t rounded(double x) { return (int64_t)(x < 0 ? x - 0.5 : x + 0.5); }

/* Between two bounds. */
static double between(double x, double least, double most) {
    return x < least ? least : x > most ? most : x;
}

/* --- The paper -------------------------------------------------------------------------------- */

/* A rating on the scale of the paper. */
typedef struct ScaledRating {
    double mu, phi, sigma;
} ScaledRating;

static ScaledRating scaled(GlickoRating rating) {
    double point = (double)GLICKO_POINT;
    return (ScaledRating){((double)rating.rating / point - GLICKO_START) / SCALE,
                          (double)rating.deviation / point / SCALE,
                          (double)rating.volatility / (double)GLICKO_VOLATILITY};
}

static GlickoRating unscaled(ScaledRating rating) {
    double point = (double)GLICKO_POINT;
    double phi = between(rating.phi, 0, GLICKO_DEVIATION_START / SCALE);
    return (GlickoRating){rounded((rating.mu * SCALE + GLICKO_START) * point),
                          rounded(phi * SCALE * point),
                          rounded(rating.sigma * (double)GLICKO_VOLATILITY)};
}

/* Step 3: how much an opponent's deviation takes away. */
static double impact(double phi) { return 1 / root(1 + 3 * phi * phi / PI_SQUARED); }

/* Step 3: the score that is expected. */
static double expected(double mu, ScaledRating opponent) {
    double distance = between(impact(opponent.phi) * (mu - opponent.mu), -60, 60);
    return 1 / (1 + exponential(-distance));
}

double glicko_expected(GlickoRating rating, GlickoRating opponent) {
    ScaledRating own = scaled(rating), other = scaled(opponent);
    other.phi = root(other.phi * other.phi + own.phi * own.phi);
    return expected(own.mu, other);
}

/* Step 5.1. */
static double f(double x, double delta, ScaledRating own, double v) {
    double power = exponential(x), phi = own.phi * own.phi, sum = phi + v + power;
    return power * (delta * delta - sum) / (2 * sum * sum) -
           (x - logarithm(own.sigma * own.sigma)) / (TAU * TAU);
}

/* Step 5: the volatility after matches, by the Illinois method. */
static double volatility(ScaledRating own, double delta, double v) {
    double a = logarithm(own.sigma * own.sigma), first = a, b;
    double surplus = delta * delta - own.phi * own.phi - v;
    if (surplus > 0) {
        b = logarithm(surplus);
    } else {
        int k = 1;
        while (f(first - k * TAU, delta, own, v) < 0 && k < 100)
            k++;
        b = first - k * TAU;
    }
    double at_a = f(a, delta, own, v), at_b = f(b, delta, own, v);
    for (int i = 0; i < 100 && (b - a > EPSILON || a - b > EPSILON); i++) {
        double c = a + (a - b) * at_a / (at_b - at_a), at_c = f(c, delta, own, v);
        if (at_c * at_b <= 0) {
            a = b;
            at_a = at_b;
        } else {
            at_a = at_a / 2;
        }
        b = c;
        at_b = at_c;
    }
    return exponential(a / 2);
}

GlickoRating glicko_start(void) {
    return (GlickoRating){GLICKO_START * GLICKO_POINT, GLICKO_DEVIATION_START * GLICKO_POINT,
                          GLICKO_VOLATILITY * 6 / 100};
}

/* Step 6: the deviation after a time without matches. */
static double waited(double phi, double sigma, double periods) {
    return root(phi * phi + periods * sigma * sigma);
}

GlickoRating glicko_rate(GlickoRating rating, const GlickoResult *results, uint32_t count,
                         double periods) {
    ScaledRating own = scaled(rating);
    double information = 0, surprise = 0;
    for (uint32_t i = 0; i < count; i++) {
        ScaledRating other = scaled(results[i].opponent);
        double g = impact(other.phi), e = expected(own.mu, other);
        information = information + results[i].weight * g * g * e * (1 - e);
        surprise = surprise + results[i].weight * g * (results[i].score - e);
    }
    if (information > 0) {
        double v = 1 / information;
        own.sigma = volatility(own, v * surprise, v);
        double phi = waited(own.phi, own.sigma, periods);
        own.phi = 1 / root(1 / (phi * phi) + information);
        own.mu = own.mu + own.phi * own.phi * surprise;
    } else {
        own.phi = waited(own.phi, own.sigma, periods);
    }
    return unscaled(own);
}

/* --- Matches ---------------------------------------------------------------------------------- */

/* So long in rating periods. */
static double periods_of(uint64_t ms) { return (double)ms / DAY_MS * GLICKO_PERIODS_PER_DAY; }

GlickoRating glicko_wait(GlickoRating rating, uint64_t idle_ms) {
    return glicko_rate(rating, NULL, 0, periods_of(idle_ms));
}

/* A whole number between two bounds. */
static int64_t clamped(int64_t x, int64_t least, int64_t most) {
    return x < least ? least : x > most ? most : x;
}

GlickoRating glicko_play(GlickoRating rating, uint64_t idle_ms, GlickoResult result) {
    GlickoRating after = glicko_rate(rating, &result, 1, periods_of(idle_ms));
    int64_t most = GLICKO_CHANGE_MOST * GLICKO_POINT;
    after.rating = clamped(after.rating, rating.rating - most, rating.rating + most);
    after.rating = clamped(after.rating, GLICKO_LEAST * GLICKO_POINT, GLICKO_MOST * GLICKO_POINT);
    after.deviation = clamped(after.deviation, GLICKO_DEVIATION_LEAST * GLICKO_POINT,
                              GLICKO_DEVIATION_START * GLICKO_POINT);
    after.volatility =
        clamped(after.volatility, 0, (int64_t)(VOLATILITY_MOST * (double)GLICKO_VOLATILITY));
    return after;
}

uint64_t glicko_certain_ms(GlickoRating rating, uint32_t deviation) {
    ScaledRating own = scaled(rating);
    double most = deviation / SCALE, room = most * most - own.phi * own.phi;
    if (room <= 0 || own.sigma <= 0)
        return 0;
    double days = room / (own.sigma * own.sigma) / GLICKO_PERIODS_PER_DAY;
    return (uint64_t)rounded(between(days, 0, 36500) * DAY_MS);
}

uint32_t glicko_weight(uint32_t met, bool same_address) {
    static const uint8_t weights[] = {100, 100, 100, 50, 50, 50, 25, 25, 25, 25};
    static const uint8_t near[] = {25, 25, 25};
    if (same_address)
        return met < sizeof near ? near[met] : 0;
    return met < sizeof weights ? weights[met] : 0;
}

/* --- Paces ------------------------------------------------------------------------------------ */

#define RATING_PACE(name, id, meaning) id,
static const char *const pace_ids[] = {RATING_PACES(RATING_PACE)};
#undef RATING_PACE

const char *pace_id(RatingPace pace) { return pace_ids[pace]; }

RatingPace pace_find(const char *id) {
    uint32_t pace = 0;
    while (pace < PACE_COUNT && strcmp(pace_ids[pace], id) != 0)
        pace++;
    return (RatingPace)pace;
}

RatingPace pace_of_clock(uint32_t turn_ms, uint32_t bank_ms, uint32_t increment_ms) {
    enum { BANK_TURNS = 30, BLITZ_MS = 20000, RAPID_MS = 60000, RELAXED_MS = 3600000 };
    uint64_t ms = turn_ms, bank = (uint64_t)bank_ms / BANK_TURNS + increment_ms;
    if (bank_ms > 0 && (ms == 0 || bank < ms))
        ms = bank;
    return ms == 0            ? PACE_RELAXED
           : ms <= BLITZ_MS   ? PACE_BLITZ
           : ms <= RAPID_MS   ? PACE_RAPID
           : ms <= RELAXED_MS ? PACE_RELAXED
                              : PACE_DAYS;
}
