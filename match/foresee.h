/* foresee.h -- what a seat will see after an action of its own, as far as it can know that: a
 * client shows it at once, and is told what really happened when the server has it. */
#ifndef MATCH_FORESEE_H
#define MATCH_FORESEE_H
#include "include/mashup.h"

/* How many bytes foresee() needs, aligned to 16. */
size_t foresee_bytes(const MashContent *content);

/* The seat's view after its action, in `after` (limits.state_bytes), from its view before; the
 * events that it will see are appended to those of the actions before it in the same step, none for
 * the first (with room for limits.events_max more). False: it cannot know that, because chance
 * decides, something hidden is revealed or matters, or the match ends; or the action is not legal,
 * or cannot follow in the step, because a turn has ended with it or it is full. Then `after` and
 * `events` are undefined. The memory is lent. */
bool foresee(const MashContent *content, const void *view, MashAction action, void *memory,
             void *after, MashEvents *events);

#endif
