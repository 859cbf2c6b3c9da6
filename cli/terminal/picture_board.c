/* picture_board.c -- the part of picture.h that draws the grid. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/terminal/picture.h"
#include "match/render.h"

enum {
    NAME_BYTES = 64,
    ROW_BYTES = 8192,  /* a hundred cells with escape codes around each */
    LABEL_COLUMNS = 4, /* the number of a row and the gap after it */
    ROWS_LEAST = 12,   /* of the board, however low the terminal is */
    ROWS_BESIDE = 14,  /* lines for header, sides and choices */
    CELL_COLUMNS_LEAST = 4,
    CELL_COLUMNS_TALL = 10, /* of a cell with a second line for the kind */
    CELL_COLUMNS_MOST = 12,
    KINDS_BY_LETTER = 4, /* at most, to be explained by their letters below the board */
};

/* The part of the board that is drawn, and how wide a cell is. */
typedef struct BoardWindow {
    int x, y, width, height;
    uint32_t columns;
    bool tall; /* a second line per row, with the kinds */
} BoardWindow;

/* The width of the longest name on the board, with a mark on either side. */
static uint32_t columns_wanted(const Picture *picture) {
    uint32_t columns = CELL_COLUMNS_LEAST;
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        const MashToken *token = &picture->board.tokens[i];
        char bytes[NAME_BYTES];
        MashText name = text_over(bytes, sizeof bytes);
        if (token->place != MASH_ON_BOARD)
            continue;
        picture_name(picture, token, &name);
        uint32_t wanted = terminal_width(bytes) + 2;
        columns = wanted > columns ? wanted : columns;
    }
    return columns;
}

/* The first meter of a unit if it is a plain number that fits after its kind: a rank, a power. */
static const MashMeter *plain_meter(const Picture *picture, uint8_t unit) {
    for (uint32_t i = 0; i < picture->board.meters_count; i++) {
        const MashMeter *meter = &picture->board.meters[i];
        if (meter->unit == unit && unit != MASH_UNIT_NONE)
            return meter->role == MASH_ROLE_NUMBER ? meter : NULL;
    }
    return NULL;
}

/* The kinds of the units that are known, each with the letter that its units' names begin with. */
typedef struct KindLetters {
    uint32_t count;
    uint8_t kinds[KINDS_BY_LETTER];
    char letters[KINDS_BY_LETTER];
    bool clear; /* no two kinds share a letter, and there are few: the letters are explained once */
} KindLetters;

/* Adds a unit's kind and letter; false if they do not make the kind clear. */
static bool add_letter(const Picture *picture, const MashToken *token, KindLetters *known) {
    char bytes[NAME_BYTES];
    MashText name = text_over(bytes, sizeof bytes);
    picture_name(picture, token, &name);
    for (uint32_t i = 0; i < known->count; i++)
        if (known->kinds[i] == token->kind || known->letters[i] == bytes[0])
            return known->kinds[i] == token->kind && known->letters[i] == bytes[0];
    if (known->count == KINDS_BY_LETTER)
        return false;
    known->kinds[known->count] = token->kind;
    known->letters[known->count++] = bytes[0];
    return true;
}

/* The kinds on the board, by letters if those make them clear. A unit with a rank to show, or one
 * that is hidden, is not clear by a letter. */
static KindLetters kind_letters(const Picture *picture) {
    KindLetters known = {.clear = picture_crowded(picture)};
    for (uint32_t i = 0; i < picture->board.tokens_count && known.clear; i++) {
        const MashToken *token = &picture->board.tokens[i];
        known.clear = !(token->flags & MASH_TOKEN_HIDDEN) && picture_needs_kind(picture, token) &&
                      plain_meter(picture, token->unit) == NULL &&
                      add_letter(picture, token, &known);
    }
    return known;
}

/* A crowd of different kinds that no letters make clear: cells are two lines high. */
static bool wants_tall(const Picture *picture) {
    int kind = -1;
    bool several = false;
    for (uint32_t i = 0; i < picture->board.tokens_count; i++) {
        const MashToken *token = &picture->board.tokens[i];
        if (token->flags & MASH_TOKEN_HIDDEN)
            continue;
        several |= kind >= 0 && kind != token->kind;
        kind = token->kind;
    }
    return several && picture_crowded(picture) && !kind_letters(picture).clear;
}

/* The first of `shown` positions out of `all` that centre the focus. */
static int window_start(int focus, int shown, int all) {
    int start = focus - shown / 2;
    if (start > all - shown)
        start = all - shown;
    return start < 0 ? 0 : start;
}

/* As much as fits the terminal; narrower cells before fewer of them. */
static BoardWindow window_of(const Picture *picture, bool small) {
    const Terminal *terminal = picture->terminal;
    int width = picture->content->limits.width, height = picture->content->limits.height;
    BoardWindow window = {.width = width, .height = height, .columns = 1};
    int room = terminal->columns - LABEL_COLUMNS;
    if (small) {
        window.width = room < width ? room : width;
        window.x = window_start(picture->focus_x, window.width, width);
        return window;
    }
    window.tall = wants_tall(picture);
    uint32_t wanted = columns_wanted(picture);
    window.columns = wanted < CELL_COLUMNS_MOST ? wanted : CELL_COLUMNS_MOST;
    uint32_t least = window.columns < 6 ? window.columns : 6;
    if (window.tall && window.columns < CELL_COLUMNS_TALL)
        window.columns = CELL_COLUMNS_TALL;
    while (window.columns > least && (int)window.columns * width > room)
        window.columns--;
    window.tall |= wanted > window.columns; /* names that do not fit are printed below */
    int fit = room / (int)window.columns;
    int rows = terminal->lines - ROWS_BESIDE;
    rows = rows < ROWS_LEAST ? ROWS_LEAST : rows;
    window.width = fit < width ? (fit < 1 ? 1 : fit) : width;
    window.height = rows < height ? rows : height;
    window.x = window_start(picture->focus_x, window.width, width);
    window.y = window_start(picture->focus_y, window.height, height);
    return window;
}

/* Prints a line without the blanks at its end. */
static void print_line(MashText *text) {
    while (text->count > 0 && text->bytes[text->count - 1] == ' ')
        text->bytes[--text->count] = '\0';
    puts(text->bytes);
}

/* In the small form every tenth column has its number. */
static void print_column_numbers(const Picture *picture, const BoardWindow *window) {
    char bytes[ROW_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    terminal_style(picture->terminal, STYLE_FAINT, &text);
    terminal_pad(&text, 0, LABEL_COLUMNS);
    for (int x = window->x; x < window->x + window->width; x++) {
        uint32_t end = LABEL_COLUMNS + (uint32_t)(x + 1 - window->x) * window->columns;
        if (window->columns > 1)
            text_format(&text, " %d", x);
        else if (x % 10 == 0 && terminal_width(bytes) < end)
            text_int(&text, x);
        terminal_pad(&text, 0, end);
    }
    print_line(&text);
    terminal_print_style(picture->terminal, STYLE_PLAIN);
}

/* How many bytes of the text fit the next line of this many columns: whole words where one fits,
 * else as much of one as leaves space for a hyphen. */
static uint32_t line_bytes(const char *words, uint32_t columns) {
    uint32_t bytes = 0, taken = 0;
    for (uint32_t width = 0; words[bytes] != '\0'; bytes++) {
        if (((unsigned char)words[bytes] & 0xc0) == 0x80)
            continue;
        if (width == columns) {
            if (words[bytes] == ' ' || taken > 0)
                return words[bytes] == ' ' ? bytes : taken;
            do
                bytes--;
            while (((unsigned char)words[bytes] & 0xc0) == 0x80);
            return bytes > 0 ? bytes : 1;
        }
        taken = words[bytes] == ' ' ? bytes : taken;
        width++;
    }
    return bytes;
}

/* Appends line number `line` of text that is wrapped at this many columns. False: there is no such
 * line. */
static bool put_line(const char *words, uint32_t columns, uint32_t line, MashText *text) {
    for (;; line--) {
        uint32_t bytes = line_bytes(words, columns);
        bool broken = words[bytes] != '\0' && words[bytes] != ' ';
        if (bytes == 0)
            return false;
        if (line == 0) {
            text_bytes(text, words, bytes);
            text_string(text, broken ? "-" : "");
            return true;
        }
        words += bytes;
        words += strspn(words, " ");
    }
}

/* One character: a letter, capital for seat 0. */
static void token_letter(const char *name, uint8_t seat, MashText *text) {
    unsigned char letter = name[0] == '\0' ? '?' : (unsigned char)name[0];
    text_byte(text, (char)(seat == 0 ? toupper(letter) : tolower(letter)));
}

/* Is the name wider than its cell, between the marks? */
static bool too_wide(const char *name, uint32_t columns) {
    return terminal_width(name) + 2 > columns;
}

/* A token between the marks of its seat, closed by `!` if the cell is a choice; in one column a
 * letter. A name that is too wide is printed below it. */
static void token_cell(const Picture *picture, const MashToken *token, uint16_t mark,
                       uint32_t columns, MashText *text) {
    static const char open[] = "[< ", close[] = "]> ";
    uint8_t side = token->seat < MASH_SEATS ? token->seat : MASH_SEATS;
    char bytes[NAME_BYTES];
    MashText name = text_over(bytes, sizeof bytes);
    picture_name(picture, token, &name);
    terminal_style(picture->terminal, picture->styles[side], text);
    if (columns == 1) {
        token_letter(bytes, token->seat, text);
    } else {
        text_byte(text, open[side]);
        text_string(text, too_wide(bytes, columns) ? "*" : bytes);
        text_byte(text, mark != 0 ? '!' : close[side]);
    }
    terminal_style(picture->terminal, STYLE_PLAIN, text);
}

/* A cell without a token: its number in the menu or `+` if it is a choice, else its ground and the
 * ground's health. */
static void ground_cell(const Picture *picture, size_t cell, uint32_t columns, MashText *text) {
    uint16_t mark = picture->marks[cell];
    terminal_style(picture->terminal, mark != 0 ? STYLE_CHOICE : STYLE_FAINT, text);
    if (columns > 1)
        text_byte(text, ' ');
    if (mark != 0 && mark != PICTURE_MARK && columns > 1)
        text_int(text, mark);
    else if (mark != 0)
        text_byte(text, '+');
    else if (picture->terminal->utf8 && picture->board.ground[cell] == 0)
        text_string(text, "\u00b7");
    else
        text_byte(text, render_ground_sign(picture->board.ground[cell]));
    if (mark == 0 && picture->board.ground_health[cell] > 0 && columns > 3)
        text_int(text, picture->board.ground_health[cell]);
    terminal_style(picture->terminal, STYLE_PLAIN, text);
}

/* Prints row `y` of the window after its number. */
static void print_row(const Picture *picture, const BoardWindow *window, int y) {
    char bytes[ROW_BYTES];
    MashText text = text_over(bytes, sizeof bytes);
    terminal_style(picture->terminal, STYLE_FAINT, &text);
    text_format(&text, "%s%d ", y < 10 ? "  " : " ", y);
    terminal_style(picture->terminal, STYLE_PLAIN, &text);
    for (int x = window->x; x < window->x + window->width; x++) {
        size_t cell = (size_t)y * picture->content->limits.width + (size_t)x;
        const MashToken *token = picture_token_at(picture, x, y);
        uint32_t start = text.count;
        if (token != NULL)
            token_cell(picture, token, picture->marks[cell], window->columns, &text);
        else
            ground_cell(picture, cell, window->columns, &text);
        terminal_pad(&text, start, window->columns);
    }
    print_line(&text);
}

/* The text below a token: its kind if the name does not make it clear, followed by the rank, or a
 * name that is too wide for the cell. Nothing for hidden units. */
static void words_below(const Picture *picture, const MashToken *token, uint32_t columns,
                        MashText *words) {
    char name_bytes[NAME_BYTES];
    MashText name = text_over(name_bytes, NAME_BYTES);
    picture_name(picture, token, &name);
    bool needs_kind = picture_needs_kind(picture, token);
    if (token->flags & MASH_TOKEN_HIDDEN || (!needs_kind && !too_wide(name_bytes, columns)))
        return;
    if (!needs_kind) {
        text_string(words, name_bytes);
        return;
    }
    picture_kind(picture, token, words);
    const MashMeter *meter = plain_meter(picture, token->unit);
    if (meter != NULL)
        text_format(words, " %d", meter->now);
}

/* One of the lines below a token: " Black", " Panther 7". True: it has this line. */
static bool kind_cell(const Picture *picture, const MashToken *token, uint32_t columns,
                      uint32_t line, MashText *text) {
    char bytes[NAME_BYTES + 16];
    MashText words = text_over(bytes, sizeof bytes);
    words_below(picture, token, columns, &words);
    terminal_style(picture->terminal, STYLE_FAINT, text);
    text_byte(text, ' ');
    bool there = put_line(bytes, columns - 1, line, text);
    terminal_style(picture->terminal, STYLE_PLAIN, text);
    return there;
}

/* The lines below a row, as many as the longest name needs; none if no unit is known there. */
static void print_kinds(const Picture *picture, const BoardWindow *window, int y) {
    bool any = true;
    for (uint32_t line = 0; any; line++) {
        char bytes[ROW_BYTES];
        MashText text = text_over(bytes, sizeof bytes);
        any = false;
        terminal_pad(&text, 0, LABEL_COLUMNS);
        for (int x = window->x; x < window->x + window->width; x++) {
            const MashToken *token = picture_token_at(picture, x, y);
            uint32_t start = text.count;
            if (token != NULL)
                any |= kind_cell(picture, token, window->columns, line, &text);
            terminal_pad(&text, start, window->columns);
        }
        if (any)
            print_line(&text);
    }
}

/* Prints which part is shown, if it is only a part. */
static void print_extent(const BoardWindow *window, const MashLimits *terms) {
    if (window->width == terms->width && window->height == terms->height)
        return;
    printf("    columns %d-%d of %u, rows %d-%d of %u; to see more: board X Y, board all\n",
           window->x, window->x + window->width - 1, terms->width, window->y,
           window->y + window->height - 1, terms->height);
}

/* Explains the letters of the kinds below the board: "m Muscovite   s Swede   k King". */
static void print_letters(const Picture *picture) {
    KindLetters known = kind_letters(picture);
    char bytes[ROW_BYTES];
    MashText line = text_over(bytes, sizeof bytes);
    for (uint32_t i = 0; known.clear && i < known.count; i++) {
        text_format(&line, "%s%c ", i > 0 ? "   " : "    ", known.letters[i]);
        picture->content->game->name(picture->content, NULL, MASH_NAME_KIND, known.kinds[i], &line);
    }
    if (line.count > 0)
        print_line(&line);
}

void picture_print_board(const Picture *picture, bool small) {
    BoardWindow window = window_of(picture, small);
    print_column_numbers(picture, &window);
    for (int y = window.y; y < window.y + window.height; y++) {
        print_row(picture, &window, y);
        if (window.tall)
            print_kinds(picture, &window, y);
    }
    print_extent(&window, &picture->content->limits);
    char bytes[ROW_BYTES];
    MashText legend = text_over(bytes, sizeof bytes);
    render_legend(picture->content, &picture->board, &legend);
    if (legend.count > 0)
        printf("    %s", bytes);
    if (!small)
        print_letters(picture);
}
