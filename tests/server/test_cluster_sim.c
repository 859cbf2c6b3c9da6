/* test_cluster_sim.c -- several nodes over a model of PostgreSQL, in one thread, from one seed:
 * lost answers, primaries that do not know that they are replaced, standbys with and without the
 * last commits, sleeping and killed nodes, cuts, two takers. See tests/server/model/cluster.h for
 * what there is, history.c for what is checked.
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

#include "base/hash.h"
#include "tests/server/model/cluster.h"

enum { SEEDS = 12, SPLITS = 9, CROWD = 12, RUN_MS = 30000, MEND_MS = 60000 };

static uint64_t number_of(const char *name, uint64_t usual) {
    const char *wanted = getenv(name);
    return wanted == NULL ? usual : strtoull(wanted, NULL, 10);
}

static World world_of(void) {
    static const uint32_t travels[] = {0, 1, 5, 40}, losses[] = {0, 20, 60, 300};
    uint32_t kind = simulation_draw(4);
    World world = {
        .waits = kind < 2, .copies = kind == 1 || kind == 2 ? 2 : 1, .drops_names = kind == 2};
    world.nodes = 2 + (int)simulation_draw(2);
    world.machines = (kind == 3 ? 1 : 2) + (int)simulation_draw(2);
    world.travel_ms = travels[simulation_draw(4)];
    world.lose_every = losses[simulation_draw(4)];
    world.fault_every = 300 + simulation_draw(3000);
    return world;
}

/* Everything is mended: all matches end, and everything that was told is true. What happened, as a
 * number. */
static uint64_t end_well(void) {
    cluster_heal();
    uint64_t until_ms = cluster.now_ms + MEND_MS;
    while (players_finish() > 0 && cluster.now_ms < until_ms)
        cluster_run(100);
    if (players_finish() > 0)
        cluster_fail("%u players could not end their matches within %d ms after the last fault",
                     players_finish(), MEND_MS);
    cluster_run(3000);
    int primary = cluster_primary();
    history_check(primary);
    uint64_t fingerprint = cluster.counts.told;
    for (uint32_t i = 0; i < model.machines[primary].log_count; i++) {
        const Transaction *one = model.machines[primary].log[i];
        fingerprint = hash_bytes(fingerprint, one->name, strlen(one->name));
        fingerprint = hash_bytes(fingerprint, &one->epoch, sizeof one->epoch);
    }
    cluster_close();
    return fingerprint;
}

static uint64_t run_seed(uint64_t seed) {
    simulation_begin(seed);
    World world = world_of();
    cluster_open(seed, &world);
    if (getenv("MASH_SIM_LOG") != NULL)
        printf("seed %llu: %d nodes, %d machines, %s, --copies %u, ways of %u ms, one statement in "
               "%u lost, a fault every %u ms\n",
               (unsigned long long)seed, world.nodes, world.machines,
               world.waits         ? "commits wait"
               : world.drops_names ? "commits wait at times"
                                   : "commits do not wait",
               world.copies, world.travel_ms, world.lose_every, world.fault_every);
    players_open(CROWD);
    cluster_run(RUN_MS);
    return end_well();
}

static void nothing_that_was_told_is_lost(void **unused) {
    (void)unused;
    uint64_t first = number_of("MASH_SIM_FIRST", 1), seeds = number_of("MASH_SIM_SEEDS", SEEDS);
    memset(&cluster.counts, 0, sizeof cluster.counts);
    uint64_t signature = 0;
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        uint64_t fingerprint = run_seed(seed);
        signature = hash_bytes(signature, &fingerprint, sizeof fingerprint);
    }
    const ClusterCounts *c = &cluster.counts;
#define U(name) (unsigned long long)c->name
    printf("%llu seeds: %llu matches, %llu archived, %llu positions told, %llu requests; nodes: "
           "%llu killed, %llu put to sleep, %llu cut off, %llu left, %llu deposed, %llu matches "
           "taken; machines: %llu killed, %llu hung, %llu promotions, %llu with the old primary "
           "alive; %llu statements, %llu lost, %llu waited for locks, %llu groups asked about; "
           "signature "
           "%016llx\n",
           (unsigned long long)seeds, U(matches), U(archived), U(told), U(requests), U(kills),
           U(stalls), U(cuts), U(leaves), U(deposed), U(taken), U(machine_kills), U(hangs),
           U(promotions), U(zombies), U(statements), U(lost), U(waited), U(asked),
           (unsigned long long)signature);
    assert_true(c->told > 0 && c->archived > 0 && c->taken > 0);
}

static void the_same_seed_is_the_same_world(void **unused) {
    (void)unused;
    memset(&cluster.counts, 0, sizeof cluster.counts);
    uint64_t first = run_seed(1);
    memset(&cluster.counts, 0, sizeof cluster.counts);
    assert_true(run_seed(1) == first);
}

/* --copies 2: a node that sees an old primary only, which answers and waits for no standby, tells
 * nobody anything while others go on with its matches: not what is new, and not to those who come
 * again what was true before. */
static void an_old_primary_without_standbys_is_not_believed(void **unused) {
    (void)unused;
    uint64_t told = 0;
    uint64_t first = number_of("MASH_SIM_FIRST", 1), seeds = number_of("MASH_SIM_SEEDS", SPLITS);
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        simulation_begin(seed);
        World world = {.nodes = 3, .machines = 3, .copies = 2, .drops_names = true};
        world.travel_ms = 1;
        world.fault_every = UINT32_MAX;
        cluster_open(seed, &world);
        players_open(CROWD);
        cluster_run(4000);
        cluster_split();
        players_scatter(7000); /* until others have the matches of node 1 */
        told = cluster.counts.told;
        cluster_run(RUN_MS);
        told = cluster.counts.told - told;
        if (told == 0)
            cluster_fail("nobody went on");
        end_well();
    }
    printf("%llu positions were told behind the last split\n", (unsigned long long)told);
}

/* A database that answered nobody for longer than a node may be silent: it was away, not the nodes,
 * and none of them is replaced when it answers again. */
static void nobody_is_replaced_because_the_database_was_away(void **unused) {
    (void)unused;
    uint64_t first = number_of("MASH_SIM_FIRST", 1), seeds = number_of("MASH_SIM_SEEDS", SPLITS);
    memset(&cluster.counts, 0, sizeof cluster.counts);
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        simulation_begin(seed);
        World world = {.nodes = 3, .machines = 1, .copies = 1, .travel_ms = 1};
        world.fault_every = UINT32_MAX;
        cluster_open(seed, &world);
        players_open(CROWD);
        cluster_run(4000);
        model.machines[cluster_primary()].hangs = true;
        cluster_run(6000 + 300 * (seed - first));
        model.machines[cluster_primary()].hangs = false;
        cluster_run(10000);
        end_well();
        if (cluster.counts.deposed > 0)
            cluster_fail("a node was replaced although the database was away");
    }
    assert_true(cluster.counts.told > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_replaced_because_the_database_was_away),
        cmocka_unit_test(an_old_primary_without_standbys_is_not_believed),
        cmocka_unit_test(the_same_seed_is_the_same_world),
        cmocka_unit_test(nothing_that_was_told_is_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
