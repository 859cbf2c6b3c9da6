/* net_input.h -- what a net is told of a position (base/table_net.h): each living unit by its
 * numbers, and by what it and the enemies could do to each other with their next order, whoever
 * stands in the way. */
#ifndef GAMES_ZORDE_NET_INPUT_H
#define GAMES_ZORDE_NET_INPUT_H
#include "games/zorde/state.h"

enum { NET_ROW_FEATURES = 23 }; /* of a unit */

/* See MashEvaluator; false: a side has more units than nets can be told of. */
bool zorde_net_input(const MashContent *content, const void *raw_state, TableNetInput *out);

#endif
