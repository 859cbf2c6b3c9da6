/* sim.h -- the simulator: a whole house with its sessions, lobby, tables, clocks and journal, over
 * a network, a clock and a store of our own, all from one seed.
 *
 * The oracle replays every match from the records that the store has announced, and nothing else,
 * and knows therefore what each one may have been told by now. It looks at every message that
 * leaves the house: a position must be, byte for byte, the one that follows from what is safe. The
 * actors are the crowd: they play, leave, come back, talk nonsense and lose their lines; each wants
 * an answer to each wish. Whatever is wrong ends in sim_fail(), which prints the seed. */
#ifndef TESTS_SERVER_SIM_SIM_H
#define TESTS_SERVER_SIM_SIM_H
#include "base/chance.h"
#include "match/match.h"
#include "proto/position.h"
#include "server/server.h"
#include "tests/server/fake/net.h"
#include "tests/server/fake/store.h"

/* --- The world (sim.c) ------------------------------------------------------------------------ */

/* How the world of one seed is. */
typedef struct FaultRates {
    uint32_t delay_ms, late_ms, full_every;
    uint32_t kill_every, cut_every; /* deeds of the crowd between two, on average; 0 = never */
    uint32_t slow_every;            /* one deed in so many comes after a long think */
    uint32_t end_every;             /* one deed at the board in so many gives up or talks */
    uint32_t timers_late_ms;        /* timers of the server are up to so late */
    uint32_t stall_every, stall_ms; /* seconds between two stalls, on average, and the longest */
} FaultRates;

/* Games that are counted apart. */
enum { GAMES_MAX = 16 };

/* What one run has seen. */
typedef struct SimCounts {
    uint64_t matches, archived, forgotten, actions, frames, positions, requests, refusals, kills,
        cuts, timeouts;
    uint64_t by_game[GAMES_MAX];
    uint64_t stalls;
} SimCounts;

/* The world. */
typedef struct Sim {
    NetLoop *loop;
    FakeDisk *disk;
    Server *server; /* NULL: it is down */
    uint64_t seed;
    MashChance chance;
    FaultRates weather;
    SimCounts counts;
    bool ending;       /* nobody begins anything new */
    char log[1 << 16]; /* the last lines of the house */
    uint32_t log_count;
    int32_t next_id; /* of a wish */
} Sim;
extern Sim sim;

/* A new world. */
void sim_begin(uint64_t seed);
/* A number from 0 to values - 1. */
uint32_t sim_draw(uint32_t values);
/* The server is kept from running for so long. */
void sim_stall(uint32_t ms);
/* How long it was kept from running between two dates; `fair`: only what it must have noticed and
 * given back to the players. */
uint64_t sim_stalled(uint64_t from_ms, uint64_t to_ms, bool fair);
/* Prints the seed, the command that repeats it, and what is wrong; ends the test. */
_Noreturn void sim_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reads a message of the house; valid until the next one. It must be one of the list. */
const Message *sim_read(const char *bytes, uint32_t count);
/* Takes a line of the house's log; no error may be among them. */
void sim_log(void *unused, const char *line);
/* The content of a preset, loaded once for all seeds. */
const MashContent *sim_content(const char *game, const char *preset);

/* --- The oracle (oracle.c) -------------------------------------------------------------------- */

/* Forgets all matches. */
void oracle_reset(void);
/* The store has this safe. */
void oracle_record(void *unused, const StoreRecord *record);
void oracle_finish(void *unused, const StoreEntry *entry, const char *bytes, size_t count);
/* A message leaves the house. */
void oracle_check_message(void *unused, const char *bytes, uint32_t count);
/* The house has opened again: clocks of turns begin anew. */
void oracle_restart(void);
/* Clocks of this match stand still at times that the oracle does not know. */
void oracle_ignore_clocks(const char *code);
/* How many actions of its own a seat of the match has made that are safe. */
uint32_t oracle_acts(const char *code, uint8_t seat);
/* Every match has ended and is in the archive, unless no player has done anything in it. */
void oracle_end(void);

/* --- The crowd (actor.c) ---------------------------------------------------------------------- */

/* Makes the crowd, which begins to come. */
void clients_open(uint32_t count);
/* All go home; nothing is freed while messages travel. */
void clients_leave(void);
void clients_close(void);

#endif
