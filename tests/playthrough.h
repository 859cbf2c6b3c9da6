/* playthrough.h -- a random match as text that people can read: boards with both seats' views,
 * words of actions, sentences of events. Golden files hold such texts. */
#ifndef TESTS_PLAYTHROUGH_H
#define TESTS_PLAYTHROUGH_H
#include "include/mashup.h"

/* Appends the match that simulate_match() plays first with this seed: its first actions and its
 * end, all of it if it is short. */
void playthrough_write(const MashGame *game, const char *preset, uint64_t seed, MashText *text);

#endif
