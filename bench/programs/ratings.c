/* ratings.c -- how well ratings find the strength of players: a crowd of known strength plays, and
 * its order by rating is compared with its order by strength.
 * Usage: bench_ratings [PLAYERS [MATCHES_EACH [SEED]]]; exits 1 if the rank correlation is below
 * 0.95. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/chance.h"
#include "rating/glicko.h"

enum { SPREAD = 300, WINDOW = 20, TWELVE = 12, MINUTE_MS = 60000 };

/* One of the crowd. */
typedef struct CrowdPlayer {
    double strength;
    GlickoRating rating;
    uint64_t last_ms;
    uint32_t order, rank; /* by strength, by rating */
} CrowdPlayer;

static int by_strength(const void *a, const void *b) {
    double one = ((const CrowdPlayer *)a)->strength, other = ((const CrowdPlayer *)b)->strength;
    return (one > other) - (one < other);
}

static int by_rating(const void *a, const void *b) {
    int64_t one = ((const CrowdPlayer *)a)->rating.rating,
            other = ((const CrowdPlayer *)b)->rating.rating;
    return (one > other) - (one < other);
}

/* A number of a bell curve of this spread: twelve even ones, added. */
static double bell(MashChance *chance, double spread) {
    double sum = 0;
    for (int i = 0; i < TWELVE; i++)
        sum += chance_below(chance, 1000000) / 1e6;
    return (sum - TWELVE / 2.0) * spread;
}

/* Spearman's rank correlation of order and rank. */
static double correlation(const CrowdPlayer *players, uint32_t count) {
    double sum = 0, n = count;
    for (uint32_t i = 0; i < count; i++) {
        double distance = (double)players[i].order - (double)players[i].rank;
        sum += distance * distance;
    }
    return 1 - 6 * sum / (n * (n * n - 1));
}

/* One match at this time; the first wins as often as their strengths say. */
static void play(CrowdPlayer *a, CrowdPlayer *b, uint64_t now_ms, MashChance *chance) {
    GlickoRating sure = glicko_start(), one = sure, other = sure;
    one.deviation = other.deviation = 0;
    one.rating = (int64_t)(a->strength * (double)GLICKO_POINT);
    other.rating = (int64_t)(b->strength * (double)GLICKO_POINT);
    double score = chance_below(chance, 1000000) / 1e6 < glicko_expected(one, other);
    one = a->rating;
    other = b->rating;
    a->rating = glicko_play(one, now_ms - a->last_ms, (GlickoResult){other, score, 1});
    b->rating = glicko_play(other, now_ms - b->last_ms, (GlickoResult){one, 1 - score, 1});
    a->last_ms = b->last_ms = now_ms;
}

/* Exchanges each with one of the next `window`. */
static void shuffle(CrowdPlayer *players, uint32_t count, uint32_t window, MashChance *chance) {
    for (uint32_t i = 0; i + 1 < count; i++) {
        uint32_t near = i + chance_below(chance, count - i < window ? count - i : window);
        CrowdPlayer other = players[near];
        players[near] = players[i];
        players[i] = other;
    }
}

/* A round: everybody plays somebody whose rating is near, as far as such a one is there. */
static void play_round(CrowdPlayer *players, uint32_t count, uint64_t now_ms, MashChance *chance) {
    qsort(players, count, sizeof *players, by_rating);
    shuffle(players, count, count / WINDOW + 2, chance);
    for (uint32_t i = 0; i + 1 < count; i += 2)
        play(&players[i], &players[i + 1], now_ms, chance);
}

int main(int count, char **words) {
    uint32_t players_count = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 10000;
    uint32_t matches = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 50;
    uint64_t seed = count > 3 ? strtoull(words[3], NULL, 10) : 1;
    CrowdPlayer *players = calloc(players_count, sizeof *players);
    MashChance chance = chance_sampled(seed);
    double found = 0, deviation = 0;
    if (players == NULL || players_count < 2)
        return 2;
    for (uint32_t i = 0; i < players_count; i++) {
        players[i].strength = GLICKO_START + bell(&chance, SPREAD);
        players[i].rating = glicko_start();
    }
    qsort(players, players_count, sizeof *players, by_strength);
    for (uint32_t i = 0; i < players_count; i++)
        players[i].order = i;
    shuffle(players, players_count, players_count, &chance);
    for (uint32_t round = 1; round <= matches; round++) {
        play_round(players, players_count, (uint64_t)round * 60 * MINUTE_MS, &chance);
        if (round % 10 != 0 && round != matches)
            continue;
        qsort(players, players_count, sizeof *players, by_rating);
        deviation = 0;
        for (uint32_t i = 0; i < players_count; i++) {
            players[i].rank = i;
            deviation += (double)players[i].rating.deviation / (double)GLICKO_POINT;
        }
        found = correlation(players, players_count);
        printf("%u players, %u matches each: rank correlation %.4f, deviation %.1f\n",
               players_count, round, found, deviation / players_count);
    }
    free(players);
    return found < 0.95;
}
