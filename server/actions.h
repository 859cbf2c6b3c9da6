/* actions.h -- what happens with one action, and positions: what each player and watcher sees. */
#ifndef SERVER_ACTIONS_H
#define SERVER_ACTIONS_H
#include "server/table.h"

/* In place of a seat: watchers who see nothing hidden before the end. */
enum { SEAT_BLIND_WATCHER = 253 };

/* Does an action and sends what it did to all, once the journal has it. `why` is set if the answer
 * is not MASH_OK because of the server and not of the rules; otherwise it is REFUSAL_COUNT. */
MashStatus actions_apply(Table *table, MashAction action, Refusal *why);
/* The server ends the match or a time in it. False: the store did not accept it; try again later.
 */
bool actions_apply_as_server(Table *table, uint8_t verb, uint8_t seat, uint8_t amount);
/* The view of a seat, of MASH_SEAT_SPECTATOR or SEAT_BLIND_WATCHER, in the server's scratch memory.
 */
const void *positions_view(Table *table, uint8_t viewer);
/* Counts for whom the last action has changed what is seen; and has it for this viewer? */
void positions_count_changes(Table *table);
bool positions_changed(const Table *table, uint8_t viewer);
/* The number of the position that a viewer sees. */
uint32_t *positions_number(Table *table, uint8_t viewer);

#endif
