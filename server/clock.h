/* clock.h -- the times of one match: turn, whole match, silence, grace, pause.
 *
 * A plain value that reads no clock: the caller passes the time, in monotonic milliseconds, and
 * asks what is due. All times stop in a pause; only the time of the pause itself runs then. The
 * caller decides what happens when a time is over. */
#ifndef SERVER_CLOCK_H
#define SERVER_CLOCK_H
#include "include/mashup.h"

/* The limits of a match in milliseconds; 0 = no limit, except for pause (no pauses) and grace (no
 * grace time). */
typedef struct ClockLimits {
    uint32_t turn_ms, match_ms, pause_ms, silence_ms, grace_ms;
    /* A player's own time for all turns together, and what each of them adds to it when it ends. */
    uint32_t bank_ms, increment_ms;
    /* For each turn, of a match over days: then turn_ms is as long, there is no other time, and
     * nobody has to be connected. 0 = it is not one. */
    uint32_t days;
} ClockLimits;

/* The longest time. */
enum { CLOCK_DAY_MS = 86400000 };

/* What clients may choose: the least and the most of each time. A most of 0 for turn, match and
 * silence = no maximum, so that they may be unlimited. */
typedef struct ClockBounds {
    ClockLimits least, most;
} ClockBounds;

/* The times of a match over days. */
ClockLimits clock_of_days(uint32_t days);
/* Times within the bounds. For turn, match and silence, "no limit" becomes the maximum. */
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
    CLOCK_BANK_OVER,
    CLOCK_MATCH_WARNING,
    CLOCK_MATCH_OVER,
    CLOCK_PAUSE_OVER,
} ClockDue;

/* What is due next: for which seat (MASH_SEAT_NONE: for the match), and in how long. */
typedef struct ClockNext {
    ClockDue due;
    uint8_t seat;
    uint64_t in_ms;
    uint32_t left_ms; /* left of the time that a warning is about */
} ClockNext;

/* One seat's times. */
typedef struct ClockSeat {
    bool awaited, away;
    bool freezes_match; /* while it is away all times but its grace time stop */
    bool awaits_return; /* away because of a server restart: its times stop until it is back */
    uint32_t return_ms; /* time to reconnect then, if the grace time is shorter */
    bool turn_warned, silence_warned;
    uint64_t turn_ms;   /* since its turn began, whether it is still awaited or not */
    uint64_t extra_ms;  /* more for this turn than the limit: a vacation */
    uint64_t ended_ms;  /* of its last turn: how long it took */
    uint64_t silent_ms; /* since its last message, while awaited */
    uint64_t gone_ms;   /* since its connection was lost */
    uint64_t used_ms;   /* of all its turns */
    uint64_t gained_ms; /* by the increments of its turns */
    bool bank_over;     /* which is due only once */
    uint64_t held_ms;   /* how long the match has waited for it in total */
} ClockSeat;

/* The times of one match. Read freely; only the functions below write. */
typedef struct Clock {
    ClockLimits limits;
    ClockSeat seats[MASH_SEATS];
    uint64_t now_ms; /* all times are counted up to here */
    uint64_t match_ms, pause_ms;
    bool running, paused, match_warned, match_over;
} Clock;

/* A stopped clock. */
Clock clock_new(ClockLimits limits, uint64_t now_ms);
/* The match begins, or continues after `played_ms`. */
void clock_begin(Clock *clock, uint64_t now_ms, uint64_t played_ms);
/* The match is over. */
void clock_end(Clock *clock, uint64_t now_ms);
/* The match waits for these seats (one bit each). A seat that was not awaited begins a turn, and so
 * do all that are awaited if `new_turn`. */
void clock_await(Clock *clock, uint64_t now_ms, uint32_t awaited, bool new_turn);
/* A step was undone, and the match waits for these seats again; `turns` of each seat were undone
 * with it. Time used stays used, and increments for those turns are given back: a seat that was not
 * awaited goes on with its turn, or with its last one if turns were undone. */
void clock_undo(Clock *clock, uint64_t now_ms, uint32_t awaited, const uint32_t turns[MASH_SEATS]);
/* Increments for these turns are given back. */
void clock_return_increments(Clock *clock, const uint32_t turns[MASH_SEATS]);
/* The seat has sent something. */
void clock_mark_active(Clock *clock, uint64_t now_ms, uint8_t seat);
/* Excuses up to `ms` of the seat's silence and clears its warning. Returns what is left of `ms`. */
uint64_t clock_excuse(Clock *clock, uint64_t now_ms, uint8_t seat, uint64_t ms);
/* The seat's connection is lost, or back. */
void clock_away(Clock *clock, uint64_t now_ms, uint8_t seat, bool away);
/* The server was restarted and the seat has not reconnected yet: it has `least_ms` for that, or the
 * grace time if that is longer, and the time of its turn stops meanwhile. */
void clock_await_return(Clock *clock, uint64_t now_ms, uint8_t seat, uint32_t least_ms);
/* How long the seat's connection has been lost, as its grace time counts: a pause is left out. 0:
 * it is here. */
int32_t clock_away_ms(const Clock *clock, uint64_t now_ms, uint8_t seat);
/* Whether the match waits for the seat to reconnect, and whether it does so now. It stops waiting
 * after a total of three times the grace time; otherwise a player who disconnects again and again
 * could stop the match for ever. */
void clock_set_freezes(Clock *clock, uint8_t seat, bool holds);
bool clock_is_frozen(const Clock *clock);
/* This much of the seat's turn is left, which may be more than its limit. */
void clock_set_turn_left(Clock *clock, uint64_t now_ms, uint8_t seat, uint64_t left_ms);
/* Pauses or continues all times. */
void clock_pause(Clock *clock, uint64_t now_ms, bool paused);

/* What is due next. CLOCK_NOTHING: nothing. */
ClockNext clock_next(const Clock *clock, uint64_t now_ms);
/* What is due by now, one at a time; each is reported once. A warning is omitted if its time is
 * over as well. A turn that is over restarts, and so does a pause that could not be ended. */
ClockNext clock_pop_due(Clock *clock, uint64_t now_ms);

/* What is left of a seat's turn, and of the match; -1: not running or no limit. The turn's time is
 * the same whether the match waits for the seat or not, so that it does not reveal who has made a
 * hidden choice: show it to viewers for whom the match seems to wait for the seat. */
int32_t clock_turn_left(const Clock *clock, uint64_t now_ms, uint8_t seat);
/* What is left of the seat's own time; -1: it has none. */
int32_t clock_bank_left(const Clock *clock, uint64_t now_ms, uint8_t seat);
/* Before the match is resumed: a recorded step took this long, played by the awaited seats; those
 * of `ended` ended a turn with it. */
void clock_replay(Clock *clock, uint64_t passed_ms, uint32_t awaited, uint32_t ended);
int32_t clock_match_left(const Clock *clock, uint64_t now_ms);

#endif
