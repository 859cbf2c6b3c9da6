/* turns.h -- search over whole turns: alpha-beta, deeper and wider from round to round. Private to
 * ai/. */
#ifndef AI_TURNS_H
#define AI_TURNS_H
#include "ai/walk.h"

/* Sizes. */
enum {
    AHEAD_MAX = 10,       /* turns looked ahead */
    KEPT_FIRST_MAX = 768, /* turns kept of those to choose from */
    KEPT_MAX = 32,        /* and of any other moment */
    AGAIN = 3,            /* worlds for turns that depend on chance */
    KEPT_BYTES_MAX = 1 << 22,
    STORE_BITS = 12,
    STORE_MAX = 1 << STORE_BITS,
};

/* What a frame does next. */
typedef enum Stage { STAGE_TRY, STAGE_LIST, STAGE_CHILDREN, STAGE_AGAIN, STAGE_DONE } Stage;

/* A moment at the beginning of a turn, on the way that is being searched. */
typedef struct Frame {
    const void *state;
    uint64_t key;
    uint32_t turn;
    uint8_t seat;
    uint8_t left; /* turns still looked ahead, with this one */
    Stage stage;
    int32_t alpha, beta; /* what is still of interest */
    int32_t floor, best; /* alpha at first; the best value so far */
    Path best_path;
    const Path *child; /* the turn that is being searched below */
    Path hint;         /* the best turn when this moment was searched before */
    bool known;        /* that search was enough */
    uint32_t tried;    /* remembered turns that were tried, and the actions made of the next one */
    uint32_t replayed;
    void *spare; /* the moment after a remembered turn */
    Best ends;
    uint32_t next, next_max; /* ends to search */
} Frame;

/* A first turn that depends on chance is made again with other luck, and the mean counts. */
typedef struct Again {
    const End *end; /* NULL = none is under way */
    uint32_t world;
    int64_t sum;
    int32_t alpha; /* of the frame, until all is summed up */
} Again;

/* What is known of a moment from searching it before. */
typedef struct Stored {
    uint64_t key;
    int32_t value;
    uint32_t task;
    uint8_t left, wide, bound;
    Path path;
} Stored;

/* The whole search. */
typedef struct Turns {
    Frame frames[AHEAD_MAX];
    uint32_t at;    /* the frame that works */
    uint32_t round; /* of the schedule */
    uint32_t wide, abreast;
    bool listing; /* a walk is under way */
    Path killers[AHEAD_MAX][2];
    Again again;
    Stored *store;
    uint32_t task; /* entries of other tasks do not count */
} Turns;

/* Are walks narrow in this game? */
bool turns_are_narrow(const Ai *ai);
/* Begins with the moment of the task; thinks until the slice is used up (false) or all is done. */
void turns_begin(Ai *ai);
bool turns_step(Ai *ai);

#endif
