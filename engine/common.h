/* common.h -- what every match shares: its end, draw offers, and the verbs of every game
 * (MASH_VERB_RESIGN and up).
 *
 * A game keeps a Table as the first member of its state, asks common_check()/common_apply() for
 * verbs that common_has_verb() claims, and calls common_after_move() after each of its own actions.
 * A game whose rules treat the clock differently judges MASH_VERB_TIME_OVER and MASH_VERB_OVERTIME
 * itself before it asks here. */
#ifndef ENGINE_COMMON_H
#define ENGINE_COMMON_H
#include "include/mashup.h"

/* Part of a state. */
typedef struct CommonState {
    uint8_t over, winner, reason;
    uint8_t draw_offer; /* 1 + the seat that offers; 0 = no offer is open */
} CommonState;
static_assert(sizeof(CommonState) == 4, "no padding in a state");

/* A table at which nothing has happened. */
CommonState common_new(void);
/* Is this one of every game's verbs? */
bool common_has_verb(uint8_t verb);
/* Judges one of every game's verbs, given for whom the match waits. */
MashStatus common_check(const CommonState *table, uint32_t awaited, MashAction action);
/* Does one that common_check() allowed. */
void common_apply(CommonState *table, MashAction action, MashEvents *events);
/* A seat has made a move of the game: the other's open draw offer lapses. */
void common_after_move(CommonState *table, uint8_t seat, MashEvents *events);
/* Ends the match; winner MASH_SEAT_NONE = drawn. */
void common_end(CommonState *table, uint8_t winner, uint8_t reason, MashEvents *events);
MashResult common_result(const CommonState *table);
/* Words for one of every game's verbs: "resign", "offer draw", ... */
void common_notation(MashAction action, MashText *text);
/* The options of a match by the game's list; MASH_BAD_OPTION if there are too many or one is out of
 * range. */
MashStatus common_options(const MashGame *game, const MashSetup *setup,
                          int32_t out[MASH_OPTIONS_MAX]);

#endif
