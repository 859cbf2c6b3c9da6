/* foresee.h -- what a seat will see after an action of its own, as far as it can know that: a
 * client shows it at once, and is told what really happened when the server has it. */
#ifndef MATCH_FORESEE_H
#define MATCH_FORESEE_H
#include "include/mashup.h"

/* How many bytes foresee() needs, aligned to 16. */
size_t foresee_bytes(const MashContent *content);

/* The seat's view after its action, in `after` (limits.state_bytes), and the events that it will
 * see (room for limits.events_max), from its view before. False: it cannot know that, because
 * chance decides, something hidden is revealed or matters, or the match ends; or the action is not
 * legal. Then `after` and `events` are undefined. The memory is lent. */
bool foresee(const MashContent *content, const void *view, MashAction action, void *memory,
             void *after, MashEvents *events);

#endif
