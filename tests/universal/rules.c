/* rules.c -- the universal test's part about rules: results, views, lists, actions, arbitrary
 * requests. */
#include <string.h>

#include "tests/universal/trial.h"

enum {
    REQUESTS = 20,  /* per step */
    LONG_LIST = 64, /* from this length on not every action is tried ... */
    SAMPLES = 32,   /* ... but this many */
    ALL_EVERY = 50, /* ... except at every fiftieth step */
    CLOSELY_ONCE_IN = 6,
    WISHES_OVER = 40, /* once a match is over */
};

/* --- Results ---------------------------------------------------------------------------------- */

static bool same_result(MashResult a, MashResult b) {
    return a.over == b.over && a.winner == b.winner && a.reason == b.reason;
}

/* A seat's own view contains all about waiting that the seat must know. */
static void result_of_view(Trial *trial, uint32_t number, uint32_t awaited, MashResult result) {
    const void *view = trial->views[number];
    uint32_t seen = trial->game->awaited(trial->content, view);
    REQUIRE(trial, (seen == 0) == (awaited == 0), "view %u differs in whether the match goes on",
            number);
    REQUIRE(trial, number == WATCHER || (seen >> number & 1) == (awaited >> number & 1),
            "view %u differs in whether its seat is awaited", number);
    REQUIRE(trial, same_result(trial->game->result(trial->content, view), result),
            "view %u differs in the result", number);
}

void universal_result(Trial *trial) {
    uint32_t awaited = trial->game->awaited(trial->content, trial->state);
    MashResult result = trial->game->result(trial->content, trial->state);
    REQUIRE(trial, awaited < 1u << MASH_SEATS, "awaited() is %u: there is no such seat", awaited);
    REQUIRE(trial, result.over == (awaited == 0), "over is %d but awaited() is %u", result.over,
            awaited);
    REQUIRE(trial, result.winner < MASH_SEATS || result.winner == MASH_SEAT_NONE,
            "winner %d is no seat", result.winner);
    REQUIRE(trial, result.over || result.winner == MASH_SEAT_NONE,
            "seat %d has won a match that goes on", result.winner);
    REQUIRE(trial, result.over == (result.reason != MASH_REASON_NONE),
            "over is %d but the reason is %d", result.over, result.reason);
    universal_name(trial, MASH_NAME_REASON, result.reason, "why the match ended");
    for (uint32_t number = 0; number < VIEWS; number++)
        result_of_view(trial, number, awaited, result);
}

/* --- Views ------------------------------------------------------------------------------------ */

void universal_view(Trial *trial) {
    void *again = trial->copies[0];
    for (uint32_t number = 0; number < VIEWS; number++) {
        void *view = trial->views[number];
        trial_hide(trial, view, trial->state, number);
        trial_hide(trial, again, view, number);
        REQUIRE(trial, trial_same(trial, view, again), "view %u: hiding twice is not hiding once",
                number);
        REQUIRE(trial, trial->game->guess != NULL || trial_same(trial, view, trial->state),
                "view %u hides something, but the game has no guess()", number);
    }
    trial_copy(trial, again, trial->state);
    trial->game->hide(trial->content, again, (uint8_t)(MASH_SEATS + trial_draw(trial, 254)));
    REQUIRE(trial, trial_same(trial, again, trial->views[WATCHER]),
            "hide() for a number that is no seat is not hide() for a spectator");
    trial_hide(trial, again, trial->views[trial_draw(trial, MASH_SEATS)], WATCHER);
    trial_check_lent(trial);
}

/* --- Lists ------------------------------------------------------------------------------------ */

void universal_list(Trial *trial) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        trial->counts[seat] = trial_list(trial, trial->state, seat, trial->lists[seat]);
        uint32_t count = trial_list(trial, trial->views[seat], seat, trial->spare_list);
        bool same = count == trial->counts[seat] &&
                    memcmp(trial->lists[seat], trial->spare_list, count * sizeof(MashAction)) == 0;
        REQUIRE(trial, same, "seat %d may do %u things, on its view %u or others", seat,
                trial->counts[seat], count);
    }
    static const uint8_t strangers[] = {MASH_SEATS, MASH_SEAT_SERVER, MASH_SEAT_NONE};
    for (size_t i = 0; i < sizeof strangers; i++)
        trial_list(trial, trial->state, strangers[i], trial->spare_list);
    trial_check_lent(trial);
}

/* What comes after the core affects nothing: without it the same action leads to the same core. */
static void try_core(Trial *trial, MashAction action, const void *after) {
    const MashLimits *limits = &trial->content->limits;
    uint8_t *bare = trial->copies[3];
    trial_copy(trial, bare, trial->state);
    memset(bare + limits->core_bytes, 0, limits->state_bytes - limits->core_bytes);
    MashStatus status = trial_apply(trial, bare, action, trial->ply + 1, NULL);
    REQUIRE(trial, status == MASH_OK, "without what lies behind the core, a listed action is: %s",
            mash_status_id(status));
    REQUIRE(trial, memcmp(bare, after, limits->core_bytes) == 0,
            "what lies behind the core decides about the core");
}

/* A listed action is applied and accepted, on the seat's view too; checked first, it has the same
 * effect, and in some samples also without events and without statistics. It is applied before
 * anything checks it: apply_listed() must not rely on what check() found. */
static void try_action(Trial *trial, MashAction action) {
    void *told = trial->copies[0], *untold = trial->copies[1];
    trial_copy(trial, told, trial->state);
    trial_apply_listed(trial, told, action, &trial->events);
    REQUIRE(trial, trial->events.count <= trial->events.max, "%u events, more than events_max",
            trial->events.count);
    MashStatus status = trial->game->check(trial->content, trial->state, action);
    REQUIRE(trial, status == MASH_OK, "check() refuses a listed action: %s",
            mash_status_id(status));
    status = trial->game->check(trial->content, trial->views[action.seat], action);
    REQUIRE(trial, status == MASH_OK, "check() on the view refuses a listed action: %s",
            mash_status_id(status));
    trial_agrees(trial, trial->state, action, told);
    if (!trial_once_in(trial, CLOSELY_ONCE_IN))
        return;
    trial_copy(trial, untold, trial->state);
    trial_apply_listed(trial, untold, action, NULL);
    REQUIRE(trial, trial_same(trial, told, untold),
            "an action does something else when nobody wants the events");
    try_core(trial, action, told);
}

void universal_action(Trial *trial) {
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        uint32_t count = trial->counts[seat];
        bool all = count <= LONG_LIST || trial->ply % ALL_EVERY == ALL_EVERY - 1;
        for (uint32_t i = 0; i < (all ? count : SAMPLES); i++)
            try_action(trial, trial->lists[seat][all ? i : trial_draw(trial, count)]);
    }
    trial_check_lent(trial);
}

/* --- Arbitrary requests ----------------------------------------------------------------------- */

/* One request: check() and apply() agree, on the state and on the view of the requesting seat;
 * refused, it changes nothing; accepted, it is one of the listed actions. */
static MashStatus try_request(Trial *trial, MashAction request) {
    void *copy = trial->copies[0];
    trial->action = request;
    MashStatus judged = trial->game->check(trial->content, trial->state, request);
    trial_copy(trial, copy, trial->state);
    MashStatus status = trial_apply(trial, copy, request, trial->ply + 1, &trial->events);
    REQUIRE(trial, judged == status, "check() says %s, apply() says %s", mash_status_id(judged),
            mash_status_id(status));
    if (request.seat < MASH_SEATS) {
        judged = trial->game->check(trial->content, trial->views[request.seat], request);
        REQUIRE(trial, judged == status, "check() says %s on the state, %s on the view",
                mash_status_id(status), mash_status_id(judged));
    }
    if (status != MASH_OK) {
        REQUIRE(trial, trial_same(trial, copy, trial->state),
                "a refused request changed the state");
        REQUIRE(trial, trial->events.count == 0, "a refused request told %u events",
                trial->events.count);
    } else if (request.verb < MASH_VERB_RESIGN) {
        REQUIRE(trial,
                request.seat < MASH_SEATS &&
                    trial_listed(trial->lists[request.seat], trial->counts[request.seat], request),
                "a request that is not listed was accepted");
    }
    return status;
}

void universal_unlisted(Trial *trial) {
    for (int i = 0; i < REQUESTS; i++)
        try_request(trial, trial_random_action(trial));
    trial_check_lent(trial);
}

/* Once over, always over: nothing is listed and everything is refused with that reason. */
void universal_over(Trial *trial) {
    MashAction requests[WISHES_OVER];
    uint32_t count = 0;
    for (int verb = MASH_VERB_RESIGN; verb <= MASH_VERB_FORFEIT; verb++)
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
            requests[count++] =
                verb < MASH_VERB_TIME_OVER
                    ? (MashAction){.verb = (uint8_t)verb, .seat = seat}
                    : (MashAction){.verb = (uint8_t)verb,
                                   .seat = MASH_SEAT_SERVER,
                                   .other = seat,
                                   .amount = verb == MASH_VERB_FORFEIT ? MASH_REASON_LEFT : 0};
    requests[count++] = trial->action;
    while (count < WISHES_OVER)
        requests[count++] = trial_random_action(trial);
    for (uint32_t i = 0; i < WISHES_OVER; i++) {
        MashStatus status = try_request(trial, requests[i]);
        REQUIRE(trial, status == MASH_MATCH_OVER, "after the end a request is answered with %s",
                mash_status_id(status));
    }
    trial_check_lent(trial);
}
