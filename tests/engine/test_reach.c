/* test_reach.c -- engine/reach against drawn boards and against a plain search on random boards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/chance.h"
#include "engine/grid.h"
#include "engine/reach.h"

/* Was this cell reached? */
static bool reach_has(const Reach *reach, int x, int y) {
    int column = x - reach->left, row = y - reach->top;
    return column >= 0 && column < reach->columns && row >= 0 && row < 64 &&
           (reach->cells[column] >> row & 1);
}

/* The open cells of a drawing ('#' is closed); its width. */
static int drawn(const char *const *rows, int height, ReachColumn *open) {
    int width = (int)strlen(rows[0]);
    memset(open, 0, (size_t)width * sizeof *open);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (rows[y][x] != '#')
                reach_open(open, x, y);
    return width;
}

/* The cells marked * in the drawing, and no others, are reached from the cell marked @. */
static void reaches_the_stars(const char *const *rows, int height, int steps) {
    ReachColumn open[MASH_SIDE_MAX];
    Reach reach;
    int width = drawn(rows, height, open), from_x = -1, from_y = -1;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (rows[y][x] == '@')
                from_x = x, from_y = y;
    assert_true(from_x >= 0);
    reach_close(open, from_x, from_y);
    reach_fill(&reach, open, width, from_x, from_y, steps);
    for (int y = -1; y <= height; y++)
        for (int x = -1; x <= width; x++) {
            bool star = grid_inside(x, y, width, height) && rows[y][x] == '*';
            assert_int_equal(reach_has(&reach, x, y), star);
            int way = grid_inside(x, y, width, height)
                          ? reach_steps(open, width, from_x, from_y, x, y, steps)
                          : 0;
            assert_int_equal(way > 0, star);
        }
}

static void open_ground_is_a_diamond(void **unused) {
    (void)unused;
    const char *const rows[] = {
        "..*...", //
        ".***..", //
        "**@**.", //
        ".***..", //
        "..*...",
    };
    reaches_the_stars(rows, 5, 2);
}

static void walls_are_walked_around_not_through(void **unused) {
    (void)unused;
    const char *const around[] = {
        "****", //
        "*#**", //
        "@#*.",
    };
    const char *const closed_in[] = {
        "##.", //
        "@#.", //
        "##.",
    };
    reaches_the_stars(around, 3, 6);
    reaches_the_stars(closed_in, 3, 9);
    reaches_the_stars((const char *const[]){"@...", "...."}, 2, 0);
}

/* Distances by relaxing until nothing changes: slow, and a different algorithm. */
static void distances(const ReachColumn *open, int width, int height, int x, int y, int *out) {
    for (int i = 0; i < width * height; i++)
        out[i] = 999;
    out[y * width + x] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int step = 0; step < 4 * width * height; step++) {
            int i = step / 4, d = step % 4;
            int to_x = i % width + grid_dx[d], to_y = i / width + grid_dy[d];
            if (!grid_inside(to_x, to_y, width, height) || !reach_is_open(open, to_x, to_y) ||
                out[to_y * width + to_x] <= out[i] + 1)
                continue;
            out[to_y * width + to_x] = out[i] + 1;
            changed = true;
        }
    }
}

static void random_boards_agree_with_a_plain_search(void **unused) {
    (void)unused;
    static int far[MASH_SIDE_MAX * MASH_SIDE_MAX];
    MashChance chance = chance_sampled(7);
    for (int round = 0; round < 60; round++) {
        ReachColumn open[MASH_SIDE_MAX] = {{{0, 0}}};
        int width = 1 + (int)chance_below(&chance, 100),
            height = 1 + (int)chance_below(&chance, 100);
        for (int i = 0; i < width * height; i++)
            if (chance_below(&chance, 10) < 7)
                reach_open(open, i % width, i / width);
        int x = (int)chance_below(&chance, (uint32_t)width);
        int y = (int)chance_below(&chance, (uint32_t)height);
        int steps = (int)chance_below(&chance, REACH_STEPS_MAX + 1);
        Reach reach;
        reach_fill(&reach, open, width, x, y, steps);
        distances(open, width, height, x, y, far);
        for (int i = 0; i < width * height; i++) {
            bool near = far[i] > 0 && far[i] <= steps;
            assert_int_equal(reach_has(&reach, i % width, i / width), near);
            assert_int_equal(reach_steps(open, width, x, y, i % width, i / width, steps),
                             near ? far[i] : 0);
        }
    }
}

static void cells_come_out_by_column_then_row(void **unused) {
    (void)unused;
    ReachColumn open[MASH_SIDE_MAX];
    for (int x = 0; x < MASH_SIDE_MAX; x++)
        open[x] = (ReachColumn){{UINT64_MAX, ((uint64_t)1 << (MASH_SIDE_MAX - 64)) - 1}};
    Reach reach;
    reach_fill(&reach, open, MASH_SIDE_MAX, 70, 64, REACH_STEPS_MAX);
    assert_int_equal(reach.left, 39);
    assert_int_equal(reach.columns, 61); /* up to the edge */
    assert_true(reach_has(&reach, 39, 64) && reach_has(&reach, 70, 33) &&
                reach_has(&reach, 70, 95));
    assert_true(reach_has(&reach, 99, 62) && !reach_has(&reach, 99, 61));
    assert_true(!reach_has(&reach, 100, 64) && !reach_has(&reach, 70, 64));
}

/* As far as a fill can go on all sides: nothing behind its last column is touched. */
static void the_longest_way_has_room(void **unused) {
    (void)unused;
    ReachColumn open[MASH_SIDE_MAX];
    struct {
        Reach reach;
        uint64_t behind;
    } memory = {.behind = 7};
    memset(open, 0, sizeof open);
    for (int x = 0; x < MASH_SIDE_MAX; x++)
        for (int y = 0; y < MASH_SIDE_MAX; y++)
            reach_open(open, x, y);
    reach_fill(&memory.reach, open, MASH_SIDE_MAX, 50, 50, REACH_STEPS_MAX);
    assert_int_equal(memory.reach.columns, REACH_COLUMNS);
    assert_int_equal(memory.reach.left, 50 - REACH_STEPS_MAX);
    assert_true(reach_has(&memory.reach, 50 + REACH_STEPS_MAX, 50));
    assert_true(memory.behind == 7);
}

/* From row 95 the window begins with the second word of a column: a wall below is one, though the
 * cell 64 rows higher is open. */
static void a_window_may_begin_with_the_second_word(void **unused) {
    (void)unused;
    ReachColumn open[3] = {{{0, 0}}};
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 100; y++)
            if (x != 1 || y != 96)
                reach_open(open, x, y);
    assert_int_equal(reach_steps(open, 3, 1, 95, 1, 94, 3), 1);
    assert_int_equal(reach_steps(open, 3, 1, 95, 1, 96, 3), 0);
    assert_int_equal(reach_steps(open, 3, 1, 95, 1, 97, 4), 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_may_begin_with_the_second_word),
        cmocka_unit_test(open_ground_is_a_diamond),
        cmocka_unit_test(walls_are_walked_around_not_through),
        cmocka_unit_test(random_boards_agree_with_a_plain_search),
        cmocka_unit_test(cells_come_out_by_column_then_row),
        cmocka_unit_test(the_longest_way_has_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
