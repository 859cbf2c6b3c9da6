/* generals.c -- trains what games/generals/learned.c holds, by self-play of the policy alone: what
 * to do and where to place (policy gradient with a learned baseline), who stands better (logistic
 * regression), what hidden pieces are (expected against true counts).
 *
 *     train-generals train OUT.c [--seconds N] [--jobs N] [--seed N] [--from FILE] [--rate R]
 *                                [--against FILE] [--shelf FILE]... [--entropy R]
 *                                [--exploit-seconds N] [--exploiter-rate R]
 *                                [--exploiter N] [--exploiters N] [--selves N] [--strange N]
 *     train-generals meet CHALLENGER DEFENDER [--way free|rusher|turtle|mirror] [--nodes N]
 *                                [--part belief|policy|set-up|value]
 *                                [--pairs N] [--jobs N] [--seed N]
 *
 * Beside OUT.c lies OUT.c.weights, which --from goes on with. Training is a league: the main player
 * meets itself, old selves, an exploiter that learns against nobody else at the same time (from the
 * main player's weights; after --exploit-seconds it goes to the shelf, and a new one begins), and
 * those on the shelf: players from files (--shelf) and former exploiters. --exploiter, --exploiters
 * and --selves are the shares of its matches in hundredths, the rest being against itself, of which
 * --strange hundredths have a set-up on the other side that nobody learned. Rates fall to a tenth
 * within a learner's time; --entropy is the weight of the entropy of actions, a third of that of
 * set-ups. With --against, what is learned is the best response to those weights, which stay as
 * they are.
 *
 * `meet` plays pairs of matches, by policy alone (0 nodes) or by search as at the best level,
 * between two files of weights, or "shipped", or "begin" (by hand); a challenger may be bound to
 * one way of playing, or have but one part of its own and be like the defender otherwise.
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

/* Makes what is expected of each trace as frequent as what is true. Only the proportions of a row
 * matter: it is kept in the range of numbers. */
static void learn_beliefs(Learner *learner) {
    const Sums *sums = &learner->beliefs;
    for (int trace = 0; trace < TRACES; trace++) {
        float *row = learner->weights.belief[trace], most = 0;
        for (int role = 1; role < ROLES; role++) {
            row[role] *=
                (float)sqrt((sums->seen[trace][role] + 5) / (sums->expected[trace][role] + 5));
            most = row[role] > most ? row[role] : most;
        }
        for (int role = 1; role < ROLES; role++) {
            row[role] *= most > 15.6f ? 15.6f / most : 1;
            row[role] = row[role] < 0.016f ? 0.016f : row[role];
        }
    }
    memset(&learner->beliefs, 0, sizeof learner->beliefs);
}

static void learn(Learner *learner, double rate, uint64_t batch) {
    Weights *weights = &learner->weights;
    const Sums *found = &learner->found;
    for (int trace = 0; trace < TRACES; trace++)
        for (int role = 0; role < ROLES; role++) {
            learner->beliefs.seen[trace][role] += found->seen[trace][role];
            learner->beliefs.expected[trace][role] += found->expected[trace][role];
        }
    climb(&learner->act, weights->act, found->act, ACT_WEIGHTS, found->decisions + 1, rate, 0);
    climb(&learner->set, weights->set, found->set, SET_WEIGHTS, BATCH, rate * 0.5, 0.0002);
    climb(&learner->value, weights->value, found->value, VALUE_WEIGHTS, found->decisions + 1,
          rate * 0.5, 0.00001);
    if (batch % 16 == 15)
        learn_beliefs(learner);
}

/* One batch by all jobs; what they found. */
static void run_jobs(Trainer *trainer) {
    atomic_store(&trainer->next, 0);
    pthread_barrier_wait(&trainer->begin);
    pthread_barrier_wait(&trainer->end);
    for (int who = 0; who < LEARNERS; who++) {
        memset(&trainer->learners[who].found, 0, sizeof trainer->learners[who].found);
        for (uint32_t i = 0; i < trainer->jobs; i++)
            add_sums(&trainer->learners[who].found, &trainer->sums[i][who]);
    }
}

/* In hundredths; 0, if there is none. */
static double percent(double part, double of) { return of > 0 ? 100 * part / of : 0; }

/* Says how it goes. */
static void tell(const Trainer *trainer, const Sums *found, double at, double took) {
    double matches = found->won + found->drawn + found->lost;
    printf("%4.0f s, batch %llu, %.0f matches/s: %.1f %% won by seat 0, %.1f %% drawn, %.0f "
           "turns, entropy %.2f, of set-ups %.2f, value %.4f, belief %.4f (flat %.4f), against the "
           "first %.1f %%, exploiter %.1f %%\n",
           at, (unsigned long long)trainer->batch, matches / took, percent(found->won, matches),
           percent(found->drawn, matches), 2 * found->turns / matches,
           found->entropy / found->decisions, found->set_entropy / found->placed,
           found->loss / found->decisions, found->log_loss / found->hidden,
           found->flat_loss / found->flat_hidden, percent(found->against_won, found->against),
           percent(found->exploited_won, found->exploited));
    fflush(stdout);
}

/* Chances of kinds: what was called, and how often it came. */
static void tell_truth(const Sums *found) {
    printf("called, came: ");
    for (int i = 0; i < BINS; i++)
        printf("%.1f %.1f (%.0f)%s", percent(found->called[i], found->calls[i]),
               percent(found->came[i], found->calls[i]), found->calls[i],
               i + 1 < BINS ? ", " : "\n");
}

static void shelve(Trainer *trainer, uint32_t slot, const Weights *weights) {
    if (weights != &trainer->shelf[slot])
        trainer->shelf[slot] = *weights;
    set_learned(trainer, LEARNERS + slot, &trainer->shelf[slot]);
}

/* The main player of now goes to the shelf; the first one stays there. */
static void shelve_self(Trainer *trainer) {
    uint32_t slot =
        trainer->selves < SELVES ? trainer->selves++ : 1 + (uint32_t)trainer->batch % (SELVES - 1);
    shelve(trainer, slot, &trainer->learners[MAIN].weights);
}

/* An exploiter begins as the main player. */
static void begin_exploiter(Trainer *trainer) {
    Learner *exploiter = &trainer->learners[EXPLOITER];
    memset(exploiter, 0, sizeof *exploiter);
    exploiter->weights = exploiter->average = trainer->learners[MAIN].weights;
}

/* The exploiter of now goes to the shelf, and another begins. */
static void shelve_exploiter(Trainer *trainer) {
    uint32_t slot = trainer->exploiters < EXPLOITERS ? trainer->exploiters++
                                                     : (uint32_t)trainer->batch % EXPLOITERS;
    shelve(trainer, SELVES + slot, &trainer->learners[EXPLOITER].average);
    begin_exploiter(trainer);
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
    Learner *main_player = &trainer->learners[MAIN];
    main_player->average = main_player->weights;
    begin_exploiter(trainer);
    for (uint32_t i = 0; i < trainer->exploiters; i++)
        shelve(trainer, SELVES + i, &trainer->shelf[SELVES + i]);
    shelve(trainer, 0, trainer->responds ? &trainer->shelf[0] : &main_player->weights);
    trainer->selves = 1;
}

/* Follows the weights slowly: the average is what is kept in the end. */
static void follow(Learner *learner) {
    const float *from = (const float *)&learner->weights;
    float *to = (float *)&learner->average;
    for (size_t i = 0; i < sizeof(Weights) / sizeof *to; i++)
        to[i] += 0.005f * (from[i] - to[i]);
}

/* Rates fall to a tenth while a learner's time passes. */
static double slower(double rate, double part) { return rate * (1 - 0.9 * (part < 1 ? part : 1)); }

/* One batch, and what is learned from it; parts of the time that are over. */
static void train_batch(Trainer *trainer, const double parts[LEARNERS]) {
    for (uint32_t who = 0; who < LEARNERS; who++)
        set_learned(trainer, who, &trainer->learners[who].weights);
    run_jobs(trainer);
    for (uint32_t who = 0; who < LEARNERS; who++) {
        learn(&trainer->learners[who], slower(trainer->rates[who], parts[who]), trainer->batch);
        follow(&trainer->learners[who]);
    }
    trainer->batch++;
}

static void train_for_seconds(Trainer *trainer) {
    static Sums report, last;
    double began = wall(), shown = began, shelved = began, exploited = began;
    double now = began, every = trainer->seconds / 8.0;
    while (!trainer->stop) {
        double parts[LEARNERS] = {(now - began) / trainer->seconds,
                                  (now - exploited) / trainer->exploit_seconds};
        train_batch(trainer, parts);
        add_sums(&report, &trainer->learners[MAIN].found);
        now = wall();
        if (now - shelved > every && !trainer->responds) {
            shelved = now;
            shelve_self(trainer);
        }
        if (now - exploited > trainer->exploit_seconds && !trainer->responds) {
            exploited = now;
            shelve_exploiter(trainer);
        }
        trainer->stop = now - began > trainer->seconds;
        if (now - shown > 10 || trainer->stop) {
            tell(trainer, &report, now - began, now - shown);
            last = report;
            memset(&report, 0, sizeof report);
            shown = now;
        }
    }
    tell_truth(&last);
}

static int train(Trainer *trainer, const char *out) {
    static TrainJob jobs[JOBS_MAX];
    pthread_t threads[JOBS_MAX];
    char path[4096];
    begin(trainer, jobs, threads);
    train_for_seconds(trainer);
    pthread_barrier_wait(&trainer->begin);
    for (uint32_t i = 0; i < trainer->jobs; i++)
        pthread_join(threads[i], NULL);
    snprintf(path, sizeof path, "%s.weights", out);
    weights_save(&trainer->learners[MAIN].average, path);
    return weights_write(&trainer->learners[MAIN].average, out);
}

/* --- The command line ------------------------------------------------------------------------- */

static int wrong_use(void) {
    fprintf(stderr, "train-generals: wrong use; see train/generals.c\n");
    return 2;
}

/* Takes a flag of training with its value. False: there is no such flag. */
static bool take_training(Trainer *trainer, const char *word, const char *value) {
    uint32_t number = (uint32_t)strtoul(value, NULL, 10);
    if (strcmp(word, "--seconds") == 0)
        trainer->seconds = number;
    else if (strcmp(word, "--from") == 0)
        weights_load(&trainer->learners[MAIN].weights, value);
    else if (strcmp(word, "--shelf") == 0 && trainer->exploiters < EXPLOITERS)
        weights_load(&trainer->shelf[SELVES + trainer->exploiters++], value);
    else if (strcmp(word, "--against") == 0) {
        weights_load(&trainer->shelf[0], value);
        trainer->responds = true;
    } else if (strcmp(word, "--rate") == 0)
        trainer->rates[MAIN] = strtod(value, NULL);
    else if (strcmp(word, "--exploiter-rate") == 0)
        trainer->rates[EXPLOITER] = strtod(value, NULL);
    else if (strcmp(word, "--entropy") == 0)
        trainer->entropy = strtof(value, NULL);
    else if (strcmp(word, "--exploit-seconds") == 0)
        trainer->exploit_seconds = number;
    else if (strcmp(word, "--exploiter") == 0)
        trainer->shares.exploiter = number;
    else if (strcmp(word, "--exploiters") == 0)
        trainer->shares.exploiters = number;
    else if (strcmp(word, "--selves") == 0)
        trainer->shares.selves = number;
    else if (strcmp(word, "--strange") == 0)
        trainer->shares.strange = number;
    else
        return false;
    return true;
}

/* The same for meetings. */
static bool take_meeting(Meeting *meeting, const char *word, const char *value) {
    uint32_t number = (uint32_t)strtoul(value, NULL, 10);
    if (strcmp(word, "--nodes") == 0)
        meeting->nodes = number;
    else if (strcmp(word, "--pairs") == 0)
        meeting->pairs = number;
    else if (strcmp(word, "--part") == 0)
        meeting->part = value;
    else if (strcmp(word, "--way") == 0)
        return train_way(value, &meeting->way);
    else
        return false;
    return true;
}

int main(int count, char **words) {
    static Trainer trainer = {.jobs = 1,
                              .seconds = 60,
                              .seed = 1,
                              .rates = {0.03, 0.012},
                              .entropy = 0.001f,
                              .exploit_seconds = 45,
                              .shares = {35, 20, 15, 25}};
    static Meeting meeting = {.pairs = 50};
    bool meets = count > 3 && strcmp(words[1], "meet") == 0;
    if (count < 3 || (!meets && strcmp(words[1], "train") != 0))
        return wrong_use();
    weights_begin(&trainer.learners[MAIN].weights);
    for (int i = meets ? 4 : 3; i < count; i += 2) {
        uint32_t number = i + 1 < count ? (uint32_t)strtoul(words[i + 1], NULL, 10) : 0;
        if (i + 1 == count)
            return wrong_use();
        if (strcmp(words[i], "--jobs") == 0)
            trainer.jobs = number < 1 || number > JOBS_MAX ? 1 : number;
        else if (strcmp(words[i], "--seed") == 0)
            trainer.seed = number;
        else if (meets ? !take_meeting(&meeting, words[i], words[i + 1])
                       : !take_training(&trainer, words[i], words[i + 1]))
            return wrong_use();
    }
    meeting.jobs = trainer.jobs;
    meeting.seed = trainer.seed;
    if (meets)
        return train_meet(&meeting, words[2], words[3]);
    for (int i = 0; i < CONTENTS; i++)
        trainer.contents[i] = support_content(mash_game_find("generals"), NULL);
    weights_begin(&trainer.shelf[SHELF - 1]);
    set_learned(&trainer, FLAT, &trainer.shelf[SHELF - 1]);
    return train(&trainer, words[2]);
}
