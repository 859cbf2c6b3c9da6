/* sight.h -- the cells between two cells: those that the straight line between their centres cuts.
 *
 * A cell that the line only touches at a corner does not count, and the two ends never do. All in
 * whole numbers, so that every machine sees the same. The walk goes from cell to cell; whoever asks
 * looks at each and decides by himself what blocks:
 *
 *     Sight sight = sight_between(ax, ay, bx, by);
 *     while (sight_next(&sight))
 *         if (blocks(sight.x, sight.y))
 *             return false;
 *     return true;
 *
 * From b to a it visits the same cells in the other order. */
#ifndef ENGINE_SIGHT_H
#define ENGINE_SIGHT_H
#include "engine/grid.h"

/* A walk along a line: x,y is the cell it has come to. */
typedef struct Sight {
    int x, y;
    int end_x, end_y;
    int step_x, step_y;   /* -1, 0 or 1 */
    int twice_x, twice_y; /* twice the width and height of the line's box */
    int balance;          /* below 0: the line leaves this cell sideways; above: up or down */
} Sight;

/* -1, 0 or 1 */
static inline int sight_sign(int n) { return (n > 0) - (n < 0); }

/* A walk that stands on the first end. With i steps taken sideways and j up or down, the line
 * crosses the next side wall at (2i+1) / 2dx of its length and the next floor at (2j+1) / 2dy; the
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

/* Goes on to the next cell that the line cuts; false when that is the other end. */
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
