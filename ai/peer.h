/* peer.h -- a frozen player for comparison: what the public programs for these games do. Private to
 * ai/. */
#ifndef AI_PEER_H
#define AI_PEER_H
#include "ai/walk.h"

/* It tries all ways to make its own turn, up to so many nodes, and knows nothing but what is shown:
 * who is there and how much health everybody has. */
typedef struct Peer {
    MashBoard board; /* lent arrays */
    int32_t best;
} Peer;

/* Begins with the moment of the task; thinks until the slice is used up (false) or all is done. */
void peer_begin(Ai *ai);
bool peer_step(Ai *ai);

#endif
