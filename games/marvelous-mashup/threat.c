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
typedef struct HeroProspect {
    const MarvelousContent *content;
    const MarvelousState *state;
    const MarvelousKind *kind;
    uint8_t hero, stones; /* stones that it may use */
    uint8_t cooldown;     /* of a stone that can be used in its turn, at most */
    int moves, actions;
    uint16_t steps[CELLS_MAX];   /* to each cell; FAR: it cannot go there */
    uint16_t nearest[CELLS_MAX]; /* how near to each cell it can come */
} HeroProspect;

static int cell_of(const HeroProspect *prospect, int x, int y) {
    return y * prospect->content->width + x;
}

/* Can a hero enter the cell, perhaps after striking the rock there or by the Reality Stone? */
static bool may_enter(const HeroProspect *prospect, int x, int y) {
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
static bool spread_around(HeroProspect *prospect, int portal, uint16_t steps) {
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
static bool spread_portals(HeroProspect *prospect) {
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

/* One more step from a cell: to those that no way of as many or fewer steps has led to. */
static void step_from(HeroProspect *prospect, int cell) {
    const MarvelousContent *content = prospect->content;
    Around box = around(content, cell % content->width, cell / content->width, 1);
    for (int x = box.left; x <= box.right; x++)
        for (int y = box.top; y <= box.bottom; y++) {
            uint16_t *steps = &prospect->steps[cell_of(prospect, x, y)];
            if (*steps == FAR && may_enter(prospect, x, y))
                *steps = (uint16_t)(prospect->steps[cell] + 1);
        }
}

/* One more step from every cell that takes this many; false: there is none. */
static bool spread_steps(HeroProspect *prospect, int taken) {
    bool any = false;
    for (int cell = 0; cell < prospect->content->cells_count; cell++)
        if (prospect->steps[cell] == taken) {
            any = true;
            step_from(prospect, cell);
        }
    return any;
}

/* Where it can go step by step. */
static void walk(HeroProspect *prospect) {
    const MarvelousContent *content = prospect->content;
    const Actor *actor = &prospect->state->actors[prospect->hero];
    for (int i = 0; i < content->cells_count; i++)
        prospect->steps[i] = FAR;
    int nudge = prospect->state->phase == PHASE_THANOS ||
                prospect->state->round + 1 >= thanos_round(content); /* Thanos may move it [11.7] */
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
static void near_neighbours(HeroProspect *prospect, int cell) {
    const MarvelousContent *content = prospect->content;
    uint16_t *nearest = prospect->nearest;
    Around box = around(content, cell % content->width, cell / content->width, 1);
    for (int x = box.left; x <= box.right; x++)
        for (int y = box.top; y <= box.bottom; y++)
            if (nearest[cell_of(prospect, x, y)] + 1 < nearest[cell])
                nearest[cell] = (uint16_t)(nearest[cell_of(prospect, x, y)] + 1);
}

/* How near it can come to each cell: two sweeps over the board. */
static void measure(HeroProspect *prospect) {
    int last = prospect->content->cells_count - 1;
    for (int i = 0; i <= last; i++)
        prospect->nearest[i] = prospect->steps[i] <= prospect->moves ? 0 : FAR;
    for (int i = 0; i <= last; i++)
        near_neighbours(prospect, i);
    for (int i = last; i >= 0; i--)
        near_neighbours(prospect, i);
}

/* A strike by a stone that may be used: once, or every time if it needs no rest [8.8]. */
static void add_stone(const HeroProspect *prospect, uint8_t stone, int damage, int *usual,
                      int *extra) {
    if ((prospect->stones & stone_bit(stone)) == 0)
        return;
    int *best = prospect->content->cooldowns[stone] == 0 ? usual : extra;
    *best = damage > *best ? damage : *best;
}

/* The most that so many strikes take from who stands this far from the nearest cell it can go to.
 */
static int strikes_at(const HeroProspect *prospect, int distance, int strikes) {
    const MarvelousKind *kind = prospect->kind;
    int usual = 0, mind = 0, power = 0;
    if (strikes <= 0)
        return 0;
    if (distance <= 1)
        usual = kind->melee;
    if (distance <= kind->reach && kind->ranged > usual)
        usual = kind->ranged;
    add_stone(prospect, STONE_MIND, prospect->content->mind_damage, &usual, &mind);
    if (distance <= 1)
        add_stone(prospect, STONE_POWER, 2 * kind->melee, &usual, &power);
    int better = mind > power ? mind : power, other = mind > power ? power : mind;
    int sum = strikes * usual + (better > usual ? better - usual : 0);
    return strikes > 1 && other > usual ? sum + other - usual : sum;
}

/* Fills the map with the stones it may use as they are now. */
static void fill(HeroProspect *prospect, int32_t *most) {
    bool twice = (prospect->stones & stone_bit(STONE_TIME)) != 0; /* [8.6] */
    bool anywhere = (prospect->stones & stone_bit(STONE_SPACE)) != 0;
    prospect->moves = prospect->kind->moves * (twice ? 2 : 1);
    prospect->actions = prospect->kind->actions * (twice ? 2 : 1) - twice;
    walk(prospect);
    measure(prospect);
    int there = anywhere ? strikes_at(prospect, 1, prospect->actions - 1) : 0; /* [8.2] */
    for (int i = 0; i < prospect->content->cells_count; i++) {
        int here = strikes_at(prospect, prospect->nearest[i], prospect->actions);
        most[i] = here > there ? here : there;
    }
}

/* Is its next turn in this round? Else another order is drawn, after stones have rested [5.1]. */
static bool acts_this_round(const MarvelousState *state, uint8_t hero) {
    for (uint8_t i = state->order_next; i < state->order_count; i++)
        if (state->order[i] == hero)
            return true;
    return false;
}

/* May the hero get hold of a stone in its turn: on the ground, or of a carrier whom it can knock
 * out [3.3]? */
static bool may_get(const HeroProspect *prospect, uint8_t stone, const int32_t *most) {
    const Stone *there = &prospect->state->stones[stone];
    bool anywhere = (prospect->stones & stone_bit(STONE_SPACE)) != 0;
    if (there->holder == HELD_BY_GROUND)
        return anywhere ||
               prospect->steps[cell_of(prospect, there->x, there->y)] <= prospect->moves;
    if (there->holder >= HEROES || seat_of(there->holder) == seat_of(prospect->hero))
        return false;
    const Actor *carrier = &prospect->state->actors[there->holder];
    return prospect->actions > 1 &&
           most[cell_of(prospect, carrier->x, carrier->y)] >= carrier->health;
}

/* Fills the map with these stones and all that it may get in its turn. */
static void fill_all(HeroProspect *prospect, uint8_t stones, int32_t *most) {
    prospect->stones = stones;
    for (bool more = true; more;) {
        more = false;
        fill(prospect, most);
        for (uint8_t stone = 0; stone < STONES; stone++)
            if ((prospect->stones & stone_bit(stone)) == 0 &&
                prospect->state->stones[stone].cooldown <= prospect->cooldown &&
                may_get(prospect, stone, most)) {
                prospect->stones |= stone_bit(stone);
                more = true;
            }
    }
}

/* Goose may lay down one of her stones before its turn, anywhere [9.2]. */
static void fill_with_goose(HeroProspect *prospect, uint8_t stones, int32_t *most) {
    int32_t one[CELLS_MAX];
    for (uint8_t stone = 0; stone < STONES; stone++) {
        if (prospect->state->stones[stone].holder != HELD_BY_GOOSE)
            continue;
        fill_all(prospect, stones | stone_bit(stone), one);
        for (int i = 0; i < prospect->content->cells_count; i++)
            most[i] = one[i] > most[i] ? one[i] : most[i];
    }
}

/* May Stan Lee come before its next turn, so that it stands up [10.3]? */
static bool stan_may_come(const MarvelousState *state, uint8_t hero) {
    if (state->round + 1 < STAN_ROUND || state->round > STAN_ROUND)
        return false;
    for (uint8_t i = state->order_next; i < state->order_count; i++)
        if (state->order[i] == hero || state->order[i] == UNIT_STAN)
            return state->order[i] == UNIT_STAN;
    return true;
}

void marvelous_threat(const MashContent *loaded, const void *view, uint8_t unit, int32_t *most) {
    const MarvelousState *state = view;
    HeroProspect prospect = {.content = marvelous_content(loaded), .state = state, .hero = unit};
    if (unit >= HEROES || state->phase == PHASE_CHOICE || !on_board(state, unit) ||
        (state->actors[unit].health == 0 && !stan_may_come(state, unit)))
        return;
    prospect.kind = kind_of(prospect.content, state, unit);
    if (prospect.kind->actions == 0)
        return;
    bool now = acts_this_round(state, unit);
    prospect.cooldown = now ? 0 : 1;
    uint8_t held = 0;
    for (uint8_t stone = 0; stone < STONES; stone++)
        if ((state->actors[unit].stones & stone_bit(stone)) != 0 &&
            state->stones[stone].cooldown <= prospect.cooldown)
            held |= stone_bit(stone);
    fill_all(&prospect, held, most);
    if (!now && state->round < GOOSE_ROUNDS)
        fill_with_goose(&prospect, held, most);
}
