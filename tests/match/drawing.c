/* drawing.c -- see drawing.h. A column is a character: names are UTF-8 and are counted and cut by
 * whole characters. */
#include "tests/match/drawing.h"

#include <string.h>

#include "match/render.h"

enum {
    NAME_BYTES = 64,
    NAME_COLUMNS_MAX = 4,
    CROWDED_WIDTH = 40,
    LABEL_EVERY = 5,
    SET_NAMES_MAX = 4
};

/* --- Words and columns ------------------------------------------------------------------------ */

/* How many bytes the first `columns` characters take. */
static uint32_t bytes_of_columns(const MashText *text, uint32_t columns) {
    uint32_t i = 0;
    for (; i < text->count; i++)
        if (((uint8_t)text->bytes[i] & 0xc0) != 0x80 && columns-- == 0)
            break;
    return i;
}

/* How many columns a text takes, one for each code point. */
static uint32_t columns_of(const MashText *text) {
    uint32_t columns = 0;
    for (uint32_t i = 0; i < text->count; i++)
        columns += ((uint8_t)text->bytes[i] & 0xc0) != 0x80;
    return columns;
}

/* Appends at most `columns` characters of `from`, and spaces up to that many. */
static void put_padded(MashText *text, const MashText *from, uint32_t columns) {
    text_bytes(text, from->bytes, bytes_of_columns(from, columns));
    for (uint32_t i = columns_of(from); i < columns; i++)
        text_byte(text, ' ');
}

/* Removes the spaces. */
static void join(MashText *name) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < name->count; i++)
        if (name->bytes[i] != ' ')
            name->bytes[kept++] = name->bytes[i];
    name->bytes[kept] = '\0';
    name->count = kept;
}

/* Makes a name fit: its beginning, and the number at its end, since that distinguishes units. */
static void shorten(MashText *name, uint32_t columns) {
    join(name);
    uint32_t digits = 0;
    while (digits < name->count && name->bytes[name->count - 1 - digits] >= '0' &&
           name->bytes[name->count - 1 - digits] <= '9')
        digits++;
    if (columns_of(name) <= columns || digits > columns)
        return;
    uint32_t stem = bytes_of_columns(name, columns - digits);
    memmove(name->bytes + stem, name->bytes + name->count - digits, digits + 1);
    name->count = stem + digits;
}

/* Appends a name of the game's. */
static void put_name(const MashContent *content, MashNames list, uint8_t index, MashText *text) {
    content->game->name(content, NULL, list, index, text);
}

/* --- The grid --------------------------------------------------------------------------------- */

/* Everything that stays the same while one grid is drawn. */
typedef struct Grid {
    const MashContent *content;
    const void *state;
    const MashBoard *board;
    int width, height;
    uint32_t name_columns; /* of a cell, without the column after it */
    bool beside;           /* a column after each name: ground, `+` or space */
} Grid;

/* The name of a token on its cell: its unit's, or that of its kind if it is not a unit (yet). */
static void token_name(const MashContent *content, const void *state, const MashToken *token,
                       MashText *text) {
    if (token->flags & MASH_TOKEN_HIDDEN)
        text_string(text, "??");
    else if (token->unit != MASH_UNIT_NONE)
        content->game->unit_name(content, state, token->unit, text);
    else
        put_name(content, MASH_NAME_KIND, token->kind, text);
}

/* The sign for the ground of a cell, and its health if it has any. */
static void ground_name(const Grid *grid, int x, int y, MashText *text) {
    size_t cell = (size_t)y * grid->content->limits.width + (size_t)x;
    text_byte(text, render_ground_sign(grid->board->ground[cell]));
    if (grid->board->ground_health[cell] > 0)
        text_int(text, grid->board->ground_health[cell]);
}

/* The token to draw on a cell: a seat's before an unowned one; *more: others share the cell. */
static const MashToken *token_at(const MashBoard *board, int x, int y, bool *more) {
    const MashToken *found = NULL;
    *more = false;
    for (uint32_t i = 0; i < board->tokens_count; i++) {
        const MashToken *token = &board->tokens[i];
        if (token->place != MASH_ON_BOARD || token->x != x || token->y != y)
            continue;
        *more = found != NULL;
        if (found == NULL || (found->seat >= MASH_SEATS && token->seat < MASH_SEATS))
            found = token;
    }
    return found;
}

/* Names and ground health decide how wide a cell is: at least two columns, at most four. */
static uint32_t widest(const Grid *grid) {
    char bytes[NAME_BYTES];
    MashText name = text_over(bytes, sizeof bytes);
    uint32_t columns = 2;
    for (uint32_t i = 0; i < grid->board->tokens_count; i++) {
        if (grid->board->tokens[i].place != MASH_ON_BOARD)
            continue;
        text_clear(&name);
        token_name(grid->content, grid->state, &grid->board->tokens[i], &name);
        columns = columns_of(&name) > columns ? columns_of(&name) : columns;
    }
    for (size_t cell = 0; cell < (size_t)grid->width * (size_t)grid->height; cell++) {
        uint16_t wear = grid->board->ground_health[cell];
        uint32_t needed = wear > 99 ? 4 : wear > 9 ? 3 : 2;
        columns = needed > columns ? needed : columns;
    }
    return columns < NAME_COLUMNS_MAX ? columns : NAME_COLUMNS_MAX;
}

/* The board, and the width of its columns. */
static Grid grid_of(const MashContent *content, const void *state, const MashBoard *board) {
    Grid grid = {.content = content,
                 .state = state,
                 .board = board,
                 .width = content->limits.width,
                 .height = content->limits.height};
    grid.name_columns = widest(&grid);
    grid.beside = grid.width <= CROWDED_WIDTH;
    return grid;
}

/* The number of a column or a row; spaces if it is not shown. */
static void put_label(int number, bool shown, uint32_t columns, MashText *text) {
    char bytes[8];
    MashText label = text_over(bytes, sizeof bytes);
    if (shown)
        text_int(&label, number);
    put_padded(text, &label, columns);
}

/* A line has no trailing spaces. */
static void end_line(MashText *text) {
    while (text->count > 0 && text->bytes[text->count - 1] == ' ')
        text->bytes[--text->count] = '\0';
    text_byte(text, '\n');
}

/* The numbers of the columns; where they would run together, every fifth. */
static void put_head(const Grid *grid, MashText *text) {
    uint32_t columns = grid->name_columns + grid->beside;
    bool all = columns > 2;
    text_string(text, "   ");
    for (int x = 0; x < grid->width; x++)
        put_label(x, all || x % LABEL_EVERY == 0, columns, text);
    end_line(text);
}

/* One cell: the name of its token or its ground, and the column after it: a sign that more tokens
 * are here, their ground, or nothing. */
static void put_cell(const Grid *grid, int x, int y, MashText *text) {
    char bytes[NAME_BYTES];
    MashText name = text_over(bytes, sizeof bytes);
    bool more;
    const MashToken *token = token_at(grid->board, x, y, &more);
    uint8_t ground = grid->board->ground[(size_t)y * grid->content->limits.width + (size_t)x];
    if (token != NULL)
        token_name(grid->content, grid->state, token, &name);
    else
        ground_name(grid, x, y, &name);
    shorten(&name, grid->name_columns);
    put_padded(text, &name, grid->name_columns);
    if (grid->beside)
        text_byte(text, more                           ? '+'
                        : token != NULL && ground != 0 ? render_ground_sign(ground)
                                                       : ' ');
}

void drawing_board(const MashContent *content, const void *state, const MashBoard *board,
                   MashText *text) {
    Grid grid = grid_of(content, state, board);
    put_head(&grid, text);
    for (int y = 0; y < grid.height; y++) {
        put_label(y, true, 3, text);
        for (int x = 0; x < grid.width; x++)
            put_cell(&grid, x, y, text);
        end_line(text);
    }
}

/* --- Lines ------------------------------------------------------------------------------------ */

/* Appends a set of names: the few it holds, or how many. */
static void put_set(const MashContent *content, const MashMeter *meter, MashText *text) {
    MashNames list = (MashNames)(meter->about_list - 1);
    uint32_t set = (uint32_t)meter->now, count = 0;
    for (uint32_t i = 0; i < 32; i++)
        count += set >> i & 1;
    if (count == 0 || count > SET_NAMES_MAX) {
        text_format(text, " %u", count);
        return;
    }
    const char *gap = " ";
    for (uint8_t i = 0; i < 32; i++) {
        if (!(set >> i & 1))
            continue;
        text_string(text, gap);
        put_name(content, list, (uint8_t)(meter->about + i), text);
        gap = "|";
    }
}

/* Appends one meter: health 120/300, potion Strength 2, cooldown.1 3, might be Hulk|Thor. */
static void put_meter(const MashContent *content, const MashMeter *meter, MashText *text) {
    put_name(content, MASH_NAME_METER, meter->meter, text);
    if (meter->about_set) {
        put_set(content, meter, text);
        return;
    }
    if (meter->about_list != 0) {
        text_byte(text, ' ');
        put_name(content, (MashNames)(meter->about_list - 1), meter->about, text);
    } else if (meter->about > 0) {
        text_format(text, ".%u", meter->about);
    }
    text_format(text, " %d", meter->now);
    if (meter->most > 0)
        text_format(text, "/%d", meter->most);
}

/* Does the meter belong to the match and refer to something with a name, such as a kind on offer?
 */
static bool is_offer(const MashMeter *meter) {
    return meter->unit == MASH_UNIT_NONE && meter->about_list != 0 && !meter->about_set;
}

/* Appends a line for each such thing: "Ninja: health 5  attack 2". */
static void put_offers(const MashContent *content, const MashBoard *board, MashText *text) {
    const MashMeter *last = NULL;
    for (uint32_t i = 0; i < board->meters_count; i++) {
        const MashMeter *meter = &board->meters[i];
        if (!is_offer(meter))
            continue;
        bool same =
            last != NULL && last->about_list == meter->about_list && last->about == meter->about;
        if (!same) {
            text_string(text, last == NULL ? "" : "\n");
            put_name(content, (MashNames)(meter->about_list - 1), meter->about, text);
        }
        text_string(text, same ? "  " : ": ");
        put_name(content, MASH_NAME_METER, meter->meter, text);
        text_format(text, " %d", meter->now);
        last = meter;
    }
    text_string(text, last == NULL ? "" : "\n");
}

/* Appends the meters of a unit, a team or the match. */
static void put_meters(const MashContent *content, const MashBoard *board, uint8_t unit,
                       MashText *text) {
    for (uint32_t i = 0; i < board->meters_count; i++) {
        if (board->meters[i].unit != unit || is_offer(&board->meters[i]))
            continue;
        text_string(text, "  ");
        put_meter(content, &board->meters[i], text);
    }
}

/* One line about a token: name, kind, place, flags, meters. */
static void put_unit(const MashContent *content, const void *state, const MashBoard *board,
                     const MashToken *token, MashText *text) {
    if (token->unit != MASH_UNIT_NONE) {
        content->game->unit_name(content, state, token->unit, text);
        text_byte(text, ' ');
    }
    if (token->flags & MASH_TOKEN_HIDDEN)
        text_string(text, "unknown");
    else
        put_name(content, MASH_NAME_KIND, token->kind, text);
    if (token->place == MASH_ON_BOARD)
        text_format(text, " at %d,%d", token->x, token->y);
    else
        text_string(text, token->place == MASH_ON_BENCH ? " on the bench" : " gone");
    if (token->flags & MASH_TOKEN_CHOSEN)
        text_string(text, ", chosen");
    if (token->flags & MASH_TOKEN_REVEALED)
        text_string(text, ", revealed");
    if (token->flags & MASH_TOKEN_DONE)
        text_string(text, ", done");
    if (token->unit != MASH_UNIT_NONE)
        put_meters(content, board, token->unit, text);
    text_byte(text, '\n');
}

void drawing_side(const MashContent *content, const void *state, const MashBoard *board,
                  uint8_t seat, MashText *text) {
    if (seat < MASH_SEATS) {
        put_name(content, MASH_NAME_SIDE, seat, text);
        text_byte(text, ':');
        put_meters(content, board, (uint8_t)(MASH_UNIT_SIDE + seat), text);
        text_byte(text, '\n');
    }
    for (uint32_t i = 0; i < board->tokens_count; i++) {
        const MashToken *token = &board->tokens[i];
        if (token->seat != seat && (token->seat < MASH_SEATS || seat < MASH_SEATS))
            continue;
        text_string(text, "  ");
        put_unit(content, state, board, token, text);
    }
}

/* The seats the match waits for, or how it ended. */
static void put_awaited(const MashContent *content, const void *state, MashText *text) {
    MashResult result = content->game->result(content, state);
    if (!result.over) {
        uint32_t awaited = content->game->awaited(content, state);
        text_string(text, "waiting for");
        for (uint8_t seat = 0; seat < MASH_SEATS; seat++) {
            if (!(awaited >> seat & 1))
                continue;
            text_string(text, awaited == 3 && seat == 1 ? " and " : " ");
            put_name(content, MASH_NAME_SIDE, seat, text);
        }
        return;
    }
    if (result.winner < MASH_SEATS)
        put_name(content, MASH_NAME_SIDE, result.winner, text);
    text_string(text, result.winner < MASH_SEATS ? " won: " : "drawn: ");
    put_name(content, MASH_NAME_REASON, result.reason, text);
}

void drawing_status(const MashContent *content, const void *state, const MashBoard *board,
                    MashText *text) {
    put_name(content, MASH_NAME_PHASE, board->phase, text);
    text_string(text, ", ");
    put_awaited(content, state, text);
    put_meters(content, board, MASH_UNIT_NONE, text);
    text_byte(text, '\n');
    put_offers(content, board, text);
    if (board->order_count == 0)
        return;
    text_string(text, "next:");
    for (uint32_t i = 0; i < board->order_count; i++) {
        text_byte(text, ' ');
        if (board->order[i] >= MASH_UNIT_SIDE)
            put_name(content, MASH_NAME_SIDE, (uint8_t)(board->order[i] - MASH_UNIT_SIDE), text);
        else
            content->game->unit_name(content, state, board->order[i], text);
    }
    text_byte(text, '\n');
}
