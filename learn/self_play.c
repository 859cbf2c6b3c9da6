/* self_play.c -- learn play: matches of the best level against itself, and what was seen in them.
 *
 * Every job writes a file of its own, OUT.0, OUT.1 and so on: eight numbers of 32 bits (version,
 * units of a side, features of a unit, of a side and of the table, bytes of a record, 0, 0), then
 * the records. A record is the start of a turn, or a moment in the middle of one: the number of the
 * match, the value that search found for seat 0, its result for seat 0 (2 won, 1 drawn, 0 lost),
 * the counts of units, whether it is in the middle of a turn, and the features of TableNetInput. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "learn/learn.h"

enum {
    VERSION = 1,
    HEADER = 8,
    SAMPLES = 2048,      /* of a match, at most */
    PER_CONTENT = 8,     /* matches with the same content */
    CARELESS = 25,       /* actions by chance, in thousandths */
    OPENING_RANDOM = 10, /* the first actions by chance: fewer than so many */
    HAND_ONE_IN = 10,    /* in one of so many matches a seat plays without the net */
    MIDDLE_ONE_IN = 3,   /* of the moments in the middle of a turn, one of so many is kept */
    VALUE_MOST = 30000,
};

/* A record without its features. */
typedef struct SampleHead {
    uint32_t match;
    int32_t value;
    uint8_t result, counts[TABLE_NET_SIDES], middle;
} SampleHead;

/* A start of a turn. */
typedef struct NetSample {
    SampleHead head;
    TableNetInput input;
} NetSample;

/* A job: what it plays with. */
typedef struct SelfPlayJob {
    const LearnTask *task;
    LearnNet *net;
    LearnNet *hand;
    MashContent *content;
    Ai *ai;
    void *memory, *view, *thinking;
    MashAction *list;
    MashChance chance;
    int32_t value; /* of the last search, for seat 0 */
    NetSample *samples;
    uint32_t samples_count;
    FILE *out;
} SelfPlayJob;

/* --- Playing ---------------------------------------------------------------------------------- */

static void close_content(SelfPlayJob *job) {
    free(job->list);
    free(job->view);
    free(job->thinking);
    free(job->memory);
    free(job->content);
}

static void open_content(SelfPlayJob *job) {
    const LearnTask *task = job->task;
    job->content = learn_content(task->game, task->shaken, &job->chance);
    job->memory = learn_memory(match_bytes(job->content));
    job->view = learn_memory(job->content->limits.state_bytes);
    job->thinking = learn_memory(ai_bytes(job->content));
    job->list = learn_memory(job->content->limits.actions_max * sizeof *job->list);
    job->ai = ai_init(job->content, job->thinking);
}

/* The value of a decision for seat 0, as far as a record holds it. */
static int32_t value_of(const Ai *ai, uint8_t seat) {
    int32_t value = ai_value(ai);
    value = value > VALUE_MOST ? VALUE_MOST : value < -VALUE_MOST ? -VALUE_MOST : value;
    return seat == 0 ? value : -value;
}

/* Keeps the position if it is one that nets are told of. */
static void keep_sample(SelfPlayJob *job, const Match *match, uint32_t number, bool middle) {
    NetSample *sample = &job->samples[job->samples_count];
    const MashGame *game = job->task->game;
    if (job->samples_count == SAMPLES)
        return;
    memset(&sample->input, 0, sizeof sample->input);
    if (!game->evaluator->net_input(job->content, match->state, &sample->input))
        return;
    sample->head = (SampleHead){.match = number,
                                .value = job->value,
                                .middle = middle,
                                .counts = {sample->input.counts[0], sample->input.counts[1]}};
    job->samples_count++;
}

/* The seat's action; keeps the position if a turn begins, and some of those in which a turn goes on
 * as it was planned: they are worth what search found at its beginning. */
static MashAction choose(SelfPlayJob *job, Match *match, uint32_t number, uint8_t seat,
                         AiPlan *plan, const MashEvaluator *evaluator) {
    AiTask task = {.skill = ai_level(AI_LEVELS),
                   .view = job->view,
                   .plan = plan,
                   .seat = seat,
                   .nodes = job->task->nodes,
                   .seed = hash_number(number, match->actions_count)};
    job->ai->evaluator = evaluator;
    if (!ai_begin(job->ai, &task))
        abort();
    while (!ai_step(job->ai, UINT32_MAX))
        ;
    MashAction action = ai_answer(job->ai);
    bool middle = ai_nodes(job->ai) == 0;
    if (!middle)
        job->value = value_of(job->ai, seat);
    if (!middle || chance_below(&job->chance, MIDDLE_ONE_IN) == 0)
        keep_sample(job, match, number, middle);
    return action;
}

/* Is this an action of the opening: a draft, a set-up, or one of the first few turns? */
static bool in_opening(const SelfPlayJob *job, const Match *match, uint32_t random_left) {
    TableNetInput input;
    return random_left > 0 ||
           !job->task->game->evaluator->net_input(job->content, match->state, &input);
}

/* Plays a match and keeps its samples. False: it could not begin with these options. */
static bool play_match(SelfPlayJob *job, uint32_t number) {
    const MashGame *game = job->task->game;
    int32_t options[MASH_OPTIONS_MAX] = {0};
    AiPlan plans[MASH_SEATS] = {{0}};
    Match match;
    uint32_t awaited, random_left = chance_below(&job->chance, OPENING_RANDOM);
    bool random_draft = chance_below(&job->chance, 2) == 0;
    uint8_t hand = chance_below(&job->chance, HAND_ONE_IN) == 0 ? number % 2 : MASH_SEAT_NONE;
    learn_options(game, &job->chance, options);
    MashSetup setup = {options, game->options_count};
    job->samples_count = 0;
    MashSeed seed = {{hash_number(job->task->seed, number), number}};
    if (match_begin(&match, job->content, seed, &setup, job->memory) != MASH_OK)
        return false;
    while ((awaited = game->awaited(job->content, match.state)) != 0) {
        uint8_t seat = (awaited & 1) == 0;
        MashAction action;
        match_view(&match, seat, job->view);
        bool drafts = in_opening(job, &match, 0);
        bool careless =
            drafts ? random_draft : random_left > 0 || chance_below(&job->chance, 1000) < CARELESS;
        if (careless) {
            uint32_t listed = game->actions(job->content, job->view, seat, job->list);
            action = job->list[chance_below(&job->chance, listed)];
            random_left -= !drafts && random_left > 0;
        } else {
            action = choose(job, &match, number, seat, &plans[seat],
                            seat == hand ? &job->hand->evaluator : &job->net->evaluator);
        }
        if (match_apply(&match, action) != MASH_OK)
            abort();
    }
    uint8_t winner = match_result(&match).winner;
    for (uint32_t i = 0; i < job->samples_count; i++)
        job->samples[i].head.result = winner == MASH_SEAT_NONE ? 1 : winner == 0 ? 2 : 0;
    return true;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* Bytes of a record of this game. */
static uint32_t record_bytes(const MashGame *game) {
    return (uint32_t)(sizeof(SampleHead) +
                      TABLE_NET_SIDES * learn_units(game) * sizeof(int16_t[TABLE_NET_FEATURES]) +
                      sizeof(int16_t[TABLE_NET_SIDES][TABLE_NET_SIDE]) +
                      sizeof(int16_t[TABLE_NET_TABLE]));
}

static void write_header(const SelfPlayJob *job) {
    const uint32_t header[HEADER] = {
        VERSION,         learn_units(job->task->game), TABLE_NET_FEATURES, TABLE_NET_SIDE,
        TABLE_NET_TABLE, record_bytes(job->task->game)};
    fwrite(header, sizeof header, 1, job->out);
}

static void write_samples(const SelfPlayJob *job) {
    uint32_t units = learn_units(job->task->game);
    for (uint32_t i = 0; i < job->samples_count; i++) {
        const NetSample *sample = &job->samples[i];
        fwrite(&sample->head, sizeof sample->head, 1, job->out);
        for (int side = 0; side < TABLE_NET_SIDES; side++)
            fwrite(sample->input.units[side], sizeof sample->input.units[side][0], units, job->out);
        fwrite(sample->input.sides, sizeof sample->input.sides, 1, job->out);
        fwrite(sample->input.table, sizeof sample->input.table, 1, job->out);
    }
}

/* Seconds of the clock on the wall. */
static double wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Plays every `jobs`th match from its own number on, until its time is over. */
static int run_job(SelfPlayJob *job, uint32_t own) {
    const LearnTask *task = job->task;
    char path[4096];
    double until = wall() + task->seconds;
    uint64_t samples = 0;
    uint32_t matches = 0;
    snprintf(path, sizeof path, "%s.%u", task->out, own);
    job->out = fopen(path, "wb");
    if (job->out == NULL)
        return 1;
    job->chance = chance_sampled(hash_number(task->seed, own));
    job->samples = learn_memory(SAMPLES * sizeof *job->samples);
    write_header(job);
    for (uint32_t number = own; task->matches == 0 || number < task->matches;
         number += task->jobs) {
        if (task->seconds > 0 && wall() > until)
            break;
        if (matches % PER_CONTENT == 0) {
            if (matches > 0)
                close_content(job);
            open_content(job);
        }
        matches++;
        if (!play_match(job, number))
            continue;
        write_samples(job);
        samples += job->samples_count;
    }
    if (own == 0)
        printf("learn: job 0 of %u: %u matches, %llu positions\n", task->jobs, matches,
               (unsigned long long)samples);
    fflush(stdout);
    return fclose(job->out) == 0 ? 0 : 1;
}

int learn_play(const LearnTask *task) {
    static LearnNet net, hand;
    int failures = 0;
    learn_net_open(&net, task->game, task->net);
    learn_net_open(&hand, task->game, "hand");
    fflush(stdout);
    for (uint32_t own = 0; own < task->jobs; own++) {
        pid_t child = fork();
        if (child < 0)
            abort();
        if (child == 0) {
            SelfPlayJob job = {.task = task, .net = &net, .hand = &hand};
            _exit(run_job(&job, own));
        }
    }
    for (uint32_t own = 0, status; own < task->jobs; own++)
        failures += wait((int *)&status) < 0 || status != 0;
    return failures > 0;
}
