/* screen.c -- see screen.h. */
#include "cli/screen.h"

#include <stdio.h>

void screen_draw(const Choices *choices, Picture *picture) {
    bool drafting =
        choices->all_count > 0 && picture_is_empty(picture) && !choices_have_cells(choices);
    choices_mark(choices, picture);
    choices_offer(choices, picture);
    picture_print_head(picture);
    if (drafting)
        picture_print_named(picture);
    else
        picture_print_board(picture, false);
    if (!picture->offering)
        putchar('\n');
    picture_print_sides(picture, false);
}

/* Where the cells in question are, if they are not all in sight: around the first of them. */
static void focus_on_choices(const Choices *choices, Picture *picture) {
    if (choices->members_count == 0 || choices->members_count == choices->all_count)
        return;
    MashAction action = choices->all[choices->members[0]].action;
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        const MashToken *token = &picture->board.tokens[i];
        if (token->unit == action.unit && token->place == MASH_ON_BOARD)
            picture_focus(picture, token->x, token->y);
    }
}

void screen_draw_menu(const Choices *choices, Picture *picture, const void *view) {
    picture_take(picture, view);
    choices_mark(choices, picture);
    focus_on_choices(choices, picture);
    putchar('\n');
    picture_print_board(picture, false);
    choices_print(choices, picture);
}
