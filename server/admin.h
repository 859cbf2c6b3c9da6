/* admin.h -- operators: the admin socket and bans. */
#ifndef SERVER_ADMIN_H
#define SERVER_ADMIN_H
#include "net/net.h"
#include "server/bans.h"
#include "server/server.h"

/* Opens the admin socket in the server's folder, if it has one, and reads the bans there. */
void admin_open(Server *server);
void admin_close(Server *server);
/* Answers a command line of an operator. */
void admin_answer(Server *server, const char *line, NetAdminReply *answer);
/* Reloads the bans, which somebody may have edited. */
void admin_reload(Server *server);
/* The ban that is in force for this address; NULL: none. */
const Ban *admin_ban(const Server *server, BanKind kind, const char *address);
/* A ban as a sentence for the banned client. */
void admin_write_ban(const Ban *ban, MashText *text);

/* Another node has changed the list of bans, which is in force here as well. */
void admin_take_shared(Server *server);

#endif
