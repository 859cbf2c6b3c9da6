/* clock.c -- see clock.h. */
#include "server/clock.h"

/* The share of a limit that has passed when a warning is due. */
enum { SILENCE_WARNING = 60, OTHER_WARNING = 80, WHOLE = 100 };

/* A match waits for one seat for at most this many times the grace time. */
enum { HOLDS_MOST = 3 };

/* A time where 0 means no limit. */
static uint32_t bounded(uint32_t wanted, uint32_t least, uint32_t most) {
    if (most > 0 && (wanted == 0 || wanted > most))
        return most;
    if (wanted > CLOCK_DAY_MS)
        return CLOCK_DAY_MS;
    return wanted > 0 && wanted < least ? least : wanted;
}

/* A time where 0 means that none is given. */
static uint32_t between(uint32_t wanted, uint32_t least, uint32_t most) {
    return wanted > most ? most : wanted < least ? least : wanted;
}

ClockLimits clock_of_days(uint32_t days) {
    return (ClockLimits){.turn_ms = days * CLOCK_DAY_MS, .days = days};
}

ClockLimits clock_bounded(const ClockBounds *bounds, ClockLimits wanted) {
    const ClockLimits *least = &bounds->least, *most = &bounds->most;
    return (ClockLimits){
        .turn_ms = bounded(wanted.turn_ms, least->turn_ms, most->turn_ms),
        .match_ms = bounded(wanted.match_ms, least->match_ms, most->match_ms),
        .pause_ms = between(wanted.pause_ms, least->pause_ms, most->pause_ms),
        .silence_ms = bounded(wanted.silence_ms, least->silence_ms, most->silence_ms),
        .grace_ms = between(wanted.grace_ms, least->grace_ms, most->grace_ms),
        .bank_ms = between(wanted.bank_ms, 0, CLOCK_DAY_MS),
        .increment_ms = wanted.bank_ms > 0 ? between(wanted.increment_ms, 0, CLOCK_DAY_MS) : 0,
    };
}

/* Widens the bounds of one time; `endless`: 0 means no limit. */
static void widen(uint32_t *least, uint32_t *most, uint32_t time, bool endless) {
    assert(time <= CLOCK_DAY_MS && *least <= CLOCK_DAY_MS && *most <= CLOCK_DAY_MS);
    if (endless && time == 0) {
        *most = 0;
        return;
    }
    if (time < *least)
        *least = time;
    if (time > *most && !(endless && *most == 0))
        *most = time;
}

void clock_widen(ClockBounds *bounds, const ClockLimits *times) {
    ClockLimits *least = &bounds->least, *most = &bounds->most;
    widen(&least->turn_ms, &most->turn_ms, times->turn_ms, true);
    widen(&least->match_ms, &most->match_ms, times->match_ms, true);
    widen(&least->pause_ms, &most->pause_ms, times->pause_ms, false);
    widen(&least->silence_ms, &most->silence_ms, times->silence_ms, true);
    widen(&least->grace_ms, &most->grace_ms, times->grace_ms, false);
}

bool clock_is_frozen(const Clock *clock) {
    bool held = false;
    for (uint32_t i = 0; i < MASH_SEATS; i++)
        held |= clock->seats[i].away && clock->seats[i].freezes_match;
    return held && clock->running;
}

void clock_set_freezes(Clock *clock, uint8_t seat, bool holds) {
    uint64_t most_ms = (uint64_t)HOLDS_MOST * clock->limits.grace_ms;
    clock->seats[seat].freezes_match = holds && clock->seats[seat].held_ms < most_ms;
}

/* Does the match wait for a seat that is away because of a server restart? */
static bool awaits_return(const Clock *clock) {
    for (uint32_t i = 0; i < MASH_SEATS; i++)
        if (clock->seats[i].awaited && clock->seats[i].awaits_return)
            return true;
    return false;
}

/* Advances all times to now. */
static void advance(Clock *clock, uint64_t now_ms) {
    uint64_t passed = now_ms > clock->now_ms ? now_ms - clock->now_ms : 0;
    clock->now_ms += passed;
    if (!clock->running)
        return;
    if (clock->paused) {
        clock->pause_ms += passed;
        return;
    }
    bool held = clock_is_frozen(clock);
    clock->match_ms += held || awaits_return(clock) ? 0 : passed;
    for (uint32_t i = 0; i < MASH_SEATS; i++) {
        ClockSeat *seat = &clock->seats[i];
        if (held && seat->away && seat->freezes_match)
            seat->held_ms += passed;
        if (held || seat->awaits_return) {
            seat->gone_ms += seat->away ? passed : 0;
            continue;
        }
        seat->turn_ms += passed;
        if (seat->awaited)
            seat->used_ms += passed;
        if (seat->awaited && !seat->away)
            seat->silent_ms += passed;
        if (seat->away)
            seat->gone_ms += passed;
    }
}

Clock clock_new(ClockLimits limits, uint64_t now_ms) {
    return (Clock){.limits = limits, .now_ms = now_ms};
}

void clock_begin(Clock *clock, uint64_t now_ms, uint64_t played_ms) {
    advance(clock, now_ms);
    clock->running = true;
    clock->match_ms = played_ms;
}

void clock_end(Clock *clock, uint64_t now_ms) {
    advance(clock, now_ms);
    clock->running = false;
    clock->paused = false;
}

/* Restarts the time of a turn. */
static void begin_turn(ClockSeat *seat) {
    seat->turn_ms = 0;
    seat->extra_ms = 0;
    seat->turn_warned = false;
}

/* The match waits for the seat, or not. */
static void set_awaited(ClockSeat *seat, bool awaited) {
    if (awaited && !seat->awaited) {
        seat->silent_ms = 0;
        seat->silence_warned = false;
    }
    seat->awaited = awaited;
}

void clock_await(Clock *clock, uint64_t now_ms, uint32_t awaited, bool new_turn) {
    advance(clock, now_ms);
    for (uint32_t i = 0; i < MASH_SEATS; i++) {
        ClockSeat *seat = &clock->seats[i];
        bool now = (awaited >> i & 1) != 0;
        if (seat->awaited && (!now || new_turn)) {
            seat->ended_ms = seat->turn_ms;
            seat->gained_ms += clock->limits.increment_ms;
        }
        if (now && (!seat->awaited || new_turn))
            begin_turn(seat);
        set_awaited(seat, now);
    }
}

void clock_return_increments(Clock *clock, const uint32_t turns[MASH_SEATS]) {
    for (uint32_t i = 0; i < MASH_SEATS; i++) {
        uint64_t given_ms = (uint64_t)turns[i] * clock->limits.increment_ms;
        uint64_t gained_ms = clock->seats[i].gained_ms;
        clock->seats[i].gained_ms = given_ms < gained_ms ? gained_ms - given_ms : 0;
    }
}

void clock_undo(Clock *clock, uint64_t now_ms, uint32_t awaited, const uint32_t turns[MASH_SEATS]) {
    bool turn = turns[0] + turns[1] > 0;
    advance(clock, now_ms);
    clock_return_increments(clock, turns);
    for (uint32_t i = 0; i < MASH_SEATS; i++) {
        ClockSeat *seat = &clock->seats[i];
        bool now = (awaited >> i & 1) != 0;
        if (now && turn && !seat->awaited)
            seat->turn_ms = seat->ended_ms;
        set_awaited(seat, now);
    }
}

void clock_mark_active(Clock *clock, uint64_t now_ms, uint8_t seat) {
    advance(clock, now_ms);
    clock->seats[seat].silent_ms = 0;
    clock->seats[seat].silence_warned = false;
}

uint64_t clock_excuse(Clock *clock, uint64_t now_ms, uint8_t seat, uint64_t ms) {
    ClockSeat *silent = &clock->seats[seat];
    advance(clock, now_ms);
    uint64_t excused_ms = ms < silent->silent_ms ? ms : silent->silent_ms;
    silent->silent_ms -= excused_ms;
    silent->silence_warned = false;
    return ms - excused_ms;
}

void clock_away(Clock *clock, uint64_t now_ms, uint8_t seat, bool away) {
    clock_mark_active(clock, now_ms, seat);
    clock->seats[seat].away = away;
    clock->seats[seat].gone_ms = 0;
    clock->seats[seat].awaits_return = false;
    clock->seats[seat].return_ms = 0;
}

int32_t clock_away_ms(const Clock *clock, uint64_t now_ms, uint8_t seat) {
    Clock copy = *clock;
    advance(&copy, now_ms);
    uint64_t away_ms = copy.seats[seat].gone_ms; /* 0 of who is there */
    return away_ms < CLOCK_DAY_MS ? (int32_t)away_ms : CLOCK_DAY_MS;
}

void clock_await_return(Clock *clock, uint64_t now_ms, uint8_t seat, uint32_t least_ms) {
    clock_away(clock, now_ms, seat, true);
    clock->seats[seat].awaits_return = true;
    clock->seats[seat].return_ms = least_ms;
}

void clock_set_turn_left(Clock *clock, uint64_t now_ms, uint8_t seat, uint64_t left_ms) {
    uint64_t limit_ms = clock->limits.turn_ms;
    advance(clock, now_ms);
    clock->seats[seat].turn_ms = left_ms < limit_ms ? limit_ms - left_ms : 0;
    clock->seats[seat].extra_ms = left_ms > limit_ms ? left_ms - limit_ms : 0;
}

void clock_pause(Clock *clock, uint64_t now_ms, bool paused) {
    advance(clock, now_ms);
    clock->paused = paused;
    clock->pause_ms = 0;
}

/* What is left of a time; 0 when it is over. */
static uint32_t left(uint64_t limit_ms, uint64_t used_ms) {
    uint64_t left_ms = used_ms < limit_ms ? limit_ms - used_ms : 0;
    return left_ms < UINT32_MAX ? (uint32_t)left_ms : UINT32_MAX;
}

/* Keeps this if it is due before the earliest found so far. */
static void consider(ClockNext *next, ClockDue due, uint32_t seat, uint64_t limit_ms,
                     uint32_t percent, uint64_t used_ms) {
    uint64_t at_ms = limit_ms * percent / WHOLE;
    uint64_t in_ms = at_ms > used_ms ? at_ms - used_ms : 0;
    if (next->due == CLOCK_NOTHING || in_ms < next->in_ms)
        *next = (ClockNext){due, (uint8_t)seat, in_ms, left(limit_ms, used_ms)};
}

/* The same for a warning, which is useless once its time is over. */
static void consider_warning(ClockNext *next, ClockDue due, uint32_t seat, uint64_t limit_ms,
                             uint32_t percent, uint64_t used_ms) {
    if (used_ms < limit_ms)
        consider(next, due, seat, limit_ms, percent, used_ms);
}

/* What is due next for a seat. */
static void consider_seat(ClockNext *next, const ClockLimits *limits, const ClockSeat *seat,
                          uint32_t number, bool held) {
    uint32_t grace_ms = limits->grace_ms > seat->return_ms ? limits->grace_ms : seat->return_ms;
    uint64_t turn_ms = limits->turn_ms + seat->extra_ms;
    if (seat->away && limits->days == 0)
        consider(next, CLOCK_GRACE_OVER, number, grace_ms, WHOLE, seat->gone_ms);
    if (!seat->awaited || seat->awaits_return || held)
        return;
    if (limits->turn_ms > 0) {
        if (!seat->turn_warned)
            consider_warning(next, CLOCK_TURN_WARNING, number, turn_ms, OTHER_WARNING,
                             seat->turn_ms);
        consider(next, CLOCK_TURN_OVER, number, turn_ms, WHOLE, seat->turn_ms);
    }
    if (limits->bank_ms > 0 && !seat->bank_over)
        consider(next, CLOCK_BANK_OVER, number, limits->bank_ms + seat->gained_ms, WHOLE,
                 seat->used_ms);
    if (limits->silence_ms > 0 && !seat->away) {
        if (!seat->silence_warned)
            consider_warning(next, CLOCK_SILENCE_WARNING, number, limits->silence_ms,
                             SILENCE_WARNING, seat->silent_ms);
        consider(next, CLOCK_SILENCE_OVER, number, limits->silence_ms, WHOLE, seat->silent_ms);
    }
}

/* What is due next, counted from clock->now_ms. */
static ClockNext soonest(const Clock *clock) {
    const ClockLimits *limits = &clock->limits;
    ClockNext next = {CLOCK_NOTHING, MASH_SEAT_NONE, UINT64_MAX, 0};
    bool held = clock_is_frozen(clock);
    if (!clock->running)
        return next;
    if (clock->paused) {
        consider(&next, CLOCK_PAUSE_OVER, MASH_SEAT_NONE, limits->pause_ms, WHOLE, clock->pause_ms);
        return next;
    }
    for (uint32_t i = 0; i < MASH_SEATS; i++)
        consider_seat(&next, limits, &clock->seats[i], i, held);
    if (limits->match_ms > 0 && !clock->match_over && !held && !awaits_return(clock)) {
        if (!clock->match_warned)
            consider_warning(&next, CLOCK_MATCH_WARNING, MASH_SEAT_NONE, limits->match_ms,
                             OTHER_WARNING, clock->match_ms);
        consider(&next, CLOCK_MATCH_OVER, MASH_SEAT_NONE, limits->match_ms, WHOLE, clock->match_ms);
    }
    return next;
}

ClockNext clock_next(const Clock *clock, uint64_t now_ms) {
    Clock copy = *clock;
    advance(&copy, now_ms);
    return soonest(&copy);
}

ClockNext clock_pop_due(Clock *clock, uint64_t now_ms) {
    advance(clock, now_ms);
    ClockNext next = soonest(clock);
    if (next.due == CLOCK_NOTHING || next.in_ms > 0)
        return (ClockNext){CLOCK_NOTHING, MASH_SEAT_NONE, next.in_ms, 0};
    ClockSeat *seat = next.seat < MASH_SEATS ? &clock->seats[next.seat] : NULL;
    switch (next.due) {
    case CLOCK_TURN_WARNING:
        seat->turn_warned = true;
        break;
    case CLOCK_TURN_OVER:
        begin_turn(seat);
        break;
    case CLOCK_SILENCE_WARNING:
        seat->silence_warned = true;
        break;
    case CLOCK_SILENCE_OVER:
        seat->silent_ms = 0;
        break;
    case CLOCK_GRACE_OVER:
        seat->away = seat->awaits_return = false;
        break;
    case CLOCK_BANK_OVER:
        seat->bank_over = true;
        break;
    case CLOCK_MATCH_WARNING:
        clock->match_warned = true;
        break;
    case CLOCK_MATCH_OVER:
        clock->match_over = true;
        break;
    default:
        clock->pause_ms = 0;
    }
    return next;
}

/* A time as messages have it, where a negative value means no time. */
static int32_t as_int(uint32_t left_ms) {
    return left_ms < INT32_MAX ? (int32_t)left_ms : INT32_MAX;
}

/* What is left of a seat's own time, without counting on. */
static uint32_t bank_left(const Clock *clock, uint8_t seat) {
    const ClockSeat *of = &clock->seats[seat];
    return left(clock->limits.bank_ms + of->gained_ms, of->used_ms);
}

int32_t clock_bank_left(const Clock *clock, uint64_t now_ms, uint8_t seat) {
    Clock copy = *clock;
    advance(&copy, now_ms);
    return copy.running && copy.limits.bank_ms > 0 ? as_int(bank_left(&copy, seat)) : -1;
}

int32_t clock_turn_left(const Clock *clock, uint64_t now_ms, uint8_t seat) {
    Clock copy = *clock;
    advance(&copy, now_ms);
    uint32_t bank = copy.limits.bank_ms > 0 ? bank_left(&copy, seat) : UINT32_MAX;
    const ClockSeat *of = &copy.seats[seat];
    uint32_t turn = copy.limits.turn_ms > 0 ? left(copy.limits.turn_ms + of->extra_ms, of->turn_ms)
                                            : UINT32_MAX;
    if (!copy.running || (copy.limits.turn_ms == 0 && copy.limits.bank_ms == 0))
        return -1;
    return as_int(bank < turn ? bank : turn);
}

void clock_replay(Clock *clock, uint64_t passed_ms, uint32_t awaited, uint32_t ended) {
    for (uint32_t i = 0; i < MASH_SEATS; i++) {
        clock->seats[i].used_ms += (awaited >> i & 1) != 0 ? passed_ms : 0;
        clock->seats[i].gained_ms += (ended >> i & 1) != 0 ? clock->limits.increment_ms : 0;
    }
}

int32_t clock_match_left(const Clock *clock, uint64_t now_ms) {
    Clock copy = *clock;
    advance(&copy, now_ms);
    if (!copy.running || copy.limits.match_ms == 0)
        return -1;
    return as_int(left(copy.limits.match_ms, copy.match_ms));
}
