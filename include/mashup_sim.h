/* mashup_sim.h -- the games as a simulator for programs that look ahead: libmashup.so.
 *
 * A MashSim is one position of one match. Copies are cheap, an action can be tried and undone, what
 * a server sent can be loaded, and what is hidden can be guessed. The same functions, with the same
 * names without "mash_sim_", are in mashup.py, in mashup.mjs (as WebAssembly) and, as lines of
 * JSON, in `mashup engine`. docs/bots.md tells how to make a player of them.
 *
 *     MashSim *sim = mash_sim_begin("{\"game\":\"zorde\"}", 7);
 *     uint64_t list[1024];
 *     while (mash_sim_result(sim) == MASH_SIM_RUNNING) {
 *         uint32_t seat = (mash_sim_awaited(sim) & 1) != 0 ? 0 : 1;
 *         uint32_t count = mash_sim_actions(sim, seat, list, 1024);
 *         mash_sim_apply(sim, list[rand() % count]);
 *     }
 *
 * An action is its eight bytes as one number, the lowest byte first: verb, seat, unit, ability, x,
 * y, other, amount; x and y are signed. Everything is in the byte order of the machine, which has
 * to be little-endian.
 *
 * A sim and all that were cloned from it belong to one thread at a time. Texts are UTF-8, end with
 * a NUL and are valid until the next call with that sim, its clones or, for texts without a sim, of
 * that function. A function that fails returns NULL or a negative number, and mash_sim_error() says
 * what is wrong in this thread.
 *
 * load() trusts its bytes: they have to be what a server of the same version sent, or what bytes()
 * wrote. Other bytes may end the process, as any wrong memory may. */
#ifndef MASHUP_SIM_H
#define MASHUP_SIM_H
#include <stdint.h>

/* For C++ as well. */
#ifdef __cplusplus
extern "C" {
#endif

/* Answers of mash_sim_result(), special seats, and what is wrong in general. */
enum {
    MASH_SIM_RUNNING = -1,    /* nobody has won yet */
    MASH_SIM_DRAWN = 2,       /* otherwise it is the winner, 0 or 1 */
    MASH_SIM_ALL = 254,       /* as a seat: everything, nothing is hidden */
    MASH_SIM_SPECTATOR = 255, /* as a seat: what everybody may see */
    MASH_SIM_FAILED = -1,
};

/* A position of a match. */
typedef struct MashSim MashSim;

/* What random matches from a position led to. */
typedef struct MashSimPlayouts {
    uint64_t wins[2], draws; /* matches won by seat 0, won by seat 1, drawn */
    uint64_t actions;        /* actions of all of them together */
} MashSimPlayouts;

/* The version of the library: 0.2.0. Programs made for 0.2 run with every 0.2. */
const char *mash_sim_version(void);
/* What went wrong last in this thread; "" at first. */
const char *mash_sim_error(void);
/* All games as JSON: a list of id, title, version, presets and options. */
const char *mash_sim_games(void);

/* The beginning of a match: a JSON object with `game` and, if wanted, `preset`, `options` and
 * `documents` as in the arena's `open` and `table`; other keys are ignored, so that the `table`
 * that a server sent can be given as it is. */
MashSim *mash_sim_begin(const char *table, uint64_t seed);
/* A copy without what can be undone; and the end of a sim (NULL is ignored). */
MashSim *mash_sim_clone(const MashSim *sim);
void mash_sim_drop(MashSim *sim);

/* Puts what a seat sees in place of the position: the bytes of `view` of the arena's `position`
 * (with "view": "bytes" in `hello`), of the same game, preset and documents. 0, or it failed. */
int32_t mash_sim_load(MashSim *sim, uint32_t seat, const void *view, uint32_t count);
/* Writes what a seat sees as bytes for load(), at most `max`. How many bytes it has. */
uint32_t mash_sim_bytes(MashSim *sim, uint32_t seat, void *out, uint32_t max);
/* Makes the view that was loaded a whole state that it could be, and decides chance by this seed
 * from now on. Without it a view cannot be applied to; where nothing is hidden it changes nothing.
 * 0. */
int32_t mash_sim_guess(MashSim *sim, uint64_t seed);

/* The seats that the match waits for: bit 0, bit 1; 0: it is over. */
uint32_t mash_sim_awaited(const MashSim *sim);
/* The winner, MASH_SIM_DRAWN or MASH_SIM_RUNNING. */
int32_t mash_sim_result(const MashSim *sim);
/* Writes all legal actions of a seat, ascending, at most `max`. How many there are. */
uint32_t mash_sim_actions(MashSim *sim, uint32_t seat, uint64_t *out, uint32_t max);
/* The legal action of a seat with this notation ("move h0 3 4"), in upper or lower case. 0, or
 * there is none. */
int32_t mash_sim_find(MashSim *sim, uint32_t seat, const char *word, uint64_t *action);
/* Applies an action. 0, or it is not legal and nothing has changed. */
int32_t mash_sim_apply(MashSim *sim, uint64_t action);
/* Takes back the last action that was applied to this sim. 0, or there is none. */
int32_t mash_sim_undo(MashSim *sim);

/* Plays this many matches to the end from here with random actions, each with its own chance and
 * its own guess of what is hidden; the sim is as before. 0. */
int32_t mash_sim_playout(MashSim *sim, uint64_t seed, uint32_t count, MashSimPlayouts *out);
/* How good the position is for a seat by what the built-in players know, from -1000000 to 1000000;
 * beyond that it is won or lost. 0 for a game about which they know nothing. */
int32_t mash_sim_evaluate(const MashSim *sim, uint32_t seat);
/* What the built-in player of this level (1 to 8; in some games there is a 9) would do for a seat.
 * 0, or it has nothing to do. */
int32_t mash_sim_think(MashSim *sim, uint32_t seat, uint32_t level, uint64_t seed,
                       uint64_t *action);

/* What a seat sees as JSON: the message `position` of the arena, with words. */
const char *mash_sim_position(MashSim *sim, uint32_t seat);
/* The events of the last action that a seat may see, as JSON: a list as in `position`. */
const char *mash_sim_events(MashSim *sim, uint32_t seat);
/* What an action would do as JSON: for each unit its health before and after and how likely it
 * falls, what happens besides, and how likely it wins, in thousandths. Outcomes that cannot be
 * counted are sampled so often, 1 to 64. NULL: it is not legal. */
const char *mash_sim_preview(MashSim *sim, uint64_t action, uint32_t samples);
/* An action as JSON: its fields, name and id of its verb, and its notation. */
const char *mash_sim_describe(MashSim *sim, uint64_t action);

#ifdef __cplusplus
}
#endif

#endif
