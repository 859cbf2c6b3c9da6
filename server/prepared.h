/* prepared.h -- turns that players of a match over days leave with the server while the other side
 * is awaited: one for any case, and some that are bound to what the other does.
 *
 * They are records of the match, so they rest with it and outlive a kill; only their owner is told
 * of them. When the turn comes, one is chosen and its entries are done as if the player had sent
 * them, each checked in the state that the ones before have made, up to the first that is not
 * possible. A condition looks at nothing but actions of the other side that its opponent could see:
 * none from before the first turn of a game that hides something. What is to be done next follows
 * from the state of the match alone, so a turn that a kill cut off goes on where it was. */
#ifndef SERVER_PREPARED_H
#define SERVER_PREPARED_H
#include "proto/message.h"
#include "server/table.h"
#include "store/store.h"

typedef struct Prepared Prepared;

/* `prepare`: keeps a branch or drops it; the answer waits for the store. */
void prepared_request(Session *session, const Message *request);
/* Tells a player what is kept, and what has become of it; nothing if there is nothing. `answers`:
 * the request that is being handled. */
void prepared_send(Session *session, bool answers);
/* The turn of a seat has come, also in the journal: chooses what is done. */
void prepared_choose(Table *table, uint8_t seat);
/* Does what is due for both seats, if the match may go on. */
void prepared_run(Table *table);
/* A step was done: drops what its player had left, unless the step was part of it, and does what is
 * due. */
void prepared_acted(Table *table);
/* From the journal: what was kept or has become of it, false: the record is not valid; and a step
 * that is about to be replayed. */
bool prepared_replay(Table *table, const StoreRecord *record);
void prepared_replay_step(Table *table, const StoreRecord *record);
/* Frees what the table has. */
void prepared_release(Table *table);

#endif
