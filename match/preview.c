/* preview.c -- see preview.h.
 *
 * Each outcome has a weight: of enumerated outcomes its probability in fixed point, of samples 1.
 * Everything that is told is a sum of weights, and certain only if it happened in every outcome. */
#include "match/preview.h"

#include <string.h>

enum { WEIGHT_BITS = 40, GUESS_SEED = 1218 };

/* A sum of weights, and in how many outcomes. */
typedef struct Tally {
    uint64_t weight;
    uint32_t times;
} Tally;

/* The sums of one unit. */
typedef struct UnitTally {
    int64_t weighted; /* health afterwards times weight */
    int32_t least, most;
    Tally dies;
} UnitTally;

/* The work on one action. */
typedef struct PreviewTrial {
    const MashContent *content;
    const void *view;
    MashAction action;
    void *state;             /* the copy, after an outcome the state it led to */
    MashEvents events;       /* of the outcome */
    int32_t *before, *after; /* health of each unit, HEALTH_NONE without any */
    bool *falls;             /* in the outcome */
    UnitTally *units;
    Tally *happens; /* of the events of the first outcome */
    Tally wins, loses;
    uint64_t weight; /* of all outcomes */
    uint32_t outcomes;
} PreviewTrial;
enum { HEALTH_NONE = INT32_MIN };

/* Lays everything out in the memory; returns its size. */
static size_t lay_out(const MashContent *content, void *memory, PreviewTrial *trial, Preview *out) {
    const MashLimits *limits = &content->limits;
    Lender lender = {memory, 0};
    trial->state = lend(&lender, limits->state_bytes);
    out->after = lend(&lender, limits->state_bytes);
    trial->events.list = lend(&lender, limits->events_max * sizeof(MashEvent));
    out->events.list = lend(&lender, limits->events_max * sizeof(MashEvent));
    trial->events.max = out->events.max = limits->events_max;
    trial->happens = lend(&lender, limits->events_max * sizeof(Tally));
    out->happens = lend(&lender, limits->events_max * sizeof *out->happens);
    trial->before = lend(&lender, limits->units * sizeof(int32_t));
    trial->after = lend(&lender, limits->units * sizeof(int32_t));
    trial->falls = lend(&lender, limits->units * sizeof(bool));
    trial->units = lend(&lender, limits->units * sizeof(UnitTally));
    out->was = mash_board_lend(content, &lender);
    out->then = mash_board_lend(content, &lender);
    if (memory != NULL)
        memset(memory, 0, lender.used);
    return lender.used;
}

size_t preview_bytes(const MashContent *content) {
    PreviewTrial trial = {0};
    Preview out;
    return lay_out(content, NULL, &trial, &out);
}

/* The health of each unit on a board. */
static void read_health(const MashContent *content, const MashBoard *board, int32_t *health) {
    for (uint32_t unit = 0; unit < content->limits.units; unit++)
        health[unit] = HEALTH_NONE;
    for (uint32_t i = 0; i < board->meters_count; i++) {
        const MashMeter *meter = &board->meters[i];
        if (meter->role == MASH_ROLE_HEALTH && meter->unit < content->limits.units)
            health[meter->unit] = meter->now;
    }
}

static void tally_add(Tally *tally, uint64_t weight) {
    tally->weight += weight;
    tally->times++;
}

/* A probability in thousandths: 0 only for what never happened, 1000 only for what always did. */
static uint32_t thousandths(const PreviewTrial *trial, Tally tally) {
    if (tally.times == 0 || tally.times == trial->outcomes)
        return tally.times == 0 ? 0 : PREVIEW_CERTAIN;
    uint64_t odds = (tally.weight * PREVIEW_CERTAIN + trial->weight / 2) / trial->weight;
    return odds < 1 ? 1 : odds >= PREVIEW_CERTAIN ? PREVIEW_CERTAIN - 1 : (uint32_t)odds;
}

/* Are two events the same, whatever the amount? */
static bool same_fact(const MashEvent *one, const MashEvent *two) {
    return one->kind == two->kind && one->seen_by == two->seen_by && one->unit == two->unit &&
           one->other == two->other && one->x == two->x && one->y == two->y &&
           one->what == two->what;
}

/* Counts which events of the first outcome happen in this one, too. */
static void count_events(PreviewTrial *trial, const Preview *out, uint64_t weight) {
    for (uint32_t i = 0; i < out->events.count; i++)
        for (uint32_t k = 0; k < trial->events.count; k++)
            if (same_fact(&out->events.list[i], &trial->events.list[k])) {
                tally_add(&trial->happens[i], weight);
                break;
            }
}

/* Which units fall in this outcome and do not come back in it. */
static void find_fallen(PreviewTrial *trial) {
    uint32_t units = trial->content->limits.units;
    memset(trial->falls, 0, units * sizeof *trial->falls);
    for (uint32_t i = 0; i < trial->events.count; i++) {
        const MashEvent *event = &trial->events.list[i];
        if (event->unit < units &&
            (event->kind == MASH_EVENT_DIED || event->kind == MASH_EVENT_REVIVED))
            trial->falls[event->unit] = event->kind == MASH_EVENT_DIED;
    }
}

/* Adds what became of each unit. A unit without health any more has none left. */
static void count_units(PreviewTrial *trial, uint64_t weight) {
    for (uint32_t unit = 0; unit < trial->content->limits.units; unit++) {
        UnitTally *tally = &trial->units[unit];
        int32_t health = trial->after[unit] == HEALTH_NONE ? 0 : trial->after[unit];
        if (trial->outcomes == 0 || health < tally->least)
            tally->least = health;
        if (trial->outcomes == 0 || health > tally->most)
            tally->most = health;
        tally->weighted += (int64_t)weight * health;
        if (trial->falls[unit])
            tally_add(&tally->dies, weight);
    }
}

/* Applies the action to the copy and adds what happened. */
static void add_outcome(PreviewTrial *trial, MashChance *chance, uint64_t weight, Preview *out) {
    const MashContent *content = trial->content;
    trial->events.count = 0;
    content->game->apply_listed(content, trial->state, trial->action, chance, &trial->events);
    if (chance->source == MASH_CHANCE_ENUMERATED)
        for (uint32_t i = 0; i < chance->used; i++)
            weight /= chance->wheels[i].values;
    content->game->show(content, trial->state, &out->then);
    read_health(content, &out->then, trial->after);
    find_fallen(trial);
    if (trial->outcomes == 0) {
        memcpy(out->after, trial->state, content->limits.state_bytes);
        memcpy(out->events.list, trial->events.list, trial->events.count * sizeof(MashEvent));
        out->events.count = trial->events.count;
    }
    count_events(trial, out, weight);
    count_units(trial, weight);
    MashResult result = content->game->result(content, trial->state);
    if (result.over && result.winner < MASH_SEATS)
        tally_add(result.winner == trial->action.seat ? &trial->wins : &trial->loses, weight);
    trial->weight += weight;
    trial->outcomes++;
}

/* Forgets all outcomes. */
static void forget(PreviewTrial *trial) {
    const MashLimits *limits = &trial->content->limits;
    memset(trial->happens, 0, limits->events_max * sizeof *trial->happens);
    memset(trial->units, 0, limits->units * sizeof *trial->units);
    trial->wins = trial->loses = (Tally){0, 0};
    trial->weight = trial->outcomes = 0;
}

/* Counts all outcomes. False: there are too many. */
static bool enumerate(PreviewTrial *trial, Preview *out) {
    MashWheel wheels[PREVIEW_DRAWS_MAX];
    MashChance chance = chance_enumerated(wheels, PREVIEW_DRAWS_MAX);
    forget(trial);
    do {
        if (trial->outcomes == PREVIEW_OUTCOMES_MAX)
            return false;
        memcpy(trial->state, trial->view, trial->content->limits.state_bytes);
        add_outcome(trial, &chance, UINT64_C(1) << WEIGHT_BITS, out);
        if (chance.failed)
            return false;
    } while (chance_next(&chance));
    return true;
}

/* Makes the copy a state that the seat's view could be; true if that fills anything in. */
static bool guess(PreviewTrial *trial, MashChance *chance) {
    const MashContent *content = trial->content;
    memcpy(trial->state, trial->view, content->limits.state_bytes);
    if (content->game->guess == NULL)
        return false;
    content->game->guess(content, trial->state, trial->action.seat, chance);
    return memcmp(trial->state, trial->view, content->limits.state_bytes) != 0;
}

/* Looks at so many samples of what is hidden and of chance. */
static void sample(PreviewTrial *trial, uint32_t samples, Preview *out) {
    forget(trial);
    for (uint32_t i = 0; i < samples; i++) {
        MashChance chance = chance_sampled(GUESS_SEED + i);
        guess(trial, &chance);
        add_outcome(trial, &chance, 1, out);
    }
}

/* Writes down those units that lose or gain health or fall. */
static void tell_units(const PreviewTrial *trial, Preview *out) {
    for (uint32_t unit = 0; unit < trial->content->limits.units; unit++) {
        const UnitTally *tally = &trial->units[unit];
        bool has_health = trial->before[unit] != HEALTH_NONE;
        int32_t before = has_health ? trial->before[unit] : 0;
        bool changes = has_health && (tally->least != before || tally->most != before);
        if (!changes && tally->dies.times == 0)
            continue;
        int64_t weight = (int64_t)trial->weight;
        out->units[out->units_count++] = (PreviewUnit){
            .unit = (uint8_t)unit,
            .has_health = has_health,
            .before = before,
            .least = has_health ? tally->least : 0,
            .most = has_health ? tally->most : 0,
            .mean = has_health ? (int32_t)((tally->weighted + weight / 2) / weight) : 0,
            .dies = thousandths(trial, tally->dies)};
    }
}

MashStatus preview_action(const MashContent *content, const void *view, MashAction action,
                          uint32_t samples, void *memory, Preview *out) {
    MashStatus status = content->game->check(content, view, action);
    if (status != MASH_OK)
        return status;
    PreviewTrial trial = {.content = content, .view = view, .action = action};
    memset(out, 0, sizeof *out);
    lay_out(content, memory, &trial, out);
    content->game->show(content, view, &out->was);
    read_health(content, &out->was, trial.before);
    MashChance chance = chance_sampled(GUESS_SEED);
    out->sampled = guess(&trial, &chance) || !enumerate(&trial, out);
    if (out->sampled)
        sample(&trial, samples, out);
    content->game->show(content, out->after, &out->then);
    tell_units(&trial, out);
    for (uint32_t i = 0; i < out->events.count; i++)
        out->happens[i] = thousandths(&trial, trial.happens[i]);
    out->outcomes = trial.outcomes;
    out->wins = thousandths(&trial, trial.wins);
    out->loses = thousandths(&trial, trial.loses);
    return MASH_OK;
}
