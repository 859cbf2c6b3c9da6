/* player_api.h -- players over HTTP, /api/v1: profiles, histories, leaderboards, and one's own
 * data. Documented in docs/players.md and by the schema that it serves. */
#ifndef SERVER_PLAYER_API_H
#define SERVER_PLAYER_API_H
#include "net/net.h"
#include "server/server.h"

/* Answers a request for what follows /api/v1/. */
void player_api_reply(Server *server, const NetRequest *request, const char *path, NetReply *reply);
/* Appends the JSON schema of all answers, as /api/v1/schema gives it; room for it. */
void player_api_write_schema(MashText *text);
enum { PLAYER_API_SCHEMA_BYTES = 16384 };

#endif
