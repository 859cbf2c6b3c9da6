/* reach.c -- see reach.h: a flood fill over a window of columns around the start, which is in the
 * middle. */
#include "engine/reach.h"

#include "engine/grid.h"

/* The start's column and row in the window. There is an empty column on either side, so that
 * adjacent columns always exist. */
enum { MIDDLE = REACH_STEPS_MAX + 1, WINDOW = REACH_COLUMNS + 2 };
static const uint64_t start_bit = (uint64_t)1 << REACH_STEPS_MAX;

/* Cells that may be entered and cells that have been reached; bit b is row y - REACH_STEPS_MAX + b.
 * Only columns MIDDLE + first to MIDDLE + last are on the board and near enough to matter. */
typedef struct ReachWindow {
    int first, last;
    uint64_t open[WINDOW], cells[WINDOW];
} ReachWindow;

/* Rows `top` to top + 63 of a column; rows off the board are closed. */
static uint64_t slice(const ReachColumn *column, int top) {
    uint64_t low = column->rows[0], high = column->rows[1];
    if (top <= 0)
        return low << -top;
    if (top >= 64)
        return high >> (top - 64);
    return low >> top | high << (64 - top);
}

/* Copies the part of the board within this many steps; only the start is reached. */
static void window_open(ReachWindow *window, const ReachColumn *open, int width, int x, int y,
                        int steps) {
    assert(steps >= 0 && steps <= REACH_STEPS_MAX);
    window->first = steps < x ? -steps : -x;
    window->last = steps < width - 1 - x ? steps : width - 1 - x;
    for (int i = window->first; i <= window->last; i++) {
        window->open[MIDDLE + i] = slice(&open[x + i], y - REACH_STEPS_MAX);
        window->cells[MIDDLE + i] = 0;
    }
    window->cells[MIDDLE + window->last + 1] = 0;
    window->cells[MIDDLE] = start_bit;
}

/* One step further: step number `step` affects that many columns on either side. */
static void window_grow(ReachWindow *window, int step) {
    int first = MIDDLE + (-step > window->first ? -step : window->first);
    int last = MIDDLE + (step < window->last ? step : window->last);
    uint64_t before = 0; /* the column to the left as it was */
    for (int i = first; i <= last; i++) {
        uint64_t here = window->cells[i];
        uint64_t near = here << 1 | here >> 1 | before | window->cells[i + 1];
        window->cells[i] = here | (near & window->open[i]);
        before = here;
    }
}

void reach_fill(Reach *reach, const ReachColumn *open, int width, int x, int y, int steps) {
    ReachWindow window;
    window_open(&window, open, width, x, y, steps);
    for (int step = 1; step <= steps; step++)
        window_grow(&window, step);
    window.cells[MIDDLE] &= ~start_bit;
    reach->left = x + window.first;
    reach->top = y - REACH_STEPS_MAX;
    reach->columns = window.last - window.first + 1;
    for (int i = 0; i < reach->columns; i++)
        reach->cells[i] = window.cells[MIDDLE + window.first + i];
}

int reach_steps(const ReachColumn *open, int width, int x, int y, int to_x, int to_y, int steps) {
    int least = grid_manhattan(x, y, to_x, to_y);
    if (least == 0 || least > steps)
        return 0;
    ReachWindow window;
    window_open(&window, open, width, x, y, steps);
    for (int step = 1; step <= steps; step++) {
        window_grow(&window, step);
        if (window.cells[MIDDLE + to_x - x] >> (REACH_STEPS_MAX + to_y - y) & 1)
            return step;
    }
    return 0;
}
