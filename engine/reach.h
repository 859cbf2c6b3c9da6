/* reach.h -- the cells that can be reached on a grid in some number of orthogonal steps, over open
 * cells only.
 *
 * The ground is given as columns of bits: bit y of column x says that the cell may be entered. A
 * caller keeps the columns of its board, copies those it needs, closes the occupied cells, and
 * calls a function below. The flood fill grows all cells of a column at once, so it costs steps *
 * columns, not cells; reached cells come out by x, then y, which is the order of lists of legal
 * actions. */
#ifndef ENGINE_REACH_H
#define ENGINE_REACH_H
#include "include/mashup.h"

/* Limits of a fill. */
enum {
    REACH_STEPS_MAX = 31, /* so that all rows within reach fit one word */
    REACH_COLUMNS = 2 * REACH_STEPS_MAX + 1,
};

/* The open cells of one column: bit y % 64 of word y / 64. Rows off the board are zero. */
typedef struct ReachColumn {
    uint64_t rows[2];
} ReachColumn;
static_assert(MASH_SIDE_MAX <= 128, "two words hold a column");

/* The cells reached: bit b of cells[i] is the cell left + i, top + b; `columns` of them, all on the
 * board. */
typedef struct Reach {
    int left, top, columns;
    uint64_t cells[REACH_COLUMNS];
} Reach;

/* Is the cell open? */
static inline bool reach_is_open(const ReachColumn *open, int x, int y) {
    return open[x].rows[y >> 6] >> (y & 63) & 1;
}

/* Opens the cell. */
static inline void reach_open(ReachColumn *open, int x, int y) {
    open[x].rows[y >> 6] |= (uint64_t)1 << (y & 63);
}

/* Closes the cell. */
static inline void reach_close(ReachColumn *open, int x, int y) {
    open[x].rows[y >> 6] &= ~((uint64_t)1 << (y & 63));
}

/* All open cells 1 to `steps` steps from x,y along a path of open cells. The cell x,y itself is
 * never included and need not be open. */
void reach_fill(Reach *reach, const ReachColumn *open, int width, int x, int y, int steps);
/* The length of the shortest path from x,y to to_x,to_y if that is 1 to `steps`; 0 = there is none.
 */
int reach_steps(const ReachColumn *open, int width, int x, int y, int to_x, int to_y, int steps);

#endif
