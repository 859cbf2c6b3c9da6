/* opening.h -- how the players of a match began: what they chose in a draft, or their first action.
 */
#ifndef SERVER_OPENING_H
#define SERVER_OPENING_H
#include "match/match.h"
#include "store/accounts.h"

/* Writes for each seat the ids of the kinds that it chose, sorted and joined by +, or, in a game
 * without a draft, its first action in words; empty: it did nothing. `memory` has match_bytes() and
 * is aligned to 16. */
void opening_find(const Match *match, void *memory, char out[MASH_SEATS][STORE_OPENING_BYTES]);

#endif
