/* http_api.h -- plain HTTP: lists, match files, metrics. */
#ifndef SERVER_HTTP_API_H
#define SERVER_HTTP_API_H
#include "net/net.h"
#include "server/server.h"

/* Answers a request, whatever its path. */
void http_api_reply(Server *server, const NetRequest *request, NetReply *reply);

#endif
