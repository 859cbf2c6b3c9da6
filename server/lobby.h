/* lobby.h -- matchmaking: how players find a table, and lists of tables and games. */
#ifndef SERVER_LOBBY_H
#define SERVER_LOBBY_H
#include "proto/message.h"
#include "server/listing.h"
#include "server/table.h"

/* The client messages of that name. */
void lobby_seek(Session *session, const Message *message);
void lobby_open(Session *session, const Message *message);
void lobby_join(Session *session, const Message *message);
void lobby_return(Session *session, const Message *message);
void lobby_watch(Session *session, const Message *message);
void lobby_matches(Session *session, const Message *message);
void lobby_games(Session *session);
/* What the matches of a tournament are played with. False: it was refused. */
bool lobby_contest_config(Session *session, const Message *message, TableConfig *config);
/* The session is told that what it asks for is just moving: it asks again. */
void lobby_say_moving(Session *session);
/* The session is told where the match is that a node has just opened under this number, or, if that
 * is not in the journal yet, that it is moving. */
void lobby_ask_opened(Session *session, uint64_t number);
/* This node has no tournament with that code: another one may. The client is answered. */
void lobby_ask_contest(Session *session, const char *code);
/* Times within what this server lets players choose; its default times always are. */
ClockLimits lobby_bounded(const Server *server, ClockLimits wanted);
/* The kind of players who can play each other: the same for equal configurations, on all nodes. */
uint64_t lobby_kind(const TableConfig *config);
/* The table does not wait any more: other nodes no longer send players here for it. */
void lobby_unclaim(Table *table);
/* Do two configurations make the same match? */
bool table_config_equal(const TableConfig *a, const TableConfig *b);
/* The table of this number, or NULL. */
Table *lobby_find(Server *server, uint64_t number);
/* A page of the list of tables. */
struct LobbyPage {
    const char *game;            /* only of this one; NULL: all */
    uint8_t state;               /* the page starts after the table of this state ... */
    uint64_t serial;             /* ... and this serial number (of all nodes: rank, negated); 0: it
                                    begins with the newest */
    char next[PROTO_ID_MAX + 1]; /* where the next page begins; "": there is none */
};
/* Where an empty page begins: at the start for NULL, else at `next` of another page. False: it is
 * not a valid start. */
bool lobby_read_place(const char *place, LobbyPage *page);
/* Lists of tables and games as JSON arrays. */
void lobby_write_matches(Server *server, LobbyPage *page, MashText *text);
/* A table as the list has it (`match` in proto/message.h); `now`: with what changes by itself. */
void lobby_put_table(JsonWriter *writer, const Table *table, bool now);
void lobby_write_games(Server *server, MashText *text);
/* A table's players as a JSON array. */
void lobby_write_players(const Table *table, MashText *text);

#endif
