/* alpha_beta.c -- see alpha_beta.h.
 *
 * The possible first turns are generated once and kept. Then follows iterative deepening: each
 * iteration looks further ahead or at more turns than the one before, the best turn so far first.
 * At the last turn of a line, ends are evaluated as they are generated, and generation stops at a
 * cutoff; elsewhere the best ends are kept and searched. Turns that caused a cutoff at the same
 * depth (killers) or that the transposition table has for the same state (table turns) are tried
 * before any turn is generated.
 *
 * Evaluations are for the seat that acts in a frame. Two turns in a row may belong to the same
 * seat. */
#include "ai/alpha_beta.h"

#include <string.h>

#include "ai/internal.h"
#include "base/hash.h"

enum { BOUND_EXACT, BOUND_LOWER, BOUND_UPPER };
enum { REMEMBERED = 3, INFINITE_VALUE = 2 * VALUE_WON };

/* An iteration: turns ahead, number of first turns, number of turns elsewhere; and for beam search
 * the beam width of the first turn and of all others. */
typedef struct Iteration {
    uint16_t ahead, first, width, first_beam_width, beam_width;
} Iteration;

enum { ALL = SEARCH_ROOT_WIDTH_MAX };
static const Iteration exhaustive_iterations[] = {
    {1, ALL, 0, 0, 0}, {2, ALL, 0, 0, 0}, {3, 16, 8, 0, 0},  {3, 64, 16, 0, 0}, {4, 12, 6, 0, 0},
    {4, 32, 12, 0, 0}, {5, 8, 6, 0, 0},   {5, 24, 10, 0, 0}, {6, 8, 6, 0, 0},   {6, 24, 10, 0, 0},
    {7, 8, 6, 0, 0},   {8, 8, 6, 0, 0},   {8, 32, 12, 0, 0}, {9, 12, 8, 0, 0},  {10, 24, 12, 0, 0},
};
/* Replies are searched as thoroughly as first turns: with narrower beams the search prefers turns
 * whose refutation it has missed. */
static const Iteration beam_iterations[] = {
    {1, 12, 0, 8, 0},   {1, 16, 0, 24, 0},  {2, 8, 0, 24, 8},   {2, 16, 0, 24, 24},
    {2, 32, 0, 48, 24}, {3, 12, 6, 48, 16}, {3, 16, 8, 48, 24}, {4, 12, 6, 64, 16},
};
/* Turns of one unit are short, but narrow beams miss the best of them. The first turns are
 * generated twice only; from then on the best of one iteration are looked at first in the next. */
static const Iteration wide_beam_iterations[] = {
    {1, 12, 0, 8, 0},  {2, 16, 0, 64, 24}, {2, 128, 0, 0, 24}, {3, 32, 8, 0, 24},
    {4, 24, 8, 0, 24}, {5, 16, 8, 0, 24},  {6, 16, 8, 0, 24},
};
static const Iteration narrow_greedy = {1, 8, 0, 24, 0};
enum {
    EXHAUSTIVE_ITERATIONS = sizeof exhaustive_iterations / sizeof *exhaustive_iterations,
    BEAM_ITERATIONS = sizeof beam_iterations / sizeof *beam_iterations,
    WIDE_BEAM_ITERATIONS = sizeof wide_beam_iterations / sizeof *wide_beam_iterations,
};

enum {
    FIRST_GENERATOR_NODES = GENERATOR_NODES_MAX,
    GENERATOR_NODES = 3000,
    BEAM_GENERATOR_NODES = 12000,
    WIDE_KEPT = 128,     /* first turns that a wide beam keeps */
    NARROW_WIDTH = 4,    /* beam width of a narrow look at last turns; */
    LOOK_MISSES = 50,    /* how much the best of them may be better than a look has found */
    SAMPLE_MISSES = 100, /* how much one sample may say against a turn that others speak for */
};

bool uses_beam(const Ai *ai) {
    return ai->evaluator->method == MASH_METHOD_BEAM ||
           ai->evaluator->method == MASH_METHOD_BEAM_WIDE;
}

/* Does it use wide beams? */
static bool is_wide(const Ai *ai) { return ai->evaluator->method == MASH_METHOD_BEAM_WIDE; }

/* Iteration number `number` of the game's method, or NULL: there is none. */
static const Iteration *iteration_of(const Ai *ai, uint32_t number) {
    if (ai->mode == AI_GREEDY_TURN && number > 0)
        return NULL;
    if (uses_beam(ai) && ai->mode == AI_GREEDY_TURN)
        return &narrow_greedy;
    if (is_wide(ai))
        return number < WIDE_BEAM_ITERATIONS ? &wide_beam_iterations[number] : NULL;
    if (ai->evaluator->method == MASH_METHOD_BEAM)
        return number < BEAM_ITERATIONS ? &beam_iterations[number] : NULL;
    return number < EXHAUSTIVE_ITERATIONS ? &exhaustive_iterations[number] : NULL;
}

/* --- Evaluations ------------------------------------------------------------------------------ */

/* Prefer early wins and late losses. */
static int32_t adjust_for_distance(int32_t value, uint32_t turns) {
    if (value > MASH_EVALUATION_MAX)
        return value - (int32_t)turns;
    return value < -MASH_EVALUATION_MAX ? value + (int32_t)turns : value;
}

/* Evaluation of a state after the frame's turn. */
static int32_t end_value(const Ai *ai, const SearchFrame *frame, const void *state) {
    uint32_t turns = (uint32_t)(frame - ai->turns.frames) + 1;
    return adjust_for_distance(search_evaluate(ai, state, frame->seat), turns);
}

/* --- Transposition table ---------------------------------------------------------------------- */

/* The only entry of the table where this state may be stored. */
static TranspositionEntry *transposition_slot(const Ai *ai, uint64_t key) {
    return &ai->turns.transpositions[key % TRANSPOSITIONS_MAX];
}

/* Looks up the frame's state. True: the entry is sufficient. */
static bool transposition_probe(Ai *ai, SearchFrame *frame) {
    const TranspositionEntry *stored = transposition_slot(ai, frame->key);
    frame->table_turn.count = 0;
    if (stored->task != ai->turns.task || stored->key != frame->key)
        return false;
    path_copy(&frame->table_turn, &stored->path);
    if (stored->left < frame->depth_left ||
        (stored->left == frame->depth_left && stored->width < ai->turns.width))
        return false;
    uint32_t at = (uint32_t)(frame - ai->turns.frames);
    int32_t value = adjust_for_distance(stored->value, at);
    if (stored->bound == BOUND_EXACT || (stored->bound == BOUND_LOWER && value >= frame->beta) ||
        (stored->bound == BOUND_UPPER && value <= frame->alpha)) {
        frame->best = value;
        return true;
    }
    return false;
}

/* Stores the frame's evaluation and best turn, replacing the old entry; distances to the end of the
 * match are counted from this state. */
static void transposition_store(Ai *ai, const SearchFrame *frame) {
    TranspositionEntry *stored = transposition_slot(ai, frame->key);
    uint32_t at = (uint32_t)(frame - ai->turns.frames);
    int32_t value = frame->best;
    if (value > MASH_EVALUATION_MAX)
        value += (int32_t)at;
    else if (value < -MASH_EVALUATION_MAX)
        value -= (int32_t)at;
    stored->key = frame->key;
    stored->task = ai->turns.task;
    stored->value = value;
    stored->left = frame->depth_left;
    stored->width = (uint8_t)ai->turns.width;
    stored->bound = frame->best >= frame->beta             ? BOUND_LOWER
                    : frame->best <= frame->alpha_at_entry ? BOUND_UPPER
                                                           : BOUND_EXACT;
    path_copy(&stored->path, &frame->best_path);
}

/* Are these the same actions in the same order? */
static bool same_path(const ActionPath *a, const ActionPath *b) {
    return a->count == b->count &&
           memcmp(a->actions, b->actions, a->count * sizeof *a->actions) == 0;
}

/* This turn caused a cutoff: remember it as a killer. */
static void remember_killer(AlphaBeta *turns, uint32_t at, const ActionPath *path) {
    ActionPath *killers = turns->killers[at];
    if (path->count == 0 || same_path(path, &killers[0]))
        return;
    path_copy(&killers[1], &killers[0]);
    path_copy(&killers[0], path);
}

/* --- Frames ----------------------------------------------------------------------------------- */

/* The frame that is being searched. */
static SearchFrame *working(Ai *ai) { return &ai->turns.frames[ai->turns.at]; }

/* What the next sample of a first turn that depends on chance must be worth, if the turn is not to
 * be given up. All first turns have the same samples, so that each is compared with the same sample
 * of the best one: a wide beam gives up those that fall behind by more than other samples are
 * likely to make up for. Other methods evaluate all samples. */
static int32_t sample_alpha(const Ai *ai, const SearchFrame *frame) {
    const ChanceSampling *sampling = &ai->turns.sampling;
    const int32_t *best = ai->turns.best_samples;
    int64_t least = best[sampling->sample];
    if (!is_wide(ai) || frame->best == -INFINITE_VALUE)
        return -INFINITE_VALUE;
    for (uint32_t i = 0; i < sampling->sample; i++)
        least -= sampling->values[i] - best[i];
    if (sampling->sample + 1 < CHANCE_SAMPLES)
        least -= SAMPLE_MISSES;
    return least < -INFINITE_VALUE ? -INFINITE_VALUE : (int32_t)least;
}

/* A first turn that depends on chance has been evaluated in one sample. True: no more are needed,
 * and the evaluation is the mean; in samples that were left out it counts as worth what the best
 * turn is. */
static bool chance_samples_done(Ai *ai, SearchFrame *frame, int32_t *value) {
    ChanceSampling *sampling = &ai->turns.sampling;
    bool given_up = *value <= frame->alpha;
    int64_t sum = 0;
    sampling->values[sampling->sample++] = *value;
    frame->replayed = 0;
    frame->stage = STAGE_AGAIN;
    if (!given_up && sampling->sample < CHANCE_SAMPLES) {
        frame->alpha = sample_alpha(ai, frame);
        return false;
    }
    for (uint32_t i = 0; i < CHANCE_SAMPLES; i++)
        sum += i < sampling->sample ? sampling->values[i] : ai->turns.best_samples[i];
    *value = (int32_t)(sum / CHANCE_SAMPLES);
    frame->alpha = sampling->alpha;
    frame->stage = STAGE_CHILDREN;
    sampling->end = NULL;
    ai->chance_sample = 0;
    return true;
}

/* A first turn is the best so far: what it is worth in each sample. */
static void remember_samples(AlphaBeta *turns, bool sampled, int32_t value) {
    for (uint32_t i = 0; i < CHANCE_SAMPLES; i++)
        turns->best_samples[i] = sampled ? turns->sampling.values[i] : value;
}

/* A turn has been evaluated. In the first frame it may become the answer. */
static void update_value(Ai *ai, SearchFrame *frame, const ActionPath *path, int32_t value) {
    bool first = frame == ai->turns.frames, sampled = first && ai->turns.sampling.end != NULL;
    if (sampled && !chance_samples_done(ai, frame, &value))
        return;
    if (first)
        top_list_at(&frame->ends, frame->next - 1)->value = value;
    if (value <= frame->best)
        return;
    if (first) {
        path_copy(&ai->answer, path);
        ai->value = value;
        remember_samples(&ai->turns, sampled, value);
    }
    frame->best = value;
    path_copy(&frame->best_path, path);
    if (value > frame->alpha)
        frame->alpha = value;
    if (frame->alpha >= frame->beta)
        frame->stage = STAGE_DONE;
}

/* Whose turn it is in an unfinished match; MASH_SEAT_NONE if both are awaited. */
static uint8_t seat_of(const Ai *ai, const void *state) {
    uint32_t awaited = ai->game->awaited(ai->content, state);
    return awaited == 1 ? 0 : awaited == 2 ? 1 : MASH_SEAT_NONE;
}

/* Searches the state after a turn of the frame in the next frame, or evaluates it if that is not
 * possible. */
static void search_child(Ai *ai, SearchFrame *frame, const void *state, const ActionPath *path) {
    uint8_t seat = seat_of(ai, state);
    if (seat == MASH_SEAT_NONE || frame->depth_left == 1) {
        update_value(ai, frame, path, end_value(ai, frame, state));
        return;
    }
    SearchFrame *below = frame + 1;
    bool same = seat == frame->seat;
    frame->child = path;
    ai->turns.at++;
    below->state = state;
    below->key = hash_number(search_hash(ai, state), seat);
    below->turn = search_turn_number(ai, state);
    below->seat = seat;
    below->depth_left = (uint8_t)(frame->depth_left - 1);
    below->alpha = below->alpha_at_entry = same ? frame->alpha : -frame->beta;
    below->beta = same ? frame->beta : -frame->alpha;
    below->best = -INFINITE_VALUE;
    below->best_path.count = 0;
    below->tried = below->replayed = 0;
    top_list_clear(&below->ends, ai->turns.width);
    below->next = 0;
    below->next_max = ai->turns.width;
    below->look = below->depth_left == 1 && is_wide(ai) ? LOOK_GREEDY : LOOK_WHOLE;
    below->table_hit = transposition_probe(ai, below);
    below->stage = below->table_hit ? STAGE_DONE : STAGE_TRY;
}

/* A frame is finished: passes its evaluation to the frame above. */
static void return_to_parent(Ai *ai) {
    SearchFrame *frame = working(ai), *above = frame - 1;
    if (!frame->table_hit) {
        if (frame->best == -INFINITE_VALUE) /* no complete turn was found */
            frame->best = search_evaluate(ai, frame->state, frame->seat);
        if (frame->best >= frame->beta)
            remember_killer(&ai->turns, ai->turns.at, &frame->best_path);
        transposition_store(ai, frame);
    }
    ai->turns.at--;
    int32_t value = frame->seat == above->seat ? frame->best : -frame->best;
    update_value(ai, above, above->child, value);
}

/* --- The stages of a frame -------------------------------------------------------------------- */

/* Applies the next action of a remembered turn. False: the slice is used up. */
static bool step_try(Ai *ai, SearchFrame *frame) {
    uint32_t at = ai->turns.at;
    const ActionPath *killers = ai->turns.killers[at];
    if (frame->tried == REMEMBERED) {
        frame->stage = STAGE_LIST;
        return true;
    }
    const ActionPath *path = frame->tried == 0 ? &frame->table_turn : &killers[frame->tried - 1];
    bool known = frame->tried > 0 && same_path(path, &frame->table_turn);
    if (path->count == 0 || (known && frame->replayed == 0)) {
        frame->tried++;
        return true;
    }
    if (!search_spend_node(ai))
        return false;
    if (frame->replayed == 0)
        memcpy(frame->replay_state, frame->state, ai->content->limits.state_bytes);
    uint32_t step = frame->replayed++;
    bool legal = path->actions[step].seat == frame->seat &&
                 search_apply(ai, frame->replay_state, path->actions[step], at);
    bool over = legal && search_turn_is_over(ai, frame->replay_state, frame->seat, frame->turn);
    bool last = frame->replayed >= path->count;
    if (legal && !over && !last)
        return true;
    frame->tried++;
    frame->replayed = 0;
    if (over && last)
        search_child(ai, frame, frame->replay_state, path);
    return true;
}

/* The generator found the end of a turn: keeps it for searching. */
static void keep_end(Ai *ai, SearchFrame *frame, int32_t value, uint32_t order) {
    TurnEnd *end = top_list_insert(&frame->ends, value, order);
    if (end == NULL)
        return;
    turn_generator_copy(ai, end);
}

/* A possible first turn: in the first iteration the best so far is the answer. Ties are broken at
 * random. */
static void keep_root_turn(Ai *ai, SearchFrame *frame, int32_t value) {
    keep_end(ai, frame, value, (uint32_t)hash_number(ai->seed, ai->nodes + ai->idle));
    if (value <= frame->best || ai->turns.iteration > 0)
        return;
    frame->best = ai->value = value;
    turn_generator_path(ai, &ai->answer);
}

/* An end that is evaluated without searching further. */
static void account_end(Ai *ai, SearchFrame *frame, int32_t value) {
    ActionPath path;
    if (value <= frame->best)
        return;
    turn_generator_path(ai, &path);
    update_value(ai, frame, &path, value);
}

/* How wide the beam of a frame is: as the iteration says, or less. */
static uint32_t beam_width(const SearchFrame *frame, const Iteration *iteration, bool first) {
    if (first)
        return iteration->first_beam_width;
    return frame->look == LOOK_GREEDY   ? 1
           : frame->look == LOOK_NARROW ? NARROW_WIDTH
                                        : iteration->beam_width;
}

/* Starts generating the turns from the frame's state, as wide as the iteration says. */
static void begin_generator(Ai *ai, const SearchFrame *frame) {
    bool narrow = uses_beam(ai), first = ai->turns.at == 0;
    const Iteration *iteration = iteration_of(ai, ai->turns.iteration);
    uint32_t nodes = first    ? FIRST_GENERATOR_NODES
                     : narrow ? BEAM_GENERATOR_NODES
                              : GENERATOR_NODES;
    turn_generator_begin(ai, frame->state, frame->seat, ai->turns.at, nodes,
                         beam_width(frame, iteration, first));
    ai->turns.listing = true;
}

/* Is this end of a first turn one that the task leaves out? */
static bool is_left_out(Ai *ai, const void *state) {
    return ai->left_out != NULL && ai->turns.at == 0 &&
           ai->left_out->covers(ai, ai->left_out, state);
}

/* The last turns of a line have been looked at, and none of them is good enough for a cutoff. Is
 * the look enough? It is if they fall short of what they must reach by more than it is likely to
 * miss: where a narrow beam has found own turns after an own one no better is to be expected.
 * Otherwise the next look is wider, and where they need not reach anything it is the whole beam. */
static bool look_is_enough(SearchFrame *frame) {
    bool own = frame->seat == (frame - 1)->seat, greedy = frame->look == LOOK_GREEDY;
    int32_t misses = own && !greedy ? 0 : LOOK_MISSES;
    if (frame->best + misses <= frame->alpha_at_entry)
        return true;
    bool must = frame->alpha_at_entry > -INFINITE_VALUE;
    frame->look = greedy && must ? LOOK_NARROW : LOOK_WHOLE;
    return false;
}

/* All turns of the frame have been generated. */
static void end_list(AlphaBeta *turns, SearchFrame *frame) {
    turns->listing = false;
    if (frame->look != LOOK_WHOLE && !look_is_enough(frame))
        return;
    frame->stage = frame->depth_left == 1 && turns->at > 0 ? STAGE_DONE : STAGE_CHILDREN;
    top_list_sort(&frame->ends);
}

/* Continues generating turns. False: the slice is used up. */
static bool step_list(Ai *ai, SearchFrame *frame) {
    AlphaBeta *turns = &ai->turns;
    if (!turns->listing)
        begin_generator(ai, frame);
    GeneratorResult found = turn_generator_step(ai);
    if (found == GENERATOR_TURN_FOUND && !is_left_out(ai, turn_generator_state(ai))) {
        int32_t value = end_value(ai, frame, turn_generator_state(ai));
        if (turns->at == 0)
            keep_root_turn(ai, frame, value);
        else if (frame->depth_left == 1)
            account_end(ai, frame, value);
        else
            keep_end(ai, frame, value, ai->generator.nodes);
        turns->listing = frame->stage == STAGE_LIST;
    } else if (found == GENERATOR_EXHAUSTED) {
        end_list(turns, frame);
    }
    return found != GENERATOR_PAUSED;
}

/* The first turns of this iteration. */
static uint32_t first_turns(const SearchFrame *frame) {
    return frame->ends.count < frame->next_max ? frame->ends.count : frame->next_max;
}

/* Goes on to the next first turn that belongs to this share of the task. */
static void skip_to_share(const Ai *ai, SearchFrame *frame) {
    while (frame->next < first_turns(frame) && frame->next % ai->shares != ai->share)
        frame->next++;
}

/* Searches below the next end, or finishes the frame. A first turn that depends on chance is played
 * again with other samples. */
static void step_children(Ai *ai, SearchFrame *frame) {
    if (ai->turns.at == 0)
        skip_to_share(ai, frame);
    if (frame->next >= first_turns(frame)) {
        frame->stage = STAGE_DONE;
        return;
    }
    const TurnEnd *end = top_list_at(&frame->ends, frame->next++);
    if (end->by_chance && ai->turns.at == 0) {
        ai->turns.sampling = (ChanceSampling){.end = end, .alpha = frame->alpha};
        frame->alpha = sample_alpha(ai, frame);
    }
    search_child(ai, frame, end->state, &end->path);
}

/* Applies the next action of a first turn with another chance sample. If it cannot continue, the
 * state is evaluated as it is. False: the slice is used up. */
static bool step_chance_sample(Ai *ai, SearchFrame *frame) {
    const ChanceSampling *sampling = &ai->turns.sampling;
    const ActionPath *path = &sampling->end->path;
    if (!search_spend_node(ai))
        return false;
    ai->chance_sample = sampling->sample;
    if (frame->replayed == 0)
        memcpy(frame->replay_state, frame->state, ai->content->limits.state_bytes);
    uint32_t step = frame->replayed++;
    bool legal = search_apply(ai, frame->replay_state, path->actions[step], ai->turns.at);
    if (legal && search_turn_is_over(ai, frame->replay_state, frame->seat, frame->turn))
        search_child(ai, frame, frame->replay_state, path);
    else if (!legal || frame->replayed == path->count)
        update_value(ai, frame, path, end_value(ai, frame, frame->replay_state));
    return true;
}

/* --- The first frame -------------------------------------------------------------------------- */

/* All possible first turns have been generated; when looking one turn ahead, the search is
 * finished. */
static void answer_best_end(Ai *ai, SearchFrame *frame) {
    frame->stage = STAGE_DONE;
    if (frame->ends.count == 0 || top_list_at(&frame->ends, 0)->value < frame->best)
        return;
    frame->best = top_list_at(&frame->ends, 0)->value;
    path_copy(&ai->answer, &top_list_at(&frame->ends, 0)->path);
    ai->value = frame->best;
}

/* Does this member expect the best turn to be worth what it was in the iteration before? The first
 * member finds that out while the others search; without a guess each of them would search its
 * first turn with an open window, which takes as long as many others. Where beams are wide, values
 * change so much from one iteration to the next that guesses cost more than they save. */
static bool guesses(const Ai *ai) {
    return ai->share > 0 && ai->turns.iteration > 1 &&
           ai->evaluator->method != MASH_METHOD_BEAM_WIDE;
}

/* Prepares the first frame for an iteration; beam search generates the turns anew in each of them.
 */
static void prepare_root(Ai *ai, SearchFrame *frame, const Iteration *iteration) {
    frame->depth_left = (uint8_t)iteration->ahead;
    frame->next = 0;
    frame->next_max = iteration->first;
    frame->alpha = frame->alpha_at_entry = guesses(ai) ? frame->best : -INFINITE_VALUE;
    frame->best = -INFINITE_VALUE;
    frame->beta = INFINITE_VALUE;
    frame->stage = STAGE_CHILDREN;
    ai->turns.width = iteration->width;
    if (ai->turns.iteration > 0 && iteration->first_beam_width == 0)
        return;
    frame->stage = STAGE_LIST;
    bool kept = is_wide(ai) && ai->mode != AI_GREEDY_TURN;
    top_list_clear(&frame->ends, kept ? WIDE_KEPT : iteration->first);
}

/* Starts the next iteration. False: there is none. */
static bool begin_iteration(Ai *ai, SearchFrame *frame) {
    const Iteration *iteration = iteration_of(ai, ++ai->turns.iteration);
    bool won = ai->turns.iteration > 1 && frame->best > MASH_EVALUATION_MAX;
    bool alone = frame->ends.count + (ai->left_out != NULL) <= 1;
    if (iteration == NULL || won || alone || iteration->ahead > SEARCH_DEPTH_MAX)
        return false;
    prepare_root(ai, frame, iteration);
    return true;
}

/* All turns of an iteration have been evaluated. */
static bool end_iteration(Ai *ai, SearchFrame *frame) {
    if (frame->depth_left > 1)
        top_list_resort(&frame->ends, frame->next);
    return begin_iteration(ai, frame);
}

/* After each iteration the members of a team wait for each other, unless they have all searched the
 * same. */
static bool waits_for_team(Ai *ai, const SearchFrame *frame) {
    ai->waits = ai->shares > 1 && frame->depth_left > 1;
    return ai->waits;
}

/* Starts with the task. */
static void begin_search(Ai *ai) {
    AlphaBeta *turns = &ai->turns;
    SearchFrame *frame = &turns->frames[0];
    turns->at = turns->iteration = 0;
    turns->listing = false;
    turns->sampling.end = NULL;
    ai->chance_sample = 0;
    turns->task++;
    for (uint32_t i = 0; i < SEARCH_DEPTH_MAX; i++)
        turns->killers[i][0].count = turns->killers[i][1].count = 0;
    frame->state = ai->root;
    frame->seat = ai->seat;
    frame->turn = search_turn_number(ai, ai->root);
    prepare_root(ai, frame, iteration_of(ai, 0));
}

/* Runs until the slice is used up (false) or it is finished. */
static bool step_search(Ai *ai) {
    for (;;) {
        SearchFrame *frame = working(ai);
        switch (frame->stage) {
        case STAGE_TRY:
            if (!step_try(ai, frame))
                return false;
            break;
        case STAGE_LIST:
            if (!step_list(ai, frame))
                return false;
            break;
        case STAGE_CHILDREN:
            if (ai->turns.at == 0 && frame->depth_left == 1)
                answer_best_end(ai, frame);
            else
                step_children(ai, frame);
            break;
        case STAGE_AGAIN:
            if (!step_chance_sample(ai, frame))
                return false;
            break;
        case STAGE_DONE:
            if (ai->turns.at > 0)
                return_to_parent(ai);
            else if (waits_for_team(ai, frame))
                return false;
            else if (!end_iteration(ai, frame))
                return true;
            break;
        }
    }
}

/* --- A team ----------------------------------------------------------------------------------- */

/* The best turn that was found becomes the first member's answer. That member searches the turn
 * that was best before; until it has, others are not compared with it. Of a turn that is worth no
 * more than a member has guessed only that is known. */
static void agree(Ai *const members[], uint32_t count) {
    Ai *first = members[0], *best = first;
    for (uint32_t i = 1; i < count; i++) {
        const SearchFrame *frame = &members[i]->turns.frames[0];
        if (frame->best > best->turns.frames[0].best && frame->best > frame->alpha_at_entry)
            best = members[i];
    }
    if (best == first || first->turns.frames[0].best == -INFINITE_VALUE)
        return;
    path_copy(&first->answer, &best->answer);
    first->value = best->value;
    first->turns.frames[0].best = best->turns.frames[0].best;
}

/* The member learns what each first turn is worth from the one who has searched it. */
static void learn(Ai *const members[], uint32_t count, Ai *ai) {
    SearchFrame *frame = &ai->turns.frames[0];
    frame->best = members[0]->turns.frames[0].best;
    for (uint32_t i = 0; i < first_turns(frame); i++)
        top_list_at(&frame->ends, i)->value =
            top_list_at(&members[i % count]->turns.frames[0].ends, i)->value;
}

/* Nothing is worth as much as the members have guessed: they search their turns again, with what
 * the best is worth by now. False: the guess was right. */
static bool search_again(Ai *const members[], uint32_t count) {
    int32_t found = members[0]->turns.frames[0].best;
    bool again = false;
    for (uint32_t i = 1; i < count; i++) {
        SearchFrame *frame = &members[i]->turns.frames[0];
        if (found >= frame->alpha_at_entry)
            continue;
        frame->alpha = frame->alpha_at_entry = found;
        frame->best = -INFINITE_VALUE;
        frame->next = 0;
        frame->stage = STAGE_CHILDREN;
        members[i]->waits = false;
        again = true;
    }
    return again;
}

/* All members have searched their shares of the first turns in this iteration, or no more nodes are
 * left: then what was found until now counts, as it does for one alone. */
static bool meet(Ai *const members[], uint32_t count) {
    bool over = false;
    agree(members, count);
    for (uint32_t i = 0; i < count; i++)
        over = over || !members[i]->waits;
    if (over || search_again(members, count))
        return over;
    for (uint32_t i = 0; i < count; i++)
        learn(members, count, members[i]);
    for (uint32_t i = 0; i < count; i++) {
        SearchFrame *frame = &members[i]->turns.frames[0];
        top_list_resort(&frame->ends, first_turns(frame));
        members[i]->waits = false;
        over = !begin_iteration(members[i], frame);
    }
    return over;
}

const SearchMethod alpha_beta_search = {begin_search, step_search, meet};
