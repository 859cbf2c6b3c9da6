/* test_sight.c -- the traversal of a line of sight against the formula, on all offsets up to 12. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/sight.h"

enum { FAR = 12, SIDE = 2 * FAR + 1 };

/* Cells relative to the one in the middle. */
typedef struct Cells {
    bool cut[SIDE][SIDE];
} Cells;

/* The line to dx,dy crosses the cell if corners of it are strictly on both sides. */
static bool formula(int dx, int dy, int x, int y) {
    int least = 0, most = 0;
    for (int u = -1; u <= 1; u += 2)
        for (int v = -1; v <= 1; v += 2) {
            int side = dx * (2 * y + v) - dy * (2 * x + u);
            least = side < least ? side : least;
            most = side > most ? side : most;
        }
    return least < 0 && most > 0;
}

static bool between(int a, int n) { return n >= 0 ? a >= 0 && a <= n : a <= 0 && a >= n; }

static Cells by_formula(int dx, int dy) {
    Cells cells;
    memset(&cells, 0, sizeof cells);
    for (int x = -FAR; x <= FAR; x++)
        for (int y = -FAR; y <= FAR; y++) {
            bool an_end = (x == 0 && y == 0) || (x == dx && y == dy);
            cells.cut[x + FAR][y + FAR] =
                !an_end && between(x, dx) && between(y, dy) && formula(dx, dy, x, y);
        }
    return cells;
}

/* The traversal from a to b; cells are recorded relative to `home`. Each may occur only once. */
static Cells by_walk(int ax, int ay, int bx, int by, int home_x, int home_y) {
    Cells cells;
    memset(&cells, 0, sizeof cells);
    Sight sight = sight_between(ax, ay, bx, by);
    while (sight_next(&sight)) {
        bool *cut = &cells.cut[sight.x - home_x + FAR][sight.y - home_y + FAR];
        assert_false(*cut);
        *cut = true;
    }
    return cells;
}

static void the_walk_is_the_formula_both_ways(void **unused) {
    (void)unused;
    int offsets = 0;
    for (int dx = -FAR; dx <= FAR; dx++)
        for (int dy = -FAR; dy <= FAR; dy++) {
            Cells wanted = by_formula(dx, dy);
            Cells there = by_walk(40, 50, 40 + dx, 50 + dy, 40, 50);
            Cells back = by_walk(40 + dx, 50 + dy, 40, 50, 40, 50);
            assert_memory_equal(&there, &wanted, sizeof wanted);
            assert_memory_equal(&back, &wanted, sizeof wanted);
            offsets++;
        }
    assert_int_equal(offsets, 625);
}

static void nothing_lies_between_neighbours(void **unused) {
    (void)unused;
    for (int i = 0; i < 8; i++) {
        Sight sight = sight_between(3, 3, 3 + grid_dx[i], 3 + grid_dy[i]);
        assert_false(sight_next(&sight));
    }
    Sight same = sight_between(3, 3, 3, 3);
    assert_false(sight_next(&same));
}

/* A knight's move crosses the two cells beside the line; a diagonal passes corners and crosses none
 * of those beside it. */
static void two_lines_by_hand(void **unused) {
    (void)unused;
    Sight knight = sight_between(0, 0, 2, 1);
    assert_true(sight_next(&knight));
    assert_int_equal(knight.x * 10 + knight.y, 10);
    assert_true(sight_next(&knight));
    assert_int_equal(knight.x * 10 + knight.y, 11);
    assert_false(sight_next(&knight));
    Sight diagonal = sight_between(0, 2, 2, 0);
    assert_true(sight_next(&diagonal));
    assert_int_equal(diagonal.x * 10 + diagonal.y, 11);
    assert_false(sight_next(&diagonal));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_walk_is_the_formula_both_ways),
        cmocka_unit_test(nothing_lies_between_neighbours),
        cmocka_unit_test(two_lines_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
