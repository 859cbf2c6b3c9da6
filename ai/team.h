/* team.h -- one task searched by several, each a share of it: for machines with several cores.
 *
 * Every member has its own Ai for the same content, and searches on its own, in whatever thread and
 * order; nothing is shared while it does. From time to time, when all of them are done with a part,
 * they meet: what was found is brought together, and either they go on or the search is over. What
 * comes of it depends on the task and on the number of members alone, so with a limit of nodes it
 * is the same everywhere; a team of one plays as if alone.
 *
 *     uint32_t busy = ai_team_begin(members, count, &task);
 *     do
 *         for (uint32_t i = 0; i < busy; i++)   // or each in its thread
 *             while (!ai_step(members[i], 1000))
 *                 ;
 *     while (!ai_team_meet(members, busy));
 *     action = ai_answer(members[0]); */
#ifndef AI_TEAM_H
#define AI_TEAM_H
#include "ai/ai.h"

/* Most members of a team. */
enum { AI_TEAM_MAX = 16 };

/* Can a search in this game be shared? */
bool ai_can_share(const MashContent *content);
/* Starts a task for all members; each may search as many nodes as one alone. How many of them have
 * something to search: one where the first action is clear or the task cannot be shared, 0 where
 * the seat has nothing to choose. */
uint32_t ai_team_begin(Ai *const members[], uint32_t count, const AiTask *task);
/* The same for one of so many members; where the task cannot be shared, each of them does all of
 * it. False: the seat has nothing to choose. */
bool ai_begin_share(Ai *ai, const AiTask *task, uint32_t share, uint32_t shares);
/* Each member's ai_step() has returned true, or time is over. True: the search is over; the first
 * member's answer is that of the team. */
bool ai_team_meet(Ai *const members[], uint32_t count);

#endif
