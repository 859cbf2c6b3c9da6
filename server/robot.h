/* robot.h -- AI players of the server, which think in threads. */
#ifndef SERVER_ROBOT_H
#define SERVER_ROBOT_H
#include "server/table.h"

/* Starts AI jobs for the AI players at the table whose turn it is. */
void robot_start_due(Table *table);
/* May this address have one more AI player of this level? False: it is counted, and the reason is
 * written. */
bool robot_may_play(Server *server, const Account *account, uint32_t level, MashText *reason);
/* The AI players at the table count for the budget from now on; or their match is over. */
void robot_hire(Table *table);
void robot_dismiss(Table *table);
/* Makes AI jobs of this table (NULL: of all) end soon. */
void robot_stop_early(Server *server, const Table *table);
/* The thread pool is closed: drops all AI jobs. */
void robot_drop_jobs(Server *server);

#endif
