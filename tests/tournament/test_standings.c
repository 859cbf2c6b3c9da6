/* test_standings.c -- points, tie-breaks and places against an independent reckoning, and by
 * examples that can be checked by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/chance.h"
#include "tournament/standings.h"

enum { TOURNAMENTS = 1000, PLAYERS = 20, RESULTS = 400 };

static const TieBreak orders[][TIE_BREAKS_MAX] = {
    {TIE_BREAK_BUCHHOLZ, TIE_BREAK_SONNEBORN_BERGER, TIE_BREAK_WINS, TIE_BREAK_DIRECT},
    {TIE_BREAK_DIRECT, TIE_BREAK_SONNEBORN_BERGER, TIE_BREAK_WINS},
    {TIE_BREAK_WINS, TIE_BREAK_DIRECT, TIE_BREAK_BUCHHOLZ, TIE_BREAK_RATING},
    {TIE_BREAK_NONE},
};

/* --- The independent reckoning: crosstables instead of lists, doubles instead of integers --------
 */

/* What players got against each other. */
typedef struct Crosstable {
    uint32_t players;
    double points[PLAYERS][PLAYERS]; /* [a][b]: of a against b, played */
    uint32_t played[PLAYERS][PLAYERS];
    double lone[PLAYERS]; /* byes and forfeits */
    uint32_t lone_count[PLAYERS];
    uint32_t wins[PLAYERS];
    int32_t ratings[PLAYERS];
} Crosstable;

/* The total of a player. */
static double total(const Crosstable *table, uint32_t a) {
    double sum = table->lone[a];
    for (uint32_t b = 0; b < table->players; b++)
        sum += table->points[a][b];
    return sum;
}

/* The value of a tie-break among the players of `group`. */
static double reckon(const Crosstable *table, TieBreak which, uint32_t a, const bool *group) {
    double sum = 0;
    if (which == TIE_BREAK_WINS)
        return table->wins[a];
    if (which == TIE_BREAK_RATING)
        return table->ratings[a];
    if (which == TIE_BREAK_BUCHHOLZ)
        sum = table->lone_count[a] * total(table, a);
    if (which == TIE_BREAK_SONNEBORN_BERGER)
        sum = table->lone[a] * total(table, a);
    for (uint32_t b = 0; b < table->players; b++) {
        if (which == TIE_BREAK_BUCHHOLZ)
            sum += table->played[a][b] * total(table, b);
        if (which == TIE_BREAK_SONNEBORN_BERGER)
            sum += table->points[a][b] * total(table, b);
        if (which == TIE_BREAK_DIRECT && group[b])
            sum += table->points[a][b];
    }
    for (uint32_t b = 0; which == TIE_BREAK_DIRECT && b < table->players; b++)
        for (uint32_t c = 0; c < table->players; c++)
            if (group[b] && group[c] && b != c && table->played[b][c] == 0)
                return 0;
    return sum;
}

/* How many players stand before `a`: groups of equals are split by one tie-break after the other.
 */
static uint32_t reckon_place(const Crosstable *table, const TieBreak *order, uint32_t a) {
    bool group[PLAYERS];
    uint32_t above = 0;
    for (uint32_t b = 0; b < table->players; b++) {
        above += total(table, b) > total(table, a);
        group[b] = total(table, b) == total(table, a);
    }
    for (uint32_t i = 0; i < TIE_BREAKS_MAX && order[i] != TIE_BREAK_NONE; i++) {
        bool next[PLAYERS] = {false};
        double mine = reckon(table, order[i], a, group);
        for (uint32_t b = 0; b < table->players; b++) {
            double other = group[b] ? reckon(table, order[i], b, group) : 0;
            above += group[b] && other > mine;
            next[b] = group[b] && other == mine;
        }
        memcpy(group, next, sizeof group);
    }
    return above;
}

/* A tournament by chance: few points, so that many are equal. */
static void make(MashChance *chance, Tournament *out, TournamentPlayer *players,
                 TournamentResult *results, Crosstable *table) {
    *table = (Crosstable){.players = 2 + chance_below(chance, PLAYERS - 1)};
    *out = (Tournament){players, table->players, results, chance_below(chance, RESULTS / 4)};
    for (uint32_t i = 0; i < table->players; i++)
        table->ratings[i] = players[i].rating = (int32_t)chance_below(chance, 5);
    for (uint32_t i = 0; i < out->results_count; i++) {
        uint16_t a = (uint16_t)chance_below(chance, table->players);
        uint16_t b =
            (uint16_t)((a + 1 + chance_below(chance, table->players - 1)) % table->players);
        uint8_t points = (uint8_t)chance_below(chance, 3);
        uint8_t kind = chance_below(chance, 8) > 1 ? TOURNAMENT_PLAYED
                                                   : (uint8_t)(1 + chance_below(chance, 2));
        if (kind == TOURNAMENT_BYE)
            b = TOURNAMENT_NOBODY;
        results[i] = (TournamentResult){i / 4, {a, b}, {points, (uint8_t)(2 - points)}, kind};
        if (kind == TOURNAMENT_PLAYED) {
            table->points[a][b] += points / 2.0;
            table->points[b][a] += (2 - points) / 2.0;
            table->played[a][b]++;
            table->played[b][a]++;
            table->wins[a] += points == 2;
            table->wins[b] += points == 0;
            continue;
        }
        table->lone[a] += points / 2.0;
        table->lone_count[a]++;
        if (kind == TOURNAMENT_FORFEIT) {
            table->lone[b] += (2 - points) / 2.0;
            table->lone_count[b]++;
        }
    }
}

static void test_standings_agree_with_another_reckoning(void **state) {
    MashChance chance = chance_sampled(11);
    TournamentPlayer players[PLAYERS] = {{0}};
    TournamentResult results[RESULTS];
    TournamentRow rows[PLAYERS];
    void *memory = malloc(standings_bytes(PLAYERS));
    uint32_t shared = 0;
    (void)state;
    for (uint32_t i = 0; i < TOURNAMENTS; i++) {
        Tournament tournament;
        Crosstable table;
        const TieBreak *order = orders[i % (sizeof orders / sizeof *orders)];
        bool seen[PLAYERS] = {false};
        make(&chance, &tournament, players, results, &table);
        standings_make(&tournament, TOURNAMENT_PLAIN, order, memory, rows);
        for (uint32_t line = 0; line < table.players; line++) {
            const TournamentRow *row = &rows[line];
            uint16_t a = row->player;
            assert_false(seen[a]);
            seen[a] = true;
            assert_true(row->points == 2 * total(&table, a));
            assert_true(row->buchholz == 2 * reckon(&table, TIE_BREAK_BUCHHOLZ, a, NULL));
            assert_true(row->sonneborn_berger ==
                        4 * reckon(&table, TIE_BREAK_SONNEBORN_BERGER, a, NULL));
            assert_int_equal(row->wins, table.wins[a]);
            assert_int_equal(row->place, reckon_place(&table, order, a) + 1);
            assert_true(line == 0 || rows[line - 1].place <= row->place);
            shared += line > 0 && rows[line - 1].place == row->place;
        }
    }
    assert_true(shared > 0);
    free(memory);
}

static void test_an_arena_counts_twice_after_two_wins(void **state) {
    /* The first player's half points, and what they are worth. */
    static const uint8_t got[] = {2, 2, 2, 2, 1, 2, 0, 2, 2, 1, 1};
    static const uint8_t worth[] = {2, 2, 4, 4, 2, 2, 0, 2, 2, 2, 1};
    TournamentRecord records[2];
    uint32_t sum = 0;
    (void)state;
    records_clear(records, 2);
    for (uint32_t i = 0; i < sizeof got; i++) {
        TournamentResult result = {0, {0, 1}, {got[i], (uint8_t)(2 - got[i])}, TOURNAMENT_PLAYED};
        records_add(records, &result, TOURNAMENT_ARENA);
        sum += worth[i];
        assert_int_equal(records[0].points, sum);
    }
    assert_int_equal(records[0].played, sizeof got);
    assert_int_equal(records[0].balance, (int)sizeof got);
    assert_int_equal(records[1].seats & 0x7ff, 0);
    assert_int_equal(records[0].seats & 0x7ff, 0x7ff);
}

/* Four players, all have met: A beat B, B beat C, C beat A, all beat D. */
static void test_a_circle_shares_the_first_place(void **state) {
    static const TournamentResult results[] = {
        {0, {0, 1}, {2, 0}, TOURNAMENT_PLAYED}, {0, {2, 3}, {2, 0}, TOURNAMENT_PLAYED},
        {1, {1, 2}, {2, 0}, TOURNAMENT_PLAYED}, {1, {3, 0}, {0, 2}, TOURNAMENT_PLAYED},
        {2, {2, 0}, {2, 0}, TOURNAMENT_PLAYED}, {2, {1, 3}, {2, 0}, TOURNAMENT_PLAYED}};
    TournamentPlayer players[4] = {{0}};
    TournamentRow rows[4];
    Tournament tournament = {players, 4, results, 6};
    void *memory = malloc(standings_bytes(4));
    (void)state;
    standings_make(&tournament, TOURNAMENT_PLAIN, orders[0], memory, rows);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(rows[i].player, i);
        assert_int_equal(rows[i].place, i < 3 ? 1 : 4);
        assert_int_equal(rows[i].points, i < 3 ? 4 : 0);
        assert_int_equal(rows[i].buchholz, i < 3 ? 8 : 12);
        assert_int_equal(rows[i].sonneborn_berger, i < 3 ? 8 : 0);
        assert_int_equal(rows[i].direct, i < 3 ? 2 : 0);
    }
    free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standings_agree_with_another_reckoning),
        cmocka_unit_test(test_an_arena_counts_twice_after_two_wins),
        cmocka_unit_test(test_a_circle_shares_the_first_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
