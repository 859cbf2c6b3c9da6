/* walk.h -- ways to make one turn, each moment once. Private to ai/.
 *
 * A walk goes through the actions of a turn. Moments that were met before are not gone through
 * again, whatever the way to them: equal cores have equal futures. There are two kinds: a complete
 * walk goes depth first, the most promising actions first; a narrow one goes forward with a few
 * moments side by side, the best by the mind's value of all that one more action makes of them. */
#ifndef AI_WALK_H
#define AI_WALK_H
#include "ai/best.h"

/* Sizes. */
enum {
    SEEN_BITS = 15,
    SEEN_MAX = 1 << SEEN_BITS,
    WALK_NODES_MAX = SEEN_MAX / 2, /* so that the table of moments met never fills up */
    POOL_SPARE = 4096,             /* actions beyond twice the longest list */
    ABREAST_MAX = 64,              /* moments side by side in a narrow walk */
};

/* One step inside the turn: a moment and what is still to be tried in it. */
typedef struct Rung {
    const void *state;
    void *own;        /* memory for a state; the first rung stands on somebody else's */
    MashAction *list; /* in the pool */
    uint32_t next, count;
    bool by_chance; /* the way here has drawn chance */
    uint64_t hash;
} Rung;

/* The walk through one turn. */
typedef struct Walk {
    uint32_t nodes, nodes_max;
    uint32_t turn, place;
    uint8_t seat;
    bool drew;        /* the last action has drawn chance */
    MashAction *pool; /* lists of all rungs, one behind the other */
    uint32_t pool_count, pool_max;
    MashAction *list; /* room for one list, what it is worth, and keys to sort it by */
    int32_t *worths;
    int64_t *keys;
    uint64_t *seen; /* moments met: hash, and the walk that met it */
    uint32_t *stamps;
    uint32_t stamp;
    /* complete */
    Rung rungs[AI_PLAN_MAX + 1];
    uint32_t rung;
    /* narrow */
    uint32_t abreast; /* 0 = complete */
    Best banks[2];    /* moments side by side, and those after one more action */
    uint32_t bank, member;
} Walk;

/* What a step came upon. */
typedef enum WalkFound {
    WALK_PAUSE,  /* no node is left in this slice: nothing has happened */
    WALK_ON,     /* nothing to tell */
    WALK_END,    /* the turn is over on a way not met before: see walk_end() and walk_path() */
    WALK_TO_END, /* all has been walked, or as much as allowed */
} WalkFound;

/* Begins the walk of the seat's turn from this moment, which must stay. `place` tells walks of one
 * search apart: chance is the same for equal places. `abreast`: 0 = complete, else how narrow. */
void walk_begin(Ai *ai, const void *state, uint8_t seat, uint32_t place, uint32_t nodes_max,
                uint32_t abreast);
WalkFound walk_step(Ai *ai);
/* The moment at the end that was found, until the next step, and the way to it; all of it in an
 * End, but for its value. */
const void *walk_end(const Ai *ai);
void walk_path(const Ai *ai, Path *out);
void walk_keep(const Ai *ai, End *out);

/* Makes an action on a copy: the only place where search applies actions. All actions of a turn
 * have the same luck, so that no plan looks better for ending earlier or later. False: not allowed.
 */
bool walk_apply(Ai *ai, void *state, MashAction action, uint32_t place);
/* Is a turn of this seat, which had this number, over? */
bool walk_over(const Ai *ai, const void *state, uint8_t seat, uint32_t turn);
/* The number of a moment's turn; actions are turns of their own where the mind knows none. */
uint32_t walk_turn(const Ai *ai, const void *state);
/* Hash of what decides the future; and the same, faster, from that of a moment not much different.
 */
uint64_t walk_hash(const Ai *ai, const void *state);
uint64_t walk_hash_after(const Ai *ai, const void *before, uint64_t hash, const void *state);

#endif
