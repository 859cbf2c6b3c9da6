/* names.h -- names of accounts: which are allowed, and which look alike. */
#ifndef SERVER_NAMES_H
#define SERVER_NAMES_H
#include "proto/message.h"

/* Room for a folded name with its NUL. */
enum { NAME_FOLDED_BYTES = 64 };

/* Folds a name to what it looks like: without case, width, accents, blanks and signs, letters of
 * other scripts as the Latin ones that look the same. Two names that fold alike are one name.
 * False: nothing is left, or it is too long. */
bool name_fold(const char *name, char folded[NAME_FOLDED_BYTES]);
/* May somebody have this name, which is cleaned already (session_sanitize())? REFUSAL_COUNT: yes,
 * and it is folded. */
Refusal name_check(const char *name, char folded[NAME_FOLDED_BYTES]);

#endif
