/* people.h -- what players are to each other: following, blocking, challenges by name, and reports
 * about matches to the operators. The store is asked in the threads of accounts (players.h). */
#ifndef SERVER_PEOPLE_H
#define SERVER_PEOPLE_H
#include "proto/message.h"
#include "server/neighbours.h"
#include "server/table.h"
#include "store/relations.h"

typedef struct PeopleJob PeopleJob;

/* Is it a request about people? */
bool people_handle(MessageKind kind);
/* Handles one, which is answered later. */
void people_request(Session *session, const Message *request);
/* `open` with a name: the player is looked up first, then the table is opened by lobby_open(). */
void people_challenge(Session *session, const Message *request);
/* The table that was opened waits for one player, who is told. */
void people_challenged(Table *table);
/* It does not wait any more. */
void people_unchallenge(Table *table);
/* May the session take a seat at the table, or be paired with whoever waits there? False: it waits
 * for another, or one of them blocks the other. */
bool people_may_meet(const Session *session, const Table *table);
/* Sends a line of chat to everybody at the table who does not block who says it. */
void people_send_chat(const Session *from, const Message *line);
/* The session is gone; the server closes. */
void people_forget(Session *session);
void people_close(Server *server);
/* Another node has told this; see neighbours.h. */
void people_heard(Server *server, NeighbourNews news, uint64_t account, uint64_t match);
/* In a thread: whom an account blocks, in memory that the caller frees. */
StoreStatus people_read_blocked(Store *store, uint64_t account, uint64_t **list, uint32_t *count);

#endif
