/* notation.h -- the typed notation of an action, from a form for each verb of the game: "move
 * {unit} {cell}" is "move h0 3 4". */
#ifndef ENGINE_NOTATION_H
#define ENGINE_NOTATION_H
#include "include/mashup.h"

/* notation() of a game with verb_forms; verbs of every game are known here. Between { and }:
 *   unit, other     short names of these units
 *   cell            x and y
 *   direction       up, right, down or left, by `amount`
 *   kind, item      the id of number `ability` in that list
 *   placed          the id of the kind with number `amount` */
void notation_write(const MashContent *content, const void *state, MashAction action,
                    MashText *text);

#endif
