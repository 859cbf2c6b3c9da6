/* threat.c -- see MashGame.threat: what one order of a unit may do to each cell.
 *
 * The board is open and a unit steps in all eight directions, so what counts is the distance:
 * other units in the way only make it less. */
#include "engine/grid.h"
#include "games/zorde/state.h"

/* Attacks of a unit on a cell this far away: one for each step from which it is adjacent, or only
 * the last one [3.2] [3.3]. */
static int attacks_at(const ZordeKind *kind, int distance) {
    int first = distance > 2 ? distance - 1 : 1; /* the first step from which it is adjacent */
    if (first > kind->steps)
        return 0;
    return kind->each_step ? kind->steps - first + 1 : 1;
}

void zorde_threat(const MashContent *content, const void *view, uint8_t unit, int32_t *most) {
    const ZordeSetup *field = zorde_setup(content);
    const ZordeState *state = view;
    const ZordeKind *kind = &field->kinds[field->units[unit].kind];
    ZordeUnit from = state->units[unit];
    int32_t health = from.health + kind->healing; /* [4.2] comes before the step */
    for (int y = 0; y < field->height; y++)
        for (int x = 0; x < field->width; x++) {
            int distance = grid_chebyshev(from.x, from.y, x, y);
            int32_t loss = attacks_at(kind, distance) * kind->attack;
            if (distance <= kind->steps + kind->range && kind->range > 0) /* [3.4] */
                loss += kind->ranged_attack;
            if (distance <= kind->steps) /* a fight to the death [5.1] [5.2] */
                loss += kind->attack + health;
            if (loss > most[y * field->width + x])
                most[y * field->width + x] = loss;
        }
}
