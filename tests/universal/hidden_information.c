/* hidden_information.c -- the universal test's part about hidden information: in two states that
 * differ only in what a seat may not know, that seat's legal lists and refusals are always equal,
 * and its views and events are equal as long as the public outcomes are.
 *
 * Such states come from guess(), and from letting the other seat make different actions that reveal
 * nothing, or the same, to the seat. */
#include <string.h>

#include "tests/universal/trial.h"

enum {
    SAMPLES = 3, /* guesses per view */
    REQUESTS = 6,
    TRIES = 8,
    /* For how many actions two states are played in parallel: mostly a few, but many from the
     * beginning of a match and now and then later. */
    DRIVE_SHORT = 12,
    DRIVE_LONG = 300,
    LONG_BEFORE = 4,
    LONG_ONCE_IN = 32,
};

/* Two states that `seat` must not be able to tell apart. */
typedef struct StatePair {
    uint8_t seat;
    void *one, *other;
    const char *made; /* how, for the report */
} StatePair;

/* --- Comparing -------------------------------------------------------------------------------- */

static void same_views(Trial *trial, const StatePair *pair) {
    void *one = trial->copies[3], *other = trial->copies[4];
    trial_hide(trial, one, pair->one, pair->seat);
    trial_hide(trial, other, pair->other, pair->seat);
    REQUIRE(trial, trial_same(trial, one, other), "%s: seat %d's views of two states differ",
            pair->made, pair->seat);
}

/* Lists must be equal; what is left in trial->spare_list is the common one. */
static uint32_t same_lists(Trial *trial, const StatePair *pair) {
    uint8_t seat = pair->seat;
    uint32_t count = trial_list(trial, pair->one, seat, trial->spare_list);
    MashAction *other = (MashAction *)(void *)trial->hashes;
    REQUIRE(trial, trial_list(trial, pair->other, seat, other) == count,
            "%s: seat %d may do more in one state than in the other", pair->made, seat);
    REQUIRE(trial, memcmp(trial->spare_list, other, count * sizeof *other) == 0,
            "%s: seat %d may do other things in one state than in the other", pair->made, seat);
    return count;
}

/* Requests of the seat, legal at the beginning, nearly legal or random, are answered equally. */
static void same_refusals(Trial *trial, const StatePair *pair) {
    for (int i = 0; i < REQUESTS; i++) {
        MashAction request = trial_random_action(trial);
        request.seat = pair->seat;
        trial->action = request;
        MashStatus one = trial->game->check(trial->content, pair->one, request);
        MashStatus other = trial->game->check(trial->content, pair->other, request);
        REQUIRE(trial, one == other, "%s: seat %d is told %s in one state and %s in the other",
                pair->made, pair->seat, mash_status_id(one), mash_status_id(other));
    }
}

static void same_results(Trial *trial, const StatePair *pair) {
    MashResult one = trial->game->result(trial->content, pair->one);
    MashResult other = trial->game->result(trial->content, pair->other);
    REQUIRE(
        trial, one.over == other.over && one.winner == other.winner && one.reason == other.reason,
        "%s: seat %d sees the same, but two states differ in the result", pair->made, pair->seat);
}

static uint32_t compare_states(Trial *trial, const StatePair *pair) {
    trial->report->pairs++;
    same_views(trial, pair);
    same_results(trial, pair);
    same_refusals(trial, pair);
    return same_lists(trial, pair);
}

/* Did the seat get the same events in both states? Then nothing public distinguishes them. */
static bool same_told(const Trial *trial, uint32_t number) {
    uint32_t i = 0, j = 0;
    const MashEvents *one = &trial->events, *other = &trial->other_events;
    while (true) {
        while (i < one->count && !trial_sees(&one->list[i], number))
            i++;
        while (j < other->count && !trial_sees(&other->list[j], number))
            j++;
        if (i == one->count || j == other->count)
            return i == one->count && j == other->count;
        MashEvent a = one->list[i++], b = other->list[j++];
        a.seen_by = b.seen_by; /* who else sees it is not part of the event */
        if (memcmp(&a, &b, sizeof a) != 0)
            return false;
    }
}

/* --- Playing in parallel ---------------------------------------------------------------------- */

/* Applies a listed action to each of two states, the second perhaps with another random outcome;
 * did the seat get the same events in both? */
static bool apply_both(Trial *trial, void *one, MashAction first, void *other, MashAction second,
                       uint32_t ply, uint32_t other_ply, uint8_t seat) {
    MashStatus status = trial_apply(trial, one, first, ply, &trial->events);
    REQUIRE(trial, status == MASH_OK, "in a possible state, a listed action is refused: %s",
            mash_status_id(status));
    status = trial_apply(trial, other, second, other_ply, &trial->other_events);
    REQUIRE(trial, status == MASH_OK, "in a possible state, a listed action is refused: %s",
            mash_status_id(status));
    return same_told(trial, seat);
}

static MashAction any_action(Trial *trial, const void *state, uint8_t seat) {
    uint32_t count = trial_list(trial, state, seat, trial->spare_list);
    return trial->spare_list[trial_draw(trial, count)];
}

/* An action with the same target as this one: another piece put on the same cell looks the same to
 * the opponent. Where there is none, or once in a while, any. */
static MashAction like_action(Trial *trial, const void *state, MashAction action) {
    uint32_t count = trial_list(trial, state, action.seat, trial->spare_list), alike = 0;
    MashAction found = trial->spare_list[trial_draw(trial, count)];
    if (trial_once_in(trial, 8 * DRIVE_LONG))
        return found;
    for (uint32_t i = 0; i < count; i++) {
        MashAction other = trial->spare_list[i];
        if (other.verb != action.verb || other.x != action.x || other.y != action.y)
            continue;
        alike++;
        if (trial_once_in(trial, alike))
            found = other;
    }
    return found;
}

/* The other seat acts differently in each state, perhaps with different random outcomes: if the
 * seat gets the same events, it must still not be able to tell the states apart. */
static bool part_in_secret(Trial *trial, const StatePair *pair, uint32_t ply) {
    uint8_t opponent = (uint8_t)(1 - pair->seat);
    void *one = trial->copies[5], *other = trial->copies[6];
    trial_copy(trial, one, pair->one);
    trial_copy(trial, other, pair->other);
    MashAction first = any_action(trial, one, opponent);
    MashAction second = like_action(trial, other, first);
    uint32_t other_ply = trial_once_in(trial, 2) ? ply : ply + 100000;
    if (!apply_both(trial, one, first, other, second, ply, other_ply, pair->seat))
        return false;
    trial_copy(trial, pair->one, one);
    trial_copy(trial, pair->other, other);
    return true;
}

/* The other seat makes the same action in both states: one that is legal in both, if there is
 * one. */
static bool go_together(Trial *trial, const StatePair *pair, uint32_t ply) {
    for (int i = 0; i < TRIES; i++) {
        MashAction action = any_action(trial, pair->one, (uint8_t)(1 - pair->seat));
        if (trial->game->check(trial->content, pair->other, action) == MASH_OK)
            return apply_both(trial, pair->one, action, pair->other, action, ply, ply, pair->seat);
    }
    return false;
}

/* One action in each state, `own_count` being how many the seat has. False: the states now differ
 * publicly, or cannot continue. */
static bool advance(Trial *trial, const StatePair *pair, uint32_t own_count, uint32_t ply) {
    uint32_t awaited = trial->game->awaited(trial->content, pair->one) &
                       trial->game->awaited(trial->content, pair->other);
    bool other_waits = awaited >> (1 - pair->seat) & 1;
    if (own_count > 0 && (!other_waits || trial_once_in(trial, 2))) {
        MashAction action = trial->spare_list[trial_draw(trial, own_count)];
        return apply_both(trial, pair->one, action, pair->other, action, ply, ply, pair->seat);
    }
    if (!other_waits)
        return false;
    if (trial_once_in(trial, 2) && part_in_secret(trial, pair, ply))
        return true;
    return go_together(trial, pair, ply);
}

/* Plays both states in parallel and compares them at each step, until the public outcomes
 * differ. */
static void drive(Trial *trial, const StatePair *pair) {
    bool far = trial->ply < LONG_BEFORE || trial_once_in(trial, LONG_ONCE_IN);
    uint32_t own_count = compare_states(trial, pair);
    for (uint32_t step = 1; step <= (far ? DRIVE_LONG : DRIVE_SHORT); step++) {
        if (!advance(trial, pair, own_count, trial->ply + step))
            return;
        own_count = compare_states(trial, pair);
    }
}

/* --- Making states ---------------------------------------------------------------------------- */

static void guess_into(Trial *trial, void *state, uint8_t seat, uint64_t number) {
    MashChance chance = chance_sampled(number);
    trial_copy(trial, state, trial->views[seat]);
    trial->game->guess(trial->content, state, seat, &chance);
}

/* States that are possible as far as the seat knows. Each must look the same to it as the real one
 * and be a match that can be played to its end. */
static void guess_states(Trial *trial, uint8_t seat) {
    StatePair pair = {.seat = seat,
                      .one = trial->copies[0],
                      .other = trial->copies[1],
                      .made = "a guessed state"};
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t number = trial_draw(trial, UINT32_MAX);
        guess_into(trial, pair.other, seat, number);
        guess_into(trial, trial->copies[2], seat, number);
        REQUIRE(trial, trial_same(trial, pair.other, trial->copies[2]),
                "guess() for seat %d gives different states by the same chance", seat);
        trial_copy(trial, pair.one, trial->state);
        drive(trial, &pair);
    }
    guess_into(trial, pair.other, seat, trial_draw(trial, UINT32_MAX));
    trial_play_out(trial, pair.other, trial->content->limits.length_max, "a guessed state");
}

/* The other seat makes two different actions. If the seat gets no events, its view is unchanged; if
 * it gets the same events, it must not see a difference. */
static void split_states(Trial *trial, uint8_t seat) {
    uint8_t opponent = (uint8_t)(1 - seat);
    uint32_t count = trial->counts[opponent];
    if (count == 0)
        return;
    StatePair pair = {.seat = seat,
                      .one = trial->copies[0],
                      .other = trial->copies[1],
                      .made = "the other seat did two different things"};
    MashAction one = trial->lists[opponent][trial_draw(trial, count)];
    MashAction other = like_action(trial, trial->state, one);
    trial_copy(trial, pair.one, trial->state);
    trial_copy(trial, pair.other, trial->state);
    trial_apply(trial, pair.other, other, trial->ply + 1, &trial->other_events);
    trial_apply(trial, pair.one, one, trial->ply + 1, &trial->events);
    bool told = false;
    for (uint32_t i = 0; i < trial->events.count; i++)
        told = told || trial_sees(&trial->events.list[i], seat);
    if (!told) {
        trial_hide(trial, trial->copies[2], pair.one, seat);
        REQUIRE(trial, trial_same(trial, trial->copies[2], trial->views[seat]),
                "an action of seat %d told seat %d nothing but changed its view", opponent, seat);
    }
    if (same_told(trial, seat))
        drive(trial, &pair);
}

void universal_hidden_information(Trial *trial) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        split_states(trial, seat);
        if (!trial_same(trial, trial->views[seat], trial->state))
            guess_states(trial, seat);
    }
    trial_check_lent(trial);
}
