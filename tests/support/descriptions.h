/* descriptions.h -- what tests of a game's describe() share. */
#ifndef TESTS_SUPPORT_DESCRIPTIONS_H
#define TESTS_SUPPORT_DESCRIPTIONS_H
#include "include/mashup.h"

/* The description of an entry, valid until the next call. The test fails if it is truncated or
 * shows a part of its template. */
const char *description(const MashContent *content, MashNames list, uint8_t index);
/* The test fails unless the text contains this number as a separate word; `what` names it in the
 * message. */
void description_has(const char *words, int32_t number, const char *what);
/* For the default content in each shipped language: the test fails unless every kind, ability, item
 * and effect that has a name is described, and nothing else among them; then `check` tests the
 * numbers. */
void descriptions_check(const MashGame *game, void (*check)(const MashContent *));

#endif
