/* generals_play.c -- matches of the policy alone, and what is learned from them. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "train/generals.h"

static float uniform(MashChance *chance) {
    return ((float)chance_below(chance, 1 << 24) + 0.5f) / (1 << 24);
}

/* --- Choosing --------------------------------------------------------------------------------- */

/* A softmax: chances, their logarithms, and the mean of those. */
typedef struct Softmax {
    float p[LIST_MAX], log_p[LIST_MAX], mean_log;
} Softmax;

static void make_chances(const float *weights, const GeneralsFeatures *features, uint32_t count,
                         Softmax *softmax) {
    float most = -1e30f, sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        float logit = 0;
        for (uint32_t k = 0; k < features[i].count; k++)
            logit += weights[features[i].list[k].index] * (float)features[i].list[k].value;
        softmax->log_p[i] = logit / 64;
        most = softmax->log_p[i] > most ? softmax->log_p[i] : most;
    }
    for (uint32_t i = 0; i < count; i++)
        sum += softmax->p[i] = expf(softmax->log_p[i] - most);
    float log_sum = most + logf(sum);
    softmax->mean_log = 0;
    for (uint32_t i = 0; i < count; i++) {
        softmax->p[i] /= sum;
        softmax->log_p[i] -= log_sum;
        softmax->mean_log += softmax->p[i] * softmax->log_p[i];
    }
}

/* Draws one; `gradient` (may be NULL) gets added that of the logarithm of its chance, and `sums`
 * that of the entropy as often as `by` says. What is hardly ever drawn counts for nothing. Returns
 * its number. */
static uint32_t draw(const float *weights, const GeneralsFeatures *features, uint32_t count,
                     MashChance *chance, float *gradient, float by, double *sums,
                     double *entropies) {
    static _Thread_local Softmax softmax;
    make_chances(weights, features, count, &softmax);
    float at = uniform(chance);
    uint32_t drawn = 0;
    while (drawn + 1 < count && at > softmax.p[drawn])
        at -= softmax.p[drawn++];
    *entropies -= softmax.mean_log;
    for (uint32_t i = 0; gradient != NULL && i < count; i++) {
        if (i != drawn && softmax.p[i] < 1e-5f)
            continue;
        float part = ((i == drawn ? 1.0f : 0.0f) - softmax.p[i]) / 64;
        float open = -by * softmax.p[i] * (softmax.log_p[i] - softmax.mean_log) / 64;
        for (uint32_t k = 0; k < features[i].count; k++) {
            float value = (float)features[i].list[k].value;
            gradient[features[i].list[k].index] += part * value;
            sums[features[i].list[k].index] += open * value;
        }
    }
    return drawn;
}

/* --- Set-ups ---------------------------------------------------------------------------------- */

/* The set-ups of the release before. */
static int hand_score(const GeneralsContent *body, const GeneralsArmy *army, uint8_t kind, int row,
                      int x, int from_nexus) {
    const GeneralsKind *known = &army->kinds[kind];
    int rows = body->zone_rows, aside = abs(2 * x - (body->width - 1)) / 2;
    switch (known->class) {
    case CLASS_NEXUS:
        return (rows - 1 - row) * 40 + aside * 4;
    case CLASS_AGENT:
        return row * 12 + (from_nexus == 1 ? 14 : 0);
    case CLASS_INFILTRATOR:
        return (row == rows - 2 ? 16 : 8) + (from_nexus <= 3 ? 6 : 0);
    default:
        return row * known->power + (from_nexus == 1 && known->power < 7 ? 12 : 0);
    }
}

static void apply(const MashContent *content, GeneralsState *state, MashAction action,
                  MashChance *chance) {
    content->game->apply_listed(content, state, action, chance, NULL);
}

/* The next kind: the Nexus, then as before. */
static uint8_t next_kind(const GeneralsContent *body, uint8_t seat,
                         const uint8_t left[KINDS_MAX + 1]) {
    uint8_t best = 0;
    for (uint8_t kind = 1; kind <= body->army[seat].kinds_count; kind++)
        if (left[kind] > 0 &&
            (best == 0 || body->worths[seat].values[kind] > body->worths[seat].values[best]))
            best = kind;
    return best;
}

/* The cell where the release before puts it. */
static uint8_t place_by_hand(const GeneralsContent *body, uint8_t seat, const GeneralsState *state,
                             uint8_t kind, uint8_t nexus, MashChance *chance) {
    const GeneralsArmy *army = &body->army[seat];
    int most = -1000000;
    uint8_t best = 0;
    for (uint8_t i = 0; i < army->zone_cells; i++) {
        uint8_t cell = (uint8_t)(army->zone_first + i);
        if (state->cells[cell] != 0)
            continue;
        int row = body->height - 1 - abs(body->y[cell] - army->far_row);
        int from = nexus == CELL_GONE
                       ? 9
                       : abs(body->x[cell] - body->x[nexus]) + abs(body->y[cell] - body->y[nexus]);
        int score =
            hand_score(body, army, kind, row, body->x[cell], from) + (int)chance_below(chance, 24);
        if (score > most)
            most = score, best = cell;
    }
    return best;
}

/* The cell by what is learned; the gradient is added. */
static uint8_t place_learned(const TrainSeat *player, uint8_t seat, const GeneralsState *state,
                             uint8_t kind, uint8_t nexus, MashChance *chance, float *gradient,
                             float entropy, Sums *sums) {
    const GeneralsContent *body = generals_content(player->content);
    const GeneralsArmy *army = &body->army[seat];
    static _Thread_local GeneralsFeatures features[CELLS_MAX];
    uint8_t cells[CELLS_MAX];
    uint32_t count = 0;
    for (uint8_t i = 0; i < army->zone_cells; i++) {
        uint8_t cell = (uint8_t)(army->zone_first + i);
        if (state->cells[cell] != 0)
            continue;
        generals_set_preference(body, state, seat, kind, cell, nexus, &features[count]);
        cells[count++] = cell;
    }
    sums->placed++;
    return cells[draw(player->weights->set, features, count, chance, gradient, entropy, sums->set,
                      &sums->set_entropy)];
}

/* Places an army; the gradient of its logarithm, if that is asked for. */
static void place(const TrainSeat *player, uint8_t seat, GeneralsState *state, MashChance *chance,
                  float *gradient, float entropy, Sums *sums) {
    const GeneralsContent *body = generals_content(player->content);
    const GeneralsArmy *army = &body->army[seat];
    uint8_t left[KINDS_MAX + 1], nexus = CELL_GONE;
    if (gradient != NULL)
        memset(gradient, 0, SET_WEIGHTS * sizeof *gradient);
    if (player->set_up >= 2)
        apply(player->content, state,
              (MashAction){.verb = player->set_up == 2 ? VERB_RANDOM : VERB_LAYOUT, .seat = seat},
              chance);
    while (player->set_up < 2 && generals_left(body, state, seat, left) > 0) {
        uint8_t kind = next_kind(body, seat, left);
        uint8_t best = player->set_up == 1 ? place_by_hand(body, seat, state, kind, nexus, chance)
                                           : place_learned(player, seat, state, kind, nexus, chance,
                                                           gradient, entropy, sums);
        if (kind == army->nexus)
            nexus = best;
        apply(player->content, state,
              (MashAction){.verb = VERB_PLACE,
                           .seat = seat,
                           .x = (int8_t)body->x[best],
                           .y = (int8_t)body->y[best],
                           .amount = (uint8_t)(army->kind_first + kind - 1)},
              chance);
    }
    apply(player->content, state, (MashAction){.verb = VERB_READY, .seat = seat}, chance);
}

/* --- A match ---------------------------------------------------------------------------------- */

/* What was believed of the enemy's pieces against what they are. */
static void note_beliefs(const TrainSeat *player, const GeneralsState *state, uint8_t seat,
                         Sums *sums) {
    const GeneralsContent *body = generals_content(player->content);
    const GeneralsArmy *enemy = &body->army[1 - seat];
    const uint8_t *roles = body->worths[1 - seat].roles;
    const GeneralsBeliefs *odds = player->odds.beliefs;
    for (int i = 0; i < enemy->pieces; i++) {
        int group = odds->group[i];
        if (odds->known.kinds[i] != 0 || (odds->masks[group] & (odds->masks[group] - 1)) == 0)
            continue;
        uint8_t kind = state->pieces[enemy->first + i].kind;
        sums->seen[odds->trace[i]][roles[kind]] += 1;
        for (int k = 1; k <= enemy->kinds_count; k++) {
            double part = odds->chances[group][k] / (double)CERTAIN;
            int bin = part >= 1 ? BINS - 1 : (int)(part * BINS);
            sums->expected[odds->trace[i]][roles[k]] += part;
            if (part > 0) {
                sums->called[bin] += part;
                sums->calls[bin]++;
                sums->came[bin] += k == kind;
            }
        }
        double chance = odds->chances[group][kind] / (double)CERTAIN;
        sums->log_loss -= log(chance > 0.0005 ? chance : 0.0005);
        sums->hidden++;
    }
}

/* The same by masks and counts alone. */
static void note_flat(const MashContent *content, const GeneralsState *state, uint8_t seat,
                      Sums *sums) {
    GeneralsOdds odds;
    GeneralsBeliefs beliefs = {.worked_out = 0};
    const GeneralsArmy *enemy = &generals_content(content)->army[1 - seat];
    memset(&odds, 0, sizeof odds);
    generals_odds(&odds, &beliefs, 1, generals_content(content), state, seat);
    for (int i = 0; i < enemy->pieces; i++) {
        int group = odds.beliefs->group[i];
        uint32_t mask = odds.beliefs->masks[group];
        if (odds.beliefs->known.kinds[i] != 0 || (mask & (mask - 1)) == 0)
            continue;
        double chance = odds.beliefs->chances[group][state->pieces[enemy->first + i].kind];
        sums->flat_loss -= log(chance < 0.5 ? 0.0005 : chance / CERTAIN);
        sums->flat_hidden++;
    }
}

static float sigmoid(float x) { return 1 / (1 + expf(-x)); }

/* Where a player's sums go: with those of the main player, if it does not learn, but then nothing
 * but its decisions is counted. */
static Sums *sums_of(TrainJob *job, const TrainSeat *player) {
    return &job->trainer->sums[job->own][player->learner < 0 ? MAIN : player->learner];
}

/* One decision: its action; what is learned from it is kept. */
static MashAction choose(TrainJob *job, TrainSeat *player, const GeneralsState *state,
                         MashChance *chance, Decision *decision) {
    const Trainer *trainer = job->trainer;
    const GeneralsContent *body = generals_content(player->content);
    static _Thread_local MashAction list[LIST_MAX];
    static _Thread_local GeneralsFeatures features[LIST_MAX];
    Sums *sums = sums_of(job, player);
    uint8_t seat = state->mover;
    uint32_t count = player->content->game->actions(player->content, state, seat, list);
    player->beliefs.worked_out = 0;
    generals_odds(&player->odds, &player->beliefs, 1, body, state, seat);
    uint32_t note = chance_below(chance, 64);
    if (note % 8 == 0 && player->learner >= 0)
        note_beliefs(player, state, seat, sums);
    if (note == 0 && player->learner == MAIN)
        note_flat(trainer->contents[FLAT], state, seat, sums);
    for (uint32_t i = 0; i < count; i++)
        generals_preference(&player->odds, list[i], &features[i]);
    bool learns = player->learner >= 0 && decision != NULL;
    if (learns)
        memset(decision->act, 0, sizeof decision->act);
    uint32_t drawn =
        draw(player->weights->act, features, count, chance, learns ? decision->act : NULL,
             trainer->entropy, sums->act, &sums->entropy);
    sums->decisions++;
    if (decision == NULL)
        return list[drawn];
    int32_t value[VALUE_WEIGHTS];
    float logit = 0;
    generals_value(body, state, value);
    for (int i = 0; i < VALUE_WEIGHTS; i++) {
        decision->value[i] = (float)value[i] / 64;
        logit += trainer->learners[MAIN].weights.value[i] * decision->value[i];
    }
    decision->chance = sigmoid(logit);
    decision->seat = seat;
    decision->learner = learns ? (int8_t)player->learner : -1;
    return list[drawn];
}

/* What follows from the result, 1 won for seat 0: advantages, summed up with less and less weight.
 * The value is the main player's, whoever else learns. */
static void learn_from(TrainJob *job, uint32_t count, float result) {
    Sums *sums = job->trainer->sums[job->own];
    float ahead = 0, next = result;
    for (uint32_t i = count; i-- > 0;) {
        const Decision *decision = &job->decisions[i];
        ahead = next - decision->chance + 0.95f * ahead;
        next = decision->chance;
        float error = result - decision->chance, sign = decision->seat == 0 ? 1 : -1;
        for (int k = 0; k < VALUE_WEIGHTS; k++)
            sums[MAIN].value[k] += error * decision->value[k];
        sums[MAIN].loss += error * error;
        for (int k = 0; decision->learner >= 0 && k < ACT_WEIGHTS; k++)
            sums[decision->learner].act[k] += sign * ahead * decision->act[k];
    }
}

/* Plays a match; returns half points of seat 0. */
static int play(TrainJob *job, TrainSeat seats[2], MashChance *chance) {
    const MashContent *content = job->trainer->contents[MAIN];
    GeneralsState state;
    MashSetup setup = {.options_count = 0};
    bool places[2];
    uint32_t count = 0;
    if (content->game->setup(content, &setup, chance, &state) != MASH_OK)
        abort();
    for (uint8_t seat = 0; seat < 2; seat++) {
        places[seat] = seats[seat].learner >= 0 && seats[seat].set_up == 0;
        place(&seats[seat], seat, &state, chance, places[seat] ? job->sets[seat] : NULL,
              3 * job->trainer->entropy, sums_of(job, &seats[seat]));
    }
    while (!state.common.over) {
        Decision *decision = count < DECISIONS_MAX ? &job->decisions[count++] : NULL;
        MashAction action = choose(job, &seats[state.mover], &state, chance, decision);
        apply(content, &state, action, chance);
    }
    uint8_t winner = state.common.winner;
    float result = winner == MASH_SEAT_NONE ? 0.5f : winner == 0 ? 1 : 0;
    learn_from(job, count, result);
    for (uint8_t seat = 0; seat < 2; seat++)
        for (int k = 0; places[seat] && k < SET_WEIGHTS; k++)
            sums_of(job, &seats[seat])->set[k] +=
                (seat == 0 ? result - 0.5f : 0.5f - result) * job->sets[seat][k];
    job->trainer->sums[job->own][MAIN].turns += state.round;
    return winner == MASH_SEAT_NONE ? 1 : winner == 0 ? 2 : 0;
}

/* A set-up that nobody learned: beliefs must know others, too. */
static int draw_strange_set_up(MashChance *chance) {
    uint32_t drawn = chance_below(chance, 28);
    return drawn < 15 ? 1 : drawn < 25 ? 2 : 3;
}

/* Who meets the main player: MAIN, EXPLOITER, or LEARNERS + a place on the shelf. */
static uint32_t draw_opponent(const Trainer *trainer, MashChance *chance) {
    const Shares *shares = &trainer->shares;
    uint32_t drawn = chance_below(chance, 100);
    if (trainer->responds)
        return LEARNERS;
    if (drawn < shares->exploiter)
        return EXPLOITER;
    drawn -= shares->exploiter;
    if (drawn < shares->exploiters && trainer->exploiters > 0)
        return LEARNERS + SELVES + chance_below(chance, trainer->exploiters);
    drawn -= shares->exploiters;
    if (drawn < shares->selves)
        return LEARNERS + chance_below(chance, trainer->selves);
    return MAIN;
}

/* A match of a batch. */
static void play_one(TrainJob *job, uint32_t number) {
    Trainer *trainer = job->trainer;
    Sums *sums = &trainer->sums[job->own][MAIN];
    static _Thread_local TrainSeat seats[2];
    MashChance chance =
        chance_sampled(hash_number(hash_number(trainer->seed, trainer->batch), number));
    uint32_t other = draw_opponent(trainer, &chance);
    uint8_t guest = (uint8_t)(number & 1);
    bool strange = other == MAIN && chance_below(&chance, 100) < trainer->shares.strange;
    for (uint8_t seat = 0; seat < 2; seat++) {
        uint32_t who = seat == guest ? other : MAIN;
        bool learns = who < LEARNERS && !(strange && seat == guest);
        seats[seat].weights =
            who < LEARNERS ? &trainer->learners[who].weights : &trainer->shelf[who - LEARNERS];
        seats[seat].content = trainer->contents[who];
        seats[seat].learner = learns ? (int)who : -1;
        seats[seat].set_up = strange && seat == guest ? draw_strange_set_up(&chance) : 0;
    }
    int got = play(job, seats, &chance);
    double main_got = (guest == 1 ? got : 2 - got) / 2.0;
    got == 1 ? sums->drawn++ : got == 2 ? sums->won++ : sums->lost++;
    if (other == LEARNERS) {
        sums->against++;
        sums->against_won += main_got;
    } else if (other == EXPLOITER) {
        sums->exploited++;
        sums->exploited_won += 1 - main_got;
    }
}

void train_run_batch(TrainJob *job) {
    Trainer *trainer = job->trainer;
    memset(trainer->sums[job->own], 0, sizeof trainer->sums[job->own]);
    for (;;) {
        uint32_t number = atomic_fetch_add(&trainer->next, 1);
        if (number >= BATCH)
            return;
        play_one(job, number);
    }
}
