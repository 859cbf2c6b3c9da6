/* clock.h -- the times of one match: turn, whole match, silence, grace, pause.
 *
 * A value without any clock of its own: the caller says what time it is, in milliseconds that only
 * grow, and asks what is due. Times run only while nothing stops them, so all stand still in a
 * pause; only the pause itself runs then. What follows when a time is over is not decided here. */
#ifndef SERVER_CLOCK_H
#define SERVER_CLOCK_H
#include "include/mashup.h"

/* The limits of a match in milliseconds; 0 = none, except for pause (no pauses) and grace (none is
 * given). */
typedef struct ClockLimits {
    uint32_t turn_ms, match_ms, pause_ms, silence_ms, grace_ms;
} ClockLimits;

/* No time is longer. */
enum { CLOCK_DAY_MS = 86400000 };

/* What guests may choose: the least and the most of each time. A most of 0 for turn, match and
 * silence = there is none, so that they may go without a limit. */
typedef struct ClockBounds {
    ClockLimits least, most;
} ClockBounds;

/* Times within the bounds. For turn, match and silence, "no limit" becomes the most there is. */
ClockLimits clock_bounded(const ClockBounds *bounds, ClockLimits wanted);
/* Widens the bounds so that these times are within them. */
void clock_widen(ClockBounds *bounds, const ClockLimits *times);

/* What can be due. */
typedef enum ClockDue {
    CLOCK_NOTHING,
    CLOCK_TURN_WARNING,
    CLOCK_TURN_OVER,
    CLOCK_SILENCE_WARNING,
    CLOCK_SILENCE_OVER,
    CLOCK_GRACE_OVER,
    CLOCK_MATCH_WARNING,
    CLOCK_MATCH_OVER,
    CLOCK_PAUSE_OVER,
} ClockDue;

/* What is due next: for which seat (MASH_SEAT_NONE: for the match), and in how long. */
typedef struct ClockNext {
    ClockDue due;
    uint8_t seat;
    uint64_t in_ms;
    uint32_t left_ms; /* of the time that a warning is about */
} ClockNext;

/* One seat's times. */
typedef struct ClockSeat {
    bool awaited, away;
    bool freezes_match; /* while it is away everything but its grace stands still */
    bool awaits_return; /* it is away because of us: its times stand still until it is back */
    uint32_t return_ms; /* and it has so long for that, if its grace is shorter */
    bool turn_warned, silence_warned;
    uint64_t turn_ms;   /* since its turn began, whether it is still awaited or not */
    uint64_t silent_ms; /* since it was heard, while awaited */
    uint64_t gone_ms;   /* since its connection was lost */
    uint64_t used_ms;   /* of all its turns */
    uint64_t held_ms;   /* so long the match has stood still for it in all */
} ClockSeat;

/* The times of one match. Read freely; only the functions below write. */
typedef struct Clock {
    ClockLimits limits;
    ClockSeat seats[MASH_SEATS];
    uint64_t now_ms; /* up to when everything is counted */
    uint64_t match_ms, pause_ms;
    bool running, paused, match_warned, match_over;
} Clock;

/* A clock at rest. */
Clock clock_new(ClockLimits limits, uint64_t now_ms);
/* The match begins, or goes on after `played_ms`. */
void clock_begin(Clock *clock, uint64_t now_ms, uint64_t played_ms);
/* The match is over. */
void clock_end(Clock *clock, uint64_t now_ms);
/* The match waits for these seats (one bit each). A seat that was not awaited begins a turn, and so
 * do all that are awaited if `new_turn`. */
void clock_await(Clock *clock, uint64_t now_ms, uint32_t awaited, bool new_turn);
/* The seat has said something. */
void clock_mark_active(Clock *clock, uint64_t now_ms, uint8_t seat);
/* Up to so much of the seat's silence does not count, and it was not warned. What is left of `ms`
 * is the answer. */
uint64_t clock_excuse(Clock *clock, uint64_t now_ms, uint8_t seat, uint64_t ms);
/* The seat's connection is lost, or back. */
void clock_away(Clock *clock, uint64_t now_ms, uint8_t seat, bool away);
/* The server was restarted and the seat has not come back yet: it has `least_ms` for it, or the
 * grace time if that is longer, and its turn does not run meanwhile. */
void clock_await_return(Clock *clock, uint64_t now_ms, uint8_t seat, uint32_t least_ms);
/* Whether the match waits for the seat to come back, and whether it does now. It no longer does for
 * a seat for which it has stood still for three times the grace time: who goes away again and again
 * would stop the match for ever. */
void clock_set_freezes(Clock *clock, uint8_t seat, bool holds);
bool clock_is_frozen(const Clock *clock);
/* Everything stands still, or goes on. */
void clock_pause(Clock *clock, uint64_t now_ms, bool paused);

/* What is due next. CLOCK_NOTHING: nothing ever. */
ClockNext clock_next(const Clock *clock, uint64_t now_ms);
/* What is due by now, one at a time; each is told once. A warning that comes so late that its time
 * is over as well is left out. A turn that is over begins anew, and so does a pause that could not
 * be ended. */
ClockNext clock_pop_due(Clock *clock, uint64_t now_ms);

/* What is left of a seat's turn, and of the match; -1: not running or no limit. The turn's is the
 * same whether the match waits for the seat or not, so that it does not tell who has made a secret
 * choice: show it to whom the match seems to wait for the seat. */
int32_t clock_turn_left(const Clock *clock, uint64_t now_ms, uint8_t seat);
int32_t clock_match_left(const Clock *clock, uint64_t now_ms);

#endif
