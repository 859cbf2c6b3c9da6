/* sim.h -- the simulator: a whole server with its sessions, lobby, tables, clocks and journal, over
 * a simulated network, clock and store, all from one seed.
 *
 * The oracle replays every match from nothing but the records that the store has announced, and
 * therefore knows what each client may have received by now. It checks every message that leaves
 * the server: a position must be, byte for byte, the one that follows from durable records. The
 * actors are the clients: they play, leave, reconnect, send nonsense and lose their connections;
 * each expects an answer to each request. Any failure ends in simulation_fail(), which prints the
 * seed.
 */
#ifndef TESTS_SERVER_SIM_SIM_H
#define TESTS_SERVER_SIM_SIM_H
#include "base/chance.h"
#include "match/match.h"
#include "proto/position.h"
#include "server/server.h"
#include "tests/server/fake/net.h"
#include "tests/server/fake/store.h"

/* --- The simulation (sim.c) ------------------------------------------------------------------- */

/* The parameters of one seed. */
typedef struct FaultRates {
    uint32_t delay_ms, late_ms, full_every;
    uint32_t kill_every, cut_every; /* actor steps between two, on average; 0 = never */
    uint32_t slow_every;            /* one actor step in this many comes after a long pause */
    uint32_t end_every;             /* one step at the board in this many resigns or chats */
    uint32_t timers_late_ms;        /* timers of the server are up to this late */
    uint32_t stall_every, stall_ms; /* seconds between two stalls, on average, and the longest */
} FaultRates;

/* Games that are counted separately. */
enum { GAMES_MAX = 16 };

/* Statistics of one run. */
typedef struct SimCounts {
    uint64_t matches, archived, forgotten, actions, frames, positions, requests, refusals, kills,
        cuts, timeouts, steps, undos, takebacks;
    uint64_t by_game[GAMES_MAX];
    uint64_t stalls;
} SimCounts;

/* The simulation. */
typedef struct Sim {
    NetLoop *loop;
    FakeDisk *disk;
    Server *server; /* NULL: it is down */
    uint64_t seed;
    MashChance chance;
    FaultRates faults;
    SimCounts counts;
    bool ending;       /* nobody starts anything new */
    char log[1 << 16]; /* the last log lines of the server */
    uint32_t log_count;
    int32_t next_id;      /* of a request */
    uint32_t states_kept; /* past states that the oracle keeps of a match; 0 = the usual number */
    void (*fails)(const char *reason); /* what simulation_fail() does instead; NULL = as usual */
} Sim;
extern Sim sim;

/* Starts a new simulation. */
void simulation_begin(uint64_t seed);
/* A number from 0 to values - 1. */
uint32_t simulation_draw(uint32_t values);
/* Stalls the server for this long. */
void simulation_stall(uint32_t ms);
/* How long it was stalled between two times; `fair`: only what it must have noticed and given back
 * to the players. */
uint64_t simulation_stalled(uint64_t from_ms, uint64_t to_ms, bool fair);
/* Prints the seed, the command that repeats it, and the failure; ends the test. */
_Noreturn void simulation_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Parses a message of the server; valid until the next one. It must be a known kind. */
const Message *simulation_read(const char *bytes, uint32_t count);
/* Takes a log line of the server; errors fail the test. */
void simulation_log(void *unused, const char *line);
/* The content of a preset, loaded once for all seeds. */
const MashContent *simulation_content(const char *game, const char *preset);

/* --- The oracle (oracle.c) -------------------------------------------------------------------- */

/* Forgets all matches. */
void oracle_reset(void);
/* This is durable in the store. */
void oracle_record(void *unused, const StoreRecord *record);
void oracle_finish(void *unused, const StoreEntry *entry, const char *bytes, size_t count);
/* A message leaves the server. */
void oracle_check_message(void *unused, const char *bytes, uint32_t count);
/* The server has restarted: turn clocks start again. */
void oracle_restart(void);
/* Clocks of this match are stopped at times that the oracle does not know. */
void oracle_ignore_clocks(const char *code);
/* How many durable actions of its own a seat of the match has made. */
uint32_t oracle_acts(const char *code, uint8_t seat);
/* The number of the last durable position as this viewer counts; 0 = there is no such match. */
uint32_t oracle_number(uint64_t match, uint8_t viewer);
/* Has it ended? */
bool oracle_over(uint64_t match);
/* Has a player made an action of the game in it? */
bool oracle_played(uint64_t match);
/* Every match has ended and is in the archive, unless no player has acted in it. */
void oracle_end(void);

/* --- The actors (actor.c) --------------------------------------------------------------------- */

/* Creates the actors, who start to connect. */
void clients_open(uint32_t count);
/* Disconnects everybody; nothing is freed while messages are in transit. */
void clients_leave(void);
void clients_close(void);

#endif
