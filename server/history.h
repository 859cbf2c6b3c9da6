/* history.h -- what has happened at a table so far, for the logs of clients that ask for it: the
 * events of the match as the viewer could see them, and the last chat lines. */
#ifndef SERVER_HISTORY_H
#define SERVER_HISTORY_H
#include "server/session.h"
#include "server/table.h"

/* Keeps a chat line, and the account of who said it (0: none, or that of its seat); without memory
 * it is not kept. */
void history_keep_chat(Table *table, const SERVER_CHAT_FIELDS *line, uint64_t account);
/* The name of who said the lines of a seat goes, or (MASH_SEAT_NONE) of those of an account. */
void history_erase(Table *table, uint8_t seat, uint64_t account);
/* How many lines there ever were. */
uint32_t history_chat_count(const Table *table);
/* Sends the message `history` to a session at its table, unless nothing has happened yet. */
void history_send(Session *session);

#endif
