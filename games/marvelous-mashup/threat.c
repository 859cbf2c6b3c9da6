/* threat.c -- see MashGame.threat: a hero walks, then strikes with all its actions, with the stones
 * it holds or may get on the way.
 *
 * Sight is left out and other heroes are not in the way: both may be otherwise by then. Cells here
 * are numbered row by row, as in the map that is filled. */
#include <string.h>

#include "engine/grid.h"
#include "games/marvelous-mashup/state.h"

enum { FAR = 0x7fff };

/* What one hero may do in its next turn. */
typedef struct Prospect {
    const MarvelousContent *content;
    const MarvelousState *state;
    const MarvelousKind *kind;
    uint8_t hero, stones; /* stones that it may use */
    int moves, actions;
    uint16_t steps[CELLS_MAX];   /* to each cell; FAR: it cannot go there */
    uint16_t nearest[CELLS_MAX]; /* how near to each cell it can come */
} Prospect;

static int cell_of(const Prospect *prospect, int x, int y) {
    return y * prospect->content->width + x;
}

/* Can a hero enter the cell, perhaps after striking the rock there or by the Reality Stone? */
static bool may_enter(const Prospect *prospect, int x, int y) {
    uint8_t cell = prospect->state->cells[cell_at(prospect->content, x, y)];
    const MarvelousKind *kind = prospect->kind;
    if (!cell_is_rock(cell) || (prospect->stones & stone_bit(STONE_REALITY)) != 0 ||
        prospect->state->phase == PHASE_THANOS)
        return true;
    int best = kind->melee > kind->ranged ? kind->melee : kind->ranged;
    if ((prospect->stones & stone_bit(STONE_POWER)) != 0 && 2 * kind->melee > best)
        best = 2 * kind->melee;
    if ((prospect->stones & stone_bit(STONE_MIND)) != 0 && prospect->content->mind_damage > best)
        best = prospect->content->mind_damage;
    return best * (prospect->actions - 1) >= cell - CELL_ROCKS;
}

/* The cells around a portal take no more steps than this; true if that is news of any. */
static bool spread_around(Prospect *prospect, int portal, uint16_t steps) {
    const MarvelousContent *content = prospect->content;
    Around box = around(content, portal % content->width, portal / content->width, 2);
    bool changed = false;
    for (int x = box.left; x <= box.right; x++)
        for (int y = box.top; y <= box.bottom; y++) {
            uint16_t *known = &prospect->steps[cell_of(prospect, x, y)];
            changed |= steps < *known;
            *known = steps < *known ? steps : *known;
        }
    return changed;
}

/* Everything around each portal is as near as the nearest portal: who steps onto one comes out
 * beside another [6.5]; further out if there is no room [3.4]. */
static bool spread_portals(Prospect *prospect) {
    const MarvelousContent *content = prospect->content;
    uint16_t nearest = FAR;
    bool changed = false;
    if (prospect->state->phase == PHASE_THANOS)
        return false;
    for (uint16_t i = 0; i < content->portals_count; i++)
        if (prospect->steps[content->portals[i]] < nearest)
            nearest = prospect->steps[content->portals[i]];
    for (uint16_t i = 0; nearest != FAR && i < content->portals_count; i++)
        changed |= spread_around(prospect, content->portals[i], nearest);
    return changed;
}

/* One more step from a cell. */
static void step_from(Prospect *prospect, int cell) {
    const MarvelousContent *content = prospect->content;
    Around box = around(content, cell % content->width, cell / content->width, 1);
    for (int x = box.left; x <= box.right; x++)
        for (int y = box.top; y <= box.bottom; y++) {
            uint16_t *steps = &prospect->steps[cell_of(prospect, x, y)];
            if (*steps > prospect->steps[cell] + 1 && may_enter(prospect, x, y))
                *steps = (uint16_t)(prospect->steps[cell] + 1);
        }
}

/* One more step from every cell that takes this many; false: there is none. */
static bool spread_steps(Prospect *prospect, int taken) {
    bool any = false;
    for (int cell = 0; cell < prospect->content->cells_count; cell++)
        if (prospect->steps[cell] == taken) {
            any = true;
            step_from(prospect, cell);
        }
    return any;
}

/* Where it can go: everywhere by the Space Stone, else step by step. */
static void walk(Prospect *prospect) {
    const MarvelousContent *content = prospect->content;
    const Actor *actor = &prospect->state->actors[prospect->hero];
    for (int i = 0; i < content->cells_count; i++)
        prospect->steps[i] = (prospect->stones & stone_bit(STONE_SPACE)) != 0 ? 0 : FAR;
    int nudge = prospect->state->phase == PHASE_THANOS ||
                prospect->state->round + 1 >= content->rounds_max; /* Thanos may move it [11.7] */
    Around box = around(content, actor->x, actor->y, nudge);
    for (int x = box.left; x <= box.right; x++)
        for (int y = box.top; y <= box.bottom; y++)
            prospect->steps[cell_of(prospect, x, y)] = 0;
    for (int taken = 0; taken < prospect->moves; taken++) {
        bool any = spread_steps(prospect, taken);
        if (!spread_portals(prospect) && !any)
            break;
    }
}

/* A cell is no further away than one more than its nearest neighbour. */
static void near_neighbours(Prospect *prospect, int cell) {
    const MarvelousContent *content = prospect->content;
    uint16_t *nearest = prospect->nearest;
    Around box = around(content, cell % content->width, cell / content->width, 1);
    for (int x = box.left; x <= box.right; x++)
        for (int y = box.top; y <= box.bottom; y++)
            if (nearest[cell_of(prospect, x, y)] + 1 < nearest[cell])
                nearest[cell] = (uint16_t)(nearest[cell_of(prospect, x, y)] + 1);
}

/* How near it can come to each cell: two sweeps over the board. */
static void measure(Prospect *prospect) {
    int last = prospect->content->cells_count - 1;
    for (int i = 0; i <= last; i++)
        prospect->nearest[i] = prospect->steps[i] <= prospect->moves ? 0 : FAR;
    for (int i = 0; i <= last; i++)
        near_neighbours(prospect, i);
    for (int i = last; i >= 0; i--)
        near_neighbours(prospect, i);
}

/* The most that one strike takes from who stands this far from the nearest cell it can go to. */
static int strike_at(const Prospect *prospect, int distance) {
    const MarvelousKind *kind = prospect->kind;
    int best = 0;
    if (distance <= 1)
        best = (prospect->stones & stone_bit(STONE_POWER)) != 0 ? 2 * kind->melee : kind->melee;
    if (distance <= kind->reach && kind->ranged > best)
        best = kind->ranged;
    if ((prospect->stones & stone_bit(STONE_MIND)) != 0 && prospect->content->mind_damage > best)
        best = prospect->content->mind_damage;
    return best;
}

/* Fills the map with the stones it may use as they are now. */
static void fill(Prospect *prospect, int32_t *most) {
    bool twice = (prospect->stones & stone_bit(STONE_TIME)) != 0; /* [8.6] */
    prospect->moves = prospect->kind->moves * (twice ? 2 : 1);
    prospect->actions = prospect->kind->actions * (twice ? 2 : 1);
    walk(prospect);
    measure(prospect);
    for (int i = 0; i < prospect->content->cells_count; i++)
        most[i] = prospect->actions * strike_at(prospect, prospect->nearest[i]);
}

/* Is no other hero to act before the round ends, so that Goose or Stan Lee may come first? */
static bool round_ends(const MarvelousState *state) {
    for (uint8_t i = state->order_next; i < state->order_count; i++)
        if (state->order[i] < HEROES && on_board(state, state->order[i]) &&
            state->actors[state->order[i]].health > 0)
            return false;
    return true;
}

/* May the hero get hold of a stone in its turn: on the ground, or of a carrier whom it can knock
 * out [3.3]? */
static bool may_get(const Prospect *prospect, uint8_t stone, const int32_t *most) {
    const Stone *there = &prospect->state->stones[stone];
    if (there->holder == HELD_BY_GOOSE)
        return round_ends(prospect->state) && prospect->state->round < GOOSE_ROUNDS;
    if (there->holder == HELD_BY_GROUND)
        return prospect->steps[cell_of(prospect, there->x, there->y)] <= prospect->moves;
    if (there->holder >= HEROES || seat_of(there->holder) == seat_of(prospect->hero))
        return false;
    const Actor *carrier = &prospect->state->actors[there->holder];
    return prospect->actions > 1 &&
           most[cell_of(prospect, carrier->x, carrier->y)] >= carrier->health;
}

void marvelous_threat(const MashContent *loaded, const void *view, uint8_t unit, int32_t *most) {
    const MarvelousState *state = view;
    Prospect prospect = {.content = marvelous_content(loaded), .state = state, .hero = unit};
    bool may_stand = state->round + 1 >= STAN_ROUND && state->round <= STAN_ROUND; /* [10.3] */
    if (unit >= HEROES || state->phase == PHASE_CHOICE || !on_board(state, unit) ||
        (state->actors[unit].health == 0 && !may_stand))
        return;
    prospect.kind = kind_of(prospect.content, state, unit);
    if (prospect.kind->actions == 0)
        return;
    for (uint8_t stone = 0; stone < STONES; stone++)
        if ((state->actors[unit].stones & stone_bit(stone)) != 0 &&
            state->stones[stone].cooldown <= 1)
            prospect.stones |= stone_bit(stone);
    for (bool more = true; more;) {
        more = false;
        fill(&prospect, most);
        for (uint8_t stone = 0; stone < STONES; stone++)
            if ((prospect.stones & stone_bit(stone)) == 0 && state->stones[stone].cooldown <= 1 &&
                may_get(&prospect, stone, most)) {
                prospect.stones |= stone_bit(stone);
                more = true;
            }
    }
}
