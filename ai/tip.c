/* tip.c -- see tip.h.
 *
 * One Ai does everything in sequence: it finds the best turn; then each choice is played in some
 * samples and continued with the best turn of the seat to act, until the opponent has had a turn,
 * and after a quiet turn also the next own one. */
#include "ai/tip.h"

#include <string.h>

#include "ai/internal.h"
#include "ai/tip_text.h"
#include "base/hash.h"

enum {
    REPLY_NODES = 16000, /* for one turn of the continuation */
    TURNS_MAX = 4,       /* turns, until the opponent has acted */
    OTHER_SEEDS = 8,     /* attempts to draw an alternative choice */
};

/* The current stage. */
typedef enum TipStage { TIP_THINK, TIP_MAKE, TIP_REPLY, TIP_DONE } TipStage;

/* A computation of advice. */
struct Tip {
    const MashContent *content;
    Ai *ai;
    AiPlan plan;
    const AiSkill *skill;
    TipStage stage;
    uint8_t seat;
    uint64_t seed;
    TipAdvice advice;
    ActionPath paths[2]; /* turns of best and other */
    uint32_t choice;
    uint32_t sample, samples;
    uint32_t turn;  /* the number of the advised turn */
    uint32_t turns; /* turns played in this sample */
    bool opening;   /* the evaluator's opening decided: nothing is continued */
    TipTurn when;   /* the turn of the seat that acted last */
    bool uncertain; /* chance or guesses had a part in this sample */
    TipNotes notes;
    MashBoard board;
    MashEvents events;
    MashAction *list;
    void *view, *state, *seen;
};

/* --- Memory ----------------------------------------------------------------------------------- */

/* All memory of a tip: one list for counting and for lending. */
static void lay_out(const MashContent *content, Lender *lender, Tip *tip) {
    lend(lender, sizeof *tip);
    tip->view = lend(lender, content->limits.state_bytes);
    tip->state = lend(lender, content->limits.state_bytes);
    tip->seen = lend(lender, content->limits.state_bytes);
    tip->list = lend(lender, content->limits.actions_max * sizeof *tip->list);
    tip->events.max = content->limits.events_max;
    tip->events.list = lend(lender, content->limits.events_max * sizeof *tip->events.list);
    tip->board = mash_board_lend(content, lender);
    tip->ai = lend(lender, ai_bytes(content));
}

size_t tip_bytes(const MashContent *content) {
    Lender lender = {NULL, 0};
    Tip tip;
    lay_out(content, &lender, &tip);
    return lender.used;
}

Tip *tip_init(const MashContent *content, void *memory) {
    Tip *tip = memory;
    Lender lender = {memory, 0};
    memset(memory, 0, sizeof *tip);
    lay_out(content, &lender, tip);
    tip->content = content;
    tip->ai = ai_init(content, tip->ai);
    return tip;
}

/* --- Searching -------------------------------------------------------------------------------- */

bool tip_begin(Tip *tip, const TipTask *task) {
    tip->skill = task->skill;
    tip->plan = (AiPlan){0};
    tip->seat = task->seat;
    tip->seed = task->seed;
    tip->stage = TIP_DONE;
    memset(&tip->advice, 0, sizeof tip->advice);
    memcpy(tip->view, task->view, tip->content->limits.state_bytes);
    AiTask think = {tip->skill, tip->view, &tip->plan, tip->seat, task->nodes, task->seed, true};
    if (!ai_begin(tip->ai, &think))
        return false;
    tip->advice.best.action = tip->ai->answer.actions[0];
    tip->stage = TIP_THINK;
    return true;
}

/* The best end whose turn starts with another action. */
static void other_end(const TopList *ends, MashAction best, ActionPath *out) {
    const TurnEnd *found = NULL;
    for (uint32_t i = 0; i < ends->count; i++) {
        const TurnEnd *end = &ends->ends[i];
        if (end->path.count > 0 && mash_action_compare(end->path.actions[0], best) != 0 &&
            (found == NULL || end->value > found->value ||
             (end->value == found->value && end->order < found->order)))
            found = end;
    }
    if (found != NULL)
        *out = found->path;
}

/* An alternative turn from the results of the search. */
static void other_from_search(const Ai *ai, MashAction best, ActionPath *out) {
    if (ai->evaluator->method == MASH_METHOD_DETERMINIZED) {
        for (uint32_t i = 0; i < ai->determinized.count && out->count == 0; i++)
            if (mash_action_compare(ai->determinized.list[i].action, best) != 0)
                *out = (ActionPath){.count = 1, .actions = {ai->determinized.list[i].action}};
    } else {
        other_end(&ai->turns.frames[0].ends, best, out);
    }
}

/* An alternative action of the list: the one with the highest priority. */
static void other_from_list(Tip *tip, MashAction best, ActionPath *out) {
    Ai *ai = tip->ai;
    uint32_t count = ai->game->actions(ai->content, tip->view, tip->seat, tip->list);
    int32_t most = INT32_MIN;
    search_priorities(ai, tip->view, tip->seat, tip->list, count, ai->generator.priorities);
    for (uint32_t i = 0; i < count; i++) {
        if (mash_action_compare(tip->list[i], best) == 0)
            continue;
        if (out->count == 0 || ai->generator.priorities[i] > most) {
            most = ai->generator.priorities[i];
            *out = (ActionPath){.count = 1, .actions = {tip->list[i]}};
        }
    }
}

/* An alternative choice of the evaluator's opening while drafting and placing. */
static void other_from_opening(Tip *tip, MashAction best, ActionPath *out) {
    for (uint64_t tie_break = 1; tie_break <= OTHER_SEEDS && out->count == 0; tie_break++) {
        tip->plan.count = 0;
        AiTask task = {tip->skill, tip->view, &tip->plan, tip->seat, 1, tip->seed + tie_break,
                       true};
        if (ai_begin(tip->ai, &task) && tip->ai->done &&
            mash_action_compare(tip->ai->answer.actions[0], best) != 0)
            *out = tip->ai->answer;
    }
}

/* Is the match still in drafting and placing, where the evaluator's opening decides? */
static bool follows_opening(Tip *tip) {
    const MashEvaluator *evaluator = tip->ai->evaluator;
    MashChance chance = chance_sampled(tip->seed);
    return evaluator->opening != NULL &&
           evaluator->opening(tip->content, tip->view, tip->seat, &chance).verb != MASH_VERB_NONE;
}

/* The search is finished: sets the two choices. */
static void choose(Tip *tip) {
    const Ai *ai = tip->ai;
    bool thought = ai->nodes > 0 && tip->skill->mode != AI_RANDOM;
    tip->opening = follows_opening(tip);
    tip->turn = search_turn_number(ai, tip->view);
    MashAction best = ai->answer.actions[0];
    tip->advice.value = ai->value;
    tip->paths[0] = ai->answer;
    tip->paths[1].count = 0;
    tip->advice.best.action = best;
    if (thought && (tip->skill->mode == AI_GREEDY_TURN || tip->skill->mode == AI_SEARCH))
        other_from_search(ai, best, &tip->paths[1]);
    if (tip->opening)
        other_from_opening(tip, best, &tip->paths[1]);
    if (tip->paths[1].count == 0)
        other_from_list(tip, best, &tip->paths[1]);
    if (tip->paths[1].count > 0)
        tip->advice.other.action = tip->paths[1].actions[0];
}

/* --- Samples ---------------------------------------------------------------------------------- */

/* The choice that is being examined: the best, then the other one. */
static TipChoice *current(Tip *tip) {
    return tip->choice == 0 ? &tip->advice.best : &tip->advice.other;
}

/* Chance of action number `place` in the current sample: the same for both choices. */
static MashChance chance_of(const Tip *tip, uint32_t place) {
    return chance_sampled(hash_number(hash_number(tip->seed + 77, tip->sample), place));
}

/* A fresh copy of the view, with guesses where something is hidden. */
static void begin_future(Tip *tip) {
    uint32_t bytes = tip->content->limits.state_bytes;
    MashChance chance = chance_of(tip, 0);
    memcpy(tip->state, tip->view, bytes);
    if (tip->content->game->guess != NULL)
        tip->content->game->guess(tip->content, tip->state, tip->seat, &chance);
    tip->uncertain |= memcmp(tip->state, tip->view, bytes) != 0;
    tip->turns = 0;
    tip->when = TIP_TURN_OWN;
    tip->stage = TIP_MAKE;
}

/* Starts the first sample of a choice, 0 = best, 1 = other; clears the notes of the previous one.
 */
static void begin_choice(Tip *tip, uint32_t choice) {
    tip->choice = choice;
    tip->sample = 0;
    tip->samples = TIP_SAMPLES;
    tip->uncertain = false;
    tip_notes_clear(&tip->notes, tip->seat);
    tip->content->game->show(tip->content, tip->view, &tip->board);
    tip_notes_set_owners(&tip->notes, &tip->board);
    begin_future(tip);
}

/* Is the action part of the advised turn? */
static bool advised(const Tip *tip, MashAction action) {
    if (tip->turns == 0)
        return true;
    return action.seat == tip->seat && tip->ai->evaluator->turn_number != NULL &&
           search_turn_number(tip->ai, tip->state) == tip->turn;
}

/* Applies one action and notes its events; further turns of the own side are not noted. */
static bool act(Tip *tip, MashAction action, uint32_t place) {
    const MashGame *game = tip->content->game;
    MashChance chance = chance_of(tip, place);
    uint64_t before = chance.counter;
    bool heard = advised(tip, action) || action.seat != tip->seat || tip->when != TIP_TURN_OWN;
    tip->advice.nodes++;
    tip->events.count = 0;
    if (mash_apply(tip->content, tip->state, action, &chance, &tip->events) != MASH_OK)
        return false;
    if (action.seat != tip->seat)
        tip->when = TIP_TURN_REPLY;
    else if (tip->when == TIP_TURN_REPLY)
        tip->when = TIP_TURN_NEXT;
    tip->uncertain |= chance.counter != before;
    game->show(tip->content, tip->state, &tip->board);
    tip_notes_set_owners(&tip->notes, &tip->board);
    if (heard)
        tip_notes_add(&tip->notes, &tip->events, tip->sample + 1, tip->when);
    return true;
}

/* Plays a turn as far as possible. */
static void make(Tip *tip, const ActionPath *path) {
    uint32_t place = (1 + tip->turns) * AI_PLAN_MAX;
    for (uint32_t i = 0; i < path->count && act(tip, path->actions[i], place + i); i++)
        ;
}

/* While drafting and placing there is no risk. */
static void clear_risk(TipChoice *choice) {
    choice->lost = 0;
    choice->losses.count = 0;
    choice->opening = true;
}

/* The sample is finished: continues with the next one or the next choice, or finishes. */
static void end_future(Tip *tip) {
    tip->sample++;
    if (!tip->uncertain)
        tip->samples = 1;
    if (tip->sample < tip->samples) {
        begin_future(tip);
        return;
    }
    current(tip)->samples = tip->samples;
    tip_notes_write(&tip->notes, current(tip));
    if (tip->opening)
        clear_risk(current(tip));
    tip->stage = TIP_DONE;
    if (tip->choice == 0 && tip->paths[1].count > 0)
        begin_choice(tip, 1);
}

/* It is a seat's turn: starts the search for its next turn, or ends the sample. */
static void play_on(Tip *tip) {
    const MashGame *game = tip->content->game;
    uint32_t awaited = game->awaited(tip->content, tip->state);
    uint8_t seat = awaited == 2;
    bool enough = tip->when == TIP_TURN_NEXT || (tip->when == TIP_TURN_REPLY && seat == tip->seat &&
                                                 !tip_notes_are_minor(&tip->notes));
    if (awaited == 0 || awaited == 3 || enough || tip->opening || tip->turns == TURNS_MAX) {
        end_future(tip);
        return;
    }
    memcpy(tip->seen, tip->state, tip->content->limits.state_bytes);
    game->hide(tip->content, tip->seen, seat);
    tip->turns++;
    tip->plan.count = 0;
    AiTask task = {.skill = ai_skill_find("greedy-turn"),
                   .view = tip->seen,
                   .plan = &tip->plan,
                   .seat = seat,
                   .nodes = REPLY_NODES,
                   .seed = hash_number(tip->seed, tip->sample)};
    bool begun = ai_begin(tip->ai, &task);
    assert(begun);
    tip->stage = TIP_REPLY;
}

/* --- Slices ----------------------------------------------------------------------------------- */

/* Runs the search. True: it is finished. */
static bool think_on(Tip *tip, uint32_t nodes) {
    uint64_t before = ai_nodes(tip->ai);
    bool done = ai_step(tip->ai, nodes);
    tip->advice.nodes += ai_nodes(tip->ai) - before;
    return done;
}

/* Continues with the current stage; the search may take at most this many nodes. */
static void step(Tip *tip, uint32_t nodes) {
    switch (tip->stage) {
    case TIP_THINK:
        if (think_on(tip, nodes)) {
            choose(tip);
            begin_choice(tip, 0);
        }
        break;
    case TIP_MAKE:
        make(tip, &tip->paths[tip->choice]);
        play_on(tip);
        break;
    case TIP_REPLY:
        if (think_on(tip, nodes)) {
            make(tip, &tip->ai->answer);
            play_on(tip);
        }
        break;
    case TIP_DONE:
        break;
    }
}

bool tip_step(Tip *tip, uint32_t nodes) {
    uint64_t until = tip->advice.nodes + nodes;
    while (tip->stage != TIP_DONE && tip->advice.nodes < until)
        step(tip, (uint32_t)(until - tip->advice.nodes));
    return tip->stage == TIP_DONE;
}

const TipAdvice *tip_advice(const Tip *tip) { return &tip->advice; }
