/* render.h -- the grounds of a board in a text: a sign for each, and what the signs stand for. */
#ifndef MATCH_RENDER_H
#define MATCH_RENDER_H
#include "include/mashup.h"

/* The sign of a kind of ground. */
char render_ground_sign(uint8_t ground);
/* One line: the signs of the grounds on this board with their names. Nothing if there is only one
 * ground. */
void render_legend(const MashContent *content, const MashBoard *board, MashText *text);

#endif
