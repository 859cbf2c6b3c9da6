/* screen.h -- a position together with its choices, as `mashup play` and `mashup join` draw it. */
#ifndef CLI_TERMINAL_SCREEN_H
#define CLI_TERMINAL_SCREEN_H
#include "cli/terminal/action_menu.h"

/* Prints header, board and sides of the picture that was taken; during a draft, while the board is
 * empty, what can be chosen instead of the board. The menu is not printed. */
void screen_draw(const ActionMenu *choices, Picture *picture);
/* Takes the view again and prints the board with the remaining cells, and the menu. */
void screen_draw_menu(const ActionMenu *choices, Picture *picture, const void *view);

#endif
