/* live_view.h -- the page of a tournament over HTTP while it is played, with its boards: for a
 * projector. */
#ifndef CLI_TOURNAMENT_LIVE_VIEW_H
#define CLI_TOURNAMENT_LIVE_VIEW_H
#include "cli/tournament/runner.h"

/* A server in a thread of its own. */
typedef struct LiveView LiveView;

/* Serves the runner's tournament at this address; port 0: any that is free. NULL: an error was
 * printed. The runner's lock exists. */
LiveView *live_view_open(Runner *runner, const char *address, uint16_t port);
/* Where it listens. */
uint16_t live_view_port(const LiveView *view);
/* The tournament is over: pages stop asking. */
void live_view_finish(LiveView *view);
/* Ends it. NULL is ignored. */
void live_view_close(LiveView *view);

#endif
