/* placement.c -- placing both armies in secret, until both are ready.
 *
 * Placement only ever adds: nobody else can see what a seat does here, or infer it from a change of
 * order. Pieces have no numbers yet; `cells` holds kinds. */
#include <string.h>

#include "engine/events.h"
#include "games/generals/state.h"

uint32_t generals_left(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                       uint8_t left[KINDS_MAX + 1]) {
    const GeneralsArmy *army = &body->army[seat];
    uint32_t total = army->pieces;
    for (uint32_t kind = 0; kind <= KINDS_MAX; kind++)
        left[kind] = army->kinds[kind].count;
    for (uint32_t i = 0; i < army->zone_cells; i++) {
        uint8_t kind = state->cells[army->zone_first + i];
        left[kind]--; /* [0] (no piece) is never read */
        total -= kind != 0;
    }
    return total;
}

/* [3.2] [3.3] [3.4] [3.5] One list: by column, row and kind; then the verbs for the whole army. */
uint32_t generals_placement_actions(const GeneralsContent *body, const GeneralsState *state,
                                    uint8_t seat, MashAction *out) {
    const GeneralsArmy *army = &body->army[seat];
    uint8_t left[KINDS_MAX + 1], empty[CELLS_MAX + 1];
    uint64_t words[KINDS_MAX];
    uint32_t total = generals_left(body, state, seat, left), kinds = 0, cells = 0, count = 0;
    for (uint32_t kind = 1; kind <= army->kinds_count; kind++)
        if (left[kind] > 0)
            words[kinds++] = action_word((MashAction){
                .verb = VERB_PLACE,
                .seat = seat,
                .amount = (uint8_t)(army->kind_first + kind - 1),
            });
    for (uint32_t x = 0; x < body->width; x++)
        for (uint32_t row = 0; row < body->zone_rows; row++) {
            empty[cells] = (uint8_t)(army->zone_first + row * body->width + x);
            cells += state->cells[empty[cells]] == 0;
        }
    for (uint32_t cell = 0; cell < cells; cell++)
        for (uint32_t i = 0; i < kinds; i++)
            out[count++] = action_of(words[i] | body->step[empty[cell]]);
    if (total == army->pieces)
        out[count++] = (MashAction){.verb = VERB_LAYOUT, .seat = seat};
    out[count++] = (MashAction){.verb = total > 0 ? VERB_RANDOM : VERB_READY, .seat = seat};
    return count;
}

/* [3.2] */
static MashStatus check_place(const GeneralsContent *body, const GeneralsState *state,
                              MashAction action) {
    const GeneralsArmy *army = &body->army[action.seat];
    uint8_t left[KINDS_MAX + 1];
    uint32_t kind = (uint32_t)action.amount + 1 - army->kind_first;
    if (action.unit != 0 || action.ability != 0 || action.other != 0)
        return MASH_NO_SUCH_ACTION;
    if (action.amount < army->kind_first || kind > army->kinds_count)
        return MASH_NOT_OFFERED;
    if (action.x < 0 || action.x >= body->width || action.y < 0 || action.y >= body->height)
        return MASH_OFF_BOARD;
    uint32_t cell = (uint32_t)(action.y * body->width + action.x);
    if (cell < army->zone_first || cell >= (uint32_t)army->zone_first + army->zone_cells)
        return MASH_OUT_OF_ZONE;
    if (state->cells[cell] != 0)
        return MASH_CELL_TAKEN;
    generals_left(body, state, action.seat, left);
    return left[kind] > 0 ? MASH_OK : MASH_NOT_OFFERED;
}

/* [3.1] [3.3] [3.4] [3.5] Does not depend on the other's placement. */
MashStatus generals_placement_check(const GeneralsContent *body, const GeneralsState *state,
                                    MashAction action) {
    uint8_t left[KINDS_MAX + 1];
    if (action.verb >= VERB_MOVE)
        return MASH_NOT_NOW;
    if (action.verb == VERB_PLACE)
        return check_place(body, state, action);
    MashAction bare = {.verb = action.verb, .seat = action.seat};
    if (mash_action_compare(action, bare) != 0)
        return MASH_NO_SUCH_ACTION;
    uint32_t total = generals_left(body, state, action.seat, left);
    if (action.verb == VERB_LAYOUT)
        return total == body->army[action.seat].pieces ? MASH_OK : MASH_NOT_NOW;
    if (action.verb == VERB_RANDOM)
        return total > 0 ? MASH_OK : MASH_NOT_NOW;
    return total == 0 ? MASH_OK : MASH_NOT_COMPLETE;
}

/* [3.6] Who may see an event of a placement: the seat itself, and spectators who see everything. */
static uint8_t seen_by(const GeneralsState *state, uint8_t seat) {
    return (uint8_t)(1u << seat | (state->watchers ? MASH_SEEN_BY_WATCHERS : 0u));
}

/* Appends events for the pieces that are new in the zone. */
static void emit_placed(const GeneralsContent *body, const GeneralsState *state, uint8_t seat,
                        const uint8_t before[CELLS_MAX], MashEvents *events) {
    const GeneralsArmy *army = &body->army[seat];
    for (uint32_t i = 0; i < army->zone_cells; i++) {
        uint32_t cell = (uint32_t)army->zone_first + i;
        if (state->cells[cell] == before[cell])
            continue;
        MashEvent event = event_new(MASH_EVENT_PLACED, MASH_UNIT_NONE, MASH_UNIT_NONE);
        event.seen_by = seen_by(state, seat);
        event.x = (int8_t)body->x[cell];
        event.y = (int8_t)body->y[cell];
        event.what = (uint8_t)(army->kind_first + state->cells[cell] - 1);
        event_add(events, event);
    }
}

/* [3.4] Piece by piece, each on a random free cell: all placements are equally likely. */
void generals_place_random(const GeneralsContent *body, GeneralsState *state, uint8_t seat,
                           MashChance *chance) {
    const GeneralsArmy *army = &body->army[seat];
    uint8_t left[KINDS_MAX + 1], free[CELLS_MAX];
    uint32_t free_count = 0;
    generals_left(body, state, seat, left);
    for (uint32_t i = 0; i < army->zone_cells; i++)
        if (state->cells[army->zone_first + i] == 0)
            free[free_count++] = (uint8_t)(army->zone_first + i);
    for (uint8_t kind = 1; kind <= army->kinds_count; kind++)
        for (; left[kind] > 0; left[kind]--) {
            uint32_t drawn = chance_below(chance, free_count);
            state->cells[free[drawn]] = kind;
            free[drawn] = free[--free_count];
        }
}

/* [3.7] From kinds on cells to numbered pieces. */
static void number_pieces(const GeneralsContent *body, GeneralsState *state) {
    uint8_t unit = 0;
    for (uint8_t cell = 0; cell < body->cells; cell++)
        if (state->cells[cell] != 0) {
            state->pieces[unit] = (GeneralsPiece){.cell = cell, .kind = state->cells[cell]};
            state->cells[cell] = ++unit;
        }
    assert(unit == units_of(body));
}

bool generals_placement_apply(const GeneralsContent *body, GeneralsState *state, MashAction action,
                              MashChance *chance, MashEvents *events) {
    const GeneralsArmy *army = &body->army[action.seat];
    uint8_t before[CELLS_MAX];
    memcpy(before, state->cells, sizeof before);
    switch (action.verb) {
    case VERB_PLACE:
        state->cells[action.y * body->width + action.x] =
            (uint8_t)(action.amount + 1 - army->kind_first);
        break;
    case VERB_LAYOUT:
        memcpy(state->cells + army->zone_first, army->layout, army->zone_cells);
        break;
    case VERB_RANDOM:
        generals_place_random(body, state, action.seat, chance);
        break;
    default:
        assert(action.verb == VERB_READY);
        state->ready |= (uint8_t)(1u << action.seat);
        MashEvent event = event_new(MASH_EVENT_READY, MASH_UNIT_NONE, action.seat);
        event.seen_by = seen_by(state, action.seat);
        event_add(events, event);
    }
    if (events != NULL)
        emit_placed(body, state, action.seat, before, events);
    if (state->ready != 3)
        return false;
    number_pieces(body, state);
    return true;
}
