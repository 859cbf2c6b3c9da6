/* generals.c -- trains what games/generals/learned.c holds, by self-play of the policy alone: what
 * to do and where to place (policy gradient with a learned baseline), who stands better (logistic
 * regression), what hidden pieces are (expected against true counts).
 *
 *     train-generals train OUT.c [--seconds N] [--jobs N] [--seed N] [--from FILE]
 *                                [--against FILE]
 *     train-generals meet CHALLENGER DEFENDER [--way free|rusher|turtle|mirror|reader] [--nodes N]
 *                                [--pairs N] [--jobs N] [--seed N]
 *
 * Beside OUT.c lies OUT.c.weights, which --from goes on with. With --against, what is learned is
 * the best response to those weights, which stay as they are. `meet` plays pairs of matches, by
 * policy alone (0 nodes) or by search as at the best level, between two files of weights, or
 * "shipped"; a challenger may be bound to one way of playing, and a reader has its own beliefs but
 * otherwise plays like the defender.
 *
 * The files beside this one: generals_play.c the matches that are learned from, generals_weights.c
 * the numbers, generals_meet.c meetings. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/support/support.h"
#include "train/generals.h"

void *train_memory(size_t bytes) {
    size_t rounded = (bytes + 63) / 64 * 64;
    void *memory = aligned_alloc(64, rounded);
    if (memory == NULL)
        abort();
    return memset(memory, 0, rounded);
}

static double wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void *run_job(void *argument) {
    TrainJob *job = argument;
    Trainer *trainer = job->trainer;
    for (;;) {
        pthread_barrier_wait(&trainer->begin);
        if (trainer->stop)
            return NULL;
        train_run_batch(job);
        pthread_barrier_wait(&trainer->end);
    }
}

/* Adam. */
typedef struct Adam {
    double first[ACT_WEIGHTS + SET_WEIGHTS], second[ACT_WEIGHTS + SET_WEIGHTS];
    double steps;
} Adam;

static void climb(Adam *adam, float *weights, const double *sums, uint32_t count, double by,
                  double rate, double decay) {
    adam->steps++;
    for (uint32_t i = 0; i < count; i++) {
        double slope = sums[i] / by - decay * weights[i];
        adam->first[i] = 0.9 * adam->first[i] + 0.1 * slope;
        adam->second[i] = 0.99 * adam->second[i] + 0.01 * slope * slope;
        double first = adam->first[i] / (1 - pow(0.9, adam->steps));
        double second = adam->second[i] / (1 - pow(0.99, adam->steps));
        weights[i] += (float)(rate * first / (sqrt(second) + 1e-7));
        if (weights[i] > 31.9f)
            weights[i] = 31.9f;
        if (weights[i] < -31.9f)
            weights[i] = -31.9f;
    }
}

static void set_learned(Trainer *trainer, uint32_t number, const Weights *weights) {
    GeneralsContent *body = (void *)trainer->contents[number]->body;
    weights_round_off(weights, &trainer->learned[number]);
    body->learned = &trainer->learned[number];
}

/* Adds a job's sums. */
static void add_sums(Sums *all, const Sums *one) {
    double *to = (double *)all;
    const double *from = (const double *)one;
    for (size_t i = 0; i < sizeof *all / sizeof *to; i++)
        to[i] += from[i];
}

static void learn(Trainer *trainer, Sums *all, double rate, Sums *beliefs) {
    static Adam act, set, value;
    for (int trace = 0; trace < TRACES; trace++)
        for (int role = 0; role < ROLES; role++) {
            beliefs->seen[trace][role] += all->seen[trace][role];
            beliefs->expected[trace][role] += all->expected[trace][role];
        }
    climb(&act, trainer->weights.act, all->act, ACT_WEIGHTS, all->decisions, rate, 0);
    climb(&set, trainer->weights.set, all->set, SET_WEIGHTS, BATCH, rate * 0.5, 0.0002);
    climb(&value, trainer->weights.value, all->value, VALUE_WEIGHTS, all->decisions, rate * 0.5,
          0.00001);
    if (trainer->batch % 16 != 15)
        return;
    for (int trace = 0; trace < TRACES; trace++)
        for (int role = 1; role < ROLES; role++) {
            double ratio =
                sqrt((beliefs->seen[trace][role] + 5) / (beliefs->expected[trace][role] + 5));
            float *belief = &trainer->weights.belief[trace][role];
            *belief = (float)(*belief * ratio);
            *belief = *belief < 0.016f ? 0.016f : *belief > 15.6f ? 15.6f : *belief;
        }
    memset(beliefs, 0, sizeof *beliefs);
}

/* One batch by all jobs; what they found. */
static void run_jobs(Trainer *trainer, Sums *all) {
    pthread_barrier_wait(&trainer->begin);
    pthread_barrier_wait(&trainer->end);
    memset(all, 0, sizeof *all);
    for (uint32_t i = 0; i < trainer->jobs; i++)
        add_sums(all, &trainer->sums[i]);
}

/* Says how it goes. */
static void tell(const Trainer *trainer, const Sums *found, double at, double took) {
    double matches = found->won + found->drawn + found->lost;
    printf("%4.0f s, batch %llu, %.0f matches/s: %.1f %% won by seat 0, %.1f %% drawn, %.0f "
           "turns, entropy %.2f, value %.4f, belief %.4f (flat %.4f), against the first %.1f %%\n",
           at, (unsigned long long)trainer->batch, matches / took, 100 * found->won / matches,
           100 * found->drawn / matches, 2 * found->turns / matches,
           found->entropy / found->decisions, found->loss / found->decisions,
           found->log_loss / found->hidden, found->flat_loss / found->flat_hidden,
           100 * found->against_won / found->against);
    fflush(stdout);
}

/* Chances of kinds: what was called, and how often it came. */
static void tell_truth(const Sums *found) {
    printf("called, came: ");
    for (int i = 0; i < BINS; i++)
        printf("%.1f %.1f (%.0f)%s", 100 * found->called[i] / found->calls[i],
               100 * found->came[i] / found->calls[i], found->calls[i], i + 1 < BINS ? ", " : "\n");
}

/* The weights of now go to the shelf. */
static void put_on_shelf(Trainer *trainer) {
    uint32_t slot = trainer->shelf_count < SHELF ? trainer->shelf_count++
                                                 : 1 + (uint32_t)trainer->batch % (SHELF - 1);
    trainer->shelf[slot] = trainer->weights;
    set_learned(trainer, slot + 1, &trainer->shelf[slot]);
}

/* Starts the threads, and what the shelf begins with. */
static void begin(Trainer *trainer, TrainJob *jobs, pthread_t *threads) {
    pthread_barrier_init(&trainer->begin, NULL, trainer->jobs + 1);
    pthread_barrier_init(&trainer->end, NULL, trainer->jobs + 1);
    for (uint32_t i = 0; i < trainer->jobs; i++) {
        jobs[i] = (TrainJob){.trainer = trainer, .own = i};
        jobs[i].decisions = train_memory(DECISIONS_MAX * sizeof(Decision));
        for (int k = 0; k < 2; k++)
            jobs[i].sets[k] = train_memory(SET_WEIGHTS * sizeof(float));
        pthread_create(&threads[i], NULL, run_job, &jobs[i]);
    }
    if (!trainer->responds)
        trainer->shelf[0] = trainer->weights;
    trainer->shelf_count = 1;
    set_learned(trainer, 1, &trainer->shelf[0]);
    trainer->average = trainer->weights;
}

/* Follows the weights slowly: the average is what is kept in the end. */
static void follow(Trainer *trainer) {
    const float *from = (const float *)&trainer->weights;
    float *to = (float *)&trainer->average;
    for (size_t i = 0; i < sizeof(Weights) / sizeof *to; i++)
        to[i] += 0.01f * (from[i] - to[i]);
}

static int train(Trainer *trainer, const char *out) {
    static TrainJob jobs[JOBS_MAX];
    static Sums all, report, beliefs, last;
    pthread_t threads[JOBS_MAX];
    double began = wall(), shown = began, shelved = began, every = trainer->seconds / 8.0;
    char path[4096];
    begin(trainer, jobs, threads);
    while (!trainer->stop) {
        double part = (wall() - began) / trainer->seconds;
        double rate = part < 0.5 ? 0.03 : part < 0.8 ? 0.012 : 0.004;
        trainer->entropy = part < 0.5 ? 0.004f : part < 0.8 ? 0.002f : 0.001f;
        set_learned(trainer, 0, &trainer->weights);
        run_jobs(trainer, &all);
        add_sums(&report, &all);
        learn(trainer, &all, rate, &beliefs);
        follow(trainer);
        trainer->batch++;
        if (wall() - shelved > every && !trainer->responds) {
            shelved = wall();
            put_on_shelf(trainer);
        }
        trainer->stop = wall() - began > trainer->seconds;
        if (wall() - shown > 10 || trainer->stop) {
            tell(trainer, &report, wall() - began, wall() - shown);
            last = report;
            memset(&report, 0, sizeof report);
            shown = wall();
        }
    }
    pthread_barrier_wait(&trainer->begin);
    for (uint32_t i = 0; i < trainer->jobs; i++)
        pthread_join(threads[i], NULL);
    tell_truth(&last);
    snprintf(path, sizeof path, "%s.weights", out);
    weights_save(&trainer->average, path);
    return weights_write(&trainer->average, out);
}

/* --- The command line ------------------------------------------------------------------------- */

static int wrong_use(void) {
    fprintf(stderr, "train-generals: wrong use; see train/generals.c\n");
    return 2;
}

/* Takes one flag with its value. False: there is no such flag. */
static bool take(Trainer *trainer, Meeting *meeting, const char *word, const char *value) {
    uint32_t number = (uint32_t)strtoul(value, NULL, 10);
    if (strcmp(word, "--jobs") == 0)
        trainer->jobs = number < 1 || number > JOBS_MAX ? 1 : number;
    else if (strcmp(word, "--seconds") == 0)
        trainer->seconds = number;
    else if (strcmp(word, "--seed") == 0)
        trainer->seed = number;
    else if (strcmp(word, "--from") == 0)
        weights_load(&trainer->weights, value);
    else if (strcmp(word, "--against") == 0) {
        weights_load(&trainer->shelf[0], value);
        trainer->responds = true;
    } else if (strcmp(word, "--nodes") == 0)
        meeting->nodes = number;
    else if (strcmp(word, "--pairs") == 0)
        meeting->pairs = number;
    else if (strcmp(word, "--way") == 0) {
        meeting->reads = strcmp(value, "reader") == 0;
        meeting->way = train_way(value);
    } else
        return false;
    return true;
}

int main(int count, char **words) {
    static Trainer trainer = {.jobs = 1, .seconds = 60, .seed = 1};
    static Meeting meeting = {.pairs = 50};
    const MashGame *game = mash_game_find("generals");
    bool meets = count > 3 && strcmp(words[1], "meet") == 0;
    if (count < 3 || (!meets && strcmp(words[1], "train") != 0))
        return wrong_use();
    weights_begin(&trainer.weights);
    for (int i = meets ? 4 : 3; i + 1 < count; i += 2)
        if (!take(&trainer, &meeting, words[i], words[i + 1]))
            return wrong_use();
    meeting.jobs = trainer.jobs;
    meeting.seed = trainer.seed;
    if (meets)
        return train_meet(&meeting, words[2], words[3]);
    for (int i = 0; i < SHELF + 2; i++)
        trainer.contents[i] = support_content(game, NULL);
    weights_begin(&trainer.shelf[SHELF - 1]);
    set_learned(&trainer, FLAT, &trainer.shelf[SHELF - 1]);
    return train(&trainer, words[2]);
}
