/* limits.h -- limits that may be changed while the server runs. */
#ifndef SERVER_LIMITS_H
#define SERVER_LIMITS_H
#include "base/text.h"
#include "server/server.h"

/* Every limit with its value and meaning, one per line, after "ok". */
void limits_write(void *server, MashText *text);
/* Changes a limit. False: see the problem. */
bool limits_set(Server *server, const char *name, const char *value, MashText *problem);
/* Reads the file of settings, if there is one; logs what is wrong in it. */
void limits_load(Server *server);

#endif
