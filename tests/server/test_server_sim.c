/* test_server_sim.c -- runs the simulator; tests/server/sim/sim.h explains what it checks. Clients
 * play all games under all conditions: late and lost messages, dead connections, a store that is
 * slow or full, late timers, stalls of seconds after which everything arrives at the same time, a
 * server that is killed or shut down and restarted.
 *
 * MASH_SIM_SEEDS is the number of seeds, MASH_SIM_FIRST the first of them; without it MASH_MATCHES
 * shortens the run as it does for other tests. A failure prints its seed and the command that
 * repeats it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "server/internal.h"
#include "standard/server.h"
#include "tests/server/sim/sim.h"

enum { SEEDS = 16, CROWD = 12, RUN_MS = 30000 };

static uint64_t fingerprint; /* of every message that left the server */

/* --- The server ------------------------------------------------------------------------------- */

static void watch(void *unused, const char *bytes, uint32_t count) {
    fingerprint = hash_bytes(fingerprint, bytes, count);
    oracle_check_message(unused, bytes, count);
}

static void open_server(void) {
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    static StandardConfig standard;
    ServerSetup setup = server_setup("fake:");
    standard = standard_config();
    server_add_protocol(&setup, &standard_protocol, &standard);
    fake_disk_use(sim.disk, &setup.store);
    setup.strikes = 3;
    setup.log = simulation_log;
    sim.server = server_open(sim.loop, &setup, &problem);
    if (sim.server == NULL)
        simulation_fail("the server does not open: %s", memory);
    oracle_restart();
}

/* The server goes down, with or without a shutdown, and restarts some time later. */
static void close_and_open(void) {
    sim.counts.kills++;
    if (simulation_draw(3) == 0) {
        server_drain(sim.server, 100);
        fake_run(sim.loop, simulation_draw(300));
    } else {
        fake_disk_kill(sim.disk);
    }
    server_close(sim.server);
    sim.server = NULL;
    fake_stall(sim.loop, 0); /* not stalled any more: it is down */
    fake_run(sim.loop, simulation_draw(2000));
    open_server();
}

/* --- A seed ----------------------------------------------------------------------------------- */

static FaultRates draw_faults(void) {
    static const uint32_t delays[] = {0, 3, 40, 300}, lates[] = {0, 5, 30, 200},
                          timers[] = {0, 0, 0, 100, 2000, 4000};
    FaultRates faults = {0};
    faults.delay_ms = delays[simulation_draw(4)];
    faults.late_ms = lates[simulation_draw(4)];
    faults.full_every = simulation_draw(6) == 0 ? 2 + simulation_draw(200) : 0;
    faults.kill_every = simulation_draw(3) == 0 ? 0 : 2 + simulation_draw(20);
    faults.cut_every = simulation_draw(3) == 0 ? 0 : 100 + simulation_draw(1000);
    faults.slow_every = 50 + simulation_draw(2000);
    faults.end_every = 20 + simulation_draw(400);
    faults.timers_late_ms = timers[simulation_draw(6)];
    faults.stall_every = simulation_draw(2) == 0 ? 0 : 2 + simulation_draw(20);
    faults.stall_ms = 200 + simulation_draw(8000);
    return faults;
}

static void run_seed(uint64_t seed) {
    simulation_begin(seed);
    sim.faults = draw_faults();
    sim.ending = false;
    sim.log_count = 0;
    sim.next_id = 0;
    fingerprint = 0;
    sim.loop = net_loop_open();
    fake_seed(sim.loop, seed);
    fake_delays(sim.loop, sim.faults.delay_ms);
    fake_lateness(sim.loop, sim.faults.timers_late_ms);
    fake_on_send(sim.loop, watch, NULL);
    sim.disk = fake_disk_new(&(FakeDiskSetup){.loop = sim.loop,
                                              .seed = seed,
                                              .late_ms = sim.faults.late_ms,
                                              .full_every = sim.faults.full_every,
                                              .on_record = oracle_record,
                                              .on_finish = oracle_finish});
    open_server();
    clients_open(CROWD);
    for (uint32_t second = 0; second < RUN_MS / 1000; second++) {
        fake_run(sim.loop, 1000);
        if (sim.faults.stall_every > 0 && simulation_draw(sim.faults.stall_every) == 0)
            simulation_stall(simulation_draw(sim.faults.stall_ms));
        if (sim.faults.kill_every > 0 && simulation_draw(sim.faults.kill_every) == 0)
            close_and_open();
    }
    sim.ending = true;
    clients_leave();
    fake_lateness(sim.loop, 0);
    fake_run(sim.loop, 20 * 60 * 1000);
    oracle_end();
    if (sim.server->tables_count != 0 || sim.server->first != NULL ||
        sim.server->sessions_count != 0 || fake_disk_open_matches(sim.disk) != 0)
        simulation_fail("%u tables, %u sessions and %u matches of the store are left",
                        sim.server->tables_count, sim.server->sessions_count,
                        fake_disk_open_matches(sim.disk));
    server_close(sim.server);
    clients_close();
    net_loop_close(sim.loop);
    fake_disk_release(sim.disk);
    oracle_reset();
}

static uint64_t number_of(const char *name, uint64_t usual) {
    const char *wanted = getenv(name);
    return wanted == NULL ? usual : strtoull(wanted, NULL, 10);
}

static void the_same_seed_is_the_same_world(void **unused) {
    (void)unused;
    run_seed(1);
    uint64_t first = fingerprint;
    run_seed(1);
    assert_true(fingerprint == first && first != 0);
}

static void many_clients_play_under_all_conditions(void **unused) {
    (void)unused;
    uint64_t usual =
        getenv("MASH_MATCHES") == NULL ? SEEDS : 1 + number_of("MASH_MATCHES", 0) / 100;
    uint64_t first = number_of("MASH_SIM_FIRST", 1), seeds = number_of("MASH_SIM_SEEDS", usual);
    memset(&sim.counts, 0, sizeof sim.counts);
    uint64_t signature = 0;
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        run_seed(seed);
        signature = hash_bytes(signature, &fingerprint, sizeof fingerprint);
    }
    const SimCounts *counts = &sim.counts;
    printf("%llu seeds: %llu matches", (unsigned long long)seeds,
           (unsigned long long)counts->matches);
    for (uint32_t i = 0; mash_games[i] != NULL; i++)
        printf(", %llu %s", (unsigned long long)counts->by_game[i], mash_games[i]->id);
    printf("; %llu actions, %llu positions of %llu messages, %llu requests, %llu refusals, "
           "%llu restarts, %llu lost lines, %llu stalls, %llu turns out of time, %llu steps of "
           "several actions, %llu undone, %llu of them accepted takebacks; signature %016llx\n",
           (unsigned long long)counts->actions, (unsigned long long)counts->positions,
           (unsigned long long)counts->frames, (unsigned long long)counts->requests,
           (unsigned long long)counts->refusals, (unsigned long long)counts->kills,
           (unsigned long long)counts->cuts, (unsigned long long)counts->stalls,
           (unsigned long long)counts->timeouts, (unsigned long long)counts->steps,
           (unsigned long long)counts->undos, (unsigned long long)counts->takebacks,
           (unsigned long long)signature);
    assert_true(counts->steps > 0 && counts->undos > 0);
    assert_true(counts->archived + counts->forgotten == counts->matches && counts->matches > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_seed_is_the_same_world),
                                       cmocka_unit_test(many_clients_play_under_all_conditions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
