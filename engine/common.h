/* common.h -- what every match shares: its end, draw offers, and the verbs of every game
 * (MASH_VERB_RESIGN and up).
 *
 * A game keeps a CommonState as the first member of its state, starts check() with common_check()
 * and apply_listed() with common_apply(), and calls common_after_move() after each of its own
 * actions. A game whose rules treat the clock differently checks MASH_VERB_TIME_OVER and
 * MASH_VERB_OVERTIME itself before it calls these functions. */
#ifndef ENGINE_COMMON_H
#define ENGINE_COMMON_H
#include "engine/events.h"

/* Part of a state. */
typedef struct CommonState {
    uint8_t over, winner, reason;
    uint8_t draw_offer; /* 1 + the seat that offers; 0 = no open offer */
} CommonState;
static_assert(sizeof(CommonState) == 4, "no padding in a state");

/* The initial common state of a match. */
CommonState common_new(void);
/* Is this one of the verbs that every game has? */
static inline bool common_has_verb(uint8_t verb) {
    return verb >= MASH_VERB_RESIGN && verb <= MASH_VERB_FORFEIT;
}
/* The start of every check(), given the awaited seats and the game's number of verbs (including
 * NONE). For a verb that every game has it is the whole answer; otherwise MASH_OK means that the
 * verb is one of the game's own and that the seat is awaited. */
MashStatus common_check(const CommonState *common, uint32_t awaited, uint8_t verbs,
                        MashAction action);
/* Applies an action, already checked, whose verb every game has. */
void common_apply_verb(CommonState *common, MashAction action, MashEvents *events);
/* The same, if the verb is one that every game has. False: it is not. */
static inline bool common_apply(CommonState *common, MashAction action, MashEvents *events) {
    bool common_verb = common_has_verb(action.verb);
    if (common_verb)
        common_apply_verb(common, action, events);
    return common_verb;
}
/* A seat has made a move of the game: the opponent's open draw offer lapses. */
static inline void common_after_move(CommonState *common, uint8_t seat, MashEvents *events) {
    if (common->draw_offer != 2 - seat || common->over)
        return;
    common->draw_offer = 0;
    event_add(events, event_new(MASH_EVENT_DRAW_DECLINED, MASH_UNIT_NONE, seat));
}
/* Ends the match; winner MASH_SEAT_NONE = drawn. */
void common_end(CommonState *common, uint8_t winner, uint8_t reason, MashEvents *events);
/* result() of every game: a state begins with its common state. */
MashResult common_result(const MashContent *content, const void *state);
/* Notation of the verbs that every game has: "resign", "offer draw", ... */
void common_notation(MashAction action, MashText *text);
/* The options of a match by the game's list; MASH_BAD_OPTION if there are too many or one is out of
 * range. */
MashStatus common_options(const MashGame *game, const MashSetup *setup,
                          int32_t out[MASH_OPTIONS_MAX]);

#endif
