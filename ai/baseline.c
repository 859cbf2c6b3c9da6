/* baseline.c -- see baseline.h. The behaviour of each player comes from reading public programs;
 * the code is written from the description alone. Do not improve it. */
#include "ai/baseline.h"

#include <string.h>

#include "ai/internal.h"

static const BaselineWeights baseline_weights[] = {
    {.skill = "peer-turn", .there = 100, .health = 1},
    {.skill = "peer-stones", .there = 100, .health = 1, .held = 50},
    {.skill = "peer-effects", .there = 100, .health = 1, .effect = 50},
    {.skill = "peer-rules", .there = 100, .health = 1},
    {.skill = "peer-average", .there = 100},
};

/* What this frozen player counts on a board. */
static const BaselineWeights *weights_of(const AiSkill *skill) {
    for (size_t i = 0; i < sizeof baseline_weights / sizeof *baseline_weights; i++)
        if (strcmp(baseline_weights[i].skill, skill->id) == 0)
            return &baseline_weights[i];
    return &baseline_weights[0];
}

/* --- Evaluating a board ----------------------------------------------------------------------- */

/* The owner of a unit. */
static uint8_t owner(const MashBoard *board, uint8_t unit) {
    for (uint32_t i = 0; i < board->tokens_count; i++)
        if (board->tokens[i].unit == unit)
            return board->tokens[i].seat;
    return MASH_SEAT_NONE;
}

/* The evaluation of a unit's meter for its owner. */
static int32_t meter_weight(const BaselineWeights *weights, const MashMeter *meter, bool own) {
    if (meter->role == MASH_ROLE_HEALTH)
        return weights->health * meter->now;
    if (meter->role == MASH_ROLE_HELD)
        return weights->held;
    return !own && meter->about_list == 1 + MASH_NAME_EFFECT ? -(int32_t)weights->effect : 0;
}

/* The seat's evaluation minus the opponent's. */
static int32_t displayed_balance(Ai *ai, const void *state, uint8_t seat) {
    const BaselineWeights *weights = ai->baseline.weights;
    MashBoard *board = &ai->baseline.board;
    int32_t sums[MASH_SEATS] = {0, 0};
    MashResult result = ai->game->result(ai->content, state);
    if (result.over)
        return result.winner == seat ? VALUE_WON : -VALUE_WON;
    ai->game->show(ai->content, state, board);
    for (uint32_t i = 0; i < board->tokens_count; i++)
        if (board->tokens[i].place != MASH_GONE && board->tokens[i].seat < MASH_SEATS)
            sums[board->tokens[i].seat] += weights->there;
    for (uint32_t i = 0; i < board->meters_count; i++) {
        const MashMeter *meter = &board->meters[i];
        uint8_t side =
            meter->unit < ai->content->limits.units ? owner(board, meter->unit) : MASH_SEAT_NONE;
        if (side < MASH_SEATS)
            sums[side] += meter_weight(weights, meter, side == seat);
    }
    return sums[seat] - sums[1 - seat];
}

/* Starts a decision: no action has an evaluation yet. */
static void begin(Ai *ai) {
    ai->baseline.weights = weights_of(ai->skill);
    ai->baseline.best = INT32_MIN;
    ai->chance_sample = 0;
}

/* --- All possible turns of the seat ----------------------------------------------------------- */

/* Starts with the task. */
static void turn_begin(Ai *ai) {
    begin(ai);
    turn_generator_begin(ai, ai->root, ai->seat, 0, GENERATOR_NODES_MAX, 0);
}

/* Runs until the slice is used up (false) or it is finished. */
static bool turn_step(Ai *ai) {
    for (;;) {
        GeneratorResult found = turn_generator_step(ai);
        if (found == GENERATOR_PAUSED)
            return false;
        if (found == GENERATOR_EXHAUSTED)
            return true;
        if (found != GENERATOR_TURN_FOUND)
            continue;
        int32_t value = displayed_balance(ai, turn_generator_state(ai), ai->seat);
        if (value > ai->baseline.best) {
            ai->baseline.best = ai->value = value;
            turn_generator_path(ai, &ai->answer);
        }
    }
}

/* --- Averages over replies -------------------------------------------------------------------- */

/* Lists the legal actions in the state of a ply; none: the search does not go deeper. */
static void enter_ply(Ai *ai, BaselinePly *ply) {
    uint32_t awaited = ai->game->awaited(ai->content, ply->state);
    ply->next = ply->count = 0;
    ply->sum = 0;
    ply->best = INT64_MIN;
    if (awaited == 1 || awaited == 2)
        ply->count = ai->game->actions(ai->content, ply->state, awaited == 2, ply->list);
}

/* Starts with the task. */
static void average_begin(Ai *ai) {
    Baseline *baseline = &ai->baseline;
    begin(ai);
    baseline->at = 0;
    memcpy(baseline->plies[0].state, ai->root, ai->content->limits.state_bytes);
    enter_ply(ai, &baseline->plies[0]);
}

/* An action of the ply has been evaluated. The first turn is chosen by it. */
static void add_to_mean(Ai *ai, BaselinePly *ply, int64_t value) {
    ply->sum += value;
    if (value <= ply->best)
        return;
    ply->best = value;
    if (ply == ai->baseline.plies) {
        ai->answer.count = 1;
        ai->answer.actions[0] = ply->list[ply->next - 1];
        ai->value = (int32_t)value;
    }
}

/* All actions of the ply have been evaluated: takes the mean, where minimax would take the best. */
static void leave_ply(Ai *ai) {
    Baseline *baseline = &ai->baseline;
    const BaselinePly *ply = &baseline->plies[baseline->at--];
    add_to_mean(ai, &baseline->plies[baseline->at], ply->sum / ply->count);
}

/* Runs until the slice is used up (false) or it is finished. */
static bool average_step(Ai *ai) {
    Baseline *baseline = &ai->baseline;
    for (;;) {
        BaselinePly *ply = &baseline->plies[baseline->at], *below = ply + 1;
        if (ply->next == ply->count) {
            if (baseline->at == 0)
                return true;
            leave_ply(ai);
            continue;
        }
        if (!search_spend_node(ai))
            return false;
        bool last = baseline->at + 1 == BASELINE_DEPTH;
        void *state = last ? ai->scratch_state : below->state;
        memcpy(state, ply->state, ai->content->limits.state_bytes);
        search_apply_listed(ai, state, ply->list[ply->next++], baseline->at);
        if (!last)
            enter_ply(ai, below);
        if (last || below->count == 0)
            add_to_mean(ai, ply, displayed_balance(ai, state, ai->seat));
        else
            baseline->at++;
    }
}

/* --- Fixed priorities ------------------------------------------------------------------------- */

/* Starts with the task. */
static void rules_begin(Ai *ai) {
    begin(ai);
    ai->greedy = (Greedy){.next = ai->list_count};
    ai->baseline.best = displayed_balance(ai, ai->root, ai->seat);
}

/* Goes through the list from its end, where the stronger verbs are, and plays the first useful
 * action; a random one if there is none. */
static bool rules_step(Ai *ai) {
    while (ai->greedy.next > 0) {
        if (!search_spend_node(ai))
            return false;
        MashAction action = ai->list[--ai->greedy.next];
        MashChance chance = search_chance(ai, 0, 0);
        memcpy(ai->scratch_state, ai->root, ai->content->limits.state_bytes);
        ai->game->apply_listed(ai->content, ai->scratch_state, action, &chance, NULL);
        if (displayed_balance(ai, ai->scratch_state, ai->seat) <= ai->baseline.best)
            continue;
        ai->answer.count = 1;
        ai->answer.actions[0] = action;
        return true;
    }
    return true;
}

const SearchMethod baseline_turn_search = {turn_begin, turn_step, NULL};
const SearchMethod baseline_average_search = {average_begin, average_step, NULL};
const SearchMethod baseline_rules_search = {rules_begin, rules_step, NULL};
