/* http_api.h -- plain HTTP: lists, match files, metrics. */
#ifndef SERVER_HTTP_API_H
#define SERVER_HTTP_API_H
#include "net/net.h"
#include "server/reader.h"
#include "server/server.h"

/* Answers a request, whatever its path. */
void http_api_reply(Server *server, const NetRequest *request, NetReply *reply);

/* For what else answers HTTP. A plain sentence; the archive, or the table of another node, does not
 * answer now or does not know the match; the client is sent to the node that has the match, to the
 * address between `before` the code and `after` it. */
void http_api_text(NetReply *reply, uint16_t status, const char *text);
/* JSON; with 200 by an ETag that follows from the bytes: whoever has them already, as it said in
 * `tags`, gets 304. */
void http_api_json(NetReply *reply, uint16_t status, const char *tags, const char *bytes,
                   uint32_t count);
/* What a request says of it. */
void http_api_tags(const NetRequest *request, char tags[ASK_TAGS_BYTES]);
void http_api_unknown(NetReply *reply, StoreStatus status);
/* The page that says, in every language, that a match does not exist, for people who follow a link.
 */
void http_api_no_match(NetReply *reply);
void http_api_elsewhere(const Ask *ask, const char *before, const char *after);
/* Queries the archive for the client, whose answer becomes the reply; or refuses immediately if too
 * many queries wait. NULL: it was refused. */
Ask *http_api_ask(Server *server, const NetRequest *request, const Ask *question, NetReply *reply);
/* Appends the text up to its end or one of `ends`, with its escapes decoded; behind it. */
const char *http_api_decode(const char *from, const char *ends, MashText *text);
/* The value of a key of the query, decoded; NULL: it is not there or too long. */
const char *http_api_value(const char *query, const char *key, char out[ASK_TEXT_BYTES]);
/* The number of a key, or 0. */
uint64_t http_api_number(const char *query, const char *key);

#endif
