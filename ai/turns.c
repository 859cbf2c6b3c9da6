/* turns.c -- see turns.h.
 *
 * The ways to make the first turn are walked once and kept. Then round follows round: each looks
 * further ahead or at more turns than the one before, the best turn so far first. Where only one
 * turn is left to look at, ends count as they are walked, and the walk stops as soon as one is good
 * enough; elsewhere the best ends are kept and searched. Turns that were good in the same place
 * elsewhere (killers) or in the same moment before (hints) are tried before anything is walked.
 *
 * Values are those of the seat that acts in a frame. Two turns in a row may be the same seat's. */
#include "ai/turns.h"

#include <string.h>

#include "ai/think.h"
#include "base/hash.h"

enum { BOUND_EXACT, BOUND_LOWER, BOUND_UPPER };
enum { REMEMBERED = 3, ENDLESS = 2 * VALUE_WON };

/* A round: turns ahead, how many first turns, how many of any other; and for narrow walks how many
 * moments side by side in the first turn and in any other. */
typedef struct Round {
    uint16_t ahead, first, wide, first_abreast, abreast;
} Round;

static const Round complete_rounds[] = {
    {1, KEPT_FIRST_MAX, 0, 0, 0},
    {2, KEPT_FIRST_MAX, 0, 0, 0},
    {3, 16, 8, 0, 0},
    {3, 64, 16, 0, 0},
    {4, 12, 6, 0, 0},
    {4, 32, 12, 0, 0},
    {5, 8, 6, 0, 0},
    {5, 24, 10, 0, 0},
    {6, 8, 6, 0, 0},
    {6, 24, 10, 0, 0},
    {7, 8, 6, 0, 0},
    {8, 8, 6, 0, 0},
    {8, 32, 12, 0, 0},
    {9, 12, 8, 0, 0},
    {10, 24, 12, 0, 0},
};
/* A reply is found as well as a first turn is: with narrower ones the search falls for turns whose
 * answer it has missed. */
static const Round plan_rounds[] = {
    {1, 12, 0, 8, 0},   {1, 16, 0, 24, 0},  {2, 8, 0, 24, 8},   {2, 16, 0, 24, 24},
    {2, 32, 0, 48, 24}, {3, 12, 6, 48, 16}, {3, 16, 8, 48, 24}, {4, 12, 6, 64, 16},
};
/* Turns of one unit are short, but the best of them are missed by few moments side by side. */
static const Round reply_rounds[] = {
    {1, 12, 0, 8, 0},   {2, 16, 0, 24, 24}, {2, 128, 0, 64, 24}, {3, 32, 8, 64, 24},
    {4, 24, 8, 64, 24}, {5, 16, 8, 64, 24}, {6, 16, 8, 64, 24},
};
static const Round narrow_greedy = {1, 8, 0, 24, 0};
enum {
    COMPLETE_ROUNDS = sizeof complete_rounds / sizeof *complete_rounds,
    PLAN_ROUNDS = sizeof plan_rounds / sizeof *plan_rounds,
    REPLY_ROUNDS = sizeof reply_rounds / sizeof *reply_rounds,
};

enum { FIRST_WALK_NODES = WALK_NODES_MAX, WALK_NODES = 3000, NARROW_WALK_NODES = 12000 };

bool turns_are_narrow(const Ai *ai) {
    return ai->mind->method == MASH_METHOD_BEAM || ai->mind->method == MASH_METHOD_BEAM_WIDE;
}

/* Round number `number` of the game's method, or NULL: there is none. */
static const Round *round_of(const Ai *ai, uint32_t number) {
    if (ai->thinking == AI_GREEDY_TURN && number > 0)
        return NULL;
    if (turns_are_narrow(ai) && ai->thinking == AI_GREEDY_TURN)
        return &narrow_greedy;
    if (ai->mind->method == MASH_METHOD_BEAM_WIDE)
        return number < REPLY_ROUNDS ? &reply_rounds[number] : NULL;
    if (ai->mind->method == MASH_METHOD_BEAM)
        return number < PLAN_ROUNDS ? &plan_rounds[number] : NULL;
    return number < COMPLETE_ROUNDS ? &complete_rounds[number] : NULL;
}

/* --- Values ----------------------------------------------------------------------------------- */

/* A win is the better, a defeat the less bad, the earlier and the later it comes. */
static int32_t aged(int32_t value, uint32_t turns) {
    if (value > MASH_EVALUATION_MAX)
        return value - (int32_t)turns;
    return value < -MASH_EVALUATION_MAX ? value + (int32_t)turns : value;
}

/* The value of a moment after the frame's turn. */
static int32_t end_value(const Ai *ai, const Frame *frame, const void *state) {
    uint32_t turns = (uint32_t)(frame - ai->turns.frames) + 1;
    return aged(think_value(ai, state, frame->seat), turns);
}

/* --- What was known before -------------------------------------------------------------------- */

/* The one place in the table where this moment may be stored. */
static Stored *stored_at(const Ai *ai, uint64_t key) { return &ai->turns.store[key % STORE_MAX]; }

/* Takes what is known of the frame's moment. True: that is enough. */
static bool probe(Ai *ai, Frame *frame) {
    const Stored *stored = stored_at(ai, frame->key);
    frame->hint.count = 0;
    if (stored->task != ai->turns.task || stored->key != frame->key)
        return false;
    memcpy(&frame->hint, &stored->path, sizeof frame->hint);
    if (stored->left < frame->left ||
        (stored->left == frame->left && stored->wide < ai->turns.wide))
        return false;
    uint32_t at = (uint32_t)(frame - ai->turns.frames);
    int32_t value = aged(stored->value, at);
    if (stored->bound == BOUND_EXACT || (stored->bound == BOUND_LOWER && value >= frame->beta) ||
        (stored->bound == BOUND_UPPER && value <= frame->alpha)) {
        frame->best = value;
        return true;
    }
    return false;
}

/* Remembers the frame's value and best turn in place of what lay there; how far off an end is
 * counts from this moment on. */
static void store(Ai *ai, const Frame *frame) {
    Stored *stored = stored_at(ai, frame->key);
    uint32_t at = (uint32_t)(frame - ai->turns.frames);
    int32_t value = frame->best;
    if (value > MASH_EVALUATION_MAX)
        value += (int32_t)at;
    else if (value < -MASH_EVALUATION_MAX)
        value -= (int32_t)at;
    stored->key = frame->key;
    stored->task = ai->turns.task;
    stored->value = value;
    stored->left = frame->left;
    stored->wide = (uint8_t)ai->turns.wide;
    stored->bound = frame->best >= frame->beta    ? BOUND_LOWER
                    : frame->best <= frame->floor ? BOUND_UPPER
                                                  : BOUND_EXACT;
    stored->path = frame->best_path;
}

/* Are these the same actions in the same order? */
static bool same_path(const Path *a, const Path *b) {
    return a->count == b->count &&
           memcmp(a->actions, b->actions, a->count * sizeof *a->actions) == 0;
}

/* This turn was too good for the enemy to allow. */
static void remember_killer(Turns *turns, uint32_t at, const Path *path) {
    Path *killers = turns->killers[at];
    if (path->count == 0 || same_path(path, &killers[0]))
        return;
    killers[1] = killers[0];
    killers[0] = *path;
}

/* --- Frames ----------------------------------------------------------------------------------- */

/* The frame that is thought about now. */
static Frame *working(Ai *ai) { return &ai->turns.frames[ai->turns.at]; }

/* A first turn that depends on chance has been valued in one world. True: it was the last one, and
 * the value is the mean. */
static bool luck_summed(Ai *ai, Frame *frame, int32_t *value) {
    Again *again = &ai->turns.again;
    again->sum += *value;
    again->world++;
    frame->replayed = 0;
    frame->stage = STAGE_AGAIN;
    if (again->world < AGAIN)
        return false;
    *value = (int32_t)(again->sum / AGAIN);
    frame->alpha = again->alpha;
    frame->stage = STAGE_CHILDREN;
    again->end = NULL;
    ai->chance_world = 0;
    return true;
}

/* A turn has been valued. In the first frame it may be the answer. */
static void account(Ai *ai, Frame *frame, const Path *path, int32_t value) {
    bool first = frame == ai->turns.frames;
    if (first && ai->turns.again.end != NULL && !luck_summed(ai, frame, &value))
        return;
    if (first)
        best_at(&frame->ends, frame->next - 1)->value = value;
    if (value <= frame->best)
        return;
    if (first) {
        ai->answer = *path;
        ai->value = value;
    }
    frame->best = value;
    frame->best_path = *path;
    if (value > frame->alpha)
        frame->alpha = value;
    if (frame->alpha >= frame->beta)
        frame->stage = STAGE_DONE;
}

/* Whose turn it is in a moment that is not over; MASH_SEAT_NONE if both are awaited. */
static uint8_t seat_of(const Ai *ai, const void *state) {
    uint32_t awaited = ai->game->awaited(ai->content, state);
    return awaited == 1 ? 0 : awaited == 2 ? 1 : MASH_SEAT_NONE;
}

/* Goes on below with the moment after a turn of the frame, or values it if that is not possible. */
static void search_below(Ai *ai, Frame *frame, const void *state, const Path *path) {
    uint8_t seat = seat_of(ai, state);
    if (seat == MASH_SEAT_NONE || frame->left == 1) {
        account(ai, frame, path, end_value(ai, frame, state));
        return;
    }
    Frame *below = frame + 1;
    bool same = seat == frame->seat;
    frame->child = path;
    ai->turns.at++;
    below->state = state;
    below->key = hash_number(walk_hash(ai, state), seat);
    below->turn = walk_turn(ai, state);
    below->seat = seat;
    below->left = (uint8_t)(frame->left - 1);
    below->alpha = below->floor = same ? frame->alpha : -frame->beta;
    below->beta = same ? frame->beta : -frame->alpha;
    below->best = -ENDLESS;
    below->best_path.count = 0;
    below->tried = below->replayed = 0;
    best_clear(&below->ends, ai->turns.wide);
    below->next = 0;
    below->next_max = ai->turns.wide;
    below->known = probe(ai, below);
    below->stage = below->known ? STAGE_DONE : STAGE_TRY;
}

/* A frame is done: the one above hears its value. */
static void give_back(Ai *ai) {
    Frame *frame = working(ai), *above = frame - 1;
    if (!frame->known) {
        if (frame->best == -ENDLESS) /* no way to an end was found */
            frame->best = think_value(ai, frame->state, frame->seat);
        if (frame->best >= frame->beta)
            remember_killer(&ai->turns, ai->turns.at, &frame->best_path);
        store(ai, frame);
    }
    ai->turns.at--;
    int32_t value = frame->seat == above->seat ? frame->best : -frame->best;
    account(ai, above, above->child, value);
}

/* --- The stages of a frame -------------------------------------------------------------------- */

/* Makes one more action of a remembered turn. False: the slice is used up. */
static bool step_try(Ai *ai, Frame *frame) {
    uint32_t at = ai->turns.at;
    const Path *killers = ai->turns.killers[at];
    if (frame->tried == REMEMBERED) {
        frame->stage = STAGE_LIST;
        return true;
    }
    const Path *path = frame->tried == 0 ? &frame->hint : &killers[frame->tried - 1];
    bool known = frame->tried > 0 && same_path(path, &frame->hint);
    if (path->count == 0 || (known && frame->replayed == 0)) {
        frame->tried++;
        return true;
    }
    if (!think_spend(ai))
        return false;
    if (frame->replayed == 0)
        memcpy(frame->spare, frame->state, ai->content->limits.state_bytes);
    uint32_t step = frame->replayed++;
    bool legal = path->actions[step].seat == frame->seat &&
                 walk_apply(ai, frame->spare, path->actions[step], at);
    bool over = legal && walk_over(ai, frame->spare, frame->seat, frame->turn);
    bool last = frame->replayed >= path->count;
    if (legal && !over && !last)
        return true;
    frame->tried++;
    frame->replayed = 0;
    if (over && last)
        search_below(ai, frame, frame->spare, path);
    return true;
}

/* The walk has found an end: it is kept for searching on. */
static void keep_end(Ai *ai, Frame *frame, int32_t value, uint32_t order) {
    End *end = best_keep(&frame->ends, value, order);
    if (end == NULL)
        return;
    walk_keep(ai, end);
}

/* A way to make the first turn: in the first round the best so far is the answer. Chance decides
 * between equals. */
static void keep_first(Ai *ai, Frame *frame, int32_t value) {
    keep_end(ai, frame, value, (uint32_t)hash_number(ai->seed, ai->nodes));
    if (value <= frame->best || ai->turns.round > 0)
        return;
    frame->best = ai->value = value;
    walk_path(ai, &ai->answer);
}

/* An end that is not searched on. */
static void account_end(Ai *ai, Frame *frame, int32_t value) {
    Path path;
    if (value <= frame->best)
        return;
    walk_path(ai, &path);
    account(ai, frame, &path, value);
}

/* Begins the walk that lists the turns from the frame's moment, as wide as the round says. */
static void begin_walk(Ai *ai, const Frame *frame) {
    bool narrow = turns_are_narrow(ai), first = ai->turns.at == 0;
    const Round *round = round_of(ai, ai->turns.round);
    uint32_t nodes = first ? FIRST_WALK_NODES : narrow ? NARROW_WALK_NODES : WALK_NODES;
    walk_begin(ai, frame->state, frame->seat, ai->turns.at, nodes,
               first ? round->first_abreast : round->abreast);
    ai->turns.listing = true;
}

/* Walks on. False: the slice is used up. */
static bool step_list(Ai *ai, Frame *frame) {
    Turns *turns = &ai->turns;
    if (!turns->listing)
        begin_walk(ai, frame);
    WalkFound found = walk_step(ai);
    if (found == WALK_END) {
        int32_t value = end_value(ai, frame, walk_end(ai));
        if (turns->at == 0)
            keep_first(ai, frame, value);
        else if (frame->left == 1)
            account_end(ai, frame, value);
        else
            keep_end(ai, frame, value, ai->walk.nodes);
        turns->listing = frame->stage == STAGE_LIST;
    } else if (found == WALK_TO_END) {
        turns->listing = false;
        frame->stage = frame->left == 1 && turns->at > 0 ? STAGE_DONE : STAGE_CHILDREN;
        best_rank(&frame->ends);
    }
    return found != WALK_PAUSE;
}

/* Searches below the next end, or is done with the frame. A first turn that hangs on chance is to
 * be made again with other luck. */
static void step_children(Ai *ai, Frame *frame) {
    if (frame->next >= frame->ends.count || frame->next >= frame->next_max) {
        frame->stage = STAGE_DONE;
        return;
    }
    const End *end = best_at(&frame->ends, frame->next++);
    if (end->by_chance && ai->turns.at == 0) {
        ai->turns.again = (Again){.end = end, .alpha = frame->alpha};
        frame->alpha = -ENDLESS;
    }
    search_below(ai, frame, end->state, &end->path);
}

/* Makes one more action of a first turn with other luck. What cannot be gone on with is valued as
 * it stands. False: the slice is used up. */
static bool step_again(Ai *ai, Frame *frame) {
    const Again *again = &ai->turns.again;
    const Path *path = &again->end->path;
    if (!think_spend(ai))
        return false;
    ai->chance_world = again->world;
    if (frame->replayed == 0)
        memcpy(frame->spare, frame->state, ai->content->limits.state_bytes);
    uint32_t step = frame->replayed++;
    bool legal = walk_apply(ai, frame->spare, path->actions[step], ai->turns.at);
    if (legal && walk_over(ai, frame->spare, frame->seat, frame->turn))
        search_below(ai, frame, frame->spare, path);
    else if (!legal || frame->replayed == path->count)
        account(ai, frame, path, end_value(ai, frame, frame->spare));
    return true;
}

/* --- The first frame -------------------------------------------------------------------------- */

/* All ways to make the first turn have been walked; looking one turn ahead, that is all. */
static void answer_best_end(Ai *ai, Frame *frame) {
    frame->stage = STAGE_DONE;
    if (frame->ends.count == 0 || best_at(&frame->ends, 0)->value < frame->best)
        return;
    frame->best = best_at(&frame->ends, 0)->value;
    ai->answer = best_at(&frame->ends, 0)->path;
    ai->value = frame->best;
}

/* Prepares the first frame for a round; narrow walks are walked anew in each of them. */
static void prepare(Ai *ai, Frame *frame, const Round *round) {
    frame->left = (uint8_t)round->ahead;
    frame->next = 0;
    frame->next_max = round->first;
    frame->alpha = frame->floor = frame->best = -ENDLESS;
    frame->beta = ENDLESS;
    frame->stage = STAGE_CHILDREN;
    ai->turns.wide = round->wide;
    if (ai->turns.round > 0 && round->first_abreast == 0)
        return;
    frame->stage = STAGE_LIST;
    best_clear(&frame->ends, round->first);
}

/* The next round begins, or there is none: false. */
static bool begin_round(Ai *ai, Frame *frame) {
    const Round *round = round_of(ai, ++ai->turns.round);
    bool won = ai->turns.round > 1 && frame->best > MASH_EVALUATION_MAX;
    if (round == NULL || won || frame->ends.count <= 1 || round->ahead > AHEAD_MAX)
        return false;
    prepare(ai, frame, round);
    return true;
}

/* All turns of a round are valued. */
static bool end_round(Ai *ai, Frame *frame) {
    best_rank_again(&frame->ends, frame->next);
    return begin_round(ai, frame);
}

void turns_begin(Ai *ai) {
    Turns *turns = &ai->turns;
    Frame *frame = &turns->frames[0];
    turns->at = turns->round = 0;
    turns->listing = false;
    turns->again.end = NULL;
    ai->chance_world = 0;
    turns->task++;
    for (uint32_t i = 0; i < AHEAD_MAX; i++)
        turns->killers[i][0].count = turns->killers[i][1].count = 0;
    frame->state = ai->world;
    frame->seat = ai->seat;
    frame->turn = walk_turn(ai, ai->world);
    prepare(ai, frame, round_of(ai, 0));
}

bool turns_step(Ai *ai) {
    for (;;) {
        Frame *frame = working(ai);
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
            if (ai->turns.at == 0 && frame->left == 1)
                answer_best_end(ai, frame);
            else
                step_children(ai, frame);
            break;
        case STAGE_AGAIN:
            if (!step_again(ai, frame))
                return false;
            break;
        case STAGE_DONE:
            if (ai->turns.at > 0)
                give_back(ai);
            else if (!end_round(ai, frame))
                return true;
            break;
        }
    }
}
