/* net_mark.h -- tells whether a net was trained on what the game's evaluator describes today. */
#ifndef AI_NET_MARK_H
#define AI_NET_MARK_H
#include "include/mashup.h"

/* A hash of what net_input() describes in a thousand positions of random matches of this content;
 * the shipped nets have that of the game's first preset as TableNet.features. `state`: memory for
 * one state; `list`: for limits.actions_max actions. */
uint64_t ai_net_mark(const MashContent *content, void *state, MashAction *list);

#endif
