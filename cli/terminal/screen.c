/* screen.c -- see screen.h. */
#include "cli/terminal/screen.h"

#include <stdio.h>

void screen_draw(const ActionMenu *choices, Picture *picture) {
    bool drafting =
        choices->all_count > 0 && picture_is_empty(picture) && !action_menu_have_cells(choices);
    action_menu_mark(choices, picture);
    action_menu_offer(choices, picture);
    picture_print_head(picture);
    if (drafting)
        picture_print_named(picture);
    else
        picture_print_board(picture, false);
    if (!picture->offering)
        putchar('\n');
    picture_print_sides(picture, false);
}

/* Where the remaining cells are, if not all are visible: around the first of them. */
static void focus_on_choices(const ActionMenu *choices, Picture *picture) {
    if (choices->members_count == 0 || choices->members_count == choices->all_count)
        return;
    MashAction action = choices->all[choices->members[0]].action;
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        const MashToken *token = &picture->board.tokens[i];
        if (token->unit == action.unit && token->place == MASH_ON_BOARD)
            picture_focus(picture, token->x, token->y);
    }
}

void screen_draw_menu(const ActionMenu *choices, Picture *picture, const void *view) {
    picture_take(picture, view);
    action_menu_mark(choices, picture);
    focus_on_choices(choices, picture);
    putchar('\n');
    picture_print_board(picture, false);
    action_menu_print(choices, picture);
}
