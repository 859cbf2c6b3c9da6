/* file_mode.c -- the file mode: initials and commands in, the published output out (section 7 of
 * RULES.md).
 *
 * Both documents are read to their ends before anything is carried out, so that invalid input never
 * gives partial output. Each line has at most one problem; reading continues with the next. The
 * steps are those of play: zorde_step(). */
#include <string.h>

#include "games/zorde/state.h"

/* A document read line by line; offsets into its bytes. */
typedef struct LineReader {
    const MashDocument *document;
    MashProblems *problems;
    uint32_t next;       /* where the next line begins */
    uint32_t start, end; /* the line, without its end */
    uint32_t at;         /* the byte to be read */
    uint32_t line;       /* its number from 1; 0 before the first */
} LineReader;

/* One line of the commands. */
typedef struct Order {
    char letter, digit;
    uint32_t steps; /* how many */
    uint32_t first; /* where the first one begins */
} Order;

/* Adds a problem at the reader's position; the reason is a format. */
#define WRONG(reader, ...)                                                                         \
    problem_add((reader)->problems, (reader)->document->name, (reader)->line,                      \
                (reader)->at - (reader)->start + 1, "", __VA_ARGS__)

/* --- Lines and words ------------------------------------------------------------------------- */

/* A reader at the start of a document. */
static LineReader reader_over(const MashDocument *document, MashProblems *problems) {
    return (LineReader){.document = document, .problems = problems};
}

/* Goes to the next line, which ends in LF, in CRLF or with the document [7.4]. False: there is
 * none. */
static bool next_line(LineReader *reader) {
    const MashDocument *document = reader->document;
    reader->start = reader->at = reader->end = reader->next;
    reader->line++;
    if (reader->next >= document->count)
        return false;
    uint32_t left = document->count - reader->start;
    const char *feed = memchr(document->bytes + reader->start, '\n', left);
    reader->end = feed == NULL ? document->count : (uint32_t)(feed - document->bytes);
    reader->next = feed == NULL ? document->count : reader->end + 1;
    if (reader->end > reader->start && document->bytes[reader->end - 1] == '\r')
        reader->end--;
    return true;
}

/* The byte that comes next in the line, or 0 at its end. */
static char peek(const LineReader *reader) {
    return reader->at < reader->end ? reader->document->bytes[reader->at] : '\0';
}

/* Is the line read to its end? */
static bool at_end(const LineReader *reader) { return reader->at == reader->end; }

/* Takes the word if it comes next. */
static bool take(LineReader *reader, const char *word) {
    uint32_t length = (uint32_t)strlen(word);
    if (reader->end - reader->at < length ||
        memcmp(reader->document->bytes + reader->at, word, length) != 0)
        return false;
    reader->at += length;
    return true;
}

/* A whole number in plain digits, without leading zeros; huge ones become 1,000,000. False: there
 * is none here. */
static bool take_number(LineReader *reader, uint32_t *number) {
    uint32_t start = reader->at;
    *number = 0;
    for (; peek(reader) >= '0' && peek(reader) <= '9'; reader->at++) {
        *number = *number * 10 + (uint32_t)(peek(reader) - '0');
        if (*number > 1000000)
            *number = 1000000;
    }
    uint32_t digits = reader->at - start;
    bool plain = digits == 1 || (digits > 1 && reader->document->bytes[start] != '0');
    if (!plain)
        reader->at = start;
    return plain;
}

/* The next line, which must be this word alone. False: a problem was added. */
static bool expect_line(LineReader *reader, const char *word) {
    bool there = next_line(reader);
    if (there && take(reader, word) && at_end(reader))
        return true;
    reader->at = reader->start;
    if (word[0] == '\0')
        WRONG(reader, "expected an empty line here");
    else
        WRONG(reader, "expected the line %s here", word);
    return false;
}

/* The line that the reader is at is empty: so must be all lines up to the end of the document
 * [7.4]. */
static void expect_nothing(LineReader *reader) {
    while (at_end(reader))
        if (!next_line(reader))
            return;
    WRONG(reader, "unexpected empty line: only allowed at the end of the file");
}

/* --- Initials -------------------------------------------------------------------------------- */

/* The size, such as 6x4: width, then height [1.1]. */
static bool read_size(LineReader *reader, ZordeSetup *field) {
    uint32_t width = 0, height = 0;
    bool read = next_line(reader) && take_number(reader, &width) && take(reader, "x") &&
                take_number(reader, &height) && at_end(reader);
    if (!read) {
        WRONG(reader, "the size of the board must be width, x and height, such as 6x6");
        return false;
    }
    reader->at = reader->start;
    if (width < 1 || width > MASH_SIDE_MAX || height < 1 || height > MASH_SIDE_MAX) {
        WRONG(reader, "a board has from 1x1 to %dx%d cells", MASH_SIDE_MAX, MASH_SIDE_MAX);
        return false;
    }
    field->width = (uint8_t)width;
    field->height = (uint8_t)height;
    return true;
}

/* A kind's id in capitals: its word in initials. */
static void kind_word(const ZordeKind *kind, char word[ZORDE_KIND_BYTES]) {
    for (int i = 0; i < ZORDE_KIND_BYTES; i++) {
        char c = kind->id[i];
        word[i] = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    }
}

/* The kind that comes next, of this side; MASH_UNIT_NONE after a problem that lists the valid
 * ones. */
static uint8_t read_kind(LineReader *reader, const ZordeSetup *field, uint8_t seat) {
    char word[ZORDE_KIND_BYTES], memory[160];
    MashText allowed = text_over(memory, sizeof memory);
    uint32_t start = reader->at;
    for (uint8_t i = 0; i < field->kinds_count; i++) {
        if (field->kinds[i].seat != seat)
            continue;
        kind_word(&field->kinds[i], word);
        if (take(reader, word) && take(reader, " "))
            return i;
        reader->at = start;
        text_format(&allowed, "%s%s", allowed.count > 0 ? ", " : "", word);
    }
    WRONG(reader, "a unit of this side begins with its kind and a space: %s", allowed.bytes);
    return MASH_UNIT_NONE;
}

/* A place from 0 to below `size`, between a space and a space or the end of the line. */
static bool read_place(LineReader *reader, const char *name, uint32_t size, int8_t *out) {
    uint32_t number = 0;
    if (!take(reader, " ")) {
        WRONG(reader, "expected one space and %s here", name);
        return false;
    }
    uint32_t start = reader->at;
    if (take_number(reader, &number) && number < size) {
        *out = (int8_t)number;
        return true;
    }
    reader->at = start;
    WRONG(reader, "%s must be a whole number from 0 to %u", name, (unsigned)(size - 1));
    return false;
}

/* One line of an army: kind, ID, x and y [7.2]. */
static void read_unit(LineReader *reader, ZordeSetup *field, uint8_t seat) {
    ZordeStartUnit unit = {.seat = seat, .kind = read_kind(reader, field, seat)};
    if (unit.kind == MASH_UNIT_NONE)
        return;
    uint32_t start = reader->at;
    if (reader->end - reader->at < 2) {
        WRONG(reader, "the ID of the unit is missing: a letter and a digit");
        return;
    }
    unit.letter = reader->document->bytes[reader->at++];
    unit.digit = reader->document->bytes[reader->at++];
    if (!read_place(reader, "x", field->width, &unit.x) ||
        !read_place(reader, "y", field->height, &unit.y))
        return;
    if (!at_end(reader)) {
        WRONG(reader, "unexpected text after y");
        return;
    }
    const char *wrong = zorde_unit_problem(field, unit);
    reader->at = start;
    if (wrong != NULL)
        WRONG(reader, "%s", wrong);
    else
        zorde_unit_add(field, unit);
}

/* The units of a side, up to an empty line or the end of the document. True: the reader is at that
 * empty line. */
static bool read_army(LineReader *reader, ZordeSetup *field, uint8_t seat) {
    while (next_line(reader)) {
        if (at_end(reader))
            return true;
        read_unit(reader, field, seat);
    }
    return false;
}

/* Board and armies; the kinds are there already. Problems are in the reader's list. */
static void read_initials(LineReader *reader, ZordeSetup *field) {
    if (!expect_line(reader, "BOARD") || !read_size(reader, field) || !expect_line(reader, "") ||
        !expect_line(reader, "CALLIANCE"))
        return;
    if (!read_army(reader, field, ZORDE_CALLIANCE)) {
        WRONG(reader, "expected an empty line and the line ZORDE here");
        return;
    }
    if (expect_line(reader, "ZORDE") && read_army(reader, field, ZORDE_ZORDE))
        expect_nothing(reader);
}

/* --- Commands -------------------------------------------------------------------------------- */

/* One number of a step with its semicolon, which may be omitted at the end of the line [7.3]. */
static bool take_change(LineReader *reader, int *change) {
    uint32_t start = reader->at;
    *change = take(reader, "-1") ? -1 : take(reader, "0") ? 0 : 1;
    bool known = reader->at > start || take(reader, "1");
    if (known && (take(reader, ";") || at_end(reader)))
        return true;
    reader->at = start;
    WRONG(reader, "each number of a step must be -1, 0 or 1 and a semicolon");
    return false;
}

/* The line the reader is at. False: a problem was added. */
static bool read_order(LineReader *reader, Order *order) {
    char letter = peek(reader);
    char digit = reader->end - reader->at < 2 ? '\0' : reader->document->bytes[reader->at + 1];
    if (letter < 'A' || letter > 'Z' || digit < '0' || digit > '9') {
        WRONG(reader, "an order begins with the ID of a unit: a capital letter and a digit");
        return false;
    }
    reader->at += 2;
    if (!at_end(reader) && !take(reader, " ")) {
        WRONG(reader, "expected one space after the ID");
        return false;
    }
    *order = (Order){.letter = letter, .digit = digit, .first = reader->at};
    while (!at_end(reader)) {
        int dx, dy;
        if (!take_change(reader, &dx))
            return false;
        if (at_end(reader)) {
            WRONG(reader, "the last step has only one number; a step is two, such as 0;-1;");
            return false;
        }
        if (!take_change(reader, &dy))
            return false;
        order->steps++;
    }
    return true;
}

/* All orders, whether they will be carried out or not [7.5]. */
static void check_commands(LineReader *reader) {
    Order order;
    while (next_line(reader)) {
        if (at_end(reader)) {
            expect_nothing(reader);
            return;
        }
        read_order(reader, &order);
    }
}

/* --- Output ---------------------------------------------------------------------------------- */

/* A match from files. */
typedef struct OrderRun {
    const ZordeSetup *field;
    ZordeState *state;
    MashText *out;
    const char *newline;
} OrderRun;

/* A line with the line end of the initials [7.4]. */
static void write_line(const OrderRun *play, const char *line) {
    text_string(play->out, line);
    text_string(play->out, play->newline);
}

/* Stars, rows, stars, an empty line [7.7]. */
static void write_board(const OrderRun *play) {
    char row[2 * MASH_SIDE_MAX + 3];
    uint32_t last = 2u * play->field->width + 1;
    char stars[sizeof row];
    memset(stars, '*', last + 1);
    stars[last + 1] = row[last + 1] = '\0';
    write_line(play, stars);
    for (int y = 0; y < play->field->height; y++) {
        memset(row, ' ', last + 1);
        row[0] = row[last] = '*';
        for (uint8_t i = 0; i < play->field->units_count; i++) {
            ZordeUnit unit = play->state->units[i];
            if (unit.y == y && zorde_lives(play->field, play->state, i)) {
                row[1 + 2 * unit.x] = play->field->units[i].letter;
                row[2 + 2 * unit.x] = play->field->units[i].digit;
            }
        }
        write_line(play, row);
    }
    write_line(play, stars);
    write_line(play, "");
}

/* The living in the order of IDs, which is that of their numbers [7.7]. */
static void write_list(const OrderRun *play) {
    for (uint8_t i = 0; i < play->field->units_count; i++) {
        if (!zorde_lives(play->field, play->state, i))
            continue;
        const ZordeStartUnit *start = &play->field->units[i];
        text_format(play->out, "%c%c\t%u\t(%u)", start->letter, start->digit,
                    play->state->units[i].health, play->field->kinds[start->kind].health);
        write_line(play, "");
    }
    write_line(play, "");
}

/* The board, then the list of units [7.7]. */
static void write_position(const OrderRun *play) {
    write_board(play);
    write_list(play);
}

/* A message about an order, and an empty line. */
static void write_error(const OrderRun *play, const char *message) {
    write_line(play, message);
    write_line(play, "");
}

/* [7.14] */
static void write_end(const OrderRun *play) {
    write_line(play, "");
    write_line(play, "Game Finished");
    text_string(play->out, play->state->living[ZORDE_CALLIANCE] != 0 ? "Calliance Wins"
                           : play->state->living[ZORDE_ZORDE] != 0   ? "Zorde Wins"
                                                                     : "Draw");
}

/* --- Play ------------------------------------------------------------------------------------ */

/* Has a side no units left? */
static bool finished(const OrderRun *play) {
    return play->state->living[ZORDE_CALLIANCE] == 0 || play->state->living[ZORDE_ZORDE] == 0;
}

/* Makes the steps until the order is complete, even if the last enemy is defeated before [7.13], or
 * one leaves the board: then the steps before it stand [7.9]. Otherwise the position is printed
 * once [7.10]. */
static void run_order(const OrderRun *play, LineReader *reader, const Order *order, uint8_t unit) {
    bool inside = true;
    uint32_t made = 0;
    reader->at = order->first;
    do {
        int dx = 0, dy = 0;
        bool read = take_change(reader, &dx) && take_change(reader, &dy);
        assert(read);
        inside = zorde_step(play->field, play->state, unit, dx, dy, NULL);
        made += inside;
    } while (play->state->mover == unit);
    if (made > 0)
        write_position(play);
    if (!inside && !finished(play))
        write_error(play, "Error : Game board boundaries are exceeded. Input line ignored.");
}

/* One order: nothing for an unknown or defeated unit [7.12]; then the number of steps is checked
 * first [7.8]. */
static void run_orders(const OrderRun *play, LineReader *reader, const Order *order) {
    uint8_t unit = zorde_unit_find(play->field, order->letter, order->digit);
    if (unit == MASH_UNIT_NONE || !zorde_lives(play->field, play->state, unit))
        return;
    if (order->steps != zorde_kind_of(play->field, unit)->steps)
        write_error(play, "Error : Move sequence contains wrong number of move steps. "
                          "Input line ignored.");
    else
        run_order(play, reader, order, unit);
}

/* The start [7.6], then the orders regardless of whose turn it is [7.1], until there are no more of
 * them or a side has no unit, which may be so before the first [7.15]. Stops when the output is
 * full. */
static void play_orders(const OrderRun *play, const MashDocument *commands,
                        MashProblems *problems) {
    LineReader reader = reader_over(commands, problems);
    Order order;
    write_position(play);
    while (!finished(play) && !play->out->truncated && next_line(&reader) && !at_end(&reader)) {
        bool read = read_order(&reader, &order);
        assert(read);
        run_orders(play, &reader, &order);
    }
    if (finished(play))
        write_end(play);
}

/* The line end of the first line of the initials [7.4]. */
static const char *newline_of(const MashDocument *initials) {
    const char *feed = memchr(initials->bytes, '\n', initials->count);
    return feed != NULL && feed > initials->bytes && feed[-1] == '\r' ? "\r\n" : "\n";
}

/* Of the content only the kinds are used. The output takes at most about 20 KB per order on the
 * largest board; if it does not fit, that is reported as a problem. */
static bool batch(const MashContent *content, const MashDocuments *in, MashText *out,
                  MashProblems *problems) {
    if (in->count != 2) {
        problem_add(problems, "", 0, 0, "",
                    "two documents are needed: first the initials, then the commands");
        return false;
    }
    const MashDocument *initials = &in->list[0], *commands = &in->list[1];
    uint32_t before = problems->count;
    union {
        ZordeState state;
        uint8_t bytes[sizeof(ZordeState) +
                      ZORDE_UNITS_MAX * (sizeof(ZordeUnit) + sizeof(ZordeFigures)) + 16];
    } memory;
    ZordeSetup field = *zorde_setup(content);
    field.units_count = 0;
    LineReader reader = reader_over(initials, problems);
    read_initials(&reader, &field);
    reader = reader_over(commands, problems);
    check_commands(&reader);
    if (problems->count != before)
        return false;
    zorde_begin(&field, &memory.state);
    OrderRun play = {&field, &memory.state, out, newline_of(initials)};
    play_orders(&play, commands, problems);
    if (out->truncated)
        problem_add(problems, commands->name, 0, 0, "", "the output exceeds %u bytes",
                    (unsigned)out->max);
    return !out->truncated;
}

const MashFormat zorde_orders = {.id = "orders", .convert = batch};
