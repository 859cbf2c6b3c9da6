/* board.c -- cells, free places, stones on the ground and in hands, damage and healing.
 *
 * Everything that changes a cell goes through here, so that the byte of a cell, the coordinates of
 * units and the places of stones always agree. */
#include "engine/events.h"
#include "games/marvelous-mashup/state.h"

uint32_t marvelous_draw(const TurnContext *play, uint32_t count) {
    return count == 1 ? 0 : chance_below(play->chance, count);
}

MashEvent marvelous_event(const TurnContext *play, MashEventKind kind, uint8_t unit,
                          uint8_t other) {
    MashEvent event = event_new(kind, unit, other);
    event.x = (int8_t)play->state->actors[unit].x;
    event.y = (int8_t)play->state->actors[unit].y;
    return event;
}

void marvelous_emit_stone(const TurnContext *play, MashEventKind kind, uint8_t unit, uint8_t stone,
                          Cell cell) {
    if (play->events == NULL)
        return;
    MashEvent event = event_new(kind, unit, MASH_UNIT_NONE);
    event.x = (int8_t)cell.x;
    event.y = (int8_t)cell.y;
    event.what = stone;
    event_add(play->events, event);
}

void marvelous_emit_move(const TurnContext *play, MashEventKind kind, uint8_t unit, Cell from,
                         Cell to, int32_t amount) {
    if (play->events == NULL)
        return;
    MashEvent event = event_new(kind, unit, MASH_UNIT_NONE);
    event.from_x = (int8_t)from.x;
    event.from_y = (int8_t)from.y;
    event.x = (int8_t)to.x;
    event.y = (int8_t)to.y;
    event.amount = amount;
    event_add(play->events, event);
}

void marvelous_emit_change(const TurnContext *play, uint8_t unit, uint8_t meter, int amount) {
    if (play->events == NULL || amount == 0)
        return;
    MashEvent event = marvelous_event(play, MASH_EVENT_CHANGED, unit, MASH_UNIT_NONE);
    event.what = meter;
    event.amount = amount;
    event_add(play->events, event);
}

/* --- Units and ground ------------------------------------------------------------------------- */

/* The byte of a cell, to be read or changed. */
static uint8_t *byte_of(const TurnContext *play, Cell cell) {
    return &play->state->cells[cell_at(play->content, cell.x, cell.y)];
}

void marvelous_put(const TurnContext *play, uint8_t unit, Cell cell) {
    play->state->actors[unit].x = cell.x;
    play->state->actors[unit].y = cell.y;
    *byte_of(play, cell) = (uint8_t)(CELL_UNITS + unit);
}

void marvelous_remove_from_cell(const TurnContext *play, uint8_t unit) {
    Actor *actor = &play->state->actors[unit];
    *byte_of(play, (Cell){actor->x, actor->y}) = CELL_FREE;
    actor->x = OFF_BOARD;
    actor->y = 0;
}

void marvelous_swap(const TurnContext *play, uint8_t mover, uint8_t other) {
    const Actor *actors = play->state->actors;
    Cell from = {actors[mover].x, actors[mover].y}, to = {actors[other].x, actors[other].y};
    marvelous_put(play, mover, to);
    marvelous_put(play, other, from);
    MashEvent event = marvelous_event(play, MASH_EVENT_SWAPPED, mover, other);
    event.from_x = (int8_t)from.x;
    event.from_y = (int8_t)from.y;
    event_add(play->events, event);
}

bool marvelous_swap_with_hero(const TurnContext *play, uint8_t mover, Cell cell) {
    uint8_t held = play->state->cells[cell_at(play->content, cell.x, cell.y)];
    if (cell_is_hero(held))
        marvelous_swap(play, mover, cell_unit(held));
    return cell_is_hero(held);
}

void marvelous_take_stone(const TurnContext *play, uint8_t held, uint8_t unit) {
    const Actor *actor = &play->state->actors[unit];
    if (!cell_is_stone(held))
        return;
    uint8_t stone = (uint8_t)(held - CELL_STONES);
    marvelous_give_stone(play, stone, unit);
    marvelous_emit_stone(play, MASH_EVENT_ITEM_TAKEN, unit, stone, (Cell){actor->x, actor->y});
}

void marvelous_ground(const TurnContext *play, uint8_t unit, Cell cell, uint8_t ground) {
    *byte_of(play, cell) = ground == GROUND_ROCK ? CELL_ROCKS + ROCK_HEALTH : CELL_FREE;
    MashEvent event = event_new(MASH_EVENT_GROUND_CHANGED, unit, MASH_UNIT_NONE);
    event.x = (int8_t)cell.x;
    event.y = (int8_t)cell.y;
    event.what = ground;
    event_add(play->events, event);
}

/* --- Free cells ------------------------------------------------------------------------------- */

/* The coordinates of a cell by its number. */
static Cell cell_of(const MarvelousContent *content, uint32_t number) {
    return (Cell){(uint8_t)(number / content->height), (uint8_t)(number % content->height)};
}

/* How many cells of the whole board are free [1.2]. */
static uint32_t free_count(const TurnContext *play) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < play->content->cells_count; i++)
        count += cell_is_free(play->state->cells[i]);
    return count;
}

/* A random rock becomes grass [3.5]. There is one: only twelve heroes, Thanos and six stones can
 * cover grass, and there are always at least twenty cells of grass and rock. */
static Cell crumble(const TurnContext *play) {
    uint32_t rocks = 0;
    for (uint32_t i = 0; i < play->content->cells_count; i++)
        rocks += cell_is_rock(play->state->cells[i]);
    assert(rocks > 0);
    uint32_t left = marvelous_draw(play, rocks), i = 0;
    for (;; i++)
        if (cell_is_rock(play->state->cells[i]) && left-- == 0)
            break;
    Cell cell = cell_of(play->content, i);
    marvelous_ground(play, MASH_UNIT_NONE, cell, GROUND_GRASS);
    return cell;
}

Cell marvelous_free_anywhere(const TurnContext *play) {
    uint32_t count = free_count(play);
    if (count == 0)
        return crumble(play);
    uint32_t left = marvelous_draw(play, count), i = 0;
    for (;; i++)
        if (cell_is_free(play->state->cells[i]) && left-- == 0)
            return cell_of(play->content, i);
}

/* The neighbours of a cell [1.4], or the free ones among them; how many. */
static uint32_t neighbours(const TurnContext *play, Cell cell, bool free_only, Cell out[8]) {
    Around box = around(play->content, cell.x, cell.y, 1);
    uint32_t count = 0;
    for (int x = box.left; x <= box.right; x++)
        for (int y = box.top; y <= box.bottom; y++) {
            if (x == cell.x && y == cell.y)
                continue;
            if (free_only && !cell_is_free(play->state->cells[cell_at(play->content, x, y)]))
                continue;
            out[count++] = (Cell){(uint8_t)x, (uint8_t)y};
        }
    return count;
}

/* Tries the neighbours, otherwise takes a random walk [3.4]; on a board without free cells no walk
 * can help [3.5]. */
Cell marvelous_free_near(const TurnContext *play, Cell cell) {
    Cell list[8];
    uint32_t count = neighbours(play, cell, true, list);
    if (count == 0 && free_count(play) == 0)
        return crumble(play);
    for (uint32_t steps = 0; count == 0 && steps < play->content->cells_count; steps++) {
        count = neighbours(play, cell, false, list);
        cell = list[marvelous_draw(play, count)];
        count = neighbours(play, cell, true, list);
    }
    if (count == 0)
        return marvelous_free_anywhere(play);
    return list[marvelous_draw(play, count)];
}

/* --- Stones ----------------------------------------------------------------------------------- */

/* The stone leaves the hand that it is in, if any; its holder is still to be set. */
static void leave_hand(MarvelousState *state, uint8_t stone) {
    uint8_t holder = state->stones[stone].holder;
    if (holder < ACTORS)
        state->actors[holder].stones &= (uint8_t)~stone_bit(stone);
}

void marvelous_drop_stone(const TurnContext *play, uint8_t stone, Cell cell) {
    Stone *there = &play->state->stones[stone];
    leave_hand(play->state, stone);
    there->holder = HELD_BY_GROUND;
    there->x = cell.x;
    there->y = cell.y;
    *byte_of(play, cell) = (uint8_t)(CELL_STONES + stone);
}

/* Updates the most stones that a side ever held [12.2]. */
static void count_stones(const TurnContext *play, uint8_t hero) {
    MarvelousState *state = play->state;
    uint8_t seat = seat_of(hero), side = 0, own = 0;
    for (uint8_t stone = 0; stone < STONES; stone++) {
        uint8_t holder = state->stones[stone].holder;
        side = (uint8_t)(side + (holder < HEROES && seat_of(holder) == seat));
        own = (uint8_t)(own + (holder == hero));
    }
    if (side > state->most_stones[seat])
        state->most_stones[seat] = side;
    if (own > play->figures[hero].most_stones)
        play->figures[hero].most_stones = own;
}

void marvelous_give_stone(const TurnContext *play, uint8_t stone, uint8_t unit) {
    Stone *there = &play->state->stones[stone];
    leave_hand(play->state, stone);
    there->holder = unit;
    there->x = there->y = 0;
    play->state->actors[unit].stones |= stone_bit(stone);
    if (unit < HEROES)
        count_stones(play, unit);
}

/* All stones of a hero that is knocked out, in random order [3.3]. */
static void drop_stones(const TurnContext *play, uint8_t hero) {
    const Actor *actor = &play->state->actors[hero];
    while (actor->stones != 0) {
        uint8_t list[STONES];
        uint32_t count = 0;
        for (uint8_t stone = 0; stone < STONES; stone++)
            if (actor->stones & stone_bit(stone))
                list[count++] = stone;
        uint8_t stone = list[marvelous_draw(play, count)];
        Cell cell = marvelous_free_near(play, (Cell){actor->x, actor->y});
        marvelous_drop_stone(play, stone, cell);
        marvelous_emit_stone(play, MASH_EVENT_ITEM_DROPPED, hero, stone, cell);
    }
}

/* --- Damage and healing ----------------------------------------------------------------------- */

/* A rock loses health and finally becomes grass [1.3]; no side is credited [7.5]. */
static void strike_rock(const TurnContext *play, uint8_t attacker, Cell cell, int damage) {
    uint8_t *byte = byte_of(play, cell);
    int health = *byte - CELL_ROCKS, lost = damage < health ? damage : health;
    *byte = (uint8_t)(*byte - lost);
    MashEvent event = event_new(MASH_EVENT_GROUND_HURT, attacker, MASH_UNIT_NONE);
    event.x = (int8_t)cell.x;
    event.y = (int8_t)cell.y;
    event.amount = lost;
    event_add(play->events, event);
    if (lost == health)
        marvelous_ground(play, attacker, cell, GROUND_GRASS);
}

/* Credits the health actually lost [7.5] and each knock-out [12.3]. */
static void strike_hero(const TurnContext *play, uint8_t attacker, uint8_t hero, int damage) {
    MarvelousState *state = play->state;
    Actor *actor = &state->actors[hero];
    int lost = damage < actor->health ? damage : actor->health;
    actor->health = (uint16_t)(actor->health - lost);
    state->damage[seat_of(attacker)] += (uint32_t)lost;
    uint32_t *done = &play->figures[attacker].damage;
    *done = *done > (uint32_t)(INT32_MAX - lost) ? INT32_MAX : *done + (uint32_t)lost;
    MashEvent event = marvelous_event(play, MASH_EVENT_HURT, hero, attacker);
    event.amount = lost;
    event_add(play->events, event);
    if (actor->health > 0)
        return;
    state->knock_outs[seat_of(attacker)]++;
    play->figures[attacker].knock_outs++;
    event_add(play->events, marvelous_event(play, MASH_EVENT_DIED, hero, attacker));
    drop_stones(play, hero);
}

void marvelous_strike(const TurnContext *play, uint8_t attacker, Cell cell, int damage) {
    uint8_t byte = *byte_of(play, cell);
    if (cell_is_rock(byte))
        strike_rock(play, attacker, cell, damage);
    else
        strike_hero(play, attacker, cell_unit(byte), damage);
}

void marvelous_heal(const TurnContext *play, uint8_t hero, uint8_t healer) {
    Actor *actor = &play->state->actors[hero];
    int gained = play->content->kinds[actor->kind].health - actor->health;
    if (gained == 0)
        return;
    MashEventKind kind = actor->health == 0 ? MASH_EVENT_REVIVED : MASH_EVENT_HEALED;
    MashEvent event = marvelous_event(play, kind, hero, healer);
    event.amount = gained;
    actor->health = (uint16_t)(actor->health + gained);
    event_add(play->events, event);
}
