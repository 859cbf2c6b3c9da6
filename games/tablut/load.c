/* load.c -- reads the board (*.board.json) and the texts, checks them and computes the limits.
 *
 * A board is drawn as one string per row. Every problem is reported with its path before the load
 * fails; the content is zeroed first, so that no uninitialised bytes are hashed. */
#include <string.h>

#include "games/tablut/state.h"

/* --- The board -------------------------------------------------------------------------------- */

/* What a letter of a drawing means: a piece of this kind or none, and whether the cell is the
 * konakis. */
enum { NOBODY = TABLUT_KINDS };
typedef struct Letter {
    char letter;
    uint8_t kind;
    bool konakis;
} Letter;
static const Letter letters[] = {
    {'.', NOBODY, false},     {'M', TABLUT_MUSCOVITE, false}, {'S', TABLUT_SWEDE, false},
    {'K', TABLUT_KING, true}, {'k', TABLUT_KING, false},      {'+', NOBODY, true},
};

/* A board as it is written. */
typedef struct Drawing {
    uint8_t corners, strong;
    char rows[TABLUT_SIDE_MAX][TABLUT_SIDE_MAX + 1];
} Drawing;
static_assert(sizeof(Drawing) <= FIELDS_ROW_BYTES, "it is read into passing memory");

/* The meaning of a letter, or NULL. */
static const Letter *letter_find(char letter) {
    for (uint32_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].letter == letter)
            return &letters[i];
    return NULL;
}

/* Has the row known letters only? */
static bool fits_row(const char *row) {
    for (; *row != '\0'; row++)
        if (letter_find(*row) == NULL)
            return false;
    return true;
}

/* The marks of a cell. */
static uint8_t marks_of(const Drawing *drawing, int side, int x, int y) {
    const Letter *letter = letter_find(drawing->rows[y][x]);
    bool edge_x = x == 0 || x + 1 == side, edge_y = y == 0 || y + 1 == side;
    uint8_t marks = letter->kind == TABLUT_MUSCOVITE ? TABLUT_MARK_CAMP : 0;
    if (letter->konakis)
        marks |= TABLUT_MARK_KONAKIS | TABLUT_MARK_CLOSED; /* [2.3] */
    if (drawing->corners && edge_x && edge_y)
        marks |= TABLUT_MARK_ESCAPE | TABLUT_MARK_CLOSED; /* [7.1] */
    if (!drawing->corners && (edge_x || edge_y))
        marks |= TABLUT_MARK_ESCAPE; /* [5.1] */
    return marks;
}

/* Numbers the pieces of one kind in the order of reading and puts them on their cells; returns the
 * number after the last. */
static uint8_t place_kind(const Drawing *drawing, uint8_t kind, uint8_t unit, TablutBoard *board) {
    for (int y = 0; y < board->side; y++)
        for (int x = 0; x < board->side; x++) {
            uint8_t cell = tablut_cell(x, y);
            if (letter_find(drawing->rows[y][x])->kind != kind)
                continue;
            board->units[unit] = cell;
            board->cells[cell] = ++unit;
        }
    return unit;
}

/* What is wrong with a drawing as a whole [1.2], or NULL. */
static const char *drawing_problem(const Drawing *drawing, int side) {
    int kinds[TABLUT_KINDS + 1] = {0}, konakis = 0, outside = 0;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const Letter *letter = letter_find(drawing->rows[y][x]);
            bool edge = x == 0 || y == 0 || x + 1 == side || y + 1 == side;
            kinds[letter->kind]++;
            konakis += letter->konakis;
            outside += edge && (letter->konakis || letter->kind == TABLUT_KING);
        }
    return kinds[TABLUT_KING] != 1       ? "must have exactly one king, K or k"
           : konakis != 1                ? "must have exactly one konakis, K or +"
           : outside != 0                ? "neither the king nor the konakis may be at the edge"
           : kinds[TABLUT_MUSCOVITE] < 1 ? "must have at least one Muscovite, M"
           : side * side - kinds[NOBODY] > TABLUT_UNITS_MAX ? "at most 48 pieces are allowed"
                                                            : NULL;
}

/* Makes the board from a valid drawing. */
static void place(const Drawing *drawing, int side, TablutBoard *board) {
    memset(board->cells, TABLUT_WALL, sizeof board->cells);
    board->side = (uint8_t)side;
    board->corners = drawing->corners; /* [7.1] */
    board->strong = drawing->strong;   /* [7.2] */
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            uint8_t cell = tablut_cell(x, y);
            board->cells[cell] = TABLUT_EMPTY;
            board->marks[cell] = marks_of(drawing, side, x, y);
            if (board->marks[cell] & TABLUT_MARK_KONAKIS)
                board->konakis = cell;
        }
    board->muscovites = place_kind(drawing, TABLUT_MUSCOVITE, 0, board);
    board->king = place_kind(drawing, TABLUT_SWEDE, board->muscovites, board);
    place_kind(drawing, TABLUT_KING, board->king, board);
}

/* The board must be a square [1.1] and complete [1.2], and the side that begins must have a move
 * [1.4]. */
static void take_board(FieldsReader *reader, uint32_t node, void *record) {
    const Json *json = reader->json;
    const Drawing *drawing = record;
    TablutBoard *board = &((TablutContent *)reader->record)->board;
    uint32_t rows = json_member(json, node, "rows"), before = reader->problems->count, y = 0;
    uint32_t side = json->nodes[rows].count;
    for (uint32_t row = json_first(json, rows); row != JSON_NONE; row = json->nodes[row].next)
        if (strlen(drawing->rows[y++]) != side)
            json_problem(
                json, row, reader->problems,
                "the board must be square: each of the %u rows must have %u cells, found %u",
                (unsigned)side, (unsigned)side, (unsigned)strlen(drawing->rows[y - 1]));
    if (reader->problems->count != before)
        return;
    const char *wrong = drawing_problem(drawing, (int)side);
    if (wrong == NULL) {
        place(drawing, (int)side, board);
        TablutState first = tablut_begin(board);
        if (!tablut_can_move(board, &first, TABLUT_MUSCOVITES))
            wrong = "the Muscovites move first and have no legal move";
    }
    if (wrong != NULL)
        json_problem(json, rows, reader->problems, "%s", wrong);
}

static const FieldFormat row_format = {
    "^[.MSKk+]{5,11}$", fits_row,
    "may contain only . (free), M (Muscovite), S (Swede), K (king on the konakis), k (king "
    "elsewhere) and + (empty konakis)"};
static const Field row_item = {
    .key = "rows", .kind = FIELD_LINE, .bytes = TABLUT_SIDE_MAX + 1, .format = &row_format};
static const char *const escapes[] = {"edge", "corners", NULL};
static const char *const kings[] = {"weak", "strong", NULL};
static const Field board_fields[] = {
    FIELD(ENUM, "escape", Drawing, corners, .words = escapes, .label = "The king escapes",
          .meaning = "Where the king escapes: on any cell of the edge, or in a corner."),
    FIELD(ENUM, "king", Drawing, strong, .words = kings, .label = "The king is",
          .meaning = "How he is taken: weak, between two Muscovites, or strong, on all sides."),
    FIELD(LIST, "rows", Drawing, rows, .item = &row_item, .min = TABLUT_SIDE_MIN,
          .max = TABLUT_SIDE_MAX, .label = "Board",
          .meaning =
              "From top to bottom, a character a cell: . is free, M a Muscovite, S a Swede, K "
              "the king on his konakis, k the king elsewhere, + the empty konakis."),
};
static const Fields board_document = {
    .id = ".board.json",
    .meaning = "a board",
    .beyond =
        "the board is square, with one king and one konakis, neither of them at the edge, and a "
        "Muscovite who can move; there are at most 48 pieces",
    FIELDS_OF(board_fields),
    .bytes = sizeof(Drawing),
    .check = take_board};
const Fields *const tablut_documents[] = {&board_document, NULL};

/* --- The whole -------------------------------------------------------------------------------- */

static const TextsIds lists[] = {
    TEXTS_IDS(KIND, 0, "muscovite", "swede", "king"),
    TEXTS_IDS(GROUND, 0, "field", "konakis", "camp", "corner"),
    TEXTS_IDS(METER, 0, "soldiers", "quiet-moves"),
    TEXTS_IDS(PHASE, 0, "move", "over"),
    TEXTS_IDS(VERB, TABLUT_VERB_MOVE, "move"),
    TEXTS_IDS(REASON, MASH_REASON_GAME, "escaped", "king-taken", "stuck", "quiet"),
    TEXTS_IDS(FIGURE, 0, "moves", "taken"),
    TEXTS_IDS(SIDE, 0, "muscovites", "swedes"),
};
static const MashEventKind events[] = {
    MASH_EVENT_TURN_BEGAN,   MASH_EVENT_MOVED,         MASH_EVENT_DIED,       MASH_EVENT_SPOKE,
    MASH_EVENT_DRAW_OFFERED, MASH_EVENT_DRAW_DECLINED, MASH_EVENT_MATCH_ENDED};

/* Limits, each of them proven. Actions: a piece moves along a row and a column. Length: at most 100
 * moves are made without a piece being taken [6.1], and after the last of them the match is over.
 * Events of one move: the move itself, a piece taken on each of its four sides, a call, a lapsed
 * draw offer, and the turn or the end. */
static void finish(MashContent *content) {
    const TablutBoard *board = tablut_board(content);
    uint32_t swedes = 1u + board->king - board->muscovites;
    uint32_t most = board->muscovites > swedes ? board->muscovites : swedes;
    content->limits = (MashLimits){.state_bytes = sizeof(TablutState),
                                   .core_bytes = TABLUT_CORE_BYTES,
                                   .actions_max = most * 2 * (board->side - 1u),
                                   .events_max = 1 + TABLUT_DIRECTIONS + 3,
                                   .tokens_max = board->king + 1u,
                                   .meters_max = MASH_SEATS + 1,
                                   .length_max = (board->king + 1u) * TABLUT_QUIET_MAX,
                                   .width = board->side,
                                   .height = board->side,
                                   .units = (uint8_t)(board->king + 1)};
}

GAME_LOAD(tablut, .hashed_bytes = sizeof(TablutBoard), .finish = finish)
