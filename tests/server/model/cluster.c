/* cluster.c -- see cluster.h: processes, machines, and what happens to them. */
#include "tests/server/model/cluster.h"
#include "server/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MAX = 64 };

/* Something that is to happen later. */
typedef struct Later {
    uint64_t at_ms;
    void (*call)(int which);
    int which;
} Later;

Cluster cluster;
const char *cluster_test = "test_cluster_sim";
static Later later[EVENTS_MAX];
static uint32_t later_count;
static bool machine_fault; /* one is under way: no second machine is lost before it is over */
static int primary;        /* that the manager wants */

_Noreturn void cluster_fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fprintf(stderr, "\nseed %llu, after %llu ms: ", (unsigned long long)sim.seed,
            (unsigned long long)cluster.now_ms);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr,
            "\nto see it again: MASH_SIM_FIRST=%llu MASH_SIM_SEEDS=1 build/release/tests/%s\n%s",
            (unsigned long long)sim.seed, cluster_test,
            getenv("MASH_SIM_LOG") == NULL ? "" : cluster.log);
    fflush(NULL);
    exit(1);
}

static void oracle_fails(const char *reason) { cluster_fail("%s", reason); }

/* A line for the log of the whole cluster. */
static void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void note(const char *format, ...) {
    va_list list;
    if (cluster.log_count + 1024 > sizeof cluster.log)
        cluster.log_count = 0;
    cluster.log_count += (uint32_t)snprintf(cluster.log + cluster.log_count, 32,
                                            "%6llu ms: ", (unsigned long long)cluster.now_ms);
    va_start(list, format);
    int count = vsnprintf(cluster.log + cluster.log_count, 900, format, list);
    va_end(list);
    cluster.log_count += (uint32_t)(count < 900 ? count : 899);
    cluster.log_count += (uint32_t)snprintf(cluster.log + cluster.log_count, 2, "\n");
}

/* Something happens in so many milliseconds. */
static void in_ms(uint64_t ms, void (*call)(int which), int which) {
    assert(later_count < EVENTS_MAX);
    later[later_count++] = (Later){cluster.now_ms + ms, call, which};
}

/* --- Nodes ------------------------------------------------------------------------------------ */

static uint64_t clock_of(int node) { return net_now_ms(cluster.nodes[node].loop); }

static int number_of(const ClusterNode *node) { return (int)(node - cluster.nodes); }

static void on_log(void *owner, const char *line) {
    note("node %d: %s", number_of(owner), line);
    if (strstr(line, "TWO WRITERS") != NULL)
        cluster_fail("%s", line);
}

static void on_stopped(void *owner, bool failed) {
    (void)failed;
    ((ClusterNode *)owner)->stopped = true;
}

static void on_send(void *owner, const char *bytes, uint32_t count) {
    (void)owner;
    history_told(bytes, count);
    contestants_told(bytes, count);
}

/* The process of a node opens its server; in a coroutine, because it waits for the database. */
static void open_server(void *owner) {
    ClusterNode *node = owner;
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    ServerSetup setup = server_setup("postgres:");
    setup.store.node = (uint32_t)number_of(node);
    setup.store.url = node->url;
    setup.store.copies = cluster.world.copies;
    setup.log = on_log;
    setup.stopped = on_stopped;
    setup.owner = node;
    Server *server = server_open(node->loop, &setup, &problem);
    if (server == NULL) {
        note("node %d does not open: %s", number_of(node), memory);
        node->start_ms = cluster.now_ms + 200 + simulation_draw(1000);
    }
    fake_stall(node->loop, 0);
    node->server = server;
    node->opening = false;
}

/* The process is gone. */
static void end_node(ClusterNode *node, bool silently) {
    int number = number_of(node);
    if (node->opening) {
        model.dead[number] = true; /* it notices when it goes on */
        return;
    }
    if (node->server == NULL)
        return;
    model.dead[number] = true;
    cluster.counts.deposed += server_is_deposed(node->server);
    StoreStats stats = store_stats(node->server->store);
    cluster.counts.taken += stats.taken;
    cluster.counts.asked += stats.asked;
    fake_stall(node->loop, 0);
    node->stalled_until_ms = 0;
    model_node = number;
    server_close(node->server);
    model_drop_node(number, silently);
    node->server = NULL;
    node->stopped = node->leaves = false;
}

/* What a node does in a millisecond. */
static void run_node(ClusterNode *node) {
    int number = number_of(node);
    if (node->stopped) {
        note("node %d ends", number);
        end_node(node, false);
        node->start_ms = cluster.now_ms + 50 + simulation_draw(2000);
    }
    if (node->start_ms != 0 && cluster.now_ms >= node->start_ms && !node->opening) {
        node->start_ms = 0;
        node->opening = true;
        model.dead[number] = false;
        note("node %d starts", number);
        fake_stall(node->loop, UINT32_MAX); /* its loop runs when it is open */
        threads_spawn(number, open_server, node);
    }
    node->parts += node->permille;
    uint64_t ms = node->parts / 1000;
    node->parts %= 1000;
    model_node = number;
    bool threads_first = simulation_draw(2) == 0, runs = cluster.now_ms >= node->stalled_until_ms;
    if (runs && threads_first)
        threads_run(number);
    fake_run(node->loop, ms);
    if (runs && !threads_first)
        threads_run(number);
}

/* --- Faults of nodes -------------------------------------------------------------------------- */

static ClusterNode *some_node(void) {
    return &cluster.nodes[1 + simulation_draw((uint32_t)cluster.world.nodes)];
}

void cluster_kill(int number) {
    ClusterNode *node = &cluster.nodes[number];
    bool silently = simulation_draw(2) == 0;
    note("node %d is killed", number_of(node));
    end_node(node, silently);
    if (node->start_ms == 0 && !node->opening)
        node->start_ms =
            cluster.now_ms + 50 + simulation_draw(simulation_draw(2) == 0 ? 1000 : 9000);
    cluster.counts.kills++;
}

void cluster_take_few(void) {
    for (int i = 1; i <= cluster.world.nodes; i++)
        if (cluster.nodes[i].server != NULL)
            ((Postgres *)cluster.nodes[i].server->store)->take_max = 1;
}

static void kill_node(void) { cluster_kill(number_of(some_node())); }

static void stall_node(void) {
    ClusterNode *node = some_node();
    uint32_t ms = 100 + simulation_draw(simulation_draw(2) == 0 ? 2500 : 12000);
    if (node->server == NULL || cluster.now_ms < node->stalled_until_ms)
        return;
    note("node %d sleeps for %u ms", number_of(node), ms);
    node->stalled_until_ms = cluster.now_ms + ms;
    fake_stall(node->loop, ms * (uint64_t)node->permille / 1000);
    cluster.counts.stalls++;
}

static void mend_cut(int which) { model.cut[which / MACHINES_MAX][which % MACHINES_MAX] = false; }

static void cut_node(void) {
    int node = number_of(some_node());
    uint32_t ms = 100 + simulation_draw(simulation_draw(2) == 0 ? 3000 : 9000);
    bool all = simulation_draw(2) == 0;
    note("node %d is cut off %s for %u ms", node, all ? "" : "in part", ms);
    for (int i = 0; i < cluster.world.machines; i++)
        if (!model.cut[node][i] && (all || simulation_draw(2) == 0)) {
            model.cut[node][i] = true;
            in_ms(ms, mend_cut, node * MACHINES_MAX + i);
        }
    cluster.counts.cuts++;
}

static void leave_node(void) {
    ClusterNode *node = some_node();
    if (node->server == NULL || node->leaves || cluster.now_ms < node->stalled_until_ms)
        return;
    note("node %d leaves", number_of(node));
    node->leaves = true;
    model_node = number_of(node);
    server_drain(node->server, 1000);
    cluster.counts.leaves++;
}

static void reset_session(void) {
    Backend *session = &model.sessions[simulation_draw(BACKENDS_MAX)];
    if (!session->used || session->client_gone)
        return;
    model_reset(session);
    cluster.counts.resets++;
}

/* A person, or a time-out, cancels statements that wait for a standby. */
static void cancel_waits(void) {
    for (uint32_t i = 0; i < BACKENDS_MAX; i++)
        if (model.sessions[i].used && model.sessions[i].state == BACKEND_COMMITS) {
            cluster.counts.cancels++;
            model_cancel(&model.sessions[i]);
        }
}

/* --- Faults of machines ----------------------------------------------------------------------- */

static void all_well(int which) {
    (void)which;
    machine_fault = false;
}

static void catch_up(int which) {
    (void)which;
    model.lag_ms = 0;
}

static void lag(void) {
    model.lag_ms = 1 + simulation_draw(600);
    in_ms(100 + simulation_draw(4000), catch_up, 0);
    cluster.counts.lags++;
}

/* A machine comes back as a standby. */
static void rejoin(int machine) {
    note("machine %d follows machine %d", machine, primary);
    model_follow(machine, primary);
    in_ms(500 + simulation_draw(500), all_well, 0);
}

static void start_again(int machine) {
    note("machine %d starts again", machine);
    model_start(machine);
    in_ms(500, all_well, 0);
}

static void wake_machine(int machine) {
    model.machines[machine].hangs = false;
    in_ms(500, all_well, 0);
}

/* The standby that has most; -1 = none. */
static int best_standby(void) {
    int best = -1;
    for (int i = 0; i < cluster.world.machines; i++)
        if (model.machines[i].up && !model.machines[i].primary &&
            model.machines[i].upstream == primary &&
            (best < 0 || model.machines[i].log_count > model.machines[best].log_count))
            best = i;
    return best;
}

/* The manager makes a standby the primary; the others follow it, but not the old one yet. */
static void promote(int old) {
    int best = best_standby();
    note("machine %d is promoted with %u of %u; %d %s", best, model.machines[best].log_count,
         model.machines[old].log_count, old, model.machines[old].up ? "goes on" : "is down");
    cluster.counts.promotions++;
    cluster.counts.zombies += model.machines[old].up;
    model_promote(best,
                  cluster.world.waits || (cluster.world.drops_names && simulation_draw(2) == 0));
    primary = best;
    for (int i = 0; i < cluster.world.machines; i++)
        if (i != best && i != old)
            model_follow(i, best);
    in_ms(200 + simulation_draw(9000), rejoin, old);
}

void cluster_split(void) {
    assert(cluster.world.machines == 3 && primary == 0);
    note("machine 0 is cut off with node 1, and waits for nobody any more");
    model.machines[0].waits = false;
    for (int i = 1; i <= cluster.world.nodes; i++)
        for (int machine = 0; machine < cluster.world.machines; machine++)
            model.cut[i][machine] = (i == 1) != (machine == 0);
    model_promote(1, true);
    primary = 1;
    model_follow(2, 1);
}

/* May a promotion lose what only the primary has? Not where commits return before a standby has
 * them, and nobody counts copies. */
static bool may_promote(void) {
    int best = best_standby();
    bool safe = cluster.world.waits || cluster.world.copies > 1;
    return best >= 0 &&
           (safe || (!model.machines[primary].up &&
                     model.machines[best].log_count == model.machines[primary].log_count));
}

/* The primary is down: promotes another, or starts it again. */
static void decide(int old) {
    if (may_promote())
        promote(old);
    else
        start_again(old);
}

static void lose_primary(void) {
    note("machine %d, the primary, is killed", primary);
    model_kill(primary);
    cluster.counts.machine_kills++;
    uint32_t ms = 50 + simulation_draw(4000);
    in_ms(ms, simulation_draw(3) == 0 ? start_again : decide, primary);
}

static void lose_machine(void) {
    if (machine_fault)
        return;
    machine_fault = true;
    int standby = best_standby();
    uint32_t how = simulation_draw(5);
    if (how == 0 && standby >= 0) {
        note("machine %d, a standby, is killed", standby);
        model_kill(standby);
        cluster.counts.machine_kills++;
        in_ms(50 + simulation_draw(6000), rejoin, standby);
    } else if (how == 1) {
        note("machine %d, the primary, hangs", primary);
        model.machines[primary].hangs = true;
        cluster.counts.hangs++;
        in_ms(100 + simulation_draw(7000), wake_machine, primary);
    } else if (how <= 3 && standby >= 0 && may_promote()) {
        promote(primary); /* it was only cut off from the others */
    } else {
        lose_primary();
    }
}

/* The manager switches waiting for a standby on or off. */
static void switch_names(void) {
    if (!cluster.world.drops_names)
        return;
    model.machines[primary].waits = !model.machines[primary].waits;
    note("machine %d %s for standbys", primary,
         model.machines[primary].waits ? "waits" : "does not wait");
    cluster.counts.names++;
}

static void draw_fault(void) {
    static void (*const faults[])(void) = {kill_node,    stall_node,   stall_node,    cut_node,
                                           cut_node,     leave_node,   reset_session, reset_session,
                                           lag,          lose_machine, lose_machine,  switch_names,
                                           cancel_waits, cancel_waits};
    faults[simulation_draw(sizeof faults / sizeof *faults)]();
}

/* --- The world -------------------------------------------------------------------------------- */

int cluster_primary(void) { return primary; }

void cluster_open(uint64_t seed, const World *world) {
    ClusterCounts counts = cluster.counts;
    char memory[512];
    MashText problem = text_over(memory, sizeof memory);
    memset(&cluster, 0, sizeof cluster);
    cluster.counts = counts;
    cluster.world = *world;
    sim.states_kept = 4096;
    sim.faults.full_every = 1; /* the oracle looks at no clocks: nodes have their own */
    sim.fails = oracle_fails;
    later_count = 0;
    machine_fault = false;
    primary = 0;
    history_reset();
    model_clock = clock_of;
    model_open(world->machines, seed);
    model.travel_ms = world->travel_ms;
    model.lose_every = world->lose_every;
    model.machines[0].waits = world->waits || world->drops_names;
    cluster.now_ms = 1000;
    for (int i = 1; i <= world->nodes; i++) {
        ClusterNode *node = &cluster.nodes[i];
        node->loop = net_loop_open();
        fake_seed(node->loop, seed * 16 + (uint64_t)i);
        fake_on_send(node->loop, on_send, node);
        node->permille = 960 + simulation_draw(81);
        node->start_ms = cluster.now_ms + 1 + simulation_draw(500);
        snprintf(node->url, sizeof node->url, "ws://node%d/arena", i);
    }
    sim.loop = cluster.nodes[1].loop;
    model_node = 1;
    if (!store_upgrade("postgres:", on_log, &cluster.nodes[1], &problem))
        cluster_fail("%s", memory);
}

void cluster_run(uint64_t ms) {
    for (uint64_t end = cluster.now_ms + ms; cluster.now_ms < end;) {
        cluster.now_ms++;
        for (uint32_t i = 0; i < later_count; i++)
            if (cluster.now_ms >= later[i].at_ms) {
                Later now = later[i];
                later[i--] = later[--later_count];
                now.call(now.which);
            }
        if (!cluster.healing && simulation_draw(cluster.world.fault_every) == 0)
            draw_fault();
        model_run(cluster.now_ms);
        uint32_t first = simulation_draw((uint32_t)cluster.world.nodes);
        for (int i = 0; i < cluster.world.nodes; i++)
            run_node(&cluster.nodes[1 + ((int)first + i) % cluster.world.nodes]);
        players_run();
        contestants_run();
    }
}

void cluster_heal(void) {
    note("everything is mended");
    cluster.healing = true;
    model.lose_every = model.lag_ms = 0;
    memset(model.cut, 0, sizeof model.cut);
    later_count = 0;
    for (int i = 0; i < cluster.world.machines; i++)
        model.machines[i].hangs = false;
    if (!model.machines[primary].up)
        model_start(primary);
    for (int i = 0; i < cluster.world.machines; i++)
        if (i != primary && (!model.machines[i].up || model.machines[i].upstream != primary))
            model_follow(i, primary);
    model.machines[primary].waits = cluster.world.waits || cluster.world.drops_names;
    for (int i = 1; i <= cluster.world.nodes; i++) {
        ClusterNode *node = &cluster.nodes[i];
        if (cluster.now_ms < node->stalled_until_ms)
            fake_stall(node->loop, 0);
        node->stalled_until_ms = 0;
        if (node->server == NULL && !node->opening)
            node->start_ms = cluster.now_ms + 1;
    }
}

void cluster_close(void) {
    cluster.counts.statements += model.statements;
    cluster.counts.lost += model.lost;
    cluster.counts.waited += model.waited;
    players_close();
    contestants_close();
    for (int i = 1; i <= cluster.world.nodes; i++) {
        ClusterNode *node = &cluster.nodes[i];
        end_node(node, false);
        while (node->opening)
            threads_run(i);
        end_node(node, false);
        net_loop_close(node->loop);
    }
    model_close();
    history_reset();
    sim.fails = NULL;
    sim.states_kept = 0;
}
