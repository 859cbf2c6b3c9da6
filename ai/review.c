/* review.c -- see review.h.
 *
 * One judge does everything in sequence. For each turn: the position at its beginning; then, where
 * nothing is hidden from the player, for each action that drew chance the positions it could have
 * led to and, unless it was the last of the turn, the one it did lead to; where something is
 * hidden, some guesses of the position before and after the turn. */
#include "ai/review.h"

#include <string.h>

#include "ai/internal.h"

enum {
    GUESS_SEED = 977,
    WEIGHT_ONE = 1 << 20, /* of a certain outcome */
    DRAWS_MAX = 6,        /* draws of one action that are enumerated */
    TRIES_MAX = 256,      /* outcomes of them, equal ones included */
    WORD_BYTES = 128,
};

/* What is being judged. */
typedef enum ReviewStage {
    REVIEW_BEFORE,  /* the position at the beginning of a turn, or the last one */
    REVIEW_VIEW,    /* what the player should have done, by what was known */
    REVIEW_GUESSED, /* a guess of the position, and the same after the turn */
    REVIEW_PLAYED,
    REVIEW_OUTCOME, /* a position that chance could have led to */
    REVIEW_CAME,    /* the position inside the turn that it led to */
    REVIEW_FINISHED,
} ReviewStage;

/* A position that chance could have led to, and its probability. */
typedef struct ReviewOutcome {
    void *state;
    uint64_t weight;
} ReviewOutcome;

struct Review {
    const MashContent *content;
    ReviewTask task;
    PositionJudge *judge;
    ReviewStage stage;
    ReviewTurn *turns;
    uint32_t turns_count, turn;
    uint32_t action; /* number of the action that is looked at */
    uint32_t sample; /* number of the outcome or guess */
    uint32_t outcomes_count;
    ReviewOutcome outcomes[REVIEW_OUTCOMES_MAX];
    int64_t sum;      /* of the outcomes or guesses so far */
    int32_t luck;     /* of this turn, for seat 0, without its last action */
    int32_t expected; /* mean chance after its last action; -1: that one was sure */
    bool guessed;     /* something was hidden: `change` is the mean of the change in guesses */
    int32_t change;
    void *state, *next; /* before and after the action */
    void *trial, *view;
};

/* --- Memory ----------------------------------------------------------------------------------- */

/* All memory of a review: one list for counting and for lending. */
static void lay_out(const MashContent *content, uint32_t actions_count, Lender *lender,
                    Review *review) {
    uint32_t bytes = content->limits.state_bytes;
    lend(lender, sizeof *review);
    review->state = lend(lender, bytes);
    review->next = lend(lender, bytes);
    review->trial = lend(lender, bytes);
    review->view = lend(lender, bytes);
    for (uint32_t i = 0; i < REVIEW_OUTCOMES_MAX; i++)
        review->outcomes[i].state = lend(lender, bytes);
    review->turns = lend(lender, (actions_count + 1) * sizeof *review->turns);
    review->judge = lend(lender, judge_bytes(content));
}

size_t review_bytes(const MashContent *content, uint32_t actions_count) {
    Lender lender = {NULL, 0};
    Review review;
    lay_out(content, actions_count, &lender, &review);
    return lender.used;
}

/* --- The turns of the match ------------------------------------------------------------------- */

static uint32_t turn_number(const Review *review, const void *state) {
    return search_turn_number(review->judge->ai, state);
}

/* Applies action number `number` of the match as it was. True: it drew chance. */
static bool replay(const Review *review, void *state, uint32_t number) {
    MashChance chance = chance_seeded(review->task.seed, number + 1);
    uint64_t before = chance.counter;
    MashAction action = review->task.actions[number];
    MashStatus status = mash_apply(review->content, state, action, &chance, NULL);
    assert(status == MASH_OK);
    return chance.counter != before;
}

/* The match as it began. */
static void set_up(const Review *review, void *state) {
    MashSetup setup = {review->task.options, review->content->game->options_count};
    MashChance chance = chance_seeded(review->task.seed, 0);
    MashStatus status = review->content->game->setup(review->content, &setup, &chance, state);
    assert(status == MASH_OK);
}

/* The player whose action it is: of an action of the server, whom it is about. */
static uint8_t player_of(MashAction action) {
    uint8_t seat = action.seat == MASH_SEAT_SERVER ? action.other : action.seat;
    return seat < MASH_SEATS ? seat : 0;
}

/* Does the action go on with the turn? Offers of a draw and their answers never begin one. */
static bool goes_on(const Review *review, const ReviewTurn *turn, MashAction action,
                    uint32_t number, uint32_t began) {
    if (action.verb >= MASH_VERB_RESIGN &&
        !review->content->game->result(review->content, review->next).over)
        return action.verb != MASH_VERB_TIME_OVER;
    return turn->listed && action.verb < MASH_VERB_RESIGN && turn->seat == action.seat &&
           number == began && review->content->game->evaluator != NULL &&
           review->content->game->evaluator->turn_number != NULL;
}

/* Divides the actions into turns, beginning when everything is placed. */
static void find_turns(Review *review) {
    uint32_t began = 0, bytes = review->content->limits.state_bytes;
    set_up(review, review->state);
    for (uint32_t i = 0; i < review->task.actions_count; i++) {
        MashAction action = review->task.actions[i];
        uint32_t number = turn_number(review, review->state);
        ReviewTurn *turn = &review->turns[review->turns_count];
        bool can = judge_can(review->content, review->state);
        memcpy(review->next, review->state, bytes);
        replay(review, review->next, i);
        if (review->turns_count > 0 && goes_on(review, turn - 1, action, number, began)) {
            turn[-1].to = i + 1;
        } else if (can) {
            *turn = (ReviewTurn){.from = i,
                                 .to = i + 1,
                                 .seat = player_of(action),
                                 .listed = action.verb < MASH_VERB_RESIGN};
            began = number;
            review->turns_count++;
        }
        memcpy(review->state, review->next, bytes);
    }
}

/* --- Judging ---------------------------------------------------------------------------------- */

/* Judges this position next. */
static void judge(Review *review, ReviewStage stage, const void *state) {
    review->stage = stage;
    judge_begin(review->judge, state);
}

Review *review_init(const MashContent *content, const ReviewTask *task, void *memory) {
    Lender lender = {memory, 0};
    Review *review = memory;
    memset(memory, 0, review_bytes(content, task->actions_count));
    lay_out(content, task->actions_count, &lender, review);
    review->content = content;
    review->task = *task;
    review->judge = judge_init(content, task->nodes, review->judge);
    find_turns(review);
    if (review->turns_count == 0) {
        review->stage = REVIEW_FINISHED;
        return review;
    }
    set_up(review, review->state);
    for (uint32_t i = 0; i < review->turns[0].from; i++)
        replay(review, review->state, i);
    judge(review, REVIEW_BEFORE, review->state);
    return review;
}

/* The turn that the search found. */
static void take_best(Review *review) {
    ReviewTurn *turn = &review->turns[review->turn];
    const ActionPath *path = &review->judge->ai->answer;
    if (review->judge->forced || ai_nodes(review->judge->ai) == 0 || !turn->listed)
        return;
    turn->best_count = path->count;
    memcpy(turn->best, path->actions, path->count * sizeof *path->actions);
}

/* The next turn begins with this chance, or the match has ended with it: what the turn before
 * changed is known. */
static void close_turn(Review *review, uint32_t chance) {
    ReviewTurn *turn = &review->turns[review->turn - 1];
    turn->after = (uint16_t)chance;
    int32_t change = (int32_t)turn->after - turn->before;
    int32_t luck = review->luck;
    if (review->expected >= 0)
        luck += (int32_t)chance - review->expected;
    if (review->guessed)
        luck = change - review->change;
    int32_t sign = turn->seat == 0 ? 1 : -1;
    turn->luck = sign * luck;
    turn->play = sign * (change - luck);
}

/* Goes to the end of the turn; did the search's turn lead there, too? With the same chance, since
 * that belongs to the number of an action. */
static void end_turn(Review *review) {
    ReviewTurn *turn = &review->turns[review->turn];
    bool legal = turn->best_count > 0;
    memcpy(review->trial, review->next, review->content->limits.state_bytes);
    for (uint32_t i = 0; legal && i < turn->best_count; i++) {
        MashChance chance = chance_seeded(review->task.seed, turn->from + i + 1);
        legal = mash_apply(review->content, review->trial, turn->best[i], &chance, NULL) == MASH_OK;
    }
    memcpy(review->next, review->state, review->content->limits.state_bytes);
    turn->same =
        legal && memcmp(review->trial, review->state, review->content->limits.core_bytes) == 0;
    review->turn++;
    judge(review, REVIEW_BEFORE, review->state);
}

/* --- Turns in which nothing is hidden --------------------------------------------------------- */

/* Adds an outcome, or its weight to an equal one. False: there are too many. */
static bool add_outcome(Review *review, uint64_t weight) {
    for (uint32_t i = 0; i < review->outcomes_count; i++)
        if (memcmp(review->outcomes[i].state, review->trial, review->content->limits.core_bytes) ==
            0) {
            review->outcomes[i].weight += weight;
            return true;
        }
    if (review->outcomes_count == REVIEW_OUTCOMES_MAX)
        return false;
    ReviewOutcome *outcome = &review->outcomes[review->outcomes_count++];
    memcpy(outcome->state, review->trial, review->content->limits.state_bytes);
    outcome->weight = weight;
    return true;
}

/* Applies the action to a copy with this chance. */
static void try_action(Review *review, MashChance *chance) {
    memcpy(review->trial, review->state, review->content->limits.state_bytes);
    mash_apply(review->content, review->trial, review->task.actions[review->action], chance, NULL);
}

/* All positions that the action can lead to. False: there are too many. */
static bool enumerate(Review *review) {
    MashWheel wheels[DRAWS_MAX];
    MashChance chance = chance_enumerated(wheels, DRAWS_MAX);
    uint32_t tries = 0;
    do {
        uint64_t weight = WEIGHT_ONE;
        try_action(review, &chance);
        for (uint32_t i = 0; i < chance.used && i < DRAWS_MAX; i++)
            weight /= chance.wheels[i].values;
        if (chance.failed || ++tries > TRIES_MAX || !add_outcome(review, weight))
            return false;
    } while (chance_next(&chance));
    return true;
}

/* Lists what the action could have led to. */
static void list_outcomes(Review *review) {
    review->outcomes_count = review->sample = 0;
    review->sum = 0;
    if (enumerate(review))
        return;
    review->outcomes_count = 0;
    for (uint32_t i = 0; i < REVIEW_SAMPLES; i++) {
        MashChance chance = chance_sampled(GUESS_SEED + (uint64_t)review->action * 64 + i);
        try_action(review, &chance);
        add_outcome(review, 1);
    }
}

/* Goes through the actions up to the next one that drew chance, or to the end of the turn. */
static void walk(Review *review) {
    const ReviewTurn *turn = &review->turns[review->turn];
    uint32_t bytes = review->content->limits.state_bytes;
    for (; review->action < turn->to; review->action++) {
        memcpy(review->trial, review->state, bytes);
        bool drew = replay(review, review->trial, review->action);
        if (drew) {
            list_outcomes(review);
            judge(review, REVIEW_OUTCOME, review->outcomes[0].state);
            return;
        }
        memcpy(review->state, review->trial, bytes);
    }
    end_turn(review);
}

/* All outcomes are judged: goes on with the one that came about. */
static void take_outcomes(Review *review) {
    uint64_t weight = 0;
    for (uint32_t i = 0; i < review->outcomes_count; i++)
        weight += review->outcomes[i].weight;
    int32_t mean = (int32_t)(review->sum / (int64_t)weight);
    replay(review, review->state, review->action++);
    if (review->action < review->turns[review->turn].to) {
        review->luck -= mean;
        judge(review, REVIEW_CAME, review->state);
        return;
    }
    review->expected = mean;
    end_turn(review);
}

/* --- Turns in which something is hidden ------------------------------------------------------- */

/* A guess of what the player could not know. */
static void guess(Review *review) {
    const ReviewTurn *turn = &review->turns[review->turn];
    MashChance chance = chance_sampled(GUESS_SEED + (uint64_t)turn->from * 64 + review->sample);
    memcpy(review->trial, review->view, review->content->limits.state_bytes);
    review->content->game->guess(review->content, review->trial, turn->seat, &chance);
}

/* Plays the turn in the guess, as far as it can be played there. */
static void play_in_guess(Review *review) {
    const ReviewTurn *turn = &review->turns[review->turn];
    bool legal = true;
    for (uint32_t i = turn->from; i < turn->to && legal; i++) {
        MashChance chance = chance_sampled(GUESS_SEED + (uint64_t)i * 64 + review->sample);
        legal = mash_apply(review->content, review->trial, review->task.actions[i], &chance,
                           NULL) == MASH_OK;
    }
}

/* All guesses are judged. */
static void take_guesses(Review *review) {
    const ReviewTurn *turn = &review->turns[review->turn];
    review->guessed = true;
    review->change = (int32_t)(review->sum / REVIEW_GUESSES);
    for (; review->action < turn->to; review->action++)
        replay(review, review->state, review->action);
    end_turn(review);
}

/* --- One after the other ---------------------------------------------------------------------- */

/* The beginning of a turn is judged: what is judged next? */
static void begin_turn(Review *review) {
    ReviewTurn *turn = &review->turns[review->turn];
    const MashGame *game = review->content->game;
    uint32_t bytes = review->content->limits.state_bytes;
    turn->before = (uint16_t)review->judge->chance;
    review->action = turn->from;
    review->luck = 0;
    review->expected = -1;
    review->guessed = false;
    review->sum = 0;
    review->sample = 0;
    memcpy(review->next, review->state, bytes);
    memcpy(review->view, review->state, bytes);
    game->hide(review->content, review->view, turn->seat);
    bool hidden =
        turn->listed && game->guess != NULL && memcmp(review->view, review->state, bytes) != 0;
    if (!hidden) {
        take_best(review);
        walk(review);
        return;
    }
    review->stage = REVIEW_VIEW;
    judge_begin_view(review->judge, review->view, turn->seat);
}

/* A position is judged. */
static void take(Review *review) {
    int64_t chance = review->judge->chance;
    switch (review->stage) {
    case REVIEW_BEFORE:
        if (review->turn > 0)
            close_turn(review, (uint32_t)chance);
        review->stage = REVIEW_FINISHED;
        if (review->turn < review->turns_count)
            begin_turn(review);
        break;
    case REVIEW_VIEW:
        take_best(review);
        guess(review);
        judge(review, REVIEW_GUESSED, review->trial);
        break;
    case REVIEW_GUESSED:
        review->sum -= chance;
        play_in_guess(review);
        judge(review, REVIEW_PLAYED, review->trial);
        break;
    case REVIEW_PLAYED:
        review->sum += chance;
        if (++review->sample == REVIEW_GUESSES) {
            take_guesses(review);
            break;
        }
        guess(review);
        judge(review, REVIEW_GUESSED, review->trial);
        break;
    case REVIEW_OUTCOME:
        review->sum += chance * (int64_t)review->outcomes[review->sample].weight;
        if (++review->sample < review->outcomes_count)
            judge(review, REVIEW_OUTCOME, review->outcomes[review->sample].state);
        else
            take_outcomes(review);
        break;
    case REVIEW_CAME:
        review->luck += (int32_t)chance;
        walk(review);
        break;
    case REVIEW_FINISHED:
        break;
    }
}

bool review_step(Review *review, uint32_t nodes) {
    uint64_t until = review->judge->searched + nodes;
    while (review->stage != REVIEW_FINISHED) {
        if (!judge_step(review->judge, nodes))
            return false;
        take(review);
        if (review->judge->searched >= until)
            break;
    }
    return review->stage == REVIEW_FINISHED;
}

uint32_t review_done(const Review *review, uint32_t *all) {
    *all = review->turns_count;
    return review->turn;
}

/* --- Results ---------------------------------------------------------------------------------- */

const ReviewTurn *review_turns(const Review *review, uint32_t *count) {
    *count = review->turns_count;
    return review->turns;
}

uint32_t review_loss(const ReviewTurn *turn) {
    return turn->same || turn->play >= 0 ? 0 : (uint32_t)-turn->play;
}

uint32_t review_accuracy(uint32_t loss) {
    static const struct {
        uint32_t loss, accuracy;
    } knots[] = {{0, 10000},   {300, 9000},  {500, 8000}, {1000, 6400},
                 {2000, 4000}, {4000, 1500}, {10000, 0}};
    uint32_t at = 1;
    if (loss >= MASH_WINNING_CERTAIN)
        return 0;
    while (knots[at].loss <= loss)
        at++;
    return knots[at - 1].accuracy - (loss - knots[at - 1].loss) *
                                        (knots[at - 1].accuracy - knots[at].accuracy) /
                                        (knots[at].loss - knots[at - 1].loss);
}

void review_sides(const Review *review, ReviewSide *sides) {
    memset(sides, 0, MASH_SEATS * sizeof *sides);
    for (uint32_t i = 0; i < review->turns_count; i++) {
        const ReviewTurn *turn = &review->turns[i];
        ReviewSide *side = &sides[turn->seat];
        side->play += turn->play;
        side->luck += turn->luck;
        sides[1 - turn->seat].luck -= turn->luck;
        if (!turn->listed)
            continue;
        side->turns++;
        side->kept += review_loss(turn) < REVIEW_KEPT;
        side->accuracy += review_accuracy(review_loss(turn));
    }
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++)
        if (sides[seat].turns > 0)
            sides[seat].accuracy /= sides[seat].turns;
}

/* How much a turn changed the chances, whoever won by it. */
static uint32_t size_of(const ReviewTurn *turn) {
    return turn->after > turn->before ? turn->after - turn->before : turn->before - turn->after;
}

uint32_t review_points(const Review *review, uint32_t points[REVIEW_POINTS]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < review->turns_count; i++) {
        uint32_t size = size_of(&review->turns[i]), at = count;
        if (size < REVIEW_POINT_LEAST)
            continue;
        while (at > 0 && size_of(&review->turns[points[at - 1]]) < size)
            at--;
        if (at == REVIEW_POINTS)
            continue;
        count += count < REVIEW_POINTS;
        memmove(&points[at + 1], &points[at], (count - at - 1) * sizeof *points);
        points[at] = i;
    }
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && points[k - 1] > points[k]; k--) {
            uint32_t later = points[k - 1];
            points[k - 1] = points[k];
            points[k] = later;
        }
    return count;
}

/* The words of the search's turn, from the position at its beginning. */
static void write_best(Review *review, const ReviewTurn *turn, JsonWriter *writer) {
    bool legal = true;
    memcpy(review->trial, review->state, review->content->limits.state_bytes);
    json_open_list(writer, "best");
    for (uint32_t i = 0; i < turn->best_count && legal; i++) {
        char bytes[WORD_BYTES];
        MashText word = text_over(bytes, sizeof bytes);
        review->content->game->notation(review->content, review->trial, turn->best[i], &word);
        json_put_string(writer, bytes);
        MashChance chance = search_chance(review->judge->ai, 0, 0);
        legal = mash_apply(review->content, review->trial, turn->best[i], &chance, NULL) == MASH_OK;
    }
    json_close(writer, ']');
}

/* One turn as JSON. */
static void write_turn(Review *review, const ReviewTurn *turn, JsonWriter *writer) {
    json_open(writer, '{');
    JSON_PUT_INTS(writer, {"from", turn->from}, {"to", turn->to}, {"seat", turn->seat},
                  {"before", turn->before}, {"after", turn->after}, {"play", turn->play},
                  {"luck", turn->luck}, {"lost", review_loss(turn)});
    json_put_pair_bool(writer, "listed", turn->listed);
    json_put_pair_bool(writer, "kept", review_loss(turn) < REVIEW_KEPT);
    json_put_pair_bool(writer, "same", turn->same);
    write_best(review, turn, writer);
    json_close(writer, '}');
}

/* Both sides as JSON. */
static void write_sides(const Review *review, JsonWriter *writer) {
    ReviewSide sides[MASH_SEATS];
    review_sides(review, sides);
    json_open_list(writer, "sides");
    for (uint32_t seat = 0; seat < MASH_SEATS; seat++) {
        json_open(writer, '{');
        JSON_PUT_INTS(writer, {"turns", sides[seat].turns}, {"kept", sides[seat].kept},
                      {"accuracy", sides[seat].accuracy}, {"play", sides[seat].play},
                      {"luck", sides[seat].luck});
        json_close(writer, '}');
    }
    json_close(writer, ']');
}

void review_write(Review *review, JsonWriter *writer) {
    uint32_t points[REVIEW_POINTS], count = review_points(review, points), action = 0;
    json_open(writer, '{');
    JSON_PUT_INTS(writer, {"version", REVIEW_VERSION}, {"nodes", review->judge->nodes},
                  {"searched", (int64_t)review->judge->searched});
    write_sides(review, writer);
    json_open_list(writer, "points");
    for (uint32_t i = 0; i < count; i++)
        json_put_int(writer, points[i]);
    json_close(writer, ']');
    json_open_list(writer, "turns");
    set_up(review, review->state);
    for (uint32_t i = 0; i < review->turns_count; i++) {
        for (; action < review->turns[i].from; action++)
            replay(review, review->state, action);
        write_turn(review, &review->turns[i], writer);
    }
    json_close(writer, ']');
    json_close(writer, '}');
}
