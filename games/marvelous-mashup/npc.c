/* npc.c -- the NPCs: Goose brings the stones, Stan Lee heals, Thanos ends the match. */
#include "engine/events.h"
#include "games/marvelous-mashup/state.h"

/* An event of an NPC that is on a cell only briefly. */
static void emit_at(const TurnContext *play, MashEventKind kind, uint8_t unit, Cell cell) {
    MashEvent event = event_new(kind, unit, MASH_UNIT_NONE);
    event.x = (int8_t)cell.x;
    event.y = (int8_t)cell.y;
    event_add(play->events, event);
}

/* --- Goose ------------------------------------------------------------------------------------ */

/* [9.2]. She has a stone in each of her six rounds. */
void marvelous_goose(const TurnContext *play) {
    MarvelousState *state = play->state;
    uint8_t inside[STONES];
    uint32_t count = 0;
    for (uint8_t stone = 0; stone < STONES; stone++)
        if (state->stones[stone].holder == HELD_BY_GOOSE)
            inside[count++] = stone;
    assert(count > 0);
    Cell cell = marvelous_free_anywhere(play);
    emit_at(play, MASH_EVENT_APPEARED, UNIT_GOOSE, cell);
    emit_at(play, MASH_EVENT_VANISHED, UNIT_GOOSE, cell);
    uint8_t stone = inside[marvelous_draw(play, count)];
    marvelous_drop_stone(play, stone, cell);
    marvelous_emit_stone(play, MASH_EVENT_ITEM_APPEARED, MASH_UNIT_NONE, stone, cell);
}

/* --- Stan Lee --------------------------------------------------------------------------------- */

/* One of those with the least health [10.2]. */
static uint8_t weakest(const TurnContext *play) {
    const MarvelousState *state = play->state;
    uint8_t list[HEROES];
    uint32_t count = 0, least = UINT32_MAX;
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        uint32_t health = state->actors[hero].health;
        if (!on_board(state, hero) || health > least)
            continue;
        if (health < least)
            count = 0;
        least = health;
        list[count++] = hero;
    }
    assert(count > 0);
    return list[marvelous_draw(play, count)];
}

/* He leaves before anybody moves, so he never blocks a cell [10.3]. */
void marvelous_stan(const TurnContext *play) {
    const MarvelousState *state = play->state;
    const Actor *target = &state->actors[weakest(play)];
    Cell cell = marvelous_free_near(play, (Cell){target->x, target->y});
    emit_at(play, MASH_EVENT_APPEARED, UNIT_STAN, cell);
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        const Actor *actor = &state->actors[hero];
        if (on_board(state, hero) &&
            marvelous_sees(play->content, state->cells, cell.x, cell.y, actor->x, actor->y))
            marvelous_heal(play, hero, UNIT_STAN);
    }
    emit_at(play, MASH_EVENT_SPOKE, UNIT_STAN, cell);
    emit_at(play, MASH_EVENT_VANISHED, UNIT_STAN, cell);
}

/* --- Thanos ----------------------------------------------------------------------------------- */

/* By the number of the round [11.1], [11.2] or because the server requested it [11.3]. */
bool marvelous_thanos_due(const MarvelousContent *content, const MarvelousState *state) {
    return state->phase == PHASE_PLAY && (state->round >= thanos_round(content) || state->overtime);
}

/* [11.4], [11.5] */
void marvelous_thanos_arrives(const TurnContext *play) {
    MarvelousState *state = play->state;
    const MarvelousContent *content = play->content;
    for (uint32_t i = 0; i < content->portals_count; i++) {
        uint16_t number = content->portals[i];
        Cell cell = {(uint8_t)(number / content->height), (uint8_t)(number % content->height)};
        marvelous_ground(play, UNIT_THANOS, cell, GROUND_GRASS);
    }
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        uint16_t moves = kind_of(content, state, hero)->moves;
        if (moves > state->thanos_moves)
            state->thanos_moves = moves;
    }
    state->phase = PHASE_THANOS;
    Cell cell = marvelous_free_anywhere(play);
    marvelous_put(play, UNIT_THANOS, cell);
    emit_at(play, MASH_EVENT_APPEARED, UNIT_THANOS, cell);
}

/* The cell of a stone that is out and not his. */
static bool find_stone(const MarvelousState *state, uint8_t stone, Cell *cell) {
    const Stone *there = &state->stones[stone];
    if (there->holder == HELD_BY_GOOSE || there->holder == UNIT_THANOS)
        return false;
    *cell = (Cell){there->x, there->y};
    if (there->holder != HELD_BY_GROUND)
        *cell = (Cell){state->actors[there->holder].x, state->actors[there->holder].y};
    return true;
}

/* The nearest cell with stones, each cell counting once; false: there is none [11.6]. */
static bool find_target(const TurnContext *play, Cell *target) {
    const MarvelousState *state = play->state;
    const Actor *thanos = &state->actors[UNIT_THANOS];
    Cell list[STONES], cell;
    uint32_t count = 0;
    int nearest_hero = MASH_SIDE_MAX;
    for (uint8_t stone = 0; stone < STONES; stone++) {
        if (!find_stone(state, stone, &cell))
            continue;
        int distance = grid_chebyshev(thanos->x, thanos->y, cell.x, cell.y);
        if (distance > nearest_hero)
            continue;
        if (distance < nearest_hero)
            count = 0;
        nearest_hero = distance;
        bool known = false;
        for (uint32_t i = 0; i < count; i++)
            known |= list[i].x == cell.x && list[i].y == cell.y;
        if (!known)
            list[count++] = cell;
    }
    if (count > 0)
        *target = list[marvelous_draw(play, count)];
    return count > 0;
}

/* [11.7]; with a stone on the ground also [11.8]. */
static void enter(const TurnContext *play, Cell to) {
    MarvelousState *state = play->state;
    Cell from = {state->actors[UNIT_THANOS].x, state->actors[UNIT_THANOS].y};
    uint8_t cell = state->cells[cell_at(play->content, to.x, to.y)];
    if (marvelous_swap_with_hero(play, UNIT_THANOS, to))
        return;
    if (cell_is_rock(cell))
        marvelous_ground(play, UNIT_THANOS, to, GROUND_GRASS);
    marvelous_remove_from_cell(play, UNIT_THANOS);
    marvelous_put(play, UNIT_THANOS, to);
    marvelous_emit_move(play, MASH_EVENT_MOVED, UNIT_THANOS, from, to, 0);
    marvelous_take_stone(play, cell, UNIT_THANOS);
}

/* The carrier is put where Thanos came from [11.9]; no side is credited [11.11]. */
static void take_stones(const TurnContext *play, uint8_t hero) {
    Actor *actor = &play->state->actors[hero];
    for (uint8_t stone = 0; stone < STONES; stone++) {
        if (!(actor->stones & stone_bit(stone)))
            continue;
        marvelous_give_stone(play, stone, UNIT_THANOS);
        MashEvent event = marvelous_event(play, MASH_EVENT_ITEM_GIVEN, UNIT_THANOS, UNIT_THANOS);
        event.unit = hero;
        event.from_x = (int8_t)actor->x;
        event.from_y = (int8_t)actor->y;
        event.what = stone;
        event_add(play->events, event);
    }
    MashEvent hurt = marvelous_event(play, MASH_EVENT_HURT, hero, UNIT_THANOS);
    hurt.amount = actor->health;
    event_add(play->events, hurt);
    actor->health = 0;
    event_add(play->events, marvelous_event(play, MASH_EVENT_DIED, hero, UNIT_THANOS));
}

/* Straight towards the target as far as his points allow. There are no stones on the way, since the
 * target is the nearest. */
static void walk(const TurnContext *play, Cell target) {
    MarvelousState *state = play->state;
    Actor *thanos = &state->actors[UNIT_THANOS];
    uint8_t last = state->cells[cell_at(play->content, target.x, target.y)];
    while (thanos->moves > 0 && (thanos->x != target.x || thanos->y != target.y)) {
        Cell next = {(uint8_t)(thanos->x + sight_sign(target.x - thanos->x)),
                     (uint8_t)(thanos->y + sight_sign(target.y - thanos->y))};
        enter(play, next);
        thanos->moves--;
        marvelous_emit_change(play, UNIT_THANOS, METER_MOVES, -1);
    }
    if (thanos->x == target.x && thanos->y == target.y && cell_is_hero(last))
        take_stones(play, cell_unit(last));
}

/* The side that did more: [12.2], [12.3], [12.4], [12.5]. */
static void end_by_thanos(const TurnContext *play) {
    MarvelousState *state = play->state;
    uint64_t counts[3][MASH_SEATS] = {
        {state->most_stones[0], state->most_stones[1]},
        {state->knock_outs[0], state->knock_outs[1]},
        {state->damage[0], state->damage[1]},
    };
    for (uint8_t i = 0; i < 3; i++)
        if (counts[i][0] != counts[i][1]) {
            uint8_t winner = counts[i][1] > counts[i][0];
            common_end(&state->common, winner, (uint8_t)(REASON_MOST_STONES + i), play->events);
            return;
        }
    uint8_t winner = (uint8_t)chance_below(play->chance, MASH_SEATS);
    common_end(&state->common, winner, REASON_LOT, play->events);
}

/* Clears a hero except for its kind. */
static void destroy(const TurnContext *play, uint8_t hero) {
    Actor *actor = &play->state->actors[hero];
    event_add(play->events, marvelous_event(play, MASH_EVENT_VANISHED, hero, MASH_UNIT_NONE));
    marvelous_remove_from_cell(play, hero);
    actor->health = actor->moves = actor->actions = 0;
}

/* Each hero with probability one half [11.13], finally all [11.14]. */
static void snap(const TurnContext *play) {
    MarvelousState *state = play->state;
    bool anybody = false;
    state->snaps++;
    for (uint8_t hero = 0; hero < HEROES; hero++) {
        if (!on_board(state, hero))
            continue;
        if (state->snaps == SNAPS_MAX || chance_below(play->chance, 2) == 0)
            destroy(play, hero);
        else
            anybody = true;
    }
    if (!anybody)
        end_by_thanos(play);
}

void marvelous_thanos(const TurnContext *play) {
    MarvelousState *state = play->state;
    Actor *thanos = &state->actors[UNIT_THANOS];
    Cell target;
    if (thanos->stones == ALL_STONES) {
        snap(play);
        return;
    }
    thanos->moves = state->thanos_moves++;
    if (find_target(play, &target))
        walk(play, target);
    if (thanos->stones == ALL_STONES && state->rules == RULES_SPEC) /* [11.12] */
        end_by_thanos(play);
}
