/* generals.h -- what the files of train-generals share: train/generals.c says what it does. */
#ifndef TRAIN_GENERALS_H
#define TRAIN_GENERALS_H
#include <pthread.h>

#include "games/generals/policy.h"

/* Sizes. */
enum {
    DECISIONS_MAX = 1200,
    LIST_MAX = 256,
    BATCH = 512,
    SHELF = 6,
    JOBS_MAX = 64,
    BINS = 10,
    FLAT = SHELF + 1, /* content that believes nothing but masks and counts */
};

/* What is learned, in floats. */
typedef struct Weights {
    float act[ACT_WEIGHTS], set[SET_WEIGHTS], value[VALUE_WEIGHTS];
    float belief[TRACES][ROLES];
    float worth[ROLES];
} Weights;

/* A decision: the gradient of its logarithm, and the value. */
typedef struct Decision {
    float act[ACT_WEIGHTS];
    float value[VALUE_WEIGHTS];
    float chance; /* of seat 0 */
    uint8_t seat, learns;
} Decision;

/* Sums of a batch. */
typedef struct Sums {
    double act[ACT_WEIGHTS], set[SET_WEIGHTS], value[VALUE_WEIGHTS];
    double seen[TRACES][ROLES], expected[TRACES][ROLES];
    double won, drawn, lost, turns, entropy, decisions, loss, log_loss, log_flat, hidden;
    double against_won, against;
    double called[BINS], calls[BINS], came[BINS]; /* chances of kinds, by tenths */
    double flat_loss, flat_hidden;
} Sums;

/* A player of a match. */
typedef struct TrainSeat {
    const Weights *weights;
    const MashContent *content; /* with its beliefs */
    GeneralsOdds odds;
    GeneralsBeliefs beliefs;
    int set_up; /* 0 learned, 1 by hand, 2 random, 3 printed */
    bool learns;
} TrainSeat;

/* Training: the weights, older ones on a shelf, and what the jobs found. */
typedef struct Trainer {
    Weights weights, average, shelf[SHELF];
    uint32_t shelf_count;
    MashContent *contents[SHELF + 2]; /* of the weights, the shelf */
    GeneralsLearned learned[SHELF + 2];
    uint32_t jobs, seconds;
    uint64_t seed, batch;
    float entropy;
    Sums sums[JOBS_MAX];
    bool stop, responds; /* to the first of the shelf alone */
    pthread_barrier_t begin, end;
} Trainer;

/* One thread of it. */
typedef struct TrainJob {
    Trainer *trainer;
    uint32_t own;
    Decision *decisions;
    float *sets[2]; /* gradients of set-ups */
} TrainJob;

/* What a challenger may do. */
typedef enum Way { WAY_FREE, WAY_RUSHER, WAY_TURTLE, WAY_MIRROR, WAYS } Way;

/* Pairs of matches: the challenger against the defender. */
typedef struct Meeting {
    const MashContent *contents[2];
    GeneralsLearned learned[2];
    Way way;
    bool reads; /* the challenger has its own beliefs but plays like the defender */
    uint32_t nodes, pairs, jobs;
    uint64_t seed;
    pthread_mutex_t lock;
    uint32_t next;
    double won, drawn, lost, squares; /* of pairs */
} Meeting;

/* Zeroed memory; the program ends without it. */
void *train_memory(size_t bytes);

/* generals_weights.c: weights to begin with; to integers; to and from files; as C (0: written). */
void weights_begin(Weights *weights);
void weights_round_off(const Weights *from, GeneralsLearned *to);
void weights_save(const Weights *weights, const char *path);
void weights_load(Weights *weights, const char *path);
int weights_write(const Weights *weights, const char *path);

/* generals_play.c: the job's matches of a batch. */
void train_run_batch(TrainJob *job);

/* generals_meet.c: plays the pairs and prints the result. */
int train_meet(Meeting *meeting, const char *challenger, const char *defender);
/* The way with this name. */
Way train_way(const char *name);
#endif
