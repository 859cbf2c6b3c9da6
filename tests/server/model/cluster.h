/* cluster.h -- the simulated cluster: nodes, each the real server over a network of its own and the
 * real store over the model of PostgreSQL (model.h), players who go where they are sent, faults,
 * and a history of everything that was said. One thread, one seed: time passes only in
 * cluster_run(). */
#ifndef TESTS_SERVER_MODEL_CLUSTER_H
#define TESTS_SERVER_MODEL_CLUSTER_H
#include "server/server.h"
#include "tests/server/model/model.h"
#include "tests/server/sim/sim.h"

/* --- Nodes and faults (cluster.c) ------------------------------------------------------------- */

/* How a seed's world is. */
typedef struct World {
    int nodes, machines;
    bool waits;       /* commits wait for a standby; the host has set synchronous_standby_names */
    uint32_t copies;  /* --copies of the nodes */
    bool drops_names; /* a manager switches waiting off and on as it likes: --copies must do */
    uint32_t lose_every, travel_ms;
    uint32_t fault_every; /* milliseconds between two faults, on average */
} World;

/* A node. */
typedef struct ClusterNode {
    NetLoop *loop;
    Server *server; /* NULL: the process does not run, or opens */
    bool opening, stopped, leaves;
    uint64_t start_ms; /* when it is started again; 0 = it is not to be */
    uint64_t stalled_until_ms;
    uint32_t permille; /* how fast its clock runs */
    uint64_t parts;    /* of a millisecond of it, in thousands */
    char url[64];
} ClusterNode;

/* What was done. */
typedef struct ClusterCounts {
    uint64_t kills, stalls, cuts, leaves, deposed, promotions, zombies, machine_kills, hangs, lags,
        resets, names, cancels, taken, asked, told, requests, matches, archived, statements, lost,
        waited, longest_ms;
} ClusterCounts;

/* The cluster that runs. */
typedef struct Cluster {
    World world;
    ClusterNode nodes[MODEL_NODES_MAX + 1]; /* from 1 */
    uint64_t now_ms;
    bool healing; /* no more faults */
    ClusterCounts counts;
    char log[1 << 16];
    uint32_t log_count;
} Cluster;
/* There is one at a time. */
extern Cluster cluster;
/* The test program, for the command that repeats a failure. */
extern const char *cluster_test;

/* Opens a world, with all machines and nodes. */
void cluster_open(uint64_t seed, const World *world);
/* Lets this many milliseconds pass, with faults unless it heals. */
void cluster_run(uint64_t ms);
/* Everything works again from now on: one primary, all machines follow, no cuts, no stalls. */
void cluster_heal(void);
void cluster_close(void);
/* All nodes take matches one at a time, so that each gets some. */
void cluster_take_few(void);
/* The primary and node 1 are cut off from the two other machines and nodes. A manager promotes one
 * of these; the old primary's own drops its standbys' names, so that commits return there. */
void cluster_split(void);
/* A node is killed now; it starts again after up to nine seconds. */
void cluster_kill(int node);
/* The machine that is the primary for everybody who is not cut off. */
int cluster_primary(void);
/* Says what is wrong, with the seed and the command that repeats it, and ends the program: it may
 * be in the middle of a coroutine. */
_Noreturn void cluster_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- Players (players.c) ---------------------------------------------------------------------- */

/* So many players who look for opponents, and some who watch. */
void players_open(uint32_t count);
/* What they do in this millisecond. */
void players_run(void);
/* All connections are lost; they come again after this time, up to four seconds later. */
void players_scatter(uint32_t ms);
/* From now on they end their matches and begin none. How many still play. */
uint32_t players_finish(void);
void players_close(void);

/* --- Players of a tournament (contestants.c) --------------------------------------------------
 */

/* What a tournament is. */
typedef struct Contests {
    uint32_t format; /* PROTO_FORMAT_... */
    bool free_order, two_legs;
    bool shy; /* they take no seat before this is false, and forget what they were told of it */
} Contests;
extern Contests contests;

/* So many players of one tournament, of which the first is the organiser. */
void contestants_open(uint32_t count);
/* What they do in this millisecond. */
void contestants_run(void);
/* A node sends a message to a client. */
void contestants_told(const char *bytes, uint32_t count);
/* Has anybody been told that the tournament is over? How many pairs the last message told of. */
bool contestants_over(void);
uint32_t contestants_pairs(void);
/* The node of the tournament in what a machine has; 0 = none. */
int contestants_node(int machine);
/* How often a player was sent to another node to take its seat. */
uint32_t contestants_moved(void);
/* How many results this machine has in which somebody did not come. */
uint32_t contestants_forfeits(int machine);
/* Compares all that was told with what this machine has in the end. */
void contestants_check(int machine);
void contestants_close(void);

/* --- The history (history.c) ------------------------------------------------------------------ */

/* Forgets everything. */
void history_reset(void);
/* A node sends a message to a client. */
void history_told(const char *bytes, uint32_t count);
/* A player asks for an action in this position. */
void history_asked(const char *code, uint8_t seat, int32_t number, MashAction action);
/* A player was given a seat. */
void history_seated(const char *code, uint8_t seat, uint32_t player);
/* A player was told that there is no such match any more; `over`: that it has ended. */
void history_gone(const char *code, bool over);
/* Compares all that was told and asked with what this machine has in the end. */
void history_check(int machine);
#endif
