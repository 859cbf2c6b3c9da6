/* action.h -- actions as they are written: by their notation, or as a JSON object in one of the
 * three spellings of the request `act`. */
#ifndef PROTO_ACTION_H
#define PROTO_ACTION_H
#include "proto/message.h"

/* The legal action of a seat with this notation, in upper or lower case; `list` has space for
 * limits.actions_max. False: there is none. */
bool action_find(const MashContent *content, const void *view, uint8_t seat, const char *word,
                 MashAction *list, MashAction *out);

/* An action that was read. */
typedef struct ActionRead {
    bool has_seat;                     /* `action.seat` was given */
    MashAction action;                 /* unless it is a word */
    char word[PROTO_NOTATION_MAX + 1]; /* its notation; empty: it has none */
} ActionRead;

/* The keys of an action: word, action, verb, unit, ability, x, y, other, amount, seat. */
enum { ACTION_KEYS = 10 };
extern const char *const action_keys[ACTION_KEYS];

/* Reads an action from the members of an object: `word`, or `action` (16 hexadecimal digits), or
 * `verb` and what else it needs. False: it is none of these, with a problem. */
bool action_read(const Json *json, uint32_t object, ActionRead *out, MashProblems *problems);

#endif
