/* protocol.h -- the network standard (for now by name). */
#ifndef SERVER_PROTOCOL_H
#define SERVER_PROTOCOL_H
#include "server/session.h"
#include "server/table.h"

/* Loads what its matches are played with. False: the problem says why. */
bool talk_open_house(Server *server, MashText *problem);
/* A connection at any path but the arena's. False: there is no memory. */
bool talk_open(Session *session, const char *path);
/* The connection is gone, with this code. */
void talk_close(Session *session, uint16_t code);
/* An operator cuts it off: nothing more is said or heard, and that is no offence. */
void talk_cut(Session *session);
void talk_hear(Session *session, const char *bytes, uint32_t count);
/* A message was not heard because its address sends too many: a player is told Nack. */
void talk_too_fast(Session *session);
void talk_hear_binary(Session *session);
/* Tells somebody who has just come to a table what there is to know. */
void talk_welcome(Session *session);
/* Tells everybody who speaks it what the last action did. */
void talk_tell(Table *table);
/* Tells all but one that the match is paused or goes on. */
void talk_tell_pause(Table *table, bool paused, const Session *except);
/* A warning or the end of a time, to one player. */
void talk_warn(Session *session, uint32_t left_ms);
void talk_time_over(Table *table, uint8_t seat, ClockDue due);
/* Sends somebody away: the table is closed, its match is over, or the seat is taken. */
void talk_part(Session *session, const char *reason);
/* The match is over and told: says goodbye to all who speak the standard. */
void talk_finish(Table *table);
/* The choice of teams has a time of its own: the configured turn, but two minutes at least. */
void talk_set_clocks(Table *table);
/* Frees what a table holds for it. */
void talk_release(Table *table);
/* The server closes: says goodbye. */
void talk_drain(Server *server);
/* The seat's silence is due to be told: was it still reading? Then that part does not count. */
bool talk_excuse(Table *table, uint8_t seat);
/* Is anybody at the table who speaks it? */
bool talk_anybody(const Table *table);
/* A connection that speaks it: does the match wait for it to come back when it is lost? */
static inline bool talk_speaks(const Session *session) { return session->protocol_data != NULL; }

#endif
