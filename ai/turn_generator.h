/* turn_generator.h -- generates the possible turns of a seat, each state once. Private to ai/.
 *
 * A generator goes through the actions of a turn. States that were visited before are not expanded
 * again, whatever path led to them: equal cores have equal futures. There are two methods:
 * exhaustive generation goes depth first, highest priority first; beam search keeps a few partial
 * turns side by side, those with the best evaluation of all that one more action leads to. */
#ifndef AI_TURN_GENERATOR_H
#define AI_TURN_GENERATOR_H
#include "ai/top_list.h"

/* Sizes. */
enum {
    SEEN_BITS = 15,
    VISITED_MAX = 1 << SEEN_BITS,
    VISITED_FEW = 1 << 11,           /* the small table, of as many at the beginning of a run */
    RUN_BITS = 12,                   /* runs that the tables of visited states tell apart; */
    RUNS_MASK = (1 << RUN_BITS) - 1, /* the rest of an entry are low bits of a hash, */
    PLACE_SHIFT = 64 - RUN_BITS - SEEN_BITS, /* and the highest of these say where it is */
    GENERATOR_NODES_MAX = VISITED_MAX / 2, /* so that the table of visited states never fills up */
    POOL_SPARE = 4096,                     /* actions beyond twice the longest list */
    BEAM_WIDTH_MAX = 64,                   /* partial turns side by side in beam search */
};

/* One ply inside the turn: a state and the actions still to be tried in it. */
typedef struct GeneratorPly {
    const void *state;
    void *own;        /* memory for a state; the first ply uses the caller's */
    MashAction *list; /* in the pool */
    uint32_t next, count;
    bool by_chance; /* the path to here depends on chance */
    uint64_t hash;
} GeneratorPly;

/* The generator of one turn. */
typedef struct TurnGenerator {
    uint32_t nodes, nodes_max;
    uint32_t turn, place;
    uint8_t seat;
    bool drew;        /* the last action depended on chance */
    MashAction *pool; /* lists of all plies, one after the other */
    uint32_t pool_count, pool_max;
    MashAction *list; /* memory for one list, its priorities, and keys to sort it by */
    int32_t *priorities;
    int64_t *keys;
    uint64_t *visited; /* visited states, the small table first: bits of the hash and the run */
    uint32_t run;      /* number of the run, from 1 to RUNS_MASK */
    uint32_t table;    /* where its table begins */
    /* exhaustive */
    GeneratorPly plies[AI_PLAN_MAX + 1];
    uint32_t ply;
    /* beam search */
    uint32_t beam_width; /* 0 = exhaustive */
    TopList beams[2];    /* the current partial turns, and those with one more action */
    uint32_t beam, beam_index;
} TurnGenerator;

/* Result of a step. */
typedef enum GeneratorResult {
    GENERATOR_PAUSED,     /* no node is left in this slice: nothing has happened */
    GENERATOR_CONTINUE,   /* nothing to report */
    GENERATOR_TURN_FOUND, /* a turn has ended in a state not visited before: see
                             turn_generator_state() and turn_generator_path() */
    GENERATOR_EXHAUSTED,  /* everything has been generated, or as much as allowed */
} GeneratorResult;

/* Starts generating the seat's turns from this state, which must stay valid. `place` distinguishes
 * the generator runs of one search: chance is the same for equal places. `beam_width`: 0 =
 * exhaustive. */
void turn_generator_begin(Ai *ai, const void *state, uint8_t seat, uint32_t place,
                          uint32_t nodes_max, uint32_t beam_width);
GeneratorResult turn_generator_step(Ai *ai);
/* The state at the end that was found, valid until the next step, and the path to it;
 * turn_generator_copy() fills in all of a TurnEnd except its evaluation. */
const void *turn_generator_state(const Ai *ai);
void turn_generator_path(const Ai *ai, ActionPath *out);
void turn_generator_copy(const Ai *ai, TurnEnd *out);

/* Applies a listed action of this very state: the only place where search applies actions. All
 * actions of a turn have the same chance, so that no plan looks better for ending earlier or later.
 */
void search_apply_listed(Ai *ai, void *state, MashAction action, uint32_t place);
/* The same for an action that is remembered from another state. False: not legal. */
bool search_apply(Ai *ai, void *state, MashAction action, uint32_t place);
/* Is the seat's turn with this number over? */
bool search_turn_is_over(const Ai *ai, const void *state, uint8_t seat, uint32_t turn);
/* The number of a state's turn; every action is a turn of its own if the evaluator has no
 * turn_number(). */
uint32_t search_turn_number(const Ai *ai, const void *state);
/* Hash of everything that decides the future; and the same, faster, from the hash of a similar
 * state. */
uint64_t search_hash(const Ai *ai, const void *state);
uint64_t search_hash_update(const Ai *ai, const void *before, uint64_t hash, const void *state);

#endif
