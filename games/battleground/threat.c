/* threat.c -- see MashGame.threat: a warrior walks, then attacks a neighbour; potions may help it.
 *
 * Walls are in its way, warriors are not: they may have gone by then. */
#include "engine/grid.h"
#include "games/battleground/state.h"

/* The most that potions still in the seat's hands may add to a stat; those that this view does not
 * know count as the best there are. */
static int from_stock(const BattlegroundContent *content, const BattlegroundState *state,
                      uint8_t seat, uint8_t stat) {
    int more = 0, best = 0, known = 0;
    for (uint8_t i = 0; i < content->potions_count; i++) {
        const Potion *potion = &content->potions[i];
        int gain = potion->stat == stat ? at_least_zero(potion->amount) : 0;
        more += gain * state->stock[seat][i];
        known += state->stock[seat][i];
        best = gain > best ? gain : best;
    }
    return more + best * at_least_zero(state->potions[seat] - known);
}

/* The most that active effects add to a stat of a warrior: those that take something off may end.
 */
static int from_effects(const BattlegroundContent *content, const BattlegroundState *state,
                        uint8_t unit, uint8_t stat) {
    int more = 0;
    for (uint8_t i = 0; i < state->effects_count; i++) {
        const Potion *potion = &content->potions[state->effects[i].potion];
        if (state->effects[i].unit == unit && potion->stat == stat)
            more += at_least_zero(potion->amount);
    }
    return more;
}

/* The neighbours of a cell may be hit. */
static void hit_around(const BattlegroundContent *content, int x, int y, int32_t attack,
                       int32_t *most) {
    for (int direction = 0; direction < 4; direction++) {
        int to_x = x + grid_dx[direction], to_y = y + grid_dy[direction];
        if (grid_inside(to_x, to_y, content->width, content->height))
            most[to_y * content->width + to_x] = attack;
    }
}

void battleground_threat(const MashContent *loaded, const void *view, uint8_t unit, int32_t *most) {
    const BattlegroundContent *content = battleground_content(loaded);
    const BattlegroundState *state = view;
    const Warrior *warrior = &state->warriors[unit];
    const BattlegroundKind *kind = &content->kinds[warrior->kind];
    uint8_t seat = seat_of(unit);
    int32_t attack = kind->attack + from_effects(content, state, unit, STAT_ATTACK) +
                     from_stock(content, state, seat, STAT_ATTACK);
    int walk = kind->walk + from_effects(content, state, unit, STAT_WALK) +
               from_stock(content, state, seat, STAT_WALK);
    if (warrior->place != PLACE_FIELD || attack == 0)
        return;
    hit_around(content, warrior->x, warrior->y, attack, most);
    Reach reach;
    reach_fill(&reach, content->open, content->width, warrior->x, warrior->y,
               walk > REACH_STEPS_MAX ? REACH_STEPS_MAX : walk);
    for (int i = 0; i < reach.columns; i++)
        for (uint64_t cells = reach.cells[i]; cells != 0; cells &= cells - 1)
            hit_around(content, reach.left + i, reach.top + __builtin_ctzll(cells), attack, most);
    if (walk <= REACH_STEPS_MAX)
        return;
    for (int cell = 0; cell < content->width * content->height; cell++) /* too far to be counted */
        most[cell] = attack;
}
