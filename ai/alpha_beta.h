/* alpha_beta.h -- alpha-beta search over whole turns, with iterative deepening and widening.
 * Private to ai/. */
#ifndef AI_ALPHA_BETA_H
#define AI_ALPHA_BETA_H
#include "ai/turn_generator.h"

/* Sizes. */
enum {
    SEARCH_DEPTH_MAX = 10,       /* turns looked ahead */
    SEARCH_ROOT_WIDTH_MAX = 768, /* turns kept at the root */
    SEARCH_WIDTH_MAX = 32,       /* turns kept in any other state */
    CHANCE_SAMPLES = 3,          /* samples for turns that depend on chance */
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

/* How a frame's turns are looked at: last turns by the whole beam only if less of it does not
 * settle them, one step at a time. */
typedef enum SearchLook { LOOK_WHOLE, LOOK_NARROW, LOOK_GREEDY } SearchLook;

/* A state at the beginning of a turn, on the path that is being searched. */
typedef struct SearchFrame {
    const void *state;
    uint64_t key;
    uint32_t turn;
    uint8_t seat;
    uint8_t depth_left; /* turns still to look ahead, including this one */
    SearchStage stage;
    int32_t alpha, beta;          /* the search window */
    int32_t alpha_at_entry, best; /* alpha at first; the best evaluation so far */
    ActionPath best_path;
    const ActionPath *child; /* the turn that is being searched below */
    ActionPath table_turn;   /* the best turn of this state from the transposition table */
    bool table_hit;          /* the table entry is sufficient */
    SearchLook look;
    uint32_t
        tried; /* remembered turns that were tried, and actions of the next one already applied */
    uint32_t replayed;
    void *replay_state; /* the state after a remembered turn */
    TopList ends;
    uint32_t next, next_max; /* ends to search */
} SearchFrame;

/* A first turn that depends on chance is played again with other samples; its evaluation is the
 * mean. */
typedef struct ChanceSampling {
    const TurnEnd *end; /* NULL = none in progress */
    uint32_t sample;
    int32_t values[CHANCE_SAMPLES]; /* evaluations in the samples so far */
    int32_t alpha;                  /* of the frame, until all samples are evaluated */
} ChanceSampling;

/* An entry of the transposition table: what an earlier search of a state found. */
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
    uint32_t at;        /* the current frame */
    uint32_t iteration; /* number of the iteration */
    uint32_t width, beam_width;
    bool listing; /* the generator is running */
    ActionPath killers[SEARCH_DEPTH_MAX][2];
    ChanceSampling sampling;
    int32_t best_samples[CHANCE_SAMPLES]; /* what the best first turn is worth in each sample */
    TranspositionEntry *transpositions;
    uint32_t task; /* entries of other tasks are ignored */
} AlphaBeta;

/* Does the game use beam search? */
bool uses_beam(const Ai *ai);

#endif
