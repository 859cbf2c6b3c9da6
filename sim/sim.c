/* sim.c -- see include/mashup_sim.h: positions, actions, chance. The texts are in words.c. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/version.h"
#include "match/simulate.h"
#include "proto/action.h"
#include "sim/internal.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "actions are numbers, lowest byte first");

enum { ALIGNED = 64, ERROR_BYTES = 512, SLICE_NODES = 100000 };

SIM_OF_THREAD char error_memory[ERROR_BYTES];
SIM_OF_THREAD const char *error_code = "failed";

/* --- Memory and errors ------------------------------------------------------------------------ */

void *sim_memory(size_t bytes) {
    size_t rounded = (bytes + ALIGNED) / ALIGNED * ALIGNED;
    void *memory = aligned_alloc(ALIGNED, rounded);
    if (memory == NULL)
        sim_error("out of memory");
    else
        memset(memory, 0, rounded);
    return memory;
}

void *sim_memory_once(void **memory, size_t bytes) {
    if (*memory == NULL)
        *memory = sim_memory(bytes);
    return *memory;
}

int32_t sim_error(const char *format, ...) {
    MashText text = text_over(error_memory, sizeof error_memory);
    va_list list;
    error_code = "failed";
    va_start(list, format);
    text_format_va(&text, format, list);
    va_end(list);
    return MASH_SIM_FAILED;
}

int32_t sim_error_status(MashStatus status) {
    sim_error("%s: %s", mash_status_id(status), mash_status_sentence(status));
    error_code = mash_status_id(status);
    return MASH_SIM_FAILED;
}

const char *sim_error_code(void) { return error_code; }

void sim_error_problem(const MashProblems *problems) {
    const MashProblem *first = &problems->list[0];
    sim_error("%s:%u:%u: %s%s%s", first->document, first->line, first->column, first->path,
              first->path[0] == '\0' ? "" : ": ", first->reason);
}

const char *mash_sim_error(void) { return error_memory; }

const char *mash_sim_version(void) { return MASH_VERSION; }

MashAction sim_action(uint64_t number) {
    MashAction action;
    memcpy(&action, &number, sizeof action);
    return action;
}

uint64_t sim_number(MashAction action) {
    uint64_t number;
    memcpy(&number, &action, sizeof number);
    return number;
}

/* --- Beginning and end ------------------------------------------------------------------------ */

/* Frees what is shared when the last sim is gone. */
static void release(SimShared *shared) {
    if (--shared->users > 0)
        return;
    void *all[] = {shared->content,
                   shared->events.list,
                   shared->view,
                   shared->trial,
                   shared->list,
                   shared->text,
                   shared->position_memory,
                   shared->preview_memory,
                   shared->ai_memory,
                   shared};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* Takes over a content; NULL: no memory, and the content is freed. */
static SimShared *share(MashContent *content) {
    const MashLimits *limits = &content->limits;
    SimShared *shared = sim_memory(sizeof *shared);
    if (shared == NULL) {
        free(content);
        return NULL;
    }
    *shared = (SimShared){.users = 1, .content = content};
    shared->view = sim_memory(limits->state_bytes);
    shared->trial = sim_memory(limits->state_bytes);
    shared->list = sim_memory(limits->actions_max * sizeof(MashAction));
    shared->events.list = sim_memory(limits->events_max * sizeof(MashEvent));
    shared->events.max = limits->events_max;
    if (shared->view != NULL && shared->trial != NULL && shared->list != NULL &&
        shared->events.list != NULL)
        return shared;
    release(shared);
    return NULL;
}

/* A sim with this content, which has one more user; the state is zero. NULL: no memory. */
static MashSim *sim_open(SimShared *shared) {
    size_t head = align_16(sizeof(MashSim));
    MashSim *sim = sim_memory(head + shared->content->limits.state_bytes);
    if (sim == NULL)
        return NULL;
    shared->users++;
    sim->shared = shared;
    sim->state = (uint8_t *)sim + head;
    return sim;
}

/* A seed of 128 bits from one of 64. */
static MashSeed seed_of(uint64_t seed) { return (MashSeed){{seed, hash_number(seed, 0)}}; }

MashSim *mash_sim_begin(const char *table, uint64_t seed) {
    int32_t options[MASH_OPTIONS_MAX];
    MashContent *content = sim_load_content(table, options);
    SimShared *shared = content == NULL ? NULL : share(content);
    MashSim *sim = shared == NULL ? NULL : sim_open(shared);
    if (sim != NULL) {
        MashSetup setup = {options, content->game->options_count};
        MashChance chance = chance_seeded(sim->seed = seed_of(seed), 0);
        MashStatus status = content->game->setup(content, &setup, &chance, sim->state);
        if (status != MASH_OK) {
            sim_error_status(status);
            mash_sim_drop(sim);
            sim = NULL;
        }
    }
    if (shared != NULL)
        release(shared);
    return sim;
}

MashSim *mash_sim_clone(const MashSim *sim) {
    MashSim *copy = sim_open(sim->shared);
    if (copy == NULL)
        return NULL;
    memcpy(copy->state, sim->state, sim->shared->content->limits.state_bytes);
    copy->blind = sim->blind;
    copy->seat = sim->seat;
    copy->seed = sim->seed;
    copy->ply = sim->ply;
    return copy;
}

void mash_sim_drop(MashSim *sim) {
    if (sim == NULL)
        return;
    if (sim->shared->told == sim)
        sim->shared->told = NULL;
    release(sim->shared);
    free(sim->past);
    free(sim);
}

/* --- Views ------------------------------------------------------------------------------------ */

const void *sim_view(MashSim *sim, uint32_t seat) {
    const MashContent *content = sim->shared->content;
    if (seat == MASH_SIM_ALL || (sim->blind && seat == sim->seat))
        return sim->state;
    if (sim->blind) {
        sim_error("this is what seat %u sees; guess first", (unsigned)sim->seat);
        return NULL;
    }
    memcpy(sim->shared->view, sim->state, content->limits.state_bytes);
    content->game->hide(content, sim->shared->view, (uint8_t)seat);
    return sim->shared->view;
}

/* Nothing can be undone, and nothing has happened. */
static void forget(MashSim *sim) {
    sim->past_count = 0;
    if (sim->shared->told == sim)
        sim->shared->told = NULL;
}

int32_t mash_sim_load(MashSim *sim, uint32_t seat, const void *view, uint32_t count) {
    const MashContent *content = sim->shared->content;
    if (seat >= MASH_SEATS && seat != MASH_SIM_ALL)
        return sim_error("seat %u: only 0, 1 or, for everything, %d", (unsigned)seat, MASH_SIM_ALL);
    if (count != content->limits.state_bytes)
        return sim_error("a position of this game and content has %u bytes, not %u",
                         (unsigned)content->limits.state_bytes, (unsigned)count);
    memcpy(sim->state, view, count);
    sim->blind = seat != MASH_SIM_ALL && content->game->guess != NULL;
    sim->seat = (uint8_t)seat;
    sim->ply = 0;
    forget(sim);
    return 0;
}

uint32_t mash_sim_bytes(MashSim *sim, uint32_t seat, void *out, uint32_t max) {
    uint32_t bytes = sim->shared->content->limits.state_bytes;
    const void *view = sim_view(sim, seat);
    if (view == NULL)
        return 0;
    memcpy(out, view, bytes < max ? bytes : max);
    return bytes;
}

int32_t mash_sim_guess(MashSim *sim, uint64_t seed) {
    const MashContent *content = sim->shared->content;
    sim->seed = seed_of(seed);
    if (sim->blind) {
        MashChance chance = chance_sampled(seed);
        content->game->guess(content, sim->state, sim->seat, &chance);
        sim->blind = false;
        forget(sim);
    }
    return 0;
}

/* --- Actions ---------------------------------------------------------------------------------- */

uint32_t mash_sim_awaited(const MashSim *sim) {
    const MashContent *content = sim->shared->content;
    return content->game->awaited(content, sim->state);
}

int32_t mash_sim_result(const MashSim *sim) {
    const MashContent *content = sim->shared->content;
    MashResult result = content->game->result(content, sim->state);
    if (!result.over)
        return MASH_SIM_RUNNING;
    return result.winner < MASH_SEATS ? result.winner : MASH_SIM_DRAWN;
}

uint32_t mash_sim_actions(MashSim *sim, uint32_t seat, uint64_t *out, uint32_t max) {
    const MashContent *content = sim->shared->content;
    if (seat >= MASH_SEATS)
        return 0;
    uint32_t count = content->game->actions(content, sim->state, (uint8_t)seat, sim->shared->list);
    memcpy(out, sim->shared->list, (count < max ? count : max) * sizeof *out);
    return count;
}

int32_t mash_sim_find(MashSim *sim, uint32_t seat, const char *word, uint64_t *action) {
    MashAction found;
    if (seat >= MASH_SEATS || !action_find(sim->shared->content, sim->state, (uint8_t)seat, word,
                                           sim->shared->list, &found))
        return sim_error("seat %u has no legal action \"%s\"", (unsigned)seat, word);
    *action = sim_number(found);
    return 0;
}

/* Keeps the state, to undo what follows. False: no memory. */
static bool keep(MashSim *sim) {
    size_t bytes = sim->shared->content->limits.state_bytes;
    if (sim->past_count == sim->past_max) {
        uint32_t more = sim->past_max == 0 ? 8 : 2 * sim->past_max;
        uint8_t *past = realloc(sim->past, more * bytes);
        if (past == NULL)
            return sim_error("out of memory"), false;
        sim->past = past;
        sim->past_max = more;
    }
    memcpy(sim->past + sim->past_count * bytes, sim->state, bytes);
    return true;
}

int32_t mash_sim_apply(MashSim *sim, uint64_t number) {
    SimShared *shared = sim->shared;
    if (sim->blind)
        return sim_error("this is what seat %u sees; guess first", (unsigned)sim->seat);
    if (!keep(sim))
        return MASH_SIM_FAILED;
    MashChance chance = chance_seeded(sim->seed, sim->ply + 1);
    shared->events.count = 0;
    shared->told = NULL;
    MashStatus status =
        mash_apply(shared->content, sim->state, sim_action(number), &chance, &shared->events);
    if (status != MASH_OK)
        return sim_error_status(status);
    shared->told = sim;
    sim->past_count++;
    sim->ply++;
    return 0;
}

int32_t mash_sim_undo(MashSim *sim) {
    size_t bytes = sim->shared->content->limits.state_bytes;
    if (sim->past_count == 0)
        return sim_error("there is nothing to undo");
    sim->past_count--;
    sim->ply--;
    memcpy(sim->state, sim->past + sim->past_count * bytes, bytes);
    sim->shared->told = NULL;
    return 0;
}

/* --- Playing ---------------------------------------------------------------------------------- */

/* One random match from the sim's position to its end. */
static void play_out(MashSim *sim, MashChance *chance, MashSimPlayouts *out) {
    SimShared *shared = sim->shared;
    const MashContent *content = shared->content;
    const MashGame *game = content->game;
    memcpy(shared->trial, sim->state, content->limits.state_bytes);
    if (sim->blind)
        game->guess(content, shared->trial, sim->seat, chance);
    while (game->awaited(content, shared->trial) != 0) {
        MashAction action = simulate_random_action(content, shared->trial, chance, shared->list);
        game->apply_listed(content, shared->trial, action, chance, NULL);
        out->actions++;
    }
    MashResult result = game->result(content, shared->trial);
    if (result.winner < MASH_SEATS)
        out->wins[result.winner]++;
    else
        out->draws++;
}

int32_t mash_sim_playout(MashSim *sim, uint64_t seed, uint32_t count, MashSimPlayouts *out) {
    *out = (MashSimPlayouts){.draws = 0};
    for (uint32_t i = 0; i < count; i++) {
        MashChance chance = chance_sampled(hash_number(seed, i));
        play_out(sim, &chance, out);
    }
    return 0;
}

int32_t mash_sim_evaluate(const MashSim *sim, uint32_t seat) {
    const MashContent *content = sim->shared->content;
    const MashEvaluator *evaluator = content->game->evaluator;
    MashResult result = content->game->result(content, sim->state);
    if (result.over)
        return result.winner == seat        ? MASH_EVALUATION_MAX + 1
               : result.winner < MASH_SEATS ? -MASH_EVALUATION_MAX - 1
                                            : 0;
    return seat < MASH_SEATS && evaluator != NULL && evaluator->evaluate != NULL
               ? evaluator->evaluate(content, sim->state, (uint8_t)seat)
               : 0;
}

int32_t mash_sim_think(MashSim *sim, uint32_t seat, uint32_t level, uint64_t seed,
                       uint64_t *action) {
    SimShared *shared = sim->shared;
    uint32_t levels = ai_levels_of(shared->content->game);
    if (seat >= MASH_SEATS || level < 1 || level > levels)
        return sim_error("seats are 0 and 1, levels 1 to %u", (unsigned)levels);
    const void *view = sim_view(sim, seat);
    if (view == NULL || sim_memory_once(&shared->ai_memory, ai_bytes(shared->content)) == NULL)
        return MASH_SIM_FAILED;
    Ai *ai = ai_init(shared->content, shared->ai_memory);
    AiTask task = {.skill = ai_level(level),
                   .view = view,
                   .plan = &shared->plans[seat],
                   .seat = (uint8_t)seat,
                   .seed = seed};
    if (!ai_begin(ai, &task))
        return sim_error("seat %u has nothing to choose", (unsigned)seat);
    while (!ai_step(ai, SLICE_NODES))
        continue;
    *action = sim_number(ai_answer(ai));
    return 0;
}
