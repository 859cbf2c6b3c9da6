/* gate.c -- learn gate: does a net win? Pairs of matches of the best level with one net against
 * the same with another, with swapped seats, by nodes or by the clock. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "learn/learn.h"

enum { SLICE_NODES = 64, OUTCOMES = 5 };
static const double sure = 2.94; /* 5 % error each way */

/* What all jobs share. */
typedef struct GateTally {
    atomic_uint next, stop;
    atomic_uint won, drawn, lost;
    atomic_uint pairs[OUTCOMES]; /* by half points of the first player */
    atomic_ullong nodes[2], turns[2];
} GateTally;

/* One player of a job. */
typedef struct GatePlayer {
    const LearnNet *net;
    Ai *ai;
    void *thinking;
} GatePlayer;

/* CPU time of this process in milliseconds. */
static double cpu_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* The player's action. */
static MashAction decide(const LearnTask *task, const GatePlayer *player, const AiTask *question) {
    double until = cpu_ms() + task->ms;
    player->ai->evaluator = &player->net->evaluator;
    if (!ai_begin(player->ai, question))
        abort();
    if (task->ms == 0)
        while (!ai_step(player->ai, UINT32_MAX))
            ;
    else
        while (!ai_step(player->ai, SLICE_NODES) && cpu_ms() < until)
            ;
    return ai_answer(player->ai);
}

/* Plays one match; half points of player 0, who has this seat. */
static uint32_t play(const LearnTask *task, const MashContent *content, GatePlayer players[2],
                     uint64_t number, uint8_t first_seat, GateTally *tally) {
    const MashGame *game = task->game;
    void *memory = learn_memory(match_bytes(content));
    void *view = learn_memory(content->limits.state_bytes);
    AiPlan plans[MASH_SEATS] = {{0}};
    Match match;
    uint32_t awaited;
    MashSetup setup = {.options_count = 0};
    MashSeed seed = {{hash_number(task->seed, number), number}};
    if (match_begin(&match, content, seed, &setup, memory) != MASH_OK)
        abort();
    while ((awaited = game->awaited(content, match.state)) != 0) {
        uint8_t seat = (awaited & 1) == 0;
        int who = seat != first_seat;
        match_view(&match, seat, view);
        AiTask question = {.skill = ai_level(AI_LEVELS),
                           .view = view,
                           .plan = &plans[seat],
                           .seat = seat,
                           .nodes = task->ms > 0 ? UINT32_MAX : task->nodes,
                           .seed = hash_number(seed.words[0], match.actions_count)};
        MashAction action = decide(task, &players[who], &question);
        atomic_fetch_add(&tally->nodes[who], ai_nodes(players[who].ai));
        atomic_fetch_add(&tally->turns[who], ai_nodes(players[who].ai) > 0);
        if (match_apply(&match, action) != MASH_OK)
            abort();
    }
    uint8_t winner = match_result(&match).winner;
    free(view);
    free(memory);
    return winner == MASH_SEAT_NONE ? 1 : winner == first_seat ? 2 : 0;
}

/* Plays pairs until there are none left. */
static void run_job(const LearnTask *task, const LearnNet nets[2], GateTally *tally) {
    for (uint32_t pair;
         !tally->stop && (pair = atomic_fetch_add(&tally->next, 1)) < task->matches;) {
        MashChance chance = chance_sampled(hash_number(task->seed, pair));
        MashContent *content = task->shaken > 0 ? learn_content(task->game, task->shaken, &chance)
                                                : learn_content_first(task->game);
        GatePlayer players[2];
        uint32_t halves = 0;
        for (int i = 0; i < 2; i++) {
            players[i].net = &nets[i];
            players[i].thinking = learn_memory(ai_bytes(content));
            players[i].ai = ai_init(content, players[i].thinking);
        }
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
            uint32_t got = play(task, content, players, pair, seat, tally);
            atomic_fetch_add(got == 2 ? &tally->won : got == 1 ? &tally->drawn : &tally->lost, 1);
            halves += got;
        }
        atomic_fetch_add(&tally->pairs[halves], 1);
        for (int i = 0; i < 2; i++)
            free(players[i].thinking);
        free(content);
    }
}

/* --- Statistics by pairs ---------------------------------------------------------------------- */

/* Mean and variance of a pair's score from 0 to 1; the count. */
static double measure(const GateTally *tally, double *mean, double *variance) {
    double count = 0, sum = 0, squares = 0;
    for (int i = 0; i < OUTCOMES; i++) {
        double score = i / 4.0, pairs = tally->pairs[i];
        count += pairs;
        sum += pairs * score;
        squares += pairs * score * score;
    }
    *mean = count > 0 ? sum / count : 0.5;
    *variance = count > 1 ? (squares - sum * *mean) / (count - 1) : 0;
    return count;
}

/* The score that an Elo difference is worth, and back. */
static double score_of(double elo) { return 1 / (1 + pow(10, -elo / 400)); }
static double elo_of(double score) {
    score = score < 0.001 ? 0.001 : score > 0.999 ? 0.999 : score;
    return -400 * log10(1 / score - 1);
}

/* Log-likelihood ratio of the task's two bounds. */
static double likelihood(const LearnTask *task, const GateTally *tally) {
    double mean, variance, count = measure(tally, &mean, &variance);
    double low = score_of(task->low), high = score_of(task->high);
    return variance <= 0 ? 0 : count * (high - low) * (2 * mean - low - high) / (2 * variance);
}

static void report(const LearnTask *task, const GateTally *tally) {
    double mean, variance, count = measure(tally, &mean, &variance);
    double spread = count > 0 ? 1.96 * sqrt(variance / count) : 0;
    printf("%s: %s against %s, %.0f pairs, %u ms, %u nodes, seed %llu, %u %% other content: "
           "%u/%u/%u, %.1f %% (%.1f..%.1f), Elo %.0f (%.0f..%.0f)",
           task->game->id, task->net == NULL ? "shipped" : task->net,
           task->against == NULL ? "shipped" : task->against, count, task->ms, task->nodes,
           (unsigned long long)task->seed, task->shaken, tally->won, tally->drawn, tally->lost,
           100 * mean, 100 * (mean - spread), 100 * (mean + spread), elo_of(mean),
           elo_of(mean - spread), elo_of(mean + spread));
    if (task->high > task->low)
        printf(", LLR %.2f of [%.0f, %.0f]", likelihood(task, tally), task->low, task->high);
    printf(", nodes a turn %.0f and %.0f\n",
           (double)tally->nodes[0] / ((double)tally->turns[0] + 1),
           (double)tally->nodes[1] / ((double)tally->turns[1] + 1));
    fflush(stdout);
}

/* Stops a sequential test that is decided, or one whose time is over. */
static void watch(const LearnTask *task, GateTally *tally, uint32_t jobs) {
    time_t began = time(NULL);
    while (jobs > 0) {
        int status;
        pid_t ended = waitpid(-1, &status, WNOHANG);
        if (ended > 0)
            jobs--;
        else
            usleep(100000);
        bool decided = task->high > task->low && fabs(likelihood(task, tally)) > sure;
        if (decided || (task->seconds > 0 && time(NULL) - began >= (time_t)task->seconds))
            tally->stop = 1;
    }
}

int learn_gate(const LearnTask *task) {
    static LearnNet nets[2];
    GateTally *tally =
        mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tally == MAP_FAILED)
        return 1;
    learn_net_open(&nets[0], task->game, task->net);
    learn_net_open(&nets[1], task->game, task->against);
    fflush(stdout);
    for (uint32_t i = 0; i < task->jobs; i++) {
        pid_t child = fork();
        if (child < 0)
            abort();
        if (child == 0) {
            run_job(task, nets, tally);
            _exit(0);
        }
    }
    watch(task, tally, task->jobs);
    report(task, tally);
    munmap(tally, sizeof *tally);
    return 0;
}
