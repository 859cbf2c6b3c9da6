/* common_verbs.c -- the universal test's part about the verbs of every game: resigning, draws, and
 * the verbs of the server. Each is tried on a copy of the current state. */
#include "tests/universal/trial.h"

static MashAction verb_of(uint8_t verb, uint8_t seat) {
    return (MashAction){.verb = verb, .seat = seat};
}

static MashAction server_action(uint8_t verb, uint8_t about, uint8_t reason) {
    return (MashAction){.verb = verb, .seat = MASH_SEAT_SERVER, .other = about, .amount = reason};
}

/* Applies to `state` and asserts the answer. */
static void answer(Trial *trial, void *state, MashAction action, MashStatus wanted,
                   const char *what) {
    MashStatus status = trial_apply(trial, state, action, trial->ply + 1, &trial->events);
    REQUIRE(trial, status == wanted, "%s is answered with %s instead of %s", what,
            mash_status_id(status), mash_status_id(wanted));
}

/* The match must now be over with this result, and have its event. */
static void ended(Trial *trial, const void *state, uint8_t winner, uint8_t reason,
                  const char *what) {
    MashResult result = trial->game->result(trial->content, state);
    REQUIRE(trial, result.over && result.winner == winner && result.reason == reason,
            "%s: over %d, winner %d instead of %d, reason %d instead of %d", what, result.over,
            result.winner, winner, result.reason, reason);
    REQUIRE(trial, trial->game->awaited(trial->content, state) == 0, "%s: somebody is awaited",
            what);
    universal_event(trial, &trial->events, trial->state, state);
}

static void resign(Trial *trial) {
    void *state = trial->copies[0];
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        trial_copy(trial, state, trial->state);
        answer(trial, state, verb_of(MASH_VERB_RESIGN, seat), MASH_OK, "resigning");
        ended(trial, state, (uint8_t)(1 - seat), MASH_REASON_RESIGNED, "resigning");
    }
}

static void forfeit(Trial *trial) {
    void *state = trial->copies[0];
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        for (uint8_t reason = 0; reason <= MASH_REASON_GAME; reason++) {
            bool known = reason >= MASH_REASON_TIME_OVER && reason < MASH_REASON_COUNT;
            trial_copy(trial, state, trial->state);
            answer(trial, state, server_action(MASH_VERB_FORFEIT, seat, reason),
                   known ? MASH_OK : MASH_NO_SUCH_ACTION, "a forfeit");
            if (known)
                ended(trial, state, (uint8_t)(1 - seat), reason, "a forfeit");
        }
    }
    for (int verb = MASH_VERB_TIME_OVER; verb <= MASH_VERB_FORFEIT; verb++)
        answer(trial, state, (MashAction){.verb = (uint8_t)verb, .amount = MASH_REASON_LEFT},
               trial->game->result(trial->content, state).over ? MASH_MATCH_OVER
                                                               : MASH_ONLY_THE_SERVER,
               "a seat that acts as the server");
}

/* The clock: the effect is up to the game, but the match must remain one that can end. */
static void clocks(Trial *trial) {
    void *state = trial->copies[0];
    uint32_t awaited = trial->game->awaited(trial->content, trial->state);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        trial_copy(trial, state, trial->state);
        MashAction over = server_action(MASH_VERB_TIME_OVER, seat, 0);
        MashStatus status = trial_apply(trial, state, over, trial->ply + 1, &trial->events);
        REQUIRE(trial, (status == MASH_OK) == (awaited >> seat & 1),
                "the time of seat %d, which is %sawaited, is over: %s", seat,
                awaited >> seat & 1 ? "" : "not ", mash_status_id(status));
        if (status != MASH_OK)
            continue;
        universal_event(trial, &trial->events, trial->state, state);
        trial_play_out(trial, state, 2 * trial->content->limits.length_max, "after a turn's time");
    }
    trial_copy(trial, state, trial->state);
    MashAction over = server_action(MASH_VERB_OVERTIME, 0, 0);
    if (trial_apply(trial, state, over, trial->ply + 1, &trial->events) != MASH_OK)
        return;
    universal_event(trial, &trial->events, trial->state, state);
    trial_play_out(trial, state, 2 * trial->content->limits.length_max, "after a match's time");
}

/* An open offer: nobody else can offer, the other seat may accept or decline it, both outcomes have
 * events. */
static void offer_and_answer(Trial *trial, uint8_t seat) {
    void *offered = trial->copies[0], *state = trial->copies[1];
    uint8_t other = (uint8_t)(1 - seat);
    MashAction offer = verb_of(MASH_VERB_DRAW_OFFER, seat);
    MashAction accept = verb_of(MASH_VERB_DRAW_ACCEPT, other);
    MashAction decline = verb_of(MASH_VERB_DRAW_DECLINE, other);
    trial_copy(trial, offered, trial->state);
    answer(trial, offered, offer, MASH_OK, "an offer");
    universal_event(trial, &trial->events, trial->state, offered);
    answer(trial, offered, offer, MASH_DRAW_ALREADY_OFFERED, "a second offer");
    answer(trial, offered, verb_of(MASH_VERB_DRAW_ACCEPT, seat), MASH_NO_DRAW_OFFERED,
           "accepting one's own offer");
    trial_copy(trial, state, offered);
    answer(trial, state, accept, MASH_OK, "accepting");
    ended(trial, state, MASH_SEAT_NONE, MASH_REASON_AGREED, "accepting");
    trial_copy(trial, state, offered);
    answer(trial, state, decline, MASH_OK, "declining");
    universal_event(trial, &trial->events, offered, state);
    answer(trial, state, accept, MASH_NO_DRAW_OFFERED, "accepting what was declined");
}

static bool told(const Trial *trial, uint8_t seat) {
    for (uint32_t i = 0; i < trial->events.count; i++)
        if (trial_sees(&trial->events.list[i], seat))
            return true;
    return false;
}

/* An offer stays while the seat that made it moves, and lapses when the other moves. Hidden choices
 * are not moves, since a lapse would reveal them, nor need the last one be that ends a draft: so it
 * lapses at the latest with the second action for which the first seat gets events. */
static void offer_and_move(Trial *trial, uint8_t seat) {
    void *state = trial->copies[0];
    MashAction accept = verb_of(MASH_VERB_DRAW_ACCEPT, (uint8_t)(1 - seat)), action;
    MashStatus status = MASH_OK;
    trial_copy(trial, state, trial->state);
    answer(trial, state, verb_of(MASH_VERB_DRAW_OFFER, seat), MASH_OK, "an offer");
    for (int answers = 0; answers < 2 && status == MASH_OK;) {
        if (!trial_choose(trial, state, trial->spare_list, &action))
            return;
        answer(trial, state, action, MASH_OK, "a listed action while a draw is offered");
        status = trial->game->check(trial->content, state, accept);
        REQUIRE(trial, action.seat != seat || status != MASH_NO_DRAW_OFFERED,
                "a seat's own move ends its offer");
        answers += action.seat != seat && told(trial, seat);
    }
    REQUIRE(trial, status == MASH_NO_DRAW_OFFERED || status == MASH_MATCH_OVER,
            "an offer is not gone after a move: %s", mash_status_id(status));
}

void universal_table(Trial *trial) {
    uint32_t awaited = trial->game->awaited(trial->content, trial->state);
    resign(trial);
    forfeit(trial);
    clocks(trial);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
        MashAction offer = verb_of(MASH_VERB_DRAW_OFFER, seat);
        MashStatus status = trial->game->check(trial->content, trial->state, offer);
        if (status == MASH_DRAW_ALREADY_OFFERED)
            continue;
        REQUIRE(trial, (status == MASH_OK) == (awaited >> seat & 1),
                "seat %d, which is %sawaited, offers a draw: %s", seat,
                awaited >> seat & 1 ? "" : "not ", mash_status_id(status));
        if (status != MASH_OK)
            continue;
        offer_and_answer(trial, seat);
        offer_and_move(trial, seat);
    }
    trial_check_lent(trial);
}
