/* ai.c -- starts a task, searches in slices, returns the answer; see ai.h. */
#include <string.h>

#include "ai/internal.h"
#include "ai/team.h"
#include "base/hash.h"

/* A draw is slightly worse than an even position, so that search plays to win. */
#ifndef CONTEMPT
enum { CONTEMPT = 300 };
#endif

static const MashEvaluator no_evaluator = {.method = MASH_METHOD_EXHAUSTIVE};

/* For games whose evaluator defines no levels. */
static const MashLevel default_levels[MASH_LEVELS] = {
    {0, 1000, 0},    {0, 0, 850},     {0, 0, 650},      {0, 0, 400},
    {10000, 450, 0}, {30000, 300, 0}, {100000, 150, 0}, {300000, 0, 0},
};

/* The game's evaluator, or an empty one if it has none. */
static const MashEvaluator *evaluator_of(const MashContent *content) {
    return content->game->evaluator == NULL ? &no_evaluator : content->game->evaluator;
}

/* The level of a skill in this game: at most its highest one. 0: none. */
static uint32_t level_of(const Ai *ai, const AiSkill *skill) {
    uint32_t most = ai_levels_of(ai->game);
    return skill->level < most ? skill->level : most;
}

/* How a skill of a level plays; by default if the game does not define its levels. */
static const MashLevel *play_of(const Ai *ai, const AiSkill *skill) {
    const MashLevel *levels = ai->evaluator->levels;
    return &(levels == NULL ? default_levels : levels)[level_of(ai, skill) - 1];
}

/* --- Memory ----------------------------------------------------------------------------------- */

/* Memory for this many ends, each with a state of its own. */
static void lay_out_best(const MashLimits *limits, Lender *lender, TopList *best,
                         uint32_t capacity) {
    best->capacity = capacity;
    best->ranks = lend(lender, capacity * sizeof *best->ranks);
    best->ends = lend(lender, capacity * sizeof *best->ends);
    for (uint32_t i = 0; i < capacity; i++) {
        void *state = lend(lender, limits->state_bytes);
        if (lender->base != NULL)
            best->ends[i].state = state;
    }
}

/* Memory of the turn generator; only a beam search needs the beams. */
static void lay_out_generator(const MashLimits *limits, Lender *lender, TurnGenerator *generator,
                              bool narrow) {
    generator->pool_max = 2 * limits->actions_max + POOL_SPARE;
    generator->pool = lend(lender, generator->pool_max * sizeof *generator->pool);
    generator->list = lend(lender, limits->actions_max * sizeof *generator->list);
    generator->keys = lend(lender, limits->actions_max * sizeof *generator->keys);
    generator->priorities = lend(lender, limits->actions_max * sizeof *generator->priorities);
    generator->visited = lend(lender, (VISITED_FEW + VISITED_MAX) * sizeof *generator->visited);
    for (uint32_t i = 1; i <= AI_PLAN_MAX; i++)
        generator->plies[i].own = lend(lender, limits->state_bytes);
    for (uint32_t i = 0; narrow && i < 2; i++)
        lay_out_best(limits, lender, &generator->beams[i], BEAM_WIDTH_MAX);
}

/* Memory of the search over turns; a frame keeps no more ends than fit in KEPT_BYTES_MAX. */
static void lay_out_turns(const MashLimits *limits, Lender *lender, AlphaBeta *turns) {
    uint32_t fitting = KEPT_BYTES_MAX / limits->state_bytes;
    turns->transpositions = lend(lender, TRANSPOSITIONS_MAX * sizeof *turns->transpositions);
    for (uint32_t i = 0; i < SEARCH_DEPTH_MAX; i++) {
        SearchFrame *frame = &turns->frames[i];
        uint32_t capacity = i > 0 ? SEARCH_WIDTH_MAX : SEARCH_ROOT_WIDTH_MAX;
        frame->replay_state = lend(lender, limits->state_bytes);
        lay_out_best(limits, lender, &frame->ends, capacity < fitting ? capacity : fitting);
    }
}

/* All memory of an Ai, as the evaluator's method needs it: one list for counting and for lending.
 */
static void lay_out(const MashContent *content, Lender *lender, Ai *ai) {
    const MashLimits *limits = &content->limits;
    lend(lender, sizeof *ai);
    ai->view = lend(lender, limits->state_bytes);
    ai->scratch_view = lend(lender, limits->state_bytes);
    ai->root = lend(lender, limits->state_bytes);
    ai->scratch_state = lend(lender, limits->state_bytes);
    ai->list = lend(lender, limits->actions_max * sizeof *ai->list);
    ai->kept = ai->evaluator->net == NULL ? NULL : lend(lender, sizeof *ai->kept);
    lay_out_generator(limits, lender, &ai->generator, uses_beam(ai));
    ai->baseline.board = mash_board_lend(content, lender);
    for (uint32_t i = 0; i < BASELINE_DEPTH; i++) {
        ai->baseline.plies[i].list = lend(lender, limits->actions_max * sizeof(MashAction));
        ai->baseline.plies[i].state = lend(lender, limits->state_bytes);
    }
    ai->determinized.priorities = ai->generator.priorities;
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        ai->determinized.habits[seat] = lend(lender, ai->evaluator->habit_bytes);
    if (ai->evaluator->method != MASH_METHOD_DETERMINIZED)
        lay_out_turns(limits, lender, &ai->turns);
}

size_t ai_bytes(const MashContent *content) {
    Lender lender = {NULL, 0};
    Ai ai = {.evaluator = evaluator_of(content)};
    lay_out(content, &lender, &ai);
    return lender.used;
}

Ai *ai_init(const MashContent *content, void *memory) {
    Lender lender = {memory, 0};
    Ai *ai = memory;
    memset(memory, 0, ai_bytes(content));
    *ai = (Ai){.content = content,
               .content_hash = content->hash,
               .game = content->game,
               .evaluator = evaluator_of(content)};
    lay_out(content, &lender, ai);
    return ai;
}

/* Other content may be at the same address, so it is only used if its hash is the same. */
bool ai_is_for(const Ai *ai, const MashContent *content) {
    return ai != NULL && ai->content == content && ai->content_hash == content->hash;
}

/* --- Helpers ---------------------------------------------------------------------------------- */

bool search_spend_node(Ai *ai) {
    if (ai->slice == 0 || ai->nodes + ai->idle >= ai->nodes_max)
        return false;
    ai->slice--;
    ai->nodes++;
    return true;
}

/* Evaluators may exceed the limits with unusual content. */
static int32_t bounded(int32_t value) {
    return value > MASH_EVALUATION_MAX    ? MASH_EVALUATION_MAX
           : value < -MASH_EVALUATION_MAX ? -MASH_EVALUATION_MAX
                                          : value;
}

/* The evaluator's own evaluation; players that search know more than the others. */
static int32_t judge(const Ai *ai, const void *state, uint8_t seat) {
    const MashEvaluator *evaluator = ai->evaluator;
    bool searches = ai->mode == AI_SEARCH;
    TableNetInput input;
    if (searches && evaluator->net != NULL && evaluator->net_input(ai->content, state, &input)) {
        int32_t value = ai->kept == NULL
                            ? table_net_evaluate(evaluator->net, &input)
                            : table_net_evaluate_kept(evaluator->net, &input, ai->kept);
        return seat == 0 ? value : -value;
    }
    if (searches && evaluator->evaluate_trained != NULL)
        return evaluator->evaluate_trained(ai->content, state, seat);
    return evaluator->evaluate == NULL ? 0 : evaluator->evaluate(ai->content, state, seat);
}

int32_t search_evaluate(const Ai *ai, const void *state, uint8_t seat) {
    MashResult result = ai->game->result(ai->content, state);
    if (result.over && result.winner == MASH_SEAT_NONE)
        return seat == ai->seat ? -CONTEMPT : CONTEMPT;
    if (result.over)
        return result.winner == seat ? VALUE_WON : -VALUE_WON;
    int32_t value = bounded(judge(ai, state, seat));
    int32_t distance = ai->evaluator->combat_distance == NULL
                           ? 0
                           : ai->evaluator->combat_distance(ai->content, state);
    return bounded(seat == ai->seat ? value - bounded(distance) : value + bounded(distance));
}

void search_priorities(const Ai *ai, const void *state, uint8_t seat, const MashAction *list,
                       uint32_t count, int32_t *out) {
    const MashEvaluator *evaluator = ai->evaluator;
    if (evaluator->priorities != NULL) {
        evaluator->priorities(ai->content, state, seat, list, count, out);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        out[i] = evaluator->priority == NULL ? 0 : evaluator->priority(ai->content, state, list[i]);
}

bool search_overlooks(const Ai *ai, MashAction action) {
    if (ai->overlooked == 0)
        return false;
    const char *form = mash_verb_form(ai->game, action.verb);
    bool ends = strncmp(form, "end", 3) == 0 || strncmp(form, "stay", 4) == 0;
    uint64_t spot = hash_bytes(ai->blind_spot, &action, sizeof action);
    return !ends && hash_number(spot, 1) % 1000 < ai->overlooked;
}

MashChance search_chance(const Ai *ai, uint32_t sample, uint32_t place) {
    return chance_sampled(hash_number(hash_number(ai->seed, sample), place));
}

/* --- The plan --------------------------------------------------------------------------------- */

/* A hash of everything in a view that affects the future: equal views have equal hashes. */
static uint64_t view_hash(const Ai *ai, const void *view) {
    return hash_bytes(0, view, ai->content->limits.core_bytes);
}

/* Is the next entry of the plan meant for this view, and legal? */
static bool follow_plan(Ai *ai) {
    AiPlan *plan = ai->plan;
    if (plan->next >= plan->count || plan->count > AI_PLAN_MAX)
        return false;
    if (plan->list[plan->next].view != view_hash(ai, ai->view))
        return false;
    MashAction action = plan->list[plan->next].action;
    if (action.seat != ai->seat || ai->game->check(ai->content, ai->view, action) != MASH_OK)
        return false;
    ai->answer.count = 1;
    ai->answer.actions[0] = action;
    return true;
}

/* Writes the answer's actions after the first one to the plan, each with the view it is meant for,
 * by playing them in the state that was searched. */
static void write_plan(Ai *ai) {
    AiPlan *plan = ai->plan;
    plan->next = plan->count = 0;
    if (ai->answer.count < 2)
        return;
    void *state = ai->scratch_state;
    uint32_t bytes = ai->content->limits.state_bytes;
    memcpy(state, ai->root, bytes);
    for (uint32_t i = 0; i + 1 < ai->answer.count; i++) {
        MashChance chance = search_chance(ai, 0, 0);
        if (mash_apply(ai->content, state, ai->answer.actions[i], &chance, NULL) != MASH_OK)
            return;
        memcpy(ai->scratch_view, state, bytes);
        ai->game->hide(ai->content, ai->scratch_view, ai->seat);
        plan->list[plan->count].action = ai->answer.actions[i + 1];
        plan->list[plan->count++].view = view_hash(ai, ai->scratch_view);
    }
}

/* --- One task --------------------------------------------------------------------------------- */

/* While drafting and placing, the evaluator's opening decides. */
static bool follow_opening(Ai *ai) {
    AiMode mode = ai->skill->mode;
    const MashEvaluator *evaluator = ai->evaluator;
    if (evaluator->opening == NULL || (mode != AI_GREEDY_TURN && mode != AI_SEARCH))
        return false;
    uint32_t level = level_of(ai, ai->skill);
    MashAction action =
        level > 0 && evaluator->opening_trained != NULL
            ? evaluator->opening_trained(ai->content, ai->view, ai->seat, level, &ai->tie_break)
            : evaluator->opening(ai->content, ai->view, ai->seat, &ai->tie_break);
    if (action.verb == MASH_VERB_NONE || ai->game->check(ai->content, ai->view, action) != MASH_OK)
        return false;
    ai->answer.count = 1;
    ai->answer.actions[0] = action;
    return true;
}

/* Decides what mistakes the level makes now: a random turn, or what it overlooks. */
static void choose_mistakes(Ai *ai, const AiTask *task) {
    static const MashLevel none;
    uint32_t number = chance_below(&ai->tie_break, 1000);
    bool careful = task->skill->level == 0 || task->no_mistakes;
    const MashLevel *mistakes = careful ? &none : play_of(ai, task->skill);
    ai->mode = number < mistakes->random_turns ? AI_RANDOM : task->skill->mode;
    ai->overlooked = ai->mode == AI_GREEDY_TURN ? mistakes->overlooked : 0;
    ai->blind_spot = hash_number(task->seed, 2);
}

/* A random turn: random actions until it is over, which become the plan. False: the slice is used
 * up. */
static bool play_random_turn(Ai *ai) {
    ActionPath *path = &ai->answer;
    uint32_t turn = search_turn_number(ai, ai->root);
    while (path->count < AI_PLAN_MAX) {
        if (!search_spend_node(ai))
            return false;
        if (path->count == 1)
            memcpy(ai->scratch_state, ai->root, ai->content->limits.state_bytes);
        if (!search_apply(ai, ai->scratch_state, path->actions[path->count - 1], 0) ||
            search_turn_is_over(ai, ai->scratch_state, ai->seat, turn))
            return true;
        uint32_t count =
            ai->game->actions(ai->content, ai->scratch_state, ai->seat, ai->generator.list);
        path->actions[path->count++] = ai->generator.list[chance_below(&ai->tie_break, count)];
    }
    return true;
}

/* How many nodes a task may take. */
static uint32_t nodes_of(const Ai *ai, const AiTask *task) {
    const AiSkill *skill = task->skill;
    if (task->nodes != 0)
        return task->nodes;
    bool by_level = skill->level != 0 && skill->mode == AI_SEARCH;
    return by_level ? play_of(ai, skill)->nodes : skill->nodes;
}

const SearchMethod *search_of(const Ai *ai) {
    switch (ai->mode) {
    case AI_GREEDY_ACTION:
        return &greedy_search;
    case AI_BASELINE_TURN:
        return &baseline_turn_search;
    case AI_BASELINE_AVERAGE:
        return &baseline_average_search;
    case AI_BASELINE_RULES:
        return &baseline_rules_search;
    default:
        return ai->evaluator->method == MASH_METHOD_DETERMINIZED ? &determinized_search
                                                                 : &alpha_beta_search;
    }
}

bool ai_can_share(const MashContent *content) {
    const MashEvaluator *evaluator = evaluator_of(content);
    return evaluator->method != MASH_METHOD_DETERMINIZED && !evaluator->searched_alone;
}

bool ai_begin(Ai *ai, const AiTask *task) { return ai_begin_share(ai, task, 0, 1); }

bool ai_begin_share(Ai *ai, const AiTask *task, uint32_t share, uint32_t shares) {
    uint32_t bytes = ai->content->limits.state_bytes;
    ai->skill = task->skill;
    ai->plan = task->plan;
    ai->seat = task->seat;
    ai->seed = task->seed;
    ai->share = share;
    ai->shares = shares;
    ai->tie_break = chance_sampled(hash_number(task->seed, 1));
    ai->nodes = ai->idle = 0;
    ai->waits = false;
    ai->nodes_max = nodes_of(ai, task);
    ai->value = 0;
    memcpy(ai->view, task->view, bytes);
    ai->done = ai->from_plan = follow_plan(ai);
    if (ai->done)
        return true;
    ai->list_count = ai->game->actions(ai->content, ai->view, ai->seat, ai->list);
    if (ai->list_count == 0)
        return false;
    ai->answer.count = 1;
    ai->answer.actions[0] = ai->list[chance_below(&ai->tie_break, ai->list_count)];
    choose_mistakes(ai, task);
    if (ai->mode != AI_SEARCH || !ai_can_share(ai->content)) {
        ai->share = 0;
        ai->shares = 1;
    }
    ai->done = ai->list_count == 1 || ai->skill->mode == AI_RANDOM || follow_opening(ai);
    if (ai->done)
        return true;
    memcpy(ai->root, ai->view, bytes);
    MashChance chance = search_chance(ai, 0, UINT32_MAX);
    if (ai->game->guess != NULL)
        ai->game->guess(ai->content, ai->root, ai->seat, &chance);
    ai->chance_sample = 0;
    if (ai->mode == AI_RANDOM)
        return true;
    search_of(ai)->begin(ai);
    return true;
}

/* Searches until the slice is used up (false) or the search is finished. */
static bool think(Ai *ai) {
    if (ai->mode == AI_RANDOM)
        return play_random_turn(ai);
    return search_of(ai)->step(ai);
}

bool ai_step(Ai *ai, uint32_t nodes) {
    ai->slice = nodes;
    if (!ai->done && !ai->waits)
        ai->done = think(ai) || (!ai->waits && ai->nodes + ai->idle >= ai->nodes_max);
    return ai->done || ai->waits;
}

MashAction ai_answer(Ai *ai) {
    assert(ai->answer.count > 0);
    if (ai->from_plan)
        ai->plan->next++;
    else
        write_plan(ai);
    ai->from_plan = false;
    return ai->answer.actions[0];
}

uint64_t ai_nodes(const Ai *ai) { return ai->nodes; }
int32_t ai_value(const Ai *ai) { return ai->value; }
