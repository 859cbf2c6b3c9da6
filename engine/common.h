/* common.h -- what every match shares: its end, draw offers, and the verbs of every game
 * (MASH_VERB_RESIGN and up).
 *
 * A game keeps a CommonState as the first member of its state, begins check() with common_check()
 * and apply_listed() with common_apply(), and calls common_after_move() after each of its own
 * actions. A game whose rules treat the clock differently judges MASH_VERB_TIME_OVER and
 * MASH_VERB_OVERTIME itself before it asks here. */
#ifndef ENGINE_COMMON_H
#define ENGINE_COMMON_H
#include "engine/events.h"

/* Part of a state. */
typedef struct CommonState {
    uint8_t over, winner, reason;
    uint8_t draw_offer; /* 1 + the seat that offers; 0 = no offer is open */
} CommonState;
static_assert(sizeof(CommonState) == 4, "no padding in a state");

/* A match in which nothing has happened. */
CommonState common_new(void);
/* Is this one of every game's verbs? */
static inline bool common_has_verb(uint8_t verb) {
    return verb >= MASH_VERB_RESIGN && verb <= MASH_VERB_FORFEIT;
}
/* The beginning of every judge, given for whom the match waits and how many verbs the game has
 * (NONE counted). Of one of every game's verbs it is the whole answer; MASH_OK for another one: it
 * is the game's own, of a seat for which the match waits. */
MashStatus common_check(const CommonState *common, uint32_t awaited, uint8_t verbs,
                        MashAction action);
/* Does one of every game's verbs that was allowed. */
void common_apply_verb(CommonState *common, MashAction action, MashEvents *events);
/* The same if it is one. False: it is none of them. */
static inline bool common_apply(CommonState *common, MashAction action, MashEvents *events) {
    bool common_verb = common_has_verb(action.verb);
    if (common_verb)
        common_apply_verb(common, action, events);
    return common_verb;
}
/* A seat has made a move of the game: the other's open draw offer lapses. */
static inline void common_after_move(CommonState *common, uint8_t seat, MashEvents *events) {
    if (common->draw_offer != 2 - seat || common->over)
        return;
    common->draw_offer = 0;
    event_add(events, event_new(MASH_EVENT_DRAW_DECLINED, MASH_UNIT_NONE, seat));
}
/* Ends the match; winner MASH_SEAT_NONE = drawn. */
void common_end(CommonState *common, uint8_t winner, uint8_t reason, MashEvents *events);
MashResult common_result(const CommonState *common);
/* Words for one of every game's verbs: "resign", "offer draw", ... */
void common_notation(MashAction action, MashText *text);
/* The options of a match by the game's list; MASH_BAD_OPTION if there are too many or one is out of
 * range. */
MashStatus common_options(const MashGame *game, const MashSetup *setup,
                          int32_t out[MASH_OPTIONS_MAX]);

#endif
