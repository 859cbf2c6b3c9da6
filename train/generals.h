/* generals.h -- what the files of train-generals share: train/generals.c says what it does. */
#ifndef TRAIN_GENERALS_H
#define TRAIN_GENERALS_H
#include <pthread.h>
#include <stdatomic.h>

#include "games/generals/policy.h"

/* Sizes, and who is who among the contents: those who learn, the shelf (old selves of the main
 * player, then exploiters of it), and one that believes nothing but masks and counts. */
enum {
    DECISIONS_MAX = 1200,
    LIST_MAX = 256,
    BATCH = 1024,
    JOBS_MAX = 64,
    BINS = 10,
    MAIN = 0,
    EXPLOITER,
    LEARNERS,
    SELVES = 6,
    EXPLOITERS = 16,
    SHELF = SELVES + EXPLOITERS,
    FLAT = LEARNERS + SHELF,
    CONTENTS,
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
    uint8_t seat;
    int8_t learner; /* as of a TrainSeat */
} Decision;

/* Sums of a batch. */
typedef struct Sums {
    double act[ACT_WEIGHTS], set[SET_WEIGHTS], value[VALUE_WEIGHTS];
    double seen[TRACES][ROLES], expected[TRACES][ROLES];
    double won, drawn, lost, turns, entropy, decisions, loss, log_loss, hidden;
    double set_entropy, placed;
    double against_won, against, exploited_won, exploited; /* the first self; the exploiter */
    double called[BINS], calls[BINS], came[BINS];          /* chances of kinds, by tenths */
    double flat_loss, flat_hidden;
} Sums;

/* A player of a match. */
typedef struct TrainSeat {
    const Weights *weights;
    const MashContent *content; /* with its beliefs */
    GeneralsOdds odds;
    GeneralsBeliefs beliefs;
    int set_up;  /* 0 learned, 1 by hand, 2 random, 3 printed */
    int learner; /* MAIN, EXPLOITER, or -1: does not learn */
} TrainSeat;

/* Adam. */
typedef struct Adam {
    double first[SET_WEIGHTS], second[SET_WEIGHTS], steps;
} Adam;
static_assert(SET_WEIGHTS >= (int)ACT_WEIGHTS && SET_WEIGHTS >= (int)VALUE_WEIGHTS, "room for all");

/* One who learns. */
typedef struct Learner {
    Weights weights, average;
    Adam act, set, value;
    Sums found, beliefs; /* in the last batch; since beliefs were changed */
} Learner;

/* Shares of matches of the main player in hundredths, the rest being against itself: with the
 * exploiter of now, with former ones, with old selves; and of those against itself, the share in
 * which the other has a set-up that nobody learned. */
typedef struct Shares {
    uint32_t exploiter, exploiters, selves, strange;
} Shares;

/* Training: those who learn, the shelf, and what the jobs found. */
typedef struct Trainer {
    Learner learners[LEARNERS];
    Weights shelf[SHELF];
    uint32_t selves, exploiters; /* on the shelf; players from files are among the latter */
    MashContent *contents[CONTENTS];
    GeneralsLearned learned[CONTENTS];
    Shares shares;
    uint32_t jobs, seconds, exploit_seconds;
    uint64_t seed, batch;
    float entropy; /* how much that of decisions counts */
    double rates[LEARNERS];
    Sums sums[JOBS_MAX][LEARNERS];
    atomic_uint next;    /* match of the batch */
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
    const char *part; /* what the challenger has of its own; NULL: all */
    uint32_t nodes, pairs, jobs;
    uint64_t seed;
    pthread_mutex_t lock;
    uint32_t next;
    double won, drawn, lost, squares; /* of pairs */
} Meeting;

/* Zeroed memory; the program ends without it. */
void *train_memory(size_t bytes);

/* generals_weights.c: weights to begin with; to integers and back; to and from files (to load,
 * also "shipped" and "begin"); as C (0: written). */
void weights_begin(Weights *weights);
void weights_round_off(const Weights *from, GeneralsLearned *to);
void weights_of(const GeneralsLearned *from, Weights *to);
void weights_save(const Weights *weights, const char *path);
void weights_load(Weights *weights, const char *path);
int weights_write(const Weights *weights, const char *path);

/* generals_play.c: the job's matches of a batch. */
void train_run_batch(TrainJob *job);

/* generals_meet.c: plays the pairs and prints the result. */
int train_meet(Meeting *meeting, const char *challenger, const char *defender);
/* The way with this name; false: there is none. */
bool train_way(const char *name, Way *way);
#endif
