/* screen.h -- a position together with what can be chosen in it, as `mashup play` and `mashup join`
 * draw it. */
#ifndef CLI_TERMINAL_SCREEN_H
#define CLI_TERMINAL_SCREEN_H
#include "cli/terminal/action_menu.h"

/* Prints head, board and sides of the picture that was taken; while teams are chosen and the board
 * is empty, what there is to choose instead of the board. The menu is not printed. */
void screen_draw(const ActionMenu *choices, Picture *picture);
/* Takes the view anew and prints the board with the cells in question, and the menu. */
void screen_draw_menu(const ActionMenu *choices, Picture *picture, const void *view);

#endif
