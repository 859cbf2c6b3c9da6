/* draft.c -- section 3: picks, leaders, and the start of play. */
#include <string.h>

#include "games/ultimate-war/state.h"

void ultimate_war_empty(WarState *state) {
    memset(state, 0, sizeof *state);
    state->common = common_new();
    memset(state->leaders, MASH_UNIT_NONE, sizeof state->leaders);
    memset(state->units, MASH_UNIT_NONE, CELLS);
    for (int unit = 0; unit < UNITS; unit++) {
        state->champions[unit].kind = KIND_NONE;
        state->champions[unit].cell = CELL_NONE;
    }
}

/* [3.5] */
Champion ultimate_war_recruit(const WarContent *content, uint8_t kind) {
    const WarKind *found = &content->kinds[kind];
    Champion champion = {.health = found->health,
                         .mana = found->mana,
                         .speed = found->speed,
                         .damage = found->damage,
                         .points = (int8_t)found->points,
                         .points_turn = (int8_t)found->points,
                         .kind = kind,
                         .cell = CELL_NONE};
    for (int slot = 0; slot < SLOTS; slot++)
        champion.amounts[slot] = found->abilities[slot].amount;
    return champion;
}

void ultimate_war_place(WarState *state, uint8_t unit, uint8_t cell) {
    assert(cell < CELLS && state->units[cell] == MASH_UNIT_NONE);
    state->champions[unit].cell = cell;
    state->units[cell] = unit;
    state->sides[seat_of(unit)] |= 1u << cell;
}

void ultimate_war_place_cover(WarState *state, uint8_t cell, uint16_t health) {
    assert(cell < CELLS && health > 0);
    state->covers |= 1u << cell;
    state->cover_health[cell] = health;
}

bool ultimate_war_picked(const WarState *state, uint8_t kind) {
    for (int unit = 0; unit < UNITS; unit++)
        if (state->champions[unit].kind == kind)
            return true;
    return false;
}

/* --- Checking --------------------------------------------------------------------------------- */

uint32_t ultimate_war_draft_list(const WarContent *content, const WarState *state, uint8_t seat,
                                 MashAction *out) {
    uint32_t count = 0;
    if (state->phase == PHASE_APPOINT) {
        for (uint8_t i = 0; i < TEAM; i++)
            out[count++] = (MashAction){
                .verb = VERB_APPOINT, .seat = seat, .unit = (uint8_t)(TEAM * seat + i)};
        return count;
    }
    for (uint8_t kind = 0; kind < content->kinds_count; kind++)
        if (!ultimate_war_picked(state, kind))
            out[count++] =
                (MashAction){.verb = VERB_PICK, .seat = seat, .unit = (uint8_t)(UNITS + kind)};
    return count;
}

/* [3.1] [3.2] */
MashStatus ultimate_war_draft_check(const WarContent *content, const WarState *state,
                                    MashAction action) {
    if (action.verb != (state->phase == PHASE_PICK ? VERB_PICK : VERB_APPOINT))
        return MASH_NOT_NOW;
    MashAction bare = {.verb = action.verb, .seat = action.seat, .unit = action.unit};
    if (mash_action_compare(action, bare) != 0)
        return MASH_NO_SUCH_ACTION;
    if (action.verb == VERB_PICK) {
        if (action.unit < UNITS || action.unit >= UNITS + content->kinds_count)
            return MASH_NO_SUCH_UNIT;
        bool picked = ultimate_war_picked(state, (uint8_t)(action.unit - UNITS));
        return picked ? MASH_ALREADY_TAKEN : MASH_OK;
    }
    if (action.unit >= UNITS)
        return MASH_NO_SUCH_UNIT;
    return seat_of(action.unit) == action.seat ? MASH_OK : MASH_NOT_YOUR_UNIT;
}

/* --- What happens ----------------------------------------------------------------------------- */

/* Takes a champion into the team [3.1]; after the last one, leaders are chosen [3.2]. */
static void pick(const WarContent *content, WarState *state, uint8_t seat, uint8_t kind,
                 MashEvents *events) {
    uint8_t unit = (uint8_t)(TEAM * seat + state->picks / MASH_SEATS);
    state->picks++;
    state->champions[unit] = ultimate_war_recruit(content, kind);
    if (state->picks == UNITS)
        state->phase = PHASE_APPOINT;
    MashEvent event = event_new(MASH_EVENT_CHOSEN, unit, seat);
    event.what = kind;
    event_add(events, event);
}

/* Each pick is random among those left [3.7]. */
void ultimate_war_deal(const WarContent *content, WarState *state, MashChance *chance) {
    uint8_t kinds[KINDS_MAX];
    uint32_t left = content->kinds_count;
    for (uint8_t kind = 0; kind < left; kind++)
        kinds[kind] = kind;
    for (uint8_t seat = 0; state->phase == PHASE_PICK; seat = opponent(seat)) {
        uint32_t drawn = chance_below(chance, left);
        pick(content, state, seat, kinds[drawn], NULL);
        kinds[drawn] = kinds[--left];
    }
}

/* [3.3] */
static void place_champions(WarState *state, MashEvents *events) {
    for (uint8_t unit = 0; unit < UNITS; unit++) {
        int x = 1 + unit % TEAM, y = seat_of(unit) == 0 ? SIDE - 1 : 0;
        ultimate_war_place(state, unit, cell_at(x, y));
        MashEvent event = event_new(MASH_EVENT_PLACED, unit, MASH_UNIT_NONE);
        event.x = (int8_t)x;
        event.y = (int8_t)y;
        event_add(events, event);
    }
}

/* A random cell of those that are left, then its health [3.4]. */
static void place_covers(WarState *state, MashChance *chance, MashEvents *events) {
    uint8_t cells[SIDE * (SIDE - 2)];
    uint8_t left = 0;
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 0; x < SIDE; x++)
            cells[left++] = cell_at(x, y);
    for (int i = 0; i < COVERS; i++) {
        uint32_t drawn = chance_below(chance, left);
        uint32_t health = COVER_HEALTH_LEAST + chance_below(chance, COVER_HEALTHS);
        uint8_t cell = cells[drawn];
        cells[drawn] = cells[--left];
        ultimate_war_place_cover(state, cell, (uint16_t)health);
        MashEvent event = event_new(MASH_EVENT_GROUND_CHANGED, MASH_UNIT_NONE, MASH_UNIT_NONE);
        event.x = column_of(cell);
        event.y = row_of(cell);
        event.what = GROUND_COVER;
        event_add(events, event);
    }
}

void ultimate_war_draft_apply(const WarContent *content, WarState *state, MashAction action,
                              MashChance *chance, MashEvents *events) {
    if (action.verb == VERB_PICK) {
        pick(content, state, action.seat, (uint8_t)(action.unit - UNITS), events);
        return;
    }
    state->leaders[action.seat] = action.unit;
    event_add(events, event_new(MASH_EVENT_READY, action.unit, action.seat));
    if (action.seat == 0)
        return;
    place_champions(state, events);
    place_covers(state, chance, events);
    state->phase = PHASE_PLAY;
    event_add(events, event_new(MASH_EVENT_MATCH_BEGAN, MASH_UNIT_NONE, MASH_UNIT_NONE));
    ultimate_war_begin(content, state, events);
}
