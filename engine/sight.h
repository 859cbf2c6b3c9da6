/* sight.h -- line of sight: the cells that the straight line between the centres of two cells
 * crosses.
 *
 * A cell that the line only touches at a corner does not count, nor do the two ends. Integers only,
 * so that every machine computes the same. It iterates from cell to cell; the caller decides what
 * blocks the line:
 *
 *     Sight sight = sight_between(ax, ay, bx, by);
 *     while (sight_next(&sight))
 *         if (blocks(sight.x, sight.y))
 *             return false;
 *     return true;
 *
 * From b to a it visits the same cells in reverse order. */
#ifndef ENGINE_SIGHT_H
#define ENGINE_SIGHT_H
#include "engine/grid.h"

/* An iteration along a line: x,y is the current cell. */
typedef struct Sight {
    int x, y;
    int end_x, end_y;
    int step_x, step_y;   /* -1, 0 or 1 */
    int twice_x, twice_y; /* twice the width and height of the line's box */
    int balance;          /* below 0: the line leaves this cell horizontally; above: vertically */
} Sight;

/* -1, 0 or 1 */
static inline int sight_sign(int n) { return (n > 0) - (n < 0); }

/* Starts at the first end. After i horizontal and j vertical steps, the line crosses the next
 * vertical edge at (2i+1) / 2dx of its length and the next horizontal edge at (2j+1) / 2dy; the
 * balance is the difference of the two, multiplied out. */
static inline Sight sight_between(int ax, int ay, int bx, int by) {
    int width = grid_abs(bx - ax), height = grid_abs(by - ay);
    return (Sight){.x = ax,
                   .y = ay,
                   .end_x = bx,
                   .end_y = by,
                   .step_x = sight_sign(bx - ax),
                   .step_y = sight_sign(by - ay),
                   .twice_x = 2 * width,
                   .twice_y = 2 * height,
                   .balance = height - width};
}

/* Advances to the next cell that the line crosses; false when that is the other end. */
static inline bool sight_next(Sight *sight) {
    int balance = sight->balance;
    if (balance <= 0) {
        sight->x += sight->step_x;
        sight->balance += sight->twice_y;
    }
    if (balance >= 0) {
        sight->y += sight->step_y;
        sight->balance -= sight->twice_x;
    }
    return sight->x != sight->end_x || sight->y != sight->end_y;
}

#endif
