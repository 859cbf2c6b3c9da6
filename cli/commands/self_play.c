/* self_play.c -- see self_play.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/commands/self_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"

enum { SLICE_NODES = 64, GRACE_US = 5000 };

/* CPU time of the process so far, in microseconds. */
static uint64_t cpu_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void self_play_open(SelfPlay *versus, const GameConfig *setting, uint32_t nodes, uint32_t ms) {
    const MashContent *content = setting->content;
    *versus = (SelfPlay){.setting = setting, .nodes = nodes, .ms = ms};
    versus->memory = cli_memory(match_bytes(content));
    versus->view = cli_memory(content->limits.state_bytes);
    versus->thinking = cli_memory(ai_bytes(content));
    versus->ai = ai_init(content, versus->thinking);
}

void self_play_close(SelfPlay *versus) {
    free(versus->memory);
    free(versus->view);
    free(versus->thinking);
}

/* Thinks within the limit of nodes or milliseconds. */
static MashAction decide(SelfPlay *versus, const AiTask *task, ThinkingUsage *usage) {
    uint64_t began_us = cpu_us(), limit_us = 1000 * (uint64_t)versus->ms, spent_us;
    bool begun = ai_begin(versus->ai, task);
    assert(begun);
    if (versus->ms == 0)
        while (!ai_step(versus->ai, UINT32_MAX))
            ;
    else
        while (!ai_step(versus->ai, SLICE_NODES) && cpu_us() - began_us < limit_us)
            ;
    MashAction action = ai_answer(versus->ai);
    spent_us = cpu_us() - began_us;
    usage->decisions++;
    usage->turns += ai_nodes(versus->ai) > 0;
    usage->nodes += ai_nodes(versus->ai);
    usage->spent_us += spent_us;
    usage->worst_us = spent_us > usage->worst_us ? spent_us : usage->worst_us;
    usage->overruns += versus->ms > 0 && spent_us > limit_us + GRACE_US;
    return action;
}

/* Baselines always think equally long, unless time is short. */
static uint32_t nodes_for(const SelfPlay *versus, const AiSkill *skill) {
    bool frozen = skill->mode == AI_BASELINE_TURN || skill->mode == AI_BASELINE_AVERAGE ||
                  skill->mode == AI_BASELINE_RULES;
    return versus->ms > 0 ? UINT32_MAX : frozen ? 0 : versus->nodes;
}

bool self_play_match(SelfPlay *versus, MashSeed seed, const AiSkill *const skills[MASH_SEATS],
                     ThinkingUsage *const usages[MASH_SEATS], MashResult *result) {
    const GameConfig *setting = versus->setting;
    const MashGame *game = setting->game;
    MashSetup setup = {.options = setting->options, .options_count = game->options_count};
    Match *match = &versus->match;
    uint32_t awaited;
    MashStatus status = match_begin(match, setting->content, seed, &setup, versus->memory);
    memset(versus->plans, 0, sizeof versus->plans);
    while (status == MASH_OK && (awaited = game->awaited(setting->content, match->state)) != 0) {
        uint8_t seat = awaited == 2;
        match_view(match, seat, versus->view);
        AiTask task = {
            .skill = skills[seat],
            .view = versus->view,
            .plan = &versus->plans[seat],
            .seat = seat,
            .nodes = nodes_for(versus, skills[seat]),
            .seed = hash_number(hash_number(seed.words[0], seed.words[1]), match->actions_count)};
        status = match_apply(match, decide(versus, &task, usages[seat]));
    }
    if (status != MASH_OK)
        fprintf(stderr, "mashup: %s\n", mash_status_sentence(status));
    *result = match_result(match);
    return status == MASH_OK;
}
