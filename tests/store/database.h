/* database.h -- a real PostgreSQL for tests: started in a temporary folder as an ordinary user,
 * reached over a socket in that folder, and gone with the test, also if that is killed. */
#ifndef TESTS_STORE_DATABASE_H
#define TESTS_STORE_DATABASE_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A server with its data. */
typedef struct Database {
    char folder[64]; /* of the data; the socket is in it */
    pid_t process;   /* 0 = it does not run */
} Database;

/* Makes a new folder of data and starts a server. False = it cannot be started here: the reason was
 * printed, and the test is to be skipped. */
bool database_open(Database *database);
/* Makes a standby of a running server, and starts it; the primary then waits for it at each
 * commit. */
bool database_open_standby(Database *standby, const Database *primary);
/* Starts the server again on its data, and waits until it answers. */
void database_start(Database *database);
/* Ends the server: SIGKILL to all its processes, or in an orderly way (SIGINT). */
void database_kill(Database *database);
void database_stop(Database *database);
/* Stops all its processes (SIGSTOP), and lets them go on: a machine that hangs. */
void database_freeze(const Database *database, bool freezes);
/* Makes a standby a primary. */
void database_promote(const Database *database);
/* Ends it and removes the folder. */
void database_close(Database *database);

/* Runs statements in a database of the server; the first value of the answer in a buffer that the
 * next call overwrites. They must succeed. */
const char *database_ask(const Database *database, const char *name, const char *sql);
/* The database `postgres` has no tables any more. */
void database_empty(const Database *database);

/* Passes bytes between clients and a server's socket, and cuts connections on request. */
typedef struct DatabaseRelay DatabaseRelay;
/* A relay in front of the server, with a socket in a folder of its own. */
DatabaseRelay *relay_open(const Database *database);
/* The folder of its socket, for `host=`. */
const char *relay_folder(const DatabaseRelay *relay);
/* From now on: once `bytes` more bytes have passed in one direction (up: to the server), over all
 * connections together, all are cut at that byte, once. */
void relay_cut_after(DatabaseRelay *relay, bool up, uint32_t bytes);
/* How many cuts there were, and the bytes that passed in one direction since relay_cut_after(). */
uint32_t relay_cuts(DatabaseRelay *relay);
uint64_t relay_passed(DatabaseRelay *relay, bool up);
/* Nothing passes any more, in no direction, and nobody is told (a cable is out); or it does
 * again. */
void relay_block(DatabaseRelay *relay, bool blocks);
void relay_close(DatabaseRelay *relay);

#endif
