/* test_pairing.c -- a thousand simulated tournaments of each kind: nobody is paired twice in a
 * round, everybody who is there plays, nobody meets anybody again where that can be avoided, seats
 * are balanced, and each kind keeps its own promises. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/chance.h"
#include "tournament/pairing.h"

enum { TOURNAMENTS = 1000, PLAYERS = 64, RESULTS = 8192, MANY = 500 };

/* A tournament that is being simulated. */
typedef struct Simulated {
    MashChance chance;
    TournamentPlayer players[PLAYERS];
    TournamentResult results[RESULTS];
    TournamentPair pairs[PLAYERS];
    Tournament tournament;
    uint16_t met[PLAYERS][PLAYERS];
    uint32_t byes[PLAYERS];
    int32_t balance[PLAYERS];
} Simulated;

/* Players of different strengths, with ratings that say a little of it. */
static Simulated *simulate(uint64_t number, uint32_t least, uint32_t most) {
    Simulated *it = calloc(1, sizeof *it);
    it->chance = chance_sampled(number);
    it->tournament = (Tournament){.players = it->players, .results = it->results};
    it->tournament.players_count = least + chance_below(&it->chance, most - least + 1);
    for (uint32_t i = 0; i < it->tournament.players_count; i++)
        it->players[i].rating = 1000 + (int32_t)chance_below(&it->chance, 40) * 25;
    return it;
}

/* Adds a result and counts it. */
static void add(Simulated *it, TournamentResult result) {
    assert_true(it->tournament.results_count < RESULTS);
    it->results[it->tournament.results_count++] = result;
    uint16_t a = result.players[0], b = result.players[1];
    if (b == TOURNAMENT_NOBODY) {
        it->byes[a]++;
        return;
    }
    it->met[a][b]++;
    it->met[b][a]++;
    it->balance[a]++;
    it->balance[b]--;
}

/* Plays a pair by chance; a bye is worth a win. */
static void play(Simulated *it, uint32_t round, TournamentPair pair, bool draws) {
    uint8_t points =
        (uint8_t)(draws ? chance_below(&it->chance, 3) : 2 * chance_below(&it->chance, 2));
    bool bye = pair.players[1] == TOURNAMENT_NOBODY;
    add(it, (TournamentResult){.round = round,
                               .players = {pair.players[0], pair.players[1]},
                               .points = {bye ? 2 : points, (uint8_t)(bye ? 0 : 2 - points)},
                               .kind = bye ? TOURNAMENT_BYE : TOURNAMENT_PLAYED});
}

/* Nobody twice, nobody who has withdrawn, everybody else once if `all`. */
static void check_round(const Simulated *it, uint32_t count, bool all) {
    uint32_t times[PLAYERS] = {0};
    for (uint32_t i = 0; i < count; i++)
        for (int who = 0; who < 2; who++)
            if (it->pairs[i].players[who] != TOURNAMENT_NOBODY) {
                assert_true(it->pairs[i].players[who] < it->tournament.players_count);
                times[it->pairs[i].players[who]]++;
            } else {
                assert_int_equal(who, 1);
            }
    for (uint32_t i = 0; i < it->tournament.players_count; i++) {
        assert_true(times[i] <= (it->players[i].withdrawn ? 0 : 1));
        assert_true(!all || times[i] == (it->players[i].withdrawn ? 0 : 1));
    }
}

/* Somebody leaves now and then. */
static void withdraw(Simulated *it, uint32_t one_in) {
    if (chance_below(&it->chance, one_in) == 0)
        it->players[chance_below(&it->chance, it->tournament.players_count)].withdrawn = true;
}

static void test_a_round_robin_lets_all_meet_once_with_balanced_seats(void **state) {
    (void)state;
    for (uint64_t number = 0; number < TOURNAMENTS; number++) {
        Simulated *it = simulate(number, 2, PLAYERS - 1);
        uint32_t players = it->tournament.players_count, rounds = round_robin_rounds(players);
        for (uint32_t round = 0; round < 2 * rounds; round++) {
            uint32_t count = round_robin_pair(&it->tournament, round, it->pairs);
            assert_int_equal(count, (players + 1) / 2);
            check_round(it, count, true);
            for (uint32_t i = 0; i < count; i++)
                play(it, round, it->pairs[i], true);
            for (uint32_t a = 0; round + 1 == rounds && a < players; a++)
                assert_true(abs(it->balance[a]) <= 1);
        }
        for (uint32_t a = 0; a < players; a++) {
            assert_int_equal(it->balance[a], 0);
            assert_int_equal(it->byes[a], players % 2 == 1 ? 2 : 0);
            for (uint32_t b = 0; b < players; b++)
                assert_int_equal(it->met[a][b], a == b ? 0 : 2);
        }
        free(it);
    }
}

/* Berger's table for six players as the FIDE handbook (C.05, annex 1) prints it. */
static void test_round_robin_follows_bergers_table(void **state) {
    static const uint16_t table[5][3][2] = {{{1, 6}, {2, 5}, {3, 4}},
                                            {{6, 4}, {5, 3}, {1, 2}},
                                            {{2, 6}, {3, 1}, {4, 5}},
                                            {{6, 5}, {1, 4}, {2, 3}},
                                            {{3, 6}, {4, 2}, {5, 1}}};
    Simulated *it = simulate(1, 6, 6);
    (void)state;
    for (uint32_t round = 0; round < 5; round++) {
        assert_int_equal(round_robin_pair(&it->tournament, round, it->pairs), 3);
        for (uint32_t i = 0; i < 3; i++)
            for (int who = 0; who < 2; who++)
                assert_int_equal(it->pairs[i].players[who] + 1, table[round][i][who]);
    }
    free(it);
}

/* A Swiss tournament of so many rounds; how many rematches and second byes there were. */
static uint32_t play_swiss(Simulated *it, uint32_t rounds, bool leave, uint32_t *imbalance) {
    void *memory = malloc(swiss_bytes(it->tournament.players_count));
    uint32_t again = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t count = swiss_pair(&it->tournament, round, 5, memory, it->pairs);
        check_round(it, count, true);
        for (uint32_t i = 0; i < count; i++) {
            const uint16_t *pair = it->pairs[i].players;
            again += pair[1] == TOURNAMENT_NOBODY ? it->byes[pair[0]] : it->met[pair[0]][pair[1]];
            play(it, round, it->pairs[i], true);
        }
        for (uint32_t a = 0; a < it->tournament.players_count; a++)
            if (abs(it->balance[a]) > (int)*imbalance)
                *imbalance = (uint32_t)abs(it->balance[a]);
        if (leave)
            withdraw(it, 8);
    }
    free(memory);
    return again;
}

static void test_swiss_pairs_nobody_again(void **state) {
    uint32_t worst = 0;
    (void)state;
    for (uint64_t number = 0; number < TOURNAMENTS; number++) {
        Simulated *it = simulate(number, 6, 40);
        uint32_t players = it->tournament.players_count;
        uint32_t rounds = players <= 12 ? players / 2 : 7;
        assert_int_equal(play_swiss(it, rounds, number % 2 == 0 && players > 20, &worst), 0);
        free(it);
    }
    assert_true(worst <= 3);
}

/* With as many rounds as a round robin has, only exact search avoids every rematch: greedy pairing
 * runs into dead ends. */
static void test_swiss_avoids_rematches_to_the_end_where_it_can(void **state) {
    uint32_t again = 0, worst = 0;
    (void)state;
    for (uint64_t number = 0; number < 100; number++) {
        Simulated *it = simulate(number, 4, 4);
        again += play_swiss(it, 3, false, &worst);
        free(it);
    }
    assert_int_equal(again, 0);
}

static void test_swiss_folds_the_first_round_and_alternates_seats(void **state) {
    Simulated *it = simulate(3, 8, 8);
    void *memory = malloc(swiss_bytes(8));
    (void)state;
    for (uint32_t i = 0; i < 8; i++)
        it->players[i].rating = 2000 - (int32_t)i;
    assert_int_equal(swiss_pair(&it->tournament, 0, 5, memory, it->pairs), 4);
    for (uint32_t i = 0; i < 4; i++) {
        uint16_t first = it->pairs[i].players[0], second = it->pairs[i].players[1];
        assert_int_equal(first < second ? first : second, i);
        assert_int_equal(first < second ? second : first, i + 4);
        assert_true((first < second) == (i % 2 == (it->pairs[0].players[0] == 0 ? 0 : 1)));
    }
    free(memory);
    free(it);
}

static void test_the_least_of_an_odd_number_has_the_bye(void **state) {
    Simulated *it = simulate(4, 7, 7);
    void *memory = malloc(swiss_bytes(7));
    (void)state;
    for (uint32_t i = 0; i < 7; i++)
        it->players[i].rating = 2000 - (int32_t)i;
    assert_int_equal(swiss_pair(&it->tournament, 0, 5, memory, it->pairs), 4);
    assert_int_equal(it->pairs[3].players[0], 6);
    assert_int_equal(it->pairs[3].players[1], TOURNAMENT_NOBODY);
    free(memory);
    free(it);
}

/* Is player a seeded above b? */
static bool seeded_above(const Simulated *it, uint16_t a, uint16_t b) {
    int32_t ratings[] = {it->players[a].rating, it->players[b].rating};
    return ratings[0] != ratings[1] ? ratings[0] > ratings[1] : a < b;
}

/* Two matches of a pair that is still in, the second one drawn; the loser is out. Byes are in the
 * first round only. */
static void play_tie(Simulated *it, uint32_t round, TournamentPair pair, bool upsets, bool *out) {
    uint16_t a = pair.players[0], b = pair.players[1];
    assert_true(b != TOURNAMENT_NOBODY || round == 0);
    if (b == TOURNAMENT_NOBODY)
        return;
    uint8_t points = upsets                   ? (uint8_t)(2 * chance_below(&it->chance, 2))
                     : seeded_above(it, a, b) ? 2
                                              : 0;
    assert_false(out[a] || out[b]);
    add(it, (TournamentResult){round, {a, b}, {points, (uint8_t)(2 - points)}, TOURNAMENT_PLAYED});
    add(it, (TournamentResult){round, {b, a}, {1, 1}, TOURNAMENT_PLAYED});
    out[points == 2 ? b : a] = true;
}

/* The last match was one of the two best seeds. */
static void check_final(const Simulated *it) {
    const TournamentResult *final = &it->results[it->tournament.results_count - 1];
    for (int who = 0; who < 2; who++) {
        uint32_t above = 0;
        for (uint16_t a = 0; a < it->tournament.players_count; a++)
            above += a != final->players[who] && seeded_above(it, a, final->players[who]);
        assert_true(above < 2);
    }
}

static void test_a_knockout_leaves_one_and_seeds_the_best_apart(void **state) {
    (void)state;
    for (uint64_t number = 0; number < TOURNAMENTS; number++) {
        Simulated *it = simulate(number, 2, PLAYERS);
        uint32_t players = it->tournament.players_count, rounds = knockout_rounds(players);
        void *memory = malloc(knockout_bytes(players));
        bool out[PLAYERS] = {false}, upsets = number % 2 == 0;
        for (uint32_t round = 0; round < rounds; round++) {
            uint32_t count = knockout_pair(&it->tournament, round, memory, it->pairs);
            check_round(it, count, false);
            for (uint32_t i = 0; i < count; i++)
                play_tie(it, round, it->pairs[i], upsets, out);
        }
        assert_int_equal(it->tournament.results_count, 2 * (players - 1));
        assert_int_equal(knockout_pair(&it->tournament, rounds, memory, it->pairs), 0);
        if (!upsets)
            check_final(it);
        free(memory);
        free(it);
    }
}

static void test_a_gauntlet_lets_champions_meet_all_others_once(void **state) {
    (void)state;
    for (uint64_t number = 0; number < TOURNAMENTS; number++) {
        Simulated *it = simulate(number, 2, PLAYERS);
        uint32_t players = it->tournament.players_count;
        uint32_t champions = 1 + chance_below(&it->chance, players - 1);
        for (uint32_t round = 0; round < gauntlet_rounds(players, champions); round++) {
            uint32_t count = gauntlet_pair(&it->tournament, champions, round, it->pairs);
            check_round(it, count, false);
            for (uint32_t i = 0; i < count; i++)
                play(it, round, it->pairs[i], true);
        }
        for (uint32_t a = 0; a < players; a++)
            for (uint32_t b = 0; b < players; b++)
                assert_int_equal(it->met[a][b], (a < champions) != (b < champions));
        for (uint32_t a = 0; a < champions; a++)
            assert_true(abs(it->balance[a]) <= 2);
        free(it);
    }
}

/* One wave of an arena: about half of the players wait. */
static void play_wave(Simulated *it, TournamentRecord *records, void *memory) {
    uint16_t waiting[PLAYERS];
    uint32_t players = it->tournament.players_count, count = 0;
    bool waits[PLAYERS] = {false};
    for (uint16_t i = 0; i < players; i++)
        if (chance_below(&it->chance, 3) > 0 && !it->players[i].withdrawn) {
            waiting[count++] = i;
            waits[i] = true;
        }
    ArenaWaiting list = {waiting, count, players == 2};
    uint32_t pairs = arena_pair(&it->tournament, records, &list, memory, it->pairs);
    check_round(it, pairs, false);
    assert_true(count < 5 || pairs >= count / 2 - 1);
    for (uint32_t i = 0; i < pairs; i++) {
        const uint16_t *pair = it->pairs[i].players;
        assert_true(waits[pair[0]] && waits[pair[1]]);
        assert_true(players == 2 || records[pair[0]].last_opponent != pair[1]);
        assert_true(players == 2 || records[pair[1]].last_opponent != pair[0]);
        play(it, 0, it->pairs[i], true);
        records_add(records, &it->results[it->tournament.results_count - 1], TOURNAMENT_ARENA);
    }
}

static void test_an_arena_pairs_whoever_waits_but_not_with_the_last_opponent(void **state) {
    (void)state;
    for (uint64_t number = 0; number < TOURNAMENTS; number++) {
        Simulated *it = simulate(number, 2, PLAYERS);
        void *memory = malloc(arena_bytes(PLAYERS));
        TournamentRecord records[PLAYERS];
        records_clear(records, PLAYERS);
        for (uint32_t wave = 0; wave < 40; wave++) {
            play_wave(it, records, memory);
            withdraw(it, 20);
        }
        free(memory);
        free(it);
    }
}

static void test_neighbours_by_points_meet_in_an_arena(void **state) {
    static const uint16_t waiting[] = {4, 2, 0, 3, 1};
    Simulated *it = simulate(6, 5, 5);
    TournamentRecord records[5];
    void *memory = malloc(arena_bytes(5));
    ArenaWaiting list = {waiting, 5, false};
    (void)state;
    records_clear(records, 5);
    for (uint32_t i = 0; i < 5; i++)
        it->players[i].rating = 1500;
    records[0].points = records[3].points = 8;
    records[2].points = records[4].points = 4;
    assert_int_equal(arena_pair(&it->tournament, records, &list, memory, it->pairs), 2);
    assert_int_equal(it->pairs[0].players[0] + it->pairs[0].players[1], 3);
    assert_int_equal(it->pairs[1].players[0] + it->pairs[1].players[1], 6);
    records[0].last_opponent = 3;
    assert_int_equal(arena_pair(&it->tournament, records, &list, memory, it->pairs), 2);
    assert_int_equal(it->pairs[0].players[0] + it->pairs[0].players[1], 2);
    free(memory);
    free(it);
}

/* Large ones end, and keep the same promises. */
static void test_five_hundred_players(void **state) {
    TournamentPlayer *players = calloc(MANY, sizeof *players);
    TournamentResult *results = calloc(MANY * 8, sizeof *results);
    TournamentPair pairs[MANY];
    void *memory = malloc(swiss_bytes(MANY));
    Tournament tournament = {players, MANY, results, 0};
    MashChance chance = chance_sampled(9);
    static uint8_t met[MANY][MANY];
    (void)state;
    for (uint32_t i = 0; i < MANY; i++)
        players[i].rating = (int32_t)chance_below(&chance, 1000);
    for (uint32_t round = 0; round < 3; round++) {
        assert_int_equal(swiss_pair(&tournament, round, 1, memory, pairs), MANY / 2);
        for (uint32_t i = 0; i < MANY / 2; i++) {
            uint16_t a = pairs[i].players[0], b = pairs[i].players[1];
            assert_int_equal(met[a][b]++ + met[b][a]++, 0);
            uint8_t points = (uint8_t)chance_below(&chance, 3);
            results[tournament.results_count++] = (TournamentResult){
                .round = round, .players = {a, b}, .points = {points, (uint8_t)(2 - points)}};
        }
    }
    free(memory);
    free(results);
    free(players);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_round_robin_lets_all_meet_once_with_balanced_seats),
        cmocka_unit_test(test_round_robin_follows_bergers_table),
        cmocka_unit_test(test_swiss_pairs_nobody_again),
        cmocka_unit_test(test_swiss_avoids_rematches_to_the_end_where_it_can),
        cmocka_unit_test(test_swiss_folds_the_first_round_and_alternates_seats),
        cmocka_unit_test(test_the_least_of_an_odd_number_has_the_bye),
        cmocka_unit_test(test_a_knockout_leaves_one_and_seeds_the_best_apart),
        cmocka_unit_test(test_a_gauntlet_lets_champions_meet_all_others_once),
        cmocka_unit_test(test_an_arena_pairs_whoever_waits_but_not_with_the_last_opponent),
        cmocka_unit_test(test_neighbours_by_points_meet_in_an_arena),
        cmocka_unit_test(test_five_hundred_players),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
