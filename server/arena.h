/* arena.h -- the arena, the server's own protocol (proto/message.h): messages as JSON at /arena.
 * arena.c reads what clients send, arena_send.c writes what they are sent, lobby.c has the messages
 * by which players find a table. */
#ifndef SERVER_ARENA_H
#define SERVER_ARENA_H
#include "server/protocol.h"

/* All spectators of a table together may chat as much as this many players. */
enum { WATCHERS_CHAT_SHARE = 4 };

/* Sends a message to one session immediately. */
void arena_send(Session *session, const Message *message);
/* The common answers to a request; arena_done_message() is `done` for those who send it later. */
Message arena_done_message(const Server *server);
void arena_done(Session *session);
void arena_refuse(Session *session, Refusal refusal);
void arena_refuse_because(Session *session, Refusal refusal, const char *reason);
void arena_refuse_status(Session *session, MashStatus status);

/* Sends a message to all arena sessions at the table, behind what still waits for the store. */
void arena_send_all(Table *table, const Message *message);
/* Sends to all what a seat says about a takeback. */
void arena_send_takeback(Table *table, uint8_t seat, uint8_t what);
/* Sends the message `table` to a session at its table, behind what still waits for the store. */
void arena_send_table(Session *session);
/* The position as its seat sees it, without events. */
void arena_send_position(Session *session);
/* The `position` of spectators to whom nothing hidden is shown, in JSON. */
void arena_write_board(Table *table, MashText *text);
/* Functions of the protocol. */
void arena_joined(Session *session);
void arena_acted(Table *table, uint8_t seat);
void arena_notify(Table *table, const TableNotice *notice);
void arena_part(Session *session, const Table *table, PartReason why, const char *sentence);

/* The protocol. */
extern const ServerProtocol arena_protocol;

#endif
