/* nodes.h -- servers of one test as nodes that share a store: which tables each has, where players
 * of a kind wait, and small documents. Each keeps its own journal and archive. */
#ifndef TESTS_SERVER_FAKE_NODES_H
#define TESTS_SERVER_FAKE_NODES_H
#include "server/internal.h"

/* From now on the server is a node with the number of its setup; nodes reach it at its port. */
void fake_nodes_add(Server *server);
/* It is none any more: to be called before it closes. Its tables and claims are gone. */
void fake_nodes_remove(Server *server);
/* All nodes take what is shared with them. */
void fake_nodes_poll(void);

#endif
