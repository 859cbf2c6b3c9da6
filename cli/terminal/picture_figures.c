/* picture_figures.c -- the part of picture.h that prints the statistics at the end of a match, by
 * side and unit. */
#include <stdio.h>
#include <string.h>

#include "cli/terminal/picture.h"

enum {
    NAME_BYTES = 64,
    ROW_BYTES = 512,
    FIGURES_MOST = 16,
    FIGURE_COLUMNS = 6,
    WRAP_COLUMNS = 12, /* a longer name continues on the next line */
    NAME_LINES = 4,
};

/* One statistic: its name in lines, and their width. */
typedef struct Figure {
    uint8_t number;
    char lines[NAME_LINES][NAME_BYTES];
    uint32_t width;
} Figure;

/* The columns: statistics that are 0 for everybody are omitted. */
typedef struct FigureTable {
    const Picture *picture;
    const void *state;
    uint32_t count, label, lines;
    Figure figures[FIGURES_MOST];
} FigureTable;

/* One value of a unit or side. */
static int32_t figure_of(const FigureTable *table, uint8_t unit, uint8_t figure) {
    const MashContent *content = table->picture->content;
    return content->game->figure(content, table->state, unit, figure);
}

/* Is this statistic not 0 for any unit or side? */
static bool is_used(const FigureTable *table, uint8_t figure) {
    const MashBoard *board = &table->picture->board;
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        if (figure_of(table, (uint8_t)(MASH_UNIT_SIDE + seat), figure) != 0)
            return true;
    for (uint32_t i = 0; i < board->tokens_count; i++)
        if (figure_of(table, board->tokens[i].unit, figure) != 0)
            return true;
    return false;
}

/* Splits the statistic's name into lines; how many. */
static uint32_t wrap_name(const Picture *picture, Figure *figure) {
    char bytes[NAME_BYTES];
    MashText name = text_over(bytes, sizeof bytes);
    picture->content->game->name(picture->content, NULL, MASH_NAME_FIGURE, figure->number, &name);
    uint32_t lines = 0;
    figure->width = FIGURE_COLUMNS;
    MashText line = text_over(figure->lines[0], NAME_BYTES);
    for (char *word = strtok(bytes, " "); word != NULL; word = strtok(NULL, " ")) {
        uint32_t wanted = terminal_width(line.bytes) + 1 + terminal_width(word);
        if (line.count > 0 && wanted > WRAP_COLUMNS && lines + 1 < NAME_LINES)
            line = text_over(figure->lines[++lines], NAME_BYTES);
        text_format(&line, line.count > 0 ? " %s" : "%s", word);
        uint32_t width = terminal_width(line.bytes);
        figure->width = width > figure->width ? width : figure->width;
    }
    return lines + 1;
}

/* "  [h0] Human" */
static void put_label(const Picture *picture, const MashToken *token, MashText *text) {
    text_string(text, "  ");
    picture_unit(picture, token, text);
    if (!picture_needs_kind(picture, token))
        return;
    text_byte(text, ' ');
    picture_kind(picture, token, text);
}

/* The statistics that are not all 0, and the widths of their columns and labels. */
static FigureTable figure_table(const Picture *picture, const void *state) {
    FigureTable table = {.picture = picture, .state = state};
    uint32_t all = picture->content->game->figures_count;
    for (uint8_t i = 0; i < all && table.count < FIGURES_MOST; i++) {
        Figure *figure = &table.figures[table.count];
        if (!is_used(&table, i))
            continue;
        figure->number = i;
        uint32_t lines = wrap_name(picture, figure);
        table.lines = lines > table.lines ? lines : table.lines;
        table.count++;
    }
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        char bytes[ROW_BYTES];
        MashText label = text_over(bytes, sizeof bytes);
        put_label(picture, &picture->board.tokens[i], &label);
        uint32_t width = terminal_width(bytes) + 1;
        table.label = width > table.label ? width : table.label;
    }
    return table;
}

/* Appends the numbers; true if one of them is not zero. */
static bool put_figures(const FigureTable *table, uint8_t unit, MashText *row) {
    bool any = false;
    for (uint32_t i = 0; i < table->count; i++) {
        char bytes[NAME_BYTES];
        int32_t number = figure_of(table, unit, table->figures[i].number);
        snprintf(bytes, sizeof bytes, "%*d", (int)table->figures[i].width + 2, number);
        text_string(row, bytes);
        any |= number != 0;
    }
    return any;
}

/* The column headings, on as many lines as they need. */
static void print_names(const FigureTable *table) {
    for (uint32_t line = 0; line < table->lines; line++) {
        printf("%*s", (int)table->label, "");
        for (uint32_t i = 0; i < table->count; i++) {
            const Figure *figure = &table->figures[i];
            const char *words = figure->lines[line];
            printf("%*s%s", (int)(figure->width + 2 - terminal_width(words)), "", words);
        }
        putchar('\n');
    }
}

/* Prints the row of a side and those of its units that have statistics. */
static void print_side(const FigureTable *table, uint8_t seat) {
    const Picture *picture = table->picture;
    char bytes[ROW_BYTES];
    MashText row = text_over(bytes, sizeof bytes);
    picture_side(picture, seat, &row);
    terminal_pad(&row, 0, table->label);
    put_figures(table, (uint8_t)(MASH_UNIT_SIDE + seat), &row);
    puts(bytes);
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        const MashToken *token = &picture->board.tokens[i];
        if (token->seat != seat)
            continue;
        text_clear(&row);
        put_label(picture, token, &row);
        terminal_pad(&row, 0, table->label);
        if (put_figures(table, token->unit, &row))
            puts(bytes);
    }
}

void picture_print_figures(const Picture *picture, const void *state) {
    FigureTable table = figure_table(picture, state);
    if (table.count == 0)
        return;
    print_names(&table);
    for (uint8_t seat = 0; seat < MASH_SEATS; seat++)
        print_side(&table, seat);
}
