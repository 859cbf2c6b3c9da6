/* every_worlds.c -- the universal test's part about hidden facts, to the letter: in two worlds that
 * differ only in what a seat may not know, that seat's legal lists and refusals are always equal,
 * and its views and events are equal as long as the public outcomes are.
 *
 * Such worlds come from guess(), and from letting the other seat do different things that tell the
 * seat nothing or the same. */
#include <string.h>

#include "tests/every_trial.h"

enum {
    SAMPLES = 3,    /* guesses for each view */
    DRIVE_MAX = 12, /* actions for which two worlds are kept side by side */
    WISHES = 6,
    TRIES = 8,
};

/* Two worlds that `seat` must not be able to tell apart. */
typedef struct Worlds {
    uint8_t seat;
    void *one, *other;
    const char *made; /* how, for the report */
} Worlds;

/* --- Comparing -------------------------------------------------------------------------------- */

static void same_views(Trial *trial, const Worlds *worlds) {
    void *one = trial->copies[3], *other = trial->copies[4];
    trial_hide(trial, one, worlds->one, worlds->seat);
    trial_hide(trial, other, worlds->other, worlds->seat);
    PROMISE(trial, trial_same(trial, one, other), "%s: seat %d's views of two worlds differ",
            worlds->made, worlds->seat);
}

/* Lists must be equal; what is left in trial->spare_list is the common one. */
static uint32_t same_lists(Trial *trial, const Worlds *worlds) {
    uint8_t seat = worlds->seat;
    uint32_t count = trial_list(trial, worlds->one, seat, trial->spare_list);
    MashAction *other = (MashAction *)(void *)trial->hashes;
    PROMISE(trial, trial_list(trial, worlds->other, seat, other) == count,
            "%s: seat %d may do more in one world than in the other", worlds->made, seat);
    PROMISE(trial, memcmp(trial->spare_list, other, count * sizeof *other) == 0,
            "%s: seat %d may do other things in one world than in the other", worlds->made, seat);
    return count;
}

/* Wishes of the seat, legal at the beginning, nearly so or mad, are answered alike. */
static void same_refusals(Trial *trial, const Worlds *worlds) {
    for (int i = 0; i < WISHES; i++) {
        MashAction wish = trial_wish(trial);
        wish.seat = worlds->seat;
        trial->action = wish;
        MashStatus one = trial->game->check(trial->content, worlds->one, wish);
        MashStatus other = trial->game->check(trial->content, worlds->other, wish);
        PROMISE(trial, one == other, "%s: seat %d is told %s in one world and %s in the other",
                worlds->made, worlds->seat, mash_status_name(one), mash_status_name(other));
    }
}

static void same_results(Trial *trial, const Worlds *worlds) {
    MashResult one = trial->game->result(trial->content, worlds->one);
    MashResult other = trial->game->result(trial->content, worlds->other);
    PROMISE(trial,
            one.over == other.over && one.winner == other.winner && one.reason == other.reason,
            "%s: seat %d sees the same, but two worlds differ in the result", worlds->made,
            worlds->seat);
}

static uint32_t compare_worlds(Trial *trial, const Worlds *worlds) {
    trial->report->worlds++;
    same_views(trial, worlds);
    same_results(trial, worlds);
    same_refusals(trial, worlds);
    return same_lists(trial, worlds);
}

/* Was the seat told the same in both worlds? Then nothing public sets them apart. */
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
        a.seen_by = b.seen_by; /* who else sees it is no part of what is told */
        if (memcmp(&a, &b, sizeof a) != 0)
            return false;
    }
}

/* --- Driving on ------------------------------------------------------------------------------- */

/* An action for each world: the seat's own from the common list, the other's one that is legal in
 * both worlds or, now and then, any in each. False: there is none. */
static bool choose_for_both(Trial *trial, const Worlds *worlds, uint32_t own_count, MashAction *one,
                            MashAction *other) {
    uint8_t opponent = (uint8_t)(1 - worlds->seat);
    bool waits = (trial->game->awaited(trial->content, worlds->one) &
                  trial->game->awaited(trial->content, worlds->other)) >>
                     opponent &
                 1;
    if (own_count > 0 && (!waits || trial_once_in(trial, 2))) {
        *one = *other = trial->spare_list[trial_draw(trial, own_count)];
        return true;
    }
    if (!waits)
        return false;
    uint32_t count = trial_list(trial, worlds->one, opponent, trial->spare_list);
    *one = trial->spare_list[trial_draw(trial, count)];
    if (trial_once_in(trial, 4)) {
        count = trial_list(trial, worlds->other, opponent, trial->spare_list);
        *other = trial->spare_list[trial_draw(trial, count)];
        return true;
    }
    for (int i = 0; i < TRIES; i++) {
        *other = *one;
        if (trial->game->check(trial->content, worlds->other, *one) == MASH_OK)
            return true;
        *one = trial->spare_list[trial_draw(trial, count)];
    }
    return false;
}

/* Drives both worlds on with the same actions and the same chance, comparing at each step, until
 * the public outcomes differ. */
static void drive(Trial *trial, const Worlds *worlds) {
    for (uint32_t step = 1; step <= DRIVE_MAX; step++) {
        MashAction one, other;
        uint32_t count = compare_worlds(trial, worlds);
        if (!choose_for_both(trial, worlds, count, &one, &other))
            return;
        uint32_t ply = trial->ply + step;
        MashStatus status = trial_apply(trial, worlds->one, one, ply, &trial->events);
        PROMISE(trial, status == MASH_OK, "%s: a listed action is refused: %s", worlds->made,
                mash_status_name(status));
        status = trial_apply(trial, worlds->other, other, ply, &trial->other_events);
        PROMISE(trial, status == MASH_OK, "%s: a listed action is refused: %s", worlds->made,
                mash_status_name(status));
        if (!same_told(trial, worlds->seat))
            return;
    }
    compare_worlds(trial, worlds);
}

/* --- Making worlds ---------------------------------------------------------------------------- */

static void guess_into(Trial *trial, void *world, uint8_t seat, uint64_t number) {
    MashChance chance = chance_sampled(number);
    trial_copy(trial, world, trial->views[seat]);
    trial->game->guess(trial->content, world, seat, &chance);
}

/* Worlds that might be, as far as the seat knows. Each must look to it as the real one does and be
 * a match that can be played to its end. */
static void guess_worlds(Trial *trial, uint8_t seat) {
    Worlds worlds = {.seat = seat,
                     .one = trial->copies[0],
                     .other = trial->copies[1],
                     .made = "a guessed world"};
    for (int i = 0; i < SAMPLES; i++) {
        uint64_t number = trial_draw(trial, UINT32_MAX);
        guess_into(trial, worlds.other, seat, number);
        guess_into(trial, trial->copies[2], seat, number);
        PROMISE(trial, trial_same(trial, worlds.other, trial->copies[2]),
                "guess() for seat %d gives different worlds by the same chance", seat);
        trial_copy(trial, worlds.one, trial->state);
        drive(trial, &worlds);
    }
    guess_into(trial, worlds.other, seat, trial_draw(trial, UINT32_MAX));
    trial_play_out(trial, worlds.other, trial->content->terms.length_max, "a guessed world");
}

/* The other seat does two different things. If the seat is told nothing, its view stays as it was;
 * if it is told the same, it must not see a difference. */
static void split_worlds(Trial *trial, uint8_t seat) {
    uint8_t opponent = (uint8_t)(1 - seat);
    uint32_t count = trial->counts[opponent];
    if (count == 0)
        return;
    Worlds worlds = {.seat = seat,
                     .one = trial->copies[0],
                     .other = trial->copies[1],
                     .made = "the other seat did two different things"};
    MashAction one = trial->lists[opponent][trial_draw(trial, count)];
    MashAction other = trial->lists[opponent][trial_draw(trial, count)];
    trial_copy(trial, worlds.one, trial->state);
    trial_copy(trial, worlds.other, trial->state);
    trial_apply(trial, worlds.other, other, trial->ply + 1, &trial->other_events);
    trial_apply(trial, worlds.one, one, trial->ply + 1, &trial->events);
    bool told = false;
    for (uint32_t i = 0; i < trial->events.count; i++)
        told = told || trial_sees(&trial->events.list[i], seat);
    if (!told) {
        trial_hide(trial, trial->copies[2], worlds.one, seat);
        PROMISE(trial, trial_same(trial, trial->copies[2], trial->views[seat]),
                "an action of seat %d told seat %d nothing but changed its view", opponent, seat);
    }
    if (same_told(trial, seat))
        drive(trial, &worlds);
}

void every_world(Trial *trial) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        split_worlds(trial, seat);
        if (!trial_same(trial, trial->views[seat], trial->state))
            guess_worlds(trial, seat);
    }
    trial_check_lent(trial);
}
