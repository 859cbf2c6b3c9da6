/* self_play.c -- see self_play.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/commands/self_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"

enum { SLICE_NODES = 64, GRACE_US = 5000, PROGRAM_MS = 60000, PROBLEM_BYTES = 512 };

/* CPU time of this thread so far, in microseconds. */
static uint64_t cpu_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

void self_play_open(SelfPlay *self_play, const GameConfig *config, uint32_t nodes, uint32_t ms) {
    const MashContent *content = config->content;
    *self_play = (SelfPlay){.config = config, .nodes = nodes, .ms = ms, .program_ms = PROGRAM_MS};
    self_play->memory = cli_memory(match_bytes(content));
    self_play->view = cli_memory(content->limits.state_bytes);
}

void self_play_close(SelfPlay *self_play) {
    free(self_play->memory);
    free(self_play->view);
    for (uint32_t i = 0; i <= AI_TEAM_MAX; i++)
        crew_close(self_play->crews[i]);
}

/* How many times as long as others it thinks. */
static uint32_t times_of(const SelfPlayer *player) { return player->times > 0 ? player->times : 1; }

/* What this many threads think with; opened when it is needed first. */
static Crew *crew_of(SelfPlay *self_play, uint32_t threads) {
    Crew **crew = &self_play->crews[threads > 0 ? threads : 1];
    if (*crew == NULL)
        *crew = cli_crew(self_play->config->content, threads > 0 ? threads : 1);
    return *crew;
}

/* Thinks within the limit of nodes or milliseconds of each thread. */
static MashAction decide(SelfPlay *self_play, const SelfPlayer *player, const AiTask *task,
                         ThinkingUsage *usage) {
    Crew *crew = crew_of(self_play, player->threads);
    uint64_t began_us = cpu_us(), limit_us = 1000 * (uint64_t)self_play->ms * times_of(player);
    bool begun = crew_begin(crew, task);
    assert(begun);
    if (self_play->ms == 0)
        while (!crew_step(crew, UINT32_MAX))
            ;
    else
        while (!crew_step(crew, SLICE_NODES) && cpu_us() - began_us < limit_us)
            ;
    MashAction action = crew_answer(crew);
    uint64_t nodes = crew_nodes(crew), spent_us;
    spent_us = cpu_us() - began_us;
    usage->decisions++;
    usage->turns += nodes > 0;
    usage->nodes += nodes;
    usage->spent_us += spent_us;
    usage->worst_us = spent_us > usage->worst_us ? spent_us : usage->worst_us;
    usage->overruns += self_play->ms > 0 && spent_us > limit_us + GRACE_US;
    return action;
}

/* Nodes of a decision, 0 for the player's own number. Baselines always think equally long, unless
 * time is short. */
static uint32_t nodes_for(const SelfPlay *self_play, const SelfPlayer *player) {
    const AiSkill *skill = player->skill;
    const MashEvaluator *evaluator = self_play->config->game->evaluator;
    bool frozen = skill->mode == AI_BASELINE_TURN || skill->mode == AI_BASELINE_AVERAGE ||
                  skill->mode == AI_BASELINE_RULES;
    bool own = self_play->nodes == 0 && times_of(player) > 1 && skill->level > 0 &&
               evaluator != NULL && evaluator->levels != NULL;
    uint64_t nodes = own ? evaluator->levels[skill->level - 1].nodes : self_play->nodes;
    nodes *= times_of(player);
    return self_play->ms > 0 ? UINT32_MAX
           : frozen          ? 0
                             : (uint32_t)(nodes < UINT32_MAX ? nodes : UINT32_MAX);
}

/* Microseconds of a clock that never goes back. */
static uint64_t wall_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* What a program is sent of the match as the seat sees it now. */
static Position position_of(SelfPlay *self_play, uint8_t seat) {
    const Match *match = &self_play->match;
    match_view(match, seat, self_play->view);
    return (Position){.content = self_play->config->content,
                      .view = self_play->view,
                      .seat = seat,
                      .events = match->events.list,
                      .events_count = match->events.count,
                      .code = "",
                      .number = match->actions_count + 1,
                      .clocks = {{POSITION_NO_TIME, POSITION_NO_TIME}, POSITION_NO_TIME}};
}

/* Why a match is lost by a program's failure. */
static uint8_t reason_of(ExecAnswer answer) {
    return answer == EXEC_LATE      ? MASH_REASON_TIME_OVER
           : answer == EXEC_ILLEGAL ? MASH_REASON_ILLEGAL
                                    : MASH_REASON_LEFT;
}

/* The seat's program has failed: prints why, and the seat loses. */
static MashStatus lose(SelfPlay *self_play, const SelfPlayer *player, uint8_t seat,
                       ExecAnswer answer, const char *problem, ThinkingUsage *usage) {
    SelfFailure *failure = &self_play->failures[seat];
    *failure = (SelfFailure){
        .failed = true, .never_ran = !exec_player_spoke(player->program), .how = answer};
    snprintf(failure->problem, sizeof failure->problem, "%s", problem);
    if (!self_play->quiet)
        fprintf(stderr, "mashup: %s loses: %s\n", player->name, problem);
    usage->failures++;
    return match_apply(&self_play->match, (MashAction){.verb = MASH_VERB_FORFEIT,
                                                       .seat = MASH_SEAT_SERVER,
                                                       .other = seat,
                                                       .amount = reason_of(answer)});
}

/* How long the program may take now. */
static uint32_t limit_of(const SelfPlay *self_play, const SelfPlayer *player, uint8_t seat) {
    if (player->turn_ms == 0)
        return self_play->program_ms;
    return (uint32_t)(self_play->turn_left_ms[seat] + self_play->bank_left_ms[seat]) +
           (exec_player_spoke(player->program) ? 0 : player->startup_ms);
}

/* The program has taken so long: first from its turn, then from its bank. */
static void spend(SelfPlay *self_play, uint8_t seat, uint64_t spent_ms) {
    uint64_t *turn = &self_play->turn_left_ms[seat], *bank = &self_play->bank_left_ms[seat];
    uint64_t more = spent_ms > *turn ? spent_ms - *turn : 0;
    *turn -= spent_ms - more;
    *bank -= more > *bank ? *bank : more;
}

/* The next action of a program. */
static MashStatus ask_program(SelfPlay *self_play, const SelfPlayer *player, uint8_t seat,
                              ThinkingUsage *usage) {
    char memory[PROBLEM_BYTES];
    MashText problem = text_over(memory, sizeof memory);
    MashAction action;
    Position position = position_of(self_play, seat);
    bool first = !exec_player_spoke(player->program);
    uint32_t limit_ms = limit_of(self_play, player, seat);
    if (player->turn_ms != 0)
        position.clocks.turn[seat] = (int32_t)limit_ms;
    uint64_t began_us = wall_us();
    ExecAnswer answer = exec_player_choose(player->program, &position, limit_ms, &action, &problem);
    uint64_t spent_us = wall_us() - began_us;
    if (!first)
        spend(self_play, seat, spent_us / 1000);
    usage->decisions++;
    usage->turns++;
    usage->spent_us += spent_us;
    usage->worst_us = spent_us > usage->worst_us ? spent_us : usage->worst_us;
    usage->overruns += self_play->ms > 0 && spent_us > 1000 * (uint64_t)self_play->ms + GRACE_US;
    return answer == EXEC_CHOSEN ? match_apply(&self_play->match, action)
                                 : lose(self_play, player, seat, answer, memory, usage);
}

/* The next action of a player of ai/. */
static MashStatus ask_ai(SelfPlay *self_play, const SelfPlayer *player, uint8_t seat,
                         ThinkingUsage *usage) {
    Match *match = &self_play->match;
    MashSeed seed = match->seed;
    match_view(match, seat, self_play->view);
    AiTask task = {
        .skill = player->skill,
        .view = self_play->view,
        .plan = &self_play->plans[seat],
        .seat = seat,
        .nodes = nodes_for(self_play, player),
        .seed = hash_number(hash_number(seed.words[0], seed.words[1]), match->actions_count)};
    return match_apply(match, decide(self_play, player, &task, usage));
}

/* Counts the random turns that a match begins with. */
typedef struct RandomTurns {
    uint32_t left;
    bool begun;      /* the turn that `number` tells */
    uint32_t number; /* where every action is a turn: 0 */
} RandomTurns;

/* Is the next action of the seat, whose view has been made, one of a random turn? Drafting and
 * placing are the players' own. */
static bool plays_random_turn(const SelfPlay *self_play, RandomTurns *turns, uint8_t seat) {
    const MashEvaluator *evaluator = self_play->config->game->evaluator;
    const MashContent *content = self_play->config->content;
    if (turns->left == 0)
        return false;
    MashChance chance = chance_sampled(0);
    if (evaluator != NULL && evaluator->opening != NULL &&
        evaluator->opening(content, self_play->view, seat, &chance).verb != MASH_VERB_NONE)
        return false;
    bool numbered = evaluator != NULL && evaluator->turn_number != NULL;
    uint32_t number = numbered ? evaluator->turn_number(content, self_play->view) : 0;
    if (turns->begun && (!numbered || number != turns->number))
        turns->left--;
    turns->begun = true;
    turns->number = number;
    return turns->left > 0;
}

/* Tells the programs that a match begins; one that cannot start loses. */
static MashStatus tell_begin(SelfPlay *self_play, const SelfPlayer *const players[MASH_SEATS],
                             ThinkingUsage *const usages[MASH_SEATS]) {
    const GameConfig *config = self_play->config;
    MashStatus status = MASH_OK;
    for (uint8_t seat = 0; seat < MASH_SEATS && status == MASH_OK; seat++) {
        char memory[PROBLEM_BYTES];
        MashText problem = text_over(memory, sizeof memory);
        ExecTable table = {.content = config->content,
                           .preset = config->own_files ? "" : config->preset,
                           .documents = config->documents,
                           .documents_count = config->documents_count,
                           .options = config->options,
                           .you = seat,
                           .turn_ms =
                               players[seat]->turn_ms != 0 ? players[seat]->turn_ms : self_play->ms,
                           .match_ms = players[seat]->bank_ms};
        if (players[seat]->program != NULL && !match_result(&self_play->match).over &&
            !exec_player_begin(players[seat]->program, &table, self_play->program_ms, &problem))
            status = lose(self_play, players[seat], seat, EXEC_ENDED, memory, usages[seat]);
    }
    return status;
}

/* Tells them how it ended. */
static void tell_end(SelfPlay *self_play, const SelfPlayer *const players[MASH_SEATS]) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (players[seat]->program != NULL) {
            Position position = position_of(self_play, seat);
            exec_player_end(players[seat]->program, &position, self_play->program_ms);
        }
}

/* Full times, and no failures yet. */
static void begin_times(SelfPlay *self_play, const SelfPlayer *const players[MASH_SEATS]) {
    memset(self_play->failures, 0, sizeof self_play->failures);
    self_play->broken_off = false;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        self_play->bank_left_ms[seat] = players[seat]->bank_ms;
}

bool self_play_match(SelfPlay *self_play, MashSeed seed,
                     const SelfPlayer *const players[MASH_SEATS],
                     ThinkingUsage *const usages[MASH_SEATS], MashResult *result) {
    const GameConfig *config = self_play->config;
    const MashGame *game = config->game;
    MashSetup setup = {.options = config->options, .options_count = game->options_count};
    Match *match = &self_play->match;
    const SelfPlayer blind = {.name = "random", .skill = ai_skill_find("random")};
    RandomTurns random_turns = {.left = self_play->random_turns};
    ThinkingUsage none = {0};
    uint32_t awaited;
    uint8_t last = MASH_SEAT_NONE;
    begin_times(self_play, players);
    MashStatus status = match_begin(match, config->content, seed, &setup, self_play->memory);
    memset(self_play->plans, 0, sizeof self_play->plans);
    if (status == MASH_OK)
        status = tell_begin(self_play, players, usages);
    while (status == MASH_OK && (awaited = game->awaited(config->content, match->state)) != 0) {
        uint8_t seat = awaited == 2;
        if (self_play->watch != NULL && !self_play->watch(self_play->watcher, match)) {
            self_play->broken_off = true;
            break;
        }
        if (seat != last)
            self_play->turn_left_ms[seat] = players[seat]->turn_ms;
        last = seat;
        match_view(match, seat, self_play->view);
        if (plays_random_turn(self_play, &random_turns, seat))
            status = ask_ai(self_play, &blind, seat, &none);
        else
            status = players[seat]->program != NULL
                         ? ask_program(self_play, players[seat], seat, usages[seat])
                         : ask_ai(self_play, players[seat], seat, usages[seat]);
    }
    if (status != MASH_OK)
        fprintf(stderr, "mashup: %s\n", mash_status_sentence(status));
    else
        tell_end(self_play, players);
    *result = match_result(match);
    return status == MASH_OK;
}
