/* judge.c -- see judge.h. */
#include "ai/judge.h"

#include <string.h>

#include "ai/internal.h"
#include "base/hash.h"

enum {
    FORCED_MAX = 64, /* forced actions in a row that are played before judging */
    NODES_UNMEASURED = 20000,
    VIEW_NODES = 5, /* a search takes this many times the nodes of the rollouts */
    ROLLOUT_ACTIONS = 16,
};

/* For games without a table: a straight line. */
static const MashWinningTable line = {
    .won = 9900,
    .lost = 100,
    .values = {-3000, -2000, -1500, -1000, -500, -100, 100, 500, 1000, 1500, 2000, 3000},
    .chances = {300, 1000, 1500, 2500, 3500, 4800, 5200, 6500, 7500, 8500, 9000, 9700},
};
static const MashWinning unmeasured = {NODES_UNMEASURED, {&line, &line}};

/* The game's table. */
static const MashWinning *winning_of(const MashContent *content) {
    const MashEvaluator *evaluator = content->game->evaluator;
    return evaluator == NULL || evaluator->winning == NULL ? &unmeasured : evaluator->winning;
}

uint32_t judge_nodes(const MashContent *content) { return winning_of(content)->nodes; }

bool judge_rolls_out(const MashContent *content) {
    const MashEvaluator *evaluator = content->game->evaluator;
    return evaluator != NULL && evaluator->method == MASH_METHOD_DETERMINIZED;
}

uint32_t judge_search_nodes(const MashContent *content, uint32_t nodes) {
    uint32_t all = nodes == 0 ? judge_nodes(content) : nodes;
    return judge_rolls_out(content) ? all * VIEW_NODES : all;
}

/* All memory of a judge: one list for counting and for lending. */
static void lay_out(const MashContent *content, Lender *lender, PositionJudge *judge) {
    lend(lender, sizeof *judge);
    judge->state = lend(lender, content->limits.state_bytes);
    judge->list = lend(lender, content->limits.actions_max * sizeof *judge->list);
    judge->ai = lend(lender, ai_bytes(content));
}

size_t judge_bytes(const MashContent *content) {
    Lender lender = {NULL, 0};
    PositionJudge judge;
    lay_out(content, &lender, &judge);
    return lender.used;
}

PositionJudge *judge_init(const MashContent *content, uint32_t nodes, void *memory) {
    Lender lender = {memory, 0};
    PositionJudge *judge = memory;
    memset(judge, 0, sizeof *judge);
    lay_out(content, &lender, judge);
    judge->content = content;
    judge->nodes = nodes == 0 ? judge_nodes(content) : nodes;
    judge->ai = ai_init(content, judge->ai);
    return judge;
}

bool judge_can(const MashContent *content, const void *state) {
    uint32_t awaited = content->game->awaited(content, state);
    const MashEvaluator *evaluator = content->game->evaluator;
    MashChance chance = chance_sampled(JUDGE_SEED);
    if (awaited != 1 && awaited != 2)
        return false;
    return evaluator == NULL || evaluator->opening == NULL ||
           evaluator->opening(content, state, awaited == 2, &chance).verb == MASH_VERB_NONE;
}

/* --- Chances ---------------------------------------------------------------------------------- */

uint32_t judge_chance_of(const MashContent *content, uint8_t seat, int32_t value) {
    const MashWinningTable *table = winning_of(content)->seats[seat];
    uint32_t last = MASH_WINNING_KNOTS - 1, at = 1;
    if (value > MASH_EVALUATION_MAX)
        return table->won;
    if (value < -MASH_EVALUATION_MAX)
        return table->lost;
    if (value <= table->values[0])
        return table->chances[0];
    if (value >= table->values[last])
        return table->chances[last];
    while (table->values[at] < value)
        at++;
    int64_t low = table->values[at - 1], wide = table->values[at] - low;
    int64_t rise = table->chances[at] - table->chances[at - 1];
    return (uint32_t)(table->chances[at - 1] + (value - low) * rise / wide);
}

uint32_t judge_chance_of_result(MashResult result) {
    return result.winner == 0   ? MASH_WINNING_CERTAIN
           : result.winner == 1 ? 0
                                : MASH_WINNING_CERTAIN / 2;
}

/* The value is known. */
static void finish(PositionJudge *judge, int32_t value) {
    judge->value = value;
    uint32_t chance = judge_chance_of(judge->content, judge->seat, judge->value);
    judge->chance = judge->seat == 0 ? chance : MASH_WINNING_CERTAIN - chance;
    judge->done = true;
}

/* --- Judging ---------------------------------------------------------------------------------- */

/* Plays actions without an alternative. */
static void play_forced(PositionJudge *judge) {
    const MashGame *game = judge->content->game;
    for (uint32_t i = 0; i < FORCED_MAX && judge_can(judge->content, judge->state); i++) {
        uint8_t seat = game->awaited(judge->content, judge->state) == 2;
        if (game->actions(judge->content, judge->state, seat, judge->list) != 1)
            return;
        MashChance chance = chance_sampled(JUDGE_SEED + i);
        judge->forced = true;
        game->apply_listed(judge->content, judge->state, judge->list[0], &chance, NULL);
    }
}

/* Starts with another position: even, until something is known. */
static void clear(PositionJudge *judge, const void *state) {
    memcpy(judge->state, state, judge->content->limits.state_bytes);
    judge->value = 0;
    judge->forced = false;
    judge->done = true;
    judge->chance = MASH_WINNING_CERTAIN / 2;
}

/* Starts the search. */
static void search(PositionJudge *judge, uint8_t seat, uint32_t nodes) {
    judge->seat = seat;
    judge->searching = true;
    judge->plan = (AiPlan){0};
    AiTask task = {ai_level(AI_LEVELS), judge->state, &judge->plan, seat, nodes, JUDGE_SEED, true};
    judge->done = !ai_begin(judge->ai, &task);
}

/* --- Rollouts --------------------------------------------------------------------------------- */

/* Starts the rollouts. */
static void begin_rollouts(PositionJudge *judge, uint8_t seat) {
    judge->seat = seat;
    judge->searching = judge->done = false;
    judge->rollouts = 0;
    judge->sum = 0;
}

/* Some turns of both sides, each by what it sees; the evaluation of what they lead to, for the seat
 * that is to act. */
int32_t judge_roll_out(PositionJudge *judge, const void *state, uint8_t seat, uint32_t number) {
    Ai *ai = judge->ai;
    const MashGame *game = judge->content->game;
    memcpy(ai->scratch_state, state, judge->content->limits.state_bytes);
    ai->seat = seat;
    ai->mode = AI_SEARCH;
    determinized_forget(ai);
    for (uint32_t i = 0; i < ROLLOUT_ACTIONS; i++) {
        uint32_t awaited = game->awaited(judge->content, ai->scratch_state);
        if (awaited == 0)
            break;
        MashChance chance = chance_sampled(hash_number(hash_number(JUDGE_SEED, number), i));
        MashAction action = determinized_action(ai, awaited == 2, &chance);
        game->apply_listed(judge->content, ai->scratch_state, action, &chance, NULL);
        judge->searched++;
    }
    return determinized_lead(search_evaluate(ai, ai->scratch_state, seat));
}

/* Goes on with the rollouts. */
static void step_rollouts(PositionJudge *judge, uint32_t nodes) {
    uint64_t until = judge->searched + nodes;
    uint32_t all = judge->nodes / ROLLOUT_ACTIONS + 1;
    while (judge->searched < until && judge->rollouts < all) {
        judge->sum += judge_roll_out(judge, judge->state, judge->seat, judge->rollouts);
        judge->rollouts++;
    }
    if (judge->rollouts == all)
        finish(judge, (int32_t)(judge->sum / all));
}

/* --- One position ----------------------------------------------------------------------------- */

void judge_begin(PositionJudge *judge, const void *state) {
    const MashContent *content = judge->content;
    clear(judge, state);
    play_forced(judge);
    MashResult result = content->game->result(content, judge->state);
    if (result.over)
        judge->chance = judge_chance_of_result(result);
    if (!judge_can(content, judge->state))
        return;
    uint8_t seat = content->game->awaited(content, judge->state) == 2;
    if (judge_rolls_out(content))
        begin_rollouts(judge, seat);
    else
        search(judge, seat, judge->nodes);
}

void judge_begin_view(PositionJudge *judge, const void *view, uint8_t seat) {
    clear(judge, view);
    search(judge, seat, judge_search_nodes(judge->content, judge->nodes));
}

/* Goes on with the search. */
static void step_search(PositionJudge *judge, uint32_t nodes) {
    if (!ai_step(judge->ai, nodes))
        return;
    judge->searched += ai_nodes(judge->ai);
    finish(judge, ai_value(judge->ai));
}

bool judge_step(PositionJudge *judge, uint32_t nodes) {
    if (!judge->done && judge->searching)
        step_search(judge, nodes);
    else if (!judge->done)
        step_rollouts(judge, nodes);
    return judge->done;
}
