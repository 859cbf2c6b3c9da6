/* test_render.c -- boards as text, drawn of Breakthrough and of a board made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "examples/breakthrough.h"
#include "match/render.h"
#include "tests/support/support.h"

/* Breakthrough at its start, shown, and a text to draw into. */
typedef struct Scene {
    MashContent *content;
    void *state, *memory;
    MashBoard board;
    char bytes[8192];
    MashText text;
} Scene;

static Scene scene;

static int open_scene(void **unused) {
    (void)unused;
    scene.content = support_content(&breakthrough_game, NULL);
    scene.state = support_state(scene.content);
    scene.content->limits.meters_max = 8;
    scene.memory = support_memory(render_bytes(scene.content));
    MashChance chance = chance_sampled(0);
    breakthrough_game.setup(scene.content, NULL, &chance, scene.state);
    scene.board = render_memory(scene.content, scene.memory);
    breakthrough_game.show(scene.content, scene.state, &scene.board);
    scene.text = text_over(scene.bytes, sizeof scene.bytes);
    return 0;
}

static int close_scene(void **unused) {
    (void)unused;
    support_free(scene.memory);
    support_free(scene.state);
    support_free(scene.content);
    return 0;
}

static void a_board_has_coordinates_and_names(void **unused) {
    (void)unused;
    render_board(scene.content, scene.state, &scene.board, NULL, &scene.text);
    assert_string_equal(scene.bytes, "   0   1   2   3   4   5   6   7\n"
                                     "0  b0  b1  b2  b3  b4  b5  b6  b7\n"
                                     "1  b8  b9  b10 b11 b12 b13 b14 b15\n"
                                     "2  .   .   .   .   .   .   .   .\n"
                                     "3  .   .   .   .   .   .   .   .\n"
                                     "4  .   .   .   .   .   .   .   .\n"
                                     "5  .   .   .   .   .   .   .   .\n"
                                     "6  w0  w1  w2  w3  w4  w5  w6  w7\n"
                                     "7  w8  w9  w10 w11 w12 w13 w14 w15\n");
}

static void mark(void *context, const RenderCell *spot, MashText *text) {
    (void)context;
    if (spot->part == DRAW_TOKEN)
        text_byte(text, spot->active ? '!' : '<');
}

static void unmark(void *context, const RenderCell *spot, MashText *text) {
    (void)context;
    if (spot->part == DRAW_TOKEN)
        text_byte(text, '>');
}

/* Ground beside names, ground health, hidden tokens, several on one cell, only a part of the board,
 * and hooks around tokens. */
static void a_style_marks_parts_and_chooses_a_window(void **unused) {
    (void)unused;
    RenderStyle style = {.begin = mark, .end = unmark, .x = 6, .y = 5, .width = 9, .height = 2};
    scene.board.ground[5 * 8 + 6] = 1;
    scene.board.ground_health[5 * 8 + 6] = 120;
    scene.board.ground[6 * 8 + 6] = 2;
    scene.board.tokens[7].flags = MASH_TOKEN_HIDDEN;
    scene.board.tokens[8].x = 7;
    scene.board.tokens[8].y = 6;
    scene.board.active = 6;
    scene.board.tokens[15].unit = MASH_UNIT_NONE;
    scene.board.tokens[15].x = 7, scene.board.tokens[15].y = 5;
    render_board(scene.content, scene.state, &scene.board, &style, &scene.text);
    assert_string_equal(scene.bytes, "   6    7\n"
                                     "5  #120 <pawn>\n"
                                     "6  !w6  >~<??  >+\n");
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
    scene.content->game = &game;
    RenderStyle style = {.width = 3, .height = 2, .x = 5};
    scene.board.tokens[30].y = 2;
    render_board(scene.content, scene.state, &scene.board, &style, &scene.text);
    assert_string_equal(scene.bytes, "   5    6    7\n"
                                     "0  1197 1254 1311\n"
                                     "1  1653 .    1767\n");
    text_clear(&scene.text);
    style.y = 1;
    scene.board.tokens[0].x = 7, scene.board.tokens[0].y = 1;
    scene.board.tokens_count = 31;
    render_board(scene.content, scene.state, &scene.board, &style, &scene.text);
    assert_string_equal(scene.bytes, "   5    6    7\n"
                                     "1  1653 .    nin0\n"
                                     "2  .    b\303\251b\303\251 .\n");
}

static void the_legend_names_the_grounds(void **unused) {
    (void)unused;
    render_legend(scene.content, &scene.board, &scene.text);
    assert_string_equal(scene.bytes, "");
    scene.board.ground[3] = 1;
    render_legend(scene.content, &scene.board, &scene.text);
    assert_string_equal(scene.bytes, ". square   # \n");
}

/* Every ground has a sign: those of the list, then letters again and again. */
static void grounds_have_signs(void **unused) {
    (void)unused;
    static const char signs[] = ".#~^=%&*o:;!$@ABCDEFGHIJKLMNOPQRSTUVWXYZAB";
    for (uint8_t ground = 0; ground < sizeof signs - 1; ground++)
        assert_int_equal(render_ground_sign(ground), signs[ground]);
}

/* The ground health of the first and of the last cell makes all of them as wide as it needs. */
static void wear_decides_how_wide_cells_are(void **unused) {
    (void)unused;
    static const struct {
        uint32_t cell;
        uint16_t wear;
        const char *header;
    } rows[] = {{0, 9, "   0  1\n"},     {0, 10, "   0   1\n"},  {0, 99, "   0   1\n"},
                {0, 100, "   0    1\n"}, {63, 10, "   0   1\n"}, {63, 1000, "   0    1\n"}};
    RenderStyle style = {.width = 2, .height = 1};
    scene.board.tokens_count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene.board.ground_health[rows[i].cell] = rows[i].wear;
        text_clear(&scene.text);
        render_board(scene.content, scene.state, &scene.board, &style, &scene.text);
        scene.board.ground_health[rows[i].cell] = 0;
        scene.bytes[strcspn(scene.bytes, "\n") + 1] = '\0';
        assert_string_equal(scene.bytes, rows[i].header);
    }
}

static void lines_tell_units_sides_and_the_table(void **unused) {
    (void)unused;
    scene.board.meters[1] = (MashMeter){.unit = 3, .now = 2, .about = 1};
    scene.board.meters[2] =
        (MashMeter){.unit = 1, .now = 3, .about_list = 1 + MASH_NAME_SIDE, .about_set = true};
    scene.board.meters[3] =
        (MashMeter){.unit = 1, .now = 5, .most = 9, .about = 1, .about_list = 1 + MASH_NAME_FIGURE};
    scene.board.meters_count = 4;
    scene.board.tokens_count = 5;
    scene.board.tokens[0].flags = MASH_TOKEN_HIDDEN | MASH_TOKEN_DONE;
    scene.board.tokens[1].flags = MASH_TOKEN_REVEALED | MASH_TOKEN_CHOSEN;
    scene.board.tokens[2].place = MASH_GONE;
    scene.board.tokens[3].place = MASH_ON_BENCH;
    scene.board.tokens[4].seat = MASH_SEAT_NONE;
    scene.board.tokens[4].unit = MASH_UNIT_NONE;
    render_side(scene.content, scene.state, &scene.board, 0, NULL, &scene.text);
    render_side(scene.content, scene.state, &scene.board, MASH_SEAT_NONE, NULL, &scene.text);
    scene.board.meters[4] =
        (MashMeter){.unit = MASH_UNIT_NONE, .now = 7, .about_list = 1 + MASH_NAME_KIND};
    scene.board.meters[5] = scene.board.meters[4];
    scene.board.meters[5].now = -2;
    scene.board.meters[6] =
        (MashMeter){.unit = MASH_UNIT_NONE, .now = 1, .about = 1, .about_list = 1 + MASH_NAME_SIDE};
    scene.board.meters_count = 7;
    scene.board.order[0] = 9, scene.board.order[1] = MASH_UNIT_SIDE + 1;
    scene.board.order_count = 2;
    render_status(scene.content, scene.state, &scene.board, &scene.text);
    MashAction resign = {.verb = MASH_VERB_RESIGN, .seat = 1};
    mash_apply(scene.content, scene.state, resign, NULL, NULL);
    scene.board.order_count = 0;
    scene.board.meters_count = 4;
    render_status(scene.content, scene.state, &scene.board, &scene.text);
    assert_string_equal(scene.bytes, "White:  pawns 16/16\n"
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

int main(void) {
#define SCENE(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)
    const struct CMUnitTest tests[] = {
        SCENE(a_board_has_coordinates_and_names),
        SCENE(a_style_marks_parts_and_chooses_a_window),
        SCENE(long_names_are_shortened),
        SCENE(the_legend_names_the_grounds),
        SCENE(grounds_have_signs),
        SCENE(wear_decides_how_wide_cells_are),
        SCENE(lines_tell_units_sides_and_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
