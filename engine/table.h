/* table.h -- what every match shares: its end, draw offers, and the verbs of every game
 * (MASH_VERB_RESIGN and up).
 *
 * A game keeps a Table as the first member of its state, asks table_check()/table_apply() for verbs
 * that table_verb() claims, and calls table_moved() after each of its own actions. A game whose
 * rules treat the clock differently judges MASH_VERB_TIME_OVER and MASH_VERB_OVERTIME itself before
 * it asks here. */
#ifndef ENGINE_TABLE_H
#define ENGINE_TABLE_H
#include "include/mashup.h"

/* Part of a state. */
typedef struct Table {
    uint8_t over, winner, reason;
    uint8_t draw_offer; /* 1 + the seat that offers; 0 = no offer is open */
} Table;
static_assert(sizeof(Table) == 4, "no padding in a state");

/* A table at which nothing has happened. */
Table table_new(void);
/* Is this one of every game's verbs? */
bool table_verb(uint8_t verb);
/* Judges one of every game's verbs, given for whom the match waits. */
MashStatus table_check(const Table *table, uint32_t awaited, MashAction action);
/* Does one that table_check() allowed. */
void table_apply(Table *table, MashAction action, MashEvents *events);
/* A seat has made a move of the game: the other's open draw offer lapses. */
void table_moved(Table *table, uint8_t seat, MashEvents *events);
/* Ends the match; winner MASH_SEAT_NONE = drawn. */
void table_end(Table *table, uint8_t winner, uint8_t reason, MashEvents *events);
MashResult table_result(const Table *table);
/* Words for one of every game's verbs: "resign", "offer draw", ... */
void table_word(MashAction action, MashText *text);
/* The options of a match by the game's list; MASH_BAD_OPTION if there are too many or one is out of
 * range. */
MashStatus table_options(const MashGame *game, const MashSetup *setup,
                         int32_t out[MASH_OPTIONS_MAX]);

#endif
