/* picture_sides.c -- the part of picture.h that prints the units of both sides in columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/terminal/picture.h"

enum {
    NAME_BYTES = 64,
    ROW_BYTES = 512,
    ROWS_MAX = 280, /* a heading, all units, two lists */
    BAR_CELLS = 10,
    FIELDS_MAX = 8,
    LIST_COLUMNS = 60,
    PLACE_COLUMNS = 6,
    GAP_COLUMNS = 3,
    MARK_COLUMNS = 2,   /* before a unit's name: > for the one that acts */
    NUMBER_COLUMNS = 4, /* there in a draft: the number in the menu */
    BEHIND_COLUMNS = 6, /* after the columns: " ..." or "  done" */
};

/* One side's rows. */
typedef struct Column {
    char (*rows)[ROW_BYTES];
    uint32_t count, width;
} Column;

/* A meter that most units have, so that it gets a column of its own. */
typedef struct SideField {
    uint8_t what;
    bool bar;
    uint32_t width;
} SideField;

/* The columns of both sides' tables. */
typedef struct Layout {
    const Picture *picture;
    bool all; /* every unit and every meter, however many */
    bool crowd;
    uint32_t front, name, kind, place; /* widths */
    SideField fields[FIELDS_MAX];
    uint32_t fields_count;
} Layout;

/* A row to write to; the last one again if there is no space. */
static MashText new_row(Column *column) {
    uint32_t index = column->count < ROWS_MAX - 1 ? column->count++ : ROWS_MAX - 1;
    return text_over(column->rows[index], ROW_BYTES);
}

/* The row is written: widens the column to it if necessary. */
static void close_row(Column *column, const MashText *row) {
    uint32_t width = terminal_width(row->bytes);
    column->width = width > column->width ? width : column->width;
}

/* Does the token belong to this seat, or to neither for no seat? */
static bool is_of(const MashToken *token, uint8_t seat) {
    return token->seat == seat || (token->seat >= MASH_SEATS && seat >= MASH_SEATS);
}

/* --- Meters ----------------------------------------------------------------------------------- */

/* The next meter of a unit or side; a token that is not a unit yet has none. */
static const MashMeter *next_meter(const Picture *picture, uint8_t unit, uint32_t *from) {
    while (*from < picture->board.meters_count && unit != MASH_UNIT_NONE) {
        const MashMeter *meter = &picture->board.meters[(*from)++];
        if (meter->unit == unit)
            return meter;
    }
    return NULL;
}

/* Is its value a word: a type, a condition? */
static bool is_word(const MashMeter *meter) { return meter->role == MASH_ROLE_TRAIT; }

/* Is it an independent value that may get a column? */
static bool is_plain(const MashMeter *meter) {
    return (meter->about == 0 && meter->about_list == 0) || is_word(meter);
}

/* The plain meter of a unit with this meaning, or NULL. */
static const MashMeter *meter_of(const Picture *picture, uint8_t unit, uint8_t what) {
    uint32_t from = 0;
    const MashMeter *meter;
    while ((meter = next_meter(picture, unit, &from)) != NULL)
        if (meter->meter == what && is_plain(meter))
            return meter;
    return NULL;
}

/* Is there a column for this meter? */
static bool has_field(const Layout *layout, uint8_t what) {
    for (uint32_t i = 0; i < layout->fields_count; i++)
        if (layout->fields[i].what == what)
            return true;
    return false;
}

/* Ten cells, filled in proportion: none only at 0, all only at the maximum. */
static void put_bar(const Picture *picture, const MashMeter *meter, MashText *text) {
    const Terminal *terminal = picture->terminal;
    int64_t full = (int64_t)meter->now * BAR_CELLS / meter->most;
    if (full == 0 && meter->now > 0)
        full = 1;
    terminal_style(terminal, full * 10 <= BAR_CELLS * 3 ? STYLE_BAD : STYLE_GOOD, text);
    for (int64_t i = 0; i < BAR_CELLS; i++) {
        if (i < full)
            text_string(text, terminal->utf8 ? "\u2588" : "#");
        else
            text_string(text, terminal->utf8 ? "\u2591" : "-");
    }
    terminal_style(terminal, STYLE_PLAIN, text);
}

/* "120/300", "30" or "hero" */
static void put_value(const Picture *picture, const MashMeter *meter, MashText *text) {
    if (is_word(meter)) {
        uint8_t index = meter->about;
        for (int32_t bits = meter->now; bits > 1; bits >>= 1)
            index++;
        picture->content->game->name(picture->content, NULL, MASH_NAME_TRAIT, index, text);
        return;
    }
    text_int(text, meter->now);
    if (meter->most > 0)
        text_format(text, "/%d", meter->most);
}

/* Right-aligns text in this many columns; longer text is not cut. */
static void put_right(MashText *text, const char *words, uint32_t columns) {
    for (uint32_t width = terminal_width(words); width < columns; width++)
        text_byte(text, ' ');
    text_string(text, words);
}

/* Has the unit a meter that has a column? */
static bool has_fields(const Layout *layout, uint8_t unit) {
    for (uint32_t i = 0; i < layout->fields_count; i++)
        if (meter_of(layout->picture, unit, layout->fields[i].what) != NULL)
            return true;
    return false;
}

/* The meters of a unit, each in its column, which stays blank if the unit does not have it. */
static void put_fields(const Layout *layout, uint8_t unit, MashText *row) {
    for (uint32_t i = 0; i < layout->fields_count; i++) {
        const SideField *field = &layout->fields[i];
        const MashMeter *meter = meter_of(layout->picture, unit, field->what);
        char bytes[NAME_BYTES];
        MashText value = text_over(bytes, sizeof bytes);
        if (meter != NULL)
            put_value(layout->picture, meter, &value);
        uint32_t bar = field->bar ? BAR_CELLS + 1 : 0;
        put_right(row, bytes, field->width - bar + 2);
        if (bar == 0)
            continue;
        text_byte(row, ' ');
        uint32_t start = row->count;
        if (meter != NULL && meter->most > 0)
            put_bar(layout->picture, meter, row);
        terminal_pad(row, start, BAR_CELLS);
    }
}

/* Meters without a column, as text: as many as fit the screen, or in further rows. */
static void put_rest(const Layout *layout, uint8_t unit, Column *column, MashText *row) {
    const uint32_t columns = (uint32_t)layout->picture->terminal->columns;
    uint32_t from = 0;
    const MashMeter *meter;
    while ((meter = next_meter(layout->picture, unit, &from)) != NULL) {
        char bytes[ROW_BYTES];
        MashText words = text_over(bytes, sizeof bytes);
        if ((is_plain(meter) && has_field(layout, meter->meter)) ||
            picture_meter_in_title(layout->picture, meter))
            continue;
        picture_meter(layout->picture, meter, &words);
        uint32_t width = terminal_width(row->bytes);
        bool fits = width + 6 + terminal_width(bytes) <= columns;
        if (!fits && !layout->all) {
            text_string(row, width + 4 <= columns ? " ..." : "");
            return;
        }
        if (!fits) {
            close_row(column, row);
            *row = new_row(column);
            terminal_pad(row, 0, layout->name + 4);
        }
        text_format(row, "  %s", bytes);
    }
}

/* --- The layout ------------------------------------------------------------------------------- */

/* How many of the units that get a row have this meter, and the width of its values. */
static uint32_t count_meter(const Picture *picture, uint8_t what, uint32_t *width) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        if (picture->board.tokens[i].place == MASH_GONE)
            continue;
        const MashMeter *meter = meter_of(picture, picture->board.tokens[i].unit, what);
        if (meter == NULL)
            continue;
        char bytes[NAME_BYTES];
        MashText value = text_over(bytes, sizeof bytes);
        put_value(picture, meter, &value);
        *width = value.count > *width ? value.count : *width;
        count++;
    }
    return count;
}

/* The width of its values and its name. */
static SideField field_of(const Picture *picture, uint8_t what, bool bar) {
    uint32_t width = 0;
    count_meter(picture, what, &width);
    width += bar ? BAR_CELLS + 1 : 0;
    char bytes[NAME_BYTES];
    MashText name = text_over(bytes, sizeof bytes);
    picture->content->game->name(picture->content, NULL, MASH_NAME_METER, what, &name);
    uint32_t name_width = terminal_width(bytes);
    return (SideField){.what = what, .bar = bar, .width = name_width > width ? name_width : width};
}

/* Gives a meter a column if it is plain and at least half of the units have it. A single column
 * gets a bar. */
static void add_field(Layout *layout, const MashMeter *meter, uint32_t units) {
    uint32_t width = 0;
    if (!is_plain(meter) || has_field(layout, meter->meter) || layout->fields_count == FIELDS_MAX ||
        count_meter(layout->picture, meter->meter, &width) * 2 < units)
        return;
    bool bar = meter->most > 0;
    for (uint32_t i = 0; i < layout->fields_count; i++)
        bar &= !layout->fields[i].bar;
    layout->fields[layout->fields_count++] = field_of(layout->picture, meter->meter, bar);
}

/* Where the columns begin. */
static uint32_t fields_start(const Layout *layout) {
    uint32_t kind = layout->kind > 0 ? layout->kind + 1 : 0;
    return layout->front + layout->name + 3 + kind + layout->place;
}

/* Makes the rows fit the screen: first drops the bar, then turns the last columns into text. Names
 * are never cut. */
static void narrow(Layout *layout) {
    uint32_t room = (uint32_t)layout->picture->terminal->columns, width = BEHIND_COLUMNS;
    for (uint32_t i = 0; i < layout->fields_count; i++)
        width += layout->fields[i].width + 2;
    for (uint32_t i = 0; i < layout->fields_count; i++) {
        if (!layout->fields[i].bar || fields_start(layout) + width <= room)
            continue;
        SideField old = layout->fields[i];
        layout->fields[i] = field_of(layout->picture, old.what, false);
        width -= old.width - layout->fields[i].width;
    }
    while (layout->fields_count > 1 && fields_start(layout) + width > room)
        width -= layout->fields[--layout->fields_count].width + 2;
}

/* Computes the layout of rows: which meters get a column, and all widths. */
static Layout layout_of(const Picture *picture, bool all) {
    Layout layout = {.picture = picture,
                     .all = all,
                     .crowd = !all && !picture->offering && picture_crowded(picture),
                     .front = picture->offering ? NUMBER_COLUMNS : MARK_COLUMNS,
                     .place = picture->offering ? 0 : PLACE_COLUMNS};
    uint32_t units = 0;
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        char bytes[NAME_BYTES];
        MashText text = text_over(bytes, sizeof bytes);
        const MashToken *token = &picture->board.tokens[i];
        units += token->place != MASH_GONE && !(token->flags & MASH_TOKEN_HIDDEN);
        picture_name(picture, token, &text);
        uint32_t width = terminal_width(bytes);
        layout.name = width > layout.name ? width : layout.name;
        if (!picture_needs_kind(picture, token))
            continue;
        text_clear(&text);
        picture_kind(picture, token, &text);
        width = terminal_width(bytes);
        layout.kind = width > layout.kind ? width : layout.kind;
    }
    for (uint32_t i = 0; i < picture->board.meters_count; i++)
        if (picture->board.meters[i].unit < MASH_UNIT_SIDE)
            add_field(&layout, &picture->board.meters[i], units);
    narrow(&layout);
    return layout;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Has the unit a meter that most others do not have? In a crowd only such units get a row. */
static bool is_special(const Layout *layout, uint8_t unit) {
    uint32_t from = 0;
    const MashMeter *meter;
    while ((meter = next_meter(layout->picture, unit, &from)) != NULL)
        if (!(is_plain(meter) && has_field(layout, meter->meter)) && !meter->about_set)
            return true;
    return false;
}

/* Does the unit get a row of its own, or is it listed with others or omitted? */
static bool gets_row(const Layout *layout, const MashToken *token) {
    uint32_t from = 0;
    if (layout->all)
        return true;
    if (layout->picture->offering)
        return token->unit != MASH_UNIT_NONE && layout->picture->offers[token->unit] != 0;
    if (layout->crowd)
        return is_special(layout, token->unit);
    if (token->seat >= MASH_SEATS && picture_crowd_of(layout->picture, MASH_SEAT_NONE))
        return false;
    if (token->place == MASH_ON_BENCH && terminal_is_low(layout->picture->terminal))
        return false;
    return next_meter(layout->picture, token->unit, &from) != NULL;
}

/* "> " for the unit that acts; in a draft the number in the menu: "12) ". */
static void put_front(const Layout *layout, const MashToken *token, MashText *row) {
    const Picture *picture = layout->picture;
    if (!picture->offering) {
        text_string(row, token->unit == picture->board.active ? "> " : "  ");
        return;
    }
    unsigned number = token->unit == MASH_UNIT_NONE ? 0 : picture->offers[token->unit];
    terminal_style(picture->terminal, STYLE_CHOICE, row);
    text_string(row, number < 10 ? " " : "");
    if (number > 0)
        text_format(row, "%u) ", number);
    terminal_style(picture->terminal, STYLE_PLAIN, row);
    terminal_pad(row, 0, NUMBER_COLUMNS);
}

/* Appends the kind in its column. */
static void put_kind(const Layout *layout, const MashToken *token, MashText *row) {
    uint32_t start = row->count;
    picture_kind(layout->picture, token, row);
    terminal_pad(row, start, layout->kind + 1);
    if (row->count > 0 && row->bytes[row->count - 1] != ' ')
        text_byte(row, ' '); /* a name longer than those of the columns, such as a stone's */
}

/* "  [h0] Human     3,4   100/100 ##########      30" */
static void unit_row(const Layout *layout, const MashToken *token, Column *column) {
    const Picture *picture = layout->picture;
    MashText row = new_row(column);
    put_front(layout, token, &row);
    uint32_t start = row.count;
    picture_unit(picture, token, &row);
    terminal_pad(&row, start, layout->name + 3);
    if (layout->kind > 0)
        put_kind(layout, token, &row);
    start = row.count;
    if (token->place == MASH_ON_BOARD)
        text_format(&row, "%d,%d", token->x, token->y);
    else if (layout->place > 0)
        text_string(&row, token->place == MASH_ON_BENCH ? "bench" : "out");
    terminal_pad(&row, start, layout->place);
    if (!layout->crowd && has_fields(layout, token->unit))
        put_fields(layout, token->unit, &row);
    if (token->flags & MASH_TOKEN_REVEALED)
        text_string(&row, "  revealed");
    if (token->flags & MASH_TOKEN_DONE)
        text_string(&row, "  done");
    put_rest(layout, token->unit, column, &row);
    close_row(column, &row);
}

/* Is there such a token before this one? Tokens without a name of their own are counted. */
static bool is_repeated(const Picture *picture, uint32_t index) {
    const MashToken *token = &picture->board.tokens[index];
    for (uint32_t i = 0; i < index; i++) {
        const MashToken *other = &picture->board.tokens[i];
        if (other->kind == token->kind && other->seat == token->seat &&
            other->place == token->place && other->unit == token->unit)
            return true;
    }
    return false;
}

/* "h1 Human", "Shield Agent x6", "v3" */
static void put_listed(const Picture *picture, uint32_t index, MashText *row) {
    const MashToken *token = &picture->board.tokens[index];
    picture_name(picture, token, row);
    if (picture_needs_kind(picture, token) && !(token->flags & MASH_TOKEN_HIDDEN)) {
        text_byte(row, ' ');
        picture_kind(picture, token, row);
    }
    uint32_t count = 0;
    for (uint32_t i = index; i < picture->board.tokens_count; i++) {
        const MashToken *other = &picture->board.tokens[i];
        count += other->kind == token->kind && other->seat == token->seat &&
                 other->place == token->place && other->unit == token->unit;
    }
    if (count > 1)
        text_format(row, " x%u", count);
}

/* A list under a title; no row while it is empty. */
typedef struct List {
    const char *title;
    Column *column;
    MashText row;
} List;

/* Appends "  title:", or the gap before the next word, on a new line where this one is full. */
static void list_gap(List *list) {
    bool first = list->row.bytes == NULL;
    if (!first)
        text_byte(&list->row, ',');
    if (first || terminal_width(list->row.bytes) > LIST_COLUMNS) {
        if (!first)
            close_row(list->column, &list->row);
        list->row = new_row(list->column);
        if (first)
            text_format(&list->row, "  %s:", list->title);
        else
            terminal_pad(&list->row, 0, 3 + (uint32_t)strlen(list->title));
    }
    text_byte(&list->row, ' ');
}

/* "  out: h1 Human, e0 Elf, ...", on as many lines as needed. Of a hidden bench, the number of
 * units. Of a draft, what is already chosen. */
static void list_rows(const Layout *layout, uint8_t seat, MashPlace place, const char *title,
                      Column *column) {
    const Picture *picture = layout->picture;
    List list = {.title = title, .column = column};
    uint32_t hidden = 0;
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        const MashToken *token = &picture->board.tokens[i];
        if (!is_of(token, seat) || token->place != place || is_repeated(picture, i) ||
            (place != MASH_GONE && gets_row(layout, token)) ||
            (picture->offering && !(token->flags & MASH_TOKEN_CHOSEN)))
            continue;
        if (place == MASH_ON_BENCH && token->flags & MASH_TOKEN_HIDDEN) {
            hidden++;
            continue;
        }
        list_gap(&list);
        put_listed(picture, i, &list.row);
    }
    if (hidden > 0) {
        list_gap(&list);
        text_format(&list.row, "%u unknown", hidden);
    }
    if (list.row.bytes != NULL)
        close_row(column, &list.row);
}

/* The column headings, after the side's name where they fit. */
static void field_names(const Layout *layout, bool rows, Column *column, MashText *heading) {
    if (layout->fields_count == 0 || layout->crowd || !rows) {
        close_row(column, heading);
        return;
    }
    uint32_t start = fields_start(layout);
    char bytes[ROW_BYTES];
    MashText names = text_over(bytes, sizeof bytes);
    for (uint32_t i = 0; i < layout->fields_count; i++) {
        char name_bytes[NAME_BYTES];
        MashText name = text_over(name_bytes, sizeof name_bytes);
        const MashContent *content = layout->picture->content;
        content->game->name(content, NULL, MASH_NAME_METER, layout->fields[i].what, &name);
        put_right(&names, name_bytes, layout->fields[i].width + 2);
    }
    uint32_t blanks = (uint32_t)strspn(bytes, " ");
    if (column->count > 1 || terminal_width(heading->bytes) + 2 > start + blanks) {
        close_row(column, heading);
        *heading = new_row(column);
    }
    terminal_pad(heading, 0, start + blanks);
    terminal_style(layout->picture->terminal, STYLE_FAINT, heading);
    text_string(heading, bytes + blanks);
    terminal_style(layout->picture->terminal, STYLE_PLAIN, heading);
    close_row(column, heading);
}

/* The side's name and its meters, wrapped at the screen's width. */
static MashText side_heading(const Layout *layout, uint8_t seat, Column *column) {
    const Picture *picture = layout->picture;
    MashText row = new_row(column);
    if (seat >= MASH_SEATS)
        return row;
    picture_side(picture, seat, &row);
    uint32_t from = 0;
    const MashMeter *meter;
    while ((meter = next_meter(picture, (uint8_t)(MASH_UNIT_SIDE + seat), &from)) != NULL) {
        char bytes[ROW_BYTES];
        MashText words = text_over(bytes, sizeof bytes);
        if (picture_meter_in_title(picture, meter))
            continue;
        picture_meter(picture, meter, &words);
        uint32_t width = terminal_width(row.bytes) + 2 + terminal_width(bytes);
        if (width > (uint32_t)picture->terminal->columns) {
            close_row(column, &row);
            row = new_row(column);
        }
        text_format(&row, "  %s", bytes);
    }
    return row;
}

/* Fills a column with a side: its heading, its units one by one, then lists of the rest. */
static void fill_column(const Layout *layout, uint8_t seat, Column *column) {
    const Picture *picture = layout->picture;
    MashText heading = side_heading(layout, seat, column);
    bool rows = false;
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        const MashToken *token = &picture->board.tokens[i];
        rows |= is_of(token, seat) && token->place != MASH_GONE && gets_row(layout, token) &&
                has_fields(layout, token->unit);
    }
    field_names(layout, rows, column, &heading);
    for (int place = MASH_ON_BOARD; place <= MASH_ON_BENCH; place++)
        for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
            const MashToken *token = &picture->board.tokens[i];
            if (is_of(token, seat) && token->place == place && gets_row(layout, token))
                unit_row(layout, token, column);
        }
    list_rows(layout, seat, MASH_ON_BENCH, picture->offering ? "chosen" : "bench", column);
    list_rows(layout, seat, MASH_GONE, "out", column);
}

/* Prints the rows of one side. */
static void print_column(const Column *column) {
    for (uint32_t i = 0; i < column->count; i++)
        puts(column->rows[i]);
}

/* Prints the rows of both sides side by side. */
static void print_beside(const Column *left, const Column *right) {
    uint32_t rows = left->count > right->count ? left->count : right->count;
    for (uint32_t i = 0; i < rows; i++) {
        char bytes[2 * ROW_BYTES];
        MashText row = text_over(bytes, sizeof bytes);
        if (i < left->count)
            text_string(&row, left->rows[i]);
        if (i < right->count) {
            terminal_pad(&row, 0, left->width + GAP_COLUMNS);
            text_string(&row, right->rows[i]);
        }
        puts(bytes);
    }
}

/* In a draft only those on offer count. */
static bool has_neutrals(const Layout *layout) {
    const Picture *picture = layout->picture;
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        const MashToken *token = &picture->board.tokens[i];
        if (token->seat >= MASH_SEATS && (!picture->offering || gets_row(layout, token)))
            return true;
    }
    return false;
}

void picture_print_sides(const Picture *picture, bool all) {
    Layout layout = layout_of(picture, all);
    Column columns[MASH_SEATS + 1] = {{.rows = NULL}};
    for (uint8_t i = 0; i <= MASH_SEATS; i++) {
        columns[i].rows = cli_memory(sizeof(char[ROWS_MAX][ROW_BYTES]));
        if (i < MASH_SEATS || has_neutrals(&layout))
            fill_column(&layout, i < MASH_SEATS ? i : MASH_SEAT_NONE, &columns[i]);
    }
    uint32_t together = columns[0].width + GAP_COLUMNS + columns[1].width;
    if (together <= (uint32_t)picture->terminal->columns) {
        print_beside(&columns[0], &columns[1]);
    } else {
        print_column(&columns[0]);
        print_column(&columns[1]);
    }
    print_column(&columns[MASH_SEATS]);
    for (int i = 0; i <= MASH_SEATS; i++)
        free(columns[i].rows);
}
