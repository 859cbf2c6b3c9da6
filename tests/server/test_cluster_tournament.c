/* test_cluster_tournament.c -- tournaments at several nodes over a model of PostgreSQL, in one
 * thread, from one seed each: the node of the tournament and those of its tables are killed, sleep,
 * leave and are cut off. What must hold is in tests/server/sim/contest_oracle.h; the matches
 * themselves are checked as in test_cluster_sim.c.
 *
 * MASH_SIM_SEEDS is the number of seeds, MASH_SIM_FIRST the first of them; MASH_SIM_LOG prints what
 * happened before a failure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/server/model/cluster.h"
#include "tests/server/sim/contest_oracle.h"

enum { SEEDS = 10, LOSSES = 4, CROWD = 6, RUN_MS = 30000, MEND_MS = 240000 };

static uint32_t pairs, forfeits, moves;

static uint64_t number_of(const char *name, uint64_t usual) {
    const char *wanted = getenv(name);
    return wanted == NULL ? usual : strtoull(wanted, NULL, 10);
}

/* Everything is mended: the tournament ends, and all of it is true. */
static void end_well(void) {
    cluster_heal();
    uint64_t until_ms = cluster.now_ms + MEND_MS;
    while (!contestants_over() && cluster.now_ms < until_ms)
        cluster_run(100);
    if (!contestants_over())
        cluster_fail("the tournament does not end within %d ms after the last fault", MEND_MS);
    cluster_run(3000);
    history_check(cluster_primary());
    contestants_check(cluster_primary());
    pairs += contest_oracle.count;
    moves += contestants_moved();
    forfeits += contestants_forfeits(cluster_primary());
    cluster_close();
}

static void run_seed(uint64_t seed) {
    static const uint32_t travels[] = {0, 1, 5, 40}, losses[] = {0, 60, 300, 1000};
    simulation_begin(seed);
    uint32_t kind = simulation_draw(3);
    World world = {.waits = kind < 2, .copies = kind == 0 ? 1 : 2, .drops_names = kind == 2};
    world.nodes = 2 + (int)simulation_draw(2);
    world.machines = 2 + (int)simulation_draw(2);
    world.travel_ms = travels[simulation_draw(4)];
    world.lose_every = losses[simulation_draw(4)];
    world.fault_every = 500 + simulation_draw(3000);
    contests = (Contests){.format = (uint32_t)(seed % PROTO_FORMAT_COUNT)};
    contests.two_legs = contests.format != PROTO_FORMAT_ARENA && simulation_draw(4) == 0;
    contests.free_order = contests.format == PROTO_FORMAT_ROUND_ROBIN && simulation_draw(2) == 0;
    cluster_open(seed, &world);
    contestants_open(3 + simulation_draw(CROWD - 2));
    cluster_run(RUN_MS);
    end_well();
}

static void no_result_is_lost_and_nobody_is_paired_twice(void **unused) {
    (void)unused;
    uint64_t first = number_of("MASH_SIM_FIRST", 1), seeds = number_of("MASH_SIM_SEEDS", SEEDS);
    memset(&cluster.counts, 0, sizeof cluster.counts);
    pairs = forfeits = moves = 0;
    for (uint64_t seed = first; seed < first + seeds; seed++)
        run_seed(seed);
    const ClusterCounts *c = &cluster.counts;
    printf("%llu tournaments: %u pairs, %u without one of the players, %u seats at another node; "
           "%llu nodes killed, %llu deposed, %llu matches taken, %llu promotions\n",
           (unsigned long long)seeds, pairs, forfeits, moves, (unsigned long long)c->kills,
           (unsigned long long)c->deposed, (unsigned long long)c->taken,
           (unsigned long long)c->promotions);
    assert_true(pairs > 0 && c->taken > 0);
}

/* The node of a tournament is killed when its tables have begun, before anybody has come to one:
 * its players are told their seats again, wherever the tables are now, and nobody loses by it. */
static void whoever_takes_it_tells_the_players_their_seats(void **unused) {
    (void)unused;
    pairs = forfeits = moves = 0;
    uint64_t first = number_of("MASH_SIM_FIRST", 1), seeds = number_of("MASH_SIM_SEEDS", LOSSES);
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        simulation_begin(seed);
        World world = {.nodes = 3, .machines = 2, .waits = true, .copies = 1, .travel_ms = 1};
        world.fault_every = UINT32_MAX;
        contests = (Contests){.format = PROTO_FORMAT_ROUND_ROBIN, .shy = true};
        cluster_open(seed, &world);
        contestants_open(CROWD);
        while (contestants_pairs() == 0 && cluster.now_ms < RUN_MS)
            cluster_run(10);
        int node = contestants_node(cluster_primary());
        if (node == 0)
            cluster_fail("no round was paired");
        cluster_run(500);
        cluster_take_few();
        cluster_kill(node);
        cluster.nodes[node].start_ms = cluster.now_ms + RUN_MS; /* others take what it had */
        contests.shy = false;
        model.travel_ms = 400; /* while one takes a match the others take the next */
        cluster_run(10000);
        model.travel_ms = 1;
        cluster_run(RUN_MS);
        if (contestants_forfeits(cluster_primary()) > 0)
            cluster_fail("a player did not come to a table");
        end_well();
    }
    printf("%u pairs, %u seats at another node\n", pairs, moves);
    assert_true(moves > 0);
}

int main(void) {
    cluster_test = "test_cluster_tournament";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_takes_it_tells_the_players_their_seats),
        cmocka_unit_test(no_result_is_lost_and_nobody_is_paired_twice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
