/* crew.h -- thinks about one decision with several threads: the threads and the memory for
 * ai/team.h. One share of each task is searched by the caller, the others by threads of the crew.
 * With one thread it is a plain search, and there are no threads at all.
 *
 *     if (crew_begin(crew, &task))
 *         while (!crew_step(crew, 1000) && time_is_left())
 *             ;
 *     action = crew_answer(crew); */
#ifndef CLIENT_CREW_H
#define CLIENT_CREW_H
#include "ai/team.h"

typedef struct Crew Crew;

/* Opens one of 1 to AI_TEAM_MAX threads, the caller's included, for content that must stay valid.
 * NULL: no memory. */
Crew *crew_open(const MashContent *content, uint32_t threads);
/* Stops and releases it. NULL is ignored. */
void crew_close(Crew *crew);
/* As ai_is_for(). */
bool crew_is_for(const Crew *crew, const MashContent *content);
/* Starts a task; its view is copied. One that is being searched is given up. False: the seat has
 * nothing to choose. */
bool crew_begin(Crew *crew, const AiTask *task);
/* Continues for at most this many nodes of the caller's share, or waits some milliseconds for the
 * others. True: the search is finished. */
bool crew_step(Crew *crew, uint32_t nodes);
/* The best action so far, as ai_answer(). Threads that still search are stopped, which takes some
 * milliseconds. */
MashAction crew_answer(Crew *crew);
/* Stops the threads, without an answer. */
void crew_stop(Crew *crew);
/* Nodes spent on the task by all. */
uint64_t crew_nodes(const Crew *crew);

#endif
