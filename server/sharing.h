/* sharing.h -- what a link to a match shows elsewhere: /picture/CODE.svg, /m/CODE for link
 * previews, /embed/CODE for frames in other pages.
 *
 * A picture of a running match is what spectators see who see nothing hidden, after what is
 * durable. A finished match is read and replayed in the thread of the archive's queries, whatever
 * was hidden is shown as the replay shows it, and the picture is the same for ever. */
#ifndef SERVER_SHARING_H
#define SERVER_SHARING_H
#include "net/net.h"
#include "server/reader.h"
#include "server/server.h"

/* Answer requests for what follows /picture/, /m/ and /embed/ in the path. */
void sharing_picture(Server *server, const NetRequest *request, const char *path, NetReply *reply);
void sharing_preview(Server *server, const NetRequest *request, const char *path, NetReply *reply);
void sharing_embed(Server *server, const char *path, NetReply *reply);

/* In the thread: makes the picture or preview of ask->file in place of the file. */
void sharing_work(Ask *ask);

#endif
