/* action_menu_print.c -- the output of action_menu.h: the menu in columns, and the numbers on the
 * board. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/action_menu.h"

enum {
    ENTRY_BYTES = 256,
    LINE_BYTES = 2048,
    NUMBERED_MOST = 999, /* beyond this many, cells get a + instead of a number */
    LISTED_MOST = 24,    /* cells that are listed in addition to their numbers on the board */
    OFFERS_MOST = 100,   /* a number has two digits in a table of units */
    HEADINGS_FEW = 4,
    GAP_COLUMNS = 3,
};

/* The first choice of a row, which represents the row. */
static const MenuEntry *first_of(const ActionMenu *choices, uint32_t row) {
    return &choices->all[choices->rows[row].first];
}

/* Does it end in a cell? */
static bool last_is_cell(const MenuEntry *choice) {
    return choice->parts_count > 0 && choice->parts[choice->parts_count - 1].is_cell;
}

/* Is a cell all that is left to choose? */
static bool cells_left(const ActionMenu *choices) {
    for (uint32_t i = 0; i < choices->members_count; i++) {
        const MenuEntry *choice = &choices->all[choices->members[i]];
        if (choice->parts_count != choices->common + 1 || !last_is_cell(choice))
            return false;
    }
    return choices->members_count > 0;
}

/* The cell that the last part names; false if it is off the board. */
static bool cell_of(const ActionMenu *choices, const MenuEntry *choice, int *x, int *y) {
    char *end;
    const char *words = choices->pool.bytes + choice->parts[choice->parts_count - 1].start;
    long column = strtol(words, &end, 10), row = strtol(end, NULL, 10);
    *x = (int)column;
    *y = (int)row;
    return column >= 0 && row >= 0 && column < choices->content->limits.width &&
           row < choices->content->limits.height;
}

void action_menu_mark(const ActionMenu *choices, Picture *picture) {
    if (!cells_left(choices))
        return;
    bool numbered = choices->members_count <= NUMBERED_MOST;
    for (uint32_t i = 0; i < choices->members_count; i++) {
        int x, y;
        if (!cell_of(choices, &choices->all[choices->members[i]], &x, &y))
            continue;
        size_t cell = (size_t)y * picture->content->limits.width + (size_t)x;
        picture->marks[cell] = numbered ? (uint16_t)(i + 1) : PICTURE_MARK;
    }
}

/* Is this part the name of the unit? */
static bool names_unit(const ActionMenu *choices, const Picture *picture, const ChoicePart *part,
                       const MashToken *token) {
    char bytes[ENTRY_BYTES];
    MashText name = text_over(bytes, sizeof bytes);
    if (token == NULL)
        return false;
    picture_name(picture, token, &name);
    return name.count == part->bytes &&
           memcmp(bytes, choices->pool.bytes + part->start, part->bytes) == 0;
}

/* The unit that a part names: the one that acts or the other. NULL: it names none. */
static const MashToken *token_named(const ActionMenu *choices, const Picture *picture,
                                    const MenuEntry *choice, uint32_t index) {
    const uint8_t units[] = {choice->action.unit, choice->action.other};
    for (uint32_t i = 0; i < 2 && index < choice->parts_count; i++) {
        const MashToken *token = picture_token_of(picture, units[i]);
        if (names_unit(choices, picture, &choice->parts[index], token))
            return token;
    }
    return NULL;
}

bool action_menu_have_cells(const ActionMenu *choices) {
    for (uint32_t i = 0; i < choices->all_count; i++)
        if (last_is_cell(&choices->all[i]))
            return true;
    return false;
}

bool action_menu_offer(const ActionMenu *choices, Picture *picture) {
    bool offering = choices->rows_count > 1 && choices->rows_count < OFFERS_MOST &&
                    choices->members_count == choices->all_count && choices->common > 0 &&
                    picture_is_empty(picture);
    for (uint32_t row = 0; offering && row < choices->rows_count; row++) {
        const MenuEntry *choice = first_of(choices, row);
        const MashToken *token = token_named(choices, picture, choice, choices->common);
        offering = token != NULL && choice->parts_count == choices->common + 1;
        if (offering)
            picture->offers[token->unit] = (uint8_t)(row + 1);
    }
    picture->offering = offering;
    return offering;
}

/* Appends one part; a unit's name in its side's marks, with its kind if the name does not make it
 * clear. In a long menu the unit that acts is not explained in every row. */
static void put_part(const ActionMenu *choices, const Picture *picture, const MenuEntry *choice,
                     uint32_t index, MashText *text) {
    const ChoicePart *part = &choice->parts[index];
    const MashToken *token = index == 0 ? NULL : token_named(choices, picture, choice, index);
    if (token == NULL) {
        text_bytes(text, choices->pool.bytes + part->start, part->bytes);
        return;
    }
    picture_unit(picture, token, text);
    bool acting = token->unit == picture->board.active && choices->common == 0;
    if (acting || token->flags & MASH_TOKEN_HIDDEN || !picture_needs_kind(picture, token))
        return;
    terminal_style(picture->terminal, STYLE_FAINT, text);
    text_byte(text, ' ');
    picture_kind(picture, token, text);
    terminal_style(picture->terminal, STYLE_PLAIN, text);
}

/* Appends parts `from` to `to` with blanks between. */
static void put_parts(const ActionMenu *choices, const Picture *picture, const MenuEntry *choice,
                      uint32_t from, uint32_t to, MashText *text) {
    for (uint32_t i = from; i < to && i < choice->parts_count; i++) {
        if (i > from)
            text_byte(text, ' ');
        put_part(choices, picture, choice, i, text);
    }
}

/* Explains a verb without parameters where its name says more: "layout (use the printed
 * layout)". */
static void put_meaning(const ActionMenu *choices, const Picture *picture, const MenuEntry *choice,
                        MashText *text) {
    char bytes[ENTRY_BYTES];
    MashText name = text_over(bytes, sizeof bytes);
    const ChoicePart *word = &choice->parts[0];
    if (choice->parts_count != 1)
        return;
    const MashContent *content = choices->content;
    content->game->name(content, NULL, MASH_NAME_VERB, choice->action.verb, &name);
    if (name.count <= word->bytes)
        return;
    terminal_style(picture->terminal, STYLE_FAINT, text);
    text_format(text, " (%s)", bytes);
    terminal_style(picture->terminal, STYLE_PLAIN, text);
}

/* "3) h0 Human (8 cells)", "4) h0 Human 3 4 <t0>" */
static void put_entry(const ActionMenu *choices, const Picture *picture, uint32_t row,
                      uint32_t from, MashText *text) {
    const MenuEntry *choice = first_of(choices, row);
    uint32_t count = choices->rows[row].count;
    terminal_style(picture->terminal, STYLE_CHOICE, text);
    text_format(text, "%u)", row + 1);
    terminal_style(picture->terminal, STYLE_PLAIN, text);
    text_byte(text, ' ');
    uint32_t to = choice->parts_count;
    if (count > 1 && last_is_cell(choice) && !choices->rows[row].cells)
        to--;
    if (count > 1 && to > choices->rows[row].depth)
        to = choices->rows[row].depth;
    put_parts(choices, picture, choice, from, to, text);
    if (count > 1) {
        text_format(text, " (%u %s)", count, last_is_cell(choice) ? "cells" : "ways");
        return;
    }
    put_meaning(choices, picture, choice, text);
    int x, y;
    if (!last_is_cell(choice) || !cell_of(choices, choice, &x, &y))
        return;
    const MashToken *token = picture_token_at(picture, x, y);
    if (token != NULL) {
        text_byte(text, ' ');
        picture_unit(picture, token, text);
    }
}

/* The part that a row may be grouped under in the menu; rows with one more part are not grouped. */
static const ChoicePart *part_above(const ActionMenu *choices, uint32_t row) {
    const MenuEntry *choice = first_of(choices, row);
    bool long_enough =
        choice->parts_count > choices->common + 1 && choices->rows[row].depth > choices->common + 1;
    return long_enough ? &choice->parts[choices->common] : NULL;
}

/* Are two headings the same? NULL: no heading. */
static bool same_heading(const ActionMenu *choices, const ChoicePart *a, const ChoicePart *b) {
    if (a == NULL || b == NULL)
        return a == b;
    return a->bytes == b->bytes &&
           memcmp(choices->pool.bytes + a->start, choices->pool.bytes + b->start, a->bytes) == 0;
}

/* Headings save space only if most of them have several rows. */
static bool headings_pay(const ActionMenu *choices) {
    uint32_t groups = 0;
    for (uint32_t row = 0; row < choices->rows_count; row++)
        groups += row == 0 ||
                  !same_heading(choices, part_above(choices, row - 1), part_above(choices, row));
    return groups <= HEADINGS_FEW || groups * 2 <= choices->rows_count;
}

/* The heading of a row: it must have more than one row. */
static const ChoicePart *heading_of(const ActionMenu *choices, uint32_t row) {
    const ChoicePart *part = part_above(choices, row);
    if (part == NULL || !headings_pay(choices))
        return NULL;
    bool like_last = row > 0 && same_heading(choices, part, part_above(choices, row - 1));
    bool like_next =
        row + 1 < choices->rows_count && same_heading(choices, part, part_above(choices, row + 1));
    return like_last || like_next ? part : NULL;
}

/* The width of the widest entry in a group of rows. */
static uint32_t entry_width(const ActionMenu *choices, const Picture *picture, uint32_t from,
                            uint32_t to, uint32_t first_part) {
    uint32_t widest = 0;
    for (uint32_t row = from; row < to; row++) {
        char bytes[ENTRY_BYTES];
        MashText text = text_over(bytes, sizeof bytes);
        put_entry(choices, picture, row, first_part, &text);
        uint32_t width = terminal_width(bytes);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* The heading as text; empty if the rows have none. */
static void put_heading(const ActionMenu *choices, const Picture *picture, uint32_t row,
                        MashText *text) {
    if (heading_of(choices, row) != NULL)
        put_part(choices, picture, first_of(choices, row), choices->common, text);
}

/* Prints a line without the blanks at its end, and empties it. */
static void print_line(MashText *line) {
    while (line->count > 0 && line->bytes[line->count - 1] == ' ')
        line->bytes[--line->count] = '\0';
    puts(line->bytes);
    text_clear(line);
}

/* Prints rows `from` to `to` in columns after their heading. */
static void print_group(const ActionMenu *choices, const Picture *picture, uint32_t from,
                        uint32_t to, uint32_t heading_columns) {
    uint32_t first_part = choices->common + (heading_of(choices, from) != NULL);
    if (heading_of(choices, from) == NULL)
        heading_columns = 2; /* rows without a heading are not under the last one */
    uint32_t width = entry_width(choices, picture, from, to, first_part) + GAP_COLUMNS;
    char bytes[LINE_BYTES];
    MashText line = text_over(bytes, sizeof bytes);
    text_string(&line, "  ");
    put_heading(choices, picture, from, &line);
    terminal_pad(&line, 0, heading_columns);
    uint32_t columns = heading_columns;
    for (uint32_t row = from; row < to; row++) {
        if (row > from && columns + width > (uint32_t)picture->terminal->columns + GAP_COLUMNS) {
            print_line(&line);
            terminal_pad(&line, 0, heading_columns);
            columns = heading_columns;
        }
        uint32_t start = line.count;
        put_entry(choices, picture, row, first_part, &line);
        terminal_pad(&line, start, width);
        columns += width;
    }
    print_line(&line);
}

/* Prints the rows of the menu, those under one heading together. */
static void print_groups(const ActionMenu *choices, const Picture *picture) {
    uint32_t heading_columns = 2;
    for (uint32_t row = 0; row < choices->rows_count; row++) {
        char bytes[ENTRY_BYTES];
        MashText heading = text_over(bytes, sizeof bytes);
        put_heading(choices, picture, row, &heading);
        uint32_t wanted = heading.count == 0 ? 2 : terminal_width(bytes) + 4;
        heading_columns = wanted > heading_columns ? wanted : heading_columns;
    }
    for (uint32_t from = 0, to; from < choices->rows_count; from = to) {
        to = from + 1;
        while (to < choices->rows_count &&
               same_heading(choices, heading_of(choices, from), heading_of(choices, to)))
            to++;
        print_group(choices, picture, from, to, heading_columns);
    }
}

/* What all members begin with, as a line of its own. */
static void print_common(const ActionMenu *choices, const Picture *picture, const char *behind) {
    char bytes[ENTRY_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    put_parts(choices, picture, &choices->all[choices->members[0]], 0, choices->common, &text);
    printf("  %s%s\n", bytes, behind);
}

void action_menu_print(const ActionMenu *choices, const Picture *picture) {
    if (choices->members_count == 0)
        return;
    char bytes[ENTRY_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    bool cells = cells_left(choices);
    if (cells && choices->members_count > NUMBERED_MOST)
        text_format(&text, ": choose one of the %u cells marked +, as X Y", choices->members_count);
    else if (cells)
        text_format(&text, ": %u cells; type a number from the board, or X Y",
                    choices->members_count);
    else
        text_byte(&text, ':');
    if (picture->offering) {
        print_common(choices, picture,
                     ": type a number or a name; type units or about NAME for details");
        return;
    }
    if (choices->common > 0)
        print_common(choices, picture, bytes);
    if (!cells || choices->members_count <= LISTED_MOST)
        print_groups(choices, picture);
    if (choices->members_count < choices->all_count)
        puts("  0) back");
}
