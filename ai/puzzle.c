/* puzzle.c -- see puzzle.h. */
#include "ai/puzzle.h"

#include <string.h>

#include "ai/internal.h"
#include "base/hash.h"

enum {
    PUZZLE_SEED = 7919,
    CHANCE_TRIES = 6,   /* of a turn that depends on chance */
    ROLLOUT_NODES = 16, /* what a rollout is counted as */
    FINALISTS = 12,     /* actions that are judged again where much is hidden */
    SKILL_SEEDS = 3,    /* players of a level that all must fail */
    WIN_SEEDS = 8,      /* the same where mistakes count */
    WIN_GUESSES = 64,   /* in each of which a turn must win to be told as a win */
};

/* An action, where much is hidden. */
typedef struct PuzzleCandidate {
    MashAction action;
    int64_t sum;
    uint32_t samples;
} PuzzleCandidate;

struct PuzzleFinder {
    const MashContent *content;
    PositionJudge *judge;
    void *view, *state, *root;
    MashAction *list;
    PuzzleCandidate *candidates;
    AiPlan plan;
    uint8_t seat;
};

const char *puzzle_kind_id(PuzzleKind kind) {
#define PUZZLE_ID(name, id, meaning) id,
    static const char *const ids[] = {PUZZLE_KINDS(PUZZLE_ID)};
#undef PUZZLE_ID
    return ids[kind];
}

uint32_t puzzle_needs(uint32_t best, uint32_t second) { return (best + second) / 2; }

/* --- Memory ----------------------------------------------------------------------------------- */

/* All memory of a finder: one list for counting and for lending. */
static void lay_out(const MashContent *content, Lender *lender, PuzzleFinder *finder) {
    lend(lender, sizeof *finder);
    finder->view = lend(lender, content->limits.state_bytes);
    finder->state = lend(lender, content->limits.state_bytes);
    finder->root = lend(lender, content->limits.state_bytes);
    finder->list = lend(lender, content->limits.actions_max * sizeof *finder->list);
    finder->candidates = lend(lender, content->limits.actions_max * sizeof *finder->candidates);
    finder->judge = lend(lender, judge_bytes(content));
}

size_t puzzle_bytes(const MashContent *content) {
    Lender lender = {NULL, 0};
    PuzzleFinder finder;
    lay_out(content, &lender, &finder);
    return lender.used;
}

PuzzleFinder *puzzle_init(const MashContent *content, void *memory) {
    Lender lender = {memory, 0};
    PuzzleFinder *finder = memory;
    memset(finder, 0, sizeof *finder);
    lay_out(content, &lender, finder);
    finder->content = content;
    finder->judge = judge_init(content, 0, finder->judge);
    return finder;
}

/* --- Playing a turn --------------------------------------------------------------------------- */

/* The position as it may be, from guess number `number`. */
static void guess(PuzzleFinder *finder, uint32_t number, void *out) {
    const MashGame *game = finder->content->game;
    MashChance chance = chance_sampled(hash_number(PUZZLE_SEED, number));
    memcpy(out, finder->view, finder->content->limits.state_bytes);
    if (game->guess != NULL)
        game->guess(finder->content, out, finder->seat, &chance);
}

/* Plays the turn from that guess, into finder->state. True: it drew chance. */
static bool play(PuzzleFinder *finder, const PuzzleTurn *turn, uint32_t number) {
    MashChance chance = chance_sampled(hash_number(PUZZLE_SEED + 1, number));
    uint64_t counter = chance.counter;
    guess(finder, number, finder->state);
    for (uint32_t i = 0; i < turn->count; i++)
        if (mash_apply(finder->content, finder->state, turn->actions[i], &chance, NULL) != MASH_OK)
            break;
    return chance.counter != counter;
}

/* Does chance leave the turn as it is, from the position that was searched? Then that is in
 * finder->state, as the search saw it. */
static bool is_sure(PuzzleFinder *finder, const PuzzleTurn *turn) {
    bool sure = true;
    finder->judge->ai->seed = PUZZLE_SEED;
    memcpy(finder->state, finder->root, finder->content->limits.state_bytes);
    for (uint32_t i = 0; i < turn->count; i++) {
        MashChance chance = search_chance(finder->judge->ai, 0, 0);
        uint64_t counter = chance.counter;
        if (mash_apply(finder->content, finder->state, turn->actions[i], &chance, NULL) != MASH_OK)
            break;
        sure = sure && chance.counter == counter;
    }
    return sure;
}

/* Has the seat won in finder->state? */
static bool has_won(const PuzzleFinder *finder) {
    MashResult result = finder->content->game->result(finder->content, finder->state);
    return result.over && result.winner == finder->seat;
}

/* The chance of the seat in finder->state, by search. */
static uint32_t chance_of_state(PuzzleFinder *finder, uint32_t nodes) {
    finder->judge->nodes = nodes;
    judge_begin(finder->judge, finder->state);
    while (!judge_step(finder->judge, UINT32_MAX))
        ;
    uint32_t chance = finder->judge->chance;
    return finder->seat == 0 ? chance : MASH_WINNING_CERTAIN - chance;
}

/* The value of guess number `number` after the turn. */
static int32_t rollout_value(PuzzleFinder *finder, const PuzzleTurn *turn, uint32_t number) {
    play(finder, turn, number);
    return judge_roll_out(finder->judge, finder->state, finder->seat, number);
}

/* Does the turn win the match at once, whatever may be hidden? */
static bool wins_always(PuzzleFinder *finder, const PuzzleTurn *turn) {
    for (uint32_t i = 0; i < WIN_GUESSES; i++) {
        play(finder, turn, i);
        if (!has_won(finder))
            return false;
    }
    return true;
}

static void look(PuzzleFinder *finder, const void *view, uint8_t seat) {
    memcpy(finder->view, view, finder->content->limits.state_bytes);
    finder->seat = seat;
}

/* The mean of chances after a turn, over what chance brings; nodes for all of them. */
static uint32_t mean_chance(PuzzleFinder *finder, const PuzzleTurn *turn, uint32_t nodes) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < CHANCE_TRIES; i++) {
        if (!play(finder, turn, i) && i == 0)
            return chance_of_state(finder, nodes);
        sum += chance_of_state(finder, nodes / CHANCE_TRIES);
    }
    return sum / CHANCE_TRIES;
}

uint32_t puzzle_chance(PuzzleFinder *finder, const void *view, uint8_t seat, const PuzzleTurn *turn,
                       uint32_t nodes) {
    look(finder, view, seat);
    if (!judge_rolls_out(finder->content))
        return mean_chance(finder, turn, nodes);
    uint32_t all = nodes / ROLLOUT_NODES + 1, won = 0;
    int64_t sum = 0;
    for (uint32_t i = 0; i < all; i++) {
        sum += rollout_value(finder, turn, i);
        won += has_won(finder);
    }
    return won == all ? MASH_WINNING_CERTAIN
                      : judge_chance_of(finder->content, seat, (int32_t)(sum / all));
}

/* --- By search -------------------------------------------------------------------------------- */

/* Does the task; the turn that was found and its value. False: there was no choice. */
static bool find_turn(PuzzleFinder *finder, AiTask task, const LeftOut *left_out, PuzzleTurn *turn,
                      int32_t *value) {
    Ai *ai = finder->judge->ai;
    task.view = finder->view;
    task.plan = &finder->plan;
    task.seat = finder->seat;
    finder->plan = (AiPlan){0};
    ai->left_out = left_out;
    bool begun = ai_begin(ai, &task);
    while (begun && !ai_step(ai, UINT32_MAX))
        ;
    ai->left_out = NULL;
    memcpy(finder->root, ai->root, finder->content->limits.state_bytes);
    turn->count = ai->answer.count;
    memcpy(turn->actions, ai->answer.actions, turn->count * sizeof *turn->actions);
    *value = ai_value(ai);
    return begun && ai_nodes(ai) > 0;
}

/* The same by the best level. */
static bool search(PuzzleFinder *finder, uint32_t nodes, const LeftOut *left_out, PuzzleTurn *turn,
                   int32_t *value) {
    AiTask task = {
        .skill = ai_level(AI_LEVELS), .nodes = nodes, .seed = PUZZLE_SEED, .no_mistakes = true};
    return find_turn(finder, task, left_out, turn, value);
}

/* The turn that try number `number` of this level plays. */
static void play_level(PuzzleFinder *finder, uint32_t level, uint32_t number, bool mistakes,
                       PuzzleTurn *turn) {
    AiTask task = {
        .skill = ai_level(level), .seed = PUZZLE_SEED + number, .no_mistakes = !mistakes};
    int32_t value;
    find_turn(finder, task, NULL, turn, &value);
}

/* What the puzzle is about. */
static PuzzleKind kind_of(const Puzzle *puzzle, bool won) {
    return won ? PUZZLE_WIN : puzzle->second <= PUZZLE_LOST ? PUZZLE_SURVIVE : PUZZLE_FIND;
}

/* A hash of how the units of the other side are: that they are there, their health, what they hold
 * and what is upon them. */
static uint64_t enemy_hash(Ai *ai, const void *state, uint8_t seat) {
    MashBoard *board = &ai->baseline.board;
    uint8_t theirs[256] = {0};
    uint64_t sum = 1;
    ai->game->show(ai->content, state, board);
    for (uint32_t i = 0; i < board->tokens_count; i++) {
        const MashToken *token = &board->tokens[i];
        if (token->seat != 1 - seat)
            continue;
        theirs[token->unit] = 1;
        sum += hash_number(hash_number(token->unit, token->place == MASH_GONE), 1);
    }
    for (uint32_t i = 0; i < board->meters_count; i++) {
        const MashMeter *meter = &board->meters[i];
        bool counts = meter->role == MASH_ROLE_HEALTH || meter->role == MASH_ROLE_HELD ||
                      meter->role == MASH_ROLE_EFFECT;
        if (counts && theirs[meter->unit])
            sum += hash_number(hash_number(meter->unit, meter->role), (uint64_t)meter->now);
    }
    return sum;
}

/* What a turn of the seat is, as a number, by the positions before and after it. */
static uint64_t class_of(Ai *ai, const void *root, uint8_t seat, const void *state) {
    if (ai->evaluator->turn_number == NULL)
        return search_hash(ai, state);
    uint64_t effect = enemy_hash(ai, state, seat);
    return effect == enemy_hash(ai, root, seat) ? search_hash(ai, state) : effect;
}

/* Is the end of one of the turns that were found already? */
static bool covers(Ai *ai, const LeftOut *left_out, const void *state) {
    MashResult result = ai->game->result(ai->content, state);
    if (left_out->won && result.over && result.winner == ai->seat)
        return true;
    uint64_t hash = class_of(ai, ai->root, ai->seat, state);
    for (uint32_t i = 0; i < left_out->count; i++)
        if (left_out->hashes[i] == hash)
            return true;
    return false;
}

/* The chance after a turn that the search found: what its value means, or where chance has a part,
 * the mean of chances. */
static uint32_t chance_of(PuzzleFinder *finder, const PuzzleTurn *turn, int32_t value,
                          uint32_t nodes) {
    return is_sure(finder, turn) ? judge_chance_of(finder->content, finder->seat, value)
                                 : mean_chance(finder, turn, nodes);
}

/* What the turn is, as a number; and whether it wins for sure. */
static uint64_t class_of_turn(PuzzleFinder *finder, const PuzzleTurn *turn, bool *wins) {
    bool sure = is_sure(finder, turn);
    *wins = sure && has_won(finder);
    return class_of(finder->judge->ai, finder->root, finder->seat, finder->state);
}

/* Finds further solutions and the second best turn. */
static bool find_rest(PuzzleFinder *finder, uint32_t nodes, uint32_t gap, Puzzle *out) {
    uint64_t hashes[PUZZLE_SOLUTIONS_MAX];
    LeftOut left_out = {covers, hashes, 0, false};
    for (;;) {
        PuzzleTurn turn;
        int32_t value;
        bool wins;
        hashes[left_out.count++] =
            class_of_turn(finder, &out->solutions[out->solutions_count - 1], &wins);
        left_out.won = left_out.won || wins;
        if (!search(finder, nodes, &left_out, &turn, &value) ||
            finder->judge->ai->turns.frames[0].ends.count == 0)
            return false;
        uint32_t chance = chance_of(finder, &turn, value, nodes);
        if (chance + gap <= out->best) {
            out->second = chance;
            out->instead = turn;
            out->kind = kind_of(out, left_out.won);
            return true;
        }
        if (chance + PUZZLE_SAME < out->best || out->solutions_count == PUZZLE_SOLUTIONS_MAX)
            return false;
        out->solutions[out->solutions_count++] = turn;
    }
}

/* --- By rollouts ------------------------------------------------------------------------------ */

/* The best mean first; the sort is stable. */
static void sort(PuzzleCandidate *list, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        PuzzleCandidate moving = list[i];
        uint32_t to = i;
        for (; to > 0 && list[to - 1].sum * moving.samples < moving.sum * list[to - 1].samples;
             to--)
            list[to] = list[to - 1];
        list[to] = moving;
    }
}

/* Judges each of these actions in equally many guesses. */
static void judge_candidates(PuzzleFinder *finder, uint32_t count, uint32_t nodes) {
    uint32_t each = nodes / ROLLOUT_NODES / count + 1;
    for (uint32_t i = 0; i < count; i++) {
        PuzzleCandidate *candidate = &finder->candidates[i];
        PuzzleTurn turn = {1, {candidate->action}};
        for (uint32_t k = 0; k < each; k++)
            candidate->sum += rollout_value(finder, &turn, candidate->samples + k);
        candidate->samples += each;
    }
    sort(finder->candidates, count);
}

/* The same as by search, where a turn is one action. */
static bool find_hidden(PuzzleFinder *finder, uint32_t nodes, uint32_t gap, Puzzle *out) {
    const MashGame *game = finder->content->game;
    uint32_t count = game->actions(finder->content, finder->view, finder->seat, finder->list);
    if (count < 2)
        return false;
    for (uint32_t i = 0; i < count; i++)
        finder->candidates[i] = (PuzzleCandidate){.action = finder->list[i]};
    judge_candidates(finder, count, nodes / 2);
    judge_candidates(finder, count < FINALISTS ? count : FINALISTS, nodes / 2);
    for (uint32_t i = 0; i < count && i <= PUZZLE_SOLUTIONS_MAX; i++) {
        const PuzzleCandidate *candidate = &finder->candidates[i];
        int32_t value = (int32_t)(candidate->sum / candidate->samples);
        uint32_t chance = judge_chance_of(finder->content, finder->seat, value);
        PuzzleTurn turn = {1, {candidate->action}};
        if (i == 0) {
            out->best = chance;
        }
        if (i > 0 && chance + gap <= out->best) {
            out->second = chance;
            out->instead = turn;
            out->kind = kind_of(out, wins_always(finder, &out->solutions[0]));
            return true;
        }
        if (chance + PUZZLE_SAME < out->best || i == PUZZLE_SOLUTIONS_MAX)
            return false;
        out->solutions[out->solutions_count++] = turn;
    }
    return false;
}

/* --- Puzzles ---------------------------------------------------------------------------------- */

bool puzzle_find(PuzzleFinder *finder, const void *view, uint8_t seat, uint32_t nodes, uint32_t gap,
                 Puzzle *out) {
    int32_t value;
    *out = (Puzzle){0};
    look(finder, view, seat);
    if (judge_rolls_out(finder->content))
        return find_hidden(finder, nodes, gap, out);
    if (!search(finder, nodes, NULL, &out->solutions[0], &value))
        return false;
    out->solutions_count = 1;
    out->best = chance_of(finder, &out->solutions[0], value, nodes);
    return out->best >= gap && find_rest(finder, nodes, gap, out);
}

bool puzzle_missed_by(PuzzleFinder *finder, const void *view, uint8_t seat, uint32_t level,
                      uint32_t nodes, uint32_t gap) {
    PuzzleTurn turn;
    int32_t value;
    bool best_wins, wins;
    look(finder, view, seat);
    if (judge_rolls_out(finder->content))
        return true;
    if (!search(finder, nodes, NULL, &turn, &value))
        return false;
    uint64_t best = class_of_turn(finder, &turn, &best_wins);
    uint32_t chance = chance_of(finder, &turn, value, nodes);
    if (chance < gap)
        return false;
    if (best_wins)
        return !puzzle_solved_by(finder, view, seat, level, PUZZLE_WIN,
                                 puzzle_needs(chance, chance - gap), nodes);
    play_level(finder, level, 0, false, &turn);
    return class_of_turn(finder, &turn, &wins) != best &&
           puzzle_chance(finder, view, seat, &turn, nodes) <= puzzle_needs(chance, chance - gap);
}

bool puzzle_solved_by(PuzzleFinder *finder, const void *view, uint8_t seat, uint32_t level,
                      PuzzleKind kind, uint32_t needs, uint32_t nodes) {
    bool mistakes = kind == PUZZLE_WIN;
    for (uint32_t i = 0; i < (mistakes ? WIN_SEEDS : SKILL_SEEDS); i++) {
        PuzzleTurn turn;
        look(finder, view, seat);
        play_level(finder, level, i, mistakes, &turn);
        if (puzzle_chance(finder, view, seat, &turn, nodes) >= needs)
            return true;
    }
    return false;
}
