/* gather.c -- see gather.h. */
#include "games/marvelous-mashup/gather.h"

#include "engine/reach.h"

/* Costs, in the units of MashEvaluator. */
enum {
    ALONE = 20000, /* bonus if no enemy stands */
    STEP = 10,     /* one step between a stone and the collector */
    GIVE = 40,     /* a hand-over, or taking a stone from the ground */
    STUCK = 2000,  /* a stone held by a hero that never has an action point */
    PORTAL = 4,    /* extra steps for a path through portals: it may lead anywhere */
    ROCK = 12,     /* steps for breaking a rock, and its health that counts as one more step */
    ROCK_STEP = 10,
    APART = 2 * MASH_SIDE_MAX, /* steps if there is no path at all */
    COST_MOST = 15000,
};

/* Has the seat a hero who can act? */
static bool stands(const MarvelousState *state, uint8_t seat) {
    const Actor *actors = &state->actors[TEAM * seat];
    for (uint8_t place = 0; place < TEAM; place++)
        if (actors[place].health > 0 && actors[place].x != OFF_BOARD)
            return true;
    return false;
}

uint8_t gather_seat(const MarvelousState *state) {
    if (state->phase == PHASE_CHOICE || state->actors[UNIT_THANOS].stones != 0)
        return MASH_SEAT_NONE;
    bool other = stands(state, 1);
    return stands(state, 0) == other ? MASH_SEAT_NONE : other;
}

/* --- Paths ------------------------------------------------------------------------------------ */

/* Cells reached so far from the collector: a flood fill. */
typedef struct Flood {
    const MarvelousContent *content;
    const uint8_t *cells;
    int steps;
    ReachColumn open[MASH_SIDE_MAX], reached[MASH_SIDE_MAX];
} Flood;

/* Cells on which a hero may walk [6.2]; portals are handled separately. */
static void flood_begin(Flood *flood, const MarvelousContent *content, const MarvelousState *state,
                        const Actor *from) {
    flood->content = content;
    flood->cells = state->cells;
    flood->steps = 0;
    for (int x = 0; x < content->width; x++) {
        const uint8_t *column = state->cells + cell_at(content, x, 0);
        flood->open[x] = flood->reached[x] = (ReachColumn){{0, 0}};
        for (int y = 0; y < content->height; y++)
            flood->open[x].rows[y >> 6] |=
                (uint64_t)(column[y] <= CELL_ENTERED_LAST && column[y] != CELL_PORTAL) << (y & 63);
    }
    reach_open(flood->reached, from->x, from->y);
}

/* A column with the cells above and below those that are in it. */
static ReachColumn spread(ReachColumn column) {
    uint64_t low = column.rows[0], high = column.rows[1];
    return (ReachColumn){
        {low | low << 1 | low >> 1 | high << 63, high | high << 1 | high >> 1 | low >> 63}};
}

/* The reached cells and all their neighbours, open or not. */
static void flood_around(const Flood *flood, ReachColumn *out) {
    ReachColumn before = {{0, 0}}, here = spread(flood->reached[0]);
    for (int x = 0; x < flood->content->width; x++) {
        ReachColumn after = {{0, 0}};
        if (x + 1 < flood->content->width)
            after = spread(flood->reached[x + 1]);
        for (int i = 0; i < 2; i++)
            out[x].rows[i] = before.rows[i] | here.rows[i] | after.rows[i];
        before = here;
        here = after;
    }
}

/* Extends by one step. False: no further cell can be walked to. */
static bool flood_step(Flood *flood) {
    ReachColumn near[MASH_SIDE_MAX];
    uint64_t more = 0;
    flood_around(flood, near);
    for (int x = 0; x < flood->content->width; x++)
        for (int i = 0; i < 2; i++) {
            uint64_t grown = flood->reached[x].rows[i] | (near[x].rows[i] & flood->open[x].rows[i]);
            more |= grown ^ flood->reached[x].rows[i];
            flood->reached[x].rows[i] = grown;
        }
    flood->steps += more != 0;
    return more != 0;
}

/* When walking ends: through a portal adjacent to a reached cell to all portals [6.5], otherwise
 * through rocks. False: there are neither. */
static bool flood_break(Flood *flood) {
    ReachColumn near[MASH_SIDE_MAX];
    int weakest = ROCK_HEALTH + 1;
    bool portal = false;
    flood_around(flood, near);
    for (int x = 0; x < flood->content->width; x++)
        for (int y = 0; y < flood->content->height; y++) {
            uint8_t cell = flood->cells[cell_at(flood->content, x, y)];
            if (!reach_is_open(near, x, y) || reach_is_open(flood->reached, x, y))
                continue;
            portal |= cell == CELL_PORTAL;
            if (cell_is_rock(cell) && cell - CELL_ROCKS < weakest)
                weakest = cell - CELL_ROCKS;
        }
    if (!portal && weakest > ROCK_HEALTH)
        return false;
    for (int x = 0; x < flood->content->width; x++)
        for (int y = 0; y < flood->content->height; y++) {
            uint8_t cell = flood->cells[cell_at(flood->content, x, y)];
            if (portal ? cell == CELL_PORTAL : cell_is_rock(cell) && reach_is_open(near, x, y))
                reach_open(flood->reached, x, y);
        }
    flood->steps += portal ? PORTAL : ROCK + weakest / ROCK_STEP;
    return true;
}

/* The number of steps to each of these cells from the start of the flood fill. */
static void flood_to(Flood *flood, const Cell *cells, int count, int *away) {
    int left = count;
    for (int i = 0; i < count; i++)
        away[i] = APART;
    for (;;) {
        for (int i = 0; i < count; i++)
            if (away[i] == APART && reach_is_open(flood->reached, cells[i].x, cells[i].y))
                away[i] = flood->steps, left--;
        if (left == 0 || flood->steps >= APART || (!flood_step(flood) && !flood_break(flood)))
            return;
    }
}

/* --- Costs ------------------------------------------------------------------------------------ */

/* The cell of a stone, on the ground or carried. */
static Cell place_of(const MarvelousState *state, const Stone *stone) {
    if (stone->holder >= HEROES)
        return (Cell){stone->x, stone->y};
    return (Cell){state->actors[stone->holder].x, state->actors[stone->holder].y};
}

/* The cost of all stones that the collector does not have, at the distances in `away`: he fetches
 * what lies on the ground, and goes beside who holds one. */
static int stones_cost(const MarvelousContent *content, const MarvelousState *state,
                       uint8_t collector, const int *away) {
    int sum = 0;
    for (int i = 0; i < STONES; i++) {
        const Stone *stone = &state->stones[i];
        if (stone->holder == HELD_BY_GROUND)
            sum += STEP * away[i] + GIVE;
        else if (stone->holder < HEROES && stone->holder != collector)
            sum += STEP * (away[i] > 1 ? away[i] - 1 : 0) +
                   (kind_of(content, state, stone->holder)->actions > 0 ? GIVE : STUCK);
    }
    return sum;
}

/* The best collector of the seat, by straight-line distances. */
static uint8_t collector_of(const MarvelousContent *content, const MarvelousState *state,
                            uint8_t seat) {
    uint8_t best = HEROES;
    int least = 0, away[STONES];
    for (uint8_t hero = (uint8_t)(TEAM * seat); hero < TEAM * seat + TEAM; hero++) {
        const Actor *actor = &state->actors[hero];
        if (actor->health == 0 || !on_board(state, hero))
            continue;
        for (int i = 0; i < STONES; i++) {
            Cell place = place_of(state, &state->stones[i]);
            away[i] = grid_chebyshev(place.x, place.y, actor->x, actor->y);
        }
        int cost = stones_cost(content, state, hero, away);
        if (best == HEROES || cost < least)
            best = hero, least = cost;
    }
    return best;
}

int32_t gather_value(const MarvelousContent *content, const MarvelousState *state, uint8_t seat) {
    uint8_t collector = collector_of(content, state, seat);
    int away[STONES];
    Cell places[STONES];
    Flood flood;
    assert(collector < HEROES);
    flood_begin(&flood, content, state, &state->actors[collector]);
    for (int i = 0; i < STONES; i++) {
        places[i] = place_of(state, &state->stones[i]);
        if (state->stones[i].holder == HELD_BY_GOOSE) /* not reachable yet */
            places[i] = (Cell){state->actors[collector].x, state->actors[collector].y};
    }
    flood_to(&flood, places, STONES, away);
    int cost = stones_cost(content, state, collector, away);
    return ALONE - (cost < COST_MOST ? cost : COST_MOST);
}
