/* test_render.c -- boards as text, drawn of Breakthrough and of a board made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "examples/breakthrough.h"
#include "match/render.h"
#include "tests/match/drawing.h"
#include "tests/support/support.h"

/* Breakthrough at its start, shown, and a text to draw into. */
typedef struct RenderFixture {
    MashContent *content;
    void *state, *memory;
    MashBoard board;
    char bytes[8192];
    MashText text;
} RenderFixture;

static RenderFixture fixture;

static int open_scene(void **unused) {
    (void)unused;
    fixture.content = support_content(&breakthrough_game, NULL);
    fixture.state = support_state(fixture.content);
    fixture.content->limits.meters_max = 8;
    fixture.memory = support_memory(mash_board_bytes(fixture.content));
    MashChance chance = chance_sampled(0);
    breakthrough_game.setup(fixture.content, NULL, &chance, fixture.state);
    fixture.board = mash_board_over(fixture.content, fixture.memory);
    breakthrough_game.show(fixture.content, fixture.state, &fixture.board);
    fixture.text = text_over(fixture.bytes, sizeof fixture.bytes);
    return 0;
}

static int close_scene(void **unused) {
    (void)unused;
    support_free(fixture.memory);
    support_free(fixture.state);
    support_free(fixture.content);
    return 0;
}

static void a_board_has_coordinates_and_names(void **unused) {
    (void)unused;
    drawing_board(fixture.content, fixture.state, &fixture.board, &fixture.text);
    assert_string_equal(fixture.bytes, "   0   1   2   3   4   5   6   7\n"
                                       "0  b0  b1  b2  b3  b4  b5  b6  b7\n"
                                       "1  b8  b9  b10 b11 b12 b13 b14 b15\n"
                                       "2  .   .   .   .   .   .   .   .\n"
                                       "3  .   .   .   .   .   .   .   .\n"
                                       "4  .   .   .   .   .   .   .   .\n"
                                       "5  .   .   .   .   .   .   .   .\n"
                                       "6  w0  w1  w2  w3  w4  w5  w6  w7\n"
                                       "7  w8  w9  w10 w11 w12 w13 w14 w15\n");
}

/* Ground beside names, ground health, hidden tokens, several on one cell. */
static void grounds_and_crowds_are_drawn(void **unused) {
    (void)unused;
    fixture.board.ground[5 * 8 + 6] = 1;
    fixture.board.ground_health[5 * 8 + 6] = 120;
    fixture.board.ground[6 * 8 + 6] = 2;
    fixture.board.tokens[7].flags = MASH_TOKEN_HIDDEN;
    fixture.board.tokens[8].x = 7;
    fixture.board.tokens[8].y = 6;
    fixture.board.tokens[15].unit = MASH_UNIT_NONE;
    fixture.board.tokens[15].x = 7, fixture.board.tokens[15].y = 5;
    drawing_board(fixture.content, fixture.state, &fixture.board, &fixture.text);
    assert_string_equal(fixture.bytes, "   0    1    2    3    4    5    6    7\n"
                                       "0  b0   b1   b2   b3   b4   b5   b6   b7\n"
                                       "1  b8   b9   b10  b11  b12  b13  b14  b15\n"
                                       "2  .    .    .    .    .    .    .    .\n"
                                       "3  .    .    .    .    .    .    .    .\n"
                                       "4  .    .    .    .    .    .    .    .\n"
                                       "5  .    .    .    .    .    .    #120 pawn\n"
                                       "6  w0   w1   w2   w3   w4   w5   w6  ~??  +\n"
                                       "7  .    w9   w10  w11  w12  w13  w14  .\n");
}

static void name_long(const MashContent *content, const void *state, uint8_t unit, MashText *text) {
    (void)content, (void)state;
    text_format(text, unit == 30 ? "b\303\251b\303\251\303\251" : "ninja%u", unit * 57u);
}

/* The number at the end of a name is kept; characters are not split. */
static void long_names_are_shortened(void **unused) {
    (void)unused;
    MashGame game = breakthrough_game;
    game.unit_name = name_long;
    fixture.content->game = &game;
    fixture.board.tokens[30].y = 2;
    drawing_board(fixture.content, fixture.state, &fixture.board, &fixture.text);
    assert_string_equal(fixture.bytes, "   0    1    2    3    4    5    6    7\n"
                                       "0  n912 n969 1026 1083 1140 1197 1254 1311\n"
                                       "1  1368 1425 1482 1539 1596 1653 .    1767\n"
                                       "2  .    .    .    .    .    .    b\303\251b\303\251 .\n"
                                       "3  .    .    .    .    .    .    .    .\n"
                                       "4  .    .    .    .    .    .    .    .\n"
                                       "5  .    .    .    .    .    .    .    .\n"
                                       "6  nin0 ni57 n114 n171 n228 n285 n342 n399\n"
                                       "7  n456 n513 n570 n627 n684 n741 n798 n855\n");
}

static void the_legend_names_the_grounds(void **unused) {
    (void)unused;
    render_legend(fixture.content, &fixture.board, &fixture.text);
    assert_string_equal(fixture.bytes, "");
    fixture.board.ground[3] = 1;
    render_legend(fixture.content, &fixture.board, &fixture.text);
    assert_string_equal(fixture.bytes, ". square   # \n");
}

/* Every ground has a sign: those of the list, then letters again and again. */
static void grounds_have_signs(void **unused) {
    (void)unused;
    static const char signs[] = ".#~^=%&*o:;!$@ABCDEFGHIJKLMNOPQRSTUVWXYZAB";
    for (uint8_t ground = 0; ground < sizeof signs - 1; ground++)
        assert_int_equal(render_ground_sign(ground), signs[ground]);
}

/* The ground health of the first and of the last cell makes all of them as wide as it needs. */
static void ground_health_decides_how_wide_cells_are(void **unused) {
    (void)unused;
    static const struct {
        uint32_t cell;
        uint16_t wear;
        const char *header;
    } rows[] = {{0, 9, "   0  1  2  3  4  5  6  7\n"},
                {0, 10, "   0   1   2   3   4   5   6   7\n"},
                {0, 99, "   0   1   2   3   4   5   6   7\n"},
                {0, 100, "   0    1    2    3    4    5    6    7\n"},
                {63, 10, "   0   1   2   3   4   5   6   7\n"},
                {63, 1000, "   0    1    2    3    4    5    6    7\n"}};
    fixture.board.tokens_count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture.board.ground_health[rows[i].cell] = rows[i].wear;
        text_clear(&fixture.text);
        drawing_board(fixture.content, fixture.state, &fixture.board, &fixture.text);
        fixture.board.ground_health[rows[i].cell] = 0;
        fixture.bytes[strcspn(fixture.bytes, "\n") + 1] = '\0';
        assert_string_equal(fixture.bytes, rows[i].header);
    }
}

static void lines_tell_units_sides_and_the_table(void **unused) {
    (void)unused;
    fixture.board.meters[1] = (MashMeter){.unit = 3, .now = 2, .about = 1};
    fixture.board.meters[2] =
        (MashMeter){.unit = 1, .now = 3, .about_list = 1 + MASH_NAME_SIDE, .about_set = true};
    fixture.board.meters[3] =
        (MashMeter){.unit = 1, .now = 5, .most = 9, .about = 1, .about_list = 1 + MASH_NAME_FIGURE};
    fixture.board.meters_count = 4;
    fixture.board.tokens_count = 5;
    fixture.board.tokens[0].flags = MASH_TOKEN_HIDDEN | MASH_TOKEN_DONE;
    fixture.board.tokens[1].flags = MASH_TOKEN_REVEALED | MASH_TOKEN_CHOSEN;
    fixture.board.tokens[2].place = MASH_GONE;
    fixture.board.tokens[3].place = MASH_ON_BENCH;
    fixture.board.tokens[4].seat = MASH_SEAT_NONE;
    fixture.board.tokens[4].unit = MASH_UNIT_NONE;
    drawing_side(fixture.content, fixture.state, &fixture.board, 0, &fixture.text);
    drawing_side(fixture.content, fixture.state, &fixture.board, MASH_SEAT_NONE, &fixture.text);
    fixture.board.meters[4] =
        (MashMeter){.unit = MASH_UNIT_NONE, .now = 7, .about_list = 1 + MASH_NAME_KIND};
    fixture.board.meters[5] = fixture.board.meters[4];
    fixture.board.meters[5].now = -2;
    fixture.board.meters[6] =
        (MashMeter){.unit = MASH_UNIT_NONE, .now = 1, .about = 1, .about_list = 1 + MASH_NAME_SIDE};
    fixture.board.meters_count = 7;
    fixture.board.order[0] = 9, fixture.board.order[1] = MASH_UNIT_SIDE + 1;
    fixture.board.order_count = 2;
    drawing_status(fixture.content, fixture.state, &fixture.board, &fixture.text);
    MashAction resign = {.verb = MASH_VERB_RESIGN, .seat = 1};
    mash_apply(fixture.content, fixture.state, resign, NULL, NULL);
    fixture.board.order_count = 0;
    fixture.board.meters_count = 4;
    drawing_status(fixture.content, fixture.state, &fixture.board, &fixture.text);
    assert_string_equal(fixture.bytes, "White:  pawns 16/16\n"
                                       "  w0 unknown at 0,6, done\n"
                                       "  w1 pawn at 1,6, chosen, revealed  pawns White|Black"
                                       "  pawns captures 5/9\n"
                                       "  w2 pawn gone\n"
                                       "  w3 pawn on the bench  pawns.1 2\n"
                                       "  pawn at 4,6\n"
                                       "play, waiting for White\n"
                                       "pawn: pawns 7  pawns -2\n"
                                       "Black: pawns 1\n"
                                       "next: w9 Black\n"
                                       "play, White won: resignation\n");
}

/* Up to 40 columns a cell has a column beside its name; on wider boards it has none, and only every
 * fifth column is numbered. */
static void wide_boards_are_crowded(void **unused) {
    (void)unused;
    for (uint8_t width = 40; width <= 41; width++) {
        fixture.content->limits.width = width;
        fixture.content->limits.height = 1;
        void *memory = support_memory(mash_board_bytes(fixture.content));
        MashBoard board = mash_board_over(fixture.content, memory);
        board.tokens_count = 2;
        board.tokens[0] = (MashToken){.unit = 3, .x = (int8_t)(width - 1)};
        board.tokens[1] = (MashToken){.unit = 4, .x = (int8_t)(width - 1), .place = MASH_GONE};
        text_clear(&fixture.text);
        drawing_board(fixture.content, fixture.state, &board, &fixture.text);
        char expected[600];
        MashText text = text_over(expected, sizeof expected);
        text_string(&text, "   ");
        for (uint32_t x = 0; x < width; x++)
            if (width == 40)
                text_format(&text, x < 10 ? "%u  " : x < 39 ? "%u " : "%u", x);
            else if (x % 5 == 0)
                text_format(&text, x < 10 ? "%u " : "%u", x);
            else
                text_string(&text, "  ");
        while (text.count > 0 && expected[text.count - 1] == ' ')
            expected[--text.count] = '\0';
        text_string(&text, "\n0  ");
        for (uint32_t x = 0; x + 1 < width; x++)
            text_string(&text, width == 40 ? ".  " : ". ");
        text_string(&text, "w3\n");
        assert_string_equal(fixture.bytes, expected);
        support_free(memory);
    }
}

static const char *unit_names[4];
static void name_of_list(const MashContent *content, const void *state, uint8_t unit,
                         MashText *text) {
    (void)content, (void)state;
    text_string(text, unit_names[unit]);
}

/* Blanks of a name are left out, its number stays, whatever else must go. */
static void names_fit_their_cells(void **unused) {
    (void)unused;
    static const struct {
        const char *name, *shown;
    } all[] = {{"a b c d", "abcd"},  {"a b c d e", "abcd"}, {"abcd", "abcd"},   {"abcde", "abcd"},
               {"ab12", "ab12"},     {"abc12", "ab12"},     {"abc123", "a123"}, {"abc1234", "1234"},
               {"abc12345", "abc1"}, {"12345", "1234"},     {"ab 90", "ab90"},  {"abc/12", "ab12"},
               {"abc:12", "ab12"},   {"a1bc9", "a1b9"},     {"  x", "x"}};
    MashGame game = breakthrough_game;
    fixture.content->limits.width = fixture.content->limits.height = 1;
    game.unit_name = name_of_list;
    fixture.content->game = &game;
    fixture.board.tokens_count = 2;
    fixture.board.tokens[0] = (MashToken){.unit = 0};
    fixture.board.tokens[1] = (MashToken){.unit = 1, .x = 5};
    unit_names[1] = "long";
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char expected[32];
        MashText text = text_over(expected, sizeof expected);
        unit_names[0] = all[i].name;
        text_clear(&fixture.text);
        drawing_board(fixture.content, fixture.state, &fixture.board, &fixture.text);
        text_format(&text, "   0\n0  %s\n", all[i].shown);
        assert_string_equal(fixture.bytes, expected);
    }
}

/* Of several tokens on a cell that of a seat is shown, the first of them. */
static void crowded_cells_show_a_seats_token_first(void **unused) {
    (void)unused;
    static const struct {
        uint8_t seats[3];
        uint32_t count;
        const char *text;
    } all[] = {{{2}, 1, "   0\n0  w0\n"},       {{2, 2}, 2, "   0\n0  w0+\n"},
               {{2, 0}, 2, "   0\n0  w1+\n"},   {{0, 2}, 2, "   0\n0  w0+\n"},
               {{0, 1}, 2, "   0\n0  w0+\n"},   {{2, 1, 0}, 3, "   0\n0  w1+\n"},
               {{1, 0, 2}, 3, "   0\n0  w0+\n"}};
    fixture.content->limits.width = fixture.content->limits.height = 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        fixture.board.tokens_count = all[i].count;
        for (uint8_t j = 0; j < all[i].count; j++)
            fixture.board.tokens[j] = (MashToken){
                .unit = j, .seat = all[i].seats[j] < 2 ? all[i].seats[j] : MASH_SEAT_NONE};
        text_clear(&fixture.text);
        drawing_board(fixture.content, fixture.state, &fixture.board, &fixture.text);
        assert_string_equal(fixture.bytes, all[i].text);
    }
}

/* A set names up to four of its members; of none or more it says how many. */
static void sets_are_named_or_counted(void **unused) {
    (void)unused;
    static const struct {
        uint32_t set;
        const char *text;
    } all[] = {{0, "White:\n  w0 pawn at 0,6  pawns 0\n"},
               {1, "White:\n  w0 pawn at 0,6  pawns White\n"},
               {0x80000001, "White:\n  w0 pawn at 0,6  pawns White|\n"},
               {0xf, "White:\n  w0 pawn at 0,6  pawns White|Black||\n"},
               {0x1f, "White:\n  w0 pawn at 0,6  pawns 5\n"},
               {0xffffffff, "White:\n  w0 pawn at 0,6  pawns 32\n"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        fixture.board.meters[0] = (MashMeter){.unit = 0,
                                              .now = (int32_t)all[i].set,
                                              .about_list = 1 + MASH_NAME_SIDE,
                                              .about_set = true};
        fixture.board.meters_count = 1;
        fixture.board.tokens_count = 1;
        text_clear(&fixture.text);
        drawing_side(fixture.content, fixture.state, &fixture.board, 0, &fixture.text);
        assert_string_equal(fixture.bytes, all[i].text);
    }
}

static uint32_t awaited_now;
static MashResult result_now;
static uint32_t awaited_of(const MashContent *content, const void *state) {
    (void)content, (void)state;
    return awaited_now;
}
static MashResult result_of(const MashContent *content, const void *state) {
    (void)content, (void)state;
    return result_now;
}

/* Whose turn it is, or how the match ended. */
static void the_status_names_everybody(void **unused) {
    (void)unused;
    static const struct {
        uint32_t awaited;
        MashResult result;
        const char *text;
    } all[] = {{1, {0}, "play, waiting for White\n"},
               {2, {0}, "play, waiting for Black\n"},
               {3, {0}, "play, waiting for White and Black\n"},
               {0, {.over = true, .winner = 1, .reason = 1}, "play, Black won: resignation\n"},
               {0, {.over = true, .winner = MASH_SEAT_NONE, .reason = 2}, "play, drawn: "},
               {0, {.over = true, .winner = 2, .reason = 2}, "play, drawn: "}};
    MashGame game = breakthrough_game;
    game.awaited = awaited_of;
    game.result = result_of;
    fixture.content->game = &game;
    fixture.board.meters_count = 0;
    fixture.board.order_count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        awaited_now = all[i].awaited;
        result_now = all[i].result;
        text_clear(&fixture.text);
        drawing_status(fixture.content, fixture.state, &fixture.board, &fixture.text);
        assert_memory_equal(fixture.bytes, all[i].text, strlen(all[i].text));
    }
}

int main(void) {
#define SCENE(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)
    const struct CMUnitTest tests[] = {
        SCENE(a_board_has_coordinates_and_names),
        SCENE(grounds_and_crowds_are_drawn),
        SCENE(long_names_are_shortened),
        SCENE(the_legend_names_the_grounds),
        SCENE(grounds_have_signs),
        SCENE(ground_health_decides_how_wide_cells_are),
        SCENE(lines_tell_units_sides_and_the_table),
        SCENE(wide_boards_are_crowded),
        SCENE(names_fit_their_cells),
        SCENE(crowded_cells_show_a_seats_token_first),
        SCENE(sets_are_named_or_counted),
        SCENE(the_status_names_everybody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
