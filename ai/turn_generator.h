/* turn_generator.h -- ways to make one turn, each moment once. Private to ai/.
 *
 * A walk goes through the actions of a turn. Moments that were met before are not gone through
 * again, whatever the way to them: equal cores have equal futures. There are two kinds: a complete
 * walk goes depth first, the most promising actions first; a narrow one goes forward with a few
 * moments side by side, the best by the mind's value of all that one more action makes of them. */
#ifndef AI_TURN_GENERATOR_H
#define AI_TURN_GENERATOR_H
#include "ai/top_list.h"

/* Sizes. */
enum {
    SEEN_BITS = 15,
    VISITED_MAX = 1 << SEEN_BITS,
    GENERATOR_NODES_MAX = VISITED_MAX / 2, /* so that the table of moments met never fills up */
    POOL_SPARE = 4096,                     /* actions beyond twice the longest list */
    BEAM_WIDTH_MAX = 64,                   /* moments side by side in a narrow walk */
};

/* One step inside the turn: a moment and what is still to be tried in it. */
typedef struct GeneratorPly {
    const void *state;
    void *own;        /* memory for a state; the first rung stands on somebody else's */
    MashAction *list; /* in the pool */
    uint32_t next, count;
    bool by_chance; /* the way here has drawn chance */
    uint64_t hash;
} GeneratorPly;

/* The walk through one turn. */
typedef struct TurnGenerator {
    uint32_t nodes, nodes_max;
    uint32_t turn, place;
    uint8_t seat;
    bool drew;        /* the last action has drawn chance */
    MashAction *pool; /* lists of all rungs, one behind the other */
    uint32_t pool_count, pool_max;
    MashAction *list; /* room for one list, what it is worth, and keys to sort it by */
    int32_t *priorities;
    int64_t *keys;
    uint64_t *seen; /* moments met: hash, and the walk that met it */
    uint32_t *visited_in;
    uint32_t stamp;
    /* complete */
    GeneratorPly plies[AI_PLAN_MAX + 1];
    uint32_t ply;
    /* narrow */
    uint32_t beam_width; /* 0 = complete */
    TopList beams[2];    /* moments side by side, and those after one more action */
    uint32_t beam, beam_index;
} TurnGenerator;

/* What a step came upon. */
typedef enum GeneratorResult {
    GENERATOR_PAUSED,     /* no node is left in this slice: nothing has happened */
    GENERATOR_CONTINUE,   /* nothing to tell */
    GENERATOR_TURN_FOUND, /* the turn is over on a way not met before: see turn_generator_state()
                             and turn_generator_path() */
    GENERATOR_EXHAUSTED,  /* all has been walked, or as much as allowed */
} GeneratorResult;

/* Begins the walk of the seat's turn from this moment, which must stay. `place` tells walks of one
 * search apart: chance is the same for equal places. `abreast`: 0 = complete, else how narrow. */
void turn_generator_begin(Ai *ai, const void *state, uint8_t seat, uint32_t place,
                          uint32_t nodes_max, uint32_t beam_width);
GeneratorResult turn_generator_step(Ai *ai);
/* The moment at the end that was found, until the next step, and the way to it; all of it in an
 * End, but for its value. */
const void *turn_generator_state(const Ai *ai);
void turn_generator_path(const Ai *ai, ActionPath *out);
void turn_generator_copy(const Ai *ai, TurnEnd *out);

/* Makes an action of the list of this very state on it: the only place where search applies
 * actions. All actions of a turn have the same luck, so that no plan looks better for ending
 * earlier or later. */
void search_apply_listed(Ai *ai, void *state, MashAction action, uint32_t place);
/* The same for an action that is remembered from another state. False: not allowed. */
bool search_apply(Ai *ai, void *state, MashAction action, uint32_t place);
/* Is a turn of this seat, which had this number, over? */
bool search_turn_is_over(const Ai *ai, const void *state, uint8_t seat, uint32_t turn);
/* The number of a moment's turn; actions are turns of their own where the mind knows none. */
uint32_t search_turn_number(const Ai *ai, const void *state);
/* Hash of what decides the future; and the same, faster, from that of a moment not much different.
 */
uint64_t search_hash(const Ai *ai, const void *state);
uint64_t search_hash_update(const Ai *ai, const void *before, uint64_t hash, const void *state);

#endif
