/* actions.h -- the road of one action, and positions: what each player and watcher sees. */
#ifndef SERVER_ACTIONS_H
#define SERVER_ACTIONS_H
#include "proto/position.h"
#include "server/table.h"

/* In place of a seat: watchers who see nothing hidden before the end. */
enum { SEAT_BLIND_WATCHER = 253 };

/* Does an action and sends what it did to all, once the journal has it. `why` is set if the answer
 * is not MASH_OK because of the server and not of the rules; otherwise it is REFUSAL_COUNT. */
MashStatus actions_apply(Table *table, MashAction action, Refusal *why);
/* The server ends the match or a time in it. False: the store did not accept it; try again later.
 */
bool actions_apply_as_server(Table *table, uint8_t verb, uint8_t seat, uint8_t amount);
/* Sends the position to one session, after what the store has not written yet. */
void positions_send(Table *table, Session *session);
/* What is left of the times, as everybody may know it. */
PositionClocks positions_clocks(Table *table);
/* Counts what each one sees, as if the last action had just been sent. */
void positions_count_changes(Table *table);
/* The view of a seat or of the watchers into the server's scratch memory. */
const void *positions_view(Table *table, uint8_t seat);

#endif
