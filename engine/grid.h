/* grid.h -- cells, distances and directions on a rectangle. x = column from the left, y = row from
 * the top. */
#ifndef ENGINE_GRID_H
#define ENGINE_GRID_H
#include <stdbool.h>
#include <stdint.h>

/* The eight directions; the first four are the orthogonal ones: up, right, down, left. */
static const int8_t grid_dx[8] = {0, 1, 0, -1, 1, 1, -1, -1};
static const int8_t grid_dy[8] = {-1, 0, 1, 0, -1, 1, 1, -1};

/* Is the cell on the board? */
static inline bool grid_inside(int x, int y, int width, int height) {
    return x >= 0 && x < width && y >= 0 && y < height;
}

/* |n| */
static inline int grid_abs(int n) { return n < 0 ? -n : n; }

/* King's moves between two cells (eight directions). */
static inline int grid_chebyshev(int ax, int ay, int bx, int by) {
    int dx = grid_abs(ax - bx), dy = grid_abs(ay - by);
    return dx > dy ? dx : dy;
}

/* Orthogonal steps between two cells. */
static inline int grid_manhattan(int ax, int ay, int bx, int by) {
    return grid_abs(ax - bx) + grid_abs(ay - by);
}

#endif
