/* playthrough.h -- a random match as readable text: boards with both seats' views, notation of
 * actions, sentences of events. Golden files hold such texts. */
#ifndef TESTS_MATCH_PLAYTHROUGH_H
#define TESTS_MATCH_PLAYTHROUGH_H
#include "include/mashup.h"

/* How the actions of a match are drawn. */
typedef enum PlaythroughWay {
    PLAYTHROUGH_BY_ACTION, /* all alike: the first match that simulate_match() plays by this seed */
    PLAYTHROUGH_BY_VERB, /* first the verb, then the action: rare things happen, long drafts end */
} PlaythroughWay;

/* Appends the match: its first actions and its end, all of it if it is short. */
void playthrough_write(const MashGame *game, const char *preset, uint64_t seed, PlaythroughWay way,
                       MashText *text);

#endif
