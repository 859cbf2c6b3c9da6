/* alpha_beta.h -- search over whole turns: alpha-beta, deeper and wider from round to round.
 * Private to ai/. */
#ifndef AI_ALPHA_BETA_H
#define AI_ALPHA_BETA_H
#include "ai/turn_generator.h"

/* Sizes. */
enum {
    SEARCH_DEPTH_MAX = 10,       /* turns looked ahead */
    SEARCH_ROOT_WIDTH_MAX = 768, /* turns kept of those to choose from */
    SEARCH_WIDTH_MAX = 32,       /* and of any other moment */
    CHANCE_SAMPLES = 3,          /* worlds for turns that depend on chance */
    KEPT_BYTES_MAX = 1 << 22,
    TRANSPOSITION_BITS = 12,
    TRANSPOSITIONS_MAX = 1 << TRANSPOSITION_BITS,
};

/* What a frame does next. */
typedef enum SearchStage {
    STAGE_TRY,
    STAGE_LIST,
    STAGE_CHILDREN,
    STAGE_AGAIN,
    STAGE_DONE
} SearchStage;

/* A moment at the beginning of a turn, on the way that is being searched. */
typedef struct SearchFrame {
    const void *state;
    uint64_t key;
    uint32_t turn;
    uint8_t seat;
    uint8_t depth_left; /* turns still looked ahead, with this one */
    SearchStage stage;
    int32_t alpha, beta;          /* what is still of interest */
    int32_t alpha_at_entry, best; /* alpha at first; the best value so far */
    ActionPath best_path;
    const ActionPath *child; /* the turn that is being searched below */
    ActionPath table_turn;   /* the best turn when this moment was searched before */
    bool table_hit;          /* that search was enough */
    uint32_t tried; /* remembered turns that were tried, and the actions made of the next one */
    uint32_t replayed;
    void *replay_state; /* the moment after a remembered turn */
    TopList ends;
    uint32_t next, next_max; /* ends to search */
} SearchFrame;

/* A first turn that depends on chance is made again with other luck, and the mean counts. */
typedef struct ChanceSampling {
    const TurnEnd *end; /* NULL = none is under way */
    uint32_t world;
    int64_t sum;
    int32_t alpha; /* of the frame, until all is summed up */
} ChanceSampling;

/* What is known of a moment from searching it before. */
typedef struct TranspositionEntry {
    uint64_t key;
    int32_t value;
    uint32_t task;
    uint8_t left, width, bound;
    ActionPath path;
} TranspositionEntry;

/* The whole search. */
typedef struct AlphaBeta {
    SearchFrame frames[SEARCH_DEPTH_MAX];
    uint32_t at;    /* the frame that works */
    uint32_t round; /* of the schedule */
    uint32_t width, beam_width;
    bool listing; /* a walk is under way */
    ActionPath killers[SEARCH_DEPTH_MAX][2];
    ChanceSampling again;
    TranspositionEntry *transpositions;
    uint32_t task; /* entries of other tasks do not count */
} AlphaBeta;

/* Are walks narrow in this game? */
bool uses_beam(const Ai *ai);
/* Begins with the moment of the task; thinks until the slice is used up (false) or all is done. */
void alpha_beta_begin(Ai *ai);
bool alpha_beta_step(Ai *ai);

#endif
